"""Weights of facts that numbers propose: smooth and convex functions, steps, norms; each lemma beside a false twin."""

from __future__ import annotations

import pytest

from tests.unaided import verdict
from theory.kernel import Verdict

F = {"f": "real[vector(d)]", "g": "vector(d)[vector(d)]"}
V = dict.fromkeys(("p", "q", "s", "x", "y", "z"), "vector(d)")
CONVEX = "forall(u, vector(d), forall(v, vector(d), f[u] >= f[v] + g[v].T@(u - v)))"
SMOOTH = "forall(u, vector(d), forall(v, vector(d), f[u] <= f[v] + g[v].T@(u - v) + L/2*norm2(u - v)))"
STRONG = "forall(u, vector(d), forall(v, vector(d), f[u] >= f[v] + g[v].T@(u - v) + mu/2*norm2(u - v)))"
PROX = "forall(u, vector(d), h[u] >= h[p] + (x - p).T@(u - p)/eta)"


def kinds(names: str, **more: str) -> dict[str, str]:
    return {**more, **{name: V[name] for name in names}}


@pytest.mark.parametrize(
    ("true", "false", "given", "names"),
    [
        # where the upper bound at y touches the lower bound at x
        (
            "f[y] >= f[x] + g[x].T@(y-x) + norm2(g[x]-g[y])/(2*L)",
            "f[y] >= f[x] + g[x].T@(y-x) + norm2(g[x]-g[y])/L",
            [SMOOTH, CONVEX, "L > 0"],
            "xy",
        ),
        # two such points, and a form that is left
        (
            "norm2(p - q) <= norm2(x - y)",
            "norm2(p - q) <= norm2(x - y)/2",
            [SMOOTH, CONVEX, "L > 0", "0 < eta <= 2/L", "p == x - eta*g[x]", "q == y - eta*g[y]"],
            "pqxy",
        ),
        # a gradient of length zero is orthogonal to everything
        (
            "norm2(y - s) <= (1 - mu*eta)*norm2(x - s)",
            "norm2(y - s) <= (1 - 2*mu*eta)*norm2(x - s)",
            [SMOOTH, STRONG, "0 < mu <= L", "0 < eta <= 1/L", "norm2(g[s]) == 0", "y == x - eta*g[x]"],
            "xys",
        ),
    ],
)
def test_a_lemma_about_a_smooth_function_is_settled_with_its_twin(
    true: str, false: str, given: list[str], names: str
) -> None:
    assert verdict(true, given=given, kinds=kinds(names, **F)) is Verdict.PROVED
    assert verdict(false, given=given, kinds=kinds(names, **F)) is Verdict.REFUTED


@pytest.mark.parametrize(
    ("true", "false"),
    [
        ("h[p] + norm2(x - p)/eta <= h[x]", "h[p] + 2*norm2(x - p)/eta <= h[x]"),
        (
            "h[p] + norm2(p - x)/(2*eta) + norm2(p - z)/(2*eta) <= h[z] + norm2(z - x)/(2*eta)",
            "h[p] + norm2(p - x)/eta + norm2(p - z)/(2*eta) <= h[z] + norm2(z - x)/(2*eta)",
        ),
    ],
)
def test_a_proximal_step_is_settled_with_its_twin(true: str, false: str) -> None:
    """The twin is refuted by a function whose proximal point is where the hypothesis says."""
    declared = kinds("pxz", h="real[vector(d)]")
    assert verdict(true, given=[PROX, "eta > 0"], kinds=declared) is Verdict.PROVED
    assert verdict(false, given=[PROX, "eta > 0"], kinds=declared) is Verdict.REFUTED


def test_norms_are_compared_by_their_squares() -> None:
    given = ["(x - p).T@(s - p) <= 0"]
    assert verdict("norm(p - s) <= norm(x - s)", given=given, kinds=kinds("pxs")) is Verdict.PROVED
    assert verdict("norm(x - s) <= norm(p - s)", given=given, kinds=kinds("pxs")) is Verdict.REFUTED


def test_an_order_of_matrices_is_shown_at_one_vector() -> None:
    declared = {"A": "psd(n)"}
    assert verdict("A << tr(A)*I(n)", kinds=declared) is Verdict.PROVED
    assert verdict("A << tr(A)/2*I(n)", kinds=declared) is Verdict.REFUTED


def test_a_number_whose_name_contains_that_of_the_eigenvector_stops_nothing() -> None:
    given = ["0 < mu", "mu*I(n) << A"]
    declared = {"A": "pd(n)", "x": "vector(n)"}
    assert verdict("x.T@A@x*mu <= tr(A)*mu*norm2(x)", given=given, kinds=declared) is Verdict.PROVED


def test_definitions_of_definitions_are_rewritten_in_turn() -> None:
    given = [SMOOTH, "L > 0", "y == x - g[x]/L", "z == y - g[y]/L"]
    says = "f[z] <= f[x] - norm2(g[x])/({}*L) - norm2(g[y])/(2*L)"
    assert verdict(says.format(2), given=given, kinds=kinds("xyz", **F)) is Verdict.PROVED
    assert verdict(says.format(1), given=given, kinds=kinds("xyz", **F)) is Verdict.REFUTED
