"""The paper at a glance: one cell for each display, coloured by what became of it. Never green for what did not run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import Enum
from html import escape

from reports.charts import svg
from reports.site.content import Content, ran
from theory.ledger.records import Record
from theory.ledger.stands import INSTANCE, LINKED
from theory.ledger.summary import RIGOROUS, is_printed, repairs_of, weakest
from theory.reading.coverage import Cover
from theory.reading.paper import PaperDisplay


class Cell(Enum):
    """The value is the sentence of the legend."""

    PROVED = "every relation that it prints is proved"
    LINKED = "every relation that it prints is proved, some up to links by hand"
    INSTANCE = "every relation that it prints is proved, some for the stated sizes only"
    CERTIFIED = "rigorous on a stated box, or by two solvers"
    CITED = "an external theorem, tested only"
    SUPPORTED = "no violation found"
    UNFOUNDED = "does not follow from the argument given for it; whether it is false is open"
    REPAIRED = "something in it is false; the correction is proved"
    REFUTED = "something in it is false, and no correction is proved"
    UNDECIDED = "a relation in it is neither proved nor refuted"
    PARTLY = "some of its relations are not checked yet; the others hold"
    NOT_RUN = "its checks did not run"
    MISSING = "no check exists yet"
    NOTHING = "asserts nothing: a definition, a setting or a bare expression"


@dataclass(frozen=True)
class MapCell:
    """A display on the map."""

    id: str
    line: int
    section: str
    cell: Cell
    words: str
    home: str  # the statement, or ""
    first: bool = False


def cells(content: Content) -> tuple[MapCell, ...]:
    """In reading order; a display that restates another is as good as the worst of what it restates."""
    covers = {item.id: item for item in (*content.coverage.displays, *content.coverage.statements)}
    by_display: dict[str, list[Record]] = {}
    for record in content.records:
        by_display.setdefault(record.display, []).append(record)
    own = {d.id: _own(d, covers[d.id].cover, by_display.get(d.id, []), content) for d in content.paper.displays}
    found = [_cell(d, own, content) for d in content.paper.displays]
    return tuple(replace(cell, first=cell is found[0]) for cell in found)


def _own(display: PaperDisplay, cover: Cover, records: list[Record], content: Content) -> Cell | None:
    """None for a display that only restates."""
    printed = [record for record in records if is_printed(record)]
    if not printed:
        if cover is Cover.RESTATED:
            return None
        return Cell.NOTHING if cover is Cover.NOTHING_TO_CHECK else Cell.MISSING
    if any(not ran(record) for record in printed):
        return Cell.NOT_RUN
    found = weakest(content.stands[record.key] for record in printed)
    assert found is not None
    if found.name == "REFUTED":
        mended = all(_mended(record, content) for record in printed if record.verdict.name == "REFUTED")
        if not any(record.shown == "REFUTED" for record in printed):
            return Cell.UNFOUNDED
        return Cell.REPAIRED if mended else Cell.REFUTED
    if cover is not Cover.PARTLY and found in RIGOROUS:
        words = {record.shown for record in printed}
        return Cell.INSTANCE if INSTANCE in words else Cell.LINKED if LINKED in words else Cell[found.name]
    return Cell.PARTLY if cover is Cover.PARTLY and found.name in ("PROVED", "CERTIFIED") else Cell[found.name]


def _mended(record: Record, content: Content) -> bool:
    offered = repairs_of(record, content.records)
    return bool(offered) and all(content.stands[one.key] in RIGOROUS for one in offered)


ORDER = (
    Cell.REFUTED, Cell.MISSING, Cell.NOT_RUN, Cell.UNDECIDED, Cell.PARTLY, Cell.UNFOUNDED, Cell.REPAIRED,
    Cell.SUPPORTED, Cell.CITED, Cell.INSTANCE, Cell.LINKED, Cell.CERTIFIED, Cell.PROVED, Cell.NOTHING,
)  # fmt: skip


def _cell(display: PaperDisplay, own: dict[str, Cell | None], content: Content) -> MapCell:
    found, words = own[display.id], ""
    if found is None:
        origin = [_origin(id_, own, content) for id_ in display.restates]
        found = min(origin, key=ORDER.index, default=Cell.MISSING)
        words = f"restates {', '.join(display.restates)}: "
    return MapCell(display.id, display.first_line, display.section, found, words + found.value, display.statement)


def _origin(id_: str, own: dict[str, Cell | None], content: Content) -> Cell:
    if id_ in own:
        return own[id_] or Cell.MISSING
    node = next((n for n in content.graph.nodes if n.id == id_), None)
    names = {"ALONE": Cell.PROVED, "GIVEN": Cell.NOTHING, "UNJUDGED": Cell.MISSING}
    return Cell.MISSING if node is None else names.get(node.status.name) or Cell[node.status.name]


COLOURS = {
    Cell.PROVED: "#2e7d4f", Cell.CERTIFIED: "#1c8794", Cell.CITED: "#4b77b5", Cell.SUPPORTED: "#4b77b5",
    Cell.LINKED: "#6b78c9", Cell.INSTANCE: "#9a5fb0", Cell.UNFOUNDED: "#e08a3c",
    Cell.REPAIRED: "#e08a3c", Cell.REFUTED: "#b3261e", Cell.UNDECIDED: "#d9b430", Cell.PARTLY: "#e6d58a",
    Cell.NOT_RUN: "#9aa1a9", Cell.MISSING: "#d5d9df", Cell.NOTHING: "#ffffff",
}  # fmt: skip


def picture(cells_: Sequence[MapCell], across: int = 30) -> str:
    """The map as a picture of its own, for `--figures`; the page has it as links."""
    parts = []
    for position, cell in enumerate(cells_):
        x, y = 6 + 22 * (position % across), 6 + 22 * (position // across)
        told = f"<title>{escape(cell.id)}: {escape(cell.words)}</title>"
        parts.append(
            f'<rect x="{x}" y="{y}" width="20" height="20" fill="{COLOURS[cell.cell]}" stroke="#555">{told}</rect>'
        )
    height = 12 + 22 * -(-len(cells_) // across)
    return svg(12 + 22 * across, height, f"{len(cells_)} displays of the paper, coloured by verdict.", parts)
