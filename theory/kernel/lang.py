"""The formula language: a few operators of Python's own syntax, read with `ast` and never executed.

Scalars, small matrices `[[a, b], [c, d]]`, columns `[a, b]`, products `@`, transposes `X.T`, entries counted
from one as in the paper (`X[1, 2]`, `v[1]`), and

    sum(i, lo, hi, body)         a finite sum over the integers lo..hi; indexed symbols are written lam[i]
    prod(i, lo, hi, body)        the product over the same range; an empty one is 1
    mean(w, body)                the expectation over a probability space w; random quantities are written X[w]
    iterate(s, n, start, body)   the state s after n steps  s <- body  from  s = start
    forall(i, lo, hi, relation)  a relation for every index, also nested; hi may be oo: every index from lo on
    forall(w, sample(S), …), forall(x, vector(d), …)             for every sample of a space, every vector of a size

A `Node` is an immutable tree; `text(node)` and `parse(text)` are inverse to each other, so that certificates
are plain JSON strings.
"""

from __future__ import annotations

import ast
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from typing import Any

from theory.kernel.errors import Malformed

BINARY = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.Pow: "**", ast.MatMult: "@"}
ORDER = {ast.LShift: "<<", ast.RShift: ">>"}
COMPARE = {ast.LtE: "<=", ast.Lt: "<", ast.GtE: ">=", ast.Gt: ">", ast.Eq: "==", ast.NotEq: "!="}
FUNCTIONS = {"sqrt": 1, "abs": 1, "exp": 1, "log": 1, "tr": 1, "inv": 1, "sin": 1, "cos": 1}
MANY = {"min", "max"}
BINDERS = {"sum": 4, "prod": 4, "mean": 2, "iterate": 4, "forall": 4}
MAX_TEXT = 200_000
MAX_POWER = 4_000  # of ten, in a decimal number
RESERVED = frozenset({"Omega", "pi", "oo"})
DOMAINS = ("domain", "points")  # forall(w, sample(S), …), forall(x, vector(d), …)


@dataclass(frozen=True, slots=True, eq=False)
class Node:
    """One operation and its arguments. `num` holds a Fraction in `value`, `sym` a name.

    Equal means written alike. The hash and the free names are kept, so that most questions need no walk.
    """

    op: str
    args: tuple[Node, ...] = ()
    value: Any = None  # a Fraction, a name, or the declaration of a letter
    _hash: int = field(init=False, repr=False)
    _names: frozenset[str] | None = field(init=False, repr=False, default=None)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_hash", hash((self.op, self.args, self.value)))

    def __reduce__(self) -> tuple[Any, ...]:
        return Node, (self.op, self.args, self.value)  # hashes of another process are not ours

    def __hash__(self) -> int:
        return self._hash

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if not isinstance(other, Node) or self._hash != other._hash:
            return False
        return self.op == other.op and self.value == other.value and self.args == other.args

    def __str__(self) -> str:
        return text(self)


Binder = tuple[str, Node, Node]


@dataclass(frozen=True, slots=True)
class Relation:
    """`left op right`, possibly for every index of a range (`binder`), and of further ranges inside it (`more`)."""

    op: str
    left: Node
    right: Node
    binder: Binder | None = None
    more: tuple[Binder, ...] = ()

    @property
    def binders(self) -> tuple[Binder, ...]:
        return () if self.binder is None else (self.binder, *self.more)

    def under(self, binders: tuple[Binder, ...]) -> Relation:
        """The same relation below these binders, the outermost first, and below no others."""
        return Relation(self.op, self.left, self.right, binders[0] if binders else None, binders[1:])

    def __str__(self) -> str:
        body = f"{text(self.left)} {self.op} {text(self.right)}"
        for index, lo, hi in reversed(self.binders):
            ends = text(lo) if lo.op in DOMAINS else f"{text(lo)}, {text(hi)}"
            body = f"forall({index}, {ends}, {body})"
        return body


def is_name(text: str) -> bool:
    """A plain name, written as Python reads it: look-alikes of other letters are no names."""
    return text.isidentifier() and unicodedata.normalize("NFKC", text) == text


def num(value: Fraction | int | str) -> Node:
    return Node("num", value=Fraction(value))


def sym(name: str) -> Node:
    return Node("sym", value=name)


SPACE = sym("Omega")  # the probability space
FOREVER = sym("oo")  # the end of a range that has none


