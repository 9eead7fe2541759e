"""SADA and its rivals against scikit-learn, river and X @ w: the same data, float64, interleaved, as ratios of one run.

    python -m bench.optimizers [--rounds 9] [--json FILE] [--quick]

CPU time of this process, so that other programs on the machine count less; BLAS is held to one thread, because the
kernels use one. Ours is `step` on one block, checks included; scikit-learn's is `fit` of averaged SGD, one epoch, no
shuffle, no intercept, no penalty. The rows do not fit into the caches, as those of a stream never do. river is measured
only where it is installed (it is not a dependency). ERM is no streaming method and not in the table. The sweep of 1,000
cells (`bench.sweep`) comes last, not with --quick. Exit 1 when a ratio is beyond its floor.
"""

from __future__ import annotations

import os

if __name__ == "__main__":  # before numpy is imported
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import argparse
import json
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from bench import sweep
from numerics.designs.checks import Array
from numerics.losses import Logistic, Loss, Squared
from numerics.optimizers import METHODS, ProblemInfo, preset

SIZES = ((10, 400_000), (100, 100_000), (1000, 20_000))
RIVALS = ("sgd", "sgd-decay", "asgd", "streaming-svrg", "root-sgd")
RIVER_ROWS = 300
MATVEC_GOAL = {100: 1.5, 1000: 2.2}

Task = Callable[[], object]


@dataclass(frozen=True)
class Row:
    """One comparison; `ratio` is at least `goal` (speed-up) or at most `goal` (cost), or it is information only."""

    work: str
    dim: int
    loss: str
    ours_ns: float
    theirs_ns: float
    ratio: float
    spread: float
    goal: float | None
    floor: float | None
    at_least: bool

    def meets(self, bound: float | None) -> bool:
        return bound is None or (self.ratio >= bound if self.at_least else self.ratio <= bound)

    @property
    def verdict(self) -> str:
        if self.goal is None:
            return "information"
        return "ok" if self.meets(self.goal) else "above the floor" if self.meets(self.floor) else "MISSED"


def interleaved(tasks: dict[str, tuple[Task, int]], rounds: int) -> dict[str, list[float]]:
    """Nanoseconds a sample of every task in every round; the tasks take turns, so that noise hits all of them."""
    times: dict[str, list[float]] = {name: [] for name in tasks}
    for task, _ in tasks.values():
        task()
    for _ in range(rounds):
        for name, (task, samples) in tasks.items():
            start = time.process_time()
            task()
            times[name].append((time.process_time() - start) / samples * 1e9)
    return times


def compare(
    work: str,
    case: tuple[int, str],
    ours: Sequence[float],
    theirs: Sequence[float],
    *,
    at_least: bool,
    goal: float | None,
    floor: float | None,
) -> Row:
    """The median over rounds of the ratio within a round, with the half width of its middle half."""
    ratios = [t / o if at_least else o / t for o, t in zip(ours, theirs, strict=True)]
    low, middle, high = statistics.quantiles(ratios, n=4)
    dim, loss = case
    mine, other = statistics.median(ours), statistics.median(theirs)
    return Row(work, dim, loss, mine, other, middle, (high - low) / 2, goal, floor, at_least)


def data(d: int, n: int, loss: Loss) -> tuple[Array, Array, Array]:
    """Gaussian rows, a unit predictor, labels for the loss."""
    rng = np.random.default_rng(d)
    a, w = rng.standard_normal((n, d)), rng.standard_normal(d) / np.sqrt(d)
    noisy = a @ w + 0.1 * rng.standard_normal(n)
    return a, (np.where(noisy > 0, 1.0, -1.0) if isinstance(loss, Logistic) else noisy), w


def ours(name: str, info: ProblemInfo, a: Array, b: Array) -> tuple[Task, int]:
    method = METHODS[name]
    params = preset(name, "practical", info, len(b))
    n = method.horizon(params) or len(b)
    state, rows, labels = method.init(info, None, params), a[:n], b[:n]
    return lambda: method.step(state, rows, labels), n


