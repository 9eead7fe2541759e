"""lemmalab coverage: is everything in the paper accounted for?"""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from reports.cli.common import FINE, INCONCLUSIVE, SHORT, Stop, here, json_option, local, paint, print_json, table
from reports.site.words import plural

if TYPE_CHECKING:
    from theory.project import Project
    from theory.reading.coverage import Coverage, Item


@click.command("coverage", short_help="What of the paper is checked, and what is missing.")
@click.option("--all", "everything", is_flag=True, help="List every statement and display, not only what is missing.")
@click.option("--section", default="", help="Only sections whose name contains this.")
@json_option
@click.pass_context
def command(ctx: click.Context, everything: bool, section: str, as_json: bool) -> None:
    """Compare the checks with all statements and displays of the paper.

    A display that asserts something is accounted for by checks of what it prints, relation by relation; one that
    asserts nothing needs a reason. Exits with 1 while something is missing.
    """
    from theory.reading.coverage import Coverage, coverage

    project = here()
    found = coverage(project.paper, project.statements, _cites(project))
    if not found.statements and not found.displays and not as_json:
        if not project.checks:
            raise Stop(
                f"{project.name} has no paper.toml and no check, so that there is nothing to cover", INCONCLUSIVE
            )
        claims = plural(len(project.checks), "check")
        click.echo(f"{claims}; {project.title} prints no paper, so that nothing is left to cover")
        ctx.exit(FINE)
    if section:
        inside = [
            tuple(item for item in items if section.lower() in item.section.lower())
            for items in (found.statements, found.displays)
        ]
        if not any(inside):
            names = dict.fromkeys(item.section for item in (*found.statements, *found.displays))
            raise click.UsageError(f"no section contains {section!r}; there are {', '.join(names)}")
        found = Coverage(*inside)
    if as_json:
        print_json(found.to_json())
    else:
        _print(found, everything)
    ctx.exit(FINE if found.complete else SHORT)


def _cites(project: Project) -> dict[str, tuple[str, ...]]:
    """Which checks the kept proof of each check cites."""
    kept = project.kept(None, local(project))
    return {key: record.judgement.cites for key, record in kept.items()}


def _print(found: Coverage, everything: bool) -> None:
    for name, counts in found.counts().items():
        parts = ", ".join(
            f"{counts[key]} {words}"
            for key, words in (
                ("CHECKED", "checked"),
                ("PARTLY", "in part"),
                ("NOTHING_TO_CHECK", "assert nothing"),
                ("RESTATED", "restated"),
                ("MISSING", "missing"),
            )
            if counts[key]
        )
        click.echo(f"{name}: {counts['accounted']} of {counts['all']} accounted for ({parts})")
    for name, label in found.labels().items():
        click.echo(
            f"{name} with a check of what they print: {label['checked']}; for every size and without a link "
            f"{label['every size, no link']}, for an instance only {label['instance']}, up to links {label['linked']}, "
            f"not settled {label['open']}"
        )
    checks = sum(item.checks for item in found.statements)
    click.echo(f"checks: {checks}")
    if everything:
        click.echo()
        for line in table([_row(i) for i in sorted((*found.statements, *found.displays), key=lambda i: i.line)]):
            click.echo(line)
        return
    for title, sections in (("missing", found.missing()), ("checked in part", found.partly())):
        if sections:
            click.echo(f"\n{title}:")
        for section, items in sections.items():
            click.echo(f"  {section}")
            for line in table([_row(item) for item in items], indent="    "):
                click.echo(line)


def _row(item: Item) -> list[str]:
    colour = {"MISSING": "red", "PARTLY": "yellow"}.get(item.cover.name, "green")
    asserts = f"{item.goals}/{item.relations} relations" if item.relations else ""
    checks = f"{item.checks} check{'s' if item.checks != 1 else ''}"
    return [item.id, f"line {item.line}", item.role, paint(item.cover.value, colour), checks, asserts, item.reason]
