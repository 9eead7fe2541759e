"""Driven sequences: X_0 = O, X_(t+1) = A X_t A^T + G_t with G_t nonnegative. L_var is monotone on them.

With Z and Y of the recursion of L_var, the joint matrix [[X, Z^T], [Z, Y]] starts nonnegative and stays so: a step is
the congruence by [[A, O], [A, I]] and adds [[G, G], [G, G]].
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from theory.papers.sada.inner_loop._l_var_of_every_size import (
    ID as L_VAR,
)
from theory.papers.sada.inner_loop._l_var_of_every_size import (
    POINT as L_VAR_POINT,
)
from theory.papers.sada.inner_loop._l_var_of_every_size import (
    SIZE,
    WITH_TAIL,
    WITH_X,
    at,
    notions,
    ours,
)
from theory.papers.sada.language import weight
from theory.provers.tactics import Tactic, cite, induct, instance, order

ID = "lem:L-var-monotone"
ZERO = "X[0] == 0"


def driven(last: str, x: str = "X", drive: str = "G[e]") -> str:
    return f"forall(e, 0, {last}, {x}[e+1] == A @ {x}[e] @ A.T + {drive})"


def positive(last: str, drive: str = "G[e]") -> str:
    return f"forall(e, 0, {last}, 0 << {drive})"


def _states(drive: int) -> dict[str, Any]:
    """X_0, X_1, … with the A of the point of language.py, [[0, 3/8], [-1/2, 1/4]], and G_t = drive [[1, 0], [0, 2]]."""
    x, y, z = Fraction(0), Fraction(0), Fraction(0)
    found: dict[str, Any] = {}
    for t in range(8):
        found[str(t)] = [[str(x), str(y)], [str(y), str(z)]]
        x, y, z = 9 * z / 64 + drive, 3 * (z - 2 * y) / 32, x / 4 - y / 4 + z / 16 + 2 * drive
    return found


def _drives(drive: int) -> dict[str, Any]:
    return {str(t): [[str(drive), "0"], ["0", str(2 * drive)]] for t in range(8)}


POINT: dict[str, Any] = {**L_VAR_POINT, "X": _states(1), "W": _states(3), "G": _drives(1), "H": _drives(3), "t": "1"}
ONE: dict[str, Any] = {**WITH_X, "kinds": {**WITH_X["kinds"], "G": f"{SIZE}[nat]"}, "example": POINT}
TAIL: dict[str, Any] = {**WITH_TAIL, "kinds": {**WITH_TAIL["kinds"], "G": f"{SIZE}[nat]"}, "example": POINT}
TWO: dict[str, Any] = {**ONE, "kinds": {**ONE["kinds"], "W": f"{SIZE}[nat]", "H": f"{SIZE}[nat]"}}
UP, DOWN = "[[I(2*d)], [O(2*d, 2*d)]]", "[[O(2*d, 2*d)], [I(2*d)]]"
JOINT = "[[X[n+m], Z[m].T], [Z[m], Y[m]]]"


def cited(part: str, then: Tactic, where: dict[str, str] | None = None, **more: Any) -> Tactic:
    return cite(f"{ID}#{part}", where, then=then, called=part, **more)


def inside(time: str, last: str, bound: str) -> dict[str, Tactic]:
    """time <= last, because bound says so for time + 1."""
    return {f"{time} <= {last}": order({"of": bound}, {"L": "1"})}


def state() -> Tactic:
    step = order({"of": "past", "L": "A"}, {"of": "drive"}, {"eq": "step"})
    step = {**instance(1, step, called="step", e="t"), "within": inside("t", "K", "t + 1")}
    step = {**instance(2, step, called="drive", e="t"), "within": inside("t", "K", "t + 1")}
    return induct("t", base=order({"eq": 0}), step=instance("IH", step, called="past", m="t"))


def joint() -> Tactic:
    base = cited("state", order({"of": "state", "L": UP}, ops=[{"use": "Z[0]"}, {"use": "Y[0]"}]),
                 {"t": "n", "K": "n+K"}, discharge={"3": {"kind": "positive"}})  # fmt: skip
    step = order(
        {"of": "past", "L": "[[A, O(2*d, 2*d)], [A, I(2*d)]]"},
        {"of": "drive", "L": f"{UP} + {DOWN}"},
        {"eq": "state", "sym": 1, "L": f"{UP} @ A", "R": f"A.T @ ({DOWN}).T"},
        {"eq": "drive", "sym": 1, "L": UP, "R": f"({DOWN}).T"},
        ops=[at("Z", "m"), at("Y", "m"), {"use": "step"}],
    )
    step = {**instance(1, step, called="step", e="n+m"), "within": inside("n + m", "n + K", "m + 1")}
    step = {**instance(2, step, called="drive", e="n+m"), "within": inside("n + m", "n + K", "m + 1")}
    before = order({"of": "m + 1"}, {"L": "1"})
    step = cited("state", step, {"t": "n+m", "K": "n+K"}, discharge={"3": before})
    return induct("m", base=base, step=instance("IH", step, called="past", b="m"), **{"as": "b"})


def symmetric() -> Tactic:
    """X_t is symmetric, because it is nonnegative."""
    return cited("state", order({"eq": "state", "sym": 1, "k": "-1"}), {"K": "n+n"})


def is_positive() -> Tactic:
    last = order(
        {"tr": [{"psd": "Sigma", "L": "E1"}, {"of": "joint", "L": f"({DOWN}).T"}], "c": [weight("4/(2*n)**2")]},
        {"eq": "recursion", "L": "S1", "tr": 1, "k": "4/(2*n)**2"},
    )
    last = cited("joint", last, {"m": "n", "K": "n"})
    return cite(f"{L_VAR}#recursion", {"m": "n", "K": "n"}, then=last, called="recursion", discharge={"0": symmetric()})


def monotone() -> Tactic:
    """The difference is driven by H - G."""
    last = order({"of": "positive"}, {"eq": "linear", "L": "S1", "tr": 1, "k": "-4/(2*n)**2"})
    minus = {
        "X": {"at": ["t"], "is": "W[t]"},
        "W": {"at": ["t"], "is": "X[t]"},
        "U": {"at": ["t"], "is": "W[t] - X[t]"},
    }
    numbers = {"alpha": "1", "beta": "-1", "l": "n", "m": "n", "K": "n"}
    last = cite(f"{L_VAR}#linear", numbers, then=last, called="linear", letters=minus, discharge={"0": order()})
    difference = {"X": {"at": ["t"], "is": "W[t] - X[t]"}, "G": {"at": ["t"], "is": "H[t] - G[t]"}}
    steps = order({"eq": 3, "at": {"e": "e"}}, {"eq": 2, "at": {"e": "e"}, "k": "-1"})
    shown = {"0": order({"eq": 1}, {"eq": 0, "k": "-1"}), "1": steps, "2": order({"of": 4, "at": {"e": "e"}})}
    return cited("positive", last, letters=difference, discharge=shown)


CHAIN = (
    ours("state", "0 << X[t]", "A driven sequence is nonnegative.", **ONE,
         given=(ZERO, driven("K"), positive("K"), "t <= K"), naturals=("t", "K"), proof=lambda claim: state()),
    ours("joint", f"0 << {JOINT}", "So is the joint matrix of the state and its tail sum.", **TAIL,
         given=(ZERO, driven("n + K"), positive("n + K"), "m <= K"), naturals=("n", "m", "K"),
         proof=lambda claim: joint()),
    ours("positive", "LvarX >= 0", "L_var of a driven sequence is not negative.",
         **{**TAIL, "where": notions(X="X[{}]")},
         given=(ZERO, driven("n + n"), positive("n + n"), "n >= 1"), naturals="n", proof=lambda claim: is_positive()),
)  # fmt: skip
REPAIRED: dict[str, Any] = {
    "given": (
        ZERO, "W[0] == 0", driven("n + n"), driven("n + n", "W", "H[e]"), "forall(e, 0, n + n, G[e] << H[e])", "n >= 1",
    ),
    "naturals": "n",
    **TWO, "where": notions(X="X[{}]", W="W[{}]"),
    "proof": lambda claim: monotone(),
}  # fmt: skip
