"""Equations between numbers used up: a part that occurs linearly, such as a mean, is replaced everywhere by its value.

With the equation m == r, a polynomial P(m) differs from P(r) by a multiple of m - r; each replaced fact is proved so.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from flint import fmpq_mpoly

from theory.kernel.errors import KernelError
from theory.kernel.flat import difference, fraction_node, scalars_of
from theory.kernel.lang import Relation, num, symbols, text
from theory.kernel.rings import Frac
from theory.kernel.sequent import Certificate, Sequent
from theory.provers.frame import Frame, accepted
from theory.provers.locality import with_only

Prove = Callable[[Sequent], Certificate | None]


def without_equations(sequent: Sequent, prove: Prove) -> Certificate | None:
    """What `prove` finds once no equation is left that can be solved for a part with a constant factor."""
    plain = [i for i, fact in enumerate(sequent.facts) if fact.binder is None]
    relations = [sequent.goal, *(sequent.facts[i] for i in plain)]
    try:
        ring, values, atoms = scalars_of([difference(one)[0] for one in relations])
    except KernelError:
        return prove(sequent)
    inside = {name for node in atoms.opaque.values() for name in symbols(node)}
    polys = [value.num if value.den.is_constant() else None for value in values]
    found = next(_solvable(relations, polys, ring.names, inside), None)
    if found is None:
        return prove(sequent)
    number_of, i = found
    position, equation = plain[number_of - 1], values[number_of].num
    slope = equation.derivative(i).leading_coefficient()
    image = ring.ctx.gen(i) - equation / slope
    images = [ring.ctx.gen(j) if j != i else image for j in range(len(ring.names))]
    scale = values[number_of].den.leading_coefficient() / slope  # the divisor of an equation that is solved is a number
    frame, goal, last = Frame(sequent), sequent.goal, None
    kept = [i for i in range(len(sequent.facts)) if i not in plain]  # they say why something is defined

    def written(top: fmpq_mpoly, below: fmpq_mpoly) -> str:
        return text(atoms.restore(fraction_node(Frac.of(top, below), ring.names)))

    for number, (one, value) in enumerate(zip(relations, values, strict=True)):
        if number == number_of:
            continue
        if not value.num.degrees()[i]:
            kept += [plain[number - 1]] if number else []
            continue
        if value.den.degrees()[i]:
            return prove(sequent)
        new = value.num.compose(*images)
        factor = (value.num - new) / (ring.ctx.gen(i) - image) * scale
        op = "==" if one.op == "==" else ">" if one.op in ("<", ">") else ">="
        if number == 0:
            goal = Relation(op, sequent.world.read(written(new, value.den)), num(0))
            last = written(factor, value.den)
            continue
        fact = f"{written(new, value.den)} {op} 0"
        kept.append(len(frame.sequent.facts))
        frame = frame.have(fact, _shifted(op, plain[number - 1], [position, written(-factor, value.den)]))
    cert = with_only(kept, frame.sequent.show(goal), lambda here: without_equations(here, prove))
    if cert is not None and last is not None:
        closing = _shifted(goal.op, len(frame.sequent.facts), [position, last])
        cert = {"kind": "have", "fact": str(goal), "proof": cert, "defined": {}, "then": closing}
    found_whole = None if cert is None else frame.close(cert)
    if found_whole is None or accepted(found_whole, sequent):
        return found_whole
    return None  # a cofactor that is no polynomial


def _shifted(op: str, position: int, multiple: list[object]) -> Certificate:
    """A fact and a multiple of an equation."""
    if op == "==":
        return {"kind": "identity", "modulo": [[position, "1"], multiple]}
    return {"kind": "cone", "terms": [{"c": "1", "of": [position]}], "modulo": [multiple]}


def _solvable(
    relations: list[Relation], polys: list[fmpq_mpoly | None], names: tuple[str, ...], inside: set[str]
) -> Iterator[tuple[int, int]]:
    """Equations, and the part that each is solved for, which is in no other part: nowhere squared, then long."""
    for number, (one, poly) in enumerate(zip(relations, polys, strict=True)):
        if not number or one.op != "==" or poly is None:
            continue
        linear = [i for i, e in enumerate(poly.degrees()) if e == 1 and poly.derivative(i).is_constant()]
        linear = [i for i in linear if names[i] not in inside]
        linear.sort(key=lambda i: (-max(p.degrees()[i] for p in polys if p is not None), len(names[i])))
        if linear:
            yield number, linear[-1]
