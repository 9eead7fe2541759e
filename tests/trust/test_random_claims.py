"""Random claims: none that is proved fails anywhere, and a kernel with a hole is found out."""

from __future__ import annotations

from importlib import import_module

import numpy as np
import pytest

from tests.trust.random_claims import run


def test_no_proved_claim_fails_at_an_awkward_point() -> None:
    found = run(80, np.random.default_rng(0))
    assert found.wrong == ()
    assert found.made == 80
    assert found.proved > 8
    assert found.points > 250


def test_the_same_seed_makes_the_same_claims() -> None:
    assert run(4, np.random.default_rng(3)) == run(4, np.random.default_rng(3))


def test_a_kernel_that_forgets_definedness_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("theory.kernel.proof", "theory.kernel.judge", "theory.provers.skeletons"):
        monkeypatch.setattr(import_module(module), "obligations", lambda node, binders=(): iter(()))
    rng = np.random.default_rng(0)
    assert any(run(10, rng).wrong for _ in range(15)), "one batch after the other, until one is found out"
