"""Formulas and claims to the letter: what is written, hashed, copied, expanded and read back."""

from __future__ import annotations

import copy
from fractions import Fraction

import pytest

from theory.kernel import SCHEMA, Claim, Malformed
from theory.kernel.lang import (
    Node,
    counting,
    indexed,
    is_name,
    num,
    numbers,
    parse,
    parse_relation,
    relation_numbers,
    replace,
    replace_relation,
    spaces_of,
    substitute,
    substitute_relation,
    sym,
    symbols,
    text,
)

WRITTEN = {
    "a*b/c": "a*b/c",
    "a/b*c": "a/b*c",
    "a*b@c": "a*b@c",
    "a@b*c": "a@b*c",
    "a@b/c": "a@b/c",
    "a/b@c": "a/b@c",
    "a/(b/c)": "a/(b/c)",
    "a@(b*c)": "a@(b*c)",
    "a - b*c": "a - b*c",
    "a + b/c": "a + b/c",
    "a + (b - c)": "a + (b - c)",
    "-(-a)": "--a",
    "-(a*b)": "-(a*b)",
    "a*-b": "a*-b",
    "a/-b": "a/-b",
    "a - -b": "a - -b",
    "-a.T": "-a.T",
    "(-a).T": "(-a).T",
    "(a*b)**2": "(a*b)**2",
    "2**-a": "2**(-a)",
    "x**(1/2)": "x**(1/2)",
    "(1/2)*a": "1/2*a",
    "a/(1/2)": "a/(1/2)",
    "a*(-2)": "a*-2",
    "(-1/2)*a": "-1/2*a",
    "-1/2 - a": "-1/2 - a",
    "(a**2)[1]": "(a**2)[1]",
    "f[1].T": "f[1].T",
    "sqrt(a + b)*c": "sqrt(a + b)*c",
}


@pytest.mark.parametrize("source", WRITTEN)
def test_a_formula_is_written_without_needless_brackets(source: str) -> None:
    assert text(parse(source)) == WRITTEN[source]
    assert parse(WRITTEN[source]) == parse(source)


def test_decimals_are_read_to_the_last_digit() -> None:
    assert parse("0.1000000000000000000001") == num(Fraction(10**21 + 1, 10**22))
    assert parse("1e3") == num(1000)
    assert parse(" 0.5 ") == num(Fraction(1, 2))
    assert parse("7/2").value == Fraction(7, 2)
    assert parse("7/0") == Node("/", (num(7), num(0)))


def test_a_text_has_at_most_two_hundred_thousand_characters() -> None:
    assert parse("a" + " " * 199_999) == sym("a")
    with pytest.raises(Malformed, match="a formula of 200001 characters is longer than 200000"):
        parse("a" + " " * 200_000)


@pytest.mark.parametrize(
    ("source", "shown"),
    [
        ("a + f(b=1)", r"^'f\(b=1\)' is not in the formula language"),
        ("a + sqrt(b, c)", r"^'sqrt\(b, c\)' is not in"),
        ("max(a)", r"^'max\(a\)' is not in"),
        ("sum(1, 1, 2, a)", "is not in"),
        ("forall(i, 1, 2, i)", "is not in"),
        ("a % b", "is not in"),
        ("[]", "is not in"),
        ("a +", "cannot read 'a \\+'"),
        ("a + \u2113", "has characters that Python reads as others"),
    ],
)
def test_what_cannot_be_read_is_shown(source: str, shown: str) -> None:
    with pytest.raises(Malformed, match=shown):
        parse(source)


@pytest.mark.parametrize("source", ["forall(i, 1, 2)", "forall(1, 1, 2, a > 0)", "forall(i, 1, 2, a > 0, b=1)"])
def test_a_forall_that_is_not_one_is_refused(source: str) -> None:
    with pytest.raises(Malformed, match=r"write forall\(i, lo, hi, relation\)"):
        parse_relation(source)


@pytest.mark.parametrize("source", ["a", "a < b < c", "a in b", "a is b", "forall(i, 1, 2, a)"])
def test_what_is_not_one_relation_is_shown(source: str) -> None:
    with pytest.raises(Malformed, match="is not one relation"):
        parse_relation(source)


def test_a_name_is_written_in_plain_letters() -> None:
    assert is_name("lam_1")
    assert is_name("\u03bb")
    for bad in ("1a", "a b", "", "\u2113", "a[1]"):
        assert not is_name(bad)


