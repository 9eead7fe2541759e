"""Lesson 10 as a notebook: where the constants go. `python lesson_10.py` runs it, `marimo edit` opens it."""

# mypy: allow-untyped-decorators, allow-untyped-defs
# (cells are marimo's: it reads their arguments and results, and has no types for them)

import marimo

app = marimo.App(width="medium")


@app.cell
def _():
    import marimo as mo

    import theory
    from reports.sada.lessons import find
    from theory.papers.sada.composition import columns, waterfall

    return columns, find, mo, theory, waterfall


@app.cell
def _(find, mo):
    lesson = find("where-the-constants-go")
    print(f"lesson {lesson.number}: {lesson.title}")
    mo.md(
        f"# {lesson.title}\n\n{lesson.goal}\n\n"
        + "\n\n".join(lesson.before)
        + "\n\n**In this notebook.** Choose a column for each constant. Everything is computed in exact "
        "fractions."
    )
    return


@app.cell
def _(columns):
    for column in columns():
        print(f"{column.name}: C = {column.statistical} = {float(column.statistical):.6g}")
    return


@app.cell
def _(columns, mo):
    choices = {
        s: mo.ui.dropdown([c.name for c in columns()], value="implied", label=s) for s in ("s", "c", "w", "A", "1+g")
    }
    mo.vstack(list(choices.values()))
    return (choices,)


@app.cell
def _(choices, columns, mo):
    value = 1
    for symbol, chosen in choices.items():
        (one,) = (column[symbol] for column in columns() if column.name == chosen.value)
        value = value * one
    print(f"this mixture: {value}")
    mo.md(f"$C$ = {float(value):.6g}")
    return


@app.cell
def _(waterfall):
    print("one constant after the other, from printed over implied to sharper:")
    for drop in waterfall():
        print(f"{drop.new.symbol}: {drop.old.value} -> {drop.new.value}, C = {float(drop.after):.6g}")
    return


@app.cell
def _(mo):
    mo.md("## In the paper")
    return


@app.cell
def _(theory):
    print(theory.claim("thm:full-glm").statement.summary)
    theory.claim("thm:full-glm")
    return


if __name__ == "__main__":
    app.run()
