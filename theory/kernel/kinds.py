"""Vectors and matrices of every size, random quantities and their samples: what a declared name is, and what a formula.

A claim declares its names in `kinds`:

    vector(d)  matrix(m, n)  symmetric(n)  psd(n)  pd(n)      of every size; psd and pd are symmetric as well
    real[S]  vector(d)[S]                                      random: one value for every point of the space S
    matrix(n, n)[nat]  vector(d)[nat, H]                       a sequence of them, a random sequence
    real[vector(d)]  real[vector(d), S]                        a function of a vector, a random function
    sample(S)                                                  a name for a point of S, free in the claim
    history(S)                                                 a space whose points are sequences of samples of S;
                                                               S may be a history itself: a loop inside a loop

Sizes are linear forms in names, equal only as such forms. A number is a 1 x 1 matrix. A declared name becomes a
`letter` that carries its kind, so that no rule can take a matrix for a number. The argument of a function is one
letter, with its own indices, and does not depend on the sample of the function: f[x[t, h], w], never f[a[w], w].
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property, lru_cache

from theory.kernel.errors import Malformed
from theory.kernel.lang import (
    BINDERS,
    FOREVER,
    Node,
    Relation,
    num,
    parse,
    parse_relation,
    substitute,
    sym,
    symbols,
    text,
    walk,
)
from theory.kernel.notions import Notions, unfold, unfold_relation

Size = tuple[tuple[str, int], ...]  # a linear form: names with natural factors, "" for the constant
ONE: Size = (("", 1),)
Shape = tuple[Size, Size]
NUMBER: Shape = (ONE, ONE)
SIGNS = {"vector": "", "matrix": "", "real": "", "symmetric": "symmetric", "psd": "psd", "pd": "pd"}


@dataclass(frozen=True, slots=True)
class Letter:
    """A declared name: the kinds of its indices ("nat" or a space), its size, whether it is its own transpose."""

    name: str
    indices: tuple[str, ...]
    rows: Size
    cols: Size
    sign: str = ""

    @property
    def symmetric(self) -> bool:
        return self.sign in ("symmetric", "psd", "pd")

    @property
    def space(self) -> str | None:
        """The space of its sample, the last index, if it is random."""
        last = self.indices[-1] if self.indices else "nat"
        return None if last == "nat" or is_point(last) else last


def is_point(kind: str) -> bool:
    """Whether an index of this kind is a vector: the letter is a function of it."""
    return kind.startswith("vector(")


@lru_cache(maxsize=1_000)
def point_size(kind: str) -> Size:
    return size_from(ast.parse(kind, mode="eval").body.args[0])  # type: ignore[attr-defined]


@dataclass(frozen=True, eq=False)
class World:
    """All that a claim declares: letters, free samples with their spaces, histories with the space of one sample,
    the steps of random recursions, and its notions."""

    letters: Mapping[str, Letter] = field(default_factory=dict)
    samples: Mapping[str, str] = field(default_factory=dict)
    histories: Mapping[str, str] = field(default_factory=dict)
    notions: Notions = field(default_factory=dict)
    steps: Mapping[str, Step] = field(default_factory=dict)
    clauses: Mapping[str, tuple[Clause, ...]] = field(default_factory=dict)

    def read(self, source: str, samples: Mapping[str, str] | None = None) -> Node:
        """A formula of a certificate, in the names of the claim."""
        node = unfold(parse(source), self.notions)
        if not self.letters:
            return node
        return sized(elaborate(node, self.with_samples(samples or {})))

    def read_relation(self, source: str) -> Relation:
        relation = unfold_relation(parse_relation(source), self.notions)
        if not self.letters:
            return relation
        relation = elaborate_relation(relation, self)
        check_kinds(relation)
        return relation

    def with_samples(self, samples: Mapping[str, str]) -> World:
        taken = sorted(set(samples) & {*self.samples, *self.letters, *self.sizes})
        if taken:
            raise Malformed(f"the sample {taken[0]} has the name of something else; rename it")
        return replace(self, samples={**self.samples, **samples})

    def with_vector(self, name: str, size: Size) -> World:
        if name in self.declared or any(part and part not in self.sizes for part, _ in size):
            raise Malformed(f"the vector {name} has the name of something else, or a size that nothing here has")
        return replace(self, letters={**self.letters, name: Letter(name, (), size, ONE)})

    @property
    def names(self) -> frozenset[str]:
        """Everything that has a meaning already: no rule gives such a name to something else."""
        return self.declared | self.parameters

    @property
    def declared(self) -> frozenset[str]:
        return frozenset().union(self.letters, self.samples, self.histories, self.notions, self.sizes)

    @property
    def parameters(self) -> frozenset[str]:
        """Free names of the recursions: the states and sequences depend on them, wherever they stand."""
        steps = (
            (symbols(one.start) | symbols(one.body)) - {one.time, one.past, one.fresh, *one.params}
            for one in self.steps.values()
        )
        clauses = (symbols(c.body) - set(c.names) for many in self.clauses.values() for c in many)
        return frozenset().union(*steps, *clauses)

    @cached_property
    def sizes(self) -> frozenset[str]:
        sides = (
            side
            for one in self.letters.values()
            for side in (one.rows, one.cols, *(point_size(kind) for kind in one.indices if is_point(kind)))
        )
        return frozenset(name for side in sides for name, _ in side if name)


@dataclass(frozen=True, slots=True)
class Step:
    """A random recursion: the state at time 0, and at t + 1 from the state at t and one fresh sample.

    `params` are the indices between time and history: numbers and vectors that stay the same from step to step.
    """

    history: str
    space: str
    start: Node
    time: str
    past: str
    fresh: str
    body: Node
    params: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Clause:
    """A part of the definition of a sequence: its value where each index is 0, a name, or a name + 1."""

    head: Node
    body: Node

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(sorted(symbols(self.head) - {self.head.value.name}))


def vector(name: str, kind: str) -> Letter:
    """A parameter that is a vector, as a letter."""
    return Letter(name, (), point_size(kind), ONE)


def sized(node: Node) -> Node:
    if has_letters(node):
        size_of(node)
    return node


def world_of(kinds: Mapping[str, str]) -> World:
    letters: dict[str, Letter] = {}
    samples: dict[str, str] = {}
    histories: dict[str, str] = {}
    for name, kind in kinds.items():
        base, args, indices = _declaration(name, kind)
        if base in ("sample", "history"):
            (samples if base == "sample" else histories)[name] = args[0].id if isinstance(args[0], ast.Name) else ""
        else:
            letters[name] = _letter(name, base, args, indices)
    for name in histories:
        _ends(name, histories)
    return World(letters, samples, histories)


def _ends(name: str, histories: Mapping[str, str]) -> None:
    """A history of histories of … of samples: no history is made of itself."""
    seen = [name]
    while histories[seen[-1]] in histories:
        if histories[seen[-1]] in seen:
            raise Malformed(f"{name}: a history of itself ({' of '.join(seen)})")
        seen.append(histories[seen[-1]])


def _declaration(name: str, kind: str) -> tuple[str, list[ast.expr], tuple[str, ...]]:
    try:
        tree = ast.parse(kind.strip(), mode="eval").body
    except (SyntaxError, ValueError):
        raise Malformed(f"{name}: {kind!r} is not a kind; write vector(d), matrix(m, n)[nat], real[S], …") from None
    indices: tuple[str, ...] = ()
    if isinstance(tree, ast.Subscript):
        at = tree.slice.elts if isinstance(tree.slice, ast.Tuple) else [tree.slice]
        indices = tuple(map(_index_kind, at))
        tree = tree.value
    base = tree.func if isinstance(tree, ast.Call) else tree
    args = tree.args if isinstance(tree, ast.Call) else []
    wanted = {"vector": 1, "matrix": 2, "symmetric": 1, "psd": 1, "pd": 1, "real": 0, "sample": 1, "history": 1}
    if not isinstance(base, ast.Name) or wanted.get(base.id) != len(args) or "" in indices:
        raise Malformed(f"{name}: {kind!r} is not a kind; write {', '.join(wanted)} with their sizes and indices")
    return base.id, args, indices


def _index_kind(tree: ast.expr) -> str:
    match tree:
        case ast.Name(id=name):
            return name
        case ast.Call(func=ast.Name(id="vector"), args=[size], keywords=[]):
            return f"vector({text(size_node(size_from(size)))})"
    return ""


def _letter(name: str, base: str, args: list[ast.expr], indices: tuple[str, ...]) -> Letter:
    rank = [0 if one == "nat" else 1 if is_point(one) else 2 for one in indices]
    if rank != sorted(rank) or rank.count(1) > 1 or rank.count(2) > 1:
        raise Malformed(f"{name}: at most one index is a vector and at most one a sample, and it is the last one")
    if base == "real" and not any(rank):
        raise Malformed(f"{name}: a number that is not random needs no kind; declare real[S] or leave it out")
    sizes = [size_from(one) for one in args]
    rows = sizes[0] if sizes else ONE
    cols = sizes[1] if base == "matrix" else ONE if base == "vector" else rows
    return Letter(name, indices, rows, cols, SIGNS[base])


def size_from(tree: ast.expr | Node) -> Size:
    """A linear form with natural factors: d, 2*d, d + 1."""
    form = _linear(tree) if isinstance(tree, ast.expr) else _linear_node(tree)
    size = tuple(sorted((n, c) for n, c in form.items() if c))
    if not size or any(c < 0 for _, c in size):
        raise Malformed(f"{ast.unparse(tree) if isinstance(tree, ast.expr) else text(tree)} is not a size such as 2*d")
    return size


def _linear(tree: ast.expr) -> dict[str, int]:
    match tree:
        case ast.Constant(value=int() as value) if not isinstance(value, bool):
            return {"": value}
        case ast.Name(id=name):
            return {name: 1}
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            return _plus(_linear(left), _linear(right))
        case ast.BinOp(left=ast.Constant(value=int() as value), op=ast.Mult(), right=right):
            return {n: value * c for n, c in _linear(right).items()}
    raise Malformed(f"{ast.unparse(tree)} is not a size such as 2*d")


def _linear_node(node: Node) -> dict[str, int]:
    if node.op == "num" and Fraction(node.value).denominator == 1:
        return {"": int(node.value)}
    if node.op == "sym":
        return {str(node.value): 1}
    if node.op in ("+", "-"):
        sign = 1 if node.op == "+" else -1
        return _plus(_linear_node(node.args[0]), {n: sign * c for n, c in _linear_node(node.args[1]).items()})
    if node.op == "*" and node.args[0].op == "num":
        factor = _linear_node(node.args[0])[""]
        return {n: factor * c for n, c in _linear_node(node.args[1]).items()}
    raise Malformed(f"{text(node)} is not a size or an index such as 2*d or t + 1")


@lru_cache(maxsize=50_000)
def index_form(node: Node) -> Node:
    """An index as the linear form that it is, the number last: two indices are equal only if they are written alike."""
    form = _linear_node(node)
    result: Node | None = None
    for name, factor in sorted(form.items()):
        if name and factor:
            term = sym(name) if factor == 1 else Node("*", (num(factor), sym(name)))
            result = term if result is None else Node("+", (result, term))
    shift = form.get("", 0)
    if result is None:
        return num(shift)
    return result if not shift else Node("+" if shift > 0 else "-", (result, num(abs(shift))))


def _plus(left: Mapping[str, int], right: Mapping[str, int]) -> dict[str, int]:
    return {n: left.get(n, 0) + right.get(n, 0) for n in {*left, *right}}


def settled(node: Node) -> Node:
    """Indices of letters in their normal form again, after a substitution."""
    if not has_letters(node):
        return node
    args = tuple(settled(arg) for arg in node.args)
    if node.op == "letter":
        return letter_node(node.value, args)
    return _with_ends(Node(node.op, args, node.value))


def letter_node(letter: Letter, at: Iterable[Node]) -> Node:
    """A letter at its indices, each in its normal form."""
    args = tuple(one if is_point(kind) else index_form(one) for one, kind in zip(at, letter.indices, strict=True))
    for one, kind in zip(args, letter.indices, strict=True):
        if is_point(kind):
            if one.op != "letter" or size_of(one) != (point_size(kind), ONE):
                raise Malformed(f"{letter.name}[{text(one)[:120]}]: the argument is one letter of size {kind}; name it")
            if letter.space is not None and symbols(args[-1]) & symbols(one):
                raise Malformed(f"{letter.name}[{text(one)[:120]}, {text(args[-1])}]: the argument has the same sample")
    return Node("letter", args, letter)


def put_vectors(node: Node, images: Mapping[str, Node]) -> Node:
    """Formulas in the place of letters without indices, also where they are arguments; a capture is refused."""
    if symbols(node).isdisjoint(images):
        return node
    if node.op == "letter" and node.value.name in images:
        return images[node.value.name]
    if node.op in BINDERS and any(str(node.args[0].value) in symbols(one) for one in images.values()):
        raise Malformed(f"{text(node)[:120]}: the bound name {node.args[0].value} would capture ours; rename it")
    args = tuple(put_vectors(arg, images) for arg in node.args)
    return settled(Node(node.op, args, node.value))


def settled_relation(relation: Relation) -> Relation:
    return Relation(relation.op, settled(relation.left), settled(relation.right)).under(relation.binders)


def total(sizes: tuple[Size, ...]) -> Size:
    form: dict[str, int] = {}
    for size in sizes:
        form = _plus(form, dict(size))
    return tuple(sorted((n, c) for n, c in form.items() if c))


def size_node(size: Size) -> Node:
    result: Node | None = None
    for name, count in size:
        term = num(count) if not name else sym(name) if count == 1 else Node("*", (num(count), sym(name)))
        result = term if result is None else Node("+", (result, term))
    assert result is not None
    return result


# ---- from names to letters


def elaborate(node: Node, world: World) -> Node:
    """Declared names become letters; samples stand as indices of random letters only."""
    return _elaborated(node, world)


def _elaborated(node: Node, world: World) -> Node:
    op, args = node.op, node.args
    if op == "letter":
        return node
    if op == "sym" or (op == "index" and args[0].op == "sym"):
        name = str((args[0] if args else node).value)
        if name in world.letters:
            return _at(world.letters[name], args[1:], world, node)
        if name in world.samples or any(one.op == "sym" and one.value in world.samples for one in args[1:]):
            raise Malformed(f"{text(node)[:120]}: a sample stands only as the index of a declared random quantity")
    if op == "call":
        return _built(node, world)
    if op == "list":
        rows = (tuple(_elaborated(c, world) for c in (row.args if row.op == "list" else (row,))) for row in args)
        return Node("blocks", tuple(Node("row", row) for row in rows))
    if op in BINDERS and op != "mean" and str(args[0].value) in {*world.letters, *world.samples, *world.sizes}:
        raise Malformed(f"{text(node)[:120]}: the bound name {args[0].value} is the name of something else; rename it")
    if op == "mean":
        name, body = _unused(str(args[0].value), args[1], world)
        space = _space_of(name, body, world)
        return Node("mean", (sym(name), _elaborated(body, world.with_samples({name: space}))), space)
    inner = tuple(arg if i == 0 and op in BINDERS else _elaborated(arg, world) for i, arg in enumerate(args))
    return _with_ends(Node(op, inner, node.value))


def _with_ends(node: Node) -> Node:
    """A sum of letters is one letter: its ends are written in one way."""
    if node.op != "sum" or not has_letters(node):
        return node
    return Node("sum", (node.args[0], index_form(node.args[1]), index_form(node.args[2]), node.args[3]))


def _at(letter: Letter, at: tuple[Node, ...], world: World, node: Node) -> Node:
    if len(at) != len(letter.indices):
        raise Malformed(f"{text(node)[:120]}: {letter.name} has {len(letter.indices)} indices, {len(at)} are given")
    places: list[Node] = []
    for one, kind in zip(at, letter.indices, strict=True):
        is_sample = one.op == "sym" and one.value in world.samples
        places.append(_elaborated(one, world) if is_point(kind) else one)
        if is_point(kind):
            continue
        if kind == "nat" and (is_sample or symbols(one) & (set(world.letters) | set(world.samples))):
            raise Malformed(f"{text(node)[:120]}: {text(one)} is not an integer index")
        if kind != "nat" and not (is_sample and world.samples[str(one.value)] == kind):
            raise Malformed(
                f"{text(node)[:120]}: {text(one)} is not a sample of {kind}; bind it with E({text(one)}, …)"
            )
    return letter_node(letter, places)


def _built(node: Node, world: World) -> Node:
    name, args = node.value, node.args
    unknown = sorted(frozenset().union(*map(symbols, args)) - world.sizes) if name in ("I", "O") else []
    if unknown:
        raise Malformed(f"{text(node)[:120]}: {unknown[0]} is not the size of a declared vector or matrix")
    if name == "I" and len(args) == 1:
        return Node("I", args)
    if name == "O" and len(args) == 2:
        return Node("O", args)
    raise Malformed(f"{text(node)[:120]}: {name} is not defined; define it with `where`, or use I(n), O(m, n)")


def _unused(name: str, body: Node, world: World) -> tuple[str, Node]:
    """A bound sample whose name is taken outside gets another one."""
    if name in world.letters:
        raise Malformed(f"E({name}, …): {name} is the name of something else; rename it")
    if name not in world.samples:
        return name, body
    taken = {*world.letters, *world.samples, *(str(part.value) for part in walk(body) if part.op == "sym")}
    new = next(f"{name}{i}" for i in range(1, 1000) if f"{name}{i}" not in taken)
    return new, substitute(body, {name: sym(new)})


def _uses(node: Node, name: str) -> Iterator[Node]:
    """The indexed names in which the sample stands free, as their last index."""
    if node.op in BINDERS and str(node.args[0].value) == name:
        return
    if node.op == "index" and node.args[0].op == "sym" and node.args[-1] == sym(name):
        yield node
    for arg in node.args:
        yield from _uses(arg, name)


def _space_of(name: str, body: Node, world: World) -> str:
    """The space of a bound sample: that of the random letters in which it stands."""
    uses = (world.letters.get(str(part.args[0].value)) for part in _uses(body, name))
    found = {one.space for one in uses if one is not None and one.space is not None}
    if len(found) != 1:
        raise Malformed(f"E({name}, {text(body)[:80]}): {name} is a sample of {len(found)} spaces; one is needed")
    return found.pop()


def elaborate_relation(relation: Relation, world: World) -> Relation:
    inner = world
    for name, lo, _ in relation.binders:
        if lo.op == "domain":
            inner = inner.with_samples({name: str(lo.value)})
        elif lo.op == "points":
            inner = inner.with_vector(name, size_from(lo.args[0]))
        elif name in {*inner.letters, *inner.samples, *inner.sizes}:
            raise Malformed(f"{relation}: the bound name {name} is the name of something else; rename it")
    left, right = (_elaborated(side, inner) for side in (relation.left, relation.right))
    return Relation(relation.op, _zero_like(left, right), _zero_like(right, left)).under(relation.binders)


def _zero_like(node: Node, other: Node) -> Node:
    """`0 << X` and `X == 0`: the zero matrix of the other side's size."""
    if node != num(0) or not has_letters(other) or size_of(other) == NUMBER:
        return node
    return Node("O", tuple(size_node(side) for side in size_of(other)))


