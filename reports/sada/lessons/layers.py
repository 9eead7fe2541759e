"""Lesson 3, peeling the layers: C_t as a sum of layers, each driven by the fluctuation of the data in the one below."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from numerics.covariance import peel, stationary_layers
from numerics.designs import Gaussian
from numerics.operators import StepSizes
from reports.charts import Chart, Level, Series, draw
from reports.sada.lessons.model import Claims, Exercise, Lesson, Numbers, Picture, Readout, Slider, Values
from reports.sada.lessons.noise import chosen

DEPTH = 3


def gaussian(d: int, kappa: float) -> Gaussian:
    """Eigenvalues from 1/kappa to 1."""
    return Gaussian.from_spectrum(np.geomspace(1 / kappa, 1, d) if d > 1 else np.ones(1))


def steps_of(design: Gaussian, share: float) -> StepSizes:
    """The paper's hyperparameters with the tight constants of the design and eta = share/(16 R^2)."""
    return chosen(design.mu, design.kappa_tilde, share / (16 * design.r2))


@lru_cache(maxsize=512)
def energies(d: int, kappa: float, share: float, t: int) -> tuple[float, ...]:
    """E|y|^2_Sigma of the layers 0..3 and of what is left, at time t, for noise Sigma."""
    design = gaussian(d, kappa)
    found = peel(design, steps_of(design, share), design.sigma, t, DEPTH)
    return tuple(one.y_energy(design.sigma) for one in (*found.layers, found.remainder))


@lru_cache(maxsize=128)
def factors(d: int, kappa: float, share: float) -> tuple[float, ...]:
    """sigma^(l)/sigma^(l-1) of the stationary layers, l = 1, 2, 3."""
    design = gaussian(d, kappa)
    sigmas = stationary_layers(design, steps_of(design, share), design.sigma, DEPTH).sigmas
    return tuple(sigmas[i + 1] / sigmas[i] for i in range(DEPTH))


def numbers(v: Values) -> Numbers:
    d, kappa, share, t = int(v["d"]), float(v["kappa"]), float(v["share"]), int(v["t"])
    design = gaussian(d, kappa)
    found, quotients = energies(d, kappa, share, t), factors(d, kappa, share)
    return {
        "r2": design.r2,
        "kt": design.kappa_tilde,
        "theta": steps_of(design, share).theta,
        "total": sum(found),
        "e0": found[0],
        "e1": found[1],
        "e2": found[2],
        "rest": found[3] + found[4],
        "share0": found[0] / sum(found),
        "f1": quotients[0],
        "f2": quotients[1],
        "slack": 1 / 15 / quotients[0],
    }


def pictures() -> tuple[Picture, ...]:
    v = LESSON.start
    place = (int(v["d"]), float(v["kappa"]), float(v["share"]))
    times = [int(t) for t in np.linspace(1, v["t"], 100)]
    rows = np.array([energies(*place, t) for t in times])
    heaps = np.cumsum(rows, axis=1)
    names = ("layer 0", "layer 1", "layer 2")
    stack = tuple(
        Series(name, times, list(heaps[:, i]), list(heaps[:, i] - rows[:, i]), list(heaps[:, i]))
        for i, name in enumerate(names)
    )
    quotients = tuple(
        Series(f"layer {i} over layer {i - 1}", times, list(rows[:, i] / np.maximum(rows[:, i - 1], 1e-300)))
        for i in (1, 2, 3)
    )
    levels = (Level(1 / 2, "printed: 1/2"), Level(1 / 8, "proved: 1/8"), Level(1 / 15, "proved: 1/15"))
    return (
        Picture(
            "stack",
            draw(Chart("Layers of the noise, stacked", "steps t", "E|y|²", stack, height=380)),
            "The risk of the noise iterate as a heap of layers.",
        ),
        Picture(
            "factors",
            draw(
                Chart("Factor between layers", "steps t", "factor", quotients, log_y=True, levels=levels, height=380,
                      y_range=(1e-3, 1.0))
            ),
            "Each layer over the one below, and what is proved for the stationary ones.",
        ),
    )  # fmt: skip


