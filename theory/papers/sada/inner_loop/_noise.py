"""What is random at one outer iterate, for every distribution and every loss (h_k = 1).

At the anchor y and one sample (a, b):  V = l(a.y, b),  l1 = l'(a.y, b),  l0 = l'(a.x*, b),  t = a.(y - x+*),
n = |a|^2 in the Sigma^-1-norm,  N = |a|^2,  and  S = l(a.(y - u), b)  with the step u = (y - x+*)/L_l.
Since x+* = y - Sigma^-1 grad F(y), means of t are sums over eigenvalues: g[i] is the gradient in the eigenbasis.
"""

from __future__ import annotations

from typing import Any

GAP = "(mean(w, V[w])-Fs)"
GRADIENT = "sum(i, 1, d, g[i]**2/lam[i])"
SMOOTH = (
    "Ll > 0",
    "forall(i, 1, d, lam[i] > 0)",
    "forall(w, Omega, Omega, S[w] <= V[w]-l1[w]*t[w]/Ll+t[w]**2/(2*Ll))",
    f"mean(w, l1[w]*t[w]) == {GRADIENT}",
    f"mean(w, t[w]**2) == {GRADIENT}",
    "Fs <= mean(w, S[w])",
)
FOURTH = ("forall(w, Omega, Omega, n[w] >= 0)", "mean(w, t[w]**2*n[w]) <= kt*mean(w, t[w]**2)", "kt >= 0")
FOURTH_I = ("forall(w, Omega, Omega, N[w] >= 0)", "mean(w, t[w]**2*N[w]) <= R2*mean(w, t[w]**2)", "R2 >= 0")
NOISE = (f"mean(w, (l1[w]-l0[w])**2*n[w]) <= 2*Ll*L*{GAP}",)
NOISE_I = (f"mean(w, (l1[w]-l0[w])**2*N[w]) <= 2*Ll*B*{GAP}",)

TR_SIGMA_R = "mean(w, (t[w]-l1[w])**2*n[w])"
TR_R = "mean(w, (t[w]-l1[w])**2*N[w])"
TR_SIGMA_Q = "mean(w, l0[w]**2*n[w])"
TR_Q = "mean(w, l0[w]**2*N[w])"
# tr(Sigma^-1 Q), tr Q and F(y) - F(x*) by name
NAMES = {"trSQ": TR_SIGMA_Q, "trQ": TR_Q, "gap": GAP}

# a = 1, l(z, b) = k z^2/2 with curvature k = 1 or 3 (L_l = 4 is an upper bound), x* = 0, y = 1: grad F = 2, t = 2
EXAMPLE: dict[str, Any] = {
    "p_w": ["1/2", "1/2"],
    "V": ["1/2", "3/2"],
    "S": ["1/8", "3/8"],
    "l1": ["1", "3"],
    "l0": ["0", "0"],
    "t": ["2", "2"],
    "n": ["1", "1"],
    "N": ["1", "1"],
    "Fs": "0",
    "d": "1",
    "g": ["2"],
    "lam": ["1"],
    "Ll": "4",
    "L": "1",
    "B": "1",
    "kt": "1",
    "R2": "1",
}
