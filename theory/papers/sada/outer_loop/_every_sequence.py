r"""lem:auxilary-recursion for every sequence: L_k <= (1 - a theta_k) L_{k-1} + c theta_k^2 for k = 1, ..., K.

`L` and `th` are arbitrary sequences with the printed hypotheses; K = 2m, or m and n steps in the two phases. With a
constant theta the noise settles at c theta_max/a; with b = 2/(a theta_max) and theta_{m+j} = 2/(a (b + j)) the product
(b + j)^2 L_{m+j} grows by at most 4c/a^2 in a step, because (b + j)^2 - 1 is at least 0. Only L_0 has a sign.
"""

from __future__ import annotations

from typing import Any

from theory.claims.statement import Faithfulness, printed, repaired, sharper
from theory.papers.sada.inner_loop._facts import added
from theory.provers.tactics import Tactic, auto, chain, cite, instance

ID = "lem:auxilary-recursion"
B = "2/(a*top)"
SIGNS = ("a > 0", "top > 0", "a*top <= 1", "c >= 0", "L[0] >= 0")


def recursion(steps: str) -> str:
    """disp:1795 for every k + 1 up to the number of steps."""
    return f"forall(k, 0, {steps}-1, L[k+1] <= (1 - a*th[k+1])*L[k] + c*th[k+1]**2)"


def schedule(n: str, shift: str = "") -> tuple[str, str]:
    """disp:1801 without a quotient: theta_max for k <= m, then 2/(a (2/(a theta_max) + j)) at k = m + j."""
    return "forall(k, 1, m, th[k] == top)", f"forall(j, 1, {n}, th[m+j]*(a*({B}{shift} + j)) == 2)"


POWER = "(1 - a*top)**m"
SETTLED = f"({POWER}*L[0] + c*top/a*(1 - {POWER}))"
EVEN = (*schedule("m"), recursion("2*m"))
LENGTHS = (*schedule("n", " - o"), recursion("m+n"))
TRIVIAL: dict[str, Any] = {
    "a": "1/2", "top": "1/2", "c": "1", "m": "1", "n": "1", "o": "0", "L": {"0": "1", "1": "1", "2": "0"},
    "th": {"1": "1/2", "2": "4/9"},
}  # fmt: skip


LONG = {**TRIVIAL, "th": {"1": "1/2"} | {str(j + 1): f"4/{j + 8}" for j in range(1, 8)},
        "L": {"0": "1"} | {str(k): "0" for k in range(1, 9)}}  # fmt: skip
PRINTED, SHARPER = 12, 8
EVERY: dict[str, Any] = {
    "given": (*SIGNS, "m >= 1", *EVEN), "naturals": "m", "example": TRIVIAL, "display": "disp:1808",
    "scope": "every sequence, every even K = 2m",
}  # fmt: skip


def bound(value: int) -> str:
    return f"L[2*m] <= {POWER}*L[0] + {value}*c/(a**2*(2*m))"


def fact(part: str, says: str | list[str], words: str, **more: Any) -> Any:
    return printed(says, part=part, words=words, faithfulness=Faithfulness.OURS, **more)


SUM: tuple[tuple[str, list[int]], ...] = (("1", [7]), ("1", [11]), ("1", [14]), ("1", [15]), ("2", [0, 1]))


def both_ends() -> Tactic:
    return chain(
        "b > 0",
        "x**2 <= (x + n)**2",
        "p*y >= 0",
        "x**2*(p*y) <= (x + n)**2*(p*y)",
        "x/b <= 1",
        "2*g*x*(1 - x/b) >= 0",
        "x**2*(2*g/b) <= 2*g*x",
        "x**2*(2*g/b)*(1 - p) <= x**2*(2*g/b)",
        ("(x + n)**2*z <= (x + n)**2*(p*y) + 4*g*(x + n)", added(*((weight, of, "") for weight, of in SUM))),
        "x + n > 0",
        then=added(("1", [16], ""), multiplier=[17, 17]),
    )


def second_phase(claim: str, values: dict[str, str], shift: str, first: int, then: Tactic) -> Tactic:
    """The lemma on the second phase with s_i = L_{m+i}; `first` is the position of the late schedule."""
    now = f"({B}{shift} + j + 1)"
    one = {"x": now, "t": "th[m+j+1]", "now": "L[m+j+1]", "before": "L[m+j]"}
    at = cite(f"{ID}#one late step", one)
    at = {**instance(first + 1, at, k="m+j"), "within": {f"m + j <= {end} - 1": auto() for end in ("m + n", "2*m")}}
    at = {**instance(first, at, j="j+1"), "within": {f"j + 1 <= {end}": auto() for end in ("n", "m")}}
    late = {"5": chain(f"{now} > 0", then=at)}
    start = {"b": f"{B}{shift}", **values}
    families = {"s": {"at": ["i"], "is": "L[m+i]"}}
    return cite(f"{ID}#{claim}", start, families=families, discharge=late, then=then)


def settled(then: Tactic) -> Tactic:
    """The first phase, and the signs of what it leaves."""
    signs = cite(f"{ID}#power", {"x": "1 - a*top"}, then=chain(f"{POWER}*L[0] >= 0", f"{SETTLED} >= 0", then=then))
    return cite(f"{ID}#first phase", then=chain("1 - a*top >= 0", "1 - a*top <= 1", f"{B} >= 2", then=signs))


