"""lem:v-bound from the assumptions alone: the noise at ỹ against the noise at x*, for every dimension and distribution.

Random numbers: fy, fs, fu are the loss of a sample at ỹ, at x* and at ỹ - u, u = Sigma^-1 grad F(ỹ)/L_l; gy, gs its
derivative at ỹ and at x*; delta = ỹ - x~*. Nothing is differentiated under E: the gradient is E gy a.
"""

from __future__ import annotations

from typing import Any

from theory.claims.statement import Faithfulness, printed, repaired, sharper
from theory.papers.sada import language
from theory.papers.sada.inner_loop._tail_rows import ID, ours
from theory.papers.sada.inner_loop._variance_bound import EXAMPLE, SETTING, SIGMA, WHOLE, V
from theory.papers.sada.inner_loop._variance_of_every_size import cited
from theory.papers.sada.language import weight
from theory.provers.tactics import Tactic, cite, induct, instance, order

RANDOM = dict.fromkeys(("fy", "fs", "fu", "gy", "gs"), "real[S]")
LOSS = {
    "grad": "E(w, gy[w]*a[w])",
    "u": "(1/Ll)*(inv(Sigma) @ grad)",
    "Q": "E(w, gs[w]**2 * P[w])",
    "gap": "E(w, fy[w]) - E(w, fs[w])",
}
SMOOTH = "forall(w, sample(S), fu[w] <= fy[w] - gy[w]*(a[w].T @ u) + Ll/2*(a[w].T @ u)**2)"
LEAST = "E(w, fs[w]) <= E(w, fu[w])"
NOISE_OF = "forall(w, sample(S), eps[w] == -gy[w] + a[w].T @ delta)"
SOLVES = "Sigma @ delta == grad"
NOISE_I = "E(w, (gy[w] - gs[w])**2*(a[w].T @ a[w])) <= 2*Ll*B*gap"
NOISE = "E(w, (gy[w] - gs[w])**2*(a[w].T @ inv(Sigma) @ a[w])) <= 2*Ll*L*gap"
LARGE = "Ll > 0"
POINT: dict[str, Any] = {
    **EXAMPLE, "fy": {"1": "1", "2": "1"}, "fs": {"1": "0", "2": "0"}, "fu": {"1": "0", "2": "0"},
    "gy": {"1": "-1", "2": "-1"}, "gs": {"1": "-1", "2": "-1"}, "delta": ["0"], "Ll": "1", "L": "1", "B": "1",
}  # fmt: skip
ONE_SAMPLE: dict[str, Any] = {
    "kinds": {"a": "vector(d)[S]", "eps": "real[S]", "Sigma": "pd(d)", "delta": "vector(d)", **RANDOM},
    "where": {**{name: language.TAIL[name] for name in ("P[w]", "R", "moment")}, **LOSS},
    "example": POINT,
    "scope": language.EVERY_SIZE,
}


def gradient() -> Tactic:
    """A step of length 1/L_l along -Sigma^-1 grad, in the mean."""
    return order(
        {"of": 0, "at": {"w": "v"}, "E": {"v": "S"}, "c": [weight("2*Ll")]},
        {"of": 1, "c": [weight("2*Ll")]},
        {"eq": 3, "L": "(inv(Sigma) @ grad).T", "R": "inv(Sigma) @ grad"},
    )


def from_gradient(then: Tactic) -> Tactic:
    return cite("lem:gradient-bound", then=then, called="gradient")


def norms_agree(factor: str) -> Tactic:
    """|delta|_Sigma^2 = delta.grad = |grad|^2 in the Sigma^-1-norm, since Sigma delta = grad."""
    return order({"eq": 0, "L": "delta.T", "k": factor}, {"eq": 0, "L": "grad.T @ inv(Sigma)", "k": factor})


def noise(middle: dict[str, Any], factor: str) -> Tactic:
    """(x + y + z)^2 <= 5 x^2 + 5/2 y^2 + 5/2 z^2, weighted with |a|^2 in the norm; then the two assumptions."""
    half = weight("5/2")
    spread = "(gs[v] - 1/4*(gy[v] - gs[v] - a[v].T @ delta))"
    apart = "(gy[v] - gs[v] + a[v].T @ delta)"
    last = order(
        {"E": {"v": "S"}, **middle, "L": f"2*{spread}*a[v].T"},
        {"E": {"v": "S"}, **middle, "L": f"{apart}*a[v].T", "c": [weight("5/4")]},
        {"of": len(AT), "c": [half]},
        {"of": len(AT) + 1, "L": "delta.T", "c": [half]},
        {"of": "gradient", "c": [half, {"fact": len(AT) + 2}]},
        {"eq": AT.index(SOLVES), "L": "delta.T", "k": f"-5/2*{factor}"},
        {"eq": AT.index(SOLVES), "L": "grad.T @ inv(Sigma)", "k": f"-5/2*{factor}"},
        ops=[{"use": AT.index(NOISE_OF)}],
    )
    return from_gradient(last)


