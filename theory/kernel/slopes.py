"""The mean value theorem: a function that starts above zero and does not fall stays above zero.

To show g(x) >= 0, go from a point a to x: g(a) >= 0, and the slope g'(y) is >= 0 at every y between them (<= 0 when x
lies below a). Used again for the slope, it is Taylor's theorem with remainder. What may go wrong, and why it does not:

- g has a pole or no value on the way: every divisor, root and logarithm of g is shown to make sense on the closed way;
- g has a kink: abs, min, max, entries and loops are not differentiated, and a root only where its argument is positive,
  for the slope itself is shown to have a value strictly between the ends;
- y is confused with x: y is a new name, and no fact is about it but that it lies between a and x;
- x counts something: where it does, a formula with y has no value, and the certificate is refused.
"""

from __future__ import annotations

from theory.kernel.algebra import inequality
from theory.kernel.errors import Rejected
from theory.kernel.kinds import has_letters
from theory.kernel.lang import Node, Relation, num, substitute, sym, symbols, text
from theory.kernel.proof import Library, check, require_defined
from theory.kernel.sequent import Certificate, Sequent, Tally, fresh
from theory.kernel.shapes import require_number


def rule_slope(cert: Certificate, sequent: Sequent, library: Library, tally: Tally) -> None:
    for key, part in slope_parts(cert, sequent).items():
        duties = cert.get("defined", {}).get(key, {})
        require_defined([part.goal.left, part.goal.right], part, duties, library, tally, cert["_depth"])
        if key != "inside":
            check(cert[key], part, library, tally, cert["_depth"])


def slope_parts(cert: Certificate, sequent: Sequent) -> dict[str, Sequent]:
    """What is to be shown: that x lies on that side of a, the gap at a, its slope; `inside` need only have a value."""
    gap, strict = inequality(sequent)
    name, y, start = str(cert["in"]), str(cert["name"]), sequent.world.read(str(cert["from"]))
    require_number(gap)
    require_number(start)
    fresh(y, sequent)
    if y in symbols(start):
        raise Rejected(f"the name {y} is already in use in {text(start)[:120]}")
    way, back = {"up": ("<=", ">="), "down": (">=", "<=")}[cert["way"]]
    moved = substitute(gap, {name: sym(y)})

    def between(op: str) -> Sequent:
        return sequent.given(Relation(op, start, sym(y)), Relation(op, sym(y), sym(name)))

    return {
        "order": sequent.show(Relation(way, start, sym(name))),
        "inside": between(way).show(Relation(">=", moved, num(0))),
        "base": sequent.show(Relation(">" if strict else ">=", substitute(gap, {name: start}), num(0))),
        "slope": between(way[0]).show(Relation(back, derivative(moved, y), num(0))),
    }


def derivative(node: Node, name: str) -> Node:
    """By the rules of calculus, in the name; what has no such rule is refused."""
    if name not in symbols(node):
        return num(0)
    if has_letters(node):
        raise Rejected(f"{text(node)[:120]} has letters; only numbers are differentiated")
    if node.op == "sym":
        return num(1)
    u = node.args[0]
    match node.op:
        case "+" | "-" | "neg":
            return _sum(node.op, [derivative(arg, name) for arg in node.args])
        case "*":
            v = node.args[1]
            return _sum("+", [_times(derivative(u, name), v), _times(u, derivative(v, name))])
        case "/":
            v = node.args[1]
            top = _sum("-", [_times(derivative(u, name), v), _times(u, derivative(v, name))])
            return Node("/", (top, Node("**", (v, num(2)))))
        case "**" if node.args[1].op == "num" and node.args[1].value.denominator == 1:
            n = node.args[1].value
            return _times(_times(num(n), Node("**", (u, num(n - 1)))), derivative(u, name))
        case "exp" | "sin" | "cos" | "log" | "sqrt":
            return _times(_outer(node, u), derivative(u, name))
    raise Rejected(f"{text(node)[:120]} is not differentiated in {name}")


def _outer(node: Node, u: Node) -> Node:
    match node.op:
        case "exp":
            return node
        case "sin":
            return Node("cos", (u,))
        case "cos":
            return Node("neg", (Node("sin", (u,)),))
        case "log":
            return Node("/", (num(1), u))
    return Node("/", (num(1), Node("*", (num(2), node))))


def _sum(op: str, parts: list[Node]) -> Node:
    """Without zeros, so that a slope can be read."""
    if op == "neg":
        return num(0) if parts[0] == num(0) else Node("neg", (parts[0],))
    left, right = parts
    if right == num(0):
        return left
    if left == num(0):
        return right if op == "+" else Node("neg", (right,))
    return Node(op, (left, right))


def _times(left: Node, right: Node) -> Node:
    if num(0) in (left, right):
        return num(0)
    return right if left == num(1) else left if right == num(1) else Node("*", (left, right))
