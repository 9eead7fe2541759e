"""Line charts as plain SVG: linear or logarithmic axes, bands, dashed references, a legend, light and dark mode.

    curve = Series("SADA", n, mean, low, high)
    chart = Chart("Excess risk", "samples", "F(x) - F(x*)", (curve,), log_x=True, log_y=True)
    svg = draw(chart)                    # stands alone as a file, or inline in a page

Every mark has a class and no colour of its own; the style inside the picture takes its colours from the page's
variables `--figure-ink`, `--figure-paper`, `--figure-grid` where they are set, else from the reader's light or dark
mode. Series differ by colour, marker and dash, so that no reader needs the colour. Points that cannot be drawn (not
finite, not positive on a logarithmic axis) interrupt their line.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape
from typing import Literal

from theory.reading.numbers import about, power

Style = Literal["line", "dash", "dots", "points"]
LIGHT = ("#1b6ca8", "#c44536", "#2a7f62", "#8d5a97", "#9a6b00", "#00798c", "#a23e6c", "#5a6b1f", "#555555")
DARK = ("#6db6ee", "#ff8f7d", "#6fd3ae", "#d3a4de", "#f0c05a", "#5fd0e0", "#f29ac2", "#bccf6e", "#bbbbbb")
DASHES = {"line": "", "dash": ' stroke-dasharray="7 4"', "dots": ' stroke-dasharray="2 4"'}
MARKERS = ("circle", "square", "triangle", "diamond")
LINE_HEIGHT = 18
LETTER = 6.6  # a usual width of 12px letters
MOST_POINTS = 600  # a curve has no more: a screen does not show them


@dataclass(frozen=True)
class Series:
    """One curve; `low` and `high` make a band; `scales` is False for a curve that may leave the picture."""

    name: str
    x: Sequence[float]
    y: Sequence[float]
    low: Sequence[float] | None = None
    high: Sequence[float] | None = None
    style: Style = "line"
    markers: bool = False
    colour: int | None = None  # index into the palette; by default the position among the series
    scales: bool = True

    def __post_init__(self) -> None:
        for name in ("y", "low", "high"):
            values = getattr(self, name)
            if values is not None and len(values) != len(self.x):
                raise ValueError(f"series {self.name!r}: {len(values)} values of {name} for {len(self.x)} of x")
        if (self.low is None) != (self.high is None):
            raise ValueError(f"series {self.name!r}: a band needs both low and high")


@dataclass(frozen=True)
class Level:
    """A straight reference line with its label: horizontal at `value`, or vertical."""

    value: float
    label: str
    vertical: bool = False


@dataclass(frozen=True)
class Chart:
    """What is drawn; `x_range` and `y_range` override the ranges of the data."""

    title: str
    x_label: str
    y_label: str
    series: tuple[Series, ...]
    log_x: bool = False
    log_y: bool = False
    levels: tuple[Level, ...] = ()
    x_range: tuple[float, float] | None = None
    y_range: tuple[float, float] | None = None
    width: int = 760
    height: int = 460
    describe: str = ""  # the alternative text; by default the title and the names of the series

    def _repr_html_(self) -> str:
        return draw(self)


@dataclass(frozen=True)
class Axis:
    """Data to pixels along one direction."""

    low: float
    high: float
    log: bool
    start: float
    end: float

    def at(self, value: float) -> float | None:
        if not math.isfinite(value) or (self.log and value <= 0):
            return None
        low, high, here = (math.log10(v) if self.log else v for v in (self.low, self.high, value))
        fraction = (here - low) / (high - low)
        return self.start + min(max(fraction, -5.0), 6.0) * (self.end - self.start)  # far outside is outside

    def ticks(self) -> list[tuple[float, str]]:
        return _log_ticks(self.low, self.high) if self.log else _linear_ticks(self.low, self.high)


def draw(chart: Chart) -> str:
    """The chart as one <svg> element."""
    wide = max((len(s.name) for s in chart.series), default=0) * LETTER + 46
    legend = min(wide, 0.42 * chart.width) if _named(chart) else 16.0
    left, right, top, bottom = 74.0, chart.width - legend - 10, 40.0 if chart.title else 12.0, chart.height - 52.0
    x = _axis([v for s in _scaling(chart) for v in s.x], chart.log_x, chart.x_range, left, right, pad=0.0)
    ys = [v for s in _scaling(chart) for values in (s.y, s.low, s.high) if values is not None for v in values]
    y = _axis(ys, chart.log_y, chart.y_range, bottom, top, pad=0.06)
    words = chart.describe or f"{chart.title}. Curves: {', '.join(s.name for s in chart.series)}."
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" class="figure-svg" role="img" viewBox="0 0 {chart.width} '
        f'{chart.height}" width="{chart.width}" height="{chart.height}" aria-label="{escape(words)}">',
        f"<title>{escape(chart.title)}</title><desc>{escape(words)}</desc><style>{_style()}</style>",
        f'<rect class="paper" width="{chart.width}" height="{chart.height}"/>',
        f'<text class="title" x="{left:.0f}" y="24">{escape(chart.title)}</text>',
        *_grid(chart, x, y),
        f'<svg x="{left:.1f}" y="{top:.1f}" width="{right - left:.1f}" height="{bottom - top:.1f}" '
        f'viewBox="{left:.1f} {top:.1f} {right - left:.1f} {bottom - top:.1f}" overflow="hidden">',
        *(part for k, s in enumerate(chart.series) for part in _curve(s, k, x, y)),
        "</svg>",
        *_levels(chart, x, y),
        *(
            _legend_entry(s, k, right + 14, top + 8 + LINE_HEIGHT * row)
            for row, (k, s) in enumerate(_named(chart))
            if legend > 16
        ),
        "</svg>",
    ]
    return "".join(parts)


def _named(chart: Chart) -> list[tuple[int, Series]]:
    """What the legend lists, with its position: one curve alone needs none, and none is listed without a name."""
    return [(k, s) for k, s in enumerate(chart.series) if s.name] if len(chart.series) > 1 else []


def _scaling(chart: Chart) -> Sequence[Series]:
    return [s for s in chart.series if s.scales] or chart.series


def _axis(
    values: Sequence[float], log: bool, given: tuple[float, float] | None, start: float, end: float, *, pad: float
) -> Axis:
    usable = [float(v) for v in values if math.isfinite(v) and (v > 0 or not log)]
    low, high = given if given is not None else (min(usable, default=1.0), max(usable, default=10.0))
    if not (low < high and (low > 0 or not log)):
        low, high = (low / 2, low * 2) if log and low > 0 else (1.0, 10.0) if log else (low - 1, low + 1)
    elif given is None and log:
        more = pad * (math.log10(high) - math.log10(low))
        low, high = 10 ** max(math.log10(low) - more, -307.0), 10 ** min(math.log10(high) + more, 308.0)
    elif given is None:
        low, high = low - pad * (high - low), high + pad * (high - low)
    return Axis(low, high, log, start, end)


def _log_ticks(low: float, high: float) -> list[tuple[float, str]]:
    first, last = math.ceil(math.log10(low) - 1e-9), math.floor(math.log10(high) + 1e-9)
    if last - first < 2:
        decades = range(first - 1, last + 2)
        fine = [m * 10.0**k for k in decades for m in (1, 2, 5)]
        return [(v, about(v)) for v in fine if low * (1 - 1e-9) <= v <= high * (1 + 1e-9)]
    step = max(1, math.ceil((last - first) / 8))
    return [(10.0**k, power(k)) for k in range(first, last + 1, step)]


def _linear_ticks(low: float, high: float) -> list[tuple[float, str]]:
    raw = (high - low) / 6
    unit = 10.0 ** math.floor(math.log10(raw))
    step = next(m * unit for m in (1, 2, 5, 10) if m * unit >= raw)
    first = math.ceil(low / step - 1e-9)
    values = [k * step for k in range(first, math.floor(high / step + 1e-9) + 1)]
    return [(v, about(v, 6) if abs(v) > 1e-12 * (high - low) else "0") for v in values]


def _grid(chart: Chart, x: Axis, y: Axis) -> Iterator[str]:
    for value, label in x.ticks():
        at = x.at(value)
        yield f'<line class="grid" x1="{at:.1f}" x2="{at:.1f}" y1="{y.end:.1f}" y2="{y.start:.1f}"/>'
        yield f'<text x="{at:.1f}" y="{y.start + 17:.1f}" text-anchor="middle">{label}</text>'
    for value, label in y.ticks():
        at = y.at(value) or 0.0
        yield f'<line class="grid" x1="{x.start:.1f}" x2="{x.end:.1f}" y1="{at:.1f}" y2="{at:.1f}"/>'
        yield f'<text x="{x.start - 7:.1f}" y="{at + 4:.1f}" text-anchor="end">{label}</text>'
    yield (
        f'<path class="axis" d="M{x.start:.1f} {y.end:.1f}V{y.start:.1f}H{x.end:.1f}"/>'
        f'<text x="{(x.start + x.end) / 2:.1f}" y="{y.start + 38:.1f}" text-anchor="middle">'
        f"{escape(chart.x_label)}</text>"
    )
    middle = (y.start + y.end) / 2
    yield (
        f'<text x="18" y="{middle:.1f}" text-anchor="middle" transform="rotate(-90 18 {middle:.1f})">'
        f"{escape(chart.y_label)}</text>"
    )


def _curve(series: Series, position: int, x: Axis, y: Axis) -> Iterator[str]:
    colour = _class(series, position)
    order = _thinned(sorted(range(len(series.x)), key=lambda i: float(series.x[i])))
    if series.low is not None and series.high is not None:
        lower = _pixels([(series.x[i], series.low[i]) for i in order], x, y)
        upper = _pixels([(series.x[i], series.high[i]) for i in order], x, y)
        for below, above in _pieces(list(zip(lower, upper, strict=True))):
            outline = " ".join(f"{a:.1f},{b:.1f}" for a, b in [*above, *reversed(below)])
            yield f'<polygon class="band {colour}" points="{outline}"/>'
    points = _pixels([(series.x[i], series.y[i]) for i in order], x, y)
    if series.style != "points":
        for piece, _ in _pieces([(p, p) for p in points]):
            line = " ".join(f"{a:.1f},{b:.1f}" for a, b in piece)
            yield f'<polyline class="curve {colour}" points="{line}"{DASHES[series.style]}/>'
    if series.markers or series.style == "points":
        yield from (_marker(position, colour, *p) for p in points if p is not None)


Pixel = tuple[float, float]


def _thinned(order: list[int]) -> list[int]:
    if len(order) <= MOST_POINTS:
        return order
    return [order[round(k * (len(order) - 1) / (MOST_POINTS - 1))] for k in range(MOST_POINTS)]


def _pixels(points: Sequence[tuple[float, float]], x: Axis, y: Axis) -> list[Pixel | None]:
    found = [(x.at(float(a)), y.at(float(b))) for a, b in points]
    return [None if a is None or b is None else (a, b) for a, b in found]


def _pieces(pairs: Sequence[tuple[Pixel | None, Pixel | None]]) -> Iterator[tuple[list[Pixel], list[Pixel]]]:
    """Runs of points that can be drawn."""
    first: list[Pixel] = []
    second: list[Pixel] = []
    for a, b in [*pairs, (None, None)]:
        if a is not None and b is not None:
            first.append(a)
            second.append(b)
        elif first:
            yield first, second
            first, second = [], []


def _marker(position: int, colour: str, a: float, b: float) -> str:
    match MARKERS[position % len(MARKERS)]:
        case "circle":
            return f'<circle class="dot {colour}" cx="{a:.1f}" cy="{b:.1f}" r="3.2"/>'
        case "square":
            return f'<rect class="dot {colour}" x="{a - 2.9:.1f}" y="{b - 2.9:.1f}" width="5.8" height="5.8"/>'
        case "triangle":
            return f'<path class="dot {colour}" d="M{a:.1f} {b - 3.9:.1f}l3.8 6.6h-7.6z"/>'
        case _:
            return f'<path class="dot {colour}" d="M{a:.1f} {b - 4.2:.1f}l4.2 4.2l-4.2 4.2l-4.2 -4.2z"/>'


def _levels(chart: Chart, x: Axis, y: Axis) -> Iterator[str]:
    for level in chart.levels:
        along, across = (x, y) if level.vertical else (y, x)
        at = along.at(level.value)
        if at is None or not min(along.start, along.end) <= at <= max(along.start, along.end):
            continue
        ends = f'x1="{at:.1f}" x2="{at:.1f}" y1="{across.start:.1f}" y2="{across.end:.1f}"'
        place = f'x="{at + 4:.1f}" y="{across.end + 12:.1f}"'
        if not level.vertical:
            ends = f'y1="{at:.1f}" y2="{at:.1f}" x1="{across.start:.1f}" x2="{across.end:.1f}"'
            place = f'x="{across.end - 6:.1f}" y="{at - 4:.1f}" text-anchor="end"'
        yield f'<line class="level" {ends}/><text {place}>{escape(level.label)}</text>'


def _legend_entry(series: Series, position: int, left: float, top: float) -> str:
    colour = _class(series, position)
    line = f'<path class="curve {colour}" d="M{left:.1f} {top:.1f}h24"{DASHES.get(series.style, "")}/>'
    drawn = "" if series.style == "points" else line
    if series.markers or series.style == "points":
        drawn += _marker(position, colour, left + 12, top)
    return f'{drawn}<text x="{left + 30:.1f}" y="{top + 4:.1f}">{escape(series.name)}</text>'


def _class(series: Series, position: int) -> str:
    return f"c{(position if series.colour is None else series.colour) % len(LIGHT)}"


def _style() -> str:
    """Colours as variables of the picture: those of the page where it sets them, else by light or dark mode."""

    def palette(colours: tuple[str, ...], ink: str, paper: str, grid: str) -> str:
        own = "".join(f"--k{i}:{c};" for i, c in enumerate(colours))
        return f"--i:var(--figure-ink,{ink});--p:var(--figure-paper,{paper});--g:var(--figure-grid,{grid});{own}"

    scope = ".figure-svg"
    rules = [
        f"{scope}{{{palette(LIGHT, '#222', '#fff', '#e3e3e3')}max-width:100%;height:auto}}",
        f"@media(prefers-color-scheme:dark){{{scope}{{{palette(DARK, '#e8e8e8', '#16181d', '#333842')}}}}}",
        f"{scope} text{{font:12px system-ui,sans-serif;fill:var(--i)}}{scope} .title{{font-weight:600;font-size:14px}}",
        f"{scope} .paper{{fill:var(--p)}}{scope} .grid{{stroke:var(--g)}}",
        f"{scope} .axis{{stroke:var(--i);fill:none;opacity:.6}}",
        f"{scope} .level{{stroke:var(--i);stroke-dasharray:3 3;opacity:.7}}",
        f"{scope} .curve{{fill:none;stroke-width:2}}{scope} .band{{opacity:.18;stroke:none}}",
    ]
    for i in range(len(LIGHT)):
        rules.append(
            f"{scope} .curve.c{i}{{stroke:var(--k{i})}}{scope} .band.c{i},{scope} .dot.c{i}{{fill:var(--k{i})}}"
        )
    return "".join(rules)
