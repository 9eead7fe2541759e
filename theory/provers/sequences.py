"""Claims about sequences, sums and products: induction with the goal as invariant, and hypotheses that are added up.

goal at K      from   forall(n, start, K, goal at n), by induction over n; the facts for every index serve at n
sums           each hypothesis for every index is added up; entries that are shifted by one telescope
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial
from itertools import chain

from theory.kernel.errors import KernelError
from theory.kernel.flat import difference, polynomial_node, scalars_of, tidy
from theory.kernel.lang import (
    Node,
    Relation,
    num,
    parse_relation,
    relation_symbols,
    substitute,
    substitute_relation,
    sym,
    symbols,
    text,
    walk,
)
from theory.kernel.lang import replace as put
from theory.kernel.sequent import Certificate, Sequent, is_natural
from theory.provers import arithmetic, functions, opaque, powers, strengthening, sums, totals
from theory.provers.convolutions import with_shifted
from theory.provers.effort import Effort
from theory.provers.frame import Frame, accepted
from theory.provers.indices import (
    TRUE,
    for_every_index,
    is_count,
    is_root,
    root,
    terms_of,
    tidied,
    with_instances,
    with_terms_apart,
    within,
)
from theory.provers.locality import with_only
from theory.provers.rewriting import new_names, parts, shorter
from theory.provers.skeletons import Filler, Search
from theory.provers.tactics import Tactic, auto, have

OPS = ("<=", ">=", "<", ">", "==")
FEW = 24  # facts with which a leaf is tried case by case


def is_for(sequent: Sequent) -> bool:
    """Facts for every index, or a natural number that the goal counts with."""
    return any(map(for_every_index, sequent.facts)) or bool(_counters(sequent))


def is_likely(sequent: Sequent) -> bool:
    """Entries at given places, products, sums beside a logarithm, or facts that tie an entry to the next one."""
    kinds = {p.op for p in (*terms_of(sequent.goal), *parts(sequent.goal))}
    if ({"prod", "log"} & kinds and kinds & {"prod", "sum"}) or any(p.op == "index" for p in terms_of(sequent.goal)):
        return True
    bound = [(fact, fact.binder[0]) for fact in sequent.facts if fact.binder and for_every_index(fact)]
    return any(p.op == "index" and p.args[1] != sym(i) for fact, i in bound for p in parts(fact))


def find(sequent: Sequent, effort: Effort, search: Search) -> Certificate | None:
    if not is_for(sequent) or sequent.goal.op not in OPS:
        return None
    if is_root(sequent.goal):
        return root(sequent, lambda here: find(here, effort, search))
    return quickly(sequent, effort) or _thoroughly(sequent, effort, search)


def quickly(sequent: Sequent, effort: Effort) -> Certificate | None:
    """The likely ways with quick leaves: most proofs need no more, and what fails fails soon."""
    filler = Filler(partial(leaf, rounds=1), {}, effort.deeper())
    weighted = totals.tactics(sequent, products=True) if totals.has_products(sequent) else ()
    found = _by_rates(sequent, filler) or filler.first(chain(_paired(sequent), weighted, _tactics(sequent)), sequent)
    if found is not None:
        return found
    frame = _with_signs_of_totals(Frame(sequent), filler)
    found = filler.first(_tactics(frame.sequent), frame.sequent) if frame.steps else None
    return None if found is None else frame.close(found)


def _by_rates(sequent: Sequent, filler: Filler) -> Certificate | None:
    """Where a recursion uses another one: what that one keeps, and the rest without it."""
    frame = _with_entries(Frame(sequent), filler) if strengthening.is_coupled(sequent) else Frame(sequent)
    rest = strengthening.without_rated(frame.sequent, len(sequent.facts))
    found = with_only(rest, frame.sequent, lambda here: filler.first(_tactics(here), here)) if frame.steps else None
    return None if found is None else frame.close(found)


def _paired(sequent: Sequent) -> Iterator[Tactic]:
    for name in _counters(sequent):
        for goal in _in_pairs(sequent, name):
            for start in _starts(name, sequent):
                yield _induction(goal, name, start, sequent)


def _thoroughly(sequent: Sequent, effort: Effort, search: Search) -> Certificate | None:
    filler = Filler(leaf, {}, effort.deeper())
    found = _by_rates(sequent, filler) or _rearranged(_without_divisor(sequent), sequent, effort, search)
    found = found or leaf(sequent, effort, {}) or filler.first(_tactics(sequent), sequent)
    found = found or _rearranged(_reciprocal(sequent), sequent, effort, search)
    if found is not None:
        return found
    frame = _with_entries(_with_signs_of_totals(Frame(sequent), filler), filler)
    if frame.steps:
        found = filler.first(_tactics(frame.sequent), frame.sequent)
    if found is not None:
        return frame.close(found)
    return filler.first(_more_tactics(sequent), sequent)


def _rearranged(
    forms: Iterable[list[Relation]], sequent: Sequent, effort: Effort, search: Search
) -> Certificate | None:
    """The goal from another form of it, which comes last, times signs that come before."""
    for facts in forms:
        frame = Frame(sequent)
        for fact in facts:
            here = frame.sequent.show(fact)
            if fact is facts[-1]:
                proof = find(here, effort.deeper(), search) if effort.depth < 2 else None
            else:
                proof = leaf(here, effort, {}) or sums.positive(here, effort, leaf)
            if proof is None:
                break
            frame = frame.have(str(fact), proof)
        else:
            found = _by_product(frame.sequent, len(sequent.facts))
            if found is not None:
                return frame.close(found)
    return None


def _without_divisor(sequent: Sequent) -> Iterator[list[Relation]]:
    """The goal times a divisor with a sum or a product in it."""
    if sequent.goal.op == "==":
        return
    gap, strict = difference(sequent.goal)
    ring, (value,), atoms = scalars_of([gap])
    for sign in (1, -1):  # whichever of them is positive
        below, above = (atoms.restore(polynomial_node(part * sign, ring.names)) for part in (value.den, value.num))
        if any(p.op in ("sum", "prod") for p in walk(below)):
            yield [Relation(">", below, num(0)), Relation(">" if strict else ">=", above, num(0))]


def _reciprocal(sequent: Sequent) -> Iterator[list[Relation]]:
    """1/d[n] >= B/A for a positive entry d[n] <= A/B: its recursion may add to the reciprocal."""
    goal = sequent.goal
    small, big = (goal.left, goal.right) if goal.op in ("<=", "<") else (goal.right, goal.left)
    if goal.op in ("<=", ">=") and small.op == "index" and big.op == "/":
        inverse = Relation(">=", Node("/", (num(1), small)), Node("/", (big.args[1], big.args[0])))
        yield [*(Relation(">", one, num(0)) for one in (small, *big.args)), inverse]


def _by_product(sequent: Sequent, since: int) -> Certificate | None:
    """The last fact times signs shown before it, or the goal times one of them."""
    signs, last = list(range(since, len(sequent.facts) - 1)), len(sequent.facts) - 1
    if len(signs) == 1:
        cert: Certificate = {"kind": "cone", "multiplier": signs, "terms": [{"c": "1", "of": [last]}]}
    else:
        cert = {"kind": "cone", "multiplier": signs[2:], "terms": [{"c": "1", "of": [last, *signs[:2]]}]}
    return cert if accepted(cert, sequent) else None


def _with_entries(frame: Frame, filler: Filler) -> Frame:
    """What the recursions of the hypotheses keep: signs and rates of their entries, for every index."""
    shown: set[str] = set()
    for every, start in strengthening.entries(frame.sequent):
        sign = every.partition(",")[2].rpartition(",")[2]
        if sign in shown:
            continue
        name, *_ = parse_relation(every).binder or ("n",)
        earlier = next(one for one in new_names(frame.sequent, "m", "l", stem="m") if one != name)
        try:
            proof = filler.fill(
                {
                    "kind": "have",
                    "open": True,
                    "fact": every,
                    "proof": _induct(name, start, earlier),
                    "then": {"kind": "identity"},
                },
                frame.sequent.show(TRUE),
            )
        except KernelError:
            continue
        shown |= {sign, sign.replace(" > ", " >= ")}
        frame = frame.within(every, {k: v for k, v in proof.items() if k != "then"}, "then")
    return frame


def leaf(sequent: Sequent, effort: Effort, library: object, rounds: int = arithmetic.THOROUGH) -> Certificate | None:
    """Arithmetic, with what the facts for every index, the unrolled sums and the signs of powers add."""
    if sequent.goal.op not in OPS:
        return None
    if is_root(sequent.goal):
        return root(sequent, lambda here: leaf(here, effort, library, rounds))
    if sequent.goal.op in (">=", "<=") and is_count(sequent.goal, sequent):
        return within(sequent.goal, sequent) or arithmetic.close(sequent)
    frame = with_instances(Frame.of(sequent))
    plain = arithmetic.close(frame.sequent, rounds=0)
    if plain is not None:
        return frame.close(plain)
    count = len(frame.sequent.facts)
    frame = with_instances(with_shifted(with_instances(with_terms_apart(frame), count)), count)
    frame = functions.with_laws(powers.with_signs(frame))
    frame = _with_quotients(frame)
    here = frame.sequent
    cert = opaque.find(here) or arithmetic.close(here, rounds=rounds)
    if cert is None and rounds >= arithmetic.THOROUGH:
        cert = _beyond_two(here) or _by_increment(here)
    return None if cert is None else frame.close(cert)


def _with_quotients(frame: Frame) -> Frame:
    """A recursion over a divisor of the goal: S[n + 1] == S[n] + a gives (S[n + 1] - S[n] - a)/S[n + 1] == 0."""
    facts = frame.sequent.facts
    divisors = {p.args[1] for p in parts(frame.sequent.goal, *(f for f in facts if f.binder is None)) if p.op == "/"}
    for below in sorted((d for d in divisors if d.op == "index"), key=text):
        at = next((i for i, f in enumerate(facts) if f == Relation(">", below, num(0))), None)
        for position, fact in enumerate(facts if at is not None else ()):
            if fact.op != "==" or fact.binder is not None or below not in {tidied(p) for p in parts(fact)}:
                continue
            gap = Node("/", (Node("-", (fact.left, fact.right)), below))
            sides: Certificate = {"kind": "both"}
            for op, weight in (("<=", "-1"), (">=", "1")):
                sides[op] = {"kind": "cone", "multiplier": [at], "terms": [], "modulo": [[position, weight]]}
            zero = Relation("==", gap, num(0))
            if zero not in facts and accepted(sides, frame.sequent.show(zero)):
                frame = frame.have(str(zero), sides)
    return frame


def _by_increment(sequent: Sequent) -> Certificate | None:
    """With reciprocals of entries: a fact of the same form, and what the goal has more than it."""
    if sequent.goal.op not in ("<=", ">=") or not _has_reciprocals(sequent.goal):
        return None
    gap, _ = difference(sequent.goal)
    for position, fact in enumerate(sequent.facts):
        if fact.binder is None and fact.op in ("<=", ">=") and _has_reciprocals(fact):
            rest = Relation(">=", Node("-", (gap, difference(fact)[0])), num(0))
            proof = arithmetic.close(sequent.show(rest))
            terms = [{"c": "1", "of": [position]}, {"c": "1", "of": [len(sequent.facts)]}]
            last = {"kind": "cone", "terms": terms}
            cert = {"kind": "have", "fact": str(rest), "proof": proof, "defined": {}, "then": last}
            if proof is not None and accepted(cert, sequent):
                return cert
    return None


def _has_reciprocals(relation: Relation) -> bool:
    divisors = [p.args[1] for p in parts(relation) if p.op == "/"]
    return any(part.op == "index" for one in divisors for part in walk(one))


def _beyond_two(sequent: Sequent) -> Certificate | None:
    """The first step of a recursion is often another one than those that follow: n <= 2 and n >= 2 apart."""
    names = sorted(relation_symbols(sequent.goal) & sequent.naturals)
    if len(names) != 1 or sequent.goal.op == "==" or len(sequent.facts) > FEW:
        return None
    cert: Certificate = {"kind": "cases", "on": f"{names[0]} - 2"}
    for case, op in (("nonpositive", "<="), ("nonnegative", ">=")):
        here = sequent.given(Relation(op, Node("-", (sym(names[0]), num(2))), num(0)))
        found = arithmetic.close(here)
        if found is None:
            return None
        cert[case] = found
    return cert


def _tactics(sequent: Sequent) -> Iterator[Tactic]:
    added = totals.tactics(sequent, products=False)
    kept, plain = _strengthened(sequent), _inductions(sequent)
    orders = (kept, added, plain) if strengthening.is_likely(sequent) else (added, kept, plain)
    for way in orders if totals.is_likely(sequent) else (plain, added, kept):
        yield from way


def _more_tactics(sequent: Sequent) -> Iterator[Tactic]:
    yield from _below_exponentials(sequent)
    yield from _multiplied_out(sequent)
    yield from totals.tactics(sequent, products=True)
    for name in _counters(sequent):
        stronger = (_in_pairs, _potentials, _last_of_falling, _intervals, _with_room)
        for goal in (one for way in stronger for one in way(sequent, name)):
            for start in _starts(name, sequent):
                yield _induction(goal, name, start, sequent)


def _multiplied_out(sequent: Sequent) -> Iterator[Tactic]:
    """The goal with its sums opened, where their terms know the end: sum(j, 1, n, (n - j)*a[j]) is two sums."""
    sums = [p for p in terms_of(sequent.goal) if p.op == "sum"]
    if not any(symbols(p.args[3]) & symbols(p.args[2]) & sequent.naturals for p in sums):
        return
    gap, _ = difference(sequent.goal)
    flat = Relation({"<=": ">=", "<": ">"}.get(sequent.goal.op, sequent.goal.op), shorter(gap), num(0))
    for name in _counters(sequent):
        for start in _starts(name, sequent):
            yield have(str(flat), _induction(flat, name, start, sequent.show(flat)))


def _with_room(sequent: Sequent, name: str) -> Iterator[Relation]:
    """A sum or a product below C, kept below C - w/(n + s): it has a limit that it does not reach."""
    small, big = sequent.goal.left, sequent.goal.right
    if sequent.goal.op != "<=" or small.op not in ("sum", "prod") or name in symbols(big):
        return
    for weight in (big, Node("/", (big, num(2))), num(1)):
        for shift in (1, 0):
            rest = Node("/", (weight, Node("+", (sym(name), num(shift)))))
            yield Relation("<=", small, Node("-", (big, rest)))


def _below_exponentials(sequent: Sequent) -> Iterator[Tactic]:
    """prod(k, lo, hi, f) <= exp(sum(k, lo, hi, f - 1)), for a product and an exponential of the goal."""
    if not any(p.op == "exp" for p in parts(sequent.goal)):
        return
    for node in [p for p in terms_of(sequent.goal) if p.op == "prod"]:
        *ends, body = node.args
        total = Node("sum", (*ends, shorter(Node("-", (body, num(1))))))
        fact = Relation("<=", node, Node("exp", (total,)))
        for name in sorted(symbols(node.args[2]) & sequent.naturals):
            yield have(str(fact), _induction(fact, name, "0", sequent.show(fact)))


def _strengthened(sequent: Sequent) -> Iterator[Tactic]:
    for name in dict.fromkeys([*_counters(sequent), *strengthening.counters(sequent)]):
        for goal in strengthening.invariants(sequent, name):
            for start in _starts(name, sequent):
                yield _induction(goal, name, start, sequent)


def _potentials(sequent: Sequent, name: str) -> Iterator[Relation]:
    """The bound for a whole potential, of which the goal's entry is a part: a[k + 1] + b[k + 1] <= q*(a[k] + b[k])."""
    entry, bound = sequent.goal.left, sequent.goal.right
    if sequent.goal.op != "<=" or entry.op != "index" or entry.args[1] != sym(name):
        return
    for fact in sequent.facts:
        if not for_every_index(fact) or fact.more or fact.binder is None or fact.op not in ("<=", "=="):
            continue
        last = Node("-", (sym(name), num(1)))
        whole = substitute(fact.left, {fact.binder[0]: last})
        for part in [p for p in walk(whole) if p.op == "index"]:
            whole = put(whole, part, tidied(part))
        if whole.op == "+" and entry in walk(whole):
            yield Relation("<=", whole, bound)


