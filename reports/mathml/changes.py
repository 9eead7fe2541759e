r"""Two formulas in LaTeX, token by token: what only one of them has is wrapped in \changed{…}, which `tex` sets.

A token is a letter, a number, a sign, or a command with its own letters (\mathbf{x}, \tilde{\kappa}). Braces and
fences hold the formula together and are never marked. Formulas that have too little in common are not marked at all.
"""

from __future__ import annotations

import difflib
import re

UNIT = re.compile(
    r"\\(?:mathbf|boldsymbol|mathcal|mathbb|mathrm|mathtt|operatorname\*?|text)\s*\{[^{}]*\}"
    r"|\\(?:tilde|hat|bar|widetilde|overline)\s*(?:\{(?:[^{}]|\{[^{}]*\})*\}|\\[a-zA-Z]+|\w)"
    r"|\\(?:begin|end)\s*\{[^{}]*\}"
    r"|\\(?:left|right|middle|[bB]igg?[lr]?)\s*(?:\\[a-zA-Z]+|\\.|.)"
    r"|\\[a-zA-Z]+\*?|\\.|\d+(?:\.\d+)?|\s+|.",
    re.S,
)
HOLDING = re.compile(
    r"\\(?:begin|end|left|right|middle|[bB]igg?[lr]?|frac|dfrac|sqrt|overset|underbrace|quad|qquad|phantom)\b.*"
    r"|\\[,;:! \\]|[{}_^&']",
    re.S,
)
LEAST = 0.4  # of the tokens in common; below it two formulas are different formulas


def units(latex: str) -> list[str]:
    return [one for one in UNIT.findall(latex) if not one.isspace()]


def marked(first: str, second: str) -> tuple[str, str]:
    """Both formulas with what differs wrapped; as they are when nothing or nearly everything does."""
    ours, theirs = units(first), units(second)
    match = difflib.SequenceMatcher(None, ours, theirs, autojunk=False)
    if match.ratio() < LEAST:
        return first, second
    left, right = set[int](), set[int]()
    for tag, i1, i2, j1, j2 in match.get_opcodes():
        if tag != "equal":
            left.update(range(i1, i2))
            right.update(range(j1, j2))
    return _wrapped(ours, left), _wrapped(theirs, right)


def _wrapped(tokens: list[str], changed: set[int]) -> str:
    """Signs and letters that stand side by side share one mark."""
    done: list[str] = []
    run: list[str] = []
    for position, token in enumerate(tokens):
        if position in changed and not HOLDING.fullmatch(token) and not _opens(tokens, position):
            run.append(token)
            continue
        done += _mark(run)
        run = []
        done.append(token)
    return " ".join([*done, *_mark(run)])


def _opens(tokens: list[str], position: int) -> bool:
    """Does a script follow? Then the base keeps it, and the mark goes around neither or only the base."""
    return position + 1 < len(tokens) and tokens[position + 1] in ("_", "^", "'")


def _mark(run: list[str]) -> list[str]:
    return [rf"\changed{{{' '.join(run)}}}"] if run else []
