"""The engine against its definition in balls, on random hard instances: is every number within its stated error?

Hard: condition numbers up to 1e10, equal eigenvalues, steps from 1e-6 to 10 times the printed ones, horizons up to 1e9,
rotated and diagonal Sigma, heavy and thin tails, finite supports. The truth is the definition word for word in Arb
balls with 53 right bits or more; weights of atoms are multiples of 1/64, so that they sum to one exactly.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from numerics.covariance import Definition, balls, bias_covariance, core_covariance, covariance
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
)
from numerics.operators import Array, Blocks, StepSizes

# (T up to, relative error): what the docstring of numerics.covariance promises
STATED = ((10, 2e-15), (10**3, 5e-15), (10**6, 5e-14), (10**9, 1e-11))
BIAS = 1e-12  # for each step, of the bias covariance: it decays by many orders, and its digits go with the horizon
KINDS = ("gaussian", "student", "thin", "laplace", "signs", "onehot", "finite")
STEPPED = ("laplace", "finite")  # designs that the engine can only step through: shorter horizons
BITS = (600, 2400)
DECAYED = 1e-140  # a bias below this is zero for every purpose; the engine drops entries of that size


@dataclass(frozen=True, eq=False)
class Instance:
    kind: str
    design: Design
    steps: StepSizes
    noise: Array
    start: Array
    horizon: int

    def __str__(self) -> str:
        cond = float(np.linalg.cond(self.design.sigma))
        return f"{self.kind}, d = {self.design.dim}, T = {self.horizon}, eta = {self.steps.eta:.3g}, cond = {cond:.2g}"


@dataclass(frozen=True)
class Coverage:
    """`worst` is the largest error as a fraction of the stated one; `outside` names what exceeds it."""

    instances: int
    numbers: int
    worst: float
    largest: float
    outside: tuple[str, ...]


def random_instance(rng: np.random.Generator) -> Instance:
    kind, dim = KINDS[int(rng.integers(len(KINDS)))], int(rng.integers(1, 3))
    design = _design(kind, dim, rng)
    horizon = int(10 ** rng.uniform(0, 3.5 if kind in STEPPED else np.log10(STATED[-1][0])))
    factor = np.linalg.cholesky(design.sigma) @ rng.standard_normal((dim, dim))
    noise = factor @ factor.T
    start = rng.standard_normal(dim)
    return Instance(kind, design, _steps(design, 10 ** rng.uniform(-6, 1)), (noise + noise.T) / 2, start, horizon)


def _design(kind: str, dim: int, rng: np.random.Generator) -> Design:
    lam = 10.0 ** rng.uniform(-10, 0, dim)
    if rng.random() < 0.2:
        lam[:] = lam[0]
    turn = np.eye(dim) if rng.random() < 0.5 else np.linalg.qr(rng.standard_normal((dim, dim)))[0]
    sigma = (turn * lam) @ turn.T
    sigma = (sigma + sigma.T) / 2
    match kind:
        case "gaussian":
            return Gaussian(sigma)
        case "student":
            return StudentT(sigma, nu=4 + 10 ** rng.uniform(-1, 2))
        case "thin":
            return Elliptical(sigma, kurtosis=dim / (dim + 2))
        case "laplace":
            return IndependentCoordinates.from_sigma(np.diag(lam), LAPLACE)
        case "signs":
            return IndependentCoordinates.from_sigma(np.diag(lam), RADEMACHER)
        case "onehot":
            return OneHot(_weights(dim, rng), 10 ** rng.uniform(-3, 1, dim))
        case _:
            return FiniteSupport(rng.standard_normal((dim + 2, dim)), _weights(dim + 2, rng))


def _weights(count: int, rng: np.random.Generator) -> Array:
    return np.asarray((1 + rng.multinomial(64 - count, np.full(count, 1 / count))) / 64)


def _steps(design: Design, scale: float) -> StepSizes:
    """The paper's, with eta = scale / (16 R^2)."""
    eta = scale / (16 * design.r2)
    root = np.sqrt(eta / design.kappa_tilde) / 4
    return StepSizes(eta, float(root * np.sqrt(design.mu)), float(root / np.sqrt(design.mu)))


def errors(one: Instance) -> Iterator[tuple[str, float, float]]:
    """(what, error, stated error) of C_T, the bias covariance and Pi_T, block by block in the Frobenius norm."""
    found = {
        "covariance": covariance(one.design, one.steps, one.noise, one.horizon),
        "bias": bias_covariance(one.design, one.steps, one.start, one.horizon),
        "core": core_covariance(one.design, one.steps, one.noise, one.horizon),
    }
    right = truths(one)
    for what, value in found.items():
        if np.linalg.norm(right[what].c22) > DECAYED:
            stated = stated_error(one.design, one.horizon, bias=what == "bias")
            yield what, apart(value, right[what]), stated


def truths(one: Instance) -> dict[str, Blocks]:
    """The definition in balls; with more bits where the first ones do not suffice."""
    for bits in BITS:
        try:
            return _truths(one, bits)
        except ArithmeticError:
            if bits == BITS[-1]:
                raise
    raise AssertionError("unreachable: the last precision returns or raises")


def _truths(one: Instance, bits: int) -> dict[str, Blocks]:
    field = balls(bits)
    with field.precision():
        it = Definition.of(one.design, one.steps, field)
        push = it.noise(field.from_array(one.noise))
        return {
            "covariance": it.blocks(it.leap(it.zero(), push, one.horizon)),
            "bias": it.blocks(it.leap(it.start(one.start), it.zero(), one.horizon)),
            "core": it.blocks(it.leap(it.zero(), push, one.horizon, mean_only=True)),
        }


def stated_error(design: Design, horizon: int, *, bias: bool = False) -> float:
    """As `numerics.covariance` states it; a rotated Sigma costs its condition number."""
    base = next((error for most, error in STATED if horizon <= most), float("inf"))
    diagonal = np.count_nonzero(design.sigma - np.diag(np.diagonal(design.sigma))) == 0
    return max(base, BIAS * horizon if bias else 0.0) * (1.0 if diagonal else float(np.linalg.cond(design.sigma)))


def apart(found: Blocks, right: Blocks) -> float:
    pairs = ((found.c11, right.c11), (found.c12, right.c12), (found.c22, right.c22))
    return max(float(np.linalg.norm(a - b) / np.linalg.norm(b)) for a, b in pairs)


def measure(count: int, rng: np.random.Generator) -> Coverage:
    outside, worst, largest, numbers = [], 0.0, 0.0, 0
    for _ in range(count):
        one = random_instance(rng)
        for what, error, stated in errors(one):
            numbers += 1
            worst, largest = max(worst, error / stated), max(largest, error)
            if not error <= stated:
                outside.append(f"{what} of {one}: error {error:.2g}, stated {stated:.2g}")
    return Coverage(count, numbers, worst, largest, tuple(outside))
