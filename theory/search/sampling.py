"""Exact random points for claims with matrices, samples and sequences: small matrices, small spaces, small indices.

Values are drawn when a formula first asks for them. A hypothesis that says what a name is, or bounds it, gives the name
its value: with equality most of the time, for that is where counterexamples live. A point counts only where every
hypothesis holds and both sides of a goal have a value.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np
from flint import fmpq, fmpq_mat

from theory.kernel.algebraic import Surd
from theory.kernel.claim import Claim
from theory.kernel.errors import KernelError, Malformed, Undecidable, Undefined
from theory.kernel.evaluate import HISTORIES, Family, Function, Mat, evaluate
from theory.kernel.everywhere import is_everywhere
from theory.kernel.flat import tidy
from theory.kernel.instances import Histories, names_of
from theory.kernel.kinds import NUMBER, ONE, Letter, has_letters, is_point, point_size, size_of
from theory.kernel.lang import (
    BINDERS,
    Node,
    Relation,
    num,
    parse,
    relation_symbols,
    substitute,
    sym,
    symbols,
    text,
    walk,
)
from theory.kernel.points import check_witness, holds, satisfies_hypotheses, to_balls
from theory.kernel.rings import Balls, Exact, Inexact, to_fmpq, to_fraction
from theory.search.shadow import shadow
from theory.search.surds import Entry, entry

NUMBERS = [Fraction(x) for x in ("0", "1", "-1", "2", "1/2", "-1/2", "3", "1/3", "-2", "3/4", "1/4", "5", "1/10", "10")]
SIZES = (1, 1, 2, 2, 3)
COUNTS = (0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 6)
GRID = 4096  # how near a number comes to a bound that is not rational
WEIGHTS = (("1",), ("1/2", "1/2"), ("1/3", "2/3"), ("1/4", "3/4"), ("1/2", "1/4", "1/4"))
SECOND = {"c": "v0", "a": "(v2 - 2*v1 + v0)/2", "b": "v1 - c - a", "rest": "v3 - 9*a - 3*b - c"}
CANNOT = (KernelError, Inexact, ArithmeticError, LookupError, TypeError, AttributeError)


@dataclass
class Found:
    """What a search saw: trials at which everything had a value, the largest ratio, and a witness if there is one.

    A point does not count when a hypothesis for every vector was tried at some vectors only; a witness is decided.
    """

    trials: int = 0
    drawn: int = 0
    uncounted: int = 0
    worst: float | None = None
    witness: dict[str, Any] | None = None
    examples: list[dict[str, Any]] = field(default_factory=list)

    def then(self, more: Found) -> Found:
        """This look and the next one together."""
        worst = [one for one in (self.worst, more.worst) if one is not None]
        return Found(
            self.trials + more.trials,
            self.drawn + more.drawn,
            self.uncounted + more.uncounted,
            max(worst, default=None),
            self.witness or more.witness,
            self.examples or more.examples,
        )

    def record(self) -> dict[str, Any]:
        """For the ledger. A search that saw no point says so, and supports nothing."""
        space = f"{self.drawn} exact points drawn: small matrices, spaces and indices"
        if self.uncounted:
            space += f"; {self.uncounted} do not count: a hypothesis for every vector was tried there at some vectors"
        risk = f"{3 / self.trials:.2g}" if self.trials else "1"
        return {"trials": self.trials, "worst_ratio": self.worst, "space": space, "risk": risk}


def is_for(claim: Claim) -> bool:
    """Claims that other searches cannot draw: with kinds, or with sequences that hypotheses speak of index by index."""
    shifted = any(h.binder is not None and h.binder[1].op != "sym" for h in claim.hypotheses)
    return bool(claim.kinds) or (bool(claim.families) and shifted) or _from_zero(claim)


def _from_zero(claim: Claim) -> bool:
    return any(True for name in claim.families for _ in _entries_at_zero(claim, name))


def _entries_at_zero(claim: Claim, name: str) -> Iterator[str]:
    for relation in (*claim.goals, *claim.hypotheses):
        for part in (*walk(relation.left), *walk(relation.right)):
            if part.op in ("sum", "prod") and part.args[1].op == "num":
                entries = [one.args[1] for one in walk(part.args[3]) if one.op == "index" and one.args[0] == sym(name)]
                first = [tidy(substitute(at, {str(part.args[0].value): part.args[1]})) for at in entries]
                yield from (name for at in first if at.op == "num" and at.value < 1)
        if f"{name}[0]" in str(relation) or f"{name}[0," in str(relation):
            yield name


def explore(claim: Claim, rng: np.random.Generator, trials: int, *, stop: bool = True) -> Found:
    """Draw points until a goal fails, or enough have been seen."""
    found = Found()
    for _ in range(trials):
        point = draw(claim, rng)
        found.drawn += 1
        if point is None:
            continue
        found.examples = found.examples or [point]
        try:
            env = satisfies_hypotheses(claim, point)
            ratios = [_ratio(goal, env) for goal in claim.goals]
            bad = any(not holds(goal, env) for goal in claim.goals)
        except Undecidable:
            continue
        except Undefined:
            bad, ratios = True, []
        except CANNOT:
            continue
        counts = not any(map(is_everywhere, claim.hypotheses))
        found.trials += counts
        found.uncounted += not counts
        seen = [r for r in ratios if r is not None and counts]
        found.worst = max([*seen, *([found.worst] if found.worst is not None else [])], default=found.worst)
        if bad and _confirmed(claim, point):
            found.witness = point
            if stop:
                return found
    return found


def in_one_dimension(claim: Claim, seed: int) -> dict[str, Any] | None:
    """A witness with every size 1, where the search among numbers climbs; letters are numbers there."""
    from theory.search import QUICK, search

    names: dict[str, Node] = {}
    try:
        relations = [
            Relation("<=" if r.op == "<<" else r.op, shadow(r.left, names), shadow(r.right, names))
            for r in (*claim.goals, *claim.hypotheses)
            if r.binder is None or _refuse(r)
        ]
        if claim.world.steps or claim.world.clauses or any(node.args for node in names.values()):
            return None
        signs = [
            f"{name} {'>' if node.value.sign == 'pd' else '>='} 0"
            for name, node in names.items()
            if node.value.sign in ("psd", "pd")
        ]
        count = len(claim.goals)
        flat = Claim(
            claim.id,
            tuple(map(str, relations[:count])),
            (*map(str, relations[count:]), *signs),
            naturals=claim.naturals,
        )
        found = search(flat, seed=seed, effort=QUICK).witness
    except CANNOT:
        return None
    if found is None:
        return None
    values = {names[name].value.name if name in names else name: value for name, value in found.items()}
    point = {**values, **dict.fromkeys(claim.world.sizes, "1")}
    return point if _confirmed(claim, point) else None


def _refuse(relation: Relation) -> bool:
    raise Malformed(f"{relation} is for every index; it has no shadow")


def _confirmed(claim: Claim, point: dict[str, Any]) -> bool:
    try:
        check_witness(claim, point)
    except KernelError:
        return False
    return True


def _ratio(goal: Relation, env: Mapping[str, Any]) -> float | None:
    """Left over right where both are positive numbers."""
    if goal.op not in ("<=", "<", ">=", ">"):
        return None
    small, big = (goal.left, goal.right) if goal.op in ("<=", "<") else (goal.right, goal.left)
    try:
        a, b = (evaluate(side, env, Exact()) for side in (small, big))
        return None if isinstance(a, Mat) or isinstance(b, Mat) or b <= 0 else float(to_fraction(a) / to_fraction(b))
    except CANNOT:
        return None


def draw(claim: Claim, rng: np.random.Generator) -> dict[str, Any] | None:
    """A point that satisfies every hypothesis, in the form of the ledger, or None."""
    world = _Drawing(claim, rng)
    try:
        world.settle()
        point = world.point()
        satisfies_hypotheses(claim, point)
    except CANNOT:
        return None
    return point


class _Values(dict[int, Any]):
    """The entries of a family, drawn when they are asked for."""

    def __init__(self, make: Any) -> None:
        super().__init__()
        self.make = make

    def __contains__(self, key: object) -> bool:
        return True

    def __missing__(self, key: int) -> Any:
        self[key] = self.make()
        return self[key]


class _Points(dict[int, Any]):
    """The values at all points of a space; those that no hypothesis has placed yet are `loose`."""

    def __init__(self, values: dict[int, Any]) -> None:
        super().__init__(values)
        self.loose = set(values)


class _Drawing(dict[str, Any]):
    """An environment that draws what it does not have."""

    def __init__(self, claim: Claim, rng: np.random.Generator) -> None:
        super().__init__()
        self.claim, self.rng = claim, rng
        self.bowls: dict[tuple[int, str], Bowl] = {}  # of the functions of a vector, by its size and their number
        self.ranges: dict[tuple[int, Any], dict[str, Any]] = {}
        self.world, self.needed = claim.world, names_of(claim)
        self.tight = not claim.kinds and rng.random() < 0.4  # every bound that is no number is met with equality
        spaces = {one.space for one in self.world.letters.values() if one.space is not None}
        spaces |= set(self.world.histories.values())
        for space in sorted(spaces - set(self.world.histories)):
            weights = WEIGHTS[int(rng.integers(len(WEIGHTS)))]
            self[f"p_{space}"] = Mat(tuple((to_fmpq(Fraction(w)),) for w in weights))
        for name in sorted(self.world.sizes):
            self[name] = to_fmpq(int(rng.choice(SIZES)))
        for name in (one for one in claim.naturals if one not in self.world.sizes):
            self[name] = to_fmpq(int(rng.choice(COUNTS)))
        if self.world.steps or self.world.clauses:
            self[HISTORIES] = Histories(self.world, self)

    def __missing__(self, name: str) -> Any:
        self[name] = self._fresh(name)
        return self[name]

    def _fresh(self, name: str) -> Any:
        if name in self.world.letters:
            return self._letter(self.world.letters[name], self.world.letters[name].indices)
        if name in self.claim.families:
            return self._family(self.claim.families[name])
        if name in self.world.samples:
            return to_fmpq(1 + int(self.rng.integers(len(self[f"p_{self.world.samples[name]}"].rows))))
        return self._number(name)

    def _number(self, name: str = "") -> fmpq:
        low, high = self._bounds(name)
        if low is not None and high is not None and low <= high:
            share = Fraction(int(self.rng.integers(0, 9)), 8)
            return to_fmpq(low + (high - low) * share)
        fits = [x for x in NUMBERS if (low is None or x >= low) and (high is None or x <= high)]
        return to_fmpq(fits[int(self.rng.integers(len(fits)))]) if fits else to_fmpq(low or high or Fraction(0))

    def _bounds(self, name: str) -> tuple[Fraction | None, Fraction | None]:
        """What the hypotheses say of the name in plain numbers."""
        low: list[Fraction] = []
        high: list[Fraction] = []
        for h in self.claim.hypotheses:
            for side, other, less in ((h.left, h.right, "<"), (h.right, h.left, ">")):
                if h.binder is None and side.op == "sym" and side.value == name and other.op == "num":
                    (high if h.op.startswith(less) else low if h.op != "==" else []).append(Fraction(other.value))
        return max(low, default=None), min(high, default=None)

    def _family(self, depth: int) -> Family:
        return Family(_Values(self._number if depth == 1 else lambda: self._family(depth - 1)))

    def _letter(self, letter: Letter, indices: tuple[str, ...]) -> Any:
        if not indices:
            return self._function(letter) if any(map(is_point, letter.indices)) else self._matrix(letter)
        if is_point(indices[0]):
            return self._letter(letter, indices[1:])
        if indices[0] == "nat":
            return Family(_Values(lambda: self._letter(letter, indices[1:])))
        points = range(1, len(self[f"p_{indices[0]}"].rows) + 1)
        return Family(_Points({i: self._letter(letter, indices[1:]) for i in points}))

    def _function(self, letter: Letter) -> Function:
        """A convex quadratic for a number, its gradient for a vector of that size, and some multiple of x otherwise."""
        rows, size = (sum(c * (int(self[n].p) if n else 1) for n, c in side) for side in (letter.rows, _at(letter)))
        key = size, self._potential(letter)
        if key not in self.bowls:
            self.bowls[key] = bowl(size, self._curvatures(), self._lowest(size, key[1]), self.rng)
        form, slopes = self.bowls[key]
        if (letter.rows, letter.cols) == NUMBER:
            return Function("x", parse(form))
        return Function("x", parse(f"[{', '.join(slopes[:rows] or ['0'])}]"))

    def _potential(self, letter: Letter) -> str:
        """The function whose gradient it may be: the number that stands beside it in what holds for every vector."""
        if (letter.rows, letter.cols) == NUMBER:
            return letter.name
        for hypothesis in filter(is_everywhere, self.claim.hypotheses):
            parts = [p.value for side in (hypothesis.left, hypothesis.right) for p in walk(side) if p.op == "letter"]
            numbers = [str(p.name) for p in parts if (p.rows, p.cols) == NUMBER and any(map(is_point, p.indices))]
            if letter in parts and numbers and parts.index(letter):
                return numbers[0]
        return next((n for n, one in self.world.letters.items() if (one.rows, one.cols) == NUMBER), letter.name)

    def _everywhere(self) -> Iterator[Node]:
        """The parts of what holds for every vector."""
        for hypothesis in filter(is_everywhere, self.claim.hypotheses):
            yield from (*walk(hypothesis.left), *walk(hypothesis.right))

    def _curvatures(self) -> list[Fraction]:
        """Numbers that such hypotheses speak of: the constants of smoothness and of convexity."""
        free = {str(part.value) for part in self._everywhere() if part.op == "sym"} & self.needed
        numbers = sorted(free - self.claim.counters - set(self.world.samples) - set(self.claim.families))
        return sorted((value for name in numbers if (value := to_fraction(self[name])) >= 0), reverse=True)

    def _lowest(self, size: int, function: str) -> list[Fraction] | None:
        """A vector of the claim at which one of them takes a function: a minimiser."""
        parts = [*self._everywhere(), *(p for h in self.claim.hypotheses if h.right == num(0) for p in walk(h.left))]
        own = [p for p in parts if p.op == "letter" and p.args and self._potential(p.value) == function]
        fixed = [arg for part in own for arg in part.args if arg.op == "letter"]
        for name in (arg.value.name for arg in fixed if not arg.args and arg.value.name in self.needed):
            value = self[name]
            entries = [row[0] for row in value.rows] if isinstance(value, Mat) else [value]
            if len(entries) == size:
                return [to_fraction(one) for one in entries]
        return None

    def _matrix(self, letter: Letter) -> Any:
        rows, cols = (sum(c * (int(self[n].p) if n else 1) for n, c in side) for side in (letter.rows, letter.cols))
        entries = self.rng.integers(-3, 4, (rows, cols))
        if letter.sign in ("psd", "pd"):
            rank = int(self.rng.integers(1, rows + 1))
            root = self.rng.integers(-2, 3, (rows, rows if letter.sign == "pd" else rank))
            entries = root @ root.T + (np.eye(rows, dtype=int) if letter.sign == "pd" else 0)
        elif letter.symmetric:
            entries = np.triu(entries) + np.triu(entries, 1).T
        scale = Fraction(1, int(self.rng.choice([1, 1, 2, 4])))
        return _number(Mat(tuple(tuple(to_fmpq(scale * int(x)) for x in row) for row in entries)))

    def settle(self) -> None:
        """Hypotheses give values: equations exactly, bounds with equality or with some room."""
        for hypothesis in _in_order(self.claim.hypotheses):
            if is_everywhere(hypothesis):
                self._touch(hypothesis)
            for env in self._instances(hypothesis):
                self._obey(Relation(hypothesis.op, hypothesis.left, hypothesis.right), env)

    def _touch(self, relation: Relation) -> None:
        """h[u] >= h[p] + (x - p).T@(u - p) for every u is an equation at u = p: both sides have one slope there."""
        (name, lo, _), *more = relation.binders
        points = _touched(relation)
        if more or lo.op != "points" or not points:
            return
        size = int(self._value(lo.args[0], {}).p)
        others = (
            part.value.name for side in (relation.left, relation.right) for part in walk(side) if _is_vector(part)
        )
        for target in dict.fromkeys((points[0], *others)):
            if not dict.__contains__(self, target) or target == points[0]:
                old = self[target]
                solved = _root(partial(self._slope, relation, name, points[0], target), size)
                self[target] = old if solved is None else solved
                if solved is not None:
                    return

    def _slope(self, relation: Relation, name: str, point: str, target: str, value: list[fmpq]) -> list[fmpq]:
        """Of the gap, which is of degree two, at the point, where the target has this value."""
        gap, half = Node("-", (relation.left, relation.right)), fmpq(1, 2)
        here = {target: _vector(value)}
        at = _entries(here.get(point, self[point]))
        ends = ([x + sign * (i == k) for k, x in enumerate(at)] for i in range(len(at)) for sign in (1, -1))
        values = [self._value(gap, {**here, name: _vector(end)}) for end in ends]
        return [(up - down) * half for up, down in zip(values[::2], values[1::2], strict=True)]

    def _instances(self, relation: Relation) -> Iterator[Mapping[str, Any]]:
        if any(lo.op == "points" for _, lo, _ in relation.binders):
            return  # for every vector: no value of one name settles it
        envs: list[dict[str, Any]] = [{}]
        for index, lo, hi in relation.binders:
            grown = []
            for env in envs:
                if lo.op == "domain":
                    first, last = 1, len(self[f"p_{lo.value}"].rows)
                else:
                    first, last = (int(self._value(end, env).p) for end in (lo, hi))
                grown += [{**env, index: to_fmpq(i)} for i in range(first, min(last, first + 12) + 1)]
            envs = grown
        yield from envs

    def _value(self, node: Node, env: Mapping[str, Any]) -> Any:
        recursive = {*self.world.steps, *self.world.clauses}
        used = symbols(node) | (self.needed if recursive else frozenset())
        for name in sorted(used - set(env) - recursive):  # in one order: what is drawn depends on the seed alone
            self[name]
        return evaluate(node, {**self, **env}, Exact())

    def _bound(self, source: Node, env: Mapping[str, Any], side: str) -> Any:
        """The value of a bound; of one that is not rational, as a root may be, a number just on the safe side."""
        try:
            return self._value(source, env)
        except Inexact:
            if not side and self.claim.kinds:
                raise
            if not side:
                return _ringed(entry(source, {n: v for n, v in {**self, **env}.items() if n in symbols(source)}))
        balls = {name: to_balls(value) for name, value in {**self, **env}.items() if name in symbols(source)}
        value = float(evaluate(source, balls, Balls()).mid())
        return to_fmpq(Fraction(round(value * GRID) + (1 if side == "low" else -1), GRID))

    def _obey(self, relation: Relation, env: Mapping[str, Any]) -> None:
        relation = _divided(relation)
        tight = relation.op == "==" or (relation.left.op == "mean" and relation.op == "<=" and self.rng.random() < 0.5)
        if tight and self._shifted(relation.left, relation.right, env):
            return
        for target, source, up in ((relation.left, relation.right, -1), (relation.right, relation.left, 1)):
            if (
                target.op == "abs"
                and relation.op == ("<=" if up < 0 else ">=")
                and self._on_both_sides(target, source, env)
            ):
                return
            place = self._place(target, env)
            if place is None or (symbols(target) & symbols(source) and target.op not in ("index", "letter")):
                continue
            store, key = place
            side = "" if relation.op == "==" else "low" if (relation.op in (">", ">=")) == (up < 0) else "high"
            loose = isinstance(store, _Points) and key in store.loose and not (side and isinstance(store[key], Mat))
            if dict.__contains__(store, key) and not loose:
                self._between(store, key, side, source, env)
                continue
            if side and target.op == "sym" and source.op == "num" and self.rng.random() < 0.6:
                store[key] = self._number(str(target.value))  # a plain bound says little: any number that fits
                return
            bound = self._bound(source, env, side)
            if side and target.op == "index" and source.op == "num" and self.rng.random() < 0.6:
                store[key] = self._beyond(to_fraction(bound), side)
            else:
                store[key] = self._near(relation.op, bound, up)
            if isinstance(store, _Points):
                store.loose.discard(key)
            if side and not isinstance(bound, Mat):
                self.ranges[id(store), key] = {side: bound}
            return
        if relation.op == "==":
            self._solved(relation, env)

    def _on_both_sides(self, modulus: Node, source: Node, env: Mapping[str, Any]) -> bool:
        """abs(g) <= G gives g a value between -G and G, most often an end."""
        place = self._place(modulus.args[0], env)
        if place is None or dict.__contains__(*place):
            return False
        store, key = place
        share = (1, 1, -1, Fraction(int(self.rng.integers(-8, 9)), 8))[int(self.rng.integers(2 if self.tight else 4))]
        store[key] = self._bound(source, env, "") * to_fmpq(Fraction(share))
        return True

    def _solved(self, equation: Relation, env: Mapping[str, Any]) -> None:
        """An equation in which a number without a value stands linearly gives it one: th[k]*(b + k) == 4.

        So does one of degree two, such as th[k+1]**2 == (1 - th[k+1])*th[k]**2: one of its two roots.
        """
        gap = Node("-", (equation.left, equation.right))
        for part in dict.fromkeys(_in_sight(gap)):
            place = self._place(part, env)
            if place is None or dict.__contains__(*place):
                continue
            store, key = place
            try:
                store[key] = self._zero(partial(self._at, store, key, gap, env))
                return
            except Inexact:
                del store[key]

    def _at(self, store: dict[Any, Any], key: Any, gap: Node, env: Mapping[str, Any], x: int) -> Any:
        store[key] = to_fmpq(x)
        return self._bound(gap, env, "")

    def _zero(self, at: Callable[[int], Any]) -> Any:
        """Where a function of degree one or two vanishes, by its values at four integers."""
        known: dict[str, Any] = {f"v{x}": at(x) for x in range(4)}
        for name, formula in SECOND.items():
            known[name] = _ringed(entry(parse(formula), known))
        if isinstance(known["rest"], Surd) or known["rest"] != 0:
            raise Inexact("of a higher degree")
        if not isinstance(known["a"], Surd) and known["a"] == 0:
            if not isinstance(known["b"], Surd) and known["b"] == 0:
                raise Inexact("of degree zero")
            return _ringed(entry(parse("-c/b"), known))
        if self.claim.kinds:
            raise Inexact("letters have rational entries")
        sign = "+" if self.rng.random() < 0.7 else "-"
        return _ringed(entry(parse(f"-b/(2*a) {sign} sqrt((b/(2*a))**2 - c/a)"), known))

    def _shifted(self, mean: Node, bound: Node, env: Mapping[str, Any]) -> bool:
        """E(w, a[w]) == m: all values of a move alike."""
        drawn = mean.args[1] if mean.op == "mean" else mean
        if drawn is mean or drawn.op != "letter" or drawn.args != mean.args[:1] or drawn.value.space is None:
            return False
        values, gap = self[drawn.value.name].values, self._value(Node("-", (bound, mean)), env)
        for key, value in values.items():
            values[key] = value.zip(gap, lambda x, y: x + y) if isinstance(value, Mat) else value + gap
        return True

    def _between(self, store: dict[Any, Any], key: Any, side: str, source: Node, env: Mapping[str, Any]) -> None:
        """A name that has a bound already gets another one: it moves onto that, or anywhere in between."""
        known = self.ranges.get((id(store), key))
        if known is None or not side or side in known:
            return
        bound = self._bound(source, env, side)
        if isinstance(bound, Mat) or isinstance(store[key], Mat):
            return
        known[side] = bound
        low, high = known.get("low"), known.get("high")
        if low is None or high is None or low > high:
            return
        share = (Fraction(0), Fraction(1), Fraction(1), Fraction(1, 2), Fraction(int(self.rng.integers(0, 9)), 8))
        part = to_fmpq(share[int(self.rng.integers(len(share)))])
        store[key] = bound if self.tight else low + (high - low) * part

    def _beyond(self, bound: Fraction, side: str) -> fmpq:
        """Some number on the right side of a number."""
        fits = [x for x in NUMBERS if (x >= bound if side == "low" else x <= bound)]
        return to_fmpq(fits[int(self.rng.integers(len(fits)))] if fits else bound)

    def _near(self, op: str, bound: Any, up: int) -> Any:
        """On the bound, or on the right side of it."""
        if op == "==" or (op in ("<=", ">=", "<<") and (self.tight or self.rng.random() < 0.6)):
            return bound
        if isinstance(bound, Mat):
            root = self.rng.integers(-1, 2, (bound.shape[0], 1))
            step = root @ root.T
            moved = Mat(tuple(tuple(to_fmpq(up * int(x)) for x in row) for row in step))
            return bound.zip(moved, lambda x, y: x + y)
        sign = up if op in ("<=", "<", "<<") else -up
        return bound + sign * to_fmpq(Fraction(int(self.rng.integers(1, 9)), 8))

    def _place(self, node: Node, env: Mapping[str, Any]) -> tuple[dict[Any, Any], Any] | None:
        """Where the value of a lone name, an entry of a sequence or a letter is kept."""
        if node.op == "sym":
            name = str(node.value)
            fixed = name in env or name in self.claim.counters or name in self.world.samples
            return None if fixed else (self, name)
        if node.op == "index" and node.args[0].op == "sym":
            return self._inside(str(node.args[0].value), node.args[1:], env)
        if node.op == "letter" and node.value.name not in {*self.world.steps, *self.world.clauses}:
            letter = node.value
            if any(map(is_point, letter.indices)):
                return None
            return self._inside(letter.name, node.args, env) if letter.indices else (self, letter.name)
        return None

    def _inside(self, name: str, at: tuple[Node, ...], env: Mapping[str, Any]) -> tuple[dict[Any, Any], Any]:
        keys = [int(self._value(one, env).p) for one in at]
        values: Any = self[name].values
        for key in keys[:-1]:
            values = values[key].values
        return values, keys[-1]

    def point(self) -> dict[str, Any]:
        """What was drawn, once every formula has been evaluated; nothing else is needed."""
        for relation in (*self.claim.hypotheses, *self.claim.goals):
            for env in self._instances(relation):
                for side in (relation.left, relation.right):
                    with suppress(Inexact, Undefined):
                        self._value(side, env)
        for name in sorted(self.needed):
            self[name]
        return {name: _plain(value) for name, value in self.items() if not name.startswith("#")}


def _touched(relation: Relation) -> list[str]:
    """The fixed vectors at which a hypothesis for every vector takes a function."""
    inside = (part for side in (relation.left, relation.right) for part in walk(side) if part.op == "letter")
    bound = {name for name, _, _ in relation.binders}
    found = (a.value.name for part in inside for a in part.args if a.op == "letter" and not a.args)
    return [name for name in dict.fromkeys(found) if name not in bound]


def _is_vector(node: Node) -> bool:
    return node.op == "letter" and not node.value.indices and node.value.cols == ONE


def _entries(value: Any) -> list[fmpq]:
    return [row[0] for row in value.rows] if isinstance(value, Mat) else [value]


def _vector(entries: list[fmpq]) -> Any:
    return _number(Mat(tuple((one,) for one in entries)))


def _root(slope: Callable[[list[fmpq]], list[fmpq]], size: int) -> Any:
    """Where a slope that is affine in the vector vanishes, if it is one vector."""
    units = [[fmpq(int(i == k)) for k in range(size)] for i in range(size)]
    start = slope([fmpq(0)] * size)
    columns = [slope(unit) for unit in units]
    matrix = fmpq_mat([[columns[j][i] - start[i] for j in range(size)] for i in range(size)])
    try:
        solved = matrix.solve(fmpq_mat([[-x] for x in start])).tolist()
    except ZeroDivisionError:
        return None
    return _vector([row[0] for row in solved])


def _in_order(hypotheses: Iterable[Relation]) -> list[Relation]:
    """What a hypothesis gives a value to comes before the hypotheses that use it: m == E(w, g[w]) before m.T @ y."""
    left = list(hypotheses)
    ordered: list[Relation] = []
    while left:
        open_ = {id(one): _given(one) for one in left}
        ready = [
            one for one in left if not any(_given(one)[1] & open_[id(other)][0] for other in left if other is not one)
        ]
        equations = [one for one in ready if one.op == "==" and not has_letters(one.left)]
        chosen = (equations or ready or left)[0]
        left = [one for one in left if one is not chosen]
        ordered.append(chosen)
    return ordered


def _in_sight(node: Node) -> Iterator[Node]:
    """The numbers of a formula that have places of their own, outside every binder."""
    if node.op in ("sym", "index", "letter"):
        if node.op != "letter" or size_of(node) == NUMBER:
            yield node
    elif node.op not in BINDERS:
        for arg in node.args:
            yield from _in_sight(arg)


def _divided(relation: Relation) -> Relation:
    """a*x == y with a letter x as x == y/a."""
    left, right = relation.left, relation.right
    if relation.op != "==" or left.op != "*" or left.args[1].op != "letter" or has_letters(left.args[0]):
        return relation
    return Relation("==", left.args[1], Node("/", (right, left.args[0]))).under(relation.binders)


def _given(relation: Relation) -> tuple[frozenset[str], frozenset[str]]:
    """The name that a hypothesis gives a value to, and the other names in it."""
    relation = _divided(relation)
    every = relation_symbols(relation)
    if is_everywhere(relation):
        own = _touched(relation) if len(relation.binders) == 1 else []
        return frozenset(own[:1]), every - {*own[:1]}
    for side in (relation.left, relation.right):
        inner = side.args[0] if side.op in ("abs", "**") else side
        base = inner.args[0] if inner.op == "index" else inner
        name = side.value.name if side.op == "letter" else str(base.value) if base.op == "sym" else ""
        if name:
            return frozenset((name,)), every - {name}
    return frozenset(), every


def _at(letter: Letter) -> Any:
    """The size of the vectors that a function is of."""
    return point_size(next(kind for kind in letter.indices if is_point(kind)))


Bowl = tuple[str, list[str]]


def bowl(size: int, known: list[Fraction], lowest: list[Fraction] | None, rng: np.random.Generator) -> Bowl:
    """A convex quadratic with rational coefficients, and the entries of its gradient."""
    low, high = (min(known[1:], default=Fraction(0)), max(known)) if known else (Fraction(0), Fraction(1))
    curved = [low + (high - low) * Fraction(share, 8) for share in (0, 1, 2, 4, 8, 8)]
    along = [curved[int(rng.integers(len(curved)))] for _ in range(size)]
    rows = [[along[i] if i == j else Fraction(0) for j in range(size)] for i in range(size)]
    if size == 2 and rng.random() < 0.3:  # turned by the angle of the triangle 3, 4, 5
        c, s = Fraction(3, 5), Fraction(4, 5)
        first, last = along
        off = c * s * (first - last)
        rows = [[c * c * first + s * s * last, off], [off, s * s * first + c * c * last]]
    at = lowest or [Fraction(int(rng.integers(-2, 3))) for _ in range(size)]
    moved = [f"(x[{i}] {'-' if one > 0 else '+'} {abs(one)})" if one else f"x[{i}]" for i, one in enumerate(at, 1)]
    slopes = [_sum(f"{a}*{x}" for a, x in zip(row, moved, strict=True) if a) for row in rows]
    if lowest is None and rng.random() < 0.5:
        slopes = [s if s != "0" else str(int(rng.integers(-1, 2))) for s in slopes]
    lines = (f"{s}*x[{i}]" for i, s in enumerate(slopes, 1) if s in ("1", "-1"))
    squares = (f"{rows[i][i] / 2}*{moved[i]}**2" for i in range(size) if rows[i][i])
    products = (f"{rows[i][j]}*{moved[i]}*{moved[j]}" for i in range(size) for j in range(i) if rows[i][j])
    return _sum((*squares, *products, *lines)), slopes


def _sum(terms: Iterable[str]) -> str:
    return " + ".join(terms) or "0"


def _number(value: Mat) -> Any:
    return value.rows[0][0] if value.shape == (1, 1) else value


def _plain(value: Any) -> Any:
    if isinstance(value, Function):
        return {"of": value.name, "is": text(value.body)}
    if isinstance(value, Family):
        return {str(i): _plain(inner) for i, inner in sorted(value.values.items())}
    if isinstance(value, Mat):
        rows = [[_plain(x) for x in row] for row in value.rows]
        return [row[0] for row in rows] if value.shape[1] == 1 else rows
    return str(value) if isinstance(value, Surd) else str(to_fraction(value))


def _ringed(value: Entry) -> Any:
    """As the values of a point are kept."""
    return value if isinstance(value, Surd) else to_fmpq(value)
