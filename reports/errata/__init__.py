"""The errata for people: on a screen, for an editor, as Markdown or LaTeX, as a letter to the author, as JSON."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence

from reports.errata.letter import letter, letter_latex
from reports.errata.markup import latex, markdown
from reports.errata.text import lines, text
from theory.reading.errata import Erratum
from theory.reading.lines import told

Writer = Callable[[Sequence[Erratum], str], str]


def as_json(rows: Sequence[Erratum], title: str) -> str:
    body = {"paper": title, "errata": told([row.to_json() for row in rows])}
    return json.dumps(body, indent=1, sort_keys=True, ensure_ascii=False) + "\n"


FORMATS: dict[str, Writer] = {
    "text": text,
    "lines": lines,
    "markdown": markdown,
    "latex": latex,
    "letter": letter,
    "letter-latex": letter_latex,
    "json": as_json,
}
