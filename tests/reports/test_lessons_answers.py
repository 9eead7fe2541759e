"""The answers of the exercises, each computed a second time by other means than the lesson's own."""

from __future__ import annotations

import json
import math
import random
import re
from collections.abc import Callable
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from scipy.linalg import solve_discrete_lyapunov

from numerics.covariance import bias_average
from numerics.operators import StepSizes
from numerics.outer import PRINTED, REPAIRED_ENERGY, Rule, one_step
from reports.sada.lessons import algorithm, find, lessons, outer, tail
from reports.sada.lessons.layers import factors, gaussian, steps_of
from reports.sada.lessons.model import Formula, Lesson
from reports.sada.lessons.race import METHODS, exponent, race, reached, risk
from reports.sada.lessons.source import source
from tests.sada import find as find_check
from theory.kernel.evaluate import Mat, evaluate
from theory.kernel.rings import Exact, to_fmpq
from theory.papers.sada.composition import columns, to_json, waterfall
from theory.papers.sada.derivations import every
from theory.reading.latex.notation import notation_of
from theory.reading.latex.reader import from_latex


def answer(slug: str, number: int) -> float:
    found = find(slug).exercises[number - 1].answer
    assert found is not None
    return found()


def block(lam: float, eta: float, theta: float, gamma: float) -> np.ndarray:
    """The 2x2 block written out once more, from the three lines of the algorithm without noise."""
    columns = []
    for x, y in ((1.0, 0.0), (0.0, 1.0)):
        z = ((1 + theta) * y - x) / theta  # from y = (x + theta z)/(1 + theta)
        after = y - eta * lam * y
        later = theta * y + (1 - theta) * z - gamma * lam * y
        columns.append([after, (after + theta * later) / (1 + theta)])
    return np.array(columns).T


def formula(slug: str) -> Formula:
    (found,) = (one.formula for one in find(slug).exercises if one.formula is not None)
    return found


def agrees(slug: str, other: Callable[..., float]) -> None:
    """At the places where the page compares, and at others."""
    told = formula(slug)
    rows = [*told.points(), *np.random.default_rng(3).uniform(0.05, 3, (20, len(told.letters)))]
    for row in rows:
        assert told.of(*row) == pytest.approx(other(*row), rel=1e-9)


def derived(name: str, **values: float) -> float:
    """What the project has derived, evaluated; `values` by the names that the derivation uses."""
    return float(eval(every()[name].derived, {"__builtins__": {}}, values))


def derived_entry(name: str, row: int, column: int, **values: float) -> float:
    return float(eval(every()[name].derived, {"__builtins__": {}}, values)[row][column])


def test_lesson_1_runs_the_three_lines_written_out_once_more() -> None:
    theta, gamma = 0.3, 1.7
    run, (a, b) = algorithm.seen(theta, gamma), algorithm.samples()
    x = z = np.array(algorithm.START)
    for t in range(algorithm.HORIZON):
        y = (x + theta * z) / (1 + theta)
        g = (np.dot(a[t], y) - b[t]) * np.array(a[t])
        x, z = y - algorithm.ETA * g, theta * y + (1 - theta) * z - gamma * g
        assert run.x[0, t + 1] == pytest.approx(x)
        assert run.z[0, t + 1] == pytest.approx(z)


def test_lesson_1_is_plain_descent_when_both_steps_are_equal() -> None:
    run = algorithm.seen(0.4, algorithm.ETA)
    assert np.allclose(run.x, run.z)
    assert find("three-lines").exercises[0].choices[int(answer("three-lines", 1))] == "it stays with x for ever"


def test_lesson_1_derives_the_corner_of_the_block() -> None:
    agrees("three-lines", lambda theta: block(1.0, 0.3, theta, 0.7)[1, 0])
    agrees("three-lines", lambda theta: derived_entry("update", 1, 0, theta=theta))


