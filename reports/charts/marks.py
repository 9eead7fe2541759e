"""Pictures of the report beside line charts: bars and cascades. Plain SVG, light and dark.

Each function returns one <svg> that stands alone as a file; colours come from the page's variables where it sets them.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from html import escape

from theory.reading.numbers import about, power

INK, PAPER, GRID = "var(--figure-ink,#222)", "var(--figure-paper,#fff)", "var(--figure-grid,#d8d8d8)"
STYLE = (
    ".chart-svg{max-width:100%;height:auto}"
    f".chart-svg text{{font:12px system-ui,sans-serif;fill:{INK}}}.chart-svg .small{{font-size:11px}}"
    f".chart-svg .paper{{fill:{PAPER}}}.chart-svg .grid{{stroke:{GRID};fill:none}}"
    f".chart-svg .limit{{stroke:{INK};stroke-width:1.5;stroke-dasharray:5 3}}"
    ".chart-svg .good{fill:var(--figure-good,#1b6ca8)}.chart-svg .bad{fill:var(--figure-bad,#b3261e)}"
    ".chart-svg .none{fill:var(--figure-none,#9a9a9a)}.chart-svg .soft{opacity:.72}"
)
LETTER = 6.4
FURTHEST = (-12, 6)  # decades: what lies beyond stands at the end of the axis


Shown = Callable[[float], str]


def svg(width: float, height: float, words: str, parts: Sequence[str], kind: str = "chart-svg") -> str:
    """The frame of every picture, with its alternative text."""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="{kind}" role="img" viewBox="0 0 {width:.0f} {height:.0f}" '
        f'width="{width:.0f}" height="{height:.0f}" aria-label="{escape(words)}"><style>{STYLE}</style>'
        f'<rect class="paper" width="{width:.0f}" height="{height:.0f}"/>{"".join(parts)}</svg>'
    )


def _decades(values: Sequence[float]) -> tuple[int, int]:
    logs = [math.log10(v) for v in values if v > 0 and math.isfinite(v)]
    low = max(math.floor(min(logs, default=-1.0)), FURTHEST[0])
    return low, max(min(math.ceil(max(logs, default=0.0)), FURTHEST[1]), low + 1, 0)


def _cut(words: str, room: float) -> str:
    most = int((room - 10) / LETTER)
    return words if len(words) <= most else f"{words[: most - 1]}…"


def bars(items: Sequence[tuple[str, float]], width: int = 720, unit: str = "", shown: Shown | None = None) -> str:
    """Positive numbers as bars on a logarithmic axis, each with its value; `shown` writes it."""
    shown = shown or about
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
    bottom = 14.0 + 28 * len(items)
    for k in range(low, high + 1):
        at = left + (k - low) * scale
        parts.insert(0, f'<path class="grid" d="M{at:.1f} 4V{bottom:.1f}"/>')
        parts.append(f'<text class="small" text-anchor="middle" x="{at:.1f}" y="{bottom + 14:.1f}">{power(k)}</text>')
    words = "; ".join(f"{label}: {about(value)}{unit}" for label, value in items)
    return svg(width, bottom + 22, f"Bars on a logarithmic axis. {words}.", parts)


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
    shown = shown or about
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
        parts.append(
            f'<text class="small" text-anchor="middle" x="{x(10.0**k):.1f}" y="{bottom + 14:.1f}">{power(k)}</text>'
        )
    for position, (label, before, after) in enumerate(items):
        y = 10.0 + 30 * position
        start, end = sorted((x(before), x(after)))
        colour = "bad" if after > before else "good"
        factor = f"×{about(after / before)}" if after > before else f"÷{about(before / after)}"
        named = f'<text x="4" y="{y + 15:.1f}">{escape(_cut(label, left))}<title>{escape(label)}</title></text>'
        parts.append(f'<a href="{escape(links[position])}">{named}</a>' if position < len(links) else named)
        fall = "" if position + 1 == len(items) else f'<path class="limit" d="M{x(after):.1f} {y + 20:.1f}v10"/>'
        parts.append(
            f'<rect class="{colour} soft" x="{start:.1f}" y="{y:.1f}" width="{max(end - start, 2):.1f}" height="20"/>'
            f"{fall}"
            f'<text x="{end + 6:.1f}" y="{y + 15:.1f}">{factor}, {shown(after)}</text>'
        )
    words = "; ".join(f"{label}: {about(before)} to {about(after)}" for label, before, after in items)
    kind = "chart-svg linked" if links else "chart-svg"
    drawn = svg(width, bottom + 22, f"Waterfall of factors on a logarithmic axis. {words}.", parts, kind)
    return drawn.replace('role="img"', 'role="group"', 1) if links else drawn
