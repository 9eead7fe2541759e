"""The command line over a small registry of its own: what the tests of `lemmalab` run in."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from reports.cli import main
from tests.theory import standin


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
        return sorted(path.name for path in self.folder.iterdir())


def small_registry(patch: pytest.MonkeyPatch) -> None:
    """Statements, checks and library of the stand-in; everything runs in this process."""
    standin.install(patch)
    patch.setenv("LEMMALAB_JOBS", "1")
    patch.setattr("theory.registry.statements", lambda: standin.STATEMENTS)
    patch.setattr("theory.registry.checks", lambda: standin.CHECKS)
    patch.setattr("theory.registry.library", lambda: {key: check.claim for key, check in standin.CHECKS.items()})


@pytest.fixture
def lab(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Lab:
    small_registry(monkeypatch)
    monkeypatch.chdir(tmp_path)
    return Lab(tmp_path)