def test_a_node_is_itself_and_nothing_else() -> None:
    one = parse("a + 2*b")
    assert (one == "a + 2*b") is False
    assert (one == parse("a + 2*c")) is False
    assert one == Node("+", (sym("a"), Node("*", (num(2), sym("b")))))
    assert one != Node("-", one.args)
    assert copy.deepcopy(one) == one
    assert copy.copy(one) is not None
    assert hash(copy.deepcopy(one)) == hash(one)
    assert repr(sym("a")) == "Node(op='sym', args=(), value='a')"
    with pytest.raises(TypeError):
        Node("sym", (), "a", frozenset({"b"}))  # type: ignore[call-arg]  # nobody says which names are free
    assert symbols(num(1)) == frozenset()
    assert symbols(one) == symbols(one) == {"a", "b"}


def test_names_before_an_index_are_families() -> None:
    assert indexed(parse_relation("v[1] + M[1, 2] <= x")) == {("v", 1), ("M", 2)}
    assert indexed(parse_relation("forall(i, p[1], q[2], v[i] > u[i])")) == {("p", 1), ("q", 1), ("v", 1), ("u", 1)}
    assert indexed(parse_relation("forall(v, 1, 2, v[1] > 0)")) == frozenset()
    assert indexed(parse_relation("iterate(s, n, [1], [s[1]*c[1]])[1] == 0")) == {("c", 1)}
    assert indexed(parse_relation("sum(v, v[1], 2, v[2]) == 0")) == {("v", 1)}
    assert indexed(parse_relation("0 == v[u[1]]")) == {("v", 1), ("u", 1)}
    assert indexed(parse_relation("(a + b)[1] == 0")) == frozenset()


def test_names_without_an_index_are_numbers() -> None:
    assert numbers(parse("v[i] + x")) == {"i", "x"}
    assert numbers(parse("M[i, 2]*3")) == {"i"}
    assert numbers(parse("[a, b][k]")) == {"a", "b", "k"}
    assert numbers(parse("sum(i, p, q, i*x)")) == {"p", "q", "x"}
    assert numbers(parse("sum(i, i, 2, i)")) == {"i"}
    assert numbers(parse("mean(w, X[w]*y)")) == {"y"}
    assert numbers(parse("iterate(s, n, a, s + b)")) == {"n", "a", "b"}
    assert relation_numbers(parse_relation("x <= v[1] + y")) == {"x", "y"}
    assert relation_numbers(parse_relation("forall(i, lo, hi, v[i] > i*z)")) == {"lo", "hi", "z"}


def test_free_names_do_not_leave_their_binders() -> None:
    assert symbols(parse("sum(i, i, n, 1)")) == {"i", "n"}
    assert symbols(parse("sum(i, 1, i, 1)")) == {"i"}
    assert symbols(parse("iterate(s, s, 1, s)")) == {"s"}
    assert symbols(parse("mean(w, w)")) == frozenset()
    assert spaces_of(parse("1 + mean(w, X[w])")) == {"w"}


def test_replacing_does_not_capture() -> None:
    old, new = parse("sqrt(x)"), sym("r")
    assert text(replace(parse("sum(i, sqrt(x), sqrt(x), i*sqrt(x))"), old, new)) == "sum(i, r, r, i*r)"
    assert text(replace(parse("sum(x, 1, sqrt(x), x*sqrt(x))"), old, new)) == "sum(x, 1, r, x*sqrt(x))"
    assert text(replace(parse("sum(r, 1, sqrt(x), r + 1)"), old, new)) == "sum(r, 1, r, r + 1)"
    assert replace(parse("a + b"), old, new) == parse("a + b")
    with pytest.raises(Malformed, match="capture"):
        replace(parse("sum(r, 1, 2, sqrt(x))"), old, new)
    assert (
        str(replace_relation(parse_relation("forall(i, sqrt(x), 2, sqrt(x) > i)"), old, new))
        == "forall(i, r, 2, r > i)"
    )
    assert str(replace_relation(parse_relation("forall(x, 1, sqrt(x), sqrt(x) > 0)"), old, new)) == (
        "forall(x, 1, r, sqrt(x) > 0)"
    )
    assert str(replace_relation(parse_relation("forall(r, 1, sqrt(x), r > 0)"), old, new)) == "forall(r, 1, r, r > 0)"
    for inside in ("forall(r, 1, 2, sqrt(x) > 0)", "forall(r, 1, 2, 0 < sqrt(x))"):
        with pytest.raises(Malformed, match="would capture"):
            replace_relation(parse_relation(inside), old, new)


