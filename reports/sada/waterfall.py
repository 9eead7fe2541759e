"""The waterfall of the theorem's constant, read from `theory.papers.sada.composition`.

Each number comes from a check; a number whose check is not proved in this ledger says so.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

from markupsafe import Markup

from reports.charts import bars, cascade
from reports.mathml.tex import tex_mathml
from reports.sada.theorem import caveats
from reports.site.content import Content, verdict_name
from reports.site.figure import Figure
from reports.site.tables import Section, Table
from reports.site.words import LABELS, anchor
from theory.reading.numbers import about, bound

HOME = "theory.papers.sada.composition"
PROVED = ("PROVED", "LINKED")
EMPIRICAL = {
    "A": "lem:Pi-average-bound",
    "w": "lem:noise-bound-Sigma-inverse",
}  # where ratios measure the constant itself


def waterfall_section(content: Content, ratios: Mapping[str, Sequence[Figure]] | None = None) -> Section:
    """A composition that fails says why in words."""
    try:
        body = importlib.import_module(f"{HOME}.waterfall").to_json()
    except (ImportError, KeyError, ValueError, AttributeError, StopIteration) as error:
        return Section((f"The constants could not be composed: {type(error).__name__}: {error}.",))
    return section(body, content, ratios or {})


def section(body: Mapping[str, Any], content: Content, ratios: Mapping[str, Sequence[Figure]]) -> Section:
    """Bars, waterfall and tables of what `theory.papers.sada.composition.waterfall.to_json` says."""
    columns = _columns(body)
    listed = "; ".join(f"{c['name']}, {_exact(c['statistical'])}{_of(c)}" for c in columns)
    words: list[str] = [
        content.typesetter.prose("The constant in front of alpha tr(H^-1 Q)/n is ")
        + _maths(r"s\,c\,w\,A\,(1+g)")
        + content.typesetter.prose(
            f", a product of the constants of the lemmas: {listed}. The sharper one is about"
            f" {about(_float(body['gain']), 3)} times smaller than the implied one."
        ),
    ]
    words += [" ".join((*_doubts(columns, content), *caveats(content.proved)))]
    return Section(tuple(words), tuple(_figures(body)), tuple(_tables(body, content, ratios)))


def _columns(body: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """Those of the algorithm as printed, and that of ours."""
    return [*body["columns"], body["other"]]


def _of(column: Mapping[str, Any]) -> str:
    """What a column is, unless its name says it."""
    return "" if column["words"] == f"as {column['name']}" else f" ({column['words']})"


def _doubts(columns: Sequence[Mapping[str, Any]], content: Content) -> Iterator[str]:
    """Which constants rest on a check that is not proved in this ledger."""
    for column in columns:
        doubtful = [one["from"] for one in column["constants"] if _verdict(one["from"], content) not in PROVED]
        told = ", ".join(f"{key} ({LABELS[_verdict(key, content)]})" for key in sorted(set(doubtful)))
        if told:
            yield f"In the paper the {column['name']} constant rests on what is not proved: {told}."


def _figures(body: Mapping[str, Any]) -> Iterator[Figure]:
    columns = _columns(body)
    yield Figure(
        "constants",
        "The theorem's constant",
        "In front of alpha tr(H^-1 Q)/n, on a logarithmic axis; decimals are rounded up.",
        bars([(c["name"], _float(c["statistical"])) for c in columns], shown=_bound),
        ("column", "statistical", "coupling"),
        tuple((c["name"], c["statistical"], c["coupling"]) for c in columns),
    )
    listed = [*body["drops"], *body["beyond"]]
    drops = [(_drop(d), _float(d["before"]), _float(d["after"])) for d in listed]
    links = [f"#{anchor(d['to']['check'])}" for d in listed]
    yield Figure(
        "waterfall",
        "Which step loses which factor",
        "From the printed constant to the implied and to the sharper one, on a logarithmic axis; each bar is one"
        " lemma's constant replaced, and its name leads to the check that states the new one. The letters are those of"
        " the table. The last bar is another algorithm, ours.",
        cascade(drops, links=links, shown=_bound),
        ("stage", "symbol", "words", "from", "to", "before", "after", "factor"),
        tuple(
            (
                d["stage"],
                d["symbol"],
                d["words"],
                d["from"]["value"],
                d["to"]["value"],
                d["before"],
                d["after"],
                d["factor"],
            )
            for d in listed
        ),
    )


def _drop(drop: Mapping[str, Any]) -> str:
    old, new = drop["from"]["value"], drop["to"]["value"]
    return f"{drop['stage']}: {drop['symbol']} from {_short(old)} to {_short(new)}"


def _tables(body: Mapping[str, Any], content: Content, ratios: Mapping[str, Sequence[Figure]]) -> Iterator[Table]:
    columns = _columns(body)
    symbols = list(dict.fromkeys(one["symbol"] for column in columns for one in column["constants"]))
    rows = []
    for symbol in symbols:
        cells = [next((o for o in column["constants"] if o["symbol"] == symbol), None) for column in columns]
        words = next(cell["words"] for cell in cells if cell)
        shown = [_cell(cell, content) for cell in cells]
        rows.append((_maths(symbol), words, *shown, _seen(symbol, cells, ratios)))
    for name, words in (
        ("statistical", "in front of alpha tr(H^-1 Q)/n"),
        ("coupling", "in front of alpha eta kt tr Q/(L_l n)"),
    ):
        rows.append((name, words, *(_exact(column[name]) for column in columns), "–"))
    heads = ("constant", "what it is", *(f"{column['name']}" for column in columns), "largest measured")
    yield Table("Printed, implied, sharper and measured constants, and those of our algorithm", heads, tuple(rows))


def _cell(constant: Mapping[str, Any] | None, content: Content) -> str:
    if constant is None:
        return "–"
    key = constant["from"]
    source = Markup('<a href="#{}">{}</a>').format(anchor(key), key)
    return Markup("{} from {} ({})").format(_short(constant["value"]), source, LABELS[_verdict(key, content)])


def _verdict(key: str, content: Content) -> str:
    record = content.by_key.get(key)
    if record is None:
        return "NOT RUN"
    stood = content.stands[key].name
    return verdict_name(record) if stood == record.verdict.name else stood  # PROVED, LINKED, INSTANCE, …


def _seen(symbol: str, cells: Sequence[Mapping[str, Any] | None], ratios: Mapping[str, Sequence[Figure]]) -> str:
    """The printed constant times the worst ratio of its lemma over designs."""
    figure = next((f for f in ratios.get(EMPIRICAL.get(symbol, ""), ()) if f.name.endswith("/ratios")), None)
    if figure is None or cells[0] is None:
        return "–"
    values = [
        float(str(ratio)) for _, kind, source, _, ratio in figure.rows if (kind, source) == ("as printed", "designs")
    ]
    return f"{about(max(values) * _float(cells[0]['value']))} over {len(values)} values" if values else "–"


def _maths(latex: str) -> Markup:
    """Letters of the composition: A is a number here."""
    return Markup(tex_mathml(latex, False))


def _float(value: str) -> float:
    return float(Fraction(value))


def _exact(value: str) -> str:
    """Whole, or as a decimal that is not below it, with the fraction where that is short."""
    exact = Fraction(value)
    decimal = bound(exact)
    return decimal if Fraction(decimal) == exact or len(str(exact)) > 12 else f"{decimal} (exactly {exact})"


def _bound(value: float) -> str:
    return bound(Fraction(value).limit_denominator(10**9))


def _short(value: str) -> str:
    return value if len(value) <= 7 else bound(value)
