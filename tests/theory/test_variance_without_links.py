"""The variance bound rests on the assumptions of the paper alone: break anything below it and it falls."""

from __future__ import annotations

import re

import numpy as np
import pytest

from tests.sada import SADA
from theory.kernel import Verdict
from theory.ledger.judging import as_it_stands
from theory.mutants.through import EMPTY, FALSE, Held, closure, falls

TOP = "lem:v-bound/repaired#every distribution"
MEAN = "lem:v-bound#mean of v"
LAYERS = "lem:v-bound/repaired#by layers"
SHARPER = "lem:v-bound/sharper#every distribution"


@pytest.fixture(scope="module")
def held() -> dict[str, Held]:
    ledger = as_it_stands(SADA.judge([TOP, MEAN, LAYERS, SHARPER], jobs=1))
    return {r.key: Held(r.claim, r.evidence, r.judgement.cites) for r in ledger.records if r.evidence.certificate}


def test_the_bound_is_proved_without_a_link() -> None:
    for key in (TOP, SHARPER, MEAN, LAYERS):
        record = as_it_stands(SADA.judge([key], jobs=1)).by_key()[key]
        assert record.verdict is Verdict.PROVED
        assert record.links == ()


def test_it_rests_on_the_recursion_of_the_covariance_and_on_a_fresh_sample(held: dict[str, Held]) -> None:
    below = closure([TOP], held)
    assert "lem:layer-peeled-decomposition/disp:733.1" in below
    assert "lem:layer-peeled-decomposition/disp:733.mean zero" in below
    assert len(below) > 40


@pytest.mark.parametrize("how", [EMPTY, FALSE])
@pytest.mark.parametrize(
    "key",
    [
        "lem:layer-peeled-decomposition/disp:733.mean zero",
        "lem:v-decom/repaired",
        "lem:var-sigma-l-recursion",
        "lem:v-bound#energy",
        "lem:v-L-var",
        "def:L-var#recursion",
        "lem:Pi-average-bound#tail step",
        "lem:Pi-average-bound#block",
        "lem:v-bound#stationary entry",
        "lem:v-bound#fourth moment",
        "lem:gradient-bound",
        "lem:noise-bound-Sigma-inverse",
    ],
)
def test_the_bound_falls_with_what_it_rests_on(key: str, how: str, held: dict[str, Held]) -> None:
    assert TOP in falls(key, how, held, SADA.library)


@pytest.mark.parametrize("how", [EMPTY, FALSE])
def test_the_sharper_bound_rests_on_the_order_of_the_covariances_instead_of_layers(
    how: str, held: dict[str, Held]
) -> None:
    assert LAYERS not in closure([SHARPER], held)
    assert SHARPER in falls("lem:v-bound#covariance grows", how, held, SADA.library)


@pytest.mark.parametrize("how", [EMPTY, FALSE])
@pytest.mark.parametrize(
    "key",
    [
        "lem:v-L-var",
        "lem:v-decom/repaired",
        "def:L-var#linear",
        "lem:layer-peeled-decomposition/disp:992.each step",
        "lem:layer-peeled-decomposition/disp:988.1",
        "def:layer-l#grows",
        "lem:Pi-average-bound#driven",
        "lem:Pi-average-bound",
        "lem:var-sigma-l-recursion",
        "lem:var-sigma-l-recursion/disp:1454.1",
        "lem:var-sigma-l-recursion#at the horizon",
        "lem:var-fourth-moment",
        "lem:Pi-stationary-bound",
        "lem:L-var-bound-C-l",
        "lem:L-var-bound-C-l#at the horizon",
        "lem:L-var-C-tilde/repaired",
        "lem:C-1-bound",
        "lem:noise-bound-2-norm",
    ],
)
def test_the_bound_by_layers_falls_with_each_lemma_of_the_paper(key: str, how: str, held: dict[str, Held]) -> None:
    assert LAYERS in falls(key, how, held, SADA.library)


@pytest.mark.parametrize("top", [TOP, LAYERS])
def test_the_hypotheses_are_those_of_the_paper(top: str) -> None:
    """Nothing of the conclusion is assumed: no hypothesis speaks of a state, a sum of states, a covariance, a layer."""
    claim = SADA.find(top).claim
    assert not [given for given in claim.given if re.search(r"\b(eta|s|C|N|Ct|Cinf|Rest)\[", given)]


def test_the_bound_holds_for_the_algorithm_itself() -> None:
    """The three lines of Algorithm 1, simulated as they are printed, against both sides of the claim; d = 2."""
    rng = np.random.default_rng(7)
    atoms = np.array([[1.0, 0.2], [-0.4, 1.0], [0.3, -0.9]])
    weights, target = np.array([0.5, 0.3, 0.2]), np.array([0.7, -0.2, 0.4])
    sigma = (atoms.T * weights) @ atoms
    inverse = np.linalg.inv(sigma)
    mu = np.linalg.eigvalsh(sigma)[0]
    r2 = np.linalg.eigvalsh(inverse @ ((atoms.T * (weights * (atoms**2).sum(1))) @ atoms))[-1].real
    lengths = np.einsum("ki,ij,kj->k", atoms, inverse, atoms)
    kt = max(np.linalg.eigvals(inverse @ ((atoms.T * (weights * lengths)) @ atoms)).real)
    r2 = max(r2, kt * mu)
    eta = 1 / (16 * r2)
    theta, gamma = 0.25 * np.sqrt(mu * eta / kt), 0.25 * np.sqrt(eta / (kt * mu))
    least = inverse @ (atoms.T @ (weights * target))
    slopes = atoms @ least - target  # the derivative of the squared loss at the minimiser, which is the anchor too
    half, runs = 40, 4000
    x, z = np.zeros((runs, 2)), np.zeros((runs, 2))
    total = np.zeros((runs, 2))
    for t in range(1, 2 * half + 1):
        y = (x + theta * z) / (1 + theta)
        k = rng.choice(3, size=runs, p=weights)
        g = slopes[k, None] * atoms[k] + (atoms[k] * y).sum(1, keepdims=True) * atoms[k]
        x, z = y - eta * g, theta * y + (1 - theta) * z - gamma * g
        total += x if t > half else 0
    v = total / half
    truth = np.einsum("ri,ij,rj->r", v, sigma, v).mean()
    q = (atoms.T * (weights * slopes**2)) @ atoms
    bound = (600 / 7 * np.trace(inverse @ q) + 640 / 7 * eta * kt * np.trace(q)) / (2 * half)
    assert 0.001 * bound < truth < bound
