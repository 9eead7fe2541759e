r"""Checks that prove nothing: the goal is a hypothesis, both sides are one, or the object of the print is missing.

A check that still passes when the object it speaks of has a fresh name in its place says nothing about that object. So
sums, means and iterations, and the definitions that hold them, are replaced by fresh names throughout, and the kernel
judges the kept certificate again.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from enum import Enum
from typing import Any

from theory.claims.statement import Check
from theory.kernel import Claim, Evidence, KernelError, Verdict
from theory.kernel.judge import check_certificate
from theory.kernel.lang import Node, Relation, parse, parse_relation, sym, symbols, walk

OBJECTS = re.compile(
    r"\\mathbb\{?E|\\sum|\\operatorname\{tr\}|\\tr\b|\\langle|\\\||\\begin\{[pb]matrix\}|\\mathbf|\\boldsymbol|\\nabla"
)
SCALAR = frozenset(
    ["num", "sym", "+", "-", "*", "/", "**", "neg", "sqrt", "abs", "exp", "log", "sin", "cos", "min", "max"]
)
STRUCTURE = frozenset(["sum", "prod", "mean", "iterate"])


class Kind(Enum):
    """The value is the sentence that people read."""

    HYPOTHESIS = "a goal is one of the hypotheses"
    SAME = "both sides of a goal are one formula"
    FRESH = "the proof stands with a fresh name in the place of every sum, mean and iteration"
    NUMBERS = "the print speaks of vectors, matrices or means, and the check of numbers only"


@dataclass(frozen=True)
class Empty:
    """A check that does not show what it is counted for."""

    key: str
    display: str
    kind: Kind
    says: str  # the goals that are empty
    whole: bool  # whether these are all goals of the check

    def to_json(self) -> dict[str, Any]:
        return {**asdict(self), "kind": self.kind.value}


def empties(check: Check, evidence: Evidence, library: Mapping[str, Claim], printed: str) -> Iterator[Empty]:
    """What is empty about one check that is expected to be proved; `printed` is the LaTeX of its display."""
    if check.expect not in (Verdict.PROVED, Verdict.CERTIFIED):
        return
    claim = check.claim
    goals = list(zip(claim.says, claim.goals, strict=True))
    fresh = _stands_with_fresh_names(claim, evidence, library)
    numbers = bool(OBJECTS.search(printed)) and not _has_objects(claim)
    for kind, hollow in (
        (Kind.HYPOTHESIS, [said for said, goal in goals if _assumed(goal, claim)]),
        (Kind.SAME, [said for said, goal in goals if goal.left == goal.right]),
        (Kind.FRESH, list(claim.says) if fresh else []),
        (Kind.NUMBERS, list(claim.says) if numbers else []),
    ):
        if hollow:
            yield Empty(claim.id, check.display, kind, "; ".join(hollow), len(hollow) == len(goals))


def _assumed(goal: Relation, claim: Claim) -> bool:
    """A goal that is a hypothesis, written either way round; an equation gives both inequalities."""
    known = {form for one in claim.hypotheses if one.binder is None for form in _forms(one)}
    return next(_forms(goal)) in known


def _forms(one: Relation) -> Iterator[tuple[str, Node, Node]]:
    """The relation as left <= right, left < right or left == right, and what it gives at once."""
    turned = {">=": "<=", ">": "<"}
    left, right, op = (one.right, one.left, turned[one.op]) if one.op in turned else (one.left, one.right, one.op)
    yield op, left, right
    if op == "<":
        yield "<=", left, right
    if op == "==":
        yield op, right, left
        yield "<=", left, right
        yield "<=", right, left


def _has_objects(claim: Claim) -> bool:
    if claim.kinds or claim.steps or claim.families:
        return True
    sides = (side for one in (*claim.goals, *claim.hypotheses) for side in (one.left, one.right))
    return any(part.op not in SCALAR for side in sides for part in walk(side))


def _stands_with_fresh_names(claim: Claim, evidence: Evidence, library: Mapping[str, Claim]) -> bool:
    if evidence.certificate is None or claim.kinds:
        return False
    other = with_fresh_names(claim)
    if other is None:
        return False
    try:
        check_certificate(other, {**evidence.certificate, "claim": other.digest}, library)
    except (KernelError, RecursionError):
        return False
    return True


def with_fresh_names(claim: Claim) -> Claim | None:
    """The claim with a fresh name for every object; None when it has none, or when one depends on a bound index."""
    names = _Fresh(claim)
    try:
        where = tuple((name, formula) for name, formula in claim.where if not names.structured(formula, name))
        says = tuple(str(names.relation(parse_relation(one))) for one in claim.says)
        given = tuple(str(names.relation(parse_relation(one))) for one in claim.given)
        if not names.made and len(where) == len(claim.where):
            return None
        made = replace(claim, says=says, given=given, where=where, example=())
        return made if made.goals and not any(_structured(goal) for goal in made.goals) else None
    except KernelError:
        return None


def _structured(one: Relation) -> bool:
    return any(part.op in STRUCTURE for side in (one.left, one.right) for part in walk(side))


class _Fresh:
    """Fresh names, one for each object."""

    def __init__(self, claim: Claim) -> None:
        self.taken = {*claim.variables, *(name for name, _ in claim.where)}
        self.made: dict[Node, Node] = {}

    def structured(self, formula: str, name: str) -> bool:
        return "(" not in name and any(part.op in STRUCTURE for part in walk(parse(formula)))

    def relation(self, one: Relation) -> Relation:
        bound = frozenset(index for index, _, _ in one.binders)
        return replace(one, left=self.node(one.left, bound), right=self.node(one.right, bound))

    def node(self, one: Node, bound: frozenset[str]) -> Node:
        if one.op in STRUCTURE and symbols(one).isdisjoint(bound):
            return self.made.setdefault(one, self.fresh())
        return Node(one.op, tuple(self.node(arg, bound) for arg in one.args), one.value) if one.args else one

    def fresh(self) -> Node:
        at = len(self.made) + 1
        while f"object{at}" in self.taken:
            at += 1
        return sym(f"object{at}")
