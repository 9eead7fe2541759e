"""A derivation for people: steps in the terminal (sympy's two-dimensional output), as LaTeX, and the stored form."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import sympy

from theory.derivation.compare import Compared
from theory.derivation.store import Stored
from theory.derivation.words import spoken

INDENT = "    "
ORDER = "rev-lex"  # 1 - eta lambda, not -eta lambda + 1


def _renamed(expression: Any, names: Mapping[str, str]) -> Any:
    """Claims say lam, people read lambda."""
    free = getattr(expression, "free_symbols", ())
    return expression.xreplace({s: sympy.Symbol(names[s.name]) for s in free if getattr(s, "name", "") in names})


def latex(expression: Any, names: Mapping[str, str]) -> str:
    return str(sympy.latex(_renamed(expression, names), mat_str="pmatrix", mat_delim="", order=ORDER))


def pretty(expression: Any, names: Mapping[str, str], width: int = 100) -> str:
    return str(
        sympy.pretty(_renamed(expression, names), use_unicode=True, num_columns=width, wrap_line=True, order=ORDER)
    )


def step_lines(one: Compared, names: Mapping[str, str], width: int = 100) -> Iterator[str]:
    """Numbered steps, each typeset as well as a terminal can."""
    for number, step in enumerate(one.derivation.steps, start=1):
        yield f"{number}. {spoken(step.label)}"
        yield from (INDENT + line.rstrip() for line in pretty(step.shows, names, width).splitlines())
        yield ""


def latex_lines(one: Compared, names: Mapping[str, str]) -> Iterator[str]:
    yield r"\begin{enumerate}"
    for step in one.derivation.steps:
        yield rf"\item {spoken(step.label)}"
        yield rf"\[ {latex(step.shows, names)} \]"
    yield r"\end{enumerate}"


def stored(one: Compared, names: Mapping[str, str], home: str) -> Stored:
    derivation = one.derivation
    return Stored(
        name=derivation.name,
        title=spoken(derivation.title),
        home=home,
        source=spoken(derivation.source),
        derived=one.derived,
        latex=latex(derivation.derived, names),
        letter=derivation.letter,
        hidden=derivation.hidden,
        steps=tuple((spoken(step.label), latex(step.shows, names)) for step in derivation.steps),
        printed=tuple((p.display, p.tex, text) for p, text in zip(derivation.printed, one.printed, strict=True)),
        solves=one.solves,
        places=one.places,
    )
