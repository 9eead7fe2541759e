r"""A LaTeX project as one text: files followed, macros expanded, comments left out. TeX is never executed.

flat = read_source(Path("paper.tex"))
flat.text        the whole paper without macros of its own
flat.place(at)   the file and the line that a character of it comes from
"""

from __future__ import annotations

import bisect
from dataclasses import dataclass
from pathlib import Path

from theory.reading.latex.commands import HANDLERS
from theory.reading.latex.errors import LatexError
from theory.reading.latex.expander import Expander
from theory.reading.latex.macros import Theorem
from theory.reading.latex.tokens import Place


@dataclass(frozen=True)
class Flat:
    """The flattened text and where it comes from; the theorem-like environments that the project declares."""

    text: str
    starts: tuple[int, ...]
    places: tuple[Place, ...]
    theorems: dict[str, Theorem]
    sources: dict[str, str]  # the text of every file, by the name that places use

    def place(self, at: int) -> Place:
        return self.places[max(bisect.bisect_right(self.starts, at) - 1, 0)]


def read_source(path: Path, prose: bool = False) -> Flat:
    """Read a project from its main file; with `prose` the words between statements too."""
    if not path.is_file():
        raise LatexError(f"{path} does not exist or is no file; give the path of the paper's main .tex file")
    expander = Expander(path, HANDLERS, prose)
    expander.run()
    return Flat(
        "".join(expander.parts), tuple(expander.starts), tuple(expander.places), expander.theorems, expander.sources
    )
