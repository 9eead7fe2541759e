"""What is shown of a claim: the definitions that it uses and the values of what occurs in it, and no others."""

from __future__ import annotations

from dataclasses import replace

from tests.sada import SADA
from theory.kernel import Claim
from theory.reading.used import definitions, example, names_in

CLAIM = Claim(
    "c",
    ("f(x) <= top",),
    given=("x >= a",),
    where=(("a", "2*b"), ("spare", "a + 1"), ("f(y)", "a*y"), ("rest", "spare**2")),
    example=(("b", "1"), ("x", "2"), ("top", "4"), ("stray", "7")),
)


def test_a_definition_is_shown_where_the_claim_or_a_shown_definition_uses_it() -> None:
    assert definitions(CLAIM) == (("a", "2*b"), ("f(y)", "a*y"))


def test_a_name_that_only_an_unused_definition_has_is_not_shown() -> None:
    assert "rest" not in names_in(CLAIM)
    assert example(CLAIM) == {"b": "1", "x": "2", "top": "4"}


def test_what_is_shown_of_every_claim_of_the_paper_says_as_much_as_all_of_it() -> None:
    """A claim with the shown definitions alone expands to the same formulas."""
    for check in list(SADA.checks.values())[::7]:
        claim = check.claim
        if len(definitions(claim)) < len(claim.where):
            lean = replace(claim, where=definitions(claim))
            assert (lean.goals, lean.hypotheses) == (claim.goals, claim.hypotheses), check.key
