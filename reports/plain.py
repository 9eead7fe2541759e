"""A plain page of verdicts: one HTML file, no script, no network."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from jinja2 import Environment

from theory.graph import graph
from theory.ledger import Ledger
from theory.paper import Paper
from theory.storage import write_atomically

COLOURS = {
    "PROVED": "#1b7837",
    "CERTIFIED": "#0b7285",
    "SUPPORTED": "#2166ac",
    "CITED": "#2166ac",
    "UNDECIDED": "#b8860b",
    "REFUTED": "#b2182b",
}
PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>LemmaLab: {{ paper }}</title>
<style>
body { font: 16px/1.5 system-ui, sans-serif; max-width: 72rem; margin: 2rem auto; padding: 0 1rem; color: #222 }
table { border-collapse: collapse; width: 100% } td, th { text-align: left; padding: .25rem .6rem; vertical-align: top }
tr { border-top: 1px solid #ddd } code { font-size: .85em; overflow-wrap: anywhere } h2 { margin-top: 2.5rem }
.odd { background: #fde0dd } @media print { body { max-width: none } }
</style></head><body>
<h1>{{ paper }}</h1>
<p>{{ total }} checks: {{ counts }}.
{% if odd %}<strong>{{ odd }} other than expected.</strong>{% else %}All as expected.{% endif %}</p>
<table><thead><tr><th>statement</th><th>what it is</th><th>as printed</th><th>status</th>
<th>wrong steps</th></tr></thead>
<tbody>{% for row in statements %}
<tr><td><a href="#{{ row.id }}">{{ row.id }}</a></td><td>{{ row.title }}</td>
<td style="color: {{ row.colour }}">{{ row.printed or "not judged" }}</td><td>{{ row.status }}</td>
<td>{{ row.wrong or "" }}</td></tr>{% endfor %}
</tbody></table>
{% for group in groups %}
<h2 id="{{ group.id }}">{{ group.id }}: {{ group.title }}</h2>
<table><tbody>{% for r in group.records %}
<tr{% if not r.as_expected %} class="odd"{% endif %}><td>{{ r.key }}<br>{{ r.kind.value }}</td>
<td style="color: {{ colours[r.verdict.name] }}"><strong>{{ r.verdict.name }}</strong>
{% if not r.as_expected %}<br>expected {{ r.expected.name }}{% endif %}</td>
<td>{% for line in r.claim.says %}<code>{{ line }}</code><br>{% endfor %}{{ r.words }}
{% if r.evidence.witness %}<br>witness <code>{{ r.evidence.witness.point }}</code>{% endif %}
<br><small>{{ r.problem or r.judgement.reason }}; {{ r.judgement.scope }}</small></td></tr>{% endfor %}
</tbody></table>
{% endfor %}
<footer><p><small>LemmaLab {{ versions.lemmalab }}, seed {{ seed }}, Python {{ versions.python }},
python-flint {{ versions.flint }}. Verify with <code>lemmalab recheck ledger.json</code>.</small></p></footer>
</body></html>
"""


def page(paper: Paper, ledger: Ledger) -> str:
    """The whole page; every text is escaped."""
    drawn = graph(paper, ledger.records)
    told = ledger.to_json()["statements"]
    counts = Counter(record.verdict.name.lower() for record in ledger.records)
    rows = [
        {
            "id": node.id,
            "title": node.title,
            "printed": told.get(node.id, {}).get("printed", ""),
            "colour": COLOURS.get(told.get(node.id, {}).get("printed", ""), "#666"),
            "status": node.status.value,
            "wrong": node.wrong_steps,
        }
        for node in drawn.nodes
    ]
    groups = [
        {"id": n.id, "title": n.title, "records": [r for r in ledger.records if r.statement == n.id]}
        for n in drawn.nodes
    ]
    return (
        Environment(autoescape=True)
        .from_string(PAGE)
        .render(
            paper=ledger.header["paper"],
            total=len(ledger.records),
            counts=", ".join(f"{count} {name}" for name, count in counts.most_common()),
            odd=sum(not record.as_expected for record in ledger.records),
            statements=rows,
            groups=[group for group in groups if group["records"]],
            colours=COLOURS,
            versions=ledger.header["versions"],
            seed=ledger.header["seed"],
        )
    )


def write(paper: Paper, ledger: Ledger, out: Path) -> None:
    write_atomically(out, page(paper, ledger))
