"""The engine keeps its stated error, users can read it, and the instrument sees a wrong engine."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import numerics.covariance
from numerics.designs import Gaussian
from numerics.operators import Blocks
from tests.trust import numeric
from tests.trust.numeric import BIAS, KINDS, STATED, apart, errors, measure, random_instance, stated_error, truths


def test_no_number_is_outside_the_stated_error() -> None:
    found = measure(40, np.random.default_rng(3))
    assert found.instances == 40
    assert found.numbers >= 80
    assert found.outside == ()


def test_a_loss_of_four_digits_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    right = numeric.core_covariance

    def wrong(*args: object) -> Blocks:
        return (1 + 1e-11) * right(*args)  # type: ignore[arg-type]

    monkeypatch.setattr(numeric, "core_covariance", wrong)
    found = measure(20, np.random.default_rng(3))
    assert any(line.startswith("core of ") for line in found.outside)


def test_a_number_that_is_none_is_outside(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(numeric, "errors", lambda one: iter([("core", float("nan"), 1.0)]))
    assert measure(1, np.random.default_rng(0)).outside


def test_the_instances_are_hard_and_of_every_kind() -> None:
    rng = np.random.default_rng(0)
    drawn = [random_instance(rng) for _ in range(200)]
    assert {one.kind for one in drawn} == set(KINDS)
    assert max(one.horizon for one in drawn) > 10**8
    assert max(np.linalg.cond(one.design.sigma) for one in drawn) > 1e8


def test_the_same_seed_gives_the_same_instance() -> None:
    first, second = (random_instance(np.random.default_rng(5)) for _ in range(2))
    assert str(first) == str(second)
    assert first.noise.tobytes() == second.noise.tobytes()


def test_the_truth_does_not_depend_on_the_number_of_bits() -> None:
    one = replace(random_instance(np.random.default_rng(1)), horizon=1000)
    more = numeric._truths(one, 1600)
    assert all(apart(truths(one)[what], more[what]) == 0 for what in more)


def test_the_docstring_states_what_is_measured() -> None:
    words = numerics.covariance.__doc__ or ""
    for horizon, error in STATED:
        power = "10" if horizon == 10 else f"10^{round(np.log10(horizon))}"
        assert f"up to {power}: {error:.0e}" in words
    assert f"T {BIAS:.0e}" in words


def test_nothing_is_stated_beyond_the_longest_horizon() -> None:
    design = Gaussian(np.eye(2))
    assert stated_error(design, 10**9) == 1e-11
    assert stated_error(design, 10**9 + 1) == float("inf")


def test_a_rotated_sigma_costs_its_condition_number() -> None:
    turned = Gaussian(np.array([[2.0, 1.0], [1.0, 2.0]]))
    assert stated_error(turned, 5) == pytest.approx(3 * stated_error(Gaussian(np.eye(2)), 5))


def test_three_numbers_are_compared_for_an_instance_that_has_not_decayed() -> None:
    one = replace(random_instance(np.random.default_rng(1)), horizon=3)
    assert [what for what, _, _ in errors(one)] == ["covariance", "bias", "core"]
