"""Lesson 5, why average the tail: bias against variance of the tail average, and the rule for T."""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np

from numerics.covariance import bias_average, bias_covariance, covariance, variance_average
from numerics.operators import StepSizes
from numerics.parameters import printed_horizon, repaired_horizon
from reports.charts import Chart, Level, Series, draw
from reports.sada.lessons.layers import gaussian, steps_of
from reports.sada.lessons.model import (
    Claims,
    Derivation,
    Exercise,
    Formula,
    Lesson,
    Numbers,
    Picture,
    Readout,
    Slider,
    Values,
)  # fmt: skip

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


NOISE = 0.01


def excess_bias(v: Values) -> float:
    """Bias that the printed T leaves, over what the proof of the outer loop needs."""
    _, printed, _ = rules(float(v["kappa"]), float(v["last"]))
    return parts(float(v["kappa"]), printed)[1] / (float(v["last"]) ** 2 / 4)


def numbers(v: Values) -> Numbers:
    variance, bias, late, stays = parts(float(v["kappa"]), int(v["t"]))
    return {"total": NOISE * variance + bias, "single": NOISE * late + stays, "missed": excess_bias(v)}


def broken(v: Values) -> bool:
    return excess_bias(v) > 1


def pictures() -> tuple[Picture, ...]:
    v = LESSON.start
    _, printed, repaired = rules(v["kappa"], v["last"])
    times = sorted({_even(float(t)) for t in np.geomspace(2, 30000, 40)})
    rows = [parts(v["kappa"], t) for t in times]
    series = (
        Series("variance", times, [NOISE * r[0] for r in rows]),
        Series("bias", times, [r[1] for r in rows]),
        Series("tail average", times, [NOISE * r[0] + r[1] for r in rows]),
        Series("last iterate", times, [NOISE * r[2] + r[3] for r in rows], style="dash"),
    )
    levels = (Level(printed, "T printed", vertical=True), Level(repaired, "T repaired", vertical=True))
    return (
        Picture(
            "risk",
            draw(
                Chart(
                    "Risk of the tail average",
                    "steps T",
                    "risk",
                    series,
                    True,
                    True,
                    levels,
                    y_range=(1e-8, 10.0),
                    height=440,
                )
            ),
            "The risk of the tail average and its two parts, bias and variance; dashed, the risk of the last iterate.",
        ),
    )


def _gain(g1: float, g2: float, eta: float, q: float) -> float:
    return (eta * g1 + q * g2) ** 2


