"""Our own checks: what falls when a claim below breaks, and which checks prove nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from theory.claims.statement import Check, Faithfulness
from theory.claims.statement import Kind as Of
from theory.kernel import Claim, Evidence, Verdict
from theory.mutants.tautologies import Empty, Kind, empties, with_fresh_names
from theory.mutants.through import EMPTY, FALSE, Held, breaks, by_hand, closure, emptied, falsified
from theory.project import project

LEMMAS = """
from theory import lemma
from theory.provers.tactics import auto, cite

square = lemma("x**2 + y**2 >= 2*x*y")
used = lemma("a**2 + b**2 + c**2 + d**2 >= 2*a*b + 2*c*d",
             proof=cite("square", {"x": "a", "y": "b"}, then=cite("square", {"x": "c", "y": "d"}, then=auto())))
disguise = lemma("a**2 + 1 >= 1", proof=cite("square", {"x": "a", "y": "1"}, then=auto()))
"""


@pytest.fixture(scope="module")
def held(tmp_path_factory: pytest.TempPathFactory) -> tuple[dict[str, Held], dict[str, Claim]]:
    path: Path = tmp_path_factory.mktemp("lemmas") / "mine.py"
    path.write_text(LEMMAS, encoding="utf-8")
    one = project(path)
    records = one.judge(jobs=1).records
    assert {r.key: r.verdict.name for r in records} == dict.fromkeys(("square", "used", "disguise"), "PROVED")
    return {r.key: Held(r.claim, r.evidence, r.judgement.cites) for r in records}, dict(one.library)


def test_what_uses_a_broken_claim_falls_and_what_only_cites_it_survives(
    held: tuple[dict[str, Held], dict[str, Claim]],
) -> None:
    known, library = held
    assert closure(["used", "disguise"], known) == ["square"]
    found = {one.how: one for one in breaks(["used", "disguise"], known, library)}
    assert "used" in found[EMPTY].fallen
    assert found[EMPTY].stands == ("disguise",)
    assert set(found[FALSE].fallen) == {"square", "used", "disguise"}


def test_a_claim_made_empty_is_true_and_one_made_false_is_not() -> None:
    claim = Claim("one", ("x <= y", "x < y + 1", "x == x"), ("x <= y",))
    assert len(emptied(claim).goals) == len(falsified(claim).goals) == 3
    assert emptied(claim).says[0] == "(x) - (y) <= (x) - (y)"
    assert falsified(claim).says[0] == "(x) - (y) + 1 <= (x) - (y)"


def test_links_by_hand_are_what_print_cites_and_no_proof_does() -> None:
    uses = {"thm": ("lem:a", "ass"), "lem:a": ("lem:b",), "lem:b": ()}
    kinds = {"thm": "theorem", "lem:a": "lemma", "lem:b": "lemma", "ass": "assumption"}
    assert by_hand("thm", uses, ["lem:a"], kinds) == ["lem:b"]


def of(says: str, *given: str, printed: str = "", certificate: dict[str, object] | None = None) -> list[Empty]:
    claim = Claim("one", (says,), given)
    check = Check(claim, Of.STEP, Verdict.PROVED, Faithfulness.AS_PRINTED)
    return list(empties(check, Evidence(certificate=certificate), {}, printed))


def test_a_goal_that_is_a_hypothesis_is_a_tautology() -> None:
    assert [one.kind for one in of("x <= y", "y >= x")] == [Kind.HYPOTHESIS]
    assert [one.kind for one in of("x <= y", "x == y")] == [Kind.HYPOTHESIS]
    assert of("x <= y", "x < y + 1") == []


def test_a_goal_with_one_formula_on_both_sides_is_a_tautology() -> None:
    assert [one.kind for one in of("x*y == x*y")] == [Kind.SAME]


def test_numbers_where_print_has_matrices_are_a_shadow() -> None:
    assert [one.kind for one in of("x*y <= z", "x <= 1", printed=r"\mathbf{A}\preceq z\mathbf{I}")] == [Kind.NUMBERS]
    assert of("sum(i, 1, n, v[i]**2) <= z", "z >= 1", printed=r"\|\mathbf{v}\|^2\leq z") == []


def test_a_proof_that_stands_with_fresh_names_is_a_shadow() -> None:
    says, given = "2*mean(w, X[w]) <= 2*b", ("mean(w, X[w]) <= b",)
    claim = Claim("one", (says,), given)
    other = with_fresh_names(claim)
    assert other is not None
    assert other.says == ("2*object1 <= 2*b",)
    from theory.provers import driver

    certificate = driver.certify(claim, {}, driver.normal(), None)
    assert Kind.FRESH in [one.kind for one in of(says, *given, certificate=certificate)]


def test_an_object_that_the_proof_opens_is_no_shadow() -> None:
    from theory.provers import driver

    claim = Claim("one", ("mean(w, X[w]**2) >= 0",))
    certificate = driver.certify(claim, {}, driver.normal(), None)
    assert Kind.FRESH not in [one.kind for one in of(claim.says[0], certificate=certificate)]
