"""An inequality that is linear in values and in scalar products: how much of each fact adds up to it.

The parameters (step sizes, constants of smoothness) get a few numbers first. There a small semidefinite program says
whether  right - left = sum of weight * fact + a nonnegative form in the vectors  at all, which facts it takes and how
much of each. Then the weights are found as formulas in the parameters: most of them from linear equations, the others
by trying simple formulas that agree with the numbers. What is left is a form, made a sum of squares.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from itertools import islice, permutations, product
from typing import Any

import numpy as np
from flint import fmpq_mpoly

from theory.kernel.claim import Claim
from theory.kernel.errors import KernelError
from theory.kernel.evaluate import evaluate
from theory.kernel.flat import fraction_node
from theory.kernel.kinds import NUMBER, ONE, has_letters, size_of
from theory.kernel.lang import Node, Relation, num, relation_symbols, symbols, text, walk
from theory.kernel.orders import advanced, difference, rewritten
from theory.kernel.rings import Exact, Frac, RationalFunctions, to_fmpq, to_fraction
from theory.kernel.sequent import Certificate, Sequent
from theory.kernel.terms import Key, Occurrence, Terms, _restored, normal, occurrence, scalar_atoms, written
from theory.provers.effort import Effort
from theory.provers.locality import plain, with_only
from theory.provers.skeletons import Filler, Search
from theory.provers.wordsos import rewrites
from theory.search import sampling

Item = dict[str, Any]
Matrix = Any
Coordinate = tuple[Any, tuple[int, ...]]  # what stands in a term beside its parameters: a number, powers of values
SAMPLES = 4
DRAWS = 200
NEAR = 1e-5
MOST_TAKEN = 12
MOST_ROWS = 10
COEFFICIENTS = [Fraction(x) for x in ("1", "2", "1/2", "4", "1/4", "3", "1/3", "3/2", "2/3", "3/4", "1/8", "8")]


@dataclass(frozen=True)
class Step:
    """A fact that follows from others: by one certificate, or from the facts that are named and those about numbers."""

    fact: Relation
    proof: Certificate | None = None
    of: int | None = None  # a fact of the sequent; without one, the step before


@dataclass(frozen=True)
class Source:
    """A fact as the kernel will take it, and its difference: nonnegative, or zero where it is `free`."""

    item: Item
    node: Node
    free: bool = False
    steps: tuple[Step, ...] = ()  # facts to be shown before; the item is about the last of them
    zero: Node | None = None  # a vector of length zero: the fact is that its product with another one vanishes


@dataclass
class Weighing:
    """One goal and what may add up to it."""

    sequent: Sequent
    sources: list[Source]
    uses: list[Any]
    effort: Effort
    prove: Search
    values: list[Terms] = field(init=False)
    ring: RationalFunctions = field(init=False)

    def __post_init__(self) -> None:
        goal = self.sequent.goal
        small, big = (goal.right, goal.left) if goal.op == ">=" else (goal.left, goal.right)
        nodes = [Node("-", (big, small)), *(one.node for one in self.sources)]
        self.uses = in_turn(self.uses, self.sequent)
        equations = rewrites(self.uses, self.sequent)
        names, self.opaque = scalar_atoms([*nodes, *(side for e in equations if e for side in (e.left, e.right))])
        self.ring = RationalFunctions(names)
        self.values = []
        for node in nodes:
            value = normal(node, self.ring)
            for one in equations:
                value = advanced(value, self.sequent, self.ring) if one is None else rewritten(value, one, self.ring)
            self.values.append(value)

    # ---- coordinates

    @cached_property
    def parameters(self) -> list[int]:
        """Places of the names that multiply something; the others are values."""
        found: set[int] = set()
        for value in self.values:
            for (mono, _), coefficient in value.terms.items():
                found |= {i for i, d in enumerate(coefficient.den.degrees()) if d}
                if mono:
                    found |= {i for i, d in enumerate(coefficient.num.degrees()) if d}
        while True:
            more = {
                i
                for value in self.values
                for coefficient in value.terms.values()
                for powers in coefficient.num.to_dict()
                if sum(e for i, e in enumerate(powers) if i not in found) > 1
                for i, e in enumerate(powers)
                if e
            }
            if more <= found:
                return sorted(found)
            found |= more

    @cached_property
    def vectors(self) -> list[Occurrence]:
        pairs = (pair for value in self.values for key in value.terms if (pair := _pair_of(key)))
        return sorted({one for pair in pairs for one in pair}, key=lambda one: one.key)

    @cached_property
    def dead(self) -> set[int]:
        """Vectors of length zero."""
        zeros = {occurrence(one.zero) for one in self.sources if one.zero is not None}
        return {i for i, one in enumerate(self.vectors) if one in zeros}

    @cached_property
    def columns(self) -> list[dict[Coordinate, Frac]]:
        """The goal, then each source, by coordinates."""
        own = set(self.parameters)
        found = []
        for value in self.values:
            column: dict[Coordinate, dict[Any, Any]] = {}
            dens: dict[Coordinate, Any] = {}
            for key, coefficient in value.terms.items():
                pair = _pair_of(key)
                place: Any = key[0] if pair is None else tuple(sorted(self.vectors.index(one) for one in pair))
                for powers, c in coefficient.num.to_dict().items():
                    inner = tuple(0 if i in own else int(e) for i, e in enumerate(powers))
                    outer = tuple(int(e) if i in own else 0 for i, e in enumerate(powers))
                    at = (place, inner)
                    column.setdefault(at, {})[outer] = c
                    dens[at] = coefficient.den
            found.append({at: Frac.of(self.ring.ctx.from_dict(p), dens[at]) for at, p in column.items()})
        return found

    @cached_property
    def places(self) -> list[Coordinate]:
        return sorted({at for column in self.columns for at in column}, key=repr)

    # ---- numbers

    @cached_property
    def points(self) -> list[list[Any]]:
        """Numbers for the parameters, inside of what is known of them where that has an inside."""
        names = [self.ring.names[i] for i in self.parameters]
        known = [
            f
            for f in self.sequent.facts
            if f.binder is None and symbols(f.left) | symbols(f.right) <= set(names) and _is_plain(f)
        ]
        inside = [replace(f, op={"<=": "<", ">=": ">"}.get(f.op, f.op)) for f in known]
        rng = np.random.default_rng(0)
        found = self._drawn(inside, names, rng, SAMPLES)
        return found + [one for one in self._drawn(known, names, rng, SAMPLES) if one not in found]

    def _drawn(self, facts: Sequence[Relation], names: Sequence[str], rng: Any, most: int) -> list[list[Any]]:
        claim = Claim("numbers", ("0 <= 0",), tuple(map(str, facts)))
        found: list[list[Any]] = []
        for _ in range(DRAWS):
            try:
                point = sampling.draw(claim, rng) if len(found) < most else None
            except (KernelError, ArithmeticError, ValueError):
                break
            if point is not None:
                own = {
                    n: Fraction(str(point[n])) if n in point else Fraction(int(rng.integers(1, 8)), 4) for n in names
                }
                row = [own.get(n, Fraction(0)) for n in self.ring.names]
                found += [row] if row not in found else []
        return found

    @cached_property
    def programs(self) -> list[Program]:
        return [self._program(point) for point in self.points]

    def _program(self, point: Sequence[Fraction]) -> Program:
        size = len(self.vectors)
        linear = [at for at in self.places if not _is_pair(at)]
        rows = np.zeros((len(linear), len(self.columns)))
        forms = np.zeros((len(self.columns), size, size))
        for k, column in enumerate(self.columns):
            for at, coefficient in column.items():
                value = _number(coefficient, point)
                if _is_pair(at):
                    i, j = at[0]
                    if {i, j} & self.dead:
                        continue
                    forms[k, i, j] += value / 2
                    forms[k, j, i] += value / 2
                else:
                    rows[linear.index(at), k] = value
        return Program(rows, forms, _basis(forms), [one.free for one in self.sources])

    @cached_property
    def taken(self) -> list[int] | None:
        """The sources that are needed, or None where they do not suffice."""
        try:
            if not self.programs:
                return None
            found: set[int] = set()
            every = [i for i, one in enumerate(self.sources) if one.zero is None]
            for program in self.programs:
                weights = program.solve(every)
                if weights is None:
                    return None
                found |= {i for i, w in weights.items() if abs(w) > NEAR}
        except ArithmeticError:
            return None
        if len(found) > 2 * MOST_TAKEN:
            return None
        kept = sorted(found)
        for one in sorted(found, key=lambda i: (len(repr(self.sources[i].item)), i), reverse=True):
            fewer = [i for i in kept if i != one]
            if all(program.solve(fewer) is not None for program in self.programs):
                kept = fewer
        left = {at for k in (0, *(i + 1 for i in kept)) for at in self.columns[k]}
        zeros = [i for i, one in enumerate(self.sources) if one.zero is not None and left & set(self.columns[i + 1])]
        return kept + zeros

    # ---- formulas

    def certificate(self) -> Certificate | None:
        """The goal as a sum, with formulas for weights."""
        if self.taken is None:
            return None
        for gone in (self.dead, self._still(self.taken)):
            weights = self._weights(self.taken, gone)
            cert = None if weights is None else self._written(weights)
            if cert is not None:
                return cert
        return None

    def _still(self, taken: Sequence[int]) -> set[int]:
        """Vectors that do not occur in the form that is left."""
        diagonals = [
            program.rest(program.solve([i for i in taken if self.sources[i].zero is None]) or {}).diagonal()
            for program in self.programs
        ]
        return self.dead | {i for i in range(len(self.vectors)) if all(abs(d[i]) < NEAR for d in diagonals)}

    def _weights(self, taken: list[int], gone: set[int]) -> dict[int, Frac] | None:
        """Determined by equations where these vectors do not occur in the form that is left, or simple."""
        fixed = [at for at in self.places if not _is_pair(at) or set(at[0]) & gone]
        zero = self.ring.const(Fraction(0))
        rows = [[self.columns[k].get(at, zero) for k in (*(i + 1 for i in taken), 0)] for at in fixed]
        chosen: dict[int, Frac] = {}
        while True:
            solved = _solved(rows, len(taken), zero)
            if solved is None:
                return None
            if all(solved[i] is not None for i in range(len(taken))):
                return {taken[i]: value for i, value in enumerate(solved) if value is not None and not value.is_zero}
            seen = [i for i in range(len(taken)) if self.sources[taken[i]].zero is None]
            loose = next(i for i in (*seen, *range(len(taken))) if solved[i] is None)
            known = {taken[i]: v for i, v in chosen.items()}
            value = self._simple([taken[i] for i in seen], taken[loose], known) if loose in seen else zero
            if value is None:
                return None
            chosen[loose] = value
            one = self.ring.const(Fraction(1))
            rows.append([*(one if i == loose else zero for i in range(len(taken))), value])

    def _simple(self, taken: list[int], which: int, chosen: Mapping[int, Frac]) -> Frac | None:
        """A simple formula for one weight, between what the programs allow."""
        ranges = []
        for program, point in zip(self.programs, self.points, strict=True):
            given = {i: _number(value, point) for i, value in chosen.items()}
            both = [program.solve(taken, given, (which, sign)) for sign in (1.0, -1.0)]
            if both[0] is None or both[1] is None:
                return None
            ranges.append((both[0][which], both[1][which]))
        fits = (
            value
            for value in self.simple
            if all(
                low - NEAR * (1 + abs(low)) <= _number(value, point) <= high + NEAR * (1 + abs(high))
                for (low, high), point in zip(ranges, self.points, strict=True)
            )
        )
        return next(fits, None)

    @cached_property
    def simple(self) -> list[Frac]:
        """Formulas in the parameters, simple ones first: monomials, and coefficients that occur."""
        gens = [self.ring.var(self.ring.names[i]) for i in self.parameters]
        gens = [one for i, one in zip(self.parameters, gens, strict=True) if self._is_used(i)][:4]
        powers = sorted(product((0, 1, -1, 2, -2), repeat=len(gens)), key=lambda p: sum(map(abs, p)))
        monomials = []
        for p in (p for p in powers if sum(map(abs, p)) <= 4):
            value = self.ring.const(Fraction(1))
            for gen, e in zip(gens, p, strict=True):
                value = value * gen**e if e > 0 else value / gen ** (-e) if e else value
            monomials.append(value)
        seen = {str((v.num, v.den)): v for column in self.columns for v in column.values()}
        own = sorted(seen.values(), key=lambda v: len(str(v.num)) + len(str(v.den)))[:24]
        mixed = [a * b for a in own for b in monomials[:12]]
        return [v * self.ring.const(c) for c, v in product(COEFFICIENTS, monomials)] + mixed + [-v for v in mixed]

    def _is_used(self, place: int) -> bool:
        own = (self.columns[0], *(self.columns[i + 1] for i in self.taken or []))
        return any(p.degrees()[place] for column in own for v in column.values() for p in (v.num, v.den))

    # ---- back to the language of the kernel

    def _written(self, weights: Mapping[int, Frac]) -> Certificate | None:
        items: list[Item] = []
        before, opened, places = self.sequent, [], {}
        try:
            for i in weights:
                for step in self.sources[i].steps:
                    proof = step.proof or self._derived(step)
                    if proof is None:
                        return None
                    sides = [step.fact.left, step.fact.right]
                    duties = Filler(self.prove, {}, self.effort).definedness(sides, self.sequent)
                    opened.append({"kind": "have", "fact": str(step.fact), "proof": proof, "defined": duties})
                    places[i] = len(self.sequent.facts)
                    self.sequent = self.sequent.given(step.fact)
            result = self._sum(weights, places, items)
        finally:
            self.sequent = before
        for one in reversed(opened):
            result = None if result is None else {**one, "then": result}
        return result

    def _derived(self, step: Step) -> Certificate | None:
        """From one fact, and from what is known of numbers."""
        own = step.of if step.of is not None else len(self.sequent.facts) - 1
        names = symbols(step.fact.left) | symbols(step.fact.right)
        about = [f.binder is None and _is_plain(f) and bool(names & relation_symbols(f)) for f in self.sequent.facts]
        kept = [i for i, is_about in enumerate(about) if i == own or is_about]
        effort = replace(self.effort, heavy=True, depth=0)
        return with_only(kept, self.sequent.show(step.fact), lambda here: self.prove(here, effort, {}))

    def _sum(self, weights: Mapping[int, Frac], places: Mapping[int, int], items: list[Item]) -> Certificate | None:
        for i, value in weights.items():
            node = self._node(value)
            item = dict(self.sources[i].item)
            if i in places:
                item["eq" if self.sources[i].free else "of"] = places[i]
            if self.sources[i].free:
                item["k"] = text(node) if "k" not in item else f"({text(node)})*({item['k']})"
            else:
                because = self._nonnegative(node)
                if because is None:
                    return None
                item["c"] = [*item.get("c", []), {"is": text(node), "because": because}]
            items.append(item)
        squares = self._squares(weights)
        if squares is None:
            return None
        own = [self._node(value) for value in weights.values()]
        for value, row in squares:
            because = self._nonnegative(self._node(value))
            assert because is not None
            terms = [
                (self._node(c), text(written(self.vectors[i], self.sequent.world.letters))) for i, c in row.items()
            ]
            own += [self._node(value), *(c for c, _ in terms)]
            says = " + ".join(v if c == num(1) else f"({text(c)})*{v}" for c, v in terms)
            items.append({"L": f"({says}).T", "c": [{"is": text(self._node(value)), "because": because}]})
        try:
            defined = self._filler.definedness(own, self.sequent)
        except KernelError:
            return None
        return {"kind": "order", "items": items, "ops": self.uses, "defined": defined}

    def _squares(self, weights: Mapping[int, Frac]) -> list[tuple[Frac, dict[int, Frac]]] | None:
        """The form that is left, as squares with weights."""
        size, zero = len(self.vectors), self.ring.const(Fraction(0))
        form = [[zero] * size for _ in range(size)]
        half = self.ring.const(Fraction(1, 2))
        for k, column in enumerate(self.columns):
            factor = self.ring.const(Fraction(1)) if k == 0 else -weights.get(k - 1, zero)
            for at, value in column.items():
                if _is_pair(at) and not factor.is_zero:
                    i, j = at[0]
                    form[i][j] = form[i][j] + value * factor * half
                    form[j][i] = form[j][i] + value * factor * half
        left = [i for i in range(size) if any(not v.is_zero for v in form[i])]
        orders = islice(permutations(left), 24)
        return next((found for order in orders if (found := self._decomposed(form, order)) is not None), None)

    def _decomposed(self, form: list[list[Frac]], order: Sequence[int]) -> list[tuple[Frac, dict[int, Frac]]] | None:
        work, left = [list(row) for row in form], list(order)
        found = []
        while left:
            i = left.pop(0)
            pivot = work[i][i]
            beside = [j for j in left if not work[i][j].is_zero]
            if pivot.is_zero and not beside:
                continue
            if pivot.is_zero or self._nonnegative(self._node(pivot)) is None:
                return None
            row = {i: self.ring.const(Fraction(1)), **{j: work[i][j] / pivot for j in beside}}
            if not self._is_defined([self._node(row[j]) for j in beside]):
                return None
            found.append((pivot, row))
            for j, k in product(beside, beside):
                work[j][k] = work[j][k] - row[j] * row[k] * pivot
        return found

    def _node(self, value: Frac) -> Node:
        return _restored(fraction_node(value, self.ring.names), self.opaque)

    @cached_property
    def _filler(self) -> Filler:
        return Filler(self._of_numbers, {}, replace(self.effort, heavy=False))

    @cached_property
    def _known(self) -> dict[str, Certificate | None]:
        return {}

    def _nonnegative(self, node: Node) -> Certificate | None:
        says = f"{len(self.sequent.facts)}: {text(node)}"
        if says not in self._known:
            if not symbols(node):
                goal: Certificate | None = {"kind": "positive"} if _constant(node) >= 0 else None
            else:
                goal = self._shown(node)
            self._known[says] = goal
        return self._known[says]

    def _shown(self, node: Node) -> Certificate | None:
        env = [self.ring.names[i] for i in self.parameters]
        for point in self.points:
            here = {n: to_fmpq(point[self.ring.names.index(n)]) for n in env}
            try:
                if evaluate(node, here, Exact()) < 0:
                    return None
            except (KernelError, ArithmeticError, LookupError):
                break
        goal = self.sequent.show(Relation(">=", node, num(0)))
        return self._of_numbers(goal, replace(self.effort, heavy=False, splits=1).deeper(), {})

    def _of_numbers(self, sequent: Sequent, effort: Effort, library: Any) -> Certificate | None:
        """Signs of weights, from what is known of numbers."""
        return with_only(plain(sequent), sequent, lambda here: self.prove(here, effort, {}))

    def _is_defined(self, nodes: list[Node]) -> bool:
        try:
            self._filler.definedness(nodes, self.sequent)
        except KernelError:
            return False
        return True


@dataclass
class Program:
    """The weights at one point: rows @ weights is the goal's, and the form that is left is nonnegative."""

    rows: Matrix
    forms: Matrix
    basis: Matrix
    free: list[bool]

    def rest(self, weights: Mapping[int, float]) -> Matrix:
        return self.forms[0] - sum((w * self.forms[i + 1] for i, w in weights.items()), np.zeros_like(self.forms[0]))

    def solve(
        self,
        taken: Sequence[int],
        given: Mapping[int, float] | None = None,
        towards: tuple[int, float] | None = None,
    ) -> dict[int, float] | None:
        """Small weights, or the smallest or largest of one; None where there are none."""
        import clarabel
        from scipy.sparse import csc_matrix

        forms = self.basis.T @ self.forms @ self.basis
        size, n = forms.shape[1], len(taken)
        order = [i + 1 for i in taken]
        blocks, bounds, cones = [], [], []
        if len(self.rows):
            blocks.append(self.rows[:, order])
            bounds.append(self.rows[:, 0])
            cones.append(clarabel.ZeroConeT(len(self.rows)))
        known = [(k, given[i]) for k, i in enumerate(taken) if given and i in given]
        if known:
            blocks.append(np.eye(n)[[k for k, _ in known]])
            bounds.append(np.array([value for _, value in known]))
            cones.append(clarabel.ZeroConeT(len(known)))
        signed = [k for k, i in enumerate(taken) if not self.free[i]]
        if signed:
            blocks.append(-np.eye(n)[signed])
            bounds.append(np.zeros(len(signed)))
            cones.append(clarabel.NonnegativeConeT(len(signed)))
        if size:
            upper = [(i, j) for j in range(size) for i in range(j + 1)]
            scale = np.array([1.0 if i == j else 2.0**0.5 for i, j in upper])
            flat = np.array([[form[i, j] for i, j in upper] for form in forms]) * scale
            blocks.append(flat[order].T)
            bounds.append(flat[0])
            cones.append(clarabel.PSDTriangleConeT(size))
        if not n:
            fine = np.abs(self.rows[:, 0]).max(initial=0.0) < NEAR
            return {} if fine and (not size or np.linalg.eigvalsh(forms[0])[0] > -NEAR) else None
        cost = np.array([0.0 if self.free[i] else 1.0 for i in taken])
        if towards is not None:
            cost = np.array([towards[1] if i == towards[0] else 1e-7 for i in taken])
        settings = clarabel.DefaultSettings()
        settings.verbose, settings.max_iter, settings.max_threads = False, 80, 1
        matrix, bound = csc_matrix(np.vstack(blocks)), np.concatenate(bounds)
        answer = clarabel.DefaultSolver(csc_matrix((n, n)), cost, matrix, bound, cones, settings).solve()
        status = str(answer.status)
        if "Infeasible" in status and "Dual" in status and towards is not None:
            return {i: 1e12 if i == towards[0] else 0.0 for i in taken}
        found = dict(zip(taken, map(float, answer.x), strict=True))
        return found if "Solved" in status or self._is_near(found) else None

    def _is_near(self, weights: Mapping[int, float]) -> bool:
        """Whether the weights will do, though the solver was not content."""
        if not all(np.isfinite(w) and (w > -NEAR or self.free[i]) for i, w in weights.items()):
            return False
        size = 1 + max(map(abs, weights.values()), default=0.0)
        rest = self.rows[:, 0] - sum((w * self.rows[:, i + 1] for i, w in weights.items()), 0 * self.rows[:, 0])
        low = np.linalg.eigvalsh(self.rest(weights))[0] if self.forms.shape[1] else 0.0
        return bool(np.abs(rest).max(initial=0.0) < NEAR * size and low > -NEAR * size)


