r"""lem:L-var-bound-C-l: with gap = F(y) - F(x*), for every layer l >= 1, L_var({C~_t^(l)}) is at most

    64 kt/(2^(l-1) T) ((5 tr(Sigma^-1 Q) + 5 L_l (L + kt) gap)/(4 kt) + 20 eta tr Q + 20 eta L_l (B + R^2) gap).

True in the standing context (lines 549-570). In the proof the bound on sigma^(0) (disp:1474) has a stray L_l at
tr Q and lacks one at (B + R^2), and kt sigma^(l) stands for kt sigma^(l-1) (disp:1485); the end is right.
"""

import re
from typing import Any

from theory.claims.statement import Faithfulness, printed, sharper, statement, step
from theory.kernel import Verdict
from theory.papers.sada.inner_loop import _stationary as stationary
from theory.papers.sada.inner_loop._blocks import HYPERPARAMETERS, pi_22
from theory.papers.sada.inner_loop._facts import PLAIN, added
from theory.papers.sada.inner_loop._layer_iteration import below_the_power, rung
from theory.papers.sada.inner_loop._layers import LAYER
from theory.papers.sada.inner_loop._layers_bound import EACH_LAYER, NOISY, each_layer
from theory.papers.sada.inner_loop._layers_bound import LAYER_0 as BOUND
from theory.papers.sada.inner_loop._noise import EXAMPLE as NOISE_EXAMPLE
from theory.papers.sada.inner_loop._noise import NAMES
from theory.papers.sada.inner_loop._tail import l_var_of
from theory.papers.sada.inner_loop._variance_bound import SETTING
from theory.papers.sada.inner_loop.lem_pi_stationary_bound import LEFT as SIGMA_0
from theory.papers.sada.inner_loop.lem_var_tilde_c_bound import GIVEN as LAYER_0
from theory.papers.sada.inner_loop.lem_var_tilde_c_bound import right
from theory.papers.sada.language import weight
from theory.provers.tactics import Tactic, cite, have, induction, order

ID = "lem:L-var-bound-C-l"
T = "(2*(p+1))"


def of_layer_l(formula: str) -> str:
    """The diagonal of R^(l) is called ml, that of R is m."""
    return re.sub(r"\bm\[i\]", "ml[i]", formula)


def given(ratio: int) -> tuple[str, ...]:
    """Layer 0 with its noise; layer l = k + 1 with sigma^(l-1) = sig, the k-th rung of the ladder."""
    rungs = f"sig == {rung('k', ratio=ratio)}[1]"
    return (*LAYER_0, "forall(i, 1, d, ml[i] >= 0)", *map(of_layer_l, LAYER), f"s0 == {SIGMA_0}", rungs)


# a = 1 and all curvatures equal 2: no noise, so all layers vanish
QUIET: dict[str, Any] = {
    **NOISE_EXAMPLE,
    "V": ["1", "1"],
    "S": ["1/4", "1/4"],
    "l1": ["2", "2"],
    "theta": "1/64",
    "mu": "1",
    "m": ["0"],
    "ml": ["0"],
    "x": ["0", "0"],
    "X": ["0"],
    "e": "1",
    "f": ["0"],
    "h": ["0"],
    "s": ["0"],
    "sig": "0",
    "s0": "0",
    "k": "0",
    "p": "0",
    "D": ["0"],
}


def every(ratio: int) -> dict[str, Any]:
    return {
        "given": given(ratio),
        "where": {**HYPERPARAMETERS, **l_var_of("ml"), **NAMES},
        "naturals": ("p", "d", "e", "k"),
        "example": QUIET,
        "display": "disp:1465",
        "scope": "every T, every layer l = k + 1, every dimension, every distribution, every loss",
    }


