"""Stability against the dense operator, checks at their tolerances, packing of odd sizes, fields by hand."""

from __future__ import annotations

from fractions import Fraction

import flint
import numpy as np
import pytest

from numerics.covariance import (
    EXTENDED,
    RATIONAL,
    UnstableDynamicsError,
    balls,
    covariance,
    frame,
    spectral_radius,
    stability,
    stationary_core,
    stationary_covariance,
    stationary_layers,
    wide,
)
from numerics.covariance.fields import as_float
from numerics.covariance.frame import checked_depth, checked_horizon, checked_noise, checked_start
from numerics.designs import (
    GAUSSIAN,
    RADEMACHER,
    Design,
    Elliptical,
    FiniteSupport,
    Gaussian,
    IndependentCoordinates,
    OneHot,
    with_kurtosis,
)
from numerics.operators import Blocks, StepSizes, apply_mean, apply_second_moment

TURN = np.array([[0.6, -0.8], [0.8, 0.6]])
DESIGNS: dict[str, Design] = {
    "one direction": Gaussian([[0.7]]),
    "gaussian": Gaussian(np.diag([1.0, 0.2])),
    "turned": Gaussian(TURN @ np.diag([0.2, 1.0]) @ TURN.T),
    "light": Elliptical(np.diag([0.2, 1.0]), 0.6),
    "one-hot": OneHot([0.7, 0.3], [1.0, 2.0]),
    "signs": IndependentCoordinates(np.diag([0.5, 1.0]), RADEMACHER),
    "skew": IndependentCoordinates([[1.0, 0.5], [0.0, 1.0]], with_kurtosis(2.0)),
    "atoms": FiniteSupport([[1.0, 0.2], [0.1, 1.0], [0.5, -1.0]]),
}
CALM, WILD, MEAN_UNSTABLE = StepSizes(0.1, 0.2, 0.3), StepSizes(0.9, 0.3, 1.2), StepSizes(4.0, 0.5, 4.0)


def dense(design: Design, steps: StepSizes, operator: object) -> np.ndarray:
    """The operator on symmetric 2d x 2d matrices as a matrix, column by column."""
    n = 2 * design.dim
    upper = np.triu_indices(n)
    columns = []
    for i, j in zip(*upper, strict=True):
        unit = np.zeros((n, n))
        unit[i, j] = unit[j, i] = 1.0
        columns.append(operator(design, steps, Blocks.from_full(unit)).full()[upper])  # type: ignore[operator]
    return np.array(columns).T


def radius(matrix: np.ndarray) -> float:
    return float(np.abs(np.linalg.eigvals(matrix)).max())


@pytest.mark.parametrize("name", DESIGNS)
@pytest.mark.parametrize(
    "steps", [CALM, WILD, MEAN_UNSTABLE, StepSizes(1e-3, 1e-3, 2e-3)], ids=["calm", "wild", "mean", "slow"]
)
def test_the_radius_is_that_of_the_dense_operator(name: str, steps: StepSizes) -> None:
    design = DESIGNS[name]
    found, exact = stability(design, steps), radius(dense(design, steps, apply_second_moment))
    assert found.radius == pytest.approx(exact, rel=3e-8)  # two eigenvalues of the dense one may nearly meet
    assert found.gap == pytest.approx(1 - found.radius, rel=1e-6, abs=1e-12)
    assert found.mean_radius**2 == pytest.approx(radius(dense(design, steps, apply_mean)), rel=3e-8)
    assert found.mean_gap == pytest.approx(1 - found.mean_radius, rel=1e-6, abs=1e-12)
    assert found.stable == (exact < 1)
    assert spectral_radius(design, steps) == found.radius
    if found.mean_gap <= 0:
        assert found.layer_ratio == np.inf


@pytest.mark.parametrize("name", DESIGNS)
def test_the_layer_ratio_is_the_radius_of_the_map_between_layers(name: str) -> None:
    design = DESIGNS[name]
    mean, both = (dense(design, CALM, op) for op in (apply_mean, apply_second_moment))
    exact = radius(np.linalg.solve(np.eye(len(mean)) - mean, both - mean))
    assert stability(design, CALM).layer_ratio == pytest.approx(exact, rel=1e-9, abs=1e-12)


