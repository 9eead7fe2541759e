"""Lesson 7, reading a certificate: a real one, of a short lemma, and forgeries of it that the kernel refuses."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache
from typing import Any

import numpy as np
from markupsafe import Markup

from reports.charts import Chart, Level, Series, draw
from reports.sada.claims import PROJECT, find, shipped
from reports.sada.lessons.model import (
    Choice,
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
from theory.kernel import KernelError
from theory.kernel.judge import check_certificate
from theory.reading.readable import proof_lines

KEY = "lem:aux-lemma-r"
FORGERIES = {  # weights of the three terms
    "shipped": ("as it ships", ("1", "1", "1")),
    "halved": ("second term with weight 1/2", ("1", "1/2", "1")),
    "doubled": ("second term with weight 2", ("1", "2", "1")),
    "dropped": ("third term left out", ("1", "1", "0")),
}
ACCEPTED = "accepted: the two sides are the same polynomial, and every term is nonnegative"
REFUSED = "refused: the two sides are not the same polynomial"


@lru_cache(maxsize=1)
def certificate() -> dict[str, Any]:
    """What the project ships for the lemma as printed."""
    record = shipped(KEY).get(KEY)
    if record is None or record.evidence.certificate is None:
        raise ValueError(f"{KEY} has no certificate on record; run `lemmalab check {KEY}` first")
    return dict(record.evidence.certificate)


def forged(kind: str) -> dict[str, Any]:
    """The same with other weights in the step of the induction."""
    found = copy.deepcopy(certificate())
    step = found["goals"][0]["step"][0]
    weighted = zip(step["terms"], FORGERIES[kind][1], strict=True)
    step["terms"] = [{**term, "c": weight} for term, weight in weighted if weight != "0"]
    return found


def weights(kind: str) -> list[float]:
    return [float(Fraction(weight)) for weight in FORGERIES[kind][1]]


@lru_cache(maxsize=8)
def verdict(kind: str) -> str:
    """The kernel's own word on it."""
    try:
        check_certificate(find(KEY).claim, forged(kind), PROJECT.library)
    except KernelError:
        return REFUSED
    return ACCEPTED


def told() -> list[str]:
    """The shipped certificate in words."""
    return proof_lines(find(KEY).claim, certificate(), PROJECT.library)


def sides(x: float, k: float, kind: str) -> tuple[float, tuple[float, float, float]]:
    """What the step of the induction has to show to be nonnegative, and the weighted terms."""
    p, (first, second, third) = x**k, weights(kind)
    left = 1 - x * p * (1 + (k + 1) * (1 - x))
    terms = (1 - p * (1 + k * (1 - x)), p * (1 - x) ** 2, p * k * (1 - x) ** 2)
    return left, (first * terms[0], second * terms[1], third * terms[2])


def numbers(v: Values) -> Numbers:
    left, terms = sides(float(v["x"]), int(v["k"]), str(v["kind"]))
    return {"kernel": verdict(str(v["kind"])), "left": left, "right": sum(terms)}


def broken(v: Values) -> bool:
    """A forgery is exposed: the sides differ by a twentieth or more."""
    left, terms = sides(float(v["x"]), int(v["k"]), str(v["kind"]))
    return abs(left - sum(terms)) >= 0.05


def pictures() -> tuple[Picture, ...]:
    v = LESSON.start
    xs = [float(x) for x in np.linspace(0, 1, 101)]
    rows = [sides(x, v["k"], v["kind"]) for x in xs]
    heaps = np.cumsum([terms for _, terms in rows], axis=1)
    names = ("the bound at k", "p(1−x)²", "pk(1−x)²")
    stack = [
        Series(name, xs, list(heaps[:, i]), list(heaps[:, i - 1] if i else np.zeros(len(xs))), list(heaps[:, i]))
        for i, name in enumerate(names)
    ]
    levels = (Level(v["x"], "x", vertical=True),)
    target = Series("what is to be shown ≥ 0", xs, [left for left, _ in rows], style="dash", colour=8)
    return (
        Picture(
            "terms",
            draw(Chart("The step of the induction", "x", "", (*stack, target), levels=levels, height=420)),
            "The dashed line has to be nonnegative. The certificate writes it as a stack of three terms that plainly "
            "are.",
        ),
    )  # fmt: skip


def data() -> Mapping[str, Any]:
    fold = Markup("<details><summary>The whole certificate, as LemmaLab prints it</summary><pre>{}</pre></details>")
    return {
        "weights": {name: weights(name) for name in FORGERIES},
        "verdicts": {name: verdict(name) for name in FORGERIES},
        "table:certificate-text": str(fold.format("\n".join(told()))),
    }


def _missing(p: float, k: float, x: float) -> float:
    return p * (1 + k) * (1 - x) ** 2


