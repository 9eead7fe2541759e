"""The outer step: the minimiser of the subproblem, the momentum for a changing theta_k, the step size."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import sympy

from theory.claims.statement import Faithfulness
from theory.derivation.value import Derivation, Numbers, Opinion, Printed, Setting, Step
from theory.kernel import Verdict
from theory.papers.sada.derivations.symbols import Ll, alpha, h, lam

th, tp = sympy.symbols("th tp", positive=True)  # theta_k, theta_{k-1}
x, before, beta, grad, y, point = sympy.symbols("x p beta grad y point", real=True)
OUTER = "lem:outer-one-step"
TILDE = {
    r"\tilde{\theta}_k": "th",
    r"\theta_k": "th",
    r"\tilde{\theta}_{\max}": "top",
    r"\theta_{\max}": "top",
    "k-K/2": "j",
}


@lru_cache(maxsize=1)
def minimiser() -> Derivation:
    objective = grad * (point - y) + lam * (point - y) ** 2 / (2 * h)
    slope = sympy.diff(objective, point)
    found = sympy.expand(sympy.solve(slope, point)[0])
    return Derivation(
        name="minimiser",
        title="the minimiser of the subproblem: y~ - h Sigma^-1 grad F(y~)",
        source="the objective of the subproblem, in one eigen-direction",
        derived=found,
        steps=(
            Step("the objective", objective),
            Step("its derivative", slope),
            Step("vanishes at", sympy.Eq(point, found)),
        ),
        letter="m",
        solves=("grad + lam*(m - y)/h == 0",),
        setting=Setting(("h > 0", "lam > 0"), example={"h": "1", "lam": "1", "grad": "1", "y": "2"}),
        printed=(
            Printed(
                "disp:1684",
                r"\tilde{\mathbf{y}}_{k-1}-L_\ell h_k\mathbf{H}^{-1}\nabla F(\tilde{\mathbf{y}}_{k-1})",
                OUTER,
                Setting(
                    ("h > 0", "lam > 0", "Ll > 0"),
                    {"step": "grad/(Ll*lam)"},
                    example={"h": "1", "lam": "1", "Ll": "2", "grad": "1", "y": "2"},
                    scope="one eigen-direction, H = L_l Sigma; without r_k and v_k",
                ),
                names={r"\mathbf{H}^{-1}\nabla F(\tilde{\mathbf{y}}_{k-1})": "step", r"\tilde{\mathbf{y}}_{k-1}": "y"},
            ),
        ),
        opinion=Opinion("outer", _minimised),
    )


def _minimised(v: Numbers) -> tuple[dict[str, Any], Any]:
    """Gradient descent on the objective, to the end."""
    values = {"h": v["th"], "lam": v["Ll"], "grad": v["p"], "y": v["x"]}
    place = v["x"]
    for _ in range(400):
        place = place - (v["p"] + v["Ll"] * (place - v["x"]) / v["th"]) * v["th"] / (2 * v["Ll"])
    return values, place


@lru_cache(maxsize=1)
def momentum() -> Derivation:
    extrapolated = x + beta * (x - before)
    carried = x + (1 / tp - 1) * (x - before)  # z_{k-1} as the last step left it
    wanted = extrapolated + (extrapolated - x) / th  # z_{k-1} as this step's proof uses it
    found = sympy.factor(sympy.solve(sympy.Eq(carried, wanted), beta)[0])
    return Derivation(
        name="beta",
        title="the momentum beta_k for which the proof's identities hold, theta_k changing from tp to th",
        source="z_{k-1} as the last step leaves it, and as this step uses it",
        derived=found,
        steps=(
            Step("y_{k-1} = x_{k-1} + beta (x_{k-1} - x_{k-2})", extrapolated),
            Step("z_{k-1} as step k-1 leaves it", carried),
            Step("z_{k-1} = y_{k-1} + (y_{k-1} - x_{k-1})/theta_k, as step k uses it", wanted),
            Step("both are equal for", sympy.Eq(beta, found)),
            Step("which at constant theta is", sympy.factor(found.subs(tp, th))),
        ),
        hidden=3,
        letter="beta",
        solves=("x + (1/tp - 1)*(x-p) == (x + beta*(x-p)) + beta*(x-p)/th",),
        setting=Setting(("th > 0", "tp > 0"), example={"th": "1/8", "tp": "1/4", "x": "1", "p": "0"}),
        printed=(
            Printed(
                "disp:1702",
                r"\frac{1-\theta_k}{1+\theta_k}",
                OUTER,
                Setting(("th > 0", "tp >= th", "tp < 1"), example={"th": "1/4", "tp": "1/4"}),
                names=TILDE,
                expect=Verdict.REFUTED,
                faithfulness=Faithfulness.ALGORITHM,
                words="The identities of the proof need another beta_k when theta_k changes, as it does for k > K/2.",
            ),
            Printed(
                "disp:566",
                r"\frac{1-\tilde{\theta}_k}{1+\tilde{\theta}_k}",
                OUTER,
                Setting(("th > 0", "th < 1"), {"tp": "th"}, example={"th": "1/4"}, scope="theta constant, k <= K/2"),
                names=TILDE,
                words="While theta_k is constant, the printed momentum is the derived one.",
            ),
        ),
        opinion=Opinion("outer", _momentum),
    )  # fmt: skip


def _momentum(v: Numbers) -> tuple[dict[str, Any], Any]:
    """The beta for which the two z agree, by the secant through beta = 0 and beta = 1 (the gap is linear)."""

    def apart(beta_: Any) -> Any:
        y_ = v["x"] + beta_ * (v["x"] - v["p"])
        return y_ + (y_ - v["x"]) / v["th"] - (v["x"] + (1 / v["tp"] - 1) * (v["x"] - v["p"]))

    zero, one = apart(0), apart(1)
    return {"th": v["th"], "tp": v["tp"]}, zero / (zero - one)


@lru_cache(maxsize=1)
def step_size() -> Derivation:
    tied = sympy.Eq(th**2, Ll * h / (2 * alpha))
    found = sympy.solve(tied, h)[0]
    return Derivation(
        name="h",
        title="the outer step h_k that belongs to theta_k",
        source="theta_k^2 = L_l h_k/(2 alpha), line 1703",
        derived=found,
        steps=(Step("theta_k of the one-step lemma, squared", tied), Step("solved for h_k", sympy.Eq(h, found))),
        letter="h",
        solves=("th**2 == Ll*h/(2*alpha)",),
        setting=Setting(("Ll > 0", "alpha > 0"), example={"th": "1/4", "Ll": "1", "alpha": "2"}),
        printed=(
            Printed(
                "disp:566",
                r"\frac{2\alpha\tilde{\theta}_k^2}{L_\ell}",
                OUTER,
                Setting(("Ll > 0", "alpha > 0"), example={"th": "1/4", "Ll": "1", "alpha": "2"}),
                names=TILDE,
            ),
        ),
        opinion=Opinion("outer", _tied),
    )


def _tied(v: Numbers) -> tuple[Numbers, Any]:
    """The h with L_l h/(2 alpha) = theta^2, by halving an interval."""
    low, high = 0 * v["th"], 1 + 2 * v["alpha"] / v["Ll"]
    for _ in range(400):
        middle = (low + high) / 2
        low, high = (middle, high) if v["Ll"] * middle / (2 * v["alpha"]) < v["th"] ** 2 else (low, middle)
    return v, low


ALL = (minimiser, momentum, step_size)
