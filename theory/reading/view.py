"""A statement that shows itself: in a terminal as text, in a notebook as a small table."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from html import escape

from theory.claims.statement import Check, Statement
from theory.kernel import Verdict
from theory.ledger.records import Record
from theory.reading import typeset
from theory.reading.paper import PaperStatement

MARK = {
    Verdict.PROVED: "proved",
    Verdict.CERTIFIED: "certified",
    Verdict.SUPPORTED: "supported",
    Verdict.UNDECIDED: "undecided",
    Verdict.REFUTED: "refuted",
    Verdict.CITED: "cited",
}


class Rulings(dict[str, Verdict]):
    """Verdicts by key, with the records that they come from; they show themselves."""

    def __init__(self, records: Sequence[Record]) -> None:
        super().__init__((record.key, record.verdict) for record in records)
        self.records = tuple(records)

    def __repr__(self) -> str:
        return "\n".join(f"{r.key}  {r.told}  {r.problem or r.judgement.reason}" for r in self.records)

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><td>{escape(r.key)}</td><td>{escape(r.told)}</td>"
            f"<td>{'<br>'.join(map(typeset.html, r.claim.says))}</td>"
            f"<td>{escape(r.problem or r.judgement.reason)}</td></tr>"
            for r in self.records
        )
        return f"<table><tr><th>check</th><th>verdict</th><th>says</th><th>because</th></tr>{rows}</table>"


@dataclass(frozen=True)
class View:
    """What the paper prints and what is checked about it; `judge()` runs the referee now."""

    printed: PaperStatement | None
    statement: Statement
    ruling: Callable[[list[str], int], Sequence[Record]]

    def judge(self, seed: int = 0) -> Rulings:
        """The verdict of every check of this statement, on evidence kept earlier or on what is found now."""
        return Rulings(self.ruling([check.key for check in self.statement.checks], seed))

    def __repr__(self) -> str:
        title = f"{self.statement.id}: {self.printed.title}" if self.printed else self.statement.id
        lines = [title, f"  {self.statement.summary}"] if self.statement.summary else [title]
        lines += [
            f"  {check.key}  [{MARK[check.expect]}]  {'; '.join(check.claim.says)}" for check in self.statement.checks
        ]
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        title = escape(f"{self.statement.id}: {self.printed.title}" if self.printed else self.statement.id)
        rows = "".join(_row(check) for check in self.statement.checks)
        head = "<tr><th>check</th><th>expected</th><th>says</th><th>in words</th></tr>"
        return f"<h4>{title}</h4><p>{escape(self.statement.summary)}</p><table>{head}{rows}</table>"


def _row(check: Check) -> str:
    says = "<br>".join(map(typeset.html, check.claim.says))
    cells = (escape(check.key), MARK[check.expect], says, escape(check.words))
    return "<tr>" + "".join(f"<td>{cell}</td>" for cell in cells) + "</tr>"
