"""Points with roots: what the kernel reads, what it decides there, and what it refuses."""

from __future__ import annotations

import random
from fractions import Fraction
from typing import Any

import mpmath
import pytest
from flint import fmpq

from theory.kernel import Claim, Malformed, Rejected, Undecidable, Undefined, check_witness, holds, satisfies_hypotheses
from theory.kernel.algebraic import FIELD, Algebraic, Algebraics, Surd, algebraic, number
from theory.kernel.evaluate import evaluate
from theory.kernel.lang import Relation, parse, parse_relation
from theory.kernel.points import environment
from theory.kernel.rings import Exact, Inexact

ROOT = Claim("root", ("x <= 7/5",), ("x**2 == 2", "x > 0"))
FALSE = ("1 <= 0",)


def at(says: str, **point: Any) -> bool:
    relation = parse_relation(says)
    return holds(relation, environment(point, Claim("c", FALSE)))


def test_a_lemma_is_refuted_at_the_only_point_of_its_hypotheses() -> None:
    assert check_witness(ROOT, {"x": "sqrt(2)"}) == "x <= 7/5 fails"
    for other in ("-sqrt(2)", "sqrt(3)", "7/5", "sqrt(2) + 1/1000000000000000000000000000000", "2*sqrt(2)/2 - 0.1"):
        with pytest.raises(Rejected, match="violates the hypothesis"):
            check_witness(ROOT, {"x": other})


def test_what_is_true_at_a_root_is_no_witness() -> None:
    for says in ("x >= 7/5", "x**2 >= 2", "x**3 == 2*x", "1/x == x/2"):
        with pytest.raises(Rejected, match="no witness"):
            check_witness(Claim("true", (says,), ROOT.given), {"x": "sqrt(2)"})


@pytest.mark.parametrize(
    "written",
    [
        *("sqrt(x)", "exp(1)", "__import__('os')", "sqrt(٢)", "sqrt(２)", "√2", "x.y", "2**(1/2)", "sqrt(2, 3)"),
        *("True", "nan", "inf", "", "sqrt()", "sqrt('2')", "[sqrt(2)]", "lambda: 2", "sum(i, 1, 2, i)", "abs(2)"),
        *("log(2)", "sqrt(2) == 1", "sqrt", "1 if 1 else 2", "sqrt(2)\nimport os", "tr(2)", "2 @ 3", "pi"),
    ],
)
def test_only_numbers_with_signs_and_roots_are_read(written: str) -> None:
    with pytest.raises(Malformed):
        satisfies_hypotheses(Claim("c", ("x >= 0",)), {"x": written})


@pytest.mark.parametrize(
    ("written", "why"),
    [
        ("sqrt(-2)", "negative"),
        ("sqrt(sqrt(2) - 2)", "negative"),
        ("sqrt(1 + sqrt(3) - sqrt(5 + 2*sqrt(6)) + sqrt(2) - 1 - 1/10000000000)", "negative"),
        ("1/(sqrt(2)*sqrt(2) - 2)", "division by zero"),
        ("1/(sqrt(5 + 2*sqrt(6)) - sqrt(2) - sqrt(3))", "division by zero"),
        ("sqrt(2)/0", "division by zero"),
        ("1/0", "division by zero"),
    ],
)
def test_an_entry_without_a_value_is_refused(written: str, why: str) -> None:
    with pytest.raises(Malformed, match=why):
        environment({"x": written}, ROOT)


@pytest.mark.parametrize(
    "written",
    [
        "sqrt(" * 12 + "2" + ")" * 12,
        "sqrt(" * 300 + "2" + ")" * 300,
        " + ".join(f"sqrt({p})" for p in (2, 3, 5, 7, 11, 13, 17, 19, 23)),
        "-" * 1500 + "sqrt(2)",
        "(sqrt(2) + sqrt(3) + sqrt(5) + sqrt(7) + sqrt(11))*(sqrt(2) + sqrt(3) + sqrt(5) + sqrt(7) + sqrt(11) - 1)",
        f"sqrt({10**2500})*sqrt({3 * 10**3500 + 1})",
        "+".join(["sqrt(2)"] * 1000),
    ],
)
def test_what_is_too_large_is_refused_in_a_moment(written: str) -> None:
    with pytest.raises(Malformed, match=r"may need more than|made of a few|cannot read"):
        number(written)


def test_a_number_that_is_rational_is_that_rational() -> None:
    for written, value in (
        ("sqrt(4)", 2),
        ("sqrt(2)*sqrt(2)", 2),
        ("sqrt(3 + 2*sqrt(2)) - sqrt(2)", 1),
        ("sqrt(1/9)", "1/3"),
    ):
        found = number(written)
        assert isinstance(found, fmpq)
        assert Fraction(int(found.p), int(found.q)) == Fraction(value)
    claim = Claim("c", ("sum(i, 1, n, 1) <= 1",), naturals=("n",))
    assert check_witness(claim, {"n": "sqrt(4)"}) == "sum(i, 1, n, 1) <= 1 fails"


