"""Slips planted in a real paper by rule, not by choice: one in each display or paragraph that has a place for it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from theory.detectors.text import Block, Text

# name of the slip, detector, what is looked for, what it becomes, whether displays or words are searched
RULES: list[tuple[str, str, str, str, bool]] = [
    ("a transpose is lost", "sizes restatements", r"(\}|\))\^\\top", r"\1", True),
    ("a matrix of the wrong size", "sizes", r"\\mathbf\{H\}", r"\\mathbf{A}", True),
    ("a matrix of the wrong size", "sizes", r"\\mathbf\{A\}(?=\\tilde)", r"\\boldsymbol{\\Sigma}", True),
    ("a column of the wrong size", "sizes", r"\\boldsymbol\{\\zeta\}_t", r"\\mathbf{x}_t", True),
    ("numbers' order for matrices", "sizes", r"\\preceq", r"\\leq", True),
    (
        "a space of the wrong size",
        "sizes",
        r"\\in\\mathbb\{R\}\^\{?2d(?:\\times 2d)?\}?",
        r"\\in\\mathbb{R}^{d}",
        False,
    ),
    ("an undefined letter", "names", r"\\eta(?![A-Za-z_])", r"\\varphi", True),
    ("an index bound twice", "names", r"\\sum_\{k=", r"\\sum_{k=1}^{2}\\sum_{k=", True),
    ("a letter over a sign", "citations", r"\\(?:overset|stackrel)\{[ab]\}", r"\\overset{d}", True),
    ("a label that does not exist", "citations", r"\\ref\{(\w+):", r"\\ref{\1x:", False),
    ("a mean is lost", "means", r"\\mathbb\{E\}_\{k-1\}(?=\\\|)", "", True),
    ("a mean forgets the past", "means", r"\\mathbb\{E\}_\{[kt]-1\}", r"\\mathbb{E}", True),
    ("a bracket is lost", "brackets", r"\)(?=\\leq|=)", "", True),
]


def plants(text: Text) -> Iterator[tuple[str, str, Block, Text]]:
    """Name, detectors, the block as it was, and the paper with the slip."""
    for name, detectors, pattern, better, display in RULES:
        for at, block in enumerate(text.blocks):
            if bool(block.display) is not display or not re.search(pattern, block.latex):
                continue
            wrong = replace(block, latex=re.sub(pattern, better, block.latex, count=1))
            yield name, detectors, block, Text((*text.blocks[:at], wrong, *text.blocks[at + 1 :]))
