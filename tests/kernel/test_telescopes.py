"""Sums that telescope: what is accepted, and each way in which a false sum could have passed."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from tests.kernel.certificates import IDENTITY, POSITIVE, Cert, cone, of
from theory.kernel import Rejected, Sequent, Tally, check
from theory.kernel.lang import parse, parse_relation, text
from theory.kernel.lifting import MAX_WRITTEN, later


def sequent(goal: str, *facts: str, naturals: tuple[str, ...] = ("n", "m")) -> Sequent:
    return Sequent(tuple(map(parse_relation, facts)), parse_relation(goal), frozenset(naturals))


def telescope(g: str, each: Cert = IDENTITY, ends: Cert = IDENTITY, long: Cert = POSITIVE, **more: Any) -> Cert:
    return {"kind": "telescope", "of": g, "each": each, "ends": ends, "long": long, **more}


FROM_TWO: Cert = {**POSITIVE, "slacks": {"s": {"is": "i - 2", "because": cone(of(1))}}, "put": {"i": "s + 2"}}
ABOVE_ONE: Cert = {"side": ">", "proof": FROM_TWO}
SQUARES = "sum(i, 1, n, 1/i**2)"
GOOD: dict[str, tuple[Cert, Sequent]] = {
    "ones": (telescope("i"), sequent("sum(i, 1, n, 1) == n")),
    "ones from two": (telescope("i", long=cone(of(0))), sequent("sum(i, 2, n, 1) == n - 1", "n >= 1")),
    "ones between two ends": (
        telescope("i", long=cone(of(0))),
        sequent("sum(i, m, n - 1, 1) == n - m", "n >= m"),
    ),
    "numbers": (telescope("i*(i - 1)/2"), sequent("sum(i, 1, n, i) == n*(n + 1)/2")),
    "numbers from above": (
        telescope("i*(i - 1)/2", ends=cone(of(0, c="0"), {"c": "1"})),
        sequent("sum(i, 1, n, i) <= n*(n + 1)/2 + 1", "n >= 1"),
    ),
    "numbers from below": (telescope("i - 1", each=cone(of(0)), ends=IDENTITY), sequent("sum(i, 1, n, i) >= n")),
    "a potential with any constant": (telescope("i*(i - 1)/2 + z"), sequent("sum(i, 1, n, i) == n*(n + 1)/2")),
    "reciprocals of products": (telescope("-1/i"), sequent("sum(i, 1, n, 1/(i*(i + 1))) == n/(n + 1)")),
    "powers": (
        telescope("x**i/(x - 1)"),
        sequent("sum(i, 0, n - 1, x**i) == (x**n - 1)/(x - 1)", "x - 1 > 0"),
    ),
    "a family": (telescope("x[i]"), sequent("sum(i, 1, n, x[i + 1] - x[i]) == x[n + 1] - x[1]")),
    "roots are those of the same number": (
        telescope("sqrt(i - 1)", defined={"i - 1 >= 0": cone(of(0))}),
        sequent("sum(i, 1, n, sqrt(i) - sqrt(i - 1)) == sqrt(n) - sqrt(0)"),
    ),
    "a first term that is written out": (
        telescope("-1/(i - 1)", FROM_TWO, written=1, long=cone(of(0)), defined={"i - 1 != 0": ABOVE_ONE}),
        sequent(f"{SQUARES} <= 2 - 1/n", "n >= 1"),
    ),
    "every term written out": (
        telescope("(i - 1)*i*(2*i - 1)/6", written=3, long=IDENTITY),
        sequent("sum(i, 2, 4, i**2) == 29"),
    ),
    "an empty range": (telescope("7*i", long=IDENTITY), sequent("sum(i, 1, 0, 7) == 0")),
}
FORM = "is not of the form"
BAD: dict[str, tuple[str, Cert, Sequent]] = {
    "one too many": ("is not zero", telescope("i"), sequent("sum(i, 1, n, 1) == n + 1")),
    "one too few": ("is not zero", telescope("i"), sequent("sum(i, 0, n, 1) == n")),
    "a potential that misses a term": ("is not zero", telescope("i*(i + 1)/2"), sequent("sum(i, 1, n, i) == n")),
    "a potential of the terms doubled": (
        "is not zero",
        telescope("i*(i - 1)"),
        sequent("sum(i, 1, n, i) == n*(n + 1)"),
    ),
    "a range that may be shorter than empty": (
        "differ by",
        telescope("i", long=cone(of(0))),
        sequent("sum(i, 3, n, 1) == n - 2", "n >= 1"),
    ),
    "a range that may be shorter than what is written": (
        "negative",
        telescope("i*(i - 1)/2", written=1),
        sequent("sum(i, 1, n, i) == n*(n + 1)/2"),
    ),
    "an end that is no integer": (
        "are not integers by their form",
        telescope("i", long=cone(of(0))),
        sequent("sum(i, 1, x, 1) == x", "x >= 0"),
    ),
    "a beginning that is no integer": (
        "are not integers by their form",
        telescope("i"),
        sequent("sum(i, 1/2, n, 1) == n + 1/2"),
    ),
    "terms in the other direction": (
        "negative|differ",
        telescope("i - 1", each=cone(of(0)), ends=IDENTITY),
        sequent("sum(i, 1, n, i) <= n"),
    ),
    "ends in the other direction": (
        "differ",
        telescope("i*(i - 1)/2", ends=cone(of(0))),
        sequent("sum(i, 1, n, i) >= n*(n + 1)/2 + 1", "n >= 1"),
    ),
    "a strict comparison of terms": (FORM, telescope("i"), sequent("sum(i, 1, n, 1) < n + 1")),
    "different from": (FORM, telescope("i"), sequent("sum(i, 1, n, 1) != n + 1")),
    "a goal for every index": (FORM, telescope("i"), sequent("forall(k, 1, 2, sum(i, 1, n, 1) == n)")),
    "a mean": (FORM, telescope("w"), sequent("mean(w, 1) == 1")),
    "a sum on the right": (FORM, telescope("i"), sequent("n == sum(i, 1, n, 1)")),
    "a multiple of a sum": (FORM, telescope("i"), sequent("1*sum(i, 1, n, 1) == n")),
    "a potential without a value at the beginning": (
        "not shown to be defined",
        telescope("-1/(i - 1)", each=POSITIVE, ends=IDENTITY),
        sequent(f"{SQUARES} <= 2 - 1/n", "n >= 1"),
    ),
    "a potential without a value inside": (
        "not shown to be defined",
        telescope("1/(i - 3)", each=POSITIVE),
        sequent("sum(i, 1, n, 1/((i - 3)*(i - 2))) == 1/(0 - 2) - 1/(n - 2)"),
    ),
    "a potential without a value at the end": (
        "not shown to be defined: n - 4 != 0",
        telescope("0*(i - 5)/(i - 5)", long=cone(of(0))),
        sequent("sum(i, 6, n, 0) == 0", "n >= 5"),
    ),
    "terms without a value": (
        "not shown to be defined: i - 3 != 0",
        telescope("0", each=POSITIVE),
        sequent("sum(i, 1, n, 0/(i - 3)) == 0"),
    ),
    "a term that is written out and has no value": (
        "not shown to be defined: 0 != 0|identically zero",
        telescope("0", each=POSITIVE, written=1, long=cone(of(0))),
        sequent("sum(i, 1, n, 0/(i - 1)) == 0", "n >= 1"),
    ),
    "an index that a fact is about": (
        "the bound name i also stands for",
        telescope("i*(i - 1)/2"),
        sequent("sum(i, 1, n, i) == n*(n + 1)/2", "i >= 2"),
    ),
    "an index that is the end": ("the bound name n also", telescope("n"), sequent("sum(n, 1, n, 1) == n")),
    "a matrix for a potential": ("a matrix", telescope("[i, i]"), sequent("sum(i, 1, n, 1) == n")),
    "matrices for terms": ("matri", telescope("i"), sequent("sum(i, 1, n, [1, 2]) == [n, 2*n]")),
    "fewer than no terms written out": (
        "terms are written out",
        telescope("i", written=-1),
        sequent("sum(i, 1, n, 1) == n"),
    ),
    "too many terms written out": (
        f"at most {MAX_WRITTEN}",
        telescope("i", written=MAX_WRITTEN + 1, long=IDENTITY),
        sequent(f"sum(i, 1, {MAX_WRITTEN + 1}, 1) == {MAX_WRITTEN + 1}"),
    ),
    "a potential with a sum over the end": (
        "would capture",
        telescope("sum(j, 1, 2, i)/2", long=cone(of(0))),
        sequent("sum(i, 1, j - 1, 1) == j - 1", "j >= 1", naturals=("j",)),
    ),
}


@pytest.mark.parametrize("name", GOOD)
def test_what_meets_every_condition_is_accepted(name: str) -> None:
    cert, what = GOOD[name]
    check(cert, what, {}, Tally())


@pytest.mark.parametrize("name", BAD)
def test_a_near_miss_is_refused_by_name(name: str) -> None:
    refusal, cert, what = BAD[name]
    with pytest.raises(Rejected, match=refusal):
        check(cert, what, {}, Tally())


def test_as_many_terms_as_are_allowed_are_written_out() -> None:
    cert = telescope("i", written=MAX_WRITTEN, long=IDENTITY)
    check(cert, sequent(f"sum(i, 1, {MAX_WRITTEN}, 1) == {MAX_WRITTEN}"), {}, Tally())


@pytest.mark.parametrize(
    ("formula", "steps", "written"),
    [
        ("n", 0, "n"),
        ("n", 2, "n + 2"),
        ("n", -2, "n - 2"),
        ("n - 1", 1, "n"),
        ("n - 1", 3, "n + 2"),
        ("n - 3", 1, "n - 2"),
        ("n + 1", -1, "n"),
        ("n + 1", 1, "n + 2"),
        ("n + 1", -3, "n - 2"),
        ("n + m", 1, "n + m + 1"),
        ("n*2", 1, "n*2 + 1"),
        ("5", 2, "7"),
        ("5 - 7", 1, "-1"),
        ("n", Fraction(1, 2), "n + 1/2"),
    ],
)
def test_a_number_of_steps_later(formula: str, steps: Fraction | int, written: str) -> None:
    assert text(later(parse(formula), steps)) == written
