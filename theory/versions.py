"""What a ledger was made with. Read from the installed metadata, so that nothing heavy is imported."""

from __future__ import annotations

import platform
from importlib import metadata
from typing import Any

PAPER = "Accelerating Single-Pass SGD for Generalized Linear Prediction"
PACKAGES = {
    "lemmalab": "lemmalab",
    "flint": "python-flint",
    "sympy": "sympy",
    "numpy": "numpy",
    "scipy": "scipy",
    "hypothesis": "hypothesis",
    "z3": "z3-solver",
    "cvc5": "cvc5",
}


def version_of(distribution: str) -> str | None:
    try:
        return metadata.version(distribution)
    except metadata.PackageNotFoundError:
        return None


def versions() -> dict[str, str | None]:
    found = {name: version_of(distribution) for name, distribution in PACKAGES.items()}
    return {**found, "python": platform.python_version()}


def header(seed: int, effort: str) -> dict[str, Any]:
    return {"paper": PAPER, "seed": seed, "effort": effort, "versions": versions()}
