"""Lesson 1 as a notebook: three lines. `python lesson_1.py` runs it, `marimo edit` opens it."""

# mypy: allow-untyped-decorators, allow-untyped-defs
# (cells are marimo's: it reads their arguments and results, and has no types for them)

import marimo

app = marimo.App(width="medium")


@app.cell
def _():
    import marimo as mo
    import numpy as np

    import theory
    from numerics.designs import Gaussian
    from numerics.losses import Squared
    from numerics.optimizers import SadaParams, trace
    from numerics.problems import GaussianNoise, LinearLabels, Problem
    from reports.charts import Chart, Series
    from reports.sada.lessons import find

    return (
        Chart,
        Gaussian,
        GaussianNoise,
        LinearLabels,
        Problem,
        SadaParams,
        Series,
        Squared,
        find,
        mo,
        np,
        theory,
        trace,
    )


@app.cell
def _(find, mo):
    lesson = find("three-lines")
    print(f"lesson {lesson.number}: {lesson.title}")
    mo.md(
        f"# {lesson.title}\n\n{lesson.goal}\n\n"
        + "\n\n".join(lesson.before)
        + "\n\n**In this notebook.** Here all 60 steps run at once. Change the seed to see how much of a path "
        "is luck, and watch the tail average in the printout."
    )
    return


@app.cell
def _(mo):
    theta = mo.ui.slider(0.02, 0.9, 0.02, value=0.1, label="θ", show_value=True)
    gamma = mo.ui.slider(0.12, 4, 0.04, value=0.6, label="γ", show_value=True)
    seed = mo.ui.slider(0, 20, 1, value=2, label="seed of the samples", show_value=True)
    mo.vstack([theta, gamma, seed])
    return gamma, seed, theta


@app.cell
def _(Gaussian, GaussianNoise, LinearLabels, Problem, SadaParams, Squared, gamma, np, seed, theta, trace):
    problem = Problem(Gaussian.from_spectrum([0.1, 1.0]), Squared(), LinearLabels([1.0, 0.6], GaussianNoise(0.1)))
    params = SadaParams(eta=0.12, gamma=gamma.value, theta=theta.value, T=60, h=(1.0,), beta=(0.0,))
    seen = trace(problem, params, np.random.default_rng(seed.value), x0=[-1.0, -0.6])
    risks = [float(problem.excess_risk(x)) for x in seen.x[0]]
    print(f"excess risk of x: {risks[0]:.6g} at the start, {risks[-1]:.6g} after 60 steps")
    print(f"excess risk of the tail average: {seen.excess[-1]:.6g}")
    return risks, seen


@app.cell
def _(Chart, Series, seen):
    path = [
        Series(name, list(points[:, 0]), list(points[:, 1]), style="points")
        for name, points in (("x", seen.x[0]), ("y", seen.y[0]), ("z", seen.z[0]))
    ]
    Chart("One inner loop", "flat direction", "steep direction", tuple(path))
    return


@app.cell
def _(Chart, Series, risks):
    Chart("Excess risk of x", "steps t", "F(x) - F*", (Series("x", list(range(61)), risks),), log_y=True)
    return


@app.cell
def _(mo):
    mo.md("## In the paper")
    return


@app.cell
def _(theory):
    print(theory.claim("lem:inner-matrix-form").statement.summary)
    theory.claim("lem:inner-matrix-form")
    return


if __name__ == "__main__":
    app.run()
