"""The complexities with unlabeled data (disp:447) and with batches (disp:458), derived from the corollary.

m unlabeled samples per step: kt_m = (kt + m)/(m + 1) and R_m^2 = (R^2 + m top)/(m + 1), top the largest eigenvalue of
Sigma; the gradient noise keeps L = alpha kt and B = alpha R^2. Batches of b: n/b steps, each with noise Q/b.
"""

from __future__ import annotations

from typing import Any

from theory.claims.statement import Faithfulness, step
from theory.provers.tactics import identity

UNLABELED = ("alpha >= 1", "kt >= 1", "m >= 0", "top > 0", "R2 >= top", "R2 <= kt*top", "eta > 0", "16*eta*Rm2 <= 1")
WHERE = {"ktm": "(kt+m)/(m+1)", "Rm2": "(R2+m*top)/(m+1)"}
BATCH = ("b >= 1", "alpha >= 1", "ktb >= 1", "trQ > 0", "Ll > 0", "mu > 0", "eps > 0", "trHQ > 0")


def steps() -> tuple[Any, ...]:
    return (
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
