"""All lessons in their order; each is read when it is asked for."""

from __future__ import annotations

import difflib
import importlib
from functools import lru_cache

from reports.sada.lessons.model import Lesson

MODULES = (
    "algorithm", "momentum", "noise", "layers", "tail", "refuted", "certificate", "outer", "race", "constants",
)  # fmt: skip


@lru_cache(maxsize=1)
def lessons() -> tuple[Lesson, ...]:
    """Numbered from 1 without a gap."""
    found = tuple(importlib.import_module(f"reports.sada.lessons.{name}").LESSON for name in MODULES)
    numbers = [one.number for one in found]
    if numbers != list(range(1, len(found) + 1)):
        raise ValueError(
            f"the lessons are numbered {numbers}; number them from 1 without a gap, in the order of MODULES"
        )
    return found


def find(name: str) -> Lesson:
    """By number or by the name in its file; `KeyError` says what there is."""
    known = {key: one for one in lessons() for key in (str(one.number), one.slug)}
    if name not in known:
        close = difflib.get_close_matches(name, known, n=2, cutoff=0.4)
        hint = f"did you mean {' or '.join(close)}?" if close else "see `lemmalab teach --list`"
        raise KeyError(f"there is no lesson {name!r}; {hint}")
    return known[name]
