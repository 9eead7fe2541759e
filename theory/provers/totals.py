"""Hypotheses for every index, added up: a sum becomes one number in a linear argument.

sum(k, lo, hi, left) <= sum(k, lo, hi, right) for each of them, sum(k, lo, hi, V[k+1] - V[k]) == V[hi+1] - V[lo],
and the number of terms; the rest is arithmetic.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import combinations

from theory.kernel.flat import difference, tidy
from theory.kernel.lang import (
    FOREVER,
    Node,
    Relation,
    num,
    replace,
    replace_relation,
    substitute,
    substitute_relation,
    sym,
    symbols,
    text,
    walk,
)
from theory.kernel.lifting import later
from theory.kernel.sequent import Sequent
from theory.provers.indices import for_every_index, terms_of, tidied
from theory.provers.rewriting import new_names, parts
from theory.provers.tactics import Tactic, auto, have, identity, telescope, termwise

MOST = 8  # facts about sums
Range = tuple[Node, Node]


def is_likely(sequent: Sequent) -> bool:
    """The goal has a sum, or no entry at its last index: an induction over it would have little to hold on to."""
    return all(p.op == "sum" or p.args[1].op == "num" for p in terms_of(sequent.goal))


def tactics(sequent: Sequent, *, products: bool) -> Iterator[Tactic]:
    """For each range of the hypotheses: their sums; where asked for, also the sums of products of two of them."""
    for lo, hi in _ranges(sequent):
        facts = _facts(sequent, lo, hi)
        steps = list(_steps(facts, lo, hi, sequent, products))
        if steps and (not products or len(facts) > 1):
            yield _chained(steps[: MOST + 6 * products])


def _chained(steps: list[tuple[str, Tactic]]) -> Tactic:
    then = auto()
    for fact, proof in reversed(steps):
        then = have(fact, proof, then=then)
    return then


def _ranges(sequent: Sequent) -> list[Range]:
    """Ranges with a free end: of sums in the goal first, then of the hypotheses."""
    sums = [(tidy(p.args[1]), tidy(p.args[2])) for p in terms_of(sequent.goal) if p.op == "sum"]
    own = [(f.binder[1], f.binder[2]) for f in sequent.facts if f.binder and for_every_index(f) and not f.more]
    known = {(tidy(lo), tidy(hi)): (lo, hi) for lo, hi in own if hi != FOREVER and symbols(hi)}
    return [known[one] for one in dict.fromkeys([*sums, *known]) if one in known]


def _facts(sequent: Sequent, lo: Node, hi: Node) -> dict[Relation, bool]:
    """The hypotheses over the range in the same index, and whether they moved: k - 1 over 1..K is k over 0..K-1."""
    found: dict[Relation, bool] = {}
    index = sym(_index(sequent))
    for fact in sequent.facts:
        if fact.binder and for_every_index(fact) and not fact.more and fact.op != "!=":
            name, first, last = fact.binder
            ahead = [tidy(Node("-", pair)) for pair in ((first, lo), (last, hi))]
            if ahead[0] == ahead[1] and ahead[0].op == "num":
                moved = substitute_relation(fact.under(()), {name: later(index, int(ahead[0].value))})
                found[_tidied(moved)] = ahead[0] != num(0)
    return found


def _tidied(fact: Relation) -> Relation:
    for part in dict.fromkeys(p for p in parts(fact) if p.op == "index"):
        fact = replace_relation(fact, part, tidied(part))
    return fact


def _at(node: Node, index: str, place: Node) -> Node:
    return _tidied(Relation("==", substitute(node, {index: place}), num(0))).left


def _index(sequent: Sequent) -> str:
    return next(new_names(sequent, "k", "i", "j", stem="k"))


def _steps(
    facts: dict[Relation, bool], lo: Node, hi: Node, sequent: Sequent, products: bool
) -> Iterator[tuple[str, Tactic]]:
    index = _index(sequent)

    def total(body: Node) -> str:
        return f"sum({index}, {text(lo)}, {text(hi)}, {text(body)})"

    other = next(name for name in new_names(sequent, "i", "j", "l", stem="i") if name != index)
    yield (
        f"{total(num(1))} == {text(tidy(Node('-', (later(hi, 1), lo))))}",
        telescope(index, each=identity(), ends=identity()),
    )
    for entry in [*_shifted(facts, index), *_potentials(facts, index)]:
        onward, *ends = (_at(entry, index, at) for at in (later(sym(index), 1), later(hi, 1), lo))
        gap = Node("-", (onward, entry))
        yield (
            f"{total(gap)} == {text(ends[0])} - ({text(ends[1])})",
            telescope(text(entry), each=identity(), ends=identity()),
        )
    for fact, moved in facts.items():
        by = termwise("sum", index=other) | ({"kept": True} if moved else {})
        for op in ("<=", ">=") if fact.op == "==" else ({"<": "<=", ">": ">="}.get(fact.op, fact.op),):
            yield f"{total(fact.left)} {op} {total(fact.right)}", by
    if products:
        gaps = [gap for f in facts if f.op != "==" for gap in _without_abs(difference(f)[0])]
        by = termwise("sum", index=other) | ({"kept": True} if any(facts.values()) else {})
        for one, two in combinations(gaps, 2):
            yield f"{total(Node('*', (one, two)))} >= 0", by


def _without_abs(gap: Node) -> list[Node]:
    """M - abs(x) is below M - x and below M + x."""
    old = next((p for p in walk(gap) if p.op == "abs"), None)
    return [gap] if old is None else [replace(gap, old, new) for new in (old.args[0], Node("neg", old.args))]


def has_products(sequent: Sequent) -> bool:
    """Whether a sum of the goal has products of entries, such as weighted means have."""
    bodies = [p.args[3] for p in parts(sequent.goal) if p.op == "sum"]
    products = [p for body in bodies for p in walk(body) if p.op == "*"]
    return any(all(any(q.op == "index" for q in walk(arg)) for arg in p.args) for p in products)


def _shifted(facts: Iterable[Relation], index: str) -> list[Node]:
    """V[k] of sequences of which both V[k] and V[k + 1] occur, V[k - 1] where V[k - 1] and V[k] do."""
    entries = dict.fromkeys(tidied(p) for p in parts(*facts) if p.op == "index" and len(p.args) == 2)
    near = [p for p in entries if index in symbols(p.args[1])]
    return sorted((p for p in near if Node("index", (p.args[0], later(p.args[1], 1))) in near), key=text)


def _potentials(facts: Iterable[Relation], index: str) -> Iterator[Node]:
    """P(k) where a side of a fact is P(k + 1): weights that move with the index."""
    for fact in facts:
        for side in (fact.left, fact.right):
            entries = [p for p in parts(Relation("==", side, num(0))) if p.op == "index" and index in symbols(p)]
            weighted = side.op != "index" and any(index in symbols(p) for p in side.args if p.op != "index")
            if entries and weighted and all(text(tidy(p.args[1])) == f"{index} + 1" for p in entries):
                yield substitute(side, {index: later(sym(index), -1)})
