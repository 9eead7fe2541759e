"""Which numbers are free and which follow: hypotheses that are equations are solved for a name.

The choice matters: theta**2 == mu*eta/(16*kt) is solved for eta, not for theta, because then rational free numbers
give rational dependent ones, and a witness can be exact.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from flint import fmpq, fmpq_mpoly

from theory.kernel.errors import KernelError
from theory.kernel.evaluate import Mat
from theory.kernel.flat import Atoms, fraction_node, fractions_of
from theory.kernel.lang import Node, Relation, num, relation_symbols, substitute, sym, symbols, walk
from theory.kernel.rings import Frac, RationalFunctions
from theory.kernel.sequent import Signs, signs
from theory.search.roots import tame
from theory.search.trees import linear, positive_names, relation_size, sign, size

INEXACT = {"sqrt", "exp", "log", "sin", "cos"}
TOLERATED = 60.0
SHORT = 150
LONG = 80
PLAIN = 25


@dataclass(frozen=True)
class Solution:
    """`name` equals `formula` in the other names; exact when rationals give a rational.

    `implies` are inequalities that were read off on the way, such as theta >= 0 from theta == sqrt(x).
    """

    name: str
    formula: Node
    exact: bool
    cost: float
    implies: tuple[Relation, ...] = ()
    branch: str = ""


@dataclass(frozen=True)
class Solved:
    """Dependent names in the order in which they are computed, and the equations that were not solved."""

    dependent: tuple[Solution, ...] = ()
    left_over: tuple[Relation, ...] = ()

    @property
    def cost(self) -> float:
        return sum(s.cost for s in self.dependent) + 1000.0 * len(self.left_over)

    @property
    def names(self) -> frozenset[str]:
        return frozenset(s.name for s in self.dependent)

    @property
    def key(self) -> tuple[str, ...]:
        return tuple(sorted(s.name + s.branch for s in self.dependent))


@lru_cache(maxsize=256)
def solve(relations: tuple[Relation, ...], avoid: frozenset[str]) -> tuple[Solved, ...]:
    """Ways to solve the equations: the cheapest with all its branches, then others that are about as good."""
    equations = tuple(r for r in relations if r.op == "==")
    facts = tuple(r for r in relations if r.op not in ("==", "!="))
    short = sum(map(relation_size, equations)) <= SHORT
    leaves: list[Solved] = []
    _descend(equations, facts, avoid, Solved(), leaves, *((5, 40) if short else (2, 4)))
    distinct = {leaf.key: leaf for leaf in sorted(leaves, key=lambda s: -s.cost)}
    ranked = sorted(distinct.values(), key=lambda s: (s.cost, s.key))
    near = [s for s in ranked if s.cost < ranked[0].cost + TOLERATED]
    first = [s for s in near if s.names == near[0].names]
    return tuple(_computable(s) for s in (*first, *(s for s in near if s not in first)))


def _descend(
    equations: tuple[Relation, ...],
    facts: tuple[Relation, ...],
    avoid: frozenset[str],
    so_far: Solved,
    leaves: list[Solved],
    width: int,
    most: int,
) -> None:
    if len(leaves) >= most:
        return
    if not equations:
        leaves.append(so_far)
        return
    options = [(solutions(e, facts, avoid), e) for e in equations]
    choices, equation = min(options, key=lambda pair: (not pair[0], len(pair[0])))
    rest = tuple(e for e in equations if e is not equation)
    if not choices:
        left = so_far.left_over if _is_identity(equation) else (*so_far.left_over, equation)
        _descend(rest, facts, avoid, Solved(so_far.dependent, left), leaves, width, most)
        return
    for choice in choices[:width]:
        env = {choice.name: choice.formula}
        after, known = (tuple(_put(r, env) for r in group) for group in (rest, (*facts, *choice.implies)))
        _descend(after, known, avoid, Solved((*so_far.dependent, choice), so_far.left_over), leaves, width, most)


def _put(relation: Relation, env: Mapping[str, Node]) -> Relation:
    if not env.keys() & relation_symbols(relation):
        return relation
    return Relation(relation.op, substitute(relation.left, env), substitute(relation.right, env))


def _computable(solved: Solved) -> Solved:
    """A name solved early may rest on names solved later: compute the later ones first."""
    return Solved(tuple(reversed(solved.dependent)), solved.left_over)


def _is_identity(relation: Relation) -> bool:
    try:
        _, (value,), _ = fractions_of([Node("-", (relation.left, relation.right))])
    except KernelError:
        return False
    return isinstance(value, Frac) and value.is_zero


def solutions(equation: Relation, facts: Sequence[Relation], avoid: frozenset[str]) -> list[Solution]:
    """Every way to solve one equation for a name, cheapest first."""
    found: dict[str, Solution] = {}
    whole = Node("-", (equation.left, equation.right))
    plain = [f for f in facts if relation_size(f) <= PLAIN]
    every = _of_difference(tame(whole, plain), plain, 0) if size(whole) <= LONG else _as_written(whole, plain)
    for one in every:
        use = sum(one.name in symbols(f.left) | symbols(f.right) for f in facts)
        lone = {equation.left, equation.right} & {sym(one.name)}
        cost = one.cost + use + (200.0 if one.name in avoid else 0.0) - (2.0 if lone else 0.0)
        key = one.name + one.branch
        if key not in found or cost < found[key].cost:
            found[key] = replace(one, cost=cost)
    return sorted(found.values(), key=lambda s: (s.cost, s.name, s.branch))


def _as_written(whole: Node, facts: Sequence[Relation]) -> Iterable[Solution]:
    """A long equation, solved for the names in which it is linear as it stands."""
    positive = positive_names(facts)
    for name in sorted(symbols(whole)):
        parts = linear(whole, name)
        if parts is not None and parts[0] != num(0):
            formula = Node("/", (Node("neg", (parts[1],)), parts[0]))
            yield _solution(name, formula, 0.0 if sign(parts[0], positive) else 8.0)


def _of_difference(node: Node, facts: Sequence[Relation], depth: int) -> Iterable[Solution]:
    try:
        ring, (value,), atoms = fractions_of([node])
    except KernelError:
        return
    if isinstance(value, Mat) or value.is_zero:
        return
    known = signs(facts, ring)
    hidden = frozenset().union(*(symbols(n) for k, n in atoms.opaque.items() if k in ring.names))
    for name in ring.names:
        parts = by_degree(value.num, ring, name)
        if name in atoms.opaque:
            if atoms.opaque[name].op == "sqrt" and _linear(parts) and depth < 3:
                yield from _squared(atoms.opaque[name].args[0], parts, ring, atoms, facts, depth)
        elif name not in hidden:
            yield from _for_name(name, parts, ring, atoms, facts, known)


def _linear(parts: dict[int, fmpq_mpoly]) -> bool:
    return 1 in parts and set(parts) <= {0, 1}


def _for_name(
    name: str,
    parts: dict[int, fmpq_mpoly],
    ring: RationalFunctions,
    atoms: Atoms,
    facts: Sequence[Relation],
    known: Signs,
) -> Iterable[Solution]:
    if _linear(parts):
        formula = tame(_quotient(parts.get(0), parts[1], ring, atoms), facts)
        sure = known.of_polynomial(parts[1]) is not None or parts[1].is_constant()
        yield _solution(name, formula, 0.0 if sure else 8.0)
    elif 2 in parts and set(parts) <= {0, 1, 2} and len(parts) > 1:
        middle = _quotient(parts.get(1), parts[2], ring, atoms)
        half = Node("/", (middle, num(2)))
        rest = _quotient(parts.get(0), parts[2], ring, atoms)
        inside = rest if 1 not in parts else Node("+", (Node("**", (half, num(2))), rest))
        root = tame(Node("sqrt", (inside,)), facts)
        if 1 in parts:
            yield _solution(name, Node("+", (half, root)), 4.0)
            yield replace(_solution(name, Node("-", (half, root)), 5.0), branch="-")
            return
        yield _solution(name, root, 4.0)
        if name not in known.nonnegative:
            yield replace(_solution(name, Node("neg", (root,)), 5.0), branch="-")


def _squared(
    argument: Node,
    parts: dict[int, fmpq_mpoly],
    ring: RationalFunctions,
    atoms: Atoms,
    facts: Sequence[Relation],
    depth: int,
) -> Iterable[Solution]:
    """sqrt(argument) == v: the argument is v**2, and v is nonnegative."""
    value = _quotient(parts.get(0), parts[1], ring, atoms)
    try:
        inner, (frac,), _ = fractions_of([argument])
        positive = isinstance(frac, Frac) and _plain_sign(frac, signs(facts, inner))
    except KernelError:
        return
    known = Relation(">" if positive else ">=", value, num(0))
    square = Node("-", (argument, Node("**", (value, num(2)))))
    for one in _of_difference(square, (*facts, known), depth + 1):
        yield replace(one, implies=(*one.implies, known))


def _plain_sign(value: Frac, known: Signs) -> bool:
    top, bottom = known.of_polynomial(value.num), known.of_polynomial(value.den)
    return bool(top and bottom and top == bottom)


def _solution(name: str, formula: Node, cost: float) -> Solution:
    exact = not any(part.op in INEXACT for part in walk(formula))
    return Solution(name, formula, exact, cost + (0.0 if exact else 100.0))


def _quotient(top: fmpq_mpoly | None, bottom: fmpq_mpoly, ring: RationalFunctions, atoms: Atoms) -> Node:
    """-top/bottom as a formula."""
    return num(0) if top is None else restored(fraction_node(Frac.of(-top, bottom), ring.names), atoms)


def restored(node: Node, atoms: Atoms) -> Node:
    """Put the formulas back that flattening has named."""
    return substitute(node, {name: part for name, part in atoms.opaque.items() if name in symbols(node)})


def by_degree(poly: fmpq_mpoly, ring: RationalFunctions, name: str) -> dict[int, fmpq_mpoly]:
    """The coefficients of the powers of one name."""
    at = ring.names.index(name)
    parts: dict[int, dict[tuple[int, ...], fmpq]] = {}
    for exponents, coefficient in poly.to_dict().items():
        power = int(exponents[at])
        rest = tuple(0 if i == at else int(e) for i, e in enumerate(exponents))
        parts.setdefault(power, {})[rest] = coefficient
    return {power: ring.ctx.from_dict(terms) for power, terms in parts.items()} or {0: ring.ctx.constant(0)}
