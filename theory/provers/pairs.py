"""Products of two sums over one range, compared for every two indices: Lagrange's identity and Chebyshev's.

A goal that is quadratic in sums over lo..hi is half of sum(i, lo, hi, sum(j, lo, hi, Q(i, j) + Q(j, i))) >= 0; where a
sum stands alone, the number of terms or a sum that a hypothesis knows counts as the other one.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from typing import Any

from flint import fmpq_mpoly

from theory.kernel.errors import KernelError
from theory.kernel.flat import Atoms, difference, polynomial_node, scalars_of, tidy
from theory.kernel.lang import Node, num, substitute, sym, symbols, text
from theory.kernel.lifting import later
from theory.kernel.sequent import Certificate, Obligation, Sequent, obligations
from theory.provers.effort import Effort
from theory.provers.rewriting import new_names
from theory.provers.sequences import leaf
from theory.provers.skeletons import Filler, Search
from theory.provers.strengthening import recursions, shifted
from theory.provers.tactics import Tactic, auto, cases, have, identity, telescope, termwise

MOST = 4  # sums


@dataclass(frozen=True)
class _Unit:
    """A sum over the range of which the value is known: that of ones, or of weights; and the proof of its equation."""

    body: Node
    index: str
    value: Node
    proof: Tactic | None


def find(sequent: Sequent, effort: Effort, search: Search) -> Certificate | None:
    """The goal from an inequality for every two indices."""
    if sequent.goal.op not in ("<=", ">="):
        return None
    try:
        return Filler(leaf, {}, effort.deeper()).first(_tactics(sequent), sequent)
    except KernelError:
        return None


def _tactics(sequent: Sequent) -> Iterator[Tactic]:
    gap, _ = difference(sequent.goal)
    ring, (value,), atoms = scalars_of([gap])
    sums = [name for name in ring.names if name in atoms.by_name and atoms.by_name[name].kind == "sum"]
    ranges = {(atoms.by_name[name].lo, atoms.by_name[name].hi) for name in sums}
    if len(ranges) != 1 or len(sums) > MOST or not value.den.is_constant():
        return
    ((lo, hi),) = ranges
    degrees = [sum(m[ring.names.index(name)] for name in sums) for m in value.num.to_dict()]
    if max(degrees) != 2:
        return
    poly = value.num / value.den.leading_coefficient()
    for unit in _units(lo, hi, sequent) if min(degrees) < 2 else [_Unit(num(1), "", num(1), None)]:
        parts = _by_degree(poly, ring.names, sums, unit)
        if parts is not None:
            yield _tactic(parts, atoms, (lo, hi), unit, sequent)


def _units(lo: Node, hi: Node, sequent: Sequent) -> Iterator[_Unit]:
    """The number of terms, if that is a name; sums of which a hypothesis knows that they are one."""
    index = next(new_names(sequent, "k", "i", "j", stem="k"))
    length = tidy(Node("-", (later(hi, 1), lo)))
    if length.op == "sym":
        yield _Unit(num(1), index, length, telescope(index, each=identity(), ends=identity()))
    for fact in sequent.facts:
        if fact.binder is None and fact.op == "==" and fact.right == num(1) and fact.left.op == "sum":
            i, first, last, body = fact.left.args
            if (tidy(first), tidy(last)) == (lo, hi):
                yield _Unit(body, str(i.value), num(1), None)


Parts = tuple[list[tuple[str, str, Node]], list[tuple[str, Node]], Node]


def _by_degree(poly: fmpq_mpoly, names: tuple[str, ...], sums: list[str], unit: _Unit) -> Parts | None:
    """The coefficients of products of two sums, of sums alone, and the rest, divided by the unit and by its square."""
    where = [names.index(name) for name in sums]
    lone = None if unit.value == num(1) else names.index(str(unit.value.value)) if unit.value.value in names else -1
    found: dict[tuple[str, ...], dict[tuple[int, ...], Any]] = {}
    for powers, coefficient in poly.to_dict().items():
        here = tuple(name for name, i in zip(sums, where, strict=True) for _ in range(powers[i]))
        rest = [0 if i in where else int(e) for i, e in enumerate(powers)]
        if lone is not None and len(here) < 2:
            if lone < 0 or rest[lone] < 2 - len(here):
                return None
            rest[lone] -= 2 - len(here)
        found.setdefault(here, {})[tuple(rest)] = coefficient
    ctx = poly.context()
    nodes = {key: polynomial_node(ctx.from_dict(terms), names) for key, terms in found.items()}
    two = [(*key, node) for key, node in nodes.items() if len(key) == 2]
    return two, [(*key, node) for key, node in nodes.items() if len(key) == 1], nodes.get((), num(0))


def _tactic(parts: Parts, atoms: Atoms, ends: tuple[Node, Node], unit: _Unit, sequent: Sequent) -> Tactic:
    """Q(i, j) >= 0 for all indices, added up over j and over i, is the goal modulo the value of the unit."""
    names = new_names(sequent, "i", "j", "l", "m", stem="i")
    i, j = next(names), next(names)
    two, one, none = parts
    one = [*one, *([] if none == num(0) else [("", none)])]

    def body(name: str, index: str) -> Node:
        own = atoms.by_name[name] if name else None
        return substitute(own.body, {own.index: sym(index)}) if own else substitute(unit.body, {unit.index: sym(index)})

    terms = [
        Node("*", (atoms.restore(c), Node("*", (Node("*", (body(f, a), body(g, b))), num(Fraction(1, 2))))))
        for f, g, c in [*two, *((f, "", c) for f, c in one)]
        for a, b in ((i, j), (j, i))
    ]
    every = reduce(lambda a, b: Node("+", (a, b)), terms)
    lo, hi = (text(end) for end in ends)
    inner = f"sum({j}, {lo}, {hi}, {text(every)})"
    pairs = f"sum({i}, {lo}, {hi}, {inner})"
    total = Node("sum", (sym(unit.index or i), *ends, unit.body))
    equation = f"{text(total)} == {text(unit.value)}"
    left = [Node("*", (c, sym(f))) for f, c in one if f]
    left += [Node("*", (c, Node("+", (unit.value, total)))) for f, c in one if not f]
    modulo = reduce(lambda a, b: Node("+", (a, b)), left) if left else None
    known = next((n for n, f in enumerate(sequent.facts) if str(f) == equation), None)
    duties = [duty for duty in obligations(every) if i not in symbols(duty.node) and duty.kind != "natural"]
    order = _orders(sequent, ends, names)
    values = [_for_any_two(duty, i, j, lo, hi) for duty in duties]
    first = len(sequent.facts) + len(order) + len(values)
    last: Tactic = {"kind": "cone", "terms": [{"c": "1", "of": [first + 1]}]}
    if modulo is not None:
        last["modulo"] = [[first + 2 if known is None else known, text(Node("neg", (atoms.restore(modulo),)))]]
    if modulo is not None and known is None:
        last = have(equation, unit.proof, then=last)
    defined = {
        duty.label: {"side": ">", "proof": auto()} if duty.kind == "nonzero" else auto() for duty in obligations(every)
    }
    kept = {"kept": True, "each": _in_order(i, j) if order else auto(), "defined": defined}
    each = {**termwise("sum", index=j), **kept}
    whole = {**termwise("sum", index=next(names)), "whole": True}
    result = {
        **have(f"forall({i}, {lo}, {hi}, {inner} >= 0)", each, then=have(f"{pairs} >= 0", whole, then=last)),
        "open": True,
    }
    for fact, proof in reversed([*order, *((one, auto()) for one in values)]):
        result = {**have(fact, proof, then=result), "open": True}
    return result


def _for_any_two(duty: Obligation, i: str, j: str, lo: str, hi: str) -> str:
    """Why a root or a divisor at j makes sense, said so that it is still known where i is a generic index."""
    op = ">=" if duty.kind == "nonnegative" else ">"
    return f"forall({i}, {lo}, {hi}, forall({j}, {lo}, {hi}, {text(duty.node)} {op} 0))"


def _in_order(i: str, j: str) -> Tactic:
    return {**cases(f"{i} - {j}"), "whole": True}


def _orders(sequent: Sequent, ends: tuple[Node, Node], names: Iterator[str]) -> list[tuple[str, Tactic]]:
    """What neighbours say of any two entries: a[m] <= a[l] for m <= l, by induction."""
    late, early, earlier = next(names), next(names), next(names)
    lo, hi = (text(end) for end in ends)
    found = {}
    for fact, index, _, _ in recursions(sequent):
        for after, before in shifted(fact, index):
            gap, _ = difference(fact)
            if {fact.left, fact.right} != {after, before}:
                continue
            rising = gap.args[0] == after
            base = text(after.args[0])
            body = f"{base}[{early}] {'<=' if rising else '>='} {base}[{late}]"
            step = {"kind": "induct", "on": late, "start": early, "as": earlier, "long": auto()}
            found[f"forall({early}, {lo}, {hi}, forall({late}, {early}, {hi}, {body}))"] = {
                **step,
                "base": auto(),
                "step": auto(),
            }
    return list(found.items())
