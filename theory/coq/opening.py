"""Identities of rational functions in Coq: sums and powers opened, divisors cleared, then `field`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from flint import fmpq_mpoly

from theory.coq.reserved import ident
from theory.coq.scene import Out, Scene, enter
from theory.coq.statement import integer, natural, space
from theory.kernel.evaluate import evaluate
from theory.kernel.flat import OMEGA, Atoms, polynomial_node, tidy
from theory.kernel.kinds import NUMBER, has_letters, size_of
from theory.kernel.lang import BINDERS, Node, Relation, num, substitute, sym, symbols, walk
from theory.kernel.rings import RationalFunctions

if TYPE_CHECKING:
    from theory.coq.world import World

Opened = tuple[Node, Node]
Pieces = list[tuple[Node, Node]]
MANY = 40  # different divisors that are numbers


class Recorder(Atoms):
    """Flattens as the kernel does, and remembers which sums, means and powers were opened and into what."""

    def __init__(self) -> None:
        super().__init__()
        self.opened: list[Opened] = []
        self._level = 0

    def _open(self, node: Node) -> Node:
        self._level += 1
        result = super()._open(node)
        self._level -= 1
        if not self._level:
            self.opened.append((node, result))
        return result

    def _power(self, node: Node) -> Node:
        result = super()._power(node)
        if not self._level and result.op == "*":
            self.opened.append((node, result))
        return result

    def full(self, node: Node) -> Node:
        """All names that flattening gave are formulas again."""
        if node.op == "sym" and str(node.value) in self.opaque:
            return self.opaque[str(node.value)]
        return Node(node.op, tuple(map(self.full, node.args)), node.value) if node.args else node


def divisors(node: Node) -> Iterator[Node]:
    """What the formula divides by outside of every binder."""
    if has_letters(node) and size_of(node) != NUMBER:
        return  # a number inside a matrix is shown to make sense where it is used
    if node.op == "/":
        yield node.args[1]
    if node.op == "inv" or (node.op == "**" and node.args[1].op == "num" and node.args[1].value < 0):
        yield node.args[0]
    inside = node.args[1:-1] if node.op in BINDERS else node.args
    for arg in inside if node.op not in ("sqrt", "abs", "min", "max", "exp", "log", "sin", "cos", "iterate") else ():
        yield from divisors(arg)


def equal(out: Out, scene: Scene, left: Node, right: Node, shapes: list[str]) -> None:
    """Prove `left = right`, an identity of rational functions."""
    if any(divides(part) for node in (left, right) for part in walk(scene.flat(node))):
        settle(out, scene, [left, right], shapes)
    else:
        open_all(out, scene, [left, right])
        out.say("ring.")


def settle(out: Out, scene: Scene, nodes: Sequence[Node], shapes: list[str]) -> None:
    """Prove an equation in which these formulas stand: open sums, clear divisors, then `field`."""
    open_all(out, scene, nodes)
    for divisor in dict.fromkeys(d for node in nodes for d in _outermost(scene.flat(node))):
        _clear(out, scene, divisor, shapes)
    out.say(by_field(shapes, many_fractions(scene.flat(node) for node in nodes)))


def many_fractions(nodes: Iterable[Node]) -> bool:
    """Whether so many numbers are divided by that `field`, which multiplies them all, would take minutes."""
    parts = (part for node in nodes for part in walk(node))
    return len({size for part in parts if (size := _denominator(part)) != 1}) >= MANY


def _denominator(part: Node) -> int:
    """Of 43/144, as one number or as a quotient of two."""
    if part.op == "/" and part.args[1].op == "num":
        part = part.args[1]
        return Fraction(part.value).numerator
    return Fraction(part.value).denominator if part.op == "num" else 1


def open_all(out: Out, scene: Scene, nodes: Sequence[Node]) -> None:
    recorder = Recorder()
    for node in nodes:
        recorder.flatten(scene.flat(node))
    for node, opened in dict.fromkeys(recorder.opened):
        open_up(out, scene, recorder, node, opened)
    for power in dict.fromkeys(p for node in nodes for p in walk(scene.flat(node)) if _is_closed_power(p)):
        count = [natural(one, scene.names) for one in (power.args[1], tidy(power.args[1]))]
        out.say(f"change {count[0]} with {count[1]}.")
    if any(_adds_nothing(part) for node in nodes for part in walk(scene.flat(node))):
        out.say("rewrite ?Nat.add_0_r, ?Nat.add_0_l.")
    for index in dict.fromkeys(i for node in nodes for i in _untidy(scene.flat(node))):
        new = out.new("O")
        out.say(f"assert ({new} : {scene.text(index)} = {scene.text(tidy(index))}) by ring.")
        out.say(f"rewrite ?{new}; clear {new}.")


def _is_closed_power(part: Node) -> bool:
    """2 ** (0 + 1), whose exponent is a number that is not written as one."""
    return part.op == "**" and part.args[1].op != "num" and tidy(part.args[1]).op == "num"


def _adds_nothing(part: Node) -> bool:
    """2 ** (n + 0), which is 2 ** n to the kernel."""
    return part.op == "**" and any(one.op == "+" and num(0) in one.args for one in walk(part.args[1]))


def _untidy(node: Node) -> Iterator[Node]:
    """Indices of entries that the kernel writes otherwise: r[n + 1 + 1] is r[n + 2] there."""
    if node.op == "index" and node.args[0].op == "sym":
        yield from (i for i in node.args[1:] if tidy(i) != i)
    for arg in () if node.op in BINDERS else node.args:
        yield from _untidy(arg)


def by_field(shapes: Sequence[str], fractions: bool = False) -> str:
    tactic = "field_with_fractions" if fractions else "field"
    return f"{tactic}; repeat split; first [{' | '.join(['nz', *(f'nz_as {shape}' for shape in shapes)])}]."


def divides(part: Node) -> bool:
    """Whether something stands here that `ring` alone does not know."""
    negative = part.op == "**" and part.args[1].op == "num" and part.args[1].value < 0
    return part.op in ("/", "inv") or negative or _is_fraction(part)


def _outermost(node: Node) -> Iterator[Node]:
    """The divisors that divide by something themselves, the outermost only."""
    for divisor in divisors(node):
        if any(True for _ in divisors(divisor)) and not any(p.op in ("sum", "mean") for p in walk(divisor)):
            yield divisor


def _world(out: Out, scene: Scene, nodes: Sequence[Node]) -> World:
    from theory.coq.world import World  # which opens sums in turn

    return World(out, scene, nodes)


def _clear(out: Out, scene: Scene, divisor: Node, shapes: list[str]) -> None:
    """Rewrite a divisor with fractions inside as one quotient of products, so that `field` asks for their factors."""
    field_ = _world(out, scene, [divisor])
    simple, new = field_.cleared(divisor), out.new("O")
    if scene.text(simple) == scene.text(divisor):
        return
    with out.block(f"assert ({new} : {scene.text(divisor)} = {scene.text(simple)})."):
        for inner in dict.fromkeys(_outermost(divisor)):
            _clear(out, scene, inner, shapes)
        out.say(by_field(shapes))
    out.say(f"rewrite ?{new}; clear {new}.")


def _is_fraction(part: Node) -> bool:
    return part.op == "num" and Fraction(part.value).denominator != 1


def open_up(out: Out, scene: Scene, recorder: Recorder, node: Node, opened: Node) -> None:
    """Rewrite a sum or a mean into the sums of its monomials, a power x**(k+2) into x**k * x**2."""
    new, whole = out.new("O"), recorder.full(opened)
    if node == whole:
        return
    if node.op == "**":
        out.say(f"assert ({new} : {scene.text(node)} = {scene.text(whole)}) by (rewrite ?pow_add; ring).")
        out.say(f"rewrite {new}; clear {new}.")
        return
    node, pieces = _renamed(out, scene, node, _pieces(opened, recorder, str(node.args[0].value)))
    open_into(out, scene, node, pieces, new)
    if node.op == "mean" and any(body == num(1) for _, body in pieces):
        out.say("rewrite ?(e_one _ HE).")


def open_into(out: Out, scene: Scene, node: Node, pieces: Pieces, new: str) -> None:
    """Rewrite a sum or a mean into sums of these bodies, each with its coefficient before it."""
    shown = [(scene.text(c), scene.below(body, node)) for c, body in pieces]
    index = ident(str(node.args[0].value))
    nested = "0"
    for c, body in reversed(pieces):
        nested = f"({scene.text(c)} * {scene.text(_again(node, body))} + {nested})"
    with out.block(f"assert ({new} : {scene.text(node)} = {nested})."):
        sort = "Z" if node.op == "sum" else space(scene.names)
        listed = "; ".join(f"({c}, fun {index} : {sort} => {body})" for c, body in shown)
        body_text = scene.below(node.args[-1], node)
        out.say(f"refine (f_open {_functional(node, scene)} (fun {index} : {sort} => {body_text}) [{listed}] _).")
        inner = _below(out, scene, node)
        right: Node = num(0)
        for c, body in reversed(pieces):
            right = Node("+", (Node("*", (c, body)), right))
        out.say("cbv beta iota delta [lin].")
        below = _world(out, inner, [node.args[-1], right])
        equal(out, inner, node.args[-1], right, below.conditions([node.args[-1], right]))
    out.say(f"rewrite {new}; clear {new}.")


def _renamed(out: Out, scene: Scene, node: Node, pieces: Pieces) -> tuple[Node, Pieces]:
    """With an index that stands for nothing else here."""
    index = str(node.args[0].value)
    if not scene.speaks_of(index):
        return node, pieces
    fresh = f"{index}_{out.count}"
    env = {index: sym(fresh)}
    body = substitute(node.args[-1], env)
    return Node(node.op, (sym(fresh), *node.args[1:-1], body)), [(c, substitute(b, env)) for c, b in pieces]


def _below(out: Out, scene: Scene, node: Node) -> Scene:
    """Below the functional, at a generic index or outcome."""
    index = str(node.args[0].value)
    trivial = Relation("==", num(0), num(0))
    if node.op == "sum":
        return enter(out, scene, trivial, [(index, node.args[1], node.args[2])])
    quiet = Out(count=out.count, depth=0)
    inner = enter(quiet, scene, trivial, [(index, OMEGA, OMEGA)])
    out.count = quiet.count
    out.say(f"intros {ident(index)} _.", *quiet.lines[1:])
    return inner


def _functional(node: Node, scene: Scene) -> str:
    if node.op == "mean":
        return "(e_functional _ HE)"
    return f"(zsum_functional {integer(node.args[1], scene.names)} {integer(node.args[2], scene.names)})"


def _again(node: Node, body: Node) -> Node:
    return Node(node.op, (*node.args[:-1], body))


def _pieces(opened: Node, recorder: Recorder, index: str) -> Pieces:
    """(coefficient, body) for each summand of an opened sum."""
    if opened == num(0):
        return []
    if opened.op == "+":
        return [piece for arg in opened.args for piece in _pieces(arg, recorder, index)]
    if opened.op == "*" and opened.args[1].op == "sym" and str(opened.args[1].value) in recorder.by_name:
        atom = recorder.by_name[str(opened.args[1].value)]
        body = atom.body if atom.index == index else substitute(atom.body, {atom.index: sym(index)})
        return [(recorder.full(_over_factors(opened.args[0])), recorder.full(body))]
    return [(recorder.full(_over_factors(opened)), num(1))]


def _over_factors(node: Node) -> Node:
    """A quotient of polynomials with the factors of the divisor apart, so that `field` asks for each of them."""
    if node.op != "/":
        return node
    ring = RationalFunctions(tuple(sorted(symbols(node.args[1]))))
    divisor = evaluate(node.args[1], ring.env(), ring)
    return Node("/", (node.args[0], factored(divisor.num, ring.names)))


def factored(poly: fmpq_mpoly, names: tuple[str, ...]) -> Node:
    """A product of irreducible polynomials and a number."""
    constant, factors = poly.factor()
    result = num(Fraction(int(constant.p), int(constant.q)))
    for factor, power in factors:
        one = polynomial_node(factor, names)
        result = Node("*", (result, one if power == 1 else Node("**", (one, num(int(power))))))
    return result
