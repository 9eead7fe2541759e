"""What two SMT solvers agree on, and candidate points from their models."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from tests.trust.classical import ATTAINED, missed, sequent
from theory.kernel import Claim, check_witness
from theory.kernel.sequent import Sequent
from theory.provers import smt, smtlib
from theory.provers.budget import Budget

AMPLE = Budget(seconds=1e6)
NAMES = ["AM-GM in two variables", "Motzkin", "Nesbitt", "gradient descent with a short step", "Nesterov contracts"]
BEYOND: dict[str, tuple[str, ...]] = {
    "a root": ("sqrt(x*y) <= (x + y)/2", "x >= 0", "y >= 0"),
    "a root inside a root": ("sqrt(1 + sqrt(x)) >= 1", "x >= 0"),
    "maximum and absolute value": ("max(x, y) <= abs(x) + abs(y)",),
    "minimum": ("min(x, 1 - x) <= 1/2",),
    "an exponential as a free positive name": ("exp(x) + 1 > 0",),
    "a quotient": ("x/y >= 1", "x >= y", "y > 0"),
    "a quotient by a negative number": ("x/y <= 0", "x > 0", "y < 0"),
    "a fact with a negative divisor": ("x <= 0", "x/y >= 0", "y < 0"),
    "an equation": ("x <= 2", "x**2 == 3"),
    "an inequation": ("x**2 > 0", "x != 0"),
    "a goal that is an equation": ("x == 2", "x >= 2", "x <= 2"),
}


@pytest.mark.parametrize("name", NAMES)
def test_both_solvers_agree_on(name: str) -> None:
    goal = sequent(*ATTAINED[name])
    assert sorted(entry.split()[0] for entry in smt.agree(goal, AMPLE)) == ["cvc5", "z3"]


@pytest.mark.parametrize("name", BEYOND)
def test_both_solvers_agree_on_a_goal_with(name: str) -> None:
    assert smt.agree(sequent(*BEYOND[name]), AMPLE)


@pytest.mark.parametrize("name", NAMES)
def test_what_is_false_by_a_billionth_is_not_agreed_on(name: str) -> None:
    assert not smt.agree(missed(*ATTAINED[name]), Budget(seconds=1e6, rlimit=2_000_000))


def test_a_quotient_of_the_wrong_sign_is_not_agreed_on() -> None:
    assert not smt.agree(sequent("x/y >= 0", "x > 0", "y < 0"), AMPLE)


def test_naturals_are_nonnegative_reals_to_the_solvers() -> None:
    goal = sequent("n*(n + 1) >= 0")
    assert not smt.agree(goal, AMPLE)
    assert smt.agree(Sequent((), goal.goal, frozenset({"n"})), AMPLE)


@pytest.mark.parametrize(
    ("goal", "facts"),
    [
        ("(a + b)**2 <= a**2 + b**2", ("a > 0", "b > 0")),
        ("x*x - x + 1/4 - 1/10**9 >= 0", ("x >= 0", "x <= 1")),
        ("x**2 <= 1", ("x**2 <= 2", "x >= 0")),
        ("x/y <= 1", ("x > 0", "y > 0")),
    ],
)
def test_a_model_is_a_witness_that_the_kernel_accepts(goal: str, facts: tuple[str, ...]) -> None:
    point = smt.candidate(sequent(goal, *facts), AMPLE)
    assert point is not None
    claim = Claim("test", says=(goal,), given=facts)
    assert "fails" in check_witness(claim, {name: str(value) for name, value in point.items()})


def test_an_irrational_model_is_rounded_nearby() -> None:
    point = smt.candidate(sequent("x <= 1", "x**2 == 2"), AMPLE)
    assert point is not None
    assert abs(point["x"] ** 2 - 2) < Fraction(1, 10**9)


def test_a_true_goal_has_no_candidate() -> None:
    assert smt.candidate(sequent(*ATTAINED["AM-GM in two variables"]), AMPLE) is None


@pytest.mark.parametrize("solver", ["z3", "cvc5"])
def test_a_missing_solver_is_named_and_nothing_is_agreed_on(solver: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, solver, None)
    assert not smt.agree(sequent(*ATTAINED["AM-GM in two variables"]), AMPLE)


@pytest.mark.parametrize("solver", ["ask_z3", "ask_cvc5"])
@pytest.mark.parametrize("said", ["unknown", "sat"])
def test_one_solver_that_does_not_agree_is_enough(solver: str, said: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def other(question: smtlib.Script, budget: Budget) -> smt.Answer:
        return smt.Answer(solver, "0", said)

    monkeypatch.setattr(smt, solver, other)
    assert not smt.agree(sequent(*ATTAINED["AM-GM in two variables"]), AMPLE)


@pytest.mark.parametrize("budget", [Budget(seconds=1e6, rlimit=1), Budget(seconds=0)])
def test_a_small_budget_ends_without_an_answer(budget: Budget) -> None:
    assert not smt.agree(sequent(*ATTAINED["the Iranian problem of 1996"]), budget)


@pytest.mark.parametrize(
    "goal", [sequent("[1, 2] == [3, 4]"), sequent("forall(i, 1, d, lam[i] >= 0)")], ids=["matrices", "every index"]
)
def test_a_question_of_another_kind_is_declined(goal: Any) -> None:
    assert not smt.agree(goal, AMPLE)
    assert smt.candidate(goal, AMPLE) is None


def test_names_with_brackets_are_quoted() -> None:
    question = smtlib.script(sequent("lam[i]**2 >= 0"))
    assert question is not None
    assert "(declare-const |lam[i]| Real)" in question.text
