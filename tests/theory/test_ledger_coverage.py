"""Coverage: what asserts something is accounted for by checks only."""

from __future__ import annotations

from typing import Any

import pytest

from tests.theory.small_paper import display, paper, printed
from theory.claims.statement import Faithfulness, Statement, repaired, statement, step
from theory.claims.statement import printed as reading
from theory.kernel import Verdict
from theory.reading.coverage import Cover, Coverage, Item, coverage
from theory.reading.paper import Role

STEP = {"example": {"x": 1}}


def covered(*ours: Statement, role: Role = Role.STEP, relations: int = 2) -> Coverage:
    shown = display("disp:7", 7, role, relations, ("disp:9",) if role is Role.RESTATED else ())
    whole = paper(
        printed("lem:a", 1),
        displays=(shown, display("disp:9", 9, Role.STATEMENT, 1)),
    )
    return coverage(whole, {one.id: one for one in ours})


def of(found: Coverage, id_: str) -> Cover:
    return {item.id: item.cover for item in (*found.statements, *found.displays)}[id_]


def test_each_relation_of_a_display_needs_its_check() -> None:
    one = statement("lem:a", step("disp:7", 1, "x**2 >= 0", **STEP, faithfulness=Faithfulness.AS_PRINTED))
    two = statement(
        "lem:a",
        step("disp:7", 1, "x**2 >= 0", **STEP, faithfulness=Faithfulness.AS_PRINTED),
        step("disp:7", 2, "x >= x", **STEP, faithfulness=Faithfulness.AS_PRINTED),
    )
    assert of(covered(one), "disp:7") is Cover.PARTLY
    assert of(covered(two), "disp:7") is Cover.CHECKED
    assert of(covered(), "disp:7") is Cover.MISSING


def test_a_check_of_two_relations_counts_twice() -> None:
    assert (
        of(
            covered(
                statement(
                    "lem:a", step("disp:7", 1, ["x**2 >= 0", "x >= x"], **STEP, faithfulness=Faithfulness.AS_PRINTED)
                )
            ),
            "disp:7",
        )
        is Cover.CHECKED
    )


def test_what_is_true_instead_does_not_count_as_what_is_printed() -> None:
    wrong = step("disp:7", 1, "x >= 1", expect=Verdict.REFUTED, **STEP, faithfulness=Faithfulness.AS_PRINTED)
    instead = step("disp:7", "1/repaired", "x >= x", faithfulness=Faithfulness.TYPO, repairs="lem:a/disp:7.1", **STEP)
    found = covered(statement("lem:a", wrong, instead))
    assert of(found, "disp:7") is Cover.PARTLY
    assert next(item for item in found.displays if item.id == "disp:7").checks == 2


@pytest.mark.parametrize("links", [("by-hand",), ()])
def test_a_refuted_reading_has_the_links_of_its_best_repair(links: tuple[str, ...]) -> None:
    wrong = reading(
        "x >= 1", expect=Verdict.REFUTED, links=("of-the-witness",), **STEP, faithfulness=Faithfulness.AS_PRINTED
    )
    linked = repaired("x >= x", **STEP, links=("by-hand",), faithfulness=Faithfulness.TYPO)
    best = repaired("x >= x", part="best", repairs="lem:a", **STEP, links=links, faithfulness=Faithfulness.TYPO)
    item = next(one for one in covered(statement("lem:a", wrong, linked, best)).statements)
    assert item.links == links


def test_a_witness_needs_no_link() -> None:
    wrong = reading("x >= 1", expect=Verdict.REFUTED, links=("by-hand",), **STEP, faithfulness=Faithfulness.AS_PRINTED)
    assert next(one for one in covered(statement("lem:a", wrong)).statements).links == ()


def test_what_is_cited_or_false_without_anything_true_instead_is_not_settled() -> None:
    def items(*readings: Any) -> dict[str, Item]:
        return {item.id: item for item in covered(statement("lem:a", *readings)).displays}

    said: dict[str, Any] = {**STEP, "faithfulness": Faithfulness.AS_PRINTED}
    cited = step("disp:7", 1, "x**2 >= 0", expect=Verdict.CITED, **said)
    wrong = step("disp:7", 2, "x >= 1", expect=Verdict.REFUTED, **said)
    instead = step("disp:7", "2/repaired", "x >= x", faithfulness=Faithfulness.TYPO, repairs="lem:a/disp:7.2", **STEP)
    assert items(cited, wrong)["disp:7"].open == ("lem:a/disp:7.1: CITED", "lem:a/disp:7.2: REFUTED")
    assert items(cited, wrong, instead)["disp:7"].open == ("lem:a/disp:7.1: CITED",)
    found = covered(statement("lem:a", cited)).labels()["displays"]
    assert (found["every size, no link"], found["open"]) == (0, 1)


