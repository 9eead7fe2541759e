"""How close a relation comes to failing: left over right, exactly where a point is known."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from theory.kernel import Claim, Evidence, KernelError, side_values
from theory.kernel.points import environment, holds


def ratio_of(claim: Claim, evidence: Evidence) -> dict[str, Any] | None:
    """At the witness: both sides of the relation that fails. Else the worst that the search has seen."""
    point = (evidence.witness or {}).get("point")
    if isinstance(point, dict):
        return _at(claim, point)
    if evidence.search and evidence.search.get("worst_ratio") is not None:
        return {"worst": evidence.search["worst_ratio"], "seen_in": "search"}
    return None


def _at(claim: Claim, point: Mapping[str, Any]) -> dict[str, Any] | None:
    try:
        env = environment(point, claim)
    except KernelError:
        return None
    for source, goal in zip(claim.says, claim.goals, strict=True):
        try:
            if holds(goal, env):
                continue
        except KernelError as error:
            return {"relation": source, "left": "undefined", "right": str(error), "seen_in": "witness"}
        if goal.binder is not None:
            return None  # it fails at some index, with the sides of that
        left, right = side_values(goal, env)
        return {"relation": source, "left": left, "right": right, "seen_in": "witness"}
    return None
