"""Cauchy-Schwarz for sums and means of any size: the square of sum(f*g) is at most sum(f*f)*sum(g*g).

With A, B and C for the sums of f*f, f*g and g*g, the sums of (C*f - B*g)**2 and (A*g - B*f)**2 are C and A times
A*C - B**2, which is the claim unless A + C = 0; and then the sums of (f + g)**2 and (f - g)**2 give B = 0.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from theory.kernel.errors import KernelError
from theory.kernel.flat import Atom, difference, scalars_of
from theory.kernel.lang import Node, Relation, num, substitute, sym, text, walk
from theory.kernel.lang import replace as put
from theory.kernel.sequent import Certificate, Sequent
from theory.provers.effort import Effort
from theory.provers.rewriting import new_names
from theory.provers.skeletons import Filler, Search
from theory.provers.tactics import Tactic, auto, have, termwise


def find(sequent: Sequent, effort: Effort, search: Search) -> Certificate | None:
    """The goal from Cauchy-Schwarz for one of the sums whose squares occur in it."""
    if sequent.goal.op in ("==", "!="):
        return None
    tactics = (_tactic(atom, weight, f, g, sequent) for atom, weight, f, g in _squares(sequent))
    return Filler(search, {}, replace(effort.deeper(), splits=0)).first(tactics, sequent)


def _squares(sequent: Sequent) -> Iterator[tuple[Atom, Node, Node, Node]]:
    """Sums that occur squared, with the two factors of their terms, and a weight that a hypothesis says is positive."""
    try:
        ring, (value,), atoms = scalars_of([difference(sequent.goal)[0]])
    except KernelError:
        return
    for name, atom in atoms.by_name.items():
        if name in ring.names and value.num.degrees()[ring.names.index(name)] >= 2:
            yield from ((atom, num(1), first, second) for first, second in _factors(atom.body))
            for weight in _weights(atom, sequent):
                yield from ((atom, weight, first, second) for first, second in _shared(atom.body, weight))


def _weights(atom: Atom, sequent: Sequent) -> Iterator[Node]:
    """w[i] with w[i] >= 0 or w[i] > 0 for every index."""
    for fact in sequent.facts:
        if fact.binder is None or fact.more or fact.op not in (">=", ">", "<=", "<"):
            continue
        small, big = (fact.right, fact.left) if fact.op in (">=", ">") else (fact.left, fact.right)
        if small == num(0) and big.op == "index" and big.args[-1] == sym(fact.binder[0]):
            yield substitute(big, {fact.binder[0]: sym(atom.index)})


def _shared(body: Node, weight: Node) -> Iterator[tuple[Node, Node]]:
    """The terms divided by the weight, in two factors."""
    if body == weight:
        yield num(1), num(1)
    elif body.op == "*" and weight in body.args:
        rest = body.args[1] if body.args[0] == weight else body.args[0]
        yield from _factors(rest)
    else:
        yield Node("/", (body, weight)), num(1)


def _factors(body: Node) -> Iterator[tuple[Node, Node]]:
    if body.op == "*":
        yield body.args[0], body.args[1]
    if body.op == "**" and body.args[1] == num(2):
        yield body.args[0], body.args[0]
    yield body, num(1)


def _tactic(atom: Atom, weight: Node, f: Node, g: Node, sequent: Sequent) -> Tactic:
    index = sym(atom.index)

    def total(body: Node) -> Node:
        body = body if weight == num(1) else times(weight, body)
        return Node("mean", (index, body)) if atom.kind == "mean" else Node("sum", (index, atom.lo, atom.hi, body))

    def times(a: Node, b: Node) -> Node:
        return Node("*", (a, b))

    def square(a: Node) -> Node:
        return Node("**", (a, num(2)))

    a, b, c = total(square(f)), total(times(f, g)), total(square(g))
    bases = [
        Node("-", (times(c, f), times(b, g))),
        Node("-", (times(a, g), times(b, f))),
        Node("+", (f, g)),
        Node("-", (f, g)),
        f,
        g,
    ]
    fresh = next(new_names(sequent, "i", "j", "w", stem="i"))
    at = len(sequent.facts)  # the facts are numbered in the order of `bases`, and the case comes after them
    small = [
        {"c": "1", "of": [at + 4, at + 5]},
        {"c": "1/4", "of": [at + 2, at + 3]},
        {"c": "1/4", "of": [at + 6, at + 4]},
        {"c": "1/4", "of": [at + 6, at + 5]},
    ]
    large = [{"c": "1", "of": [at]}, {"c": "1", "of": [at + 1]}]
    proof: Tactic = {
        "kind": "cases",
        "on": text(Node("neg", (Node("+", (a, c)),))),
        "strict": True,
        "nonnegative": {"kind": "cone", "terms": small},
        "nonpositive": {"kind": "cone", "multiplier": [at + 6], "terms": large},
    }
    last = auto()
    for one in dict.fromkeys(one for one in (f, g) if one.op == "abs"):
        same = Relation("==", total(square(one)), total(square(one.args[0])))
        both = {op: termwise(atom.kind, index=fresh) for op in ("<=", ">=")}
        last = have(str(same), {"kind": "only", "facts": [], "then": {"kind": "both", **both}}, then=last)
    result = have(f"{text(times(a, c))} >= {text(square(b))}", proof, then=last)
    for base in reversed(bases):
        each = {"kind": "cone", "terms": [{"c": "1", "sq": text(at_generic(base, atom.index, fresh))}]}
        each = each if weight == num(1) else auto()
        whole = {"kind": "termwise", "whole": True, "index": fresh, "each": each}
        result = have(f"{text(total(square(base)))} >= 0", whole, then=result)
    return result


def at_generic(node: Node, old: str, index: str) -> Node:
    """The formula at the generic index, as the kernel calls it: u[i] is u_i."""
    node = substitute(node, {old: sym(index)})
    for part in list(walk(node)):
        if part.op == "index" and part.args[0].op == "sym" and part.args[1:] == (sym(index),):
            node = put(node, part, sym(f"{part.args[0].value}_{index}"))
    return node
