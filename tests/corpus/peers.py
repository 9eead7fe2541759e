"""z3 and cvc5 on the same lemmas, where one script of real arithmetic says all of it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from tests.corpus import Case
from theory.kernel.errors import KernelError
from theory.kernel.judge import sequent_of
from theory.kernel.lang import walk
from theory.provers.budget import Budget
from theory.provers.smt import ask_cvc5, ask_z3
from theory.provers.smtlib import Script, script

SECONDS = 10.0
ARITHMETIC = ("num", "sym", "+", "-", "*", "/", "**", "neg", "abs", "min", "max", "sqrt")


@dataclass
class Peer:
    """How many true ones a solver proved (unsat), and how many false ones it refuted (a model), of those it can say."""

    name: str
    true: int = 0
    proved: int = 0
    false: int = 0
    refuted: int = 0
    wrong: int = 0

    def row(self) -> str:
        return (
            f"{self.name:12} proved {self.proved}/{self.true}  refuted {self.refuted}/{self.false}  wrong {self.wrong}"
        )


def question(case: Case) -> Script | None:
    """The script, if nothing in it is a name for what a solver does not know: exp, a sum, an entry, a counter."""
    if case.kinds or case.naturals:
        return None
    try:
        claim = case.check().claim
        sides = (side for r in (*claim.goals, *claim.hypotheses) for side in (r.left, r.right))
        if any(part.op not in ARITHMETIC for side in sides for part in walk(side)):
            return None
        return script(sequent_of(claim, claim.goals[0])) if len(claim.goals) == 1 else None
    except KernelError:
        return None


def expressible(cases: Iterable[Case]) -> list[Case]:
    return [case for case in cases if question(case) is not None]


def asked(cases: Iterable[Case]) -> list[Peer]:
    """Both solvers, each with the same time."""
    peers = [Peer("z3"), Peer("cvc5")]
    for case in cases:
        text = question(case)
        assert text is not None
        for peer, ask in zip(peers, (ask_z3, ask_cvc5), strict=True):
            answer = ask(text, Budget(seconds=SECONDS))
            said = "unknown" if answer is None else answer.answer
            peer.true += case.truth
            peer.false += not case.truth
            peer.proved += case.truth and said == "unsat"
            peer.refuted += not case.truth and said == "sat"
            peer.wrong += said == ("sat" if case.truth else "unsat")
    return peers
