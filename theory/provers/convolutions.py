"""Sums whose terms move with their end, as sum(i, 1, n, b**(n - i)*g[i]): one step later each has a factor b."""

from __future__ import annotations

from collections.abc import Iterator

from theory.kernel.errors import KernelError
from theory.kernel.flat import tidy
from theory.kernel.lang import Node, Relation, num, substitute, sym, symbols, text, walk
from theory.kernel.lang import replace as put
from theory.kernel.sequent import Certificate, Sequent
from theory.provers.effort import Effort
from theory.provers.frame import Frame
from theory.provers.indices import counted_or_closed, terms_of, to_int, unrolled_once, with_terms_apart
from theory.provers.rewriting import new_names
from theory.provers.skeletons import Filler
from theory.provers.tactics import termwise

MOST = 3  # steps between two such sums


def with_shifted(frame: Frame) -> Frame:
    """For two sums of which one is a few steps later: the later one as a multiple of the other, and its last terms."""
    sums = [p for p in terms_of(frame.sequent.goal, *frame.sequent.facts) if p.op == "sum" and list(_powers(p))]
    for late in sums:
        for early in sums:
            factor = None if late is early else _factor(late, early)
            if factor is not None:
                frame = _shifted(frame, late, early, factor)
    return frame


def _powers(node: Node) -> Iterator[Node]:
    """The powers below a sum whose exponent falls with the index."""
    index, *_, body = node.args
    for part in walk(body):
        if part.op == "**" and str(index.value) in symbols(part.args[1]) and part.args[1] != sym(str(index.value)):
            yield part


def _factor(late: Node, early: Node) -> Node | None:
    """x**c, if the terms of the late sum are those of the early one times it."""
    try:
        body = substitute(early.args[-1], {str(early.args[0].value): late.args[0]})
    except KernelError:  # a sum below the sum binds that name
        return None
    bases = {p.args[0] for p in _powers(late)}
    if tidy(late.args[1]) != tidy(early.args[1]) or len(bases) != 1:
        return None
    for c in range(1, MOST + 1):
        lowered = late.args[-1]
        for part in dict.fromkeys(_powers(late)):
            lowered = put(lowered, part, Node("**", (part.args[0], Node("-", (part.args[1], num(c))))))
        if _tidied(lowered) == _tidied(body):
            return Node("**", (bases.pop(), num(c)))
    return None


def _tidied(node: Node) -> Node:
    for part in [p for p in walk(node) if p.op == "**" and p.args[1].op != "num"]:
        node = put(node, part, Node("**", (part.args[0], tidy(part.args[1]))))
    return node


def _shifted(frame: Frame, late: Node, early: Node, factor: Node) -> Frame:
    gap = tidy(Node("-", (late.args[2], early.args[2])))
    if gap.op != "num" or not 0 <= to_int(gap) <= MOST:
        return frame
    for _ in range(to_int(gap)):
        made = unrolled_once(frame, late)
        if made is None:
            return frame
        frame, late = made
    fact = Relation("==", late, Node("*", (factor, early)))
    index = next(new_names(frame.sequent, "j", "l", stem="j"))
    filler = Filler(_leaf, {}, Effort())
    try:
        counts = {k: v for one in (late, early) for k, v in _counts(one, index, frame.sequent, filler).items()}
        each = {op: {**termwise("sum", index=index), "defined": counts} for op in ("<=", ">=")}
        proof = filler.fill({"kind": "both", **each}, frame.sequent.show(fact))
        duties = filler.definedness([fact.left, fact.right], frame.sequent)
    except KernelError:
        return frame
    return frame.within(str(fact), {"kind": "have", "fact": str(fact), "proof": proof, "defined": duties}, "then")


def _counts(node: Node, name: str, sequent: Sequent, filler: Filler) -> dict[str, Certificate]:
    """Why the exponents of the terms are natural numbers, as they are written once the sums are opened."""
    index, lo, hi, _ = node.args
    found = {}
    for part in _powers(node):
        moved = substitute(part, {str(index.value): sym(name)})
        for cert in filler.definedness([Node("sum", (sym(name), lo, hi, moved))], sequent).values():
            found[f"{text(tidy(moved.args[1]))} is natural"] = cert
    return found


def _leaf(sequent: Sequent, effort: Effort, library: object) -> Certificate | None:
    return counted_or_closed(sequent, with_terms_apart, rounds=2)
