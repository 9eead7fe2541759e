"""What the reader makes of LaTeX as people write it, and what it refuses because it can be read in two ways."""

from __future__ import annotations

import pytest

from tests.reading.formulas import NOTATION
from theory.reading.latex.atoms import Unreadable
from theory.reading.latex.reader import from_latex

READ = {
    r"\kappa\leqslant\tilde\kappa": ["kappa <= kappa_tilde"],
    r"0<\kappa \le L_\ell": ["0 < kappa", "kappa <= L_l"],
    r"\kappa = \frac12 L^2,\qquad L\ne 0.": ["kappa == 1/2*L**2", "L != 0"],
    r"\begin{aligned} \kappa &\le L \\ &= 2L_\ell \end{aligned}": ["kappa <= L", "L == 2*L_l"],
    r"\begin{aligned} \kappa &\le L \\ L_\ell &\le 1 \\ &\le L \end{aligned}": ["kappa <= L", "L_l <= 1", "1 <= L"],
    r"\kappa &\le \bigg( L \\ &\quad + 1 \bigg)": ["kappa <= L + 1"],
    r"x_{k+1} = x_k - \dfrac{1}{L}x_0": ["x[k + 1] == x[k] - 1/L*x[0]"],
    r"\sum_{i=1}^{T} \lambda_i x_i + 1 \geq 0": ["sum(i, 1, T, lam_i*x[i]) + 1 >= 0"],
    r"\sum_{j=0}^{T-1}\lambda_j\cdot 2 > 0": ["sum(j, 0, T - 1, lam[j]*2) > 0"],
    r"(1-\kappa)^k \le e^{-\kappa k}": ["(1 - kappa)**k <= exp(-kappa*k)"],
    r"\|\mathbf{v}\|^2 = \mathbf v^\top\mathbf v": ["norm2(v) == v.T@v"],
    r"\lVert\bm v\rVert_{\boldsymbol\Sigma}^2 \ge 0": ["norm2(v, S) >= 0"],
    r"\operatorname{tr}(\mathbf A\boldsymbol\Sigma^{-1}) \le L": ["tr(A@inv(S)) <= L"],
    r"\operatorname{tr}\mathbf A\boldsymbol\Sigma \le L": ["tr(A@S) <= L"],
    r"\mathbf{C}_{k+1}^{(\ell)} \preceq 2\mathbf{C}_k^{(\ell)}": ["C[k + 1] << 2*C[k]"],
    r"L_{\mathrm{var}}(\mathbf A) \le L_\mathrm{var}\left(\boldsymbol\Sigma\right)": ["Lvar(A) <= Lvar(S)"],
    r"\mathbb{E}\left[X^2\right] \ge \left(\mathbb{E}X\right)^2": ["mean(w, X[w]**2) >= mean(w, X[w])**2"],
    r"X \le L \quad\text{almost surely}": ["forall(w, Omega, Omega, X[w] <= L)"],
    r"x_j \ge 0 \quad\text{for all } j = 1,\dots,T": ["forall(j, 1, T, x[j] >= 0)"],
    r"|x_1| \le \max\{L,\sqrt{\kappa}\}": ["abs(x[1]) <= max(L, sqrt(kappa))"],
    r"f(x_k)-f(x_0) \le f'(\kappa)": ["f(x[k]) - f(x[0]) <= fprime(kappa)"],
    r"R^2 \le R": ["R2 <= R"],
    r"\kappa \stackrel{\mathrm{def}}{=} L": ["kappa := L"],
    r"-\kappa L = -2": ["-kappa*L == -2"],
    r"x_{k+1} \le x_k \quad\text{for all } k \ge 0": ["forall(k, 0, oo, x[k + 1] <= x[k])"],
    r"x_k \le L, \quad 1 \le k < T": ["forall(k, 1, T - 1, x[k] <= L)"],
    r"x_k \le L \quad \forall k > 2": ["forall(k, 3, oo, x[k] <= L)"],
    r"x_k \le L \quad\text{for $k = 1, 2, \dots$}": ["forall(k, 1, oo, x[k] <= L)"],
    r"x_i \le L \quad\text{for every } i \in [T]": ["forall(i, 1, T, x[i] <= L)"],
    r"\kappa, L \ge 0": ["kappa >= 0", "L >= 0"],
    r"\kappa \in [0, L]": ["0 <= kappa", "kappa <= L"],
    r"\kappa, L \in (0, 1)": ["0 < kappa", "kappa < 1", "0 < L", "L < 1"],
    r"\mathbb{E}_{a\sim D}[X] \le 1": ["mean(w, X[w]) <= 1"],
    r"\lambda_i^2\le L^{1/2}": ["lam_i**2 <= sqrt(L)"],
}  # fmt: skip
REFUSED = {
    r"\kappa L": "without a relation",
    r"\kappa/2L \le 1": "two ways",
    r"\log \kappa L \le 1": "two ways",
    r"x_{kk} \le 1": "two ways",
    r"\mathbf A^T \succeq 0": "transpose or a power",
    r"\kappa \lesssim L": "≲ is no relation",
    r"\kappa \le L \text{ or } L \le 1": "or another",
    r"\beta \le 1": "no symbol",
    r"\kappa \le \sum_i x_i": "without its range",
    r"\kappa \le \sqrt[3]{L}": "square roots",
    r"\kappa'' \le 1": "no symbol",
    r"\kappa \le": "nothing stands",
    r"\kappa - - - L \le 1": "two signs",
    r"(\kappa, L) \le 1": "a list",
    r"\mathbb{E}_{k-1} X \le 1": "conditional",
    r"\mathbb{E}(X)^2 X \le 1": "where the expectation ends",
    r"\kappa \le \mathcal{O}(L)": "order of magnitude",
    r"\kappa \ge \tilde{\Omega}(L)": "order of magnitude",
    r"\kappa \in \mathbb{N}": "interval",
    r"\kappa, L": "without a relation",
    r"x_k \le 1 \quad\text{for all } k": "from where k counts",
    r"x_k \le 1 \quad\text{for all } L \ge 1": "no counter",
}  # fmt: skip


@pytest.mark.parametrize("latex", READ)
def test_latex_as_people_write_it_is_read(latex: str) -> None:
    assert list(map(str, from_latex(latex, NOTATION))) == READ[latex]


@pytest.mark.parametrize("latex", REFUSED)
def test_what_can_be_read_in_two_ways_is_refused_with_the_reason(latex: str) -> None:
    with pytest.raises(Unreadable, match=REFUSED[latex]):
        from_latex(latex, NOTATION)