def down_the_ladder(role: str, constant: int, ratio: int) -> Tactic:
    """p+1 times the goal: average bound, fourth moments, ladder and layer 0, added up."""
    start = len(given(ratio))
    layer_0, average, _, inverse, rungs, power, half, kt = (start + i for i in range(8))
    c = f"{constant // 2}"
    last = added(
        ("1", [half, average], ""),
        (c, [inverse], ""),
        (c, [kt, rungs], ""),
        (c, [kt, power, layer_0], ""),
        multiplier=[half],
        modulo=[(start - 1, f"-{c}*kt"), (start - 2, f"-{c}*kt*(1/{ratio})**k")],
    )
    positive = have("p+1 > 0", PLAIN, then=have("kt > 0", PLAIN, then=last))
    powered = cite(f"{ID}/sharper#power of {ratio}", then=positive)
    ladders = cite(f"{ID}/sharper#ladder of {ratio}", then=powered)
    moments = cite("lem:var-fourth-moment#in numbers", {"m": "ml"}, then=ladders)
    averaged = cite(f"lem:Pi-average-bound{role}", {"m": "ml"}, then=moments)
    return cite(f"lem:var-tilde-C-bound{role}", then=averaged)


def ladder(ratio: int) -> list[Any]:
    power: Tactic = induction("k", {"w": f"(1/{ratio})**k"}, ["w > 0"])
    return [
        sharper(
            f"{rung('k', ratio=ratio)}[1] <= (1/{ratio})**k*s0",
            part=f"ladder of {ratio}",
            naturals="k",
            example={"s0": "1", "k": "1", "D": ["1/4", "0"]},
            proof=below_the_power(ratio),
            words=f"If each layer is at most 1/{ratio} of the one below, k layers lose a factor of {ratio}^k.",
        ),
        sharper(
            f"(1/{ratio})**k > 0",
            part=f"power of {ratio}",
            naturals="k",
            example={"k": "1"},
            proof=power,
            words="Powers are positive.",
        ),
    ]


# d = 1: a^2 has mean lam and second moment s4, and y = x*, so that R = Q
ONE_DIMENSION = {"lam": "mean(w, a2[w])", "s4": "mean(w, a2[w]**2)", "kt": "s4/lam**2", "mu": "lam", "R2": "s4/lam"}
DATA = ("theta > 0", "theta < 1", "forall(w, Omega, Omega, a2[w] >= 0)", "lam > 0", "Q > 0")
# d >= 2: with probability 1/2 each, a = e_1 with l'(x*) = +-1, or a_1 = 1, a_i = +-sqrt(2 mu) and l'(x*) = 0.
# Then Sigma = diag(1, mu, ..., mu), kt = 2d - 1, R^2 = 1 + 2 (d-1) mu, Q = diag(1/2, 0, ..., 0); and y = x*.
SPIKE: dict[str, Any] = {
    "given": ("theta > 0", "mu > 0", "mu <= 1", "d >= 2", "Ll > 0", "16*eta*R2 <= 1"),
    "where": {"kt": "2*d-1", "R2": "1+2*(d-1)*mu", "lam": "1", "Q": "1/2", **HYPERPARAMETERS},
    "naturals": "d",
    "example": {"theta": "1/100000", "mu": "1/100000", "d": "2", "Ll": "1"},
    "scope": "an explicit design in every dimension d >= 2, every L_l",
}

