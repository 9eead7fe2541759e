r"""The theorem's bound on E F(x_K) - F(x*) for n = K T samples, reading by reading.

    start(K, theta_max) * (F(x_0) - F(x*))  +  statistical * alpha tr(H^-1 Q)/n
                                            +  misspecification * alpha eta kappa~ tr Q/(L_l n)

`CONSTANTS` is the one place where the numbers of a reading stand; a test holds them, and what `proved_rule` chooses,
against the text of the proved theorem. As printed, the first factor is 5/3 exp(+K/...): the exponent lacks its minus
sign, so that it grows with K. All readings speak of one algorithm, the printed one, with eta = 1/(16 R^2), gamma
and theta as printed, h_k = 2 alpha theta_k^2/L_l, beta_k = (1 - theta_k)/(1 + theta_k),

    theta_max = min{1/sqrt(12 alpha), T/(12 sqrt2 alpha L_eff)},   theta_k = 4/(4/theta_max + k - K/2) for k > K/2.

They differ in T: the printed rule, or 6 kappa(Sigma) exp(-theta T/2) <= theta_K^2, with which the other two are proved.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from numerics.designs.checks import Array
from numerics.errors import ParameterError
from numerics.parameters import effective_smoothness, printed_horizon
from numerics.problems import Problem

LONGEST = 2**62


@dataclass(frozen=True)
class Setting:
    """What the theorem knows of a problem; B = alpha R^2 and L = alpha kappa~ as the paper's remark has them."""

    mu: float
    r2: float
    kappa_tilde: float
    condition_number: float
    alpha: float

    @property
    def eta(self) -> float:
        return 1 / (16 * self.r2)

    @property
    def theta(self) -> float:
        return math.sqrt(self.mu * self.eta / self.kappa_tilde) / 4


@dataclass(frozen=True)
class Choice:
    """K outer iterations of T samples, the largest outer momentum and the effective smoothness."""

    K: int
    T: int
    theta_max: float
    l_eff: float


Rule = Callable[[Setting, int], Choice]


def outer_schedule(c: Choice, alpha: float, smoothness: float) -> tuple[Array, Array]:
    """h_1 ... h_K and beta_1 ... beta_K."""
    theta = 4 / (4 / c.theta_max + np.maximum(np.arange(1, c.K + 1) - c.K / 2, 0))
    return 2 * alpha * theta**2 / smoothness, (1 - theta) / (1 + theta)


@dataclass(frozen=True)
class TheoremConstants:
    """One reading of the theorem: the factor of F(x_0) - F(x*), its two constants, and its rule for T."""

    start: Callable[[Choice, float], float]
    statistical: float
    misspecification: float
    rule: Rule


def _at(s: Setting, K: int, T: int) -> Choice:
    l_eff = effective_smoothness(s.eta, s.kappa_tilde, s.alpha * s.r2, s.alpha * s.kappa_tilde)
    return Choice(K, T, min(math.sqrt(1 / (12 * s.alpha)), T / (12 * math.sqrt(2) * s.alpha * l_eff)), l_eff)


def _last_theta(c: Choice) -> float:
    """theta_K."""
    return 4 / (4 / c.theta_max + c.K / 2)


def _shortest(at: Callable[[int], Choice], allowed: Callable[[Choice], bool]) -> Choice:
    """The choice with the smallest even T that is allowed, for a rule that stays satisfied as T grows."""
    high = 2
    while not allowed(at(high)):
        high *= 2
        if high > LONGEST:
            raise ParameterError("no T below 2^62 satisfies the theorem's rule; lower kappa(Sigma)")
    low = high // 2
    while high - low > 2:
        middle = (low + high) // 4 * 2
        low, high = (low, middle) if allowed(at(middle)) else (middle, high)
    return at(high)


def printed_rule(s: Setting, K: int) -> Choice:
    """The shortest even T that the appendix's own rule allows for K outer iterations."""

    def allowed(c: Choice) -> bool:
        return printed_horizon(s.mu, s.eta, s.kappa_tilde, s.condition_number, _last_theta(c)) <= c.T

    return _shortest(lambda T: _at(s, K, T), allowed)


