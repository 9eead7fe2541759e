"""Splitting the noise eps = -l'(x*) - (l'(y) - l'(x*)) + a.(y - x+*) into three parts, with any weights.

(a+b+c)^2 <= a^2/x + b^2/y + c^2/z holds for all a, b, c exactly when x + y + z <= 1; the paper takes (1/5, 2/5, 2/5).
The certificates say so: the difference is a sum of squares, times positive numbers.
"""

from __future__ import annotations

from collections.abc import Sequence

from theory.provers.tactics import Tactic, cite, have, termwise

PARTS = ("l0[w]", "(l1[w]-l0[w])", "t[w]")
WEIGHTS = ("x > 0", "y > 0", "z > 0", "x+y+z <= 1")


def _alpha(index: str) -> tuple[str, str, str]:
    """The three parts at one sample, with the signs that make them add up to eps."""
    return f"(-l0_{index})", f"(l0_{index}-l1_{index})", f"t_{index}"


def split(weights: Sequence[str], norm: str) -> str:
    """mean(eps^2 |a|^2) <= the mean of the three weighted squares."""
    parts = "+".join(f"{part}**2*{norm}[w]/({weight})" for part, weight in zip(PARTS, weights, strict=True))
    return f"mean(w, (t[w]-l1[w])**2*{norm}[w]) <= mean(w, {parts})"


def printed_weights(norm: str) -> Tactic:
    """Fact 5 at a sample: the norm is nonnegative; 7-9 the assumptions, 10 the gradient bound, 11 the split."""
    a, b, c = _alpha("v")
    squares = [
        {"c": "1", "of": [5], "sq": f"2*{a}-{b}/2-{c}/2"},
        {"c": "5/4", "of": [5], "sq": f"{b}-{c}"},
    ]
    each: Tactic = {"kind": "cone", "terms": squares}
    added: Tactic = {
        "kind": "cone",
        "terms": [
            {"c": "1", "of": [11]},
            {"c": "5/2", "of": [9]},
            {"c": "5/2", "of": [7]},
            {"c": "5/2", "of": [8, 10]},
        ],
        "modulo": [[4, "-5/2*r"]],
    }
    return _assembled(split(("1/5", "2/5", "2/5"), norm), each, added, norm)


def any_weights(norm: str) -> Tactic:
    """The same with weights x, y, z, which are facts 10-13 of the claim and 9-12 at one sample."""
    a, b, c = _alpha("v")
    x, y, z, total = 9, 10, 11, 12
    squares = [
        {"c": "1", "of": [5, z], "sq": f"y*{a}-x*{b}"},
        {"c": "1", "of": [5, y], "sq": f"z*{a}-x*{c}"},
        {"c": "1", "of": [5, x], "sq": f"z*{b}-y*{c}"},
        {"c": "1", "of": [5, total, y, z], "sq": a},
        {"c": "1", "of": [5, total, x, z], "sq": b},
        {"c": "1", "of": [5, total, x, y], "sq": c},
    ]
    each: Tactic = {"kind": "cone", "terms": squares, "multiplier": [x, y, z]}
    x, y, z = 10, 11, 12
    added: Tactic = {
        "kind": "cone",
        "terms": [
            {"c": "1", "of": [x, y, z, 15]},
            {"c": "1", "of": [x, z, 9]},
            {"c": "1", "of": [x, y, 7]},
            {"c": "1", "of": [x, y, 8, 14]},
        ],
        "multiplier": [x, y, z],
        "modulo": [[4, "-r*x*y"]],
    }
    return _assembled(split(("x", "y", "z"), norm), each, added, norm)


def _assembled(fact: str, each: Tactic, added: Tactic, norm: str) -> Tactic:
    constant = {"n": "kt", "N": "R2"}[norm]
    modulo = [[position, cofactor.replace("r", constant)] for position, cofactor in added["modulo"]]
    proof = termwise("mean", each, index="v")
    return cite("lem:gradient-bound#in numbers", {}, then=have(fact, proof, then={**added, "modulo": modulo}))
