"""The command line over a small registry of its own: what the tests of `lemmalab` run in."""

from __future__ import annotations

import importlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from reports.cli import main
from tests.theory import standin
from theory.claims.statement import Statement

module = importlib.import_module("theory.project")  # the package has a function of the same name


@dataclass(frozen=True)
class Lab:
    """An empty folder, a small registry, and `lemmalab`."""

    folder: Path

    def run(self, *args: str) -> Result:
        return CliRunner().invoke(main, list(args), prog_name="lemmalab")

    def json(self, *args: str) -> Any:
        done = self.run(*args, "--json")
        assert done.exception is None or isinstance(done.exception, SystemExit), done.output
        return json.loads(done.stdout)

    def write(self, name: str, text: str) -> str:
        (self.folder / name).write_text(text)
        return name

    def files(self) -> list[str]:
        return sorted(path.name for path in self.folder.iterdir() if not path.name.startswith("."))


def small_registry(patch: pytest.MonkeyPatch) -> None:
    """Statements, checks and library of the stand-in; everything runs in this process."""
    standin.install(patch)
    patch.setenv("LEMMALAB_JOBS", "1")
    use(patch, standin.STATEMENTS)


def use(patch: pytest.MonkeyPatch, statements: Mapping[str, Statement]) -> None:
    """These are the statements of the default paper, which prints what the shipped one prints."""
    small = replace(module.project("sada"), files={"proofs": "no proofs"})
    small.__dict__.update(statements=statements)  # where the cached property keeps what it has read
    usual = module.project
    patch.setattr(module, "project", lambda where=None: usual(where) if where is not None else small)


@pytest.fixture
def lab(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Lab:
    small_registry(monkeypatch)
    monkeypatch.chdir(tmp_path)
    return Lab(tmp_path)
