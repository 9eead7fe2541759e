"""Lesson 5, how a lemma dies: lem:A-power-bound, its exact witness, and the hypothesis that saves it."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from markupsafe import Markup

from reports.charts import Chart, Level, Series, draw
from reports.sada.claims import find
from reports.sada.lessons.model import Claims, Exercise, Lesson, Numbers, Picture, Readout, Slider, Values

KEY = "lem:A-power-bound"
LONGEST = 12
HOLDS, FAILS = "holds", "fails"
KILLED = "every printed hypothesis holds and |x_k| > 2: this is a witness against the lemma"
FINE = "every printed hypothesis holds, and so does the bound, here"
SILENT = "a printed hypothesis fails: the lemma says nothing here"
Orbit = list[tuple[Fraction, Fraction]]


def orbit(lam: Fraction, eta: Fraction, c: Fraction, q: Fraction, count: int = LONGEST) -> Orbit:
    """(x_k, y_k) = A^k (1, 1), exactly."""
    found = [(Fraction(1), Fraction(1))]
    for _ in range(count):
        x, y = found[-1]
        found.append(((1 - eta * lam) * y, -c * x + (1 + c - q * lam) * y))
    return found


def energies(path: Orbit, lam: Fraction, eta: Fraction, c: Fraction, q: Fraction) -> list[Fraction]:
    """b c x^2 + (y - x)^2 with b = (q - eta) lambda: it never grows under the repaired hypotheses."""
    b = (q - eta) * lam
    return [b * c * x**2 + (y - x) ** 2 for x, y in path]


def _exact(v: Values) -> tuple[Fraction, Fraction, Fraction, Fraction]:
    return Fraction(v["lam"]), Fraction(v["eta"]), Fraction(v["c"]), Fraction(v["q"])


def witness() -> dict[str, float]:
    """From the registry, which the kernel has judged."""
    point = find(KEY).witness
    assert point is not None
    return {name: float(Fraction(value)) for name, value in point.values}


def numbers(v: Values) -> Numbers:
    lam, eta, c, q = _exact(v)
    k = int(v["k"])
    path = orbit(lam, eta, c, q)
    heat = energies(path, lam, eta, c, q)
    printed = eta * lam < 1 and eta <= q
    grew = next((j for j in range(1, LONGEST + 1) if heat[j] > heat[j - 1]), None)
    x = path[k][0]
    return {
        "exact": str(x),
        "decimal": float(x),
        "largest": str(max(abs(x) for x, _ in path)),
        "h1": HOLDS if eta * lam < 1 else FAILS,
        "h2": HOLDS if eta <= q else FAILS,
        "h3": HOLDS if q <= (1 + c) * eta else FAILS,
        "verdict": (KILLED if abs(x) > 2 else FINE) if printed else SILENT,
        "energy": str(heat[k]),
        "grew": "never up to k = 12" if grew is None else f"at step {grew}",
    }


def pictures() -> tuple[Picture, ...]:
    dead, alive = witness(), LESSON.start
    k = list(range(LONGEST + 1))
    curves = tuple(
        Series(name, k, [float(x) for x, _ in orbit(*_exact(v))], markers=True, scales=i == 0)
        for i, (name, v) in enumerate((("q = 1/2", alive), ("witness: q = 6", dead)))
    )
    levels = (Level(2, "2"), Level(-2, "-2"))
    return (
        Picture(
            "orbit",
            draw(Chart("x_k", "k", "x_k", curves, levels=levels, y_range=(-4.0, 4.0), height=380)),
            "The first entry of $A^k(1,1)^\\top$ for an innocent point and for the witness, which leaves at $k=2$.",
        ),
    )


def table(v: Values) -> Markup:
    """The orbit with its exact numbers."""
    lam, eta, c, q = _exact(v)
    path = orbit(lam, eta, c, q)
    heat = energies(path, lam, eta, c, q)
    head = Markup("<thead><tr>{}</tr></thead>").format(
        Markup("").join(Markup('<th scope="col">{}</th>').format(w) for w in ("k", "x_k", "y_k", "energy"))
    )
    rows = Markup("").join(
        Markup("<tr><td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>").format(k, str(x), str(y), str(heat[k]))
        for k, (x, y) in enumerate(path[:7])
    )
    return Markup("<table>{}<tbody>{}</tbody></table>").format(head, rows)


def data() -> Mapping[str, Any]:
    return {"witness": witness(), "verdicts": (KILLED, FINE, SILENT), "table:orbit-table": str(table(LESSON.start))}


def _first_q() -> float:
    """The smallest q on the slider for which |x_2| > 2, at the rest of the witness."""
    v = witness()
    return next(
        float(q) for q in (Fraction(n, 16) for n in range(8, 129)) if abs(orbit(*_exact({**v, "q": q}), 2)[2][0]) > 2
    )


LESSON = Lesson(
    number=5,
    slug="how-a-lemma-dies",
    title="How a lemma dies",
    goal="Find a point where all hypotheses hold and the conclusion does not; then find the missing hypothesis.",
    before=(
        "The paper states (lem:A-power-bound): suppose $\\eta\\lambda<1$ and $\\eta\\leq q$. Then for every $k$",
        r"$$\Big|\Big(A^k(\lambda)\begin{pmatrix}1\\1\end{pmatrix}\Big)_1\Big|\leq2,\quad"
        r" A(\lambda)=\begin{pmatrix}0&1-\eta\lambda\\-c&1+c-q\lambda\end{pmatrix}.$$",
        "A theorem about all points dies of one point. Here every number is a fraction, computed without rounding, "
        "in your browser as in the kernel: no doubt is left about an inequality between fractions. Raise $q$.",
    ),
    controls=(
        Slider("q", "$q$", 0.0625, 8, 0.5, step=0.0625, whole=True),
        Slider("eta", "$\\eta$", 0.0625, 1, 0.5, step=0.0625, whole=True),
        Slider("c", "$c$", 0.0625, 0.9375, 0.5, step=0.0625, whole=True),
        Slider("lam", "$\\lambda$", 0.0625, 2, 1, step=0.0625, whole=True),
        Slider("k", "$k$", 0, LONGEST, 2, step=1, whole=True),
    ),
    buttons=(("witness", "Go to the witness"), ("repair", "Largest q that the repair allows")),
    readouts=(
        Readout("verdict", "verdict", wide=True),
        Readout("exact", "$x_k$ exactly"),
        Readout("decimal", "$x_k$"),
        Readout("largest", "largest $|x_j|$, $j\\leq12$"),
        Readout("h1", "$\\eta\\lambda<1$"),
        Readout("h2", "$\\eta\\leq q$"),
        Readout("h3", "$q\\leq(1+c)\\eta$, not in the paper"),
        Readout("energy", "energy at $k$"),
        Readout("grew", "the energy grows"),
    ),
    numbers=numbers,
    pictures=pictures,
    tables=(("orbit-table", "The orbit, exactly"),),
    data=data,
    after=(
        "## The repair",
        "Nothing in the hypotheses keeps $q$ from being so large that the block is unstable. Put $d=y-x$ and "
        "$b=(q-\\eta)\\lambda$ and look at the energy $E=bcx^2+d^2$. One step changes it by",
        r"$$E-E'=b\,\big(ca(2-a)-b\big)\,y^2+(bc+1-c^2)\,d^2,\quad a=\eta\lambda.$$",
        "If $q\\leq(1+c)\\eta$, which is $\\theta\\gamma\\leq\\eta$, both brackets are nonnegative: the energy "
        "never grows, it starts at $bc$, and so $x_k^2\\leq1$. That is a proof for every $k$ at once, it gives 1 "
        "where the paper has 2, and the kernel has checked it. The paper's own hyperparameters satisfy the extra "
        "hypothesis, so that the theorem survives; the lemma as printed does not.",
        "Replay it: `lemmalab show lem:A-power-bound`.",
    ),
    exercises=(
        Exercise(
            "At the witness ($\\lambda=1$, $\\eta=c=1/2$, $q=6$), what is $x_2$?",
            lambda: float(orbit(*_exact(witness()), 2)[2][0]),
            "One step gives x_1 = 1/2 and y_1 = -5.",
            "$x_1=1/2$, $y_1=-c+(1+c-q)=-5$, $x_2=(1-1/2)\\cdot(-5)=-5/2$.",
            tolerance=0.0,
        ),
        Exercise(
            "Keep the rest of the witness. What is the smallest $q$ on the slider (multiples of 1/16) with $|x_2|>2$?",
            _first_q,
            "x_2 = (1 - q)/2 there.",
            "$x_2=(1-q)/2$, so that $q>5$ is needed: $81/16$.",
            tolerance=0.0,
        ),
        Exercise(
            "With $\\eta=c=1/2$ and $\\lambda=1$, what is the largest $q$ that the repaired hypothesis allows?",
            lambda: float((1 + Fraction(1, 2)) * Fraction(1, 2)),
            "It is (1+c) eta.",
            "$(1+1/2)\\cdot1/2=3/4$.",
            tolerance=0.0,
        ),
    ),
    claims=Claims(
        (
            (KEY, "as printed"),
            (f"{KEY}/repaired", "with $q\\leq(1+c)\\eta$"),
            (f"{KEY}/sharper", "and then with 1 for 2"),
            (f"{KEY}/sharper#hyperparameters", "the paper's hyperparameters satisfy it"),
            ("lem:L-var-monotone", "another lemma that dies, of a sequence of matrices"),
        )
    ),
)
