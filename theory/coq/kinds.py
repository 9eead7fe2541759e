"""What a theorem about matrices of every size says, from the claim alone. This file is trusted, as statement.py is.

A matrix with r rows and c columns is a function of two indices that is zero outside, so equal matrices are equal
functions; a number is a real. A sample is a point of Omega, and E any mean over it that may be taken in any order; the
mean over histories draws as many samples, one by one, as the latest state below it has seen. A step of an outer loop
draws a whole path of the inner one, as long as the steps look at it. A function of a vector is a function of matrices,
about which something is said at vectors of that size only. A recursion is any
sequence that begins and goes on as the claim says; that what it begins and goes on with has a value (no divisor is
zero) is a part of the conclusion, never a premise. A sequence of letters begins at 0; l - 1 is read as 0 where it is
negative, a place that no claim speaks of. A positive definite letter comes with its inverse.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from theory.coq.errors import NotExpressible
from theory.coq.reserved import ident
from theory.coq.statement import (
    Names,
    Need,
    closed,
    compare,
    conclusion,
    count,
    hypothesis,
    integer,
    natural,
    need_text,
    needs,
    quantifiers,
    real,
)
from theory.kernel.claim import Claim
from theory.kernel.kinds import (
    NUMBER,
    ONE,
    Letter,
    Size,
    Step,
    World,
    has_letters,
    index_form,
    is_point,
    point_size,
    size_from,
    size_of,
)
from theory.kernel.lang import Node, Relation, num, sym, symbols, text, walk
from theory.kernel.sequent import is_natural

WORDS = """sized identity number above beside average matsum msum nonneg below inverse sampling history put agree h0
mean_ trivial_ W infos vals win hs rs vs upper lower clip term key word size"""
TAKEN = frozenset(WORDS.split())


def called(name: str) -> str:
    """A Coq name, apart from the words of Kinds.v."""
    plain = ident(name)
    return f"{plain}_" if plain in TAKEN else plain


def inverse_of(name: str) -> str:
    return f"{called(name)}_inverse"


def size(form: Size) -> str:
    """d, (d + d), (1 + d): a sum of ones and of sizes with a name."""
    parts = [name or "1" for name, count in form for _ in range(count)]
    shown = " + ".join(called(part) if part != "1" else part for part in parts)
    return f"({shown})%nat" if len(parts) > 1 else f"{shown}%nat" if shown == "1" else shown


def is_random(letter: Letter) -> bool:
    return letter.space is not None


def place(index: Node, kind: str, names: Names) -> str:
    """An index of a letter: a count, a vector or a sample."""
    if kind == "nat":
        return count(index, names)
    return matrix(index, names) if is_point(kind) else called(str(index.value))


def at(node: Node, names: Names) -> str:
    """A letter at its indices: counts first, then a vector, a sample last."""
    letter = node.value
    places = (place(one, kind, names) for one, kind in zip(node.args, letter.indices, strict=True))
    parts = [called(letter.name), *places]
    return parts[0] if len(parts) == 1 else f"({' '.join(parts)})"


def any_vector(name: str, points: Node) -> str:
    """The quantifier over the vectors of a size."""
    return f"forall {called(name)}, sized {size(size_from(points.args[0]))} {size(ONE)} {called(name)} -> "


def number(node: Node, names: Names) -> str:
    """A formula of one row and one column, as a real."""
    args = node.args
    if not has_letters(node):
        return real(node, names)
    match node.op:
        case "letter":
            return at(node, names)
        case "I" | "O":
            return "1" if node.op == "I" else "0"
        case "neg":
            return f"(- {number(args[0], names)})"
        case "+" | "-" | "*" | "/":
            return f"({number(args[0], names)} {node.op} {number(args[1], names)})"
        case "**" if args[1].op == "num" and args[1].value >= 0:
            return f"({number(args[0], names)} ^ {args[1].value})"
        case "T":
            return number(args[0], names)
        case "@" if size_of(args[0]) == NUMBER and size_of(args[1]) == NUMBER:
            return f"({number(args[0], names)} * {number(args[1], names)})"
        case "@":
            inner = size(size_of(args[0])[1])
            return f"(times {inner} {matrix(args[0], names)} {matrix(args[1], names)} O O)"
        case "tr":
            if size_of(args[0]) == NUMBER:
                return number(args[0], names)
            return f"(trace {size(size_of(args[0])[0])} {matrix(args[0], names)})"
        case "mean":
            return f"({functional(node, names)} (fun {called(str(args[0].value))} => {number(args[1], names)}))"
        case "sum":
            index = str(args[0].value)
            ends = f"{integer(args[1], names)} {integer(args[2], names)}"
            return f"(zsum {ends} (fun {called(index)} => {number(args[3], names.bind(index, 'indices'))}))"
        case "sqrt" | "abs" | "exp" | "log":
            word = {"sqrt": "sqrt", "abs": "Rabs", "exp": "exp", "log": "ln"}[node.op]
            return f"({word} {number(args[0], names)})"
        case "inv":
            return f"(/ {number(args[0], names)})"
        case "blocks":  # [[1]], of one cell
            return number(args[0].args[0], names)
    raise NotExpressible(f"{text(node)[:80]} is a number that has no translation")


def matrix(node: Node, names: Names) -> str:
    args = node.args
    if size_of(node) == NUMBER:
        return f"(number {number(node, names)})"
    match node.op:
        case "letter":
            return at(node, names)
        case "I":
            return f"(identity {size(size_of(node)[0])})"
        case "O":
            return "zero"
        case "neg":
            return f"(opp {matrix(args[0], names)})"
        case "+" | "-":
            return f"({'plus' if node.op == '+' else 'minus'} {matrix(args[0], names)} {matrix(args[1], names)})"
        case "*":
            factor, other = args if size_of(args[0]) == NUMBER else args[::-1]
            return f"(scale {number(factor, names)} {matrix(other, names)})"
        case "/":
            return f"(scale (/ {number(args[1], names)}) {matrix(args[0], names)})"
        case "@":
            return f"(times {size(size_of(args[0])[1])} {matrix(args[0], names)} {matrix(args[1], names)})"
        case "T":
            return f"(flip {matrix(args[0], names)})"
        case "inv" if args[0].op == "letter" and not args[0].args:
            return inverse_of(args[0].value.name)
        case "blocks":
            how, first, rest = halves(node)
            side = 0 if how == "above" else 1
            ends = f"{size(size_of(first)[side])} {size(size_of(rest)[side])}"
            return f"({how} {ends} {matrix(first, names)} {matrix(rest, names)})"
        case "mean":
            return f"(average {functional(node, names)} (fun {called(str(args[0].value))} => {matrix(args[1], names)}))"
        case "sum":
            index = str(args[0].value)
            ends = f"{integer(args[1], names)} {integer(args[2], names)}"
            return f"(matsum {ends} (fun {called(index)} => {matrix(args[3], names.bind(index, 'indices'))}))"
        case "**" if args[1].op == "num" and args[1].value >= 1:
            return matrix(repeated(args[0], int(args[1].value)), names)
    raise NotExpressible(f"{text(node)[:80]} is a matrix that has no translation")


def repeated(node: Node, count: int) -> Node:
    result = node
    for _ in range(count - 1):
        result = Node("@", (result, node))
    return result


def halves(node: Node) -> tuple[str, Node, Node]:
    """Blocks two by two: the first row above the others, the first cell beside the others."""
    first, *others = node.args
    if others:
        return "above", _whole((first,)), _whole(tuple(others))
    return "beside", first.args[0], _whole((Node("row", first.args[1:]),))


def _whole(rows: tuple[Node, ...]) -> Node:
    """One cell is itself."""
    return rows[0].args[0] if len(rows) == 1 and len(rows[0].args) == 1 else Node("blocks", rows)


# ---- means


@dataclass(frozen=True)
class Pinned:
    """A space of histories, of which so many samples are drawn."""

    space: str
    count: Node


def functional(node: Node, names: Names) -> str:
    """The mean over one sample, or over histories that are as long as the latest state below looks back."""
    if isinstance(node.value, Pinned):
        return drawing(names.histories[node.value.space], natural(node.value.count, names))
    if node.value not in (names.histories or {}):
        return "E"
    return drawing(names.histories[str(node.value)], longest(list(times_of(node)), names))


def drawing(mean: str, count: str) -> str:
    """The mean over histories of so many samples, each drawn with this mean: a sample, or a whole path of samples."""
    return f"(history {mean} {'h0' if mean == 'E' else '(fun _ => h0)'} {count})"


def expectation(node: Node, names: Names) -> str:
    """Why the functional of a mean is a mean, as a term."""
    shape = functional(node, names)
    if shape == "E":
        return "(s_mean _ HE)"
    mean = names.histories[node.value.space if isinstance(node.value, Pinned) else str(node.value)]
    return shape.replace(f"(history {mean}", f"(history_expectation {mean} {sampling(mean)}", 1)


def sampling(mean: str) -> str:
    """Why a mean of one sample, or of one path, may be taken in any order, as a term."""
    return "HE" if mean == "E" else mean.replace("history E", "history_sampling E HE", 1)


def means_of(claim: Claim) -> dict[str, str]:
    """For each space of histories, the mean over what one step draws: a path is as long as the steps look at it."""
    world, found = claim.world, dict[str, str]()
    counted = Names(naturals=frozenset(claim.counters), terms={}, sorts={})
    for name, space in world.histories.items():
        if space not in world.histories:
            found[name] = "E"
            continue
        if world.histories[space] in world.histories:
            raise NotExpressible(f"{name}: a loop inside a loop inside a loop")
        steps = [step for step in world.steps.values() if step.history == name]
        times = [t for step in steps for t in times_of(Node("mean", (sym(step.fresh), step.body), space))]
        found[name] = drawing("E", longest(times or [num(0)], counted))
    return found


def longest(times: list[Node], names: Names) -> str:
    """The latest of these times; the greater one where their forms do not tell."""
    try:
        return natural(horizon(times, names), names)
    except NotExpressible:
        counts = list(dict.fromkeys(count(one, names) for one in times))
    longest = counts[0]
    for one in counts[1:]:
        longest = f"(Nat.max {longest} {one})"
    return longest


def times_of(node: Node) -> Iterator[Node]:
    """The times of the states on the history that this mean is over."""
    name = str(node.args[0].value)
    for part in walk(node.args[1]):
        if part.op == "letter" and is_random(part.value) and part.args[-1] == sym(name) and len(part.args) >= 2:
            yield part.args[0]


def horizon(times: Iterable[Node], names: Names) -> Node:
    """The latest of times that are ordered by their form."""
    latest: Node | None = None
    for time in times:
        if latest is None or not_before(time, latest, names):
            latest = time
        elif not not_before(latest, time, names):
            raise NotExpressible(f"the times {text(time)} and {text(latest)} of one history cannot be compared")
    return latest if latest is not None else num(0)


def not_before(late: Node, early: Node, names: Names) -> bool:
    return is_natural(index_form(Node("-", (late, early))), names.naturals | names.indices)


# ---- the claim


def between(relation: Relation, names: Names) -> str:
    """Two matrices compared."""
    left, right = relation.left, relation.right
    if relation.op == "<<" and size_of(left) == NUMBER:
        return f"{number(left, names)} <= {number(right, names)}"
    if relation.op == "<<":
        return f"below {size(size_of(left)[0])} {matrix(left, names)} {matrix(right, names)}"
    return f"{matrix(left, names)} {'=' if relation.op == '==' else '<>'} {matrix(right, names)}"


@dataclass(frozen=True)
class Premise:
    """One premise of a theorem: what it is about (`what`, `name`), and what it says."""

    what: str
    name: str
    says: str


def has_samples(claim: Claim) -> bool:
    return any(map(is_random, claim.world.letters.values())) or bool(claim.world.samples)


def spaces(world: World) -> set[str]:
    used = {one.indices[-1] for one in world.letters.values() if is_random(one)} | set(world.samples.values())
    while used & world.histories.keys():
        used = {world.histories.get(one, one) for one in used}
    return used


def numbers_of(claim: Claim) -> list[str]:
    world = claim.world
    apart = {*world.letters, *world.samples, *world.histories, *world.sizes, *claim.naturals, *spaces(world)}
    return sorted((set(claim.variables) | world.parameters) - apart - set(claim.notions))


def sort(kind: str, world: World) -> str:
    """The type of an index: a count, a vector, a sample, or a sequence of samples."""
    if kind == "nat" or is_point(kind):
        return "nat" if kind == "nat" else "mat"
    return f"(nat -> {sort(world.histories[kind], world)})" if kind in world.histories else "Omega"


def type_of(letter: Letter, world: World) -> str:
    sorts = [sort(kind, world) for kind in letter.indices]
    return " -> ".join([*sorts, "R" if (letter.rows, letter.cols) == NUMBER else "mat"])


def families(claim: Claim) -> set[str]:
    """Numbers with an index: th[k]."""
    nodes = [side for r in (*claim.hypotheses, *claim.goals) for side in (r.left, r.right)]
    nodes += [node for _, _, node in definitions(claim.world)]
    return {str(p.args[0].value) for node in nodes for p in walk(node) if p.op == "index" and p.args[0].op == "sym"}


def parameters(claim: Claim) -> list[tuple[str, str, str, str]]:
    """Name, type, what it is, and the claim's own name."""
    world = claim.world
    if len(spaces(world)) > 1:
        raise NotExpressible("samples of several spaces have no translation yet")
    result = [
        ("Omega", "Type", "space", ""),
        ("E", "(Omega -> R) -> R", "space", ""),
        ("HE", "sampling E", "space", ""),
    ]
    result = [*result, ("h0", "nat -> Omega", "space", "")] if has_samples(claim) else []
    result += [(called(n), "nat", "size", n) for n in sorted(world.sizes)]
    result += [(called(n), "nat", "natural", n) for n in claim.naturals if n not in world.sizes]
    indexed = families(claim)
    result += [(called(n), "R -> R" if n in indexed else "R", "number", n) for n in numbers_of(claim)]
    result += [(called(n), sort(space, world), "sample", n) for n, space in world.samples.items()]
    result += [(called(n), type_of(one, world), "letter", n) for n, one in world.letters.items()]
    inverses = [(n, one) for n, one in world.letters.items() if one.sign == "pd"]
    return result + [(inverse_of(n), type_of(one, world), "inverse", n) for n, one in inverses]


