"""Lesson 5 as a notebook: why average the tail. `python lesson_5.py` runs it, `marimo edit` opens it."""

# mypy: allow-untyped-decorators, allow-untyped-defs
# (cells are marimo's: it reads their arguments and results, and has no types for them)

import marimo

app = marimo.App(width="medium")


@app.cell
def _():
    import marimo as mo
    import numpy as np

    import theory
    from numerics.covariance import bias_average, variance_average
    from numerics.parameters import printed_horizon, repaired_horizon
    from reports.charts import Chart, Level, Series
    from reports.sada.lessons import find
    from reports.sada.lessons.layers import gaussian, steps_of

    return (
        Chart,
        Level,
        Series,
        bias_average,
        find,
        gaussian,
        mo,
        np,
        printed_horizon,
        repaired_horizon,
        steps_of,
        theory,
        variance_average,
    )


@app.cell
def _(find, mo):
    lesson = find("why-average-the-tail")
    print(f"lesson {lesson.number}: {lesson.title}")
    mo.md(
        f"# {lesson.title}\n\n{lesson.goal}\n\n"
        + "\n\n".join(lesson.before)
        + "\n\n**In this notebook.** Here the noise moves, too. The upright lines are the printed and the "
        "repaired rule for $T$."
    )
    return


@app.cell
def _(mo):
    kappa = mo.ui.slider(1, 300, 1, value=30, label="κ(Σ)", show_value=True)
    noise = mo.ui.slider(0.001, 0.1, 0.001, value=0.01, label="σ²", show_value=True)
    last = mo.ui.slider(0.01, 0.25, 0.01, value=0.1, label="θ_K", show_value=True)
    mo.vstack([kappa, noise, last])
    return kappa, last, noise


@app.cell
def _(gaussian, kappa, last, printed_horizon, repaired_horizon, steps_of):
    design = gaussian(4, float(kappa.value))
    steps = steps_of(design, 1.0)
    printed = printed_horizon(design.mu, steps.eta, design.kappa_tilde, kappa.value, last.value)
    repaired = repaired_horizon(steps.theta, kappa.value, last.value)
    print(f"steps by the printed rule: {printed:.6g}; by the repaired rule: {repaired:.6g}")
    return design, printed, repaired, steps


@app.cell
def _(Chart, Level, Series, bias_average, design, noise, np, printed, repaired, steps, variance_average):
    start = 1 / np.sqrt(4 * design.eigenvalues)
    times = sorted({2 * round(t / 2) for t in np.geomspace(2, 20000, 24)})
    variance = [noise.value * variance_average(design, steps, design.sigma, t) for t in times]
    bias = [bias_average(design, steps, start, t) for t in times]
    print(f"at T = {times[-1]}: variance {variance[-1]:.6g}, bias {bias[-1]:.3g}")
    rules = (("printed", printed), ("repaired", repaired))
    levels = tuple(Level(value, name, vertical=True) for name, value in rules if value > 1)
    curves = (Series("variance", times, variance), Series("bias", times, bias))
    Chart("Risk of the tail average", "steps T", "risk", curves, True, True, levels, y_range=(1e-8, 10.0))
    return


@app.cell
def _(mo):
    mo.md("## In the paper")
    return


@app.cell
def _(theory):
    print(theory.claim("lem:Pi-average-bound").statement.summary)
    theory.claim("lem:Pi-average-bound")
    return


if __name__ == "__main__":
    app.run()
