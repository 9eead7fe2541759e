"""LemmaLab's theory: what a paper claims, what is true, and the proofs.

    import theory
    theory.project("NAME")["lem:ID"]      # a statement of a paper; it shows itself in a notebook
    theory.lemma("a*b <= (a**2 + b**2)/2").judge()
    from theory import lemma, have, cite  # ideas for a proof; theory.provers.tactics has more

Nothing heavy is imported until it is asked for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from theory.project import project
    from theory.provers.tactics import cases, chain, cite, have, identity, induct, induction, instance, let, termwise
    from theory.reading.own import lemma

    def claim(id_: str) -> Any: ...


__all__ = [
    "cases", "chain", "cite", "claim", "have", "identity", "induct", "induction", "instance", "lemma", "let", "project",
    "termwise",
]  # fmt: skip
_HOME = {"project": "theory.project", "lemma": "theory.reading.own"}
_HOME |= dict.fromkeys(set(__all__) - {"claim", *_HOME}, "theory.provers.tactics")


def __getattr__(name: str) -> Any:
    if name == "claim":  # a statement of the project of this folder
        return lambda id_: __getattr__("project")()[id_]
    if name not in _HOME:
        raise AttributeError(f"module 'theory' has no attribute {name!r}")
    import importlib

    return getattr(importlib.import_module(_HOME[name]), name)
