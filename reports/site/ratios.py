"""Bound against truth: one picture of all results, and for each statement its values and what they depend on."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from reports.charts import Chart, Level, Row, Series, Span, draw, spans
from reports.charts.spans import KINDS
from reports.site.figure import Figure
from reports.site.tables import Brought, Section, Table
from reports.site.words import anchor, plural
from theory.ratios import Reading, Result, as_rows
from theory.ratios.result import COLUMNS
from theory.ratios.sides import AT_ONE
from theory.reading.numbers import about, ratio

if TYPE_CHECKING:
    from theory.project import Project

GREEK = {
    "alpha": "α", "beta": "β", "gamma": "γ", "delta": "δ", "epsilon": "ε", "varepsilon": "ε", "eta": "η", "theta": "θ",
    "kappa": "κ", "lambda": "λ", "mu": "μ", "sigma": "σ", "tau": "τ", "rho": "ρ", "ell": "ℓ", "Sigma": "Σ", "xi": "ξ",
    "zeta": "ζ", "omega": "ω", "phi": "φ", "Omega": "Ω", "Pi": "Π",
}  # fmt: skip
SHORT = {"kt": "κ̃", "lam": "λ", "gam": "γ"}
Symbols = Mapping[str, str]  # the LaTeX of a name


def section(results: Sequence[Result]) -> Brought:
    """What the overview at the top of the page counts, in words."""
    bounds = [r for r in results if r.what == "bound"]
    failing = [r for r in bounds if r.fails]
    empty = [r.id for r in results if not r.data]
    words = [
        f"{plural(len(results), 'statement')}, of which {len(bounds)} claim a bound and "
        f"{sum(r.what == 'identity' for r in results)} an identity (its ratio is 1). The right side is evaluated from "
        "the claim itself; the left side is computed on designs by exact dynamics or simulation, or, where there are "
        "no designs, both sides at random points that satisfy the hypotheses. A ratio counts only where the bound is "
        "positive and both sides have values. All results stand in the picture at the top of the page and in the "
        "table below; a statement has its own pictures, and what its ratio depends on, where it is opened. Both sides "
        f"of an identity are computed apart; {about(AT_ONE)} from 1 counts as 1, for floats do not tell them apart.",
        f"The bound as printed fails for {plural(len(failing), 'statement')} at a design or an exact witness (✕)."
        + (f" No data: {', '.join(empty)}." if empty else ""),
    ]
    return Brought("ratios", "Ratios", "Bound against truth", Section(tuple(words), (), (_table(results),)))


def _table(results: Sequence[Result]) -> Table:
    """Every result in a row: the worst ratio of each kind of reading, over how much, and where the first of them is."""
    columns = ("statement", *(f"{kind}, worst" for kind in KINDS), "values", "designs", "the worst is at")
    rows = []
    for one in results:
        best = [one.best(kind) for kind in KINDS]
        worst = ["–" if r is None else ratio(r.worst_known) + (" ✕" if r.fails else "") for r in best]
        where = "–" if one.shown is None else notation(one.shown.where)
        rows.append((one.id, *worst, str(one.trials), str(one.designs) if one.designs else "–", where))
    return Table(f"Truth over bound, all {len(results)} statements in numbers", columns, tuple(rows), folded=True)


def overview(results: Sequence[Result], symbols: Symbols | None = None) -> Figure:
    """All results on one axis, the ones that fail first, then by slack."""
    order = sorted(results, key=lambda r: (not r.data, -height(r)))
    rows = [Row(r.id.removeprefix("lem:"), _spans(r, symbols), f"#{anchor(r.id)}", _why(r)) for r in order]
    trials = sum(r.trials for r in results)
    return Figure(
        "ratios",
        "Truth over bound for every statement",
        f"Bars run from the median to the worst of {trials:,} values. Median and worst are over the designs and points "
        "that were tried: they measure slack, and prove nothing. Arrows lie beyond the axis.",
        spans(rows, f"Truth over bound for {len(results)} statements, sorted by slack."),
        COLUMNS,
        tuple(as_rows(results)),
    )


def height(result: Result) -> float:
    shown = result.shown
    if shown is None:
        return -math.inf
    worst = shown.worst_known or 0.0
    return max(worst, 1.0 + 1e-6) if shown.fails else worst


def _why(result: Result) -> str:
    reasons = list(dict.fromkeys(r.missing for r in result.readings if r.missing))
    return f"no data: {reasons[0]}" if reasons else "no data"


def _spans(result: Result, symbols: Symbols | None) -> tuple[Span, ...]:
    best = [(kind, result.best(words)) for kind, words in enumerate(KINDS)]
    return tuple(_span(kind, reading, symbols) for kind, reading in best if reading is not None)


def _span(kind: int, r: Reading, symbols: Symbols | None, dots: bool = False) -> Span:
    values = tuple(value for _, value in r.values) if dots else ()
    return Span(kind, r.median, r.worst, _tip(r, symbols), r.fails, r.at_witness, values)


def _tip(r: Reading, symbols: Symbols | None) -> str:
    sampled = f"{r.trials} values" + (f", {plural(r.designs, 'design')}" if r.source == "designs" else " at points")
    spread = f" (95% interval {ratio(r.spread[0])} to {ratio(r.spread[1])})" if r.spread else ""
    middle = f"median {ratio(r.median)}, " if r.median is not None else ""
    return f"{r.kind}: {middle}worst {ratio(r.worst_known)}{spread} at {notation(r.where, symbols)}; {sampled}"


def figures(results: Sequence[Result], symbols: Symbols | None = None) -> dict[str, list[Figure]]:
    """Pictures by statement: the values of every reading, then the curves."""
    return {r.id: [_values(r, symbols), *_curves(r)] for r in results if r.readings}


def _values(result: Result, symbols: Symbols | None) -> Figure:
    drawn = [r for r in result.readings if _worth(r, result)]
    rows = [
        Row(_name(drawn, r), (_span(KINDS.index(r.kind), r, symbols, dots=True),), note="")
        if r in result.data
        else Row(_name(drawn, r), (), note=f"no data: {r.missing}")
        for r in drawn
    ]
    worst = result.shown
    words = (
        f"{worst.kind.capitalize()} the largest is {ratio(worst.worst_known)}, at {notation(worst.where, symbols)}."
        if worst is not None
        else "There is no data."
    )
    counts = f"{plural(result.trials, 'value')}" + (f", {plural(result.designs, 'design')}" if result.designs else "")
    left_out = any(r.missing for r in result.data if r.source == "designs")
    return Figure(
        f"{result.id}/ratios",
        "Truth over bound" if result.what == "bound" else "Left side over right side",
        f"{words} {counts}."
        + (
            " Dots are single values over designs."
            if result.designs
            else " Both sides at random points that satisfy the hypotheses."
        )
        + _simulated(result)
        + (f" Values outside a reading's hypotheses do not count: `lemmalab ratios {result.id}`." if left_out else ""),
        spans(rows, f"Truth over bound for the readings of {result.id}."),
        ("check", "reading", "from", "where", "ratio"),
        tuple(_numbers(result)),
    )


def _numbers(result: Result) -> list[tuple[object, ...]]:
    found: list[tuple[object, ...]] = []
    for r in result.readings:
        found += [(r.key, r.kind, r.source, name, value) for name, value in r.values]
        if not r.values and r.worst is not None:
            found += [(r.key, r.kind, r.source, "median", r.median), (r.key, r.kind, r.source, r.where, r.worst)]
        if r.at_witness is not None:
            found.append((r.key, r.kind, "witness", r.where, r.at_witness))
    return found


def _worth(r: Reading, result: Result) -> bool:
    """Designs speak for a reading; its points are drawn beside them where they fail or come closer to the bound."""
    others = [one for one in result.data if one.key == r.key and one is not r]
    if r not in result.data:
        return not others
    best = max((one.worst_known or 0.0 for one in others if one.source == "designs"), default=None)
    return r.source == "designs" or best is None or r.fails or (r.worst_known or 0.0) > best


def _simulated(result: Result) -> str:
    """Means of runs with their intervals, in words."""
    told = [
        f"{_name((r,), r)} {ratio(value)} [{ratio(low)}, {ratio(high)}]"
        for r in result.readings
        for _, value, low, high in r.simulated
    ]
    where = next((place for r in result.readings for place, *_ in r.simulated), "")
    return f" Simulated with 95% intervals ({where}): {'; '.join(told)}; all other designs are exact." if told else ""


def _name(readings: Sequence[Reading], r: Reading) -> str:
    part = r.key.partition("#")[2]
    several = sum(other.key == r.key for other in readings) > 1
    return r.kind + (f": {_spoken(part)}" if part else "") + (f" ({r.source})" if several else "")


def _spoken(part: str) -> str:
    """`T theta >= 8` as T θ ≥ 8: the Greek letters and signs of a part's name."""
    words = re.sub(r"[A-Za-z_]+", lambda m: GREEK.get(m[0], SHORT.get(m[0], m[0])), part)
    return words.replace(">=", "≥").replace("<=", "≤").replace("R^2", "R²")


