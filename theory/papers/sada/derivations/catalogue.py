"""All derivations in the order of the paper, derived afresh."""

from __future__ import annotations

import importlib
import random
from functools import cache, lru_cache
from typing import Any

import mpmath

from theory.derivation.compare import Compared, compared
from theory.derivation.opinion import DIGITS, GUARD, Agreement, agreement
from theory.derivation.render import stored
from theory.derivation.store import Stored, dump
from theory.derivation.value import Derivation
from theory.papers.sada.derivations import FILE
from theory.papers.sada.derivations._draws import FAMILIES
from theory.papers.sada.derivations.symbols import LATEX, SHOWN
from theory.reading.paper import Paper, read_paper

MODULES = (
    "update", "block", "inverse", "spectrum", "powers", "stationary", "covariances", "energies", "moments", "tail",
    "choices", "outer", "recursion",
)  # fmt: skip


HOMES = {  # beside which statement what is printed nowhere is shown
    "A_cq": "lem:inner-matrix-form", "characteristic": "lem:radius-bound", "modulus": "lem:radius-bound",
    "double-root": "lem:radius-bound", "q-eta": "lem:radius-bound", "power-double": "lem:radius-bound",
    "recursion": "lem:A-power-bound", "power-energy": "lem:A-power-bound", "Pi_11": "lem:Pi-infinity",
    "Pi_12": "lem:Pi-infinity", "Pi_21": "lem:Pi-infinity", "Jury": "lem:Pi-infinity", "Pi_t": "lem:Pi-increasing",
    "Pi_cross": "lem:Pi-infinity", "L_var-gain": "lem:L-var-matrix-form", "partial-sum": "lem:L-var",
    "phase-2": "lem:auxilary-recursion",
}  # fmt: skip


@lru_cache(maxsize=1)
def makers() -> tuple[Any, ...]:
    found = []
    for name in MODULES:
        found += importlib.import_module(f"{__package__}.{name}").ALL
    return tuple(found)


@lru_cache(maxsize=1)
def derivations() -> dict[str, Derivation]:
    """Every derivation by its name."""
    listed: list[Derivation] = [make() for make in makers()]
    named = {one.name: one for one in listed}
    if len(named) != len(listed):
        raise ValueError("two derivations have one name; rename one")
    return named


@cache
def printed() -> Paper:
    """What the paper prints."""
    return read_paper(FILE.parents[1] / "paper.toml")


@cache
def of(name: str) -> Compared:
    """One derivation with its claims."""
    return compared(derivations()[name], LATEX, printed())


def third_opinion(name: str, seed: int = 0) -> list[Agreement]:
    """Formula beside run, in 50 digits, at random parameters of the derivation's family."""
    one = derivations()[name]
    assert one.opinion is not None, f"{name} has no third opinion"
    with mpmath.workdps(DIGITS + GUARD):
        points = list(FAMILIES[one.opinion.family](random.Random(seed)))
    return agreement(one, points)


def write() -> int:
    """derived.toml anew; how many derivations it holds."""
    entries = [entry(name) for name in derivations()]
    FILE.write_text(dump(entries), encoding="utf-8")
    return len(entries)


def entry(name: str) -> Stored:
    """As the file keeps it."""
    one = of(name)
    home = one.derivation.printed[0].owner if one.derivation.printed else HOMES[name]
    return stored(one, SHOWN, home)
