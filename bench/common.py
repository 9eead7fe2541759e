"""The harness: interleaved timing, ratios within one run, results.json, growth plots as plain SVG.

Times are CPU seconds of this process. Everything measured here runs in one thread, so CPU time is what one core needs
and a busy machine moves both sides of a ratio alike.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import platform
import sys
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

RESULTS = Path(__file__).with_name("results.json")
README = Path(__file__).parents[1] / "README.md"
_COLOURS = ("#1b6ca8", "#c44536", "#2a7f62", "#8d5a97", "#b8860b", "#444444", "#d1495b", "#00798c")


@dataclass(frozen=True)
class Row:
    """One line of the table: what was asked, what was measured, and whether it was met."""

    work: str
    asked: str
    measured: str
    accuracy: str
    met: bool


def interleaved(calls: Mapping[str, Callable[[], Any]], rounds: int = 5) -> dict[str, list[float]]:
    """CPU seconds of every call in every round; calls take turns, so that a slow moment hits all of them."""
    for call in calls.values():
        call()  # compile and warm
    times: dict[str, list[float]] = {name: [] for name in calls}
    for _ in range(rounds):
        for name, call in calls.items():
            times[name].append(seconds(call))
    return times


def seconds(call: Callable[[], Any], shortest: float = 2e-3) -> float:
    """CPU seconds of one call, repeated within the measurement when it is shorter than the clock can resolve."""
    repeats = 1
    while True:
        start = time.process_time()
        for _ in range(repeats):
            call()
        elapsed = time.process_time() - start
        if elapsed >= shortest:
            return elapsed / repeats
        repeats = max(2 * repeats, int(repeats * 1.5 * shortest / max(elapsed, 1e-7)))


def ratio(times: Mapping[str, Sequence[float]], slow: str, fast: str) -> float:
    """The median over rounds of time(slow) / time(fast)."""
    return median(s / f for s, f in zip(times[slow], times[fast], strict=True))


def median(values: Iterable[float]) -> float:
    ordered = sorted(values)
    middle = len(ordered) // 2
    return ordered[middle] if len(ordered) % 2 else (ordered[middle - 1] + ordered[middle]) / 2


def exponent(xs: Sequence[float], ys: Sequence[float]) -> float:
    """The slope of log y against log x by least squares."""
    lx, ly = [math.log(x) for x in xs], [math.log(y) for y in ys]
    mx, my = sum(lx) / len(lx), sum(ly) / len(ly)
    return sum((a - mx) * (b - my) for a, b in zip(lx, ly, strict=True)) / sum((a - mx) ** 2 for a in lx)


def machine() -> dict[str, str]:
    """What the figures were measured on."""
    import llvmlite.binding  # type: ignore[import-untyped]
    import numba
    import numpy
    import scipy

    return {
        "processor": llvmlite.binding.get_host_cpu_name(),
        "cores": str(os.cpu_count()),
        "system": platform.system(),
        "python": platform.python_version(),
        "numpy": numpy.__version__,
        "scipy": scipy.__version__,
        "numba": numba.__version__,
    }


def print_table(rows: Sequence[Row]) -> None:
    """The table on stdout."""
    head = ("work", "at least", "measured", "accuracy", "met")
    cells = [head, *((r.work, r.asked, r.measured, r.accuracy, "yes" if r.met else "NO") for r in rows)]
    widths = [max(len(row[k]) for row in cells) for k in range(len(head))]
    for k, row in enumerate(cells):
        print("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip())
        if k == 0:
            print("  ".join("-" * width for width in widths))


def put_table(command: str, rows: Sequence[str], readme: Path = README) -> None:
    """Replace what stands between `<!-- table: COMMAND -->` and `<!-- end -->`."""
    head, end = f"<!-- table: {command} -->\n", "<!-- end -->"
    before, found, rest = readme.read_text(encoding="utf-8").partition(head)
    if not found or end not in rest:
        raise ValueError(f"{readme}: has no table of `{command}`; put {head.strip()} and {end} where it is to stand")
    after = rest[rest.index(end) :]
    readme.write_text(before + head + "\n".join([*rows, after]), encoding="utf-8")


def record(section: str, rows: Sequence[Row], **extra: Any) -> Path:
    """Merge one section into results.json, leaving the others as they are."""
    held = json.loads(RESULTS.read_text()) if RESULTS.exists() else {}
    held[section] = {"machine": machine(), "rows": [asdict(row) | {"met": bool(row.met)} for row in rows], **extra}
    RESULTS.write_text(json.dumps(held, indent=1, sort_keys=True) + "\n")
    return RESULTS


def run_parts(
    section: str,
    parts: Mapping[str, Callable[[bool], list[Row]]],
    description: str | None,
    arguments: Sequence[str] | None,
) -> int:
    """The command line of a benchmark of several parts; recorded when all of them ran; 1 when a figure is missed."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="smaller references and fewer sizes; the table says which")
    parser.add_argument("--only", nargs="+", choices=parts, default=list(parts), help="parts to run")
    options = parser.parse_args(arguments)
    rows: list[Row] = []
    for name in options.only:
        print(f"{name} ...", file=sys.stderr)
        rows += parts[name](options.quick)
    print_table(rows)
    if options.only == list(parts):
        record(section, rows, quick=options.quick)
    return 0 if all(row.met for row in rows) else 1


