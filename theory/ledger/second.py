"""What a second checker said, kept beside the proofs and bound to their content.

`lemmalab recheck --coq --ship` writes the record of a run. An entry holds the stamp of a check: a digest of its claim,
of its certificate or witness, and of everything that it cites. A check whose stamp is another one has lost its entry;
so has every check once the files that print what a theorem says have changed. Nobody types an entry.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from theory.kernel import Verdict
from theory.ledger.records import Ledger, Record
from theory.ledger.storage import LedgerError, canonical, dumps, read_json, write_atomically

FORMAT = "lemmalab second opinion"
PART = "second"  # of a ledger's header
PRINTERS = Path(__file__).resolve().parents[1] / "coq"
TRUSTED = (
    "statement.py",
    "kinds.py",
    "reserved.py",
)  # they say what a theorem says; so do the definitions in *.v, but for
LEMMAS = ("Sequences.v", "Directions.v", "Bounds.v")  # where there are none


@dataclass(frozen=True)
class Opinion:
    """`accepted` holds the stamps of what the checker accepted, `reasons` why there is no such theorem."""

    checker: str
    printer: str
    accepted: Mapping[str, str] = field(default_factory=dict)
    reasons: Mapping[str, str] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        body = {"checker": self.checker, "printer": self.printer}
        return {"format": FORMAT, **body, "accepted": dict(self.accepted), "reasons": dict(self.reasons)}


def stamps(records: Iterable[Record]) -> dict[str, str]:
    """The content that an opinion is about: claim, evidence, and what is cited, all the way down."""
    by_key = {record.key: record for record in records}
    done: dict[str, str] = {}

    def stamp(key: str, path: tuple[str, ...]) -> str:
        if key not in by_key or key in path:
            return ""
        if key not in done:
            record = by_key[key]
            below = [[cited, stamp(cited, (*path, key))] for cited in sorted(record.judgement.cites)]
            done[key] = _digest([record.claim.digest, record.verdict.name, _evidence(record), below])
        return done[key]

    return {key: stamp(key, ()) for key in by_key}


def _evidence(record: Record) -> Any:
    if record.verdict is Verdict.REFUTED:
        return (record.evidence.witness or {}).get("point")
    return record.evidence.certificate


def _digest(value: Any) -> str:
    return hashlib.sha256(canonical(value)).hexdigest()[:24]


@lru_cache(maxsize=1)
def printer() -> str:
    """A digest of the files that say what a theorem says."""
    library = (path for path in PRINTERS.glob("*.v") if path.name not in LEMMAS)
    paths = sorted([*library, *(PRINTERS / name for name in TRUSTED)])
    return _digest([[path.name, path.read_text(encoding="utf-8")] for path in paths])


def signed(ledger: Ledger, path: Path) -> Ledger:
    """The ledger with what the shipped record says of its checks as they stand."""
    opinion = read(path) if path.is_file() else None
    if opinion is None or opinion.printer != printer():
        return ledger
    held = matching({opinion.checker: opinion.accepted}, ledger.records)
    return replace(ledger, header={**ledger.header, PART: held}) if held else ledger


def carried(headers: Iterable[Mapping[str, Any]], records: Iterable[Record]) -> dict[str, Any]:
    """The part of these headers that is still about these records, for a ledger that is put together from several."""
    found: dict[str, dict[str, str]] = {}
    for header in headers:
        for checker, entries in _part(header).items():
            found.setdefault(checker, {}).update(entries)
    held = matching(found, records)
    return {PART: held} if held else {}


def matching(said: Mapping[str, Mapping[str, str]], records: Iterable[Record]) -> dict[str, dict[str, str]]:
    """The entries whose stamps are those of the records."""
    own = stamps(records)
    held = {who: {key: mark for key, mark in one.items() if own.get(key) == mark} for who, one in said.items()}
    return {who: entries for who, entries in held.items() if entries}


def accepted(ledger: Ledger) -> dict[str, str]:
    """For every check that a second checker accepted as it stands: who that was, "Coq 8.16.1"."""
    held = matching(_part(ledger.header), ledger.records)
    return {key: checker for checker, entries in held.items() for key in entries}


def stale(header: Mapping[str, Any], records: Iterable[Record]) -> list[str]:
    """The checks that a header calls accepted and that are other ones now."""
    said = _part(header)
    held = matching(said, records)
    return sorted({key for who, entries in said.items() for key in entries.keys() - held.get(who, {}).keys()})


def _part(header: Mapping[str, Any]) -> dict[str, dict[str, str]]:
    """What a header says, where it has the right form."""
    part = header.get(PART)
    if not isinstance(part, dict):
        return {}
    return {str(who): {str(k): str(v) for k, v in one.items()} for who, one in part.items() if isinstance(one, dict)}


def read(path: Path) -> Opinion:
    body = read_json(path)
    parts = [body.get(name) for name in ("accepted", "reasons")] if isinstance(body, dict) else []
    marks = [dict(part) for part in parts if isinstance(part, dict)]
    named = len(marks) == 2 and all(isinstance(body.get(name), str) for name in ("checker", "printer"))
    if not named or body.get("format") != FORMAT:
        raise LedgerError(f"{path} is not the record of a second checker; write it again with `make coq`")
    return Opinion(body["checker"], body["printer"], *({str(k): str(v) for k, v in part.items()} for part in marks))


def earlier(path: Path, made: str, own: Mapping[str, str]) -> dict[str, dict[str, str]]:
    """What a record says, by its checker, of checks that are still the same and are printed in the same way."""
    opinion = read(path) if path.is_file() else None
    if opinion is None or opinion.printer != made:
        return {}
    return {opinion.checker: {key: mark for key, mark in opinion.accepted.items() if own.get(key) == mark}}


def write(path: Path, opinion: Opinion) -> None:
    write_atomically(path, dumps(opinion.to_json()))
