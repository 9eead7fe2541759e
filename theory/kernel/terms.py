"""The normal form of formulas with matrices of every size and independent samples.

A formula is a sum of terms: a rational function of numbers, times traces and random numbers, times a word of letters.
All means stand outermost: a bound sample is a number that marks letters, and two marks are two independent samples, so
that linearity, Fubini and the product of independent means are built in. The form is unique up to the order of marks
and the rotation and transposition of traces, and those are put in order. What makes this sound:

- a letter depends on one sample of its own at most; the samples of two factors are different samples;
- the argument of a function is a letter, which may depend on another sample: f[x[t, h], w]; no mean stands inside it;
- a mean is positive, linear and normalised, means over independent samples are exchanged, and nothing else is used;
- blocks are written with injections e_i, e_i.T @ e_j = I or 0, and e_1 @ e_1.T = I - the others;
- sizes are equal as linear forms; a word through the size 1 is a number and commutes.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from theory.kernel.errors import Malformed
from theory.kernel.evaluate import evaluate
from theory.kernel.flat import Atoms, fraction_node
from theory.kernel.kinds import (
    NUMBER,
    ONE,
    Letter,
    Size,
    has_letters,
    is_point,
    sample_names,
    size_node,
    size_of,
    total,
)
from theory.kernel.lang import Node, num, parse, sym, symbols, text, walk
from theory.kernel.rings import Frac, RationalFunctions

MAX_SAMPLES = 7
MAX_TERMS = 20_000
INJECTION = "#"


@dataclass(frozen=True, slots=True)
class Occurrence:
    """A letter in a word: with its indices, the mark of its sample, transposed or not (None: its own transpose), and
    the letter that is its argument."""

    name: str
    at: tuple[Any, ...]
    mark: str | int | None
    flip: bool | None
    rows: Size
    cols: Size
    point: Occurrence | None = None

    def transposed(self) -> Occurrence:
        flip = None if self.flip is None else not self.flip
        return replace(self, flip=flip, rows=self.cols, cols=self.rows)

    def remarked(self, new: Mapping[Any, Any]) -> Occurrence:
        """With other marks, also in its argument."""
        if new.keys().isdisjoint(one.mark for one in self.nested()):
            return self
        point = None if self.point is None else self.point.remarked(new)
        return replace(self, mark=new.get(self.mark, self.mark), point=point)

    def nested(self) -> Iterator[Occurrence]:
        """Itself, its argument, the argument of that."""
        yield self
        if self.point is not None:
            yield from self.point.nested()

    @property
    def key(self) -> tuple[Any, ...]:
        own = self.name, repr(self.at), repr(self.mark), repr(self.flip)
        return own if self.point is None else (*own, *self.point.key)


Word = tuple[Occurrence, ...]
Mono = tuple[tuple[str, Any], ...]  # ("tr", word) for traces and random numbers, ("dim", name) for a size
Key = tuple[Mono, Word]
Coefficient = Frac


def _flipped(word: Word) -> Word:
    return tuple(one.transposed() for one in reversed(word))


def _order(word: Word) -> tuple[Any, ...]:
    return tuple(one.key for one in word)


def _cyclic(word: Word) -> Word:
    """The first of all rotations of the word and of its transpose: they have one trace."""
    turned = (w[i:] + w[:i] for w in (word, _flipped(word)) for i in range(len(w)))
    return min(turned, key=_order)


def _pair(a: Occurrence, b: Occurrence) -> list[tuple[int, Word]] | None:
    """What two neighbours make: injections of one partition, a letter and its inverse. None: nothing."""
    if a.name == INJECTION == b.name and a.at[0] == b.at[0]:
        split, i, j = a.at[0], a.at[1], b.at[1]
        if a.flip and not b.flip:
            return [(1, ())] if i == j else []
        if not a.flip and b.flip and i == j == 0:
            others = ((injection(split, k), injection(split, k).transposed()) for k in range(1, len(split)))
            return [(1, ()), *((-1, pair) for pair in others)]
    inverse = a.name == f"inv({b.name})" or b.name == f"inv({a.name})"
    if inverse and (a.at, a.mark, a.point) == (b.at, b.mark, b.point):
        return [(1, ())]
    return None


def injection(split: tuple[Size, ...], i: int) -> Occurrence:
    return Occurrence(INJECTION, (split, i), None, False, total(split), split[i])


def _straight(factor: int, mono: Mono, word: Word) -> Iterator[tuple[int, Mono, Word]]:
    """Neighbours are joined, and parts of size 1 x 1 leave the word as numbers."""
    for i in range(len(word) - 1):
        made = _pair(word[i], word[i + 1])
        if made is not None:
            for sign, middle in made:
                yield from _straight(factor * sign, mono, word[:i] + middle + word[i + 2 :])
            return
    cuts = [i for i, one in enumerate(word) if one.rows == ONE]
    if word and word[-1].cols == ONE:
        cuts.append(len(word))
    if len(cuts) < 2:
        yield factor, mono, word
        return
    numbers = tuple(("tr", word[i:j]) for i, j in itertools.pairwise(cuts))
    yield factor, mono + numbers, word[: cuts[0]] + word[cuts[-1] :]


def _closed(factor: int, mono: Mono, word: Word, size: Size) -> Iterator[tuple[int, Mono]]:
    """The same for a trace: the word is a circle; the trace of an identity is its size."""
    if not word:
        for name, count in size:
            yield factor * count, mono + ((("dim", name),) if name else ())
        return
    for i in range(len(word) if len(word) > 1 else 0):
        turned = word[i:] + word[:i]
        made = _pair(turned[0], turned[1])
        if made is not None:
            for sign, middle in made:
                yield from _closed(factor * sign, mono, middle + turned[2:], turned[0].rows)
            return
    cuts = [i for i, one in enumerate(word) if one.rows == ONE]
    if not cuts:
        yield factor, (*mono, ("tr", word))
        return
    word = word[cuts[0] :] + word[: cuts[0]]
    ends = [i - cuts[0] for i in cuts] + [len(word)]
    yield factor, mono + tuple(("tr", word[i:j]) for i, j in itertools.pairwise(ends))


@lru_cache(maxsize=200_000)
def _settled(mono: Mono, word: Word) -> tuple[tuple[int, Key], ...]:
    """A product of traces and a word as a sum of such in normal form, with integers."""
    partial: list[tuple[int, Mono]] = [(1, ())]
    for kind, inner in mono:
        pieces = [(1, ((kind, inner),))] if kind == "dim" else list(_closed(1, (), inner, inner[0].rows))
        partial = [(x * y, left + right) for x, left in partial for y, right in pieces]
    found: dict[Key, int] = {}
    for factor, scalars in partial:
        for sign, numbers, rest in _straight(factor, scalars, word):
            key = _canonical(numbers, rest)
            found[key] = found.get(key, 0) + sign
    return tuple((factor, key) for key, factor in found.items() if factor)


def _canonical(mono: Mono, word: Word) -> Key:
    marks = sorted({m for m in _marks(mono, word) if isinstance(m, int)})
    if len(marks) > MAX_SAMPLES:
        raise Malformed(f"a term with {len(marks)} independent samples; at most {MAX_SAMPLES} are put in order")
    best: Key | None = None
    for order in itertools.permutations(range(len(marks))):
        candidate = _remarked(mono, word, dict(zip(marks, order, strict=True)))
        if best is None or _key_order(candidate) < _key_order(best):
            best = candidate
    assert best is not None
    return best


def _key_order(key: Key) -> tuple[Any, ...]:
    mono, word = key
    return tuple((kind, inner if kind == "dim" else _order(inner)) for kind, inner in mono), _order(word)


def _remarked(mono: Mono, word: Word, new: dict[Any, Any]) -> Key:
    def one(inner: Word) -> Word:
        return tuple(letter.remarked(new) for letter in inner)

    atoms = ((kind, inner if kind == "dim" else _cyclic(one(inner))) for kind, inner in mono)
    return tuple(sorted(atoms, key=lambda a: (a[0], a[1] if a[0] == "dim" else _order(a[1])))), one(word)


def _marks(mono: Mono, word: Word) -> Iterator[str | int]:
    for inner in (*(inner for kind, inner in mono if kind == "tr"), word):
        yield from (one.mark for letter in inner for one in letter.nested() if one.mark is not None)


class Terms:
    """A sum of terms of one size."""

    __slots__ = ("cols", "ring", "rows", "terms")

    def __init__(self, ring: RationalFunctions, rows: Size, cols: Size) -> None:
        self.ring, self.rows, self.cols = ring, rows, cols
        self.terms: dict[Key, Coefficient] = {}

    def put(self, coefficient: Coefficient, mono: Mono, word: Word) -> None:
        for factor, (scalars, rest) in _settled(mono, word):
            value = coefficient if factor == 1 else coefficient * self.ring.const(factor)  # type: ignore[arg-type]
            for _, name in (one for one in scalars if one[0] == "dim"):
                value = value * self.ring.var(name)
            key = tuple(one for one in scalars if one[0] != "dim"), rest
            known = self.terms.get(key)
            value = value if known is None else known + value
            if value.is_zero:
                self.terms.pop(key, None)
            else:
                self.terms[key] = value
        if len(self.terms) > MAX_TERMS:
            raise Malformed(f"a formula with more than {MAX_TERMS} terms; name its parts")

    def __add__(self, other: Terms) -> Terms:
        result = Terms(self.ring, self.rows, self.cols)
        for side in (self, other):
            for (mono, word), value in side.terms.items():
                result.put(value, mono, word)
        return result

    def __neg__(self) -> Terms:
        result = Terms(self.ring, self.rows, self.cols)
        result.terms = {key: -value for key, value in self.terms.items()}
        return result

    def __mul__(self, other: Terms) -> Terms:
        """A matrix product, or a number times anything; the samples of the two are different ones."""
        scalar = NUMBER in ((self.rows, self.cols), (other.rows, other.cols))
        rows, cols = (self.rows, other.cols) if not scalar else _scaled_size(self, other)
        result = Terms(self.ring, rows, cols)
        for (mono, word), value in self.terms.items():
            shift = 1 + max((m for m in _marks(mono, word) if isinstance(m, int)), default=-1)
            for (mono2, word2), value2 in other.terms.items():
                later = {m: m + shift for m in _marks(mono2, word2) if isinstance(m, int)}
                mono3, word3 = _remarked(mono2, word2, later)
                result.put(value * value2, mono + mono3, word + word3)
        return result

    def transposed(self) -> Terms:
        result = Terms(self.ring, self.cols, self.rows)
        for (mono, word), value in self.terms.items():
            result.put(value, mono, _flipped(word))
        return result

    def trace(self) -> Terms:
        result = Terms(self.ring, ONE, ONE)
        for (mono, word), value in self.terms.items():
            for factor, numbers in _closed(1, mono, word, self.rows):
                result.put(value * self.ring.const(factor), numbers, ())  # type: ignore[arg-type]
        return result

    def mean(self, sample: str) -> Terms:
        """The sample is bound: it gets a mark that no other has."""
        result = Terms(self.ring, self.rows, self.cols)
        for (mono, word), value in self.terms.items():
            new = 1 + max((m for m in _marks(mono, word) if isinstance(m, int)), default=-1)
            result.put(value, *_remarked(mono, word, {sample: new}))
        return result

    def rebuilt(self, image: Callable[[Key], tuple[Callable[[Occurrence], Terms | None], Iterable[str]]]) -> Terms:
        """Letters are replaced by sums of terms. Bound samples are opened meanwhile, and bound again afterwards."""
        result = Terms(self.ring, self.rows, self.cols)
        for (mono, word), value in self.terms.items():
            names = {m: f"'{m}" for m in _marks(mono, word) if isinstance(m, int)}
            mono, word = _remarked(mono, word, names)
            put, fresh = image((mono, word))
            term = number(value, self.ring)
            for _, inner in mono:
                term = term * self._product(inner, put).trace()
            whole = self._product(word, put) if word else identity(self.ring, self.rows, self.cols)
            term = term * whole
            for sample in (*names.values(), *fresh):
                term = term.mean(sample)
            result = result + term
        return result

    def _product(self, word: Word, put: Callable[[Occurrence], Terms | None]) -> Terms:
        result: Terms | None = None
        for one in word:
            factor = put(one)
            factor = single(self.ring, one) if factor is None else factor
            result = factor if result is None else result * factor
        assert result is not None
        return result

    def __str__(self) -> str:
        return " + ".join(_shown(key, value) for key, value in list(self.terms.items())[:6]) or "0"


def _scaled_size(a: Terms, b: Terms) -> tuple[Size, Size]:
    return (b.rows, b.cols) if (a.rows, a.cols) == NUMBER else (a.rows, a.cols)


def number(value: Coefficient, ring: RationalFunctions) -> Terms:
    result = Terms(ring, ONE, ONE)
    if not value.is_zero:
        result.terms = {((), ()): value}
    return result


def identity(ring: RationalFunctions, rows: Size, cols: Size) -> Terms:
    if rows != cols:
        raise Malformed("an identity is square")
    result = Terms(ring, rows, cols)
    result.terms = {((), ()): ring.const(1)}  # type: ignore[arg-type]
    return result


def single(ring: RationalFunctions, one: Occurrence) -> Terms:
    result = Terms(ring, one.rows, one.cols)
    result.put(ring.const(1), (), (one,))  # type: ignore[arg-type]
    return result


def _shown(key: Key, value: Coefficient) -> str:
    def letter(one: Occurrence) -> str:
        point = [] if one.point is None else [letter(one.point)]
        at = ", ".join([*map(str, one.at), *point, *([f"sample {one.mark}"] if one.mark is not None else [])])
        return one.name + (f"[{at}]" if at else "") + (".T" if one.flip else "")

    mono, word = key
    parts = [inner if kind == "dim" else f"tr({' '.join(map(letter, inner))})" for kind, inner in mono]
    return " * ".join([f"({value.num})/({value.den})", *parts, " ".join(map(letter, word))])


# ---- from formulas


def scalar_names(nodes: Iterable[Node]) -> tuple[str, ...]:
    """The names of all numbers that will stand in coefficients, sizes among them."""
    return scalar_atoms(nodes)[0]


def scalar_atoms(nodes: Iterable[Node]) -> tuple[tuple[str, ...], dict[str, Node]]:
    """Those names, and what the ones that are no plain names stand for."""
    found: set[str] = set()
    atoms = Atoms()
    for node in nodes:
        found |= {name for part in walk(node) if part.op in ("letter", "I", "O") for name in _sizes(part)}
        for part in _scalar_parts(node):
            found |= symbols(atoms.flatten(part))
    return tuple(sorted(found)), atoms.opaque


def _sizes(node: Node) -> Iterator[str]:
    yield from (name for side in size_of(node) for name, _ in side if name)


def _scalar_parts(node: Node) -> Iterator[Node]:
    if not has_letters(node) or _is_opaque_number(node):
        yield node
    elif node.op not in ("letter", "I", "O") and not _is_opaque_matrix(node):
        for arg in node.args[1:] if node.op == "mean" else node.args[:1] if node.op == "**" else node.args:
            yield from _scalar_parts(arg)


def _is_opaque_number(node: Node) -> bool:
    """A root of a number with letters, a sum of such: one number, if it does not depend on a sample."""
    plain = ("+", "-", "*", "/", "neg", "@", "T", "tr", "mean", "letter", "blocks", "row", "inv", "I", "O")
    power = node.op == "**" and is_natural_number(node.args[1])
    return node.op not in plain and not power and node.op != "row" and size_of(node) == NUMBER


def is_natural_number(node: Node) -> bool:
    return node.op == "num" and node.value >= 0 and node.value.denominator == 1


def _is_opaque_matrix(node: Node) -> bool:
    return node.op == "sum"


def normal(node: Node, ring: RationalFunctions) -> Terms:
    """The normal form of an elaborated formula."""
    op, args = node.op, node.args
    if not has_letters(node) or _is_opaque_number(node):
        return _coefficient(node, ring)
    if op == "letter":
        return single(ring, occurrence(node))
    if op in ("I", "O"):
        rows, cols = size_of(node)
        return identity(ring, rows, cols) if op == "I" else Terms(ring, rows, cols)
    if op == "inv":
        if args[0].op != "letter":
            raise Malformed(f"{text(node)[:120]}: the inverse of a formula; give it a name")
        one = occurrence(args[0])
        return single(ring, replace(one, name=f"inv({one.name})", flip=None))
    if op == "blocks":
        return _blocks(node, ring)
    if op == "mean":
        if node.value is None:
            raise Malformed(f"{text(node)[:120]}: a mean over numbers alone; letters stand below E over a sample")
        return normal(args[1], ring).mean(str(args[0].value))
    if _is_opaque_matrix(node):
        return single(ring, occurrence(node))
    return _arithmetic(node, ring)


def _arithmetic(node: Node, ring: RationalFunctions) -> Terms:
    op, args = node.op, node.args
    size_of(node)
    if op == "/":
        divisor = normal(args[1], ring)
        if set(divisor.terms) - {((), ())}:
            raise Malformed(f"{text(node)[:120]}: a number with letters divides; give it a name")
        if not divisor.terms:
            raise Malformed(f"{text(node)[:120]}: division by zero")
        return normal(args[0], ring) * number(ring.const(1) / divisor.terms[((), ())], ring)  # type: ignore[arg-type]
    if op == "**":
        if not is_natural_number(args[1]):
            raise Malformed(f"{text(node)[:120]}: matrices have powers 0, 1, 2, …")
        base, result = normal(args[0], ring), identity(ring, *size_of(args[0]))
        for _ in range(int(args[1].value)):
            result = result * base
        return result
    parts = [normal(arg, ring) for arg in args]
    match op:
        case "neg":
            return -parts[0]
        case "+":
            return parts[0] + parts[1]
        case "-":
            return parts[0] + (-parts[1])
        case "*" | "@":
            return parts[0] * parts[1]
        case "T":
            return parts[0].transposed()
        case "tr":
            return parts[0].trace()
    raise Malformed(f"{text(node)[:120]}: {op} has no normal form")


def _coefficient(node: Node, ring: RationalFunctions) -> Terms:
    if any(True for _ in sample_names(node)):
        raise Malformed(f"{text(node)[:120]} depends on a sample; give it a name as a random quantity")
    flat = Atoms().flatten(node)
    return number(evaluate(flat, {n: ring.var(n) for n in symbols(flat)}, ring), ring)


def occurrence(node: Node) -> Occurrence:
    if _is_opaque_matrix(node):
        return _opaque(node)
    letter = node.value
    placed = list(zip(node.args, letter.indices, strict=True))
    at = tuple(text(one) for one, kind in placed if kind == "nat")
    point = next((occurrence(one) for one, kind in placed if is_point(kind)), None)
    mark = None if letter.space is None else str(node.args[-1].value)
    own = letter.symmetric or (letter.rows, letter.cols) == NUMBER
    return Occurrence(letter.name, at, mark, None if own else False, letter.rows, letter.cols, point)


def _opaque(node: Node) -> Occurrence:
    """A sum of matrices is one letter, named by its text, if it does not depend on a sample."""
    if any(True for _ in sample_names(node)):
        raise Malformed(f"{text(node)[:120]} depends on a sample; take the mean inside the sum")
    rows, cols = size_of(node)
    return Occurrence(text(node), (), None, False, rows, cols)


def _blocks(node: Node, ring: RationalFunctions) -> Terms:
    heights = tuple(size_of(row.args[0])[0] for row in node.args)
    widths = tuple(size_of(cell)[1] for cell in node.args[0].args)
    result = Terms(ring, *size_of(node))
    for i, row in enumerate(node.args):
        for j, cell in enumerate(row.args):
            inner = normal(cell, ring)
            if len(heights) > 1:
                inner = single(ring, injection(heights, i)) * inner
            if len(widths) > 1:
                inner = inner * single(ring, injection(widths, j).transposed())
            result = result + inner
    return result


# ---- and back


def formula(value: Terms, letters: Mapping[str, Letter], opaque: Mapping[str, Node]) -> Node:
    """A sum of terms as a formula again, written in one way only: equal numbers become equal texts."""
    result: Node | None = None
    for (mono, word), coefficient in sorted(value.terms.items(), key=lambda item: _key_order(item[0])):
        term = _restored(fraction_node(coefficient, value.ring.names), opaque)
        content = _content(mono, word, letters)
        term = term if content is None else content if term == num(1) else Node("*", (term, content))
        if (value.rows, value.cols) != NUMBER and not word:
            term = Node("*", (term, Node("I", (size_node(value.rows),))))
        result = term if result is None else Node("+", (result, term))
    if result is not None:
        return result
    shape = (value.rows, value.cols)
    return num(0) if shape == NUMBER else Node("O", (size_node(value.rows), size_node(value.cols)))


def _restored(node: Node, opaque: Mapping[str, Node]) -> Node:
    if node.op == "sym":
        return opaque.get(str(node.value), node)
    return Node(node.op, tuple(_restored(arg, opaque) for arg in node.args), node.value) if node.args else node


def _content(mono: Mono, word: Word, letters: Mapping[str, Letter]) -> Node | None:
    """Traces, random numbers and the word, below the means over their samples."""
    result: Node | None = None
    for _, inner in mono:
        chain = _chain(inner, letters)
        one = chain if size_of(chain) == NUMBER else Node("tr", (chain,))
        result = one if result is None else Node("*", (result, one))
    if word:
        chain = _chain(word, letters)
        result = chain if result is None else Node("*", (result, chain))
    for mark in sorted({m for m in _marks(mono, word) if isinstance(m, int)}, reverse=True):
        every = (one for w in (*(i for _, i in mono), word) for letter in w for one in letter.nested())
        spaces = (letters[_inverted(one.name)[1]].space for one in every if one.mark == mark)
        assert result is not None
        result = Node("mean", (sym(_sample(mark)), result), next(iter(spaces)))
    return result


def _sample(mark: Any) -> str:
    return f"sample'{mark}" if isinstance(mark, int) else str(mark)


def _chain(word: Word, letters: Mapping[str, Letter]) -> Node:
    result: Node | None = None
    for one in word:
        node = written(one, letters)
        result = node if result is None else Node("@", (result, node))
    assert result is not None
    return result


def written(one: Occurrence, letters: Mapping[str, Letter]) -> Node:
    if one.name == INJECTION:
        split, i = one.at
        cells = (Node("I" if j == i else "O", _cell(size, split[i], j == i)) for j, size in enumerate(split))
        node = Node("blocks", tuple(Node("row", (cell,)) for cell in cells))
    else:
        inverse, name = _inverted(one.name)
        if name not in letters:
            raise Malformed(f"{name} is not a letter; it cannot be written out")
        point = () if one.point is None else (written(one.point, letters),)
        at = (*map(parse, one.at), *point, *(() if one.mark is None else (sym(_sample(one.mark)),)))
        node = Node("letter", at, letters[name])
        node = Node("inv", (node,)) if inverse else node
    return Node("T", (node,)) if one.flip else node


def _inverted(name: str) -> tuple[bool, str]:
    """Whether it is the inverse of a letter, and the name of that letter."""
    return (True, name[4:-1]) if name.startswith("inv(") else (False, name)


def _cell(size: Size, width: Size, is_identity: bool) -> tuple[Node, ...]:
    return (size_node(size),) if is_identity else (size_node(size), size_node(width))
