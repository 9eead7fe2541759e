r"""lem:fourth-moment-extension: E S^2 <= R_m^2 Sigma and E S Sigma^-1 S <= kt_m Sigma, S the mean of m + 1 samples.

True for every m: of the (m+1)^2 products m + 1 are of a sample with itself and m (m+1) of two independent ones. The
proof's last line prints kt_m^2 for kt_m. total[m, h] is the sum of a a^T over m unlabeled samples, a random recursion;
est[w, h] is the estimator with the labeled sample w beside them. lmax is a number with Sigma << lmax I.
"""

from typing import Any

from theory.claims.statement import Faithfulness, printed, statement, step
from theory.kernel import Verdict
from theory.papers.sada import language
from theory.papers.sada.inner_loop._variance_bound import FOURTH, FOURTH_KAPPA, SIGMA
from theory.provers.tactics import Tactic, cite, induct, instance, order

ID = "lem:fourth-moment-extension"
UNLABELED = {
    "kinds": {"a": "vector(d)[S]", "H": "history(S)", "Sigma": "pd(d)", "total": "matrix(d, d)[nat, H]"},
    "steps": {"total[0, h]": "O(d, d)", "total[t+1, h]": "total[t, h] + P[w]"},
}
NAMES = {
    **{name: language.TAIL[name] for name in ("P[w]", "moment")},
    "all[w, h]": "P[w] + total[m, h]",
    "est[w, h]": "(1/(m + 1))*all[w, h]",
    "R2m": "(R2 + m*lmax)/(m + 1)",
    "ktm": "(kt + m)/(m + 1)",
}
POINT: dict[str, Any] = {
    "d": "1", "m": "1", "t": "1", "p_S": ["1/2", "1/2"], "a": {"1": "1", "2": "-1"}, "Sigma": [["1"]], "R2": "1",
    "kt": "1", "lmax": "1",
}  # fmt: skip
ABOUT: dict[str, Any] = {
    **UNLABELED, "where": NAMES, "naturals": "m", "example": POINT,
    "scope": "every d, every m, every distribution with fourth moments",
}  # fmt: skip
SAMPLES: dict[str, Any] = {**ABOUT, "given": (SIGMA,), "naturals": "t"}
NORM: dict[str, Any] = {**ABOUT, "given": (SIGMA, FOURTH, "Sigma << lmax*I(d)", "lmax > 0")}
WHITE: dict[str, Any] = {**ABOUT, "given": (SIGMA, FOURTH_KAPPA)}
SQUARE, WHITE_SQUARE = "E(w, E(h, est[w, h] @ est[w, h]))", "E(w, E(h, est[w, h] @ inv(Sigma) @ est[w, h]))"
PRODUCT = "1/(m + 1)**2*E(w, E(h, all[w, h] @ all[w, h]))"
WHITE_PRODUCT = "1/(m + 1)**2*E(w, E(h, all[w, h] @ inv(Sigma) @ all[w, h]))"
APART = "1/(m + 1)*E(w, (a[w].T @ a[w])*P[w]) + m/(m + 1)*(Sigma @ Sigma)"
WHITE_APART = "1/(m + 1)*E(w, (a[w].T @ inv(Sigma) @ a[w])*P[w]) + m/(m + 1)*Sigma"
LARGEST = {"is": "m/((m + 1)*lmax)", "because": {"kind": "positive"}}
SHARE = {"is": "1/(m + 1)", "because": {"kind": "positive"}}
NORM_ITEMS: tuple[Tactic, ...] = (
    {"of": 1, "c": [SHARE]},
    {"of": 2, "L": "Sigma", "c": [LARGEST]},
    {"psd": "Sigma", "L": "lmax*I(d) - Sigma", "c": [LARGEST]},
)  # Sigma^2 <= lmax Sigma: Sigma (lmax - Sigma) Sigma and (lmax - Sigma) Sigma (lmax - Sigma) add up


def later(then: Tactic) -> Tactic:
    return instance("IH", then, called="past", m="t")


def expected() -> Tactic:
    """One sample more."""
    more = order({"eq": "past"}, {"eq": 0, "k": "-1"}, ops=["advance"])
    return induct("t", base=order(ops=[{"use": "total[0, h]"}]), step=later(more))


def squared(between: str) -> Tactic:
    """The new sample with itself, with each of the t before it, and they with it."""
    more = order(
        {"eq": "past"},
        {"eq": "mean", "R": f"{between} @ moment"},
        {"eq": "mean", "L": f"moment @ {between}"},
        {"eq": 0, "L": f"Sigma @ {between}", "k": "-t"},
        {"eq": 0, "R": f"{between} @ Sigma", "k": "-t"},
        ops=["advance"],
    )
    more = cite(f"{ID}#mean", then=more, called="mean")
    return induct("t", base=order(ops=[{"use": "total[0, h]"}]), step=later(more))


def turned(between: str) -> Tactic:
    """As if each sum were known to be symmetric."""
    more = order(
        {"eq": "past"},
        {"eq": "mean", "T": 1, "R": f"{between} @ moment"},
        {"eq": "mean", "R": f"{between} @ moment", "k": "-1"},
        {"eq": 0, "T": 1, "R": f"{between} @ moment", "k": "t"},
        {"eq": 0, "R": f"{between} @ moment", "k": "-t"},
        ops=["advance"],
    )
    more = cite(f"{ID}#mean", then=more, called="mean")
    return induct("t", base=order(ops=[{"use": "total[0, h]"}]), step=later(more))


