"""Who rests on whom, as a picture with links and as data for the focus."""

from __future__ import annotations

from html import escape

from reports.charts import svg
from reports.layout import Spot, layout
from reports.site.figure import Figure
from reports.site.words import anchor
from theory.reading.graph import Graph, Node, Status

WIDE, HIGH, GAP_X, GAP_Y, EDGE = 158.0, 36.0, 8.0, 30.0, 6.0
LETTERS = 21  # of a name in its box
ACROSS = 6  # statements side by side: the picture is as wide as the column of text
COLOURS = {
    Status.PROVED: ("#d8efdc", "#14532d"),
    Status.LINKED: ("#e0e4fa", "#2b3680"),
    Status.INSTANCE: ("#f1e2f6", "#5e2771"),
    Status.ALONE: ("#e6efc4", "#3f4d0b"),
    Status.CERTIFIED: ("#d2edf0", "#0c4a52"),
    Status.CITED: ("#dce6f6", "#1d3d6d"),
    Status.SUPPORTED: ("#dce6f6", "#1d3d6d"),
    Status.UNDECIDED: ("#fbeebb", "#5c4400"),
    Status.UNFOUNDED: ("#fbdcbc", "#6b3100"),
    Status.REPAIRED: ("#fbdcbc", "#6b3100"),
    Status.MENDED: ("#fbdcbc", "#6b3100"),
    Status.REFUTED: ("#f9d2cf", "#7a120c"),
    Status.GIVEN: ("#ffffff", "#3a424b"),
    Status.UNJUDGED: ("#e6e8eb", "#3f464e"),
}
SHORT = {
    Status.PROVED: "proved",
    Status.LINKED: "proved up to links",
    Status.INSTANCE: "instance only",
    Status.ALONE: "proved on its own",
    Status.CERTIFIED: "certified",
    Status.CITED: "cited",
    Status.SUPPORTED: "supported",
    Status.UNDECIDED: "undecided",
    Status.UNFOUNDED: "does not follow",
    Status.REPAIRED: "false, repaired",
    Status.MENDED: "false, repaired (links)",
    Status.REFUTED: "false",
    Status.GIVEN: "given",
    Status.UNJUDGED: "not judged",
}
VARIABLES = {"SUPPORTED": "cited", "UNJUDGED": "void", "UNFOUNDED": "repaired", "MENDED": "repaired"}
STYLE = (
    ".edge{fill:none;stroke:var(--figure-none,#999);stroke-width:1.2}.node rect{stroke-width:1.4}"
    ".graph-svg .node text{font-size:11px}.node .name{font-weight:600}.node:focus rect,.node:hover rect{stroke-width:3}"
    + "".join(
        f".node.s-{s.name.lower()} rect{{fill:var(--{_v},{fill});stroke:var(--{_v}-ink,{ink})}}"
        f".node.s-{s.name.lower()} text{{fill:var(--{_v}-ink,{ink})}}"
        for s, (fill, ink) in COLOURS.items()
        for _v in [VARIABLES.get(s.name, s.name.lower())]
    )
    + ".node.s-unjudged rect{stroke-dasharray:4 3}"
)


def graph_figure(drawn: Graph) -> Figure:
    """Edges run downwards: what is used stands above what uses it."""
    names = [node.id for node in drawn.nodes]
    spots = layout(names, {node.id: node.rests_on for node in drawn.nodes}, ACROSS)
    width = 2 * EDGE + (1 + max((s.row for s in spots.values()), default=0)) * (WIDE + GAP_X) - GAP_X
    height = 2 * EDGE + (1 + max((s.layer for s in spots.values()), default=0)) * (HIGH + GAP_Y) - GAP_Y
    parts = [f"<style>{STYLE}</style>"]
    for node in drawn.nodes:
        parts += [_edge(parent, node.id, spots) for parent in node.rests_on if parent in spots]
    parts += [_node(node, spots[node.id], node is drawn.nodes[0]) for node in drawn.nodes]
    words = f"Dependency graph of {len(names)} statements; the table below says the same in words."
    rows = tuple((n.id, n.status.name, n.kind, n.wrong_steps, " ".join(n.rests_on)) for n in drawn.nodes)
    return Figure(
        "graph",
        "Who rests on whom",
        "Edges run from what is used (above) to what uses it (below). Colours are the computed status.",
        svg(width, height, words, parts, kind="chart-svg graph-svg").replace('role="img"', 'role="group"', 1),
        ("statement", "status", "kind", "wrong_steps", "rests_on"),
        rows,
    )


def _corner(spot: Spot) -> tuple[float, float]:
    return EDGE + spot.row * (WIDE + GAP_X), EDGE + spot.layer * (HIGH + GAP_Y)


def _edge(parent: str, child: str, spots: dict[str, Spot]) -> str:
    (x1, y1), (x2, y2) = _corner(spots[parent]), _corner(spots[child])
    (a, b), (c, d) = (x1 + WIDE / 2, y1 + HIGH), (x2 + WIDE / 2, y2)
    bend = max(18.0, (d - b) / 2)
    path = f"M{a:.0f} {b:.0f}C{a:.0f} {b + bend:.0f} {c:.0f} {d - bend:.0f} {c:.0f} {d:.0f}"
    return f'<path class="edge" data-from="{escape(parent)}" data-to="{escape(child)}" d="{path}"/>'


def _node(node: Node, spot: Spot, first: bool) -> str:
    """One stop of the tab key serves all: the arrow keys go on from there."""
    x, y = _corner(spot)
    name = node.id if len(node.id) <= LETTERS else f"{node.id[: LETTERS - 1]}…"
    slips = f", {node.wrong_steps} wrong step{'s' if node.wrong_steps > 1 else ''}" if node.wrong_steps else ""
    marks = f", ✗ {node.wrong_steps}" if node.wrong_steps else ""
    told = f"{node.id}: {node.title}. {node.status.value}{slips}"
    return (
        f'<a class="node s-{node.status.name.lower()}" data-id="{escape(node.id)}" href="#{escape(anchor(node.id))}" '
        f'tabindex="{0 if first else -1}" aria-label="{escape(told)}"><title>{escape(told)}</title>'
        f'<rect x="{x:.0f}" y="{y:.0f}" width="{WIDE:.0f}" height="{HIGH:.0f}" rx="6"/>'
        f'<text class="name" x="{x + 8:.0f}" y="{y + 15:.0f}">{escape(name)}</text>'
        f'<text class="small" x="{x + 8:.0f}" y="{y + 29:.0f}">{escape(SHORT[node.status] + marks)}</text></a>'
    )


def graph_data(drawn: Graph) -> dict[str, dict[str, object]]:
    """For the script: neighbours, ancestors and descendants of every statement."""
    known, users = {node.id for node in drawn.nodes}, drawn.users()
    return {
        node.id: {
            "anchor": anchor(node.id),
            "title": node.title,
            "status": node.status.value,
            "above": [id_ for id_ in node.rests_on if id_ in known],
            "below": [id_ for id_ in users[node.id] if id_ in known],
            "up": list(drawn.ancestors(node.id)),
            "down": list(drawn.descendants(node.id)),
        }
        for node in drawn.nodes
    }
