"""SADARegressor and SADAClassifier on scikit-learn's bundled data sets, beside its own linear models.

    python -m bench.estimators [--splits 20]

Held-out loss (a quarter of the rows), mean over random splits: mean squared error over the variance of the labels, or
log loss. Columns: least squares / logistic regression to the end (many passes), averaged SGD in one pass and in twenty
(scikit-learn's defaults after StandardScaler), SADA in one pass, with scaled columns and with whitened ones, and in
twenty passes. `reached`: one pass of SADA (the better of the two) is within five per cent of the loss, or one
thousandth, of the solver that goes to the end.
"""

from __future__ import annotations

import argparse
import sys
import warnings
from collections.abc import Callable, Iterator, Sequence
from importlib.util import find_spec
from typing import Any

import numpy as np

COLUMNS = ("solver", "SGD 1", "SGD 20", "SADA 1", "SADA 1 full", "SADA 20")


def data() -> Iterator[tuple[str, Any, Any, bool]]:
    """Name, rows, labels, whether it is a classification; two larger ones that are drawn, not bundled, at the end."""
    from sklearn import datasets

    diabetes = datasets.load_diabetes(return_X_y=True)
    yield "diabetes", *diabetes, False
    for name in ("iris", "wine", "breast_cancer", "digits"):
        yield name, *getattr(datasets, f"load_{name}")(return_X_y=True), True
    yield "made, 20000 x 50", *datasets.make_regression(20_000, 50, noise=10.0, random_state=0), False
    drawn = datasets.make_classification(20_000, 20, n_informative=10, random_state=0)
    yield "made, 20000 x 20", *drawn, True


def models(classify: bool, seed: int) -> dict[str, Any]:
    from sklearn.linear_model import LinearRegression, LogisticRegression, SGDClassifier, SGDRegressor

    from numerics.estimators import SADAClassifier, SADARegressor

    sada = SADAClassifier if classify else SADARegressor
    one: dict[str, Any] = {"average": True, "tol": None, "random_state": seed}
    if classify:
        one["loss"] = "log_loss"
    sgd = SGDClassifier if classify else SGDRegressor
    return {
        "solver": LogisticRegression(max_iter=5000) if classify else LinearRegression(),
        "SGD 1": sgd(max_iter=1, **one),
        "SGD 20": sgd(max_iter=20, **one),
        "SADA 1": sada(random_state=seed),
        "SADA 1 full": sada(precondition="full", random_state=seed),
        "SADA 20": sada(passes=20, random_state=seed),
    }


def losses(x: Any, y: Any, classify: bool, seed: int) -> list[float]:
    from sklearn.metrics import log_loss, mean_squared_error
    from sklearn.model_selection import train_test_split
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    train, test, known, asked = train_test_split(
        x, y, test_size=0.25, random_state=seed, stratify=y if classify else None
    )
    judge: Callable[[Any], float]
    if classify:
        judge = lambda model: float(log_loss(asked, model.predict_proba(test), labels=np.unique(y)))  # noqa: E731 - a line each
    else:
        judge = lambda model: float(mean_squared_error(asked, model.predict(test)) / np.var(asked))  # noqa: E731
    found = models(classify, seed)
    return [judge(make_pipeline(StandardScaler(), found[name]).fit(train, known)) for name in COLUMNS]


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--splits", type=int, default=20)
    chosen = parser.parse_args(arguments)
    if not find_spec("sklearn"):
        print("scikit-learn is not installed: pip install 'lemmalab[sklearn]'", file=sys.stderr)
        return 2
    warnings.simplefilter("ignore")  # SGD in one pass warns that it has not converged
    print(f"{'data':<20}{'rows':>7}{'columns':>9}" + "".join(f"{name:>13}" for name in COLUMNS) + "  reached")
    for name, x, y, classify in data():
        mean = np.mean([losses(x, y, classify, seed) for seed in range(chosen.splits)], axis=0)
        reached = min(mean[3], mean[4]) <= max(1.05 * mean[0], mean[0] + 1e-3)
        numbers = "".join(f"{value:>13.4f}" for value in mean)
        print(f"{name:<20}{len(y):>7}{x.shape[1]:>9}{numbers}  {'yes' if reached else 'no'}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