# ---- what a formula is


@lru_cache(maxsize=100_000)
def has_letters(node: Node) -> bool:
    """Whether it is read with sizes: a matrix made of plain numbers is, too, for it does not commute."""
    return node.op in ("letter", "I", "O", "blocks", "row") or any(map(has_letters, node.args))


@lru_cache(maxsize=100_000)
def size_of(node: Node) -> Shape:
    """Rows and columns of an elaborated formula; `Malformed` where the parts do not fit."""
    op, args = node.op, node.args
    if op in ("num", "sym"):
        return NUMBER
    if op == "letter":
        return node.value.rows, node.value.cols
    if op == "index":
        return NUMBER if args[0].op == "sym" else _unfit(node)
    if op == "I":
        return size_from(args[0]), size_from(args[0])
    if op == "O":
        return size_from(args[0]), size_from(args[1])
    if op == "blocks":
        return _block_size(node)
    if op == "mean":
        return size_of(args[1])
    if op in BINDERS:
        return _counted(node)
    return _combined(node, [size_of(arg) for arg in args])


def _combined(node: Node, inner: list[Shape]) -> Shape:
    match node.op:
        case "neg":
            return inner[0]
        case "+" | "-" if inner[0] == inner[1]:
            return inner[0]
        case "*" if NUMBER in inner:
            return inner[1] if inner[0] == NUMBER else inner[0]
        case "/" if inner[1] == NUMBER:
            return inner[0]
        case "@" if inner[0][1] == inner[1][0]:
            return inner[0][0], inner[1][1]
        case "**" if inner[1] == NUMBER and inner[0][0] == inner[0][1]:
            if inner[0] == NUMBER or node.args[1].op == "num":
                return inner[0]
        case "T":
            return inner[0][1], inner[0][0]
        case "tr" if inner[0][0] == inner[0][1]:
            return NUMBER
        case "inv" if inner[0] == NUMBER or (node.args[0].op == "letter" and node.args[0].value.sign == "pd"):
            return inner[0]
        case "sqrt" | "abs" | "exp" | "log" | "sin" | "cos" | "min" | "max":
            if all(one == NUMBER for one in inner):
                return NUMBER
    return _unfit(node)


