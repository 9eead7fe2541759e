r"""A loss of the user's own, refused unless sampled values support its derivatives and its constants.

l' is compared with central differences of l, and l'' with those of l', at many (z, b); mu <= l'' <= L is checked at the
same points and between neighbours, through the slopes of l'. Sampling refutes, it cannot prove: `domain` says so.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike

from numerics.designs.checks import Array, positive

from . import kernels
from .base import Loss, broadcast

Elementwise = Callable[[Array, Array], ArrayLike]


@dataclass(frozen=True, repr=False)
class UserLoss(Loss):
    """l, l', l'' as vectorised callables of (z, b), with the constants that the user claims.

    `kernel` may carry an njit-compiled scalar l'(z, b) for compiled optimizers. Derivatives and constants are checked
    for |z| <= radius and b in `labels`.
    """

    name: ClassVar[str] = "user-defined"
    code: ClassVar[int] = kernels.USER
    L: float = field()
    mu: float = field()
    l: Elementwise
    dl: Elementwise
    ddl: Elementwise
    title: str = "user-defined"
    labels: tuple[float, ...] = (-2.0, -1.0, 0.0, 1.0, 2.0)
    radius: float = 10.0
    kernel: Any = None

    def __post_init__(self) -> None:
        L, mu = positive(self.L, name=f"{self.title}: L"), positive(self.mu, name=f"{self.title}: mu")
        if mu > L:
            raise ValueError(f"{self.title}: mu = {mu} exceeds L = {L}; the loss needs mu <= L")
        positive(self.radius, name=f"{self.title}: radius")
        if not self.labels:
            raise ValueError(f"{self.title}: no labels to check the loss at; give some typical values of b")
        self._set_constants(L=L, mu=mu)
        object.__setattr__(self, "labels", tuple(float(b) for b in self.labels))
        check_derivatives(self)

    @property
    def domain(self) -> str:
        return f"sampled only: |z| <= {self.radius:g}, b in {list(self.labels)}"

    @property
    def params(self) -> tuple[float, float, float]:
        return 0.0, 0.0, 0.0

    def value(self, z: ArrayLike, b: ArrayLike) -> Array:
        return self._apply(self.l, z, b)

    def d1(self, z: ArrayLike, b: ArrayLike) -> Array:
        return self._apply(self.dl, z, b)

    def d2(self, z: ArrayLike, b: ArrayLike) -> Array:
        return self._apply(self.ddl, z, b)

    def _apply(self, function: Elementwise, z: ArrayLike, b: ArrayLike) -> Array:
        z, b = broadcast(z, b)
        result = np.asarray(function(z, b), dtype=np.float64)
        return np.broadcast_to(result, z.shape) if result.shape != z.shape else result


def check_derivatives(loss: UserLoss) -> None:
    """Refuse, with the offending point, when a sampled derivative or constant is violated."""
    z = np.linspace(-loss.radius, loss.radius, 2001)
    step = 1e-4 * max(1.0, loss.radius / 10)
    for b in loss.labels:
        for name, function in (("l", loss.value), ("l'", loss.d1), ("l''", loss.d2)):
            _refuse(~np.isfinite(function(z, b)), z, b, loss, f"{name} is not finite", "correct the callable")
        slope = (loss.value(z + step, b) - loss.value(z - step, b)) / (2 * step)
        size = np.abs(loss.value(z, b)) * 1e-14 / step + loss.L * step + 1e-6 * (1 + np.abs(slope))
        off = np.abs(slope - loss.d1(z, b)) > size
        _refuse(off, z, b, loss, "l' is not the derivative of l", "correct the second callable")
        curvature = (loss.d1(z + step, b) - loss.d1(z - step, b)) / (2 * step)
        _refuse_many(np.abs(curvature - loss.d2(z, b)) > 1e-4 * loss.L, z, b, loss)
        between = np.diff(loss.d1(z, b), append=np.nan) / np.diff(z, append=np.nan)
        for what, c in (("l''", loss.d2(z, b)), ("the slope of l' to the next point", between)):
            _refuse(c > loss.L * (1 + 1e-6) + 1e-9, z, b, loss, f"{what} exceeds L = {loss.L:g}", "raise L")
            _refuse(c < loss.mu * (1 - 1e-6) - 1e-9, z, b, loss, f"{what} is below mu = {loss.mu:g}", "lower mu")


def _refuse(bad: Any, z: Array, b: float, loss: UserLoss, what: str, remedy: str) -> None:
    if np.any(bad):
        point = z[int(np.argmax(bad))]
        raise ValueError(f"{loss.title}: at z = {point:g}, b = {b:g} {what}; {remedy}")


def _refuse_many(bad: Any, z: Array, b: float, loss: UserLoss) -> None:
    """l'' may jump at isolated points: refuse only when neighbouring sample points disagree as well."""
    _refuse(bad[1:] & bad[:-1], z, b, loss, "l'' is not the derivative of l'", "correct the third callable")
