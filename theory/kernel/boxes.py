"""Rational boxes, subdivided, and Arb balls on them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any

import flint
from flint import arb, fmpq

from theory.kernel.errors import Rejected, Undefined
from theory.kernel.evaluate import Mat, evaluate
from theory.kernel.flat import Atoms, difference, fractions_of
from theory.kernel.lang import Node, Relation, symbols
from theory.kernel.rings import Balls, to_fmpq
from theory.kernel.sequent import Sequent

Box = dict[str, tuple[Fraction, Fraction]]


def box_of(sequent: Sequent, names: frozenset[str]) -> Box:
    """The bounds lo <= x <= hi that the facts state for each name, with rational numbers."""
    lows: dict[str, Fraction] = {}
    highs: dict[str, Fraction] = {}
    for fact in sequent.every_fact():
        found = simple_bound(fact)
        if found is None:
            continue
        name, value, lower = found
        if lower:
            lows[name] = max(value, lows.get(name, value))
        else:
            highs[name] = min(value, highs.get(name, value))
    missing = sorted(name for name in names if name not in lows or name not in highs)
    if missing:
        raise Rejected(f"no rational bounds are given for {', '.join(missing)}")
    return {name: (lows[name], highs[name]) for name in sorted(names)}


def simple_bound(fact: Relation) -> tuple[str, Fraction, bool] | None:
    if fact.binder is not None or fact.op in ("==", "!="):
        return None
    node, _ = difference(fact)
    flat = Atoms().flatten(node)
    if len(symbols(flat)) != 1:
        return None
    ring, (value,), _ = fractions_of([node])
    if isinstance(value, Mat) or not value.den.is_constant() or value.num.total_degree() != 1:
        return None
    terms = {int(m[0]): c for m, c in value.num.to_dict().items()}
    bound = -terms.get(0, fmpq(0)) / terms[1]
    return ring.names[0], Fraction(int(bound.p), int(bound.q)), bool(terms[1] > 0)


def leaves(tree: Any, box: Box) -> Iterator[tuple[Box, Mapping[str, Any]]]:
    """The boxes of a bisection tree; a split must lie inside its box."""
    if not isinstance(tree, dict):
        raise Rejected("a subdivision is a tree of splits")
    stack = [(tree, box)]
    while stack:
        here, current = stack.pop()
        if "split" not in here:
            yield current, here
            continue
        name, at = str(here["split"]), Fraction(here["at"])
        if name not in current or not current[name][0] < at < current[name][1]:
            raise Rejected(f"the split {name} = {at} lies outside its box")
        lo, hi = current[name]
        stack.append((here["high"], {**current, name: (at, hi)}))
        stack.append((here["low"], {**current, name: (lo, at)}))


def _show(box: Box) -> str:
    return ", ".join(f"{name} in [{lo}, {hi}]" for name, (lo, hi) in box.items())


def ball(lo: Fraction, hi: Fraction) -> arb:
    return arb(to_fmpq(lo)).union(arb(to_fmpq(hi)))


def check_balls(cert: Mapping[str, Any], node: Node, strict: bool, sequent: Sequent) -> str:
    """Returns the text of the box when it is the certificate's own (the claim is then certified there only)."""
    names = symbols(node)
    stated = cert.get("box")
    box: Box
    if stated is None:
        box = box_of(sequent, names)
    else:
        box = {str(name): (Fraction(lo), Fraction(hi)) for name, (lo, hi) in stated.items()}
        if set(box) != set(names) or any(lo > hi for lo, hi in box.values()):
            raise Rejected(f"the box must bound exactly {', '.join(sorted(names))}")
    precision = int(cert.get("bits", 53))
    if not 2 <= precision <= 4096:
        raise Rejected(f"{precision} bits; between 2 and 4096")
    with flint.ctx.workprec(precision):
        for leaf, _ in leaves(cert["tree"], box):
            env = {name: ball(*leaf[name]) for name in leaf}
            try:
                value = evaluate(node, env, Balls())
            except Undefined as error:
                raise Rejected(f"{error} on {_show(leaf)}") from None
            if not (value.lower() > 0 or (not strict and value.lower() >= 0)):
                raise Rejected(f"the enclosure {value} reaches below zero on {_show(leaf)}")
    return "" if stated is None else _show(box)
