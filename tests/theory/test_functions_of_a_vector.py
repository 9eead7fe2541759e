"""Smooth and convex functions of a vector: proved unaided, never supported by hypotheses that were only tried."""

from __future__ import annotations

import pytest

from theory import lemma
from theory.kernel import Verdict
from theory.provers.driver import prove

KINDS = {"f": "real[vector(d)]", "g": "vector(d)[vector(d)]", "x": "vector(d)", "y": "vector(d)"}
CONVEX = "forall(u, vector(d), forall(v, vector(d), f[u] >= f[v] + g[v].T@(u - v)))"
LIPSCHITZ = "forall(u, vector(d), forall(v, vector(d), norm(g[u] - g[v]) <= L*norm(u - v)))"
SMOOTH = "forall(u, vector(d), forall(v, vector(d), f[u] <= f[v] + g[v].T@(u - v) + L/2*norm2(u - v)))"


@pytest.mark.parametrize(
    ("says", "given"),
    [
        ("(g[x] - g[y]).T @ (x - y) >= 0", [CONVEX]),
        ("(g[x] - g[y]).T @ (x - y) <= L*norm2(x - y)", [SMOOTH, "L > 0"]),
        ("f[y] <= f[x] - norm2(g[x])/(2*L)", [SMOOTH, "L > 0", "y == x - g[x]/L"]),
        ("norm2(g[x]) <= 2*L*(f[x] - fs)", [SMOOTH, "L > 0", "forall(u, vector(d), f[u] >= fs)"]),
        ("(g[x] - g[y]).T @ (x - y) <= L*norm2(x - y)", [LIPSCHITZ, "L > 0"]),
    ],
)
def test_textbook_facts_about_functions_are_proved(says: str, given: list[str]) -> None:
    assert lemma(says, given=given, kinds=KINDS).judge().verdict is Verdict.PROVED


@pytest.mark.parametrize(
    ("says", "given"),
    [
        ("norm2(g[x]) <= L*(f[x] - fs)", [SMOOTH, "L > 0", "forall(u, vector(d), f[u] >= fs)"]),
        ("norm2(g[x]) <= 2*L*(f[x] - fs)", [SMOOTH, "L > 0"]),
    ],
)
def test_a_step_of_ones_own_proves_nothing_false(says: str, given: list[str]) -> None:
    """Half of the constant, and no lower bound for f."""
    assert prove(lemma(says, given=given, kinds=KINDS).claim, {}) is None


def test_a_false_claim_about_a_convex_function_is_neither_proved_nor_supported() -> None:
    found = lemma("f[y] <= f[x]", given=[CONVEX], kinds=KINDS).judge()
    assert found.verdict is Verdict.UNDECIDED
