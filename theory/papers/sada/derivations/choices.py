"""The hyperparameters: gamma and theta from theta = mu gamma and eta = 16 kappa~ theta gamma; when q >= eta."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import sympy

from theory.derivation.value import Derivation, Numbers, Opinion, Printed, Setting, Step
from theory.papers.sada.derivations import _runs as runs
from theory.papers.sada.derivations.block import slope
from theory.papers.sada.derivations.symbols import eta, gam, kt, mu, theta
from theory.papers.sada.derivations.update import POINT

OWNER = "rem:hyperparameters"
TIED = sympy.Eq(theta, mu * gam)
STEP_SIZE = sympy.Eq(eta, 16 * kt * theta * gam)
HERE = Setting(("mu > 0", "eta > 0", "kt > 0"), example={"mu": "1", "eta": "1/16", "kt": "1"})
SQUARED = ("({printed})**2 == {derived}", "{printed} >= 0")


def _squared(name: str, found: sympy.Expr, tex: str, letter: str, steps: tuple[Step, ...], solves: str) -> Derivation:
    return Derivation(
        name=name,
        title=f"the square of {name.split('_')[0]}, from the two identities that the proofs use",
        source="theta = mu gamma and eta = 16 kappa~ theta gamma",
        derived=found,
        steps=(Step("what the bias bound needs", TIED), Step("what the stationary bound uses", STEP_SIZE), *steps),
        hidden=2,
        letter=letter,
        solves=(solves,),
        setting=HERE,
        printed=(Printed("disp:555", tex, OWNER, HERE, says=SQUARED),),
        opinion=Opinion("choices", lambda v: (v, _bisected(v, name))),
    )


@lru_cache(maxsize=1)
def gamma_squared() -> Derivation:
    one = STEP_SIZE.subs(theta, TIED.rhs)
    found = sympy.solve(one, gam**2)[0]
    steps = (Step("theta put into the second", one), Step("solved for gamma^2", sympy.Eq(gam**2, found)))
    return _squared(
        "gamma_squared", found, r"\frac{1}{4}\sqrt{\frac{\eta}{\tilde{\kappa}\mu}}", "g2", steps, "eta == 16*kt*mu*g2"
    )


@lru_cache(maxsize=1)
def theta_squared() -> Derivation:
    one = STEP_SIZE.subs(gam, sympy.solve(TIED, gam)[0])
    found = sympy.solve(one, theta**2)[0]
    steps = (Step("gamma = theta/mu put into the second", one), Step("solved for theta^2", sympy.Eq(theta**2, found)))
    return _squared(
        "theta_squared", found, r"\frac{1}{4}\sqrt{\frac{\mu\eta}{\tilde{\kappa}}}", "t2", steps, "eta*mu == 16*kt*t2"
    )


def _bisected(v: Numbers, name: str) -> Any:
    """gamma > 0 with 16 kappa~ (mu gamma) gamma = eta, by halving an interval."""
    low, high = 0 * v["eta"], 1 + v["eta"] / v["mu"]
    for _ in range(400):
        middle = (low + high) / 2
        low, high = (middle, high) if 16 * v["kt"] * (v["mu"] * middle) * middle < v["eta"] else (low, middle)
    return low**2 if name == "gamma_squared" else (v["mu"] * low) ** 2


@lru_cache(maxsize=1)
def q_minus_eta() -> Derivation:
    found = sympy.factor(slope() - eta)
    return Derivation(
        name="q-eta",
        title="q - eta: lambda_L and lambda_U are real exactly when gamma >= eta",
        source="q as it falls out of the algorithm",
        derived=found,
        steps=(Step("q", slope()), Step("q - eta, factored", found)),
        letter="d",
        solves=("d == (eta + theta*gam)/(1+theta) - eta",),
        setting=Setting(("theta > 0",), example=POINT),
        opinion=Opinion("inner", lambda v: (v, runs.kick(v)[1] - v["eta"])),
    )


ALL = (gamma_squared, theta_squared, q_minus_eta)
