"""Lesson 4, why average the tail: bias against variance of the tail average, and the rule for T."""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np

from numerics.covariance import bias_average, bias_covariance, covariance, variance_average
from numerics.operators import StepSizes
from numerics.parameters import printed_horizon, repaired_horizon
from reports.charts import Chart, Level, Series, draw
from reports.sada.lessons.layers import gaussian, steps_of
from reports.sada.lessons.model import Claims, Exercise, Lesson, Numbers, Picture, Readout, Slider, Values

DIM = 4


def _even(t: float) -> int:
    """The smallest even number that is at least t, and at least 2."""
    return max(2, 2 * math.ceil(t / 2))


@lru_cache(maxsize=1024)
def parts(kappa: float, t: int) -> tuple[float, float, float, float]:
    """Variance for unit noise and bias for |x_0|_Sigma = 1: of the tail average, then of the last iterate."""
    design = gaussian(DIM, kappa)
    steps, start = steps_of(design, 1.0), 1 / np.sqrt(DIM * design.eigenvalues)
    last = covariance(design, steps, design.sigma, t), bias_covariance(design, steps, start, t)
    return (
        variance_average(design, steps, design.sigma, t),
        bias_average(design, steps, start, t),
        last[0].x_energy(design.sigma),
        last[1].x_energy(design.sigma),
    )


def rules(kappa: float, theta_last: float) -> tuple[StepSizes, int, int]:
    """The hyperparameters, and T by the printed and by the repaired rule."""
    design = gaussian(DIM, kappa)
    steps = steps_of(design, 1.0)
    printed = printed_horizon(design.mu, steps.eta, design.kappa_tilde, kappa, theta_last)
    return steps, _even(printed), _even(repaired_horizon(steps.theta, kappa, theta_last))


def numbers(v: Values) -> Numbers:
    kappa, t, noise = float(v["kappa"]), int(v["t"]), float(v["noise"])
    steps, printed, repaired = rules(kappa, float(v["last"]))
    variance, bias, late, stays = parts(kappa, t)
    return {
        "theta": steps.theta,
        "variance": noise * variance,
        "bias": bias,
        "total": noise * variance + bias,
        "single": noise * late + stays,
        "gain": (noise * late + stays) / (noise * variance + bias),
        "limit": 2 * DIM * noise / t,
        "printed": printed,
        "repaired": repaired,
        "needed": 3 * v["last"] ** 2 / 16,
        "atprinted": parts(kappa, printed)[1],
        "atrepaired": parts(kappa, repaired)[1],
    }


def pictures() -> tuple[Picture, ...]:
    v = LESSON.start
    _, printed, repaired = rules(v["kappa"], v["last"])
    times = sorted({_even(float(t)) for t in np.geomspace(2, 30000, 40)})
    rows = [parts(v["kappa"], t) for t in times]
    series = (
        Series("variance", times, [v["noise"] * r[0] for r in rows]),
        Series("bias", times, [r[1] for r in rows]),
        Series("tail average", times, [v["noise"] * r[0] + r[1] for r in rows]),
        Series("last iterate", times, [v["noise"] * r[2] + r[3] for r in rows], style="dash"),
    )
    levels = (Level(printed, "T printed", vertical=True), Level(repaired, "T repaired", vertical=True))
    return (
        Picture(
            "risk",
            draw(
                Chart("Risk of the tail average", "steps T", "risk", series, True, True, levels, y_range=(1e-8, 10.0))
            ),
            "Bias falls like $(1-\\theta)^{T}$, variance like $1/T$; the last iterate stops at the level of lesson 2.",
        ),
    )


