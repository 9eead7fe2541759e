"""What the report is made from: the ledger against the registry and the paper, judged once more by the kernel.

What did not run is never left out: it stands among the records as undecided, with `NOT_RUN` as its reason, so that
nothing that rests on it is shown as proved.
"""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from types import MappingProxyType
from typing import Any

from reports.site.tables import Proved, proved_of
from reports.site.typeset import Typesetter
from theory.claims.statement import Check, Statement
from theory.kernel import Claim, Evidence, Judgement, KernelError, Verdict, judge, standing
from theory.ledger.judging import Ledger
from theory.ledger.records import Record, record_of
from theory.ledger.second import accepted
from theory.ledger.stands import labelled
from theory.ledger.versions import versions
from theory.reading.coverage import Coverage, coverage
from theory.reading.errata import NO_SLIPS, Erratum, Finding, Slips, errata, from_findings
from theory.reading.graph import Graph, graph
from theory.reading.latex.notation import Notation
from theory.reading.paper import Paper

NOT_RUN = "did not run"
REFUSED = "the kernel does not confirm the ledger"
Progress = Callable[[int, int, str], None]


@dataclass(frozen=True)
class Gaps:
    """What the ledger lacks, key by key.

    absent      checks of the registry that have no record
    outdated    records of a claim that has changed since; they count as absent
    strangers   records of checks that the registry does not know; they are left out
    refused     records whose verdict the kernel did not give again
    """

    absent: tuple[str, ...]
    outdated: tuple[str, ...]
    strangers: tuple[str, ...]
    refused: tuple[str, ...]

    @property
    def complete(self) -> bool:
        return not (self.absent or self.outdated or self.strangers or self.refused)


@dataclass(frozen=True)
class Known:
    """What a project knows about its slips beside the verdicts: places, standing context, findings of detectors."""

    slips: Slips = NO_SLIPS
    context: tuple[Any, ...] = ()
    findings: tuple[Finding, ...] = ()


@dataclass(frozen=True)
class Content:
    """Everything that the sections show."""

    paper: Paper
    statements: Mapping[str, Statement]
    header: Mapping[str, object]
    timings: Mapping[str, object]
    records: tuple[Record, ...]
    gaps: Gaps
    commit: str
    title: str = ""
    highlights: Mapping[str, str] = field(default_factory=dict)
    links: Mapping[str, str] = field(default_factory=dict)
    known: Known = field(default_factory=lambda: Known())
    notation: Notation = field(default_factory=Notation)

    @cached_property
    def typesetter(self) -> Typesetter:
        return Typesetter(self.notation)

    @cached_property
    def graph(self) -> Graph:
        return graph(self.paper, self.records)

    @cached_property
    def errata(self) -> tuple[Erratum, ...]:
        rows = errata(self.paper, self.records, self.known.slips, self.known.context)
        return from_findings(self.known.findings, rows)

    @cached_property
    def coverage(self) -> Coverage:
        return coverage(self.paper, self.statements)

    @cached_property
    def by_key(self) -> dict[str, Record]:
        return {record.key: record for record in self.records}

    @cached_property
    def of_statement(self) -> dict[str, list[Record]]:
        found: dict[str, list[Record]] = {}
        for record in self.records:
            found.setdefault(record.statement, []).append(record)
        return found

    @cached_property
    def stands(self) -> dict[str, Verdict]:
        """The verdict of every check over everything that its proof cites."""
        return standing({record.key: record.judgement for record in self.records})

    @cached_property
    def also(self) -> dict[str, str]:
        """The second checker that accepted a check with this claim and this evidence."""
        return accepted(Ledger(dict(self.header), self.records))

    @cached_property
    def proved(self) -> Proved:
        """The readings that are proved for every size, over everything that they cite, with the links below them."""
        return proved_of(record for record in self.records if self.stands[record.key] is record.verdict)

    @property
    def odd(self) -> tuple[Record, ...]:
        """Verdicts other than expected, among those that ran."""
        return tuple(record for record in self.records if ran(record) and not record.as_expected)


def ran(record: Record) -> bool:
    return record.problem != NOT_RUN


def verdict_name(record: Record) -> str:
    return record.shown if ran(record) else "NOT RUN"


