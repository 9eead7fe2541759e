"""lemmalab mutants --through ID: does the theorem fall when a lemma below it breaks?"""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from reports.cli.common import FINE, INCONCLUSIVE, SHORT, Stop, judged, keys_of, paint, print_json, table

if TYPE_CHECKING:
    from theory.ledger.judging import Ledger
    from theory.mutants.through import Break, Held
    from theory.project import Project


def broken_through(project: Project, id_: str, seed: int, as_json: bool) -> int:
    """Break what ID rests on; the exit code is 1 when ID survives a break."""
    from theory.claims.statement import Kind
    from theory.kernel import Verdict
    from theory.mutants.through import breaks, by_hand, closure

    keys = keys_of([id_], project)
    ledger = judged(project, keys, None, seed=seed)
    held = _held(ledger)
    own = ledger.by_key()
    tops = [key for key in keys if own[key].verdict in (Verdict.PROVED, Verdict.CERTIFIED)]
    tops = [key for key in tops if own[key].kind is not Kind.STEP or key == id_]
    if not tops:
        raise Stop(f"{id_} is not proved, so that nothing can be broken below it", INCONCLUSIVE)
    outcomes = _all(breaks(tops, held, project.library), 2 * len(closure(tops, held)))
    statement = project.owner(tops[0])
    uses = {one.id: one.uses for one in project.paper.statements}
    kinds = {one.id: one.kind for one in project.paper.statements}
    cited = {project.owner(key) for key in closure(tops, held)}
    hand = by_hand(statement, uses, cited, kinds)
    survivors = [one for one in outcomes if one.stands]
    if as_json:
        body = {"of": tops, "breaks": [one.to_json() for one in outcomes], "by_hand": hand}
        print_json({**body, "survivors": len(survivors)})
    else:
        _show(id_, tops, outcomes, survivors, hand)
    return SHORT if survivors else FINE


def _held(ledger: Ledger) -> dict[str, Held]:
    from theory.mutants.through import Held

    return {r.key: Held(r.claim, r.evidence, r.judgement.cites) for r in ledger.records if r.evidence.certificate}


def _all(found: object, total: int) -> list[Break]:
    import sys

    outcomes: list[Break] = []
    for one in found:  # type: ignore[attr-defined]
        outcomes.append(one)
        if sys.stderr.isatty():
            click.echo(f"\r{len(outcomes)} of {total} breaks", nl=False, err=True)
    if sys.stderr.isatty():
        click.echo(err=True)
    return outcomes


def _show(id_: str, tops: list[str], outcomes: list[Break], survivors: list[Break], hand: list[str]) -> None:
    click.echo(f"{len(tops)} proved readings of {id_}: {', '.join(tops)}")
    rows = [("broken claim", "it", "falls", "survives")]
    rows += [(one.key, one.how, str(len(one.fallen)), ", ".join(one.stands)) for one in outcomes]
    for line in table(rows):
        click.echo(line)
    if not outcomes:
        click.echo(paint("No proof of it cites another claim: nothing below can break.", "yellow"))
    click.echo(f"{len(outcomes)} breaks, {len(survivors)} survivors")
    for one in survivors:
        click.echo(f"survivor: {one.key} {one.how}, and {', '.join(one.stands)} stays proved: it is cited and not used")
    if hand:
        click.echo(
            f"Another way: the printed proof rests on these, and this proof does not cite them: {', '.join(hand)}"
        )
