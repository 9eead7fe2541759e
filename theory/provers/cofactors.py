"""An equation that is a combination of given ones, with polynomials for factors; divisors are shown positive first."""

from __future__ import annotations

from theory.kernel.lang import Relation
from theory.kernel.sequent import Certificate, Sequent
from theory.provers.frame import accepted
from theory.provers.linear import Column, combine, degree, monomials
from theory.provers.prepare import prepare

MOST = 600


def find(sequent: Sequent) -> Certificate | None:
    if sequent.goal.op != "==" or not any(f.op == "==" and f.binder is None for f in sequent.facts):
        return None
    problem = prepare(sequent.show(Relation(">=", sequent.goal.left, sequent.goal.right)))
    if problem is None or not problem.equations:
        return None
    variables, own = problem.variables(), degree(problem.goal)
    for top in (own, own + 1):
        columns = [
            Column(e.poly * m, equation=k, cofactor=m)
            for k, e in enumerate(problem.equations)
            if degree(e.poly) <= top
            for m in monomials(problem.ctx, variables, min(top - degree(e.poly), 3))
        ]
        weights = combine(problem.goal, columns[:MOST], strict=False, seconds=3.0) if columns else None
        if weights is None:
            continue
        above, below = problem.cone(weights), problem.cone([(-weight, column) for weight, column in weights])
        both = {"kind": "both", ">=": above, "<=": below}
        plain = {"kind": "identity", "modulo": above.get("modulo", [])}
        cert = problem.frame.close(both if problem.multiplier else plain)
        if accepted(cert, sequent):
            return cert
    return None
