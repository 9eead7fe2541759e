"""Named roots in a goal: one of them alone on a side, and both sides squared.

With s >= 0 and s**2 == X among the facts, A + C*s >= 0 follows from A >= 0 and A**2 >= C**2*X, and from C >= 0 and
C**2*X >= A**2. Higher powers of all roots are replaced first.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from flint import fmpq_mpoly

from theory.kernel.errors import KernelError
from theory.kernel.flat import Atoms, difference, polynomial_node, scalars_of
from theory.kernel.lang import Node, Relation, num, text
from theory.kernel.sequent import Certificate, Sequent
from theory.provers import chains
from theory.provers.frame import BREAKDOWN, Frame, accepted

MOST = 3  # roots
LONGEST = 60  # terms of what is compared


@dataclass(frozen=True)
class _Root:
    """The place of a root among the names, what it is the root of, and the facts s >= 0 and s**2 == X."""

    place: int
    inside: fmpq_mpoly
    signed: int
    squared: int


def find(sequent: Sequent, rounds: int, depth: int = 2) -> Certificate | None:
    """A proof of an inequality, squared at one of its roots after the other, or None."""
    if sequent.goal.op not in ("<=", ">=") or not depth:
        return None
    try:
        return _find(sequent, rounds, depth)
    except (KernelError, *BREAKDOWN):
        return None


def _find(sequent: Sequent, rounds: int, depth: int) -> Certificate | None:
    named = list(_named(sequent))
    if not named or len(named) > MOST:
        return None
    gap, _ = difference(sequent.goal)
    ring, (value, *insides), atoms = scalars_of([gap, *(inside for _, inside, _, _ in named)])
    roots = [
        _Root(ring.names.index(str(root.value)), inside.num / inside.den.leading_coefficient(), signed, squared)
        for (root, _, signed, squared), inside in zip(named, insides, strict=True)
        if root.value in ring.names and inside.den.is_constant()
    ]
    own = [root for root in roots if value.num.degrees()[root.place]]
    if not own or any(value.den.degrees()[root.place] > 1 for root in own):
        return None
    return _Squared(sequent, rounds, depth, ring.names, atoms, roots).whole(value.num, value.den)


def _named(sequent: Sequent) -> Iterator[tuple[Node, Node, int, int]]:
    """The roots that got names: s >= 0 and s**2 == X stand one after the other."""
    for at, fact in enumerate(sequent.facts):
        if fact.op == "==" and fact.binder is None and fact.left.op == "**" and fact.left.args[1] == num(2):
            signed = Relation(">=", fact.left.args[0], num(0))
            if fact.left.args[0].op == "sym" and signed in sequent.facts:
                yield fact.left.args[0], fact.right, sequent.facts.index(signed), at


@dataclass(frozen=True)
class _Squared:
    sequent: Sequent
    rounds: int
    depth: int
    names: tuple[str, ...]
    atoms: Atoms
    roots: list[_Root]

    def whole(self, top: fmpq_mpoly, below: fmpq_mpoly) -> Certificate | None:
        """The goal times its divisor, with all roots to the first power."""
        frame, count = Frame(self.sequent), len(self.sequent.facts)
        scale = below.leading_coefficient() if below.is_constant() else 1
        if not below.is_constant():
            proof = chains.sign(self.sequent.show(self._relation(below, ">")))
            if proof is None:
                return None
            frame = frame.have(str(self._relation(below, ">")), proof)
        flat, modulo = self._flat(top / scale)
        for root in self.roots:
            if flat.degrees()[root.place] == 1 and len(flat) <= LONGEST:
                proof = self._at(root, flat, frame.sequent)
                if proof is not None:
                    done = frame.have(str(self._relation(flat)), proof)
                    last: Certificate = {"kind": "cone", "terms": [{"c": "1", "of": [len(done.sequent.facts) - 1]}]}
                    last["modulo"] = self._modulo(modulo)
                    cert = done.close(last if below.is_constant() else {**last, "multiplier": [count]})
                    return cert if accepted(cert, self.sequent) else None
        return None

    def _at(self, root: _Root, goal: fmpq_mpoly, sequent: Sequent) -> Certificate | None:
        """A + C*s >= 0, by the signs of A and of C."""
        c = goal.derivative(root.place)
        s = goal.context().gen(root.place)
        a = goal - c * s
        for sign, big in ((1, a), (-1, c)):
            square, modulo = self._flat((a * a - c * c * root.inside) * sign)
            signed = chains.sign(sequent.show(self._relation(big)), 1)
            if signed is None:
                continue
            frame = Frame(sequent).have(str(self._relation(big)), signed)
            more = frame.sequent.show(self._relation(square))
            proof = chains.sign(more, self.rounds) or find(more, self.rounds, self.depth - 1)
            if proof is None:
                continue
            frame = frame.have(str(self._relation(square)), proof)
            at = len(frame.sequent.facts)
            by = [at - 2, at] if sign > 0 else [at - 2, root.signed, at]
            modulo[root.squared] = modulo.get(root.squared, goal * 0) - c * c * sign
            cases = {
                "kind": "cases",
                "on": self._text(goal),
                "strict": True,
                "nonnegative": {"kind": "cone", "terms": [{"c": "1", "of": [at]}]},
                "nonpositive": {
                    "kind": "cone",
                    "multiplier": [at],
                    "terms": [{"c": "1", "of": [at - 1]}, {"c": "2", "of": by}],
                    "modulo": self._modulo(modulo),
                },
            }
            return frame.close(cases)
        return None

    def _flat(self, poly: fmpq_mpoly) -> tuple[fmpq_mpoly, dict[int, fmpq_mpoly]]:
        """The polynomial with X for every s**2, and how often each equation was used."""
        used: dict[int, fmpq_mpoly] = {}
        for root in self.roots:
            while poly.degrees()[root.place] > 1:
                high = {m: c for m, c in poly.to_dict().items() if m[root.place] > 1}
                lowered = poly.context().from_dict(
                    {tuple(e - 2 * (i == root.place) for i, e in enumerate(map(int, m))): c for m, c in high.items()}
                )
                poly = poly - lowered * poly.context().gen(root.place) ** 2 + lowered * root.inside
                used[root.squared] = used[root.squared] + lowered if root.squared in used else lowered
        return poly, used

    def _modulo(self, used: dict[int, fmpq_mpoly]) -> list[list[object]]:
        return [[at, self._text(poly)] for at, poly in sorted(used.items())]

    def _relation(self, poly: fmpq_mpoly, op: str = ">=") -> Relation:
        return Relation(op, self.atoms.restore(polynomial_node(poly, self.names)), num(0))

    def _text(self, poly: fmpq_mpoly) -> str:
        return text(self.atoms.restore(polynomial_node(poly, self.names)))
