"""What the commands share: messages with exit codes, ids, colours, progress, verdicts from the ledger."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from reports.cli.completion import ids as complete_ids
from reports.cli.progress import bar

if TYPE_CHECKING:
    from theory.ledger.judging import Ledger
    from theory.ledger.memory import Memory
    from theory.project import Project

FINE, SHORT, USAGE, INCONCLUSIVE, INTERNAL = 0, 1, 2, 3, 4
COLOURS = {
    "PROVED": "green",
    "LINKED": "yellow",
    "INSTANCE": "yellow",
    "DOES NOT FOLLOW": "red",
    "CERTIFIED": "cyan",
    "SUPPORTED": "blue",
    "CITED": "blue",
    "UNDECIDED": "yellow",
    "REFUTED": "red",
}
ledger_option = click.option(
    "--ledger",
    type=click.Path(dir_okay=False, path_type=Path),
    default=Path("ledger.json"),
    show_default=True,
    help="The ledger to take evidence from; the kernel judges it again, and what it lacks is looked for.",
)
json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON instead of text.")
seed_option = click.option(
    "--seed", type=click.IntRange(min=0), default=0, show_default=True, help="Seed of all randomness."
)
INTERRUPTED = 130
id_argument = click.argument("ids", metavar="[FILE.py] ID...", nargs=-1, required=True, shell_complete=complete_ids)
jobs_option = click.option(
    "--jobs",
    type=click.IntRange(min=1),
    default=None,
    help="Processes to use.  [default: LEMMALAB_JOBS, or one for each core]",
)


class Stop(click.ClickException):
    """One message, one exit code."""

    def __init__(self, message: str, code: int) -> None:
        super().__init__(message)
        self.exit_code = code  # type: ignore[misc]  # click reads it from the instance


def as_stop(error: Exception, internal: Callable[[Exception], str]) -> Stop:
    """What went wrong, as one message: bad input is usage (2), everything unforeseen is internal (4)."""
    from theory.claims.files import ProjectError
    from theory.claims.userfile import UserFileError
    from theory.ledger.storage import LedgerError

    if isinstance(error, (LedgerError, ProjectError, UserFileError)):
        return Stop(str(error), USAGE)
    if isinstance(error, OSError) and error.filename is not None:
        return Stop(f"{error.filename}: {error.strerror}; give another path", USAGE)
    return Stop(internal(error), INTERNAL)


def colourful(stream: Any = None) -> bool:
    target = stream if stream is not None else sys.stdout
    return not os.environ.get("NO_COLOR") and target.isatty()


def paint(text: str, colour: str | None) -> str:
    return click.style(text, fg=colour) if colour and colourful() else text


def verdict_word(name: str, width: int = 0, text: str = "") -> str:
    """The word in the colour of its kind; `text` says it at length."""
    return paint((text or name).ljust(width), COLOURS.get(name))


def print_json(value: Any) -> None:
    from theory.reading.lines import told

    click.echo(json.dumps(told(value), indent=1, sort_keys=True, ensure_ascii=False))


def table(rows: Sequence[Sequence[str]], indent: str = "") -> Iterator[str]:
    """Columns aligned with spaces; the last one is as long as it is."""
    if not rows:
        return
    widths = [max(len(click.unstyle(row[i])) for row in rows) for i in range(len(rows[0]))]
    for row in rows:
        cells = [cell + " " * (width - len(click.unstyle(cell))) for cell, width in zip(row, widths, strict=True)]
        yield (indent + "  ".join(cells)).rstrip()


def writable(path: Path) -> None:
    """Better refused before the work than after it."""
    home = next(folder for folder in path.absolute().parents if folder.exists())
    if path.is_dir() or not home.is_dir() or not os.access(home, os.W_OK):
        raise Stop(f"{path} cannot be written: {home} is no folder that you may write to; give another path", USAGE)


def here() -> Project:
    """The project that this call is about: --paper, else that of the folder, else the default."""
    from theory.project import project

    context = click.get_current_context(silent=True)
    return project(context.find_root().params.get("paper") if context is not None else None)


def split(ids: Sequence[str]) -> tuple[Project, tuple[str, ...]]:
    """The project and the ids in it: a file of lemmas among the ids is the project that the others are of."""
    from theory.project import project

    files = [id_ for id_ in ids if id_.endswith(".py") or Path(id_).is_file()]
    if len(files) > 1:
        raise click.UsageError(f"one file of lemmas at a time, not {' and '.join(files)}")
    if not files:
        return here(), tuple(ids)
    found = project(files[0])
    return found, tuple(id_ for id_ in ids if id_ != files[0]) or tuple(found.statements)


def local(project: Project) -> Path:
    """Where this folder keeps the proofs of this project that did not ship with it."""
    return Path(".lemmalab") / "proofs" / project.name


def brings_no(what: str, project: Project) -> Stop:
    """A paper says in its lemmalab.toml what it brings along; a file of lemmas is a file of lemmas."""
    if project.lemmas is not None:
        return Stop(f"{project.lemmas.name} is a file of lemmas and brings no {what} along; name a paper", USAGE)
    return Stop(f"{project.name} brings no {what} along (brings.{what} in its lemmalab.toml)", USAGE)


def keys_of(ids: Sequence[str], project: Project) -> list[str]:
    """The checks behind statement ids, display ids and check keys, in the order of the paper."""
    wanted: dict[str, None] = {}
    for id_ in ids:
        found = _behind(id_, project)
        if not found:
            raise _nothing_behind(id_, project)
        wanted |= dict.fromkeys(found)
    return list(wanted) if len(ids) == 1 else [key for key in project.checks if key in wanted]


def _behind(id_: str, project: Project) -> list[str]:
    if id_ in project.statements:
        return [check.key for check in project.statements[id_].checks]
    if id_ in project.checks:
        return [id_]
    if not id_.startswith("disp:") and id_ not in {display.id for display in project.paper.displays}:
        return []
    return [key for key, check in project.checks.items() if check.display == id_]


def _nothing_behind(id_: str, project: Project) -> Stop:
    paper = project.paper
    lines = {**{s.id: s.first_line for s in paper.statements}, **{d.id: d.first_line for d in paper.displays}}
    if id_ in lines:
        reasons = {name: reason for one in project.statements.values() for name, reason in one.accounts.items()}
        if id_ in reasons:
            return Stop(f"{id_} asserts nothing that could be checked: {reasons[id_]}", INCONCLUSIVE)
        missing = f"{id_} (line {lines[id_]}) has no check yet; `lemmalab coverage` lists what is missing"
        return Stop(missing, INCONCLUSIVE)
    home = project.owner(id_)
    near = [check.key for check in project.statements[home].checks] if home in project.statements else []
    return unknown(id_, [*lines, *near, *project.ids()])


def unknown(id_: str, names: Iterable[str]) -> Stop:
    import difflib

    close = difflib.get_close_matches(id_, list(dict.fromkeys(names)), n=3, cutoff=0.5)
    if Path(id_).suffix == ".py":
        return Stop(f"{id_} does not exist; give the path of a Python file that declares lemmas", USAGE)
    hint = f"did you mean {', '.join(close)}?" if close else "`lemmalab graph` lists the ids"
    return Stop(f"no statement, display or check has the id {id_!r}; {hint}", USAGE)


def memory() -> Memory:
    """What the kernel has judged before on this machine."""
    from theory.claims.cache import home
    from theory.ledger.memory import Memory

    return Memory(home())


def judged(
    project: Project, keys: Sequence[str] | None, path: Path | None, *, seed: int = 0, jobs: int | None = None
) -> Ledger:
    """Verdicts for these checks (all when None). Evidence comes from the ledger at `path`, from `.lemmalab` and from
    what ships with the paper; whatever it is, the kernel judges it again here, or for the whole paper remembers that it
    has on this machine, and what is missing is looked for."""
    from theory.ledger.judging import as_it_stands, load

    if keys is None and not project.checks:
        raise Stop(f"{project.name} holds no check at all; nothing can be shown", INCONCLUSIVE)
    there = load(path, project.library) if path is not None and path.exists() else None
    with bar("judging") as advance:
        found = project.judge(
            keys,
            local=local(project),
            previous=there,
            seed=seed,
            jobs=jobs,
            progress=advance,
            stamped=False,
            memory=memory() if keys is None else None,
        )
    return as_it_stands(found)
