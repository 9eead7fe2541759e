"""Bounds between numbers without their divisors: eta <= 1/L becomes 1 - L*eta >= 0, so that products stay short."""

from __future__ import annotations

from theory.kernel.errors import KernelError
from theory.kernel.flat import polynomial_node, scalars_of
from theory.kernel.kinds import has_letters
from theory.kernel.lang import Relation, num, symbols
from theory.kernel.orders import difference
from theory.kernel.sequent import Certificate, Sequent
from theory.provers import arithmetic
from theory.provers.effort import Effort
from theory.provers.locality import with_only
from theory.provers.skeletons import Search


def find(sequent: Sequent, effort: Effort, search: Search) -> Certificate | None:
    """The goal from bounds that are multiplied by what they divide by; the bounds as they were are left out."""
    certificates: list[Certificate] = []
    gone: list[int] = []
    here = sequent
    for position, fact in enumerate(sequent.facts):
        plain = _without_divisors(fact)
        proof = None if plain is None else arithmetic.close(sequent.show(plain), rounds=2)
        if plain is not None and proof is not None:
            gone.append(position)
            certificates.append({"kind": "have", "fact": str(plain), "proof": proof, "defined": {}})
            here = here.given(plain)
    if not gone:
        return None
    kept = [i for i in range(len(here.facts)) if i not in gone]
    cert = with_only(kept, here, lambda one: search(one, effort, {}))
    for one in reversed(certificates):
        cert = None if cert is None else {**one, "then": cert}
    return cert


def _without_divisors(fact: Relation) -> Relation | None:
    """The numerator of a bound whose divisor is a product of names, if it is not one of the names' own signs."""
    if fact.binder is not None or fact.op not in ("<=", ">=", "<", ">"):
        return None
    if has_letters(fact.left) or has_letters(fact.right):
        return None
    try:
        ring, (value,), atoms = scalars_of([difference(fact)])
    except KernelError:
        return None
    over = value.den.factor()[1]
    if value.den.is_constant() or any(len(poly.to_dict()) > 1 for poly, _ in over):
        return None
    node = atoms.restore(polynomial_node(value.num / value.den.leading_coefficient(), ring.names))
    if not symbols(node):
        return None
    return Relation(">" if fact.op in ("<", ">") else ">=", node, num(0))
