"""The command line `lemmalab`. Each command lives in its own module, which is read when it is used."""

from __future__ import annotations

import gc
import importlib
import os
import sys
from typing import Any

import click

COMMANDS = {
    "check": "check",
    "show": "show",
    "derive": "derive",
    "coverage": "coverage",
    "graph": "graph",
    "errata": "errata",
    "waterfall": "waterfall",
    "recheck": "recheck",
    "export": "export",
    "hunt": "hunt",
    "sharpen": "sharpen",
    "ratios": "ratios",
    "mutants": "mutants",
    "detect": "detect",
    "race": "race",
    "sweep": "sweep",
    "fit": "fit",
    "predict": "predict",
    "report": "report",
    "teach": "teach",
    "doctor": "doctor",
    "new": "new",
    "sync": "sync",
    "completion": "completion",
}
INTERNAL = 4
gc.set_threshold(200_000)  # modules and formulas are no garbage: a short command looks for none
HELP = """Referee a theory paper by machine: prove, refute and repair its statements.

\b
  lemmalab check                    judge every statement, display and step of the paper
  lemmalab check lem:ID             judge one statement
  lemmalab check my_lemma.py        judge claims of your own
  lemmalab show lem:ID              what is printed, what is true, why
  lemmalab derive A                 how an object is derived, and whether print agrees
  lemmalab errata                   everything that is wrong in print
  lemmalab recheck ledger.json      verify every proof again, with the kernel alone

The paper is that of this folder or of one above it (lemmalab.toml), that which --paper names, or the one that ships.
IDs are those of the paper: statements (lem:ID), displays (disp:LINE) or checks (lem:ID/disp:LINE.1).

Exit codes: 0 all as expected, 1 a verdict fell short, 2 wrong usage, 3 inconclusive, 4 internal error.
"""


class Commands(click.Group):
    """Reads a command's module when the command is asked for, and turns every failure into one message."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        return super().parse_args(ctx, paper_first(args))

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        command = importlib.import_module(f"reports.cli.{COMMANDS[cmd_name]}").command
        assert isinstance(command, click.Command)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and not args[0].startswith("-") and args[0] not in COMMANDS:
            import difflib

            close = difflib.get_close_matches(args[0], COMMANDS, n=2, cutoff=0.5)
            hint = f"; did you mean {' or '.join(close)}?" if close else f"; there are {', '.join(COMMANDS)}"
            raise click.UsageError(f"there is no command {args[0]!r}{hint}")
        return super().resolve_command(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except (click.ClickException, click.exceptions.Exit, click.Abort, BrokenPipeError):
            raise
        except KeyboardInterrupt:
            click.echo("interrupted; nothing was written", err=True)
            ctx.exit(130)
        except Exception as error:
            from reports.cli.common import as_stop

            raise as_stop(error, internal) from error


def paper_first(args: list[str]) -> list[str]:
    """--paper may stand behind the command, too."""
    end = args.index("--") if "--" in args else len(args)
    for at, word in enumerate(args[:end]):
        if word.startswith("--paper="):
            return [word, *args[:at], *args[at + 1 :]]
        if word == "--paper" and at + 1 < end:
            return [word, args[at + 1], *args[:at], *args[at + 2 :]]
    return args


def internal(error: Exception) -> str:
    """A defect of ours, in one message; the whole traceback with LEMMALAB_DEBUG=1."""
    if os.environ.get("LEMMALAB_DEBUG"):
        import traceback

        traceback.print_exception(error, file=sys.stderr)
    return (
        f"internal error: {type(error).__name__}: {error}\n"
        "This is a defect of LemmaLab; run again with LEMMALAB_DEBUG=1 for the traceback and report it."
    )


@click.group(
    cls=Commands, help=HELP, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100}
)
@click.option(
    "--paper", metavar="NAME|DIR|FILE.py", help="The paper to work on: a name, a folder, or a file of lemmas."
)
@click.version_option(package_name="lemmalab", prog_name="lemmalab")
def main(paper: str | None) -> None:
    pass
