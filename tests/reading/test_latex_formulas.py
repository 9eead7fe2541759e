"""Reader and printer of LaTeX are inverse to each other."""

from __future__ import annotations

from hypothesis import HealthCheck, given, settings

from tests.reading.formulas import NOTATION, formulas, relations
from theory.kernel.lang import Node, Relation, parse_relation
from theory.project import project
from theory.reading.latex.claims import claim_notation, names_of
from theory.reading.latex.notation import Notation, read_notation
from theory.reading.latex.printer import to_latex
from theory.reading.latex.reader import formula_from_latex, from_latex

LIVELY = settings(max_examples=400, deadline=None, suppress_health_check=list(HealthCheck))


def _known(formula: Node | Relation) -> Notation:
    one = formula if isinstance(formula, Relation) else Relation("==", formula, formula)
    return NOTATION.only([*NOTATION.glyphs, *sorted(names_of([one]))])


@LIVELY
@given(formulas())
def test_a_number_that_is_printed_is_read_back(formula: Node) -> None:
    known = _known(formula)
    assert formula_from_latex(to_latex(formula, known), known) == formula


@LIVELY
@given(formulas("m"))
def test_a_matrix_that_is_printed_is_read_back(formula: Node) -> None:
    known = _known(formula)
    assert formula_from_latex(to_latex(formula, known), known) == formula


@LIVELY
@given(relations())
def test_a_relation_that_is_printed_is_read_back(relation: Relation) -> None:
    known = _known(relation)
    assert from_latex(to_latex(relation, known), known) == (relation,)


def test_every_claim_of_the_paper_is_printed_in_its_notation_and_read_back() -> None:
    """Hypotheses included: what is printed for a reader is the claim that was judged."""
    paper = project("sada")
    notation = read_notation(paper.file("symbols"))
    for key, check in paper.checks.items():
        if check.claim.kinds or any(notion.style != "sym" for notion in check.claim.notions.values()):
            continue  # notions with parameters have no notation in the symbols file yet
        known = claim_notation(check.claim, notation)
        for source in (*check.claim.says, *check.claim.given):
            relation = parse_relation(source)
            assert from_latex(to_latex(relation, known), known) == (relation,), f"{key}: {source}"
