"""lem:r-bound for every dimension and distribution: the sum of the tail, r, and the rule for T. T = 2n.

With m states in the tail, |s + x|^2 <= (1 + 1/m)|s|^2 + (1 + m)|x|^2 and m theta (1-theta)^m <= 1 - (1-theta)^m give

    E|x_(n+1) + ... + x_(n+m)|^2 <= m^2 (1-theta)^n (1 + (1-theta)^m)/2 (|delta|^2 + theta/gamma |delta|_{Sigma^-1}^2).

delta = ỹ - x~_+* solves Sigma delta = grad F(ỹ); kS is a number with Sigma << kS mu I.
"""

from __future__ import annotations

from typing import Any

from theory.claims.statement import Faithfulness, repaired, sharper, step
from theory.papers.sada.inner_loop._bias_of_every_size import (
    CHOSEN,
    MU,
    PER_GAM,
    POINT,
    RUN,
    WIDE,
    WIDER,
    from_the_choice,
    power,
)
from theory.papers.sada.inner_loop._bias_of_every_size import ID as BIAS
from theory.papers.sada.inner_loop._tail_rows import ours
from theory.papers.sada.language import weight
from theory.papers.sada.setup.rem_hyperparameters import DECAY, EXPONENTIAL
from theory.provers.tactics import Tactic, chain, cite, have, induct, instance, order

ID = "lem:r-bound"
BETWEEN = ("theta > 0", "theta <= 1")
SOLVES = "Sigma @ delta == grad"
HIGH = "Sigma << kS*mu*I(d)"
ENDS = (HIGH, "kS >= 1", SOLVES, "n >= 1")
RULE = (DECAY[3], "thK > 0", "thk >= thK", "alpha >= 1", "12*alpha*thk**2 <= 1")
GRADIENT = "norm2(grad, inv(Sigma))"
NUMBERS = {name: value for name, value in POINT.items() if isinstance(value, str)}
LONG: dict[str, Any] = {
    **POINT, "theta": "1/16", "gam": "1/16", "step": "1/16", "n": "80", "kS": "1", "thK": "1/4", "thk": "1/4",
    "alpha": "1", "grad": ["1"],
}  # fmt: skip
WHOLE: dict[str, Any] = {**RUN, "kinds": {**RUN["kinds"], "grad": "vector(d)"}, "example": LONG, "naturals": "n"}


def tail(m: str, h: str = "h") -> str:
    return f"(E1.T @ (total[n+{m}, {h}] - total[n, {h}]))"


R = f"(1/n)*{tail('n')}"
EXPLICIT = f"kS*{power('n')}*(1 + {power('n')})"


def numbers(part: str, says: str, words: str, naturals: Any, proof: Tactic) -> Any:
    return ours(
        part, says, words, given=BETWEEN, naturals=naturals, example=NUMBERS, scope="every exponent",
        proof=lambda claim: proof,
    )  # fmt: skip


def later(step: Tactic) -> Tactic:
    return instance("IH", step, called="past", m="t")


def bernoulli() -> Tactic:
    whole = order({"of": "past"}, {"of": "power", "c": [{"fact": 0}, {"fact": 0}, weight("t + 1")]})
    return induct("t", base=order(), step=later(cite(f"{ID}#power", then=whole, called="power")))


def one_more() -> Tactic:
    tiny = [weight("(m + 1)/2"), {"fact": "power"}]
    last = order(
        {"of": "past", "c": [weight("(m + 1)/m")]},
        {"of": "position", "c": [weight("m + 1")]},
        {"E": {"g": "H"}, "L": f"({tail('m', 'g')} - m*(E1.T @ bias[n+m+1, g])).T", "c": [weight("1/m")]},
        {"eq": "product", "k": "-(m + 1)*(1 - theta)*start"},
        {"of": "start", "c": [*tiny, {"fact": "bernoulli"}]},
        {"of": "start", "c": [*tiny, {"fact": "late power"}, weight("theta")]},
        ops=["advance"],
    )
    last = cite(f"{ID}#power", {"t": "m"}, then=last, called="late power")
    last = cite(f"{ID}#bernoulli", {"t": "m"}, then=last, called="bernoulli")
    last = cite(f"{ID}#product", {"t": "m"}, then=last, called="product")
    last = cite(f"{BIAS}#position", {"t": "n+m+1"}, then=last, called="position")
    return instance("IH", last, called="past", b="m")


