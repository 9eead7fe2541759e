"""In which order the free numbers are drawn, and between which bounds: read off from the hypotheses.

Every inequality that is linear in a name, a*x + b >= 0, bounds that name in terms of those drawn before it. When the
last name is removed, each pair of its lower and upper bounds leaves an inequality for the others (Fourier-Motzkin), so
that the interval is hardly ever empty. The bounds only propose: every hypothesis is tested again at the point.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from flint import fmpq_mpoly

from theory.kernel.errors import KernelError
from theory.kernel.flat import Atoms, difference, fractions_of, polynomial_node
from theory.kernel.lang import Node, Relation, symbols
from theory.kernel.rings import Mat, RationalFunctions
from theory.kernel.sequent import Signs, signs
from theory.search.equations import by_degree, restored

MAX_IMPLIED = 24
MAX_POLY = 60


@dataclass(frozen=True)
class Bound:
    """slope*x + rest >= 0, or > 0 where strict; `side` is +1 for a lower bound, -1 for an upper one, 0 unknown."""

    slope: Node
    rest: Node
    strict: bool
    side: int


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


def ordered(names: Sequence[str], inequalities: Sequence[Relation]) -> tuple[Variable, ...]:
    """The free names in an order of drawing, each with its bounds."""
    ring, lines, atoms, known = _lines(names, inequalities)
    hidden = {name: symbols(node) for name, node in atoms.opaque.items()}
    left = list(names)
    drawn: list[Variable] = []
    while left:
        _, name = min((_awkwardness(n, lines, ring, hidden, known), n) for n in left)
        mine, blocked = _split(name, lines, ring, hidden)
        bounds = [_bound(line, name, ring, atoms, known) for line in mine]
        drawn.append(Variable(name, tuple(bounds)))
        lines = _without(name, lines, mine, blocked, ring, known)
        left.remove(name)
    return tuple(reversed(drawn))


def _lines(
    names: Sequence[str], inequalities: Sequence[Relation]
) -> tuple[RationalFunctions, list[_Line], Atoms, Signs]:
    nodes: list[Node] = []
    strict: list[bool] = []
    for relation in inequalities:
        if relation.op in ("==", "!="):
            continue
        node, is_strict = difference(relation)
        if _readable(node):
            nodes.append(node)
            strict.append(is_strict)
    from theory.kernel.lang import sym

    ring, values, atoms = fractions_of([*nodes, *(sym(n) for n in names)])
    known = signs(inequalities, ring)
    lines = []
    for value, is_strict in zip(values, strict, strict=False):
        if not isinstance(value, Mat):
            sign = known.of_polynomial(value.den)
            poly = value.num * sign if sign else value.num * value.den
            if not poly.is_constant():
                lines.append(_Line(poly, is_strict))
    return ring, lines, atoms, known


def _readable(node: Node) -> bool:
    try:
        _, (value,), _ = fractions_of([node])
    except KernelError:
        return False
    return not isinstance(value, Mat) and len(value.num.to_dict()) <= MAX_POLY


def _occurs(
    poly: fmpq_mpoly, name: str, ring: RationalFunctions, hidden: dict[str, frozenset[str]]
) -> tuple[int, bool]:
    """The degree in the name, and whether the name also sits inside a root or another atom."""
    degrees = poly.degrees()
    inside = any(degrees[ring.names.index(a)] and name in free for a, free in hidden.items() if a in ring.names)
    return int(degrees[ring.names.index(name)]), inside


def _split(
    name: str, lines: list[_Line], ring: RationalFunctions, hidden: dict[str, frozenset[str]]
) -> tuple[list[_Line], list[_Line]]:
    mine, blocked = [], []
    for line in lines:
        degree, inside = _occurs(line.poly, name, ring, hidden)
        if inside or degree > 1:
            blocked.append(line)
        elif degree == 1:
            mine.append(line)
    return mine, blocked


def _awkwardness(
    name: str, lines: list[_Line], ring: RationalFunctions, hidden: dict[str, frozenset[str]], known: Signs
) -> tuple[int, int, int]:
    """How much is lost if this name is drawn last among the remaining ones."""
    mine, blocked = _split(name, lines, ring, hidden)
    sides = [_side(line.poly, name, ring, known) for line in mine]
    lower, upper, unknown = sides.count(1), sides.count(-1), sides.count(0)
    return 4 * len(blocked) + unknown, min(lower, upper), len(mine)


def _side(poly: fmpq_mpoly, name: str, ring: RationalFunctions, known: Signs) -> int:
    slope = by_degree(poly, ring, name)[1]
    if slope.is_constant():
        return 1 if slope.leading_coefficient() > 0 else -1
    return known.of_polynomial(slope) or 0


def _bound(line: _Line, name: str, ring: RationalFunctions, atoms: Atoms, known: Signs) -> Bound:
    parts = by_degree(line.poly, ring, name)
    rest = parts.get(0, ring.ctx.constant(0))
    slope_node, rest_node = (restored(polynomial_node(p, ring.names), atoms) for p in (parts[1], rest))
    return Bound(slope_node, rest_node, line.strict, _side(line.poly, name, ring, known))


def _without(
    name: str, lines: list[_Line], mine: list[_Line], blocked: list[_Line], ring: RationalFunctions, known: Signs
) -> list[_Line]:
    """The inequalities that remain for the others: those without the name, and those that its bounds imply."""
    rest = [line for line in lines if line not in mine and line not in blocked]
    lower = [line for line in mine if _side(line.poly, name, ring, known) == 1]
    upper = [line for line in mine if _side(line.poly, name, ring, known) == -1]
    for low in lower:
        for high in upper:
            one = _implied(low, high, name, ring)
            small = len(rest) < MAX_IMPLIED and not one.poly.is_constant() and len(one.poly.to_dict()) <= MAX_POLY
            if small and known.of_polynomial(one.poly) != 1 and all(one.poly != other.poly for other in rest):
                rest.append(one)
    return rest


def _implied(low: _Line, high: _Line, name: str, ring: RationalFunctions) -> _Line:
    a, b = by_degree(low.poly, ring, name), by_degree(high.poly, ring, name)
    zero = ring.ctx.constant(0)
    poly = a[1] * b.get(0, zero) - b[1] * a.get(0, zero)
    if poly.is_constant():
        return _Line(poly, True)
    constant, factors = poly.factor()
    reduced = ring.ctx.constant(1 if constant > 0 else -1)
    for factor, power in factors:
        reduced = reduced * factor if power % 2 else reduced
    return _Line(reduced, low.strict or high.strict)
