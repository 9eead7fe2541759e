r"""The outer schedule of SADA: h_k = 2 alpha theta~_k^2 / L_l, beta_k = (1-theta~_k)/(1+theta~_k), in two phases:

    theta~_k = theta~_max                               k <= K/2
               4 / (4/theta~_max + k - K/2)             k >  K/2

theta~_max in the main text:  ~ min{1/sqrt(alpha), T/(alpha^2 kappa~)}
           in the appendix:   = min{sqrt(1/(12 alpha)), T/(12 sqrt2 alpha L_eff)}
                              L_eff = 160 (6L + kappa~ (7 + 16 eta B)), L = alpha kappa~, B = alpha R^2
"""

from __future__ import annotations

import math

from numerics.errors import ParameterError

from .params import InnerSteps


def two_phases(theta_max: float, K: int) -> tuple[float, ...]:
    """theta~_1, …, theta~_K."""
    return tuple(theta_max if k <= K / 2 else 4 / (4 / theta_max + k - K / 2) for k in range(1, K + 1))


def step_sizes(thetas: tuple[float, ...], alpha: float, L_l: float) -> tuple[float, ...]:
    """h_k = 2 alpha theta~_k^2 / L_l."""
    return tuple(2 * alpha * theta**2 / L_l for theta in thetas)


def momenta(thetas: tuple[float, ...]) -> tuple[float, ...]:
    """beta_k = (1 - theta~_k)/(1 + theta~_k)."""
    return tuple((1 - theta) / (1 + theta) for theta in thetas)


def theta_max_main_text(alpha: float, kappa_tilde: float, T: int, constant: float = 1.0) -> float:
    """The main text's theta~_max; the constant behind its symbol is not printed."""
    return constant * min(1 / math.sqrt(alpha), T / (alpha**2 * kappa_tilde))


def effective_smoothness(alpha: float, kappa_tilde: float, r2: float, eta: float) -> float:
    """L_eff with the generic L = alpha kappa~ and B = alpha R^2."""
    return 160 * (6 * alpha * kappa_tilde + kappa_tilde * (7 + 16 * eta * alpha * r2))


def theta_max_appendix(alpha: float, kappa_tilde: float, r2: float, eta: float, T: int) -> float:
    """The appendix's theta~_max, with all constants."""
    noise = 12 * math.sqrt(2) * alpha * effective_smoothness(alpha, kappa_tilde, r2, eta)
    return min(math.sqrt(1 / (12 * alpha)), T / noise)


def inner_steps(eta: float, mu: float, kappa_tilde: float, factor: float = 0.25) -> InnerSteps:
    """gamma = factor sqrt(eta/(kappa~ mu)), theta = factor sqrt(mu eta/kappa~); the paper's factor is 1/4."""
    gamma, theta = factor * math.sqrt(eta / (kappa_tilde * mu)), factor * math.sqrt(mu * eta / kappa_tilde)
    return InnerSteps(eta, gamma, theta)


def shortest_inner_loop(eta: float, mu: float, kappa_tilde: float, condition: float, theta_last: float) -> int:
    """T >= sqrt(kappa~/(mu eta)) ln kappa(Sigma) ln(4/theta~_K^2); ln kappa(Sigma) is taken as at least 1.

    As printed the bound is 0 when Sigma is a multiple of the identity, where the inner loop still has to converge.
    """
    logarithms = max(1.0, math.log(condition)) * math.log(4 / theta_last**2)
    return math.ceil(math.sqrt(kappa_tilde / (mu * eta)) * logarithms)


def fit_theory(
    n: int, eta: float, mu: float, kappa_tilde: float, r2: float, condition: float, alpha: float
) -> tuple[int, int, float]:
    """The shortest even T that its own lower bound allows with K = n // T; returns T, K, theta~_max."""
    T = 2
    for _ in range(200):
        K = n // T
        if K < 1:
            raise ParameterError(
                f"n = {n} samples are too few for the theory's constants: one inner loop needs T >= {T}; "
                "give more samples or use the practical preset"
            )
        theta_max = theta_max_appendix(alpha, kappa_tilde, r2, eta, T)
        needed = shortest_inner_loop(eta, mu, kappa_tilde, condition, two_phases(theta_max, K)[-1])
        if needed <= T:
            return T, K, theta_max
        T = needed + needed % 2
    raise ParameterError(f"n = {n}: no T satisfies its own lower bound; give more samples or use the practical preset")
