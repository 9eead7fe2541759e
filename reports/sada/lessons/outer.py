"""Lesson 8, two loops: the energy of the outer loop step by step, with the printed weight and with the repaired one."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import pairwise

import numpy as np
from scipy.linalg import eigh

from numerics.outer import PRINTED, REPAIRED_ENERGY, Rule, one_step
from reports.charts import Chart, Level, Series, draw
from reports.sada.claims import find
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

KEY = "lem:outer-one-step"
INSIDE = "hold: 12 α θ² ≤ 1 and 1/α ≤ q ≤ 1"
OUTSIDE = "fail: the lemma says nothing here"


def witness() -> dict[str, float]:
    """The registry's witness in the lesson's numbers: F = q x^2/2, the step before in units of x."""
    point = find(KEY).witness
    assert point is not None
    said = dict(point.values)
    x, before = Fraction(said["x"][0]), Fraction(said["p"][0])
    named = {"alpha": said["alpha"], "q": said["q"][0], "gap": (x - before) / x}
    share = float(Fraction(said["th"])) * math.sqrt(12 * float(Fraction(said["alpha"])))
    return {**{name: float(Fraction(value)) for name, value in named.items()}, "share": share}


def theta_of(v: Values) -> float:
    """A share of the largest theta that the lemma allows."""
    return float(v["share"]) / math.sqrt(12 * float(v["alpha"]))


def run(rule: Rule, v: Values, count: int) -> list[float]:
    """E_0, …, E_count along the printed algorithm from x = 1 and the gap."""
    alpha, theta, q = float(v["alpha"]), theta_of(v), float(v["q"])
    x, gap = 1.0, float(v["gap"])
    found = [one_step(rule, alpha, theta, theta, q, x, gap, 0.0)[0]]
    for _ in range(count):
        found.append(one_step(rule, alpha, theta, theta, q, x, gap, 0.0)[1])
        y = x + (1 - theta) / (1 + theta) * gap
        x, gap = y - 2 * alpha * theta**2 * q * y, y - 2 * alpha * theta**2 * q * y - x
    return found


def worst(rule: Rule, v: Values) -> tuple[float, float]:
    """The largest E_1/E_0 over all states at this curvature, and its gap in units of x."""
    alpha, theta, q = float(v["alpha"]), theta_of(v), float(v["q"])
    forms = np.zeros((2, 2, 2))
    for i, (x, gap) in enumerate(((1.0, 0.0), (0.0, theta))):
        forms[:, i, i] = one_step(rule, alpha, theta, theta, q, x, gap, 0.0)
    both = np.array(one_step(rule, alpha, theta, theta, q, 1.0, theta, 0.0))
    forms[:, 0, 1] = forms[:, 1, 0] = (both - forms[:, 0, 0] - forms[:, 1, 1]) / 2
    values, vectors = eigh(forms[1], forms[0])
    return float(values[-1]), float(vectors[1, -1] * theta / vectors[0, -1])


STEPS = 60


def inside(v: Values) -> bool:
    """The hypotheses of the lemma; the slider for theta keeps the other one."""
    return bool(v["q"] * v["alpha"] >= 1 - 1e-12)


def numbers(v: Values) -> Numbers:
    printed, repaired = run(PRINTED, v, 1), run(REPAIRED_ENERGY, v, 1)
    return {
        "hypotheses": INSIDE if inside(v) else OUTSIDE,
        "ratio": printed[1] / printed[0],
        "repratio": repaired[1] / repaired[0],
    }


def broken(v: Values) -> bool:
    """The printed energy grows in the first step, with the hypotheses and a moderate condition number."""
    printed = run(PRINTED, v, 1)
    return inside(v) and float(v["alpha"]) <= 1000 and printed[1] > printed[0]


def _found() -> dict[str, float]:
    """A position that counts in the last exercise."""
    v = {"alpha": 1000.0, "share": 0.1, "q": 1.0}
    return {**v, "gap": round(worst(PRINTED, v)[1], 3)}


def pictures() -> tuple[Picture, ...]:
    v = LESSON.start
    count, theta = STEPS, theta_of(v)
    k = list(range(count + 1))
    both = [(name, run(rule, v, count)) for name, rule in (("printed", PRINTED), ("repaired", REPAIRED_ENERGY))]
    curves = tuple(Series(f"{name} energy", k, [e / run_[0] for e in run_]) for name, run_ in both)
    envelope = Series("(1 − θ/2)ᵏ", k, [(1 - theta / 2) ** i for i in k], style="dash", colour=8)
    rates = tuple(
        Series(f"{name} energy", k[1:], [(1 - b / a) / theta for a, b in pairwise(run_)]) for name, run_ in both
    )
    levels = (Level(0.5, "claimed: 1/2"), Level(0, ""))
    return (
        Picture(
            "energy",
            draw(Chart("Energy over its start", "step k", "Eₖ/E₀", (*curves, envelope), width=560, height=400)),
            "Both energies along the same run of the algorithm.",
        ),
        Picture(
            "rates",
            draw(Chart("Rate of each step", "step k", "rate", rates, levels=levels, width=560, height=400)),
            "The rate $(1-E_k/E_{k-1})/\\theta$. The lemma claims at least 1/2 at every step; below 0 the energy "
            "grows.",
        ),
    )


def _weight(theta: float, loss: float, step: float) -> float:
    return theta**2 / (2 * loss * step)


LESSON = Lesson(
    number=8,
    slug="two-loops",
    title="Two loops",
    goal="Follow the energy of the outer loop step by step, see it grow with the printed weight and fall with another.",
    needs=("the energy of lesson 6", "convexity"),
    before=(
        "Around the inner loops runs an outer one: momentum again, now on the iterates that the inner loops return. "
        "Its proof "
        "follows an energy, excess risk plus a multiple of the distance of an extrapolated point $z_k$,",
        r"$$E_k=F(x_k)-F^*+\omega\,\|z_k-x^*\|_H^2,\quad z_k=x_k+\Big(\frac{1}{\theta}-1\Big)(x_k-x_{k-1}).$$",
        "The paper takes $\\omega=\\frac{1}{3\\alpha}$ and claims that every step multiplies $E$ by at most "
        "$1-\\theta/2$ (and adds "
        "noise, which is off here). Take the simplest function there is, $F(x)=\\frac{1}{2}qx^2$ in one dimension, "
        "with "
        "$1/\\alpha\\leq q\\leq1$ and constant $\\theta\\leq\\sqrt{1/(12\\alpha)}$. Start at $x=1$ with a last step "
        "of your choice. "
        "The repaired weight is $\\omega=\\frac{1}{4\\alpha}(1+\\theta/12)$.",
    ),
    controls=(
        Slider("gap", "last step $x_0-x_{-1}$", -1, 1, 0, step=0.001),
        Slider("alpha", "$\\alpha=L_\\ell/\\mu_\\ell$", 1, 10000, 10000, log=True),
        Slider("share", "$\\theta\\sqrt{12\\alpha}$", 0.02, 1, 0.3464, log=True),
        Slider("q", "curvature $q$", 0.0001, 1, 1, log=True),
    ),
    buttons=(("witness", "Go to the witness"), ("worst", "Worst last step")),
    readouts=(
        Readout("hypotheses", "the hypotheses", wide=True),
        Readout("ratio", "$E_1/E_0$, printed weight"),
        Readout("repratio", "$E_1/E_0$, repaired weight"),
    ),
    numbers=numbers,
    pictures=pictures,
    data=lambda: {"witness": witness(), "words": (INSIDE, OUTSIDE), "steps": STEPS},
    after=(
        "Even from rest (last step 0) the printed energy grows at many steps, although nothing is noisy and the "
        "function is a "
        "parabola; the witness is the third step of such a run. The lemma is false, and no constant in its bounds "
        "on the step "
        "helps: for every $\\alpha\\geq400$ and every $h\\leq1/(100L_\\ell)$ there is such a state. The algorithm "
        "is innocent: $x_k$ "
        "is the same for both curves. Only the ruler is wrong.",
        "With the repaired weight the kernel proves, for every smooth strongly convex $F$, in every dimension, the "
        "printed "
        "momentum and the printed $\\theta_k$, that a step multiplies the energy by at most "
        "$1-\\frac{11}{12}\\theta_k$, up to noise. "
        "That is more than the paper asks for.",
    ),
    derive=Derivation(
        "outer-weight",
        4,
        "Which weight does an energy need? Put the minimiser at 0 and write $w$ for the point with "
        "$y-(1-\\theta_k)x=\\theta_kw$. "
        "Convexity leaves a term in $\\nabla F$ and $w$; the square of $z_k$ brings another. They have to cancel.",
        letters=(("grad", r"\nabla F"),),
    ),
    exercises=(
        Exercise(
            "Predict",
            "You change the weight $\\omega$ in the energy. What happens to the iterates $x_k$ of the algorithm?",
            "Does the algorithm know the energy?",
            "Nothing. An energy is a ruler of the proof. That is why a wrong weight can be repaired without "
            "touching the algorithm.",
            answer=lambda: 0.0,
            choices=("nothing", "they converge faster", "they converge more slowly"),
        ),
        Exercise(
            "Derive",
            "For which weight $\\omega$ do the two terms of the line above cancel? Answer in $\\theta_k$ (type θ), "
            "$L_\\ell$ (type L) and "
            "$h_k$ (type h).",
            "Solve $\\theta_k=2L_\\ell h_k\\omega/\\theta_k$.",
            "$\\omega=\\theta_k^2/(2L_\\ell h_k)$. With $h_k=2\\alpha\\theta_k^2/L_\\ell$ that is "
            "$\\frac{1}{4\\alpha}$: the repaired weight, "
            "up to the factor $1+\\theta_k/12$; the paper has $\\frac{1}{3\\alpha}$.",
            formula=Formula((("theta", "θ"), ("L", "L"), ("h", "h")), _weight, "theta^2/(2*L*h)"),
        ),
        Exercise(
            "Break it",
            "The witness of this page has $\\alpha=10^4$. Find one with $\\alpha\\leq1000$: all hypotheses hold and "
            "the printed energy "
            "grows in the first step.",
            "Small $\\theta$ and a last step towards the minimiser; there is a button for the worst one.",
            "For instance $\\alpha=1000$, $\\theta\\sqrt{12\\alpha}=0.1$, $q=1$ and the worst last step.",
            broken=broken,
            example=_found(),
        ),
    ),
    claims=Claims(
        (
            (KEY, "as printed: weight $1/(3\\alpha)$"),
            (f"{KEY}/disp:1706.every constant", "no constant in the bounds on $h$ helps"),
            (f"{KEY}/repaired", "weight $(1+\\theta_k/12)/(4\\alpha)$, rate 1/2"),
            (f"{KEY}/sharper#printed algorithm", "the same weight, rate 11/12"),
        )
    ),
    leads="With both loops in hand, SADA can run against its rivals.",
)
