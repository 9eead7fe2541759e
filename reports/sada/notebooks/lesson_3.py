"""Lesson 3 as a notebook: noise finds its level. `python lesson_3.py` runs it, `marimo edit` opens it."""

# mypy: allow-untyped-decorators, allow-untyped-defs
# (cells are marimo's: it reads their arguments and results, and has no types for them)

import marimo

app = marimo.App(width="medium")


@app.cell
def _():
    import marimo as mo

    import theory
    from numerics.covariance import core_covariance, stationary_core
    from numerics.designs import Gaussian
    from reports.charts import Chart, Level, Series
    from reports.sada.lessons import find
    from reports.sada.lessons.noise import bound, chosen

    return Chart, Gaussian, Level, Series, bound, chosen, core_covariance, find, mo, stationary_core, theory


@app.cell
def _(find, mo):
    lesson = find("noise-finds-its-level")
    print(f"lesson {lesson.number}: {lesson.title}")
    mo.md(
        f"# {lesson.title}\n\n{lesson.goal}\n\n"
        + "\n\n".join(lesson.before)
        + "\n\n**In this notebook.** The level is computed twice in the library, by iterating and in closed "
        "form; here you see both in one figure."
    )
    return


@app.cell
def _(mo):
    eta = mo.ui.slider(0.0025, 0.0625, 0.0025, value=0.0625, label="η", show_value=True)
    kt = mo.ui.slider(1, 30, 1, value=5, label="κ̃", show_value=True)
    spread = mo.ui.slider(1, 100, 1, value=3, label="λ/μ", show_value=True)
    mo.vstack([eta, kt, spread])
    return eta, kt, spread


@app.cell
def _(Gaussian, bound, chosen, eta, kt, spread, stationary_core):
    lam = 0.01 * spread.value
    steps = chosen(0.01, kt.value, eta.value)
    level = float(lam * stationary_core(Gaussian([[lam]]), steps, [[lam]]).c22[0, 0])
    proved, printed = (bound(kt.value, eta.value, lam, *pair) for pair in ((30, 8 / 15), (4, 4)))
    print(f"level {level:.6g}; proved bound {proved:.6g}; printed bound {printed:.6g}")
    return lam, level, printed, proved, steps


@app.cell
def _(Chart, Gaussian, Level, Series, core_covariance, lam, level, printed, proved, steps):
    times = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000]
    heights = [float(lam * core_covariance(Gaussian([[lam]]), steps, [[lam]], t).c22[0, 0]) for t in times]
    levels = (Level(level, "level"), Level(proved, "proved"), Level(printed, "printed"))
    Chart("One direction fills up", "steps t", "λ Π₂₂", (Series("after t steps", times, heights),), True, True, levels)
    return


@app.cell
def _(mo):
    mo.md("## In the paper")
    return


@app.cell
def _(theory):
    print(theory.claim("lem:Pi-stationary-bound").statement.summary)
    theory.claim("lem:Pi-stationary-bound")
    return


if __name__ == "__main__":
    app.run()
