"""lemmalab hunt: search harder for a counterexample."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

import click

from reports.cli.common import (
    FINE,
    INCONCLUSIVE,
    INTERRUPTED,
    SHORT,
    id_argument,
    json_option,
    keys_of,
    paint,
    print_json,
    seed_option,
    split,
)
from reports.cli.progress import each

if TYPE_CHECKING:
    from theory.claims.statement import Check


@click.command("hunt", short_help="Search harder for a counterexample.")
@id_argument
@click.option(
    "--seconds", type=click.FloatRange(min=0.1), default=10.0, show_default=True, help="Time for all checks together."
)
@seed_option
@json_option
@click.pass_context
def command(ctx: click.Context, ids: tuple[str, ...], seconds: float, seed: int, as_json: bool) -> None:
    """Search for an exact point that satisfies the hypotheses of ID and refutes what it says; of every lemma of
    FILE.py when no ID is given.

    Exits with 1 when something falls that we expect to hold, with 3 when nothing could be tried. The ledger is not
    touched; `lemmalab check --thorough` records what a longer search finds.
    """
    project, wanted = split(ids)
    every = [project.find(key) for key in keys_of(wanted, project)]
    checks = [check for check in every if check.experiment is None]
    if not checks:
        click.echo(f"{' '.join(ids)}: matrix identities and experiments are not searched; nothing was tried", err=True)
        ctx.exit(INCONCLUSIVE)
    share = seconds / len(checks)
    found, interrupted = each("searching", checks, lambda check: _hunted(check, share, seed), lambda check: check.key)
    if as_json:
        print_json({"hunts": found})
    else:
        for one in found:
            _print(one)
    if interrupted:
        click.echo(f"interrupted; {len(found)} of {len(checks)} checks were searched", err=True)
        ctx.exit(INTERRUPTED)
    ctx.exit(max((_code(one) for one in found), key=(FINE, INCONCLUSIVE, SHORT).index))


def _hunted(check: Check, seconds: float, seed: int) -> dict[str, Any]:
    from theory.kernel import Evidence
    from theory.ledger.ratio import ratio_of
    from theory.search import HARD, search

    space = {name: (Fraction(lo), Fraction(hi)) for name, (lo, hi) in check.space}
    found = search(check.claim, seed=seed, effort=HARD(seconds), space=space or None)
    sides = ratio_of(check.claim, Evidence(witness={"point": found.witness})) if found.witness else None
    return {
        "key": check.key,
        "expected": check.expect.name,
        "says": list(check.claim.says),
        "witness": found.witness,
        "sides": sides,
        "seconds": seconds,
        **found.record(),
    }


def _code(found: dict[str, Any]) -> int:
    if found["witness"] is not None:
        return FINE if found["expected"] == "REFUTED" else SHORT
    return INCONCLUSIVE if not found["trials"] or found["expected"] == "REFUTED" else FINE


def _print(found: dict[str, Any]) -> None:
    from reports.cli.letters import point_text
    from reports.cli.show import with_decimal

    click.echo(f"{found['key']}: {'; '.join(found['says'])}")
    if found["witness"] is not None:
        expected = "as expected" if found["expected"] == "REFUTED" else f"expected {found['expected']}"
        click.echo(f"  {paint('refuted', 'red')} ({expected}) at {point_text(found['witness'])}")
        if found["sides"]:
            sides = [with_decimal(found["sides"][side]) for side in ("left", "right")]
            click.echo(f"  there the left side is {sides[0]}, the right side {sides[1]}")
        return
    seen = f"{found['trials']} trials; worst ratio {found['worst_ratio']}, risk {found['risk']}"
    click.echo(f"  no violation in {seen}" if found["trials"] else "  no violation, and no trial that counts")
    if found["worst_point"]:
        click.echo(f"  worst at {point_text(found['worst_point'])}")
    click.echo(f"  searched: {found['space']}; seed {found['seed']}")
