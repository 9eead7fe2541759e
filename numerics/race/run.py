"""A race: entrants x sizes x seeds on one problem, in processes where wanted, with the same result for any number."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from numerics.designs.checks import Array
from numerics.errors import ParameterError
from numerics.threads import one_thread

from .lanes import Entrant, Outcome, risk_of, run_stream
from .problems import ProblemSpec

Progress = Callable[[float], None]


@dataclass(frozen=True)
class RacePlan:
    """Everything that decides a race."""

    problem: ProblemSpec
    entrants: tuple[Entrant, ...]
    sizes: tuple[int, ...]
    seeds: tuple[int, ...]

    def __post_init__(self) -> None:
        for name in ("entrants", "sizes", "seeds"):
            values = getattr(self, name)
            if not values or len(set(values)) != len(values):
                raise ParameterError(f"race: {name} = {list(values)} must be non-empty and without repetition")
        if min(self.sizes) < 2:
            raise ParameterError(f"race: sizes begin at {min(self.sizes)}; a method needs at least 2 samples")
        if min(self.seeds) < 0:
            raise ParameterError(f"race: seed {min(self.seeds)} is negative; give integers >= 0")


@dataclass(frozen=True, eq=False)
class RaceResult:
    """`excess[e, i, s]` of entrant e, size i, seed s; NaN where `errors` says why."""

    plan: RacePlan
    excess: NDArray[np.float64]
    used: NDArray[np.int64]
    errors: tuple[Outcome, ...]
    start: float  # F(x_0) - F(x*)

    def curve(self, label: str) -> Array:
        """Excess risks (sizes, seeds) of one entrant."""
        return np.asarray(self.excess[[e.label for e in self.plan.entrants].index(label)])


def geometric_sizes(largest: int, smallest: int = 100, per_decade: int = 2) -> tuple[int, ...]:
    """About `per_decade` sizes a decade, ending with the largest."""
    if largest < 2:
        raise ParameterError(f"samples = {largest}: a race needs at least 2")
    count = round(per_decade * np.log10(largest / min(smallest, largest))) + 1
    return tuple(sorted({max(2, round(n)) for n in np.geomspace(min(smallest, largest), largest, count)}))


def race(plan: RacePlan, *, jobs: int = 1, progress: Progress | None = None) -> RaceResult:
    """Run it; `progress` is called with the fraction done. When somebody interrupts, the finished streams are told."""
    problem = plan.problem.build()
    gathered: dict[int, list[Outcome]] = {}
    try:
        for outcomes in _streams(plan, jobs, progress):
            gathered[outcomes[0].seed] = outcomes
            if progress:
                progress(len(gathered) / len(plan.seeds))
    except KeyboardInterrupt:
        if not gathered:
            raise
        plan = replace(plan, seeds=tuple(seed for seed in plan.seeds if seed in gathered))
    flat = [o for seed in plan.seeds for o in gathered[seed]]
    order = [len(plan.seeds), len(plan.entrants), len(plan.sizes)]
    excess = np.array([np.nan if o.excess is None else o.excess for o in flat]).reshape(order).transpose(1, 2, 0)
    used = np.array([o.used for o in flat], dtype=np.int64).reshape(order).transpose(1, 2, 0)
    start = risk_of(problem)(np.zeros(problem.dim))
    return RaceResult(plan, excess, used, tuple(o for o in flat if o.error is not None), start)


def one_stream(plan: RacePlan, seed: int, progress: Callable[[int], None] | None = None) -> list[Outcome]:
    """All entrants on the stream of one seed, with one thread, so that sums are added in one order."""
    with one_thread():
        return run_stream(plan.problem.build(), plan.entrants, plan.sizes, seed, progress=progress)


def _streams(plan: RacePlan, jobs: int, progress: Progress | None) -> Iterator[list[Outcome]]:
    if jobs == 1 or len(plan.seeds) == 1:
        for k, seed in enumerate(plan.seeds):
            yield one_stream(plan, seed, _fraction(plan, k, progress))
        return
    import joblib

    with joblib.parallel_config("loky", inner_max_num_threads=1):
        run = joblib.Parallel(n_jobs=min(jobs, len(plan.seeds)), return_as="generator_unordered")
        yield from run(joblib.delayed(one_stream)(plan, seed) for seed in plan.seeds)


def _fraction(plan: RacePlan, done: int, progress: Progress | None) -> Callable[[int], None] | None:
    if progress is None:
        return None
    return lambda seen: progress((done + min(1.0, seen / max(plan.sizes))) / len(plan.seeds))
