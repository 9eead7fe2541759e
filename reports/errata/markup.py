"""The errata as Markdown and as a LaTeX document of its own: amsmath and amssymb, nothing to install beside a TeX."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence

from reports.errata.text import also, count
from theory.reading.errata import Change, Erratum, Severity, worst_first
from theory.reading.errata.correct import is_maths, segments
from theory.reading.errata.severity import Place

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


def sentence(words: str) -> str:
    """A sentence with mathematics between dollars, which stays; all else is escaped."""
    parts = words.split("$")
    return "".join(f"${part}$" if at % 2 else escaped(part) for at, part in enumerate(parts))


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
    if name.startswith("LATIN ") and character < "\u0180":
        return character  # LaTeX sets é, ł and ß as they are
    base = unicodedata.normalize("NFKD", character).encode("ascii", "ignore").decode()
    return base or "?"


def formula(change: Change, corrected: bool) -> str:
    """One side of a change as something that TeX can set: a formula, or a sentence with formulas."""
    tex = change.corrected_tex if corrected else change.tex
    if not tex:
        return "see the words above"
    source = change.corrected if corrected else change.printed
    if change.whole and not is_balanced(tex):
        tex = change.whole if corrected else change.formula
        return rf"\[{tex}\]"
    if is_maths(source or tex, bool(change.display)):
        return rf"\[{tex}\]" if is_balanced(tex) else rf"\texttt{{{escaped(source)}}}"
    shown = "".join(_set(part) if kind == "maths" else _prose(part) for kind, part in segments(source, tex))
    return f"\n\n\\quad ``{shown}''\n\n"


def _set(tex: str) -> str:
    """A formula in a line; what is cut out of one is shown as it is typed."""
    return f"${tex}$" if is_balanced(tex) else rf"\texttt{{{escaped(tex)}}}"


def is_balanced(tex: str) -> bool:
    """Can this stand alone? Braces and brackets of \\left and \\right close, and no cell of a table sticks out."""
    pairs = ((r"\{", "", r"(?<!\\)\{", r"(?<!\\)\}"), ("", "", r"\\left(?![a-z])", r"\\right(?![a-z])"))
    closed = all(len(re.findall(a, tex)) == len(re.findall(b, tex)) for _, _, a, b in pairs)
    tables = tex.count(r"\begin{") == tex.count(r"\end{")
    outside = re.sub(r"\\begin\{(\w+)\}.*?\\end\{\1\}", "", tex, flags=re.S)
    tables = tables and not re.search(r"\\begin\{(?:equation|align|gather|multline)", tex)  # a display, not a formula
    return closed and tables and "&" not in outside and r"\\" not in outside and not outside.startswith(("^", "_"))


def _prose(text: str) -> str:
    told = re.sub(r"\\(?:eq)?ref\{(?:[a-z]+:)?([^{}]*)\}", r"\1", text).replace("~", " ").replace("\\item", "")
    return escaped(told)


def latex(rows: Sequence[Erratum], title: str) -> str:
    parts = [
        HEAD,
        f"\\section*{{Errata}}\n\\emph{{{escaped(title)}}}. {count(len(rows), 'slip', 'slips')}, worst first.\n\n",
    ]
    for severity in Severity:
        group = [row for row in worst_first(rows) if row.severity is severity]
        parts += [f"\\section*{{{severity.value.capitalize()}}}\n"] if group else []
        parts += [_entry(row) for row in group]
    return "".join(parts) + "\\end{document}\n"


def _entry(row: Erratum) -> str:
    where = f"Line {row.first_line}{also(row)}" if row.first_line else row.id
    parts = [f"\\subsection*{{{escaped(where)}. {escaped(row.title)}}}\n{sentence(row.words)}\n\n"]
    for change in row.changes:
        parts.append(f"Line {change.line}, printed: {formula(change, False)} right: {formula(change, True)}\n\n")
    parts += [f"{escaped(words)}\n\n" for words in evidence(row)]
    return "".join(parts)


def evidence(row: Erratum) -> Iterator[str]:
    """How we know, and whom it hits, in sentences."""
    first = f"{row.source.value[:1].upper()}{row.source.value[1:]}"
    point = ", ".join(f"{name} = {value}".replace("'", "") for name, value in list(row.main.witness.items())[:12])
    yield f"{first}: {point}." if point else f"{first}."
    if row.place is Place.OUTSIDE:
        yield f"{row.place.value[:1].upper()}{row.place.value[1:]}."
    if row.blast_radius:
        hit = ", ".join(f"{id_} ({fate})" for id_, fate in row.blast_radius)
        yield f"Used by {hit}."


def markdown(rows: Sequence[Erratum], title: str) -> str:
    told = [
        "# Errata",
        "",
        f"*{title}*: {count(len(rows), 'slip', 'slips')}, worst first, computed from verdicts of LemmaLab.",
        "",
    ]
    for severity in Severity:
        group = [row for row in worst_first(rows) if row.severity is severity]
        told += [f"## {severity.value.capitalize()}", ""] if group else []
        for row in group:
            place = f"Line {row.first_line}{also(row)}: " if row.first_line else ""
            told += [f"### {place}{row.title}", "", row.words, ""]
            for change in row.changes:
                told += _fenced(change)
            told += [f"{words}\n" for words in evidence(row)]
    return "\n".join(told).rstrip() + "\n"


def _fenced(change: Change) -> list[str]:
    printed, right = change.printed or change.tex, change.corrected or change.corrected_tex
    return [f"Line {change.line}:", "", "```diff", f"- {printed}", f"+ {right}", "```", ""]
