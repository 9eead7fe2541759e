"""Which integers are tried: the example's, small ones first, then larger ones at random."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import product, zip_longest

import numpy as np

from theory.kernel.claim import Claim
from theory.search.kinds import Kinds
from theory.search.plan import Plan, Space, plans_for
from theory.search.result import Effort
from theory.search.shapes import MAX_SLOTS, Shape, TooLarge, shape_of

LADDER = (0, 1, 2, 3, 4, 5, 6, 7, 8, 10, 13, 16, 20, 25, 32, 50, 64, 100, 150, 250, 500, 1000)
POINTS = (1, 2, 3, 4)
ATTEMPTS = 120
TRIES = 12  # choices of integers for each shape wanted: most are too large when families are many
ALONE = 120  # where a claim has one count and no other number, a shape is a single point
Integers = tuple[dict[str, int], dict[str, int]]


def plans(claim: Claim, kinds: Kinds, space: Space, rng: np.random.Generator, effort: Effort) -> Iterator[Plan]:
    """Plans of small shapes first, then of random larger ones; formulas that take too much work are left out."""
    seen: set[Shape] = set()
    made = heft = 0
    most = max(effort.shapes, ALONE) if counts_alone(kinds) else effort.shapes
    own = example_integers(claim, kinds)
    for tried, (integers, points) in enumerate(choices(claim, kinds, space, rng)):
        if made and tried > TRIES * most:
            return
        try:
            shape = shape_of(claim, kinds, integers, points, MAX_SLOTS if integers == own else effort.slots)
            if shape in seen:
                continue
            seen.add(shape)
            found = [p for p in plans_for(claim, kinds, shape, space, effort.variants) if p.work <= effort.work]
        except TooLarge:
            continue
        made += bool(found)
        heft += sum(p.heft for p in found)
        yield from found
        if made >= most or (made > 1 and heft > effort.symbols):
            return


def counts_alone(kinds: Kinds) -> bool:
    return not (kinds.reals or kinds.plain or kinds.families or kinds.spaces) and len(kinds.counting) == 1


def choices(claim: Claim, kinds: Kinds, space: Space, rng: np.random.Generator) -> Iterator[Integers]:
    """Values of the counting naturals and numbers of points of the probability spaces."""
    names, spaces = kinds.counting, kinds.spaces
    if not names and not spaces:
        yield {}, {}
        return
    own = example_integers(claim, kinds)
    sizes = (2, 3, 1) if spaces else (1,)
    if own is not None:
        yield from ((own, dict.fromkeys(spaces, size)) for size in sizes)
    small = _small(kinds, sizes, space, rng)
    large = _large(names, spaces, own or {}, space, rng)
    for one, other in zip_longest(small, large):
        yield from (choice for choice in (one, other) if choice is not None)


def _large(
    names: tuple[str, ...], spaces: tuple[str, ...], own: Mapping[str, int], space: Space, rng: np.random.Generator
) -> Iterator[Integers]:
    """From a ladder that reaches a thousand, and from around the example."""
    for _ in range(ATTEMPTS):
        drawn = dict(zip(names, (int(v) for v in rng.choice(LADDER, len(names))), strict=True))
        for n, v in own.items():
            if rng.random() < 0.4:
                drawn[n] = max(0, int(rng.choice((v, v + 1, v - 1, 2 * v, v // 2))))
        if _inside(drawn, space):
            yield drawn, {w: int(rng.choice(POINTS)) for w in spaces}


def example_integers(claim: Claim, kinds: Kinds) -> dict[str, int] | None:
    example = dict(claim.example)
    if not all(n in example for n in kinds.counting):
        return None
    return {n: int(Fraction(str(example[n]))) for n in kinds.counting}


def _small(kinds: Kinds, sizes: tuple[int, ...], space: Space, rng: np.random.Generator) -> Iterator[Integers]:
    """Every small choice of one name; of several names a random half, so that larger ones come in, too."""
    names, spaces = kinds.counting, kinds.spaces
    top = ALONE if len(names) == 1 and counts_alone(kinds) else 6 if len(names) <= 2 else 4
    if len(names) > 4:
        return
    every = sorted(product(range(top), repeat=len(names)), key=lambda t: (max(t, default=0), sum(t), t))
    for values in every:
        chosen = dict(zip(names, values, strict=True))
        if _inside(chosen, space) and (len(names) < 2 or rng.random() < 0.5):
            yield from ((chosen, dict.fromkeys(spaces, size)) for size in sizes)


def _inside(values: Mapping[str, int], space: Space) -> bool:
    return all(n not in space or space[n][0] <= v <= space[n][1] for n, v in values.items())
