"""How grave a finding is, and how many there are of each gravity."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from html import escape

from markupsafe import Markup

from theory.reading.errata import Erratum

KILLS, CONSTANT, HYPOTHESIS, SLIP, PEDANTIC = (
    "kills a statement",
    "changes a constant",
    "needs a hypothesis",
    "slip of the pen",
    "pedantic",
)
SEVERITIES = (KILLS, CONSTANT, HYPOTHESIS, SLIP, PEDANTIC)  # the gravest first
BY_KIND = {
    "AS_PRINTED": KILLS,
    "WEAKER": KILLS,
    "ALGORITHM": KILLS,
    "CONSTANT": CONSTANT,
    "EXTRA_HYPOTHESIS": HYPOTHESIS,
    "TYPO": SLIP,
    "SHARPER": SLIP,
    "OURS": PEDANTIC,
}


def severity(erratum: Erratum) -> str:
    """By the kind of its repair; a wrong step without a repair of its own counts as a wrong constant."""
    if erratum.is_step and not erratum.repairs:
        return CONSTANT
    found = [BY_KIND.get(kind, SLIP) for kind in erratum.kinds]
    return min(found, key=SEVERITIES.index, default=KILLS)


def by_severity(errata: Iterable[Erratum]) -> dict[str, int]:
    """The number of findings of every severity that occurs, the gravest first."""
    counts = Counter(map(severity, errata))
    return {name: counts[name] for name in SEVERITIES if counts[name]}


def gravest(errata: Iterable[Erratum]) -> str:
    return min(map(severity, errata), key=SEVERITIES.index, default="")


def bar(counts: Mapping[str, int], width: int = 720) -> Markup:
    """One bar, divided by severity; the list beside it says the same in words."""
    total = sum(counts.values())
    if not total:
        return Markup("")
    parts, at = [], 0.0
    for name, count in counts.items():
        long = width * count / total
        place = SEVERITIES.index(name) if name in SEVERITIES else len(SEVERITIES) - 1
        label = f'<text x="{at + long / 2:.1f}" y="21">{count}</text>' if long > 22 else ""
        told = f"<title>{count}: {escape(name)}</title>"
        parts.append(
            f'<g class="sev-{place}"><rect x="{at:.1f}" width="{long:.1f}" height="30">{told}</rect>{label}</g>'
        )
        at += long
    words = ", ".join(f"{count} {name}" for name, count in counts.items())
    return Markup(
        f'<svg class="severity" role="img" viewBox="0 0 {width} 30" preserveAspectRatio="none" '
        f'aria-label="Findings by severity: {escape(words)}">{"".join(parts)}</svg>'
    )
