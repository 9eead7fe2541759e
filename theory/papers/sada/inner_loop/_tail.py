"""The tail average of one eigen-direction, written as iterations.

u_k is the first entry of A^k (1, 1)^T. A finite sum over k is an iteration that carries its partial sum, so that the
kernel's induction proves it for every length: `spread` sums (u_j - u_{j+n})^2 over j < k, `rise` sums (1 - u_s)^2.
With n = T/2 lem:L-var reads  L_var = (4/T^2) sum_i (m_i/lam_i) (spread(n+1) + rise(n-1)).
"""

from __future__ import annotations

BLOCK = "[[0, 1-eta*lam], [-c, 1+c-q*lam]]"


def power(count: str, lam: str = "lam") -> str:
    """The state A^count (1, 1)^T."""
    return f"iterate(s, {count}, [1, 1], {BLOCK.replace('lam', lam)} @ s)"


def spread(count: str, n: str, lam: str = "lam") -> str:
    """sum over j = 0 .. count-1 of (u_j - u_{j+n})**2."""
    start = f"[1, 1, {power(n, lam)}[1], {power(n, lam)}[2], 0]"
    return f"iterate(r, {count}, {start}, [{_moved(1, lam)}, {_moved(3, lam)}, r[5]+(r[1]-r[3])**2])[5]"


def rise(count: str, lam: str = "lam") -> str:
    """sum over s = 1 .. count of (1 - u_s)**2; it starts at A (1, 1)^T = (1 - eta*lam, 1 - q*lam)^T."""
    start = f"[1-eta*{lam}, 1-q*{lam}, 0]"
    return f"iterate(r, {count}, {start}, [{_moved(1, lam)}, r[3]+(1-r[1])**2])[3]"


def _moved(first: int, lam: str) -> str:
    x, y = f"r[{first}]", f"r[{first + 1}]"
    return f"(1-eta*{lam})*{y}, -c*{x}+(1+c-q*{lam})*{y}"
