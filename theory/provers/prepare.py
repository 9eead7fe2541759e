"""A sequent made polynomial: signs of denominators are shown first (`have`), then facts and goal are polynomials."""

from __future__ import annotations

from dataclasses import replace

from flint import fmpq, fmpq_mpoly

from theory.kernel.errors import KernelError
from theory.kernel.evaluate import Mat
from theory.kernel.flat import Atoms, difference, fractions_of
from theory.kernel.lang import Node, Relation, parse_relation, symbols
from theory.kernel.rings import Frac
from theory.kernel.sequent import Certificate, Sequent
from theory.provers.frame import Fact, Frame, Problem, accepted
from theory.provers.linear import Column, combine, degree, products

SIGN_PRODUCTS = 400


def prepare(sequent: Sequent) -> Problem | None:
    """The polynomial problem, or None where the sequent is not of that kind or a sign cannot be shown."""
    goal = sequent.goal
    if goal.op in ("==", "!=") or goal.binder is not None:
        return None
    frame = Frame.of(sequent)
    node, strict = difference(goal)
    usable = {i: _gap(f) for i, f in enumerate(frame.sequent.facts) if f.binder is None and f.op != "!="}
    usable = {i: n for i, n in usable.items() if _is_rational(n)}
    if not _is_rational(node):
        return None
    usable = _relevant(node, usable)
    try:
        ring, values, atoms = fractions_of([node, *usable.values()])
    except KernelError:
        return None
    target, *fractions = [v for v in values if isinstance(v, Frac)]
    problem = Problem(frame, ring.names, ring.ctx, atoms, target.num, strict, (), ())
    return _polynomial(problem, target, dict(zip(usable, fractions, strict=True)))


def _gap(fact: Relation) -> Node:
    return Node("-", (fact.left, fact.right)) if fact.op == "==" else difference(fact)[0]


def _is_rational(node: Node) -> bool:
    try:
        value = fractions_of([node])[1][0]
    except KernelError:
        return False
    return not isinstance(value, Mat)


def _relevant(goal: Node, usable: dict[int, Node]) -> dict[int, Node]:
    """The facts that share names with the goal, directly or through other facts."""
    flat = Atoms()
    names = {i: symbols(flat.flatten(n)) for i, n in usable.items()}
    reached = set(symbols(flat.flatten(goal)))
    chosen: set[int] = set()
    while True:
        more = {i for i in usable if i not in chosen and (names[i] & reached or not names[i])}
        if not more:
            return {i: n for i, n in usable.items() if i in chosen}
        chosen |= more
        reached |= {name for i in more for name in names[i]}


def _polynomial(problem: Problem, target: Frac, fractions: dict[int, Frac]) -> Problem | None:
    relations = problem.frame.sequent.facts
    waiting: list[int] = []
    for i, value in fractions.items():
        fact = Fact(value.num, relations[i].op in ("<", ">"), i)
        if value.num.is_constant() and value.den.is_constant() and _holds(relations[i].op, value):
            continue
        if relations[i].op == "==":
            problem = _equation(problem, i, value)
        elif value.den.is_constant():
            problem = replace(problem, facts=(*problem.facts, fact))
        else:
            waiting.append(i)
    for i in waiting:
        problem = _cleared(problem, i, fractions[i])
    found = denominator(problem, target.den)
    if found is None:
        return None
    problem, scale, positions = found
    return replace(problem, goal=target.num * scale, multiplier=positions)


def _holds(op: str, value: Frac) -> bool:
    """Whether a fact between numbers is true, and so of no use."""
    number = fmpq(0) if value.is_zero else value.num.leading_coefficient()
    return bool(number == 0 if op == "==" else number > 0 or (number == 0 and op in ("<=", ">=")))