def _last_of_falling(sequent: Sequent, name: str) -> Iterator[Relation]:
    """n*a[n] <= b[0] - b[n] for a falling a with a[k + 1] <= b[k] - b[k + 1]: the rate of the last iterate."""
    for fact in sequent.facts:
        if not for_every_index(fact) or fact.more or fact.binder is None or fact.op != "<=":
            continue
        k = fact.binder[0]
        for one in [p for p in walk(fact.right) if p.op == "index" and p.args[1:] == (sym(k),)]:
            after = Node("index", (one.args[0], Node("+", (sym(k), num(1)))))
            still = shorter(put(fact.right, after, one))  # what is left when b stands still
            if after not in walk(fact.right) or k in symbols(still):
                continue
            left = substitute(fact.left, {k: Node("-", (sym(name), num(1)))})
            for part in [p for p in walk(left) if p.op == "index"]:
                left = put(left, part, tidied(part))
            first, last = (Node("index", (one.args[0], at)) for at in (num(0), sym(name)))
            moved = Node("-", (put(put(fact.right, after, last), one, first), still))
            total = Node("+", (moved, Node("*", (sym(name), still))))
            yield Relation("<=", Node("*", (sym(name), left)), shorter(total))


def _intervals(sequent: Sequent, name: str) -> Iterator[Relation]:
    """All that is known of the first entry, as an invariant: 0 <= x[0] <= 1 gives 0 <= x[n] <= 1."""
    entry = next((p for p in terms_of(sequent.goal) if p.op == "index" and p.args[1:] == (sym(name),)), None)
    if entry is None:
        return
    gaps = []
    for fact in sequent.facts:
        entries = {p for p in parts(fact) if p.op == "index"}
        first = entries.pop() if len(entries) == 1 else entry
        if fact.binder is None and fact.op in OPS[:4] and first.args[0] == entry.args[0] and first.args[1].op == "num":
            gaps.append(put(difference(fact)[0], first, entry))
    if len(gaps) > 1:
        yield Relation(">=", Node("min", tuple(gaps)), num(0))


