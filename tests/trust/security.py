"""What the source must not do with what it reads: run it, unpickle it, hand it to a shell; and what is pinned.

The one place that runs foreign code is `theory/claims/userfile.py`: a user's own file of lemmas, named on the command
line. Ledgers, grids, races and checkpoints are data.
"""

from __future__ import annotations

import ast
import importlib.util
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = ("theory", "numerics", "reports")
CALLS = frozenset(
    {"eval", "exec", "compile", "__import__", "sympify", "parse_expr", "exec_module", "run_path", "system"}
)
MODULES = frozenset({"pickle", "cPickle", "dill", "cloudpickle", "shelve", "marshal", "yaml", "runpy"})
PURE = frozenset({"re", "platform"})  # re.compile makes a pattern, platform.system tells a name
ALLOWED = {("theory/claims/userfile.py", "exec_module"): "a user's own file of lemmas, named on the command line"}
PINNED = re.compile(r"^[A-Za-z0-9._-]+==[A-Za-z0-9.+!_-]+$")
EVERYWHERE = frozenset({".".join("0000"), ":" * 2})  # addresses that a served page must not bind to


@dataclass(frozen=True)
class Finding:
    file: str
    line: int
    name: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.name}"


def findings(root: Path = ROOT) -> list[Finding]:
    """Every dangerous call, import and option of the three packages, outside the one allowed place."""
    found = []
    for folder in FOLDERS:
        for path in sorted((root / folder).rglob("*.py")):
            name = str(path.relative_to(root))
            tree = ast.parse(path.read_text(encoding="utf-8"), filename=name)
            found += [Finding(name, line, word) for line, word in _dangers(tree) if (name, word) not in ALLOWED]
    return found


def _dangers(tree: ast.AST) -> Iterator[tuple[int, str]]:
    for node in ast.walk(tree):
        match node:
            case ast.Name(id=name) if name in CALLS - {"system"}:  # under another name as well
                yield node.lineno, name
            case ast.Call(func=ast.Attribute(attr=name, value=owner)) if name in CALLS - {"eval"}:
                if not (isinstance(owner, ast.Name) and owner.id in PURE):
                    yield node.lineno, name
            case ast.Import(names=names):
                yield from ((node.lineno, a.name) for a in names if a.name.split(".")[0] in MODULES)
            case ast.ImportFrom(module=str() as module, names=names):
                if module.split(".")[0] in MODULES:
                    yield node.lineno, module
                yield from ((node.lineno, a.name) for a in names if a.name in CALLS | MODULES and module not in PURE)
            case ast.keyword(arg="shell" | "allow_pickle" as option, value=value) if not _is_false(value):
                yield value.lineno, f"{option}={ast.unparse(value)}"
            case ast.Constant(value=str() as text) if text in EVERYWHERE:
                yield node.lineno, f"the address {text}"


def _is_false(value: ast.expr) -> bool:
    return isinstance(value, ast.Constant) and value.value is False


def unpinned(root: Path = ROOT) -> list[str]:
    """Lines of requirements.lock without an exact version, and dependencies of pyproject.toml that it lacks."""
    import tomllib

    lines = [line.strip() for line in (root / "requirements.lock").read_text().splitlines()]
    kept = [line for line in lines if line and not line.startswith("#")]
    names = {_plain(line.split("==")[0]) for line in kept}
    project = tomllib.loads((root / "pyproject.toml").read_text())["project"]
    wanted = [*project["dependencies"], *(d for group in project["optional-dependencies"].values() for d in group)]
    loose = [line for line in kept if not PINNED.match(line)]
    return loose + [f"{d} is not in requirements.lock" for d in wanted if _plain(_name(d)) not in names]


def _name(requirement: str) -> str:
    found = re.match(r"[A-Za-z0-9._-]+", requirement)
    return found.group() if found else requirement


def _plain(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


@dataclass(frozen=True)
class Audit:
    """What pip-audit says about the pinned versions; `ran` is False where it cannot be asked, and `words` says why."""

    ran: bool
    words: str
    vulnerable: tuple[str, ...] = ()


def audit(root: Path = ROOT, seconds: float = 180.0) -> Audit:
    if importlib.util.find_spec("pip_audit") is None:
        return Audit(False, "pip-audit is not installed; `pip install pip-audit` and run again")
    options = ["-r", "requirements.lock", "--no-deps", "--disable-pip", "--progress-spinner", "off", "-f", "json"]
    command = [sys.executable, "-m", "pip_audit", *options]
    try:
        done = subprocess.run(command, cwd=root, capture_output=True, text=True, timeout=seconds, check=False)
        told = json.loads(done.stdout)["dependencies"]
    except (subprocess.TimeoutExpired, ValueError, KeyError) as error:
        return Audit(False, f"pip-audit did not answer ({type(error).__name__}); it needs the network")
    return _read(told)


def _read(told: list[dict[str, Any]]) -> Audit:
    """A package that pip-audit skipped is not one that it found sound."""
    skipped = [d for d in told if "skip_reason" in d]
    bad = tuple(f"{d['name']} {d['version']}: {v['id']}" for d in told for v in d.get("vulns", ()))
    if len(skipped) == len(told):
        return Audit(
            False, f"pip-audit found no advisories for any of {len(told)} packages: its source is out of reach"
        )
    return Audit(True, f"{len(bad)} known vulnerabilities, {len(told)} packages, {len(skipped)} of them skipped", bad)