def tail_is_short() -> Tactic:
    first = order({"of": "position"}, {"of": "start", "c": [{"fact": "power"}, weight("theta/2")]}, ops=["advance"])
    first = cite(f"{BIAS}#position", {"t": "n+1"}, then=first, called="position")
    whole = induct("m", start="1", base=first, step=one_more(), **{"as": "b"})
    whole = cite(f"{ID}#power", {"t": "n"}, then=whole, called="power")
    return cite(f"{BIAS}#start", then=whole, called="start")


def start_in_the_gradient() -> Tactic:
    """Sigma >> mu, so Sigma^-1 << 1/mu: twice |delta|^2 in the norm of Sigma covers both terms."""
    solved = len(WIDE)
    return order(
        {"of": 1, "L": "delta.T", "c": [weight("2")]},
        {"c": [MU], "L": "(delta - mu*(inv(Sigma) @ delta)).T"},
        {"of": 1, "c": [MU, MU], "L": "(inv(Sigma) @ delta).T"},
        {"psd": "inv(Sigma)", "c": [MU, WIDER, PER_GAM], "L": "delta.T"},
        {"eq": solved, "L": "2*delta.T", "k": "-1"},
        {"eq": solved, "L": "2*grad.T @ inv(Sigma)", "k": "-1"},
    )


def averaged() -> Tactic:
    high = len(WIDE)
    kappa = weight("kS")
    decay = {"fact": "power"}
    last = order(
        {"of": high, "E": {"g": "H"}, "L": f"{tail('n', 'g')}.T", "c": [weight("1/n**2")]},
        {"of": "tail", "c": [kappa, MU, weight("1/n**2")]},
        {"of": "gradient", "c": [weight("1/2"), kappa, decay]},
        {"of": "gradient", "c": [weight("1/2"), kappa, decay, decay]},
    )
    last = cite(f"{ID}#power", {"t": "n"}, then=last, called="power")
    last = cite(f"{ID}#start in the gradient", then=last, called="gradient")
    return cite(f"{ID}#tail", {"m": "n"}, then=last, called="tail")


def by_the_energy_at_the_start() -> Tactic:
    """(1 + (1-theta)^n)/2 <= 1 in the bound on the tail."""
    kappa, decay = weight("kS"), {"fact": "power"}
    last = order(
        {"of": len(WIDE), "E": {"g": "H"}, "L": f"{tail('n', 'g')}.T", "c": [weight("1/n**2")]},
        {"of": "tail", "c": [kappa, MU, weight("1/n**2")]},
        {"of": "start", "c": [weight("1/2"), kappa, MU, decay, {"fact": "below"}]},
    )
    last = cite(f"{BIAS}#start", then=last, called="start")
    below = have(f"{power('n')} <= 1", chain("n*theta >= 0", f"{power('n')}*(n*theta) >= 0"), then=last)
    last = cite(f"{ID}#bernoulli", {"t": "n"}, then={**below, "called": "below"}, called="bernoulli")
    last = cite(f"{ID}#power", {"t": "n"}, then=last, called="power")
    return cite(f"{ID}#tail", {"m": "n"}, then=last, called="tail")


