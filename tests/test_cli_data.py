"""The commands that print data: coverage, graph, errata, hunt, sharpen, report, doctor."""

from __future__ import annotations

import json
import re
from fractions import Fraction

import pytest

from tests.cli_lab import Lab, lab

__all__ = ["lab"]


def test_coverage_counts_what_is_missing_and_is_not_fine_until_nothing_is(lab: Lab) -> None:
    done = lab.run("coverage")
    assert done.exit_code == 1
    assert "statements: 0 of 68 accounted for (68 missing)" in done.stdout
    assert "displays: 0 of 227 accounted for (227 missing)" in done.stdout
    found = lab.json("coverage")
    assert found["counts"]["displays"]["all"] == len(found["displays"]) == 227
    assert lab.json("coverage", "--section", "Assumptions")["counts"]["statements"]["all"] < 68
    assert lab.run("coverage", "--section", "no such place").exit_code == 2


def test_coverage_lists_everything_on_request(lab: Lab) -> None:
    shown = lab.run("coverage", "--all").stdout
    assert shown.count("missing") > 290


def test_graph_colours_by_computed_status(lab: Lab) -> None:
    dot = lab.run("graph", "--format", "dot").stdout
    assert dot.startswith("digraph paper {")
    assert dot.rstrip().endswith("}")
    assert re.search(r'"lem:bound" \[.*fillcolor="#f6b26b"', dot)
    assert '"lem:means" -> "lem:user";' in dot
    text = lab.run("graph").stdout
    assert "false as printed; a repaired reading is proved" in text


def test_graph_focuses_on_ancestors_and_descendants(lab: Lab) -> None:
    nodes = {node["id"]: node for node in lab.json("graph", "--focus", "lem:user")["nodes"]}
    assert set(nodes) == {"lem:means", "lem:user"}
    assert nodes["lem:means"]["wrong_steps"] == 1
    assert {n["id"] for n in lab.json("graph", "--focus", "lem:user#power")["nodes"]} == {"lem:means", "lem:user"}
    assert "lem:A-inverse" in {n["id"] for n in lab.json("graph", "--focus", "disp:758")["nodes"]}
    done = lab.run("graph", "--focus", "lem:usr")
    assert done.exit_code == 2
    assert "did you mean lem:user" in done.stderr


@pytest.mark.parametrize("form", ["text", "markdown", "latex"])
def test_errata_hold_what_is_wrong_and_the_witness(lab: Lab, form: str) -> None:
    done = lab.run("errata", "-v", "--format", form)
    assert done.exit_code == 0
    for part in ("x = 1/2", "the cross term is lost", "hanges a constant" if form != "text" else "changes a constant"):
        assert part in done.stdout, part


def test_errata_are_narrowed_down_and_what_means_nothing_is_refused(lab: Lab) -> None:
    assert "the cross term is lost" in lab.run("errata", "lem:means").stdout
    done = lab.run("errata", "lem:mens")
    assert done.exit_code == 2
    assert "did you mean lem:means" in done.stderr


def test_a_source_that_is_another_one_is_not_patched(lab: Lab) -> None:
    (lab.folder / "mine.tex").write_text("nothing of the paper\n")
    done = lab.run("errata", "--patch", "mine.tex")
    assert done.exit_code == 1
    assert "nothing is written" in done.stderr


def test_errata_as_json_hold_the_same(lab: Lab) -> None:
    found = json.loads(lab.run("errata", "--format", "json").stdout)
    assert lab.json("errata") == found
    by_key = {erratum["key"]: erratum for erratum in found["errata"]}
    assert {"lem:bound", "lem:means/disp:2.2"} <= set(by_key)
    assert by_key["lem:bound"]["witness"] == {"x": "1/2"}
    assert by_key["lem:bound"]["repairs"][0]["verdict"] == "PROVED"
    assert by_key["lem:means/disp:2.2"]["is_step"] is True
    assert by_key["lem:means/disp:2.2"]["statement_fate"] == "survives"


def test_errata_can_be_written_to_a_file(lab: Lab) -> None:
    done = lab.run("errata", "--format", "latex", "--out", "errata.tex")
    assert done.stdout == ""
    assert (lab.folder / "errata.tex").read_text().startswith("\\documentclass")


def test_the_report_is_one_file_without_network(lab: Lab) -> None:
    assert lab.run("report", "--no-ratios").exit_code == 0
    page = (lab.folder / "report" / "index.html").read_text()
    assert not re.search(r'(src|href)="(?!#|data:|lessons/)', page)
    assert "default-src 'none'" in page
    for part in ("lem:bound", "REFUTED"):
        assert part in page, part
    assert lab.run("report", "--no-ratios", "--out", "page.html").exit_code == 0
    assert (lab.folder / "page.html").is_file()


