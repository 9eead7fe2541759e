"""What the O~ statements of the corollary mean, with every constant named.

The theorem's bound is excess <= F0 e + C1 alpha trHQ/n + C2 alpha eta kt trQ/(L_l n) with e = exp(-K/D), n = K T and
D = d1 sqrt(alpha) + d2 alpha^2 kt/T; the inner loop has T = tau sqrt(kt/(mu eta)); lam is the number of times that D
fits into K. The constants C1, C2, d1, d2, tau (a logarithm) and lam (another one) are arbitrary positive numbers, so
that what is shown here holds for those of the paper and for ours.
"""

from __future__ import annotations

from typing import Any

SIZES = (
    *("alpha >= 1", "kt >= 1", "mu > 0", "R2 > 0", "Ll > 0", "eps > 0", "trHQ > 0", "trQ > 0"),
    *("n > 0", "eta > 0", "C1 > 0", "C2 > 0"),
)
# root = sqrt(alpha kappa kt) and cube = (alpha^2 kt^2 tr Q/(L_l mu eps))^(1/3): two of the terms
ROOTS = ("root > 0", "root**2 == alpha*(R2/mu)*kt", "cube > 0", "cube**3 == alpha**2*kt**2*trQ/(Ll*mu*eps)")
ONES: dict[str, Any] = {
    **dict.fromkeys(("alpha", "kt", "mu", "R2", "Ll", "eps", "trHQ", "trQ", "C1", "C2", "root", "cube"), "1"),
    "eta": "1/16",
    "n": "100",
}
