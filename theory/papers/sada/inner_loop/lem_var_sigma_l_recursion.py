r"""lem:var-sigma-l-recursion: sigma^(l) <= sigma^(l-1)/2 for all l >= 1.

True in the standing context (eta <= 1/(16 R^2), line 551), in every d.
The sharper stationary bound gives sigma^(l-1)/8, and keeping the dropped terms (kt - 1)/(16 kt) + eta (R^2 - mu).
"""

from fractions import Fraction
from typing import Any

from theory.claims.statement import Faithfulness, printed, sharper, statement, step
from theory.papers.sada.inner_loop import _stationary as every
from theory.papers.sada.inner_loop._blocks import EVERY_EIGENVALUE, HYPERPARAMETERS
from theory.papers.sada.inner_loop._facts import PLAIN, added, at
from theory.papers.sada.inner_loop._l_var_of_every_size import ours
from theory.papers.sada.inner_loop._layers import EXAMPLE, LAYER, SIGMA
from theory.papers.sada.inner_loop._layers_bound import AT_THE_HORIZON
from theory.papers.sada.inner_loop._stationary import BESIDE, HERE, HORIZON, NEXT, NEXT_NEAR, all_stand, near
from theory.papers.sada.inner_loop._variance_bound import SETTING
from theory.papers.sada.inner_loop.lem_pi_stationary_bound import LEFT as SIGMA_L
from theory.provers.tactics import Tactic, cite, have, termwise

ID = "lem:var-sigma-l-recursion"
GIVEN = (*EVERY_EIGENVALUE, "forall(i, 1, d, lam[i] > 0)", *LAYER)
EVERY: dict[str, Any] = {
    "given": GIVEN,
    "where": HYPERPARAMETERS,
    "naturals": ("d", "e"),
    "example": {**EXAMPLE, "theta": "1/64", "mu": "2", "R2": "8"},
    "scope": "every dimension, every distribution, every layer",
}
LAYER_BY_LAYER: dict[str, Any] = {**BESIDE, "naturals": "l"}
AT_THE_LIMIT: dict[str, Any] = {**BESIDE, "naturals": ("l", "s"), "given": (*SETTING, HERE, NEXT, NEXT_NEAR)}
STATIONARY = "tr(inv(Sigma) @ Rl[l+1])/(4*kt) + 4*step*tr(Rl[l+1])"
MOMENTS = "1/(4*kt)*kt*sigma[l] + 4*step*R2*sigma[l]"


def stationary_then_moments(role: str, first: int, second: Fraction) -> Tactic:
    """kt mu times the goal, added up from the stationary bound (1/first, second) and lem:var-fourth-moment."""
    stationary, trace, inverse, kt, _, nonnegative = (len(GIVEN) + i for i in range(6))
    mu, small = at(GIVEN, "mu > 0"), at(GIVEN, "16*eta*R2 <= 1")
    last = added(
        ("1", [kt, mu, stationary], ""),
        (f"1/{first}", [mu, inverse], ""),
        (f"{16 * second}", [kt, kt, trace], "theta"),
        (f"{second / 16}", [kt, mu, small, nonnegative], ""),
        multiplier=[kt, mu],
    )
    cited = cite("lem:var-fourth-moment#in numbers", then=have("kt > 0", PLAIN, then=nonnegative_sigma(GIVEN, 4, last)))
    return cite(f"lem:Pi-stationary-bound{role}", then=cited)


def nonnegative_sigma(given: tuple[str, ...], shown: int, then: Tactic) -> Tactic:
    """sigma = <Sigma, X> >= 0, after `shown` facts beyond the given ones."""
    is_sigma = added(("1", [len(given) + shown], ""), modulo=[(at(given, LAYER[1]), "1")])
    return have(f"{SIGMA} >= 0", termwise("sum", index="k"), then=have("sig >= 0", is_sigma, then=then))


