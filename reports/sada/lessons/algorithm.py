"""Lesson 1, three lines: one inner loop of the algorithm in two dimensions, line by line, on the samples of Python."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from numerics.designs import Gaussian
from numerics.losses import Squared
from numerics.optimizers import SadaParams, Trace, trace
from numerics.problems import GaussianNoise, LinearLabels, Problem
from reports.charts import Chart, Series, draw
from reports.charts.curves import Style
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

Point = npt.NDArray[np.float64]
SPECTRUM, TARGET, START, NOISE, ETA, HORIZON, SEED = (0.1, 1.0), (1.0, 0.6), (-1.0, -0.6), 0.1, 0.12, 60, 2
LINES = (
    "nothing has happened yet: x and z start at the same point",
    "line 1 looks ahead: y is a mean of x and z, close to x",
    "line 2 descends: x is y, moved by the short step η against the gradient",
    "line 3 remembers: z is pulled towards y, then moved by the long step γ against the same gradient",
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
        "", list(TARGET[0] + wide * np.cos(angle)), list(TARGET[1] + high * np.sin(angle)), style="dots", colour=8
    )


def _corners(theta: float, gamma: float, t: int) -> dict[str, Point]:
    """The points of step t: before it, after each line, and where line 3 has only pulled z."""
    run = seen(theta, gamma)
    x, z = run.x[0, t - 1], run.z[0, t - 1]
    y = (x + theta * z) / (1 + theta)
    pulled = theta * y + (1 - theta) * z
    return {"x": x, "y": y, "new x": run.x[0, t], "z": z, "pulled": pulled, "new z": run.z[0, t]}


def _path(name: str, points: Sequence[Point], colour: int, style: Style = "line") -> Series:
    return Series(name, [float(p[0]) for p in points], [float(p[1]) for p in points], style=style, colour=colour)


def pictures() -> tuple[Picture, ...]:
    v = LESSON.start
    t, _ = place(int(v["lines"]))
    run, corner = seen(v["theta"], v["gamma"]), _corners(v["theta"], v["gamma"], t)
    paths = [_path(name, p[: t + 1], colour, "points") for name, p, colour in (("x", run.x[0], 0), ("z", run.z[0], 3))]
    rings = tuple(_ring(level) for level in (0.02, 0.1, 0.3))
    lines = (
        _path("line 1, x to y", (corner["x"], corner["y"]), 2),
        _path("line 2, y to new x", (corner["y"], corner["new x"]), 0),
        _path("line 3, z to new z", (corner["z"], corner["pulled"], corner["new z"]), 3),
        _path("between x and z", (corner["x"], corner["z"]), 8, "dots"),
    )
    return (
        Picture(
            "plane",
            draw(Chart("One inner loop", "flat direction", "steep direction", (*paths, *rings), x_range=(-2.4, 3.4),
                       y_range=(-1.6, 3.0), width=560, height=460)),
            "The paths of $\\mathbf{x}$ and $\\mathbf{z}$ so far. On a ring the excess risk is the same everywhere.",
        ),
        Picture(
            "close",
            draw(Chart("The last step, enlarged", "flat direction", "steep direction", lines, width=560, height=460)),
            "The step that runs now. $\\mathbf{y}$ lies between $\\mathbf{x}$ and $\\mathbf{z}$; lines 2 and 3 move "
            "along the same gradient, by $\\eta$ and by $\\gamma$.",
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
        "SADA reads one sample $(\\mathbf{a}_t,b_t)$ at a time and keeps two points: $\\mathbf{x}$, the careful one, "
        "and $\\mathbf{z}$, the bold one. A step of its inner loop has three lines. They share one gradient "
        "$\\hat{\\mathbf{g}}_t$, taken at $\\mathbf{y}_{t-1}$ from the fresh sample:",
        r"$$\begin{aligned}\mathbf{y}_{t-1}&=\frac{1}{1+\theta}\mathbf{x}_{t-1}+\frac{\theta}{1+\theta}\mathbf{z}_{t-1},\\"
        r"\mathbf{x}_t&=\mathbf{y}_{t-1}-\eta\,\hat{\mathbf{g}}_t,\\"
        r"\mathbf{z}_t&=\theta\,\mathbf{y}_{t-1}+(1-\theta)\,\mathbf{z}_{t-1}-\gamma\,\hat{\mathbf{g}}_t.\end{aligned}$$",
        "Here the problem is least squares in two dimensions, ten times steeper in one direction than in the other, "
        "and the short step is $\\eta=0.12$. Each notch of the first slider runs one line.",
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
        "Follow $\\mathbf{z}$. Its step $\\gamma$ is right for the flat direction, where $\\mathbf{x}$ alone would "
        "creep, and far too long for the steep one, where $\\mathbf{z}$ swings. Line 1 passes the progress of "
        "$\\mathbf{z}$ on to $\\mathbf{x}$ in small doses, a share of about $\\theta$ a step. Line 3 makes "
        "$\\mathbf{z}$ forget its swings at the same rate. At the end of the loop the algorithm takes the mean of "
        "the second half of the $\\mathbf{x}_t$; the outer loop, which lesson 8 looks at, then starts again from "
        "there.",
    ),
    derive=Derivation(
        "update",
        4,
        "The proofs never speak of $\\mathbf{z}$. It can be eliminated, because the pair "
        "$(\\mathbf{x}_t,\\mathbf{y}_t)$ determines it. We do this for one coordinate; $g$ is the gradient, and "
        "letters without an index are those before the step.",
        told=(
            ("Line 1 is the extrapolation.", r"y=\frac{x+\theta z}{1+\theta}"),
            ("Line 2 is the descent.", r"x_t=y-\eta g"),
            ("Line 3 is the momentum.", r"z_t=\theta y+(1-\theta)z-\gamma g"),
            ("Solve line 1 for $z$.", r"z=\frac{(1+\theta)y-x}{\theta}"),
            (
                "Put this $z$ into line 3, then $x_t$ and $z_t$ into line 1 of the next step, and collect.",
                r"y_t=\frac{2}{1+\theta}\,y-\frac{1-\theta}{1+\theta}\,x-\frac{\eta+\theta\gamma}{1+\theta}\,g",
            ),
            (
                "Without the gradient, this matrix takes $(x,y)$ to $(x_t,y_t)$.",
                r"\begin{pmatrix}0&1\\-\frac{1-\theta}{1+\theta}&\frac{2}{1+\theta}\end{pmatrix}",
            ),
        ),
    ),
    exercises=(
        Exercise(
            "Predict",
            "Make the long step as short as the short one, $\\gamma=\\eta$. Both points start at the same place. What "
            "happens to $\\mathbf{z}$?",
            "If $\\mathbf{x}=\\mathbf{z}$, where is $\\mathbf{y}$? Then compare lines 2 and 3.",
            "If $\\mathbf{x}=\\mathbf{z}$, then $\\mathbf{y}$ is the same point, and lines 2 and 3 agree. So the two "
            "points never part, and the algorithm is plain SGD with step $\\eta$. Momentum is the difference between "
            "$\\gamma$ and $\\eta$.",
            answer=lambda: 1.0,
            choices=("it runs away from x", "it stays with x for ever", "it stands still"),
            example={"gamma": ETA, "lines": 180},
        ),
        Exercise(
            "Derive",
            "What is the coefficient of $x$ (that is, of $x_{t-1}$) in $y_t$?",
            "Put $z=((1+\\theta)y-x)/\\theta$ into line 3, then the new $x$ and $z$ into line 1. Only one term has "
            "$x$ in it.",
            "It is $-(1-\\theta)/(1+\\theta)$. The paper writes $-c$ for it; you meet it again in the corner of the "
            "block $A$ of lesson 2.",
            formula=Formula((("theta", "θ"),), _coefficient, "-(1-theta)/(1+theta)"),
        ),
        Exercise(
            "Break it",
            "Find $\\theta$ and $\\gamma$ with which the loop does harm: after 60 steps the excess risk of "
            "$\\mathbf{x}$ is larger than at the start.",
            "Take a long step and hand much of it to $\\mathbf{x}$.",
            "For instance $\\theta=0.9$ and $\\gamma=8$. The paper's choice keeps $\\theta\\gamma\\leq\\eta$; lesson "
            "6 shows what this condition is good for.",
            broken=broken,
            example={"theta": 0.9, "gamma": 8.0, "lines": 180},
        ),
    ),
    claims=Claims(
        (
            ("lem:inner-matrix-form/disp:641.1", "the three lines as one matrix, without $\\mathbf{z}$"),
            ("lem:inner-matrix-form/disp:641.derived-update", "the matrix derived above is the printed one"),
            ("alg:sada#minimiser", "the point that an inner loop aims at"),
        )
    ),
    leads="In each eigendirection of $\\Sigma$ the pair $(x,y)$ moves by a matrix with two rows. Its two eigenvalues "
    "say why momentum helps.",
)