def _inductions(sequent: Sequent) -> Iterator[Tactic]:
    for apart in (False, True):
        for name in _counters(sequent):
            for start in _starts(name, sequent):
                yield _induction(sequent.goal, name, start, sequent, apart)


def _counters(sequent: Sequent) -> list[str]:
    """Natural numbers that the goal uses as an index, an exponent or an end; then the others of the goal."""
    terms = terms_of(sequent.goal)
    counted = frozenset().union(*(symbols(p.args[1] if p.op == "**" else p) for p in terms)) if terms else frozenset()
    return sorted(relation_symbols(sequent.goal) & sequent.naturals & counted, reverse=True)


def _starts(name: str, sequent: Sequent) -> list[str]:
    """Where an induction over the name may begin: at its lower bounds, else at zero."""
    found = []
    for fact in sequent.facts:
        if fact.binder is not None or fact.op not in ("<=", ">=", "<", ">"):
            continue
        gap, strict = difference(fact)
        low = tidy(Node("-", (Node("+", (sym(name), num(int(strict)))), gap)))
        if symbols(gap) <= sequent.naturals and is_natural(low, sequent.naturals - {name}):
            found.append(text(low))
    return list(dict.fromkeys([*found, "0"]))


def _induction(goal: Relation, name: str, start: str, sequent: Sequent, apart: bool = False, stem: str = "n") -> Tactic:
    """forall(n, start, name, goal at n) by induction, and so the goal; the second case may be shown apart."""
    names = new_names(sequent, *(("n", "m", "l") if stem == "n" else ()), stem=stem)
    moving, earlier = next(names), next(names)
    body = substitute_relation(goal, {name: sym(moving)})
    every = f"forall({moving}, {start}, {name}, {body})"
    proof = _induct(moving, start, earlier)
    if apart:
        proof["step"] = _induct(moving, start, next(names))
    return {"kind": "have", "open": True, "fact": every, "proof": proof, "then": auto()}


