"""The errata as people get them: four screens, one line a finding, a letter, balanced LaTeX, cards that are set."""

from __future__ import annotations

import json
import re

import pytest
from click.testing import CliRunner

from reports.cli.errata import command
from reports.errata import FORMATS
from reports.errata.choose import Unknown, chosen
from reports.errata.markup import is_balanced
from reports.errata.text import full
from reports.mathml.plain import plain
from reports.mathml.tex import tex_mathml
from reports.site.errata import cards, mended, sentence
from tests.latex_text import assert_whole
from tests.sada import SADA
from tests.theory.test_errata_rows import rows
from theory.reading.errata import Severity, worst_first

# only fences differ, or the kind of a reference: neither is marked
UNMARKED = {"bracket-of-a-layer", "norms-of-numbers", "brackets-of-a-sum", "number-of-the-subproblem"}


def ids(*targets: str, severity: tuple[str, ...] = (), select: tuple[str, ...] = ()) -> set[str]:
    return {row.id for row in chosen(rows(), targets, severity, select, SADA.paper)}


# --- text ------------------------------------------------------------------------------------------------------------


def test_the_list_fits_on_four_screens_of_eighty_columns_worst_first() -> None:
    lines = FORMATS["text"](rows(), SADA.title).splitlines()
    assert len(lines) <= 200
    assert max(map(len, lines)) <= 80
    heads = [line.split(" (")[0] for line in lines if re.match(r"[A-Z]+[A-Z ]* \(\d+\)$", line)]
    assert heads == ["KILLS A STATEMENT", "CHANGES A CONSTANT", "NEEDS A HYPOTHESIS", "SLIPS OF THE PEN", "PEDANTIC"]


def test_an_editor_gets_one_line_for_every_place() -> None:
    lines = FORMATS["lines"](rows(), SADA.title).splitlines()
    assert len(lines) == sum(len(row.lines) for row in rows())
    assert all(
        re.match(r"paper\.tex:\d+: (false|constant|hypothesis|slip|pedantic): .+ \[[\w-]+\]$", one) for one in lines
    )
    numbers = [int(line.split(":")[1]) for line in lines]
    assert numbers == sorted(numbers)
    assert any(line.startswith("paper.tex:879: slip: The factor L_ℓ before tr Q") for line in lines)


def test_everything_is_told_when_it_is_asked_for() -> None:
    told = full(chosen(rows(), ["rule-for-T"], (), (), SADA.paper), SADA.title)
    for part in (
        "line 552",
        "kills a statement; by hand:",
        "printed",
        "right",
        "witness",
        "context",
        "hits",
        "8\\sqrt",
    ):
        assert part in told, part


def test_no_ascii_name_of_our_claims_stands_in_the_words() -> None:
    for row in rows():
        said = plain(row.words)
        assert not re.search(r"\b(kt|Ll|lam|eps|L_l|x_star|mul)\b|\\[A-Za-z]|\$", said), (row.id, said)
        assert not re.search(r"[A-Za-z]{3,}_\w|<=|>=", said), (row.id, said)


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (r"$\tilde{\kappa}\leq R^2$", "κ̃ ≤ R²"),
        (r"$\frac{\theta}{2\gamma}$ is $\theta_k^{T/2}$", "θ/(2γ) is θₖ^(T/2)"),
        (r"$\|\mathbf{x}\|_{\boldsymbol{\Sigma}}$", "‖x‖_Σ"),
        (r"see Lemma~\ref{lemma:aux-lemma-r}", "see Lemma aux-lemma-r"),
        (r"$\operatorname{tr}\mathbf{Q}$", "tr Q"),
        (r"$\sqrt{\alpha}$ and $\mathcal{B}$", "√α and B"),
    ],
)
def test_mathematics_is_written_with_signs_on_a_terminal(words: str, told: str) -> None:
    assert plain(words) == told


# --- choice ----------------------------------------------------------------------------------------------------------


def test_a_line_means_its_display_and_a_range_everything_in_it() -> None:
    assert ids("878") == ids("879") == ids("disp:878") == {"stray-L-before-trace-Q"}
    assert "sign-of-c" in ids("740-760")
    assert ids("800-900") >= {"power-bound-needs-small-q", "stray-L-before-trace-Q"}
    assert ids("1-100") == set()


def test_an_id_means_a_statement_a_check_or_a_row() -> None:
    own = {"stray-L-before-trace-Q", "mean-of-the-variance-iterate", "last-step-of-the-variance-bound"}
    assert ids("lem:v-bound") == own | ids("lem:v-bound/disp:1521.1") - {"H-norm-for-Sigma-norm"}
    assert ids("lem:v-bound/disp:1521.1") == {"H-norm-for-Sigma-norm"}
    assert ids("rule-for-T", "sign-of-c") == {"rule-for-T", "sign-of-c"}


def test_severities_and_patterns_narrow_down() -> None:
    kills = {row.id for row in rows() if row.severity is Severity.KILLS}
    assert ids(severity=("kills",)) == ids(severity=("kills a statement",)) == ids(severity=("false",)) == kills
    assert ids(select=("lem:rademacher*",)) == {row.id for row in rows() if row.statement == "lem:rademacher"}
    assert ids("1900-2000", severity=("kills",)) == {"rademacher-with-indicators"}


