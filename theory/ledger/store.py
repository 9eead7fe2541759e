"""Evidence kept statement by statement: a folder with one file each, read and written one at a time.

Such a folder ships with a paper (`proofs/`), and one is kept in `.lemmalab`. Verdicts in it are never shown: the kernel
judges the evidence anew.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from types import MappingProxyType

from theory.claims.collection import module_name
from theory.kernel import Claim, Malformed
from theory.ledger.records import Record, record_from_json, seals
from theory.ledger.storage import LedgerError, dumps, read_json, write_atomically

_CITES = re.compile(rb'"cites": \[([^\]]+)\]')
FORMAT = "lemmalab proofs"
SCHEMA = 2
NONE: Mapping[str, Claim] = MappingProxyType({})


def place(folder: Path, statement: str) -> Path:
    """Names that differ in their signs only have files of their own."""
    name = module_name(statement)
    plain = statement.lower().replace(":", "_").replace("-", "_")
    if plain != name:
        name = f"{name}-{hashlib.sha256(statement.encode()).hexdigest()[:8]}"
    return folder / f"{name}.json"


def read(folder: Path, statement: str, own: Mapping[str, Claim] = NONE) -> dict[str, Record]:
    """The records of one statement by key; nothing when there is no file, or none that can be read."""
    path = place(folder, statement)
    return {r.key: r for r in _records(path, own)} if path.is_file() else {}


def read_all(folder: Path, own: Mapping[str, Claim] = NONE) -> dict[str, Record]:
    """Every record of the folder by key."""
    return {record.key: record for path in sorted(folder.glob("*.json")) for record in _records(path, own)}


def write(folder: Path, records: Iterable[Record]) -> None:
    """Each statement into its own file, when that changes; records of other checks of the statement are replaced."""
    grouped: dict[str, list[Record]] = {}
    for record in records:
        grouped.setdefault(record.statement, []).append(record)
    for statement, group in grouped.items():
        body = {
            "format": FORMAT,
            "schema": SCHEMA,
            "statement": statement,
            "checks": [record.to_json() for record in group],
        }
        path, text = place(folder, statement), dumps(body)
        if not path.is_file() or path.read_text(encoding="utf-8") != text:
            write_atomically(path, text)


def merged(folder: Path, records: Iterable[Record], known: Mapping[str, object]) -> list[Record]:
    """The new records, and of the same statements the old ones that are still checks."""
    fresh = {record.key: record for record in records}
    homes = dict.fromkeys(record.statement for record in fresh.values())
    old = {key: r for home in homes for key, r in read(folder, home).items() if key in known}
    return list({**old, **fresh}.values())


def citing(folders: Iterable[Path], statement: str) -> list[str]:
    """The statements of which a kept proof cites this one. Files are searched as bytes, none is parsed."""
    needle = f'"{statement}'.encode()
    start = re.compile(re.escape(needle) + rb'["/#]')
    name = b'\n "statement": "'
    found: dict[str, None] = {}
    for folder in folders:
        for path in sorted(folder.glob("*.json")) if folder.is_dir() else ():
            body = path.read_bytes()
            at = body.rfind(name) if needle in body else -1
            home = body[at + len(name) :].partition(b'"')[0].decode() if at >= 0 else statement
            if home != statement and any(start.search(cites) for cites in _CITES.findall(body)):
                found[home] = None
    return list(found)


def _records(path: Path, own: Mapping[str, Claim]) -> list[Record]:
    """Records whose seals are whole; a damaged one is as good as none, for it is proved again."""
    found = []
    try:
        body = read_json(path)
        if body.get("format") != FORMAT or body.get("schema") != SCHEMA:
            return []
        for raw in body["checks"]:
            if seals(raw) == raw["seals"]:
                found.append(record_from_json(raw, own))
    except (LedgerError, Malformed, KeyError, TypeError, AttributeError, ValueError):
        return found
    return found