LESSON = Lesson(
    number=4,
    slug="why-average-the-tail",
    title="Why average the tail",
    goal="See what the mean over the second half buys, and how long an inner loop has to be.",
    before=(
        "The last iterate stops at the noise level of lesson 2, however long it runs. The mean over the steps "
        "$T/2<t\\leq T$ does better: its variance, written $\\mathcal{L}_{var}$ in the paper, falls like $1/T$, "
        "because distant iterates share little noise,",
        r"$$\mathcal{L}_{var}=\frac{4}{T^2}\Big\langle\operatorname{diag}(\Sigma,0),\sum_{s,t=T/2+1}^{T}"
        r"A^{\max(s-t,0)}C_{\min(s,t)}(A^{\max(t-s,0)})^\top\Big\rangle.$$",
        "The start is forgotten too: bias falls like $(1-\\theta)^T$ or faster. Here the data are Gaussian in four "
        "dimensions, the step is $\\eta=1/(16R^2)$, the start has $\\|x_0\\|_\\Sigma=1$ shared equally by all "
        "directions.",
        "The proof of the outer loop asks for a bias below $\\frac{3}{16}\\theta_K^2$. The appendix asks for "
        "$T\\geq\\sqrt{\\tilde\\kappa/(\\mu\\eta)}\\,\\ln\\kappa\\,\\ln(4/\\theta_K^2)$: a product of logarithms "
        "where the argument gives the logarithm of a product. The repaired rule is the smallest $T$ with "
        "$2\\kappa(1-\\theta)^{T/2+1}\\leq\\frac{3}{16}\\theta_K^2$.",
    ),
    controls=(
        Slider("kappa", "$\\kappa(\\Sigma)$", 1, 300, 30, log=True),
        Slider("t", "steps $T$", 2, 30000, 8000, step=2, log=True, whole=True),
        Slider("noise", "noise $\\sigma^2$", 1e-4, 1, 0.01, log=True),
        Slider("last", "$\\theta_K$ of the outer loop", 0.01, 0.25, 0.1, log=True),
    ),
    readouts=(
        Readout("theta", "$\\theta$"),
        Readout("variance", "variance of the tail average"),
        Readout("bias", "bias of the tail average"),
        Readout("total", "together"),
        Readout("single", "last iterate"),
        Readout("gain", "what averaging gains"),
        Readout("limit", "$2d\\sigma^2/T$"),
        Readout("printed", "$T$ by the printed rule"),
        Readout("repaired", "$T$ by the repaired rule"),
        Readout("needed", "bias that is needed"),
        Readout("atprinted", "bias at the printed $T$"),
        Readout("atrepaired", "bias at the repaired $T$"),
    ),
    numbers=numbers,
    pictures=pictures,
    after=(
        "Move $\\kappa$ to 1: the printed rule asks for nothing at all, since $\\ln1=0$, and the bias at $T=2$ is "
        "far above what is needed. For larger $\\kappa$ the printed $T$ may happen to do for this start, but no "
        "argument says so: it spends the decay of $T$ steps where the average begins at $T/2$. The repaired rule is "
        "proved for every start, and generous: the exact bias there is far below what is needed.",
        "Half of the samples are thrown away, so that the best that a tail average can do is $d\\sigma^2/(T/2)$. "
        "The kernel proves $(2/T)(1+2/(T\\theta))\\operatorname{tr}(\\Sigma^{-1}M)$ for layer 0, where the paper "
        "has $64\\operatorname{tr}(\\Sigma^{-1}M)/T$.",
    ),
    exercises=(
        Exercise(
            "With $\\kappa=1$ and $\\theta_K=0.1$, by which factor does the bias at the printed $T$ (rounded up to "
            "2) miss what is needed?",
            lambda: parts(1.0, 2)[1] / (3 * 0.1**2 / 16),
            "Divide the bias at the printed T by the bias that is needed.",
            "Two steps forget almost nothing of the start.",
            tolerance=0.02,
        ),
        Exercise(
            "With $\\kappa=30$ and $\\theta_K=0.1$, how long is the inner loop by the repaired rule?",
            lambda: float(rules(30.0, 0.1)[2]),
            "It is one of the numbers shown at the start.",
            "The smallest even $T$ with $2\\kappa(1-\\theta)^{T/2+1}\\leq\\frac{3}{16}\\theta_K^2$.",
        ),
        Exercise(
            "Once the bias is gone, you double $T$. What happens to the variance of the tail average and to that of "
            "the last iterate?",
            lambda: 0.0,
            "Look at the slopes at the right end of the picture.",
            "The average halves, the last iterate has found its level and stays.",
            choices=("the average halves, the last iterate stays", "both halve", "both stay"),
        ),
    ),
    derive="L_var-gain",
    claims=Claims(
        (
            ("lem:Pi-average-bound", "layer 0: $64/T$"),
            ("lem:Pi-average-bound/sharper#2/T", "layer 0: $(2/T)(1+2/(T\\theta))$"),
            ("lem:r-bound", "the bias, as printed"),
            ("lem:r-bound/repaired", "the bias, repaired"),
            ("rem:hyperparameters#T", "the rule for $T$, as printed"),
            ("rem:hyperparameters/repaired#T", "the rule for $T$, repaired"),
        )
    ),
)
