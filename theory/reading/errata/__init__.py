"""The errata: one row a slip, worst first, each with its place, its correction and what it hits.

errata(paper, records, slips)       rows from verdicts; a project's errata.toml says where and how to correct
Finding                             what a detector returns: it confirms a row or becomes one with `from_findings`
patched(source, rows)               the source with the corrections in it; `unified` writes them as a diff
"""

from theory.reading.errata.findings import Finding, from_findings, ordered
from theory.reading.errata.patch import Misfit, Patched, patched
from theory.reading.errata.rows import Change, Erratum, Repair, Shown, Source, errata, uncompared, worst_first
from theory.reading.errata.severity import Severity
from theory.reading.errata.slips import NO_SLIPS, Slip, Slips, read_slips

__all__ = [
    "NO_SLIPS",
    "Change",
    "Erratum",
    "Finding",
    "Misfit",
    "Patched",
    "Repair",
    "Severity",
    "Shown",
    "Slip",
    "Slips",
    "Source",
    "errata",
    "from_findings",
    "ordered",
    "patched",
    "read_slips",
    "uncompared",
    "worst_first",
]
