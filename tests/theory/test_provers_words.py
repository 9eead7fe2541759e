"""Squares of words: vectors, matrices and samples of every size, proved without a hint; twins are not."""

from __future__ import annotations

import pytest

from theory.claims.userfile import lemma
from theory.kernel import Malformed, Verdict
from theory.ledger.examples import Unfit, prepared
from theory.ledger.referee import referee
from theory.provers.driver import prove

PAIRS: dict[str, tuple[str, str, list[str], dict[str, str]]] = {
    "a square of matrices": (
        "A@B.T + B@A.T << A@A.T + B@B.T",
        "A@B.T + B@A.T << (A@A.T + B@B.T)/2",
        [],
        {"A": "matrix(n, m)", "B": "matrix(n, m)"},
    ),
    "a block row": (
        "0 << C - B.T@inv(A)@B",
        "0 << C - 2*B.T@inv(A)@B",
        ["0 << [[A, B], [B.T, C]]"],
        {"A": "pd(n)", "B": "matrix(n, m)", "C": "symmetric(m)"},
    ),
    "a multiple of an equation below a trace": (
        "tr((I - P)@M@(I - P)) <= tr(M)",
        "tr((I - P)@M@(I - P)) <= tr(P@M)",
        ["P@P == P"],
        {"P": "symmetric(n)", "M": "psd(n)", "I": "identity(n)"},
    ),
    "a product of two facts": (
        "norm2(x - y - eta*(g - h)) <= norm2(x - y)",
        "norm2(x - y - eta*(g - h)) <= norm2(x - y)/2",
        ["L > 0", "0 < eta <= 2/L", "(g - h).T@(x - y) >= norm2(g - h)/L"],
        dict.fromkeys("xygh", "vector(d)"),
    ),
    "two open samples": (
        "E(w, a[w]*b[w])**2 <= E(w, a[w]**2)*E(w, b[w]**2)",
        "E(w, a[w]*b[w])**2 <= E(w, a[w])**2*E(w, b[w]**2)",
        [],
        {"a": "real[S]", "b": "real[S]"},
    ),
    "a product of random facts": (
        "Var(w, a[w]) <= (M - c)**2/4",
        "Var(w, a[w]) <= (M - c)**2/8",
        ["c <= a[w] <= M"],
        {"a": "real[S]"},
    ),
    "a divisor made of letters": (
        "(x.T@y)**2/norm2(y) <= norm2(x)",
        "(x.T@y)**2/norm2(y) <= norm2(x)/2",
        ["norm2(y) > 0"],
        {"x": "vector(n)", "y": "vector(n)"},
    ),
    "three norms": (
        "norm(x + y) <= norm(x) + norm(y)",
        "norm(x + y) <= norm(x)",
        [],
        {"x": "vector(n)", "y": "vector(n)"},
    ),
    "an equation between two rows": (
        "x.T@inv(V + x@x.T)@x == q/(1 + q)",
        "x.T@inv(V + x@x.T)@x == q/(1 + 2*q)",
        ["q == x.T@inv(V)@x"],
        {"V": "pd(n)", "x": "vector(n)"},
    ),
    "a number with an inverse as it stands": (
        "x.T@inv(V + x@x.T)@x <= 1",
        "x.T@inv(V + x@x.T)@x <= 1/2",
        [],
        {"V": "pd(n)", "x": "vector(n)"},
    ),
    "the goal times the square of its divisor": (
        "g.T@inv(P)@g >= norm2(g)/L",
        "g.T@inv(P)@g >= 2*norm2(g)/L",
        ["L > 0", "P << L*I(n)"],
        {"P": "pd(n)", "g": "vector(n)"},
    ),
    "an equation behind two inverses": (
        "inv(inv(P) + H.T@inv(R)@H) == P - P@H.T@inv(H@P@H.T + R)@H@P",
        "inv(inv(P) + H.T@inv(R)@H) == P + P@H.T@inv(H@P@H.T + R)@H@P",
        [],
        {"P": "pd(n)", "R": "pd(m)", "H": "matrix(m, n)"},
    ),
    "a number equation times a matrix": (
        "inv(A) - inv(A + x@x.T) == inv(A)@x@x.T@inv(A)/(1 + x.T@inv(A)@x)",
        "inv(A) - inv(A + x@x.T) == inv(A)@x@x.T@inv(A)",
        [],
        {"A": "pd(n)", "x": "vector(n)"},
    ),
    "Cauchy-Schwarz with an inverse": (
        "(x.T@y)**2 <= (x.T@A@x)*(y.T@inv(A)@y)",
        "(x.T@y)**2 <= (x.T@A@x)*(y.T@inv(A)@y)/2",
        [],
        {"A": "pd(n)", "x": "vector(n)", "y": "vector(n)"},
    ),
    "Cauchy-Schwarz with a size": (
        "tr(A)*tr(inv(A)) >= tr(I(n))**2",
        "tr(A)*tr(inv(A)) >= 2*tr(I(n))**2",
        [],
        {"A": "pd(n)"},
    ),
    "one eigenvector at a time": (
        "tr(A@B) <= tr(A)*tr(B)",
        "tr(A@B) <= tr(A)*tr(B)/2",
        [],
        {"A": "psd(n)", "B": "psd(n)"},
    ),
    "one eigenvector of one letter": ("tr(A@A) <= tr(A)**2", "tr(A@A) <= tr(A)**2/2", [], {"A": "psd(n)"}),
    "letters that an equation exchanges": ("P << I(n)", "P << I(n)/2", ["P@P == P"], {"P": "symmetric(n)"}),
    "a mixture of two positive definite ones": (
        "inv(t*A + (1 - t)*B) << t*inv(A) + (1 - t)*inv(B)",
        "t*inv(A) + (1 - t)*inv(B) << inv(t*A + (1 - t)*B)",
        ["0 < t < 1"],
        {"A": "pd(n)", "B": "pd(n)"},
    ),
    "definitions at a sample, and a bound without its divisor": (
        "E(w, f[w]) <= f0 - eta/2*norm2(m) + L*eta**2*s/2",
        "E(w, f[w]) <= f0 - eta*norm2(m) - 1",
        [
            "L > 0",
            "0 < eta <= 1/L",
            "f[w] <= f0 + m.T@(y[w] - x) + L/2*norm2(y[w] - x)",
            "y[w] == x - eta*g[w]",
            "E(w, g[w]) == m",
            "E(w, norm2(g[w] - m)) <= s",
        ],
        {"f": "real[S]", "g": "vector(d)[S]", "y": "vector(d)[S]", "x": "vector(d)", "m": "vector(d)"},
    ),
    "a norm that only a fact speaks of": (
        "norm(x) <= norm(y) + r",
        "norm(x) <= norm(y)",
        ["norm(x - y) <= r"],
        {"x": "vector(n)", "y": "vector(n)"},
    ),
}


