"""Random recursions and sequences that are defined by recursion, read from the lines of a claim."""

from __future__ import annotations

from collections.abc import Iterable

from theory.kernel.errors import Malformed
from theory.kernel.kinds import (
    Clause,
    Letter,
    Step,
    World,
    elaborate,
    is_point,
    point_size,
    size_node,
    size_of,
    sized,
    vector,
)
from theory.kernel.lang import BINDERS, FOREVER, Binder, Node, Relation, num, parse, sym, symbols, text, walk
from theory.kernel.notions import unfold


def read_steps(steps: tuple[tuple[str, str], ...], world: World) -> dict[str, Step]:
    """`x[0, h]` and `x[t + 1, h]` for each state, in that order; `x[t + 1, k, y, h]` with parameters k and y.

    A step sees the states at time t on its own past and one fresh sample, and not the law of any state: a step that
    reads the law of the next state would prove x = x + 1.
    """
    found: dict[str, Step] = {}
    starts = {_state(head, world)[0]: (head, body) for head, body in steps[0::2]}
    if len(steps) % 2 or len(starts) != len(steps) // 2:
        raise Malformed("write x[0, h] and x[t + 1, h] for each random recursion, one after the other")
    for (first, begin), (head, body) in zip(steps[0::2], steps[1::2], strict=True):
        name, at, params, past = _state(first, world)
        name2, at2, params2, past2 = _state(head, world)
        history = str(world.letters[name].space)
        _has_no_sign(world.letters[name], head)
        time = next(iter(symbols(at2)), "")
        same = (name, params, past) == (name2, params2, past2)
        if not same or time in params or at != num(0) or at2 != Node("+", (sym(time), num(1))) or name in found:
            raise Malformed(f"{first}, {head}: write x[0, h] and then x[t + 1, h] of the same state")
        space = world.histories[history]
        _is_no_notion((time, past, *params), head, world)
        node = unfold(parse(body), world.notions)
        fresh = _fresh_sample(node, space, world, {past, time, *params})
        outside = _with_params(world, world.letters[name], params, head)
        node = sized(elaborate(node, outside.with_samples({past: history, fresh: space})))
        start = sized(elaborate(unfold(parse(begin), world.notions), outside))
        _is_nothing_else(time, past, fresh, start, head, world)
        size = world.letters[name].rows, world.letters[name].cols
        if size_of(start) != size or size_of(node) != size:
            raise Malformed(f"{head}: the start and the step have the size of the state")
        found[name] = Step(history, space, start, time, past, fresh, node, params)
        _sees_its_past_only(found[name], head, set(starts), world)
        if any(part.op == "letter" and part.value.space in world.histories for part in walk(start)):
            raise Malformed(f"{first}: a random recursion begins at a fixed point")
    return found


def _with_params(world: World, letter: Letter, params: tuple[str, ...], head: str) -> World:
    """Parameters that are vectors are letters inside the step."""
    for name, kind in zip(params, letter.indices[1:-1], strict=True):
        if is_point(kind):
            world = world.with_vector(name, point_size(kind))
        elif name in world.declared:
            raise Malformed(f"{head}: the index {name} has the name of something else; rename it")
    return world


def _is_nothing_else(time: str, past: str, fresh: str, start: Node, head: str, world: World) -> None:
    """Inside the step they are time and samples; at the start, or as a size, they would be numbers of the claim."""
    taken = sorted(symbols(start) & {time, past, fresh} | {time, past} & world.sizes)
    if taken:
        raise Malformed(f"{head}: {taken[0]} is also a number of the claim, at the start or as a size; rename one")


def _is_no_notion(names: Iterable[str], head: str, world: World) -> None:
    taken = sorted(set(names) & set(world.notions))
    if taken:
        raise Malformed(f"{head}: {taken[0]} is defined by `where`; give the index another name")


def _has_no_sign(letter: Letter, head: str) -> None:
    """What a recursion defines has the properties that are proved of it, and no others."""
    if letter.sign:
        raise Malformed(f"{head}: declare {letter.name} as a matrix; that it is {letter.sign} has to be proved")


def _state(head: str, world: World) -> tuple[str, Node, tuple[str, ...], str]:
    """Name, time, parameters and history of a state."""
    node = parse(head)
    name = str(node.args[0].value) if node.op == "index" and node.args[0].op == "sym" else ""
    letter, (at, *rest) = world.letters.get(name), node.args[1:] or (num(0),)
    names = tuple(str(one.value) for one in rest if one.op == "sym")
    known = letter is not None and letter.indices[:1] == ("nat",) and letter.space in world.histories
    if letter is None or not known or not len(rest) == len(set(names)) == len(letter.indices) - 1:
        raise Malformed(f"{head}: a state is declared as vector(d)[nat, H] with H a history(S), its indices are names")
    return name, at, names[:-1], names[-1]


def _fresh_sample(node: Node, space: str, world: World, taken: set[str]) -> str:
    """The one free sample of the step."""
    letters = (part for part in walk(node) if part.op == "index" and part.args[0].op == "sym")
    ours = [p for p in letters if str(p.args[0].value) in world.letters]
    names = {str(p.args[-1].value) for p in ours if world.letters[str(p.args[0].value)].indices[-1:] == (space,)}
    free = sorted((names & symbols(node)) - taken - set(world.samples))
    if len(free) > 1:
        raise Malformed(f"{text(node)[:120]}: a step has one fresh sample, found {', '.join(free)}")
    return free[0] if free else "fresh'"


