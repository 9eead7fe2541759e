"""Sums of squares of words: right - left = sum of  E(c * L @ Z @ L.T)  for letters of every size.

The rows L are linear in the halves of the goal's words, with polynomials of numbers for coefficients; Z is an identity,
a letter that is declared psd or pd, or a fact; c is a product of facts between numbers. A semidefinite program proposes
the Gram matrices, exact arithmetic decides, and the kernel reads the result as one certificate of the rule `order`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import combinations, islice, product
from typing import Any

from flint import fmpq, fmpq_mpoly

from theory.kernel.errors import KernelError
from theory.kernel.flat import polynomial_node
from theory.kernel.kinds import NUMBER, ONE, has_letters, size_node, size_of, total
from theory.kernel.lang import Node, Relation, num, parse, sym, symbols, text, walk
from theory.kernel.orders import _Builder, advanced, difference, placed, rewritten
from theory.kernel.rings import RationalFunctions
from theory.kernel.sequent import Certificate, Sequent, Tally
from theory.kernel.terms import Terms, _restored, normal, scalar_atoms
from theory.provers.budget import Budget
from theory.provers.effort import Effort
from theory.provers.frame import BREAKDOWN
from theory.provers.gram import Block, System
from theory.provers.halves import Row, affixes, fitting, halves, unit, whole_numbers
from theory.provers.linear import Column, Exponents, Weighted, combine, exponents, monomials
from theory.provers.skeletons import Search as Prove
from theory.provers.sos import Search

Item = dict[str, Any]
Poly = dict[Exponents, fmpq]
MOST_ROWS = 14
MOST_UNKNOWNS = 1500
MOST_WEIGHTS = 10
MOST_WHOLE = 400  # products of a beginning and an end of the goal's words
MOST_AROUND = 10  # rows beside a matrix equation
Round = tuple[int, int, int]  # degree of the numbers in a row, facts between numbers in one product, open samples
FIRST: tuple[Round, ...] = ((0, 1, 1), (1, 1, 1), (0, 2, 1))
LATER: tuple[Round, ...] = ((0, 1, 2), (1, 2, 1), (1, 2, 2))


def find(
    sequent: Sequent, effort: Effort, prove: Prove, uses: Sequence[Any], rounds: Sequence[Round]
) -> Certificate | None:
    if sequent.goal.op not in ("<<", "<=", ">=", "==") or effort.depth > 2:
        return None
    tried: set[Any] = set()
    for degree, facts, opened in rounds:
        try:
            attempt = Attempt(sequent, effort, prove, list(uses), degree, facts, opened)
            if attempt.signature in tried:
                continue
            tried.add(attempt.signature)
            cert = attempt.certificate()
        except (KernelError, *BREAKDOWN):
            continue
        if cert is not None:
            return cert
    return None


@dataclass
class Part:
    """One Gram block: its middle Z, its factors c, and the rows that may stand around it."""

    item: Item
    middle: Node | None
    factors: list[Item]
    weight: Node | None
    rows: list[Row]
    samples: dict[str, str]
    traced: bool


@dataclass(frozen=True)
class Table:
    """What may be added up, in normal form."""

    images: dict[tuple[int, int, int], Terms]
    parts: list[Part]
    equations: list[tuple[Item, Terms]]
    keys: list[Any]
    wide: RationalFunctions

    def own(self, number: int, ring: RationalFunctions) -> fmpq_mpoly:
        return _common([value for (n, _, _), value in self.images.items() if n == number], ring)


@dataclass(frozen=True)
class WordSystem(System):
    """Products of two rows of a block are words; `images` says which."""

    images: Mapping[tuple[int, int, int], Poly] = field(default_factory=dict)
    scalars: int = 0

    @cached_property
    def columns(self) -> list[dict[Exponents, fmpq]]:
        result = []
        for block in self.blocks:
            for i, j in block.pairs():
                made = self._image(block.factors[0], block.basis[i] * block.basis[j])
                result.append(made if i == j else {m: 2 * c for m, c in made.items()})
        return result + [exponents(column.poly) for column in self.free]

    def _image(self, number: int, poly: fmpq_mpoly) -> Poly:
        result: Poly = {}
        for powers, coefficient in exponents(poly).items():
            used = [i - self.scalars for i, e in enumerate(powers) if i >= self.scalars for _ in range(e)]
            p, q = sorted(used)
            for word, c in self.images[number, p, q].items():
                key = tuple(
                    a + (b if i < self.scalars else 0) for i, (a, b) in enumerate(zip(word, powers, strict=True))
                )
                result[key] = result.get(key, fmpq(0)) + c * coefficient
        return {m: c for m, c in result.items() if c != 0}


class Attempt:
    def __init__(
        self, sequent: Sequent, effort: Effort, prove: Prove, uses: list[Any], degree: int, facts: int, opened: int
    ) -> None:
        self.sequent, self.effort, self.prove, self.uses = sequent, effort, prove, uses
        self.world, self.every = sequent.world, sequent.every_fact()
        goal = sequent.goal
        small, big = (goal.right, goal.left) if goal.op in (">=", "==") else (goal.left, goal.right)
        self.gap = Node("-", (big, small))
        self.shape = size_of(self.gap)
        self.uses = uses = [one for one in uses if one == "advance" or not self._is_inverted(int(one["use"]))]
        self.rewrites = rewrites(uses, sequent)
        seen = [side for f in (goal, *self.every) for side in (f.left, f.right) if not _counted(f)]
        seen += [side for step in self.world.steps.values() for side in (step.body, step.start)]
        self.names, self.opaque = scalar_atoms(seen)
        self.ring = RationalFunctions(self.names)
        self.target = self.value(self.gap)
        self.rows = self._rows(opened)
        self.parts = list(self._parts(facts)) if goal.op != "==" else []
        self.degree = degree
        self.degree = degree if self._scalars() else 0
        self.signature = (self.degree, len(self.parts), tuple(self.rows))

    def _is_inverted(self, position: int) -> bool:
        """A letter whose inverse stands somewhere is not rewritten: its equation is multiplied from both sides."""
        left = self.every[position].left
        sides = (s for f in (self.sequent.goal, *self.every) for s in (f.left, f.right))
        return any(part.op == "inv" and part.args[0] == left for side in sides for part in walk(side))

    def value(self, node: Node) -> Terms:
        value = normal(node, self.ring)
        for one in self.rewrites:
            value = advanced(value, self.sequent, self.ring) if one is None else rewritten(value, one, self.ring)
        return value

    # ---- what may be added up

    def _rows(self, opened: int) -> list[Row]:
        sources = [self.target]
        for fact in self.every:
            if fact.binder is None and has_letters(difference(fact)) and size_of(fact.left) == NUMBER:
                sources.append(self.value(difference(fact)))
        letters = dict(self.world.letters)
        self.loose = halves(sources, letters, 0)
        signed = {name for name, one in letters.items() if one.sign in ("psd", "pd")}
        found = fitting(halves(sources, letters, opened), sources, signed, self._exchanged())
        if self.shape[0] == ONE:
            numbers = self._numbers() if any("inv(" in row.says for row in found) else []
            found = [unit(ONE), *numbers, *found]
        sizes = {row.rows for row in found} | {row.cols for row in found} | {self.shape[0]}
        found += [unit(size) for size in sorted(sizes) if size != ONE and _is_declared(size, self.world)]
        return list(dict.fromkeys([*found, *self._beside(found)]))

    def _exchanged(self) -> set[str]:
        """Letters that equations between matrices turn into others: P@P == P."""
        facts = [self.every[i] for i in self._kept() if size_of(self.every[i].left) != NUMBER]
        nodes = (part for f in facts for side in (f.left, f.right) for part in walk(side))
        return {part.value.name for part in nodes if part.op == "letter"}

    def _kept(self) -> list[int]:
        """Equations with letters that do not rewrite."""
        used = {int(one["use"]) for one in self.uses if one != "advance"}
        every = enumerate(self.every)
        plain = [(i, f) for i, f in every if f.op == "==" and f.binder is None and i not in used]
        return [i for i, f in plain if has_letters(difference(f))]

    def _numbers(self) -> list[Row]:
        """Scalar products with an inverse as they stand: x.T@inv(V)@x is at most one, for its square is at most it."""
        return [Row(f"({says})", ONE, ONE) for says in whole_numbers(self.target, dict(self.world.letters))]

    def _beside(self, rows: list[Row]) -> Iterator[Row]:
        """Rows [W, 0] and [0, W] for facts about block matrices."""
        for fact in self.every:
            node = difference(fact) if fact.binder is None and fact.op == "<<" else num(0)
            block = next((part for part in walk(node) if part.op == "blocks"), None)
            if block is None:
                continue
            split = [size_of(row.args[0])[0] for row in block.args]
            for row in rows:
                for i, size in enumerate(split):
                    if row.cols == size and not row.samples and row.rows == self.shape[0]:
                        cells = [
                            row.says if i == j else f"O({text(size_node(row.rows))}, {text(size_node(other))})"
                            for j, other in enumerate(split)
                        ]
                        yield Row(f"[[{', '.join(cells)}]]", row.rows, total(tuple(split)), (), row.made_of)

    def _parts(self, most: int) -> Iterator[Part]:
        numbers = [(f"{i}", f) for i, f in enumerate(self.every) if self._is_number(f)]
        products = [c for k in range(most + 1) for c in combinations(numbers, k)]
        for chosen in products:
            factors = [{"fact": int(i)} for i, _ in chosen]
            weight = None
            for _, fact in chosen:
                weight = difference(fact) if weight is None else Node("*", (weight, difference(fact)))
            yield from self._blocks(factors, weight, bool(chosen))

    def _is_number(self, fact: Relation) -> bool:
        plain = fact.binder is None and fact.op in ("<=", ">=", "<", ">") and not has_letters(difference(fact))
        return plain and not (symbols(fact.left) | symbols(fact.right)) <= self.sequent.naturals | self.world.sizes

    def _blocks(self, factors: list[Item], weight: Node | None, weighted: bool) -> Iterator[Part]:
        groups: dict[Any, list[Row]] = {}
        for row in self.rows:
            if row.rows == self.shape[0] or self.shape == NUMBER:
                groups.setdefault((row.rows, row.cols), []).append(row)
        for (rows, cols), members in groups.items():
            traced = self.shape == NUMBER and rows != ONE
            for item, middle in self._middles(cols):
                samples = {n: s for row in members for n, s in row.samples}
                yield Part(item, middle, factors, weight, members[:MOST_ROWS], samples, traced)
        yield from self._facts(factors, weight)

    def _middles(self, size: Any) -> Iterator[tuple[Item, Node | None]]:
        yield {}, None
        for letter in self.world.letters.values():
            if (
                letter.rows == letter.cols == size
                and letter.sign in ("psd", "pd")
                and not letter.indices
                and size != ONE
            ):
                node = Node("letter", (), letter)
                yield {"psd": letter.name}, node
                if letter.sign == "pd":
                    yield {"psd": f"inv({letter.name})"}, Node("inv", (node,))
        for position, fact in enumerate(self.every):
            if fact.binder is None and fact.op == "<<" and size_of(fact.left) == (size, size):
                yield {"of": position}, difference(fact)

    def _facts(self, factors: list[Item], weight: Node | None) -> Iterator[Part]:
        """Inequalities between numbers with letters, also at an open sample."""
        if self.shape != NUMBER:
            return
        one = [unit(ONE)]
        for position, fact in enumerate(self.every):
            if fact.op not in ("<=", ">=", "<", ">"):
                continue
            if fact.binder is None and has_letters(difference(fact)):
                yield Part({"of": position}, difference(fact), factors, weight, one, {}, False)
        yield from self._random_facts(factors, weight)

    def _random_facts(self, factors: list[Item], weight: Node | None) -> Iterator[Part]:
        """Facts for every sample, at one that is open; also the product of two."""
        found = []
        for position, fact in enumerate(self.every):
            if not fact.binders or any(lo.op != "domain" for _, lo, _ in fact.binders) or len(fact.binders) > 1:
                continue
            (name, lo, _) = fact.binders[0]
            space = str(lo.value)
            world = self.world.with_samples({"s0_": space})
            plain, _ = placed(fact, {name: "s0_"}, self.sequent, world)
            if plain.op in ("<=", ">=", "<", ">") and size_of(plain.left) == NUMBER:
                found.append((position, name, space, difference(plain)))
        for position, name, space, node in found:
            rows = [row for row in self.rows if row.shape == NUMBER and all(s == space for _, s in row.samples)]
            rows = [row for row in rows if len(row.samples) <= 1 and all(n == "s0_" for n, _ in row.samples)]
            item = {"of": position, "at": {name: "s0_"}}
            yield Part(
                item, node, factors, weight, rows[:MOST_ROWS] if not factors else rows[:1], {"s0_": space}, False
            )
        for (i, name, space, node), (j, other, space2, node2) in combinations(found, 2):
            if space == space2:
                both = {"of": i, "at": {name: "s0_"}}
                more = {"fact": j, "at": {other: "s0_"}}
                yield Part(both, Node("*", (node, node2)), [*factors, more], weight, [unit(ONE)], {"s0_": space}, False)

    # ---- the program

    def certificate(self) -> Certificate | None:
        if not self.target.terms:
            return {"kind": "order", "items": [], "ops": self.uses}
        images: dict[tuple[int, int, int], Terms] = {}
        widths: list[int] = []
        kept: list[Part] = []
        for part in self.parts:
            pairs = self._pairs(part)
            if pairs is None:
                continue
            number = len(kept)
            kept.append(part)
            widths.append(len(part.rows))
            images |= {(number, p, q): value for (p, q), value in pairs.items()}
        equations = list(self._equations())
        keys = sorted(
            {k for v in (self.target, *images.values(), *(e[1] for e in equations)) for k in v.terms}, key=repr
        )
        most = max(widths, default=1)
        wide = RationalFunctions((*self.names, *(f"#{i}" for i in range(max(len(keys), most)))))
        every = _common([self.target, *images.values(), *(e[1] for e in equations)], self.ring)
        own = _common([self.target], self.ring)
        ways = [(every, True)] if every.is_constant() else [(every, True), (own, False), (every, False)]
        if self.degree and not own.is_constant():
            ways.append((own * own, False))
        for scale, alike in ways:
            cert = self._solved(Table(images, kept, equations, keys, wide), scale, alike)
            if cert is not None:
                return cert
        return None

    def _solved(self, table: Table, scale: fmpq_mpoly, alike: bool) -> Certificate | None:
        """The goal times `scale`; each part times the same, or times its own denominator."""
        scalars, wide = len(self.names), table.wide

        def flat(value: Terms, times: fmpq_mpoly) -> Poly:
            return _flattened(value, times, table.keys, scalars, len(wide.names) - scalars)

        scales = [scale if alike else table.own(number, self.ring) for number in range(len(table.parts))]
        polys = {k: flat(v, scales[k[0]]) for k, v in table.images.items()}
        target = wide.ctx.from_dict(flat(self.target, scale))
        factors = self._monomials(wide)
        blocks = []
        for number, part in enumerate(table.parts):
            basis = [m * wide.ctx.gen(scalars + p) for p in range(len(part.rows)) for m in factors]
            blocks.append(Block((number,), wide.ctx.constant(1), tuple(basis)))
        free = [
            Column(m * wide.ctx.from_dict(flat(value, times)), equation=k, cofactor=m, factors=(int(times == scale),))
            for k, (_, value) in enumerate(table.equations)
            for times in self._multipliers(value, scale)
            for m in factors
        ]
        system = _peeled(_without_loose_ends(WordSystem(target, tuple(blocks), tuple(free), polys, scalars)))
        if system is None or not 0 < system.size <= MOST_UNKNOWNS:
            return None
        if not system.blocks:
            weights = combine(target, free, strict=False, seconds=5.0)
        else:
            weights = Solver(Budget(seconds=6.0), 12, None).solve(system, strict=False)  # type: ignore[arg-type]
        return None if weights is None else self._lifted(weights, table.parts, scales, table.equations, scale, wide)

    def _multipliers(self, value: Terms, scale: fmpq_mpoly) -> list[fmpq_mpoly]:
        """An equation is multiplied as the goal is, or by its own denominator only."""
        own = _common([value], self.ring)
        return ([scale] if _divides(own, scale) else []) + ([own] if own != scale else [])

    def _monomials(self, wide: RationalFunctions) -> list[fmpq_mpoly]:
        return monomials(wide.ctx, [wide.names.index(n) for n in self._scalars()][:5], self.degree)

    def _scalars(self) -> list[str]:
        """The numbers in the coefficients of the goal; sizes count for nothing."""
        polys = (poly for c in self.target.terms.values() for poly in (c.num, c.den))
        return sorted({n for poly in polys for n in _used(poly, self.names)} - set(self.world.sizes))

    def _pairs(self, part: Part) -> dict[tuple[int, int], Terms] | None:
        """The formulas  E(c * L_p @ Z @ L_q.T)  in normal form."""
        found = {}
        try:
            nodes = [self.world.read(row.says, part.samples) for row in part.rows]
            for p, left in enumerate(nodes):
                for q in range(p, len(nodes)):
                    found[p, q] = self.value(self._product(part, left, nodes[q]))
        except KernelError:
            return None
        return found

    def _product(self, part: Part, left: Node, right: Node) -> Node:
        turned = Node("T", (right,))
        middle = part.middle
        if size_of(left) == NUMBER:
            node = Node("*", (left, right))
            node = node if middle is None else Node("*", (middle, node))
        else:
            inner = left if middle is None else Node("@", (left, middle))
            node = Node("@", (inner, turned))
            if left != right and not part.traced and size_of(left)[0] != ONE:
                node = Node("/", (Node("+", (node, Node("T", (node,)))), num(2)))
        node = Node("tr", (node,)) if part.traced else node
        node = node if part.weight is None else Node("*", (part.weight, node))
        for name, space in sorted(part.samples.items()):
            node = Node("mean", (sym(name), node), space)
        return node

    def _equations(self) -> Iterator[tuple[Item, Terms]]:
        """Multiples of equations between numbers or vectors with letters."""
        for position in self._kept():
            fact = self.every[position]
            node = Node("-", (fact.left, fact.right))
            for item, around in self._multiples(position, node):
                try:
                    if size_of(around) == self.shape:
                        yield item, self.value(around)
                except KernelError:
                    continue

    def _multiples(self, position: int, node: Node) -> Iterator[tuple[Item, Node]]:
        plain = list(dict.fromkeys(row for row in (*self.rows, *self.loose) if not row.samples))
        names = self.weights
        if size_of(node) == NUMBER:
            own = (r.says for r in plain if r.shape == NUMBER)
            for says in dict.fromkeys(["1", *names, *own, *whole_numbers(self.target, dict(self.world.letters))]):
                factor = self.world.read(says)
                yield {"eq": position, "k": says}, Node("*", (factor, node))
            for word in self._whole():
                yield {"eq": position, "k": f"({word})"}, Node("*", (self.world.read(word), node))
            return
        if self.shape != NUMBER:
            yield from self._framed(position, node)
            return
        for row in plain:
            if row.shape == size_of(node)[::-1] and row.rows != ONE and size_of(node)[1] != ONE:
                made = Node("tr", (Node("@", (self.world.read(row.says), node)),))
                yield {"eq": position, "L": row.says, "tr": 1}, made
            if row.cols == size_of(node)[0] and row.rows == ONE:
                made = Node("@", (self.world.read(row.says), node))
                for says in ("1", *names):
                    yield {"eq": position, "L": row.says, "k": says}, Node("*", (self.world.read(says), made))
        yield from self._between(position, node, plain)

    @cached_property
    def weights(self) -> list[str]:
        """Numbers that may multiply an equation: those of the goal, its coefficients, and these without one factor."""
        names = sorted(set(self.names) & (symbols(self.sequent.goal.left) | symbols(self.sequent.goal.right)))
        found = dict.fromkeys([n for n in names if n.isidentifier()][:4])
        for coefficient in self.target.terms.values():
            for powers in coefficient.num.to_dict():
                for lower in (None, *(i for i, e in enumerate(powers) if e)):
                    left = [int(e) - (i == lower) for i, e in enumerate(powers)]
                    if sum(left) > 1 and all(n.isidentifier() for n, e in zip(self.names, left, strict=True) if e):
                        word = "*".join(f"{n}**{e}" for n, e in zip(self.names, left, strict=True) if e)
                        found[word] = None
        return list(found)[:MOST_WEIGHTS]

    def _between(self, position: int, node: Node, plain: list[Row]) -> Iterator[tuple[Item, Node]]:
        """A matrix equation between two rows, as a number: a @ node @ b.T, or its trace."""
        size = size_of(node)
        if ONE in size:
            return
        left, right = ([row for row in plain if row.cols == one][:MOST_AROUND] for one in size)
        for a, b in product(left, right):
            if a.rows != b.rows:
                continue
            made = Node("@", (self.world.read(a.says), Node("@", (node, Node("T", (self.world.read(b.says),))))))
            item = {"eq": position, "L": a.says, "R": f"({b.says}).T"}
            yield (item, made) if a.rows == ONE else ({**item, "tr": 1}, Node("tr", (made,)))

    def _whole(self) -> list[str]:
        """The words of a vector or of a matrix that is the goal's difference."""
        if self.shape == NUMBER:
            return []
        left, right = self.affixes
        words = [one for one in left if one and self._has_shape(one)]
        if self.shape[1] != ONE:
            whole = (f"{a}@{b}" for a in left for b in right if a and b)
            words += [one for one in islice(whole, MOST_WHOLE) if one not in words and self._has_shape(one)]
        return words

    def _has_shape(self, source: str) -> bool:
        try:
            return size_of(self.world.read(source)) == self.shape
        except KernelError:
            return False

    @cached_property
    def affixes(self) -> tuple[list[str], list[str]]:
        every = (side for f in self.every if f.op == "==" and f.binder is None for side in (f.left, f.right))
        known = [self.value(side) for side in every if size_of(side) == self.shape != NUMBER]
        return affixes(self.target, dict(self.world.letters), known)

    def _framed(self, position: int, node: Node) -> Iterator[tuple[Item, Node]]:
        """A matrix equation between beginnings and ends of the goal's words, and beside inverses."""
        left, right = self.affixes
        for a in left:
            for b in right:
                item = {"eq": position} | ({"L": a} if a else {}) | ({"R": b} if b else {})
                try:
                    made = node if not a else Node("@", (self.world.read(a), node))
                    made = made if not b else Node("@", (made, self.world.read(b)))
                    if size_of(made) == self.shape:
                        yield item, made
                        if self.sequent.goal.op == "<<":
                            yield self._turned(item), Node("T", (made,))
                except KernelError:
                    continue

    @staticmethod
    def _turned(item: Item) -> Item:
        ends = {"L": item.get("R"), "R": item.get("L")}
        return {"eq": item["eq"], "T": 1} | {k: f"({v}).T" for k, v in ends.items() if v}

    # ---- back to the language of the kernel

    def _lifted(
        self,
        weights: Weighted,
        parts: list[Part],
        scales: list[fmpq_mpoly],
        equations: list[tuple[Item, Terms]],
        own: fmpq_mpoly,
        wide: RationalFunctions,
    ) -> Certificate | None:
        items = []
        for weight, column in weights:
            if column.equation is not None:
                item, value = equations[column.equation]
                assert column.cofactor is not None
                k = f"({weight})*({self._text(column.cofactor, wide)})"
                if column.factors != (1,):
                    k = f"{k}*({self._plain(_common([value], self.ring))})/({self._plain(own)})"
                items.append({**item, "k": f"({item.get('k', '1')})*{k}"})  # a number of any sign
                continue
            part, scale = parts[column.factors[0]], scales[column.factors[0]]
            made = self._item(part, column.square, wide)
            same = scale == own
            number = str(weight) if same else f"({weight})*({self._plain(scale)})/({self._plain(own)})"
            because = self._nonnegative(number)
            if made is None or because is None:
                return None
            made["c"] = [*part.factors, *([] if number == "1" else [{"is": number, "because": because}])]
            items.append(made)
        cert: Certificate = {"kind": "order", "items": items, "ops": self.uses}
        return self._with_duties(cert, own)

    def _with_duties(self, cert: Certificate, own: fmpq_mpoly) -> Certificate:
        if own.is_constant():
            return cert
        from theory.provers.skeletons import Filler

        node = Node("/", (num(1), self._node(own)))
        return {**cert, "defined": Filler(self.prove, {}, self.effort.deeper()).definedness([node], self.sequent)}

    def _nonnegative(self, source: str) -> Certificate | None:
        goal = Relation(">=", parse(source), num(0))
        if not symbols(goal.left):
            return {"kind": "positive"}
        return self.prove(self.sequent.show(goal), replace(self.effort, heavy=False, splits=0).deeper(), {})

    def _item(self, part: Part, square: fmpq_mpoly | None, wide: RationalFunctions) -> Item | None:
        assert square is not None
        terms: dict[int, dict[Exponents, fmpq]] = {}
        for powers, coefficient in exponents(square).items():
            (p,) = [i - len(self.names) for i, e in enumerate(powers) if e and i >= len(self.names)]
            rest = (*powers[: len(self.names)], *(0 for _ in powers[len(self.names) :]))
            terms.setdefault(p, {})[rest] = coefficient
        pieces = []
        for p, poly in sorted(terms.items()):
            factor = self._text(wide.ctx.from_dict(poly), wide)
            pieces.append(part.rows[p].says if factor == "1" else f"({factor})*({part.rows[p].says})")
        row = " + ".join(pieces)
        item: Item = dict(part.item)
        if part.item.get("of") is not None and part.middle is not None and size_of(part.middle) == NUMBER:
            if row != "1":
                item["L"] = row
        else:
            item["L"] = row
        if part.traced:
            size = text(size_node(part.rows[0].rows))
            item = {"tr": [item, {"L": f"I({size})"}]}
        if part.samples:
            item["E"] = dict(part.samples)
        return item

    def _text(self, poly: fmpq_mpoly, wide: RationalFunctions) -> str:
        return text(_restored(polynomial_node(poly, wide.names), self.opaque))

    def _node(self, poly: fmpq_mpoly) -> Node:
        return _restored(polynomial_node(poly, self.names), self.opaque)

    def _plain(self, poly: fmpq_mpoly) -> str:
        return text(self._node(poly))