def _induct(on: str, start: str, earlier: str) -> Tactic:
    return {"kind": "induct", "on": on, "start": start, "as": earlier, "long": auto(), "base": auto(), "step": auto()}


def _in_pairs(sequent: Sequent, name: str) -> Iterator[Relation]:
    """The goal at two neighbours in one: where a recursion looks two steps back."""
    bound = {one[0] for fact in sequent.facts for one in fact.binders}
    shifted = {text(p.args[1]) for f in sequent.facts if for_every_index(f) for p in parts(f) if p.op == "index"}
    if not any(f"{index} + 2" in shifted or f"{index} - 1" in shifted for index in bound):
        return
    gap, strict = difference(sequent.goal)
    both = (gap, Node("neg", (gap,))) if sequent.goal.op == "==" else (gap,)
    op = ">" if strict and sequent.goal.op != "==" else ">="
    for sign in ("+", "-"):
        try:
            moved = [substitute(one, {name: Node(sign, (sym(name), num(1)))}) for one in both]
        except KernelError:
            continue
        yield Relation(op, Node("min", (*both, *moved)), num(0))


def _with_signs_of_totals(frame: Frame, filler: Filler) -> Frame:
    """Products and sums of the goal keep a sign, or stay below one: shown first, for every length."""
    for node in [p for p in terms_of(frame.sequent.goal) if p.op in ("sum", "prod")]:
        for name in sorted(symbols(node.args[2]) & frame.sequent.naturals):
            first = text(node.args[1]) if node.args[1].op == "num" else "0"
            above = [(">=", 1, "0")] if node.op == "prod" else []
            for op, bound, start in ((">", 0, "0"), (">", 0, first), (">=", 0, "0"), ("<=", 1, "0"), *above):
                frame = _with_one_sign(frame, Relation(op, node, num(bound)), name, start, filler)
    return frame


def _with_one_sign(frame: Frame, goal: Relation, name: str, start: str, filler: Filler) -> Frame:
    if goal.right == num(0) and any(_says(fact, goal.left, name, start) for fact in frame.sequent.facts):
        return frame
    shown = _induction(goal, name, start, frame.sequent.show(goal), stem="at")  # a name that nothing else counts with
    tactic = {**shown, "then": {"kind": "identity"}}
    try:
        made = filler.fill(tactic, frame.sequent.show(TRUE))
    except KernelError:
        return frame
    step = {key: value for key, value in made.items() if key != "then"}
    return frame.within(str(made["fact"]), step, "then")


def _says(fact: Relation, node: Node, name: str, start: str) -> bool:
    """Whether the fact is that the sum or product up to every number from the start on is positive."""
    if fact.binder is None or fact.more or fact.op != ">" or text(fact.binder[1]) not in ("0", start):
        return False
    return substitute(fact.left, {fact.binder[0]: sym(name)}) == node
