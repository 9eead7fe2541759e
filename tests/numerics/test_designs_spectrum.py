"""Ill-conditioned, singular and extreme covariances: right to the stated error, or refused."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from flint import arb_mat, ctx

from numerics.designs import RADEMACHER, FiniteSupport, Gaussian, IndependentCoordinates, OneHot
from tests.strategies import rotation

Q = rotation(3, np.random.default_rng(5))


def test_a_diagonal_covariance_keeps_every_digit_at_condition_1e12() -> None:
    design = Gaussian(np.diag([3.0, 1e-12, 1.0]))
    assert design.eigenvalues.tolist() == [1e-12, 1.0, 3.0]
    assert design.eigensystem.relative_error == 0.0
    assert design.in_eigenbasis().sigma.tolist() == np.diag([1e-12, 1.0, 3.0]).tolist()


def test_from_spectrum_keeps_every_digit_in_any_basis() -> None:
    design = Gaussian.from_spectrum([1.0, 1e-12, 3.0], Q)
    assert design.eigenvalues.tolist() == [1e-12, 1.0, 3.0]
    turned = design.rotated(Q.T)
    assert turned.eigenvalues.tolist() == [1e-12, 1.0, 3.0]
    np.testing.assert_allclose(turned.sigma, np.diag([1.0, 1e-12, 3.0]), atol=1e-15)
    assert design.kappa == pytest.approx(10.0 / 1e-12, rel=1e-12)


def test_a_full_covariance_of_condition_1e12_is_right_to_its_stated_error() -> None:
    sigma = Gaussian.from_spectrum([1e-12, 0.5, 1.0], Q).sigma
    design = Gaussian(sigma)
    assert design.eigensystem.relative_error < 1e-3
    assert design.mu == pytest.approx(1e-12, rel=2 * design.eigensystem.relative_error)


@pytest.mark.parametrize("smallest", [1e-14, 1e-16, 0.0])
def test_a_full_covariance_without_three_right_digits_is_refused(smallest: float) -> None:
    sigma = (Q * [smallest, 0.5, 1.0]) @ Q.T
    with pytest.raises(ValueError, match="singular to rounding"):
        Gaussian((sigma + sigma.T) / 2)


def test_an_indefinite_covariance_is_refused_as_such() -> None:
    with pytest.raises(ValueError, match="not positive semidefinite, smallest eigenvalue -1"):
        Gaussian([[1.0, 2.0], [2.0, 1.0]])
    with pytest.raises(ValueError, match=r"smallest eigenvalue is 0\.0, must be positive definite"):
        Gaussian(np.diag([1.0, 0.0]))


def test_atoms_of_condition_1e12_have_eigenvalues_right_to_ten_digits() -> None:
    rows = [[1, 1, 0], [1, Fraction(10**6 + 1, 10**6), 0], [Fraction(1, 2), 3, 1], [2, 2, Fraction(1, 10**5)]]
    design = FiniteSupport(rows)
    hard = FiniteSupport([[1, 0], [1, Fraction(3, 10**6)]])
    for case in (design, hard):
        ctx.prec = 300
        truth = sorted(float(v.real.mid()) for v in arb_mat(case.exact().sigma).eig())
        ctx.prec = 53
        np.testing.assert_allclose(case.eigenvalues, truth, rtol=1e-9)
    assert hard.condition_number > 1e11
    assert hard.eigensystem.relative_error < 1e-8


def test_kappa_tilde_of_ill_conditioned_atoms_is_exact() -> None:
    hard = FiniteSupport([[1, 0], [1, Fraction(3, 10**6)]])
    assert hard.kappa_tilde == pytest.approx(2.0, rel=1e-9)  # two equally likely atoms: |a|^2_{Sigma^-1} = 2


def test_atoms_that_do_not_span_the_space_are_refused() -> None:
    with pytest.raises(ValueError, match="the atoms do not span the space: add atoms or drop collinear columns"):
        FiniteSupport([[1.0, 2.0, 3.0], [2.0, 4.0, 6.0], [1.0, 0.0, 0.0]])
    with pytest.raises(ValueError, match="do not span"):
        FiniteSupport([[1.0, 2.0]])
    with pytest.raises(ValueError, match="singular to rounding"):
        IndependentCoordinates([[1.0, 2.0], [2.0, 4.0]], RADEMACHER)


@pytest.mark.parametrize("size", [1e-90, 1e90])
def test_scales_whose_fourth_moments_leave_the_floats_are_refused(size: float) -> None:
    for build in (
        lambda: Gaussian([[size]]),
        lambda: Gaussian(size * np.array([[2.0, 1.0], [1.0, 2.0]])),
        lambda: FiniteSupport(np.sqrt(size) * np.array([[1.0, 0.5], [0.0, 1.0]])),
        lambda: OneHot([0.5, 0.5], [np.sqrt(size), np.sqrt(size)]),
    ):
        with pytest.raises(ValueError, match="fourth moments overflow or underflow; rescale the data"):
            build()


def test_equal_eigenvalues_are_fine() -> None:
    sigma = (Q * [2.0, 2.0, 2.0]) @ Q.T
    design = Gaussian((sigma + sigma.T) / 2)
    np.testing.assert_allclose(design.eigenvalues, 2.0, rtol=1e-14)
    np.testing.assert_allclose(design.eigenvectors @ design.eigenvectors.T, np.eye(3), atol=1e-14)


def test_solve_inverts_sigma_for_vectors_and_matrices() -> None:
    design = Gaussian((Q * [0.1, 1.0, 2.0]) @ Q.T)
    x = np.arange(9.0).reshape(3, 3)
    np.testing.assert_allclose(design.sigma @ design.solve(x), x, atol=1e-13)
    np.testing.assert_allclose(design.sigma @ design.solve(x[0]), x[0], atol=1e-13)
