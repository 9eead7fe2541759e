"""What has to be shown (`Sequent`) and the signs that are plain to see."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import lru_cache
from typing import Any

from flint import fmpq, fmpq_mpoly

from theory.kernel.errors import KernelError, Rejected
from theory.kernel.evaluate import Mat, evaluate
from theory.kernel.flat import OMEGA, Atoms, difference, fractions_of, pulled_out
from theory.kernel.kinds import NUMBER, Size, World, has_letters, size_of
from theory.kernel.lang import (
    BINDERS,
    DOMAINS,
    FOREVER,
    RESERVED,
    Node,
    Relation,
    is_name,
    num,
    relation_symbols,
    replace_relation,
    substitute,
    substitute_relation,
    sym,
    symbols,
    text,
    walk,
)
from theory.kernel.rings import Frac, RationalFunctions
from theory.kernel.shapes import is_number, shape_of

NOTHING = World()


@dataclass(frozen=True, slots=True)
class Sequent:
    """Under the facts, the goal. Free names are real numbers, those in `naturals` are 0, 1, 2, …"""

    facts: tuple[Relation, ...]
    goal: Relation
    naturals: frozenset[str] = frozenset()
    world: World = field(default=NOTHING, compare=False)

    def given(self, *facts: Relation) -> Sequent:
        return replace(self, facts=(*self.facts, *facts))

    def show(self, goal: Relation) -> Sequent:
        return replace(self, goal=goal)

    def only(self, facts: tuple[Relation, ...]) -> Sequent:
        return replace(self, facts=facts)

    def counting(self, *names: str) -> Sequent:
        return replace(self, naturals=self.naturals.union(names))

    def not_counting(self, *names: str) -> Sequent:
        return replace(self, naturals=self.naturals.difference(names))

    def sampling(self, name: str, space: str) -> Sequent:
        return replace(self, world=self.world.with_samples({name: space}))

    def with_vector(self, name: str, size: Size) -> Sequent:
        return replace(self, world=self.world.with_vector(name, size))

    def every_fact(self) -> list[Relation]:
        return [*self.facts, *(Relation(">=", sym(name), num(0)) for name in sorted(self.naturals))]


@dataclass(slots=True)
class Tally:
    """What a checked proof rests on besides the kernel."""

    cited: set[str] = field(default_factory=set)
    boxes: list[str] = field(default_factory=list)
    rules: set[str] = field(default_factory=set)
    table: Mapping[str, Any] | None = None  # of a prover that fills leaves; the kernel judges with its own


@dataclass(frozen=True, slots=True)
class Signs:
    """Which names are known nonnegative or positive, and which polynomials are known positive or nonzero."""

    nonnegative: frozenset[str]
    positive: frozenset[str]
    strict: tuple[fmpq_mpoly, ...]
    nonzero: tuple[fmpq_mpoly, ...]
    names: tuple[str, ...]

    def of_polynomial(self, poly: fmpq_mpoly) -> int | None:
        """+1 or -1 when the sign is plain, 0 when only nonzero is known, None when nothing is."""
        if poly.is_zero():
            return None
        constant, factors = poly.factor()
        sign: int = 1 if constant > 0 else -1
        for factor, power in factors:
            one = self._of_irreducible(factor)
            if one is None:
                return None
            sign = sign * one if power % 2 else (abs(one) or 1) * sign
        return sign

    def _of_irreducible(self, poly: fmpq_mpoly) -> int | None:
        for known in self.strict:
            ratio = _proportion(poly, known)
            if ratio is not None:
                return 1 if ratio > 0 else -1
        plain = self.plain(poly)
        if plain:
            return plain
        return 0 if any(_proportion(poly, known) is not None for known in self.nonzero) else None

    def plain(self, poly: fmpq_mpoly) -> int:
        """Coefficients of one sign in names that are nonnegative, and one term that cannot vanish."""
        terms = poly.to_dict()
        sign = 1 if next(iter(terms.values())) > 0 else -1
        return sign if all(c * sign > 0 for c in terms.values()) and self.covers(poly, strict=True) else 0

    def covers(self, poly: fmpq_mpoly, strict: bool) -> bool:
        """Every monomial is nonnegative (even powers are), and one of them is positive where strict."""
        found = not strict
        for exponents in poly.to_dict():
            used = [(self.names[i], int(e)) for i, e in enumerate(exponents) if e]
            if any(name not in self.nonnegative and e % 2 for name, e in used):
                return False
            found = found or all(name in self.positive for name, _ in used)
        return found


def _proportion(a: fmpq_mpoly, b: fmpq_mpoly) -> fmpq | None:
    if b.is_zero() or a.is_zero():
        return None
    ratio = a.leading_coefficient() / b.leading_coefficient()
    return ratio if a == b * ratio else None


def signs(facts: Iterable[Relation], ring: RationalFunctions) -> Signs:
    """Read off the signs that the facts give directly, in the names of this ring."""
    return _signs(tuple(facts), ring.names)


@lru_cache(maxsize=20_000)
def _flat_difference(fact: Relation) -> tuple[Node, bool]:
    node, is_strict = difference(fact)
    return Atoms().flatten(node), is_strict


@lru_cache(maxsize=4_000)
def _signs(facts: tuple[Relation, ...], names: tuple[str, ...]) -> Signs:
    nonnegative: set[str] = set()
    positive: set[str] = set()
    strict: list[fmpq_mpoly] = []
    nonzero: list[fmpq_mpoly] = []
    ring = RationalFunctions(names)
    env = ring.env()
    for fact in facts:
        if fact.binder is not None or fact.op in ("==", "<<") or not is_number(fact.left):
            continue
        flat, is_strict = _flat_difference(fact)
        if not symbols(flat) <= set(names):
            continue
        try:
            value = evaluate(flat, env, RationalFunctions(names))
        except KernelError:
            continue
        if isinstance(value, Mat) or not value.den.is_constant() or value.num.is_constant():
            continue
        if fact.op == "!=":
            nonzero.append(value.num)
            continue
        if is_strict:
            strict.append(value.num)
        _bound(value.num, ring.names, is_strict, nonnegative, positive)
    return Signs(frozenset(nonnegative), frozenset(positive), tuple(strict), tuple(nonzero), ring.names)


def _bound(poly: fmpq_mpoly, names: tuple[str, ...], strict: bool, nonnegative: set[str], positive: set[str]) -> None:
    """a*x - b >= 0 with a > 0 and b >= 0 says that x is nonnegative (positive when b > 0 or the fact is strict)."""
    terms = {tuple(int(e) for e in m): c for m, c in poly.to_dict().items()}
    linear = [m for m in terms if sum(m) == 1]
    if len(linear) != 1 or any(sum(m) > 1 for m in terms) or terms[linear[0]] <= 0:
        return
    constant = next((c for m, c in terms.items() if sum(m) == 0), fmpq(0))
    if constant > 0:
        return
    name = names[linear[0].index(1)]
    nonnegative.add(name)
    if strict or constant < 0:
        positive.add(name)


def sign_of(value: Frac, known: Signs) -> int | None:
    top, bottom = known.of_polynomial(value.num), known.of_polynomial(value.den)
    return None if top is None or bottom is None else top * bottom


def instantiate(facts: Iterable[Relation], index: str, lo: Node, hi: Node) -> list[Relation]:
    """The facts that hold at a generic index of the range: `forall` facts over the same range lose their binder."""
    result = []
    for fact in facts:
        if fact.binder is None:
            result.append(fact)
        elif fact.binder[1] == lo and fact.binder[2] == hi:
            bare = fact.under(fact.more)
            result.append(substitute_relation(bare, {fact.binder[0]: sym(index)}))
    return result


def generic(sequent: Sequent, goal: Relation, binders: Iterable[tuple[str, Node, Node]]) -> Sequent:
    """The sequent at a generic index of each range: `lam[i]` becomes the plain name `lam_i`."""
    facts, naturals = list(sequent.facts), sequent.naturals
    outer: frozenset[str] = frozenset()
    for index, lo, hi in binders:
        known = frozenset().union(*(relation_symbols(f) for f in facts)) | naturals | symbols(lo) | symbols(hi)
        if index in known | outer | sequent.world.names:
            raise Rejected(f"the bound name {index} also stands for a number of the hypotheses; rename one of them")
        outer |= {index}
        facts = instantiate(facts, index, lo, hi)
        facts += ends_of(index, lo, hi)
        if is_natural(lo, naturals):
            naturals = naturals | {index}
        relations = [*facts, goal]
        used = frozenset().union(*(relation_symbols(r) for r in relations)) | sequent.naturals | sequent.world.names
        for node in sorted({n for r in relations if r.binder is None for n in _entries(r, index)}, key=text):
            name = f"{node.args[0].value}_{index}"
            if name in used:
                raise Rejected(f"the name {name} is in use, so {text(node)} cannot be called so; rename it")
            relations = [r if r.binder else replace_relation(r, node, sym(name)) for r in relations]
        *facts, goal = relations
    return replace(sequent, facts=tuple(facts), goal=goal, naturals=naturals)


def ends_of(index: str, lo: Node, hi: Node) -> list[Relation]:
    """What is known of a generic index of a range."""
    if lo == OMEGA or lo.op in DOMAINS:
        return []
    last = [] if hi == FOREVER else [Relation("<=", sym(index), hi)]
    return [Relation(">=", sym(index), lo), *last]


def _entries(relation: Relation, index: str) -> Iterator[Node]:
    for side in (relation.left, relation.right):
        for part in walk(side):
            if part.op == "index" and part.args[0].op == "sym" and part.args[1:] == (sym(index),):
                yield part


def is_evaluated(node: Node, sequent: Sequent) -> bool:
    """Whether the formula has a value wherever the facts hold and the goal has one: it stands below no binder."""
    relations = [r for r in (sequent.goal, *sequent.facts) if r.binder is None]
    return any(node == part for r in relations for side in (r.left, r.right) for part in _unbound_parts(side))


def freed(node: Node, sequent: Sequent) -> list[Node]:
    """Roots, cases, sums, iterations that the formula evaluates and the sequent need not: they stood below a binder."""
    return [p for p in _unbound_parts(node) if p.op in PARTIAL and not is_evaluated(p, sequent)]


def _unbound_parts(node: Node) -> Iterator[Node]:
    yield node
    for arg in node.args[1:-1] if node.op in BINDERS else node.args:
        yield from _unbound_parts(arg)


def fresh(name: str, sequent: Sequent) -> None:
    if not is_name(name) or name in RESERVED:
        raise Rejected(f"{name!r} is not a name that can be given; write letters, digits and underscores")
    used = relation_symbols(sequent.goal).union(*(relation_symbols(f) for f in sequent.facts)) | sequent.naturals
    if name in used | sequent.world.names:
        raise Rejected(f"the name {name} is already in use")


def is_natural(node: Node, naturals: frozenset[str]) -> bool:
    """0, 1, 2, … by its form: natural names and numbers, added, multiplied and raised to such powers."""
    if node.op == "num":
        value = Fraction(node.value)
        return value >= 0 and value.denominator == 1
    if node.op == "sym":
        return node.value in naturals
    return node.op in ("+", "*", "**") and all(is_natural(arg, naturals) for arg in node.args)


def is_integer(node: Node, naturals: frozenset[str]) -> bool:
    if node.op == "num":
        return Fraction(node.value).denominator == 1
    if node.op == "sym":
        return node.value in naturals
    if node.op == "**":
        return is_integer(node.args[0], naturals) and is_natural(node.args[1], naturals)
    return node.op in ("+", "-", "*", "neg") and all(is_integer(arg, naturals) for arg in node.args)


PARTIAL = ("sqrt", "log", "abs", "min", "max", "exp", "sin", "cos", "iterate", "index", "**", "sum", "prod", "mean")
Binders = tuple[tuple[str, Node, Node], ...]  # names and ranges, the outermost first
FORMAL = ("natural", "integer", "entry")  # obligations that are met by the form of the formula or not at all; but
# an integer by its form, such as n - k, is natural where it is shown not to be negative
GRANTED = ("nonzero", "nonnegative", "positive")


@dataclass(frozen=True, slots=True)
class Obligation:
    """A formula makes sense only if this holds: a divisor is nonzero, a root's argument nonnegative."""

    kind: str
    node: Node
    binders: Binders = ()

    @property
    def key(self) -> str:
        if self.kind in FORMAL or self.kind == "invertible":
            return f"{text(self.node)} is {self.kind}"
        return f"{text(self.node)} {'!=' if self.kind == 'nonzero' else '>=' if self.kind == 'nonnegative' else '>'} 0"

    @property
    def bare(self) -> Obligation:
        """Without binders that bind none of its names: what holds outside holds below them."""
        return self if any(i in symbols(self.node) for i, _, _ in self.binders) else replace(self, binders=())

    @property
    def label(self) -> str:
        """The key, and below which binders: the same formula may be safe inside a sum and unsafe outside."""
        return self.key + "".join(f" for {i}" for i, _, _ in self.binders)

    @property
    def full_label(self) -> str:
        """With the ranges: two sums of one index over different ranges are two obligations."""
        return self.key + "".join(f" for {i} in {text(lo)}..{text(hi)}" for i, lo, hi in self.binders)


