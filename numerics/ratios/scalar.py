r"""Truth over bound in one eigendirection, vectorised: arrays of parameters broadcast against each other.

A direction has eigenvalue lam and kurtosis E a^4 / lam^2 (3 for a Gaussian), so that N acts as (kurtosis - 1) lam^2.
Truths below 1e-150 of the start are returned as zero; a bound that underflows gives nan.
"""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import ArrayLike, NDArray

from numerics.covariance.doubling import flow_many
from numerics.covariance.scalar import tail_averages
from numerics.operators import Array

from . import bounds


def a_power_ratio(
    lam: ArrayLike, eta: ArrayLike, theta: ArrayLike, gamma: ArrayLike, k: ArrayLike, limit: float = 2.0
) -> Array:
    """|(A^k(lam) (1, 1))_1| / 2."""
    (lam, eta, theta, gamma), powers, shape = _points(lam, eta, theta, gamma, horizon=k, least=0)
    state = np.zeros((1, 2, len(lam)))
    state[0, 0] = 1.0  # x = y = 1, so v = 0
    q, rho, b, f = _mean(eta, theta, gamma)
    _flow(np.array([[-q * lam, b], [-rho * lam, f]]), state, powers)
    return np.asarray(np.abs(state[0, 0] - theta * state[0, 1]) / bounds.a_power(limit)).reshape(shape)


def a_power_worst_ratio(
    lam: ArrayLike, eta: ArrayLike, theta: ArrayLike, gamma: ArrayLike, most: int, limit: float = 2.0
) -> Array:
    """max over k = 0..most of |(A^k(lam) (1, 1))_1| / 2."""
    (lam, eta, theta, gamma), _, shape = _points(lam, eta, theta, gamma, horizon=2, least=0)
    q, rho, b, f = _mean(eta, theta, gamma)
    worst = np.ones_like(lam)
    _scan(-q * lam, b, -rho * lam, f, theta, int(most), worst)
    return (worst / bounds.a_power(limit)).reshape(shape)


def pi_average_ratio(
    lam: ArrayLike, eta: ArrayLike, theta: ArrayLike, gamma: ArrayLike, horizon: ArrayLike, constant: float = 64.0
) -> Array:
    """L_var({Pi_t(M)}) T / (64 tr(Sigma^-1 M)) in one direction."""
    (lam, eta, theta, gamma), horizons, shape = _points(lam, eta, theta, gamma, horizon=horizon)
    truth, _ = _tails(lam, eta, theta, gamma, np.zeros_like(lam), horizons)
    return (truth / bounds.pi_average(1 / lam, horizons, constant)).reshape(shape)


def pi_stationary_ratio(
    lam: ArrayLike,
    eta: ArrayLike,
    theta: ArrayLike,
    gamma: ArrayLike,
    kappa_tilde: ArrayLike,
    first: float = 0.25,
    second: float = 4.0,
) -> Array:
    """<Sigma, Pi_inf,22(M)> / (tr(Sigma^-1 M)/(4 kappa~) + 4 eta tr M) in one direction; nan where A is unstable."""
    lam, eta, theta, gamma, kappa_tilde = np.broadcast_arrays(*_floats(lam, eta, theta, gamma, kappa_tilde))
    return (
        lam * stationary_y(lam, eta, theta, gamma) / bounds.pi_stationary(1 / lam, 1.0, kappa_tilde, eta, first, second)
    )


def layer_ratio(
    lam: ArrayLike, eta: ArrayLike, theta: ArrayLike, gamma: ArrayLike, kurtosis: ArrayLike, limit: float = 0.5
) -> Array:
    """sigma^(l) / (sigma^(l-1) / 2) in one direction; nan where A is unstable."""
    lam, eta, theta, gamma, kurtosis = np.broadcast_arrays(*_floats(lam, eta, theta, gamma, kurtosis))
    return np.asarray((kurtosis - 1) * lam**2 * stationary_y(lam, eta, theta, gamma) / limit)


