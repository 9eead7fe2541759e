"""Subdivisions of rational boxes: Bernstein coefficients for rational goals, Arb balls for all others.

The bounds lo <= x <= hi come from the facts (`find`), or the box is stated (`find_balls_on`) and the verdict is then
"certified on the box". The worst box is cut first, where the goal nearly vanishes at a rational point through it.
"""

from __future__ import annotations

import heapq
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from math import comb
from typing import Any

import flint
from flint import fmpq, fmpq_mpoly

from theory.kernel.boxes import ball, box_of, simple_bound
from theory.kernel.errors import KernelError, Undefined
from theory.kernel.evaluate import Mat, evaluate
from theory.kernel.flat import difference, fractions_of, polynomial_node
from theory.kernel.lang import Node, Relation, num, sym, symbols, text
from theory.kernel.rings import Balls, to_fmpq
from theory.kernel.sequent import Certificate, Sequent
from theory.provers import bernstein
from theory.provers.budget import Budget
from theory.provers.frame import BREAKDOWN, accepted

Box = dict[str, tuple[Fraction, Fraction]]
WORK = 1_000_000
DOUBTFUL = 32
BALL_BITS = (53, 106, 212, 424, 848)
TINY = 1e-9


def find(sequent: Sequent, budget: Budget) -> Certificate | None:
    """A cover by cones for a rational goal, a ball cover for any other, or None."""
    if sequent.goal.op in ("==", "!=") or sequent.goal.binder is not None:
        return None
    for attempt in (find_bernstein, find_balls):
        try:
            cert = attempt(sequent, budget)
        except BREAKDOWN:
            cert = None
        if cert is not None:
            return cert
    return None


def find_bernstein(sequent: Sequent, budget: Budget) -> Certificate | None:
    """The box is cut by cases; on each piece the gap is a sum of products of the distances to its walls."""
    node, strict = difference(sequent.goal)
    try:
        ring, (value,), atoms = fractions_of([node])
        if isinstance(value, Mat) or not ring.names:
            return None
        box = box_of(sequent, frozenset(ring.names))
    except KernelError:
        return None
    if any(lo >= hi for lo, hi in box.values()):
        return None
    sign = 1
    if not value.den.is_constant():
        sign = next((s for s in (1, -1) if subdivide(value.den * s, ring.names, box, True, budget) is not None), 0)
        if not sign:
            return None
        bottom = atoms.restore(polynomial_node(value.den * sign, ring.names))
        fact = Relation(">", bottom, num(0))
        shown = find_bernstein(sequent.show(fact), budget)
        if shown is None:
            return None
    tree = subdivide(value.num * sign, ring.names, box, strict, budget)
    if tree is None:
        return None
    pieces = Pieces(value.num * sign, ring.names, {n: atoms.restore(sym(n)) for n in ring.names}, strict)
    if value.den.is_constant():
        cert = pieces.cut(tree, box, sequent, [])
    else:
        then = pieces.cut(tree, box, sequent.given(fact), [len(sequent.facts)])
        cert = {"kind": "have", "fact": str(fact), "proof": shown, "then": then}
    return cert if accepted(cert, sequent) else None


@dataclass(frozen=True)
class Pieces:
    """A polynomial on the pieces of a box, as cones of the facts that bound them."""

    poly: fmpq_mpoly
    names: tuple[str, ...]
    written: Mapping[str, Node]
    strict: bool

    def cut(self, tree: Mapping[str, Any], box: Box, sequent: Sequent, multiplier: list[int]) -> Certificate:
        if "split" not in tree:
            return self._cone(box, sequent, multiplier)
        name, at = str(tree["split"]), Fraction(tree["at"])
        pivot = Node("-", (self.written[name], num(at)))
        lo, hi = box[name]
        above, below = (sequent.given(Relation(op, pivot, num(0))) for op in (">=", "<="))
        return {
            "kind": "cases",
            "on": text(pivot),
            "nonnegative": self.cut(tree["high"], {**box, name: (at, hi)}, above, multiplier),
            "nonpositive": self.cut(tree["low"], {**box, name: (lo, at)}, below, multiplier),
        }

    def _cone(self, box: Box, sequent: Sequent, multiplier: list[int]) -> Certificate:
        walls = {name: _walls(sequent, name, box[name]) for name in self.names}
        terms, every = [], list(bernstein.coefficients(self.poly, self.names, box))
        least = min(c for _, _, c in every) if self.strict else fmpq(0)
        for beta, degrees, c in every:
            weight, of = c - least, []
            for name, e, n in zip(self.names, beta, degrees, strict=True):
                (low, by_low), (high, by_high) = walls[name]
                lo, hi = box[name]
                weight = weight * comb(n, e) / (to_fmpq(hi - lo) ** n * by_low**e * by_high ** (n - e))
                of += [low] * e + [high] * (n - e)
            if weight:
                terms.append({"c": str(weight), "of": of})
        terms += [{"c": str(least)}] if least else []
        return {"kind": "cone", "terms": terms} | ({"multiplier": multiplier} if multiplier else {})