def _basis(forms: Matrix) -> Matrix:
    """Orthonormal directions outside of which all forms vanish: distances do not see where the origin is."""
    if not forms.shape[1]:
        return np.zeros((0, 0))
    values, directions = np.linalg.eigh(sum(form @ form for form in forms))
    return directions[:, values > 1e-9 * max(values[-1], 1e-300)]


def _solved(rows: list[list[Frac]], width: int, zero: Frac) -> list[Frac | None] | None:
    """The unknowns that the equations determine; None for the others, and None where there is no solution."""
    work = [list(row) for row in rows]
    pivots: list[tuple[int, int]] = []
    at = 0
    for column in range(width):
        pivot = next((r for r in range(at, len(work)) if not work[r][column].is_zero), None)
        if pivot is None:
            continue
        work[at], work[pivot] = work[pivot], work[at]
        lead = work[at][column]
        work[at] = [zero if v.is_zero else v / lead for v in work[at]]
        for r in range(len(work)):
            factor = work[r][column]
            if r != at and not factor.is_zero:
                work[r] = [v if p.is_zero else v - factor * p for v, p in zip(work[r], work[at], strict=True)]
        pivots.append((at, column))
        at += 1
    if any(not row[width].is_zero for row in work[at:]):
        return None
    found: list[Frac | None] = [None] * width
    for r, column in pivots:
        if all(work[r][j].is_zero for j in range(width) if j != column):
            found[column] = work[r][width]
    return found


