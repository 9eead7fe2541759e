"""One idea about sums, products, recursions or roots each: its lemma is proved unaided, a false twin is refuted."""

from __future__ import annotations

from typing import Any

import pytest

from tests.unaided import verdict
from theory.kernel import Verdict

N = {"naturals": ["n"]}
NEIGHBOURS = ["forall(i, 1, n-1, a[i] <= a[i+1])", "forall(i, 1, n-1, b[i] <= b[i+1])"]
PARTS = ["n >= 1", "S[0] == 0", "forall(k, 1, n, S[k] <= M)", "forall(k, 1, n, a[k] >= 0)"]
FALLING = "forall(k, 1, n-1, a[k+1] <= a[k])"
NESTEROV = "t[k+1] <= (1 + sqrt(1 + 4*t[k]**2))/2"
STEP = ["a >= 0", "b >= 0", "eta > 0"]

IDEAS: dict[str, tuple[str, str, dict[str, Any]]] = {
    "every two indices, of sequences that rise": (
        "sum(i, 1, n, a[i])*sum(i, 1, n, b[i]) <= n*sum(i, 1, n, a[i]*b[i])",
        "sum(i, 1, n, a[i])*sum(i, 1, n, b[i]) >= n*sum(i, 1, n, a[i]*b[i])",
        {"given": NEIGHBOURS, **N},
    ),
    "every two indices, with roots": (
        "sum(i, 1, n, sqrt(x[i])) <= sqrt(n*sum(i, 1, n, x[i]))",
        "sum(i, 1, n, sqrt(x[i])) <= sqrt(sum(i, 1, n, x[i]))",
        {"given": ["forall(i, 1, n, x[i] >= 0)"], **N},
    ),
    "every two indices, with weights": (
        "sum(i, 1, n, w[i]*x[i])**2 <= sum(i, 1, n, w[i]*x[i]**2)",
        "sum(i, 1, n, w[i]*x[i])**2 <= sum(i, 1, n, w[i]*x[i]**2)/2",
        {"given": ["forall(i, 1, n, w[i] >= 0)", "sum(i, 1, n, w[i]) == 1"], **N},
    ),
    "the closed form of a sum in a hypothesis": (
        "2**K <= T + 1",
        "2**K <= T",
        {"given": ["sum(k, 0, K-1, 2**k) <= T"], "naturals": ["K", "T"]},
    ),
    "summation by parts against a bound": (
        "sum(k, 1, n, a[k]*(S[k] - S[k-1])) <= M*a[1]",
        "sum(k, 1, n, a[k]*(S[k] - S[k-1])) <= M*a[n]",
        {"given": [*PARTS, FALLING], **N},
    ),
    "facts at the places of extrema": (
        "max(i, 1, n, x[i]) - max(i, 1, n, y[i]) <= max(i, 1, n, x[i] - y[i])",
        "max(i, 1, n, x[i]) - max(i, 1, n, y[i]) <= min(i, 1, n, x[i] - y[i])",
        {"given": ["n >= 1"], **N},
    ),
    "without the divisor": (
        "m <= sum(k, 0, n, e[k]*f[k])/sum(k, 0, n, e[k])",
        "m <= sum(k, 0, n, e[k]*f[k])/(2*sum(k, 0, n, e[k]))",
        {"given": ["forall(k, 0, n, e[k] > 0)", "forall(k, 0, n, f[k] >= m)"], **N},
    ),
    "the reciprocal of an entry": (
        "d[n] <= d[0]/(1 + n*d[0])",
        "d[n] <= d[0]/(1 + 2*n*d[0])",
        {"given": ["forall(k, 0, n, d[k] > 0)", "forall(k, 0, n-1, d[k+1] <= d[k]/(1 + d[k]))"], **N},
    ),
    "a root alone on a side, below a product": (
        "prod(k, 1, n, (2*k-1)/(2*k)) <= 1/sqrt(2*n+1)",
        "prod(k, 1, n, (2*k-1)/(2*k)) <= 1/sqrt(4*n+1)",
        N,
    ),
    "a root alone on a side, in a recursion": (
        "t[n] <= n + 1",
        "t[n] <= n/2 + 1",
        {"given": ["t[0] == 1", "forall(k, 0, n, t[k] > 0)", f"forall(k, 0, n-1, {NESTEROV})"], **N},
    ),
    "a geometric mean": (
        "a/(eta*n) + b*eta >= 2*sqrt(a*b/n)",
        "a/(eta*n) + b*eta >= 3*sqrt(a*b/n)",
        {"given": [*STEP, "n >= 1"], **N},
    ),
    "a tuned step below a cap": (
        "R/(eta*T) + eta*G <= R*L/T + 2*sqrt(R*G/T)",
        "R/(eta*T) + eta*G <= 2*sqrt(R*G/T)",
        {"given": ["R > 0", "G > 0", "L > 0", "T > 0", "eta == min(1/L, sqrt(R/(G*T)))"]},
    ),
    "a tail, which may be empty": (
        "sum(k, n+1, N, 1/k**2) <= 1/n",
        "sum(k, n+1, N, 1/k**2) <= 1/(n+1)",
        {"given": ["n >= 1"], "naturals": ["n", "N"]},
    ),
    "room below a limit": (
        "prod(k, 2, n, 1 + 1/k**2) <= 2",
        "prod(k, 2, n, 1 + 1/k**2) <= 3/2",
        {"given": ["n >= 2"], **N},
    ),
    "a product below the exponential of its sum": (
        "prod(k, 1, n, 1 + a[k]) <= exp(M)",
        "prod(k, 1, n, 1 + a[k]) <= 1 + M",
        {"given": ["forall(k, 1, n, a[k] >= 0)", "sum(k, 1, n, a[k]) <= M"], **N},
    ),
    "sums multiplied out": (
        "sum(i, 1, n, sum(j, 1, i, a[j])) == sum(j, 1, n, (n - j + 1)*a[j])",
        "sum(i, 1, n, sum(j, 1, i, a[j])) == sum(j, 1, n, (n - j)*a[j])",
        N,
    ),
    "a range that begins at a name": (
        "prod(k, m+1, n, 1 - 1/k) == m/n",
        "prod(k, m+1, n, 1 - 1/k) == m/(n+1)",
        {"given": ["1 <= m", "m <= n"], "naturals": ["m", "n"]},
    ),
}

