"""Content hashes: what a piece of evidence was made from, so that unchanged checks are not proved again."""

from __future__ import annotations

import ast
import hashlib
import inspect
from collections.abc import Callable, Iterable
from functools import lru_cache, partial
from pathlib import Path
from typing import Any

from theory.claims.statement import Check
from theory.ledger.storage import canonical

ROOT = Path(__file__).resolve().parents[1]
PAPERS = "theory.papers."
ENGINE = ("provers", "search", "ledger/referee.py")
JUDGE = ("kernel",)


def source_digest(check: Check) -> str:
    """Claim, expectation, witness, search space, the script of the proof, and the code of plan and experiment."""
    parts: list[Any] = [
        check.claim.digest,
        check.claim.scope,
        check.expect.name,
        None if check.witness is None else check.witness.as_dict(),
        [[name, list(bounds)] for name, bounds in check.space],
        check.source,
        _script(check.proof),
        _code(check.experiment),
        _numerics() if check.experiment is not None else None,
    ]
    return hashlib.sha256(canonical(parts)).hexdigest()[:16]


def _script(proof: Any) -> Any:
    """A skeleton is data and counts as it is written; a function counts with the file that it is written in."""
    return proof if isinstance(proof, (dict, list)) else _code(proof)


def engine_digest() -> str:
    """The code that looks for proofs and witnesses."""
    return _tree(tuple(ROOT / name for name in ENGINE))


def kernel_digest() -> str:
    """The code that gives verdicts."""
    return _tree(tuple(ROOT / name for name in JUDGE))


def _code(function: Callable[..., Any] | None) -> str | None:
    """What the function is called with, and the code that it is written in."""
    if function is None:
        return None
    inner: Any = inspect.unwrap(function)
    bound: list[str] = []
    while isinstance(inner, partial):
        bound.append(f"{inner.args!r} {sorted(inner.keywords.items())!r}")
        inner = inner.func
    name = str(getattr(inner, "__qualname__", type(inner).__qualname__))
    try:
        path = Path(inspect.getfile(inner if inspect.isroutine(inner) else type(inner)))
    except (TypeError, OSError):
        return f"{name} {bound}"
    return f"{name} {bound} {_meaning(_imported(path))}"


@lru_cache(maxsize=1024)
def _imported(start: Path) -> tuple[Path, ...]:
    """The file and what it imports of papers, as far as that goes. The tactics that all scripts share do not count."""
    found: dict[Path, None] = {}
    todo = [start]
    while todo:
        path = todo.pop()
        if path not in found:
            found[path] = None
            todo += _paper_modules(path)
    return tuple(sorted(found))


@lru_cache(maxsize=1024)
def _paper_modules(path: Path) -> tuple[Path, ...]:
    """The files of papers that an import statement of this file names, the packages around them left out."""
    named: list[str] = []
    for node in ast.walk(ast.parse(path.read_bytes())):
        if isinstance(node, ast.ImportFrom) and node.module is not None and node.level == 0:
            named += [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
    places = (ROOT.parent.joinpath(*name.split(".")).with_suffix(".py") for name in named if name.startswith(PAPERS))
    return tuple(place for place in places if place.is_file())


@lru_cache(maxsize=1024)
def _meaning(files: tuple[Path, ...]) -> str:
    """The code of the files without its comments, docstrings and layout."""
    return hashlib.sha256("".join(f"{file.name} {_code_of(file)}" for file in files).encode()).hexdigest()[:16]


@lru_cache(maxsize=1024)
def _code_of(file: Path) -> str:
    tree = ast.parse(file.read_bytes())
    for node in ast.walk(tree):
        body = getattr(node, "body", None)
        if isinstance(body, list) and body and _is_text(body[0]):
            del body[0]
    return hashlib.sha256(ast.dump(tree).encode()).hexdigest()


def _is_text(node: ast.AST) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)


def _numerics() -> str:
    return _tree((ROOT.parent / "numerics",))


@lru_cache(maxsize=4096)
def _tree(paths: tuple[Path, ...]) -> str:
    total = hashlib.sha256()
    for file in _files(paths):
        total.update(file.name.encode() + b"\0" + file.read_bytes())
    return total.hexdigest()[:16]


def _files(paths: Iterable[Path]) -> list[Path]:
    found: list[Path] = []
    for path in paths:
        found += sorted(path.rglob("*.py")) if path.is_dir() else [path] if path.exists() else []
    return found
