"""The answers of the exercises, each computed a second time by other means than the lesson's own."""

from __future__ import annotations

import json
import math
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from scipy.linalg import solve_discrete_lyapunov
from scipy.optimize import brentq

from numerics.covariance import bias_average
from numerics.operators import StepSizes
from numerics.outer import PRINTED, REPAIRED_ENERGY, Rule, one_step
from reports.sada.lessons import find, outer
from reports.sada.lessons.layers import factors, gaussian, steps_of
from reports.sada.lessons.race import METHODS, exponent, race, reached, risk
from reports.sada.lessons.source import source
from tests.sada import find as find_check
from theory.papers.sada.composition import columns, to_json, waterfall


def answer(slug: str, number: int) -> float:
    return find(slug).exercises[number - 1].answer()


def block(lam: float, eta: float, theta: float, gamma: float) -> np.ndarray:
    """The 2x2 block written out once more, from the three lines of the algorithm without noise."""
    columns = []
    for x, y in ((1.0, 0.0), (0.0, 1.0)):
        z = ((1 + theta) * y - x) / theta  # from y = (x + theta z)/(1 + theta)
        after = y - eta * lam * y
        later = theta * y + (1 - theta) * z - gamma * lam * y
        columns.append([after, (after + theta * later) / (1 + theta)])
    return np.array(columns).T


EXAMPLE = (1 / 16, 1 / 64, 1.0)


def gap(lam: float) -> float:
    """The discriminant of the block's characteristic polynomial."""
    matrix = block(lam, *EXAMPLE)
    return float(np.trace(matrix) ** 2 - 4 * np.linalg.det(matrix))


def test_lesson_1_from_the_algorithm_itself() -> None:
    lam = brentq(gap, 1e-4, 1.0, xtol=1e-14)
    radius = math.sqrt(float(np.linalg.det(block(lam, *EXAMPLE))))
    assert answer("why-momentum", 1) == pytest.approx(lam, rel=1e-6)
    assert answer("why-momentum", 2) == pytest.approx(radius, rel=1e-6)
    assert answer("why-momentum", 3) == pytest.approx(math.log(radius) / math.log(1 - lam / 16), rel=1e-6)


def stationary(lam: float, steps: StepSizes, noise: float) -> float:
    """The second entry of the stationary covariance, by scipy."""
    push = np.array([[steps.eta], [steps.q]])
    matrix = block(lam, steps.eta, steps.theta, steps.gamma)
    return float(solve_discrete_lyapunov(matrix, noise * push @ push.T)[1, 1])


def test_lesson_2_by_a_solver_of_lyapunov_equations() -> None:
    mu, kt, eta = 0.01, 5.0, 1 / 16
    steps = StepSizes(eta, math.sqrt(mu * eta / kt) / 4, math.sqrt(eta / (kt * mu)) / 4)
    level = mu * stationary(mu, steps, mu)
    assert answer("noise-finds-its-level", 1) == pytest.approx(level, rel=1e-7)
    assert answer("noise-finds-its-level", 2) == pytest.approx((1 / (4 * kt) + 4 * eta * mu) / level, rel=1e-7)
    four = math.sqrt(mu * eta / (4 * kt)) / 4
    assert four == pytest.approx(steps.theta / 2)
    assert find("noise-finds-its-level").exercises[2].choices[1] == "it halves"


def test_lesson_3_in_one_dimension_by_a_solver_of_lyapunov_equations() -> None:
    design = gaussian(1, 1.0)
    assert (design.r2, design.kappa_tilde) == pytest.approx((3.0, 3.0))
    steps = steps_of(design, 1.0)
    # the noise of the next layer is E a^4 - (E a^2)^2 = 2 times the layer below
    assert answer("peeling-the-layers", 1) == pytest.approx(2 * stationary(1.0, steps, 1.0), rel=1e-7)
    assert answer("peeling-the-layers", 2) == pytest.approx(sum(15.0**-k for k in range(30)))
    falls = factors(3, 10.0, 1.0)[0] / factors(3, 10.0, 0.1)[0]
    assert 1 < falls < 10
    assert find("peeling-the-layers").exercises[2].choices[1].startswith("it falls, but")


def test_lesson_4_by_the_double_sum_and_the_rule_itself() -> None:
    design = gaussian(4, 1.0)
    start = 1 / np.sqrt(4 * design.eigenvalues)
    bias = bias_average(design, steps_of(design, 1.0), start, 2, "reference")
    assert answer("why-average-the-tail", 1) == pytest.approx(bias / (3 * 0.1**2 / 16), rel=1e-7)
    horizon, theta = int(answer("why-average-the-tail", 2)), steps_of(gaussian(4, 30.0), 1.0).theta
    enough = [60 * (1 - theta) ** (t / 2 + 1) <= 3 * 0.1**2 / 16 for t in (horizon - 2, horizon)]
    assert enough == [False, True]


