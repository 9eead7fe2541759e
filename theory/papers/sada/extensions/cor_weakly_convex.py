r"""cor:weakly-convex: the sample complexity with mu_l' = max{mu_l, eps} and mu' = max{mu, eps}.

mu and eps have different units: the surrogate adds eps/(L_l D^2) to the spectrum of Sigma, so that
max{mu, eps/(L_l D^2)} is meant. The rate itself is that of cor:sample-complexity with other letters.
"""

from theory.claims.statement import Faithfulness, printed, repaired, statement
from theory.kernel import Verdict
from theory.papers.sada.complexity._extensions import ID, weakly_convex
from theory.provers.tactics import auto, cases

GIVEN = ("c > 0", "mu > 0", "eps > 0", "Ll > 0", "D > 0")
EXAMPLE = {"c": "1", "mu": "1/10", "eps": "1", "Ll": "1", "D": "1"}

STATEMENT = statement(
    "cor:weakly-convex",
    printed(
        "max(c**2*mu, eps) == c**2*max(mu, eps)",
        part="units of mu'",
        display="disp:438",
        given=GIVEN,
        example=EXAMPLE,
        witness={**EXAMPLE, "c": "2"},
        expect=Verdict.REFUTED,
        words="Data scaled by c and x by 1/c: mu and R^2 scale by c^2, eps stays, and max{mu, eps} is no eigenvalue.",
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    repaired(
        "max(c**2*mu, eps/(Ll*(D/c)**2)) == c**2*max(mu, eps/(Ll*D**2))",
        part="units of mu'",
        display="disp:438",
        given=GIVEN,
        example=EXAMPLE,
        proof=cases("mu - eps/(Ll*D**2)", auto(), auto()),
        faithfulness=Faithfulness.CONSTANT,
        words="max{mu, eps/(L_l D^2)} scales as mu does.",
    ),
    weakly_convex(ID),
    summary="max{mu, eps} mixes units; max{mu, eps/(L_l D^2)} is meant. The rate is that of the corollary with other"
    " letters; that the theorem holds for SADA-WC is not shown.",
)
