"""Roots of perfect squares: sqrt(16*x**2/y**2) is 4*x/y where x and y are positive."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache

from flint import fmpq_mpoly

from theory.kernel.errors import KernelError
from theory.kernel.evaluate import Mat
from theory.kernel.flat import Atoms, fraction_node, fractions_of
from theory.kernel.lang import Node, Relation, num, substitute, symbols, walk
from theory.kernel.rings import Frac, RationalFunctions
from theory.kernel.sequent import Signs, signs


def tame(node: Node, facts: Sequence[Relation]) -> Node:
    """Take every root whose argument is a perfect square, with an absolute value where the sign is not plain."""
    if not node.args or not any(part.op == "sqrt" for part in walk(node)):
        return node
    args = tuple(tame(arg, facts) for arg in node.args)
    same = Node(node.op, args, node.value)
    return _perfect_root(args[0], tuple(facts)) or same if node.op == "sqrt" else same


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
    if top is None or bottom is None:
        return None
    return top if bottom == num(1) else Node("/", (top, bottom))


def _half(poly: fmpq_mpoly, ring: RationalFunctions, atoms: Atoms, known: Signs) -> Node | None:
    if poly.is_zero():
        return num(0)
    constant, factors = poly.factor()
    if constant < 0 or not (constant.p.is_square() and constant.q.is_square()) or any(p % 2 for _, p in factors):
        return None
    root: Node = num(Fraction(int(constant.p.isqrt()), int(constant.q.isqrt())))
    for factor, power in factors:
        piece = _piece(factor, power // 2, ring, atoms, known)
        root = piece if root == num(1) else Node("*", (root, piece))
    return root


def _piece(factor: fmpq_mpoly, power: int, ring: RationalFunctions, atoms: Atoms, known: Signs) -> Node:
    node = fraction_node(Frac.of(factor**power, ring.ctx.constant(1)), ring.names)
    node = substitute(node, {name: part for name, part in atoms.opaque.items() if name in symbols(node)})
    if power % 2 == 0 or is_nonnegative(factor, known):
        return node
    return Node("neg", (node,)) if known.of_polynomial(factor) == -1 else Node("abs", (node,))


def is_nonnegative(poly: fmpq_mpoly, known: Signs) -> bool:
    """Plain to see: positive, or positive coefficients in names that are nonnegative."""
    if poly.is_zero() or known.of_polynomial(poly) == 1:
        return True
    return all(c > 0 for c in poly.to_dict().values()) and known.covers(poly, strict=False)
