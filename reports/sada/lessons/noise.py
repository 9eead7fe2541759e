"""Lesson 2, noise finds its level: Pi_t climbs to Pi_infinity; the step and kappa~ decide how high that is."""

from __future__ import annotations

import math
from functools import partial

import numpy as np

from numerics.covariance import core_covariance, stationary_core
from numerics.designs import Gaussian
from numerics.operators import StepSizes
from reports.charts import Chart, Level, Series, draw
from reports.sada.lessons.model import Claims, Exercise, Lesson, Numbers, Picture, Readout, Slider, Values


def chosen(mu: float, kt: float, eta: float) -> StepSizes:
    """The paper's hyperparameters."""
    return StepSizes(eta, math.sqrt(mu * eta / kt) / 4, math.sqrt(eta / (kt * mu)) / 4)


def level(steps: StepSizes, lam: float) -> float:
    """lam Pi_infinity(lam)_22 for noise of second moment lam."""
    return float(lam * stationary_core(Gaussian([[lam]]), steps, [[lam]]).c22[0, 0])


def height(steps: StepSizes, lam: float, t: int) -> float:
    """The same after t steps."""
    return float(lam * core_covariance(Gaussian([[lam]]), steps, [[lam]], t).c22[0, 0])


def _ninety(steps: StepSizes, lam: float) -> int:
    """The first t at nine tenths of the level; Pi_t only grows, so that bisection finds it."""
    goal, low, high = 0.9 * level(steps, lam), 0, 1
    while height(steps, lam, high) < goal:
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if height(steps, lam, middle) < goal else (low, middle)
    return high


def bound(kt: float, eta: float, lam: float, first: float, second: float) -> float:
    """1/(first kt) + second eta lam: lem:Pi-stationary-bound for one direction with M = Sigma."""
    return 1 / (first * kt) + second * eta * lam


def numbers(v: Values) -> Numbers:
    lam = v["mu"] * v["spread"]
    steps = chosen(v["mu"], v["kt"], v["eta"])
    top, now = level(steps, lam), height(steps, lam, int(v["t"]))
    return {
        "lam": lam,
        "theta": steps.theta,
        "gamma": steps.gamma,
        "level": top,
        "now": now,
        "share": now / top,
        "ninety": _ninety(steps, lam),
        "printed": bound(v["kt"], v["eta"], lam, 4, 4),
        "sharper": bound(v["kt"], v["eta"], lam, 16, 1),
        "sharpest": bound(v["kt"], v["eta"], lam, 30, 8 / 15),
        "ratio": top / bound(v["kt"], v["eta"], lam, 30, 8 / 15),
    }


def pictures() -> tuple[Picture, ...]:
    v = LESSON.start
    steps, lam = chosen(v["mu"], v["kt"], v["eta"]), v["mu"] * v["spread"]
    times = [int(t) for t in np.linspace(0, 4 * _ninety(steps, lam), 160)]
    climb = Series("iteration", times, [height(steps, lam, t) for t in times])
    curvatures = [float(x) for x in np.geomspace(v["mu"], 1, 60)]
    at = partial(bound, v["kt"], v["eta"])
    curves = (
        Series("level", curvatures, [level(steps, x) for x in curvatures]),
        Series("1/30, 8/15", curvatures, [at(x, 30, 8 / 15) for x in curvatures], style="dash"),
        Series("1/16, 1", curvatures, [at(x, 16, 1) for x in curvatures], style="dash"),
        Series("printed: 1/4, 4", curvatures, [at(x, 4, 4) for x in curvatures], style="dash"),
    )
    levels = (Level(level(steps, lam), "closed form"),)
    return (
        Picture(
            "climb",
            draw(Chart("One direction fills up", "steps t", "λ² Π_t,22", (climb,), levels=levels, height=360)),
            "The noise in one direction, by iteration, and the closed form of its limit.",
        ),
        Picture(
            "levels",
            draw(Chart("The level", "curvature λ", "λ² Π_22", curves, log_x=True, log_y=True, height=380)),
            "The level against the curvature, with the bounds $1/(a\\tilde\\kappa)+b\\eta\\lambda$.",
        ),
    )


