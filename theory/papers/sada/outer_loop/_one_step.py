"""lem:outer-one-step with its energy mended, in vectors of every size, for every loss and every distribution.

x, p are x_{k-1}, x_{k-2}; y is y_{k-1}, o is x*; xk[u], r[u], v[u] are x_k, r_k, v_k after the samples u of the k-th
inner loop. F is the mean of the loss ell over one sample w, dl its derivative. H = L_l Sigma, and h_k is the step size.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from theory.papers.sada.language import weight
from theory.papers.sada.outer_loop._inner_run import ABOVE, BELOW, OPTIMAL, least
from theory.papers.sada.outer_loop._model import H
from theory.papers.sada.outer_loop._momentum_variants import CAP, SLOWLY
from theory.papers.sada.outer_loop._step_of_every_size import CENTRED, CONVEX, ID, NOISE, Step
from theory.provers.tactics import Tactic, cite, order

SIGMA = "Sigma == E(w, a[w] @ a[w].T)"
KINDS = {
    **dict.fromkeys(("ell", "dl"), "real[vector(d), S]"), "a": "vector(d)[S]", "Sigma": "pd(d)",
    **dict.fromkeys(("o", "x", "p", "y"), "vector(d)"), **dict.fromkeys(("xk", "r", "v"), "vector(d)[U]"),
}  # fmt: skip
WHERE = {
    "F(q)": "E(w, ell[q, w])",
    "grad(q)": "E(w, dl[q, w]*a[w])",
    "normH(q)": "Ll*norm2(q, Sigma)",
    "Hinv": "1/Ll*inv(Sigma)",
    "zk[u]": "xk[u] + (1-th)/th*(xk[u] - x)",
    "z": "x + (1-tp)/tp*(x - p)",
}
MOVED = "forall(u, sample(U), xk[u] == y - Ll*hk*(Hinv @ grad(y)) + hk*r[u] + hk*v[u])"
BIAS_H = "E(u, normH(r[u])) <= Ll**2*(Ll*hk/(8*alpha))*(grad(y).T @ Hinv @ grad(y))"
NOISE_H = "E(u, normH(v[u])) <= Ll*sig2 + Ll**2*(Leff/T)*(F(y) - F(o))"
# least squares with one sample, a = 1 and b = 0, and a noise of size 1
POINT: dict[str, Any] = {
    **dict.fromkeys(("Ll", "alpha", "Leff", "sig2", "d"), "1"), "th": "1/4", "tp": "1/4", "T": "24",
    "x": ["1"], "p": ["1"], "o": ["0"], "y": ["1"], "a": {"1": "1"}, "p_S": ["1"], "Sigma": [["1"]],
    "ell": {"1": {"of": "x", "is": "x[1]**2/2"}}, "dl": {"1": {"of": "x", "is": "x[1]"}},
    "p_U": ["1/2", "1/2"], "r": {"1": ["0"], "2": ["0"]}, "v": {"1": ["1"], "2": ["-1"]},
}  # fmt: skip


@dataclass(frozen=True)
class Lemma:
    """One outer step, with what it asks of h_k beside h_k <= `largest`/L_l."""

    step: Step
    cap: str = CAP
    largest: str = "1/6"

    @property
    def given(self) -> tuple[str, ...]:
        numbers = ("Ll > 0", "alpha >= 1", "th > 0", f"Ll*hk <= {self.largest}", "T > 0", "Leff >= 0", self.cap)
        slow, loss = ("tp >= th", SLOWLY), (ABOVE, BELOW, OPTIMAL, SIGMA)
        return (*numbers, *slow, *loss, self.step.momentum, MOVED, "sig2 >= 0", CENTRED, BIAS_H, NOISE_H)

    def says(self, noise: str) -> str:
        new = "E(u, F(xk[u])) - F(o) + omega(th)*E(u, normH(zk[u] - o))"
        old = "F(x) - F(o) + omega(tp)*normH(z - o)"
        return f"{new} <= (1 - {self.step.way.rate}*th)*({old}) + {noise}*hk*sig2"

    @property
    def example(self) -> dict[str, Any]:
        """y = 1, and the two samples take it to 1 and to 1 - 2 h_k."""
        length = Fraction(1, 16) * (2 if self.step.way.h == H else 1)
        return {**POINT, "xk": {"1": ["1"], "2": [str(1 - 2 * length)]}}

    def about(self, **more: Any) -> dict[str, Any]:
        where = {"hk": self.step.way.h, "omega(t)": f"(1 + t/12)*({self.step.way.weight})", **WHERE}
        return {
            "kinds": KINDS, "where": where, "given": self.given, "example": self.example,
            "scope": "every d, every loss within the quadratic bounds, every distribution with second moments",
            "proof": lambda claim: self.proof(), **more,
        }  # fmt: skip

    def below(self, at: str) -> Tactic:
        """The lower quadratic bound of the loss at each sample, in the mean."""
        apart = f"({at} - y)"
        return order(
            {"of": self.given.index(BELOW), "at": {"u1": at, "u2": "y", "w": "v1"}, "E": {"v1": "S"}},
            {"eq": self.given.index(SIGMA), "L": f"{apart}.T", "R": apart, "k": "-Ll/(2*alpha)"},
        )

    def proof(self) -> Tactic:
        """The step at a given past, and the descent inequality in the mean over the fresh samples."""
        given, scaled = self.given, [weight("1/Ll")]
        shown = {
            self.step.momentum: order({"eq": given.index(self.step.momentum)}),
            "Fy >= Fs": least(given, "y"),
            "Fx >= Fs": least(given, "x"),
            CENTRED: order({"eq": given.index(CENTRED)}),
            CONVEX[0]: self.below("o"),
            CONVEX[1]: self.below("x"),
            self.step.bias: order({"of": given.index(BIAS_H), "c": scaled}),
            NOISE: order({"of": given.index(NOISE_H), "c": scaled}),
        }
        apart, fresh = "(xk[u1] - y)", {"u1": "U", "v1": "S"}
        last = order(
            {"of": "step"},
            {"of": given.index(ABOVE), "at": {"u1": "xk[u1]", "u2": "y", "w": "v1"}, "E": fresh},
            {"eq": given.index(SIGMA), "L": f"{apart}.T", "R": apart, "k": "Ll/2", "E": {"u1": "U"}},
            ops=[{"use": given.index(MOVED)}],
        )
        return cite(
            f"{ID}#{self.step.part}", {"Fy": "F(y)", "Fx": "F(x)", "Fs": "F(o)"},
            letters={"dy": {"at": [], "is": "inv(Sigma) @ grad(y)"}},
            discharge={str(self.step.given.index(one)): by for one, by in shown.items()}, then=last, called="step",
        )  # fmt: skip
