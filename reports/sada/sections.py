"""The sections that this paper adds to its report: where the constants go, and the race."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from reports.sada import race, waterfall
from reports.site.content import Content
from reports.site.figure import Figure
from reports.site.tables import Brought


def sections(
    content: Content, ratios: Mapping[str, Sequence[Figure]] | None, races: Sequence[Path] = ()
) -> tuple[Brought, ...]:
    """In the order of the page."""
    constants = waterfall.waterfall_section(content, ratios)
    return (
        Brought("waterfall", "Constants", "Where the constants go", constants),
        Brought("race", "Race", "The race", race.race_section(tuple(races)), race.ABSENT),
    )
