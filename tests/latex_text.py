"""LaTeX that people are given: whole, and balanced."""

from __future__ import annotations

import re


def assert_whole(text: str) -> str:
    """A document in ASCII whose environments and braces close in order; what stands outside of verbatim."""
    assert text.isascii()
    assert text.startswith("\\documentclass")
    assert text.endswith("\\end{document}\n")
    outside = re.sub(r"\\begin\{verbatim\}.*?\\end\{verbatim\}", "", text, flags=re.S)
    assert outside.count(r"\[") == outside.count(r"\]")
    assert len(re.findall(r"(?<!\\)\$", outside)) % 2 == 0
    for formula in re.findall(r"\\\[.*?\\\]|(?<!\\)\$.*?(?<!\\)\$", outside, flags=re.S):
        assert len(re.findall(r"\\left(?![a-z])", formula)) == len(re.findall(r"\\right(?![a-z])", formula)), formula
    opened: list[str] = []
    for action, name in re.findall(r"\\(begin|end)\{(\w+\*?)\}", outside):
        if action == "begin":
            opened.append(name)
        else:
            assert opened.pop() == name
    assert opened == []
    depth = 0
    for brace in re.findall(r"(?<!\\)(?:\\\\)*([{}])", outside):
        depth += 1 if brace == "{" else -1
        assert depth >= 0
    assert depth == 0
    return outside
