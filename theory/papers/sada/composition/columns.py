"""The columns: as printed; what the paper's argument gives, slips repaired; what we prove of the same algorithm. And,
apart from these, our algorithm: half the step, another momentum, a longer T.

Every number is read from the claim that it names (`said`): a claim that says another number moves the column, and a
column whose product the theorem does not state is a failing test. The chains of citations behind the theorem are in
`outer_loop/_end_to_end.py`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from typing import Any

from theory.papers.sada.outer_loop._end_to_end import ARGUED, OURS, PRINTED_CONSTANTS, SHARPER, Chain
from theory.project import project


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
    "1+g": "what the fluctuation of the step adds: the bound on v over w A",
    "f": "weight of eta kt tr Q in the variance",
}
NOISE = "lem:noise-bound-Sigma-inverse"


def said(key: str, around: str) -> Fraction:
    """The number that the claim `key` has at the place of # on its right side: "#*tr(inv(Sigma) @ Q)"."""
    pattern = re.escape(around).replace(r"\#", r"(?<![\w/.])(\d+(?:/\d+)?)")
    right = [one.partition("<=")[2] for one in project("sada").find(key).claim.says]
    found = [number for one in right for number in re.findall(pattern, one)]
    if len(found) != 1:
        raise ValueError(f"{key} has {around!r} {len(found)} times on its right side; name the place of the number")
    return Fraction(found[0])


def _column(name: str, words: str, links: Chain, start: Fraction, found: dict[str, tuple[Fraction, str]]) -> Column:
    step = f"lem:outer-one-step#{links.step.part}"
    found["c"] = said(step, "#*(alpha*sig2/Ll)*th**2"), step
    listed = tuple(Constant(one, *found[one], WORDS[one]) for one in WORDS)
    return Column(name, words, listed, start, said(step, "(1-#*th)"))


@lru_cache(maxsize=1)
def implied() -> Column:
    """What the printed lemmas, repaired, give with the printed constants; the recursion at a = 1/2."""
    average, variance, inner = (
        "lem:Pi-average-bound",
        "lem:v-bound/repaired#every distribution",
        "lem:inner-loop#variance at the anchor",
    )
    w, a = said(NOISE, "#*tr(inv(Sigma) @ Q)"), said(average, "#*tr(inv(Sigma) @ M)/(2*n)")
    found = {
        "s": (said(ARGUED.recursion, "#*c/(a**2*(2*m))") / Fraction(ARGUED.rate) ** 2, ARGUED.recursion),
        "w": (w, NOISE),
        "A": (a, average),
        "1+g": (said(variance, "#*tr(inv(Sigma) @ Q)") / (w * a), variance),
        "f": (said(inner, "#*step*kt*tr(Q)"), inner),
    }
    words = "what the paper's own argument gives, slips repaired"
    return _column("implied", words, ARGUED, Fraction(5, 3), found)


@lru_cache(maxsize=1)
def sharper() -> Column:
    """What we prove of the same algorithm."""
    return _column("sharper", "what we prove of the same algorithm", OURS, Fraction(5, 3), _inner_loop(OURS))


@lru_cache(maxsize=1)
def ours() -> Column:
    """What we prove of our algorithm. 2 + theta_max/12 is at most 73/36, because theta_max <= 1/3."""
    words = "half the step, another momentum, a longer T"
    return _column("our algorithm", words, SHARPER, Fraction(73, 36), _inner_loop(SHARPER))


def _inner_loop(links: Chain) -> dict[str, tuple[Fraction, str]]:
    average, variance, inner = (
        "lem:Pi-average-bound#driven",
        "lem:v-bound#in the noise",
        "lem:inner-loop#sharper variance at the anchor",
    )
    a = said(average, "#*tr(inv(Sigma) @ M)/(2*n)")
    return {
        "s": (said(links.recursion, "#*c/(2*m)"), links.recursion),
        "w": (said(NOISE, "#*tr(inv(Sigma) @ Q)"), NOISE),
        "A": (a, average),
        "1+g": (2 * said(variance, "#*tr(inv(Sigma) @ R)") / a, variance),  # over n = T/2
        "f": (said(inner, "#*step*kt*tr(Q)"), inner),
    }


@lru_cache(maxsize=1)
def printed() -> Column:
    """As printed in disp:1851: 46080 and 122880, a factor 3 in the noise of an outer step forgotten."""
    lost = PRINTED_CONSTANTS[0] / implied().statistical
    noise = replace(implied().constant("c"), value=implied()["c"] * lost, key="thm:full-glm/disp:1863.2")
    return replace(implied().changed(noise), name="printed", words="as printed")


def columns() -> tuple[Column, Column, Column]:
    """Those that speak of the algorithm as printed."""
    return printed(), implied(), sharper()