LESSON = Lesson(
    number=5,
    slug="why-average-the-tail",
    title="Why average the tail",
    goal="See what the mean over the second half of the steps buys, and how long an inner loop has to be for it.",
    needs=("the level of lesson 3", "the variance of a mean"),
    before=(
        "However long the loop runs, its last iterate stops at the noise level. The mean over the steps $T/2<t\\leq "
        "T$ does better. Its risk has two parts: the **variance**, which is noise, and the **bias**, which is what "
        "it remembers of the start. Here the data are Gaussian in four dimensions, the noise is $\\sigma^2=0.01$, "
        "the step is $\\eta=1/(16R^2)$, and the start has $\\|x_0\\|_\\Sigma=1$, shared equally by all directions.",
        "How long does the loop have to be? The proof of the outer loop needs a bias below $\\theta_K^2/4$. The "
        "appendix takes $T\\geq\\sqrt{\\tilde\\kappa/(\\mu\\eta)}\\,\\ln\\kappa\\,\\ln(4/\\theta_K^2)$ for that, the "
        "line “T printed”; the repaired rule is the smallest $T$ with $6\\kappa e^{-\\theta T/2}\\leq\\theta_K^2$.",
    ),
    controls=(
        Slider("t", "steps $T$", 2, 30000, 8000, step=2, log=True, whole=True),
        Slider("kappa", "$\\kappa(\\Sigma)$", 1, 300, 30, log=True),
        Slider("last", "$\\theta_K$ of the outer loop", 0.01, 0.25, 0.1, log=True),
    ),
    readouts=(
        Readout("total", "risk of the tail average"),
        Readout("single", "risk of the last iterate"),
        Readout("missed", "bias at the printed $T$ over what is allowed"),
    ),
    numbers=numbers,
    pictures=pictures,
    after=(
        "The variance of the mean, which the paper calls $\\mathcal{L}_{var}$, falls like $1/T$, because distant "
        "iterates share little noise. The bias falls like $(1-\\theta)^T$ or faster. Half of the samples are thrown "
        "away, so that the variance is at best $d\\sigma^2/(T/2)$. For layer 0 the paper has "
        "$64\\operatorname{tr}(\\Sigma^{-1}M)/T$, and the kernel proves "
        "$(2/T)(1+2/(T\\theta))\\operatorname{tr}(\\Sigma^{-1}M)$, assuming one thing that the paper derives.",
        "The printed rule for $T$ has a product of logarithms where the argument gives the logarithm of a product, "
        "and it spends the decay of $T$ steps where the average begins at $T/2$. For a large $\\kappa$ it may happen "
        "to suffice for this start, but no argument says so. The repaired rule is proved for every start.",
    ),
    derive=Derivation(
        "L_var-gain",
        3,
        "Why does the bound on $\\mathcal{L}_{var}$ hold? In one direction, let $L_m$ be the variance of "
        "$x_{m+1}+\\dots+x_T$. One part of it, $A_m$, comes from the state after step $m+1$; the rest, $B_m$, comes "
        "from later noise. Start the sum one step earlier. Here $(g_1,g_2)$ is the first row of "
        "$I+A+\\dots+A^{T-m-1}$, so that $A_m=(g_1,g_2)\\,\\Pi_{m+1}(g_1,g_2)^\\top$; $p_{11}$ and $p_{12}$ are "
        "entries of $\\Pi_m$, and $m_i=1$.",
        told=(
            (
                "The next row is $(g_1,g_2)A+(1,0)$.",
                r"\begin{pmatrix}1-cg_2&(1-\eta\lambda)g_1+(1+c-q\lambda)g_2\end{pmatrix}",
            ),
            (
                "$L_{m-1}-L_m$ is the variance of $x_m$ plus twice its covariances with all later points.",
                r"(1-2cg_2)\,p_{11}+2\big((1-\eta\lambda)g_1+(1+c-q\lambda)g_2\big)\,p_{12}",
            ),
            (
                "$A_{m-1}-A_m$ follows from the next row and from $\\Pi_{m+1}=A\\Pi_mA^\\top+vv^\\top$ with "
                "$v=(\\eta,q)^\\top$.",
                r"(1-2cg_2)\,p_{11}+2\big((1-\eta\lambda)g_1+(1+c-q\lambda)g_2\big)\,p_{12}"
                r"-\eta^2g_1^2-2\eta qg_1g_2-q^2g_2^2",
            ),
            ("$B_{m-1}-B_m$ is the difference of the two lines above.", r"(\eta g_1+qg_2)^2"),
        ),
    ),
    exercises=(
        Exercise(
            "Predict",
            "Once the bias is gone, you double $T$. What happens to the variance of the tail average, and what to "
            "that of the last iterate?",
            "Which of the two is a mean over twice as many steps?",
            "That of the average halves. The last iterate has found its level and stays there.",
            answer=lambda: 0.0,
            choices=("the average halves, the last iterate stays", "both halve", "both stay"),
            example={"t": 16000},
        ),
        Exercise(
            "Derive",
            "Subtract the third line from the second. What is left, in $g_1$, $g_2$ (type g1, g2), $\\eta$ and $q$?",
            "Everything with $p_{11}$ and $p_{12}$ cancels. The three terms that remain are a square.",
            "It is $(\\eta g_1+qg_2)^2$. It is never negative, so that $B_m$ can only grow when the sum starts "
            "earlier.",
            formula=Formula((("g1", "g₁"), ("g2", "g₂"), ("eta", "η"), ("q", "q")), _gain, "(eta*g1+q*g2)^2"),
        ),
        Exercise(
            "Break it",
            "Find $\\kappa$ and $\\theta_K$ for which the printed rule for $T$ leaves more bias than the proof allows.",
            "For which $\\kappa$ is the logarithm of $\\kappa$ nothing?",
            "For $\\kappa=1$ the printed rule asks for nothing at all, since $\\ln1=0$, and two steps forget almost "
            "nothing of the start. Slightly above 1 it fails, too.",
            broken=broken,
            example={"kappa": 1.0},
        ),
    ),
    claims=Claims(
        (
            ("lem:Pi-average-bound", "$64/T$ for layer 0, as printed"),
            ("lem:Pi-average-bound/sharper#2/T", "$(2/T)(1+2/(T\\theta))$ for layer 0"),
            ("rem:hyperparameters#T", "the rule for $T$, as printed"),
            ("rem:hyperparameters/repaired#T", "the rule for $T$, repaired"),
        )
    ),
    leads="A rule that fails at one point is a false rule. The next lesson takes a lemma apart in the same way, with "
    "fractions only.",
)
