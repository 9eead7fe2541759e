r"""What every loss knows: l, l', l'' in the first argument, and constants with mu_l <= l'' <= L_l.

`domain` says where the constants hold. `code` and `params` select the same loss in `numerics.losses.kernels`.
"""

from __future__ import annotations

import html
from abc import ABC, abstractmethod
from dataclasses import dataclass, field, fields
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike

from numerics.designs.checks import Array


@dataclass(frozen=True, repr=False)
class Loss(ABC):
    """A loss l(z, b) of a prediction z = a.x and a label b, convex in z with curvature in [mu, L]."""

    name: ClassVar[str]
    code: ClassVar[int]
    residual: ClassVar[bool] = False  # l depends on z - b only
    even: ClassVar[bool] = False  # l depends on |z - b| only
    convex: ClassVar[bool] = True
    L: float = field(init=False)  # L_l, upper bound of l''
    mu: float = field(init=False)  # mu_l, lower bound of l''

    @abstractmethod
    def value(self, z: ArrayLike, b: ArrayLike) -> Array:
        """l(z, b), elementwise with broadcasting."""

    @abstractmethod
    def d1(self, z: ArrayLike, b: ArrayLike) -> Array:
        """l'(z, b)."""

    @abstractmethod
    def d2(self, z: ArrayLike, b: ArrayLike) -> Array:
        """l''(z, b)."""

    @property
    def alpha(self) -> float:
        """alpha = L_l / mu_l, the condition number of the loss."""
        return self.L / self.mu

    @property
    @abstractmethod
    def domain(self) -> str:
        """The condition on (z, b) under which mu <= l'' <= L."""

    @property
    @abstractmethod
    def params(self) -> tuple[float, float, float]:
        """The parameters of the compiled kernel."""

    @property
    def kinks_in_residual(self) -> tuple[float, ...]:
        """Values of z - b where l is not smooth; integrals are split there."""
        return ()

    @property
    def kinks_in_prediction(self) -> tuple[float, ...]:
        """Values of z where l is not smooth; integrals are split there."""
        return ()

    @property
    def width_in_residual(self) -> float | None:
        """Distance from z = b to the nearest complex singularity of l, None without one; for quadrature."""
        return None

    @property
    def width_in_prediction(self) -> float | None:
        """Distance from z = 0 to the nearest complex singularity of l, None without one; for quadrature."""
        return None

    def allows(self, b: ArrayLike) -> np.ndarray[tuple[int, ...], np.dtype[np.bool_]]:
        """Which labels the loss is defined for."""
        labels = np.asarray(b, dtype=np.float64)
        return np.isfinite(labels) & self._allowed(labels)

    def check_labels(self, b: ArrayLike) -> Array:
        """The labels as floats; refused when one is outside the domain of the loss."""
        labels = np.asarray(b, dtype=np.float64)
        bad = np.flatnonzero(~self.allows(labels))
        if bad.size:
            value = labels.ravel()[bad[0]]
            raise ValueError(f"{self.name}: label {int(bad[0])} is {value:g} ({bad.size} such labels); {self.remedy()}")
        return labels

    def _allowed(self, labels: Array) -> np.ndarray[tuple[int, ...], np.dtype[np.bool_]]:
        return np.isfinite(labels)

    def remedy(self) -> str:
        """What to do about labels that are not allowed."""
        return "labels must be finite numbers: remove or impute the others"

    def _set_constants(self, *, L: float, mu: float) -> None:
        object.__setattr__(self, "L", L)
        object.__setattr__(self, "mu", mu)

    def __repr__(self) -> str:
        parameters = ", ".join(f"{f.name}={getattr(self, f.name)!r}" for f in fields(self) if f.init)
        return f"{type(self).__name__}({parameters})"

    def _repr_html_(self) -> str:
        rows = {
            "loss": repr(self),
            "L_l": f"{self.L:.6g}",
            "mu_l": f"{self.mu:.6g}",
            "alpha": f"{self.alpha:.6g}",
            "holds for": self.domain,
        }
        cells = "".join(f"<tr><th>{html.escape(k)}</th><td>{html.escape(v)}</td></tr>" for k, v in rows.items())
        return f"<table><caption>{html.escape(self.name)}</caption>{cells}</table>"


def broadcast(z: ArrayLike, b: ArrayLike) -> tuple[Array, Array]:
    """Both arguments as float arrays of a common shape."""
    z_array, b_array = np.broadcast_arrays(np.asarray(z, dtype=np.float64), np.asarray(b, dtype=np.float64))
    return z_array, b_array