def test_substituting_does_not_capture_but_where_it_would() -> None:
    env = {"x": parse("i + 1"), "y": parse("2")}
    assert text(substitute(parse("sum(i, x, x, i*y)"), env)) == "sum(i, i + 1, i + 1, i*2)"
    with pytest.raises(Malformed, match="would capture a substituted formula"):
        substitute(parse("sum(i, 1, 2, i*x)"), env)
    assert str(substitute_relation(parse_relation("forall(i, 1, 2, i > y)"), env)) == "forall(i, 1, 2, i > 2)"
    assert str(substitute_relation(parse_relation("forall(x, 1, x, x > y)"), {"x": parse("7"), "y": parse("2")})) == (
        "forall(x, 1, 7, x > 2)"
    )
    with pytest.raises(Malformed, match="would capture"):
        substitute_relation(parse_relation("forall(i, 1, 2, i > x)"), env)


@pytest.mark.parametrize(
    "source",
    [
        "forall(Omega, 1, 2, x > 0)",
        "forall(w, Omega, 2, X[w] > 0)",
        "forall(w, 1, Omega, X[w] > 0)",
        "forall(w, 1, Omega + 1, X[w] > 0)",
        "forall(w, Omega, Omega, Omega > 0)",
        "Omega > 0",
        "X[Omega] > 0",
        "sum(Omega, 1, 2, x) > 0",
    ],
)
def test_the_probability_space_stands_in_forall_only(source: str) -> None:
    with pytest.raises(Malformed, match="Omega stands in forall only"):
        parse_relation(source)
    assert parse_relation("forall(w, Omega, Omega, X[w] > 0)").binder == ("w", sym("Omega"), sym("Omega"))
    assert parse_relation("forall(w, 1, n, X[w] > 0)").binder == ("w", num(1), sym("n"))


def test_nothing_is_put_in_for_the_probability_space() -> None:
    put = {"Omega": parse("3")}
    with pytest.raises(Malformed, match="Omega is the probability space"):
        substitute(parse("x"), put)
    for says in ("x > 0", "forall(w, Omega, Omega, X[w] > 0)"):
        with pytest.raises(Malformed, match="Omega is the probability space"):
            substitute_relation(parse_relation(says), put)


def test_a_claim_is_written_and_read_back() -> None:
    claim = Claim(
        "c",
        ("a <= b",),
        ("b >= 1",),
        where=(("a", "b/2"),),
        naturals=("n",),
        example=(("b", "1"), ("n", "2")),
        scope="here",
    )
    assert Claim.from_json(claim.to_json()) == claim
    lettered = Claim("m", ("X @ X == X**2",), kinds=(("X", "symmetric(n)"),))
    assert Claim.from_json(lettered.to_json()) == lettered
    for record in ({}, {**claim.to_json(), "where": [1]}, {**claim.to_json(), "says": None}):
        with pytest.raises(Malformed, match="a claim record is malformed"):
            Claim.from_json(record)


def test_the_digest_of_a_claim_is_that_of_the_ledger() -> None:
    assert SCHEMA == 1
    claim = Claim("c", ("x >= 0",), example=(("x", "1"),))
    assert claim.digest == "9ec11031301c703c1987e78bd5e9fbcf"
    assert Claim("c", ("x >= 0",), example=(("x", "1"),), scope="elsewhere").digest == claim.digest
    assert Claim("c", ("x > 0",), example=(("x", "1"),)).digest != claim.digest


@pytest.mark.parametrize(
    ("relation", "names"),
    [
        ("x**n >= y", {"n"}),
        ("x**(n + m) >= y", {"n", "m"}),
        ("iterate(s, n, a, s + b) >= y", {"n"}),
        ("sum(i, k, n, x*c) >= y", {"k", "n"}),
        ("v[n] + u[k, m] >= y", {"n", "k", "m"}),
        ("x >= sqrt(y**k)", {"k"}),
        ("forall(i, k, n, x >= y)", {"k", "n"}),
        ("x*n >= y/m", set()),
    ],
)
def test_names_that_are_integers_by_their_place(relation: str, names: set[str]) -> None:
    assert counting(parse_relation(relation)) == names