@pytest.mark.parametrize(
    ("target", "told"),
    [("lem:v-bond", "did you mean lem:v-bound"), ("900-800", "write 800-900"), ("§3", "give a line")],
)
def test_a_target_that_means_nothing_is_refused_with_a_remedy(target: str, told: str) -> None:
    with pytest.raises(Unknown, match=told):
        ids(target)


def test_a_severity_that_is_none_is_refused_before_anything_is_judged(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("reports.cli.errata.here", lambda: pytest.fail("the project was opened"))
    done = CliRunner().invoke(command, ["--severity", "awful"])
    assert done.exit_code == 2
    assert "'awful' is no severity" in done.output


def test_a_severity_that_is_none_is_refused_with_those_that_are() -> None:
    with pytest.raises(ValueError, match="'awful' is no severity; write one of 'kills a statement'"):
        ids(severity=("awful",))


# --- Markdown, LaTeX, letter, JSON -----------------------------------------------------------------------------------


@pytest.mark.parametrize("form", ["latex", "letter-latex"])
def test_latex_is_a_document_in_ascii_whose_parts_close(form: str) -> None:
    assert_whole(FORMATS[form](rows(), SADA.title))


@pytest.mark.parametrize("form", ["letter", "letter-latex"])
def test_the_letter_has_a_summary_major_points_and_minor_ones(form: str) -> None:
    text = FORMATS[form](rows(), SADA.title)
    places = [text.index(words) for words in ("Summary", "Major points", "Minor points", "Details")]
    assert places == sorted(places)
    assert "kill a statement" in text
    assert "found by reading" in text
    major = [row for row in rows() if row.severity in (Severity.KILLS, Severity.CONSTANT, Severity.HYPOTHESIS)]
    assert text[places[1] : places[2]].count("should read") == sum(len(row.changes) for row in major)


def test_the_letter_calls_no_algorithm_proved_for_one_check_of_it() -> None:
    found = [row for row in rows() if row.severity is Severity.KILLS and row.statement.startswith("alg:")]
    assert found
    for row in found:
        text = FORMATS["letter"]([row], SADA.title)
        assert "corrected form is proved" not in text
        assert "The check that the printed algorithm fails is proved of the corrected one." in text


def test_json_has_every_row_with_sentences_for_its_severity() -> None:
    body = json.loads(FORMATS["json"](rows(), SADA.title))["errata"]
    assert [one["id"] for one in body] == [row.id for row in rows()]
    assert {one["severity"] for one in body} == {severity.value for severity in Severity}
    assert all(one["changes"] or one["id"] in ("letters-with-two-meanings", "angle-called-theta") for one in body)


# --- the page --------------------------------------------------------------------------------------------------------


def test_every_card_is_set_and_marks_what_differs_on_at_least_one_side() -> None:
    made = cards(rows())
    assert [card.row.id for card in made] == [row.id for row in worst_first(rows())]
    for card in made:
        assert "$" not in card.words, card.row.id
        for pair in card.pairs:
            both = str(pair.printed) + str(pair.corrected)
            assert card.row.id in UNMARKED or 'class="changed"' in both or "<mark>" in both, (card.row.id, pair.line)
            assert "<code>" not in both or "Else" in both, (card.row.id, pair.line, both[:300])


def test_marks_mark_tokens_and_not_nearly_everything() -> None:
    card = next(card for card in cards(rows()) if card.row.id == "stray-L-before-trace-Q")
    (pair,) = card.pairs
    assert str(pair.printed).count('class="changed"') == 2  # L and ell
    assert str(pair.corrected).count('class="changed"') == 0


def test_a_marked_token_is_marked_and_a_fraction_only_when_all_of_it_is_new() -> None:
    assert tex_mathml("x+y", marks=frozenset({2})).count('class="changed"') == 1
    assert '<mfrac class="changed">' not in tex_mathml(r"\frac{x}{y}", marks=frozenset({2}))
    assert '<mfrac class="changed">' in tex_mathml(r"\frac{x}{y}", marks=frozenset(range(7)))


def test_words_with_markup_are_text() -> None:
    assert "&lt;b&gt;" in sentence("<b> $x$")


def test_what_cannot_stand_alone_is_known() -> None:
    assert is_balanced(r"\frac{x}{y}")
    for part in (r"\frac{x", r"\left(x", "c & d", r"\end{pmatrix}", "^2"):
        assert not is_balanced(part), part


@pytest.mark.parametrize(
    ("cut", "read"),
    [
        (r"\tilde{\kappa}_m/\mu\eta}", r"\tilde { \kappa } _ m / \mu \eta"),
        (r"=\frac{\sigma^2\alpha", r"= \frac { \sigma ^ 2 \alpha } {\dots}"),
        ("x^{2", "x ^ { 2 }"),
        (r"\frac{1}{2}", r"\frac { 1 } { 2 }"),
    ],
)
def test_a_fragment_cut_out_of_a_formula_is_set_as_a_formula(cut: str, read: str) -> None:
    assert mended(cut) == read
    assert tex_mathml(mended(cut))
