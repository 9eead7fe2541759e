"""CSV from a file, gzip or a pipe: parsed by pyarrow in blocks of whole lines, or by numpy without it (slower).

A byte-order mark is taken off, a first line that is not all numbers is the header, blank lines are no rows, numbers may
be quoted. A block that cannot be parsed as a whole is halved until the bad lines stand alone.
"""

from __future__ import annotations

import csv
import gzip
import hashlib
import io
import sys
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

import numpy as np

from numerics.designs.checks import Array
from numerics.errors import StreamError

from .source import HUGE, READ, Bad, Block, Source, Text, Wanted, complaint, refused, usable

MARKS = {b"\xff\xfe": "UTF-16", b"\xfe\xff": "UTF-16"}
GZIP = b"\x1f\x8b"
BOM = b"\xef\xbb\xbf"
LONGEST = 1 << 27  # bytes of a line
FEW = 32  # lines that are looked at one by one


class CsvSource(Source):
    """`path` None reads standard input (or `handle`); `arrow` False forces the parser without pyarrow."""

    def __init__(
        self,
        path: Path | None,
        *,
        delimiter: str | None = None,
        handle: IO[bytes] | None = None,
        arrow: bool | None = None,
    ) -> None:
        self.path, self._pipe = path, handle or (None if path else sys.stdin.buffer)
        self.arrow = has_arrow() if arrow is None else arrow
        name = "" if path is None else path.name.lower().removesuffix(".gz")
        self.delimiter = delimiter or ("\t" if name.endswith(".tsv") else ",")
        self._hash, self.skipped = hashlib.blake2b(), ""
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
        fields = next(csv.reader([line], delimiter=self.delimiter), [])
        if not fields:
            raise StreamError(f"{self.called()}: is empty; give a file with a first line")
        self.header = not all(_is_number(field) for field in fields)
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
                if len(data) == len(rest):
                    if rest.strip():
                        yield self._block(rest, at + len(rest), line, wanted, file)
                    return
                cut = data.rfind(b"\n") + 1
                rest = data[cut:]
                if len(rest) > LONGEST:
                    raise StreamError(
                        f"{self.called()}: line {line} has more than {LONGEST} bytes; is this a CSV file?"
                    )
                if cut:
                    at += cut
                    self._note(data[:cut])
                    yield self._block(data[:cut], at, line, wanted, file)
                    line += data.count(b"\n", 0, cut)

    def _at(self, file: IO[bytes], position: int) -> tuple[int, bytes]:
        """The line number there and what was read beyond; the head of a pipe has been read already."""
        line, rest = 1, self._head if self._pipe is not None else b""
        self._hash = hashlib.blake2b()
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

    def prefix_digest(self) -> str | None:
        return self._hash.hexdigest() if self._pipe is not None else None

    def _block(self, data: bytes, at: int, line: int, wanted: Wanted, file: IO[bytes]) -> Block:
        bad: list[Bad] = []
        parts = list(self._parsed(data, line, wanted, bad))
        rows = np.concatenate([p for p, _ in parts]) if parts else np.empty((0, len(self.names)))
        text = np.concatenate([t for _, t in parts if t is not None]) if parts and wanted.text is not None else None
        return Block(rows, text, at, self._done(file, at), tuple(bad))

    def _done(self, file: IO[bytes], at: int) -> float:
        if not self.size:
            return 0.0
        inner = getattr(file, "fileobj", None)
        return (inner.tell() if inner is not None else at) / self.size

    def _parsed(self, data: bytes, line: int, wanted: Wanted, bad: list[Bad]) -> Iterator[tuple[Array, Text | None]]:
        """What can be used of these lines, in order."""
        found = (_by_arrow if self.arrow else _by_numpy)(data, self.names, self.delimiter, wanted)
        if found is not None and bool(np.all(usable(found[0]))):
            if len(found[0]):
                yield found
            return
        lines = data.splitlines(keepends=True)
        if len(lines) > FEW:
            middle = len(lines) // 2
            yield from self._parsed(b"".join(lines[:middle]), line, wanted, bad)
            yield from self._parsed(b"".join(lines[middle:]), line + middle, wanted, bad)
            return
        for i, one in enumerate(lines):
            row = self._row(one, line + i, wanted, bad)
            if row is not None:
                yield row

    def _row(self, data: bytes, line: int, wanted: Wanted, bad: list[Bad]) -> tuple[Array, Text | None] | None:
        if not data.strip():
            return None
        fields = next(csv.reader([data.decode(errors="replace").strip("\r\n")], delimiter=self.delimiter), [])
        reason = self._reason(fields, wanted)
        if reason is None:
            numbers = [0.0 if i == wanted.text or i in wanted.drop else float(x) for i, x in enumerate(fields)]
            text = None if wanted.text is None else np.array([fields[wanted.text].strip()])
            return np.array([numbers]), text
        if not wanted.skip:
            raise refused(self.called(), Bad(f"line {line}", reason))
        bad.append(Bad(f"line {line}", reason))
        return None

    def _reason(self, fields: list[str], wanted: Wanted) -> str | None:
        if len(fields) != len(self.names):
            return f"{len(fields)} fields, expected {len(self.names)}"
        for i, (name, field) in enumerate(zip(self.names, fields, strict=True)):
            if i == wanted.text:
                if not field.strip():
                    return f"column {name!r} is empty"
            elif i not in wanted.drop and not (_is_number(field) and abs(float(field)) <= HUGE):
                return complaint(field, name)
        return None


