"""Powers and iterations over a natural number, by induction: their signs, and the goal itself as an invariant."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from theory.kernel.errors import KernelError
from theory.kernel.flat import difference, polynomial_node, scalars_of
from theory.kernel.lang import Node, Relation, num, relation_symbols, replace_relation, sym, text
from theory.kernel.sequent import Certificate, Sequent, signs
from theory.kernel.shapes import shape_of
from theory.provers.effort import Effort
from theory.provers.rewriting import new_names, parts
from theory.provers.skeletons import Filler, Search
from theory.provers.tactics import auto, have, induction

MOST = 3  # powers and iterations in one goal


def find(sequent: Sequent, effort: Effort, search: Search) -> Certificate | None:
    """An induction for the whole goal, if all its powers and iterations are over one natural number."""
    return Filler(search, {}, effort.deeper()).first(_tactics(sequent, effort, search), sequent)


def _tactics(sequent: Sequent, effort: Effort, search: Search) -> Iterator[Certificate]:
    goal = _opened(sequent.goal)
    found = list(dict.fromkeys(filter(_is_state, parts(goal))))
    counters = {str(part.args[1].value) for part in found}
    if len(counters) != 1 or not counters <= sequent.naturals or len(found) > MOST:
        return
    (counter,) = counters
    states = dict(zip(new_names(sequent, stem="p"), found, strict=False))
    always = tuple(fact for fact in sequent.facts if counter not in relation_symbols(fact))
    before = Sequent(always, goal, sequent.naturals - {counter})
    kept = [f"{name} {sign}" for name, part in states.items() for sign in _signs(part, before, effort, search)]
    named = goal
    for name, part in states.items():
        named = replace_relation(named, part, sym(name))
    whole = _without_divisors(named, sequent)
    attempts = [[*kept], [whole, *kept]] if kept else [[whole]]
    for invariant in attempts:
        proof = induction(counter, {name: text(part) for name, part in states.items()}, invariant)
        yield proof if goal == sequent.goal else have(str(goal), proof, then=auto())


def _is_state(part: Node) -> bool:
    try:
        return part.op in ("**", "iterate") and part.args[1].op == "sym" and shape_of(part) is None
    except KernelError:
        return False


def _opened(goal: Relation) -> Relation:
    """x**(k + 2) is x**2*x**k."""
    for part in list(parts(goal)):
        if part.op == "**" and part.args[1].op == "+" and part.args[1].args[1].op == "num":
            base, (exponent, shift) = part.args[0], part.args[1].args
            goal = replace_relation(goal, part, Node("*", (Node("**", (base, shift)), Node("**", (base, exponent)))))
    return goal


def _without_divisors(goal: Relation, sequent: Sequent) -> str:
    """The goal times its divisors, for an invariant is a polynomial; as it stands where their sign is not plain."""
    if goal.op in ("==", "!="):
        return str(goal)
    gap, strict = difference(goal)
    ring, (value,), atoms = scalars_of([gap])
    if value.den.is_constant():
        return str(goal)
    sign = signs(sequent.every_fact(), ring).of_polynomial(value.den)
    if sign not in (1, -1):
        return str(goal)
    top = atoms.restore(polynomial_node(value.num * sign, ring.names))
    return str(Relation(">" if strict else ">=", top, num(0)))


def _signs(part: Node, sequent: Sequent, effort: Effort, search: Search) -> list[str]:
    """What the powers of a base keep: a sign, and whether they stay below or above one. Iterations may keep theirs."""
    light = replace(effort.deeper(), heavy=False)

    def shown(node: Node, op: str, bound: int) -> bool:
        return search(sequent.show(Relation(op, node, num(bound))), light, {}) is not None

    if part.op == "iterate":
        return [">= 0"] if shown(part.args[2], ">=", 0) else []
    base = part.args[0]
    if not shown(base, ">=", 0):
        return []
    strict = ">" if shown(base, ">", 0) else ">="
    if shown(base, "<=", 1):
        return [f"{strict} 0", "<= 1"]
    return [">= 1"] if shown(base, ">=", 1) else [f"{strict} 0"]
