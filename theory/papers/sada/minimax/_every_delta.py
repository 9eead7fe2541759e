"""thm:minimax-risk for every delta: F_delta(x*) and Q_delta in the mean, up to terms of the order delta, and what the
risk of every estimator comes to. A rate stands in the place of each limit.
"""

from __future__ import annotations

from typing import Any

from theory.claims.statement import Faithfulness, printed, step
from theory.kernel import Verdict
from theory.papers.sada.language import weight
from theory.papers.sada.minimax._loss import CURVED, CURVED_EXAMPLE
from theory.papers.sada.setup._noise import cone
from theory.provers.tactics import Tactic, auto, cite, have, order

# at one sample: e = epsilon, size = |epsilon|, lo = l_delta(epsilon), slo = l'_delta(epsilon); what is known of them at
# each sample is disp:2067 and disp:2070 "one sample"
MEAN: dict[str, Any] = {
    "kinds": {"a": "vector(d)[S]", **dict.fromkeys(("e", "size", "lo", "slo"), "real[S]")},
    "where": {"P[w]": "a[w] @ a[w].T", "Sigma": "E(w, P[w])", "Qdelta": "E(w, slo[w]**2*P[w])"},
    "example": {
        **CURVED_EXAMPLE, "d": "1", "p_S": ["1"], "a": {"1": "1"}, "e": {"1": "2"}, "size": {"1": "2"}, "sig2": "4",
        "lo": {"1": "7/2"}, "slo": {"1": "3"},
    },
    "scope": "every δ, every d, every distribution whose moments exist",
}  # fmt: skip
VARIANCE = "E(w, e[w]**2) == sig2"
ABOVE = "forall(w, sample(S), lo[w] >= mul*e[w]**2/2)"
BELOW = "forall(w, sample(S), lo[w] <= mul*e[w]**2/2 + (Ll - mul)*delta*size[w])"
STEEP = "forall(w, sample(S), slo[w]**2 >= mul**2*e[w]**2)"
GENTLE = "forall(w, sample(S), slo[w]**2 <= mul**2*e[w]**2 + 2*mul*(Ll - mul)*delta*size[w] + (Ll - mul)**2*delta**2)"
APART = "E(w, e[w]**2*P[w]) == sig2*Sigma"
RATE = "2*mul*(Ll - mul)*delta*E(w, size[w]*P[w]) + (Ll - mul)**2*delta**2*Sigma"
EACH = {"of": 0, "at": {"w": "v"}, "E": {"v": "S"}}
SQUARES = {"E": {"v": "S"}, "L": "a[v]", "c": [{"fact": 0, "at": {"w": "v"}}]}
IN_THE_MEAN = (
    step(
        "disp:2067", 1, "E(w, lo[w]) >= mul*sig2/2", **{**MEAN, "given": (ABOVE, VARIANCE)},
        proof=lambda claim: order(EACH, {"eq": 1, "k": "mul/2"}), faithfulness=Faithfulness.SHARPER,
        words="F_δ(x*) = E ℓ_δ(ε) by definition; for every δ it is at least μ_ℓσ²/2 …",
    ),
    step(
        "disp:2067", 2, "E(w, lo[w]) <= mul*sig2/2 + (Ll - mul)*delta*E(w, size[w])",
        **{**MEAN, "given": (BELOW, VARIANCE)}, proof=lambda claim: order(EACH, {"eq": 1, "k": "-mul/2"}),
        faithfulness=Faithfulness.SHARPER,
        words="… and at most that plus (L_ℓ − μ_ℓ) δ E|ε|: a rate in the place of the limit δ → 0.",
    ),
    step(
        "disp:2070", 1, "mul**2*E(w, e[w]**2*P[w]) << Qdelta", **{**MEAN, "given": (STEEP,)},
        proof=lambda claim: order(SQUARES), faithfulness=Faithfulness.SHARPER,
        words="For every δ Q_δ is at least E(μ_ℓε)²aaᵀ …",
    ),
    step(
        "disp:2070", 2, f"Qdelta << mul**2*E(w, e[w]**2*P[w]) + {RATE}", **{**MEAN, "given": (GENTLE,)},
        proof=lambda claim: order(SQUARES), faithfulness=Faithfulness.SHARPER,
        words="… and at most that plus terms of the order δ: a rate in the place of the limit.",
    ),
    step(
        "disp:2070", 3, "mul**2*E(w, e[w]**2*P[w]) == mul**2*Sigma", **{**MEAN, "given": (APART,)},
        witness=MEAN["example"], expect=Verdict.REFUTED, faithfulness=Faithfulness.AS_PRINTED,
        words="σ² is missing: the limit is μ_ℓ²σ²Σ.",
    ),
    step(
        "disp:2070", "3/repaired", "mul**2*E(w, e[w]**2*P[w]) == mul**2*sig2*Sigma", **{**MEAN, "given": (APART,)},
        proof=lambda claim: order({"eq": 0, "k": "mul**2"}), faithfulness=Faithfulness.CONSTANT,
        repairs="thm:minimax-risk/disp:2070.3", words="With σ²; ε is independent of a.",
    ),
)  # fmt: skip

