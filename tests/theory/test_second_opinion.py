"""What a second checker said is bound to the content of claim, certificate and citations."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from theory.ledger import second
from theory.ledger.recheck import recheck_json
from theory.ledger.records import Ledger
from theory.ledger.storage import LedgerError
from theory.project import project


@pytest.fixture(scope="module")
def ledger() -> Ledger:
    return project("potentials").judge(jobs=1)


def opinion(ledger: Ledger, printer: str | None = None) -> second.Opinion:
    return second.Opinion("Coq 8.16.1", printer or second.printer(), second.stamps(ledger.records))


def bare(ledger: Ledger) -> Ledger:
    return replace(ledger, header={k: v for k, v in ledger.header.items() if k != second.PART})


def test_what_was_accepted_stands_in_the_header(ledger: Ledger, tmp_path: Path) -> None:
    second.write(tmp_path / "coq.json", opinion(ledger))
    signed = second.signed(bare(ledger), tmp_path / "coq.json")
    assert set(second.accepted(signed).values()) == {"Coq 8.16.1"}
    assert second.accepted(signed).keys() == {record.key for record in ledger.records}
    assert second.accepted(second.signed(bare(ledger), tmp_path / "nothing.json")) == {}


def test_a_certificate_that_changed_loses_it_and_so_does_what_cites_it(ledger: Ledger) -> None:
    citing = next(record for record in ledger.records if record.judgement.cites)
    cited = ledger.by_key()[citing.judgement.cites[0]]
    certificate = {**(cited.evidence.certificate or {}), "goals": []}
    changed = replace(cited, evidence=replace(cited.evidence, certificate=certificate))
    records = tuple(changed if record is cited else record for record in ledger.records)
    held = second.matching({"Coq": second.stamps(ledger.records)}, records)["Coq"]
    assert cited.key not in held
    assert citing.key not in held
    assert len(held) >= 1


def test_another_printer_of_statements_loses_all(ledger: Ledger, tmp_path: Path) -> None:
    second.write(tmp_path / "coq.json", opinion(ledger, printer="another"))
    assert second.accepted(second.signed(bare(ledger), tmp_path / "coq.json")) == {}


def test_a_forged_entry_is_a_finding_and_is_not_shown(ledger: Ledger) -> None:
    key = ledger.records[0].key
    forged = replace(ledger, header={**ledger.header, second.PART: {"Coq 8.16.1": {key: "0" * 24}}})
    assert second.accepted(forged) == {}
    found = recheck_json(json.loads(json.dumps(forged.to_json())))
    assert [(one.key, one.path) for one in found.findings] == [(key, "header.second")]


def test_a_ledger_put_together_from_two_keeps_what_is_still_true(ledger: Ledger) -> None:
    own = second.stamps(ledger.records)
    first, *others = own
    headers = [{second.PART: {"Coq": {first: own[first]}}}, {second.PART: {"Coq": {others[0]: "old"}}}]
    assert second.carried(headers, ledger.records) == {second.PART: {"Coq": {first: own[first]}}}


def test_a_file_that_is_no_record_says_so(tmp_path: Path) -> None:
    (tmp_path / "coq.json").write_text("[]", encoding="utf-8")
    with pytest.raises(LedgerError, match="make coq"):
        second.read(tmp_path / "coq.json")
