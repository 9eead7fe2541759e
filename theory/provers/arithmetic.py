"""The leaves of proofs about sequences: inequalities and equations between numbers, quick and without new ideas.

Maxima are split, roots are named, chains of bounds are followed, then a linear program over products of facts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from math import isqrt

from theory.kernel.errors import KernelError
from theory.kernel.flat import tidy
from theory.kernel.lang import Node, Relation, num, replace_relation, sym, symbols, text
from theory.kernel.sequent import Certificate, Sequent
from theory.provers import chains, clock, cone_lp, roots, slacks, sos
from theory.provers.budget import Budget
from theory.provers.elimination import without_equations
from theory.provers.frame import BREAKDOWN, Frame, accepted
from theory.provers.locality import nearby, with_only
from theory.provers.rewriting import after_solving, bound_names, free_parts, new_names, parts

DEPTH = 4  # maxima and roots on one branch
THOROUGH = 4  # rounds from which on squares are looked for
FEW = 14  # facts with which that is cheap
SPLITS = ("max", "min", "abs")


def close(sequent: Sequent, depth: int = DEPTH, rounds: int = 4) -> Certificate | None:
    """A proof by arithmetic that the kernel has accepted, or None. Without rounds: chains of bounds only."""
    if sequent.goal.binder is not None or sequent.goal.op == "!=" or clock.is_over():
        return None
    try:
        return _close(sequent, depth, rounds)
    except (KernelError, *BREAKDOWN):
        return None


def _close(sequent: Sequent, depth: int, rounds: int) -> Certificate | None:
    for plain in ({"kind": "identity"}, {"kind": "positive"}):
        if accepted(plain, sequent):
            return plain
    trivial = _is_fact(sequent)
    if trivial is not None:
        return trivial
    branching = next(_branching(sequent), None) if depth else None
    if branching is not None:
        clear = [i for i, f in enumerate(sequent.facts) if symbols(branching).isdisjoint(bound_names(f))]
        if len(clear) < len(sequent.facts):  # the kernel names nothing that uses a name which a fact binds
            return with_only(clear, sequent, lambda here: close(here, depth, rounds))
        if branching.op == "sqrt":
            return _named(branching, sequent, depth, rounds)
        cases = split(branching, sequent, lambda here: close(here, depth - 1, rounds))
        return cases if cases is not None and accepted(cases, sequent) else None
    if sequent.goal.op == "==":
        return _both(sequent, depth, rounds)
    for find in (chains.find, chains.numbers, _numbers) if rounds else (chains.find,):
        cert = find(sequent, rounds)
        if cert is not None and accepted(cert, sequent):
            return cert
    return None


def _is_fact(sequent: Sequent) -> Certificate | None:
    for position, fact in enumerate(sequent.every_fact()):
        if fact.binder is None and fact.op == sequent.goal.op == "==":
            cert: Certificate = {"kind": "identity", "modulo": [[position, "1"]]}
            cert = cert if accepted(cert, sequent) else {"kind": "identity", "modulo": [[position, "-1"]]}
        elif fact.binder is None and fact.op not in ("==", "!=") and sequent.goal.op != "==":
            cert = {"kind": "cone", "terms": [{"c": "1", "of": [position]}]}
        else:
            continue
        if accepted(cert, sequent):
            return cert
    return None


def _numbers(sequent: Sequent, rounds: int) -> Certificate | None:
    """With all facts."""
    cert = slacks.find(sequent)
    if cert is None:
        cert = cone_lp.find(sequent, Budget(seconds=3.0, rounds=2 * rounds, terms=1500))
    if cert is None and rounds >= THOROUGH and sequent.goal.op != "==":
        near = nearby(sequent)
        if len(near) <= FEW:
            cert = with_only(near, sequent, lambda here: without_equations(here, _squares))
    return cert


def _squares(sequent: Sequent) -> Certificate | None:
    return sos.find(sequent, Budget(seconds=1.0, rounds=6, degree=6))


def _both(sequent: Sequent, depth: int, rounds: int) -> Certificate | None:
    found: Certificate = {"kind": "both"}
    for op in ("<=", ">="):
        cert = close(sequent.show(Relation(op, sequent.goal.left, sequent.goal.right)), depth, rounds)
        if cert is None:
            return None
        found[op] = cert
    return found


def _branching(sequent: Sequent) -> Iterator[Node]:
    """Maxima, absolute values and roots outside of every binder; the innermost come first."""
    relations = [sequent.goal, *(f for f in sequent.facts if f.binder is None)]
    found = [p for p in free_parts(*relations) if p.op in (*SPLITS, "sqrt")]
    inner = [p for p in found if not any(q in found for arg in p.args for q in parts(Relation("==", arg, num(0))))]
    yield from inner


def _replaced(sequent: Sequent, old: Node, new: Node) -> Sequent:
    facts = tuple(replace_relation(f, old, new) for f in sequent.facts)
    return sequent.only(facts).show(replace_relation(sequent.goal, old, new))


def split(old: Node, sequent: Sequent, prove: Callable[[Sequent], Certificate | None]) -> Certificate | None:
    """A maximum, a minimum or an absolute value, case by case."""
    options = [old.args[0], Node("neg", (old.args[0],))] if old.op == "abs" else list(old.args)
    op = "<=" if old.op == "min" else ">="
    branches = []
    for chosen in options:
        others = [Relation(op, chosen, other) for other in options if other is not chosen]
        branch = prove(_replaced(sequent, old, chosen).given(*others))
        if branch is None:
            return None
        branches.append(branch)
    return {"kind": "split", "of": text(old), "branches": branches}


def _named(old: Node, sequent: Sequent, depth: int, rounds: int) -> Certificate | None:
    name = next(new_names(sequent, stem="q"))
    root = sym(name)
    facts = (Relation(">=", root, num(0)), Relation("==", Node("**", (root, num(2))), old.args[0]))
    frame = roots.in_order(roots.signs_of_root(_replaced(sequent, old, root).given(*facts), root), root)
    then = _known_root(frame.sequent, root, depth, rounds) or close(frame.sequent, depth - 1, rounds)
    return None if then is None else {"kind": "root", "of": text(old), "name": name, "then": frame.close(then)}


def _known_root(sequent: Sequent, root: Node, depth: int, rounds: int) -> Certificate | None:
    """The root of a square number is that number: sqrt(4) is 2 everywhere; and a root that has a name already is it."""
    inside = next(f.right for f in sequent.facts if f.left == Node("**", (root, num(2))))
    value = tidy(inside).value if tidy(inside).op == "num" else None
    if value is not None and value > 0 and all(isqrt(n) ** 2 == n for n in (value.numerator, value.denominator)):
        fact = Relation("==", root, num(Fraction(isqrt(value.numerator), isqrt(value.denominator))))
        proof = roots.equal(sequent.show(fact))
    else:
        orders = [Relation(">=", Node("-", pair), num(0)) for pair in _twins(root, sequent)]
        if not orders or any(one not in sequent.facts for one in orders):
            return None
        fact = Relation("==", root, orders[0].left.args[1])
        places = [{"kind": "cone", "terms": [{"c": "1", "of": [sequent.facts.index(one)]}]} for one in orders]
        proof = {"kind": "both", ">=": places[0], "<=": places[1]}
    if proof is None:
        return None
    frame = Frame(sequent).have(str(fact), proof)
    cert: Certificate = {"kind": "solve", "fact": len(sequent.facts), "for": text(root)}
    inner = after_solving(cert, frame.sequent)
    then = None if inner is None else close(inner, depth - 1, rounds)
    return None if then is None else frame.close({**cert, "then": then})


def _twins(root: Node, sequent: Sequent) -> list[tuple[Node, Node]]:
    """The root and another one of the same number, both ways: sums with other bound names are other formulas."""
    squares = {f.left.args[0]: f.right for f in sequent.facts if f.op == "==" and f.left.op == "**"}
    for other, inside in squares.items():
        same: Certificate = {"kind": "identity"}
        if other != root and other.op == "sym" and accepted(same, sequent.show(Relation("==", squares[root], inside))):
            return [(root, other), (other, root)]
    return []
