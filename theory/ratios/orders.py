"""The ratio of an order of matrices: how far the smaller one would have to be stretched to touch the larger one."""

from __future__ import annotations

from typing import Any

import numpy as np

from theory.kernel.evaluate import Mat
from theory.kernel.instances import is_nonnegative
from theory.kernel.rings import to_fraction
from theory.ratios.sides import AT_ONE
from theory.search.floats import Array

ORDERS = ("<<", ">>")
SOUND = 1e-10  # the smaller matrix of eigenvalues: what is flatter than this has no digits


def order_quotient(op: str, left: Any, right: Any) -> float | None:
    """Of `L << R` the largest eigenvalue of L in units of R: at most 1 where the order holds.

    It says something where R is positive definite and L is not zero; elsewhere it is None. Eigenvalues are floats;
    whether they pass 1 is decided exactly.
    """
    from scipy.linalg import eigh

    low, high = (_array(side) for side in ((left, right) if op == "<<" else (right, left)))
    if low.shape != high.shape or not np.isfinite([low, high]).all() or not low.any():
        return None
    weights = np.linalg.eigvalsh(high)
    if weights[0] <= SOUND * weights[-1]:
        return None
    found = float(eigh(low, high, eigvals_only=True)[-1])
    held = found > 1 and is_nonnegative(*((left, right) if op == "<<" else (right, left)))
    return 1.0 if held or abs(found - 1) < AT_ONE else found


def _array(value: Any) -> Array:
    rows = value.rows if isinstance(value, Mat) else ((value,),)
    return np.array([[float(to_fraction(x)) for x in row] for row in rows], dtype=np.float64)
