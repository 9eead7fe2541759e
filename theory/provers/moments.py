"""Means as numbers: hypotheses for every outcome are averaged, and Cauchy-Schwarz ties the moments together.

A hypothesis f[w] <= g[w] gives E f*m <= E g*m for m = 1, for squares, and for what another hypothesis says is not
negative. For two random numbers E(z*x*y)**2 <= E(z*x**2)*E(z*y**2), with such a z or without: over two independent
samples the difference is half of E(z*z'*(x*y' - x'*y)**2). What is left is about numbers. So Paley-Zygmund, Cantelli,
and bounds by a likelihood ratio.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, islice
from typing import Any

from theory.kernel.errors import KernelError
from theory.kernel.flat import difference
from theory.kernel.kinds import NUMBER, ONE, has_letters, size_of
from theory.kernel.lang import Node, Relation, num, parse_relation, substitute, sym, symbols, text, walk
from theory.kernel.orders import advanced, rewritten
from theory.kernel.rings import RationalFunctions
from theory.kernel.sequent import Certificate, Sequent
from theory.kernel.terms import Terms, formula, normal, scalar_atoms
from theory.provers import arithmetic
from theory.provers.elimination import without_equations
from theory.provers.frame import accepted
from theory.provers.functions import defined
from theory.provers.locality import with_only
from theory.provers.rewriting import new_names, parts
from theory.provers.wordsos import rewrites

Step = tuple[str, Certificate]
Item = dict[str, Any]
MOST_RANDOM = 4  # random numbers in one goal
MOST_PAIRS = 12
MOST_AVERAGES = 16
HALF = {"is": "1/2", "because": {"kind": "positive"}}


@dataclass(frozen=True)
class Scene:
    """A sample, its space, fresh names, the random numbers, and the facts for every outcome by position."""

    sample: str
    space: str
    pair: tuple[str, str, str]
    random: tuple[str, ...]
    facts: dict[int, Relation]

    def mean(self, body: str) -> str:
        return f"mean({self.sample}, {body})"

    def gap(self, position: int) -> str:
        fact = self.facts[position]
        sides = (fact.left, fact.right) if fact.op in (">=", ">", "==") else (fact.right, fact.left)
        return f"({text(sides[0])})" if sides[1] == num(0) else f"({text(Node('-', sides))})"

    def at(self, body: str, sample: str) -> str:
        return body.replace(f"[{self.sample}]", f"[{sample}]")


def find(sequent: Sequent) -> Certificate | None:
    """All averages and squares; then the first inequality of Cauchy-Schwarz that is enough beside them."""
    plain = Numbers(sequent, _by_arithmetic)
    for position, fact in enumerate(sequent.facts):
        plain.copy(position, fact)
    if sequent.goal.op != "==":
        plain.with_squares()
    found = plain.closed()
    return _by_cauchy_schwarz(sequent) if found is None else found


def _by_arithmetic(sequent: Sequent) -> Certificate | None:
    if sequent.goal.op == "==":
        cert: Certificate = {"kind": "identity"}
        return cert if accepted(cert, sequent) else None
    return arithmetic.close(sequent)


def _by_cauchy_schwarz(sequent: Sequent) -> Certificate | None:
    scene = _scene(sequent)
    if scene is None:
        return None
    numbers = Numbers(sequent, _near)
    for position, fact in enumerate(sequent.facts):
        numbers.copy(position, fact)
    for average in islice(_averages(scene, sequent), MOST_AVERAGES):
        numbers.add(*average)
    before = list(numbers.steps)
    for product in islice(_cauchy_schwarz(scene, sequent), MOST_PAIRS):
        numbers.steps = list(before)
        numbers.add(*product)
        _with_bases(numbers, product[0])
        found = numbers.closed()
        if found is not None:
            return found
    return None


class Numbers:
    """Facts as polynomials in moments, each with its proof; then nothing but arithmetic."""

    def __init__(self, sequent: Sequent, close: Callable[[Sequent], Certificate | None]) -> None:
        self.sequent, self.close, self.steps = sequent, close, list[Step]()
        self.plain: list[int] = []

    def copy(self, position: int, fact: Relation) -> None:
        """A fact between numbers, with its means multiplied out; one for every outcome or for several, averaged."""
        if fact.binders and all(lo.op == "domain" for _, lo, _ in fact.binders) and fact.op not in ("!=", "<<"):
            self._average(position, fact)
        if fact.binder is not None or fact.op in ("!=", "<<"):
            return
        if not (has_letters(fact.left) or has_letters(fact.right)):
            self.plain.append(position)
        elif size_of(fact.left) == NUMBER:
            self.add(str(fact), _order({"eq" if fact.op == "==" else "of": position}))
        elif fact.op == "==" and size_of(fact.left)[1] == ONE:
            self._against_vectors(position, fact)

    def _average(self, position: int, fact: Relation) -> None:
        if size_of(fact.left) != NUMBER or not (has_letters(fact.left) or has_letters(fact.right)):
            return
        places = dict(zip((name for name, _, _ in fact.binders), new_names(self.sequent, stem="s"), strict=False))
        spaces = {places[name]: str(domain.value) for name, domain, _ in fact.binders}
        item = {"eq" if fact.op == "==" else "of": position, "at": places, "E": spaces}
        with suppress(KernelError):
            body = text(difference(fact)[0])
            for name in reversed(places):
                body = f"mean({name}, {body})"
            self.add(f"{body} {'==' if fact.op == '==' else '>='} 0", _order(item))

    def _against_vectors(self, position: int, fact: Relation) -> None:
        """An equation between vectors, times each vector that occurs, below a mean if that is random."""
        plain = [one for one in (self.sequent.goal, *self.sequent.facts) if one.binder is None]
        found: dict[str, dict[str, str]] = {}
        for one in plain:
            for node in (one.left, one.right):
                spaces = {str(p.args[0].value): str(p.value) for p in walk(node) if p.op == "mean"}
                for part in walk(node):
                    if part.op == "letter" and size_of(part) == size_of(fact.left):
                        own = {name: spaces[name] for name in symbols(part) & set(spaces)}
                        found.setdefault(text(part), own)
        for row, samples in found.items():
            whole = f"{row}.T@({text(fact.left)}) - {row}.T@({text(fact.right)})"
            for name in samples:
                whole = f"mean({name}, {whole})"
            item = {"eq": position, "L": f"{row}.T"} | ({"E": samples} if samples else {})
            self.add(f"{whole} == 0", _order(item))

    def add(self, fact: str, proof: Certificate) -> None:
        with suppress(KernelError):
            written = self.written(self.sequent.world.read_relation(fact))
            if accepted(proof, self.sequent.show(written)):
                self.steps.append((str(written), proof))

    def with_squares(self) -> None:
        """Means of squares are not negative, nor are those of distances from the mean."""
        facts = [self.sequent.world.read_relation(fact) for fact, _ in self.steps]
        facts += [fact for fact in (self.sequent.goal, *self.sequent.facts) if fact.binder is None]
        for mean in dict.fromkeys(part for fact in facts for part in parts(fact) if part.op == "mean"):
            body, sample = mean.args[1], str(mean.args[0].value)
            row = body.args[0] if body.args else body
            square = body.op in ("*", "@") and body.args[1] in (row, *row.args)
            if square or (body.op == "**" and body.args[1] == num(2)):
                space, fresh = {sample: str(mean.value)}, next(new_names(self.sequent, stem="s"))
                self.add(f"{text(mean)} >= 0", _order({"L": text(row), "E": space}))
                own = f"mean({fresh}, {text(substitute(row, {sample: sym(fresh)}))})"
                centred = f"({text(row)} - {own})"
                whole = f"{centred}@{centred}.T" if body.op == "@" else f"{centred}**2"
                self.add(f"mean({sample}, {whole}) >= 0", _order({"L": centred, "E": space}))

    def written(self, fact: Relation, ops: Sequence[Any] = ()) -> Relation:
        op = "==" if fact.op == "==" else ">=" if fact.op in ("<=", ">=") else ">"
        big, small = (fact.left, fact.right) if fact.op in (">=", ">", "==") else (fact.right, fact.left)
        return Relation(op, in_moments(Node("-", (big, small)), self.sequent, ops), num(0))

    def shown(self, fact: Relation) -> bool:
        """One more fact, from those before it."""
        proof = self._proof(fact)
        if proof is not None:
            self.steps.append((str(fact), proof))
        return proof is not None

    def closed(self, ops: Sequence[Any] = ()) -> Certificate | None:
        """The goal."""
        goal = self.written(self.sequent.goal, ops)
        found = self._proof(goal)
        if found is None:
            return None
        position = len(self.sequent.facts) + len(self.steps)
        cert = _order({"eq" if goal.op == "==" else "of": position}, ops=ops)
        for fact, proof in reversed([*self.steps, (str(goal), found)]):
            duties = defined([self.sequent.world.read_relation(fact).left], self.sequent) if "/" in fact else {}
            cert = {"kind": "have", "fact": fact, "proof": proof, "defined": duties, "then": cert}
        return cert if accepted(cert, self.sequent) else None

    def _proof(self, goal: Relation) -> Certificate | None:
        read = self.sequent.world.read_relation
        here = self.sequent.given(*(read(fact) for fact, _ in self.steps)).show(goal)
        kept = [*self.plain, *range(len(self.sequent.facts), len(here.facts))]
        return with_only(kept, here, lambda inner: without_equations(inner, self.close))


def _with_bases(numbers: Numbers, product: str) -> None:
    """Where a square is to be bounded, its base is compared with the mixed mean of an inequality of Cauchy-Schwarz."""
    read, goal = numbers.sequent.world.read_relation, numbers.sequent.goal
    base = _root(goal.left if goal.op in ("<=", "<") else goal.right)
    mixed = parse_relation(product).left.args[0]
    for fact in [] if base is None else [f"{text(base)} >= 0", f"{text(mixed)} - {text(base)} >= 0"]:
        numbers.shown(numbers.written(read(fact)))


def _near(sequent: Sequent) -> Certificate | None:
    """By the facts in which no mean occurs but those of the goal and of facts with products of means."""
    mine = _means(sequent.goal).union(*(_means(fact) for fact in sequent.facts if _is_product(fact)))
    seen: dict[Relation, int] = {}
    for position, fact in enumerate(sequent.facts):
        if _means(fact) <= mine and not fact.left == fact.right == num(0):
            seen.setdefault(fact, position)
    return with_only(sorted(seen.values()), sequent, arithmetic.close)


def _is_product(fact: Relation) -> bool:
    """Whether two means are multiplied somewhere."""
    every = [part for part in parts(fact) if part.op in ("*", "**")]
    return any(sum(any(q.op == "mean" for q in walk(arg)) for arg in one.args) > (one.op == "*") for one in every)


def _means(fact: Relation) -> set[Node]:
    return {part for part in parts(fact) if part.op == "mean"}


def _root(node: Node) -> Node | None:
    """r for a square r**2 of numbers."""
    if node.op == "**" and node.args[1] == num(2):
        return node.args[0]
    if node.op == "*":
        one, two = map(_root, node.args)
        return None if one is None or two is None else Node("*", (one, two))
    return None


def in_moments(node: Node, sequent: Sequent, ops: Sequence[Any] = ()) -> Node:
    """A polynomial in means over one sample, or over several that hang together: E(w, E(v, a[w]*b[v])) is a product.

    Before that the letters are rewritten by `ops`, or a random recursion takes its step.
    """
    equations = rewrites(ops, sequent)
    sides = [side for one in equations if one for side in (one.left, one.right)]
    sides += [side for step in sequent.world.steps.values() for side in (step.body, step.start)] if ops else []
    names, opaque = scalar_atoms((node, *sides))
    ring = RationalFunctions(names)
    value, letters = normal(node, ring), sequent.world.letters
    for one in equations:
        value = advanced(value, sequent, ring) if one is None else rewritten(value, one, ring)
    result: Node | None = None
    for (mono, _), coefficient in value.terms.items():
        term = formula(_alone(coefficient, (), ring), letters, opaque)
        for group in _groups(mono):
            whole = formula(_alone(ring.const(Fraction(1)), group, ring), letters, opaque)
            moment = _readable(formula(normal(whole, ring), letters, opaque), sequent)
            term = moment if term == num(1) else Node("*", (term, moment))
        result = term if result is None else Node("+", (result, term))
    return num(0) if result is None else result


def _readable(node: Node, sequent: Sequent) -> Node:
    """With names for the samples that can be typed."""
    bound = dict.fromkeys(str(part.args[0].value) for part in walk(node) if part.op == "mean")
    names = new_names(sequent, stem="m")
    for old in bound:
        node = _with_sample(node, old, next(names))
    return node


def _with_sample(node: Node, old: str, new: str) -> Node:
    if node == sym(old):
        return sym(new)
    return Node(node.op, tuple(_with_sample(arg, old, new) for arg in node.args), node.value) if node.args else node


def _alone(coefficient: Any, mono: Any, ring: RationalFunctions) -> Terms:
    terms = Terms(ring, ONE, ONE)
    terms.put(coefficient, mono, ())
    return terms


def _groups(mono: Any) -> list[Any]:
    """The factors that share samples, together."""
    groups: list[tuple[set[int], list[Any]]] = []
    for kind, inner in mono:
        marks = {
            m for one in (inner if kind == "tr" else ()) for part in one.nested() if isinstance(m := part.mark, int)
        }
        tied = [group for group in groups if group[0] & marks]
        groups = [group for group in groups if group not in tied]
        groups.append((marks.union(*(g[0] for g in tied)), [*(f for g in tied for f in g[1]), (kind, inner)]))
    return [tuple(sorted(found, key=repr)) for _, found in groups]


def _scene(sequent: Sequent) -> Scene | None:
    """What the goal has one sample for."""
    means = [p for p in parts(sequent.goal) if p.op == "mean"]
    if not means or sequent.goal.op not in ("<=", ">="):
        return None
    sample, space = str(means[0].args[0].value), str(means[0].value)
    facts = {i: _renamed(f, sample) for i, f in enumerate(sequent.facts) if _is_sampled(f, space)}
    bodies = [substitute(p.args[1], {str(p.args[0].value): sym(sample)}) for p in means]
    nodes = [*bodies, *(side for f in facts.values() for side in (f.left, f.right))]
    random = dict.fromkeys(text(p) for node in nodes for p in walk(node) if _is_random(p, sample))
    if not 0 < len(random) <= MOST_RANDOM:
        return None
    names = new_names(sequent, stem="s")
    return Scene(sample, space, (next(names), next(names), next(names)), tuple(random), facts)


def _is_sampled(fact: Relation, space: str) -> bool:
    return len(fact.binders) == 1 and fact.binders[0][1].op == "domain" and str(fact.binders[0][1].value) == space


def _renamed(fact: Relation, sample: str) -> Relation:
    put = {fact.binders[0][0]: sym(sample)}
    return Relation(fact.op, substitute(fact.left, put), substitute(fact.right, put))


def _is_random(part: Node, sample: str) -> bool:
    return part.op == "letter" and text(part).endswith(f"[{sample}]")


def _order(*items: Item, ops: Sequence[Any] = ()) -> Certificate:
    return {"kind": "order", "items": list(items), "ops": list(ops)}


def _averages(scene: Scene, sequent: Sequent) -> Iterator[Step]:
    """Facts for every outcome below a mean: plain first, then times what is not negative; equations times anything."""
    fresh = scene.pair[0]

    def at(position: int) -> Item:
        return {"at": {sequent.facts[position].binders[0][0]: fresh}}

    under = {"E": {fresh: scene.space}}
    orders = [i for i, fact in scene.facts.items() if fact.op not in ("==", "!=")]
    for one in scene.random:
        yield f"{scene.mean(f'{one}**2')} >= 0", _order({"L": scene.at(one, fresh), **under})
    for weight in ("1", *scene.random):
        for i, fact in scene.facts.items():
            if fact.op == "==":
                item = {"eq": i, "k": scene.at(weight, fresh), **at(i), **under}
                yield f"{scene.mean(f'{weight}*{scene.gap(i)}')} == 0", _order(item)
            elif weight == "1":
                yield f"{scene.mean(scene.gap(i))} >= 0", _order({"of": i, **at(i), **under})
    for i in orders:
        for one in scene.random:
            item = {"of": i, "c": [{"sq": scene.at(one, fresh)}], **at(i), **under}
            yield f"{scene.mean(f'{one}**2*{scene.gap(i)}')} >= 0", _order(item)
    for i, j in combinations(orders, 2):
        item = {"of": i, "c": [{"fact": j, **at(j)}], **at(i), **under}
        yield f"{scene.mean(f'{scene.gap(i)}*{scene.gap(j)}')} >= 0", _order(item)


def _cauchy_schwarz(scene: Scene, sequent: Sequent) -> Iterator[Step]:
    """Between random numbers, centred or not, with a weight or none; and between the factors of a hypothesis."""
    for x, y in combinations(scene.random, 2):
        yield _product(scene, x, y)
    for first, second in _factors(scene):
        yield _product(scene, first, second)
    fresh = scene.pair[2]
    centred = [f"({x} - mean({fresh}, {scene.at(x, fresh)}))" for x in scene.random]
    for x, y in (*combinations(centred, 2), *((x, "1") for x in scene.random)):
        yield _product(scene, x, y)
    for i, fact in scene.facts.items():
        if fact.op in (">=", ">", "<=", "<") and scene.gap(i).strip("()") in scene.random:
            name = sequent.facts[i].binders[0][0]
            for x in scene.random:
                yield _product(scene, x, "1", i, name)


def _factors(scene: Scene) -> Iterator[tuple[str, str]]:
    for fact in scene.facts.values():
        for side in (fact.left, fact.right):
            if side.op == "*" and all(any(_is_random(p, scene.sample) for p in walk(one)) for one in side.args):
                yield f"({text(side.args[0])})", f"({text(side.args[1])})"


def _product(scene: Scene, x: str, y: str, weight: int | None = None, name: str = "") -> Step:
    """E(z*x*y)**2 <= E(z*x*x)*E(z*y*y), from two samples."""
    s, t, _ = scene.pair
    factors = [] if weight is None else [{"fact": weight, "at": {name: one}} for one in (s, t)]
    row = f"{scene.at(x, s)}*{scene.at(y, t)} - {scene.at(x, t)}*{scene.at(y, s)}"
    item = {"L": row, "E": {s: scene.space, t: scene.space}, "c": [HALF, *factors]}
    z = [] if weight is None else [scene.gap(weight)]
    bodies = ([one for one in (*z, *pair) if one != "1"] for pair in ((x, y), (x, x), (y, y)))
    mixed, *squares = (scene.mean("*".join(body)) if body else "1" for body in bodies)
    return f"{mixed}**2 <= {'*'.join(squares)}", _order(item)