def proved_rule(s: Setting, K: int) -> Choice:
    """The shortest even T that the hypotheses of the proved theorem allow for K outer iterations."""

    def allowed(c: Choice) -> bool:
        return 6 * s.condition_number * math.exp(-s.theta * c.T / 2) <= _last_theta(c) ** 2

    return _shortest(lambda T: _at(s, K, T), allowed)


def _grows(c: Choice, alpha: float) -> float:
    exponent = c.K / (8 * math.sqrt(3 * alpha) + 24 * math.sqrt(2) * alpha * c.l_eff / c.T)
    return 5 / 3 * math.exp(min(exponent, 700.0))  # beyond it no float is left; the bound says nothing long before


def _decays(c: Choice, alpha: float) -> float:
    return 5 / 3 * math.exp(-c.theta_max * c.K / 4)


def _contracts(c: Choice, alpha: float) -> float:
    return (3 / 2 + c.theta_max / 24) * (1 - 11 / 12 * c.theta_max) ** (c.K // 2)


CONSTANTS: dict[str, TheoremConstants] = {
    "printed": TheoremConstants(_grows, 46080.0, 122880.0, printed_rule),
    "repaired": TheoremConstants(_decays, 46080.0, 122880.0, proved_rule),
    "sharpened": TheoremConstants(_contracts, 12160 / 7, 38912 / 21, proved_rule),
}


@dataclass(frozen=True)
class Bound:
    """A reading evaluated: its three terms, or `why` there is no bound for so few samples."""

    reading: str
    n: int
    K: int = 0
    T: int = 0
    optimization: float | None = None
    statistical: float | None = None
    misspecification: float | None = None
    why: str | None = None

    @property
    def total(self) -> float | None:
        parts = (self.optimization, self.statistical, self.misspecification)
        return None if None in parts else math.fsum(p for p in parts if p is not None)


def bound(
    problem: Problem, n: int, start: float, reading: str, table: Mapping[str, TheoremConstants] = CONSTANTS
) -> Bound:
    """The bound for n samples from an initial excess risk `start`."""
    if reading not in table:
        raise ParameterError(f"no reading {reading!r} of the theorem; there are {', '.join(table)}")
    constants, setting = table[reading], setting_of(problem)
    chosen = most_rounds(setting, n, constants.rule)
    if isinstance(chosen, str):
        return Bound(reading, n, why=chosen)
    used, alpha = chosen.K * chosen.T, setting.alpha
    optimization = constants.start(chosen, alpha) * start
    statistical = constants.statistical * alpha * statistical_trace(problem) / used
    spectral = alpha * setting.eta * setting.kappa_tilde * float(np.trace(problem.Q)) / (problem.loss.L * used)
    return Bound(reading, n, chosen.K, chosen.T, optimization, statistical, constants.misspecification * spectral)


def setting_of(problem: Problem) -> Setting:
    """The tight constants of the design."""
    design = problem.design
    return Setting(design.mu, design.r2, design.kappa_tilde, design.condition_number, problem.alpha)


def most_rounds(s: Setting, n: int, rule: Rule) -> Choice | str:
    """As many pairs of outer iterations as n samples hold, each with the shortest inner loop that the rule allows."""
    shortest = 2 * rule(s, 2).T
    if shortest > n:
        return f"two inner loops of this reading need {shortest} samples"
    low, high = 1, n // shortest + 1
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if 2 * middle * rule(s, 2 * middle).T <= n else (low, middle)
    return rule(s, 2 * low)


def statistical_trace(problem: Problem) -> float:
    """tr(H^-1 Q)."""
    return float(np.trace(problem.design.solve(problem.Q))) / problem.loss.L


def asymptotic_constant(problem: Problem) -> float:
    """tr((nabla^2 F(x*))^-1 Q) / 2: what n times the excess risk of the empirical minimiser tends to."""
    return 0.5 * float(np.trace(np.linalg.solve(problem.hessian(problem.x_star), problem.Q)))
