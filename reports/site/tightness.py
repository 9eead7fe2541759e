"""How close every inequality comes to failing: left over right at the worst point that search or witness knows."""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction

from reports.charts import Dot, strip
from reports.site.content import Content
from reports.site.figure import Figure
from theory.claims.statement import Kind
from theory.ledger.records import Record

MARKS = ("readings", "steps of proofs")


def tightness_figure(content: Content) -> Figure | None:
    """One row for each statement; None when the ledger knows no ratio at all."""
    rows = list(_rows(content))
    if not rows:
        return None
    dots = [Dot(statement, ratio, key, MARKS.index(mark)) for statement, key, mark, _, ratio in rows]
    at_one = sum(abs(ratio - 1) < 1e-6 for *_, ratio in rows)
    return Figure(
        "tightness",
        "How close each inequality comes to failing",
        f"Left over right at the worst point known, for {len(rows)} inequalities; above 1 it is false. {at_one} are "
        "attained or approached (1 up to a millionth). Identities are left out; "
        "ratios below 10^-12, zero among them, and above 10^6 stand at the ends of the axis. "
        "`lemmalab hunt KEY` searches further.",
        strip(dots, MARKS),
        ("statement", "check", "of", "verdict", "ratio"),
        tuple(rows),
    )


def _rows(content: Content) -> Iterator[tuple[str, str, str, str, float]]:
    for node in content.graph.nodes:
        for record in content.of_statement.get(node.id, ()):
            ratio = worst_ratio(record)
            if ratio is not None:
                mark = MARKS[1] if record.kind is Kind.STEP else MARKS[0]
                yield node.id, record.key, mark, record.verdict.name, ratio


def worst_ratio(record: Record) -> float | None:
    """At the witness if there is one, else the worst of the search; None for identities and what has no number."""
    if all(goal.op in ("==", "!=") for goal in record.claim.goals):
        return None
    told = record.ratio or {}
    try:
        if "left" in told:
            return _quotient(Fraction(str(told["left"])), Fraction(str(told["right"])), str(told["relation"]))
        value = float(str(told.get("worst", "nan")))
    except (ValueError, ZeroDivisionError):
        return None
    return value if math.isfinite(value) and value >= 0 else None


def _quotient(left: Fraction, right: Fraction, relation: str) -> float | None:
    """Small over large, whichever way the relation is written; only where both are positive."""
    if left <= 0 or right <= 0:
        return None
    return float(right / left) if ">" in relation else float(left / right)
