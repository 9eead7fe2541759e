"""A look at the order of labelled rows: a page of one class that nobody expected says that they are sorted."""

from __future__ import annotations

import warnings

import numpy as np

from numerics.designs.checks import Array

from .joint import probabilities

UNLIKELY = 8.0  # standard deviations


class SortedRowsWarning(UserWarning):
    """Rows come sorted by their class, and are learnt badly so."""


def warn_if_sorted(x: Array, y: Array, raw: Array) -> None:
    """Warn where all rows x have one class (y is 1 at it, -1 elsewhere) against what the coefficients `raw` predict."""
    own = np.append(y[0] < 0, y[0] > 0) if y.shape[1] == 1 else y[0] > 0
    if not np.all(y == y[0]):
        return
    p = probabilities(x @ raw[:, :-1].T + raw[:, -1])[:, own]
    if np.sum(1 - p) > UNLIKELY * np.sqrt(np.sum(p * (1 - p)) + 1):
        warnings.warn(
            "a whole page of rows has one class, against what the rows before it say: they seem to be sorted by class, "
            "and are learnt badly so; shuffle them first (`shuf` for a file, shuffle=True of `fit`)",
            SortedRowsWarning,
            stacklevel=2,
        )