def sklearn_sgd(loss: Loss, a: Array, b: Array) -> Task:
    from sklearn.linear_model import SGDClassifier, SGDRegressor

    settings: dict[str, Any] = {"average": True, "shuffle": False, "max_iter": 1, "tol": None, "penalty": None}
    settings |= {"fit_intercept": False, "learning_rate": "constant", "eta0": 0.1 / a.shape[1]}
    if isinstance(loss, Logistic):
        return lambda: SGDClassifier(loss="log_loss", **settings).fit(a, b)
    return lambda: SGDRegressor(**settings).fit(a, b)


def river_learn_one(loss: Loss, a: Array, b: Array) -> Task:
    from river import linear_model, optim

    rows = [{j: float(x) for j, x in enumerate(row)} for row in a[:RIVER_ROWS]]
    logistic = isinstance(loss, Logistic)
    labels = [bool(y > 0) if logistic else float(y) for y in b[:RIVER_ROWS]]

    def task() -> None:
        kind = linear_model.LogisticRegression if logistic else linear_model.LinearRegression
        model = kind(optimizer=optim.SGD(0.1 / a.shape[1]), intercept_lr=0.0)
        for x, y in zip(rows, labels, strict=True):
            model.learn_one(x, y)

    return task


def measure(rounds: int) -> list[Row]:
    rows: list[Row] = []
    for d, n in SIZES:
        for loss in (Squared(), Logistic(0.1)):
            a, b, w = data(d, n, loss)
            info = ProblemInfo(d, loss, mu=1.0, lambda_max=1.0, r2=d + 2.0, kappa_tilde=d + 2.0)
            tasks = {name: ours(name, info, a, b) for name in ("sada", *RIVALS)}
            tasks |= {"sklearn": (sklearn_sgd(loss, a, b), n), "matvec": (lambda a=a, w=w: a @ w, n)}  # type: ignore[misc]
            if find_spec("river"):
                tasks["river"] = river_learn_one(loss, a, b), RIVER_ROWS
            rows += judge((d, loss.name), interleaved(tasks, rounds))
            print(f"measured d = {d}, {loss.name}", file=sys.stderr)
    return rows


def judge(case: tuple[int, str], times: dict[str, list[float]]) -> list[Row]:
    sada, sklearn, d = times["sada"], times["sklearn"], case[0]
    rows = [compare("sada / scikit-learn SGD", case, sada, sklearn, at_least=True, goal=4.0, floor=2.0)]
    goal = MATVEC_GOAL.get(d)
    rows.append(compare("sada : X @ w", case, sada, times["matvec"], at_least=False, goal=goal, floor=goal))
    if "river" in times:
        rows.append(
            compare("sada / river learn_one", case, sada, times["river"], at_least=True, goal=100.0, floor=100.0)
        )
    for name in RIVALS:
        work = f"{name} / scikit-learn SGD"
        rows.append(compare(work, case, times[name], sklearn, at_least=True, goal=1.0, floor=1.0))
    return rows


def table(rows: Sequence[Row]) -> str:
    head = f"{'work':<34}{'d':>6}  {'loss':<22}{'ours ns':>9}{'theirs ns':>11}{'ratio':>9}{'±':>7}  {'goal':<8}verdict"
    lines = [head]
    for r in rows:
        goal = "" if r.goal is None else f"{'>=' if r.at_least else '<='} {r.goal:g}"
        numbers = f"{r.ours_ns:>9.1f}{r.theirs_ns:>11.1f}{r.ratio:>9.2f}{r.spread:>7.2f}"
        lines.append(f"{r.work:<34}{r.dim:>6}  {r.loss:<22}{numbers}  {goal:<8}{r.verdict}")
    return "\n".join(lines)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--quick", action="store_true", help="three rounds")
    parser.add_argument("--json", type=Path)
    chosen = parser.parse_args(arguments)
    if not find_spec("sklearn"):
        print("scikit-learn is not installed: pip install 'lemmalab[sklearn]'", file=sys.stderr)
        return 2
    rows = measure(3 if chosen.quick else max(3, chosen.rounds))
    print(table(rows))
    if not find_spec("river"):
        print("river is not installed: its row was not measured (pip install river)")
    if chosen.json:
        chosen.json.write_text(json.dumps([asdict(row) | {"verdict": row.verdict} for row in rows], indent=1) + "\n")
    missed = 0 if all(row.meets(row.floor) for row in rows) else 1
    return missed if chosen.quick else max(missed, sweep.main([]))


if __name__ == "__main__":
    sys.exit(main())
