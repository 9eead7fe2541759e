r"""lem:var-fourth-moment: tr R^(l) <= R^2 sigma^(l-1) and tr(Sigma^-1 R^(l)) <= kt sigma^(l-1).

True as printed. Keeping the term that the proof drops gives (R^2 - mu) and (kt - 1). The last step of each line is an
equation, the definition of sigma^(l-1), and not an application of lem:var-tilde-C-l-bound.
"""

from typing import Any

from theory.claims.statement import Faithfulness, printed, sharper, statement, step
from theory.papers.sada.inner_loop._facts import added, at
from theory.papers.sada.inner_loop._layers import EXAMPLE, LAYER, SIGMA, TR_R, TR_SIGMA_R
from theory.provers.tactics import Tactic, have, termwise

ID = "lem:var-fourth-moment"
POSITIVE = "forall(i, 1, d, lam[i] > 0)"
BOUNDED = ("mu > 0", "forall(i, 1, d, lam[i] >= mu)")
ALL: dict[str, Any] = {
    "naturals": ("d", "e"),
    "example": {**EXAMPLE, "mu": "2"},
    "scope": "every dimension, every distribution, every positive semidefinite X",
}
FIRST = f"{TR_R} <= R2*sig"
SECOND = f"{TR_SIGMA_R} <= kt*sig"


def contracted(given: tuple[str, ...], family: str, bound: str, last: Tactic) -> Tactic:
    """The assumption at each v_j, added up over j: the fact that `last` may use next."""
    fact = f"sum(j, 1, e, {family}[j]) <= {bound}*sum(j, 1, e, s[j])"
    return have(fact, termwise("sum", index="k"), then=last)


def dropped(given: tuple[str, ...]) -> list[Tactic]:
    """tr R = sum f - dropped <= R2 sum s = R2 sig, and the same with the Sigma^-1-norm."""
    trace, inverse, first, second, whole = (at(given, LAYER[i]) for i in (2, 3, 4, 5, 6))
    new = len(given)
    lost = have("sum(i, 1, d, lam[i]**2*X[i]) >= 0", termwise("sum", index="k"))
    lost["then"] = added(("1", [new], ""), ("1", [new + 1], ""), modulo=[(trace, "-1"), (first, "-1"), (whole, "R2")])
    kept = have(f"{SIGMA} >= 0", termwise("sum", index="k"))
    kept["then"] = added(
        ("1", [new], ""), ("1", [new + 1], ""), modulo=[(inverse, "-1"), (second, "-1"), (whole, "kt")]
    )
    return [contracted(given, "f", "R2", lost), contracted(given, "h", "kt", kept)]


def kept(given: tuple[str, ...]) -> list[Tactic]:
    """The dropped terms are at least mu sig and exactly sig."""
    trace, inverse, first, second, whole, diagonal = (at(given, LAYER[i]) for i in (2, 3, 4, 5, 6, 1))
    new = len(given)
    lost = have(f"sum(i, 1, d, lam[i]**2*X[i]) >= mu*{SIGMA}", termwise("sum", index="k"))
    lost["then"] = added(
        ("1", [new], ""),
        ("1", [new + 1], ""),
        modulo=[(trace, "-1"), (first, "-1"), (whole, "R2"), (diagonal, "-mu")],
    )
    exact = added(("1", [new], ""), modulo=[(inverse, "-1"), (second, "-1"), (whole, "kt"), (diagonal, "-1")])
    return [contracted(given, "f", "R2", lost), contracted(given, "h", "kt", exact)]


