"""`lemmalab ratios`, and what the report makes of the results."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from reports.cli import main
from reports.site.ratios import figures, notation, overview, section
from theory.project import project
from theory.ratios import ratios_of

LEMMAS = """
from theory.claims.userfile import lemma

half = lemma("x*y <= (x**2 + y**2)/2")
broken = lemma("x*y <= (x**2 + y**2)/3")
zero = lemma("x**2 - 2*x*y + y**2 >= 0")
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "lemmas.py"
    path.write_text(LEMMAS, encoding="utf-8")
    return path


def run(*args: object) -> Result:
    return CliRunner().invoke(main, ["ratios", *map(str, args)], prog_name="lemmalab")


def test_the_text_plot_marks_what_fails_and_says_where_there_is_no_data(file: Path) -> None:
    done = run(file)
    assert done.exit_code == 0
    lines = {line.split()[0]: line for line in done.output.splitlines() if line[:1].isalpha()}
    assert "x" in lines["broken"].split("|")[-1] or " x " in lines["broken"]
    assert "no data: compared with zero" in lines["zero"]
    assert "\x1b" not in done.output
    assert done.output.splitlines()[-1] == "3 statements, 3 with a bound; as printed 1 fail; no data: 1"


def test_json_has_trials_worst_value_worst_place_and_kinds_of_every_result(file: Path) -> None:
    results = {one["id"]: one for one in json.loads(run(file, "--json").output)["results"]}
    assert results["broken"]["worst"] > 1
    assert results["broken"]["fails"]
    assert results["half"]["worst"] <= 1
    for name in ("half", "broken"):
        assert results[name]["trials"] > 100
        assert results[name]["worst_design"]
        assert results[name]["bounds"] == ["as printed"]
    assert (results["zero"]["worst"], results["zero"]["trials"], results["zero"]["bounds"]) == (None, 0, [])
    assert results["zero"]["no_data"]


def test_csv_has_one_row_for_each_reading(file: Path) -> None:
    rows = list(csv.DictReader(run(file, "--csv").output.splitlines()))
    assert [row["check"] for row in rows] == ["half", "broken", "zero"]
    assert rows[2]["worst"] == ""
    assert rows[2]["no data"]


def test_one_format_at_a_time_and_an_unknown_id_is_named(file: Path) -> None:
    assert run(file, "--csv", "--json").exit_code == 2
    done = run(file, "hal")
    assert done.exit_code == 2
    assert "did you mean half" in done.output


def test_a_project_without_any_ratio_is_inconclusive(tmp_path: Path) -> None:
    path = tmp_path / "zero.py"
    path.write_text("from theory.claims.userfile import lemma\nzero = lemma('x**2 >= 0')\n", encoding="utf-8")
    assert run(path).exit_code == 3


def test_the_section_counts_and_the_figures_carry_their_numbers(file: Path) -> None:
    results = ratios_of(project(file))
    shown = section(results)
    assert shown.section is not None
    assert "fails for 1 statement " in shown.section.words[1]
    assert "No data: zero." in shown.section.words[1]
    drawn = overview(results)
    assert drawn.svg.index("broken") < drawn.svg.index("half") < drawn.svg.index("zero")
    pictures = figures(results)
    assert "There is no data" in pictures["zero"][0].caption
    assert any(float(str(row[-1])) > 1 for row in pictures["broken"][0].rows)


def test_points_are_told_in_the_notation_of_the_paper() -> None:
    latex = {"kt": "\\tilde{\\kappa}", "lam": "\\lambda", "Ll": "L_\\ell", "R2": "R^2"}
    found = notation("kt = 3, lam[1] = 0.5, Ll = 2, R2 = 1, theta = 1/16, k = 4", latex)
    assert found == "κ\u0303 = 3, λ[1] = 0.5, L_ℓ = 2, R² = 1, θ = 1/16, k = 4"
