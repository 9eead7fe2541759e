"""Every command on a file of lemmas and on the second paper: right words, no word about a paper that is not there."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import theory
from reports.cli import main, paper_first
from theory.detectors.scan import defines
from theory.provers import tactics

LEMMAS = """
from theory import have, lemma

good = lemma("2*a*b <= a**2 + b**2")
bad = lemma("x**3 <= x**2", given=["x > 0"], proof=have("x <= 2"))
"""


@pytest.fixture
def lemmas(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.py").write_text(LEMMAS, encoding="utf-8")
    return tmp_path / "mine.py"


def run(*words: str | Path) -> Result:
    return CliRunner().invoke(main, [str(word) for word in words])


def test_the_errata_of_a_file_of_lemmas_name_the_lemma_and_what_is_false(lemmas: Path) -> None:
    told = run("errata", "--paper", lemmas).output
    assert "\n bad  x³ ≤ x² is not true in general.\n" in told
    assert "paper.tex" not in told
    assert "line 0" not in run("errata", "-v", "--paper", lemmas).output
    lines = run("errata", "--format", "lines", "--paper", lemmas).output
    assert lines == "mine.py: false: x³ ≤ x² is not true in general. [bad]\n"
    for form in ("markdown", "letter"):
        other = run("errata", "--format", form, "--paper", lemmas).output
        assert "ine 0" not in other
        assert "1 slips" not in other


def test_a_file_of_lemmas_has_nothing_to_cover_and_that_is_no_error(lemmas: Path) -> None:
    done = run("coverage", "--paper", lemmas)
    assert (done.exit_code, done.output) == (0, "2 checks; mine.py prints no paper, so that nothing is left to cover\n")


def test_one_is_not_called_many(lemmas: Path) -> None:
    assert "1 statement, 1 with a bound" in run("ratios", "good", "--paper", lemmas).output
    assert run("export", "good", "--coq", "out", "--paper", lemmas).output == "1 theorem of 1 check in 1 file: out\n"


def test_a_strange_id_is_told_where_ids_are_listed(lemmas: Path) -> None:
    assert "`lemmalab graph` lists the ids" in run("show", "zzz", "--paper", lemmas).output
    assert {"good", "bad"} <= set(run("graph", "--paper", lemmas).output.split())


def test_the_errata_of_a_paper_without_slips_say_so() -> None:
    told = run("errata", "--paper", "potentials").output
    assert told == "nothing wrong was found in\n  Potential functions for first-order methods\n"


@pytest.mark.parametrize(
    ("given", "read"),
    [
        (["check", "--paper", "p"], ["--paper", "p", "check"]),
        (["show", "lem:a", "--paper=p", "-v"], ["--paper=p", "show", "lem:a", "-v"]),
        (["check", "--paper"], ["check", "--paper"]),
        (["check", "--", "--paper", "p"], ["check", "--", "--paper", "p"]),
    ],
)
def test_the_paper_may_be_named_behind_the_command(given: list[str], read: list[str]) -> None:
    assert paper_first(given) == read


def test_ideas_for_proofs_are_imported_from_where_lemma_is() -> None:
    ideas = [name for name in theory.__all__ if name not in ("claim", "lemma", "project")]
    assert ideas
    assert all(getattr(theory, name) is getattr(tactics, name) for name in ideas)


def test_a_map_introduces_its_own_name() -> None:
    assert [one.letter for one in defines(r"f:\mathbb{R}^d\to\mathbb{R}")] == ["f"]


def test_a_tag_with_mathematics_is_no_part_of_the_formula(tmp_path: Path) -> None:
    source = r"""\documentclass{article}\newtheorem{lemma}{Lemma}\begin{document}
\begin{lemma}\label{lem:a} For all $a,b$
\begin{align} 2ab &\le a^2 + b^2 \tag{$\star$} \intertext{and} 0 &\le a^2 \end{align}
\end{lemma}\end{document}"""
    (tmp_path / "paper.tex").write_text(source, encoding="utf-8")
    assert run("new", tmp_path / "paper.tex", "--out", tmp_path / "made").exit_code == 0
    assert r"\star" not in (tmp_path / "made" / "paper.toml").read_text("utf-8").split("formula", 2)[-1]
    assert "2*a*b <= a**2 + b**2" in (tmp_path / "made" / "statements" / "lem_a.py").read_text("utf-8")


@pytest.mark.parametrize("command", ["derive", "teach", "waterfall"])
def test_a_file_of_lemmas_brings_nothing_along_and_has_no_manifest_to_say_so_in(lemmas: Path, command: str) -> None:
    done = run(command, "--paper", lemmas)
    assert done.exit_code == 2
    assert "mine.py is a file of lemmas and brings no " in done.output
    assert "lemmalab.toml" not in done.output


def test_a_file_of_lemmas_is_not_asked_for_a_source(lemmas: Path) -> None:
    assert "--source" not in run("detect", "--paper", lemmas).output
