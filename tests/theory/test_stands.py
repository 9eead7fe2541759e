"""What people are told: instances and links are declared, inherited and counted; what does not follow is not false."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.sada import checks
from theory.claims.files import ProjectError
from theory.claims.links import FINITE_MEAN
from theory.claims.statement import Check, Faithfulness, printed, repaired, statement, step
from theory.kernel import Evidence, Judgement, Verdict
from theory.ledger import store
from theory.ledger.records import Record, record_of
from theory.ledger.stands import SENTENCES, Label, inherited, labelled, phrase, word
from theory.papers.sada.context import CONTEXT, STEP_SIZE
from theory.project import project
from theory.reading.graph import Status, graph
from theory.reading.paper import Paper

AS_PRINTED = Faithfulness.AS_PRINTED


def made(**options: Any) -> Check:
    given = {"example": {"x": "1"}, "faithfulness": AS_PRINTED, **options}
    return statement("lem:a", printed(given.pop("says", "x**2 >= 0"), **given)).checks[0]


def record(check: Check, verdict: Verdict, *cites: str, key: str = "lem:a") -> Record:
    return record_of(check, Evidence(), Judgement(verdict, "", "", cites), statement=key)


@pytest.mark.parametrize(
    ("verdict", "label", "argument", "says"),
    [
        (Verdict.PROVED, Label(), False, "PROVED"),
        (Verdict.PROVED, Label("T = 4, d = 1"), False, "INSTANCE (T = 4, d = 1)"),
        (Verdict.PROVED, Label("", ("tail-bias",)), False, "PROVED up to 1 link"),
        (Verdict.CERTIFIED, Label("", ("v-L-var", "tail-bias")), False, "CERTIFIED up to 2 links"),
        (Verdict.PROVED, Label("T = 4", ("v-L-var", "tail-bias")), False, "INSTANCE (T = 4) up to 2 links"),
        (Verdict.REFUTED, Label("d = 1", ("tail-bias",)), False, "REFUTED"),
        (Verdict.REFUTED, Label(), True, "DOES NOT FOLLOW"),
        (Verdict.PROVED, Label(), True, "PROVED"),
        (Verdict.UNDECIDED, Label("d = 1"), False, "UNDECIDED"),
    ],
)
def test_the_word_says_what_the_proof_is_of(verdict: Verdict, label: Label, argument: bool, says: str) -> None:
    assert phrase(verdict, label, argument) == says
    assert word(verdict, label, argument) in SENTENCES


def test_whoever_cites_inherits_instances_and_links() -> None:
    own = {"a": Label("T = 4", ("v-L-var",)), "b": Label("", ("tail-bias",)), "c": Label(), "d": Label()}
    found = inherited(own, {"b": ["a"], "c": ["b"]})
    assert found["c"] == Label("rests on a: T = 4", ("tail-bias", "v-L-var"))
    assert found["d"] == Label()
    assert inherited(found, {"b": ["a"], "c": ["b"]}) == found


def test_labels_of_records_are_inherited_along_citations() -> None:
    low = statement(
        "lem:b", printed("x**2 >= 0", example={"x": "1"}, faithfulness=AS_PRINTED, instance="d = 1")
    ).checks[0]
    one = record_of(low, Evidence(), Judgement(Verdict.PROVED, "", ""), statement="lem:b")
    above = record(made(), Verdict.PROVED, "lem:b")
    assert [r.told for r in labelled([one, above])] == ["INSTANCE (d = 1)", "INSTANCE (rests on lem:b: d = 1)"]


def test_a_link_that_nobody_defined_is_refused(tmp_path: Path) -> None:
    (tmp_path / "lemmalab.toml").write_text("")
    (tmp_path / "statements").mkdir()
    (tmp_path / "statements" / "lem_a.py").write_text(
        "from theory.claims.statement import Faithfulness, printed, statement\n"
        "says = dict(example={'x': 1}, faithfulness=Faithfulness.AS_PRINTED, links=('by magic',))\n"
        "STATEMENT = statement('lem:a', printed('x**2 >= 0', **says))\n"
    )
    with pytest.raises(ProjectError, match="there is no link 'by magic'"):
        _ = project(tmp_path).checks["lem:a"]


def test_a_mean_is_over_a_finite_space_and_says_so() -> None:
    check = made(says="mean(w, X[w]**2) >= 0", example={"p_w": ["1"], "X": ["1"]})
    assert check.links == (FINITE_MEAN,)


@pytest.mark.parametrize("scope", ["every dimension; T = 4 written out", "d = 1, T = 2", "one eigenvalue", "t <= 3"])
def test_literal_sizes_must_be_declared(scope: str) -> None:
    with pytest.raises(ValueError, match="name the sizes"):
        made(scope=scope)
    assert made(scope=scope, instance="T = 4").instance
    assert made(scope=scope, expect=Verdict.REFUTED)


@pytest.mark.parametrize("scope", ["every T = 2n", "T = 2(p+1)", "E a a^T = 2 Sigma", "K = 2 half"])
def test_a_size_that_varies_is_no_instance(scope: str) -> None:
    assert not made(scope=scope).instance


def test_what_a_reading_is_must_be_said() -> None:
    with pytest.raises(TypeError, match="faithfulness"):
        printed("x >= 0")  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="faithfulness"):
        step("disp:1", 1, "x >= 0")  # type: ignore[call-arg]


@pytest.mark.parametrize(
    ("options", "verdict", "status"),
    [
        ({"instance": "d = 1"}, Verdict.PROVED, Status.INSTANCE),
        ({"links": ("tail-bias",)}, Verdict.PROVED, Status.LINKED),
        ({}, Verdict.PROVED, Status.PROVED),
        ({"argument": True}, Verdict.REFUTED, Status.UNFOUNDED),
        ({}, Verdict.REFUTED, Status.REFUTED),
    ],
)
def test_the_graph_shows_what_stands(options: dict[str, Any], verdict: Verdict, status: Status) -> None:
    drawn = graph(Paper((), ()), [record(made(**options), verdict)])
    assert drawn.node("lem:a").status is status


def test_no_reading_of_the_theorem_declares_a_link() -> None:
    for role in (
        "repaired",
        "repaired#as the paper argues",
        "sharper#the algorithm as printed",
        "sharper#our algorithm",
    ):
        assert not checks()[f"thm:full-glm/{role}"].links
    assert checks()["thm:full-glm"].argument


def test_lemmas_of_the_appendix_have_the_step_size_of_line_551() -> None:
    for key in ("lem:var-sigma-l-recursion", "lem:C-1-bound", "lem:L-var-bound-C-l", "lem:inner-loop#v"):
        assert (
            STEP_SIZE.hypothesis.replace("eta", "step") in checks()[key].claim.given
        )  # η is `step` beside the state η_t
        assert checks()[key].expect is Verdict.PROVED
    assert all(549 <= one.line <= 599 for name, one in CONTEXT.items() if name != "T")


def test_a_fact_of_ours_repairs_nothing_and_is_no_erratum() -> None:
    from theory.ledger.summary import is_printed

    ours = record(made(faithfulness=Faithfulness.OURS), Verdict.REFUTED)
    assert not is_printed(ours)
    assert repaired("x >= 0", faithfulness=Faithfulness.TYPO).kind.value == "repaired"


def test_a_refuted_case_and_a_refuted_argument_are_not_called_exactly_as_printed() -> None:
    paper = project("sada")
    records = store.read_all(paper.file("proofs"))
    assert records["thm:full-glm"].reads is Faithfulness.ARGUMENT
    assert records["lem:v-decom"].reads is Faithfulness.CASE  # d = 1, T = 2
    assert records["lem:bias-bound/disp:1576.2"].reads is Faithfulness.AS_PRINTED  # every d, every distribution
    assert records["lem:auxilary-recursion"].reads is Faithfulness.AS_PRINTED
