"""Small matrices written out entry by entry, in the very order in which LemmaLab.v computes them."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache

from theory.coq.errors import NotExpressible
from theory.kernel.kinds import has_letters
from theory.kernel.lang import BINDERS, Node, Relation, num, text
from theory.kernel.shapes import Shape, shape_of

Rows = list[list[Node]]
MAX_ENTRIES = 200_000
PLAIN = ("+", "-", "*", "/", "**", "neg", "sqrt", "abs", "exp", "log", "min", "max")  # of letters: still numbers
MATRIX = ("list", "@", "T", "tr", "inv", "index")


def scalar(node: Node, bound: Mapping[str, Shape]) -> Node:
    """The same number without matrices; iterations of columns stay as they are."""
    return _scalar(node, tuple(bound.items()))


@lru_cache(maxsize=50_000)
def _scalar(node: Node, states: tuple[tuple[str, Shape], ...]) -> Node:
    bound = dict(states)
    if node.op in ("num", "sym") or (has_letters(node) and node.op not in PLAIN):
        return node
    if node.op == "@":
        return Node("*", tuple(scalar(arg, bound) for arg in node.args))
    if node.op == "T":
        return scalar(node.args[0], bound)
    if node.op == "tr":
        rows = entries(node.args[0], bound)
        return _sum([rows[i][i] for i in range(len(rows))])
    if node.op == "index":
        return _picked(node, bound)
    if node.op == "iterate":
        return node
    if node.op in BINDERS:
        inner = {**bound, str(node.args[0].value): None}
        middle = tuple(scalar(arg, bound) for arg in node.args[1:-1])
        return Node(node.op, (node.args[0], *middle, scalar(node.args[-1], inner)))
    return Node(node.op, tuple(scalar(arg, bound) for arg in node.args), node.value)


def _picked(node: Node, bound: Mapping[str, Shape]) -> Node:
    base, *at = node.args
    if base.op == "iterate" or (base.op == "sym"):
        return Node("index", (base, *(scalar(i, bound) for i in at)))
    rows = entries(base, bound)
    i, j = int(Fraction(at[0].value)), int(Fraction(at[1].value)) if len(at) == 2 else 1
    return rows[i - 1][j - 1]


def entries(node: Node, bound: Mapping[str, Shape]) -> Rows:
    args = node.args
    match node.op:
        case "list":
            if shape_of(args[0], bound) is None:
                return [[scalar(arg, bound)] for arg in args]
            return [[one for (one,) in entries(arg, bound)] for arg in args]
        case "neg":
            return [[Node("neg", (x,)) for x in row] for row in entries(args[0], bound)]
        case "+" | "-":
            pairs = zip(entries(args[0], bound), entries(args[1], bound), strict=True)
            return [[Node(node.op, both) for both in zip(r, s, strict=True)] for r, s in pairs]
        case "*" | "/":
            if shape_of(args[0], bound) is None:
                factor = scalar(args[0], bound)
                return [[Node("*", (factor, x)) for x in row] for row in entries(args[1], bound)]
            factor = scalar(args[1], bound)
            return [[Node(node.op, (x, factor)) for x in row] for row in entries(args[0], bound)]
        case "@":
            return product(entries(args[0], bound), entries(args[1], bound))
        case "T":
            return [list(column) for column in zip(*entries(args[0], bound), strict=True)]
        case "**":
            return _power(entries(args[0], bound), int(Fraction(args[1].value)))
        case "inv":
            return _inverse(entries(args[0], bound))
        case "index":
            row = entries(args[0], bound)[int(Fraction(args[1].value)) - 1]
            return [[x] for x in row]
        case "iterate" | "sym":
            shape = shape_of(node, bound)
            if shape is not None and shape[1] == 1:
                return [[Node("index", (node, num(i)))] for i in range(1, shape[0] + 1)]
    raise NotExpressible(f"{text(node)[:80]}: a matrix that is not written out")


def _sum(parts: list[Node]) -> Node:
    total = parts[0]
    for part in parts[1:]:
        total = Node("+", (total, part))
    return total


def product(left: Rows, right: Rows) -> Rows:
    columns = list(zip(*right, strict=True))
    result = [[_sum([Node("*", both) for both in zip(r, c, strict=True)]) for c in columns] for r in left]
    if sum(size(x) for row in result for x in row) > MAX_ENTRIES:
        raise NotExpressible("the matrix products are too large to be written out")
    return result


def size(node: Node) -> int:
    return 1 + sum(map(size, node.args))


def _power(rows: Rows, n: int) -> Rows:
    result: Rows = [[num(int(i == j)) for j in range(len(rows))] for i in range(len(rows))]
    for _ in range(n):
        result = product(result, rows)
    return result


def determinant(rows: Rows) -> Node:
    if len(rows) != 2:
        raise NotExpressible("inverses are translated for two rows and two columns")
    (a, b), (c, d) = rows
    return Node("-", (Node("*", (a, d)), Node("*", (b, c))))


def _inverse(rows: Rows) -> Rows:
    det = determinant(rows)
    (a, b), (c, d) = rows
    signed = [[d, Node("neg", (b,))], [Node("neg", (c,)), a]]
    return [[Node("/", (x, det)) for x in row] for row in signed]


def has_matrices(node: Node) -> bool:
    """Whether something is left to write out, iterations aside."""
    if has_letters(node):
        return False
    if node.op in ("list", "@", "T", "tr") or (node.op == "index" and node.args[0].op not in ("sym", "iterate")):
        return True
    return any(map(has_matrices, () if node.op == "iterate" else node.args))


def plain(relation: Relation, bound: Mapping[str, Shape]) -> list[Relation]:
    """A relation between numbers, or one equation for every entry."""
    if shape_of(relation.left, bound) is None:
        return [Relation(relation.op, scalar(relation.left, bound), scalar(relation.right, bound))]
    left, right = entries(relation.left, bound), entries(relation.right, bound)
    pairs = [pair for r, s in zip(left, right, strict=True) for pair in zip(r, s, strict=True)]
    return [Relation(relation.op, a, b) for a, b in pairs]
