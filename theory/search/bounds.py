"""In which order the free numbers are drawn, and between which bounds: read off from the hypotheses.

An inequality a*x + b >= 0 (or a*x**n + b >= 0, or a*x**2 + m*x + b >= 0) bounds x in terms of the numbers drawn
before it. Short ones are multiplied out, long ones are read as they are written. When the last name is removed, each
pair of its lower and upper bounds leaves an inequality for the others (Fourier-Motzkin), so that the interval is
hardly ever empty. The bounds only propose: every hypothesis is tested again at the point.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from flint import fmpq_mpoly

from theory.kernel.errors import KernelError
from theory.kernel.evaluate import Mat
from theory.kernel.flat import Atoms, difference, fractions_of, polynomial_node
from theory.kernel.lang import Node, Relation, num, sym, symbols
from theory.kernel.rings import Frac, RationalFunctions
from theory.kernel.sequent import Signs, signs
from theory.search.equations import by_degree, restored
from theory.search.roots import is_nonnegative
from theory.search.trees import ZERO, linear, positive_names, relation_size, sign, size

MAX_IMPLIED = 24
MAX_POLY = 24
LONG = 60
PLAIN = 25
LINEAR, PURE, QUADRATIC, BLOCKED = "linear", "pure", "quadratic", "blocked"


@dataclass(frozen=True)
class Bound:
    """slope*x**power + middle*x + rest >= 0, or > 0 where strict; middle only with power 2."""

    slope: Node
    rest: Node
    strict: bool
    power: int = 1
    middle: Node | None = None


@dataclass(frozen=True)
class Variable:
    """A free number and its bounds in terms of the numbers before it."""

    name: str
    bounds: tuple[Bound, ...]


@dataclass(frozen=True)
class _Line:
    """poly >= 0 (or > 0); a long inequality has no polynomial but the formula itself."""

    poly: fmpq_mpoly | None
    strict: bool
    node: Node = ZERO


@dataclass(frozen=True)
class _Lines:
    """Inequalities, with the names, the atoms and the signs that are plain to see."""

    ring: RationalFunctions
    atoms: Atoms
    known: Signs
    positive: frozenset[str]
    kinds: dict[tuple[int, str], str | None] = field(default_factory=dict)
    sides: dict[tuple[int, str], int] = field(default_factory=dict)

    def kind(self, line: _Line, name: str) -> str | None:
        """How the name occurs: None when it does not."""
        key = (id(line), name)
        if key not in self.kinds:
            self.kinds[key] = self._kind(line, name)
        return self.kinds[key]

    def _kind(self, line: _Line, name: str) -> str | None:
        if line.poly is None:
            parts = linear(line.node, name)
            return BLOCKED if parts is None else None if parts[0] == ZERO else LINEAR
        degrees = dict(zip(self.ring.names, line.poly.degrees(), strict=False))
        inside = any(degrees.get(a) and name in symbols(n) for a, n in self.atoms.opaque.items())
        if inside:
            return BLOCKED
        if not degrees[name]:
            return None
        powers = {p for p in by_degree(line.poly, self.ring, name) if p}
        if powers == {1}:
            return LINEAR
        return PURE if len(powers) == 1 else QUADRATIC if powers == {1, 2} else BLOCKED

    def side(self, line: _Line, name: str) -> int:
        """+1 for a lower bound, -1 for an upper one, 0 where the sign is not plain (linear and pure lines)."""
        key = (id(line), name)
        if key not in self.sides:
            self.sides[key] = self._side(line, name)
        return self.sides[key]

    def _side(self, line: _Line, name: str) -> int:
        if line.poly is None:
            return sign((linear(line.node, name) or (ZERO, ZERO))[0], self.positive)
        parts = by_degree(line.poly, self.ring, name)
        slope = parts[max(parts)]
        if slope.is_constant():
            return 1 if slope.leading_coefficient() > 0 else -1
        return self.known.of_polynomial(slope) or 0

    def awkwardness(self, name: str, lines: list[_Line]) -> tuple[int, int, int]:
        """How much is lost if this name is drawn last among the remaining ones."""
        kinds = [(self.kind(line, name), line) for line in lines]
        mine = [(k, line) for k, line in kinds if k in (LINEAR, PURE)]
        sides = [self.side(line, name) for _, line in mine]
        weight = {BLOCKED: 8, QUADRATIC: 3, PURE: 1, LINEAR: 0, None: 0}
        bad = sum(weight[k] for k, _ in kinds) + 2 * sides.count(0)
        return bad, min(sides.count(1), sides.count(-1)), len(mine)

    def bound(self, line: _Line, name: str) -> Bound:
        if line.poly is None:
            slope, rest = linear(line.node, name) or (ZERO, ZERO)
            return Bound(slope, rest, line.strict)
        parts = by_degree(line.poly, self.ring, name)
        power = max(parts)
        nodes = {p: restored(polynomial_node(poly, self.ring.names), self.atoms) for p, poly in parts.items()}
        return Bound(nodes[power], nodes.get(0, num(0)), line.strict, power, nodes.get(1) if power > 1 else None)

    def without(self, name: str, lines: list[_Line]) -> list[_Line]:
        """The inequalities that remain for the others: those without the name, and those that its bounds imply."""
        rest = [line for line in lines if self.kind(line, name) is None]
        mine = [line for line in lines if line.poly is not None and self.kind(line, name) in (LINEAR, PURE)]
        lower = [line for line in mine if self.side(line, name) == 1 and self.kind(line, name) == LINEAR]
        upper = [line for line in mine if self.side(line, name) == -1]
        for one in (self._implied(low, high, name) for low in lower for high in upper):
            if one is not None and len(rest) < MAX_IMPLIED and self._is_news(one, rest):
                rest.append(one)
        return rest

    def _is_news(self, one: _Line, rest: list[_Line]) -> bool:
        if one.poly is None or one.poly.is_constant() or len(one.poly.to_dict()) > MAX_POLY:
            return False
        return self.known.of_polynomial(one.poly) != 1 and all(one.poly != other.poly for other in rest)

    def _implied(self, low: _Line, high: _Line, name: str) -> _Line | None:
        """x >= -b/a with a > 0, and s*x**n + t >= 0 with s < 0, imply s*(-b)**n + t*a**n >= 0 when n = 1 or b <= 0."""
        if low.poly is None or high.poly is None:
            return None
        a, b = by_degree(low.poly, self.ring, name), by_degree(high.poly, self.ring, name)
        zero, n = self.ring.ctx.constant(0), max(b)
        if n > 1 and not is_nonnegative(-a.get(0, zero), self.known):
            return None
        poly = b[n] * (-a.get(0, zero)) ** n + b.get(0, zero) * a[1] ** n
        return _Line(self._reduced(poly), low.strict or high.strict)

    def _reduced(self, poly: fmpq_mpoly) -> fmpq_mpoly:
        """The same sign with fewer factors."""
        if poly.is_constant():
            return poly
        constant, factors = poly.factor()
        reduced = self.ring.ctx.constant(1 if constant > 0 else -1)
        for factor, power in factors:
            sign = self.known.of_polynomial(factor)
            if power % 2 and sign != 1:
                reduced = -reduced if sign == -1 else reduced * factor
        return reduced


@lru_cache(maxsize=256)
def ordered(names: tuple[str, ...], inequalities: tuple[Relation, ...]) -> tuple[Variable, ...]:
    """The free names in an order of drawing, each with its bounds."""
    relations = [part for relation in inequalities for part in split_extremes(relation)]
    known, lines = _lines(names, relations)
    alive = list(lines)  # an id is remembered as long as the line lives
    left = {name: known.awkwardness(name, lines) for name in names}
    drawn: list[Variable] = []
    while left:
        name = min(left, key=lambda n: (left[n], n))
        mine = [line for line in lines if known.kind(line, name) in (LINEAR, PURE, QUADRATIC)]
        drawn.append(Variable(name, tuple(known.bound(line, name) for line in mine)))
        before, lines = lines, known.without(name, lines)
        alive += lines
        del left[name]
        both = {*map(id, before)} & {*map(id, lines)}
        news = [line for line in (*before, *lines) if id(line) not in both]
        left.update({n: known.awkwardness(n, lines) for n in left if any(known.kind(line, n) for line in news)})
    return tuple(reversed(drawn))


def split_extremes(relation: Relation) -> Iterator[Relation]:
    """x <= min(a, b) is x <= a and x <= b; max(a, b) <= x and |a| <= x likewise."""
    if relation.op in ("==", "!="):
        return
    small, large = (relation.left, relation.right) if relation.op in ("<=", "<") else (relation.right, relation.left)
    op = "<=" if relation.op in ("<=", ">=") else "<"
    lows: tuple[Node, ...] = (small,)
    if small.op == "max":
        lows = small.args
    elif small.op == "abs":
        lows = (small.args[0], Node("neg", (small.args[0],)))
    highs = large.args if large.op == "min" else (large,)
    yield from (Relation(op, low, high) for low in lows for high in highs)


def _lines(names: Sequence[str], inequalities: Sequence[Relation]) -> tuple[_Lines, list[_Line]]:
    pairs = [(node, strict, _is_short(node)) for node, strict in map(difference, inequalities)]
    short = [(node, strict) for node, strict, fine in pairs if fine]
    ring, values, atoms = fractions_of([*(node for node, _ in short), *(sym(n) for n in names)])
    plain = [r for r in inequalities if relation_size(r) <= PLAIN]
    known = signs(plain, ring)
    lines = [_Line(None, strict, node) for node, strict, fine in pairs if not fine]
    for value, (_, strict) in zip(values, short, strict=False):
        if not isinstance(value, Mat):
            poly = _of_one_sign(value, known)
            if not poly.is_constant():
                lines.append(_Line(poly, strict))
    return _Lines(ring, atoms, known, positive_names(plain)), lines


def _of_one_sign(value: Frac, known: Signs) -> fmpq_mpoly:
    """A polynomial of the same sign as the quotient."""
    bottom = known.of_polynomial(value.den)
    return value.num * bottom if bottom else value.num * value.den


def _is_short(node: Node) -> bool:
    """Whether it pays to multiply the inequality out."""
    if size(node) > LONG:
        return False
    try:
        _, (value,), _ = fractions_of([node])
    except KernelError:
        return False
    return not isinstance(value, Mat) and len(value.num.to_dict()) <= MAX_POLY
