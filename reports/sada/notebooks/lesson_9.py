"""Lesson 9 as a notebook: a race of your own. `python lesson_9.py` runs it, `marimo edit lesson_9.py` opens it."""

# mypy: allow-untyped-decorators, allow-untyped-defs
# (cells are marimo's: it reads their arguments and results, and has no types for them)

import marimo

app = marimo.App(width="medium")


@app.cell
def _():
    import marimo as mo

    from numerics.race import Entrant, ProblemSpec, RacePlan, geometric_sizes, race, summarise
    from reports.cli.race import chart
    from reports.sada.lessons import find
    from reports.sada.lessons.race import exponent, reached

    return Entrant, ProblemSpec, RacePlan, chart, exponent, find, geometric_sizes, mo, race, reached, summarise


@app.cell
def _(find, mo):
    lesson = find("the-race")
    print(f"lesson {lesson.number}: {lesson.title}")
    mo.md(
        f"# {lesson.title}\n\n{lesson.goal}\n\n"
        "This notebook runs the race itself, on fewer samples; the last cell quotes the recorded runs of the lesson."
    )
    return


@app.cell
def _(mo):
    power = mo.ui.slider(1, 5, 1, value=2, label="log10 κ", show_value=True)
    samples = mo.ui.slider(3, 6, 1, value=4, label="log10 samples", show_value=True)
    seeds = mo.ui.slider(2, 16, 1, value=4, label="streams", show_value=True)
    mo.vstack([power, samples, seeds])
    return power, samples, seeds


@app.cell
def _(Entrant, ProblemSpec, RacePlan, geometric_sizes, power, race, samples, seeds, summarise):
    problem = ProblemSpec.of("least-squares", {"kappa": 10.0**power.value})
    entrants = tuple(Entrant.parse(name) for name in ("sada", "asgd", "sgd", "erm"))
    plan = RacePlan(problem, entrants, geometric_sizes(10**samples.value), tuple(range(seeds.value)))
    found = summarise(race(plan))
    for row in found.rows:
        final = row.final.value if row.final else float("nan")
        print(f"{row.method}: excess risk {final:.4g} after {found.sizes[-1]} samples")
    return (found,)


@app.cell
def _(chart, found):
    chart(found)
    return


@app.cell
def _(exponent, mo, reached):
    quotient = reached(3, "sgd") / reached(3, "sada")
    print(f"recorded: at kappa = 1000 SGD needs {quotient:.4g} times the samples of SADA")
    mo.md(f"Recorded exponents of κ: SADA {exponent('sada'):.3f}, SGD {exponent('sgd'):.3f}.")
    return


if __name__ == "__main__":
    app.run()
