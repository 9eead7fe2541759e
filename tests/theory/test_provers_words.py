"""Squares of words: vectors, matrices and samples of every size, proved without a hint; twins are not."""

from __future__ import annotations

import pytest

from theory.claims.userfile import lemma
from theory.kernel import Verdict
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
}


@pytest.mark.parametrize("name", PAIRS)
def test_a_true_one_is_proved_and_its_twin_refuted(name: str) -> None:
    true, false, given, kinds = PAIRS[name]
    for says, verdict in ((true, Verdict.PROVED), (false, Verdict.REFUTED)):
        check = prepared(lemma(says, given=given, kinds=kinds))
        assert not isinstance(check, Unfit)
        assert referee(check, {})[1].verdict is verdict


@pytest.mark.parametrize("name", ["a square of matrices", "a product of random facts"])
def test_no_proof_is_found_of_a_twin(name: str) -> None:
    _, false, given, kinds = PAIRS[name]
    assert prove(lemma(false, given=given, kinds=kinds).claim, {}) is None


def test_an_open_lemma_says_its_goal_its_facts_and_what_to_add() -> None:
    """x@x.T << norm2(x)*I(n) is true; no sum of squares of words makes up the difference."""
    check = prepared(lemma("x@x.T << norm2(x)*I(n)", kinds={"x": "vector(n)"}))
    assert not isinstance(check, Unfit)
    evidence, judgement = referee(check, {})
    assert judgement.verdict is Verdict.SUPPORTED
    (note,) = evidence.notes
    assert "x@x.T << x.T@x*I(n)" in note
    assert "n >= 1" in note
    assert "add an intermediate fact" in note
