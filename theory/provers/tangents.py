"""Sums and means of exponentials, logarithms and reciprocals: each term is compared with a tangent (Jensen, Gibbs).

exp(a) >= exp(m)*(1 + a - m) and log(a) <= log(m) + a/m - 1, with m = 0 or 1 or the sum or mean of the arguments;
log(a) >= 1 - 1/a and 1/a >= (2 - a/m)/m. From above: exp(a) <= 1 + a + a**2, and the chord between two bounds of what
stands in the exponent, after which the rest of the goal is searched for (Hoeffding). Arithmetic says first whether the
tangent is enough, then it is shown term by term.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from theory.kernel.lang import Node, Relation, num, parse, parse_relation, replace, substitute, sym, symbols, text, walk
from theory.kernel.sequent import Certificate, Sequent
from theory.provers import arithmetic, exponentials
from theory.provers.effort import Effort
from theory.provers.elimination import without_equations
from theory.provers.frame import Frame, accepted
from theory.provers.functions import cited, functions_of
from theory.provers.locality import with_only
from theory.provers.relations import is_zero
from theory.provers.rewriting import free_parts, new_names, parts, shorter
from theory.provers.skeletons import Filler, Search
from theory.provers.squares import at_generic
from theory.provers.tactics import Tactic, auto, chain, cite, count, termwise

MOST = 3  # sums and means with a function inside
LATE = 8  # tangents after which the laws are tried


def find(sequent: Sequent, effort: Effort, search: Search) -> Certificate | None:
    """The first tangent that is enough."""
    if sequent.goal.op not in ("<=", ">=", "<", ">"):
        return None
    return Filler(search, {}, effort.deeper()).first(_tactics(sequent), sequent)


def _tactics(sequent: Sequent) -> Iterator[Tactic]:
    """A tangent with which arithmetic is enough; then one with which the laws at what is left are."""
    facts = list(_bounds_of_sums(sequent))
    counts = _counts(sequent)
    logs = [p.args[0] for p in functions_of(sequent) if p.op == "log" and p.args[0].op in ("sum", "mean")]
    outside = [p.args[-1] for p in free_parts(sequent.goal) if p.op in ("log", "/")]
    moving = [one for one in dict.fromkeys(outside) if any(p.op in ("sum", "mean") for p in walk(one))]
    counts = [*((f"{text(one)} > 0", auto()) for one in moving), *counts]
    known = sequent.given(*(parse_relation(one) for one, _ in counts))
    for fact, shown in facts:
        here = known.given(fact)
        cert = without_equations(here, partial(arithmetic.close, rounds=2)) or _by_totals(here)
        if cert is not None:
            yield chain(*counts, (str(fact), shown), then=cert)
    for fact, shown in facts[:LATE] if functions_of(sequent) else []:
        here = known.given(fact)
        plain = [i for i, one in enumerate(here.facts) if one.binder is None]
        cert = with_only(plain, here, exponentials.exponentiated) if logs else None
        cert = cert or exponentials.closed(Frame(here), tries=(2,))
        if cert is not None:
            yield chain(*counts, (str(fact), shown), then=cert)


def _by_totals(sequent: Sequent) -> Certificate | None:
    """Where logarithms of numbers are multiplied by totals that equal one: z - 1 - log(z) times both inequalities."""
    logs = [p.args[0] for p in functions_of(sequent) if p.op == "log"]
    if not logs:
        return None
    frame = Frame(sequent)
    for z in logs[:2]:
        frame = cited(frame, "log-tangent", {"t": text(z)})
    for position, fact in enumerate(sequent.facts):
        if fact.op == "==" and fact.binder is None:
            gap = text(Node("-", (fact.left, fact.right)))
            for sign, weight in (("", "1"), ("-", "-1")):
                frame = frame.have(f"{sign}({gap}) >= 0", {"kind": "cone", "terms": [], "modulo": [[position, weight]]})
    cert = arithmetic.close(frame.sequent, rounds=2)
    whole = None if cert is None else frame.close(cert)
    return whole if whole is not None and accepted(whole, sequent) else None


def _counts(sequent: Sequent) -> list[tuple[str, Tactic]]:
    """How many terms the sums of the goal have."""
    ends = {p.args[2] for p in parts(sequent.goal) if p.op == "sum" and p.args[1] == num(1)}
    name = next(new_names(sequent, "k", "l", stem="k"))
    return [(f"sum({name}, 1, {text(end)}, 1) == {text(end)}", count(name)) for end in sorted(ends, key=text)]


def _bounds_of_sums(sequent: Sequent) -> Iterator[tuple[Relation, Tactic]]:
    """Each sum or mean with one function in it replaced by a tangent or a chord: the gap, and how it is shown."""
    found = [p for p in dict.fromkeys(parts(sequent.goal)) if p.op in ("sum", "mean")]
    for whole in found[:MOST]:
        index = str(whole.args[0].value)
        inside = [p for p in parts(Relation("==", whole.args[-1], num(0))) if p.op in ("exp", "log", "/")]
        name = next(new_names(sequent, "i", "j", "w", stem="i"))
        for function in [p for p in dict.fromkeys(inside) if index in symbols(p.args[-1])]:
            between = _between(function, index, sequent)
            plain = [*between, *_tangents(function, whole, sequent), *_chords(function, index, sequent)]
            plain.sort(key=lambda bound: bound[0] != "<=")
            lower = _outside(function, whole, sequent, name) if function.op == "log" else []
            square = {"t": text(at_generic(function.args[-1], index, name))}
            laws = {_parabola(function): cite("law:exp-square-above", square)} if function.op == "exp" else {}
            for bound, m in _at_points(function, whole, sequent) if function.op == "log" else []:
                ratio = f"({square['t']})/({m})"
                product = cite("law:log-product", {"r": square["t"], "s": m, "t": ratio})
                laws[bound] = cite("law:log-tangent", {"t": ratio}, then=product)
            for op, bound in between:
                ends = (square["t"], text(bound.args[0]))
                laws[bound] = cite("law:exp-monotone", dict(zip("st", ends if op == "<=" else ends[::-1], strict=True)))
            for op, tangent, each in (*((op, tangent, laws.get(tangent, auto())) for op, tangent in plain), *lower):
                other = replace(whole.args[-1], function, tangent)
                sides = (whole.args[-1], other) if op == ">=" else (other, whole.args[-1])
                gap = Node(whole.op, (*whole.args[:-1], Node("-", sides)))
                yield Relation(">=", gap, num(0)), {**termwise(whole.op, each, index=name), "whole": True}


def _tangents(function: Node, whole: Node, sequent: Sequent) -> Iterator[tuple[str, Node]]:
    """The function at its argument a, from the tangent at m: with the side on which the tangent lies."""
    yield from ((">=" if function.op != "log" else "<=", bound) for bound, _ in _at_points(function, whole, sequent))
    if function.op == "log":
        yield ">=", parse(f"1 - 1/({text(function.args[-1])})")
    if function.op == "exp":
        yield "<=", _parabola(function)


def _at_points(function: Node, whole: Node, sequent: Sequent) -> Iterator[tuple[Node, str]]:
    """The tangents, each with the point at which it touches."""
    a = text(function.args[-1])
    outside = (text(p.args[-1]) for p in free_parts(sequent.goal) if p.op == function.op and p.args[-1].op != "num")
    for m in dict.fromkeys((*_places(function.args[-1], whole), *outside)):
        if function.op == "exp":
            yield parse("1 + " + a if m == "0" else f"exp({m})*(1 + {a} - ({m}))"), m
        elif function.op == "/" and m != "0":
            yield parse(f"({text(function.args[0])})*(2 - ({a})/({m}))/({m})"), m
        elif m != "0":
            yield parse(f"{a} - 1" if m == "1" else f"log({m}) + ({a})/({m}) - 1"), m


def _parabola(function: Node) -> Node:
    a = text(function.args[-1])
    return parse(f"1 + {a} + ({a})**2")


def _outside(function: Node, whole: Node, sequent: Sequent, name: str) -> Iterator[tuple[str, Node, Tactic]]:
    """log(a) above its tangent at exp(f)/z, where log(z) stands in the goal: z a sum or mean of exp(f), or f = 0."""
    a = function.args[0]
    for log in [p for p in dict.fromkeys(parts(sequent.goal)) if p.op == "log" and p not in set(walk(whole))]:
        z, f = log.args[0], num(0)
        if z.op == whole.op and z.args[-1].op == "exp":
            f = substitute(z.args[-1].args[0], {str(z.args[0].value): whole.args[0]})
        top = num(1) if f == num(0) else Node("exp", (f,))
        both = Node("*", (z, a))
        ratio = Node("/", (top, both))
        laws = [("exp-positive", {"t": f}), ("log-tangent", {"t": ratio}), ("log-product", {"r": both, "s": z, "t": a})]
        if f == num(0):
            laws.append(("log-inverse", {"s": ratio, "t": both}))
        else:
            laws += [("log-product", {"r": top, "s": ratio, "t": both}), ("log-exp", {"t": f})]
        each = auto()
        for law, where in reversed(laws):
            generic = {key: text(at_generic(node, str(whole.args[0].value), name)) for key, node in where.items()}
            each = cite(f"law:{law}", generic, then=each)
        yield ">=", parse(f"({text(f)}) - log({text(z)}) + 1 - ({text(top)})/({text(both)})"), each


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


def _between(function: Node, index: str, sequent: Sequent) -> list[tuple[str, Node]]:
    """exp(x[i]) at the bounds of x[i]."""
    if function.op != "exp" or function.args[0].op != "index":
        return []
    low, high = _bounds(function.args[0], index, sequent)
    return [(op, Node("exp", (end,))) for op, end in (("<=", high), (">=", low)) if end is not None]


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
