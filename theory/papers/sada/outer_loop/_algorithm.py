"""Algorithm 1 as two nested random recursions, line by line, for every dimension, loss and distribution.

The inner loop runs from an anchor u (ỹ_{k-1}) on a path h of samples: x[t, k, u, h] and z[t, k, u, h] are x_t and z_t
with h_k, total[t, k, u, h] is x_1 + … + x_t. The outer loop draws one path for each step: X[k, g] is x̃_k, Y[k, g] is
ỹ_k and last[k, g] is x̃_{k-1}, with x̃_{-1} = x̃_0. T = 2n. The loss of a sample w is ell[x, w], its derivative dl[x, w].
Beside the algorithm run the bias and the variance of eq:def-eta, at h_k = 1, and their sums.
"""

from __future__ import annotations

from typing import Any

from theory.papers.sada import language

KINDS = {
    **dict.fromkeys(("ell", "dl"), "real[vector(d), S]"), "a": "vector(d)[S]", "Sigma": "pd(d)", "o": "vector(d)",
    "H": "history(S)", **dict.fromkeys(("x", "z", "total"), "vector(d)[nat, nat, vector(d), H]"),
}  # fmt: skip
PARTS = dict.fromkeys(("bias", "sum_bias", "eta", "sum_eta"), "vector(2*d)[nat, vector(d), H]")
OUTER = {"G": "history(H)", "x0": "vector(d)", **dict.fromkeys(("X", "Y", "last"), "vector(d)[nat, G]")}

