"""Which item of the edited source is which of the old one: by label, by content, then by likeness."""

from __future__ import annotations

import difflib
from collections import deque
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass

from theory.reading.latex.outline import Item

ALIKE = 0.6


@dataclass(frozen=True)
class Pair:
    """An item before and after; None on one side when it appeared or went."""

    old: Item | None
    new: Item | None


def paired(old: Sequence[Item], new: Sequence[Item]) -> list[Pair]:
    """Every item once, new ones in reading order, then those that went."""
    found: dict[int, int] = {}  # position of the new one -> of the old one
    _match(old, new, found, lambda one: (one.display, one.row["label"]) if one.row["label"] else None)
    _match(old, new, found, lambda one: (one.display, one.kind, one.text))
    _by_likeness(old, new, found)
    taken = set(found.values())
    pairs = [Pair(old[found[k]] if k in found else None, one) for k, one in enumerate(new)]
    return pairs + [Pair(one, None) for k, one in enumerate(old) if k not in taken]


def _match(
    old: Sequence[Item], new: Sequence[Item], found: dict[int, int], key: Callable[[Item], Hashable | None]
) -> None:
    """Equal keys belong together, in order."""
    taken = set(found.values())
    waiting: dict[Hashable, deque[int]] = {}
    for k, one in enumerate(old):
        if k not in taken and (mark := key(one)) is not None:
            waiting.setdefault(mark, deque()).append(k)
    for k, one in enumerate(new):
        mark = key(one)
        if k not in found and mark is not None and waiting.get(mark):
            found[k] = waiting[mark].popleft()


def _by_likeness(old: Sequence[Item], new: Sequence[Item], found: dict[int, int]) -> None:
    """What is left: the most alike first, statements with statements of their kind, displays with displays."""
    taken = set(found.values())
    left = [k for k, one in enumerate(old) if k not in taken]
    open_ = [k for k in range(len(new)) if k not in found]
    scores = [
        (ratio, -abs(a - b), a, b)
        for b in open_
        for a in left
        if (old[a].display, old[a].kind) == (new[b].display, new[b].kind)
        and not (old[a].row["label"] and new[b].row["label"])
        and (ratio := _likeness(old[a].text, new[b].text)) >= ALIKE
    ]
    for _, _, a, b in sorted(scores, reverse=True):
        if b not in found and a not in taken:
            found[b] = a
            taken.add(a)


def _likeness(one: str, other: str) -> float:
    compare = difflib.SequenceMatcher(None, one[:2000], other[:2000], autojunk=False)
    return compare.ratio() if compare.real_quick_ratio() >= ALIKE and compare.quick_ratio() >= ALIKE else 0.0
