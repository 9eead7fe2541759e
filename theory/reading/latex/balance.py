"""Do braces, environments and formulas close in the order in which they were opened? If not, where."""

from __future__ import annotations

from dataclasses import dataclass, field

from theory.reading.latex.errors import LatexError
from theory.reading.latex.tokens import Place, Token

CLOSED_BY = {"{": "}", "$": "$", "$$": "$$", r"\[": r"\]", r"\(": r"\)"}
OPENED_BY = {closing: opening for opening, closing in CLOSED_BY.items()}


@dataclass
class Balance:
    """What is open, innermost last: the opening and its place."""

    open: list[tuple[str, Place]] = field(default_factory=list)

    def doubles(self) -> bool:
        """Do two dollars in a row open or close a display here? Inside $ … $ they close and open a formula."""
        return not self.open or self.open[-1][0] != "$"

    def in_prose(self) -> bool:
        """In the running text of the paper, outside of every environment, group and formula."""
        return len(self.open) == 1 and self.open[0][0] == r"\begin{document}"

    def see(self, token: Token) -> None:
        mark = token.text
        dollars = mark in ("$", "$$")
        if (dollars and self.open and self.open[-1][0] == mark) or (mark in OPENED_BY and not dollars):
            self.close(mark, OPENED_BY[mark], token.place)
        else:
            self.open.append((mark, token.place))

    def begin(self, name: str, place: Place) -> None:
        self.open.append((rf"\begin{{{name}}}", place))

    def end(self, name: str, place: Place) -> None:
        self.close(rf"\end{{{name}}}", rf"\begin{{{name}}}", place)

    def close(self, mark: str, opening: str, place: Place) -> None:
        if not self.open:
            raise LatexError(f"{place}: {mark} closes nothing; remove it, or add the missing {opening}")
        last, start = self.open.pop()
        if last != opening:
            wanted = CLOSED_BY.get(last, last.replace(r"\begin", r"\end"))
            raise LatexError(f"{place}: {mark} stands where {last} of {start} is still open; add {wanted}")

    def finish(self) -> None:
        if self.open:
            last, start = self.open[-1]
            wanted = CLOSED_BY.get(last, last.replace(r"\begin", r"\end"))
            raise LatexError(f"{start}: {last} is never closed; add {wanted}")
