"""Second and fourth moments of every design, against samples, brute force, quadrature and their own invariances."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from numerics.designs import (
    GAUSSIAN,
    LAPLACE,
    RADEMACHER,
    UNIFORM,
    Coordinate,
    Design,
    Elliptical,
    Empirical,
    FiniteSupport,
    Gaussian,
    IndependentCoordinates,
    OneHot,
    ScaleMixture,
    StudentT,
    sparse,
    with_kurtosis,
)
from tests.strategies import covariances, designs, finite_designs, independent_designs, rotation, seeds

RNG = np.random.default_rng(7)
TURN = rotation(3, RNG)
SIGMA = (TURN * [0.2, 1.0, 3.0]) @ TURN.T
SIGMA = (SIGMA + SIGMA.T) / 2
MIXING = RNG.standard_normal((3, 4))

EVERY_DESIGN: dict[str, Design] = {
    "gaussian": Gaussian(SIGMA),
    "gaussian, diagonal": Gaussian(np.diag([0.2, 1.0, 3.0])),
    "gaussian, d = 1": Gaussian([[2.0]]),
    "student t": StudentT(SIGMA, 20.0),
    "elliptical, heavy": Elliptical(SIGMA, 2.5),
    "elliptical, light": Elliptical(SIGMA, 0.7),
    "elliptical, on the sphere": Elliptical(SIGMA, 0.6),
    "scale mixture": ScaleMixture(SIGMA, [0.5, 1.0, 2.0], [0.3, 0.4, 0.3]),
    "rademacher": IndependentCoordinates(MIXING, RADEMACHER),
    "uniform": IndependentCoordinates.from_sigma(SIGMA, UNIFORM),
    "laplace": IndependentCoordinates.from_sigma(np.diag([0.2, 1.0, 3.0]), LAPLACE),
    "mixed coordinates": IndependentCoordinates(MIXING, [sparse(0.2), with_kurtosis(4.0), LAPLACE, GAUSSIAN]),
    "one-hot": OneHot([0.5, 0.3, 0.2], [1.0, -2.0, 0.5]),
    "finite support": FiniteSupport(RNG.standard_normal((5, 3)), [0.1, 0.2, 0.3, 0.25, 0.15]),
    "empirical": Empirical(RNG.standard_normal((40, 3))),
}


@pytest.mark.parametrize("name", EVERY_DESIGN)
def test_sampled_moments_lie_within_six_standard_errors(name: str) -> None:
    design = EVERY_DESIGN[name]
    rng = np.random.default_rng(11)
    a = design.sample(150_000, rng)
    x = rng.standard_normal((design.dim, design.dim))
    forms = np.einsum("ni,ij,nj->n", a, x, a)
    for i, j in product(range(design.dim), repeat=2):
        for draws, exact in (
            (a[:, i] * a[:, j], design.sigma[i, j]),
            (forms * a[:, i] * a[:, j], design.fourth_moment(x)[i, j]),
        ):
            error = draws.std() / np.sqrt(len(draws)) + 1e-12
            assert abs(draws.mean() - exact) <= 6 * error


@settings(max_examples=40, deadline=None)
@given(finite_designs(), seeds)
def test_finite_support_moments_are_the_sums_that_define_them(design: FiniteSupport, seed: int) -> None:
    x = np.random.default_rng(seed).standard_normal((design.dim, design.dim))
    sigma, moment = np.zeros_like(x), np.zeros_like(x)
    for a, w in zip(design.atoms, design.weights, strict=True):
        sigma += w * np.outer(a, a)
        moment += w * np.outer(a, a) @ x @ np.outer(a, a)
    np.testing.assert_allclose(design.sigma, sigma, rtol=0, atol=1e-14 * np.abs(sigma).max())
    np.testing.assert_allclose(design.fourth_moment(x), moment, rtol=0, atol=1e-13 * (1 + np.abs(moment).max()))


@settings(max_examples=30, deadline=None)
@given(covariances(2), seeds)
def test_gaussian_fourth_moment_equals_a_gauss_hermite_sum(sigma: np.ndarray, seed: int) -> None:
    nodes, weights = np.polynomial.hermite_e.hermegauss(4)  # exact for polynomials of degree 7
    root = np.linalg.cholesky(sigma)
    x = np.random.default_rng(seed).standard_normal((2, 2))
    total = np.zeros((2, 2))
    for (u, p), (v, q) in product(zip(nodes, weights, strict=True), repeat=2):
        a = root @ [u, v]
        total += p * q / (2 * np.pi) * np.outer(a, a) @ x @ np.outer(a, a)
    moment = Gaussian(sigma).fourth_moment(x)
    np.testing.assert_allclose(moment, total, rtol=0, atol=1e-12 * np.abs(sigma).max() ** 2)


@settings(max_examples=60, deadline=None)
@given(designs(), seeds)
def test_the_fourth_moment_map_is_linear_self_adjoint_and_blind_to_antisymmetry(design: Design, seed: int) -> None:
    rng = np.random.default_rng(seed)
    x, y = rng.standard_normal((2, design.dim, design.dim))
    mx, my = design.fourth_moment(x), design.fourth_moment(y)
    size = np.abs(design.fourth_moment(np.eye(design.dim))).max() * 10 * design.dim
    np.testing.assert_allclose(design.fourth_moment(2 * x - y), 2 * mx - my, rtol=0, atol=1e-12 * size)
    assert abs(np.sum(y * mx) - np.sum(x * my)) <= 1e-12 * size
    np.testing.assert_allclose(mx, mx.T, rtol=0, atol=1e-13 * size)
    np.testing.assert_allclose(design.fourth_moment(x - x.T), 0, rtol=0, atol=1e-13 * size)


@settings(max_examples=60, deadline=None)
@given(designs(), seeds)
def test_rotating_a_design_rotates_its_moments_and_keeps_its_constants(design: Design, seed: int) -> None:
    rng = np.random.default_rng(seed)
    q, x = rotation(design.dim, rng), rng.standard_normal((design.dim, design.dim))
    turned = design.rotated(q)
    size = float(design.eigenvalues[-1])
    np.testing.assert_allclose(turned.sigma, q @ design.sigma @ q.T, rtol=0, atol=1e-12 * size)
    expected = q @ design.fourth_moment(q.T @ x @ q) @ q.T
    np.testing.assert_allclose(turned.fourth_moment(x), expected, rtol=0, atol=1e-11 * design.r2 * size)
    assert turned.r2 == pytest.approx(design.r2, rel=1e-9)
    assert turned.kappa_tilde == pytest.approx(design.kappa_tilde, rel=1e-9)
    np.testing.assert_allclose(turned.eigenvalues, design.eigenvalues, rtol=1e-10)


@settings(max_examples=40, deadline=None)
@given(designs())
def test_in_its_eigenbasis_a_design_has_a_diagonal_ascending_covariance(design: Design) -> None:
    turned = design.in_eigenbasis()
    assert type(turned) is type(design)
    np.testing.assert_allclose(turned.sigma, np.diag(design.eigenvalues), rtol=0, atol=1e-12 * design.eigenvalues[-1])
    v = design.eigenvectors
    x = np.arange(design.dim**2, dtype=float).reshape(design.dim, design.dim)
    expected = v.T @ design.fourth_moment(v @ x @ v.T) @ v
    if not isinstance(design, OneHot):  # a permutation of equal eigenvalues may differ
        atol = 1e-10 * design.r2 * design.eigenvalues[-1] * design.dim**2
        np.testing.assert_allclose(turned.fourth_moment(x), expected, rtol=0, atol=atol)


@settings(max_examples=20, deadline=None)
@given(independent_designs(), seeds)
def test_discrete_independent_coordinates_equal_their_list_of_atoms(design: IndependentCoordinates, seed: int) -> None:
    laws = (RADEMACHER, sparse(0.3), with_kurtosis(2.0))
    discrete = IndependentCoordinates(design.mixing, [laws[j % 3] for j in range(design.mixing.shape[1])])
    listed = discrete.finite_support()
    assert listed is not None
    x = np.random.default_rng(seed).standard_normal((design.dim, design.dim))
    size = np.abs(discrete.fourth_moment(np.eye(design.dim))).max()
    np.testing.assert_allclose(listed.fourth_moment(x), discrete.fourth_moment(x), rtol=0, atol=1e-12 * size)
    assert listed.r2 == pytest.approx(discrete.r2, rel=1e-10)
    assert listed.kappa_tilde == pytest.approx(discrete.kappa_tilde, rel=1e-10)


@settings(max_examples=20, deadline=None)
@given(covariances(), seeds)
def test_independent_gaussian_coordinates_are_the_gaussian_design(sigma: np.ndarray, seed: int) -> None:
    x = np.random.default_rng(seed).standard_normal(sigma.shape)
    one, other = IndependentCoordinates.from_sigma(sigma, GAUSSIAN), Gaussian(sigma)
    size = other.r2 * other.eigenvalues[-1]
    np.testing.assert_allclose(one.fourth_moment(x), other.fourth_moment(x), rtol=0, atol=1e-12 * size)
    assert one.r2 == pytest.approx(other.r2, rel=1e-10)
    assert one.kappa_tilde == pytest.approx(other.kappa_tilde, rel=1e-10)


def test_one_hot_equals_its_list_of_atoms() -> None:
    design = EVERY_DESIGN["one-hot"]
    listed = design.finite_support()
    assert listed is not None
    x = np.arange(9.0).reshape(3, 3)
    np.testing.assert_allclose(listed.fourth_moment(x), design.fourth_moment(x), rtol=1e-14)
    assert (listed.r2, listed.kappa_tilde) == pytest.approx((design.r2, design.kappa_tilde), rel=1e-13)


@pytest.mark.parametrize(
    ("law", "density", "edge"),
    [
        (UNIFORM, lambda x: np.full_like(x, 1 / np.sqrt(12)), np.sqrt(3)),
        (LAPLACE, lambda x: np.exp(-np.sqrt(2) * np.abs(x)) / np.sqrt(2), 40.0),
        (GAUSSIAN, lambda x: np.exp(-(x**2) / 2) / np.sqrt(2 * np.pi), 15.0),
    ],
)
def test_continuous_coordinates_have_the_moments_of_their_density(law: Coordinate, density: Any, edge: float) -> None:
    x, w = np.polynomial.legendre.leggauss(200)
    x, w = (x + 1) * edge / 2, w * edge / 2
    moments = [2 * float(w @ (x**k * density(x))) for k in (0, 2, 4)]
    np.testing.assert_allclose(moments, [1, 1, law.kurtosis], rtol=1e-12)


@given(st.floats(1.0, 50.0))
def test_a_coordinate_with_given_kurtosis_is_standardised_and_has_it(kurtosis: float) -> None:
    law = with_kurtosis(kurtosis)
    values, weights = np.array(law.values), np.array(law.weights)
    moments = [float(weights @ values**k) for k in range(5)]
    np.testing.assert_allclose(moments, [1, 0, 1, 0, kurtosis], rtol=1e-12, atol=1e-9)


def test_large_finite_supports_are_summed_in_chunks_without_changing_the_result() -> None:
    rng = np.random.default_rng(3)
    data = rng.standard_normal((300_000, 2))
    design = Empirical(data)
    x = np.array([[1.0, 2.0], [0.0, -1.0]])
    forms = np.einsum("ni,ij,nj->n", data, x, data)
    direct = (data * forms[:, None]).T @ data / len(data)
    np.testing.assert_allclose(design.fourth_moment(x), direct, rtol=1e-11, atol=1e-12)
    assert len(design._chunks()) > 1
