r"""Ready-made problems by name, each with a few numbers to set, and the problem of a user's table.

The predictor w has the same share of |w|^2_Sigma in every eigendirection of Sigma, w_i = sqrt(s / (d lambda_i)): every
eigendirection has to be learnt, the smallest one included, which is what a condition number is about.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from numerics.designs import Gaussian, OneHot, StudentT, read_table
from numerics.designs.checks import Array
from numerics.errors import DataError, ParameterError
from numerics.losses import Logistic, Loss, Squared, TwoCurvature
from numerics.problems import GaussianNoise, LinearLabels, LogisticLabels, NonlinearLabels, Problem

Options = Mapping[str, Any]


@dataclass(frozen=True)
class Ready:
    """A family of problems; `defaults` are its numbers and what they are when nothing is said."""

    title: str
    defaults: tuple[tuple[str, float], ...]
    build: Callable[[dict[str, float]], Problem]


def _predictor(eigenvalues: Array, share: float = 1.0) -> Array:
    return np.asarray(np.sqrt(share / (len(eigenvalues) * eigenvalues)))


def _spectrum(o: dict[str, float]) -> Array:
    return np.geomspace(1 / o["kappa"], 1, int(o["dim"])) if o["dim"] > 1 else np.ones(1)


def _least_squares(o: dict[str, float]) -> Problem:
    lam = _spectrum(o)
    return Problem(Gaussian.from_spectrum(lam), Squared(), LinearLabels(_predictor(lam), GaussianNoise(o["noise"])))


def _wavy(t: Array) -> Array:
    return t + np.sin(2 * t)


def _misspecified(o: dict[str, float]) -> Problem:
    lam = _spectrum(o)
    labels = NonlinearLabels(_predictor(lam), _wavy, GaussianNoise(o["noise"]))
    return Problem(Gaussian.from_spectrum(lam), Squared(), labels)


def _logistic(o: dict[str, float]) -> Problem:
    if o["alpha"] <= 1:
        raise ParameterError(f"logistic: alpha = {o['alpha']:g}, but alpha = 1 + 1/(4 mu) exceeds 1; raise alpha")
    lam = _spectrum(o)
    loss = Logistic(0.25 / (o["alpha"] - 1))
    return Problem(Gaussian.from_spectrum(lam), loss, LogisticLabels(_predictor(lam, 4.0)), tolerance=1e-3)


def _two_curvature(o: dict[str, float]) -> Problem:
    lam, noise = _spectrum(o), GaussianNoise(o["noise"])
    loss = TwoCurvature(1.0, 1 / o["alpha"], o["delta"])
    return Problem(Gaussian.from_spectrum(lam), loss, LinearLabels(_predictor(lam), noise), tolerance=1e-3)


def _one_hot(o: dict[str, float]) -> Problem:
    p = _spectrum(o)
    p /= math.fsum(p)
    return Problem(OneHot(p), Squared(), LinearLabels(_predictor(p), GaussianNoise(o["noise"])))


def _heavy_tails(o: dict[str, float]) -> Problem:
    lam = _spectrum(o)
    design = StudentT(np.diag(lam), o["nu"])
    return Problem(design, Squared(), LinearLabels(_predictor(lam), GaussianNoise(o["noise"])))


_COMMON = (("kappa", 1e3), ("dim", 10.0))
READY: dict[str, Ready] = {
    "least-squares": Ready("well-specified least squares, Gaussian", (*_COMMON, ("noise", 0.1)), _least_squares),
    "misspecified": Ready("least squares, b = t + sin(2t) + e", (*_COMMON, ("noise", 0.1)), _misspecified),
    "logistic": Ready("regularised logistic regression", (("kappa", 1e2), ("dim", 10.0), ("alpha", 6.0)), _logistic),
    "two-curvature": Ready(
        "l_delta, curvature 1 near and 1/alpha far from the label",
        (("kappa", 1e2), ("dim", 10.0), ("noise", 0.3), ("alpha", 10.0), ("delta", 0.3)),
        _two_curvature,
    ),
    "one-hot": Ready("least squares, one-hot data", (("kappa", 1e2), ("dim", 10.0), ("noise", 0.1)), _one_hot),
    "heavy-tails": Ready("least squares, Student t data", (*_COMMON, ("noise", 0.1), ("nu", 6.0)), _heavy_tails),
}


@dataclass(frozen=True)
class ProblemSpec:
    """A problem as plain data: a name (or a path) and its options, so that it can be hashed, stored and sent."""

    name: str
    options: tuple[tuple[str, float | str | bool], ...] = ()

    @classmethod
    def of(cls, name: str, options: Options | None = None) -> ProblemSpec:
        """Checked at once: an unknown name or option, or a number out of range, is refused by name."""
        given = dict(options or {})
        if name not in READY:
            return cls(name, tuple(sorted(_table_options(name, given).items())))
        known = dict(READY[name].defaults)
        for key, value in given.items():
            if key not in known:
                raise ParameterError(f"{name}: has no option {key!r}; it has {', '.join(known)}")
            known[key] = _number(name, key, value)
        return cls(name, tuple(sorted(known.items())))

    @property
    def label(self) -> str:
        inside = ", ".join(f"{k} = {v:g}" if isinstance(v, float) else f"{k} = {v}" for k, v in self.options)
        return f"{self.name} ({inside})" if inside else self.name

    def build(self) -> Problem:
        if self.name in READY:
            return READY[self.name].build({k: float(v) for k, v in self.options})
        return table_problem(self.name, **dict(self.options))  # type: ignore[arg-type]  # checked by `of`


_LEAST = {"kappa": 1.0, "dim": 1.0, "alpha": 1.0, "nu": 4.0}


def _number(name: str, key: str, value: object) -> float:
    number = float(value) if isinstance(value, (int, float)) and not isinstance(value, bool) else math.nan
    least = _LEAST.get(key, 0.0)
    allowed = number >= least if key in ("kappa", "dim", "alpha") else number > least
    if not (math.isfinite(number) and allowed) or (key == "dim" and number != int(number)):
        rule = {"dim": "an integer >= 1"}.get(key, f"a finite number {'>=' if least == 1 else '>'} {least:g}")
        raise ParameterError(f"{name}: {key} = {value!r} must be {rule}")
    return number


_TABLE_OPTIONS: dict[str, type] = {"label": str, "loss": str, "mu": float, "raw": bool}


def _table_options(name: str, given: dict[str, Any]) -> dict[str, Any]:
    if Path(name).suffix.lower() not in (".csv", ".npz", ".parquet", ".pq"):
        raise ParameterError(f"no problem {name!r}; there are {', '.join(READY)}, or the path of a .csv or .parquet")
    for key, value in given.items():
        if key not in _TABLE_OPTIONS or not isinstance(value, (_TABLE_OPTIONS[key], int)):
            raise ParameterError(
                f"{name}: option {key} = {value!r} is unknown; a table has {', '.join(_TABLE_OPTIONS)}"
            )
    return given


def table_problem(
    path: str, *, label: str | None = None, loss: str = "squared", mu: float = 0.05, raw: bool = False
) -> Problem:
    """The rows of a table as the whole population: samples are rows drawn with replacement, F is the mean over rows.

    `label` names the label column (default: the last one). Unless `raw`, columns are shifted and scaled to mean 0 and
    variance 1 and a constant column is added; `mu` regularises the logistic loss, whose labels may be any two values.
    """
    try:
        table = read_table(path)
        features, b = table.split(table.names[-1] if label is None else label)
    except (ValueError, OSError) as error:
        raise DataError(str(error)) from None
    chosen, b = _loss_of(path, loss, mu, b)
    a = features.values
    if not raw:
        a = _standardised(path, a, features.names)
    try:
        return Problem.from_data(a, b, chosen)
    except ValueError as error:
        raise DataError(f"{path}: {error}") from None


def _loss_of(path: str, name: str, mu: float, b: Array) -> tuple[Loss, Array]:
    if name == "squared":
        return Squared(), b
    if name != "logistic":
        raise ParameterError(f"{path}: loss = {name!r} is unknown; choose squared or logistic")
    values = np.unique(b)
    if len(values) != 2:
        raise DataError(f"{path}: the label has {len(values)} values, logistic loss needs two; choose --loss squared")
    return Logistic(mu), np.where(b == values[1], 1.0, -1.0)


def _standardised(path: str, a: Array, names: tuple[str, ...]) -> Array:
    spread = a.std(axis=0)
    still = spread <= 1e-12 * np.maximum(np.abs(a.mean(axis=0)), 1e-300)
    if still.any():
        raise DataError(f"{path}: column {names[int(np.argmax(still))]!r} is constant; drop it (a constant is added)")
    return np.column_stack([(a - a.mean(axis=0)) / spread, np.ones(len(a))])