def test_counts_indices_exponents_and_probabilities_are_no_roots() -> None:
    with pytest.raises(Rejected, match="not a natural number"):
        environment({"n": "sqrt(2)"}, Claim("c", ("n >= 0",), naturals=("n",)))
    with pytest.raises(Malformed, match="not a rational number"):
        environment({"p_w": ["sqrt(2) - 1", "2 - sqrt(2)"], "X": ["1", "2"]}, Claim("c", ("mean(w, X[w]) <= 100",)))
    with pytest.raises(Malformed, match="not a rational number"):
        environment({"u": "sqrt(2)", "d": "1"}, Claim("c", ("norm2(u) >= 0",), kinds=(("u", "vector(d)"),)))
    for says in ("v[x] == 1", "2**x >= 0"):
        with pytest.raises(Undecidable):
            at(says, x="sqrt(2)", v=["1", "2"])
    with pytest.raises(Undefined, match="not an integer"):
        at("sum(i, 1, x, 1) >= 0", x="sqrt(2)")
    with pytest.raises(Undecidable, match="does not end at rationals"):
        at("forall(i, 1, x*x, i >= 0)", x="sqrt(2)")


def test_an_index_and_an_end_may_be_computed_from_roots() -> None:
    assert at("v[x*x] == 5", x="sqrt(2)", v=["4", "5"])
    assert at("sum(i, 1, x*x, i) == 3", x="sqrt(2)")
    assert at("2**(x*x) == 4", x="sqrt(2)")


def test_the_other_root_is_told_apart() -> None:
    both = Claim("other", ("x >= 0",), ("x**2 == x + 1",))
    assert check_witness(both, {"x": "(1 - sqrt(5))/2"}) == "x >= 0 fails"
    with pytest.raises(Rejected, match="no witness"):
        check_witness(both, {"x": "(1 + sqrt(5))/2"})
    assert at("sqrt(x**2) == -x", x="-sqrt(2)")
    assert not at("sqrt(x**2) == x", x="-sqrt(2)")


def test_families_lists_and_matrices_hold_roots() -> None:
    tower = Claim("t", ("x[2] <= 18/10",), ("x[1] == sqrt(2)", "x[2] == sqrt(2 + x[1])"))
    for family in (["sqrt(2)", "sqrt(2 + sqrt(2))"], {"1": "sqrt(2)", "2": "sqrt(2 + sqrt(2))"}):
        assert check_witness(tower, {"x": family}) == "x[2] <= 18/10 fails"
    assert at("M@M == [[2, 0], [0, 2]]", M=[["1", "1"], ["1", "-1"]])
    assert at("M@M.T == [[1, 0], [0, 1]]", M=[["1/sqrt(2)", "1/sqrt(2)"], ["1/sqrt(2)", "-1/sqrt(2)"]])
    assert not at("M@M == [[1, 0], [0, 2]]", M=[["1/sqrt(2)", "1/sqrt(2)"], ["1/sqrt(2)", "-1/sqrt(2)"]])


def test_exponentials_at_a_root_are_enclosed_and_never_called_equal() -> None:
    assert at("exp(x) <= 42/10", x="sqrt(2)")
    assert not at("exp(x) <= 4", x="sqrt(2)")
    assert not at("log(x)*2 > log(2 + 1/1000000000000)", x="sqrt(2)")
    for says in ("exp(x)*exp(-x) == 1", "exp(x)*exp(-x) != 1", "2*log(x) <= log(2)", "sin(x)**2 + cos(x)**2 <= 1"):
        with pytest.raises(Undecidable):
            at(says, x="sqrt(2)")


def test_a_point_where_a_divisor_vanishes_refutes_by_having_no_value() -> None:
    claim = Claim("pole", ("1/(x**2 - 2) >= 0",), ("x >= 0",))
    assert "has no value" in check_witness(claim, {"x": "sqrt(2)"})
    given = Claim("given", FALSE, ("1/(x**2 - 2) >= 0",))
    with pytest.raises(Rejected, match="has no value at this point"):
        check_witness(given, {"x": "sqrt(2)"})


def test_nothing_is_computed_with_a_root_among_rationals() -> None:
    root = number("sqrt(2)")
    assert isinstance(root, Surd)
    env = {"x": root, "y": fmpq(1)}
    for formula in (
        "x + y",
        "y - x",
        "x*x",
        "x/y",
        "y/x",
        "-x",
        "abs(x)",
        "min(x, y)",
        "max(y, x)",
        "sqrt(x)",
        "x**2",
        "exp(x)",
    ):
        with pytest.raises(Inexact):
            evaluate(parse(formula), env, Exact())
    for compared in (
        lambda: root == 1,
        lambda: root != root,
        lambda: fmpq(1) == root,
        lambda: root < 2,
        lambda: fmpq(2) >= root,
    ):
        with pytest.raises(Inexact):
            compared()


