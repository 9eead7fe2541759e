"""Derived, not typed: the objects of the paper, each from something more basic. Nothing here imports sympy.

`derived("A")` is the derived block as a claim writes it; `comparisons("lem:A-inverse")` the checks *derived == printed*
of a statement. Both come from derived.toml, which `lemmalab derive --write` makes from the modules of this folder.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from theory.derivation.store import Entries, find, load

FILE = Path(__file__).with_name("derived.toml")


def every() -> Entries:
    """All derivations by name, in the order of the paper."""
    return load(FILE)


def derived(name: str) -> str:
    """The derived object as a text of the language of claims."""
    return find(every(), name).derived


def comparisons(owner: str) -> list[Any]:
    """Steps for a statement file: what is derived against what is printed."""
    return [place.draft() for one in every().naming(owner) for place in one.places if place.owner == owner]
