"""What the assumption says of f, for every two points, and the parts that proofs about f are made of."""

from __future__ import annotations

from typing import Any

from theory.provers.tactics import Tactic, auto

FUNCTION = {"f": "real[vector(d)]", "grad_f": "vector(d)[vector(d)]"}
SMOOTH = "forall(u, vector(d), forall(v, vector(d), f[v] <= f[u] + grad_f[u].T @ (v - u) + L/2*norm2(v - u)))"
CONVEX = "forall(v, vector(d), forall(u, vector(d), f[u] >= f[v] + grad_f[v].T @ (u - v)))"
STRONG = "forall(v, vector(d), forall(u, vector(d), f[u] >= f[v] + grad_f[v].T @ (u - v) + mu/2*norm2(u - v)))"
LEAST = "forall(u, vector(d), f[x_star] <= f[u])"
STEP = "x_plus == x - g/L"
GRADIENT = {"g": "grad_f[x]"}
MINIMUM = {"f_star": "f[x_star]"}
AT_REST: dict[str, Any] = {  # |x|^2/2 in one dimension, at its minimiser
    "d": "1",
    "L": "1",
    "f": {"of": "x", "is": "x[1]**2/2"},
    "grad_f": {"of": "x", "is": "x[1]"},
    "x": "0",
    "x_plus": "0",
    "x_star": "0",
}


def kinds(*points: str) -> dict[str, str]:
    """f, its gradient and vectors."""
    return FUNCTION | dict.fromkeys(points, "vector(d)")


def convex(at: str, to: str, weight: str = "1") -> dict[str, Any]:
    """Convexity between two points, times a nonnegative number."""
    return weighted({"of": "f[u]", "at": {"v": at, "u": to}}, weight)


def square(vector: str, weight: str) -> dict[str, Any]:
    return weighted({"L": f"({vector}).T"}, weight)


def weighted(part: Tactic, weight: str) -> dict[str, Any]:
    return {**part, "c": [{"is": weight, "because": auto()}]}
