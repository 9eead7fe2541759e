"""Lesson 6 as a notebook: how a lemma dies. `python lesson_6.py` runs it, `marimo edit` opens it."""

# mypy: allow-untyped-decorators, allow-untyped-defs
# (cells are marimo's: it reads their arguments and results, and has no types for them)

import marimo

app = marimo.App(width="medium")


@app.cell
def _():
    from fractions import Fraction
    from itertools import pairwise

    import marimo as mo

    import theory
    from reports.charts import Chart, Level, Series
    from reports.sada.lessons import find
    from reports.sada.lessons.refuted import KEY, energies, orbit, witness

    return Chart, Fraction, KEY, Level, Series, energies, find, mo, orbit, pairwise, theory, witness


@app.cell
def _(find, mo):
    lesson = find("how-a-lemma-dies")
    print(f"lesson {lesson.number}: {lesson.title}")
    mo.md(
        f"# {lesson.title}\n\n{lesson.goal}\n\n"
        + "\n\n".join(lesson.before)
        + "\n\n**In this notebook.** The notebook starts at the witness of the kernel. Lower $q$ until the "
        "energy no longer grows."
    )
    return


@app.cell
def _(mo, witness):
    found = witness()
    q = mo.ui.slider(0.0625, 8, 0.0625, value=found["q"], label="q", show_value=True)
    eta = mo.ui.slider(0.0625, 1, 0.0625, value=found["eta"], label="η", show_value=True)
    c = mo.ui.slider(0.0625, 0.9375, 0.0625, value=found["c"], label="c", show_value=True)
    lam = mo.ui.slider(0.0625, 2, 0.0625, value=found["lam"], label="λ", show_value=True)
    mo.vstack([q, eta, c, lam])
    return c, eta, lam, q


@app.cell
def _(Fraction, c, energies, eta, lam, orbit, pairwise, q):
    point = tuple(Fraction(one.value) for one in (lam, eta, c, q))
    path = orbit(*point)
    heat = energies(path, *point)
    fair = point[1] * point[0] < 1 and point[1] <= point[3]
    print(f"x_2 = {path[2][0]}; the printed hypotheses {'hold' if fair else 'fail'}")
    print(f"the energy grows: {any(b > a for a, b in pairwise(heat))}")
    return (path,)


@app.cell
def _(Chart, Level, Series, path):
    curve = Series("x_k", list(range(len(path))), [float(x) for x, _ in path], markers=True)
    Chart("The first entry", "k", "xₖ", (curve,), levels=(Level(2, "2"), Level(-2, "−2")), y_range=(-6.0, 6.0))
    return


@app.cell
def _(KEY, theory):
    print(theory.claim(f"{KEY}/sharper").statement.summary)
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
