r"""Brackets: a bracket that closes nothing or is never closed, and displays that print nothing."""

from __future__ import annotations

import re
from collections.abc import Iterator

from theory.detectors.finding import Finding, Severity
from theory.detectors.formula import unbold
from theory.detectors.scan import INLINE
from theory.detectors.text import Block, Text
from theory.project import Project

PAIRS = {")": "(", "]": "[", "}": "{"}
BRACKET = re.compile(r"\\left|\\right|\\[{}]|\\\\|\\[a-zA-Z]+|\\.|[()\[\]{}]")
INTERVAL = re.compile(r"[\[(][^\[\]()]*,[^\[\]()]*[\])]")


def brackets(project: Project, text: Text) -> Iterator[Finding]:
    for block in text.blocks:
        if block.display and not re.search(r"[A-Za-z0-9]", block.latex):
            words = "The display is empty."
            yield Finding("brackets", block.where, block.line, Severity.PEDANTIC, words)
        for latex in [block.latex] if block.display else INLINE.findall(block.latex):
            wrong = unbalanced(latex)
            if wrong:
                yield _finding(block, latex, wrong)


def _finding(block: Block, latex: str, wrong: str) -> Finding:
    at = latex.find(wrong.split("…")[-1]) if "…" in wrong else -1
    printed = latex if len(latex) < 300 else latex[max(at - 120, 0) : at + 120] if at >= 0 else latex[:300]
    return Finding("brackets", block.where, block.line, Severity.SLIP, f"A bracket does not match: {wrong}.", printed)


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
