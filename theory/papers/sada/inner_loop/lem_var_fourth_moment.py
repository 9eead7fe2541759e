r"""lem:var-fourth-moment: tr R^(l) <= R^2 sigma^(l-1) and tr(Sigma^-1 R^(l)) <= kt sigma^(l-1).

True as printed. Keeping the term that the proof drops gives (R^2 - mu) and (kt - 1). The last step of each line is an
equation, the definition of sigma^(l-1), and not an application of lem:var-tilde-C-l-bound.
"""

from typing import Any

from theory.claims.statement import Faithfulness, printed, sharper, statement, step
from theory.papers.sada.inner_loop import _variance_bound as every
from theory.papers.sada.inner_loop._facts import added, at
from theory.papers.sada.inner_loop._layers import EXAMPLE, LAYER, SIGMA, TR_R, TR_SIGMA_R
from theory.papers.sada.inner_loop._stationary import STATIONARY, stands
from theory.provers.tactics import Tactic, cite, have, order, termwise

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
LAST = stands("l-1")  # the last hypothesis of the printed claim and of the steps of disp:1433


def of_the_layer(part: str) -> Tactic:
    """The bound for any nonnegative matrix, at the lower right block of the layer below."""
    letters = {"X": {"is": "C22[l-1]"}}
    return cite(
        "lem:v-bound#fourth moment",
        then=order({"of": part}),
        called="fourth moment",
        letters=letters,
        signs={"X": order({"of": 3, "L": "E2.T"})},
    )


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


def line(number: int, norm: str, fact: str, bound: str, drop: Tactic, trace: str) -> list[Any]:
    """The five relations of one line of disp:1433; `norm` is |a|^2 or |a|^2 in the Sigma^-1-norm."""
    mean = f"E(w, {norm}*norm2(a[w], C22[l-1]))"
    inner = f"tr(E(w, {norm}*P[w]) @ C22[l-1])"
    below = f"tr({bound}*Sigma @ C22[l-1])"
    relations = (
        (f"{trace} <= {mean}", drop, "−ΣXΣ is dropped: the trace of a product of two nonnegative matrices."),
        (f"{mean} == {inner}", order(), "The mean of |a|_X² is an inner product with X."),
        (
            f"{inner} <= {below}",
            order({"tr": [{"of": 2, "L": "E2.T"}, {"of": 0}]}),
            "Assumption fourth-moment, against X ⪰ O.",
        ),
        (f"{below} == {bound}*tr(S2 @ Cinf[l-1])", order(), "diag(O, Σ) sees the lower right block only."),
        (f"{bound}*tr(S2 @ Cinf[l-1]) <= {bound}*sigma[l-1]", order(), "An equation: the definition of σ^(ℓ−1)."),
    )
    return [
        step(
            "disp:1433",
            number + i,
            says,
            given=(fact, "l >= 1", LAST),
            proof=lambda claim, proof=proof: proof,
            words=words,
            **STATIONARY,
            faithfulness=Faithfulness.AS_PRINTED,
        )
        for i, (says, proof, words) in enumerate(relations)
    ]


GIVEN = (POSITIVE, *LAYER)
GIVEN_MU = (*BOUNDED, *LAYER)

STATEMENT = statement(
    ID,
    printed(
        ["tr(Rl[l]) <= R2*sigma[l-1]", "tr(inv(Sigma) @ Rl[l]) <= kt*sigma[l-1]"],
        given=(every.FOURTH_KAPPA, every.FOURTH, "l >= 1", LAST),
        display="disp:1423",
        proof=lambda claim: [of_the_layer("fourth moment.2"), of_the_layer("fourth moment")],
        words="True as printed, for every sequence of positive semidefinite matrices C̃_∞^(ℓ).",
        **STATIONARY,
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    printed(
        [FIRST, SECOND],
        part="in numbers",
        given=GIVEN,
        proof=dropped(GIVEN),
        words="The same with sums over eigenvalues and means over finite spaces.",
        **ALL,
        faithfulness=Faithfulness.OURS,
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
        [
            "Rl[l] == M(C22[l-1]) - Mt(C22[l-1])",
            "M(C22[l-1]) - Mt(C22[l-1]) == E(w, norm2(a[w], C22[l-1])*P[w]) - Sigma @ C22[l-1] @ Sigma",
        ],
        given=(every.SIGMA, "l >= 1"),
        proof=lambda claim: [
            order(),
            order({"eq": 0, "R": "C22[l-1] @ Sigma"}, {"eq": 0, "L": "moment @ C22[l-1]"}),
        ],
        words="The definition of R^(ℓ), with a aᵀ X a aᵀ = |a|_X² a aᵀ.",
        **STATIONARY,
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    *line(
        1,
        "norm2(a[w])",
        every.FOURTH,
        "R2",
        order({"tr": [{"L": "I(d)"}, {"of": 2, "L": "moment @ E2.T"}]}),
        "tr(Rl[l])",
    ),
    *line(
        6,
        "norm2(a[w], inv(Sigma))",
        every.FOURTH_KAPPA,
        "kt",
        order({"tr": [{"psd": "inv(Sigma)"}, {"of": 2, "L": "moment @ E2.T"}]}),
        "tr(inv(Sigma) @ Rl[l])",
    ),
    summary="True as printed; R^2 - mu and kt - 1 hold in the place of R^2 and kt.",
)
