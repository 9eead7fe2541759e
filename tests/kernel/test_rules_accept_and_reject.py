"""Every rule of the kernel: an honest certificate is accepted, each forgery of it is refused."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from theory.kernel import RULES, SCHEMA, Claim, KernelError, Rejected, Sequent, Tally, check
from theory.kernel.judge import check_certificate
from theory.kernel.lang import parse_relation
from theory.provers.driver import prove

Cert = dict[str, Any]


def sequent(goal: str, *facts: str, naturals: tuple[str, ...] = ()) -> Sequent:
    relations = tuple(map(parse_relation, facts))
    return Sequent(relations, parse_relation(goal), frozenset(naturals))


def accepted(cert: Cert, what: Sequent) -> bool:
    try:
        check(cert, what, {}, Tally())
    except Rejected:
        return False
    return True


SLACK = {
    "kind": "positive",
    "slacks": {
        "s": {
            "is": "(1/16-u)/u",
            "because": {"kind": "cone", "multiplier": [0], "terms": [{"c": "1", "of": [1]}]},
            "strict": False,
        }
    },
    "put": {"u": "1/(16*(1+s))"},
}
BERNOULLI = {
    "kind": "induction",
    "on": "k",
    "states": {"p": "x**k"},
    "invariant": ["p*(1+k*(1-x)) <= 1", "p >= 0"],
    "base": [{"kind": "identity"}, {"kind": "positive"}],
    "step": [
        {
            "kind": "cone",
            "terms": [
                {"c": "1", "of": [2]},
                {"c": "1", "of": [3], "sq": "1-x"},
                {"c": "1", "of": [3, 4], "sq": "1-x"},
            ],
        },
        {"kind": "cone", "terms": [{"c": "1", "of": [0, 3]}]},
    ],
    "then": {"kind": "cone", "terms": [{"c": "1", "of": [2]}]},
}
HALF = {"split": "x", "at": "1/2", "low": {}, "high": {}}

ONLY: Cert = {"kind": "only", "facts": [1], "then": {"kind": "cone", "terms": [{"c": "1", "of": [0]}]}}
HONEST: dict[str, tuple[Cert, Sequent]] = {
    "identity": ({"kind": "identity"}, sequent("(a+b)**2 == a**2+2*a*b+b**2")),
    "cone": ({"kind": "cone", "terms": [{"c": "1", "sq": "a-b"}]}, sequent("2*a*b <= a**2+b**2")),
    "positive": (SLACK, sequent("u*(1-16*u) >= 0", "u > 0", "u <= 1/16")),
    "balls": ({"kind": "balls", "tree": HALF}, sequent("exp(x)-3*x/2 > 0", "x >= 0", "x <= 1")),
    "cases": (
        {
            "kind": "cases",
            "on": "x",
            "nonnegative": {"kind": "cone", "terms": [{"c": "1", "of": [0, 0, 0, 0]}]},
            "nonpositive": {"kind": "cone", "terms": [{"c": "1", "of": [0, 0, 0, 0]}]},
        },
        sequent("x**4 >= 0"),
    ),
    "split": (
        {
            "kind": "split",
            "of": "max(a, b)",
            "branches": [{"kind": "identity"}, {"kind": "cone", "terms": [{"c": "1", "of": [0]}]}],
        },
        sequent("max(a, b) >= a"),
    ),
    "root": (
        {"kind": "root", "of": "sqrt(x)", "name": "r", "then": {"kind": "cone", "terms": [{"c": "1", "of": [1]}]}},
        sequent("sqrt(x) >= 0", "x >= 0"),
    ),
    "solve": (
        {"kind": "solve", "fact": 0, "for": "y", "then": {"kind": "identity"}},
        sequent("x*y == 6", "x*y-6 == 0", "x > 0"),
    ),
    "both": (
        {
            "kind": "both",
            "<=": {"kind": "cone", "terms": [{"c": "1", "of": [0]}]},
            ">=": {"kind": "cone", "terms": [{"c": "1", "of": [1]}]},
        },
        sequent("x == y", "x <= y", "x >= y"),
    ),
    "have": (
        {
            "kind": "have",
            "fact": "x > 0",
            "proof": {"kind": "positive"},
            "then": {"kind": "positive"},
        },
        sequent("x*x + x > 0", "x >= 1"),
    ),
    "induction": (BERNOULLI, sequent("x**k*(1+k*(1-x)) <= 1", "x >= 0", "x <= 1", naturals=("k",))),
    "termwise": (
        {
            "kind": "termwise",
            "over": "sum",
            "index": "i",
            "each": {"kind": "cone", "terms": [{"c": "1", "sq": "u_i-v_i"}]},
        },
        sequent("2*sum(i, 1, d, u[i]*v[i]) <= sum(i, 1, d, u[i]**2) + sum(j, 1, d, v[j]**2)", naturals=("d",)),
    ),
    "telescope": (
        {
            "kind": "telescope",
            "of": "i*(i-1)/2",
            "each": {"kind": "identity"},
            "ends": {"kind": "identity"},
            "long": {"kind": "positive"},
        },
        sequent("sum(i, 1, d, i) == d*(d+1)/2", naturals=("d",)),
    ),
    "only": (ONLY, sequent("x >= 1", "y >= 0", "x >= 1", "x <= 2", naturals=("y",))),
}


@pytest.mark.parametrize("kind", sorted(HONEST))
def test_an_honest_certificate_is_accepted(kind: str) -> None:
    cert, what = HONEST[kind]
    assert accepted(cert, what)


ELSEWHERE = {
    "cite",
    "instance",
    "induct",
    "unroll",
    "order",
    "expand",
    "eigen",
    "form",
    "slope",
    "let",
}  # test_counting, test_orders, test_spectral, test_slopes, test_functions_and_nested_loops


def test_every_rule_is_exercised_here_or_in_a_file_of_its_own() -> None:
    assert set(HONEST) | ELSEWHERE == set(RULES)


FORGED_GOALS = {
    "identity": "(a+b)**2 == a**2+a*b+b**2",
    "cone": "2*a*b <= a**2+b**2-1/1000000000",
    "positive": "u*(1-17*u) >= 0",
    "balls": "exp(x)-3*x/2 > 3",
    "cases": "x**3 >= 0",
    "split": "max(a, b) <= a",
    "root": "sqrt(x) >= 1",
    "solve": "x*y == 7",
    "both": "x == y + 1",
    "have": "x*x - 2*x > 0",
    "induction": "x**k*(1+k*(1-x)) <= 1 - 1/1000",
    "termwise": "3*sum(i, 1, d, u[i]*v[i]) <= sum(i, 1, d, u[i]**2) + sum(j, 1, d, v[j]**2)",
    "telescope": "sum(i, 1, d, i) == d*(d+1)/2 + 1/1000000000",
    "only": "x >= 1 + 1/1000000000",
}


@pytest.mark.parametrize("kind", sorted(FORGED_GOALS))
def test_the_certificate_does_not_prove_a_nearby_false_goal(kind: str) -> None:
    cert, what = HONEST[kind]
    assert not accepted(cert, what.show(parse_relation(FORGED_GOALS[kind])))


FORGERIES: dict[str, tuple[str, Cert]] = {
    "negative weight": ("cone", {"kind": "cone", "terms": [{"c": "-1", "sq": "a-b"}]}),
    "square of another polynomial": ("cone", {"kind": "cone", "terms": [{"c": "1", "sq": "a+b"}]}),
    "no terms": ("cone", {"kind": "cone", "terms": []}),
    "terms missing": ("cone", {"kind": "cone"}),
    "weight not a number": ("cone", {"kind": "cone", "terms": [{"c": "many", "sq": "a-b"}]}),
    "fact that does not exist": ("cone", {"kind": "cone", "terms": [{"c": "1", "of": [99]}]}),
    "slack that is not nonnegative": (
        "positive",
        {**SLACK, "slacks": {"s": {**SLACK["slacks"]["s"], "is": "(u-1/16)/u"}}},
    ),
    "substitution that misses points": ("positive", {**SLACK, "put": {"u": "1/(32*(1+s))"}}),
    "substitution without its slack": ("positive", {**SLACK, "slacks": {}}),
    "split outside the box": ("balls", {"kind": "balls", "tree": {**HALF, "at": "2"}}),
    "no subdivision where one is needed": ("balls", {"kind": "balls", "tree": {}}),
    "too few bits": ("balls", {"kind": "balls", "tree": {}, "bits": 1}),
    "a branch is missing": ("split", {"kind": "split", "of": "max(a, b)", "branches": [{"kind": "identity"}]}),
    "a split of something absent": (
        "split",
        {"kind": "split", "of": "max(c, b)", "branches": [{"kind": "identity"}] * 2},
    ),
    "a root of something absent": ("root", {**HONEST["root"][0], "of": "sqrt(y)"}),
    "a root named like a variable": ("root", {**HONEST["root"][0], "name": "x"}),
    "solving for a name that is absent": ("solve", {**HONEST["solve"][0], "for": "z"}),
    "a fact that was forgotten": ("only", {**ONLY, "facts": [0]}),
    "a fact used where it stood before": ("only", {**ONLY, "then": {"kind": "cone", "terms": [{"c": "1", "of": [2]}]}}),
    "a fact to keep that does not exist": ("only", {**ONLY, "facts": [3]}),
    "another fact, counted from the end": ("only", {**ONLY, "facts": [-1]}),
    "facts to keep that are no list": ("only", {**ONLY, "facts": 1}),
    "an invariant that is not kept": (
        "induction",
        {**BERNOULLI, "invariant": ["p*(1+k*(1-x)) <= 1/2", "p >= 0"]},
    ),
    "a base that is missing": ("induction", {**BERNOULLI, "base": [{"kind": "identity"}]}),
    "an induction over a real number": ("induction", {**BERNOULLI, "on": "x"}),
    "an unknown kind": ("identity", {"kind": "trust me"}),
    "no kind": ("identity", {}),
    "the prover's placeholder": ("identity", {"kind": "auto", "slot": {}}),
}


@pytest.mark.parametrize("forgery", sorted(FORGERIES))
def test_a_forgery_is_refused(forgery: str) -> None:
    kind, cert = FORGERIES[forgery]
    assert not accepted(copy.deepcopy(cert), HONEST[kind][1])


def test_an_equation_is_not_solved_when_its_coefficient_may_vanish() -> None:
    what = sequent("x*y == 6", "x*y-6 == 0", "x >= 0")
    stays_true = sequent("y == 6/x", "x*y-6 == 0", "x >= 0")
    cert = {"kind": "solve", "fact": 0, "for": "y", "then": {"kind": "identity"}}
    assert not accepted(cert, what)
    assert not accepted(cert, stays_true)


def test_a_bound_index_is_not_confused_with_the_generic_one() -> None:
    """sum(i, 1, d, lam[i]) <= 1 says nothing about d*lam[i]."""
    what = sequent(
        "sum(j, 1, d, d*lam[j]*m[j]) <= sum(j, 1, d, m[j])",
        "sum(i, 1, d, lam[i]) <= 1",
        "forall(i, 1, d, lam[i] >= 0)",
        "forall(i, 1, d, m[i] >= 0)",
        naturals=("d",),
    )
    inner = {"kind": "cone", "terms": [{"c": "1", "of": [0, 2]}]}
    assert not accepted({"kind": "termwise", "over": "sum", "index": "i", "each": inner}, what)


def test_a_strict_goal_needs_something_strict() -> None:
    assert not accepted({"kind": "cone", "terms": [{"c": "1", "of": [0]}]}, sequent("x > 0", "x >= 0"))
    assert not accepted({"kind": "positive"}, sequent("x > 0", "x >= 0"))
    assert not accepted({"kind": "identity"}, sequent("x < x"))


def test_a_state_of_an_induction_must_have_a_fresh_name() -> None:
    what = sequent("iterate(s, k, [1, 0], [s[1], s[1]])[1] <= p1", "p1 >= 1", naturals=("k",))
    cert = {
        "kind": "induction",
        "on": "k",
        "states": {"p": "iterate(s, k, [1, 0], [s[1], s[1]])"},
        "invariant": ["p1 == 1"],
        "base": [{"kind": "identity"}],
        "step": [{"kind": "identity"}],
        "then": {"kind": "identity"},
    }
    assert not accepted(cert, what)


SHADOWED: dict[str, tuple[str, str, Cert]] = {
    "a divisor of an iteration": ("iterate(s, n, 1, 1/(s-1)) == iterate(s, n, 1, 1/(s-1))", "s > 1", {"s": "2"}),
    "a root in an iteration": ("iterate(s, n, 1, sqrt(s-5)) == iterate(s, n, 1, sqrt(s-5))", "s > 6", {"s": "7"}),
    "an entry of the state": ("iterate(s, n, [1], [1/s[1]])[1] == 1", "s[1] >= 1", {"s": ["1"]}),
    "a divisor of a sum": ("sum(i, 0, n, 1/i) <= sum(i, 0, n, 1/i)", "i > 0", {"i": "1"}),
    "a divisor of a mean": ("mean(w, 1/X[w]) == mean(w, 1/X[w])", "w > 0", {"w": "1", "X": ["1"], "p_w": ["1"]}),
}


@pytest.mark.parametrize("name", SHADOWED)
def test_a_hypothesis_on_a_free_name_says_nothing_about_a_bound_one(name: str) -> None:
    says, fact, point = SHADOWED[name]
    claim = Claim("c", (says,), (fact,), naturals=("n",), example=tuple({"n": "1", **point}.items()))
    cert = {"schema": SCHEMA, "claim": claim.digest, "goals": [{"kind": "identity"}], "defined": {}}
    with pytest.raises(KernelError):
        check_certificate(claim, cert, {})
    assert prove(claim, {}) is None
