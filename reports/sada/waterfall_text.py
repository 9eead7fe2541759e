"""For `lemmalab waterfall`: the theorem's constant, printed, implied and sharper, and that of our algorithm; who loses
which factor."""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from reports.cli.common import paint, table
from theory.reading.numbers import bound

if TYPE_CHECKING:
    from theory.papers.sada.composition import Column, Drop

THEOREM = "thm:full-glm"
WIDTH = 48  # of the longest bar


class Constants:
    """The theorem's constants for `lemmalab waterfall`, and for `lemmalab show` of the theorem."""

    title = THEOREM

    def to_json(self) -> dict[str, Any]:
        from theory.papers.sada.composition import to_json

        return {"constants": to_json()}

    def lines(self) -> Iterator[str]:
        yield "\nconstants of the theorem, s c w A (1+g), with the chain of lemmas behind them"
        yield from side_by_side()
        yield ""
        yield from caveats()
        yield "  `lemmalab waterfall` draws them."

    def waterfall(self) -> Iterator[str]:
        yield from _lines()


WATERFALL = Constants()
READINGS = ("/repaired", "/repaired#as the paper argues", "/sharper#the algorithm as printed", "/sharper#our algorithm")
SHOW = {THEOREM: WATERFALL, **{f"{THEOREM}{one}": WATERFALL for one in READINGS}}


def side_by_side() -> Iterator[str]:
    """The constants of the theorem, printed, implied and sharper, and of our algorithm, each with its check."""
    from theory.papers.sada.composition import columns, ours

    yield from table(list(_constants(*columns(), ours())), indent="  ")


def _lines() -> Iterator[str]:
    from theory.papers.sada.composition import beyond, columns, gain, waterfall

    printed, implied, _ = columns()
    yield f"{THEOREM}: the constant in front of alpha tr(H^-1 Q)/n is s c w A (1+g)"
    yield ""
    yield from side_by_side()
    yield ""
    other = ["another algorithm, ours:", "", "", "", ""]
    yield from table(
        [_bar("printed", printed.statistical), *map(_drop, waterfall()), other, *map(_drop, beyond())], indent="  "
    )
    yield ""
    lost = implied.statistical / printed.statistical
    yield f"  printed -> implied: {number(lost)} times larger; implied -> sharper: {float(gain()):.4g} times smaller"
    yield ""
    yield from caveats()
    yield f"  `lemmalab show {THEOREM}` says more."


def caveats() -> Iterator[str]:
    """What the numbers are, and what they are not."""
    from reports.sada import theorem
    from reports.sada.claims import held

    for words in theorem.caveats(held(theorem.ARGUED, theorem.SHARPER, theorem.OURS)):
        yield f"  {words.replace('`', '')}"


def _constants(*columns: Column) -> Iterator[list[str]]:
    yield ["", *(column.name for column in columns), "what it is; the sharper one is from"]
    for constant in columns[-2].constants:
        values = [number(column[constant.symbol]) for column in columns]
        yield [constant.symbol, *values, f"{constant.words}; {constant.key}"]
    yield ["statistical", *(number(c.statistical) for c in columns), "in front of alpha tr(H^-1 Q)/n"]
    yield ["coupling", *(number(c.coupling) for c in columns), "in front of alpha eta kt tr Q/(L_l n)"]
    yield [
        "start",
        *(number(c.start) for c in columns),
        "at least what stands before (1 - a theta_max)^(K/2) (F(x_0) - F(x*))",
    ]


def _drop(drop: Drop) -> list[str]:
    change = f"{drop.new.symbol}: {number(drop.old.value)} -> {number(drop.new.value)}"
    return [*_bar(change, drop.after)[:2], _bar("", drop.after)[2], _factor(drop.factor), drop.new.key]


def _factor(factor: Fraction) -> str:
    if factor < 1:
        return paint(f"x {float(1 / factor):.3g}", "red")
    return paint(f"/ {float(factor):.3g}", "green")


def _bar(label: str, value: Fraction) -> list[str]:
    from theory.papers.sada.composition import implied

    share = math.log10(max(float(value), 1.0)) / math.log10(float(implied().statistical))
    return [label, number(value), "#" * max(1, round(WIDTH * share)), "", ""]


def number(value: Fraction) -> str:
    """Exactly where that is short, else as a bound."""
    return text if len(text := str(value)) <= 7 else bound(value)
