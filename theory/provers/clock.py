"""How long one lemma may keep the provers busy, in processor time: past it every search for a proof finds nothing."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_end: ContextVar[float] = ContextVar("end", default=math.inf)


@contextmanager
def limited(seconds: float) -> Iterator[None]:
    """Within this block the provers stop after so many seconds of this process."""
    token = _end.set(min(_end.get(), time.process_time() + seconds))
    try:
        yield
    finally:
        _end.reset(token)


def is_over() -> bool:
    return time.process_time() >= _end.get()
