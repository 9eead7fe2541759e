"""What a paper's own files say about its notation: symbols, what functions take, how a missing factor is named."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from theory.claims.symbols import SCALES, Convention, Symbol, Weight


@dataclass(frozen=True)
class Notation:
    """The tables that readers of formulas consult.

    roles   what may be the argument of a function, by the role that symbols.toml gives it: products of symbols
    units   symbols in whose powers every weight can be written, with their exponents in the scales s, r, z
    tried   single symbols that a missing factor is tried against; `later`: more of them from a line on
    """

    symbols: Mapping[str, Symbol]
    roles: Mapping[str, tuple[tuple[str, ...], ...]] = field(default_factory=dict)
    units: Mapping[str, tuple[Fraction, ...]] = field(default_factory=dict)
    tried: tuple[str, ...] = ()
    later: Mapping[int, tuple[str, ...]] = field(default_factory=dict)

    def role(self, name: str, convention: Convention) -> tuple[Weight, ...]:
        """The weights that an argument in this role may have; none when everything may stand there."""
        return tuple(
            sum((self.symbols[factor].weight_in(convention) for factor in product), Weight())
            for product in self.roles.get(name, ())
        )

    def missing_factor(self, needed: Weight, convention: Convention, line: int) -> tuple[str, tuple[str, ...]]:
        """The factor in powers of the units, which is unique, and the powers of single symbols that equal it."""
        names = [*self.tried, *(name for first, more in self.later.items() if line >= first for name in more)]
        synonyms = [self._power_of(name, needed, convention) for name in names]
        parts = {name: sum((needed[s] * e for s, e in zip(SCALES, row, strict=True)), Fraction(0))
                 for name, row in self.units.items()}  # fmt: skip
        formal = {scale: power for scale, power in needed.powers if scale not in SCALES or not self.units}
        text = "*".join(_text(name, power) for name, power in {**parts, **formal}.items() if power)
        return text or "1", tuple(synonym for synonym in synonyms if synonym and synonym != text)

    def _power_of(self, name: str, needed: Weight, convention: Convention) -> str:
        weight = self.symbols[name].weight_in(convention)
        if not weight:
            return ""
        scale, unit = weight.powers[0]
        power = needed[scale] / unit
        return _text(name, power) if power and weight.times(power) == needed else ""


def notation_of(symbols: Mapping[str, Symbol], told: Mapping[str, Any]) -> Notation:
    """From the table `notation` of relations.toml."""
    return Notation(
        symbols,
        {role: tuple(tuple(product) for product in products) for role, products in told.get("roles", {}).items()},
        {name: tuple(Fraction(e) for e in row) for name, row in told.get("units", {}).items()},
        tuple(told.get("tried", ())),
        {int(line): tuple(names) for line, names in told.get("later", {}).items()},
    )


def _text(name: str, power: Fraction) -> str:
    if power == 1:
        return name
    return f"{name}**{power}" if power.denominator == 1 and power > 0 else f"{name}**({power})"
