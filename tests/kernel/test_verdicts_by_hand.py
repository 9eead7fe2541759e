"""Verdicts word by word, claims name by name, and boxes up to the example at their corner."""

from __future__ import annotations

import importlib
from typing import Any

import pytest

from tests.kernel.certificates import IDENTITY
from theory.kernel import (
    SCHEMA,
    Claim,
    Evidence,
    Judgement,
    KernelError,
    Malformed,
    Rejected,
    Verdict,
    judge,
    standing,
)
from theory.kernel.judge import ON_A_BOX, check_certificate

SQUARE: dict[str, Any] = {"kind": "cone", "terms": [{"c": "1", "sq": "x"}]}
CLAIM = Claim("square", ("x**2 >= 0",), example=(("x", "1"),), scope="all x")


def certificate(claim: Claim, *goals: Any, **more: Any) -> dict[str, Any]:
    return {"schema": SCHEMA, "claim": claim.digest, "goals": list(goals), **more}


def judged(claim: Claim, *goals: Any, library: dict[str, Claim] | None = None, **more: Any) -> Judgement:
    return judge(claim, Evidence(certificate=certificate(claim, *goals, **more)), library or {})


def balls(**box: list[str]) -> dict[str, Any]:
    return {"kind": "balls", "box": box, "tree": {}}


def test_a_proof_is_told_with_its_rules_and_its_scope() -> None:
    assert judged(CLAIM, SQUARE) == Judgement(Verdict.PROVED, "by cone", "all x", cites=(), rules=("cone",))
    user = Claim("user", ("y**2 >= 0",), example=(("y", "1"),), scope="all y")
    then = {"kind": "cone", "terms": [{"c": "1", "of": [0]}]}
    cited = {"kind": "cite", "claim": "square", "with": {"x": "y"}, "then": then}
    found = judged(user, cited, library={"square": CLAIM})
    assert (found.reason, found.cites, found.rules) == ("by cite, cone", ("square",), ("cite", "cone"))


def test_what_is_neither_proved_nor_refuted_is_told_so() -> None:
    assert judge(CLAIM, Evidence(), {}) == Judgement(
        Verdict.UNDECIDED, "no certificate, no witness, no search", "all x"
    )
    assert judge(CLAIM, Evidence(cited_source="a book"), {}) == Judgement(
        Verdict.CITED, "a book", "an external theorem"
    )
    search = {"trials": 7, "worst_ratio": "1/2", "risk": "1/8", "space": "a cube"}
    assert judge(CLAIM, Evidence(search=search), {}) == Judgement(
        Verdict.SUPPORTED, "7 trials, worst ratio 1/2, residual risk 1/8", "a cube"
    )
    assert judge(CLAIM, Evidence(search={"trials": 1}), {}).scope == "all x"
    assert judge(CLAIM, Evidence(search={"trials": 0}), {}) == Judgement(
        Verdict.UNDECIDED, "the search ran no trial", "all x"
    )


def test_a_witness_comes_with_its_point() -> None:
    false = Claim("false", ("x > 0",), example=(("x", "1"),))
    witness = {"schema": SCHEMA, "claim": false.digest, "point": {"x": "0"}}
    assert judge(false, Evidence(witness=witness), {}) == Judgement(
        Verdict.REFUTED, "x > 0 fails", "one exact instance"
    )
    for point in (None, ["0"], "x"):
        with pytest.raises(Malformed, match="the record has no 'point'"):
            judge(false, Evidence(witness={**witness, "point": point}), {})
    with pytest.raises(Rejected, match="the witness belongs to another claim"):
        judge(false, Evidence(witness={**witness, "claim": CLAIM.digest}), {})
    with pytest.raises(Malformed, match="the witness has schema 0; this kernel reads 1"):
        judge(false, Evidence(witness={**witness, "schema": 0}), {})


def test_a_claim_that_is_proved_and_refuted_stops_everything(monkeypatch: pytest.MonkeyPatch) -> None:
    module = importlib.import_module("theory.kernel.judge")  # the package has a function of the same name
    monkeypatch.setattr(module, "check_witness", lambda claim, point: "fails")
    witness = {"schema": SCHEMA, "claim": CLAIM.digest, "point": {"x": "0"}}
    with pytest.raises(KernelError, match="both proved and refuted: the kernel is unsound"):
        judge(CLAIM, Evidence(certificate=certificate(CLAIM, SQUARE), witness=witness), {})


