"""Linear and semidefinite provers: they prove what is true, never what is false, and the same way every time."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from tests.trust.classical import ATTAINED, HYPOTHESES, STRICT, missed, sequent
from theory.kernel.errors import Rejected
from theory.kernel.flat import fractions_of
from theory.kernel.lang import parse
from theory.kernel.rules import check
from theory.kernel.sequent import Certificate, Sequent, Tally
from theory.provers import cone_lp, frame, gram, sos
from theory.provers.budget import Budget
from theory.provers.doubt import plainly_false
from theory.provers.linear import products, rational
from theory.provers.prepare import prepare
from theory.provers.rounding import simplest, squares_of
from theory.provers.zeros import without, zeros

AMPLE = Budget(seconds=1e6)
QUICK = Budget(seconds=1e6, rounds=4, terms=600)
BY_PRODUCTS = [
    "AM-GM in two variables",
    "AM-GM in three variables",
    "AM-GM in four variables",
    "AM-HM in three variables",
    "Cauchy-Schwarz in space",
    "Nesbitt",
    "Chebyshev's sum",
    "Hölder",
    "Bernoulli",
    "Kantorovich",
    "gradient descent with a short step",
    "gradient descent with the best step",
    "heavy ball has complex roots",
    "Nesterov contracts",
    "the descent lemma",
]


def proves(cert: Certificate | None, goal: Sequent) -> None:
    assert cert is not None
    assert json.loads(json.dumps(cert)) == cert
    check(cert, goal, {}, Tally())


@pytest.mark.parametrize("name", ATTAINED)
def test_sums_of_squares_prove(name: str) -> None:
    goal = sequent(*ATTAINED[name])
    proves(sos.find(goal, AMPLE), goal)


@pytest.mark.parametrize("name", HYPOTHESES)
def test_equations_and_contradictions_are_used_for(name: str) -> None:
    goal = sequent(*HYPOTHESES[name])
    proves(sos.find(goal, AMPLE), goal)


@pytest.mark.parametrize("name", STRICT)
def test_sums_of_squares_prove_the_strict_inequality_of(name: str) -> None:
    goal = sequent(*STRICT[name])
    proves(sos.find(goal, AMPLE), goal)


@pytest.mark.parametrize("name", BY_PRODUCTS)
def test_products_of_facts_prove(name: str) -> None:
    goal = sequent(*ATTAINED[name])
    proves(cone_lp.find(goal, AMPLE), goal)


@pytest.mark.parametrize("name", ATTAINED)
def test_what_is_false_by_a_billionth_is_not_proved(name: str) -> None:
    goal = missed(*ATTAINED[name])
    assert cone_lp.find(goal, QUICK) is None
    assert sos.find(goal, QUICK) is None


@pytest.mark.parametrize("name", ["AM-GM in two variables", "Motzkin", "Schur of degree one", "Nesbitt"])
def test_equality_is_attained_so_the_strict_inequality_is_not_proved(name: str) -> None:
    goal, *facts = ATTAINED[name]
    strict = sequent(goal.replace(">=", ">"), *facts)
    assert cone_lp.find(strict, QUICK) is None
    assert sos.find(strict, QUICK) is None


@pytest.mark.parametrize(
    ("goal", "facts", "expected"),
    [
        ("x**2 + y**2 >= 3*x*y", (), True),
        ("x**2 + y**2 >= 2*x*y", (), False),
        ("x + y >= 1", ("x > 0", "y > 0"), True),
        ("x + y >= 0", ("x > 0", "y > 0"), False),
        ("x >= 1", ("x == 0",), False),
    ],
)
def test_a_goal_is_doubted_only_where_a_point_violates_it(goal: str, facts: tuple[str, ...], expected: bool) -> None:
    problem = prepare(sequent(goal, *facts))
    assert problem is not None
    assert plainly_false(problem) is expected


@pytest.mark.parametrize("prover", [cone_lp, sos])
@pytest.mark.parametrize("name", ["Nesbitt", "Hölder", "gradient descent with a short step"])
def test_the_same_question_gets_the_same_certificate(prover: Any, name: str) -> None:
    first, second = (prover.find(sequent(*ATTAINED[name]), AMPLE) for _ in range(2))
    assert json.dumps(first) == json.dumps(second)


def planted(rng: np.random.Generator, p: tuple[int, int], q: tuple[int, int]) -> Sequent:
    """A sum of squares of conics through two points: it vanishes there, so every Gram matrix is singular."""
    line = f"(({p[1] - q[1]})*(x - ({p[0]})) + ({q[0] - p[0]})*(y - ({p[1]})))"
    circle = f"((x - ({p[0]}))*(x - ({q[0]})) + (y - ({p[1]}))*(y - ({q[1]})))"
    conics = [
        f"({line}*({a}*x + {b}*y + {c}) + {d}*{circle})**2" for a, b, c, d in rng.integers(-3, 4, size=(3, 4)).tolist()
    ]
    return sequent(" + ".join(conics) + " >= 0")


@pytest.mark.parametrize("seed", range(6))
def test_a_polynomial_with_two_planted_zeros_is_a_sum_of_squares(seed: int) -> None:
    goal = planted(np.random.default_rng(seed), (1, 2), (-1, 3))
    proves(sos.find(goal, AMPLE), goal)


def test_zeros_with_awkward_denominators_are_divided_out_exactly() -> None:
    conics = (
        "77/18 + 5/2*x + y - x*x + 2*x*y - y*y",
        "-77/9 + 11*x + 3*y + 2*x*x + 3*x*y + 2*y*y",
        "-31/2 + 47/6*x + 2*y + x*x - 3*x*y + 3*y*y",
        "-86/9 + x/3 + 3*x*x - 2*x*y + 2*y*y",
    )
    goal = sequent(" + ".join(f"({conic})**2" for conic in conics) + " >= 0")
    problem = prepare(goal)
    assert problem is not None
    found = zeros(problem.goal, [])
    assert {tuple(map(str, point)) for point in found} == {("1", "-4/3"), ("-1/3", "2")}
    x, y = problem.ctx.gens()
    block = gram.Block((), problem.ctx.constant(1), (problem.ctx.constant(1), x, y, x * x, x * y, y * y))
    smaller = without(gram.System(problem.goal, (block,)), found)
    assert [[str(b(*point)) for b in smaller.blocks[0].basis] for point in found] == [["0"] * 4] * 2
    proves(sos.find(goal, AMPLE), goal)


@pytest.mark.parametrize(
    "goal",
    [
        "3/7*(x**2 + y**2 - 3)**2 + 5/11*(x*y - 1)**2 + 1/17*(x**2 + y**2 - x*y - 2)**2 >= 0",
        "3/7*(a**2 - 2*a*b + b*c - c**2 + c*a)**2 + 5/11*(b**2 - 2*b*c + c*a - a**2 + a*b)**2 >= 0",
    ],
)
def test_null_vectors_of_irrational_zeros_are_read_off_the_spectrum(goal: str) -> None:
    proves(sos.find(sequent(goal), AMPLE), sequent(goal))


def test_a_changed_weight_is_rejected() -> None:
    goal = sequent(*ATTAINED["Cauchy-Schwarz in space"])
    cert = sos.find(goal, AMPLE)
    assert cert is not None
    term = cert["terms"][0]
    forged = {**cert, "terms": [{**term, "c": str(Fraction(term["c"]) + Fraction(1, 10**9))}, *cert["terms"][1:]]}
    with pytest.raises(Rejected, match="differ"):
        check(forged, goal, {}, Tally())


@pytest.mark.parametrize("prover", [cone_lp, sos])
def test_nothing_is_returned_that_the_kernel_refuses(prover: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(frame, "check", lambda *_: (_ for _ in ()).throw(Rejected("no")))
    assert prover.find(sequent(*ATTAINED["AM-GM in two variables"]), QUICK) is None


@pytest.mark.parametrize("prover", [cone_lp, sos])
@pytest.mark.parametrize("budget", [Budget(seconds=0), Budget(rounds=0), Budget(terms=0), Budget(degree=1)])
def test_an_empty_budget_proves_nothing(prover: Any, budget: Budget) -> None:
    assert prover.find(sequent(*ATTAINED["AM-GM in two variables"]), budget) is None


def test_no_more_programs_are_solved_than_the_budget_allows(monkeypatch: pytest.MonkeyPatch) -> None:
    solved: list[int] = []
    real = gram.propose

    def counted(system: gram.System, seconds: float) -> Any:
        solved.append(system.size)
        return real(system, seconds)

    monkeypatch.setattr(sos, "propose", counted)
    goal = missed(*ATTAINED["the olympiad problem of 1964"])
    assert sos.find(goal, Budget(seconds=1e6, rounds=3, terms=800)) is None
    assert len(solved) == 3
    assert max(solved) <= 200


def test_without_the_semidefinite_solver_nothing_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "clarabel", None)
    assert sos.find(sequent("x**4 + 4 >= 4*x**2"), QUICK) is None


@pytest.mark.parametrize(
    "goal",
    [
        sequent("a == a"),
        sequent("[1, 2] <= [3, 4]"),
        sequent("1/(x - y) >= 0"),
        sequent("forall(i, 1, d, lam[i] >= 0)"),
        sequent("x/0*y >= 0"),
    ],
    ids=["an equation", "matrices", "a divisor without a sign", "a goal for every index", "a division by zero"],
)
@pytest.mark.parametrize("prover", [cone_lp, sos])
def test_a_question_of_another_kind_is_declined(prover: Any, goal: Sequent) -> None:
    assert prover.find(goal, QUICK) is None


@pytest.mark.parametrize("prover", [cone_lp, sos])
@pytest.mark.parametrize(
    "goal",
    ["10**400*x**2 >= y", "x**200 >= 0", "x - x > 0", "0 > 0", "sqrt(x)**2 >= x", "exp(x) >= 1 + x", "x/10**320 >= y"],
)
def test_numbers_too_large_and_functions_too_strange_end_without_an_error(prover: Any, goal: str) -> None:
    assert prover.find(sequent(goal), QUICK) is None


@pytest.mark.parametrize("prover", [cone_lp, sos])
def test_a_trivial_goal_is_proved(prover: Any) -> None:
    proves(prover.find(sequent("x - x >= 0"), QUICK), sequent("x - x >= 0"))


def test_contradictory_numbers_among_the_facts_prove_anything() -> None:
    proves(sos.find(sequent("x >= 1", "0 >= 1"), QUICK), sequent("x >= 1", "0 >= 1"))


@pytest.mark.parametrize("terms", [3, 64, 65, 700])
def test_a_long_polynomial_is_written_so_that_the_kernel_can_read_it(terms: int) -> None:
    problem = prepare(sequent("x**2 - y**2*3/2 - x*y >= 0"))
    assert problem is not None
    x, y = problem.ctx.gens()
    poly = sum((((-1) ** k) * x**k * y for k in range(terms)), problem.ctx.constant(0))
    (value,) = fractions_of([parse(problem.write(poly))])[1]
    assert value.num == poly  # type: ignore[union-attr]
    assert problem.write(x - y * y / 2) in ("x - 1/2*y**2", "-1/2*y**2 + x")


@pytest.mark.parametrize("prover", [cone_lp, sos])
@pytest.mark.parametrize(
    ("goal", "facts"),
    [
        ("a*x**2 >= 0", ("1/a >= 1/b", "b > 0", "a > 0")),
        ("x <= 2", ("1/x >= 1/2", "x > 0")),
        ("x*y <= 1", ("x == 1/y", "y > 0")),
        ("n*(n + 1)*x**2 >= 0", ()),
        ("sum(i, 1, d, u[i]**2)*t**2 >= 0", ("sum(i, 1, d, u[i]**2) >= 0",)),
        ("2*t*sum(i, 1, d, u[i]) <= t**2*sum(i, 1, d, u[i]) + sum(i, 1, d, u[i])", ("sum(i, 1, d, u[i]) >= 0",)),
    ],
)
def test_denominators_equations_naturals_and_sums_in_facts_are_used(
    prover: Any, goal: str, facts: tuple[str, ...]
) -> None:
    plain = sequent(goal, *facts)
    natural = Sequent(plain.facts, plain.goal, frozenset({"n"}))
    proves(prover.find(natural, AMPLE), natural)


def test_a_singular_matrix_is_factored_and_an_indefinite_one_is_refused() -> None:
    problem = prepare(sequent("x + y >= 0"))
    assert problem is not None
    x, y = problem.ctx.gens()
    block = gram.Block((), problem.ctx.constant(1), (x, y))
    squares = squares_of([[rational(1, 1), rational(-1, 1)], [rational(-1, 1), rational(1, 1)]], block)
    assert squares is not None
    assert [str(column.square) for _, column in squares] == [str(x - y)]
    assert squares_of([[rational(0, 1), rational(1, 1)], [rational(1, 1), rational(5, 1)]], block) is None
    assert squares_of([[rational(1, 1), rational(2, 1)], [rational(2, 1), rational(3, 1)]], block) is None


@pytest.mark.parametrize(
    ("value", "tolerance", "expected"),
    [
        (0.3333, 1e-3, Fraction(1, 3)),
        (-2.00001, 1e-4, Fraction(-2)),
        (1e-9, 1e-8, Fraction(0)),
        (0.7, 0.0, Fraction(0.7)),
    ],
)
def test_the_simplest_fraction_nearby(value: float, tolerance: float, expected: Fraction) -> None:
    assert simplest(value, tolerance) == expected


def test_products_come_with_few_factors_first_and_stop_at_the_limit() -> None:
    problem = prepare(sequent("x + y >= 0", "x > 0", "y > 0"))
    assert problem is not None
    polys = list(problem.ctx.gens())
    found = [chosen for chosen, _ in products(problem.ctx, polys, 2, 100)]
    assert found == [(), (0,), (1,), (0, 0), (0, 1), (1, 1)]
    assert len(list(products(problem.ctx, polys, 2, 4))) <= 4


def test_a_negative_limit_is_refused() -> None:
    with pytest.raises(ValueError, match="rounds = -1 is negative"):
        Budget(rounds=-1)
