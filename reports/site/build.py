"""The whole report: sections from the content, one page, and the files beside it."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from jinja2 import Environment
from markupsafe import Markup

from reports.page import asset, environment, page
from reports.site import articles, derived, opening, papermap, trust
from reports.site.content import Content, stamp, verdict_name
from reports.site.errata import cards, errata_csv, folded, severities
from reports.site.figure import Figure, as_packed
from reports.site.findings import findings
from reports.site.graphview import SHORT, graph_data, graph_figure
from reports.site.severity import SEVERITIES
from reports.site.symbols import symbol_rows
from reports.site.tables import Brought, Lesson, Proved, Section, Theorem
from reports.site.typeset import Typesetter
from reports.site.words import FAITH, LABELS, anchor, plural, tone
from theory.claims.statement import Faithfulness, Kind
from theory.kernel import Verdict
from theory.ledger.stands import SENTENCES
from theory.reading.graph import Status

BEFORE = (("summary", "Summary"), ("statements", "Statements"), ("errata", "Errata"), ("graph", "Graph"))
AFTER = (("map", "Map"), ("trust", "Trust"))
OVERVIEW = "overview"  # under this name the ratios hold the picture of all results
KINDS = (Kind.PRINTED, Kind.STEP, Kind.REPAIRED, Kind.SHARPER)


@dataclass(frozen=True)
class Report:
    """The page, and every picture in it."""

    html: str
    figures: tuple[Figure, ...]


def build(
    content: Content,
    ratios: Mapping[str, Sequence[Figure]] | None = None,
    brought: Sequence[Brought] = (),
    trusted: Section | None = None,
    theorem: Theorem | None = None,
    derivations: Any = None,
    overview: Figure | None = None,
    lessons: Sequence[Lesson] = (),
) -> Report:
    """Everything on one page. Sections that were not computed say so; what a paper does not bring has no heading.

    brought   the sections that the paper adds; `theorem`: its main theorem in formulas, from the keys that are proved
    derivations   the paper's room of them
    overview  bound against truth for all results in one picture; `lessons`: where they are, the list of them first
    """
    overview = overview or next(iter((ratios or {}).get(OVERVIEW, ())), None)
    sections = (*BEFORE, *((one.id, one.nav) for one in brought), *AFTER)
    drawn = graph_figure(content.graph)
    cells = papermap.cells(content)
    told = articles.articles(content)
    map_figure = _map_numbers(cells)
    pictures = [*(f for name, group in (ratios or {}).items() for f in group if name != OVERVIEW), drawn]
    pictures += [overview] if overview else []
    pictures += [f for one in brought if one.section for f in one.section.figures]
    missing, partly = (sum(item.cover.name == name for item in _items(content)) for name in ("MISSING", "PARTLY"))
    trusted = trusted or trust.shipped()
    body = _environment(content.typesetter).get_template("report.html.j2").render(
        paper_title=content.title,
        paper_counts=(len(content.paper.statements), len(content.paper.displays)),
        accounted=tuple(counts["accounted"] for counts in content.coverage.counts().values()),
        gaps=content.gaps,
        odd=content.odd,
        missing=missing,
        partly=partly,
        incomplete=bool(not content.gaps.complete or missing or partly or content.odd),
        opening=opening.opening(content, theorem, lessons),
        overview=overview,
        severity_names=SEVERITIES,
        symbols=symbol_rows(content),
        links=content.links,
        items=len(_items(content)),
        total=len(content.records),
        evidence=list(_evidence(content)),
        faith=list(_faith(content)),
        findings=findings(content.errata, {s.id: s.kind for s in content.paper.statements}, chosen=content.highlights),
        errata=content.errata,
        theorem=_theorem(told, theorem, content.proved),
        number={id_: place for place, (id_, _) in enumerate(sections, start=1)},
        stamp={"lemmalab": "", **stamp(content)},
        example=told[0].node.id if told else "ID",
        articles=told,
        strays=articles.stray_displays(content),
        ratios=ratios or {},
        derived=derived.ways(derivations),
        judged=content.by_key,
        ratio_words="" if ratios else "Ratios of bound and truth were not computed for this page.",
        short=SHORT,
        statuses=list(_statuses(content)),
        errata_cards=cards(content.errata),
        errata_folded=folded(content.errata),
        errata_places=sum(len(e.lines) for e in content.errata),
        severities=severities(content.errata),
        errata_csv=as_packed(errata_csv(content.errata)),
        errata_json=as_packed(_compact([e.to_json() for e in content.errata])),
        graph_figure=drawn,
        brought=brought,
        trust=trusted,
        cells=cells,
        cell_legend=[
            {"name": c.name, "words": c.value, "total": n}
            for c in papermap.Cell
            if (n := sum(x.cell is c for x in cells))
        ],
        map_figure=map_figure,
    )  # fmt: skip
    style = asset("report.css") + asset("errata.css") + "".join(dict.fromkeys(f.style for f in pictures))
    html = page(
        f"LemmaLab: {content.title}",
        Markup(body),
        script=asset("report.js") + asset("errata.js"),
        style=style,
        data={"graph": graph_data(content.graph)},
        nav=[(f"#{id_}", words) for id_, words in sections],
        description="What a machine found when it refereed the paper.",
    )
    return Report(html, (*pictures, map_figure))


def _environment(typesetter: Typesetter) -> Environment:
    made = environment().overlay()
    made.filters.update(
        tone=tone,
        label=lambda name: LABELS.get(name, name.lower()),
        anchor=anchor,
        faith=lambda name: FAITH.get(name, name),
        count_of=plural,
        groupby_order=_grouped,
        prose=typesetter.prose,
    )
    return made


def _grouped(items: Sequence[Any], name: str) -> list[tuple[str, list[Any]]]:
    """Runs of equal values, in the order in which they come."""
    groups: dict[str, list[Any]] = {}
    for item in items:
        groups.setdefault(getattr(item, name), []).append(item)
    return list(groups.items())


def _items(content: Content) -> list[Any]:
    return [*content.coverage.statements, *content.coverage.displays]


def _evidence(content: Content) -> Iterator[dict[str, object]]:
    """One row for each verdict that occurs, with what did not run as a row of its own."""
    counts = Counter((verdict_name(r), r.kind) for r in content.records)
    words = {**SENTENCES, "NOT RUN": "the ledger holds no current record of it"}
    for name, sentence in words.items():
        row = [counts[name, kind] for kind in KINDS]
        if any(row):
            yield {"name": name, "words": sentence, "counts": row, "total": sum(row)}


def _faith(content: Content) -> Iterator[dict[str, object]]:
    """Readings that are proved, certified, cited or supported, by how they differ from print."""
    good = (Verdict.PROVED, Verdict.CERTIFIED, Verdict.SUPPORTED, Verdict.CITED)
    counts = Counter(r.faithfulness for r in content.records if r.verdict in good)
    for kind in Faithfulness:
        if counts[kind]:
            yield {"name": kind.name, "label": FAITH[kind.name], "words": kind.value, "total": counts[kind]}


def _statuses(content: Content) -> Iterator[dict[str, object]]:
    counts = Counter(node.status for node in content.graph.nodes)
    for status in Status:
        if counts[status]:
            words: dict[str, object] = {"name": status.name, "words": SHORT[status], "sentence": status.value}
            yield {**words, "total": counts[status]}


def _theorem(told: Sequence[articles.Article], theorem: Theorem | None, proved: Proved) -> dict[str, object] | None:
    """The repaired and sharper readings of the main theorem that are proved, when the paper brings it along."""
    if theorem is None:
        return None
    for id_ in theorem.ids:
        article = next((a for a in told if a.node.id == id_), None)
        cards = (
            [c for c in article.readings if c.kind != "as printed" and c.verdict in ("PROVED", "LINKED")]
            if article
            else []
        )
        if cards:
            return {"cards": cards, "words": "", "lines": list(theorem.lines({c.key: proved[c.key] for c in cards}))}
    return {"cards": [], "lines": [], "words": "No repaired reading of the main theorem is proved in this ledger."}


def _compact(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def _map_numbers(cells: Sequence[papermap.MapCell]) -> Figure:
    """The map is made of links, not of a picture; its numbers are kept all the same."""
    rows = tuple((c.id, c.line, c.section, c.cell.name, c.home) for c in cells)
    columns = ("display", "line", "section", "verdict", "statement")
    return Figure("map", "Map of the paper", "", papermap.picture(cells), columns, rows)