def gather(
    paper: Paper,
    ledger: Ledger,
    statements: Mapping[str, Statement],
    progress: Progress | None = None,
    *,
    title: str = "",
    highlights: Mapping[str, str] = MappingProxyType({}),
    links: Mapping[str, str] = MappingProxyType({}),
    known: Known | None = None,
    notation: Notation | None = None,
) -> Content:
    """Compare, judge again, and say what is missing.

    title, highlights   how the page is headed, and what is told first, by the key of a refuted check
    links, notation     what the links by hand say, and how the paper writes its names
    known               where slips stand and how they are corrected
    """
    registry = {check.key: check for one in statements.values() for check in one.checks}
    owner = {check.key: one.id for one in statements.values() for check in one.checks}
    held = ledger.by_key()
    outdated = tuple(k for k, r in held.items() if k in registry and r.claim.digest != registry[k].claim.digest)
    kept = {k: _renewed(r, registry[k], owner[k]) for k, r in held.items() if k in registry and k not in outdated}
    claims = {key: record.claim for key, record in kept.items()}
    records, refused = [], []
    for position, (key, check) in enumerate(registry.items(), start=1):
        record = kept.get(key)
        confirmed = absent(check, owner[key]) if record is None else _confirmed(record, claims)
        if record is not None and confirmed is not record:
            refused.append(key)
        records.append(confirmed)
        if progress is not None:
            progress(position, len(registry), key)
    gaps = Gaps(
        absent=tuple(key for key in registry if key not in kept and key not in outdated),
        outdated=outdated,
        strangers=tuple(key for key in held if key not in registry),
        refused=tuple(refused),
    )
    named = title or str(ledger.header.get("paper", ""))
    return Content(
        paper,
        statements,
        ledger.header,
        ledger.timings,
        labelled(records),
        gaps,
        commit(),
        named,
        dict(highlights),
        links,
        known or Known(),
        notation or Notation(),
    )


def _renewed(record: Record, check: Check, statement: str) -> Record:
    """Words and expectations are those of today; claim, evidence and verdict those of the ledger."""
    return replace(
        record,
        statement=statement,
        expected=check.expect,
        words=check.words,
        repairs=check.repairs,
        display=check.display,
        faithfulness=check.faithfulness,
        kind=check.kind,
        instance=check.instance,
        links=check.links,
        argument=check.argument,
    )


def absent(check: Check, statement: str) -> Record:
    """The place of a check that did not run."""
    judgement = Judgement(Verdict.UNDECIDED, NOT_RUN, check.claim.scope)
    return record_of(check, Evidence(), judgement, statement=statement, problem=NOT_RUN)


def _confirmed(record: Record, claims: Mapping[str, Claim]) -> Record:
    """The very record when the kernel gives its verdict again; else undecided, with the reason."""
    try:
        again = judge(record.claim, record.evidence, claims)
        if again.verdict is record.verdict:
            return record
        reason = f"{REFUSED}: it says {again.verdict.name}, the ledger {record.verdict.name}"
    except KernelError as error:
        if record.verdict is Verdict.UNDECIDED:
            return record
        reason = f"{REFUSED}: {error}"
    return replace(record, judgement=Judgement(Verdict.UNDECIDED, reason, record.judgement.scope), problem=reason)


def commit() -> str:
    """The commit of the code, and whether files have changed since; empty when git does not know."""
    home = Path(__file__).resolve().parent
    head = _git(home, "rev-parse", "--short=12", "HEAD")
    return (
        f"{head} with uncommitted changes"
        if head and _git(home, "status", "--porcelain", "--untracked-files=no")
        else head
    )


def _git(home: Path, *arguments: str) -> str:
    try:
        done = subprocess.run(["git", "-C", str(home), *arguments], capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return ""
    return done.stdout.strip()


def _second(content: Content) -> str:
    """How many of the proofs and refutations another checker accepted, and which."""
    settled = [r for r in content.records if ran(r) and r.verdict in (Verdict.PROVED, Verdict.REFUTED)]
    checkers = ", ".join(sorted(set(content.also.values())))
    told = sum(record.key in content.also for record in settled)
    return f"{checkers} accepted {told} of {len(settled)} proofs and refutations" if told else ""


def stamp(content: Content) -> dict[str, str]:
    """What a reader needs in order to make the page again."""
    made_with = content.header.get("versions")
    known = made_with if isinstance(made_with, dict) else versions()
    return {
        "judged": str(content.timings.get("created", "")),
        "seed": str(content.header.get("seed", "")),
        "effort": str(content.header.get("effort", "")),
        "commit": content.commit,
        "second checker": _second(content),
        **{name: str(version) for name, version in sorted(known.items()) if version},
    }
