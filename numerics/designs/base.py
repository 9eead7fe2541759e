r"""What every data distribution knows: Sigma = E a a^T, M(X) = E[a a^T X a a^T], and the constants of the paper's
fourth-moment assumption, E[|a|^2 a a^T] <= R^2 Sigma and E[|a|^2_{Sigma^-1} a a^T] <= kappa~ Sigma.

`r2` and `kappa_tilde` are the smallest such constants (generalised eigenvalues); `r2_quoted` and
`kappa_tilde_quoted` are those that the paper quotes for the design, or None where it quotes none.
"""

from __future__ import annotations

import html
from abc import ABC, abstractmethod
from dataclasses import dataclass, field, fields
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from . import spectral
from .checks import Array, freeze, square_argument

if TYPE_CHECKING:
    from .finite import FiniteSupport


@dataclass(frozen=True, eq=False, repr=False)
class Design(ABC):
    """A distribution of the data vector a in R^d with finite fourth moments and positive definite Sigma."""

    sigma: Array = field(init=False)

    @abstractmethod
    def fourth_moment(self, x: ArrayLike) -> Array:
        """M(X) = E[a a^T X a a^T] for any (d, d) matrix X, symmetric or not; O(d^2) memory."""

    def excess(self, x: ArrayLike) -> Array:
        """N(X) = M(X) - Sigma X Sigma for a symmetric X; designs that can, leave the subtraction out."""
        x = square_argument(x, dim=self.dim, name="X")
        value = self.fourth_moment(x) - self.sigma @ x @ self.sigma
        return np.asarray((value + value.T) / 2)

    def excess_matrix(self) -> Array:
        """N on packed symmetric matrices (upper triangle by rows): d(d+1)/2 square, column by column."""
        upper = np.triu_indices(self.dim)
        columns = []
        for i, j in zip(*upper, strict=True):
            unit = np.zeros((self.dim, self.dim))
            unit[i, j] = unit[j, i] = 1.0
            columns.append(self.excess(unit)[upper])
        return np.array(columns).T

    @abstractmethod
    def sample(self, n: int, rng: np.random.Generator) -> Array:
        """n independent draws as rows of an (n, d) array."""

    @abstractmethod
    def rotated(self, q: ArrayLike) -> Design:
        """The distribution of Q a for an orthogonal Q."""

    @property
    @abstractmethod
    def r2(self) -> float:
        """Smallest R^2 with E[|a|^2 a a^T] <= R^2 Sigma."""

    @property
    @abstractmethod
    def kappa_tilde(self) -> float:
        """Smallest kappa~ with E[|a|^2_{Sigma^-1} a a^T] <= kappa~ Sigma."""

    @property
    @abstractmethod
    def r2_quoted(self) -> float | None:
        """The R^2 that the paper quotes for this design, None where it quotes none."""

    @property
    @abstractmethod
    def kappa_tilde_quoted(self) -> float | None:
        """The kappa~ that the paper quotes for this design, None where it quotes none."""

    def in_eigenbasis(self) -> Design:
        """The same distribution in coordinates where Sigma is diagonal with ascending entries."""
        return self.rotated(self.eigenvectors.T)

    @cached_property
    def eigenbasis_excess_matrix(self) -> Array:
        """`excess_matrix` in the eigenbasis of Sigma; kept, because every horizon needs it again."""
        return freeze(self.in_eigenbasis().excess_matrix())

    def finite_support(self) -> FiniteSupport | None:
        """The same distribution as atoms and weights where it has few atoms, else None."""
        return None

    @property
    def dim(self) -> int:
        return int(self.sigma.shape[0])

    @cached_property
    def eigensystem(self) -> spectral.Eigensystem:
        """Eigenvalues and eigenvectors of Sigma with the relative error of the smallest eigenvalue."""
        return spectral.of_matrix(self.sigma, name="Sigma")

    @property
    def eigenvalues(self) -> Array:
        """Eigenvalues of Sigma, ascending."""
        return self.eigensystem.values

    @property
    def eigenvectors(self) -> Array:
        """Columns are the eigenvectors of Sigma, in the order of `eigenvalues`."""
        return self.eigensystem.vectors

    @property
    def mu(self) -> float:
        """The smallest eigenvalue of Sigma."""
        return float(self.eigenvalues[0])

    @property
    def condition_number(self) -> float:
        """kappa(Sigma) = lambda_max / lambda_min."""
        return float(self.eigenvalues[-1] / self.eigenvalues[0])

    @property
    def kappa(self) -> float:
        """The paper's kappa = R^2 / mu with the tight R^2."""
        return self.r2 / self.mu

    @cached_property
    def is_diagonal(self) -> bool:
        return spectral.is_diagonal(self.sigma)

    def solve(self, rhs: Array) -> Array:
        """Sigma^-1 rhs through the eigensystem."""
        v = self.eigenvectors
        coordinates = v.T @ rhs
        scale = self.eigenvalues if coordinates.ndim == 1 else self.eigenvalues[:, None]
        return np.asarray(v @ (coordinates / scale), dtype=np.float64)

    def _identity(self) -> tuple[Any, ...]:
        values = [getattr(self, f.name) for f in fields(self) if f.init]
        return (type(self), *((v.shape, v.tobytes()) if isinstance(v, np.ndarray) else v for v in values))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Design) and self._identity() == other._identity()

    def __hash__(self) -> int:
        return hash(self._identity())

    def _parameters(self) -> dict[str, str]:
        """Extra parameters for display, by name."""
        return {}

    def __repr__(self) -> str:
        extra = "".join(f", {name}={value}" for name, value in self._parameters().items())
        return (
            f"{type(self).__name__}(dim={self.dim}{extra}, lambda in [{self.mu:.4g}, {self.eigenvalues[-1]:.4g}], "
            f"r2={self.r2:.4g}, kappa_tilde={self.kappa_tilde:.4g})"
        )

    def _repr_html_(self) -> str:
        rows = {"dimension": str(self.dim), **self._parameters(), **self._constants()}
        cells = "".join(
            f"<tr><th>{html.escape(name)}</th><td>{html.escape(value)}</td></tr>" for name, value in rows.items()
        )
        return f"<table><caption>{html.escape(type(self).__name__)}</caption>{cells}</table>"

    def _constants(self) -> dict[str, str]:
        def both(tight: float, quoted: float | None) -> str:
            return f"{tight:.6g} tight, " + ("none quoted" if quoted is None else f"{quoted:.6g} quoted")

        return {
            "lambda_min": f"{self.mu:.6g}",
            "lambda_max": f"{self.eigenvalues[-1]:.6g}",
            "R^2": both(self.r2, self.r2_quoted),
            "kappa~": both(self.kappa_tilde, self.kappa_tilde_quoted),
        }
