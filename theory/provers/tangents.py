"""Sums and means of exponentials, logarithms and reciprocals: each term is compared with a tangent (Jensen, Gibbs).

exp(a) >= exp(m)*(1 + a - m) and log(a) <= log(m) + a/m - 1, with m = 0 or 1 or the sum or mean of the arguments;
log(a) >= 1 - 1/a and 1/a >= (2 - a/m)/m. From above: exp(a) <= 1 + a + a**2, and the chord between two bounds of what
stands in the exponent, after which the rest of the goal is searched for (Hoeffding). Arithmetic says first whether the
tangent is enough, then it is shown term by term.
"""

from __future__ import annotations

from collections.abc import Iterator

from theory.kernel.lang import Node, Relation, num, parse, replace, sym, symbols, text
from theory.kernel.sequent import Certificate, Sequent
from theory.provers import arithmetic
from theory.provers.effort import Effort
from theory.provers.relations import is_zero
from theory.provers.rewriting import new_names, parts, shorter
from theory.provers.skeletons import Filler, Search
from theory.provers.tactics import Tactic, have, termwise

MOST = 3  # sums and means with a function inside


def find(sequent: Sequent, effort: Effort, search: Search) -> Certificate | None:
    """The first tangent that is enough."""
    if sequent.goal.op not in ("<=", ">=", "<", ">"):
        return None
    return Filler(search, {}, effort.deeper()).first(_tactics(sequent), sequent)


def _tactics(sequent: Sequent) -> Iterator[Tactic]:
    found = [p for p in dict.fromkeys(parts(sequent.goal)) if p.op in ("sum", "mean")]
    for whole in found[:MOST]:
        index = str(whole.args[0].value)
        inside = [p for p in parts(Relation("==", whole.args[-1], num(0))) if p.op in ("exp", "log", "/")]
        name = next(new_names(sequent, "i", "j", "w", stem="i"))
        for function in [p for p in dict.fromkeys(inside) if index in symbols(p.args[-1])]:
            bounds = [*_tangents(function, whole), *_chords(function, index, sequent)]
            for op, tangent in bounds:
                other = replace(whole.args[-1], function, tangent)
                sides = (whole.args[-1], other) if op == ">=" else (other, whole.args[-1])
                gap = Node(whole.op, (*whole.args[:-1], Node("-", sides)))
                fact = Relation(">=", gap, num(0))
                shown: Tactic = {**termwise(whole.op, index=name), "whole": True}
                if arithmetic.close(sequent.given(fact), rounds=2) is not None:
                    yield have(str(fact), shown)


def _tangents(function: Node, whole: Node) -> Iterator[tuple[str, Node]]:
    """The function at its argument a, from the tangent at m: with the side on which the tangent lies."""
    a = text(function.args[-1])
    for m in _places(function.args[-1], whole):
        if function.op == "exp":
            yield ">=", parse("1 + " + a if m == "0" else f"exp({m})*(1 + {a} - {m})")
        elif function.op == "/":
            if m != "0":
                yield ">=", parse(f"({text(function.args[0])})*(2 - ({a})/({m}))/({m})")
        elif m != "0":
            yield "<=", parse(f"{a} - 1" if m == "1" else f"log({m}) + ({a})/({m}) - 1")
    if function.op == "log":
        yield ">=", parse(f"1 - 1/({a})")
    if function.op == "exp":
        yield "<=", parse(f"1 + {a} + ({a})**2")


def _chords(function: Node, index: str, sequent: Sequent) -> Iterator[tuple[str, Node]]:
    """exp(c*x[i]) below its chord, where facts bound x[i] on both sides."""
    if function.op != "exp":
        return
    entries = [p for p in dict.fromkeys(parts(Relation("==", function, num(0)))) if p.op == "index"]
    for entry in [p for p in entries if p.args[-1] == sym(index)][:1]:
        low, high = _bounds(entry, index, sequent)
        if low is None or high is None or low == high:
            continue
        a, b, x = text(low), text(high), text(entry)
        ends = [text(_as_written(replace(function, entry, end), sequent)) for end in (low, high)]
        width = text(shorter(parse(f"({b}) - ({a})")))
        yield "<=", parse(f"(({b}) - {x})/({width})*{ends[0]} + ({x} - ({a}))/({width})*{ends[1]}")


def _as_written(function: Node, sequent: Sequent) -> Node:
    """As the goal writes it: exp(-t*b) for exp(t*(-b))."""
    for part in parts(sequent.goal):
        if part.op == function.op and is_zero(Node("-", (part.args[0], function.args[0]))):
            return part
    return Node(function.op, (shorter(function.args[0]),))


def _bounds(entry: Node, index: str, sequent: Sequent) -> tuple[Node | None, Node | None]:
    """The lower and the upper bound of an entry in the facts for every index."""
    found: dict[str, Node] = {}
    for fact in sequent.facts:
        if fact.binder is None or fact.more or fact.op not in ("<=", "<", ">=", ">"):
            continue
        own = replace(entry, sym(index), sym(fact.binder[0]))
        small, big = (fact.left, fact.right) if fact.op in ("<=", "<") else (fact.right, fact.left)
        for side, other, name in ((small, big, "high"), (big, small, "low")):
            if side == own and fact.binder[0] not in symbols(other):
                found.setdefault(name, other)
    return found.get("low"), found.get("high")


def _places(argument: Node, whole: Node) -> Iterator[str]:
    """Zero, one, and the same sum or mean of the argument, with its weights if the terms have any."""
    yield from ("0", "1")
    factors = [one for one in whole.args[-1].args if one.op != "log" and one.op != "exp"]
    weights = factors if whole.args[-1].op == "*" and len(factors) == 1 else []
    for body in (argument, *(Node("*", (one, argument)) for one in weights)):
        yield text(Node(whole.op, (*whole.args[:-1], body)))