def test_lesson_5_by_hand() -> None:
    half = Fraction(1, 2)
    lam, eta, c, q = Fraction(1), half, half, Fraction(6)
    y1 = -c + (1 + c - q * lam)
    assert Fraction(answer("how-a-lemma-dies", 1)) == (1 - eta * lam) * y1 == Fraction(-5, 2)
    edge = Fraction(answer("how-a-lemma-dies", 2))
    assert abs((1 - edge) / 2) > 2 >= abs((1 - (edge - Fraction(1, 16))) / 2)
    assert Fraction(answer("how-a-lemma-dies", 3)) == Fraction(3, 4)


def exact_rate(rule: Rule) -> float:
    """At the registry's witness, in rationals."""
    point = find_check("lem:outer-one-step").witness
    assert point is not None
    said = dict(point.values)
    x, before, theta = Fraction(said["x"][0]), Fraction(said["p"][0]), Fraction(said["th"])
    old, new = one_step(rule, Fraction(said["alpha"]), theta, theta, Fraction(said["q"][0]), x, x - before, Fraction(0))
    return float((1 - new / old) / theta)


def test_lesson_6_in_rationals() -> None:
    assert answer("two-loops", 1) == pytest.approx(exact_rate(PRINTED), rel=1e-7)
    assert answer("two-loops", 1) < 0
    assert answer("two-loops", 2) == pytest.approx(exact_rate(REPAIRED_ENERGY), rel=1e-7)
    assert answer("two-loops", 2) >= 11 / 12


def test_lesson_7_from_the_file() -> None:
    body = json.loads(source("data", "races.json"))

    def samples(position: int) -> dict[str, float]:
        rows = body["races"][position]["result"]["methods"]
        return {row["method"]: row["reached"]["value"] for row in rows if row["reached"]}

    assert answer("the-race", 1) == pytest.approx(samples(2)["sgd"] / samples(2)["sada"])
    needed = {row["entrant"]: row["samples"] for row in body["acceleration"]["result"]["needed"]}["sgd"]
    slope = np.polyfit(np.log(body["acceleration"]["result"]["conditions"]), [math.log(s["value"]) for s in needed], 1)[
        0
    ]
    assert answer("the-race", 2) == pytest.approx(slope, rel=0.03)
    first = min(("sada", "asgd", "sgd"), key=samples(0).__getitem__)
    assert (answer("the-race", 3), first) == (2.0, "sgd")


def test_lesson_8_by_hand() -> None:
    assert answer("where-the-constants-go", 1) == Fraction(138240, 46080)
    sharper = {c["symbol"]: Fraction(c["value"]) for c in _columns()["sharper"]}
    implied = {c["symbol"]: Fraction(c["value"]) for c in _columns()["implied"]}
    assert answer("where-the-constants-go", 2) == pytest.approx(float(implied["A"] / sharper["A"]))
    assert answer("where-the-constants-go", 3) == pytest.approx(float((sharper["a"] / implied["a"]) ** 2))


def _columns() -> dict[str, list[dict[str, str]]]:
    return {column["name"]: column["constants"] for column in to_json()["columns"]}


def test_the_words_of_lesson_3_and_4_are_what_the_numbers_say() -> None:
    assert [f"{factors(3, 10.0, share)[0]:.4f}" for share in (1.0, 0.1)] == ["0.0268", "0.0069"]
    assert f"{factors(3, 10.0, 1.0)[0] / factors(3, 10.0, 0.1)[0]:.1f}" == "3.9"
    shown = find("why-average-the-tail").numbers({**find("why-average-the-tail").start, "kappa": 1.0})
    assert shown["printed"] == 2
    assert float(shown["atprinted"]) > 100 * float(shown["needed"]) > 100 * float(shown["atrepaired"])


def test_the_words_of_lesson_6_are_what_the_numbers_say() -> None:
    start = find("two-loops").start
    printed = outer.run(PRINTED, start, 3)
    assert printed[0] > printed[1] > printed[2] < printed[3]  # from rest, the third step is the first to grow
    assert all(b < a for a, b in pairwise(outer.run(REPAIRED_ENERGY, start, 60)))


def test_the_words_of_lesson_7_are_what_the_numbers_say() -> None:
    single = [m for m in METHODS if m != "erm"]
    assert min(single, key=lambda m: reached(1, m)) == "sgd"
    assert [m for m in single if not math.isnan(reached(5, m))] == ["sada", "asgd"]
    last = race(3)
    assert risk(3, "sada", -1) * last["sizes"][-1] / last["asymptotic_optimum"] == pytest.approx(2, rel=0.2)
    assert exponent("sada") == pytest.approx(0.5, abs=0.1)


def test_the_words_of_lesson_8_are_what_the_numbers_say() -> None:
    drops = waterfall()
    assert columns()[0].statistical == 46080
    assert (drops[0].new.symbol, drops[0].factor) == ("c", Fraction(1, 3))
    assert max(drops, key=lambda drop: drop.factor).new.symbol == "A"
    assert columns()[0]["A"] == 64