def ruled(times: str = "6") -> Tactic:
    """kappa (3/2) (1-theta)^n <= theta_K^2/4 <= 1/48 (with 12 for 6 half of it), hence (1-theta)^n <= 1/2."""
    facts = chain("thk**2 >= thK**2", "12*thk**2 <= 1", f"{power('n')} <= kS*{power('n')}", f"2*{power('n')} <= 1")
    last = cite(f"{ID}#power", {"t": "n"}, then=chain(f"{times}*kS*{power('n')} <= thK**2", then=facts))
    return cite(EXPONENTIAL, then=last)


def printed_bound(rule: str) -> Tactic:
    last = order({"of": "explicit"}, {"psd": "inv(Sigma)", "L": "grad.T", "c": [{"fact": "rule"}]})
    last = cite(f"{ID}#{rule}", then=last, called="rule")
    return from_the_choice(cite(f"{ID}/sharper#every distribution", then=last, called="explicit"))


def five_is_enough() -> Tactic:
    """5 kappa (1-theta)^n <= theta_K^2, so (1-theta)^n <= 1/4."""
    decay = power("n")
    facts = chain(
        f"5*kS*{decay} <= thK**2", "thk**2 >= thK**2", "12*thk**2 <= 1", f"{decay} <= kS*{decay}", f"4*{decay} <= 1"
    )
    return cite(EXPONENTIAL, then=cite(f"{ID}#power", {"t": "n"}, then=facts))


def every_length() -> Tactic:
    """The run with h_k starts at h_k Sigma^-1 grad F(ỹ): it is h_k times the run with 1."""
    length = weight("1/hk**2")
    same = {"eq": len(CHOSEN) + len(ENDS) + len(RULE) + 1, "k": f"1/(8*alpha)*{GRADIENT}"}
    last = order({"of": "explicit", "c": [length]}, {"psd": "inv(Sigma)", "L": "grad.T", "c": [{"fact": "rule"}]}, same)
    last = cite(f"{ID}#rule", then=last, called="rule")
    scaled = {"grad": {"is": "hk*grad"}}
    return from_the_choice(cite(f"{ID}/sharper#every distribution", then=last, called="explicit", letters=scaled))


NUMBERS_OF_THE_RULE: dict[str, Any] = {
    "naturals": "n", "scope": "T = 2n", "example": {k: value for k, value in LONG.items() if isinstance(value, str)},
}  # fmt: skip
BELOW_1 = ("kS >= 1", "theta > 0", "theta < 1")
TWELVE = ("12*kS*exp(-theta*n) <= thK**2", *RULE[1:])
FIVE = ("5*kS*exp(-theta*n) <= thK**2", *RULE[1:])
PRINTED = f"E(h, norm2({R}, Sigma)) <= Ll/(8*alpha)*{GRADIENT}"
CHOICE: dict[str, Any] = {**WHOLE, "where": {**WHOLE["where"], "Ll": "2*alpha*thk**2"}}

