"""The fate of every mutant: killed by an exact witness, equivalent (the kernel proves it too), weaker, or survived."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from enum import Enum
from itertools import islice
from typing import Any

import numpy as np

from theory.claims.statement import Check
from theory.kernel import Claim, KernelError, Rejected, check_witness
from theory.kernel.errors import Malformed
from theory.kernel.lang import Relation, walk
from theory.kernel.points import holds, satisfies_hypotheses
from theory.mutants.mutations import KINDS, Mutant, mutants
from theory.provers import driver
from theory.provers.effort import Fuel
from theory.provers.tactics import auto, cite
from theory.search import NORMAL, QUICK, Effort, sampling, search
from theory.search.choices import plans
from theory.search.exact import exact_points
from theory.search.floats import Array
from theory.search.kinds import kinds_of
from theory.search.plan import Plan
from theory.search.simple import total
from theory.search.survey import survey

SECONDS = 15.0  # of processor time, for each attempt
DEAR = 200_000.0


class Fate(Enum):
    """What became of a mutant; the value is the word in tables."""

    KILLED = "killed"
    EQUIVALENT = "equivalent"
    WEAKER = "weaker"
    SURVIVED = "survived"


@dataclass(frozen=True)
class Outcome:
    """A mutant and its fate. `says` is the mutated goal or the hypotheses that are left, `by` the evidence in words."""

    origin: str
    kind: str
    family: str
    words: str
    says: str
    fate: str
    by: str

    def to_json(self) -> dict[str, str]:
        return asdict(self)


def eligible(check: Check) -> bool:
    """Readings and steps that the kernel proves; what only a simulation supports has no formula to mutate."""
    from theory.kernel import Verdict

    decided = check.expect in (Verdict.PROVED, Verdict.CERTIFIED, Verdict.SUPPORTED)
    return decided and check.experiment is None and not check.source


def family(claim: Claim) -> str:
    """identity, scalar (an inequality without sums, means, iterations and matrices of any size) or other."""
    if all(goal.op == "==" for goal in claim.goals):
        return "identity"
    parts = (p for r in (*claim.goals, *claim.hypotheses) for side in (r.left, r.right) for p in walk(side))
    bound = claim.kinds or any(part.op in ("sum", "mean", "iterate") for part in parts)
    return "other" if bound or any(r.binder for r in claim.hypotheses) else "scalar"


def brood(checks: Iterable[Check], most: int = 4) -> Iterator[Mutant]:
    for check in checks:
        if eligible(check):
            yield from mutants(check.claim, most)


def sample(made: list[Mutant], count: int, seed: int = 0) -> list[Mutant]:
    """So many of them, as evenly over the kinds as there are."""
    rng = np.random.default_rng(seed)
    groups = {kind: [one for one in made if one.kind == kind] for kind in KINDS}
    queues = [[group[i] for i in rng.permutation(len(group))] for group in groups.values() if group]
    chosen: list[Mutant] = []
    while queues and len(chosen) < count:
        queues = [queue for queue in queues if queue]
        for queue in queues[: count - len(chosen)]:
            chosen.append(queue.pop())
    return chosen


def decide(mutant: Mutant, check: Check, library: Mapping[str, Claim], seed: int = 0) -> Outcome:
    """Search, prove, search harder, prove harder. The kernel confirms either way."""
    claim = mutant.claim
    why: dict[str, str] = {}  # what the last search and the last proof came to
    fate, by = Fate.SURVIVED, ""
    drawn = sampling.is_for(claim)
    looks = (
        [_draws(60, seed, why), _draws(600, seed, why)] if drawn else [_search(e, seed, why) for e in (QUICK, NORMAL)]
    )
    soft = (looks[0], _proof(check, _glance, why))
    hard = (looks[1], _proof(check, driver.normal, why))
    for attempt in (_read, *soft, *hard):
        found = _within(SECONDS, attempt, claim, library)
        if found is not None:
            fate, by = found
            break
    else:
        points = 0 if drawn else _never_stronger(check.claim, claim, seed)
        if points:
            fate = Fate.WEAKER
            by = f"it asks no more than the proved original at any of {points} points of the region"
    if fate is Fate.SURVIVED:
        by = "; ".join(why.values()) or f"every attempt took more than {SECONDS:g} s"
    says = "; ".join(claim.says if mutant.kind != "hypothesis" else claim.given)
    return Outcome(mutant.origin, mutant.kind, family(check.claim), mutant.words, says, fate.value, by)


Found = tuple[Fate, str] | None
Attempt = Callable[[Claim, Mapping[str, Claim]], Found]


class _TooLong(Exception):
    """An attempt has used up its processor time."""


def _within(seconds: float, attempt: Attempt, claim: Claim, library: Mapping[str, Claim]) -> Found:
    """The attempt, ended after so much processor time: what is not decided by then counts as not decided."""

    def stop(signum: int, frame: object) -> None:
        raise _TooLong

    before = signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        return attempt(claim, library)
    except _TooLong:
        return None
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


def _read(claim: Claim, library: Mapping[str, Claim]) -> Found:
    """Whether the mutant means anything: shapes must fit at the example."""
    try:
        if claim.example:
            check_witness(claim, dict(claim.example))
            return Fate.KILLED, f"fails at {dict(claim.example)}"
    except Malformed as error:
        return Fate.KILLED, f"refused: {error}"
    except KernelError:
        pass
    return None


def _search(effort: Effort, seed: int, why: dict[str, str]) -> Attempt:
    def attempt(claim: Claim, library: Mapping[str, Claim]) -> Found:
        try:
            found = search(claim, seed=seed, effort=effort)
            if found.witness is not None:
                check_witness(claim, found.witness)
                return Fate.KILLED, f"fails at {found.witness}"
        except KernelError as error:
            return Fate.KILLED, f"refused: {error}"
        why["search"] = f"no witness at {found.trials} points, the worst ratio is {found.worst_ratio[:8]}"
        return None

    return attempt


def _draws(trials: int, seed: int, why: dict[str, str]) -> Attempt:
    """Vectors, matrices and samples are drawn; then every size is 1, where the search among numbers climbs."""

    def attempt(claim: Claim, library: Mapping[str, Claim]) -> Found:
        try:
            found = sampling.explore(claim, np.random.default_rng(seed), trials)
            witness = found.witness or sampling.in_one_dimension(claim, seed)
        except KernelError as error:
            return Fate.KILLED, f"refused: {error}"
        why["search"] = f"no witness at {found.trials} points"
        return None if witness is None else (Fate.KILLED, f"fails at {witness}")

    return attempt


def _glance() -> driver.Effort:
    return driver.Effort(splits=0, degree=2, heavy=False, fuel=Fuel(12))


def _proof(check: Check, effort: Callable[[], driver.Effort], why: dict[str, str]) -> Attempt:
    """As the original was proved, from the original, or from nothing."""

    def attempt(claim: Claim, library: Mapping[str, Claim]) -> Found:
        names = {name: name for name in check.claim.variables if name in claim.variables}
        for plan in (check.proof, [cite(check.key, names, then=auto())] * len(claim.goals), None):
            try:
                driver.certify(claim, library, effort(), plan)
            except (KernelError, ValueError, KeyError, TypeError, RecursionError) as error:
                why["proof"] = f"no proof: {' '.join(str(error).split())[:110]}"
                continue
            return Fate.EQUIVALENT, "the kernel proves it"
        return None

    return attempt


def _never_stronger(original: Claim, mutant: Claim, seed: int) -> int:
    """At how many points the mutant asked no more than the original; zero when it ever asked more.

    Such a mutant is no slip that a referee should catch: an inequality with no less slack, an equation that holds
    exactly. This decides only what is counted, never a verdict.
    """
    if original.given != mutant.given:
        return 0
    looks = 0
    for old, new in zip(original.says, mutant.says, strict=True):
        if old != new:
            count = _compared(replace(original, says=(old, new)), seed)
            if count == 0:
                return 0
            looks += count
    return looks


def _compared(pair: Claim, seed: int) -> int:
    rng = np.random.default_rng(seed)
    looks = 0
    for plan in islice(plans(pair, kinds_of(pair), {}, rng, QUICK), 6):
        rows = survey(plan, rng, 400, [dict(pair.example)]).rows
        if not len(rows):
            continue
        if pair.goals[1].op == "==":
            held = _holds_exactly(pair, plan, rows[:: max(1, len(rows) // 8)])
            if held is None:
                return 0
            looks += held
            continue
        old, new = (_slack(*side) for side in plan.sides(plan.complete(rows), len(rows))[:2])
        both = np.isfinite(old) & np.isfinite(new)
        size = np.abs(old[both]) + np.abs(new[both])
        if np.any(new[both] < old[both] - 1e-9 * size):
            return 0
        looks += int(both.sum())
    return looks


def _holds_exactly(pair: Claim, plan: Plan, rows: Array) -> int | None:
    """At how many exact points the second equation holds; None when it fails at one."""
    held = 0
    for row in rows:
        free = dict(zip(plan.names, map(float, row), strict=True))
        for _, point in islice(exact_points(plan, free), 1):
            if plan.price.at(total(point)) > DEAR:
                continue
            try:
                if not holds(pair.goals[1], satisfies_hypotheses(pair, point)):
                    return None
            except KernelError:
                continue
            held += 1
    return held


def _slack(goal: Relation, left: Array, right: Array, size: Array) -> Array:
    if goal.op not in ("<=", "<", ">=", ">"):
        return np.full_like(left, np.nan)
    return right - left if goal.op in ("<=", "<") else left - right


Elsewhere = Callable[[str], tuple[Check, Mapping[str, Claim]]]


def _decide_here(elsewhere: Elsewhere, mutant: Mutant, seed: int) -> Outcome:
    """In a worker process: plans are functions, so that the check is looked up there."""
    return decide(mutant, *elsewhere(mutant.origin), seed)


def run(
    checks: Iterable[Check], elsewhere: Elsewhere, *, count: int | None, most: int = 4, seed: int = 0, jobs: int = 2
) -> Iterator[Outcome]:
    """The fates of all mutants, or of a sample; in the order in which they are decided.

    elsewhere   finds a check and what it may cite by its key, in another process
    """
    return decided(chosen(checks, count, most, seed), elsewhere, seed=seed, jobs=jobs)


def chosen(checks: Iterable[Check], count: int | None, most: int = 4, seed: int = 0) -> list[Mutant]:
    """All mutants, or a sample of so many."""
    made = list(brood(checks, most))
    found = made if count is None else sample(made, count, seed)
    if not found:
        raise Rejected("no mutant to try: none of the chosen checks is proved")
    return found


def decided(made: Iterable[Mutant], elsewhere: Elsewhere, *, seed: int = 0, jobs: int = 2) -> Iterator[Outcome]:
    """Their fates, as they are decided."""
    from joblib import Parallel, delayed

    tasks = (delayed(_decide_here)(elsewhere, one, seed) for one in made)
    yield from Parallel(n_jobs=jobs, return_as="generator_unordered", batch_size=1)(tasks)


def rates(outcomes: Iterable[Outcome]) -> list[dict[str, Any]]:
    """By kind, then by family: made, killed, equivalent, survived and the kill rate of those not equivalent."""
    every = list(outcomes)
    rows = [_row(words, [o for o in every if o.kind == kind]) for kind, words in KINDS.items()]
    plain = [o for o in every if o.family in ("identity", "scalar")]
    rows += [_row("identities and scalar inequalities", plain, 0.95)]
    rows += [_row("with sums, means or iterations", [o for o in every if o.family == "other"])]
    return [*(row for row in rows if row["made"]), _row("all", every, 0.85)]


def _row(words: str, group: list[Outcome], goal: float | None = None) -> dict[str, Any]:
    count = {fate.value: sum(o.fate == fate.value for o in group) for fate in Fate}
    alive = count["killed"] + count["survived"]
    rate = count["killed"] / alive if alive else None
    return {"what": words, "made": len(group), **count, "rate": rate, "goal": goal}
