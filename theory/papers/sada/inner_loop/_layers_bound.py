"""The layers for every dimension: they grow with t, each is driven by the one below, and their traces shrink by 2.

For a fixed horizon T = 2n the drive of layer l + 1 is at most D(C~_T,22^(l)), D = M - M~, because C~_t^(l) grows
with t: no limit is needed. `sigT[l]` is <diag(O, Sigma), C~_T^(l)>.
"""

from __future__ import annotations

from typing import Any

from theory.papers.sada import language
from theory.papers.sada.inner_loop import _noise_of_every_size as noise
from theory.papers.sada.inner_loop import _variance_bound as bound
from theory.papers.sada.inner_loop._l_var_of_every_size import BASE, NOTIONS, POWERS, l_var, ours
from theory.papers.sada.language import weight
from theory.provers.tactics import Tactic, cite, induct, instance, order, unroll

LAYER, SHARE, EACH, SUM, ZERO = (
    "def:layer-l", "lem:var-sigma-l-recursion", "lem:L-var-bound-C-l", "lem:C-1-bound", "lem:L-var-C-tilde",
)  # fmt: skip
AVERAGE = "lem:Pi-average-bound"
CLAUSES = {name: body for name, body in language.LAYER.items() if "Rest" not in name}
WHERE = {
    **NOTIONS,
    **{name: language.NOTIONS[name] for name in ("R", "calB(X)", "calBt(X)")},
    "D(X)": "E(w, P[w] @ X @ P[w]) - moment @ X @ moment",
    "low(X)": "E2.T @ X @ E2",
    "RT[l]": "D(low(Ct[l-1, 2*n]))",
    "sigT[l]": "tr(S2 @ Ct[l, 2*n])",
    "Lvar(l)": l_var("Ct[l, {}]"),
}
KINDS = {**BASE["kinds"], "eps": "real[S]", "Ct": language.LAYERS["Ct"]}
POINT: dict[str, Any] = {**bound.EXAMPLE, "l": "0", "t": "1", "K": "2", "n": "1", "k": "1"}
LAYERS: dict[str, Any] = {
    "kinds": KINDS, "where": WHERE, "steps": {**POWERS, **CLAUSES}, "example": POINT,
    "scope": "every size, every layer, every distribution whose moments exist",
}  # fmt: skip
AT_T: dict[str, Any] = {
    **LAYERS, "given": (*bound.SETTING, "n >= 1"), "naturals": ("n", "l"),
    "scope": "every d, every T = 2n, every layer, every distribution with the moments of the assumptions",
}  # fmt: skip
UP = {"E": {"v": "S"}, "L": "V @ (P[v] - moment) @ E2.T"}
DRIVE = {"E": {"v": "S"}, "L": "(P[v] - moment) @ E2.T"}


def zero_at(layer: str) -> dict[str, Any]:
    return {"use": "Ct[l, 0]", "at": {"l": layer}}


def cases(zero: Tactic, more: Tactic) -> Tactic:
    """Layer 0, and layer l + 1."""
    return {**induct("l", base=zero, step=more), "as": "j", "called": "case"}


def clauses(name: str, times: dict[str, str], then: Tactic, **at: str) -> Tactic:
    """The recursion of a layer at these times, as facts."""
    for called, time in times.items():
        then = instance(name, then, called=called, t=time, **at)
    return then


def grows() -> Tactic:
    first = order(
        {"E": {"v": "S"}, "L": "eps[v]*(V @ a[v])"}, ops=[{"use": "Ct[0, t + 1]", "at": {"t": "0"}}, zero_at("0")]
    )
    start = [{"use": "Ct[l + 1, t + 1]", "at": {"l": "l", "t": "0"}}, zero_at("l + 1"), zero_at("l")]
    both = [{"eq": "next"}, {"eq": "this", "k": "-1"}]
    times = {"this": "t", "next": "t + 1"}
    zero = instance("IH", order({"of": "past", "L": "A"}, *both), called="past", m="t", l="0")
    more = order({"of": "same", "L": "A"}, {"of": "below", **UP}, *both)
    more = instance("IH", instance("IH", more, called="below", m="t", l="l"), called="same", m="t", l="l + 1")
    later = cases(clauses("Ct[0, t + 1]", times, zero), clauses("Ct[l + 1, t + 1]", times, more, l="l"))
    return induct("t", base=cases(first, order(ops=start)), step=later, general=["l"])


