"""Detectors over print: what is planted is found, and what is right is left alone."""

from __future__ import annotations

import shutil
from collections import Counter
from pathlib import Path

import pytest

from tests.detectors.papers import PAPER, PLANTS, made, with_slip
from tests.detectors.slips import RULES, plants
from theory.detectors.names import _is_known
from theory.detectors.registry import DETECTORS, detect
from theory.detectors.scan import introduced, names
from theory.detectors.text import PROSE, Block, Text, skeleton, text_of
from theory.project import project
from theory.reading.errata import Finding

SADA = project("sada")
MOST = 2  # slips of each kind in the real paper
# what a person who read the paper beside these findings agrees with
KNOWN = [
    ("sizes", "line:392"), ("sizes", "disp:396"), ("sizes", "disp:919"), ("sizes", "disp:1230"), ("sizes", "disp:1888"),
    ("names", "disp:1109"), ("names", "disp:783"), ("names", "disp:1596"), ("names", "disp:1831"),
    ("names", "disp:2191"), ("cases", "line:855"), ("citations", "disp:1454"), ("citations", "disp:1507"),
    ("citations", "lem:noise-bound-Sigma-inverse"), ("restatements", "disp:1474"), ("restatements", "disp:1526"),
    ("restatements", "disp:1696"), ("restatements", "disp:1702"), ("restatements", "disp:2176"),
    ("restatements", "disp:2191"), ("brackets", "disp:1485"),
]  # fmt: skip


def found(folder: Path, text: str) -> list[Finding]:
    return detect(made(folder, text), source=folder / "paper.tex")


def test_a_paper_without_slips_has_no_findings(tmp_path: Path) -> None:
    assert [one.words for one in found(tmp_path, PAPER)] == []


def test_the_second_paper_has_no_findings() -> None:
    assert [one.words for one in detect(project("potentials"))] == []


@pytest.mark.parametrize(
    "words",
    [
        r"For $x \ge 0$ and $y \ge 0$,",
        r"If $x > y$, then",
        r"Whenever $x \le 1/y$ we have",
        r"The following holds unless $x = y$:",
        r"This is true provided that $0 < x < y$.",
    ],
)
def test_a_condition_introduces_its_names(words: str) -> None:
    assert {"x", "y"} <= introduced(Block("", 1, 1, words))
    assert not introduced(Block("", 1, 1, words.replace("$", "")))


def test_a_formula_that_is_no_condition_introduces_nothing() -> None:
    assert not introduced(Block("", 1, 1, r"It follows that $x \le y$ for a reason of its own."))


@pytest.mark.parametrize(("old", "new", "detector"), PLANTS, ids=[f"{at}-{one[2]}" for at, one in enumerate(PLANTS)])
def test_a_planted_slip_is_found(old: str, new: str, detector: str, tmp_path: Path) -> None:
    listed = found(tmp_path, with_slip(old, new))
    assert detector in {one.detector for one in listed}, [one.words for one in listed]


def test_sizes_that_rest_on_guessed_kinds_are_not_sure(tmp_path: Path) -> None:
    """A symbol of which nobody has said what it means has the kind that was guessed from print."""
    slip = with_slip(r"\mathbf{a}\mathbf{a}^\top\bx_{t-1}", r"\mathbf{a}\mathbf{a}\bx_{t-1}")
    known = made(tmp_path, slip)
    assert {one.sure for one in detect(known, ["sizes"], tmp_path / "paper.tex")} == {True}
    table = shutil.copytree(tmp_path / "project", tmp_path / "guessed") / "symbols.toml"
    table.write_text(table.read_text("utf-8").replace('meaning = "step size"', 'meaning = ""'), encoding="utf-8")
    guessed = detect(project(tmp_path / "guessed"), ["sizes"], tmp_path / "paper.tex")
    assert {one.sure for one in guessed} == {False}


def test_words_without_their_sentences_are_enough(tmp_path: Path) -> None:
    source = with_slip(*PLANTS[10][:2]).replace(r"\item If $\eta\geq 2\mu$", r"\item If $\eta>2\mu$")
    one = made(tmp_path, source)
    text = text_of(one, tmp_path / "paper.tex")
    whole = detect(one, source=tmp_path / "paper.tex")
    (one.root / PROSE).write_text(skeleton(text), encoding="utf-8")
    (one.root / "anchors.json").unlink()
    assert "nothing to prove" not in (one.root / PROSE).read_text("utf-8")
    assert [f.words for f in detect(one)] == [f.words for f in whole] != []


def test_without_words_the_displays_are_read() -> None:
    blocks = tuple(block for block in text_of(SADA).blocks if block.display)
    assert not Text(blocks).worded
    assert any(one.where == "disp:1230" for one in DETECTORS["sizes"][0](SADA, Text(blocks)))


def test_what_a_reader_agrees_with_is_found_in_the_paper() -> None:
    listed = {(one.detector, one.where) for one in detect(SADA)}
    assert [one for one in KNOWN if one not in listed] == []


def test_slips_planted_by_rule_in_the_paper_are_found() -> None:
    """One edit in a display that offers a place for it; counted by kind, most of each must be seen."""
    text = text_of(SADA)
    before = {name: _seen(name, text) for name in DETECTORS}
    planted: Counter[str] = Counter()
    caught: Counter[str] = Counter()
    for name, detectors, _, wrong in plants(text):
        if planted[name] < MOST:
            planted[name] += 1
            caught[name] += any(_seen(one, wrong) - before[one] for one in detectors.split())
    print({name: f"{caught[name]} of {planted[name]}" for name in planted})
    assert set(planted) == {rule[0] for rule in RULES}
    assert sum(caught.values()) >= 0.75 * sum(planted.values()), (caught, planted)


def _seen(name: str, text: Text) -> set[tuple[str, str, str]]:
    return {(one.where, one.words, one.printed) for one in DETECTORS[name][0](SADA, text)}


def test_an_unknown_detector_is_refused_with_the_known_ones() -> None:
    with pytest.raises(Exception, match="no detector 'sises'; there are sizes"):
        detect(SADA, ["sises"])


def test_the_base_of_an_exponential_needs_no_introduction() -> None:
    assert all(_is_known(one, {"s"}) for one in names(r"e^{-s} \ge 1 - s"))
    assert not all(_is_known(one, {"s"}) for one in names(r"e \ge s"))
