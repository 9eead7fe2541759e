"""The inner loop's parameters and hypotheses, written once.

The paper sets gamma = sqrt(eta/(kt mu))/4 and theta = sqrt(mu eta/kt)/4. Equivalently (this is `rem:hyperparameters`,
proved there) gamma = theta/mu and eta = 16 kt theta^2/mu: with theta, mu, kt free everything is rational.
"""

from __future__ import annotations

from theory.papers.sada.context import STEP_SIZE
from theory.papers.sada.derivations import derived

ETA = {"eta": "16*kt*theta**2/mu", "gam": "theta/mu"}
MOMENTUM = {"c": "(1-theta)/(1+theta)", "q": "(eta+theta*gam)/(1+theta)"}
HYPERPARAMETERS = {**ETA, **MOMENTUM}

# one eigenvalue lam of Sigma; eta <= 1/(16 R^2), and lam <= lam_max <= tr Sigma <= R^2
# the last one, theta <= 1/16, follows from the others: it is proved as lem:Pi-stationary-bound/disp:1248.theta
CHOICE = ("theta > 0", "mu > 0", "kt >= 1", "lam >= mu", "lam <= R2", STEP_SIZE.hypothesis)
ONE_EIGENVALUE = (*CHOICE, "16*theta <= 1")
ONE_EIGENVALUE_EXAMPLE = {"theta": "1/64", "mu": "1/8", "kt": "1", "lam": "1/2", "R2": "1"}

# every eigenvalue lam[1..d] of Sigma and the diagonal m[1..d] of a positive semidefinite matrix in its eigenbasis
EVERY_EIGENVALUE = (
    "theta > 0",
    "mu > 0",
    "kt >= 1",
    "forall(i, 1, d, lam[i] >= mu)",
    "forall(i, 1, d, lam[i] <= R2)",
    "forall(i, 1, d, m[i] >= 0)",
    STEP_SIZE.hypothesis,
    "16*theta <= 1",
)
EVERY_EIGENVALUE_EXAMPLE = {
    "theta": "1/64", "mu": "1/8", "kt": "2", "R2": "1", "d": "2", "lam": ["1/8", "1/2"], "m": ["1", "3"],
}  # fmt: skip

A_TRUE = derived("A_cq")
A_PRINTED = "[[0, 1-eta*lam], [c, 1+c-q*lam]]"
EYE = "[[1, 0], [0, 1]]"


def pi_22(lam: str = "lam") -> str:
    """The printed entry of Pi_infinity, for a unit diagonal element m."""
    return f"((1+c)*(q-c*eta)+c*eta*(q+c*eta)*{lam})/((2+2*c-(q+c*eta)*{lam})*(1-c+c*eta*{lam})*{lam})"
