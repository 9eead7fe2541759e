"""What the proofs ask of the hyperparameters, each requirement with both of its sides as numbers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import log, sqrt
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numerics.parameters import Hyperparameters

_EQUAL = 1e-12


@dataclass(frozen=True)
class Condition:
    """One requirement with both of its sides as numbers."""

    text: str
    used_by: str
    left: float
    relation: str  # "<=", "<" or "="
    right: float

    @property
    def holds(self) -> bool:
        if self.relation == "<":
            return self.left < self.right
        slack = _EQUAL * max(abs(self.left), abs(self.right))
        if self.relation == "<=":
            return self.left <= self.right + slack
        return abs(self.left - self.right) <= slack


def effective_smoothness(eta: float, kappa_tilde: float, noise_b: float, noise_l: float) -> float:
    """L_eff = 160 (6 L + kappa~ (7 + 16 eta B)), without the 1/T that the outer-loop section puts inside."""
    return 160 * (6 * noise_l + kappa_tilde * (7 + 16 * eta * noise_b))


def printed_horizon(mu: float, eta: float, kappa_tilde: float, condition_number: float, theta_last: float) -> float:
    """The right side of the appendix's rule for T; zero when kappa(Sigma) = 1."""
    return sqrt(kappa_tilde / (mu * eta)) * log(condition_number) * log(4 / theta_last**2)


def repaired_horizon(theta: float, condition_number: float, theta_last: float) -> float:
    """The smallest real T with 6 kappa(Sigma) exp(-theta T/2) <= theta_K^2."""
    return 2 / theta * log(6 * condition_number / theta_last**2)


def problem_conditions(p: Hyperparameters) -> Iterator[Condition]:
    yield Condition("lambda_max(Sigma) <= R^2", "fourth-moment assumption", p.lam_max, "<=", p.r2)
    yield Condition("1 <= kappa~", "kappa~ >= d", 1.0, "<=", p.kappa_tilde)
    yield Condition("kappa~ <= R^2/mu", "fourth-moment assumption", p.kappa_tilde, "<=", p.r2 / p.mu)


def inner_conditions(p: Hyperparameters) -> Iterator[Condition]:
    steps, last = p.steps, float(p.outer_theta[-1])
    gap = float(np.min(steps.mean_gap([p.mu, p.lam_max])))
    yield Condition("eta <= 1/(16 R^2)", "hyperparameter choice", p.eta, "<=", 1 / (16 * p.r2))
    yield Condition(
        "eta = 16 kappa~ theta gamma", "lem:Pi-stationary-bound", p.eta, "=", 16 * p.kappa_tilde * p.theta * p.gamma
    )
    yield Condition("gamma mu = theta", "lem:bias-bound", p.gamma * p.mu, "=", p.theta)
    yield Condition("eta lambda_max < 1", "lem:radius-bound", p.eta * p.lam_max, "<", 1.0)
    yield Condition("eta <= q", "lem:A-power-bound", p.eta, "<=", steps.q)
    yield Condition("theta gamma <= eta", "lem:Pi-stationary-bound", p.theta * p.gamma, "<=", p.eta)
    yield Condition("theta^2 <= 1/2", "lem:Pi-stationary-bound", p.theta**2, "<=", 0.5)
    yield Condition("radius of A(lambda) < 1 on [mu, lambda_max]", "stability in mean", 1 - gap, "<", 1.0)
    yield Condition("1/4 + 4 eta R^2 <= 1/2", "lem:var-sigma-l-recursion", 0.25 + 4 * p.eta * p.r2, "<=", 0.5)
    yield Condition("T even", "tail average", float(p.horizon % 2), "=", 0.0)
    rule = printed_horizon(p.mu, p.eta, p.kappa_tilde, p.condition_number, last)
    yield Condition("sqrt(kappa~/(mu eta)) ln kappa(Sigma) ln(4/theta_K^2) <= T", "printed rule", rule, "<=", p.horizon)
    text = "6 kappa(Sigma) exp(-theta T/2) <= theta_K^2"
    yield Condition(text, "the theorem's rule for T", 6 * p.condition_number * p.decay, "<=", last**2)


def outer_conditions(p: Hyperparameters) -> Iterator[Condition]:
    yield Condition("K even", "two phases", float(p.rounds % 2), "=", 0.0)
    yield Condition("theta_max <= sqrt(1/(12 alpha))", "outer lemma", p.theta_max, "<=", sqrt(1 / (12 * p.alpha)))
    limit = p.horizon / (12 * sqrt(2) * p.alpha * p.l_eff)
    yield Condition("theta_max <= T/(12 sqrt2 alpha L_eff)", "outer lemma", p.theta_max, "<=", limit)
