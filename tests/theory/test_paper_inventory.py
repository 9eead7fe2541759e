"""paper.toml holds the paper's inventory: none missing, none invented, and formulas without the paper's macros."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from tests.sada import load
from theory.reading.paper import Paper, PaperDisplay, PaperStatement, Role

INVENTORY: dict[str, list[dict[str, Any]]] = json.loads((Path(__file__).parent / "inventory.json").read_text("utf-8"))
PAPER = load()


def test_every_statement_of_the_inventory_is_there_in_reading_order_and_no_other() -> None:
    assert [s.id for s in PAPER.statements] == [row["id"] for row in INVENTORY["statements"]]
    assert len(PAPER.statements) == 68


def test_every_display_of_the_inventory_is_there_in_reading_order_and_no_other() -> None:
    assert [d.id for d in PAPER.displays] == [row["id"] for row in INVENTORY["displays"]]
    assert len(PAPER.displays) == 227


@pytest.mark.parametrize("row", INVENTORY["statements"], ids=lambda row: row["id"])
def test_a_statement_has_the_kind_label_and_lines_of_the_inventory(row: dict[str, Any]) -> None:
    ours = PAPER.statement(row["id"])
    assert (ours.kind, ours.label, ours.first_line, ours.last_line) == (
        row["kind"],
        row["latex_label"] or "",
        row["first_line"],
        row["last_line"],
    )


@pytest.mark.parametrize("row", INVENTORY["displays"], ids=lambda row: row["id"])
def test_a_display_has_the_label_lines_and_owner_of_the_inventory(row: dict[str, Any]) -> None:
    ours = PAPER.display(row["id"])
    assert (ours.label, ours.first_line, ours.last_line, ours.proof) == (
        row["latex_label"] or "",
        row["first_line"],
        row["last_line"],
        row["proof"] or "",
    )
    if row["statement"]:
        assert ours.statement == row["statement"]


def test_a_display_outside_statements_and_proofs_has_no_owner_and_every_proof_has_one() -> None:
    for row in INVENTORY["displays"]:
        ours = PAPER.display(row["id"])
        assert bool(ours.statement) == bool(row["statement"] or row["proof"]), ours.id


def test_all_displays_of_one_proof_belong_to_the_same_earlier_statement() -> None:
    for display in PAPER.displays:
        if display.proof:
            owners = {d.statement for d in PAPER.displays if d.proof == display.proof}
            assert len(owners) == 1
            assert PAPER.statement(display.statement).first_line < display.first_line


def test_a_display_inside_the_lines_of_a_statement_is_owned_by_it() -> None:
    for display in PAPER.displays:
        inside = [s.id for s in PAPER.statements if s.first_line <= display.first_line <= s.last_line]
        assert set(inside) <= {display.statement}


MACROS = (
    r"\\(bs|tbs|hbs|bb[A-Z]|c[BDFMNOPR]|rm[a-z]+|defeq|phrel|tr|argmin|label|tag|notag|stackrel|subtitle)(?![A-Za-z])"
)


@pytest.mark.parametrize("item", [*PAPER.statements, *PAPER.displays], ids=lambda item: item.id)
def test_a_formula_is_plain_latex_without_the_papers_macros(item: PaperStatement | PaperDisplay) -> None:
    formula = item.formula
    assert formula.strip() == formula.strip("\n")
    assert formula
    assert not re.search(MACROS, formula)
    assert "$" not in formula
    assert "~" not in formula


@pytest.mark.parametrize("item", [*PAPER.statements, *PAPER.displays], ids=lambda item: item.id)
def test_the_braces_environments_and_fences_of_a_formula_are_balanced(item: PaperStatement | PaperDisplay) -> None:
    formula = item.formula
    bare = formula.replace(r"\{", "").replace(r"\}", "")
    depth = 0
    for char in bare:
        depth += (char == "{") - (char == "}")
        assert depth >= 0
    assert depth == 0
    begins, ends = re.findall(r"\\begin\{(\w+)\}", formula), re.findall(r"\\end\{(\w+)\}", formula)
    assert sorted(begins) == sorted(ends)
    assert len(re.findall(r"\\left(?![a-z])", formula)) == len(re.findall(r"\\right(?![a-z])", formula))


@pytest.mark.parametrize("item", [*PAPER.statements, *PAPER.displays], ids=lambda item: item.id)
def test_words_inside_a_formula_are_few(item: PaperStatement | PaperDisplay) -> None:
    for words in re.findall(r"\\text\{([^{}]*)\}", item.formula):
        assert len(words.split()) <= 2, words


def test_titles_and_explanations_are_filled_in_and_each_title_is_used_once() -> None:
    titles = [s.title for s in PAPER.statements]
    assert len(set(titles)) == len(titles)
    for statement in PAPER.statements:
        assert statement.explanation.endswith(".")
        assert statement.section
    assert all(d.section for d in PAPER.displays)


def test_a_known_formula_is_retyped_exactly() -> None:
    assert PAPER.display("disp:742").formula == (
        "\\mathbf{A}_i=\\begin{pmatrix}\n0 & 1-\\eta\\lambda_i \\\\\nc & 1+c-q\\lambda_i\n\\end{pmatrix}"
    )
    assert (
        r"320(L+\tilde{\kappa})(F(\tilde{\mathbf{y}})-F(\mathbf{x}^*))" in PAPER.statement("lem:L-var-C-tilde").formula
    )


def test_the_paper_is_read_once_and_is_frozen() -> None:
    assert load() is PAPER
    assert isinstance(PAPER, Paper)
    with pytest.raises(AttributeError):
        PAPER.displays[0].formula = "0 = 1"  # type: ignore[misc]


def test_roles_are_the_four_of_the_design_and_restated_displays_say_of_what() -> None:
    for display in PAPER.displays:
        assert display.role in Role
        if display.role is Role.RESTATED:
            assert display.restates
        for target in display.restates:
            assert PAPER.item(target).id != display.id