def _is_number(field: str) -> bool:
    try:
        float(field)
    except ValueError:
        return False
    return "_" not in field


def has_arrow() -> bool:
    try:
        import pyarrow.csv  # noqa: F401 - asked for only
    except ImportError:
        return False
    return True


def _by_arrow(data: bytes, names: list[str], delimiter: str, wanted: Wanted) -> tuple[Array, Text | None] | None:
    import pyarrow
    from pyarrow import csv as arrow

    kinds = {name: pyarrow.float64() for name in names}
    for i in wanted.drop | ({wanted.text} if wanted.text is not None else set()):
        kinds[names[i]] = pyarrow.string()
    try:
        table = arrow.read_csv(
            pyarrow.BufferReader(data),
            read_options=arrow.ReadOptions(column_names=names, block_size=max(len(data), 1) + 1),
            parse_options=arrow.ParseOptions(delimiter=delimiter),
            convert_options=arrow.ConvertOptions(column_types=kinds, strings_can_be_null=False),
        )
    except pyarrow.ArrowInvalid as error:
        return (np.empty((0, len(names))), None) if "Empty CSV" in str(error) else None
    rows = np.zeros((len(table), len(names)))
    for i, name in enumerate(names):
        if i != wanted.text and i not in wanted.drop:
            rows[:, i] = table.column(name).to_numpy()
    if wanted.text is None:
        return rows, None
    text = np.char.strip(table.column(names[wanted.text]).to_numpy().astype(str))
    return (rows, text) if bool(np.all(np.char.str_len(text) > 0)) else None


def _by_numpy(data: bytes, names: list[str], delimiter: str, wanted: Wanted) -> tuple[Array, Text | None] | None:
    if wanted.drop or wanted.text is not None:
        return _with_text(data, names, delimiter, wanted)
    lines = [line for line in data.splitlines() if line.strip()]
    if not lines:
        return np.empty((0, len(names))), None
    try:
        rows = np.loadtxt(lines, delimiter=delimiter, ndmin=2, comments=None, quotechar='"')
    except ValueError:
        return None
    return (np.asarray(rows, dtype=np.float64), None) if rows.shape[1] == len(names) else None


def _with_text(data: bytes, names: list[str], delimiter: str, wanted: Wanted) -> tuple[Array, Text | None] | None:
    rows, text = [], []
    reader: Any = csv.reader(io.StringIO(data.decode(errors="replace")), delimiter=delimiter)
    for fields in reader:
        if not fields or (len(fields) == 1 and not fields[0].strip()):
            continue
        if len(fields) != len(names):
            return None
        try:
            rows.append([0.0 if i == wanted.text or i in wanted.drop else float(x) for i, x in enumerate(fields)])
        except ValueError:
            return None
        text.append(fields[wanted.text].strip() if wanted.text is not None else "")
    if not rows:
        return np.empty((0, len(names))), None
    if wanted.text is None:
        return np.array(rows), None
    return (np.array(rows), np.array(text)) if all(text) else None
