"""One layer: X = C~_{inf,22} of the layer below, positive semidefinite: X = sum_j v_j v_j^T, and R = (M - M~) X.

x[w] = |a|^2 in the X-norm; X[i] and m[i] are the diagonals of X and R in the eigenbasis of Sigma; sig = <Sigma, X> is
sigma of the layer below. For each v_j: f[j], h[j] and s[j] are v_j^T E(|a|^2 a a^T) v_j, the same with the
Sigma^-1-norm, and v_j^T Sigma v_j: Assumption fourth-moment says f <= R^2 s and h <= kt s.
"""

from __future__ import annotations

from typing import Any

SIGMA = "sum(i, 1, d, lam[i]*X[i])"
TR_R = "sum(i, 1, d, m[i])"
TR_SIGMA_R = "sum(i, 1, d, m[i]/lam[i])"
LAYER = (
    "forall(i, 1, d, X[i] >= 0)",
    f"sig == {SIGMA}",
    f"{TR_R} == mean(w, N[w]*x[w])-sum(i, 1, d, lam[i]**2*X[i])",
    f"{TR_SIGMA_R} == mean(w, n[w]*x[w])-{SIGMA}",
    "mean(w, N[w]*x[w]) == sum(j, 1, e, f[j])",
    "mean(w, n[w]*x[w]) == sum(j, 1, e, h[j])",
    "sig == sum(j, 1, e, s[j])",
    "forall(j, 1, e, f[j] <= R2*s[j])",
    "forall(j, 1, e, h[j] <= kt*s[j])",
)
# d = 1: a^2 is 1 or 3, Sigma = 2, E a^4 = 5, X = 1
EXAMPLE: dict[str, Any] = {
    "p_w": ["1/2", "1/2"],
    "N": ["1", "3"],
    "n": ["1/2", "3/2"],
    "x": ["1", "3"],
    "d": "1",
    "e": "1",
    "lam": ["2"],
    "X": ["1"],
    "m": ["1"],
    "f": ["5"],
    "h": ["5/2"],
    "s": ["2"],
    "sig": "2",
    "R2": "5/2",
    "kt": "5/4",
}
