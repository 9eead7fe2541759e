"""The errata as text, Markdown, LaTeX or JSON: the same findings in other clothes."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict

from reports.errata_latex import latex
from reports.site.words import LABELS
from theory.claims.statement import Faithfulness
from theory.detectors import Violation
from theory.reading.errata import Erratum, Repair

Violations = Sequence[Violation]


def place(erratum: Erratum) -> str:
    """Where it stands in the source of the paper."""
    lines = f"lines {erratum.first_line}-{erratum.last_line}" if erratum.first_line else "no line"
    what = f"{erratum.display}, " if erratum.display else ""
    return f"{what}{lines}" + (f", a step in the proof of {erratum.statement}" if erratum.is_step else "")


def kind_words(kinds: Iterable[str]) -> str:
    return "; ".join(Faithfulness[kind].value for kind in kinds)


def point_text(point: dict[str, object]) -> str:
    return ", ".join(f"{name} = {value}".replace("'", "") for name, value in point.items())


def reading(says: Sequence[str], given: Sequence[str], where: Sequence[tuple[str, str]]) -> Iterator[str]:
    """The executable reading, line by line."""
    yield from says
    if given:
        yield f"  given {', '.join(given)}"
    if where:
        yield f"  where {', '.join(f'{name} = {formula}' for name, formula in where)}"


def right(repair: Repair) -> str:
    return f"{'; '.join(repair.says)}  [{LABELS[repair.verdict]}]" + (f" {repair.words}" if repair.words else "")


def text(found: Sequence[Erratum], scaling: Violations, title: str) -> str:
    lines = [f"{len(found)} findings in {title}", ""]
    for number, erratum in enumerate(found, start=1):
        lines += [f"{number}. {erratum.key}: {erratum.title}", f"   where     {place(erratum)}"]
        lines += [f"   {'printed' if i == 0 else '':9} {line}" for i, line in enumerate(_printed(erratum))]
        lines += [f"   {'right' if i == 0 else '':9} {right(repair)}" for i, repair in enumerate(erratum.repairs)]
        lines += [f"   in words  {erratum.words}"] if erratum.words else []
        lines += [f"   kind      {kind_words(erratum.kinds)}"] if erratum.repairs else []
        lines += [f"   witness   {point_text(erratum.witness)}"] if erratum.witness else []
        lines += [f"             left {erratum.left}, right {erratum.right}"] if erratum.left else []
        lines += [f"   statement {erratum.statement}: {erratum.statement_fate}"] if erratum.is_step else []
        radius = [f"{id_} ({fate})" for id_, fate in erratum.blast_radius]
        lines += [f"   used by   {', '.join(radius)}" if radius else "   used by   nothing that is hurt by it", ""]
    if scaling:
        lines += [f"{len(scaling)} formulas whose parts scale differently under rescaling of data and loss", ""]
        lines += [f"   {violation}" for violation in scaling]
    return "\n".join(lines).rstrip() + "\n"


def _printed(erratum: Erratum) -> Iterator[str]:
    yield from erratum.printed.splitlines()
    yield from (f"  executed: {line.strip()}" for line in reading(erratum.says, erratum.given, erratum.where))


def markdown(found: Sequence[Erratum], scaling: Violations, title: str) -> str:
    lines = ["# Errata", "", f"*{title}*: {len(found)} findings, computed from verdicts of LemmaLab.", ""]
    for number, erratum in enumerate(found, start=1):
        lines += [f"## {number}. `{erratum.key}`: {erratum.title}", "", f"{place(erratum)}.", ""]
        lines += ["Printed:", "", "$$", erratum.printed, "$$", ""] if erratum.printed else []
        lines += ["Executed as:", "", "```", *reading(erratum.says, erratum.given, erratum.where), "```", ""]
        for repair in erratum.repairs:
            lines += [f"Right ({LABELS[repair.verdict]}, {kind_words([repair.kind])}):", ""]
            lines += ["```", *reading(repair.says, repair.given, repair.where), "```", ""]
            lines += [repair.words, ""] if repair.words else []
        lines += [erratum.words, ""] if erratum.words else []
        if erratum.witness:
            sides = (
                f" There the left side is `{erratum.left}` and the right side `{erratum.right}`."
                if erratum.left
                else ""
            )
            lines += [f"Witness: `{point_text(erratum.witness)}`.{sides}", ""]
        if erratum.is_step:
            lines += [f"The statement itself: {erratum.statement_fate}.", ""]
        if erratum.blast_radius:
            lines += ["| used by | what becomes of it |", "|---|---|"]
            lines += [f"| `{id_}` | {fate} |" for id_, fate in erratum.blast_radius] + [""]
    if scaling:
        lines += ["## Formulas whose parts scale differently", ""]
        lines += ["Rescaling data, loss and predictions must scale all parts of a formula alike.", ""]
        lines += [f"- `{v.where}`: {_plain(v)}" for v in scaling]
    return "\n".join(lines).rstrip() + "\n"


def _plain(violation: Violation) -> str:
    told = str(violation).removeprefix(f"{violation.where}: ")
    return f"`{told}`"


def as_json(found: Sequence[Erratum], scaling: Violations, title: str) -> str:
    body = {"paper": title, "errata": [e.to_json() for e in found], "scaling": [asdict(v) for v in scaling]}
    return json.dumps(body, indent=1, sort_keys=True, ensure_ascii=False) + "\n"


FORMATS: dict[str, Callable[[Sequence[Erratum], Violations, str], str]] = {
    "text": text,
    "markdown": markdown,
    "latex": latex,
    "json": as_json,
}
