"""lem:outer-one-step: its claims against real functions, exactly, and its certificates against tampering."""

from __future__ import annotations

import copy
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from math import isqrt
from typing import Any

import numpy as np
import pytest

from numerics import outer
from theory.claims.statement import Check
from theory.kernel import Claim, Rejected
from theory.kernel.errors import KernelError
from theory.kernel.judge import check_certificate
from theory.kernel.points import holds, satisfies_hypotheses
from theory.papers.sada.outer_loop import _energy as energies
from theory.papers.sada.outer_loop._energy import Way, contraction, energy, energy_before, proof
from theory.papers.sada.outer_loop._momentum_variants import EARLY_STOP, HALF_STEP, REPAIRED_MOMENTUM, printed_momentum
from theory.papers.sada.outer_loop.lem_outer_one_step import STATEMENT
from theory.provers import driver

Q = Fraction
CHECKS = {check.key: check for check in STATEMENT.checks}
KEY = "lem:outer-one-step"


@dataclass(frozen=True)
class Reading:
    """A proved reading, the way to run the loop that it speaks of, and the same loop in numerics."""

    key: str
    way: Way
    rule: outer.Rule
    growth: Fraction


READINGS = (
    Reading(f"{KEY}/repaired", printed_momentum("1/2"), outer.REPAIRED_ENERGY, Q(1, 4)),
    Reading(f"{KEY}/sharper#printed algorithm", printed_momentum("11/12"), outer.REPAIRED_ENERGY, Q(1, 4)),
    Reading(f"{KEY}/sharper#momentum", REPAIRED_MOMENTUM, outer.REPAIRED_MOMENTUM, Q(1)),
    Reading(f"{KEY}/sharper", HALF_STEP, outer.HALF_STEP, Q(1)),
    Reading(f"{KEY}/sharper#early stop", EARLY_STOP, outer.HALF_STEP, Q(1)),
)


def rational(rng: np.random.Generator, low: float, high: float) -> Fraction:
    return Q(int(rng.integers(round(low * 64), round(high * 64) + 1)), 64)


def instance(reading: Reading, rng: np.random.Generator, dimension: int = 2) -> dict[str, Any]:
    """A quadratic, a state, a bias and a noise as large as the bounds allow (up to a rational root)."""
    rule, alpha = reading.rule, Q(int(rng.integers(1, 30)))
    theta = Q(1, int(rng.integers(4, 40)) + 4 * int(alpha))
    previous = 1 / (1 / theta - rational(rng, 0, float(reading.growth)))
    scale = Q(int(rng.integers(1, 5)), int(rng.integers(1, 5)))
    s = rule.step * alpha * theta**2
    q = [max(1 / alpha, rational(rng, 0, 1)) for _ in range(dimension)]
    o, x, p = ([rational(rng, -3, 3) for _ in range(dimension)] for _ in range(3))
    beta = outer.momentum(rule, theta, previous)
    y = [a + beta * (a - b) for a, b in zip(x, p, strict=True)]
    g = [c * (a - b) for c, a, b in zip(q, y, o, strict=True)]

    def value(point: list[Fraction]) -> Fraction:
        return sum((c * (a - b) ** 2 for c, a, b in zip(q, point, o, strict=True)), Q(0)) / 2

    # r = +-part * g in each sample, with part^2 just below the bias that is allowed
    allowed = theta / 32 if reading.way is EARLY_STOP else rule.step * theta**2 / 8
    part = Q(isqrt(int(allowed * 10**12)), 10**6)
    signs = [int(rng.choice([-1, 1])) for _ in range(2)]
    r = [[scale * part * sign * c for sign in signs] for c in g]
    sig2, leff, horizon = rational(rng, 0, 2), Q(1), 24 * alpha * theta
    size = [rational(rng, 0, 1) for _ in range(dimension)]
    room = scale * sig2 + scale**2 * (leff / horizon) * value(y)
    shrink = Q(1)
    while sum(c * c for c in size) * shrink**2 > room:
        shrink /= 2
    v = [[c * shrink, -c * shrink] for c in size]
    ends = [[b - s * c + s * (e[w] + n[w]) / scale for b, c, e, n in zip(y, g, r, v, strict=True)] for w in range(2)]
    mean = (value(ends[0]) + value(ends[1])) / 2
    scalars = {
        "Ll": scale,
        "alpha": alpha,
        "th": theta,
        "tp": previous,
        "T": horizon,
        "Leff": leff,
        "sig2": sig2,
        "Fs": Q(0),
        "Fx": value(x),
        "Fy": value(y),
        "Fn": mean,
        "d": dimension,
    }
    families = {"x": x, "p": p, "y": y, "o": o, "g": g, "r": r, "v": v, "p_w": [Q(1, 2), Q(1, 2)]}
    known = CHECKS[reading.key].claim.variables
    return {name: item for name, item in {**scalars, **families}.items() if name in known or name == "p_w"}


def plain(point: dict[str, Any]) -> dict[str, Any]:
    return {name: _text(item) for name, item in point.items()}


def _text(item: Any) -> Any:
    return [_text(part) for part in item] if isinstance(item, list) else str(item)


@pytest.mark.parametrize("reading", READINGS, ids=lambda reading: reading.key)
def test_real_functions_satisfy_the_hypotheses_and_then_the_energy_contracts(reading: Reading) -> None:
    rng = np.random.default_rng(11)
    claim = CHECKS[reading.key].claim
    for _ in range(25):
        env = satisfies_hypotheses(claim, plain(instance(reading, rng)))
        assert all(holds(goal, env) for goal in claim.goals)