def kinds_of(claim: Claim) -> Iterator[Premise]:
    """What the declarations say of the letters."""
    for name, letter in claim.world.letters.items():
        if (letter.rows, letter.cols) == NUMBER:
            continue
        binders, term = everywhere(letter, claim.world)
        yield Premise("sized", name, f"({binders}sized {size(letter.rows)} {size(letter.cols)} {term})")
        if letter.sign == "symmetric":
            yield Premise("symmetric", name, f"({binders}flip {term} = {term})")
        if letter.sign in ("psd", "pd"):
            yield Premise("nonneg", name, f"({binders}nonneg {size(letter.rows)} {term})")
        if letter.sign == "pd":
            other = term.replace(called(name), inverse_of(name), 1)
            said = f"inverse {size(letter.rows)} {term} {other}"
            yield Premise("inverse", name, f"({binders}{said})" if binders else said)


def everywhere(letter: Letter, world: World) -> tuple[str, str]:
    marks = [f"i{n}" for n in range(len(letter.indices))]
    binders = f"forall {' '.join(marks)}, " if marks else ""
    binders += "".join(of_size(i, kind) for i, kind in zip(marks, letter.indices, strict=True) if is_point(kind))
    return binders, f"({' '.join([called(letter.name), *marks])})" if marks else called(letter.name)


