"""Nothing that is read is run; everything is pinned; and the scan that says so can fail."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.trust import security
from tests.trust.security import ROOT, Audit, findings, unpinned


def project(folder: Path, line: str) -> Path:
    for name in security.FOLDERS:
        (folder / name).mkdir()
    (folder / "theory" / "bad.py").write_text(line + "\n")
    return folder


def test_no_file_is_run_unpickled_or_handed_to_a_shell() -> None:
    assert [str(one) for one in findings()] == []


@pytest.mark.parametrize(
    "line",
    [
        "eval('1')",
        "exec('1')",
        "run = exec",
        "compile('1', 'f', 'eval')",
        "import pickle",
        "import pickle as data",
        "from pickle import loads",
        "import yaml",
        "sympify('x')",
        "import sympy\nsympy.sympify('x')",
        "from sympy import sympify as read",
        "import os\nos.system('ls')",
        "import builtins\nbuiltins.exec('1')",
        "import subprocess\nsubprocess.run('ls', shell=True)",
        "import numpy\nnumpy.load('f', allow_pickle=True)",
        "import runpy",
        "spec.loader.exec_module(module)",
        "HOST = '0.0.0.0'",
    ],
)
def test_the_scan_sees_every_way_to_run_what_was_read(tmp_path: Path, line: str) -> None:
    assert findings(project(tmp_path, line))


@pytest.mark.parametrize("line", ["import re\nre.compile('a')", "ast.literal_eval('1')", "f(shell=False)", "'eval'"])
def test_the_scan_leaves_harmless_code_alone(tmp_path: Path, line: str) -> None:
    assert findings(project(tmp_path, line)) == []


def test_the_allowed_place_is_there_and_is_the_only_one() -> None:
    assert list(security.ALLOWED) == [("theory/claims/userfile.py", "exec_module")]
    assert ".exec_module(" in (ROOT / "theory" / "claims" / "userfile.py").read_text()


def test_every_dependency_is_pinned() -> None:
    assert unpinned() == []


@pytest.mark.parametrize(("old", "new"), [("numpy==", "numpy>="), ("numpy==", "mumpy==")])
def test_a_loose_or_missing_pin_is_noticed(tmp_path: Path, old: str, new: str) -> None:
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    (tmp_path / "requirements.lock").write_text(
        (ROOT / "requirements.lock").read_text().replace(f"\n{old}", f"\n{new}")
    )
    assert unpinned(tmp_path)


def test_an_audit_that_skipped_everything_is_no_audit() -> None:
    skipped = {"name": "numpy", "skip_reason": "not found"}
    sound = {"name": "scipy", "version": "1", "vulns": []}
    bad = {"name": "scipy", "version": "1", "vulns": [{"id": "X-1"}]}
    assert not security._read([skipped]).ran
    assert security._read([skipped, sound]) == Audit(True, "0 known vulnerabilities, 2 packages, 1 of them skipped")
    assert security._read([bad]).vulnerable == ("scipy 1: X-1",)
