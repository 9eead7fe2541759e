"""Bound against truth: for each inequality of the inner loop, over designs and along the parameter that matters.

The truth comes from the exact dynamics (numerics.covariance), never from a lemma. One family of pictures is a strip
over designs, the other a curve or a heat map in one eigendirection.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator

import numpy as np

from numerics.designs import (
    LAPLACE,
    RADEMACHER,
    Design,
    Elliptical,
    FiniteSupport,
    Gaussian,
    IndependentCoordinates,
    OneHot,
    StudentT,
    sparse,
)
from numerics.parameters import Hyperparameters, as_printed_appendix, constants_of, repaired
from numerics.ratios import (
    NoiseModel,
    a_power_worst_ratio,
    bias_energy_ratio,
    bias_ratio,
    layer_ratio,
    pi_average_ratio,
    pi_stationary_ratio,
    ratio_table,
    variance_ratio,
)
from reports.charts import Chart, Dot, Level, Series, draw, heat, number, strip
from reports.site.figure import Figure

ROUNDS = 8
CHOICES = ("appendix as printed", "repaired")
Progress = Callable[[int, int, str], None]


def figures(seed: int = 0, progress: Progress | None = None) -> dict[str, list[Figure]]:
    """Pictures by statement."""
    found: dict[str, list[Figure]] = {}
    made: list[tuple[str, Callable[[], Iterator[Figure]]]] = [
        ("strips", lambda: strips(seed)),
        *((maker.__name__, maker) for maker in CURVES),
    ]
    for position, (name, make) in enumerate(made, start=1):
        for figure in make():
            found.setdefault(figure.name.partition("/")[0], []).append(figure)
        if progress is not None:
            progress(position, len(made), name)
    return found


def designs(seed: int = 0) -> list[tuple[str, Design]]:
    """Light and heavy tails, smooth and discrete, well and badly conditioned."""
    rng = np.random.default_rng(seed)

    def spread(d: int, condition: float) -> np.ndarray:
        return np.diag(np.geomspace(1 / condition, 1.0, d))

    return [
        ("Gaussian, d = 1", Gaussian(np.eye(1))),
        ("Gaussian, d = 8, condition 10", Gaussian(spread(8, 10))),
        ("Gaussian, d = 8, condition 1000", Gaussian(spread(8, 1000))),
        ("Gaussian, d = 32, condition 100", Gaussian(spread(32, 100))),
        ("Student t, nu = 5.5, d = 6", StudentT(spread(6, 30), nu=5.5)),
        ("uniform on an ellipsoid, d = 6", Elliptical(spread(6, 30), kurtosis=6 / 8)),
        ("one-hot, d = 8", OneHot(np.arange(1, 9) / 36)),
        ("Laplace coordinates, d = 6", IndependentCoordinates.from_sigma(spread(6, 30), LAPLACE)),
        ("signs, d = 6", IndependentCoordinates.from_sigma(spread(6, 30), RADEMACHER)),
        ("sparse coordinates, d = 4", IndependentCoordinates(np.diag([1.0, 0.5, 0.25, 0.1]), sparse(0.2))),
        ("12 random atoms, d = 4", FiniteSupport(rng.standard_normal((12, 4)), rng.dirichlet(np.full(12, 4.0)))),
    ]


def _choices(design: Design) -> Iterator[tuple[str, Hyperparameters]]:
    yield from _both(**constants_of(design))


def _both(
    mu: float, r2: float, kappa_tilde: float, condition_number: float
) -> tuple[tuple[str, Hyperparameters], tuple[str, Hyperparameters]]:
    printed = as_printed_appendix(
        mu=mu, r2=r2, kappa_tilde=kappa_tilde, condition_number=condition_number, rounds=ROUNDS
    )
    mended = repaired(mu=mu, r2=r2, kappa_tilde=kappa_tilde, condition_number=condition_number, rounds=ROUNDS)
    return (CHOICES[0], printed), (CHOICES[1], mended)


def strips(seed: int) -> Iterator[Figure]:
    """Every inequality of the inner loop over all designs, least squares with independent label noise."""
    rows = ratio_table(
        designs(seed), _choices, lambda d: NoiseModel.well_specified(d.sigma), lambda d: np.ones(d.dim), depth=2
    )
    columns = ("design", "parameters", "part", "truth", "bound", "ratio")
    for statement in dict.fromkeys(str(row["statement"]) for row in rows):
        own = [row for row in rows if row["statement"] == statement]
        dots = [
            Dot(
                str(r["part"]),
                float(r["ratio"]),
                f"{r['design']}, {r['parameters']}",
                CHOICES.index(str(r["parameters"])),
            )
            for r in own
        ]
        known = [row for row in own if math.isfinite(float(row["ratio"]))]
        worst = max(known, key=lambda row: float(row["ratio"]), default=own[0])
        yield Figure(
            f"{statement}/designs",
            "Truth over bound, over designs",
            f"{len(own)} exact values: {len(designs(seed))} designs, hyperparameters as printed in the appendix and "
            "repaired, "
            f"K = {ROUNDS}, least squares with independent label noise. The largest is {number(float(worst['ratio']))} "
            f"({worst['design']}, {worst['parameters']}, {worst['part']}).",
            strip(dots, CHOICES),
            columns,
            tuple(tuple(row[name] for name in columns) for row in own),
        )


MU, R2, KT = 0.01, 1.0, 3.0
ETA = 1 / (16 * R2)
THETA = math.sqrt(MU * ETA / KT) / 4
GAMMA = THETA / MU
SETTING = (
    f"One eigendirection, R² = {R2:g}, mu = {MU:g}, kappa~ = {KT:g}, eta = 1/(16 R²), "
    "theta and gamma by the paper's rule."
)


def powers_of_a() -> Iterator[Figure]:
    etas = np.linspace(0.05, 0.95, 15)
    growth = np.geomspace(1, 100, 11)
    eta, factor = np.meshgrid(etas, growth)
    values = a_power_worst_ratio(1.0, eta, 0.1, eta * factor, 200)
    rows = tuple((float(e), float(f), float(v)) for e, f, v in zip(eta.flat, factor.flat, values.flat, strict=True))
    yield Figure(
        "lem:A-power-bound/heat",
        "Where the power bound fails",
        "The largest |(A^k (1, 1))_1| / 2 over k = 0..200 at theta = 0.1. All points satisfy the printed hypotheses "
        "eta*lambda < 1 and eta <= q; the bound fails where gamma is large against eta.",
        heat(etas.tolist(), growth.tolist(), np.minimum(values, 1e300).tolist(), "eta*lambda", "gamma/eta"),
        ("eta*lambda", "gamma/eta", "ratio"),
        rows,
    )


def stationary_level() -> Iterator[Figure]:
    lams = np.geomspace(1e-3, 1.0, 13)
    kts = np.geomspace(1.0, 1e3, 10)
    lam, kt = np.meshgrid(lams, kts)
    theta = np.sqrt(1e-3 * ETA / kt) / 4
    values = pi_stationary_ratio(lam, ETA, theta, theta / 1e-3, kt)
    yield Figure(
        "lem:Pi-stationary-bound/heat",
        "How much of the bound is used",
        "One eigendirection, R² = 1, mu = 0.001, eta = 1/(16 R²), theta and gamma by the paper's rule.",
        heat(lams.tolist(), kts.tolist(), values.tolist(), "lambda", "kappa~"),
        ("lambda", "kappa~", "ratio"),
        tuple((float(a), float(b), float(v)) for a, b, v in zip(lam.flat, kt.flat, values.flat, strict=True)),
    )


def _curve(
    name: str, title: str, caption: str, x: np.ndarray, x_label: str, curves: dict[str, np.ndarray],
    levels: tuple[Level, ...] = (),
) -> Figure:  # fmt: skip
    series = tuple(Series(label, x.tolist(), np.asarray(y, dtype=float).tolist()) for label, y in curves.items())
    low = min((float(v) for y in curves.values() for v in y if np.isfinite(v) and v > 0), default=0.1)
    chart = Chart(
        title, x_label, "truth / bound", series, log_x=True, log_y=True,
        levels=(Level(1.0, "the bound"), *levels), y_range=(max(low / 2, 1e-8), _top(curves)), height=380,
    )  # fmt: skip
    rows = tuple((label, float(a), float(b)) for label, y in curves.items() for a, b in zip(x, y, strict=True))
    return Figure(name, title, caption, draw(chart), ("curve", x_label, "ratio"), rows)


def _top(curves: dict[str, np.ndarray]) -> float:
    return max(2.0, *(2 * float(np.nanmax(np.where(np.isfinite(y), y, 0))) for y in curves.values()))


HORIZONS = np.unique(2 * np.round(np.geomspace(1, 5e4, 40)).astype(int))
LAMS = {f"lambda = {lam:g}": lam for lam in (MU, 10 * MU, R2)}


def tail_average() -> Iterator[Figure]:
    curves = {label: pi_average_ratio(lam, ETA, THETA, GAMMA, HORIZONS) for label, lam in LAMS.items()}
    yield _curve("lem:Pi-average-bound/horizon", "L_var of the core against 64/T", SETTING, HORIZONS, "T", curves)


def variance_curve() -> Iterator[Figure]:
    curves = {label: variance_ratio(lam, ETA, THETA, GAMMA, 3.0, HORIZONS, KT) for label, lam in LAMS.items()}
    yield _curve("lem:v-bound/horizon", "Variance against its bound", SETTING, HORIZONS, "T", curves)


def bias_curve() -> Iterator[Figure]:
    curves = {label: bias_ratio(lam, ETA, THETA, GAMMA, 3.0, HORIZONS) for label, lam in LAMS.items()}
    (_, printed), (_, mended) = _both(MU, R2, KT, R2 / MU)
    levels = (
        Level(float(printed.horizon), "T as printed", vertical=True),
        Level(float(mended.horizon), "T repaired", vertical=True),
    )
    words = f"{SETTING} Left of the crossing the inner loop is too short for the bound."
    yield _curve("lem:r-bound/horizon", "Bias against its bound", words, HORIZONS, "T", curves, levels)


def bias_energy_curve() -> Iterator[Figure]:
    curves = {
        f"{label}, {words}": bias_energy_ratio(lam, ETA, THETA, GAMMA, 3.0, HORIZONS, weight)
        for label, lam in (("lambda = mu", MU), ("lambda = R²", R2))
        for weight, words in ((0.5, "weight as printed"), (1.0, "weight as proved"))
    }
    yield _curve("lem:bias-bound/horizon", "Energy of the bias against its decay", SETTING, HORIZONS, "T", curves)


def layer_curve() -> Iterator[Figure]:
    etas = np.geomspace(1e-3, 1.5, 60)
    curves = {}
    for kurtosis in (3.0, 9.0):
        theta = np.sqrt(MU * etas / kurtosis) / 4
        curves[f"kurtosis {kurtosis:g}"] = layer_ratio(R2, etas, theta, theta / MU, kurtosis)
    words = (
        "One eigendirection with lambda = R² = 1, mu = 0.01. The statement names no bound on eta; "
        "the proof uses 1/(16 R²)."
    )
    level = (Level(1 / 16, "eta = 1/(16 R²)", vertical=True),)
    name = "lem:var-sigma-l-recursion/step"
    yield _curve(name, "One layer over the one below, against 1/2", words, etas, "eta R²", curves, level)


CURVES: tuple[Callable[[], Iterator[Figure]], ...] = (
    powers_of_a,
    stationary_level,
    tail_average,
    variance_curve,
    bias_curve,
    bias_energy_curve,
    layer_curve,
)
