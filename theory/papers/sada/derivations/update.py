"""The pair (x_t, y_t) without z, and how gradient and noise enter it: the algorithm's three lines, z eliminated."""

from __future__ import annotations

from functools import lru_cache

import sympy

from theory.derivation.value import Derivation, Opinion, Printed, Setting, Step
from theory.papers.sada.derivations import _runs as runs
from theory.papers.sada.derivations.algorithm import DESCEND, EXTRAPOLATE, GRADIENT, MOMENTUM, z_eliminated
from theory.papers.sada.derivations.symbols import e, g, x, y

OWNER = "lem:inner-matrix-form"
POINT = {"theta": "1/16", "eta": "1/16", "gam": "1/4"}
START = {**POINT, "x": "1", "z": "2"}
LINES = {  # the algorithm once more, for the kernel
    "y": "(x + theta*z)/(1+theta)",
    "xx": "y - eta*g",
    "zz": "theta*y + (1-theta)*z - gam*g",
    "yy": "(xx + theta*zz)/(1+theta)",
}
SAMPLED = {"y": LINES["y"], "g": "p*y - e", "xx": LINES["xx"], "zz": LINES["zz"], "yy": LINES["yy"]}
MEAN = {**SAMPLED, "g": "lam*y"}
C_AND_Q = {"c": "(1-theta)/(1+theta)", "q": "(eta+theta*gam)/(1+theta)"}
POSITIVE = ("theta > 0", "theta < 1", "eta > 0", "gam > 0")
PAIR = {r"\mathbf{a}_t\mathbf{a}_t^\top": "p"}


def in_print(**more: str) -> Setting:
    """Print writes c and q for what they are."""
    return Setting(POSITIVE, C_AND_Q, example={**POINT, **more}, scope="every theta, eta, gamma and lambda")


@lru_cache(maxsize=1)
def update() -> Derivation:
    pair = z_eliminated()
    found = sympy.Matrix([pair.x_next, pair.y_next]).jacobian((x, y)).applyfunc(sympy.factor)
    return Derivation(
        name="update",
        title="the pair (x_t, y_t) from (x_{t-1}, y_{t-1}), without z, at zero gradient",
        source="the three lines of Algorithm 1",
        derived=found,
        steps=(
            Step("extrapolation", EXTRAPOLATE),
            Step("descent", DESCEND),
            Step("momentum", MOMENTUM),
            Step("solve the extrapolation for z_{t-1}", sympy.Eq(sympy.Symbol("z"), pair.z)),
            Step("put it into the next extrapolation and collect", sympy.Eq(sympy.Symbol("y_t"), pair.y_next)),
            Step("coefficients of x_{t-1} and y_{t-1}", found),
        ),
        hidden=4,
        letter="U",
        solves=("[xx, yy] == U @ [x, y]",),
        setting=Setting(("theta > 0",), {**LINES, "xx": "y", "zz": "theta*y + (1-theta)*z"}, example=START),
        printed=(
            Printed(
                "disp:641",
                r"\begin{pmatrix} \mathbf{O} & \mathbf{I} \\ -c\mathbf{I} & (1+c)\mathbf{I} \end{pmatrix}",
                OWNER,
                in_print(),
            ),
        ),
        opinion=Opinion("inner", lambda v: (v, runs.matrix({**v, "lam": 0 * v["lam"]}))),
    )


@lru_cache(maxsize=1)
def gradient_vector() -> Derivation:
    pair = z_eliminated()
    found = -sympy.Matrix([pair.x_next, pair.y_next]).diff(g).applyfunc(sympy.factor)
    return Derivation(
        name="gradient-vector",
        title="(eta, q): how the gradient enters the pair",
        source="the three lines of Algorithm 1",
        derived=found,
        steps=(
            Step("x_t and y_t without z", sympy.Matrix([pair.x_next, pair.y_next])),
            Step("minus their coefficients of g_t", found),
        ),
        letter="v",
        solves=("[xx, yy] - [x0, y0] == -g*v",),
        setting=Setting(
            ("theta > 0",),
            {**LINES, "x0": "y", "z0": "theta*y + (1-theta)*z", "y0": "(x0 + theta*z0)/(1+theta)"},
            example={**START, "g": "3"},
        ),
        printed=(
            Printed(
                "disp:641",
                r"\begin{pmatrix} \eta\mathbf{g}_t \\ q\mathbf{g}_t \end{pmatrix}",
                OWNER,
                in_print(g="1"),
                names={r"\mathbf{g}_t": "g"},
                says=("g*{derived} == {printed}",),
            ),
        ),
        opinion=Opinion("inner", lambda v: (v, runs.kick(v))),
    )


@lru_cache(maxsize=1)
def noise_vector() -> Derivation:
    pair = z_eliminated()
    moved = sympy.Matrix([pair.x_next, pair.y_next]).subs(g, GRADIENT.rhs)
    found = moved.diff(e).applyfunc(sympy.factor)
    return Derivation(
        name="zeta",
        title="(eta, q) again: how the gradient noise e = eps_t a_t enters the pair",
        source="the three lines of Algorithm 1 and the gradient g_t = p y_{t-1} - e",
        derived=found,
        steps=(
            Step("x_t and y_t without z", sympy.Matrix([pair.x_next, pair.y_next])),
            Step("the gradient of one sample", GRADIENT),
            Step("put in", moved),
            Step("coefficients of e", found),
        ),
        letter="v",
        solves=("[xx, yy] == [[0, 1-eta*p], [-c, 1+c-q*p]] @ [x, y] + e*v",),
        setting=Setting(("theta > 0",), {**SAMPLED, **C_AND_Q}, example={**START, "p": "1", "e": "1"}),
        printed=(
            Printed(
                "disp:665",
                r"\begin{pmatrix} \eta\varepsilon_t\mathbf{a}_t \\ q\varepsilon_t\mathbf{a}_t \end{pmatrix}",
                OWNER,
                in_print(e="1"),
                names={r"\varepsilon_t\mathbf{a}_t": "e"},
                says=("e*{derived} == {printed}",),
            ),
        ),
        opinion=Opinion("inner", lambda v: (v, runs.kick(v))),
    )


ALL = (update, gradient_vector, noise_vector)
