"""Functions that start above zero and do not fall: claims about exp, log, roots, sin and cos by their derivatives.

Floats propose the name, the point to start from and the side. Each slope is cleared of its denominator, taken apart
into factors, and shown by the laws, by arithmetic, or by its own slope again.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from theory.kernel.errors import KernelError
from theory.kernel.flat import difference, polynomial_node, scalars_of
from theory.kernel.lang import Node, Relation, num, relation_symbols, substitute, sym, symbols, text, walk
from theory.kernel.sequent import Certificate, Sequent
from theory.kernel.slopes import derivative, slope_parts
from theory.provers import arithmetic
from theory.provers.effort import Effort
from theory.provers.exponentials import closed, positive_root
from theory.provers.frame import BREAKDOWN, Frame, accepted
from theory.provers.relations import OPAQUE, value_at
from theory.provers.rewriting import new_names, parts
from theory.provers.skeletons import Filler, Search

DEPTH = 4  # derivatives of derivatives
DRAWS = 1500
ENOUGH = 40
SMALL = 1e-9
STARTS = (num(0), num(1), num("1/2"), num(-1), Node("exp", (num(1),)))
CURVED = ("exp", "log", "sin", "cos", "sqrt")
Point = dict[str, float]


def find(sequent: Sequent, effort: Effort, search: Search) -> Certificate | None:
    """A proof by derivatives, for a goal about numbers with a curved function in it."""
    if sequent.goal.op not in ("<=", ">=", "<", ">") or sequent.goal.binder is not None:
        return None
    if not any(part.op in CURVED for part in parts(sequent.goal)):
        return None
    try:
        return _Slopes().shown(sequent, DEPTH)
    except (KernelError, *BREAKDOWN):
        return None


@dataclass
class _Slopes:
    """One search; it counts the leaves that it tries."""

    left: int = 100

    def shown(self, sequent: Sequent, depth: int, now: bool = False) -> Certificate | None:
        """By arithmetic and laws, by factors, by the slope; `now`: what is hard for arithmetic is tried at once."""
        self.left -= 1
        if self.left < 0:
            return None
        points = list(_points(sequent))
        if points and not _holds(sequent.goal, points):
            return None
        if not depth or not _curved(sequent.goal):
            return _leaf(sequent)
        return (
            _leaf(sequent, (0, 2) if now else (0,))
            or self._by_factors(sequent, depth, points)
            or self._by_slope(sequent, depth, points)
            or (None if now else _leaf(sequent, (2,)))
        )

    def _sign(self, sequent: Sequent, effort: Effort, library: object) -> Certificate | None:
        return self.shown(sequent, 0)

    def _by_slope(self, sequent: Sequent, depth: int, points: list[Point]) -> Certificate | None:
        gap, _ = difference(sequent.goal)
        for name, start in _starts(sequent, gap, points):
            ways = _ways(gap, name, start, points)
            if not ways:
                continue
            cert = (
                self._both_ways(sequent, name, start, depth)
                if len(ways) == 2
                else self._one_way(sequent, name, start, ways[0], depth)
            )
            if cert is not None:
                return cert
        return None

    def _one_way(self, sequent: Sequent, name: str, start: Node, way: str, depth: int) -> Certificate | None:
        side = _side(name, start, way)
        proof = arithmetic.close(sequent.show(side), rounds=2)
        cert = None if proof is None else self._from(sequent, name, start, way, depth)
        return None if cert is None else Frame(sequent).have(str(side), proof or {}).close(cert)

    def _both_ways(self, sequent: Sequent, name: str, start: Node, depth: int) -> Certificate | None:
        cert: Certificate = {"kind": "cases", "on": text(Node("-", (sym(name), start)))}
        for way, case in (("up", "nonnegative"), ("down", "nonpositive")):
            found = self._from(sequent, name, start, way, depth)
            if found is None:
                return None
            cert[case] = found
        return cert

    def _from(self, sequent: Sequent, name: str, start: Node, way: str, depth: int) -> Certificate | None:
        """On one side of the starting point, which is a fact there."""
        new = next(new_names(sequent, "y", "z", "u", "v", stem="y"))
        cert: Certificate = {"kind": "slope", "in": name, "from": text(start), "name": new, "way": way}
        needed = slope_parts(cert, sequent.given(_side(name, start, way)))
        try:
            filler = Filler(self._sign, {}, Effort())
            cert["defined"] = {k: filler.definedness([p.goal.left, p.goal.right], p) for k, p in needed.items()}
        except KernelError:
            return None
        for key in ("order", "base", "slope"):
            proof = self.shown(needed[key], depth - 1, now=key != "slope")
            if proof is None:
                return None
            cert[key] = proof
        return cert

    def _by_factors(self, sequent: Sequent, depth: int, points: list[Point]) -> Certificate | None:
        """The gap as a product of factors with signs, over a product of such."""
        gap, strict = difference(sequent.goal)
        ring, (value,), atoms = scalars_of([gap])
        if value.is_zero:
            return None
        top, over = value.num.factor(), value.den.factor()
        if len(top[1]) == 1 and top[1][0][1] == 1 and not over[1]:
            return None
        weight = top[0] / over[0]
        frame, square = Frame(sequent), num(1)
        multiplier: list[int] = []
        of: list[int] = []
        for below, factors in ((True, over[1]), (False, top[1])):
            for poly, power in factors:
                node = atoms.restore(polynomial_node(poly, ring.names))
                if not below and power % 2 == 0 and not strict:
                    square = Node("*", (square, Node("**", (node, num(power // 2)))))
                    continue
                sign = _sign_at(node, points)
                if not sign:
                    return None
                signed = node if sign > 0 else Node("neg", (node,))
                fact = Relation(">" if below or strict else ">=", signed, num(0))
                proof = self.shown(frame.sequent.show(fact), depth)
                if proof is None:
                    return None
                frame = frame.have(str(fact), proof)
                weight = weight * sign**power
                (multiplier if below else of).extend([len(frame.sequent.facts) - 1] * power)
        term = {"c": str(weight), "of": of, **({} if square == num(1) else {"sq": text(square)})}
        cert = frame.close({"kind": "cone", "multiplier": multiplier, "terms": [term]})
        return cert if accepted(cert, sequent) else None


def _leaf(sequent: Sequent, rounds: tuple[int, ...] = (0, 2)) -> Certificate | None:
    """By arithmetic, by an enclosure where there are no names, by the laws and the signs of roots."""
    if not _curved(sequent.goal):
        return arithmetic.close(sequent)
    plain: list[Certificate] = [{"kind": "identity"}, {"kind": "balls", "tree": {}, "bits": 128}]
    for cert in plain[: 1 if relation_symbols(sequent.goal) else 2]:
        if accepted(cert, sequent):
            return cert
    frame = Frame(sequent)
    for root in [p for p in dict.fromkeys(parts(sequent.goal)) if p.op == "sqrt"][:3]:
        frame = positive_root(frame, text(root), text(root.args[0]))
    found = arithmetic.close(frame.sequent, rounds=2) if frame.steps else None
    return closed(frame, rounds) if found is None else frame.close(found)


def _side(name: str, start: Node, way: str) -> Relation:
    return Relation(">=" if way == "up" else "<=", Node("-", (sym(name), start)), num(0))


def _curved(goal: Relation) -> bool:
    return any(part.op in CURVED for part in parts(goal))


def _starts(sequent: Sequent, gap: Node, points: list[Point]) -> Iterator[tuple[str, Node]]:
    """Names of the gap with points to start from: numbers, other names, bounds that the facts give."""
    names = sorted(symbols(gap))
    inside = frozenset().union(*(symbols(p) for p in parts(sequent.goal) if p.op in CURVED))
    for name in sorted(names, key=lambda n: n not in inside):
        bounds = [
            other
            for fact in sequent.facts
            if fact.binder is None
            for one, other in ((fact.left, fact.right), (fact.right, fact.left))
            if one == sym(name) and name not in symbols(other) and not _curved(Relation("==", other, num(0)))
        ]
        others = [sym(other) for other in names if other != name]
        others += [p.args[0] for p in parts(sequent.goal) if p.op in ("exp", "log") and name not in symbols(p)]
        others += [Node("log", (one,)) for one in others if Node("exp", (sym(name),)) in parts(sequent.goal)]
        lowest = _lowest(gap, name, points) if len(names) == 1 else []
        starts = dict.fromkeys([*STARTS[:2], *lowest, *bounds, *others, *STARTS[2:]])
        yield from ((name, start) for start in starts)


def _lowest(gap: Node, name: str, points: list[Point]) -> list[Node]:
    """Where a function of one name is lowest, if that is a short fraction."""
    slope = derivative(gap, name)
    grid = sorted(point[name] for point in points)
    values = [value_at(gap, {name: x}) for x in grid]
    if None in values or len(grid) < 3:
        return []
    at = min(range(1, len(grid) - 1), key=lambda i: values[i] or 0.0)
    ends = (grid[at - 1], grid[at + 1])
    for _ in range(60):
        middle = sum(ends) / 2
        here = value_at(slope, {name: middle})
        if here is None:
            return []
        ends = (ends[0], middle) if here > 0 else (middle, ends[1])
    return [num(Fraction(sum(ends) / 2).limit_denominator(d)) for d in (12, 1000)]


def _ways(gap: Node, name: str, start: Node, points: list[Point]) -> list[str]:
    """The sides on which points lie, if on each the gap starts above zero and moves the right way."""
    try:
        slope = derivative(gap, name)
    except KernelError:
        return []
    sides: list[str] = []
    base = substitute(gap, {name: start})
    for point in points:
        origin = value_at(start, point)
        first = value_at(base, point)
        if origin is None or first is None or first < -SMALL:
            return []
        way = point[name] - origin
        for share in (0.05, 0.35, 0.7, 0.98):
            here = value_at(slope, {**point, name: origin + share * way})
            if here is None or here * way < -SMALL:
                return []
        sides.append("up" if way > 0 else "down")
    return sorted(set(sides), reverse=True)


def _sign_at(node: Node, points: list[Point]) -> int:
    values = [value_at(node, point) for point in points]
    known = [v for v in values if v is not None]
    if len(known) < len(values) or not known:
        return 0
    return 1 if min(known) >= -SMALL else -1 if max(known) <= SMALL else 0


def _holds(goal: Relation, points: list[Point]) -> bool:
    gap, _ = difference(goal)
    return all(v is None or v >= -SMALL * 10 for v in (value_at(gap, point) for point in points))


def _points(sequent: Sequent) -> Iterator[Point]:
    """Random points at which the facts hold that floats can decide."""
    facts = [difference(f)[0] for f in sequent.every_fact() if f.binder is None and f.op in ("<=", ">=", "<", ">")]
    relations = [r for r in (sequent.goal, *sequent.facts) if r.binder is None]
    sides = [side for r in relations for side in (r.left, r.right)]
    names = sorted(
        frozenset().union(*map(symbols, sides), *([text(p)] for s in sides for p in walk(s) if p.op in OPAQUE))
    )
    rng = random.Random(0)
    found = 0
    for _ in range(DRAWS):
        scale = rng.choice((0.1, 1.0, 1.0, 3.0, 10.0))
        low = rng.choice((0.0, -1.0))
        point = {name: scale * rng.uniform(low, 1.0) for name in names}
        if all((value_at(fact, point) or -1.0) > 0 for fact in facts):
            yield point
            found += 1
            if found == ENOUGH:
                return
