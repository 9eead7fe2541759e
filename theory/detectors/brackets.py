r"""Brackets: one that closes nothing, is never closed or is missing after a slash, and displays that print nothing."""

from __future__ import annotations

import re
from collections.abc import Iterator

from theory.detectors.formula import rows_of, unbold
from theory.detectors.latex import latex_of
from theory.detectors.scan import INLINE, formulas
from theory.detectors.text import Block, Text
from theory.project import Project
from theory.reading.errata import Finding, Severity
from theory.reading.latex.atoms import Atoms

PAIRS = {")": "(", "]": "[", "}": "{"}
BRACKET = re.compile(r"\\left|\\right|\\[{}]|\\\\|\\[a-zA-Z]+|\\.|[()\[\]{}]")
INTERVAL = re.compile(r"[\[(][^\[\]()]*,[^\[\]()]*[\])]")


def brackets(project: Project, text: Text) -> Iterator[Finding]:
    for block in text.blocks:
        if block.display and not re.search(r"[A-Za-z0-9]", block.latex):
            words = "The display is empty."
            yield Finding("brackets", "empty", block.where, block.line, Severity.PEDANTIC, words)
        for latex in [block.latex] if block.display else INLINE.findall(block.latex):
            wrong = unbalanced(latex)
            if wrong:
                yield _finding(block, latex, wrong)
        for printed in (one for latex in formulas(block) for row in rows_of(latex) for one in slashes(row)):
            words = "What is divided by? Two factors follow the slash without brackets around them."
            yield Finding("brackets", "slash", block.where, block.line, Severity.PEDANTIC, words, printed)


def _finding(block: Block, latex: str, wrong: str) -> Finding:
    at = latex.find(wrong.split("…")[-1]) if "…" in wrong else -1
    printed = latex if len(latex) < 300 else latex[max(at - 120, 0) : at + 120] if at >= 0 else latex[:300]
    return Finding(
        "brackets", "unbalanced", block.where, block.line, Severity.PEN, f"A bracket does not match: {wrong}.", printed
    )


def slashes(row: Atoms) -> Iterator[str]:
    r"""a/\mu\eta, where a/(\mu\eta) and (a/\mu)\eta are both possible."""
    for at, atom in enumerate(row):
        after = [one.kind for one in row[at + 1 : at + 3]]
        divides = atom.kind == "sign" and atom.name == "/" and len(after) == 2
        if divides and after[0] in ("letter", "number") and after[1] in ("letter", "number", "call"):
            yield latex_of(row[max(at - 1, 0) : at + 3])
        for arg in atom.args:
            yield from slashes(arg)


def unbalanced(latex: str) -> str:
    """What is wrong with the brackets of a formula, "" if nothing is. Half-open intervals are fine."""
    plain = unbold(latex)
    plain = re.sub(r"\\text\s*\{((?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*)\}", r"\1", plain)
    plain = INTERVAL.sub("", re.sub(r"\\(?:mathrm|label|tag)\s*\{[^{}]*\}", "", plain))
    stack: list[str] = []
    stretched = False
    for mark in BRACKET.findall(plain):
        if mark in (r"\left", r"\right"):
            stretched = True
        elif mark.lstrip("\\") in ("(", "[", "{"):
            stack.append(mark.lstrip("\\") + ("\\" if mark[0] == "\\" else ""))
            stretched = False
        elif mark.lstrip("\\") in PAIRS:
            escaped = mark[0] == "\\"
            wanted = PAIRS[mark.lstrip("\\")] + ("\\" if escaped else "")
            if not stack:
                return f"{mark} closes nothing"
            if stack[-1] != wanted and not stretched:
                return f"{mark} closes {stack[-1].rstrip(chr(92))}"
            stack.pop()
            stretched = False
    left = [one for one in stack if one != "{"]
    return f"{left[-1].rstrip(chr(92))} is never closed" if left else ""
