"""One idea of a prover each: the lemma that needs it is proved unaided, and a false twin is refuted."""

from __future__ import annotations

from typing import Any

import pytest

from tests.unaided import verdict
from theory.kernel import Verdict

PAIR = {"A": "matrix(m, n)", "B": "matrix(m, n)"}
BLOCK = {"A": "pd(n)", "B": "matrix(n, m)", "C": "symmetric(m)"}
TWO = ["a >= 0", "c >= 0", "a*c >= b**2", "p >= 0", "r >= 0", "p*r >= q**2"]
MEAN = ["x > 0", "y > 0", "0 <= t", "t <= 1"]

IDEAS: dict[str, tuple[str, str, dict[str, Any]]] = {
    "the chord of an exponential": (
        "E(w, exp(t*a[w])) <= (exp(t*b) + exp(-t*b))/2",
        "E(w, exp(t*a[w])) <= exp(t*b)/2",
        {"given": ["b > 0", "E(w, a[w]) == 0", "-b <= a[w] <= b"], "kinds": {"a": "real[S]"}},
    ),
    "an exponential below a parabola, under the mean": (
        "E(w, exp(a[w])) <= 1 + E(w, a[w]**2)",
        "E(w, exp(a[w])) <= 1 + E(w, a[w]**2)/4",
        {"given": ["E(w, a[w]) == 0", "a[w] <= 1"], "kinds": {"a": "real[S]"}},
    ),
    "the tangent of a reciprocal": (
        "E(w, 1/a[w]) >= 1/E(w, a[w])",
        "E(w, 1/a[w]) <= 1/E(w, a[w])",
        {"given": ["a[w] > 0", "E(w, a[w]) > 0"], "kinds": {"a": "real[S]"}},
    ),
    "a quotient is one number": ("f/x <= b + 1", "f/x <= b - 1", {"given": ["f/x <= b"]}),
    "facts that contradict each other": ("0 < x", "1 < x", {"given": ["x**3 > 0"]}),
    "what is not zero has a positive modulus": ("0 < 1/abs(a)", "0 < 1/a", {"given": ["a != 0"]}),
    "products of facts against the failure of the goal": (
        "(a + p)*(c + r) >= (b + q)**2", "(a + p)*(c + r) >= 2*(b + q)**2", {"given": TWO}
    ),
    "equations over divisors": (
        "exp(a + c)/(exp(a + c) + exp(b + c)) == exp(a)/(exp(a) + exp(b))",
        "exp(a + c)/(exp(a + c) + exp(b)) == exp(a)/(exp(a) + exp(b))",
        {},
    ),
    "tangents of a logarithm at a mean": (
        "t*log(x) + (1 - t)*log(y) <= log(t*x + (1 - t)*y)",
        "t*log(x) + (1 - t)*log(y) >= log(t*x + (1 - t)*y)",
        {"given": MEAN},
    ),
    "terms between the first and the last one": (
        "sum(i, n + 1, 2*n, 1/i) >= 1/2", "sum(i, n + 1, 2*n, 1/i) >= 3/4", {"given": ["n >= 1"], "naturals": ["n"]}
    ),
    "squares of combinations of two matrices": (
        "tr(A.T@B)**2 <= tr(A.T@A)*tr(B.T@B)", "2*tr(A.T@B)**2 <= tr(A.T@A)*tr(B.T@B)", {"kinds": PAIR}
    ),
    "elimination in a block": (
        "0 << [[A, B], [B.T, C]]", "0 << [[A, 2*B], [2*B.T, C]]", {"given": ["B.T@inv(A)@B << C"], "kinds": BLOCK}
    ),
    "a vector minus its image": (
        "norm2(P@x) <= norm2(x)",
        "2*norm2(P@x) <= norm2(x)",
        {"given": ["P@P == P"], "kinds": {"P": "symmetric(n)", "x": "vector(n)"}},
    ),
    "norms that stand in facts": (
        "norm2(x - eta*g/norm(g)) <= norm2(x) - 2*eta*r + eta**2",
        "norm2(x - eta*g/norm(g)) <= norm2(x) - 2*eta*r",
        {"given": ["eta > 0", "norm(g) > 0", "g.T@x >= r*norm(g)"], "kinds": {"x": "vector(d)", "g": "vector(d)"}},
    ),
    "a square above the modulus of an integer": (
        "(n - m)**2 >= abs(n - m)", "(n - m)**2 >= 2*abs(n - m)", {"naturals": ["n", "m"]}
    ),
    "a number of batches, rounded up": (
        "q*m <= n + m - 1",
        "q*m <= n + m - 2",
        {"given": ["m >= 2", "n/m <= q", "q < n/m + 1"], "naturals": ["q", "m", "n"]},
    ),
    "a recursion two steps back with two roots": (
        "x[n] == 2**n + (-1)**n",
        "x[n] == 2**n + 1",
        {"given": ["x[0] == 2", "x[1] == 1", "forall(k, 0, n, x[k+2] == x[k+1] + 2*x[k])"], "naturals": ["n"]},
    ),
    "squares at the end of a chain": (
        "r[K] <= 1/(c*K)",
        "r[K] <= 1/(2*c*K)",
        {
            "given": ["c > 0", "K >= 1", "forall(k, 0, K, r[k] >= 0)", "forall(k, 0, K-1, r[k+1] <= r[k] - c*r[k]**2)"],
            "naturals": ["K"],
        },
    ),
    "a recursion that uses another one": (
        "a[K] <= rho**K*a[0] + K*rho**(K-1)*b[0]",
        "a[K] <= rho**K*(a[0] + b[0])",
        {
            "given": [
                "rho >= 0",
                "K >= 1",
                "forall(k, 0, K-1, a[k+1] <= rho*a[k] + b[k])",
                "forall(k, 0, K-1, b[k+1] <= rho*b[k])",
            ],
            "naturals": ["K"],
        },
    ),
    "hypotheses over ranges one apart": (
        "m <= 2*(f[0] - fs)/(eta*K)",
        "m <= 2*(f[0] - fs)/(eta*(K + 1))",
        {
            "given": [
                "eta > 0",
                "K >= 1",
                "forall(k, 0, K, f[k] >= fs)",
                "forall(k, 1, K, f[k] <= f[k-1] - eta/2*g[k-1])",
                "forall(k, 0, K-1, m <= g[k])",
            ],
            "naturals": ["K"],
        },
    ),
    "equations solved for what is nowhere squared": (
        "A[K] >= K**2/4",
        "A[K] >= K**2/4 + 1",
        {
            "given": [
                "A[0] == 0",
                "forall(k, 0, K-1, a[k+1] > 0)",
                "forall(k, 0, K-1, A[k+1] == A[k] + a[k+1])",
                "forall(k, 0, K-1, a[k+1]**2 == A[k+1])",
            ],
            "naturals": ["K"],
        },
    ),
    "either sign of a divisor": (
        "prod(k, 1, n, 1 + x[k]) <= 1/(1 - sum(k, 1, n, x[k]))",
        "prod(k, 1, n, 1 + x[k]) <= 1 + sum(k, 1, n, x[k])",
        {"given": ["forall(k, 1, n, x[k] >= 0)", "sum(k, 1, n, x[k]) < 1"], "naturals": ["n"]},
    ),
    "factors above one": (
        "V[K] <= prod(k, 0, K-1, 1 + a[k])*(V[0] + sum(k, 0, K-1, b[k]))",
        "V[K] <= prod(k, 0, K-1, 1 + a[k])*V[0] + sum(k, 0, K-1, b[k])",
        {
            "given": [
                "forall(k, 0, K, V[k] >= 0)",
                "forall(k, 0, K-1, a[k] >= 0)",
                "forall(k, 0, K-1, b[k] >= 0)",
                "forall(k, 0, K-1, V[k+1] <= (1 + a[k])*V[k] + b[k])",
            ],
            "naturals": ["K"],
        },
    ),
    "weights and a bound from both sides": (
        "abs(sum(i, 1, n, p[i]*x[i])) <= M",
        "abs(sum(i, 1, n, p[i]*x[i])) <= M/2",
        {
            "given": ["forall(i, 1, n, p[i] >= 0)", "sum(i, 1, n, p[i]) == 1", "forall(i, 1, n, abs(x[i]) <= M)"],
            "naturals": ["n"],
        },
    ),
    "terms that are taken apart late": (
        "sum(k, 0, n-1, b**(n-1-k)*g[k]) <= G/(1 - b)",
        "sum(k, 0, n-1, b**(n-1-k)*g[k]) <= G",
        {"given": ["0 <= b", "b < 1", "G >= 0", "forall(k, 0, n-1, g[k] <= G)"], "naturals": ["n"]},
    ),
    "the largest entry below a sum of squares": (
        "max(i, 1, n, abs(x[i]))**2 <= sum(i, 1, n, x[i]**2)",
        "n*max(i, 1, n, abs(x[i]))**2 <= sum(i, 1, n, x[i]**2)",
        {"given": ["n >= 1"], "naturals": ["n"]},
    ),
}  # fmt: skip


@pytest.mark.parametrize("idea", IDEAS)
def test_the_idea_is_enough_and_its_twin_is_refuted(idea: str) -> None:
    true, false, more = IDEAS[idea]
    assert verdict(true, **more) is Verdict.PROVED
    assert verdict(false, **more) is Verdict.REFUTED


@pytest.mark.parametrize(
    ("says", "given"), [("a == b", "a*c == b*c"), ("x == 1", "(x - 1)*(y - 2) == 0"), ("x == 2", "x**2 - 3*x + 2 == 0")]
)
def test_the_search_follows_each_factor_of_an_equation(says: str, given: str) -> None:
    assert verdict(says, given=[given]) is Verdict.REFUTED