def test_lesson_2_derives_the_discriminant() -> None:
    agrees("why-momentum", lambda c, q, eta, lam: derived("discriminant", c=c, q=q, eta=eta, lam=lam))
    for lam, eta, theta, gamma in np.random.default_rng(1).uniform(0.1, 0.9, (9, 4)):
        matrix, steps = block(lam, eta, theta, gamma), StepSizes(eta, theta, gamma)
        gap = np.trace(matrix) ** 2 - 4 * np.linalg.det(matrix)
        assert formula("why-momentum").of(steps.c, steps.q, eta, lam) == pytest.approx(gap, abs=1e-12)


def test_lesson_2_halving_the_curvature_costs_less_than_a_tenth() -> None:
    start = find("why-momentum").start
    before, after = (find("why-momentum").numbers({**start, "lam": lam}) for lam in (0.5, 0.25))
    assert "ringing" in str(before["regime"])
    assert "ringing" in str(after["regime"])
    assert 1 < float(after["efold"]) / float(before["efold"]) < 1.1
    assert float(after["plain"]) / float(before["plain"]) == pytest.approx(2, rel=0.02)
    matrix = block(0.5, 1 / 16, 0.1, 0.5)
    assert float(before["efold"]) == pytest.approx(-1 / math.log(max(abs(np.linalg.eigvals(matrix)))))


def stationary(lam: float, steps: StepSizes, noise: float) -> float:
    """The second entry of the stationary covariance, by scipy."""
    push = np.array([[steps.eta], [steps.q]])
    matrix = block(lam, steps.eta, steps.theta, steps.gamma)
    return float(solve_discrete_lyapunov(matrix, noise * push @ push.T)[1, 1])


def test_lesson_3_by_a_solver_of_lyapunov_equations() -> None:
    lesson = find("noise-finds-its-level")
    for v in ({}, {"spread": 1.0, "kt": 20.0}, {"spread": 100.0, "eta": 0.01}):
        place = {**lesson.start, **v}
        lam, kt, eta = 0.01 * place["spread"], place["kt"], place["eta"]
        steps = StepSizes(eta, math.sqrt(0.01 * eta / kt) / 4, math.sqrt(eta / (kt * 0.01)) / 4)
        shown, level = lesson.numbers(place), lam * stationary(lam, steps, lam)
        assert float(shown["level"]) == pytest.approx(level, rel=1e-6)
        assert float(shown["ratio"]) == pytest.approx((1 / (30 * kt) + 8 * eta * lam / 15) / level, rel=1e-6)


def test_lesson_3_says_how_level_and_bound_fall() -> None:
    lesson = find("noise-finds-its-level")
    before, after = (lesson.numbers({**lesson.start, "spread": 1.0, "kt": kt}) for kt in (5.0, 20.0))
    fall = float(after["level"]) / float(before["level"])
    assert f"{fall:.2f}" == "0.59"
    assert f"{fall * float(after['ratio']) / float(before['ratio']):.2f}" == "0.29"
    steep = lesson.numbers({**lesson.start, "spread": 100.0})
    conjectured = 1 / 200 + 1 / 32
    assert f"{float(steep['level']) / conjectured:.2f}" == "1.02"


def test_lesson_3_derives_the_first_equation_for_the_level() -> None:
    lam, eta, c, q = 0.4, 0.3, 0.8, 0.5
    p22, p11 = (derived(name, lam=lam, eta=eta, c=c, q=q) for name in ("Pi_22", "Pi_11"))
    assert formula("noise-finds-its-level").of(p22, eta, lam) == pytest.approx(p11)


def test_lesson_4_in_one_dimension_by_a_solver_of_lyapunov_equations() -> None:
    design = gaussian(1, 1.0)
    assert (design.r2, design.kappa_tilde) == pytest.approx((3.0, 3.0))
    # the noise of the next layer is E a^4 - (E a^2)^2 = 2 times the layer below
    assert factors(1, 1.0, 1.0)[0] == pytest.approx(2 * stationary(1.0, steps_of(design, 1.0), 1.0), rel=1e-7)
    assert 1 / factors(2, 100.0, 1.0)[0] == pytest.approx(30, abs=0.5)
    assert find("peeling-the-layers").exercises[0].choices[1].startswith("it falls, but")


