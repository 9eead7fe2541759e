"""What a theorem about matrices of every size says, from the claim alone. This file is trusted, as statement.py is.

A matrix with r rows and c columns is a function of two indices that is zero outside, so equal matrices are equal
functions; a number is a real. A sample is a point of Omega, and E any mean over it that may be taken in any order; the
mean over histories draws as many samples, one by one, as the latest state below it has seen. A recursion is any
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
from theory.kernel.kinds import NUMBER, ONE, Letter, Size, Step, World, has_letters, index_form, size_of
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
    return letter.indices[-1:] not in ((), ("nat",))


def at(node: Node, names: Names) -> str:
    """A letter at its indices: counts first, a sample last."""
    letter, args = node.value, node.args
    parts = [called(letter.name)]
    for one, kind in zip(args, letter.indices, strict=True):
        parts.append(count(one, names) if kind == "nat" else called(str(one.value)))
    return parts[0] if len(parts) == 1 else f"({' '.join(parts)})"


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
        return f"(history E h0 {natural(node.value.count, names)})"
    if node.value not in names.histories:
        return "E"
    return f"(history E h0 {_longest(list(times_of(node)), names)})"


def _longest(times: list[Node], names: Names) -> str:
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
        if part.op == "letter" and is_random(part.value) and part.args[-1] == sym(name) and len(part.args) == 2:
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
    return {world.histories.get(one, one) for one in used}


def numbers_of(claim: Claim) -> list[str]:
    world = claim.world
    apart = {*world.letters, *world.samples, *world.histories, *world.sizes, *claim.naturals, *spaces(world)}
    return sorted((set(claim.variables) | world.parameters) - apart - set(claim.notions))


def type_of(letter: Letter, world: World) -> str:
    sorts = [
        "nat" if kind == "nat" else "(nat -> Omega)" if kind in world.histories else "Omega" for kind in letter.indices
    ]
    return " -> ".join([*sorts, "R" if (letter.rows, letter.cols) == NUMBER else "mat"])


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
    result += [(called(n), "nat", "natural", n) for n in claim.naturals]
    result += [(called(n), "R", "number", n) for n in numbers_of(claim)]
    result += [(called(n), "Omega", "sample", n) for n in world.samples]
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
    return binders, f"({' '.join([called(letter.name), *marks])})" if marks else called(letter.name)


def step_of(name: str, step: Step, world: World, names: Names) -> str:
    """The state at t + 1, from the state at t and the sample that is drawn then."""
    inner = names.bind(step.time, "naturals")
    time, past = called(step.time), called(step.past)
    fresh = f"(let {called(step.fresh)} := {past} {time} in " if step.fresh in symbols(step.body) else "("
    body = (number if size_of(step.body) == NUMBER else matrix)(step.body, inner)
    head = f"{called(name)} ({time} + 1)%nat {past}"
    return f"(forall ({time} : nat) ({past} : nat -> Omega), {head} = {fresh}{body}))"


def names_of(claim: Claim) -> Names:
    histories = frozenset(claim.world.histories)
    return Names(naturals=frozenset(claim.counters), terms={}, sorts={}, histories=histories)


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
