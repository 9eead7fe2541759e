"""Every detector by name, and what they find together."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from pathlib import Path

from theory.claims.files import ProjectError
from theory.detectors.brackets import brackets
from theory.detectors.cases import cases
from theory.detectors.citations import citations
from theory.detectors.homogeneity import homogeneity
from theory.detectors.indices import indices
from theory.detectors.means import means
from theory.detectors.names import names_
from theory.detectors.restatements import restatements
from theory.detectors.sizes import sizes
from theory.detectors.text import Block, Text, text_of
from theory.project import Project
from theory.reading.errata import Finding, ordered
from theory.reading.paper import Paper

Detector = Callable[[Project, Text], Iterable[Finding]]


def _names(project: Project, text: Text) -> Iterator[Finding]:
    yield from names_(project, text)
    yield from indices(project, text)


DETECTORS: dict[str, tuple[Detector, str]] = {
    "sizes": (sizes, "a matrix or an operator of the wrong size, a column times a column"),
    "names": (_names, "names undefined, bound twice, renamed, with another index or two meanings"),
    "cases": (cases, "cases that leave something out"),
    "citations": (
        citations,
        "labels, letters over signs, hypotheses of what is cited, steps credited to the wrong lemma",
    ),
    "restatements": (restatements, "a formula that is printed twice and differs"),
    "means": (means, "something random outside of a conditional mean, full and conditional means mixed"),
    "homogeneity": (homogeneity, "factors dropped or stray: parts that scale differently when units are changed"),
    "brackets": (brackets, "brackets that do not match, empty displays"),
}


def detect(project: Project, chosen: Iterable[str] = (), source: Path | None = None) -> list[Finding]:
    """What these detectors find (all when none is chosen), worst first."""
    wanted = list(chosen) or list(DETECTORS)
    strange = [name for name in wanted if name not in DETECTORS]
    if strange:
        raise ProjectError(f"there is no detector {strange[0]!r}; there are {', '.join(DETECTORS)}")
    text = text_of(project, source)
    blocks = {block.where: block for block in text.blocks if not block.display}
    found = (_as_known(finding, project) for name in wanted for finding in DETECTORS[name][0](project, text))
    return ordered(_owned(_placed(finding, blocks), project.paper) for finding in found)


def _as_known(finding: Finding, project: Project) -> Finding:
    """Kinds are guesses until somebody has said what the symbols mean: what rests on them is not sure before."""
    guessed = finding.detector == "sizes" and not all(symbol.meaning for symbol in project.symbols.values())
    return replace(finding, sure=finding.sure and not guessed)


def _placed(finding: Finding, blocks: dict[str, Block]) -> Finding:
    """A formula in words stands on its own line, not on the first of its paragraph."""
    block = blocks.get(finding.where)
    at = block.latex.find(finding.printed) if block is not None and finding.printed else -1
    if block is None or at < 0:
        return finding
    line = block.line + block.latex.count("\n", 0, at)
    return replace(finding, where=f"line:{line}", line=line)


def _owned(finding: Finding, paper: Paper) -> Finding:
    """Whom it concerns and where it ends, from the display or the statement that it stands in."""
    display = next((one for one in paper.displays if one.id == finding.where), None)
    inside = [one for one in paper.statements if one.first_line <= finding.line <= one.last_line]
    owner = display.statement if display is not None else finding.where if ":" in finding.where else ""
    if owner not in {one.id for one in paper.statements}:
        owner = inside[-1].id if inside else ""
    return replace(finding, statement=owner, last=display.last_line if display is not None else finding.line)
