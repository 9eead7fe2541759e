"""Linear arithmetic over parts that stay as they are: 1/a < c from 1/a < b and b < c, whatever the sign of a.

Goal and facts are put over one denominator, of which only that it is not zero is known; the numerators are combined.
"""

from __future__ import annotations

from functools import reduce

from flint import fmpq_mpoly

from theory.kernel.errors import KernelError
from theory.kernel.flat import difference, scalars_of
from theory.kernel.lang import Node
from theory.kernel.sequent import Certificate, Sequent
from theory.provers.frame import BREAKDOWN, accepted
from theory.provers.linear import Column, combine

MOST = 60  # facts


def find(sequent: Sequent) -> Certificate | None:
    """A cone of facts with numbers as weights that the kernel accepts, or None; only where something is divided."""
    try:
        return _find(sequent)
    except (KernelError, *BREAKDOWN):
        return None


def _find(sequent: Sequent) -> Certificate | None:
    if sequent.goal.op in ("==", "!=") or sequent.goal.binder is not None:
        return None
    gap, strict = difference(sequent.goal)
    facts = {i: f for i, f in enumerate(sequent.every_fact()) if f.binder is None and f.op not in ("!=", "<<")}
    nodes = [Node("-", (f.left, f.right)) if f.op == "==" else difference(f)[0] for f in facts.values()]
    _, (target, *values), _ = scalars_of([gap, *nodes])
    if all(value.den.is_constant() for value in (target, *values)) or len(values) > MOST:
        return None
    below = reduce(_multiple, (value.den for value in (target, *values)))
    columns = [Column(below, strict=True)]  # a positive number
    for (i, fact), value in zip(facts.items(), values, strict=True):
        poly, free = value.num * (below // value.den), fact.op == "=="
        columns.append(Column(poly, (i,), equation=i if free else None, strict=fact.op in ("<", ">")))
    weights = combine(target.num * (below // target.den), columns, strict)
    if weights is None:
        return None
    terms = [
        {"c": str(weight)} | ({"of": list(one.factors)} if one.factors else {})
        for weight, one in weights
        if one.equation is None
    ]
    modulo = [[one.equation, str(weight)] for weight, one in weights if one.equation is not None]
    cert: Certificate = {"kind": "cone", "terms": terms, "modulo": modulo}
    return cert if accepted(cert, sequent) else None


def _multiple(a: fmpq_mpoly, b: fmpq_mpoly) -> fmpq_mpoly:
    return a * (b // a.gcd(b))