FALSE: dict[str, tuple[str, dict[str, Any]]] = {
    "a bound that is not rational": (
        "x[n] <= x[0] + sqrt(c)",
        {
            "given": [
                "c >= 0",
                "forall(k, 0, n, x[k] >= 0)",
                "forall(k, 0, n-1, x[k+1] <= sqrt(x[k]**2 + c))",
            ],
            **N,
        },
    ),
    "an entry at zero below a sum": ("max(k, 0, n, g[k]) <= sum(k, 0, n, g[k])/(n + 1)", N),
}


@pytest.mark.parametrize("name", IDEAS)
def test_an_idea_proves_its_lemma_and_not_its_twin(name: str) -> None:
    true, false, more = IDEAS[name]
    assert verdict(true, **more) is Verdict.PROVED
    assert verdict(false, **more) is Verdict.REFUTED


@pytest.mark.parametrize("name", FALSE)
def test_an_exact_point_refutes(name: str) -> None:
    says, more = FALSE[name]
    assert verdict(says, **more) is Verdict.REFUTED


def test_a_sum_below_a_sum_stops_no_prover() -> None:
    """The inner index of one is the outer index of the other."""
    says = "sum(t, 1, n, sum(s, 1, t, b**(t-s)*g[s])) <= sum(s, 1, n, g[s])"
    assert verdict(says, given=["0 <= b < 1", "forall(t, 1, n, g[t] >= 0)"], naturals=["n"]) is Verdict.REFUTED
