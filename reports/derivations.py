"""Where the paper's derivations live: the one place at which commands, report and lessons ask for them."""

from __future__ import annotations

import importlib
from typing import Any


def _place() -> str:
    from theory.project import project

    return f"theory.papers.{project().name}.derivations"


def room() -> Any:
    """What is stored: read without sympy."""
    return importlib.import_module(_place())


def catalogue() -> Any:
    """What is derived afresh: imports sympy."""
    return importlib.import_module(f"{_place()}.catalogue")
