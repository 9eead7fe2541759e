"""The constants of the theorem, composed from the constants of the lemmas behind it.

With w the weight of tr(Sigma^-1 Q) in the noise, A the constant of the tail average, g what the fluctuation of the step
adds to it, c the noise of an outer step in units of alpha sigma^2/L_l and s the constant of the recursion over k, the
constant in front of alpha tr(H^-1 Q)/n is

    s c w A (1 + g).

Three columns about the algorithm as printed: as printed; what the paper's own argument gives once its slips are
repaired; what we prove. A fourth is about another algorithm, ours. All but the first are theorems without a link, and
their numbers are read from the claims that these theorems cite.
"""

from __future__ import annotations

from theory.papers.sada.composition.columns import Column, Constant, columns, implied, ours, printed, said, sharper
from theory.papers.sada.composition.waterfall import Drop, beyond, gain, to_json, waterfall

__all__ = [
    "Column", "Constant", "Drop", "beyond", "columns", "gain", "implied", "ours", "printed", "said", "sharper",
    "to_json", "waterfall",
]  # fmt: skip