class Solver(Search):
    """The semidefinite search, without zeros of a polynomial goal."""

    @cached_property
    def zeros(self) -> list[Any]:
        return []


def rewrites(uses: Iterable[Any], sequent: Sequent) -> list[Relation | None]:
    """The equations as the kernel rewrites with them, open samples included; None takes a step."""
    builder = _Builder({"_depth": 0}, sequent, {}, Tally())
    return [builder.rewrite(one) for one in uses]


def _counted(fact: Relation) -> bool:
    return any(lo.op != "domain" for _, lo, _ in fact.binders)


def _is_declared(size: Any, world: Any) -> bool:
    return all(name in world.sizes or not name for name, _ in size)


def _used(poly: fmpq_mpoly, names: Sequence[str]) -> set[str]:
    return {names[i] for i, d in enumerate(poly.degrees()) if d}


def _common(values: Iterable[Terms], ring: RationalFunctions) -> fmpq_mpoly:
    """A common denominator, with leading coefficient one."""
    result = ring.ctx.constant(1)
    for value in values:
        for coefficient in value.terms.values():
            den = coefficient.den
            if not den.is_constant():
                result = result * (den / result.gcd(den))
    return result


def _divides(one: fmpq_mpoly, other: fmpq_mpoly) -> bool:
    return bool((one / one.gcd(other)).is_constant())


