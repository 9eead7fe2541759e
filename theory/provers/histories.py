"""Random recursions over every number of steps: the goal by induction, with its means as numbers.

At the start the state is put in, later it takes its step with a fresh sample; means over independent samples fall apart
into products, and what is left is arithmetic with the goal one step before. Where that is not enough, the means of the
goal are shown to be nonnegative first, by the same induction.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from theory.kernel.errors import KernelError
from theory.kernel.kinds import has_letters
from theory.kernel.lang import Relation, num, relation_symbols, substitute_relation, sym, symbols, text
from theory.kernel.sequent import Certificate, Sequent
from theory.provers import sequences
from theory.provers.effort import Effort
from theory.provers.moments import Numbers
from theory.provers.rewriting import after_solving, new_names, parts
from theory.provers.skeletons import Filler, Search
from theory.provers.tactics import Tactic, auto


def find(sequent: Sequent, effort: Effort, search: Search) -> Certificate | None:
    """An induction over a natural number of the goal."""
    if not sequent.world.steps or effort.depth:
        return None
    for position, fact in enumerate(sequent.facts):
        cert: Certificate = {"kind": "solve", "fact": position, "for": text(fact.left)}
        inner = after_solving(cert, sequent) if fact.op == "==" and fact.left.op == "sym" else None
        if inner is not None:
            then = find(inner, effort, search)
            return None if then is None else {**cert, "then": then}
    uses = definitions(sequent)

    def leaf(here: Sequent, effort: Effort, library: object) -> Certificate | None:
        if not (has_letters(here.goal.left) or has_letters(here.goal.right)):
            return sequences.leaf(here, effort, library)
        return _numbers(here, uses)

    return Filler(leaf, {}, effort.deeper()).first(_tactics(sequent), sequent)


def is_likely(sequent: Sequent) -> bool:
    """A state at a time of which nothing is known: no step can be taken there."""
    times = [p.args[0] for p in parts(sequent.goal) if p.op == "letter" and p.value.name in sequent.world.steps]
    return bool(times) and all(time.op == "sym" and str(time.value) in sequent.naturals for time in times)


def definitions(sequent: Sequent) -> list[dict[str, Any]]:
    """Facts that say what a letter is: `y == x - g/L`, in an order in which each is used once."""
    found = []
    for position, fact in enumerate(sequent.facts):
        defines = fact.left.op == "letter" and fact.left.value.name not in symbols(fact.right)
        if fact.op == "==" and defines and all(lo.op == "domain" for _, lo, _ in fact.binders):
            found.append({"use": position})
    return found


def _tactics(sequent: Sequent) -> Iterator[Tactic]:
    for name in sorted(relation_symbols(sequent.goal) & sequent.naturals):
        yield _every(sequent.goal, name, sequent)
        means = dict.fromkeys(part for part in parts(sequent.goal) if part.op == "mean" and name in text(part))
        for mean in means:
            sign = Relation(">=", mean, num(0))
            yield {**_every(sign, name, sequent), "then": _every(sequent.goal, name, sequent, always=sign)}


def _every(goal: Relation, name: str, sequent: Sequent, always: Relation | None = None) -> Tactic:
    """forall(n, 0, name, goal at n) by induction, and so the goal."""
    names = new_names(sequent, "n", "m", "l", stem="n")
    moving, earlier = next(names), next(names)
    body = substitute_relation(goal, {name: sym(moving)})
    induct = {
        "kind": "induct",
        "on": moving,
        "start": "0",
        "as": earlier,
        "long": auto(),
        "base": auto(),
        "step": auto(),
    }
    every = f"forall({moving}, 0, {name}, {body})"
    return {"kind": "have", "open": True, "fact": every, "proof": induct, "then": auto()}


def _numbers(sequent: Sequent, uses: list[dict[str, Any]]) -> Certificate | None:
    """The facts for every index at the last one, then the means as numbers."""
    steps: list[Certificate] = []
    for position, fact in enumerate(sequent.facts):
        if fact.binder is None or fact.more or fact.binder[1].op == "domain":
            continue
        index, _, last = fact.binder
        steps.append({"kind": "instance", "fact": position, "at": {index: text(last)}, "within": {}})
        sequent = sequent.given(substitute_relation(fact.under(()), {index: last}))
    for ops in ([], uses, ["advance"], ["advance", *uses]):
        numbers = Numbers(sequent, lambda here: sequences.leaf(here, Effort(), {}))
        for position, fact in enumerate(sequent.facts):
            numbers.copy(position, fact)
        numbers.with_squares()
        try:
            cert = numbers.closed(ops)
        except KernelError:
            continue
        if cert is not None:
            for step in reversed(steps):
                cert = {**step, "then": cert}
            return cert
    return None
