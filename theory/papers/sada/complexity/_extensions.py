"""The complexities of weakly convex losses (disp:438), with unlabeled data (disp:447) and with batches (disp:458), from
the corollary: the same claim with other numbers in the place of alpha, mu, kt, n and the traces.

That the theorem holds for these algorithms is not shown here. SADA-WC and SADA-UD are wrong as printed.
m unlabeled samples per step: kt_m = (kt + m)/(m + 1) and R_m^2 = (R^2 + m top)/(m + 1), top the largest eigenvalue of
Sigma; the gradient noise keeps L = alpha kt and B = alpha R^2. Batches of b: n/b steps, each with noise Q/b.
"""

from __future__ import annotations

from typing import Any

from theory.claims.statement import Faithfulness, step
from theory.papers.sada.complexity._windows import ONES, SIZES
from theory.papers.sada.inner_loop._facts import added
from theory.provers.tactics import Tactic, chain, cite, identity

ID = "cor:sample-complexity"
UNLABELED = ("alpha >= 1", "kt >= 1", "m >= 0", "top > 0", "R2 >= top", "R2 <= kt*top", "eta > 0", "16*eta*Rm2 <= 1")
WHERE = {"ktm": "(kt+m)/(m+1)", "Rm2": "(R2+m*top)/(m+1)"}
BATCH = ("b >= 1", "alpha >= 1", "ktb >= 1", "trQ > 0", "Ll > 0", "mu > 0", "eps > 0", "trHQ > 0")


CHOICES = (
    *("tau > 0", "lam > 0", "d1 > 0", "d2 > 0", "F0 > 0", "e >= 0", "sa > 0", "sa**2 == alpha"),
    *("T > 0", "T**2*mu*eta == tau**2*kt"),
    "n*eps >= 3*C1*alpha*trHQ",
    "n >= 2*d2*lam*alpha**2*kt",
    "eta*mu*n**2 >= 4*d1**2*tau**2*lam**2*alpha*kt",
    "3*C2*eta*alpha*kt*trQ <= n*eps*Ll",
    "3*F0*e <= eps",
)
CHOICES_POINT = {**dict.fromkeys(("tau", "lam", "d1", "d2", "F0", "sa"), "1"), "e": "1/3", "T": "4"}
EVERY = (
    "every constant of the theorem: C1, C2, and D = d1 sqrt(alpha) + d2 alpha^2 kt/T; K = n/T, e = exp(-K/D),"
    " lam = ln(3 F0/eps), tau the logarithm in T = tau sqrt(kt/(mu eta)), sa = sqrt(alpha)"
)
WITH_M = tuple(one.replace("kt", "ktm") for one in (*SIZES, *CHOICES) if one != "n >= 2*d2*lam*alpha**2*kt")
WITH_B = (
    *(one.replace("kt", "ktb") for one in (*SIZES, *CHOICES[:11])),
    "n >= b*(2*d2*lam*alpha**2*ktb)",
    "eta*mu*n**2 >= b**2*(4*d1**2*tau**2*lam**2*alpha*ktb)",
    "3*C2*eta*alpha*ktb*trQ <= n*eps*Ll",
    "3*F0*e <= eps",
)
WEAK = tuple(
    one.replace("alpha", "(Ll/mulp)").replace("mu*", "mup*").replace("mu > 0", "mup > 0") for one in (*SIZES, *CHOICES)
)


def bound(alpha: str, kt: str) -> str:
    """What the theorem says of the excess risk, at most eps."""
    return f"F0*e+C1*{alpha}*trHQ/n+C2*{alpha}*eta*{kt}*trQ/(Ll*n) <= eps"


def weakly_convex(id_: str) -> Any:
    """disp:438, of another statement: the corollary at alpha = L_l/mu_l' and mu = mu'."""
    return step(
        "disp:438",
        1,
        ["lam*(d1*sa+d2*(Ll/mulp)**2*kt/T) <= n/T", bound("(Ll/mulp)", "kt")],
        given=("mulp > 0", *WEAK),
        example={**ONES, **CHOICES_POINT, "mulp": "1", "mup": "1"},
        proof=[cite(id_, {"alpha": "Ll/mulp", "mu": "mup"}) for _ in range(2)],
        scope=EVERY + "; alpha = L_l/mu_l', mulp is mu_l', mup is mu', trHQ is the trace with H + eps I/D^2",
        words="The sample size of cor:sample-complexity with L_ℓ/μ′_ℓ for α and μ′ for μ brings the theorem's bound"
        " below ε. That the theorem holds for SADA-WC, with the tildes of κ̃ and R² unchanged, is not shown.",
        faithfulness=Faithfulness.WEAKER,
    )


