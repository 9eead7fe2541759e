r"""lem:L-var-monotone: X_t <= Y_t for all t implies L_var({X_t}) <= L_var({Y_t}) (PSD order, any PSD sequences).

False for every T >= 4: the weight of the block X_t in L_var is lambda*[[2 g_1 - 1, g_2], [g_2, 0]], which is indefinite
as soon as g_2 != 0, that is for every t < T. L_var can even be negative at a PSD sequence.
True is what lem:L-var-l-bound needs: if both sequences are driven, X_t = A X_{t-1} A^T + N_t from X_0 = O, and
N_t <= N'_t, then L_var({X_t}) <= L_var({Y_t}): L_var of a driven sequence is a sum of squares weighted by the noise.
"""

from theory.claims.statement import Faithfulness, printed, repaired, statement, step
from theory.kernel import Verdict
from theory.papers.sada.inner_loop._blocks import A_TRUE, HYPERPARAMETERS, ONE_EIGENVALUE
from theory.papers.sada.inner_loop._lvar import NOISE, A, backward, form, literal, total
from theory.provers.tactics import Tactic, auto, cases, cite, have, induction

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
DRIVEN = backward("w[j]**2")
ARBITRARY_A = {
    "c": "1/2",
    "u": "7/8",
    "b": "11/8",
    "eta": "1/8",
    "q": "1/8",
    "x11": "1",
    "x12": "0",
    "x22": "1",
    "n": "1",
    "w": ["1/8", "1/8"],
}
STATE = "[s1, s2, s3, s4, s5, s6, s7]"
FORWARD = "iterate(s, n, [0, 0, 0, 1], [({x})[1, 1], ({x})[1, 2], ({x})[2, 2], s[4] + 1])".replace(
    "{x}", f"{A} @ [[s[1], s[2]], [s[2], s[3]]] @ ({A}).T + w[s[4]]**2*{NOISE}"
)


def strictly(on: str, zero: Tactic, positive: Tactic | None = None) -> Tactic:
    """Cases on >= 0 and < 0."""
    return {**cases(on, zero, positive or auto()), "strict": True}


