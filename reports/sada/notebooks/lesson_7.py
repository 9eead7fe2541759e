"""Lesson 7 as a notebook: reading a certificate. `python lesson_7.py` runs it, `marimo edit` opens it."""

# mypy: allow-untyped-decorators, allow-untyped-defs
# (cells are marimo's: it reads their arguments and results, and has no types for them)

import marimo

app = marimo.App(width="medium")


@app.cell
def _():
    import marimo as mo

    import theory
    from reports.sada.lessons import find
    from reports.sada.lessons.certificate import FORGERIES, sides, told, verdict

    return FORGERIES, find, mo, sides, theory, told, verdict


@app.cell
def _(find, mo):
    lesson = find("reading-a-certificate")
    print(f"lesson {lesson.number}: {lesson.title}")
    mo.md(
        f"# {lesson.title}\n\n{lesson.goal}\n\n"
        + "\n\n".join(lesson.before)
        + "\n\n**In this notebook.** The next cell prints the certificate as it ships; below, the kernel judges "
        "it and its forgeries while you watch."
    )
    return


@app.cell
def _(told):
    print("\n".join(told()))
    return


@app.cell
def _(FORGERIES, mo):
    x = mo.ui.slider(0, 1, 0.01, value=0.5, label="x", show_value=True)
    k = mo.ui.slider(0, 12, 1, value=2, label="k", show_value=True)
    kind = mo.ui.dropdown(list(FORGERIES), value="shipped", label="certificate")
    mo.vstack([x, k, kind])
    return k, kind, x


@app.cell
def _(k, kind, mo, sides, verdict, x):
    left, terms = sides(x.value, k.value, kind.value)
    print(f"to be shown nonnegative: {left:.6g}; sum of the terms: {sum(terms):.6g}")
    mo.md(f"The kernel: {verdict(kind.value)}.")
    return


@app.cell
def _(FORGERIES, verdict):
    for name in FORGERIES:
        print(f"{name}: {verdict(name)}")
    return


@app.cell
def _(mo):
    mo.md("## In the paper")
    return


@app.cell
def _(theory):
    print(theory.claim("lem:aux-lemma-r").statement.summary)
    theory.claim("lem:aux-lemma-r")
    return


if __name__ == "__main__":
    app.run()
