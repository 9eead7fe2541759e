r"""The inner loop for several classes that share one loss: least squares with rows W_i (x) a_i a_i^T, compiled.

    x = y - eta g,   z = theta y + (1 - theta) z - gamma g,   y = (x + theta z)/(1 + theta),
    g = w P (s + ((1 - beta) W + beta V) y a) a^T,      W = diag p - p p^T + mu,  P = V^-1, beta = `BLEND`,

x, y, z of shape (classes, columns), started at 0; s is the slope of the loss at the anchor. O(classes (columns +
classes)) operations a row.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from scipy.special import expit

from numerics.designs.checks import Array
from numerics.errors import DivergenceError
from numerics.optimizers import ProblemInfo
from numerics.optimizers.core import LIMIT
from numerics.optimizers.jit import kernel

from .constants import condition_of_loss, constants
from .inner import SKIP, Inner, tuned

BLEND = 0.1  # of the average of W in the curvature of a row
ROUNDS, MOST = 15, 1000  # of the power method, and of conjugate gradients
ACCURATE = 0.01  # of a right side: what a solution within the power method may miss
RIDGE = 1e-3  # of lambda_max: directions that the rows hardly have do not decide about R^2


@kernel
def _advance(
    state: Array, a: Array, p: Array, slope: Array, w: Array, metric: Array, numbers: Array, tail: bool
) -> None:
    """state is (3, classes, columns): y, z and the sum of x; numbers are eta, gamma, theta, mu, beta."""
    eta, gamma, theta, mu, beta = numbers
    classes, d = state.shape[1], state.shape[2]
    y, z, total = state[0], state[1], state[2]
    v, h = np.empty(classes), np.empty(classes)
    for i in range(a.shape[0]):
        mean = 0.0
        for k in range(classes):
            s = 0.0
            for j in range(d):
                s += y[k, j] * a[i, j]
            v[k] = s
            mean += p[i, k] * s
        for k in range(classes):
            h[k] = slope[i, k] + (1.0 - beta) * (p[i, k] * (v[k] - mean) + mu * v[k])
        for k in range(classes):
            g = beta * v[k]
            for m in range(classes):
                g += metric[k, m] * h[m]
            g *= w[i]
            for j in range(d):
                step = g * a[i, j]
                x = y[k, j] - eta * step
                new = theta * y[k, j] + (1.0 - theta) * z[k, j] - gamma * step
                z[k, j] = new
                y[k, j] = (x + theta * new) / (1.0 + theta)
                if tail:
                    total[k, j] += x


@dataclass(frozen=True, eq=False)
class JointInner(Inner):
    """After `seen` of T rows; `vectors` is (3, classes, columns)."""

    @classmethod
    def begin(cls, info: ProblemInfo, T: int, caution: float, classes: int = 1) -> JointInner:
        vectors = np.zeros((3, classes, info.dim // classes))
        return cls(info, tuned(info, T, caution), T, T // SKIP // 4 * 4, 0, vectors)

    def fed(self, *terms: Array) -> JointInner:
        """After the rows of these terms (a, p, slopes, weights, P, mu)."""
        a, p, slope, w, metric, mu = terms
        cut = min(max(self.skip - self.seen, 0), len(w))
        vectors, s = self.vectors.copy(), self.steps
        numbers = np.array([s.eta, s.gamma, s.theta, float(mu), BLEND])
        for part, tail in ((slice(0, cut), False), (slice(cut, None), True)):
            _advance(vectors, a[part], p[part], slope[part], w[part], metric, numbers, tail)
        seen = self.seen + len(w)
        if not np.max(np.abs(vectors)) < LIMIT:
            raise DivergenceError("the inner loop diverged", parameter="eta", value=s.eta, samples=seen)
        return replace(self, seen=seen, vectors=vectors)

    def average(self) -> Array:
        return np.asarray(self.vectors[2] / max(1, self.tail))


@kernel
def _each(z: Array, b: Array, mu: float, p: Array, losses: Array) -> None:
    """Row by row, for numpy is slow along short rows."""
    for i in range(z.shape[0]):
        top, total, own, square = np.max(z[i]), 0.0, 0.0, 0.0
        for k in range(z.shape[1]):
            p[i, k] = np.exp(z[i, k] - top)
            total += p[i, k]
            square += z[i, k] * z[i, k]
            if b[i, k] > 0:
                own += z[i, k] - top
        for k in range(z.shape[1]):
            p[i, k] /= total
        losses[i] = np.log(total) - own + mu / 2 * square


def softmax(z: Array) -> Array:
    """Probabilities (n, classes)."""
    return probabilities_and_losses(z, z, 0.0)[0]


def probabilities(z: Array) -> Array:
    """Of the classes (n, classes): two by the logistic function, more of them by softmax."""
    return softmax(z) if z.shape[1] > 1 else np.column_stack([expit(-z), expit(z)])


def probabilities_and_losses(z: Array, b: Array, mu: float) -> tuple[Array, Array]:
    """(n, classes), and log sum_k exp z_k - z_b + mu |z|^2/2 of every row."""
    p, losses = np.empty_like(z), np.empty(len(z))
    _each(z, b, mu, p, losses)
    return p, losses


def within(z: Array) -> Array:
    """The part that sums to zero over the classes (the last axis)."""
    return np.asarray(z - z.mean(axis=-1, keepdims=True))


def shares(p: Array, w: Array, root: Array) -> Array:
    """The curvature of every row in the metric V, as a mean over the free classes; it is 1 on average."""
    own = p @ np.sum(root**2, axis=0) - np.sum((p @ root) ** 2, axis=1)
    return np.asarray(w * ((1 - BLEND) * own / (len(root) - 1) + BLEND))


def joint_constants(rows: Array, p: Array, w: Array, mean: Array, root: Array, mu: float) -> tuple[ProblemInfo, float]:
    """mu, lambda_max, R^2 and kappa~ of the inner problem in the metric V, root = V^(-1/2), and alpha: the largest over
    the classes, each alone.

    With M = w root ((1 - beta) W + beta V) root (x) a a^T, R^2 is the smallest with E M^2 <= R^2 (E M + ridge) as far
    as the power method finds it; mu and kappa~ are those of the rows with their shares, kappa~ times the free classes.
    """
    base = constants(np.sqrt(shares(p, w, root))[:, None] * rows)
    ridge, size = RIDGE * base.need("lambda_max"), np.sum(rows**2, axis=1)[:, None]

    def curved(z: Array) -> Array:
        z = z @ root
        own = p * (z - np.sum(p * z, axis=1, keepdims=True)) + mu * z
        return np.asarray(((1 - BLEND) * own + BLEND * z @ mean) @ root * w[:, None])

    def once(x: Array) -> Array:
        return np.asarray(curved(rows @ x.T).T @ rows / len(rows) + ridge * x)

    def twice(x: Array) -> Array:
        return np.asarray((curved(curved(rows @ x.T)) * size).T @ rows / len(rows))

    start = within(np.random.default_rng(0).standard_normal((rows.shape[1], len(root)))).T
    top = _largest(once, start)
    r2 = _largest(lambda x: conjugate(once, None, twice(x), ACCURATE), start)
    info = replace(
        base,
        dim=start.size,
        lambda_max=max(top, base.need("mu")),
        r2=max(r2, top),
        kappa_tilde=base.need("kappa_tilde") * (len(root) - 1),
    )
    return info, max(condition_of_loss(rows, one * (1 - one) + mu) for one in p.T)


def _largest(apply: Callable[[Array], Array], x: Array) -> float:
    """The largest eigenvalue of an operator that is nonnegative in some metric, by the power method from x."""
    found = 0.0
    for _ in range(ROUNDS):
        x = apply(x / max(float(np.linalg.norm(x)), 1e-300))
        found = float(np.linalg.norm(x))
    return found


def conjugate(apply: Callable[[Array], Array], eased: Array | None, g: Array, accuracy: float) -> Array:
    """The solution of apply(x) = g up to this part of g, by conjugate gradients; `eased` are blocks that ease it."""

    def ease(r: Array) -> Array:
        return r if eased is None else np.einsum("kab,kb->ka", eased, r)

    x, r = np.zeros_like(g), g.copy()
    d = ease(r)
    now = float(np.sum(r * d))
    for _ in range(MOST):
        if np.linalg.norm(r) <= accuracy * np.linalg.norm(g) or now == 0.0:
            break
        moved = apply(d)
        step = now / float(np.sum(d * moved))
        x, r = x + step * d, r - step * moved
        s = ease(r)
        before, now = now, float(np.sum(r * s))
        d = s + now / before * d
    return x