def line(number: int, norm: str, bound: str, name: str, trace: str, lost: str) -> list[Any]:
    """The five relations of one line of disp:1433."""
    family = {"N": "f", "n": "h"}[norm]
    given = (POSITIVE, LAYER[0], f"{trace} == mean(w, {norm}[w]*x[w])-{lost}")
    drop = have(f"{lost} >= 0", termwise("sum", index="k"))
    drop["then"] = added(("1", [3], ""), modulo=[(2, "-1")])
    entries = f"{norm}[w]*(a1[w]**2*x11+2*a1[w]*a2[w]*x12+a2[w]**2*x22)"
    inner = f"mean(w, {norm}[w]*a1[w]**2)*x11+2*mean(w, {norm}[w]*a1[w]*a2[w])*x12+mean(w, {norm}[w]*a2[w]**2)*x22"
    return [
        step(
            "disp:1433",
            number,
            f"{trace} <= mean(w, {norm}[w]*x[w])",
            given=given,
            proof=drop,
            words=f"The trace with {name}; the dropped term is a sum of nonnegative terms.",
            **ALL,
            faithfulness=Faithfulness.AS_PRINTED,
        ),
        step(
            "disp:1433",
            number + 1,
            f"mean(w, {entries}) == {inner}",
            example={
                "p_w": ["1"],
                norm: ["1"],
                "a1": ["1"],
                "a2": ["2"],
                "x11": "1",
                "x12": "1",
                "x22": "2",
            },
            scope="two coordinates; the mean is linear in the entries of X, so every dimension follows pair by pair",
            words="The mean of |a|_X^2 is an inner product with X.",
            instance="d = 2",
            faithfulness=Faithfulness.AS_PRINTED,
        ),
        step(
            "disp:1433",
            number + 2,
            f"sum(j, 1, e, {family}[j]) <= {bound}*sum(j, 1, e, s[j])",
            given=(f"forall(j, 1, e, {family}[j] <= {bound}*s[j])",),
            naturals="e",
            example=EXAMPLE,
            proof=termwise("sum", index="k"),
            words="Assumption fourth-moment at each vector of X = sum v v^T.",
            faithfulness=Faithfulness.AS_PRINTED,
        ),
        step(
            "disp:1433",
            number + 3,
            f"sum(i, 1, d, {bound}*lam[i]*X[i]) == {bound}*sum(i, 1, d, 0*Z[i]+lam[i]*X[i])",
            naturals="d",
            example={**EXAMPLE, "Z": ["7"]},
            words="diag(0, Sigma) sees the lower right block only.",
            faithfulness=Faithfulness.AS_PRINTED,
        ),
        step(
            "disp:1433",
            number + 4,
            f"{bound}*{SIGMA} <= {bound}*sig",
            given=(f"sig == {SIGMA}",),
            naturals="d",
            example=EXAMPLE,
            words="An equation: the definition of sigma^(l-1), not lem:var-tilde-C-l-bound.",
            faithfulness=Faithfulness.AS_PRINTED,
        ),
    ]


GIVEN = (POSITIVE, *LAYER)
GIVEN_MU = (*BOUNDED, *LAYER)

STATEMENT = statement(
    ID,
    printed(
        [FIRST, SECOND],
        given=GIVEN,
        display="disp:1423",
        proof=dropped(GIVEN),
        words="True as printed: Assumption fourth-moment at the vectors of X, added up.",
        **ALL,
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    sharper(
        [f"{TR_R} <= (R2-mu)*sig", f"{TR_SIGMA_R} <= (kt-1)*sig"],
        given=GIVEN_MU,
        display="disp:1423",
        proof=kept(GIVEN_MU),
        words="The dropped term Sigma X Sigma is worth mu and 1: R^2 - mu and kt - 1.",
        **ALL,
    ),
    step(
        "disp:1429",
        1,
        "mean(w, P[w] @ X @ P[w].T)-S @ X @ S.T == mean(w, P[w] @ X @ P[w])-S @ X @ S",
        letters={"P": "symmetric", "S": "symmetric", "X": ""},
        words="The definition: (M - M~) X with M = E(a a^T (x) a a^T) and M~ = Sigma (x) Sigma, in any dimension.",
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    step(
        "disp:1429",
        2,
        "sum(k, 1, d, sum(l, 1, d, (ai*a[k])*Y[k, l]*(a[l]*aj)))"
        " == sum(k, 1, d, sum(l, 1, d, a[k]*Y[k, l]*a[l]))*ai*aj",
        naturals="d",
        example={"d": "2", "a": ["1", "2"], "Y": [["1", "2"], ["2", "5"]], "ai": "1", "aj": "2"},
        scope="every dimension, every entry (i, j) at every sample",
        words="Entry (i, j) of a a^T X a a^T is |a|_X^2 a_i a_j; then the mean.",
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    *(
        made
        for number, norm, bound, matrix, trace, lost in (
            (1, "N", "R2", "|a|^2", TR_R, "sum(i, 1, d, lam[i]**2*X[i])"),
            (6, "n", "kt", "the Sigma^-1-norm", TR_SIGMA_R, SIGMA),
        )
        for made in line(number, norm, bound, matrix, trace, lost)
    ),
    summary="True as printed; R^2 - mu and kt - 1 hold in the place of R^2 and kt.",
)
