"""Which numbers are free and which follow: hypotheses that are equations are solved for a name.

The choice matters: theta**2 == mu*eta/(16*kt) is solved for eta, not for theta, because then rational free numbers
give rational dependent ones, and a witness can be exact.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from flint import fmpq, fmpq_mpoly

from theory.kernel.errors import KernelError
from theory.kernel.flat import Atoms, fraction_node, fractions_of
from theory.kernel.lang import Node, Relation, num, substitute, sym, symbols, walk
from theory.kernel.rings import Frac, Mat, RationalFunctions
from theory.kernel.sequent import Signs, signs

INEXACT = {"sqrt", "exp", "log", "sin", "cos"}
WIDTH = 5
LEAVES = 60


@dataclass(frozen=True)
class Solution:
    """`name` equals `formula` in the other names; exact when rationals give a rational."""

    name: str
    formula: Node
    exact: bool
    cost: float


@dataclass(frozen=True)
class Solved:
    """Dependent names in the order in which they are computed, and the equations that were not solved."""

    dependent: tuple[Solution, ...] = ()
    left_over: tuple[Relation, ...] = ()

    @property
    def cost(self) -> float:
        return sum(s.cost for s in self.dependent) + 1000.0 * len(self.left_over)


def solve(relations: Sequence[Relation], avoid: frozenset[str], variant: int = 0) -> Solved:
    """Solve the equations among the relations for one name each, by the cheapest combination found."""
    equations = tuple(r for r in relations if r.op == "==")
    facts = tuple(r for r in relations if r.op not in ("==", "!="))
    leaves: list[Solved] = []
    _descend(equations, facts, avoid, Solved(), leaves)
    distinct = {tuple(sorted(s.name for s in leaf.dependent)): leaf for leaf in sorted(leaves, key=lambda s: -s.cost)}
    ranked = sorted(distinct.values(), key=lambda s: s.cost)
    good = [s for s in ranked if s.cost < ranked[0].cost + 60.0]
    return _back_substituted(good[variant % len(good)])


def _descend(
    equations: tuple[Relation, ...],
    facts: tuple[Relation, ...],
    avoid: frozenset[str],
    so_far: Solved,
    leaves: list[Solved],
) -> None:
    if len(leaves) >= LEAVES:
        return
    if not equations:
        leaves.append(so_far)
        return
    options = [(solutions(e, facts, avoid), e) for e in equations]
    choices, equation = min(options, key=lambda pair: (not pair[0], len(pair[0])))
    rest = tuple(e for e in equations if e is not equation)
    if not choices:
        trivial = _is_identity(equation)
        left = so_far.left_over if trivial else (*so_far.left_over, equation)
        _descend(rest, facts, avoid, Solved(so_far.dependent, left), leaves)
        return
    for choice in choices[:WIDTH]:
        env = {choice.name: choice.formula}
        new_rest, new_facts = (tuple(_put(r, env) for r in group) for group in (rest, facts))
        _descend(new_rest, new_facts, avoid, Solved((*so_far.dependent, choice), so_far.left_over), leaves)


def _put(relation: Relation, env: Mapping[str, Node]) -> Relation:
    return Relation(relation.op, substitute(relation.left, env), substitute(relation.right, env))


def _back_substituted(solved: Solved) -> Solved:
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
    for one in _of_difference(tame(Node("-", (equation.left, equation.right)), facts), facts, 0):
        use = sum(one.name in symbols(f.left) | symbols(f.right) for f in facts)
        lone = {equation.left, equation.right} & {sym(one.name)}
        cost = one.cost + use + (200.0 if one.name in avoid else 0.0) - (2.0 if lone else 0.0)
        if one.name not in found or cost < found[one.name].cost:
            found[one.name] = Solution(one.name, one.formula, one.exact, cost)
    return sorted(found.values(), key=lambda s: (s.cost, s.name))


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
        root = atoms.opaque.get(name)
        if root is not None:
            if root.op == "sqrt" and set(parts) <= {0, 1} and depth < 3:
                quotient = _formula(parts.get(0), parts[1], ring, atoms, -1)
                yield from _of_difference(Node("-", (root.args[0], Node("**", (quotient, num(2))))), facts, depth + 1)
        elif name in hidden:
            continue
        elif set(parts) <= {0, 1}:
            formula = tame(_formula(parts.get(0), parts[1], ring, atoms, -1), facts)
            sure = known.of_polynomial(parts[1]) is not None or parts[1].is_constant()
            yield _solution(name, formula, 0.0 if sure else 8.0)
        elif set(parts) <= {0, 2} and 0 in parts:
            square = _formula(parts[0], parts[2], ring, atoms, -1)
            yield _solution(name, tame(Node("sqrt", (square,)), facts), 4.0)


def _solution(name: str, formula: Node, cost: float) -> Solution:
    exact = not any(part.op in INEXACT for part in walk(formula))
    return Solution(name, formula, exact, cost + (0.0 if exact else 100.0))


def _formula(top: fmpq_mpoly | None, bottom: fmpq_mpoly, ring: RationalFunctions, atoms: Atoms, sign: int) -> Node:
    if top is None:
        return num(0)
    return restored(fraction_node(Frac.of(top * sign, bottom), ring.names), atoms)


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


def tame(node: Node, facts: Sequence[Relation]) -> Node:
    """Take the root of every argument that is a perfect square: sqrt(16*x**2/y**2) is 4*x/y where x, y > 0."""
    if not node.args or not any(part.op == "sqrt" for part in walk(node)):
        return node
    args = tuple(tame(arg, facts) for arg in node.args)
    same = Node(node.op, args, node.value)
    if node.op != "sqrt":
        return same
    return _perfect_root(args[0], tuple(facts)) or same


@lru_cache(maxsize=2000)
def _perfect_root(node: Node, facts: tuple[Relation, ...]) -> Node | None:
    try:
        ring, (value,), atoms = fractions_of([node])
    except KernelError:
        return None
    if isinstance(value, Mat):
        return None
    known = signs(facts, ring)
    top, bottom = _half(value.num, ring, atoms, known), _half(value.den, ring, atoms, known)
    return None if top is None or bottom is None else Node("/", (top, bottom))


def _half(poly: fmpq_mpoly, ring: RationalFunctions, atoms: Atoms, known: Signs) -> Node | None:
    if poly.is_zero():
        return num(0)
    constant, factors = poly.factor()
    if constant < 0 or not (constant.p.is_square() and constant.q.is_square()) or any(p % 2 for _, p in factors):
        return None
    root: Node = num(Fraction(int(constant.p.isqrt()), int(constant.q.isqrt())))
    for factor, power in factors:
        half = factor ** (power // 2)
        piece = restored(fraction_node(Frac.of(half, ring.ctx.constant(1)), ring.names), atoms)
        if known.of_polynomial(factor) == -1 and (power // 2) % 2:
            piece = Node("neg", (piece,))
        elif known.of_polynomial(factor) != 1 and (power // 2) % 2:
            piece = Node("abs", (piece,))
        root = Node("*", (root, piece))
    return root
