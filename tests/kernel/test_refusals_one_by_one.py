"""Certificates that miss one condition of a rule, and signs: read off where they are plain, and no further."""

from __future__ import annotations

from typing import Any

import pytest

from tests.kernel.certificates import IDENTITY, POSITIVE, Cert, cone, of
from theory.kernel import (
    SCHEMA,
    Claim,
    Evidence,
    Judgement,
    KernelError,
    Malformed,
    Rejected,
    Sequent,
    Tally,
    Verdict,
    check,
    judge,
    standing,
)
from theory.kernel.flat import difference, fractions_of, scalars_of
from theory.kernel.judge import check_certificate
from theory.kernel.lang import parse, parse_relation, text
from theory.kernel.sequent import Obligation, is_integer, is_natural, is_plain, obligations, sign_of, signs


def sequent(goal: str, *facts: str, naturals: tuple[str, ...] = ()) -> Sequent:
    relations = tuple(map(parse_relation, facts))
    return Sequent(relations, parse_relation(goal), frozenset(naturals))


SHIFT = {"kind": "positive", "slacks": {"s": {"is": "x - 1", "because": cone(of(0))}}, "put": {"x": "1 + s"}}
SOLVE = {"kind": "solve", "fact": 0, "for": "y", "then": IDENTITY}
EACH = {"kind": "termwise", "over": "sum", "index": "i", "each": POSITIVE}
POWER = {
    "kind": "induction",
    "on": "k",
    "states": {"p": "x**k"},
    "invariant": ["p >= 0"],
    "base": [POSITIVE],
    "step": [POSITIVE],
    "then": POSITIVE,
}

