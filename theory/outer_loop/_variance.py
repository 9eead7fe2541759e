"""The inner loop's variance with other weights for the three parts of the noise: x + y + z <= 1 where the paper has
1/5, 2/5, 2/5. The factor of tr(Sigma^-1 Q) becomes 1/x. With x = 13/14 and y = z = 1/28 the part that L_eff multiplies
is still not larger than the printed L_eff.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from theory.inner_loop._facts import PLAIN, added, at
from theory.inner_loop._noise import GAP, TR_Q, TR_SIGMA_Q
from theory.inner_loop.lem_c_1_bound import T, every, given, layers
from theory.inner_loop.lem_pi_average_bound import L_VAR
from theory.inner_loop.lem_pi_stationary_bound import LEFT as SIGMA_0
from theory.inner_loop.lem_var_tilde_c_bound import IS_R, IS_R_I
from theory.provers.tactics import Tactic, cite, have

X, Y, Z = Fraction(13, 14), Fraction(1, 28), Fraction(1, 28)
RATIO, AVERAGE = 8, 16
GIVEN = given(AVERAGE, RATIO)
ALL = Fraction(RATIO, RATIO - 1)  # 1 + 1/8 + 1/64 + ...
# all layers together: (16 + 8/7) tr(Sigma^-1 R) + 16 (8/7) kt eta tr R, over T
WHOLE, PART = AVERAGE + ALL, AVERAGE * ALL
NEAR, FAR = WHOLE / X, PART / X
L_EFF = f"2*({WHOLE}*(L/({Y})+kt/({Z}))+{PART}*eta*kt*(B/({Y})+R2/({Z})))"
SAYS = f"{L_VAR}+{layers(AVERAGE, RATIO)}[3] <= ({NEAR}*{TR_SIGMA_Q}+{FAR}*eta*kt*{TR_Q})/{T}+Ll*({L_EFF})*{GAP}/{T}"
EVERY: dict[str, Any] = {**every(AVERAGE, RATIO), "display": ""}


def proof() -> Tactic:
    """(p+1) mu times the goal: average and stationary bounds, the geometric sum, both noise bounds."""
    average, stationary, total, noise, noise_i, half, kt = (len(GIVEN) + i for i in range(7))
    mu, top = at(GIVEN, "mu > 0"), len(GIVEN) - 1
    far = PART / 2
    last = added(
        ("1", [mu, half, average], ""),
        ("1", [mu, half, total], ""),
        (f"{far}", [mu, kt, top], ""),
        (f"{far}", [mu, kt, stationary], ""),
        (f"{WHOLE / 2}", [mu, noise], ""),
        (f"{16 * far}", [kt, kt, noise_i], "theta"),
        multiplier=[mu, half],
        modulo=[
            (at(GIVEN, IS_R), f"-{WHOLE / 2}*mu"),
            (at(GIVEN, IS_R_I), f"-{16 * far}*kt**2*theta**2"),
            (at(GIVEN, f"s0 == {SIGMA_0}"), f"-{far}*mu*kt"),
        ],
    )
    weights = {"x": str(X), "y": str(Y), "z": str(Z)}
    positive = have("p+1 > 0", PLAIN, then=have("kt > 0", PLAIN, then=last))
    inner = cite("lem:noise-bound-2-norm/sharper", weights, then=positive)
    noises = cite("lem:noise-bound-Sigma-inverse/sharper", weights, then=inner)
    scale = {"g": f"{AVERAGE}*kt/{T}"}
    summed = cite(f"lem:C-1-bound/sharper#sum of {RATIO}", scale, then=noises)
    return cite("lem:Pi-average-bound/sharper", then=cite("lem:Pi-stationary-bound/sharper", then=summed))
