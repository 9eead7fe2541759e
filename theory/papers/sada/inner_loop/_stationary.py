"""The stationary layers C~_inf^(l) as a sequence of matrices, and what the paper builds from them.

R^(l) = (M - M~) C~_inf,22^(l-1) (`Rl`), sigma^(l) = <diag(O, Sigma), C~_inf^(l)> (`sigma`), Pi_t(R^(l)) (`PiR`).
C~_inf^(l) = Pi_inf(R^(l)) is the limit of the growing Pi_t(R^(l)), which is said by its definition: it lies above
each of them, so that it is nonnegative, and for every e > 0 below one of them plus e I. C~_inf^(0) = Pi_inf(R) is the
limit of C~_t. The layers C~_T^(l) at a horizon T are such a sequence, too, with Pi_T(R^(l)) and e = 0: so the theorem,
which has a horizon, rests on the lemma of the paper (`HORIZON`).
"""

from __future__ import annotations

from typing import Any

from theory.papers.sada.inner_loop import _layers_bound as layers
from theory.papers.sada.inner_loop import _noise_of_every_size as noise
from theory.papers.sada.inner_loop import _variance_bound as bound
from theory.papers.sada.inner_loop._l_var_of_every_size import l_var, ours
from theory.papers.sada.language import weight
from theory.provers.tactics import Tactic, auto, cite, induct, instance, order

MONOTONE, AVERAGE, TRACE = "lem:L-var-monotone", "lem:Pi-average-bound", "lem:Pi-stationary-bound"
STATE, SHARE, MOMENTS = "lem:L-var-l-bound", "lem:var-sigma-l-recursion", "lem:var-fourth-moment"
NOTIONS = {
    "M(X)": "E(w, P[w] @ X @ P[w])",
    "Mt(X)": "moment @ X @ moment",
    "C22[l]": "E2.T @ Cinf[l] @ E2",
    "Rl[l]": "M(C22[l-1]) - Mt(C22[l-1])",
    "sigma[l]": "tr(S2 @ Cinf[l])",
}
WHERE = {**{name: layers.WHERE[name] for name in ("P[w]", "moment", "E2", "S2")}, **NOTIONS}
POINT: dict[str, Any] = {
    **bound.EXAMPLE, "l": "1", "a": {"1": "1", "2": "3"}, "Sigma": [["5"]], "R2": "41/5", "kt": "41/25",
    "Cinf": {"0": [["1", "1"], ["1", "2"]]},
}  # fmt: skip
STATIONARY: dict[str, Any] = {
    "kinds": {**bound.SAMPLE, "Cinf": "symmetric(2*d)[nat]"}, "where": WHERE, "naturals": "l", "example": POINT,
    "scope": "every d, every l, every distribution",
}  # fmt: skip

# ---- beside the layers


def stands(layer: str) -> str:
    """C~_inf^(l), a limit of nonnegative matrices, is nonnegative."""
    return f"0 << Cinf[{layer}]"


def all_stand(last: str) -> str:
    return f"forall(k, 0, {last}, {stands('k')})"


HERE, NEXT = stands("l"), stands("l+1")
# both come after the setting wherever they are used
IS_HERE, IS_NEXT = {"of": len(bound.SETTING)}, {"of": len(bound.SETTING) + 1}

ZERO_NEAR, NEXT_NEAR = "Cinf[0] << Ct[0, s] + e*I(2*d)", "Cinf[l+1] << PiR[l+1, s] + e*I(2*d)"


def near(last: str) -> str:
    """Pi_s(R^(k)) is within e of C~_inf^(k), for the layers 1, ..., last."""
    return f"forall(k, 1, {last}, Cinf[k] << PiR[k, s] + e*I(2*d))"


def above(last: str, time: str) -> tuple[str, str]:
    """C~_inf^(k) lies above Pi_t(R^(k)) at this time, for the layers 0, ..., last."""
    return f"Ct[0, {time}] << Cinf[0]", f"forall(k, 1, {last}, PiR[k, {time}] << Cinf[k])"


