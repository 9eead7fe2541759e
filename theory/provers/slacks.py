"""Positive coefficients: replace each variable by a slack of one of its bounds and look at the signs.

x >= l becomes x = l + s; 0 < x <= u becomes x = u/(1 + s). Bounds come from facts that are linear in x.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice, product
from typing import Any

from flint import fmpq_mpoly

from theory.kernel.errors import KernelError
from theory.kernel.evaluate import Mat, evaluate
from theory.kernel.flat import Atoms, difference, fraction_node, fractions_of, scalars_of
from theory.kernel.lang import Node, Relation, num, substitute, sym, symbols, text
from theory.kernel.rings import Frac, RationalFunctions
from theory.kernel.rules import check
from theory.kernel.sequent import Certificate, Sequent, Signs, Tally, signs

MAX_COMBINATIONS = 400


@dataclass(frozen=True)
class Bound:
    """A way to write `name` through a slack: `put` in terms of it, `meaning` of it, and the fact that makes it >= 0."""

    name: str
    slack: str
    put: Node
    meaning: Node
    fact: int
    strict: bool
    upper: bool


def find(sequent: Sequent, degree: int = 0) -> Certificate | None:
    """A certificate of kind `positive`, or None."""
    return _attempt(*with_positive_names(sequent))


def with_positive_names(sequent: Sequent) -> tuple[Sequent, list[Certificate]]:
    """Add `x > 0` for names that are positive but have no fact that says just that, until nothing is new."""
    added: list[Certificate] = []
    while True:
        fresh = _next_positive(sequent)
        if fresh is None:
            return sequent, added
        fact, proof = fresh
        added.append({"kind": "have", "fact": f"{fact} > 0", "proof": proof, "defined": {}})
        sequent = sequent.given(Relation(">", sym(fact), num(0)))


def _next_positive(sequent: Sequent) -> tuple[str, Certificate] | None:
    atoms = Atoms()
    names = sorted(set().union(*(symbols(atoms.flatten(difference(f)[0])) for f in _inequalities(sequent))))
    known = signs(sequent.every_fact(), RationalFunctions(tuple(names)))
    exact = {
        str(f.left.value) for f in sequent.every_fact() if f.op == ">" and f.left.op == "sym" and f.right == num(0)
    }
    for name in sorted(known.positive - exact):
        if name.isidentifier():
            return name, {"kind": "positive"}
    for name, bounds in sorted(_bounds(sequent).items()):
        if name in exact:
            continue
        goal = sequent.show(Relation(">", sym(name), num(0)))
        for bound in bounds:
            alone = _Goal.of(sym(name))
            if not bound.upper and alone is not None and _promising(alone, [bound]):
                cert = _certificate(goal, [bound])
                try:
                    check(cert, goal, {}, Tally())
                except KernelError:
                    continue
                return name, cert
    return None


def _inequalities(sequent: Sequent) -> list[Relation]:
    return [f for f in (*sequent.every_fact(), sequent.goal) if f.binder is None and f.op not in ("==", "!=")]


def _attempt(sequent: Sequent, added: list[Certificate]) -> Certificate | None:
    node, _ = difference(sequent.goal)
    goal = _Goal.of(node)
    if goal is None:
        return None
    flat = Atoms().flatten(node)
    bounds = _bounds(sequent)
    relevant = _reachable(symbols(flat), bounds)
    options = [[None, *bounds.get(name, [])] for name in sorted(relevant)]
    for choice in islice(product(*options), MAX_COMBINATIONS):
        chosen = [b for b in choice if b is not None]
        if not _promising(goal, chosen):
            continue
        cert = _certificate(sequent, chosen)
        try:
            check(cert, sequent, {}, Tally())
        except KernelError:
            continue
        for fact in reversed(added):
            cert = {**fact, "then": cert}
        return cert
    return None


def _reachable(start: frozenset[str], bounds: dict[str, list[Bound]]) -> set[str]:
    seen: set[str] = set()
    stack = list(start)
    while stack:
        name = stack.pop()
        if name in seen:
            continue
        seen.add(name)
        for bound in bounds.get(name, []):
            stack.extend(symbols(bound.put) - {bound.slack})
    return seen


def _bounds(sequent: Sequent) -> dict[str, list[Bound]]:
    """Every fact that is linear in a name, with a coefficient of plain sign, bounds that name."""
    found: dict[str, list[Bound]] = {}
    for position, fact in enumerate(sequent.every_fact()):
        if fact.binder is not None or fact.op in ("==", "!="):
            continue
        try:
            ring, (value,), _ = fractions_of([difference(fact)[0]])
        except KernelError:
            continue
        if isinstance(value, Mat):
            continue
        known = signs(sequent.every_fact(), ring)
        if known.of_polynomial(value.den) != 1:
            continue
        for index, name in enumerate(ring.names):
            if not name.isidentifier() or value.num.degrees()[index] != 1 or value.den.degrees()[index]:
                continue
            bound = _bound(name, index, value.num, ring, known, position, fact.op in ("<", ">"))
            if bound is not None:
                found.setdefault(name, []).append(bound)
    return found


def _bound(
    name: str, index: int, poly: fmpq_mpoly, ring: RationalFunctions, known: Signs, position: int, strict: bool
) -> Bound | None:
    ctx = poly.context()
    terms: dict[bool, dict[Any, Any]] = {True: {}, False: {}}
    for exponents, c in poly.to_dict().items():
        key = tuple(0 if i == index else int(e) for i, e in enumerate(exponents))
        terms[bool(exponents[index])][key] = c
    slope, rest = ctx.from_dict(terms[True]), ctx.from_dict(terms[False])
    sign = known.of_polynomial(slope)
    slack = f"s_{name}"
    one = ctx.constant(1)
    if sign == 1:
        if rest.is_zero():
            return None
        low = fraction_node(Frac.of(-rest, slope), ring.names)
        put = Node("+", (low, sym(slack)))
        return Bound(name, slack, put, Node("-", (sym(name), low)), position, strict, upper=False)
    if sign == -1 and name in known.positive and not rest.is_zero():
        high = fraction_node(Frac.of(rest, -slope), ring.names)
        put = Node("/", (high, Node("+", (num(1), sym(slack)))))
        meaning = Node("-", (Node("/", (high, sym(name))), num(1)))
        del one
        return Bound(name, slack, put, meaning, position, strict, upper=True)
    return None


def _resolve(chosen: list[Bound]) -> dict[str, Node] | None:
    """Substitutions in slacks only: a bound that mentions another substituted name is expanded; circles are refused."""
    put = {b.name: b.put for b in chosen}
    for _ in range(len(put) + 1):
        if not any(symbols(p) & set(put) for p in put.values()):
            return put
        put = {name: substitute(p, {n: q for n, q in put.items() if n != name}) for name, p in put.items()}
        if any(name in symbols(p) for name, p in put.items()):
            return None
    return None


@dataclass(frozen=True)
class _Goal:
    """The difference as one quotient of polynomials, so that substitutions are cheap to try."""

    names: tuple[str, ...]
    num: fmpq_mpoly
    den: fmpq_mpoly

    @staticmethod
    def of(node: Node) -> _Goal | None:
        try:
            ring, (value,), _ = scalars_of([node])
        except KernelError:
            return None
        return _Goal(ring.names, value.num, value.den)


def _promising(goal: _Goal, chosen: list[Bound]) -> bool:
    """After the substitution all coefficients of the numerator have one sign, and those of the denominator too."""
    put = _resolve(chosen)
    if put is None:
        return False
    names = tuple(sorted((set(goal.names) - set(put)) | {n for p in put.values() for n in symbols(p)}))
    ring = RationalFunctions(names)
    env: dict[str, Any] = ring.env()
    try:
        values = [evaluate(put[n], env, ring) if n in put else env[n] for n in goal.names]
    except KernelError:
        return False
    top, below_top = _substituted(goal.num, values, ring)
    bottom, below_bottom = _substituted(goal.den, values, ring)
    signs_of = [_one_sign(poly) for poly in (top, below_top, bottom, below_bottom)]
    if top.is_zero():
        return True
    return 0 not in signs_of and signs_of[0] * signs_of[1] * signs_of[2] * signs_of[3] == 1


def _one_sign(poly: fmpq_mpoly) -> int:
    found = {c > 0 for c in poly.to_dict().values()}
    return 0 if len(found) != 1 else 1 if found.pop() else -1


def _substituted(poly: fmpq_mpoly, values: list[Frac], ring: RationalFunctions) -> tuple[fmpq_mpoly, fmpq_mpoly]:
    """poly(values) as a quotient, without reducing it: numerator and product of denominators."""
    degrees = [int(d) for d in poly.degrees()]
    tops = [_powers(v.num, d, ring) for v, d in zip(values, degrees, strict=False)]
    bottoms = [_powers(v.den, d, ring) for v, d in zip(values, degrees, strict=False)]
    total = ring.ctx.constant(0)
    for exponents, c in poly.to_dict().items():
        term = ring.ctx.constant(c)
        for i, degree in enumerate(degrees[: len(values)]):
            e = int(exponents[i])
            if degree:
                term = term * tops[i][e] * bottoms[i][degree - e]
        total += term
    below = ring.ctx.constant(1)
    for i, degree in enumerate(degrees[: len(values)]):
        below = below * bottoms[i][degree]
    return total, below


def _powers(poly: fmpq_mpoly, top: int, ring: RationalFunctions) -> list[fmpq_mpoly]:
    powers = [ring.ctx.constant(1)]
    for _ in range(top):
        powers.append(powers[-1] * poly)
    return powers


def _certificate(sequent: Sequent, chosen: list[Bound]) -> Certificate:
    put = _resolve(chosen) or {}
    slacks: dict[str, Any] = {}
    for bound in chosen:
        slacks[bound.slack] = {
            "is": text(bound.meaning),
            "because": _because(sequent, bound),
            "strict": bound.strict,
            "defined": {},
        }
    return {"kind": "positive", "slacks": slacks, "put": {n: text(p) for n, p in put.items()}}


def _because(sequent: Sequent, bound: Bound) -> Certificate:
    """The slack is the fact divided by positive names: multiply them back."""
    every = sequent.every_fact()
    fact_node, _ = difference(every[bound.fact])
    ring, values, _ = fractions_of([bound.meaning, fact_node, *(difference(f)[0] for f in every if _usable(f))])
    meaning, fact, *_ = values
    if isinstance(meaning, Mat) or isinstance(fact, Mat):
        return {"kind": "positive"}
    ratio = fact / meaning
    above, below = _as_facts(ratio.num, every, ring), _as_facts(ratio.den, every, ring)
    if above is None or below is None:
        return {"kind": "positive"}
    weight = above[0] / below[0]
    if weight <= 0:
        return {"kind": "positive"}
    return {"kind": "cone", "multiplier": above[1], "terms": [{"c": str(weight), "of": [bound.fact, *below[1]]}]}


def _as_facts(poly: fmpq_mpoly, every: list[Relation], ring: RationalFunctions) -> tuple[Any, list[int]] | None:
    """constant * product of strict facts = polynomial; returns 1/constant and the positions of the facts."""
    constant, factors = poly.factor()
    weight, positions = 1 / constant, []
    for factor, power in factors:
        hit = _position_of(factor, every, ring)
        if hit is None:
            return None
        position, scale = hit
        positions += [position] * power
        weight = weight * scale**power
    return weight, positions


def _usable(fact: Relation) -> bool:
    return fact.binder is None and fact.op == ">"


def _position_of(factor: fmpq_mpoly, every: list[Relation], ring: RationalFunctions) -> tuple[int, Any] | None:
    for position, fact in enumerate(every):
        if not _usable(fact):
            continue
        flat = Atoms().flatten(difference(fact)[0])
        if not symbols(flat) <= set(ring.names):
            continue
        try:
            value = evaluate(flat, ring.env(), RationalFunctions(ring.names))
        except KernelError:
            continue
        if isinstance(value, Mat) or not value.den.is_constant() or value.num.is_zero():
            continue
        scale = value.num.leading_coefficient() / factor.leading_coefficient()
        if value.num == factor * scale and scale > 0:
            return position, scale
    return None


def candidates(sequent: Sequent) -> Iterator[str]:
    """Names of the facts used, for explanations."""
    for group in _bounds(sequent).values():
        for bound in group:
            yield f"{bound.name} = {text(bound.put)}"
