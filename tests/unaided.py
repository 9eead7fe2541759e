"""What becomes of a lemma that nobody gives a proof or an example."""

from __future__ import annotations

from typing import Any

from theory import lemma
from theory.kernel import Verdict
from theory.ledger.examples import Unfit, prepared
from theory.ledger.referee import referee


def verdict(says: str, **more: Any) -> Verdict:
    check = prepared(lemma(says, **more))
    assert not isinstance(check, Unfit), check.message
    return referee(check, {})[1].verdict
