"""lemmalab sharpen: the best constant, between what is proved and what a witness refutes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import click

from reports.cli.common import (
    FINE,
    INCONCLUSIVE,
    INTERRUPTED,
    Stop,
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
    from theory.claims.templates import Template
    from theory.kernel import Claim
    from theory.project import Project


class Rational(click.ParamType[Fraction]):
    name = "rational"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Fraction:
        try:
            number = Fraction(str(value))
        except (ValueError, ZeroDivisionError):
            self.fail(f"{value!r} is not a rational number; write for example 1/64", param, ctx)
        if number <= 0:
            self.fail(f"{value} is not positive", param, ctx)
        return number


@click.command("sharpen", short_help="Find the best constants that can be proved.")
@click.argument("ids", metavar="[FILE.py] ID...", nargs=-1, required=True)
@click.option(
    "--resolution", type=Rational(), default="1/64", show_default=True, help="How close the two ends shall come."
)
@click.option(
    "--seconds",
    type=click.FloatRange(min=1),
    default=60.0,
    show_default=True,
    help="Processor time for each factor.",
)
@click.option("--terms/--no-terms", default=True, help="Also sharpen each term of the bound on its own.")
@seed_option
@json_option
@click.pass_context
def command(
    ctx: click.Context,
    ids: tuple[str, ...],
    resolution: Fraction,
    seconds: float,
    terms: bool,
    seed: int,
    as_json: bool,
) -> None:
    """Put a factor C before the bound of ID, and before each of its terms, and find the best C.

    C = 1 is the claim itself. For each factor you get the best value that the kernel accepts a proof of, and the
    nearest one that an exact witness refutes: the true constant lies between them.
    """
    from theory.claims.templates import templates

    project, chosen = split(ids)
    id_ = " ".join(chosen)
    checks = _readings(chosen, project)
    wanted = [(c, template) for c in checks for template in templates(c.claim, _sign) if terms or template.whole]
    if not wanted:
        raise Stop(f"{id_} has no bound with a constant whose sign is known; nothing to sharpen", INCONCLUSIVE)
    found, stopped = each(
        "sharpening",
        wanted,
        lambda one: _sharpened(*one, resolution, seconds, seed, project.library),
        lambda one: f"{one[0].key}: {one[1].part}",
    )
    for one in [] if as_json else found:
        _print(one, seconds)
    if as_json:
        print_json({"brackets": found})
    if stopped:
        raise Stop(f"stopped after {len(found)} of {len(wanted)} factors", INTERRUPTED)
    ctx.exit(FINE if any(one["proved"] is not None for one in found) else INCONCLUSIVE)


def _sign(claim: Claim, formula: str) -> int:
    """Proved to be >= 0 or <= 0, or neither."""
    for op, sign in ((">=", 1), ("<=", -1)):
        if _proof(replace(claim, id=f"{claim.id}: sign", says=(f"{formula} {op} 0",)), {}, 10) is not None:
            return sign
    return 0


def _readings(ids: Sequence[str], project: Project) -> list[Check]:
    """The readings that we expect to hold: as printed, else repaired."""
    from theory.claims.statement import Kind
    from theory.kernel import Verdict

    checks = [project.find(key) for key in keys_of(ids, project)]
    if all(id_ in project.statements for id_ in ids):
        checks = [c for c in checks if c.kind in (Kind.PRINTED, Kind.REPAIRED)]
    standing = [c for c in checks if c.expect is not Verdict.REFUTED and c.experiment is None]
    if not standing:
        raise Stop(f"{' '.join(ids)} has no reading that is expected to hold; nothing to sharpen", INCONCLUSIVE)
    return standing


def _proof(claim: Claim, library: Mapping[str, Claim], seconds: float, plan: Any = None) -> dict[str, Any] | None:
    """A proof that is found in time."""
    from theory.provers import clock, driver

    with clock.limited(seconds):
        return driver.prove(claim, library, plan=plan)


def _sharpened(
    check: Check, template: Template, resolution: Fraction, seconds: float, seed: int, library: Mapping[str, Claim]
) -> dict[str, Any]:
    from theory.search import sharpen

    space = {name: (Fraction(lo), Fraction(hi)) for name, (lo, hi) in check.space}
    bracket = sharpen(
        template.claim,
        template.name,
        template.direction,
        template.strong,
        template.weak,
        resolution=resolution,
        prove=lambda claim: _proof(claim, library, seconds / 3, check.proof),
        seed=seed,
        space=space or None,
        seconds=seconds,
    )
    return {"key": check.key, "part": template.part, **bracket.record()}


def _print(found: dict[str, Any], seconds: float) -> None:
    from reports.cli.letters import point_text

    click.echo(f"{found['key']}: factor {found['constant']} before {found['part']}")
    if found["proved"] is not None:
        value = Fraction(found["proved"])
        better = value < 1 if found["direction"] == "down" else value > 1
        note = " (better than printed)" if better else " (as printed)"
        click.echo(f"  {paint('proved', 'green')} with {found['constant']} = {found['proved']}{note}")
    else:
        click.echo(f"  {paint('nothing proved', 'yellow')}")
    if found["refuted"] is not None:
        witness = point_text(found["witness"])
        click.echo(f"  {paint('refuted', 'red')} with {found['constant']} = {found['refuted']} at {witness}")
    if found["stopped"]:
        click.echo(f"  stopped after {seconds:.0f} s of processor time; --seconds gives it more")
