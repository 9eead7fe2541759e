"""Three columns: as printed; what the paper's argument gives, slips repaired; with our sharper readings."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from typing import Any

from theory.kernel.lang import parse, parse_relation, substitute
from theory.papers.sada.composition.constants import (
    Constant,
    T,
    all_layers,
    average,
    coefficient,
    contraction,
    far,
    layers,
    noise,
    reading,
    recursion,
    weight,
)
from theory.papers.sada.inner_loop import lem_v_bound
from theory.papers.sada.inner_loop._hyperparameters import CHOSEN
from theory.papers.sada.outer_loop import _theorem_steps as displays
from theory.papers.sada.outer_loop import _variance as variance

ONE_STEP, RECURSION, AVERAGE = "lem:outer-one-step", "lem:auxilary-recursion", "lem:Pi-average-bound"
# the sharper column is not about the printed algorithm
ANOTHER_ALGORITHM = (
    "The sharper column belongs to another algorithm: half the outer step (h_k = α θ̃_k²/L_ℓ where 2 α θ̃_k²/L_ℓ is"
    " printed), the momentum θ̃_k (1 − θ̃_{k−1})/(θ̃_{k−1} (1 + θ̃_k)), the schedule θ̃_k for a = 11/12 and T θ ≥ 8."
)
WEIGHT, LAYERS, VARIANCE, THEOREM = "lem:noise-bound-Sigma-inverse", "lem:C-1-bound", "lem:v-bound", "thm:full-glm"


@dataclass(frozen=True)
class Column:
    """One composition of the theorem."""

    name: str
    words: str
    constants: tuple[Constant, ...]
    start: Fraction

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
        return self["s"] * self["c"] / self["a"] ** 2

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
        ends = {"start": self.start, "statistical": self.statistical, "coupling": self.coupling}
        return {"name": self.name, "words": self.words, "constants": listed, **{k: str(v) for k, v in ends.items()}}


def _variance(key: str) -> Constant:
    return far(reading(lem_v_bound, key).claim.goals[0].right, key)


def _far_with_weights() -> Constant:
    side = substitute(parse_relation(variance.SAYS).right, {"eta": parse(CHOSEN["eta"])})
    return far(side, f"{THEOREM}/sharper#variance")


def _printed_noise() -> Constant:
    value = coefficient(parse(displays.PRINTED_C), "sig2", "Ll/alpha")
    return replace(noise(f"{ONE_STEP}/repaired"), value=value, key=f"{THEOREM}/disp:1863.2")


@lru_cache(maxsize=1)
def printed() -> Column:
    """As printed in disp:1851: 46080 and 122880."""
    return replace(
        implied().changed(_printed_noise()),
        name="printed",
        words="as printed",
    )


@lru_cache(maxsize=1)
def implied() -> Column:
    """What the printed lemmas, repaired, give with the printed constants."""
    constants = (
        recursion(f"{RECURSION}/repaired"),
        noise(f"{ONE_STEP}/repaired"),
        contraction(f"{ONE_STEP}/repaired"),
        weight(WEIGHT),
        average(AVERAGE),
        layers(LAYERS, AVERAGE),
        _variance(f"{VARIANCE}/repaired"),
    )
    return Column("implied", "what the paper's own argument gives, slips repaired", constants, Fraction(5, 3))


@lru_cache(maxsize=1)
def sharper() -> Column:
    """With the sharper readings of the same lemmas."""
    constants = (
        recursion(f"{RECURSION}/sharper"),
        noise(f"{ONE_STEP}/sharper"),
        contraction(f"{ONE_STEP}/sharper"),
        weight(f"{WEIGHT}/sharper", variance.X),
        average(f"{AVERAGE}/sharper#2/T", f"8/{T}"),
        all_layers(variance.ANY_WEIGHTS, f"2/{T}*(1+2/({T}*theta))/x"),
        _far_with_weights(),
    )
    return Column("sharper", "with our sharper readings, for another algorithm", constants, Fraction(73, 36))


def by_hand(role: str) -> tuple[str, ...]:
    """The links behind the theorem's reading `role` (repaired, sharper): what no citation carries."""
    from theory.papers.sada.outer_loop import thm_full_glm

    return reading(thm_full_glm, f"{THEOREM}/{role}").links


def columns() -> tuple[Column, Column, Column]:
    return printed(), implied(), sharper()