GOOD: dict[str, tuple[Cert, Sequent]] = {
    "an identity modulo an equation": ({**IDENTITY, "modulo": [[0, "x"]]}, sequent("x*y == x*z", "y == z")),
    "an identity proves <=": (IDENTITY, sequent("x <= x")),
    "a matrix identity": (IDENTITY, sequent("[[x, 1], [0, x]] @ [1, 1] == [x + 1, x]")),
    "a cone with a multiplier": (cone(of(1), multiplier=[0]), sequent("y >= 0", "x > 0", "x*y >= 0")),
    "a cone modulo an equation": (cone(of(1), modulo=[[0, "1"]]), sequent("x >= 0", "x == y", "y >= 0")),
    "a strict cone": (cone(of(0)), sequent("x > 0", "x > 0")),
    "a strict cone with a constant": (cone(of(), of(0)), sequent("x + 1 > 0", "x >= 0")),
    "a cone with a weight": (cone(of(0, c="1/2")), sequent("x/2 >= 0", "x >= 0")),
    "a cone of a product": (cone(of(0, 1)), sequent("x*y > 0", "x > 0", "y > 0")),
    "a cone of a fact and a square": (cone(of(0, sq="y")), sequent("x*y**2 >= 0", "x >= 0")),
    "a cofactor divided by a number": ({**IDENTITY, "modulo": [[0, "x/2"]]}, sequent("x*y/2 == x*z/2", "y == z")),
    "a slack": (SHIFT, sequent("x*x - x >= 0", "x >= 1")),
    "equal sides": (POSITIVE, sequent("x <= x", "x >= 0")),
    "a positive quotient": (POSITIVE, sequent("x/(1 + x) >= 0", "x >= 0")),
    "a quotient of two negative ones": (POSITIVE, sequent("(-x)/(-1 - x) >= 0", "x >= 0")),
    "an equation that is solved": (SOLVE, sequent("2*y == x", "2*y - x == 0")),
    "a termwise comparison": (EACH, sequent("sum(i, 1, n, i) >= 0", naturals=("n",))),
    "a power by induction": (POWER, sequent("x**k >= 0", "x >= 0", naturals=("k",))),
    "an iteration by induction": (
        {**POWER, "states": {"p": "iterate(s, k, 1, x*s)"}},
        sequent("iterate(s, k, 1, x*s) >= 0", "x >= 0", naturals=("k",)),
    ),
    "an iteration of a pair by induction": (
        {
            **POWER,
            "states": {"p": "iterate(s, k, [1, 2], [x*s[1], s[1] + s[2]])"},
            "invariant": ["p1 >= 0", "p2 >= 2"],
            "base": [IDENTITY | POSITIVE, IDENTITY],
            "step": [POSITIVE, cone(of(1), of(2))],
            "then": cone(of(2)),
        },
        sequent("iterate(s, k, [1, 2], [x*s[1], s[1] + s[2]])[2] >= 2", "x >= 0", naturals=("k",)),
    ),
}
BAD: dict[str, tuple[Cert, Sequent]] = {
    "an identity does not prove <": (IDENTITY, sequent("x < x")),
    "an identity does not prove !=": (IDENTITY, sequent("x != x")),
    "a fact that is no equation": ({**IDENTITY, "modulo": [[0, "x"]]}, sequent("x*y == x*z", "y <= z")),
    "an equation for every index": ({**IDENTITY, "modulo": [[0, "1"]]}, sequent("y == z", "forall(i, 1, 0, y == z)")),
    "a cofactor with a divisor": ({**IDENTITY, "modulo": [[0, "1/x"]]}, sequent("y == z", "x*y == x*z")),
    "a cofactor with a root": ({**IDENTITY, "modulo": [[0, "sqrt(x)"]]}, sequent("sqrt(x)*y == 0", "y == 0")),
    "matrices that differ in one entry": (IDENTITY, sequent("[[x, 1], [0, x]] == [[x, 1], [1, x]]")),
    "a matrix and a number": (IDENTITY, sequent("[x] == x")),
    "a multiplier that may vanish": (cone(of(1), multiplier=[0]), sequent("y >= 0", "x >= 0", "x*y >= 0")),
    "a multiplier for every index": (
        cone(of(1), multiplier=[0]),
        sequent("y >= 0", "forall(i, 1, 0, x > 0)", "x*y >= 0"),
    ),
    "an equation as a factor": (cone(of(0)), sequent("x - y >= 0", "x == y")),
    "an inequation as a factor": (cone(of(0)), sequent("x >= 0", "x != 0")),
    "a factor for every index": (cone(of(0)), sequent("x >= 0", "forall(i, 1, 0, x >= 0)")),
    "a strict cone from a square": (cone({"c": "1", "sq": "x"}), sequent("x**2 > 0")),
    "a strict cone from a fact and a square": (cone(of(0, sq="y")), sequent("x*y**2 > 0", "x > 0")),
    "a strict cone from a weight of zero": (cone(of(c="0"), of(0)), sequent("x > 0", "x >= 0")),
    "a strict cone with one weak factor": (cone(of(0, 1)), sequent("x*y > 0", "x > 0", "y >= 0")),
    "a square with a divisor": (cone({"c": "1", "sq": "1/x"}), sequent("1/x**2 >= 0", "x > 0")),
    "a cone for an equation": (cone(of(0)), sequent("x == 0", "x >= 0")),
    "a cone for every index": (cone(of(0)), sequent("forall(i, 1, 2, x >= 0)", "x >= 0")),
    "a slack with the name of a fact": (
        {"kind": "positive", "slacks": {"y": {"is": "x - 1", "because": cone(of(0))}}, "put": {"x": "1 + y"}},
        sequent("x - 1 >= 0", "x >= 1", "y >= 5"),
    ),
    "a slack with the name of the goal": (
        {"kind": "positive", "slacks": {"x": {"is": "y", "because": cone(of(0))}}},
        sequent("x >= 0", "y >= 0"),
    ),
    "a slack that is substituted": ({**SHIFT, "put": {"x": "1 + s", "s": "s"}}, sequent("x*x - x >= 0", "x >= 1")),
    "a substitution for a stranger": ({**SHIFT, "put": {"x": "1 + s", "z": "s"}}, sequent("x*x - x >= 0", "x >= 1")),
    "a slack that is called strict": (
        {**SHIFT, "slacks": {"s": {"is": "x - 1", "because": cone(of(0)), "strict": True}}},
        sequent("x > 1", "x >= 1"),
    ),
    "equal sides, strictly": (POSITIVE, sequent("x < x", "x >= 0")),
    "a name without a sign": (POSITIVE, sequent("x >= 0")),
    "a cube without a sign": (POSITIVE, sequent("x**3 + 1 >= 0")),
    "a negative coefficient": (POSITIVE, sequent("x - 1 >= 0", "x >= 0")),
    "a denominator that changes sign": (POSITIVE, sequent("x/(1 - x) >= 0", "x >= 0")),
    "nothing strict": (POSITIVE, sequent("x + y > 0", "x >= 0", "y >= 0")),
    "solving an inequality": (SOLVE, sequent("y == x", "y - x >= 0")),
    "solving what is not linear": (SOLVE, sequent("y == x", "y*y - x*x == 0")),
    "a strict termwise comparison": (EACH, sequent("sum(i, 1, n, i) > 0", naturals=("n",))),
    "a sum in a denominator": (EACH, sequent("1/sum(i, 1, n, i) >= 0", naturals=("n",))),
    "a square of a sum": (EACH, sequent("sum(i, 1, n, i)**2 >= 0", naturals=("n",))),
    "sums over two ranges": (EACH, sequent("sum(i, 1, n, i) + sum(i, 1, m, i) >= 0", naturals=("n", "m"))),
    "a base that depends on the counter": (
        {**POWER, "states": {"p": "(x + k)**k"}},
        sequent("(x + k)**k >= 0", "x >= 0", naturals=("k",)),
    ),
    "a step that depends on the counter": (
        {**POWER, "states": {"p": "iterate(s, k, 1, k*s)"}},
        sequent("iterate(s, k, 1, k*s) >= 0", naturals=("k",)),
    ),
    "a start that depends on the counter": (
        {**POWER, "states": {"p": "iterate(s, k, k, s)"}},
        sequent("iterate(s, k, k, s) >= 0", naturals=("k",)),
    ),
    "a state over another counter": (
        {**POWER, "states": {"p": "iterate(s, m, 1, s)"}},
        sequent("iterate(s, m, 1, s) >= 0", naturals=("k", "m")),
    ),
}


