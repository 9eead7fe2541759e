"""How many threads linear algebra may use."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def one_thread() -> Iterator[None]:
    """BLAS held to one thread where threadpoolctl is installed (scikit-learn brings it): for matrices of few columns
    more of them cost time, and the last digits of a product depend on their number."""
    try:
        from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]  # it has no stubs
    except ImportError:
        yield
        return
    with threadpool_limits(limits=1):
        yield
