"""CSV from a file, gzip or a pipe: parsed in blocks of whole lines by compiled code (`lines`), odd lines one by one.

A byte-order mark is taken off, a first line that is not all numbers is the header, blank lines are no rows, numbers may
be quoted. Numbers are the doubles nearest to what is written.
"""

from __future__ import annotations

import csv
import gzip
import hashlib
import sys
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

import numpy as np
from numpy.typing import NDArray

from numerics.designs.checks import Array
from numerics.errors import StreamError

from .lines import Lines, read_lines
from .source import HUGE, LONGEST_TEXT, READ, Bad, Block, Source, Text, Wanted, as_number, complaint, refused

MARKS = {b"\xff\xfe": "UTF-16", b"\xfe\xff": "UTF-16"}
GZIP = b"\x1f\x8b"
BOM = b"\xef\xbb\xbf"
LONGEST = 1 << 27  # bytes of a line


class CsvSource(Source):
    """`path` None reads standard input (or `handle`)."""

    def __init__(self, path: Path | None, *, delimiter: str | None = None, handle: IO[bytes] | None = None) -> None:
        self.path, self._pipe = path, handle or (None if path else sys.stdin.buffer)
        name = "" if path is None else path.name.lower().removesuffix(".gz")
        self.delimiter = _separator(delimiter or ("\t" if name.endswith(".tsv") else ","))
        self._hash, self.skipped = hashlib.sha256(), ""
        self.size = path.stat().st_size if path is not None and path.is_file() else None
        self._head = b""
        with self._opened() as file:
            self._head = self._first(file)
        self._set_names()

    @contextmanager
    def _opened(self) -> Iterator[IO[bytes]]:
        if self._pipe is not None:
            yield self._pipe
            return
        assert self.path is not None
        try:
            plain = self.path.open("rb")
        except OSError as error:
            raise StreamError(f"{self.path}: {error.strerror}; check the name") from None
        try:
            with plain, gzip.open(plain) if plain.peek(2)[:2] == GZIP else plain as file:
                yield file  # type: ignore[misc]  # both read bytes
        except (OSError, EOFError, zlib.error) as error:
            raise StreamError(
                f"{self.path}: cannot be read ({error}); the file may be truncated: copy it again"
            ) from None

    def _first(self, file: IO[bytes]) -> bytes:
        """The bytes up to the end of the first line that is not blank (at least)."""
        head = b""
        while not (lines := head.strip(BOM + b"\r\n \t")) or b"\n" not in head[head.index(lines[:1]) :]:
            more = file.readline(LONGEST)
            head += more
            if len(more) >= LONGEST:
                raise StreamError(f"{self.called()}: no end of line within {LONGEST} bytes; is this a CSV file?")
            if not more:
                break
        if head.startswith(GZIP):
            raise StreamError(f"{self.called()}: is compressed; pipe it through zcat")
        for mark, name in MARKS.items():
            if head.startswith(mark):
                raise StreamError(f"{self.called()}: is {name}; convert it to UTF-8 first (iconv -f {name} -t UTF-8)")
        return head

    def _set_names(self) -> None:
        line = self._decoded(self._head.removeprefix(BOM)).strip("\r\n \t")
        if "\r" in line:
            raise StreamError(f"{self.called()}: has lines that end in \\r alone; convert it with tr '\\r' '\\n'")
        fields = self._fields(line.encode())
        if isinstance(fields, str):
            raise StreamError(f"{self.called()}: the first line {fields}; is this a CSV file?")
        if not fields:
            raise StreamError(f"{self.called()}: is empty; give a file with a first line")
        self.header = not all(as_number(field) is not None for field in fields)
        self.names = [field.strip() for field in fields] if self.header else [str(i) for i in range(len(fields))]
        twice = [name for name in self.names if self.names.count(name) > 1]
        if twice:
            raise StreamError(f"{self.called()}: two columns are called {twice[0]!r}; give each its own name")
        self.start = len(self._head) if self.header else (len(BOM) if self._head.startswith(BOM) else 0)

    def _decoded(self, line: bytes) -> str:
        try:
            return line.decode()
        except UnicodeDecodeError as error:
            raise StreamError(f"{self.called()}: the first line is not UTF-8 ({error}); convert the file") from None

    def blocks(self, position: int, wanted: Wanted) -> Iterator[Block]:
        """`position` counts bytes of text (after decompression)."""
        with self._opened() as file:
            line, rest = self._at(file, max(position, self.start))
            at = max(position, self.start)
            while True:
                data = rest + file.read(READ)
                ended = len(data) == len(rest)
                cut = len(data) if ended else data.rfind(b"\n") + 1
                data, rest = data[:cut], data[cut:]
                if len(rest) > LONGEST:
                    raise StreamError(
                        f"{self.called()}: line {line} has more than {LONGEST} bytes; is this a CSV file?"
                    )
                at += cut
                self._note(data)
                if data.strip():
                    yield self._block(data, at, line, wanted, file)
                line += data.count(b"\n")
                if ended:
                    return

    def _at(self, file: IO[bytes], position: int) -> tuple[int, bytes]:
        """The line number there and what was read beyond; the head of a pipe has been read already."""
        line, rest = 1, self._head if self._pipe is not None else b""
        self._hash = hashlib.sha256()
        while position > len(rest):
            line += rest.count(b"\n")
            self._note(rest)
            position -= len(rest)
            rest = file.read(min(READ, max(position, 1)))
            if not rest:
                raise StreamError(f"{self.called()}: ends before the position that was noted; it has been shortened")
        self._note(rest[:position])
        self.skipped = self._hash.hexdigest()
        return line + rest.count(b"\n", 0, position), rest[position:]

    def _note(self, data: bytes) -> None:
        """What a pipe gave enters the digest; a file has one of its whole content."""
        if self._pipe is not None:
            self._hash.update(data)

    def _block(self, data: bytes, at: int, line: int, wanted: Wanted, file: IO[bytes]) -> Block:
        found = read_lines(data, self.delimiter, len(self.names), wanted.text, wanted.drop)
        prefix = self._hash.hexdigest() if self._pipe is not None else None
        rows, text, bad = self._mended(found, data, line, wanted) if len(found.odd) else (found.rows, found.text, ())
        return Block(rows, text, at, self._done(file, at), _places(data, line, bad), bad, prefix)

    def _done(self, file: IO[bytes], at: int) -> float:
        if not self.size:
            return 0.0
        inner = getattr(file, "fileobj", None)
        return (inner.tell() if inner is not None else at) / self.size

    def _mended(
        self, found: Lines, data: bytes, line: int, wanted: Wanted
    ) -> tuple[Array, Text | None, tuple[Bad, ...]]:
        """The rows with those of odd lines that can be used after all, and the others named."""
        bad: list[Bad] = []
        words: dict[int, str] = {}
        kept, seen = np.ones(len(found.rows), dtype=bool), 0
        for row, start, end in found.odd.tolist():
            line, seen = line + data.count(b"\n", seen, start), start
            fields = self._fields(data[start:end])
            reason = fields if isinstance(fields, str) else self._reason(fields, wanted)
            kept[row] = reason is None
            if reason is not None:
                bad.append(Bad(f"line {line}", reason))
                if not wanted.skip:
                    raise refused(self.called(), bad[0])
                continue
            found.rows[row] = [0.0 if i == wanted.text or i in wanted.drop else float(x) for i, x in enumerate(fields)]
            if wanted.text is not None:
                words[row] = fields[wanted.text].strip()
        return found.rows[kept], _with_words(found.text, words, kept), tuple(bad)

    def _fields(self, line: bytes) -> list[str] | str:
        """The fields of a line, or why there are none."""
        try:
            return next(csv.reader([line.decode(errors="replace").strip("\r\n")], delimiter=self.delimiter), [])
        except csv.Error as error:
            return f"cannot be split into fields ({error})"

    def _reason(self, fields: list[str], wanted: Wanted) -> str | None:
        if len(fields) != len(self.names):
            return f"{len(fields)} fields, expected {len(self.names)}"
        for i, (name, field) in enumerate(zip(self.names, fields, strict=True)):
            if i == wanted.text:
                if not field.strip():
                    return f"column {name!r} is empty"
                if len(field.strip().encode()) > LONGEST_TEXT:
                    return f"column {name!r} has {len(field)} characters, a class at most {LONGEST_TEXT}"
            elif i not in wanted.drop and ((number := as_number(field)) is None or not abs(number) <= HUGE):
                return complaint(field, name)
        return None