def _pair_of(key: Key) -> tuple[Occurrence, Occurrence] | None:
    """The two vectors of a scalar product."""
    mono, _ = key
    if len(mono) != 1 or mono[0][0] != "tr" or len(mono[0][1]) != 2:
        return None
    one, two = mono[0][1] if mono[0][1][0].rows == ONE else reversed(mono[0][1])
    if one.rows != ONE or two.cols != ONE or one.mark is not None or two.mark is not None:
        return None
    return one.transposed(), two


def _is_pair(at: Coordinate) -> bool:
    return len(at[0]) == 2 and isinstance(at[0][0], int) and not any(at[1])


def _number(value: Frac, point: Sequence[Fraction]) -> float:
    args = [to_fmpq(one) for one in point] or [to_fmpq(0)]

    def at(poly: fmpq_mpoly) -> Fraction:
        return to_fraction(poly(*args))

    return float(at(value.num) / at(value.den))


def _constant(node: Node) -> Fraction:
    return to_fraction(evaluate(node, {}, Exact()))


def _is_plain(fact: Relation) -> bool:
    return not has_letters(fact.left) and not has_letters(fact.right)


def find(sequent: Sequent, uses: list[Any], effort: Effort, prove: Search) -> Certificate | None:
    """The goal from the facts as they stand."""
    if not is_weighed(sequent):
        return None
    return Weighing(sequent, [*facts_of(sequent, rows(sequent))], uses, effort, prove).certificate()


