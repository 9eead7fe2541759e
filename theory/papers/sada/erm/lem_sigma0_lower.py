r"""lem:sigma0-lower: sigma_0^2 = L_0^2 d/L_l >= |H^-1/2 Q H^-1/2| d >= tr(H^-1 Q).

True; the proof writes L_0 for L_0^2 (and l for l'), with which it would be false. At a vector u: t = a.u, l = l'(a.x*).
"""

from theory.claims.statement import Faithfulness, printed, statement, step
from theory.kernel import Verdict
from theory.provers.tactics import chain, termwise

GIVEN = ("L0 > 0", "Ll > 0", "forall(w, Omega, Omega, l2[w] <= L0**2)")
EXAMPLE = {"L0": "1", "Ll": "1", "p_w": ["1"], "l2": ["1"], "t": ["1"]}
WITNESS = {**EXAMPLE, "L0": "2", "l2": ["4"]}
BOUND = "mean(w, l2[w]*t[w]**2) <= L0**2*mean(w, t[w]**2)"
SCOPE = "every distribution, every direction; l2 = l'(a.x*, b)^2"

STATEMENT = statement(
    "lem:sigma0-lower",
    printed(
        "mean(w, l2[w]*t[w]**2) <= (L0**2/Ll)*(Ll*mean(w, t[w]**2))",
        part="norm",
        given=GIVEN,
        example=EXAMPLE,
        proof=chain((BOUND, termwise("mean", index="v"))),
        scope=SCOPE,
        words="Q <= (L_0^2/L_l) H in every direction, that is |H^-1/2 Q H^-1/2| <= L_0^2/L_l = sigma_0^2/d.",
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    printed(
        "sum(i, 1, d, q[i]) <= sum(i, 1, d, top)",
        part="trace",
        given="forall(i, 1, d, q[i] <= top)",
        naturals="d",
        example={"d": "2", "q": ["1", "2"], "top": "2"},
        proof=termwise("sum"),
        words="The trace is at most d times the largest eigenvalue (q are the eigenvalues of H^-1/2 Q H^-1/2).",
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    step(
        "disp:1940",
        1,
        "mean(w, (k[w]*s[w])**2) == mean(w, k[w]**2*s[w]**2)",
        example={"p_w": ["1"], "k": ["1"], "s": ["1"]},
        words="u'Qu is the mean of (l' a.u)^2: the definition of Q.",
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    step(
        "disp:1940",
        2,
        "mean(w, l2[w]*t[w]**2) <= L0*mean(w, t[w]**2)",
        given=GIVEN,
        example=EXAMPLE,
        witness=WITNESS,
        expect=Verdict.REFUTED,
        scope=SCOPE,
        words="L_0 is printed for L_0^2: with |l'| = L_0 = 2 the left side is 4, the right one 2.",
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    step(
        "disp:1940",
        "2/repaired",
        BOUND,
        given=GIVEN,
        example=EXAMPLE,
        proof=termwise("mean", index="v"),
        faithfulness=Faithfulness.TYPO,
        repairs="lem:sigma0-lower/disp:1940.2",
        scope=SCOPE,
        words="With the square it holds.",
    ),
    step(
        "disp:1940",
        3,
        "L0*Sig == L0*(Ll*Sig)/Ll",
        given="Ll > 0",
        example={"L0": "1", "Ll": "2", "Sig": "1"},
        words="H = L_l Sigma.",
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    summary="True; its proof prints L_0 for L_0^2 twice.",
)
