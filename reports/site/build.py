"""The whole report: sections from the content, one page, and the files beside it."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from jinja2 import Environment
from markupsafe import Markup

from reports.mathml import differences, relation_mathml
from reports.page import asset, environment, page
from reports.site import articles, derived, papermap, trust
from reports.site.content import Content, stamp, verdict_name
from reports.site.figure import Figure, as_csv, as_link, as_packed
from reports.site.findings import findings
from reports.site.graphview import SHORT, graph_data, graph_figure
from reports.site.tables import Brought, Section, Theorem
from reports.site.words import FAITH, LABELS, anchor, plural, point_text, ticks, tone
from theory.claims.statement import Faithfulness, Kind
from theory.kernel import KernelError, Verdict
from theory.ledger.stands import SENTENCES
from theory.reading.errata import Erratum
from theory.reading.graph import Status

BEFORE = (("summary", "Summary"), ("statements", "Statements"), ("errata", "Errata"), ("graph", "Graph"))
AFTER = (("map", "Map"), ("trust", "Trust"))
KINDS = (Kind.PRINTED, Kind.STEP, Kind.REPAIRED, Kind.SHARPER)
SHORT_MATHS = 160  # in the list of errata; the whole formula stands with its statement


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
    scaling: Sequence[object] = (),
    derivations: Any = None,
) -> Report:
    """Everything on one page. Sections that were not computed say so; what a paper does not bring has no heading.

    brought   the sections that the paper adds; `theorem`: its main theorem in formulas, from the keys that are proved
    scaling   formulas whose parts scale differently; `derivations`: the paper's room of them
    """
    shown = (*BEFORE, *((one.id, one.nav) for one in brought), *AFTER)
    drawn = graph_figure(content.graph)
    cells = papermap.cells(content)
    told = articles.articles(content)
    map_figure = _map_numbers(cells)
    pictures = [*(f for group in (ratios or {}).values() for f in group), drawn]
    pictures += [f for one in brought if one.section for f in one.section.figures]
    body = _environment().get_template("report.html.j2").render(
        paper_title=content.title,
        paper_counts=(len(content.paper.statements), len(content.paper.displays)),
        accounted=tuple(counts["accounted"] for counts in content.coverage.counts().values()),
        gaps=content.gaps,
        odd=content.odd,
        missing=sum(item.cover.name == "MISSING" for item in _items(content)),
        partly=sum(item.cover.name == "PARTLY" for item in _items(content)),
        items=len(_items(content)),
        total=len(content.records),
        evidence=list(_evidence(content)),
        faith=list(_faith(content)),
        findings=findings(content.errata, {s.id: s.kind for s in content.paper.statements}, chosen=content.highlights),
        errata=content.errata,
        theorem=_theorem(told, theorem),
        number={id_: place for place, (id_, _) in enumerate(shown, start=1)},
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
        errata_rows=[_erratum(e) for e in content.errata],
        errata_kinds=[(k, FAITH[k]) for k in FAITH if any(k in e.kinds for e in content.errata)],
        errata_csv=as_link(errata_csv(content.errata), "text/csv"),
        errata_json=as_packed(_compact([e.to_json() for e in content.errata])),
        scaling=[str(v) for v in scaling],
        graph_figure=drawn,
        brought=brought,
        trust=trusted,
        trust_words=trust.ABSENT,
        cells=cells,
        cell_legend=[
            {"name": c.name, "words": c.value, "total": n}
            for c in papermap.Cell
            if (n := sum(x.cell is c for x in cells))
        ],
        map_csv=map_figure.link,
    )  # fmt: skip
    style = asset("report.css") + "".join(dict.fromkeys(f.style for f in pictures))
    html = page(
        f"LemmaLab: {content.title}",
        Markup(body),
        script=asset("report.js"),
        style=style,
        data={"graph": graph_data(content.graph)},
        nav=[(f"#{id_}", words) for id_, words in shown],
        description="What a machine found when it refereed the paper.",
    )
    return Report(html, (*pictures, map_figure))


def _environment() -> Environment:
    made = environment().overlay()
    made.filters.update(
        tone=tone,
        label=lambda name: LABELS.get(name, name.lower()),
        anchor=anchor,
        faith=lambda name: FAITH.get(name, name),
        count_of=plural,
        groupby_order=_grouped,
        ticks=ticks,
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


def _theorem(told: Sequence[articles.Article], theorem: Theorem | None) -> dict[str, object] | None:
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
            return {"cards": cards, "words": "", "lines": list(theorem.lines(c.key for c in cards))}
    return {"cards": [], "lines": [], "words": "No repaired reading of the main theorem is proved in this ledger."}


def _erratum(e: Erratum) -> dict[str, object]:
    first = e.repairs[0].says if e.repairs else ()
    return {
        "key": e.key,
        "title": e.title,
        "first_line": e.first_line,
        "kinds": e.kinds,
        "is_step": e.is_step,
        "says": [_maths(source, _against(source, i, e.says, first)[0]) for i, source in enumerate(e.says)],
        "words": e.words,
        "witness": point_text(e.witness),
        "repairs": [
            {
                "key": r.key,
                "verdict": r.verdict,
                "words": "" if r.words == e.words else r.words,
                "says": [
                    _maths(s, _against(e.says[i] if i < len(e.says) else "", i, e.says, r.says)[1])
                    for i, s in enumerate(r.says)
                ],
                "given": [g for g in r.given if g not in e.given],
            }
            for r in e.repairs
        ],
        "fate": e.statement_fate,
        "radius": e.blast_radius,
    }


Places = frozenset[tuple[int, ...]]
NONE: Places = frozenset()


def _against(source: str, position: int, printed: Sequence[str], repaired: Sequence[str]) -> tuple[Places, Places]:
    """What differs between a printed relation and the one in its place; nothing when they do not pair up."""
    if len(printed) != len(repaired) or max(len(source), len(repaired[position])) > SHORT_MATHS:
        return NONE, NONE
    try:
        found = differences(source, repaired[position])
    except KernelError:
        return NONE, NONE
    return found.first, found.second


def _maths(source: str, marks: Places = NONE) -> Markup:
    if len(source) > SHORT_MATHS:
        return Markup("<code>{}…</code>").format(source[:SHORT_MATHS])
    try:
        return Markup(relation_mathml(source, marks))
    except (KernelError, ValueError):
        return Markup("<code>{}</code>").format(source)


def errata_csv(errata: Sequence[Erratum]) -> str:
    columns = ("line", "key", "statement", "kinds", "is_step", "printed", "witness", "words", "right", "hits")
    rows = [
        (
            e.first_line,
            e.key,
            e.statement,
            " ".join(e.kinds),
            e.is_step,
            "; ".join(e.says),
            point_text(e.witness),
            e.words,
            " | ".join("; ".join(r.says) for r in e.repairs),
            len(e.blast_radius),
        )
        for e in errata
    ]
    return as_csv(columns, rows)


def _compact(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def _map_numbers(cells: Sequence[papermap.MapCell]) -> Figure:
    """The map is made of links, not of a picture; its numbers are kept all the same."""
    rows = tuple((c.id, c.line, c.section, c.cell.name, c.home) for c in cells)
    columns = ("display", "line", "section", "verdict", "statement")
    return Figure("map", "Map of the paper", "", papermap.picture(cells), columns, rows)
