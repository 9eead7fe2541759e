"""The rows of the errata: one a slip, severity computed, nothing left out, no witness outside the context unnoticed."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

import pytest

from tests.sada import SADA, checks, shipped
from tests.theory import standin
from theory.claims.files import ProjectError
from theory.claims.statement import Faithfulness, Kind
from theory.detectors.registry import detect
from theory.kernel import Verdict
from theory.ledger.judging import check_all
from theory.ledger.records import Record
from theory.ledger.stands import labelled
from theory.reading.errata import Erratum, Finding, Severity, Slip, Slips, Source, errata, from_findings, read_slips
from theory.reading.errata.severity import Place, computed, place_of
from theory.reading.errata.slips import Edit

SLIPS = SADA.slips


@cache
def rows() -> tuple[Erratum, ...]:
    ledger = shipped()
    assert ledger is not None
    return errata(SADA.paper, ledger.records, SLIPS, SADA.context)


@cache
def small() -> tuple[Record, ...]:
    patch = pytest.MonkeyPatch()
    try:
        standin.install(patch)
        return check_all(checks=standin.CHECKS, owner=standin.OWNERS.__getitem__, jobs=1).records
    finally:
        patch.undo()


def wrong() -> list[Record]:
    return [r for r in labelled(small()) if r.verdict is Verdict.REFUTED and r.kind in (Kind.PRINTED, Kind.STEP)]


def slip(**fields: object) -> Slip:
    given: dict[str, object] = {"id": "s", "statement": wrong()[0].statement, "line": 7, "words": "wrong"}
    return Slip(**{**given, **fields})  # type: ignore[arg-type]


# --- the paper -------------------------------------------------------------------------------------------------------


def test_every_refuted_reading_and_step_of_print_belongs_to_exactly_one_slip() -> None:
    named = [key for row in SLIPS.rows for key in row.checks]
    assert [key for key, count in Counter(named).items() if count > 1] == []
    printed = {
        key
        for key, check in checks().items()
        if check.expect is Verdict.REFUTED
        and check.kind in (Kind.PRINTED, Kind.STEP)
        and not check.repairs
        and check.faithfulness is not Faithfulness.OURS
    }
    assert printed - set(named) == set(), "refuted checks that no slip names: give them a row, or add them to one"
    assert set(named) - printed == set(), "slips name checks that are not refuted: take them out"


def test_every_slip_concerns_a_statement_of_the_paper_and_every_name_is_its_own() -> None:
    known = {one.id for one in SADA.paper.statements}
    assert [row.id for row in SLIPS.rows if row.statement not in known] == []
    assert len({row.id for row in SLIPS.rows}) == len(SLIPS.rows)


def test_a_slip_that_recurs_is_one_row() -> None:
    by_id = {row.id: row for row in rows()}
    assert by_id["sign-of-c"].lines == (745, 752)
    assert len(by_id["weight-of-the-bias-energy"].shown) == 4
    assert len(by_id["fixed-point-of-the-recursion"].shown) == 2  # by a step and by a derivation
    assert len(by_id["delta-for-eta"].lines) == 8
    assert len(rows()) == len(SLIPS.rows)


def test_almost_every_row_has_a_correction_in_latex() -> None:
    without = [row.id for row in rows() if not row.changes]
    assert without == ["letters-with-two-meanings", "angle-called-theta"]


def test_where_no_witness_inside_the_standing_context_is_known_the_row_says_so() -> None:
    outside = {row.id: row.severity for row in rows() if row.place is Place.OUTSIDE}
    assert outside == {
        "delta-for-eta": Severity.PEN,
        "power-bound-needs-small-q": Severity.HYPOTHESIS,
        "recursion-needs-small-theta": Severity.HYPOTHESIS,
    }
    for row in rows():
        assert row.place is not Place.OUTSIDE or all(one.broken for one in row.shown if one.witness)


def test_what_only_does_not_follow_is_not_called_false() -> None:
    by_id = {row.id: row for row in rows()}
    assert "Whether the printed bound is false is open" in by_id["stray-L-before-trace-Q"].words
    assert "are true all the same" in by_id["constants-of-the-theorem"].words
    argued = [one.key for row in rows() for one in row.shown if checks()[one.key].argument]
    erm = [f"thm:erm-excess-risk/disp:{line}.radius" for line in (1982, 1985)]
    assert "Whether the printed constants are false is open" in by_id["square-of-the-radius"].words
    assert sorted(argued) == ["lem:v-bound", *erm, "thm:full-glm"]


def test_what_a_person_says_against_the_computed_severity_has_a_reason() -> None:
    for row in rows():
        assert bool(row.because) == (row.computed is not row.severity) or row.because, row.id
    changed = {row.id for row in rows() if row.shown and row.computed is not row.severity}
    assert changed <= {one.id for one in SLIPS.rows if one.because}


def test_the_worst_rows_are_those_that_kill_a_statement() -> None:
    killed = {row.statement for row in rows() if row.severity is Severity.KILLS}
    assert killed == {
        *("lem:L-var-monotone", "lem:outer-one-step", "lem:rademacher", "rem:hyperparameters"),
        *("alg:sada-wc", "alg:sada-ud"),
    }


def test_printed_fragments_stand_in_the_displays_of_the_paper_token_by_token() -> None:
    changes = [change for row in rows() for change in row.changes if change.display]
    lacking = [(change.display, change.tex) for change in changes if not change.whole]
    assert lacking == []
    assert len(changes) >= 108
    for change in changes:
        assert change.whole != change.formula


# --- by hand ---------------------------------------------------------------------------------------------------------


def test_a_refuted_check_that_no_slip_names_is_a_row_of_its_own() -> None:
    found = errata(SADA.paper, small())
    assert {row.id for row in found} == {record.key for record in wrong()}
    assert all(row.source is Source.KERNEL and row.shown for row in found)


def test_a_slip_whose_checks_are_no_longer_refuted_is_no_erratum() -> None:
    named = slip(checks=("lem:gone",))
    assert "s" not in {row.id for row in errata(SADA.paper, small(), Slips((named,)))}


def test_a_slip_without_checks_says_that_it_was_found_by_reading() -> None:
    (row,) = [row for row in errata(SADA.paper, small(), Slips((slip(),))) if row.id == "s"]
    assert row.source is Source.READING
    assert row.severity is Severity.PEN
    assert row.place is None


def test_one_slip_takes_its_checks_together() -> None:
    keys = tuple(record.key for record in wrong())
    found = errata(SADA.paper, small(), Slips((slip(checks=keys),)))
    assert [row.id for row in found] == ["s"]
    assert found[0].keys == keys


KINDS = {
    Faithfulness.TYPO: Severity.PEN,
    Faithfulness.CONSTANT: Severity.CONSTANT,
    Faithfulness.EXTRA_HYPOTHESIS: Severity.HYPOTHESIS,
    Faithfulness.WEAKER: Severity.KILLS,
    Faithfulness.ALGORITHM: Severity.KILLS,
}


def repaired_by(kind: Faithfulness) -> Record:
    proved = next(record for record in small() if record.verdict is Verdict.PROVED)
    return replace(proved, faithfulness=kind)


@pytest.mark.parametrize("kind", KINDS)
def test_severity_is_computed_from_the_kind_of_the_repair(kind: Faithfulness) -> None:
    (record, *_) = wrong()
    assert computed([(record, (repaired_by(kind),), Place.INSIDE)]) is KINDS[kind]


def test_a_statement_without_a_proved_repair_is_killed_and_an_argument_that_fails_is_not() -> None:
    record = next(r for r in wrong() if r.kind is Kind.PRINTED)
    assert computed([(record, (), Place.INSIDE)]) is Severity.KILLS
    undecided = replace(repaired_by(Faithfulness.TYPO), judgement=record.judgement)
    assert computed([(record, (undecided,), Place.INSIDE)]) is Severity.KILLS
    assert computed([(replace(record, argument=True), (), Place.INSIDE)]) is Severity.CONSTANT


def test_what_fails_outside_the_standing_context_only_needs_a_hypothesis_at_most() -> None:
    (record, *_) = wrong()
    for kind in (Faithfulness.WEAKER, Faithfulness.CONSTANT):
        assert computed([(record, (repaired_by(kind),), Place.OUTSIDE)]) is Severity.HYPOTHESIS
    assert computed([(record, (repaired_by(Faithfulness.TYPO),), Place.OUTSIDE)]) is Severity.PEN


@dataclass(frozen=True)
class Fixed:
    hypothesis: str
    line: int = 1
    words: str = "as fixed"
    last: int = 100


def test_a_witness_is_inside_outside_or_free_of_the_context_by_exact_evaluation() -> None:
    claim = checks()["lem:A-inverse"].claim
    point = {"c": "1/2", "eta": "1", "lam": "1", "q": "1"}
    assert place_of(claim, point, 50, [Fixed("eta*lam <= 1")]) == (Place.INSIDE, ())
    assert place_of(claim, point, 50, [Fixed("eta*lam < 1")]) == (Place.OUTSIDE, ("as fixed",))
    assert place_of(claim, point, 50, [Fixed("other <= 1")]) == (Place.FREE, ())
    assert place_of(claim, point, 101, [Fixed("eta*lam < 1")]) == (Place.FREE, ())


# --- bad files -------------------------------------------------------------------------------------------------------

GOOD = 'id = "a"\nstatement = "lem:x"\nwords = "w"\n'


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("[[slip]]\n" + GOOD, "edits or a line"),
        ("[[slip]]\n" + GOOD + "line = 3\nlinea = 4\n", "'linea' is no field"),
        ("[[slip]]\n" + GOOD + 'line = 3\nseverity = "awful"\nbecause = "x"\n', "'awful' is no severity"),
        ("[[slip]]\n" + GOOD + 'line = 3\nseverity = "pedantic"\n', "needs a reason"),
        ("[[slip]]\n" + GOOD + "edits = [[3, 'x', 'x']]\n", "are the same"),
        ("[[slip]]\n" + GOOD + "line = 3\n[[slip]]\n" + GOOD + "line = 4\n", "two slips have the id 'a'"),
        ("[[slip]\n", "cannot be read"),
    ],
)
def test_a_bad_file_is_refused_with_the_name_of_the_slip(tmp_path: Path, text: str, told: str) -> None:
    file = tmp_path / "errata.toml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(ProjectError, match=told):
        read_slips(file)


def test_a_project_without_the_file_has_no_slips(tmp_path: Path) -> None:
    assert read_slips(tmp_path / "errata.toml").rows == ()


# --- findings of detectors -------------------------------------------------------------------------------------------

SLIP = Slip("s", "lem:bound", 5, "w", (Edit(5, "x+y", "x-y"),))


def test_a_finding_at_the_place_of_a_row_confirms_it_and_elsewhere_is_a_row_of_its_own() -> None:
    given = errata(SADA.paper, (), Slips((SLIP,)))
    there = Finding("names", "bound-twice", "line:5", 5, Severity.PEN, "bound twice", "x+y")
    away = Finding(
        "sizes", "compared", "line:6", 6, Severity.PEN, "a vector and a matrix", r"\mathbf{x}", r"\mathbf{X}"
    )
    found = from_findings([there, there, away], given)
    assert [(row.id, row.confirmed) for row in found] == [("s", ("names",)), ("compared@6", ("sizes",))]
    assert (found[1].changes[0].tex, found[1].changes[0].corrected_tex) == (r"\mathbf{x}", r"\mathbf{X}")
    assert found[1].source is Source.DETECTOR
    other = replace(there, printed="z")
    assert [row.id for row in from_findings([other], given)] == ["bound-twice@5", "s"]


def test_a_detector_with_false_alarms_confirms_rows_and_makes_none() -> None:
    given = errata(SADA.paper, (), Slips((SLIP,)))
    alarms = [Finding("homogeneity", "units", "disp:4", 4, Severity.PEN, "w", last=6, sure=False)]
    alarms.append(replace(alarms[0], line=40, last=60))
    found = from_findings(alarms, given)
    assert [(row.id, row.confirmed) for row in found] == [("s", ("homogeneity",))]


def test_a_row_that_names_a_finding_takes_it_wherever_it_stands_and_is_found_by_machine_then() -> None:
    given = errata(SADA.paper, (), Slips((replace(SLIP, found=("gap@77",)),)))
    (row,) = from_findings([Finding("cases", "gap", "line:77", 77, Severity.PEN, "w", "z>1")], given)
    assert (given[0].source, row.source, row.confirmed) == (Source.READING, Source.DETECTOR, ("cases",))


def test_a_finding_is_named_by_one_row_only(tmp_path: Path) -> None:
    file = tmp_path / "errata.toml"
    row = '[[slip]]\nid = "{}"\nstatement = "s"\nwords = "w"\nline = 3\nfound = ["gap@3"]\n'
    file.write_text(row.format("a") + row.format("b"), encoding="utf-8")
    with pytest.raises(ProjectError, match="two slips have the finding 'gap@3'"):
        read_slips(file)


def test_every_finding_of_the_paper_is_named_by_a_row_and_every_name_is_a_finding() -> None:
    """Nothing that a detector is sure of is left out of the errata, and no row claims a finding that is gone."""
    listed = detect(SADA)
    named = {name for slip in SADA.slips.rows for name in slip.found}
    assert sorted({one.id for one in listed if one.sure} - named) == []
    assert sorted(named - {one.id for one in listed}) == []
