"""Claims about matrices and samples at one exact point: sizes, matrices, a finite space, all paths of a recursion."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from flint import fmpq

from theory.kernel.claim import Claim
from theory.kernel.errors import Malformed, Missing, Rejected
from theory.kernel.evaluate import HISTORIES, Family, Function, Mat, evaluate
from theory.kernel.kinds import Letter, World, is_point
from theory.kernel.lang import Node, Relation, indexed, sym, symbols, walk
from theory.kernel.rings import Exact, Ring, to_fmpq

MAX_PATHS = 20_000


def typed_environment(env: dict[str, Any], claim: Claim) -> dict[str, Any]:
    """The point, once every name has a value of its kind."""
    world = claim.world
    wanted = names_of(claim)
    missing = sorted(name for name in wanted if name not in env)
    if missing:
        raise Rejected(f"{claim.id}: the point gives no value for {', '.join(missing)}")
    for name in claim.counters:
        value = env[name]
        if not isinstance(value, fmpq) or value.q != 1 or value < int(name in world.sizes):
            raise Rejected(f"{claim.id}: {name} is not a natural number{', at least 1' * (name in world.sizes)}")
    families = dict(one for r in _relations(claim) for one in indexed(r))
    paths = {name: space for name, space in world.samples.items() if space in world.histories}
    for name in wanted - claim.counters - set(world.letters) - set(paths):
        if not _is_deep(env[name], families.get(name, 0)):
            raise Rejected(
                f"{claim.id}: {name} is a number in this claim, or a family; declare its kind if it is a matrix"
            )
    for letter in (one for one in world.letters.values() if one.name in wanted):
        _of_its_kind(claim, letter, env)
    for name, space in world.samples.items():
        if name not in paths and not 1 <= _integer(name, env[name]) <= len(weights_of(space, env).rows):
            raise Rejected(f"{claim.id}: {name} is not a point of {space}")
    env = {**env, **{name: _path(name, env[name], space, claim, env) for name, space in paths.items()}}
    return {**env, HISTORIES: Histories(world, env)} if world.steps or world.clauses else env


def _relations(claim: Claim) -> list[Relation]:
    """The formulas of the claim, and those of its recursions."""
    bodies = [(step.start, step.body) for step in claim.world.steps.values()]
    bodies += [(one.head, one.body) for many in claim.world.clauses.values() for one in many]
    return [*claim.goals, *claim.hypotheses, *(Relation("==", left, right) for left, right in bodies)]


def _integer(name: str, value: Any) -> int:
    return int(Exact().integer(value, Node("sym", value=name)))


def _path(name: str, value: Any, history: str, claim: Claim, env: Mapping[str, Any]) -> Path:
    """A path is a list of samples, a path of paths a list of lists of the same length."""
    space = claim.world.histories[history]
    rows = value.rows if isinstance(value, Mat) else ()
    inner = claim.world.histories.get(space)
    points = len(weights_of(inner or space, env).rows)
    numbers = [[_integer(name, one) for one in row] for row in rows]
    if (
        not rows
        or (inner is None and len(rows[0]) != 1)
        or inner in claim.world.histories
        or any(not 1 <= i <= points for row in numbers for i in row)
    ):
        raise Rejected(f"{claim.id}: {name} is not a path of {space}; give a list of samples")
    return Path(tuple(Path(tuple(row)) if inner else row[0] for row in numbers))


def _is_deep(value: Any, count: int) -> bool:
    """A number, or a family of so many indices; a column is a family of one."""
    if count == 0:
        return isinstance(value, fmpq)
    if isinstance(value, Mat):
        return count == (1 if value.shape[1] == 1 else 2)
    return isinstance(value, Family) and all(_is_deep(one, count - 1) for one in value.values.values())


def names_of(claim: Claim) -> frozenset[str]:
    """All names that a point gives a value: those of the formulas and of the steps, but for the states."""
    found = claim.counters | set(claim.variables)
    for step in claim.world.steps.values():
        found |= (symbols(step.start) | symbols(step.body)) - {step.time, step.past, step.fresh, *step.params}
    for clause in (one for clauses in claim.world.clauses.values() for one in clauses):
        found |= symbols(clause.body) - set(clause.names)
    return found - set(claim.world.steps) - set(claim.world.clauses) - {"Omega"}


def weights_of(space: str, env: Mapping[str, Any]) -> Mat:
    weights = env.get(f"p_{space}")
    if not isinstance(weights, Mat):
        raise Malformed(f"the point gives no probabilities p_{space}")
    return weights


def _of_its_kind(claim: Claim, letter: Letter, env: Mapping[str, Any]) -> None:
    depth = sum(not is_point(kind) for kind in letter.indices)
    if letter.space is not None:
        points = set(range(1, len(weights_of(letter.space, env).rows) + 1))
        if any(set(one.values) != points for one in _innermost(env[letter.name], depth)):
            raise Rejected(f"{claim.id}: {letter.name} needs one value for each point of {letter.space}")
    for value in _leaves(env[letter.name], depth, letter.name):
        if depth != len(letter.indices) and isinstance(value, Function) and not letter.sign:
            continue
        if depth != len(letter.indices) or isinstance(value, Function):
            raise Rejected(f"{claim.id}: {letter.name} is given by a formula where it is a function, without a sign")
        matrix = value if isinstance(value, Mat) else Mat(((value,),))
        if letter.symmetric and matrix.rows != matrix.transpose().rows:
            raise Rejected(f"{claim.id}: {letter.name} is declared symmetric, and its value is not")
        if letter.sign in ("psd", "pd") and not _nonnegative(matrix, strict=letter.sign == "pd"):
            raise Rejected(f"{claim.id}: {letter.name} is declared {letter.sign}, and its value is not")


def _innermost(value: Any, depth: int) -> Iterator[Family]:
    if not isinstance(value, Family):
        raise Malformed("a random quantity is given by its values at the points of its space, {'1': …, '2': …}")
    if depth == 1:
        yield value
    else:
        for inner in value.values.values():
            yield from _innermost(inner, depth - 1)


def _leaves(value: Any, depth: int, name: str) -> Iterator[Any]:
    if depth == 0:
        if isinstance(value, Family):
            raise Malformed(f"{name}: too many indices")
        yield value
    elif not isinstance(value, Family):
        raise Malformed(f"{name}: give its values by index, such as {{'0': …, '1': …}}")
    else:
        for inner in value.values.values():
            yield from _leaves(inner, depth - 1, name)


def is_nonnegative(left: Any, right: Any) -> bool:
    """left << right: the difference is symmetric and has no negative direction."""
    a, b = (x if isinstance(x, Mat) else Mat(((x,),)) for x in (left, right))
    gap = b.zip(a, lambda x, y: x - y)
    return gap.rows == gap.transpose().rows and _nonnegative(gap, strict=False)


def _nonnegative(matrix: Mat, strict: bool) -> bool:
    """Gaussian elimination: no pivot is negative, and a zero pivot has a zero row."""
    rows = [list(row) for row in matrix.rows]
    for k, row in enumerate(rows):
        pivot = row[k]
        if pivot < 0 or (strict and pivot == 0) or (pivot == 0 and any(x != 0 for x in row[k:])):
            return False
        for below in rows[k + 1 :] if pivot != 0 else []:
            factor = below[k] / pivot
            for j in range(k, len(row)):
                below[j] -= factor * row[j]
    return True


# ---- random recursions: all paths of samples


@dataclass(frozen=True)
class Path:
    """The samples of one path, the first step first."""

    samples: tuple[int | Path, ...]

    def map(self, f: Callable[[Any], Any]) -> Path:
        return self  # samples are not numbers of a ring


def weighted(total: Any, weight: Any, value: Any) -> Any:
    if isinstance(value, Mat):
        value = value.map(lambda x: x * weight)
        return value if total is None else total.zip(value, lambda x, y: x + y)
    return value * weight if total is None else total + value * weight


def _exactly(value: Any) -> Any:
    """A number or a column as a key: what a ball shows of itself is rounded."""
    if isinstance(value, Mat):
        return tuple(map(_exactly, itertools.chain(*value.rows)))
    return str(value) if isinstance(value, fmpq) else tuple(str(one.man_exp()) for one in (value.mid(), value.rad()))


def _matched(patterns: tuple[Node, ...], at: tuple[int, ...]) -> dict[str, Any] | None:
    found: dict[str, Any] = {}
    for pattern, index in zip(patterns, at, strict=True):
        least = 1 if pattern.op == "+" else 0
        if index < least or (pattern.op == "num" and index != 0):
            return None
        if pattern.op != "num":
            name = pattern if pattern.op == "sym" else pattern.args[0]
            found[str(name.value)] = to_fmpq(index - least)
    return found


@dataclass(frozen=True)
class Histories:
    """Random recursions and defined sequences at one point; entries that were computed are kept."""

    world: World
    point: Mapping[str, Any]  # recursions are evaluated here, and not among the bound names of a formula
    known: dict[Any, Any] = field(default_factory=dict)

    def mean(self, node: Node, env: Mapping[str, Any], ring: Ring) -> Any:
        """The mean over all paths that are as long as the latest state in the formula."""
        name, body = str(node.args[0].value), node.args[1]
        states = [p for p in walk(body) if p.op == "letter" and p.args and p.args[-1] == node.args[0]]
        length = max((ring.integer(evaluate(p.args[0], env, ring), p) for p in states), default=0)
        total: Any = None
        for path, weight in self.paths(str(node.value), length, env, ring):
            total = weighted(total, weight, evaluate(body, {**env, name: path}, ring))
        return total

    def paths(self, history: str, length: int, env: Mapping[str, Any], ring: Ring) -> Iterator[tuple[Path, Any]]:
        """All paths of a length with their probabilities; the samples of a history of histories are paths."""
        space = self.world.histories[history]
        one_step: list[tuple[int | Path, Any]]
        if space in self.world.histories:
            one_step = [*self.paths(space, self._inner_length(history, ring), env, ring)]
        else:
            one_step = [(i, p) for i, (p,) in enumerate(weights_of(space, env).rows, start=1)]
        if length > MAX_PATHS or len(one_step) ** length > MAX_PATHS:
            raise Malformed(f"{len(one_step)}**{length} paths are more than {MAX_PATHS}; choose a smaller point")
        for steps in itertools.product(one_step, repeat=length):
            weight = ring.const(1)  # type: ignore[arg-type]
            for _, p in steps:
                weight = weight * p
            yield Path(tuple(sample for sample, _ in steps)), weight

    def _inner_length(self, history: str, ring: Ring) -> int:
        """How long the inner paths are that one step of the outer recursion looks at."""
        steps = (step for step in self.world.steps.values() if step.history == history)
        times = (p.args[0] for s in steps for p in walk(s.body) if p.op == "letter" and p.args[-1:] == (sym(s.fresh),))
        return max((ring.integer(evaluate(one, self.point, ring), one) for one in times), default=0)

    def anew(self, moved: Callable[[Any], Any]) -> Histories:
        """Without the entries that were computed: another ring computes its own."""
        point = {name: moved(value) for name, value in self.point.items() if name != HISTORIES}
        return Histories(self.world, point)

    def _outside(self, inner: Mapping[str, Any]) -> dict[str, Any]:
        return {**self.point, HISTORIES: self, **inner}

    def defined(self, node: Node, env: Mapping[str, Any], ring: Ring) -> Any:
        """The entry of a sequence that is defined by recursion."""
        name, at = node.value.name, tuple(ring.integer(evaluate(one, env, ring), one) for one in node.args)
        if (name, at) not in self.known:
            for clause in self.world.clauses[name]:
                inner = _matched(clause.head.args, at)
                if inner is not None:
                    self.known[name, at] = evaluate(clause.body, self._outside(inner), ring)
                    return self.known[name, at]
            raise Missing(f"{name}{list(at)} is not defined")
        return self.known[name, at]

    def state(self, node: Node, env: Mapping[str, Any], ring: Ring) -> Any:
        """The state after so many steps of its path, computed from the beginning."""
        step = self.world.steps[node.value.name]
        time, path = ring.integer(evaluate(node.args[0], env, ring), node), env[str(node.args[-1].value)]
        params = {n: evaluate(one, env, ring) for n, one in zip(step.params, node.args[1:-1], strict=True)}
        if not isinstance(path, Path) or not 0 <= time <= len(path.samples):
            raise Missing(f"the path is shorter than {time} steps")
        key = node.value.name, path.samples[:time], *map(_exactly, params.values())
        if key not in self.known and time == 0:
            self.known[key] = evaluate(step.start, self._outside(params), ring)
        elif key not in self.known:
            last = path.samples[time - 1]
            fresh = last if isinstance(last, Path) else to_fmpq(last)
            inner = {**params, step.time: to_fmpq(time - 1), step.past: path, step.fresh: fresh}
            self.known[key] = evaluate(step.body, self._outside(inner), ring)
        return self.known[key]
