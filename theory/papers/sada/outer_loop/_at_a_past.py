"""One step of the outer loop at a given past, in vectors of every size: lines 1684 to 1790.

x, y, o are x_{k-1}, y_{k-1}, x*; grad is grad F(y_{k-1}); H = L_l Sigma is positive definite. r[w] and v[w] are r_k and
v_k, random over the samples w of the k-th inner loop (a space S of any kind); at a given past E_{k-1} is E(w, …).
F enters by its values: Fy, Fx, Fs at y, x, x*, and F[w] at x_k. `at` turns a point of one dimension into the notation
of such claims.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from theory.provers.tactics import Tactic, auto

VECTORS = dict.fromkeys(("x", "y", "o", "grad"), "vector(d)")
KINDS = {**VECTORS, "H": "pd(d)", "r": "vector(d)[S]", "v": "vector(d)[S]", "F": "real[S]"}
CHOICE = {"h": "2*alpha*th**2/Ll"}  # theta_k = sqrt(L_l h_k/(2 alpha))
STEP = {
    "xk[w]": "y - Ll*h*(inv(H) @ grad) + h*r[w] + h*v[w]",
    "move[w]": "xk[w] - y",
    "G2": "norm2(grad, inv(H))",
    "R2": "E(w, norm2(r[w], H))",
    "V2": "E(w, norm2(v[w], H))",
    "M2": "E(w, norm2(move[w], H))",
    "GR": "E(w, grad.T @ r[w])",
}
CENTRED = "E(w, v[w]) == 0"
SMOOTH = "forall(w, sample(S), F[w] <= Fy + grad.T @ move[w] + 1/2*norm2(move[w], H))"
BIAS_PRINTED = "R2 <= Ll*h/(8*alpha)*G2"
BIAS = "R2 <= Ll**2*(Ll*h/(8*alpha))*G2"  # lem:inner-loop with L_l^2 restored
NOISE_PRINTED = "V2 <= Ll*sig2 + Leff*Ll**2*(Fy - Fs)"
NOISE = "V2 <= Ll*sig2 + Ll**2*(Leff/T)*(Fy - Fs)"
CHOSEN = ("Ll > 0", "alpha >= 1", "th > 0", "12*alpha*th**2 <= 1", "T > 0", "Leff >= 0", "sig2 >= 0", "Fy >= Fs")
EVERY = "every d, every F, every distribution of r and v whose moments exist, at a given past"


def at(numbers: str, probabilities: Sequence[str] = ("1",), **random: Sequence[str]) -> dict[str, Any]:
    """A point with d = 1 and H = 1: "Ll=1 th=1/4", vectors as numbers, random ones value by value."""
    plain: dict[str, Any] = dict(pair.split("=") for pair in numbers.split())
    vectors: dict[str, Any] = {name: [plain[name]] for name in ("x", "y", "o", "grad", "u", "wt") if name in plain}
    values = {name: dict(zip(map(str, range(1, 99)), given, strict=False)) for name, given in random.items()}
    return {**plain, "d": "1", "H": [["1"]], "p_S": list(probabilities), **vectors, **values}


def weight(text: str) -> dict[str, Any]:
    """A number that is nonnegative, and the provers see why."""
    return {"is": text, "because": auto()}


def square(left: str, *factors: Any) -> Tactic:
    """A squared H-norm."""
    return {"psd": "H", "L": f"({left}).T", "c": list(factors)}


def mean_square(left: str, *factors: Any) -> Tactic:
    """A mean of squared H-norms, over the sample s."""
    return {**square(left, *factors), "E": {"s": "S"}}
