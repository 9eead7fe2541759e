"""How grave a finding is, and how many there are of each gravity."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from html import escape

from markupsafe import Markup

from theory.reading.errata import Erratum
from theory.reading.errata.severity import Severity

SEVERITIES = tuple(one.value for one in Severity)  # the gravest first


def by_severity(errata: Iterable[Erratum]) -> dict[str, int]:
    """The number of findings of every severity that occurs, the gravest first."""
    counts = Counter(row.severity.value for row in errata)
    return {name: counts[name] for name in SEVERITIES if counts[name]}


def gravest(errata: Iterable[Erratum]) -> str:
    return min((row.severity.value for row in errata), key=SEVERITIES.index, default="")


def bar(counts: Mapping[str, int]) -> Markup:
    """One bar, divided by severity, as wide as the page; the list beside it says the same in words."""
    total = sum(counts.values())
    if not total:
        return Markup("")
    parts, at = [], 0.0
    for name, count in counts.items():
        long = 100 * count / total
        place = SEVERITIES.index(name) if name in SEVERITIES else len(SEVERITIES) - 1
        label = f'<text x="{at + long / 2:.4g}%" y="21">{count}</text>' if long > 2.2 else ""
        told = f"<title>{count}: {escape(name)}</title>"
        parts.append(
            f'<g class="sev-{place}"><rect x="{at:.4g}%" width="{long:.4g}%" height="30">{told}</rect>{label}</g>'
        )
        at += long
    words = ", ".join(f"{count} {name}" for name, count in counts.items())
    return Markup(
        f'<svg class="severity" role="img" width="100%" height="30" '
        f'aria-label="Findings by severity: {escape(words)}">{"".join(parts)}</svg>'
    )
