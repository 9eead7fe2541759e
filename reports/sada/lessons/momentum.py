r"""Lesson 1, why momentum: the 2x2 block A(lambda) of one eigendirection and what its two eigenvalues do."""

from __future__ import annotations

import math

import numpy as np

from numerics.operators import StepSizes
from reports.charts import Chart, Level, Series, draw
from reports.sada.lessons.model import Claims, Exercise, Lesson, Numbers, Picture, Readout, Slider, Values

STEPS_SHOWN = 200
REGIMES = (
    "creeping: two real eigenvalues, the direction is too flat for this momentum",
    "ringing: a complex pair, the direction oscillates and shrinks at almost the same speed whatever its curvature",
    "braked: two real eigenvalues again, the direction is so steep that momentum only gets in its way",
)


def _steps(v: Values) -> StepSizes:
    return StepSizes(v["eta"], v["theta"], v["eta"] * v["ratio"])


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


def numbers(v: Values) -> Numbers:
    steps, lam = _steps(v), float(v["lam"])
    low, high = critical(steps)
    roots = sorted(np.linalg.eigvals(steps.mean_block(lam)), key=lambda z: (z.real, z.imag))
    radius = 1 - float(steps.mean_gap(lam))
    regime = 0 if lam <= low else 1 if lam < high else 2
    held = v["theta"] * v["ratio"] <= 1 and v["eta"] * lam <= 1 and v["ratio"] >= 1
    return {
        "c": steps.c,
        "q": steps.q,
        "low": low,
        "high": high,
        "re1": float(roots[0].real),
        "im1": abs(float(roots[0].imag)),
        "re2": float(roots[1].real),
        "radius": radius,
        "efold": -1 / math.log(radius) if 0 < radius < 1 else math.inf,
        "plain": -1 / math.log(1 - v["eta"] * lam) if v["eta"] * lam < 1 else 0.0,
        "largest": max(map(abs, orbit(steps, lam, STEPS_SHOWN))),
        "regime": REGIMES[regime],
        "bound": "|x_k| ≤ 1 is proved here" if held else "no bound is proved here: θγ > η",
    }


def pictures() -> tuple[Picture, ...]:
    steps, lam = _steps(LESSON.start), float(LESSON.start["lam"])
    angle = np.linspace(0, 2 * np.pi, 121)
    roots = np.linalg.eigvals(steps.mean_block(lam))
    circle = Series("unit circle", list(np.cos(angle)), list(np.sin(angle)), style="points", colour=8)
    dots = Series("eigenvalues", [float(z.real) for z in roots], [float(z.imag) for z in roots], style="points")
    k = list(range(STEPS_SHOWN + 1))
    plain = Series("without momentum", k, [(1 - steps.eta * lam) ** i for i in k], style="dash")
    levels = (Level(1, "proved: 1"), Level(-1, ""), Level(2, "printed: 2"), Level(-2, ""))
    moving = Series("with momentum", k, orbit(steps, lam, STEPS_SHOWN))
    return (
        Picture(
            "circle",
            draw(
                Chart(
                    "Eigenvalues of A", "real part", "imaginary part", (dots, circle), x_range=(-1.15, 1.15),
                    y_range=(-1.15, 1.15), width=520, height=420,
                )
            ),
            "The two eigenvalues of the block in the complex plane. Inside the circle the direction shrinks.",
        ),
        Picture(
            "orbit",
            draw(
                Chart(
                    "One eigendirection", "steps k", "x_k", (moving, plain), levels=levels, y_range=(-2.2, 2.2),
                    height=380,
                )
            ),
            "The first entry of $A^k (1,1)^\\top$: momentum rings but arrives, plain descent creeps.",
        ),
    )  # fmt: skip


_EXAMPLE = StepSizes(1 / 16, 1 / 64, 1.0)


def _critical_radius() -> float:
    return 1 - float(_EXAMPLE.mean_gap(critical(_EXAMPLE)[0]))


def _speedup() -> float:
    lam = critical(_EXAMPLE)[0]
    return math.log(_critical_radius()) / math.log(1 - _EXAMPLE.eta * lam)