def two_phases() -> Tactic:
    values = {"x": f"{B} - o", "b": B, "g": "c/a**2", "p": POWER, "y": "L[0]", "z": "L[m+n]"}
    return settled(second_phase("second phase", {"S": SETTLED}, " - o", 8, cite(f"{ID}#both ends", values)))


def even(later: str = "m", value: str = "8", steps: str = "2*m") -> Tactic:
    """4/(b + later) <= value/steps."""
    most = f"{value}*c/(a**2*({steps}))"
    tail = chain(f"{most} >= 0", f"4*c/(a**2*({B} - 0 + {later})) <= {most}")
    return cite(f"{ID}/sharper#every sequence, any lengths", {"n": later, "o": "0"}, then=tail)


EVERY_SEQUENCE = (
    fact(
        "power", ["x**m >= 0", "x**m <= 1"], "Powers of a number between 0 and 1 stay there.",
        given=("x >= 0", "x <= 1"), naturals="m", example={"x": "1/2", "m": "1"},
    ),
    fact(
        "first phase", f"L[m] <= {SETTLED}", "With a constant θ the noise settles at cθ/a.",
        given=(*SIGNS[:4], "forall(k, 0, m-1, L[k+1] <= (1 - a*top)*L[k] + c*top**2)"), naturals="m", example=TRIVIAL,
        scope="every sequence and every number of steps",
    ),
    fact(
        "one late step", "x**2*now <= x*(x - 2)*before + 4*c/a**2", "One step with θ = 2/(ax).",
        given=("a > 0", "x > 0", "a*t*x == 2", "now <= (1 - a*t)*before + c*t**2"),
        example={"a": "1", "x": "2", "t": "1", "c": "1", "before": "1", "now": "1"},
    ),
    fact(
        "second phase", "(b + n)**2*s[n] <= b**2*S + 4*c/a**2*n",
        "(b + j)² L_{m+j} grows by at most 4c/a² in a step.",
        given=("a > 0", "2*b >= 3", "c >= 0", "S >= 0", "s[0] <= S",
               "forall(j, 0, n-1, (b + j + 1)**2*s[j+1] <= (b + j + 1)*(b + j - 1)*s[j] + 4*c/a**2)"),
        naturals="n", example={"a": "1", "b": "2", "c": "1", "S": "1", "n": "1", "s": {"0": "1", "1": "0"}},
        scope="every sequence and every number of steps",
    ),
    fact(
        "both ends", "z <= p*y + 4*g/(x + n)", "What the two phases leave over.",
        given=("g >= 0", "x > 0", "x <= b", "n >= 0", "p >= 0", "p <= 1", "y >= 0",
               "(x + n)**2*z <= x**2*(p*y + 2*g/b*(1 - p)) + 4*g*n"),
        example=dict.fromkeys(("g", "b", "x", "n", "p", "y"), "1") | {"z": "0"}, proof=lambda claim: both_ends(),
    ),
    fact(
        "never above", "s[n] <= S", "What is above the settled noise of the first phase is never exceeded later.",
        given=("a > 0", "b >= 2", "c >= 0", "S >= 0", "s[0] <= S",
               "forall(j, 0, n-1, (b + j + 1)**2*s[j+1] <= (b + j + 1)*(b + j - 1)*s[j] + 4*c/a**2)",
               "a**2*b*S >= 2*c"),
        naturals="n", example={"a": "1", "b": "2", "c": "1", "S": "1", "n": "1", "s": {"0": "1", "1": "0"}},
        scope="every sequence and every number of steps",
    ),
    sharper(
        f"L[m+n] <= {POWER}*L[0] + 4*c/(a**2*({B} - o + n))", part="every sequence, any lengths",
        words="For m and n steps in the two phases the noise is 4c/(a²(b + n)): a shorter first phase gives nearly"
        " 4c/(a²K). Odd K is m = (K − 1)/2, n = (K + 1)/2, o = 1/2.",
        given=(*SIGNS, "o >= 0", "2*o <= 1", *LENGTHS), naturals=("m", "n"), example=TRIVIAL, display="disp:1808",
        scope="every sequence and all numbers of steps", proof=lambda claim: two_phases(),
    ),
    repaired(
        bound(PRINTED), part="every sequence", repairs=ID, faithfulness=Faithfulness.EXTRA_HYPOTHESIS,
        words="With aθ_max ≤ 1, c ≥ 0 and L₀ ≥ 0 it holds for every even K; nothing is asked of the signs of"
        " L₁, …, L_K.",
        **EVERY, proof=lambda claim: even(),
    ),
    sharper(
        bound(SHARPER), part="every sequence", words="8c/(a²K) for 12c/(a²K).", **EVERY, proof=lambda claim: even(),
    ),
    sharper(
        f"L[8*m] <= {POWER}*L[0] + 32/7*c/(a**2*(8*m))", part="every sequence, short first phase",
        words="With an eighth of the steps in the first phase: 32/7 for 12, and the power K/8 before L₀.",
        **{**EVERY, "given": (*SIGNS, "m >= 1", *schedule("7*m"), recursion("8*m")), "example": LONG},
        proof=lambda claim: even("7*m", "32/7", "8*m"),
    ),
)  # fmt: skip