LESSON = Lesson(
    number=7,
    slug="reading-a-certificate",
    title="Reading a certificate",
    goal="Read a machine-checked proof of the paper, know what the kernel checks in it, and why a forgery cannot pass.",
    needs=("induction", "lesson 6: one point refutes"),
    before=(
        "On its way to the powers of $A$ the paper uses a small lemma: for $0\\leq x\\leq1$ and, here, natural $k$",
        r"$$x^k\,[1+k(1-x)]\leq1.$$",
        "Its certificate has three parts. **Induction over $k$**: write $p$ for $x^k$; the invariant is "
        "$p\\,[1+k(1-x)]\\leq1$ and $p\\geq0$. **Start**: at $k=0$ it says $1\\leq1$. **Step**: an identity writes "
        "what is to be shown nonnegative as a sum of things that plainly are:",
        r"$$\underbrace{1-xp\,[1+(k+1)(1-x)]}_{\text{to be shown}\ \geq0}=\underbrace{1-p\,[1+k(1-x)]}_{\text{the "
        r"bound at }k}"
        r"+p\,(1-x)^2+pk\,(1-x)^2.$$",
        "That is all. The kernel expands both sides, compares the polynomials, and looks whether each term is a "
        "product of squares, facts and nonnegative weights.",
    ),
    controls=(
        Slider("x", "$x$", 0, 1, 0.5, step=0.01),
        Slider("k", "$k$", 0, 12, 2, step=1, whole=True),
        Choice("kind", "the certificate", tuple((name, words) for name, (words, _) in FORGERIES.items())),
    ),
    readouts=(
        Readout("kernel", "the kernel's verdict", wide=True),
        Readout("left", "to be shown $\\geq0$"),
        Readout("right", "sum of the terms"),
    ),
    numbers=numbers,
    pictures=pictures,
    tables=(("certificate-text", "The certificate in the words of the report"),),
    data=data,
    after=(
        "This certificate uses two rules. **Induction**: show the invariant at 0; show it at $k+1$ from the "
        "invariant at $k$; conclude from the invariant. **Sum of nonnegatives**: give an identity between "
        "polynomials, whose right side has only products of hypotheses, squares and positive weights. Other proofs "
        "use more rules, among them cases, slack variables, and sums compared term by term.",
        "How a certificate was found does not matter. The search may be wrong, slow or lucky, and need not be "
        "trusted; the kernel must be.",
    ),
    derive=Derivation(
        "",
        3,
        "Find the certificate yourself. Write $p=x^k$, so that $x^{k+1}=xp$.",
        lines=(
            ("This is to be shown, at $k+1$.", r"1-xp\,[1+(k+1)(1-x)]\geq0"),
            ("This is known, at $k$.", r"1-p\,[1+k(1-x)]\geq0"),
            ("Take what is to be shown minus what is known.", r"p\,[1+k(1-x)]-xp\,[1+(k+1)(1-x)]"),
            ("Collect: it is a product of nonnegative things.", r"p\,(1+k)\,(1-x)^2"),
            (
                "Multiplied out, these are the second and the third term of the certificate.",
                r"p\,(1-x)^2+pk\,(1-x)^2",
            ),
        ),
    ),
    exercises=(
        Exercise(
            "Predict",
            "A forger doubles the second term. The sum on the right is then larger still, and every term is "
            "nonnegative. Does the kernel accept the certificate?",
            "What does the kernel compare before it looks at signs?",
            "It refuses. With a larger right side the certificate proves that something else is nonnegative; the two "
            "sides must be the same polynomial.",
            answer=lambda: float(verdict("doubled") == REFUSED),
            choices=("yes: more is better", "no: the identity no longer holds"),
            example={"kind": "doubled"},
        ),
        Exercise(
            "Derive",
            "What is the difference in the line above, in $p$, $k$ and $x$? Any form counts.",
            "Take out $p$; then look at $1+k(1-x)-x-x(k+1)(1-x)$ and take out $1-x$.",
            "It is $p(1+k)(1-x)^2$.",
            formula=Formula((("p", "p"), ("k", "k"), ("x", "x")), _missing, "p*(1+k)*(1-x)^2"),
        ),
        Exercise(
            "Break it",
            "At $x=1$ every forgery here passes a test by numbers, because both sides are 0. Expose one: choose a "
            "forged certificate and a point at which its two sides differ by at least 0.05.",
            "The missing or spoilt terms carry $(1-x)^2$ and $x^k$: move $x$ away from both ends, or take $k=0$.",
            "For instance weight 1/2 at $x=0$ and $k=0$: the sides are 1 and 1/2. Numbers can expose a forgery; only "
            "expanding both sides can exclude one.",
            broken=broken,
            example={"x": 0.0, "k": 0, "kind": "halved"},
        ),
    ),
    claims=Claims(
        (
            (KEY, "the lemma for natural $k$, with the certificate of this page"),
            (f"{KEY}#every k", "the lemma for real $k$, as printed, by another proof"),
            (f"{KEY}/sharper#decreasing in k", "the left side falls as $k$ grows, by the difference derived above"),
        )
    ),
    leads="Certificates like this one settle the inner loop. Around it runs a second loop, whose energy the paper "
    "weighs wrongly.",
)
