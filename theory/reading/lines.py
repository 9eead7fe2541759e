"""Lines of a paper in several files: one number for each, so that no two are the same, shown with the file.

A line of the main file is a plain number; one of another file is a `Line`, a number behind all lines of those before.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

SPAN = 1_000_000  # more lines than a file has


class Line(int):
    """A line of a file that the paper includes."""

    file: str

    def __new__(cls, number: int, file: str) -> Line:
        made = super().__new__(cls, number)
        made.file = file
        return made

    @property
    def here(self) -> int:
        """The number within its own file."""
        return int(self) % SPAN

    def __str__(self) -> str:
        return f"{self.file}:{self.here}"

    def __format__(self, spec: str) -> str:
        return format(str(self), spec)

    def __add__(self, lines: int) -> Line:
        return Line(int(self) + lines, self.file)

    def __reduce__(self) -> tuple[type[Line], tuple[int, str]]:
        return Line, (int(self), self.file)


def located(file: str, number: int, files: Iterable[str]) -> int:
    """The line of this file, `files` being all that the main file includes; "" and others are the main one."""
    position = {name: at for at, name in enumerate(files, start=1)}.get(file, 0)
    return Line(position * SPAN + number, file) if position else number


def beside(line: int, number: int) -> int:
    """The line with this number in the file of another line."""
    return line + (number - line.here) if isinstance(line, Line) else number


def shown(line: int, file: str) -> str:
    """file:line, `file` being the main one."""
    return str(line) if isinstance(line, Line) else f"{file}:{line}"


def span(first: int, last: int, to: str = "-") -> str:
    """line 7, lines 7-9, lines part.tex:7-9."""
    if first == last:
        return f"line {first}"
    one_file = isinstance(first, Line) and isinstance(last, Line) and first.file == last.file
    return f"lines {first}{to}{last.here if one_file and isinstance(last, Line) else last}"


def told(body: Any) -> Any:
    """For JSON: lines of included files as file:line."""
    if isinstance(body, Line):
        return str(body)
    if isinstance(body, dict):
        return {key: told(value) for key, value in body.items()}
    return [told(value) for value in body] if isinstance(body, list | tuple) else body