def measured(call: Callable[[int], Callable[[], object]], sizes: Sequence[int]) -> list[tuple[float, float]]:
    """CPU seconds of call(size) for every size."""
    points = []
    for size in sizes:
        task = call(size)
        task()
        points.append((float(size), median(seconds(task) for _ in range(3))))
    return points


def growth_rows(panels: Mapping[str, Mapping[str, Sequence[tuple[float, float]]]], path: Path) -> list[Row]:
    """The figure, and one row for every curve: its exponent and its points."""
    growth_svg(panels, path, "CPU seconds")
    rows = []
    for title, series in panels.items():
        for name, points in series.items():
            slope = exponent([x for x, _ in points], [y for _, y in points])
            span = ", ".join(f"{x:g}: {1e3 * y:.3g} ms" for x, y in points)
            rows.append(Row(f"growth: {name}", title, f"exponent {slope:.2f}", span, True))
    return rows


def growth_svg(panels: Mapping[str, Mapping[str, Sequence[tuple[float, float]]]], path: Path, y_label: str) -> Path:
    """Log-log panels side by side, one polyline a series with its exponent in the legend."""
    width, height = 560, 420
    parts = [
        _panel(title, series, offset * width, width, height, y_label)
        for offset, (title, series) in enumerate(panels.items())
    ]
    total = width * len(panels)
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {total} {height}" width="{total}" height="{height}">'
    style = "<style>text{font:12px sans-serif;fill:#222}.axis{stroke:#999}.grid{stroke:#eee}</style>"
    path.write_text(f'{head}{style}<rect width="{total}" height="{height}" fill="white"/>{"".join(parts)}</svg>\n')
    return path


def _panel(
    title: str, series: Mapping[str, Sequence[tuple[float, float]]], left: int, width: int, height: int, y_label: str
) -> str:
    xs = [math.log10(x) for points in series.values() for x, _ in points]
    ys = [math.log10(y) for points in series.values() for _, y in points]
    x0, x1, y0, y1 = math.floor(min(xs)), math.ceil(max(xs)), math.floor(min(ys)), math.ceil(max(ys))
    inner_w, inner_h, top, side = width - 90, height - 120 - 16 * len(series), 40, left + 60

    def px(x: float) -> float:
        return side + (x - x0) / (x1 - x0) * inner_w

    def py(y: float) -> float:
        return top + (y1 - y) / (y1 - y0) * inner_h

    out = [f'<text x="{side}" y="24" font-weight="bold">{title}</text>']
    for k in range(x0, x1 + 1):
        out.append(f'<line class="grid" x1="{px(k):.1f}" x2="{px(k):.1f}" y1="{top}" y2="{top + inner_h}"/>')
        out.append(f'<text x="{px(k):.1f}" y="{top + inner_h + 16}" text-anchor="middle">1e{k}</text>')
    for k in range(y0, y1 + 1):
        out.append(f'<line class="grid" x1="{side}" x2="{side + inner_w}" y1="{py(k):.1f}" y2="{py(k):.1f}"/>')
        out.append(f'<text x="{side - 6}" y="{py(k) + 4:.1f}" text-anchor="end">1e{k}</text>')
    out.append(f'<rect class="axis" x="{side}" y="{top}" width="{inner_w}" height="{inner_h}" fill="none"/>')
    out.append(f'<text x="{side + inner_w}" y="24" text-anchor="end">{y_label}</text>')
    for k, (name, points) in enumerate(series.items()):
        colour = _COLOURS[k % len(_COLOURS)]
        line = " ".join(f"{px(math.log10(x)):.1f},{py(math.log10(y)):.1f}" for x, y in points)
        out.append(f'<polyline points="{line}" fill="none" stroke="{colour}" stroke-width="2"/>')
        for x, y in points:
            out.append(f'<circle cx="{px(math.log10(x)):.1f}" cy="{py(math.log10(y)):.1f}" r="3" fill="{colour}"/>')
        slope = exponent([x for x, _ in points], [y for _, y in points])
        y = top + inner_h + 40 + 16 * k
        out.append(f'<rect x="{side}" y="{y - 9}" width="12" height="4" fill="{colour}"/>')
        out.append(f'<text x="{side + 18}" y="{y}">{name}: exponent {slope:.2f}</text>')
    return "".join(out)
