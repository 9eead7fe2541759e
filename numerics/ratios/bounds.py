r"""The right sides of the inner-loop inequalities as printed; every constant is an argument, printed by default.

tr_inv stands for tr(Sigma^-1 M), tr for tr M, gap for F(y~) - F(x*). Where a lemma prints its bound without the
factor L_l that its proof carries, `smoothness` defaults to 1: pass L_l for the repaired reading.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from numerics.operators import Array

Real = float | Array | NDArray[np.int64]


def a_power(limit: float = 2.0) -> float:
    """lem:A-power-bound: |(A^k (1, 1))_1| <= 2."""
    return limit


def pi_average(tr_inv: Real, horizon: Real, constant: float = 64.0) -> Array:
    """lem:Pi-average-bound: L_var({Pi_t(M)}) <= 64 tr(Sigma^-1 M) / T."""
    return np.asarray(constant * tr_inv / horizon)


def pi_stationary(
    tr_inv: Real,
    tr: Real,
    kappa_tilde: Real,
    eta: Real,
    first: float = 0.25,
    second: float = 4.0,
) -> Array:
    """lem:Pi-stationary-bound: <diag(O, Sigma), Pi_inf(M)> <= tr(Sigma^-1 M)/(4 kappa~) + 4 eta tr M."""
    return np.asarray(first * tr_inv / kappa_tilde + second * eta * tr)


def noise_sigma_inverse(
    q_inv: float, gap: float, smoothness: float, noise_l: float, kappa_tilde: float, factor: float = 5.0
) -> float:
    """lem:noise-bound-Sigma-inverse: tr(Sigma^-1 R) <= 5 tr(Sigma^-1 Q) + 5 L_l (L + kappa~) gap."""
    return factor * (q_inv + smoothness * (noise_l + kappa_tilde) * gap)


def noise_trace(q: float, gap: float, smoothness: float, noise_b: float, r2: float, factor: float = 5.0) -> float:
    """lem:noise-bound-2-norm: tr R <= 5 tr Q + 5 L_l (B + R^2) gap."""
    return factor * (q + smoothness * (noise_b + r2) * gap)


def layer_zero_average(
    q_inv: float,
    gap: float,
    noise_l: float,
    kappa_tilde: float,
    horizon: float,
    constant: float = 320.0,
    smoothness: float = 1.0,
) -> float:
    """lem:L-var-C-tilde: L_var({C~_t}) <= 320 tr(Sigma^-1 Q)/T + 320 (L + kappa~) gap / T (printed without L_l)."""
    return constant * (q_inv + smoothness * (noise_l + kappa_tilde) * gap) / horizon


def layer_zero_stationary(
    q_inv: float,
    q: float,
    gap: float,
    eta: float,
    kappa_tilde: float,
    r2: float,
    noise_b: float,
    noise_l: float,
    first: float = 1.25,
    second: float = 20.0,
    smoothness: float = 1.0,
) -> float:
    """lem:var-tilde-C-bound: sigma^(0) <= 5(...)/(4 kappa~) + 20 eta tr Q + 20 eta (B + R^2) gap (without L_l)."""
    inverse = first * (q_inv + smoothness * (noise_l + kappa_tilde) * gap) / kappa_tilde
    return inverse + second * eta * (q + smoothness * (noise_b + r2) * gap)


def layer_average(layer: int, sigma_zero: float, kappa_tilde: float, horizon: float, constant: float = 64.0) -> float:
    """lem:L-var-bound-C-l: L_var({C~^(l)}) <= 64 kappa~ / (2^(l-1) T) times the bound on sigma^(0), for l >= 1."""
    return constant * kappa_tilde * sigma_zero / (2.0 ** (layer - 1) * horizon)


def summed_layers(
    q_inv: float,
    q: float,
    gap: float,
    eta: float,
    kappa_tilde: float,
    r2: float,
    noise_b: float,
    noise_l: float,
    smoothness: float,
    horizon: float,
    first: float = 640.0,
    second: float = 2560.0,
) -> float:
    """lem:C-1-bound: sum_{l >= 1} L_var <= (640 (...) + 2560 eta kappa~ (...)) / T; the proof gives first = 160."""
    inverse = q_inv + smoothness * (noise_l + kappa_tilde) * gap
    return (first * inverse + second * eta * kappa_tilde * (q + smoothness * (noise_b + r2) * gap)) / horizon


def variance(
    q_inv: float,
    q: float,
    gap: float,
    eta: float,
    kappa_tilde: float,
    noise_b: float,
    noise_l: float,
    smoothness: float,
    horizon: float,
    main: float = 320.0,
    trace_weight: float | None = None,
    localised: float = 160.0,
) -> float:
    """lem:v-bound: 320 (3 tr(Sigma^-1 Q) + 8 eta kappa~ L_l tr Q)/T + 160 L_l (6 L + kappa~ (7 + 16 eta B)) gap / T.

    The L_l in front of tr Q is printed but not in the proof: trace_weight = 1 leaves it out.
    """
    weight = smoothness if trace_weight is None else trace_weight
    statistical = main * (3 * q_inv + 8 * eta * kappa_tilde * weight * q) / horizon
    return statistical + localised * smoothness * (6 * noise_l + kappa_tilde * (7 + 16 * eta * noise_b)) * gap / horizon


def bias_energy(start: Real, start_inv: Real, theta: Real, gamma: Real, horizon: Real, weight: float = 0.5) -> Array:
    """lem:bias-bound: (1 - theta)^T (|x_0|^2 + (theta/(2 gamma)) |x_0|^2_{Sigma^-1}); the proof gives weight 1."""
    return np.asarray(np.exp(horizon * np.log1p(-theta)) * (start + weight * theta / gamma * start_inv))


def bias(gradient: Real, smoothness: Real, alpha: Real, divisor: float = 8.0) -> Array:
    """lem:r-bound: E |r|^2_Sigma <= (L_l / (8 alpha)) |grad F(y~)|^2_{Sigma^-1}."""
    return np.asarray(smoothness * gradient / (divisor * alpha))
