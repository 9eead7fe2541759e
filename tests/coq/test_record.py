"""The record of what Coq accepted that ships with each paper, and what README says of it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from reports.cli import main
from theory.kernel import Verdict
from theory.ledger import second, store
from theory.project import project, shipped

README = Path(__file__).resolve().parents[2] / "README.md"


def counts(name: str) -> tuple[int, int]:
    """How many of the proofs and refutations that ship Coq accepted as they stand, and how many there are."""
    paper = project(name)
    records = store.read_all(paper.file("proofs")).values()
    settled = {r.key for r in records if r.verdict in (Verdict.PROVED, Verdict.REFUTED)}
    opinion = second.read(paper.file("coq"))
    held = second.matching({opinion.checker: opinion.accepted}, records).get(opinion.checker, {})
    return len(settled & held.keys()), len(settled)


@pytest.mark.parametrize("name", shipped())
def test_the_record_was_made_with_the_statements_that_are_printed_now(name: str) -> None:
    opinion = second.read(project(name).file("coq"))
    assert opinion.printer == second.printer(), "what a theorem says has changed: run `make coq` and ship its record"
    assert not opinion.accepted.keys() & opinion.reasons.keys()


def test_the_files_that_the_record_does_not_depend_on_hold_lemmas_and_nothing_else() -> None:
    """A definition, a notation or a coercion there could change what a theorem says."""
    for name in second.LEMMAS:
        text = re.sub(r"\(\*.*?\*\)", "", (second.PRINTERS / name).read_text(encoding="utf-8"), flags=re.DOTALL)
        text = re.sub(r"\bProof\..*?\bQed\.", "", text, flags=re.DOTALL)
        sentences = [one.split()[0] for one in re.split(r"\.(?=\s)", text) if one.strip()]
        assert set(sentences) <= {"Require", "Lemma", "Theorem"}, name


def test_a_run_keeps_what_an_earlier_one_accepted_of_the_same_check_printed_in_the_same_way(tmp_path: Path) -> None:
    path = tmp_path / "coq.json"
    assert second.earlier(path, "now", {"a": "1"}) == {}
    second.write(path, second.Opinion("Coq 8", "now", {"a": "1", "b": "2", "c": "3"}))
    assert second.earlier(path, "now", {"a": "1", "b": "another"}) == {"Coq 8": {"a": "1"}}
    assert second.earlier(path, "printed otherwise", {"a": "1"}) == {}


def test_show_says_who_else_accepted_a_proof() -> None:
    done = CliRunner().invoke(main, ["--paper", "potentials", "show", "lem:averaging"])
    assert done.exit_code == 0, done.output
    assert "also      accepted by Coq 8.16.1" in done.output


@pytest.mark.parametrize("name", shipped())
def test_readme_says_what_the_record_says(name: str) -> None:
    accepted, every = counts(name)
    assert accepted <= every
    assert f"{accepted} of the {every} proofs and refutations of `{name}`" in README.read_text(encoding="utf-8")
