"""The spectrum of A(lambda): characteristic polynomial, discriminant, lambda_L, lambda_U, three regimes, the roots.

With s^2 = q - c eta and t^2 = c (q - eta) the discriminant factors, and its roots are (1-c)^2/(s+t)^2 and
(1-c)^2/(s-t)^2. They need q >= eta.
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import Any

import sympy

from theory.derivation.value import Derivation, Numbers, Opinion, Printed, Setting, Step
from theory.papers.sada.derivations import _draws as draws
from theory.papers.sada.derivations import _runs as runs
from theory.papers.sada.derivations.block import in_letters
from theory.papers.sada.derivations.inverse import BLOCK, letters
from theory.papers.sada.derivations.symbols import EYE, c, eta, lam, q

OWNER = "lem:radius-bound"
DISC = r"(1+c-q\lambda)^2-4c(1-\eta\lambda)"
ROOTS = {r"\sqrt{q-c\eta}": "s", r"\sqrt{c(q-\eta)}": "t"}
X, r = sympy.symbols("X r", real=True)
s, t = sympy.symbols("s t", positive=True)  # the roots of q - c eta and of c (q - eta)
POINT = {"c": "2/9", "eta": "1/2", "q": "5/9", "lam": "1/3"}
ROOTED = {"q": "(s**2 - t**2)/(1-c)", "eta": "(s**2 - t**2/c)/(1-c)"}
FREE = ("c > 0", "c < 1", "t >= 0", "s - t > 0")
CRITICAL = Setting(
    FREE,
    ROOTED,
    example={"c": "2/9", "s": "2/3", "t": "1/9"},
    scope="c, s >= t free; q and eta are those with q - c eta = s^2 and c (q - eta) = t^2, so q >= eta",
)


def _trace_det(v: Numbers) -> tuple[Any, Any]:
    (a, b), (d, e) = runs.matrix(v)
    return a + e, a * e - b * d


@lru_cache(maxsize=1)
def characteristic() -> Derivation:
    block = in_letters()
    found = sympy.collect(sympy.expand((X * EYE - block).det()), X)
    return Derivation(
        name="characteristic",
        title="the characteristic polynomial of A(lambda); its coefficients are -trace and det",
        source="the block A(lambda)",
        derived=found,
        steps=(
            Step("X I - A(lambda)", X * EYE - block),
            Step("its determinant, by powers of X", found),
            Step("the trace", sympy.Eq(sympy.Symbol("trace"), block.trace())),
            Step("the determinant", sympy.Eq(sympy.Symbol("det"), sympy.factor(block.det()))),
        ),
        letter="f",
        solves=("f == (X - A[1, 1])*(X - A[2, 2]) - A[1, 2]*A[2, 1]",),
        setting=Setting((), BLOCK, example={**POINT, "X": "1"}),
        opinion=Opinion("inner", lambda v: ({**letters(v), "X": v["theta"]}, _characteristic(v, v["theta"]))),
    )


def _characteristic(v: Numbers, at: Any) -> Any:
    trace, determinant = _trace_det(v)
    return at * at - trace * at + determinant


@lru_cache(maxsize=1)
def discriminant() -> Derivation:
    polynomial = sympy.Poly(characteristic().derived, X)
    found = sympy.collect(sympy.expand(polynomial.discriminant()), lam, sympy.factor)
    return Derivation(
        name="discriminant",
        title="the discriminant of A(lambda), a quadratic in lambda",
        source="the characteristic polynomial",
        derived=found,
        steps=(
            Step("the characteristic polynomial", polynomial.as_expr()),
            Step("its discriminant, trace^2 − 4 det", sympy.expand(polynomial.discriminant())),
            Step("by powers of lambda", found),
        ),
        hidden=1,
        letter="d",
        solves=("d == (A[1, 1] - A[2, 2])**2 + 4*A[1, 2]*A[2, 1]",),
        setting=Setting((), BLOCK, example=POINT),
        printed=(Printed("disp:783", DISC, OWNER, Setting(example=POINT)),),
        opinion=Opinion("inner", lambda v: (letters(v), draws.discriminant(dict(v), v["lam"]))),
    )


def in_s_t() -> dict[sympy.Symbol, sympy.Expr]:
    """q and eta through s^2 = q - c eta and t^2 = c (q - eta)."""
    found: list[dict[sympy.Symbol, sympy.Expr]] = sympy.solve(
        [sympy.Eq(q - c * eta, s**2), sympy.Eq(c * (q - eta), t**2)], [q, eta], dict=True
    )
    return found[0]


@lru_cache(maxsize=1)
def critical() -> tuple[sympy.Expr, sympy.Expr, sympy.Expr]:
    """The discriminant in s and t, factored, and its roots in lambda, the smaller one first."""
    factored = sympy.factor(discriminant().derived.subs(in_s_t()))
    roots = sympy.roots(sympy.Poly(sympy.numer(factored), lam), multiple=True)
    low, high = sorted(map(sympy.factor, roots), key=lambda root: root.subs({c: 0, s: 3, t: 1}))
    return factored, low, high


def _with_roots(v: Numbers) -> dict[str, Any]:
    import mpmath

    known = letters(v)
    s_, t_ = known["q"] - known["c"] * v["eta"], known["c"] * (known["q"] - v["eta"])
    return {**known, "s": mpmath.sqrt(s_), "t": mpmath.sqrt(t_)}


def _critical(name: str, which: int, tex: str) -> Derivation:
    factored, *roots = critical()
    side = ("low", "high")[which]
    return Derivation(
        name=name,
        title=f"the {side} end of the interval in which the eigenvalues are complex",
        source="the discriminant, a quadratic in lambda",
        derived=roots[which],
        steps=(
            Step("the discriminant", discriminant().derived),
            Step("write s^2 = q - c eta and t^2 = c (q - eta): it factors", factored),
            Step(f"its {side} root", roots[which]),
        ),
        hidden=1,
        letter="lam",
        solves=("(1+c-q*lam)**2 - 4*c*(1-eta*lam) == 0",),
        setting=CRITICAL,
        printed=(Printed("disp:790", tex, OWNER, replace(CRITICAL, where={}), names=ROOTS),),
        opinion=Opinion("inner", lambda v: (_with_roots(v), draws.critical(dict(v))[which])),
    )


def lambda_low() -> Derivation:
    return _critical("lambda_L", 0, r"\frac{(1-c)^2}{\left(\sqrt{q-c\eta}+\sqrt{c(q-\eta)}\right)^2}")


def lambda_high() -> Derivation:
    return _critical("lambda_U", 1, r"\frac{(1-c)^2}{\left(\sqrt{q-c\eta}-\sqrt{c(q-\eta)}\right)^2}")


@lru_cache(maxsize=1)
def regimes() -> Derivation:
    _, low, high = critical()
    leading = sympy.Poly(discriminant().derived, lam).LC()
    here = replace(CRITICAL, example={**CRITICAL.example, "lam": "1/3"})
    between = leading * (lam - sympy.Symbol("lambda_L")) * (lam - sympy.Symbol("lambda_U"))
    return Derivation(
        name="regimes",
        title="the sign of the discriminant: real roots up to lambda_L, complex between, real from lambda_U on",
        source="the discriminant and its two roots",
        derived=leading * (lam - low) * (lam - high),
        steps=(
            Step("lambda_L", low),
            Step("lambda_U", high),
            Step("the coefficient of lambda^2 is positive", leading),
            Step("so the discriminant is negative exactly between the two", between),
        ),
        letter="d",
        solves=("d == (1+c-q*lam)**2 - 4*c*(1-eta*lam)",),
        setting=here,
        printed=(Printed("disp:783", DISC, OWNER, here),),
        opinion=Opinion("inner", lambda v: (_with_roots(v), draws.discriminant(dict(v), v["lam"]))),
    )


def _root(which: int, sign: str) -> Derivation:
    polynomial = characteristic().derived
    trace, determinant = (-sympy.diff(polynomial, X).subs(X, 0), polynomial.subs(X, 0))
    shifted = sympy.expand(polynomial.subs(X, (trace + r) / 2))
    found = (trace + (-r if which == 0 else r)) / 2
    real = Setting(("r >= 0", f"r**2 == {DISCRIMINANT}"), example={**POINT, "lam": "0", "r": "7/9"})
    return Derivation(
        name=f"x{which + 1}",
        title=f"the {('smaller', 'larger')[which]} eigenvalue of A(lambda), r the root of the discriminant",
        source="the characteristic polynomial",
        derived=found,
        steps=(
            Step("the characteristic polynomial", polynomial),
            Step("at X = (trace + r)/2", sympy.collect(shifted, r)),
            Step("which vanishes for r^2 = discriminant", sympy.Eq(r**2, sympy.expand(trace**2 - 4 * determinant))),
            Step("the eigenvalue", found),
        ),
        letter="x",
        solves=("x**2 - (1+c-q*lam)*x + c*(1-eta*lam) == 0",),
        setting=real,
        proofs=({"kind": "identity", "modulo": [[1, "1/4"]]},),
        printed=(
            Printed(
                "disp:783",
                rf"\frac{{1+c-q\lambda}}{{2}}{sign}\frac{{\sqrt{{{DISC}}}}}{{2}}",
                OWNER,
                real,
                names={rf"\sqrt{{{DISC}}}": "r"},
            ),
        ),
        opinion=Opinion("inner", lambda v: ({**letters(v), "r": _eigenvalues(v)[2]}, _eigenvalues(v)[which])),
    )


DISCRIMINANT = "((1+c-q*lam)**2 - 4*c*(1-eta*lam))"


def _eigenvalues(v: Numbers) -> tuple[Any, Any, Any]:
    """Of the matrix that a run gives, found by iteration; and their distance."""
    import mpmath

    trace, determinant = _trace_det(v)
    with mpmath.extradps(200):
        found = mpmath.polyroots([1, -trace, determinant], maxsteps=5000, extraprec=2000, error=False)
        low, high = sorted(found, key=lambda root: (mpmath.re(root), mpmath.im(root)))
    return low, high, high - low


def eigenvalue_1() -> Derivation:
    return _root(0, "-")


def eigenvalue_2() -> Derivation:
    return _root(1, "+")


@lru_cache(maxsize=1)
def modulus() -> Derivation:
    real, imaginary = sympy.symbols("re im", real=True)
    conjugates = sympy.expand((X - (real + sympy.I * imaginary)) * (X - (real - sympy.I * imaginary)))
    matched = sympy.Poly(conjugates, X).all_coeffs()[-1]
    found = sympy.factor(sympy.Poly(characteristic().derived, X).all_coeffs()[-1])
    return Derivation(
        name="modulus",
        title="the squared modulus of the complex pair; the paper has the undefined delta for eta (line 799)",
        source="the characteristic polynomial and a conjugate pair of roots",
        derived=found,
        steps=(
            Step("a conjugate pair re + i im, re - i im has the polynomial", conjugates),
            Step("so that its constant coefficient is the squared modulus", matched),
            Step("which for A(lambda) is the determinant", found),
        ),
        letter="w",
        solves=("w == ((1+c-q*lam)/2)**2 - ((1+c-q*lam)**2 - 4*c*(1-eta*lam))/4",),
        setting=Setting((), example=POINT),
        opinion=Opinion("inner", lambda v: (letters(v), _trace_det(v)[1])),
    )


@lru_cache(maxsize=1)
def double_root() -> Derivation:
    half = in_letters().trace() / 2
    found = sympy.factor(half.subs(in_s_t()).subs(lam, critical()[1]))
    return Derivation(
        name="double-root",
        title="the double eigenvalue at lambda_L, with s = sqrt(q - c eta) and t = sqrt(c (q - eta))",
        source="half the trace at the critical eigenvalue",
        derived=found,
        steps=(Step("half the trace", half), Step("at lambda_L, in c, s and t", found)),
        letter="x",
        solves=("2*x == 1+c-q*lam", "x**2 == c*(1-eta*lam)"),
        setting=replace(CRITICAL, where={**ROOTED, "lam": "(1-c)**2/(s+t)**2"}),
        opinion=Opinion("inner", lambda v: (_with_roots(v), _half_trace(v))),
    )


def _half_trace(v: Numbers) -> Any:
    at = draws.critical(dict(v))[0]
    return _trace_det({**v, "lam": at})[0] / 2


ALL = (
    characteristic, discriminant, lambda_low, lambda_high, regimes, eigenvalue_1, eigenvalue_2, modulus, double_root,
)  # fmt: skip
