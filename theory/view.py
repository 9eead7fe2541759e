"""A statement that shows itself: in a terminal as text, in a notebook as a small table."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape

from theory.kernel import Verdict
from theory.paper import PaperStatement, load
from theory.registry import checks, statements
from theory.statement import Check, Statement

MARK = {
    Verdict.PROVED: "proved",
    Verdict.CERTIFIED: "certified",
    Verdict.SUPPORTED: "supported",
    Verdict.UNDECIDED: "undecided",
    Verdict.REFUTED: "refuted",
    Verdict.CITED: "cited",
}


@dataclass(frozen=True)
class View:
    """What the paper prints and what is checked about it; `judge()` runs the referee now."""

    printed: PaperStatement | None
    statement: Statement

    def judge(self, seed: int = 0) -> dict[str, Verdict]:
        """Search, prove and let the kernel decide every check of this statement."""
        from theory.referee import referee
        from theory.registry import library

        return {check.key: referee(check, library(), seed=seed)[1].verdict for check in self.statement.checks}

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
    cells = (check.key, MARK[check.expect], "; ".join(check.claim.says), check.words)
    return "<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in cells) + "</tr>"


def claim(id_: str) -> View:
    """The statement with this id (or the statement that a check's key belongs to)."""
    known = statements()
    owner = id_ if id_ in known else next((s.id for s in known.values() if any(c.key == id_ for c in s.checks)), None)
    if owner is None:
        import difflib

        close = difflib.get_close_matches(id_, sorted({*known, *checks()}), n=3, cutoff=0.4)
        raise KeyError(
            f"no statement or check has the id {id_!r}" + (f"; did you mean {', '.join(close)}?" if close else "")
        )
    printed = {s.id: s for s in load().statements}.get(owner)
    return View(printed, known[owner])
