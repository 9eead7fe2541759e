"""The exact engine against its peers, with the accuracy beside.

    python -m bench.engine [--quick] [--only WORD ...]

Prints the table, merges it into bench/results.json (section "engine") and draws bench/growth.svg. One core; `--quick`
shortens the longest peers (smaller d for scipy, shorter T for the double-double check) and says so in the table.
Exit 1 when a figure is missed.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from functools import partial

import numpy as np
import scipy.linalg

from bench import common, engine_peers, engine_truth
from bench.common import Row
from bench.engine_growth import growth
from bench.engine_setting import setting
from numerics import directions
from numerics.covariance import (
    core_average,
    covariance,
    peel,
    stationary_core,
    variance_average,
)
from numerics.covariance.scalar import core_average_weights
from numerics.operators import Array, Blocks, StepSizes


def diagonal(quick: bool) -> list[Row]:
    """C_T for a diagonal R at d = 256."""
    design, steps, lam, noise = setting(256)
    r, horizon = np.diag(np.diagonal(noise)), 200_000
    big = np.random.default_rng(1).standard_normal((1024, 1024))
    times = common.interleaved(
        {
            "ours": lambda: covariance(design, steps, r, horizon, "loop"),
            "numpy": lambda: engine_peers.numpy_diagonal_loop(lam, steps, np.diagonal(r), horizon),
            "dgemm": lambda: big @ big,
        },
        rounds=3,
    )
    speed = common.ratio(times, "numpy", "ours")
    share = common.median(
        (31 * 256 * horizon / mine) / (2 * 1024**3 / theirs)
        for mine, theirs in zip(times["ours"], times["dgemm"], strict=True)
    )
    error = _diagonal_error(covariance(design, steps, r, horizon, "loop"), lam, steps, np.diagonal(r), horizon)
    work = "C_T, diagonal R, d=256, T=2e5"
    return [
        Row(
            work,
            "50x a numpy loop over 3d numbers",
            f"{speed:.0f}x",
            f"{error:.1e} (<= 1e-11)",
            speed >= 50 and error <= 1e-11,
        ),
        Row(work, "80% of the dgemm flop rate", f"{100 * share:.0f}%", "31 flops a direction and step", share >= 0.8),
    ]


def _diagonal_error(found: Blocks, lam: Array, steps: StepSizes, noise: Array, horizon: int) -> float:
    """The largest relative error of E y_i^2 and E x_i^2 against double-double."""
    p, u, w = engine_truth.diagonal_truth(lam, steps, np.ascontiguousarray(noise), horizon)
    x = p - steps.theta * (2 * u - steps.theta * w)
    return max(
        float(np.max(np.abs(np.diagonal(found.c22) / p - 1))), float(np.max(np.abs(np.diagonal(found.c11) / x - 1)))
    )


def full(quick: bool) -> list[Row]:
    """Full C_T for a general R at d = 1024, T = 1e6."""
    design, steps, lam, noise = setting(1024)
    horizon = 10**6
    step, start = engine_peers.dense_step(lam, steps, noise), np.eye(2048)
    times = common.interleaved(
        {"ours": lambda: covariance(design, steps, noise, horizon), "dense step": lambda: step(start)}, rounds=2
    )
    speed = horizon * common.ratio(times, "dense step", "ours")
    found = covariance(design, steps, noise, horizon)
    pairs = _pair_error(found, lam, steps, noise, horizon, 1.0, 60)
    check = 10**5 if quick else horizon
    other = found if check == horizon else covariance(design, steps, noise, check)
    error = max(pairs, _diagonal_error(other, lam, steps, np.diagonal(noise), check))
    label = f"{error:.1e} (<= 1e-10), diagonal at T={check:.0e}, 60 pairs"
    measured = f"{speed:.1e}x, {common.median(times['ours']):.1f} s"
    return [
        Row(
            "full C_T, general R, d=1024, T=1e6",
            "1e5x dense numpy (extrapolated)",
            measured,
            label,
            speed >= 1e5 and error <= 1e-10,
        )
    ]


def _pair_error(
    found: Blocks, lam: Array, steps: StepSizes, noise: Array, horizon: int | None, pair: float, count: int
) -> float:
    """The largest relative error over random pairs, every entry of the four against Arb."""
    rng, worst = np.random.default_rng(2), 0.0
    for _ in range(count):
        i, j = sorted(rng.choice(len(lam), 2, replace=False))
        truth = engine_truth.pair_truth(float(lam[i]), float(lam[j]), steps, float(noise[i, j]), horizon, pair)
        mine = np.array([found.c11[i, j], found.c12[i, j], found.c12[j, i], found.c22[i, j]])
        worst = max(worst, float(np.max(np.abs(mine / truth - 1))))
    return worst


def stationary(quick: bool) -> list[Row]:
    """Stationary layer 0 for a general R."""
    return [
        _stationary_row(256, 50, ""),
        _stationary_row(512 if quick else 1024, 500, "asked at d=1024" if quick else ""),
    ]


def _stationary_row(d: int, least: int, remark: str) -> Row:
    design, steps, lam, noise = setting(d)
    a, q = engine_peers.mean_matrix(lam, steps), engine_peers.noise_matrix(steps, noise)
    mine = common.median(common.seconds(lambda: stationary_core(design, steps, noise)) for _ in range(5))
    solved: list[Array] = []
    theirs = common.seconds(lambda: solved.append(scipy.linalg.solve_discrete_lyapunov(a, q)))
    errors = [
        _pair_error(found, lam, steps, noise, None, 0.0, 40)
        for found in (stationary_core(design, steps, noise), Blocks.from_full(solved[0]))
    ]
    asked = f"{least}x solve_discrete_lyapunov {remark}".strip()
    met = theirs / mine >= least and errors[0] < errors[1]
    accuracy = f"{errors[0]:.1e} (scipy {errors[1]:.1e})"
    return Row(f"stationary layer 0, d={d}", asked, f"{theirs / mine:.0f}x", accuracy, met)


def averages(quick: bool) -> list[Row]:
    """L_var: definition, loop, closed form."""
    design, steps, lam, noise = setting(4)
    sequence = engine_peers.core_sequence(lam, steps, noise, 200)
    small = common.interleaved(
        {
            "definition": lambda: engine_peers.double_sum(lam, steps, sequence),
            "kernel": lambda: core_average_weights(lam, steps.eta, steps.theta, steps.gamma, 200),
            "ours": lambda: core_average(design, steps, noise, 200),
        }
    )
    kernel, api = common.ratio(small, "definition", "kernel"), common.ratio(small, "definition", "ours")
    error = abs(
        core_average(design, steps, noise, 200) / engine_truth.tail_truth(lam, steps, np.diagonal(noise), 200, 0.0) - 1
    )
    rows = [
        Row(
            "L_var, d=4, T=200",
            "1e4x the definition",
            f"{kernel:.1e}x (with input checks {api:.1e}x)",
            f"{error:.1e}",
            kernel >= 1e4,
        )
    ]
    design, steps, lam, noise = setting(16)
    tail = np.diagonal(noise)
    calls: list[tuple[str, Callable[..., float], float]] = [
        ("Pi_t", core_average, 0.0),
        ("C_t (coupled)", variance_average, 1.0),
    ]
    for name, function, trace in calls:
        tasks = {m: partial(function, design, steps, noise, 10**6, m) for m in ("loop", "closed")}
        times = common.interleaved(tasks)
        speed = common.ratio(times, "loop", "closed")
        truth = engine_truth.tail_truth(lam, steps, tail, 10**6, trace)
        error = abs(function(design, steps, noise, 10**6, "closed") / truth - 1)
        rows.append(
            Row(
                f"L_var of {name}, d=16, T=1e6",
                "closed form 30x the O(T) loop",
                f"{speed:.0f}x",
                f"{error:.1e} (<= 1e-14)",
                speed >= 30 and error <= 1e-14,
            )
        )
    return rows


def layers(quick: bool) -> list[Row]:
    """Layers 0..5 and the remainder at d = 64."""
    design, steps, lam, noise = setting(64)
    horizon = 10_000
    step, start = engine_peers.dense_layers_step(lam, steps, noise), [np.eye(128) for _ in range(7)]
    times = common.interleaved(
        {"ours": lambda: peel(design, steps, noise, horizon, 5), "dense step": lambda: step(start)}
    )
    speed = horizon * common.ratio(times, "dense step", "ours")
    found = peel(design, steps, noise, horizon, 5)
    whole = covariance(design, steps, noise, horizon)
    gap = float(np.linalg.norm(found.total().full() - whole.full()) / np.linalg.norm(whole.full()))
    zero = _pair_error(found.layers[0], lam, steps, noise, horizon, 0.0, 40)
    accuracy = f"layer 0 {zero:.1e}, sum against C_T {gap:.1e}"
    return [Row("layers 0..5, d=64, T=1e4", "100x dense numpy (extrapolated)", f"{speed:.0f}x", accuracy, speed >= 100)]


def grid(quick: bool) -> list[Row]:
    """Points a second of every scalar inequality."""
    rng, n = np.random.default_rng(3), 10**6
    lam, kt, mu = 10 ** rng.uniform(-6, 0, n), rng.uniform(3, 100, n), rng.uniform(1e-3, 1, n)
    eta = rng.uniform(0.01, 1, n) / 48
    mu = mu * lam
    theta, gamma = np.sqrt(mu * eta / kt) / 4, np.sqrt(eta / (kt * mu)) / 4
    horizon, kurtosis = 2 * rng.integers(1, 5000, n), rng.uniform(1, 9, n)
    calls = {
        "A-power (k=1000)": lambda: directions.power_of_a(lam, eta, theta, gamma, 1000),
        "Pi average (T<=1e4)": lambda: directions.core_average(lam, eta, theta, gamma, horizon),
        "Pi stationary": lambda: directions.stationary_y(lam, eta, theta, gamma),
        "layer recursion": lambda: directions.layer_share(lam, eta, theta, gamma, kurtosis),
        "bias energy (T=1000)": lambda: directions.bias_energy(lam, eta, theta, gamma, kurtosis, 1000),
        "bias (T<=1e4)": lambda: directions.bias_average(lam, eta, theta, gamma, kurtosis, horizon),
        "variance (T<=1e4)": lambda: directions.variance_average(lam, eta, theta, gamma, kurtosis, horizon),
    }
    times = common.interleaved(calls, rounds=2)
    rows = []
    for name, spent in times.items():
        rate = n / common.median(spent)
        rows.append(Row(f"ratio grid: {name}", "reported: points a second", f"{rate:.1e}", "", True))
    return rows


def start_up(quick: bool) -> list[Row]:
    """What a second process pays: kernels come from the cache."""
    code = (
        "import numpy as np, time\n"
        "from bench.engine_setting import setting\n"
        "from numerics.covariance import covariance, peel, variance_average\n"
        "d, s, l, r = setting(4)\n"
        "t = time.process_time()\n"
        "covariance(d, s, r, 100, 'closed'); covariance(d, s, r, 100, 'loop')\n"
        "peel(d, s, r, 100, 2); variance_average(d, s, r, 100, 'closed')\n"
        "print(time.process_time() - t)\n"
    )
    with tempfile.TemporaryDirectory() as cache:
        environment = {**os.environ, "NUMBA_CACHE_DIR": cache}
        spent = [
            float(
                subprocess.run(
                    [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True
                ).stdout
            )
            for _ in range(2)
        ]
    return [
        Row(
            "first calls in a new process",
            "second process does not compile",
            f"{spent[0]:.1f} s, then {spent[1]:.2f} s",
            "",
            spent[1] < 0.2 * spent[0],
        )
    ]


PARTS = {
    "diagonal": diagonal,
    "full": full,
    "stationary": stationary,
    "averages": averages,
    "layers": layers,
    "grid": grid,
    "start_up": start_up,
    "growth": growth,
}


def main(arguments: Sequence[str] | None = None) -> int:
    return common.run_parts("engine", PARTS, __doc__, arguments)


if __name__ == "__main__":
    sys.exit(main())
