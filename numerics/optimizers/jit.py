"""The decorator of all kernels: compiled once, cached on disk, without the interpreter lock.

numba renews a cached function when its own file changes, not when a function that it calls changes in another file: an
edited loss would go on running as it was. The cache folder therefore carries a digest of all sources that kernels are
made of.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar, cast

import numba

HERE = Path(__file__).parent
SOURCES = (
    *sorted(HERE.glob("*_kernels.py")),
    HERE / "sada_driver.py",
    HERE / "simd.py",
    HERE.parent / "losses" / "kernels.py",
)
Function = TypeVar("Function", bound=Callable[..., Any])


def digest_of(sources: tuple[Path, ...]) -> str:
    """Sixteen digits that change with any byte of the sources."""
    return hashlib.sha256(b"\0".join(source.read_bytes() for source in sources)).hexdigest()[:16]


DIGEST = digest_of(SOURCES)


@contextmanager
def _cache_folder() -> Iterator[None]:
    before = numba.config.CACHE_DIR
    numba.config.CACHE_DIR = str(Path(before or HERE / "__pycache__") / f"kernels-{DIGEST}")
    try:
        yield
    finally:
        numba.config.CACHE_DIR = before


def kernel(function: Function) -> Function:
    """njit with that cache; typed, because numba's decorator is not."""
    with _cache_folder():
        return cast(Function, numba.njit(cache=True, nogil=True, error_model="numpy")(function))
