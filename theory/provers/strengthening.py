"""Stronger invariants than the goal: what is left of a state stays in, and a bound stands for what it bounds.

regret(T) <= R       from   regret(T) + c(T)*V[T + 1] <= R, if V[t + 1] has the weight -c(t) where it is added up
K*m <= V[0]          from   K*m <= V[0] - V[K]
u[n] <= R(n)         from   F(n) <= R(n), if u[k] <= F(k) for every k
"""

from __future__ import annotations

from collections.abc import Iterator

from theory.kernel.errors import KernelError
from theory.kernel.flat import difference, fraction_node, scalars_of, tidy
from theory.kernel.lang import FOREVER, Node, Relation, num, relation_symbols, substitute, sym, symbols, text, walk
from theory.kernel.lang import replace as put
from theory.kernel.rings import Frac
from theory.kernel.sequent import Sequent
from theory.provers.indices import for_every_index, terms_of, tidied
from theory.provers.rewriting import new_names, parts

ZERO = num(0)


def invariants(sequent: Sequent, name: str) -> Iterator[Relation]:
    """What may be kept instead of the goal while `name` counts; the most likely ones first."""
    found: list[Relation] = []
    if sequent.goal.op in ("<=", ">="):
        for gap in (*_with_rest(sequent, name), *_from_start(sequent, name), *_through_bounds(sequent, name)):
            found.append(Relation(">=", gap, ZERO))
    yield from dict.fromkeys(found)


def is_likely(sequent: Sequent) -> bool:
    """The terms of a sum of the goal are made of neighbours: adding up the hypotheses will not do."""
    sums = [p for p in terms_of(sequent.goal) if p.op == "sum"]
    return any(shifted(Relation("==", p.args[3], ZERO), str(p.args[0].value)) for p in sums)


def is_coupled(sequent: Sequent) -> bool:
    """A recursion uses the entries of another one: first what those keep, then the rest."""
    own = [({late.args[0] for late, _ in shifted(fact, k)}, fact) for fact, k, _, _ in recursions(sequent)]
    return any(
        base not in bases and any(p.op == "index" and p.args[0] == base for p in parts(fact))
        for others, _ in own
        for base in others
        for bases, fact in own
    )


def without_rated(sequent: Sequent, since: int) -> list[int]:
    """The facts, without the recursions of those sequences of which a fact `since` says all that they give."""
    rated = {f.left.args[0] for f in sequent.facts[since:] if f.left.op == "index" and f.right != ZERO}
    gone = [
        fact for fact, k, _, _ in recursions(sequent) if any(late.args[0] in rated for late, _ in shifted(fact, k)[:1])
    ]
    return [i for i, fact in enumerate(sequent.facts) if fact not in gone]


def recursions(sequent: Sequent) -> Iterator[tuple[Relation, str, Node, Node]]:
    """Facts for every index that tie an entry to the one before: the fact, its index, and its range."""
    for fact in sequent.facts:
        if fact.binder is not None and for_every_index(fact) and not fact.more:
            index, lo, hi = fact.binder
            if shifted(fact, index):
                yield fact, index, lo, hi


def shifted(relation: Relation, index: str) -> list[tuple[Node, Node]]:
    """(V[k + 1], V[k]) for sequences of which neighbours occur; (V[k], V[k - 1]) counts as well."""
    entries = [tidied(p) for p in parts(relation) if p.op == "index" and len(p.args) == 2 and index in symbols(p)]
    every = list(dict.fromkeys(entries))
    return [
        (late, early)
        for late in every
        for early in every
        if late.args[0] == early.args[0] and tidy(Node("-", (late.args[1], early.args[1]))) == num(1)
    ]


