"""Vectors and matrices of every size, random quantities and their samples: what a declared name is, and what a formula.

A claim declares its names in `kinds`:

    vector(d)  matrix(m, n)  symmetric(n)  psd(n)  pd(n)      of every size; psd and pd are symmetric as well
    real[S]  vector(d)[S]                                      random: one value for every point of the space S
    matrix(n, n)[nat]  vector(d)[nat, H]                       a sequence of them, a random sequence
    sample(S)                                                  a name for a point of S, free in the claim
    history(S)                                                 a space whose points are sequences of samples of S

Sizes are linear forms in names, equal only as such forms. A number is a 1 x 1 matrix. A declared name becomes a
`letter` that carries its kind, so that no rule can take a matrix for a number.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import lru_cache

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
        return _sized(elaborate(node, self.with_samples(samples or {})))

    def read_relation(self, source: str) -> Relation:
        relation = unfold_relation(parse_relation(source), self.notions)
        if not self.letters:
            return relation
        relation = elaborate_relation(relation, self)
        check_kinds(relation)
        return relation

    def with_samples(self, samples: Mapping[str, str]) -> World:
        taken = sorted(set(samples) & (set(self.samples) | set(self.letters)))
        if taken:
            raise Malformed(f"the sample {taken[0]} has the name of something else; rename it")
        return replace(self, samples={**self.samples, **samples})

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
            symbols(one.start) | symbols(one.body) - {one.time, one.past, one.fresh} for one in self.steps.values()
        )
        clauses = (symbols(c.body) - set(c.names) for many in self.clauses.values() for c in many)
        return frozenset().union(*steps, *clauses)

    @property
    def sizes(self) -> frozenset[str]:
        return frozenset(n for one in self.letters.values() for side in (one.rows, one.cols) for n, _ in side if n)


@dataclass(frozen=True, slots=True)
class Step:
    """A random recursion: the state at time 0, and at t + 1 from the state at t and one fresh sample."""

    history: str
    space: str
    start: Node
    time: str
    past: str
    fresh: str
    body: Node


@dataclass(frozen=True, slots=True)
class Clause:
    """A part of the definition of a sequence: its value where each index is 0, a name, or a name + 1."""

    head: Node
    body: Node

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(sorted(symbols(self.head) - {self.head.value.name}))


def _sized(node: Node) -> Node:
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
    return World(letters, samples, histories)


def _declaration(name: str, kind: str) -> tuple[str, list[ast.expr], tuple[str, ...]]:
    try:
        tree = ast.parse(kind.strip(), mode="eval").body
    except (SyntaxError, ValueError):
        raise Malformed(f"{name}: {kind!r} is not a kind; write vector(d), matrix(m, n)[nat], real[S], …") from None
    indices: tuple[str, ...] = ()
    if isinstance(tree, ast.Subscript):
        at = tree.slice.elts if isinstance(tree.slice, ast.Tuple) else [tree.slice]
        indices = tuple(one.id if isinstance(one, ast.Name) else "" for one in at)
        tree = tree.value
    base = tree.func if isinstance(tree, ast.Call) else tree
    args = tree.args if isinstance(tree, ast.Call) else []
    wanted = {"vector": 1, "matrix": 2, "symmetric": 1, "psd": 1, "pd": 1, "real": 0, "sample": 1, "history": 1}
    if not isinstance(base, ast.Name) or wanted.get(base.id) != len(args) or "" in indices:
        raise Malformed(f"{name}: {kind!r} is not a kind; write {', '.join(wanted)} with their sizes and indices")
    return base.id, args, indices


def _letter(name: str, base: str, args: list[ast.expr], indices: tuple[str, ...]) -> Letter:
    if any(one != "nat" for one in indices[:-1]):
        raise Malformed(f"{name}: at most one index is a sample, and it is the last one")
    if base == "real" and (not indices or indices[-1] == "nat"):
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
        args = tuple(index_form(arg) for arg in args)
    return _with_ends(Node(node.op, args, node.value))


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
    for one, kind in zip(at, letter.indices, strict=True):
        is_sample = one.op == "sym" and one.value in world.samples
        if kind == "nat" and (is_sample or symbols(one) & (set(world.letters) | set(world.samples))):
            raise Malformed(f"{text(node)[:120]}: {text(one)} is not an integer index")
        if kind != "nat" and not (is_sample and world.samples[str(one.value)] == kind):
            raise Malformed(
                f"{text(node)[:120]}: {text(one)} is not a sample of {kind}; bind it with E({text(one)}, …)"
            )
    return Node("letter", tuple(index_form(one) for one in at), letter)


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
    found = {one.indices[-1] for one in uses if one is not None and one.indices[-1:] not in ((), ("nat",))}
    if len(found) != 1:
        raise Malformed(f"E({name}, {text(body)[:80]}): {name} is a sample of {len(found)} spaces; one is needed")
    return found.pop()


def elaborate_relation(relation: Relation, world: World) -> Relation:
    inner = world
    for name, lo, _ in relation.binders:
        if lo.op == "domain":
            inner = inner.with_samples({name: str(lo.value)})
        elif name in {*world.letters, *world.samples, *world.sizes}:
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
    raise Malformed(f"{text(node)[:160]}: the sizes do not fit together (or the operation has no meaning for them)")


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
        if part.op == "letter" and part.value.indices[-1:] not in ((), ("nat",)):
            name = str(part.args[-1].value)
            if name in symbols(node):
                yield name


# ---- random recursions


def read_steps(steps: tuple[tuple[str, str], ...], world: World) -> dict[str, Step]:
    """`x[0, h]` and `x[t + 1, h]` for each state, in that order.

    A step sees the states at time t on its own past and one fresh sample, and not the law of any state: a step that
    reads the law of the next state would prove x = x + 1.
    """
    found: dict[str, Step] = {}
    starts = {_state(head, world)[0]: (head, body) for head, body in steps[0::2]}
    if len(steps) % 2 or len(starts) != len(steps) // 2:
        raise Malformed("write x[0, h] and x[t + 1, h] for each random recursion, one after the other")
    for (first, begin), (head, body) in zip(steps[0::2], steps[1::2], strict=True):
        name, at, past = _state(first, world)
        name2, at2, past2 = _state(head, world)
        history = world.letters[name].indices[-1]
        _has_no_sign(world.letters[name], head)
        time = next(iter(symbols(at2)), "")
        if (name, past) != (name2, past2) or at != num(0) or at2 != Node("+", (sym(time), num(1))) or name in found:
            raise Malformed(f"{first}, {head}: write x[0, h] and then x[t + 1, h] of the same state")
        space = world.histories[history]
        _is_no_notion((time, past), head, world)
        node = unfold(parse(body), world.notions)
        fresh = _fresh_sample(node, space, world, {past, time})
        inner = world.with_samples({past: history, fresh: space})
        node = _sized(elaborate(node, inner))
        start = _sized(elaborate(unfold(parse(begin), world.notions), world))
        size = world.letters[name].rows, world.letters[name].cols
        if size_of(start) != size or size_of(node) != size:
            raise Malformed(f"{head}: the start and the step have the size of the state")
        _sees_its_past_only(node, head, set(starts), time, past, world)
        if any(part.op == "letter" and set(part.value.indices) & set(world.histories) for part in walk(start)):
            raise Malformed(f"{first}: a random recursion begins at a fixed point")
        found[name] = Step(history, space, start, time, past, fresh, node)
    return found


def _is_no_notion(names: Iterable[str], head: str, world: World) -> None:
    taken = sorted(set(names) & set(world.notions))
    if taken:
        raise Malformed(f"{head}: {taken[0]} is defined by `where`; give the index another name")


def _has_no_sign(letter: Letter, head: str) -> None:
    """What a recursion defines has the properties that are proved of it, and no others."""
    if letter.sign:
        raise Malformed(f"{head}: declare {letter.name} as a matrix; that it is {letter.sign} has to be proved")


def _state(head: str, world: World) -> tuple[str, Node, str]:
    node = parse(head)
    name = str(node.args[0].value) if node.op == "index" and node.args[0].op == "sym" else ""
    letter = world.letters.get(name)
    known = letter is not None and len(letter.indices) == 2 == len(node.args) - 1 and node.args[2].op == "sym"
    if letter is None or not known or letter.indices[0] != "nat" or letter.indices[1] not in world.histories:
        raise Malformed(f"{head}: a state is declared as vector(d)[nat, H] with H a history(S)")
    return name, node.args[1], str(node.args[2].value)


def _fresh_sample(node: Node, space: str, world: World, taken: set[str]) -> str:
    """The one free sample of the step."""
    letters = (part for part in walk(node) if part.op == "index" and part.args[0].op == "sym")
    ours = [p for p in letters if str(p.args[0].value) in world.letters]
    names = {str(p.args[-1].value) for p in ours if world.letters[str(p.args[0].value)].indices[-1:] == (space,)}
    free = sorted((names & symbols(node)) - taken - set(world.samples))
    if len(free) > 1:
        raise Malformed(f"{text(node)[:120]}: a step has one fresh sample, found {', '.join(free)}")
    return free[0] if free else "fresh'"


def _sees_its_past_only(node: Node, head: str, states: set[str], time: str, past: str, world: World) -> None:
    for part in walk(node):
        of_past = part.op == "letter" and part.value.indices[-1:] and part.value.indices[-1] in world.histories
        if of_past and (part.value.name not in states or part.args != (sym(time), sym(past))):
            raise Malformed(f"{head}: a step sees the states at time {time} on the past {past}, not {text(part)}")
        if part.op in BINDERS and str(part.args[0].value) in (time, past):
            raise Malformed(f"{head}: the name {part.args[0].value} is bound inside the step; rename it")


def start_of(name: str, step: Step, world: World) -> Relation:
    domain = Node("domain", value=step.history)
    state = Node("letter", (num(0), sym(step.past)), world.letters[name])
    return Relation("==", state, step.start).under(((step.past, domain, domain),))


# ---- sequences that are defined by recursion


def read_clauses(steps: tuple[tuple[str, str], ...], world: World) -> dict[str, tuple[Clause, ...]]:
    """`C[0]` and `C[t + 1]`; also with further indices, `C[0, t + 1]` and `C[l + 1, t + 1]`.

    The last index counts down to 0, in all clauses at once, so that there is one such sequence; no two clauses of a
    sequence fit the same indices, so that they cannot contradict each other.
    """
    found: dict[str, list[Clause]] = {}
    for head, body in steps:
        place = parse(head)
        letter = world.letters[str(place.args[0].value)]
        if not all(map(_is_pattern, place.args[1:])) or len(symbols(place)) != 1 + sum(
            map(len, map(symbols, place.args[1:]))
        ):
            raise Malformed(f"{head}: an index is 0, a name, or a name + 1, each name once")
        last = place.args[-1]
        if last.op == "sym":
            raise Malformed(f"{head}: the last index counts; write 0 or t + 1 for it")
        _has_no_sign(letter, head)
        names = symbols(place) - {letter.name}
        _is_no_notion(names, head, world)
        if names & (set(world.letters) | set(world.samples) | set(world.histories) | world.sizes):
            raise Malformed(f"{head}: an index has the name of something else; rename it")
        clause = Clause(_sized(elaborate(place, world)), _sized(elaborate(unfold(parse(body), world.notions), world)))
        if size_of(clause.head) != size_of(clause.body):
            raise Malformed(f"{head}: the right side has another size")
        found.setdefault(letter.name, []).append(clause)
    for name, clauses in found.items():
        for i, one in enumerate(clauses):
            if not all(_disjoint(one.head, other.head) for other in clauses[i + 1 :]):
                raise Malformed(f"{name} is defined twice at some index; let one clause have 0 where the other has + 1")
    for clause in (one for clauses in found.values() for one in clauses):
        _counts_down(clause, set(found), world)
    return {name: tuple(clauses) for name, clauses in found.items()}


def is_counted(head: str, world: World) -> bool:
    """Whether the head is of a sequence without samples."""
    node = parse(head)
    letter = world.letters.get(str(node.args[0].value)) if node.op == "index" and node.args[0].op == "sym" else None
    if letter is None or len(letter.indices) != len(node.args) - 1:
        raise Malformed(f"{head} is not a declared sequence with all its indices")
    return all(kind == "nat" for kind in letter.indices)


def _is_pattern(node: Node) -> bool:
    return (
        node == num(0) or node.op == "sym" or (node.op == "+" and node.args[0].op == "sym" and node.args[1] == num(1))
    )


def _disjoint(left: Node, right: Node) -> bool:
    return any({a.op, b.op} == {"num", "+"} for a, b in zip(left.args, right.args, strict=True))


def _counts_down(clause: Clause, defined: set[str], world: World) -> None:
    """Defined sequences stand on the right at the time before only, and states of random recursions nowhere."""
    last = clause.head.args[-1]
    for part in walk(clause.body):
        if part.op == "letter" and part.value.name in defined and (last.op == "num" or part.args[-1] != last.args[0]):
            raise Malformed(f"{text(clause.head)}: {text(part)} stands on the right; only the time before may")
        if part.op == "letter" and part.value.indices[-1:] and part.value.indices[-1] in world.histories:
            raise Malformed(f"{text(clause.head)}: a sequence is not defined by the states of a random recursion")
        if part.op in BINDERS and str(part.args[0].value) in clause.names:
            raise Malformed(f"{text(clause.head)}: the name {part.args[0].value} is bound on the right; rename it")


def definition(clause: Clause) -> Relation:
    """The clause as a fact for all of its indices."""
    ranges = tuple((name, num(0), FOREVER) for name in clause.names)
    return Relation("==", clause.head, clause.body).under(ranges)
