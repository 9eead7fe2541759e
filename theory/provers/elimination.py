"""Equations between numbers used up: a part that occurs linearly, such as a mean, is replaced everywhere by its value.

With the equation m == r, a polynomial P(m) differs from P(r) by a multiple of m - r; each replaced fact is proved so.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from flint import fmpq_mpoly

from theory.kernel.errors import KernelError
from theory.kernel.flat import difference, polynomial_node, scalars_of
from theory.kernel.lang import Relation, num, symbols, text
from theory.kernel.sequent import Certificate, Sequent
from theory.provers.frame import Frame
from theory.provers.locality import with_only

Prove = Callable[[Sequent], Certificate | None]


def without_equations(sequent: Sequent, prove: Prove) -> Certificate | None:
    """What `prove` finds once no equation is left that can be solved for a part with a constant factor."""
    relations = [sequent.goal, *sequent.facts]
    if any(one.binder is not None for one in relations):
        return prove(sequent)
    try:
        ring, values, atoms = scalars_of([difference(one)[0] for one in relations])
    except KernelError:
        return prove(sequent)
    inside = {name for node in atoms.opaque.values() for name in symbols(node)}
    found = next(_solvable(sequent, [value.num for value in values], ring.names, inside), None)
    if found is None:
        return prove(sequent)
    position, i = found
    equation = values[position + 1].num
    slope = equation.derivative(i).leading_coefficient()
    image = ring.ctx.gen(i) - equation / slope
    images = [ring.ctx.gen(j) if j != i else image for j in range(len(ring.names))]
    scale = values[position + 1].den.leading_coefficient() / slope
    frame, kept, goal, last = Frame(sequent), list[int](), sequent.goal, None

    def written(poly: fmpq_mpoly) -> str:
        return text(atoms.restore(polynomial_node(poly, ring.names)))

    for number, (one, value) in enumerate(zip(relations, values, strict=True)):
        if number == position + 1:
            continue
        if not value.num.degrees()[i]:
            kept += [number - 1] if number else []
            continue
        if not value.den.is_constant():
            return prove(sequent)
        over = value.den.leading_coefficient()
        new = value.num.compose(*images) / over
        factor = (value.num / over - new) / (ring.ctx.gen(i) - image) * scale
        op = "==" if one.op == "==" else ">" if one.op in ("<", ">") else ">="
        if number == 0:
            goal = Relation(op, atoms.restore(polynomial_node(new, ring.names)), num(0))
            last = written(factor)
            continue
        fact = f"{written(new)} {op} 0"
        kept.append(len(frame.sequent.facts))
        frame = frame.have(fact, _shifted(op, number - 1, [position, written(-factor)]))
    cert = with_only(kept, frame.sequent.show(goal), lambda here: without_equations(here, prove))
    if cert is not None and last is not None:
        closing = _shifted(goal.op, len(frame.sequent.facts), [position, last])
        cert = {"kind": "have", "fact": str(goal), "proof": cert, "defined": {}, "then": closing}
    return None if cert is None else frame.close(cert)


def _shifted(op: str, position: int, multiple: list[object]) -> Certificate:
    """A fact and a multiple of an equation."""
    if op == "==":
        return {"kind": "identity", "modulo": [[position, "1"], multiple]}
    return {"kind": "cone", "terms": [{"c": "1", "of": [position]}], "modulo": [multiple]}


def _solvable(
    sequent: Sequent, polys: list[fmpq_mpoly], names: tuple[str, ...], inside: set[str]
) -> Iterator[tuple[int, int]]:
    """Equations, and the longest part that each can be solved for; no name that stands inside another part."""
    for position, fact in enumerate(sequent.facts):
        poly = polys[position + 1]
        if fact.op != "==":
            continue
        linear = [i for i, e in enumerate(poly.degrees()) if e == 1 and poly.derivative(i).is_constant()]
        linear = [i for i in linear if names[i] not in inside]
        linear.sort(key=lambda i: len(names[i]))
        if linear:
            yield position, linear[-1]
