"""Powers of A(lambda) from both sides, as sequences of numbers; for every k.

p, r     the two entries of A(lambda)^k (1, 1)^T: |p| <= 1 (the energy of lem:A-power-bound)
x, y     the row (1, 0) (I - A)^-1 A^(k+1); its product with (eta, q)^T is p_(k+1)/lambda

`step` is η here, because η_t is the state; i = 1/((q - c η) λ) and j = 1/λ.
"""

from __future__ import annotations

from typing import Any

from theory.claims.statement import Faithfulness, printed
from theory.provers.tactics import cases, cite, have, induct, instance, order

ID = "lem:v-bound"
SIZES = ("lam > 0", "step > 0", "c > 0", "c <= 1", "step*lam <= 1", "step <= q", "q <= (1+c)*step")
RECIPROCALS = ("i*((q - c*step)*lam) == 1", "j*lam == 1")
KINDS = dict.fromkeys(("p", "r", "x", "y"), "matrix(1, 1)[nat]")
COLUMNS = {
    "p[0]": "1", "p[k+1]": "(1 - step*lam)*r[k]", "r[0]": "1", "r[k+1]": "-c*p[k] + (1 + c - q*lam)*r[k]",
}  # fmt: skip
ROWS = {
    "x[0]": "-c*(1 - step*lam)*i",
    "x[k+1]": "-c*y[k]",
    "y[0]": "(1 - step*lam)*i",
    "y[k+1]": "(1 - step*lam)*x[k] + (1 + c - q*lam)*y[k]",
}
GAIN = "(step*x[k] + q*y[k])"
POINT = {"lam": "1", "step": "1/64", "c": "31/33", "q": "17/1056", "i": "704", "j": "1", "k": "2", "l": "1"}
LAM, STEP, C, C_BELOW_1, SMALL, Q, GAP = ({"fact": i} for i in range(7))
START = [{"use": "p[0]"}, {"use": "r[0]"}]


def ours(part: str, says: str | list[str], words: str, **more: Any) -> Any:
    """A step of our own on the way to the bound."""
    return printed(says, part=part, words=words, faithfulness=Faithfulness.OURS, **more)


def at(name: str, index: str) -> dict[str, Any]:
    """The clause of a sequence at index + 1."""
    return {"use": f"{name}[k + 1]", "at": {"k": index}}


def column(index: str) -> list[dict[str, Any]]:
    return [at("p", index), at("r", index)]


ROW = [at("x", "k"), at("y", "k")]


def _sequences(*names: str, **more: Any) -> dict[str, Any]:
    steps = COLUMNS if "x" not in names else {**COLUMNS, **ROWS}
    scope = "every k, every eigenvalue λ with ηλ ≤ 1, η ≤ q ≤ (1 + c)η"
    return {"kinds": {name: KINDS[name] for name in names}, "steps": steps, "scope": scope, "example": POINT, **more}


def energy_stays() -> dict[str, Any]:
    lost = (
        {"c": [Q, LAM, C, STEP, LAM, SMALL], "L": "r[k]"},
        {"c": [Q, LAM, LAM, GAP], "L": "r[k]"},
        {"c": [Q, LAM, C], "L": "r[k]-p[k]"},
        {"c": [C_BELOW_1], "L": "r[k]-p[k]"},
        {"c": [C_BELOW_1, C], "L": "r[k]-p[k]"},
    )
    step = instance("IH", order({"of": "past"}, *lost, ops=column("k")), called="past", m="k")
    return induct("k", base=order(ops=START), step=step)


def entries_are_equal() -> dict[str, Any]:
    same = {"eq": "past", "k": "c + step*lam - q*lam"}
    step = instance("IH", order(same, {"eq": 5, "k": "-lam*p[k]"}, ops=column("k")), called="past", m="k")
    return induct("k", base=order(ops=START), step=step)


def without_momentum() -> dict[str, Any]:
    shrinks = ({"c": [LAM, STEP, SMALL], "L": "p[k]"}, {"c": [LAM, STEP], "L": "p[k]"})
    equal = {"eq": "same", "k": "-(1-step*lam)**2*(r[k]+p[k])"}
    step = cite(f"{ID}#equal entries", then=order({"of": "past"}, *shrinks, equal, ops=column("k")), called="same")
    return induct("k", base=order(ops=START), step=instance("IH", step, called="past", m="k"))


