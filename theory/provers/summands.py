"""A sum of parts that no fact ties together is nonnegative if each part is: shown one by one, then added up."""

from __future__ import annotations

from dataclasses import replace

from flint import fmpq_mpoly

from theory.kernel.errors import KernelError
from theory.kernel.flat import Atoms, difference, polynomial_node, scalars_of
from theory.kernel.lang import Relation, num, symbols
from theory.kernel.sequent import Certificate, Sequent
from theory.provers.effort import Effort
from theory.provers.frame import Frame, accepted
from theory.provers.skeletons import Search


def find(sequent: Sequent, effort: Effort, search: Search) -> Certificate | None:
    """Each part is a `have`, and the goal is their sum."""
    if sequent.goal.op not in ("<=", ">=") or sequent.goal.binder is not None:
        return None
    try:
        ring, (value,), atoms = scalars_of([difference(sequent.goal)[0]])
    except KernelError:
        return None
    groups = _groups(value.num, ring.names, sequent) if value.den.is_constant() else []
    if len(groups) < 2:
        return None
    frame, own = Frame(sequent), replace(effort.deeper(), splits=0)
    for group in groups:
        scaled = group / value.den.leading_coefficient()
        fact = Relation(">=", atoms.restore(polynomial_node(scaled, ring.names)), num(0))
        proof = search(frame.sequent.show(fact), own, {})
        if proof is None:
            return None
        frame = frame.have(str(fact), proof)
    here = len(sequent.facts)
    cert = frame.close({"kind": "cone", "terms": [{"c": "1", "of": [here + i]} for i in range(len(groups))]})
    return cert if accepted(cert, sequent) else None


def _groups(poly: fmpq_mpoly, names: tuple[str, ...], sequent: Sequent) -> list[fmpq_mpoly]:
    """The terms, together where facts tie their names together; what no fact is about ties nothing."""
    blocks = _blocks(names, sequent)
    ctx, groups = poly.context(), []
    for powers, coefficient in poly.to_dict().items():
        mine = frozenset(name for name, e in zip(names, powers, strict=False) if e) & frozenset().union(*blocks)
        tied = [block for block in blocks if block & mine]
        blocks = [block for block in blocks if block not in tied]
        blocks.append(mine.union(*tied))
        groups.append((mine, ctx.from_dict({powers: coefficient})))
    made = {block: ctx.constant(0) for block in blocks}
    for mine, term in groups:
        block = next(block for block in blocks if mine <= block)
        made[block] += term
    return [part for part in made.values() if not part.is_zero()]


def _blocks(names: tuple[str, ...], sequent: Sequent) -> list[frozenset[str]]:
    blocks: list[frozenset[str]] = []
    for fact in (f for f in sequent.facts if f.binder is None and f.op != "<<"):
        flat = Atoms()
        found = frozenset(n for side in (fact.left, fact.right) for n in symbols(flat.flatten(side))) & set(names)
        tied = [block for block in blocks if block & found]
        blocks = [*(block for block in blocks if block not in tied), found.union(*tied)]
    return [block for block in blocks if block]