STATEMENT = statement(
    ID,
    printed(
        f"Lvar(l+1) <= 64*kt*(1/2)**l/(2*n)*({BOUND})",
        display="disp:1465",
        **{**NOISY, "naturals": ("n", "l")},
        proof=lambda claim: each_layer(),
        words="ℓ + 1 is the printed ℓ. For every dimension, T, layer, distribution and loss, with the step size of"
        " line 551.",
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    *EACH_LAYER,
    printed(
        f"Lvar <= 64*kt*(1/2)**k/T*({right('4', '4')})",
        part="in numbers",
        proof=down_the_ladder("#in numbers", 64, 2),
        words="The same for sums over eigenvalues, with the shares of the layers put in.",
        **{name: value for name, value in every(2).items() if name != "display"},
        links=("layer-share", "matrix-order"),
        faithfulness=Faithfulness.OURS,
    ),
    sharper(
        f"Lvar <= 16*kt*(1/8)**k/T*({right('16', '1')})",
        proof=down_the_ladder("/sharper", 16, 8),
        words="16 for 64, powers of 8 for powers of 2, and a quarter of both constants inside.",
        **every(8),
        links=("layer-share", "matrix-order"),
    ),
    *ladder(2),
    *ladder(8),
    step(
        "disp:1474",
        1,
        f"lam*Q*{pi_22()} <= 5*(Q/lam)/(4*kt)+20*eta*Ll*Q",
        expect=Verdict.REFUTED,
        witness={"theta": "1/100000", "mu": "34544/10000000000", "d": "64", "Ll": "1/1000"},
        words="L_l does not belong to tr Q: with flat losses and noise of its own the printed bound is too small.",
        **SPIKE,
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    step(
        "disp:1474",
        "1/repaired",
        f"sigma[0] <= {BOUND} + e*tr(Sigma)",
        faithfulness=Faithfulness.TYPO,
        repairs=f"{ID}/disp:1474.1",
        **stationary.NOISY,
        proof=lambda claim: cite("lem:var-tilde-C-bound/repaired", then=order({"of": "r"}), called="r"),
        words="L_ℓ belongs to (B + R²), not to tr Q: lem:var-tilde-C-bound, repaired, for every ε.",
    ),
    step(
        "disp:1485",
        1,
        "Lvar(l+1) <= LvarPi(l+1)",
        **stationary.IN_T,
        given=(*stationary.above("l", "2*n"), "n >= 1"),
        proof=lambda claim: cite("lem:L-var-l-bound#first", then=order({"of": "r"}), called="r"),
        words="The first half of lem:L-var-l-bound.",
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    step(
        "disp:1485",
        2,
        "LvarPi(l+1) <= 64*tr(inv(Sigma) @ Rl[l+1])/(2*n)",
        **stationary.IN_T,
        given=(*SETTING, stationary.HERE, "n >= 1"),
        proof=lambda claim: cite("lem:L-var-l-bound#second", then=order({"of": "r"}), called="r"),
        words="The second half of lem:L-var-l-bound.",
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    step(
        "disp:1485",
        3,
        f"64*((s4-lam**2)*(sig/lam)/lam)/{T} <= 64*kt*({pi_22()}*(s4-lam**2)*sig)/{T}",
        given=(*DATA[:4], "sig > 0", "s4 > lam**2", "16*eta*R2 <= 1"),
        where={**ONE_DIMENSION, **HYPERPARAMETERS},
        naturals="p",
        example={"theta": "1/64", "p_w": ["1/2", "1/2"], "a2": ["1", "3"], "sig": "1", "p": "0"},
        expect=Verdict.REFUTED,
        scope="d = 1: R^(l) = (E a^4 - lam^2) sigma^(l-1)/lam and sigma^(l) = lam Pi_22 R^(l)",
        words="kt sigma^(l) is printed; lem:var-fourth-moment gives kt sigma^(l-1), and sigma^(l) is far smaller.",
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    step(
        "disp:1485",
        "3/repaired",
        "64*tr(inv(Sigma) @ Rl[l+1])/(2*n) <= 64*kt*sigma[l]/(2*n)",
        **stationary.IN_T,
        given=(*SETTING, stationary.HERE, "n >= 1"),
        faithfulness=Faithfulness.TYPO,
        repairs=f"{ID}/disp:1485.3",
        proof=lambda claim: stationary.moments(order({"of": "moments.2", "c": [weight("64/(2*n)")]})),
        words="With σ^(ℓ−1), in every dimension.",
    ),
    step(
        "disp:1485",
        4,
        "64*kt*sigma[l+1]/(2*n) <= 64*kt*((1/2)**l*sigma[0] + 2*e*tr(Sigma))/(2*n)",
        **{**stationary.IN_T, "naturals": ("n", "l", "s")},
        given=(*SETTING, stationary.near("l+1"), stationary.all_stand("l+1"), "e >= 0", "n >= 1"),
        proof=lambda claim: stationary.one_power_more(),
        words="lem:var-sigma-l-recursion ℓ times gives 2^ℓ, for every ε; the printed 2^(ℓ−1) is what σ^(ℓ−1) needs.",
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    step(
        "disp:1485",
        5,
        f"64*kt*(1/2)**l*sigma[0]/(2*n) <= 64*kt*(1/2)**l/(2*n)*({BOUND} + e*tr(Sigma))",
        **{**stationary.NOISY, "naturals": ("n", "l", "s")},
        proof=lambda claim: stationary.layer_zero_scaled(),
        words="The bound on σ^(0), in its repaired form, for every ε.",
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    summary="True in the standing context (lines 549-570); two steps of the proof slip, but the end is right.",
)
