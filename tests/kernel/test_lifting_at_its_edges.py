"""Induction and termwise comparison: what they accept, and each near miss refused by its own words."""

from __future__ import annotations

from typing import Any

import pytest

from tests.kernel.certificates import IDENTITY, POSITIVE, Cert, cone, of
from theory.kernel import Rejected, Sequent, Tally, check
from theory.kernel.lang import parse_relation


def sequent(goal: str, *facts: str, naturals: tuple[str, ...] = ("k", "m", "n")) -> Sequent:
    return Sequent(tuple(map(parse_relation, facts)), parse_relation(goal), frozenset(naturals))


POWER: Cert = {
    "kind": "induction",
    "on": "k",
    "states": {"p": "x**k"},
    "invariant": ["p >= 0"],
    "base": [POSITIVE],
    "step": [POSITIVE],
    "then": POSITIVE,
}
NOTHING: Cert = {**POWER, "invariant": [], "base": [], "step": [], "then": IDENTITY}
COUNTED: Cert = {**POWER, "states": {"p": "iterate(s, k, a, s + 2)"}, "invariant": ["p == a + 2*k"]}
SUMMED = {**COUNTED, "base": [IDENTITY], "step": [{**IDENTITY, "modulo": [[0, "1"]]}]}


def termwise(each: Cert = POSITIVE, over: str = "sum", index: str = "i", **more: Any) -> Cert:
    return {"kind": "termwise", "over": over, "index": index, "each": each, **more}


def whole(each: Cert = POSITIVE, index: str = "j") -> Cert:
    return {"kind": "termwise", "whole": True, "index": index, "each": each}


