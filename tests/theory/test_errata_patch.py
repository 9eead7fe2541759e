"""Corrections found by content in the author's source: they apply, they refuse, they read back."""

from __future__ import annotations

import shutil
import subprocess
from functools import cache
from pathlib import Path

import pytest

from tests.sada import SADA
from tests.theory.test_errata_rows import rows
from theory.kernel.lang import Node, Relation, parse_relation
from theory.reading.errata import Erratum, Patched, Slips, errata, patched
from theory.reading.errata.correct import replaced, span_of
from theory.reading.errata.slips import Edit, Slip
from theory.reading.errata.tokens import differing, expanded, occurrences, texts, tokens
from theory.reading.latex.atoms import Unreadable
from theory.reading.latex.errors import LatexError
from theory.reading.latex.notation import read_notation
from theory.reading.latex.reader import from_latex

EXCERPTS = Path(__file__).parent / "sada_excerpts.tex"


@cache
def source() -> str:
    return EXCERPTS.read_text(encoding="utf-8")


@cache
def made() -> Patched:
    return patched(source(), rows())


def row(*edits: tuple[int, str, str], name: str = "s") -> Erratum:
    slip = Slip(name, "lem:v-bound", edits[0][0], "w", tuple(Edit(*edit) for edit in edits))
    (found,) = errata(SADA.paper, (), Slips((slip,)))
    return found


# --- the paper -------------------------------------------------------------------------------------------------------


def test_every_correction_fits_the_source_of_the_paper() -> None:
    assert [str(misfit) for misfit in made().misfits] == []
    assert set(made().applied) == {one.id for one in rows() if one.changes}
    assert len(made().hunks) > 120


@pytest.mark.parametrize("tool", [["patch", "-p1", "--fuzz=0"], ["git", "apply", "-"]], ids=["patch", "git"])
def test_the_diff_applies_cleanly_and_gives_the_corrected_source(tmp_path: Path, tool: list[str]) -> None:
    assert shutil.which(tool[0])
    file = tmp_path / "paper.tex"
    file.write_text(source(), encoding="utf-8")
    done = subprocess.run(tool, cwd=tmp_path, input=made().unified("paper.tex"), text=True, capture_output=True)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "fuzz" not in done.stdout
    assert file.read_text(encoding="utf-8") == made().text


def test_corrections_are_found_by_content_in_a_source_whose_lines_have_moved() -> None:
    moved = "% a new first line\n\n" + source().replace("\\begin{equation*}", "\n\\begin{equation*}")
    again = patched(moved, rows())
    assert again.misfits == ()
    assert texts(again.text) == texts(made().text)


def test_a_corrected_source_is_refused_and_not_corrected_twice() -> None:
    again = patched(made().text, rows())
    assert {one.id for one in rows() if one.changes} >= {misfit.id for misfit in again.misfits}
    assert len(again.misfits) > 150


def test_a_source_that_differs_is_refused_with_the_place_and_the_token() -> None:
    edited = source().replace(
        r"8\eta\tilde{\kappa}L_\ell\tr\bs Q\right)}{T}+\frac{160 L_\ell(6L",
        r"9\eta\tilde{\kappa}L_\ell\tr\bs Q\right)}{T}+\frac{160 L_\ell(6L",
    )
    assert edited != source()
    (misfit,) = patched(edited, rows()).misfits
    line = next(n for n, text in enumerate(edited.splitlines(), start=1) if r"9\eta\tilde{\kappa}L_\ell" in text)
    assert (misfit.id, misfit.near) == ("stray-L-before-trace-Q", line)
    assert "8 expected, 9 found" in str(misfit)


# --- reading back ----------------------------------------------------------------------------------------------------


def corrected_displays() -> dict[str, str]:
    """Every changed display with all of its corrections in it."""
    found: dict[str, tuple[str, list[tuple[int, str, str]]]] = {}
    for one in rows():
        for change in one.changes:
            if change.whole:
                _, spans = found.setdefault(change.display, (change.formula, []))
                spans.append((change.line, change.tex, change.corrected_tex))
    told = {}
    for id_, (formula, edits) in found.items():
        cut, taken = tokens(formula), []
        for part in dict.fromkeys(tex for _, tex, _ in edits):
            ranked = sorted(edit for edit in edits if edit[1] == part)
            places = occurrences(texts(part), [t.text for t in cut])
            taken += [span_of(cut[at:], tex, right) for at, (_, tex, right) in zip(places, ranked, strict=True)]
        told[id_] = replaced(formula, taken)
    return told


def alike(one: Node, other: Node, names: dict[str, str]) -> bool:
    """The same formula, up to what its symbols are called."""
    if one.op == "sym" and other.op == "sym":
        mapped = names.setdefault(str(one.value), str(other.value))
        return mapped == str(other.value)
    same = one.op == other.op and one.value == other.value and len(one.args) == len(other.args)
    return same and all(alike(a, b, names) for a, b in zip(one.args, other.args, strict=True))


def states(read: Relation, claimed: Relation) -> bool:
    names: dict[str, str] = {}
    same = alike(read.left, claimed.left, names) and alike(read.right, claimed.right, names)
    return same and read.op == claimed.op and len(set(names.values())) == len(names)


