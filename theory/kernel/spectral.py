"""Symmetric matrices in one direction at a time: traces at one eigenvector, an order at one vector.

A symmetric matrix S has an orthonormal basis of eigenvectors u with S @ u = lam * u, and tr(X) is the sum of
u.T @ X @ u over it. So tr(X) <= tr(Y) holds as soon as u.T @ X @ u <= u.T @ Y @ u for every u of length one with
S @ u = lam * u. What may go wrong, and why it does not:

- S is not symmetric, or depends on a sample: its normal form is its own transpose, and no sample is free in it;
- u or lam has a meaning already: both names are new, also in the formulas that the certificate brings;
- the goal is not the trace that the certificate says: each side minus its trace is zero in normal form.

X << Y says that Y - X is symmetric, which its normal form shows, and that u.T @ X @ u <= u.T @ Y @ u for every u: it is
shown for one vector with a new name, of which nothing is known.
"""

from __future__ import annotations

from theory.kernel.errors import Rejected
from theory.kernel.kinds import NUMBER, Size, has_letters, sample_names, size_of
from theory.kernel.lang import Node, Relation, num, sym, symbols, text
from theory.kernel.proof import Library, check, require_defined
from theory.kernel.rings import RationalFunctions
from theory.kernel.sequent import Certificate, Sequent, Tally, fresh
from theory.kernel.terms import normal, scalar_names


def rule_eigen(cert: Certificate, sequent: Sequent, library: Library, tally: Tally) -> None:
    goal = sequent.goal
    if goal.binder is not None or goal.op not in ("<=", ">=", "==") or size_of(goal.left) != NUMBER:
        raise Rejected(f"eigen compares two traces, not {goal}")
    matrix, left, right = (sequent.world.read(str(cert[name])) for name in ("of", "left", "right"))
    if any(True for _ in sample_names(matrix)) or not has_letters(matrix):
        raise Rejected(f"{text(matrix)[:120]} is not a fixed matrix; it has no basis of its own")
    if len({*size_of(matrix), *size_of(left), *size_of(right)}) != 1:
        raise Rejected("the matrix and the two sides below the trace are square and of one size")
    require_defined([matrix, left, right], sequent, cert.get("defined", {}), library, tally, cert["_depth"])
    _is_zero(Node("-", (matrix, Node("T", (matrix,)))), f"{text(matrix)[:120]} is not symmetric")
    for side, inside in ((goal.left, left), (goal.right, right)):
        _is_zero(
            Node("-", (side, Node("tr", (inside,)))), f"{text(side)[:120]} is not the trace of {text(inside)[:120]}"
        )
    check(cert["then"], at_eigenvector(str(cert["vector"]), str(cert["value"]), matrix, left, right, sequent),
          library, tally, cert["_depth"])  # fmt: skip


def at_eigenvector(vector: str, value: str, matrix: Node, left: Node, right: Node, sequent: Sequent) -> Sequent:
    """The two sides at one eigenvector of length one."""
    brought = frozenset().union(*map(symbols, (matrix, left, right)))
    for name in (vector, value):
        fresh(name, sequent)
        if name in brought:
            raise Rejected(f"the name {name} is already in use in the matrix or in a side below the trace")
    if vector == value:
        raise Rejected(f"the eigenvector and its value have one name, {vector}")
    u, (low, high), here = _at_vector(vector, size_of(matrix)[0], left, right, sequent)
    facts = (
        Relation("==", Node("@", (matrix, u)), Node("*", (sym(value), u))),
        Relation("==", Node("@", (Node("T", (u,)), u)), num(1)),
    )
    return here.given(*facts).show(Relation(sequent.goal.op, low, high))


def _at_vector(vector: str, size: Size, left: Node, right: Node, sequent: Sequent) -> tuple[Node, list[Node], Sequent]:
    """A new vector, the two sides as numbers at it, and where it is declared."""
    fresh(vector, sequent)
    here = sequent.with_vector(vector, size)
    u = Node("letter", (), here.world.letters[vector])
    return u, [Node("@", (Node("@", (Node("T", (u,)), side)), u)) for side in (left, right)], here


def rule_form(cert: Certificate, sequent: Sequent, library: Library, tally: Tally) -> None:
    check(cert["then"], at_any_vector(str(cert["vector"]), sequent), library, tally, cert["_depth"])


def at_any_vector(vector: str, sequent: Sequent) -> Sequent:
    """What is to be shown for X << Y at one vector."""
    goal = sequent.goal
    numbers = not (has_letters(goal.left) or has_letters(goal.right))
    if goal.binder is not None or goal.op != "<<" or numbers or size_of(goal.left)[0] != size_of(goal.left)[1]:
        raise Rejected(f"form compares two square matrices, not {goal}")
    gap = Node("-", (goal.right, goal.left))
    _is_zero(Node("-", (gap, Node("T", (gap,)))), f"the difference of the two sides of {goal} is not symmetric")
    _, (low, high), here = _at_vector(vector, size_of(goal.left)[0], goal.left, goal.right, sequent)
    return here.show(Relation("<=", low, high))


def _is_zero(node: Node, otherwise: str) -> None:
    if normal(node, RationalFunctions(scalar_names([node]))).terms:
        raise Rejected(otherwise)