PI = {"PiR[l, 0]": "O(2*d, 2*d)", "PiR[l, t+1]": "A @ PiR[l, t] @ A.T + J(Rl[l])"}
# a = 1 or -1: (M - M~) X = 0, so that the layers from 1 on vanish; layer 0 is the block of lem:Pi-infinity
STILL = [["0", "0"], ["0", "0"]]
BLOCK = [[bound.EXAMPLE["p11"], bound.EXAMPLE["p12"]], [bound.EXAMPLE["p12"], bound.EXAMPLE["p22"]]]
LIMITS = {"Cinf": {"0": BLOCK, "1": STILL, "2": STILL}, "l": "0", "K": "1", "t": "1", "n": "1", "s": "1", "e": "1"}
BESIDE: dict[str, Any] = {
    **layers.LAYERS,
    "kinds": {**layers.KINDS, "Cinf": "symmetric(2*d)[nat]", "PiR": "matrix(2*d, 2*d)[nat, nat]"},
    "where": {**layers.WHERE, **NOTIONS, "LvarPi(l)": l_var("PiR[l, {}]")},
    "steps": {**layers.LAYERS["steps"], **PI},
    "example": {**bound.EXAMPLE, **LIMITS},
    "scope": "every size, every layer, every distribution whose moments exist",
}
AFTER_TWO = [["251353/507510784", "4267289/8373927936"], ["4267289/8373927936", "72447065/138169810944"]]  # C~_2
AT_T: dict[str, Any] = {
    **BESIDE, "naturals": ("n", "l"), "example": {**BESIDE["example"], "Cinf": {"0": AFTER_TWO, "1": STILL}},
    "scope": layers.AT_T["scope"],
}  # fmt: skip
IN_T: dict[str, Any] = {
    **BESIDE,
    "naturals": ("n", "l"),
    "scope": "every d, every T = 2n, every layer, every distribution",
}
UP = layers.UP


def compared() -> Tactic:
    """By induction over t: the drive of layer l + 1 is at most R^(l+1), because layer l grows up to time K."""
    base = order(ops=[layers.zero_at("l + 1"), {"use": "PiR[l, 0]", "at": {"l": "l + 1"}}])
    step = order(
        {"of": "past", "L": "A"}, {"of": "far", **UP}, {"of": 0, **UP}, {"eq": "their"}, {"eq": "our", "k": "-1"}
    )
    step = cite("def:layer-l#far", then=step, called="far")
    step = instance("Ct[l + 1, t + 1]", step, called="our", l="l", t="t")
    step = instance("PiR[l, t + 1]", step, called="their", l="l + 1", t="t")
    return induct("t", base=base, step=instance("IH", step, called="past", m="t"))


def below() -> Tactic:
    """By induction over the layers."""
    step = order({"of": "compared"}, {"of": "here"})
    shown = {"0": order({"of": "past"}), "1": order()}
    step = cite(f"{STATE}#compared", {"t": "t", "K": "t"}, then=step, called="compared", discharge=shown)
    step = instance(1, step, called="here", k="l + 1")
    return induct("l", base=order({"of": 0}), step=instance("IH", step, called="past", m="l"))


R_SIGN = order({"E": {"v": "S"}, **IS_HERE, "L": "(P[v] - moment) @ E2.T"})


def first() -> Tactic:
    """Layer l + 1 is driven by less than R^(l+1)."""
    letters = {
        "X": {"at": ["t"], "is": "Ct[l+1, t]"}, "W": {"at": ["t"], "is": "PiR[l+1, t]"},
        "G": {"at": ["t"], "is": "V @ D(low(Ct[l, t])) @ V.T"}, "H": {"at": ["t"], "is": "J(Rl[l+1])"},
    }  # fmt: skip
    moves = cite("def:layer-l#driven", {"t": "e"}, then=order({"eq": "driven"}), called="driven")
    less = cite(
        "def:layer-l#far", {"t": "e", "K": "2*n"}, then=order({"of": "below", **UP}, {"of": "far", **UP}), called="far"
    )
    less = cite(f"{STATE}#below", {"t": "2*n", "K": "l"}, then=less, called="below")
    shown = [
        order(ops=[layers.zero_at("l + 1")]),
        order(ops=[{"use": "PiR[l, 0]", "at": {"l": "l + 1"}}]),
        moves,
        order(ops=[{"use": "PiR[l, t + 1]", "at": {"l": "l + 1", "t": "e"}}]),
        less,
    ]
    found = {str(i): one for i, one in enumerate(shown)}
    return cite(f"{MONOTONE}/repaired", then=order({"of": "r"}), called="r", letters=letters, discharge=found)


