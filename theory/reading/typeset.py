"""Formulas for notebooks: LaTeX where the printer can write it, code where it cannot."""

from __future__ import annotations

import importlib
import importlib.util
from collections.abc import Sequence
from html import escape

from theory.kernel import KernelError
from theory.kernel.lang import parse_relation

PRINTER = "theory.reading.latex"


def latex(source: str) -> str:
    """The relation in LaTeX, in plain notation; "" where there is no way to write it."""
    if importlib.util.find_spec(PRINTER) is None:
        return ""
    notation = importlib.import_module(f"{PRINTER}.notation").notation_of(())
    try:
        return str(importlib.import_module(f"{PRINTER}.printer").to_latex(parse_relation(source), notation))
    except (KernelError, ValueError, KeyError):
        return ""


def html(source: str) -> str:
    written = latex(source)
    return f"\\({escape(written)}\\)" if written else f"<code>{escape(source)}</code>"


def display(sources: Sequence[str]) -> str | None:
    """All relations as one display, None where one cannot be written."""
    lines = [latex(source) for source in sources]
    return "$$\\begin{gathered}" + " \\\\ ".join(lines) + "\\end{gathered}$$" if lines and all(lines) else None
