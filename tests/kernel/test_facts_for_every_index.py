"""Facts for every index, and parts that stood below a sum: what is believed of them, and what must be shown first."""

from __future__ import annotations

from typing import Any

import pytest

from tests.kernel.certificates import IDENTITY, Cert, cone, of
from theory.kernel import Rejected, Sequent, Tally, check
from theory.kernel.lang import num, parse, parse_relation
from theory.kernel.sequent import generic, obligations


def sequent(goal: str, *facts: str, naturals: tuple[str, ...] = ("n",)) -> Sequent:
    return Sequent(tuple(map(parse_relation, facts)), parse_relation(goal), frozenset(naturals))


def have(fact: str, proof: Cert, then: Cert = IDENTITY) -> Cert:
    return {"kind": "have", "fact": fact, "proof": proof, "then": then}


def split(what: str, *branches: Cert, **more: Any) -> Cert:
    return {"kind": "split", "of": what, "branches": list(branches), **more}


def solve(name: str, then: Cert = IDENTITY, **more: Any) -> Cert:
    return {"kind": "solve", "fact": 0, "for": name, "then": then, **more}


BIGGER = "max(sum(i, 1, n, v[i]/x), 0)"
ROOTED = "sum(i, 1, n, v[i]*sqrt(x))"
EACH: Cert = {"kind": "termwise", "over": "sum", "index": "i", "each": cone({"c": "1", "sq": "v_i"})}
GOOD: dict[str, tuple[Cert, Sequent]] = {
    "ends that are integers": (
        have("forall(j, -n, 2*n + 1, v[j]**2 >= 0)", cone({"c": "1", "sq": "v_j"})),
        sequent("x == x"),
    ),
    "the ends of the space": (
        have("forall(w, Omega, Omega, X[w]**2 >= 0)", cone({"c": "1", "sq": "X_w"})),
        sequent("x == x"),
    ),
    "an index that counts": (have("forall(j, 1, n, j >= 1)", cone(of(0))), sequent("x == x")),
    "a fact for every index and its use": (
        have("forall(j, 1, n, v[j]**2 >= 0)", cone({"c": "1", "sq": "v_j"}), {**EACH, "each": cone(of(0))}),
        sequent("sum(j, 1, n, v[j]**2) >= 0"),
    ),
    "a divisor that leaves a sum and is positive": (
        split(BIGGER, cone(of(1)), IDENTITY),
        sequent(f"{BIGGER} >= 0", "x > 0"),
    ),
    "a divisor that leaves a sum, with a reason": (
        split(BIGGER, cone(of(1)), IDENTITY, defined={"x != 0": {"side": ">", "proof": cone(of(0), of())}}),
        sequent(f"{BIGGER} >= 0", "x - 1 >= 0"),
    ),
    "a sum without a divisor": (
        split("max(sum(i, 1, n, v[i]), 0)", cone(of(0)), IDENTITY),
        sequent("max(sum(i, 1, n, v[i]), 0) >= 0"),
    ),
    "a root that leaves a sum and exists": (solve("y"), sequent(f"y == {ROOTED}", f"y == {ROOTED}", "x >= 0")),
    "a root that leaves a sum, with a reason": (
        solve("y", defined={"x >= 0": cone(of(1), of())}),
        sequent(f"y == {ROOTED}", f"y == {ROOTED}", "x - 1 >= 0"),
    ),
    "a root as a coefficient that stands free": (
        solve("y", nonzero={"side": ">", "proof": cone(of(1))}),
        sequent("y*sqrt(x) == 1", "y*sqrt(x) == 1", "sqrt(x) > 0"),
    ),
    "a root in a term": (
        {**EACH, "each": cone({"c": "1", "sq": "v_i"}, of(0))},
        sequent("sum(i, 1, n, v[i]**2 + sqrt(x)) >= 0", "sqrt(x) >= 0"),
    ),
    "a rest with a root that exists": (
        {**EACH, "rest": {"kind": "root", "of": "sqrt(x)", "name": "r", "then": cone(of(1))}},
        sequent("sum(i, 1, n, v[i]**2) + sqrt(x) >= 0", "x >= 0"),
    ),
}
ENDS, DEFINED = "are not integers by their form", "not shown to be defined: "
BAD: dict[str, tuple[str, Cert, Sequent]] = {
    "an upper end that is no integer": (ENDS, have("forall(j, 1, x, j >= 1)", cone(of(0))), sequent("x == x")),
    "a lower end that is no integer": (ENDS, have("forall(j, 1/2, n, j >= 1/2)", cone(of(0))), sequent("x == x")),
    "the space as one end": (
        "Omega stands in forall only",
        have("forall(j, 1, Omega, v[j]**2 >= 0)", cone({"c": "1", "sq": "v_j"})),
        sequent("x == x"),
    ),
    "a root that is called like the space": (
        "'Omega' is not a name that can be given",
        {"kind": "root", "of": "sqrt(x)", "name": "Omega", "then": IDENTITY},
        sequent("sqrt(x) == sqrt(x)", "x >= 0"),
    ),
    "a root that is called by a look-alike": (
        "is not a name that can be given",
        {"kind": "root", "of": "sqrt(x)", "name": "\u2113", "then": IDENTITY},
        sequent("sqrt(x) == sqrt(x)", "x >= 0"),
    ),
    "a divisor that leaves a sum": (
        DEFINED + "x != 0",
        split(BIGGER, cone(of(0)), IDENTITY),
        sequent(f"{BIGGER} >= 0"),
    ),
    "a root that leaves a sum": (
        DEFINED + "x >= 0",
        solve("y"),
        sequent(f"y == {ROOTED}", f"y == {ROOTED}"),
    ),
    "a root as a coefficient that stood below a sum": (
        DEFINED + "x >= 0",
        solve("y", nonzero={"side": ">", "proof": cone(of(1))}),
        sequent("z == z", "sum(i, 1, n, y*sqrt(x)) == z", "sum(i, 1, n, sqrt(x)) > 0"),
    ),
    "a root in a term of a sum": (
        DEFINED + "x >= 0",
        {**EACH, "each": {"kind": "root", "of": "sqrt(x)", "name": "r", "then": cone({"c": "1", "sq": "v_i"}, of(2))}},
        sequent("sum(i, 1, n, v[i]**2 + sqrt(x)) >= 0"),
    ),
    "a root in the rest of a sum": (
        DEFINED + "x >= 0",
        {**EACH, "rest": {"kind": "root", "of": "sqrt(x)", "name": "r", "then": cone(of(0))}},
        sequent("sum(i, 1, n, v[i]**2) + mean(w, sqrt(x)) >= 0"),
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


def test_only_entries_of_families_become_names() -> None:
    goal = parse_relation("[x, y][i] + v[i] >= v[j]")
    found = generic(sequent("0 == 0"), goal, [("i", num(1), num(2))])
    assert str(found.goal) == "[x, y][i] + v_i >= v[j]"


def test_a_single_row_has_its_entries_and_no_others() -> None:
    assert [*obligations(parse("[[1, 2, 3]][1, 3]"))] == []
    assert [duty.kind for duty in obligations(parse("[[1, 2, 3]][1, 4]"))] == ["entry"]
