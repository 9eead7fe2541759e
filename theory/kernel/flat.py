"""From formulas to rational functions: sums and means are opened, everything else that is not rational is named.

A finite sum or a mean is a positive linear functional, so `sum(i, 1, d, (u[i] + t*v[i])**2)` becomes
`S(u[i]**2) + 2*t*S(u[i]*v[i]) + t**2*S(v[i]**2)` with one atom for every monomial in the indexed symbols. Roots,
powers with a symbolic exponent, iterates and indexed symbols are atoms, too: two equal texts are one real number.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from flint import fmpq, fmpq_mpoly

from theory.kernel.errors import KernelError, Malformed
from theory.kernel.evaluate import Mat, evaluate
from theory.kernel.kinds import has_letters
from theory.kernel.lang import SPACE, Node, Relation, num, substitute, sym, symbols, text, walk
from theory.kernel.rings import Frac, RationalFunctions
from theory.kernel.shapes import require_number

RATIONAL = {"num", "sym", "neg", "+", "-", "*", "/", "list", "@", "T", "tr", "inv"}


@dataclass(frozen=True, slots=True)
class Atom:
    """A linear functional applied to a monomial: `kind` over `lo..hi` of `body`, where `index` is bound."""

    kind: str
    index: str
    lo: Node
    hi: Node
    body: Node

    @property
    def name(self) -> str:
        body = text(substitute(self.body, {self.index: sym("#")}))  # no name that can be typed is "#"
        return f"mean({body})" if self.kind == "mean" else f"sum({text(self.lo)}..{text(self.hi)}; {body})"


OMEGA = SPACE


def _whole(atom: Atom) -> Node:
    if atom.kind == "mean":
        return Node("mean", (sym(atom.index), atom.body))
    return Node("sum", (sym(atom.index), atom.lo, atom.hi, atom.body))


class Atoms:
    """The atoms that one flattening met, by name."""

    def __init__(self) -> None:
        self.by_name: dict[str, Atom] = {}
        self.opaque: dict[str, Node] = {}

    def flatten(self, node: Node) -> Node:
        if node.op in ("num", "sym"):
            return node
        if has_letters(node):
            require_number(node)
            if node.op not in ("+", "-", "*", "/", "neg", "**"):
                return self._name(node)
        if node.op in ("sum", "mean"):
            return self._open(node)
        if node.op == "**":
            if node.args[1].op == "num":
                return Node("**", (self.flatten(node.args[0]), node.args[1]))
            return self._power(node)
        if node.op == "index":
            node = Node("index", (node.args[0], *map(tidy, node.args[1:])))
            fixed = all(i.op == "num" for i in node.args[1:])
            if fixed and node.args[0].op not in ("sym", "iterate"):
                return Node("index", (self.flatten(node.args[0]), *node.args[1:]))
            return self._name(node)
        if node.op in RATIONAL:
            return Node(node.op, tuple(self.flatten(arg) for arg in node.args), node.value)
        return self._name(node)

    def _name(self, node: Node) -> Node:
        require_number(node)
        self.opaque[text(node)] = node
        return sym(text(node))

    def _power(self, node: Node) -> Node:
        """x**(k+2) is x**2 * x**k, so that induction sees one atom; x**(n-k+1) stays, for n-k may be -1 and x zero."""
        base, exponent = node.args
        require_number(base)
        exponent = tidy(exponent)
        if exponent.op == "num":
            return self.flatten(Node("**", (base, exponent)))
        if exponent.op == "+" and exponent.args[1].op == "num" and _adds_up(exponent):
            rest = self._power(Node("**", (base, exponent.args[0])))
            return Node("*", (rest, Node("**", (self.flatten(base), exponent.args[1]))))
        return self._name(Node("**", (base, exponent)))

    def _free(self, name: str) -> frozenset[str]:
        return symbols(self.opaque[name]) if name in self.opaque else frozenset({name})

    def restore(self, node: Node) -> Node:
        """Names such as `lam[i]` that were made symbols become indexed formulas again."""
        if node.op == "sym":
            return self.opaque.get(str(node.value), node)
        return Node(node.op, tuple(self.restore(arg) for arg in node.args), node.value) if node.args else node

    def _open(self, node: Node) -> Node:
        index = str(node.args[0].value)
        lo, hi = (tidy(node.args[1]), tidy(node.args[2])) if node.op == "sum" else (OMEGA, OMEGA)
        body = self.flatten(node.args[-1])
        local = sorted(name for name in symbols(body) if index in self._free(name))
        names = tuple(sorted(symbols(body)))
        ring = RationalFunctions(names)
        value = evaluate(body, ring.env(), ring)
        if isinstance(value, Mat):
            raise Malformed(f"{text(node)[:120]}: a sum of matrices is taken entry by entry")
        outer_den, inner_den = _split_denominator(value.den, names, local)
        total: Node | None = None
        for monomial, coefficient in _collect(value.num, names, local).items():
            piece = _monomial_node(local, monomial)
            if inner_den is not None:
                power = [dict(zip(local, monomial, strict=True)).get(name, 0) for name in names]
                top = ring.ctx.from_dict({tuple(power): fmpq(1)})
                piece = fraction_node(Frac.of(top, inner_den), names)
            scale = fraction_node(Frac.of(coefficient, outer_den), names)
            term = self._apply(node.op, index, lo, hi, piece)
            term = scale if term == num(1) else Node("*", (scale, term))
            total = term if total is None else Node("+", (total, term))
        return num(0) if total is None else total

    def _apply(self, kind: str, index: str, lo: Node, hi: Node, piece: Node) -> Node:
        if kind == "mean" and piece == num(1):
            return num(1)
        atom = Atom(kind, index, lo, hi, self.restore(piece))
        self.by_name[atom.name] = atom
        self.opaque[atom.name] = _whole(atom)
        return sym(atom.name)


def _adds_up(node: Node) -> bool:
    """Names and numbers that are not negative, added and multiplied: a natural number if the names are."""
    if node.op in ("+", "*"):
        return all(map(_adds_up, node.args))
    return node.op == "sym" or (node.op == "num" and Fraction(node.value) >= 0)


@lru_cache(maxsize=4_000)
def pulled_out(node: Node) -> tuple[Node, ...]:
    """The divisors that leave a sum when it is opened: an empty sum has a value even where they vanish."""
    if has_letters(node):
        return ()  # a sum of letters is one letter
    atoms = Atoms()
    body = atoms.flatten(node.args[-1])
    names = tuple(sorted(symbols(body)))
    ring = RationalFunctions(names)
    try:
        value = evaluate(body, ring.env(), ring)
    except KernelError:
        return ()  # such a sum is never opened
    if isinstance(value, Mat):
        return ()
    local = [name for name in names if str(node.args[0].value) in atoms._free(name)]
    outer, _ = _split_denominator(value.den, names, local)
    return tuple(atoms.restore(polynomial_node(factor, names)) for factor, _ in outer.factor()[1])


def _collect(poly: fmpq_mpoly, names: tuple[str, ...], local: list[str]) -> dict[tuple[int, ...], fmpq_mpoly]:
    where = [names.index(name) for name in local]
    ctx = poly.context()
    grouped: dict[tuple[int, ...], dict[tuple[int, ...], fmpq]] = {}
    for exponents, coefficient in poly.to_dict().items():
        key = tuple(int(exponents[i]) for i in where)
        outer = tuple(0 if i in where else int(e) for i, e in enumerate(exponents))
        grouped.setdefault(key, {})[outer] = coefficient
    return {key: ctx.from_dict(terms) for key, terms in grouped.items()}


def _split_denominator(
    den: fmpq_mpoly, names: tuple[str, ...], local: list[str]
) -> tuple[fmpq_mpoly, fmpq_mpoly | None]:
    ctx = den.context()
    constant, factors = den.factor()
    outer, inner = ctx.constant(constant), ctx.constant(1)
    where = [names.index(name) for name in local]
    for factor, power in factors:
        if any(factor.degrees()[i] for i in where):
            inner = inner * factor**power
        else:
            outer = outer * factor**power
    return outer, None if inner.is_constant() else inner


def _monomial_node(names: list[str], exponents: tuple[int, ...]) -> Node:
    result: Node | None = None
    for name, power in zip(names, exponents, strict=True):
        if power:
            factor = sym(name) if power == 1 else Node("**", (sym(name), num(power)))
            result = factor if result is None else Node("*", (result, factor))
    return num(1) if result is None else result


def polynomial_node(poly: fmpq_mpoly, names: tuple[str, ...]) -> Node:
    total: Node | None = None
    for exponents, coefficient in poly.to_dict().items():
        value = Fraction(int(coefficient.p), int(coefficient.q))
        term = _monomial_node(list(names), tuple(int(e) for e in exponents[: len(names)]))
        term = num(value) if term == num(1) else term if value == 1 else Node("*", (num(value), term))
        total = term if total is None else Node("+", (total, term))
    return num(0) if total is None else total


def fraction_node(value: Frac, names: tuple[str, ...]) -> Node:
    top = polynomial_node(value.num, names)
    return top if value.den.is_constant() else Node("/", (top, polynomial_node(value.den, names)))


@lru_cache(maxsize=20_000)
def tidy(node: Node) -> Node:
    """An index, an exponent or an end of a range, multiplied out: k + 1 - 1 is k. The number comes last."""
    if node.op in ("num", "sym") or any(part.op not in ("num", "sym", "neg", "+", "-", "*") for part in walk(node)):
        return node
    names = tuple(sorted(symbols(node)))
    ring = RationalFunctions(names)
    value = evaluate(node, ring.env(), ring)
    constant = {m: c for m, c in value.num.to_dict().items() if not any(m)}
    shift = next((Fraction(int(c.p), int(c.q)) for c in constant.values()), Fraction(0))
    rest = value.num - ring.ctx.constant(fmpq(shift.numerator, shift.denominator))
    if rest.is_zero():
        return num(shift)
    node = polynomial_node(rest, names)
    return node if not shift else Node("+" if shift > 0 else "-", (node, num(abs(shift))))


def difference(relation: Relation) -> tuple[Node, bool]:
    """A relation as `expression >= 0` (or > 0: the flag says whether it is strict)."""
    if relation.op in ("<=", "<", "<<"):
        return Node("-", (relation.right, relation.left)), relation.op == "<"
    return Node("-", (relation.left, relation.right)), relation.op == ">"


def fractions_of(nodes: Iterable[Node]) -> tuple[RationalFunctions, list[Frac | Mat], Atoms]:
    """Flatten formulas and evaluate them in one common field of rational functions."""
    return _fractions_of(tuple(nodes))


@lru_cache(maxsize=4_000)
def _fractions_of(nodes: tuple[Node, ...]) -> tuple[RationalFunctions, list[Frac | Mat], Atoms]:
    atoms = Atoms()
    flat = [atoms.flatten(node) for node in nodes]
    names = tuple(sorted(frozenset().union(*(symbols(node) for node in flat)) if flat else ()))
    ring = RationalFunctions(names)
    env = ring.env()
    return ring, [evaluate(node, env, ring) for node in flat], atoms


def scalars_of(nodes: Iterable[Node]) -> tuple[RationalFunctions, list[Frac], Atoms]:
    """As `fractions_of`, for formulas that must be numbers."""
    ring, values, atoms = fractions_of(nodes)
    numbers = [value for value in values if isinstance(value, Frac)]
    if len(numbers) != len(values):
        raise Malformed("a matrix stands where a number is needed")
    return ring, numbers, atoms
