"""LemmaLab's theory: what the paper claims, what is true, and the proofs.

    import theory
    theory.claim("lem:A-power-bound")     # shows itself in a notebook
    theory.lemma("a*b <= (a**2 + b**2)/2")

Nothing heavy is imported until it is asked for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from theory.userfile import lemma
    from theory.view import claim

__all__ = ["claim", "lemma"]
_HOME = {"claim": "theory.view", "lemma": "theory.userfile"}


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'theory' has no attribute {name!r}")
    import importlib

    return getattr(importlib.import_module(_HOME[name]), name)
