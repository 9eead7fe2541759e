"""Designs and operators at their edges: quoted constants by hand, thresholds met exactly, one dimension, error bars."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from flint import fmpq

from numerics.designs import (
    RADEMACHER,
    UNIFORM,
    Coordinate,
    Elliptical,
    Empirical,
    FiniteSupport,
    Gaussian,
    IndependentCoordinates,
    OneHot,
    ScaleMixture,
    StudentT,
    checks,
    sparse,
    spectral,
    with_kurtosis,
)
from numerics.designs.exact import as_fmpq, rational_matrix, rational_vector
from numerics.designs.finite import _CHUNK_ENTRIES
from numerics.designs.mixtures import two_point_squares
from numerics.operators import Blocks, StepSizes, apply_excess, apply_mean, apply_second_moment, noise_blocks

SIGMA = np.diag([1.0, 3.0])
FULL = np.array([[2.0, 1.0], [1.0, 2.0]])


@pytest.mark.parametrize("second", [1.0, 1.25, 2.5, 10.0])
def test_two_points_have_the_moments_that_were_asked_for(second: float) -> None:
    squares, weights = two_point_squares(second)
    assert np.all(squares > 0)
    assert weights.sum() == pytest.approx(1.0)
    assert weights @ squares == pytest.approx(1.0)
    assert weights @ squares**2 == pytest.approx(second)


def test_mixtures_quote_sixteen_times_their_largest_squared_scale_squared() -> None:
    heavy = Elliptical(SIGMA, 2.5)
    top = float(two_point_squares(2.5)[0].max())
    assert top == pytest.approx(1 + 6**0.5)  # v = 3/2, p = 1/5
    assert heavy.subgaussian == pytest.approx(top)
    assert heavy.kappa_tilde_quoted == pytest.approx(16 * top**2 * 2)
    assert heavy.r2_quoted == pytest.approx(16 * top**2 * 4)
    mixture = ScaleMixture(SIGMA, [1.0, 2.0], [0.5, 0.5])
    assert mixture.r2_quoted == pytest.approx(16 * 1.6**2 * 4)
    assert mixture.kurtosis == pytest.approx((0.5 + 8) / 2.5**2)


def test_light_ellipses_are_mixtures_of_spheres_and_kurtosis_one_is_gaussian() -> None:
    light = Elliptical(SIGMA, 0.75)  # on the sphere, d = 2: E s^4 = 0.75 * 4 / 2 = 1.5
    assert light.subgaussian == pytest.approx(float(two_point_squares(1.5)[0].max()))
    assert Elliptical(SIGMA, 1.0).subgaussian == 1.0
    lone = Elliptical([[1.0]], 1 / 3)
    a = lone.sample(100, np.random.default_rng(0))
    assert np.abs(a) == pytest.approx(np.ones((100, 1)), abs=1e-6)
    assert Elliptical(SIGMA, 1.0).sample(2000, np.random.default_rng(0)).std() == pytest.approx(2**0.5, rel=0.1)
    assert Elliptical(SIGMA, 0.5 * (1 - 5e-16)).kappa_tilde == pytest.approx(2.0)


def test_four_points_carry_any_kurtosis_and_their_bound_is_the_proxy() -> None:
    law = with_kurtosis(2.5)
    values, weights = np.array(law.values), np.array(law.weights)
    for power, moment in ((0, 1.0), (1, 0.0), (2, 1.0), (3, 0.0), (4, 2.5)):
        assert weights @ values**power == pytest.approx(moment)
    assert law.proxy == pytest.approx(max(values**2))
    assert law.kurtosis == 2.5
    thin = sparse(0.25)
    assert (thin.kurtosis, thin.proxy, thin.values, thin.weights) == (4.0, 4.0, (-2.0, 0.0, 2.0), (0.125, 0.75, 0.125))
    assert repr(thin) == "sparse(0.25)"
    with pytest.raises(ValueError, match=r"p = 1\.5 is not the probability"):
        sparse(1.5)


def test_error_bars_are_the_stated_multiples_of_rounding() -> None:
    eps = np.finfo(float).eps
    assert Gaussian(FULL).eigensystem.relative_error == pytest.approx(2 * eps * 3, rel=1e-9)
    atoms = FiniteSupport([[2.0, 0.0], [2.0, 2.0]])
    ratio = (atoms.eigenvalues[1] / atoms.eigenvalues[0]) ** 0.5
    assert atoms.eigensystem.relative_error == pytest.approx(2 * 2 * eps * ratio, rel=1e-9)
    assert FiniteSupport(np.eye(2)).eigensystem.relative_error == 0.0
    assert IndependentCoordinates(np.eye(2), RADEMACHER).eigensystem.relative_error == 0.0


def test_eigenvalues_at_the_limit_of_the_floats_are_still_taken() -> None:
    spectral.refuse_extreme(np.array([1 / spectral.LARGEST, spectral.LARGEST]), name="Sigma")
    for values in ([0.99 / spectral.LARGEST, 1.0], [1.0, 1.01 * spectral.LARGEST]):
        with pytest.raises(ValueError, match="outside"):
            spectral.refuse_extreme(np.array(values), name="Sigma")


def test_factors_with_more_and_with_fewer_rows_than_columns() -> None:
    rng = np.random.default_rng(3)
    for rows in (2, 3, 9):
        factor = rng.standard_normal((rows, 2))
        system = spectral.of_factor(factor, name="G")
        assert system.vectors @ np.diag(system.values) @ system.vectors.T == pytest.approx(factor.T @ factor)
        assert system.values[0] < system.values[1]
    with pytest.raises(ValueError, match="G: singular to rounding"):
        spectral.of_factor(rng.standard_normal((1, 2)), name="G")


def test_a_rounded_semidefinite_matrix_is_singular_and_not_indefinite() -> None:
    tiny = np.array([[1.0, 1.0], [1.0, 1.0 - 2e-16]])
    with pytest.raises(ValueError, match="singular to rounding"):
        spectral.of_matrix(tiny, name="Sigma")
    with pytest.raises(ValueError, match="not positive semidefinite"):
        spectral.of_matrix(np.array([[1.0, 1.0], [1.0, 1.0 - 1e-14]]), name="Sigma")


def test_symmetry_weights_and_orthogonality_are_asked_up_to_rounding() -> None:
    eye = np.eye(2)
    almost = np.array([[1.0, 0.5], [0.5 + 9e-13, 1.0]])
    assert np.array_equal(checks.symmetric(almost, name="s"), checks.symmetric(almost, name="s").T)
    with pytest.raises(ValueError, match="s: not symmetric"):
        checks.symmetric(np.array([[1.0, 0.5], [0.5 + 2e-12, 1.0]]), name="s")
    assert checks.symmetric(np.zeros((2, 2)), name="s").tolist() == [[0.0, 0.0], [0.0, 0.0]]
    assert checks.probabilities([0.5, 0.5 + 9e-13], name="w").sum() == pytest.approx(1.0, abs=1e-15)
    with pytest.raises(ValueError, match=r"w: sum to 1\.000000000002"):
        checks.probabilities([0.5, 0.5 + 2e-12], name="w")
    assert checks.orthogonal(eye * (1 + 4e-11), dim=2, name="Q") is not None
    with pytest.raises(ValueError, match="Q: not orthogonal"):
        checks.orthogonal(eye * (1 + 6e-11), dim=2, name="Q")


def test_arguments_are_read_only_numbers_of_the_right_size() -> None:
    assert not checks.frozen_array([1, 2], name="v", ndim=1).flags.writeable
    with pytest.raises(ValueError, match=r"v: entry 1 is nan \(1 entries are not finite\)"):
        checks.frozen_array([1.0, np.nan], name="v", ndim=1)
    assert checks.vector_argument([1, 2], dim=2, name="v").tolist() == [1.0, 2.0]
    with pytest.raises(ValueError, match=r"v: has shape \(1,\), needs \(2,\)"):
        checks.vector_argument([1.0], dim=2, name="v")
    with pytest.raises(ValueError, match="v: entry 0 is inf"):
        checks.vector_argument([np.inf, 1.0], dim=2, name="v")
    with pytest.raises(ValueError, match=r"s = 0\.0 must be positive"):
        checks.positive(0, name="s")
    assert checks.positive(5e-324, name="s") > 0
    assert checks.sample_size(np.int64(0)) == 0
    for wrong in (True, "3", -1):
        with pytest.raises(ValueError, match="is not a sample size"):
            checks.sample_size(wrong)  # type: ignore[arg-type]


def test_only_integers_and_fractions_are_rational() -> None:
    assert as_fmpq(fmpq(1, 2)) == fmpq(1, 2)
    assert as_fmpq(np.int64(3)) == 3
    assert as_fmpq(Fraction(2, 6)) == fmpq(1, 3)
    for other in (True, 0.5, "1"):
        assert as_fmpq(other) is None
    assert rational_vector([1, 2], scale=4) == (fmpq(1, 4), fmpq(1, 2))
    assert rational_vector([1, 0.5]) is None
    assert rational_matrix(np.array([[1.0]])) is None
    assert rational_matrix([[1, 2, 3], [4, 5, 0.5]]) is None
    wide = rational_matrix([[1, 2, 3], [4, 5, 6]])
    assert wide is not None
    assert (wide.nrows(), wide.ncols(), wide[1, 2]) == (2, 3, 6)
    assert FiniteSupport(np.eye(2, dtype=int)).exact().dim == 2


def test_atoms_beyond_one_chunk_are_all_counted() -> None:
    n = _CHUNK_ENTRIES // 2 + 3
    design = FiniteSupport(np.tile([[1.0, 2.0], [2.0, -1.0]], (n // 2 + 1, 1))[: n - n % 2])
    assert len(design._chunks()) == 2
    assert design.sigma == pytest.approx(np.array([[2.5, 0.0], [0.0, 2.5]]))
    assert design.fourth_moment(np.eye(2)) == pytest.approx(12.5 * np.eye(2))


def test_atoms_are_listed_up_to_the_limit_of_4096() -> None:
    full = IndependentCoordinates(np.eye(12), RADEMACHER).finite_support()
    assert full is not None
    assert len(full.atoms) == 4096
    assert IndependentCoordinates(np.eye(2), [RADEMACHER, UNIFORM]).finite_support() is None


def test_designs_name_their_parameters() -> None:
    assert "nu=5" in repr(StudentT(SIGMA, 5.0))
    assert "scales=2, kurtosis=1.36" in repr(ScaleMixture(SIGMA, [1.0, 2.0], [0.5, 0.5]))
    assert "kurtosis=2.5" in repr(Elliptical(SIGMA, 2.5))
    assert "atoms=2, exact=yes" in repr(FiniteSupport(np.eye(2, dtype=int)))
    assert "atoms=2, exact=no" in repr(FiniteSupport(np.eye(2)))
    laws = [Coordinate(name, 3.0, 1.0, draw=UNIFORM.draw) for name in "abcd"]
    assert "coordinates=a, b, c, d, lambda" in repr(IndependentCoordinates(np.eye(4), laws))
    text = Gaussian(SIGMA)._repr_html_()
    assert "<td>10 tight, 12 quoted</td>" in text  # 2 * 3 + 4, and 3 * 4
    assert "<th>lambda_min</th><td>1</td>" in text
    assert "<th>lambda_max</th><td>3</td>" in text
    assert "none quoted" in StudentT(SIGMA, 5.0)._repr_html_()
    assert repr(Gaussian(SIGMA)) == "Gaussian(dim=2, lambda in [1, 3], r2=10, kappa_tilde=4)"


def test_a_one_hot_design_in_its_eigenbasis_is_sorted_and_rotates_as_atoms() -> None:
    hot = OneHot([0.75, 0.25], [1.0, -1.0])
    assert hot.in_eigenbasis() == OneHot([0.25, 0.75], [-1.0, 1.0])
    assert isinstance(hot.rotated(np.eye(2)), FiniteSupport)
    assert OneHot([0.5, 0.5]) != OneHot([0.5, 0.5], [1.0, 2.0])
    with pytest.raises(ValueError, match="given as floats"):
        hot.finite_support().exact()
    assert Empirical([[1.0, 0.0], [0.0, 2.0]]).weights.tolist() == [0.5, 0.5]


STEPS = StepSizes(0.1, 0.25, 0.4)


def test_step_sizes_by_hand() -> None:
    assert pytest.approx(0.6) == STEPS.c
    assert pytest.approx(0.16) == STEPS.q
    assert pytest.approx(0.24) == STEPS.rho
    for name, values in (
        ("eta", (0, 0.1, 1)),
        ("theta", (1, 0, 1)),
        ("gamma", (1, 0.1, np.inf)),
        ("eta", (-1, 0.1, 1)),
    ):
        with pytest.raises(ValueError, match=f"{name} = .*: must be a positive finite number"):
            StepSizes(*values)
    with pytest.raises(ValueError, match=r"theta = 1\.0: must lie strictly between 0 and 1"):
        StepSizes(1, 1, 1)


@pytest.mark.parametrize("lam", [1e-9, 0.1, 1.0, 3.0, 9.0, 16.0, 25.0])
def test_the_gap_is_one_minus_the_spectral_radius(lam: float) -> None:
    radius = np.abs(np.linalg.eigvals(STEPS.mean_block(lam))).max()
    assert float(STEPS.mean_gap(lam)) == pytest.approx(1 - radius, rel=1e-6, abs=1e-13)
    turn = np.array([[1.0, -STEPS.theta], [1.0, 0.0]])  # (x, y) from (y, v)
    moved = np.linalg.inv(turn) @ STEPS.mean_block(lam) @ turn - np.eye(2)
    assert STEPS.mean_block_increment(lam) == pytest.approx(moved)


def test_blocks_are_square_finite_and_of_one_size() -> None:
    whole = np.arange(16.0).reshape(4, 4)
    blocks = Blocks.from_full(whole + whole.T)
    assert blocks.dim == 2
    assert np.array_equal(blocks.full(), whole + whole.T)
    assert np.array_equal((2 * blocks - blocks + Blocks.zeros(2)).full(), blocks.full())
    assert Blocks.from_full(np.triu(whole)).full()[0, 1] == Blocks.from_full(np.triu(whole)).full()[1, 0] == 1.0
    assert blocks.x_energy(SIGMA) == 0.0 + 3 * 10
    assert blocks.y_energy(SIGMA) == 20.0 + 3 * 30
    for wrong in (np.ones((3, 3)), np.ones((2, 4)), np.ones(4)):
        with pytest.raises(ValueError, match="give a square array of even size 2d"):
            Blocks.from_full(wrong)
    for c22 in (np.eye(3), np.ones((2, 3)), np.ones(2)):
        with pytest.raises(ValueError, match="c22 has shape"):
            Blocks(np.eye(2), np.eye(2), c22)
    with pytest.raises(ValueError, match="c12 has an entry that is not finite"):
        Blocks(np.eye(2), np.full((2, 2), np.nan), np.eye(2))


def test_the_operators_by_kronecker_products_in_two_dimensions() -> None:
    rng = np.random.default_rng(0)
    half = rng.standard_normal((4, 4))
    c = Blocks.from_full(half @ half.T)
    design = Gaussian(FULL)
    eye = np.eye(2)
    mean = np.block([[0 * eye, eye - 0.1 * FULL], [-0.6 * eye, 1.6 * eye - 0.16 * FULL]])
    assert apply_mean(design, STEPS, c).full() == pytest.approx(mean @ c.full() @ mean.T)
    x = c.c22
    extra = FULL @ x @ FULL + np.trace(FULL @ x) * FULL  # Gaussian: M(X) - Sigma X Sigma
    push = np.kron([[0.01, 0.016], [0.016, 0.0256]], extra)
    assert apply_excess(design, STEPS, c).full() == pytest.approx(push)
    assert apply_second_moment(design, STEPS, c).full() == pytest.approx(mean @ c.full() @ mean.T + push)
    assert noise_blocks(STEPS, eye).full() == pytest.approx(np.kron([[0.01, 0.016], [0.016, 0.0256]], eye))
    with pytest.raises(ValueError, match="C has 1-dimensional blocks, the design has dimension 2"):
        apply_mean(design, STEPS, Blocks.zeros(1))
    with pytest.raises(ValueError, match="C has 3-dimensional blocks"):
        apply_excess(design, STEPS, Blocks.zeros(3))
