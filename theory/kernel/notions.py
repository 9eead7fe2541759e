"""Definitions with parameters: `D(X)`, `P[w]`, `Sigma`. A notion stands for its formula, unfolded when it is read.

Bound names inside a definition get new names where an argument uses them, so that nothing is captured.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from theory.kernel.errors import Malformed
from theory.kernel.lang import (
    BINDERS,
    DOMAINS,
    Binder,
    Node,
    Relation,
    num,
    parse,
    substitute,
    sym,
    symbols,
    text,
    walk,
)


@dataclass(frozen=True, slots=True)
class Notion:
    name: str
    style: str  # "sym", "index" or "call": how it is written
    params: tuple[str, ...]
    body: Node


def _built_in(name: str, params: str, body: str) -> Notion:
    return Notion(name, "call", tuple(params.split()), parse(body))


BUILT_IN = {
    ("norm2", 1): _built_in("norm2", "v", "v.T @ v"),
    ("norm2", 2): _built_in("norm2", "v S", "v.T @ S @ v"),
    ("norm", 1): _built_in("norm", "v", "sqrt(v.T @ v)"),
}
Notions = Mapping[str, Notion]


def read_notions(where: Iterable[tuple[str, str]]) -> dict[str, Notion]:
    """In order: each may use those before it."""
    known: dict[str, Notion] = {}
    for head, formula in where:
        made = _head(parse(head), head)
        body = unfold(parse(formula), known)
        if made.name in symbols(body) - set(made.params) or made.name in known:
            raise Malformed(f"where {head}: a notion is defined once, and not by itself")
        known[made.name] = Notion(made.name, made.style, made.params, body)
    return known


def _head(node: Node, head: str) -> Notion:
    if node.op == "sym":
        return Notion(str(node.value), "sym", (), num(0))
    args = node.args[1:] if node.op == "index" else node.args
    named = node.op == "call" or (node.op == "index" and node.args[0].op == "sym")
    params = tuple(str(arg.value) for arg in args if arg.op == "sym")
    if not named or len(set(params)) != len(args):
        raise Malformed(f"where {head}: write a name, name(X, Y) or name[t] with different names inside")
    name = str(node.value if node.op == "call" else node.args[0].value)
    return Notion(name, node.op, params, num(0))


def unfold(node: Node, known: Notions, bound: frozenset[str] = frozenset()) -> Node:
    """Every notion replaced by its formula, the innermost first; a bound name hides the notion of that name."""
    if node.op in BINDERS:
        name = str(node.args[0].value)
        ends = tuple(unfold(arg, known, bound) for arg in node.args[1:-1])
        inner = {key: one for key, one in known.items() if key != name}
        return Node(node.op, (node.args[0], *ends, unfold(node.args[-1], inner, bound | {name})), node.value)
    if node.op == "sym":
        found = known.get(str(node.value))
        return node if found is None else _applied(found, "sym", (), node, bound)
    if node.op == "index" and node.args[0].op == "sym" and str(node.args[0].value) in known:
        at = tuple(unfold(arg, known, bound) for arg in node.args[1:])
        found = known[str(node.args[0].value)]
        if found.style == "index":
            return _applied(found, "index", at, node, bound)
        return Node("index", (_applied(found, "sym", (), node, bound), *at))
    args = tuple(unfold(arg, known, bound) for arg in node.args)
    if node.op == "call":
        chosen = known.get(str(node.value)) or BUILT_IN.get((str(node.value), len(args)))
        if chosen is not None:
            return _applied(chosen, "call", args, node, bound)
    return Node(node.op, args, node.value)


def _applied(notion: Notion, style: str, args: tuple[Node, ...], node: Node, bound: frozenset[str]) -> Node:
    if style != notion.style or len(args) != len(notion.params):
        raise Malformed(f"{text(node)[:120]}: {notion.name} takes {len(notion.params)} argument(s), as it is defined")
    caught = sorted((symbols(notion.body) - set(notion.params)) & bound)
    if caught:
        raise Malformed(
            f"{text(node)[:120]}: the bound name {caught[0]} would capture the one in {notion.name}; rename it"
        )
    free = frozenset[str]().union(*map(symbols, args))
    return substitute(_apart(notion.body, free), dict(zip(notion.params, args, strict=True)))


def _apart(node: Node, free: frozenset[str]) -> Node:
    """The formula with other bound names where an argument uses them."""
    args = tuple(_apart(arg, free) for arg in node.args)
    if node.op not in BINDERS or str(node.args[0].value) not in free:
        return Node(node.op, args, node.value)
    taken = free | {str(part.value) for part in walk(node) if part.op == "sym"} | symbols(node)
    old = str(node.args[0].value)
    new = next(f"{old}{i}" for i in range(1, 1000) if f"{old}{i}" not in taken)
    return Node(node.op, (sym(new), *args[1:-1], substitute(args[-1], {old: sym(new)})), node.value)


def unfold_relation(relation: Relation, known: Notions) -> Relation:
    bound: frozenset[str] = frozenset()
    inner = dict(known)
    binders: list[Binder] = []
    for index, lo, hi in relation.binders:
        first, last = (end if end.op in DOMAINS else unfold(end, inner, bound) for end in (lo, hi))
        binders.append((index, first, last))
        inner.pop(index, None)
        bound |= {index}
    left, right = (unfold(side, inner, bound) for side in (relation.left, relation.right))
    return Relation(relation.op, left, right).under(tuple(binders))