def bias_energy_ratio(
    lam: ArrayLike,
    eta: ArrayLike,
    theta: ArrayLike,
    gamma: ArrayLike,
    kurtosis: ArrayLike,
    horizon: ArrayLike,
    weight: float = 0.5,
) -> Array:
    """(E x_T^2 + weight (theta/gamma) E z_T^2 / lam) over (1 - theta)^T times its start, in one direction."""
    (lam, eta, theta, gamma, kurtosis), horizons, shape = _points(
        lam, eta, theta, gamma, kurtosis, horizon=horizon, least=0
    )
    p, u, w = _free(lam, eta, theta, gamma, (kurtosis - 1) * lam**2, horizons)
    truth = p - theta * (2 * u - theta * w) + weight * theta / gamma * (p + 2 * u + w) / lam
    with np.errstate(invalid="ignore", divide="ignore"):
        ratio = truth / bounds.bias_energy(1.0, 1 / lam, theta, gamma, horizons, weight)
    return np.asarray(ratio).reshape(shape)


def bias_ratio(
    lam: ArrayLike,
    eta: ArrayLike,
    theta: ArrayLike,
    gamma: ArrayLike,
    kurtosis: ArrayLike,
    horizon: ArrayLike,
    smoothness: ArrayLike = 1.0,
    alpha: ArrayLike = 1.0,
    divisor: float = 8.0,
) -> Array:
    """E |r|^2_Sigma over (L_l/(8 alpha)) |grad F|^2_{Sigma^-1} in one direction; |grad F|_{Sigma^-1} = |x_0|_Sigma."""
    (lam, eta, theta, gamma, kurtosis), horizons, shape = _points(lam, eta, theta, gamma, kurtosis, horizon=horizon)
    _, truth = _tails(lam, eta, theta, gamma, (kurtosis - 1) * lam**2, horizons)
    scale = bounds.bias(1.0, np.asarray(smoothness, dtype=np.float64), np.asarray(alpha, dtype=np.float64), divisor)
    return np.asarray((truth / lam).reshape(shape) / scale)


def variance_ratio(
    lam: ArrayLike,
    eta: ArrayLike,
    theta: ArrayLike,
    gamma: ArrayLike,
    kurtosis: ArrayLike,
    horizon: ArrayLike,
    kappa_tilde: ArrayLike,
    main: float = 320.0,
) -> Array:
    """E |v|^2_Sigma over 320 (3 tr(Sigma^-1 Q) + 8 eta kappa~ tr Q)/T in one direction, for R = Q (gap 0, L_l = 1)."""
    (lam, eta, theta, gamma, kurtosis, kt), horizons, shape = _points(
        lam, eta, theta, gamma, kurtosis, kappa_tilde, horizon=horizon
    )
    truth, _ = _tails(lam, eta, theta, gamma, (kurtosis - 1) * lam**2, horizons)
    return (truth * horizons / (main * (3 / lam + 8 * eta * kt))).reshape(shape)


def stationary_y(lam: ArrayLike, eta: ArrayLike, theta: ArrayLike, gamma: ArrayLike) -> Array:
    """E y^2 at stationarity for unit noise with a a^T = Sigma; nan where A(lam) is unstable.

    Solves (I - S (x) S) (p, u, w) = (q^2, q rho, rho^2) in increments, the slow momentum component first.
    """
    lam, eta, theta, gamma = np.broadcast_arrays(*_floats(lam, eta, theta, gamma))
    q, rho, b, f = _mean(eta, theta, gamma)
    k = -_increment(lam, q, rho, b, f)
    uw, pw = k[1, 2] / k[2, 2], k[0, 2] / k[2, 2]
    uu, up, ur = k[1, 1] - uw * k[2, 1], k[1, 0] - uw * k[2, 0], q * rho - uw * rho**2
    pu, pp, pr = k[0, 1] - pw * k[2, 1], k[0, 0] - pw * k[2, 0], q**2 - pw * rho**2
    value = (pr - pu / uu * ur) / (pp - pu / uu * up)
    trace, determinant = -q * lam + f, -q * lam * f + b * rho * lam
    stable = (determinant > 0) & (trace + determinant < 0) & (4 + 2 * trace + determinant > 0)
    return np.where(stable, value, np.nan)


