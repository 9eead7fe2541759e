"""What a statement rests on: known ids, no cycle, and complete where the proof names a lemma."""

from __future__ import annotations

from graphlib import TopologicalSorter

import pytest

from tests.sada import load

PAPER = load()


def test_every_used_id_is_a_statement_and_none_is_used_twice() -> None:
    ids = {s.id for s in PAPER.statements}
    for statement in PAPER.statements:
        assert set(statement.uses) <= ids, statement.id
        assert len(set(statement.uses)) == len(statement.uses), statement.id


def test_no_statement_rests_on_itself_even_indirectly() -> None:
    order = list(TopologicalSorter({s.id: s.uses for s in PAPER.statements}).static_order())
    assert len(order) == len(PAPER.statements)


@pytest.mark.parametrize(
    ("statement", "rests_on"),
    [
        ("lem:L-var-C-tilde", {"lem:Pi-average-bound", "lem:noise-bound-Sigma-inverse"}),
        ("lem:Pi-average-bound", {"lem:A-inverse", "lem:A-power-bound"}),
        ("lem:A-power-bound", {"lem:radius-bound", "lem:aux-lemma-r"}),
        ("lem:v-bound", {"lem:v-decom", "lem:L-var-C-tilde", "lem:C-1-bound"}),
        ("lem:v-decom", {"lem:v-L-var", "lem:layer-peeled-decomposition", "lem:L-var-linearity"}),
        ("lem:inner-loop", {"lem:r-bound", "lem:v-bound"}),
        ("thm:full-glm", {"lem:outer-one-step", "lem:auxilary-recursion", "lem:inner-loop"}),
        ("thm:glm", {"thm:full-glm"}),
        ("cor:sample-complexity", {"thm:glm"}),
        ("thm:minimax-risk", {"lem:minimax-strong-convexity"}),
        ("thm:erm-excess-risk", {"lem:rademacher"}),
    ],
)
def test_a_statement_names_what_its_proof_uses(statement: str, rests_on: set[str]) -> None:
    assert rests_on <= set(PAPER.statement(statement).uses)


def test_every_lemma_is_used_somewhere_except_the_ones_that_nothing_in_the_paper_needs() -> None:
    used = {id_ for one in PAPER.statements for id_ in one.uses}
    assert {s.id for s in PAPER.statements if s.kind == "lemma"} - used == {
        "lem:outer-sketch",
        "lem:R2-kappa-lower",
        "lem:sigma0-lower",
    }


def test_the_displays_of_a_statement_include_those_of_its_proof() -> None:
    assert [d.id for d in PAPER.displays_of("lem:A-inverse")] == ["disp:758", "disp:767", "disp:773"]


def test_an_unknown_id_is_refused_with_close_matches() -> None:
    with pytest.raises(KeyError, match=r"'lem:A-invers'.*did you mean lem:A-inverse"):
        PAPER.statement("lem:A-invers")
    with pytest.raises(KeyError, match=r"no display .*'lem:A-inverse'"):
        PAPER.display("lem:A-inverse")
    with pytest.raises(KeyError, match=r"'disp:789'.*did you mean disp:790"):
        PAPER.display("disp:789")
    with pytest.raises(KeyError, match=r"no statement or display .*'zzz'"):
        PAPER.item("zzz")
