"""How the parts of a printed formula scale: the summands of a sum and the sides of a relation must scale alike."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from fractions import Fraction

from theory.claims.symbols import Convention, Weight
from theory.detectors.formula import ORDERS, RELATIONS, Chain, Term, by_commas, chain_of, normal, segments, term
from theory.detectors.latex import latex_of
from theory.detectors.weights import TWO, Weights
from theory.reading.latex.atoms import Atom, Atoms, sign

NUMBER = Weight()
ONE, HALF = Fraction(1), Fraction(1, 2)
LINEAR = ("E", "op{tr}", "op{limsup}", "op{liminf}", "op{diag}")
PURE = ("op{exp}", "op{log}", "op{sin}", "op{cos}", "op{tan}")
EXTREME = ("op{min}", "op{max}", "op{sup}", "op{inf}", "op{lim}")
GROWTH = frozenset(["cal:O", "tilde:cal:O", r"\Theta", r"tilde:\Theta", r"\Omega", r"tilde:\Omega"])
COMPARED = ORDERS | {"≲", "≳", "≍", "≈"}


@dataclass(frozen=True)
class Part:
    """A summand: how it is printed, and how it scales."""

    latex: str
    weight: Weight


Quantity = tuple[Part, ...]  # its summands of different weight; none when it is zero or not known


@dataclass(frozen=True)
class Clash:
    """Two parts that must scale alike and do not; `side` of the relation that the right one stands on."""

    left: Part
    right: Part
    side: int = 0


@dataclass
class Scales:
    """Reads the formulas of one section of one paper and collects what clashes."""

    table: Weights
    section: str
    convention: Convention
    clashes: list[Clash] = field(default_factory=list)

    def chain(self, one: Chain) -> None:
        """The sides of a relation scale alike; one that chooses a letter that stands for anything says nothing."""
        if any(mark not in COMPARED for mark in one.signs) or any(self.generic(side) for side in one.sides):
            return
        first: Part | None = None
        for at, side in enumerate(one.sides):
            known = len(self.clashes)
            for part in self.of(side):
                first = first or part
                if part.weight != first.weight:
                    self.clash(first, part)
            self.clashes[known:] = [replace(clash, side=at) for clash in self.clashes[known:]]

    def generic(self, one: Term) -> bool:
        found = self.table.symbols(one.atom, self.section) if one.op == "name" and one.atom is not None else []
        return any(symbol.formal and not symbol.derivation for symbol in found)

    def of(self, one: Term) -> Quantity:
        method = getattr(self, f"_{one.op}", None)
        found: Quantity = method(one) if method is not None else ()
        return (replace(found[0], latex=latex_of(one.source)),) if len(found) == 1 and one.source else found

    def clash(self, left: Part, right: Part) -> None:
        self.clashes.append(Clash(left, right))

    def agree(self, found: Iterable[Part]) -> Weight | None:
        """The weight of parts that must agree; None when none is known."""
        first: Part | None = None
        for part in found:
            first = first or part
            if part.weight != first.weight:
                self.clash(first, part)
        return first.weight if first else None

    def weightless(self, one: Term) -> None:
        for part in self.of(one):
            if part.weight:
                self.clash(Part("1", NUMBER), part)

    # --- leaves, tables, conditions -----------------------------------------------------------------------------------

    def _num(self, one: Term) -> Quantity:
        return () if one.value == 0 else (Part(str(one.value), NUMBER),)

    def _name(self, one: Term) -> Quantity:
        assert one.atom is not None
        self.condition(one.atom)
        if one.atom.name in GROWTH or one.atom.name == "bb:I":
            return (Part(latex_of((one.atom,)), NUMBER),)
        found = self.table.symbols(one.atom, self.section)
        unapplied = any(symbol.linear or set(symbol.args) - {"any"} for symbol in found)
        return () if unapplied else self.made(one, self.name(one.atom))

    def name(self, atom: Atom) -> Weight | None:
        square = self.table.square(atom, self.section, self.convention)
        return square if square is not None else self.table.of(atom, self.section, self.convention)

    def made(self, one: Term, weight: Weight | None) -> Quantity:
        return () if weight is None else (Part(latex_of((one.atom,)) if one.atom is not None else "", weight),)

    def _opaque(self, one: Term) -> Quantity:
        """A bracket with a condition, or a table: of values that agree, or of relations."""
        if one.atom is None:
            return ()
        if one.atom.kind == "fence":
            inner = by_commas(before_the_bar(one.atom.args[0]))
            return self.of(term(inner[0])) if len(inner) == 1 and not related(inner[0]) else ()
        values: list[Part] = []
        for cell in one.atom.args:
            if related(cell):
                self.relations(cell)
            else:
                values += self.of(term(tuple(atom for atom in cell if not sign(atom, ","))))
        return self.made(one, self.agree(values))

    def relations(self, listed: Atoms) -> None:
        for part in segments(listed):
            found = chain_of(part)
            if found is not None:
                self.chain(found)

    def condition(self, atom: Atom) -> None:
        """What stands below an indicator, a supremum or a minimum."""
        below = atom.sub or ()
        if len(below) == 1 and below[0].kind == "fence":
            below = below[0].args[0]
        if related(below):
            self.relations(below)

    # --- sums, products, powers ---------------------------------------------------------------------------------------

    def _sum(self, one: Term) -> Quantity:
        parts = tuple(part for arg in one.args for part in self.of(arg))
        return parts[:1] if len({part.weight for part in parts}) == 1 else parts

    def _prod(self, one: Term) -> Quantity:
        return self.times([(arg, ONE) for arg in one.args]) if one.args else ()

    _inner = _kron = _apply = _prod

    def _frac(self, one: Term) -> Quantity:
        return self.times([(one.args[0], ONE), (one.args[1], -ONE)])

    def times(self, factors: list[tuple[Term, Fraction]]) -> Quantity:
        """The first sum that mixes units keeps its summands, each times the other factors, which are of one weight."""
        read = [(self.of(arg), power) for arg, power in factors]
        known = all(found for found, _ in read)
        mixed = [at for at, (found, power) in enumerate(read) if power > 0 and len(found) > 1]
        spread = mixed[0] if mixed and known else -1
        total = NUMBER
        for at, (found, power) in enumerate(read):
            if at != spread:
                total += (self.agree(found) or NUMBER).times(power)
        if not known:
            return ()
        return (Part("", total),) if spread < 0 else tuple(replace(p, weight=p.weight + total) for p in read[spread][0])

    def _pow(self, one: Term) -> Quantity:
        base, exponent = one.args
        power = rational(exponent)
        if power is None:
            self.weightless(exponent)
            self.weightless(base)
            return (Part("", NUMBER),) if self.agree(self.of(base)) == NUMBER else ()
        if base.op == "name" and base.atom is not None:
            square = self.table.exact(replace(base.atom, sup=TWO), self.section, self.convention)
            if square is not None:
                return (Part("", square.times(power / 2)),)
        weight = self.agree(self.of(base))
        return () if weight is None else (Part("", weight.times(power)),)

    def _entry(self, one: Term) -> Quantity:
        return self.of(one.args[0])

    _transpose = _bind = _entry

    def _matrix(self, one: Term) -> Quantity:
        return self.made(one, self.agree(part for arg in one.args for part in self.of(arg)))

    # --- functions ----------------------------------------------------------------------------------------------------

    def _norm(self, one: Term) -> Quantity:
        weights = [self.agree(self.of(arg)) for arg in one.args if arg.op != "num"]
        if None in weights or not weights:
            return ()
        metrics = sum((weight or NUMBER for weight in weights[1:]), NUMBER)
        return (Part("", (weights[0] or NUMBER) + metrics.times(HALF)),)

    def _call(self, one: Term) -> Quantity:
        assert one.atom is not None
        self.condition(one.atom)
        name = one.text if one.atom.sub is None else one.text.replace(f"_{{{normal(one.atom.sub)}}}", "")
        if name in LINEAR:
            return self.of(one.args[0])
        if name in EXTREME:
            return self._extreme(one)
        if name in PURE:
            self.weightless(one.args[0])
            return (Part("", NUMBER),)
        if one.atom.name == "sqrt":
            weight = self.agree(self.of(one.args[0]))
            return () if weight is None else (Part("", weight.times(HALF)),)
        if one.atom.name == r"\nabla":
            return self._gradient(one, one.atom)
        return self._function(one, one.atom) if one.atom.kind == "letter" else self._inside(one)

    def _inside(self, one: Term) -> Quantity:
        """An operator that is not known, such as an argmin: only what it acts on is read."""
        for arg in one.args:
            self.agree(self.of(arg))
        return ()

    def _extreme(self, one: Term) -> Quantity:
        body = one.args[0]
        if body.op != "opaque" or body.atom is None or body.atom.kind != "fence":
            return self.of(body)
        listed = [each for each in by_commas(body.atom.args[0]) if not related(each)]
        return self.made(one, self.agree(part for each in listed for part in self.of(term(each))))

    def _gradient(self, one: Term, atom: Atom) -> Quantity:
        inner = one.args[0].atom
        named = self.table.operators.get(normal((atom, replace(inner, sub=None)))) if inner is not None else None
        return self.made(one, named.weight_in(self.convention) if named else None)

    def _function(self, one: Term, atom: Atom) -> Quantity:
        """A function of the paper; what is none of them is a factor before a bracket."""
        inner = self.agree(self.of(one.args[0]))
        if atom.name in GROWTH or (atom.sub is not None and normal(atom.sub) in ("op{max}", "op{min}")):
            return self.made(one, inner)  # growth, or the largest or smallest eigenvalue
        found = self.table.symbols(atom, self.section)
        weight = self.name(atom)
        if weight is None or any(symbol.args for symbol in found):
            return self.made(one, weight)
        return self.made(one, None if inner is None else weight + inner)


def before_the_bar(listed: Atoms) -> Atoms:
    """A conditional mean without its condition."""
    bars = [at for at, one in enumerate(listed) if sign(one, "mid")]
    return listed[: bars[0]] if bars else listed


def related(listed: Atoms) -> bool:
    return any(atom.kind == "sign" and atom.name in RELATIONS for atom in listed)


def rational(one: Term) -> Fraction | None:
    """The value of an exponent such as 2, -1 or 1/3."""
    if one.op == "num":
        return one.value
    parts = [rational(arg) for arg in one.args]
    if one.op not in ("prod", "frac") or len(parts) != 2 or parts[0] is None or not parts[1]:
        return None
    return parts[0] * parts[1] if one.op == "prod" else parts[0] / parts[1]


__all__ = ["Clash", "Part", "Scales"]
