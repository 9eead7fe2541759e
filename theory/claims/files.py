"""The files of a project: what cannot be read is refused with its name and the reason."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from theory.claims.cache import tables


class ProjectError(Exception):
    """There is no such project, or a file of it is not what it should be. The message names file and remedy."""


@contextmanager
def reading(path: Path, remedy: str = "mend it and run again") -> Iterator[None]:
    """What goes wrong in here goes wrong because of what stands in this file."""
    try:
        yield
    except OSError as error:
        raise ProjectError(f"{path} cannot be read ({error.strerror}); {remedy}") from None
    except (ValueError, LookupError, TypeError, AttributeError) as error:
        what = f"{type(error).__name__}: {error}" if not isinstance(error, ValueError) else str(error)
        raise ProjectError(f"{path} cannot be read ({what}); {remedy}") from None


def toml_of(path: Path) -> dict[str, Any]:
    """The tables of a TOML file."""
    with reading(path):
        return tables(path)