def obligations(node: Node, binders: Binders = ()) -> Iterator[Obligation]:
    """All that must hold for the formula to have a value, where its sums are not empty."""
    yield from _own_obligations(node, binders)
    if node.op == "sum":
        yield from (Obligation("nonzero", factor, binders) for factor in pulled_out(node))
    if node.op not in ("I", "O"):  # sizes are natural numbers
        for inner, within in _parts_within(node, binders):
            yield from obligations(inner, within)


def _own_obligations(node: Node, binders: Binders) -> Iterator[Obligation]:
    """What this operation asks of its arguments."""
    if node.op == "/":
        yield from (Obligation("nonzero", factor, binders) for factor in _factors(node.args[1]))
    if node.op == "**" and node.args[1].op == "num" and node.args[1].value < 0:
        yield from (Obligation("nonzero", factor, binders) for factor in _factors(node.args[0]))
    if node.op == "**" and node.args[1].op != "num":
        yield Obligation("natural", node.args[1], binders)
    if node.op == "**" and node.args[1].op == "num" and not is_integer(node.args[1], frozenset()):
        yield Obligation("integer", node.args[1], binders)
    if node.op == "index" and not _is_inside(node):
        yield Obligation("entry", node, binders)
    if node.op == "iterate":
        yield Obligation("natural", node.args[1], binders)
    if node.op in ("sum", "prod"):
        yield Obligation("integer", node.args[1], binders)
        yield Obligation("integer", node.args[2], binders)
    if node.op == "letter":
        counted = zip(node.args, node.value.indices, strict=True)
        yield from (Obligation("integer", one, binders) for one, kind in counted if kind == "nat")
    if node.op in ("sqrt", "log"):
        yield Obligation("nonnegative" if node.op == "sqrt" else "positive", node.args[0], binders)
    if node.op == "inv" and not has_letters(node):
        yield Obligation("invertible", node.args[0], binders)
    elif node.op == "inv" and size_of(node) == NUMBER:  # any other letter there is declared pd
        yield Obligation("nonzero", node.args[0], binders)