@pytest.mark.parametrize("name", DESIGNS)
def test_stationary_covariances_are_fixed_points_and_their_layers_add_up(name: str) -> None:
    design = DESIGNS[name]
    d = design.dim
    noise = np.eye(d) + 0.3 * np.ones((d, d))
    push = np.kron([[CALM.eta**2, CALM.eta * CALM.q], [CALM.eta * CALM.q, CALM.q**2]], noise)
    limit = stationary_covariance(design, CALM, noise)
    assert limit.full() == pytest.approx(apply_second_moment(design, CALM, limit).full() + push, rel=1e-9)
    core = stationary_core(design, CALM, noise)
    assert core.full() == pytest.approx(apply_mean(design, CALM, core).full() + push, rel=1e-9)
    split = stationary_layers(design, CALM, noise, 2)
    total = split.layers[0] + split.layers[1] + split.layers[2] + split.remainder
    assert total.full() == pytest.approx(limit.full(), rel=1e-9, abs=1e-14)
    assert len(split.noises) == 4
    for layer, drive, sigma in zip(split.layers, split.noises, split.sigmas, strict=False):
        assert layer.full() == pytest.approx(stationary_core(design, CALM, drive).full(), rel=1e-9, abs=1e-15)
        assert sigma == pytest.approx(layer.y_energy(design.sigma), rel=1e-9, abs=1e-15)
    late = covariance(design, CALM, noise, 3000)
    assert late.full() == pytest.approx(limit.full(), rel=1e-7, abs=1e-12)


def test_what_has_no_limit_is_refused_with_the_reason() -> None:
    design = DESIGNS["gaussian"]
    with pytest.raises(
        UnstableDynamicsError, match=r"A\(lambda\) has spectral radius .* >= 1 at lambda = 1 \(eta lambda = 4\)"
    ):
        stationary_core(design, MEAN_UNSTABLE, np.eye(2))
    assert stability(design, WILD).mean_gap > 0
    for call in (stationary_covariance, lambda *a: stationary_layers(*a, 1)):
        with pytest.raises(UnstableDynamicsError, match=r"each layer is .* >= 1 times the one before.*eta = 0\.9"):
            call(design, WILD, np.eye(2))  # type: ignore[operator]


def test_noise_is_checked_up_to_rounding() -> None:
    assert checked_noise([[1.0, 0.5], [0.5 + 9e-13, 1.0]], 2)[0, 1] == pytest.approx(0.5)
    with pytest.raises(ValueError, match="R is not symmetric"):
        checked_noise([[1.0, 0.5], [0.5 + 2e-12, 1.0]], 2)
    assert checked_noise(np.diag([1.0, -1.9e-12]), 2) is not None
    with pytest.raises(ValueError, match="M is not positive semidefinite: smallest eigenvalue -2"):
        checked_noise(np.diag([1.0, -2.1e-12]), 2, name="M")
    ones = np.ones((2, 2))
    assert checked_noise(ones, 2) is not None
    checked_noise(ones - 0.9e-12 * np.eye(2), 2)
    with pytest.raises(ValueError, match="not positive semidefinite"):
        checked_noise(ones - 1e-11 * np.eye(2), 2)
    assert not checked_noise(np.zeros((2, 2)), 2).any()


def test_counts_and_starts_at_their_ends() -> None:
    assert (checked_horizon(0), checked_horizon(2, even=True), checked_depth(0)) == (0, 2, 0)
    assert isinstance(checked_horizon(np.int64(4)), int)
    for wrong in (-1, True, 0.5):
        with pytest.raises(ValueError, match="horizon T = "):
            checked_horizon(wrong)  # type: ignore[arg-type]
        with pytest.raises(ValueError, match="depth = "):
            checked_depth(wrong)  # type: ignore[arg-type]
    for wrong in (0, 1, 3, -2):
        with pytest.raises(ValueError, match="T must be even and at least 2"):
            checked_horizon(wrong, even=True)
    with pytest.raises(ValueError, match=r"start has shape \(3,\), the design has dimension 2"):
        checked_start(np.ones(3), 2)
    with pytest.raises(ValueError, match="start has an entry that is not finite"):
        checked_start([1.0, np.nan], 2)


def test_frames_know_when_pairs_decouple() -> None:
    gauss = IndependentCoordinates([[1.0, 0.5], [0.0, 1.0]], GAUSSIAN)
    assert frame(gauss, CALM).excess is not None
    assert frame(DESIGNS["skew"], CALM).excess is None
    assert frame(DESIGNS["atoms"], CALM).excess is None
    turned = IndependentCoordinates(TURN @ np.diag([2.0, 1.0]), RADEMACHER)
    view = frame(turned, CALM)
    assert view.excess is not None
    assert view.lam == pytest.approx([1.0, 4.0])
    assert view.excess.diagonal == pytest.approx([-1.0, -16.0])  # (kurtosis - 2) lam^2 and one more from the trace
    wide_mixing = IndependentCoordinates(np.array([[1.0, 1.0]]), RADEMACHER)
    assert frame(wide_mixing, CALM).excess is None
    hot = frame(OneHot([0.2, 0.8]), CALM).excess
    assert hot is not None
    assert (hot.pair, hot.trace) == (-1.0, 0.0)
    assert hot.diagonal == pytest.approx([0.04 * 4, 0.64 / 4])
    heavy = frame(Elliptical(np.diag([2.0, 1.0]), 1.5), CALM)
    assert heavy.excess is not None
    assert (heavy.excess.pair, heavy.excess.trace, heavy.lam.tolist()) == (2.0, 1.5, [1.0, 2.0])
    assert heavy.excess.diagonal == pytest.approx([2.0, 8.0])


