"""A(lambda)^k in closed form: two different eigenvalues, a complex pair, a double eigenvalue; and its first entry.

Cayley and Hamilton: A^k = alpha A + beta I, where alpha x + beta = x^k at both eigenvalues: alpha is the paper's a_k.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import sympy

from theory.claims.statement import Faithfulness
from theory.derivation.value import Derivation, Numbers, Opinion, Printed, Setting, Step
from theory.kernel import Verdict
from theory.papers.sada.derivations import _runs as runs
from theory.papers.sada.derivations.block import in_letters
from theory.papers.sada.derivations.inverse import BLOCK, letters
from theory.papers.sada.derivations.spectrum import _eigenvalues, _trace_det
from theory.papers.sada.derivations.symbols import EYE, c, k, x1, x2

OWNER = "lem:radius-bound"
ALPHA, BETA = sympy.symbols("alpha_k beta_k")
VIETA = {"q": "(1+c-x1-x2)/lam", "eta": "(1-x1*x2/c)/lam"}
DISTINCT = ("c > 0", "lam > 0", "x1 > 0", "x2 - x1 > 0")
POINT = {"c": "1/2", "lam": "1", "x1": "1/4", "x2": "1/2", "k": "2"}
HERE = Setting(
    DISTINCT,
    {**VIETA, **BLOCK},
    ("k",),
    POINT,
    "two different positive eigenvalues x1, x2; eta and q are those that give them",
)
SEQUENCE = {
    "ak": "(x2**k - x1**k)/(x2 - x1)",
    "am": "(x2**k/x2 - x1**k/x1)/(x2 - x1)",
    "ap": "(x2*x2**k - x1*x1**k)/(x2 - x1)",
}
NAMES = {r"a_{k-1}(\lambda)": "am", r"a_{k+1}(\lambda)": "ap", r"a_k(\lambda)": "ak", "a_{k-1}": "am", "a_k": "ak"}
IN_PRINT = Setting(DISTINCT, {**VIETA, **SEQUENCE}, ("k",), POINT, HERE.scope + "; k >= 1, or a_{-1} = -1/(x1 x2)")


@lru_cache(maxsize=1)
def coefficients() -> tuple[sympy.Expr, sympy.Expr]:
    """alpha and beta with alpha x + beta = x^k at x1 and x2."""
    lines = [sympy.Eq(ALPHA * x + BETA, x**k) for x in (x1, x2)]
    found = sympy.solve(lines, [ALPHA, BETA], dict=True)[0]
    return found[ALPHA], found[BETA]


@lru_cache(maxsize=1)
def power() -> Derivation:
    alpha, beta = coefficients()
    found = alpha * in_letters() + beta * EYE
    return Derivation(
        name="power",
        title="A(lambda)^k for two different eigenvalues x1 and x2",
        source="the theorem of Cayley and Hamilton: A^k = alpha A + beta I with alpha x + beta = x^k at x1 and x2",
        derived=found,
        steps=(
            Step("at x1", sympy.Eq(ALPHA * x1 + BETA, x1**k)),
            Step("at x2", sympy.Eq(ALPHA * x2 + BETA, x2**k)),
            Step("solved for alpha; this is a_k", sympy.Eq(ALPHA, alpha)),
            Step("and for beta; this is -x1 x2 a_{k-1}", sympy.Eq(BETA, beta)),
            Step("A^k = alpha A + beta I", found),
        ),
        hidden=2,
        letter="P",
        also={"P0": found.subs(k, 0), "Pn": found.subs(k, k + 1)},
        solves=("P0 == [[1, 0], [0, 1]]", "Pn == A @ P"),
        setting=HERE,
        printed=(
            Printed(
                "disp:804",
                r"\begin{pmatrix} -c(1-\eta\lambda)a_{k-1}(\lambda) & (1-\eta\lambda)a_k(\lambda) \\"
                r" -ca_k(\lambda) & a_{k+1}(\lambda) \end{pmatrix}",
                OWNER,
                IN_PRINT,
                names=NAMES,
            ),
        ),
        opinion=Opinion("inner", lambda v: (_eigen(v), runs.matrix(v, v["k"]))),
    )


def _eigen(v: Numbers) -> dict[str, Any]:
    low, high, _ = _eigenvalues(v)
    return {**letters(v), "x1": low, "x2": high}


@lru_cache(maxsize=1)
def first_entry() -> Derivation:
    moved = power().derived * sympy.Matrix([1, 1])
    found = sympy.factor(moved[0])
    return Derivation(
        name="first-entry",
        title="the first entry of A(lambda)^k (1, 1)^T",
        source="A(lambda)^k in closed form",
        derived=found,
        steps=(Step("A^k (1, 1)^T", moved), Step("its first entry, factored", found)),
        letter="f",
        also={"P": power().derived},
        solves=("f == (P @ [1, 1])[1]",),
        setting=HERE,
        printed=(Printed("disp:823", r"(1-\eta\lambda)(a_k-c a_{k-1})", "lem:A-power-bound", IN_PRINT, names=NAMES),),
        opinion=Opinion("inner", lambda v: (_eigen(v), runs.orbit(v, (1, 1), v["k"])[0])),
    )


@lru_cache(maxsize=1)
def recursion() -> Derivation:
    block = in_letters()
    start = sympy.Matrix(sympy.symbols("u v"))
    first, second = sympy.symbols("alpha beta")
    gap = sympy.expand((block * block * start)[0] - first * (block * start)[0] - second * start[0])
    solved = sympy.solve([gap.coeff(one) for one in start], [first, second], dict=True)[0]
    found = sympy.Matrix([solved[first], solved[second]]).applyfunc(sympy.factor)
    e0, e1, e2 = sympy.symbols("e_k e_{k+1} e_{k+2}")
    return Derivation(
        name="recursion",
        title="the recursion of the first entry, e_{k+2} = (trace) e_{k+1} - (det) e_k",
        source="two steps of the pair (u, v)",
        derived=found,
        steps=(
            Step("after one step", block * start),
            Step("after two steps", block * block * start),
            Step("first entries: which alpha, beta give e_{k+2} = alpha e_{k+1} + beta e_k for every u, v?", gap),
            Step("the recursion", sympy.Eq(e2, found[0] * e1 + found[1] * e0)),
        ),
        hidden=2,
        letter="w",
        solves=("(A @ A @ [u, v])[1] == w[1]*(A @ [u, v])[1] + w[2]*u",),
        setting=Setting((), BLOCK, example={"c": "1/2", "eta": "1", "q": "1", "lam": "1/2", "u": "1", "v": "2"}),
        opinion=Opinion("inner", lambda v: (letters(v), [_trace_det(v)[0], -_trace_det(v)[1]])),
    )


@lru_cache(maxsize=1)
def complex_pair() -> Derivation:
    r, phi = sympy.symbols("r phi", positive=True)
    rk, sine, cosine, sn, cs = sympy.symbols("rk S C sn cs", real=True)  # r^k, sin k phi, cos k phi, sin phi, cos phi
    moivre = {x1**k: rk * (cosine - sympy.I * sine), x2**k: rk * (cosine + sympy.I * sine)}
    pair = {x1: r * (cs - sympy.I * sn), x2: r * (cs + sympy.I * sn)}
    a_k = sympy.factor(sympy.expand(sympy.cancel(coefficients()[0].subs(moivre).subs(pair))))
    before = sympy.factor(a_k.subs({rk: rk / r, sine: sine * cs - cosine * sn}, simultaneous=True))
    after = sympy.factor(a_k.subs({rk: rk * r, sine: sine * cs + cosine * sn}, simultaneous=True))
    found = sympy.expand(a_k - c * before)
    return Derivation(
        name="power-complex",
        title="a_k - c a_{k-1} for a complex pair r exp(±i phi); rk is r^k, S and C are sin and cos of k phi",
        source="a_k, de Moivre's formula and the addition law of the sine",
        derived=found,
        steps=(
            Step("the pair", sympy.Eq(sympy.Symbol("x2"), r * (sympy.cos(phi) + sympy.I * sympy.sin(phi)))),
            Step("a_k, by de Moivre", sympy.Eq(sympy.Symbol("a_k"), a_k)),
            Step("a_{k-1}, by the addition law", sympy.Eq(sympy.Symbol("a_{k-1}"), before)),
            Step("a_k - c a_{k-1}", found),
        ),
        letter="f",
        also={"ak": a_k, "am": before, "ap": after},
        solves=("ap == 2*r*cs*ak - r**2*am", "f == ak - c*am"),
        setting=Setting(("r > 0", "sn > 0"), example=TRIGONOMETRIC),
        printed=(
            Printed(
                "disp:844",
                r"\frac{r^{k-1}\sin\left(k\theta\right)}{\sin\theta}"
                r"-\frac{r^{k-2}\sin\left((k-1)\theta\right)}{\sin\theta}",
                "lem:A-power-bound",
                Setting(("r > 0", "sn > 0", "sn**2 + cs**2 == 1", "S**2 + C**2 == 1"), example=TRIGONOMETRIC),
                names={
                    r"\sin\left(k\theta\right)": "S",
                    r"\sin\left((k-1)\theta\right)": "(S*cs - C*sn)",
                    r"\sin\theta": "sn",
                    "r^{k-1}": "(rk/r)",
                    "r^{k-2}": "(rk/r**2)",
                },
                expect=Verdict.REFUTED,
                faithfulness=Faithfulness.TYPO,
                words="The factor c before the second fraction is missing.",
                witness=TRIGONOMETRIC,
            ),
        ),
        opinion=Opinion("inner", _on_the_circle),
    )


TRIGONOMETRIC = {"r": "1/2", "rk": "1/4", "sn": "3/5", "cs": "4/5", "S": "24/25", "C": "7/25", "c": "1/2"}


def _on_the_circle(v: Numbers) -> tuple[dict[str, Any], Any]:
    """The angle of the eigenvalues of a run (complex where they are real); the first entry over 1 - eta lambda."""
    import mpmath

    trace, determinant = _trace_det(v)
    r = mpmath.sqrt(determinant)
    phi = mpmath.acos(trace / (2 * r))
    k_ = v["k"]
    values = {
        "r": r, "rk": r**k_, "S": mpmath.sin(k_ * phi), "C": mpmath.cos(k_ * phi), "sn": mpmath.sin(phi),
        "cs": mpmath.cos(phi), "c": letters(v)["c"],
    }  # fmt: skip
    return values, runs.orbit(v, (1, 1), k_)[0] / runs.matrix(v)[0][1]


@lru_cache(maxsize=1)
def double() -> Derivation:
    x = sympy.Symbol("x", positive=True)
    alpha = coefficients()[0]
    found = sympy.powsimp(sympy.limit(alpha.subs(x2, x), x1, x))
    return Derivation(
        name="power-double",
        title="a_k when both eigenvalues are x",
        source="a_k of two different eigenvalues, in the limit",
        derived=found,
        steps=(Step("a_k", alpha), Step("as x1 -> x2 = x", found)),
        letter="ak",
        also={"a0": found.subs(k, 0), "am": found.subs(k, k - 1), "ap": found.subs(k, k + 1)},
        solves=("a0 == 0", "ap == 2*x*ak - x**2*am"),
        setting=Setting(("x > 0",), naturals=("k",), example={"x": "1/2", "k": "2"}),
        opinion=Opinion("inner", _coinciding),
    )


def _coinciding(v: Numbers) -> tuple[dict[str, Any], Any]:
    """x = 1 - theta; the recursion a_{k+1} = 2 x a_k - x^2 a_{k-1} from 0, 1."""
    x = 1 - v["theta"]
    before, now = 0 * x, 1 + 0 * x
    for _ in range(v["k"]):
        before, now = now, 2 * x * now - x * x * before
    return {"x": x, "k": v["k"]}, before


ALL = (power, first_entry, recursion, complex_pair, double)
