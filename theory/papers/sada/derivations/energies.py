"""Energies whose weights fall out: of the power bound, of the bias, of the outer step. Each has one unknown weight,
found by asking that the one term of unknown sign cancels."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import sympy

from theory.claims.statement import Faithfulness
from theory.derivation.value import Derivation, Numbers, Opinion, Printed, Setting, Step
from theory.kernel import Verdict
from theory.papers.sada.derivations import _runs as runs
from theory.papers.sada.derivations.algorithm import EXTRAPOLATE, MOMENTUM
from theory.papers.sada.derivations.block import in_letters
from theory.papers.sada.derivations.inverse import letters
from theory.papers.sada.derivations.symbols import Ll, g, h, lam, p, theta, x, y, z

omega, d, w = sympy.symbols("omega d w", real=True)


@lru_cache(maxsize=1)
def power_energy() -> Derivation:
    """omega x^2 + d^2 with d = y - x: which omega leaves no product y d in its decrease?"""
    after = in_letters() * sympy.Matrix([y - d, y])
    before_energy = omega * (y - d) ** 2 + d**2
    after_energy = omega * after[0] ** 2 + (after[1] - after[0]) ** 2
    decrease = sympy.expand(before_energy - after_energy)
    mixed = decrease.coeff(y, 1).coeff(d, 1)
    weight = sympy.factor(sympy.solve(mixed, omega)[0])
    found = sympy.Matrix([weight, *(sympy.factor(decrease.coeff(one, 2).subs(omega, weight)) for one in (y, d))])
    return Derivation(
        name="power-energy",
        title="the energy omega x^2 + (y - x)^2 of lem:A-power-bound: omega, and what it loses in y^2 and (y - x)^2",
        source="one step of the pair (x, y), d = y - x",
        derived=found,
        steps=(
            Step("the pair after a step, x = y - d", after),
            Step("energy before minus energy after", decrease),
            Step("the coefficient of y d", mixed),
            Step("vanishes for", sympy.Eq(omega, weight)),
            Step("then the decrease is", found[1] * y**2 + found[2] * d**2),
        ),
        hidden=3,
        letter="w",
        solves=(
            "w[1]*x**2 + (y-x)**2 - w[1]*(u*y)**2 - ((-c*x + (1+c-q*lam)*y) - u*y)**2 == w[2]*y**2 + w[3]*(y-x)**2",
        ),
        setting=Setting(
            (), {"u": "1-eta*lam"}, example={"c": "1/2", "eta": "1", "q": "1", "lam": "1/2", "x": "1", "y": "2"}
        ),
        opinion=Opinion("inner", _power_energy),
    )


def _power_energy(v: Numbers) -> tuple[dict[str, Any], Any]:
    """The weight is read off from three runs: the decrease has no mixed term, so it is even in d."""
    values = letters(v)

    def lost(weight: Any, y_: Any, d_: Any) -> Any:
        a, b = runs.step(v, (y_ - d_, y_), v["lam"])
        return weight * ((y_ - d_) ** 2 - a**2) + d_**2 - (b - a) ** 2

    odd = [lost(weight, 1, 1) - lost(weight, 1, -1) for weight in (0, 1)]
    weight = odd[0] / (odd[0] - odd[1])
    return values, [weight, lost(weight, 1, 0), lost(weight, 0, 1)]


@lru_cache(maxsize=1)
def bias_weight() -> Derivation:
    r"""|x|^2 + omega |z|^2_{Sigma^-1}: the mean of one step, with y^2 split so that y w appears."""
    mixture = theta * y + (1 - theta) * z
    x_before = sympy.solve(EXTRAPOLATE, x)[0]
    # y^2 = (1-theta) x^2 + 2 y (y - (1-theta) x) - theta y^2 - (1-theta)(y-x)^2, an identity
    split = (1 - theta) * x**2 + 2 * y * (y - (1 - theta) * x) - theta * y**2 - (1 - theta) * (y - x) ** 2
    towards = sympy.factor((y - (1 - theta) * x_before).subs(z, sympy.solve(sympy.Eq(w, mixture), z)[0]))
    z_after = MOMENTUM.rhs.subs(g, p * y).subs(mixture, w)
    square = sympy.expand(z_after**2).subs(p, lam) / lam  # p enters the mixed term once: its mean is lambda
    mixed = 2 * towards.coeff(w) + omega * sympy.expand(square).coeff(w, 1).coeff(y, 1)
    found = sympy.solve(mixed, omega)[0]
    return Derivation(
        name="bias-weight",
        title="the weight of |z|^2 in the energy of the bias",
        source="the three lines of Algorithm 1 without noise, w = theta y + (1 - theta) z",
        derived=found,
        steps=(
            Step("|x_t|^2 contains y^2, which is (an identity)", split),
            Step("there y - (1 - theta) x is", sympy.Eq(sympy.Symbol("y - (1-theta) x"), towards)),
            Step("z_t, with the gradient p y", z_after),
            Step("its square over lambda, in the mean", square),
            Step("the coefficient of y w in the energy", mixed),
            Step("vanishes for", sympy.Eq(omega, found)),
        ),
        hidden=5,
        letter="omega",
        solves=(
            "mean(w, (y - eta*P[w]*y)**2 + omega*(theta*y + (1-theta)*z - gam*P[w]*y)**2/lam)"
            " == (1-theta)*(x**2 + omega*z**2/lam) - theta*y**2 - (1-theta)*(y-x)**2"
            " + omega*(theta*y**2 - theta*(1-theta)*(y-z)**2)/lam"
            " - 2*eta*lam*y**2 + eta**2*mean(w, P[w]**2)*y**2 + omega*gam**2*mean(w, P[w]**2)*y**2/lam",
        ),
        setting=Setting(
            ("theta > 0", "gam > 0", "mean(w, P[w]) > 0"),
            {"y": "(x + theta*z)/(1+theta)", "lam": "mean(w, P[w])"},
            example={"theta": "1/16", "eta": "1/16", "gam": "1/4", "x": "1", "z": "2", "p_w": ["1/2", "1/2"],
                     "P": ["1/2", "3/2"]},
            scope="one eigen-direction, every distribution of p on a finite space: with this weight every term on the"
            " right but the first has a sign of its own",
        ),
        printed=tuple(
            Printed(
                display,
                r"\frac{\theta}{2\gamma}",
                "lem:bias-bound",
                Setting(("theta > 0", "theta < 1", "gam > 0"), example={"theta": "1/16", "gam": "1/4"}),
                expect=Verdict.REFUTED,
                faithfulness=Faithfulness.CONSTANT,
                words="Beside |x_t|^2 the weight of |z_t|^2 is theta/gamma; theta/(2 gamma) belongs to |x_t|^2/2.",
            )
            for display in ("disp:1570",)
        ),
        opinion=Opinion("inner", lambda v: (v, _bias_weight(v))),
    )  # fmt: skip


def _bias_weight(v: Numbers) -> Any:
    """From runs: the mixed derivative in (y, w) of y^2 split as above, and of z_t^2/lambda."""
    theta_, lam_ = v["theta"], v["lam"]

    def x_and_z(y_: Any, w_: Any) -> tuple[Any, Any]:
        z_ = (w_ - theta_ * y_) / (1 - theta_)
        return (1 + theta_) * y_ - theta_ * z_, z_

    def inner(y_: Any, w_: Any) -> Any:
        return 2 * y_ * (y_ - (1 - theta_) * x_and_z(y_, w_)[0])

    def squared(y_: Any, w_: Any) -> Any:
        x_, _ = x_and_z(y_, w_)
        x_new, y_new = runs.step(v, (x_, y_), lam_)
        z_new = ((1 + theta_) * y_new - x_new) / theta_
        return z_new**2 / lam_

    one = v["theta"] / v["theta"]

    def mixed(f: Any) -> Any:
        return f(one, one) - f(one, 0 * one) - f(0 * one, one)

    return -mixed(inner) / mixed(squared)


@lru_cache(maxsize=1)
def outer_weight() -> Derivation:
    """F(x_k) - F* + omega |z_k - x*|_H^2 without noise: deviations from x*, the gradient a letter, one coordinate."""
    th = sympy.Symbol("th", positive=True)
    grad = sympy.Symbol("grad", real=True)  # of F at y, in the coordinates in which H is the identity
    towards = th * w  # y - (1 - theta) x, for w = (1 - theta) z + theta y
    x_after = y - Ll * h * grad
    z_after = sympy.expand(w + (x_after - y) / th)
    mixed = towards.coeff(w) * grad + omega * sympy.expand(z_after**2).coeff(w, 1)
    found = sympy.solve(mixed, omega)[0]
    return Derivation(
        name="outer-weight",
        title="the weight of |z_k - x*|_H^2 beside F(y_{k-1}) in the energy of the outer loop",
        source="convexity towards (1 - theta) x_{k-1} + theta x*, and one outer step without noise",
        derived=found,
        steps=(
            Step("the gradient stands, by convexity, in a product with y - (1-theta) x, which is", towards),
            Step("the outer step", sympy.Eq(sympy.Symbol("x_k"), x_after)),
            Step("z_k = w + (x_k - y)/theta", z_after),
            Step("terms in w and in the gradient: from convexity, and from z_k^2", mixed),
            Step("cancel for", sympy.Eq(omega, found)),
        ),
        hidden=4,
        letter="omega",
        solves=("th*grad*w - omega*(w**2 + (zk - w)**2 - zk**2) == 0",),
        setting=Setting(
            ("th > 0", "h > 0", "Ll > 0"),
            {"zk": "w - Ll*h*grad/th"},
            example={"th": "1/4", "h": "1", "Ll": "1", "grad": "1", "w": "2"},
            scope="one coordinate in which H is the identity",
        ),
        printed=tuple(
            Printed(
                display,
                r"\frac{\theta_k^2}{2L_\ell h_k}",
                "lem:outer-one-step",
                Setting(
                    ("th > 0", "h > 0", "Ll > 0"),
                    {"zk": "w - Ll*h*grad/th"},
                    example={"th": "1/4", "h": "1", "Ll": "1", "grad": "1", "w": "2"},
                    scope="one coordinate in which H is the identity, without noise; w is w_{k-1} - x*, zk is z_k - x*",
                ),
                says=("th*grad*w - {printed}*(w**2 + (zk - w)**2 - zk**2) == 0",),
                names={r"\theta_k": "th"},
                words="With the printed weight, which is the derived one, the terms in w and the gradient cancel.",
            )
            for display in ("disp:1765", "disp:1774")
        ),
        opinion=Opinion("outer", _outer_weight),
    )


def _outer_weight(v: Numbers) -> tuple[dict[str, Any], Any]:
    """On F = x^2/2 in one coordinate: a run of one outer step from (x, y), the mixed terms read off."""
    th, ll, step_ = v["th"], v["Ll"], 2 * v["alpha"] * v["th"] ** 2 / v["Ll"]

    def squared(grad: Any, w_: Any) -> Any:
        y_ = w_  # any y will do: only the difference x_k - y enters
        x_new = y_ - ll * step_ * grad
        return (w_ + (x_new - y_) / th) ** 2

    one, zero = th / th, th - th
    mixed = squared(one, one) - squared(one, zero) - squared(zero, one)
    return {"th": th, "Ll": ll, "h": step_}, -th / mixed


ALL = (power_energy, bias_weight, outer_weight)
