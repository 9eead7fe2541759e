"""The errata as a LaTeX document of its own: amsmath and amssymb, plain ASCII, nothing to install beside a TeX."""

from __future__ import annotations

import textwrap
import unicodedata
from collections.abc import Iterable, Sequence

from reports.site.words import LABELS
from theory.claims.statement import Faithfulness
from theory.detectors import Violation
from theory.reading.errata import Erratum, Repair

HEAD = r"""\documentclass[11pt]{article}
\usepackage[T1]{fontenc}
\usepackage{amsmath,amssymb}
\usepackage[margin=25mm]{geometry}
\setlength{\parindent}{0pt}
\setlength{\parskip}{4pt}
\sloppy
\begin{document}
"""
SPECIAL = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "$": r"\$",
    "&": r"\&",
    "#": r"\#",
    "%": r"\%",
    "_": r"\_",
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"\textquotedbl{}",
    "≤": r"$\leq$",
    "≥": r"$\geq$",
    "≠": r"$\neq$",
    "·": r"$\cdot$",
    "×": r"$\times$",
    "→": r"$\to$",
    "∞": r"$\infty$",
    "√": r"$\surd$",
    "…": r"\ldots{}",
    "–": "--",
    "—": "---",
    "‘": "`",
    "’": "'",
    "“": "``",
    "”": "''",
    "²": r"$^2$",
    "³": r"$^3$",
}
GREEK = {"LAMDA": "lambda", "EPSILON": "varepsilon", "PHI": "varphi"}


def escaped(words: str) -> str:
    """Text that LaTeX prints as it is; letters beyond ASCII become commands."""
    return "".join(_character(c) for c in words)


def _character(character: str) -> str:
    if character in SPECIAL:
        return SPECIAL[character]
    if character.isascii():
        return character
    name = unicodedata.name(character, "")
    if name.startswith("GREEK SMALL LETTER ") and name.count(" ") == 3:
        letter = name.split()[-1]
        return rf"$\{GREEK.get(letter, letter.lower())}$"
    if name.startswith("GREEK CAPITAL LETTER ") and name.count(" ") == 3:
        letter = name.split()[-1]
        return rf"$\{GREEK.get(letter, letter.lower()).capitalize()}$"
    base = unicodedata.normalize("NFKD", character).encode("ascii", "ignore").decode()
    return base or "?"


MOST = 10  # lines of one formula; the rest is on the screen with `lemmalab show`


def code(lines: Iterable[str], key: str = "") -> str:
    """Verbatim, ASCII, folded to the width of the page; what is very long is cut, and says where the rest is."""
    folded: list[str] = []
    for line in lines:
        plain = "".join(c if c.isascii() else f"<{unicodedata.name(c, '?').lower()}>" for c in line)
        folded += textwrap.wrap(plain, 84, subsequent_indent="    ", break_on_hyphens=False) or [""]
    if key and len(folded) > MOST:
        folded = [*folded[:MOST], f"... ({len(folded) - MOST} lines more: lemmalab show '{key}')"]
    return "\\begin{verbatim}\n" + "\n".join(folded) + "\n\\end{verbatim}\n"


def latex(found: Sequence[Erratum], scaling: Sequence[Violation], title: str) -> str:
    parts = [HEAD, f"\\section*{{Errata}}\n\\emph{{{escaped(title)}}}. {len(found)} findings.\n\n"]
    parts += [_in_short(found), "\\section*{One by one}\n"]
    parts += [_section(number, erratum) for number, erratum in enumerate(found, start=1)]
    if scaling:
        parts.append("\\subsection*{Formulas whose parts scale differently}\n")
        parts.append("Rescaling data, loss and predictions must scale all parts of a formula alike.\n")
        parts += [code([str(violation)]) for violation in scaling]
    return "".join(parts) + "\\end{document}\n"


def _in_short(found: Sequence[Erratum]) -> str:
    """What a reader with ten minutes wants: line and one sentence."""
    rows = [f"\\item[{erratum.first_line or '--'}] {escaped(erratum.words or erratum.title)}\n" for erratum in found]
    if not rows:
        return ""
    head = "\\section*{In short}\nThe number is the line of the source.\n"
    return f"{head}\\begin{{description}}\n{''.join(rows)}\\end{{description}}\n"


def _section(number: int, erratum: Erratum) -> str:
    lines = f"lines {erratum.first_line}--{erratum.last_line}" if erratum.first_line else "no line"
    where = f"{erratum.display}, {lines}" if erratum.display else lines
    parts = [
        f"\\subsection*{{{number}. {escaped(erratum.title)} ({escaped(erratum.key)})}}\n",
        escaped(where)
        + (f", a step in the proof of {escaped(erratum.statement)}" if erratum.is_step else "")
        + ".\n\n",
    ]
    if erratum.printed:
        parts.append(f"Printed:\n\\[\n{erratum.printed}\n\\]\n")
    parts.append("Executed as:\n" + code(_reading(erratum), erratum.key))
    parts += [_repair(repair) for repair in erratum.repairs]
    if erratum.words:
        parts.append(escaped(erratum.words) + "\n\n")
    if erratum.witness:
        shown = [f"{name} = {value}".replace("'", "") for name, value in erratum.witness.items()]
        sides = [f"left side {erratum.left}", f"right side {erratum.right}"] if erratum.left else []
        parts.append("Witness:\n" + code([", ".join(shown), *sides]))
    if erratum.is_step:
        parts.append(f"The statement itself: {escaped(erratum.statement_fate)}.\n\n")
    if erratum.blast_radius:
        by_fate: dict[str, list[str]] = {}
        for id_, fate in erratum.blast_radius:
            by_fate.setdefault(fate, []).append(id_)
        rows = "".join(f"\\item {escaped(fate)}: {escaped(', '.join(ids))}\n" for fate, ids in by_fate.items())
        parts.append(f"Used by:\n\\begin{{itemize}}\n{rows}\\end{{itemize}}\n")
    return "".join(parts) + "\n"


def _reading(one: Erratum | Repair) -> list[str]:
    lines = list(one.says)
    lines += [f"given {', '.join(one.given)}"] if one.given else []
    lines += [f"where {', '.join(f'{name} = {formula}' for name, formula in one.where)}"] if one.where else []
    return lines


def _repair(repair: Repair) -> str:
    kind = escaped(Faithfulness[repair.kind].value)
    words = f"{escaped(repair.words)}\n\n" if repair.words else ""
    return f"Right ({escaped(LABELS[repair.verdict])}; {kind}):\n{code(_reading(repair), repair.key)}{words}"