def in_turn(uses: Sequence[Any], sequent: Sequent) -> list[Any]:
    """A letter that others define comes first, so that what its definition names is rewritten after it."""
    left, ordered = [one for one in uses if one != "advance"], [one for one in uses if one == "advance"]
    facts = sequent.every_fact()
    while left:
        names = {id(one): symbols(facts[one["use"]].right) for one in left}
        mine = {id(one): facts[one["use"]].left.value.name for one in left}
        free = (one for one in left if not any(mine[id(one)] in names[id(other)] for other in left))
        ordered.append(next(free, left[0]))
        left.remove(ordered[-1])
    return ordered


def is_weighed(sequent: Sequent) -> bool:
    """An inequality of numbers without roots of what is made of vectors."""
    sides = (sequent.goal.left, sequent.goal.right)
    rooted = any(part.op == "sqrt" and has_letters(part) for side in sides for part in walk(side))
    return sequent.goal.op in ("<=", ">=") and size_of(sequent.goal.left) == NUMBER and not rooted


def by_square(
    sequent: Sequent, effort: Effort, find: Callable[[Sequent], Certificate | None], prove: Search
) -> Certificate | None:
    """norm(x) <= c*norm(y) from norm2(x) <= c**2*norm2(y)."""
    larger = squared(sequent.goal)
    proof = None if larger is None or larger in sequent.facts else find(sequent.show(larger))
    if larger is None or proof is None:
        return None
    kept = [*plain(sequent), len(sequent.facts)]
    then = with_only(kept, sequent.given(larger), lambda here: prove(here, effort.deeper(), {}))
    return None if then is None else {"kind": "have", "fact": str(larger), "proof": proof, "defined": {}, "then": then}


