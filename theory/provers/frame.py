"""What the algebraic provers work on.

Frame     facts gained so far, each with its proof; `close` wraps the final certificate in them
Problem   names, polynomial facts and equations by position, and the goal as `poly >= 0` (or > 0)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from flint import fmpq, fmpq_mpoly, fmpq_mpoly_ctx

from theory.kernel.errors import KernelError
from theory.kernel.flat import Atoms
from theory.kernel.lang import parse_relation, text
from theory.kernel.rules import check
from theory.kernel.sequent import Certificate, Sequent, Tally
from theory.provers.linear import Exponents, Weighted, exponents

FLAT = 64


BREAKDOWN = (ArithmeticError, ValueError, RecursionError, MemoryError)
"""What floats and solvers raise when numbers are too large or too many: a search that ends so has found nothing."""


def accepted(cert: Certificate, sequent: Sequent) -> bool:
    """Whether the kernel takes the certificate; no prover returns one that it does not."""
    try:
        check(cert, sequent, {}, Tally())
    except (KernelError, RecursionError, MemoryError):
        return False
    return True


@dataclass(frozen=True, slots=True)
class Frame:
    """The sequent with the facts that were gained, in order; positions of facts never move."""

    sequent: Sequent
    steps: tuple[tuple[str, Certificate], ...] = ()

    @staticmethod
    def of(sequent: Sequent) -> Frame:
        """Naturals get their sign as a fact of their own, so that later facts do not shift its position."""
        frame = Frame(sequent)
        for name in sorted(sequent.naturals):
            every = [str(fact) for fact in frame.sequent.every_fact()]
            fact = f"{name} >= 0"
            if fact not in every[: len(frame.sequent.facts)]:
                frame = frame.have(fact, {"kind": "cone", "terms": [{"c": "1", "of": [every.index(fact)]}]})
        return frame

    def within(self, fact: str, step: Certificate, hole: str) -> Frame:
        """Go on with one more fact; the proof that follows fills the hole of the step."""
        read = self.sequent.world.read_relation(fact) if self.sequent.world.letters else parse_relation(fact)
        return Frame(self.sequent.given(read), (*self.steps, (hole, step)))

    def have(self, fact: str, proof: Certificate) -> Frame:
        return self.within(fact, {"kind": "have", "fact": fact, "proof": proof, "defined": {}}, "then")

    def unless(self, pivot: str, proof: Certificate) -> Frame:
        """Go on with `pivot < 0`; the proof shows the goal where `pivot >= 0`."""
        step = {"kind": "cases", "on": pivot, "strict": True, "nonnegative": proof, "defined": {}}
        return self.within(f"{pivot} < 0", step, "nonpositive")

    def close(self, cert: Certificate) -> Certificate:
        for hole, step in reversed(self.steps):
            cert = {**step, hole: cert}
        return cert


def _term(names: Sequence[str], powers: Exponents, coefficient: fmpq) -> str:
    factors = [n if e == 1 else f"{n}**{e}" for n, e in zip(names, powers, strict=False) if e]
    if coefficient == -1 and factors:
        return f"-{'*'.join(factors)}"
    return "*".join(factors if coefficient == 1 and factors else [str(coefficient), *factors])


def _sum(terms: Sequence[str]) -> str:
    if len(terms) > FLAT:
        half = len(terms) // 2
        return f"({_sum(terms[:half])}) + ({_sum(terms[half:])})"
    signed = "".join(f" - {t[1:]}" if t.startswith("-") else f" + {t}" for t in terms[1:])
    return terms[0] + signed if terms else "0"


@dataclass(frozen=True, slots=True)
class Fact:
    """A polynomial that is nonnegative (positive where strict); `derived` ones follow from the others."""

    poly: fmpq_mpoly
    strict: bool
    position: int
    derived: bool = False


@dataclass(frozen=True, slots=True)
class Problem:
    """`goal >= 0` (or > 0) for polynomials; the sequent's goal times the facts `multiplier` is `goal`."""

    frame: Frame
    names: tuple[str, ...]
    ctx: fmpq_mpoly_ctx
    atoms: Atoms
    goal: fmpq_mpoly
    strict: bool
    facts: tuple[Fact, ...]
    equations: tuple[Fact, ...]
    multiplier: tuple[int, ...] = ()

    def write(self, poly: fmpq_mpoly) -> str:
        """The polynomial in the formula language; long sums are nested evenly, so that reading them is not deep."""
        names = [self._name(name) for name in self.names]
        return _sum([_term(names, m, c) for m, c in exponents(poly).items()])

    def _name(self, name: str) -> str:
        whole = self.atoms.opaque.get(name)
        if whole is None:
            return name
        return text(whole) if whole.op not in ("**", "+", "-", "*", "/", "neg") else f"({text(whole)})"

    def have(self, poly: fmpq_mpoly, strict: bool, proof: Certificate, derived: bool = False) -> Problem:
        """One more polynomial fact."""
        frame = self.frame.have(f"{self.write(poly)} {'>' if strict else '>='} 0", proof)
        return self._with(frame, poly, strict, derived)

    def _with(self, frame: Frame, poly: fmpq_mpoly, strict: bool, derived: bool = False) -> Problem:
        fact = Fact(poly, strict, len(frame.sequent.facts) - 1, derived)
        return replace(self, frame=frame, facts=(*self.facts, fact))

    def unless(self, poly: fmpq_mpoly, proof: Certificate) -> Problem:
        """The fact `poly > 0`, once the goal is shown where `-poly >= 0`."""
        return self._with(self.frame.unless(self.write(-poly), proof), poly, True)

    def assuming(self, poly: fmpq_mpoly) -> Problem:
        """The problem on the part where `poly >= 0`."""
        relation = parse_relation(f"{self.write(poly)} >= 0")
        return self._with(Frame(self.frame.sequent.given(relation)), poly, False)

    def refuting(self) -> Problem:
        """The problem where the goal fails; on the other side it holds at once."""
        here = [len(self.frame.sequent.facts)]
        done: Certificate = {"kind": "cone", "terms": [{"c": "1", "of": here}]}
        if self.multiplier:
            done["multiplier"] = list(self.multiplier)
        pivot = self.write(-self.goal if self.strict else self.goal)
        step = {"kind": "cases", "on": pivot, "strict": True, "defined": {}}
        if self.strict:
            frame = self.frame.within(f"{pivot} >= 0", {**step, "nonpositive": done}, "nonnegative")
        else:
            frame = self.frame.within(f"{pivot} < 0", {**step, "nonnegative": done}, "nonpositive")
        return self._with(frame, -self.goal, not self.strict)

    def absurd(self) -> Problem:
        """The facts contradict each other: 0 > 0 is shown instead, and gives everything, the goal times 0 included."""
        sequent, last = self.frame.sequent, [len(self.frame.sequent.facts)]
        then = {"kind": "cone", "multiplier": last, "terms": [{"c": "1", "of": last}]}
        step = {"kind": "have", "fact": "0 > 0", "defined": {}, "then": then}
        frame = Frame(sequent.show(parse_relation("0 > 0")), (*self.frame.steps, ("proof", step)))
        return replace(self, frame=frame, goal=self.ctx.constant(0), strict=True, multiplier=())

    def times(self, fact: Fact) -> Problem:
        """The goal multiplied by a strict fact."""
        return replace(self, goal=self.goal * fact.poly, multiplier=(*self.multiplier, fact.position))

    def cone(self, weights: Weighted, multiplier: Sequence[int] | None = None) -> Certificate:
        """The identity as a certificate of the kernel's cone rule; factors are numbers of `facts`."""
        terms: list[dict[str, Any]] = []
        modulo: dict[int, fmpq_mpoly] = {}
        for weight, column in weights:
            if column.equation is not None:
                position = self.equations[column.equation].position
                cofactor = column.cofactor * weight
                modulo[position] = modulo[position] + cofactor if position in modulo else cofactor
                continue
            term: dict[str, Any] = {"c": str(weight)}
            if column.factors:
                term["of"] = [self.facts[i].position for i in column.factors]
            if column.square is not None and not column.square.is_constant():
                term["sq"] = self.write(column.square)
            elif column.square is not None:
                term["c"] = str(weight * column.square.leading_coefficient() ** 2)
            terms.append(term)
        cert: Certificate = {"kind": "cone", "terms": terms}
        if modulo:
            cert["modulo"] = [[position, self.write(cofactor)] for position, cofactor in sorted(modulo.items())]
        chosen = self.multiplier if multiplier is None else tuple(multiplier)
        if chosen:
            cert["multiplier"] = list(chosen)
        return cert

    def finish(self, weights: Weighted, original: Sequent) -> Certificate | None:
        """The whole certificate, if the kernel accepts it."""
        cert = self.frame.close(self.cone(weights))
        return cert if accepted(cert, original) else None

    def variables(self) -> list[int]:
        polys = (self.goal, *(f.poly for f in (*self.facts, *self.equations)))
        return [i for i in range(len(self.names)) if any(p.degrees()[i] for p in polys)]
