"""Invariants that are stronger than the goal, signs of entries, roots in order, extrema over an index.

Each idea proves a lemma unaided; its twin, which is nearly the same and false, is refuted by an exact point.
"""

from __future__ import annotations

from typing import Any

import pytest

from tests.unaided import verdict
from theory import lemma
from theory.kernel import Malformed, Verdict

FALLING = ["n >= 1", "w[1] >= 0", "forall(k, 1, n-1, w[k] <= w[k+1])", "forall(k, 1, n+1, 0 <= V[k] <= B)"]
STEPS = [
    "T >= 1",
    "forall(t, 1, T, eta[t] > 0)",
    "forall(t, 1, T-1, eta[t+1] <= eta[t])",
    "forall(t, 1, T+1, 0 <= D[t] <= B)",
]
POLYAK = [
    "m >= 0",
    "forall(k, 0, K, D[k] >= 0)",
    "forall(k, 0, K-1, f[k] >= m)",
    "forall(k, 0, K-1, D[k+1] <= D[k] - f[k]**2/4)",
]
GROENWALL = ["c >= 0", "forall(k, 0, n, b[k] >= 0)", "forall(k, 0, n, u[k] <= c + sum(j, 0, k-1, b[j]*u[j]))"]
ADAGRAD = ["S[0] == 0", "forall(t, 1, T, a[t] > 0)", "forall(t, 1, T, S[t] == S[t-1] + a[t])"]

IDEAS: dict[str, tuple[str, str, dict[str, Any]]] = {
    "the last term of a sum by parts stays in": (
        "sum(k, 1, n, w[k]*(V[k] - V[k+1])) <= w[n]*B",
        "sum(k, 1, n, w[k]*(V[k] - V[k+1])) <= w[1]*B",
        {"given": FALLING, "naturals": ["n"]},
    ),
    "the last distance stays in, over a step size": (
        "sum(t, 1, T, (D[t] - D[t+1])/eta[t]) <= B/eta[T]",
        "sum(t, 1, T, (D[t] - D[t+1])/eta[t]) <= B/eta[1]",
        {"given": STEPS, "naturals": ["T"]},
    ),
    "the first distance loses the last one": (
        "K*m**2 <= 4*D[0]", "K*m**2 <= D[0]", {"given": POLYAK, "naturals": ["K"]}
    ),
    "a bound by a sum stands for the entry": (
        "u[n] <= c*prod(k, 0, n-1, 1 + b[k])",
        "u[n] <= c*prod(k, 0, n-1, 1 + b[k]/2)",
        {"given": GROENWALL, "naturals": ["n"]},
    ),
    "signs of entries, and roots of running sums": (
        "sum(t, 1, T, a[t]/sqrt(S[t])) <= 2*sqrt(S[T])",
        "sum(t, 1, T, a[t]/sqrt(S[t])) <= sqrt(S[T])",
        {"given": ADAGRAD, "naturals": ["T"]},
    ),
    "neighbouring roots are in order": (
        "sum(k, 1, n, 1/sqrt(k)) <= 2*sqrt(n) - 1",
        "sum(k, 1, n, 1/sqrt(k)) <= 2*sqrt(n) - 3/2",
        {"given": ["n >= 1"], "naturals": ["n"]},
    ),
    "whole numbers are apart": ("m + 1 <= n", "m + 2 <= n", {"given": ["m < n"], "naturals": ["m", "n"]}),
    "a maximum is one of its terms": (
        "max(i, 1, n, x[i] + y[i]) <= max(i, 1, n, x[i]) + max(i, 1, n, y[i])",
        "max(i, 1, n, x[i]) + max(i, 1, n, y[i]) <= max(i, 1, n, x[i] + y[i])",
        {"given": ["n >= 1"], "naturals": ["n"]},
    ),
}  # fmt: skip


@pytest.mark.parametrize("idea", IDEAS)
def test_the_lemma_is_proved_unaided(idea: str) -> None:
    says, _, more = IDEAS[idea]
    assert verdict(says, **more) is Verdict.PROVED


@pytest.mark.parametrize("idea", IDEAS)
def test_the_false_twin_is_refuted(idea: str) -> None:
    _, says, more = IDEAS[idea]
    assert verdict(says, **more) is Verdict.REFUTED


def test_a_minimum_that_is_bounded_needs_no_place() -> None:
    claim = lemma("min(k, 0, K-1, g[k]) <= c", given=["K >= 1"], naturals=["K"]).claim
    assert claim.says == ("min_1 <= c",)
    assert claim.given == ("K >= 1", "0 <= K - 1", "forall(k, 0, K - 1, g[k] >= min_1)")


def test_a_maximum_that_is_bounded_is_any_of_its_terms() -> None:
    claim = lemma("max(k, 0, K, g[k]) <= c", naturals=["K"]).claim
    assert claim.says == ("g[at_1] <= c",)
    assert claim.given == ("0 <= K", "0 <= at_1", "at_1 <= K")
    assert claim.naturals == ("K", "at_1")


def test_an_extremum_in_an_equation_is_a_bound_and_one_of_its_terms() -> None:
    given = lemma("m >= 0", given=["m == min(k, 0, 3, g[k])", "forall(k, 0, 3, g[k] >= 0)"]).claim.given
    assert "min_1 == g[at_1]" in given
    assert "forall(k, 0, 3, g[k] >= min_1)" in given


def test_an_assumed_maximum_bounds_every_term() -> None:
    claim = lemma("x[1] <= c", given=["max(i, 1, 4, x[i]) <= c"]).claim
    assert claim.given == ("max_1 <= c", "forall(i, 1, 4, x[i] <= max_1)")


@pytest.mark.parametrize("says", ["max(a, 0, b, x[a]) <= c", "max(i, 1, n, max(j, 1, n, x[i]*y[j])) <= c + i"])
def test_a_family_whose_index_is_a_free_name_is_refused(says: str) -> None:
    with pytest.raises(Malformed, match="over an index is a name"):
        lemma(says, naturals=["a", "b", "n"])


def test_an_extremum_that_depends_on_a_bound_name_is_not_that_of_the_free_name() -> None:
    given = ["n >= 1", "sum(n, 1, 3, max(i, 1, n, x[i])) <= 5"]
    with pytest.raises(Malformed, match="over an index is a name"):
        lemma("max(i, 1, n, x[i]) <= 5", given=given, naturals=["n"])