LESSON = Lesson(
    number=1,
    slug="why-momentum",
    title="Why momentum",
    goal="See why a second number per direction, the momentum, turns a condition number into its square root.",
    before=(
        "In the eigenbasis of $\\Sigma$ the inner loop of SADA falls apart into one pair $(x,y)$ for each "
        "eigenvalue $\\lambda$. On average one step multiplies the pair by the block",
        r"$$A(\lambda)=\begin{pmatrix}0&1-\eta\lambda\\-c&1+c-q\lambda\end{pmatrix},\quad"
        r" c=\frac{1-\theta}{1+\theta},\quad q=\frac{\eta+\theta\gamma}{1+\theta}.$$",
        "Plain descent multiplies $x$ by $1-\\eta\\lambda$: a direction with a tiny $\\lambda$ needs about "
        "$1/(\\eta\\lambda)$ steps. With momentum there are two eigenvalues, and there is an interval of curvatures, "
        r"$$\lambda_L=\frac{(1-c)^2}{(s+t)^2}<\lambda<\lambda_U=\frac{(1-c)^2}{(s-t)^2},\quad s=\sqrt{q-c\eta},\quad"
        r" t=\sqrt{c(q-\eta)},$$"
        "in which they are a complex pair of modulus $\\sqrt{c(1-\\eta\\lambda)}$: about $1-\\theta$, **almost the "
        "same for every curvature in it**. Below $\\lambda_L$ the direction creeps, above $\\lambda_U$ it is braked.",
    ),
    controls=(
        Slider("lam", "curvature $\\lambda$", 1e-4, 1, 0.5, log=True),
        Slider("eta", "step $\\eta$", 1e-3, 0.5, 0.0625, log=True),
        Slider("theta", "momentum $\\theta$", 1e-3, 0.5, 0.1, log=True),
        Slider("ratio", "$\\gamma/\\eta$", 1, 1000, 8, log=True),
    ),
    data=lambda: {"regimes": REGIMES},
    buttons=(("critical", "Go to critical damping"),),
    readouts=(
        Readout("regime", "regime", wide=True),
        Readout("c", "$c$"),
        Readout("q", "$q$"),
        Readout("low", "$\\lambda_L$ (critical damping)"),
        Readout("high", "$\\lambda_U$"),
        Readout("re1", "first eigenvalue, real part"),
        Readout("im1", "imaginary part, $\\pm$"),
        Readout("re2", "second eigenvalue, real part"),
        Readout("radius", "spectral radius"),
        Readout("efold", "steps to shrink by $e$"),
        Readout("plain", "the same without momentum"),
        Readout("largest", "largest $|x_k|$, $k\\leq200$"),
        Readout("bound", "the bound", wide=True),
    ),
    numbers=numbers,
    pictures=pictures,
    after=(
        "The paper bounds the first entry of $A^k(1,1)^\\top$ by 2 (lem:A-power-bound). Its two hypotheses, "
        "$\\eta\\lambda<1$ and $\\eta\\leq q$, do not suffice (lesson 5 kills it). With one more, "
        "$\\theta\\gamma\\leq\\eta$, the bound is 1, for every $k$, and $k=0$ attains it. Raise $\\gamma/\\eta$ "
        "above $1/\\theta$ and the proof is gone; raise it, $\\lambda$ and $\\theta$ to their ends and the bound is "
        "gone too.",
    ),
    exercises=(
        Exercise(
            "Take $\\eta=1/16$, $\\theta=1/64$, $\\gamma=1$. At which curvature is the block critically damped from "
            "below, that is, what is $\\lambda_L$?",
            lambda: critical(_EXAMPLE)[0],
            "Compute $c=63/65$ and $q$, then $s$ and $t$, and put them into the formula.",
            "With $c=63/65$ and $q=1/13$ the discriminant of the characteristic polynomial vanishes at this curvature.",
        ),
        Exercise(
            "What is the spectral radius at that curvature?",
            _critical_radius,
            "The two eigenvalues coincide there, and their product is the determinant c(1 - eta lambda).",
            "The double eigenvalue is the square root of the determinant, $\\sqrt{c(1-\\eta\\lambda_L)}$.",
            tolerance=0.002,
        ),
        Exercise(
            "How many times fewer steps does the block need there than plain descent with the same $\\eta$, to "
            "shrink by the same factor?",
            _speedup,
            "Divide the logarithms of the two factors.",
            "It is $\\ln\\rho/\\ln(1-\\eta\\lambda_L)$ with $\\rho$ the radius of exercise 2.",
            tolerance=0.02,
        ),
    ),
    derive="A",
    claims=Claims(
        (
            ("lem:radius-bound/repaired#middle", "the complex pair between $\\lambda_L$ and $\\lambda_U$"),
            ("lem:A-power-bound", "as printed: $|x_k|\\leq2$ from $\\eta\\lambda<1$ and $\\eta\\leq q$"),
            ("lem:A-power-bound/sharper", "with $\\theta\\gamma\\leq\\eta$: $|x_k|\\leq1$ for every $k$"),
            ("lem:A-power-bound/sharper#hyperparameters", "the paper's hyperparameters satisfy it"),
        )
    ),
)
