"""Sums and means of exponentials and logarithms: each term is compared with a tangent (Jensen, Gibbs).

exp(a) >= exp(m)*(1 + a - m) and log(a) <= log(m) + a/m - 1, with m = 0 or 1 or the sum or mean of the arguments; and
log(a) >= 1 - 1/a. Arithmetic says first whether the tangent is enough, then it is shown term by term.
"""

from __future__ import annotations

from collections.abc import Iterator

from theory.kernel.lang import Node, Relation, num, parse, replace, symbols, text
from theory.kernel.sequent import Certificate, Sequent
from theory.provers import arithmetic
from theory.provers.effort import Effort
from theory.provers.rewriting import new_names, parts
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
        inside = [p for p in parts(Relation("==", whole.args[-1], num(0))) if p.op in ("exp", "log")]
        for function in [p for p in dict.fromkeys(inside) if index in symbols(p)]:
            for op, tangent in _tangents(function, whole):
                other = replace(whole.args[-1], function, tangent)
                sides = (whole.args[-1], other) if op == ">=" else (other, whole.args[-1])
                gap = Node(whole.op, (*whole.args[:-1], Node("-", sides)))
                fact = Relation(">=", gap, num(0))
                if arithmetic.close(sequent.given(fact), rounds=2) is not None:
                    name = next(new_names(sequent, "i", "j", "w", stem="i"))
                    yield have(str(fact), {**termwise(whole.op, index=name), "whole": True})


def _tangents(function: Node, whole: Node) -> Iterator[tuple[str, Node]]:
    """The function at its argument a, from the tangent at m: with the side on which the tangent lies."""
    a = text(function.args[0])
    for m in _places(function.args[0], whole):
        if function.op == "exp":
            yield ">=", parse("1 + " + a if m == "0" else f"exp({m})*(1 + {a} - {m})")
        elif m != "0":
            yield "<=", parse(f"{a} - 1" if m == "1" else f"log({m}) + ({a})/({m}) - 1")
    if function.op == "log":
        yield ">=", parse(f"1 - 1/({a})")


def _places(argument: Node, whole: Node) -> Iterator[str]:
    """Zero, one, and the same sum or mean of the argument, with its weights if the terms have any."""
    yield from ("0", "1")
    factors = [one for one in whole.args[-1].args if one.op != "log" and one.op != "exp"]
    weights = factors if whole.args[-1].op == "*" and len(factors) == 1 else []
    for body in (argument, *(Node("*", (one, argument)) for one in weights)):
        yield text(Node(whole.op, (*whole.args[:-1], body)))