def power_is_bounded() -> dict[str, Any]:
    """Two cases: q = eta, and q > eta, where the energy is divided by (q - eta) lambda c."""
    still = have("q == step", then=cite(f"{ID}#power without momentum"))
    case = len(SIZES) + len(COLUMNS)
    moving = order({"of": "energy"}, {"L": "r[k]-p[k]"}, multiplier=[case, 0, 2])
    moving = cite(f"{ID}#energy", then=moving, called="energy")
    return {**cases("step - q", nonnegative=still, nonpositive=moving), "strict": True}


def rows_meet_columns() -> dict[str, Any]:
    first = order({"eq": 7, "k": "(1 - step*lam)*r[l]"}, ops=[{"use": "x[0]"}, {"use": "y[0]"}, *column("l")])
    later = order({"eq": "past"}, ops=[*ROW, *column("l + 1"), *column("l")])
    return induct("k", general=["l"], base=first, step=instance("IH", later, called="past", m="k", l="l+1"))


def gain_is_bounded() -> dict[str, Any]:
    whole = order(
        {"of": "power", "c": [{"sq": "j"}]},
        {"eq": "gain", "k": f"-j**2*({GAIN}*lam + p[k+1])"},
        {"eq": 8, "k": f"{GAIN}**2*(j*lam+1)"},
    )
    bounded = cite(f"{ID}#power", {"k": "k+1"}, then=whole, called="power")
    return cite(f"{ID}#gain", then=bounded, called="gain")


NUMBERS = (
    ours(
        "energy",
        "(q - step)*lam*c*p[k]**2 + (r[k] - p[k])**2 <= (q - step)*lam*c",
        "The energy of lem:A-power-bound never grows.",
        **_sequences("p", "r", given=SIZES, naturals="k"),
        proof=lambda claim: energy_stays(),
    ),
    ours(
        "equal entries",
        "r[k] == p[k]",
        "With q = η both entries of A(λ)^k (1, 1)ᵀ are equal.",
        **_sequences("p", "r", given=(*SIZES[:5], "q == step"), naturals="k") | {"example": {**POINT, "q": "1/64"}},
        proof=lambda claim: entries_are_equal(),
    ),
    ours(
        "power without momentum",
        "p[k]**2 <= 1",
        "The case q = η of the bound on powers.",
        **_sequences("p", "r", given=(*SIZES[:5], "q == step"), naturals="k") | {"example": {**POINT, "q": "1/64"}},
        proof=lambda claim: without_momentum(),
    ),
    ours(
        "power",
        "p[k]**2 <= 1",
        "lem:A-power-bound with 1 for 2, for the sequence A(λ)^k (1, 1)ᵀ.",
        **_sequences("p", "r", given=SIZES, naturals="k"),
        proof=lambda claim: power_is_bounded(),
    ),
    ours(
        "rows",
        "x[k]*(p[l] - p[l+1]) + y[k]*(r[l] - r[l+1]) == p[k+l+1]",
        "The row (1, 0) (I − A)⁻¹ A^(k+1) times (I − A) A^l (1, 1)ᵀ.",
        **_sequences("p", "r", "x", "y", given=(*SIZES, *RECIPROCALS), naturals=("k", "l")),
        proof=lambda claim: rows_meet_columns(),
    ),
    ours(
        "gain",
        f"{GAIN}*lam == p[k+1]",
        "The same with (I − A)(1, 1)ᵀ = λ (η, q)ᵀ, which is lem:A-inverse.",
        **_sequences("p", "r", "x", "y", given=(*SIZES, *RECIPROCALS), naturals="k"),
        proof=lambda claim: cite(
            f"{ID}#rows", {"l": "0"}, then=order({"eq": "r"}, ops=[*column("0"), *START]), called="r"
        ),
    ),
    ours(
        "gain bound",
        f"{GAIN}**2 <= j**2",
        "So a unit of noise moves the tail sum by at most 1/λ in each step.",
        **_sequences("p", "r", "x", "y", given=(*SIZES, *RECIPROCALS), naturals="k"),
        proof=lambda claim: gain_is_bounded(),
    ),
)
