r"""rem:examples: Gaussian data allow kappa = 3 tr Sigma/mu and kt = 3 d; sub-Gaussian data 16 sigma_a^4 for the 3.

It is added that kappa >= kt and that in the worst case tr Sigma/mu = kappa(Sigma) kt. The constants are right (for
Gaussian data kt = d + 2 suffices). The last equation never holds with kt = 3 d: tr Sigma/mu is at most kappa(Sigma) d,
which is what lines 316 and 344 say.
"""

from theory.claims.statement import Faithfulness, printed, repaired, sharper, statement
from theory.kernel import Verdict
from theory.papers.sada.setup._noise import cone
from theory.provers.tactics import chain, count, order, termwise

SPECTRUM = ("mu > 0", "kS >= 1", "d >= 1", "forall(i, 1, d, lam[i] >= mu)", "forall(i, 1, d, lam[i] <= kS*mu)")
FLAT = {"mu": "1", "kS": "1", "d": "2", "lam": ["1", "1"]}
TRACE = "sum(i, 1, d, lam[i])"
COUNT = ("sum(i, 1, d, 1) == d", count())
TRACE_IS_SMALL = (f"{TRACE} <= kS*mu*sum(i, 1, d, 1)", termwise("sum", index="j"))
HALF = {"is": "1/2", "because": {"kind": "positive"}}

STATEMENT = statement(
    "rem:examples",
    printed(
        "2*lam**2 + trace*lam <= R2*lam",
        part="Gaussian R2",
        given=("mu > 0", "lam >= mu", "rest >= 0"),
        where={"trace": "lam + rest", "R2": "mu*(3*trace/mu)"},
        example={"mu": "1", "lam": "1", "rest": "0"},
        scope="every eigenvalue lambda; E |a|^2 a a^T = 2 Sigma^2 + tr(Sigma) Sigma for Gaussian data (Isserlis)",
        words="kappa = 3 tr Sigma/mu satisfies the first condition for Gaussian data.",
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    printed(
        "(d + 2)*lam <= 3*d*lam",
        part="Gaussian kt",
        given=("lam > 0", "d >= 1"),
        naturals="d",
        example={"lam": "1", "d": "1"},
        scope="every eigenvalue lambda; E |a|_{Sigma^-1}^2 a a^T = (d + 2) Sigma for Gaussian data (Isserlis)",
        words="kt = 3 d satisfies the second condition for Gaussian data.",
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    sharper(
        ["2*lam**2 + trace*lam <= (trace + 2*top)*lam", "trace + 2*top <= 3*trace"],
        part="Gaussian R2",
        given=("lam > 0", "top >= lam", "rest >= 0"),
        where={"trace": "top + rest"},
        example={"lam": "1", "top": "1", "rest": "0"},
        scope="every eigenvalue lambda <= lambda_max = top",
        words="R^2 = tr Sigma + 2 lambda_max suffices, and kt = d + 2 does: the conditions above are then equalities.",
    ),
    printed(
        f"3*{TRACE}/mu >= 3*d",
        part="kappa at least kt",
        given=SPECTRUM,
        naturals="d",
        example=FLAT,
        proof=chain(
            COUNT,
            (f"{TRACE} >= mu*sum(i, 1, d, 1)", termwise("sum", index="j")),
            then=cone({"c": "3", "of": [6]}, multiplier=(0,), modulo=((5, "3*mu"),)),
        ),
        scope="every dimension, every spectrum",
        words="kappa >= kt for Gaussian data, because every eigenvalue is at least mu.",
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    printed(
        "E(w, x[w]**2*y[w]**2) <= 16*s4",
        part="sub-Gaussian",
        kinds={"x": "real[S]", "y": "real[S]"},
        given=("E(w, x[w]**4) <= 16*s4", "E(w, y[w]**4) <= 16*s4"),
        example={"s4": "1", "p_S": ["1"], "x": {"1": "1"}, "y": {"1": "1"}},
        proof=lambda claim: order(
            {"E": {"v": "S"}, "L": "x[v]**2 - y[v]**2", "c": [HALF]}, {"of": 0, "c": [HALF]}, {"of": 1, "c": [HALF]}
        ),
        scope="x and y are components of Sigma^{-1/2} a in unit directions; E x^4 <= 16 sigma_a^4 is the sub-Gaussian"
        " moment bound (8 int t^3 exp(-t^2/(2 sigma_a^2)) dt); summing over d directions, or lambda_i times them, gives"
        " 16 sigma_a^4 d and 16 sigma_a^4 tr Sigma",
        words="The sub-Gaussian constants follow from E x^4 <= 16 sigma_a^4 by Cauchy-Schwarz.",
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    printed(
        f"{TRACE}/mu == kS*(3*d)",
        part="worst case",
        given=SPECTRUM,
        naturals="d",
        example=FLAT,
        witness=FLAT,
        expect=Verdict.REFUTED,
        scope="kt = 3 d as in the same remark",
        words="tr Sigma/mu = kappa(Sigma) kt never holds: the left side is at most kappa(Sigma) d = kappa(Sigma) kt/3.",
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    repaired(
        f"{TRACE}/mu <= kS*d",
        part="worst case",
        faithfulness=Faithfulness.CONSTANT,
        given=SPECTRUM,
        naturals="d",
        example=FLAT,
        proof=chain(COUNT, TRACE_IS_SMALL, then=cone({"c": "1", "of": [6]}, multiplier=(0,), modulo=((5, "-kS*mu"),))),
        scope="every dimension, every spectrum",
        words="tr Sigma/mu <= kappa(Sigma) d, with equality only when every eigenvalue is the largest.",
    ),
    summary="The constants hold; the worst case is kappa(Sigma) d, not kappa(Sigma) kt.",
)
