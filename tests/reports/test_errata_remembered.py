"""Rows of the errata that are remembered: equal to what was judged, and forgotten when anything behind them changes."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from reports.errata.remembered import Rows, recalled
from tests.sada import SADA
from theory.ledger.memory import Memory
from theory.reading.errata import Change, Erratum, Severity, Source
from theory.reading.errata.rows import Repair, Shown
from theory.reading.errata.severity import Place

SHOWN = Shown(
    "k", "d", True, ("a<=b",), (), (("c", "1"),), "a<=b", {"a": "1/3", "b": 0}, "1", "0", "w", Place.INSIDE, ("x",)
)
ROW = Erratum(
    "slip", Severity.CONSTANT, next(iter(Source)), "lem:v-bound", "t",
    (3, 4), "words", computed=Severity.PEN, changes=(Change(3, "a", "b", "a", "b", "d", "a", "b"),), shown=(SHOWN,),
    repairs=(Repair("k", "repaired", ("a<=2",), (), (("c", "1"),), "PROVED", "w"),), blast_radius=(("s", "falls"),),
)  # fmt: skip
MADE: Rows = ((ROW, replace(ROW, id="other", computed=None, shown=(), repairs=())), ("nobody compared it",))


def refuse() -> Rows:
    raise AssertionError("made anew")


@pytest.fixture
def memory(tmp_path: Path) -> Memory:
    return Memory(tmp_path / "cache")


def ask(memory: Memory, *others: Path, made: Rows | None = None, seed: int = 0) -> Rows:
    return recalled(SADA, others, seed, memory, refuse if made is None else lambda: made)


def test_rows_are_remembered_as_they_were_made(memory: Memory) -> None:
    assert ask(memory, made=MADE) == MADE
    assert ask(memory) == MADE


def test_rows_are_made_anew_when_a_file_behind_them_changes_comes_or_goes(memory: Memory, tmp_path: Path) -> None:
    ledger, proofs = tmp_path / "ledger.json", tmp_path / "proofs"
    proofs.mkdir()
    ask(memory, ledger, proofs, made=MADE)
    assert ask(memory, ledger, proofs) == MADE
    for change in (
        lambda: ledger.write_text("{}"),
        lambda: ledger.write_text("[]"),
        lambda: (proofs / "a").write_text("1"),
        lambda: (proofs / "a").rename(proofs / "b"),
    ):
        change()
        with pytest.raises(AssertionError, match="made anew"):
            ask(memory, ledger, proofs)
        ask(memory, ledger, proofs, made=MADE)
    with pytest.raises(AssertionError, match="made anew"):
        ask(memory, ledger, proofs, seed=1)


def test_rows_that_somebody_edited_or_brought_along_are_as_good_as_none(memory: Memory, tmp_path: Path) -> None:
    ask(memory, made=MADE)
    (path,) = memory.folder.glob("errata-*.json")
    name, body, signature = json.loads(path.read_text())
    body[0][0]["severity"] = "pedantic"
    path.write_text(json.dumps([name, body, signature]))
    with pytest.raises(AssertionError, match="made anew"):
        ask(memory)
    ask(memory, made=MADE)
    other = Memory(tmp_path / "elsewhere")
    (other.folder / path.name).write_text(path.read_text())
    with pytest.raises(AssertionError, match="made anew"):
        ask(other)


def test_nothing_is_remembered_where_there_is_no_key() -> None:
    nowhere = Memory(Path("/dev/null/cache"))
    assert ask(nowhere, made=MADE) == MADE
    with pytest.raises(AssertionError, match="made anew"):
        ask(nowhere)
