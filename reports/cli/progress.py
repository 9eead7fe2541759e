"""How far a command has come: one line on stderr that appears after a second, on a terminal only."""

from __future__ import annotations

import contextlib
import os
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

DELAY, EVERY, WIDTH = 1.0, 0.25, 20
Advance = Callable[..., None]  # done, total, what
T = TypeVar("T")
R = TypeVar("R")


@dataclass
class Bar:
    """What is done of how much, and since when. A thread draws it, so that long steps show the time that they take."""

    words: str
    done: int = 0
    total: int = 0
    what: str = ""
    started: float = field(default_factory=time.monotonic)

    def __call__(self, done: int, total: int, what: object = "") -> None:
        self.done, self.total, self.what = done, total, str(getattr(what, "key", what))

    def line(self, now: float, columns: int = 80) -> str:
        spent = now - self.started
        if not self.total:
            return f"{self.words}, {spent:.0f} s"[: columns - 1]
        full = WIDTH * self.done // self.total
        left = f", {spent / self.done * (self.total - self.done):.0f} s left" if self.done else ""
        head = f"{self.words} [{'#' * full:{WIDTH}}] {self.done}/{self.total}, {spent:.0f} s{left}"
        return f"{head}  {self.what}"[: columns - 1].rstrip()


@contextlib.contextmanager
def bar(words: str) -> Iterator[Advance]:
    """`advance(done, total, what)` moves it; where nobody watches it draws nothing."""
    shown = Bar(words)
    if not sys.stderr.isatty():
        yield shown
        return
    over = threading.Event()
    drawer = threading.Thread(target=_draw, args=(shown, over), daemon=True)
    drawer.start()
    try:
        yield shown
    finally:
        over.set()
        drawer.join()


def each(words: str, todo: Sequence[T], work: Callable[[T], R], told: Callable[[T], str]) -> tuple[list[R], bool]:
    """What was made of each, one after the other, and whether somebody has had enough: what is done is kept."""
    found: list[R] = []
    with bar(words) as advance:
        try:
            for one in todo:
                advance(len(found), len(todo), told(one))
                found.append(work(one))
        except KeyboardInterrupt:
            return found, True
    return found, False


def _draw(shown: Bar, over: threading.Event) -> None:
    if over.wait(DELAY):
        return
    while True:
        columns = os.get_terminal_size(sys.stderr.fileno()).columns if sys.stderr.isatty() else 80
        sys.stderr.write(f"\r\x1b[K{shown.line(time.monotonic(), columns or 80)}")
        sys.stderr.flush()
        if over.wait(EVERY):
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()
            return
