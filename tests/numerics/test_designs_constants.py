"""R^2 and kappa~ are the smallest constants of the fourth-moment assumption; the quoted ones are not smaller."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings

from numerics.designs import (
    LAPLACE,
    RADEMACHER,
    UNIFORM,
    Design,
    Elliptical,
    FiniteSupport,
    Gaussian,
    IndependentCoordinates,
    OneHot,
    ScaleMixture,
    StudentT,
    sparse,
)
from tests.strategies import designs


def whitened_top(design: Design, metric: np.ndarray) -> float:
    """Largest generalised eigenvalue of (M(metric), Sigma), through a Cholesky factor."""
    root = np.linalg.inv(np.linalg.cholesky(design.sigma))
    return float(np.linalg.eigvalsh(root @ design.fourth_moment(metric) @ root.T)[-1])


@settings(max_examples=120, deadline=None)
@given(designs())
def test_the_tight_constants_are_attained_generalised_eigenvalues(design: Design) -> None:
    assert design.r2 == pytest.approx(whitened_top(design, np.eye(design.dim)), rel=1e-8)
    assert design.kappa_tilde == pytest.approx(whitened_top(design, np.linalg.inv(design.sigma)), rel=1e-8)


@settings(max_examples=120, deadline=None)
@given(designs())
def test_no_smaller_constant_works_and_no_larger_is_needed(design: Design) -> None:
    for constant, metric in ((design.r2, np.eye(design.dim)), (design.kappa_tilde, np.linalg.inv(design.sigma))):
        root = np.linalg.inv(np.linalg.cholesky(design.sigma))
        moment = root @ design.fourth_moment(metric) @ root.T
        eye = np.eye(design.dim)
        assert np.linalg.eigvalsh((1 + 1e-7) * constant * eye - moment)[0] >= 0
        assert np.linalg.eigvalsh((1 - 1e-7) * constant * eye - moment)[0] < 0


@settings(max_examples=120, deadline=None)
@given(designs())
def test_the_quoted_constants_are_valid(design: Design) -> None:
    if design.r2_quoted is not None:
        assert design.r2 <= design.r2_quoted * (1 + 1e-12)
    if design.kappa_tilde_quoted is not None:
        assert design.kappa_tilde <= design.kappa_tilde_quoted * (1 + 1e-12)


@settings(max_examples=80, deadline=None)
@given(designs())
def test_kappa_tilde_lies_between_the_dimension_and_kappa(design: Design) -> None:
    assert design.dim * (1 - 1e-10) <= design.kappa_tilde <= design.kappa * (1 + 1e-10)
    assert design.r2 >= np.trace(design.sigma) * (1 - 1e-10)


def test_gaussian_constants_are_known_in_closed_form() -> None:
    design = Gaussian(np.diag([1.0, 2.0, 5.0]))
    assert (design.r2, design.kappa_tilde) == (18.0, 5.0)
    assert (design.r2_quoted, design.kappa_tilde_quoted) == (24.0, 9.0)
    assert design.kappa == 18.0
    assert design.condition_number == 5.0


def test_in_one_dimension_the_quoted_gaussian_constant_is_tight() -> None:
    design = Gaussian([[2.0]])
    assert design.r2 == design.r2_quoted == 6.0
    assert design.kappa_tilde == design.kappa_tilde_quoted == 3.0


def test_student_t_constants_blow_up_as_nu_approaches_four() -> None:
    light, heavy = StudentT(np.eye(2), 1e9), StudentT(np.eye(2), 4.001)
    assert light.kappa_tilde == pytest.approx(4.0, rel=1e-8)
    assert heavy.kappa_tilde == pytest.approx(4 * 2.001 / 0.001, rel=1e-9)
    assert heavy.r2_quoted is None
    assert heavy.kappa_tilde_quoted is None


def test_one_hot_constants_are_the_almost_sure_bounds() -> None:
    design = OneHot([0.5, 0.25, 0.25], [1.0, 3.0, 2.0])
    assert (design.r2, design.kappa_tilde) == (9.0, 4.0)
    assert (design.r2_quoted, design.kappa_tilde_quoted) == (9.0, 4.0)


def test_bounded_designs_quote_their_almost_sure_bound() -> None:
    design = FiniteSupport([[1.0, 0.0], [0.0, 2.0], [1.0, 1.0]])
    assert design.r2_quoted == 4.0
    inverse = np.linalg.inv(design.sigma)
    assert design.kappa_tilde_quoted == pytest.approx(max(a @ inverse @ a for a in design.atoms))
    assert design.kappa_tilde < design.kappa_tilde_quoted


def test_sub_gaussian_designs_quote_sixteen_times_the_proxy_squared() -> None:
    sigma = np.diag([1.0, 3.0])
    for law, proxy in ((RADEMACHER, 1.0), (UNIFORM, 1.0), (sparse(0.25), 4.0)):
        design = IndependentCoordinates.from_sigma(sigma, law)
        assert design.kappa_tilde_quoted == 16 * proxy**2 * 2
        assert design.r2_quoted == pytest.approx(16 * proxy**2 * 4, rel=1e-14)
    assert IndependentCoordinates.from_sigma(sigma, LAPLACE).r2_quoted is None
    mixture = ScaleMixture(sigma, [1.0, 2.0], [0.5, 0.5])
    assert mixture.kappa_tilde_quoted == pytest.approx(16 * (4 / 2.5) ** 2 * 2, rel=1e-14)


@pytest.mark.parametrize("law", [RADEMACHER, UNIFORM, sparse(0.2)])
def test_the_variance_proxy_of_a_coordinate_bounds_its_moment_generating_function(law: object) -> None:
    t = np.linspace(-8, 8, 161)
    if law is UNIFORM:
        x = t * np.sqrt(3)
        mgf = np.where(x == 0, 1.0, np.sinh(x) / np.where(x == 0, 1.0, x))
    else:
        mgf = np.exp(np.outer(t, law.values)) @ np.array(law.weights)  # type: ignore[attr-defined]
    assert np.all(mgf <= np.exp(law.proxy * t**2 / 2) * (1 + 1e-12))  # type: ignore[attr-defined]


def test_the_lightest_elliptical_law_lives_on_an_ellipsoid() -> None:
    sigma = np.diag([1.0, 4.0, 9.0])
    design = Elliptical(sigma, 3 / 5)
    a = design.sample(1000, np.random.default_rng(0))
    np.testing.assert_allclose(np.sum(a**2 / np.diagonal(sigma), axis=1), 3.0, rtol=1e-6)
    assert design.kappa_tilde == pytest.approx(3.0)
