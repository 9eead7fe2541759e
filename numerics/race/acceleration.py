r"""Does momentum accelerate? The samples that each method takes without label noise, against the condition number.

Noiseless least squares, so that only the optimization term is left. For every kappa(Sigma) the number of samples grows
by a factor sqrt(2) until the mean excess risk over the seeds has fallen to `fraction` of its start. The slope of
log(samples) against log(kappa), kappa = R^2/mu as the paper defines it, is the measured exponent: the theorem says
kappa^(1/2) for SADA (kappa~ does not change along the way), and kappa for methods without momentum.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from numerics.designs.checks import Array
from numerics.optimizers import ProblemInfo, SadaParams, preset
from numerics.problems import DiscreteNoise, LinearLabels, Problem
from numerics.threads import one_thread

from .exact import expected_excess
from .lanes import Entrant, run_stream
from .problems import ProblemSpec
from .statistics import Interval, crossing, jackknife

FIRST, GROWTH, LONGEST = 16, 2**0.5, 2**26
KAPPAS = (1e1, 1e2, 1e3, 1e4, 1e5)


@dataclass(frozen=True, eq=False)
class Needed:
    """The samples that one method takes at every kappa; None where `LONGEST` was not enough or the method failed."""

    entrant: str
    samples: tuple[Interval | None, ...]
    exponent: Interval | None


@dataclass(frozen=True, eq=False)
class Acceleration:
    """`conditions` are the paper's kappa = R^2/mu; `exact` is SADA by the exact engine, in expectation."""

    kappas: tuple[float, ...]
    conditions: tuple[float, ...]
    fraction: float
    seeds: tuple[int, ...]
    needed: tuple[Needed, ...]
    exact: tuple[float | None, ...]
    exact_exponent: float | None


def noiseless(kappa: float, dim: int) -> Problem:
    """The least-squares problem of the race without label noise."""
    noisy = ProblemSpec.of("least-squares", {"kappa": kappa, "dim": dim}).build()
    w = noisy.labels.centre
    assert w is not None
    return replace(noisy, labels=LinearLabels(w, DiscreteNoise()))


def measure(
    entrants: Sequence[Entrant],
    *,
    kappas: Sequence[float] = KAPPAS,
    seeds: Sequence[int] = tuple(range(8)),
    dim: int = 4,
    fraction: float = 1e-2,
    jobs: int = 1,
    progress: Callable[[float], None] | None = None,
) -> Acceleration:
    """Every method at every kappa; the curves of all methods come from the same streams."""
    problems = [noiseless(kappa, dim) for kappa in kappas]
    conditions = np.array([problem.design.kappa for problem in problems])
    curves: list[dict[str, tuple[Array, Array]]] = []
    for k, problem in enumerate(problems):
        curves.append(_curves(problem, kappas[k], entrants, seeds, dim, fraction, jobs))
        if progress:
            progress((k + 1) / len(problems))
    starts = [0.5 * float(p.x_star @ p.design.sigma @ p.x_star) for p in problems]
    needed = []
    for e in entrants:
        mine = [(*curve[e.label], fraction * start) for curve, start in zip(curves, starts, strict=True)]
        needed.append(Needed(e.label, tuple(_needed(*one) for one in mine), _exponent(conditions, mine)))
    exact = tuple(_exactly(problem, fraction * start) for problem, start in zip(problems, starts, strict=True))
    known = [value for value in exact if value is not None]
    slope = float(np.polyfit(np.log(conditions), np.log(known), 1)[0]) if len(known) == len(exact) > 1 else None
    return Acceleration(tuple(kappas), tuple(conditions.tolist()), fraction, tuple(seeds), tuple(needed), exact, slope)


