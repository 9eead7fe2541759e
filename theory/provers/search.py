"""The proof search: cheap kinds first, equations and roots eliminated, cases split, then the heavier provers."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from theory.kernel.errors import KernelError
from theory.kernel.evaluate import Mat
from theory.kernel.flat import Atoms, difference, fractions_of, polynomial_node, scalars_of
from theory.kernel.kinds import has_letters
from theory.kernel.lang import Node, Relation, num, relation_symbols, replace_relation, sym, symbols, text, walk
from theory.kernel.rings import to_fraction
from theory.kernel.rules import Library, check
from theory.kernel.sequent import Certificate, Sequent, Tally
from theory.provers import (
    arithmetic,
    averages,
    clock,
    cofactors,
    exponentials,
    inductions,
    integers,
    letters,
    pairs,
    points,
    roots,
    sequences,
    slacks,
    slopes,
    squares,
    summands,
    sums,
    tangents,
    transcendental,
)
from theory.provers.effort import Effort
from theory.provers.frame import Frame
from theory.provers.functions import cited
from theory.provers.indices import for_every_index, is_count
from theory.provers.locality import plain, with_only
from theory.provers.rewriting import after_solving, free_parts, new_names, parts
from theory.provers.skeletons import Filler, Search
from theory.provers.tactics import termwise
from theory.provers.transcendental import LAWFUL

Finder = Callable[[Sequent, Effort], Certificate | None]


def search(sequent: Sequent, effort: Effort, library: Library | None = None) -> Certificate | None:
    """Try everything, cheap kinds first. The result has been checked."""
    if sequent.goal.binder is not None or clock.is_over() or not effort.fuel.burn():
        return None
    if has_letters(sequent.goal.left) or has_letters(sequent.goal.right):
        return points.find(sequent, effort, search) or letters.find(sequent, effort, search)
    kept = plain(sequent)
    if len(kept) < len(sequent.facts):
        found = letters.sum_of_facts(sequent, effort, search)
        found = found or with_only(kept, sequent, lambda here: search(here, effort, library))
        return found or letters.numbers_from(sequent, effort, search)
    for attempt in ATTEMPTS.values():
        cert = None if clock.is_over() else attempt(sequent, effort)
        if cert is not None and _accepted(cert, sequent):
            return cert
    return None


def _accepted(cert: Certificate, sequent: Sequent) -> bool:
    try:
        check(cert, sequent, {}, Tally())
    except KernelError:
        return False
    return True


def _trivial(sequent: Sequent, effort: Effort) -> Certificate | None:
    """The goal is a fact, or its sign is plain."""
    for position, fact in enumerate(sequent.every_fact()):
        if fact.binder is None and fact.op not in ("==", "!=") and sequent.goal.op not in ("==", "!="):
            cert = {"kind": "cone", "terms": [{"c": "1", "of": [position]}]}
            if _accepted(cert, sequent):
                return cert
    plain: Certificate = {"kind": "positive"}
    if _accepted(plain, sequent):
        return plain
    here = [part for part in (sequent.goal.left, sequent.goal.right) if part.op == "exp"]
    frame = Frame(sequent)
    for part in here if num(0) in (sequent.goal.left, sequent.goal.right) else []:
        frame = cited(frame, "exp-positive", {"t": text(part.args[0])})
    found = frame.close({"kind": "cone", "terms": [{"c": "1", "of": [len(sequent.facts)]}]})
    return found if frame.steps and _accepted(found, sequent) else None


def _by_identity(sequent: Sequent, effort: Effort) -> Certificate | None:
    cert: Certificate = {"kind": "identity"}
    if _accepted(cert, sequent):
        return cert
    for position, fact in enumerate(sequent.facts):
        if fact.op == "==" and fact.binder is None and sequent.goal.op in ("==", "<=", ">="):
            for cofactor in ("1", "-1"):
                cert = {"kind": "identity", "modulo": [[position, cofactor]]}
                if _accepted(cert, sequent):
                    return cert
    return None


def _positive_terms(sequent: Sequent, effort: Effort) -> Certificate | None:
    return sums.positive(sequent, effort, search) if effort.depth <= 6 else None


def _one_of_many(sequent: Sequent, effort: Effort) -> Certificate | None:
    return sums.one_of_many(sequent, effort, search) if effort.depth <= 6 else None


def _by_sums(sequent: Sequent, effort: Effort) -> Certificate | None:
    return sums.find(sequent, effort, search) if effort.depth <= 6 else None


def _by_signs_of_means(sequent: Sequent, effort: Effort) -> Certificate | None:
    return averages.signs(sequent, effort, search)


def _structural(find: Callable[[Sequent, Effort, Search], Certificate | None]) -> Finder:
    """A step that opens new goals of its own: near the root only."""
    return lambda sequent, effort: find(sequent, effort, search) if effort.depth <= 2 and effort.splits else None


_by_induction = _structural(inductions.find)
_by_pairs = _structural(pairs.find)
_by_squares = _structural(squares.find)
_by_sequences = _structural(sequences.find)
_by_more_laws = _structural(exponentials.find)
_by_roots = _structural(roots.find)
_by_summands = _structural(summands.find)
_by_slopes = _structural(slopes.find)
_by_tangents = _structural(tangents.find)


def _roots_first(sequent: Sequent, effort: Effort) -> Certificate | None:
    """Beside roots of sums: once the roots are named, nothing shows that they are. And means below one another."""
    return _by_roots(sequent, effort) if roots.is_compared(sequent) else None


def _slopes_first(sequent: Sequent, effort: Effort) -> Certificate | None:
    """Roots beside exponentials and logarithms: a root has a slope, its name has none."""
    kinds = {part.op for part in parts(sequent.goal)}
    return _by_slopes(sequent, effort) if "sqrt" in kinds and kinds & set(LAWFUL) else None


def _equal_squares(sequent: Sequent, effort: Effort) -> Certificate | None:
    return roots.find(sequent, effort, search) if sequent.goal.op == "==" else None


def _sequences_first(sequent: Sequent, effort: Effort) -> Certificate | None:
    """Entries at given places, products, recursions: nothing else knows what to do with them. Sums: the quick ways."""
    if effort.depth or not effort.splits:
        return None
    if sequences.is_likely(sequent):
        return _by_sequences(sequent, effort)
    summed = any(part.op == "sum" for part in parts(sequent.goal))
    bound = summed and sequent.goal.op in sequences.OPS and any(map(for_every_index, sequent.facts))
    return sequences.quickly(sequent, effort) if bound else None


_by_laws = _structural(transcendental.find)
_by_squares_of_means = _structural(averages.squares)


def _sequences_last(sequent: Sequent, effort: Effort) -> Certificate | None:
    return _by_sequences(sequent, effort) if not effort.depth and not sequences.is_likely(sequent) else None


def _is_unknown(sequent: Sequent) -> bool:
    """The goal has a power, an iteration or an exponential that no fact is about: algebra alone rarely helps."""
    new = set(parts(sequent.goal)) - set(parts(*sequent.facts))
    means = [q for p in new if p.op == "mean" for q in walk(p.args[-1]) if q.op == "/"]
    if any(q.op == "index" for one in means for q in walk(one.args[1])):
        return True
    return any(p.op in (*LAWFUL, "iterate") or (p.op == "**" and p.args[1].op == "sym") for p in new)


def _unknown_first(sequent: Sequent, effort: Effort) -> Certificate | None:
    if not _is_unknown(sequent):
        return None
    ways = (_by_tangents, _by_more_laws, _by_slopes, _by_laws, _by_induction)
    return next((cert for way in ways if (cert := way(sequent, effort)) is not None), None)


def _with_room(sequent: Sequent, effort: Effort) -> Certificate | None:
    """A strict inequality with a positive number to spare: without it, then with it."""
    if sequent.goal.op not in ("<", ">") or effort.depth or not effort.heavy:
        return None
    gap, _ = difference(sequent.goal)
    try:
        _, (value,), _ = scalars_of([gap])
    except KernelError:
        return None
    spare = value.num.to_dict().get((0,) * len(value.num.context().names()), 0)
    if not value.den.is_constant() or spare <= 0 or value.num.is_constant():
        return None
    fact = Relation(">=", Node("-", (gap, num(to_fraction(spare)))), num(0))
    proof = search(sequent.show(fact), effort.deeper())
    if proof is None:
        return None
    last = {"kind": "cone", "terms": [{"c": "1", "of": [len(sequent.facts)]}, {"c": str(to_fraction(spare))}]}
    return {"kind": "have", "fact": str(fact), "proof": proof, "then": last}


def _by_both(sequent: Sequent, effort: Effort) -> Certificate | None:
    """An equation from two inequalities, when each is within reach of the cheap provers."""
    if sequent.goal.op != "==":
        return None
    found: Certificate = {"kind": "both"}
    for op in ("<=", ">="):
        one = sequent.show(Relation(op, sequent.goal.left, sequent.goal.right))
        cert = next((c for c in (_trivial(one, effort), slacks.find(one)) if c is not None and _accepted(c, one)), None)
        if cert is None and effort.depth <= 4 and effort.heavy and _has_order(sequent):
            cert = arithmetic.close(one)
        if cert is None:
            return None
        found[op] = cert
    return found


def _by_cofactors(sequent: Sequent, effort: Effort) -> Certificate | None:
    return cofactors.find(sequent) if effort.depth <= 3 else None


def _whole_numbers(sequent: Sequent, effort: Effort) -> Certificate | None:
    """m < n between natural numbers is m + 1 <= n."""
    frame = Frame(sequent)
    for fact in sequent.facts:
        if effort.depth or fact.op not in ("<", ">") or not is_count(fact, sequent):
            continue
        gap = Node("-", (difference(fact)[0], num(1)))
        more = Relation(">=", gap, num(0))
        here = {"kind": "cone", "terms": [{"c": "1", "of": [len(frame.sequent.facts)]}]}
        cases: Certificate = {"kind": "cases", "on": text(gap), "whole": True, "nonnegative": here}
        absurd = frame.sequent.given(Relation("<=", gap, num(-1))).show(more)
        found = arithmetic.close(absurd)
        if more not in sequent.facts and found is not None:
            frame = frame.have(str(more), {**cases, "nonpositive": found})
    if not frame.steps:
        return None
    found = search(frame.sequent, effort.deeper())
    return None if found is None else frame.close(found)


def _by_integers(sequent: Sequent, effort: Effort) -> Certificate | None:
    counts = relation_symbols(sequent.goal) & sequent.naturals
    return integers.find(sequent) if counts and effort.depth <= 2 and effort.heavy else None


def _with_nonzero(sequent: Sequent, effort: Effort) -> Certificate | None:
    """What is not zero has a positive square: if not, the square times that of the reciprocal would not be one."""
    if effort.depth > 4 or not effort.heavy:
        return None
    for fact in [f for f in sequent.facts if f.op == "!=" and f.binder is None][:2]:
        gap = fact.left if fact.right == num(0) else Node("-", (fact.left, fact.right))
        square = Relation(">", Node("**", (gap, num(2))), num(0))
        here, e = len(sequent.facts), text(gap)
        cases = {
            "kind": "cases",
            "on": f"-(({e})**2)",
            "strict": True,
            "nonnegative": {
                "kind": "cone",
                "terms": [{"c": "1", "of": [here + 1, here]}, {"c": "1"}, {"c": "1", "sq": e}],
            },
            "nonpositive": {"kind": "cone", "terms": [{"c": "1", "of": [here + 1]}]},
        }
        reciprocal = f"(1/({e}))**2 >= 0"
        proof = {"kind": "have", "fact": reciprocal, "proof": {"kind": "positive"}, "defined": {}, "then": cases}
        if square in sequent.facts or not _accepted(proof, sequent.show(square)):
            continue
        then = search(sequent.given(square), effort.deeper())
        if then is not None:
            return {"kind": "have", "fact": str(square), "proof": proof, "defined": {}, "then": then}
    return None


def _has_order(sequent: Sequent) -> bool:
    """Inequalities between few numbers, or maxima: an equation may follow from both sides."""
    plain = all(f.binder is None for f in sequent.facts) and len(sequent.facts) <= 8
    return plain and (
        any(f.op != "!=" for f in sequent.facts) or any(p.op in ("max", "min") for p in parts(sequent.goal))
    )


def _eliminate(sequent: Sequent, effort: Effort) -> Certificate | None:
    """Split max/min/abs, name roots, solve equations: one at a time, then start again."""
    if effort.depth > 12:
        return None
    for attempt in (_split, _root, _solve):
        cert = attempt(sequent, effort)
        if cert is not None:
            return cert
    return None


def _free(sequent: Sequent) -> Iterator[Node]:
    return free_parts(sequent.goal, *(f for f in sequent.facts if f.binder is None))


def _split(sequent: Sequent, effort: Effort) -> Certificate | None:
    old = next((p for p in _free(sequent) if p.op in arithmetic.SPLITS), None)
    if old is None:
        return None
    return arithmetic.split(old, sequent, lambda here: search(here, effort.deeper()))


def _replaced(sequent: Sequent, old: Node, new: Node) -> Sequent:
    facts = tuple(replace_relation(f, old, new) for f in sequent.facts)
    return sequent.only(facts).show(replace_relation(sequent.goal, old, new))


def _root(sequent: Sequent, effort: Effort) -> Certificate | None:
    old = next((p for p in _free(sequent) if p.op == "sqrt"), None)
    if old is None:
        return None
    name = next(new_names(sequent, stem="r"))
    root = sym(name)
    facts = (Relation(">=", root, num(0)), Relation("==", Node("**", (root, num(2))), old.args[0]))
    named = _replaced(sequent, old, root).given(*facts)
    frame = roots.signs_of_root(named, root)
    found = search(frame.sequent, effort.deeper())
    return None if found is None else {"kind": "root", "of": text(old), "name": name, "then": frame.close(found)}


def _solve(sequent: Sequent, effort: Effort) -> Certificate | None:
    """Solve the first equation that is linear in a name; the most awkward names go first."""
    for position, fact in enumerate(sequent.facts):
        if fact.op != "==" or fact.binder is not None:
            continue
        for name in _solvable(fact, sequent)[:2]:
            cert: Certificate = {"kind": "solve", "fact": position, "for": name}
            inner = after_solving(cert, sequent)
            if inner is None:
                cert = _with_nonzero_slope(cert, fact, name, sequent, effort)
                inner = after_solving(cert, sequent)
            if inner is None:
                continue
            then = search(inner, effort.deeper())
            if then is not None:
                return {**cert, "then": then}
    return None


def _with_nonzero_slope(cert: Certificate, fact: Relation, name: str, sequent: Sequent, effort: Effort) -> Certificate:
    """The coefficient of the name must not vanish: look for its sign."""
    ring, (value,), atoms = scalars_of([Node("-", (fact.left, fact.right))])
    slope = value.num.derivative(ring.names.index(name))
    node = atoms.restore(polynomial_node(slope, ring.names))
    for side in (">", "<"):
        proof = search(sequent.show(Relation(side, node, num(0))), replace(effort, heavy=False).deeper())
        if proof is not None:
            return {**cert, "nonzero": {"side": side, "proof": proof}}
    return cert


def _solvable(fact: Relation, sequent: Sequent) -> list[str]:
    try:
        ring, (value,), atoms = fractions_of([Node("-", (fact.left, fact.right))])
    except KernelError:
        return []
    if isinstance(value, Mat):
        return []
    inside = {n for node in atoms.opaque.values() for n in symbols(node)}
    names = [
        n for i, n in enumerate(ring.names) if value.num.degrees()[i] == 1 and n.isidentifier() and n not in inside
    ]
    names = [n for n in names if n not in sequent.naturals] or names
    bare = [n for n in names if fact.left == sym(n) or fact.right == sym(n)]
    return bare + [n for n in names if n not in bare]


def _inequality(sequent: Sequent, effort: Effort) -> Certificate | None:
    if sequent.goal.op in ("==", "!="):
        return None
    for finder in _finders(effort):
        cert = finder(sequent, effort)
        if cert is not None and _accepted(cert, sequent):
            return cert
    return _by_cases(sequent, effort)


def _finders(effort: Effort) -> Iterator[Finder]:
    yield lambda sequent, _: slacks.find(sequent)
    yield _termwise
    if effort.heavy:
        yield from _heavy(effort)


def _heavy(effort: Effort) -> Iterator[Finder]:
    from theory.provers import boxes, cone_lp, sos
    from theory.provers.budget import Budget

    long = 20.0 if effort.patient else 6.0
    yield lambda sequent, _: cone_lp.find(sequent, Budget(seconds=long, rounds=3))
    yield lambda sequent, _: sos.find(sequent, Budget(seconds=long))
    if effort.depth == 0 or effort.splits == 0:
        yield lambda sequent, _: boxes.find(sequent, Budget(seconds=long))
    yield lambda sequent, _: cone_lp.find(sequent, Budget(seconds=long))


def _termwise(sequent: Sequent, effort: Effort) -> Certificate | None:
    """A difference that is linear in sums or means is compared term by term."""
    atoms = Atoms()
    atoms.flatten(Node("-", (sequent.goal.left, sequent.goal.right)))
    kinds = sorted({atom.kind for atom in atoms.by_name.values()})
    if not kinds or sequent.goal.op in ("<", ">", "==", "!="):
        return None
    index = next(new_names(sequent, "i", "j", "w", stem="i"))
    kept = [True] if "sum" in kinds and any(f.binder for f in sequent.facts) else []
    ways = [*(termwise(kind, index=index) for kind in kinds), *({**termwise(index=index), "kept": one} for one in kept)]
    return Filler(search, {}, effort.deeper()).first(ways, sequent)


def _by_cases(sequent: Sequent, effort: Effort) -> Certificate | None:
    """Order two names that are not ordered yet: on each side a slack appears."""
    if effort.splits <= 0:
        return None
    names = [n for n in sorted(symbols(sequent.goal.left) | symbols(sequent.goal.right)) if n.isidentifier()]
    lighter = replace(effort, splits=effort.splits - 1, heavy=False).deeper()
    for i, a in enumerate(names):
        for b in names[i + 1 :]:
            pivot = Node("-", (sym(a), sym(b)))
            high = search(sequent.given(Relation(">=", pivot, num(0))), lighter)
            if high is None:
                continue
            low = search(sequent.given(Relation("<=", pivot, num(0))), lighter)
            if low is not None:
                return {"kind": "cases", "on": text(pivot), "nonnegative": high, "nonpositive": low}
    return None


ATTEMPTS: dict[str, Finder] = {
    "a fact or a plain sign": _trivial,
    "an identity": _by_identity,
    "positive terms": _positive_terms,
    "signs of means": _by_signs_of_means,
    "squares of means": _by_squares_of_means,
    "two indices of a product of sums": _by_pairs,
    "one term of a sum": _one_of_many,
    "induction and sums of the hypotheses": _sequences_first,
    "closed forms and bounds of sums": _by_sums,
    "both inequalities": _by_both,
    "whole numbers apart": _whole_numbers,
    "multiples of equations": _by_cofactors,
    "equal squares": _equal_squares,
    "slopes beside roots": _slopes_first,
    "roots beside sums": _roots_first,
    "cases of min, max and abs, names for roots, solved equations": _eliminate,
    "laws, tangents and slopes": _unknown_first,
    "parts one by one": _by_summands,
    "linear programs, sums of squares, boxes, cases": _inequality,
    "induction over powers": _by_induction,
    "squares that vanish": _by_squares,
    "laws of exp, log, sin and cos": _by_laws,
    "induction and sums of the hypotheses, last": _sequences_last,
    "roots": _by_roots,
    "a number to spare": _with_room,
    "whole cases of factors": _by_integers,
    "reciprocals of what is not zero": _with_nonzero,
}
