"""Rational functions at a leaf of a proof: identities by `field`, what is nonzero and why, which signs are plain."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction

from flint import fmpq, fmpq_mpoly

from theory.coq.errors import NotExpressible
from theory.coq.opening import Recorder, divisors, equal, factored
from theory.coq.scene import Out, Scene
from theory.coq.statement import number
from theory.kernel.errors import KernelError
from theory.kernel.evaluate import Mat, evaluate
from theory.kernel.flat import difference, polynomial_node
from theory.kernel.lang import Node, Relation, num, sym, symbols, text
from theory.kernel.rings import Frac, RationalFunctions
from theory.kernel.sequent import _bound, _proportion


class World:
    """The formulas of one leaf in one field of rational functions, over the facts of its scene."""

    def __init__(self, out: Out, scene: Scene, nodes: Sequence[Node]) -> None:
        self.out, self.scene = out, scene
        self.atoms = Recorder()
        self.flat: dict[Node, Node] = {}
        facts = [(f, hyp) for f, hyp in scene.every_fact() if f.binder is None and f.op != "=="]
        known = [one for one in scene.known if not one.need.binders and one.need.kind == "nonzero"]
        self.facts: list[tuple[Relation, str, Node, bool]] = []
        for node in nodes:
            self._flatten(scene.flat(node))
        self.opened = list(self.atoms.opened)
        for fact, hyp in facts:
            node, strict = difference(fact)
            if self._try(scene.flat(node)):
                self.facts.append((fact, hyp, scene.flat(node), strict))
        self.known = [one for one in known if self._try(scene.flat(one.need.node))]
        names = sorted(frozenset().union(*(symbols(n) for n in self.flat.values())) if self.flat else ())
        self.ring = RationalFunctions(tuple(names))
        self._values: dict[Node, Frac] = {}
        self._nonzero: dict[str, str] = {}
        self._signed: dict[str, tuple[str, str]] = {}
        self._names: dict[str, tuple[str, str] | None] = {}

    def _flatten(self, node: Node) -> None:
        self.flat[node] = self.atoms.flatten(node)

    def _try(self, node: Node) -> bool:
        try:
            self._flatten(node)
        except KernelError:
            return False
        return True

    def value(self, node: Node) -> Frac:
        node = self.scene.flat(node)
        if node not in self._values:
            value = evaluate(self.flat[node], self.ring.env(), self.ring)
            if isinstance(value, Mat):
                raise NotExpressible(f"{text(node)[:60]} is a matrix")
            self._values[node] = value
        return self._values[node]

    def _maybe(self, node: Node) -> Frac | None:
        try:
            return self.value(node)
        except KernelError:
            return None

    def node(self, poly: fmpq_mpoly) -> Node:
        return self.atoms.full(polynomial_node(poly, self.ring.names))

    def text(self, poly: fmpq_mpoly) -> str:
        return self.scene.text(self.node(poly))

    # signs of names and of polynomials

    def name_sign(self, name: str) -> tuple[str, str] | None:
        """(">" or ">=", hypothesis) when a fact says so directly."""
        if name not in self._names:
            self._names[name] = None
            found = self._name_facts(name)
            if found is not None:
                self._names[name] = self._say_name(name, *found)
        return self._names[name]

    def _name_facts(self, name: str) -> tuple[str, str, Node, bool, fmpq, fmpq] | None:
        best = None
        for fact, hyp, node, strict in self.facts:
            value = self._maybe(node)
            if value is None or not value.den.is_constant() or fact.op == "!=":
                continue
            positive: set[str] = set()
            nonnegative: set[str] = set()
            _bound(value.num, self.ring.names, strict, nonnegative, positive)
            if name not in nonnegative:
                continue
            terms = {sum(int(e) for e in m): c for m, c in value.num.to_dict().items()}
            found = (fact.op, hyp, node, strict, terms[1], -terms.get(0, fmpq(0)))
            if name in positive:
                return found
            best = best or found
        return best

    def _say_name(
        self, name: str, fact_op: str, hyp: str, node: Node, strict: bool, a: fmpq, b: fmpq
    ) -> tuple[str, str]:
        atom = self.scene.text(self.atoms.full(sym(name)))
        sure = strict or b > 0
        lemma = "read_pp" if strict else "read_np" if b > 0 else "read_nn"
        new, slope, rest = self.out.new("P"), number(fraction(a)), number(fraction(b))
        diff = self.scene.text(node)
        with self.out.block(f"assert ({new} : 0 {'<' if sure else '<='} {atom})."):
            self.out.say(
                f"apply ({lemma} {slope} {rest} {diff} {atom}); [num | num | | exact {sign_of_fact(fact_op, hyp)}]."
            )
            left = Node("-", (Node("*", (num(fraction(a)), self.atoms.full(sym(name)))), num(fraction(b))))
            equal(self.out, self.scene, left, node, [])
        if sure and self.atoms.full(sym(name)).op == "**":  # whose base may have no sign
            self.out.say(f"assert ({self.out.new('P')} : 0 <= {atom}) by exact (pos_nn _ {new}).")
        return (">" if sure else ">="), new

    def covered(self, poly: fmpq_mpoly, strict: bool) -> str | None:
        return covered(poly, self.ring.names, strict, self._look)

    def _look(self, name: str) -> tuple[str, str | None]:
        sign = self.name_sign(name)
        return self.scene.text(self.atoms.full(sym(name))), sign[0] if sign else None

    def node_sign(self, node: Node) -> str | None:
        """ ">" or ">=" when a fact says so of an atom."""
        flat = self.atoms.flatten(self.scene.flat(node))
        if flat.op == "*" and flat.args[0] == num(1):  # a sum of one monomial
            flat = flat.args[1]
        if flat.op != "sym" or str(flat.value) not in self.ring.names:
            return None
        sign = self.name_sign(str(flat.value))
        return sign[0] if sign else None

    def signed(self, poly: fmpq_mpoly) -> tuple[str, str] | None:
        """(text, hypothesis 0 < text) for the polynomial or its negative; None when the sign is not plain."""
        key = str(poly)
        if key not in self._signed:
            found = self._from_strict(poly) or self._from_terms(poly)
            if found is None:
                return None
            self._signed[key] = found
        return self._signed[key]

    def _from_strict(self, poly: fmpq_mpoly) -> tuple[str, str] | None:
        for fact, hyp, node, strict in self.facts:
            value = self._maybe(node)
            if value is None or not strict or fact.op == "!=" or not value.den.is_constant():
                continue
            ratio = _proportion(poly, value.num)
            if ratio is None:
                continue
            own = self.node(poly) if ratio > 0 else Node("neg", (self.node(poly),))
            return self._say_sign(own, abs(ratio), fact.op, hyp, node)
        return None

    def _say_sign(self, own: Node, ratio: fmpq, op: str, hyp: str, node: Node) -> tuple[str, str]:
        new, shown, diff = self.out.new("P"), self.scene.text(own), self.scene.text(node)
        with self.out.block(f"assert ({new} : 0 < {shown})."):
            self.out.say(
                f"apply (scale_pos {number(fraction(ratio))} {diff} {shown}); [num | | exact {sign_of_fact(op, hyp)}]."
            )
            equal(self.out, self.scene, own, Node("*", (num(fraction(ratio)), node)), [])
        return shown, new

    def _from_terms(self, poly: fmpq_mpoly) -> tuple[str, str] | None:
        for sign in (1, -1):
            shown = self.covered(poly * sign, strict=True)
            if shown is None:
                continue
            own = self.text(poly) if sign == 1 else f"(- {self.text(poly)})"
            new = self.out.new("P")
            self.out.say(f"assert ({new} : 0 < {own}) by (apply (eq_pos _ ({shown})); [field | pp]).")
            return own, new
        return None

    # what is nonzero

    def nonzero(self, poly: fmpq_mpoly) -> str:
        """A hypothesis that an irreducible polynomial is nonzero: by its sign, or as a factor of a divisor."""
        key = str(poly)
        if key in self._nonzero:
            return self._nonzero[key]
        shown, new = self.text(poly), self.out.new("Z")
        self._nonzero[key] = new
        sign = self.signed(poly)
        if sign is not None:
            lemma = "pos_nz" if sign[0] == shown else "opp_pos_nz"
            self.out.say(f"assert ({new} : {shown} <> 0) by exact ({lemma} _ {sign[1]}).")
            return new
        for node, hyp in self._nonzero_facts():
            cofactor = self._cofactor(poly, node)
            if cofactor is not None:
                self._say_factor(new, poly, node, hyp, cofactor)
                return new
        if self.out.bold:
            self.out.say(f"assert ({new} : {shown} <> 0) by nz.")
            return new
        del self._nonzero[key]
        raise NotExpressible(f"not seen to be nonzero: {text(self.node(poly))[:80]}")

    def _nonzero_facts(self) -> Iterator[tuple[Node, str]]:
        for one in self.known:
            yield self.scene.flat(one.need.node), one.hyp
        for fact, hyp, node, _ in self.facts:
            if fact.op == "!=":
                yield node, f"(ne_diff _ _ {hyp})"

    def _cofactor(self, poly: fmpq_mpoly, node: Node) -> Node | None:
        value = self._maybe(node)
        if value is None or value.is_zero:
            return None
        quotient, remainder = divmod(value.num, poly)
        if not remainder.is_zero():
            return None
        top = self.node(quotient)
        return top if value.den.is_constant() else Node("/", (top, self._factored(value.den)))

    def _say_factor(self, new: str, poly: fmpq_mpoly, node: Node, hyp: str, cofactor: Node) -> None:
        shown, whole = self.text(poly), self.scene.text(node)
        if self.value(node).den.is_constant() and shown == whole:
            self.out.say(f"assert ({new} : {shown} <> 0) by exact {hyp}.")
            return
        for factor, _ in self.value(node).den.factor()[1]:
            self.nonzero(factor)
        with self.out.block(f"assert ({new} : {shown} <> 0)."):
            self.out.say(f"apply (factor_nz {whole} {shown} {self.scene.text(cofactor)}); [exact {hyp} | ].")
            equal(self.out, self.scene, node, Node("*", (self.node(poly), cofactor)), self.conditions([node, cofactor]))

    def conditions(self, nodes: Sequence[Node]) -> list[str]:
        """Every factor of every divisor becomes a hypothesis; their texts."""
        shapes: list[str] = []
        for divisor in dict.fromkeys(d for node in nodes for d in divisors(self.scene.flat(node))):
            value = self._of_divisor(divisor)
            for poly in (value.num, value.den) if value is not None else ():
                factors = poly.factor()[1]
                for factor, _ in factors:
                    self.nonzero(factor)
                    shapes.append(self.text(factor))
                if sum(int(power) for _, power in factors) > 1:
                    shapes.append(f"({self.product(poly)})")
        return list(dict.fromkeys(shapes))

    def cleared(self, divisor: Node) -> Node:
        """A divisor as a quotient of two products of irreducible polynomials."""
        value = self.value(divisor)
        return Node("/", (self._factored(value.num), self._factored(value.den)))

    def _factored(self, poly: fmpq_mpoly) -> Node:
        return self.atoms.full(factored(poly, self.ring.names))

    def _of_divisor(self, divisor: Node) -> Frac | None:
        if divisor not in self.flat:
            self.flat[divisor] = self.atoms.flatten(divisor)
            if not symbols(self.flat[divisor]) <= set(self.ring.names):
                return None
        return self._maybe(divisor)

    def product(self, poly: fmpq_mpoly) -> str:
        constant, factors = poly.factor()
        for factor, _ in factors:
            self.nonzero(factor)
        parts = [f"({self.text(f)} ^ {int(e)})" if e > 1 else self.text(f) for f, e in factors]
        return " * ".join([number(fraction(constant)), *parts])


Look = Callable[[str], tuple[str, str | None]]


def covered(poly: fmpq_mpoly, names: Sequence[str], strict: bool, look: Look) -> str | None:
    """The polynomial as a sum of products of what is nonnegative, a positive one first; None if it is not plain."""
    first: list[str] = []
    rest: list[str] = []
    for exponents, c in poly.to_dict().items():
        shown, sure = _monomial(exponents, names, look)
        if c < 0 or shown is None:
            return None
        (first if sure and not first else rest).append(f"{number(fraction(c))}{shown}")
    if strict and not first:
        return None
    return " + ".join([*first, *rest]) or "0"


def _monomial(exponents: Sequence[int], names: Sequence[str], look: Look) -> tuple[str | None, bool]:
    parts, sure = "", True
    for name, power in ((n, int(e)) for n, e in zip(names, exponents, strict=False) if e):
        shown, sign = look(name)
        if sign is None and power % 2:
            return None, False
        sure = sure and sign == ">"
        base, power = (shown, power) if sign else (f"({shown} ^ 2)", power // 2)
        parts += f" * {base}" if power == 1 else f" * ({base} ^ {power})"
    return parts, sure


def fraction(value: fmpq) -> Fraction:
    return Fraction(int(value.p), int(value.q))


SIGN = {"<=": "le_nn", "<": "lt_pp", ">=": "ge_nn", ">": "gt_pp"}


def sign_of_fact(op: str, hyp: str) -> str:
    """The proof that the difference of a fact's sides is nonnegative or positive."""
    return f"({SIGN[op]} _ _ {hyp})"
