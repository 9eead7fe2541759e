"""Graph, errata and summaries: nothing is green that rests on something that is not."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import pytest

from reports.cli.graph import FILL, TERMINAL
from reports.errata import FORMATS
from reports.errata.markup import escaped
from reports.site.graphview import COLOURS, SHORT
from tests.latex_text import assert_whole
from tests.theory import standin
from tests.theory.small_paper import display, paper, printed
from theory.claims.statement import Faithfulness, repaired, statement, step
from theory.claims.statement import printed as reading
from theory.kernel import Verdict
from theory.ledger.judging import Ledger, check_all
from theory.ledger.summary import summaries, weakest
from theory.reading.errata import Severity, errata
from theory.reading.errata.rows import FATE
from theory.reading.graph import Status, graph
from theory.reading.paper import Paper, Role

KNOWN = """Bigg Omega Pi Sigma Theta alpha asymp bar begin beta bigg bigl bigr boldsymbol cdot cdots circ cos delta
    dfrac ell end eta exp frac gamma geq gets gtrsim hat implies in inf infty kappa lambda langle ldots left leq lesssim
    lim limsup ln mapsto mathbb mathbf mathcal mathrm max middle min mu nabla operatorname otimes overset phantom preceq
    psi quad rangle right sigma sim sin sqrt sum sup tan text theta tilde to top underbrace varepsilon xi zeta"""
AS_PRINTED = Faithfulness.AS_PRINTED
X = {"example": {"x": 1}}
SQUARE = standin.goals({"kind": "cone", "terms": [{"c": "1", "sq": "x"}]})


def cites(key: str) -> Any:
    return standin.goals({"kind": "cite", "claim": key, "then": {"kind": "cone", "terms": [{"c": "1", "of": [0]}]}})


TRUE = statement("lem:true", reading("x**2 >= 0", proof=SQUARE, **X, faithfulness=Faithfulness.AS_PRINTED))
FALSE = statement(
    "lem:false",
    reading(
        "x**2 >= 1",
        expect=Verdict.REFUTED,
        witness={"x": 0},
        display="disp:5",
        words="zero is forgotten",
        **X,
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    repaired("x**2 >= 0", faithfulness=Faithfulness.CONSTANT, proof=SQUARE, words="with 0 for 1", **X),
)
UPON = statement(
    "lem:upon",
    reading(
        "x**2 + 1 >= 1",
        proof=standin.goals({"kind": "cone", "terms": [{"c": "1", "sq": "x"}]}),
        **X,
        faithfulness=Faithfulness.AS_PRINTED,
    ),
)
CITING = statement(
    "lem:citing", reading("x**2 >= 1", part="a", proof=cites("lem:false"), **X, faithfulness=Faithfulness.AS_PRINTED)
)
SLIP = statement(
    "lem:slip",
    reading("x**2 >= 0", proof=SQUARE, **X, faithfulness=Faithfulness.AS_PRINTED),
    step(
        "disp:6",
        1,
        "x**2 == x",
        expect=Verdict.REFUTED,
        witness={"x": 2},
        words="the square is lost",
        **X,
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    step(
        "disp:6",
        "1/repaired",
        "x**2 == x*x",
        proof=standin.goals({"kind": "identity"}),
        faithfulness=Faithfulness.TYPO,
        repairs="lem:slip/disp:6.1",
        **X,
    ),
)
PAPER = paper(
    printed("ass:a", 1, "assumption"),
    printed("lem:true", 10, uses=("ass:a",)),
    printed("lem:false", 20, uses=("ass:a",)),
    printed("lem:upon", 30, uses=("lem:false",)),
    printed("lem:top", 40, uses=("lem:upon",)),
    printed("lem:slip", 50),
    printed("lem:after", 60, uses=("lem:slip",)),
    displays=(display("disp:5", 21, Role.STATEMENT, 1), display("disp:6", 52, Role.STEP, 1)),
)


def judged(*ours: Any) -> Ledger:
    checks = {check.key: check for one in ours for check in one.checks}
    owners = {check.key: one.id for one in ours for check in one.checks}
    with pytest.MonkeyPatch.context() as patch:
        standin.install(patch)
        return check_all(jobs=1, checks=checks, owner=owners.__getitem__)


def status(whole: Paper, *ours: Any) -> dict[str, Status]:
    return {node.id: node.status for node in graph(whole, judged(*ours).records).nodes}


def test_proved_is_green_only_over_solid_ground() -> None:
    found = status(PAPER, TRUE, FALSE, UPON)
    assert found["ass:a"] is Status.GIVEN
    assert found["lem:true"] is Status.PROVED
    assert found["lem:false"] is Status.REPAIRED
    assert found["lem:upon"] is Status.ALONE
    assert found["lem:top"] is Status.UNJUDGED


def test_nothing_green_has_an_ancestor_that_is_not() -> None:
    drawn = graph(PAPER, judged(TRUE, FALSE, UPON, SLIP).records)
    for node in drawn.nodes:
        if node.status is Status.PROVED:
            assert all(drawn.node(i).status in (Status.PROVED, Status.GIVEN) for i in drawn.ancestors(node.id))


def test_what_cites_something_refuted_is_undecided() -> None:
    found = judged(FALSE, CITING)
    assert found.by_key()["lem:citing#a"].verdict is Verdict.PROVED
    assert status(PAPER, FALSE, CITING)["lem:citing"] is Status.UNDECIDED
    assert summaries(found.records)["lem:citing"].standing == "UNDECIDED"


def test_a_refuted_lemma_without_a_repair_is_told_apart() -> None:
    bare = statement(
        "lem:false",
        reading("x**2 >= 1", expect=Verdict.REFUTED, witness={"x": 0}, **X, faithfulness=Faithfulness.AS_PRINTED),
    )
    assert status(PAPER, bare)["lem:false"] is Status.REFUTED


def test_a_repair_that_needs_a_link_is_told_apart_and_a_fact_of_ours_decides_nothing() -> None:
    wrong, right = FALSE.checks
    assert status(PAPER, replace(FALSE, checks=(wrong, replace(right, links=("hand",)))))["lem:false"] is Status.MENDED
    assert len(TRUE.checks) == 1
    in_numbers = reading("x**2 >= 0", part="in numbers", proof=SQUARE, **X, faithfulness=Faithfulness.OURS)
    both = statement("lem:true", in_numbers, reading("x**2 >= 0", proof=SQUARE, **X, faithfulness=AS_PRINTED))
    linked = replace(both, checks=tuple(replace(one, links=("hand",)) for one in both.checks[:1]) + both.checks[1:])
    assert status(PAPER, linked)["lem:true"] is Status.PROVED
    alone = replace(linked, checks=linked.checks[:1])
    assert status(PAPER, alone)["lem:true"] is Status.LINKED


def test_what_stands_by_its_own_proof_is_told_so_and_no_more() -> None:
    drawn = graph(PAPER, judged(TRUE, FALSE, UPON).records)
    assert drawn.alone("lem:upon") == drawn.alone("lem:true") == "proved, and so is everything that our proof cites"
    assert drawn.alone("lem:false") == "false as printed; a repaired reading is proved"


def test_focus_keeps_ancestors_and_descendants() -> None:
    drawn = graph(PAPER, judged(TRUE).records)
    assert [node.id for node in drawn.focused("lem:upon").nodes] == ["ass:a", "lem:false", "lem:upon", "lem:top"]


def test_the_printed_verdict_is_the_weakest_of_its_parts() -> None:
    assert weakest([]) is None
    assert weakest([Verdict.PROVED, Verdict.SUPPORTED, Verdict.CERTIFIED]) is Verdict.SUPPORTED
    assert weakest([Verdict.UNDECIDED, Verdict.REFUTED, Verdict.PROVED]) is Verdict.REFUTED
    parts = statement(
        "lem:true",
        reading("x**2 >= 0", part="one", proof=SQUARE, **X, faithfulness=Faithfulness.AS_PRINTED),
        reading(
            "x**2 >= 1", part="two", expect=Verdict.REFUTED, witness={"x": 0}, **X, faithfulness=Faithfulness.AS_PRINTED
        ),
    )
    assert summaries(judged(parts).records)["lem:true"].printed == "REFUTED"


def test_an_erratum_says_where_what_why_and_whom_it_hurts() -> None:
    (found,) = errata(PAPER, judged(TRUE, FALSE, UPON).records)
    assert (found.key, found.main.display, found.first_line) == ("lem:false", "disp:5", 21)
    assert (found.main.left, found.main.right, found.main.witness) == ("0", "1", {"x": "0"})
    assert found.severity is Severity.CONSTANT
    assert [(r.says, r.verdict, r.kind) for r in found.repairs] == [(("x**2 >= 0",), "PROVED", "CONSTANT")]
    assert found.blast_radius == (
        ("lem:upon", "survives, with a proof of its own"),
        ("lem:top", "not judged yet"),
    )


def test_a_wrong_step_of_a_proved_statement_hurts_nobody_else() -> None:
    (found,) = errata(PAPER, judged(SLIP).records)
    assert found.is_step
    assert found.statement_fate == "survives"
    assert found.blast_radius == ()
    assert found.repairs[0].says == ("x**2 == x*x",)


def test_errata_stand_in_reading_order_and_only_what_is_printed_is_one() -> None:
    assert [e.key for e in errata(PAPER, judged(SLIP, FALSE).records)] == ["lem:false", "lem:slip/disp:6.1"]


def test_the_latex_is_a_document_of_balanced_parts_in_ascii() -> None:
    outside = assert_whole(FORMATS["latex"](errata(PAPER, judged(SLIP, FALSE).records), "A paper"))
    assert outside.count("\\[") == outside.count("\\]") == 4  # printed and right, twice


def test_every_formula_of_the_paper_uses_commands_of_amsmath_and_amssymb_only() -> None:
    from tests.sada import load

    used = {c for item in (*load().statements, *load().displays) for c in re.findall(r"\\([A-Za-z]+)", item.formula)}
    assert not used - set(KNOWN.split()), sorted(used - set(KNOWN.split()))


def test_text_is_escaped_for_latex() -> None:
    assert escaped("50% of a_1 & b^2 ≤ λ, {x} \\ #") == (
        r"50\% of a\_1 \& b\textasciicircum{}2 $\leq$ $\lambda$, \{x\} \textbackslash{} \#"
    )


def test_every_status_has_its_words_and_its_colours_everywhere() -> None:
    assert set(Status) == set(FATE) == set(COLOURS) == set(SHORT)
    names = {one.name for one in Status}
    assert names == set(FILL)
    assert set(TERMINAL) <= names


def test_a_refuted_step_that_nobody_compared_with_the_print_is_no_wrong_step() -> None:
    for faithfulness, wrong in ((AS_PRINTED, 1), (Faithfulness.UNCOMPARED, 0)):
        false = step("disp:6", 1, "x**2 >= 1", witness={"x": 0}, **X, faithfulness=faithfulness)
        one = statement("lem:steps", reading("x**2 >= 0", proof=SQUARE, **X, faithfulness=AS_PRINTED), false)
        drawn = graph(paper(printed("lem:steps", 5)), judged(one).records)
        assert drawn.node("lem:steps").wrong_steps == wrong
