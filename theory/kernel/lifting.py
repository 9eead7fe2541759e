"""Rules that reach infinitely many instances: induction over an iteration, sums and means compared term by term."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from theory.kernel.algebra import inequality, polynomial
from theory.kernel.errors import Rejected
from theory.kernel.flat import OMEGA, fraction_node, scalars_of
from theory.kernel.lang import (
    Node,
    Relation,
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
from theory.kernel.proof import Library, at_any_index, check, require, require_defined
from theory.kernel.rings import Frac, RationalFunctions
from theory.kernel.sequent import (
    Certificate,
    Sequent,
    Tally,
    freed,
    fresh,
    generic,
    is_evaluated,
    is_integer,
    released,
)
from theory.kernel.shapes import require_number, shape_of

MAX_WRITTEN = 20  # terms of a sum that are written out


def rule_induction(cert: Certificate, sequent: Sequent, library: Library, tally: Tally) -> None:
    """An invariant of the state after n steps: true at the start, kept by a step, enough for the goal.

    Facts about the counter say nothing about earlier steps: they serve the goal alone.
    """
    counter = str(cert["on"])
    if counter not in sequent.naturals:
        raise Rejected(f"{counter} is not a natural number here")
    if counter in sequent.world.sizes | sequent.world.parameters:
        raise Rejected(f"{counter} is a size, or a recursion of the claim depends on {counter}")
    always = tuple(fact for fact in sequent.facts if counter not in relation_symbols(fact))
    start: dict[str, Node] = {}
    step: dict[str, Node] = {}
    goal = sequent.goal
    nodes = {name: sequent.world.read(source) for name, source in cert["states"].items()}
    for name, node in nodes.items():
        fresh(name, sequent)
        shape, first, following = _state(node, name, counter)
        for part in first:
            fresh(part, sequent)
            if part in start:
                raise Rejected(f"two states are called {part}")
            if any(part in symbols(other) for other in nodes.values()):
                raise Rejected(f"the name {part} is already in use in a state")
        if not is_evaluated(node, Sequent((), sequent.goal)):
            require_defined([node], sequent, cert.get("defined", {}), library, tally, cert["_depth"])
        goal = replace_relation(goal, node, shape)
        start.update(first)
        step.update(following)
    if any(counter in symbols(part) for side in (goal.left, goal.right) for part in walk(side) if part.op == "iterate"):
        raise Rejected(f"an iteration over {counter} is left that has no state")
    _no_power_left(goal, counter)
    invariant = [sequent.world.read_relation(source) for source in cert["invariant"]]
    if any(relation.binder is not None for relation in invariant):
        raise Rejected("an invariant has no binder")
    for relation in invariant:
        for side in (relation.left, relation.right):
            polynomial(side)
    here = sequent.only((*always, *invariant)).show(goal)
    zero = {**start, counter: num(0)}
    proofs_base, proofs_step = cert["base"], cert["step"]
    if len(proofs_base) != len(invariant) or len(proofs_step) != len(invariant):
        raise Rejected("one base and one step for every part of the invariant")
    depth = cert["_depth"]
    for relation, base, onward in zip(invariant, proofs_base, proofs_step, strict=True):
        at_zero = sequent.only(always).show(substitute_relation(relation, zero)).not_counting(counter)
        require_defined(
            [at_zero.goal.left, at_zero.goal.right], at_zero, cert.get("defined", {}), library, tally, depth
        )
        check(base, at_zero, library, tally, depth)
        kept = substitute_relation(relation, {**step, counter: Node("+", (sym(counter), num(1)))})
        require_defined([kept.left, kept.right], here, cert.get("defined", {}), library, tally, depth)
        check(onward, here.show(kept), library, tally, depth)
    check(cert["then"], sequent.given(*invariant).show(goal), library, tally, depth)


def _no_power_left(goal: Relation, counter: str) -> None:
    for side in (goal.left, goal.right):
        for part in walk(side):
            if part.op == "**" and counter in symbols(part.args[1]):
                raise Rejected(f"a power with exponent {text(part.args[1])} is left that has no state")


def _state(node: Node, name: str, counter: str) -> tuple[Node, dict[str, Node], dict[str, Node]]:
    """The state as a formula in fresh names, its start, and its value one step later."""
    if node.op == "**" and node.args[1] == sym(counter):
        base = node.args[0]
        if counter in symbols(base):
            raise Rejected(f"the base of {text(node)} depends on {counter}")
        require_number(base)
        return sym(name), {name: num(1)}, {name: Node("*", (base, sym(name)))}
    if node.op != "iterate" or node.args[1] != sym(counter):
        raise Rejected(f"{text(node)[:120]} is not an iteration over {counter}")
    inner, _, begin, body = node.args
    if counter in symbols(begin) | symbols(body):
        raise Rejected(f"the start or the step of {text(node)[:80]} depends on {counter}")
    if begin.op != "list":
        require_number(node)
        return sym(name), {name: begin}, {name: substitute(body, {str(inner.value): sym(name)})}
    if shape_of(node) != (len(begin.args), 1):
        raise Rejected(f"the state of {text(node)[:120]} is not a column of numbers")
    parts = [f"{name}{i}" for i in range(1, len(begin.args) + 1)]
    shape = Node("list", tuple(sym(part) for part in parts))
    moved = substitute(body, {str(inner.value): shape})
    entry = {p: Node("index", (moved, num(i))) for i, p in enumerate(parts, start=1)}
    return shape, dict(zip(parts, begin.args, strict=True)), entry


def rule_termwise(cert: Certificate, sequent: Sequent, library: Library, tally: Tally) -> None:
    """The difference is linear in sums over one range: it is nonnegative if every term is."""
    if cert.get("whole"):
        return _whole(cert, sequent, library, tally)
    node, strict = inequality(sequent)
    if strict:
        raise Rejected("termwise comparison does not give a strict inequality")
    certs, depth = cert.get("defined", {}), cert["_depth"]
    require(released(node), sequent, certs, library, tally, depth)
    ring, (value,), atoms = scalars_of([node])
    kind, index = str(cert["over"]), str(cert.get("index", "i"))
    chosen = {n: a for n, a in atoms.by_name.items() if n in ring.names and a.kind == kind}
    ranges = {(a.lo, a.hi) for a in chosen.values()}
    if len(ranges) != 1:
        raise Rejected(f"the difference has sums over {len(ranges)} ranges; one is needed")
    ((lo, hi),) = ranges
    fresh(index, sequent)
    total, rest = _termwise(value, ring, chosen, index)
    if kind == "mean":
        total, rest = Node("+", (total, rest)), num(0)
    total, rest = atoms.restore(total), atoms.restore(rest)
    inner = at_any_index(cert, sequent, Relation(">=", total, num(0)), ((index, lo, hi),))
    hidden = any(part.op == kind and not is_evaluated(part, sequent) for part in walk(node))
    require_defined(
        [inner.goal.left] if hidden else freed(inner.goal.left, sequent), inner, certs, library, tally, depth
    )
    check(cert["each"], inner, library, tally, depth)
    if rest != num(0):
        require_defined(freed(rest, sequent), sequent, certs, library, tally, depth)
        check(cert["rest"], sequent.show(Relation(">=", rest, num(0))), library, tally, depth)
    return None


def _whole(cert: Certificate, sequent: Sequent, library: Library, tally: Tally) -> None:
    """One sum or mean is nonnegative if every term is, whatever other sums stand in the terms."""
    goal, index = sequent.goal, str(cert.get("index", "i"))
    if goal.binder is not None or goal.op != ">=" or goal.right != num(0) or goal.left.op not in ("sum", "mean"):
        raise Rejected(f"{str(goal)[:120]} is not of the form sum(…) >= 0 or mean(…) >= 0")
    bound, *ends, body = goal.left.args
    require_number(body)
    fresh(index, sequent)
    lo, hi = ends or (OMEGA, OMEGA)
    term = substitute(body, {str(bound.value): sym(index)})
    inner = generic(sequent, Relation(">=", term, num(0)), [(index, lo, hi)])
    require_defined([inner.goal.left], inner, cert.get("defined", {}), library, tally, cert["_depth"])
    check(cert["each"], inner, library, tally, cert["_depth"])


def _termwise(value: Frac, ring: RationalFunctions, chosen: Mapping[str, Any], index: str) -> tuple[Node, Node]:
    where = {ring.names.index(name): atom for name, atom in chosen.items()}
    if any(value.den.degrees()[i] for i in where):
        raise Rejected("a sum stands in a denominator")
    grouped: dict[int | None, dict[Any, Any]] = {}
    for exponents, coefficient in value.num.to_dict().items():
        hit = [i for i in where if exponents[i]]
        if len(hit) > 1 or any(exponents[i] > 1 for i in hit):
            raise Rejected("the difference is not linear in the sums")
        key = hit[0] if hit else None
        outer = tuple(0 if i in where else int(e) for i, e in enumerate(exponents))
        grouped.setdefault(key, {})[outer] = coefficient
    total: Node = num(0)
    rest: Node = num(0)
    for key, terms in grouped.items():
        scale = fraction_node(Frac.of(ring.ctx.from_dict(terms), value.den), ring.names)
        if key is None:
            rest = scale
            continue
        atom = where[key]
        body = substitute(atom.body, {atom.index: sym(index)}) if atom.index != index else atom.body
        total = Node("+", (total, Node("*", (scale, body))))
    return total, rest


def rule_telescope(cert: Certificate, sequent: Sequent, library: Library, tally: Tally) -> None:
    """sum(i, lo, hi, f(i)) is compared with G(hi + 1) - G(lo), since f(i) is with G(i + 1) - G(i) at every index.

    A few terms at the beginning may be written out instead. The range must not be shorter than that.
    """
    each, total, length = telescoped(cert, sequent)
    certs, depth = cert.get("defined", {}), cert["_depth"]
    require_defined([total], sequent, certs, library, tally, depth)
    require_defined([each.goal.left, each.goal.right], each, certs, library, tally, depth)
    check(cert["long"], sequent.show(Relation(">=", length, num(0))), library, tally, depth)
    check(cert["each"], each, library, tally, depth)
    check(cert["ends"], sequent.show(Relation(sequent.goal.op, total, sequent.goal.right)), library, tally, depth)


def telescoped(cert: Certificate, sequent: Sequent) -> tuple[Sequent, Node, Node]:
    """What is to be shown of each term, the sum of all differences, and the number of terms that are not written."""
    goal = sequent.goal
    if goal.binder is not None or goal.op not in ("==", "<=", ">=") or goal.left.op != "sum":
        raise Rejected(f"{str(goal)[:120]} is not of the form sum(i, lo, hi, …) ==, <= or >= …")
    index, lo, hi, body = goal.left.args
    name, written, potential = str(index.value), int(cert.get("written", 0)), sequent.world.read(cert["of"])
    for number in (body, potential):
        require_number(number)
    if not all(is_integer(end, sequent.naturals) for end in (lo, hi)):
        raise Rejected(f"the ends of {text(goal.left)[:120]} are not integers by their form")
    if not 0 <= written <= MAX_WRITTEN:
        raise Rejected(f"{written} terms are written out; at most {MAX_WRITTEN} can be")
    first, end = later(lo, written), later(hi, 1)
    total = Node("-", (_at(end, name, potential), _at(first, name, potential)))
    for steps in range(written):
        total = Node("+", (total, _at(later(lo, steps), name, body)))
    step = Node("-", (_at(later(index, 1), name, potential), potential))
    each = generic(sequent, Relation(goal.op, body, step), [(name, first, hi)])
    return each, total, Node("-", (end, first))


def _at(value: Node, name: str, node: Node) -> Node:
    return _tidy(substitute(node, {name: value}))


def _tidy(node: Node) -> Node:
    """Numbers that are added one after the other are added up: roots and powers of i + 1 - 1 are those of i."""
    args = tuple(map(_tidy, node.args))
    if node.op in ("+", "-") and args[1].op == "num":
        value = Fraction(args[1].value)
        return later(args[0], value if node.op == "+" else -value)
    return Node(node.op, args, node.value)


def later(node: Node, steps: Fraction | int) -> Node:
    """The formula plus a number, written shortly: n - 1 and one more is n."""
    base, shift = node, Fraction(steps)
    if node.op in ("+", "-") and node.args[1].op == "num":
        base = node.args[0]
        shift += Fraction(node.args[1].value) * (1 if node.op == "+" else -1)
    if base.op == "num":
        return num(Fraction(base.value) + shift)
    if not shift:
        return base
    return Node("+" if shift > 0 else "-", (base, num(abs(shift))))