def _curves(result: Result) -> list[Figure]:
    found = []
    for parameter in dict.fromkeys(c.parameter for c in result.curves):
        own = [c for c in result.curves if c.parameter == parameter]
        kinds = {r.key: _name((r,), r) for r in result.readings if r.source == "designs"}
        series = tuple(
            Series(
                kinds.get(c.key, c.key) if c.name.startswith(c.key) else c.name,
                c.x, _drawn(c.ratio), _band(c.low), _band(c.high), markers=len(c.x) < 15,
            )
            for c in own
        )  # fmt: skip
        values = [v for c in own for v in c.ratio if v is not None and v > 0]
        if not values:
            continue
        low, high = max(min(values) / 2, 1e-12), min(max(2.0, 2 * max(values)), 1e12)
        chart = Chart(
            "", parameter, "truth ÷ bound", series, log_x=True, log_y=True, levels=(Level(1.0, "the bound"),),
            y_range=(low, high), height=320, width=680, describe=f"Truth over bound of {result.id} along {parameter}.",
        )  # fmt: skip
        rows = tuple(
            (s.name, x, v) for s, c in zip(series, own, strict=True) for x, v in zip(c.x, c.ratio, strict=True)
        )
        designs = dict.fromkeys(c.name.removeprefix(c.key).lstrip(", ") for c in own if c.name.startswith(f"{c.key}, "))
        words = f"Above 1 the bound fails. The largest value drawn is {ratio(max(values))}."
        words += f" Design: {'; '.join(designs)}." if designs else ""
        columns = ("curve", parameter, "ratio")
        found.append(Figure(f"{result.id}/{parameter}", f"Along {parameter}", words, draw(chart), columns, rows))
    return found


