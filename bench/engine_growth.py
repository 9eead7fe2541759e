"""How the time of the exact engine grows with d and T, for designs whose pairs decouple: exponents and a figure."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np

from bench import common
from bench.common import Row
from bench.engine_setting import setting
from numerics.covariance import core_average, covariance, stationary_core, variance_average

Task = Callable[[int], Callable[[], object]]
ACROSS_D, ACROSS_T = (64, 128, 256, 512, 1024), (1000, 10**5, 10**7, 10**9)


def growth(quick: bool) -> list[Row]:
    """Exponents of time in d and in T for each path, and the figure."""
    panels = {
        "time against d": {
            "C_T diagonal R, loop, T=1e4": common.measured(_in_d("loop", diagonal_only=True), ACROSS_D),
            "C_T general R, auto, T=1e4": common.measured(_in_d("auto"), (32, 64, 128, 256, 512)),
            "C_T general R, closed, T=1e4": common.measured(_in_d("closed"), (16, 32, 64, 128, 256)),
            "stationary layer 0": common.measured(_limit, ACROSS_D),
            "L_var of Pi, closed, T=1e6, with the PSD check of M": common.measured(_tail, (64, 256, 1024, 4096)),
        },
        "time against T": {
            "C_T d=16, loop": common.measured(_in_t("loop"), (1000, 10_000, 100_000)),
            "C_T d=16, closed": common.measured(_in_t("closed"), ACROSS_T),
            "L_var of C_t d=16, loop": common.measured(_tail_in_t("loop"), (1000, 10_000, 100_000)),
            "L_var of C_t d=16, closed": common.measured(_tail_in_t("closed"), ACROSS_T),
        },
    }
    return common.growth_rows(panels, Path(__file__).with_name("growth.svg"))


def _in_d(method: str, *, diagonal_only: bool = False) -> Task:
    def at(d: int) -> Callable[[], object]:
        design, steps, _, noise = setting(d)
        r = np.diag(np.diagonal(noise)) if diagonal_only else noise
        return lambda: covariance(design, steps, r, 10_000, method)  # type: ignore[arg-type]

    return at


def _limit(d: int) -> Callable[[], object]:
    design, steps, _, noise = setting(d)
    return lambda: stationary_core(design, steps, noise)


def _tail(d: int) -> Callable[[], object]:
    design, steps, _, noise = setting(d)
    return lambda: core_average(design, steps, noise, 10**6)


def _in_t(method: str) -> Task:
    design, steps, _, noise = setting(16)
    return lambda horizon: lambda: covariance(design, steps, noise, horizon, method)  # type: ignore[arg-type]


def _tail_in_t(method: str) -> Task:
    design, steps, _, noise = setting(16)
    return lambda horizon: lambda: variance_average(design, steps, noise, horizon, method)  # type: ignore[arg-type]
