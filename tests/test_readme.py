"""What the README shows works as shown."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

README = Path(__file__).parents[1] / "README.md"
BLOCKS = re.findall(r"```python\n(.*?)```", README.read_text(), re.S)


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
