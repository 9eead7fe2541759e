r"""One-hot design: a = s_i e_i with probability p_i.

    Sigma = diag(p_i s_i^2),    M(X) = diag(p_i s_i^4 X_ii),    R^2 = max_i s_i^2,    kappa~ = max_i 1/p_i,

where |a|^2 <= max s_i^2 and |a|^2_{Sigma^-1} = 1/p_i almost surely: the constants that the paper quotes for bounded
data are tight here.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from .base import Design
from .checks import Array, freeze, frozen_array, generator, sample_size, square_argument
from .checks import probabilities as checked_probabilities
from .exact import rational_vector
from .finite import FiniteSupport


@dataclass(frozen=True, eq=False, repr=False, init=False)
class OneHot(Design):
    """Probabilities (d,) that sum to one and non-zero scales (d,), all 1 when none are given."""

    probabilities: Array
    scales: Array
    _rational: tuple[tuple[Any, ...], tuple[Any, ...]] | None

    def __init__(self, probabilities: Any, scales: Any = None) -> None:
        p = checked_probabilities(probabilities, name="probabilities")
        given = [1] * len(p) if scales is None else scales
        s = frozen_array(given, name="scales", ndim=1)
        if len(s) != len(p):
            raise ValueError(f"scales: {len(s)} entries for {len(p)} probabilities; give one scale a coordinate")
        if np.any(s == 0):
            raise ValueError(f"scales: entry {int(np.argmax(s == 0))} is 0, so Sigma is singular; drop that coordinate")
        rational = rational_vector(list(probabilities)), rational_vector(list(given))
        object.__setattr__(self, "probabilities", p)
        object.__setattr__(self, "scales", s)
        object.__setattr__(self, "_rational", None if None in rational else rational)
        object.__setattr__(self, "sigma", freeze(np.diag(p * s**2)))
        _ = self.eigensystem  # refuses an underflowing Sigma at once

    def _identity(self) -> tuple[Any, ...]:
        return (OneHot, self.probabilities.tobytes(), self.scales.tobytes())

    def fourth_moment(self, x: ArrayLike) -> Array:
        x = square_argument(x, dim=self.dim, name="X")
        return np.diag(self.probabilities * self.scales**4 * np.diagonal(x))

    def excess(self, x: ArrayLike) -> Array:
        """N(X): p_i (1 - p_i) s_i^4 X_ii on the diagonal, -lambda_i lambda_j X_ij off it."""
        x, lam = square_argument(x, dim=self.dim, name="X"), np.diagonal(self.sigma)
        value = -np.outer(lam, lam) * (x + x.T) / 2
        p = self.probabilities
        np.fill_diagonal(value, p * (1 - p) * self.scales**4 * np.diagonal(x))
        return value

    @property
    def r2(self) -> float:
        return float(np.max(self.scales**2))

    @property
    def kappa_tilde(self) -> float:
        return float(1 / np.min(self.probabilities))

    @property
    def r2_quoted(self) -> float:
        return self.r2

    @property
    def kappa_tilde_quoted(self) -> float:
        return self.kappa_tilde

    def sample(self, n: int, rng: np.random.Generator) -> Array:
        n = sample_size(n)
        hot = generator(rng).choice(self.dim, size=n, p=self.probabilities)
        rows = np.zeros((n, self.dim))
        rows[np.arange(n), hot] = self.scales[hot]
        return rows

    def rotated(self, q: ArrayLike) -> FiniteSupport:
        return self.finite_support().rotated(q)

    def in_eigenbasis(self) -> OneHot:
        order = np.argsort(np.diagonal(self.sigma), kind="stable")
        return OneHot(self.probabilities[order], self.scales[order])

    def finite_support(self) -> FiniteSupport:
        """The same law as atoms s_i e_i; exact when probabilities and scales were given as Fractions or integers."""
        if self._rational is None:
            return FiniteSupport(np.diag(self.scales), self.probabilities)
        p, s = ([Fraction(int(v.p), int(v.q)) for v in values] for values in self._rational)
        zero = Fraction(0)
        atoms = [[s[i] if i == j else zero for j in range(self.dim)] for i in range(self.dim)]
        return FiniteSupport(atoms, p)
