"""L_var of one eigenvalue, three ways: the double sum as printed, grouped by min(s, t), and run backward in time.

In the eigenbasis of Sigma only the diagonal 2x2 blocks X_t of the matrices enter, with the weight lambda. Grouping the
double sum of disp:888 by t = min(s, t) gives  sum_t [X_t + 2 (A + ... + A^(T-t)) X_t]_11.  Backward from t = T the
first row g of G_t = I + A + ... + A^(T-t) obeys g <- g A + (1, 0); the weight of X_t is (2 g_1 - 1) x_11 + 2 g_2 x_12.
"""

from __future__ import annotations

from theory.kernel.lang import parse, substitute, text

# A = [[0, u], [-c, b]] with u = 1 - eta*lam and b = 1 + c - q*lam; its inverse exists when c*u is not zero
A = "[[0, u], [-c, b]]"
A_INVERSE = "[[b/(c*u), -1/c], [1/u, 0]]"
PAPER_BLOCK = {"u": "1-eta*lam", "b": "1+c-q*lam"}
NOISE = "[[eta**2, eta*q], [eta*q, q**2]]"


def literal(x: str) -> str:
    """The double sum of disp:888 for one eigenvalue; the blocks are the families x11[t], x12[t], x22[t]."""
    block = f"[[{x}11[min(s, t)], {x}12[min(s, t)]], [{x}12[min(s, t)], {x}22[min(s, t)]]]"
    term = f"lam*(A**max(s-t, 0) @ {block} @ (A**max(t-s, 0)).T)[1, 1]"
    return f"4/T**2*sum(s, T/2+1, T, sum(t, T/2+1, T, {term}))"


def backward(weight: str, *, squares: bool = False) -> str:
    """State (x11, x12, x22, g1, g2, j, L) after n steps back in time from t = T.

    (x11, x12, x22) is the block X_t, from the recursion X_t = A X_(t-1) A^T + weight*NOISE solved for X_(t-1);
    L collects the weights of the later times. `weight` may use j, the number of the step.
    With `squares` there is an eighth entry, the sum of (g (eta, q)^T)^2 over the steps.
    """
    w = text(substitute(parse(weight), {"j": parse("s[6]")}))
    before = f"({A_INVERSE} @ ([[s[1], s[2]], [s[2], s[3]]] - {w}*{NOISE}) @ ({A_INVERSE}).T)"
    entries = f"{before}[1, 1], {before}[1, 2], {before}[2, 2]"
    row = "1 - c*s[5], u*s[4] + b*s[5]"
    later = "s[7] + (2*s[4]-1)*s[1] + 2*s[5]*s[2]"
    more, first = (", s[8] + (s[4]*eta + s[5]*q)**2", ", 0") if squares else ("", "")
    start = f"[x11, x12, x22, 1, 0, 1, 0{first}]"
    return text(parse(f"iterate(s, n, {start}, [{entries}, {row}, s[6] + 1, {later}{more}])"))


def total(e: str) -> str:
    """L_m, the sum over all s, t from the time that the state e has reached to T."""
    return f"{e}[7] + (2*{e}[4]-1)*{e}[1] + 2*{e}[5]*{e}[2]"


def form(e: str) -> str:
    """g X g^T: what the paper calls A_m, up to the factor lambda."""
    return f"{e}[4]**2*{e}[1] + 2*{e}[4]*{e}[5]*{e}[2] + {e}[5]**2*{e}[3]"


def geometric(terms: int) -> str:
    """I + A + ... with so many terms, as a matrix word; without terms it is the zero matrix."""
    return "(" + " + ".join(["I", "A", *(f"A**{k}" for k in range(2, terms))][:terms]) + ")" if terms else "(0*I)"


def double_sum(m: int, last: int) -> str:
    """sum_{s,t=m+1}^{last} A^(s-t)+ X_min(s,t) (A^(t-s)+)^T, every term written out, with a letter X_t for each
    time."""

    def power(k: int) -> str:
        return "I" if k <= 0 else f"A**{k}"

    times = range(m + 1, last + 1)
    return " + ".join(f"{power(s - t)} @ X{min(s, t)} @ ({power(t - s)}).T" for s in times for t in times)
