"""The recursion lemma: exact sequences stay below its bounds, and no bound can be much smaller."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from tests.sada import find, library
from theory.claims.statement import Check
from theory.kernel import Claim
from theory.papers.sada.outer_loop import lem_auxilary_recursion as lemma
from theory.papers.sada.outer_loop import thm_full_glm
from theory.provers.driver import prove

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


@pytest.mark.parametrize("role", ["repaired", "sharper"])
def test_a_theorem_with_a_slightly_smaller_constant_is_not_proved(role: str) -> None:
    check = find(f"thm:full-glm/{role}")
    parts = {"repaired": thm_full_glm.IMPLIED, "sharper": thm_full_glm.SHARP}[role]
    near = replace(parts, statistical=parts.statistical * F(99, 100))
    far = replace(parts, coupling=parts.coupling * F(99, 100))
    for smaller in (near, far):
        assert prove(with_goal(check, 1, smaller.end), library(), plan=check.proof) is None


def test_a_one_step_lemma_with_less_noise_than_proved_does_not_carry_the_theorem() -> None:
    parts = thm_full_glm.SHARP
    forged = replace(parts, noise=parts.noise / 2, statistical=parts.statistical / 2, coupling=parts.coupling / 2)
    check = find("thm:full-glm/sharper")
    claim = replace(check.claim, says=(forged.step, forged.end), where=tuple(forged.where.items()))
    step = forged.step.replace("4/7*(alpha", "2/7*(alpha")
    assert step != forged.step
    assert prove(replace(claim, says=(step, forged.end)), library(), plan=forged.proof()) is None