def slope(node: Node, part: Node) -> Node | None:
    """The coefficient of a part that occurs linearly; None if it does not occur so."""
    try:
        ring, (value,), atoms = scalars_of([_tidied(node)])
    except (KernelError, ValueError):
        return None
    own = next((i for i, n in enumerate(ring.names) if atoms.opaque.get(n, sym(n)) == part), None)
    if own is None or value.num.degrees()[own] != 1 or value.den.degrees()[own]:
        return None
    return atoms.restore(fraction_node(Frac.of(value.num.derivative(own), value.den), ring.names))


def _tidied(node: Node) -> Node:
    for part in dict.fromkeys(p for p in walk(node) if p.op == "index"):
        node = put(node, part, tidied(part))
    return node


def _with_rest(sequent: Sequent, name: str) -> Iterator[Node]:
    """The goal and what the last term of its sum has of V[n + 1]: by the sum itself, or by a fact about its terms."""
    gap = difference(sequent.goal)[0]
    for total in [p for p in terms_of(sequent.goal) if p.op == "sum" and name in symbols(p.args[2])]:
        t, _, hi, body = total.args
        alone = sym(next(new_names(sequent, stem="whole")))
        weight = slope(put(gap, total, alone), alone)
        if weight is None:
            continue
        index = str(t.value)
        for late, _ in shifted(Relation("==", body, ZERO), index):
            for rest in (late, *(Node("-", (late, bound)) for bound in _bounds(late, index, sequent))):
                yield from _rest(gap, weight, slope(body, late), rest, index, hi)
        for fact, k, _, _ in recursions(sequent):
            left, right = (substitute(side, {k: t}) for side in (fact.left, fact.right))
            own = Relation(fact.op, left, right)
            yield from _rest_by_fact(gap, weight, body, own, index, hi)


def _bounds(entry: Node, index: str, sequent: Sequent) -> Iterator[Node]:
    """What the hypotheses put beside an entry at every index: M of S[k] <= M."""
    for fact in sequent.facts:
        if fact.binder is None or fact.more or fact.op not in ("<=", ">=", "<", ">"):
            continue
        here = {fact.binder[0]: sym(index)}
        for own, bound in ((fact.left, fact.right), (fact.right, fact.left)):
            if substitute(own, here) == entry and bound != ZERO and fact.binder[0] not in symbols(bound):
                yield bound


def _rest_by_fact(gap: Node, weight: Node, body: Node, fact: Relation, index: str, hi: Node) -> Iterator[Node]:
    """The terms of the sum are bounded by the fact: its V[t + 1] counts as often as the terms do."""
    side = Node("-", (fact.left, fact.right))
    for late, early in shifted(fact, index):
        for term in [p for p in walk(body) if p.op == "index" and p not in (late, early)]:
            below, own = slope(side, term), slope(body, term)
            above = slope(side, late)
            if below is not None and own is not None and above is not None:
                scale = Node("/", (Node("*", (own, above)), below))
                yield from _rest(gap, weight, Node("neg", (scale,)), late, index, hi)


def _rest(gap: Node, weight: Node, own: Node | None, late: Node, index: str, hi: Node) -> Iterator[Node]:
    """gap - weight*own*V[hi + 1]: without what the last term has of the entry after it."""
    if own is None:
        return
    rest = Node("*", (weight, Node("*", (own, late))))
    try:
        last = _short(substitute(rest, {index: hi}))
    except (KernelError, ValueError):
        return
    yield Node("-", (gap, last))


def _short(node: Node) -> Node:
    ring, (value,), atoms = scalars_of([_tidied(node)])
    return atoms.restore(fraction_node(value, ring.names))


def _from_start(sequent: Sequent, name: str) -> Iterator[Node]:
    """V[0] - V[n] for the V[0] of the goal, or for a name that is said to be above V[0]."""
    gap = difference(sequent.goal)[0]
    for fact, index, lo, hi in recursions(sequent):
        if hi == FOREVER or name not in symbols(hi):
            continue
        for late, early in shifted(fact, index):
            first, last = (tidied(substitute(one, {index: at})) for one, at in ((early, lo), (late, hi)))
            for stronger in (gap, *_lowered(gap, first, sequent)):
                weight = slope(stronger, first)
                if weight is not None and last not in walk(stronger):
                    yield Node("-", (stronger, Node("*", (weight, last))))