def accepted(cert: Cert, what: Sequent) -> bool:
    try:
        check(cert, what, {}, Tally())
    except KernelError:
        return False
    return True


@pytest.mark.parametrize("name", GOOD)
def test_a_right_certificate_is_accepted(name: str) -> None:
    assert accepted(*GOOD[name])


@pytest.mark.parametrize("name", BAD)
def test_a_certificate_that_misses_one_condition_is_refused(name: str) -> None:
    assert not accepted(*BAD[name])


FACTS = ("a > 0", "b >= 0", "c >= 1", "d < 0", "u != 0", "v - w > 0", "2*e - 3 > 0", "f + 1 >= 0", "g == 1", "-h >= 0")
SIGNS: dict[str, int | None] = {
    "a": 1,
    "-a": -1,
    "b": None,
    "c": 1,
    "d": -1,
    "e": 1,
    "f": None,
    "g": None,
    "h": None,
    "u": 0,
    "u**2": 1,
    "u*a": 0,
    "u**3": 0,
    "v - w": 1,
    "w - v": -1,
    "(w - v)**2": 1,
    "3*v - 3*w": 1,
    "v + w": None,
    "a + b": 1,
    "-a - b": -1,
    "b + 1": 1,
    "b - 1": None,
    "a*c": 1,
    "a*d": -1,
    "a/d": -1,
    "1/u": 0,
    "a**2 + f**2": 1,
    "f**2 + 1": 1,
    "f**3 + 1": None,
    "-2": -1,
    "7": 1,
}


@pytest.mark.parametrize("formula", SIGNS)
def test_a_sign_is_read_off_where_it_is_plain_and_nowhere_else(formula: str) -> None:
    ring, (value,), _ = scalars_of([parse(formula)])
    assert sign_of(value, signs(map(parse_relation, FACTS), ring)) == SIGNS[formula]


def test_a_fact_for_every_index_gives_no_sign() -> None:
    ring, (value,), _ = scalars_of([parse("x")])
    assert sign_of(value, signs([parse_relation("forall(i, 1, 0, x > 0)")], ring)) is None


OBLIGATIONS = {
    "a/(b*c)": ["b != 0", "c != 0"],
    "a/(b/c)": ["b != 0", "c != 0"],
    "1/(-b)**2": ["b != 0"],
    "a/3": [],
    "a/0": ["0 != 0"],
    "a**(-2)": ["a != 0"],
    "a**2": [],
    "a**n": ["n is natural"],
    "sqrt(a)": ["a >= 0"],
    "log(a)": ["a > 0"],
    "inv(A)": ["A is invertible"],
    "sum(i, p, q, 1/v[i])": ["p is integer", "q is integer", "v[i] != 0"],
    "mean(w, sqrt(X[w]))": ["X[w] >= 0"],
    "iterate(s, n, 1/a, s + 1)": ["n is natural", "a != 0"],
}


@pytest.mark.parametrize("formula", OBLIGATIONS)
def test_a_formula_makes_sense_under_its_obligations(formula: str) -> None:
    assert sorted(o.key for o in obligations(parse(formula))) == sorted(OBLIGATIONS[formula])


