"""The race section: what `lemmalab race PROBLEM --json` and `lemmalab race acceleration --json` wrote."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from markupsafe import Markup

from numerics.race import distinct
from reports.charts import Chart, Level, Series, draw
from reports.charts.curves import Style
from reports.site.figure import Figure
from reports.site.tables import Section, Table
from theory.ledger.storage import LedgerError, read_json
from theory.reading.numbers import about

CALLED = {
    "sada": "SADA", "asgd": "accelerated SGD", "sgd": "averaged SGD", "sgd-decay": "SGD, step decay",
    "streaming-svrg": "streaming SVRG", "root-sgd": "ROOT-SGD", "erm": "empirical minimiser",
}  # fmt: skip
READINGS = {"printed": "as printed", "sharpened": "sharper"}
ABSENT = (
    "No race was given, so that none is shown. Run `lemmalab race least-squares --json > race.json`, then "
    "`lemmalab report --race race.json`."
)


def race_section(files: Sequence[Path]) -> Section | None:
    """All races that were given, in order; None when there are none."""
    if not files:
        return None
    parts = [_one(file, position) for position, file in enumerate(files, start=1)]
    return Section(
        tuple(word for part in parts for word in part.words),
        tuple(figure for part in parts for figure in part.figures),
        tuple(table for part in parts for table in part.tables),
    )


def _one(file: Path, position: int) -> Section:
    body = read_json(file)
    try:
        if isinstance(body, dict) and "curves" in body:
            return _curves(body, position)
        if isinstance(body, dict) and "needed" in body:
            return _acceleration(body, position)
    except (KeyError, TypeError, ValueError, AttributeError, IndexError) as error:
        raise LedgerError(
            f"{file} is no race that can be read ({type(error).__name__}: {error}); write it with "
            "`lemmalab race PROBLEM --json`"
        ) from None
    raise LedgerError(f"{file} holds neither curves nor needed samples; write it with `lemmalab race PROBLEM --json`")


def _curves(body: Mapping[str, Any], position: int) -> Section:
    sizes = [float(n) for n in body["sizes"]]
    series = [_series(called(name), sizes, points) for name, points in body["curves"].items()]
    rows = [
        (s.name, n, y, lo, hi)
        for s in series
        for n, y, lo, hi in zip(s.x, s.y, s.low or s.y, s.high or s.y, strict=True)
    ]
    beyond = _theorem(body, position)
    bounds = [] if beyond else list(_bounds(body["bounds"]))
    rows += [(s.name, n, y, y, y) for s in bounds for n, y in zip(s.x, s.y, strict=True)]
    problem = _problem(body)
    chart = Chart(problem, "samples", "excess risk", (*series, *bounds), log_x=True, log_y=True)
    seeds = len(body["seeds"])
    figure = Figure(
        f"race-{position}",
        f"Excess risk against samples: {problem}",
        f"Mean over {seeds} streams with 95% bands. " + _bounds_words(bool(bounds), beyond is not None),
        draw(chart),
        ("method", "samples", "excess_risk", "low", "high"),
        tuple(rows),
    )
    disagree = sum(not point["agrees"] for point in body.get("exact", ()))
    compared = len(body.get("exact", ()))
    words = [f"{problem[0].upper()}{problem[1:]}: {seeds} streams, {sizes[0]:.0f} to {sizes[-1]:.0f} samples."]
    if compared:
        words.append(
            f"Monte Carlo and the exact engine {'agree at all' if not disagree else f'disagree at {disagree} of'} "
            f"{compared} sizes."
        )
    if beyond is not None:
        words.append(
            "The theorem speaks of many more samples than anybody runs: its bounds stand in a figure of their own, over"
            " the range in which they exist, beside the exact expected risk of the algorithm that each of them bounds."
        )
    return Section(tuple(words), (figure, *((beyond,) if beyond else ())), (_methods(problem, body["methods"]),))


def _bounds_words(drawn: bool, apart: bool) -> str:
    if apart:
        return "The theorem's bounds have a figure of their own."
    return "Dashed: the theorem's bounds." if drawn else "The theorem gives no bound for so few samples."


def _theorem(body: Mapping[str, Any], position: int) -> Figure | None:
    """The bounds where they can be seen, and the truth beside them; None for a race that knows none."""
    points = [p for p in body.get("theorem", ()) if p["total"] is not None]
    if not points:
        return None
    series, rows, bounds, truths = [], [], {}, {}
    for reading in dict.fromkeys(str(p["reading"]) for p in points):
        own, said = [p for p in points if p["reading"] == reading], READINGS.get(reading, reading)
        bounds[f"bound, {said}"] = [(float(p["n"]), float(p["total"])) for p in own]
        truths[said] = [(float(p["n"]), float(p["truth"])) for p in own if p["truth"] is not None]
    solid = {f"truth, {name}": drawn for name, drawn in distinct(truths).items()}
    for colour, (name, drawn) in enumerate((bounds | solid).items()):
        xs, ys = [n for n, _ in drawn], [y for _, y in drawn]
        style: Style = "dash" if name in bounds else "line"
        series.append(Series(name, xs, ys, style=style, markers=name in bounds, colour=colour))
        rows += [(name, n, y) for n, y in drawn]
    problem = _problem(body)
    levels = (Level(float(body["start"]), "start"),) if body.get("start") else ()
    chart = Chart(f"The theorem on {problem}", "samples", "excess risk", tuple(series), True, True, levels)
    return Figure(
        f"race-{position}-theorem",
        f"The theorem's bounds where they can be seen: {problem}",
        "Dashed: the bound of each reading of the theorem. Solid: the exact expected risk of the algorithm that it"
        " bounds; readings that bound the same algorithm share one curve. A bound above the line of the start says"
        " nothing; the printed one grows, because its exponential lacks the minus sign.",
        draw(chart),
        ("curve", "samples", "excess_risk"),
        tuple(rows),
    )


def _series(name: str, sizes: Sequence[float], points: Sequence[Mapping[str, Any] | None]) -> Series:
    kept = [(n, p) for n, p in zip(sizes, points, strict=True) if p is not None]
    value = [float(p["value"]) for _, p in kept]
    low = [float(p["value"] if p["low"] is None else p["low"]) for _, p in kept]
    high = [float(p["value"] if p["high"] is None else p["high"]) for _, p in kept]
    return Series(name, [n for n, _ in kept], value, low, high, markers=True)


def _bounds(points: Sequence[Mapping[str, Any]]) -> Iterator[Series]:
    for reading in dict.fromkeys(str(point["reading"]) for point in points):
        own = [(float(p["n"]), float(p["total"])) for p in points if p["reading"] == reading and p["total"] is not None]
        if own:
            yield Series(
                f"bound, {READINGS.get(reading, reading)}", [n for n, _ in own], [b for _, b in own], style="dash"
            )


def _interval(value: Mapping[str, Any] | None) -> Markup:
    if value is None:
        return Markup("–")
    ends = [value["low"], value["high"]]
    told = "" if None in ends else f" [{about(ends[0], 3)}, {about(ends[1], 3)}]"
    return Markup("{}{}").format(about(float(value["value"]), 3), told)


def called(method: str) -> str:
    """A method as people write it; what is not known stays as it is."""
    return CALLED.get(method, method)


def _problem(body: Mapping[str, Any]) -> str:
    return (
        str(body["problem"]).replace("kappa", "κ").replace("dim = ", "d = ").replace("least-squares", "least squares")
    )


def _methods(problem: str, rows: Sequence[Mapping[str, Any]]) -> Table:
    return Table(
        f"Methods on {problem}",
        ("method, mean and 95% interval", "final excess risk", "samples to the target", "slope", "failures"),
        tuple(
            (
                called(str(r["method"])),
                _interval(r["final"]),
                _interval(r["reached"]),
                _interval(r["slope"]),
                str(r["failures"]),
            )
            for r in rows
        ),
    )


def _acceleration(body: Mapping[str, Any], position: int) -> Section:
    kappas = [float(k) for k in body["conditions"]]
    series, rows = [], []
    for needed in body["needed"]:
        one = _series(called(str(needed["entrant"])), kappas, needed["samples"])
        series.append(one)
        rows += [(one.name, k, s) for k, s in zip(one.x, one.y, strict=True)]
    chart = Chart("Samples needed against κ", "κ = R²/μ", "samples", tuple(series), log_x=True, log_y=True)
    figure = Figure(
        f"race-{position}",
        "Samples needed against the condition number",
        f"Least squares without label noise, samples to {body['fraction']:g} of the start's risk.",
        draw(chart),
        ("method", "kappa", "samples"),
        tuple(rows),
    )
    table = Table(
        "Measured exponents of `kappa`",
        ("method", "exponent"),
        tuple((called(str(n["entrant"])), _interval(n["exponent"])) for n in body["needed"]),
    )
    return Section((), (figure,), (table,))
