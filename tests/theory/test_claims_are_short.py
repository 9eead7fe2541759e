"""What a reader of a claim sees at once: every formula is short, and every name in it is explained beside it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from theory.kernel import Claim
from theory.project import project

LONGEST = 400


def formulas(claim: Claim) -> Iterator[str]:
    """Everything that `show` prints of a claim: conclusions, hypotheses, definitions and recursions."""
    yield from (*claim.says, *claim.given)
    yield from (f"{head} = {body}" for head, body in (*claim.where, *claim.steps))


def too_long(claim: Claim) -> list[str]:
    return [formula for formula in formulas(claim) if len(formula) > LONGEST]


def test_a_long_formula_is_found_wherever_it_stands() -> None:
    long = " + ".join(["x"] * 150)
    assert too_long(Claim("c", (f"{long} >= x",), ("x >= 0",)))
    assert too_long(Claim("c", ("x >= 0",), (f"{long} >= 0",)))
    assert too_long(Claim("c", ("y >= 0",), ("y >= 0",), where=(("z", long),)))
    assert not too_long(Claim("c", ("x >= 0",), ("x >= 0",)))


@pytest.mark.parametrize("paper", ["sada", "potentials"])
def test_no_formula_of_a_claim_is_longer_than_400_characters(paper: str) -> None:
    found = {key: too_long(check.claim) for key, check in project(paper).checks.items()}
    assert {key: [len(one) for one in long] for key, long in found.items() if long} == {}