NOTIONS = {
    "c": "(1 - theta)/(1 + theta)",
    "q": "(step + theta*gam)/(1 + theta)",
    "P[w]": "a[w] @ a[w].T",
    "moment": "E(w, P[w])",
    "hk[k]": "2*alpha*th[k]**2/Ll",
    "F(u)": "E(w, ell[u, w])",
    "grad(u)": "E(w, dl[u, w]*a[w])",
    "shift(u)": "inv(Sigma) @ grad(u)",
    "eps(u, w)": "a[w].T @ shift(u) - dl[u, w]",
    "Q": "E(w, dl[o, w]**2 * P[w])",
    "E1": language.TAIL["E1"],
    "E2": language.TAIL["E2"],
    "Ahat[w]": language.TAIL["Ahat[w]"],
    "zeta(u, w)": "[[step*eps(u, w)*a[w]], [q*eps(u, w)*a[w]]]",
    "mid[t, k, u, h]": "(1/(1 + theta))*(x[t, k, u, h] + theta*z[t, k, u, h])",
    "ghat(t, k, u, h, w)": "hk[k]*dl[u, w]*a[w] + P[w] @ (mid[t, k, u, h] - u)",
    "r(n, u, h)": "(1/n)*(E1.T @ (sum_bias[n+n, u, h] - sum_bias[n, u, h]))",
    "v(n, u, h)": "(1/n)*(E1.T @ (sum_eta[n+n, u, h] - sum_eta[n, u, h]))",
    "out(n, k, u, h)": "(1/n)*(total[n+n, k, u, h] - total[n, k, u, h])",
}
INNER = {
    "x[0, k, u, h]": "u",
    "x[t+1, k, u, h]": "mid[t, k, u, h] - step*ghat(t, k, u, h, w)",
    "z[0, k, u, h]": "u",
    "z[t+1, k, u, h]": "theta*mid[t, k, u, h] + (1 - theta)*z[t, k, u, h] - gam*ghat(t, k, u, h, w)",
    "total[0, k, u, h]": "O(d, 1)",
    "total[t+1, k, u, h]": "total[t, k, u, h] + mid[t, k, u, h] - step*ghat(t, k, u, h, w)",
}
BIAS_AND_VARIANCE = {
    "bias[0, u, h]": "[[shift(u)], [shift(u)]]",
    "bias[t+1, u, h]": "Ahat[w] @ bias[t, u, h]",
    "sum_bias[0, u, h]": "O(2*d, 1)",
    "sum_bias[t+1, u, h]": "sum_bias[t, u, h] + Ahat[w] @ bias[t, u, h]",
    "eta[0, u, h]": "O(2*d, 1)",
    "eta[t+1, u, h]": "Ahat[w] @ eta[t, u, h] + zeta(u, w)",
    "sum_eta[0, u, h]": "O(2*d, 1)",
    "sum_eta[t+1, u, h]": "sum_eta[t, u, h] + Ahat[w] @ eta[t, u, h] + zeta(u, w)",
}
LOOP = {
    "X[0, g]": "x0",
    "X[k+1, g]": "out(n, k+1, Y[k, g], h)",
    "last[0, g]": "x0",
    "last[k+1, g]": "X[k, g]",
    "Y[0, g]": "x0",
    "Y[k+1, g]": "out(n, k+1, Y[k, g], h) + beta[k+2]*(out(n, k+1, Y[k, g], h) - X[k, g])",
}
# least squares with one sample, a = 1 and b = 0
POINT: dict[str, Any] = {
    **dict.fromkeys(("d", "t", "mu", "R2", "kt", "L", "B", "kS", "alpha", "Ll", "m"), "1"), "k": "0", "n": "1000",
    "theta": "1/16", "gam": "1/16", "step": "1/16", "top": "1/20", "b": "80", "thK": "4/81", "thk": "1/20",
    "th": {"0": "1/20", "1": "1/20", "2": "4/81"}, "beta": {"1": "19/21", "2": "77/85"},
    "a": {"1": "1"}, "p_S": ["1"], "path": ["1"], "past": [["1"]],
    "Sigma": [["1"]], "o": ["0"], "y": ["1"], "x0": ["1"],
    "ell": {"1": {"of": "x", "is": "x[1]**2/2"}}, "dl": {"1": {"of": "x", "is": "x[1]"}},
}  # fmt: skip
# two samples, a = 1 and b = 1 or -1: the noise at x* = 0 is 1, B = L = 1, T = 2000, K = 2
NOISY: dict[str, Any] = {
    "a": {"1": "1", "2": "1"}, "p_S": ["1/2", "1/2"],
    "ell": {"1": {"of": "x", "is": "(x[1]-1)**2/2"}, "2": {"of": "x", "is": "(x[1]+1)**2/2"}},
    "dl": {"1": {"of": "x", "is": "x[1]-1"}, "2": {"of": "x", "is": "x[1]+1"}},
}  # fmt: skip
WITHIN = "every loss within the quadratic bounds, every distribution with the moments"
EVERY, ANY_SIZE = f"every d, every T = 2n, {WITHIN}", f"every size, {WITHIN}"


def inner(**more: Any) -> dict[str, Any]:
    """The declarations of a claim about one inner loop with anchor y."""
    kinds = {**KINDS, **PARTS, "y": "vector(d)", **more.pop("kinds", {})}
    steps = {**INNER, **BIAS_AND_VARIANCE}
    return {"kinds": kinds, "where": NOTIONS, "steps": steps, "example": POINT, "scope": ANY_SIZE, **more}


# what the algorithm itself is made of, without the parts that its analysis adds
OWN = ("P[w]", "moment", "hk[k]", "F(u)", "grad(u)", "Q", "mid[t, k, u, h]", "ghat(t, k, u, h, w)", "out(n, k, u, h)")


def algorithm(**more: Any) -> dict[str, Any]:
    """The declarations of a claim about the algorithm, its lines and nothing else."""
    where = {name: NOTIONS[name] for name in OWN}
    steps = {**INNER, **LOOP}
    return {"kinds": {**KINDS, **OUTER}, "where": where, "steps": steps, "example": POINT, "scope": EVERY, **more}


def whole(**more: Any) -> dict[str, Any]:
    """The declarations of a claim about the whole algorithm."""
    kinds = {**KINDS, **PARTS, **OUTER, **more.pop("kinds", {})}
    steps = {**INNER, **BIAS_AND_VARIANCE, **LOOP}
    return {"kinds": kinds, "where": NOTIONS, "steps": steps, "example": POINT, "scope": EVERY, **more}
