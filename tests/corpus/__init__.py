"""Lemmas of the kinds that optimisation papers contain, with known truth: each file is a class, each entry a pair.

`python -m tests.corpus [class …]` judges them as a user would and reports, class by class, what was proved of the true
ones, what was refuted of the false ones, and the processor time of one lemma. `--peers` asks z3 and cvc5 as well, about
those that they can express.
"""

from __future__ import annotations

import time
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from theory.claims.statement import Check
from theory.claims.userfile import lemma
from theory.kernel import Verdict
from theory.ledger.examples import Unfit, prepared
from theory.ledger.referee import referee

HERE = Path(__file__).parent
CLASSES = tuple(sorted(path.stem for path in HERE.glob("*.toml")))


@dataclass(frozen=True)
class Case:
    """One lemma as a user writes it, its class, and whether it is true."""

    kind: str
    name: str
    says: str
    given: tuple[str, ...]
    naturals: tuple[str, ...]
    truth: bool
    kinds: tuple[tuple[str, str], ...] = ()
    steps: tuple[tuple[str, str], ...] = ()

    def check(self) -> Check:
        return lemma(
            self.says, given=self.given, naturals=self.naturals, kinds=dict(self.kinds), steps=dict(self.steps)
        )


@dataclass(frozen=True)
class Outcome:
    """The verdict on a case, and the processor seconds that it took."""

    case: Case
    verdict: Verdict
    seconds: float

    @property
    def settled(self) -> bool:
        return self.verdict is (Verdict.PROVED if self.case.truth else Verdict.REFUTED)

    @property
    def wrong(self) -> bool:
        return self.verdict is (Verdict.REFUTED if self.case.truth else Verdict.PROVED)


def cases(*kinds: str) -> Iterator[Case]:
    """The pairs of these classes (of all when none is named), the true one of each first."""
    for kind in kinds or CLASSES:
        for entry in tomllib.loads((HERE / f"{kind}.toml").read_text())["lemma"]:
            naturals = tuple(entry.get("naturals", ()))
            for truth in (True, False):
                given = entry.get("given", ()) if truth else entry.get("false_given", entry.get("given", ()))
                says = entry["true" if truth else "false"]
                declared, steps = (tuple(entry.get(key, {}).items()) for key in ("kinds", "steps"))
                yield Case(kind, entry["name"], says, tuple(given), naturals, truth, declared, steps)


def judged(case: Case) -> Outcome:
    """The verdict, found unaided: no skeleton, no example, no witness is given."""
    started = time.process_time()
    check = prepared(case.check())
    verdict = Verdict.UNDECIDED if isinstance(check, Unfit) else referee(check, {})[1].verdict
    return Outcome(case, verdict, time.process_time() - started)
