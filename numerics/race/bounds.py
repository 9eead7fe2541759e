r"""The theorem's bound on E F(x_K) - F(x*) for n = K T samples, reading by reading.

    lead exp(sign K / (root sqrt(alpha) + effective alpha L_eff / T)) (F(x_0) - F(x*))
        + statistical alpha tr(H^-1 Q) / n  +  misspecification alpha eta kappa~ tr Q / (L_l n)

`CONSTANTS` is the one place where the numbers of a reading stand. As printed, the exponent has no minus sign, so that
the first term grows with K. `repaired` is what the paper's own argument gives once its inner-loop lemma is granted, by
the steps in `REPAIRED_BY`. A bound holds for the hyperparameters of its reading only, so each brings its own rule.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from numerics import parameters
from numerics.errors import ParameterError
from numerics.parameters import Hyperparameters
from numerics.problems import Problem

Rule = Callable[..., Hyperparameters]


@dataclass(frozen=True)
class TheoremConstants:
    """One reading of the full theorem; `rests_on` says in a sentence what stands behind its numbers."""

    reading: str
    lead: float
    sign: int
    root: float
    effective: float
    statistical: float
    misspecification: float
    rule: Rule
    rests_on: str


REPAIRED_BY = (
    "sign: (1 - theta_max/2)^(K/2) <= exp(-K theta_max/4)",
    "effective: 4/theta_max <= 4 sqrt(12 alpha) + 4 * 24 alpha L_eff/T, with theta_max as the one-step lemma needs it",
    "c = (3/2) h_k sigma^2/theta_k^2 = 3 alpha sigma^2/L_l, where the proof writes alpha sigma^2/L_l",
    "statistical: 12 c/a^2 = 144 alpha sigma^2/L_l at a = 1/2, times 960; misspecification: times 2560",
)

CONSTANTS: dict[str, TheoremConstants] = {
    "printed": TheoremConstants(
        "printed",
        lead=5 / 3,
        sign=+1,
        root=8 * math.sqrt(3),
        effective=24 * math.sqrt(2),
        statistical=46080.0,
        misspecification=122880.0,
        rule=parameters.as_printed_appendix,
        rests_on="the full theorem, letter by letter",
    ),
    "repaired": TheoremConstants(
        "repaired",
        lead=5 / 3,
        sign=-1,
        root=8 * math.sqrt(3),
        effective=96.0,
        statistical=144.0 * 960,
        misspecification=144.0 * 2560,
        rule=parameters.repaired,
        rests_on="the paper's argument with its slips mended, the inner-loop lemma granted as printed",
    ),
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
    c = table[reading]
    chosen = _hyperparameters(problem, n, c.rule)
    if isinstance(chosen, str):
        return Bound(reading, n, why=chosen)
    K, T, alpha = chosen.rounds, chosen.horizon, problem.alpha
    exponent = c.sign * K / (c.root * math.sqrt(alpha) + c.effective * alpha * chosen.l_eff / T)
    optimization = c.lead * math.exp(min(exponent, 700.0)) * start
    used = K * T
    statistical = c.statistical * alpha * statistical_trace(problem) / used
    spectral = alpha * chosen.eta * chosen.kappa_tilde * float(np.trace(problem.Q)) / (problem.loss.L * used)
    return Bound(reading, n, K, T, optimization, statistical, c.misspecification * spectral)


def statistical_trace(problem: Problem) -> float:
    """tr(H^-1 Q)."""
    return float(np.trace(problem.design.solve(problem.Q))) / problem.loss.L


def asymptotic_constant(problem: Problem) -> float:
    """tr((nabla^2 F(x*))^-1 Q) / 2: what n times the excess risk of the empirical minimiser tends to."""
    return 0.5 * float(np.trace(np.linalg.solve(problem.hessian(problem.x_star), problem.Q)))


def _hyperparameters(problem: Problem, n: int, rule: Rule) -> Hyperparameters | str:
    """As many outer iterations as n samples hold, each with the shortest inner loop that the rule allows."""
    constants = parameters.constants_of(problem.design)
    constants |= {"alpha": problem.alpha, "smoothness": problem.loss.L}

    def with_rounds(K: int) -> Hyperparameters:
        return rule(rounds=K, **constants)

    shortest = with_rounds(1).horizon
    if shortest > n:
        return f"one inner loop of this reading needs T = {shortest} samples"
    low, high = 1, n // shortest + 1
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if middle * with_rounds(middle).horizon <= n else (low, middle)
    return with_rounds(low)