@pytest.mark.parametrize("name", DESIGNS)
def test_going_into_the_eigenbasis_and_out_again_changes_nothing(name: str) -> None:
    view, rng = frame(DESIGNS[name], CALM), np.random.default_rng(0)
    d = view.dim
    matrix, vector = rng.standard_normal((d, d)), rng.standard_normal(d)
    even = matrix + matrix.T
    assert view.out(view.into(even)) == pytest.approx(even)
    assert view.out_vector(view.into_vector(vector)) == pytest.approx(vector)
    assert view.into(DESIGNS[name].sigma) == pytest.approx(np.diag(view.lam), abs=1e-14)
    assert view.into(np.outer(vector, vector)) == pytest.approx(
        np.outer(view.into_vector(vector), view.into_vector(vector))
    )


@pytest.mark.parametrize("d", [1, 7, 8, 9, 16, 17, 33])
def test_packing_pads_with_zeros_and_unpacks(d: int) -> None:
    rows = [np.arange(1.0, d + 1), -np.arange(1.0, d + 1)]
    packed = wide.pack(rows)
    blocks = -(-d // 8)
    assert packed.shape == (blocks, 2, 8)
    assert packed.ctypes.data % 64 == 0
    assert np.array_equal(wide.unpack(packed, d), rows)
    assert packed.sum() == 0
    assert np.count_nonzero(packed) == 2 * d


@pytest.mark.parametrize("d", [1, 8, 13])
@pytest.mark.parametrize("horizon", [0, 1, 5])
def test_the_loop_of_any_size_is_the_plain_recursion(d: int, horizon: int) -> None:
    design, rng = Gaussian(np.diag(np.linspace(0.1, 1.0, d))), np.random.default_rng(d)
    noise = np.diag(rng.uniform(0.5, 1.5, d))
    state = Blocks.zeros(d)
    push = Blocks(CALM.eta**2 * noise, CALM.eta * CALM.q * noise, CALM.q**2 * noise)
    for _ in range(horizon):
        state = apply_second_moment(design, CALM, state) + push
    for method in ("loop", "closed", "auto"):
        found = covariance(design, CALM, noise, horizon, method)  # type: ignore[arg-type]
        assert found.full() == pytest.approx(state.full(), rel=1e-11, abs=1e-15)


@pytest.mark.parametrize("field", [EXTENDED, RATIONAL, balls(200)], ids=lambda f: f.name)
def test_every_field_multiplies_and_solves_systems_that_need_a_pivot(field: object) -> None:
    with field.precision():  # type: ignore[attr-defined]
        a = field.from_array(np.array([[0.0, 2.0, 1.0], [1.0, 0.0, 0.0], [4.0, 1.0, 3.0]]))  # type: ignore[attr-defined]
        b = field.from_array(np.array([[1.0], [2.0], [3.0]]))  # type: ignore[attr-defined]
        x = field.solve(a, b)  # type: ignore[attr-defined]
        back = field.to_array(field.multiply(a, x), 3, 1)  # type: ignore[attr-defined]
        assert back == pytest.approx(np.array([[1.0], [2.0], [3.0]]))
        assert field.to_array(x, 3, 1) == pytest.approx(np.array([[2.0], [1.6], [-2.2]]))  # type: ignore[attr-defined]
        assert field.to_array(field.transpose(b), 1, 3).tolist() == [[1.0, 2.0, 3.0]]  # type: ignore[attr-defined]


def test_numbers_are_read_back_to_the_nearest_double_or_refused() -> None:
    assert as_float(flint.fmpq(1, 3)) == 1 / 3
    assert as_float(np.longdouble(0.25)) == 0.25
    assert as_float(flint.arb(2)) == 2.0
    assert RATIONAL.scalar(0.1) == flint.fmpq(*Fraction(0.1).as_integer_ratio())
    assert RATIONAL.scalar(flint.fmpq(1, 7)) == flint.fmpq(1, 7)
    with pytest.raises(ArithmeticError, match="has no 53 right bits; ask for more bits"):
        as_float(flint.arb(1, 0.5))
    assert as_float(flint.arb(0, 1e-301)) == 0.0
