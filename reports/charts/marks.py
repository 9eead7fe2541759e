"""Pictures of the report beside line charts: strips of ratios, heat maps, bars. Plain SVG, light and dark.

Each function returns one <svg> that stands alone as a file; colours come from the page's variables where it sets them.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from html import escape

INK, PAPER, GRID = "var(--figure-ink,#222)", "var(--figure-paper,#fff)", "var(--figure-grid,#d8d8d8)"
STYLE = (
    ".chart-svg{max-width:100%;height:auto}"
    f".chart-svg text{{font:12px system-ui,sans-serif;fill:{INK}}}.chart-svg .small{{font-size:11px}}"
    f".chart-svg .paper{{fill:{PAPER}}}.chart-svg .grid{{stroke:{GRID};fill:none}}"
    f".chart-svg .limit{{stroke:{INK};stroke-width:1.5;stroke-dasharray:5 3}}"
    ".chart-svg .good{fill:var(--figure-good,#1b6ca8)}.chart-svg .bad{fill:var(--figure-bad,#b3261e)}"
    ".chart-svg .none{fill:var(--figure-none,#9a9a9a)}.chart-svg .soft{opacity:.72}"
)
SHADES = ("#f7fbff", "#d6e6f4", "#abcfe6", "#6aaed6", "#3787c0", "#105ba4")
LETTER = 6.4
FURTHEST = (-12, 6)  # decades: what lies beyond stands at the end of the axis


Shown = Callable[[float], str]


@dataclass(frozen=True)
class Dot:
    """One value in a strip; `mark` chooses the shape."""

    row: str
    value: float
    label: str
    mark: int = 0


def svg(width: float, height: float, words: str, parts: Sequence[str], kind: str = "chart-svg") -> str:
    """The frame of every picture, with its alternative text."""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="{kind}" role="img" viewBox="0 0 {width:.0f} {height:.0f}" '
        f'width="{width:.0f}" height="{height:.0f}" aria-label="{escape(words)}"><style>{STYLE}</style>'
        f'<rect class="paper" width="{width:.0f}" height="{height:.0f}"/>{"".join(parts)}</svg>'
    )


def number(value: float) -> str:
    """Few digits, as people write them."""
    if value == 0 or not math.isfinite(value):
        return {0.0: "0"}.get(value, "∞" if value == math.inf else "no number")
    if abs(value) < 1e7 and value == round(value):
        return f"{value:.0f}"
    if 1e-3 <= abs(value) < 1e4:
        return f"{value:.4g}"
    mantissa, exponent = f"{value:.2e}".split("e")
    return f"{float(mantissa):g}·10^{int(exponent)}"


def _decades(values: Sequence[float]) -> tuple[int, int]:
    logs = [math.log10(v) for v in values if v > 0 and math.isfinite(v)]
    low = max(math.floor(min(logs, default=-1.0)), FURTHEST[0])
    return low, max(min(math.ceil(max(logs, default=0.0)), FURTHEST[1]), low + 1, 0)


def strip(dots: Sequence[Dot], marks: Sequence[str], width: int = 720) -> str:
    """Truth over bound, one row for each inequality, on a logarithmic axis; the bound is the line at 1.

    Values beyond the axis, zero among them, stand at its ends; what is not finite is drawn at neither side.
    """
    rows = list(dict.fromkeys(dot.row for dot in dots))
    left = min(max((len(row) for row in rows), default=0) * LETTER + 16, 0.44 * width)
    low, high = _decades([dot.value for dot in dots])
    scale = (width - left - 24) / (high - low)

    def x(value: float) -> float:
        return left + (min(max(math.log10(value), low), high) - low) * scale if value > 0 else left

    bottom = 26.0 + 26 * len(rows)
    parts = [f'<path class="grid" d="M{left + k * scale:.1f} 18V{bottom:.1f}"/>' for k in range(high - low + 1)]
    step = max(1, math.ceil((high - low) / 7))
    for power in range(low, high + 1, step):
        at = left + (power - low) * scale
        words = {0: "1", 1: "10"}.get(power, f"10^{power}")
        parts.append(f'<text class="small" text-anchor="middle" x="{at:.1f}" y="{bottom + 14:.1f}">{words}</text>')
    parts.append(f'<path class="limit" d="M{x(1):.1f} 16V{bottom:.1f}"/>')
    parts.append(f'<text class="small" text-anchor="end" x="{x(1) + 18:.1f}" y="12">the bound</text>')
    for position, row in enumerate(rows):
        middle = 34.0 + 26 * position
        parts.append(f'<text x="4" y="{middle + 4:.1f}">{escape(_cut(row, left))}</text>')
        parts += [_dot(dot, x(dot.value), middle) for dot in dots if dot.row == row and math.isfinite(dot.value)]
    parts += _key(marks, left, bottom + 30)
    worst = max((d.value for d in dots if math.isfinite(d.value)), default=math.nan)
    words = f"Truth over bound for {len(rows)} inequalities, {len(dots)} values; the largest is {number(worst)}."
    return svg(width, bottom + (40 if marks else 22), words, parts)


def _cut(words: str, room: float) -> str:
    most = int((room - 10) / LETTER)
    return words if len(words) <= most else f"{words[: most - 1]}…"


def _dot(dot: Dot, x: float, y: float) -> str:
    colour = "bad" if dot.value > 1 else "good"
    tip = f"<title>{escape(dot.label)}: {number(dot.value)}</title>"
    if dot.mark == 0:
        return f'<circle class="{colour} soft" cx="{x:.1f}" cy="{y:.1f}" r="4">{tip}</circle>'
    return f'<path class="{colour} soft" d="M{x:.1f} {y - 5.5:.1f}l5 5.5l-5 5.5l-5 -5.5z">{tip}</path>'


def _key(marks: Sequence[str], left: float, y: float) -> Iterator[str]:
    for position, words in enumerate(marks):
        yield _dot(Dot("", 0.5, words, position), left + 6, y)
        yield f'<text class="small" x="{left + 16:.1f}" y="{y + 4:.1f}">{escape(words)}</text>'
        left += len(words) * LETTER + 44


def heat(
    xs: Sequence[float], ys: Sequence[float], values: Sequence[Sequence[float]], x_label: str, y_label: str
) -> str:
    """A heat map of a ratio: the darker the closer to the bound; above 1 in the colour of errors, with a cross.

    `values[j][i]` belongs to (xs[i], ys[j]); what is no number stays grey.
    """
    cell, left, top = 26.0, 74.0, 14.0
    parts = []
    for j, row in enumerate(values):
        for i, value in enumerate(row):
            parts.append(_cell(value, left + i * cell, top + (len(ys) - 1 - j) * cell, cell, (xs[i], ys[j])))
    bottom = top + len(ys) * cell
    for i in range(0, len(xs), max(1, len(xs) // 6)):
        at = left + (i + 0.5) * cell
        parts.append(
            f'<text class="small" text-anchor="middle" x="{at:.1f}" y="{bottom + 15:.1f}">{number(xs[i])}</text>'
        )
    for j in range(0, len(ys), max(1, len(ys) // 5)):
        at = top + (len(ys) - 1 - j + 0.5) * cell + 4
        parts.append(f'<text class="small" text-anchor="end" x="{left - 5:.1f}" y="{at:.1f}">{number(ys[j])}</text>')
    width = left + len(xs) * cell + 130
    parts.append(f'<text x="{left:.1f}" y="{bottom + 34:.1f}">{escape(x_label)} →</text>')
    parts.append(f'<text transform="translate(14 {bottom:.1f}) rotate(-90)">{escape(y_label)} →</text>')
    parts += _scale(width - 116, top)
    finite = [v for row in values for v in row if math.isfinite(v)]
    worst = number(max(finite, default=math.nan))
    words = f"Heat map of truth over bound over {x_label} and {y_label}; the largest value is {worst}."
    return svg(width, bottom + 44, words, parts)


def _cell(value: float, x: float, y: float, size: float, at: tuple[float, float]) -> str:
    place = f'x="{x:.1f}" y="{y:.1f}" width="{size - 1:.1f}" height="{size - 1:.1f}"'
    told = f"<title>({number(at[0])}, {number(at[1])}): {number(value)}</title>"
    if not math.isfinite(value):
        return f'<rect class="none" {place}>{told}</rect>'
    if value > 1:
        cross = f'<path d="M{x + 7:.1f} {y + 7:.1f}l11 11m0 -11l-11 11" stroke="#fff" stroke-width="2"/>'
        return f'<rect class="bad" {place}>{told}</rect>{cross}'
    return f'<rect fill="{SHADES[_shade(value)]}" {place}>{told}</rect>'


def _shade(value: float) -> int:
    """Six shades: below 1e-4, up to 1e-3, 1e-2, 0.1, 0.5, 1."""
    return sum(value > limit for limit in (1e-4, 1e-3, 1e-2, 0.1, 0.5))


def _scale(left: float, top: float) -> Iterator[str]:
    words = ("below 10^-4", "to 10^-3", "to 0.01", "to 0.1", "to 0.5", "to 1")
    for i, (shade, text) in enumerate(zip(SHADES, words, strict=True)):
        y = top + 20 * i
        yield f'<rect fill="{shade}" x="{left:.1f}" y="{y:.1f}" width="16" height="16"/>'
        yield f'<text class="small" x="{left + 22:.1f}" y="{y + 12:.1f}">{text}</text>'
    y = top + 120
    yield f'<rect class="bad" x="{left:.1f}" y="{y:.1f}" width="16" height="16"/>'
    yield f'<text class="small" x="{left + 22:.1f}" y="{y + 12:.1f}">above 1: false</text>'


def bars(items: Sequence[tuple[str, float]], width: int = 720, unit: str = "", shown: Shown | None = None) -> str:
    """Positive numbers as bars on a logarithmic axis, each with its value; `shown` writes it."""
    shown = shown or number
    left = min(max((len(label) for label, _ in items), default=0) * LETTER + 14, 0.45 * width)
    low, high = _decades([value for _, value in items])
    low = min(low, 0)  # bars start at 1, or below the smallest
    scale = (width - left - 110) / max(high - low, 1)
    parts = []
    for position, (label, value) in enumerate(items):
        y = 10.0 + 28 * position
        long = max((math.log10(value) - low) * scale, 2) if value > 0 and math.isfinite(value) else 0
        parts.append(f'<text x="4" y="{y + 15:.1f}">{escape(_cut(label, left))}<title>{escape(label)}</title></text>')
        parts.append(
            f'<rect class="good soft" x="{left:.1f}" y="{y:.1f}" width="{long:.1f}" height="20" rx="2"/>'
            f'<text x="{left + long + 6:.1f}" y="{y + 15:.1f}">{shown(value)}{escape(unit)}</text>'
        )
    words = "; ".join(f"{label}: {number(value)}{unit}" for label, value in items)
    return svg(width, 20 + 28 * len(items), f"Bars on a logarithmic axis. {words}.", parts)


def cascade(
    items: Sequence[tuple[str, float, float]],
    width: int = 760,
    links: Sequence[str] = (),
    shown: Shown | None = None,
) -> str:
    """A waterfall of factors: each bar runs from the constant before a step to the one after it, logarithmically.

    A step that makes the constant larger is drawn in the colour of errors, one that makes it smaller in that of gains.
    `links` are addresses of the steps, in their order; `shown` writes the constants.
    """
    shown = shown or number
    left = min(max((len(label) for label, _, _ in items), default=0) * LETTER + 14, 0.42 * width)
    ends = [math.log10(v) for _, before, after in items for v in (before, after) if v > 0]
    low, high = (math.floor(min(ends)), math.ceil(max(ends))) if ends else (0, 1)
    high = max(high, low + 1)
    scale = (width - left - 130) / (high - low)
    bottom = 14.0 + 30 * len(items)

    def x(value: float) -> float:
        return left + (math.log10(value) - low) * scale

    parts = [f'<path class="grid" d="M{x(10.0**k):.1f} 4V{bottom:.1f}"/>' for k in range(low, high + 1)]
    for k in range(low, high + 1):
        words = number(10.0**k)
        parts.append(
            f'<text class="small" text-anchor="middle" x="{x(10.0**k):.1f}" y="{bottom + 14:.1f}">{words}</text>'
        )
    for position, (label, before, after) in enumerate(items):
        y = 10.0 + 30 * position
        start, end = sorted((x(before), x(after)))
        colour = "bad" if after > before else "good"
        factor = f"×{number(after / before)}" if after > before else f"÷{number(before / after)}"
        named = f'<text x="4" y="{y + 15:.1f}">{escape(_cut(label, left))}<title>{escape(label)}</title></text>'
        parts.append(f'<a href="{escape(links[position])}">{named}</a>' if position < len(links) else named)
        fall = "" if position + 1 == len(items) else f'<path class="limit" d="M{x(after):.1f} {y + 20:.1f}v10"/>'
        parts.append(
            f'<rect class="{colour} soft" x="{start:.1f}" y="{y:.1f}" width="{max(end - start, 2):.1f}" height="20"/>'
            f"{fall}"
            f'<text x="{end + 6:.1f}" y="{y + 15:.1f}">{factor}, {shown(after)}</text>'
        )
    words = "; ".join(f"{label}: {number(before)} to {number(after)}" for label, before, after in items)
    kind = "chart-svg linked" if links else "chart-svg"
    drawn = svg(width, bottom + 22, f"Waterfall of factors on a logarithmic axis. {words}.", parts, kind)
    return drawn.replace('role="img"', 'role="group"', 1) if links else drawn