AT = (SMOOTH, LEAST, LARGE, SIGMA, NOISE_OF, SOLVES)
ASSUMED = (*SETTING, *(one for one in AT if one != SIGMA), NOISE_I, NOISE, "L >= 0", "B >= 0", "n >= 1")
LOOP: dict[str, Any] = {
    **WHOLE,
    "kinds": {**WHOLE["kinds"], "delta": "vector(d)", **RANDOM},
    "where": {**language.TAIL, **LOSS},
    "example": POINT,
    "given": ASSUMED,
    "naturals": "n",
}


def right(near: str, far: str, slope: str) -> str:
    return f"({near}*tr(inv(Sigma) @ Q) + {far}*step*kt*tr(Q))/(2*n) + {slope}*gap/(2*n)"


SHARP = right("600/7", "640/7", "40/7*Ll*(15*L + kt*(16 + 16*step*B))")
PRINTED = right("960", "2560", "160*Ll*(6*L + kt*(7 + 16*step*B))")


def centred() -> Tactic:
    """E eps a = Sigma delta - grad F(ỹ) = 0."""
    return order(
        {"eq": ASSUMED.index(SOLVES)}, {"eq": 0, "R": "delta", "k": "-1"}, ops=[{"use": ASSUMED.index(NOISE_OF)}]
    )


def from_the_noise() -> Tactic:
    """eta R^2 <= 1/16 takes the last term of tr R into that of tr(Sigma^-1 R)."""
    kappa = {"fact": ASSUMED.index("kt > 0")}
    small = {"fact": ASSUMED.index("16*step*R2 <= 1")}
    large = {"fact": ASSUMED.index(LARGE)}
    last = order(
        {"of": "in the noise"},
        {"of": "noise", "c": [weight("60/(7*n)")]},
        {"of": "noise in length", "c": [weight("64/(7*n)"), kappa, {"fact": "step"}]},
        {"of": "gap", "c": [weight("20/(7*n)"), large, kappa, small]},
    )
    last = cited("in the noise", last, discharge={str(len(SETTING)): centred()})
    last = cite("lem:noise-bound-2-norm", then=cited("gap", last), called="noise in length")
    last = cite("lem:noise-bound-Sigma-inverse", then=last, called="noise")
    return cited("kappa", cited("R2", cited("step", last)))


def from_the_layers() -> Tactic:
    """The paper's own way: without the layers as letters, for the claim is about E|v|^2 alone."""
    return cite(f"{ID}/repaired#by layers", then=order({"of": "layers"}), called="layers")


def mean_of_the_sum() -> Tactic:
    later = order({"eq": "past"}, {"eq": "state", "L": "A"}, {"eq": 0, "L": "V"}, ops=["advance"])
    later = cite("lem:layer-peeled-decomposition/disp:733.mean zero", then=later, called="state")
    return induct("t", base=order(ops=[{"use": "s[0, h]"}]), step=instance("IH", later, called="past", m="t"))


def mean_of_v() -> Tactic:
    last = order({"eq": "late", "L": "(1/n)*E1.T"}, {"eq": "early", "L": "(1/n)*E1.T", "k": "-1"})
    last = cite(f"{ID}#sum is centred", {"t": "n"}, then=last, called="early")
    return cite(f"{ID}#sum is centred", {"t": "n + n"}, then=last, called="late")


FROM_ASSUMPTIONS = (
    ours(
        "gap", "gap >= 0", "F(x*) is the least value.", **ONE_SAMPLE, given=AT[:4],
        proof=lambda claim: from_gradient(order(
            {"of": "gradient", "c": [weight("1/2")]}, {"psd": "inv(Sigma)", "L": "grad.T", "c": [weight("1/2")]},
            multiplier=[2])),
    ),
    ours(
        "R2", "R2 > 0", "R² > 0.", given=("mu > 0", "kt > 0", "kt*mu <= R2"),
        example={"mu": "1", "kt": "1", "R2": "1"}, scope="all hyperparameters", proof=None,
    ),
    ours(
        "sum is centred", "E(h, s[t, h]) == 0", "E of the sum of the states is 0.",
        **{**WHOLE, "given": language.OPTIMAL, "naturals": "t"}, proof=lambda claim: mean_of_the_sum(),
    ),
    printed(
        f"E(h, {V}) == 0", part="mean of v", faithfulness=Faithfulness.AS_PRINTED,
        words="E v = 0, for every dimension, time and distribution.",
        **{**WHOLE, "given": (language.OPTIMAL, "n >= 1"), "naturals": "n"}, proof=lambda claim: mean_of_v(),
    ),
    sharper(
        f"E(h, norm2({V}, Sigma)) <= {SHARP}", part="every distribution",
        words="E‖v‖²_Σ under the assumptions of the paper, for every dimension, T = 2n and distribution, no link:"
        " 600/7 for 960, 640/7 for 2560.",
        **LOOP, proof=lambda claim: from_the_noise(),
    ),
    repaired(
        f"E(h, norm2({V}, Sigma)) <= {PRINTED}", part="every distribution", repairs=ID, display="disp:878",
        words="The printed bound without the L_l before tr Q, under the assumptions of the paper and its standing"
        " context, for every dimension, T = 2n and distribution, without a link.",
        faithfulness=Faithfulness.TYPO,
        **LOOP, proof=lambda claim: from_the_layers(),
    ),
)  # fmt: skip
