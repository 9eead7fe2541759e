"""The block recursions behind Pi_t, as iterations of scalars.

`cross` is the 2x2 block of Pi_t between two eigen-directions (lam, nu) for the entry m of M, row by row; `layers` is
the same sum term by term, with the vectors A^k (eta, q)^T. `block` is the symmetric block of one direction for m = 1.
"""

from __future__ import annotations


def _entry(lam: str) -> tuple[str, str]:
    return f"(1-eta*{lam})", f"(1+c-q*{lam})"


def moved(vector: tuple[str, str], lam: str) -> tuple[str, str]:
    """A applied to a vector."""
    x, y = vector
    a, b = _entry(lam)
    return f"{a}*{y}", f"-c*{x}+{b}*{y}"


def cross_step(p: tuple[str, str, str, str], lam: str = "lam", nu: str = "nu") -> tuple[str, str, str, str]:
    """The entries of A(lam) P A(nu)^T."""
    (a, b), (a2, b2) = _entry(lam), _entry(nu)
    return (
        f"{a}*{a2}*{p[3]}",
        f"{a}*(-c*{p[2]}+{b2}*{p[3]})",
        f"{a2}*(-c*{p[1]}+{b}*{p[3]})",
        f"c*c*{p[0]}-c*{b}*{p[2]}-c*{b2}*{p[1]}+{b}*{b2}*{p[3]}",
    )


NOISE = ("m*eta**2", "m*eta*q", "m*q*eta", "m*q**2")


def cross(count: str) -> str:
    """The block of Pi_count between the directions lam and nu."""
    step = cross_step(("P[1]", "P[2]", "P[3]", "P[4]"))
    body = ", ".join(f"{entry}+{noise}" for entry, noise in zip(step, NOISE, strict=True))
    return f"iterate(P, {count}, [0, 0, 0, 0], [{body}])"


def layers(count: str) -> str:
    """The sum over k < count of m A(lam)^k (eta, q)^T (eta, q) A(nu)^kT, with the two vectors behind it."""
    s, t = ("r[5]", "r[6]"), ("r[7]", "r[8]")
    sums = [f"r[{i}]+m*{x}*{y}" for i, (x, y) in enumerate(((x, y) for x in s for y in t), start=1)]
    body = ", ".join((*sums, *moved(s, "lam"), *moved(t, "nu")))
    return f"iterate(r, {count}, [0, 0, 0, 0, eta, q, eta, q], [{body}])"


def block(count: str, lam: str = "lam") -> str:
    """The entries (11, 12, 22) of the block of Pi_count in the direction lam, for m = 1."""
    a, b = _entry(lam)
    body = (
        f"{a}**2*P[3]+eta**2",
        f"{a}*(-c*P[2]+{b}*P[3])+eta*q",
        f"c**2*P[1]-2*c*{b}*P[2]+{b}**2*P[3]+q**2",
    )
    return f"iterate(P, {count}, [0, 0, 0], [{', '.join(body)}])"


def push(count: str, start: str, lam: str = "lam") -> str:
    """A^count applied to a start vector."""
    return f"iterate(s, {count}, {start}, [[0, 1-eta*{lam}], [-c, 1+c-q*{lam}]] @ s)"
