"""One step of the bias iteration in deviations from x~_+*, in the eigenbasis of Sigma; every dimension, any samples.

y[i], z[i] are free; x = (1+theta) y - theta z and w = theta y + (1-theta) z. The sample has the coordinates a[w, i],
and T = a.y. Then x' = y - eta a T and z' = w - gamma a T. What is used of the distribution: E a (a.y) = Sigma y, and
Assumption fourth-moment at y.
"""

from __future__ import annotations

from typing import Any

from theory.papers.sada.inner_loop._facts import added
from theory.provers.tactics import Tactic, chain, have, termwise

X, W = "((1+theta)*y[i]-theta*z[i])", "(theta*y[i]+(1-theta)*z[i])"
T = "sum(j, 1, d, a[w, j]*y[j])"
NORM, SIGMA_NORM = "sum(i, 1, d, y[i]**2)", "sum(i, 1, d, lam[i]*y[i]**2)"
INVERSE_NORM = "sum(i, 1, d, y[i]**2/lam[i])"
NEW_X = f"sum(i, 1, d, mean(w, (y[i]-eta*a[w, i]*{T})**2))"
NEW_Z = f"sum(i, 1, d, mean(w, ({W}-gam*a[w, i]*{T})**2)/lam[i])"
OLD_X, OLD_Z = f"sum(i, 1, d, {X}**2)", "sum(i, 1, d, z[i]**2/lam[i])"
SECOND = f"forall(i, 1, d, mean(w, a[w, i]*{T}) == lam[i]*y[i])"
FOURTH_I = f"sum(i, 1, d, mean(w, a[w, i]**2*{T}**2)) <= R2*{SIGMA_NORM}"
FOURTH = f"sum(i, 1, d, mean(w, a[w, i]**2*{T}**2)/lam[i]) <= kt*{SIGMA_NORM}"
SPECTRUM = ("mu > 0", "forall(i, 1, d, lam[i] >= mu)", "forall(i, 1, d, lam[i] > 0)")
# what the contraction needs of the step sizes: less than the paper's choice
STEPS = (
    "theta > 0",
    "theta < 1",
    "gam > 0",
    "eta > 0",
    "kt >= 1",
    "gam*mu >= theta",
    "eta**2*R2+theta*gam*kt <= 2*eta",
)
GIVEN = (*STEPS, *SPECTRUM, SECOND, FOURTH_I, FOURTH)
CONTRACTS = f"{NEW_X}+theta/gam*{NEW_Z} <= (1-theta)*({OLD_X}+theta/gam*{OLD_Z})"
# d = 1, a = 1: Sigma = 1; y = z = 1, so that x = 1, too
EXAMPLE: dict[str, Any] = {
    "theta": "1/16",
    "gam": "1/16",
    "eta": "1/16",
    "kt": "1",
    "R2": "1",
    "mu": "1",
    "d": "1",
    "lam": ["1"],
    "y": ["1"],
    "z": ["1"],
    "p_w": ["1"],
    "a": [["1"]],
}


def energy_contracts() -> Tactic:
    """gamma times the difference: fourth moments, and a sum over eigen-directions of squares.

    Positions: 0 theta > 0, 1 theta < 1, 2 gamma > 0, 5 gamma mu >= theta, 6 the room, 8 lam_k >= mu, 9 lam_k > 0,
    10 the second moment, 11 and 12 the fourth, 13 and 14 the range of k, 15 gamma lam_k >= theta.
    """
    wide = have("gam*lam_k >= theta", added(("1", [5], ""), ("1", [2, 8], "")), then=_squares())
    last = added(("1", [13], ""), ("1", [2, 11], "eta"), ("1", [0, 2, 2, 12], ""), multiplier=[2])
    return chain((f"sum(i, 1, d, {_in_one_direction()}) >= 0", termwise("sum", wide, index="k")), then=last)


def _in_one_direction() -> str:
    """gamma times (1-theta) (old energy) minus the new one, fourth moments replaced by their bounds."""
    drift = f"mean(w, a[w, i]*{T})"
    old = f"gam*(1-theta)*{X}**2+theta*(1-theta)*z[i]**2/lam[i]"
    new_x = f"gam*(y[i]**2-2*eta*y[i]*{drift}+eta**2*R2*lam[i]*y[i]**2)"
    new_z = f"theta*({W}**2-2*gam*{W}*{drift})/lam[i]+theta*gam**2*kt*lam[i]*y[i]**2"
    return f"{old}-{new_x}-({new_z})"


def _squares() -> Tactic:
    drift = "2*gam*eta*lam_k*y_k+2*theta*gam*(theta*y_k+(1-theta)*z_k)"
    return added(
        ("1", [1, 2, 9], "theta*y_k-theta*z_k"),
        ("1", [0, 15], "y_k"),
        ("1", [1], "theta*(y_k-z_k)"),
        ("1", [6, 2, 9, 9], "y_k"),
        multiplier=[9],
        modulo=[(10, drift)],
    )
