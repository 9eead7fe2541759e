"""Lemmas of one's own in Python and notebooks: `lemma(...).judge()` gives the verdict, which shows itself.

from theory import lemma

lemma("a*b <= (a**2 + b**2)/2").judge()          # PROVED: proved for all parameters; …
lemma("x**2 <= 2*x", given="x >= 0").judge()     # REFUTED … at x = 3, where 9 <= 6 fails
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import wraps
from html import escape
from typing import Any

from theory.claims import userfile
from theory.claims.statement import Check
from theory.kernel import Claim, Verdict
from theory.ledger.records import Record
from theory.reading import typeset

GREEN, RED, YELLOW = "#2e7d4f", "#b3261e", "#8a6d00"


@dataclass(frozen=True)
class Judged:
    """A verdict with what it rests on: `witness` is a point that refutes, `ratio` has both sides there."""

    record: Record

    @property
    def verdict(self) -> Verdict:
        return self.record.verdict

    @property
    def witness(self) -> dict[str, Any] | None:
        found = (self.record.evidence.witness or {}).get("point")
        return dict(found) if found is not None else None

    @property
    def ratio(self) -> dict[str, Any] | None:
        return self.record.ratio

    def __repr__(self) -> str:
        return "\n".join(
            [f"{self.verdict.name}: {self.verdict.value}", *(f"  {name} {value}" for name, value in self._facts())]
        )

    def _repr_html_(self) -> str:
        colour = {Verdict.PROVED: GREEN, Verdict.CERTIFIED: GREEN, Verdict.REFUTED: RED}.get(self.verdict, YELLOW)
        head = f'<p><strong style="color:{colour}">{self.verdict.name}</strong>: {escape(self.verdict.value)}</p>'
        formulas = "".join(f"<p>{typeset.html(source)}</p>" for source in self.record.claim.says)
        rows = "".join(f"<tr><th>{escape(name)}</th><td>{escape(value)}</td></tr>" for name, value in self._facts()[1:])
        return f"{head}{formulas}<table>{rows}</table>"

    def _repr_latex_(self) -> str | None:
        return typeset.display(self.record.claim.says)

    def _facts(self) -> list[tuple[str, str]]:
        """says, given, because, and the witness with both sides, or how close the search came."""
        claim, found = self.record.claim, [("says", "; ".join(self.record.claim.says))]
        if claim.given:
            found.append(("given", ", ".join(claim.given)))
        found.append(("because", self.record.problem or self.record.judgement.reason))
        if self.witness is not None:
            found.append(("witness", ", ".join(f"{name} = {value}" for name, value in self.witness.items())))
        ratio = self.ratio or {}
        if "left" in ratio:
            found.append(("there", f"the left side is {ratio['left']}, the right side {ratio['right']}"))
        elif "worst" in ratio:
            found.append(("ratio", f"at worst {ratio['worst']} (left over right) in the search"))
        return found


@dataclass(frozen=True)
class Lemma(Check):
    """A claim of one's own; `judge()` searches, proves and lets the kernel decide."""

    def judge(self, *, cites: Iterable[Check] = (), seed: int = 0, thorough: bool = False) -> Judged:
        """The kernel's verdict. `cites`: other lemmas that a proof may cite; they are judged as well."""
        from theory.ledger.examples import Unfit, prepared
        from theory.ledger.judging import as_it_stands, check_all

        ready = prepared(self, seed)
        if isinstance(ready, Unfit):
            raise ValueError(ready.message)
        known = {check.key: check for check in (ready, *cites)}
        effort = "thorough" if thorough else "normal"
        found = as_it_stands(check_all([self.key], checks=known, seed=seed, jobs=1, effort=effort))
        return Judged(found.by_key()[self.key])

    def __repr__(self) -> str:
        given = f" given {', '.join(self.claim.given)}" if self.claim.given else ""
        return f"lemma: {'; '.join(self.claim.says)}{given} (not judged; .judge() judges it)"

    def _repr_html_(self) -> str:
        formulas = "".join(f"<p>{typeset.html(source)}</p>" for source in self.claim.says)
        return f"{formulas}<p><em>Not judged: <code>.judge()</code> judges it.</em></p>"

    def _repr_latex_(self) -> str | None:
        return typeset.display(self.claim.says)

    def named(self, name: str) -> Lemma:
        """The same under a name that other lemmas can cite it by."""
        claim: Claim = replace(self.claim, id=name)
        return replace(self, claim=claim)


@wraps(userfile.lemma)
def lemma(says: Any, **options: Any) -> Lemma:
    made = userfile.lemma(says, **options, made_of=Lemma)
    assert isinstance(made, (Lemma, userfile.Refused))
    return made  # what stands for a refused lemma says so whatever is done with it