OF_EVERY_SIZE = (
    numbers(
        "power", f"{power('t')} >= 0", "Powers of 1 − θ are nonnegative.", "t",
        induct("t", step=later(have("(1 - theta)*(1 - theta)**t >= 0"))),
    ),
    numbers(
        "product", f"{power('n+t')} == {power('n')}*{power('t')}", "Exponents add up.", ("n", "t"),
        induct("t", base=order(), step=later(order({"eq": "past", "k": "1 - theta"}))),
    ),
    numbers("bernoulli", f"{power('t')}*(1 + t*theta) <= 1", "(1 − θ)^t ≤ 1/(1 + tθ).", "t", bernoulli()),
    ours(
        "tail", f"E(h, norm2({tail('m')})) <= m**2/2*{power('n')}*(1 + {power('m')})*start",
        "The sum of m states after the first n.",
        **{**RUN, "naturals": ("n", "m")}, given=(*WIDE, "m >= 1"), proof=lambda claim: tail_is_short(),
    ),
    ours(
        "start in the gradient", f"mu*start <= 2*{GRADIENT}", "The energy of the start against the gradient at ỹ.",
        **{**WHOLE, "naturals": ()}, given=(*WIDE, SOLVES), proof=lambda claim: start_in_the_gradient(),
    ),
    sharper(
        f"E(h, norm2({R}, Sigma)) <= {EXPLICIT}*{GRADIENT}", part="every distribution", display="disp:1541",
        words="For every dimension, T = 2n and distribution, without a rule for T and without a link.",
        **WHOLE, given=(*WIDE, *ENDS), proof=lambda claim: averaged(),
    ),
    step(
        "disp:1640", "1/repaired", f"E(h, norm2({R}, Sigma)) <= kS*mu*{power('n')}*start", repairs=f"{ID}/disp:1640.1",
        words="With (1−θ)^(T/2), and θ/γ for θ/(2γ); κ(Σ)μ is at least λ_max.", faithfulness=Faithfulness.CONSTANT,
        **WHOLE, given=(*WIDE, *ENDS), proof=lambda claim: by_the_energy_at_the_start(),
    ),
    ours(
        "rule", f"{EXPLICIT} <= thk**2/4", "What the repaired rule for T gives.",
        given=(*BELOW_1, *RULE), **NUMBERS_OF_THE_RULE, proof=lambda claim: ruled(),
    ),
    ours(
        "rule with 5", f"{EXPLICIT} <= thk**2/4", "The same with 5 for 6 in the rule.",
        given=(*BELOW_1, *FIVE), **NUMBERS_OF_THE_RULE, proof=lambda claim: five_is_enough(),
    ),
    repaired(
        PRINTED, part="every distribution", repairs=ID, display="disp:1541",
        words="With T ≥ 8 √(κ̃/(μη)) ln(6κ(Σ)/θ̃_K²), for the r of def:r-v with h_k = 1, so that L_ℓ stands for"
        " L_ℓ h_k = 2αθ̃_k²; for every dimension, T = 2n and distribution, without a link.",
        faithfulness=Faithfulness.CONSTANT, **CHOICE, given=(*CHOSEN, *ENDS, *RULE),
        proof=lambda claim: printed_bound("rule"),
    ),
    sharper(
        PRINTED, part="5 for 6, every distribution", display="disp:1541",
        words="ln(5κ(Σ)/θ̃_K²) in the rule for T is enough, for every dimension, T = 2n and distribution.",
        **CHOICE, given=(*CHOSEN, *ENDS, *FIVE), proof=lambda claim: printed_bound("rule with 5"),
    ),
    ours(
        "rule with 12", f"{EXPLICIT} <= thk**2/8", "Half of it, with 12 for 6 in the rule.",
        given=(*BELOW_1, *TWELVE), **{**NUMBERS_OF_THE_RULE, "example": {**NUMBERS_OF_THE_RULE["example"], "n": "96"}},
        proof=lambda claim: ruled("12"),
    ),
    ours(
        "half the bias", f"E(h, norm2({R}, Sigma)) <= thk**2/8*{GRADIENT}", "With ln(12κ(Σ)/θ̃_K²) in the rule for T.",
        **{**WHOLE, "example": {**LONG, "n": "96"}}, given=(*CHOSEN, *ENDS, *TWELVE),
        proof=lambda claim: printed_bound("rule with 12"),
    ),
    ours(
        "every h_k", f"E(h, norm2((1/(hk*n))*{tail('n')}, Sigma)) <= Ll*hk/(8*alpha)*{GRADIENT}",
        "The r of def:r-v with any h_k: ỹ − x̃₊* = h_k Σ⁻¹∇F(ỹ), and L_ℓ h_k stands where L_ℓ is printed.",
        **{**WHOLE, "example": {**LONG, "hk": "1", "Ll": "1/8"}},
        given=(*CHOSEN, *(one.replace("== grad", "== hk*grad") for one in ENDS), *RULE, "hk > 0",
               "Ll*hk == 2*alpha*thk**2"),
        proof=lambda claim: every_length(),
    ),
)  # fmt: skip