def _walls(sequent: Sequent, name: str, ends: tuple[Fraction, Fraction]) -> tuple[tuple[int, fmpq], tuple[int, fmpq]]:
    """The facts a*(x - lo) >= 0 and b*(hi - x) >= 0: their positions, and a and b."""
    found: dict[bool, tuple[int, fmpq]] = {}
    for position, fact in enumerate(sequent.every_fact()):
        bound = simple_bound(fact)
        if bound is not None and bound[0] == name and bound[1] == ends[0 if bound[2] else 1]:
            _, (value,), _ = fractions_of([difference(fact)[0]])
            slope = next(c for m, c in value.num.to_dict().items() if any(m))  # type: ignore[union-attr]
            found.setdefault(bound[2], (position, abs(slope)))
    return found[True], found[False]


@dataclass
class _Part:
    """A box of the subdivision; `tree` is the certificate's node for it, filled in place."""

    box: Box
    table: Any
    tree: dict[str, Any] = field(default_factory=dict)


def subdivide(
    poly: fmpq_mpoly, names: tuple[str, ...], box: Box, strict: bool, budget: Budget
) -> dict[str, Any] | None:
    """A tree of cuts after which every Bernstein coefficient is nonnegative (positive where strict)."""
    size = 1
    for d in poly.degrees()[: len(names)]:
        size *= int(d) + 1
    leaves = min(budget.boxes, WORK // max(1, size * len(poly.to_dict())))
    if leaves < 1 or poly.is_zero():
        return {} if poly.is_zero() and not strict else None
    root = _Part(box, bernstein.tensor(poly, names, box))
    scale = float(abs(root.table).max()) or 1.0
    places = _places(poly, names, box, scale)
    if places is None:
        return None
    heap = [(float(root.table.min()), 0, root)]
    count, doubtful = 1, 0
    while heap:
        worst, _, part = heapq.heappop(heap)
        if worst > -TINY * scale:
            if _closed(poly, names, part.box, strict):
                continue
            doubtful += 1
        negative = bernstein.corner_minimum(part.table) < -TINY * scale
        if negative or doubtful > DOUBTFUL or count >= leaves or budget.spent():
            return None
        for child in _cut(part, names, places):
            count += 1
            heapq.heappush(heap, (float(child.table.min()), count, child))
    return root.tree


def _closed(poly: fmpq_mpoly, names: tuple[str, ...], box: Box, strict: bool) -> bool:
    return all(c > 0 or (c == 0 and not strict) for _, _, c in bernstein.coefficients(poly, names, box))


def _places(poly: fmpq_mpoly, names: tuple[str, ...], box: Box, scale: float) -> dict[str, list[Fraction]] | None:
    """Rational coordinates of the points where the polynomial nearly vanishes.

    None where it is negative, or vanishes at an irrational point inside, which no cut can reach.
    """
    places: dict[str, list[Fraction]] = {name: [] for name in names}
    for value, point in bernstein.minimisers(poly, names, box):
        if value < -TINY * scale:
            return None
        if value > 1e-6 * scale:
            break
        for name, x in zip(names, point, strict=True):
            near = Fraction(float(x)).limit_denominator(60)
            if abs(float(near) - float(x)) < 1e-4:
                places[name] += [near] if near not in places[name] else []
            elif value < TINY * scale:
                return None
    return places


def _cut(part: _Part, names: tuple[str, ...], places: Mapping[str, list[Fraction]]) -> tuple[_Part, _Part]:
    axis = bernstein.steepest(part.table)[0]
    name = names[axis]
    lo, hi = part.box[name]
    at = next((p for p in places[name] if lo < p < hi), (lo + hi) / 2)
    low, high = bernstein.halves(part.table, axis, float((at - lo) / (hi - lo)))
    children = _Part({**part.box, name: (lo, at)}, low), _Part({**part.box, name: (at, hi)}, high)
    part.tree.update({"split": name, "at": str(at), "low": children[0].tree, "high": children[1].tree})
    return children


def find_balls(sequent: Sequent, budget: Budget) -> Certificate | None:
    """A ball cover of the box that the facts give."""
    node, strict = difference(sequent.goal)
    try:
        box = box_of(sequent, symbols(node))
    except KernelError:
        return None
    return _cover(sequent, node, strict, box, None, budget)


def find_balls_on(sequent: Sequent, box: Mapping[str, tuple[Fraction, Fraction]], budget: Budget) -> Certificate | None:
    """A ball cover of a stated box: the claim is then certified there, whatever its other hypotheses say."""
    if sequent.goal.op in ("==", "!=") or sequent.goal.binder is not None:
        return None
    node, strict = difference(sequent.goal)
    if not symbols(node) <= set(box):
        missing = ", ".join(sorted(symbols(node) - set(box)))
        raise ValueError(f"the stated box has no bounds for {missing}; give [lo, hi] for every name of the goal")
    own = {name: (Fraction(box[name][0]), Fraction(box[name][1])) for name in sorted(symbols(node))}
    stated = {name: [str(lo), str(hi)] for name, (lo, hi) in own.items()}
    return _cover(sequent, node, strict, own, stated, budget)


def _cover(
    sequent: Sequent, node: Node, strict: bool, box: Box, stated: dict[str, list[str]] | None, budget: Budget
) -> Certificate | None:
    if any(lo > hi for lo, hi in box.values()):
        return None
    for bits in (b for b in BALL_BITS if b <= budget.bits):
        with flint.ctx.workprec(bits):
            tree = _cover_tree(node, strict, box, budget)
        if tree is not None:
            cert: Certificate = {"kind": "balls", "bits": bits, "tree": tree}
            if stated is not None:
                return {**cert, "box": stated}  # the kernel reads it with the claim, as the proof of a whole goal
            if accepted(cert, sequent):
                return cert
    return None


def _cover_tree(node: Node, strict: bool, box: Box, budget: Budget) -> dict[str, Any] | None:
    root: dict[str, Any] = {}
    stack = [(root, box)]
    count = 1
    while stack:
        tree, here = stack.pop()
        value = _enclosure(node, here)
        if value is not None and (value.lower() > 0 or (not strict and value.lower() >= 0)):
            continue
        if value is not None and value.upper() < 0:
            return None
        name = _widest(node, here)
        if name is None or count >= budget.boxes or budget.spent():
            return None
        lo, hi = here[name]
        at = (lo + hi) / 2
        if _certainly_false(node, here, strict):
            return None
        tree.update({"split": name, "at": str(at), "low": {}, "high": {}})
        count += 1
        stack.append((tree["high"], {**here, name: (at, hi)}))
        stack.append((tree["low"], {**here, name: (lo, at)}))
    return root


def _enclosure(node: Node, box: Box) -> Any:
    try:
        value = evaluate(node, {name: ball(*bounds) for name, bounds in box.items()}, Balls())
    except (Undefined, KernelError):
        return None
    return None if isinstance(value, Mat) or not value.is_finite() else value


def _certainly_false(node: Node, box: Box, strict: bool) -> bool:
    """The goal fails at the centre of the box, so no cover exists."""
    centre = {name: ((lo + hi) / 2, (lo + hi) / 2) for name, (lo, hi) in box.items()}
    value = _enclosure(node, centre)
    return value is not None and (value.upper() < 0 or (strict and value.upper() <= 0))


def _widest(node: Node, box: Box) -> str | None:
    """The name whose halving narrows the enclosure most; the widest one where that says nothing."""
    best: tuple[float, float, str] | None = None
    for name, (lo, hi) in box.items():
        if lo == hi:
            continue
        middle = (lo + hi) / 2
        value = _enclosure(node, {**box, name: (middle, middle)})
        radius = float(value.rad()) if value is not None else float("inf")
        key = (radius, -float(hi - lo), name)
        if best is None or key < best:
            best = key
    return None if best is None else best[2]
