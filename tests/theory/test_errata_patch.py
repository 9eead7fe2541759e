"""Corrections found by content in the author's source: they apply, they refuse, they read back."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections import Counter
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from reports.errata.claimed import assumed, said
from reports.errata.readback import READ, Back, Outcome, Reader, Said, _claim_of, read_back
from reports.errata.same import Known, read_known
from tests.sada import SADA, shipped
from tests.theory.test_errata_rows import rows
from theory.kernel import Claim
from theory.reading.errata import Change, Erratum, Patched, Slips, errata, patched
from theory.reading.errata.correct import replaced, span_of
from theory.reading.errata.slips import Edit, Slip
from theory.reading.latex.alike import keys
from theory.reading.latex.reader import from_latex
from theory.reading.latex.texts import differing, expanded, texts, tokens
from theory.reading.latex.unnamed import typography

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


def reader() -> Reader:
    return Reader(read_known(SADA.file("same")), SADA.notation)


@cache
def backs() -> dict[str, Back]:
    ledger = shipped()
    return {one.display: one for one in read_back(rows(), ledger.records, SADA.paper, reader())}


def test_changed_displays_read_back_as_proved_claims_and_the_others_say_why_not() -> None:
    count = Counter(one.outcome for one in backs().values())
    assert count[Outcome.STATES] >= 43
    assert count[Outcome.DEFINES] >= 4
    assert count[Outcome.UNREAD] <= 5
    assert count[Outcome.NOTHING] <= 17 + len(reader().known.defines), "what asserts something is compared"
    silent = [one.display for one in backs().values() if one.outcome not in READ and not one.reason]
    assert silent == [], "say in same.toml why no claim has this form, or write the claim"


def test_every_reason_in_the_table_is_of_a_display_that_needs_one() -> None:
    settled = (*READ, Outcome.NOTHING)
    assert all(backs()[id_].outcome is Outcome.NOTHING for id_ in reader().known.defines)
    assert [id_ for id_ in reader().known.differs if id_ not in backs() or backs()[id_].outcome in settled] == []


def test_the_theorem_keeps_the_constants_that_are_proved_for_it() -> None:
    ((_, key),) = backs()["disp:1851"].found
    assert key == "thm:full-glm/repaired#the printed exponent"


@pytest.mark.parametrize(
    ("display", "claims"),
    [
        ("disp:396", {"lem:layer-peeled-decomposition"}),  # recursions that a claim is about
        ("disp:742", {"lem:inner-matrix-form/disp:742.derived-A/repaired"}),  # a matrix that a claim defines
        ("disp:1230", {"lem:Pi-stationary-bound/disp:1230.1", "lem:Pi-stationary-bound/disp:1230.2"}),
        ("disp:1526", {"lem:C-1-bound/sharper and lem:L-var-C-tilde/repaired"}),  # the sum of two claims
        ("disp:1774", {"lem:outer-one-step/disp:1774.2/repaired"}),
        ("disp:1784", {"lem:outer-one-step/disp:1784.1/repaired"}),
    ],
)
def test_a_display_is_found_where_it_is_claimed(display: str, claims: set[str]) -> None:
    assert {key for _, key in backs()[display].found} == claims


def test_what_two_claims_say_in_turn_is_followed_step_by_step() -> None:
    found = dict(backs()["disp:1263"].found)
    assert "lem:Pi-stationary-bound/disp:1230.1 and lem:Pi-stationary-bound/disp:1230.2" in next(iter(found.values()))


def test_what_follows_from_claims_and_what_does_not() -> None:
    told = Reader(Known(), SADA.notation)
    one, two, total, wrong = told.relations(r"a \le b, \quad b = c, \quad a \le c, \quad c \le a")
    pool = {key: Said((said,), keys(said, told.typography)) for key, said in (("1", one), ("2", two))}
    assert _claim_of(total, [total], pool, told) == "1 and 2"
    assert _claim_of(wrong, [wrong], pool, told) == ""
    less, both, more = told.relations(r"u \le v, \quad a+u \le b+v, \quad a-u \le b-v")
    pool["3"] = Said((less,), keys(less, told.typography))
    assert _claim_of(both, [both], pool, told) == "1 and 3"
    assert _claim_of(more, [more], pool, told) == ""


def test_a_claim_is_read_with_its_own_abbreviations_written_out_and_its_steps_from_the_next_state() -> None:
    claim = Claim(
        "c", says=("s1*c == J(eta)",), where=(("s1", "2*eta"), ("J(r)", "r*c")), steps=(("X[t+1]", "s1*X[t]"),)
    )
    assert list(said(claim, SADA.notation)) == ["s1*c == J(eta)", "2*eta*c == eta*c"]
    assert list(assumed(claim, SADA.notation))[-2:] == ["X[t] == s1*X[t - 1]", "X[t] == 2*eta*X[t - 1]"]


def test_a_corrected_display_that_says_something_else_is_not_taken_for_the_proved_claim() -> None:
    """Every display that reads back, with one number of its corrections changed."""
    ledger = shipped()
    wrong = [replace(row, changes=tuple(map(off_by_one, row.changes))) for row in rows()]
    fallen = {one.display: one for one in read_back(wrong, ledger.records, SADA.paper, reader())}
    touched = [id_ for id_, one in backs().items() if one.outcome in READ and id_ in changed_numbers()]
    assert len(touched) >= 25
    assert [id_ for id_ in touched if fallen[id_].outcome in READ] == []


def off_by_one(change: Change) -> Change:
    """The first number of the correction that is not of a script or a name, one more."""
    return replace(
        change, corrected_tex=NUMBER.sub(lambda found: str(int(found[0]) + 1), change.corrected_tex, count=1)
    )


NUMBER = re.compile(r"(?<![_^{\d])\d+(?![_^\d])")


@cache
def changed_numbers() -> frozenset[str]:
    return frozenset(
        change.display
        for row in rows()
        for change in row.changes
        if change.whole and NUMBER.search(change.corrected_tex)
    )


@pytest.mark.parametrize(
    ("one", "other", "alike"),
    [
        (r"\frac{a}{b}+c \le d", r"a+bc \le bd", False),  # the sign of b is not known
        (r"2a \le 4b", r"a \le 2b", True),
        (r"a \le b", r"b \ge a", True),
        (r"a \le b", r"a < b", False),
        (r"-a \le b", r"a \le -b", False),
        (r"a = b", r"b = a", True),
        (r"x^{k+2} \le 1", r"x^2 x^k \le 1", True),
        (r"\mathbf{A}\mathbf{B} = \mathbf{C}", r"\mathbf{B}\mathbf{A} = \mathbf{C}", False),
        (r"\operatorname{tr}(\mathbf{A}\mathbf{B}) \le 1", r"\operatorname{tr}(\mathbf{B}\mathbf{A}) \le 1", True),
        (r"\|\mathbf{x}-\mathbf{y}\|^2 \le 1", r"\|\mathbf{y}-\mathbf{x}\|^2 \le 1", True),
        (r"\|2\mathbf{x}\|_{\mathbf{H}}^2 \le 1", r"4\|\mathbf{x}\|_{\mathbf{H}}^2 \le 1", True),
        (r"\|\mathbf{x}\|_{\mathbf{H}}^2 \le 1", r"\|\mathbf{x}\|_{\mathbf{G}}^2 \le 1", False),
        (r"\mathbb{E}\left[a\|\mathbf{x}\|^2\right] \le 1", r"a\mathbb{E}\|\mathbf{x}\|^2 \le 1", True),
        (r"\mathbb{E}\left[\varepsilon^2\right] \le 1", r"\varepsilon\mathbb{E}\left[\varepsilon\right] \le 1", False),
        (r"\mathbb{E}_{t}\|\mathbf{x}\|^2 \le 1", r"\mathbb{E}_{t-1}\|\mathbf{x}\|^2 \le 1", False),
        (r"\sum_{i=1}^n a_i \le 1", r"\sum_{j=1}^n a_j \le 1", True),
        (r"\sum_{i=1}^n a_i \le 1", r"\sum_{i=0}^n a_i \le 1", False),
        (r"\tan\theta = 1", r"\frac{\sin\theta}{\cos\theta} = 1", True),
        (r"\mathbb{E}\left[x\right]\mathbf{a} = \mathbf{b}", r"\left(\mathbb{E}x\right)\mathbf{a} = \mathbf{b}", True),
        (r"0 = 0", r"1 = 1", False),
    ],
)
def test_two_relations_are_the_same_up_to_exact_arithmetic_only(one: str, other: str, alike: bool) -> None:
    told = typography()
    (first,), (second,) = from_latex(one, told), from_latex(other, told)
    assert bool(keys(first, told) & keys(second, told)) is alike


def test_what_print_has_and_the_language_has_not_is_kept_when_letters_are_themselves() -> None:
    told = typography(["F"])
    given = r"\mathbb{E}(\|\mathbf{r}\|^2|\mathcal{F}) \le F(x), \\ \sup_{x\in A} F(x) = \sum_{s,t=1}^{\infty} a_{s,t}"
    assert [str(one) for one in from_latex(given + r", \text{where } x", told)] == [
        "mean(wcal_F, norm2(bold_r)) <= F[x]",
        "sup_x_in_A[F[x]] == sum(s, 1, infty, sum(t, 1, infty, a[s, t]))",
    ]


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
