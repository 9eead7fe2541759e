"""Matrix identities are tried with numbers in earnest: blocks, transposes and means keep their meaning."""

from __future__ import annotations

import numpy as np
import pytest

from tests.sada import checks
from theory.kernel import Claim
from theory.kernel.points import holds, satisfies_hypotheses
from theory.search import QUICK, search
from theory.search.letters import instance, values_for

LETTERED = [check for check in checks().values() if check.claim.letters]


@pytest.mark.parametrize("size", [1, 2])
@pytest.mark.parametrize("check", LETTERED, ids=lambda check: check.key)
def test_every_identity_of_the_paper_has_a_value_and_holds_with_matrices_of_every_size(check, size: int) -> None:  # type: ignore[no-untyped-def]
    rng = np.random.default_rng(size)
    numbers = instance(check.claim, rng, size, 2)
    env = satisfies_hypotheses(numbers, next(values_for(numbers, rng)))
    assert all(holds(goal, env) for goal in numbers.goals)


@pytest.mark.parametrize(
    "says",
    [
        "[[A, B], [B.T, A]].T == [[A, B], [B.T, A]]",  # A is not symmetric
        "[[A, B], [0, 1]] @ [B, A] == [A @ B + B @ A, B]",  # the second block is A
        "([[A, B], [B, A]] @ [A, B])[2] == A @ A + B @ B",  # this is block 1
        "mean(w, [P[w], A] @ [P[w], A].T) == [[mean(w, P[w] @ P[w]), mean(w, P[w]) @ A.T], "
        "[A @ mean(w, P[w].T), A @ A.T]]",
    ],
)
def test_a_slip_in_a_block_is_seen(says: str) -> None:
    letters = (("A", ""), ("B", "")) if "P[w]" not in says else (("A", ""), ("P", ""))
    wrong = Claim("wrong", (says,), letters=letters)
    assert search(wrong, effort=QUICK).instance is not None


def test_blocks_are_where_they_are_written() -> None:
    right = Claim(
        "right",
        (
            "[[A, B], [0, 2]] @ [B, A] == [A @ B + B @ A, 2 * A]",
            "[[A, B], [B, A]][1, 2] == B",
            "([[A, B], [B, A]] @ [A, B])[2] == B @ A + A @ B",
        ),
        letters=(("A", ""), ("B", "")),
    )
    assert search(right, effort=QUICK).instance is None