def rows(sequent: Sequent) -> list[Node]:
    """The vectors that occur."""
    plain = [fact for fact in (sequent.goal, *sequent.facts) if fact.binder is None]
    parts = (part for fact in plain for side in (fact.left, fact.right) for part in walk(side))
    vectors = (p for p in parts if p.op == "letter" and size_of(p)[1] == ONE != size_of(p)[0])
    return list(dict.fromkeys(one for one in vectors if one.value.space is None))[:MOST_ROWS]


def facts_of(sequent: Sequent, rows: Sequence[Node]) -> Iterator[Source]:
    """Facts between numbers as they stand, equations of vectors beside these rows, and what follows at once."""
    sides = (sequent.goal.left, sequent.goal.right)  # what is derived is not derived from itself
    for position, fact in enumerate(sequent.facts):
        if fact.binder is not None or fact.op in ("!=", "<<"):
            continue
        gap = Node("-", (fact.left, fact.right))
        if size_of(fact.left) != NUMBER:
            for row in rows if size_of(fact.left)[1] == ONE else ():
                if size_of(row) == size_of(fact.left):
                    turned = Node("T", (row,))
                    yield Source({"eq": position, "L": text(turned)}, Node("@", (turned, gap)), free=True)
        elif fact.op == "==":
            zeros = [one for one in _orthogonal(position, fact, rows) if (one.node, num(0)) != sides]
            yield from zeros or [Source({"eq": position}, gap, free=True)]
        else:
            yield Source({"of": position}, difference(fact))
            larger = squared(fact)
            if larger is not None and (larger.left, larger.right) != sides:
                yield Source({}, difference(larger), steps=(Step(larger, of=position),))


