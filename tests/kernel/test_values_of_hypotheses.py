"""A hypothesis has a value: what it divides by is not zero, and the conclusion may divide by it, too. Nothing more."""

from __future__ import annotations

import pytest

from tests.kernel.certificates import IDENTITY, POSITIVE, Cert, cone, of
from theory.kernel import Claim, Rejected
from theory.kernel.judge import check_certificate


def judged(claim: Claim, proof: Cert) -> None:
    check_certificate(claim, {"goals": [proof], "defined": {}}, {})


CHAIN = cone(of(0), of(1))


def test_a_chain_through_a_reciprocal_needs_no_sign() -> None:
    judged(Claim("c", ("1/a < c",), ("1/a < b", "b < c")), CHAIN)


@pytest.mark.parametrize("inside", ["1/(a*b)", "1/a**2/b", "a**(-1)/b", "-1/(a*(-b))"])
def test_what_a_hypothesis_divides_by_is_split_into_factors(inside: str) -> None:
    judged(Claim("c", ("1/a + 1/b == 1/b + 1/a",), (f"{inside} <= y",)), IDENTITY)


def test_the_argument_of_a_root_or_a_logarithm_is_granted_as_well() -> None:
    judged(Claim("c", ("sqrt(x) + log(y) == log(y) + sqrt(x)",), ("sqrt(x) <= 1", "log(y) <= 1")), IDENTITY)


def test_below_a_sum_of_the_conclusion_the_divisor_is_the_same() -> None:
    goal = "sum(i, 1, n, v[i]/a) == sum(i, 1, n, v[i])/a"
    judged(Claim("c", (goal,), ("1/a <= b",), naturals=("n",)), IDENTITY)


NOT_GRANTED: dict[str, Claim] = {
    "a sum of no terms has a value whatever it divides by": Claim(
        "c", ("1/a == 1/a",), ("sum(i, 1, n, v[i]/a) <= 1",), naturals=("n",)
    ),
    "a product of no factors": Claim("c", ("1/a == 1/a",), ("prod(i, 1, n, v[i]/a) <= 1",), naturals=("n",)),
    "a hypothesis for every index of no indices": Claim(
        "c", ("1/a == 1/a",), ("forall(i, 1, n, v[i]/a <= 1)",), naturals=("n",)
    ),
    "an iteration of no steps": Claim("c", ("1/a == 1/a",), ("iterate(s, n, 0, s/a) <= 1",), naturals=("n",)),
    "a bound name is another number than the free one": Claim(
        "c", ("sum(i, 0, n, 1/i) == sum(i, 0, n, 1/i)",), ("1/i <= 1",), naturals=("n",)
    ),
    "a divisor that is not the same formula": Claim("c", ("1/(a - 1) == 1/(a - 1)",), ("1/a <= 1",)),
    "a root says that its argument is not negative, and not that it is not zero": Claim(
        "c", ("1/x == 1/x",), ("sqrt(x) <= 1",)
    ),
    "a divisor may be negative, and then it has no root": Claim("c", ("sqrt(x) == sqrt(x)",), ("1/x <= 1",)),
    "a logarithm of another number": Claim("c", ("log(y) == log(y)",), ("log(x*y) <= 1",)),
    "the conclusion itself grants nothing": Claim("c", ("1/a <= 1/a",)),
}


@pytest.mark.parametrize("name", NOT_GRANTED)
def test_what_need_not_have_a_value_grants_nothing(name: str) -> None:
    with pytest.raises(Rejected, match=r"not shown to be defined|also stands for a number"):
        judged(NOT_GRANTED[name], IDENTITY)


def test_a_grant_is_of_the_conclusion_and_no_proof_of_a_sign() -> None:
    with pytest.raises(Rejected):
        judged(Claim("c", ("a > 0",), ("1/a <= b",)), POSITIVE)
    have = {"kind": "have", "fact": "1/a == 1/a", "proof": IDENTITY, "then": CHAIN}
    with pytest.raises(Rejected, match="not shown to be defined"):
        judged(Claim("c", ("1/a < c",), ("1/a < b", "b < c")), have)
