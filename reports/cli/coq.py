"""What Coq says of a ledger: accepted, not expressible, refused."""

from __future__ import annotations

import os
import sys
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from reports.cli.common import (
    FINE,
    INCONCLUSIVE,
    INTERRUPTED,
    SHORT,
    USAGE,
    Stop,
    here,
    paint,
    print_json,
    table,
    writable,
)

if TYPE_CHECKING:
    from theory.coq.compile import Result, Run
    from theory.coq.volumes import Volume
    from theory.ledger.records import Ledger


NOT_JUDGED = "not judged: the run over this paper was not completed"


def by_coq(ledger: Path, folder: Path, jobs: int | None, ship: bool, new: bool, as_json: bool) -> int:
    """Translate and compile; the exit code is 1 where Coq refuses a proof that has a translation.

    new    only what the record of the paper does not hold yet; what it holds is a premise of the rest
    """
    from theory.coq.compile import NoCoq, compile_all, version
    from theory.coq.translate import theorems_of
    from theory.coq.volumes import volumes_of, without_proofs
    from theory.ledger.judging import load

    writable(folder / ".library")
    found, started = load(ledger), os.times()
    try:
        coq = version()
    except NoCoq as error:
        raise Stop(str(error), USAGE) from None
    cores = jobs or os.cpu_count() or 1
    volumes = volumes_of(theorems_of(found.records, folder / ".theorems.json", cores))
    if not volumes:
        raise Stop(f"{ledger}: nothing is proved or refuted there, so Coq has nothing to judge", INCONCLUSIVE)
    keys = [theorem.key for volume in volumes for theorem in volume.theorems]
    keep = _keeper(found, keys) if ship else None
    if new:
        volumes = without_proofs(volumes, _on_record(found, coq))
        if not volumes:
            raise Stop(f"{ledger}: everything that has a translation is on record as accepted", FINE)
    so_far: list[Result] = []

    def note(said_by: str, results: list[Result]) -> None:
        so_far[:] = results
        if keep is not None:
            keep(said_by, results)

    try:
        run = compile_all(volumes, folder, jobs, _told if sys.stderr.isatty() else None, note)
    except KeyboardInterrupt:
        for line in table(summary([*so_far, *_not_judged(volumes, so_far)])):
            click.echo(line)
        beside = ", and in the paper's record" if ship else ""
        told = f"interrupted; what Coq said is kept in {folder}{beside}: run again to go on"
        raise Stop(told, INTERRUPTED) from None
    if as_json:
        print_json({**vars(run), "results": [vars(result) for result in run.results]})
    else:
        _say(run, started)
        held = sum(theorem.held for volume in volumes for theorem in volume.theorems)
        beyond = f", but for {held} that were accepted before and are premises here" if new else ""
        click.echo(f"no theorem rests on an axiom that is not of Coq's own reals{beyond}")
    return SHORT if any(result.status == "refused" for result in run.results) else FINE


def _not_judged(volumes: Sequence[Volume], so_far: Sequence[Result]) -> list[Result]:
    from theory.coq.compile import Result

    judged = {result.key for result in so_far}
    every = [theorem for volume in volumes for theorem in volume.theorems]
    return [Result(one.key, one.refutes, "not judged") for one in every if one.key not in judged]


def _on_record(ledger: Ledger, coq: str) -> Mapping[str, str]:
    """What the record of the paper says that this Coq accepted, of checks that are the same now."""
    from theory.ledger.second import earlier, printer, stamps

    return earlier(here().file("coq"), printer(), stamps(ledger.records)).get(f"Coq {coq}", {})


def _keeper(ledger: Ledger, keys: Sequence[str]) -> Callable[[str, list[Result]], None]:
    """Keep what Coq said beside the proofs of the paper, file by file, so that a run that ends early loses nothing.

    A stamp binds each entry to its claim and evidence. What an earlier run accepted stays until this one has judged it,
    where the stamp and what prints the theorems are the same.
    """
    from theory.ledger.second import Opinion, earlier, printer, stamps, write

    project, own, made = here(), stamps(ledger.records), printer()
    if ledger.header.get("paper") != project.title:
        told = f"the ledger is of {ledger.header.get('paper')!r}, not of {project.title!r}; name its paper with --paper"
        raise Stop(told, USAGE)
    before = earlier(project.file("coq"), made, own)

    def keep(coq: str, results: list[Result]) -> None:
        judged = {result.key for result in results}
        accepted = {key: mark for key, mark in before.get(f"Coq {coq}", {}).items() if key not in judged}
        accepted |= {result.key: own[result.key] for result in results if result.status == "accepted"}
        reasons = dict.fromkeys(keys, NOT_JUDGED)
        reasons |= {result.key: f"{result.status}: {result.reason}" for result in results}
        reasons = {key: reason for key, reason in reasons.items() if key not in accepted}
        write(project.file("coq"), Opinion(f"Coq {coq}", made, accepted, reasons))

    return keep


def _told(name: str, done: int, total: int) -> None:
    click.echo(f"\r{done}/{total} {name[:60]:60}", nl=done == total, err=True)


def _say(run: Run, started: os.times_result) -> None:
    for result in run.results:
        if result.status != "accepted":
            colour = "red" if result.status == "refused" else "yellow"
            click.echo(f"{paint(result.status, colour)}  {result.key}: {result.reason}")
    for line in table(summary(run.results)):
        click.echo(line)
    now = os.times()
    cpu = sum(now[:4]) - sum(started[:4])
    click.echo(
        f"judged by Coq {run.coq}: {run.files} files, {run.remembered} of them known from before; "
        f"{now.elapsed - started.elapsed:.0f} s, {cpu:.0f} s of processor"
    )


def summary(results: Sequence[Result]) -> list[list[str]]:
    """A row for what is proved and one for what is refuted."""
    rows = [["", "accepted", "not expressible", "refused", "over the limit", "not judged", "share accepted"]]
    for label, refutes in (("PROVED", False), ("REFUTED", True)):
        counts = Counter(result.status for result in results if result.refutes is refutes)
        whole = sum(counts.values())
        share = f"{100 * counts['accepted'] / whole:.1f} %" if whole else "-"
        rows.append([label, *(str(counts[status]) for status in rows[0][1:6]), share])
    return rows
