"""Products of bounds of one symmetric matrix: H@H << L*H from 0 << H << L*I.

If a and b are nonnegative and p*a + q*b == r*I with p, q >= 0 and r > 0, then r*a@b == p*a@b@a + q*b@a@b, for all of
them are polynomials in one matrix; so a@b is nonnegative, too.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from typing import Any

from theory.kernel.flat import fraction_node
from theory.kernel.kinds import Letter, has_letters, size_node
from theory.kernel.lang import Node, text, walk
from theory.kernel.orders import difference
from theory.kernel.rings import Frac, RationalFunctions
from theory.kernel.sequent import Certificate, Sequent
from theory.kernel.terms import normal, scalar_names
from theory.provers import arithmetic
from theory.provers.frame import accepted
from theory.provers.locality import with_only

Step = tuple[str, Certificate]


@dataclass(frozen=True)
class _Gap:
    """slope*H + level*I, which is nonnegative: as a formula, and as what the rule `order` takes."""

    written: str
    item: dict[str, Any]
    slope: Frac
    level: Frac


def steps(sequent: Sequent) -> Iterator[Step]:
    """The products, each with its proof; a proof may use what was shown before it."""
    here = sequent
    for letter in sequent.world.letters.values():
        if letter.indices or not letter.sign:
            continue
        gaps, names = _gaps(letter, sequent)
        for a, b in combinations(gaps, 2):
            for step in _product(a, b, letter, names, here):
                here = here.given(here.world.read_relation(step[0]))
                yield step


def _gaps(letter: Letter, sequent: Sequent) -> tuple[list[_Gap], tuple[str, ...]]:
    own: list[tuple[Node, dict[str, Any]]] = []
    if letter.sign in ("psd", "pd"):
        own.append((sequent.world.read(letter.name), {"psd": letter.name}))
    for position, fact in enumerate(sequent.facts):
        if fact.binder is None and fact.op == "<<" and _letters(fact.left) | _letters(fact.right) == {letter.name}:
            own.append((difference(fact), {"of": position}))
    ring = RationalFunctions(scalar_names([node for node, _ in own]))
    return [gap for node, item in own if (gap := _linear(node, item, letter, ring)) is not None], ring.names


def _letters(node: Node) -> set[str]:
    return {part.value.name for part in walk(node) if part.op == "letter"}


def _linear(node: Node, item: dict[str, Any], letter: Letter, ring: RationalFunctions) -> _Gap | None:
    slope = level = ring.const(Fraction(0))
    for (mono, word), coefficient in normal(node, ring).terms.items():
        if mono or (word and [one.name for one in word] != [letter.name]):
            return None
        slope, level = (coefficient, level) if word else (slope, coefficient)
    return None if slope.is_zero else _Gap(f"({text(node)})", item, slope, level)


def _product(a: _Gap, b: _Gap, letter: Letter, names: tuple[str, ...], sequent: Sequent) -> Iterator[Step]:
    """p = -b' and q = a' where the slopes are a' > 0 > b'."""
    signs = [_shown(f"{text(fraction_node(one.slope, names))} >= 0", sequent) is not None for one in (a, b)]
    if signs[0] == signs[1]:
        return
    a, b = (a, b) if signs[0] else (b, a)
    p, q, r = (text(fraction_node(one, names)) for one in (-b.slope, a.slope, a.slope * b.level - b.slope * a.level))
    proofs = [_shown(fact, sequent) for fact in (f"{p} >= 0", f"{q} >= 0", f"{r} > 0")]
    if proofs[2] is None or proofs[0] is None:
        return
    positive = sequent.world.read_relation(f"{r} > 0")
    weights = [[{"is": one, "because": because}] for one, because in zip((p, q), proofs, strict=False)]
    items = [{**b.item, "L": a.written, "c": weights[0]}, {**a.item, "L": b.written, "c": weights[1]}]
    size = text(size_node(letter.rows))
    fact = f"O({size}, {size}) << {a.written}@{b.written}"
    cert: Certificate = {"kind": "order", "items": items, "ops": [], "multiplier": [len(sequent.facts)]}
    here = sequent.given(positive)
    if accepted(cert, here.show(here.world.read_relation(fact))):
        yield str(positive), proofs[2]
        yield fact, cert


def _shown(fact: str, sequent: Sequent) -> Certificate | None:
    plain = [i for i, one in enumerate(sequent.facts) if not (has_letters(one.left) or has_letters(one.right))]
    return with_only(plain, sequent.show(sequent.world.read_relation(fact)), arithmetic.close)
