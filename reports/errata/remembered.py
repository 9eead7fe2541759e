"""The rows of a paper that ships, kept from the run in which the kernel judged everything behind them.

They are a function of the code of `theory`, of the files of the paper, of the ledger and of the proofs in this folder:
a digest of all of these is their name. They are signed with the key of the judgements that are remembered
(`theory.ledger.memory`), so that rows brought from elsewhere, or edited, are as good as none.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import platform
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import asdict, fields, is_dataclass
from enum import Enum
from pathlib import Path
from types import UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

import theory
from theory.ledger.memory import Memory
from theory.ledger.storage import canonical, write_atomically
from theory.ledger.versions import version_of
from theory.project import Project
from theory.reading.errata.rows import Erratum

PACKAGE = Path(theory.__file__).parent
KEPT = 4  # files of rows; older ones go

Rows = tuple[tuple[Erratum, ...], tuple[str, ...]]  # and the checks that nobody has compared with the print


def recalled(project: Project, others: Iterable[Path], seed: int, memory: Memory, make: Callable[[], Rows]) -> Rows:
    """The rows and what is not listed, from memory when nothing has changed since they were made."""
    if memory.key is None or not project.root.is_relative_to(PACKAGE):
        return make()
    name = _digest([PACKAGE, *others], [project.name, seed])
    path = memory.folder / f"errata-{name[:16]}.json"
    kept = _read(path, name, memory)
    if kept is not None:
        return kept
    made = make()
    body = _plain([[asdict(row) for row in made[0]], list(made[1])])
    with suppress(OSError):
        write_atomically(path, json.dumps([name, body, memory.signed(name, body)]))
        for old in sorted(memory.folder.glob("errata-*.json"), key=lambda one: -one.stat().st_mtime)[KEPT:]:
            old.unlink()
    return made


def _digest(places: Iterable[Path], more: list[Any]) -> str:
    """Of every file in these folders, by its name and its content."""
    told = hashlib.sha256(canonical([*more, platform.python_version(), version_of("python-flint")]))
    for place in places:
        files = [place] if place.is_file() else sorted(one for one in place.rglob("*") if one.is_file())
        for file in files:
            if "__pycache__" not in file.parts:
                told.update(canonical([str(file.relative_to(place)), hashlib.sha256(file.read_bytes()).hexdigest()]))
        told.update(b"|")
    return told.hexdigest()


def _read(path: Path, name: str, memory: Memory) -> Rows | None:
    with suppress(OSError, ValueError, TypeError):
        named, body, signature = json.loads(path.read_text(encoding="utf-8"))
        if named == name and hmac.compare_digest(signature, memory.signed(name, body)):
            rows, strange = body
            return tuple(_value(Erratum, row) for row in rows), tuple(map(str, strange))
    return None


def _plain(value: Any) -> Any:
    """As JSON has it; enums by their values."""
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, Mapping):
        return {str(key): _plain(inner) for key, inner in value.items()}
    return [_plain(inner) for inner in value] if isinstance(value, list | tuple) else value


def _value(kind: Any, body: Any) -> Any:
    """The value of this type that was written so."""
    if get_origin(kind) in (Union, UnionType):
        return None if body is None else _value(next(one for one in get_args(kind) if one is not type(None)), body)
    if is_dataclass(kind):
        hints = get_type_hints(kind)
        return kind(**{one.name: _value(hints[one.name], body[one.name]) for one in fields(kind)})  # type: ignore[operator]
    if get_origin(kind) is tuple:
        inner = get_args(kind)
        return tuple(_value(one, part) for one, part in zip(_kinds(inner, len(body)), body, strict=True))
    return kind(body) if isinstance(kind, type) and issubclass(kind, Enum) else body


def _kinds(inner: tuple[Any, ...], count: int) -> tuple[Any, ...]:
    return (inner[0],) * count if inner[-1:] == (...,) else inner
