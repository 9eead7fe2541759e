"""The bias of the inner loop for every distribution: what breaks the claims, and what random designs say."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from theory.kernel import Claim
from theory.kernel.errors import KernelError
from theory.papers.sada.inner_loop._bias_of_every_size import contracts
from theory.papers.sada.inner_loop._tail_of_every_size import start_in_the_gradient, tail_is_short
from theory.project import project
from theory.provers.driver import certify

ONE, RUN, TAIL = "lem:bias-bound#one step", "lem:bias-bound#step of the run", "lem:r-bound#tail"
ENTRY = "lem:r-bound#start in the gradient"


def claim(key: str) -> Claim:
    return project("sada").checks[key].claim


def plan(key: str) -> object:
    state = contracts("y[t, g]", "z[t, g]", {"g": "H"}, "advance")
    return {ONE: contracts("y", "z", {}), RUN: state, TAIL: tail_is_short(), ENTRY: start_in_the_gradient()}[key]


def library() -> dict[str, Claim]:
    return {key: check.claim for key, check in project("sada").checks.items() if check.claim is not None}


def rewritten(key: str, old: str, new: str) -> Claim:
    """The same claim with another goal or another hypothesis."""
    before = claim(key)
    says, given = (tuple(str(one).replace(old, new) for one in side) for side in (before.says, before.given))
    where = tuple((name, text.replace(old, new)) for name, text in before.where)
    after = replace(before, says=says, given=given, where=where)
    assert after != before
    return after


@pytest.mark.parametrize(
    ("key", "old", "new"),
    [
        (ONE, "theta/gam*norm2", "theta/(2*gam)*norm2"),
        (ONE, "(1 - theta)*(norm2(x)", "(1 - 2*theta)*(norm2(x)"),
        (ONE, "theta <= gam*mu", "theta <= 2*gam*mu"),
        (ONE, "<= 2*step", "<= 3*step"),
        (ONE, "kt*Sigma", "2*kt*Sigma"),
        (ONE, "- gam*(P[w] @ y)", "+ gam*(P[w] @ y)"),
        (RUN, "(1 - theta)/(1 + theta)", "(1 - theta)"),
        (RUN, "theta/gam*norm2", "theta/(2*gam)*norm2"),
        (TAIL, "m**2/2", "m**2/4"),
        (TAIL, "(1 - theta)**(n)", "(1 - theta)**(n + n)"),
        (ENTRY, "<= 2*norm2", "<= norm2"),
        (ENTRY, "Sigma @ delta == grad", "delta == grad"),
    ],
)
def test_a_claim_that_says_more_is_refused(key: str, old: str, new: str) -> None:
    certify(claim(key), library(), plan=plan(key))
    with pytest.raises(KernelError):
        certify(rewritten(key, old, new), library(), plan=plan(key))


def design(seed: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Samples with equal weights, Sigma and its inverse."""
    draws = np.random.default_rng(seed)
    a = draws.normal(size=(7, 3)) * np.array([1.0, 0.6, 0.3])
    sigma = np.einsum("wi,wj->ij", a, a) / len(a)
    return a, sigma, np.linalg.inv(sigma)


def largest(form: np.ndarray, inverse: np.ndarray) -> float:
    return float(np.linalg.eigvals(form @ inverse).real.max())


@pytest.mark.parametrize("seed", range(4))
def test_the_bounds_hold_on_random_designs(seed: int) -> None:
    a, sigma, inverse = design(seed)
    outer = np.einsum("wi,wj->wij", a, a)
    r2 = largest(np.einsum("w,wij->ij", (a**2).sum(1), outer) / len(a), inverse)
    kt = largest(np.einsum("w,wij->ij", np.einsum("wi,ij,wj->w", a, inverse, a), outer) / len(a), inverse)
    low, high = np.linalg.eigvalsh(sigma)[[0, -1]]
    step = 1 / (16 * r2)
    theta = np.sqrt(low * step / kt) / 4
    gam, n, unit, none = theta / low, 30, np.eye(3), np.zeros((3, 3))
    c, q = (1 - theta) / (1 + theta), (step + theta * gam) / (1 + theta)
    moves = []
    for p in outer:
        block = np.block([[none, unit - step * p], [-c * unit, (1 + c) * unit - q * p]])
        moves.append(np.block([[block, np.zeros((6, 6))], [block, np.eye(6)]]))
    delta = np.random.default_rng(seed + 100).normal(size=3)
    start = delta @ delta + low * delta @ inverse @ delta
    state = np.concatenate([delta, delta, np.zeros(6)])
    second = np.outer(state, state)
    for t in range(1, 2 * n + 1):
        second = sum(move @ second @ move.T for move in moves) / len(moves)
        if t == n:
            second[6:], second[:, 6:] = 0, 0  # the sum starts again: the tail
        z = np.hstack([-unit, (1 + theta) * unit]) / theta
        energy = np.trace(second[:3, :3]) + low * np.trace(inverse @ z @ second[:6, :6] @ z.T)
        assert energy <= (1 - theta) ** t * start * (1 + 1e-9)
    decay = (1 - theta) ** n
    gradient = delta @ sigma @ delta
    r = np.trace(sigma @ second[6:9, 6:9]) / n**2
    assert 0 < r <= high / low * decay * (1 + decay) * gradient
