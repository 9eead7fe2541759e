r"""lem:v-L-var: E|v|_Sigma^2 = L_var({C_t}), with C_t = E eta_t^var (eta_t^var)^T.

True. Checked by brute force: for T = 4 both sides are summed over all sample paths of an arbitrary finite-support
design, and for one design in two dimensions whose noise covariance does not commute with Sigma. The proof prints
E(eta_s eta_t) without the transpose. In the text before, psi_t is said to lie in R^{2d x 2d} (R^{2d} is meant).
"""

from typing import Any

from theory.claims.statement import Faithfulness, printed, statement, step
from theory.kernel import Verdict
from theory.papers.sada.inner_loop._paths import (
    EXAMPLE,
    GIVEN,
    SCOPE,
    average,
    centred,
    expected,
    iterates,
    two_dimensional_paths,
    two_dimensions,
)

PATHS: dict[str, Any] = {
    "given": GIVEN,
    "space": {"K": ("1", "2")},
    "naturals": "K",
    "example": EXAMPLE,
    "scope": SCOPE,
}
(X3, Y3), (X4, Y4) = iterates(4)[3:]
F, G = average("j", "f[j]"), average("j", "g[j]")
C3 = {"11": expected(3, f"{X3}**2"), "12": expected(3, f"{X3}*{Y3}"), "22": expected(3, f"{Y3}**2")}
LATER = {"11": expected(4, f"{X4}*{X3}"), "12": expected(4, f"{X4}*{Y3}")}
LATER |= {"21": expected(4, f"{Y4}*{X3}"), "22": expected(4, f"{Y4}*{Y3}")}
TOWER = expected(3, f"{average('i4', X4)}*{Y3}")
NEW_X = average("i", f"f[i]*Y + {centred('zx', 'i')}")
NEW_Y = average("i", f"g[i]*Y - c*X + {centred('zy', 'i')}")
LEFT = expected(4, f"(({X3} + {X4})/2)**2")
# the pairs s, t in {3, 4}: C_3, C_4, A C_3 and C_3 A^T; the first row of A is (0, mean f)
RIGHT = f"4/4**2*({C3['11']} + {expected(4, f'{X4}**2')} + 2*{F}*{C3['12']})"
(P3, Q3), (P4, _) = iterates(4, f="u", g="b")[3:]
PSI: dict[str, Any] = {
    "given": GIVEN,
    "space": {"K": ("1", "2")},
    "naturals": "K",
    "example": {**EXAMPLE, "u": "7/8", "b": "5/4"},
}
# two vectors as matrices with a second column of zeros
COLUMNS = {"e": "[[e1, 0], [e2, 0]]", "h": "[[h1, 0], [h2, 0]]"}
COLUMNS_POINT = {"e1": "1", "e2": "1", "h1": "1", "h2": "0"}

STATEMENT = statement(
    "lem:v-L-var",
    printed(
        f"lam*{LEFT} == lam*{RIGHT}",
        display="disp:913",
        **{**PATHS, "example": {**EXAMPLE, "lam": "1"}},
        words="For T = 4 the mean of v^2 over all paths is the double sum of L_var.",
        instance="T = 4, d = 1",
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    step(
        "disp:913",
        "two dimensions",
        f"{two_dimensional_paths()} == 4/4**2*tr(S @ (C3 + C4 + A @ C3 + C3 @ A.T))",
        where=two_dimensions(),
        scope="one design in two dimensions, T = 4, all 81 paths; R does not commute with Sigma",
        words="Exactly, path by path, with C_t from its recursion (disp:733).",
        instance="T = 4, d = 2, one design",
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    step(
        "disp:919",
        1,
        "([v1, v2].T @ [[s11, s12], [s12, s22]] @ [v1, v2])[1] == tr([[s11, s12], [s12, s22]] @ ([v1, v2] @ [v1,"
        " v2].T))",
        example={"v1": "1", "v2": "2", "s11": "1", "s12": "0", "s22": "1"},
        words="The Sigma-norm as an inner product with diag(Sigma, O).",
        instance="d = 2",
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    step(
        "disp:919",
        2,
        "(e + h) @ (e + h).T == e @ e + e @ h + h @ e + h @ h",
        where=COLUMNS,
        example=COLUMNS_POINT,
        witness=COLUMNS_POINT,
        expect=Verdict.REFUTED,
        scope="two vectors of length 2, written as matrices with a column of zeros",
        words="E(eta_s eta_t) lacks the transpose: a product of two columns is not defined, and no padding makes it"
        " right.",
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    step(
        "disp:919",
        "2/repaired",
        "(e + h) @ (e + h).T == e @ e.T + e @ h.T + h @ e.T + h @ h.T",
        letters={"e": "", "h": ""},
        faithfulness=Faithfulness.TYPO,
        repairs="lem:v-L-var/disp:919.2",
        scope="every dimension; two times s, t",
        words="With the transpose it is the expansion of the square.",
        instance="two times s, t",
    ),
    step(
        "disp:919",
        3,
        [
            f"{LATER['11']} == {F}*{C3['12']}",
            f"{LATER['12']} == {F}*{C3['22']}",
            f"{LATER['21']} == {G}*{C3['12']} - c*{C3['11']}",
            f"{LATER['22']} == {G}*{C3['22']} - c*{C3['12']}",
        ],
        **PATHS,
        words="(a): all four entries of E eta_4 eta_3^T are those of A C_3.",
        instance="s = 4, t = 3, d = 1",
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    step(
        "disp:936",
        1,
        f"{LATER['12']} == {TOWER}",
        **PATHS,
        words="First the mean over the new sample, then over the past.",
        instance="s = 4, t = 3, d = 1",
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    step(
        "disp:936",
        2,
        [f"{NEW_X} == {F}*Y", f"{NEW_Y} == {G}*Y - c*X"],
        **{**PATHS, "example": {**EXAMPLE, "X": "1", "Y": "1"}},
        words="The mean over the new sample is A applied to the past.",
        instance="d = 1",
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    step(
        "disp:936",
        3,
        f"{TOWER} == {F}*{C3['22']}",
        **PATHS,
        words="So that the whole is an entry of A C_t.",
        instance="s = 4, t = 3, d = 1",
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    step(
        "disp:948",
        1,
        f"{expected(4, f'(({P3} + {P4})/2)**2')} == 4/4**2*({expected(3, f'{P3}**2')} + {expected(4, f'{P4}**2')}"
        f" + 2*u*{expected(3, f'{P3}*{Q3}')})",
        **PSI,
        scope="one eigenvalue, T = 4, every noise with finite support and mean zero (Gaussian is not needed)",
        words="The same for the dynamics psi_t with the matrix A = [[0, u], [-c, b]] without sampling.",
        instance="T = 4, d = 1",
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    accounts={
        "disp:706": "definition of R",
        "disp:729": "definition of C_t",
        "disp:942": "definition of psi_t, a vector of R^{2d} (R^{2d x 2d} is printed)",
    },
    summary="True, path by path; a transpose is missing in its proof.",
)
