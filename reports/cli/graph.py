"""lemmalab graph: who rests on whom, coloured by computed status."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from reports.cli.common import here, json_option, judged, ledger_option, paint, print_json, seed_option, table, unknown

if TYPE_CHECKING:
    from theory.project import Project
    from theory.reading.graph import Graph

FILL = {
    "PROVED": "#9fd99f",
    "LINKED": "#cfe8a9",
    "INSTANCE": "#cfe8a9",
    "ALONE": "#cfe8a9",
    "CERTIFIED": "#a8dadc",
    "CITED": "#cfd8e8",
    "SUPPORTED": "#bcd4f5",
    "UNDECIDED": "#f7e08a",
    "UNFOUNDED": "#f6b26b",
    "REPAIRED": "#f6b26b",
    "MENDED": "#f6b26b",
    "REFUTED": "#ea8b8b",
    "GIVEN": "#ffffff",
    "UNJUDGED": "#e0e0e0",
}
TERMINAL = {
    "PROVED": "green",
    "LINKED": "yellow",
    "INSTANCE": "yellow",
    "ALONE": "bright_green",
    "CERTIFIED": "cyan",
    "SUPPORTED": "blue",
    "CITED": "blue",
    "UNDECIDED": "yellow",
    "UNFOUNDED": "magenta",
    "REPAIRED": "magenta",
    "MENDED": "magenta",
    "REFUTED": "red",
}


@click.command("graph", short_help="Who rests on whom, with the status of each.")
@click.option("--focus", default="", metavar="ID", help="Only this statement, what it rests on and what rests on it.")
@click.option("--format", "form", type=click.Choice(["text", "dot"]), default="text", show_default=True)
@ledger_option
@seed_option
@json_option
def command(focus: str, form: str, ledger: Path, seed: int, as_json: bool) -> None:
    """The statements with their computed status. Nothing is green that rests on something that is not.

    Edges are the paper's own uses and the citations of our proofs. `lemmalab graph --format dot | dot -Tsvg` draws it.
    """
    from theory.reading.graph import graph

    project = here()
    drawn = graph(project.paper, judged(project, None, ledger, seed=seed).records)
    if focus:
        focus = _statement(focus, [node.id for node in drawn.nodes], project)
        drawn = drawn.focused(focus)
    if as_json:
        print_json({"nodes": [node.to_json() for node in drawn.nodes]})
        return
    for line in dot(drawn, focus) if form == "dot" else text(drawn):
        click.echo(line)


def _statement(id_: str, names: list[str], project: Project) -> str:
    """The statement behind a statement, a check or a display."""
    if id_ in names:
        return id_
    homes = {key: project.owner(key) for key in project.checks}
    homes |= {display.id: display.statement for display in project.paper.displays if display.statement}
    if id_ not in homes:
        raise unknown(id_, [*names, *homes])
    return homes[id_]


def text(drawn: Graph) -> Iterator[str]:
    rows = []
    for node in drawn.nodes:
        status = paint(node.status.name.lower(), TERMINAL.get(node.status.name))
        slips = (
            f"{node.wrong_steps} wrong step{'s' if node.wrong_steps > 1 else ''} in its proof"
            if node.wrong_steps
            else ""
        )
        rows.append([node.id, status, f"<- {', '.join(node.rests_on)}" if node.rests_on else "", slips])
    yield from table(rows)
    yield ""
    from theory.reading.graph import Status

    used = {node.status for node in drawn.nodes}
    yield from table([[paint(s.name.lower(), TERMINAL.get(s.name)), s.value] for s in Status if s in used])


def dot(drawn: Graph, focus: str = "") -> Iterator[str]:
    """For Graphviz: edges point from what is used to what uses it."""
    yield "digraph paper {"
    yield '  rankdir=LR; node [shape=box, style="filled,rounded", fontname="Helvetica", fontsize=10];'
    here = {node.id for node in drawn.nodes}
    for node in drawn.nodes:
        label = _quoted(
            f"{node.id}\n{node.title}" + (f"\n({node.wrong_steps} wrong steps)" if node.wrong_steps else "")
        )
        bold = ", penwidth=3" if node.id == focus else ""
        tip = _quoted(node.status.value)
        yield f"  {_quoted(node.id)} [label={label}, fillcolor={_quoted(FILL[node.status.name])}, tooltip={tip}{bold}];"
    for node in drawn.nodes:
        for parent in node.rests_on:
            if parent in here:
                yield f"  {_quoted(parent)} -> {_quoted(node.id)};"
    yield "}"


def _quoted(words: str) -> str:
    safe = words.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{safe}"'
