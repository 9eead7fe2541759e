"""The second paper that ships: made with `lemmalab new`, all of it judged, nothing of the first one in it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from reports.cli import main
from tests.sada import SADA
from theory.kernel.lang import parse_relation
from theory.project import project
from theory.reading.coverage import coverage
from theory.reading.latex.claims import claim_notation
from theory.reading.latex.document import read_document
from theory.reading.latex.notation import read_notation
from theory.reading.latex.outline import outline
from theory.reading.latex.printer import to_latex
from theory.reading.latex.reader import from_latex
from theory.search import NORMAL, QUICK, search

PAPER = project("potentials")


def test_paper_toml_is_what_the_source_prints() -> None:
    found = outline(read_document(PAPER.root / "potentials.tex"))
    told = {one.id: one for one in (*PAPER.paper.statements, *PAPER.paper.displays)}
    assert [one.id for one in found] == list(told)
    for one in found:
        now = told[one.id]
        assert (one.row["first_line"], one.row["formula"]) == (now.first_line, now.formula.lstrip("\n"))


def test_every_statement_and_display_is_accounted_for() -> None:
    found = coverage(PAPER.paper, PAPER.statements)
    assert found.complete
    assert len(found.statements) == 15


def test_the_kernel_accepts_every_claim_from_the_proofs_that_ship() -> None:
    records = {record.key: record for record in PAPER.judge(jobs=1).records}
    assert set(records) == set(PAPER.checks)
    assert {record.judgement.verdict.name for record in records.values()} == {"PROVED"}
    assert not [key for key, check in PAPER.checks.items() if check.links or check.instance]


@pytest.mark.parametrize("key", list(PAPER.checks))
def test_every_claim_is_printed_in_its_notation_and_read_back(key: str) -> None:
    claim = PAPER.checks[key].claim
    known = claim_notation(claim, read_notation(PAPER.file("symbols")))
    for source in (*claim.says, *claim.given):
        relation = parse_relation(source)
        free = replace(relation, binder=None, more=()) if "vector(d)" in source else relation
        (found,) = from_latex(to_latex(relation, known), known)  # "for all u in R^d" says nothing of a free name
        assert str(found) == str(free).replace("E(", "mean(")


SLIPS = {
    "lem:descent": ("/(2*L)", "/L"),
    "lem:gd-potential": ("(k + 1)*", "(k + 2)*"),
    "lem:contraction": ("1 - mu/L", "1 - 2*mu/L"),
    "lem:pl": ("1 - mu/L", "1 - 2*mu/L"),
    "lem:accelerated-potential": ("f_star) + L/2*norm2(z -", "f_star) + L/4*norm2(z -"),
    "lem:sgd": ("- 2*eta*", "- 3*eta*"),
    "lem:subgradient": ("norm2(x - x_star) -", "1/2*norm2(x - x_star) -"),
    "lem:weights": ("((k + 2)/2)**2", "((k + 3)/2)**2"),
    "thm:rate": ("L*D/(2*A)", "L*D/(3*A)"),
    "lem:averaging": ("t*f[x] + (1 - t)*f[y]", "t*f[y] + (1 - t)*f[x]"),
    "cor:step-size": ("R*sigma/s <=", "2*R*sigma/s <="),
}


@pytest.mark.parametrize("key", SLIPS)
def test_a_slip_planted_in_a_claim_is_refuted(key: str) -> None:
    claim, (old, new) = PAPER.checks[key].claim, SLIPS[key]
    wrong = replace(claim, says=tuple(one.replace(old, new) for one in claim.says))
    assert wrong.says != claim.says
    assert search(wrong, seed=0, effort=NORMAL if claim.kinds else QUICK).witness is not None


def test_report_errata_and_graph_are_of_this_paper(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    run = CliRunner().invoke
    assert run(main, ["--paper", "potentials", "check"]).exit_code == 0
    assert run(main, ["--paper", "potentials", "errata"]).output.startswith("nothing wrong was found in")
    assert "thm:rate" in run(main, ["--paper", "potentials", "graph"]).output
    made = run(main, ["--paper", "potentials", "report", "--out", str(tmp_path / "r")])
    assert made.exit_code == 0, made.output
    page = (tmp_path / "r" / "index.html").read_text("utf-8")
    assert PAPER.title in page
    assert SADA.title not in page
    assert "SADA" not in page
    assert "lem:A-inverse" not in page
