"""L_var of Pi_t in one eigen-direction, for every T = 2n, from its definition.

The double sum over s, t = m+1..T is L_m. Run backward in m: with g the first row of I + A + ... + A^(T-m-1) and
A_m = g Pi_{m+1} g^T, what L_m gains in a step is what A_m gains plus (g v)^2. So L_m = A_m + B_m with B_m the sum of
these squares, and (I + ... + A^(n-1)) v = (I - A^n)(1, 1)/lambda turns both into sums over first entries.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import sympy

from theory.derivation.value import Derivation, Numbers, Opinion, Printed, Setting, Step
from theory.papers.sada.derivations import _runs as runs
from theory.papers.sada.derivations.block import in_letters
from theory.papers.sada.derivations.inverse import BLOCK, identity, letters
from theory.papers.sada.derivations.stationary import NOISE
from theory.papers.sada.derivations.symbols import EYE, lam

P = sympy.Matrix([[sympy.Symbol("p11"), sympy.Symbol("p12")], [sympy.Symbol("p12"), sympy.Symbol("p22")]])
ROW = sympy.Matrix([sympy.symbols("g1 g2")])
FIRST = sympy.Matrix([[1, 0]])
W = sympy.Matrix(2, 2, sympy.symbols("w11 w12 w21 w22"))
V = sympy.Matrix(2, 2, sympy.symbols("v11 v12 v21 v22"))
POINT = {"c": "1/2", "eta": "1/2", "q": "1/2", "lam": "1"}


@lru_cache(maxsize=1)
def gain() -> Derivation:
    longer = ROW * in_letters() + FIRST
    in_l = (2 * longer - FIRST) * P * FIRST.T
    in_a = longer * P * longer.T - ROW * (in_letters() * P * in_letters().T + NOISE) * ROW.T
    found = sympy.factor(sympy.expand(in_l[0] - in_a[0]))
    return Derivation(
        name="L_var-gain",
        title="(B_{m-1} - B_m)/lambda, what L_m gains beyond A_m when m goes down by one; for m_i = 1",
        source="the definition of L_var; g = (g1, g2) is the first row of I + A + ... + A^(T-m-1)",
        derived=found,
        steps=(
            Step("the next row, g A + (1, 0)", longer),
            Step("L_{m-1} - L_m: Pi_m once, and twice with each later power", in_l[0]),
            Step("A_{m-1} - A_m, where Pi_{m+1} = A Pi_m A^T + v v^T", sympy.expand(in_a[0])),
            Step("the difference, factored", found),
        ),
        hidden=3,
        letter="D",
        solves=(
            "((2*h - [[1, 0]]) @ P @ [1, 0])[1] - (h @ P @ h.T)[1, 1]"
            " + ([[g1, g2]] @ (A @ P @ A.T + [[eta**2, eta*q], [q*eta, q**2]]) @ [g1, g2])[1] == D",
        ),
        setting=Setting(
            (),
            {**BLOCK, "P": "[[p11, p12], [p12, p22]]", "h": "[[g1, g2]] @ A + [[1, 0]]"},
            example={**POINT, "g1": "1", "g2": "2", "p11": "1", "p12": "0", "p22": "1"},
        ),
        opinion=Opinion("inner", _gain),
    )


def _gain(v: Numbers) -> tuple[dict[str, Any], Any]:
    """T - m = k: the square of the first entry of v + A v + ... + A^(k-1) v, by running."""
    total, row = 0 * v["lam"], [[0 * v["lam"]] * 2]
    for age in range(v["k"]):
        total += runs.orbit(v, runs.kick(v), age)[0]
        row = runs.added(row, [runs.matrix(v, age)[0]])
    return {**letters(v), "g1": row[0][0], "g2": row[0][1]}, total**2


@lru_cache(maxsize=1)
def partial_sum() -> Derivation:
    constant = identity().derived
    found = ((EYE - W) * constant).applyfunc(sympy.factor)
    return Derivation(
        name="partial-sum",
        title="(I + A + ... + A^(n-1)) (eta, q)^T with W = A^n",
        source="the geometric sum (I - A^n)(I - A)^-1 and the identity (I - A)^-1 (eta, q)^T = (1, 1)^T/lambda",
        derived=found,
        steps=(
            Step("(I - A)^-1 (eta, q)^T", constant),
            Step("times I - W", found),
        ),
        letter="u",
        also={
            "u0": found.subs(dict(zip(W, EYE, strict=True))),
            "un": found.subs(dict(zip(W, in_letters() * W, strict=True)), simultaneous=True),
        },
        solves=("u0 == [0, 0]", "un == A @ u + [eta, q]"),
        setting=Setting(("lam > 0",), BLOCK, example={**POINT, "w11": "1", "w12": "0", "w21": "0", "w22": "1"}),
        opinion=Opinion("inner", _partial),
    )


def _named(square: list[list[Any]], letter: str) -> dict[str, Any]:
    return {f"{letter}{i}{j}": square[i - 1][j - 1] for i in (1, 2) for j in (1, 2)}


def _partial(v: Numbers) -> tuple[dict[str, Any], Any]:
    total = [0 * v["lam"], 0 * v["lam"]]
    for age in range(v["k"]):
        total = [a + b for a, b in zip(total, runs.orbit(v, runs.kick(v), age), strict=True)]
    return {**letters(v), **_named(runs.matrix(v, v["k"]), "w")}, total


@lru_cache(maxsize=1)
def terms() -> Derivation:
    """One term of each of the two sums of lem:L-var, times T^2/4, for m_i = 1; W = A^k, V = A^(T/2) or A^(T/2-k)."""
    ones = lam * identity().derived
    early = sympy.factor(((W * (EYE - V) * ones)[0]) ** 2 / lam)
    late = sympy.factor((((EYE - V) * ones)[0]) ** 2 / lam)
    found = sympy.Matrix([early, late])
    where = {**BLOCK, "W": "[[w11, w12], [w21, w22]]", "V": "[[v11, v12], [v21, v22]]", "I": "[[1, 0], [0, 1]]"}
    where |= {"u": "inv(I - A) @ [eta, q]", "first": "(W @ (I - V) @ u)[1]", "last": "((I - V) @ u)[1]"}
    example = {**POINT, **{f"{x}{i}{j}": str(i + j) for x in "wv" for i in (1, 2) for j in (1, 2)}}
    here = Setting(("lam > 0", "q - c*eta > 0"), where, example={**example, "eta": "1/4"})
    tail = r"(\mathbf{I}-\mathbf{A}_i)^{-1}\begin{pmatrix} \eta \\ q \end{pmatrix}\right)_1"
    return Derivation(
        name="L_var",
        title="the terms of the two sums in lem:L-var, for m_i = 1: (A part, B part), with W and V for the powers of A",
        source="L_var = 4 (A_{T/2} + B_{T/2})/T^2, the partial sums in closed form",
        derived=found,
        steps=(
            Step("B: lambda times the square of a partial sum's first entry", lam * partial_sum().derived[0] ** 2),
            Step("with V for the power, as print has it", late),
            Step("A: the same, k steps later", early),
        ),
        letter="D",
        solves=("D == [lam*first**2, lam*last**2]",),
        setting=here,
        printed=(
            Printed(
                "disp:1138",
                r"\lambda_i m_i\left(\mathbf{A}_i^k\left(\mathbf{I}-\mathbf{A}_i^{T/2}\right)" + tail + "^2",
                "lem:L-var",
                here,
                names={r"\left(\mathbf{A}_i^k\left(\mathbf{I}-\mathbf{A}_i^{T/2}\right)" + tail: "first", "m_i": "1"},
                says=("{derived}[1] == {printed}",),
            ),
            Printed(
                "disp:1125",
                r"\lambda_i m_i\left(\left(\mathbf{I}-\mathbf{A}_i^{T/2-k}\right)" + tail + "^2",
                "lem:L-var",
                here,
                names={r"\left(\left(\mathbf{I}-\mathbf{A}_i^{T/2-k}\right)" + tail: "last", "m_i": "1"},
                says=("{derived}[2] == {printed}",),
            ),
        ),
        opinion=Opinion("inner", _terms),
    )  # fmt: skip


def _terms(v: Numbers) -> tuple[dict[str, Any], Any]:
    """T/2 = 3: sums of runs, k steps later and at once."""
    sums = []
    for start in (v["k"], 0):
        entries = (runs.orbit(v, runs.kick(v), start + age)[0] for age in range(3))
        sums.append(v["lam"] * sum(entries, 0 * v["lam"]) ** 2)
    return {**letters(v), **_named(runs.matrix(v, v["k"]), "w"), **_named(runs.matrix(v, 3), "v")}, sums


def closed_form(v: Numbers, half: int) -> Any:
    """L_var for T = 2 half from the derived terms: what the double sum of the definition is held against."""
    import mpmath

    names = sorted(terms().derived.free_symbols, key=str)
    function = sympy.lambdify(names, list(terms().derived), "mpmath")
    total = mpmath.mpf(0)
    for k in range(half + 1):
        at = {**letters(v), **_named(runs.matrix(v, k), "w"), **_named(runs.matrix(v, half), "v")}
        total += function(*(at[str(one)] for one in names))[0]
        if k:
            at = {**at, **_named(runs.matrix(v, half - k), "v")}
            total += function(*(at[str(one)] for one in names))[1]
    return total / half**2


ALL = (gain, partial_sum, terms)
