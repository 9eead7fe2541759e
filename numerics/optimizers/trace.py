r"""Algorithm 1 and its variants with every intermediate kept, for notebooks, lessons and plots.

>>> import numpy as np
>>> from numerics.designs import Gaussian
>>> from numerics.losses import Squared
>>> from numerics.optimizers import SadaParams, trace
>>> from numerics.problems import GaussianNoise, LinearLabels, Problem
>>> problem = Problem(Gaussian.from_spectrum([0.25, 1.0]), Squared(), LinearLabels([1.0, -1.0], GaussianNoise(0.1)))
>>> params = SadaParams(eta=0.05, gamma=0.2, theta=0.05, T=400, h=(0.5, 1.0), beta=(0.0, 0.2))
>>> seen = trace(problem, params, np.random.default_rng(1))
>>> seen.x.shape, seen.y.shape, seen.tail.shape      # (K, T+1, d) from x_0 on; y_0 ... y_{T-1}; (K, T, d)
((2, 401, 2), (2, 400, 2), (2, 400, 2))
>>> bool(np.all(seen.x_tilde[1] == seen.tail[0, -1]))             # x~_1 is the last tail average
True
>>> [f"{risk:.2g}" for risk in seen.excess]                       # F(x~_k) - F(x*)
['0.62', '0.15', '3.1e-05']
>>> bool(seen.energy[0, -1] < 0.01 * seen.energy[0, 0])           # the inner energy has fallen
True
>>> sorted(seen.table()[0])
['energy', 'excess', 'k', 't', 'tail', 'x', 'y', 'z']

Its lines are those of `references`, and a test holds the two together to rounding. The inner energy is
|x_t - x_+^*|^2 + (theta/gamma) |z_t - x_+^*|^2_{Sigma^-1}, which contracts in expectation when there is no noise; the
outer one is F(x~_k) - F(x*) + (2 theta_k^2/(3 L_l h_k)) |z~_k - x*|^2_H as printed, with
theta_k = (1 - beta_k)/(1 + beta_k), z~_k = x~_k + (1/theta_k - 1)(x~_k - x~_{k-1}).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from numerics.designs.checks import Array
from numerics.errors import ParameterError
from numerics.losses import Loss
from numerics.problems import Problem

from .core import starting_point
from .info import ProblemInfo
from .params import InnerSteps, Params, SadaParams, SadaUDParams, SadaWCParams

Draw = Callable[[], tuple[Array, float]]
Gradient = Callable[[int, float, Array, Array], Array]  # t, h_k, y, y~ -> g^_t, drawing its own samples


@dataclass(frozen=True, eq=False)
class Trace:
    """Every vector of a run: x, z after the steps 0 .. T of every round, y before them, g and the running tail average.

    `tail[k, t]` is the mean of the x so far in the second half, NaN before it begins; `minimiser[k]` is x_+^*.
    """

    x: Array  # (K, T + 1, d)
    z: Array  # (K, T + 1, d)
    y: Array  # (K, T, d)
    g: Array  # (K, T, d)
    tail: Array  # (K, T, d)
    y_tilde: Array  # (K, d)
    x_tilde: Array  # (K + 1, d), from x~_0 on
    minimiser: Array  # (K, d)
    energy: Array  # (K, T + 1)
    excess: Array  # (K + 1,): F(x~_k) - F(x*)
    outer_energy: Array  # (K,)

    @property
    def output(self) -> Array:
        """x~_K."""
        return np.asarray(self.x_tilde[-1])

    def table(self) -> list[dict[str, Any]]:
        """Tidy rows, one an inner step t = 1 .. T; `pandas.DataFrame(seen.table())` takes them."""
        rounds, steps = self.y.shape[:2]
        return [
            {
                "k": k + 1,
                "t": t + 1,
                "x": self.x[k, t + 1].tolist(),
                "y": self.y[k, t].tolist(),
                "z": self.z[k, t + 1].tolist(),
                "tail": self.tail[k, t].tolist(),
                "energy": float(self.energy[k, t + 1]),
                "excess": float(self.excess[k + 1]),
            }
            for k in range(rounds)
            for t in range(steps)
        ]


def trace(
    problem: Problem, params: Params, rng: np.random.Generator, *, x0: ArrayLike | None = None, method: str = "sada"
) -> Trace:
    """Run a method of the SADA family on fresh samples of a problem; memory is that of K T vectors."""
    base = params if isinstance(params, SadaParams) else getattr(params, "base", None)
    if not isinstance(base, SadaParams) or base.runs > 1:
        raise ParameterError(
            f"trace: {type(params).__name__} is not one run of SADA, SADA-UD or SADA-WC; trace one run at a time"
        )

    def draw() -> tuple[Array, float]:
        a, b = problem.sample(1, rng)
        return a[0], float(b[0])

    gradient, steps_at = _gradient(problem.loss, params, method, draw), _steps(params, method)
    x_tilde, centres, minimisers, rounds = [starting_point(ProblemInfo.of(problem), x0)] * 2, [], [], []
    for h, beta in zip(base.h, base.beta, strict=True):
        y_ = x_tilde[-1] + beta * (x_tilde[-1] - x_tilde[-2])
        rounds.append(list(_inner(gradient, steps_at, h, y_, base.T)))
        centres.append(y_)
        minimisers.append(problem.x_plus_star(y_, h))
        x_tilde.append(rounds[-1][-1][-1])
    x, z, y, g, tail = (np.array([[row[k] for row in one] for one in rounds]) for k in range(5))
    starts = np.array(centres)[:, None]
    x, z = np.concatenate([starts, x], axis=1), np.concatenate([starts, z], axis=1)
    points = np.array(x_tilde[1:])
    excess = np.array([problem.excess_risk(point) for point in points])
    energy = _inner_energy(problem, base, x, z, np.array(minimisers))
    outer = _outer_energy(problem, base, points, excess)
    return Trace(x, z, y, g, tail, starts[:, 0], points, np.array(minimisers), energy, excess, outer)


def _inner(
    gradient: Gradient, steps_at: Callable[[int], InnerSteps], h: float, y_: Array, T: int
) -> Iterator[tuple[Array, Array, Array, Array, Array]]:
    """(x_t, z_t, y_{t-1}, g^_t, tail average so far) for t = 1 .. T."""
    x, z, total = y_, y_, np.zeros_like(y_)
    for t in range(1, T + 1):
        steps = steps_at(t)
        theta = steps.theta
        y = x / (1 + theta) + theta / (1 + theta) * z
        g = gradient(t, h, y, y_)
        x = y - steps.eta * g
        z = theta * y + (1 - theta) * z - steps.gamma * g
        total = total + x if t > T // 2 else total
        yield x, z, y, g, total / (t - T // 2) if t > T // 2 else np.full_like(y_, np.nan)


def _steps(params: Params, method: str) -> Callable[[int], InnerSteps]:
    base: Any = params if isinstance(params, SadaParams) else getattr(params, "base", None)
    first = InnerSteps(base.eta, base.gamma, base.theta)
    if isinstance(params, SadaUDParams) and params.second is not None and method == "sada-ud-corrected":
        second, until = params.second, params.T0
        return lambda t: first if t <= until else second
    return lambda t: first


def _gradient(loss: Loss, params: Params, method: str, draw: Draw) -> Gradient:
    """g^_t of a method, word for word from its reference."""
    if isinstance(params, SadaUDParams) and method in ("sada-ud-printed", "sada-ud-corrected"):
        everywhere = method == "sada-ud-corrected" and params.second is None
        return _unlabelled(loss, params.m, params.base.T if everywhere else params.T0, draw)
    if isinstance(params, SadaWCParams) and method in ("sada-wc-printed", "sada-wc-corrected"):
        return _weakly_convex(loss, params, draw, printed=method == "sada-wc-printed")
    if isinstance(params, SadaParams) and method == "sada":
        return _mean_of(loss, params.batch, draw)
    raise ParameterError(
        f"trace: method {method!r} does not take {type(params).__name__}; name the method they belong to"
    )


def _mean_of(loss: Loss, batch: int, draw: Draw) -> Gradient:
    def gradient(t: int, h: float, y: Array, y_: Array) -> Array:
        g = np.zeros_like(y)
        for _ in range(batch):
            a, b = draw()
            g = g + (h * loss.d1(a @ y_, b) * a + (a @ (y - y_)) * a) / batch
        return g

    return gradient


def _unlabelled(loss: Loss, m: int, until: int, draw: Draw) -> Gradient:
    def gradient(t: int, h: float, y: Array, y_: Array) -> Array:
        a, b = draw()
        if t > until:
            return np.asarray(h * loss.d1(a @ y_, b) * a + (a @ (y - y_)) * a)
        prox = a * (a @ (y - y_))
        for _ in range(m):
            a_ul, _b = draw()
            prox = prox + a_ul * (a_ul @ (y - y_))
        return np.asarray(h * loss.d1(a @ y_, b) * a + prox / (m + 1))

    return gradient


def _weakly_convex(loss: Loss, params: SadaWCParams, draw: Draw, *, printed: bool) -> Gradient:
    epsilon, D, M = params.epsilon, params.D, params.M
    L = loss.L if printed else loss.L + epsilon / M**2

    def gradient(t: int, h: float, y: Array, y_: Array) -> Array:
        a, b = draw()
        g = h * loss.d1(a @ y_, b) * a
        if printed:
            g = g + h * epsilon / (2 * M**2) * a
        else:
            g = g + h * epsilon / M**2 * (a @ y_) * a + h * epsilon / D**2 * y_
        return np.asarray(g + (a @ (y - y_)) * a + epsilon / (L * D**2) * (y - y_))

    return gradient


def _inner_energy(problem: Problem, base: SadaParams, x: Array, z: Array, minimiser: Array) -> Array:
    from_x, from_z = x - minimiser[:, None], z - minimiser[:, None]
    solved = problem.design.solve(from_z.reshape(-1, problem.dim).T).T.reshape(from_z.shape)
    return np.asarray(np.sum(from_x**2, axis=-1) + base.theta / base.gamma * np.sum(from_z * solved, axis=-1))


def _outer_energy(problem: Problem, base: SadaParams, points: Array, excess: Array) -> Array:
    theta, h = (1 - np.array(base.beta)) / (1 + np.array(base.beta)), np.array(base.h)
    with np.errstate(divide="ignore", invalid="ignore"):  # beta = 1 has no theta
        z = points[1:] + (1 / theta - 1)[:, None] * np.diff(points, axis=0)
        gap = z - problem.x_star
        weight = 2 * theta**2 / (3 * problem.loss.L * h)
        return np.asarray(excess[1:] + weight * np.einsum("ki,ij,kj->k", gap, problem.H, gap))
