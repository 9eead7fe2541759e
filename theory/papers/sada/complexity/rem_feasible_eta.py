r"""rem:feasible-eta: the sample size makes the window alpha kt/(mu n^2) <~ eta <~ min{1/R^2, n eps L_l/(alpha kt tr Q)}
of step sizes nonempty.

True, for any constants c1, c2, c3 in the places of the three Theta~, once n^2 >= (c1/c2) alpha kappa kt and
n^3 >= (c1/c3) alpha^2 kt^2 tr Q/(L_l mu eps); and both conditions are needed. The doubling trick and restarts that the
remark mentions are not specified, so that there is nothing to check in them.
"""

from typing import Any

from theory.claims.statement import Faithfulness, printed, sharper, statement
from theory.papers.sada.complexity._windows import ONES, ROOTS
from theory.provers.tactics import split

LOW = "c1*alpha*kt/(mu*n**2)"
NOISE = "c3*n*eps*Ll/(alpha*kt*trQ)"
SIZES = (
    *("alpha >= 1", "kt >= 1", "mu > 0", "R2 > 0", "Ll > 0", "eps > 0", "trQ > 0", "n > 0"),
    *("c1 > 0", "c2 > 0", "c3 > 0"),
)
POINT: dict[str, Any] = {
    **{name: ONES[name] for name in ("alpha", "kt", "mu", "R2", "Ll", "eps", "trQ", "root", "cube")},
    "n": "1",
    "c1": "1",
    "c2": "1",
    "c3": "1",
}
ENOUGH = ("c2*n**2 >= c1*root**2", "c3*n**3 >= c1*cube**3")

STATEMENT = statement(
    "rem:feasible-eta",
    printed(
        f"{LOW} <= min(c2/R2, {NOISE})",
        given=(*SIZES, *ROOTS, *ENOUGH),
        example=POINT,
        proof=split(f"min(c2/R2, {NOISE})"),
        scope="c1, c2, c3 are the hidden constants; root^2 = alpha kappa kt, cube^3 = alpha^2 kt^2 tr Q/(L_l mu eps)",
        words="The window is not empty when n is of the order that the corollary asks for.",
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    sharper(
        ["c2*n**2 >= c1*root**2", "c3*n**3 >= c1*cube**3"],
        part="needed",
        given=(*SIZES, *ROOTS, "eta > 0", f"eta >= {LOW}", "eta <= c2/R2", f"eta <= {NOISE}"),
        example={**POINT, "eta": "1"},
        scope="as above",
        words="The converse: if some eta lies in the window, n is as large as the two terms say.",
    ),
    summary="The window is nonempty exactly when n exceeds the two terms, constants included.",
)