def _equation(problem: Problem, position: int, value: Frac) -> Problem:
    """An equation, multiplied by its denominator."""
    if not value.den.is_constant():
        proof = {"kind": "identity", "modulo": [[position, problem.write(value.den)]]}
        frame = problem.frame.have(f"{problem.write(value.num)} == 0", proof)
        problem, position = replace(problem, frame=frame), len(frame.sequent.facts) - 1
    return replace(problem, equations=(*problem.equations, Fact(value.num, False, position)))


def _cleared(problem: Problem, position: int, value: Frac) -> Problem:
    """A fact with a denominator, multiplied by it where its sign is known and by its square where it is not."""
    strict = problem.frame.sequent.facts[position].op in ("<", ">")
    found = denominator(problem, value.den)
    if found is not None:
        problem, scale, positions = found
        proof = {"kind": "cone", "terms": [{"c": "1", "of": [position, *positions]}]}
        return problem.have(value.num * scale, strict, proof)
    proof = {"kind": "cone", "terms": [{"c": "1", "of": [position], "sq": problem.write(value.den)}]}
    return problem.have(value.num * value.den, False, proof)


def denominator(problem: Problem, den: fmpq_mpoly) -> tuple[Problem, fmpq, tuple[int, ...]] | None:
    """Strict facts whose product is `scale * den`, with new facts where needed; None if a sign is unknown."""
    if den.is_constant():
        return problem, fmpq(1) / den.leading_coefficient() if not den.is_one() else fmpq(1), ()
    constant, factors = den.factor()
    scale, positions = fmpq(1) / constant, []
    for factor, power in factors:
        found = positive_fact(problem, factor)
        if found is None:
            return None
        problem, fact = found
        ratio = fact.poly.leading_coefficient() / factor.leading_coefficient()
        scale *= ratio ** int(power)
        positions += [fact.position] * int(power)
    return problem, scale, tuple(positions)


def positive_fact(problem: Problem, poly: fmpq_mpoly) -> tuple[Problem, Fact] | None:
    """A strict fact that is a multiple of the polynomial: a known one, or one that is shown now."""
    for fact in problem.facts:
        if fact.strict and _proportional(fact.poly, poly):
            return problem, fact
    for signed in (poly, -poly):
        proof = show_positive(problem, signed)
        if proof is not None:
            problem = problem.have(signed, True, proof, derived=True)
            return problem, problem.facts[-1]
    return None


def _proportional(a: fmpq_mpoly, b: fmpq_mpoly) -> bool:
    return bool(a * b.leading_coefficient() == b * a.leading_coefficient())


def show_positive(problem: Problem, poly: fmpq_mpoly) -> Certificate | None:
    """poly > 0 by plain signs, as a combination of products of facts and even monomials, or by contradiction."""
    sequent = problem.frame.sequent.show(parse_relation(f"{problem.write(poly)} > 0"))
    if accepted({"kind": "positive"}, sequent):
        return {"kind": "positive"}
    asked = replace(problem, frame=Frame(sequent), goal=poly, strict=True, multiplier=())
    ways = [asked, asked.refuting()]
    if any(fact.strict and degree(fact.poly) > 1 for fact in problem.facts):
        ways.append(asked.refuting().absurd())
    for attempt in ways:
        weights = combine(attempt.goal, _sign_columns(attempt, degree(poly)), strict=True)
        cert = None if weights is None else attempt.frame.close(attempt.cone(weights))
        if cert is not None and accepted(cert, sequent):
            return cert
    return None


def _sign_columns(problem: Problem, top: int) -> list[Column]:
    polys = [fact.poly for fact in problem.facts]
    columns = []
    for chosen, poly in products(problem.ctx, polys, max(2, top), SIGN_PRODUCTS):
        strict = all(problem.facts[i].strict for i in chosen)
        columns.append(Column(poly, chosen, strict=strict, cost=1.0 + len(chosen)))
    for i in problem.variables():
        gen = problem.ctx.gen(i)
        columns.append(Column(gen * gen, square=gen, cost=4.0))
    return columns
