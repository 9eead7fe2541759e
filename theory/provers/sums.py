"""Sums over a range of indices: closed forms by Gosper's algorithm, and bounds by induction over the end of the range.

sympy proposes the function whose differences are the terms; the kernel checks each difference.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from theory.claims.fromsympy import formula
from theory.kernel.errors import KernelError, Malformed
from theory.kernel.flat import scalars_of, tidy
from theory.kernel.lang import (
    Node,
    Relation,
    num,
    numbers,
    parse,
    relation_symbols,
    substitute,
    sym,
    symbols,
    text,
    walk,
)
from theory.kernel.lifting import later
from theory.kernel.sequent import Certificate, Sequent
from theory.provers.effort import Effort
from theory.provers.rewriting import new_names, parts, rewritten, shorter
from theory.provers.skeletons import Filler, Search
from theory.provers.tactics import auto, have, identity, induct, instance, telescope, termwise, unroll

FLIPPED = {"<=": ">=", ">=": "<=", "==": "=="}
WRITTEN = (0, 1, 2)  # terms that may stand before a bound holds


def find(sequent: Sequent, effort: Effort, search: Search) -> Certificate | None:
    """Put closed forms in for the sums of the goal; else compare one sum with its bound, term by term."""
    return Filler(search, {}, effort.deeper()).first(_tactics(sequent), sequent)


def _tactics(sequent: Sequent) -> Iterator[Certificate]:
    counted = _counted(sequent)
    if counted is not None:
        yield counted
    for node in _sums(sequent):
        potential = antidifference(node)
        if potential is not None:
            yield from _closed(node, potential, sequent)
    yield from _closed_in_facts(sequent)
    yield from _bounded(sequent)
    yield from _convergent(sequent)
    yield from _by_extremes(sequent)


def _sums(sequent: Sequent) -> list[Node]:
    """Sums of the goal whose terms depend on the index as a number and on no other bound name."""
    return _summable(sequent.goal)


def _summable(relation: Relation) -> list[Node]:
    free = relation_symbols(relation)
    found = dict.fromkeys(part for part in parts(relation) if part.op == "sum")
    return [part for part in found if symbols(part) <= free and _counts(part)]


def _counted(sequent: Sequent) -> Certificate | None:
    """sum(i, lo, hi, 1) is the number of terms: where sums are expanded, such a sum is left over."""
    try:
        gaps = [Node("-", (f.left, f.right)) for f in (sequent.goal, *sequent.facts) if f.binder is None]
        _, _, atoms = scalars_of(gaps)
    except KernelError:
        return None
    ranges = {(one.lo, one.hi) for one in atoms.by_name.values() if one.kind == "sum" and _is_long(one.lo, one.hi)}
    found = None
    for lo, hi in sorted(ranges, key=str):
        index = next(new_names(sequent, "k", "i", "j", stem="k"))
        count = f"sum({index}, {text(lo)}, {text(hi)}, 1)"
        if any(count in str(fact) for fact in sequent.facts):
            continue
        value = text(tidy(Node("-", (later(hi, 1), lo))))
        found = have(f"{count} == {value}", telescope(index, each=identity(), ends=identity()), then=found or auto())
    return found


def _is_long(lo: Node, hi: Node) -> bool:
    return bool(symbols(hi))


def _counts(node: Node) -> bool:
    index, *_, body = node.args
    return str(index.value) in numbers(body) or not symbols(body) or body == num(1)


def _closed(node: Node, potential: Node, sequent: Sequent) -> Iterator[Certificate]:
    """sum == G(hi + 1) - G(lo), the goal with that instead of the sum, and so the goal."""
    fact, proof = _closed_form(node, potential)
    then = rewritten(sequent.goal, fact, len(sequent.facts), len(sequent.facts) + 1)
    if fact not in sequent.facts and then is not None:
        yield have(str(fact), proof, then=then)


def _closed_form(node: Node, potential: Node) -> tuple[Relation, Certificate]:
    index, lo, hi, _ = node.args
    ends = [substitute(potential, {str(index.value): end}) for end in (later(hi, 1), lo)]
    value = shorter(Node("-", (ends[0], ends[1])))
    return Relation("==", node, value), telescope(text(potential), each=identity(), ends=identity())


def _closed_in_facts(sequent: Sequent) -> Iterator[Certificate]:
    """The closed forms of the sums that hypotheses speak of, as facts: sum(k, 0, K-1, 2**k) <= T says 2**K <= T + 1."""
    found = None
    for node in dict.fromkeys(node for fact in sequent.facts if fact.binder is None for node in _summable(fact)):
        potential = antidifference(node)
        if potential is None:
            continue
        fact, proof = _closed_form(node, potential)
        if fact not in sequent.facts:
            found = have(str(fact), proof, then=found or auto())
    if found is not None:
        yield found


def _bounded(sequent: Sequent) -> Iterator[Certificate]:
    """sum(i, lo, n, f) <= R(n) by f(i) <= R(i) - R(i - 1): what an induction over n would show."""
    goal = sequent.goal
    if goal.op not in FLIPPED:
        return
    for total, other, op in ((goal.left, goal.right, goal.op), (goal.right, goal.left, FLIPPED[goal.op])):
        if total.op != "sum" or any(part.op == "sum" for part in walk(other)):
            continue
        index, _, hi, _ = total.args
        base = hi.args[0] if hi.op in ("+", "-") and hi.args[1].op == "num" else hi
        shift = next((k for k in range(-20, 21) if later(base, k) == hi), None)
        if (
            str(base.value) not in sequent.naturals & symbols(other)
            or str(index.value) in symbols(other)
            or shift is None
        ):
            continue
        potential = substitute(other, {str(base.value): later(index, -1 - shift)})
        for written in WRITTEN:
            proof = telescope(text(potential), written=written)
            if total is goal.left:
                yield proof
            else:
                yield have(str(Relation(op, total, other)), proof)


def _convergent(sequent: Sequent) -> Iterator[Certificate]:
    """A sum below what its end does not occur in: its terms below those of a series such as 1/(i**2 - 1/4)."""
    goal = sequent.goal
    total, other = (goal.left, goal.right) if goal.op == "<=" else (goal.right, goal.left)
    if goal.op not in ("<=", ">=") or total.op != "sum":
        return
    index, lo, hi, body = total.args
    if not symbols(hi) or symbols(hi) & (symbols(other) | symbols(lo)) or symbols(body) > {index.value}:
        return
    long = text(tidy(Node("-", (later(hi, 1), lo))))
    for shift in ("1/2", "0", "1"):
        for weight in ("1", "1/2", "2"):
            proof = telescope(f"-({weight}/({index.value} - {shift}))")
            if symbols(lo):
                proof = {"kind": "cases", "on": long, "whole": True, "nonnegative": proof, "nonpositive": auto()}
            yield have(str(Relation("<=", total, other)), proof)


def _by_extremes(sequent: Sequent) -> Iterator[Certificate]:
    """A sum over a range that moves at both ends: its terms lie between the first and the last one."""
    goal = sequent.goal
    if goal.op not in ("<=", ">="):
        return
    for total, other, op in ((goal.left, goal.right, goal.op), (goal.right, goal.left, FLIPPED[goal.op])):
        if total.op == "sum" and symbols(total.args[1]) and symbols(total.args[2]) and _counts(total):
            index, lo, hi, body = total.args
            for end in (lo, hi):
                each = text(substitute(body, {str(index.value): end}))
                yield have(str(Relation(op, total, other)), telescope(f"({each})*{index.value}"))


def one_of_many(sequent: Sequent, effort: Effort, search: Search) -> Certificate | None:
    """A bound for one term of a sum of terms that are not negative."""
    return Filler(search, {}, effort.deeper()).first(_one_of_many(sequent), sequent)


def positive(sequent: Sequent, effort: Effort, search: Search) -> Certificate | None:
    """A sum of positive terms that is not empty: the last term apart, and the others are not negative."""
    return Filler(search, {}, effort.deeper()).first(_positive(sequent), sequent)


def _positive(sequent: Sequent) -> Iterator[Certificate]:
    goal = sequent.goal
    total, zero = (goal.left, goal.right) if goal.op == ">" else (goal.right, goal.left)
    if goal.op not in ("<", ">") or total.op != "sum" or zero != num(0) or not symbols(total.args[2]):
        return
    index, lo, hi, body = total.args
    rest = Node("sum", (index, lo, tidy(Node("-", (hi, num(1)))), body))
    term = substitute(body, {str(index.value): hi})
    other = next(new_names(sequent, "j", "l", stem="j"))
    for way in ("whole", "kept"):
        each = {**termwise("sum", index=other), way: True}
        then = have(f"{text(rest)} >= 0", each, then=have(f"{text(term)} > 0"))
        yield unroll(text(total), then)


def _one_of_many(sequent: Sequent) -> Iterator[Certificate]:
    """One term is at most the sum of terms that are not negative: by induction over the end, from that term on."""
    goal = sequent.goal
    small, big = (goal.left, goal.right) if goal.op == "<=" else (goal.right, goal.left)
    if goal.op not in ("<=", ">=") or big.op != "sum" or big.args[2].op != "sym":
        return
    index, lo, hi, body = big.args
    for place in sorted(sequent.naturals & symbols(small) - symbols(hi)):
        term = substitute(body, {str(index.value): sym(place)})
        before, onward = (f"sum({index.value}, {text(lo)}, {end}, {text(body)})" for end in (place, f"{hi.value} + 1"))
        rest = f"sum({index.value}, {text(lo)}, {place} - 1, {text(body)}) >= 0"
        base = have(rest, {**termwise("sum", index=next(new_names(sequent, "k", stem="k"))), "whole": True})
        step = instance("IH", unroll(onward), m=str(hi.value))
        proof = induct(str(hi.value), unroll(before, base), step, start=place, long=auto())
        bound = Relation("<=", term, big)
        if term == small:
            yield proof
        elif bound not in sequent.facts and _is_entry_of(place, small):
            yield have(str(bound), proof, then=have(str(Relation("<=", small, term))))


def _is_entry_of(place: str, node: Node) -> bool:
    return any(part.op == "index" and part.args[1:] == (sym(place),) for part in walk(node))


@lru_cache(maxsize=2_000)
def antidifference(node: Node) -> Node | None:
    """G with G(i + 1) - G(i) = f(i) for the terms f of a sum, if Gosper's algorithm finds one."""
    index, _, _, body = node.args
    names: dict[str, Node] = {}
    try:
        import sympy
        from sympy.concrete.gosper import gosper_term

        i = sympy.Symbol("index", integer=True)
        term = _to_sympy(body, str(index.value), i, names)
        ratio = gosper_term(term, i) if term.has(i) else i
        if ratio is None:
            return None
        found = sympy.simplify(term * ratio) if term.has(i) else term * ratio
        return substitute(parse(formula(sympy.factor(sympy.powsimp(found)))), {**names, "index": index})
    except (KernelError, ValueError, TypeError, AttributeError, ArithmeticError):  # not a term that sympy sums
        return None


def _to_sympy(node: Node, index: str, i: Any, names: dict[str, Node]) -> Any:
    import sympy

    def named(node: Node) -> Any:
        name = next((n for n, known in names.items() if known == node), f"part{len(names)}")
        names[name] = node
        return sympy.Symbol(name, positive=True)

    if index not in symbols(node) and node.op != "num":
        return named(node)
    if node.op == "num":
        return sympy.Rational(node.value.numerator, node.value.denominator)
    if node == sym(index):
        return i
    if node.op not in ("neg", "+", "-", "*", "/", "**"):
        raise Malformed(f"{node.op} is no part of a hypergeometric term")
    if node.op == "**" and index not in symbols(node.args[0]):
        return named(node.args[0]) ** _to_sympy(node.args[1], index, i, names)
    args = [_to_sympy(arg, index, i, names) for arg in node.args]
    match node.op:
        case "neg":
            return -args[0]
        case "+":
            return args[0] + args[1]
        case "-":
            return args[0] - args[1]
        case "*":
            return args[0] * args[1]
        case "/":
            return args[0] / args[1]
    return args[0] ** args[1]
