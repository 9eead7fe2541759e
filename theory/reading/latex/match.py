"""Does a list of atoms begin with a pattern? Holes take what stands there; scripts that the pattern lacks are left."""

from __future__ import annotations

from dataclasses import dataclass, replace

from theory.reading.latex.atoms import Atom, Atoms
from theory.reading.latex.notation import Glyph

Holes = dict[str, Atoms]


@dataclass(frozen=True)
class Match:
    """How many atoms were taken, what the holes hold, and the scripts of the last atom that were not asked for."""

    glyph: Glyph
    length: int
    holes: Holes
    sub: Atoms | None
    sup: Atoms | None


def match(glyph: Glyph, given: Atoms, at: int) -> Match | None:
    """Match a pattern with the atoms from `at` on."""
    pattern = glyph.pattern
    holes: Holes = {}
    if at + len(pattern) > len(given):
        return None
    for k, wanted in enumerate(pattern):
        found = given[at + k]
        if k == len(pattern) - 1:
            bare = replace(found, sub=found.sub if wanted.sub else None, sup=found.sup if wanted.sup else None)
            if not _atom(wanted, bare, holes):
                return None
            left = (None if wanted.sub else found.sub, None if wanted.sup else found.sup)
            return Match(glyph, len(pattern), holes, *left)
        if not _atom(wanted, found, holes):
            return None
    return None


def _atom(wanted: Atom, found: Atom, holes: Holes) -> bool:
    same = (wanted.kind, wanted.name, wanted.primes) == (found.kind, found.name, found.primes)
    if not same or len(wanted.args) != len(found.args) or wanted.rows != found.rows:
        return False
    if not all(_list(a, b, holes) for a, b in zip(wanted.args, found.args, strict=True)):
        return False
    return _script(wanted.sub, found.sub, holes) and _script(wanted.sup, found.sup, holes)


def _script(wanted: Atoms | None, found: Atoms | None, holes: Holes) -> bool:
    if wanted is None or found is None:
        return wanted is found
    return _list(wanted, found, holes)


def _list(wanted: Atoms, found: Atoms, holes: Holes) -> bool:
    """A hole reaches to the next thing that the pattern fixes, or to the end."""
    at = 0
    for k, atom in enumerate(wanted):
        if atom.kind != "hole":
            if at >= len(found) or not _atom(atom, found[at], holes):
                return False
            at += 1
            continue
        following = wanted[k + 1] if k + 1 < len(wanted) else None
        end = at
        while end < len(found) and (following is None or not _atom(following, found[end], dict(holes))):
            end += 1
        taken = found[at:end]
        if not taken or holes.setdefault(atom.name, taken) != taken:
            return False
        at = end
    return at == len(found)
