"""Where two formulas differ: the smallest subformulas that are not the same, as places in both trees."""

from __future__ import annotations

import difflib
from collections.abc import Iterator
from dataclasses import dataclass

from theory.kernel.lang import Node, Relation, parse_relation

Place = tuple[int, ...]


@dataclass(frozen=True)
class Marks:
    """Places to highlight in the first and in the second formula; () is the whole, (2,) the relation sign."""

    first: frozenset[Place]
    second: frozenset[Place]


def differences(first: str | Relation, second: str | Relation) -> Marks:
    """Two relations compared from the top down."""
    a = parse_relation(first) if isinstance(first, str) else first
    b = parse_relation(second) if isinstance(second, str) else second
    pairs = [*_compare(a.left, b.left, (0,), (0,)), *_compare(a.right, b.right, (1,), (1,))]
    if a.op != b.op:
        pairs.append(((2,), (2,)))
    return Marks(frozenset(p for p, _ in pairs if p is not None), frozenset(q for _, q in pairs if q is not None))


Pair = tuple[Place | None, Place | None]


def _compare(a: Node, b: Node, at: Place, bt: Place) -> Iterator[Pair]:
    if a == b:
        return
    if a.op in "+-*" and b.op in "+-*" and {a.op, b.op} in ({"+"}, {"-"}, {"+", "-"}, {"*"}):
        yield from _chains(a, b, at, bt)
    elif a.op == b.op and len(a.args) == len(b.args) and a.args:
        for i, (x, y) in enumerate(zip(a.args, b.args, strict=True)):
            yield from _compare(x, y, (*at, i), (*bt, i))
    else:
        yield at, bt


def _chains(a: Node, b: Node, at: Place, bt: Place) -> Iterator[Pair]:
    """Terms of a sum or factors of a product, matched in order."""
    kinds = ("*",) if a.op == "*" else ("+", "-")
    ours, theirs = list(_terms(a, at, kinds, "+")), list(_terms(b, bt, kinds, "+"))
    match = difflib.SequenceMatcher(None, [t[:2] for t in ours], [t[:2] for t in theirs], autojunk=False)
    for tag, i1, i2, j1, j2 in match.get_opcodes():
        if tag == "equal":
            continue
        if tag == "replace" and i2 - i1 == j2 - j1:
            for (sa, x, xp), (sb, y, yp) in zip(ours[i1:i2], theirs[j1:j2], strict=True):
                yield from _compare(x, y, xp, yp) if sa == sb and x != y else iter([(xp, yp)])
            continue
        yield from ((place, None) for _, _, place in ours[i1:i2])
        yield from ((None, place) for _, _, place in theirs[j1:j2])


def _terms(node: Node, place: Place, kinds: tuple[str, ...], sign: str) -> Iterator[tuple[str, Node, Place]]:
    if node.op in kinds:
        turned = {"+": "-", "-": "+"}[sign] if node.op == "-" else sign
        yield from _terms(node.args[0], (*place, 0), kinds, sign)
        yield from _terms(node.args[1], (*place, 1), kinds, turned)
    else:
        yield sign, node, place
