"""Facts for every vector (smooth or convex functions, operators) at the vectors that occur in goal and facts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice, permutations, product

from theory.kernel.errors import KernelError
from theory.kernel.flat import fraction_node
from theory.kernel.kinds import ONE, is_point, size_from, size_of
from theory.kernel.lang import Node, Relation, num, substitute, sym, text, walk
from theory.kernel.logic import named
from theory.kernel.orders import difference, placed
from theory.kernel.rings import Frac
from theory.kernel.rules import Library, check
from theory.kernel.sequent import Certificate, Sequent, Tally
from theory.kernel.spectral import at_any_vector
from theory.kernel.terms import Key, Terms, written
from theory.provers.effort import Effort
from theory.provers.histories import definitions
from theory.provers.letters import splits
from theory.provers.locality import with_only
from theory.provers.rewriting import new_names
from theory.provers.skeletons import Filler, Search
from theory.provers.weights import Source, Step, Weighing, by_square, facts_of, is_weighed, rows, squared

MOST = 16  # instances of all facts together
MOST_STEPS = 3  # points that get a name here
MOST_WEIGHED = 120  # instances whose weights numbers tell
MOST_TOUCHING = 9  # points where bounds touch
MOST_VECTORS = 6
Named = tuple[str, str]


def find(sequent: Sequent, effort: Effort, search: Search) -> Certificate | None:
    """The goal from instances of the facts for every vector; those facts are left out."""
    known = [i for i, fact in enumerate(sequent.facts) if for_every_vector(fact)]
    if not known or splits(sequent, effort):
        return None
    averaged = [] if effort.depth else list(_averaged(known, sequent))
    if averaged:
        here = sequent.given(*(sequent.world.read_relation(fact) for fact, _ in averaged))
        then = find(here, effort.deeper(), search)
        for fact, proof in reversed(averaged):
            then = None if then is None else {"kind": "have", "fact": fact, "proof": proof, "then": then}
        return then
    found = _by_weights(known, sequent, effort, search)
    found = found or by_square(sequent, effort, lambda here: _by_weights(known, here, effort, search), search)
    found = found or _at_points(known, sequent, (), effort, search) or _at_any_vector(sequent, effort, search)
    ways = steps(sequent, known) if found is None and not is_weighed(sequent) else ()
    return found or next((cert for way in ways if (cert := _after(way, known, sequent, effort, search))), None)


def _averaged(known: list[int], sequent: Sequent) -> Iterator[tuple[str, Certificate]]:
    """The facts for every two vectors at a random point of the goal and at a fixed vector, below a mean."""
    random = [p for p in vectors(sequent) if p.value.space is not None]
    fixed = [p for p in vectors(sequent) if p.value.space is None]
    for position, point, other in product(known, random, fixed):
        fact = sequent.facts[position]
        if len(fact.binders) != 2 or fact.op == "==":
            continue
        fresh, space = next(iter(new_names(sequent, stem="s"))), str(point.value.space)
        moving = substitute(point, {str(point.args[-1].value): sym(fresh)})
        for at in permutations((text(moving), text(other))):
            places = {name: one for (name, _, _), one in zip(fact.binders, at, strict=True)}
            item = {"of": position, "at": places, "E": {fresh: space}}
            proof = {"kind": "order", "items": [item], "ops": []}
            try:
                body = text(difference(placed(fact, places, sequent, sequent.world.with_samples({fresh: space}))[0]))
                claim = f"mean({fresh}, {body}) >= 0"
                check(proof, sequent.show(sequent.world.read_relation(claim)), {}, Tally())
            except KernelError:
                continue
            yield claim, proof


def _by_weights(known: list[int], sequent: Sequent, effort: Effort, search: Search) -> Certificate | None:
    """All instances at once, also where an upper bound is nearest to a lower one: numbers tell which are needed."""
    if not is_weighed(sequent):
        return None
    try:
        plain = _weighed(known, sequent, (), effort, search)
        found = plain.certificate() or _beside_points(known, sequent, effort, search)
        if found is not None:
            check(found, sequent, {}, Tally())
        return found
    except KernelError:
        return None


def _beside_points(known: list[int], sequent: Sequent, effort: Effort, search: Search) -> Certificate | None:
    """With points of our own, of which only those that are needed get their names in the end."""
    here, opened = _named(touching(known, sequent, effort, search), sequent, effort, search)
    weighing = _weighed(known, here, [one["name"] for one in opened], effort, search)
    if not opened or weighing.taken is None:
        return None
    used = {n for i in weighing.taken for n in weighing.sources[i].item.get("at", {}).values()}
    here, opened = _named([one["is"] for one in opened if one["name"] in used], sequent, effort, search)
    cert = _weighed(known, here, [one["name"] for one in opened], effort, search).certificate()
    for one in reversed(opened):
        cert = None if cert is None else {**one, "then": cert}
    return cert


def _named(
    formulas: Sequence[str], sequent: Sequent, effort: Effort, search: Search
) -> tuple[Sequent, list[Certificate]]:
    """The sequent with names for the vectors that are defined, and the steps that give them."""
    filler = Filler(_without(search), {}, replace(effort, heavy=False))
    opened: list[Certificate] = []
    for formula, name in zip(formulas, new_names(sequent, stem="z"), strict=False):
        node = sequent.world.read(formula)
        try:
            opened.append({"kind": "let", "name": name, "is": formula, "defined": filler.definedness([node], sequent)})
        except KernelError:
            continue
        sequent = named(name, node, sequent)
    return sequent, opened


def _weighed(known: list[int], sequent: Sequent, new: Sequence[str], effort: Effort, search: Search) -> Weighing:
    found = list(islice(instances(known, sequent, new), MOST_WEIGHED))
    own = rows(sequent.given(*(fact for _, _, fact in found)))
    sources = [*facts_of(sequent, [one for one in own if one.args or one.value.name not in new])]
    for position, at, fact in found:
        free = fact.op == "=="
        item = {"eq" if free else "of": position, "at": at}
        sources.append(Source(item, Node("-", (fact.left, fact.right)) if free else difference(fact), free))
        larger = squared(fact)
        if larger is not None:
            first = Step(fact, {"kind": "order", "items": [item], "ops": []})
            sources.append(Source({"at": at}, difference(larger), free, (first, Step(larger))))
    return Weighing(sequent, sources, definitions(sequent), effort, _without(search))


def touching(known: list[int], sequent: Sequent, effort: Effort, search: Search) -> list[str]:
    """Where an upper bound of a function, for every vector, is nearest to a lower bound of it."""
    name = next(iter(new_names(sequent, "u", "x", "v", stem="u")))
    sizes = {size for i in known for _, lo, _ in sequent.facts[i].binders for size in [size_from(lo.args[0])]}
    found: dict[str, None] = {}
    for size in sizes:
        here = sequent.with_vector(name, size)
        bounds = [
            Source({}, difference(fact))
            for _, at, fact in instances(known, here, (name,))
            if fact.op != "==" and name in at.values()
        ]
        values = Weighing(here, bounds, definitions(sequent), effort, _without(search)).values[1:]
        for low, high in product(values, values):
            found |= dict.fromkeys(_nearest(low, high, name, here))
    return list(found)[:MOST_TOUCHING]


def _nearest(low: Terms, high: Terms, name: str, sequent: Sequent) -> Iterator[str]:
    """The vector u at which  high - low  is least, for f[u] - low >= 0 and high - f[u] >= 0."""
    parts = [{k: v for k, v in one.terms.items() if _is_value(k, name)} for one in (low, high)]
    if not parts[0] or {k: -v for k, v in parts[0].items()} != parts[1] or not all(map(_is_one, parts[0].values())):
        return
    gap = low + high
    words = {k: v for k, v in gap.terms.items() if any(one.name == name for _, word in k[0] for one in word)}
    if any(len(k[0]) != 1 or len(k[0][0][1]) != 2 for k in words):
        return
    curved = next((v for k, v in words.items() if all(one.name == name for one in k[0][0][1])), None)
    if curved is None:
        return
    terms = []
    for (mono, _), value in words.items():
        others = [one for one in mono[0][1] if one.name != name]
        if others:
            node = written(replace(others[0], flip=False), sequent.world.letters)
            factor = -value / (curved + curved)
            terms.append(f"({text(fraction_node(factor, gap.ring.names))})*{text(node)}")
    if terms:
        yield " + ".join(terms)


def _is_value(key: Key, name: str) -> bool:
    """A function at the vector."""
    return any(inner.name == name for _, word in key[0] for one in word for inner in one.nested() if inner is not one)


def _is_one(value: Frac) -> bool:
    return bool(value.den.is_constant() and value.num.is_constant() and value.num.leading_coefficient() > 0)


def _at_any_vector(sequent: Sequent, effort: Effort, search: Search) -> Certificate | None:
    """An order of matrices, at a vector of its own."""
    vector = next(iter(new_names(sequent, "u", "x", "v", stem="u")))
    try:
        here = at_any_vector(vector, sequent)
    except KernelError:
        return None
    then = find(here, effort.deeper(), search)
    return None if then is None else {"kind": "form", "vector": vector, "then": then}


def _after(
    way: tuple[Named, ...], known: list[int], sequent: Sequent, effort: Effort, search: Search
) -> Certificate | None:
    """At one step of the gradient method, too: it gets a name, for functions are taken at names."""
    here = sequent
    opened: list[Certificate] = []
    filler = Filler(_without(search), {}, replace(effort, heavy=False))
    for name, formula in way:
        try:
            node = here.world.read(formula)
            duties = filler.definedness([node], here)
            opened.append({"kind": "let", "name": name, "is": formula, "defined": duties})
            here = named(name, node, here)
        except KernelError:
            return None
    cert = _at_points(known, here, tuple(name for name, _ in way), effort, search)
    for one in reversed(opened):
        cert = None if cert is None else {**one, "then": cert}
    return cert


def steps(sequent: Sequent, known: list[int]) -> Iterator[tuple[Named, ...]]:
    """x - g[x]/L, and for two points y - (g[y] - g[x])/L and the other way round: where upper bounds are smallest."""
    inside = [side for i in known for side in (sequent.facts[i].left, sequent.facts[i].right)]
    lengths = sorted({n for side in inside for part in walk(side) if part.op == "sym" for n in [str(part.value)]})
    bound = {name for i in known for name, _, _ in sequent.facts[i].binders}
    positive = [n for n in lengths if n not in bound and Relation(">", sym(n), num(0)) in _signs(sequent)]
    sides = (sequent.goal.left, sequent.goal.right)
    slopes = [p for p in dict.fromkeys(q for side in sides for q in walk(side)) if _is_slope(p)]
    taken = iter(new_names(sequent, "z", "v", "p", stem="z"))
    names = [next(taken), next(taken)]
    for length in positive[:MOST_STEPS]:
        for slope in slopes[:2]:
            yield ((names[0], f"{text(slope.args[0])} - {text(slope)}/{length}"),)
        for one, two in permutations(slopes[:2], 2):
            yield ((names[0], _towards(one, two, length)),)
        if len(slopes) == 2:
            one, two = slopes
            yield ((names[0], _towards(one, two, length)), (names[1], _towards(two, one, length)))


def _towards(one: Node, two: Node, length: str) -> str:
    return f"{text(one.args[0])} - ({text(one)} - {text(two)})/{length}"


def _signs(sequent: Sequent) -> list[Relation]:
    """What is plainly positive, written as n > 0."""
    turned = [Relation(">", f.right, f.left) for f in sequent.facts if f.op == "<" and f.binder is None]
    return [*sequent.facts, *turned]


def _is_slope(part: Node) -> bool:
    """A vector that is a function of a vector."""
    if part.op != "letter" or size_of(part)[1] != ONE or size_of(part)[0] == ONE:
        return False
    return len(part.args) == 1 and is_point(part.value.indices[0])


def _at_points(
    known: list[int], sequent: Sequent, new: tuple[str, ...], effort: Effort, search: Search
) -> Certificate | None:
    certificates: list[Certificate] = []
    here = sequent
    filler = Filler(_without(search), {}, replace(effort, heavy=False))
    for position, at, fact in islice(instances(known, sequent, new, 4 - len(new)), MOST):
        item = {"eq" if fact.op == "==" else "of": position, "at": at}
        proof = {"kind": "order", "items": [item], "ops": []}
        try:
            duties = filler.definedness([fact.left, fact.right], here)
        except KernelError:
            continue
        certificates.append({"kind": "have", "fact": str(fact), "proof": proof, "defined": duties})
        here = here.given(fact)
    kept = [i for i in range(len(here.facts)) if i not in known]
    then = search(here.only(tuple(here.facts[i] for i in kept)), effort, {})
    if then is None:
        return None
    result: Certificate = {"kind": "only", "facts": kept, "then": then}
    for one in reversed(certificates):
        result = {**one, "then": result}
    return result


def _without(search: Search) -> Search:
    """Signs of divisors and squares do not need what holds for every vector."""

    def shown(sequent: Sequent, effort: Effort, library: Library) -> Certificate | None:
        kept = [i for i, fact in enumerate(sequent.facts) if not for_every_vector(fact)]
        return with_only(kept, sequent, lambda here: search(here, effort, library))

    return shown


def for_every_vector(fact: Relation) -> bool:
    return fact.binder is not None and all(lo.op == "points" for _, lo, _ in fact.binders)


def instances(
    known: list[int], sequent: Sequent, new: Sequence[str] = (), most: int = MOST_VECTORS
) -> Iterator[tuple[int, dict[str, str], Relation]]:
    """At the vectors of the goal; at a `new` one as the one argument in which smoothness is a bound above."""
    own = [Node("letter", (), sequent.world.letters[name]) for name in new]
    old = [one for one in vectors(sequent) if one not in own][:most]
    for position in known:
        fact = sequent.facts[position]
        names = [name for name, _, _ in fact.binders]
        free = _bounded_at(fact)
        for chosen in product((*old, *own), repeat=len(names)):
            if len(set(chosen)) == len(chosen) and not {one for i, one in enumerate(chosen) if i != free} & set(own):
                at = {name: text(one) for name, one in zip(names, chosen, strict=True)}
                try:
                    yield position, at, placed(fact, at, sequent, sequent.world)[0]
                except KernelError:
                    continue


def _bounded_at(fact: Relation) -> int:
    """Which argument is the one at which no slope is taken: v in f[v] <= f[u] + g[u].T@(v - u) + L/2*norm2(v - u)."""
    slopes = {text(p.args[0]) for side in (fact.left, fact.right) for p in walk(side) if _is_slope(p)}
    plain = [i for i, (name, _, _) in enumerate(fact.binders) if name not in slopes]
    return plain[0] if plain and slopes else 0


def vectors(sequent: Sequent) -> list[Node]:
    """Letters at which a function is taken, then other vectors of the goal."""
    plain = [sequent.goal, *(fact for fact in sequent.facts if fact.binder is None)]
    parts = [part for fact in plain for side in (fact.left, fact.right) for part in walk(side) if part.op == "letter"]
    inside = (one for part in parts for one, kind in zip(part.args, part.value.indices, strict=True) if is_point(kind))
    others = (part for part in parts if not part.value.indices and size_of(part)[1] == ONE != size_of(part)[0])
    return list(dict.fromkeys((*inside, *others)))[:MOST_VECTORS]
