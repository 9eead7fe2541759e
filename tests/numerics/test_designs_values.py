"""Designs are frozen values: they compare, print, sample reproducibly, and refuse bad input with a remedy."""

from __future__ import annotations

import copy
from dataclasses import FrozenInstanceError

import numpy as np
import pytest

from numerics.designs import (
    GAUSSIAN,
    LAPLACE,
    RADEMACHER,
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
from tests.numerics.test_designs_moments import EVERY_DESIGN


@pytest.mark.parametrize("name", EVERY_DESIGN)
def test_the_same_seed_gives_the_same_bytes(name: str) -> None:
    design = EVERY_DESIGN[name]
    one, other = (design.sample(50, np.random.default_rng(4)) for _ in range(2))
    assert one.tobytes() == other.tobytes()
    assert one.shape == (50, design.dim)
    assert one.dtype == np.float64
    assert design.sample(0, np.random.default_rng(4)).shape == (0, design.dim)


@pytest.mark.parametrize("name", EVERY_DESIGN)
def test_a_design_cannot_be_changed(name: str) -> None:
    design = EVERY_DESIGN[name]
    with pytest.raises(FrozenInstanceError):
        design.sigma = np.eye(3)  # type: ignore[misc]
    with pytest.raises(ValueError, match="read-only"):
        design.sigma[0, 0] = 1.0
    with pytest.raises(ValueError, match="read-only"):
        design.eigenvalues[0] = 1.0


def test_designs_do_not_share_memory_with_their_input() -> None:
    sigma = np.eye(2)
    design = Gaussian(sigma)
    sigma[0, 0] = 7.0
    assert design.sigma[0, 0] == 1.0


def test_equal_designs_are_equal_and_hash_alike() -> None:
    values = list(EVERY_DESIGN.values())
    assert len(set(values)) == len(values)
    assert Gaussian(np.eye(2)) == Gaussian([[1, 0], [0, 1]])
    assert hash(Gaussian(np.eye(2))) == hash(Gaussian([[1, 0], [0, 1]]))
    assert Gaussian(np.eye(2)) != StudentT(np.eye(2), 5.0)
    assert Gaussian(np.eye(2)) != "a design"
    assert OneHot([0.5, 0.5]) == OneHot([0.5, 0.5], [1, 1])


@pytest.mark.parametrize("name", EVERY_DESIGN)
def test_a_copy_is_the_same_design(name: str) -> None:
    design = EVERY_DESIGN[name]
    again = copy.deepcopy(design)  # the protocol by which worker processes receive it
    assert again == design
    assert again.r2 == design.r2


@pytest.mark.parametrize("name", EVERY_DESIGN)
def test_a_design_prints_its_name_its_size_and_its_constants(name: str) -> None:
    design = EVERY_DESIGN[name]
    text, table = repr(design), design._repr_html_()
    assert type(design).__name__ in text
    assert f"r2={design.r2:.4g}" in text
    assert table.startswith("<table>")
    assert f"{design.kappa_tilde:.6g} tight" in table


def test_html_is_escaped() -> None:
    law = Coordinate("<b>&", 3.0, None, draw=GAUSSIAN.draw)
    table = IndependentCoordinates(np.eye(2), law)._repr_html_()
    assert "&lt;b&gt;&amp;" in table
    assert "<b>" not in table


def test_many_coordinate_laws_are_abbreviated() -> None:
    laws = [GAUSSIAN, LAPLACE, RADEMACHER, sparse(0.5), with_kurtosis(2.0)]
    assert "..." in repr(IndependentCoordinates(np.eye(5), laws))


@pytest.mark.parametrize(
    ("build", "message"),
    [
        (
            lambda: Gaussian([[1.0, 0.5], [0.4, 1.0]]),
            r"sigma: not symmetric, entries \(0, 1\) and \(1, 0\) are 0.5 and 0.4",
        ),
        (lambda: Gaussian([[1.0, 0.0]]), r"sigma: has shape \(1, 2\), must be square"),
        (lambda: Gaussian([1.0, 2.0]), "sigma: has 1 axes"),
        (lambda: Gaussian([[np.nan]]), r"sigma: entry \(0, 0\) is nan"),
        (lambda: Gaussian([[1.0, 2.0], [1.0]]), "sigma: cannot be read as an array of numbers"),
        (lambda: Gaussian(np.zeros((0, 0))), "sigma: is empty"),
        (lambda: Gaussian.from_spectrum([1.0, -1.0]), "eigenvalues: smallest eigenvalue is -1"),
        (lambda: Gaussian.from_spectrum([1.0, 2.0], np.ones((2, 2))), "eigenvectors: not orthogonal"),
        (lambda: StudentT(np.eye(2), 4.0), r"nu = 4.0: fourth moments are infinite unless nu > 4"),
        (lambda: StudentT(np.eye(2), np.inf), "nu = inf is not finite"),
        (lambda: StudentT(np.eye(2), "five"), "nu = 'five' is not a number"),  # type: ignore[arg-type]
        (lambda: Elliptical(np.eye(2), 0.4), r"kurtosis = 0.4 is below d/\(d\+2\) = 0.5"),
        (lambda: ScaleMixture(np.eye(2), [1.0, 2.0], [1.0]), "scales and weights have 2 and 1 entries"),
        (lambda: ScaleMixture(np.eye(2), [1.0, 0.0], [0.5, 0.5]), "scales: smallest is 0.0, must be positive"),
        (lambda: ScaleMixture(np.eye(2), [1.0, 2.0], [0.5, 0.6]), "weights: sum to 1.1, must sum to 1"),
        (lambda: FiniteSupport(np.eye(2), [0.5, 0.25, 0.25]), "weights: 3 entries for 2 atoms"),
        (lambda: FiniteSupport(np.eye(2), [1.0, 0.0]), "weights: entry 1 is 0.0, must be positive"),
        (lambda: FiniteSupport([[1.0, np.inf], [0.0, 1.0]]), r"atoms: entry \(0, 1\) is inf"),
        (lambda: FiniteSupport(np.eye(2), [0.5, 0.4]), "weights: sum to 0.9"),
        (lambda: OneHot([0.5, 0.5], [1.0]), "scales: 1 entries for 2 probabilities"),
        (lambda: OneHot([0.5, 0.5], [1.0, 0.0]), "scales: entry 1 is 0, so Sigma is singular"),
        (lambda: OneHot([0.5, 0.6]), "probabilities: sum to 1.1"),
        (lambda: IndependentCoordinates(np.eye(2), [RADEMACHER]), "coordinates: 1 laws for 2 columns"),
        (lambda: IndependentCoordinates.from_sigma(np.diag([1.0, -1.0]), RADEMACHER), "smallest eigenvalue is -1"),
        (lambda: sparse(0.0), r"p = 0.0 is not the probability of a non-zero coordinate; give 0 < p <= 1"),
        (lambda: with_kurtosis(0.5), "kurtosis = 0.5 is below 1"),
        (lambda: Empirical([[1.0, 2.0], [np.nan, 1.0]]), r"atoms: entry \(1, 0\) is nan"),
    ],
)
def test_bad_designs_are_refused_with_the_value_and_a_remedy(build: object, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        build()  # type: ignore[operator]


@pytest.mark.parametrize("name", EVERY_DESIGN)
def test_bad_arguments_are_refused(name: str) -> None:
    design: Design = EVERY_DESIGN[name]
    rng = np.random.default_rng(0)
    with pytest.raises(ValueError, match="X: has shape"):
        design.fourth_moment(np.eye(design.dim + 1))
    with pytest.raises(ValueError, match=r"X: entry \(0, 0\) is nan"):
        design.fourth_moment(np.full((design.dim, design.dim), np.nan))
    with pytest.raises(ValueError, match="n = -1 is not a sample size"):
        design.sample(-1, rng)
    with pytest.raises(ValueError, match=r"n = 2\.5 is not a sample size"):
        design.sample(2.5, rng)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match=r"rng is a int; pass a generator, for example numpy.random.default_rng\(0\)"):
        design.sample(3, 0)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="Q: not orthogonal"):
        design.rotated(2 * np.eye(design.dim))


def test_a_sparse_coordinate_that_is_never_zero_is_a_sign() -> None:
    assert sparse(1.0) is RADEMACHER
    assert with_kurtosis(1.0) is RADEMACHER


def test_continuous_or_numerous_coordinates_have_no_list_of_atoms() -> None:
    assert IndependentCoordinates(np.eye(2), LAPLACE).finite_support() is None
    assert IndependentCoordinates(np.eye(13), RADEMACHER).finite_support() is None
    assert Gaussian(np.eye(2)).finite_support() is None