def far() -> Tactic:
    step = cite(f"{LAYER}#grows", {"t": "K"}, then=order({"of": "past"}, {"of": "g"}), called="g")
    return induct(
        "K", start="t", base=order(), step=instance("IH", step, called="past", m="K"), long=order({"of": "t"})
    )


def nonnegative() -> Tactic:
    last = order({"of": "far"}, {"eq": "start"})
    last = cite(f"{LAYER}#far", {"t": "0", "K": "t"}, then=last, called="far", discharge={"0": {"kind": "positive"}})
    return instance("Ct[l, 0]", last, called="start", l="l")


def driven() -> Tactic:
    return order(ops=[{"use": "Ct[l + 1, t + 1]", "at": {"l": "l", "t": "t"}}])


ON_LAYERS = (
    ours("grows", "Ct[l, t] << Ct[l, t+1]", "Every layer grows with t.", **LAYERS, naturals=("l", "t"),
         proof=lambda claim: grows()),
    ours("far", "Ct[l, t] << Ct[l, K]", "Up to the horizon it is at most the last.", **LAYERS, given="t <= K",
         naturals=("l", "t", "K"), proof=lambda claim: far()),
    ours("nonnegative", "0 << Ct[l, t]", "Every layer is positive semidefinite.", **LAYERS, naturals=("l", "t"),
         proof=lambda claim: nonnegative()),
    ours("driven", "Ct[l+1, t+1] == A @ Ct[l+1, t] @ A.T + V @ D(low(Ct[l, t])) @ V.T",
         "Layer ℓ + 1 is driven by (M − M̃) of layer ℓ.", **LAYERS, naturals=("l", "t"), proof=lambda claim: driven()),
)  # fmt: skip


def layer_at(time: str, then: Tactic, called: str = "nonnegative", layer: str = "l") -> Tactic:
    return cite(f"{LAYER}#nonnegative", {"t": time, "l": layer}, then=then, called=called)


def drive_of(time: str) -> Tactic:
    """D of a layer is nonnegative: a mean of congruences."""
    return layer_at(time, order({"of": "nonnegative", **DRIVE}))


def halved(x: str) -> str:
    """A matrix that is symmetric by a fact, written so that it is symmetric by its form."""
    return f"1/2*({x}) + 1/2*({x}).T"


TURNED = {"eq": "nonnegative", "sym": 1, "k": "1/2"}
ACROSS = {**DRIVE, "R": "E2 @ (P[v] - moment)"}


FIRST = len(bound.SETTING)


def as_driven(part: str, then: Tactic, where: dict[str, str] | None = None) -> Tactic:
    """A bound for driven sequences, at layer l + 1; its drive is at most that at the horizon."""
    letters = {
        "X": {"at": ["t"], "is": "Ct[l+1, t]"}, "N": {"at": ["t"], "is": "D(low(Ct[l, t]))"},
        "M": {"is": halved("RT[l+1]")},
    }  # fmt: skip
    moves = cite(f"{LAYER}#driven", {"t": "e"}, then=order({"eq": "driven"}), called="driven")
    last = {**TURNED, **ACROSS}
    below = layer_at("2*n", order({"of": "far", **DRIVE}, last))
    below = cite(f"{LAYER}#far", {"t": "e", "K": "2*n"}, then=below, called="far")
    sign = layer_at("2*n", order({"of": "nonnegative", **DRIVE}, last))
    facts = [order(ops=[zero_at("l + 1")]), moves, drive_of("e"), below, order()]
    shown = {str(FIRST + i): one for i, one in enumerate(facts)}
    return cite(f"{AVERAGE}#{part}", where, then=then, called=part, letters=letters, signs={"M": sign}, discharge=shown)


