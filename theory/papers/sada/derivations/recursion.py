"""The recursion of the outer loop's energy: the schedule theta_k, and L_k in closed form in both phases."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import sympy

from theory.derivation.value import Derivation, Numbers, Opinion, Printed, Setting, Step
from theory.kernel import Verdict
from theory.papers.sada.derivations.outer import TILDE
from theory.papers.sada.derivations.symbols import k

th, top, a, c, b = sympy.symbols("th top a c b", positive=True)  # theta, theta_max
j = sympy.Symbol("j", integer=True, nonnegative=True)  # k - K/2
L0 = sympy.Symbol("L0", real=True)
SOLVED = "lem:auxilary-recursion"
LATER = Setting(("a > 0", "top > 0", "j >= 0"), example={"a": "1/2", "top": "1/4", "j": "1"})


@lru_cache(maxsize=1)
def schedule() -> Derivation:
    """theta_j = 2/(a (b + j)) is the sequence for which 1 - a theta_j = (b + j - 2)/(b + j)."""
    rate = (b + j - 2) / (b + j)
    theta_j = sympy.solve(sympy.Eq(1 - a * th, rate), th)[0]
    start = sympy.solve(sympy.Eq(theta_j.subs(j, 0), top), b)[0]
    found = sympy.factor(theta_j.subs(b, start))
    return Derivation(
        name="schedule",
        title="theta_k of the second phase, j = k - K/2",
        source="1 - a theta = (b + j - 2)/(b + j), the factor whose products telescope, starting at theta_max",
        derived=found,
        steps=(
            Step("the factor of step j", sympy.Eq(1 - a * th, rate)),
            Step("solved for theta", theta_j),
            Step("it starts at theta_max for", sympy.Eq(b, start)),
            Step("theta of step j", found),
        ),
        letter="thj",
        solves=("1 - a*thj == (2/(a*top) + j - 2)/(2/(a*top) + j)",),
        setting=LATER,
        printed=(
            Printed("disp:1801", r"\dfrac{2}{a(2/(a\theta_{\max})+k-K/2)}", SOLVED, LATER, TILDE),
            Printed(
                "disp:1831",
                r"\frac{2/(a\theta_{\max})+k-K/2-2}{2/(a\theta_{\max})+k-K/2}",
                SOLVED,
                LATER,
                TILDE,
                says=("1 - a*{derived} == {printed}",),
            ),
            Printed(
                "disp:559",
                r"\dfrac{4}{4/\tilde{\theta}_{\max}+k-K/2}",
                "rem:hyperparameters",
                Setting(("top > 0", "j >= 0"), {"a": "1/2"}, example={"top": "1/4", "j": "1"}, scope="a = 1/2"),
                names=TILDE,
            ),
        ),
        opinion=Opinion("outer", _scheduled),
    )


def _scheduled(v: Numbers) -> tuple[dict[str, Any], Any]:
    """b such that step 0 has theta_max, then theta of step k from its factor."""
    shift = 2 / (v["a"] * v["tp"])
    factor = (shift + v["k"] - 2) / (shift + v["k"])
    return {"a": v["a"], "top": v["tp"], "j": v["k"]}, (1 - factor) / v["a"]


@lru_cache(maxsize=1)
def constant_phase() -> Derivation:
    L = sympy.Function("L")
    recursion = L(k + 1) - (1 - a * top) * L(k) - c * top**2
    rest = sympy.Symbol("rest")
    fixed = sympy.solve(sympy.Eq(rest, (1 - a * top) * rest + c * top**2), rest)[0]
    found = (1 - a * top) ** k * (L0 - fixed) + fixed
    names = {r"\theta_{\max}": "top"}
    here = Setting(("a > 0", "top > 0"), example={"a": "1/2", "top": "1/4", "c": "1"})
    return Derivation(
        name="phase-1",
        title="L_k while theta is constant",
        source="the recursion L_k = (1 - a theta) L_{k-1} + c theta^2",
        derived=found,
        steps=(
            Step("the recursion", sympy.Eq(recursion, 0)),
            Step("at rest", sympy.Eq(rest, (1 - a * top) * rest + c * top**2)),
            Step("so that the fixed point is", sympy.Eq(rest, fixed)),
            Step("L_k: its distance to the fixed point shrinks by the factor 1 − aθ in each step", found),
        ),
        hidden=2,
        letter="L",
        also={"Ls": found.subs(k, 0), "Ln": found.subs(k, k + 1), "fix": fixed},
        solves=("Ls == L0", "Ln == (1 - a*top)*L + c*top**2", "fix == (1 - a*top)*fix + c*top**2"),
        setting=Setting(
            ("a > 0", "top > 0"), naturals=("k",), example={"a": "1/2", "top": "1/4", "c": "1", "L0": "2", "k": "3"}
        ),
        printed=(
            Printed("disp:1818", r"\frac{c\theta_{\max}}{a}", SOLVED, here, names, says=("{fix} == {printed}",)),
            Printed(
                "disp:1818",
                r"\frac{c}{a}",
                SOLVED,
                here,
                names,
                part="-right",
                says=("{fix} == {printed}",),
                expect=Verdict.REFUTED,
                words="The fixed point is c theta_max/a on both sides; the right side prints c/a.",
            ),
        ),
        opinion=Opinion("outer", _iterated),
    )


def _iterated(v: Numbers) -> tuple[dict[str, Any], Any]:
    value = v["L0"]
    for _ in range(v["k"]):
        value = (1 - v["a"] * v["th"]) * value + v["c"] * v["th"] ** 2
    return {"a": v["a"], "c": v["c"], "top": v["th"], "L0": v["L0"], "k": v["k"]}, value


@lru_cache(maxsize=1)
def decaying_phase() -> Derivation:
    S = sympy.Symbol("S", positive=True)
    first, last = sympy.symbols("r_1 r_0")
    ansatz = (b + j) ** 2 + first * (b + j) + last
    balance = sympy.expand(ansatz * (b + j - 2) - ansatz.subs(j, j - 1) * (b + j))
    factor = sympy.factor(ansatz.subs(sympy.solve(sympy.Poly(balance, j).coeffs(), [first, last], dict=True)[0]))
    gain = sympy.factor(factor * 4 * c / (a**2 * (b + j) ** 2))
    found = (b * (b - 1) * L0 + 4 * c / a**2 * S) / factor
    carried = found.subs({S: S + (b + j) / (b + j + 1), j: j + 1}, simultaneous=True)
    return Derivation(
        name="phase-2",
        title="L after j steps of the second phase, b = 2/(a theta_max); S is the sum of (b+i-1)/(b+i) over i = 1..j",
        source="the recursion L_j = (1 - a theta_j) L_{j-1} + c theta_j^2 with theta_j = 2/(a (b + j))",
        derived=found,
        steps=(
            Step("a factor f_j with f_j (1 - a theta_j) = f_{j-1}: try", ansatz),
            Step("f_j (b + j - 2) - f_{j-1} (b + j) must vanish", balance),
            Step("so that f_j is", factor),
            Step("f_j L_j is f_{j-1} L_{j-1} plus", gain),
            Step("L_j", found),
        ),
        hidden=2,
        letter="L",
        also={"Ls": found.subs({S: 0, j: 0}), "Ln": carried},
        solves=("Ls == L0", "Ln == (b+j-1)/(b+j+1)*L + 4*c/(a**2*(b+j+1)**2)"),
        setting=Setting(
            ("a > 0", "b > 1", "j >= 0"), example={"a": "1/2", "b": "16", "j": "1", "c": "1", "L0": "2", "S": "1"}
        ),
        opinion=Opinion("outer", _decayed),
    )


def _decayed(v: Numbers) -> tuple[dict[str, Any], Any]:
    value, total, shift = v["L0"], 0 * v["L0"], 2 / (v["a"] * v["tp"])
    for step_ in range(1, v["k"] + 1):
        theta = 2 / (v["a"] * (shift + step_))
        value = (1 - v["a"] * theta) * value + v["c"] * theta**2
        total += (shift + step_ - 1) / (shift + step_)
    return {"a": v["a"], "b": shift, "c": v["c"], "L0": v["L0"], "j": v["k"], "S": total}, value


ALL = (schedule, constant_phase, decaying_phase)
