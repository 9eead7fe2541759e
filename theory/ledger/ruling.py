"""The kernel's judgement, with two rules on top.

What rests on the word of solvers is supported, never more. A witness against a claim with hypotheses for every vector
counts where `theory.search.everywhere` decides these; the kernel decides everything else about it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from theory import kernel
from theory.kernel import SCHEMA, Claim, Evidence, Judgement, KernelError, Rejected, Verdict

ON_THEIR_WORD = "on the word of solvers, which nobody has re-checked"


def judge(claim: Claim, evidence: Evidence, library: Mapping[str, Claim]) -> Judgement:
    """As `theory.kernel.judge`; a verdict that names solvers is SUPPORTED at most."""
    if evidence.witness is not None and any(lo.op == "points" for h in claim.hypotheses for _, lo, _ in h.binders):
        return _refuted(claim, evidence, evidence.witness, library)
    found = kernel.judge(claim, evidence, library)
    if found.attested and found.verdict in (Verdict.PROVED, Verdict.CERTIFIED):
        return replace(found, verdict=Verdict.SUPPORTED, reason=f"{found.reason}; {ON_THEIR_WORD}")
    return found


def _refuted(claim: Claim, evidence: Evidence, witness: Mapping[str, Any], library: Mapping[str, Claim]) -> Judgement:
    """The kernel judges example and certificate; the witness refutes with its functions put in."""
    from theory.search.everywhere import refutes  # the room is slow to load, and few claims need it

    proved = kernel.judge(claim, replace(evidence, witness=None), library).verdict is Verdict.PROVED
    if (witness.get("schema"), witness.get("claim")) != (SCHEMA, claim.digest) or "point" not in witness:
        raise Rejected(f"{claim.id}: the witness belongs to another claim or schema, or gives no point")
    reason = refutes(claim, dict(witness["point"]))
    if proved:
        raise KernelError(f"{claim.id} is both proved and refuted: please report this")
    return Judgement(Verdict.REFUTED, reason, "one exact instance")
