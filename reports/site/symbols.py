"""The names that claims use, each as the paper writes it."""

from __future__ import annotations

import re

from markupsafe import Markup

from reports.site.content import Content
from reports.site.told import Told
from reports.site.typeset import shown

NAME = re.compile(r"[A-Za-z_]\w*")


def symbol_rows(content: Content) -> tuple[tuple[str, Markup, str], ...]:
    """Name, notation and meaning of every symbol of the symbols file that a claim uses."""
    used: set[str] = set()
    for record in content.records:
        claim = record.claim
        for source in (*claim.says, *claim.given, *(formula for _, formula in claim.where)):
            used.update(NAME.findall(source))
    told = Told(content.notation)
    named = [(name, glyph) for name, glyph in content.notation.glyphs.items() if name in used]
    return tuple((name, shown(told.name(name), block=False), glyph.meaning) for name, glyph in sorted(named))
