"""Every symbol of a paper, once per meaning: name in code, LaTeX, meaning, sympy assumptions, scaling weights.

The data are in the paper's symbols.toml. Three rescalings leave the problem as it is, so both sides of every true
formula scale alike under them:

    data a -> s a,    loss -> r loss,    predictions a.x -> z a.x and labels b -> z b   (hence x -> (z/s) x).

``Symbol.weights`` is the pair (w_s, w_r) of the first two; the third is kept beside it because it tells L_l from F.
In the inner-loop appendix the paper sets h_k = 1; that convention has its own weights (``Convention.H1``).

`sympy_symbol(table["eta"])` is the sympy symbol of an entry.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from pathlib import Path
from types import MappingProxyType
from typing import Any

SCALES = ("s", "r", "z")


class Convention(Enum):
    """Which quantities carry units; the value is the name that reports print."""

    STANDARD = "standard"
    H1 = "h=1"


@dataclass(frozen=True)
class Weight:
    """Exponents of the scales, without the zero ones, in alphabetical order of the scales."""

    powers: tuple[tuple[str, Fraction], ...] = ()

    @staticmethod
    def of(powers: Mapping[str, Fraction | int]) -> Weight:
        """The weight with these exponents."""
        return Weight(tuple(sorted((scale, Fraction(power)) for scale, power in powers.items() if power)))

    def __getitem__(self, scale: str) -> Fraction:
        return dict(self.powers).get(scale, Fraction(0))

    def __bool__(self) -> bool:
        return bool(self.powers)

    def __add__(self, other: Weight) -> Weight:
        scales = {scale for scale, _ in (*self.powers, *other.powers)}
        return Weight.of({scale: self[scale] + other[scale] for scale in scales})

    def __sub__(self, other: Weight) -> Weight:
        return self + other.times(Fraction(-1))

    def times(self, factor: Fraction) -> Weight:
        """The weight of a power."""
        return Weight.of({scale: power * factor for scale, power in self.powers})

    def __str__(self) -> str:
        return " ".join(scale if power == 1 else f"{scale}^{power}" for scale, power in self.powers) or "1"


@dataclass(frozen=True)
class Symbol:
    """One symbol in one meaning."""

    name: str
    latex: str
    meaning: str
    shape: str  # "1", "d", "2d", "2" (columns), "dxd", "2dx2d", "2x2", or "?" which fits anywhere
    weight: Weight
    weight_h1: Weight  # the same unless the convention h = 1 changes it
    derivation: str  # an expression of equal weight that follows from the definition; "" for base symbols
    assumptions: tuple[str, ...]
    where: tuple[str, ...]  # the sections where the name means this, () if it does everywhere
    args: tuple[str, ...]  # what a function takes; () for everything else
    linear: bool = False  # a linear function: the weight of its argument is added to its own

    @property
    def formal(self) -> bool:
        """It has a scale of its own, beside those of data, loss and predictions."""
        return any(scale not in SCALES for scale, _ in self.weight.powers)

    @property
    def weights(self) -> tuple[Fraction, Fraction]:
        """(w_s, w_r) under a -> s a, x -> x/s, loss -> r loss."""
        return self.weight["s"], self.weight["r"]

    def weight_in(self, convention: Convention) -> Weight:
        """The weight that holds under a convention."""
        return self.weight_h1 if convention is Convention.H1 else self.weight


_NONE = [0, 0, 0]


def _weight(row: list[Any], formal: Mapping[str, Any]) -> Weight:
    exponents = {scale: Fraction(power) for scale, power in zip(SCALES, row, strict=True)}
    return Weight.of({**exponents, **{scale: Fraction(power) for scale, power in formal.items()}})


def places(row: Mapping[str, Any]) -> tuple[str, ...]:
    """Where a symbol has its meaning: one section, or a list of them."""
    where = row.get("where", ())
    return (where,) if isinstance(where, str) else tuple(where)


def _symbol(row: dict[str, Any]) -> Symbol:
    formal = row.get("formal", {})
    return Symbol(
        name=row["name"],
        latex=row["latex"],
        meaning=row.get("meaning", ""),
        shape=row.get("shape", "1"),
        weight=_weight(row.get("weight", _NONE), formal),
        weight_h1=_weight(row.get("h1", row.get("weight", _NONE)), formal),
        derivation=row.get("from", ""),
        assumptions=tuple(row.get("assume", ())),
        where=places(row),
        args=tuple(row.get("args", ())),
        linear=row.get("linear", False),
    )


@dataclass(frozen=True)
class Scaling:
    """What a symbols file says of its weights as a whole.

    units       names in whose powers every weight can be written, as many as there are scales
    normalised  lines between which the second weights (`h1`) hold
    """

    units: tuple[str, ...] = ()
    normalised: tuple[tuple[int, int], ...] = ()

    def convention(self, line: int) -> Convention:
        inside = any(first <= line <= last for first, last in self.normalised)
        return Convention.H1 if inside else Convention.STANDARD


def read_scaling(path: Path) -> Scaling:
    """Of this symbols.toml."""
    data = tomllib.loads(path.read_text(encoding="utf-8"))
    return Scaling(tuple(data.get("units", ())), tuple((first, last) for first, last in data.get("normalised", ())))


def read_symbols(path: Path) -> Mapping[str, Symbol]:
    """All symbols of this symbols.toml by name, in the order of the table."""
    rows = tomllib.loads(path.read_text(encoding="utf-8")).get("symbol", [])
    table = {row["name"]: _symbol(row) for row in rows}
    if len(table) != len(rows):
        raise ValueError(f"{path} names a symbol twice; give each meaning a name of its own")
    return MappingProxyType(table)


def symbol(table: Mapping[str, Symbol], name: str) -> Symbol:
    """The symbol with this name."""
    if name not in table:
        import difflib

        close = ", ".join(difflib.get_close_matches(name, table, n=3)) or "see the paper's symbols.toml"
        raise KeyError(f"no symbol of the paper is called {name!r} in code; close: {close}")
    return table[name]
