"""What one random step does to second moments: (B - B~) o M from the moments of the random block, and the new noise.

One eigen-direction; m11, ..., m22 are the entries of M, p is the random curvature with mean lambda, N stands for
(E p^2 - lambda^2) m22, which is (M - M~) o M_22 of the paper in this direction.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import sympy

from theory.derivation.value import Derivation, Numbers, Opinion, Printed, Setting, Step
from theory.papers.sada.derivations import _runs as runs
from theory.papers.sada.derivations.block import block_of_a_sample
from theory.papers.sada.derivations.inverse import letters
from theory.papers.sada.derivations.symbols import e, lam, p
from theory.papers.sada.derivations.update import C_AND_Q, POINT, POSITIVE, noise_vector

M = sympy.Matrix(2, 2, sympy.symbols("m11 m12 m21 m22", real=True))
second, R = sympy.symbols("second R", real=True)  # E p^2, E eps^2 a^2
SAMPLE = "[[0, 1-eta*P[w]], [-c, 1+c-q*P[w]]]"
MATRIX = "[[m11, m12], [m21, m22]]"
MEAN = "[[0, 1-eta*lam], [-c, 1+c-q*lam]]"
ENTRIES = ((1, 1), (1, 2), (2, 1), (2, 2))
SPACE = {"p_w": ["1/2", "1/2"], "P": ["1/2", "3/2"], "m11": "1", "m12": "2", "m21": "3", "m22": "5"}


@lru_cache(maxsize=1)
def fluctuation() -> Derivation:
    block = block_of_a_sample().derived
    moved = (block * M * block.T).applyfunc(lambda one: sympy.expand(one))
    mean = moved.applyfunc(lambda one: one.subs(p**2, second).subs(p, lam))
    replaced = block.subs(p, lam)
    found = (mean - replaced * M * replaced.T).applyfunc(sympy.factor)
    return Derivation(
        name="B-Btilde",
        title="(B - B̃) ∘ M in one direction, E_p2 being E p^2",
        source="the random block of a sample and the first two moments of its curvature p",
        derived=found,
        steps=(
            Step("Â M Âᵀ for one sample", moved),
            Step("its mean: p becomes lambda, p^2 becomes E p^2", mean),
            Step("minus A M A^T", found),
        ),
        hidden=2,
        letter="D",
        solves=tuple(
            f"mean(w, ({SAMPLE} @ M @ {SAMPLE}.T)[{i}, {j}]) - ({MEAN} @ M @ {MEAN}.T)[{i}, {j}] == D[{i}, {j}]"
            for i, j in ENTRIES
        ),
        setting=Setting(
            ("theta > 0",),
            {**C_AND_Q, "lam": "mean(w, P[w])", "second": "mean(w, P[w]**2)", "M": MATRIX},
            example={**POINT, **SPACE},
            scope="every distribution of p on a finite space; one eigen-direction",
        ),
        printed=(
            Printed(
                "disp:721",
                r"\begin{pmatrix} \eta^2(\mathcal{M}-\tilde{\mathcal{M}})\circ\mathbf{M}_{22} &"
                r" \eta q(\mathcal{M}-\tilde{\mathcal{M}})\circ\mathbf{M}_{22} \\"
                r" \eta q(\mathcal{M}-\tilde{\mathcal{M}})\circ\mathbf{M}_{22} &"
                r" q^2(\mathcal{M}-\tilde{\mathcal{M}})\circ\mathbf{M}_{22} \end{pmatrix}",
                "lem:layer-peeled-decomposition",
                Setting(
                    POSITIVE,
                    {**C_AND_Q, "N": "(second - lam**2)*m22"},
                    example={**POINT, "lam": "1", "second": "2", "m22": "5"},
                    scope="one eigen-direction: the operator M - M~ multiplies m22 by E p^2 - lambda^2",
                ),
                names={r"(\mathcal{M}-\tilde{\mathcal{M}})\circ\mathbf{M}_{22}": "N"},
            ),
        ),
        opinion=Opinion("moments", _two_samples),
    )


def _two_samples(v: Numbers) -> tuple[dict[str, Any], Any]:
    """p is lambda +- spread with equal chances."""
    values = {**letters(v), "second": v["lam"] ** 2 + v["spread"] ** 2}
    m = [[v["m11"], v["m12"]], [v["m21"], v["m22"]]]
    total = [[0 * v["lam"]] * 2 for _ in range(2)]
    for sign in (1, -1):
        a = runs.matrix({**v, "lam": v["lam"] + sign * v["spread"]})
        total = runs.added(total, runs.times(runs.times(a, m), runs.turned(a)))
    a = runs.matrix(v)
    mean = [[entry / 2 for entry in row] for row in total]
    return values, runs.added(mean, runs.times(runs.times(a, m), runs.turned(a)), -1)


@lru_cache(maxsize=1)
def noise() -> Derivation:
    vector = e * noise_vector().derived
    raw = vector * vector.T
    found = raw.applyfunc(lambda one: one.subs(e**2, R))
    return Derivation(
        name="noise",
        title="the covariance of the noise of one step, R = E eps^2 a a^T",
        source="how the gradient noise e = eps a enters the pair",
        derived=found,
        steps=(
            Step("the noise of one step", vector),
            Step("times its transpose", raw),
            Step("its mean: e^2 becomes R", found),
        ),
        letter="Z",
        solves=tuple(f"mean(w, [eta*E[w], q*E[w]][{i}]*[eta*E[w], q*E[w]][{j}]) == Z[{i}, {j}]" for i, j in ENTRIES),
        setting=Setting(
            ("theta > 0",),
            {**C_AND_Q, "R": "mean(w, E[w]**2)"},
            example={**POINT, "p_w": ["1/2", "1/2"], "E": ["1", "-2"]},
            scope="every distribution of e = eps a on a finite space; one eigen-direction",
        ),
        printed=(
            Printed(
                "disp:733",
                r"\begin{pmatrix} \eta^2\mathbf{R} & \eta q\mathbf{R} \\"
                r" \eta q\mathbf{R} & q^2\mathbf{R} \end{pmatrix}",
                "lem:layer-peeled-decomposition",
                Setting(POSITIVE, C_AND_Q, example={**POINT, "R": "1"}),
            ),
        ),
        opinion=Opinion("moments", _kicked),
    )


def _kicked(v: Numbers) -> tuple[dict[str, Any], Any]:
    x, y = runs.kick(v)
    return dict(v), [[v["R"] * a * b for b in (x, y)] for a in (x, y)]


ALL = (fluctuation, noise)
