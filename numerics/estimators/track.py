r"""One output of a learner: the best predictor so far and the stage of SADA that runs from it.

A stage is anchored at y~ and runs the inner loop on the rows  sqrt(w c) a  with constant terms  sqrt(w/c) l'(a.y~, b):
its gradient is  w (l'(a.y~, b) + c a.(x - y~)) a.  With c = L_l this is the paper's inner problem, with c = l'' at
(a.y~, b) the second phase that its section on high-order smoothness leaves open. Here c is nine parts of l'' and one of
its average, so that no row is without weight.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Literal, Self

import numpy as np

from numerics.designs.checks import Array
from numerics.errors import DivergenceError
from numerics.losses import Loss, Squared
from numerics.optimizers import ProblemInfo

from .constants import condition_of_loss, constants
from .counts import reached
from .frame import Frame
from .inner import Inner
from .kernels import scaled_rows
from .score import best_constant

Lean = Literal["both", "output", "best"]
CAUTION, MOST_CAUTION = 4.0, 4.0**12
LARGER = 4.0  # times E|a|^4/E|a|^2 of the page that gave R^2: it was wrong
MOST = 0.75  # of the rows of a page
FAR = 10.0  # times the size of the losses of no prediction at all
BLEND = 0.1  # of the average of l'' in c


@dataclass(frozen=True, eq=False)
class Plan:
    """Constants of an inner problem from the first few rows of a page, E|a|^4/E|a|^2 of the page and of these rows,
    the average of l'' (a matrix for several classes) and alpha."""

    info: ProblemInfo
    whole: float
    part: float
    curvature: Array
    alpha: float


@dataclass(frozen=True, eq=False)
class View:
    """A page as one output sees it: raw rows x, the same in the frame, labels and weights."""

    loss: Loss
    x: Array
    rows: Array
    b: Array
    w: Array

    def losses(self, raw: Array) -> Array:
        """Of the predictor with these raw coefficients and intercept, row by row."""
        return np.asarray(self.w * self.loss.value(reached(self.loss, self.x @ raw[:-1] + raw[-1]), self.b))

    def at(self, inside: Array) -> Array:
        """Losses without weights of a predictor in the frame."""
        return self.loss.value(reached(self.loss, self.rows @ inside), self.b)

    def first(self, few: int) -> Self:
        """The first rows alone."""
        return replace(self, x=self.x[:few], rows=self.rows[:few], b=self.b[:few], w=self.w[:few])

    def first_constant(self) -> tuple[Array, Array]:
        """The best prediction that is the same for all rows, and the sum of l'' there."""
        found = np.array(best_constant(self.loss, self.b, self.w))
        return found, np.array(self.w @ self.loss.d2(np.full(len(self.b), found), self.b))

    def next_constant(self, before: Array, mass: Array) -> tuple[Array, Array]:
        """One Newton step with these rows; the mean of all rows for least squares."""
        z = np.full(len(self.b), before)
        mass = mass + self.w @ self.loss.d2(z, self.b)
        return before - self.w @ self.loss.d1(z, self.b) / np.maximum(mass, 1e-300), mass

    def problem(self, anchor: Array, curvature: Array) -> tuple[tuple[Array, ...], float]:
        """The least squares that the inner loop solves (rows and constant terms), and E|a|^4/E|a|^2."""
        z = self.rows @ anchor
        root = np.sqrt(self.w * (BLEND * curvature + (1 - BLEND) * self.loss.d2(z, self.b)))
        a, size = scaled_rows(self.rows, root)
        return (a, self.w * self.loss.d1(z, self.b) / root), size

    def planned(self, anchor: Array, few: int) -> Plan:
        """What a stage from this anchor has to know."""
        d2 = self.loss.d2(self.rows @ anchor, self.b)
        curvature = np.array(max(float(self.w @ d2 / self.w.sum()), 1e-12 * self.loss.L))
        (a, _), whole = self.problem(anchor, curvature)
        _, part = scaled_rows(a[:few], np.ones(len(a[:few])))
        alpha = 1.0 if isinstance(self.loss, Squared) else condition_of_loss(self.rows[:few], d2[:few])
        return Plan(constants(a[:few]), whole, part, curvature, alpha)

    def begun(self, info: ProblemInfo, length: int, caution: float) -> Inner:
        """The inner loop before its first row."""
        return Inner.begin(info, length, caution)


@dataclass(frozen=True, eq=False)
class Stage:
    """An inner loop from `anchor` (in the frame), and what it was planned with: the size of the rows, the average of
    l'' and alpha."""

    anchor: Array
    inner: Inner
    size: float
    curvature: Array
    alpha: float

    @property
    def x(self) -> Array:
        return np.asarray(self.anchor + self.inner.average())

    def verdict(self, page: View) -> Literal["sound", "outvoted", "wrong"]:
        """Wrong: the average is worse than its anchor, or than nothing, beyond the spread of the losses there.
        Outvoted: it is worse than its anchor on most rows, as when one extreme row has moved it."""
        if not self.inner.tail:
            return "sound"
        before, nothing, after = page.at(self.anchor), page.at(0 * self.anchor), page.at(self.x)
        near = np.mean(before) + 2 * np.std(before) + 1e-6 * np.std(nothing)
        least = np.mean(nothing) + FAR * (np.std(nothing) + np.mean(np.abs(nothing)))
        if preferred(nothing, after) or not np.mean(after) <= min(near, least):
            return "wrong"
        return "outvoted" if np.mean(after > before) > MOST else "sound"


@dataclass(frozen=True, eq=False)
class Track:
    """`best` and `output` (of the stage before, not yet joined) in raw coordinates, with their weights in rows."""

    best: Array
    weight: float
    output: Array | None = None
    output_weight: float = 0.0
    stage: Stage | None = None
    caution: float = 1.0
    restarts: int = 0
    wrong: Literal["size", "steps"] | None = None  # what was wrong with the constants of the stage
    lean: Lean = "both"  # which of best and output was better on the last fresh page

    def chosen(self) -> tuple[Array, float]:
        """What the track stands for now, and its weight."""
        if self.output is None or self.lean == "best":
            return self.best, self.weight
        if self.lean == "output":
            return self.output, self.output_weight
        total = self.weight + self.output_weight
        return self.best + self.output_weight / total * (self.output - self.best), total

    def leaning(self, page: View) -> Lean:
        """Both together, unless one alone is better on this page by more than two standard errors."""
        assert self.output is not None
        both = page.losses(replace(self, lean="both").chosen()[0])
        if _better(page.losses(self.output), both):
            return "output"
        return "best" if _better(page.losses(self.best), both) else "both"

    def settled(self, page: View) -> Track:
        """The output of the last stage joins the best, after a look at a fresh page; success makes bolder."""
        if self.output is None:
            return self
        leaned = replace(self, lean=self.leaning(page))
        best, weight = leaned.chosen()
        caution = self.caution if leaned.lean == "best" else max(1.0, self.caution / CAUTION)
        return replace(leaned, best=best, weight=weight, output=None, output_weight=0.0, lean="both", caution=caution)

    def calibrated(self, frame: Frame, page: View, length: int, few: int) -> Track:
        """A stage from the best, with the constants of the first few rows, enlarged where the page asks for it."""
        anchor = frame.inside(self.best)
        plan = page.planned(anchor, few)
        larger, info = max(plan.whole / max(plan.part, 1e-300), 1.0), plan.info
        info = replace(info, r2=info.need("r2") * larger, kappa_tilde=info.need("kappa_tilde") * larger)
        inner = page.begun(info, length, self.caution)
        stage = Stage(anchor, inner, max(plan.whole, plan.part), plan.curvature, plan.alpha)
        return replace(self, stage=stage, wrong=None)

    def stepped(self, frame: Frame, page: View) -> Track:
        """After this page; unchanged and marked as wrong where the constants of the stage were."""
        assert self.stage is not None
        terms, size = page.problem(self.stage.anchor, self.stage.curvature)
        if not size <= LARGER * self.stage.size:
            return replace(self, wrong="size")
        lean = self.finished(frame).leaning(page) if self.stage.inner.tail else self.lean
        try:
            stage = replace(self.stage, inner=self.stage.inner.fed(*terms))
        except DivergenceError:
            return replace(self, wrong="steps")
        verdict = stage.verdict(page)
        if verdict == "wrong":
            return replace(self, wrong="steps")
        return replace(self, stage=stage, lean="best" if verdict == "outvoted" else lean)

    def finished(self, frame: Frame) -> Track:
        """With the average of its inner loop as output, if there is one."""
        assert self.stage is not None
        if not self.stage.inner.tail:
            return self
        return replace(self, output=frame.raw(self.stage.x), output_weight=float(self.stage.inner.tail))

    def restarting(self, frame: Frame) -> Track:
        """What is kept where a stage begins again: its average where only the size of the rows was wrong."""
        kept = self.cautious() if self.wrong == "steps" else self.finished(frame)
        return replace(kept, restarts=self.restarts + 1, wrong=None)

    def cautious(self) -> Track:
        """With a step size four times smaller from the next stage on."""
        return replace(self, caution=min(CAUTION * self.caution, MOST_CAUTION), wrong=None)


def preferred(first: Array, second: Array) -> bool:
    """Whether the first losses are smaller on average, beyond doubt, or on most rows."""
    return _better(first, second, 4.0) or bool(np.mean(first < second) > MOST)


def _better(first: Array, second: Array, errors: float = 2.0) -> bool:
    """Whether the first losses are smaller by more than so many standard errors of the difference, or alone finite."""
    if not np.all(np.isfinite(second)):
        return bool(np.all(np.isfinite(first)))
    gap = second - first
    return bool(np.mean(gap) > errors * np.std(gap) / math.sqrt(len(gap)))
