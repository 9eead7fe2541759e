r"""Lines of a CSV to numbers and the places of one text column, in compiled code; what is unusual is left to Python.

Numbers and text may be quoted and have blanks around them. A line is *odd* when it has another number of fields, a
field that is no plain decimal number of at most HUGE in size, an empty or very long text, or quotes within quotes.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from numerics.designs.checks import Array

from .decimals import TENS, compiled, rounded
from .source import HUGE, LONGEST_TEXT, Text

Bytes = NDArray[np.uint8]
Places = NDArray[np.int64]
NUMBER, TEXT, DROPPED = 0, 1, 2
NEWLINE, RETURN, SPACE, TAB, QUOTE, PLUS, MINUS, POINT, ZERO = (ord(c) for c in '\n\r \t"+-.0')
_DIGITS = 18  # of a number below 2^63
_EXACT = 2**53


@dataclass(frozen=True, eq=False)
class Lines:
    """Rows (n, columns), the text of one column where it is wanted, and of the odd rows (index, start, end)."""

    rows: Array
    text: Text | None
    odd: Places


def read_lines(data: bytes, separator: str, columns: int, text: int | None, dropped: frozenset[int]) -> Lines:
    """All lines that are not blank; rows of odd lines hold nan."""
    data = data if data.endswith(b"\n") else data + b"\n"
    raw, most = np.frombuffer(data, dtype=np.uint8), data.count(b"\n")
    kinds = np.zeros(columns, dtype=np.int64)
    kinds[list(dropped)] = DROPPED
    if text is not None:
        kinds[text] = TEXT
    rows, spans, odd = np.zeros((most, columns)), np.zeros((most, 2), np.int64), np.zeros((most, 3), np.int64)
    count, strange = _read(raw, ord(separator), kinds, rows, spans, odd)
    words = None if text is None else _words(raw, spans[:count])
    return Lines(rows[:count], words, odd[:strange])


def _words(raw: Bytes, spans: Places) -> Text:
    """The text between these places."""
    width = int(np.max(spans[:, 1] - spans[:, 0], initial=1))
    out = np.zeros((len(spans), width), dtype=np.uint8)
    _copy(raw, spans, out)
    found = out.view(f"S{width}")[:, 0]
    try:
        return np.asarray(found.astype(str))
    except UnicodeDecodeError:
        return np.char.decode(found, "utf-8", errors="replace")


@compiled
def _copy(data: Bytes, spans: Places, out: Bytes) -> None:
    for i in range(len(spans)):
        for k in range(spans[i, 0], spans[i, 1]):
            out[i, k - spans[i, 0]] = data[k]


@compiled
def _read(data: Bytes, separator: int, kinds: Places, rows: Array, spans: Places, odd: Places) -> tuple[int, int]:
    """The number of rows, and of odd ones; `data` ends with a newline."""
    i, count, strange, last = 0, 0, 0, len(kinds) - 1
    while i < len(data):
        start = i
        while data[i] == SPACE or data[i] == TAB or data[i] == RETURN:
            i += 1
        if data[i] == NEWLINE:
            i += 1
            continue
        i = start
        for column in range(len(kinds)):
            end, first = separator if column < last else NEWLINE, i
            if kinds[column] == NUMBER:  # most often digits with a point: a call would cost more than they do
                negative = data[i] == MINUS
                i += negative
                begin, m, digit = i, np.int64(0), np.int64(data[i]) - ZERO
                while 0 <= digit <= 9:
                    m, i = 10 * m + digit, i + 1
                    digit = np.int64(data[i]) - ZERO
                power, dot = 0, data[i] == POINT
                if dot:
                    i += 1
                    point, digit = i, np.int64(data[i]) - ZERO
                    while 0 <= digit <= 9:
                        m, i = 10 * m + digit, i + 1
                        digit = np.int64(data[i]) - ZERO
                    power = point - i
                if data[i] == end and 0 < i - begin - dot <= _DIGITS:
                    value = _value(m, power, False)
                    if value <= HUGE:
                        rows[count, column] = -value if negative else value
                        i += 1
                        continue
                i = first
            i = _field(data, i, separator, end, kinds[column], rows, spans, count, column)
            if i == 0:
                break
        if i == 0:
            i = start
            while data[i] != NEWLINE:
                i += 1
            i += 1
            odd[strange, 0], odd[strange, 1], odd[strange, 2] = count, start, i
            strange += 1
        count += 1
    return count, strange


@compiled
def _field(
    data: Bytes, i: int, separator: int, end: int, kind: int, rows: Array, spans: Places, row: int, column: int
) -> int:
    """Where the next field begins; 0 where this one is odd."""
    i = _past_blanks(data, i, separator)
    quoted = data[i] == QUOTE
    if quoted:
        i += 1
    if kind == NUMBER:
        i = _number(data, _past_blanks(data, i, separator) if quoted else i, rows, row, column)
        if i == 0:
            return 0
        i = _past_blanks(data, i, separator) if quoted else i
    else:
        first = i
        while data[i] != NEWLINE and data[i] != QUOTE and (quoted or data[i] != separator):
            i += 1
        stop = i
        while stop > first and (data[stop - 1] == SPACE or data[stop - 1] == TAB or data[stop - 1] == RETURN):
            stop -= 1
        while first < stop and (data[first] == SPACE or data[first] == TAB):
            first += 1
        if kind == TEXT:
            if not 0 < stop - first <= LONGEST_TEXT:
                return 0
            spans[row, 0], spans[row, 1] = first, stop
    if quoted:
        if data[i] != QUOTE:
            return 0
        i += 1
    i = _past_blanks(data, i, separator)
    return i + 1 if data[i] == end else 0


@compiled
def _past_blanks(data: Bytes, i: int, separator: int) -> int:
    while (data[i] == SPACE or data[i] == TAB or data[i] == RETURN) and data[i] != separator:
        i += 1
    return i


@compiled
def _number(data: Bytes, i: int, rows: Array, row: int, column: int) -> int:
    """Where the number ends; 0 where there is none, or none that is plain."""
    negative = data[i] == MINUS
    if negative or data[i] == PLUS:
        i += 1
    first, point = i, -1
    while ZERO <= data[i] <= ZERO + 9 or (data[i] == POINT and point < 0):
        point = i if data[i] == POINT else point
        i += 1
    if i - first - (point >= 0) == 0:
        return 0
    m, power, cut = _leading(data, first, i)
    if point >= 0:
        power -= i - point - 1
    if data[i] | 32 == 101:  # e, E
        i, exponent = _exponent(data, i + 1)
        if i == 0:
            return 0
        power += exponent
    value = _value(m, power, cut)
    if not value <= HUGE:
        return 0
    rows[row, column] = -value if negative else value
    return i


@compiled
def _leading(data: Bytes, first: int, end: int) -> tuple[Any, int, bool]:
    """The first 18 digits that count, the number of those after them, and whether one of these is not 0."""
    m, kept, dropped, cut = np.int64(0), 0, 0, False
    for k in range(first, end):
        if data[k] == POINT:
            continue
        if kept == _DIGITS:
            dropped += 1
            cut = cut or data[k] != ZERO
        else:
            m = 10 * m + data[k] - ZERO
            kept += kept > 0 or data[k] != ZERO
    return m, dropped, cut


@compiled
def _exponent(data: Bytes, i: int) -> tuple[int, int]:
    """Where it ends (0: nowhere), and its value."""
    negative = data[i] == MINUS
    if negative or data[i] == PLUS:
        i += 1
    first, value = i, 0
    while ZERO <= data[i] <= ZERO + 9:
        value = min(10 * value + data[i] - ZERO, 9999)
        i += 1
    return (i if i > first else 0), (-value if negative else value)


@compiled
def _value(m: Any, power: int, cut: bool) -> float:
    """The double nearest to m 10^power (`cut`: to all that lies up to (m + 1) 10^power); nan where this cannot tell."""
    if m == 0:
        return 0.0
    if m < _EXACT and -22 <= power <= 22 and not cut:
        return float(m / TENS[-power] if power < 0 else m * TENS[power])
    value = rounded(np.uint64(m), power)
    return value if not cut or rounded(np.uint64(m + 1), power) == value else np.nan
