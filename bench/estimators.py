"""SADARegressor and SADAClassifier in one pass and in five, beside rivals that are used well: the table of README.

    python -m bench.estimators [--splits 10] [--passes 5]

Held-out loss (a quarter of the rows): mean squared error over the variance of the labels, or log loss; mean over random
splits with a 95% interval. `solver` goes to the end (least squares; logistic regression by L-BFGS with scikit-learn's
penalty, all classes at once). The rivals (`bench.estimators_rivals`) have tuned step sizes; the best of them is shown,
by its mean. SADA has no step size and its defaults: they were chosen on other data (`bench.estimators_defaults`). The
first 256 rows (four a column, if that is more) are solved to the end, and `solved` says which part of the training rows
that is; `chunk 64` is SADA that solves 64 only.
"""

from __future__ import annotations

import argparse
import sys
import warnings
from collections.abc import Iterator, Sequence
from importlib.util import find_spec
from typing import Any

import numpy as np
from scipy import stats

from bench.common import put_table


def data() -> Iterator[tuple[str, Any, Any, bool]]:
    """Name, rows, labels, whether it is a classification; two larger ones that are drawn, not bundled, at the end."""
    from sklearn import datasets

    yield "diabetes", *datasets.load_diabetes(return_X_y=True), False
    for name in ("iris", "wine", "breast_cancer", "digits"):
        yield name.replace("_", " "), *getattr(datasets, f"load_{name}")(return_X_y=True), True
    yield "20000 x 50, regression", *datasets.make_regression(20_000, 50, noise=10.0, random_state=0), False
    drawn = datasets.make_classification(20_000, 20, n_informative=10, random_state=0)
    yield "20000 x 20, two classes", *drawn, True


def judge(model: Any, x: Any, y: Any) -> float:
    """Log loss, or the mean squared error over the variance of the labels."""
    from sklearn.metrics import log_loss, mean_squared_error

    if hasattr(model, "predict_proba"):
        if hasattr(model, "classify") and not model.classify:
            return float(mean_squared_error(y, model.predict(x)) / np.var(y))
        return float(log_loss(y, model.predict_proba(x), labels=model.classes_))
    return float(mean_squared_error(y, model.predict(x)) / np.var(y))


def losses(x: Any, y: Any, classify: bool, seed: int, passes: int) -> dict[str, float]:
    from sklearn.linear_model import LinearRegression, LogisticRegression
    from sklearn.model_selection import train_test_split
    from sklearn.preprocessing import StandardScaler

    from bench.estimators_rivals import tuned
    from numerics.estimators import SADAClassifier, SADARegressor

    train, test, known, asked = train_test_split(
        x, y, test_size=0.25, random_state=seed, stratify=y if classify else None
    )
    scale = StandardScaler().fit(train)
    train, test = scale.transform(train), scale.transform(test)
    sada: Any = SADAClassifier if classify else SADARegressor
    models = {
        "solver": LogisticRegression(max_iter=5000) if classify else LinearRegression(),
        "SADA": sada(random_state=seed),
        "SADA, chunk 64": sada(chunk=64, random_state=seed),
        f"SADA, {passes}": sada(passes=passes, random_state=seed),
    }
    found = {name: judge(model.fit(train, known), test, asked) for name, model in models.items()}
    for count, words in ((1, "1"), (passes, str(passes))):
        for name, model in tuned(train, known, classify, count, seed, judge):
            found[f"{name}, {words}"] = judge(model, test, asked)
    return found


def solved(rows: int, columns: int) -> str:
    """The part of the training rows that SADA solves to the end."""
    from numerics.estimators.learner import first_rows

    train = rows - -(-rows // 4)
    return f"{min(1.0, first_rows(columns) / train):.0%}"


def interval(values: Sequence[float]) -> str:
    """Mean and half of the 95% interval of the mean."""
    half = stats.t.ppf(0.975, len(values) - 1) * np.std(values, ddof=1) / np.sqrt(len(values))
    return f"{np.mean(values):.3g} ± {half:.1g}"


def row(name: str, x: Any, y: Any, classify: bool, splits: int, passes: int) -> list[str]:
    runs = [losses(x, y, classify, seed, passes) for seed in range(splits)]
    column = {key: [run[key] for run in runs] for key in runs[0]}
    cells = [name, solved(*x.shape), interval(column["solver"])]
    for count, ours in (("1", ("SADA, chunk 64", "SADA")), (str(passes), (f"SADA, {passes}",))):
        rivals = [key for key in column if key.endswith(f", {count}") and not key.startswith("SADA")]
        best = min(rivals, key=lambda key: float(np.mean(column[key])))
        cells += [f"{interval(column[best])} ({best.split(',')[0]})", *(interval(column[key]) for key in ours)]
    return cells


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--splits", type=int, default=10)
    parser.add_argument("--passes", type=int, default=5)
    parser.add_argument("--write", action="store_true", help="put the table into README.md")
    chosen = parser.parse_args(arguments)
    if not find_spec("sklearn"):
        print("scikit-learn is not installed: pip install 'lemmalab[sklearn]'", file=sys.stderr)
        return 2
    warnings.simplefilter("ignore")  # SGD in one pass warns that it has not converged
    many = f"{chosen.passes} passes"
    head = ["data", "solved", "solver", "best rival, 1 pass", "SADA, chunk 64", "SADA, 1 pass"]
    rows = ["| " + " | ".join([*head, f"best rival, {many}", f"SADA, {many}"]) + " |", "|" + "---|" * 8]
    print("\n".join(rows), flush=True)
    for name, x, y, classify in data():
        rows.append("| " + " | ".join(row(name, x, y, classify, chosen.splits, chosen.passes)) + " |")
        print(rows[-1], flush=True)
    if chosen.write:
        put_table("python -m bench.estimators", rows)
    return 0


if __name__ == "__main__":
    sys.exit(main())