def second() -> Tactic:
    letters = {"M": {"is": "Rl[l+1]"}, "Pi": {"at": ["t"], "is": "PiR[l+1, t]"}}
    start = len(bound.SETTING) + 1  # the clauses of Pi come after the hypotheses of the average bound
    shown = {
        str(start): order(ops=[{"use": "PiR[l, 0]", "at": {"l": "l + 1"}}]),
        str(start + 1): order(ops=[{"use": "PiR[l, t + 1]", "at": {"l": "l + 1", "t": "t"}}]),
    }
    return cite(AVERAGE, then=order({"of": "r"}), called="r", letters=letters, signs={"M": R_SIGN}, discharge=shown)


def traces() -> Tactic:
    last = order({"tr": [{"psd": "Sigma", "L": "E2"}, {"of": "below"}]})
    return cite(f"{STATE}#below", {"K": "l"}, then=last, called="below")


def limit_bound(
    layer: str, pi: str, of: str, signs: tuple[Tactic, Tactic], steps: list[Tactic], then: Tactic
) -> Tactic:
    """lem:Pi-stationary-bound for the layer that is the limit of `pi`: the fact "stationary.2"."""
    letters = {"M": {"is": of}, "Pinf": {"is": f"Cinf[{layer}]"}, "Pi": {"at": ["j"], "is": pi}}
    shown = {str(len(bound.SETTING) + 1 + i): one for i, one in enumerate(steps)}
    return cite(TRACE, {"t": "s"}, then=then, called="stationary", letters=letters,
                signs=dict(zip(("M", "Pinf"), signs, strict=True)), discharge=shown)  # fmt: skip


def stationary() -> Tactic:
    """lem:Pi-stationary-bound at R^(l+1)."""
    clauses = [
        order(ops=[{"use": "PiR[l, 0]", "at": {"l": "l + 1"}}]),
        order(ops=[{"use": "PiR[l, t + 1]", "at": {"l": "l + 1", "t": "t"}}]),
    ]
    signs = (R_SIGN, order(IS_NEXT))
    return limit_bound("l+1", "PiR[l+1, j]", "Rl[l+1]", signs, clauses, order({"of": "stationary.2"}))


def moments(then: Tactic) -> Tactic:
    """tr R^(l+1) <= R^2 sigma^(l) and tr(Sigma^-1 R^(l+1)) <= kt sigma^(l): the facts "moments" and "moments.2"."""
    return cite(MOMENTS, {"l": "l+1"}, then=then, called="moments")


POSITIVE = {"tr": [{"psd": "Sigma", "L": "E2"}, IS_HERE]}
SMALL = {"fact": bound.SETTING.index("16*step*R2 <= 1")}


def with_step(then: Tactic) -> Tactic:
    return cite("lem:v-bound#kappa", then=cite("lem:v-bound#step", then=then, called="step"))


def both_moments() -> Tactic:
    last = order(
        {"of": "moments", "c": [weight("4"), {"fact": "step"}]}, {"of": "moments.2", "c": [weight("1/(4*kt)")]}
    )
    return with_step(moments(last))


def halved() -> Tactic:
    return order({**POSITIVE, "c": [weight("1/4"), SMALL]})


def share() -> Tactic:
    last = order({"of": "one"}, {"of": "two"}, {"of": "three"})
    for number, name in ((3, "three"), (2, "two"), (1, "one")):
        last = cite(f"{SHARE}/disp:1454.{number}", then=last, called=name)
    return last


def powers() -> Tactic:
    start = len(bound.SETTING)
    step = order({"of": "past", "c": [weight("1/2")]}, {"of": "share"})
    shown = {str(start + i): order({"of": one}) for i, one in enumerate(("this", "next", "near"))}
    step = cite(SHARE, then=step, called="share", discharge=shown)
    step = instance(start, step, called="near", k="l + 1")
    step = instance(start + 1, step, called="next", k="l + 1")
    step = {**instance(start + 1, step, called="this", k="l"), "within": {"l <= K": auto()}}
    base = order({"tr": [{"psd": "Sigma"}, {"L": "I(d)"}], "c": [weight("2"), {"fact": "e"}]})
    return induct("l", base=base, step=instance("IH", step, called="past", m="l"))


