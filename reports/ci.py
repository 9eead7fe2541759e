"""For pages of continuous integration: JUnit XML and a short summary in Markdown."""

from __future__ import annotations

from collections import Counter
from xml.etree import ElementTree

from reports.site.content import Content, ran, verdict_name
from reports.site.findings import findings
from reports.site.words import LABELS, plural
from theory.ledger.records import Record


def junit_xml(content: Content) -> str:
    """One suite for each statement, one case for each check.

    As expected passes, other than expected fails; what did not run or is undecided is an error, never passed over.
    """
    root = ElementTree.Element("testsuites", name="LemmaLab")
    totals: Counter[str] = Counter()
    for statement, records in content.of_statement.items():
        suite = ElementTree.SubElement(root, "testsuite", name=statement)
        counts: Counter[str] = Counter()
        for record in records:
            counts[_case(suite, record, content)] += 1
        _count(suite, counts)
        totals += counts
    _count(root, totals)
    ElementTree.indent(root)
    return '<?xml version="1.0" encoding="utf-8"?>\n' + ElementTree.tostring(root, encoding="unicode") + "\n"


def _count(element: ElementTree.Element, counts: Counter[str]) -> None:
    element.set("tests", str(counts.total()))
    element.set("failures", str(counts["failure"]))
    element.set("errors", str(counts["error"]))
    element.set("skipped", "0")


def _case(suite: ElementTree.Element, record: Record, content: Content) -> str:
    table = content.timings.get("seconds")
    spent = table.get(record.key, 0.0) if isinstance(table, dict) else 0.0
    case = ElementTree.SubElement(suite, "testcase", classname=record.statement, name=_clean(record.key))
    case.set("time", f"{float(spent):.3f}")
    outcome = outcome_of(record)
    if outcome != "passed":
        words = f"expected {record.expected.name}, found {verdict_name(record)}"
        told = ElementTree.SubElement(case, outcome, message=words, type=verdict_name(record))
        told.text = _clean(f"{record.problem or record.judgement.reason}\n{'; '.join(record.claim.says)}")
    return outcome


def outcome_of(record: Record) -> str:
    """passed, failure or error."""
    if not ran(record) or (record.verdict.name == "UNDECIDED" and record.expected.name != "UNDECIDED"):
        return "error"
    return "passed" if record.as_expected else "failure"


def _clean(text: str) -> str:
    """Without the control characters that XML cannot hold."""
    return "".join(c for c in text if c in "\t\n" or ord(c) >= 32)


def markdown_summary(content: Content) -> str:
    """A screenful: counts, gaps, the findings that matter most."""
    counts = Counter(verdict_name(record) for record in content.records)
    lines = [f"# {content.title or 'LemmaLab'}", ""]
    gaps = content.gaps
    missing = sum(i.cover.name == "MISSING" for i in (*content.coverage.statements, *content.coverage.displays))
    if content.odd:
        lines.append(f"**{plural(len(content.odd), 'verdict')} other than expected:** " + _keys(content.odd))
    if not gaps.complete or missing:
        parts = [
            plural(len(gaps.absent) + len(gaps.outdated), "check") + " did not run",
            plural(len(gaps.refused), "verdict") + " not confirmed by the kernel",
            plural(missing, "statement or display", "statements and displays") + " without a check",
        ]
        lines.append(f"**Incomplete:** {', '.join(parts)}.")
    lines += ["", "| verdict | checks |", "|---|---:|"]
    lines += [f"| {LABELS[name]} | {counts[name]} |" for name in LABELS if counts[name]]
    told = findings(content.errata, {s.id: s.kind for s in content.paper.statements}, chosen=content.highlights)
    if told:
        lines += ["", f"## {plural(len(content.errata), 'erratum', 'errata')}, the gravest first", ""]
        lines += [f"{i}. `{f.erratum.key}`: {_plain(f.sentence)}" for i, f in enumerate(told, start=1)]
    return "\n".join(lines).rstrip() + "\n"


def _keys(records: tuple[Record, ...], most: int = 12) -> str:
    shown = ", ".join(f"`{record.key}`" for record in records[:most])
    return shown + (f" and {len(records) - most} more" if len(records) > most else "")


def _plain(text: str) -> str:
    """Nothing in it is markup: a title may hold anything."""
    for sign in "\\`*_<>[]|#":
        text = text.replace(sign, f"\\{sign}")
    return " ".join(text.split())
