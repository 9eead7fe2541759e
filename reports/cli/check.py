"""lemmalab check: judge checks of the paper, or claims in a file of the user's own."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from reports.cli.common import (
    FINE,
    INCONCLUSIVE,
    INTERNAL,
    INTERRUPTED,
    SHORT,
    USAGE,
    Stop,
    here,
    jobs_option,
    json_option,
    keys_of,
    local,
    memory,
    paint,
    print_json,
    seed_option,
    table,
    verdict_word,
    writable,
)
from reports.cli.completion import ids as complete_ids
from reports.cli.progress import bar

if TYPE_CHECKING:
    from theory.claims.statement import Check
    from theory.ledger.examples import Unfit
    from theory.ledger.judging import Ledger
    from theory.ledger.records import Record
    from theory.project import Project

COUNTED = {
    "LINKED": "proved up to links",
    "INSTANCE": "proved for an instance only",
    "DOES NOT FOLLOW": "not following",
}
MANY = 60  # so many checks are listed one by one
FEW = 4  # so few claims are judged sooner here than by processes that have to start first


@click.command("check", short_help="Judge the paper, single statements, or claims in your own file.")
@click.argument("ids", nargs=-1, metavar="[ID…|FILE.py [NAME…]]", shell_complete=complete_ids)
@click.option("--fresh", is_flag=True, help="Prove everything again, even what has not changed.")
@click.option("--thorough", is_flag=True, help="Search and prove longer.")
@click.option("-v", "--verbose", is_flag=True, help="List every check, and write the proofs out.")
@click.option("--ship", is_flag=True, help="Write all proofs to the paper's own folder, not to .lemmalab.")
@click.option(
    "--ledger",
    type=click.Path(dir_okay=False, path_type=Path),
    default=None,
    help="Where verdicts, proofs and witnesses are written.  [default: ledger.json for the whole paper; for single IDs "
    "what is new goes to .lemmalab; for your own file nowhere]",
)
@seed_option
@jobs_option
@json_option
@click.pass_context
def command(
    ctx: click.Context,
    ids: tuple[str, ...],
    fresh: bool,
    thorough: bool,
    verbose: bool,
    ship: bool,
    ledger: Path | None,
    seed: int,
    jobs: int | None,
    as_json: bool,
) -> None:
    """Judge each ID (a statement, a display or a single check), or the whole paper when none is given.

    With FILE.py the claims that the file declares are judged instead, all or those that are named: PROVED, REFUTED
    with an exact witness, or UNDECIDED. Unchanged checks are not proved again, but the kernel judges them again;
    for the whole paper at once it remembers what it has judged before on this machine, claim and evidence being the
    same. With --fresh it does not.
    """
    effort = "thorough" if thorough else "normal"
    options: dict[str, Any] = {"seed": seed, "jobs": jobs, "fresh": fresh, "effort": effort}
    files = [Path(id_) for id_ in ids if id_.endswith(".py") or Path(id_).is_file()]
    project = here() if not files else None
    if project is not None and project.lemmas is not None and not ids:
        files, ids = [project.lemmas], (str(project.lemmas),)
    if files or project is None:
        names = [id_ for id_ in ids if Path(id_) not in files]
        code = _own(files, names, ledger, options, as_json, verbose)
    else:
        code = _paper(project, ids, ledger, options, as_json, ship, verbose)
    ctx.exit(code)


def _paper(
    project: Project,
    ids: tuple[str, ...],
    path: Path | None,
    options: dict[str, Any],
    as_json: bool,
    ship: bool,
    verbose: bool,
) -> int:
    from theory.ledger import store
    from theory.ledger.judging import as_it_stands, load, save, update

    asked = keys_of(ids, project) if ids else list(project.checks)
    if not asked:
        raise Stop(f"{project.name} holds no check at all, so that nothing was judged", INCONCLUSIVE)
    file = path or (None if ids else Path("ledger.json"))
    folder = project.file("proofs") if ship else local(project)
    writable(file or folder / "proof.json")
    previous = load(file, project.library) if file is not None and file.exists() and not options["fresh"] else None
    started = time.perf_counter()
    judged = partial(
        project.judge,
        asked,
        local=local(project),
        previous=previous,
        stamped=file is not None or as_json,
        memory=None if ids or options["fresh"] else memory(),
        **options,
    )
    found = _keeping(judged, project, asked, folder)
    if file is not None:
        update(file, found, project.checks) if ids else save(found, file)
    fresh = [record for record in found.records if record.key not in found.timings["again"]]
    new = list(found.records) if ship else fresh
    if new:
        store.write(folder, store.merged(folder, new, project.checks))
    found = as_it_stands(found)
    code = outcome([found.by_key()[key] for key in asked])
    if as_json:
        print_json({**found.to_json(), "asked": asked, "exit": code})
        return code
    click.echo(summary(found, time.perf_counter() - started))
    if found.timings["remembered"]:
        click.echo(_remembered(found.timings["remembered"]))
    listed = [r for r in found.records if verbose or ids or len(found.records) <= MANY or not r.as_expected]
    for line in table([_row(record) for record in listed]):
        click.echo(line)
    if len(listed) < len(found.records):
        click.echo(f"{len(found.records) - len(listed)} checks as expected are not listed; -v lists them all")
    for record in found.records if ids else ():
        if record.key in asked and record.kind.name != "STEP":
            _print_reading(record, project.links, found if verbose else None)
    kept = file or (folder if new else None)
    if kept is not None:
        click.echo(f"written to {kept}")
    return code


def _keeping(judge: Callable[..., Ledger], project: Project, asked: list[str], folder: Path) -> Ledger:
    """Judge; what was found before somebody interrupts is kept."""
    from theory.ledger import store

    done: list[Record] = []
    try:
        with bar("judging") as advance:

            def keep(count: int, total: int, record: Record) -> None:
                done.append(record)
                advance(count, total, record)

            return judge(progress=keep)
    except KeyboardInterrupt:
        held = project.kept(asked, local(project))
        fresh = [one for one in done if one.key not in held or held[one.key].evidence != one.evidence]
        store.write(folder, store.merged(folder, fresh, project.checks))
        told = f"the {len(fresh)} new proofs and witnesses are kept in {folder}: run again (without --fresh) to go on"
        raise Stop(f"interrupted after {len(done)} of {len(asked)} checks; {told}", INTERRUPTED) from None


def outcome(records: list[Record], own: bool = False) -> int:
    """4 when the referee failed, 1 when a verdict is other than expected, 3 when one is undecided, else 0."""
    from theory.kernel import Verdict
    from theory.ledger.judging import DEFECT

    if any(record.problem.startswith(DEFECT) for record in records):
        return INTERNAL
    good = (Verdict.PROVED, Verdict.CERTIFIED)
    undecided = (Verdict.UNDECIDED, Verdict.SUPPORTED) if own else (Verdict.UNDECIDED,)
    short = [r for r in records if r.verdict not in undecided and not (r.verdict in good if own else r.as_expected)]
    if short:
        return SHORT
    return INCONCLUSIVE if any(record.verdict in undecided for record in records) else FINE


def _print_reading(record: Record, links: Mapping[str, str], found: Ledger | None) -> None:
    """For few checks, the verdict in words: for whom it holds, or where it fails; with `found` the proof too."""
    from reports.cli.letters import point_text
    from reports.cli.show import label_lines, proof_of
    from theory.ledger.stands import SENTENCES

    click.echo(f"\n{record.key}: {SENTENCES[record.shown]}")
    for line in label_lines(record, links):
        click.echo(line)
    point = (record.evidence.witness or {}).get("point")
    if point:
        click.echo(f"  at {point_text(point)}")
        if record.ratio and "left" in record.ratio:
            click.echo(f"  where the left side is {record.ratio['left']} and the right side {record.ratio['right']}")
    else:
        click.echo(f"  scope: {record.judgement.scope}")
    if record.words:
        click.echo(f"  {record.words}")
    for line in proof_of(record, found) if found is not None and record.evidence.certificate else ():
        click.echo(line)


def _row(record: Record) -> list[str]:
    words = record.problem or record.judgement.reason
    note = "as expected: " if record.verdict.name == "REFUTED" and record.as_expected else ""
    if not record.as_expected:
        note = paint(f"expected {record.expected.name}: ", "red")
    return [record.key, verdict_word(record.shown, text=record.told), record.role, note + _shortened(words)]


def _shortened(words: str, limit: int = 150) -> str:
    line = " ".join(words.split())
    return line if len(line) <= limit else f"{line[: limit - 1]}…"


def summary(found: Ledger, seconds: float) -> str:
    """How many checks have which word, and whether that is as expected."""
    counts = Counter(COUNTED.get(record.shown, record.shown.lower()) for record in found.records)
    parts = ", ".join(f"{count} {name}" for name, count in counts.most_common())
    odd = sum(not record.as_expected for record in found.records)
    told = "all as expected" if not odd else paint(f"{odd} other than expected", "red")
    return f"{len(found.records)} checks: {parts}; {told} ({found.timings['reused']} unchanged, {seconds:.1f} s)"


def _remembered(count: int) -> str:
    told = (
        f"{count} judgements are remembered: this kernel gave them on this machine, for these claims and this evidence"
    )
    return f"{told}; `lemmalab recheck ledger.json` has everything judged again"


def _own(
    files: list[Path], names: list[str], path: Path | None, options: dict[str, Any], as_json: bool, verbose: bool
) -> int:
    from theory.claims.userfile import load_files
    from theory.ledger.examples import Unfit, prepared
    from theory.ledger.judging import as_it_stands, check_all, save

    refused: dict[str, str] = {}
    declared = load_files(files, refused)
    fit, unfit = {}, []
    asked = _asked({**declared, **refused}, names, files)
    refused = {name: why for name, why in refused.items() if name in asked}
    for key, check in declared.items():
        one = prepared(check, options["seed"])
        if isinstance(one, Unfit):
            unfit += [one] if key in asked else []
        else:
            fit[key] = one
    previous = _earlier(path, declared, options["fresh"])
    found = None
    ready = [key for key in asked if key in fit]
    if ready:
        jobs = options["jobs"] or (1 if len(ready) <= FEW else None)
        with bar("judging") as advance:
            found = check_all(
                ready,
                checks=fit,
                title=", ".join(file.name for file in files),
                previous=previous,
                progress=advance,
                **{**options, "jobs": jobs},
            )
        if path is not None:
            save(found, path)
        found = as_it_stands(found)
    code = max(
        _own_code(found, unfit), USAGE if refused else FINE, key=(FINE, INCONCLUSIVE, SHORT, USAGE, INTERNAL).index
    )
    if as_json:
        body = found.to_json() if found is not None else {"checks": []}
        print_json({**body, "unfit": [u.__dict__ for u in unfit], "refused": refused, "exit": code})
    else:
        _print_own(found, unfit, verbose)
        for name, why in refused.items():
            click.echo(f"{paint('REFUSED', 'red')}  {name}: {why}", err=True)
    return code


def _asked(declared: Mapping[str, Check | str], names: list[str], files: list[Path]) -> list[str]:
    """The lemmas of these names, all when there is none."""
    strange = [name for name in names if name not in declared]
    if strange:
        told = f"{', '.join(file.name for file in files)} has no lemma {strange[0]}"
        raise Stop(f"{told}; it has {', '.join(declared)}", USAGE)
    return names or list(declared)


def _earlier(path: Path | None, declared: Mapping[str, Check], fresh: bool) -> Ledger | None:
    """The ledger of an earlier run of the same file. One that holds anything else is not overwritten."""
    from theory.ledger.judging import load

    if path is None:
        return None
    writable(path)
    if not path.exists():
        return None
    previous = load(path)
    others = [key for key in previous.by_key() if key not in declared]
    if others:
        raise Stop(f"{path} holds {others[0]}, which is not of this file; give another --ledger or remove it", USAGE)
    return None if fresh else previous


def _own_code(found: Ledger | None, unfit: list[Unfit]) -> int:
    judged = outcome(list(found.records), own=True) if found is not None else FINE
    if judged == INTERNAL:
        return INTERNAL
    if any(one.contradictory for one in unfit) or (
        found is not None and any(record.problem for record in found.records)
    ):
        return USAGE
    return INCONCLUSIVE if unfit and judged == FINE else judged


def _print_own(found: Ledger | None, unfit: list[Unfit], verbose: bool) -> None:
    """The verdicts first; then why, for what is not proved, or for everything with its proof."""
    from reports.cli.show import reading_lines

    records = list(found.records) if found is not None else []
    rows = [[r.key, verdict_word(r.shown, text=r.told), "; ".join(r.claim.says)] for r in records]
    for line in table(rows):
        click.echo(line)
    for one in unfit:
        word = "CONTRADICTORY" if one.contradictory else "UNDECIDED"
        click.echo(f"{paint(word, 'red' if one.contradictory else 'yellow')}  {one.message}", err=one.contradictory)
    for record in records:
        if verbose or record.verdict.name != "PROVED":
            assert found is not None
            click.echo()
            for line in reading_lines(record, found, verbose, own=True):
                click.echo(line)
    if any(record.evidence.certificate for record in records) and not verbose:
        click.echo("\n-v writes the proofs out")