def moments(then: Tactic) -> Tactic:
    """tr(Sigma^-1 R) <= kt sigma and tr R <= R^2 sigma at the horizon: the facts "moments" and "moments.2"."""
    sign = layer_at("2*n", order({"of": "nonnegative", "L": "E2.T"}, {**TURNED, "L": "E2.T", "R": "E2"}))
    letters = {"X": {"is": halved("low(Ct[l, 2*n])")}}
    return cite("lem:v-bound#fourth moment", then=then, called="moments", letters=letters, signs={"X": sign})


SIGMA_POSITIVE = {"tr": [{"psd": "Sigma", "L": "E2"}, {"of": "nonnegative"}]}


def share() -> Tactic:
    """The lemma of the paper, for the layers at the horizon."""
    letters = {"Cinf": {"at": ["j"], "is": halved("Ct[j, 2*n]")}}
    here, after = ({"of": name} for name in ("here", "after"))
    half = {"sym": 1, "k": "1/2"}
    shown = {
        str(FIRST): order(here, {"eq": "here", **half}),
        str(FIRST + 1): order(after, {"eq": "after", **half}),
        str(FIRST + 3): order({"eq": "here", "sym": 1, "k": "1/2"}),
        str(FIRST + 4): order({"eq": "after", "sym": 1, "k": "1/2"}),
    }
    last = cite(f"{SHARE}#at a horizon", then=order({"of": "share"}), called="share", letters=letters, discharge=shown)
    last = layer_at("2*n", last, called="after", layer="l + 1")
    return layer_at("2*n", last, called="here")


def each() -> Tactic:
    last = order({"of": "driven"}, {"of": "moments", "c": [weight("16/(2*n)")]})
    return as_driven("driven", moments(last))


def powers() -> Tactic:
    step = order({"of": "past", "c": [weight("1/2")]}, {"of": "share"})
    step = cite(f"{SHARE}#at the horizon", then=step, called="share")
    return induct("l", base=order(), step=instance("IH", step, called="past", m="l"))


AT_THE_HORIZON = (
    ours("at the horizon", "sigT[l+1] <= sigT[l]/2", "The recursion for σ_T^(ℓ) = ⟨diag(O, Σ), C̃_T^(ℓ)⟩.",
         **AT_T, proof=lambda claim: share()),
    ours("powers", "sigT[l] <= (1/2)**l*sigT[0]", "So that σ_T^(ℓ) is at most 2^(−ℓ) of σ_T^(0).",
         **AT_T, proof=lambda claim: powers()),
)  # fmt: skip
# ---- with the noise: the printed bounds

NOISY: dict[str, Any] = {
    **LAYERS,
    "kinds": {**KINDS, "delta": "vector(d)", **noise.RANDOM},
    "where": {
        **WHERE, **noise.LOSS, "near": "(tr(inv(Sigma) @ Q) + Ll*(L + kt)*gap)", "far": "(tr(Q) + Ll*(B + R2)*gap)",
    },
    "example": {**noise.POINT, "l": "0", "n": "1", "K": "1"},
    "given": noise.ASSUMED,
    "naturals": "n",
    "scope": "every d, every T = 2n, every distribution and loss under the assumptions of the paper",
}  # fmt: skip
KAPPA = {"fact": noise.ASSUMED.index("kt > 0")}
LAYER_0 = "5*near/(4*kt) + 20*step*far"
BOUND_EACH = f"64*kt*(2*(1/2)**l)/(2*n)*({LAYER_0})"
R_SIGN = {"E": {"v": "S"}, "L": "eps[v]*a[v]"}