def in_batches() -> Tactic:
    """The corollary's conditions for n/b steps with noise Q/b; `first` is b > 0, after the hypotheses."""
    given = ("b >= 1", *WITH_B)
    first = len(given)
    conditions = (
        ("n/b*eps >= 3*C1*alpha*(trHQ/b)", "n*eps >= 3*C1*alpha*trHQ", [first]),
        ("n/b >= 2*d2*lam*alpha**2*ktb", WITH_B[-4], [first]),
        ("eta*mu*(n/b)**2 >= 4*d1**2*tau**2*lam**2*alpha*ktb", WITH_B[-3], [first, first]),
        ("3*C2*eta*alpha*ktb*(trQ/b) <= n/b*eps*Ll", WITH_B[-2], [first]),
    )
    shown = [(says, added(("1", [given.index(fact)], ""), multiplier=by)) for says, fact, by in conditions]
    numbers = {"kt": "ktb", "n": "n/b", "trHQ": "trHQ/b", "trQ": "trQ/b"}
    return chain("b > 0", *shown, "n/b > 0", "trHQ/b > 0", "trQ/b > 0", then=cite(ID, numbers))


def steps() -> tuple[Any, ...]:
    return (
        step(
            "disp:447",
            1,
            ["lam*(d1*sa+d2*alpha**2*kt/T) <= n/T", bound("alpha", "ktm")],
            given=("kt >= 1", *WITH_M, "n >= 2*d2*lam*alpha**2*kt"),
            where={"ktm": WHERE["ktm"]},
            naturals="m",
            example={**ONES, **CHOICES_POINT, "m": "0"},
            proof=[cite(ID, {"kt": "(kt+m)/(m+1)", "d2": "d2*kt/((kt+m)/(m+1))"}) for _ in range(2)],
            scope=EVERY.replace("kt/(mu eta)", "kt_m/(mu eta)"),
            words="For every m: samples of the order of line 447 bring the theorem's bound, with κ̃_m in the place of κ̃"
            " but for α²κ̃, below ε. That the theorem holds for SADA-UD with these constants is not shown; as printed it"
            " is unstable (alg:sada-ud).",
            faithfulness=Faithfulness.WEAKER,
        ),
        step(
            "disp:458",
            2,
            ["lam*(d1*sa+d2*alpha**2*ktb/T) <= n/b/T", bound("alpha", "ktb")],
            given=("b >= 1", *WITH_B),
            example={
                **{name: value for name, value in ONES.items() if name != "kt"},
                **CHOICES_POINT,
                "ktb": "1",
                "b": "1",
            },
            proof=[in_batches() for _ in range(2)],
            scope=EVERY.replace("K = n/T", "K = n/(b T)").replace("kt", "kt_B"),
            words="For every batch size b: n/b steps, each with noise Q/b, are the corollary's, and samples of the"
            " order of line 458 bring its bound below ε. That the theorem holds for batches is not shown.",
            faithfulness=Faithfulness.WEAKER,
        ),
        step(
            "disp:447",
            "from the corollary",
            ["ktm <= kt", "ktm*R2 <= kt*Rm2"],
            given=UNLABELED,
            where=WHERE,
            naturals="m",
            example={"alpha": "1", "kt": "1", "m": "1", "top": "1", "R2": "1", "eta": "1/16"},
            scope="R^2 <= kt lambda_max, which the smallest possible R^2 satisfies",
            words="Why alpha^2 kt keeps its kt in line 447: L and B of the gradient noise do not shrink, and both parts"
            " of L_eff = 160 (6 L + kt_m (7 + 16 eta B)) with 16 eta <= 1/R_m^2 are at most of the order alpha kt.",
            faithfulness=Faithfulness.OURS,
        ),
        step(
            "disp:458",
            "from the corollary",
            ["b*(alpha*(trHQ/b)/eps) == alpha*trHQ/eps", "(b*one)**3 == whole**3"],
            given=(
                *BATCH,
                "one**3 == alpha**2*ktb**2*(trQ/b)/(Ll*mu*eps)",
                "whole**3 == alpha**2*ktb**2*b**2*trQ/(Ll*mu*eps)",
            ),
            example=dict.fromkeys(("b", "alpha", "ktb", "trQ", "Ll", "mu", "eps", "trHQ", "one", "whole"), "1"),
            proof=[identity(), {"kind": "identity", "modulo": [[8, "b**3"], [9, "-1"]]}],
            scope="one: the cube root of the corollary for n/b steps with noise Q/b; whole: that of line 458",
            words="b times the corollary for n/b steps with noise Q/b is line 458, term by term.",
            faithfulness=Faithfulness.OURS,
        ),
    )
