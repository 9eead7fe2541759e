"""Theorems of many records, on all cores; what was translated before is read again from a folder."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict
from functools import lru_cache
from pathlib import Path

from theory.coq.theorems import Theorem, names_for, theorem_of
from theory.kernel import Claim, Verdict
from theory.ledger.records import Record
from theory.ledger.second import stamps
from theory.ledger.storage import write_atomically

SOURCES = ("coq", "kernel")  # the rooms whose code a translation depends on
Named = tuple[Record, dict[str, Claim], dict[str, str]]


def theorems_of(records: Iterable[Record], kept: Path | None = None, jobs: int = 1) -> list[Theorem]:
    """A theorem, or the reason why there is none, for every check that is proved or refuted."""
    records = list(records)
    work = _work(records)
    old = _remembered(kept, work, stamps(records)) if kept is not None else {}
    new = {key: one for key, one in work.items() if key not in old}
    made = dict(zip(new, _translated(list(new.values()), jobs), strict=True))
    if kept is not None:
        _remember(kept, made, work, stamps(records))
    return [theorem for key in work if (theorem := old.get(key) or made.get(key)) is not None]


def _work(records: list[Record]) -> dict[str, Named]:
    """Each record with the claims that it cites and the Coq names of what is proved."""
    library = {record.key: record.claim for record in records}
    names = names_for(library)
    citable = {r.key for r in records if r.verdict is Verdict.PROVED}
    found: dict[str, Named] = {}
    for record in records:
        if record.verdict in (Verdict.PROVED, Verdict.REFUTED):
            cited = [key for key in record.judgement.cites if key in library]
            called = {key: names[key] for key in (*(c for c in cited if c in citable), record.key)}
            found[record.key] = record, {key: library[key] for key in cited}, called
    return found


def _translated(work: list[Named], jobs: int) -> list[Theorem | None]:
    if jobs < 2 or len(work) < 2:
        return [theorem_of(*one) for one in work]
    with ProcessPoolExecutor(jobs) as pool:
        return list(pool.map(_one, work))


def _one(work: Named) -> Theorem | None:
    return theorem_of(*work)


def _stamp(named: Named, stamp: str) -> str:
    record, _, names = named
    parts = [_code(), record.statement, json.dumps(names, sort_keys=True), stamp]
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:24]


@lru_cache(maxsize=1)
def _code() -> str:
    rooms = (Path(__file__).resolve().parents[1] / room for room in SOURCES)
    texts = [path.read_bytes() for room in rooms for path in sorted(room.glob("*.py"))]
    return hashlib.sha256(b"\0".join(texts)).hexdigest()


def _remembered(kept: Path, work: Mapping[str, Named], own: Mapping[str, str]) -> dict[str, Theorem]:
    try:
        shelf = json.loads(kept.read_text(encoding="utf-8"))
        held = {key: shelf[key] for key, one in work.items() if shelf.get(key, {}).get("of") == _stamp(one, own[key])}
        return {key: _theorem(one["theorem"]) for key, one in held.items()}
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return {}  # what cannot be read is translated again


def _theorem(body: dict[str, object]) -> Theorem:
    return Theorem(**{**body, **{name: tuple(body[name]) for name in ("lines", "cites")}})  # type: ignore[arg-type]


def _remember(
    kept: Path, made: Mapping[str, Theorem | None], work: Mapping[str, Named], own: Mapping[str, str]
) -> None:
    try:
        shelf = json.loads(kept.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        shelf = {}
    for key, one in made.items():
        if one is not None:
            shelf[key] = {"of": _stamp(work[key], own[key]), "theorem": asdict(one)}
    if made:
        write_atomically(kept, json.dumps(shelf))
