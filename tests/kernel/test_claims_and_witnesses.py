"""Claims, points, verdicts: nothing vacuous, nothing circular, nothing decided by a float."""

from __future__ import annotations

import pickle
from typing import Any

import pytest

from theory.kernel import (
    SCHEMA,
    Claim,
    Evidence,
    Judgement,
    KernelError,
    Malformed,
    Rejected,
    Verdict,
    check_witness,
    judge,
    standing,
)
from theory.kernel.errors import Undecidable
from theory.kernel.lang import parse, parse_relation, text
from theory.kernel.points import holds

AMGM = Claim("amgm", says=("a*b <= (a**2+b**2)/2",), given=("a > 0",), example=(("a", "1"), ("b", "2")))
SQUARE = {"schema": SCHEMA, "claim": AMGM.digest, "goals": [{"kind": "cone", "terms": [{"c": "1/2", "sq": "a-b"}]}]}
FALSE = Claim("false", says=("a*b <= a**2",), given=("a > 0",), example=(("a", "1"), ("b", "0")))


def witness(claim: Claim, **point: str) -> dict[str, object]:
    return {"schema": SCHEMA, "claim": claim.digest, "point": point}


def test_a_proved_claim_is_proved() -> None:
    assert judge(AMGM, Evidence(certificate=SQUARE), {}).verdict is Verdict.PROVED


def test_a_refuted_claim_is_refuted_with_the_goal_that_fails() -> None:
    verdict = judge(FALSE, Evidence(witness=witness(FALSE, a="1", b="2")), {})
    assert verdict.verdict is Verdict.REFUTED
    assert "a*b <= a**2" in verdict.reason


def test_nothing_offered_is_undecided() -> None:
    assert judge(AMGM, Evidence(), {}).verdict is Verdict.UNDECIDED


def test_a_certificate_of_another_claim_is_refused() -> None:
    with pytest.raises(Rejected, match="another claim"):
        judge(FALSE, Evidence(certificate=SQUARE), {})


def test_a_witness_that_violates_a_hypothesis_is_refused() -> None:
    with pytest.raises(Rejected, match="violates the hypothesis a > 0"):
        judge(FALSE, Evidence(witness=witness(FALSE, a="-1", b="2")), {})


def test_a_point_where_all_holds_is_no_witness() -> None:
    with pytest.raises(Rejected, match="no witness"):
        check_witness(FALSE, {"a": "2", "b": "1"})


def test_a_witness_with_a_missing_or_inexact_value_is_refused() -> None:
    with pytest.raises(Rejected, match="no value for b"):
        check_witness(FALSE, {"a": "2"})
    with pytest.raises(Malformed, match="write a number as"):
        check_witness(FALSE, {"a": "exp(2)", "b": "1"})
    with pytest.raises(Malformed, match="not a rational"):
        check_witness(FALSE, {"a": 0.5j, "b": "1"})


def test_a_claim_without_a_point_that_satisfies_its_hypotheses_is_refused() -> None:
    vacuous = Claim("vacuous", says=("1 <= 0",), given=("x > 1", "x < 0"), example=(("x", "2"),))
    with pytest.raises(Rejected, match="violates the hypothesis x < 0"):
        judge(vacuous, Evidence(), {})


def test_a_conclusion_that_may_be_undefined_is_not_proved() -> None:
    claim = Claim("pole", says=("x/x == 1",), example=(("x", "1"),))
    cert = {"schema": SCHEMA, "claim": claim.digest, "goals": [{"kind": "identity"}]}
    with pytest.raises(Rejected, match="not shown to be defined"):
        judge(claim, Evidence(certificate=cert), {})
    assert "no value" in check_witness(claim, {"x": "0"})


def test_an_exponent_that_is_not_natural_is_not_defined() -> None:
    claim = Claim("power", says=("x**k <= x**k",), example=(("x", "1"), ("k", "1")))
    cert = {"schema": SCHEMA, "claim": claim.digest, "goals": [{"kind": "identity"}]}
    with pytest.raises(Rejected, match="natural"):
        judge(claim, Evidence(certificate=cert), {})


def test_a_stated_box_certifies_there_only() -> None:
    claim = Claim("box", says=("exp(x) >= 1",), example=(("x", "1/2"),))
    goal = {"kind": "balls", "box": {"x": ["1/10", "1"]}, "tree": {}}
    cert = {"schema": SCHEMA, "claim": claim.digest, "goals": [goal]}
    verdict = judge(claim, Evidence(certificate=cert), {})
    assert verdict.verdict is Verdict.CERTIFIED
    assert "1/10" in verdict.scope


def test_a_search_without_a_trial_supports_nothing() -> None:
    assert judge(AMGM, Evidence(search={"trials": 0}), {}).verdict is Verdict.UNDECIDED
    assert judge(AMGM, Evidence(search={"trials": 5}), {}).verdict is Verdict.SUPPORTED


def test_a_foreign_schema_is_refused() -> None:
    with pytest.raises(Malformed, match="schema"):
        judge(AMGM, Evidence(certificate={**SQUARE, "schema": 99}), {})


