"""Mutants of a claim: one small slip each, of the kinds that authors make.

A mutant of an inequality that is plainly weaker than the original (its slack grows at every point that is tried) is
not made: such a slip would not be an error. Definitions are expanded while the goal stays short, so that slips inside
them are made too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import islice
from typing import Any, TypeVar

from theory.kernel import Claim, KernelError
from theory.kernel.evaluate import Mat, evaluate
from theory.kernel.lang import (
    BINDERS,
    Node,
    Relation,
    num,
    parse_relation,
    relation_symbols,
    replace_relation,
    spaces_of,
    sym,
    symbols,
    walk,
)
from theory.kernel.points import environment, to_balls
from theory.kernel.rings import Balls, Exact, Inexact, to_fraction

NOTHING = "0 <= 1"  # what stands in the place of a dropped hypothesis, so that the others keep their numbers
SHORT = 160  # nodes of a goal up to which definitions are expanded
FACTORS = ("Ll", "mu", "kt", "eta", "T", "al", "n", "theta", "gamma", "R2", "lam")
SWAPS: tuple[tuple[str, str], ...] = (
    ("eta", "gamma"),
    ("eta", "theta"),
    ("theta", "gamma"),
    ("R2", "kt"),
    ("mu", "lam"),
    ("mu", "R2"),
    ("Sigma", "H"),
    ("Q", "R"),
    ("c", "q"),
    ("eta", "q"),
    ("x", "y"),
)
ORDER = ("<=", "<", ">=", ">")
Item = TypeVar("Item")
Edit = tuple[str, str, Node]  # kind, words, what stands there now


@dataclass(frozen=True)
class Mutant:
    """A claim with one slip: its kind (one word of KINDS), what was changed, and the check that it was made from."""

    origin: str
    kind: str
    words: str
    claim: Claim


KINDS = {
    "sign": "a sign flipped",
    "constant": "a constant scaled by 1/2, 2 or 1/10",
    "dropped factor": "a factor or divisor dropped",
    "added factor": "a factor added",
    "power": "a power off by one",
    "index": "an index or a count off by one",
    "symbol": "a symbol in the place of another",
    "edge": "a strict relation for a weak one",
    "hypothesis": "a hypothesis dropped",
    "transpose": "a transpose dropped",
}


def mutants(claim: Claim, most: int = 4) -> Iterator[Mutant]:
    """At most so many mutants of each kind, spread over the formula, in a fixed order, none twice."""
    seen = {(claim.says, claim.given)}
    for kind, words, says, given in _changes(claim, most):
        if (says, given) in seen:
            continue
        seen.add((says, given))
        try:
            made = replace(claim, id=f"{claim.id}~{len(seen) - 1}", says=says, given=given)
            strange = set(made.variables) - set(claim.variables)
        except KernelError:
            continue
        if not strange:
            yield Mutant(claim.id, kind, words, made)


def _changes(claim: Claim, most: int) -> Iterator[tuple[str, str, tuple[str, ...], tuple[str, ...]]]:
    goals = [_readable_goal(claim, source) for source in claim.says]
    for position, goal in enumerate(goals):
        by_kind: dict[str, list[tuple[str, Relation]]] = {}
        for kind, words, changed in _edits_of(goal, claim):
            by_kind.setdefault(kind, []).append((words, changed))
        for kind, found in by_kind.items():
            stronger = (one for one in _spread(found) if not _plainly_weaker(goal, one[1], claim))
            for words, changed in islice(stronger, most):
                yield kind, words, _says(claim, goals, position, changed), claim.given
    facts = [fact for fact in claim.given if claim.expand(fact).op != "=="]  # an equation defines a name
    for fact in islice(_spread(facts), most):
        left = tuple(NOTHING if other == fact else other for other in claim.given)
        yield "hypothesis", f"{fact} dropped", claim.says, left


def _says(claim: Claim, goals: Sequence[Relation], position: int, changed: Relation) -> tuple[str, ...]:
    """All goals with the change: a slip in a sum, a mean or an iteration is made in every goal that has it, too."""
    old, new = _bound_part(goals[position], changed)
    says = []
    for at, (source, goal) in enumerate(zip(claim.says, goals, strict=True)):
        whole = changed if at == position else goal if old is None else replace_relation(goal, old, new)
        says.append(source if whole == goal else str(whole))
    return tuple(says)


def _bound_part(goal: Relation, changed: Relation) -> tuple[Node | None, Node]:
    """The outermost sum, mean or iteration that holds all of the change, before and after; None without one."""
    for old, new in ((goal.left, changed.left), (goal.right, changed.right)):
        while old != new and old.op == new.op and len(old.args) == len(new.args):
            if old.op in BINDERS:
                return old, new
            apart = [(a, b) for a, b in zip(old.args, new.args, strict=True) if a != b]
            if len(apart) != 1:
                break
            old, new = apart[0]
    return None, num(0)


def _spread(items: Sequence[Item]) -> Iterator[Item]:
    """The items in strides: the first few come from all over the list."""
    stride = max(1, int(len(items) ** 0.5))
    return (items[i] for start in range(stride) for i in range(start, len(items), stride))


def _readable_goal(claim: Claim, source: str) -> Relation:
    whole = claim.expand(source)
    size = sum(1 for side in (whole.left, whole.right) for _ in walk(side))
    return whole if size <= SHORT else parse_relation(source)


def _edits_of(goal: Relation, claim: Claim) -> Iterator[tuple[str, str, Relation]]:
    families = _families(claim)
    for side in ("left", "right"):
        node = getattr(goal, side)
        for kind, words, changed in _everywhere(node, lambda part: _edits(part, claim, families)):
            yield kind, words, _with_side(goal, side, changed)
    free = relation_symbols(goal) | set(claim.variables)
    weaker_side = {"<=": "right", "<": "right", ">=": "left", ">": "left", "==": "right"}.get(goal.op)
    for name in FACTORS:
        if name in free and name not in families and weaker_side:
            changed = Node("*", (getattr(goal, weaker_side), sym(name)))
            yield "added factor", f"times {name}", _with_side(goal, weaker_side, changed)
    strict = {"<=": "<", ">=": ">"}.get(goal.op)
    if strict:
        yield "edge", f"{strict} for {goal.op}", replace(goal, op=strict)


def _with_side(goal: Relation, side: str, node: Node) -> Relation:
    left, right = (node, goal.right) if side == "left" else (goal.left, node)
    return Relation(goal.op, left, right, goal.binder)


def _everywhere(node: Node, edits: Callable[[Node], Iterator[Edit]]) -> Iterator[Edit]:
    """Every edit of every part, put back into the whole."""
    yield from edits(node)
    for position, arg in enumerate(node.args):
        if (node.op in BINDERS and position == 0) or (node.op in ("**", "index") and position > 0):
            continue  # bound names; exponents and indices have edits of their own
        for kind, words, changed in _everywhere(arg, edits):
            args = (*node.args[:position], changed, *node.args[position + 1 :])
            yield kind, words, Node(node.op, args, node.value)


def _edits(part: Node, claim: Claim, families: frozenset[str]) -> Iterator[Edit]:
    match part:
        case Node(op="+" | "-", args=(a, b)):
            yield "sign", f"{part} with the other sign", Node("-" if part.op == "+" else "+", (a, b))
        case Node(op="neg", args=(a,)):
            yield "sign", f"{part} without its sign", a
        case Node(op="num", value=Fraction() as value) if value not in (0,):
            for factor in (Fraction(1, 2), Fraction(2), Fraction(1, 10)):
                yield "constant", f"{value} times {factor}", num(value * factor)
        case Node(op="*", args=(a, b)):
            if a.op != "num":
                yield "dropped factor", f"{a} dropped from {part}", b
            if b.op != "num":
                yield "dropped factor", f"{b} dropped from {part}", a
        case Node(op="/", args=(a, b)):
            yield "dropped factor", f"the divisor {b} dropped", a
        case Node(op="**", args=(a, b)):
            for shift in (1, -1):
                yield "power", f"the power of {part} changed by {shift}", Node("**", (a, _shifted(b, shift)))
        case Node(op="index", args=(a, at)) if at.op != "num" and not symbols(at) & _spaces(claim):
            yield "index", f"the index of {part} is one later", Node("index", (a, _shifted(at, 1)))
        case Node(op="T", args=(a,)):
            yield "transpose", f"{part} without its transpose", a
        case Node(op="sum", args=(i, lo, hi, body)):
            yield "index", "the sum begins one later", Node("sum", (i, _shifted(lo, 1), hi, body))
            yield "index", "the sum ends one earlier", Node("sum", (i, lo, _shifted(hi, -1), body))
            yield "index", "the sum ends one later", Node("sum", (i, lo, _shifted(hi, 1), body))
        case Node(op="iterate", args=(s, n, start, body)):
            yield "index", "one step more", Node("iterate", (s, _shifted(n, 1), start, body))
        case Node(op="sym", value=str() as name):
            yield from _of_symbol(name, claim, families)


def _of_symbol(name: str, claim: Claim, families: frozenset[str]) -> Iterator[Edit]:
    if name in claim.naturals:
        yield "index", f"{name} + 1 for {name}", _shifted(sym(name), 1)
    for pair in SWAPS:
        if name in pair:
            other = pair[1] if name == pair[0] else pair[0]
            if other in claim.variables and (other in families) == (name in families):
                yield "symbol", f"{other} for {name}", sym(other)


def _spaces(claim: Claim) -> frozenset[str]:
    """Names of samples: the sample after another one means nothing."""
    return frozenset().union(*(spaces_of(side) for goal in claim.goals for side in (goal.left, goal.right)))


def _families(claim: Claim) -> frozenset[str]:
    """Names that are indexed."""
    relations = (*claim.goals, *claim.hypotheses)
    parts = (part for r in relations for side in (r.left, r.right) for part in walk(side))
    return frozenset(str(part.args[0].value) for part in parts if part.op == "index" and part.args[0].op == "sym")


def _shifted(node: Node, by: int) -> Node:
    if node.op == "num":
        return num(Fraction(node.value) + by)
    return Node("+" if by > 0 else "-", (node, num(abs(by))))


def _plainly_weaker(goal: Relation, changed: Relation, claim: Claim) -> bool:
    """The slack of the changed goal is at least the old one wherever we look, and larger somewhere."""
    if goal.op not in ORDER or changed.op != goal.op:
        return False
    pairs = [(_slack(goal, env), _slack(changed, env)) for env in _looks(claim)]
    known = [(old, new) for old, new in pairs if old is not None and new is not None]
    return bool(known) and all(new >= old for old, new in known) and any(new > old for old, new in known)


def _looks(claim: Claim) -> Iterator[Mapping[str, Any]]:
    """The example, and the example with every scalar that no equation ties moved a little: only signs matter here."""
    example = dict(claim.example)
    for scale in (Fraction(1), Fraction(9, 10), Fraction(11, 10)):
        moved = {
            name: value if isinstance(value, (list, dict)) or name in claim.counters else f"{scale}*({value})"
            for name, value in example.items()
        }
        try:
            yield environment(moved, claim)
        except KernelError:
            continue


def _slack(goal: Relation, env: Mapping[str, Any]) -> Fraction | None:
    if goal.binder is not None:
        return None
    try:
        values = [_value(side, env) for side in (goal.left, goal.right)]
    except (KernelError, ArithmeticError):
        return None
    left, right = values
    if left is None or right is None:
        return None
    return right - left if goal.op in ("<=", "<") else left - right


def _value(side: Node, env: Mapping[str, Any]) -> Fraction | None:
    """Exactly, or closely where it is not rational; a matrix has no value here."""
    try:
        exact = evaluate(side, env, Exact())
        return None if isinstance(exact, Mat) else to_fraction(exact)
    except Inexact:
        close = evaluate(side, {name: to_balls(value) for name, value in env.items()}, Balls())
        return Fraction(float(close.mid()))
