"""Designs, noises and step sizes for the tests of the dynamics."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st

from numerics.designs import (
    LAPLACE,
    RADEMACHER,
    Design,
    Elliptical,
    FiniteSupport,
    Gaussian,
    IndependentCoordinates,
    OneHot,
    StudentT,
    sparse,
)
from numerics.operators import Array, Blocks, StepSizes

KINDS = ("gaussian", "student", "thin", "finite", "onehot", "laplace", "signs", "mixed")


def random_design(kind: str, d: int, rng: np.random.Generator) -> Design:
    """A design of one kind with a random, non-diagonal Sigma where the kind allows one."""
    lam = np.sort(10.0 ** rng.uniform(-2, 0, d))
    vectors = np.linalg.qr(rng.standard_normal((d, d)))[0]
    sigma = (vectors * lam) @ vectors.T
    sigma = (sigma + sigma.T) / 2
    match kind:
        case "gaussian":
            return Gaussian(sigma)
        case "student":
            return StudentT(sigma, nu=5.5)
        case "thin":
            return Elliptical(sigma, kurtosis=d / (d + 2))
        case "onehot":
            return OneHot(rng.dirichlet(np.full(d, 3.0)), rng.uniform(0.5, 2, d))
        case "laplace":
            return IndependentCoordinates.from_sigma(sigma, LAPLACE)
        case "signs":
            return IndependentCoordinates.from_sigma(np.diag(lam), RADEMACHER)
        case "mixed":
            return IndependentCoordinates(rng.standard_normal((d, d + 1)), sparse(0.4))
        case _:
            return FiniteSupport(rng.standard_normal((d + 2, d)), rng.dirichlet(np.full(d + 2, 4.0)))


def random_noise(d: int, rng: np.random.Generator) -> Array:
    """A positive semidefinite matrix that commutes with nothing."""
    factor = rng.standard_normal((d, d))
    return factor @ factor.T


def printed_steps(design: Design, scale: float = 1.0) -> StepSizes:
    """The paper's step sizes with eta = scale / (16 R^2)."""
    eta = scale / (16 * design.r2)
    root = np.sqrt(eta / design.kappa_tilde) / 4
    return StepSizes(eta, float(root * np.sqrt(design.mu)), float(root / np.sqrt(design.mu)))


def apart(a: Blocks, b: Blocks) -> float:
    """The largest relative distance of two block matrices, block by block in the Frobenius norm."""
    pairs = ((a.c11, b.c11), (a.c12, b.c12), (a.c22, b.c22))
    return max(float(np.linalg.norm(x - y) / np.linalg.norm(y)) for x, y in pairs)


@st.composite
def cases(draw: st.DrawFn, kinds: tuple[str, ...] = KINDS, most: int = 3) -> tuple[Design, StepSizes, Array, Array]:
    """A design, its step sizes (printed, or larger by up to ten), a non-commuting R and a start."""
    kind, d = draw(st.sampled_from(kinds)), draw(st.integers(1, most))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    design = random_design(kind, d, rng)
    steps = printed_steps(design, draw(st.sampled_from((1.0, 10.0, 1e-3))))
    return design, steps, random_noise(d, rng), rng.standard_normal(d)
