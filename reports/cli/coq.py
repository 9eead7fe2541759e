"""What Coq says of a ledger: accepted, not expressible, refused."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from reports.cli.common import FINE, INCONCLUSIVE, SHORT, USAGE, Stop, paint, print_json, table, writable

if TYPE_CHECKING:
    from theory.coq.compile import Result


def by_coq(ledger: Path, folder: Path, jobs: int | None, as_json: bool) -> int:
    """Translate and compile; the exit code is 1 where Coq refuses a proof that has a translation."""
    from theory.coq.compile import NoCoq, compile_all, version
    from theory.coq.volumes import theorems_of, volumes_of
    from theory.ledger.judging import load

    writable(folder)
    try:
        coq = version()
    except NoCoq as error:
        raise Stop(str(error), USAGE) from None
    volumes = volumes_of(theorems_of(load(ledger).records))
    if not volumes:
        raise Stop(f"{ledger}: nothing is proved or refuted there, so Coq has nothing to judge", INCONCLUSIVE)
    results = compile_all(volumes, folder, jobs, _told if sys.stderr.isatty() else None)
    if as_json:
        print_json({"coq": coq, "results": [vars(result) for result in results]})
    else:
        _say(results, coq)
    return SHORT if any(result.status == "refused" for result in results) else FINE


def _told(name: str, done: int, total: int) -> None:
    click.echo(f"\r{done}/{total} {name[:60]:60}", nl=done == total, err=True)


def _say(results: Sequence[Result], coq: str) -> None:
    for result in results:
        if result.status != "accepted":
            colour = "red" if result.status == "refused" else "yellow"
            click.echo(f"{paint(result.status, colour)}  {result.key}: {result.reason}")
    for line in table(summary(results)):
        click.echo(line)
    click.echo(f"judged by Coq {coq}; no theorem rests on an axiom that is not of Coq's own reals")


def summary(results: Sequence[Result]) -> list[list[str]]:
    """A row for what is proved and one for what is refuted."""
    rows = [["", "accepted", "not expressible", "refused", "share accepted"]]
    for label, refutes in (("PROVED", False), ("REFUTED", True)):
        counts = Counter(result.status for result in results if result.refutes is refutes)
        whole = sum(counts.values())
        share = f"{100 * counts['accepted'] / whole:.1f} %" if whole else "-"
        rows.append([label, *(str(counts[status]) for status in rows[0][1:4]), share])
    return rows
