"""Chains of bounds: a part that occurs linearly is replaced by its bound from a fact, then the next part.

gap = ratio*fact + rest, where the ratio has a sign that is shown and the rest no longer has the part. What is left at
the end is about parameters only. Entries of sequences, sums, products, powers and exponentials are parts.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from theory.kernel.errors import KernelError
from theory.kernel.flat import Atoms, difference, fraction_node, scalars_of
from theory.kernel.lang import Node, Relation, num, sym
from theory.kernel.rings import Frac, RationalFunctions
from theory.kernel.sequent import Certificate, Sequent
from theory.provers.effort import Effort
from theory.provers.frame import accepted
from theory.provers.locality import around, local, with_only
from theory.provers.skeletons import Filler

STEPS = 40  # gaps that are looked at in one search
ENDS = 8  # gaps that are handed on
THOROUGH = 4  # rounds from which on squares are looked for
SQUARES = 2  # gaps for which they are
FEW = 12  # facts around a goal with which numbers are tried
PLAIN: Certificate = {"kind": "positive"}


@dataclass(frozen=True)
class Known:
    """A fact as a fraction that is nonnegative (zero where it is an equation)."""

    position: int
    value: Frac
    equation: bool
    strict: bool


def find(sequent: Sequent, rounds: int) -> Certificate | None:
    """A proof of an inequality in which the parts are bounded one after the other."""
    if sequent.goal.op in ("==", "!=") or sequent.goal.binder is not None:
        return None
    usable = [(i, f) for i, f in enumerate(sequent.facts) if f.binder is None and f.op != "!="]
    gaps = [(i, f, gap) for i, f in usable if (gap := _rational(f)) is not None]
    try:
        gap, strict = difference(sequent.goal)
        ring, (target, *values), atoms = scalars_of([gap, *(node for _, _, node in gaps)])
    except (KernelError, ValueError):
        return None
    known = [Known(i, v, f.op == "==", f.op in ("<", ">")) for (i, f, _), v in zip(gaps, values, strict=True)]
    return _Chain(sequent, rounds, ring, atoms, known[::-1]).prove(target, strict)


def _rational(fact: Relation) -> Node | None:
    node = Node("-", (fact.left, fact.right)) if fact.op == "==" else difference(fact)[0]
    try:
        scalars_of([node])
    except (KernelError, ValueError):
        return None
    return node


@dataclass
class _Chain:
    sequent: Sequent
    rounds: int
    ring: RationalFunctions
    atoms: Atoms
    known: list[Known]
    seen: set[str] = field(default_factory=set)
    ends: int = ENDS
    squares: int = SQUARES
    signs: dict[str, bool] = field(default_factory=dict)

    def __post_init__(self) -> None:
        inner = {name for name, node in self.atoms.opaque.items() if node.op in ("exp", "log", "sin", "cos")}
        self.functions = [i for i, name in enumerate(self.ring.names) if name in inner]

    def prove(self, gap: Frac, strict: bool, gone: frozenset[int] = frozenset()) -> Certificate | None:
        """`gone` are the parts that were replaced: none of them comes back."""
        goal = self._relation(gap, strict)
        here = self.sequent.show(goal)
        if str(goal) in self.seen or len(self.seen) >= STEPS:
            return None
        self.seen.add(str(goal))
        if gap.is_zero:
            return None if strict else {"kind": "identity"}
        if accepted(PLAIN, here):
            return PLAIN
        for part in self._parts(gap):
            first = [k for k in self.known if self._defines(k, part)]
            certain = any(self.sequent.facts[k.position].left.op in ("sum", "prod") for k in first)
            for fact in first if certain else [*first, *(k for k in self.known if k not in first)]:
                cert = self._through(part, fact, gap, strict, gone | {part})
                if cert is not None:
                    return cert
            if certain:
                return None
        self.ends -= 1
        found = _end(here, self.rounds) if self.ends >= 0 else None
        if found is None and self.rounds >= THOROUGH and self.squares > 0 and gone:
            self.squares -= 1
            found = _by_squares(here)
        return found

    def _defines(self, known: Known, part: int) -> bool:
        """An equation that says what the part is: the last term apart, a recursion, a law."""
        fact = self.sequent.facts[known.position]
        return known.equation and Atoms().flatten(fact.left) == sym(self.ring.names[part])

    def _relation(self, gap: Frac, strict: bool) -> Relation:
        return Relation(">" if strict else ">=", self._node(gap), num(0))

    def _node(self, value: Frac) -> Node:
        return self.atoms.restore(fraction_node(value, self.ring.names))

    def _parts(self, gap: Frac) -> list[int]:
        """Opaque parts that occur linearly: the ones that stand in few facts first."""
        own = [i for i in range(len(self.ring.names)) if self._is_linear(i, gap) and self._is_opaque(i)]
        return sorted(own, key=lambda i: sum(bool(k.value.num.degrees()[i]) for k in self.known))

    def _is_opaque(self, index: int) -> bool:
        return self.ring.names[index] in self.atoms.opaque

    def _is_linear(self, index: int, value: Frac) -> bool:
        return bool(value.num.degrees()[index] == 1 and not value.den.degrees()[index])

    def _through(self, part: int, fact: Known, gap: Frac, strict: bool, gone: frozenset[int]) -> Certificate | None:
        if not self._is_linear(part, fact.value):
            return None
        below = fact.value.num.derivative(part)
        if any(below.degrees()[i] for i in self.functions):
            return None
        ratio = Frac.of(gap.num.derivative(part), gap.den) / Frac.of(below, fact.value.den)
        rest = gap - ratio * fact.value
        if any(rest.num.degrees()[i] > 0 for i in gone):
            return None
        if fact.equation and ratio.den.is_constant():
            return self._modulo(fact, ratio, rest, strict, gone)
        constant = ratio.num.is_constant() and ratio.den.is_constant()
        sign = 1 if self._nonnegative(ratio) else -1 if fact.equation and self._nonnegative(-ratio) else 0
        if not sign:
            return None
        more = strict and not (fact.strict and constant)
        proof = None if rest.is_zero and not more else self.prove(rest, more, gone)
        if proof is None and not (rest.is_zero and not more):
            return None
        return self._assembled(fact, ratio, sign, self._relation(rest, more), proof)

    def _modulo(self, fact: Known, ratio: Frac, rest: Frac, strict: bool, gone: frozenset[int]) -> Certificate | None:
        modulo = [[fact.position, str(self._node(ratio))]]
        if rest.is_zero:
            return None if strict else {"kind": "cone", "terms": [], "modulo": modulo}
        proof = self.prove(rest, strict, gone)
        if proof is None:
            return None
        last = {"kind": "cone", "terms": [{"c": "1", "of": [len(self.sequent.facts)]}], "modulo": modulo}
        return self._have(self.sequent, self._relation(rest, strict), proof, last)

    def _nonnegative(self, ratio: Frac) -> bool:
        if ratio.num.is_constant() and ratio.den.is_constant():
            return bool(ratio.num.leading_coefficient() / ratio.den.leading_coefficient() > 0)
        goal = self._relation(ratio, False)
        if str(goal) not in self.signs:
            self.signs[str(goal)] = self._sign(self.sequent.show(goal)) is not None
        return self.signs[str(goal)]

    def _assembled(
        self, fact: Known, ratio: Frac, sign: int, rest: Relation, proof: Certificate | None
    ) -> Certificate | None:
        """have rest, have the fact's sign, have the ratio's, and their sum is the gap."""
        wanted: list[tuple[Relation, Certificate | None]] = []
        if proof is not None:
            wanted.append((rest, proof))
        position, value = fact.position, fact.value
        if fact.equation:
            value = value if sign > 0 else -value
            ratio = ratio if sign > 0 else -ratio
            position = len(self.sequent.facts) + len(wanted)
            one = {"kind": "cone", "terms": [], "modulo": [[fact.position, str(sign)]]}
            wanted.append((self._relation(value, False), one))
        term: Certificate = {"c": "1", "of": [position]}
        if ratio.num.is_constant() and ratio.den.is_constant():
            term["c"] = str(ratio.num.leading_coefficient() / ratio.den.leading_coefficient())
        else:
            term["of"] = [position, len(self.sequent.facts) + len(wanted)]
            wanted.append((self._relation(ratio, False), None))
        rests = [{"c": "1", "of": [len(self.sequent.facts)]}] if proof is not None else []
        return self._nested(wanted, {"kind": "cone", "terms": [*rests, term]})

    def _nested(self, wanted: list[tuple[Relation, Certificate | None]], last: Certificate) -> Certificate | None:
        sequents = [self.sequent]
        for relation, _ in wanted:
            sequents.append(sequents[-1].given(relation))
        for (relation, proof), before in zip(reversed(wanted), reversed(sequents[:-1]), strict=True):
            shown = proof if proof is not None else self._sign(before.show(relation))
            made = None if shown is None else self._have(before, relation, shown, last)
            if made is None:
                return None
            last = made
        return last

    def _sign(self, sequent: Sequent) -> Certificate | None:
        return sign(sequent, min(2, self.rounds))

    def _have(self, sequent: Sequent, fact: Relation, proof: Certificate, then: Certificate) -> Certificate | None:
        try:
            defined = Filler(_signs, {}, Effort()).definedness([fact.left], sequent)
        except KernelError:
            return None
        return {"kind": "have", "fact": str(fact), "proof": proof, "then": then, "defined": defined}


def _end(sequent: Sequent, rounds: int) -> Certificate | None:
    from theory.provers import surds

    return (surds.find(sequent, rounds) if rounds else None) or numbers(sequent, rounds)


def _by_squares(sequent: Sequent) -> Certificate | None:
    from theory.provers import sos
    from theory.provers.budget import Budget

    kept = local(sequent)
    if not 0 < len(kept) <= FEW:
        return None
    return with_only(kept, sequent, lambda here: sos.find(here, Budget(seconds=1.0, rounds=8, degree=8)))


def sign(sequent: Sequent, rounds: int = 2) -> Certificate | None:
    """The sign of a factor: plain, or from the facts about its own parts."""
    if accepted(PLAIN, sequent):
        return PLAIN
    return numbers(sequent, rounds)


def numbers(sequent: Sequent, rounds: int) -> Certificate | None:
    """By slacks or a linear program over products of facts, of which only those about parts of the goal are used."""
    from theory.provers import cone_lp, slacks
    from theory.provers.budget import Budget

    kept, wider = local(sequent), around(sequent)
    program = Budget(seconds=2.0, rounds=rounds, terms=800)
    for find in (slacks.find, lambda s: cone_lp.find(s, program)) if rounds else (slacks.find,):
        for some in (kept, wider) if len(kept) < len(wider) <= FEW else (kept,):
            cert = with_only(some, sequent, find)
            if cert is not None and accepted(cert, sequent):
                return cert
    return None


def _signs(sequent: Sequent, effort: Effort, library: object) -> Certificate | None:
    """Below a shorter sum the facts for every index are used at its index, and roots get names."""
    from theory.provers.indices import valued

    rooted = sequent.goal.left.op == "sqrt" or any(f.binder for f in sequent.facts)
    return sign(sequent) or (valued(sequent, effort, library) if rooted else None)