@pytest.mark.parametrize(
    ("kind", "formula", "plain"),
    [
        *(("nonzero", "a", True), ("nonzero", "b", False), ("nonzero", "u", True), ("nonzero", "a - a", False)),
        *(("nonnegative", "b", True), ("nonnegative", "a", True), ("nonnegative", "d", False)),
        *(("nonnegative", "u", False), ("nonnegative", "b/a", True), ("nonnegative", "b/d", False)),
        *(("nonnegative", "a - a", True), ("nonnegative", "f**2", True), ("nonnegative", "b - 1", False)),
        *(("positive", "a", True), ("positive", "b", False), ("positive", "u", False), ("positive", "a - a", False)),
        *(("natural", "n + 2", True), ("natural", "n - 1", False), ("natural", "a", False), ("natural", "n/2", False)),
        *(("integer", "n - 1", True), ("integer", "-n", True), ("integer", "1/2", False), ("integer", "a", False)),
        *(("invertible", "[[a, 1], [0, c]]", True), ("invertible", "[[b, 1], [0, c]]", False)),
        *(("natural", "-1", False), ("natural", "0", True), ("natural", "1/2", False), ("natural", "n*n", True)),
    ],
)
def test_an_obligation_is_plain_or_it_is_not(kind: str, formula: str, plain: bool) -> None:
    assert is_plain(Obligation(kind, parse(formula)), sequent("0 == 0", *FACTS, naturals=("n",))) is plain


def test_naturals_and_integers_are_told_by_their_form() -> None:
    n = frozenset({"n"})
    assert is_natural(parse("2*n + 1"), n)
    assert not is_natural(parse("2*n + x"), n)
    assert is_integer(parse("n*n - 3"), n)
    assert not is_integer(parse("n**2 - x"), n)


def test_a_relation_becomes_a_difference_with_its_strictness() -> None:
    told = {op: difference(parse_relation(f"a {op} b")) for op in ("<=", "<", ">=", ">")}
    assert {op: (text(node), strict) for op, (node, strict) in told.items()} == {
        "<=": ("b - a", False),
        "<": ("b - a", True),
        ">=": ("a - b", False),
        ">": ("a - b", True),
    }


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("x**(k + 2)", "x**2*x**k"),
        ("sum(i, 1, n, a*v[i] + b)", "a*sum(i, 1, n, v[i]) + b*sum(i, 1, n, 1)"),
        ("sum(i, 1, n, v[i]/a)", "sum(i, 1, n, v[i])/a"),
        ("mean(w, a + X[w])", "a + mean(w, X[w])"),
        ("mean(w, 3)", "3"),
        ("mean(w, X[w] - X[w])", "0"),
        ("([a, b])[2]", "b"),
        ("([[a, b], [c, d]] @ [1, 0])[2]", "c"),
    ],
)
def test_two_ways_to_write_a_formula_are_one(one: str, other: str) -> None:
    _, (first, second), _ = fractions_of([parse(one), parse(other)])
    assert first == second


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("sum(i, 1, n, v[i])", "sum(i, 1, m, v[i])"),
        ("sum(i, 1, n, v[i])", "mean(i, v[i])"),
        ("sum(i, 1, n, 3)", "3"),
        ("x**(k + 2)", "x**k"),
        ("mean(w, X[w]**2)", "mean(w, X[w])**2"),
        ("v[1]", "v[2]"),
    ],
)
def test_different_formulas_stay_different(one: str, other: str) -> None:
    _, (first, second), _ = fractions_of([parse(one), parse(other)])
    assert first != second


def test_a_matrix_is_no_number() -> None:
    with pytest.raises(Malformed):
        scalars_of([parse("[1, 2]")])
    with pytest.raises(Malformed):
        fractions_of([parse("sum(i, 1, n, [i, 1])")])


def certified(claim: Claim, *goals: Any, **changes: Any) -> Cert:
    return {"schema": SCHEMA, "claim": claim.digest, "goals": list(goals), **changes}


def test_a_certificate_proves_all_goals_and_each_with_its_own_rule() -> None:
    claim = Claim("c", ("x == x", "y == y"), example=(("x", "1"), ("y", "1")))
    assert judge(claim, Evidence(certificate=certified(claim, IDENTITY, IDENTITY)), {}).verdict is Verdict.PROVED
    for goals in ((), (IDENTITY,), (IDENTITY,) * 3):
        with pytest.raises(Rejected, match="must prove 2"):
            check_certificate(claim, certified(claim, *goals), {})
    with pytest.raises(Rejected):
        check_certificate(claim, {**certified(claim), "goals": "both"}, {})


