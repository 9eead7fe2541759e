"""lemmalab race: SADA and its rivals on the same stream."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from reports.cli.common import (
    FINE,
    INCONCLUSIVE,
    INTERRUPTED,
    SHORT,
    USAGE,
    Stop,
    jobs_option,
    json_option,
    print_json,
    table,
    writable,
)
from reports.cli.progress import bar

if TYPE_CHECKING:
    from numerics.race import Acceleration, Interval, ProblemSpec, Summary
    from reports.charts import Chart

SEEDS = 16


@click.command("race", short_help="Run SADA and its rivals on the same stream.")
@click.argument("problem")
@click.option("--kappa", type=float, help="Condition number of Sigma (1e1 ... 1e5).")
@click.option("--dim", type=int, help="Dimension.")
@click.option("--noise", type=float, help="Standard deviation of the label noise.")
@click.option("--alpha", type=float, help="Condition number of the loss (logistic, two-curvature).")
@click.option("--delta", type=float, help="Where l_delta changes its curvature (two-curvature).")
@click.option("--nu", type=float, help="Degrees of freedom (heavy-tails).")
@click.option("--label", help="Label column of a table.  [default: the last one]")
@click.option("--loss", type=click.Choice(["squared", "logistic"]), help="Loss for a table.  [default: squared]")
@click.option("--raw", is_flag=True, help="Take a table as it is: no scaling, no constant column.")
@click.option(
    "--methods", help="METHOD or METHOD/PRESET, separated by commas; variants: all of SADA.  [default: the rivals]"
)
@click.option("--samples", type=click.IntRange(min=2), default=1_000_000, show_default=True, help="Longest run.")
@click.option("--seeds", type=click.IntRange(min=1), default=SEEDS, show_default=True, help="Independent streams.")
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True, help="The first of the seeds.")
@click.option("--target", type=float, help="Excess risk to reach.  [default: a hundredth of the start's]")
@click.option(
    "--figure", type=click.Path(dir_okay=False, path_type=Path), help="SVG file.  [default: race-PROBLEM.svg]"
)
@click.option(
    "--theorem",
    "theorem_path",
    type=click.Path(dir_okay=False, path_type=Path),
    help="SVG file of the theorem's bounds beside the truth.  [default: FIGURE with -theorem]",
)
@click.option(
    "--csv", "csv_path", type=click.Path(dir_okay=False, path_type=Path), help="Also write the curves as CSV."
)
@jobs_option
@json_option
@click.pass_context
def command(
    ctx: click.Context,
    /,
    problem: str,
    methods: str | None,
    samples: int,
    seeds: int,
    seed: int,
    target: float | None,
    figure: Path | None,
    theorem_path: Path | None,
    csv_path: Path | None,
    jobs: int | None,
    as_json: bool,
    **options: Any,
) -> None:
    """Excess risk against samples for every method, on shared streams, with bands, fits and a figure.

    A second figure shows the theorem's bounds where they can be seen, mostly beyond the longest run, beside the exact
    expected risk of the algorithms that they bound (least squares with independent noise).

    \b
    PROBLEM is least-squares, misspecified, logistic, two-curvature, one-hot, heavy-tails,
    the path of a .csv or .parquet (its rows are the population), or
    acceleration: samples needed against kappa = 1e1 ... 1e5, without noise.

    \b
      lemmalab race least-squares --kappa 1e4
      lemmalab race two-curvature --alpha 100 --samples 300000
      lemmalab race mine.csv --label price
      lemmalab race acceleration

    Exits with 1 when Monte Carlo and the exact engine disagree, with 3 when no method gave a result.
    """
    from numerics.errors import OptimizerError

    path = figure or Path(f"race-{Path(problem).stem}.svg")
    second = theorem_path or path.with_stem(f"{path.stem}-theorem")
    for file in (path, second, csv_path):
        if file is not None:
            writable(file)
    try:
        if problem == "acceleration":
            ctx.exit(_acceleration(methods, range(seed, seed + seeds), path, processes(jobs), as_json, options))
        ctx.exit(
            _race(
                problem,
                methods,
                samples,
                range(seed, seed + seeds),
                target,
                path,
                second,
                csv_path,
                processes(jobs),
                as_json,
                options,
            )
        )
    except OptimizerError as error:
        raise Stop(str(error), USAGE) from None


def processes(jobs: int | None) -> int:
    """--jobs, else LEMMALAB_JOBS, else one for each core."""
    said = os.environ.get("LEMMALAB_JOBS", "")
    if jobs is None and said and not (said.isdecimal() and int(said) > 0):
        raise Stop(f"LEMMALAB_JOBS = {said!r} is no number of processes; set it to 1 or more, or unset it", USAGE)
    return jobs or int(said or 0) or os.cpu_count() or 1


def _race(
    name: str,
    methods: str | None,
    samples: int,
    seeds: range,
    target: float | None,
    path: Path,
    second: Path,
    csv_path: Path | None,
    jobs: int,
    as_json: bool,
    options: dict[str, Any],
) -> int:
    from numerics.race import RacePlan, entrants, geometric_sizes, race, rivals, summarise

    if target is not None and not target > 0:
        raise Stop(f"--target {target:g} must be positive; excess risks are", USAGE)
    spec = _spec(name, options)
    racing = entrants(methods or ",".join(rivals(spec.build())))
    plan = RacePlan(spec, racing, geometric_sizes(samples), tuple(seeds))
    with bar(f"racing {plan.problem.name}") as advance:
        result = race(plan, jobs=jobs, progress=lambda part: advance(round(1000 * part), 1000))
    found = summarise(result, target=target)
    from reports.charts import draw
    from theory.ledger.storage import write_atomically

    write_atomically(path, draw(chart(found)))
    write_atomically(second, draw(theorem_chart(found)))
    if csv_path is not None:
        write_atomically(csv_path, found.csv())
    if as_json:
        print_json(found.record() | {"figure": str(path), "theorem_figure": str(second)})
    else:
        _print(found)
        click.echo(f"figures: {path}, {second}" + (f"; curves: {csv_path}" if csv_path else ""))
    if len(found.seeds) < len(seeds):
        click.echo(f"interrupted: all of this is of the {len(found.seeds)} finished streams of {len(seeds)}", err=True)
        return INTERRUPTED
    if all(point is None for curve in found.curves.values() for point in curve):
        return INCONCLUSIVE
    return SHORT if found.disagreements else FINE


def _spec(name: str, options: dict[str, Any]) -> ProblemSpec:
    from numerics.race import ProblemSpec

    given = {key: value for key, value in options.items() if value is not None and value is not False}
    return ProblemSpec.of(name, given)


def chart(found: Summary) -> Chart:
    """Excess risk against samples, with the exact expectations and the optimum."""
    from reports.charts import Chart, Level, Series

    series = []
    for name, curve in found.curves.items():
        drawn = [(n, p) for n, p in zip(found.sizes, curve, strict=True) if p is not None]
        if drawn:
            low = [p.value if p.low is None else p.low for _, p in drawn]
            high = [p.value if p.high is None else p.high for _, p in drawn]
            series.append(Series(name, [n for n, _ in drawn], [p.value for _, p in drawn], low, high, markers=True))
    for method in dict.fromkeys(p.method for p in found.exact):
        points = [(p.n, p.exact) for p in found.exact if p.method == method]
        xs, ys = [n for n, _ in points], [value for _, value in points]
        series.append(Series(f"{method}, exact", xs, ys, style="dash", colour=8))
    if found.optimum is not None:
        best = [found.optimum / n for n in found.sizes]
        series.append(Series("optimum as n grows", found.sizes, best, style="dots", colour=8, scales=False))
    levels = (Level(found.target, "target"),)
    return Chart(found.problem, "samples", "excess risk", tuple(series), log_x=True, log_y=True, levels=levels)


def theorem_chart(found: Summary) -> Chart:
    """The bound of every reading over the samples at which it is one, and the exact risk of the SADA that it bounds."""
    from numerics.race import distinct
    from reports.charts import Chart, Level, Series

    series, truths = [], {}
    for k, reading in enumerate(dict.fromkeys(p.bound.reading for p in found.theorem)):
        own = [p for p in found.theorem if p.bound.reading == reading]
        drawn = [(p.bound.n, p.bound.total) for p in own if p.bound.total is not None]
        xs, ys = [n for n, _ in drawn], [value for _, value in drawn]
        low = any(value <= found.start for value in ys)  # a bound that never says anything does not decide the axes
        series.append(Series(f"bound, {reading}", xs, ys, style="dash", markers=True, colour=k, scales=low))
        truths[reading] = [(float(p.bound.n), p.truth) for p in own if p.truth is not None]
    for k, (readings, known) in enumerate(distinct(truths).items(), len(truths)):
        places, values = [n for n, _ in known], [truth for _, truth in known]
        series.append(Series(f"truth, {readings}", places, values, colour=k))
    title = f"The theorem on {found.problem}"
    levels = (Level(found.start, "start"),)
    return Chart(title, "samples", "excess risk", tuple(series), log_x=True, log_y=True, levels=levels)


def _print(found: Summary) -> None:
    click.echo(f"{found.problem}; {len(found.seeds)} streams, seeds {found.seeds[0]} to {found.seeds[-1]}")
    click.echo(f"excess risk at the start {found.start:.3g}, target {found.target:.3g}; intervals are 95%\n")
    n = found.sizes[-1]
    rows = [("method", "samples to target", f"excess risk at {n}", "slope", "tau", "C", "C/optimum", "misfit")]
    for row in found.rows:
        terms, c = row.terms, "-"
        if terms is not None and found.optimum:
            c = f"{terms.statistical.value / found.optimum:.2g}"
        rows.append(
            (
                row.method,
                _with(row.reached, "{:.0f}") if row.reached else _beyond(found, row.method),
                _with(row.final, "{:.3g}"),
                _with(row.slope, "{:.2f}"),
                _with(terms.tau if terms else None, "{:.3g}"),
                _with(terms.statistical if terms else None, "{:.3g}"),
                c,
                f"{terms.misfit:.2f}" if terms else "-",
            )
        )
    for line in table(rows):
        click.echo(line)
    click.echo("\nslope: of log(risk) over the last three sizes; -1 is the statistical rate")
    click.echo("fit: risk = A exp(-n/tau) + C/n; misfit is the largest factor between curve and fit")
    if found.optimum is not None:
        click.echo(f"optimum: {found.optimum:.4g}/n is what the empirical minimiser tends to")
    for row in found.rows:
        if row.rows > n:
            click.echo(f"{row.method}: samples are labelled ones; with the unlabelled it took {row.rows} rows at {n}")
        if row.failures:
            click.echo(
                f"{row.method}: {row.failures} of {len(found.sizes) * len(found.seeds)} runs gave no result; "
                f"{row.first_failure}"
            )
    _print_exact(found)
    _print_bounds(found)


def _print_exact(found: Summary) -> None:
    if not found.exact:
        return
    inside, names = len(found.exact) - len(found.disagreements), dict.fromkeys(p.method for p in found.exact)
    click.echo(
        f"\nexact engine: the expectation of {', '.join(names)} lies in {inside} of {len(found.exact)} joint 99.9% "
        "intervals"
    )
    for p in found.disagreements:
        click.echo(f"  {p.method}, n = {p.n}: exact {p.exact:.4g}, measured {_with(p.interval, '{:.4g}')}")


def _print_bounds(found: Summary) -> None:
    click.echo(f"\nthe theorem at n = {found.sizes[-1]}, with the hyperparameters of each reading:")
    rows = []
    for b in (b for b in found.bounds if b.n == found.sizes[-1]):
        if b.total is None:
            rows.append((f"  {b.reading}", f"no bound: {b.why}"))
            continue
        parts = f"{b.optimization:.3g} optimization + {b.statistical:.3g} statistical + {b.misspecification:.3g}"
        vacuous = "; says nothing, it exceeds the start" if b.total > found.start else ""
        rows.append((f"  {b.reading}", f"{b.total:.3g} = {parts} misspecification (K = {b.K}, T = {b.T}){vacuous}"))
    for line in table(rows):
        click.echo(line)
    for reading in dict.fromkeys(p.bound.reading for p in found.theorem):
        own = [p.bound for p in found.theorem if p.bound.reading == reading]
        said = [b.n for b in own if b.total is not None and b.total < found.start]
        told = f"from n = {said[0]:.2g} on" if said else f"nowhere up to n = {own[-1].n:.2g}"
        click.echo(f"  {reading}: below the start's risk {told}")


def _beyond(found: Summary, method: str) -> str:
    """Where the target lies when no two sizes enclose it."""
    points = [(n, p.value) for n, p in zip(found.sizes, found.curves[method], strict=True) if p is not None]
    if not points:
        return "-"
    return f"> {points[-1][0]}" if points[-1][1] > found.target else f"< {points[0][0]}"


def _with(x: Interval | None, form: str) -> str:
    if x is None:
        return "-"
    ends = "" if x.low is None or x.high is None else f" [{form.format(x.low)}, {form.format(x.high)}]"
    return form.format(x.value) + ends


def _acceleration(
    methods: str | None, seeds: range, path: Path, jobs: int, as_json: bool, options: dict[str, Any]
) -> int:
    from dataclasses import asdict

    from numerics.errors import ParameterError
    from numerics.race import KAPPAS, RIVALS, Entrant, measure

    alien = [key for key, value in options.items() if value and key not in ("kappa", "dim")]
    if alien:
        raise ParameterError(f"acceleration: has no option {alien[0]!r}; it has kappa (the largest) and dim")
    largest = options["kappa"] or KAPPAS[-1]
    kappas = tuple(k for k in KAPPAS if k <= largest)
    if len(kappas) < 2:
        raise ParameterError(f"acceleration: kappa = {largest:g} leaves one point, no slope; give at least 100")
    names = methods.split(",") if methods else [m for m in RIVALS if m != "erm"]
    entrants = [Entrant.parse(text) for text in names]
    with bar("measuring samples against kappa") as advance:
        found = measure(
            entrants,
            kappas=kappas,
            seeds=seeds,
            dim=options["dim"] or 4,
            jobs=jobs,
            progress=lambda part: advance(round(1000 * part), 1000),
        )
    from reports.charts import draw
    from theory.ledger.storage import write_atomically

    write_atomically(path, draw(acceleration_chart(found)))
    if as_json:
        print_json(asdict(found) | {"figure": str(path)})
    else:
        _print_acceleration(found)
        click.echo(f"figure: {path}")
    return FINE if any(n.exponent for n in found.needed) else INCONCLUSIVE


def acceleration_chart(found: Acceleration) -> Chart:
    from reports.charts import Chart, Series

    series = []
    for needed in found.needed:
        drawn = [(k, s) for k, s in zip(found.conditions, needed.samples, strict=True) if s is not None]
        low = [s.value if s.low is None else s.low for _, s in drawn]
        high = [s.value if s.high is None else s.high for _, s in drawn]
        name = f"{needed.entrant}: {needed.exponent.value:.2f}" if needed.exponent else needed.entrant
        series.append(Series(name, [k for k, _ in drawn], [s.value for _, s in drawn], low, high, markers=True))
    title = f"Samples to {found.fraction:g} of the start's risk, no noise; measured exponents"
    return Chart(title, "kappa = R²/mu", "samples", tuple(series), log_x=True, log_y=True)


def _print_acceleration(found: Acceleration) -> None:
    click.echo(
        f"least squares without noise: samples to {found.fraction:g} of the start's risk, {len(found.seeds)} streams"
    )
    rows: list[Sequence[str]] = [("method", *(f"kappa(Sigma) = {k:g}" for k in found.kappas), "exponent in kappa")]
    for needed in found.needed:
        counts = [f"{s.value:.0f}" if s else "-" for s in needed.samples]
        rows.append((needed.entrant, *counts, _with(needed.exponent, "{:.3f}")))
    if found.exact_exponent is not None:
        counts = [f"{v:.0f}" if v else "-" for v in found.exact]
        rows.append(("sada, exact", *counts, f"{found.exact_exponent:.3f}"))
    for line in table(rows):
        click.echo(line)
