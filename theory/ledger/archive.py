"""Ledgers on disk: read whole and sealed, written whole or not at all, merged with what is still current."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from theory.claims.collection import Library
from theory.claims.statement import Check
from theory.kernel import Claim, KernelError, Malformed, Verdict, judge
from theory.ledger import second, store
from theory.ledger.fingerprint import source_digest
from theory.ledger.records import Ledger, Record, digest, outline, record_from_json, seals
from theory.ledger.storage import LedgerError, by_lines, locked, read_json, write_atomically
from theory.ledger.summary import RIGOROUS

SETTLED = (Verdict.PROVED, Verdict.REFUTED, Verdict.CERTIFIED)


def load(path: Path | str, own: Mapping[str, Claim] = store.NONE) -> Ledger:
    """Read a ledger whose seals are whole; `LedgerError` says where one is broken. `own`: see `record_from_json`."""
    path = Path(path)
    body = read_json(path)
    bodies = outline(body, str(path))
    records = []
    for raw in bodies:
        try:
            record = record_from_json(raw, own)
            broken = [name for name, seal in seals(raw).items() if raw["seals"].get(name) != seal]
        except (Malformed, KeyError, TypeError, AttributeError) as error:
            raise LedgerError(f"{path}: {raw['key']}: {error}; `lemmalab recheck {path}` says more") from None
        if broken:
            raise LedgerError(
                f"{path}: {raw['key']}: {broken[0]} was changed after it was written; "
                f"`lemmalab recheck {path}` says more, `lemmalab check --fresh` writes a new one"
            )
        records.append(record)
    if len({record.key for record in records}) != len(records):
        raise LedgerError(f"{path}: a check stands in it twice; write it again with `lemmalab check --fresh`")
    if body["seal"] != digest([body["header"], [raw["seals"] for raw in bodies], body["statements"]]):
        raise LedgerError(f"{path}: a check was added, removed or moved after it was written; `lemmalab check --fresh`")
    return Ledger(body["header"], tuple(records), body["timings"])


def save(ledger: Ledger, path: Path | str) -> None:
    """Whole or not at all."""
    write_atomically(Path(path), by_lines(ledger.to_json(), "checks"))


def update(path: Path | str, ledger: Ledger, checks: Mapping[str, Check]) -> Ledger:
    """Write the new records into the ledger at `path`, next to those of other checks that are still current."""
    path = Path(path)
    with locked(path):
        merged = merged_with(there(path, Library(checks)), ledger, checks)
        save(merged, path)
    return merged


def there(path: Path, own: Mapping[str, Claim] = store.NONE) -> Ledger | None:
    """The ledger at this place, or None when there is none that can be read."""
    try:
        return load(path, own) if path.exists() else None
    except LedgerError:
        return None


def merged_with(old: Ledger | None, ledger: Ledger, known: Mapping[str, Check]) -> Ledger:
    """The new records, and the old ones of other checks that are still current, judged again."""
    if old is None:
        return ledger
    fresh = ledger.by_key()
    library = Library(known)
    current = [r for r in old.records if r.key in known and r.key not in fresh and is_current(r, known[r.key])]
    kept = {record.key: record for record in (_confirmed(r, library) for r in current) if record is not None}
    every = {**kept, **fresh}
    records = tuple(renewed(every[key], known[key]) for key in known if key in every)
    table = old.timings.get("seconds")
    spent = table if isinstance(table, dict) else {}
    seconds = {**{key: spent.get(key, 0.0) for key in kept}, **ledger.timings.get("seconds", {})}
    header = {name: part for name, part in ledger.header.items() if name != second.PART}
    header |= second.carried((old.header, ledger.header), records)
    return Ledger(header, records, {**ledger.timings, "seconds": seconds})


def _confirmed(record: Record, library: Mapping[str, Claim]) -> Record | None:
    """The record with the judgement that the kernel gives now, None where it refuses the evidence."""
    try:
        return replace(record, judgement=judge(record.claim, record.evidence, library))
    except KernelError:
        return record if record.verdict is Verdict.UNDECIDED and record.problem else None


def renewed(record: Record, check: Check) -> Record:
    """What the project says of the check today, with the evidence as it was kept."""
    return replace(
        record,
        words=check.words,
        repairs=check.repairs,
        display=check.display,
        faithfulness=check.faithfulness,
        kind=check.kind,
        instance=check.instance,
        links=check.links,
        argument=check.argument,
    )


def _has_evidence(record: Record) -> bool:
    """A verdict that rests on evidence has some; whether it is good the kernel says."""
    if record.verdict is Verdict.REFUTED:
        return record.evidence.witness is not None
    return record.verdict not in RIGOROUS or record.evidence.certificate is not None


def is_current(record: Record, check: Check, seed: int | None = None, engine: str | None = None) -> bool:
    """Nothing that the evidence was made from has changed. Open verdicts also depend on the code that searched."""
    if record.source != source_digest(check) or record.claim.digest != check.claim.digest or not _has_evidence(record):
        return False
    if seed is not None and record.seed != seed:
        return False
    return record.verdict in SETTLED or engine is None or record.engine == engine