LESSON = Lesson(
    number=2,
    slug="noise-finds-its-level",
    title="Noise finds its level",
    goal="See gradient noise fill an eigendirection up to a level, and what sets the level.",
    before=(
        "Each sample brings noise. Replace $\\mathbf{a}\\mathbf{a}^\\top$ by its mean $\\Sigma$: what is left, the "
        "core dynamics, lives in one eigendirection at a time,",
        r"$$\Pi_t=A\,\Pi_{t-1}A^\top+m\begin{pmatrix}\eta^2&\eta q\\\eta q&q^2\end{pmatrix},\quad \Pi_0=0.$$",
        "$\\Pi_t$ only grows (lem:Pi-increasing), and it stops at $\\Pi_\\infty$, for which the paper has a closed "
        "form (lem:Pi-infinity). Here the noise of a direction is $m=\\lambda$, as for least squares with unit "
        "label noise, and the height of the water is $\\lambda\\,\\Pi_{22}$, its share in the risk.",
        "The hyperparameters are the paper's: $\\gamma=\\frac{1}{4}\\sqrt{\\eta/(\\tilde\\kappa\\mu)}$ and "
        "$\\theta=\\frac{1}{4}\\sqrt{\\mu\\eta/\\tilde\\kappa}$. The scale of the data is $R^2=1$, so "
        "$\\eta\\leq1/16$.",
    ),
    controls=(
        Slider("eta", "step $\\eta$", 1e-3, 1 / 16, 1 / 16, log=True),
        Slider("kt", "$\\tilde\\kappa$", 1, 30, 5, log=True),
        Slider("mu", "smallest eigenvalue $\\mu$", 1e-3, 0.03, 0.01, log=True),
        Slider("spread", "$\\lambda/\\mu$ of this direction", 1, 30, 3, log=True),
        Slider("t", "steps $t$", 1, 20000, 300, step=1, log=True, whole=True),
    ),
    readouts=(
        Readout("lam", "$\\lambda$"),
        Readout("theta", "$\\theta$"),
        Readout("gamma", "$\\gamma$"),
        Readout("now", "$\\lambda\\Pi_{t,22}$ by iteration"),
        Readout("level", "$\\lambda\\Pi_{\\infty,22}$ in closed form"),
        Readout("share", "share of the level reached"),
        Readout("ninety", "steps to nine tenths"),
        Readout("printed", "printed bound"),
        Readout("sharper", "bound with 1/16 and 1"),
        Readout("sharpest", "bound with 1/30 and 8/15"),
        Readout("ratio", "level over the last bound"),
    ),
    numbers=numbers,
    pictures=pictures,
    after=(
        "The bounds have two parts. One, $1/(a\\tilde\\kappa)$, is for the noise that momentum remembers: a larger "
        "$\\tilde\\kappa$ makes the paper choose a smaller $\\gamma$. The other, $b\\eta\\lambda$, plain SGD has "
        "too. The paper proves "
        "$\\langle\\operatorname{diag}(0,\\Sigma),\\Pi_\\infty(M)\\rangle\\leq"
        "\\frac{1}{4\\tilde\\kappa}\\operatorname{tr}(\\Sigma^{-1}M)+4\\eta\\operatorname{tr}M$; the "
        "kernel proves it with 1/30 and 8/15.",
        "Why it matters: the level decides how much of the noise the fluctuation of the data feeds back, which is "
        "the factor between the layers of the next lesson.",
    ),
    exercises=(
        Exercise(
            "With $\\mu=\\lambda=0.01$, $\\tilde\\kappa=5$, $\\eta=1/16$: what is the level "
            "$\\lambda\\Pi_{\\infty,22}$?",
            lambda: level(chosen(0.01, 5, 1 / 16), 0.01),
            "Set the sliders; the address can be typed too: #eta=0.0625&kt=5&mu=0.01&spread=1.",
            "Read off the closed form; the iteration agrees with it.",
        ),
        Exercise(
            "At the same place, by which factor does the printed bound overshoot the level?",
            lambda: bound(5, 1 / 16, 0.01, 4, 4) / level(chosen(0.01, 5, 1 / 16), 0.01),
            "Divide the printed bound by the level.",
            "The printed constants lose this factor; most of it goes on into the constant of the theorem (lesson 8).",
            tolerance=0.02,
        ),
        Exercise(
            "Multiply $\\tilde\\kappa$ by four and leave all else. What happens to $\\theta$?",
            lambda: 1.0,
            "Look at the formula of theta.",
            "$\\theta$ goes with $1/\\sqrt{\\tilde\\kappa}$.",
            choices=("it stays", "it halves", "it doubles", "it falls to a quarter"),
        ),
    ),
    derive="Pi_22",
    claims=Claims(
        (
            ("lem:Pi-increasing", "$\\Pi_t$ grows"),
            ("lem:Pi-infinity", "the printed entry of the limit"),
            ("lem:Pi-infinity/sharper#all entries", "all entries of the limit"),
            ("lem:Pi-stationary-bound", "the bound with 1/4 and 4"),
            ("lem:Pi-stationary-bound/sharper#2/15 of it", "the bound with 1/30 and 8/15"),
        )
    ),
)
