"""Re-verify a ledger from its JSON alone: the kernel and nothing else. No prover, no search, no registry.

Certificates, witnesses and examples are checked again; every recorded verdict must be the one that the kernel computes.
What the kernel cannot re-derive is counted and named: searches and solver answers are taken as recorded.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from theory.claims.statement import Check
from theory.kernel import Claim, Evidence, Judgement, KernelError, Malformed, Verdict, judge, standing
from theory.ledger.ratio import ratio_of
from theory.ledger.records import DECLARED, JUDGED, Record, digest, outline, record_from_json, record_of, seals
from theory.ledger.second import stale
from theory.ledger.storage import canonical, read_json
from theory.ledger.summary import RIGOROUS, summaries

NOT_REDERIVED = (Verdict.SUPPORTED, Verdict.CITED, Verdict.UNDECIDED)


@dataclass(frozen=True)
class Finding:
    """Something that is not as recorded: which check, which part of it, what is wrong."""

    key: str
    path: str
    message: str

    def __str__(self) -> str:
        return f"{self.key}: {self.path}: {self.message}"


@dataclass(frozen=True)
class Recheck:
    """rederived: verdicts that rest on the kernel alone; on_record: on searches and citations.

    uncompared   what was not compared with what the project declares, in words
    """

    checks: int
    rederived: int
    on_record: int
    findings: tuple[Finding, ...]
    uncompared: str = ""

    @property
    def passed(self) -> bool:
        return not self.findings and self.checks > 0 and not self.uncompared

    def to_json(self) -> dict[str, Any]:
        found = [{"key": f.key, "path": f.path, "message": f.message} for f in self.findings]
        counts = {"checks": self.checks, "rederived": self.rederived}
        return {
            **counts,
            "on_record": self.on_record,
            "passed": self.passed,
            "findings": found,
            "uncompared": self.uncompared,
        }


def against(
    found: Recheck, ledger: Mapping[str, Any], checks: Iterable[Check], owner: Callable[[str], str], unread: str = ""
) -> Recheck:
    """Compare every declared field with these `checks`: what differs, what is missing, what nobody declares.

    unread   what of the project could not be read, in words; nothing is then called unknown
    """
    raws = {raw["key"]: raw for raw in ledger.get("checks", ()) if isinstance(raw, dict) and "key" in raw}
    known = {check.key: check for check in checks}
    findings = [one for key, check in known.items() for one in _compared(key, check, owner(key), raws.get(key))]
    if not unread:
        words = "stands in the ledger, but the project declares no such check"
        findings += [Finding(key, "key", words) for key in raws if key not in known]
    return replace(found, findings=(*found.findings, *findings), uncompared=unread)


def _compared(key: str, check: Check, statement: str, raw: Mapping[str, Any] | None) -> list[Finding]:
    if raw is None:
        return [Finding(key, "key", "is declared by the project, but the ledger has no record of it")]
    declared = record_of(check, Evidence(), Judgement(Verdict.UNDECIDED, "", ""), statement=statement).to_json()
    found = [
        Finding(key, name, f"recorded {raw.get(name)!r}, but the project declares {declared[name]!r}")
        for name in DECLARED
        if raw.get(name) != declared[name]
    ]
    if not _says(raw.get("claim"), check.claim):
        words = "is proved or refuted here, but it is not what this version reads from the paper"
        found.append(Finding(key, "claim", words))
    evidence = raw.get("evidence")
    source = evidence.get("cited_source") if isinstance(evidence, dict) else None
    if source is not None and source != check.source:
        words = f"recorded {source!r}, but the project names {check.source or 'no source'!r}"
        found.append(Finding(key, "evidence.cited_source", words))
    return found


def _says(recorded: Any, claim: Claim) -> bool:
    return isinstance(recorded, dict) and {**recorded, "digest": None} == {**claim.to_json(), "digest": None}


def recheck(path: Path | str) -> Recheck:
    """Raises `LedgerError` when the file is no ledger; everything else that is wrong becomes a finding."""
    path = Path(path)
    return recheck_json(read_json(path), str(path))


def recheck_json(
    body: Any, name: str = "ledger", progress: Callable[[int, int, Record], None] | None = None
) -> Recheck:
    raws = outline(body, name)
    records: dict[str, Record] = {}
    findings: list[Finding] = []
    for raw in raws:
        record, wrong = _read(raw)
        findings += wrong
        if raw["key"] in records:
            findings.append(Finding(raw["key"], "key", "this check stands twice in the ledger"))
        elif record is not None:
            records[raw["key"]] = record
    library = {key: record.claim for key, record in records.items()}
    for done, record in enumerate(records.values()):
        if progress is not None:
            progress(done, len(records), record)
        findings += _judged(record, library)
    findings += _whole(body, raws, list(records.values()))
    on_record = sum(record.verdict in NOT_REDERIVED for record in records.values())
    return Recheck(len(raws), len(records) - on_record, on_record, tuple(findings))


def _read(raw: Mapping[str, Any]) -> tuple[Record | None, list[Finding]]:
    key = str(raw["key"])
    found = _broken_seals(key, raw)
    try:
        record = record_from_json(raw)
    except Malformed as error:
        return None, [*found, Finding(key, str(error).split(":")[0].split(" ")[0], str(error))]
    if canonical(record.to_json()) != canonical(dict(raw)) and not found:
        found = [Finding(key, "record", "holds something that the ledger's format does not; write the ledger again")]
    return record, found


def _broken_seals(key: str, raw: Mapping[str, Any]) -> list[Finding]:
    recorded = raw.get("seals")
    if not isinstance(recorded, dict):
        return [Finding(key, "seals", "the record has no seals")]
    try:
        computed = seals(raw)
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        return [Finding(key, "record", f"a part is missing or of the wrong form ({type(error).__name__}: {error})")]
    names = [*computed, *(name for name in recorded if name not in computed)]
    return [
        Finding(key, _shown(name), "was changed after it was written: its seal is broken")
        for name in names
        if computed.get(name) != recorded.get(name)
    ]


def _shown(part: str) -> str:
    return {
        "judged": "/".join(JUDGED),
        "declared": "expected, kind, display or words",
        "made": "source, engine, seed or ratio",
    }.get(part, part)


def _judged(record: Record, library: Mapping[str, Claim]) -> list[Finding]:
    """The kernel's own verdict against the recorded one, part by part."""
    try:
        own = judge(record.claim, record.evidence, library)
    except KernelError as error:
        if record.problem and _refused(record):
            return []
        return [Finding(record.key, _where(record.evidence, str(error)), f"the kernel rejects it: {error}")]
    except Exception as error:
        message = f"the kernel cannot read it ({type(error).__name__}: {error})"
        return [Finding(record.key, _where(record.evidence, ""), message)]
    if record.problem:
        return (
            []
            if _refused(record)
            else [Finding(record.key, "problem", "a check with a problem has a verdict all the same")]
        )
    found = _differences(record, own)
    if ratio_of(record.claim, record.evidence) != record.ratio:
        found.append(
            Finding(
                record.key, "ratio", f"recorded {record.ratio}, recomputed {ratio_of(record.claim, record.evidence)}"
            )
        )
    return found