def test_a_reason_for_a_divisor_is_nested_as_deep_as_a_proof() -> None:
    bump = "x**2 - 2*x + 2"
    claim = Claim("c", (f"1/({bump}) == 1/({bump})",), example=(("x", "1"),))
    for levels, good in ((200, True), (201, False)):
        proof: dict[str, Any] = {"kind": "cone", "terms": [{"c": "1", "sq": "x - 1"}, {"c": "1"}]}
        for _ in range(levels):
            proof = {"kind": "have", "fact": "0 == 0", "proof": IDENTITY, "then": proof}
        defined = {f"{bump} != 0": {"side": ">", "proof": proof}}
        if good:
            assert judged(claim, IDENTITY, defined=defined).verdict is Verdict.PROVED
        else:
            with pytest.raises(Rejected, match="nested deeper"):
                judged(claim, IDENTITY, defined=defined)


def test_a_certificate_has_a_list_of_as_many_proofs_as_goals() -> None:
    for goals in ([], [SQUARE, SQUARE], None, {"0": SQUARE}):
        with pytest.raises(Rejected, match=r"the certificate must prove 1 goal\(s\)"):
            check_certificate(CLAIM, {**certificate(CLAIM), "goals": goals}, {})


@pytest.mark.parametrize("at", ["0", "1/2", "1/4"])
def test_an_example_at_the_edge_of_a_box_lies_in_it(at: str) -> None:
    claim = Claim("c", ("x <= 1", "exp(x) > 0"), example=(("x", at),))
    found = judged(claim, balls(x=["0", "1/2"]), balls(x=["0", "1/2"]))
    assert found == Judgement(Verdict.CERTIFIED, ON_A_BOX, "x in [0, 1/2]", cites=(), rules=("balls",))


@pytest.mark.parametrize("at", ["-1/8", "5/8"])
def test_an_example_outside_a_box_does_not(at: str) -> None:
    with pytest.raises(Rejected, match=r"the example lies outside the box x in \[0, 1/2\]"):
        judged(Claim("c", ("x <= 1",), example=(("x", at),)), balls(x=["0", "1/2"]))


def test_a_box_is_for_an_inequality_and_one_for_all_goals() -> None:
    for says in ("x == x", "x + 1 != x"):
        with pytest.raises(Rejected, match="balls enclose inequalities"):
            judged(Claim("c", (says,), example=(("x", "0"),)), balls(x=["0", "1"]))
    two = Claim("c", ("x <= 2", "x <= 3"), example=(("x", "0"),))
    with pytest.raises(Rejected, match=r"one box for all goals; found x in \[0, 1\]; x in \[0, 1/2\]"):
        judged(two, balls(x=["0", "1"]), balls(x=["0", "1/2"]))
    assert judged(two, balls(x=["0", "1"]), balls(x=["0", "1"])).verdict is Verdict.CERTIFIED


@pytest.mark.parametrize(
    ("given", "good"),
    [
        ("x**n >= 0", True),
        ("0 <= x**(2*n + 1)", True),
        ("x**k >= 0", False),
        ("0 <= x**k", False),
        ("x**(n - 1) >= 0", True),
        ("x**(n - k) >= 0", False),
        ("sum(i, 1, k, v[i]) >= 0", False),
        ("sum(i, 1, n, v[i]) >= 0", True),
        ("forall(i, 1, n, x**i >= 0)", True),
        ("forall(i, -3, n, x**i >= 0)", False),
        ("1/x >= 0", True),
    ],
)
def test_hypotheses_count_with_integers(given: str, good: bool) -> None:
    point = {"x": "1", "n": "1", "k": "1", "v": ["1"]}
    claim = Claim("c", ("1 == 1",), (given,), naturals=("n",), example=tuple(point.items()))
    if good:
        assert judged(claim, IDENTITY).verdict is Verdict.PROVED
    else:
        with pytest.raises(Rejected, match=r"in the hypothesis .*: not by its form"):
            judged(claim, IDENTITY)