def _parts_within(node: Node, binders: Binders) -> Iterator[tuple[Node, Binders]]:
    """What a formula evaluates, each with the binders that it stands below; the body of an iteration at any state."""
    if node.op not in BINDERS:
        yield from ((arg, binders) for arg in node.args)
        return
    yield from ((arg, binders) for arg in node.args[1:-1])
    if node.op == "iterate":
        yield _of_any_state(node), binders
    else:
        lo, hi = (OMEGA, OMEGA) if node.op == "mean" else (node.args[1], node.args[2])
        yield node.args[-1], (*binders, (str(node.args[0].value), lo, hi))


def _is_inside(node: Node) -> bool:
    """Whether an entry exists: families go on for ever, a list has its entries and no others."""
    base, *at = node.args
    if base.op == "iterate":
        base = base.args[2]
    if base.op != "list":
        return True
    sizes = [len(base.args), *([len(base.args[0].args)] if base.args[0].op == "list" else [])]
    if len(at) > len(sizes) or any(i.op != "num" for i in at):
        return False
    return all(is_natural(i, frozenset()) and 1 <= int(i.value) <= n for i, n in zip(at, sizes, strict=False))


def _of_any_state(node: Node) -> Node:
    """The body of an iteration with names for the state that nobody can write: no hypothesis is about them."""
    state = str(node.args[0].value)
    shape = shape_of(node.args[2])
    if shape is None:
        return substitute(node.args[-1], {state: sym(f"{state}'")})
    rows, columns = shape
    cells = [[sym(f"{state}'{i}'{j}") for j in range(1, columns + 1)] for i in range(1, rows + 1)]
    lines = [row[0] if columns == 1 else Node("list", tuple(row)) for row in cells]
    return substitute(node.args[-1], {state: Node("list", tuple(lines))})