# every estimator: s is a training sample, F[s] the risk of the estimate at x* (o); x = (L_l - mu_l) delta. Theorem 1 of
# Mourtada (2022) is about a supremum over x*, which need not be attained: for every tau > 0 it gives an x* with
# MOURTADA
TRAINED: dict[str, Any] = {
    "kinds": {**MEAN["kinds"], "guess": "vector(d)[N]", "F": "real[N]", "o": "vector(d)", "Sigma": "pd(d)"},
    "where": {
        "P[w]": "a[w] @ a[w].T", "moment": "E(w, P[w])", "Qdelta": "E(w, slo[w]**2*P[w])", "alpha": "Ll/mul",
        "x": "(Ll - mul)*delta", "minimum": "E(w, lo[w])", "trHQ": "tr(inv(Sigma) @ Qdelta)/Ll",
        "risk": "(E(s, F[s]) - minimum)",
    },
    "naturals": ("n", "d"),
    "example": {
        **MEAN["example"], "delta": "1/48", "sig": "2", "n": "4", "Sigma": [["1"]], "lo": {"1": "2"}, "slo": {"1": "2"},
        "guess": {"1": "2"}, "o": ["0"], "F": {"1": "4"}, "p_N": ["1"], "tau": "0",
    },
    "scope": "every n >= d + 2, every d, every estimator, every small δ, every τ >= 0, at an x* that depends on τ",
    "links": ("mourtada", "l-delta"),
}  # fmt: skip
STRONG = "forall(s, sample(N), F[s] >= mul/2*norm2(guess[s] - o, Sigma) + mul*sig**2/2)"
MOURTADA = "(n - d - 1)*E(s, norm2(guess[s] - o, Sigma)) >= sig**2*d - tau"
SQUARE = "forall(w, sample(S), size[w]**2 == e[w]**2)"
SECOND = "E(w, e[w]**2) == sig**2"
GIVEN = (
    *CURVED, "d >= 1", "n - d - 1 > 0", "sig > 0", "tau >= 0", "Sigma == moment", STRONG, MOURTADA, SQUARE, SECOND,
    BELOW, GENTLE, "E(w, e[w]**2*P[w]) == sig**2*moment", "E(w, size[w]*P[w]) == E(w, size[w])*moment",
)  # fmt: skip
SMALL_DELTA = "3*n**2*x <= mul*sig"
GAP = "mul*sig**2*d*(d+1)/(2*n*(n-d-1))"
SHORT = "mul*tau/(2*(n-d-1))"  # what is short of the supremum over x*
LOST = "(x*sig*(1 + d/n) + d*x**2/(2*n*mul))"


def at(fact: str) -> int:
    return GIVEN.index(fact)


