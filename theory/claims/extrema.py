"""Minima and maxima over an index: each becomes a name, with what is known of it.

min(k, 0, K-1, g[k]) <= c    for every m with forall(k, 0, K-1, g[k] >= m): m <= c  (the largest such m is it)
max(k, 0, K, r[k]) <= c      for every j from 0 to K: r[j] <= c                       (it is one of them)
anything else                both: a bound of all terms that is one of them

A range of which an extremum is taken is not empty; that is said as well.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

MONOTONE = ("sqrt", "exp", "log")
BINDERS = ("sum", "prod", "forall", "E", "mean", "iterate", "min", "max")


@dataclass
class _Seen:
    """An extremum, the directions in which the claim depends on it, and the names that it gets."""

    kind: str
    index: str
    lo: str
    hi: str
    body: ast.expr
    ways: set[int] = field(default_factory=set)
    name: str = ""
    place: str = ""
    natural: bool = False  # by its form, the range begins at a natural number

    @property
    def harder(self) -> int:
        """The direction in which the claim is the harder the more extreme the number is."""
        return 1 if self.kind == "max" else -1

    @property
    def term(self) -> ast.expr:
        return _moved(self.body, self.index, _surely(self.at))

    @property
    def at(self) -> str:
        """Where the extremum is attained: a natural number, or one after the first index where that may be negative."""
        return self.place if self.natural else f"{self.lo} + {self.place}"

    @property
    def written(self) -> ast.expr:
        """What stands for it in the claim: one of the terms where that is enough, else its name."""
        return self.term if self.ways == {self.harder} else ast.Name(self.name)

    def facts(self) -> Iterator[str]:
        """A claim that is the harder the larger a maximum is holds for it if it holds for every term."""
        if not (self.lo.isdigit() and self.hi.isdigit()):
            yield f"{self.lo} <= {self.hi}"
        if self.ways != {-self.harder}:
            yield from [f"{self.lo} <= {self.place}"] if self.natural else []
            yield f"{self.at} <= {self.hi}"
        if self.ways != {self.harder} and self.ways != {-self.harder}:
            yield f"{self.name} == {ast.unparse(self.term)}"
        if self.ways != {self.harder}:
            op = "<=" if self.kind == "max" else ">="
            yield f"forall({self.index}, {self.lo}, {self.hi}, {ast.unparse(self.body)} {op} {self.name})"


def named(
    says: Iterable[str], given: Iterable[str], taken: Iterable[str], naturals: Iterable[str] = ()
) -> tuple[list[str], list[str], list[str]]:
    """The claim with names for its extrema, its hypotheses with what they mean, and the new natural numbers."""
    says, given, taken, naturals = list(says), list(given), set(taken), set(naturals)
    sources = [*says, *given]
    if not any(word in one for one in sources for word in ("min(", "max(")):
        return says, given, []
    trees = [_read(one) for one in sources]
    used = taken | {n.id for tree in trees if tree is not None for n in ast.walk(tree) if isinstance(n, ast.Name)}
    finder = _Finder(_loose([tree for tree in trees if tree is not None]) | taken)
    for count, tree in enumerate(trees):
        if tree is not None:
            finder.relation(tree, 1 if count < len(says) else -1)
    for number, one in enumerate(finder.seen.values(), start=1):
        one.name, one.place = _fresh(f"{one.kind}_{number}", used), _fresh(f"at_{number}", used)
        one.natural = _is_natural(_surely(one.lo), naturals)
    shown = [
        source if tree is None or not finder.seen else _named(tree, source, finder.at)
        for tree, source in zip(trees, sources, strict=True)
    ]
    facts = [fact for one in finder.seen.values() for fact in one.facts()]
    places = [one.place for one in finder.seen.values() if any(one.place in fact for fact in one.facts())]
    return shown[: len(says)], [*shown[len(says) :], *dict.fromkeys(facts)], places


class _Finder:
    """Every extremum that is free of bound names, with the directions in which what holds it depends on it."""

    def __init__(self, loose: set[str]) -> None:
        self.loose = loose
        self.seen: dict[str, _Seen] = {}
        self.at: dict[int, _Seen] = {}  # by the identity of the tree: the same text may mean another thing elsewhere

    def relation(self, tree: ast.expr, way: int, bound: frozenset[str] = frozenset()) -> None:
        """`way` is 1 where the relation is claimed, -1 where it is assumed."""
        match tree:
            case ast.Call(func=ast.Name(id="forall"), args=[ast.Name(id=index), *ends, body]):
                for end in ends:
                    self.number(end, 0, bound)
                self.relation(body, way, bound | {index})
            case ast.Compare(left=left, ops=[ast.LtE() | ast.Lt()], comparators=[right]):
                self.number(left, way, bound)
                self.number(right, -way, bound)
            case ast.Compare(left=left, ops=[ast.GtE() | ast.Gt()], comparators=[right]):
                self.number(left, -way, bound)
                self.number(right, way, bound)
            case _:
                for child in ast.iter_child_nodes(tree):
                    self.number(child, 0, bound)

    def number(self, tree: ast.AST, way: int, bound: frozenset[str]) -> None:
        match tree:
            case ast.Call(func=ast.Name(id="min" | "max" as kind), args=[ast.Name(id=index), lo, hi, body]) if (
                _is_family(index, body, self.loose) and not _names(tree) - {index} & bound
            ):
                made = _Seen(kind, index, ast.unparse(lo), ast.unparse(hi), body)
                self.at[id(tree)] = self.seen.setdefault(ast.unparse(tree), made)
                self.at[id(tree)].ways.add(way)
            case ast.BinOp(left=left, op=ast.Add(), right=right):
                self.number(left, way, bound)
                self.number(right, way, bound)
            case ast.BinOp(left=left, op=ast.Sub(), right=right):
                self.number(left, way, bound)
                self.number(right, -way, bound)
            case ast.BinOp(left=ast.Constant() as factor, op=ast.Mult(), right=right):
                self.number(right, way if _is_positive(factor) else 0, bound)
            case ast.BinOp(left=left, op=ast.Mult() | ast.Div(), right=ast.Constant() as factor):
                self.number(left, way if _is_positive(factor) else 0, bound)
            case ast.UnaryOp(op=ast.USub(), operand=inner):
                self.number(inner, -way, bound)
            case ast.Call(func=ast.Name(id=name), args=[inner]) if name in MONOTONE:
                self.number(inner, way, bound)
            case ast.Call(func=ast.Name(id=name), args=[ast.Name(id=index), *rest]) if name in BINDERS:
                for part in rest:
                    self.number(part, 0, bound | {index})
            case _:
                for child in ast.iter_child_nodes(tree):
                    self.number(child, 0, bound)


def _is_family(index: str, body: ast.expr, loose: set[str]) -> bool:
    """Whether the four parts are an index, its range and a term: the index counts entries, and it is no free name."""
    inside = [one.slice for one in ast.walk(body) if isinstance(one, ast.Subscript)]
    return index not in loose and any(index in _names(at) for at in inside)


def _loose(trees: list[ast.expr]) -> set[str]:
    """Names that occur outside of everything that binds them."""
    found: set[str] = set()

    def visit(tree: ast.AST, bound: frozenset[str]) -> None:
        match tree:
            case ast.Name(id=name):
                found.update({name} - bound)
            case ast.Call(func=ast.Name(id=name), args=[ast.Name(id=index), *rest]) if name in BINDERS and rest:
                inner = bound | ({index} if name not in ("min", "max") or len(rest) == 3 else frozenset())
                if index not in inner:
                    found.add(index)
                for part in rest:
                    visit(part, inner)
            case ast.Call(args=args):
                for part in args:
                    visit(part, bound)
            case _:
                for child in ast.iter_child_nodes(tree):
                    visit(child, bound)

    for tree in trees:
        visit(tree, frozenset())
    return found


def _named(tree: ast.expr, source: str, at: dict[int, _Seen]) -> str:
    class Put(ast.NodeTransformer):
        def visit_Call(self, part: ast.Call) -> ast.expr:
            one = at.get(id(part))
            if one is None:
                self.generic_visit(part)
            return part if one is None else one.written

    before = ast.dump(tree)
    new = Put().visit(tree)
    return source if ast.dump(new) == before else ast.unparse(new)


def _is_natural(tree: ast.expr, naturals: set[str]) -> bool:
    match tree:
        case ast.Constant(value=value):
            return isinstance(value, int) and value >= 0
        case ast.Name(id=name):
            return name in naturals
        case ast.BinOp(left=left, op=ast.Add() | ast.Mult(), right=right):
            return _is_natural(left, naturals) and _is_natural(right, naturals)
    return False


def _moved(body: ast.expr, index: str, place: ast.expr) -> ast.expr:
    class Put(ast.NodeTransformer):
        def visit_Name(self, part: ast.Name) -> ast.expr:
            return place if part.id == index else part

    return Put().visit(_surely(ast.unparse(body)))  # type: ignore[no-any-return]


def _names(tree: ast.AST) -> set[str]:
    return {one.id for one in ast.walk(tree) if isinstance(one, ast.Name)}


def _is_positive(factor: ast.Constant) -> bool:
    return isinstance(factor.value, (int, float)) and not isinstance(factor.value, bool) and factor.value > 0


def _fresh(name: str, used: set[str]) -> str:
    while name in used:
        name += "_"
    used.add(name)
    return name


def _surely(source: str) -> ast.expr:
    return ast.parse(source, mode="eval").body


def _read(source: str) -> ast.expr | None:
    try:
        return _surely(source.strip())
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
