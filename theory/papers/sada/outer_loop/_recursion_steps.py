r"""lem:auxilary-recursion as printed, and the displays of its proof that are about the whole run: K = 2m."""

from __future__ import annotations

from typing import Any

from theory.claims.statement import Faithfulness, printed, step
from theory.kernel import Verdict
from theory.papers.sada.inner_loop._facts import added
from theory.papers.sada.outer_loop._every_sequence import (
    EVEN,
    EVERY,
    ID,
    POWER,
    PRINTED,
    SIGNS,
    B,
    bound,
    fact,
    second_phase,
    settled,
)
from theory.provers.tactics import Tactic, chain, cite

STATED = (
    "forall(k, 1, m, th[k] == top)",
    f"forall(k, m+1, 2*m, th[k] == 2/(a*({B} + k - m)))",
    "forall(k, 1, 2*m, L[k] <= (1 - a*th[k])*L[k-1] + c*th[k]**2)",
)
NOISE = f"({POWER}*L[0] + c*top/a)"
AGAIN: dict[str, Any] = {name: value for name, value in EVERY.items() if name != "display"}
LARGE = {"a": "1", "top": "3", "c": "2/9", "m": "1", "th": {"1": "3", "2": "6/5"}, "L": {"0": "1", "1": "0", "2": "0"}}
SHORT = {
    "a": "1/2",
    "top": "1",
    "c": "0",
    "m": "1",
    "th": {"1": "1", "2": "4/5"},
    "L": {"0": "1", "1": "1/2", "2": "3/10"},
}


def never_above() -> Tactic:
    """a^2 b (c theta_max/a) = 2c."""
    last = second_phase("never above", {"S": NOISE, "n": "m"}, "", 7, chain("L[2*m] <= L[m+m]"))
    return settled(chain("c*top/a >= 0", f"{NOISE} >= 0", f"L[m] <= {NOISE}", f"a**2*({B})*{NOISE} >= 2*c", then=last))


def first_half() -> Tactic:
    return settled(chain("c*top/a >= 0", f"c*top/a*(1 - {POWER}) <= c*top/a"))


def second_half() -> Tactic:
    last = cite(f"{ID}#halves", {"b": B, "x": "L[m]", "z": "L[m+m]", "g": "c/a**2"})
    return chain(f"{B} >= 2", then=second_phase("second phase", {"S": "L[m]", "n": "m"}, "", 8, last))


def halves() -> Tactic:
    """(b + m)^2 >= m^2, in both terms."""
    facts = ("(b + m)**2 - m**2 >= 0", "b**2/m**2 >= 0", "4*g/m >= 0", "b + m > 0")
    terms = (("1", [4], ""), ("1", [1, 5, 6], ""), ("1", [5, 7], ""))
    return chain(*facts, then=added(*terms, multiplier=[8, 8]))


AS_PRINTED = Faithfulness.AS_PRINTED
WHOLE_RUN = (
    fact(
        "halves", "z <= 4*b**2/(2*m)**2*x + 8*g/(2*m)", "What the second half leaves over.",
        given=("g >= 0", "x >= 0", "b > 0", "m >= 1", "(b + m)**2*z <= b**2*x + 4*g*m"),
        example=dict.fromkeys(("g", "x", "b", "m"), "1") | {"z": "0"}, proof=lambda claim: halves(),
    ),
    printed(
        bound(PRINTED), expect=Verdict.REFUTED, witness=LARGE, faithfulness=AS_PRINTED,
        words="No bound on aθ_max is stated (θ_k ≤ 1/d with a d that means nothing here); at aθ_max = 3 the factor"
        " 1 − aθ_max is negative and so is the printed bound for K = 2, while L₂ = 0. The paper uses it with a = 1/2"
        " and"
        " θ_max ≤ 1/√12, where it holds: see lem:auxilary-recursion/repaired#every sequence.",
        **{**EVERY, "given": ("a > 0", "top > 0", "c >= 0", "L[0] >= 0", "m >= 1", *STATED)},
    ),
    step(
        "disp:1822", 1, "L[2*m] <= (1 - a*top)**(2*m)*L[0] + c*top/a", expect=Verdict.REFUTED, witness=SHORT,
        words="The exponent K belongs to a constant θ; in the second phase θ_k is smaller and contracts less.",
        faithfulness=AS_PRINTED,
        **{**AGAIN, "given": (*SIGNS, "m >= 1", *STATED, "2*m*(a*top) <= 4")},
    ),
    step(
        "disp:1822", "1/repaired", f"L[2*m] <= {NOISE}", faithfulness=Faithfulness.CONSTANT,
        repairs=f"{ID}/disp:1822.1", proof=lambda claim: never_above(),
        words="With the exponent K/2, for every even K: the second phase stays below cθ/a.", **AGAIN,
    ),
    step(
        "disp:1827", 1, f"L[m] <= {NOISE}", proof=lambda claim: first_half(), words="The first phase.",
        faithfulness=AS_PRINTED, **AGAIN,
    ),
    step(
        "disp:1839", 1, "L[2*m] <= 16/(a**2*top**2*(2*m)**2)*L[m] + 8*c/(a**2*(2*m))",
        proof=lambda claim: second_half(), words="b/(b + K/2) ≤ 2b/K = 4/(aθ_max K); an energy has L_{K/2} ≥ 0.",
        faithfulness=AS_PRINTED, **{**AGAIN, "given": (*EVERY["given"][:6], "L[m] >= 0", *EVEN)},
    ),
)  # fmt: skip
