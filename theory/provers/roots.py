"""Square roots: the root of a positive number is positive, and what is compared with a root is compared squared.

X == Y     from X + Y > 0 and X**2 == Y**2, where a root was named: (Y - X)*(Y + X) is zero modulo its equation
L <= R     from L**2 <= R**2 and R >= 0, where one is a product with a root: the square has one root less
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from theory.kernel.errors import KernelError
from theory.kernel.lang import Node, Relation, num, text, walk
from theory.kernel.sequent import Certificate, Sequent
from theory.provers import slacks
from theory.provers.effort import Effort
from theory.provers.frame import Frame, accepted
from theory.provers.rewriting import free_parts
from theory.provers.skeletons import Filler, Search

PLAIN: Certificate = {"kind": "positive"}


def find(sequent: Sequent, effort: Effort, search: Search) -> Certificate | None:
    if sequent.goal.op == "==":
        return equal(sequent)
    return _squared(sequent, effort, search) if sequent.goal.op in ("<=", ">=") else None


def is_compared(sequent: Sequent) -> bool:
    """Whether the goal compares something with one product that holds a root of a sum or a mean, a geometric mean
    with something without a root, or a root with what is made of other roots, as a tuned step is.
    """
    found = _apart(sequent.goal) if sequent.goal.op in ("<=", ">=") else None
    if found is None:
        return False
    if any(p.op in ("sum", "mean") for p in walk(found[1])) or any(p.op == "sqrt" for p in _outside(found[0])):
        return True
    return any(p.op == "sqrt" for f in sequent.facts if f.binder is None for p in free_parts(f))


def sign(sequent: Sequent, fact: Relation) -> Certificate | None:
    """A proof of a sign that is plain to see."""
    here = sequent.show(fact)
    return next((c for c in (PLAIN, slacks.find(here)) if c is not None and accepted(c, here)), None)


def signs_of_root(named: Sequent, root: Node) -> Frame:
    """Two more facts: the root of what is plainly positive is positive, for -root >= 0 would make its square zero.

    The last two facts are root >= 0 and root**2 == inside.
    """
    at, inside = len(named.facts), named.facts[-1].right
    positive = Relation(">", inside, num(0))
    proof, none = sign(named, positive), Frame(named)
    try:
        defined = Filler(lambda here, _effort, _library: sign(here, here.goal), {}, Effort()).definedness(
            [inside], named
        )
    except KernelError:
        return none
    if proof is None:
        return none
    below = {
        "kind": "cone",
        "terms": [{"c": "1", "of": [at]}, {"c": "1", "of": [at - 2]}, {"c": "1", "of": [at - 2, at + 1]}],
        "modulo": [[at - 1, "1"]],
    }
    above = {"kind": "cone", "terms": [{"c": "1", "of": [at + 1]}]}
    cases = {"kind": "cases", "on": f"-{root}", "strict": True, "nonnegative": below, "nonpositive": above}
    step = {"kind": "have", "fact": str(positive), "proof": proof, "defined": defined}
    frame = none.within(str(positive), step, "then")
    goal = Relation(">", root, num(0))
    if not accepted(frame.close(cases), named.show(goal)):
        return none
    return frame.have(str(goal), {**cases, "defined": {}})


def in_order(frame: Frame, root: Node) -> Frame:
    """One more fact for each other root: of two named roots that of the plainly larger number is the larger."""
    facts = frame.sequent.facts
    named = {f.left.args[0]: i for i, f in enumerate(facts) if _is_square(f) and f.left.args[0].op == "sym"}
    for other in [one for one in named if one != root and root in named]:
        for big, small in ((root, other), (other, root)):
            frame = _with_order(frame, (big, named[big]), (small, named[small]))
    return frame


def _with_order(frame: Frame, big: tuple[Node, int], small: tuple[Node, int]) -> Frame:
    """If r < p were true, (p - r)**2 = 2*r*(r - p) + p**2 - r**2 would not be positive."""
    (r, above), (p, below) = big, small
    facts, at = frame.sequent.facts, len(frame.sequent.facts)
    more = Relation(">=", Node("-", (facts[above].right, facts[below].right)), num(0))
    signed = next((i for i, f in enumerate(facts) if f == Relation(">=", r, num(0))), None)
    if signed is None or not accepted(PLAIN, frame.sequent.show(more)):
        return frame
    step = {"kind": "have", "fact": str(more), "proof": PLAIN, "defined": {}}
    gap = text(Node("-", (r, p)))
    cases = {
        "kind": "cases",
        "on": gap,
        "strict": True,
        "nonnegative": {"kind": "cone", "terms": [{"c": "1", "of": [at + 1]}]},
        "nonpositive": {
            "kind": "cone",
            "multiplier": [at + 1],
            "terms": [{"c": "1", "of": [at]}, {"c": "2", "of": [signed, at + 1]}],
            "modulo": [[above, "1"], [below, "-1"]],
        },
    }
    cert = {**step, "then": cases}
    fact = Relation(">=", Node("-", (r, p)), num(0))
    return frame.have(str(fact), cert) if accepted(cert, frame.sequent.show(fact)) else frame


def equal(sequent: Sequent) -> Certificate | None:
    """Two numbers with a positive sum and, by an equation for one of them, the same square."""
    left, right = sequent.goal.left, sequent.goal.right
    squares = [i for i, f in enumerate(sequent.facts) if _is_square(f)]
    total = Relation(">", Node("+", (left, right)), num(0))
    proof = sign(sequent, total) if squares else None
    if proof is None:
        return None
    frame = Frame(sequent).have(str(total), proof)
    for position in squares:
        for one, other in (("1", "-1"), ("-1", "1")):
            cone: Certificate = {"kind": "cone", "multiplier": [len(sequent.facts)], "terms": []}
            both = {
                "kind": "both",
                "<=": {**cone, "modulo": [[position, one]]},
                ">=": {**cone, "modulo": [[position, other]]},
            }
            if accepted(both, frame.sequent):
                return frame.close(both)
    return None


def _is_square(fact: Relation) -> bool:
    return fact.binder is None and fact.op == "==" and fact.left.op == "**" and fact.left.args[1] == num(2)


def _squared(sequent: Sequent, effort: Effort, search: Search) -> Certificate | None:
    apart = _apart(sequent.goal)
    if apart is None:
        return None
    small, big = apart
    inner, light = effort.deeper(), replace(effort, heavy=False, depth=0, splits=0)
    below, above = _square(small), _square(big)
    rooted = small if any(p.op == "sqrt" for p in _outside(small)) else big
    wanted = (
        (Relation("<=", below, above), inner),
        (Relation(">=", big, num(0)), light),
        (Relation("==", Node("**", (rooted, num(2))), below if rooted is small else above), light),
    )
    frame = Frame(sequent)
    filler = Filler(search, {}, light)
    for fact, how in wanted:
        proof = search(frame.sequent.show(fact), how, {})
        if proof is None:
            return None
        try:
            defined = filler.definedness([fact.left, fact.right], frame.sequent)
        except KernelError:
            return None
        step = {"kind": "have", "fact": str(fact), "proof": proof, "defined": defined}
        frame = frame.within(str(fact), step, "then")
    at = len(sequent.facts)
    cases = {
        "kind": "cases",
        "on": text(Node("-", (big, small))),
        "strict": True,
        "defined": filler.definedness([big, small], frame.sequent),
        "nonnegative": {"kind": "cone", "terms": [{"c": "1", "of": [at + 3]}]},
        "nonpositive": {
            "kind": "cone",
            "multiplier": [at + 3],
            "terms": [{"c": "1", "of": [at]}, {"c": "2", "of": [at + 1, at + 3]}],
            "modulo": [[at + 2, "-1" if rooted is small else "1"]],
        },
    }
    cert = frame.close(cases)
    return cert if accepted(cert, sequent) else None


def _apart(goal: Relation) -> tuple[Node, Node] | None:
    """(L, R) of a goal L <= R where R is the one product with a root, or L is and there is no sum in it."""
    left, right = (goal.left, goal.right) if goal.op == "<=" else (goal.right, goal.left)
    terms = [*_terms(right, 1), *((-sign, node) for sign, node in _terms(left, 1))]
    rooted = [(sign, node) for sign, node in terms if any(p.op == "sqrt" for p in _outside(node))]
    if len(rooted) != 1 or not _is_product(rooted[0][1]):
        return None
    way, product = rooted[0]
    if way < 0 and any(p.op in ("sum", "mean") for p in walk(product)):
        return None
    rest: Node | None = None
    for sign_, node in [one for one in terms if one[1] is not product]:
        moved = Node("neg", (node,)) if sign_ == way else node
        rest = moved if rest is None else Node("+", (rest, moved))
    other = num(0) if rest is None else rest
    return (other, product) if way > 0 else (product, other)


def _outside(node: Node) -> Iterator[Node]:
    """The parts that stand below no binder."""
    return free_parts(Relation("==", node, num(0)))


def _terms(node: Node, sign_: int) -> Iterator[tuple[int, Node]]:
    if node.op in ("+", "-"):
        yield from _terms(node.args[0], sign_)
        yield from _terms(node.args[1], sign_ if node.op == "+" else -sign_)
    elif node.op == "neg":
        yield from _terms(node.args[0], -sign_)
    else:
        yield sign_, node


def _is_product(node: Node) -> bool:
    if node.op in ("*", "/"):
        return all(map(_is_product, node.args))
    return node.op == "sqrt" or not any(p.op == "sqrt" for p in _outside(node))


def _square(node: Node) -> Node:
    if node.op in ("*", "/"):
        return Node(node.op, tuple(map(_square, node.args)))
    return node.args[0] if node.op == "sqrt" else Node("**", (node, num(2)))


__all__ = ["equal", "find", "in_order", "is_compared", "signs_of_root"]
