"""What a theorem says: the claim as a Coq proposition, from the claim alone. This file is trusted: read it.

Numbers are reals. Naturals are `nat`, bound indices `Z`, both read as reals by coercion. A family lam[i] is a function
`R -> R`, a random quantity X[w] a function `Omega -> R`, the mean any expectation `E`. A formula makes sense where no
divisor is zero, no root negative, no logarithm of a number that is not positive: hypotheses are assumed to make sense,
conclusions are shown to.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction

from theory.coq.errors import NotExpressible
from theory.coq.reserved import ident
from theory.kernel.claim import Claim
from theory.kernel.kinds import NUMBER, has_letters, size_of
from theory.kernel.lang import BINDERS, FOREVER, SPACE, Node, Relation, symbols, text, walk
from theory.kernel.shapes import Shape, shape_of

OPERATORS = {"<=": "<=", "<": "<", ">=": ">=", ">": ">", "==": "=", "!=": "<>"}
FUNCTIONS = {"sqrt": "sqrt", "exp": "exp", "log": "ln", "sin": "sin", "cos": "cos", "abs": "Rabs"}


@dataclass(frozen=True)
class Names:
    """What the names stand for: naturals, indices (of Z), outcomes, states with their shapes.

    terms    Coq terms for names that are not variables of the same name
    sorts    for each family, of which sort each index is: "R" or "Omega"
    """

    naturals: frozenset[str] = frozenset()
    indices: frozenset[str] = frozenset()
    outcomes: frozenset[str] = frozenset()
    states: tuple[tuple[str, Shape], ...] = ()
    terms: Mapping[str, str] = None  # type: ignore[assignment]
    sorts: Mapping[str, tuple[str, ...]] = None  # type: ignore[assignment]
    histories: Mapping[str, str] = None  # type: ignore[assignment]  # for each space of histories the mean of a sample

    def shape(self, node: Node) -> Shape:
        if has_letters(node):
            return None if size_of(node) == NUMBER else (0, 0)
        return shape_of(node, dict(self.states))

    def bind(self, name: str, kind: str, shape: Shape = None) -> Names:
        free = replace(
            self,
            naturals=self.naturals - {name},
            indices=self.indices - {name},
            outcomes=self.outcomes - {name},
            states=tuple(s for s in self.states if s[0] != name),
            terms={k: v for k, v in (self.terms or {}).items() if k != name},
        )
        if kind == "state":
            return replace(free, states=(*free.states, (name, shape)))
        return replace(free, **{kind: getattr(free, kind) | {name}})


def number(value: Fraction) -> str:
    top = str(value.numerator) if value >= 0 else f"(- {-value.numerator})"
    return top if value.denominator == 1 else f"({top} / {value.denominator})"


def real(node: Node, names: Names) -> str:
    """The formula as a Coq term of type R."""
    if has_letters(node):
        from theory.coq.kinds import number as with_letters  # which prints numbers without letters here

        return with_letters(node, names)
    args = node.args
    match node.op:
        case "num":
            return number(Fraction(node.value))
        case "sym":
            name = str(node.value)
            return (names.terms or {}).get(name) or ident(name)
        case "neg":
            return f"(- {real(args[0], names)})"
        case "+" | "-" | "*" | "/":
            return f"({real(args[0], names)} {node.op} {real(args[1], names)})"
        case "@":
            return f"({real(args[0], names)} * {real(args[1], names)})"
        case "T":
            return real(args[0], names)
        case "**":
            return _power(node, names)
        case "inv":
            return f"(/ {real(args[0], names)})"
        case "tr":
            return f"(mtr {matrix(args[0], names)})"
        case "index":
            return _entry(node, names)
        case "min" | "max":
            return _fold("Rmin" if node.op == "min" else "Rmax", [real(arg, names) for arg in args])
        case "sum" | "prod":
            index, word = str(args[0].value), "zsum" if node.op == "sum" else "zprod"
            body = real(args[3], names.bind(index, "indices"))
            return f"({word} {integer(args[1], names)} {integer(args[2], names)} (fun {ident(index)} => {body}))"
        case "mean":
            outcome = str(args[0].value)
            return f"(E (fun {ident(outcome)} => {real(args[1], names.bind(outcome, 'outcomes'))}))"
        case "iterate":
            state, steps, start, step = args
            inner = real(step, names.bind(str(state.value), "state", None))
            return f"(Nat.iter {natural(steps, names)} (fun {ident(str(state.value))} => {inner}) {real(start, names)})"
    if node.op in FUNCTIONS:
        return f"({FUNCTIONS[node.op]} {real(args[0], names)})"
    raise NotExpressible(f"{text(node)[:80]} is not a number")


def _fold(function: str, parts: list[str]) -> str:
    result = parts[0]
    for part in parts[1:]:
        result = f"({function} {result} {part})"
    return result


def _power(node: Node, names: Names) -> str:
    base, exponent = real(node.args[0], names), node.args[1]
    if exponent.op != "num":
        return f"({base} ^ {natural(exponent, names)})"
    value = Fraction(exponent.value)
    if value.denominator != 1:
        raise NotExpressible(f"the power {text(node)[:80]} has no integer exponent")
    return f"({base} ^ {value})" if value >= 0 else f"(/ ({base} ^ {-value}))"


def _entry(node: Node, names: Names) -> str:
    base, *at = node.args
    if base.op == "sym" and str(base.value) not in dict(names.states):
        sorts = (names.sorts or {}).get(str(base.value), ("R",) * len(at))
        places = [
            ident(str(i.value)) if sort == "Omega" and i.op == "sym" else real(i, names)
            for i, sort in zip(at, sorts, strict=True)
        ]
        return f"({(names.terms or {}).get(str(base.value)) or ident(str(base.value))} {' '.join(places)})"
    i, j = (text(at[0]), "1" if len(at) == 1 else text(at[1]))
    return f"(entry {matrix(base, names)} {i} {j})"


def natural(node: Node, names: Names) -> str:
    """The formula as a term of type nat: numbers and naturals, added and multiplied."""
    match node.op:
        case "num" if Fraction(node.value).denominator == 1 and node.value >= 0:
            return f"{node.value}%nat"
        case "sym" if node.value in names.naturals:
            return real(node, names)
        case "sym" if node.value in names.indices:
            return f"(Z.to_nat {ident(str(node.value))})"
        case "+" | "*":
            return f"({natural(node.args[0], names)} {node.op} {natural(node.args[1], names)})%nat"
    raise NotExpressible(f"{text(node)[:80]} is not a natural number by its form")


def count(node: Node, names: Names) -> str:
    """The place in a sequence of letters, of type nat: l - 1 is an integer, read as 0 where it is negative."""
    try:
        return natural(node, names)
    except NotExpressible:
        return f"(Z.to_nat {integer(node, names)})"


def integer(node: Node, names: Names) -> str:
    """The formula as a term of type Z."""
    match node.op:
        case "num" if Fraction(node.value).denominator == 1:
            return f"({node.value})%Z"
        case "sym" if node.value in names.naturals:
            return f"(Z.of_nat {real(node, names)})"
        case "sym" if node.value in names.indices:
            return ident(str(node.value))
        case "+" | "-" | "*":
            return f"({integer(node.args[0], names)} {node.op} {integer(node.args[1], names)})%Z"
        case "neg":
            return f"(- {integer(node.args[0], names)})%Z"
    raise NotExpressible(f"{text(node)[:80]} is not an integer by its form")


def matrix(node: Node, names: Names) -> str:
    """The formula as a list of rows."""
    args, shape = node.args, names.shape
    match node.op:
        case "sym" if str(node.value) in dict(names.states):
            return ident(str(node.value))
        case "list":
            if args[0].op == "list" or shape(args[0]) is not None:
                return f"[{'; '.join(_row(arg, names) for arg in args)}]"
            return f"[{'; '.join(f'[{real(arg, names)}]' for arg in args)}]"
        case "neg":
            return f"(mopp {matrix(args[0], names)})"
        case "+" | "-":
            return f"({'madd' if node.op == '+' else 'msub'} {matrix(args[0], names)} {matrix(args[1], names)})"
        case "*":
            if shape(args[0]) is None:
                return f"(mscale {real(args[0], names)} {matrix(args[1], names)})"
            return f"(mscale_r {matrix(args[0], names)} {real(args[1], names)})"
        case "/":
            return f"(mdiv {matrix(args[0], names)} {real(args[1], names)})"
        case "@":
            return f"(mmul {matrix(args[0], names)} {matrix(args[1], names)})"
        case "T":
            return f"(transpose {matrix(args[0], names)})"
        case "**" if args[1].op == "num" and args[1].value >= 0:
            return f"(mpow {matrix(args[0], names)} {args[1].value})"
        case "inv" if shape(args[0]) == (2, 2):
            return f"(inv2 {matrix(args[0], names)})"
        case "index" if len(args) == 2:
            return f"(row {matrix(args[0], names)} {text(args[1])})"
        case "iterate":
            state, steps, start, body = args
            inner = matrix(body, names.bind(str(state.value), "state", shape(start)))
            return (
                f"(Nat.iter {natural(steps, names)} (fun {ident(str(state.value))} => {inner}) {matrix(start, names)})"
            )
    raise NotExpressible(f"{text(node)[:80]} is not a matrix of a fixed size that is translated")


def _row(node: Node, names: Names) -> str:
    if node.op != "list":
        raise NotExpressible(f"{text(node)[:80]} stands for a row and is not written out")
    return f"[{'; '.join(real(arg, names) for arg in node.args)}]"


def compare(relation: Relation, names: Names) -> str:
    """`left op right`, of numbers or of matrices; the binder is left to the caller."""
    if any(map(has_letters, (relation.left, relation.right))) and size_of(relation.left) != NUMBER:
        from theory.coq.kinds import between

        return between(relation, names)
    if names.shape(relation.left) is not None:
        return f"{matrix(relation.left, names)} {OPERATORS[relation.op]} {matrix(relation.right, names)}"
    return f"{side(relation.left, names)} {OPERATORS[relation.op]} {real(relation.right, names)}"


def side(node: Node, names: Names) -> str:
    """A number where Coq cannot see from the place that it is real: a count that stands alone is made one."""
    if node.op == "sym" and node.value in names.naturals:
        return f"(INR {real(node, names)})"
    if node.op == "sym" and node.value in names.indices:
        return f"(IZR {real(node, names)})"
    return real(node, names)


@dataclass(frozen=True)
class Need:
    """What a formula needs to have a value: `node` is nonzero (or nonnegative, or positive) below these binders."""

    kind: str
    node: Node
    binders: tuple[Node, ...] = ()  # the sums, means and iterations around it, the outermost first


def needs(node: Node, binders: tuple[Node, ...] = ()) -> Iterator[Need]:
    args = node.args
    if node.op == "mean" and has_letters(node):
        yield from _outside(node, binders)
        return
    if node.op in BINDERS:
        for outside in args[1:-1]:
            yield from needs(outside, binders)
        yield from needs(args[-1], (*binders, node))
        return
    if node.op == "inv" and has_letters(node) and size_of(node) != NUMBER:
        return  # of a letter that is positive definite
    for arg in args:
        yield from needs(arg, binders)
    if node.op == "/" and not (args[1].op == "num" and args[1].value):
        yield Need("nonzero", args[1], binders)
    elif node.op == "**" and args[1].op == "num" and args[1].value < 0:
        yield Need("nonzero", args[0], binders)
    elif node.op in ("inv", "sqrt", "log"):
        yield Need({"inv": "nonzero", "sqrt": "nonnegative", "log": "positive"}[node.op], args[0], binders)


def _outside(node: Node, binders: tuple[Node, ...]) -> Iterator[Need]:
    """What stands below a mean over a sample and does not depend on it."""
    for need in needs(node.args[1], binders):
        if str(node.args[0].value) in symbols(need.node):
            raise NotExpressible(f"{text(need.node)[:80]} depends on a sample and must not vanish")
        yield need


def need_text(need: Need, names: Names) -> str:
    quantifiers, inner = [], names
    for binder in need.binders:
        quantifier, inner = _below(binder, inner)
        quantifiers.append(quantifier)
    return "".join(quantifiers) + need_body(need, inner)


def need_body(need: Need, names: Names) -> str:
    if names.shape(need.node) is not None:
        return f"det2 {matrix(need.node, names)} <> 0"
    shown = side(need.node, names)
    return {"nonzero": f"{shown} <> 0", "nonnegative": f"0 <= {shown}", "positive": f"0 < {shown}"}[need.kind]


def _below(binder: Node, names: Names) -> tuple[str, Names]:
    """At every index, at every outcome, at every state that an iteration leaves."""
    name = str(binder.args[0].value)
    if binder.op in ("sum", "prod"):
        ends = range_text(binder.args[1], binder.args[2], ident(name), names)
        return f"forall {ident(name)} : Z, {ends} -> ", names.bind(name, "indices")
    if binder.op == "mean":
        return f"forall {ident(name)} : {space(names)}, ", names.bind(name, "outcomes")
    _, steps, start, body = binder.args
    inner = names.bind(name, "state", names.shape(start))
    show = real if names.shape(start) is None else matrix
    path = f"Nat.iter m (fun {ident(name)} => {show(body, inner)}) {show(start, names)}"
    return f"forall m : nat, (m < {natural(steps, names)})%nat -> let {ident(name)} := {path} in ", inner


def relation_needs(relation: Relation, names: Names) -> dict[str, Need]:
    """The needs of both sides by their texts, each once."""
    both = (need for side in (relation.left, relation.right) for need in needs(side))
    return {need_text(need, names): need for need in both}


def range_text(lo: Node, hi: Node, index: str, names: Names) -> str:
    """That an integer lies in a range; a range without an end goes on for ever."""
    if hi == FOREVER:
        return f"onward {integer(lo, names)} {index}"
    return f"between {integer(lo, names)} {integer(hi, names)} {index}"


def quantifiers(relation: Relation, names: Names) -> tuple[str, Names]:
    """The quantifiers of a relation for every index, the outermost first, and the names below them."""
    shown = ""
    for index, lo, hi in relation.binders:
        if lo.op == "domain":
            from theory.coq.kinds import called

            shown += f"forall {called(index)}, "
            continue
        if lo.op == "points":
            from theory.coq.kinds import any_vector

            shown += any_vector(index, lo)
            continue
        if lo == SPACE:
            shown += f"forall {ident(index)} : {space(names)}, "
        else:
            shown += f"forall {ident(index)} : Z, {range_text(lo, hi, ident(index), names)} -> "
        names = names.bind(index, "outcomes" if lo == SPACE else "indices")
    return shown, names


def space(names: Names) -> str:
    return "R" if (names.sorts or {}).get("Omega") == ("R",) else "Omega"


def hypothesis(relation: Relation, names: Names) -> list[str]:
    """The premises of a hypothesis: that it makes sense, and that it holds."""
    quantifier, inner = quantifiers(relation, names)
    parts = [*map(closed, relation_needs(relation, inner)), compare(relation, inner)]
    return ["(" + quantifier + " /\\ ".join(parts) + ")"] if quantifier else parts


def conclusion(relation: Relation, names: Names) -> list[str]:
    """The conjuncts of a conclusion: that it makes sense, and that it holds."""
    if relation.binder is not None:
        return hypothesis(relation, names)
    return [*map(closed, relation_needs(relation, names)), compare(relation, names)]


def closed(need: str) -> str:
    return f"({need})" if need.startswith("forall") else need


def names_of(claim: Claim) -> Names:
    return Names(naturals=frozenset(claim.naturals), terms={}, sorts=sorts_of(claim))


def sorts_of(claim: Claim) -> dict[str, tuple[str, ...]]:
    """Of which sort each index of a family is. Where a claim indexes outcomes with numbers, outcomes are reals."""
    outcomes = {r.binder[0] for r in claim._relations() if r.binder is not None and r.binder[1] == SPACE}
    sides = [side for r in claim._relations() for side in (r.left, r.right)]
    outcomes |= {str(p.args[0].value) for side in sides for p in walk(side) if p.op == "mean"}
    found: dict[tuple[str, int], set[str]] = {}
    counts: dict[str, int] = {}
    for part in (p for side in sides for p in walk(side) if p.op == "index" and p.args[0].op == "sym"):
        name = str(part.args[0].value)
        counts[name] = len(part.args) - 1
        for place, index in enumerate(part.args[1:]):
            sort = "Omega" if index.op == "sym" and index.value in outcomes else "R"
            found.setdefault((name, place), set()).add(sort)
    mixed = any(len(sorts) > 1 for sorts in found.values())
    sorts = {name: tuple("R" if mixed else min(found[name, i]) for i in range(n)) for name, n in counts.items()}
    return {**sorts, "Omega": ("R",)} if mixed else sorts


def has_outcomes(claim: Claim) -> bool:
    sides = [side for r in claim._relations() for side in (r.left, r.right)]
    means = any(p.op == "mean" for side in sides for p in walk(side))
    return means or any(r.binder is not None and r.binder[1] == SPACE for r in claim._relations())


def parameters(claim: Claim) -> list[tuple[str, str]]:
    """The variables of the theorem with their types, in a fixed order."""
    sorts = sorts_of(claim)
    result: list[tuple[str, str]] = []
    outcome = "R" if sorts.get("Omega") == ("R",) else "Omega"
    if has_outcomes(claim):
        result += [("Omega", "Type")] if outcome == "Omega" else []
        result += [("E", f"({outcome} -> R) -> R"), ("HE", "expectation E")]
    result += [(ident(n), "nat") for n in claim.naturals if n in claim.variables]
    reals = [n for n in claim.variables if n not in claim.naturals and n not in claim.families]
    result += [(ident(n), "R") for n in reals]
    families = [n for n in claim.variables if n in claim.families]
    result += [(ident(n), " -> ".join([*sorts[n], "R"])) for n in families]
    return result


def proposition(claim: Claim) -> str:
    """The whole claim: for all values, the hypotheses imply that every conclusion makes sense and holds."""
    names = names_of(claim)
    premises = [one for relation in claim.hypotheses for one in hypothesis(relation, names)]
    ends = [one for relation in claim.goals for one in conclusion(relation, names)]
    binders = " ".join(f"({name} : {kind})" for name, kind in parameters(claim))
    body = "".join(f"  {one} ->\n" for one in premises) + "  " + " /\\\n  ".join(dict.fromkeys(ends))
    return (f"forall {binders},\n" if binders else "") + body
