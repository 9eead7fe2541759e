"""Citing a claim about matrices and samples: its letters, sizes and spaces are replaced by formulas of ours.

A letter that is not replaced must be declared here exactly as there, a random recursion must be the same recursion,
and what a declaration says (symmetric, psd, pd) is shown of what is put in. A sequence that the cited claim defines is
the same here; or it is replaced, and then its definition is a hypothesis like others; or it occurs in the proof of the
cited claim alone, and then it does not matter: there is one such sequence whatever is put in. A state of a random
recursion is the same here; or a state of ours is put in for it, at any parameters, and then ours begins and steps as
theirs does with ours put in.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from theory.kernel.claim import Claim
from theory.kernel.errors import Rejected
from theory.kernel.kinds import (
    NUMBER,
    Letter,
    Size,
    Step,
    elaborate,
    has_letters,
    is_point,
    point_size,
    put_vectors,
    settled,
    size_from,
    size_node,
    size_of,
    total,
)
from theory.kernel.lang import (
    BINDERS,
    RESERVED,
    Node,
    Relation,
    num,
    parse,
    relation_symbols,
    substitute,
    sym,
    symbols,
    text,
    walk,
)
from theory.kernel.notions import unfold
from theory.kernel.orders import begun, stepped
from theory.kernel.proof import Library, check, require_defined
from theory.kernel.recursions import definition
from theory.kernel.rings import RationalFunctions
from theory.kernel.sequent import Certificate, Sequent, Tally, fresh, is_natural
from theory.kernel.terms import normal, occurrence, scalar_names


@dataclass(frozen=True)
class Image:
    """A formula in the indices of a letter."""

    params: tuple[str, ...]
    body: Node

    def at(self, args: tuple[Node, ...]) -> Node:
        """The formula at these indices; those that are vectors are letters in it."""
        put = dict(zip(self.params, args, strict=True))
        vectors = {name: one for name, one in put.items() if one.op == "letter"}
        plain = substitute(self.body, {name: one for name, one in put.items() if name not in vectors})
        return put_vectors(settled(plain), vectors)


@dataclass(frozen=True)
class Images:
    sizes: Mapping[str, Size]
    spaces: Mapping[str, str]
    letters: Mapping[str, Image]
    numbers: Mapping[str, Node] = field(default_factory=dict)

    def size(self, size: Size) -> Size:
        parts = (
            self.sizes.get(name, ((name, 1),)) if name else (("", 1),) for name, count in size for _ in range(count)
        )
        return total(tuple(parts))

    def moves(self, letter: Letter) -> bool:
        """Whether the size or the space of the letter is another one here."""
        sizes = (letter.rows, letter.cols, *(point_size(kind) for kind in letter.indices if is_point(kind)))
        same = all(self.size(one) == one for one in sizes)
        return not same or any(self.spaces.get(one, one) != one for one in letter.indices)

    def below(self, bound: str) -> Images:
        """The same below a binder, which hides a number of its name and must not capture ours."""
        numbers = {name: one for name, one in self.numbers.items() if name != bound}
        if any(bound in _outside(one) for one in self.letters.values()) or any(
            bound in symbols(one) for one in numbers.values()
        ):
            raise Rejected(f"the bound name {bound} would capture ours; rename it")
        return replace(self, numbers=numbers)

    def put(self, node: Node) -> Node:
        """The formula of the cited claim with ours in it, all at once; a capture is refused."""
        if node.op in BINDERS:
            body = self.below(str(node.args[0].value)).put(node.args[-1])
            value = self.spaces.get(node.value, node.value) if node.op == "mean" else node.value
            return settled(Node(node.op, (node.args[0], *map(self.put, node.args[1:-1]), body), value))
        if node.op == "sym":
            return self.numbers.get(str(node.value), node)
        args = tuple(self.put(arg) for arg in node.args)
        if node.op == "letter" and node.value.name in self.letters:
            return self.letters[node.value.name].at(args)
        if node.op == "letter" and self.moves(node.value):  # a bound vector; any other letter is replaced if it moves
            node = Node("letter", (), replace(node.value, rows=self.size(node.value.rows)))
        if node.op in ("I", "O", "points"):
            return Node(node.op, tuple(self._size_node(arg) for arg in node.args))
        value = self.spaces.get(node.value, node.value) if node.op == "domain" else node.value
        return settled(Node(node.op, args, value))

    def _size_node(self, node: Node) -> Node:
        return size_node(self.size(size_from(node)))

    def put_relation(self, relation: Relation) -> Relation:
        inner, binders = self, []
        for index, lo, hi in relation.binders:
            binders.append((index, inner.put(lo), inner.put(hi)))
            inner = inner.below(index)
        return Relation(relation.op, inner.put(relation.left), inner.put(relation.right)).under(tuple(binders))


def _outside(image: Image) -> frozenset[str]:
    return symbols(image.body) - set(image.params)


def images_of(
    cert: Certificate, claim: Claim, env: Mapping[str, Node], sequent: Sequent, library: Library, tally: Tally
) -> Images:
    """What is put in for sizes, spaces, letters and numbers; all else is the same here as in the cited claim."""
    sizes = {str(n): size_from(parse(str(form))) for n, form in cert.get("sizes", {}).items()}
    spaces = {str(a): str(b) for a, b in cert.get("spaces", {}).items()}
    images = Images(sizes, spaces, {})
    given: Mapping[str, Any] = cert.get("letters", {})
    ours, theirs = sequent.world, claim.world
    if not set(given) <= set(theirs.letters) or not set(sizes) <= theirs.sizes:
        raise Rejected(f"{claim.id}: an image for a name that the claim does not have")
    for name in theirs.sizes:
        if any(part and part not in ours.sizes for part, _ in sizes.get(name, ((name, 1),))):
            raise Rejected(f"{claim.id}: its size {name} is no size here; say what it is")
    found = {name: _read_image(name, given[name], claim, images, sequent) for name in given}
    images = Images(sizes, spaces, found, {**{n: size_node(size) for n, size in sizes.items()}, **env})
    hidden = _hidden(claim)
    for name, letter in theirs.letters.items():
        if name in hidden - set(found):
            continue
        if name in found:
            _has_a_value(cert, letter, found[name], sequent, library, tally)
            _has_its_sign(cert, letter, found[name], sequent, library, tally)
        elif ours.letters.get(name) != letter or images.moves(letter):
            raise Rejected(f"{claim.id}: {name} is declared otherwise here; say what is put in for it")
    for name, space in theirs.samples.items():
        if ours.samples.get(name) != spaces.get(space, space):
            raise Rejected(f"{claim.id}: its sample {name} is no such sample here")
    for name, step in theirs.steps.items():
        if name in hidden - set(found):
            continue
        if name in found:
            _steps_alike(name, step, claim, images, sequent)
        elif ours.steps.get(name) != step:
            raise Rejected(f"{claim.id}: {name} follows another random recursion there")
    for name, clauses in theirs.clauses.items():
        if name not in hidden | set(found) and ours.clauses.get(name) != clauses:
            raise Rejected(f"{claim.id}: {name} is defined otherwise there")
    return images


def _steps_alike(name: str, step: Step, claim: Claim, images: Images, sequent: Sequent) -> None:
    """What is put in for a state is a state of ours on the same kind of history; it begins and steps as theirs does."""
    image, world = images.letters[name], sequent.world
    body, time, past = image.body, image.params[0], image.params[-1]
    own = world.steps.get(body.value.name) if body.op == "letter" else None
    history, space = (images.spaces.get(one, one) for one in (step.history, step.space))
    if own is None or step.params or (own.history, own.space) != (history, space):
        raise Rejected(f"{claim.id}: {text(body)[:120]} is put in for the state {name}; put in a state on {history}")
    middle = frozenset[str]().union(*map(symbols, body.args[1:-1]))
    if (body.args[0], body.args[-1]) != (sym(time), sym(past)) or {time, past} & middle:
        raise Rejected(f"{claim.id}: {text(body)[:120]} is not the state at {time} on {past}, whatever they are")
    taken = (symbols(step.start) | symbols(step.body)) - {step.time, step.past, step.fresh}
    taken = taken.union(*map(symbols, images.numbers.values()), *map(_outside, images.letters.values()))
    if {time, past} & taken.union(images.numbers):
        raise Rejected(f"{claim.id}: {time} or {past} is a number of the cited claim or of what is put in; rename it")
    fresh = f"{past}'"
    theirs = substitute(step.body, {step.time: sym(time), step.past: sym(past), step.fresh: sym(fresh)})
    first, later = occurrence(settled(substitute(body, {time: num(0)}))), Node("+", (sym(time), num(1)))
    pairs = (
        (begun(first, world), images.put(step.start)),
        (stepped(occurrence(settled(substitute(body, {time: later}))), fresh, world), images.put(theirs)),
    )
    for ours, given in pairs:
        gap = Node("-", (ours, given))
        if normal(gap, RationalFunctions(scalar_names([gap]))).terms:
            raise Rejected(f"{claim.id}: {text(body)[:120]} follows another recursion than {name} there")


def _hidden(claim: Claim) -> frozenset[str]:
    """Sequences and states that the claim defines and neither it nor what it speaks of mentions: its proof alone does.

    There is one such sequence, and one such state on every path, whatever the other names stand for.
    """
    world = claim.world
    bodies = {name: [one.body for one in many] for name, many in world.clauses.items()}
    bodies |= {name: [step.start, step.body] for name, step in world.steps.items()}
    needed = frozenset().union(*(relation_symbols(r) for r in (*claim.hypotheses, *claim.goals)))
    while True:
        more = needed.union(*(symbols(one) for name, many in bodies.items() if name in needed for one in many))
        if more == needed:
            return frozenset(bodies) - needed
        needed = more


def _has_a_value(
    cert: Certificate, letter: Letter, image: Image, sequent: Sequent, library: Library, tally: Tally
) -> None:
    """At every integer: the names of the indices are new, so that no fact is about them; P[k - 1] has k = 0 in it."""
    counted = [name for name, kind in zip(image.params, letter.indices, strict=True) if kind == "nat"]
    for name in image.params:
        fresh(name, sequent)
    here = sequent.counting(*counted, *(f"{name}'" for name in counted))
    anywhere = substitute(image.body, {name: Node("-", (sym(name), sym(f"{name}'"))) for name in counted})
    require_defined([anywhere], here, cert.get("defined", {}), library, tally, cert["_depth"])


def _same_recursions(claim: Claim, images: Images) -> None:
    """Nothing is put in for a name on which a recursion depends that is the same here as in the cited claim."""
    moved = {*images.letters, *images.numbers}
    left = {*images.letters, *_hidden(claim)}
    kept = replace(
        claim.world,
        clauses={n: one for n, one in claim.world.clauses.items() if n not in left},
        steps={n: one for n, one in claim.world.steps.items() if n not in left},
    )
    if moved & kept.parameters or (images.sizes and (kept.steps or kept.clauses)):
        raise Rejected(
            f"{claim.id}: its recursions depend on {', '.join(sorted(moved))}; they would be other ones here"
        )


def _read_image(name: str, given: Mapping[str, Any], claim: Claim, images: Images, sequent: Sequent) -> Image:
    letter = claim.world.letters[name]
    params = tuple(str(one) for one in given.get("at", []))
    if len(params) != len(letter.indices) or len(set(params)) != len(params):
        raise Rejected(f"{claim.id}: {name} has {len(letter.indices)} indices")
    kinds = dict(zip(params, letter.indices, strict=True))
    samples = {p: images.spaces.get(kind, kind) for p, kind in kinds.items() if kind != "nat" and not is_point(kind)}
    world = sequent.world.with_samples(samples)
    for param, kind in kinds.items():
        world = world.with_vector(param, images.size(point_size(kind))) if is_point(kind) else world
    body = elaborate(unfold(parse(str(given["is"])), world.notions), world)
    if size_of(body) != (images.size(letter.rows), images.size(letter.cols)):
        raise Rejected(f"{claim.id}: what is put in for {name} has another size: {text(body)[:120]}")
    if any(map(_may_fail, walk(body))):
        raise Rejected(f"{claim.id}: {text(body)[:120]} may have no value; give it a name first")
    return Image(params, body)


def _may_fail(part: Node) -> bool:
    """A quotient by letters, a root, a logarithm; the inverse of a pd letter exists, and so does 1/n where n > 0."""
    by_letters = part.op == "/" and has_letters(part.args[1])
    return by_letters or part.op in ("sqrt", "log") or (part.op == "inv" and size_of(part) == NUMBER)


def _has_its_sign(
    cert: Certificate, letter: Letter, image: Image, sequent: Sequent, library: Library, tally: Tally
) -> None:
    if not letter.sign:
        return
    body = image.body
    if letter.sign == "pd":
        if body.op != "letter" or body.value.sign != "pd":
            raise Rejected(f"{letter.name} is positive definite, and {text(body)[:120]} is not declared so")
        return
    ring = RationalFunctions(scalar_names([body]))
    if (normal(body, ring) + -normal(body, ring).transposed()).terms:
        raise Rejected(f"{letter.name} is symmetric, and {text(body)[:120]} is not")
    if letter.sign == "psd":
        if letter.indices:  # at every integer, every sample, every vector
            raise Rejected(f"{letter.name} has indices and is nonnegative; cite with the letter itself")
        zero = Node("O", (size_node(size_of(body)[0]),) * 2)
        check(cert["signs"][letter.name], sequent.show(Relation("<<", zero, body)), library, tally, cert["_depth"])


def rule_cite_letters(cert: Certificate, sequent: Sequent, claim: Claim, library: Library, tally: Tally) -> None:
    """As `cite`, for a claim with kinds: facts of ours about formulas of ours."""
    from theory.kernel.counting import opened

    depth, certs = cert["_depth"], cert.get("defined", {})
    env = {str(name): sequent.world.read(str(formula)) for name, formula in cert.get("with", {}).items()}
    for name in claim.naturals:
        if not is_natural(env.get(name, sym(name)), sequent.naturals):
            raise Rejected(f"{claim.id}: {name} must be a natural number, not {text(env.get(name, sym(name)))}")
    if set(env) & (claim.world.declared | set(claim.families) | RESERVED) or any(
        size_of(one) != size_of(num(0)) for one in env.values()
    ):
        raise Rejected(f"{claim.id}: numbers are put in for numbers; letters are given in `letters`")
    require_defined(list(env.values()), sequent, certs, library, tally, depth)
    images = images_of(cert, claim, env, sequent, library, tally)
    _same_recursions(claim, images)
    ours = images.put_relation

    replaced = (one for name in sorted(images.letters) for one in claim.world.clauses.get(name, ()))
    for position, given in enumerate((*claim.hypotheses, *map(definition, replaced))):
        hypothesis = ours(given)
        if hypothesis in sequent.facts:
            continue
        here = opened(sequent, hypothesis)
        require_defined([here.goal.left, here.goal.right], here, certs, library, tally, depth)
        check(cert.get("discharge", {})[str(position)], here, library, tally, depth)
    tally.cited.add(claim.id)
    check(cert["then"], sequent.given(*map(ours, claim.goals)), library, tally, depth)
