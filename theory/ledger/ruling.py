"""The kernel's judgement, with one rule on top: what rests on the word of solvers is supported, never more."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from theory import kernel
from theory.kernel import Claim, Evidence, Judgement, Verdict

ON_THEIR_WORD = "on the word of solvers, which nobody has re-checked"


def judge(claim: Claim, evidence: Evidence, library: Mapping[str, Claim]) -> Judgement:
    """As `theory.kernel.judge`; a verdict that names solvers is SUPPORTED at most."""
    found = kernel.judge(claim, evidence, library)
    if found.attested and found.verdict in (Verdict.PROVED, Verdict.CERTIFIED):
        return replace(found, verdict=Verdict.SUPPORTED, reason=f"{found.reason}; {ON_THEIR_WORD}")
    return found
