"""How the defaults of the estimators were chosen: on drawn data of other kinds than those of `bench.estimators`.

    python -m bench.estimators_defaults [--draws 4]

For every setting the held-out loss over that of the solver, as a geometric mean over data sets of 300 to 8000 rows:
polynomials, low effective rank, log-normal columns, indicators of categories, blobs, parity-like classes, several and
rare classes, few rows for many columns, columns that repeat one another. A ridge of None is chosen from the first rows
of each.

Not everything was chosen here: that R^2 of several classes is compared with E M, and that no row is solved to the end
beside itself, was found while looking at digits and wine, which `bench.estimators` shows.
"""

from __future__ import annotations

import argparse
import itertools
import sys
import warnings
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from bench.estimators import judge

RIDGES, MUS, FRAMES = (None, 0.01, 0.1, 1.0, 10.0), (1e-5, 1e-4, 1e-3, 1e-2), ("diagonal", "full")


def regressions(seed: int) -> Iterator[tuple[Any, Any]]:
    from sklearn import datasets
    from sklearn.preprocessing import PolynomialFeatures

    rng = np.random.default_rng(seed)
    x, y = datasets.make_friedman1(3000, noise=1.0, random_state=seed)
    yield PolynomialFeatures(2, include_bias=False).fit_transform(x), y
    yield datasets.make_regression(8000, 40, effective_rank=8, noise=1.0, random_state=seed)
    x = np.exp(rng.standard_normal((2000, 12)))
    yield x, np.log(x) @ rng.standard_normal(12) + rng.standard_normal(2000)
    codes = rng.integers(0, 8, (4000, 4))
    x = np.eye(8)[codes].reshape(4000, 32)
    yield x, x @ rng.standard_normal(32) + rng.standard_normal(4000)
    x = rng.standard_normal((400, 15))
    yield x, x @ rng.standard_normal(15) + 4 * rng.standard_normal(400)
    x = rng.standard_normal((300, 60))
    yield x, x[:, :5].sum(axis=1) + 3 * rng.standard_normal(300)
    x, hidden = repeated(500, 4, 25, rng)
    yield x, hidden[:, 0] + rng.standard_normal(500)


def classifications(seed: int) -> Iterator[tuple[Any, Any]]:
    from sklearn import datasets
    from sklearn.preprocessing import PolynomialFeatures

    rng = np.random.default_rng(seed)
    x, y = datasets.make_hastie_10_2(6000, random_state=seed)
    yield PolynomialFeatures(2, include_bias=False).fit_transform(x), y
    yield datasets.make_blobs(2000, 6, centers=5, cluster_std=6.0, random_state=seed)
    x, y = datasets.make_moons(1000, noise=0.2, random_state=seed)
    yield PolynomialFeatures(3, include_bias=False).fit_transform(x), y
    x = np.eye(10)[rng.integers(0, 10, (4000, 3))].reshape(4000, 30)
    yield x, rng.random(4000) < 1 / (1 + np.exp(-x @ rng.standard_normal(30)))
    x = rng.standard_normal((400, 12))
    yield x, x @ rng.standard_normal(12) + rng.standard_normal(400) > 0
    x = rng.standard_normal((300, 60))
    yield x, x[:, 0] + x[:, 1] / 2 + rng.standard_normal(300) / 2 > 0
    x, hidden = repeated(600, 5, 30, rng)
    yield x, 3 * hidden[:, 0] + hidden[:, 1] + rng.logistic(size=600) / 2 > 0
    drawn = {"n_informative": 15, "n_classes": 6, "n_clusters_per_class": 1, "class_sep": 1.5}
    yield datasets.make_classification(2000, 40, random_state=seed, **drawn)
    x = np.eye(10)[rng.integers(0, 10, (4000, 3))].reshape(4000, 30)
    yield x, _drawn_from(1.5 * x @ rng.standard_normal((30, 7)), rng)
    x = rng.standard_normal((6000, 10))
    yield x, _drawn_from(x @ rng.standard_normal((10, 5)) - np.arange(5), rng)


def _drawn_from(z: Any, rng: np.random.Generator) -> Any:
    """Classes with probabilities softmax(z)."""
    return np.argmax(z + rng.gumbel(size=z.shape), axis=1)


def repeated(rows: int, hidden: int, columns: int, rng: np.random.Generator) -> tuple[Any, Any]:
    """A few hidden quantities measured in many columns with little noise, and the hidden ones."""
    z = rng.standard_normal((rows, hidden))
    return z @ rng.standard_normal((hidden, columns)) + 0.1 * rng.standard_normal((rows, columns)), z


def ratios(classify: bool, seed: int, settings: dict[str, Any]) -> list[float]:
    from sklearn.linear_model import LinearRegression, LogisticRegression
    from sklearn.model_selection import train_test_split
    from sklearn.preprocessing import StandardScaler

    from numerics.estimators import SADAClassifier, SADARegressor

    found = []
    for x, y in classifications(seed) if classify else regressions(seed):
        train, test, known, asked = train_test_split(x, y, test_size=0.25, random_state=seed)
        scale = StandardScaler().fit(train)
        train, test = scale.transform(train), scale.transform(test)
        solver = LogisticRegression(max_iter=2000) if classify else LinearRegression()
        ours = (SADAClassifier if classify else SADARegressor)(random_state=seed, **settings)
        best, one = (judge(model.fit(train, known), test, asked) for model in (solver, ours))
        found.append(one / best)
    return found


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--draws", type=int, default=4)
    draws = parser.parse_args(arguments).draws
    warnings.simplefilter("ignore")
    for classify, mus in ((False, (None,)), (True, MUS)):
        for frame, ridge, mu in itertools.product(FRAMES, RIDGES, mus):
            settings: dict[str, Any] = {"precondition": frame, "ridge": ridge} | ({"mu": mu} if mu else {})
            table = np.log([ratios(classify, seed, settings) for seed in range(draws)])
            each = " ".join(f"{value:.3f}" for value in np.exp(table.mean(axis=0)))
            name = "classification" if classify else "regression"
            print(f"{name:<15}{settings!s:<66}{np.exp(table.mean()):.4f}   {each}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
