"""Names for a missing factor: a weight written as a product of symbols of the paper."""

from __future__ import annotations

from fractions import Fraction

from theory.symbols import SCALES, Convention, Weight, symbols

# Single symbols that a missing factor is tried against; the second list from the line on where those symbols exist.
EVERYWHERE = ("L_l", "h", "eta", "mu", "lam_i", "R2", "F", "H")
FROM_LINE = {1896: ("L_0", "sigma2_noise", "X_erm")}


def missing_factor(needed: Weight, convention: Convention, line: int) -> tuple[str, tuple[str, ...]]:
    """The factor in powers of L_l, mu and F, which is unique, and the powers of single symbols that equal it."""
    later = [name for first, names in FROM_LINE.items() if line >= first for name in names]
    synonyms = [_power_of(name, needed, convention) for name in (*EVERYWHERE, *later)]
    curvature, size = -needed["z"] / 2, needed["s"] / 2
    parts = {"L_l": curvature, "mu": size, "F": needed["r"] - curvature}
    formal = {scale: power for scale, power in needed.powers if scale not in SCALES}
    text = "*".join(_text(name, power) for name, power in {**parts, **formal}.items() if power)
    return text or "1", tuple(synonym for synonym in synonyms if synonym and synonym != text)


def _power_of(name: str, needed: Weight, convention: Convention) -> str:
    weight = symbols()[name].weight_in(convention)
    if not weight:
        return ""
    scale, unit = weight.powers[0]
    power = needed[scale] / unit
    return _text(name, power) if power and weight.times(power) == needed else ""


def _text(name: str, power: Fraction) -> str:
    if power == 1:
        return name
    return f"{name}**{power}" if power.denominator == 1 and power > 0 else f"{name}**({power})"
