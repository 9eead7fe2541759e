"""Every size is 1: vectors and matrices become numbers, and a claim about them one about numbers."""

from __future__ import annotations

from theory.kernel.errors import Malformed
from theory.kernel.kinds import has_letters
from theory.kernel.lang import Node, Relation, num, sym


def shadow_fact(fact: Relation, names: dict[str, Node]) -> Relation:
    if fact.binder is not None:
        return Relation("==", num(0), num(0))
    op = "<=" if fact.op == "<<" else fact.op
    return Relation(op, shadow(fact.left, names), shadow(fact.right, names))


def shadow(node: Node, names: dict[str, Node]) -> Node:
    if not has_letters(node):
        return node
    if node.op == "letter":
        known = next((name for name, one in names.items() if one == node), None)
        name = known or f"{node.value.name}_{len(names)}_"
        names[name] = node
        return sym(name)
    if node.op in ("mean", "blocks", "sum"):
        raise Malformed(f"{node.op} casts no shadow")
    if node.op in ("I", "O"):
        return num(1 if node.op == "I" else 0)
    args = tuple(shadow(arg, names) for arg in node.args)
    if node.op in ("T", "tr"):
        return args[0]
    if node.op == "inv":
        return Node("/", (num(1), args[0]))
    return Node("*" if node.op == "@" else node.op, args, node.value)