def _sees_its_past_only(step: Step, head: str, states: set[str], world: World) -> None:
    """States at time t on its own past; of a fresh sample that is a history itself, what another recursion made."""
    for part in walk(step.body):
        if part.op == "letter" and part.value.space in world.histories:
            first, *params, last = part.args
            fixed = step.fresh not in frozenset[str]().union(*map(symbols, params))
            before = part.value.name in states and (first, last) == (sym(step.time), sym(step.past)) and fixed
            if not before and (last, part.value.space) != (sym(step.fresh), step.space):
                raise Malformed(
                    f"{head}: a step sees the states at time {step.time} on the past {step.past}, not {text(part)}"
                )
        if part.op in BINDERS and str(part.args[0].value) in (step.time, step.past, *step.params):
            raise Malformed(f"{head}: the name {part.args[0].value} is bound inside the step; rename it")


def start_of(name: str, step: Step, world: World) -> Relation:
    """The state at time 0, for every history and all parameters."""
    letter, domain = world.letters[name], Node("domain", value=step.history)
    ranges: list[Binder] = []
    places: list[Node] = []
    for param, kind in zip(step.params, letter.indices[1:-1], strict=True):
        vectors = Node("points", (size_node(point_size(kind)),)) if is_point(kind) else None
        ranges.append((param, vectors, vectors) if vectors else (param, num(0), FOREVER))
        places.append(Node("letter", (), vector(param, kind)) if is_point(kind) else sym(param))
    state = Node("letter", (num(0), *places, sym(step.past)), letter)
    return Relation("==", state, step.start).under((*ranges, (step.past, domain, domain)))


# ---- sequences that are defined by recursion


def read_clauses(steps: tuple[tuple[str, str], ...], world: World) -> dict[str, tuple[Clause, ...]]:
    """`C[0]` and `C[t + 1]`; also with further indices, `C[0, t + 1]` and `C[l + 1, t + 1]`.

    The last index counts down to 0, in all clauses at once, so that there is one such sequence; no two clauses of a
    sequence fit the same indices, so that they cannot contradict each other.
    """
    found: dict[str, list[Clause]] = {}
    for head, body in steps:
        place = parse(head)
        letter = world.letters[str(place.args[0].value)]
        if not all(map(_is_pattern, place.args[1:])) or len(symbols(place)) != 1 + sum(
            map(len, map(symbols, place.args[1:]))
        ):
            raise Malformed(f"{head}: an index is 0, a name, or a name + 1, each name once")
        last = place.args[-1]
        if last.op == "sym":
            raise Malformed(f"{head}: the last index counts; write 0 or t + 1 for it")
        _has_no_sign(letter, head)
        names = symbols(place) - {letter.name}
        _is_no_notion(names, head, world)
        if names & (set(world.letters) | set(world.samples) | set(world.histories) | world.sizes):
            raise Malformed(f"{head}: an index has the name of something else; rename it")
        clause = Clause(sized(elaborate(place, world)), sized(elaborate(unfold(parse(body), world.notions), world)))
        if size_of(clause.head) != size_of(clause.body):
            raise Malformed(f"{head}: the right side has another size")
        found.setdefault(letter.name, []).append(clause)
    for name, clauses in found.items():
        for i, one in enumerate(clauses):
            if not all(_disjoint(one.head, other.head) for other in clauses[i + 1 :]):
                raise Malformed(f"{name} is defined twice at some index; let one clause have 0 where the other has + 1")
    for clause in (one for clauses in found.values() for one in clauses):
        _counts_down(clause, set(found), world)
    return {name: tuple(clauses) for name, clauses in found.items()}


def is_counted(head: str, world: World) -> bool:
    """Whether the head is of a sequence without samples."""
    node = parse(head)
    letter = world.letters.get(str(node.args[0].value)) if node.op == "index" and node.args[0].op == "sym" else None
    if letter is None or len(letter.indices) != len(node.args) - 1:
        raise Malformed(f"{head} is not a declared sequence with all its indices")
    return all(kind == "nat" for kind in letter.indices)


def _is_pattern(node: Node) -> bool:
    return (
        node == num(0) or node.op == "sym" or (node.op == "+" and node.args[0].op == "sym" and node.args[1] == num(1))
    )


def _disjoint(left: Node, right: Node) -> bool:
    return any({a.op, b.op} == {"num", "+"} for a, b in zip(left.args, right.args, strict=True))


def _counts_down(clause: Clause, defined: set[str], world: World) -> None:
    """Defined sequences stand on the right at the time before only, and states of random recursions nowhere."""
    last = clause.head.args[-1]
    for part in walk(clause.body):
        if part.op == "letter" and part.value.name in defined and (last.op == "num" or part.args[-1] != last.args[0]):
            raise Malformed(f"{text(clause.head)}: {text(part)} stands on the right; only the time before may")
        if part.op == "letter" and part.value.space in world.histories:
            raise Malformed(f"{text(clause.head)}: a sequence is not defined by the states of a random recursion")
        if part.op in BINDERS and str(part.args[0].value) in clause.names:
            raise Malformed(f"{text(clause.head)}: the name {part.args[0].value} is bound on the right; rename it")


def definition(clause: Clause) -> Relation:
    """The clause as a fact for all of its indices."""
    ranges = tuple((name, num(0), FOREVER) for name in clause.names)
    return Relation("==", clause.head, clause.body).under(ranges)
