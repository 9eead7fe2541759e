"""lemmalab recheck: the kernel and the file, nothing else."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from reports.cli.common import (
    FINE,
    INCONCLUSIVE,
    SHORT,
    USAGE,
    Stop,
    here,
    jobs_option,
    json_option,
    paint,
    print_json,
)
from reports.cli.progress import bar

if TYPE_CHECKING:
    from theory.claims.statement import Check
    from theory.ledger.recheck import Recheck
    from theory.project import Project


@click.command("recheck", short_help="Verify every proof of a ledger again, with the kernel alone.")
@click.argument("ledger", type=click.Path(path_type=Path))
@click.option("--coq", "with_coq", is_flag=True, help="Let Coq judge every proof and witness as well.")
@click.option(
    "--folder",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path(".lemmalab/coq"),
    show_default=True,
    help="Where the Coq files and what Coq said are kept.",
)
@click.option("--ship", is_flag=True, help="With --coq: keep what Coq said beside the proofs of the paper.")
@click.option("--new", is_flag=True, help="With --coq: judge only what the paper's record does not hold as accepted.")
@jobs_option
@json_option
@click.pass_context
def command(
    ctx: click.Context,
    ledger: Path,
    with_coq: bool,
    folder: Path,
    ship: bool,
    new: bool,
    jobs: int | None,
    as_json: bool,
) -> None:
    """Verify LEDGER again from its JSON alone: every certificate, witness and example, every verdict.

    No prover and no search runs; sympy, numpy and the solvers are not needed. What the kernel cannot re-derive
    (searches, solver answers) is counted apart. Then every declared field is compared with the project: records that
    are missing, unknown or relabelled are findings (exit 1); what could not be compared is said (exit 3).

    With --coq the proofs and witnesses are translated and judged by Coq instead, a checker that we did not write.
    """
    from theory.ledger.recheck import against, recheck_json
    from theory.ledger.storage import read_json

    if with_coq:
        from reports.cli.coq import by_coq

        ctx.exit(by_coq(ledger, folder, jobs, ship, new, as_json))
    if ship or new:
        raise Stop("--ship and --new are about what Coq said; give --coq with them", USAGE)
    project, body = here(), read_json(ledger)
    with bar("judging again") as advance:
        found = recheck_json(body, str(ledger), advance)
    title = body["header"].get("paper")
    if title != project.title:
        told = (
            f"the ledger is of {title!r}, not of {project.title!r}; name its paper or its file of lemmas with --paper"
        )
        found = replace(found, uncompared=told)
    else:
        checks, unread = readable(project)
        found = against(found, body, checks, project.owner, unread)
    if as_json:
        print_json(found.to_json())
    else:
        _print(found)
    ctx.exit(FINE if found.passed else SHORT if found.findings or not found.checks else INCONCLUSIVE)


def readable(project: Project) -> tuple[list[Check], str]:
    """The checks that the project declares, and what of it could not be read, in words."""
    from theory.claims.files import ProjectError

    checks: list[Check] = []
    errors: list[str] = []
    for id_ in project.ids():
        try:
            checks += project.statements[id_].checks
        except (ProjectError, KeyError) as error:
            errors.append(f"{id_} ({error})")
    return checks, f"{len(errors)} statements of the project cannot be read, {errors[0]}" if errors else ""


def _print(found: Recheck) -> None:
    for finding in found.findings:
        click.echo(f"{paint('BROKEN', 'red')}  {finding}")
    click.echo(
        f"{found.checks} checks: {found.rederived} verdicts re-derived by the kernel, "
        f"{found.on_record} on record only (searches, citations, undecided)"
    )
    if found.uncompared:
        click.echo(f"{paint('not compared', 'yellow')} with what the project declares: {found.uncompared}")
    if found.findings:
        click.echo(f"{len(found.findings)} findings")
    elif found.checks:
        click.echo(paint("every verdict stands", "green"))
