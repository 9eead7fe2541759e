"""The empirical distribution of a user's data matrix: each row an atom, all rows equally likely."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .finite import FiniteSupport
from .tables import Table, read_table


@dataclass(frozen=True, eq=False, repr=False)
class Empirical(FiniteSupport):
    """`Empirical(data)` with data of shape (n, d), or `Empirical.from_file(path)`."""

    if TYPE_CHECKING:  # accepts anything that converts; the dataclass would ask for arrays

        def __init__(self, atoms: Any, weights: Any = None) -> None: ...

    @classmethod
    def from_table(cls, table: Table) -> Empirical:
        return cls(table.values)

    @classmethod
    def from_file(
        cls,
        path: str | Path,
        *,
        columns: Sequence[str] | None = None,
        drop: Sequence[str] = (),
        key: str | None = None,
    ) -> Empirical:
        """From CSV, .npy, .npz (array `key`) or Parquet; `columns` selects features, `drop` removes some."""
        table = read_table(path, key=key)
        for name in drop:
            table = table.split(name)[0]
        return cls.from_table(table if columns is None else table.select(columns))