def _curves(
    problem: Problem,
    kappa: float,
    entrants: Sequence[Entrant],
    seeds: Sequence[int],
    dim: int,
    fraction: float,
    jobs: int,
) -> dict[str, tuple[Array, Array]]:
    """Sizes and excess risks (sizes, seeds), longer and longer until every method is there."""
    target = fraction * 0.5 * float(problem.x_star @ problem.design.sigma @ problem.x_star)
    sizes: list[int] = []
    risks: dict[str, list[NDArray[np.float64]]] = {e.label: [] for e in entrants}
    waiting, n = list(entrants), float(FIRST)
    while waiting and n <= LONGEST:
        sizes.append(round(n))
        found = _at_size(kappa, waiting, sizes[-1], seeds, dim, jobs)
        for e in waiting:
            risks[e.label].append(found[e.label])
        # two sizes in a row below the target: one dip of a mean is not yet an arrival
        waiting = [e for e in waiting if not _arrived(risks[e.label], target)]
        n *= GROWTH
    return {label: (np.array(sizes[: len(rows)], dtype=float), np.array(rows)) for label, rows in risks.items()}


def _arrived(rows: list[NDArray[np.float64]], target: float) -> bool:
    return len(rows) > 1 and all(bool(np.mean(row) <= target) for row in rows[-2:])


def _at_size(
    kappa: float, entrants: Sequence[Entrant], n: int, seeds: Sequence[int], dim: int, jobs: int
) -> dict[str, NDArray[np.float64]]:
    if jobs == 1 or n * len(seeds) < 200_000:  # processes cost more than they give
        rows = [_one(kappa, tuple(entrants), n, seed, dim) for seed in seeds]
    else:
        import joblib

        with joblib.parallel_config("loky", inner_max_num_threads=1):
            tasks = (joblib.delayed(_one)(kappa, tuple(entrants), n, seed, dim) for seed in seeds)
            rows = joblib.Parallel(n_jobs=jobs)(tasks)
    table = np.array(rows)
    return {e.label: table[:, k] for k, e in enumerate(entrants)}


def _one(kappa: float, entrants: tuple[Entrant, ...], n: int, seed: int, dim: int) -> list[float]:
    with one_thread():
        outcomes = run_stream(noiseless(kappa, dim), entrants, (n,), seed)
    return [float("nan") if o.excess is None else o.excess for o in outcomes]


def _needed(sizes: Array, risks: Array, target: float) -> Interval | None:
    keep = np.flatnonzero(np.all(np.isfinite(risks), axis=1))
    return jackknife(risks[keep], lambda mean: crossing(sizes[keep], mean, target)) if len(keep) > 1 else None


def _exponent(conditions: Array, curves: Sequence[tuple[Array, Array, float]]) -> Interval | None:
    """The jackknife leaves out one seed at all kappas at once; the scatter about the line is in the interval too."""
    if len(curves) < 2:
        return None

    def slope(keep: list[int]) -> tuple[float, float] | None:
        counts = [crossing(sizes, risks[:, keep].mean(axis=1), target) for sizes, risks, target in curves]
        if any(c is None for c in counts):
            return None
        x, y = np.log(conditions), np.log([c for c in counts if c is not None])
        line = np.polyfit(x, y, 1)
        scatter = float(np.sum((y - np.polyval(line, x)) ** 2)) / max(1, len(x) - 2) if len(x) > 2 else 0.0
        return float(line[0]), scatter / float(np.sum((x - x.mean()) ** 2))

    m = curves[0][1].shape[1]
    whole, parts = slope(list(range(m))), [slope([j for j in range(m) if j != k]) for k in range(m) if m > 1]
    if whole is None:
        return None
    slopes = np.array([p[0] for p in parts if p is not None])
    if len(slopes) < max(m, 2):
        return Interval(whole[0], None, None)
    from scipy import stats

    error = np.sqrt((m - 1) / m * np.sum((slopes - slopes.mean()) ** 2) + whole[1])
    wide = float(stats.t.ppf(0.975, max(1, min(m - 1, len(curves) - 2)))) * float(error)
    return Interval(whole[0], whole[0] - wide, whole[0] + wide)


def _exactly(problem: Problem, target: float) -> float | None:
    """SADA's samples by the exact engine: the same crossing, in expectation."""
    info, sizes, values = ProblemInfo.of(problem), [], []
    n = float(FIRST)
    while n <= LONGEST:
        params = preset("sada", "practical", info, round(n))
        assert isinstance(params, SadaParams)
        value = expected_excess(problem, params)
        if value is None:
            return None
        sizes.append(float(round(n)))
        values.append(value)
        if len(values) > 1 and values[-1] <= target and values[-2] <= target:
            return crossing(np.array(sizes), np.array(values), target)
        n *= GROWTH
    return None
