"""lemmalab recheck: the kernel and the file, nothing else."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import click

from reports.cli.common import FINE, SHORT, json_option, paint, print_json

if TYPE_CHECKING:
    from theory.kernel import Claim


@click.command("recheck", short_help="Verify every proof of a ledger again, with the kernel alone.")
@click.argument("ledger", type=click.Path(path_type=Path))
@json_option
@click.pass_context
def command(ctx: click.Context, ledger: Path, as_json: bool) -> None:
    """Verify LEDGER again from its JSON alone: every certificate, witness and example, every verdict.

    No prover and no search runs; sympy, numpy and the solvers are not needed. What the kernel cannot re-derive
    (searches, solver answers) is counted apart. A claim that goes by an id of the paper and is another one is named.
    """
    from theory.recheck import against, recheck_json
    from theory.storage import read_json

    body = read_json(ledger)
    found = against(recheck_json(body, str(ledger)), body, _of_the_paper())
    if as_json:
        print_json(found.to_json())
    else:
        for finding in found.findings:
            click.echo(f"{paint('BROKEN', 'red')}  {finding}")
        click.echo(
            f"{found.checks} checks: {found.rederived} verdicts re-derived by the kernel, {found.attested} attested by "
            f"solvers, {found.on_record} on record only (searches, citations, undecided)"
        )
        click.echo(paint("every verdict stands", "green") if found.passed else f"{len(found.findings)} findings")
    ctx.exit(FINE if found.passed else SHORT)


def _of_the_paper() -> Mapping[str, Claim]:
    """The claims of the registry; none where its experiments cannot be imported."""
    from theory.registry import library

    try:
        return library()
    except ImportError:
        return {}