def keeping_the_dropped_terms() -> Tactic:
    stationary, trace, inverse, kt = (len(GIVEN) + i for i in range(4))
    mu = at(GIVEN, "mu > 0")
    last = added(
        ("1", [kt, mu, stationary], ""),
        ("1/16", [mu, inverse], ""),
        ("16", [kt, kt, trace], "theta"),
        multiplier=[kt, mu],
    )
    cited = cite("lem:var-fourth-moment/sharper", then=have("kt > 0", PLAIN, then=last))
    return cite("lem:Pi-stationary-bound/sharper", then=cited)


STATEMENT = statement(
    ID,
    printed(
        "sigma[l+1] <= sigma[l]/2 + e*tr(Sigma)",
        **AT_THE_LIMIT,
        proof=lambda claim: every.share(),
        words="ℓ + 1 is the printed ℓ; with the step size of line 551, which the proof names. C̃_∞^(ℓ) is a limit: for"
        " every ε > 0 it is at most some Π̃_s(R^(ℓ)) + εI, and ε is arbitrary.",
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    ours(
        "stationary powers",
        "sigma[l] <= (1/2)**l*sigma[0] + 2*e*tr(Sigma)",
        "So that σ^(ℓ) is at most 2^(−ℓ) of σ^(0), for every ε.",
        **{**LAYER_BY_LAYER, "naturals": ("l", "K", "s")},
        given=(*SETTING, near("K"), all_stand("K"), "l <= K", "e >= 0"),
        proof=lambda claim: every.powers(),
    ),
    ours(
        "at a horizon",
        "sigma[l+1] <= sigma[l]/2",
        "The layers at T = 2n are such matrices, with Π̃_T(R^(ℓ)) above them.",
        **every.AT_T,
        given=(*SETTING, HERE, NEXT, "n >= 1", *HORIZON),
        proof=lambda claim: every.at_a_horizon(),
    ),
    *AT_THE_HORIZON,
    printed(
        f"{SIGMA_L} <= sig/2",
        part="in numbers",
        proof=stationary_then_moments("#in numbers", 4, Fraction(4)),
        words="The same with sums over eigenvalues and means over finite spaces.",
        **EVERY,
        links=("matrix-order",),
        faithfulness=Faithfulness.OURS,
    ),
    sharper(
        f"{SIGMA_L} <= sig/8",
        proof=stationary_then_moments("/sharper", 16, Fraction(1)),
        words="A factor of 8 from layer to layer, from the sharper stationary bound.",
        **EVERY,
        links=("matrix-order",),
    ),
    sharper(
        f"{SIGMA_L} <= sig/15",
        part="15",
        proof=stationary_then_moments("/sharper#2/15 of it", 30, Fraction(8, 15)),
        words="Even a factor of 15, from 1/30 and 8/15 in the stationary bound.",
        **EVERY,
        links=("matrix-order",),
    ),
    sharper(
        f"{SIGMA_L} <= ((kt-1)/(16*kt)+eta*(R2-mu))*sig",
        part="with the dropped terms",
        proof=keeping_the_dropped_terms(),
        words="With R^2 - mu and kt - 1 the factor is below 1/8; for kt = 1 only eta (R^2 - mu) is left.",
        **EVERY,
        links=("matrix-order",),
    ),
    step(
        "disp:1454",
        1,
        f"sigma[l+1] <= {STATIONARY} + e*tr(Sigma)",
        **AT_THE_LIMIT,
        proof=lambda claim: every.stationary(),
        words="lem:var-tilde-C-l-bound, for every ε.",
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    step(
        "disp:1454",
        2,
        f"{STATIONARY} <= {MOMENTS}",
        **LAYER_BY_LAYER,
        given=(*SETTING, HERE),
        proof=lambda claim: every.both_moments(),
        words="Both parts of lem:var-fourth-moment (the labels read a, a, b where the text explains a, b, c).",
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    step(
        "disp:1454",
        3,
        f"{MOMENTS} <= sigma[l]/2",
        **LAYER_BY_LAYER,
        given=(*SETTING, HERE),
        proof=lambda claim: every.halved(),
        words="η ≤ 1/(16 R²).",
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    summary="True with the standing step size (line 551), even with 1/15 for 1/2.",
)