def test_every_changed_display_that_the_reader_reads_says_what_is_repaired_or_is_counted() -> None:
    """The reader reads 22 of the 76 changed displays; 3 of them state a repaired claim, but for names.

    The other claims are stated in other letters, eigenvalue by eigenvalue or for one step: people compare them.
    """
    notation = read_notation(SADA.file("symbols"))
    by_display: dict[str, list[Relation]] = {}
    for one in rows():
        for change in one.changes:
            says = [parse_relation(says) for repair in one.repairs for says in repair.says]
            by_display.setdefault(change.display, []).extend(says)
    readable, equal = [], []
    for id_, formula in corrected_displays().items():
        try:
            found = from_latex(formula, notation)
        except (Unreadable, LatexError, ValueError):
            continue
        readable.append(id_)
        if any(states(read, claimed) for read in found for claimed in by_display[id_]):
            equal.append(id_)
    print(f"{len(readable)} of {len(corrected_displays())} read, {len(equal)} as a repaired claim: {equal}")
    assert len(readable) >= 20
    assert {"disp:1240", "disp:1257"} <= set(equal)


# --- by hand ---------------------------------------------------------------------------------------------------------


def test_spaces_and_line_ends_that_do_not_change_stay() -> None:
    text = "a \\\\\n    c  &  d\n  \\end{x}\n"
    done = patched(text, [row((1, r"c & d \end{x}", r"-c & d \end{x}"))])
    assert done.text == text.replace("    c", "    -c")


def test_a_space_that_only_the_correction_has_is_written() -> None:
    source = "one data point per-itertion is read"
    at = source.index("per")
    here = [token for token in tokens(source) if token.start >= at]
    assert replaced(source, [span_of(here, "per-itertion", "per iteration")]) == "one data point per iteration is read"


def test_a_fragment_that_stands_more_often_than_it_is_corrected_is_refused() -> None:
    done = patched("x+y\nx+y\n", [row((1, "x+y", "x-y"))])
    assert done.text == "x+y\nx+y\n"
    assert "stands there 2 times (lines 1, 2)" in str(done.misfits[0])


def test_a_fragment_that_is_corrected_wherever_it_stands_is_corrected_in_order() -> None:
    assert patched("x+y\nx+y\n", [row((1, "x+y", "x-y"), (2, "x+y", "x*y"))]).text == "x-y\nx*y\n"


def test_two_slips_on_one_line_share_a_hunk_and_overlapping_contexts_are_no_clash() -> None:
    given = [row((1, "a+b", "a-b"), name="one"), row((1, "b+c", "b*c"), name="two")]
    done = patched("a+b+c\n", given)
    assert done.text == "a-b*c\n"
    assert [hunk.ids for hunk in done.hunks] == [("one", "two")]


def test_two_corrections_of_the_same_characters_are_a_clash() -> None:
    given = [row((1, "a+b", "a-b"), name="one"), row((1, "a+b+c", "a*b+c"), name="two")]
    (misfit,) = patched("a+b+c\n", given).misfits
    assert "the same characters are corrected by" in str(misfit)


def test_slips_far_apart_have_a_hunk_each() -> None:
    text = "".join(f"{n}\n" for n in "abcdefghij")
    done = patched(text, [row((1, "a", "A"), name="one"), row((10, "j", "J"), name="two")])
    assert [hunk.ids for hunk in done.hunks] == [("one",), ("two",)]
    assert done.unified("p").count("@@ -") == 2


def test_a_file_without_a_last_line_end_is_patched(tmp_path: Path) -> None:
    done = patched("a\nb\nx+y", [row((3, "x+y", "x-y"))])
    (tmp_path / "p").write_text(done.source, encoding="utf-8")
    subprocess.run(["git", "apply", "-"], cwd=tmp_path, input=done.unified("p"), text=True, check=True)
    assert (tmp_path / "p").read_text(encoding="utf-8") == "a\nb\nx-y"


def test_a_control_word_and_a_letter_after_it_stay_apart() -> None:
    assert patched(r"\eta x\tr y" + "\n", [row((1, r"\eta x", r"\theta x"))]).text == r"\theta x\tr y" + "\n"
    assert patched("\\tr Qx\n", [row((1, r"\tr Q", "Q"))]).text.strip() == "Qx"


def test_comments_and_spaces_are_no_tokens_and_numbers_are_one() -> None:
    assert texts("x % y\n 46080\\%") == ["x", "46080", r"\%"]
    assert differing(texts("a+46080"), texts("a+138240")) == (frozenset({2}), frozenset({2}))


def test_macros_are_written_out_with_bold_greek() -> None:
    macros = {"bs": r"\mathbf{#1}", "rmvar": r"\mathrm{var}"}
    assert expanded(r"\bs x+\bs\Sigma+L_\rmvar", macros) == r"\mathbf{x}+\boldsymbol{\Sigma}+L_{\mathrm{var}}"
    assert expanded(r"\bs{a b}", macros) == r"\mathbf{ab}"
