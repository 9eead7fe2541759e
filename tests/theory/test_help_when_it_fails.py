"""What cannot be said is refused with the idiom that can, and a step that fails says why."""

from __future__ import annotations

import pytest

from theory import lemma
from theory.kernel import Malformed, Verdict
from theory.kernel.judge import sequent_of
from theory.ledger.examples import Unfit, prepared
from theory.ledger.referee import Diligence, referee
from theory.provers.skeletons import unproved
from theory.provers.tactics import have


@pytest.mark.parametrize(
    ("says", "idiom"),
    [
        ("x <= y implies x <= y + 1", "what is assumed stands in given"),
        ("n! >= n", r"a factorial is prod\(i, 1, n, i\)"),
        ("sum(x[i], i, 1, n) <= n", r"the index comes first: sum\(i, 1, n, x\[i\]\)"),
        ("prod(a[k]**2, k, 0, m) <= 1", r"the index comes first: prod\(k, 0, m, a\[k\] \*\* 2\)"),
        ("E[X] >= 0", r"a mean names its sample: E\(w, X\[w\]\)"),
    ],
)
def test_what_cannot_be_said_is_refused_with_the_idiom_that_can(says: str, idiom: str) -> None:
    with pytest.raises(Malformed, match=idiom):
        lemma(says, naturals=["n", "m"])


def test_a_product_of_matrices_is_written_with_its_own_sign() -> None:
    with pytest.raises(Malformed, match="matrices are multiplied with @"):
        lemma("x.T*A*x >= 0", kinds={"A": "psd(n)", "x": "vector(n)"})


@pytest.mark.parametrize(
    ("given", "meant"),
    [
        ("x[i] <= M", r"forall\(i, 1, n, x\[i\] <= M\)"),
        ("X[w] >= 0", r"kinds=\{'X': 'real\[S\]'\} if X is random"),
    ],
)
def test_an_index_of_which_nothing_is_said_is_named(given: str, meant: str) -> None:
    found = prepared(lemma("M <= M + 1", given=[given], naturals=["n"]))
    assert isinstance(found, Unfit)
    assert found.message.startswith(f"lemma: {given}: nothing says what")
    with pytest.raises(AssertionError, match=meant):
        raise AssertionError(found.message)


def test_a_bound_index_is_none_of_which_nothing_is_said() -> None:
    given = ["forall(i, 1, n, x[i] <= M)", "sum(k, 1, n, x[k]) >= 0"]
    assert not isinstance(prepared(lemma("M <= M + 1", given=given, naturals=["n"])), Unfit)


def said(step: str, says: str = "(x + y)**2 <= 2*x**2 + 2*y**2") -> str:
    check = prepared(lemma(says, proof=have(step)))
    assert not isinstance(check, Unfit)
    return referee(check, {})[0].notes[0]


def test_a_step_that_is_false_says_where() -> None:
    note = said("2*x*y <= x**2 + y**2/2")
    assert "no prover shows\n    2*x*y <= x**2 + y**2/2\n" in note
    assert note.endswith("this step is false, for example at x = 1, y = 1: mend it")


def test_a_step_that_fails_lists_what_was_tried() -> None:
    note = said("2*x*y <= x**2 + y**2/2")
    assert "\n  tried: a fact or a plain sign, an identity, " in note
    assert "linear programs, sums of squares, boxes, cases" in note


def test_a_lemma_that_takes_too_long_is_given_up_with_the_limit_and_the_remedy(monkeypatch: pytest.MonkeyPatch) -> None:
    check = prepared(lemma("2*x*y <= x**2 + y**2"))
    assert not isinstance(check, Unfit)
    assert Diligence().seconds == 60.0
    assert referee(check, {})[1].verdict is Verdict.PROVED
    monkeypatch.setattr(Diligence, "seconds", 0.0)
    evidence, judgement = referee(check, {})
    assert judgement.verdict is Verdict.SUPPORTED
    assert evidence.notes[0].endswith(
        "or `lemmalab check --thorough`: 600 s; the provers stopped after 0 s of processor time"
    )


def test_a_step_that_is_only_hard_says_how_often_it_was_tried() -> None:
    note = said("exp(x) <= x + exp(x**2)", "exp(x) <= x + exp(x**2) + y**2")
    assert "this step was not violated in" in note


def test_an_exponent_that_may_be_negative_is_refused_with_what_is_missing() -> None:
    check = prepared(lemma("n <= 2**n + 2**(n - 1)", naturals=["n"]))
    assert not isinstance(check, Unfit)
    assert "n - 1 is natural: an exponent counts; add n - 1 >= 0" in referee(check, {})[0].notes[0]


@pytest.mark.parametrize(
    ("says", "given", "hint"),
    [
        ("n*a[n] <= sum(k, 1, n, a[k])", ["forall(k, 1, n-1, a[k+1] <= a[k])"], "a starting index such as n >= 1"),
        ("r[n] <= 1/c", ["c > 0", "forall(k, 0, n-1, r[k+1] <= r[k] - c*r[k]**2)"], "forall(k, 0, n - 1, r[k] >= 0)"),
        ("x/eta <= y", ["eta == R/sqrt(2)", "x <= eta*y"], "a sign such as eta > 0"),
    ],
)
def test_an_open_lemma_says_which_start_and_which_signs_are_missing(says: str, given: list[str], hint: str) -> None:
    claim = lemma(says, given=given, naturals=["n"]).claim
    assert hint in unproved(sequent_of(claim, claim.goals[0]))
