r"""lem:L-var-monotone: X_t <= Y_t for all t implies L_var({X_t}) <= L_var({Y_t}) (PSD order, any PSD sequences).

False for every T >= 4: the weight of the block X_t in L_var is lambda*[[2 g_1 - 1, g_2], [g_2, 0]], which is indefinite
as soon as g_2 != 0, that is for every t < T. L_var can even be negative at a PSD sequence.
True is what lem:L-var-l-bound needs: if both sequences are driven, X_t = A X_{t-1} A^T + N_t from X_0 = O, and
N_t <= N'_t, then L_var({X_t}) <= L_var({Y_t}): L_var of a driven sequence is a sum of squares weighted by the noise.
"""

from theory.claims.statement import Faithfulness, printed, repaired, statement, step
from theory.kernel import Verdict
from theory.papers.sada.inner_loop._blocks import A_TRUE, HYPERPARAMETERS, ONE_EIGENVALUE
from theory.papers.sada.inner_loop._driven import CHAIN, REPAIRED
from theory.papers.sada.inner_loop._lvar import A, literal

PSD_PAIR = (
    "forall(t, 1, T, x11[t] >= 0)",
    "forall(t, 1, T, x22[t] >= 0)",
    "forall(t, 1, T, x11[t]*x22[t] >= x12[t]**2)",
    "forall(t, 1, T, y11[t] >= x11[t])",
    "forall(t, 1, T, y22[t] >= x22[t])",
    "forall(t, 1, T, (y11[t]-x11[t])*(y22[t]-x22[t]) >= (y12[t]-x12[t])**2)",
)
ZERO = ["0", "0", "0", "0"]
WITNESS = {
    "theta": "1/64",
    "mu": "1/8",
    "kt": "1",
    "lam": "1/8",
    "R2": "1",
    "T": "4",
    "x11": ZERO,
    "x12": ZERO,
    "x22": ZERO,
    "y11": ["0", "0", "1", "0"],
    "y12": ["0", "0", "-1", "0"],
    "y22": ["0", "0", "1", "0"],
}
STATEMENT = statement(
    "lem:L-var-monotone",
    printed(
        f"{literal('x')} <= {literal('y')}",
        given=(*ONE_EIGENVALUE, *PSD_PAIR),
        where={**HYPERPARAMETERS, "A": A_TRUE},
        naturals="T",
        example={**WITNESS, "y12": ZERO},
        display="disp:905",
        expect=Verdict.REFUTED,
        witness=WITNESS,
        scope="one eigenvalue (d = 1); L_var is the literal double sum of disp:888",
        words="With T = 4, X_t = O and Y_t = O except Y_3 = [[1, -1], [-1, 1]], which is PSD, L_var({Y_t}) is negative:"
        " L_var is linear but not monotone.",
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    step(
        "disp:905",
        "every T",
        "lam*(x + 2*(A @ [[x, -x/u], [-x/u, x/u**2]])[1, 1]) == -lam*x",
        given=("u > 0", "x > 0"),
        where={"A": A},
        example={"lam": "1", "x": "1", "u": "7/8", "c": "1/2", "b": "11/8"},
        words="An identity in which neither T nor L_var occurs: what the block X_{T-1} = x (1, -1/u)(1, -1/u)^T, u ="
        " 1 - eta"
        " lambda, adds to T^2/4 times L_var when it is the only one that is not zero, for T >= 4. It is negative, so"
        " that"
        " monotonicity never holds beyond T = 2.",
        faithfulness=Faithfulness.OURS,
    ),
    *CHAIN,
    repaired(
        "LvarX <= LvarW",
        display="disp:905",
        faithfulness=Faithfulness.EXTRA_HYPOTHESIS,
        words="If both sequences start at O and are driven, X_(t+1) = A X_t Aᵀ + G_t and Y_(t+1) = A Y_t Aᵀ + H_t with"
        " G_t ⪯ H_t, then L_var({X_t}) ≤ L_var({Y_t}). This is all that lem:L-var-l-bound uses.",
        **REPAIRED,
    ),
    summary="False for every T >= 4: L_var is not monotone on PSD sequences. It is monotone on driven sequences, and"
    " that"
    " is enough for lem:L-var-l-bound, whose first inequality survives with the same constant.",
)
