"""Lesson 8 as a notebook: two loops. `python lesson_8.py` runs it, `marimo edit` opens it."""

# mypy: allow-untyped-decorators, allow-untyped-defs
# (cells are marimo's: it reads their arguments and results, and has no types for them)

import marimo

app = marimo.App(width="medium")


@app.cell
def _():
    import marimo as mo

    import theory
    from numerics.outer import PRINTED, REPAIRED_ENERGY
    from reports.charts import Chart, Series
    from reports.sada.lessons import find
    from reports.sada.lessons.outer import run, witness

    return Chart, PRINTED, REPAIRED_ENERGY, Series, find, mo, run, theory, witness


@app.cell
def _(find, mo):
    lesson = find("two-loops")
    print(f"lesson {lesson.number}: {lesson.title}")
    mo.md(
        f"# {lesson.title}\n\n{lesson.goal}\n\n"
        + "\n\n".join(lesson.before)
        + "\n\n**In this notebook.** The notebook starts at the witness of the kernel. Both curves belong to "
        "one run of the algorithm."
    )
    return


@app.cell
def _(mo, witness):
    found = witness()
    alpha = mo.ui.slider(1, 10000, 1, value=found["alpha"], label="α", show_value=True)
    share = mo.ui.slider(0.02, 1, 0.01, value=round(found["share"], 2), label="θ√(12α)", show_value=True)
    q = mo.ui.slider(0.01, 1, 0.01, value=found["q"], label="q", show_value=True)
    gap = mo.ui.slider(-1, 1, 0.001, value=round(found["gap"], 3), label="last step", show_value=True)
    mo.vstack([alpha, share, q, gap])
    return alpha, gap, q, share


@app.cell
def _(PRINTED, REPAIRED_ENERGY, alpha, gap, q, run, share):
    place = {"alpha": alpha.value, "share": share.value, "q": q.value, "gap": gap.value}
    printed, repaired = run(PRINTED, place, 60), run(REPAIRED_ENERGY, place, 60)
    print(f"E_1/E_0: printed weight {printed[1] / printed[0]:.6f}, repaired weight {repaired[1] / repaired[0]:.6f}")
    return printed, repaired


@app.cell
def _(Chart, Series, printed, repaired):
    k = list(range(61))
    curves = [Series(n, k, [e / run[0] for e in run]) for n, run in (("printed", printed), ("repaired", repaired))]
    Chart("Energy over its start", "step k", "Eₖ/E₀", tuple(curves))
    return


@app.cell
def _(mo):
    mo.md("## In the paper")
    return


@app.cell
def _(theory):
    print(theory.claim("lem:outer-one-step").statement.summary)
    theory.claim("lem:outer-one-step")
    return


if __name__ == "__main__":
    app.run()
