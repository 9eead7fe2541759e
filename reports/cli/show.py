"""lemmalab show: what is printed beside what is executed, and why it is true or false."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import click

from reports.cli.below import chain_lines, neighbour_lines
from reports.cli.common import (
    id_argument,
    json_option,
    judged,
    keys_of,
    print_json,
    seed_option,
    split,
    table,
    verdict_word,
)
from reports.cli.letters import CODE, Code, letters_of, point_text
from reports.cli.sources import Sources

if TYPE_CHECKING:
    from theory.kernel import Claim
    from theory.ledger.judging import Ledger
    from theory.ledger.records import Record
    from theory.project import Project
    from theory.reading.paper import Paper, PaperDisplay, PaperStatement


NO_SOURCES = Sources()
Seen = dict[str, dict[str, list[str]]]
NEAR = 4  # levels of the chain below a statement; a check that is named alone shows all of it
LONG = 12  # readings of a statement; with more of them those of ours are listed, and proofs are left out


@click.command("show", short_help="A statement, display or check: printed, executed, proved or refuted.")
@id_argument
@click.option("--steps/--no-steps", default=True, help="List the steps of the proof as well.")
@click.option("--proofs/--no-proofs", default=None, help="Write the proofs out; a long statement is shown without.")
@click.option("--code", is_flag=True, help="Formulas as they are executed, not in the letters of the paper.")
@click.option("--latex", is_flag=True, help="What is claimed also as LaTeX in the letters of the paper.")
@click.option(
    "--ledger",
    type=click.Path(dir_okay=False, path_type=Path),
    default=None,
    help="A ledger to take evidence from, beside .lemmalab and what ships with the paper.",
)
@seed_option
@json_option
def command(
    ids: tuple[str, ...],
    steps: bool,
    proofs: bool | None,
    code: bool,
    latex: bool,
    ledger: Path | None,
    seed: int,
    as_json: bool,
) -> None:
    """Show ID: the formula as printed (LaTeX) beside the one that is judged, in the letters of the paper, the readings
    with their hypotheses, the proof in readable form, the witness with both sides evaluated, the ratio, what it uses
    and who uses it."""
    project, wanted = split(ids)
    for id_ in wanted:
        keys = keys_of([id_], project)
        found = judged(project, keys, ledger, seed=seed)
        paper = project.paper
        items: dict[str, PaperStatement | PaperDisplay] = {s.id: s for s in paper.statements}
        items.update({d.id: d for d in paper.displays})
        extra = (project.bring("show") or {}).get(id_)
        if as_json:
            print_json(_as_json(id_, keys, found, items) | (extra.to_json() if extra else {}))
            continue
        for line in _lines(id_, keys, found, items, steps, proofs, code, latex, project, paper):
            click.echo(line)
        for line in extra.lines() if extra else ():
            click.echo(line)


def _as_json(id_: str, keys: list[str], found: Ledger, items: dict[str, Any]) -> dict[str, Any]:
    from theory.ledger.second import accepted
    from theory.reading.readable import proof_lines

    records = [found.by_key()[key] for key in keys]
    item, also = items.get(id_), accepted(found)
    shown = []
    for record in records:
        proof = record.evidence.certificate
        lines = proof_lines(record.claim, proof, found.claims()) if proof else []
        shown.append({**record.to_json(), "proof": lines, "also": also.get(record.key)})
    return {
        "id": id_,
        "printed": item.formula.strip() if item is not None else "",
        "checks": shown,
        "uses": list(getattr(item, "uses", ())),
        "used_by": [name for name, one in items.items() if id_ in getattr(one, "uses", ())],
    }


def _lines(
    id_: str,
    keys: list[str],
    found: Ledger,
    items: dict[str, PaperStatement | PaperDisplay],
    steps: bool,
    proofs: bool | None,
    code: bool,
    latex: bool,
    project: Project,
    paper: Paper,
) -> Iterator[str]:
    from theory.claims.statement import Faithfulness, Kind

    records = [found.by_key()[key] for key in keys]
    statement = records[0].statement
    item = items.get(id_) or items.get(records[0].display) or items.get(statement)
    status, *around = neighbour_lines(statement, project, paper, found)
    if item is not None:
        yield from _heading(item)
    yield f"  {status}"
    whole = id_ == statement
    loops = any(record.claim.steps for record in records)  # what the paper says of its algorithm is read for these
    sources = (project.bring("sources") if loops else None) or Sources()
    letters = {r.key: CODE if code else letters_of(r.claim, project) for r in records}
    readings = [r for r in records if r.kind is not Kind.STEP] if whole else records
    brief = proofs is None and len(readings) > LONG
    ours = [r for r in readings if brief and r.faithfulness is Faithfulness.OURS]
    seen: Seen | None = {} if brief else None
    for record in (r for r in readings if r not in ours):
        yield ""
        printed = _printed(record, items, item)
        lines = reading_lines(
            record,
            found,
            not brief if proofs is None else proofs,
            printed=printed,
            links=project.links,
            sources=sources,
            letters=letters[record.key],
            seen=seen,
        )
        yield next(lines)
        yield from in_letters(record.claim, project) if latex else ()
        yield from lines
    others = [r for r in records if r.kind is Kind.STEP] if whole else []
    for title, listed in (("facts of ours on the way:", ours), ("steps:", others if steps else [])):
        if listed:
            yield ""
            yield title
            yield from table([_step(record, None if brief else letters[record.key]) for record in listed], indent="  ")
    yield ""
    top = records if not whole and len(records) == 1 else [r for r in readings if brief and r.kind is Kind.REPAIRED][:1]
    for record in top:
        yield from ([f"the chain below {record.key}:"] if whole else [])
        yield from chain_lines(record, found, NEAR if whole else None)
        yield ""
    if brief:
        yield "--proofs writes the proofs out; name a single check to see it alone"
        yield ""
    yield from around


def in_letters(claim: Claim, project: Project) -> Iterator[str]:
    """What the claim says in the letters of the paper; what cannot be set in them stays as it is executed."""
    from reports.site.told import told_of

    told = told_of(claim, project.notation)
    for position, source in enumerate(claim.says):
        yield f"  {'' if position else 'in LaTeX':9} {told.relation(source, longest=10_000) or source}"


def _heading(item: PaperStatement | PaperDisplay) -> Iterator[str]:
    from theory.reading.lines import span

    title = getattr(item, "title", "") or f"display, {item.role.value}"  # type: ignore[union-attr]
    yield f"{item.id}: {title}"
    yield f"  {item.section}, {span(item.first_line, item.last_line)}"
    if getattr(item, "explanation", ""):
        yield f"  {item.explanation}"  # type: ignore[union-attr]
    yield "  as printed (LaTeX):"
    yield from (f"    {line}" for line in item.formula.strip().splitlines())


def _printed(record: Record, items: dict[str, PaperStatement | PaperDisplay], heading: object) -> list[str]:
    """The display that the reading is of, where the heading does not show it already."""
    item = items.get(record.display)
    return [] if item is None or item is heading else item.formula.strip().splitlines()


def reading_lines(
    record: Record,
    found: Ledger,
    proofs: bool = True,
    own: bool = False,
    printed: Sequence[str] = (),
    links: Mapping[str, str] = MappingProxyType({}),
    sources: Sources = NO_SOURCES,
    letters: Code = CODE,
    seen: Seen | None = None,
) -> Iterator[str]:
    """One reading: what is claimed, the verdict, the evidence. A claim of the user's `own` is not of the paper; what
    was `seen` in an earlier reading is not said again."""
    from theory.reading.used import definitions, example

    claim = record.claim
    reads = record.reads.value if record.role in record.reads.value else f"{record.role}; {record.reads.value}"
    yield record.key + ("" if own else f"  [{reads}]")
    for label, lines in (
        ("printed", printed),
        ("in words", [record.words] if record.words else []),
        ("says", [letters.relation(one) for one in claim.says]),
        ("steps", [letters.definition(head, body) for head, body in claim.steps]),
        ("where", [letters.definition(name, formula) for name, formula in definitions(claim)]),
        ("letters", [] if letters.known else sources.read(claim)),
        ("given", [_hypothesis(line, claim, letters) for line in sources.given(claim)]),
        ("kinds", list(letters.kinds(claim))),
        ("naturals", [", ".join(map(letters.name, claim.naturals))] if claim.naturals else []),
    ):
        for position, line in enumerate(_new(label, list(lines), record.key, seen)):
            yield f"  {label if position == 0 else '':9} {line}"
    if claim.example and seen is None:
        yield f"  {'example':9} {point_text(example(claim), letters)}"
    from theory.ledger.second import accepted
    from theory.ledger.stands import SENTENCES

    yield f"  {'verdict':9} {verdict_word(record.shown, text=record.told)}: {SENTENCES[record.shown]}" + (
        "" if own else _expectation(record)
    )
    yield from label_lines(record, links)
    also = accepted(found).get(record.key)
    if also:
        yield f"  {'also':9} accepted by {also}"
    yield f"  {'because':9} {letters.line(record.problem or record.judgement.reason)}"
    yield f"  {'scope':9} {record.judgement.scope}"
    for note in record.evidence.notes:
        yield from (f"  {'' if position else 'open':9} {line}" for position, line in enumerate(note.splitlines()))
    yield from _witness(record, letters)
    yield from _tightness(record, letters)
    if record.judgement.cites:
        yield f"  {'cites':9} {', '.join(record.judgement.cites)}"
    if proofs and record.evidence.certificate:
        yield "  proof"
        yield from map(letters.line, proof_of(record, found))


def _new(label: str, lines: list[str], key: str, seen: Seen | None) -> list[str]:
    """The lines, or what is new against the earlier reading that is nearest; a letter or a rule may be another one."""
    if seen is None or len(lines) < 3:
        return lines
    earlier = seen.setdefault(label, {})
    told = [_against(name, lines, one) for name, one in earlier.items()]
    earlier[key] = lines
    return min((one for one in told if len(one) < len(lines) / 2), key=len, default=lines)


def _against(key: str, lines: list[str], earlier: list[str]) -> list[str]:
    new, gone = [one for one in lines if one not in earlier], [one.strip() for one in earlier if one not in lines]
    without = f", without {'; '.join(gone)}" if gone else ""
    return [f"as in {key}{without}{', and' if new else ''}", *new]


def _hypothesis(line: str, claim: Claim, letters: Code) -> str:
    """A hypothesis, or the words about where the next ones come from."""
    source = line.strip()
    return line[: len(line) - len(source)] + letters.relation(source) if source in claim.given else line


def label_lines(record: Record, links: Mapping[str, str]) -> Iterator[str]:
    """The instance that a claim is of, and every link by hand that it or something that it cites uses."""
    from theory.ledger.stands import RIGOROUS

    if record.verdict not in RIGOROUS:
        return
    if record.instance:
        yield f"  {'instance':9} {record.instance}"
    for position, link in enumerate(record.links):
        yield f"  {'' if position else 'by hand':9} {link}: {links.get(link, '')}"


def _expectation(record: Record) -> str:
    return "" if record.as_expected else f"  (expected {record.expected.name})"


def proof_of(record: Record, found: Ledger) -> Iterator[str]:
    """The proof in readable lines."""
    from theory.reading.readable import proof_lines

    assert record.evidence.certificate is not None
    for line in proof_lines(record.claim, record.evidence.certificate, found.claims()):
        yield f"    {line}"


def _witness(record: Record, letters: Code) -> Iterator[str]:
    point = (record.evidence.witness or {}).get("point")
    if not point:
        return
    yield f"  {'witness':9} {point_text(point, letters)}"
    if record.ratio and "left" in record.ratio:
        yield f"  {'':9} there the left side of {letters.relation(record.ratio['relation'])}"
        yield f"  {'':9} is {with_decimal(record.ratio['left'])}, the right side {with_decimal(record.ratio['right'])}"


def with_decimal(value: str) -> str:
    """An exact number with its size; one that nobody reads has its size alone."""
    from fractions import Fraction

    from theory.reading.numbers import surd

    root = surd(value)
    if root is not None:
        return f"{value} = {root:.6g}"
    try:
        exact = Fraction(value)
    except (ValueError, ZeroDivisionError):
        return value.replace("'", "")  # the entries of a matrix are texts
    if exact.denominator == 1 and len(value) < 12:
        return value
    return f"{value} = {float(exact):.6g}" if len(value) <= 60 else f"{float(exact):.6g} (exactly with --json)"


def _tightness(record: Record, letters: Code) -> Iterator[str]:
    search = record.evidence.search
    if not search or record.evidence.witness or not search.get("trials"):
        return
    worst = search.get("worst_ratio")
    told = "no data (no point with a positive right side)" if worst is None else f"at worst {worst} (left over right)"
    yield f"  {'ratio':9} {told} in {search.get('trials')} trials"
    if search.get("worst_point"):
        yield f"  {'':9} at {point_text(search['worst_point'], letters)}"
    if search.get("space"):
        yield f"  {'searched':9} {_cut(str(search['space']))}"
    if search.get("risk") and record.verdict.name == "SUPPORTED":
        yield f"  {'risk':9} {search['risk']}"


def _cut(words: str, limit: int = 240) -> str:
    return words if len(words) <= limit else f"{words[: limit - 1]}… (all of it with --json)"


def _step(record: Record, letters: Code | None) -> list[str]:
    """One line of a table; without letters only in words."""
    note = "" if record.as_expected else f"expected {record.expected.name}; "
    return [
        record.key.partition("/")[2] or record.key.partition("#")[2] or record.key,
        verdict_word(record.shown, text=record.told),
        *(["; ".join(map(letters.relation, record.claim.says))] if letters else []),
        f"{note}{record.words or record.problem}",
    ]
