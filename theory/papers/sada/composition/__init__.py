"""The constants of the theorem, composed from the constants of the lemmas behind it.

Every number is read off the formula of the check that states it (`coefficient`): where one of these formulas changes,
so does the product. It is a product of constants that are proved lemma by lemma; the links between the lemmas
(theory/claims/links.py) are by hand, so that a lemma below a link can break without any number here moving.

With w the weight of tr(Sigma^-1 Q) in the noise, A the constant of L_var(Pi), g
the share of the layers from 1 on relative to layer 0, c the noise of an outer step in units of alpha sigma^2/L_l, a its
contraction and s the constant of the recursion, the constant in front of alpha tr(H^-1 Q)/n is

    s c w A (1 + g)/a^2.

Three columns: as printed; what the paper's own argument gives once its slips are repaired; with our sharper readings,
which speak of another algorithm (`ANOTHER_ALGORITHM`).
"""

from __future__ import annotations

from theory.papers.sada.composition.columns import (
    ANOTHER_ALGORITHM,
    Column,
    by_hand,
    columns,
    implied,
    printed,
    sharper,
)
from theory.papers.sada.composition.constants import Constant, coefficient, rounded_up
from theory.papers.sada.composition.waterfall import Drop, gain, to_json, waterfall

__all__ = [
    "ANOTHER_ALGORITHM",
    "Column",
    "Constant",
    "Drop",
    "by_hand",
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
