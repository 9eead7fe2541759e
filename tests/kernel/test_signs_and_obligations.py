"""Signs read off facts, facts at a generic index, and what a formula owes before it has a value."""

from __future__ import annotations

import pytest

from theory.kernel import Malformed, Rejected, Sequent
from theory.kernel.evaluate import evaluate
from theory.kernel.flat import OMEGA
from theory.kernel.lang import Node, num, parse, parse_relation, sym
from theory.kernel.rings import Frac, RationalFunctions
from theory.kernel.sequent import (
    Obligation,
    _proportion,
    freed,
    generic,
    instantiate,
    is_evaluated,
    is_integer,
    is_natural,
    is_plain,
    obligations,
    sign_of,
    signs,
)

NAMES = ("a", "b", "u", "x", "y")


def sequent(goal: str, *facts: str, naturals: tuple[str, ...] = ()) -> Sequent:
    return Sequent(tuple(map(parse_relation, facts)), parse_relation(goal), frozenset(naturals))


def fraction(formula: str) -> Frac:
    ring = RationalFunctions(NAMES)
    found = evaluate(parse(formula), ring.env(), ring)
    assert isinstance(found, Frac)
    return found


def sign(formula: str, *facts: str) -> int | None:
    return sign_of(fraction(formula), signs(map(parse_relation, facts), RationalFunctions(NAMES)))


@pytest.mark.parametrize(
    ("formula", "facts", "expected"),
    [
        ("x", ("x/y > 0",), None),
        ("x", ("1/x > 0",), None),
        ("x", ("x + y**2 > 0",), None),
        ("x", ("x + y > 0",), None),
        ("x + y", ("x + y > 0",), 1),
        ("2*x + 2*y", ("x + y > 0",), 1),
        ("-x - y", ("x + y > 0",), -1),
        ("x + 2*y", ("x + y > 0",), None),
        ("x", ("2*x > 1",), 1),
        ("x", ("2*x >= 1",), 1),
        ("x", ("2*x + 1 > 0",), None),
        ("x", ("x + 1/2 >= 0", "x != 0"), 0),
        ("x", ("x >= 0", "x != 0"), 0),
        ("x", ("x**2 > 0",), None),
        ("x", ("-x > 0",), -1),
        ("x", ("x < -1/2",), None),
        ("x + 1/2", ("x < -1/2",), -1),
        ("x", ("2 > 1", "[x] != [0]", "z > 0", "x > 0"), 1),
        ("x", ("[x] != [0]",), None),
        ("x", ("z*x > 0",), None),
        ("x", ("1/(x - x) > 0", "x > 0"), 1),
        ("x*y", ("x > 0", "y < 0"), -1),
        ("x/y", ("x > 0", "y < 0"), -1),
        ("x/y", ("x > 0",), None),
        ("y/x", ("x > 0",), None),
        ("x**2*y", ("x != 0", "y < 0"), -1),
        ("-3*x**2", ("x != 0",), -1),
        ("x**3", ("x < 0",), -1),
        ("x - x", ("x > 0",), None),
        ("a + b + 1", ("a >= 0", "b >= 0"), 1),
        ("a + b", ("a >= 0", "b >= 0"), None),
        ("a + b**2", ("a > 0",), 1),
        ("a + b**3", ("a > 0",), None),
        ("a*b + 1/3", ("a >= 0", "b >= 0"), 1),
        ("x", ("x == 1",), None),
    ],
)
def test_a_sign_is_what_the_facts_say(formula: str, facts: tuple[str, ...], expected: int | None) -> None:
    assert sign(formula, *facts) == expected


def test_a_polynomial_has_one_sign_when_all_its_coefficients_have_it() -> None:
    known = signs(map(parse_relation, ("a > 0", "b >= 0")), RationalFunctions(NAMES))
    expected = {"a + b": 1, "-a - b": -1, "b": 0, "a - b": 0, "x": 0, "-2": -1, "1/2": 1, "-a/2 - b": -1, "a + x**2": 1}
    assert {source: known.plain(fraction(source).num) for source in expected} == expected
    assert known.covers(fraction("b").num, strict=False)
    assert not known.covers(fraction("b").num, strict=True)
    assert not known.covers(fraction("a + x").num, strict=False)
    assert known.covers(fraction("b + a*x**2 + a").num, strict=True)


