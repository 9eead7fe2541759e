"""What a method would return if its stream ended after any row, against a plain loop written for this purpose."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
import pytest

from numerics.designs.checks import Array
from numerics.losses import Logistic, Loss
from numerics.optimizers import METHODS, SadaParams, SadaUDParams, SadaWCParams, estimate, step

from .optimizers_support import CASES, horizon, information, rows

D = 5
LOSS = Logistic(0.1)
Gradient = Callable[[Array, Array, Array, Array, float], Array]


def plain(a: Array, b: Array, y: Array, y_: Array, h: float) -> Array:
    """The mean gradient of a bundle: l'(a.y~) a + (a.(y - y~)) a."""
    return np.asarray(a.T @ (h * LOSS.d1(a @ y_, b) + a @ (y - y_)) / len(b))


def printed(params: SadaWCParams, loss: Loss) -> Gradient:
    tilt, ridge = params.epsilon / (2 * params.M**2), params.epsilon / (loss.L * params.D**2)
    return lambda a, b, y, y_, h: plain(a, b, y, y_, h) + h * tilt * a.mean(axis=0) + ridge * (y - y_)


def corrected(params: SadaWCParams, loss: Loss) -> Gradient:
    weight = params.epsilon / params.M**2
    ridge = params.epsilon / ((loss.L + weight) * params.D**2)

    def gradient(a: Array, b: Array, y: Array, y_: Array, h: float) -> Array:
        surrogate = weight * a.T @ (a @ y_) / len(b) + params.epsilon / params.D**2 * y_
        return np.asarray(plain(a, b, y, y_, h) + h * surrogate + ridge * (y - y_))

    return gradient


def walked(base: SadaParams, gradient: Gradient, a: Array, b: Array, x0: Array) -> Iterator[Array]:
    """SADA bundle by bundle; after each, the mean of the finished runs, else the running tail average, else x~."""
    x_, before, row, steps = x0, x0, 0, base.T // base.runs
    yield x0
    for h, beta in zip(base.h, base.beta, strict=True):
        y_, finished = x_ + beta * (x_ - before), []
        for _ in range(base.runs):
            x, z, tail = y_, y_, []
            for t in range(1, steps + 1):
                y = (x + base.theta * z) / (1 + base.theta)
                here = slice(row, row + base.batch)
                g = gradient(a[here], b[here], y, y_, h)
                row += base.batch
                x, z = y - base.eta * g, base.theta * y + (1 - base.theta) * z - base.gamma * g
                if t > steps // 2:
                    tail.append(x)
                if t < steps:
                    yield np.mean(finished, axis=0) if finished else np.mean(tail, axis=0) if tail else x_
            finished.append(np.mean(tail, axis=0))
            if len(finished) < base.runs:
                yield np.mean(finished, axis=0)
        x_, before = np.mean(finished, axis=0), x_
        yield x_


def prepared(name: str) -> tuple[SadaParams, Gradient, Array, Array]:
    params = CASES[name][1]
    a, b = rows(LOSS, np.random.default_rng(7), horizon(name), D)
    if isinstance(params, SadaWCParams):
        return params.base, (printed if "printed" in name else corrected)(params, LOSS), a, b
    assert isinstance(params, SadaParams)
    return params, plain, a, b


@pytest.mark.parametrize("name", ["sada", "sada in runs", "sada in batches", "sada-wc-printed", "sada-wc-corrected"])
@pytest.mark.parametrize("singly", [True, False])
def test_sada_can_be_read_after_any_row(name: str, singly: bool) -> None:
    base, gradient, a, b = prepared(name)
    x0 = np.linspace(-1, 1, D)
    method, params = CASES[name]
    start = state = METHODS[method].init(information(D, LOSS), x0, params)
    for k, expected in enumerate(walked(base, gradient, a, b, x0)):
        here = slice((k - 1) * base.batch, k * base.batch)
        if k and singly:
            state = step(state, a[here], b[here])
        found = estimate(state if singly else step(start, a[: here.stop], b[: here.stop]))
        np.testing.assert_allclose(found, expected, rtol=0, atol=1e-12, err_msg=f"after {k} steps")


@pytest.mark.parametrize("name", ["sada-ud-printed", "sada-ud-corrected", "sada-ud-two-steps"])
def test_sada_with_unlabelled_rows_can_be_read_after_any_step(name: str) -> None:
    """All of the first outer iteration, in the paper's (x, z)."""
    params = CASES[name][1]
    assert isinstance(params, SadaUDParams)
    base, second = params.base, params.second
    a, b = rows(LOSS, np.random.default_rng(8), horizon(name), D)
    until = base.T if name == "sada-ud-corrected" else params.T0
    x = z = y_ = np.linspace(-1, 1, D)
    state = METHODS[CASES[name][0]].init(information(D, LOSS), y_, params)
    row, tail = 0, []
    for t in range(1, base.T):
        late = second is not None and t > until
        eta, gamma, theta = (second or base).eta, (second or base).gamma, (second or base).theta
        if not late:
            eta, gamma, theta = base.eta, base.gamma, base.theta
        count = 1 + (params.m if t <= until else 0)
        here = slice(row, row + count)
        y = (x + theta * z) / (1 + theta)
        g = base.h[0] * LOSS.d1(a[row] @ y_, b[row]) * a[row] + a[here].T @ (a[here] @ (y - y_)) / count
        x, z = y - eta * g, theta * y + (1 - theta) * z - gamma * g
        tail += [x] if t > base.T // 2 else []
        state, row = step(state, a[here], b[here]), row + count
        expected = np.mean(tail, axis=0) if tail else y_
        np.testing.assert_allclose(estimate(state), expected, rtol=0, atol=1e-12, err_msg=f"after {t} steps")


@pytest.mark.parametrize("name", ["sgd", "sgd-decay", "asgd", "root-sgd"])
def test_the_rivals_can_be_read_after_any_row(name: str) -> None:
    method, params = CASES[name]
    a, b = rows(LOSS, np.random.default_rng(9), horizon(name), D)
    x = v = before = np.linspace(-1, 1, D)
    state = METHODS[method].init(information(D, LOSS), x, params)
    drift, tail, n = np.zeros(D), [], len(b)

    def slope(at: Array, k: int) -> Array:
        return np.asarray(LOSS.d1(a[k] @ at, b[k]) * a[k])

    for k in range(n):
        if name == "asgd":
            y = params.A * x + (1 - params.A) * v  # type: ignore[attr-defined]
            x, v = y - params.D * slope(y, k), params.B * y + (1 - params.B) * v - params.G * slope(y, k)  # type: ignore[attr-defined]
        elif name == "root-sgd":
            drift = slope(x, k) + k / (k + 1) * (drift - slope(before, k))
            before, x = x, x - (params.eta if k + 1 > params.burn_in else 0.0) * drift  # type: ignore[attr-defined]
        else:
            phase = k * params.phases // n if name == "sgd-decay" else 0  # type: ignore[attr-defined]
            x = x - params.eta * 0.5**phase * slope(x, k)  # type: ignore[attr-defined]
        tail += [x] if k + 1 > n // 2 else []
        state = step(state, a[k : k + 1], b[k : k + 1])
        averaged = name in ("sgd", "asgd") and tail
        expected = np.mean(tail, axis=0) if averaged else x
        np.testing.assert_allclose(estimate(state), expected, rtol=0, atol=1e-12, err_msg=f"after {k + 1} rows")
