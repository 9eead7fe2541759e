"""No claim is vacuous: each carries a point that satisfies its hypotheses. Here one is found when none is given."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from theory.claims.statement import Check, Statement
from theory.claims.userfile import load_file
from theory.kernel import Claim, KernelError, Point, satisfies_hypotheses
from theory.kernel.lang import BINDERS, SPACE, symbols, walk


@dataclass(frozen=True)
class Unfit:
    """A claim that cannot be judged: its hypotheses contradict each other, or no point is known that satisfies them."""

    key: str
    contradictory: bool
    message: str


def prepared(check: Check, seed: int = 0) -> Check | Unfit:
    """The check with an example point: the user's own, or one that the search finds."""
    claim = check.claim
    example = dict(claim.example)
    if (example or not claim.kinds) and all(name in example for name in claim.variables):
        try:
            satisfies_hypotheses(claim, example)
        except KernelError as error:
            return Unfit(claim.id, True, f"{error}; the example is {_shown(example)}: give one that satisfies them all")
        return check
    point = find_example(claim, seed)
    if point is not None:
        return replace(check, claim=replace(claim, example=Point.of(point).values))
    if _contradictory(claim):
        message = f"contradictory hypotheses: {', '.join(claim.given)} cannot hold together (proved); drop or mend one"
        return Unfit(claim.id, True, f"{claim.id}: {message}")
    loose = _loose_index(claim)
    if loose is not None:
        return Unfit(claim.id, False, f"{claim.id}: {loose}")
    lacking = (
        f"no point was found that satisfies {', '.join(claim.given)}; they may be contradictory"
        if claim.given
        else "no point was found at which it has a value; look at its divisors, roots, indices and ranges"
    )
    return Unfit(claim.id, False, f"{claim.id}: {lacking}: give one with example={{...}}")


def _loose_index(claim: Claim) -> str | None:
    """An index that is no natural number and that nothing binds: most often a forall or a kind was meant."""
    for source, relation in zip(claim.given, claim.hypotheses, strict=True):
        parts = [part for side in (relation.left, relation.right) for part in walk(side)]
        bound = {name for name, _, _ in relation.binders}
        bound |= {str(part.args[0].value) for part in parts if part.op in BINDERS}
        for part in parts:
            at = part.args[-1] if part.op == "index" and part.args[0].op == "sym" else None
            if at is not None and at.op == "sym" and str(at.value) not in claim.counters | bound | symbols(SPACE):
                name, i = part.args[0].value, at.value
                return (
                    f"{source}: nothing says what {i} is; write forall({i}, 1, n, {source}), or naturals=['{i}']"
                    f" for one {i}, or kinds={{'{name}': 'real[S]'}} if {name} is random"
                )
    return None


def completed(one: Statement, seed: int = 0) -> Statement:
    """The statement with an example point for every claim; where none is found, as it stands."""
    ready = [prepared(check, seed) for check in one.checks]
    checks = (check if isinstance(done, Unfit) else done for check, done in zip(one.checks, ready, strict=True))
    return replace(one, checks=tuple(checks))


def with_examples(path: Path, seed: int = 0) -> dict[str, Statement]:
    """The lemmas of a file, each a statement of its own with an example point; where none is known, as it stands."""
    found = {}
    for key, check in load_file(path).items():
        ready = prepared(check, seed)
        found[key] = Statement(key, (check if isinstance(ready, Unfit) else ready,))
    return found


def _shown(point: Mapping[str, Any]) -> str:
    return ", ".join(f"{name} = {value}" for name, value in point.items())


def find_example(claim: Claim, seed: int = 0) -> dict[str, Any] | None:
    """A point that satisfies every hypothesis: a witness against a claim in the same names that holds nowhere."""
    from theory.search import QUICK, sampling, search

    if sampling.is_for(claim):
        import numpy as np

        rng = np.random.default_rng(seed)
        drawn = (sampling.draw(claim, rng) for _ in range(400))
        point = next((point for point in drawn if point is not None), None)
        if point is not None or claim.kinds:
            return point
    for nowhere in ("== 1", "!= {left} - ({left})"):
        says = tuple(f"{g.left} - ({g.left}) {nowhere.format(left=g.left)}" for g in claim.goals)
        says += tuple(f"{g.right} - ({g.right}) {nowhere.format(left=g.right)}" for g in claim.goals)
        try:
            found = search(replace(claim, says=says, where=(), given=_expanded(claim)), seed=seed, effort=QUICK)
            if found.witness is not None:
                satisfies_hypotheses(claim, found.witness)
                return found.witness
        except KernelError:
            continue
    return None


def _expanded(claim: Claim) -> tuple[str, ...]:
    return tuple(map(str, claim.hypotheses))


def _contradictory(claim: Claim) -> bool:
    """From the hypotheses something absurd is proved, and the kernel has accepted the proof."""
    from theory.provers.driver import prove

    named = [name for name in claim.variables if name not in claim.naturals]
    absurd = [f"{name} + 1 <= {name}" for name in named] or ["1 <= 0"]
    for says in absurd:
        with suppress(KernelError):
            if prove(replace(claim, says=(says,), example=()), {}) is not None:
                return True
    return False
