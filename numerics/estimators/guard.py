r"""Beside every output runs the best constant, and whether it would have predicted fresh rows better.

A page that nothing has been trained on is predicted by what the learner stands for before it sees the page, and by the
constant. The differences of their losses are added up, older ones count less: after n rows those of the last n/4 or so
decide. Where the constant is ahead by more than chance, without the two worst pages (a jump spoils the page it falls
into and may spoil the next; what is learnt recovers), it takes the place of what was learnt. So predictions are no
worse than none where tails are too heavy for any coefficient, or columns outgrow each before it is learnt.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from numerics.designs.checks import Array

from .track import View

MEMORY = 4.0  # after n rows, what was seen n/MEMORY rows ago counts e times less
FORGIVEN = 2  # pages
DOUBT = 0.5  # standard errors


@dataclass(frozen=True, eq=False)
class Guard:
    """The constant with what it was learnt from, the rows so far, and the sums of fresh differences and of their
    squares, over all pages and for each of the worst."""

    constant: Array
    mass: Array
    rows: float
    intercept: bool
    sums: tuple[float, float] = (0.0, 0.0)
    worst: tuple[tuple[float, float], ...] = FORGIVEN * ((0.0, 0.0),)

    @classmethod
    def of(cls, page: View, intercept: bool) -> Guard:
        return cls(*page.first_constant(), float(len(page.w)), intercept)

    def after(self, page: View, raw: Array) -> Guard:
        """With this page, which the predictor `raw` has not seen."""
        judged, rows = self.judged(page, raw), self.rows + len(page.w)
        constant, mass = page.next_constant(self.constant, self.mass)
        return replace(judged, constant=constant, mass=mass, rows=rows)

    def judged(self, page: View, raw: Array) -> Guard:
        """With the differences of the losses on this page, but the constant of before."""
        gap = page.losses(raw) - page.losses(self.predictor(raw))
        gap = np.where(np.isfinite(gap), gap, np.finfo(float).max ** 0.25)
        keep = math.exp(-MEMORY * len(gap) / (self.rows + len(gap)))
        here = float(gap.sum()), float(gap @ gap)
        old, *worst = [(keep * one, keep**2 * two) for one, two in (self.sums, *self.worst)]
        sums = old[0] + here[0], old[1] + here[1]
        return replace(self, sums=sums, worst=tuple(sorted([*worst, here])[1:]))

    @property
    def vetoes(self) -> bool:
        """Whether the constant was better beyond half a standard error, the worst pages left out."""
        excess = self.sums[0] - sum(one for one, _ in self.worst)
        squares = self.sums[1] - sum(two for _, two in self.worst)
        return excess > DOUBT * math.sqrt(max(squares, 0.0))

    def predictor(self, raw: Array) -> Array:
        """The constant in the place of `raw`: of its shape, without an intercept zero."""
        out = np.zeros_like(raw)
        if self.intercept:
            out[..., -1] = self.constant
        return out