def test_nothing_stands_higher_than_what_it_rests_on() -> None:
    def rests(verdict: Verdict, *cites: str, reason: str = "") -> Judgement:
        return Judgement(verdict, reason, "", cites)

    found = standing(
        {
            "proved": rests(Verdict.PROVED),
            "boxed": rests(Verdict.CERTIFIED, reason=ON_A_BOX),
            "a family": rests(Verdict.CERTIFIED, reason="a family"),
            "book": rests(Verdict.CITED),
            "on proved": rests(Verdict.PROVED, "proved"),
            "on boxed": rests(Verdict.PROVED, "proved", "boxed"),
            "on a family": rests(Verdict.PROVED, "a family"),
            "on book": rests(Verdict.PROVED, "book", "a family"),
            "open": rests(Verdict.UNDECIDED, "proved"),
            "twice": rests(Verdict.PROVED, "on proved", "on proved"),
            "refuted on lost": rests(Verdict.REFUTED, "lost"),
        }
    )
    assert {key: verdict.name for key, verdict in found.items()} == {
        "proved": "PROVED",
        "boxed": "CERTIFIED",
        "a family": "CERTIFIED",
        "book": "CITED",
        "on proved": "PROVED",
        "on boxed": "UNDECIDED",
        "on a family": "CERTIFIED",
        "on book": "CITED",
        "open": "UNDECIDED",
        "twice": "PROVED",
        "refuted on lost": "REFUTED",
    }
    with pytest.raises(Rejected, match="a circle of citations: a -> b -> a"):
        standing({"a": rests(Verdict.PROVED, "b"), "b": rests(Verdict.PROVED, "a")})
    with pytest.raises(Rejected, match="a circle of citations: a -> a"):
        standing({"a": rests(Verdict.PROVED, "a")})


@pytest.mark.parametrize(
    ("record", "refusal"),
    [
        ({"says": ()}, "a claim says something; `says` is empty"),
        ({"given": ("forall(v, Omega, Omega, X[v] > 0)",)}, "one probability space has one name; found v, w"),
        ({"given": ("mean(v, X[v]) > 0",)}, "one probability space has one name; found v, w"),
        ({"given": ("0 < mean(v, X[v])",)}, "one probability space has one name; found v, w"),
        ({"given": ("X > 0",)}, "X is used with and without an index"),
        ({"given": ("X[1, 2] > 0",)}, "X is used with one index and with two"),
        ({"naturals": ("X",)}, "X is used with and without an index"),
        ({"given": ("[1, 2] > 0",)}, "c: .*the two sides cannot be compared"),
        ({"given": ("x +",)}, "c: cannot read"),
        ({"given": ("Omega > 0",)}, "Omega stands in forall only"),
        ({"given": ("forall(w, Omega, 2, X[w] > 0)",)}, "Omega stands in forall only"),
        ({"given": ("forall(w, Omega, Omega, 0 < Omega)",)}, "Omega stands in forall only"),
        ({"where": (("1a", "2"),)}, "'1a' is no name"),
        ({"where": (("b", "c + 1"), ("c", "2"))}, "where b uses c, which is not defined before it"),
        ({"where": (("b", "1"),), "naturals": ("b",)}, "the name b is declared twice"),
        ({"where": (("Omega", "1"),)}, "the name Omega is declared twice or reserved"),
    ],
)
def test_a_claim_is_refused_by_name(record: dict[str, Any], refusal: str) -> None:
    with pytest.raises(Malformed, match=refusal):
        Claim("c", **{"says": ("mean(w, X[w]) >= 0",), **record})


def test_a_claim_with_one_space_is_fine() -> None:
    claim = Claim(
        "c",
        ("mean(w, X[w]) >= a",),
        ("forall(w, Omega, Omega, X[w] >= b)", "forall(i, 1, n, v[i] > 0)"),
        where=(("b", "1/2"), ("a", "b + 1")),
        naturals=("n",),
    )
    assert [str(one) for one in (*claim.goals, *claim.hypotheses)] == [
        "mean(w, X[w]) >= 1/2 + 1",
        "forall(w, Omega, Omega, X[w] >= 1/2)",
        "forall(i, 1, n, v[i] > 0)",
    ]
    assert claim.variables == ("X", "n", "v")
    assert claim.numbers - {"Omega"} == {"n"}
    assert claim.families == {"X": 1, "v": 1}
