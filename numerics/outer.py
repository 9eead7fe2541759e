r"""The outer loop on its own: exact or float iteration, and the worst that one step can do to an energy.

In coordinates in which the H-norm is the Euclidean one, with s = L_l h_k, g the gradient and r the bias, v the noise of
the inner loop (both divided by L_l), x* = 0:

    y = x_{k-1} + beta_k (x_{k-1} - x_{k-2}),    x_k = y - s (g - r - v),    z_k = x_k + (1/theta_k - 1)(x_k - x_{k-1}),
    E_k = F(x_k) - F* + omega_k |z_k|^2,         s = step alpha theta_k^2,   omega_k = weight (1 + bonus theta_k)/alpha,

for F that is 1-smooth and (1/alpha)-strongly convex and |r|^2 <= rho |g|^2. `worst_quadratic` maximises E_k/E_{k-1}
over quadratics and states; `worst_function` over *all* such F, by a semidefinite program (performance estimation: F
enters through its values and gradients at x*, x_{k-1}, y and x_k, and the interpolation inequalities between them are
all that there is to know). Floats propose here; the rates are proved, for all parameters, in theory/outer_loop.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from numerics.errors import ParameterError

Number = TypeVar("Number", Fraction, float)
Array = NDArray[np.float64]


@dataclass(frozen=True)
class Rule:
    """How the outer loop is run (step, momentum) and with which energy it is measured (weight, bonus)."""

    name: str
    step: Fraction
    momentum: str
    weight: Fraction
    bonus: Fraction


PRINTED = Rule("as printed", Fraction(2), "printed", Fraction(1, 3), Fraction(0))
REPAIRED_ENERGY = Rule("printed momentum, repaired energy", Fraction(2), "printed", Fraction(1, 4), Fraction(1, 12))
REPAIRED_MOMENTUM = Rule("repaired momentum", Fraction(2), "repaired", Fraction(1, 4), Fraction(1, 12))
HALF_STEP = Rule("half the step", Fraction(1), "repaired", Fraction(1, 2), Fraction(1, 12))
RULES = (PRINTED, REPAIRED_ENERGY, REPAIRED_MOMENTUM, HALF_STEP)


def thetas(top: Number, steps: int, growth: Number) -> list[Number]:
    """theta_1, …, theta_K: constant up to K/2, then 1/theta_k grows by `growth` each step (1/4 as printed)."""
    half = steps // 2
    return [top if k <= half else 1 / (1 / top + growth * (k - half)) for k in range(1, steps + 1)]


def momentum(rule: Rule, theta: Number, previous: Number) -> Number:
    """beta_k; printed and repaired agree when theta does not change."""
    if rule.momentum == "printed":
        return (1 - theta) / (1 + theta)
    return theta * (1 - previous) / (previous * (1 + theta))


@dataclass(frozen=True)
class Run:
    """x_k and the energies E_0, E_1, …; exact when everything that came in was a Fraction."""

    points: tuple[tuple[Any, ...], ...]
    energies: tuple[Any, ...]


def _like(value: Fraction, model: Number) -> Number:
    """A constant in the arithmetic of the model: exact beside a Fraction, else a float."""
    return value if isinstance(model, Fraction) else float(value)


def iterate(
    rule: Rule,
    alpha: Number,
    curvatures: Sequence[Number],
    start: Sequence[Number],
    schedule: Sequence[Number],
    errors: Sequence[Sequence[Number]] = (),
) -> Run:
    """The loop on F(x) = sum_i q_i x_i^2/2 from x_0 = x_{-1}; errors[k] is r + v of step k+1, zero where absent."""
    for q in curvatures:
        if q * alpha < 1 or q > 1:
            raise ParameterError(f"curvature {q} is outside [1/alpha, 1] = [{1 / alpha}, 1]; change it or alpha")
    x, before = tuple(start), tuple(start)
    last = schedule[0]
    energies = [_energy(rule, alpha, last, curvatures, x, x)]
    points = [x]
    for k, theta in enumerate(schedule):
        beta, s = momentum(rule, theta, last), _like(rule.step, alpha) * alpha * theta * theta
        error = errors[k] if k < len(errors) else tuple(0 * a for a in x)
        y = [a + beta * (a - b) for a, b in zip(x, before, strict=True)]
        moved = tuple(b - s * (q * b - e) for b, q, e in zip(y, curvatures, error, strict=True))
        z = tuple(c + (1 / theta - 1) * (c - a) for c, a in zip(moved, x, strict=True))
        x, before, last = moved, x, theta
        points.append(x)
        energies.append(_energy(rule, alpha, theta, curvatures, x, z))
    return Run(tuple(points), tuple(energies))


def _energy(
    rule: Rule, alpha: Number, theta: Number, q: Sequence[Number], x: Sequence[Number], z: Sequence[Number]
) -> Number:
    zero = _like(Fraction(0), alpha)
    weight = _like(rule.weight, alpha) * (1 + _like(rule.bonus, alpha) * theta) / alpha
    value = sum((c * a * a for c, a in zip(q, x, strict=True)), zero) / 2
    return value + weight * sum((a * a for a in z), zero)


def one_step(
    rule: Rule, alpha: Number, theta: Number, previous: Number, q: Number, x: Number, gap: Number, share: Number
) -> tuple[Number, Number]:
    """E_{k-1} and E_k on F(x) = q x^2/2 from x_{k-1} = x, x_{k-1} - x_{k-2} = gap, with the bias r = share * g."""
    s = _like(rule.step, alpha) * alpha * theta * theta
    y = x + momentum(rule, theta, previous) * gap
    moved = y - s * (1 - share) * q * y
    old = x + (1 / previous - 1) * gap
    new = moved + (1 / theta - 1) * (moved - x)
    return (
        _energy(rule, alpha, previous, (q,), (x,), (old,)),
        _energy(rule, alpha, theta, (q,), (moved,), (new,)),
    )


@dataclass(frozen=True)
class Worst:
    """The largest E_k/E_{k-1} found, and rate: it is 1 - rate * theta_k.

    A quadratic comes with its instance; `doubt` is the gap between primal and dual value of the rate.
    """

    ratio: float
    rate: float
    curvature: float = float("nan")
    x: float = float("nan")
    gap: float = float("nan")
    share: float = 0.0
    doubt: float = 0.0


def worst_quadratic(
    rule: Rule, alpha: float, theta: float, previous: float, rho: float = 0.0, grid: int = 400
) -> Worst:
    """Over curvatures (a grid in log q), states (a 2x2 eigenproblem) and r = +-sqrt(rho) g."""
    _sane(alpha, theta, previous, rho)
    best: Worst | None = None
    for share in {0.0, rho**0.5, -(rho**0.5)}:
        for q in np.geomspace(1 / alpha, 1.0, grid):
            found = _worst_state(rule, alpha, theta, previous, float(q), share)
            if best is None or found.ratio > best.ratio:
                best = found
    assert best is not None
    return best


def _worst_state(rule: Rule, alpha: float, theta: float, previous: float, q: float, share: float) -> Worst:
    """The energies are quadratic in (x, gap): the pencil of the two forms."""
    before, after = np.zeros((2, 2)), np.zeros((2, 2))
    for i, j, x, gap in ((0, 0, 1.0, 0.0), (1, 1, 0.0, 1.0), (0, 1, 1.0, 1.0)):
        old, new = one_step(rule, alpha, theta, previous, q, x, gap, share)
        before[i, j], after[i, j] = old, new
    for form in (before, after):
        form[0, 1] = form[1, 0] = (form[0, 1] - form[0, 0] - form[1, 1]) / 2
    factor = np.linalg.inv(np.linalg.cholesky(before))
    values, vectors = np.linalg.eigh(factor @ after @ factor.T)
    x, gap = factor.T @ vectors[:, -1]
    ratio = float(values[-1])
    return Worst(ratio, (1 - ratio) / theta, q, float(x), float(gap), share)


def exactly(
    rule: Rule, alpha: Fraction, theta: Fraction, previous: Fraction, found: Worst, digits: int = 3
) -> Fraction:
    """E_k/E_{k-1} at the instance that was found, rounded to a few digits and computed in rationals."""
    scale = 10**digits
    unit = abs(found.x) or 1.0

    def near(value: float) -> Fraction:
        return Fraction(round(value * scale), scale)

    q = min(Fraction(1), max(1 / alpha, near(found.curvature)))
    x, gap = near(found.x / unit), near(found.gap / unit)
    old, new = one_step(rule, alpha, theta, previous, q, x, gap, near(found.share))
    return new / old


def worst_function(rule: Rule, alpha: float, theta: float, previous: float, rho: float = 0.0) -> Worst:
    """Over all 1-smooth (1/alpha)-strongly convex F, in every dimension, and every r with |r|^2 <= rho |g|^2."""
    _sane(alpha, theta, previous, rho)
    if alpha <= 1:
        raise ParameterError(f"alpha = {alpha} leaves one function only; take alpha > 1, or use worst_quadratic")
    sizes = (alpha**0.5, theta * alpha**0.5, 1.0, 1.0, 1.0, rho**0.5)  # all Gram entries of order one
    basis = dict(zip(("x", "gap", "gx", "gy", "gn", "r"), np.diag(sizes), strict=True))
    s = float(rule.step) * alpha * theta**2
    y = basis["x"] + momentum(rule, theta, previous) * basis["gap"]
    new = y - s * (basis["gy"] - basis["r"])
    old_z = basis["x"] + (1 / previous - 1) * basis["gap"]
    new_z = new + (1 / theta - 1) * (new - basis["x"])
    zero = np.zeros(6)
    places = [(zero, zero, None), (basis["x"], basis["gx"], 0), (y, basis["gy"], 1), (new, basis["gn"], 2)]
    rows = [_interpolation(a, b, 1 / alpha) for a in places for b in places if a is not b]
    unit = np.eye(6)
    rows.append(_row(np.outer(unit[5], unit[5]) - np.outer(unit[3], unit[3])))
    old = _row(_weight(rule, alpha, previous) * np.outer(old_z, old_z), {0: 1.0})
    gain = _row(_weight(rule, alpha, theta) * np.outer(new_z, new_z), {2: 1.0}) - old
    growth, doubt = _maximise(gain / theta, np.array(rows), old)
    return Worst(1 + theta * growth, -growth, doubt=doubt)


def _sane(alpha: float, theta: float, previous: float, rho: float) -> None:
    if not alpha >= 1:
        raise ParameterError(f"alpha = {alpha} is below one; it is L_l/mu_l")
    for name, value in (("theta", theta), ("previous", previous)):
        if not 0 < value < 1:
            raise ParameterError(f"{name} = {value} is outside (0, 1); choose it below sqrt(1/(12 alpha))")
    if not 0 <= rho < 1:
        raise ParameterError(f"rho = {rho} is outside [0, 1); the inner loop must remove some of the bias")


def _weight(rule: Rule, alpha: float, theta: float) -> float:
    return float(rule.weight) * (1 + float(rule.bonus) * theta) / alpha


def _interpolation(a: tuple[Any, Any, int | None], b: tuple[Any, Any, int | None], mu: float) -> Array:
    """F(b) + <g_b, a - b> + (|g_a - g_b|^2 + mu |a - b|^2 - 2 mu <g_a - g_b, a - b>)/(2 (1 - mu)) - F(a) <= 0."""
    move, turn = a[0] - b[0], a[1] - b[1]
    form = np.outer(b[1], move)
    form = form + (np.outer(turn, turn) + mu * np.outer(move, move) - 2 * mu * np.outer(turn, move)) / (2 * (1 - mu))
    values = {index: sign for index, sign in ((b[2], 1.0), (a[2], -1.0)) if index is not None}
    return _row(form, values)


_PAIRS = [(i, j) for j in range(6) for i in range(j + 1)]


def _row(form: Array, values: dict[int, float] | None = None) -> Array:
    """A linear function of the Gram matrix (upper triangle, off-diagonal times sqrt 2) and of the three values of F."""
    even = (form + form.T) / 2
    gram = [even[i, j] if i == j else 2**0.5 * even[i, j] for i, j in _PAIRS]
    return np.array([*gram, *((values or {}).get(k, 0.0) for k in range(3))])


def _maximise(goal: Array, rows: Array, fixed: Array) -> tuple[float, float]:
    """max goal.u with rows.u <= 0, fixed.u = 1 and a semidefinite Gram matrix in u; how far primal and dual differ."""
    import clarabel
    from scipy.sparse import csc_array

    psd = np.hstack([-np.eye(len(_PAIRS)), np.zeros((len(_PAIRS), 3))])
    matrix = csc_array(np.vstack([fixed, rows, psd]))
    sides = np.concatenate([[1.0], np.zeros(len(rows) + len(_PAIRS))])
    settings = clarabel.DefaultSettings()
    settings.verbose = False
    settings.max_threads = 1
    cones = [clarabel.ZeroConeT(1), clarabel.NonnegativeConeT(len(rows)), clarabel.PSDTriangleConeT(6)]
    size = len(goal)
    answer = clarabel.DefaultSolver(csc_array((size, size)), -goal, matrix, sides, cones, settings).solve()
    gap = abs(float(answer.obj_val) - float(answer.obj_val_dual))
    if "Solved" not in str(answer.status) or not gap < 1e-2:
        raise ArithmeticError(f"the semidefinite program ended as {answer.status}, gap {gap:.1e}; take theta larger")
    return float(-answer.obj_val), gap
