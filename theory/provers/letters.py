"""Vectors and matrices of every size, means over independent samples: what the rule `order` needs is looked for here.

equations    letters that facts define are rewritten; then both sides are one word
weights      values and scalar products are linear: numbers say how much of each fact is needed
cauchy       the product of two squares in the goal is at least the square of the mixed number
numbers      scalar products, traces and means as single numbers in a linear argument (rule `expand`)
shadow       every size is 1: a sum of squares found there is one of vectors, if it is linear in them
candidates   facts between congruences, squares of letters, traces of products: a linear program picks among them
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from fractions import Fraction
from functools import partial
from itertools import combinations, islice, product
from typing import Any

from flint import fmpq_mpoly

from theory.kernel.errors import KernelError
from theory.kernel.flat import polynomial_node
from theory.kernel.kinds import NUMBER, ONE, Letter, has_letters, index_form, size_node, size_of
from theory.kernel.lang import Node, Relation, num, parse, relation_symbols, replace_relation, sym, symbols, text, walk
from theory.kernel.orders import advanced, difference, expanded, rewritten
from theory.kernel.rings import RationalFunctions
from theory.kernel.rules import check
from theory.kernel.sequent import Certificate, Sequent, Tally
from theory.kernel.spectral import at_any_vector
from theory.kernel.terms import Terms, normal, scalar_names
from theory.provers import arithmetic, cauchy, cleared, commuting, eigenvectors, histories, moments, weights, wordsos
from theory.provers.effort import Effort
from theory.provers.histories import definitions
from theory.provers.linear import Column, combine
from theory.provers.locality import with_only
from theory.provers.rewriting import after_solving, new_names
from theory.provers.skeletons import Search
from theory.search.shadow import shadow, shadow_fact

Item = dict[str, Any]
MOST_CANDIDATES = 900
MOST_ROOTS = 6
MOST_SPLITS = 3  # maxima and absolute values on one branch


def find(sequent: Sequent, effort: Effort, search: Search) -> Certificate | None:
    """A certificate for a goal with letters, or None."""
    if not sequent.world.letters or not (has_letters(sequent.goal.left) or has_letters(sequent.goal.right)):
        return None
    solved = _totals_put_in(sequent)
    if solved is not None:
        first, inner = solved
        then = find(inner, effort, search)
        return None if then is None else {**first, "then": then}
    nodes = parts_with_letters(sequent.goal)
    if splits(sequent, effort):
        return _by_split(nodes, sequent, effort, search)
    if any(part.op == "sqrt" for part in nodes):
        found = weights.by_square(sequent, effort, lambda here: _by_weights(here, effort, search), search)
        return found or _by_roots(sequent, effort, search)
    if histories.is_likely(sequent):
        cert = _by_histories(sequent, effort, search)
        if cert is not None:
            return cert
    ways = (
        _by_equations,
        _by_weights,
        _by_cauchy,
        _by_commuting,
        _by_words,
        _by_candidates,
        _by_more_words,
        _by_shadow,
        _by_numbers,
        _by_gram,
    )
    for attempt in ways:
        try:
            cert = attempt(sequent, effort, search)
        except KernelError:  # a way that has no meaning here
            continue
        if cert is not None and _accepted(cert, sequent):
            return cert
    late = (_by_roots, cleared.find, _by_eigenvectors, _by_form, _by_moments)
    return next((cert for way in late if (cert := way(sequent, effort, search)) is not None), None)


def _totals_put_in(sequent: Sequent) -> tuple[Certificate, Sequent] | None:
    """A number that is a sum of others, such as F == f + h, is put in."""
    for position, fact in enumerate(sequent.facts):
        if fact.op != "==" or fact.binder is not None or has_letters(fact.left) or has_letters(fact.right):
            continue
        for name, total in ((fact.left, fact.right), (fact.right, fact.left)):
            parts = {part.op for part in walk(total)}
            if name.op == "sym" and parts <= {"+", "-", "neg", "sym"} and "sym" in parts - {total.op}:
                cert: Certificate = {"kind": "solve", "fact": position, "for": str(name.value)}
                inner = after_solving(cert, sequent)
                if inner is not None:
                    return cert, inner
    return None


def parts_with_letters(goal: Relation) -> list[Node]:
    return [part for side in (goal.left, goal.right) for part in walk(side) if has_letters(part)]


def splits(sequent: Sequent, effort: Effort) -> bool:
    """Whether a maximum or an absolute value of the goal goes first."""
    return effort.depth < MOST_SPLITS and any(p.op in arithmetic.SPLITS for p in parts_with_letters(sequent.goal))


def _by_split(nodes: list[Node], sequent: Sequent, effort: Effort, search: Search) -> Certificate | None:
    """A maximum or an absolute value of numbers that are made of letters, case by case."""
    old = next(part for part in reversed(nodes) if part.op in arithmetic.SPLITS)
    cert = arithmetic.split(old, sequent, lambda here: search(here, effort.deeper(), {}))
    return cert if cert is not None and _accepted(cert, sequent) else None


def _accepted(cert: Certificate, sequent: Sequent) -> bool:
    try:
        check(cert, sequent, {}, Tally())
    except KernelError:
        return False
    return True


def _order(items: Iterable[Item] = (), ops: Iterable[Any] = ()) -> Certificate:
    return {"kind": "order", "items": list(items), "ops": list(ops)}


def _by_equations(sequent: Sequent, effort: Effort, search: Search) -> Certificate | None:
    uses = definitions(sequent)
    options: list[list[Any]] = [[], uses, [*uses, *uses]]
    if sequent.world.steps:
        options += [["advance"], ["advance", *uses]]
    for ops in options:
        cert = _order(ops=ops)
        if sequent.goal.op in ("==", "<=", ">=", "<<") and _accepted(cert, sequent):
            return cert
    return None


def _by_weights(sequent: Sequent, effort: Effort, search: Search) -> Certificate | None:
    """Weights of facts, that numbers propose."""
    return weights.find(sequent, definitions(sequent), effort, search)


def _by_numbers(sequent: Sequent, effort: Effort, search: Search) -> Certificate | None:
    """Each scalar product, trace or mean is one number."""
    if size_of(sequent.goal.left) != NUMBER:
        return None
    stem = _stem(sequent)
    try:
        inner = expanded(sequent, stem)
    except KernelError:
        return None
    plain = replace(inner, facts=tuple(inner.facts))
    then = search(plain, replace(effort.deeper(), splits=0), {})
    return None if then is None else {"kind": "expand", "stem": stem, "then": then}


def _is_about_letters(sequent: Sequent) -> bool:
    """A goal without letters, and facts with letters that speak of its names."""
    names = relation_symbols(sequent.goal)
    about = (f for f in sequent.facts if names & relation_symbols(f))
    return any(has_letters(f.left) or has_letters(f.right) for f in about)


def sum_of_facts(sequent: Sequent, effort: Effort, search: Search) -> Certificate | None:
    """A goal without letters that is a sum of facts with letters: f1 <= f0 - t*gap from a descent lemma."""
    if effort.depth > 1 or sequent.goal.op not in ("<=", ">=") or not _is_about_letters(sequent):
        return None
    try:
        cert = _by_candidates(sequent, effort, search)
    except KernelError:
        return None
    return cert if cert is not None and _accepted(cert, sequent) else None


def numbers_from(sequent: Sequent, effort: Effort, search: Search) -> Certificate | None:
    """A goal without letters, from facts with letters that speak of its names: q > 0 from q == 1 + norm2(x)."""
    goal = sequent.goal
    if effort.depth > 3 or goal.op not in ("<=", ">=", "<", ">") or not _is_about_letters(sequent):
        return None
    cert = _by_numbers(sequent, effort, search)
    if cert is not None or goal.op in ("<=", ">="):
        return cert or _by_words(sequent, effort, search)
    fact = Relation(">=", difference(goal), num(1))
    proof = _by_words(sequent.show(fact), effort, search)
    last = {"kind": "cone", "terms": [{"c": "1", "of": [len(sequent.facts)]}, {"c": "1"}]}
    cert = None if proof is None else {"kind": "have", "fact": str(fact), "proof": proof, "then": last}
    return cert if cert is not None and _accepted(cert, sequent) else None


def _by_roots(sequent: Sequent, effort: Effort, search: Search) -> Certificate | None:
    """Norms get names, r >= 0 and r**2 = the square; then Cauchy-Schwarz for the vectors in them."""
    own = _roots_in(sequent.goal)
    every = _roots_in(sequent.goal, *(fact for fact in sequent.facts if fact.binder is None))
    ways = [one for one in dict.fromkeys((tuple(own), tuple(every))) if 0 < len(one) <= MOST_ROOTS]
    found = (_with_roots(list(roots), sequent, effort, search) for roots in ways)
    return next((cert for cert in found if cert is not None), None)


def _with_roots(roots: list[Node], sequent: Sequent, effort: Effort, search: Search) -> Certificate | None:
    names = [name for name, _ in zip(new_names(sequent, stem="r"), roots, strict=False)]
    inner = sequent
    for root, name in zip(roots, names, strict=True):
        facts = (Relation(">=", sym(name), num(0)), Relation("==", Node("**", (sym(name), num(2))), root.args[0]))
        moved = tuple(replace_relation(fact, root, sym(name)) for fact in inner.facts)
        inner = inner.only(moved).show(replace_relation(inner.goal, root, sym(name))).given(*facts)
    cert = _by_products_of_norms(roots, names, inner, effort, search) or _by_gram(inner, effort, search)
    for root, name in reversed(list(zip(roots, names, strict=True))):
        cert = None if cert is None else {"kind": "root", "of": text(root), "name": name, "then": cert}
    return cert if cert is not None and _accepted(cert, sequent) else None


def _roots_in(*relations: Relation) -> list[Node]:
    nodes = [part for one in relations for side in (one.left, one.right) for part in walk(side)]
    return [part for part in dict.fromkeys(nodes) if part.op == "sqrt" and has_letters(part)]


def _by_products_of_norms(
    roots: list[Node], names: list[str], sequent: Sequent, effort: Effort, search: Search
) -> Certificate | None:
    """u.T@v <= norm(u)*norm(v) for the vectors whose norms occur; then everything is a number."""
    steps: list[tuple[str, Certificate]] = []
    vectors = [(one.args[0].args[1], name) for one, name in zip(roots, names, strict=True) if _is_square(one.args[0])]
    richer = sequent
    for (u, r), (v, s) in combinations(vectors, 2):
        for sign in ("", "-"):
            fact = f"{sign}(({text(u)}).T@({text(v)})) <= {r}*{s}"
            read = sequent.world.read_relation(fact)
            own = [_signs_of(name, sequent) for name in (r, s)]
            proof = with_only([*own[0], *own[1]], richer.show(read), partial(_product_below, u, v))
            if proof is not None:
                steps.append((fact, proof))
                richer = richer.given(read)
    result = _by_numbers(richer, effort, search)
    for fact, proof in reversed(steps):
        result = None if result is None else {"kind": "have", "fact": fact, "proof": proof, "then": result}
    return result


def _by_cauchy(sequent: Sequent, effort: Effort, search: Search) -> Certificate | None:
    """Cauchy-Schwarz where the goal has the product of two squares; then its numbers."""
    for form, row in cauchy.pairs(sequent):
        steps = cauchy.facts(form, row)
        richer = sequent.given(*(sequent.world.read_relation(fact) for fact, _ in steps))
        whole = cauchy.claim(form, row)
        here = richer.show(sequent.world.read_relation(whole))
        own = list(range(len(sequent.facts), len(richer.facts)))
        proof = with_only(own, here, partial(cauchy.product_above, stem=_stem(sequent)))
        cert = None if proof is None else _having([*steps, (whole, proof)], sequent, effort, search)
        if cert is not None:
            return cert
    return None


def _by_form(sequent: Sequent, effort: Effort, search: Search) -> Certificate | None:
    """An order of matrices at one new vector: there it is an inequality of numbers."""
    vector = next(new_names(sequent, "u", "v", "w", stem="u"))
    try:
        here = at_any_vector(vector, sequent)
    except KernelError:
        return None
    then = search(here, effort.deeper(), {})
    return None if then is None else {"kind": "form", "vector": vector, "then": then}


def _by_eigenvectors(sequent: Sequent, effort: Effort, search: Search) -> Certificate | None:
    names = new_names(sequent, "u", "e", stem="u")
    vector, value = next(names), next(one for one in new_names(sequent, "lam", "rho", stem="lam"))

    def numbers(steps: list[eigenvectors.Step], here: Sequent) -> Certificate | None:
        return _having(steps, here, effort, search)

    return eigenvectors.find(sequent, vector, value, numbers)


def _by_commuting(sequent: Sequent, effort: Effort, search: Search) -> Certificate | None:
    """Products of bounds of one symmetric matrix as facts; then the goal."""
    known = [] if effort.depth else list(commuting.steps(sequent))
    if not known:
        return None
    here = sequent.given(*(sequent.world.read_relation(fact) for fact, _ in known))
    found = find(here, effort.deeper(), search)
    for fact, proof in reversed(known):
        found = None if found is None else {"kind": "have", "fact": fact, "proof": proof, "then": found}
    return found


def _by_histories(sequent: Sequent, effort: Effort, search: Search) -> Certificate | None:
    try:
        cert = histories.find(sequent, effort, search)
    except KernelError:  # no numbers
        return None
    return cert if cert is not None and _accepted(cert, sequent) else None


def _by_moments(sequent: Sequent, effort: Effort, search: Search) -> Certificate | None:
    """Means of random numbers, tied together by Cauchy-Schwarz."""
    if effort.depth > 1:
        return None
    try:
        return moments.find(sequent) if size_of(sequent.goal.left) == NUMBER else None
    except KernelError:
        return None


def _stem(sequent: Sequent) -> str:
    return next(stem for stem in ("z", "zz", "zeta_") if not any(n.startswith(stem) for n in _names(sequent)))


def _signs_of(name: str, sequent: Sequent) -> list[int]:
    """Where it stands that the named root is not negative, and what its square is."""
    wanted = (sym(name), Node("**", (sym(name), num(2))))
    return [next(i for i, f in enumerate(sequent.facts) if f.left == one and f.op != "<=") for one in wanted]


def _product_below(u: Node, v: Node, sequent: Sequent) -> Certificate | None:
    """q <= r*s from q**2 <= r**2*s**2 with r, s >= 0: where p = q - r*s is positive, -p*p is the sum of both gaps."""
    size = text(size_node(size_of(u)[0]))
    a, b = f"({text(u)})", f"({text(v)})"
    half = {"is": "1/2", "because": {"kind": "positive"}}
    square = _order([{"tr": [{"L": f"{a}@{b}.T - {b}@{a}.T"}, {"L": f"I({size})"}], "c": [half]}])
    fact = f"({a}.T@{b})**2 <= ({a}.T@{a})*({b}.T@{b})"
    stem = _stem(sequent)
    try:
        inner = expanded(sequent.given(sequent.world.read_relation(fact)), stem)
    except KernelError:
        return None
    r = str(inner.facts[0].left.value)
    below: Certificate = {
        "kind": "cone",
        "multiplier": [5],
        "terms": [{"c": "1", "of": [4]}, {"c": "2", "of": [5, 0, 2]}],
        "modulo": [[1, text(inner.facts[3].right)], [3, f"{r}**2"]],
    }
    cases = {
        "kind": "cases",
        "on": text(Node("-", (inner.goal.right, inner.goal.left))),
        "strict": True,
        "nonnegative": {"kind": "cone", "terms": [{"c": "1", "of": [5]}]},
        "nonpositive": below,
    }
    cert = {"kind": "have", "fact": fact, "proof": square, "then": {"kind": "expand", "stem": stem, "then": cases}}
    return cert if _accepted(cert, sequent) else None


def _is_square(node: Node) -> bool:
    return node.op == "@" and node.args[0].op == "T" and node.args[0].args[0] == node.args[1]


def _names(sequent: Sequent) -> frozenset[str]:
    return frozenset().union(*(relation_symbols(r) for r in (sequent.goal, *sequent.facts))) | sequent.naturals


# ---- candidates for a linear program


def _by_candidates(sequent: Sequent, effort: Effort, search: Search) -> Certificate | None:
    goal = sequent.goal
    if goal.op not in ("<<", "<=", ">=", "=="):
        return None
    small, big = (goal.right, goal.left) if goal.op in (">=", "==") else (goal.left, goal.right)
    gap = Node("-", (big, small))
    uses: list[Any] = definitions(sequent)
    if any(part.op == "letter" and part.value.name in sequent.world.steps for part in walk(gap)):
        uses = ["advance", *uses]
    items = islice(_candidates(sequent, goal.op), MOST_CANDIDATES)
    built = [(item, node) for item in items if (node := _node_of(item, sequent)) is not None]
    built = [(item, node) for item, node in built if size_of(node) == size_of(gap)]
    for multiplier in (None, *_strict(sequent)):
        raised = gap if multiplier is None else Node("*", (difference(sequent.every_fact()[multiplier]), gap))
        try:
            weights = _combined(raised, [node for _, node in built], [("eq" in i) for i, _ in built], sequent, uses)
        except (KernelError, ArithmeticError, ValueError):
            return None
        if weights is not None:
            chosen = [_weighted(built[i][0], weight) for i, weight in weights.items()]
            return _order(chosen, uses) | ({} if multiplier is None else {"multiplier": [multiplier]})
    return None


def _strict(sequent: Sequent) -> list[int]:
    facts = enumerate(sequent.every_fact())
    return [i for i, fact in facts if _is_number_fact(fact) and fact.op in ("<", ">")][:3]


def _weighted(item: Item, weight: Fraction) -> Item:
    if "eq" in item:
        return {**item, "k": f"{weight}" if "k" not in item else f"({weight})*({item['k']})"}
    number = {"is": str(weight), "because": {"kind": "positive"}}
    return {**item, "c": [number, *item.get("c", [])]} if weight != 1 else item


def _combined(
    gap: Node, nodes: list[Node], free: list[bool], sequent: Sequent, uses: list[Any]
) -> dict[int, Fraction] | None:
    """Weights with gap = sum of weight * part: every word and every monomial of numbers is a coordinate."""
    equations = wordsos.rewrites(uses, sequent)
    sides = [side for e in equations if e for side in (e.left, e.right)]
    sides += [side for step in sequent.world.steps.values() for side in (step.body, step.start)]
    ring = RationalFunctions(scalar_names([gap, *nodes, *sides]))
    values = [normal(node, ring) for node in (gap, *nodes)]
    for one in equations:
        values = [advanced(v, sequent, ring) if one is None else rewritten(v, one, ring) for v in values]
    keys = sorted({key for value in values for key in value.terms}, key=repr)
    names = (*ring.names, *(f"#{i}" for i in range(len(keys))))
    wide = RationalFunctions(names)
    polys = [_polynomial(value, keys, wide) for value in values]
    columns = [
        Column(p, factors=(i,), equation=0 if free[i] else None) for i, p in enumerate(polys[1:]) if p is not None
    ]
    if polys[0] is None or (not columns and not polys[0].is_zero()):
        return None
    if polys[0].is_zero():
        return {}
    found = combine(polys[0], columns, strict=False, seconds=5.0)
    if found is None:
        return None
    return {c.factors[0]: Fraction(int(w.p), int(w.q)) for w, c in found if w != 0}


def _polynomial(value: Terms, keys: list[Any], wide: RationalFunctions) -> fmpq_mpoly | None:
    """Linear in one new variable for each word; None where a coefficient is no polynomial."""
    total = wide.ctx.constant(0)
    for key, coefficient in value.terms.items():
        if not coefficient.den.is_constant():
            return None
        node = polynomial_node(coefficient.num, value.ring.names)
        from theory.kernel.evaluate import evaluate

        number = evaluate(node, {n: wide.var(n) for n in symbols(node)}, wide) if symbols(node) else None
        factor = number.num if number is not None else wide.ctx.constant(_constant(node))
        total += factor * wide.ctx.gen(len(value.ring.names) + keys.index(key))
    return total


def _constant(node: Node) -> Any:
    from theory.kernel.rings import to_fmpq

    return to_fmpq(Fraction(node.value))


def _node_of(item: Item, sequent: Sequent) -> Node | None:
    """The formula that the kernel will build from the candidate."""
    from theory.kernel.orders import _Builder

    try:
        node = _Builder({"_depth": 0}, sequent, {}, Tally()).part(item, sequent.world)
        size_of(node)
        return node
    except (KernelError, LookupError, TypeError):
        return None


def _candidates(sequent: Sequent, op: str) -> Iterator[Item]:
    every = sequent.every_fact()
    letters = [one for one in _used(sequent) if not one.indices or one.indices[-1] == "nat"]
    for position, fact in enumerate(every):
        if fact.binder is None and fact.op == "==" and (has_letters(fact.left) or has_letters(fact.right)):
            yield from _equation_items(position, fact, sequent)
    if op == "==":
        return
    frames = [None, *dict.fromkeys(_congruences(sequent))]
    numbers = [{"fact": i} for i, f in enumerate(every) if _is_number_fact(f) and not _is_plain_size(f, sequent)]
    factors: list[list[Item]] = [[], *([one] for one in numbers)]
    factors += [[{"sq": name}] for name in _numbers(sequent)[:6]]
    factors += [list(pair) for pair in combinations(numbers[:4], 2)]
    scaled = [[one, {"sq": name}] for one in numbers[:4] for name in _numbers(sequent)[:4]]
    yield from _blocks(sequent)
    for frame in frames:
        around = {} if frame is None else {"L": frame}
        own = factors[: 1 + len(numbers)] if frame else factors + scaled
        for position, fact in enumerate(every):
            if fact.binder is None and fact.op in ("<<", "<=", ">=", "<", ">"):
                yield from ({"of": position, **around, "c": c} for c in own)
        for name in _nonnegative(letters):
            yield from ({"psd": name, **around, "c": c} for c in factors)
        if frame is not None:
            yield from ({**around, "c": c} for c in factors)
    yield from _random_squares(sequent)
    yield from _traces(sequent, letters, every)


def _blocks(sequent: Sequent) -> Iterator[Item]:
    """[[A, B], [B.T, C]] with a positive definite letter A, by elimination: what is left is C - B.T@inv(A)@B."""
    for node in (part for side in (sequent.goal.left, sequent.goal.right) for part in walk(side)):
        if node.op != "blocks" or len(node.args) != 2 or any(len(row.args) != 2 for row in node.args):
            continue
        (first, _), (below, last) = (row.args for row in node.args)
        if first.op == "letter" and first.value.sign == "pd":
            n, m = (text(size_node(size_of(one)[0])) for one in (first, last))
            yield {"psd": text(first), "L": f"[[I({n})], [({text(below)})@inv({text(first)})]]"}
            facts = (i for i, fact in enumerate(sequent.facts) if fact.binder is None and fact.op == "<<")
            yield from ({"of": i, "L": f"[[O({n}, {m})], [I({m})]]"} for i in facts)


def _is_plain_size(fact: Relation, sequent: Sequent) -> bool:
    """n >= 1 of a size, n >= 0 of a natural number."""
    return (symbols(fact.left) | symbols(fact.right)) <= sequent.naturals


def _numbers(sequent: Sequent) -> list[str]:
    """Plain numbers of the goal, those that multiply something first."""
    sides = (sequent.goal.left, sequent.goal.right)
    names = symbols(sides[0]) | symbols(sides[1])
    factors = {n for side in sides for part in walk(side) if part.op in ("*", "/", "**") for n in symbols(part)}
    return sorted(names - sequent.naturals - sequent.world.names, key=lambda name: (name not in factors, name))


def _is_number_fact(fact: Relation) -> bool:
    return fact.binder is None and fact.op in ("<=", ">=", "<", ">") and not has_letters(fact.left)


def _used(sequent: Sequent) -> list[Letter]:
    nodes = [side for r in (sequent.goal, *sequent.facts) for side in (r.left, r.right)]
    return list(dict.fromkeys(part.value for node in nodes for part in walk(node) if part.op == "letter"))


def _nonnegative(letters: list[Letter]) -> Iterator[str]:
    for one in letters:
        if one.sign in ("psd", "pd") and not one.indices:
            yield one.name
        if one.sign == "pd" and not one.indices:
            yield f"inv({one.name})"


def _congruences(sequent: Sequent) -> Iterator[str]:
    """What may stand around a fact: letters of the goal, their inverses and transposes, and differences of vectors."""
    nodes = [side for r in (sequent.goal, *sequent.facts) for side in (r.left, r.right)]
    plain = list(dict.fromkeys(p for n in nodes for p in walk(n) if p.op == "letter" and _is_fixed(p)))
    for part in plain:
        yield from (text(part), f"{text(part)}.T")
        if part.value.sign == "pd":
            yield f"inv({text(part)})"
    for fact in sequent.facts:
        if fact.binder is None and fact.op == "<<":
            yield f"({text(difference(fact))})"
    vectors = [text(p) for p in plain if p.value.cols == ONE and p.value.rows != ONE]
    for a, b in combinations(vectors, 2):
        yield from (f"({a} - {b}).T", f"({a} + {b}).T")
    for matrix in (text(p) for p in plain if p.value.sign == "pd"):
        for a, b in product(vectors, vectors):
            yield f"({matrix}@{a} - {b}).T"
        yield from (
            f"inv({matrix})@({text(difference(f))})" for f in sequent.facts if f.binder is None and f.op == "<<"
        )
    square = [p.value for p in plain if p.value.rows == p.value.cols != ONE and p.value.sign != "pd"][:3]
    yield from (f"({one.name}@{v} - {v}).T" for one in square if not one.indices for v in vectors[:3])
    for node in (sequent.goal.left, sequent.goal.right):
        yield from _prefixes(node)
    for part in dict.fromkeys(p for n in nodes for p in walk(n) if p.op in ("+", "-") and _is_vector(p)):
        yield f"({text(part)}).T"


def _prefixes(node: Node) -> Iterator[str]:
    """The beginnings of products: B@A of B@A@X@A.T@B.T."""
    if node.op != "@":
        for arg in node.args:
            yield from _prefixes(arg)
        return
    factors = [node]
    while factors[0].op == "@":
        factors = [*factors[0].args, *factors[1:]]
    fixed = [one for one in factors[:3] if not any(p.op in ("mean", "sum") for p in walk(one))]
    for count in range(2, len(fixed) + 1):
        yield "@".join(f"({text(one)})" for one in fixed[:count])


def _is_fixed(part: Node) -> bool:
    return part.value.space is None


def _is_vector(part: Node) -> bool:
    try:
        rows, cols = size_of(part)
    except KernelError:
        return False
    return has_letters(part) and cols == ONE and rows != ONE and not any(p.op == "mean" for p in walk(part))


def _equation_items(position: int, fact: Relation, sequent: Sequent) -> Iterator[Item]:
    yield {"eq": position}
    yield {"eq": position, "T": 1}
    names = _numbers(sequent)[:4]
    if size_of(fact.left) == NUMBER:
        yield from ({"eq": position, "k": name} for name in names)
        return
    weights = ("1", *names, *(f"{name}**2" for name in names))
    for space, state in _states(sequent):
        for weight in weights:
            yield {"eq": position, "E": {"past_": space}, "L": f"{state}.T", "k": weight}
            yield {"eq": position, "E": {"past_": space}, "T": 1, "L": state, "k": weight}
            yield {"eq": position, "E": {"past_": space}, "R": f"{state}.T", "k": weight}
    sides = list(_congruences(sequent))[:12]
    for left in (None, *sides):
        for right in (None, *sides):
            around = ({"L": left} if left else {}) | ({"R": right} if right else {})
            for weight in weights if not (left and right) else ("1",):
                if around:
                    yield {"eq": position, **around, "k": weight}


def _random_squares(sequent: Sequent) -> Iterator[Item]:
    """Means of squares of random vectors, of their distance from the mean, and of the distance of two samples."""
    for one in _used(sequent):
        if not one.indices or one.indices[-1] == "nat" or one.cols != ONE or len(one.indices) > 1:
            continue
        if (one.rows, one.cols) == NUMBER:
            yield from _random_numbers(one, sequent)
            continue
        space, name = one.indices[-1], one.name
        own, other = f"{name}[sample_]", f"{name}[other_]"
        mean = f"E(mean_, {name}[mean_])"
        yield {"E": {"sample_": space}, "L": f"{own}.T"}
        yield {"E": {"sample_": space}, "L": f"({own} - {mean}).T"}
        yield {"E": {"sample_": space, "other_": space}, "L": f"({own} - {other}).T"}
        yield {"E": {"sample_": space}, "L": own}
        yield {"E": {"sample_": space}, "L": f"{own} - {mean}"}
        yield {"L": f"{mean}.T"}
        for frame in list(dict.fromkeys(_congruences(sequent)))[:8]:
            if frame.endswith(".T"):
                yield {"E": {"sample_": space}, "L": f"({own} - {frame[:-2]}).T"}
                yield {"L": f"({mean} - {frame[:-2]}).T"}


def _random_numbers(one: Letter, sequent: Sequent) -> Iterator[Item]:
    space, own = one.indices[-1], f"{one.name}[sample_]"
    mean = f"E(mean_, {one.name}[mean_])"
    for other in ("0", "1", "-1", mean, *_numbers(sequent)[:4]):
        yield {"E": {"sample_": space}, "L": f"{own} - ({other})"}
        yield {"L": f"{mean} - ({other})"}


def _states(sequent: Sequent) -> Iterator[tuple[str, str]]:
    """States of random recursions one step before they stand in the goal."""
    nodes = (part for side in (sequent.goal.left, sequent.goal.right) for part in walk(side))
    for part in dict.fromkeys(p for p in nodes if p.op == "letter" and p.value.name in sequent.world.steps):
        for time in (part.args[0], index_form(Node("-", (part.args[0], num(1))))):
            yield part.value.indices[-1], f"{part.value.name}[{text(time)}, past_]"


def _traces(sequent: Sequent, letters: list[Letter], every: list[Relation]) -> Iterator[Item]:
    """The trace of a product of two nonnegative ones."""
    pool: list[Item] = [{"psd": name} for name in _nonnegative(letters)]
    pool += [{"of": i} for i, f in enumerate(every) if f.binder is None and f.op == "<<"]
    pool += [{"L": frame} for frame in list(dict.fromkeys(_congruences(sequent)))[:8]]
    for a, b in product(pool, pool):
        yield {"tr": [a, b]}
    vectors = [one.name for one in letters if one.cols == ONE and one.rows != ONE and not one.indices]
    for name, (u, v) in product(_nonnegative(letters), combinations(vectors[:4], 2)):
        yield {"tr": [{"psd": name}, {"psd": name, "L": f"{u}@{v}.T - {v}@{u}.T"}]}
    sizes = {
        text(p.args[0])
        for r in (sequent.goal, *sequent.facts)
        for s in (r.left, r.right)
        for p in walk(s)
        if p.op == "I"
    }
    sizes |= {name for one in letters for name, _ in one.rows if name}
    for a, size in product(pool, sorted(sizes)):
        yield {"tr": [a, {"L": f"I({size})"}]}


def _by_words(
    sequent: Sequent, effort: Effort, search: Search, rounds: tuple[wordsos.Round, ...] = wordsos.FIRST
) -> Certificate | None:
    """Squares of words, of random ones, of matrices."""
    uses: list[Any] = definitions(sequent)
    sides = (sequent.goal.left, sequent.goal.right)
    if any(part.op == "letter" and part.value.name in sequent.world.steps for side in sides for part in walk(side)):
        uses = ["advance", *uses]
    return wordsos.find(sequent, effort, search, uses, rounds)


def _by_more_words(sequent: Sequent, effort: Effort, search: Search) -> Certificate | None:
    return _by_words(sequent, effort, search, wordsos.LATER)


# ---- every size is 1


def _by_shadow(sequent: Sequent, effort: Effort, search: Search) -> Certificate | None:
    """A cone of squares among numbers, lifted: what is linear in the vectors holds in every dimension."""
    from theory.provers import cone_lp, sos
    from theory.provers.budget import Budget

    if sequent.goal.op not in ("<=", ">=") or size_of(sequent.goal.left) != NUMBER:
        return None
    names: dict[str, Node] = {}
    try:
        uses = definitions(sequent)
        facts = [shadow_fact(fact, names) for fact in sequent.facts]
        goal = Relation(sequent.goal.op, shadow(sequent.goal.left, names), shadow(sequent.goal.right, names))
    except KernelError:
        return None
    flat = Sequent(tuple(facts), goal)
    for budget, finder in ((Budget(seconds=3.0, rounds=3), cone_lp.find), (Budget(seconds=8.0), sos.find)):
        cert = finder(flat, budget)
        lifted = None if cert is None else _lifted(cert, names, sequent, uses)
        if lifted is not None and _accepted(lifted, sequent):
            return lifted
    return None


def _lifted(cert: Certificate, names: dict[str, Node], sequent: Sequent, uses: list[Item]) -> Certificate | None:
    if cert.get("kind") != "cone":
        return None
    items: list[Item] = []
    every = sequent.every_fact()
    for term in cert["terms"]:
        item = _lifted_term(term, names, every)
        if item is None:
            return None
        items.append(item)
    for position, cofactor in cert.get("modulo", []):
        if has_letters(every[position].left) and size_of(every[position].left) != NUMBER:
            continue  # a vector that is defined: it is rewritten
        items.append({"eq": position, "k": cofactor})
    return _order(items, uses) | ({"multiplier": cert["multiplier"]} if cert.get("multiplier") else {})


def _lifted_term(term: Item, names: dict[str, Node], every: list[Relation]) -> Item | None:
    weight = {"is": str(term["c"]), "because": {"kind": "positive"}}
    factors: list[Item] = [weight] if Fraction(term["c"]) != 1 else []
    of = list(term.get("of", []))
    square = parse(term["sq"]) if "sq" in term else None
    vectors = frozenset() if square is None else symbols(square) & set(names)
    item: Item = {}
    if square is not None and vectors:
        row = _row(square, names)
        if row is None:
            return None
        item["L"] = row
    elif square is not None:
        factors.append({"sq": text(square)})
    numbers = [i for i in of if not has_letters(every[i].left) and not has_letters(every[i].right)]
    others = [i for i in of if i not in numbers]
    if len(others) > 1 or (others and "L" in item):
        return None
    if others:
        item["of"] = others[0]
    elif numbers and "L" not in item:
        item["of"] = numbers.pop()
    factors += [{"fact": i} for i in numbers]
    if not item:
        item = {"L": "1"}
    return {**item, "c": factors}


def _row(square: Node, names: dict[str, Node]) -> str | None:
    """A linear form in the shadows of vectors, as a row: (2*u - eta*v).T."""
    ring = RationalFunctions(tuple(sorted(symbols(square))))
    from theory.kernel.evaluate import evaluate

    value = evaluate(square, ring.env(), ring)
    parts: dict[str, dict[Any, Any]] = {}
    for exponents, coefficient in value.num.to_dict().items():
        used = [ring.names[i] for i, e in enumerate(exponents) for _ in range(int(e)) if ring.names[i] in names]
        if len(used) != 1:
            return None
        rest = tuple(0 if ring.names[i] == used[0] else int(e) for i, e in enumerate(exponents))
        parts.setdefault(used[0], {})[rest] = coefficient
    terms = []
    for name, poly in sorted(parts.items()):
        node = names[name]
        if size_of(node)[1] != ONE:
            return None
        factor = polynomial_node(ring.ctx.from_dict(poly), ring.names)
        terms.append(f"({text(factor)})*{text(node)}")
    return f"({' + '.join(terms)}).T"


def _by_gram(sequent: Sequent, effort: Effort, search: Search) -> Certificate | None:
    """Cauchy-Schwarz and the squares of all vectors as facts; then scalar products are numbers."""
    if size_of(sequent.goal.left) != NUMBER or effort.depth > 1:
        return None
    plain = [fact for fact in (sequent.goal, *sequent.facts) if fact.binder is None]
    rows = [p for r in plain for s in (r.left, r.right) for p in _outside(s)]
    vectors = [p for p in dict.fromkeys(rows) if _is_fixed(p) and _is_vector(p)]
    return _with_products(vectors, sequent, effort, search) if vectors and len(vectors) <= 4 else None


def _outside(node: Node) -> Iterator[Node]:
    """The letters of a formula, without those at which functions are taken."""
    if node.op == "letter":
        yield node
    else:
        for arg in node.args:
            yield from _outside(arg)


def _with_products(vectors: list[Node], sequent: Sequent, effort: Effort, search: Search) -> Certificate | None:
    """The squares of the vectors, and their products by Cauchy-Schwarz."""
    sizes = {size_of(v)[0] for v in vectors}
    ((name, count),) = next(iter(sizes)) if len(sizes) == 1 and len(next(iter(sizes))) == 1 else (("", 0),)
    if not name or count != 1:
        return None
    steps: list[tuple[str, Certificate]] = []
    texts = [text(v) if v.op == "letter" else f"({text(v)})" for v in vectors]
    for v in texts:
        steps.append((f"{v}.T@{v} >= 0", _order([{"L": f"{v}.T"}])))
    half = {"is": "1/2", "because": {"kind": "positive"}}
    for u, v in combinations(texts, 2):
        proof = _order([{"tr": [{"L": f"{u}@{v}.T - {v}@{u}.T"}, {"L": f"I({name})"}], "c": [half]}])
        steps.append((f"({u}.T@{v})**2 <= ({u}.T@{u})*({v}.T@{v})", proof))
    return _having(steps, sequent, effort, search)


def _having(
    facts: list[tuple[str, Certificate]], sequent: Sequent, effort: Effort, search: Search
) -> Certificate | None:
    """The goal by its numbers, with these facts proved before it."""
    richer = sequent.given(*(sequent.world.read_relation(fact) for fact, _ in facts))
    cert = _by_numbers(richer, effort, search)
    for fact, proof in reversed(facts):
        cert = None if cert is None else {"kind": "have", "fact": fact, "proof": proof, "then": cert}
    return cert
