"""Lesson 1, three lines: one inner loop of the algorithm in two dimensions, line by line, on the samples of Python."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import numpy as np

from numerics.designs import Gaussian
from numerics.losses import Squared
from numerics.optimizers import SadaParams, Trace, trace
from numerics.problems import GaussianNoise, LinearLabels, Problem
from reports.charts import Chart, Series, draw
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

SPECTRUM, TARGET, START, NOISE, ETA, HORIZON, SEED = (0.1, 1.0), (1.0, 0.6), (-1.0, -0.6), 0.1, 0.12, 60, 2
LINES = (
    "nothing has happened yet: x and z start at the same point",
    "line 1, look ahead: y is a mean of x and z, close to x",
    "line 2, descend: x is y moved by the short step η against the gradient",
    "line 3, remember: z is pulled towards y and moved by the long step γ along the same gradient",
)


def problem() -> Problem:
    """Least squares with a flat direction and a steep one."""
    return Problem(Gaussian.from_spectrum(SPECTRUM), Squared(), LinearLabels(TARGET, GaussianNoise(NOISE)))


@lru_cache(maxsize=256)
def seen(theta: float, gamma: float) -> Trace:
    """One inner loop with h = 1 and no outer momentum: the gradient is that of least squares at y."""
    params = SadaParams(eta=ETA, gamma=gamma, theta=theta, T=HORIZON, h=(1.0,), beta=(0.0,))
    return trace(problem(), params, np.random.default_rng(SEED), x0=START)


@lru_cache(maxsize=1)
def samples() -> tuple[list[list[float]], list[float]]:
    """The samples that `trace` draws, one at a time, from the same generator."""
    rng, a, b = np.random.default_rng(SEED), [], []
    for _ in range(HORIZON):
        row, label = problem().sample(1, rng)
        a.append([float(x) for x in row[0]])
        b.append(float(label[0]))
    return a, b


def place(lines: int) -> tuple[int, int]:
    """After so many lines: the step that they belong to, and the line of it that ran last."""
    return (0, 0) if lines == 0 else ((lines - 1) // 3 + 1, (lines - 1) % 3 + 1)


def numbers(v: Values) -> Numbers:
    t, line = place(int(v["lines"]))
    run = seen(float(v["theta"]), float(v["gamma"]))
    x, z = run.x[0, t if line >= 2 else max(t - 1, 0)], run.z[0, t if line >= 3 else max(t - 1, 0)]
    return {
        "now": LINES[0] if t == 0 else f"step {t}, {LINES[line]}",
        "riskx": float(problem().excess_risk(x)),
        "riskz": float(problem().excess_risk(z)),
    }


def _ring(level: float) -> Series:
    """Where the excess risk is `level`."""
    angle = np.linspace(0, 2 * np.pi, 90)
    wide, high = (np.sqrt(2 * level / s) for s in SPECTRUM)
    return Series(
        "", list(TARGET[0] + wide * np.cos(angle)), list(TARGET[1] + high * np.sin(angle)), style="points", colour=8
    )


def pictures() -> tuple[Picture, ...]:
    v = LESSON.start
    t, _ = place(int(v["lines"]))
    run = seen(v["theta"], v["gamma"])
    paths = [
        Series(name, list(p[: t + 1, 0]), list(p[: t + 1, 1]), style="points")
        for name, p in (("x", run.x[0]), ("z", run.z[0]))
    ]
    rings = tuple(_ring(level) for level in (0.02, 0.1, 0.3))
    return (
        Picture(
            "plane",
            draw(Chart("One inner loop", "flat direction", "steep direction", (*paths, *rings), x_range=(-2.4, 3.4),
                       y_range=(-1.6, 3.0), width=620, height=460)),
            "Rings: equal excess risk, around the minimiser. The last step is drawn line by line: "
            "$\\mathbf{x}\\to\\mathbf{y}$, "
            "then the short step to the new $\\mathbf{x}$, then the long one to the new $\\mathbf{z}$.",
        ),
    )  # fmt: skip


def data() -> Mapping[str, Any]:
    a, b = samples()
    return {
        "a": a, "b": b, "spectrum": SPECTRUM, "target": TARGET, "start": START, "eta": ETA, "lines": LINES,
        "horizon": HORIZON,
    }  # fmt: skip


def broken(v: Values) -> bool:
    """The loop has made things worse: the excess risk at the end is above that of the start."""
    run = seen(float(v["theta"]), float(v["gamma"]))
    return bool(problem().excess_risk(run.x[0, -1]) > problem().excess_risk(run.x[0, 0]))


def _coefficient(theta: float) -> float:
    return -(1 - theta) / (1 + theta)


LESSON = Lesson(
    number=1,
    slug="three-lines",
    title="Three lines",
    goal="Know what each of the three lines of the inner loop does, by moving through them one at a time.",
    needs=("gradient descent", "least squares"),
    before=(
        "SADA reads one sample $(\\mathbf{a}_t,b_t)$ at a time and keeps two points: $\\mathbf{x}$, the careful "
        "one, and "
        "$\\mathbf{z}$, the bold one. A step of its inner loop has three lines and one gradient "
        "$\\hat{\\mathbf{g}}_t$, taken "
        "from the fresh sample at $\\mathbf{y}_{t-1}$:",
        r"$$\begin{aligned}\mathbf{y}_{t-1}&=\frac{1}{1+\theta}\mathbf{x}_{t-1}+\frac{\theta}{1+\theta}\mathbf{z}_{t-1},\\"
        r"\mathbf{x}_t&=\mathbf{y}_{t-1}-\eta\,\hat{\mathbf{g}}_t,\\"
        r"\mathbf{z}_t&=\theta\,\mathbf{y}_{t-1}+(1-\theta)\,\mathbf{z}_{t-1}-\gamma\,\hat{\mathbf{g}}_t.\end{aligned}$$",
        "Here the problem is least squares in two dimensions, ten times steeper in one direction than in the other, "
        "with "
        "$\\eta=0.12$. Move the first slider: each notch is one line.",
    ),
    controls=(
        Slider("lines", "lines executed", 0, 3 * HORIZON, 15, step=1, whole=True),
        Slider("theta", "momentum $\\theta$", 0.02, 0.9, 0.1, log=True),
        Slider("gamma", "long step $\\gamma$", 0.12, 8, 0.6, log=True),
    ),
    buttons=(("sgd", "γ = η"), ("end", "Run to the end")),
    readouts=(
        Readout("now", "the last line", wide=True),
        Readout("riskx", "$F(\\mathbf{x})-F^*$"),
        Readout("riskz", "$F(\\mathbf{z})-F^*$"),
    ),
    numbers=numbers,
    pictures=pictures,
    data=data,
    after=(
        "Follow $\\mathbf{z}$: its step $\\gamma$ is far too long for the steep direction, where it swings, and "
        "right for the "
        "flat one, where $\\mathbf{x}$ alone would creep. Line 1 lets $\\mathbf{x}$ profit from it in small doses, "
        "a share of "
        "about $\\theta$ a step; line 3 lets $\\mathbf{z}$ forget its swings at the same rate. The outer loop, "
        "which comes "
        "later, repeats this with a new centre; at the end of an inner loop it takes the mean of the second half of "
        "the "
        "$\\mathbf{x}_t$.",
    ),
    derive=Derivation(
        "update",
        4,
        "The proofs never speak of $\\mathbf{z}$. It can be eliminated: two consecutive points "
        "$(\\mathbf{x}_t,\\mathbf{y}_t)$ "
        "know all. Written for one coordinate, with the gradient $g$; letters without an index are those before the "
        "step.",
    ),
    exercises=(
        Exercise(
            "Predict",
            "Make the long step as short as the short one, $\\gamma=\\eta$. Both points start together. What "
            "happens to "
            "$\\mathbf{z}$?",
            "If $\\mathbf{x}=\\mathbf{z}$, what is $\\mathbf{y}$? Then compare lines 2 and 3.",
            "If $\\mathbf{x}=\\mathbf{z}$ then $\\mathbf{y}$ is the same point, and lines 2 and 3 agree. So the two "
            "never part, "
            "and the algorithm is plain SGD with step $\\eta$: momentum is the difference between $\\gamma$ and "
            "$\\eta$.",
            answer=lambda: 1.0,
            choices=("it runs away from x", "it stays with x for ever", "it stands still"),
            example={"gamma": ETA, "lines": 180},
        ),
        Exercise(
            "Derive",
            "What is the coefficient of $x$ (that is $x_{t-1}$) in $y_t$?",
            "Put $z=((1+\\theta)y-x)/\\theta$ into line 3, then the new $x$ and $z$ into line 1. Only one term has "
            "$x$.",
            "It is $-(1-\\theta)/(1+\\theta)$, which the paper calls $-c$: the block of the next lesson has it in "
            "its corner.",
            formula=Formula((("theta", "θ"),), _coefficient, "-(1-theta)/(1+theta)"),
        ),
        Exercise(
            "Break it",
            "Find $\\theta$ and $\\gamma$ for which the loop does harm: after 60 steps $\\mathbf{x}$ is worse than "
            "at the start.",
            "A long step, and much of it handed to $\\mathbf{x}$.",
            "For instance $\\theta=0.9$ and $\\gamma=8$. The paper keeps $\\theta\\gamma\\leq\\eta$; lesson 6 shows "
            "what it is for.",
            broken=broken,
            example={"theta": 0.9, "gamma": 8.0, "lines": 180},
        ),
    ),
    claims=Claims(
        (
            ("lem:inner-matrix-form/disp:641.1", "the three lines as one matrix, without $\\mathbf{z}$"),
            ("lem:inner-matrix-form/disp:641.derived-update", "what is derived above is what is printed"),
            ("alg:sada#minimiser", "what an inner loop solves: its minimiser"),
        )
    ),
    leads="In an eigendirection of $\\Sigma$ the pair $(x,y)$ moves by a matrix of two rows. Its two eigenvalues "
    "say why "
    "momentum helps.",
)
