"""Lemmas that the spellings once turned into others, so that a false one was proved or a true one refuted."""

from __future__ import annotations

from typing import Any

import pytest

from theory import lemma
from theory.kernel import Malformed

PD, PSD = {"A": "pd(d)"}, {"A": "psd(d)"}
SHRUNK = "sum(i, 1, 2, tr(inv(I(d) + i**2*A))) == 2*sum(i, 1, 1, tr(inv(I(d) + i**2*A)))"
WALK = {"a": "real[S]", "H": "history(S)", "x": "real[nat, H]"}


@pytest.mark.parametrize(
    ("says", "more", "reason"),
    [
        ("n >= 0", {"kinds": {"n": "integer"}}, "may be negative"),
        (SHRUNK, {"kinds": PSD}, "bound name"),
        ("tr(inv(I(d) + A/c)) >= 0", {"given": "c >= 0", "kinds": PSD}, "c > 0"),
        ("tr(inv(I(d) + (1/c)**2*A)) >= 0", {"kinds": PSD}, "c > 0"),
        ("tr(inv(I(d) + log(c)**2*A)) >= 0", {"kinds": PSD}, "c > 0"),
        ("E(h, x[t, h]) == 0", {"kinds": WALK, "steps": {"x[0, h]": "0", "x[t+1, h]": "x[t, h] # + a[w]"}}, "comment"),
    ],
)
def test_what_would_be_another_lemma_is_refused(says: str, more: dict[str, Any], reason: str) -> None:
    with pytest.raises(Malformed, match=reason):
        lemma(says, **more)


@pytest.mark.parametrize(
    ("says", "more"),
    [
        ("sum(i, 1, 2, 1/(i*tr(A))) <= 2/tr(B)", {"kinds": {**PD, "B": "pd(d)"}}),
        ("x <= 1", {"given": "forall(i, 1, n, c[i]/(i*tr(A)) <= 1)", "naturals": "n", "kinds": PD}),
    ],
)
def test_a_divisor_that_changes_with_a_bound_name_gets_no_name(says: str, more: dict[str, Any]) -> None:
    claim = lemma(says, **more).claim
    assert not any("i * tr(A)" in one and "==" in one for one in claim.given)


@pytest.mark.parametrize(
    ("says", "where"),
    [("norm(a)**2 == a**2", {"norm(x)": "x + 1"}), ("cosh(a) >= 1", {"cosh (x)": "0*x"})],
)
def test_a_name_that_is_defined_is_not_read_as_a_spelling(says: str, where: dict[str, str]) -> None:
    assert lemma(says, where=where).claim.says == (says,)


@pytest.mark.parametrize(
    ("says", "more"),
    [
        ("x/tr(A) == x/(c - 1)", {"where": {"c": "q1 + 1"}}),
        ("x/tr(A) == x/c", {"where": {"q1": "5", "c": "q1"}}),
        ("tr(inv(I(d) + A)) == c", {"where": {"c": "tr(inv(Q1))"}}),
        ("z/tr(A) == E(h, x[0, h])", {"kinds": {**PD, **WALK}, "steps": {"x[0, h]": "q1", "x[t+1, h]": "x[t, h]"}}),
        ("z/tr(A) == z/tr(B)", {"kinds": {**PD, "B": "pd(q1)"}}),
    ],
)
def test_a_name_that_is_given_is_used_nowhere_else(says: str, more: dict[str, Any]) -> None:
    claim = lemma(says, **{"given": "tr(A) > 0", "kinds": PD, **more}).claim
    assert not any(one.startswith(("q1 ==", "Q1 ==")) for one in claim.given)


def test_divisors_that_are_positive_by_a_fact_may_stand_in_an_inverse() -> None:
    assert lemma("tr(inv(I(d) + A/c + A/2)) >= 0", given="c > 0", kinds=PSD).claim.says == ("tr(inv(Q1)) >= 0",)
