"""Vectors by their entries, for every dimension d; what the assumption says about f at the points of one step."""

from __future__ import annotations

from theory.provers.tactics import Tactic, have, termwise

POINT = {"d": "1", "L": "1", "x": ["1"], "g": ["1"], "x_star": ["0"]}


def norm2(entry: str) -> str:
    """The squared norm of a vector, given by its i-th entry."""
    return f"sum(i, 1, d, ({entry})**2)"


def inner(left: str, right: str) -> str:
    return f"sum(i, 1, d, ({left})*({right}))"


def smooth(new: str, old: str, move: str, gradient: str = "g[i]") -> str:
    """eq:smooth between two points: the values there, the difference of the points, the gradient at the old one."""
    return f"{new} <= {old} + {inner(gradient, move)} + L/2*{norm2(move)}"


def convex(new: str, old: str, move: str, gradient: str = "g[i]", mu: str = "0") -> str:
    """eq:convex between two points."""
    curved = f" + {mu}/2*{norm2(move)}" if mu != "0" else ""
    return f"{new} >= {old} + {inner(gradient, move)}{curved}"


STEP = "(x[i] - g[i]/L)"  # x^+
DESCENT = smooth("f_plus", "f_x", f"{STEP} - x[i]")


def cone(*terms: tuple[str, list[int]], multiplier: tuple[int, ...] = ()) -> Tactic:
    """The goal, times positive facts, is a sum of weights times products of facts."""
    listed = [{"c": weight, "of": facts} for weight, facts in terms]
    return {"kind": "cone", "terms": listed, "multiplier": list(multiplier)}


def gradient_is_long(then: Tactic) -> Tactic:
    """|g|^2 >= 0 as a further fact: the sum of its squares, entry by entry."""
    each: Tactic = {"kind": "cone", "terms": [{"c": "1", "sq": "g_i"}]}
    return have(f"{norm2('g[i]')} >= 0", termwise("sum", each=each), then=then)