def test_the_repair_of_a_whole_reading_is_one_of_the_steps_of_its_display_too() -> None:
    said: dict[str, Any] = {**STEP, "faithfulness": Faithfulness.AS_PRINTED, "expect": Verdict.REFUTED}
    mended: dict[str, Any] = {**STEP, "faithfulness": Faithfulness.TYPO}
    wrong = (reading("x >= 1", display="disp:7", **said), step("disp:7", 1, "x >= 2", **said))
    case = step("disp:7", "1/repaired", "x >= x", repairs="lem:a/disp:7.1", links=("hand",), **mended)
    for links, left in (((), ()), (("hand",), ("hand",))):
        whole = repaired("x >= x", display="disp:7", links=links, **mended)
        found = covered(statement("lem:a", *wrong, whole, case))
        assert next(item for item in found.displays if item.id == "disp:7").links == left


def test_a_remark_does_not_account_for_what_asserts_something() -> None:
    ours = statement(
        "lem:a", reading("x**2 >= 0", **STEP, faithfulness=Faithfulness.AS_PRINTED), accounts={"disp:7": "obvious"}
    )
    assert of(covered(ours), "disp:7") is Cover.MISSING
    assert of(covered(ours, role=Role.DEFINITION, relations=0), "disp:7") is Cover.NOTHING_TO_CHECK


def test_a_definition_without_a_reason_is_missing() -> None:
    assert of(covered(role=Role.DEFINITION, relations=0), "disp:7") is Cover.MISSING


@pytest.mark.parametrize("origin_is_checked", [True, False])
def test_a_repetition_is_as_good_as_what_it_repeats(origin_is_checked: bool) -> None:
    drafts = [reading("x**2 >= 0", **STEP, faithfulness=Faithfulness.AS_PRINTED)] + (
        [step("disp:9", 1, "x >= x", **STEP, faithfulness=Faithfulness.AS_PRINTED)] if origin_is_checked else []
    )
    ours = statement("lem:a", *drafts, accounts={"disp:7": "repeats disp:9"})
    expected = Cover.RESTATED if origin_is_checked else Cover.MISSING
    assert of(covered(ours, role=Role.RESTATED), "disp:7") is expected


def test_a_statement_needs_a_printed_reading() -> None:
    assert (
        of(
            covered(statement("lem:a", step("disp:7", 1, "x >= x", **STEP, faithfulness=Faithfulness.AS_PRINTED))),
            "lem:a",
        )
        is Cover.MISSING
    )
    assert (
        of(covered(statement("lem:a", reading("x >= x", **STEP, faithfulness=Faithfulness.AS_PRINTED))), "lem:a")
        is Cover.CHECKED
    )


def test_what_is_missing_is_listed_by_section_and_spoils_completeness() -> None:
    found = covered(statement("lem:a", reading("x >= x", **STEP, faithfulness=Faithfulness.AS_PRINTED)))
    assert [item.id for item in found.missing()["Two"]] == ["disp:7", "disp:9"]
    assert not found.complete
    whole = statement(
        "lem:a",
        reading("x >= x", **STEP, faithfulness=Faithfulness.AS_PRINTED),
        step("disp:7", 1, ["x >= x", "x <= x"], **STEP, faithfulness=Faithfulness.AS_PRINTED),
        step("disp:9", 1, "x == x", **STEP, faithfulness=Faithfulness.AS_PRINTED),
    )
    assert covered(whole).complete
    assert covered(whole).counts()["displays"]["accounted"] == 2


def test_the_whole_paper_is_compared() -> None:
    from tests.sada import load

    found = coverage(load(), {})
    assert (len(found.statements), len(found.displays)) == (68, 227)
    assert found.counts()["displays"]["MISSING"] == 227