def test_a_citation_discharges_hypotheses_and_is_counted() -> None:
    user = Claim("user", says=("2*x*y <= x**2+y**2",), given=("x > 0",), example=(("x", "1"), ("y", "1")))
    body = {
        "kind": "cite",
        "claim": "amgm",
        "with": {"a": "x", "b": "y"},
        "then": {"kind": "cone", "terms": [{"c": "2", "of": [1]}]},
    }
    cert = {"schema": SCHEMA, "claim": user.digest, "goals": [body]}
    verdict = judge(user, Evidence(certificate=cert), {"amgm": AMGM})
    assert verdict.cites == ("amgm",)
    with pytest.raises(Rejected, match="not in the library"):
        judge(user, Evidence(certificate=cert), {})
    unfounded = Claim("user", says=user.says, example=user.example)
    with pytest.raises(Rejected):
        judge(unfounded, Evidence(certificate={**cert, "claim": unfounded.digest}), {"amgm": AMGM})


def test_standing_is_the_weakest_of_everything_cited() -> None:
    def one(verdict: Verdict, *cites: str) -> Judgement:
        return Judgement(verdict, "", "", cites)

    table = {
        "a": one(Verdict.PROVED, "b"),
        "b": one(Verdict.PROVED, "c"),
        "c": one(Verdict.SUPPORTED),
        "d": one(Verdict.PROVED, "e"),
        "e": one(Verdict.REFUTED),
        "f": one(Verdict.PROVED, "missing"),
    }
    result = standing(table)
    assert result["a"] is Verdict.SUPPORTED
    assert result["d"] is Verdict.UNDECIDED
    assert result["f"] is Verdict.UNDECIDED


def test_a_circle_of_citations_is_refused() -> None:
    table = {
        "a": Judgement(Verdict.PROVED, "", "", ("b",)),
        "b": Judgement(Verdict.PROVED, "", "", ("a",)),
    }
    with pytest.raises(Rejected, match="circle"):
        standing(table)


class WorksOutTheRest:
    """A value that makes its claim work out its variables while the claim is being pickled, as another thread may."""

    def __reduce__(self) -> tuple[type[str], tuple[str]]:
        _ = BUSY[0].variables
        return str, ("1",)


BUSY: list[Claim] = []


def test_a_claim_travels_while_another_thread_works_on_it() -> None:
    claim = Claim("busy", ("x >= 0",), given=("x >= 1",), example=(("x", WorksOutTheRest()),))
    BUSY.append(claim)
    assert "variables" not in vars(claim)
    there = pickle.loads(pickle.dumps(claim))
    assert "variables" in vars(claim)
    assert "variables" not in vars(there)
    assert (there.says, there.example, there.variables) == (("x >= 0",), (("x", "1"),), ("x",))


def test_two_names_for_one_probability_space_are_refused() -> None:
    with pytest.raises(Malformed, match="one probability space"):
        Claim("two", says=("mean(w, X[w]) == mean(v, X[v])",))


def test_an_irrational_comparison_is_enclosed_not_rounded() -> None:
    assert holds(parse_relation("sqrt(2) < 1414213562373095049/1000000000000000000"), {})
    assert not holds(parse_relation("sqrt(2) < 1414213562373095048/1000000000000000000"), {})
    assert holds(parse_relation("sqrt(2)*sqrt(2) == 2"), {})
    with pytest.raises(Undecidable):
        holds(parse_relation("exp(sqrt(2))*exp(-sqrt(2)) == 1"), {})


@pytest.mark.parametrize(
    "source",
    [
        "__import__('os')",
        "lambda x: x",
        "x if y else z",
        "x.y",
        "f(x=1)",
        "'a'",
        "True",
        "x[1:2]",
        "[i for i in x]",
        "x := 1",
    ],
)
def test_what_is_not_a_formula_is_refused(source: str) -> None:
    with pytest.raises(Malformed):
        parse(source)


@pytest.mark.parametrize(
    "source", ["-(1-x)/(1+x)", "(A**k@[1, 1])[1]", "x - (-1/3)", "-x**2", "(-x)**2", "a/(b*c)", "a@(b@c)"]
)
def test_text_and_parse_are_inverse(source: str) -> None:
    node = parse(source)
    assert parse(text(node)) == node


@pytest.mark.parametrize(
    ("says", "point"),
    [
        ("mean(w, X[w]) >= 0", {"X": ["-1"], "p_w": "1"}),
        ("mean(w, X[w]) >= 0", {"X": ["-1"], "p_w": {"1": "1"}}),
        ("mean(w, X[w]) >= 0", {"X": ["-1"], "p_w": {"of": "x", "is": "x"}}),
        ("x >= 0", {"x": {"of": "z", "is": "-1"}}),
        ("n >= 1", {"n": {"of": "z", "is": "-1"}}),
        ("x[1] >= 0", {"x": {"of": "z", "is": "-1"}}),
        ("x >= 0", {"x": "-1", "#histories": "1"}),
    ],
)
def test_a_point_of_another_shape_is_no_witness(says: str, point: dict[str, Any]) -> None:
    claim = Claim("c", (says,), naturals=("n",))
    with pytest.raises(KernelError):
        check_witness(claim, point)


@pytest.mark.parametrize("record", [[], "x", 5, ["schema"]])
def test_evidence_that_is_no_record_is_refused(record: Any) -> None:
    claim = Claim("c", ("x**2 >= 0",), example=(("x", "1"),))
    for evidence in (Evidence(certificate=record), Evidence(witness=record)):
        with pytest.raises(Malformed, match="schema"):
            judge(claim, evidence, {})