ONE = "is not of the form sum"
GOOD: dict[str, tuple[Cert, Sequent]] = {
    "a power": (POWER, sequent("x**k >= 0", "x >= 0")),
    "a power beside a fixed power": (POWER, sequent("x**k + y**2 >= 0", "x >= 0")),
    "a power beside another iteration": (
        POWER,
        sequent("x**k + iterate(s, 2, y, s) >= iterate(s, 2, y, s)", "x >= 0"),
    ),
    "the counter in an invariant": (
        {**SUMMED, "then": {**IDENTITY, "modulo": [[0, "1"]]}},
        sequent("iterate(s, k, a, s + 2) == a + 2*k"),
    ),
    "a start with a divisor": (
        {**POWER, "states": {"p": "iterate(s, k, 1/a, s)"}, "invariant": ["p > 0"], "step": [cone(of(1))]},
        sequent("iterate(s, k, 1/a, s) >= 0", "a > 0"),
    ),
    "a state of the goal, whose value the claim owes": (
        {**NOTHING, "states": {"p": "iterate(s, k, 1/a, s)"}},
        sequent("iterate(s, k, 1/a, s) == iterate(s, k, 1/a, s)"),
    ),
    "a sum whose terms are squares": (termwise(cone({"c": "1", "sq": "v_i"})), sequent("sum(i, 1, n, v[i]**2) >= 0")),
    "a sum with another index": (
        termwise(cone({"c": "1", "sq": "v_j"}), index="j"),
        sequent("sum(i, 1, n, v[i]**2) >= 0"),
    ),
    "a sum and a rest": (
        termwise(cone({"c": "2", "sq": "v_i"}), rest=cone(of(0))),
        sequent("2*sum(i, 1, n, v[i]**2) + y >= 0", "y >= 0"),
    ),
    "a sum and a mean": (
        termwise(cone({"c": "1", "sq": "v_i"}), rest=termwise(cone({"c": "1", "sq": "X_w"}), "mean", "w")),
        sequent("sum(i, 1, n, v[i]**2) + mean(w, X[w]**2) >= 0"),
    ),
    "a mean and a rest in one": (
        termwise(cone({"c": "1", "sq": "X_w"}, of(0)), "mean", "w"),
        sequent("mean(w, X[w]**2) + y >= 0", "y >= 0"),
    ),
    "a sum of sums": (
        termwise(termwise(cone({"c": "1", "sq": "v_j"}), index="j")),
        sequent("sum(i, 1, n, sum(j, 1, i, v[j]**2)) >= 0"),
    ),
    "one sum, with sums in its terms": (
        whole(cone({"c": "1", "sq": "sum(i, 1, n, v[i])*v_j - 1"})),
        sequent("sum(i, 1, n, (sum(i, 1, n, v[i])*v[i] - 1)**2) >= 0"),
    ),
    "one mean, with means in its terms": (
        whole(cone({"c": "1", "sq": "X_v - mean(w, X[w])"}), index="v"),
        sequent("mean(w, (X[w] - mean(w, X[w]))**2) >= 0"),
    ),
    "one sum under its own index": (
        whole(cone({"c": "1", "sq": "v_i"}), index="i"),
        sequent("sum(i, 1, n, v[i]**2) >= 0"),
    ),
    "one sum of what is known of each term": (
        whole(cone(of(0))),
        sequent("sum(i, 1, n, v[i]) >= 0", "forall(k, 1, n, v[k] >= 0)"),
    ),
    "a sum with a coefficient over a name": (
        termwise(POSITIVE),
        sequent("sum(i, 1, n, v[i]**2)/y >= 0", "y > 0"),
    ),
    "a fact about the counter, which serves the goal": (
        {**POWER, "then": cone(of(1), of(2))},
        sequent("x**k + k >= 3", "x >= 0", "k >= 3"),
    ),
}
LEFT, LINEAR = "is left that has no state", "the difference is not linear in the sums"
BAD: dict[str, tuple[str, Cert, Sequent]] = {
    "a counter that is not natural": (
        "k is not a natural number here",
        POWER,
        sequent("x**k >= 0", "x >= 0", naturals=()),
    ),
    "a fact about the counter, for the base": (
        "differ by",
        {**POWER, "invariant": ["k >= 3"], "base": [cone(of(1))], "step": [cone(of(0))]},
        sequent("x**k + k >= 3", "x >= 0", "k >= 3"),
    ),
    "a fact about the counter, for a step": (
        "differ by",
        {**POWER, "invariant": ["k*(k - 3) >= 0"], "base": [IDENTITY], "step": [cone(of(1, 1), of(1, c="3"))]},
        sequent("x**k*k*(k - 3) >= 0", "x >= 0", "k - 2 >= 0"),
    ),
    "a state named like a number": (
        "the name x is already in use",
        {**POWER, "states": {"x": "x**k"}},
        sequent("x**k >= 0", "x >= 0"),
    ),
    "a part named like a number": (
        "the name p1 is already in use",
        {**POWER, "states": {"p": "iterate(s, k, [1], [s[1]])"}},
        sequent("iterate(s, k, [1], [s[1]])[1] >= p1"),
    ),
    "an iteration without a state": (
        f"an iteration over k {LEFT}",
        {**POWER, "states": {}},
        sequent("iterate(s, k, 1, s) >= 0"),
    ),
    "a power without a state": (f"exponent k {LEFT}", POWER, sequent("x**k + y**k >= 0", "x >= 0")),
    "a shifted power without a state": (f"exponent k \\+ 1 {LEFT}", POWER, sequent("0 <= x**(k + 1)", "x >= 0")),
    "an invariant for every index": (
        "an invariant has no binder",
        {**POWER, "invariant": ["forall(i, 1, 2, p >= 0)"]},
        sequent("x**k >= 0", "x >= 0"),
    ),
    "an invariant with a divisor": (
        "are polynomials",
        {**POWER, "invariant": ["1/p >= 0"]},
        sequent("x**k >= 0", "x >= 0"),
    ),
    "no base": ("one base and one step", {**POWER, "base": []}, sequent("x**k >= 0", "x >= 0")),
    "two bases": ("one base and one step", {**POWER, "base": [POSITIVE] * 2}, sequent("x**k >= 0", "x >= 0")),
    "no step": ("one base and one step", {**POWER, "step": []}, sequent("x**k >= 0", "x >= 0")),
    "a base that fails": (
        "is not zero",
        {**SUMMED, "invariant": ["p == a + 2*k + 1"], "then": IDENTITY},
        sequent("iterate(s, k, a, s + 2) == a + 2*k + 1"),
    ),
    "a step that fails": (
        "is not zero",
        {**SUMMED, "invariant": ["p == a + 3*k"], "then": IDENTITY},
        sequent("iterate(s, k, a, s + 2) == a + 3*k"),
    ),
    "a start without a value": (
        "not shown to be defined: a != 0",
        {**POWER, "states": {"p": "iterate(s, k, 1/a, s)"}},
        sequent("x >= 0", "x >= 0"),
    ),
    "a state without a value, for nothing": (
        "not shown to be defined: a != 0",
        {**NOTHING, "states": {"p": "iterate(s, k, 1/a, s)"}},
        sequent("x == x"),
    ),
    "a base that depends on the counter": (
        r"the base of \(x \+ k\)\*\*k depends on k",
        {**POWER, "states": {"p": "(x + k)**k"}},
        sequent("(x + k)**k >= 0", "x >= 0"),
    ),
    "a matrix as a base": (
        "is a matrix, and a number is needed",
        {**POWER, "states": {"p": "[[1, 0], [0, 1]]**k"}},
        sequent("([[1, 0], [0, 1]]**k)[1, 1] >= 0"),
    ),
    "a step that depends on the counter": (
        "the start or the step of .* depends on k",
        {**POWER, "states": {"p": "iterate(s, k, 1, k*s)"}},
        sequent("iterate(s, k, 1, k*s) >= 0"),
    ),
    "a start that depends on the counter": (
        "the start or the step of .* depends on k",
        {**POWER, "states": {"p": "iterate(s, k, k, s)"}},
        sequent("iterate(s, k, k, s) >= 0"),
    ),
    "another counter": (
        "is not an iteration over k",
        {**POWER, "states": {"p": "iterate(s, m, 1, s)"}},
        sequent("iterate(s, m, 1, s) >= 0"),
    ),
    "a state of rows": (
        "is not a column of numbers",
        {**POWER, "states": {"p": "iterate(s, k, [[1, 2], [3, 4]], s)"}},
        sequent("iterate(s, k, [[1, 2], [3, 4]], s)[1, 1] >= 0"),
    ),
    "another exponent": (
        "is not an iteration over k",
        {**POWER, "states": {"p": "x**m"}},
        sequent("x**m >= 0", "x >= 0"),
    ),
    "one sum that is negative": (
        "differ by",
        whole(cone({"c": "1", "sq": "v_j"})),
        sequent("sum(i, 1, n, v[i]**2 - 1) >= 0"),
    ),
    "one sum against a number": (ONE, whole(cone(of(0))), sequent("sum(i, 1, n, v[i]**2) >= 1")),
    "one sum, strictly": (ONE, whole(cone(of(0))), sequent("sum(i, 1, n, v[i]**2) > 0")),
    "one sum from above": (ONE, whole(cone(of(0))), sequent("sum(i, 1, n, v[i]**2) <= 0")),
    "two sums": (ONE, whole(cone(of(0))), sequent("sum(i, 1, n, i) + sum(i, 1, n, i) >= 0")),
    "an iteration for one sum": (ONE, whole(cone(of(0))), sequent("iterate(s, n, 1, s) >= 0")),
    "one sum for every index": (ONE, whole(cone(of(0))), sequent("forall(k, 1, 2, sum(i, 1, n, i) >= 0)")),
    "one sum whose index is taken": (
        "the name x is already",
        whole(index="x"),
        sequent("sum(i, 1, n, x) >= 0", "x >= 0"),
    ),
    "one sum whose terms have no value": (
        "not shown to be defined: j != 0",
        whole(cone({"c": "1", "sq": "1"})),
        sequent("sum(i, 0, n, i/i) >= 0"),
    ),
    "one sum whose index another sum takes": (
        "would capture",
        whole(cone({"c": "1", "sq": "1"})),
        sequent("sum(i, 1, n, sum(j, 1, n, v[i]**2)) >= 0"),
    ),
    "one sum of matrices": ("a matrix", whole(POSITIVE), sequent("sum(i, 1, n, [1, 2]) >= 0")),
    "one sum by facts about other terms": (
        "fact|index|range|LookupError|differ",
        whole(cone(of(0))),
        sequent("sum(i, 1, n, v[i]) >= 0", "forall(k, 2, n, v[k] >= 0)"),
    ),
    "a strict comparison": ("does not give a strict", termwise(), sequent("sum(i, 1, n, i) > 0")),
    "two ranges": (
        "sums over 2 ranges; one is needed",
        termwise(),
        sequent("sum(i, 1, n, i) + sum(i, 1, m, i) >= 0"),
    ),
    "no sum": ("sums over 0 ranges; one is needed", termwise(), sequent("x >= 0", "x >= 0")),
    "no mean": ("sums over 0 ranges; one is needed", termwise(over="mean"), sequent("sum(i, 1, n, i) >= 0")),
    "an index in use": ("the name i is already", termwise(), sequent("sum(j, 1, n, j*i) >= 0", "i >= 0")),
    "a sum in a denominator": ("a sum stands in a denominator", termwise(), sequent("1/sum(i, 1, n, i) >= 0")),
    "a square of a sum": (LINEAR, termwise(), sequent("sum(i, 1, n, i)**2 >= 0")),
    "a product of sums": (LINEAR, termwise(), sequent("sum(i, 1, n, i)*sum(i, 1, n, v[i]**2) >= 0")),
    "a rest that is negative": (
        "differ by",
        termwise(cone({"c": "1", "sq": "v_i"}), rest=cone(of(0))),
        sequent("sum(i, 1, n, v[i]**2) + y - 1 >= 0", "y >= 0"),
    ),
    "a term that is negative": (
        "differ by",
        termwise(cone({"c": "1", "sq": "v_i"})),
        sequent("sum(i, 1, n, v[i]**2 - 1) >= 0"),
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