def test_equality_at_rational_points_is_decided() -> None:
    for says in (
        "sqrt(2)*sqrt(3) == sqrt(6)",
        "(1 + sqrt(2))**2 == 3 + 2*sqrt(2)",
        "sqrt(5 + 2*sqrt(6)) == sqrt(2) + sqrt(3)",
    ):
        assert holds(parse_relation(says), {})
        assert not holds(parse_relation(says.replace("==", "<")), {})
    for p in range(2, 60, 7):
        assert holds(parse_relation(f"sqrt({p}) + sqrt({p + 1}) == sqrt({2 * p + 1} + 2*sqrt({p * p + p}))"), {})


@pytest.mark.parametrize("op", ["+", "*", "/"])
def test_operations_beyond_the_limits_decide_nothing(op: str) -> None:
    big = algebraic(number("sqrt(2) + sqrt(3) + sqrt(5) + sqrt(7) + sqrt(11)"))
    act = {"+": lambda: big + big, "*": lambda: big * big, "/": lambda: big / big}[op]
    with pytest.raises(Inexact):
        act()
    with pytest.raises(Inexact):
        algebraic(number("1 + sqrt(2)")) ** 10**6


def test_flint_agrees_with_what_the_wrapper_relies_on() -> None:
    two = algebraic(fmpq(2))
    assert isinstance(two, Algebraic)
    assert (two.root() * two.root()).rational == 2
    assert two.root().rational is None
    assert two.root().degree == 2
    assert (two.root() ** 0).rational == 1
    assert FIELD.cmp(two.root().value, FIELD(1)) == 1
    assert (algebraic(fmpq(-22, 7)) / two).rational == fmpq(-11, 7)
    with pytest.raises(Undefined):
        Algebraics().divide(two, two.root() * two.root() - two)
    with pytest.raises(Undefined):
        Algebraics().call("sqrt", [-two])


def _tower(rng: random.Random, depth: int) -> str:
    if depth == 0 or rng.random() < 0.2:
        return str(Fraction(rng.randint(1, 9), rng.choice((1, 1, 2, 3))))
    if rng.random() < 0.5:
        return f"sqrt({_tower(rng, depth - 1)})"
    op = rng.choice("+-*/")
    right = _tower(rng, depth - 1)
    return f"({_tower(rng, depth - 1)} {op} {'(1 + ' + right + '*' + right + ')' if op == '/' else right})"


def _by_mpmath(formula: str) -> Any:
    return eval(_exact(formula), {"sqrt": mpmath.sqrt, "Q": lambda n: mpmath.mpf(n)})


def _exact(formula: str) -> str:
    import re

    return re.sub(r"(\d+)", r"Q(\1)", formula)


def test_random_relations_of_towers_agree_with_mpmath() -> None:
    rng, seen = random.Random(0), 0
    with mpmath.workdps(200):
        for _ in range(900):
            left, right = _tower(rng, 3), _tower(rng, 2)
            values = _by_mpmath(left), _by_mpmath(right)
            if any(isinstance(v, mpmath.mpc) or not mpmath.isfinite(v) for v in values):
                continue
            gap = values[0] - values[1]
            if abs(gap) < mpmath.mpf(10) ** -150:
                gap = 0
            for op, truth in (("<=", gap <= 0), ("<", gap < 0), ("==", gap == 0)):
                relation = Relation(op, parse(left), parse(right))
                try:
                    assert holds(relation, {}) == bool(truth), str(relation)
                    seen += 1
                except (Undecidable, Undefined):
                    assert abs(values[0]) + abs(values[1]) >= 0
    assert seen > 1500


def test_random_equalities_are_decided() -> None:
    """The square of a sum, written in two ways, and the root of the square."""
    rng = random.Random(1)
    for _ in range(200):
        a, b, p, q = (rng.randint(1, 30) for _ in range(4))
        square = f"{a * a * p + b * b * q} + {2 * a * b}*sqrt({p * q})"
        assert holds(parse_relation(f"({a}*sqrt({p}) + {b}*sqrt({q}))**2 == {square}"), {})
        assert holds(parse_relation(f"sqrt({square}) == {a}*sqrt({p}) + {b}*sqrt({q})"), {})
        assert not holds(parse_relation(f"sqrt({square}) < {a}*sqrt({p}) + {b}*sqrt({q})"), {})
        assert at("x**2 == y", x=f"{a}*sqrt({p}) + {b}*sqrt({q})", y=square)
