"""Random parameters for the third opinion: all three regimes of A(lambda), and their borders.

The critical eigenvalues are found from runs of the algorithm, not from the formulas that are to be tested.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import mpmath

from theory.papers.sada.derivations import _runs as runs

Point = tuple[str, dict[str, Any]]
TINY = "1e-12"


def discriminant(v: dict[str, Any], lam: Any) -> Any:
    """(trace)^2 - 4 det of the block that the algorithm runs."""
    (a, b), (c, d) = runs.matrix({**v, "lam": lam})
    return (a + d) ** 2 - 4 * (a * d - b * c)


def critical(v: dict[str, Any]) -> tuple[Any, Any]:
    """Where the discriminant, a quadratic in lambda, vanishes: from its values at 1, 2 and 3."""
    one, two, three = (discriminant(v, mpmath.mpf(i)) for i in (1, 2, 3))
    second = (three - 2 * two + one) / 2
    first = two - one - 3 * second
    constant = one - first - second
    root = mpmath.sqrt(first**2 - 4 * second * constant)
    return (-first - root) / (2 * second), (-first + root) / (2 * second)


def inner(rng: random.Random, each: int = 2) -> Iterator[Point]:
    """theta, eta, gamma, lambda, and a number k of steps."""
    for i in range(each):
        v = _steps(rng, mpmath.mpf(rng.randint(20, 80)) / 1000)
        low, high = critical(v)
        share = mpmath.mpf(rng.randint(5, 95)) / 100
        tiny = mpmath.mpf(TINY)
        for where, lam in (
            ("lambda below lambda_L", low * share),
            ("lambda between lambda_L and lambda_U", low + (high - low) * share),
            ("lambda above lambda_U", high * (1 + share / 10)),
            ("just below lambda_L", low * (1 - tiny)),
            ("just above lambda_L", low * (1 + tiny)),
            ("just below lambda_U", high * (1 - tiny)),
            ("just above lambda_U", high * (1 + tiny)),
            ("eta lambda -> 0", tiny / v["eta"]),
        ):
            yield where, {**v, "lam": lam, "k": rng.randint(1, 9) if i else 1 + len(where) % 3}
        v = _steps(rng, mpmath.mpf("1e-8"))
        yield "theta -> 0", {**v, "lam": mpmath.mpf(rng.randint(1, 90)) / 100 / v["eta"], "k": rng.randint(1, 9)}


def _steps(rng: random.Random, theta: Any) -> dict[str, Any]:
    """gamma/eta between 3/2 and 1/(8 theta), where lambda_U is below 1/eta."""
    eta = mpmath.mpf(rng.randint(50, 500)) / 1000
    most = min(1 / (8 * theta), mpmath.mpf(40))
    ratio = mpmath.mpf(3) / 2 + (most - mpmath.mpf(3) / 2) * rng.randint(0, 100) / 100
    return {"theta": theta, "eta": eta, "gam": eta * ratio}


def pairs(rng: random.Random, each: int = 2) -> Iterator[Point]:
    """The same with a second eigenvalue."""
    for where, v in inner(rng, each):
        yield where, {**v, "nu": v["lam"] * rng.randint(30, 150) / 100}


def outer(rng: random.Random, each: int = 6) -> Iterator[Point]:
    """Parameters of the outer loop: theta_k <= theta_{k-1}, alpha, L_l, and a point of the quadratic."""
    ends = {"alpha": (1, 40), "Ll": (0.1, 5), "x": (-4, 0), "p": (1, 4), "a": (0.2, 1), "c": (0.01, 3), "L0": (0.1, 9)}
    for i in range(each):
        previous = mpmath.mpf(rng.randint(50, 280)) / 1000 if i else mpmath.mpf("1e-8")
        later = previous * rng.randint(70, 100) / 100 if i % 2 else previous
        where = "theta_k < theta_{k-1}" if i % 2 else "theta constant" if i else "theta constant, theta -> 0"
        numbers = {name: mpmath.mpf(rng.uniform(*both)) for name, both in ends.items()}
        yield where, {**numbers, "tp": previous, "th": later, "k": rng.randint(1, 12)}


def moments(rng: random.Random, each: int = 4) -> Iterator[Point]:
    """A random curvature with two equally likely values, and a symmetric matrix of second moments."""
    for where, v in inner(rng, 1):
        spread = v["lam"] * rng.randint(1, 99) / 100
        entries = {name: mpmath.mpf(rng.randint(1, 50)) / 10 for name in ("m11", "m12", "m21", "m22", "R")}
        yield where, {**v, **entries, "spread": spread}


def choices(rng: random.Random, each: int = 6) -> Iterator[Point]:
    """eta, mu, kappa~."""
    for i in range(each):
        eta = mpmath.mpf(rng.randint(1, 60)) / 1000 if i else mpmath.mpf("1e-10")
        yield "eta -> 0" if not i else "chosen", {
            "eta": eta, "mu": mpmath.mpf(rng.randint(1, 100)) / 1000, "kt": mpmath.mpf(rng.randint(10, 300)) / 10,
        }  # fmt: skip


FAMILIES = {"inner": inner, "pairs": pairs, "outer": outer, "moments": moments, "choices": choices}
