"""Files that are whole or absent: strict JSON in, atomic writes out, one writer at a time."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any


class LedgerError(Exception):
    """A ledger that cannot be read, or that is not one. The message names the file and the remedy."""


def dumps(value: Any) -> str:
    """How proofs are written: the same data, the same bytes."""
    return json.dumps(value, sort_keys=True, indent=1, ensure_ascii=False, allow_nan=False) + "\n"


def by_lines(value: dict[str, Any], rows: str) -> str:
    """A line for each part and for each entry of `rows`: quick to write, fit to compare."""
    plain = partial(json.dumps, sort_keys=True, ensure_ascii=False, allow_nan=False)
    lists = {rows: "[\n" + ",\n".join(map(plain, value[rows])) + "\n]"}
    parts = (f"{plain(name)}: {lists.get(name) or plain(value[name])}" for name in sorted(value))
    return "{\n" + ",\n".join(parts) + "\n}\n"


def canonical(value: Any) -> bytes:
    """What seals are taken of."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=True, allow_nan=False).encode()


def read_json(path: Path) -> Any:
    """Strict JSON: no repeated key, no NaN; a clear word about everything that can be wrong with a file."""
    try:
        source = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise LedgerError(f"{path} does not exist; write it with `lemmalab check --ledger {path}`") from None
    except (OSError, UnicodeDecodeError) as error:
        raise LedgerError(f"{path} cannot be read ({error}); give the path of a ledger.json") from None
    if not source.strip():
        raise LedgerError(f"{path} is empty; write it again with `lemmalab check --fresh --ledger {path}`")
    try:
        return json.loads(source, object_pairs_hook=_no_repeats, parse_constant=_no_constant)
    except json.JSONDecodeError as error:
        kind = "truncated" if error.pos >= len(source.rstrip()) - 1 or "Unterminated" in error.msg else "malformed"
        raise LedgerError(
            f"{path} is {kind} JSON (line {error.lineno}, column {error.colno}: {error.msg}); "
            f"write it again with `lemmalab check --fresh --ledger {path}`"
        ) from None
    except (ValueError, RecursionError) as error:
        raise LedgerError(f"{path} is malformed: {error}; write it again with `lemmalab check --fresh`") from None


def _no_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        names = [name for name, _ in pairs]
        raise ValueError(f"the key {next(n for n in names if names.count(n) > 1)!r} stands twice in one object")
    return found


def _no_constant(name: str) -> Any:
    raise ValueError(f"{name} is not a number of JSON")


def write_atomically(path: Path, text: str) -> None:
    """The old file stays until the new one is whole and on disk; an `OSError` names the file, also on a full disk."""
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        _replace(path, text)
    except OSError as error:
        if error.errno is None:
            raise
        raise OSError(error.errno, error.strerror, str(path)) from error


def _replace(path: Path, text: str) -> None:
    import tempfile

    handle, temporary = tempfile.mkstemp(prefix=f".{path.name}.", suffix=".tmp", dir=path.parent)
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as out:
            out.write(text)
            out.flush()
            os.fsync(out.fileno())
        os.chmod(temporary, 0o666 & ~_umask())
        os.replace(temporary, path)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(temporary)
        raise


def _umask() -> int:
    current = os.umask(0o022)
    os.umask(current)
    return current


@contextlib.contextmanager
def locked(path: Path) -> Iterator[None]:
    """One process at a time: the others wait. The lock is the system's, so that a killed holder leaves none behind."""
    import tempfile

    name = hashlib.sha256(str(path.resolve()).encode()).hexdigest()[:24]
    owner = getattr(os, "getuid", lambda: "user")()
    with open(Path(tempfile.gettempdir()) / f"lemmalab-{owner}-{name}.lock", "a+b") as handle:
        _acquire(handle)
        try:
            yield
        finally:
            _release(handle)


def _acquire(handle: Any) -> None:
    if sys.platform == "win32":
        import msvcrt

        handle.seek(0)
        msvcrt.locking(handle.fileno(), msvcrt.LK_LOCK, 1)
    else:
        import fcntl

        fcntl.flock(handle, fcntl.LOCK_EX)


def _release(handle: Any) -> None:
    if sys.platform == "win32":
        import msvcrt

        handle.seek(0)
        msvcrt.locking(handle.fileno(), msvcrt.LK_UNLCK, 1)
    else:
        import fcntl

        fcntl.flock(handle, fcntl.LOCK_UN)
