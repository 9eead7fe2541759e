"""Lesson 6, how a lemma dies: lem:A-power-bound, its exact witness, and the hypothesis that saves it."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from markupsafe import Markup

from reports.charts import Chart, Level, Series, draw
from reports.sada.claims import find
from reports.sada.lessons.model import (
    Claims,
    Derivation,
    Exercise,
    Formula,
    Lesson,
    Numbers,
    Picture,
    Readout,
    Slider,
    Values,
)  # fmt: skip

KEY = "lem:A-power-bound"
LONGEST = 12
HOLDS, FAILS = "holds", "fails"
KILLED = "every printed hypothesis holds and |xₖ| > 2: this is a witness against the lemma"
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
    x = orbit(lam, eta, c, q)[int(v["k"])][0]
    printed = eta * lam < 1 and eta <= q
    return {
        "verdict": (KILLED if abs(x) > 2 else FINE) if printed else SILENT,
        "exact": str(x),
        "h3": HOLDS if q <= (1 + c) * eta else FAILS,
    }


def broken(v: Values) -> bool:
    """A witness with a small q."""
    return numbers(v)["verdict"] == KILLED and float(v["q"]) <= 2


def pictures() -> tuple[Picture, ...]:
    dead, alive = witness(), LESSON.start
    k = list(range(LONGEST + 1))
    curves = tuple(
        Series(name, k, [float(x) for x, _ in orbit(*_exact(v))], markers=True, scales=i == 0)
        for i, (name, v) in enumerate(((f"q = {Fraction(alive['q'])}", alive), ("witness: q = 6", dead)))
    )
    levels = (Level(2, "printed: at most 2"), Level(-2, ""))
    return (
        Picture(
            "orbit",
            draw(Chart("The first entry", "k", "xₖ", curves, levels=levels, y_range=(-4.0, 4.0), height=420)),
            "The first entry of $A^k(1,1)^\\top$. The printed lemma keeps it between $-2$ and $2$, the repaired one "
            "between $-1$ and $1$.",
        ),
    )


def table(v: Values) -> Markup:
    """The orbit with its exact numbers."""
    lam, eta, c, q = _exact(v)
    path = orbit(lam, eta, c, q)
    heat = energies(path, lam, eta, c, q)
    head = Markup("<thead><tr>{}</tr></thead>").format(
        Markup("").join(Markup('<th scope="col">{}</th>').format(w) for w in ("k", "xₖ", "yₖ", "energy"))
    )
    rows = Markup("").join(
        Markup("<tr><td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>").format(
            k, *(str(one).replace("-", "−") for one in (x, y, heat[k]))
        )
        for k, (x, y) in enumerate(path[:7])
    )
    return Markup("<table>{}<tbody>{}</tbody></table>").format(head, rows)


def data() -> Mapping[str, Any]:
    return {
        "witness": witness(),
        "verdicts": (KILLED, FINE, SILENT),
        "spoken": (HOLDS, FAILS),
        "table:orbit-table": str(table(LESSON.start)),
    }


def _weight(c: float, lam: float, q: float, eta: float) -> float:
    return c * lam * (q - eta)


LESSON = Lesson(
    number=6,
    slug="how-a-lemma-dies",
    title="How a lemma dies",
    goal="Find a point where all hypotheses hold and the conclusion does not; then find the missing hypothesis.",
    needs=("the block A of lesson 2", "fractions"),
    before=(
        "The paper's lemma on powers of $A$ says: let $\\eta\\lambda<1$ and $\\eta\\leq q$. Then for every $k$",
        r"$$|x_k|\leq2,\quad\begin{pmatrix}x_k\\y_k\end{pmatrix}=A^k(\lambda)\begin{pmatrix}1\\1\end{pmatrix},\quad"
        r" A(\lambda)=\begin{pmatrix}0&1-\eta\lambda\\-c&1+c-q\lambda\end{pmatrix}.$$",
        "One point is enough to refute a statement about all points. Every number here is a fraction, computed without "
        "rounding, in your browser as in the kernel. Raise $q$.",
    ),
    controls=(
        Slider("q", "$q$", 0.0625, 8, 0.625, step=0.0625, whole=True),
        Slider("eta", "$\\eta$", 0.0625, 1, 0.5, step=0.0625, whole=True),
        Slider("c", "$c$", 0.0625, 0.9375, 0.5, step=0.0625, whole=True),
        Slider("lam", "$\\lambda$", 0.0625, 2, 1, step=0.0625, whole=True),
        Slider("k", "$k$", 0, LONGEST, 2, step=1, whole=True),
    ),
    buttons=(("witness", "Go to the witness"), ("repair", "Largest q of the repaired lemma")),
    readouts=(
        Readout("verdict", "verdict", wide=True),
        Readout("exact", "$x_k$ exactly", wide=True),
        Readout("h3", "$q\\leq(1+c)\\eta$, not in the paper"),
    ),
    numbers=numbers,
    pictures=pictures,
    tables=(("orbit-table", "The orbit, exactly"),),
    data=data,
    after=(
        "The energy in the table is $c\\lambda(q-\\eta)x_k^2+(y_k-x_k)^2$. Watch its last column: while "
        "$q\\leq(1+c)\\eta$ it never grows. It starts at $c\\lambda(q-\\eta)$, and so $x_k^2\\leq1$ for every $k$ at "
        "once. That is 1 where the paper has 2, and the kernel has checked it.",
        "The paper's own hyperparameters satisfy the extra hypothesis, which for them reads "
        "$\\theta\\gamma\\leq\\eta$. So the lemma as printed is false, and what the theorem needs of it is true.",
    ),
    derive=Derivation(
        "power-energy",
        3,
        "How does one find such an energy? Try $E=\\omega x^2+(y-x)^2$ with a weight $\\omega$ that is still free, "
        "write $d=y-x$, and see what one step does to $E$.",
        told=(
            (
                "One step takes $(x,y)$, with $x=y-d$, to",
                r"\begin{pmatrix}(1-\eta\lambda)y\\(1+c-q\lambda)y-c(y-d)\end{pmatrix}",
            ),
            (
                "The energy before the step minus the energy after it, sorted by $y^2$, $d^2$ and $yd$, is",
                r"\begin{aligned}&\big((2-\eta\lambda)\eta\lambda\omega-(q-\eta)^2\lambda^2\big)y^2\\"
                r"&+(1+\omega-c^2)\,d^2+\big(2c\lambda q-2c\eta\lambda-2\omega\big)yd.\end{aligned}",
            ),
            ("The mixed term has the coefficient", r"2c\lambda q-2c\eta\lambda-2\omega"),
            ("Choose the weight for which it vanishes.", r"\omega=c\lambda(q-\eta)"),
            (
                "Then the energy falls by",
                r"\lambda^2(q-\eta)\big((1+2c-c\eta\lambda)\eta-q\big)\,y^2+\big(1-c^2+c\lambda(q-\eta)\big)\,d^2",
            ),
        ),
    ),
    exercises=(
        Exercise(
            "Predict",
            "Take $\\lambda=1$, $\\eta=c=1/2$ and $q=6$. Compute by hand: what is $x_2$?",
            "One step gives $x_1=1/2$ and $y_1=1-q\\lambda=-5$.",
            "$x_1=1/2$, $y_1=-c+(1+c-q)=-5$, $x_2=(1-1/2)\\cdot(-5)=-5/2$. Both hypotheses hold, and $|x_2|>2$.",
            answer=lambda: float(orbit(*_exact(witness()), 2)[2][0]),
            tolerance=0.0,
            example=witness(),
        ),
        Exercise(
            "Derive",
            "For which weight $\\omega$ does the coefficient above vanish? Answer in $c$, $\\lambda$, $q$ and $\\eta$.",
            "Solve $2c\\lambda q-2c\\eta\\lambda-2\\omega=0$.",
            "It is $\\omega=c\\lambda(q-\\eta)$. Then the energy falls by a multiple of $y^2$ plus one of $d^2$, and "
            "$q\\leq(1+c)\\eta$ makes both nonnegative.",
            formula=Formula((("c", "c"), ("lambda", "λ"), ("q", "q"), ("eta", "η")), _weight, "c*lambda*(q-eta)"),
        ),
        Exercise(
            "Break it",
            "The witness of this page has $q=6$. Find one with $q\\leq2$: every printed hypothesis holds, and "
            "$|x_k|>2$.",
            "Look at $x_2=(1-\\eta\\lambda)(1-q\\lambda)$. Make $\\eta$ small and $\\lambda$ large.",
            "For instance $q=2$, $\\lambda=2$, $\\eta=1/16$ and $k=2$ give $x_2=7/8\\cdot(-3)=-21/8$.",
            broken=broken,
            example={"q": 2.0, "lam": 2.0, "eta": 0.0625, "k": 2},
        ),
    ),
    claims=Claims(
        (
            (KEY, "as printed: $|x_k|\\leq2$ from $\\eta\\lambda<1$ and $\\eta\\leq q$"),
            (f"{KEY}/repaired", "the same with $q\\leq(1+c)\\eta$"),
            (f"{KEY}/sharper", "then even $|x_k|\\leq1$"),
            (f"{KEY}/sharper#hyperparameters", "the paper's hyperparameters satisfy $q\\leq(1+c)\\eta$"),
        )
    ),
    leads="A refutation is a point. What is a proof? The next lesson reads one that a machine has checked.",
)
