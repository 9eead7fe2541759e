"""What the report is made from: nothing green that did not run, nothing that the kernel does not confirm."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from reports.site.content import NOT_RUN, Content, commit, gather, ran, stamp, verdict_name
from reports.site.findings import findings, gravity
from reports.site.papermap import Cell, cells
from tests.reports.small import claimed, content_of, without
from tests.sada import SADA, find, load
from tests.theory import standin
from theory.claims.statement import Faithfulness, Statement, statement, step
from theory.kernel import Verdict
from theory.ledger.judging import Ledger, check_all
from theory.reading.errata import Erratum, Repair, Severity, Shown, Source
from theory.reading.graph import Status
from theory.reading.paper import Paper


def test_a_whole_ledger_has_no_gap(content: Content) -> None:
    assert content.gaps.complete
    assert all(ran(record) for record in content.records)
    assert not content.odd


def test_what_did_not_run_is_there_and_is_not_green(ledger: Ledger) -> None:
    found = content_of(without(ledger, "lem:means"))
    assert found.gaps.absent == ("lem:means",)
    assert verdict_name(found.by_key["lem:means"]) == "NOT RUN"
    assert found.by_key["lem:means"].problem == NOT_RUN
    assert found.graph.node("lem:means").status is not Status.PROVED


def test_what_cites_something_that_did_not_run_is_not_green_either(ledger: Ledger) -> None:
    found = content_of(without(ledger, "lem:means"))
    assert found.graph.node("lem:user").status not in (Status.PROVED, Status.ALONE)
    assert "lem:user" in found.gaps.refused


def test_one_part_that_did_not_run_keeps_the_whole_statement_from_being_proved(ledger: Ledger) -> None:
    assert content_of(ledger).graph.node("lem:user").status is Status.PROVED
    found = content_of(without(ledger, "lem:user#power"))
    assert found.graph.node("lem:user").status is Status.UNDECIDED


def test_a_record_of_a_claim_that_has_changed_counts_as_not_run(ledger: Ledger) -> None:
    old = standin.BOUND.checks[0]
    changed = replace(old, claim=replace(old.claim, says=("x*(1-x) <= 1/6",)))
    statements: dict[str, Statement] = {
        **standin.STATEMENTS,
        "lem:bound": replace(standin.BOUND, checks=(changed, *standin.BOUND.checks[1:])),
    }
    found = content_of(ledger, statements)
    assert found.gaps.outdated == ("lem:bound",)
    assert not ran(found.by_key["lem:bound"])


def test_a_record_that_nobody_knows_is_left_out_and_named(ledger: Ledger) -> None:
    statements = {id_: one for id_, one in standin.STATEMENTS.items() if id_ != "lem:guess"}
    found = content_of(ledger, statements)
    assert found.gaps.strangers == ("lem:guess",)
    assert "lem:guess" not in found.by_key


@pytest.mark.parametrize(
    ("key", "verdict"),
    [("lem:bound", Verdict.PROVED), ("lem:guess", Verdict.PROVED), ("lem:means", Verdict.REFUTED)],
)
def test_a_ledger_that_lies_about_a_verdict_is_not_believed(ledger: Ledger, key: str, verdict: Verdict) -> None:
    found = content_of(claimed(ledger, key, verdict))
    assert key in found.gaps.refused
    assert found.by_key[key].verdict is Verdict.UNDECIDED
    assert not found.gaps.complete


def test_the_stamp_names_seed_and_versions(content: Content) -> None:
    told = stamp(content)
    assert told["seed"] == "0"
    assert told["flint"]
    assert told["commit"] == commit()


def test_every_display_has_one_cell_and_none_is_green_without_a_check(content: Content) -> None:
    found = cells(content)
    assert len(found) == 227
    assert {cell.cell for cell in found} <= {Cell.MISSING, Cell.NOTHING}


EXAMPLE = {"a": 1, "b": 2}
IDENTITY = standin.goals({"kind": "identity"})
RIGHT = step(
    "disp:767",
    1,
    "(a-b)**2 == a**2 - 2*a*b + b**2",
    example=EXAMPLE,
    proof=IDENTITY,
    faithfulness=Faithfulness.AS_PRINTED,
)
WRONG = step(
    "disp:767",
    2,
    "(a-b)**2 == a**2 - b**2",
    example=EXAMPLE,
    expect=Verdict.REFUTED,
    witness=EXAMPLE,
    faithfulness=Faithfulness.AS_PRINTED,
)
MENDED = step(
    "disp:767",
    "2/repaired",
    "(a-b)*(a+b) == a**2 - b**2",
    example=EXAMPLE,
    proof=IDENTITY,
    faithfulness=Faithfulness.TYPO,
    repairs="lem:A-inverse/disp:767.2",
)


def cell_of(monkeypatch: pytest.MonkeyPatch, *drafts: Any, lacking: str = "", needed: int = 1) -> Cell:
    """What becomes of disp:767 when these are its checks and it asserts so many relations."""
    standin.install(monkeypatch)
    one = statement("lem:A-inverse", *drafts)
    found = check_all(
        checks={c.key: c for c in one.checks}, owner={c.key: one.id for c in one.checks}.__getitem__, jobs=1
    )
    paper = load()
    displays = tuple(replace(d, relations=needed) if d.id == "disp:767" else d for d in paper.displays)
    made = gather(Paper(paper.statements, displays), without(found, lacking), {one.id: one})
    return {cell.id: cell.cell for cell in cells(made)}["disp:767"]


def test_a_cell_is_green_only_when_everything_in_it_is_proved(monkeypatch: pytest.MonkeyPatch) -> None:
    assert cell_of(monkeypatch, RIGHT) is Cell.PROVED
    assert cell_of(monkeypatch, RIGHT, needed=2) is Cell.PARTLY
    assert cell_of(monkeypatch, RIGHT, WRONG, needed=2) is Cell.REFUTED
    assert cell_of(monkeypatch, RIGHT, WRONG, MENDED, needed=2) is Cell.REPAIRED


def test_a_cell_whose_checks_did_not_run_is_never_green(monkeypatch: pytest.MonkeyPatch) -> None:
    assert cell_of(monkeypatch, RIGHT, WRONG, MENDED, lacking="lem:A-inverse/disp:767.1", needed=2) is Cell.NOT_RUN
    assert cell_of(monkeypatch, RIGHT, WRONG, MENDED, lacking="lem:A-inverse/disp:767.2", needed=2) is Cell.NOT_RUN
    lacking = "lem:A-inverse/disp:767.2/repaired"
    assert cell_of(monkeypatch, RIGHT, WRONG, MENDED, lacking=lacking, needed=2) is Cell.REFUTED


def erratum(key: str, kinds: tuple[str, ...], *, step: bool = False, radius: int = 0, repaired: bool = True) -> Erratum:
    repair = Repair(f"{key}/repaired", kinds[0], ("x <= 1",), (), (), "PROVED", "it is one")
    shown = Shown(key, "", step, ("x <= 0",), (), (), "", {"x": "1"}, "1", "0", "")
    return Erratum(
        id=key, severity=Severity.PEN, source=Source.KERNEL, statement=key, title=f"title of {key}", lines=(10,),
        words="", shown=(shown,), kinds=kinds, repairs=(repair,) if repaired else (), statement_fate="survives",
        blast_radius=tuple((f"s{i}", "survives") for i in range(radius)), last_line=12,
    )  # fmt: skip


def test_a_false_lemma_outranks_an_algorithm_a_constant_and_a_typo() -> None:
    given = [erratum(k, (k,)) for k in ("TYPO", "CONSTANT", "ALGORITHM", "EXTRA_HYPOTHESIS", "WEAKER")]
    ranked = [f.erratum.key for f in findings(given, {})]
    assert ranked == ["WEAKER", "EXTRA_HYPOTHESIS", "ALGORITHM", "CONSTANT", "TYPO"]


def test_what_more_rests_on_outranks_its_equals_and_a_step_weighs_less() -> None:
    wide, narrow = erratum("wide", ("TYPO",), radius=9), erratum("narrow", ("TYPO",))
    step = erratum("step", ("WEAKER",), step=True)
    assert [f.erratum.key for f in findings([narrow, wide, step], {})] == ["wide", "step", "narrow"]


def test_a_theorem_outranks_a_lemma_and_a_remark_comes_after_it() -> None:
    given = [erratum(k, ("CONSTANT",)) for k in ("remark", "lemma", "theorem")]
    assert [f.erratum.key for f in findings(given, {k: k for k in ("remark", "lemma", "theorem")})] == [
        "theorem",
        "lemma",
        "remark",
    ]


def test_each_statement_is_named_once_with_the_number_of_its_other_errata() -> None:
    same = [replace(erratum(k, ("TYPO",)), statement="s") for k in ("a", "b", "c")]
    found = findings(same, {})
    assert len(found) == 1
    assert found[0].others == 2


def test_a_finding_is_a_sentence_with_its_place_and_its_repair() -> None:
    told = findings([erratum("k", ("CONSTANT",), radius=2)], {})[0].sentence
    for part in ("Title of k", "lines 10-12", "a wrong constant or factor", "x = 1", "it is one", "2 later statements"):
        assert part in told, part
    assert gravity(erratum("k", ("TYPO",), step=True, repaired=False)) == 2
    assert "No repair is proved" in findings([erratum("k", ("WEAKER",), repaired=False)], {})[0].sentence


def test_what_we_tell_first_rests_on_refuted_checks_of_the_registry() -> None:
    assert len(SADA.highlights) == 10
    for key in SADA.highlights:
        assert find(key).expect is Verdict.REFUTED, key


def test_what_we_chose_comes_first_and_only_while_it_is_refuted() -> None:
    given = [erratum("a", ("CONSTANT",)), erratum("b", ("WEAKER",))]
    told = findings(given, {}, chosen={"a": "A is wrong.", "gone": "No longer."})
    assert [f.erratum.key for f in told] == ["a", "b"]
    assert told[0].sentence.startswith("A is wrong.")


def test_what_no_refuted_check_shows_is_no_finding() -> None:
    read = replace(erratum("read", ("WEAKER",)), shown=(), kinds=(), source=Source.DETECTOR)
    assert [f.erratum.key for f in findings([read, erratum("shown", ("TYPO",))], {})] == ["shown"]
