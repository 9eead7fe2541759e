"""Tables of a TOML file are kept for this user: for exactly this text, and only as they were written."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest

from theory.claims import cache
from theory.claims.files import ProjectError, toml_of


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv(cache.PLACE, str(tmp_path / "cache"))
    return tmp_path / "cache"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "symbols.toml"
    path.write_text('[[symbol]]\nname = "κ"\nholds = [1, 2.5, true]\n', encoding="utf-8")
    return path


def unparsed(text: str) -> dict[str, Any]:
    raise AssertionError(f"read again: {text[:20]!r}")


def entry(home: Path) -> Path:
    (found,) = (home / "tables").iterdir()
    return found


def test_what_was_read_is_not_parsed_again(home: Path, file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    read = toml_of(file)
    monkeypatch.setattr(tomllib, "loads", unparsed)
    assert toml_of(file) == read == {"symbol": [{"name": "κ", "holds": [1, 2.5, True]}]}
    assert toml_of(file) is not toml_of(file)


def test_an_edited_file_is_read_again(home: Path, file: Path) -> None:
    toml_of(file)
    file.write_text('name = "other"\n', encoding="utf-8")
    assert toml_of(file) == {"name": "other"}
    assert len(list((home / "tables").iterdir())) == 1


def test_an_edited_entry_counts_for_nothing(home: Path, file: Path) -> None:
    read = toml_of(file)
    body = entry(home).read_bytes()
    entry(home).write_bytes(body.replace(b"2.5", b"3.5"))
    assert toml_of(file) == read
    entry(home).write_bytes(body[:-4])
    assert toml_of(file) == read


def test_an_entry_from_elsewhere_counts_for_nothing(home: Path, file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    toml_of(file)
    theirs = entry(home)
    monkeypatch.setenv(cache.PLACE, str(home.with_name("mine")))
    toml_of(file)
    mine = entry(home.with_name("mine"))
    assert mine.name == theirs.name
    mine.write_bytes(theirs.read_bytes())
    monkeypatch.setattr(tomllib, "loads", unparsed)
    with pytest.raises(AssertionError, match="read again"):
        toml_of(file)


def test_what_is_no_json_is_read_every_time(home: Path, file: Path) -> None:
    file.write_text("day = 2024-01-01\n", encoding="utf-8")
    assert toml_of(file)["day"].year == 2024 == toml_of(file)["day"].year


def test_a_folder_that_cannot_be_written_keeps_nothing(home: Path, file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home.write_text("a file, and no folder", encoding="utf-8")
    assert toml_of(file)["symbol"]
    (home.with_name("a")).mkdir()
    monkeypatch.setenv(cache.PLACE, str(home.with_name("a")))
    (home.with_name("a") / "tables").write_text("a file, and no folder", encoding="utf-8")
    assert toml_of(file)["symbol"]


@pytest.mark.parametrize("text", [b"\xff\xfe", b"name = ", b"\xef\xbb\xbf= 1"])
def test_a_file_that_cannot_be_read_is_refused_with_its_name(home: Path, file: Path, text: bytes) -> None:
    file.write_bytes(text)
    for _ in range(2):
        with pytest.raises(ProjectError, match=r"symbols\.toml cannot be read"):
            toml_of(file)
