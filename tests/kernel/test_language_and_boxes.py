"""The formula language read and written by hand, substitution without capture, and boxes to their very edges."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from theory.kernel import Malformed, Rejected, Sequent
from theory.kernel.boxes import box_of, check_balls, leaves
from theory.kernel.flat import difference
from theory.kernel.lang import (
    MAX_TEXT,
    Node,
    num,
    parse,
    parse_relation,
    relation_symbols,
    replace,
    replace_relation,
    spaces_of,
    substitute,
    substitute_relation,
    sym,
    symbols,
    text,
    walk,
)

WRITTEN = {
    "a+b-c": "a + b - c",
    "a-(b-c)": "a - (b - c)",
    "a-(b+c)": "a - (b + c)",
    "(a+b)*c": "(a + b)*c",
    "a*(b*c)": "a*(b*c)",
    "a/(b*c)": "a/(b*c)",
    "a/b/c": "a/b/c",
    "a@b@c": "a@b@c",
    "-(a+b)": "-(a + b)",
    "-a*b": "-a*b",
    "-a**2": "-a**2",
    "(-a)**2": "(-a)**2",
    "(a**b)**c": "(a**b)**c",
    "a**(b**c)": "a**(b**c)",
    "a**(-1)": "a**(-1)",
    "(1/2)**n": "(1/2)**n",
    "(-2)**n": "(-2)**n",
    "a*(1/2)": "a*(1/2)",
    "a - -2": "a - -2",
    "(a+b).T": "(a + b).T",
    "(a@b)[1, 2]": "(a@b)[1, 2]",
    "v[i]": "v[i]",
    "+a": "a",
    "2/4": "1/2",
    "1.50": "3/2",
    "1e-3": "1/1000",
    "-3": "-3",
    "[[1,2],[3,4]]": "[[1, 2], [3, 4]]",
    "max(a,b,c)": "max(a, b, c)",
    "sum(i,1,n,v[i])": "sum(i, 1, n, v[i])",
    "mean(w,X[w])": "mean(w, X[w])",
    "iterate(s,n,a,s*s)": "iterate(s, n, a, s*s)",
}


@pytest.mark.parametrize("source", WRITTEN)
def test_a_formula_is_written_as_it_is_read(source: str) -> None:
    node = parse(source)
    assert text(node) == str(node) == WRITTEN[source]
    assert parse(text(node)) == node


@pytest.mark.parametrize(
    "source",
    [
        *("True", "'a'", "[]", "a.S", "max(a)", "sqrt(a, b)", "sum(1, 2, 3, a)", "sum(i, 1, 2)", "mean(a + b, c)"),
        *(
            "forall(i, 1, 2, i)",
            "f(a=1)",
            "a if b else c",
            "a % b",
            "not a",
            "sqrt(a, key=1)",
            "a and b",
            "mean()",
            "~a",
        ),
        *("a +", "min()", "None", "1j", "a + " * MAX_TEXT + "a", "-True", "a // b"),
    ],
)
def test_what_is_not_of_the_language_is_refused(source: str) -> None:
    with pytest.raises(Malformed):
        parse(source)


@pytest.mark.parametrize(
    "source", ["a", "a < b < c", "a in b", "forall(i, 1, i > 0)", "forall(1, 1, 2, a > 0)", "a is b"]
)
def test_what_is_not_one_relation_is_refused(source: str) -> None:
    with pytest.raises(Malformed):
        parse_relation(source)


def test_a_relation_is_written_as_it_is_read() -> None:
    for source in ("a <= b", "a < b", "a >= b", "a > b", "a == b", "a != b", "forall(i, 1, n + 1, v[i] > 0)"):
        assert str(parse_relation(source)) == source
    whole = parse_relation("forall(i, lo, hi, v[i] > 0)")
    assert whole.binder == ("i", sym("lo"), sym("hi"))


def test_bound_names_are_not_free() -> None:
    assert symbols(parse("sum(i, i, n, v[i] + x)")) == {"i", "n", "v", "x"}
    assert symbols(parse("sum(i, 1, n, i*x)")) == {"n", "x"}
    assert symbols(parse("mean(w, X[w])")) == {"X"}
    assert symbols(parse("iterate(s, n, a, s*b)")) == {"n", "a", "b"}
    assert symbols(num(3)) == frozenset()
    assert relation_symbols(parse_relation("forall(i, lo, hi, v[i] > x)")) == {"lo", "hi", "v", "x"}
    assert relation_symbols(parse_relation("a <= b")) == {"a", "b"}
    assert spaces_of(parse("mean(w, mean(u, X[w]*X[u])) + y")) == {"w", "u"}
    assert spaces_of(parse("x + y")) == frozenset()
    assert [node.op for node in walk(parse("a + 2*b"))] == ["+", "sym", "*", "num", "sym"]


def test_substitution_leaves_bound_names_alone() -> None:
    put = {"i": parse("7"), "n": parse("m + 1"), "x": parse("y**2")}
    assert text(substitute(parse("sum(i, 1, n, i*x)"), put)) == "sum(i, 1, m + 1, i*y**2)"
    assert text(substitute(parse("sum(i, i, n, i)"), put)) == "sum(i, 7, m + 1, i)"
    assert text(substitute(parse("iterate(x, n, x, x + i)"), put)) == "iterate(x, m + 1, y**2, x + 7)"
    assert text(substitute(parse("x + z"), put)) == "y**2 + z"
    assert substitute(parse("x"), {}) == sym("x")
    bound = parse_relation("forall(i, 1, n, v[i] > x*i)")
    assert str(substitute_relation(bound, put)) == "forall(i, 1, m + 1, v[i] > y**2*i)"
    assert str(substitute_relation(parse_relation("x <= n"), put)) == "y**2 <= m + 1"


def test_a_capture_is_refused_and_a_harmless_one_is_not() -> None:
    captured = {"x": parse("i + 1")}
    with pytest.raises(Malformed, match="capture"):
        substitute(parse("sum(i, 1, n, x)"), captured)
    with pytest.raises(Malformed, match="capture"):
        substitute_relation(parse_relation("forall(i, 1, n, v[i] > x)"), captured)
    assert text(substitute(parse("sum(i, 1, n, i)"), captured)) == "sum(i, 1, n, i)"
    assert text(substitute(parse("sum(i, 1, x, i)"), captured)) == "sum(i, 1, i + 1, i)"
    assert str(substitute_relation(parse_relation("forall(i, 1, n, v[i] > 0)"), captured)).endswith("v[i] > 0)")


def test_replacing_stops_where_a_binder_takes_the_name() -> None:
    old, new = parse("x**k"), sym("p")
    assert text(replace(parse("x**k + 2*x**k"), old, new)) == "p + 2*p"
    assert text(replace(parse("sum(k, 1, x**k, x**k)"), old, new)) == "sum(k, 1, p, x**k)"
    assert text(replace(parse("sum(i, x**k, n, x**k)"), old, new)) == "sum(i, p, n, p)"
    assert str(replace_relation(parse_relation("x**k <= x**k + 1"), old, new)) == "p <= p + 1"
    kept = parse_relation("forall(k, 1, n, x**k > 0)")
    assert replace_relation(kept, old, new) == kept
    assert str(replace_relation(parse_relation("forall(i, 1, n, x**k > 0)"), old, new)) == "forall(i, 1, n, p > 0)"


def sequent(goal: str, *facts: str) -> Sequent:
    return Sequent(tuple(map(parse_relation, facts)), parse_relation(goal))


def test_a_box_takes_the_tightest_bounds() -> None:
    what = sequent(
        "x > 0", "x >= 1", "x >= 2", "2*x <= 9", "3 - x >= 0", "x*x >= 7", "x != 5", "x + y <= 1", "1/x <= 9"
    )
    assert box_of(what, frozenset({"x"})) == {"x": (Fraction(2), Fraction(3))}
    negative = sequent("x < 0", "-x >= 1", "x > -4", "forall(i, 1, 2, x >= 0)", "x == x")
    assert box_of(negative, frozenset({"x"})) == {"x": (Fraction(-4), Fraction(-1))}


@pytest.mark.parametrize("facts", [("x >= 0",), ("x <= 1",), (), ("x >= 0", "y <= 1"), ("x == 0", "x <= 1")])
def test_a_box_without_both_bounds_is_refused(facts: tuple[str, ...]) -> None:
    with pytest.raises(Rejected, match="no rational bounds are given for x"):
        box_of(sequent("x > 0", *facts), frozenset({"x"}))


def test_leaves_cover_the_box_and_splits_lie_inside() -> None:
    box = {"x": (Fraction(0), Fraction(1))}
    tree: Any = {"split": "x", "at": "1/3", "low": {}, "high": {"split": "x", "at": "1/2", "low": {}, "high": {}}}
    found = [leaf["x"] for leaf, _ in leaves(tree, box)]
    third, half = Fraction(1, 3), Fraction(1, 2)
    assert found == [(0, third), (third, half), (half, 1)]
    for bad in ({"split": "x", "at": "0"}, {"split": "x", "at": "1"}, {"split": "y", "at": "1/2"}, [], "x"):
        with pytest.raises(Rejected):
            list(leaves(bad, box))


def balls(goal: str, *facts: str, **cert: Any) -> bool:
    what = sequent(goal, *facts)
    node, strict = difference(what.goal)
    try:
        check_balls({"tree": {}, **cert}, node, strict, what)
    except Rejected:
        return False
    return True


UNIT = ("x >= 0", "x <= 1")


def test_balls_are_right_at_the_edge() -> None:
    assert balls("exp(x) > 0", *UNIT)
    zero = {"x": ["0", "0"]}
    assert balls("x >= 0", box=zero)
    assert not balls("x > 0", box=zero)
    assert balls("x + 1/1000 > 0", box=zero)
    assert not balls("x - 1/1000 >= 0", box=zero)
    assert not balls("exp(x) >= 3/2", *UNIT)
    assert not balls("log(x) <= 0", *UNIT)
    assert not balls("1/x > 0", *UNIT)


@pytest.mark.parametrize(("bits", "good"), [(1, False), (2, True), (64, True), (4096, True), (4097, False)])
def test_the_precision_of_balls_has_bounds(bits: int, good: bool) -> None:
    assert balls("x + 128 > 0", *UNIT, bits=bits) is good


def test_a_stated_box_bounds_exactly_the_names() -> None:
    what = sequent("exp(x) > 0")
    node, strict = difference(what.goal)
    assert check_balls({"tree": {}, "box": {"x": ["0", "1"]}}, node, strict, what) == "x in [0, 1]"
    assert check_balls({"tree": {}, "box": {"x": ["1", "1"]}}, node, strict, what) == "x in [1, 1]"
    within = sequent("exp(x) > 0", *UNIT)
    assert check_balls({"tree": {}}, node, strict, within) == ""
    for box in ({"x": ["1", "0"]}, {}, {"x": ["0", "1"], "y": ["0", "1"]}, {"y": ["0", "1"]}):
        assert not balls("exp(x) > 0", box=box)


def test_equal_nodes_have_equal_hashes() -> None:
    assert hash(parse("a + b")) == hash(Node("+", (sym("a"), sym("b"))))
    assert parse("a + b") != parse("b + a")
