"""lemmalab export: claims, proofs and witnesses as files for another proof checker."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from reports.cli.common import FINE, INCONCLUSIVE, Stop, here, judged, keys_of, ledger_option
from reports.site.words import plural

if TYPE_CHECKING:
    from theory.ledger.records import Record


@click.command("export", short_help="Write claims and proofs as Coq files.")
@click.option(
    "--coq", "folder", type=click.Path(file_okay=False, path_type=Path), required=True, help="Write the files here."
)
@click.argument("ids", nargs=-1, metavar="[ID…|FILE.py|LEDGER.json]")
@ledger_option
@click.pass_context
def command(ctx: click.Context, folder: Path, ids: tuple[str, ...], ledger: Path | None) -> None:
    """Write one Coq file for each statement, with a theorem for each check that is PROVED or REFUTED, and the library
    LemmaLab.v. Each ID is a statement, a display or a check; FILE.py holds lemmas of your own, LEDGER.json is what
    `lemmalab check` wrote. Everything that is cited is written, too.

    \b
      lemmalab export --coq out lem:ID
      cd out && coqc -Q . LemmaLab LemmaLab.v && coqc -Q . LemmaLab Matrices.v
      coqc -Q . LemmaLab lem_ID.v
    """
    from theory.coq.translate import theorems_of
    from theory.coq.volumes import volumes_of, write_library

    volumes = volumes_of(theorems_of(_records(ids, ledger)))
    if not volumes:
        raise Stop("nothing here is proved or refuted, so there is no theorem to write", INCONCLUSIVE)
    write_library(folder)
    for volume in volumes:
        text = volume.text({t.key: t.reason for t in volume.theorems if t.reason})
        (folder / f"{volume.name}.v").write_text(text, encoding="utf-8")
    every = [theorem for volume in volumes for theorem in volume.theorems]
    for theorem in every:
        if theorem.reason:
            click.echo(f"{theorem.key}: no theorem: {theorem.reason}", err=True)
    written = sum(not theorem.reason for theorem in every)
    theorems, checks, files = plural(written, "theorem"), plural(len(every), "check"), plural(len(volumes), "file")
    click.echo(f"{theorems} of {checks} in {files}: {folder}")
    ctx.exit(FINE)


def _records(ids: Sequence[str], ledger: Path | None) -> Sequence[Record]:
    """The records behind ids, files or ledgers, with everything that they cite."""
    from theory.claims.userfile import load_files
    from theory.ledger.examples import Unfit, prepared
    from theory.ledger.judging import check_all, load

    if ids and all(id_.endswith(".py") for id_ in ids):
        ready = {key: prepared(check) for key, check in load_files(ids).items()}
        for key, one in ready.items():
            if isinstance(one, Unfit):
                click.echo(f"{key}: not judged: {one.message}", err=True)
        return check_all(checks={key: one for key, one in ready.items() if not isinstance(one, Unfit)}).records
    if len(ids) == 1 and ids[0].endswith(".json"):
        return load(Path(ids[0])).records
    project = here()
    keys = keys_of(ids, project) if ids else None
    found = judged(project, keys, ledger if ledger is not None and ledger.exists() else None).records
    return found if keys is None else _with_cited(found, keys)


def _with_cited(records: Sequence[Record], keys: Sequence[str]) -> list[Record]:
    by_key = {record.key: record for record in records}
    wanted, todo = set[str](), list(keys)
    while todo:
        key = todo.pop()
        if key in by_key and key not in wanted:
            wanted.add(key)
            todo += by_key[key].judgement.cites
    return [record for record in records if record.key in wanted]
