"""L_var of one eigenvalue as printed, for the readings that are refuted there."""

from __future__ import annotations

A = "[[0, u], [-c, b]]"  # u = 1 - eta*lam and b = 1 + c - q*lam


def literal(x: str) -> str:
    """The double sum of disp:888 for one eigenvalue; the blocks are the families x11[t], x12[t], x22[t]."""
    block = f"[[{x}11[min(s, t)], {x}12[min(s, t)]], [{x}12[min(s, t)], {x}22[min(s, t)]]]"
    term = f"lam*(A**max(s-t, 0) @ {block} @ (A**max(t-s, 0)).T)[1, 1]"
    return f"4/T**2*sum(s, T/2+1, T, sum(t, T/2+1, T, {term}))"
