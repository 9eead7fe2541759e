"""The letters of one outer step on a quadratic, in coordinates in which the H-norm is the Euclidean one.

x = x_{k-1}, p = x_{k-2}, y = y_{k-1}, o = x*, all times H^(1/2); th = theta_k and tp = theta_{k-1}. The step size is
h = 2 alpha th^2/L_l, which is what theta_k = sqrt(L_l h_k/(2 alpha)) says; then L_l h = 2 alpha th^2 has no unit.
"""

from __future__ import annotations

from typing import Any

from theory.provers.tactics import Tactic

Point = dict[str, Any]


def point(numbers: str, **families: Any) -> Point:
    """An exact point: "Ll=1 th=1/4" and the families by name."""
    return {**dict(pair.split("=") for pair in numbers.split()), **families}


H = "2*alpha*th**2/Ll"
BETA = "(1-th)/(1+th)"
EXTRAPOLATED = f"(x[i] + {BETA}*(x[i]-p[i]))"


def total(body: str) -> str:
    """A sum over the coordinates."""
    return f"sum(i, 1, d, {body})"


def expected(body: str) -> str:
    """The mean over the samples of the k-th inner loop, summed over the coordinates."""
    return f"sum(i, 1, d, mean(w, {body}))"


CENTRED = "forall(i, 1, d, mean(w, v[i,w]) == 0)"

Terms = tuple[list[int], str]


def cone(*terms: Terms, multiplier: tuple[int, ...] = ()) -> Tactic:
    """A certificate that is written out: a sum of products of facts (by position), each times a square."""
    listed = [{"c": "1", "of": of, **({"sq": square} if square else {})} for of, square in terms]
    return {"kind": "cone", "terms": listed, "multiplier": list(multiplier), "modulo": []}
