"""Boxes are stated for whole goals, and names mean one thing: what the kernel refuses to read or to believe."""

from __future__ import annotations

from typing import Any

import pytest

from tests.kernel.certificates import cone
from theory.kernel import (
    SCHEMA,
    Claim,
    Evidence,
    Judgement,
    Malformed,
    Rejected,
    Verdict,
    check_witness,
    judge,
    standing,
)


def balls(**box: list[str]) -> dict[str, Any]:
    return {"kind": "balls", "box": box, "tree": {}}


def judged(claim: Claim, *goals: dict[str, Any], library: dict[str, Claim] | None = None) -> Judgement:
    certificate = {"schema": SCHEMA, "claim": claim.digest, "goals": list(goals)}
    return judge(claim, Evidence(certificate=certificate), library or {})


def fact(position: int) -> dict[str, Any]:
    return {"c": "1", "of": [position]}


def test_a_box_is_not_stated_inside_a_proof() -> None:
    absurd = {
        "kind": "have",
        "fact": "y <= -1",
        "proof": balls(y=["-3", "-2"]),
        "then": {"kind": "have", "fact": "y >= 0", "proof": balls(y=["1", "2"]), "then": cone(fact(0), fact(1))},
    }
    with pytest.raises(Rejected, match="for a whole goal, not inside a proof"):
        judged(Claim("c", ("1 <= 0",)), absurd)


def test_a_step_of_an_induction_is_not_certified_on_a_box_that_the_state_leaves() -> None:
    claim = Claim("c", ("iterate(s, k, 1, 2*s) <= 10",), naturals=("k",), example=(("k", "0"),))
    proof = {
        "kind": "induction",
        "on": "k",
        "states": {"p": "iterate(s, k, 1, 2*s)"},
        "invariant": ["p <= 10"],
        "base": [cone({"c": "9"})],
        "step": [balls(p=["0", "4"])],
        "then": cone(fact(0)),
    }
    with pytest.raises(Rejected, match="for a whole goal"):
        judged(claim, proof)
    assert "fails" in check_witness(claim, {"k": "5"})


def test_what_is_certified_on_a_box_is_not_cited_for_every_point() -> None:
    lemma, claim = Claim("L", ("x <= 1",), example=(("x", "0"),)), Claim("C", ("2 <= 1",))
    on_box = judged(lemma, balls(x=["0", "1/2"]))
    citing = judged(
        claim, {"kind": "cite", "claim": "L", "with": {"x": "2"}, "then": cone(fact(0))}, library={"L": lemma}
    )
    assert on_box.verdict is Verdict.CERTIFIED
    assert standing({"L": on_box, "C": citing})["C"] is Verdict.UNDECIDED


def test_the_example_lies_in_the_box_and_all_goals_share_it() -> None:
    with pytest.raises(Rejected, match="outside the box"):
        judged(Claim("c", ("x <= 1",), example=(("x", "2"),)), balls(x=["0", "1/2"]))
    two = Claim("c", ("x <= 1", "x <= 2"), example=(("x", "1/4"),))
    with pytest.raises(Rejected, match="one box for all goals"):
        judged(two, balls(x=["0", "1/2"]), balls(x=["0", "1"]))
    with pytest.raises(Rejected, match="malformed certificate"):
        judged(Claim("c", ("x <= 1",), example=(("x", "0"),)), {"kind": "balls", "box": {"x": ["0"]}, "tree": {}})
    with pytest.raises(Rejected, match="enclose inequalities"):
        judged(Claim("c", ("x == 1",), example=(("x", "1"),)), balls(x=["1", "1"]))


@pytest.mark.parametrize(
    ("record", "words"),
    [
        ({"naturals": ("sin(x)",)}, "is no name"),
        ({"naturals": ("sum(1..2; v[#])",)}, "is no name"),
        ({"naturals": ("k", "k")}, "declared twice"),
        ({"naturals": ("Omega",)}, "reserved"),
        ({"where": (("pi", "3"),)}, "reserved"),
        ({"where": (("a", "1"), ("a", "2"))}, "declared twice"),
        ({"where": (("k", "n/2"),), "naturals": ("k",)}, "declared twice"),
        ({"where": (("a", "b + 1"), ("b", "1"))}, "not defined before it"),
        ({"where": (("a", "a**2 + 1"),)}, "not defined before it"),
        ({"kinds": (("X Y", "matrix(n, n)"),)}, "is no name"),
        ({"given": ("sum(w, Omega, Omega, X[w]) >= 0",)}, "Omega stands in forall only"),
        ({"given": ("forall(w, 1, Omega, X[w] >= 0)",)}, "Omega stands in forall only"),
        ({"given": ("forall(w, Omega, Omega, Omega*X[w] >= 0)",)}, "Omega stands in forall only"),
        ({"given": ("pi > 3",)}, "reserved"),
    ],
)
def test_names_are_declared_once_and_mean_one_thing(record: dict[str, Any], words: str) -> None:
    with pytest.raises(Malformed, match=words):
        Claim("c", ("0 <= 1",), **record)


@pytest.mark.parametrize("source", ["l <= \u2113", "x <= \U0001d431", "x \uff1c 1"])
def test_letters_that_look_alike_are_not_read_as_others(source: str) -> None:
    with pytest.raises(Malformed, match="plain letters"):
        Claim("c", (source,))


def test_a_keyword_in_forall_is_not_overlooked() -> None:
    with pytest.raises(Malformed, match="write forall"):
        Claim("c", ("0 <= 1",), ("forall(i, 1, 2, x >= 0, unless=3)",))


def test_a_point_of_no_weight_refutes_nothing_about_means() -> None:
    claim = Claim("c", ("mean(w, 1/X[w]) == 1",), ("mean(w, (X[w] - 1)**2) == 0",))
    with pytest.raises(Rejected, match="positive probabilities"):
        check_witness(claim, {"p_w": ["1", "0"], "X": ["1", "0"]})


def test_a_power_that_the_language_lacks_refutes_nothing() -> None:
    with pytest.raises(Rejected, match="no witness"):
        check_witness(Claim("c", ("x**(1/2) >= 0",), ("x >= 0",)), {"x": "1"})


def test_a_formula_that_is_nested_too_deeply_is_named() -> None:
    with pytest.raises(Malformed, match=r"nested too deeply|cannot read"):
        Claim("c", (" + ".join(["x"] * 5000) + " >= 0",))
