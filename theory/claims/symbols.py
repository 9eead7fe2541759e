"""Every symbol of a paper, once per meaning: name in code, LaTeX, meaning, sympy assumptions, scaling weights.

The data are in the paper's symbols.toml. It names the rescalings that leave the problem as it is (`scales`); both sides
of every true formula scale alike under them, and `weight` says with which powers a symbol does. Where a part of the
paper sets a quantity to one, the weights of that part are its own (`normalised`).

`sympy_symbol(table["eta"])` is the sympy symbol of an entry.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from pathlib import Path
from types import MappingProxyType
from typing import Any

from theory.claims.files import reading, toml_of


class Convention(Enum):
    """Which quantities carry units; the value is the name that reports print."""

    STANDARD = "standard"
    NORMALISED = "normalised"


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
    normalised: Weight  # the same unless the normalisation of a part of the paper changes it
    derivation: str  # an expression of equal weight that follows from the definition; "" for base symbols
    assumptions: tuple[str, ...]
    where: tuple[str, ...]  # the sections where the name means this, () if it does everywhere
    args: tuple[str, ...]  # what a function takes; () for everything else
    linear: bool = False  # a linear function: the weight of its argument is added to its own
    formal: bool = False  # it has a scale of its own, beside those of the paper

    def weight_in(self, convention: Convention) -> Weight:
        """The weight that holds under a convention."""
        return self.normalised if convention is Convention.NORMALISED else self.weight


def _weight(name: str, row: list[Any], scales: tuple[str, ...], formal: Mapping[str, Any]) -> Weight:
    if row and len(row) != len(scales):
        raise ValueError(f"{name} has {len(row)} weights and the paper {len(scales)} scales; give one weight for each")
    exponents = {scale: Fraction(power) for scale, power in zip(scales, row, strict=False)}
    return Weight.of({**exponents, **{scale: Fraction(power) for scale, power in formal.items()}})


def places(row: Mapping[str, Any]) -> tuple[str, ...]:
    """Where a symbol has its meaning: one section, or a list of them."""
    where = row.get("where", ())
    return (where,) if isinstance(where, str) else tuple(where)


def _symbol(row: dict[str, Any], scales: tuple[str, ...]) -> Symbol:
    name, formal, weight = row["name"], row.get("formal", {}), row.get("weight", [])
    return Symbol(
        name=name,
        latex=row["latex"],
        meaning=row.get("meaning", ""),
        shape=row.get("shape", "1"),
        weight=_weight(name, weight, scales, formal),
        normalised=_weight(name, row.get("normalised", weight), scales, formal),
        derivation=row.get("from", ""),
        assumptions=tuple(row.get("assume", ())),
        where=places(row),
        args=tuple(row.get("args", ())),
        linear=row.get("linear", False),
        formal=bool(formal),
    )


@dataclass(frozen=True)
class Scaling:
    """What a symbols file says of its weights as a whole.

    scales      the rescalings that leave the problem as it is, by name
    units       names in whose powers every weight can be written, as many as there are scales
    normalised  lines between which the weights of that name hold
    """

    scales: tuple[str, ...] = ()
    units: tuple[str, ...] = ()
    normalised: tuple[tuple[int, int], ...] = ()

    def convention(self, line: int) -> Convention:
        inside = any(first <= line <= last for first, last in self.normalised)
        return Convention.NORMALISED if inside else Convention.STANDARD


def read_scaling(path: Path) -> Scaling:
    """Of this symbols.toml."""
    with reading(path):
        data = toml_of(path)
        lines = tuple((int(first), int(last)) for first, last in data.get("normalised", ()))
        return Scaling(tuple(data.get("scales", ())), tuple(data.get("units", ())), lines)


def read_symbols(path: Path) -> Mapping[str, Symbol]:
    """All symbols of this symbols.toml by name, in the order of the table."""
    with reading(path):
        data = toml_of(path)
        rows, scales = data.get("symbol", []), tuple(data.get("scales", ()))
        table = {row["name"]: _symbol(row, scales) for row in rows}
        if len(table) != len(rows):
            raise ValueError("it names a symbol twice; give each meaning a name of its own")
        return MappingProxyType(table)


def symbol(table: Mapping[str, Symbol], name: str) -> Symbol:
    """The symbol with this name."""
    if name not in table:
        import difflib

        close = ", ".join(difflib.get_close_matches(name, table, n=3)) or "see the paper's symbols.toml"
        raise KeyError(f"no symbol of the paper is called {name!r} in code; close: {close}")
    return table[name]
