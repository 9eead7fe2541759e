"""Every number of the composition, read off the formula of the check that states it."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from types import ModuleType

from theory.claims.statement import Check
from theory.kernel.flat import scalars_of
from theory.kernel.lang import Node, num, parse, substitute
from theory.kernel.lang import replace as put
from theory.papers.sada.inner_loop import (
    lem_c_1_bound,
    lem_noise_bound_sigma_inverse,
    lem_pi_average_bound,
    lem_v_bound,
)
from theory.papers.sada.inner_loop._hyperparameters import CHOSEN
from theory.papers.sada.inner_loop._noise import TR_Q, TR_SIGMA_Q
from theory.papers.sada.outer_loop import lem_auxilary_recursion, lem_outer_one_step

T = "(2*(p+1))"
ALL_LAYERS = "all layers, relative to layer 0"


def rounded_up(value: Fraction, places: int) -> str:
    """A decimal that is at least the value: what is shown is proved, too."""
    return f"{-(-value.numerator * 10**places // value.denominator) / 10**places:.{places}f}"


def coefficient(side: Node, of: str, scale: str = "1") -> Fraction:
    """The number in front of `of`, once the side is multiplied by `scale`; refuses what is not a number."""
    old = parse(of)
    one, none = (put(side, old, num(value)) for value in (1, 0))
    _, (value,), _ = scalars_of([Node("*", (Node("-", (one, none)), parse(scale)))])
    if not (value.num.is_constant() and value.den.is_constant()):
        raise ValueError(f"the factor of {of} is {value.num}/({value.den}) times 1/({scale}), which is no number")
    ratio = value.num.leading_coefficient() / value.den.leading_coefficient() if value.num else 0
    return Fraction(str(ratio))


def reading(module: ModuleType, key: str) -> Check:
    """The check with this key in a statement's module."""
    found: dict[str, Check] = {check.key: check for check in module.STATEMENT.checks}
    if key not in found:
        raise KeyError(f"{module.STATEMENT.id} has no check {key!r}; it has {', '.join(found)}")
    return found[key]


@dataclass(frozen=True)
class Constant:
    """One number of the composition, with the check that states it."""

    symbol: str
    value: Fraction
    key: str
    words: str


def _right(module: ModuleType, key: str) -> Node:
    return reading(module, key).claim.goals[0].right


def weight(key: str, at: Fraction | None = None) -> Constant:
    """At x = `at`, where the reading is a family of weights."""
    side = substitute(_right(lem_noise_bound_sigma_inverse, key), {} if at is None else {"x": num(at)})
    return Constant("w", coefficient(side, TR_SIGMA_Q), key, "weight of tr(Sigma^-1 Q) in the noise covariance")


def average(key: str, theta: str = "theta") -> Constant:
    """Where the reading depends on theta, at this theta."""
    side = substitute(_right(lem_pi_average_bound, key), {"theta": parse(theta)})
    return Constant("A", coefficient(side, lem_pi_average_bound.TRACE, T), key, "L_var of the core dynamics, times T")


def layers(key: str, zero: str) -> Constant:
    """The layers from 1 on relative to layer 0; both have the weight of lem:noise-bound-Sigma-inverse as printed."""
    own = weight("lem:noise-bound-Sigma-inverse").value * average(zero).value
    value = 1 + coefficient(_right(lem_c_1_bound, key), TR_SIGMA_Q, T) / own
    return Constant("1+g", value, key, ALL_LAYERS)


def all_layers(key: str, unit: str) -> Constant:
    """From a reading of lem:v-bound for all layers at once: what is in front of tr(Sigma^-1 Q), divided by `unit`."""
    value = coefficient(_right(lem_v_bound, key), TR_SIGMA_Q, f"1/({unit})")
    return Constant("1+g", value, key, ALL_LAYERS)


def far(side: Node, key: str) -> Constant:
    value = coefficient(side, TR_Q, f"{T}/(({CHOSEN['eta']})*kt)")
    return Constant("f", value, key, "weight of eta kt tr Q in the variance")


def noise(key: str) -> Constant:
    value = coefficient(_right(lem_outer_one_step, key), "sig2", "Ll/(alpha*th**2)")
    return Constant("c", value, key, "noise that an outer step leaves, in units of alpha sigma^2/L_l")


def contraction(key: str) -> Constant:
    lost = Node("-", (parse("Fx"), _right(lem_outer_one_step, key)))
    return Constant("a", coefficient(lost, "Fx", "1/th"), key, "contraction 1 - a theta_k of an outer step")


def recursion(key: str) -> Constant:
    inside = substitute(_right(lem_auxilary_recursion, key).args[1], {"L0": num(0)})
    return Constant("s", coefficient(inside, "c", "a**2*(2*n)"), key, "solution of the recursion, times a^2 K/c")