def test_hunting_something_false_finds_an_exact_witness(lab: Lab) -> None:
    found = lab.json("hunt", "lem:bound", "--seconds", "1")["hunts"][0]
    x = Fraction(found["witness"]["x"])
    assert 0 <= x <= 1
    assert x * (1 - x) > Fraction(1, 5)


MATRICES = """
from theory import lemma

squares = lemma("X@X << Y@Y", given=["X << Y"], kinds={"X": "psd(n)", "Y": "psd(n)"})
young = lemma("u.T@v <= norm2(u)/2 + norm2(v)/2", kinds={"u": "vector(n)", "v": "vector(n)"})
"""


def test_claims_about_matrices_of_every_size_are_hunted_and_sharpened(lab: Lab) -> None:
    (lab.folder / "mine.py").write_text(MATRICES, encoding="utf-8")
    done = lab.run("hunt", "mine.py", "--seconds", "2")
    assert done.exit_code == 1, done.output
    assert "refuted (expected PROVED) at X = [[" in done.stdout
    assert "there the left side is [[" in done.stdout
    assert "exact points drawn" in done.stdout
    done = lab.run("sharpen", "mine.py", "young")
    assert done.exit_code == 0, done.output
    assert "proved with C = 1 (as printed)" in done.stdout
    assert "refuted with C = 92/93 at n = 1" in done.stdout


def test_hunting_something_true_says_how_much_was_tried(lab: Lab) -> None:
    done = lab.run("hunt", "lem:bound/repaired", "--seconds", "1")
    assert done.exit_code == 0
    assert "no violation in" in done.stdout
    assert "seed 0" in done.stdout


def test_points_that_do_not_count_are_no_trials(lab: Lab) -> None:
    text = """from theory import lemma
KINDS = {"g": "vector(d)", "x": "vector(d)", "A": "psd(d)"}
one = lemma("0 <= x.T@A@x + 1", given=["forall(z, vector(d), g.T@z <= norm2(z) + norm2(g))"], kinds=KINDS)
"""
    done = lab.run("hunt", lab.write("mine.py", text), "--seconds", "1")
    assert done.exit_code == 3, done.output
    assert "no violation, and no trial that counts" in done.stdout
    assert "worst" not in done.stdout
    assert "do not count: a hypothesis for every vector was tried there at some vectors" in done.stdout


def test_sharpening_brackets_the_best_constant(lab: Lab) -> None:
    found = lab.json("sharpen", "lem:bound", "--resolution", "1/16")["brackets"]
    assert [one["key"] for one in found] == ["lem:bound/repaired"]
    assert Fraction(found[0]["proved"]) >= 1 > Fraction(found[0]["refuted"])
    done = lab.run("sharpen", "lem:bound", "--resolution", "none")
    assert done.exit_code == 2
    assert "'none' is not a rational number" in done.stderr


def test_there_is_nothing_to_sharpen_in_an_equation(lab: Lab) -> None:
    done = lab.run("sharpen", "lem:means/disp:2.1")
    assert done.exit_code == 3
    assert "no bound with a constant" in done.stderr


def test_the_doctor_finds_the_kernel_in_order(lab: Lab) -> None:
    done = lab.run("doctor")
    assert done.exit_code == 0, done.output
    assert "accepts a proof, rejects a forgery" in done.stdout


def test_a_missing_solver_is_named_with_the_command_that_installs_it(lab: Lab, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("reports.cli.doctor._present", lambda module: module not in ("z3", "cvc5"))
    done = lab.run("doctor")
    assert done.exit_code == 0
    assert re.search(r"missing +z3 .*pip install 'lemmalab\[smt\]'", done.stdout)


def test_a_missing_library_that_is_needed_is_not_fine(lab: Lab, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("reports.cli.doctor._present", lambda module: module != "scipy")
    found = lab.json("doctor")
    assert found["ok"] is False
    assert lab.run("doctor").exit_code == 1
    assert {f["name"]: f["remedy"] for f in found["findings"]}["scipy"] == "pip install scipy"


def test_sharpening_says_when_its_time_is_over(lab: Lab) -> None:
    irrational = """from theory import lemma
best = lemma("x*y + y*z + x*z*7 <= 9*(x**2 + y**2 + z**2)")
"""
    (lab.folder / "mine.py").write_text(irrational, encoding="utf-8")
    done = lab.run("sharpen", "mine.py", "best", "--seconds", "1", "--resolution", f"1/{10**90}")
    assert "stopped after 1 s of processor time; --seconds gives it more" in done.output
