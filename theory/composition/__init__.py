"""The constants of the theorem, composed from the constants of the lemmas behind it.

Nothing is typed here twice: every number is read off the formula of the check that states it (`coefficient`), so that a
lemma that changes changes the theorem. With w the weight of tr(Sigma^-1 Q) in the noise, A the constant of L_var(Pi), g
the share of the layers from 1 on relative to layer 0, c the noise of an outer step in units of alpha sigma^2/L_l, a its
contraction and s the constant of the recursion, the constant in front of alpha tr(H^-1 Q)/n is

    s c w A (1 + g)/a^2.

Three columns: as printed; what the paper's own argument gives once its slips are repaired; with our sharper readings.
"""

from __future__ import annotations

from theory.composition.columns import Column, columns, implied, printed, sharper
from theory.composition.constants import Constant, coefficient, rounded_up
from theory.composition.waterfall import Drop, gain, to_json, waterfall

__all__ = [
    "Column",
    "Constant",
    "Drop",
    "coefficient",
    "columns",
    "gain",
    "implied",
    "printed",
    "rounded_up",
    "sharper",
    "to_json",
    "waterfall",
]