def test_lesson_4_derives_an_entry_of_what_is_derived() -> None:
    def entry(eta: float, m: float, lam: float, second: float) -> float:
        return derived_entry("B-Btilde", 0, 0, eta=eta, m22=m, lam=lam, second=second, theta=0.2, gam=0.7)

    agrees("peeling-the-layers", entry)


def test_lesson_5_by_the_double_sum_and_the_rule_itself() -> None:
    design = gaussian(4, 1.0)
    start = 1 / np.sqrt(4 * design.eigenvalues)
    bias = bias_average(design, steps_of(design, 1.0), start, 2, "reference")
    shown = find("why-average-the-tail").numbers({"kappa": 1.0, "last": 0.1, "t": 2})
    assert float(shown["missed"]) == pytest.approx(bias / (0.1**2 / 4), rel=1e-7)
    horizon, theta = tail.rules(30.0, 0.1)[2], steps_of(gaussian(4, 30.0), 1.0).theta
    enough = [180 * np.exp(-theta * t / 2) <= 0.1**2 for t in (horizon - 2, horizon)]
    assert enough == [False, True]


def test_lesson_5_doubling_the_steps_halves_the_average_only() -> None:
    one, two = (find("why-average-the-tail").numbers({"kappa": 30.0, "last": 0.1, "t": t}) for t in (15000, 30000))
    assert float(one["total"]) / float(two["total"]) == pytest.approx(2, rel=0.05)
    assert float(one["single"]) / float(two["single"]) == pytest.approx(1, rel=0.01)


def test_lesson_5_derives_the_square() -> None:
    agrees("why-average-the-tail", lambda g1, g2, eta, q: derived("L_var-gain", g1=g1, g2=g2, eta=eta, q=q))


def test_lesson_6_by_hand() -> None:
    half = Fraction(1, 2)
    lam, eta, c, q = Fraction(1), half, half, Fraction(6)
    y1 = -c + (1 + c - q * lam)
    assert Fraction(answer("how-a-lemma-dies", 1)) == (1 - eta * lam) * y1 == Fraction(-5, 2)
    shown = find("how-a-lemma-dies").numbers({"q": 2.0, "lam": 2.0, "eta": 0.0625, "c": 0.5, "k": 2})
    assert shown["exact"] == "-21/8"


def test_lesson_6_derives_the_weight_for_which_the_mixed_term_vanishes() -> None:
    def mixed(c: float, lam: float, q: float, eta: float, weight: float) -> float:
        """The coefficient of y d in the loss of energy, by its values at four points."""

        def loss(y: float, d: float) -> float:
            x = y - d
            after = ((1 - eta * lam) * y, -c * x + (1 + c - q * lam) * y)
            return weight * x**2 + d**2 - weight * after[0] ** 2 - (after[1] - after[0]) ** 2

        return loss(1, 1) - loss(1, 0) - loss(0, 1) + loss(0, 0)

    told = formula("how-a-lemma-dies")
    for row in told.points():
        assert mixed(*row, told.of(*row)) == pytest.approx(0, abs=1e-12)
        assert abs(mixed(*row, told.of(*row) + 0.1)) > 0.1


def test_lesson_7_derives_the_missing_terms_and_the_numbers_are_the_identitys() -> None:
    agrees(
        "reading-a-certificate",
        lambda p, k, x: p * (1 + k * (1 - x)) - x * p * (1 + (k + 1) * (1 - x)),
    )
    lesson = find("reading-a-certificate")
    for x, k in ((0.3, 4), (0.0, 0), (1.0, 7)):
        shown = lesson.numbers({"x": x, "k": k, "kind": "shipped"})
        assert float(shown["left"]) == pytest.approx(float(shown["right"]), abs=1e-15)
        assert float(shown["left"]) == pytest.approx(1 - x ** (k + 1) * (1 + (k + 1) * (1 - x)))


