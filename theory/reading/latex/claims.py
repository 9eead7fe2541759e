"""A claim in the notation of its paper: the kinds of its names are read off from the claim itself."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from theory.kernel import Claim
from theory.kernel.lang import Node, Relation, parse, parse_relation, walk
from theory.reading.latex.kinds import COLUMN, MATRIX, sort_of
from theory.reading.latex.notation import Notation
from theory.reading.latex.printer import to_latex

POINTWISE = ("real", "vector", "matrix")
WIDE = frozenset({"@", "T", "inv", "tr", "norm", "norm2", "inner"})


def claim_notation(claim: Claim, notation: Notation) -> Notation:
    """The notation restricted to the names of one claim, with their kinds in it."""
    written = [parse_relation(source) for source in (*claim.says, *claim.given)]
    names = sorted(names_of(written) | {name for name, _ in claim.where} | _inside(claim))
    samples = _samples(written)
    wide = _wide(written) | {name for name, _ in claim.where}
    kinds = {name: ("real", "real") for name in names if name not in wide}
    kinds |= dict.fromkeys(_random(written, samples), ("random", "real"))
    told = notation.only(names, kinds)
    for name, kind in claim.kinds:
        if kind.startswith(POINTWISE) and "[vector(" in kind:  # f[x] is printed f(x), and is no notion of the language
            glyph = replace(told[name], kind="sequence", of=kind.partition("[")[0].partition("(")[0])
            told = replace(told, glyphs={**told.glyphs, name: glyph})
    for name in {name for one in written for name, low, _ in one.binders if low.op == "points"}:
        told = told.but(name, "vector")
    for name, formula in claim.where:
        sort = {MATRIX: "matrix", COLUMN: "vector"}.get(sort_of(parse(formula), told))
        told = told.but(name, sort) if sort else told
    return replace(told, sample=next(iter(sorted(samples)), notation.sample))


def claim_latex(claim: Claim, notation: Notation) -> tuple[str, ...]:
    """What the claim says, relation by relation."""
    told = claim_notation(claim, notation)
    return tuple(to_latex(parse_relation(source), told) for source in claim.says)


def names_of(relations: Sequence[Relation]) -> frozenset[str]:
    """Every name in these relations, bound ones included."""
    parts = [part for one in relations for side in (one.left, one.right) for part in walk(side)]
    found = {str(part.value) for part in parts if part.op == "sym"}
    for one in relations:
        if one.binder is not None:
            found |= {one.binder[0]} | {str(p.value) for side in one.binder[1:] for p in walk(side) if p.op == "sym"}
    return frozenset(found - {"Omega"})


def _inside(claim: Claim) -> set[str]:
    return {str(part.value) for _, source in claim.where for part in walk(parse(source)) if part.op == "sym"}


def _parts(written: list[Relation]) -> Iterator[Node]:
    return (part for one in written for side in (one.left, one.right) for part in walk(side))


def _samples(written: list[Relation]) -> set[str]:
    bound = {one.binder[0] for one in written if one.binder is not None and str(one.binder[1]) == "Omega"}
    return bound | {str(part.args[0].value) for part in _parts(written) if part.op in ("mean", "E")}


def _wide(written: list[Relation]) -> set[str]:
    """Names that stand where vectors and matrices do; all others are numbers in this claim, whatever the paper has."""
    found: set[str] = set()
    todo = [arg for part in _parts(written) if part.op in WIDE for arg in part.args]
    todo += [side for one in written if one.op in ("<<", ">>") for side in (one.left, one.right)]
    while todo:
        node = todo.pop()
        if node.op == "sym":
            found.add(str(node.value))
        elif node.op == "index":
            todo.append(node.args[0])
        elif node.op in ("+", "-", "neg", "*", "/", "mean", "E", "sum"):
            todo += (
                node.args[-2:] if node.op in ("+", "-", "*") else node.args[-1:] if node.op != "/" else node.args[:1]
            )
    return found


def _random(written: list[Relation], samples: set[str]) -> set[str]:
    """Names whose last index is a sample wherever they stand: they are set without it."""
    found: dict[str, bool] = {}
    for part in _parts(written):
        if part.op == "index" and part.args[0].op == "sym":
            name = str(part.args[0].value)
            found[name] = found.get(name, True) and str(part.args[-1]) in samples
    return {name for name, random in found.items() if random}
