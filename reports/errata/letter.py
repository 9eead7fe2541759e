"""A letter to the author: what was found, the major points, the minor ones. Markdown or LaTeX."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from reports.errata.markup import HEAD, escaped, formula, sentence
from reports.errata.text import also, count
from theory.claims.statement import Faithfulness
from theory.reading.errata import Erratum, Severity, Source, worst_first

ALGORITHM = Faithfulness.ALGORITHM.name  # of a repair: one check of a corrected algorithm is no theorem about it
MAJOR = (Severity.KILLS, Severity.CONSTANT, Severity.HYPOTHESIS)
DO = {  # of one, of several
    Severity.KILLS: ("kills a statement", "kill a statement"),
    Severity.CONSTANT: ("changes a constant", "change a constant"),
    Severity.HYPOTHESIS: ("leaves out a hypothesis", "leave out a hypothesis"),
    Severity.PEN: ("is a slip of the pen", "are slips of the pen"),
    Severity.PEDANTIC: ("is a matter of pedantry", "are matters of pedantry"),
}
KNOWN = {
    Source.KERNEL: ("is shown by an exact counterexample", "are shown by exact counterexamples"),
    Source.ARGUMENT: ("does not follow from its argument", "do not follow from their arguments"),
    Source.DETECTOR: ("was found by a detector", "were found by detectors"),
    Source.READING: ("was found by reading alone", "were found by reading alone"),
}


def _parts(rows: Sequence[Erratum]) -> tuple[list[Erratum], list[Erratum], list[Erratum]]:
    ordered = worst_first(rows)
    major = [row for row in ordered if row.severity in MAJOR]
    minor = sorted((r for r in ordered if r.severity is Severity.PEN), key=lambda r: r.first_line)
    rest = sorted((r for r in ordered if r.severity is Severity.PEDANTIC), key=lambda r: r.first_line)
    return major, minor, rest


def summary(rows: Sequence[Erratum], title: str) -> str:
    """Two sentences: how many of which kind, how each is known."""
    kinds, sources = Counter(row.severity for row in rows), Counter(row.source for row in rows)
    told = [f"{kinds[one]} {words[kinds[one] != 1]}" for one, words in DO.items() if kinds[one]]
    known = [f"{sources[one]} {words[sources[one] != 1]}" for one, words in KNOWN.items() if sources[one]]
    if not told:
        return f"We read “{title}” and found nothing wrong."
    return (
        f"We read “{title}” statement by statement and list {count(len(rows), 'slip', 'slips')}: {_listed(told)}. "
        f"Of these, {_listed(known)}.{_mended([row for row in rows if row.severity in MAJOR])}"
    )


def _mended(major: Sequence[Erratum]) -> str:
    """For how many of the major points something right is proved in the place of what is printed."""
    told = [
        (sum(_proved(row) == "PROVED" for row in major), "the corrected form is proved"),
        (sum(_proved(row) == "LINKED" for row in major), "it is proved given steps that the paper derives"),
        (sum(_proved(row) == ALGORITHM for row in major), "the check that fails is proved of a corrected algorithm"),
    ]
    parts = [f"for {number} {words}" for number, words in told if number]
    return f" Of the {len(major)} major points, {_listed(parts)}." if parts else ""


def _proved(row: Erratum) -> str:
    verdicts = {repair.verdict for repair in row.repairs if repair.kind != ALGORITHM}
    if not verdicts and any(repair.verdict in ("PROVED", "INSTANCE") for repair in row.repairs):
        return ALGORITHM
    return "PROVED" if verdicts & {"PROVED", "CERTIFIED"} else "LINKED" if "LINKED" in verdicts else ""


def _listed(parts: Sequence[str]) -> str:
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"


def _place(row: Erratum) -> str:
    """The statement by its title and, for whoever has the source, by its label."""
    named = row.title if row.title == row.statement else f"{row.title} ({row.statement})"
    return f"{named}, line {row.first_line}{also(row)}" if row.first_line else named


def _what(row: Erratum) -> str:
    """The sentence, and what becomes of the statement when a repaired reading is proved."""
    tail = {
        "PROVED": " The corrected form is proved.",
        "LINKED": " The corrected form is proved, given steps that the paper derives.",
        ALGORITHM: " The check that the printed algorithm fails is proved of the corrected one.",
    }.get(_proved(row), "")
    said = row.words + ("" if row.source is not Source.READING else " (Found by reading.)")
    return f"{said}{tail}"


def letter(rows: Sequence[Erratum], title: str) -> str:
    """In Markdown."""
    major, minor, rest = _parts(rows)
    told = ["# Report on the correctness of the paper", "", "## Summary", "", summary(rows, title), ""]
    told += ["## Major points", ""] if major else []
    for number, row in enumerate(major, start=1):
        mark = f"{number}. "
        told += [f"{mark}**{_place(row)}** ({row.severity.value}). {_what(row)}", ""]
        inside = " " * len(mark)  # a paragraph of the same item
        for change in row.changes:
            told += [f"{inside}Line {change.line}: `{change.printed or change.tex}`", ""]
            told += [f"{inside}should read `{change.corrected or change.corrected_tex}`", ""]
    for heading, group in (("Minor points", minor), ("Details", rest)):
        told += [f"## {heading}", ""] if group else []
        told += [f"- Line {row.first_line}{also(row)}: {row.words}" for row in group] + [""]
    return "\n".join(told).rstrip() + "\n"


def letter_latex(rows: Sequence[Erratum], title: str) -> str:
    """As a document that compiles on its own."""
    major, minor, rest = _parts(rows)
    parts = [HEAD, "\\section*{Report on the correctness of the paper}\n"]
    parts += ["\\subsection*{Summary}\n", sentence(summary(rows, title)), "\n\n"]
    if major:
        items = "".join(_major(row) for row in major)
        parts.append(f"\\subsection*{{Major points}}\n\\begin{{enumerate}}\n{items}\\end{{enumerate}}\n")
    for heading, group in (("Minor points", minor), ("Details", rest)):
        items = "".join(f"\\item Line {row.first_line}{escaped(also(row))}: {sentence(row.words)}\n" for row in group)
        parts += [f"\\subsection*{{{heading}}}\n\\begin{{itemize}}\n{items}\\end{{itemize}}\n"] if group else []
    return "".join(parts) + "\\end{document}\n"


def _major(row: Erratum) -> str:
    head = f"\\textbf{{{escaped(_place(row))}}} ({row.severity.value})."
    changes = "".join(
        f"Line {change.line} prints {formula(change, False)} and should read {formula(change, True)}\n"
        for change in row.changes
    )
    return f"\\item {head} {sentence(_what(row))}\n{changes}"