def exact_rate(rule: Rule) -> float:
    """At the registry's witness, in rationals."""
    point = find_check("lem:outer-one-step").witness
    assert point is not None
    said = dict(point.values)
    x, before, theta = Fraction(said["x"][0]), Fraction(said["p"][0]), Fraction(said["th"])
    old, new = one_step(rule, Fraction(said["alpha"]), theta, theta, Fraction(said["q"][0]), x, x - before, Fraction(0))
    return float((1 - new / old) / theta)


def test_lesson_8_in_rationals() -> None:
    shown = find("two-loops").numbers({**find("two-loops").start, **outer.witness()})
    assert (1 - float(shown["ratio"])) * 1000 == pytest.approx(exact_rate(PRINTED), rel=1e-6)
    assert (1 - float(shown["repratio"])) * 1000 == pytest.approx(exact_rate(REPAIRED_ENERGY), rel=1e-6)
    assert exact_rate(PRINTED) < 0 < 11 / 12 <= exact_rate(REPAIRED_ENERGY)


def test_lesson_8_derives_the_weight() -> None:
    agrees("two-loops", lambda theta, loss, step: derived("outer-weight", th=theta, Ll=loss, h=step))
    alpha, theta = 7.0, 0.1
    assert formula("two-loops").of(theta, 3.0, 2 * alpha * theta**2 / 3.0) == pytest.approx(1 / (4 * alpha))


def test_lesson_9_from_the_file() -> None:
    body = json.loads(source("data", "races.json"))
    rows = {row["method"]: row["reached"] for row in body["races"][0]["result"]["methods"]}
    first = min(("sada", "asgd", "sgd"), key=lambda name: rows[name]["value"])
    assert (answer("the-race", 1), first) == (2.0, "sgd")
    needed = {row["entrant"]: row["samples"] for row in body["acceleration"]["result"]["needed"]}
    conditions = np.log(body["acceleration"]["result"]["conditions"])
    for name, told in (("sada", "0.54"), ("sgd", "0.98")):
        slope = np.polyfit(conditions, [math.log(one["value"]) for one in needed[name]], 1)[0]
        assert exponent(name) == pytest.approx(slope, rel=0.03)
        assert f"{exponent(name):.2f}" == told


def test_lesson_9_derives_theta() -> None:
    agrees("the-race", lambda mu, eta, kt: math.sqrt(derived("theta_squared", mu=mu, eta=eta, kt=kt)))


def test_lesson_10_by_hand() -> None:
    sharper = {c["symbol"]: Fraction(c["value"]) for c in _columns()["sharper"]}
    implied = {c["symbol"]: Fraction(c["value"]) for c in _columns()["implied"]}
    assert answer("where-the-constants-go", 1) == pytest.approx(float(implied["s"] / sharper["s"]))
    assert implied["s"] / sharper["s"] == 3
    assert implied["A"] / sharper["A"] == 4


def test_lesson_10_derives_where_the_energy_rests() -> None:
    for row in formula("where-the-constants-go").points():
        c, theta, a = row
        rest = formula("where-the-constants-go").of(*row)
        assert (1 - a * theta) * rest + c * theta**2 == pytest.approx(rest)


def _columns() -> dict[str, list[dict[str, str]]]:
    return {column["name"]: column["constants"] for column in to_json()["columns"]}


def test_the_words_of_lesson_4_are_what_the_numbers_say() -> None:
    assert [f"{factors(3, 10.0, share)[0]:.4f}" for share in (1.0, 0.1)] == ["0.0268", "0.0069"]
    assert f"{factors(3, 10.0, 1.0)[0] / factors(3, 10.0, 0.1)[0]:.1f}" == "3.9"


def test_the_words_of_lesson_8_are_what_the_numbers_say() -> None:
    start = find("two-loops").start
    printed = outer.run(PRINTED, start, 3)
    assert printed[0] > printed[1] > printed[2] < printed[3]  # from rest, the third step is the first to grow
    assert all(b < a for a, b in pairwise(outer.run(REPAIRED_ENERGY, start, 60)))