FORM_IS_NONNEGATIVE = strictly(
    "-p", have("r12 <= 0", strictly("-r12", auto()), then=have("r12 >= 0", strictly("r12", auto())))
)

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
        words="For every T >= 4 and all parameters: the sequence whose only nonzero block is X_{T-1} = x (1,"
        " -1/u)(1, -1/u)^T,"
        " u = 1 - eta lambda, has L_var = -4 lambda x/T^2 < 0, so monotonicity never holds beyond T = 2.",
        faithfulness=Faithfulness.OURS,
    ),
    step(
        "disp:905",
        "form",
        "p*a**2 + 2*r12*a*d + r*d**2 >= 0",
        given=("p >= 0", "r >= 0", "p*r >= r12**2"),
        example={"p": "1", "r": "1", "r12": "1", "a": "1", "d": "-1"},
        proof=FORM_IS_NONNEGATIVE,
        words="A 2x2 matrix with nonnegative principal minors has a nonnegative quadratic form.",
        faithfulness=Faithfulness.OURS,
    ),
    step(
        "disp:905",
        "sum of squares",
        f"{total('e')} >= {form('e')}",
        given=("c > 0", "u > 0"),
        where={"e": DRIVEN},
        naturals="n",
        example=ARBITRARY_A,
        proof=induction(
            "n",
            {"s": DRIVEN},
            ["s7 + (2*s4-1)*s1 + 2*s5*s2 >= s4**2*s1 + 2*s4*s5*s2 + s5**2*s3"],
            step=[
                {
                    "kind": "cone",
                    "terms": [{"c": "1", "of": [2]}, {"c": "1", "sq": f"w[{STATE}[6]]*(s4*eta + s5*q)"}],
                }
            ],
        ),
        scope="every T, every eigenvalue, every sequence of noise weights w_t^2",
        words="For a driven sequence L_m is g X_{m+1} g^T plus a sum of w_t^2 (g_t (eta, q)^T)^2: each step back in"
        " time adds"
        " one square.",
        instance="one eigenvalue of Σ",
        faithfulness=Faithfulness.OURS,
    ),
    step(
        "disp:905",
        "driven blocks",
        ["f[1] >= 0", "f[3] >= 0", "f[1]*f[3] >= f[2]**2"],
        where={"f": FORWARD},
        naturals="n",
        example={**ARBITRARY_A, "n": "2"},
        proof=[
            induction(
                "n",
                {"s": FORWARD},
                ["s1 >= 0", "s3 >= 0", "s1*s3 >= s2**2"],
                step=[
                    auto(),
                    cite(
                        "lem:L-var-monotone/disp:905.form",
                        {"p": "s1", "r": "s3", "r12": "s2", "a": "-c", "d": "b"},
                        then={
                            "kind": "cone",
                            "terms": [{"c": "1", "of": [3]}, {"c": "1", "sq": "w[[s1, s2, s3, s4][4]]*q"}],
                        },
                    ),
                    cite(
                        "lem:L-var-monotone/disp:905.form",
                        {"p": "s1", "r": "s3", "r12": "s2", "a": "-c*eta", "d": "b*eta-q*u"},
                        then={
                            "kind": "cone",
                            "terms": [
                                {"c": "1", "of": [3], "sq": "w[[s1, s2, s3, s4][4]]"},
                                {"c": "1", "of": [2], "sq": "c*u"},
                            ],
                        },
                    ),
                ],
            )
        ]
        * 3,
        scope="every T, every eigenvalue",
        words="The blocks of a driven sequence that starts at O stay PSD.",
        instance="one eigenvalue of Σ",
        faithfulness=Faithfulness.OURS,
    ),
    repaired(
        f"4*lam/(2*n+2)**2*({total('e')}) >= 0",
        faithfulness=Faithfulness.EXTRA_HYPOTHESIS,
        given=("c > 0", "u > 0", "lam > 0", "e[1] >= 0", "e[3] >= 0", "e[1]*e[3] >= e[2]**2"),
        where={"e": DRIVEN},
        naturals="n",
        example={**ARBITRARY_A, "lam": "1"},
        display="disp:905",
        proof=cite(
            "lem:L-var-monotone/disp:905.sum of squares",
            then=cite(
                "lem:L-var-monotone/disp:905.form",
                {
                    "p": f"{DRIVEN}[1]",
                    "r": f"{DRIVEN}[3]",
                    "r12": f"{DRIVEN}[2]",
                    "a": f"{DRIVEN}[4]",
                    "d": f"{DRIVEN}[5]",
                },
                then=have(f"{total(DRIVEN)} >= 0"),
            ),
        ),
        scope="every T = 2n + 2, every eigenvalue; e is the difference of the two sequences, which L_var is linear in",
        words="If both sequences are driven by noise, Y_t - X_t = A (Y_{t-1} - X_{t-1}) A^T + w_t^2 (eta, q)(eta,"
        " q)^T with the"
        " block at T/2 + 1 PSD, then L_var({Y_t}) - L_var({X_t}) >= 0. This is all that lem:L-var-l-bound uses.",
        instance="one eigenvalue of Σ",
    ),
    step(
        "disp:905",
        "positive map",
        "mean(w, (P[w]-mean(w, P[w])) @ X @ (P[w]-mean(w, P[w]))) == mean(w, P[w] @ X @ P[w]) - mean(w, P[w]) @ X @"
        " mean(w, P[w])",
        letters={"P": "symmetric", "X": "symmetric"},
        scope="every dimension, every distribution",
        words="(M - M~) X = E (a a^T - Sigma) X (a a^T - Sigma): a positive map, so the noise of layer l grows with"
        " layer l-1"
        " and C~_t^(l) is driven by less noise than Pi_t(R^(l)).",
        faithfulness=Faithfulness.OURS,
    ),
    summary="False for every T >= 4: L_var is not monotone on PSD sequences. It is monotone on driven sequences, and"
    " that"
    " is enough for lem:L-var-l-bound, whose first inequality survives with the same constant.",
)
