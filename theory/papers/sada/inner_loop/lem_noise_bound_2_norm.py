r"""lem:noise-bound-2-norm: tr R <= 5 tr Q + 5 L_l (B + R^2) (F(y) - F(x*)).

True for every distribution, loss and dimension; the proof is that of lem:noise-bound-Sigma-inverse with |a|^2 in the
place of the Sigma^-1-norm, and the same family of weights serves.
"""

from typing import Any

from theory.claims.statement import Faithfulness, printed, sharper, statement, step
from theory.papers.sada.inner_loop import _noise_of_every_size as every
from theory.papers.sada.inner_loop._noise import EXAMPLE, FOURTH_I, GAP, NOISE_I, SMOOTH, TR_Q, TR_R
from theory.papers.sada.inner_loop._split import WEIGHTS, any_weights, printed_weights
from theory.papers.sada.inner_loop._variance_bound import FOURTH
from theory.provers.tactics import order

ID = "lem:noise-bound-2-norm"
ALL: dict[str, Any] = {"naturals": "d", "scope": "every dimension, every distribution, every loss"}
GIVEN = (*SMOOTH, *FOURTH_I, *NOISE_I)

AT_A_POINT: dict[str, Any] = {
    "kinds": {**dict.fromkeys(("ell", "dl"), "real[vector(d), S]"), "a": "vector(d)[S]",
              **dict.fromkeys(("o", "y"), "vector(d)")},
    "where": {"F(v)": "E(w, ell[v, w])"},
    "given": "forall(v, vector(d), E(w, (dl[v, w] - dl[o, w])**2*(a[w].T @ a[w])) <= 2*Ll*B*(F(v) - F(o)))",
    "example": {"d": "1", "p_S": ["1"], "a": {"1": "1"}, "ell": {"1": {"of": "x", "is": "x[1]**2/2"}}, "o": ["0"],
                "dl": {"1": {"of": "x", "is": "x[1]"}}, "y": ["1"], "Ll": "1", "B": "1"},
    "scope": "every d, every loss, every distribution whose moments exist",
}  # fmt: skip

STATEMENT = statement(
    ID,
    printed(
        "tr(R) <= 5*tr(Q) + 5*Ll*(B + R2)*gap",
        given=(*every.AT, every.NOISE_I, FOURTH, "R2 > 0"),
        display="disp:1320",
        proof=lambda claim: every.noise({}, "R2"),
        words="True as printed, for every distribution and loss; Assumption l-condition is used, through"
        " lem:gradient-bound,"
        " though it is not named.",
        **every.ONE_SAMPLE,
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    printed(
        f"{TR_R} <= 5*{TR_Q}+5*Ll*(B+R2)*{GAP}",
        part="in numbers",
        given=GIVEN,
        example=EXAMPLE,
        proof=printed_weights("N"),
        words="The same with means over finite spaces.",
        **ALL,
        links=("fresh-sample",),
        faithfulness=Faithfulness.OURS,
    ),
    sharper(
        f"{TR_R} <= {TR_Q}/x+2*Ll*(B/y+R2/z)*{GAP}",
        given=(*GIVEN, *WEIGHTS),
        example={**EXAMPLE, "x": "1/2", "y": "1/4", "z": "1/4"},
        display="disp:1320",
        proof=any_weights("N"),
        words="A whole family, one bound for each x + y + z <= 1; the factor of tr Q may be near 1.",
        **ALL,
        links=("fresh-sample",),
    ),
    step(
        "disp:1326",
        1,
        "E(w, (dl[y, w] - dl[o, w])**2*norm2(a[w])) <= 2*Ll*B*(F(y) - F(o))",
        **AT_A_POINT,
        proof=lambda claim: order({"of": 0, "at": {"v": "y"}}),
        words="Assumption gradient-noise-I, which holds at every point, at ỹ.",
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    step(
        "disp:1330",
        1,
        "R2*norm2(delta, Sigma) == R2*norm2(grad, inv(Sigma))",
        given=every.SOLVES,
        proof=lambda claim: every.norms_agree("R2"),
        words="ỹ − x̃₊* = Σ⁻¹∇F(ỹ), so that its Σ-norm is the Σ⁻¹-norm of ∇F(ỹ).",
        **every.ONE_SAMPLE,
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    step(
        "disp:1330",
        2,
        "R2*norm2(grad, inv(Sigma)) <= 2*Ll*R2*gap",
        given=(*every.AT[:4], "R2 > 0"),
        proof=lambda claim: every.from_gradient(order({"of": "gradient", "c": [{"fact": 4}]})),
        words="This is lem:gradient-bound at ỹ.",
        **every.ONE_SAMPLE,
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    summary="True as printed, with the same family of weights.",
)