def test_two_polynomials_are_proportional_or_not() -> None:
    nothing, one, other = (fraction(source).num for source in ("x - x", "x + y", "-3*x - 3*y"))
    assert _proportion(other, one) == -3
    assert _proportion(one, fraction("x").num) is None
    assert _proportion(one, nothing) is None
    assert _proportion(nothing, one) is None


FACTS = ("a > 0", "b >= 0", "d < 0", "f + 1/2 >= 0", "u != 0", "h <= 0")


@pytest.mark.parametrize(
    ("kind", "formula", "plain"),
    [
        ("nonnegative", "f", False),
        ("nonnegative", "f + 1/2", False),
        ("nonnegative", "-b/d", True),
        ("nonnegative", "b/d", False),
        ("nonnegative", "b/u", False),
        ("nonnegative", "b/u**2", True),
        ("nonnegative", "b/f", False),
        ("nonnegative", "b/2 + a/3", True),
        ("nonnegative", "-h", False),
        ("nonnegative", "b - a", False),
        ("positive", "a/2", True),
        ("positive", "d", False),
        ("positive", "d**2", True),
        ("positive", "u**2", True),
        ("nonzero", "d", True),
        ("nonzero", "b", False),
        ("nonzero", "[a]", False),
        ("nonnegative", "[a]", False),
        ("entry", "a", False),
        ("invertible", "a", True),
        ("invertible", "b", False),
        ("invertible", "[[a, b], [0, d]]", True),
        ("invertible", "[[a, 0], [0, b]]", False),
        ("natural", "n", True),
        ("natural", "a", False),
        ("integer", "n - 2", True),
        ("integer", "n/2", False),
    ],
)
def test_an_obligation_is_plain_to_see_or_it_is_not(kind: str, formula: str, plain: bool) -> None:
    assert is_plain(Obligation(kind, parse(formula)), sequent("0 == 0", *FACTS, naturals=("n",))) is plain


def owed(formula: str) -> list[str]:
    return [one.label for one in obligations(parse(formula))]


ENDS = ("1 is integer", "n is integer", "1 is integer for i", "i is integer for i")


@pytest.mark.parametrize(
    ("formula", "labels"),
    [
        ("a**0", []),
        ("a**1", []),
        ("a**(1/2)", ["1/2 is integer"]),
        ("a**(-1/2)", ["a != 0", "-1/2 is integer"]),
        ("(a*b)**(-1)", ["a != 0", "b != 0"]),
        ("1/(2*a)", ["a != 0"]),
        ("1/a**2", ["a != 0"]),
        ("1/a**0", ["a**0 != 0"]),
        ("1/a**n", ["a**n != 0", "n is natural"]),
        ("1/(0*a)", ["0 != 0", "a != 0"]),
        ("1/(-a)", ["a != 0"]),
        ("1/(a + b)", ["a + b != 0"]),
        ("1/(a/b)", ["a != 0", "b != 0"]),
        ("[1, 2][1]", []),
        ("[1, 2][2]", []),
        ("[1, 2][3]", ["[1, 2][3] is entry"]),
        ("[1, 2][0]", ["[1, 2][0] is entry"]),
        ("[1, 2][k]", ["[1, 2][k] is entry"]),
        ("[1, 2][1/2]", ["[1, 2][1/2] is entry"]),
        ("[1, 2][1, 1]", ["[1, 2][1, 1] is entry"]),
        ("[[1, 2, 3], [4, 5, 6]][2, 3]", []),
        ("[[1, 2, 3], [4, 5, 6]][3, 2]", ["[[1, 2, 3], [4, 5, 6]][3, 2] is entry"]),
        ("[[1, 2, 3], [4, 5, 6]][2, 4]", ["[[1, 2, 3], [4, 5, 6]][2, 4] is entry"]),
        ("[[1, 2, 3], [4, 5, 6]][1]", []),
        ("v[k]", []),
        ("iterate(s, n, [1, 2], s)[2]", ["n is natural"]),
        ("iterate(s, n, [1, 2], s)[3]", ["iterate(s, n, [1, 2], s)[3] is entry", "n is natural"]),
        ("iterate(s, n, 1/a, b/s)", ["n is natural", "a != 0", "s' != 0"]),
        ("iterate(s, 1/m, 1, s)", ["1/m is natural", "m != 0"]),
        ("sum(i, 1/a, 1/b, 1/v[i])", ["1/a is integer", "1/b is integer", "a != 0", "b != 0", "v[i] != 0 for i"]),
        ("sum(i, 1, 2, v[i]/a)", ["1 is integer", "2 is integer", "a != 0", "a != 0 for i"]),
        ("mean(w, X[w]/a)", ["a != 0 for w"]),
        (
            "sum(i, 1, n, sum(j, 1, i, sqrt(M[i, j])))",
            [*ENDS, "M[i, j] >= 0 for i for j"],
        ),
        ("log(sqrt(a))", ["sqrt(a) > 0", "a >= 0"]),
        ("inv(1/a)", ["1/a is invertible", "a != 0"]),
    ],
)
def test_a_formula_owes_what_gives_it_a_value(formula: str, labels: list[str]) -> None:
    assert owed(formula) == labels


