"""`lemmalab show` of the main theorem: the page that a referee reads."""

from __future__ import annotations

import pytest
from click.testing import CliRunner

from reports.cli import main
from reports.cli.below import chain_lines
from reports.cli.letters import letters_of
from reports.cli.show import _new, in_letters
from reports.cli.sources import Sources
from reports.mathml.plain import maths
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


def test_a_reading_is_shown_in_the_letters_of_the_paper() -> None:
    claim = checks()["thm:full-glm/repaired"].claim
    letters = letters_of(claim, SADA)
    (says,) = map(letters.relation, claim.says)
    assert says.startswith("E[F(x̃_K)] − F(x*) ≤ (5/3) exp(−θ̃ₘₐₓK/4)(F(x̃₀) − F(x*)) + (46080α tr(Σ⁻¹Q))/(L_ℓKT)")
    shown = [*map(letters.relation, claim.given), *(letters.definition(*one) for one in claim.steps)]
    assert not {name for line in shown for name in ("kt", "Ll", "top", "theta", "norm2", "**") if name in line}
    assert "6κ(Σ) exp(−θT/2) ≤ θ̃_K²" in shown
    assert "a: vectors of size d, for every sample" in letters.kinds(claim)


def test_the_lines_of_a_proof_have_the_letters_too_and_keep_their_words() -> None:
    letters = letters_of(checks()["thm:full-glm/repaired"].claim, SADA)
    assert letters.line("First -256*R2*kt*theta**2 + mu >= 0:") == "First −256·R²·κ̃·θ² + μ ≥ 0:"
    assert letters.line("one more step, from a hypothesis") == "one more step, from a hypothesis"
    assert letters.line("step*R2**2 <= m**2") == "η·(R²)² ≤ (K/2)²"


def test_a_fraction_before_a_factor_keeps_its_brackets_and_a_matrix_its_rows() -> None:
    assert maths(r"\frac{\theta}{2}\left\|x\right\|^{2}") == "(θ/2)‖x‖²"
    assert maths(r"\frac{\theta}{2}+1") == "θ/2+1"
    assert maths(r"\begin{pmatrix} 0 & 1 \\ -c & q \end{pmatrix}x").replace(" ", "") == "[0,1;−c,q]x"


def test_a_long_statement_is_a_page_and_says_things_once() -> None:
    earlier: dict[str, dict[str, list[str]]] = {}
    assert _new("given", ["a", "b", "c"], "one", earlier) == ["a", "b", "c"]
    assert _new("given", ["a", "b", "c"], "two", earlier) == ["as in one"]
    assert _new("given", ["a", "b", "d", "e", "f"], "three", earlier) == ["a", "b", "d", "e", "f"]
    assert _new("given", ["a", "b", "d", "e", "g"], "four", earlier) == ["as in three, without f, and", "g"]
    assert _new("given", ["x", "y", "c"], "five", earlier) == ["x", "y", "c"]
    shown = CliRunner().invoke(main, ["show", "thm:full-glm"]).output.splitlines()
    assert len(shown) < 320
    assert any("further down: lemmalab show thm:full-glm/repaired#as the paper argues" in line for line in shown)
    assert shown.count("            rem:hyperparameters: the schedule of θ̃_k; K = 2m, b = 4/θ̃_max") == 1


def test_a_sign_alone_is_not_put_under_a_source_that_says_more() -> None:
    signs = CliRunner().invoke(main, ["show", "lem:inner-loop#v is centred", "--no-proofs"]).output
    assert "T/2 ≥ 1" in signs
    assert "the rule for T" not in signs
    whole = CliRunner().invoke(main, ["show", "thm:glm", "--no-proofs"]).output.splitlines()
    at = next(n for n, line in enumerate(whole) if "REPAIRED, the rule" in line)
    assert [line.strip() for line in whole[at + 1 : at + 4]] == ["Σ ⪯ κ(Σ)μI", "κ(Σ) ≥ 1", "T/2 ≥ 1"]


def test_a_fact_of_ours_is_not_called_as_printed() -> None:
    assert "[a fact of ours, printed nowhere]" in CliRunner().invoke(main, ["show", "lem:v-bound#kappa"]).output
    assert "[exactly as printed]" in CliRunner().invoke(main, ["show", "lem:A-inverse"]).output


def test_code_is_shown_when_it_is_asked_for() -> None:
    shown = CliRunner().invoke(main, ["show", "lem:A-inverse/disp:773.2", "--code"]).output
    assert "[eta*(q*lam-c)+q*(1-eta*lam), q-c*eta]/(lam*(q-c*eta)) == [1/lam, 1/lam]" in shown
    plain = CliRunner().invoke(main, ["show", "lem:A-inverse/disp:773.2"]).output
    assert "λ > 0" in plain
    assert "lam" not in plain.split("says")[1].split("verdict")[0]
