"""What a method may know of its problem: the dimension, the loss and the constants of the paper's assumptions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from numerics.designs.checks import positive
from numerics.errors import ParameterError
from numerics.losses import Loss

if TYPE_CHECKING:
    from numerics.designs import Design
    from numerics.problems import Problem

CONSTANTS = {
    "mu": "the smallest eigenvalue of Sigma",
    "lambda_max": "the largest eigenvalue of Sigma",
    "r2": "R^2 with E[|a|^2 a a^T] <= R^2 Sigma",
    "kappa_tilde": "kappa~ with E[|a|^2_{Sigma^-1} a a^T] <= kappa~ Sigma",
}


@dataclass(frozen=True)
class ProblemInfo:
    """The constants may be unknown (None): methods run without them, presets that need one refuse by name."""

    dim: int
    loss: Loss
    mu: float | None = None
    lambda_max: float | None = None
    r2: float | None = None
    kappa_tilde: float | None = None

    def __post_init__(self) -> None:
        if isinstance(self.dim, bool) or not isinstance(self.dim, int) or self.dim < 1:
            raise ParameterError(f"dim = {self.dim!r} is not a dimension; give an integer >= 1")
        for name in CONSTANTS:
            value = getattr(self, name)
            if value is not None:
                try:
                    object.__setattr__(self, name, positive(value, name=name))
                except ValueError as error:
                    raise ParameterError(str(error)) from None

    @classmethod
    def of(cls, problem: Problem) -> ProblemInfo:
        """With the tight constants of the problem's design."""
        return cls.of_design(problem.design, problem.loss)

    @classmethod
    def of_design(cls, design: Design, loss: Loss) -> ProblemInfo:
        """With the tight constants of a design."""
        top = float(design.eigenvalues[-1])
        return cls(design.dim, loss, design.mu, top, design.r2, design.kappa_tilde)

    def need(self, name: str) -> float:
        """A constant that must be known."""
        value = getattr(self, name)
        if value is None:
            raise ParameterError(f"{name} is unknown: this preset needs {CONSTANTS[name]}; set it in ProblemInfo")
        return float(value)
