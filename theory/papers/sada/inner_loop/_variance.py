"""The variance bound from the sharpest pieces: 2/T on average, 1/30 and 8/15 when stationary, layers that shrink by 15.

With rate = (2/T)(1 + 2/(T theta)): layer 0 is at most rate tr(Sigma^-1 R), all other layers together at most
(15/14) rate kt sigma^(0), and sigma^(0) <= tr(Sigma^-1 R)/(30 kt) + (8/15) eta tr R. Hence

    E|v|^2 <= rate ((29/28) tr(Sigma^-1 R) + (4/7) eta kt tr R),

and the noise is split with any weights x + y + z <= 1.
"""

from __future__ import annotations

from typing import Any

from theory.claims.statement import sharper
from theory.papers.sada.inner_loop._average_sharper import ANY_RATE, L_VAR, RATE, ROOT
from theory.papers.sada.inner_loop._blocks import HYPERPARAMETERS
from theory.papers.sada.inner_loop._facts import PLAIN, added, at, at_a_sample
from theory.papers.sada.inner_loop._hyperparameters import CHOSEN
from theory.papers.sada.inner_loop._layer_iteration import climbed
from theory.papers.sada.inner_loop._noise import (
    FOURTH,
    FOURTH_I,
    GAP,
    GRADIENT,
    NAMES,
    TR_Q,
    TR_R,
    TR_SIGMA_Q,
    TR_SIGMA_R,
)
from theory.papers.sada.inner_loop._split import WEIGHTS
from theory.papers.sada.inner_loop.lem_l_var_bound_c_l import QUIET
from theory.papers.sada.inner_loop.lem_pi_stationary_bound import LEFT as SIGMA_0
from theory.papers.sada.inner_loop.lem_var_tilde_c_bound import GIVEN as LAYER_0
from theory.papers.sada.inner_loop.lem_var_tilde_c_bound import IS_R, IS_R_I
from theory.provers.tactics import Tactic, chain, cite, have, termwise

IS_S0 = f"s0 == {SIGMA_0}"


def layers(rate: str) -> str:
    return climbed("K", "s0", f"{rate}*kt", 15)


def by_name(rate: str) -> dict[str, str]:
    """E|v|^2 is Lvar + others: layer 0 and the K layers after it, each at most rate kt sigma of the layer below."""
    return {**HYPERPARAMETERS, **L_VAR, "rate": rate, "others": f"{layers('rate')}[3]", **NAMES}


def given(rate: str) -> tuple[str, ...]:
    return (*LAYER_0, IS_S0, f"{layers(rate)}[1] >= 0")


GIVEN = given(RATE)
POINT: dict[str, Any] = {**QUIET, "s0": "0", "K": "1", "E": ["0"]}
LONG_POINT = {**POINT, "theta": "1/16", "p": "63"}
WEIGHED = {"x": "1/2", "y": "1/4", "z": "1/4"}
SCOPE = "every T, every number K of layers (layers from T on vanish), every dimension, distribution and loss"


def near(x: str, y: str, z: str) -> str:
    """The bound on tr(Sigma^-1 R) with these weights."""
    return f"(trSQ/{x}+2*Ll*(L/{y}+kt/{z})*gap)"


def far(x: str, y: str, z: str) -> str:
    """The bound on tr R with these weights."""
    return f"(trQ/{x}+2*Ll*(B/{y}+R2/{z})*gap)"


def composed(rate: str, many: str, claim: str, more: int = 0) -> Tactic:
    """(p+1)^2 theta mu times the goal: every piece cited, then added up with its weight; (p+1)^2 theta rate = many.

    `claim` is the average bound with this rate; `more` hypotheses stand between GIVEN and the weights.
    """
    start = len(GIVEN) + more + len(WEIGHTS)
    average, geometric, stationary, noise, noise_i, half, fast, kt = (start + i for i in range(8))
    theta, mu = at(GIVEN, "theta > 0"), at(GIVEN, "mu > 0")
    whole = [half, half, theta, mu]
    last = added(
        ("1", [*whole, average], ""),
        ("1", [*whole, geometric], ""),
        ("15/14", [fast, mu, kt, len(GIVEN) - 1], ""),
        ("15/14", [fast, mu, kt, stationary], ""),
        ("29/28", [fast, mu, noise], ""),
        ("64/7", [fast, kt, kt, noise_i], "theta"),
        multiplier=whole,
        modulo=[
            (at(GIVEN, IS_S0), f"-15/14*{many}*kt*mu"),
            (at(GIVEN, IS_R), f"-29/28*{many}*mu"),
            (at(GIVEN, IS_R_I), f"-64/7*{many}*kt**2*theta**2"),
        ],
    )
    signs = have("p+1 > 0", PLAIN, then=have(f"{many} > 0", PLAIN, then=have("kt > 0", PLAIN, then=last)))
    noises = cite("lem:noise-bound-Sigma-inverse/sharper", then=cite("lem:noise-bound-2-norm/sharper", then=signs))
    still = cite("lem:Pi-stationary-bound/sharper#2/15 of it", then=noises)
    sums = cite("lem:C-1-bound/sharper#sum of 15", {"g": f"{rate}*kt"}, then=still)
    return cite(claim, then=sums)