def _orthogonal(position: int, fact: Relation, rows: Sequence[Node]) -> Iterator[Source]:
    """A vector of length zero, beside any other."""
    square = squared(fact) or fact
    if square.right != num(0) or square.left.op != "@" or square.left.args[0] != Node("T", (square.left.args[1],)):
        return
    zero = square.left.args[1]
    for row in dict.fromkeys((*rows, zero)) if zero.op == "letter" else ():
        if size_of(row) == size_of(zero):
            number = Node("@", (square.left.args[0], row))
            yield Source({}, number, True, (Step(Relation("==", number, num(0)), of=position),), zero)


def squared(relation: Relation) -> Relation | None:
    """norm(x) <= L*norm(y) as norm2(x) <= L**2*norm2(y)."""
    roots = [p for side in (relation.left, relation.right) for p in walk(side) if p.op == "sqrt" and has_letters(p)]
    sides = [_square(side) for side in (relation.left, relation.right)] if roots else [None]
    if any(side is None for side in sides) or relation.binder is not None:
        return None
    return Relation(relation.op, *sides)


def _square(node: Node) -> Node | None:
    if node.op == "sqrt":
        return node.args[0]
    if node.op in ("*", "/"):
        sides = [_square(arg) for arg in node.args]
        return None if None in sides else Node(node.op, tuple(sides))  # type: ignore[arg-type]
    return None if has_letters(node) else Node("**", (node, num(2))) if symbols(node) else num(_constant(node) ** 2)