def _drawn(values: Sequence[float | None]) -> list[float]:
    return [math.nan if v is None else min(v, 1e300) for v in values]


def _band(values: Sequence[float | None]) -> list[float] | None:
    return _drawn(values) if values else None


def notation(words: str, symbols: Symbols | None = None) -> str:
    """`kt = 3, lam = 0.1` as the paper writes it: κ̃ = 3, λ = 0.1."""
    return re.sub(
        r"(?<![\w.])([A-Za-z][A-Za-z_0-9]*)(?=(?:\[[\d, ]+\])? = )", lambda m: _letter(m[1], symbols or {}), words
    )


def letters(project: Project) -> Symbols:
    """The names of a project's symbols file, with their aliases."""
    from theory.reading.latex.notation import read_notation

    file = project.file("symbols")
    return {name: glyph.latex for name, glyph in read_notation(file).glyphs.items()} if file.is_file() else {}


def _letter(name: str, symbols: Symbols) -> str:
    latex = re.sub(r"[_^](?:\{#\d\}|#\d)", "", symbols.get(name, f"\\{name}" if name in GREEK else name))
    plain = re.sub(r"\\(?:mathbf|boldsymbol|mathrm|text|operatorname)\{([^{}]*)\}", r"\1", latex)
    plain = re.sub(r"\\([A-Za-z]+)", lambda m: GREEK.get(m[1], m[0]), plain)
    plain = re.sub(r"\\tilde\{?([^{}\\])\}?", "\\1\u0303", plain)
    plain = plain.replace("^2", "²").replace("{", "").replace("}", "")
    return name if "\\" in plain or not plain else plain