def noises(then: Tactic) -> Tactic:
    """tr(Sigma^-1 R) and tr R against Q and the gap: the facts "noise" and "length"."""
    then = cite("lem:noise-bound-2-norm", then=then, called="length")
    then = cite("lem:noise-bound-Sigma-inverse", then=then, called="noise")
    return cite(
        "lem:v-bound#kappa", then=cite("lem:v-bound#R2", then=cite("lem:v-bound#step", then=then, called="step"))
    )


def layer_zero() -> Tactic:
    """C~_t is Pi_t(R)."""
    letters = {"M": {"is": "R"}, "Pi": {"at": ["t"], "is": "Ct[0, t]"}}
    shown = {
        str(FIRST + 1): order(ops=[zero_at("0")]),
        str(FIRST + 2): order(ops=[{"use": "Ct[0, t + 1]", "at": {"t": "t"}}]),
    }  # fmt: skip
    last = order({"of": "average"}, {"of": "noise", "c": [weight("64/(2*n)")]})
    last = cite(AVERAGE, then=last, called="average", letters=letters, signs={"M": order(R_SIGN)}, discharge=shown)
    return noises(last)


def layer_zero_is_pi(time: str, then: Tactic) -> Tactic:
    """The expansion of Pi_t(M), at M = R."""
    letters = {"M": {"is": "R"}, "Pi": {"at": ["t"], "is": "Ct[0, t]"}}
    shown = {"0": order(ops=[zero_at("0")]), "1": order(ops=[{"use": "Ct[0, t + 1]", "at": {"t": "t"}}])}
    more: dict[str, Any] = {"letters": letters, "signs": {"M": order(R_SIGN)}, "discharge": shown}
    return cite("lem:Pi-increasing/disp:1178.1", {"t": time}, then=then, called="sum", **more)


TRACE_NEAR, TRACE_FAR = {"tr": [{"psd": "inv(Sigma)"}, R_SIGN]}, {"tr": [{"L": "I(d)"}, R_SIGN]}


def layer_zero_trace() -> Tactic:
    letters = {"X": {"at": ["t"], "is": "Ct[0, t]"}, "N": {"at": ["t"], "is": "R"}, "M": {"is": "R"}}
    moves = order(ops=[{"use": "Ct[0, t + 1]", "at": {"t": "e"}}])
    facts = [order(ops=[zero_at("0")]), moves, order(R_SIGN), order(), order()]
    shown = {str(FIRST + i): one for i, one in enumerate(facts)}
    last = order(
        {"of": "stationary"},
        {"of": "noise", "c": [weight("1/(4*kt)")]},
        {"of": "length", "c": [weight("4"), {"fact": "step"}]},
        {**TRACE_NEAR, "c": [weight("3/(16*kt)")]},
        {**TRACE_FAR, "c": [weight("3"), {"fact": "step"}]},
    )
    last = cite(f"{AVERAGE}#stationary", {"t": "n + n", "K": "n + n"}, then=last, called="stationary", letters=letters,
                signs={"M": order(R_SIGN)}, discharge=shown)  # fmt: skip
    return noises(last)


def each_layer() -> Tactic:
    """64 kt sigma/T, powers of 1/2, and layer 0."""
    last = order(
        {"of": "each"},
        {**SIGMA_POSITIVE, "c": [weight("48/(2*n)"), KAPPA]},
        {"of": "powers", "c": [weight("64/(2*n)"), KAPPA]},
        {"of": "zero", "c": [weight("64/(2*n)"), KAPPA, {"fact": "half"}]},
    )
    last = cite(f"{EACH}/sharper#power of 2", {"k": "l"}, then=layer_at("2*n", last), called="half")
    last = cite(f"{EACH}#layer 0", then=last, called="zero")
    last = cite(f"{SHARE}#powers", then=last, called="powers")
    return cite(f"{EACH}#at the horizon", then=last, called="each")


