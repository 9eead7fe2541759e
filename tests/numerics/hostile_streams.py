"""Columns and labels made to lead a learner astray; rows come in time order, nothing is scaled or bounded."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from numerics.designs.checks import Array

Columns = Callable[[np.random.Generator, Array], Array]  # from normal rows (n, d) to what the learner sees


def _time(x: Array) -> Array:
    return np.linspace(0, 1, len(x), endpoint=False)[:, None]


def _cauchy(rng: np.random.Generator, x: Array) -> Array:
    return rng.standard_cauchy(x.shape)


def _scaled(power: Callable[[Array], Array]) -> Columns:
    """Columns times ten to this power of time."""
    return lambda rng, x: x * 10.0 ** power(_time(x))


def _first_column(power: float) -> Columns:
    return lambda rng, x: x * np.where(np.arange(x.shape[1]) == 0, 10.0 ** (power * _time(x)), 1.0)


def _opposite(rng: np.random.Generator, x: Array) -> Array:
    return x * 10.0 ** (8 * _time(x) * np.array([1, -1, 0]))


def _row(place: float) -> Columns:
    return lambda rng, x: x * np.where(np.arange(len(x)) == int(place * (len(x) - 1)), 1e8, 1.0)[:, None]


def _rare(size: float) -> Columns:
    return lambda rng, x: size * (rng.random(x.shape) < 0.001)


def _constant(rng: np.random.Generator, x: Array) -> Array:
    """One column that is constant at first."""
    second = np.where(_time(x)[:, 0] < 0.5, 7e5, 7e5 + 1e3 * x[:, 1])
    return np.column_stack([x[:, 0], second, x[:, 2]])


STREAMS: dict[str, Columns] = {
    "normal": lambda rng, x: x,
    "Cauchy": _cauchy,
    "small Cauchy": lambda rng, x: _cauchy(rng, x) / 100,
    "squared Cauchy": lambda rng, x: _cauchy(rng, x) ** 3,
    "two moments": lambda rng, x: rng.standard_t(2.1, x.shape),
    "log-normal": lambda rng, x: np.exp(3 * x),
    "grows 1e6-fold": _scaled(lambda t: 6 * t),
    "grows 1e8-fold": _scaled(lambda t: 8 * t),
    "shrinks 1e6-fold": _scaled(lambda t: -6 * t),
    "shrinks 1e8-fold": _scaled(lambda t: -8 * t),
    "jumps up": _scaled(lambda t: np.where(t < 0.5, 0.0, 8.0)),
    "jumps down": _scaled(lambda t: np.where(t < 0.5, 0.0, -8.0)),
    "comes and goes": _scaled(lambda t: 4 * np.sin(20 * t)),
    "one column grows": _first_column(8.0),
    "one column shrinks": _first_column(-8.0),
    "one grows, one shrinks": _opposite,
    "first row": _row(0.0),
    "row in the middle": _row(0.6),
    "last row": _row(1.0),
    "rare": _rare(1.0),
    "rare and large": _rare(1e6),
    "collinear": lambda rng, x: x[:, :1] + 1e-9 * x,
    "constant at first": _constant,
    "sorted": lambda rng, x: x[np.argsort(x[:, 0])],
    "sorted by size": lambda rng, x: (z := _cauchy(rng, x))[np.argsort(np.abs(z[:, 0]))],
}


def labels(loss: str, signal: Array, rng: np.random.Generator) -> Array:
    """Of a linear signal, bounded where the label has to be a count or a class."""
    bounded = np.clip(signal, -3, 3)
    if loss == "poisson":
        return rng.poisson(np.exp(bounded)).astype(float)
    if loss in ("logistic", "two classes"):
        return np.where(bounded + rng.logistic(size=len(signal)) > 0, 1.0, -1.0)
    if loss == "three classes":
        return np.digitize(bounded + rng.logistic(size=len(signal)), [-0.7, 0.7])
    return signal + rng.standard_normal(len(signal))


def stream(name: str, loss: str, truth: str, rows: int) -> tuple[Array, Array]:
    """Rows and labels; the labels follow the columns as seen, the normal rows behind them, or nothing."""
    rng = np.random.default_rng([len(name), rows])
    hidden = rng.standard_normal((rows, 3))
    x = STREAMS[name](rng, hidden)
    signal = {"columns": x, "hidden": hidden, "nothing": 0 * x}[truth] @ np.full(3, 3**-0.5)
    return x, labels(loss, signal, rng)
