"""Spans on one logarithmic axis: for each row up to three bars from the median to the worst ratio, beside the bound.

The picture takes the width that it is given and keeps its letters as they are, so that it reads on a phone, too.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape

from reports.charts.marks import STYLE
from theory.reading.numbers import power as power_of_ten

KINDS = ("as printed", "repaired", "sharper")
LIMITS = (-9, 4)  # decades: what lies beyond stands at the end of the axis, as an arrow
ROW, TOP, BAR = 24.0, 54.0, 6.0
SPAN_STYLE = (
    STYLE.replace(".chart-svg{max-width:100%;height:auto}", "").replace(".chart-svg", ".spans")
    + ".spans{width:100%;max-width:880px!important;min-width:0!important}"
    ".spans .k0{stroke:var(--figure-good,#1b6ca8);fill:var(--figure-good,#1b6ca8)}"
    ".spans .k1{stroke:#2a7f62;fill:#2a7f62}.spans .k2{stroke:#a26a00;fill:#a26a00}"
    ".spans .fail{stroke:var(--figure-bad,#b3261e);fill:var(--figure-bad,#b3261e)}"
    ".spans .span{stroke-width:4;opacity:.55}.spans .dot{opacity:.45;stroke:none}"
    ".spans .cross{fill:none;stroke-width:2.4}"
    ".spans a text{fill:var(--link,#1b5e9a)}.spans .stripe{fill:var(--figure-grid,#d8d8d8);opacity:.22}"
    ".spans .quiet{opacity:.75}"
    "@media(max-width:640px){.spans text{font-size:9px}}"
)


@dataclass(frozen=True)
class Span:
    """One reading in a row: from `median` to `worst`; `fails` says that the bound does, at `witness` among others."""

    kind: int
    median: float | None
    worst: float | None
    tip: str
    fails: bool = False
    witness: float | None = None
    dots: tuple[float, ...] = ()


@dataclass(frozen=True)
class Row:
    """A label, where it leads on the page, and its spans; without a span `note` says why."""

    label: str
    spans: tuple[Span, ...]
    link: str = ""
    note: str = ""


def spans(rows: Sequence[Row], words: str) -> str:
    """The picture; `words` is its alternative text."""
    low, high = _range(rows)
    height = TOP + ROW * len(rows) + 22
    plot = [*_axis(low, high, height - 18)]
    labels = []
    for position, row in enumerate(rows):
        y = TOP + ROW * position
        if position % 2:
            labels.append(f'<rect class="stripe" x="0" y="{y:.0f}" width="100%" height="{ROW:.0f}"/>')
        labels.append(_label(row, y + 16))
        plot += list(_row(row, y, low, high))
    inner = f'<svg x="33%" width="62%" height="{height:.0f}" overflow="visible">{"".join(plot)}</svg>'
    style = f"{SPAN_STYLE}.spans.h{height:.0f}{{height:{height:.0f}px!important}}"  # a page may set svg to auto
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="spans h{height:.0f}" role="img" width="100%" '
        f'height="{height:.0f}" aria-label="{escape(words)}"><style>{style}</style>'
        f'<rect class="paper" width="100%" height="{height:.0f}"/>{"".join(_key())}{"".join(labels)}{inner}</svg>'
    )


def _range(rows: Sequence[Row]) -> tuple[int, int]:
    known = [v for row in rows for s in row.spans for v in (s.median, s.worst, s.witness, *s.dots) if v and v > 0]
    logs = [math.log10(v) for v in known if math.isfinite(v)]
    low = min(max(math.floor(min(logs, default=-1.0)), LIMITS[0]), -1)
    return low, max(min(math.ceil(max(logs, default=0.0)), LIMITS[1]), 1)


def _at(value: float, low: int, high: int) -> float:
    """Per cent of the width of the plot."""
    if value <= 0:
        return 0.0
    return 100 * (min(max(math.log10(value), low), high) - low) / (high - low)


def _axis(low: int, high: int, bottom: float) -> Iterator[str]:
    for power in range(low, high + 1):
        at = _at(10.0**power, low, high)
        yield f'<line class="grid" x1="{at:.2f}%" x2="{at:.2f}%" y1="{TOP - 4:.0f}" y2="{bottom:.0f}"/>'
    step = max(1, math.ceil((high - low) / 6))
    for power in sorted({p for p in range(low, high + 1) if p % step == 0} | {0}):
        name = {0: "1", 1: "10", -1: "0.1"}.get(power, power_of_ten(power))
        at = _at(10.0**power, low, high)
        for y in (TOP - 8, bottom + 13):
            yield f'<text class="small" text-anchor="middle" x="{at:.2f}%" y="{y:.0f}">{name}</text>'
    one = _at(1.0, low, high)
    yield f'<line class="limit" x1="{one:.2f}%" x2="{one:.2f}%" y1="{TOP - 4:.0f}" y2="{bottom:.0f}"/>'


def _key() -> Iterator[str]:
    yield '<text class="small" x="4" y="12">truth ÷ bound:</text>'
    x = 86.0
    for kind, words in enumerate(KINDS):
        yield f'<svg x="{x:.0f}" y="0" width="12" height="18" overflow="visible">{_mark(kind, 50.0, 8.0, False)}</svg>'
        yield f'<text class="small" x="{x + 16:.0f}" y="12">{words}</text>'
        x += 6.0 * len(words) + 30
    yield '<text class="small" x="4" y="27">left of 1 a bound holds, an identity at 1 only; ✕ it fails</text>'


def _label(row: Row, y: float) -> str:
    body = f'<text class="span-label" x="4" y="{y:.0f}">{escape(row.label)}</text>'
    return f'<a href="{escape(row.link)}">{body}</a>' if row.link else body


def _row(row: Row, y: float, low: int, high: int) -> Iterator[str]:
    if not row.spans:
        yield f'<text class="small quiet" x="0%" y="{y + 16:.0f}">{escape(row.note)}</text>'
    kinds = len({s.kind for s in row.spans})
    for place, span in enumerate(row.spans):
        middle = y + ROW / 2 + (place - (len(row.spans) - 1) / 2) * (BAR + 1 if kinds > 1 else BAR)
        yield f"<g><title>{escape(span.tip)}</title>{''.join(_span(span, middle, low, high))}</g>"


def _span(span: Span, y: float, low: int, high: int) -> Iterator[str]:
    colour = "fail" if span.fails else f"k{span.kind}"
    # a dot that would lie on another is left out
    places = sorted({round(2 * _at(value, low, high)) / 2 for value in span.dots})
    if places:
        dots = "".join(f'<circle cx="{at:g}%" cy="{y:g}" r="2.4"/>' for at in places)
        yield f'<g class="dot {colour}">{dots}</g>'
    if span.worst is not None:
        end = _at(span.worst, low, high)
        start = _at(span.median, low, high) if span.median is not None else end
        yield f'<line class="span {colour}" x1="{start:.2f}%" x2="{end:.2f}%" y1="{y:.1f}" y2="{y:.1f}"/>'
        beyond = span.worst <= 0 or not low <= math.log10(span.worst) <= high
        yield _arrow(end, y, colour, right=span.worst > 1) if beyond else _mark(span.kind, end, y, span.fails)
    if span.witness is not None and span.witness != span.worst:
        yield _mark(span.kind, _at(span.witness, low, high), y, True)


def _mark(kind: int, at: float, y: float, fails: bool) -> str:
    """A cross where the bound fails, else circle, square or diamond."""
    inner = {
        0: '<circle r="3.6"/>',
        1: '<rect x="-3.3" y="-3.3" width="6.6" height="6.6"/>',
        2: '<path d="M0 -4.6L4.6 0L0 4.6L-4.6 0z"/>',
    }[kind]
    if fails:
        inner = '<path class="cross" d="M-4 -4L4 4M-4 4L4 -4"/>'
    colour = "fail" if fails else f"k{kind}"
    return f'<svg class="{colour}" x="{at:.2f}%" y="{y:.1f}" width="1" height="1" overflow="visible">{inner}</svg>'


def _arrow(at: float, y: float, colour: str, right: bool) -> str:
    shape = "M1 -4.5L9 0L1 4.5z" if right else "M-1 -4.5L-9 0L-1 4.5z"
    return (
        f'<svg class="{colour}" x="{at:.2f}%" y="{y:.1f}" width="1" height="1" overflow="visible">'
        f'<path d="{shape}"/></svg>'
    )
