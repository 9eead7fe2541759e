"""Facts for every vector (smooth or convex functions, operators) at the vectors that occur in goal and facts."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice, product

from theory.kernel.errors import KernelError
from theory.kernel.kinds import ONE, is_point, size_of
from theory.kernel.lang import Node, Relation, text, walk
from theory.kernel.orders import placed
from theory.kernel.sequent import Certificate, Sequent
from theory.provers.effort import Effort
from theory.provers.skeletons import Search

MOST = 16  # instances of all facts together


def find(sequent: Sequent, effort: Effort, search: Search) -> Certificate | None:
    """The goal from instances of the facts for every vector; those facts are left out."""
    known = [i for i, fact in enumerate(sequent.facts) if for_every_vector(fact)]
    if not known:
        return None
    certificates: list[Certificate] = []
    here = sequent
    for position, at, fact in islice(instances(known, sequent), MOST):
        item = {"eq" if fact.op == "==" else "of": position, "at": at}
        proof = {"kind": "order", "items": [item], "ops": []}
        certificates.append({"kind": "have", "fact": str(fact), "proof": proof, "defined": {}})
        here = here.given(fact)
    kept = [i for i in range(len(here.facts)) if i not in known]
    then = search(here.only(tuple(here.facts[i] for i in kept)), effort, {})
    if then is None:
        return None
    result: Certificate = {"kind": "only", "facts": kept, "then": then}
    for one in reversed(certificates):
        result = {**one, "then": result}
    return result


def for_every_vector(fact: Relation) -> bool:
    return fact.binder is not None and all(lo.op == "points" for _, lo, _ in fact.binders)


def instances(known: list[int], sequent: Sequent) -> Iterator[tuple[int, dict[str, str], Relation]]:
    for position in known:
        fact = sequent.facts[position]
        names = [name for name, _, _ in fact.binders]
        for chosen in product(vectors(sequent), repeat=len(names)):
            if len(set(chosen)) == len(chosen):
                at = {name: text(one) for name, one in zip(names, chosen, strict=True)}
                try:
                    yield position, at, placed(fact, at, sequent, sequent.world)[0]
                except KernelError:
                    continue


def vectors(sequent: Sequent) -> list[Node]:
    """Letters at which a function is taken, then other vectors of the goal."""
    plain = [sequent.goal, *(fact for fact in sequent.facts if fact.binder is None)]
    parts = [part for fact in plain for side in (fact.left, fact.right) for part in walk(side) if part.op == "letter"]
    inside = (one for part in parts for one, kind in zip(part.args, part.value.indices, strict=True) if is_point(kind))
    others = (part for part in parts if not part.value.indices and size_of(part)[1] == ONE != size_of(part)[0])
    return list(dict.fromkeys((*inside, *others)))[:4]
