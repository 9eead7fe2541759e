"""Results as JSON lines, appended as they arrive: one line a cell, each with a digest of its content.

A line is written with one system call and forced to disk; a kill leaves at most one torn line at the end, which is cut
off when the store is opened again. A line that is damaged elsewhere is reported, and its cell is computed again. One
process writes at a time.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from .cells import Record
from .errors import StoreError


@dataclass(frozen=True)
class Contents:
    """The last record of every key; `damaged` are the numbers of lines that cannot be believed."""

    records: dict[str, Record]
    damaged: tuple[int, ...]
    sound: int  # bytes up to the end of the last whole line


def encode(record: Record) -> bytes:
    """One line."""
    body = json.dumps(record, sort_keys=True, ensure_ascii=True, allow_nan=False)
    return f'{{"record": {body}, "sha256": "{_digest(body)}"}}\n'.encode()


def _digest(body: str) -> str:
    return hashlib.sha256(body.encode()).hexdigest()[:16]


def _decode(line: bytes) -> Record | None:
    try:
        outer = json.loads(line)
        record = outer["record"]
        body = json.dumps(record, sort_keys=True, ensure_ascii=True, allow_nan=False)
        good = outer["sha256"] == _digest(body) and isinstance(record["key"], str)
    except (ValueError, KeyError, TypeError):
        return None
    return record if good else None


def read(path: Path) -> Contents:
    """What the store holds; a store that does not exist holds nothing."""
    try:
        content = path.read_bytes()
    except FileNotFoundError:
        return Contents({}, (), 0)
    except OSError as error:
        raise StoreError(f"{path}: cannot be read ({error.strerror}); give another --store") from None
    sound = content.rfind(b"\n") + 1
    records: dict[str, Record] = {}
    damaged = []
    for number, line in enumerate(content[:sound].splitlines(), start=1):
        record = _decode(line)
        if record is None:
            damaged.append(number)
        else:
            records[record["key"]] = record
    if damaged and not records:
        raise StoreError(f"{path}: is not a store of results (line {damaged[0]} is none); give another --store")
    return Contents(records, tuple(damaged), sound)


@dataclass(frozen=True)
class Writer:
    """An open store."""

    path: Path
    handle: int

    def append(self, records: Iterable[Record]) -> None:
        """All of them or, when the disk is full, none."""
        lines = b"".join(encode(record) for record in records)
        before = os.fstat(self.handle).st_size
        try:
            written = os.write(self.handle, lines)
            if written < len(lines):
                raise OSError(28, "No space left on device")
            os.fsync(self.handle)
        except OSError as error:
            os.ftruncate(self.handle, before)
            raise StoreError(
                f"{self.path}: cannot be written ({error.strerror}); make room and run again, earlier results are kept"
            ) from None


@contextmanager
def writing(path: Path) -> Iterator[Writer]:
    """The store, locked, its torn last line cut off."""
    try:
        handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o644)
    except OSError as error:
        raise StoreError(f"{path}: cannot be written ({error.strerror}); give another --store") from None
    try:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise StoreError(f"{path}: another sweep is writing to it; wait for it or give another --store") from None
        sound = read(path).sound
        if sound < os.fstat(handle).st_size:
            os.ftruncate(handle, sound)
        try:
            yield Writer(path, handle)
        finally:
            if os.fstat(handle).st_size == 0:  # nothing came of it: leave no empty file behind
                path.unlink(missing_ok=True)
    finally:
        os.close(handle)
