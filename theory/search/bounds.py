"""In which order the free numbers are drawn, and between which bounds: read off from the hypotheses.

An inequality a*x + b >= 0 (or a*x**n + b >= 0, or a*x**2 + m*x + b >= 0) bounds x in terms of the numbers drawn
before it. When the last name is removed, each pair of its lower and upper bounds leaves an inequality for the others
(Fourier-Motzkin), so that the interval is hardly ever empty. The bounds only propose: every hypothesis is tested
again at the point.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from flint import fmpq_mpoly

from theory.kernel.errors import KernelError
from theory.kernel.evaluate import Mat
from theory.kernel.flat import Atoms, difference, fractions_of, polynomial_node
from theory.kernel.lang import Node, Relation, num, sym, symbols
from theory.kernel.rings import RationalFunctions
from theory.kernel.sequent import Signs, signs
from theory.search.equations import by_degree, restored
from theory.search.roots import is_nonnegative

MAX_IMPLIED = 24
MAX_POLY = 24
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
    """poly >= 0 (or > 0)."""

    poly: fmpq_mpoly
    strict: bool


@dataclass(frozen=True)
class _Lines:
    """Inequalities between polynomials, with the names, the atoms and the signs that are plain to see."""

    ring: RationalFunctions
    atoms: Atoms
    known: Signs

    def kind(self, line: _Line, name: str) -> str | None:
        """How the name occurs: None when it does not."""
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
        parts = by_degree(line.poly, self.ring, name)
        power = max(parts)
        nodes = {p: restored(polynomial_node(poly, self.ring.names), self.atoms) for p, poly in parts.items()}
        return Bound(nodes[power], nodes.get(0, num(0)), line.strict, power, nodes.get(1) if power > 1 else None)

    def without(self, name: str, lines: list[_Line]) -> list[_Line]:
        """The inequalities that remain for the others: those without the name, and those that its bounds imply."""
        rest = [line for line in lines if self.kind(line, name) is None]
        mine = [line for line in lines if self.kind(line, name) in (LINEAR, PURE)]
        lower = [line for line in mine if self.side(line, name) == 1 and self.kind(line, name) == LINEAR]
        upper = [line for line in mine if self.side(line, name) == -1]
        for one in (self._implied(low, high, name) for low in lower for high in upper):
            if one is not None and len(rest) < MAX_IMPLIED and self._is_news(one, rest):
                rest.append(one)
        return rest

    def _is_news(self, one: _Line, rest: list[_Line]) -> bool:
        if one.poly.is_constant() or len(one.poly.to_dict()) > MAX_POLY:
            return False
        return self.known.of_polynomial(one.poly) != 1 and all(one.poly != other.poly for other in rest)

    def _implied(self, low: _Line, high: _Line, name: str) -> _Line | None:
        """x >= -b/a with a > 0, and s*x**n + t >= 0 with s < 0, imply s*(-b)**n + t*a**n >= 0 when n = 1 or b <= 0."""
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
    field, lines = _lines(names, relations)
    left = list(names)
    drawn: list[Variable] = []
    while left:
        _, name = min((field.awkwardness(n, lines), n) for n in left)
        mine = [line for line in lines if field.kind(line, name) in (LINEAR, PURE, QUADRATIC)]
        drawn.append(Variable(name, tuple(field.bound(line, name) for line in mine)))
        lines = field.without(name, lines)
        left.remove(name)
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
    pairs = [pair for pair in map(difference, inequalities) if _readable(pair[0])]
    ring, values, atoms = fractions_of([*(node for node, _ in pairs), *(sym(n) for n in names)])
    known = signs(inequalities, ring)
    lines = []
    for value, (_, strict) in zip(values, pairs, strict=False):
        if not isinstance(value, Mat):
            sign = known.of_polynomial(value.den)
            poly = value.num * sign if sign else value.num * value.den
            if not poly.is_constant():
                lines.append(_Line(poly, strict))
    return _Lines(ring, atoms, known), lines


def _readable(node: Node) -> bool:
    try:
        _, (value,), _ = fractions_of([node])
    except KernelError:
        return False
    return not isinstance(value, Mat) and len(value.num.to_dict()) <= MAX_POLY
