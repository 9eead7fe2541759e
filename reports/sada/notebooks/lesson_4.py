"""Lesson 4 as a notebook: peeling the layers. `python lesson_4.py` runs it, `marimo edit lesson_4.py` opens it."""

# mypy: allow-untyped-decorators, allow-untyped-defs
# (cells are marimo's: it reads their arguments and results, and has no types for them)

import marimo

app = marimo.App(width="medium")


@app.cell
def _():
    from itertools import pairwise

    import marimo as mo
    import numpy as np

    import theory
    from numerics.covariance import peel, stationary_layers
    from numerics.designs import Gaussian, StudentT
    from reports.charts import Chart, Series
    from reports.sada.lessons import find
    from reports.sada.lessons.noise import chosen

    return Chart, Gaussian, Series, StudentT, chosen, find, mo, np, pairwise, peel, stationary_layers, theory


@app.cell
def _(find, mo):
    lesson = find("peeling-the-layers")
    print(f"lesson {lesson.number}: {lesson.title}")
    mo.md(
        f"# {lesson.title}\n\n{lesson.goal}\n\n"
        + "\n\n".join(lesson.before)
        + "\n\n**In this notebook.** Besides Gaussian data you can choose Student's distribution, whose heavy "
        "tails make the fluctuation larger."
    )
    return


@app.cell
def _(mo):
    family = mo.ui.dropdown(["Gaussian", "Student t, nu = 6"], value="Gaussian", label="data")
    d = mo.ui.slider(1, 8, 1, value=3, label="d", show_value=True)
    kappa = mo.ui.slider(1, 100, 1, value=10, label="κ(Σ)", show_value=True)
    share = mo.ui.slider(0.05, 1, 0.05, value=1, label="16 R² η", show_value=True)
    mo.vstack([family, d, kappa, share])
    return d, family, kappa, share


@app.cell
def _(Gaussian, StudentT, chosen, d, family, kappa, np, share):
    spectrum = np.geomspace(1 / kappa.value, 1, d.value) if d.value > 1 else np.ones(1)
    sigma = np.diag(spectrum)
    design = Gaussian(sigma) if family.value == "Gaussian" else StudentT(sigma, 6.0)
    steps = chosen(design.mu, design.kappa_tilde, share.value / (16 * design.r2))
    print(f"R^2 = {design.r2:.6g}, kappa~ = {design.kappa_tilde:.6g}, theta = {steps.theta:.6g}")
    return design, steps


@app.cell
def _(design, mo, pairwise, stationary_layers, steps):
    sigmas = stationary_layers(design, steps, design.sigma, 3).sigmas
    factors = [after / before for before, after in pairwise(sigmas)]
    print("factors between the stationary layers:", ", ".join(f"{f:.6g}" for f in factors))
    mo.md(f"Factors between layers: {', '.join(f'{f:.4g}' for f in factors)}; the paper states at most 1/2.")
    return


@app.cell
def _(Chart, Series, design, peel, steps):
    times = list(range(10, 1001, 30))
    layers = [peel(design, steps, design.sigma, t, 2) for t in times]
    curves = tuple(
        Series(f"layer {i}", times, [one.layers[i].y_energy(design.sigma) for one in layers]) for i in range(3)
    )
    Chart("Layers of the noise", "steps t", "E|y|²", curves, log_y=True)
    return


@app.cell
def _(mo):
    mo.md("## In the paper")
    return


@app.cell
def _(theory):
    print(theory.claim("lem:var-sigma-l-recursion").statement.summary)
    theory.claim("lem:var-sigma-l-recursion")
    return


if __name__ == "__main__":
    app.run()