def _counted(node: Node) -> Shape:
    _, *ends, body = node.args
    if node.op == "iterate" or any(has_letters(end) for end in ends):
        return _unfit(node)
    shape = size_of(body)
    return shape if node.op == "sum" or shape == NUMBER else _unfit(node)


def _unfit(node: Node) -> Shape:
    raise Malformed(f"{text(node)[:160]}: the sizes do not fit together; matrices are multiplied with @")


def _block_size(node: Node) -> Shape:
    heights = [size_of(row.args[0])[0] for row in node.args]
    widths = [size_of(cell)[1] for cell in node.args[0].args]
    for row, height in zip(node.args, heights, strict=True):
        if [size_of(cell) for cell in row.args] != [(height, width) for width in widths]:
            _unfit(node)
    return total(tuple(heights)), total(tuple(widths))


def check_kinds(relation: Relation) -> None:
    """Both sides have one size; numbers are compared with <=, square matrices with <<, all with ==."""
    left, right = size_of(relation.left), size_of(relation.right)
    square = left[0] == left[1]
    fits = relation.op in ("==", "!=") or (left == NUMBER and relation.op != "<<") or (square and relation.op == "<<")
    if left != right or not fits:
        raise Malformed(f"{str(relation)[:200]}: the two sides cannot be compared")
    if any(has_letters(end) for _, lo, hi in relation.binders for end in (lo, hi) if end != FOREVER):
        raise Malformed(f"{str(relation)[:200]}: the ends of a range are numbers")


def sample_names(node: Node) -> Iterator[str]:
    """Samples that are free in the formula."""
    for part in walk(node):
        if part.op == "letter" and part.value.space is not None:
            name = str(part.args[-1].value)
            if name in symbols(node):
                yield name