@lru_cache(maxsize=20_000)
def parse(source: str) -> Node:
    """Read a formula. `1/3`, `x**2`, `lam[i]`, `[1, 1]`, `max(a, b)`, `sum(i, 1, d, lam[i])`."""
    return _read(_tree(source), source)


@lru_cache(maxsize=20_000)
def parse_relation(source: str) -> Relation:
    """Read one relation: `a <= b`, `forall(i, 1, d, lam[i] > 0)`, `forall(k, 0, oo, r[k+1] <= r[k])`."""
    return _relation(_tree(source), source)


def _relation(tree: ast.expr, source: str) -> Relation:
    if not (isinstance(tree, ast.Call) and isinstance(tree.func, ast.Name) and tree.func.id == "forall"):
        return _compare(tree, source)
    if len(tree.args) == 3 and isinstance(tree.args[0], ast.Name) and _domain(tree.args[1], source):
        domain, inner = _domain(tree.args[1], source), _relation(tree.args[2], source)
        return inner.under(((tree.args[0].id, domain, domain), *inner.binders))  # type: ignore[arg-type]
    if len(tree.args) != 4 or tree.keywords or not isinstance(tree.args[0], ast.Name):
        raise Malformed(f"{source!r}: write forall(i, lo, hi, relation)")
    inner = _relation(tree.args[3], source)
    index, lo = (_space(arg) or _read(arg, source) for arg in tree.args[:2])
    hi = FOREVER if _is_name(tree.args[2], "oo") else _space(tree.args[2]) or _read(tree.args[2], source)
    if index == SPACE or (lo == SPACE) != (hi == SPACE):
        raise Malformed(f"{source[:200]!r}: Omega stands in forall only, as forall(w, Omega, Omega, relation)")
    bound = [one[0] for one in inner.binders]
    if index.value in bound or (SPACE in (lo, *(one[1] for one in inner.binders)) and bound):
        raise Malformed(f"{source[:200]!r}: nested foralls have different indices, and none of them is over Omega")
    return inner.under(((str(index.value), lo, hi), *inner.binders))


def _domain(tree: ast.expr, source: str) -> Node | None:
    """`sample(S)`: every point of a space; `vector(d)`: every vector of that size."""
    match tree:
        case ast.Call(func=ast.Name(id="sample"), args=[ast.Name(id=space)], keywords=[]):
            return Node("domain", value=space)
        case ast.Call(func=ast.Name(id="vector"), args=[size], keywords=[]):
            return Node("points", (_read(size, source),))
    return None


def _is_name(tree: ast.expr, name: str) -> bool:
    return isinstance(tree, ast.Name) and tree.id == name


def _space(tree: ast.expr) -> Node | None:
    return SPACE if _is_name(tree, "Omega") else None


