"""Hypothesis strategies for designs, losses and problems; matrices come from seeded generators."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from hypothesis import strategies as st

from numerics.designs import (
    GAUSSIAN,
    LAPLACE,
    RADEMACHER,
    UNIFORM,
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
from numerics.designs.checks import Array
from numerics.losses import (
    Logistic,
    Loss,
    Poisson,
    PseudoHuber,
    SmoothQuantile,
    SoftplusQuadratic,
    Squared,
    TwoCurvature,
)

dimensions = st.integers(1, 4)
seeds = st.integers(0, 2**20)


def rotation(dim: int, rng: np.random.Generator) -> Array:
    """A random orthogonal matrix."""
    return np.asarray(np.linalg.qr(rng.standard_normal((dim, dim)))[0])


@st.composite
def spectra(draw: st.DrawFn, dim: int | None = None) -> Array:
    """Eigenvalues between 1/50 and 50, sometimes all equal."""
    d = draw(dimensions) if dim is None else dim
    exponents = st.floats(-1.7, 1.7)
    if draw(st.booleans()):
        return np.full(d, 10.0 ** draw(exponents))
    return 10.0 ** np.array(draw(st.lists(exponents, min_size=d, max_size=d)))


@st.composite
def covariances(draw: st.DrawFn, dim: int | None = None) -> Array:
    """Diagonal or not, condition number at most 2500."""
    values = draw(spectra(dim))
    if draw(st.booleans()):
        return np.diag(values)
    q = rotation(len(values), np.random.default_rng(draw(seeds)))
    sigma = (q * values) @ q.T
    return np.asarray((sigma + sigma.T) / 2)


@st.composite
def elliptical_designs(draw: st.DrawFn, dim: int | None = None) -> Design:
    sigma = draw(covariances(dim))
    d = len(sigma)
    match draw(st.integers(0, 3)):
        case 0:
            return Gaussian(sigma)
        case 1:
            return StudentT(sigma, draw(st.floats(4.1, 50.0)))
        case 2:
            return Elliptical(sigma, draw(st.floats(d / (d + 2), 10.0)))
        case _:
            return ScaleMixture(sigma, [1.0, draw(st.floats(0.1, 10.0))], [0.25, 0.75])


@st.composite
def independent_designs(draw: st.DrawFn, dim: int | None = None) -> IndependentCoordinates:
    d = draw(dimensions) if dim is None else dim
    rng = np.random.default_rng(draw(seeds))
    laws = [GAUSSIAN, RADEMACHER, UNIFORM, LAPLACE, sparse(0.25), with_kurtosis(4.5)]
    m = d + draw(st.integers(0, 2))
    mixing = rng.standard_normal((d, m)) + 2 * np.eye(d, m)
    return IndependentCoordinates(mixing, [draw(st.sampled_from(laws)) for _ in range(m)])


@st.composite
def finite_designs(draw: st.DrawFn, dim: int | None = None) -> FiniteSupport:
    d = draw(dimensions) if dim is None else dim
    rng = np.random.default_rng(draw(seeds))
    n = d + draw(st.integers(0, 6))
    atoms = np.concatenate([np.eye(d), np.zeros((n - d, d))]) + 0.3 * rng.standard_normal((n, d))
    weights = rng.dirichlet(np.full(n, 3.0)) * 0.9 + 0.1 / n
    return FiniteSupport(atoms, weights / weights.sum()) if draw(st.booleans()) else Empirical(atoms)


@st.composite
def one_hot_designs(draw: st.DrawFn, dim: int | None = None) -> OneHot:
    d = draw(dimensions) if dim is None else dim
    rng = np.random.default_rng(draw(seeds))
    p = rng.dirichlet(np.full(d, 2.0)) * 0.9 + 0.1 / d
    return OneHot(p / p.sum(), rng.uniform(0.2, 3.0, d) * rng.choice([-1, 1], d))


def designs(dim: int | None = None) -> st.SearchStrategy[Design]:
    return st.one_of(elliptical_designs(dim), independent_designs(dim), finite_designs(dim), one_hot_designs(dim))


fractions = st.fractions(min_value=-3, max_value=3, max_denominator=7)


@st.composite
def rational_supports(draw: st.DrawFn, dim: int | None = None) -> FiniteSupport:
    """Rational atoms that span the space, with rational weights."""
    d = draw(st.integers(1, 3)) if dim is None else dim
    extra = draw(st.integers(1, 3))
    rows = [[Fraction(2 if i == j else 0) for j in range(d)] for i in range(d)]
    rows += [draw(st.lists(fractions, min_size=d, max_size=d)) for _ in range(extra)]
    counts = draw(st.lists(st.integers(1, 9), min_size=d + extra, max_size=d + extra))
    return FiniteSupport(rows, [Fraction(c, sum(counts)) for c in counts])


positive = st.floats(0.05, 5.0)


def residual_losses() -> st.SearchStrategy[Loss]:
    """Losses of z - b, for real labels."""
    return st.one_of(
        st.builds(Squared, positive),
        st.builds(SoftplusQuadratic, positive, positive, positive),
        st.builds(PseudoHuber, positive, positive, positive),
        st.builds(SmoothQuantile, positive, st.floats(0.05, 0.95), positive),
        st.builds(lambda mu, extra, delta: TwoCurvature(mu + extra, mu, delta), positive, positive, positive),
    )


def losses() -> st.SearchStrategy[Loss]:
    return st.one_of(residual_losses(), st.builds(Logistic, positive), st.builds(Poisson, st.floats(0.3, 3.0)))
