"""LemmaLab's theory: what a paper claims, what is true, and the proofs.

    import theory
    theory.project("NAME")["lem:ID"]      # a statement of a paper; it shows itself in a notebook
    theory.lemma("a*b <= (a**2 + b**2)/2").judge()

Nothing heavy is imported until it is asked for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from theory.project import project
    from theory.reading.own import lemma

    def claim(id_: str) -> Any: ...


__all__ = ["claim", "lemma", "project"]
_HOME = {"project": "theory.project", "lemma": "theory.reading.own"}


def __getattr__(name: str) -> Any:
    if name == "claim":  # a statement of the project of this folder
        return lambda id_: __getattr__("project")()[id_]
    if name not in _HOME:
        raise AttributeError(f"module 'theory' has no attribute {name!r}")
    import importlib

    return getattr(importlib.import_module(_HOME[name]), name)
