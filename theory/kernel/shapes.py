"""Is a formula a number or a matrix, and of which size: read off from its form.

Names are numbers and so are the entries of families. What the algebra treats as one symbol (an iterate, a power, a
root) must be a number: symbols commute, matrices do not.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from theory.kernel.errors import Malformed
from theory.kernel.kinds import NUMBER, has_letters, size_of
from theory.kernel.lang import Node, Relation, text

Shape = tuple[int, int] | None  # None is a number
NUMBERS: Mapping[str, Shape] = {}


def shape_of(node: Node, bound: Mapping[str, Shape] = NUMBERS) -> Shape:
    """The shape; `Malformed` where numbers and matrices do not fit together. `bound` holds states and indices."""
    match node.op:
        case "num":
            return None
        case "sym":
            return bound.get(str(node.value))
        case "index":
            return _entry(node, bound)
        case "sum" | "prod" | "mean" | "iterate":
            return _below_binder(node, bound)
        case "call":
            raise Malformed(f"{text(node)[:160]}: {node.value} is not defined; define it with `where`")
        case "letter" | "I" | "O":
            return None if size_of(node) == NUMBER else _mixed(node)
    inner = [shape_of(arg, bound) for arg in node.args]
    match node.op:
        case "list":
            if all(one is None for one in inner):
                return len(inner), 1
            if all(one is not None and one == inner[0] and one[1] == 1 for one in inner):
                return len(inner), inner[0][0]  # type: ignore[index]
        case "neg":
            return inner[0]
        case "+" | "-":
            if inner[0] == inner[1]:
                return inner[0]
        case "*":
            if None in inner:
                return inner[0] or inner[1]
        case "/":
            if inner[1] is None:
                return inner[0]
        case "@":
            if inner == [None, None]:
                return None
            if inner[0] is not None and inner[1] is not None and inner[0][1] == inner[1][0]:
                return inner[0][0], inner[1][1]
        case "**":
            if inner[1] is None and (inner[0] is None or inner[0][0] == inner[0][1]):
                return inner[0]
        case "T":
            return None if inner[0] is None else (inner[0][1], inner[0][0])
        case "tr":
            if inner[0] is not None and inner[0][0] == inner[0][1]:
                return None
        case "inv":
            if inner[0] is None or inner[0][0] == inner[0][1]:
                return inner[0]
        case _:
            if all(one is None for one in inner):
                return None
    raise Malformed(f"{text(node)[:160]}: numbers and matrices do not fit together here")


def _mixed(node: Node) -> Shape:
    raise Malformed(f"{text(node)[:160]} is a matrix of any size; it does not stand among numbers")


def _entry(node: Node, bound: Mapping[str, Shape]) -> Shape:
    base, *at = node.args
    if any(shape_of(i, bound) is not None for i in at):
        raise Malformed(f"{text(node)[:160]}: an index is a number")
    if base.op == "sym" and str(base.value) not in bound:
        return None
    whole = shape_of(base, bound)
    if whole is None or len(at) > 2:
        raise Malformed(f"{text(node)[:160]}: a number has no entries")
    for i, size in zip(at, whole, strict=False):
        if i.op != "num" or i.value not in range(1, size + 1):
            raise Malformed(f"{text(node)[:160]}: entries are counted from 1 to {size}, with plain numbers")
    return (whole[1], 1) if len(at) == 1 and whole[1] != 1 else None


def _below_binder(node: Node, bound: Mapping[str, Shape]) -> Shape:
    name, *ends, body = node.args
    if any(shape_of(end, bound) is not None for end in (ends[:1] if node.op == "iterate" else ends)):
        raise Malformed(f"{text(node)[:160]}: a number of steps and the ends of a range are numbers")
    state = shape_of(ends[1], bound) if node.op == "iterate" else None
    result = shape_of(body, {**bound, str(name.value): state})
    if node.op == "iterate" and result != state:
        raise Malformed(f"{text(node)[:160]}: a step changes the shape of the state")
    if node.op in ("sum", "prod") and result is not None:
        raise Malformed(f"{text(node)[:160]}: a sum of matrices is taken entry by entry, for it may be empty")
    return result


@lru_cache(maxsize=50_000)
def require_number(node: Node) -> None:
    if has_letters(node):
        if size_of(node) != NUMBER:
            raise Malformed(f"{text(node)[:160]} is a matrix, and a number is needed")
        return
    if shape_of(node) is not None:
        raise Malformed(f"{text(node)[:160]} is a matrix, and a number is needed")


def is_number(node: Node) -> bool:
    return not has_letters(node) or size_of(node) == NUMBER


def check_shapes(relation: Relation) -> None:
    """Both sides are numbers, or matrices of one shape that are compared with == or !=."""
    bound = {name: None for name, _, _ in relation.binders}
    left, right = shape_of(relation.left, bound), shape_of(relation.right, bound)
    if left != right or (left is not None and relation.op not in ("==", "!=")):
        raise Malformed(f"{str(relation)[:200]}: the two sides cannot be compared")
    for _, lo, hi in relation.binders:
        require_number(lo)
        require_number(hi)