def granted(facts: Iterable[Relation]) -> set[Obligation]:
    """What must hold because these facts have values; below a binder nothing must, for its range may be empty."""
    sides = (side for fact in facts if fact.binder is None for side in (fact.left, fact.right))
    parts = (part for side in sides for part in _unbound_parts(side))
    return {duty for part in parts for duty in _own_obligations(part, ()) if duty.kind in GRANTED}


def released(node: Node, binders: Binders = ()) -> Iterator[Obligation]:
    """The divisors that leave a sum when it is opened: the sum has a value without them if it is empty."""
    if node.op == "sum":
        yield from (Obligation("nonzero", factor, binders) for factor in pulled_out(node))
    for inner, within in _parts_within(node, binders):
        yield from released(inner, within)


def _factors(node: Node) -> Iterator[Node]:
    """A product is nonzero when its factors are; a quotient when its numerator is."""
    if node.op == "*":
        yield from _factors(node.args[0])
        yield from _factors(node.args[1])
    elif node.op in ("/", "neg") or (node.op == "**" and node.args[1].op == "num" and node.args[1].value):
        yield from _factors(node.args[0])
    elif not (node.op == "num" and node.value):
        yield node


def is_plain(obligation: Obligation, sequent: Sequent) -> bool:
    """True when the obligation follows from signs that are plain to see."""
    if obligation.kind == "entry":
        return False
    local = generic(sequent, Relation("!=", obligation.node, num(0)), obligation.binders)
    facts, node = local.every_fact(), local.goal.left
    if obligation.kind in ("natural", "integer"):
        return (is_natural if obligation.kind == "natural" else is_integer)(node, local.naturals)
    if obligation.kind == "invertible":
        ring, (value,), _ = fractions_of([Node("inv", (node,))])
        known = signs(facts, ring)
        return all(sign_of(divisor, known) is not None for divisor in ring.divisors)
    ring, (value,), _ = fractions_of([node])
    if isinstance(value, Mat):
        return False
    known = signs(facts, ring)
    sign = sign_of(value, known)
    if obligation.kind == "nonzero":
        return sign is not None
    if sign == 1 or (obligation.kind == "nonnegative" and value.is_zero):
        return True
    return obligation.kind == "nonnegative" and _plainly_nonnegative(value, known)


def _plainly_nonnegative(value: Frac, known: Signs) -> bool:
    bottom = known.of_polynomial(value.den)
    if bottom not in (1, -1):
        return False
    top = value.num * bottom
    return all(c > 0 for c in top.to_dict().values()) and known.covers(top, strict=False)


Certificate = dict[str, Any]
