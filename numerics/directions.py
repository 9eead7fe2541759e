r"""The truths of the inner loop in one eigendirection, vectorised: arrays of parameters broadcast against each other.

A direction has eigenvalue lam and kurtosis E a^4 / lam^2 (3 for a Gaussian), so that N acts as (kurtosis - 1) lam^2;
the noise has second moment 1. Truths below 1e-150 of the start are returned as zero.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from numerics.covariance.doubling import flow_many
from numerics.covariance.scalar import tail_averages
from numerics.operators import Array


def power_of_a(lam: ArrayLike, eta: ArrayLike, theta: ArrayLike, gamma: ArrayLike, k: ArrayLike) -> Array:
    """|(A^k(lam) (1, 1))_1|."""
    (lam, eta, theta, gamma), powers, shape = _points(lam, eta, theta, gamma, horizon=k, least=0)
    state = np.zeros((1, 2, len(lam)))
    state[0, 0] = 1.0  # x = y = 1, so v = 0
    q, rho, b, f = _mean(eta, theta, gamma)
    _flow(np.array([[-q * lam, b], [-rho * lam, f]]), state, powers)
    return np.asarray(np.abs(state[0, 0] - theta * state[0, 1])).reshape(shape)


def core_average(lam: ArrayLike, eta: ArrayLike, theta: ArrayLike, gamma: ArrayLike, horizon: ArrayLike) -> Array:
    """L_var({Pi_t(1)})."""
    (lam, eta, theta, gamma), horizons, shape = _points(lam, eta, theta, gamma, horizon=horizon)
    return _tails(lam, eta, theta, gamma, np.zeros_like(lam), horizons)[0].reshape(shape)


def layer_share(lam: ArrayLike, eta: ArrayLike, theta: ArrayLike, gamma: ArrayLike, kurtosis: ArrayLike) -> Array:
    """sigma^(l) / sigma^(l-1); nan where A is unstable."""
    lam, eta, theta, gamma, kurtosis = np.broadcast_arrays(*_floats(lam, eta, theta, gamma, kurtosis))
    return np.asarray((kurtosis - 1) * lam**2 * stationary_y(lam, eta, theta, gamma))


def bias_energy(
    lam: ArrayLike,
    eta: ArrayLike,
    theta: ArrayLike,
    gamma: ArrayLike,
    kurtosis: ArrayLike,
    horizon: ArrayLike,
    weight: float = 1.0,
) -> Array:
    """E x_T^2 + weight (theta/gamma) E z_T^2 / lam from x_0 = z_0 = 1."""
    (lam, eta, theta, gamma, kurtosis), horizons, shape = _points(
        lam, eta, theta, gamma, kurtosis, horizon=horizon, least=0
    )
    p, u, w = _free(lam, eta, theta, gamma, (kurtosis - 1) * lam**2, horizons)
    truth = p - theta * (2 * u - theta * w) + weight * theta / gamma * (p + 2 * u + w) / lam
    return np.asarray(truth).reshape(shape)


def bias_average(
    lam: ArrayLike,
    eta: ArrayLike,
    theta: ArrayLike,
    gamma: ArrayLike,
    kurtosis: ArrayLike,
    horizon: ArrayLike,
) -> Array:
    """E |r|^2_Sigma from x_0 = z_0 = 1."""
    (lam, eta, theta, gamma, kurtosis), horizons, shape = _points(lam, eta, theta, gamma, kurtosis, horizon=horizon)
    return _tails(lam, eta, theta, gamma, (kurtosis - 1) * lam**2, horizons)[1].reshape(shape)


def variance_average(
    lam: ArrayLike,
    eta: ArrayLike,
    theta: ArrayLike,
    gamma: ArrayLike,
    kurtosis: ArrayLike,
    horizon: ArrayLike,
) -> Array:
    """E |v|^2_Sigma."""
    (lam, eta, theta, gamma, kurtosis), horizons, shape = _points(lam, eta, theta, gamma, kurtosis, horizon=horizon)
    return _tails(lam, eta, theta, gamma, (kurtosis - 1) * lam**2, horizons)[0].reshape(shape)


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
