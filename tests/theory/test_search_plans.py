"""Plans: what is free, what follows, in which order numbers are drawn, and that drawn points satisfy the hypotheses."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from tests.theory.test_search_claims import BLOCK, PAIR, STEPS, claim
from theory.kernel import Claim, satisfies_hypotheses
from theory.kernel.evaluate import Mat, evaluate
from theory.kernel.lang import parse, text
from theory.kernel.rings import Exact, to_fmpq, to_fraction
from theory.search import search
from theory.search.bounds import split_extremes
from theory.search.choices import plans
from theory.search.climb import climb, score
from theory.search.crowd import ENOUGH
from theory.search.draw import draw, interval
from theory.search.exact import exact_points
from theory.search.floats import Floats, Scaled, batch, scaled, value_of
from theory.search.kinds import kinds_of
from theory.search.plan import Plan, plans_for
from theory.search.polish import polish
from theory.search.properties import DEAR, property_test
from theory.search.result import GLANCE, NORMAL, QUICK
from theory.search.shapes import TooLarge, shape_of
from theory.search.slots import point_of, slots_of
from theory.search.survey import survey


def plan_of(one: Claim, variant: int = 0, **integers: int) -> Plan:
    kinds = kinds_of(one)
    shape = shape_of(one, kinds, integers, dict.fromkeys(kinds.spaces, 3))
    return list(plans_for(one, kinds, shape, {}, 4))[variant]


FORMULAS = (
    "(x - y)**3/(1 + x**2) - 2*x*y",
    "min(x, y, 2) * max(x - 1, y) + abs(x - y)",
    "([[x, 1], [y, x]]**5 @ [1, 2])[2] + tr([[x, 1], [2, y]] @ inv([[2, 1], [1, 1]]))",
    "sum(i, 1, 4, (x - i)*lam[i]) + mean(w, X[w]**2 * y)",
    "iterate(s, 4, [x, y], [s[2], s[1]/2 + s[2]])[1]",
    "-x + [x, y].T[1, 2] * 1/3",
    "sqrt(x**2) + y**(-2)",
)


@pytest.mark.parametrize("formula", FORMULAS)
def test_batches_of_floats_agree_with_exact_rationals(formula: str) -> None:
    rng = np.random.default_rng(3)
    numbers = rng.integers(1, 9, (40, 9))
    columns = {"x": numbers[:, 0] / 4, "y": -numbers[:, 1] / 8}
    env: dict[str, object] = {name: batch(v) for name, v in columns.items()}
    lam, big, p = numbers[:, 2:6] / 2, numbers[:, 6:9] / 1, (1 / 4, 1 / 4, 1 / 2)
    env["lam"] = Mat(tuple((batch(lam[:, i]),) for i in range(4)))
    env["X"] = Mat(tuple((batch(big[:, i]),) for i in range(3)))
    env["p_w"] = Mat(tuple((batch(np.full(40, q)),) for q in p))
    values = value_of(parse(formula), env, 40)
    for row in range(40):
        exact: dict[str, object] = {name: to_fmpq(Fraction(v[row])) for name, v in columns.items()}
        exact["lam"] = Mat(tuple((to_fmpq(Fraction(lam[row, i])),) for i in range(4)))
        exact["X"] = Mat(tuple((to_fmpq(Fraction(big[row, i])),) for i in range(3)))
        exact["p_w"] = Mat(tuple((to_fmpq(Fraction(q)),) for q in p))
        wanted = float(to_fraction(evaluate(parse(formula), exact, Exact())))
        assert values[row] == pytest.approx(wanted, rel=1e-12, abs=1e-12)


@pytest.mark.parametrize("formula", ["1/x", "sqrt(x - 1)", "log(x)", "x/x", "exp(1000 + x)"])
def test_what_has_no_value_is_not_finite_and_warns_nobody(formula: str) -> None:
    with np.errstate(all="ignore"):
        assert not np.isfinite(value_of(parse(formula), {"x": batch(np.array([0.0]))}, 1)[0])


def test_the_size_of_a_formula_adds_up_its_terms() -> None:
    both = scaled(parse("x**2 - 2*x*y + y**2"), {"x": batch([1.0]), "y": batch([1.0])})
    assert isinstance(both, Scaled)
    assert (both.value[0], both.size[0]) == (0.0, 4.0)


def test_an_exponent_must_be_one_integer_for_the_whole_batch() -> None:
    assert scaled(parse("2**x"), {"x": batch([1.0, 2.0])}) is None
    assert isinstance(scaled(parse("2**x"), {"x": Floats().const(Fraction(3))}), Scaled)


def test_names_are_sorted_by_their_use() -> None:
    one = claim("sum(i,1,d,lam[i])*x**k <= T*mean(w, X[w])", naturals=("d", "k", "T"))
    kinds = kinds_of(one)
    assert (kinds.counting, kinds.plain, kinds.reals) == (("d", "k"), ("T",), ("x",))
    assert (kinds.families, kinds.spaces) == (("X", "lam"), ("w",))


def test_families_are_as_long_as_their_largest_index() -> None:
    one = claim("sum(i,1,d,lam[i+1]*v[i, 2]) <= u[3]", naturals=("d",))
    shape = shape_of(one, kinds_of(one), {"d": 2}, {})
    assert dict(shape.families) == {"lam": (3, 1), "u": (3, 1), "v": (2, 2)}


def test_a_family_read_at_a_computed_index_is_long_enough() -> None:
    one = claim("iterate(s, n, [0, 1], [s[1] + w[s[2]], s[2] + 1])[1] <= 1", naturals=("n",))
    assert dict(shape_of(one, kinds_of(one), {"n": 5}, {}).families) == {"w": (5, 1)}


def test_a_family_read_at_a_computed_index_is_long_enough_beside_a_divisor() -> None:
    one = claim("iterate(s, n, [1/g[1], 1], [s[1] + w[s[2]], s[2] + 1])[1] <= 1", naturals=("n",))
    assert dict(shape_of(one, kinds_of(one), {"n": 5}, {}).families) == {"g": (1, 1), "w": (5, 1)}


def test_a_number_at_which_an_index_begins_is_counted_with() -> None:
    """At any other number the claim has no value."""
    one = claim(
        "iterate(s, n, [0, m], [s[1] + w[s[2]]**2, s[2] + 1])[1] >= 0",
        naturals=("n",),
        example=(("n", "1"), ("m", "1"), ("w", ["1"])),
    )
    assert kinds_of(one).counting == ("m", "n")
    assert property_test(one)().useful >= ENOUGH


def test_a_claim_about_one_count_alone_is_tried_at_many() -> None:
    one = claim("(1/2)**(k+1) <= (1/2)**k", naturals=("k",), example=(("k", "1"),))
    assert property_test(one)().useful >= ENOUGH


def test_points_are_drawn_where_exact_ones_are_dear() -> None:
    """Small shapes are cheap and leave no point; that of the example is dear."""
    factor = "((1 - x/3)*(1 - y/5)*(1 - z/7))**6"
    says = f"iterate(s, n, [1, 1], [s[1]*{factor} + w[s[2]]**2, s[2] + 1])[1] >= 0"
    box = [f"{name} {op}" for name in "xyz" for op in (">= 0", "<= 1")]
    example = (("n", "28"), *((name, "1/2") for name in "xyz"), ("w", ["0"] * 28))
    one = claim(says, "n*x >= 10", *box, naturals=("n",), example=example)
    made = list(plans(one, kinds_of(one), {}, np.random.default_rng(0), GLANCE))
    assert [plan.price.at(200) > DEAR for plan in made if dict(plan.shape.integers)["n"] > 9] == [True]
    assert property_test(one)().useful >= ENOUGH


def test_a_shape_with_too_many_numbers_is_left_out() -> None:
    one = claim("sum(i,1,d,lam[i]) <= 1", naturals=("d",))
    with pytest.raises(TooLarge):
        shape_of(one, kinds_of(one), {"d": 1000}, {})


def test_points_and_slots_are_inverse() -> None:
    one = claim("sum(i,1,d,lam[i]*v[i, 2]) <= x", naturals=("d",))
    shape = shape_of(one, kinds_of(one), {"d": 2}, {})
    point = {"d": "2", "lam": ["1", "1/2"], "v": [["1", "2"], ["3", "4"]], "x": "7"}
    slots = slots_of(shape, point)
    assert slots is not None
    assert point_of(shape, slots) == point
    assert slots_of(shape, {**point, "lam": ["1"]}) is None


def test_roots_in_equations_are_solved_so_that_the_others_are_rational() -> None:
    plan = plan_of(claim("theta <= 1", *PAIR))
    assert plan.exact
    solved = {one.name: text(one.formula) for one in plan.dependent}
    assert solved == {"gam": "theta/mu", "eta": "16*(kt*theta**2)/mu"}


def test_other_plans_solve_for_other_names() -> None:
    one = claim("theta <= 1", *PAIR)
    chosen = [frozenset(s.name for s in plan_of(one, v).dependent) for v in range(3)]
    assert len(set(chosen)) == 3


@pytest.mark.parametrize(
    ("hypothesis", "name"),
    [("x == y**2 + z", "x"), ("2*x + y*z == 3", "x"), ("1/x == y", "x"), ("sqrt(x) == y", "x"), ("x*y == z", "z")],
)
def test_an_equation_is_solved_for_a_name_in_which_it_is_rational(hypothesis: str, name: str) -> None:
    plan = plan_of(claim("x <= 10**9*(1 + y**2 + z**2)", hypothesis))
    assert plan.exact
    assert name in {s.name for s in plan.dependent} or plan.dependent


def test_both_roots_of_a_square_are_drawn() -> None:
    one = claim("x <= y", "x**2 + y**2 == 1")
    signs = set()
    for plan in (plan_of(one, 0), plan_of(one, 1)):
        values = plan.complete(draw(plan, np.random.default_rng(0), 100))
        signs |= set(np.sign(values[plan.dependent[0].name].value[:20]))
    assert {1.0, -1.0} <= signs


def test_the_third_quadrant_of_a_circle_is_searched() -> None:
    for seed in range(3):
        assert search(claim("x + y >= -7/5", "x**2 + y**2 == 1"), seed=seed).witness is not None


REGIONS = (
    claim("x <= 1", "x > 0", "y >= x", "y <= 2*x + 1", "z >= y", "z <= 10"),
    claim("theta <= 1", *PAIR),
    claim("c <= 1", *STEPS, "q*lam <= 1 + c"),
    claim("x <= 1", "x**2 <= y", "y <= 4", "x >= 0"),
    claim("x <= 1", "x <= min(y, z)", "max(y, 1/2) <= 3", "abs(z) <= 2", "y > 0"),
    claim("x <= 1", "x**2 - 3*x*y + y**2 <= 0", "y >= 1", "y <= 2"),
    claim("sum(i,1,d,x[i]) <= 1", "forall(i,1,d,x[i] >= m)", "forall(i,1,d,x[i] <= M)", "m > 0", naturals=("d",)),
    claim("mean(w,X[w]) <= 1", "forall(w, Omega, Omega, X[w] >= 0)", "mean(w,X[w]**2) <= 4"),
)


@pytest.mark.parametrize("one", REGIONS, ids=lambda c: ", ".join(c.given)[:60])
def test_most_draws_satisfy_hypotheses_that_are_read_as_bounds(one: Claim) -> None:
    plan = plan_of(one, **dict.fromkeys(kinds_of(one).counting, 3))
    rows = draw(plan, np.random.default_rng(1), 4000)
    assert plan.allowed(plan.complete(rows), 4000).mean() > 0.35


@pytest.mark.parametrize("one", REGIONS, ids=lambda c: ", ".join(c.given)[:60])
def test_drawn_points_satisfy_the_hypotheses_exactly_when_rounded(one: Claim) -> None:
    plan = plan_of(one, **dict.fromkeys(kinds_of(one).counting, 2))
    found = survey(plan, np.random.default_rng(2), 400, [])
    satisfied = 0
    for row in found.rows[:20]:
        for _, point in exact_points(plan, dict(zip(plan.names, map(float, row), strict=True))):
            try:
                satisfies_hypotheses(one, point)
            except Exception:
                continue
            satisfied += 1
            break
    assert satisfied >= 16


def test_draws_reach_the_edges_and_many_decades() -> None:
    plan = plan_of(claim("x <= 1", "x >= 0", "y >= x", "y <= 1"))
    rows = draw(plan, np.random.default_rng(0), 20_000)
    x, y = (rows[:, plan.names.index(n)] for n in ("x", "y"))
    assert (y == x).sum() > 100
    assert (y == 1).sum() > 100
    assert ((y - x > 0) & (y - x < 1e-8)).sum() > 20
    assert {1e-3, 1e-5} <= {d for d in (1e-3, 1e-5, 1e-7) if ((x > 0) & (x < d)).sum() > 50}


def test_a_walk_reaches_a_region_that_draws_miss() -> None:
    thin = claim(
        "x <= 9", "x**2 + y**2 + z**2 <= 1", "x**3 + y**3 >= 99/100", example=(("x", "1"), ("y", "0"), ("z", "0"))
    )
    plan = plan_of(thin)
    found = survey(plan, np.random.default_rng(0), 50, [dict(thin.example)])
    assert len(found.rows) > 10 * max(found.drawn, 1)


def test_bounds_depend_on_what_was_drawn_before() -> None:
    plan = plan_of(claim("x <= 1", "x > 0", "y >= x", "y <= 2*x + 1"))
    first, second = plan.free
    low, high = interval(second, {first.name: batch([3.0])}, 1)
    assert (first.name, low[0], high[0]) in {("x", 3.0, 7.0), ("y", 1.0, 3.0)}


def test_extremes_are_split_into_plain_bounds() -> None:
    from theory.kernel.lang import parse_relation

    shown = [str(r) for r in split_extremes(parse_relation("max(a, b) <= min(c, d)"))]
    assert shown == ["a <= c", "a <= d", "b <= c", "b <= d"]
    assert [str(r) for r in split_extremes(parse_relation("abs(x) < 2"))] == ["x < 2", "-x < 2"]


def test_small_shapes_and_large_ones_are_tried() -> None:
    one = claim("x**k <= 1", "x >= 0", "x <= 1", naturals=("k",))
    tried = {dict(p.shape.integers)["k"] for p in plans(one, kinds_of(one), {}, np.random.default_rng(0), NORMAL)}
    assert {0, 1, 2, 3} <= tried
    assert max(tried) >= 100


def test_a_high_power_of_a_matrix_takes_little_work() -> None:
    one = claim("(A**k @ [1, 1])[1] <= 2", where=BLOCK, naturals=("k",))
    assert plan_of(one, k=1000).work < QUICK.work


@pytest.mark.parametrize("k", [0, 1, 4, 5, 13, 64])
def test_powers_by_squaring_agree_with_the_kernel(k: int) -> None:
    one = claim("(A**k @ [1, 1])[1] <= tr(A**(k+1))", where=BLOCK, naturals=("k",))
    plan = plan_of(one, k=k)
    free = dict(zip(("c", "eta", "lam", "q"), map(Fraction, ("1/2", "1/8", "3/4", "5/8")), strict=True))
    rows = np.array([[float(free[n]) for n in plan.names]])
    ((_, left, right, _),) = plan.sides(plan.complete(rows), 1)
    env = {n: to_fmpq(v) for n, v in {**free, "k": Fraction(k)}.items()}
    exact = [float(to_fraction(evaluate(side, env, Exact()))) for side in (one.goals[0].left, one.goals[0].right)]
    assert [left[0], right[0]] == pytest.approx(exact, rel=1e-12)


def test_a_climb_follows_an_edge() -> None:
    plan = plan_of(claim("(x*y)**60/(1+(x-3)**2) <= 10", "x*y <= 1", "x >= 1/10", "y >= 0"))
    start = np.array([[9.0 if name == "x" else 1 / 9 for name in plan.names]])
    done = climb(plan, 0, start, np.random.default_rng(0), 40)
    assert done.scores[0] == pytest.approx((1 - 10) / 11, rel=1e-9)


def test_polishing_reaches_the_bottom_of_a_curved_valley() -> None:
    plan = plan_of(claim("(1-x)**2+100*(y-x**2)**2+(1-y)**2+100*(z-y**2)**2 >= 1/10**9"))
    start = np.array([0.9 if name == "x" else 0.8 if name == "y" else 0.65 for name in plan.names])
    before = float(score(plan, 0, start[None, :])[0])
    _, after, looked = polish(plan, 0, start, before, 90)
    assert before < -0.999999 < 0.9 < after
    assert looked <= 92 * 7


def test_hypotheses_on_integers_rule_shapes_out() -> None:
    one = claim("x**k <= 1", "k >= 3", "k <= 5", "x <= 1", naturals=("k",))
    tried = {dict(p.shape.integers)["k"] for p in plans(one, kinds_of(one), {}, np.random.default_rng(0), NORMAL)}
    assert tried == {3, 4, 5}


def test_a_definition_with_parameters_is_put_in_where_it_is_used() -> None:
    claim = Claim(
        "c",
        ("top <= 2*f(x, n)",),
        ("x >= 0",),
        where=(("f(y, k)", "sum(i, 0, k, y**i)"), ("top", "f(x, n) + 0*x")),
        naturals=("n",),
        example=(("x", "1"), ("n", "1")),
    )
    seen = property_test(claim)()
    assert seen.useful >= 100
