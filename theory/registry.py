"""All statements: found by reading the modules of theory's rooms, in a fixed order. Import order plays no part."""

from __future__ import annotations

import difflib
import importlib
import pkgutil
from functools import lru_cache

from theory.kernel import Claim
from theory.statement import Check, Statement

ROOMS = ("setup", "inner_loop", "outer_loop", "complexity", "erm", "minimax", "extensions")


@lru_cache(maxsize=1)
def statements() -> dict[str, Statement]:
    """Every statement by its id, in the order of the paper."""
    found: dict[str, Statement] = {}
    for room in ROOMS:
        package = importlib.import_module(f"theory.{room}")
        for info in sorted(pkgutil.iter_modules(package.__path__), key=lambda m: m.name):
            if info.name.startswith("_"):
                continue
            module = importlib.import_module(f"theory.{room}.{info.name}")
            one = getattr(module, "STATEMENT", None)
            if not isinstance(one, Statement):
                raise TypeError(
                    f"theory/{room}/{info.name}.py has no STATEMENT; name helpers with a leading underscore"
                )
            if one.id in found:
                raise ValueError(f"{one.id} stands in two files; one label, one file")
            found[one.id] = one
    from theory.paper import load

    order = {s.id: i for i, s in enumerate(load().statements)}
    return dict(sorted(found.items(), key=lambda item: order.get(item[0], len(order))))


@lru_cache(maxsize=1)
def checks() -> dict[str, Check]:
    """Every check by its key."""
    return {check.key: check for one in statements().values() for check in one.checks}


@lru_cache(maxsize=1)
def library() -> dict[str, Claim]:
    """What certificates may cite."""
    return {key: check.claim for key, check in checks().items()}


def find(key: str) -> Check:
    known = checks()
    if key not in known:
        close = difflib.get_close_matches(key, known, n=3, cutoff=0.4)
        raise KeyError(f"no check has the id {key!r}" + (f"; did you mean {', '.join(close)}?" if close else ""))
    return known[key]
