"""Truth over bound for every statement, evaluated from the claims: at admissible points, and over a paper's designs.

    from theory.ratios import ratios_of
    for result in ratios_of(project("NAME"), ["lem:ID"]):
        print(result.id, result.worst, result.worst_at)

A ratio counts only where the bound is positive and both sides have values: 0/0 says nothing, and where nothing counts
there is no data. Above 1 the bound fails. Of an identity the ratio is 1.
"""

from theory.ratios.gather import ratios_of
from theory.ratios.result import Curve, Observation, Reading, Result, as_rows

__all__ = ["Curve", "Observation", "Reading", "Result", "as_rows", "ratios_of"]