LESSON = Lesson(
    number=3,
    slug="peeling-the-layers",
    title="Peeling the layers",
    goal="See the covariance of the noise as a stack of layers, each a small multiple of the one below.",
    before=(
        "The true second moment multiplies by the random matrix of a sample, not by its mean. The paper's idea: "
        "keep the mean, and put the difference on top. Layer 0 is the core dynamics of lesson 2, driven by the "
        "label noise $\\mathbf{R}$. Layer $\\ell$ is the same dynamics, driven by what the data's fluctuation makes "
        "of the layer below:",
        r"$$\tilde{C}^{(\ell)}_t=A\,\tilde{C}^{(\ell)}_{t-1}A^\top+\begin{pmatrix}\eta^2&\eta q\\\eta "
        r"q&q^2\end{pmatrix}"
        r"\otimes(\mathcal{M}-\tilde{\mathcal{M}})\big(\tilde{C}^{(\ell-1)}_{t-1,22}\big).$$",
        "All layers add up to $C_t$. For Gaussian data $(\\mathcal{M}-\\tilde{\\mathcal{M}})(X)=\\Sigma "
        "X\\Sigma+\\operatorname{tr}(\\Sigma X)\\Sigma$, so everything can be computed exactly. The tight constants "
        "are $R^2=\\operatorname{tr}\\Sigma+2\\lambda_{\\max}$ and $\\tilde\\kappa=d+2$; the step is a share of "
        "$1/(16R^2)$.",
    ),
    controls=(
        Slider("d", "dimension $d$", 1, 8, 3, step=1, whole=True),
        Slider("kappa", "$\\kappa(\\Sigma)$", 1, 100, 10, log=True),
        Slider("share", "$16R^2\\eta$", 0.05, 1, 1, log=True),
        Slider("t", "steps $t$", 10, 3000, 1000, step=10, log=True, whole=True),
    ),
    readouts=(
        Readout("r2", "$R^2$"),
        Readout("kt", "$\\tilde\\kappa$"),
        Readout("theta", "$\\theta$"),
        Readout("total", "all layers at $t$"),
        Readout("e0", "layer 0"),
        Readout("e1", "layer 1"),
        Readout("e2", "layer 2"),
        Readout("rest", "all above"),
        Readout("share0", "share of layer 0"),
        Readout("f1", "$\\sigma^{(1)}/\\sigma^{(0)}$ in the limit"),
        Readout("f2", "$\\sigma^{(2)}/\\sigma^{(1)}$ in the limit"),
        Readout("slack", "1/15 over the first factor"),
    ),
    numbers=numbers,
    pictures=pictures,
    after=(
        "With $\\sigma^{(\\ell)}=\\langle\\Sigma,\\tilde{C}^{(\\ell)}_{\\infty,22}\\rangle$ the paper states "
        "$\\sigma^{(\\ell)}\\leq\\frac{1}{2}\\sigma^{(\\ell-1)}$, with the step size that it fixes once "
        "for the appendix, $\\eta\\leq1/(16R^2)$. That matters: with $\\eta=25/64$ in one dimension and a "
        "spiky distribution a layer is 23 times the one below. With it "
        "the kernel proves 1/2, and 1/8, and 1/15, in each eigendirection.",
        "So a geometric series of layers converges, and nearly all of the noise is in layer 0. That is why the "
        "theorem sees the statistical term of plain averaging and only a constant more.",
    ),
    exercises=(
        Exercise(
            "With $d=1$, $\\kappa=1$ and $16R^2\\eta=1$: what is $\\sigma^{(1)}/\\sigma^{(0)}$ in the limit?",
            lambda: factors(1, 1.0, 1.0)[0],
            "Move d to 1; kappa plays no part then.",
            "In one dimension every layer is the same multiple of the one below.",
        ),
        Exercise(
            "If each layer were exactly 1/15 of the one below, how large would the sum of all layers be, in units "
            "of layer 0?",
            lambda: 15 / 14,
            "A geometric series.",
            "$1/(1-1/15)=15/14$; with the printed 1/2 it is 2.",
            tolerance=0.001,
        ),
        Exercise(
            "Lower the step from $16R^2\\eta=1$ to $0.1$. What happens to the factor between layers?",
            lambda: 1.0,
            "Watch the readout of the first factor.",
            "With $d=3$ and $\\kappa=10$ from 0.0268 to 0.0069, a factor of 3.9 for a factor of 10: the part with "
            "$\\eta R^2$ falls like $\\eta$, what momentum remembers like $\\sqrt\\eta$ once the step is small.",
            choices=("it falls in proportion to the step", "it falls, but more slowly than the step", "it grows"),
        ),
    ),
    claims=Claims(
        (
            ("lem:layer-peeled-decomposition", "the layers add up"),
            ("lem:var-sigma-l-recursion", "as printed, with the standing step size: the factor 1/2"),
            ("lem:var-sigma-l-recursion/sharper", "the factor 1/8"),
            ("lem:var-sigma-l-recursion/sharper#15", "the factor 1/15"),
        )
    ),
)
