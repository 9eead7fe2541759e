"""Every block of COOKBOOK.md runs, and each lemma has the verdict that the comment below it says."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from theory.claims.userfile import load_file
from theory.ledger.examples import Unfit, prepared
from theory.ledger.referee import referee

BOOK = Path(__file__).parents[1] / "COOKBOOK.md"
BLOCK = re.compile(r"^### (?P<title>.+?)$.*?^```python\n(?P<code>.*?)^```", re.MULTILINE | re.DOTALL)
BLOCKS = {one["title"]: one["code"] for one in BLOCK.finditer(BOOK.read_text())}
SAID = re.compile(r"^# (\w+): ([A-Z]+)$", re.MULTILINE)


def test_every_idiom_has_a_block_and_a_verdict() -> None:
    text = BOOK.read_text()
    assert len(BLOCKS) == text.count("\n### ") == text.count("```python") >= 30
    assert all(SAID.findall(code) for code in BLOCKS.values())


@pytest.mark.parametrize("title", BLOCKS)
def test_an_idiom_has_the_verdict_that_the_book_says(title: str, tmp_path: Path) -> None:
    file = tmp_path / "idiom.py"
    file.write_text(BLOCKS[title])
    checks = load_file(file)
    library = {name: check.claim for name, check in checks.items()}
    found = {}
    for name, check in checks.items():
        ready = prepared(check)
        assert not isinstance(ready, Unfit), ready
        found[name] = referee(ready, library)[1].verdict.name
    assert found == dict(SAID.findall(BLOCKS[title]))