def layer_by_layer() -> Tactic:
    """lem:L-var-bound-C-l at every layer."""
    ours, theirs = "sum(l, 1, {}, Lvar(l))", f"sum(l, 1, {{}}, {BOUND_EACH})"
    none = order({"eq": "theirs"}, {"eq": "ours", "k": "-1"})
    none = unroll(theirs.format("0"), none, end="empty", called="theirs")
    base = unroll(ours.format("0"), none, end="empty", called="ours")
    step = order({"of": "past"}, {"of": "layer"}, {"eq": "theirs"}, {"eq": "ours", "k": "-1"})
    step = cite(EACH, {"l": "K"}, then=step, called="layer")
    step = unroll(theirs.format("K + 1"), step, called="theirs")
    step = unroll(ours.format("K + 1"), step, called="ours")
    return induct("K", base=base, step=instance("IH", step, called="past", m="K"))


def powers_add_up() -> Tactic:
    """2 (1/2)^1 + ... + 2 (1/2)^K = 2 - 2 (1/2)^K."""
    whole = f"sum(l, 1, {{}}, {BOUND_EACH})"
    base = unroll(whole.format("0"), order({"eq": "none"}), end="empty", called="none")
    step = unroll(whole.format("K + 1"), order({"eq": "past"}, {"eq": "more"}), called="more")
    return induct("K", base=base, step=instance("IH", step, called="past", m="K"))


def all_layers() -> Tactic:
    """The bounds on the layers added up: 160 and 2560; 640 because near is not negative."""
    rest, least = [weight("96/(2*n)")], [weight("32/(2*n)"), {"fact": "half"}]
    length = [weight("512/(2*n)"), KAPPA, {"fact": "step"}, {"fact": "half"}]
    last = order(
        {"of": "layers"}, {"eq": "powers", "k": "-1"},
        {"of": "noise", "c": rest}, {**TRACE_NEAR, "c": rest}, {"of": "noise", "c": least}, {**TRACE_NEAR, "c": least},
        {"of": "length", "c": length}, {**TRACE_FAR, "c": length},
    )  # fmt: skip
    last = cite(f"{EACH}/sharper#power of 2", {"k": "K"}, then=last, called="half")
    last = cite(f"{SUM}#powers add up", then=last, called="powers")
    return noises(cite(f"{SUM}/disp:1507.1", then=last, called="layers"))


def together(*more: dict[str, Any]) -> Tactic:
    last = order({"of": "zero"}, {"of": "rest"}, *more)
    return cite(f"{ZERO}/repaired", then=cite(SUM, then=last, called="rest"), called="zero")


def from_the_layers() -> Tactic:
    """disp:1521 and disp:1526; eta R^2 <= 1/16 takes the last term of far into near."""
    small = {"fact": noise.ASSUMED.index("16*step*R2 <= 1")}
    large = {"fact": noise.ASSUMED.index(noise.LARGE)}
    last = order(
        {"eq": "v", "k": "-1"}, {"of": "layers"}, {"of": "gap", "c": [weight("160/(2*n)"), large, KAPPA, small]}
    )
    last = cite(
        "lem:v-bound#gap", then=cite("lem:v-bound/disp:1526.2", {"K": "2*n"}, then=last, called="layers"), called="gap"
    )
    return cite("lem:v-decom/repaired", {"k": "0"}, then=last, called="v", discharge={"0": noise.centred()})


EACH_LAYER = (
    ours("at the horizon", "Lvar(l+1) <= 16*kt*sigT[l]/(2*n)", "L_var of layer ℓ + 1 against σ_T of layer ℓ.", **AT_T,
         proof=lambda claim: each()),
    ours("layer 0", f"sigT[0] <= {LAYER_0}", "lem:var-tilde-C-bound, repaired, at the horizon.", **NOISY,
         proof=lambda claim: layer_zero_trace()),
)  # fmt: skip
