"""lemmalab waterfall: the constants side by side, and the factors step by step."""

from __future__ import annotations

import json
from fractions import Fraction

from click.testing import CliRunner

from reports.cli import main
from theory.papers.sada.composition import columns, waterfall


def test_it_shows_the_three_columns_and_every_step() -> None:
    done = CliRunner().invoke(main, ["waterfall"], prog_name="lemmalab")
    assert done.exit_code == 0
    lines = done.stdout.splitlines()
    statistical = next(line for line in lines if line.strip().startswith("statistical"))
    assert "46080" in statistical
    assert "138240" in statistical
    for drop in waterfall():
        assert any(drop.new.key in line and f"{drop.new.symbol}: " in line and "#" in line for line in lines)


def test_a_constant_that_was_too_small_is_shown_as_a_loss() -> None:
    done = CliRunner().invoke(main, ["waterfall"], prog_name="lemmalab")
    lost = next(line for line in done.stdout.splitlines() if "c: 1 -> 3" in line)
    assert "x 3" in lost


def test_its_json_is_the_composition() -> None:
    done = CliRunner().invoke(main, ["waterfall", "--json"], prog_name="lemmalab")
    assert done.exit_code == 0
    body = json.loads(done.stdout)
    assert [Fraction(c["statistical"]) for c in body["columns"]] == [c.statistical for c in columns()]


def test_it_is_among_the_commands() -> None:
    assert "waterfall" in CliRunner().invoke(main, ["--help"], prog_name="lemmalab").stdout


def test_show_puts_the_constants_of_the_theorem_side_by_side() -> None:
    from reports.sada.waterfall_text import side_by_side

    lines = list(side_by_side())
    assert {"printed", "implied", "sharper"} <= set(lines[0].split())
    assert any(line.split()[:3] == ["statistical", "46080", "138240"] for line in lines)
