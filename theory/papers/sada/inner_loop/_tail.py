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
    return pairs(count, power(n, lam), lam)


def rise(count: str, lam: str = "lam") -> str:
    """sum over s = 1 .. count of (1 - u_s)**2; it starts at A (1, 1)^T = (1 - eta*lam, 1 - q*lam)^T."""
    start = f"[1-eta*{lam}, 1-q*{lam}, 0]"
    return f"iterate(r, {count}, {start}, [{_moved(1, lam)}, r[3]+(1-r[1])**2])[3]"


def pairs(count: str, start: str, lam: str) -> str:
    """sum over j < count of (x_j - y_j)**2, first entries of two states that begin at (1, 1) and `start`."""
    first = f"[1, 1, {start}[1], {start}[2], 0]"
    return f"iterate(r, {count}, {first}, [{_moved(1, lam)}, {_moved(3, lam)}, r[5]+(r[1]-r[3])**2])[5]"


def _moved(first: int, lam: str) -> str:
    x, y = f"r[{first}]", f"r[{first + 1}]"
    return f"(1-eta*{lam})*{y}, -c*{x}+(1+c-q*{lam})*{y}"


# the same by name, for a claim at T = 2(p+1): what `where` says and a reader sees
SUMS = {
    "T": "2*(p+1)",
    "state(k, x)": power("k", "x"),
    "spread(k, j, x)": pairs("k", "state(j, x)", "x"),
    "rise(k, x)": rise("k", "x"),
}


def l_var_of(m: str) -> dict[str, str]:
    """L_var of lem:L-var for the diagonal m in the eigenbasis, by name."""
    return {**SUMS, "Lvar": f"4/T**2*sum(i, 1, d, {m}[i]/lam[i]*(spread(p+2, p+1, lam[i])+rise(p, lam[i])))"}
