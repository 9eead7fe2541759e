"""Means beside functions of random numbers, bounds of one matrix, totals: proved unaided, and the twin refuted."""

from __future__ import annotations

from typing import Any

import pytest

from tests.unaided import verdict
from theory import lemma
from theory.kernel import Verdict

X = {"X": "real[S]"}
XY = X | {"Y": "real[S]"}
H: dict[str, Any] = {"kinds": {"H": "psd(n)", "x": "vector(n)"}, "given": ["L > 0", "H << L*I(n)"]}
V = dict.fromkeys(("x", "y", "z", "g", "p"), "vector(d)")
STEP = [
    "F1 == f1 + h1",
    "Fs == fz + hz",
    "eta > 0",
    "eta*L <= 1",
    "f1 <= f0 + g.T@(y - x) + L/2*norm2(y - x)",
    "fz >= f0 + g.T@(z - x)",
    "hz >= h1 + p.T@(z - y)",
    "y == x - eta*(g + p)",
]

SMOOTH = {"f": "real[vector(d)]", "g": "vector(d)[vector(d)]", "x": "vector(d)", "s": "vector(d)"}
SMOOTH |= {"y": "vector(d)[S]", "a": "vector(d)[S]"}
RANDOM_STEP = [
    "L > 0",
    "0 < eta",
    "eta <= 1/L",
    "forall(u, vector(d), forall(v, vector(d), f[v] <= f[u] + g[u].T@(v - u) + L/2*norm2(v - u)))",
    "y[w] == x - eta*a[w]",
    "E(w, a[w]) == g[x]",
    "E(w, norm2(a[w] - g[x])) <= s2",
]

PAIRS: list[tuple[str, str, dict[str, Any]]] = [
    (  # a mean of positive numbers divides
        "E(w, 1/X[w]) >= 1/E(w, X[w])",
        "E(w, 1/X[w]) <= 1/E(w, X[w])",
        {"given": ["X[w] > 0"], "kinds": X},
    ),
    (  # and stands in a logarithm
        "E(w, log(X[w])) <= log(E(w, X[w]))",
        "E(w, log(X[w])) <= log(E(w, X[w])) - 1/10",
        {"given": ["X[w] > 0"], "kinds": X},
    ),
    (  # the square of a mean of roots
        "E(w, sqrt(X[w])) <= sqrt(E(w, X[w]))",
        "E(w, sqrt(X[w])) >= sqrt(E(w, X[w]))",
        {"given": ["X[w] >= 0"], "kinds": X},
    ),
    (  # of absolute values
        "E(w, abs(X[w] - mu)) <= sigma",
        "E(w, abs(X[w] - mu)) <= sigma/2",
        {"given": ["sigma >= 0", "E(w, X[w]) == mu", "Var(w, X[w]) <= sigma**2"], "kinds": X},
    ),
    (  # an equation between means and numbers
        "E(w, (c*X[w] - mu)**2) == c**2*Var(w, X[w]) + (1 - c)**2*mu**2",
        "E(w, (c*X[w] - mu)**2) == c**2*Var(w, X[w]) + (1 - c**2)*mu**2",
        {"given": ["E(w, X[w]) == mu"], "kinds": X},
    ),
    (  # a hypothesis for every two samples
        "E(w, X[w])*E(w, Y[w]) <= E(w, X[w]*Y[w])",
        "E(w, X[w])*E(w, Y[w]) <= E(w, X[w]*Y[w])/2",
        {"given": ["(X[w] - X[v])*(Y[w] - Y[v]) >= 0"], "kinds": XY},
    ),
    (  # a length that is named for every outcome
        "E(w, r[w])**2 <= E(w, norm2(g[w]))",
        "E(w, r[w])**2 <= E(w, norm2(g[w]))/2",
        {"given": ["r[w] >= 0", "r[w]**2 == norm2(g[w])"], "kinds": {"g": "vector(d)[S]", "r": "real[S]"}},
    ),
    (  # a logarithm of a sum of exponentials that are bounded
        "log(sum(i, 1, n, exp(x[i]))) <= m + log(n)",
        "log(sum(i, 1, n, exp(x[i]))) <= m + log(n)/2",
        {"given": ["n >= 1", "forall(i, 1, n, x[i] <= m)"], "naturals": ["n"]},
    ),
    (  # the product of both bounds of a matrix
        "norm2(H@x) <= L*x.T@H@x",
        "norm2(H@x) <= L/2*x.T@H@x",
        H,
    ),
    (  # smoothness as a bound of the second vector that it speaks of
        "norm2(g[x])/(2*L) <= f[x] - f[s]",
        "norm2(g[x])/L <= f[x] - f[s]",
        {
            "given": ["L > 0", RANDOM_STEP[3], "forall(u, vector(d), f[s] <= f[u])"],
            "kinds": SMOOTH | {"s": "vector(d)"},
        },
    ),
    (  # a tangent at what the goal has outside of the mean
        "E(w, log(1 + X[w])) <= log(1 + E(w, X[w]))",
        "E(w, log(1 + X[w])) >= log(1 + E(w, X[w]))",
        {"given": ["X[w] >= 0"], "kinds": X},
    ),
    (  # numbers that are sums of others
        "F1 - Fs <= (norm2(x - z) - norm2(y - z))/(2*eta)",
        "F1 - Fs <= (norm2(x - z) - norm2(y - z))/(4*eta)",
        {"given": STEP, "kinds": V},
    ),
]


@pytest.mark.parametrize(("true", "false", "more"), PAIRS, ids=[pair[0] for pair in PAIRS])
def test_the_true_one_is_proved_and_the_false_one_refuted(true: str, false: str, more: dict[str, Any]) -> None:
    assert verdict(true, **more) is Verdict.PROVED
    assert verdict(false, **more) is Verdict.REFUTED


def test_without_positive_numbers_nothing_says_that_a_mean_may_divide() -> None:
    assert verdict("E(w, 1/(1 + X[w]**2)) >= 1/E(w, X[w])", given=["X[w] >= 0"], kinds=X) is not Verdict.PROVED


def test_bounds_of_two_matrices_do_not_commute() -> None:
    kinds = {"A": "psd(n)", "B": "psd(n)"}
    assert verdict("A@B + B@A << 2*L*B", given=["L > 0", "A << L*I(n)"], kinds=kinds) is Verdict.REFUTED


def test_a_smooth_function_at_a_random_point_is_bounded_in_mean() -> None:
    says = "E(w, f[y[w]]) <= f[x] - eta/2*norm2(g[x]) + L*eta**2*s2/2"
    assert verdict(says, given=RANDOM_STEP, kinds=SMOOTH) is Verdict.PROVED


def test_a_free_sample_below_binders_for_vectors_stands_for_every_one() -> None:
    kinds = {"a": "vector(d)[vector(d), S]", "x": "vector(d)"}
    (given,) = lemma("norm2(x) >= 0", given=["forall(u, vector(d), norm2(a[u, w]) <= L)"], kinds=kinds).claim.given
    assert given.startswith("forall(w, sample(S), forall(u, vector(d), ")
