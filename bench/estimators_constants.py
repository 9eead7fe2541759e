"""SADA that estimates mu, R^2, kappa~ and alpha while the stream runs, beside SADA that knows them and the end.

    python -m bench.estimators_constants [--seeds 10] [--rows 30000]

Excess risk times n/d, mean over seeds with the largest. `minimiser` is the empirical minimiser of the same rows.
`knows` is the practical preset with the true constants and n, from zero. `estimates` gets rows one page after the
other, in the same raw coordinates, without any constant and without the end; `default` also whitens. The constants of
the growing stream are those of the mixture of all its scales.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from bench.common import put_table
from numerics.designs import Gaussian, ScaleMixture, StudentT
from numerics.estimators.learner import Learner, Settings, first_rows
from numerics.estimators.start import solved
from numerics.losses import Logistic, Loss, Squared
from numerics.optimizers import METHODS, ProblemInfo, estimate, preset, step

DIM, FRESH = 10, 100_000
Sampler = Callable[[int, np.random.Generator], Any]


@dataclass(frozen=True)
class Case:
    """A design, how its rows are drawn in order, and a loss."""

    name: str
    design: Any
    rows: Sampler
    loss: Loss


def cases() -> list[Case]:
    good = Gaussian(np.diag(np.geomspace(0.1, 1, DIM)))
    bad = Gaussian(np.diag(np.geomspace(1e-4, 1, DIM)))
    tails = StudentT(np.eye(DIM), 4.5)
    scales = np.geomspace(1, 30, 200)
    mixture = ScaleMixture(np.eye(DIM), scales, np.full(200, 1 / 200))
    unit = np.sqrt(np.mean(scales**2))

    def growing(n: int, rng: np.random.Generator) -> Any:
        return rng.standard_normal((n, DIM)) * np.geomspace(1, 30, n)[:, None] / unit

    plain = [Case("κ = 10", good, good.sample, Squared()), Case("κ = 10⁴", bad, bad.sample, Squared())]
    return [
        *plain,
        Case("Student t, ν = 4.5", tails, tails.sample, Squared()),
        Case("scale grows 30-fold", mixture, growing, Squared()),
        Case("logistic, κ = 10", good, good.sample, Logistic(1e-3)),
    ]


def labels(case: Case, z: Any, rng: np.random.Generator) -> Any:
    if isinstance(case.loss, Squared):
        return z + rng.standard_normal(len(z))
    return np.where(rng.random(len(z)) < 1 / (1 + np.exp(-z)), 1.0, -1.0)


def knows(case: Case, a: Any, b: Any) -> Any:
    info = ProblemInfo.of_design(case.design, case.loss)
    params: Any = preset("sada", "practical", info, len(b))
    rows = slice(0, params.horizon)
    return estimate(step(METHODS["sada"].init(info, None, params), a[rows], b[rows]))


def estimates(case: Case, a: Any, b: Any, *, default: bool) -> tuple[Any, int]:
    frame: Any = "full" if default else None
    plan = Settings(case.loss, DIM, intercept=False, precondition=frame, first=first_rows(DIM))
    learner = Learner.begin(plan).fed(a, b[:, None], np.ones(len(b)))
    return learner.coefficients[0, :-1], learner.restarts


def excess(case: Case, x: Any, truth: Any, fresh: tuple[Any, Any]) -> float:
    """F(x) - F*: exact for least squares, on fresh rows and against their minimiser otherwise."""
    gap = x - truth
    if isinstance(case.loss, Squared):
        return float(gap @ case.design.sigma @ gap) / 2
    a, b = fresh
    best = solved(a, b, np.ones(len(b)), case.loss, 1e-9, False)
    value = [float(np.mean(case.loss.value(a @ one, b))) for one in (x, best)]
    return value[0] - value[1]


def measured(case: Case, n: int, seed: int) -> list[float]:
    rng = np.random.default_rng(seed)
    truth = rng.standard_normal(DIM) / np.sqrt(np.diag(case.design.sigma) * DIM)
    a = case.rows(n, rng)
    b = labels(case, a @ truth, rng)
    fresh_a = case.design.sample(FRESH if not isinstance(case.loss, Squared) else 1, rng)
    fresh = fresh_a, labels(case, fresh_a @ truth, rng)
    plain, restarts = estimates(case, a, b, default=False)
    whitened, _ = estimates(case, a, b, default=True)
    least = solved(a, b, np.ones(n), case.loss, 1e-9, False)
    found = [excess(case, x, truth, fresh) * n / DIM for x in (least, knows(case, a, b), plain, whitened)]
    return [*found, restarts]


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--rows", type=int, default=30_000)
    parser.add_argument("--write", action="store_true", help="put the table into README.md")
    chosen = parser.parse_args(arguments)
    rows = ["| stream | minimiser | knows | estimates | default | restarts |", "|---|---|---|---|---|---|"]
    print("\n".join(rows), flush=True)
    for case in cases():
        table = np.array([measured(case, chosen.rows, seed) for seed in range(chosen.seeds)])
        means, largest = table[:, :4].mean(axis=0), table[:, :4].max(axis=0)
        cells = [f"{mean:.2g} (at most {top:.2g})" for mean, top in zip(means, largest, strict=True)]
        rows.append(f"| {case.name} | {' | '.join(cells)} | {table[:, 4].mean():.1f} |")
        print(rows[-1], flush=True)
    if chosen.write:
        put_table("python -m bench.estimators_constants", rows)
    return 0


if __name__ == "__main__":
    sys.exit(main())