def test_the_words_of_lesson_9_are_what_the_numbers_say() -> None:
    single = [m for m in METHODS if m != "erm"]
    assert min(single, key=lambda m: reached(1, m)) == "sgd"
    assert [m for m in single if not math.isnan(reached(5, m))] == ["sada", "asgd"]
    last = race(3)
    assert risk(3, "sada", -1) * last["sizes"][-1] / last["asymptotic_optimum"] == pytest.approx(2, rel=0.2)
    assert exponent("sada") == pytest.approx(0.5, abs=0.1)


def test_the_words_of_lesson_10_are_what_the_numbers_say() -> None:
    drops = waterfall()
    assert columns()[0].statistical == 46080
    assert (drops[0].new.symbol, drops[0].factor) == ("c", Fraction(1, 3))
    assert max(drops, key=lambda drop: drop.factor).new.symbol == "A"
    assert columns()[0]["A"] == 64


LETTERS = {
    "eta": r"\eta", "theta": r"\theta", "gam": r"\gamma", "lam": r"\lambda", "omega": r"\omega", "mu": r"\mu",
    "kt": r"\tilde{\kappa}", "top": r"\theta_{\max}", "th": r"\theta_{k}", "Ll": r"L_{\ell}", "hk": "h_{k}",
    "now": "L_{k}", "next": "L_{k+1}", "rest": r"L_{\infty}", "start": "L_{0}", "xk": "x_{k}", "grad": r"\nabla F",
    "xt": "x_{t}", "yt": "y_{t}", "zt": "z_{t}", "limit": r"\Pi_{22}",
    **{f"p{i}": f"p_{{{i}}}" for i in (11, 12, 21, 22)}, **{f"g{i}": f"g_{{{i}}}" for i in (1, 2)},
    **{letter: letter for letter in "acdgqwxyzX"},
}  # fmt: skip
REALS = [{"name": name, "latex": tex, "kind": "real"} for name, tex in LETTERS.items()]
NOTATION = notation_of([*REALS, {"name": "k", "latex": "k", "kind": "natural"}])
TOLD = [(one, k) for one in lessons() for k, (_, tex) in enumerate(one.derive.told) if tex]
ROWS = re.compile(r"&|\\\\(?=&)|\\(?:begin|end)\{aligned\}|\.(?=\\end)")


def apart(mine: str, derived: str) -> bool:
    """Whether two steps differ at some of a few exact points; an equation is what its sides differ by."""
    plain = [tex if "pmatrix" in tex else ROWS.sub("", tex) for tex in (mine, derived)]
    whole = [f"({tex.replace('=', ')-(')})" if "=" in tex else tex for tex in plain]
    (relation,) = from_latex(" = ".join(whole), NOTATION)
    rng = random.Random(3)
    for _ in range(5):
        at = {name: to_fmpq(Fraction(rng.randint(1, 40), rng.randint(41, 60))) for name in LETTERS}
        at["k"] = to_fmpq(rng.randint(0, 5))
        left, right = (evaluate(side, at, Exact()) for side in (relation.left, relation.right))
        if (left.rows if isinstance(left, Mat) else left) != (right.rows if isinstance(right, Mat) else right):
            return True
    return False


@pytest.mark.parametrize(("lesson", "k"), TOLD, ids=[f"{one.slug}-{k + 1}" for one, k in TOLD])
def test_a_step_that_a_lesson_writes_in_its_own_order_is_the_derived_one(lesson: Lesson, k: int) -> None:
    mine, derived = lesson.derive.told[k][1], every()[lesson.derive.name].steps[k][1]
    for plain, shown in lesson.derive.letters:
        mine, derived = mine.replace(plain, shown), derived.replace(plain, shown)
    assert not apart(mine, derived)
    slip = derived.replace("{pmatrix}", "{pmatrix}2+", 1) if "pmatrix" in derived else f"{derived}+\\eta"
    assert apart(mine, slip)
