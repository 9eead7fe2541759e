"""What the README shows works as shown."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from reports.cli import main
from reports.readme import BLOCK, stale

README = Path(__file__).parents[1] / "README.md"
TEXT = README.read_text(encoding="utf-8")
BLOCKS = re.findall(r"```python\n(.*?)```", TEXT, re.S)


def first_line(block: str) -> str:
    return block.splitlines()[0]


def test_the_readme_shows_python() -> None:
    assert len(BLOCKS) >= 3


@pytest.mark.parametrize("block", BLOCKS, ids=first_line)
def test_a_python_block_of_the_readme_runs(block: str, tmp_path: Path) -> None:
    done = subprocess.run([sys.executable, "-c", block], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_the_layers_are_drawn(tmp_path: Path) -> None:
    block = next(block for block in BLOCKS if "layers.svg" in block)
    subprocess.run([sys.executable, "-c", block], cwd=tmp_path, check=True)
    drawn = (tmp_path / "layers.svg").read_text()
    assert drawn.count("<polyline") == 6


def test_every_output_in_the_readme_is_what_its_command_prints_today() -> None:
    assert len(BLOCK.findall(TEXT)) >= 5
    assert not list(stale(TEXT)), "run python -m reports.readme"


def printed(*words: str) -> str:
    return CliRunner().invoke(main, words).output


def test_the_numbers_in_its_sentences_are_those_that_commands_print() -> None:
    plain = " ".join(TEXT.split())
    coverage = printed("coverage")
    statements = re.search(r"^statements: (\d+)", coverage, re.M)
    displays = re.search(r"^displays: (\d+) of \d+ accounted for \((\d+) checked", coverage, re.M)
    assert statements is not None
    assert displays is not None
    assert f"which of the {statements[1]} statements and {displays[1]} displays" in plain
    assert f"Of the {displays[2]} displays that assert something" in plain
    claims = re.search(r"^rests on (\d+) claims", printed("show", "thm:full-glm/repaired"), re.M)
    assert claims is not None
    assert f"and the {claims[1]} claims below it" in plain
    book = re.search(r"has (\S+) idioms", plain)
    idioms = (README.parent / "COOKBOOK.md").read_text(encoding="utf-8").count("\n### ")
    assert book is not None
    assert (book[1], idioms) == ("thirty-seven", 37)


def test_the_witness_in_its_sentences_is_the_kernels() -> None:
    shown = printed("show", "lem:A-power-bound")
    assert "witness   c = 1/2, η = 1/2, k = 2, λ = 1, q = 6" in shown
    assert "is -5/2 = -2.5" in shown
    assert "At c = η = 1/2, λ = 1, q = 6 and k = 2 it is −5/2." in TEXT


def test_an_output_that_is_no_longer_current_is_found() -> None:
    block = next(found[0] for found in BLOCK.finditer(TEXT) if found[1] == "verdicts")
    assert not list(stale(block))
    (wrong,) = stale(block.replace("| PROVED |", "| SURELY |"))
    assert "SURELY" in wrong


def test_the_readme_is_short_and_its_pictures_are_there() -> None:
    assert len(TEXT.encode()) < 28_000
    pictures = re.findall(r"!\[[^]]*\]\(([^)]+)\)", TEXT)
    assert pictures
    for picture in pictures:
        assert 10_000 < (README.parent / picture).stat().st_size <= 300_000