def of_size(name: str, kind: str) -> str:
    """The premise that an index that is a vector is one."""
    return f"sized {size(point_size(kind))} {size(ONE)} {name} -> "


def step_of(name: str, step: Step, world: World, names: Names) -> str:
    """The state at t + 1, from the state at t and the sample that is drawn then."""
    letter, inner = world.letters[name], names.bind(step.time, "naturals")
    time, past = called(step.time), called(step.past)
    kinds = list(zip(step.params, letter.indices[1:-1], strict=True))
    for param, kind in kinds:
        inner = inner if is_point(kind) else inner.bind(param, "naturals")
    fresh = f"(let {called(step.fresh)} := {past} {time} in " if step.fresh in symbols(step.body) else "("
    body = (number if size_of(step.body) == NUMBER else matrix)(step.body, inner)
    head = " ".join([called(name), f"({time} + 1)%nat", *(called(param) for param, _ in kinds), past])
    params = "".join(f"({called(param)} : {sort(kind, world)}) " for param, kind in kinds)
    sized = "".join(of_size(called(param), kind) for param, kind in kinds if is_point(kind))
    path = sort(letter.indices[-1], world)[1:-1]
    return f"(forall ({time} : nat) {params}({past} : {path}), {sized}{head} = {fresh}{body}))"


