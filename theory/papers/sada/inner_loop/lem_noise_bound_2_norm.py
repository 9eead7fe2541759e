r"""lem:noise-bound-2-norm: tr R <= 5 tr Q + 5 L_l (B + R^2) (F(y) - F(x*)).

True for every distribution, loss and dimension; the proof is that of lem:noise-bound-Sigma-inverse with |a|^2 in the
place of the Sigma^-1-norm, and the same family of weights serves.
"""

from typing import Any

from theory.claims.statement import Faithfulness, printed, sharper, statement, step
from theory.papers.sada.inner_loop._noise import EXAMPLE, FOURTH_I, GAP, GRADIENT, NOISE_I, SMOOTH, TR_Q, TR_R
from theory.papers.sada.inner_loop._split import WEIGHTS, any_weights, printed_weights
from theory.provers.tactics import cite

ID = "lem:noise-bound-2-norm"
ALL: dict[str, Any] = {"naturals": "d", "scope": "every dimension, every distribution, every loss"}
GIVEN = (*SMOOTH, *FOURTH_I, *NOISE_I)

STATEMENT = statement(
    ID,
    printed(
        f"{TR_R} <= 5*{TR_Q}+5*Ll*(B+R2)*{GAP}",
        given=GIVEN,
        example=EXAMPLE,
        display="disp:1320",
        proof=printed_weights("N"),
        words="True as printed, for every distribution and loss.",
        **ALL,
        links=("fresh-sample",),
        faithfulness=Faithfulness.AS_PRINTED,
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
        f"mean(w, (l1[w]-l0[w])**2*N[w]) <= 2*Ll*B*{GAP}",
        given=NOISE_I,
        example=EXAMPLE,
        words="This is Assumption gradient-noise-I at the point y.",
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    step(
        "disp:1330",
        1,
        f"R2*sum(i, 1, d, lam[i]*(g[i]/lam[i])**2) == R2*{GRADIENT}",
        given=("forall(i, 1, d, lam[i] > 0)",),
        naturals="d",
        example={"d": "1", "lam": ["2"], "g": ["1"], "R2": "1"},
        words="The Sigma-norm of Sigma^-1 grad F is the Sigma^-1-norm of grad F.",
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    step(
        "disp:1330",
        2,
        f"R2*{GRADIENT} <= 2*Ll*R2*{GAP}",
        given=GIVEN,
        example=EXAMPLE,
        proof=cite("lem:gradient-bound", then={"kind": "cone", "terms": [{"c": "1", "of": [8, 10]}]}),
        words="This is lem:gradient-bound at y.",
        **ALL,
        links=("fresh-sample",),
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    summary="True as printed, with the same family of weights.",
)