def _tree(source: str) -> ast.expr:
    if len(source) > MAX_TEXT:
        raise Malformed(f"a formula of {len(source)} characters is longer than {MAX_TEXT}; split it with `where`")
    if unicodedata.normalize("NFKC", source) != source:
        raise Malformed(f"{source[:200]!r} has characters that Python reads as others; write plain letters")
    try:
        return ast.parse(source.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise Malformed(
            f"cannot read {source[:200]!r}: {error}; use Python syntax such as (1-theta)/(1+theta)"
        ) from None


def _compare(tree: ast.expr, source: str) -> Relation:
    if isinstance(tree, ast.BinOp) and type(tree.op) in ORDER:
        left, right = _read(tree.left, source), _read(tree.right, source)
        return Relation("<<", left, right) if isinstance(tree.op, ast.LShift) else Relation("<<", right, left)
    if not isinstance(tree, ast.Compare) or len(tree.ops) != 1 or type(tree.ops[0]) not in COMPARE:
        raise Malformed(f"{source[:200]!r} is not one relation; write left <= right (or ==, <, >=, >, !=)")
    return Relation(COMPARE[type(tree.ops[0])], _read(tree.left, source), _read(tree.comparators[0], source))


def _read(tree: ast.expr, source: str) -> Node:
    match tree:
        case ast.Constant(value=bool()) | ast.Constant(value=str()):
            pass
        case ast.Constant(value=int() as value):
            return num(value)
        case ast.Constant(value=float()):
            return num(_decimal(ast.get_source_segment(source.strip(), tree) or str(tree.value)))
        case ast.Name(id="Omega"):
            raise Malformed(f"{source[:200]!r}: Omega stands in forall only; it is no number and no index")
        case ast.Name(id="oo" | "inf" | "infty" as name):
            raise Malformed(f"{source[:200]!r}: {name} is no number; oo stands for the end of a forall only")
        case ast.Name(id=name):
            return sym(name)
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() as value)) if not isinstance(value, bool):
            return num(-value)
        case ast.UnaryOp(op=ast.USub(), operand=inner):
            return Node("neg", (_read(inner, source),))
        case ast.UnaryOp(op=ast.UAdd(), operand=inner):
            return _read(inner, source)
        case ast.BinOp(left=left, op=op, right=right) if type(op) in BINARY:
            return _fold(BINARY[type(op)], _read(left, source), _read(right, source))
        case ast.Attribute(value=inner, attr="T"):
            return Node("T", (_read(inner, source),))
        case ast.Subscript(value=inner, slice=ast.Tuple(elts=indices)) if indices:
            return Node("index", (_read(inner, source), *(_read(i, source) for i in indices)))
        case ast.Subscript(value=inner, slice=index) if not isinstance(index, ast.Tuple):
            return Node("index", (_read(inner, source), _read(index, source)))
        case ast.List(elts=items) if items:
            return Node("list", tuple(_read(item, source) for item in items))
        case ast.Call(func=ast.Name(id="E"), args=[ast.Name(id=name), body], keywords=[]):
            return Node("mean", (sym(name), _read(body, source)))
        case ast.Call(func=ast.Name(id=name), args=args, keywords=[]):
            arity = FUNCTIONS.get(name) or BINDERS.get(name) or (len(args) if name in MANY and len(args) >= 2 else None)
            bound = name not in BINDERS or isinstance(args[0] if args else None, ast.Name)
            if arity == len(args) and bound and name != "forall":
                return Node(name, tuple(_read(arg, source) for arg in args))
            if arity is None and args and name not in MANY:
                return Node("call", tuple(_read(arg, source) for arg in args), name)
    shown = ast.get_source_segment(source.strip(), tree) or source
    raise Malformed(
        f"{shown[:120]!r} is not in the formula language; it has {', '.join([*FUNCTIONS, *MANY, *BINDERS])}"
    )


def _decimal(written: str) -> Fraction:
    """1e-3 as it is written; a number of a million digits is none that anybody computes with."""
    power = written.lower().partition("e")[2]
    if power and abs(int(power)) > MAX_POWER:
        raise Malformed(f"the power of ten in {written[:60]} is above {MAX_POWER}; give the number a name")
    return Fraction(written)


def _fold(op: str, left: Node, right: Node) -> Node:
    """A quotient of two integers is a number, so that 1/3 reads back as the rational that it is."""
    if op == "/" and left.op == right.op == "num" and right.value:
        return num(Fraction(left.value) / Fraction(right.value))
    return Node(op, (left, right))


RANK = {"+": 1, "-": 1, "*": 2, "/": 2, "@": 2, "neg": 3, "**": 4}


@lru_cache(maxsize=50_000)
def text(node: Node) -> str:
    """Write a formula so that `parse` gives it back."""
    op, args = node.op, node.args
    if op == "num":
        value = Fraction(node.value)
        return str(value.numerator) if value.denominator == 1 else f"{value.numerator}/{value.denominator}"
    if op == "sym":
        return str(node.value)
    if op == "neg":
        return f"-{_wrap(args[0], 3)}"
    if op in ("+", "-", "*", "/", "@"):
        rank = RANK[op]
        return (
            f"{_wrap(args[0], rank)} {op} {_wrap(args[1], rank + 1)}"
            if rank == 1
            else (f"{_wrap(args[0], rank)}{op}{_wrap(args[1], rank + 1)}")
        )
    if op == "**":
        return f"{_wrap(args[0], 5)}**{_wrap(args[1], 5)}"
    if op == "T":
        return f"{_wrap(args[0], 5)}.T"
    if op == "index":
        return f"{_wrap(args[0], 5)}[{', '.join(map(text, args[1:]))}]"
    if op in ("list", "blocks", "row"):
        return f"[{', '.join(map(text, args))}]"
    if op == "letter":
        at = f"[{', '.join(map(text, args))}]" if args else ""
        return f"{node.value.name}{at}"
    if op == "domain":
        return f"sample({node.value})"
    if op == "points":
        return f"vector({text(args[0])})"
    if op == "call":
        op = str(node.value)
    return f"{op}({', '.join(map(text, args))})"


