"""General and dense designs: doubling against stepping and against numpy, spectral radii against eigenvalues.

    python -m bench.general [--quick] [--only WORD ...]

Prints the table, merges it into bench/results.json (section "general") and draws bench/growth_general.svg. One core.
Rows whose second column says "reported" have no goal. Exit 1 when a figure is missed.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

import numpy as np

from bench import common, general_peers
from bench.common import Row
from bench.engine_setting import setting
from numerics.covariance import (
    ConditioningWarning,
    Definition,
    balls,
    closed_bytes,
    covariance,
    layer_averages,
    peel,
    stability,
    variance_average,
)
from numerics.designs import Design, FiniteSupport, Gaussian
from numerics.operators import Array, StepSizes

HORIZON = 10**6
BATCH = 64
SLOW = 1e3  # of the scales of the columns: kappa(Sigma) about 1e6, so that 1e6 steps do not forget the start


def finite(
    d: int, atoms: int | None = None, seed: int = 0, spread: float = 1.0
) -> tuple[FiniteSupport, StepSizes, Array]:
    """Normal atoms (4 d unless told) in columns whose scales span `spread`, the paper's step sizes, some R."""
    rng = np.random.default_rng(seed)
    design = FiniteSupport(rng.standard_normal((atoms or 4 * d, d)) * np.geomspace(1 / spread, 1, d))
    factor = rng.standard_normal((d, d))
    return design, paper_steps(design), factor @ factor.T / d


def paper_steps(design: Design) -> StepSizes:
    eta = 1 / (16 * design.r2)
    root = np.sqrt(eta / design.kappa_tilde) / 4
    return StepSizes(eta, float(root * np.sqrt(design.mu)), float(root / np.sqrt(design.mu)))


def doubling(quick: bool) -> list[Row]:
    """C_T of a finite design at T = 1e6, with every peer that fits: long after it has mixed, and before."""
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore", ConditioningWarning)  # the errors stand in the table
        return [row for spread in (1.0, SLOW) for d in (4, 8, 16) for row in _doubling(d, spread, quick)]