def test_a_conclusion_for_every_index_is_refused() -> None:
    claim = Claim("c", ("forall(i, 1, 2, i == i)",))
    with pytest.raises(Rejected, match="free natural index"):
        check_certificate(claim, certified(claim, IDENTITY), {})


def test_a_claim_does_not_prove_itself() -> None:
    claim = Claim("c", ("x >= 5",), example=(("x", "6"),))
    itself = {"kind": "cite", "claim": "c", "then": cone(of(0))}
    with pytest.raises(Rejected, match="cites the claim itself"):
        judge(claim, Evidence(certificate=certified(claim, itself)), {"c": claim})


PARENTS = {
    "half": Claim("half", ("y/2 >= 0",), ("y >= 0",)),
    "count": Claim("count", ("n*n >= n",), naturals=("n",)),
    "each": Claim("each", ("y >= 0",), ("forall(i, 1, 2, v[i] >= 0)",)),
}


def cites(what: Sequent, parent: str, then: Cert, **more: Any) -> bool:
    tally = Tally()
    try:
        check({"kind": "cite", "claim": parent, "then": then, **more}, what, PARENTS, tally)
    except KernelError:
        return False
    return tally.cited == {parent}


def test_a_citation_discharges_every_hypothesis() -> None:
    put = {"y": "x + 1"}
    assert cites(sequent("(x + 1)/2 >= 0", "x >= 0"), "half", cone(of(1)), **{"with": put})
    assert not cites(sequent("(x + 1)/2 >= 0"), "half", cone(of(0)), **{"with": put})
    assert not cites(sequent("x/2 >= 0", "x >= 0"), "nobody", cone(of(1)), **{"with": {"y": "x"}})
    assert cites(sequent("y/2 >= 0", "y >= 0"), "half", cone(of(1)))
    assert cites(sequent("y/2 >= 0", "y - 1 >= 0"), "half", cone(of(1)), discharge={"0": cone(of(0), of())})
    assert not cites(sequent("y/2 >= 0", "y - 1 >= 0"), "half", cone(of(1)), discharge={"0": IDENTITY})
    assert cites(sequent("y >= 0", "forall(i, 1, 2, v[i] >= 0)"), "each", cone(of(1)))
    assert not cites(sequent("y >= 0", "forall(i, 1, 1, v[i] >= 0)"), "each", cone(of(1)))


def test_a_citation_puts_natural_numbers_in_for_naturals() -> None:
    assert cites(sequent("n*n >= n", naturals=("n",)), "count", cone(of(0)))
    assert cites(sequent("(k + 1)**2 >= k + 1", naturals=("k",)), "count", cone(of(0)), **{"with": {"n": "k + 1"}})
    assert not cites(sequent("n*n >= n"), "count", cone(of(0)))
    assert not cites(sequent("x*x >= x", "x >= 0"), "count", cone(of(1)), **{"with": {"n": "x"}})


@pytest.mark.parametrize(
    ("trials", "verdict"),
    [(0, "UNDECIDED"), (-1, "UNDECIDED"), ("9", "UNDECIDED"), (None, "UNDECIDED"), (1, "SUPPORTED")],
)
def test_a_search_without_a_trial_supports_nothing(trials: Any, verdict: str) -> None:
    claim = Claim("c", ("x >= 0",), example=(("x", "1"),))
    assert judge(claim, Evidence(search={"trials": trials}), {}).verdict.name == verdict


def test_a_proof_stands_no_higher_than_what_it_cites() -> None:
    def rests(verdict: Verdict, *cites: str) -> Judgement:
        return Judgement(verdict, "", "", cites)

    found = standing(
        {
            "top": rests(Verdict.PROVED, "middle", "sound"),
            "middle": rests(Verdict.PROVED, "weak"),
            "weak": rests(Verdict.SUPPORTED),
            "sound": rests(Verdict.PROVED),
            "lost": rests(Verdict.PROVED, "nowhere"),
            "false": rests(Verdict.REFUTED),
            "on false": rests(Verdict.PROVED, "false"),
            "again": rests(Verdict.CERTIFIED, "sound"),
        }
    )
    assert {key: verdict.name for key, verdict in found.items()} == {
        "top": "SUPPORTED",
        "middle": "SUPPORTED",
        "weak": "SUPPORTED",
        "sound": "PROVED",
        "lost": "UNDECIDED",
        "false": "REFUTED",
        "on false": "UNDECIDED",
        "again": "CERTIFIED",
    }
    with pytest.raises(Rejected, match="circle"):
        standing({"a": rests(Verdict.PROVED, "b"), "b": rests(Verdict.PROVED, "a")})
