"""Tables that a benchmark puts into README.md."""

from __future__ import annotations

import importlib
from pathlib import Path

import pytest

from bench.common import README, put_table


def test_a_table_is_put_between_its_marks_and_nowhere_else(tmp_path: Path) -> None:
    page = tmp_path / "README.md"
    page.write_text("before\n<!-- table: a -->\nold\n<!-- end -->\nbetween\n<!-- table: b -->\nkept\n<!-- end -->\n")
    put_table("a", ["| x |", "|---|"], page)
    assert page.read_text() == (
        "before\n<!-- table: a -->\n| x |\n|---|\n<!-- end -->\nbetween\n<!-- table: b -->\nkept\n<!-- end -->\n"
    )
    with pytest.raises(ValueError, match="has no table of `c`; put <!-- table: c -->"):
        put_table("c", [], page)


@pytest.mark.parametrize("name", ["estimators", "estimators_constants"])
def test_the_page_has_a_place_for_every_table(name: str) -> None:
    assert f"<!-- table: python -m bench.{name} -->\n|" in README.read_text(encoding="utf-8")


@pytest.mark.parametrize("part", sorted(file.stem for file in (README.parent / "bench").glob("[a-z]*.py")))
def test_every_part_imports_what_it_measures_with(part: str) -> None:
    importlib.import_module(f"bench.{part}")