def _doubling(d: int, spread: float, quick: bool) -> list[Row]:
    design, steps, noise = finite(d, spread=spread)
    b, push = general_peers.operator(design, steps), general_peers.push(noise, steps)
    batch, counted = np.repeat(push[:, None], BATCH, axis=1), 20_000 if d < 16 else 2000
    times = common.interleaved(
        {
            "closed": lambda: covariance(design, steps, noise, HORIZON, "closed"),
            "loop": lambda: covariance(design, steps, noise, counted, "loop"),
            "numpy": lambda: general_peers.stepped(b, push, counted),
            "batched": lambda: general_peers.stepped(b, batch, counted // 20),
            "power": lambda: general_peers.powered(b, push, HORIZON),
        },
        rounds=3,
    )
    scale = HORIZON / counted
    stepping, own, power = (common.ratio(times, name, "closed") for name in ("numpy", "loop", "power"))
    stepping, own = stepping * scale, own * scale
    batched = common.ratio(times, "batched", "closed") * 20 / BATCH * scale
    ours, theirs = _errors(design, steps, noise, b, push, quick)
    mixed = spread == 1.0
    work = f"C_T, {4 * d} atoms, d={d}, T=1e6" + ("" if mixed else f", kappa {design.condition_number:.0e}: not mixed")
    spent = f"{1e3 * common.median(times['closed']):.1f} ms, {closed_bytes(d, 0) / 2**20:.1f} MiB stated"
    goal = "100x" if mixed else "reported:"
    return [
        Row(work, "100x numpy steps (extrapolated)", f"{stepping:.0f}x, {spent}", ours, stepping >= 100),
        Row(work, f"{goal} our compiled loop (extrapolated)", f"{own:.0f}x", ours, not mixed or own >= 100),
        Row(work, f"reported: numpy, {BATCH} noises at once, a noise", f"{batched:.1f}x", "", True),
        Row(work, "reported: numpy.linalg.matrix_power in (x, y)", f"{power:.1f}x", f"theirs {theirs}", True),
    ]


def _errors(
    design: FiniteSupport, steps: StepSizes, noise: Array, b: Array, push: Array, quick: bool
) -> tuple[str, str]:
    """Relative errors of the yy block: ours and matrix_power's, against balls up to d = 8 and our loop above."""
    d = design.dim
    found = covariance(design, steps, noise, HORIZON, "closed").c22
    power = general_peers.unpacked(general_peers.powered(b, push, HORIZON), d)
    if d <= (4 if quick else 8):
        field = balls(1200)
        with field.precision():
            it = Definition.of(design, steps, field)
            truth = it.blocks(it.leap(it.zero(), it.noise(field.from_array(noise)), HORIZON)).c22
        against = "balls"
    else:
        truth, against = covariance(design, steps, noise, HORIZON, "loop").c22, "loop"
    ours, theirs = (float(np.linalg.norm(x - truth) / np.linalg.norm(truth)) for x in (found, power))
    return f"{ours:.1e} against {against}", f"{theirs:.1e}"


def averages(quick: bool) -> list[Row]:
    """L_var of C_t for a finite design."""
    rows = []
    for d in (4, 8, 16):
        design, steps, noise = finite(d)
        counted = 2000
        times = common.interleaved(
            {
                "closed": partial(variance_average, design, steps, noise, HORIZON, "closed"),
                "loop": partial(variance_average, design, steps, noise, counted, "loop"),
            },
            rounds=3,
        )
        speed = common.ratio(times, "loop", "closed") * HORIZON / counted
        both = [variance_average(design, steps, noise, 20_000, m) for m in ("closed", "loop")]  # type: ignore[arg-type]
        accuracy = f"{abs(both[0] / both[1] - 1):.1e} against the loop at T=2e4"
        rows.append(
            Row(
                f"L_var of C_t, {4 * d} atoms, d={d}, T=1e6",
                "reported: our loop (extrapolated)",
                f"{speed:.0f}x",
                accuracy,
                True,
            )
        )
    return rows


def dense(quick: bool) -> list[Row]:
    """A dense Sigma beside the same spectrum on the diagonal."""
    rows = []
    for d in (64, 256):
        plain, steps, _, noise = setting(d)
        turn = np.linalg.qr(np.random.default_rng(4).standard_normal((d, d)))[0]
        sigma = turn @ plain.sigma @ turn.T
        turned, r = Gaussian((sigma + sigma.T) / 2), turn @ noise @ turn.T
        r = (r + r.T) / 2
        times = common.interleaved(
            {
                "dense": lambda: covariance(turned, steps, r, HORIZON),  # noqa: B023
                "diagonal": lambda: covariance(plain, steps, noise, HORIZON),  # noqa: B023
            },
            rounds=3,
        )
        a, b = covariance(turned, steps, r, HORIZON).c22, turn @ covariance(plain, steps, noise, HORIZON).c22 @ turn.T
        gap = float(np.linalg.norm(a - b) / np.linalg.norm(b))
        slower = common.ratio(times, "dense", "diagonal")
        rows.append(
            Row(
                f"C_T, dense Sigma, d={d}, T=1e6",
                "reported: time of the diagonal one",
                f"{slower:.2f}x",
                f"{gap:.1e} apart, kappa(Sigma) = {d}",
                True,
            )
        )
    return rows


def radius(quick: bool) -> list[Row]:
    """The spectral radius of B, enclosed, beside numpy's eigenvalues of the operator written out."""
    rows = []
    for d in (2, 4, 8) if quick else (2, 4, 8, 16):
        design, steps, _ = finite(d)
        b = general_peers.operator(design, steps)
        times = common.interleaved(
            {"ours": partial(stability, design, steps), "numpy": partial(np.linalg.eigvals, b)}, rounds=2
        )
        found, theirs = stability(design, steps), float(np.max(np.abs(np.linalg.eigvals(b))))
        accuracy = f"within {found.error:.1e}; numpy {abs(theirs - found.radius):.1e} off"
        spent = f"{1e3 * common.median(times['ours']):.0f} ms, numpy {1e3 * common.median(times['numpy']):.0f} ms"
        rows.append(Row(f"radius of B, {4 * d} atoms, d={d}", "enclosed to 1e-9", spent, accuracy, found.error <= 1e-9))
    return rows


def growth(quick: bool) -> list[Row]:
    """How time grows with d, T, depth and the number of atoms."""

    def at_d(method: str, horizon: int) -> Callable[[int], Callable[[], object]]:
        return lambda d: partial(covariance, *finite(d), horizon, method)

    def at_t(function: Callable[..., object], method: str) -> Callable[[int], Callable[[], object]]:
        return lambda horizon: partial(function, *finite(8), horizon, method)

    def at_depth(function: Callable[..., object]) -> Callable[[int], Callable[[], object]]:
        return lambda depth: partial(function, *finite(4), HORIZON, depth, "closed")

    def at_support(method: str, horizon: int) -> Callable[[int], Callable[[], object]]:
        def fresh(atoms: int) -> Callable[[], object]:
            _, steps, noise = finite(8, atoms)
            return lambda: covariance(finite(8, atoms)[0], steps, noise, horizon, method)  # type: ignore[arg-type]

        return fresh

    largest = (2, 4, 8, 16) if quick else (2, 4, 8, 16, 24)
    panels = {
        "time against d (4 d atoms)": {
            "C_T, closed, T=1e6": common.measured(at_d("closed", HORIZON), largest),
            "C_T, loop, T=1e4": common.measured(at_d("loop", 10_000), largest),
        },
        "time against T (d = 8, 32 atoms)": {
            "C_T, closed": common.measured(at_t(covariance, "closed"), (1000, 10**5, 10**7, 10**9)),
            "C_T, loop": common.measured(at_t(covariance, "loop"), (1000, 10_000, 100_000)),
            "L_var, closed": common.measured(at_t(variance_average, "closed"), (1000, 10**5, 10**7, 10**9)),
        },
        "time against depth (d = 4, T = 1e6)": {
            "layers of C_T": common.measured(at_depth(peel), (1, 2, 4, 8)),
            "L_var of the layers": common.measured(at_depth(layer_averages), (1, 2, 4, 8)),
        },
        "time against atoms (d = 8, design built anew)": {
            "C_T, closed, T=1e6": common.measured(at_support("closed", HORIZON), (32, 1000, 10_000, 100_000)),
            "C_T, loop, T=1e4": common.measured(at_support("loop", 10_000), (32, 1000, 10_000, 100_000)),
        },
    }
    return common.growth_rows(panels, Path(__file__).with_name("growth_general.svg"))


PARTS = {"doubling": doubling, "averages": averages, "dense": dense, "radius": radius, "growth": growth}


def main(arguments: Sequence[str] | None = None) -> int:
    return common.run_parts("general", PARTS, __doc__, arguments)


if __name__ == "__main__":
    sys.exit(main())
