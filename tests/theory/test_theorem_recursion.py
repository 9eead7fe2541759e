"""The recursion lemma: exact sequences stay below its bounds, and no bound can be much smaller."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from tests.sada import find, library
from theory.claims.statement import Check
from theory.kernel import Claim
from theory.kernel.errors import Rejected
from theory.papers.sada.outer_loop import lem_auxilary_recursion as lemma
from theory.provers.driver import certify, prove

F = Fraction


def last(a: Fraction, top: Fraction, c: Fraction, start: Fraction, rounds: int, slack: list[Fraction]) -> Fraction:
    """L_K by the definition of theta_k, for even and odd K; `slack` is what each step loses besides."""
    value = start
    for k in range(1, rounds + 1):
        theta = top if 2 * k <= rounds else 2 / (a * (2 / (a * top) + k - F(rounds, 2)))
        value = (1 - a * theta) * value + c * theta**2 - slack[k - 1]
    return value


def draw(rng: np.random.Generator) -> tuple[Fraction, ...]:
    a = F(int(rng.integers(1, 40)), 20)
    top = F(int(rng.integers(1, 21)), 20) / a
    return a, top, F(int(rng.integers(0, 9))), F(int(rng.integers(0, 9)))


@pytest.mark.parametrize("seed", range(6))
def test_every_sequence_stays_below_the_bound_for_even_and_odd_lengths(seed: int) -> None:
    rng = np.random.default_rng(seed)
    for rounds in (1, 2, 3, 8, 9, 30):
        a, top, c, start = draw(rng)
        slack = [F(int(rng.integers(0, 3)), 50) * int(rng.integers(0, 2)) for _ in range(rounds)]
        found = last(a, top, c, start, rounds, slack)
        first, second = rounds // 2, rounds - rounds // 2
        odd = F(rounds % 2, 2)
        bound = (1 - a * top) ** first * start + 4 * c / (a**2 * (2 / (a * top) - odd + second))
        assert found <= bound


def test_eight_cannot_be_seven() -> None:
    a, top, c, rounds = F(1), F(1), F(1), 200
    assert last(a, top, c, F(0), rounds, [F(0)] * rounds) > 7 * c / (a**2 * rounds)
    assert last(a, top, c, F(0), rounds, [F(0)] * rounds) <= 8 * c / (a**2 * rounds)


def with_goal(check: Check, position: int, goal: str) -> Claim:
    says = tuple(goal if i == position else one for i, one in enumerate(check.claim.says))
    return replace(check.claim, says=says)


def test_the_proof_of_eight_does_not_prove_seven() -> None:
    check = find("lem:auxilary-recursion/sharper")
    assert prove(with_goal(check, 0, lemma.constant(8)), library(), plan=check.proof) is not None
    assert prove(with_goal(check, 0, lemma.constant(7)), library(), plan=check.proof) is None


@pytest.mark.parametrize(
    ("key", "old", "new"),
    [
        ("thm:full-glm#end to end", "12160/7*alpha", "12159/7*alpha"),
        ("thm:full-glm#end to end", "38912/21*alpha", "38911/21*alpha"),
        ("thm:full-glm#end to end", "(1 - 11/12*top)", "(1 - 12/12*top)"),
        ("thm:full-glm#end to end, as the paper argues", "138240*alpha", "138239*alpha"),
        ("thm:full-glm#end to end, as the paper argues", "368640*alpha", "368639*alpha"),
        ("thm:full-glm#end to end, with half the step", "38400/49*alpha", "38399/49*alpha"),
    ],
)
def test_a_theorem_with_a_slightly_smaller_constant_is_not_proved(key: str, old: str, new: str) -> None:
    check = find(key)
    (says,) = check.claim.says
    assert old in says
    assert prove(with_goal(check, 0, says.replace(old, new)), library(), plan=check.proof) is None


def test_a_one_step_lemma_with_more_noise_does_not_carry_the_theorem() -> None:
    below = find("lem:outer-one-step#at a given past").claim
    (says,) = below.says
    worse = replace(below, says=(says.replace("19/15*(alpha", "20/15*(alpha"),))
    assert worse.says != below.says
    check = find("thm:full-glm#step at a past")
    with pytest.raises(Rejected):
        certify(check.claim, {**library(), below.id: worse}, None, check.proof)