def test_an_obligation_knows_the_ranges_above_it() -> None:
    *_, last = obligations(parse("sum(i, p, q, mean(w, 1/X[w]))"))
    assert last.binders == (("i", sym("p"), sym("q")), ("w", OMEGA, OMEGA))


def test_facts_for_every_index_are_used_over_their_own_range_only() -> None:
    facts = [*map(parse_relation, ("x > 0", "forall(j, 1, n, v[j] > j)", "forall(j, 0, n, v[j] > 1)"))]
    facts += map(parse_relation, ("forall(j, 1, m, v[j] > 2)", "forall(i, 1, n, u[i] > 3)"))
    found = instantiate(facts, "i", num(1), sym("n"))
    assert [str(one) for one in found] == ["x > 0", "v[i] > i", "u[i] > 3"]


def test_a_generic_index_lies_in_its_range_and_its_entries_become_names() -> None:
    what = sequent("0 == 0", "forall(j, 1, n, v[j] > 0)", "x >= M[2, 1]", naturals=("n",))
    found = generic(what, parse_relation("v[i] + M[i, 1] + v[2] >= sum(k, 1, n, u[k])"), [("i", num(1), sym("n"))])
    assert [str(one) for one in found.facts] == ["v_i > 0", "x >= M[2, 1]", "i >= 1", "i <= n"]
    assert str(found.goal) == "v_i + M[i, 1] + v[2] >= sum(k, 1, n, u[k])"
    assert found.naturals == {"n", "i"}
    over = generic(
        sequent("0 == 0", "forall(w, Omega, Omega, X[w] > 0)"), parse_relation("X[w] > 0"), [("w", OMEGA, OMEGA)]
    )
    assert [str(one) for one in (*over.facts, over.goal)] == ["X_w > 0", "X_w > 0"]
    assert over.naturals == frozenset()
    below = generic(sequent("0 == 0", naturals=("n",)), parse_relation("i <= 0"), [("i", parse("-n"), sym("n"))])
    assert below.naturals == {"n"}


def test_a_generic_index_takes_no_name_that_is_in_use() -> None:
    ends = [("i", num(1), sym("n"))]
    goal = parse_relation("v[i] >= 0")
    for facts in (("i >= 0",), ("forall(j, 1, i, v[j] >= 0)",)):
        with pytest.raises(Rejected, match="the bound name i also stands for a number"):
            generic(sequent("0 == 0", *facts, naturals=("n",)), goal, ends)
    with pytest.raises(Rejected, match="the bound name n also stands"):
        generic(sequent("0 == 0", naturals=("n",)), goal, [("n", num(1), num(2))])
    with pytest.raises(Rejected, match="the bound name i also stands"):
        generic(sequent("0 == 0"), goal, [("i", sym("i"), num(2))])
    with pytest.raises(Rejected, match="the bound name i also stands"):
        generic(sequent("0 == 0"), goal, [("i", num(2), sym("i"))])
    with pytest.raises(Rejected, match=r"the name v_i is in use, so v\[i\] cannot be called so"):
        generic(sequent("0 == 0", "v_i <= 0", naturals=("n",)), goal, ends)
    with pytest.raises(Rejected, match="the name v_i is in use"):
        generic(sequent("0 == 0", naturals=("n", "v_i")), goal, ends)