def _refused(record: Record) -> bool:
    return record.verdict is Verdict.UNDECIDED and record.evidence == Evidence()


def _differences(record: Record, own: Judgement) -> list[Finding]:
    found = []
    for part in ("verdict", "reason", "scope", "cites", "rules"):
        recorded, computed = getattr(record.judgement, part), getattr(own, part)
        if recorded != computed:
            shown = [v.name if isinstance(v, Verdict) else repr(v) for v in (recorded, computed)]
            found.append(Finding(record.key, part, f"recorded {shown[0]}, but the kernel computes {shown[1]}"))
    return found


def _where(evidence: Evidence, message: str) -> str:
    if "the point" in message and evidence.witness is None:
        return "claim.example"
    if evidence.witness is not None and ("witness" in message or "point" in message or evidence.certificate is None):
        return "evidence.witness"
    return "evidence.certificate" if evidence.certificate is not None else "evidence"


def _whole(body: Mapping[str, Any], raws: list[Any], records: list[Record]) -> list[Finding]:
    """Citations run in no circle; the statements follow from their checks; nothing was added or removed."""
    try:
        own = {name: summary.to_json() for name, summary in summaries(records).items()}
        stands = standing({record.key: record.judgement for record in records})
    except KernelError as error:
        return [Finding("ledger", "cites", str(error))]
    found = [
        Finding(record.key, "cites", f"{record.verdict.name}, but it rests on what is not proved for every point")
        for record in records
        if record.verdict in RIGOROUS and stands[record.key] is Verdict.UNDECIDED
    ]
    for name in sorted({*own, *body["statements"]}):
        if own.get(name) != body["statements"].get(name) and len(records) == len(raws):
            found.append(
                Finding(name, "statements", f"recorded {body['statements'].get(name)}, computed {own.get(name)}")
            )
    if len(records) == len(raws):
        words = "the header says that a second checker accepted it, but not this claim with this evidence"
        found += [Finding(key, "header.second", words) for key in stale(body["header"], records)]
    if body["seal"] != digest([body["header"], [raw.get("seals") for raw in raws], body["statements"]]):
        found.append(Finding("ledger", "seal", "a check was added, removed or moved, or the header was changed"))
    return found
