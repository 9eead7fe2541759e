"""Claims, witnesses and sentences in the notation of the paper: every formula of the page goes through here.

A formula of the kernel becomes LaTeX by the symbols file of the paper, LaTeX becomes MathML. What is too long to be
read as a formula stays code, and the page folds it away.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from itertools import groupby
from typing import TYPE_CHECKING, Any

from markupsafe import Markup, escape

from reports.mathml.tex import MathsError, tex_mathml
from reports.site.told import Told, told_of
from theory.kernel.lang import parse
from theory.reading.latex.notation import Notation
from theory.reading.latex.printer import to_latex
from theory.reading.numbers import exactly

if TYPE_CHECKING:
    from reports.mathml.prose import Prose
    from theory.kernel import Claim


class Typesetter:
    """The notation of one paper at work."""

    def __init__(self, notation: Notation | None = None) -> None:
        self.notation = notation or Notation()
        self._known: dict[str, Told] = {}

    def of(self, claim: Claim) -> Told:
        if claim.id not in self._known:
            self._known[claim.id] = told_of(claim, self.notation)
        return self._known[claim.id]

    @cached_property
    def plain(self) -> Told:
        """Formulas without a claim."""
        return Told(self.notation, whole=True)

    @cached_property
    def prose(self) -> Prose:
        """Sentences; a formula of the kernel between backticks is set by the symbols file."""
        from reports.mathml.prose import Prose

        told = self.plain
        return Prose(self.notation, lambda source: str(_inline(told.relation(source) or told.formula(source))))

    def point(self, values: Mapping[str, Any], claim: Claim | None = None) -> Markup:
        """A witness: every name with its exact value."""
        told = self.of(claim) if claim is not None else self.plain
        return Markup(", ").join(_value(told.name(name), value) for name, value in sorted(values.items()))


def shown(latex: str, block: bool = True) -> Markup:
    """LaTeX as maths; a formula that cannot be set is shown as it is written, and says so."""
    if not latex.strip():
        return Markup("")
    try:
        return Markup(tex_mathml(latex.strip(), block))
    except MathsError as error:
        return Markup('<code class="unset" title="{}">{}</code>').format(str(error), latex.strip())


def compared(printed: Sequence[str], right: Sequence[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Relations in LaTeX, marked where they differ; as they are when they do not pair up."""
    if len(printed) != len(right):
        return tuple(printed), tuple(right)
    from reports.mathml.changes import marked

    pairs = [marked(one, other) if one and other else (one, other) for one, other in zip(printed, right, strict=True)]
    return tuple(a for a, _ in pairs), tuple(b for _, b in pairs)


def _inline(latex: str) -> Markup:
    try:
        return Markup(tex_mathml(latex, False)) if latex else Markup("")
    except MathsError:
        return Markup("")


def _value(name: str, value: Any) -> Markup:
    text = _number(value)
    set_ = _inline(f"{name} = {text}") if len(text) < 400 else Markup("")
    return set_ or Markup("{} = <code>{}</code>").format(_inline(name) or escape(name), str(value))


def value_latex(value: Any) -> str:
    """An exact value, a matrix of them too; a list may come as its text."""
    if isinstance(value, str) and value.startswith("["):
        try:
            value = ast.literal_eval(value)
        except (ValueError, SyntaxError):
            return str(value)
    return _number(value)


def _number(value: Any) -> str:
    if isinstance(value, dict) and value.keys() == {"of", "is"}:
        return to_latex(parse(value["is"]), Notation())
    if isinstance(value, list):
        inner = [_number(one) for one in value]
        if value and all(isinstance(one, list) and not any(isinstance(x, list) for x in one) for one in value):
            rows = [" & ".join(map(_number, row)) for row in value]
            return r"\begin{pmatrix} " + r" \\ ".join(rows) + r" \end{pmatrix}"
        return rf"\left({', '.join(_repeated(inner))}\right)"
    return exactly(str(value))


def _repeated(values: Sequence[str]) -> Iterator[str]:
    """A value that stands there more than three times in a row, with dots."""
    for value, group in groupby(values):
        count = len(list(group))
        yield from (value,) * count if count <= 3 else (value, r"\dots", value)
