"""LaTeX as tokens with their places. A file is cut as TeX cuts it; comments are dropped, nothing is executed."""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

from theory.reading.latex.errors import LatexError

_REST = r"\\(?:.|\n|$)|%[^\n]*(?:\n[ \t]*)?|\s+|[{}$^_&#~\[\]]|[^\\%\s{}$^_&#~\[\]]+"
PLAIN = re.compile(r"\\[A-Za-z]+|" + _REST, re.DOTALL)
INTERNAL = re.compile(r"\\[A-Za-z@]+|" + _REST, re.DOTALL)  # between \makeatletter and \makeatother
MAX_BYTES = 16_000_000


class Place(NamedTuple):
    file: str
    line: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}"


class Token(NamedTuple):
    text: str
    place: Place

    @property
    def is_word(self) -> bool:
        """A control word, such as \\alpha."""
        return len(self.text) > 1 and self.text[0] == "\\" and (self.text[1].isalpha() or self.text[1] == "@")


class FileTokens:
    """The tokens of one file, cut when asked for: what a letter is can change on the way."""

    depth = 0

    def __init__(self, name: str, source: str, internal: bool = False) -> None:
        self.name, self.source, self.at, self.line = name, source, 0, 1
        self.internal = internal

    def next(self) -> Token | None:
        while self.at < len(self.source):
            found = (INTERNAL if self.internal else PLAIN).match(self.source, self.at)
            assert found is not None
            text, place = found.group(), Place(self.name, self.line)
            self.at = found.end()
            self.line += text.count("\n")
            if not text.startswith("%"):
                return Token(text, place)
        return None

    def raw_until(self, end: str) -> str | None:
        """The characters up to `end`, which is passed; None when it never comes."""
        found = self.source.find(end, self.at)
        if found < 0:
            return None
        text = self.source[self.at : found]
        self.line += text.count("\n") + end.count("\n")
        self.at = found + len(end)
        return text


class ListTokens:
    """Tokens that a macro stands for, or that were put back; `depth` counts the macros around them."""

    def __init__(self, tokens: list[Token], depth: int) -> None:
        self.tokens, self.depth = tokens[::-1], depth

    def next(self) -> Token | None:
        return self.tokens.pop() if self.tokens else None


def read_text(path: Path, name: str) -> str:
    """The text of a file; bytes that are no UTF-8 are refused with their place."""
    size = path.stat().st_size
    if size > MAX_BYTES:
        raise LatexError(f"{name} has {size} bytes, more than {MAX_BYTES}; split it with \\input, or leave out data")
    data = path.read_bytes()
    try:
        return data.decode("utf-8-sig").replace("\r\n", "\n").replace("\r", "\n")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        bad = f"0x{data[error.start]:02x}"
        raise LatexError(
            f"{name}:{line}: the byte {bad} is no UTF-8; save the file as UTF-8 (iconv -f latin1 -t utf-8)"
        ) from None
