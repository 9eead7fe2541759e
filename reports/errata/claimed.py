"""What a claim says, and what it assumes and defines, as relations in the words of the kernel.

A claim abbreviates what the paper writes out: `S1` for a block matrix, `G(r)` for a sum of powers. Every relation is
given twice, as the claim has it and with each definition in it written out for which the paper has no symbol.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from theory.kernel import Claim, KernelError
from theory.kernel.lang import Node, num, parse, parse_relation
from theory.kernel.notions import Notion, read_notions, unfold_relation
from theory.reading.latex.notation import Notation

ONE = num(1)


def said(claim: Claim, notation: Notation) -> Iterator[str]:
    """Its conclusions."""
    yield from _both(claim, notation, claim.says)


def assumed(claim: Claim, notation: Notation) -> Iterator[str]:
    """Its hypotheses, its definitions and the steps of its recursions, which are counted from the next state, too."""
    defined = [f"{head} == {formula}" for head, formula in claim.where]
    steps = [f"{head} == {formula}" for head, formula in claim.steps]
    yield from _both(claim, notation, (*claim.given, *defined, *steps, *filter(None, map(_from_the_next, steps))))


def _both(claim: Claim, notation: Notation, sources: Iterable[str]) -> Iterator[str]:
    known = _without_symbol(claim, notation)
    for source in sources:
        yield source
        out = _written_out(source, known)
        if out != source:
            yield out


def _written_out(source: str, known: Mapping[str, Notion]) -> str:
    """What a definition defines keeps its name."""
    try:
        plain = parse_relation(source)
        out = unfold_relation(plain, known)
    except KernelError:
        return source
    return str(replace(out, left=plain.left) if _name(plain.left) in known else out)


def _from_the_next(step: str) -> str:
    """x[t + 1] == f(x[t]) as x[t] == f(x[t - 1])."""
    plain = parse_relation(step)
    counts = [arg for arg in plain.left.args[1:] if arg.op == "+" and arg.args[1] == ONE]
    left, right = (_shifted(side, counts) for side in (plain.left, plain.right))
    return str(replace(plain, left=left, right=right)) if counts else ""


def _shifted(node: Node, counts: Sequence[Node]) -> Node:
    """t for t + 1, and t - 1 for t."""
    if node in counts:
        return node.args[0]
    if any(node == count.args[0] for count in counts):
        return Node("-", (node, ONE))
    return replace(node, args=tuple(_shifted(arg, counts) for arg in node.args))


def _without_symbol(claim: Claim, notation: Notation) -> dict[str, Notion]:
    """The definitions of a claim that the paper has no symbol for; `eta` and `Sigma` stay what they are."""
    try:
        return read_notions((head, body) for head, body in claim.where if _name(parse(head)) not in notation.glyphs)
    except KernelError:
        return {}


def _name(head: Node) -> str:
    return str(head.args[0].value if head.op == "index" else head.value)