def found(text: str) -> Tactic:
    """A number that the provers show to be nonnegative."""
    return {"is": text, "because": auto()}


def mean_size() -> Tactic:
    """2 sigma |e| <= sigma^2 + e^2 in the mean."""
    return order(
        {"E": {"v": "S"}, "L": "size[v] - sig", "c": [weight("1/2")]},
        {"eq": 1, "at": {"w": "v"}, "E": {"v": "S"}, "k": "-1/2"},
        {"eq": 2, "k": "-1/2"},
        multiplier=[0],
    )


def with_a_rate() -> Tactic:
    """The lemma with the exact mean, F_delta(x*) and Q_delta up to terms of the order delta."""
    share = "1/(2*n*mul)"
    last = order(
        {"of": at(STRONG), "at": {"s": "v"}, "E": {"v": "N"}},
        {"of": at(MOURTADA), "c": [found("mul/(2*(n-d-1))")]},
        {"of": at(BELOW), "at": {"w": "v"}, "E": {"v": "S"}},
        {"eq": at(SECOND), "k": "-mul/2"},
        {"of": "mean size", "c": [found("x*(1 + d/n)")]},
        {"tr": [{"psd": "inv(Sigma)"}, {"of": "rate"}], "c": [weight(share)]},
        {"eq": len(GIVEN) - 2, "L": "inv(Sigma)", "tr": 1, "k": f"-mul**2*{share}"},
        {"eq": len(GIVEN) - 1, "L": "inv(Sigma)", "tr": 1, "k": f"-2*mul*x*{share}"},
        {"eq": at("Sigma == moment"), "L": "inv(Sigma)", "tr": 1,
         "k": f"(mul**2*sig**2 + 2*mul*x*E(w, size[w]) + x**2)*{share}"},
    )  # fmt: skip
    last = cite("thm:minimax-risk/disp:2070.2", then=last, called="rate")
    return have("n > 0", then=cite("thm:minimax-risk#mean size", then=last, called="mean size"))


def small_enough(then: Tactic) -> Tactic:
    """The gap outweighs what delta costs: the facts "rate" and "small"."""
    then = cite("thm:minimax-risk/sharper#explicit delta", {"rho": "x/(mul*sig)"}, then=then, called="small")
    return cite("thm:minimax-risk/disp:2074.1/repaired", then=then, called="rate")


def strictly() -> list[Tactic]:
    """The bound with what an estimator may gain, and that what is left of it is positive."""
    small = len(GIVEN) + 3  # after SMALL_DELTA, d >= 1 and "rate"
    gap = cone({"c": "1", "of": [at("mul > 0"), at("sig > 0"), at("sig > 0"), small]})
    return [cite("thm:minimax-risk/disp:2074.1/repaired", then=order({"of": "rate"}), called="rate"), small_enough(gap)]


FOR_EVERY_DELTA = (
    printed(
        "E(w, size[w]) <= sig", part="mean size", kinds={"size": "real[S]", "e": "real[S]"},
        given=("sig > 0", SQUARE, SECOND), scope="every distribution whose moments exist",
        example={"sig": "2", "p_S": ["1"], "e": {"1": "2"}, "size": {"1": "2"}},
        proof=lambda claim: mean_size(), faithfulness=Faithfulness.OURS, words="E|ε| ≤ σ.",
    ),
    step(
        "disp:2074", "1/repaired", f"risk - alpha*trHQ/(2*n) >= {GAP} - {LOST} - {SHORT}", **TRAINED, given=GIVEN,
        proof=lambda claim: with_a_rate(), faithfulness=Faithfulness.CONSTANT,
        repairs="thm:minimax-risk/disp:2074.1",
        words="For every estimator, every δ and every τ > 0 there is an x* with this bound, given Theorem 1 of Mourtada"
        " (2022); then let τ → 0. What the exact inverse-Wishart mean gives, up to terms of the order δ: a rate in the"
        " place of the limit.",
    ),
)  # fmt: skip
