"""Checkpoint files: one npz without pickle, written at once or not at all, with a digest of all it contains.

A file holds named arrays and a JSON text. It is written beside its target, forced to disk and renamed over it: a kill
at any moment leaves the old file or the new one. What the arrays mean is not known here; `optimizers.codec` knows.
"""

from __future__ import annotations

import hashlib
import io
import json
import os
import tempfile
import zipfile
import zlib
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from numerics.errors import CheckpointError

VERSION = 1
Arrays = dict[str, NDArray[Any]]


def save(path: Path, text: dict[str, Any], arrays: Arrays) -> None:
    """Write the checkpoint: the file at `path` is the old one until it is the new one."""
    content: Arrays = dict(arrays)
    content["json"] = np.frombuffer(json.dumps({"version": VERSION, **text}).encode(), dtype=np.uint8)
    content["sha256"] = np.frombuffer(_digest(content), dtype=np.uint8)
    buffer = io.BytesIO()
    np.savez(buffer, allow_pickle=False, **content)
    replace_file(path, buffer.getvalue())


def replace_file(path: Path, content: bytes) -> None:
    """Write beside the target, force to disk, rename over it."""
    try:
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=".part")
    except OSError as error:
        raise CheckpointError(f"{path}: cannot be written ({error}); choose a folder that exists") from None
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.replace(name, path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


def _digest(arrays: Arrays) -> bytes:
    """Over names, types, shapes and bytes of all arrays except the digest itself."""
    digest = hashlib.sha256()
    for name in sorted(arrays):
        if name != "sha256":
            array = np.ascontiguousarray(arrays[name])
            digest.update(f"{name}|{array.dtype.str}|{array.shape}|".encode())
            digest.update(array.tobytes())
    return digest.digest()


def load(path: Path) -> tuple[dict[str, Any], Arrays]:
    """Text and arrays of a checkpoint; refused when it is damaged, altered or of another version."""
    arrays = _read(path)
    text: dict[str, Any] = json.loads(arrays.pop("json").tobytes())
    if text["version"] != VERSION:
        raise CheckpointError(f"{path}: has version {text['version']}, this program reads {VERSION}; start a new run")
    return text, arrays


def _read(path: Path) -> Arrays:
    try:
        with np.load(path, allow_pickle=False) as archive:
            arrays: Arrays = {name: archive[name] for name in archive.files}
    except FileNotFoundError:
        raise CheckpointError(f"{path}: no such checkpoint; check the name or start a new run") from None
    except (OSError, ValueError, EOFError, KeyError, zipfile.BadZipFile, zlib.error) as error:
        raise CheckpointError(
            f"{path}: is truncated or not a checkpoint ({error}); use an older copy or start the run again"
        ) from None
    if not {"json", "sha256"} <= arrays.keys():
        raise CheckpointError(f"{path}: is not a checkpoint (arrays {sorted(arrays)}); check the name")
    if arrays["sha256"].tobytes() != _digest(arrays):
        raise CheckpointError(f"{path}: its content does not match its digest; it was altered or damaged: start again")
    return arrays
