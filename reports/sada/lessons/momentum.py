r"""Lesson 2, why momentum: the 2x2 block A(lambda) of one eigendirection and what its two eigenvalues do."""

from __future__ import annotations

import math

import numpy as np

from numerics.operators import StepSizes
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

STEPS_SHOWN, ETA, FRAME = 200, 1 / 16, (-1.2, 1.2)
REGIMES = (
    "creeping: there are two real eigenvalues, and the direction is too flat for this momentum",
    "ringing: there is a complex pair; the direction oscillates, and its pace hardly depends on its curvature",
    "braked: there are two real eigenvalues again; the direction is so steep that momentum gets in its way",
)


def _steps(v: Values) -> StepSizes:
    return StepSizes(ETA, v["theta"], ETA * v["ratio"])


def critical(steps: StepSizes) -> tuple[float, float]:
    """lambda_L and lambda_U: between them the eigenvalues are complex."""
    s, t = math.sqrt(steps.q - steps.c * steps.eta), math.sqrt(max(steps.c * (steps.q - steps.eta), 0.0))
    upper = (1 - steps.c) ** 2 / (s - t) ** 2 if s > t else math.inf
    return (1 - steps.c) ** 2 / (s + t) ** 2, upper


def orbit(steps: StepSizes, lam: float, count: int) -> list[float]:
    """(A^k (1, 1))_1 for k = 0..count."""
    block, point = steps.mean_block(lam), np.ones(2)
    found = [1.0]
    for _ in range(count):
        point = block @ point
        found.append(float(point[0]))
    return found


def pace(steps: StepSizes, lam: float) -> float:
    """Steps to shrink by a factor e."""
    radius = 1 - float(steps.mean_gap(lam))
    return -1 / math.log(radius) if 0 < radius < 1 else math.inf


def plain(lam: float) -> float:
    """The same for descent without momentum."""
    return -1 / math.log(1 - ETA * lam)


def numbers(v: Values) -> Numbers:
    steps, lam = _steps(v), float(v["lam"])
    low, high = critical(steps)
    regime = 0 if lam <= low else 1 if lam < high else 2
    return {"regime": REGIMES[regime], "efold": pace(steps, lam), "plain": plain(lam)}


def broken(v: Values) -> bool:
    """Momentum is slower than plain descent."""
    return pace(_steps(v), float(v["lam"])) > plain(float(v["lam"]))


def pictures() -> tuple[Picture, ...]:
    steps, lam = _steps(LESSON.start), float(LESSON.start["lam"])
    angle = np.linspace(0, 2 * np.pi, 121)
    roots = np.linalg.eigvals(steps.mean_block(lam))
    circle = Series("unit circle", list(np.cos(angle)), list(np.sin(angle)), style="points", colour=8)
    dots = Series("eigenvalues", [float(z.real) for z in roots], [float(z.imag) for z in roots], style="points")
    k = list(range(STEPS_SHOWN + 1))
    alone = Series("without momentum", k, [(1 - steps.eta * lam) ** i for i in k], style="dash")
    moving = Series("with momentum", k, orbit(steps, lam, STEPS_SHOWN))
    return (
        Picture(
            "circle",
            draw(
                Chart(
                    "Eigenvalues of A", "real part", "imaginary part", (dots, circle), x_range=(-1.15, 1.15),
                    y_range=(-1.15, 1.15), width=420, height=400,
                )
            ),
            "Both eigenvalues inside the circle: the direction shrinks.",
        ),
        Picture(
            "orbit",
            draw(Chart("One eigendirection", "steps k", "xₖ", (moving, alone), y_range=FRAME, width=560, height=400)),
            "The first entry of $A^k(1,1)^\\top$, with momentum and without.",
        ),
    )  # fmt: skip


def _discriminant(c: float, q: float, eta: float, lam: float) -> float:
    return (1 + c - q * lam) ** 2 - 4 * c * (1 - eta * lam)


