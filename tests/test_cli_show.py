"""`lemmalab show` of the main theorem: the page that a referee reads."""

from __future__ import annotations

import pytest

from reports.cli.below import chain_lines
from reports.cli.show import in_letters
from reports.cli.sources import Sources
from reports.sada.sources import GROUPS, SOURCES
from tests.cli_lab import Lab, lab
from tests.sada import SADA, checks, load
from theory.ledger.archive import load as load_ledger

__all__ = ["lab"]
READINGS = (
    "/repaired", "/repaired#as the paper argues", "/sharper#the algorithm as printed", "/sharper#our algorithm",
)  # fmt: skip


@pytest.mark.parametrize("reading", READINGS)
def test_every_hypothesis_of_the_theorem_has_a_source(reading: str) -> None:
    claim = checks()[f"thm:full-glm{reading}"].claim
    assert SOURCES.know(claim)
    shown = list(SOURCES.given(claim))
    assert sorted(one.strip() for one in shown if one.startswith("  ")) == sorted(claim.given)


def test_every_source_that_names_a_statement_names_one_of_the_paper() -> None:
    known = {one.id for one in load().statements}
    named = {":".join(words.split(":")[:2]) for words, _ in GROUPS if words.startswith(("ass:", "rem:"))}
    assert named
    assert named <= known


def test_a_claim_with_a_hypothesis_of_unknown_source_is_shown_as_it_is() -> None:
    claim = checks()["lem:A-power-bound"].claim
    assert tuple(SOURCES.given(claim)) == tuple(Sources().given(claim)) == tuple(claim.given)
    assert not SOURCES.read(claim)


def test_a_claim_is_shown_in_the_letters_of_the_paper() -> None:
    (line,) = in_letters(checks()["thm:full-glm/repaired"].claim, SADA)
    assert r"\frac{46080 \alpha \operatorname{tr}\left(\boldsymbol{\Sigma}^{-1} \mathbf{Q}\right)}{L_\ell K T}" in line
    assert not {"Ll", "kt", "X[", "top"} & set(line.replace("{", " ").split())


def test_a_statement_of_which_only_a_repair_was_judged_gets_no_status(lab: Lab) -> None:
    assert "status of lem:means as printed: proved" in lab.run("show", "lem:means").stdout
    only = lab.run("show", "lem:bound/repaired").stdout
    assert "status of lem:bound as printed: not judged in this run" in only


def test_the_claims_below_are_listed_with_their_verdicts(lab: Lab) -> None:
    lab.run("check")
    found = load_ledger(lab.folder / "ledger.json")
    head, line = chain_lines(found.by_key()["lem:user"], found)
    assert head.startswith("rests on 1 claim,")
    assert line.split()[:2] == ["lem:means", "PROVED"]
    assert not list(chain_lines(found.by_key()["lem:means"], found))
