"""The block A(lambda) with its c and q: three lines of the algorithm, z eliminated, gradient put in, mean taken.

The corner comes out as -c; lines 742 and 749 print +c.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import sympy

from theory.claims.statement import Faithfulness
from theory.derivation.value import Derivation, Numbers, Opinion, Printed, Setting, Step
from theory.kernel import Verdict
from theory.papers.sada.derivations import _runs as runs
from theory.papers.sada.derivations.algorithm import GRADIENT, z_eliminated
from theory.papers.sada.derivations.symbols import c, g, gam, lam, p, q, theta, x, y
from theory.papers.sada.derivations.update import (
    C_AND_Q,
    MEAN,
    OWNER,
    PAIR,
    POINT,
    POSITIVE,
    SAMPLED,
    START,
    in_print,
    update,
)


@lru_cache(maxsize=1)
def block_of_a_sample() -> Derivation:
    pair = z_eliminated()
    moved = sympy.Matrix([pair.x_next, pair.y_next]).subs(g, GRADIENT.rhs)
    found = moved.jacobian((x, y)).applyfunc(lambda entry: sympy.collect(sympy.expand(entry), p, sympy.factor))
    return Derivation(
        name="A_hat",
        title="the random block of one sample, p = a_t a_t^T",
        source="the three lines of Algorithm 1 and the gradient g_t = p y_{t-1} - eps_t a_t",
        derived=found,
        steps=(
            Step("x_t and y_t without z", sympy.Matrix([pair.x_next, pair.y_next])),
            Step("the gradient of one sample", GRADIENT),
            Step("put in", moved),
            Step("coefficients of x_{t-1} and y_{t-1}", found),
        ),
        letter="A",
        solves=("[xx, yy] == A @ [x, y] + e*[eta, (eta+theta*gam)/(1+theta)]",),
        setting=Setting(("theta > 0",), SAMPLED, example={**START, "p": "1", "e": "1"}),
        printed=tuple(
            Printed(display, tex, OWNER, in_print(p="1"), names=PAIR)
            for display, tex in (
                (
                    "disp:606",
                    r"\begin{pmatrix} \mathbf{O} & \mathbf{I}-\eta\mathbf{a}_t\mathbf{a}_t^\top \\"
                    r" -c\mathbf{I} & (1+c)\mathbf{I}-q\mathbf{a}_t\mathbf{a}_t^\top \end{pmatrix}",
                ),
                (
                    "disp:372",
                    r"\begin{pmatrix} \mathbf{O} & \mathbf{I}-\eta\mathbf{a}_t\mathbf{a}_t^\top \\"
                    r" -\frac{1-\theta}{1+\theta}\mathbf{I} & \frac{2}{1+\theta}\mathbf{I}"
                    r"-\frac{\eta+\theta\gamma}{1+\theta}\mathbf{a}_t\mathbf{a}_t^\top \end{pmatrix}",
                ),
            )
        ),
        opinion=Opinion("inner", lambda v: ({**v, "p": v["lam"]}, runs.matrix(v))),
    )


@lru_cache(maxsize=1)
def mean_block() -> Derivation:
    sample = block_of_a_sample().derived
    found = sample.subs(p, lam)  # linear in p, so that its mean is its value at the mean of p
    return Derivation(
        name="A",
        title="the block A(lambda) of one eigen-direction",
        source="the random block of a sample, whose curvature p has mean lambda",
        derived=found,
        steps=(
            *update().steps,
            Step("the gradient of one sample", GRADIENT),
            Step("the block of one sample; it is linear in p", sample),
            Step("its mean: p becomes lambda, and minus the corner is called c", found),
            Step("c, by its place", sympy.Eq(c, corner())),
            Step("q, by its place", sympy.Eq(q, slope())),
            Step("A(lambda) in these letters", in_letters()),
        ),
        hidden=4,
        letter="A",
        solves=("[xx, yy] == A @ [x, y]",),
        setting=Setting(("theta > 0",), MEAN, example={**START, "lam": "1"}),
        printed=tuple(
            Printed(
                display,
                rf"\begin{{pmatrix}} 0 & 1-\eta{letter} \\ c & 1+c-q{letter} \end{{pmatrix}}",
                OWNER,
                in_print(lam="1"),
                expect=Verdict.REFUTED,
                faithfulness=Faithfulness.TYPO,
                words="Eliminating z gives -c in the lower left corner; the paper prints +c.",
            )
            for display, letter in (("disp:742", r"\lambda_i"), ("disp:749", r"\lambda"))
        ),
        opinion=Opinion("inner", lambda v: (v, runs.matrix(v))),
    )


@lru_cache(maxsize=1)
def block_in_letters() -> Derivation:
    return Derivation(
        name="A_cq",
        title="A(lambda) written with c and q; claims are built from this",
        source="the block A(lambda), theta and gamma eliminated in favour of c and q",
        derived=in_letters(),
        steps=(
            Step("c", sympy.Eq(c, corner())),
            Step("q", sympy.Eq(q, slope())),
            Step("A(lambda)", mean_block().derived),
            Step("theta and gamma put back as c and q", in_letters()),
        ),
        hidden=3,
        letter="A",
        solves=("[xx, yy] == A @ [x, y]",),
        setting=Setting(("theta > 0",), {**MEAN, **C_AND_Q}, example={**START, "lam": "1"}),
        opinion=Opinion("inner", lambda v: ({**v, "c": _entry(v, "c"), "q": _entry(v, "q")}, runs.matrix(v))),
    )


def corner() -> sympy.Expr:
    return sympy.factor(-block_of_a_sample().derived[1, 0])


def slope() -> sympy.Expr:
    return sympy.factor(-block_of_a_sample().derived[1, 1].coeff(p, 1))


@lru_cache(maxsize=1)
def in_letters() -> sympy.Matrix:
    """A(lambda) written with c and q: theta and gamma are eliminated in their favour."""
    back = sympy.solve([sympy.Eq(c, corner()), sympy.Eq(q, slope())], [theta, gam], dict=True)[0]
    written = block_of_a_sample().derived.subs(p, lam).subs(back)
    return written.applyfunc(lambda entry: sympy.collect(sympy.expand(sympy.cancel(entry)), lam))


def _value(name: str, title: str, letter: str, found: sympy.Expr, tex: str) -> Derivation:
    sample = block_of_a_sample().derived
    wanted = "A[2, 1]" if letter == "c" else "A[2, 2]"
    says = "yy == -c*x + (1+c)*y" if letter == "c" else "yy == -(1-theta)/(1+theta)*x + 2/(1+theta)*y - q*lam*y"
    lines = {**MEAN, "g": "0*y"} if letter == "c" else MEAN
    return Derivation(
        name=name,
        title=title,
        source="the random block of a sample",
        derived=found,
        steps=(
            Step("the block of a sample", sample),
            Step(f"{title}, read off from its entry {wanted}", sympy.Eq(sympy.Symbol(letter), found)),
        ),
        letter=letter,
        solves=(says,),
        setting=Setting(("theta > 0",), lines, example={**START, **({"lam": "1"} if letter == "q" else {})}),
        printed=(Printed("disp:623", tex, OWNER, Setting(POSITIVE, example=POINT)),),
        opinion=Opinion("inner", lambda v: (v, _entry(v, letter))),
    )


def _entry(v: Numbers, letter: str) -> Any:
    """-A_21 of a run for c; for q how much A_22 falls for each unit of curvature."""
    still = runs.matrix({**v, "lam": 0 * v["lam"]})
    return -still[1][0] if letter == "c" else (still[1][1] - runs.matrix(v)[1][1]) / v["lam"]


def momentum_c() -> Derivation:
    return _value("c", "minus the corner", "c", corner(), r"\frac{1-\theta}{1+\theta}")


def momentum_q() -> Derivation:
    return _value("q", "minus the coefficient of lambda", "q", slope(), r"\frac{\eta+\theta\gamma}{1+\theta}")


ALL = (block_of_a_sample, momentum_c, momentum_q, mean_block, block_in_letters)