def apart(part: str, between: str) -> Tactic:
    """The labeled sample is one more of its kind."""
    share = "1/(m + 1)**2"
    last = order(
        {"eq": "square", "k": share},
        {"eq": "mean", "L": f"moment @ {between}", "k": share},
        {"eq": "mean", "R": f"{between} @ moment", "k": share},
        {"eq": 0, "L": f"Sigma @ {between}", "k": f"-m*{share}"},
        {"eq": 0, "R": f"{between} @ Sigma", "k": f"-m*{share}"},
    )
    last = cite(f"{ID}#{part}", {"t": "m"}, then=last, called="square")
    return cite(f"{ID}#mean", {"t": "m"}, then=last, called="mean")


def whole(display: str, *items: Tactic) -> Tactic:
    last = order({"eq": "apart", "k": "-1"}, {"eq": "defined", "k": "-1"}, *items)
    last = cite(f"{ID}/disp:{display}.2", then=last, called="apart")
    return cite(f"{ID}/disp:{display}.1", then=last, called="defined")


AS_PRINTED, OURS = Faithfulness.AS_PRINTED, Faithfulness.OURS
STATEMENT = statement(
    ID,
    printed(
        "E(h, total[t, h]) == t*Sigma", part="mean", **SAMPLES, proof=lambda claim: expected(),
        words="The mean of a sum of t samples.", faithfulness=OURS,
    ),
    *(
        printed(
            f"E(h, total[t, h] @ {x} @ total[t, h]) == t*E(w, P[w] @ {x} @ P[w]) + t*(t - 1)*(Sigma @ {x} @ Sigma)",
            part=part, **SAMPLES, proof=lambda claim, x=x: squared(x),
            words="Of the t² products t are of a sample with itself.", faithfulness=OURS,
        )
        for part, x in (("square", "I(d)"), ("white square", "inv(Sigma)"))
    ),
    *(
        printed(
            f"E(h, total[t, h].T @ {x} @ total[t, h]) == E(h, total[t, h] @ {x} @ total[t, h])",
            part=f"{part}, turned", **SAMPLES, proof=lambda claim, x=x: turned(x),
            words="A sum of aaᵀ is symmetric: in the mean.", faithfulness=OURS,
        )
        for part, x in (("square", "I(d)"), ("white square", "inv(Sigma)"))
    ),
    printed(
        f"{SQUARE} << R2m*Sigma", part="R_m", display="disp:2158", **NORM, words="True for every m.",
        proof=lambda claim: whole("2168", *NORM_ITEMS), faithfulness=AS_PRINTED,
    ),
    printed(
        f"{WHITE_SQUARE} << ktm*Sigma", part="kt_m", display="disp:2158", **WHITE, words="True for every m.",
        proof=lambda claim: whole("2176", {"of": 1, "c": [SHARE]}), faithfulness=AS_PRINTED,
    ),
    step(
        "disp:2168", 1, f"{SQUARE} == {PRODUCT}", **{**ABOUT, "given": ()}, proof=lambda claim: order(),
        words="The definition of the estimator.", faithfulness=AS_PRINTED,
    ),
    step(
        "disp:2168", 2, f"{PRODUCT} == {APART}", **{**ABOUT, "given": (SIGMA,)},
        proof=lambda claim: apart("square", "I(d)"),
        words="m + 1 products of a sample with itself and m(m + 1) of two independent ones.", faithfulness=AS_PRINTED,
    ),
    step(
        "disp:2168", 3, f"{APART} << (R2 + m*lmax)/(m + 1)*Sigma", **NORM, proof=lambda claim: order(*NORM_ITEMS),
        words="Assumption fourth-moment, and Σ² ⪯ λ_max Σ.", faithfulness=AS_PRINTED,
    ),
    step(
        "disp:2168", 4, "(R2 + m*lmax)/(m + 1)*Sigma == R2m*Sigma", **NORM, proof=lambda claim: order(),
        words="R_m² by its definition.", faithfulness=AS_PRINTED,
    ),
    step(
        "disp:2176", 1, f"{WHITE_SQUARE} == {WHITE_PRODUCT}", **{**ABOUT, "given": ()}, proof=lambda claim: order(),
        words="The same with Σ⁻¹ between the factors.", faithfulness=AS_PRINTED,
    ),
    step(
        "disp:2176", 2, f"{WHITE_PRODUCT} == {WHITE_APART}", **{**ABOUT, "given": (SIGMA,)},
        proof=lambda claim: apart("white square", "inv(Sigma)"), words="ΣΣ⁻¹Σ = Σ.", faithfulness=AS_PRINTED,
    ),
    step(
        "disp:2176", 3, f"{WHITE_APART} << (kt + m)/(m + 1)*Sigma", **WHITE,
        proof=lambda claim: order({"of": 1, "c": [SHARE]}), words="Assumption fourth-moment.", faithfulness=AS_PRINTED,
    ),
    step(
        "disp:2176", 4, "(kt + m)/(m + 1)*Sigma == ktm**2*Sigma", **WHITE, witness={**POINT, "kt": "3"},
        expect=Verdict.REFUTED, words="κ̃_m² is printed for κ̃_m: with κ̃ = 3 and m = 1 it is 4 against 2.",
        faithfulness=AS_PRINTED,
    ),
    step(
        "disp:2176", "4/repaired", "(kt + m)/(m + 1)*Sigma == ktm*Sigma", **WHITE, proof=lambda claim: order(),
        faithfulness=Faithfulness.TYPO, repairs=f"{ID}/disp:2176.4", words="κ̃_m by its definition, without the square.",
    ),
    accounts={"disp:2152": "definition of the estimator of Sigma from m + 1 samples"},
    summary="True as printed for every m; the proof's last line squares kt_m by mistake.",
)  # fmt: skip