def _flattened(value: Terms, scale: fmpq_mpoly, keys: list[Any], scalars: int, rest: int) -> Poly:
    place = {key: i for i, key in enumerate(keys)}
    result: Poly = {}
    for key, coefficient in value.terms.items():
        poly = coefficient.num * (scale / coefficient.den)
        for powers, c in exponents(poly).items():
            tail = [0] * rest
            tail[place[key]] = 1
            result[(*powers[:scalars], *tail)] = c
    return result


def _without_loose_ends(system: WordSystem) -> WordSystem:
    """Without multiples of equations that have a word of their own: nothing could cancel it."""
    free = list(system.free)
    squares = Counter(m for column in system.columns[: len(system.columns) - len(free)] for m in column)
    while True:
        count = squares + Counter(m for column in free for m in exponents(column.poly))
        wanted = exponents(system.target)
        kept = [one for one in free if all(m in wanted or count[m] > 1 for m in exponents(one.poly))]
        if len(kept) == len(free):
            return replace(system, free=tuple(kept))
        free = kept


def _peeled(system: WordSystem) -> WordSystem | None:
    """Without rows whose squares cannot be matched: a word that only squares make, with one sign."""
    while True:
        made: dict[Exponents, list[tuple[int, int, int]]] = {}
        mixed: set[Exponents] = {m for column in system.free for m in exponents(column.poly)}
        at = 0
        for b, block in enumerate(system.blocks):
            for i, j in block.pairs():
                for m, c in system.columns[at].items():
                    if i == j:
                        made.setdefault(m, []).append((b, i, 1 if c > 0 else -1))
                    else:
                        mixed.add(m)
                at += 1
        target = exponents(system.target)
        drop: set[tuple[int, int]] = set()
        for m, entries in made.items():
            if m in mixed or len({s for _, _, s in entries}) > 1:
                continue
            if m not in target:
                drop |= {(b, i) for b, i, _ in entries}
            elif (target[m] > 0) != (entries[0][2] > 0):
                return None
        if any(m not in made and m not in mixed for m in target):
            return None
        if not drop:
            return system
        blocks = []
        for b, block in enumerate(system.blocks):
            basis = [p for i, p in enumerate(block.basis) if (b, i) not in drop]
            if basis:
                blocks.append(block.on(basis))
        system = replace(system, blocks=tuple(blocks))
        if not system.blocks and not system.free:
            return None
