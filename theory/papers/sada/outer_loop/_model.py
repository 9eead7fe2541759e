"""One step of the outer loop, written once, in coordinates in which the H-norm is the Euclidean one.

x = x_{k-1}, p = x_{k-2}, y = y_{k-1}, o = x*, all times H^(1/2); g = H^(-1/2) grad F(y); r, v the bias and the noise of
the inner loop, times H^(1/2), random over w. F enters through its values only: Fs = F(x*), Fx = F(x_{k-1}), Fy = F(y),
Fn = E F(x_k), bound by the descent inequality (averaged over w) and by strong convexity. Nothing else is known of F, so
a proof holds for every function that is 1-smooth and (1/alpha)-strongly convex in the H-norm, in every dimension.

th = theta_k and tp = theta_{k-1}. The step size is h = 2 alpha th^2/L_l, which is what theta_k =
sqrt(L_l h_k/(2 alpha)) says; then L_l h = 2 alpha th^2 has no unit.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

Point = dict[str, Any]


def point(numbers: str, **families: Any) -> Point:
    """An exact point: "Ll=1 th=1/4" and the families by name."""
    return {**dict(pair.split("=") for pair in numbers.split()), **families}


H = "2*alpha*th**2/Ll"
BETA = "(1-th)/(1+th)"
EXTRAPOLATED = f"(x[i] + {BETA}*(x[i]-p[i]))"


def total(body: str) -> str:
    """A sum over the coordinates."""
    return f"sum(i, 1, d, {body})"


def expected(body: str) -> str:
    """The mean over the samples of the k-th inner loop, summed over the coordinates."""
    return f"sum(i, 1, d, mean(w, {body}))"


def new_x(y: str, h: str = H) -> str:
    """x_k = y - L_l h H^{-1} grad F(y) + h r + h v."""
    return f"({y} - Ll*({h})*g[i] + ({h})*(r[i,w]+v[i,w]))"


def new_z(y: str, h: str = H) -> str:
    """z_k = x_k + (1/theta_k - 1)(x_k - x_{k-1})."""
    return f"({new_x(y, h)} + (1-th)/th*({new_x(y, h)}-x[i]))"


def gradient_at(point: str, y: str) -> str:
    """<g, point - y> + |point - y|^2/(2 alpha): what strong convexity adds to F(y) below F(point)."""
    return total(f"g[i]*({point}-{y}) + ({point}-{y})**2/(2*alpha)")


def descent(y: str, h: str = H) -> str:
    """E F(x_k) is at most F(y) + E<grad F(y), x_k - y> + E|x_k - y|^2/2."""
    move = f"({new_x(y, h)}-{y})"
    return f"Fn <= Fy + {expected(f'g[i]*{move} + {move}**2/2')}"


def convexity(y: str) -> tuple[str, str]:
    return f"Fs >= Fy + {gradient_at('o[i]', y)}", f"Fx >= Fy + {gradient_at('x[i]', y)}"


CENTRED = "forall(i, 1, d, mean(w, v[i,w]) == 0)"
BIAS_PRINTED = f"{expected('r[i,w]**2')} <= Ll*h/(8*alpha)*{total('g[i]**2')}"
BIAS = f"{expected('r[i,w]**2')} <= Ll**2*(Ll*h/(8*alpha))*{total('g[i]**2')}"  # lem:inner-loop with L_l^2 restored
NOISE = f"{expected('v[i,w]**2')} <= Ll*sig2 + Ll**2*(Leff/T)*(Fy-Fs)"
NOISE_PRINTED = f"{expected('v[i,w]**2')} <= Ll*sig2 + Leff*Ll**2*(Fy-Fs)"
SIZES = ("Ll > 0", "alpha >= 1", "th > 0")


@dataclass(frozen=True)
class Setting:
    """Where the step starts: the extrapolated point, the old z; the step size, its caps and what bias is allowed."""

    y: str
    z: str
    h: str
    small: str
    cap: str
    rho: str = ""

    @property
    def bias(self) -> str:
        """E|r|^2 <= L_l^2 bias |grad F|^2; L_l h/(8 alpha) in lem:inner-loop."""
        return self.rho or f"Ll*({self.h})/(8*alpha)"

    @property
    def given(self) -> tuple[str, ...]:
        """Positions 0 to 16; the proofs refer to them."""
        return (
            *(*SIZES, self.small, "T > 0", "Leff >= 0", self.cap, "sig2 >= 0", "Fy >= Fs", "Fx >= Fs"),
            *(
                CENTRED,
                descent(self.y, self.h),
                *convexity(self.y),
                BIAS.replace("Ll*h/(8*alpha)", self.bias),
                NOISE,
                "tp >= th",
            ),
        )


# y and z are tied by z_{k-1} = y + (y - x)/theta_k, which is what the repaired momentum gives; no more is used
FREE = ("y[i]", "(y[i] + (y[i]-x[i])/th)")
EXAMPLE = point(
    "Ll=1 alpha=1 th=1/4 tp=1/4 T=8 Leff=1 sig2=1 Fy=1/2 Fx=1/2 Fs=0 Fn=49/128 d=1",
    p_w=["1"], x=["1"], o=["0"], g=["1"], r=[["0"]], v=[["0"]],
)  # fmt: skip