def _floats(*values: ArrayLike) -> list[Array]:
    out = [np.asarray(v, dtype=np.float64) for v in values]
    for v in out:
        if not np.all(np.isfinite(v) & (v > 0)):
            raise ValueError(
                "a parameter is not a positive finite number; lam, eta, theta, gamma, kurtosis must all be"
            )
    return out


Points = tuple[list[Array], NDArray[np.int64], tuple[int, ...]]


def _points(*values: ArrayLike, horizon: ArrayLike, least: int = 2) -> Points:
    """Parameters and horizons, broadcast and flattened, and their common shape."""
    steps = np.asarray(horizon)
    if not np.issubdtype(steps.dtype, np.integer) or np.any(steps < least) or (least == 2 and np.any(steps % 2)):
        raise ValueError(f"horizon must be {'even integers >= 2' if least == 2 else 'integers >= 0'}; got {horizon!r}")
    parameters = np.broadcast_arrays(*_floats(*values), steps)
    flat = [np.ascontiguousarray(v, dtype=np.float64).ravel() for v in parameters[:-1]]
    return flat, np.ascontiguousarray(parameters[-1], dtype=np.int64).ravel(), parameters[-1].shape


def _mean(eta: Array, theta: Array, gamma: Array) -> tuple[Array, Array, Array, Array]:
    down = 1 + theta
    return (eta + theta * gamma) / down, (gamma - eta) / down, (1 - theta) / down * theta, -2 * theta / down


def _increment(lam: Array, q: Array, rho: Array, b: Array, f: Array) -> Array:
    a, e = -q * lam, -rho * lam
    return np.array(
        [
            [a * (2 + a), 2 * (1 + a) * b, b * b],
            [(1 + a) * e, a + f + a * f + b * e, b * (1 + f)],
            [e * e, 2 * e * (1 + f), f * (2 + f)],
        ]
    )


def _flow(increment: Array, state: Array, horizons: NDArray[np.int64]) -> None:
    """Free flow of every point over its own horizon, in place."""
    n = state.shape[1]
    for steps in np.unique(horizons):
        here = np.flatnonzero(horizons == steps)
        part, zero = state[..., here], np.zeros((n, len(here)))
        flow_many(increment[..., here], zero, zero, part, 0, int(steps))
        state[..., here] = part


def _free(lam: Array, eta: Array, theta: Array, gamma: Array, excess: Array, horizons: NDArray[np.int64]) -> Array:
    q, rho, b, f = _mean(eta, theta, gamma)
    increment = _increment(lam, q, rho, b, f)
    increment[:, 0] += np.array([q**2, q * rho, rho**2]) * excess
    state = np.zeros((1, 3, len(lam)))
    state[0, 0] = 1.0
    _flow(increment, state, horizons)
    return np.asarray(state[0])


def _tails(
    lam: Array, eta: Array, theta: Array, gamma: Array, excess: Array, horizons: NDArray[np.int64]
) -> tuple[Array, Array]:
    variance, bias = np.empty_like(lam), np.empty_like(lam)
    tail_averages(lam, eta, theta, gamma, np.ascontiguousarray(excess), horizons, variance, bias)
    return variance, bias


@njit(cache=True, fastmath={"contract", "nsz"})  # type: ignore[untyped-decorator]
def _scan(a: Array, b: Array, e: Array, f: Array, theta: Array, most: int, worst: Array) -> None:
    """max over k <= most of |x_k| from x = y = 1, v = 0, by stepping; worst starts at |x_0|."""
    width = 64
    y, v = np.empty(width), np.empty(width)
    for start in range(0, a.shape[0], width):
        n = min(width, a.shape[0] - start)
        for i in range(n):
            y[i], v[i] = 1.0, 0.0
        for _ in range(most):
            for i in range(n):
                s = start + i
                old = y[i]
                y[i] = old + (a[s] * old + b[s] * v[i])
                v[i] = v[i] + (e[s] * old + f[s] * v[i])
                x = abs(y[i] - theta[s] * v[i])
                if x > worst[s]:
                    worst[s] = x
