"""Matrices of every size, compared: X << Y means that Y - X is symmetric and nonnegative.

order    m * (right - left) = sum of  E(c * L @ Z @ L.T)  with c >= 0 and Z >= 0, of traces of products of two such,
         and of multiples of equations; m is a product of facts m > 0. Both sides are written as one formula, and that
         formula is zero in normal form.

Each part is built from the formulas that the certificate names, so nothing is believed but the identity:
- Z is a fact X << Y (its difference), an identity, a letter that is declared psd or pd, or the inverse of a pd letter;
- c is a product of facts that are inequalities, of squares, and of numbers with a proof of their own;
- a part may stand below means: a mean of nonnegative matrices is nonnegative;
- an equation may be multiplied from both sides, transposed, traced, and put below means;
- letters are rewritten by equations (`use`), and a random recursion takes its last step (`advance`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any

from theory.kernel import flat
from theory.kernel.counting import by_form, instance
from theory.kernel.errors import Malformed, Rejected
from theory.kernel.flat import Atoms
from theory.kernel.kinds import (
    NUMBER,
    ONE,
    World,
    elaborate,
    has_letters,
    index_form,
    is_point,
    put_vectors,
    sample_names,
    settled,
    settled_relation,
    size_from,
    size_node,
    size_of,
)
from theory.kernel.lang import (
    DOMAINS,
    Node,
    Relation,
    num,
    parse,
    replace_relation,
    substitute,
    sym,
    symbols,
    text,
    walk,
)
from theory.kernel.notions import unfold
from theory.kernel.proof import Library, check, require, require_defined
from theory.kernel.rings import RationalFunctions
from theory.kernel.sequent import Certificate, Sequent, Tally, freed, fresh, is_natural, released
from theory.kernel.terms import (
    Occurrence,
    Terms,
    formula,
    normal,
    occurrence,
    scalar_atoms,
    scalar_names,
    single,
    written,
)

Item = Mapping[str, Any]


def rule_order(cert: Certificate, sequent: Sequent, library: Library, tally: Tally) -> None:
    goal = sequent.goal
    if goal.binder is not None or goal.op not in ("<<", "<=", ">=", "=="):
        raise Rejected(f"order proves X << Y, <=, >= and ==, not {goal}")
    builder = _Builder(cert, sequent, library, tally)
    small, big = (goal.right, goal.left) if goal.op in (">=", "==") else (goal.left, goal.right)
    gap = _minus(big, small)
    if goal.op == "<<" and size_of(small)[0] != size_of(small)[1]:
        raise Rejected("an order is between square matrices")
    for position in cert.get("multiplier", []):
        fact = sequent.every_fact()[int(position)]
        if fact.binder is not None or fact.op not in ("<", ">") or not _is_number(fact.left):
            raise Rejected(f"{fact} is not a strict inequality between numbers, as a multiplier must be")
        gap = Node("*", (difference(fact), gap))
    for item in cert.get("items", []):
        if goal.op == "==" and "eq" not in item:
            raise Rejected("an equation has no slack; only equations are added up")
        part = builder.part(item, sequent.world)
        if size_of(part) != size_of(gap):
            raise Rejected(f"a part has another size than the goal: {text(part)[:120]}")
        gap = _minus(gap, part)
    rewrites = [builder.rewrite(step) for step in cert.get("ops", [])]
    nodes = [gap, *(side for one in rewrites if one for side in (one.left, one.right))]
    nodes += [side for step in sequent.world.steps.values() for side in (step.body, step.start)]
    ring = RationalFunctions(scalar_names(nodes))
    value = normal(gap, ring)
    for step, one in zip(cert.get("ops", []), rewrites, strict=True):
        only = step["advance"] if isinstance(step, dict) and one is None else None
        value = advanced(value, sequent, ring, only) if one is None else rewritten(value, one, ring)
    if value.terms:
        raise Rejected(f"the two sides of the identity differ by {str(value)[:300]}")


def rule_expand(cert: Certificate, sequent: Sequent, library: Library, tally: Tally) -> None:
    """Numbers made of letters are multiplied out, and each scalar product, trace or mean gets a name of its own.

    The goal is then shown for all values of those names. Divisors that cancel were nonzero; what leaves a sum is shown
    to have a value, for the sum may be empty.
    """
    certs, depth = cert.get("defined", {}), cert["_depth"]
    relations = (sequent.goal, *sequent.facts)
    opened = [_multiplied(relation, sequent.world) for relation in relations]
    for old, new in zip(relations, opened, strict=True):
        if new != old:
            require(
                (duty for side in (old.left, old.right) for duty in released(side)),
                sequent,
                certs,
                library,
                tally,
                depth,
            )
            hidden = [part for side in (new.left, new.right) for part in freed(side, sequent)]
            require_defined(hidden, sequent, certs, library, tally, depth)
    check(cert["then"], _with_names(opened, sequent, str(cert["stem"])), library, tally, depth)


def expanded(sequent: Sequent, stem: str) -> Sequent:
    return _with_names([_multiplied(one, sequent.world) for one in (sequent.goal, *sequent.facts)], sequent, stem)


def _with_names(relations: list[Relation], sequent: Sequent, stem: str) -> Sequent:
    atoms = Atoms()
    for relation in relations:
        if relation.binder is None and _is_number(relation.left):
            atoms.flatten(Node("-", (relation.left, relation.right)))
    numbers = sorted(name for name, node in atoms.opaque.items() if has_letters(node))
    names = {atom: f"{stem}{i}" for i, atom in enumerate(numbers, start=1)}
    fresh_names(names.values(), sequent)
    for atom, name in names.items():
        relations = [replace_relation(r, atoms.opaque[atom], sym(name)) for r in relations]
    return sequent.only(tuple(relations[1:])).show(relations[0])


def _multiplied(relation: Relation, world: World) -> Relation:
    sides = (relation.left, relation.right)
    if relation.binder is not None or not any(map(has_letters, sides)) or not _is_number(relation.left):
        return relation
    try:
        names, opaque = scalar_atoms(sides)
        ring = RationalFunctions(names)
        left, right = (formula(normal(side, ring), world.letters, opaque) for side in sides)
        return Relation(relation.op, left, right)
    except Malformed:
        return relation  # a quotient of letters: one number as it stands


class _Builder:
    """The parts of a sum, each as a formula; what has to be shown on the way is shown."""

    def __init__(self, cert: Certificate, sequent: Sequent, library: Library, tally: Tally) -> None:
        self.sequent, self.library, self.tally, self.depth = sequent, library, tally, cert["_depth"]
        self.defined = cert.get("defined", {})

    def read(self, world: World, source: Any) -> Node:
        """A formula of the certificate, among the samples that are open here; it has a value."""
        node = elaborate(unfold(parse(str(source)), world.notions), world)
        size_of(node)
        if any(part.op in ("sqrt", "log", "/", "inv") and _has_random(part) for part in walk(node)):
            raise Rejected(f"{text(node)[:120]}: roots and quotients of random numbers have no place here")
        require_defined([node], self.sequent, self.defined, self.library, self.tally, self.depth)
        return node

    def part(self, item: Item, world: World) -> Node:
        samples = {str(name): str(space) for name, space in item.get("E", {}).items()}
        inner = world.with_samples(samples)
        fresh_names(samples, self.sequent)
        node = self._equation(item, inner) if "eq" in item else self._nonnegative(item, inner)
        for name, space in samples.items():
            node = Node("mean", (sym(name), node), space)
        return node

    def _nonnegative(self, item: Item, world: World) -> Node:
        if "tr" in item:
            first, second = (self.part(one, world) for one in item["tr"])
            node = Node("tr", (Node("@", (first, second)),))
        else:
            node = self._congruence(item, world)
        for factor in item.get("c", []):
            node = Node("*", (self._factor(factor, world), node))
        return node

    def _congruence(self, item: Item, world: World) -> Node:
        left = self.read(world, item["L"]) if "L" in item else None
        if "of" in item:
            fact = self.fact(item["of"], item, world)
            if fact.op not in ("<<", "<=", ">=", "<", ">"):
                raise Rejected(f"{fact} is not an order")
            middle: Node | None = difference(fact)
        else:
            middle = self._declared(self.read(world, item["psd"])) if "psd" in item else None
        if left is None:
            if middle is None:
                raise Rejected("a part names a fact, a letter, or the factor L of a square L @ L.T")
            return middle
        middle = Node("*", (middle, _identity(left))) if middle is not None and _is_number(middle) else middle
        inner = left if middle is None else Node("@", (left, middle))
        return Node("@", (inner, Node("T", (left,))))

    def _declared(self, node: Node) -> Node:
        letter = node.args[0] if node.op == "inv" else node
        signs = ("pd",) if node.op == "inv" else ("psd", "pd")
        if letter.op != "letter" or letter.value.sign not in signs:
            raise Rejected(f"{text(node)[:120]} is not declared psd or pd")
        return node

    def _factor(self, factor: Any, world: World) -> Node:
        if "sq" in factor:
            node = self.read(world, factor["sq"])
            node = Node("*", (node, node))
        elif "fact" in factor:
            fact = self.fact(factor["fact"], factor, world)
            if fact.op not in ("<=", ">=", "<", ">"):
                raise Rejected(f"{fact} is not an inequality between numbers")
            node = difference(fact)
        else:
            node = self.read(self.sequent.world, factor["is"])
            goal = Relation(">=", node, num(0))
            check(factor["because"], self.sequent.show(goal), self.library, self.tally, self.depth)
        if size_of(node) != NUMBER:
            raise Rejected(f"{text(node)[:120]} is a matrix, and a factor is a number")
        return node

    def _equation(self, item: Item, world: World) -> Node:
        fact = self.fact(item["eq"], item, world)
        if item.get("sym"):
            if fact.op != "<<":
                raise Rejected(f"{fact} is not an order, which would say that its difference is symmetric")
            node = difference(fact)
            node = _minus(Node("T", (node,)), node)
        elif fact.op != "==":
            raise Rejected(f"{fact} is not an equation")
        else:
            node = _minus(fact.left, fact.right)
        node = Node("T", (node,)) if item.get("T") else node
        node = Node("@", (self.read(world, item["L"]), node)) if "L" in item else node
        node = Node("@", (node, self.read(world, item["R"]))) if "R" in item else node
        node = Node("tr", (node,)) if item.get("tr") else node
        return Node("*", (self.read(world, item["k"]), node)) if "k" in item else node

    def fact(self, position: Any, item: Item, world: World) -> Relation:
        """A fact at the indices and samples that the certificate gives."""
        every = self.sequent.every_fact()
        fact = every[int(position)]
        if fact.binder is None:
            return fact
        for image in (item.get("at", {})[name] for name, lo, _ in fact.binders if lo.op == "points"):
            self.read(world, image)
        plain, duties = placed(fact, item.get("at", {}), self.sequent, world)
        for duty in duties:
            if not by_form(duty, self.sequent):
                if symbols(duty.left) & set(world.samples):
                    raise Rejected(f"{duty}: a sample is no index")
                check(item.get("within", {})[str(duty)], self.sequent.show(duty), self.library, self.tally, self.depth)
        return plain

    def rewrite(self, step: Any) -> Relation | None:
        if step == "advance" or "advance" in step:
            return None
        fact = self.sequent.every_fact()[int(step["use"])]
        open_ = {
            name: f"{name}'" for name, lo, _ in fact.binders if lo.op == "domain" and name not in step.get("at", {})
        }
        world = self.sequent.world.with_samples({new: _space(fact, name) for name, new in open_.items()})
        at = {**step.get("at", {}), **open_}
        plain = self.fact(step["use"], {**step, "at": at}, world)
        if plain.op != "==":
            raise Rejected(f"{fact} is not an equation, and only equations rewrite")
        return plain


def _space(fact: Relation, name: str) -> str:
    return next(str(lo.value) for index, lo, _ in fact.binders if index == name)


def placed(fact: Relation, at: Mapping[str, str], sequent: Sequent, world: World) -> tuple[Relation, list[Relation]]:
    """A fact for every index and every sample, at some of them."""
    samples = {name: str(at[name]) for name, lo, _ in fact.binders if lo.op == "domain"}
    for name, image in samples.items():
        if world.samples.get(image) != _space(fact, name):
            raise Rejected(f"{image} is not a sample of {_space(fact, name)} here")
    counted = tuple(one for one in fact.binders if one[1].op not in DOMAINS)
    vectors = {name: _vector(at[name], lo, world) for name, lo, _ in fact.binders if lo.op == "points"}
    left, right = (substitute(s, {n: sym(i) for n, i in samples.items()}) for s in (fact.left, fact.right))
    body = settled_relation(Relation(fact.op, left, right).under(counted))
    plain, duties = instance(body, at, sequent) if counted else (body, [])
    return Relation(plain.op, put_vectors(plain.left, vectors), put_vectors(plain.right, vectors)), duties


def _vector(source: Any, points: Node, world: World) -> Node:
    node = elaborate(unfold(parse(str(source)), world.notions), world)
    if size_of(node) != (size_from(points.args[0]), ONE):
        raise Rejected(f"{text(node)[:120]} is not a vector of the size that the fact speaks of")
    return node


def fresh_names(samples: Iterable[str], sequent: Sequent) -> None:
    for name in samples:
        fresh(name, sequent)


def _has_random(node: Node) -> bool:
    return any(True for _ in sample_names(node))


def difference(fact: Relation) -> Node:
    """Nonnegative by the fact: a number, or a symmetric matrix."""
    return flat.difference(fact)[0]


def _minus(left: Node, right: Node) -> Node:
    return Node("-", (left, right))


def _is_number(node: Node) -> bool:
    return size_of(node) == NUMBER


def _identity(left: Node) -> Node:
    """The identity that stands behind L when a number stands in the middle."""
    return Node("I", (size_node(size_of(left)[1]),))


# ---- rewriting the normal form


def rewritten(value: Terms, equation: Relation, ring: RationalFunctions) -> Terms:
    """The letter on the left is replaced by the right side, wherever it stands; open samples match any sample."""
    if equation.left.op not in ("letter", "sum") or not has_letters(equation.left):
        raise Rejected(f"{equation}: one letter, or a sum of matrices, stands on the left of an equation that rewrites")
    old = occurrence(equation.left)

    def image(found: Mapping[str, str]) -> Node:
        return substitute(equation.right, {name: sym(mark) for name, mark in found.items()})

    def inside(one: Occurrence) -> Occurrence:
        """A letter that equals another one may stand for it as an argument, too."""
        if one.point is None or equation.right.op != "letter":
            return one
        found: dict[str, str] = {}
        point = occurrence(image(found)) if _matches(old, one.point, found) else inside(one.point)
        if one.mark is not None and any(part.mark == one.mark for part in point.nested()):
            raise Rejected(f"{equation}: the argument of {one.name} would have its sample")
        return replace(one, point=point)

    def put(one: Occurrence) -> Terms | None:
        found: dict[str, str] = {}
        if not _matches(old, one, found):
            return None if inside(one) == one else single(ring, inside(one))
        new = normal(image(found), ring)
        return new.transposed() if one.flip else new

    return value.rebuilt(lambda key: (put, ()))


def _matches(pattern: Occurrence, one: Occurrence, found: dict[str, str]) -> bool:
    """The same letter at the same indices; each open sample is one sample throughout, also in arguments."""
    if (pattern.name, pattern.at) != (one.name, one.at) or (pattern.point is None) != (one.point is None):
        return False
    if isinstance(pattern.mark, str) and pattern.mark.endswith("'"):
        if not isinstance(one.mark, str) or found.setdefault(pattern.mark, one.mark) != one.mark:
            return False
    elif pattern.mark != one.mark:
        return False
    return pattern.point is None or one.point is None or _matches(pattern.point, one.point, found)


def advanced(value: Terms, sequent: Sequent, ring: RationalFunctions, only: str | None = None) -> Terms:
    """The latest states of each history take their step, with one fresh sample; of the history `only`, if it is named.

    Of a bound history, E(h, f(states at t + 1)) = E(h, E(w, f(step))), term by term. Of a free one, the same path in
    all terms: its latest states anywhere are those that step, with the sample of that step, which may be any.
    """
    every = [letter for key in value.terms for letter in _letters(*key)]
    paths = [name for name, space in sequent.world.samples.items() if space in sequent.world.histories]
    free = _last_times(paths, every, sequent, only)
    return value.rebuilt(lambda key: _last_steps(key, free, sequent, ring, only))


def _letters(mono: Any, word: Any) -> list[Occurrence]:
    return [one for inner in (*(inner for kind, inner in mono if kind == "tr"), word) for one in inner]


def _last_times(marks: Iterable[str], letters: list[Occurrence], sequent: Sequent, only: str | None) -> dict[str, Node]:
    found = ((mark, _last_time(mark, letters, sequent, only)) for mark in marks)
    return {mark: latest for mark, latest in found if latest is not None}


def _last_time(mark: str, letters: list[Occurrence], sequent: Sequent, only: str | None) -> Node | None:
    """The time of the latest states of this history, at least 1; arguments lie before it."""
    steps = sequent.world.steps
    mine = [one for one in letters if one.mark == mark]
    inside = [one for letter in letters for one in letter.nested() if one is not letter and one.mark == mark]
    histories = {steps[one.name].history for one in mine if one.name in steps}
    if not histories or (only is not None and histories != {only}):
        return None
    if len(histories) > 1:
        raise Rejected("one history belongs to one space")
    if not all(one.name in steps for one in (*mine, *inside)):
        raise Rejected("a history also stands in a letter that is no state of its recursion")
    latest = _latest((parse(one.at[0]) for one in mine), sequent)
    if latest is None:
        return None
    for one in (*mine, *inside):
        for at in one.at:  # the recursion has values at natural numbers
            if not is_natural(parse(at), sequent.naturals):
                raise Rejected(f"{one.name} at {at}, which may be negative: there is no such state")
    for one in mine:
        _is_before(parse(one.at[0]), latest, sequent)
    for one in inside:
        before = index_form(Node("-", (Node("-", (latest, parse(one.at[0]))), num(1))))
        if not is_natural(before, sequent.naturals):
            raise Rejected(f"a function of the state {one.name} at its last step; no step is taken inside an argument")
    return latest


def _is_before(time: Node, latest: Node, sequent: Sequent) -> None:
    """Times k + 1 and k + n + 1 may be one: a state at the one would see the fresh sample of the other."""
    gap = index_form(Node("-", (Node("-", (latest, time)), num(1))))
    if time != latest and not is_natural(gap, sequent.naturals):
        raise Rejected(f"the times {text(time)} and {text(latest)} of one history may be the same time")


def _last_steps(
    key: Any, free: Mapping[str, Node], sequent: Sequent, ring: RationalFunctions, only: str | None
) -> tuple[Callable[[Occurrence], Terms | None], list[str]]:
    letters = _letters(*key)
    marks = {one.mark for one in letters if isinstance(one.mark, str) and one.mark.startswith("'")}
    bound = _last_times(sorted(marks), letters, sequent, only)
    plan: dict[Occurrence, str] = {}
    for mark, latest in (*free.items(), *bound.items()):
        fresh = f"{mark}'" if mark in bound else f"{mark}'{text(latest)}"  # a free path has one sample for each time
        plan |= dict.fromkeys((one for one in letters if one.mark == mark and parse(one.at[0]) == latest), fresh)

    def put(one: Occurrence) -> Terms | None:
        if one not in plan:
            return None
        image = normal(stepped(one, plan[one], sequent.world), ring)
        return image.transposed() if one.flip else image

    return put, sorted({fresh for one, fresh in plan.items() if one.mark in bound})


def stepped(one: Occurrence, fresh: str, world: World) -> Node:
    """What the step says of a state, at its time and parameters."""
    step = world.steps[one.name]
    before = index_form(Node("-", (parse(one.at[0]), num(1))))
    return _at_params(step.body, {step.time: before, step.past: sym(str(one.mark)), step.fresh: sym(fresh)}, one, world)


def begun(one: Occurrence, world: World) -> Node:
    """Where the recursion begins, at the parameters of the state."""
    return _at_params(world.steps[one.name].start, {}, one, world)


def _at_params(node: Node, env: dict[str, Node], one: Occurrence, world: World) -> Node:
    kinds = dict(zip(world.steps[one.name].params, world.letters[one.name].indices[1:-1], strict=True))
    counted = (name for name, kind in kinds.items() if not is_point(kind))
    env = {**env, **{name: parse(at) for name, at in zip(counted, one.at[1:], strict=True)}}
    body = settled(substitute(node, env))
    if one.point is None:
        return body
    vector = next(name for name, kind in kinds.items() if is_point(kind))
    return put_vectors(body, {vector: written(one.point, world.letters)})


def _latest(times: Iterable[Node], sequent: Sequent) -> Node | None:
    """The latest of times that can be compared, if it is at least 1 by its form."""
    latest: Node | None = None
    for time in times:
        if latest is None or is_natural(index_form(Node("-", (time, latest))), sequent.naturals):
            latest = time
        elif not is_natural(index_form(Node("-", (latest, time))), sequent.naturals):
            raise Rejected(f"the times {text(time)} and {text(latest)} of one history cannot be compared")
    if latest is None or not is_natural(index_form(Node("-", (latest, num(1)))), sequent.naturals):
        return None
    return latest