def names_of(claim: Claim) -> Names:
    return Names(naturals=frozenset(claim.counters), terms={}, sorts={}, histories=means_of(claim))


def premises(claim: Claim) -> list[Premise]:
    """The kinds of the letters, the steps of recursions, and the facts: hypotheses, beginnings, definitions, sizes."""
    names, world = names_of(claim), claim.world
    found = list(kinds_of(claim))
    found += [Premise("step", name, step_of(name, step, world, names)) for name, step in world.steps.items()]
    for position, fact in enumerate(claim.facts):
        *senses, says = hypothesis(fact, names) if position < len(claim.hypotheses) else [_defining(fact, names)]
        found += [Premise("sense", str(position), one) for one in senses]
        found.append(Premise("fact", str(position), says))
    return found


def _defining(fact: Relation, names: Names) -> str:
    """What a recursion or a size is, without a word on whether it makes sense."""
    quantifier, inner = quantifiers(fact, names)
    return f"({quantifier}{compare(fact, inner)})" if quantifier else compare(fact, inner)


def definitions(world: World) -> Iterator[tuple[set[str], set[str], Node]]:
    """What recursions begin and go on with, each with the indices and the samples that are bound there."""
    for step in world.steps.values():
        yield {step.time, *step.params}, {step.past, step.fresh}, step.start
        yield {step.time, *step.params}, {step.past, step.fresh}, step.body
    for clause in (one for clauses in world.clauses.values() for one in clauses):
        yield set(clause.names), set(), clause.body


def senses(claim: Claim) -> dict[str, Need]:
    """What the recursions need to have values, by its text: conjuncts of the conclusion."""
    found: dict[str, Need] = {}
    for indices, samples, node in definitions(claim.world):
        for need in needs(node):
            ranges = (end for binder in need.binders for end in binder.args[1:-1])
            if (indices | samples) & symbols(need.node).union(*map(symbols, ranges)):
                raise NotExpressible(f"{text(need.node)[:80]} changes from step to step and must not vanish")
            found[need_text(need, names_of(claim))] = need
    return found


def proposition(claim: Claim) -> str:
    names = names_of(claim)
    ends = [*map(closed, senses(claim)), *(one for relation in claim.goals for one in conclusion(relation, names))]
    binders = " ".join(f"({name} : {kind})" for name, kind, _, _ in parameters(claim))
    body = "".join(f"  {one.says} ->\n" for one in premises(claim)) + "  " + " /\\\n  ".join(dict.fromkeys(ends))
    return (f"forall {binders},\n" if binders else "") + body


__all__ = ["ONE", "called", "compare", "matrix", "number", "parameters", "premises", "proposition", "quantifiers"]
