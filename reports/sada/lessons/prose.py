r"""Paragraphs of a lesson: plain text with $LaTeX$, $$displays$$, `code` and **bold**; everything else is escaped."""

from __future__ import annotations

import re

from markupsafe import Markup, escape

from reports.mathml.tex import MathsError, tex_mathml

_BARE = re.compile(r"\\frac\s*\d")  # the reader of LaTeX takes a whole number as one argument
_MARK = re.compile(r"\*\*(.+?)\*\*|\$\$(.+?)\$\$|\$(.+?)\$|`(.+?)`", re.S)


def prose(text: str) -> Markup:
    """Inline: what stands inside a paragraph."""
    parts: list[str] = []
    end = 0
    for found in _MARK.finditer(text):
        parts.append(str(escape(text[end : found.start()])))
        parts.append(_piece(*found.groups()))
        end = found.end()
    parts.append(str(escape(text[end:])))
    return Markup("".join(parts))


def _piece(bold: str | None, display: str | None, inline: str | None, code: str | None) -> str:
    if _BARE.search(display or inline or ""):
        raise MathsError(f"a digit right after \\frac in {display or inline!r}; put it into braces")
    if display is not None:
        return (
            f'<span class="scroll shown" tabindex="0" role="region" aria-label="formula">{tex_mathml(display)}</span>'
        )
    if inline is not None:
        return tex_mathml(inline, False)
    if code is not None:
        return f"<code>{escape(code)}</code>"
    return f"<strong>{prose(bold or '')}</strong>"


def paragraphs(texts: tuple[str, ...]) -> Markup:
    """Each text is a paragraph; a line that starts with "## " is a heading."""
    return Markup("\n").join(
        Markup("<h2>{}</h2>").format(text[3:]) if text.startswith("## ") else Markup("<p>{}</p>").format(prose(text))
        for text in texts
    )
