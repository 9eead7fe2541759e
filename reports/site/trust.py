"""The section "Can you trust this?": what `make trust` measured, every miss and every survivor included."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from reports.site.tables import Section, Table
from reports.site.words import plural
from theory.ledger.fingerprint import engine_digest
from theory.ledger.storage import LedgerError, read_json

OUT = Path(".lemmalab") / "trust.json"
UNMEASURED = "not measured"  # such a row is neither met nor missed
PARTS = (
    "second-opinion",
    "inequalities",
    "random-claims",
    "forgeries",
    "mutants",
    "security",
    "numerics",
    "faults",
    "code-mutants",
)
SHIPPED = Path(__file__).parents[1] / "assets" / "trust.json"


def shipped() -> Section:
    """The last figures that were measured, with their date and commit: what a page shows that has none of its own."""
    return _section(json.loads(SHIPPED.read_text(encoding="utf-8")))


def trust_section(file: Path | None) -> Section | None:
    """The measurements in this file, or in the usual place; None when there is none in the usual place."""
    if file is None and not OUT.exists():
        return None
    path = file or OUT
    body = read_json(path)
    try:
        return _section(body)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise LedgerError(
            f"{path} holds no measurements that can be read ({type(error).__name__}: {error}); "
            "write it with `make trust`"
        ) from None


def _section(body: Mapping[str, Any]) -> Section:
    rows: Sequence[Mapping[str, Any]] = body["rows"]
    if not rows:
        raise ValueError("no row")
    table = Table(
        "What the verifier catches",
        ("part", "what", "measured", "goal", "reached"),
        tuple((*(str(row[name]) for name in ("part", "what", "measured", "goal")), reached(row)) for row in rows),
    )
    notes = tuple((str(row["part"]), str(row["what"]), str(note)) for row in rows for note in row["notes"])
    known = (Table("Every survivor, every open case", ("part", "what", "which"), notes, folded=True),) if notes else ()
    return Section(tuple(_words(body, rows)), (), (table, *known))


def reached(row: Mapping[str, Any]) -> str:
    """yes, no, or that nobody looked."""
    if str(row["measured"]).startswith(UNMEASURED):
        return UNMEASURED
    if row["met"] is True:
        return "yes" if row["goal"] else "no goal"
    return "no"


def _words(body: Mapping[str, Any], rows: Sequence[Mapping[str, Any]]) -> list[str]:
    fates = [fate for fate in map(reached, rows) if fate != "no goal"]
    words = []
    if body.get("date"):
        words.append(f"Measured on {body['date']} at commit {body.get('commit') or 'unknown'}.")
    words += [
        f"Of {plural(len(fates), 'measurement')} with a goal, {fates.count('yes')} reached it, "
        f"{fates.count('no')} missed it and {fates.count(UNMEASURED)} could not be made here."
    ]
    absent = [name for name in PARTS if name not in body["seconds"]]
    if absent:
        words.append(f"Not measured at all: {', '.join(absent)}.")
    if body["quick"]:
        words.append("A small sample of everything (`--quick`): the figures are rough.")
    if body.get("engine") != engine_digest():
        words.append("The code has changed since: run `make trust` again for figures of this version.")
    return words
