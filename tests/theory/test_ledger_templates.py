"""Which factors can be sharpened, and which way the claim gets stronger."""

from __future__ import annotations

import pytest

from theory.claims.templates import templates
from theory.kernel import Claim

SIGNS = {"a": 1, "b": 1, "2": 1, "-2": -1, "a + b": 1, "a - b": 0, "c": -1, "3*a": 1}


def found(says: str) -> list[tuple[str, str, str, bool]]:
    claim = Claim("claim", (says,))
    made = templates(claim, lambda _, formula: SIGNS.get(formula, 0))
    return [(t.part, t.direction, t.claim.says[0], t.whole) for t in made]


@pytest.mark.parametrize(
    ("says", "expected"),
    [
        ("x <= 2", [("2", "down", "x <= C*2", True)]),
        ("x >= 2", [("2", "up", "x >= C*2", True)]),
        ("x >= -2", [("-2", "down", "x >= C*-2", True)]),
        ("x < c", [("c", "up", "x < C*c", True)]),
        (
            "x <= a + b",
            [
                ("a + b", "down", "x <= C*(a + b)", True),
                ("a", "down", "x <= C*a + b", False),
                ("b", "down", "x <= a + C*b", False),
            ],
        ),
        ("x <= a - b", [("a", "down", "x <= C*a - b", False), ("b", "up", "x <= a - C*b", False)]),
        ("x == a", []),
        ("x <= 0", []),
        ("0 <= a", []),
        ("x <= y", []),
    ],
)
def test_the_bound_and_its_terms_get_a_factor(says: str, expected: list[tuple[str, str, str, bool]]) -> None:
    assert found(says) == expected


def test_the_name_of_the_factor_is_new() -> None:
    (made,) = templates(Claim("claim", ("C <= 2",)), lambda _, formula: 1)
    assert made.name == "C1"
    assert made.claim.says == ("C <= C1*2",)


def test_the_other_goals_stay() -> None:
    (made,) = templates(Claim("claim", ("x == 1", "x <= 2")), lambda _, formula: 1)
    assert made.claim.says == ("x == 1", "x <= C*2")
