"""What the README shows works as shown."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

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