def _lowered(gap: Node, first: Node, sequent: Sequent) -> Iterator[Node]:
    """The goal with V[0] itself in the place of what bounds it."""
    for fact in sequent.facts:
        sides = (fact.left, fact.right) if fact.op in ("<=", "<") else (fact.right, fact.left)
        if fact.binder is None and fact.op in ("<=", ">=", "<", ">") and sides[0] == first and sides[1] in walk(gap):
            yield put(gap, sides[1], first)


def _through_bounds(sequent: Sequent, name: str) -> Iterator[Node]:
    """F(n) for the entry u[n] of the goal, if the hypotheses say that u[k] is at most F(k)."""
    goal = sequent.goal
    small, big = (goal.left, goal.right) if goal.op == "<=" else (goal.right, goal.left)
    for fact in sequent.facts:
        if fact.binder is None or fact.more or not for_every_index(fact) or fact.op not in ("<=", "=="):
            continue
        index = fact.binder[0]
        if small.op == "index" and fact.left == Node("index", (small.args[0], sym(index))):
            above = substitute(fact.right, {index: small.args[1]})
            if name in symbols(above) and any(p.op == "sum" for p in walk(above)):
                yield Node("-", (big, above))


def counters(sequent: Sequent) -> list[str]:
    """Natural numbers of the goal at which the range of a recursion ends, such as K in K*m <= V[0]."""
    ends = [symbols(hi) for _, _, _, hi in recursions(sequent) if hi != FOREVER]
    return sorted(relation_symbols(sequent.goal) & sequent.naturals & frozenset().union(*ends))


def entries(sequent: Sequent) -> Iterator[tuple[str, str]]:
    """What may hold of every entry of a recursion, as (fact for every index, where it begins): signs, then rates."""
    name = next(new_names(sequent, stem="at"))
    signed = {one.args[0] for fact in sequent.facts if fact.binder is not None for one in _signed(fact)}
    for fact, index, lo, hi in recursions(sequent):
        if hi == FOREVER:
            continue
        for late, early in shifted(fact, index):
            first, last = (tidy(substitute(one.args[1], {index: at})) for one, at in ((early, lo), (late, hi)))
            entry = Node("index", (late.args[0], sym(name)))
            signs = () if late.args[0] in signed else (f"{text(entry)} > 0", f"{text(entry)} >= 0")
            for body in (*signs, *_rate(fact, index, late, early, name, first)):
                yield f"forall({name}, {text(first)}, {text(last)}, {body})", text(first)
            if signs:
                second = text(tidy(Node("+", (first, num(1)))))
                yield f"forall({name}, {second}, {text(last)}, {signs[0]})", second


def _rate(fact: Relation, index: str, late: Node, early: Node, name: str, first: Node) -> Iterator[str]:
    """y[n] <= q**n*y[0] from y[k + 1] <= q*y[k]."""
    if fact.op not in ("<=", "==") or tidied(fact.left) != late:
        return
    rate = slope(fact.right, early)
    if rate is None or index in symbols(rate) or rate.op == "num" or any(p.op == "index" for p in walk(rate)):
        return
    if _short(Node("-", (fact.right, Node("*", (rate, early))))) == ZERO:
        power = f"({text(rate)})**{name}" if first == ZERO else f"({text(rate)})**({name} - {text(first)})"
        yield f"{text(late.args[0])}[{name}] {fact.op} {power}*{text(late.args[0])}[{text(first)}]"


def _signed(fact: Relation) -> Iterator[Node]:
    """The entry that a fact says is not negative."""
    big, small = (fact.left, fact.right) if fact.op in (">", ">=") else (fact.right, fact.left)
    if fact.op in ("<=", ">=", "<", ">") and big.op == "index" and small == ZERO:
        yield big
