"""lemmalab mutants: does the referee notice a slip?"""

from __future__ import annotations

from functools import partial
from typing import Any

import click

from reports.cli.common import FINE, INTERRUPTED, SHORT, json_option, keys_of, print_json, seed_option, split, table
from reports.cli.completion import ids as complete_ids
from reports.cli.progress import bar


@click.command("mutants", short_help="Plant slips in what is proved, and see which are caught.")
@click.argument("ids", metavar="[FILE.py] [ID]...", nargs=-1, shell_complete=complete_ids)
@click.option("--sample", type=click.IntRange(min=1), help="Try so many, evenly over the kinds of slip.")
@click.option("--most", type=click.IntRange(min=1), default=4, show_default=True, help="Of each kind, for each check.")
@click.option("--through", metavar="ID", help="Break everything that the proof of ID cites, one claim at a time.")
@click.option("--jobs", type=click.IntRange(min=1), default=2, show_default=True, help="Processes.")
@seed_option
@json_option
@click.pass_context
def command(
    ctx: click.Context,
    ids: tuple[str, ...],
    sample: int | None,
    most: int,
    through: str | None,
    jobs: int,
    seed: int,
    as_json: bool,
) -> None:
    """Plant one slip at a time (a sign, a constant, a factor, a power, an index, a symbol, a hypothesis) in every
    reading and step that is proved, and referee the result.

    A mutant is killed by an exact witness, equivalent when the kernel proves it too (then it sharpens the original),
    weaker when it claims less than the original, or it survives. Exits with 1 when the kill rate misses its goal.

    With --through ID every claim that the proofs of ID rest on is made empty, then false, and the kernel judges what
    stands above it from the certificates that were kept. ID must fall each time: what survives is cited and not used.
    """
    if through is not None:
        from reports.cli.through import broken_through

        ctx.exit(broken_through(split(ids)[0], through, seed, as_json))
    from theory.mutants.mutants import Fate, chosen, decided, rates
    from theory.project import elsewhere

    project, wanted = split(ids)
    checks = [project.find(key) for key in keys_of(wanted, project)] if wanted else list(project.checks.values())
    made, outcomes, code = chosen(checks, sample, most, seed), [], FINE
    try:
        with bar("mutants") as advance:
            advance(0, len(made))
            for outcome in decided(made, partial(elsewhere, project.source), seed=seed, jobs=jobs):
                outcomes.append(outcome)
                advance(len(outcomes), len(made), outcome.origin)
    except KeyboardInterrupt:
        click.echo(f"interrupted; {len(outcomes)} of {len(made)} mutants are decided", err=True)
        code = INTERRUPTED
    rows = rates(outcomes)
    if as_json:
        print_json({"table": rows, "mutants": [outcome.to_json() for outcome in outcomes]})
    else:
        for line in table([_HEAD, *(_line(row) for row in rows)]):
            click.echo(line)
        for outcome in outcomes:
            if outcome.fate == Fate.SURVIVED.value:
                click.echo(f"survived  {outcome.origin}  {outcome.words}: {outcome.by}")
    ctx.exit(code or (SHORT if any(missed(row) for row in rows) else FINE))


_HEAD = ("slip", "made", "killed", "equivalent", "weaker", "survived", "kill rate", "goal")


def _line(row: dict[str, Any]) -> tuple[str, ...]:
    percent = [f"{row[name]:.0%}" if row[name] is not None else "" for name in ("rate", "goal")]
    return (row["what"], *(str(row[name]) for name in _HEAD[1:6]), *percent)


def missed(row: dict[str, Any]) -> bool:
    return row["goal"] is not None and row["rate"] is not None and row["rate"] < row["goal"]
