"""Facts for every index at the indices that occur, sums and products that lose their last term: what a leaf may use.

A pattern such as r[k + 1], c**k or sum(i, 1, k, …) is compared with the parts of the goal; each match gives an index.
An index counts only where its range is shown, by plain integer arithmetic.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from itertools import combinations, islice, product

from theory.kernel.counting import by_form, instance, unrolled
from theory.kernel.errors import KernelError
from theory.kernel.evaluate import evaluate
from theory.kernel.flat import OMEGA, difference, tidy
from theory.kernel.lang import (
    BINDERS,
    DOMAINS,
    FOREVER,
    Node,
    Relation,
    num,
    relation_symbols,
    substitute,
    sym,
    symbols,
    text,
    walk,
)
from theory.kernel.rings import RationalFunctions, to_fraction
from theory.kernel.sequent import Certificate, Sequent
from theory.provers import arithmetic
from theory.provers.effort import Effort
from theory.provers.frame import Frame, accepted
from theory.provers.rewriting import parts
from theory.provers.skeletons import Filler

ROUNDS = 3
MOST = 14  # instances of one leaf
LONGEST = 6  # terms of a sum that are written out
LINEAR = ("num", "sym", "neg", "+", "-", "*")


def for_every_index(fact: Relation) -> bool:
    """Whether the fact holds for every index of ranges of integers."""
    return fact.binder is not None and all(lo != OMEGA and lo.op not in DOMAINS for _, lo, _ in fact.binders)


def within(duty: Relation, sequent: Sequent) -> Certificate | None:
    """An inequality between integers from at most two facts and the signs of natural numbers."""
    if by_form(duty, sequent):
        return {"kind": "positive"}
    gap, _ = difference(duty)
    every = [(i, f) for i, f in enumerate(sequent.every_fact()) if is_count(f, sequent)]
    target = _linear(gap)
    if target is None:
        return None
    bounds = [(i, value) for i, f in every if (value := _linear(difference(f)[0])) is not None]
    for size in (0, 1, 2):
        for chosen in combinations(bounds, size):
            rest = dict(target)
            for _, value in chosen:
                for name, c in value.items():
                    rest[name] = rest.get(name, Fraction(0)) - c
            if all(c >= 0 and (not c or name == "" or name in sequent.naturals) for name, c in rest.items()):
                cert = _as_cone(duty, [i for i, _ in chosen], rest, sequent)
                if cert is not None:  # of a strict one the constant must be positive
                    return cert
    return None


def _as_cone(duty: Relation, chosen: list[int], rest: Mapping[str, Fraction], sequent: Sequent) -> Certificate | None:
    first = len(sequent.facts)
    place = {name: first + i for i, name in enumerate(sorted(sequent.naturals))}
    terms: list[Certificate] = [{"c": "1", "of": [i]} for i in chosen]
    terms += [{"c": str(c), **({"of": [place[name]]} if name else {})} for name, c in rest.items() if c]
    cert: Certificate = {"kind": "cone", "terms": terms}
    return cert if accepted(cert, sequent.show(duty)) else None


def is_count(fact: Relation, sequent: Sequent) -> bool:
    """An inequality between sums, differences and products of natural numbers."""
    if fact.binder is not None or fact.op not in ("<=", ">=", "<", ">"):
        return False
    return relation_symbols(fact) <= sequent.naturals and all(part.op in LINEAR for part in parts(fact))


def _linear(node: Node) -> dict[str, Fraction] | None:
    """The coefficients of a linear formula in names; the constant has no name."""
    names = tuple(sorted(symbols(node)))
    ring = RationalFunctions(names)
    try:
        value = evaluate(node, ring.env(), ring)
    except (KernelError, KeyError, TypeError):
        return None
    if not value.den.is_constant() or any(sum(map(int, m)) > 1 for m in value.num.to_dict()):
        return None
    scale = value.den.leading_coefficient()
    found = {"": to_fraction(scale - scale)}
    for m, c in value.num.to_dict().items():
        found[next((names[i] for i, e in enumerate(m) if e), "")] = to_fraction(c / scale)
    return found


def unify(pattern: Node, term: Node, names: frozenset[str]) -> dict[str, Node] | None:
    """Formulas for the names at which the pattern becomes the term."""
    if symbols(pattern).isdisjoint(names):
        return {} if tidy(pattern) == tidy(term) else None
    if pattern.op in LINEAR and term.op in LINEAR:
        (name, *others) = sorted(symbols(pattern) & names)
        shift = tidy(Node("-", (pattern, sym(name))))
        if others or name in symbols(shift):
            return None
        return {name: tidy(Node("-", (term, shift)))}
    if pattern.op != term.op or len(pattern.args) != len(term.args) or pattern.value != term.value:
        return None
    if pattern.op in BINDERS:
        inner = substitute(term.args[-1], {str(term.args[0].value): pattern.args[0]})
        pattern, term = (
            Node("list", (*p.args[1:-1], body)) for p, body in ((pattern, pattern.args[-1]), (term, inner))
        )
    found: dict[str, Node] = {}
    for one, other in zip(pattern.args, term.args, strict=True):
        more = unify(one, other, names)
        if more is None or any(found.get(n, v) != v for n, v in more.items()):
            return None
        found |= more
    return found


def _patterns(fact: Relation, names: frozenset[str]) -> list[Node]:
    """The parts that move with the index; of a sequence only its latest entries."""
    counted = [p for p in parts(fact) if p.op in ("index", "sum", "prod") or (p.op == "**" and p.args[1].op != "num")]
    moving = [p for p in counted if symbols(p) & names]
    return [p for p in moving if not any(_is_later(q, p) for q in moving)]


def _is_later(one: Node, other: Node) -> bool:
    if one.op != "index" or other.op != "index" or one.args[0] != other.args[0] or len(one.args) != 2:
        return False
    gap = tidy(Node("-", (one.args[1], other.args[1])))
    return gap.op == "num" and to_int(gap) > 0


def candidates(fact: Relation, terms: list[Node], last: frozenset[str]) -> Iterator[dict[str, Node]]:
    """Indices at which a part of the fact becomes one of the terms; the last index, if it is made of these names."""
    names = frozenset(one[0] for one in fact.binders)
    options: dict[str, list[Node]] = {name: [] for name in names}
    for pattern in _patterns(fact, names):
        for term in terms:
            for name, image in (unify(pattern, term, names) or {}).items():
                options[name].append(image)
    for name, _, hi in fact.binders:
        options[name] += [hi] if hi != FOREVER and symbols(hi) <= last else []
    chosen = [list(dict.fromkeys(options[one[0]])) for one in fact.binders]
    for images in islice(product(*chosen), 24):
        yield dict(zip((one[0] for one in fact.binders), images, strict=True))


def terms_of(*relations: Relation) -> list[Node]:
    """Entries, powers, sums and products outside of every forall."""
    found = [p for r in relations if r.binder is None for p in parts(r)]
    bound = {str(p.args[0].value) for p in found if p.op in BINDERS}
    counted = [p for p in found if p.op in ("index", "sum", "prod") or (p.op == "**" and p.args[1].op != "num")]
    return list(dict.fromkeys(p for p in counted if not symbols(p) & bound))


def with_instances(frame: Frame, since: int | None = None) -> Frame:
    """The facts for every index, at the indices that occur in the goal (or in facts `since`) and in what follows.

    Where the goal has no entry, those of the other facts count.
    """
    fresh = list(frame.sequent.facts[since or 0 :])
    if since is None and terms_of(frame.sequent.goal):
        fresh = [frame.sequent.goal]
    used = 0
    positions = [i for i, f in enumerate(frame.sequent.facts) if for_every_index(f)]
    for _ in range(ROUNDS):
        terms, new = terms_of(*fresh), []
        for position in positions:
            for at in candidates(frame.sequent.facts[position], terms, relation_symbols(frame.sequent.goal)):
                grown = _instance(frame, position, at)
                if grown is not None and used < MOST:
                    frame, used = grown, used + 1
                    new.append(frame.sequent.facts[-1])
        fresh = new
    return frame


def _instance(frame: Frame, position: int, at: Mapping[str, Node]) -> Frame | None:
    sequent = frame.sequent
    places = {name: text(image) for name, image in at.items()}
    try:
        fact, duties = instance(sequent.facts[position], places, sequent)
    except KernelError:
        return None
    if fact in sequent.facts:
        return None
    proofs = {str(duty): within(duty, sequent) for duty in duties if not by_form(duty, sequent)}
    if any(proof is None for proof in proofs.values()):
        return None
    return frame.within(str(fact), {"kind": "instance", "fact": position, "at": places, "within": proofs}, "then")


def with_terms_apart(frame: Frame) -> Frame:
    """Sums and products that are longer than another of the same terms by a few, or short: the last terms apart."""
    every = terms_of(frame.sequent.goal, *frame.sequent.facts)
    for node in [p for p in every if p.op in ("sum", "prod", "**")]:
        for _ in range((_higher if node.op == "**" else _excess)(node, every)):
            made = unrolled_once(frame, node)
            if made is None:
                break
            frame, node = made
            if node.op not in ("sum", "prod", "**"):
                break
    return frame


def _higher(node: Node, every: list[Node]) -> int:
    """How many factors to take out of x**(n - k): down to the next lower power of x that the kernel sees as another."""
    base, exponent = node.args
    gaps = [tidy(Node("-", (exponent, p.args[1]))) for p in every if p.op == "**" and p.args[0] == base]
    least = min((to_int(gap) for gap in gaps if gap.op == "num" and 0 < to_int(gap) <= LONGEST), default=0)
    return least if any(part.op in ("-", "neg") for p in every if p.op == "**" for part in walk(p.args[1])) else 0


def _excess(node: Node, every: list[Node]) -> int:
    """How many of its last terms to take apart: down to the next shorter one, or all of a short one."""
    _, lo, hi, body = node.args
    length = tidy(Node("-", (hi, lo)))
    if length.op == "num":
        return int(to_int(length)) + 2 if -1 <= to_int(length) < LONGEST else 1 if to_int(length) < -1 else 0
    shorter = [tidy(Node("-", (hi, p.args[2]))) for p in every if p.op == node.op and _same_terms(p, node)]
    gaps = [to_int(gap) for gap in shorter if gap.op == "num" and 0 < to_int(gap) <= 3]
    last = substitute(body, {str(node.args[0].value): hi})
    return min(gaps, default=int(last.op == "index" and any(tidied(last) == tidied(p) for p in every)))


def tidied(node: Node) -> Node:
    return Node("index", (node.args[0], *map(tidy, node.args[1:]))) if node.op == "index" else node


def _same_terms(one: Node, other: Node) -> bool:
    bodies = [substitute(part.args[-1], {str(part.args[0].value): sym("#")}) for part in (one, other)]
    return tidy(one.args[1]) == tidy(other.args[1]) and bodies[0] == bodies[1]


def to_int(node: Node) -> int:
    return int(node.value)


def unrolled_once(frame: Frame, node: Node) -> tuple[Frame, Node] | None:
    """A term taken apart as one more fact, and the shorter sum, product or power."""
    sequent = frame.sequent
    for end in ("last", "empty"):
        fact, duty = unrolled(node, end)
        proof = within(duty, sequent) if end == "last" else within_strict(duty, sequent)
        if proof is None:
            continue
        try:
            duties = Filler(valued, {}, Effort()).definedness([node], sequent)
        except KernelError:
            duties = {}
        step: Certificate = {"kind": "unroll", "of": text(node), "end": end, "long": proof, "defined": duties}
        if fact in sequent.facts or not accepted({**step, "then": {"kind": "identity"}}, sequent.show(TRUE)):
            return None
        rest = fact.right.args[0] if end == "last" else fact.right
        return frame.within(str(fact), step, "then"), rest
    return None


def valued(sequent: Sequent, effort: Effort, library: object) -> Certificate | None:
    """An exponent such as n - i is not negative, a divisor such as S[i] is positive."""
    if is_root(sequent.goal):
        return root(sequent, lambda here: valued(here, effort, library))
    return counted_or_closed(sequent, with_instances, rounds=1)


def is_root(goal: Relation) -> bool:
    return goal.op == ">" and goal.left.op == "sqrt" and goal.right == num(0)


def root(sequent: Sequent, prove: Callable[[Sequent], Certificate | None]) -> Certificate | None:
    """The root of a positive number is positive."""
    inside = Relation(">", sequent.goal.left.args[0], num(0))
    proof = prove(sequent.show(inside))
    frame = Frame(sequent) if proof is None else Frame(sequent).have(str(inside), proof)
    found = arithmetic.close(frame.sequent)
    return None if found is None else frame.close(found)


def counted_or_closed(sequent: Sequent, prepared: Callable[[Frame], Frame], rounds: int) -> Certificate | None:
    """A count by its form; everything else by arithmetic, with the facts that `prepared` adds."""
    if is_count(sequent.goal, sequent):
        return within(sequent.goal, sequent) or arithmetic.close(sequent)
    frame = prepared(Frame.of(sequent))
    cert = arithmetic.close(frame.sequent, rounds=rounds)
    return None if cert is None else frame.close(cert)


TRUE = Relation("==", num(0), num(0))


def within_strict(duty: Relation, sequent: Sequent) -> Certificate | None:
    """hi < lo between integers that are numbers, or with room to spare."""
    cert: Certificate = {"kind": "positive"}
    return cert if accepted(cert, sequent.show(duty)) else within(duty, sequent)
