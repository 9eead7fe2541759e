r"""Designs whose pairs decouple: whether z exceeds the spectral radius of B, decided in balls.

The sign flips a_i -> -a_i along eigenvectors of Sigma leave B as it is, so its leading eigenmatrix (positive
semidefinite, by Krein and Rutman) may be taken diagonal: the 3d numbers (E y_i^2, E y_i v_i, E v_i^2) decide. With
D_i = c (1 - eta lam_i), t_i = 1 + c - q lam_i, E_i = (z + D_i)^2 - t_i^2 z and the response of E y_i^2 to unit noise

    phi_i(z) = [(q^2 z + c^2 eta^2)(z + D_i) - 2 q c eta t_i z] / [(z - D_i) E_i],

z exceeds the radius of B if and only if, for every i, z + D_i, z - D_i, E_i (the mean is stable at z) and
1 - excess_i phi_i are positive and sum_i trace lam_i^2 phi_i / (1 - excess_i phi_i) < 1. Polynomials in balls: the
sign is right or it is not told.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from flint import arb, ctx

from numerics.designs import IndependentCoordinates, OneHot
from numerics.designs.elliptical import EllipticalDesign
from numerics.operators import StepSizes

from .ball_sigma import eigenvalue_balls
from .frame import Frame

PRECISIONS = ((192, False), (768, True))  # bits, and whether the eigenvalues of a dense Sigma are refined


@dataclass(frozen=True)
class BallSpectrum:
    """lam_i, excess_i and trace of `PairExcess` as balls around what the design was given as."""

    lam: tuple[Any, ...]
    excess: tuple[Any, ...]
    trace: Any


def ball_spectrum(view: Frame, *, fine: bool) -> BallSpectrum:
    """Exact where the design fixes the eigenvalues; else enclosed, see `eigenvalue_balls`."""
    design = view.design
    if isinstance(design, OneHot):
        pairs = [(arb(float(p)), arb(float(s))) for p, s in zip(design.probabilities, design.scales, strict=True)]
        return BallSpectrum(tuple(p * s**2 for p, s in pairs), tuple(p * (1 - p) * s**4 for p, s in pairs), arb(0))
    if isinstance(design, EllipticalDesign):
        lam, d = eigenvalue_balls(design, fine=fine), design.dim
        k, least = arb(design.kurtosis), arb(d) / (d + 2)
        k = least if k < least else k  # d/(d + 2) is the least that a law has; a double below it is a rounded one
        if d == 1:
            return BallSpectrum(lam, ((3 * k - 1) * lam[0] ** 2 if k > least else arb(0),), arb(0))
        return BallSpectrum(lam, tuple((2 * k - 1) * x**2 for x in lam), k)
    assert isinstance(design, IndependentCoordinates)
    laws = [arb(law.kurtosis) for law in design.coordinates]
    if design.dim > 1 and all(law == 3 for law in laws):
        lam = eigenvalue_balls(design, fine=fine)
        return BallSpectrum(lam, tuple(x**2 for x in lam), arb(1))
    columns = [sum((arb(float(v)) ** 2 for v in column), arb(0)) for column in design.mixing.T]
    if design.dim == 1:
        return BallSpectrum(tuple(columns), (columns[0] ** 2 * (laws[0] - 1),), arb(0))
    return BallSpectrum(tuple(columns), tuple(x**2 * (k - 2) for x, k in zip(columns, laws, strict=True)), arb(1))


def exceeds_radius(view: Frame, gap: float) -> int:
    """1 when z = 1 - gap exceeds the radius of B, -1 when it does not, 0 when the balls are too wide to tell."""
    for bits, fine in PRECISIONS:
        with ctx.workprec(bits):
            side = _side(ball_spectrum(view, fine=fine), view.steps, 1 - arb(gap))
        if side:
            return side
    return 0


def _side(spectrum: BallSpectrum, steps: StepSizes, z: Any) -> int:
    eta, theta, gamma = arb(steps.eta), arb(steps.theta), arb(steps.gamma)
    c, q = (1 - theta) / (1 + theta), (eta + theta * gamma) / (1 + theta)
    square, push, cross = q**2 * z + (c * eta) ** 2, 2 * q * c * eta * z, 1 + c
    total, sure = arb(0), True
    for lam, excess in zip(spectrum.lam, spectrum.excess, strict=True):
        d, t = c * (1 - eta * lam), cross - q * lam
        plus, minus = z + d, z - d
        edge = plus**2 - t**2 * z
        top, bottom = square * plus - push * t, minus * edge
        own = bottom - excess * top
        for value in (plus, minus, edge, own):
            if value < 0:
                return -1
            sure = sure and bool(value > 0)
        if sure:
            total += lam**2 * top / own
    if not sure:
        return 0
    total *= spectrum.trace
    return 1 if total < 1 else -1 if total > 1 else 0
