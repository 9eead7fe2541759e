"""A whole claim: its skeleton or none, every goal and everything that must be defined.

Untrusted: whatever it returns is checked by the kernel before anybody believes it.
"""

from __future__ import annotations

from typing import Any

from theory.kernel import SCHEMA, Claim
from theory.kernel.errors import Rejected
from theory.kernel.judge import check_certificate, duties_of, sequent_of
from theory.kernel.rules import Library
from theory.kernel.sequent import Certificate
from theory.provers.effort import Effort, hard, normal, quick
from theory.provers.search import search
from theory.provers.skeletons import Filler
from theory.provers.tactics import auto

__all__ = ["Effort", "certify", "hard", "normal", "proposed", "prove", "quick"]


def prove(claim: Claim, library: Library, effort: Effort | None = None, plan: Any = None) -> Certificate | None:
    """A certificate of the claim that the kernel accepts, or None."""
    try:
        return certify(claim, library, effort or normal(), plan)
    except Rejected:
        return None


def certify(claim: Claim, library: Library, effort: Effort | None = None, plan: Any = None) -> Certificate:
    """As `prove`, but says what could not be proved."""
    cert = proposed(claim, library, effort, plan)
    check_certificate(claim, cert, library)
    return cert


def proposed(claim: Claim, library: Library, effort: Effort | None = None, plan: Any = None) -> Certificate:
    """A certificate that the kernel has not seen as a whole yet: for callers that let it judge at once."""
    filler = Filler(search, library, effort or normal())
    tactics = _tactics(claim, plan)
    goals: list[Certificate] = []
    defined: dict[str, Certificate] = {}
    for goal, tactic in zip(claim.goals, tactics, strict=True):
        sequent = sequent_of(claim, goal)
        defined |= filler.duties(duties_of(claim, goal), sequent)
        goals.append(filler.fill(tactic, sequent))
    return {"schema": SCHEMA, "claim": claim.digest, "goals": goals, "defined": defined}


def _tactics(claim: Claim, plan: Any) -> list[Certificate]:
    made = plan(claim) if callable(plan) else plan
    if made is None:
        return [auto() for _ in claim.goals]
    made = [made] if isinstance(made, dict) else list(made)
    if len(made) != len(claim.goals):
        raise Rejected(f"{claim.id}: {len(claim.goals)} goals, but {len(made)} proofs are planned")
    return made