@pytest.mark.parametrize("name", PAIRS)
def test_a_true_one_is_proved_and_its_twin_refuted(name: str) -> None:
    true, false, given, kinds = PAIRS[name]
    for says, verdict in ((true, Verdict.PROVED), (false, Verdict.REFUTED)):
        check = prepared(lemma(says, given=given, kinds=kinds))
        assert not isinstance(check, Unfit)
        assert referee(check, {})[1].verdict is verdict


@pytest.mark.parametrize(
    "name",
    [
        "a square of matrices",
        "a product of random facts",
        "an equation between two rows",
        "a number with an inverse as it stands",
        "letters that an equation exchanges",
        "a number equation times a matrix",
        "Cauchy-Schwarz with an inverse",
        "Cauchy-Schwarz with a size",
        "one eigenvector at a time",
        "one eigenvector of one letter",
    ],
)
def test_no_proof_is_found_of_a_twin(name: str) -> None:
    _, false, given, kinds = PAIRS[name]
    assert prove(lemma(false, given=given, kinds=kinds).claim, {}) is None


def test_a_mixture_without_both_bounds_has_no_inverse() -> None:
    """With t > 1 the second weight is negative."""
    with pytest.raises(Malformed, match="does not show that it is positive definite"):
        lemma("inv(t*A + (1 - t)*B) << inv(A)", given=["t > 0"], kinds={"A": "pd(n)", "B": "pd(n)"})


def test_an_open_lemma_says_its_goal_its_facts_and_what_to_add() -> None:
    """tr(A³) <= tr(A)³ is true; no sum of squares of words makes up the difference."""
    check = prepared(lemma("tr(A@A@A) <= tr(A)**3", kinds={"A": "psd(n)"}))
    assert not isinstance(check, Unfit)
    evidence, judgement = referee(check, {})
    assert judgement.verdict is Verdict.SUPPORTED
    (note,) = evidence.notes
    assert "tr(A@A@A) <= tr(A)**3" in note
    assert "n >= 1" in note
    assert "add an intermediate fact" in note
