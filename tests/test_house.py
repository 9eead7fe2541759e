"""The house: who imports whom, and that the engine knows no paper."""

from __future__ import annotations

import ast
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.sada import SADA
from theory.project import project, shipped

ROOT = Path(__file__).resolve().parents[1]
PACKAGES = ("numerics", "theory", "reports")
ALLOWED = {
    "kernel": set(),
    "claims": {"kernel"},
    "search": {"kernel"},
    "provers": {"kernel", "claims", "search"},
    "ledger": {"kernel", "claims", "provers", "search"},
    "reading": {"kernel", "claims", "ledger"},
    "project": {"kernel", "claims", "ledger", "reading"},
    "detectors": {"kernel", "claims", "reading", "project"},
    "mutants": {"kernel", "claims", "provers", "search"},
    "derivation": {"kernel", "claims", "provers", "ledger", "reading"},
    "coq": {"kernel", "ledger"},
    "ratios": {"kernel", "claims", "search", "project"},
    "plugin": {"kernel", "claims", "ledger", "project"},
}
OWN = ("theory/papers/", "reports/sada/", "tests/", "numerics/", "bench/")  # of the paper, or not the engine
PAPERS = re.compile(rf"theory[./]papers[./]({'|'.join(shipped())})\b")


def sources(*folders: str) -> Iterator[tuple[str, str]]:
    listed = subprocess.run(["git", "ls-files", *folders], cwd=ROOT, capture_output=True, text=True, check=True)
    for name in listed.stdout.split():
        path = ROOT / name
        if path.suffix in (".py", ".j2", ".js", ".toml") and path.is_file():
            yield name, path.read_text(encoding="utf-8")


def imports(name: str, text: str) -> Iterator[str]:
    """Every module of ours that the file imports, lazily too."""
    package = name.removesuffix(".py").replace("/", ".").removesuffix(".__init__").split(".")
    level = package if name.endswith("__init__.py") else package[:-1]
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = ".".join(level[: len(level) - node.level + 1]) if node.level else ""
            module = ".".join(part for part in (base, node.module or "") if part)
            yield module
            yield from (f"{module}.{alias.name}" for alias in node.names)


def room(module: str) -> str:
    parts = module.split(".")
    return parts[1] if parts[0] == "theory" and len(parts) > 1 else ""


def edges() -> dict[str, set[str]]:
    """The rooms of theory, and which others each imports."""
    found: dict[str, set[str]] = {}
    for name, text in sources("theory"):
        here = room(name.removesuffix(".py").replace("/", "."))
        if not name.endswith(".py") or here in ("papers", "__init__", "conftest", "test_claims"):
            continue
        there = {room(module) for module in imports(name, text)} - {"", here}
        found.setdefault(here, set()).update(there & {*ALLOWED, "papers"})
    return found


def test_rooms_import_only_the_rooms_below_them() -> None:
    found = edges()
    print(
        "\n".join(f"{here}: {', '.join(sorted(there)) or 'nothing of ours'}" for here, there in sorted(found.items()))
    )
    assert found["kernel"] == set()
    for here, there in found.items():
        beyond = there - ALLOWED[here] - ({"papers"} if here == "project" else set())
        assert not beyond, f"theory/{here} imports {sorted(beyond)}"


def test_no_two_rooms_import_each_other() -> None:
    order = list(ALLOWED)
    for here, there in ALLOWED.items():
        assert all(order.index(one) < order.index(here) for one in there), here


@pytest.mark.parametrize("package", PACKAGES)
def test_imports_point_one_way(package: str) -> None:
    above = PACKAGES[PACKAGES.index(package) + 1 :]
    for name, text in sources(package):
        if name.endswith(".py"):
            wrong = [module for module in imports(name, text) if module.split(".")[0] in (*above, "tests", "bench")]
            assert not wrong, f"{name} imports {wrong[0]}"


def test_papers_are_imported_by_name_only() -> None:
    for name, text in sources(*PACKAGES):
        if name.endswith(".py") and not name.startswith(OWN):
            wrong = [m for m in imports(name, text) if PAPERS.match(m) and not m.startswith("theory.papers.DEFAULT")]
            assert not wrong, f"{name} imports {wrong[0]}"


def test_nothing_but_the_paper_names_its_labels_its_constants_or_its_title() -> None:
    paper = SADA.paper
    labels = {one.id for one in (*paper.statements, *paper.displays)} | {one.label for one in paper.statements}
    labels -= {""}
    constants = {"46080", "14.25"}
    word = re.compile(rf"(?<![\w-])({'|'.join(sorted(map(re.escape, labels), key=len, reverse=True))})(?![\w-])")
    for name, text in sources(*PACKAGES):
        if name.startswith(OWN):
            continue
        known = word.findall(text)
        assert not known, f"{name} names {known[0]}"
        assert SADA.title not in text, f"{name} names the title"
        assert not any(re.search(rf"(?<![\d.]){re.escape(one)}(?!\d)", text) for one in constants), name
        assert name == "theory/papers/__init__.py" or not PAPERS.search(text), f"{name} names a paper"


def test_every_shipped_paper_can_be_read() -> None:
    assert SADA.name in shipped()
    for name in shipped():
        assert project(name).statements