def _wrap(node: Node, rank: int) -> str:
    inner = text(node)
    own = RANK.get(node.op, 9)
    if node.op == "num":
        own = 2 if "/" in inner else 9
        own = min(own, 3) if inner.startswith("-") else own
    return f"({inner})" if own < rank else inner


def walk(node: Node) -> Iterator[Node]:
    yield node
    for arg in node.args:
        yield from walk(arg)


def symbols(node: Node) -> frozenset[str]:
    """Names that are free in the formula."""
    if node._names is None:
        object.__setattr__(node, "_names", _free_names(node))
    return node._names or frozenset()


def _free_names(node: Node) -> frozenset[str]:
    if node.op == "sym":
        return frozenset({str(node.value)})
    if node.op == "letter":
        return frozenset({node.value.name}).union(*map(symbols, node.args))
    if node.op in BINDERS:
        bound = str(node.args[0].value)
        outside = symbols(node.args[1]) | symbols(node.args[2]) if node.op != "mean" else frozenset()
        return outside | (symbols(node.args[-1]) - {bound})
    return frozenset().union(*(symbols(arg) for arg in node.args)) if node.args else frozenset()


@lru_cache(maxsize=50_000)
def spaces_of(node: Node) -> frozenset[str]:
    """The names of the probability spaces over which the formula takes means."""
    own = {str(node.args[0].value)} if node.op == "mean" else set()
    return frozenset(own).union(*(spaces_of(arg) for arg in node.args))


def relation_symbols(relation: Relation) -> frozenset[str]:
    free = symbols(relation.left) | symbols(relation.right)
    for index, lo, hi in reversed(relation.binders):
        free = (free - {index}) | symbols(lo) | (symbols(hi) if hi != FOREVER else frozenset())
    return free


def indexed(relation: Relation) -> frozenset[tuple[str, int]]:
    """Free names that stand before an index, each with the number of its indices."""
    inside = _indexed(relation.left) | _indexed(relation.right)
    for name, lo, hi in reversed(relation.binders):
        inside = frozenset(one for one in inside if one[0] != name) | _indexed(lo) | _indexed(hi)
    return inside


def _indexed(node: Node) -> frozenset[tuple[str, int]]:
    inner = [_indexed(arg) for arg in node.args]
    if node.op == "index" and node.args[0].op == "sym":
        inner.append(frozenset({(str(node.args[0].value), len(node.args) - 1)}))
    if node.op in BINDERS:
        inner[-1] = frozenset(one for one in inner[-1] if one[0] != node.args[0].value)
    return frozenset().union(*inner)


def numbers(node: Node) -> frozenset[str]:
    """Free names that stand without an index."""
    if node.op == "sym":
        return frozenset({str(node.value)})
    if node.op == "index" and node.args[0].op == "sym":
        return frozenset().union(*map(numbers, node.args[1:]))
    if node.op in BINDERS:
        bound = str(node.args[0].value)
        return frozenset().union(*map(numbers, node.args[1:-1])) | (numbers(node.args[-1]) - {bound})
    return frozenset().union(*map(numbers, node.args))


def relation_numbers(relation: Relation) -> frozenset[str]:
    inside = numbers(relation.left) | numbers(relation.right)
    for index, lo, hi in reversed(relation.binders):
        inside = (inside - {index}) | numbers(lo) | (numbers(hi) if hi != FOREVER else frozenset())
    return inside


def counting(relation: Relation) -> frozenset[str]:
    """Names that stand in an exponent, an index, a number of steps or an end of a range: integers by their place."""
    ends = [end for _, *both in relation.binders for end in both]
    parts = [part for side in (relation.left, relation.right) for part in walk(side)]
    places = [*ends, *(place for part in parts for place in _integers(part))]
    return frozenset().union(*map(symbols, places))


def _integers(part: Node) -> tuple[Node, ...]:
    match part.op:
        case "**" | "iterate":
            return part.args[1:2]
        case "sum" | "prod":
            return part.args[1:3]
        case "index":
            return part.args[1:]
        case "letter":
            return tuple(one for one, kind in zip(part.args, part.value.indices, strict=True) if kind == "nat")
    return ()


