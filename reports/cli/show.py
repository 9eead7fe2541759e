"""lemmalab show: what is printed beside what is executed, and why it is true or false."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from reports.cli import waterfall
from reports.cli.common import json_option, judged, keys_of, ledger_option, print_json, seed_option, table, verdict_word

if TYPE_CHECKING:
    from theory.ledger import Ledger
    from theory.paper import PaperDisplay, PaperStatement
    from theory.records import Record


@click.command("show", short_help="A statement, display or check: printed, executed, proved or refuted.")
@click.argument("id_", metavar="ID")
@click.option("--steps/--no-steps", default=True, help="List the steps of the proof as well.")
@click.option("--proofs/--no-proofs", default=True, help="Write the proofs out.")
@ledger_option
@seed_option
@json_option
def command(id_: str, steps: bool, proofs: bool, ledger: Path, seed: int, as_json: bool) -> None:
    """Show ID: the formula as printed (LaTeX) beside the one that is executed, the readings with their hypotheses,
    the proof in readable form, the witness with both sides evaluated, the ratio, what it uses and who uses it."""
    from theory.paper import load

    keys = keys_of([id_])
    found = judged(keys, ledger, seed=seed)
    items: dict[str, PaperStatement | PaperDisplay] = {s.id: s for s in load().statements}
    items.update({d.id: d for d in load().displays})
    if as_json:
        print_json(_as_json(id_, keys, found, items))
        return
    for line in _lines(id_, keys, found, items, steps, proofs):
        click.echo(line)
    if id_ == waterfall.THEOREM:
        click.echo("\nconstants of the theorem, s c w A (1+g)/a^2, with the chain of lemmas behind them")
        for line in waterfall.side_by_side():
            click.echo(line)


def _as_json(id_: str, keys: list[str], found: Ledger, items: dict[str, Any]) -> dict[str, Any]:
    from theory.readable import proof_lines

    records = [found.by_key()[key] for key in keys]
    item = items.get(id_)
    shown = []
    for record in records:
        proof = record.evidence.certificate
        lines = proof_lines(record.claim, proof, found.claims()) if proof else []
        shown.append({**record.to_json(), "proof": lines})
    constants: dict[str, Any] = {}
    if id_ == waterfall.THEOREM:
        from theory.composition import to_json

        constants = {"constants": to_json()}
    return constants | {
        "id": id_,
        "printed": item.formula.strip() if item is not None else "",
        "checks": shown,
        "uses": list(getattr(item, "uses", ())),
        "used_by": _users(id_),
    }


def _users(id_: str) -> list[str]:
    from theory.paper import load

    return [s.id for s in load().statements if id_ in s.uses]


def _lines(
    id_: str, keys: list[str], found: Ledger, items: dict[str, PaperStatement | PaperDisplay], steps: bool, proofs: bool
) -> Iterator[str]:
    from theory.statement import Kind

    records = [found.by_key()[key] for key in keys]
    statement = records[0].statement
    item = items.get(id_) or items.get(records[0].display) or items.get(statement)
    if item is not None:
        yield from _heading(item)
    whole = id_ == statement
    readings = [r for r in records if r.kind is not Kind.STEP] if whole else records
    for record in readings:
        yield ""
        yield from reading_lines(record, found, proofs, printed=_printed(record, items, item))
    others = [r for r in records if r.kind is Kind.STEP] if whole else []
    if others and steps:
        yield ""
        yield "steps:"
        yield from table([_step(record) for record in others], indent="  ")
    yield ""
    yield from _neighbours(statement, items, found)


def _heading(item: PaperStatement | PaperDisplay) -> Iterator[str]:
    title = getattr(item, "title", "") or f"display, {item.role.value}"  # type: ignore[union-attr]
    yield f"{item.id}: {title}"
    yield f"  {item.section}, lines {item.first_line}-{item.last_line}"
    if getattr(item, "explanation", ""):
        yield f"  {item.explanation}"  # type: ignore[union-attr]
    yield "  as printed (LaTeX):"
    yield from (f"    {line}" for line in item.formula.strip().splitlines())


def _printed(record: Record, items: dict[str, PaperStatement | PaperDisplay], heading: object) -> list[str]:
    """The display that the reading is of, where the heading does not show it already."""
    item = items.get(record.display)
    return [] if item is None or item is heading else item.formula.strip().splitlines()


def reading_lines(
    record: Record, found: Ledger, proofs: bool = True, own: bool = False, printed: Sequence[str] = ()
) -> Iterator[str]:
    """One reading: what is executed, the verdict, the evidence. A claim of the user's `own` is not of the paper."""
    claim = record.claim
    yield record.key + ("" if own else f"  [{record.kind.value}; {record.faithfulness.value}]")
    for label, lines in (
        ("printed", printed),
        ("says", claim.says),
        ("where", [f"{name} = {formula}" for name, formula in claim.where]),
        ("given", claim.given),
        ("naturals", [", ".join(claim.naturals)] if claim.naturals else []),
        ("matrices", [", ".join(f"{n} {kind}".strip() for n, kind in claim.letters)] if claim.letters else []),
    ):
        for position, line in enumerate(lines):
            yield f"  {label if position == 0 else '':9} {line}"
    if claim.example:
        yield f"  {'example':9} {point_text(dict(claim.example))}"
    yield f"  {'verdict':9} {verdict_word(record.verdict.name)}: {record.verdict.value}" + (
        "" if own else _expectation(record)
    )
    yield f"  {'because':9} {record.problem or record.judgement.reason}"
    yield f"  {'scope':9} {record.judgement.scope}"
    if record.words:
        yield f"  {'in words':9} {record.words}"
    yield from _witness(record)
    yield from _tightness(record)
    if record.judgement.attested:
        yield f"  {'attested':9} {', '.join(record.judgement.attested)}"
    if record.judgement.cites:
        yield f"  {'cites':9} {', '.join(record.judgement.cites)}"
    if proofs and record.evidence.certificate:
        yield "  proof"
        yield from _proof(record, found)