def test_a_formula_has_a_value_where_it_stands_below_no_binder() -> None:
    root = parse("sqrt(x)")
    assert is_evaluated(root, sequent("sqrt(x) >= 0"))
    assert is_evaluated(root, sequent("0 <= 1 + 2*sqrt(x)"))
    assert is_evaluated(root, sequent("0 == 0", "y >= sqrt(x)"))
    assert is_evaluated(root, sequent("sum(i, sqrt(x), 2, i) >= 0"))
    assert is_evaluated(root, sequent("sum(i, 1, sqrt(x), i) >= 0"))
    assert is_evaluated(root, sequent("iterate(s, 2, sqrt(x), s) >= 0"))
    for says in ("sum(i, 1, 2, sqrt(x)) >= 0", "mean(w, sqrt(x)) >= 0", "iterate(s, 2, 1, sqrt(x)) >= 0"):
        assert not is_evaluated(root, sequent(says))
    assert not is_evaluated(root, sequent("forall(i, 1, 2, sqrt(x) >= 0)"))
    assert not is_evaluated(root, sequent("0 == 0", "forall(i, 1, 2, sqrt(x) >= 0)"))
    assert not is_evaluated(root, sequent("sqrt(y) >= 0"))


def test_parts_that_leave_a_binder_are_freed() -> None:
    below = sequent("sum(i, 1, n, sqrt(x)*v[i]) >= sqrt(y)", "forall(i, 1, n, max(x, 0) >= v[i])")
    expected = {
        "sqrt(x)": ["sqrt(x)"],
        "sqrt(y)": [],
        "1 + max(x, 0)*y**n": ["max(x, 0)", "y**n"],
        "sum(i, 1, n, sqrt(x))": ["sum(i, 1, n, sqrt(x))"],
        "sum(i, 1, abs(z), sqrt(x))": ["sum(i, 1, abs(z), sqrt(x))", "abs(z)"],
        "x/z + 1": [],
        "log(v[1])": ["log(v[1])", "v[1]"],
    }
    assert {source: [str(part) for part in freed(parse(source), below)] for source in expected} == expected


def test_an_obligation_below_two_ranges_has_two_labels() -> None:
    one, other = (Obligation("nonzero", parse("v[i]"), (("i", num(1), sym(end)),)) for end in "mn")
    assert one.key == other.key == "v[i] != 0"
    assert one.label == other.label == "v[i] != 0 for i"
    assert (one.full_label, other.full_label) == ("v[i] != 0 for i in 1..m", "v[i] != 0 for i in 1..n")
    assert Obligation("positive", parse("x")).full_label == "x > 0"


def test_an_index_is_not_bound_twice() -> None:
    twice = [("i", num(1), num(2)), ("i", num(3), num(4))]
    with pytest.raises(Rejected, match="the bound name i also stands for a number"):
        generic(sequent("0 == 0"), parse_relation("0 == 0"), twice)
    with pytest.raises(Rejected, match="the bound name w also stands for a number"):
        generic(sequent("0 == 0"), parse_relation("X[w] == 0"), [("w", OMEGA, OMEGA), ("w", OMEGA, OMEGA)])


def test_natural_numbers_and_integers_are_told_by_their_form() -> None:
    n = frozenset({"n"})
    natural = {"0": True, "-1": False, "1/2": False, "n": True, "x": False, "n + 1": True, "2*n": True, "n - 1": False}
    assert {source: is_natural(parse(source), n) for source in natural} == natural
    integer = {"0": True, "-1": True, "1/2": False, "n": True, "x": False, "n - 1": True, "-n": True, "n/2": False}
    assert {source: is_integer(parse(source), n) for source in integer} == integer
    powers = {"2**n": (True, True), "(-2)**n": (False, True), "2**x": (False, False), "2**(n - 1)": (False, False)}
    powers |= {"n**-1": (False, False), "x**2": (False, False), "2**n - 1": (False, True), "(1/2)**n": (False, False)}
    assert {one: (is_natural(parse(one), n), is_integer(parse(one), n)) for one in powers} == powers
    assert not is_natural(Node("*", (sym("n"), sym("x"))), n)
    assert not is_integer(parse("n - x"), n)
    with pytest.raises(Malformed):
        is_plain(Obligation("nonzero", parse("sqrt([1, 2])")), sequent("0 == 0"))