def substitute(node: Node, env: Mapping[str, Node]) -> Node:
    """Put formulas in for names; bound names are left alone, and a capture is refused."""
    if "Omega" in env or "oo" in env:
        raise Malformed("Omega is the probability space and oo the end of a range; nothing is put in for them")
    if symbols(node).isdisjoint(env):
        return node
    if node.op == "sym":
        return env.get(str(node.value), node)
    if node.op == "letter" and node.value.name in env:
        raise Malformed(f"{text(node)[:120]} is a matrix or random; a formula for a number is not put in for it")
    if node.op in BINDERS:
        bound = str(node.args[0].value)
        body = {k: v for k, v in env.items() if k != bound and k in symbols(node.args[-1])}
        if any(bound in symbols(v) for v in body.values()):
            raise Malformed(
                f"{text(node)[:120]}: the bound name {bound} would capture a substituted formula; rename it"
            )
        middle = tuple(substitute(arg, env) for arg in node.args[1:-1])
        return Node(node.op, (node.args[0], *middle, substitute(node.args[-1], body)), node.value)
    args = tuple(substitute(arg, env) for arg in node.args)
    if node.op == "neg" and args[0].op == "num":  # as it would be read
        return num(-args[0].value)
    return _fold(node.op, *args) if node.op == "/" else Node(node.op, args, node.value)


def put_family(node: Node, name: str, indices: tuple[str, ...], body: Node) -> Node:
    """A formula in its indices in the place of a family: r[e] becomes the body at e. A capture is refused."""
    if name not in symbols(node):
        return node
    if node.op == "sym":
        raise Malformed(f"{name} stands without an index; a formula is put in for its entries")
    outside = symbols(body).difference(indices)
    if node.op in BINDERS and str(node.args[0].value) in outside | {name}:
        raise Malformed(f"{text(node)[:120]}: the bound name {node.args[0].value} would capture {text(body)[:80]}")
    if node.op == "index" and node.args[0] == sym(name):
        at = [put_family(one, name, indices, body) for one in node.args[1:]]
        if len(at) != len(indices):
            raise Malformed(f"{text(node)[:120]}: {name} has {len(at)} indices here, and {len(indices)} are put in")
        return substitute(body, dict(zip(indices, at, strict=True)))
    return Node(node.op, tuple(put_family(arg, name, indices, body) for arg in node.args), node.value)


def put_family_relation(relation: Relation, name: str, indices: tuple[str, ...], body: Node) -> Relation:
    outside = symbols(body).difference(indices)
    for index, lo, hi in relation.binders:
        if index in outside | {name} or name in symbols(lo) | symbols(hi):
            raise Malformed(f"{relation}: the bound name {index} would capture {text(body)[:80]}")
    left, right = (put_family(side, name, indices, body) for side in (relation.left, relation.right))
    return Relation(relation.op, left, right).under(relation.binders)


def substitute_relation(relation: Relation, env: Mapping[str, Node]) -> Relation:
    if relation.binder is None:
        return Relation(relation.op, substitute(relation.left, env), substitute(relation.right, env))
    index, lo, hi = relation.binder
    inner = {k: v for k, v in env.items() if k != index}
    if any(index in symbols(v) for k, v in inner.items() if k in relation_symbols(relation)):
        raise Malformed(f"{relation}: the bound name {index} would capture a substituted formula; rename it")
    body = substitute_relation(relation.under(relation.more), inner)
    return body.under(((index, substitute(lo, env), substitute(hi, env)), *body.binders))


def replace(node: Node, old: Node, new: Node) -> Node:
    """Replace every free occurrence of a subformula; where a binder captures one of its names it is another thing."""
    if node == old:
        return new
    if not node.args or not symbols(old) <= symbols(node):
        return node
    if node.op in BINDERS and str(node.args[0].value) in symbols(old):
        outer = tuple(replace(arg, old, new) for arg in node.args[1:-1])
        return Node(node.op, (node.args[0], *outer, node.args[-1]), node.value)
    result = Node(node.op, tuple(replace(arg, old, new) for arg in node.args), node.value)
    if node.op in BINDERS and str(node.args[0].value) in symbols(new) and result.args[-1] != node.args[-1]:
        raise Malformed(f"{text(node)[:120]}: the bound name {node.args[0].value} would capture {text(new)[:80]}")
    return result


def replace_relation(relation: Relation, old: Node, new: Node) -> Relation:
    if relation.binder is None:
        return Relation(relation.op, replace(relation.left, old, new), replace(relation.right, old, new))
    index, lo, hi = relation.binder
    ends = (index, replace(lo, old, new), replace(hi, old, new))
    body = relation.under(relation.more)
    if index not in symbols(old):
        body = replace_relation(body, old, new)
        if index in symbols(new) and body != relation.under(relation.more):
            raise Malformed(f"{relation}: the bound name {index} would capture {text(new)[:80]}")
    return body.under((ends, *body.binders))