def long_loop(claim: str) -> Tactic:
    """T theta >= 8 makes the rate 5/(2 T); then the paper's weights, eta R^2 <= 1/16 and 2 L_l gap >= 0."""
    given = (*GIVEN, LONG)
    known, smooth, noise, noise_i, gradient, trace, trace_i, half, kt, speed, inner = (
        len(given) + i for i in range(11)
    )
    theta, small, long = (at(given, fact) for fact in ("theta > 0", "16*eta*R2 <= 1", LONG))
    last = added(
        ("1", [half, half, theta, known], ""),
        ("1/8", [long, inner], ""),
        ("25/224", [half, theta, kt, small, smooth], ""),
        ("25/224", [half, theta, kt, small, gradient], ""),
        multiplier=[half, half, theta],
    )
    parts = added(
        ("29/28", [noise], ""), ("29/28", [trace], ""), ("4/7", [speed, noise_i], ""), ("4/7", [speed, trace_i], "")
    )
    squares, squares_i = (added(("1", [at_a_sample(given, fact[0])], "t_v-l1_v")) for fact in (FOURTH, FOURTH_I))
    facts = chain(
        (f"{GRADIENT} >= 0", termwise("sum", index="k")),
        (f"{TR_SIGMA_R} >= 0", termwise("mean", squares, index="v")),
        (f"{TR_R} >= 0", termwise("mean", squares_i, index="v")),
        ("p+1 > 0", PLAIN),
        ("kt > 0", PLAIN),
        (f"{CHOSEN['eta']}*kt > 0", PLAIN),
        (f"{INNER.replace('eta', CHOSEN['eta'])} >= 0", parts),
        then=last,
    )
    noises = cite(
        "lem:noise-bound-Sigma-inverse#in numbers", then=cite("lem:noise-bound-2-norm#in numbers", then=facts)
    )
    return cite(claim, {"x": "1/5", "y": "2/5", "z": "2/5"}, then=cite("lem:gradient-bound#in numbers", then=noises))


INNER = f"29/28*(5*{TR_SIGMA_Q}+5*Ll*(L+kt)*{GAP})+4/7*(eta*kt)*(5*{TR_Q}+5*Ll*(B+R2)*{GAP})"
LONG = "(2*(p+1))*theta >= 8"
EVERY: dict[str, Any] = {
    "where": by_name(RATE),
    "naturals": ("p", "d", "K"),
    "display": "disp:878",
    "scope": SCOPE,
    "links": ("layer-share", "sum-of-layers", "v-L-var", "matrix-order"),
}
BOUND = f"Lvar+others <= rate*(29/28*{near('x', 'y', 'z')}+4/7*eta*kt*{far('x', 'y', 'z')})"
READINGS = (
    sharper(
        BOUND,
        part="2/T, any weights",
        given=(*GIVEN, *WEIGHTS),
        example={**POINT, **WEIGHED},
        proof=composed(RATE, "((p+1)*theta+1)", "lem:Pi-average-bound/sharper#2/T"),
        words="(2/T)(1 + 2/(T theta)) ((29/28) tr(Sigma^-1 Q)/x + ...): near 2 tr(Sigma^-1 Q)/T as x nears 1, for 960.",
        **EVERY,
    ),
    sharper(
        BOUND,
        part="2/T, any weights, any T",
        given=(*given(ANY_RATE), *ROOT, *WEIGHTS),
        example={**POINT, **WEIGHED, "root": "1"},
        proof=composed(ANY_RATE, "((p+1)*theta+(1+root)/2)", "lem:Pi-average-bound/sharper#2/T, any T", len(ROOT)),
        words="The same with (2/T)(1 + (1 + root)/(T theta)), root = 1/8 under the rule for T.",
        **{**EVERY, "where": by_name(ANY_RATE)},
    ),
    sharper(
        "Lvar+others <= 25/56*(29*trSQ+16*eta*kt*trQ)/T+25/56*Ll*(29*L+kt*(30+16*eta*B))*gap/T",
        part="T theta >= 8",
        given=(*GIVEN, LONG),
        example=LONG_POINT,
        proof=long_loop("lem:v-bound/sharper#2/T, any weights"),
        words="With T theta >= 8, which the rule for T gives: 13 for 960, 7.2 for 2560, and a 74th of L_eff.",
        **EVERY,
    ),
)
