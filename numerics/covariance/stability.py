r"""Mean-square stability: the spectral radius of B = E[A_t (x) A_t], enclosed.

B keeps the cone of positive semidefinite matrices, so its radius is an eigenvalue with an eigenmatrix in the cone
(Krein and Rutman) and "z exceeds the radius" is decidable: by a secular function where pairs of eigendirections
decouple (`secular`), by a Lyapunov pair otherwise (`cone`). Floats propose a number, balls decide on which side of it
the radius lies, and the two sides close in. The answer is within `error` of the radius of the very operator that the
design and the step sizes define as doubles, or it is refused.

The limit of the layer ratio sigma^(l) / sigma^(l-1), which the paper bounds by 1/2, is computed in doubles.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import reduce

import numpy as np
from flint import arb, ctx
from scipy.optimize import brentq

from numerics.designs import Design
from numerics.operators import StepSizes

from . import cone
from .ball_sigma import MOST_ROTATED, eigenvalue_balls
from .frame import Frame, PairExcess, frame
from .half_vector import unknowns
from .layer_map import layer_radius, stationary_scalars
from .resolvent import Resolvent
from .secular import PRECISIONS, ball_spectrum, exceeds_radius

LARGEST_ERROR = 1e-9  # of max(1, radius)
_CLOSE, _ENOUGH = 1e-13, 1e-9  # relative widths of the enclosure: aimed at, and good enough to ask no surer judge
_CHEAP = 16  # dimension up to which eigenvalues are refined at once
Side = Callable[[float], int]  # 1: 1 - gap exceeds the radius, -1: it does not, 0: cannot be told


class UnstableDynamicsError(ValueError):
    """There is no stationary covariance: the second moments grow without bound."""


class UndecidedRadiusError(ArithmeticError):
    """The spectral radius could not be enclosed tightly enough; the message says how far it got and why."""


@dataclass(frozen=True)
class Stability:
    """Spectral radii of A and of B with their distances to 1, and the limit of the layer ratio."""

    mean_radius: float
    mean_gap: float  # 1 - radius(A), accurate even when tiny; within `LARGEST_ERROR` where two roots of A meet
    radius: float
    gap: float  # 1 - radius(B); negative when unstable
    layer_ratio: float  # limit of sigma^(l) / sigma^(l-1), infinite when A itself is unstable
    error: float  # |gap - (1 - radius of the exact operator)| is at most this

    @property
    def stable(self) -> bool:
        return self.gap > 0


def stability(design: Design, steps: StepSizes) -> Stability:
    """Spectral radii of the mean matrix A and of the second-moment operator B."""
    view = frame(design, steps)
    mean = _mean_gap(view)
    mean_gap = float(mean.mid())
    if not float(mean.rad()) <= LARGEST_ERROR * max(1.0, abs(1 - mean_gap)):
        raise UndecidedRadiusError(_why_not_the_mean(view, mean))
    gap, error = _gap(view, mean_gap)
    ratio = layer_radius(view) if mean_gap > 0 else float("inf")
    return Stability(1 - mean_gap, mean_gap, 1 - gap, gap, ratio, error)


def spectral_radius(design: Design, steps: StepSizes) -> float:
    """The spectral radius of B = E[A_t (x) A_t]: the dynamics are mean-square stable when it is below 1."""
    view = frame(design, steps)
    return 1 - _gap(view, float(_mean_gap(view).mid()))[0]


def _gap(view: Frame, mean_gap: float) -> tuple[float, float]:
    """1 - radius(B) and its error."""
    low, high = _enclosed(view, _proposal(view, mean_gap))
    gap, error = (low + high) / 2, (high - low) / 2
    if not error <= LARGEST_ERROR * max(1.0, abs(1 - gap)):
        raise UndecidedRadiusError(_why(view, low, high))
    return gap, float(error + 2 * np.spacing(abs(gap)))


def judges(view: Frame) -> tuple[Side, ...]:
    """What decides on which side of the radius of B a number lies, the quickest first and the surest last."""
    if view.excess is not None:
        return (lambda gap: exceeds_radius(view, gap),)
    judge = cone.Cone(view)
    return judge.proposed_in_doubles, judge.exceeds_radius


def _enclosed(view: Frame, guess: float) -> tuple[float, float]:
    """low <= 1 - radius(B) <= high."""
    low, high = -np.inf, np.inf
    for judge in judges(view):
        low, high = _closed_in(judge, guess)
        if high - low <= _ENOUGH * max(abs(low), abs(high)):
            break
    return low, high


def _closed_in(judge: Side, guess: float) -> tuple[float, float]:
    """The enclosure as close around the guess as the judge can tell."""
    width = _CLOSE / 2 * max(abs(guess), 1e-300)
    low, high = guess - width, guess + width
    while judge(low) != 1:
        width *= 16
        low = guess - width
        if width > 1e3 * (1 + abs(guess)):
            return -np.inf, np.inf
    width = _CLOSE / 2 * max(abs(guess), 1e-300)
    while high < 1 and judge(high) != -1:
        width *= 16
        high = guess + width
    return _bisected(judge, low, min(high, 1.0))


def _bisected(judge: Side, low: float, high: float) -> tuple[float, float]:
    if low < 0 < high:
        at_one = judge(0.0)
        low, high = (0.0, high) if at_one == 1 else (low, 0.0) if at_one == -1 else (low, high)
    while high - low > 2 * _CLOSE * max(abs(low), abs(high)):
        middle = low + (high - low) / 2
        side = judge(middle)
        if side == 0 or middle in (low, high):
            break
        low, high = (middle, high) if side == 1 else (low, middle)
    return low, high


def _proposal(view: Frame, mean_gap: float) -> float:
    """1 - radius(B) in doubles, to be judged."""
    test = _secular_height(view, view.excess) if view.excess is not None else _cone_height(Resolvent(view))
    ceiling = mean_gap * (2 - mean_gap)  # 1 - radius(A)^2
    low, width = min(ceiling, 0.0), max(abs(ceiling), 1e-6)
    while not test(low) > 0:
        low, width = low - width, 2 * width
        if width > 1e12 * max(abs(ceiling), 1.0):
            return low
    if low >= ceiling or test(ceiling) > 0:
        return ceiling
    return float(brentq(test, low, ceiling, xtol=1e-300, rtol=8.9e-16, maxiter=500))


def _cone_height(resolvent: Resolvent) -> Callable[[float], float]:
    def height(gap: float) -> float:
        inside, size = resolvent.positive(gap)
        return size if inside else -max(size, 1e-300)

    return height


def _secular_height(view: Frame, excess: PairExcess) -> Callable[[float], float]:
    """1 - sum_i trace lam_i^2 phi_i / (1 - excess_i phi_i), cut off at -1 where a term has passed its pole.

    With s = sqrt(z), phi = [(z + D)(q s - c eta)^2 + 2 q c eta s chi(s)] / [(z - D) chi(s) chi(-s)] in which chi(s) =
    s^2 - t s + D is written around s = 1: positive terms only while z exceeds radius(A)^2.
    """
    lam, steps = view.lam, view.steps
    eta, q, c, slow, lift = stationary_scalars(steps)
    d, t = c * (1 - eta * lam), 1 + c - q * lam

    def height(gap: float) -> float:
        if gap >= 1:
            return -1.0
        s = float(np.sqrt(1 - gap))
        down = gap / (1 + s)  # 1 - s
        chi = down * (down - (slow + q * lam)) + lam * lift
        back, minus = s * (s + t) + d, slow + c * eta * lam - gap
        top = (s * s + d) * (lift - q * down) ** 2 + 2 * q * c * eta * s * chi
        bottom = minus * chi * back
        own = bottom - excess.diagonal * top
        if min(chi.min(), back.min(), minus.min(), (s * s + d).min(), own.min()) <= 0:
            return -1.0
        return max(1 - excess.trace * float(np.sum(lam**2 * top / own)), -1.0)

    return height


def _why(view: Frame, low: float, high: float) -> str:
    """How far the enclosure got, and what kept it from closing: only what is known to hold."""
    got = f"1 - radius(B) lies in [{low:.12g}, {high:.12g}], wider than {2 * LARGEST_ERROR:g} of max(1, radius)"
    d, size = view.dim, unknowns(view.dim)
    if view.excess is None and size > cone.MOST_UNKNOWNS:
        return (
            f"{got}: proposals in doubles are too poor to be judged there, and proposals in balls are made for at most "
            f"{cone.MOST_UNKNOWNS} unknowns, here {size}; lower d = {d}"
        )
    if view.excess is not None and d > MOST_ROTATED and view.design.eigensystem.relative_error > 0:
        return f"{got}: {_as_computed(view)}; build the design with from_spectrum"
    return f"{got}: balls of {PRECISIONS[-1][0] if view.excess is not None else cone.BITS} bits do not tell more"


def _why_not_the_mean(view: Frame, gap: arb) -> str:
    return (
        f"1 - radius(A) lies in {gap.str(12)}, wider than {2 * LARGEST_ERROR:g} of max(1, radius): "
        f"{_as_computed(view)}, and where two roots of A meet half of these digits are left; ask `spectral_radius` for "
        "that of B, or build the design with from_spectrum"
    )


def _as_computed(view: Frame) -> str:
    return (
        f"with d = {view.dim} the eigenvalues of the dense Sigma are taken as computed, the smallest to "
        f"{view.design.eigensystem.relative_error:.1g}"
    )


def _mean_gap(view: Frame) -> arb:
    """1 - radius(A) as a ball, from eigenvalues with as many digits as a double root asks for."""
    with ctx.workprec(256):
        gap = _least_mean_gap(view, fine=view.dim <= _CHEAP)
        wide = float(gap.rad()) > LARGEST_ERROR / 10
        return _least_mean_gap(view, fine=True) if wide and view.dim > _CHEAP else gap


def _least_mean_gap(view: Frame, *, fine: bool) -> arb:
    spectrum = eigenvalue_balls(view.design, fine=fine) if view.excess is None else ball_spectrum(view, fine=fine).lam
    return 1 - reduce(arb.max, (_mean_modulus(lam, view.steps) for lam in spectrum))


def _mean_modulus(lam: arb, steps: StepSizes) -> arb:
    """The larger modulus of the two eigenvalues of A(lambda), for every lambda of the ball."""
    eta, theta, gamma = arb(steps.eta), arb(steps.theta), arb(steps.gamma)
    c, q = (1 - theta) / (1 + theta), (eta + theta * gamma) / (1 + theta)
    trace, determinant = 1 + c - q * lam, c * (1 - eta * lam)
    square = trace**2 / 4 - determinant
    if square < 0:
        return determinant.sqrt()
    if square >= 0:
        return abs(trace) / 2 + square.sqrt()
    met = abs(trace) / 2  # the roots meet within the ball
    return met.union(met + square.abs_upper().sqrt())
