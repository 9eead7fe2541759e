"""What the commands share: messages with exit codes, ids, colours, progress, verdicts from the ledger."""

from __future__ import annotations

import contextlib
import difflib
import json
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from theory.ledger import Ledger
    from theory.records import Record
    from theory.statement import Check

FINE, SHORT, USAGE, INCONCLUSIVE, INTERNAL = 0, 1, 2, 3, 4
COLOURS = {
    "PROVED": "green",
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
    help="The ledger to read verdicts from; what it lacks is judged now.",
)
json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON instead of text.")
seed_option = click.option(
    "--seed", type=click.IntRange(min=0), default=0, show_default=True, help="Seed of all randomness."
)
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
    from theory.storage import LedgerError
    from theory.userfile import UserFileError

    if isinstance(error, (LedgerError, UserFileError)):
        return Stop(str(error), USAGE)
    if isinstance(error, OSError) and error.filename is not None:
        return Stop(f"{error.filename}: {error.strerror}; give another path", USAGE)
    return Stop(internal(error), INTERNAL)


def colourful(stream: Any = None) -> bool:
    target = stream if stream is not None else sys.stdout
    return not os.environ.get("NO_COLOR") and target.isatty()


def paint(text: str, colour: str | None) -> str:
    return click.style(text, fg=colour) if colour and colourful() else text


def verdict_word(name: str, width: int = 0) -> str:
    return paint(name.ljust(width), COLOURS.get(name))


def print_json(value: Any) -> None:
    click.echo(json.dumps(value, indent=1, sort_keys=True, ensure_ascii=False))


def table(rows: Sequence[Sequence[str]], indent: str = "") -> Iterator[str]:
    """Columns aligned with spaces; the last one is as long as it is."""
    if not rows:
        return
    widths = [max(len(click.unstyle(row[i])) for row in rows) for i in range(len(rows[0]))]
    for row in rows:
        cells = [cell + " " * (width - len(click.unstyle(cell))) for cell, width in zip(row, widths, strict=True)]
        yield (indent + "  ".join(cells)).rstrip()


@contextlib.contextmanager
def progress(words: str) -> Iterator[Callable[[int, int, Record], None] | None]:
    """A bar on stderr, on a terminal only."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(words, total=None)

        def advance(done: int, total: int, record: Record) -> None:
            bar.update(task, completed=done, total=total, description=f"{words} {record.key[:40]}")

        yield advance


def writable(path: Path) -> None:
    """Better refused before the work than after it."""
    home = next(folder for folder in path.absolute().parents if folder.exists())
    if path.is_dir() or not home.is_dir() or not os.access(home, os.W_OK):
        raise Stop(f"{path} cannot be written: {home} is no folder that you may write to; give another path", USAGE)


def keys_of(ids: Iterable[str]) -> list[str]:
    """The checks behind statement ids, display ids and check keys, in the order of the paper."""
    from theory.registry import statements

    wanted: set[str] = set()
    known = {check.key: check for one in statements().values() for check in one.checks}
    for id_ in ids:
        found = _behind(id_, known)
        if not found:
            raise _nothing_behind(id_, known)
        wanted.update(found)
    return [key for key in known if key in wanted]


def _behind(id_: str, known: dict[str, Check]) -> list[str]:
    from theory.registry import statements

    if id_ in known and id_ not in statements():
        return [id_]
    if id_ in statements():
        return [check.key for check in statements()[id_].checks]
    return [key for key, check in known.items() if check.display == id_]


def _nothing_behind(id_: str, known: dict[str, Check]) -> Stop:
    from theory.paper import load
    from theory.registry import statements

    reasons = {name: reason for one in statements().values() for name, reason in one.accounts.items()}
    if id_ in reasons:
        return Stop(f"{id_} asserts nothing that could be checked: {reasons[id_]}", INCONCLUSIVE)
    paper = load()
    lines = {**{s.id: s.first_line for s in paper.statements}, **{d.id: d.first_line for d in paper.displays}}
    if id_ in lines:
        missing = f"{id_} (line {lines[id_]}) has no check yet; `lemmalab coverage` lists what is missing"
        return Stop(missing, INCONCLUSIVE)
    return unknown(id_, [*lines, *statements(), *known])


def unknown(id_: str, names: Iterable[str]) -> Stop:
    close = difflib.get_close_matches(id_, list(dict.fromkeys(names)), n=3, cutoff=0.5)
    if Path(id_).suffix == ".py":
        return Stop(f"{id_} does not exist; give the path of a Python file that declares lemmas", USAGE)
    hint = f"did you mean {', '.join(close)}?" if close else "`lemmalab coverage` lists the ids of the paper"
    return Stop(f"no statement, display or check has the id {id_!r}; {hint}", USAGE)


def judged(keys: Sequence[str] | None, path: Path, *, seed: int = 0, jobs: int | None = None) -> Ledger:
    """Verdicts for these checks: from the ledger where it is current, judged now where it is not.

    What is asked for by name is judged by the kernel again, whatever the ledger says.
    """
    from theory.fingerprint import engine_digest
    from theory.ledger import Ledger, as_it_stands, check_all, is_current, load, rejudged
    from theory.registry import checks

    known = checks()
    if not known:
        raise Stop("the registry holds no check at all; nothing can be shown", INTERNAL)
    wanted = list(known) if keys is None else list(keys)
    there = load(path) if path.exists() else None
    old = there.by_key() if there is not None else {}
    engine = engine_digest()
    current = {k: r for k, r in old.items() if k in known and is_current(r, known[k], engine=engine)}
    if keys is not None:
        claims = {key: check.claim for key, check in known.items()}
        again = {key: rejudged(current[key].claim, current[key].evidence, claims) for key in keys if key in current}
        current = {
            key: record for key, record in current.items() if again.get(key, record.judgement) == record.judgement
        }
    missing = _lacking(wanted, current)
    if not missing:
        assert there is not None
        return as_it_stands(Ledger(there.header, tuple(current[key] for key in known if key in current), there.timings))
    with progress("judging") as advance:
        fresh = check_all(missing, seed=seed, jobs=jobs, previous=there, progress=advance)
    every = {**current, **fresh.by_key()}
    return as_it_stands(Ledger(fresh.header, tuple(every[key] for key in known if key in every), fresh.timings))


def _lacking(wanted: Sequence[str], current: dict[str, Record]) -> list[str]:
    """What has no current record, and what rests on something that has none."""
    missing = {key for key in wanted if key not in current}
    todo = [key for key in wanted if key in current]
    seen: set[str] = set()
    while todo:
        key = todo.pop()
        if key in seen:
            continue
        seen.add(key)
        parents = current[key].judgement.cites
        missing.update(parent for parent in parents if parent not in current)
        todo += [parent for parent in parents if parent in current]
    return [key for key in dict.fromkeys([*wanted, *sorted(missing)]) if key in missing]
