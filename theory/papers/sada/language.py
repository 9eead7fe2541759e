"""The paper's objects, once: samples, the random block, noise, covariances, layers. Claims use them as notions.

Σ = E a aᵀ, R = E ε² a aᵀ, Â = [[O, I - η a aᵀ], [-c I, (1+c) I - q a aᵀ]], A = E Â, ζ = ε (η a, q a), J ⊗ M,
(M - M̃) ∘ X = E (a aᵀ - Σ) X (a aᵀ - Σ), η_t^var (`eta`), C_t = E η_t^var (η_t^var)ᵀ, the layers C̃_t^(l) (`Ct[l,
t]`) and what is left after them, C_t^(l) of line 985 (`Rest[l, t]`).
"""

from __future__ import annotations

from typing import Any

KINDS = {"a": "vector(d)[S]", "eps": "real[S]", "H": "history(S)", "eta": "vector(2*d)[nat, H]"}
LAYERS = {"Ct": "matrix(2*d, 2*d)[nat, nat]", "Rest": "matrix(2*d, 2*d)[nat, nat]"}

NOTIONS = {
    "P[w]": "a[w] @ a[w].T",
    "Sigma": "E(w, P[w])",
    "R": "E(w, eps[w]**2 * P[w])",
    "V": "[[step*I(d)], [q*I(d)]]",
    "E2": "[[O(d, d)], [I(d)]]",
    "Ahat[w]": "[[O(d, d), I(d) - step*P[w]], [-c*I(d), (1 + c)*I(d) - q*P[w]]]",
    "A": "E(w, Ahat[w])",
    "zeta[w]": "[[step*eps[w]*a[w]], [q*eps[w]*a[w]]]",
    "M(X)": "E(w, P[w] @ X @ P[w])",
    "Mt(X)": "Sigma @ X @ Sigma",
    "calB(X)": "E(w, Ahat[w] @ X @ Ahat[w].T)",
    "calBt(X)": "A @ X @ A.T",
    "J(X)": "[[step**2*X, step*q*X], [step*q*X, q**2*X]]",
    "C[t]": "E(h, eta[t, h] @ eta[t, h].T)",
}
VARIANCE = {"eta[0, h]": "O(2*d, 1)", "eta[t+1, h]": "Ahat[w] @ eta[t, h] + zeta[w]"}
POWERS = {"Pw[0]": "I(2*d)", "Pw[k+1]": "A @ Pw[k]"}  # A^k
LAYER = {
    "Ct[l, 0]": "O(2*d, 2*d)",
    "Ct[0, t+1]": "A @ Ct[0, t] @ A.T + J(R)",
    "Ct[l+1, t+1]": "A @ Ct[l+1, t] @ A.T + calB(Ct[l, t]) - calBt(Ct[l, t])",
    "Rest[l, 0]": "O(2*d, 2*d)",
    "Rest[l+1, t+1]": "calB(Rest[l+1, t]) + calB(Ct[l, t]) - calBt(Ct[l, t])",
}
# 1 for t <= l and 0 otherwise: what vanishes for l = t, t + 1, … vanishes for every l >= t
UPTO = {"upto[l, 0]": "1", "upto[0, t+1]": "0", "upto[l+1, t+1]": "upto[l, t]"}
OPTIMAL = "E(w, eps[w]*a[w]) == 0"  # the definition of x~*: the gradient of the inner objective vanishes there
EVERY_SIZE = "every size, every distribution whose moments exist"
POINT: dict[str, Any] = {
    "d": "1", "t": "1", "step": "1/4", "q": "1/2", "c": "1/2", "a": {"1": "1", "2": "2"}, "eps": {"1": "2", "2": "-1"},
    "p_S": ["1/2", "1/2"],
}  # fmt: skip

# the sum of the states as a state beside them, and Sigma as a letter of its own (moment is what it equals)
TAIL_KINDS = {**KINDS, "s": "vector(2*d)[nat, H]"}
TAIL = {
    **{name: text for name, text in NOTIONS.items() if name in (
        "P[w]", "R", "V", "E2", "Ahat[w]", "A", "zeta[w]", "calB(X)", "J(X)", "C[t]")},
    "E1": "[[I(d)], [O(d, d)]]",
    "moment": "E(w, P[w])",
    "D(Y)": "E(w, P[w] @ Y @ P[w]) - moment @ Y @ moment",
    "N[t]": "R + D(E2.T @ C[t] @ E2)",
}  # fmt: skip
TAIL_STEPS = {**VARIANCE, "s[0, h]": "O(2*d, 1)", "s[t+1, h]": "s[t, h] + Ahat[w] @ eta[t, h] + zeta[w]"}


def about(*, layers: bool = False, **more: Any) -> dict[str, Any]:
    """The declarations of a claim about the variance part of the inner loop."""
    kinds = {**KINDS, **(LAYERS if layers else {}), **more.pop("kinds", {})}
    steps = {**VARIANCE, **(LAYER if layers else {}), **more.pop("steps", {})}
    return {"kinds": kinds, "where": NOTIONS, "steps": steps, "naturals": ("t",), "scope": EVERY_SIZE, **more}


def weight(text: str) -> dict[str, Any]:
    """A number that is positive by the signs of its parts, as a coefficient of an item of `order`."""
    return {"is": text, "because": {"kind": "positive"}}
