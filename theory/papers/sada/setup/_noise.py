"""The gradient noise l'(a.x, b) - l'(a.x*, b) under Assumptions l-condition and fourth-moment, for every dimension.

x and o = x* are vectors, a a random one; fx, fs are the loss of a sample at x and at x*, gx, gs its derivative there.
Of the loss is used: |l'(a.x) - l'(a.x*)| <= L_l |a.(x - x*)|, and mu_l-strong convexity at x*, at each sample.
"""

from __future__ import annotations

from typing import Any

from theory.claims.statement import Faithfulness, Statement, printed, statement, step
from theory.papers.sada import language
from theory.provers.tactics import Tactic, cite, order

NOTIONS = {
    **{name: language.TAIL[name] for name in ("P[w]", "moment")},
    "t[w]": "a[w].T @ (x - o)",
    "gap": "E(w, fx[w]) - E(w, fs[w])",
    "alpha": "Ll/mul",
}
KINDS = {"a": "vector(d)[S]", "Sigma": "pd(d)", "x": "vector(d)", "o": "vector(d)",
         **dict.fromkeys(("fx", "fs", "gx", "gs"), "real[S]")}  # fmt: skip
LIPSCHITZ = "forall(w, sample(S), (gx[w] - gs[w])**2 <= Ll**2*t[w]**2)"
CONVEX = "forall(w, sample(S), fx[w] >= fs[w] + gs[w]*t[w] + mul/2*t[w]**2)"
CURVED = ("mul > 0", "Ll >= mul", LIPSCHITZ, CONVEX, "E(w, gs[w]*a[w]) == 0", "Sigma == moment")
NORMS = {"R2": "(a[w].T @ a[w])", "kt": "(a[w].T @ inv(Sigma) @ a[w])"}


def cone(*terms: dict[str, Any], multiplier: tuple[int, ...] = (), modulo: tuple[tuple[int, str], ...] = ()) -> Tactic:
    """A certificate that is written out: the difference is this combination of facts and squares."""
    return {"kind": "cone", "terms": list(terms), "multiplier": list(multiplier), "modulo": [list(m) for m in modulo]}


def about(constant: str) -> dict[str, Any]:
    """Hypotheses and declarations, with the fourth-moment condition in the norm whose constant is named."""
    return {
        "kinds": KINDS,
        "where": NOTIONS,
        "given": (*CURVED, f"E(w, {NORMS[constant]}*P[w]) << {constant}*Sigma", f"{constant} > 0"),
        "example": {
            "d": "1", "p_S": ["1"], "a": {"1": "1"}, "Sigma": [["1"]], "x": ["1"], "o": ["0"], "mul": "1", "Ll": "2",
            "fx": {"1": "1"}, "fs": {"1": "0"}, "gx": {"1": "1"}, "gs": {"1": "0"}, constant: "1",
        },
        "scope": "every d, every x, every loss, every distribution whose moments exist",
    }  # fmt: skip


def left(constant: str) -> str:
    return f"E(w, (gx[w] - gs[w])**2*{NORMS[constant]})"


def smooth(constant: str) -> dict[str, Any]:
    """The Lipschitz condition at each sample, times |a|^2."""
    norm = {"psd": "inv(Sigma)"} if constant == "kt" else {}
    return {"E": {"v": "S"}, **norm, "L": "a[v].T", "c": [{"fact": 2, "at": {"w": "v"}}]}


FOURTH = {"of": 6, "L": "(x - o).T", "c": [{"sq": "Ll"}]}


def convex(constant: str) -> tuple[dict[str, Any], ...]:
    """F is mu_l-strongly convex in the norm of Sigma, and grad F(x*) = 0."""
    weight = f"2*Ll**2*{constant}/mul"
    return (
        {"of": 3, "at": {"w": "v"}, "E": {"v": "S"}, "c": [{"is": weight, "because": {"kind": "positive"}}]},
        {"eq": 4, "L": "(x - o).T", "k": weight},
        {"eq": 5, "L": "(x - o).T", "R": "(x - o)", "k": f"-Ll**2*{constant}"},
    )


def verification(id_: str, constant: str, statement_display: str, proof_display: str, norm: str) -> Statement:
    """Both verification lemmas: in the norm that is meant, with its fourth-moment constant."""
    weighted = f"Ll**2*E(w, t[w]**2*{NORMS[constant]})"
    distance, end = f"Ll**2*{constant}*norm2(x - o, Sigma)", f"2*Ll*alpha*{constant}*gap"
    as_printed = {**about(constant), "faithfulness": Faithfulness.AS_PRINTED}
    lines: tuple[tuple[str, Tactic, str], ...] = (
        (f"{left(constant)} <= {weighted}", order(smooth(constant)),
         "|ℓ′(a·x) − ℓ′(a·x*)| ≤ L_ℓ|a·(x − x*)| at each sample."),
        (f"{weighted} <= {distance}", order(FOURTH), f"Assumption fourth-moment at x − x*, {norm}."),
        (f"{distance} <= {end}", order(*convex(constant)),
         "F is μ_ℓ-strongly convex in the Σ-norm and ∇F(x*) = 0; α = L_ℓ/μ_ℓ."),
    )  # fmt: skip
    whole = order(smooth(constant), FOURTH, *convex(constant))
    return statement(
        id_,
        printed(
            f"{left(constant)} <= {end}", display=statement_display, proof=lambda claim: whole,
            words="True: smoothness at each sample, then the fourth moment, then strong convexity.", **as_printed,
        ),
        *(
            step(proof_display, number, says, proof=lambda claim, made=made: made, words=words, **as_printed)
            for number, (says, made, words) in enumerate(lines, start=1)
        ),
        summary="True as printed, for every distribution and every loss.",
    )  # fmt: skip


def repeated(id_: str) -> Tactic:
    return cite(id_, then=order({"of": "lemma"}), called="lemma")
