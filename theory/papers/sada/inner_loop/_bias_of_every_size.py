"""lem:bias-bound for every dimension and distribution: one step from any state, then t steps of the run.

`bias` is eta_t^bias = (x_t, y_t) with x~_+* as the origin, `total` the sum of its states, z_t what x_t + theta z_t =
(1 + theta) y_t defines (disp:1562). With w = theta y + (1 - theta) z and x - y = theta (y - z), one step loses

    eta^2 (R^2 Sigma - E|a|^2 P), theta gamma (kt Sigma - E|a|_{Sigma^-1}^2 P),
    (2 eta - eta^2 R^2 - theta gamma kt) Sigma

in y, (1 - theta) theta^2 in y - z in both norms, and theta |y|^2 - theta^2/gamma |y|_{Sigma^-1}^2 >= 0.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from theory.claims.statement import Faithfulness, repaired, sharper
from theory.papers.sada import language
from theory.papers.sada.inner_loop._tail_rows import ours
from theory.papers.sada.inner_loop._variance_bound import CHOICE, FOURTH, FOURTH_KAPPA, LOW, SIGMA
from theory.papers.sada.language import weight
from theory.provers.tactics import Tactic, chain, cite, induct, instance, order

ID = "lem:bias-bound"
SIZES = ("theta > 0", "theta <= 1", "gam > 0", "mu > 0", "theta <= gam*mu", "step**2*R2 + theta*gam*kt <= 2*step")
MOMENTS = (SIGMA, LOW, FOURTH, FOURTH_KAPPA)
WIDE = (*MOMENTS, *SIZES)
CHOSEN = (*MOMENTS, *CHOICE[:6])  # the choice of lines 549-570; c and q are notions here
THETA, BELOW_1, GAM, MU, WIDER, ROOM = ({"fact": len(MOMENTS) + i} for i in range(6))
SAMPLE = {"a": "vector(d)[S]", "Sigma": "pd(d)"}
PLAIN = {name: language.TAIL[name] for name in ("P[w]", "moment")}
WHERE = {
    "c": "(1 - theta)/(1 + theta)",
    "q": "(step + theta*gam)/(1 + theta)",
    **{name: language.TAIL[name] for name in ("P[w]", "moment", "Ahat[w]", "E1", "E2")},
    "x[t, h]": "E1.T @ bias[t, h]",
    "y[t, h]": "E2.T @ bias[t, h]",
    "z[t, h]": "(1/theta)*((1 + theta)*y[t, h] - x[t, h])",
    "energy[t]": "E(h, norm2(x[t, h]) + theta/gam*norm2(z[t, h], inv(Sigma)))",
    "start": "(norm2(delta) + theta/gam*norm2(delta, inv(Sigma)))",
}
STEPS = {
    "bias[0, h]": "[[delta], [delta]]",
    "bias[t+1, h]": "Ahat[w] @ bias[t, h]",
    "total[0, h]": "O(2*d, 1)",
    "total[t+1, h]": "total[t, h] + Ahat[w] @ bias[t, h]",
}
POINT: dict[str, Any] = {
    **dict.fromkeys(("d", "t", "T", "n", "m", "mu", "R2", "kt"), "1"), "theta": "1/32", "gam": "1/32", "step": "1/64",
    "a": {"1": "1", "2": "-1"}, "p_S": ["1/2", "1/2"], "Sigma": [["1"]], "delta": ["1"],
}  # fmt: skip
RUN: dict[str, Any] = {
    "kinds": {
        **SAMPLE, "H": "history(S)", "delta": "vector(d)", "bias": "vector(2*d)[nat, H]",
        "total": "vector(2*d)[nat, H]",
    },
    "where": WHERE,
    "steps": STEPS,
    "example": POINT,
    "scope": language.EVERY_SIZE,
}  # fmt: skip
STATE: dict[str, Any] = {
    "kinds": {**SAMPLE, "x": "vector(d)", "z": "vector(d)"},
    "where": {
        **PLAIN, "y": "(1/(1 + theta))*(x + theta*z)", "next_x[w]": "y - step*(P[w] @ y)",
        "next_z[w]": "theta*y + (1 - theta)*z - gam*(P[w] @ y)",
    },
    "example": {**POINT, "x": ["1"], "z": ["1"]},
    "scope": "every d, every distribution whose moments exist, every state",
}  # fmt: skip
ONE_STEP = (
    "E(w, norm2(next_x[w]) + theta/gam*norm2(next_z[w], inv(Sigma)))"
    " <= (1 - theta)*(norm2(x) + theta/gam*norm2(z, inv(Sigma)))"
)


PER_GAM = weight("1/gam")


def contracts(y: str, z: str, mean: Mapping[str, str], *ops: str) -> Tactic:
    """What one step loses; the two equations put Sigma for E a a^T."""
    apart, pressed = f"({y} - {z}).T", f"inv(Sigma) @ {y}"
    parts: tuple[dict[str, Any], ...] = (
        {"of": 2, "c": [{"sq": "step"}], "L": f"{y}.T"},
        {"of": 3, "c": [THETA, GAM], "L": f"{y}.T"},
        {"psd": "Sigma", "c": [ROOM], "L": f"{y}.T"},
        {"c": [BELOW_1, THETA, THETA], "L": apart},
        {"psd": "inv(Sigma)", "c": [BELOW_1, THETA, THETA, PER_GAM], "L": apart},
        {"psd": "inv(Sigma)", "c": [WIDER, THETA, PER_GAM], "L": f"{y}.T"},
        {"of": 1, "c": [THETA, MU], "L": f"({pressed}).T"},
        {"c": [THETA], "L": f"({y} - mu*({pressed})).T"},
        {"eq": 0, "L": f"2*step*{y}.T", "R": y, "k": "-1"},
        {"eq": 0, "L": f"2*theta*(theta*{y} + (1 - theta)*{z}).T @ inv(Sigma)", "R": y, "k": "-1"},
    )
    return order(*({**part, "E": dict(mean)} for part in parts), ops=ops)


def decays() -> Tactic:
    later = cite(f"{ID}#step of the run", then=order({"of": "r"}, {"of": "past", "c": [BELOW_1]}), called="r")
    first = order(ops=[{"use": "bias[0, h]"}])
    return induct("t", base=first, step=instance("IH", later, called="past", m="t"))


def from_the_choice(then: Tactic) -> Tactic:
    """theta <= 1/16, gamma mu = theta, eta^2 R^2 <= eta/16 and theta gamma kt = eta/16."""
    facts = cite(f"{ID}#room", then=chain("theta <= 1", "gam > 0", "theta <= gam*mu", then=then))
    momentum = {"c": WHERE["c"], "q": WHERE["q"]}
    return cite("lem:v-bound#kappa", then=cite("lem:v-bound#theta", momentum, then=facts))


def power(index: str) -> str:
    return f"(1 - theta)**({index})"


def position() -> Tactic:
    whole = order({"of": "decay"}, {"psd": "inv(Sigma)", "E": {"g": "H"}, "L": "z[t, g].T", "c": [THETA, PER_GAM]})
    return cite(f"{ID}/sharper#every distribution", then=whole, called="decay")


EVERY_SIZE = (
    ours(
        "room", "step**2*R2 + theta*gam*kt <= 2*step", "The choice of step sizes gives more than one step needs.",
        given=("kt >= 1", *CHOICE[:5]), scope="all hyperparameters of lines 549-570",
        example={name: POINT[name] for name in ("kt", "mu", "theta", "step", "gam", "R2")},
        proof=lambda claim: chain("step > 0", "step**2*R2 <= step/16", "theta*gam*kt == step/16"),
    ),
    ours(
        "one step", ONE_STEP, "One step from any state, for every distribution: step sizes as in the sharper bound.",
        **STATE, given=WIDE, proof=lambda claim: contracts("y", "z", {}),
    ),
    ours(
        "one step with the choice", ONE_STEP, "The same with the paper's choice of η, γ and θ.",
        **STATE, given=CHOSEN, proof=lambda claim: from_the_choice(cite(f"{ID}#one step")),
    ),
    ours(
        "step of the run", "energy[t+1] <= (1 - theta)*energy[t]",
        "The expected energy of η_t^bias shrinks by 1 − θ in every step: the sample is fresh.",
        **RUN, given=WIDE, naturals="t",
        proof=lambda claim: contracts("y[t, g]", "z[t, g]", {"g": "H"}, "advance"),
    ),
    sharper(
        f"energy[t] <= {power('t')}*start", part="every distribution",
        words="t steps, for every dimension and distribution, without a link: γμ ≥ θ and η²R² + θγκ̃ ≤ 2η suffice.",
        **RUN, given=WIDE, naturals="t", proof=lambda claim: decays(),
    ),
    repaired(
        f"energy[T] <= {power('T')}*start", part="every distribution", repairs=ID, display="disp:1570",
        words="The lemma with θ/γ for θ/(2γ), for the process η_t^bias of eq:def-eta, for every dimension, T and"
        " distribution, without a link.",
        faithfulness=Faithfulness.CONSTANT, **RUN, given=CHOSEN, naturals="T",
        proof=lambda claim: from_the_choice(cite(f"{ID}/sharper#every distribution", {"t": "T"})),
    ),
    ours(
        "start", "start >= 0", "The energy of the start is nonnegative.", **RUN, given=WIDE,
        proof=lambda claim: order({"L": "delta.T"}, {"psd": "inv(Sigma)", "L": "delta.T", "c": [THETA, PER_GAM]}),
    ),
    ours(
        "position", f"E(h, norm2(x[t, h])) <= {power('t')}*start", "x_t alone.", **RUN, given=WIDE, naturals="t",
        proof=lambda claim: position(),
    ),
)  # fmt: skip
