r"""LaTeX as tokens with their places, macros of a paper written out, and where two texts differ token by token.

tokens(r"\bs x_1")                     \bs, x, _, 1; spaces and comments are no tokens
expanded(r"\bs x", {"bs": r"\mathbf{#1}"})     \mathbf{x}
differing(["a", "b"], ["a", "c"])      (frozenset({1}), frozenset({1}))
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

TOKEN = re.compile(r"\\text\{[^{}]*\}|\\[a-zA-Z]+\*?|\\.|%[^\n]*|\d+(?:\.\d+)?|\s+|.", re.S)
SCRIPT = re.compile(r"([_^])(\\(?:mathrm|mathbf|boldsymbol|tilde)\{[^{}]*\}|\\[A-Za-z]+(?![A-Za-z{]))")
PLAIN = {r"\stackrel": r"\overset", r"\dfrac": r"\frac"}  # two names for one thing


class Token(NamedTuple):
    text: str
    start: int
    end: int


def tokens(source: str) -> list[Token]:
    """Everything that is printed."""
    found = (Token(m.group(), m.start(), m.end()) for m in TOKEN.finditer(source))
    return [one for one in found if not one.text.isspace() and not one.text.startswith("%")]


def texts(source: str) -> list[str]:
    return [one.text for one in tokens(source)]


@lru_cache(maxsize=4096)
def _expanded(source: str, macros: tuple[tuple[str, str], ...]) -> str:
    table, found, rest = dict(macros), list[str](), texts(source)[::-1]
    while rest:
        token = rest.pop()
        template = table.get(token[1:]) if token.startswith("\\") else None
        if template is None:
            found.append(PLAIN.get(token, token))
            continue
        argument = _argument(rest) if "#1" in template else []
        rest += texts(template.replace("#1", _joined(argument)))[::-1]
    return _joined(found)


def expanded(source: str, macros: Mapping[str, str]) -> str:
    """Without the paper's own macros. Bold Greek is \\boldsymbol, for \\mathbf does nothing to it."""
    plain = _expanded(source, tuple(sorted(macros.items())))
    plain = re.sub(r"\\mathbf\{(\\[A-Za-z]+)\}", r"\\boldsymbol{\1}", plain)
    return SCRIPT.sub(r"\1{\2}", re.sub(r"\\sqrt(\d)", r"\\sqrt{\1}", plain))


def expanded_words(source: str, macros: Mapping[str, str]) -> str:
    """A sentence: only what stands between dollars is mathematics, and spaces outside of it stay."""
    parts = source.split("$")
    return "$".join(expanded(part, macros) if at % 2 else part for at, part in enumerate(parts))


def _argument(rest: list[str]) -> list[str]:
    """One token, or a group in braces; `rest` is reversed."""
    if not rest or rest[-1] != "{":
        return [rest.pop()] if rest else []
    depth, found = 0, list[str]()
    while rest:
        token = rest.pop()
        depth += {"{": 1, "}": -1}.get(token, 0)
        found.append(token)
        if depth == 0:
            break
    return found[1:-1]


def _joined(parts: Sequence[str]) -> str:
    """A space after a control word before a letter, none elsewhere."""
    text = ""
    for part in parts:
        word = re.search(r"\\[A-Za-z]+\*?$", text)
        text += f" {part}" if word and part[:1].isalpha() else part
    return text


def steps(printed: Sequence[str], corrected: Sequence[str]) -> list[tuple[int, int, int, int]]:
    """What has to be replaced: printed[a:b] by corrected[c:d], in order."""
    import difflib

    match = difflib.SequenceMatcher(None, list(printed), list(corrected), autojunk=False)
    return [(a, b, c, d) for tag, a, b, c, d in match.get_opcodes() if tag != "equal"]


def differing(printed: Sequence[str], corrected: Sequence[str]) -> tuple[frozenset[int], frozenset[int]]:
    """Positions of the tokens that are not in the other text."""
    first, second = set[int](), set[int]()
    for a, b, c, d in steps(printed, corrected):
        first.update(_slid(a, b, printed) if c == d else range(a, b))
        second.update(_slid(c, d, corrected) if a == b else range(c, d))
    return frozenset(first), frozenset(second)


def _slid(start: int, stop: int, parts: Sequence[str]) -> range:
    """The same tokens left out one later: `}x{` and `x{}` read alike, and a closing brace is no beginning."""
    while stop < len(parts) and start < stop and parts[start] == parts[stop] == "}":
        start, stop = start + 1, stop + 1
    return range(start, stop)


def occurrences(part: Sequence[str], whole: Sequence[str]) -> list[int]:
    """Where the tokens of `part` stand one after another."""
    size, first = len(part), part[0] if part else ""
    return [k for k in range(len(whole) - size + 1) if whole[k] == first and list(whole[k : k + size]) == list(part)]
