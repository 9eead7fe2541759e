"""lem:outer-one-step: its claims against real functions, exactly, and its certificates against tampering."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from math import isqrt
from typing import Any

import numpy as np
import pytest

from numerics import outer
from tests.sada import SADA
from theory.claims.statement import Check
from theory.kernel import Rejected, Verdict
from theory.kernel.errors import KernelError
from theory.kernel.evaluate import evaluate
from theory.kernel.judge import check_certificate
from theory.kernel.points import holds, satisfies_hypotheses
from theory.kernel.rings import Exact
from theory.ledger.judging import as_it_stands
from theory.papers.sada.outer_loop import _energy as energies
from theory.papers.sada.outer_loop._momentum_variants import HALF_STEP
from theory.papers.sada.outer_loop.lem_outer_one_step import STATEMENT
from theory.provers import driver

Q = Fraction
CHECKS = {check.key: check for check in STATEMENT.checks}
KEY = "lem:outer-one-step"
RULES = {
    f"{KEY}/repaired": outer.REPAIRED_ENERGY,
    f"{KEY}/sharper#printed algorithm": outer.REPAIRED_ENERGY,
    f"{KEY}/sharper": outer.HALF_STEP,
}
SKETCH = "lem:outer-sketch/repaired"


@dataclass(frozen=True)
class Quadratic:
    """F(x) = (scale/d) * sum of q_i (x_i - o_i)^2/2: a sample is one of the unit vectors, so that H = (scale/d) I."""

    q: tuple[Fraction, ...]
    o: tuple[Fraction, ...]
    scale: Fraction

    def value(self, at: list[Fraction]) -> Fraction:
        squares = [q * (x - o) ** 2 for q, x, o in zip(self.q, at, self.o, strict=True)]
        return self.scale / len(squares) * sum(squares) / 2

    def letters(self) -> dict[str, Any]:
        size = len(self.q)
        half = [[f"1/{size}" if i == j else "0" for j in range(size)] for i in range(size)]
        slopes = [f"{self.scale * q}*(x[{i}] - ({o}))" for i, (q, o) in enumerate(zip(self.q, self.o, strict=True), 1)]
        losses = [f"{slope}*(x[{i}] - ({o}))/2" for i, (slope, o) in enumerate(zip(slopes, self.o, strict=True), 1)]
        return {
            "a": {str(i + 1): [str(int(i == j)) for j in range(size)] for i in range(size)},
            "p_S": [f"1/{size}"] * size,
            "Sigma": half,
            "ell": {str(i): {"of": "x", "is": one} for i, one in enumerate(losses, 1)},
            "dl": {str(i): {"of": "x", "is": one} for i, one in enumerate(slopes, 1)},
            "Ll": str(self.scale),
            "d": str(size),
        }


def rational(rng: np.random.Generator, low: float, high: float) -> Fraction:
    return Q(int(rng.integers(round(low * 64), round(high * 64) + 1)), 64)


def text(vector: list[Fraction]) -> list[str]:
    return [str(one) for one in vector]


def run(key: str, rng: np.random.Generator) -> dict[str, Any]:
    """A quadratic, a state, a bias and a noise as large as the bounds allow (up to a rational root)."""
    rule, alpha = RULES[key], Q(int(rng.integers(1, 30)))
    theta = Q(1, int(rng.integers(4, 40)) + 4 * int(alpha))
    previous = 1 / (1 / theta - rational(rng, 0, 1 / 4))
    q = [max(1 / alpha, rational(rng, 0, 1)) for _ in range(2)]
    o, x, p = ([rational(rng, -3, 3) for _ in range(2)] for _ in range(3))
    loss = Quadratic(tuple(q), tuple(o), Q(int(rng.integers(1, 5)), int(rng.integers(1, 5))))
    beta = outer.momentum(rule, theta, previous)
    y = [a + beta * (a - b) for a, b in zip(x, p, strict=True)]
    s = rule.step * alpha * theta**2  # L_l h_k
    descent = [c * (a - b) for c, a, b in zip(q, y, o, strict=True)]  # H^-1 grad F
    part = Q(isqrt(int(s / (8 * alpha) * 10**12)), 10**6)
    signs = [int(rng.choice([-1, 1])) for _ in range(2)]
    r = [[loss.scale * part * sign * c for c in descent] for sign in signs]
    sig2, leff, horizon = rational(rng, 0, 2), Q(1), 24 * alpha * theta
    room = loss.scale * sig2 + loss.scale**2 * (leff / horizon) * loss.value(y)
    size = [rational(rng, 0, 1) for _ in range(2)]
    while loss.scale / 2 * sum(c * c for c in size) > room:
        size = [c / 2 for c in size]
    v = [size, [-c for c in size]]
    reached = [
        [b - s * c + s / loss.scale * (e + n) for b, c, e, n in zip(y, descent, r[u], v[u], strict=True)]
        for u in range(2)
    ]
    numbers = {"alpha": alpha, "th": theta, "tp": previous, "T": horizon, "Leff": leff, "sig2": sig2}
    return {
        **{name: str(one) for name, one in numbers.items()},
        **loss.letters(),
        **{name: text(one) for name, one in (("x", x), ("p", p), ("y", y), ("o", o))},
        **{
            name: {str(u): text(one) for u, one in enumerate(each, 1)}
            for name, each in (("r", r), ("v", v), ("xk", reached))
        },
        "p_U": ["1/2", "1/2"],
    }


@pytest.mark.parametrize("key", RULES)
def test_real_functions_satisfy_the_hypotheses_and_then_the_energy_contracts(key: str) -> None:
    rng = np.random.default_rng(11)
    claim = CHECKS[key].claim
    for _ in range(25):
        env = satisfies_hypotheses(claim, run(key, rng))
        assert all(holds(goal, env) for goal in claim.goals)


@pytest.mark.parametrize("key", RULES)
def test_the_energies_of_the_claim_are_those_of_an_independent_iteration(key: str) -> None:
    """One coordinate, r = share * g, no noise: both sides of the claim against numerics.outer.one_step."""
    rule, alpha, theta, q, x, gap, share = RULES[key], Q(5), Q(1, 20), Q(1, 2), Q(3), Q(1, 4), Q(1, 200)
    previous = 1 / (1 / theta - Q(1, 8))
    old, new = outer.one_step(rule, alpha, theta, previous, q, x, gap, share)
    y = x + outer.momentum(rule, theta, previous) * gap
    moved = y - rule.step * alpha * theta**2 * (1 - share) * q * y
    point = {
        **Quadratic((q,), (Q(0),), Q(1)).letters(),
        "alpha": "5",
        "th": "1/20",
        "tp": str(previous),
        "T": "1000",
        "Leff": "1",
        "sig2": "0",
        "p_U": ["1"],
        "x": [str(x)],
        "p": [str(x - gap)],
        "y": [str(y)],
        "o": ["0"],
        "xk": {"1": [str(moved)]},
        "v": {"1": ["0"]},
        "r": {"1": [str(share * q * y)]},
    }
    claim = CHECKS[key].claim
    env = satisfies_hypotheses(claim, point)
    (goal,) = claim.goals
    rate = Q(1, 2) if key.endswith("repaired") else Q(11, 12)
    sides = [str(evaluate(side, env, Exact())) for side in (goal.left, goal.right)]
    assert sides == [str(new), str((1 - rate * theta) * old)]


@pytest.mark.parametrize("key", [*RULES, SKETCH])
def test_the_lemma_is_proved_without_a_link(key: str) -> None:
    record = as_it_stands(SADA.judge([key], jobs=1)).by_key()[key]
    assert (record.verdict, record.links) == (Verdict.PROVED, ())


def test_the_corrected_momentum_is_smaller_where_theta_falls_and_the_printed_one_elsewhere() -> None:
    printed, ours = (outer.momentum(rule, Q(1, 5), Q(1, 4)) for rule in (outer.REPAIRED_ENERGY, outer.HALF_STEP))
    assert ours < printed == outer.momentum(outer.HALF_STEP, Q(1, 5), Q(1, 5))


SHARPEST = f"{KEY}#at a given past, with half the step"


@lru_cache(maxsize=2)
def certified() -> tuple[Check, dict[str, Any]]:
    check = CHECKS[SHARPEST]
    return check, driver.certify(check.claim, SADA.library, driver.normal(), check.proof)


def test_the_certificate_of_the_sharpest_step_is_accepted_by_the_kernel_alone() -> None:
    check, certificate = certified()
    below = {f"{KEY}#smallness", f"{KEY}#coefficients at a given past, with half the step"}
    assert check_certificate(check.claim, certificate, SADA.library).cited == below


@pytest.mark.parametrize(("old", "new"), [("4/7", "1/2"), ("11/12", "1"), ("1/(2*alpha)", "1/(3*alpha)")])
def test_the_certificate_does_not_prove_a_stronger_or_another_energy_inequality(old: str, new: str) -> None:
    check, certificate = certified()
    changed = replace(check.claim, says=(check.claim.says[0].replace(old, new),))
    assert changed.says != check.claim.says
    with pytest.raises(Rejected):
        check_certificate(changed, certificate, SADA.library)


@pytest.mark.parametrize("key", [f"{KEY}/sharper", SHARPEST])
def test_every_hypothesis_is_needed_for_the_certificate(key: str) -> None:
    check = CHECKS[key]
    certificate = driver.certify(check.claim, SADA.library, driver.normal(), check.proof)
    assert list(idle(check, certificate)) == []


def idle(check: Check, certificate: dict[str, Any]) -> Iterator[str]:
    for position, source in enumerate(check.claim.given):
        given = tuple("0 <= 1" if i == position else one for i, one in enumerate(check.claim.given))
        try:
            check_certificate(replace(check.claim, given=given), certificate, SADA.library)
        except KernelError:
            continue
        yield source


def test_a_multiplier_that_is_changed_is_noticed() -> None:
    check, certificate = certified()
    forged = copy.deepcopy(certificate)
    node = forged["goals"][0]
    while node["kind"] != "order":
        node = node["then"]
    node["items"][0]["c"] = [{"fact": "coefficients.2"}]
    with pytest.raises(Rejected):
        check_certificate(check.claim, forged, SADA.library)


@pytest.mark.parametrize("noise", ["1/2", "11/20"])
def test_less_noise_than_the_budget_allows_is_not_certified(noise: str) -> None:
    below = CHECKS[f"{KEY}#coefficients at a given past, with half the step"]
    says = tuple(one.replace("4/7*alpha", f"{noise}*alpha") for one in below.claim.says)
    assert says != below.claim.says
    assert (
        driver.prove(replace(below.claim, id="stronger", says=says), SADA.library, driver.quick(), below.proof) is None
    )


def test_the_refuting_instance_grows_in_an_independent_iteration_too() -> None:
    witness = CHECKS[KEY].witness
    assert witness is not None
    point = witness.as_dict()
    theta, x = Q(point["th"]), Q(point["x"][0])
    assert point["tp"] == point["th"] == point["tn"]
    old, new = outer.one_step(
        outer.PRINTED, Q(point["alpha"]), theta, theta, Q(point["q"][0]), x, x - Q(point["p"][0]), Q(0)
    )
    assert new > old


def test_the_multipliers_are_the_ones_that_the_module_names() -> None:
    assert energies.F == "(1+th/12)"
    assert HALF_STEP.m_v == f"((alpha*th**2)/2*({energies.F}+(alpha*th**2))*(1+1/33))"
