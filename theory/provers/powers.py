"""Powers with a natural exponent, by induction over it: their signs, and the goal itself as an invariant."""

from __future__ import annotations

from collections.abc import Iterator

from theory.kernel.errors import KernelError
from theory.kernel.lang import Node, Relation, num, relation_symbols, replace_relation, sym, text, walk
from theory.kernel.sequent import Certificate, Sequent
from theory.provers.effort import Effort
from theory.provers.skeletons import Filler, Search
from theory.provers.tactics import auto, have, induction


def find(sequent: Sequent, effort: Effort, search: Search) -> Certificate | None:
    """An induction for the whole goal, if all its powers have one natural number as their exponent."""
    filler = Filler(search, {}, effort.deeper())
    for tactic in _tactics(sequent, effort, search):
        try:
            return filler.fill(tactic, sequent)
        except KernelError:
            continue
    return None


def _tactics(sequent: Sequent, effort: Effort, search: Search) -> Iterator[Certificate]:
    goal = _opened(sequent.goal)
    powers = list(dict.fromkeys(p for p in _parts(goal) if p.op == "**" and p.args[1].op == "sym"))
    counters = {str(power.args[1].value) for power in powers}
    if len(counters) != 1 or not counters <= sequent.naturals or len(powers) > 3:
        return
    (counter,) = counters
    used = relation_symbols(goal).union(*map(relation_symbols, sequent.facts)) | sequent.naturals
    fresh = (name for name in (f"p{i}" for i in range(1, 100)) if name not in used)
    states = {next(fresh): power for power in powers}
    always = tuple(fact for fact in sequent.facts if counter not in relation_symbols(fact))
    signs = [
        f"{name} {sign}"
        for name, power in states.items()
        for sign in _signs(power.args[0], Sequent(always, goal, sequent.naturals - {counter}), effort, search)
    ]
    named = goal
    for name, power in states.items():
        named = replace_relation(named, power, sym(name))
    written = {name: text(power) for name, power in states.items()}
    attempts = ([*signs], [str(named), *signs]) if signs else ([str(named)],)
    for invariant in attempts:
        proof = induction(counter, written, invariant)
        yield proof if goal == sequent.goal else have(str(goal), proof, then=auto())


def _parts(goal: Relation) -> Iterator[Node]:
    yield from (part for side in (goal.left, goal.right) for part in walk(side))


def _opened(goal: Relation) -> Relation:
    """x**(k + 2) is x**2*x**k."""
    for part in list(_parts(goal)):
        if part.op == "**" and part.args[1].op == "+" and part.args[1].args[1].op == "num":
            base, (exponent, shift) = part.args[0], part.args[1].args
            goal = replace_relation(goal, part, Node("*", (Node("**", (base, shift)), Node("**", (base, exponent)))))
    return goal


def _signs(base: Node, sequent: Sequent, effort: Effort, search: Search) -> list[str]:
    """What the powers of a base keep: a sign, and whether they stay below or above one."""

    def shown(op: str, bound: int) -> bool:
        return search(sequent.show(Relation(op, base, num(bound))), effort.deeper(), {}) is not None

    if not shown(">=", 0):
        return []
    strict = ">" if shown(">", 0) else ">="
    if shown("<=", 1):
        return [f"{strict} 0", "<= 1"]
    return [">= 1"] if shown(">=", 1) else [f"{strict} 0"]
