r"""SADA on a stream without end and without constants to know.

The rows come in pages whose ends depend on their number alone, so that the result does not depend on how the stream is
cut. The first page is solved to the end (`start`). Then come stages, each as long as all rows before it. A stage takes

  * its frame from the moments of the last stage, and mu, R^2, kappa~, alpha from its own first page;
  * its anchor y~ from the best that is known, by its loss on that page, which nothing has been trained on.

A page whose rows are larger than R^2 allows, or after which the average of the stage is worse than its anchor or than
no prediction at all, ends the stage: it begins again from the best with the constants of that page, after a failure
with a step size four times smaller. Where a stage begins, half of a page that is solved to the end may replace all
that was learnt before, if it is better on the other half: streams turn and jump. The estimate is the mean of the
outputs of all stages, weighted by the rows averaged in each.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from numerics.designs.checks import Array
from numerics.losses import Logistic, Loss

from .counts import Counts
from .frame import TINY, Frame, Moments, Precondition
from .guard import Guard
from .order import warn_if_sorted
from .softmax import Softmax, SoftmaxView
from .softmax_start import softmax_solved
from .start import residual_scale, solved
from .track import Track, View, preferred

UNIT = 8  # rows; pages and stages are multiples of it
LEAST, LARGEST = 256, 8192  # rows of a page
HELD, WHOLE = 2**22, 2**18  # numbers in the first page, and in one of the others
WOKEN = 1 / 16  # of the rows of a page
SMALL = 0.1  # of the spreads of the last stage


@dataclass(frozen=True)
class Settings:
    """What a learner is asked to do; `first` rows are solved to the end, `total` is the number of rows if known."""

    loss: Loss | Softmax
    dim: int
    outputs: int = 1
    intercept: bool = True
    precondition: Precondition = "diagonal"
    ridge: float | None = None
    first: int = LEAST
    total: int | None = None
    own_units: bool = False  # labels are divided by the spread of the first residuals

    @property
    def full(self) -> bool:
        return self.precondition == "full"

    @property
    def classes(self) -> bool:
        """Whether a label is one of several classes."""
        return isinstance(self.loss, Softmax) or (isinstance(self.loss, Logistic) and self.outputs == 1)


def first_rows(dim: int) -> int:
    """Four rows a column, at least 256, as long as they fit."""
    wanted = max(LEAST, 4 * (dim + 1))
    return max(UNIT, min(wanted, max(64, HELD // dim)) // UNIT * UNIT)


@dataclass(frozen=True, eq=False)
class Rows:
    """Raw rows (n, d), targets (n, outputs), weights (n,)."""

    x: Array
    y: Array
    w: Array

    def __len__(self) -> int:
        return len(self.w)

    def __getitem__(self, part: slice) -> Rows:
        return Rows(self.x[part], self.y[part], self.w[part])

    def joined(self, other: Rows) -> Rows:
        if not len(self):
            return other
        pairs = ((self.x, other.x), (self.y, other.y), (self.w, other.w))
        return Rows(*(np.concatenate(pair) for pair in pairs))

    def copied(self) -> Rows:
        return Rows(self.x.copy(), self.y.copy(), self.w.copy())


@dataclass(frozen=True, eq=False)
class Known:
    """What is known of the rows after the first page: moments (ever, of the last stage, of this one), frame, units of
    the labels, and for several classes the ridge that the first page preferred."""

    ever: Moments
    last: Moments
    now: Moments | None
    frame: Frame
    unit: tuple[float, ...]
    ridge: float | None = None


@dataclass(frozen=True, eq=False)
class Learner:
    """Everything after `seen` rows; `pending` ones wait for the end of their page."""

    settings: Settings
    pending: Rows
    seen: int = 0
    begun: int = 0  # the row at which the stage began
    length: int = 0  # of the stage
    known: Known | None = None
    tracks: tuple[Track, ...] = ()
    guards: tuple[Guard, ...] = ()

    @classmethod
    def begin(cls, settings: Settings) -> Learner:
        d, k = settings.dim, settings.outputs
        return cls(settings, Rows(np.empty((0, d)), np.empty((0, k)), np.empty(0)))

    @property
    def rows(self) -> int:
        return self.seen + len(self.pending)

    def fed(self, x: Array, y: Array, w: Array) -> Learner:
        """With these rows; the same for any cut of the stream. Rows of weight 0 are no rows."""
        kept = w > 0
        rows = Rows(x, y, w) if bool(kept.all()) else Rows(x[kept], y[kept], w[kept])
        now, rows = replace(self, pending=self.pending[:0]), self.pending.joined(rows)
        with np.errstate(over="ignore", invalid="ignore"):  # a loss may be infinite: then it is not the smaller one
            while len(rows) >= (page := now._page()):
                now, rows = now._with_page(rows[:page]), rows[page:]
        return replace(now, pending=rows.copied())

    def _page(self) -> int:
        """Rows of the next page."""
        s = self.settings
        if self.known is None:
            return s.first
        most = min(LARGEST, WHOLE // s.dim, 1 << max(self.seen // 8, 1).bit_length() - 1)
        size = max(s.first, most // UNIT * UNIT)
        left = self.begun + self.length - self.seen
        return min(size, left or max(UNIT, self._planned()))

    def _planned(self) -> int:
        """Rows of the next stage: as many as came before; all that are left when they are less than twice that."""
        total = self.settings.total
        if total is None or total - self.seen >= 2 * self.seen:
            return self.seen // UNIT * UNIT
        return (total - self.seen) // UNIT * UNIT

    def _with_page(self, page: Rows) -> Learner:
        moments = Moments.of(page.x, page.w, full=self.settings.full)
        if self.known is None:
            return self._begun(page, moments)
        latest = [_latest(t, None, self._known.frame) for t in self.tracks]
        if self.settings.classes:
            warn_if_sorted(page.x, page.y, np.vstack(latest))
        guards = tuple(g.after(v, raw) for g, v, raw in zip(self.guards, self._views(page), latest, strict=True))
        now = replace(self._aware(page), guards=guards)
        now = now if self.seen < self.begun + self.length else now._renewed(page)._new_stage(page, self.known.last)
        return now._trained(page, moments)._counted(page, moments)

    def _begun(self, page: Rows, moments: Moments) -> Learner:
        """After the first page."""
        now = replace(self._aware(page)._solved(page, moments), seen=len(page), begun=len(page))
        return replace(now, guards=tuple(Guard.of(view, self.settings.intercept) for view in now._views(page)))

    def _aware(self, page: Rows) -> Learner:
        """With a loss that knows the range of these labels."""
        loss = self.settings.loss
        return (
            replace(self, settings=replace(self.settings, loss=loss.seen(page.y))) if isinstance(loss, Counts) else self
        )

    def _counted(self, page: Rows, moments: Moments) -> Learner:
        """The page joins the moments; at the end of the stage the averages become outputs."""
        known, seen = self._known, self.seen + len(page)
        now = moments if known.now is None else known.now.merged(moments)
        known = replace(known, ever=known.ever.merged(moments), now=now)
        if seen < self.begun + self.length:
            return replace(self, seen=seen, known=known)
        tracks = tuple(track.finished(known.frame) for track in self.tracks)
        return replace(self, seen=seen, tracks=tracks, known=replace(known, last=now, now=None))

    @property
    def _known(self) -> Known:
        assert self.known is not None, "before the end of the first page"
        return self.known

    def _solved(self, page: Rows, moments: Moments) -> Learner:
        """The start from the first page, in scaled columns."""
        s = self.settings
        frame = Frame.of(moments, moments, s.precondition and "diagonal", s.intercept)
        rows = frame.rows(page.x)
        unit, tracks = [], []
        if isinstance(s.loss, Softmax):
            x, ridge = softmax_solved(rows, page.y, page.w, s.loss, s.ridge, s.intercept)
            known = Known(moments, moments, None, frame, (1.0,), ridge)
            return replace(self, known=known, tracks=(Track(frame.raw(x), float(len(page))),))
        for k in range(s.outputs):
            one = residual_scale(rows, page.y[:, k], page.w, s.ridge, s.intercept) if s.own_units else 1.0
            x = solved(rows, page.y[:, k] / one, page.w, s.loss, s.ridge, s.intercept)
            unit.append(one)
            tracks.append(Track(frame.raw(x), float(len(page))))
        return replace(self, known=Known(moments, moments, None, frame, tuple(unit)), tracks=tuple(tracks))

    def _renewed(self, page: Rows) -> Learner:
        """Every track begins anew from this page where half of it, solved to the end, is better on the other half than
        all that was learnt before; not where its rows are small, which say nothing about large ones."""
        tracks, last = list(self.tracks), self._known.last.spread(centred=True)
        now = Moments.of(page.x, page.w, full=False).spread(centred=True)
        if len(page) <= 4 * self.settings.dim or bool(np.all(now <= SMALL * last)):
            return self
        fresh = [track.best for track in self._from(page[::2])]
        for k, (track, view) in enumerate(zip(self.tracks, self._views(page[1::2]), strict=True)):
            if preferred(view.losses(fresh[k]), view.losses(track.chosen()[0])):
                tracks[k] = replace(self._from(page)[k], restarts=track.restarts)
        return replace(self, tracks=tuple(tracks))

    def _from(self, rows: Rows) -> tuple[Track, ...]:
        """Tracks that know these rows only, in the units of the labels that are known."""
        units = np.array(self._known.unit)
        scaled = Rows(rows.x, rows.y / units, rows.w)
        moments = Moments.of(rows.x, rows.w, full=self.settings.full)
        asked = self._known.ridge if self.settings.ridge is None else self.settings.ridge
        settings = replace(self.settings, own_units=False, ridge=asked)
        return replace(self, settings=settings)._solved(scaled, moments).tracks

    def _views(self, page: Rows) -> list[View]:
        """The page as every output sees it."""
        rows, units, loss = self._known.frame.rows(page.x), self._known.unit, self.settings.loss
        if isinstance(loss, Softmax):
            return [SoftmaxView(loss, page.x, rows, page.y, page.w)]
        return [View(loss, page.x, rows, page.y[:, k] / unit, page.w) for k, unit in enumerate(units)]

    def _new_stage(self, page: Rows, recent: Moments) -> Learner:
        """Frame, anchors and constants; nothing has been trained on `page`."""
        s, length = self.settings, max(self._planned(), len(page))
        frame = Frame.of(recent, self._known.ever.merged(recent), s.precondition, s.intercept)
        begun = replace(self, begun=self.seen, length=length, known=replace(self._known, frame=frame, now=None))
        few = max(s.first, 2 * LEAST)
        pairs = zip(self.tracks, begun._views(page), strict=True)
        return replace(
            begun, tracks=tuple(track.settled(view).calibrated(frame, view, length, few) for track, view in pairs)
        )

    def _trained(self, page: Rows, moments: Moments) -> Learner:
        """The page is given to every stage; one whose constants are wrong makes all of them begin again."""
        frame = self._known.frame
        tracks = [t.stepped(frame, view) for t, view in zip(self.tracks, self._views(page), strict=True)]
        if self._woken(page):
            tracks = [replace(track, wrong=track.wrong or "size") for track in tracks]
        if not any(track.wrong for track in tracks):
            return replace(self, tracks=tuple(tracks))
        kept = replace(self, tracks=tuple(t.restarting(frame) for t in tracks))
        again = kept._renewed(page)._new_stage(page, moments)
        after = [
            (track, track.stepped(again._known.frame, view))
            for track, view in zip(again.tracks, again._views(page), strict=True)
        ]
        return replace(again, tracks=tuple(track.cautious() if new.wrong else new for track, new in after))

    def _woken(self, page: Rows) -> bool:
        """Whether a column without a scale so far varies in a good part of this page."""
        asleep = self._known.frame.asleep
        moved = np.abs(page.x[:, asleep] - self._known.ever.mean[asleep]) > TINY
        return bool(np.any(np.mean(moved, axis=0) > WOKEN))

    @cached_property
    def coefficients(self) -> Array:
        """(outputs, columns + 1): raw coefficients and intercept of every output, in the units of the labels."""
        with np.errstate(over="ignore", invalid="ignore"):
            now = self._provisional
            frame, unit = now._known.frame, now._known.unit
            waiting: list[View | None] = [None] * len(unit)
            if now is self and len(self.pending):
                waiting = [*self._views(self.pending)]
            each = zip(now.tracks, now.guards, waiting, strict=True)
            return np.vstack([_guarded(t, g, v, frame) * u for (t, g, v), u in zip(each, unit, strict=True)])

    @cached_property
    def _provisional(self) -> Learner:
        """Itself; before the end of the first page, the start from the rows that there are."""
        if self.known is not None:
            return self
        if not self.rows:
            raise ValueError("no row of positive weight was given; nothing can be learnt")
        return self._begun(self.pending, Moments.of(self.pending.x, self.pending.w, full=self.settings.full))

    @property
    def restarts(self) -> int:
        """How often an estimate was wrong and a stage began again."""
        return max((track.restarts for track in self.tracks), default=0)

    @property
    def loss(self) -> Loss | Softmax:
        """With what was seen of the labels."""
        return self._provisional.settings.loss if self.rows else self.settings.loss

    @property
    def units(self) -> tuple[float, ...]:
        """Of the labels, one an output."""
        return self._provisional._known.unit

    @property
    def constants(self) -> dict[str, float]:
        """mu, lambda_max, R^2, kappa~ and alpha of the latest stage; empty before there is one."""
        stage = self.tracks[0].stage if self.tracks else None
        if stage is None:
            return {}
        names = ("mu", "lambda_max", "r2", "kappa_tilde")
        return {**{name: stage.inner.info.need(name) for name in names}, "alpha": stage.alpha}


def _guarded(track: Track, guard: Guard, pending: View | None, frame: Frame) -> Array:
    """What a track stands for, or the constant where that has predicted better."""
    if pending is not None:
        guard = guard.judged(pending, _latest(track, None, frame))
    raw = _latest(track, pending, frame)
    return guard.predictor(raw) if guard.vetoes else raw


def _latest(track: Track, pending: View | None, frame: Frame) -> Array:
    """What a track stands for, with the rows that wait for the end of their page."""
    if track.output is not None or track.stage is None:
        return track.chosen()[0]
    if pending is not None:
        track = replace(track.stepped(frame, pending), lean=track.lean)
    return track.finished(frame).chosen()[0]
