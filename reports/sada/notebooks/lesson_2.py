"""Lesson 2 as a notebook: why momentum. `python lesson_2.py` runs it, `marimo edit lesson_2.py` opens it."""

# mypy: allow-untyped-decorators, allow-untyped-defs
# (cells are marimo's: it reads their arguments and results, and has no types for them)

import marimo

app = marimo.App(width="medium")


@app.cell
def _():
    import marimo as mo
    import numpy as np

    import theory
    from numerics.operators import StepSizes
    from reports.charts import Chart, Level, Series
    from reports.sada.lessons import find
    from reports.sada.lessons.momentum import critical, orbit

    return Chart, Level, Series, StepSizes, critical, find, mo, np, orbit, theory


@app.cell
def _(find, mo):
    lesson = find("why-momentum")
    print(f"lesson {lesson.number}: {lesson.title}")
    mo.md(
        f"# {lesson.title}\n\n{lesson.goal}\n\n"
        + "\n\n".join(lesson.before)
        + "\n\n**In this notebook.** Here the step $\\eta$ moves, too. The lines in the figure are the bounds "
        "on $|x_k|$ that lesson 6 is about."
    )
    return (lesson,)


@app.cell
def _(mo):
    log_lam = mo.ui.slider(-4, 0, 0.05, value=-1, label="log10 λ", show_value=True)
    eta = mo.ui.slider(0.01, 0.5, 0.01, value=0.06, label="η", show_value=True)
    theta = mo.ui.slider(0.005, 0.5, 0.005, value=0.02, label="θ", show_value=True)
    ratio = mo.ui.slider(1, 200, 1, value=16, label="γ/η", show_value=True)
    mo.vstack([log_lam, eta, theta, ratio])
    return eta, log_lam, ratio, theta


@app.cell
def _(StepSizes, critical, eta, log_lam, mo, np, ratio, theta):
    steps = StepSizes(eta.value, theta.value, eta.value * ratio.value)
    lam = 10**log_lam.value
    roots = np.linalg.eigvals(steps.mean_block(lam))
    low, high = critical(steps)
    radius = 1 - float(steps.mean_gap(lam))
    print(f"eigenvalues {roots[0]:.6f}, {roots[1]:.6f}; radius {radius:.6f}; complex between {low:.4g} and {high:.4g}")
    mo.md(f"Spectral radius **{radius:.6f}**; plain descent multiplies by {1 - steps.eta * lam:.6f}.")
    return lam, steps


@app.cell
def _(Chart, Level, Series, lam, orbit, steps):
    k = list(range(201))
    levels = (Level(1, "proved: 1"), Level(2, "printed: 2"), Level(-1, ""), Level(-2, ""))
    moving = Series("with momentum", k, orbit(steps, lam, 200))
    plain = Series("without momentum", k, [(1 - steps.eta * lam) ** i for i in k], style="dash")
    Chart("One eigendirection", "steps k", "x_k", (moving, plain), levels=levels, y_range=(-2.2, 2.2))
    return


@app.cell
def _(mo):
    mo.md("## In the paper")
    return


@app.cell
def _(theory):
    print(theory.claim("lem:A-power-bound").statement.summary)
    theory.claim("lem:A-power-bound")
    return


if __name__ == "__main__":
    app.run()