LESSON = Lesson(
    number=2,
    slug="why-momentum",
    title="Why momentum",
    goal="See why momentum, a second number for each direction, makes flat directions as fast as steep ones.",
    needs=("the three lines of lesson 1", "eigenvalues of a matrix with two rows"),
    before=(
        "In the eigenbasis of $\\Sigma$ the inner loop falls apart into one pair $(x,y)$ for each eigenvalue "
        "$\\lambda$. On average, one step multiplies the pair by the block",
        r"$$A(\lambda)=\begin{pmatrix}0&1-\eta\lambda\\-c&1+c-q\lambda\end{pmatrix},\quad"
        r" c=\frac{1-\theta}{1+\theta},\quad q=\frac{\eta+\theta\gamma}{1+\theta}.$$",
        "Plain descent multiplies $x$ by $1-\\eta\\lambda$, so that a direction with a tiny $\\lambda$ needs about "
        "$1/(\\eta\\lambda)$ steps to shrink by $e$. The block has two eigenvalues instead of one factor. Where are "
        "they? Here $\\eta=1/16$.",
    ),
    controls=(
        Slider("lam", "curvature $\\lambda$", 1e-4, 1, 0.5, log=True),
        Slider("theta", "momentum $\\theta$", 1e-3, 0.5, 0.1, log=True),
        Slider("ratio", "$\\gamma/\\eta$", 1, 1000, 8, log=True),
    ),
    data=lambda: {"regimes": REGIMES, "eta": ETA},
    buttons=(("critical", "Go to the edge of ringing"),),
    readouts=(
        Readout("regime", "regime", wide=True),
        Readout("efold", "steps to shrink by $e$"),
        Readout("plain", "without momentum"),
    ),
    numbers=numbers,
    pictures=pictures,
    after=(
        "As long as the two eigenvalues are a complex pair, both have the modulus $\\sqrt{c(1-\\eta\\lambda)}$, "
        "which is about $1-\\theta$ **whatever the curvature**: the direction rings, and shrinks by $e$ in about "
        "$1/\\theta$ steps.",
        "Lower $\\lambda$ slowly. The pair slides along a circle, and the pace hardly changes. Then the two meet on "
        "the real axis, at $\\lambda_L$, and from there on the direction creeps. So one chooses $\\theta$ just large "
        "enough to bring the smallest eigenvalue $\\mu$ to that edge. The number of steps is then the square root of "
        "what plain descent needs, up to constants.",
    ),
    derive=Derivation(
        "discriminant",
        1,
        "Where does the ringing begin? It begins where the discriminant of the characteristic polynomial changes its "
        "sign.",
        told=(
            ("The characteristic polynomial of $A(\\lambda)$ is", r"X^2-(1+c-q\lambda)\,X+c(1-\eta\lambda)"),
            ("Its discriminant is the square of the trace minus four times the determinant.", ""),
            (
                "By powers of $\\lambda$ this is a parabola, with zeros at $\\lambda_L$ and $\\lambda_U$.",
                r"q^2\lambda^2-2\,(q+cq-2c\eta)\,\lambda+(1-c)^2",
            ),
        ),
    ),
    exercises=(
        Exercise(
            "Predict",
            "At the start of this page ($\\lambda=0.5$, $\\theta=0.1$, $\\gamma/\\eta=8$) the direction rings. Halve "
            "$\\lambda$. What happens to the number of steps that it needs?",
            "For a complex pair, the product of the two eigenvalues is the square of their modulus, and it is the "
            "determinant of $A$.",
            "It grows by less than a tenth. The modulus is $\\sqrt{c(1-\\eta\\lambda)}$; $c$ does not depend on "
            "$\\lambda$, and $1-\\eta\\lambda$ is close to 1. Plain descent takes twice as long.",
            answer=lambda: 0.0,
            choices=("it hardly changes", "it doubles", "it grows by a factor of four"),
            example={"lam": 0.25},
        ),
        Exercise(
            "Derive",
            "What is it in $c$, $q$, $\\eta$ and $\\lambda$? Any form counts.",
            "The trace is $1+c-q\\lambda$, the determinant is $c(1-\\eta\\lambda)$.",
            "It is $(1+c-q\\lambda)^2-4c(1-\\eta\\lambda)$. Between its two zeros the direction rings.",
            formula=Formula(
                (("c", "c"), ("q", "q"), ("eta", "η"), ("lambda", "λ")), _discriminant,
                "(1+c-q*lambda)^2-4*c*(1-eta*lambda)",
            ),
        ),
        Exercise(
            "Break it",
            "Find a position at which momentum does harm: the direction needs more steps with it than without.",
            "What if there is nothing to gain ($\\gamma=\\eta$) and the memory is long ($\\theta$ is small)?",
            "For instance $\\gamma=\\eta$, $\\theta=0.001$ and $\\lambda=1$. The eigenvalues are then "
            "$1-\\eta\\lambda$ and $c$, and $c$ is almost 1.",
            broken=broken,
            example={"lam": 1.0, "theta": 0.001, "ratio": 1.0},
        ),
    ),
    claims=Claims(
        (
            ("lem:radius-bound/repaired#middle", "the complex pair between $\\lambda_L$ and $\\lambda_U$"),
            ("lem:radius-bound/disp:783.derived-discriminant", "the discriminant derived above is the printed one"),
            ("lem:radius-bound/disp:790.derived-lambda_U", "its larger zero $\\lambda_U$"),
        )
    ),
    leads="So far the gradient was exact. Each sample brings noise, and the same block decides how high the noise "
    "piles up.",
)  # fmt: skip
