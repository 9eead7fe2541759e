"""The energy F(x_k) - F* + omega_k |z_k - x*|_H^2 contracts: what the certificate consists of, for any outer loop.

Multiply the descent inequality by 1, strong convexity at x* by f theta and at x_{k-1} by f (1 - theta), the bounds on r
and v by m_r and m_v, with f = 1 + theta/12, and subtract from the energy inequality: what is left is, sample by sample,
a sum of squared norms with coefficients that are nonnegative under the conditions.
"""

from __future__ import annotations

from dataclasses import dataclass

F = "(1+th/12)"
R, V, G = "r[u1]", "v[u1]", "(1/Ll*dy)"


@dataclass(frozen=True)
class Square:
    """A coefficient that is nonnegative, times the squared norm of a vector."""

    coefficient: str
    root: str


@dataclass(frozen=True)
class Way:
    """One way to run the outer loop, with the constants for which its energy contracts.

    h, s      the step size h_k, and L_l h_k; omega_k = (1 + theta_k/12) * weight
    rate      the energy loses the factor 1 - rate*theta_k
    young     |r + v|^2 <= (1 + 1/young)|v|^2 + (1 + young)|r|^2
    kept      the part of |z_{k-1} - x*|^2 that the old energy pays
    bias      what the inner products of r with positions cost, as a multiple of E|r|^2
    squares   what is left of the positions; budget: what is left of |grad F|^2, divided by s
    middle    scale * (theta (y - x*) + (1 - theta)(y - x_{k-1}))
    """

    h: str
    s: str
    rate: str
    weight: str
    young: int
    kept: str
    bias: str
    budget: str
    squares: tuple[Square, ...]
    middle: str
    scale: str = "1"

    @property
    def n(self) -> str:
        return f"({F}+{self.s})"

    @property
    def m_r(self) -> str:
        return f"({self.s}/2*{self.n}*(1+{self.young}) + {self.s}*({F}-1+{self.s})/(2*th) + {self.bias})"

    @property
    def m_v(self) -> str:
        return f"({self.s}/2*{self.n}*(1+1/{self.young}))"

    @property
    def every_square(self) -> tuple[Square, ...]:
        return (
            *self.squares,
            Square(f"{self.s}/2*{self.n}/{self.young}/Ll**2", f"{V} - {self.young}*{R}"),
            Square(f"{self.s}*({F}-1+{self.s})/(2*th*Ll**2)", f"Ll*th*{G} + {R}"),
            Square(f"{self.s}*({self.budget})", G),
        )
