"""Three columns: as printed; what the paper's argument gives, slips repaired; what we prove of the same algorithm.

The two lower ones are the chains of citations behind the theorem (`outer_loop/_end_to_end.py`): their products stand in
its proved readings, so that a number here that no cited claim grants is a theorem that is not proved.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from typing import Any

from theory.papers.sada.outer_loop._end_to_end import ARGUED, OURS, PRINTED_CONSTANTS, Chain


@dataclass(frozen=True)
class Constant:
    """One number of the composition, with the check that states it."""

    symbol: str
    value: Fraction
    key: str
    words: str


@dataclass(frozen=True)
class Column:
    """One composition of the theorem."""

    name: str
    words: str
    constants: tuple[Constant, ...]
    start: Fraction
    rate: Fraction

    def __getitem__(self, symbol: str) -> Fraction:
        return self.constant(symbol).value

    def constant(self, symbol: str) -> Constant:
        return next(one for one in self.constants if one.symbol == symbol)

    def changed(self, new: Constant) -> Column:
        kept = tuple(new if one.symbol == new.symbol else one for one in self.constants)
        return replace(self, constants=kept)

    @property
    def near(self) -> Fraction:
        """In front of tr(Sigma^-1 Q)/T in the variance."""
        return self["w"] * self["A"] * self["1+g"]

    @property
    def outer(self) -> Fraction:
        """What the outer loop makes of the variance."""
        return self["s"] * self["c"]

    @property
    def statistical(self) -> Fraction:
        """In front of alpha tr(H^-1 Q)/n."""
        return self.outer * self.near

    @property
    def coupling(self) -> Fraction:
        """In front of alpha eta kt tr Q/(L_l n)."""
        return self.outer * self["f"]

    def to_json(self) -> dict[str, Any]:
        listed = [{"symbol": c.symbol, "value": str(c.value), "from": c.key, "words": c.words} for c in self.constants]
        ends = {"start": self.start, "rate": self.rate, "statistical": self.statistical, "coupling": self.coupling}
        return {"name": self.name, "words": self.words, "constants": listed, **{k: str(v) for k, v in ends.items()}}


WORDS = {
    "s": "solution of the recursion over k, times K/c",
    "c": "noise that an outer step leaves, in units of alpha sigma^2/L_l",
    "w": "weight of tr(Sigma^-1 Q) in the noise covariance",
    "A": "the tail average of the dynamics with the mean step, times T",
    "1+g": "what the fluctuation of the step adds to it",
    "f": "weight of eta kt tr Q in the variance",
}


def _column(name: str, words: str, links: Chain, near: dict[str, str], keys: dict[str, str], start: Fraction) -> Column:
    noise = Fraction(links.step.noise)
    values = {symbol: Fraction(value) for symbol, value in near.items()}
    values |= {"s": Fraction(links.settles), "c": noise, "f": links.constants[1] / links.settles / noise}
    listed = tuple(Constant(one, values[one], keys[one], WORDS[one]) for one in WORDS)
    return Column(name, words, listed, start, Fraction(links.rate))


@lru_cache(maxsize=1)
def implied() -> Column:
    """What the printed lemmas, repaired, give with the printed constants."""
    step = f"lem:outer-one-step#{ARGUED.step.part}"
    keys = {
        "s": ARGUED.recursion, "c": step, "w": "lem:noise-bound-Sigma-inverse", "A": "lem:Pi-average-bound",
        "1+g": "lem:v-bound/repaired#every distribution", "f": "lem:inner-loop#variance at the anchor",
    }  # fmt: skip
    near = {"w": "5", "A": "64", "1+g": "3"}
    return _column("implied", "what the paper's own argument gives, slips repaired", ARGUED, near, keys, Fraction(5, 3))


@lru_cache(maxsize=1)
def sharper() -> Column:
    """What we prove of the same algorithm."""
    step = f"lem:outer-one-step#{OURS.step.part}"
    keys = {
        "s": OURS.recursion, "c": step, "w": "lem:noise-bound-Sigma-inverse", "A": "lem:Pi-average-bound#driven",
        "1+g": "lem:v-bound#in the noise", "f": "lem:inner-loop#sharper variance at the anchor",
    }  # fmt: skip
    near = {"w": "5", "A": "16", "1+g": "15/14"}
    return _column("sharper", "what we prove of the same algorithm", OURS, near, keys, Fraction(5, 3))


@lru_cache(maxsize=1)
def printed() -> Column:
    """As printed in disp:1851: 46080 and 122880, a factor 3 in the noise of an outer step forgotten."""
    lost = PRINTED_CONSTANTS[0] / implied().statistical
    noise = replace(implied().constant("c"), value=implied()["c"] * lost, key="thm:full-glm/disp:1863.2")
    return replace(implied().changed(noise), name="printed", words="as printed")


def columns() -> tuple[Column, Column, Column]:
    return printed(), implied(), sharper()
