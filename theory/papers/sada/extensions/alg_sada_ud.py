r"""alg:sada-ud: after T_0 the inner loop runs on single samples with step sizes tuned to m + 1 samples.

One dimension, a^2 = 1/p with probability p and 0 otherwise: mu = 1, R^2 = kt = 1/p, R_m^2 = kt_m = (1/p + m)/(m + 1),
eta = 1/(16 R_m^2) = theta = gamma. The second moments of (x, z) then grow in the second phase. The noise covariance of
line 2191 has + for - in its second factor.
"""

from theory.claims.statement import Faithfulness, printed, repaired, statement, step
from theory.kernel import Verdict
from theory.papers.sada.setup._noise import cone
from theory.provers.tactics import chain, termwise


def block(a2: str) -> str:
    """(x, z) -> (x, z) of one inner step without noise, eta = gamma = theta."""
    top = f"[(1-th*{a2})/(1+th), th*(1-th*{a2})/(1+th)]"
    return f"[{top}, [(th-th*{a2})/(1+th), 1-th+th*(th-th*{a2})/(1+th)]]"


ONES = "[[1, 1], [1, 1]]"
ONE_STEP = f"p*({block('(1/p)')} @ {ONES} @ {block('(1/p)')}.T) + (1-p)*({block('0')} @ {ONES} @ {block('0')}.T)"
PROBABILITY = ("p > 0", "p <= 1")


def noise(constant: str, moment: str) -> dict[str, object]:
    """The trace bound with the constants of one norm."""
    return {
        "given": (
            *("Ll > 0", "gap >= 0", f"mean(w, a[w]**2) <= 2*Ll*{constant}*gap"),
            f"mean(w, r[w]**2) <= 2*Ll*{moment}*gap",
        ),
        "example": {
            "Ll": "1",
            "gap": "1",
            constant: "1",
            moment: "1",
            "p_w": ["1"],
            "a": ["1"],
            "r": ["1"],
            "q": ["1"],
        },
        "proof": chain(
            (
                "mean(w, (a[w]+q[w]-r[w])**2) <= mean(w, 5*q[w]**2 + 5/2*a[w]**2 + 5/2*r[w]**2)",
                termwise(
                    "mean",
                    index="v",
                    each=cone(
                        {"c": "1/2", "sq": "a_v - 2*q_v"},
                        {"c": "1/2", "sq": "r_v + 2*q_v"},
                        {"c": "1", "sq": "a_v + r_v"},
                    ),
                ),
            ),
            then=cone({"c": "1", "of": [4]}, {"c": "5/2", "of": [2]}, {"c": "5/2", "of": [3]}),
        ),
        "scope": "w draws a sample and a coordinate; a + q is the gradient split at x*, r = S Sigma^-1 grad F",
    }


STATEMENT = statement(
    "alg:sada-ud",
    printed(
        f"({ONE_STEP})[1, 1] <= 1",
        where={"th": "(m+1)/(16*(1/p+m))"},
        given=PROBABILITY,
        naturals="m",
        example={"p": "1", "m": "0"},
        witness={"p": "1/1000", "m": "1000"},
        expect=Verdict.REFUTED,
        words="Not stable: with p = 1/1000 and m = 1000 each step of the second phase nearly doubles E x^2.",
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    repaired(
        f"({ONE_STEP})[1, 1] <= 1",
        where={"th": "p/16"},
        given=PROBABILITY,
        example={"p": "1/1000"},
        faithfulness=Faithfulness.ALGORITHM,
        words="With the single-sample step sizes (m = 0) in the second phase the same instance is stable for every p.",
    ),
    step(
        "disp:2191",
        1,
        "mean(w, (u[w]-v[w])*(u[w]+v[w])) == mean(w, (u[w]-v[w])**2)",
        example={"p_w": ["1"], "u": ["1"], "v": ["0"]},
        witness={"p_w": ["1"], "u": ["0"], "v": ["1"]},
        expect=Verdict.REFUTED,
        words="The printed R (second factor with +) is no covariance: it is -1 where the true one is 1.",
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    step(
        "disp:2191",
        "1/repaired",
        "mean(w, (u[w]-v[w])*(u[w]-v[w])) == mean(w, u[w]**2) - 2*mean(w, u[w]*v[w]) + mean(w, v[w]**2)",
        example={"p_w": ["1"], "u": ["1"], "v": ["0"]},
        faithfulness=Faithfulness.TYPO,
        repairs="alg:sada-ud/disp:2191.1",
        words="With - in both factors it is the second moment of the noise (and it is R, not Q).",
    ),
    step(
        "disp:2195",
        1,
        "mean(w, (a[w]+q[w]-r[w])**2) <= 5*mean(w, q[w]**2) + 5*Ll*(L+ktm)*gap",
        words="True with - in both factors: weights 5, 5/2, 5/2 on the three parts, in the Sigma^-1-norm.",
        **noise("L", "ktm"),
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    step(
        "disp:2195",
        2,
        "mean(w, (a[w]+q[w]-r[w])**2) <= 5*mean(w, q[w]**2) + 5*Ll*(B+Rm2)*gap",
        words="The same in the Euclidean norm.",
        **noise("B", "Rm2"),
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    accounts={"disp:2187": "restates the stochastic gradient of the algorithm's first phase"},
    summary="Unstable as printed after T_0; stable with single-sample step sizes there. Noise covariance: sign slip.",
)