@pytest.mark.parametrize("reading", READINGS, ids=lambda reading: reading.key)
def test_the_energies_of_the_claim_are_those_of_an_independent_iteration(reading: Reading) -> None:
    """One coordinate, r = share * g, no noise: both sides of the claim against numerics.outer.one_step."""
    alpha, theta, previous, q, x, gap, share = Q(5), Q(1, 20), Q(1, 19), Q(1, 2), Q(3), Q(1, 4), Q(1, 50)
    old, new = outer.one_step(reading.rule, alpha, theta, previous, q, x, gap, share)
    y = x + outer.momentum(reading.rule, theta, previous) * gap
    s = reading.rule.step * alpha * theta**2
    moved = y - s * (1 - share) * q * y
    point = {
        "Ll": Q(1),
        "alpha": alpha,
        "th": theta,
        "tp": previous,
        "Fs": Q(0),
        "Fx": q * x * x / 2,
        "d": 1,
        "Fn": q * moved**2 / 2,
        "x": [x],
        "p": [x - gap],
        "y": [y],
        "o": [Q(0)],
        "g": [q * y],
        "v": [[Q(0)]],
        "r": [[share * q * y]],
        "p_w": [Q(1)],
    }
    for formula, value in ((energy(reading.way), new), (energy_before(reading.way), old)):
        claim = Claim(id="energy", says=(f"{formula} == {value}",), example=())
        env = satisfies_hypotheses(claim, plain(point))
        assert all(holds(goal, env) for goal in claim.goals)


@lru_cache(maxsize=4)
def certified(key: str) -> tuple[Check, dict[str, Any]]:
    check = CHECKS[key]
    return check, driver.certify(check.claim, {}, driver.normal(), check.proof)


def test_the_certificate_of_the_sharpest_reading_is_accepted_by_the_kernel_alone() -> None:
    check, certificate = certified(f"{KEY}/sharper")
    assert check_certificate(check.claim, certificate, {}).cited == set()


@pytest.mark.parametrize(("old", "new"), [("4/7", "1/2"), ("11/12", "1"), ("1/(2*alpha)", "1/(3*alpha)")])
def test_the_certificate_does_not_prove_a_stronger_or_another_energy_inequality(old: str, new: str) -> None:
    check, certificate = certified(f"{KEY}/sharper")
    changed = replace(check.claim, says=(check.claim.says[0].replace(old, new),))
    assert changed.says != check.claim.says
    with pytest.raises(Rejected):
        check_certificate(changed, certificate, {})


def test_no_hypothesis_of_the_sharpest_reading_is_dispensable_for_its_certificate() -> None:
    check, certificate = certified(f"{KEY}/sharper")
    idle = []
    for position, source in enumerate(check.claim.given):
        given = tuple("0 <= 1" if i == position else one for i, one in enumerate(check.claim.given))
        try:
            check_certificate(replace(check.claim, given=given), certificate, {})
        except KernelError:
            continue
        idle.append(source)
    assert idle == []


def test_a_multiplier_that_is_changed_is_noticed() -> None:
    check, certificate = certified(f"{KEY}/sharper")
    forged = copy.deepcopy(certificate)
    node = forged["goals"][0]
    while node["kind"] == "have":
        node = node["then"]
    assert node["kind"] == "cone"
    node["terms"][1]["c"] = "2"
    with pytest.raises(Rejected, match="differ"):
        check_certificate(check.claim, forged, {})


@pytest.mark.parametrize("noise", ["1/2", "11/20"])
def test_less_noise_than_the_budget_allows_is_not_certified(noise: str) -> None:
    claim = replace(CHECKS[f"{KEY}/sharper"].claim, id="stronger", says=(contraction(HALF_STEP, noise),))
    assert driver.prove(claim, {}, driver.quick(), proof(HALF_STEP, noise)) is None


def test_a_rate_above_one_is_not_certified() -> None:
    faster = replace(HALF_STEP, rate="13/12")
    claim = replace(CHECKS[f"{KEY}/sharper"].claim, id="stronger", says=(contraction(faster, "4/7"),))
    assert driver.prove(claim, {}, driver.quick(), proof(faster, "4/7")) is None


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


def test_every_sharper_reading_is_stronger_than_the_repaired_one_where_both_speak() -> None:
    """The error in units of alpha sigma^2/L_l theta^2, and the rate."""
    numbers = {reading.key: (reading.way.rate, CHECKS[reading.key].claim.says[0]) for reading in READINGS}
    assert {key.removeprefix(f"{KEY}/"): rate for key, (rate, _) in numbers.items()} == {
        "repaired": "1/2",
        "sharper#printed algorithm": "11/12",
        "sharper#momentum": "11/12",
        "sharper": "11/12",
        "sharper#early stop": "11/12",
    }
    errors = [says.rsplit(" + ", 1)[1].split("*(alpha")[0] for _, says in numbers.values()]
    assert [Q(error) for error in errors] == [Q(3), Q(19, 15), Q(5, 4), Q(4, 7), Q(4, 7)]


def test_the_multipliers_are_the_ones_that_the_module_names() -> None:
    assert energies.F == "(1+th/12)"
    assert HALF_STEP.m_v == f"((alpha*th**2)/2*({energies.F}+(alpha*th**2))*(1+1/33))"
