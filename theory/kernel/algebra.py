"""Rules that decide by algebra: identities, cones of facts, positive coefficients, boxes."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from flint import fmpq_mpoly

from theory.kernel.boxes import check_balls
from theory.kernel.errors import Rejected
from theory.kernel.evaluate import Mat, evaluate
from theory.kernel.flat import Atoms, difference, fractions_of, scalars_of, tidy
from theory.kernel.lang import Node, Relation, num, substitute, sym, symbols, text, walk
from theory.kernel.proof import Library, check, require, require_defined
from theory.kernel.rings import Frac, RationalFunctions, shown
from theory.kernel.sequent import Certificate, Sequent, Signs, Tally, fresh, is_natural, released, signs


def _equations(cert: Mapping[str, Any], sequent: Sequent) -> list[tuple[Node, Node]]:
    every = sequent.every_fact()
    pairs = []
    for position, cofactor in cert.get("modulo", []):
        fact = every[position]
        if fact.op != "==" or fact.binder is not None:
            raise Rejected(f"fact {position} ({fact}) is not an equation")
        node = sequent.world.read(cofactor)
        polynomial(node)
        pairs.append((Node("-", (fact.left, fact.right)), node))
    return pairs


def polynomial(node: Node) -> None:
    if any(_may_be_undefined(part) for part in walk(node)):
        raise Rejected(f"{text(node)[:120]}: formulas inside a certificate are polynomials")


def _may_be_undefined(part: Node) -> bool:
    if part.op == "**":
        exponent = tidy(part.args[1])  # as it is read: y**(0 - 1) is 1/y
        return exponent.op == "num" and not is_natural(exponent, frozenset())
    if part.op == "/" and part.args[1].op == "num":
        return not part.args[1].value
    return part.op in ("/", "inv", "log", "sqrt")


def rule_identity(cert: Certificate, sequent: Sequent, library: Library, tally: Tally) -> None:
    if sequent.goal.op not in ("==", "<=", ">=") or sequent.goal.binder is not None:
        raise Rejected(f"an identity does not prove {sequent.goal}")
    pairs = _equations(cert, sequent)
    nodes = [sequent.goal.left, sequent.goal.right, *(node for pair in pairs for node in pair)]
    _, values, _ = fractions_of(nodes)
    left, right, *rest = values
    if isinstance(left, Mat) or isinstance(right, Mat):
        if not (isinstance(left, Mat) and isinstance(right, Mat)) or pairs or sequent.goal.op != "==":
            raise Rejected("a matrix equals a matrix, without cofactors")
        gap = left.zip(right, lambda x, y: x - y)
        bad = [(i + 1, j + 1) for i, row in enumerate(gap.rows) for j, x in enumerate(row) if not x.is_zero]
        if bad:
            raise Rejected(f"the sides differ at entry {bad[0]}")
        return
    total: Any = left - right
    for equation, cofactor in zip(rest[::2], rest[1::2], strict=True):
        total = total - equation * cofactor  # type: ignore[operator]  # a matrix among them is malformed
    if not total.is_zero:
        raise Rejected(f"left - right is not zero: {shown(total.num)[:200]}")


def rule_cone(cert: Certificate, sequent: Sequent, library: Library, tally: Tally) -> None:
    """multiplier * (right - left) == sum c * product of facts * square**2 + sum cofactor * equation."""
    node, strict = inequality(sequent)
    every = sequent.every_fact()
    pairs = _equations(cert, sequent)
    use: list[Node] = [node]
    multiplier = [difference(every[i]) for i in cert.get("multiplier", [])]
    if not all(is_strict for _, is_strict in multiplier) or any(every[i].binder for i in cert.get("multiplier", [])):
        raise Rejected("a multiplier must be a fact with >")
    use += [fact for fact, _ in multiplier]
    plan = []
    for term in cert["terms"]:
        weight = Fraction(term["c"])
        if weight < 0:
            raise Rejected(f"a negative weight {weight}")
        factors = [every[i] for i in term.get("of", [])]
        if any(f.binder is not None or f.op in ("==", "!=") for f in factors):
            raise Rejected(f"a factor must be an inequality: {[str(f) for f in factors]}")
        square = sequent.world.read(term["sq"]) if "sq" in term else None
        if square is not None:
            polynomial(square)
        parts = [difference(f) for f in factors]
        plan.append((weight, len(parts), square is not None, square is None and all(s for _, s in parts)))
        use += [n for n, _ in parts] + ([square] if square is not None else [])
    use += [n for pair in pairs for n in pair]
    ring, values, _ = scalars_of(use)
    stream = iter(values)
    total = next(stream)
    for _ in multiplier:
        total = total * next(stream)
    positive = False
    for weight, count, has_square, is_strict in plan:
        term_value = ring.const(weight)
        for _ in range(count):
            term_value = term_value * next(stream)
        if has_square:
            term_value = term_value * next(stream) ** 2
        positive = positive or (is_strict and weight > 0)
        total = total - term_value
    for _ in pairs:
        total = total - next(stream) * next(stream)
    if not total.is_zero:
        raise Rejected(f"the two sides of the identity differ by {shown(total.num)[:160]}")
    if strict and not positive:
        raise Rejected("a strict inequality needs a term that is positive, and none is")


def inequality(sequent: Sequent) -> tuple[Node, bool]:
    if sequent.goal.op in ("==", "!=") or sequent.goal.binder is not None:
        raise Rejected(f"this rule proves inequalities, not {sequent.goal}")
    return difference(sequent.goal)


def rule_positive(cert: Certificate, sequent: Sequent, library: Library, tally: Tally) -> None:
    """Slack variables for the hypotheses; then every coefficient of numerator and denominator is nonnegative."""
    node, strict = inequality(sequent)
    require(released(node), sequent, cert.get("defined", {}), library, tally, cert["_depth"])
    slacks: dict[str, dict[str, Any]] = cert.get("slacks", {})
    put = {name: sequent.world.read(formula) for name, formula in cert.get("put", {}).items()}
    depth = cert["_depth"]
    atoms = Atoms()
    flat = atoms.flatten(node)
    strict_names: set[str] = set()
    meaning: dict[str, Node] = {}
    for name, slack in slacks.items():
        definition = sequent.world.read(slack["is"])
        fresh(name, sequent)
        op = ">" if slack.get("strict") else ">="
        if op == ">":
            strict_names.add(name)
        goal = Relation(op, definition, num(0))
        require_defined([definition], sequent, slack.get("defined", {}), library, tally, depth)
        check(slack["because"], sequent.show(goal), library, tally, depth)
        meaning[name] = atoms.flatten(definition)
    if not set(put) <= symbols(flat) | {n for d in meaning.values() for n in symbols(d)}:
        raise Rejected(f"substitution for a name that does not occur: {set(put) - symbols(flat)}")
    _covers_every_point(put, meaning, slacks)
    inner_names = tuple(
        sorted({n for p in put.values() for n in symbols(p)} | (symbols(flat) - set(put)) | set(slacks))
    )
    ring = RationalFunctions(inner_names)
    env: dict[str, Any] = {n: ring.var(n) for n in inner_names}
    values = {name: evaluate(formula, env, ring) for name, formula in put.items()}
    known = _orthant(sequent, ring, set(slacks), strict_names)
    for divisor in ring.divisors:
        if known.plain(divisor.num) == 0 or known.plain(divisor.den) == 0:
            raise Rejected(f"a substitution divides by {shown(divisor.num)}, which is not plainly positive")
    value = evaluate(flat, {**env, **values}, RationalFunctions(inner_names))
    if isinstance(value, Mat):
        raise Rejected("inequalities are between numbers")
    if value.is_zero:
        if strict:
            raise Rejected("the two sides are equal, not strictly ordered")
        return
    top, bottom = _nonnegative_pair(value)
    if not known.covers(bottom, strict=False) or not known.covers(top, strict=strict):
        raise Rejected("a name without a sign occurs with an odd power, or nothing is strictly positive")


def _nonnegative_pair(value: Frac) -> tuple[fmpq_mpoly, fmpq_mpoly]:
    top, bottom = value.num, value.den
    if any(c < 0 for c in bottom.to_dict().values()):
        top, bottom = -top, -bottom
    for label, poly in (("denominator", bottom), ("numerator", top)):
        bad = next((m for m, c in poly.to_dict().items() if c < 0), None)
        if bad is not None:
            raise Rejected(f"a coefficient of the {label} is negative, at exponents {tuple(int(e) for e in bad)}")
    return top, bottom


def _covers_every_point(put: Mapping[str, Node], meaning: Mapping[str, Node], slacks: Mapping[str, Any]) -> None:
    """put(slack(x)) = x: every point of the region is the image of its own slacks."""
    for name, formula in put.items():
        if name in slacks:
            raise Rejected(f"{name} is a slack; slacks are not substituted")
        back = substitute(formula, meaning)
        _, (value,), _ = scalars_of([Node("-", (back, sym(name)))])
        if not value.is_zero:
            raise Rejected(f"{name} is not recovered from its slacks: {text(formula)[:120]}")


def _orthant(sequent: Sequent, ring: RationalFunctions, slacks: set[str], strict: set[str]) -> Signs:
    base = signs(sequent.every_fact(), ring)
    return Signs(base.nonnegative | slacks, base.positive | strict, base.strict, base.nonzero, ring.names)


def rule_balls(cert: Certificate, sequent: Sequent, library: Library, tally: Tally) -> None:
    node, strict = inequality(sequent)
    if "box" in cert:
        raise Rejected("a box of its own is stated for a whole goal, not inside a proof")
    check_balls(cert, node, strict, sequent)