def _places(data: bytes, first: int, bad: tuple[Bad, ...]) -> Callable[[NDArray[np.intp]], list[str]]:
    """Rows by their lines: blank lines are no rows, and bad ones have been left out."""

    def named(rows: NDArray[np.intp]) -> list[str]:
        gone = {one.place for one in bad}
        lines = [f"line {first + k}" for k, line in enumerate(data.split(b"\n")) if line.strip(b" \t\r")]
        kept = [line for line in lines if line not in gone]
        return [kept[i] for i in rows]

    return named


def _separator(given: str) -> str:
    found = {"\\t": "\t", "tab": "\t"}.get(given, given)
    if len(found) != 1 or not found.isascii() or found.isalnum() or found in '"+-.\r\n':
        raise StreamError(f"delimiter {given!r}: must be one character that is no part of a number; use , ; | or \\t")
    return found


def _with_words(text: Text | None, words: dict[int, str], kept: NDArray[np.bool_]) -> Text | None:
    """The text of the rows that are kept, with these words in their places."""
    if text is None or not words:
        return None if text is None else text[kept]
    width = max(len(word) for word in words.values())
    wide = text.astype(f"U{max(width, text.dtype.itemsize // 4)}")
    wide[list(words)] = list(words.values())
    return np.asarray(wide[kept])