# ---- the layers at the horizon T = 2n in the place of the limits

HORIZON = "Cinf[l] == Ct[l, 2*n]", "Cinf[l+1] == Ct[l+1, 2*n]"


def at_a_horizon() -> Tactic:
    """The lemma of the paper at s = T and e = 0: layer l + 1 at T is at most Pi_T(R^(l+1))."""
    start = len(bound.SETTING) + 3
    compared = order({"eq": start})
    shown = {str(len(bound.SETTING) + 2): order({"of": "compared"}, {"eq": start + 1, "k": "-1"})}
    last = cite(SHARE, {"s": "2*n", "e": "0"}, then=order({"of": "share"}), called="share", discharge=shown)
    return cite(f"{STATE}#compared", {"t": "2*n", "K": "2*n"}, then=last, called="compared", discharge={"0": compared})


CHAIN = (
    ours("compared", "Ct[l+1, t] << PiR[l+1, t]", "Layer ℓ + 1 stays below Π̃_t(R^(ℓ+1)).", **BESIDE,
         given=("Ct[l, K] << Cinf[l]", "t <= K"), naturals=("l", "t", "K"), proof=lambda claim: compared()),
    ours("below", "Ct[l, t] << Cinf[l]", "C̃_t^(ℓ) ⪯ C̃_∞^(ℓ) for every t and ℓ (printed in line 1386).", **BESIDE,
         given=(*above("K", "t"), "l <= K"), naturals=("l", "t", "K"), proof=lambda claim: below()),
)  # fmt: skip

# ---- with the noise

NOISY: dict[str, Any] = {
    **layers.NOISY,
    "kinds": {**layers.NOISY["kinds"], "Cinf": "symmetric(2*d)[nat]"},
    "where": {**layers.NOISY["where"], **NOTIONS},
    "example": {**layers.NOISY["example"], **LIMITS},
    "given": (*noise.ASSUMED, stands("0"), ZERO_NEAR),
    "naturals": ("n", "s"),
}


def layer_zero() -> Tactic:
    """lem:Pi-stationary-bound at R, then the noise."""
    last = order(
        {"of": "stationary.2"},
        {"of": "noise", "c": [weight("1/(4*kt)")]},
        {"of": "length", "c": [weight("4"), {"fact": "step"}]},
    )
    clauses = [order(ops=[layers.zero_at("0")]), order(ops=[{"use": "Ct[0, t + 1]", "at": {"t": "t"}}])]
    signs = (order(layers.R_SIGN), order({"of": len(noise.ASSUMED)}))
    return layers.noises(limit_bound("0", "Ct[0, j]", "R", signs, clauses, last))


def one_power_more() -> Tactic:
    """sigma^(l+1) <= 2^(-l-1) sigma^(0), and sigma^(0) is not negative."""
    kappa = {"fact": bound.SETTING.index("kt > 0")}
    whole = {"tr": [{"psd": "Sigma", "L": "E2"}, {"of": "first"}]}
    last = order(
        {"of": "powers", "c": [weight("64/(2*n)"), kappa]},
        {**whole, "c": [weight("32/(2*n)"), kappa, {"fact": "half"}]},
    )
    last = cite("lem:L-var-bound-C-l/sharper#power of 2", {"k": "l"}, then=last, called="half")
    last = cite(f"{SHARE}#stationary powers", {"l": "l+1", "K": "l+1"}, then=last, called="powers")
    return instance(len(bound.SETTING) + 1, last, called="first", k="0")


def layer_zero_scaled() -> Tactic:
    last = order({"of": "zero", "c": [weight("64/(2*n)"), layers.KAPPA, {"fact": "half"}]})
    last = cite("lem:L-var-bound-C-l/sharper#power of 2", {"k": "l"}, then=last, called="half")
    return cite("lem:var-tilde-C-bound/repaired", then=last, called="zero")
