"""For `lemmalab show`: the claims that a proof cites, down to the last, and the statements around it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from reports.cli.common import keys_of, local, table, verdict_word
from reports.site.words import plural

if TYPE_CHECKING:
    from theory.ledger.judging import Ledger
    from theory.ledger.records import Record
    from theory.project import Project
    from theory.reading.paper import Paper


def chain_lines(record: Record, found: Ledger, depth: int | None = None) -> Iterator[str]:
    """Every claim below, each once, under the first that cites it; below `depth` they are counted."""
    known = found.by_key()
    rows: list[tuple[int, list[str]]] = []
    seen = {record.key}

    def walk(above: Record, level: int) -> None:
        for key in above.judgement.cites:
            if key not in seen and key in known:
                seen.add(key)
                one = known[key]
                rows.append((level, [f"{'  ' * level}{key}", verdict_word(one.shown, text=one.told), one.words]))
                walk(one, level + 1)

    walk(record, 0)
    if rows:
        shown = [row for level, row in rows if depth is None or level < depth]
        yield f"rests on {plural(len(rows), 'claim')}, each listed once under the first that cites it:"
        yield from table(shown, indent="  ")
        if len(shown) < len(rows):
            yield f"  … and {len(rows) - len(shown)} further down: lemmalab show {record.key}"


def neighbour_lines(statement: str, project: Project, paper: Paper, found: Ledger) -> Iterator[str]:
    """Its status first, then what it uses and who uses it. A status is shown only where this run has judged it."""
    from theory.ledger import store
    from theory.reading.graph import UNSEEN, graph

    drawn = graph(paper, found.records)
    known = {node.id: node for node in drawn.nodes}

    def status(id_: str) -> str:
        return drawn.alone(id_) if decided(id_, project, found) else UNSEEN

    yield f"status of {statement} as printed: {status(statement)}"
    users = dict.fromkeys(
        [*drawn.users()[statement], *store.citing((project.file("proofs"), local(project)), statement)]
    )
    for label, ids in (("uses", drawn.node(statement).rests_on), ("used by", users)):
        if ids:
            yield f"{label}:"
            titles = {i: known[i].title.removeprefix(i) if i in known else "" for i in ids}
            told = {i: status(i) for i in ids}
            judged = any(one != UNSEEN for one in told.values())
            yield from table([[i, *([told[i]] if judged else []), titles[i]] for i in ids], indent="  ")


def decided(statement: str, project: Project, found: Ledger) -> bool:
    """Whether this run has judged the reading that carries the statement's id, or all printed ones where none does."""
    from theory.claims.statement import Kind

    judged = found.by_key()
    if all(record.statement != statement for record in judged.values()):
        return False
    keys = keys_of([statement], project)
    deciding = [statement] if statement in keys else [k for k in keys if project.find(k).kind is Kind.PRINTED]
    return bool(deciding) and all(key in judged for key in deciding)
