"""Content hashes: what a piece of evidence was made from, so that unchanged checks are not proved again."""

from __future__ import annotations

import hashlib
import inspect
from collections.abc import Callable, Iterable
from functools import lru_cache, partial
from pathlib import Path
from typing import Any

from theory.claims.statement import Check
from theory.ledger.storage import canonical

ROOT = Path(__file__).resolve().parents[1]
ENGINE = ("provers", "search", "ledger/referee.py")


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


def _code(function: Callable[..., Any] | None) -> str | None:
    """The file that the function is written in, with the helpers beside it (names with a leading underscore)."""
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
    helpers = sorted(path.parent.glob("_*.py")) if ROOT in path.parents else []
    return f"{name} {bound} {_tree((path, *helpers))}"


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