def _expectation(record: Record) -> str:
    return "" if record.as_expected else f"  (expected {record.expected.name})"


def _proof(record: Record, found: Ledger) -> Iterator[str]:
    from theory.readable import proof_lines

    assert record.evidence.certificate is not None
    for line in proof_lines(record.claim, record.evidence.certificate, found.claims()):
        yield f"    {line}"


def point_text(point: dict[str, Any]) -> str:
    return ", ".join(f"{name} = {_value(value)}" for name, value in sorted(point.items()))


def _value(value: Any) -> str:
    return f"[{', '.join(map(_value, value))}]" if isinstance(value, list) else str(value)


def _witness(record: Record) -> Iterator[str]:
    point = (record.evidence.witness or {}).get("point")
    if not point:
        return
    yield f"  {'witness':9} {point_text(point)}"
    if record.ratio and "left" in record.ratio:
        yield f"  {'':9} there the left side of {record.ratio['relation']}"
        yield f"  {'':9} is {with_decimal(record.ratio['left'])}, the right side {with_decimal(record.ratio['right'])}"


def with_decimal(value: str) -> str:
    from fractions import Fraction

    try:
        exact = Fraction(value)
    except (ValueError, ZeroDivisionError):
        return value
    return value if exact.denominator == 1 and len(value) < 12 else f"{value} = {float(exact):.6g}"


def _tightness(record: Record) -> Iterator[str]:
    search = record.evidence.search
    if not search or record.evidence.witness:
        return
    yield f"  {'ratio':9} at worst {search.get('worst_ratio')} (left over right) in {search.get('trials')} trials"
    if search.get("worst_point"):
        yield f"  {'':9} at {point_text(search['worst_point'])}"
    if search.get("space"):
        yield f"  {'searched':9} {_cut(str(search['space']))}"
    if search.get("risk") and record.verdict.name == "SUPPORTED":
        yield f"  {'risk':9} {search['risk']}"


def _cut(words: str, limit: int = 240) -> str:
    return words if len(words) <= limit else f"{words[: limit - 1]}… (all of it with --json)"


def _step(record: Record) -> list[str]:
    note = "" if record.as_expected else f"expected {record.expected.name}; "
    return [
        record.key.partition("/")[2] or record.key,
        verdict_word(record.verdict.name),
        "; ".join(record.claim.says),
        f"{note}{record.words or record.problem}",
    ]


def _neighbours(statement: str, items: dict[str, Any], found: Ledger) -> Iterator[str]:
    from theory.graph import graph
    from theory.paper import load

    drawn = graph(load(), found.records)
    own = drawn.node(statement)
    yield f"status: {own.status.value}"
    for label, ids in (("uses", own.rests_on), ("used by", drawn.users()[statement])):
        if ids:
            yield f"{label}:"
            yield from table([[id_, drawn.node(id_).status.value, drawn.node(id_).title] for id_ in ids], indent="  ")
