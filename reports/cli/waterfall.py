"""lemmalab waterfall: the constants of a paper's theorem, and which step loses which factor."""

from __future__ import annotations

import click

from reports.cli.common import brings_no, here, json_option, print_json


@click.command("waterfall", short_help="The theorem's constants, and which step loses which factor.")
@json_option
def command(as_json: bool) -> None:
    """The constants of the paper's main theorem, composed from the lemmas behind it: as printed, as the paper's own
    argument gives them once its slips are repaired, and with the sharper readings. Each number names the check that
    states it; `lemmalab show` says whether it is proved, and which links between the lemmas are by hand. Bars are
    logarithmic."""
    project = here()
    brought = project.bring("waterfall")
    if brought is None:
        raise brings_no("waterfall", project)
    if as_json:
        print_json(brought.to_json()["constants"])
        return
    for line in brought.waterfall():
        click.echo(line)
