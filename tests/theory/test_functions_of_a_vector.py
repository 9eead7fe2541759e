"""Smooth and convex functions of a vector: proved unaided, never supported by hypotheses that were only tried."""

from __future__ import annotations

import pytest

from theory import lemma
from theory.kernel import Verdict

KINDS = {"f": "real[vector(d)]", "g": "vector(d)[vector(d)]", "x": "vector(d)", "y": "vector(d)"}
CONVEX = "forall(u, vector(d), forall(v, vector(d), f[u] >= f[v] + g[v].T@(u - v)))"
SMOOTH = "forall(u, vector(d), forall(v, vector(d), f[u] <= f[v] + g[v].T@(u - v) + L/2*norm2(u - v)))"


@pytest.mark.parametrize(
    ("says", "given"),
    [
        ("(g[x] - g[y]).T @ (x - y) >= 0", [CONVEX]),
        ("(g[x] - g[y]).T @ (x - y) <= L*norm2(x - y)", [SMOOTH, "L > 0"]),
        ("f[y] <= f[x] - norm2(g[x])/(2*L)", [SMOOTH, "L > 0", "y == x - g[x]/L"]),
    ],
)
def test_textbook_facts_about_functions_are_proved(says: str, given: list[str]) -> None:
    assert lemma(says, given=given, kinds=KINDS).judge().verdict is Verdict.PROVED


def test_a_false_claim_about_a_convex_function_is_neither_proved_nor_supported() -> None:
    found = lemma("f[y] <= f[x]", given=[CONVEX], kinds=KINDS).judge()
    assert found.verdict is Verdict.UNDECIDED
