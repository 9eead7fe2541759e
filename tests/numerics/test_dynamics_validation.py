"""Every public function says what is wrong with its input and what to do."""

from __future__ import annotations

import numpy as np
import pytest

from numerics.covariance import bias_covariance, core_covariance, covariance, frame, l_var, peel, variance_average
from numerics.designs import Gaussian
from numerics.operators import Blocks, StepSizes, apply_mean

DESIGN = Gaussian(np.diag([0.5, 1.0]))
STEPS = StepSizes(0.02, 0.05, 0.1)


@pytest.mark.parametrize("value", [0.0, -1.0, float("nan"), float("inf")])
@pytest.mark.parametrize("name", ["eta", "theta", "gamma"])
def test_step_sizes_must_be_positive_and_finite(name: str, value: float) -> None:
    with pytest.raises(ValueError, match=f"{name} = "):
        StepSizes(**{"eta": 0.1, "theta": 0.1, "gamma": 0.1, name: value})


def test_theta_must_stay_below_one() -> None:
    with pytest.raises(ValueError, match=r"theta = 1\.0: must lie strictly between 0 and 1"):
        StepSizes(0.1, 1.0, 0.1)


@pytest.mark.parametrize(
    ("noise", "message"),
    [
        (np.eye(3), r"shape \(3, 3\), the design has dimension 2"),
        ([[1.0, 0.5], [0.0, 1.0]], "not symmetric: entries differ by 0.5"),
        ([[1.0, 2.0], [2.0, 1.0]], "not positive semidefinite: smallest eigenvalue -1"),
        ([[np.nan, 0.0], [0.0, 1.0]], "not finite"),
        (np.diag([1.0, -1.0]), "not positive semidefinite"),
    ],
)
def test_a_bad_noise_matrix_is_named(noise: object, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        covariance(DESIGN, STEPS, noise, 4)  # type: ignore[arg-type]


@pytest.mark.parametrize("start", [[1.0], [1.0, np.inf], [[1.0, 2.0]]])
def test_a_bad_start_is_named(start: object) -> None:
    with pytest.raises(ValueError, match="start has"):
        bias_covariance(DESIGN, STEPS, start, 4)  # type: ignore[arg-type]


@pytest.mark.parametrize("horizon", [-1, 2.5, True])
def test_a_bad_horizon_is_named(horizon: int) -> None:
    with pytest.raises(ValueError, match="horizon T ="):
        core_covariance(DESIGN, STEPS, np.eye(2), horizon)


@pytest.mark.parametrize("horizon", [0, 3, 7])
def test_an_average_needs_an_even_horizon(horizon: int) -> None:
    with pytest.raises(ValueError, match="T must be even and at least 2"):
        variance_average(DESIGN, STEPS, np.eye(2), horizon)


def test_a_negative_depth_is_named() -> None:
    with pytest.raises(ValueError, match="depth = -1"):
        peel(DESIGN, STEPS, np.eye(2), 4, -1)


def test_an_unknown_method_lists_the_known_ones() -> None:
    with pytest.raises(ValueError, match="choose one of auto, closed, loop, reference"):
        covariance(DESIGN, STEPS, np.eye(2), 4, "fast")  # type: ignore[arg-type]


def test_what_is_not_a_design_or_not_step_sizes_is_refused() -> None:
    with pytest.raises(TypeError, match=r"give a numerics\.designs\.Design"):
        frame(np.eye(2), STEPS)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match=r"give numerics\.operators\.StepSizes"):
        frame(DESIGN, (0.1, 0.1, 0.1))  # type: ignore[arg-type]


def test_a_diverging_run_is_reported_not_returned() -> None:
    with (
        pytest.raises(ValueError, match="not finite; the iteration that made it has diverged"),
        np.errstate(all="ignore"),
    ):
        covariance(DESIGN, StepSizes(50.0, 0.5, 50.0), np.eye(2), 5000)


def test_a_sequence_of_the_wrong_length_or_size_is_named() -> None:
    with pytest.raises(ValueError, match=r"that is 2"):
        l_var(DESIGN, STEPS, [Blocks.zeros(2)], 4)
    with pytest.raises(ValueError, match="3-dimensional blocks"):
        l_var(DESIGN, STEPS, [Blocks.zeros(3)] * 2, 4)


def test_blocks_must_be_square_and_of_one_size() -> None:
    with pytest.raises(ValueError, match="c12 has shape"):
        Blocks(np.eye(2), np.eye(3), np.eye(2))
    with pytest.raises(ValueError, match="square array of even size"):
        Blocks.from_full(np.eye(3))
    with pytest.raises(ValueError, match="use one dimension"):
        apply_mean(DESIGN, STEPS, Blocks.zeros(3))
