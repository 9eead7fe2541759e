"""Lesson 8, where the constants go: the theorem's constant as a product, and which step of the proof loses which "
"factor."""

from __future__ import annotations

import math
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from reports.charts import cascade
from reports.sada.lessons.model import Choice, Claims, Exercise, Lesson, Numbers, Picture, Readout, Slider, Values
from theory.papers.sada.composition import Column, columns, waterfall

ORDER = (("s", "s"), ("c", "c"), ("w", "w"), ("A", "A"), ("g", "1+g"), ("a", "a"))  # control, symbol
MIXED = "a mixture: what the product would be, not a theorem"
PLAIN = {
    "printed": "the theorem as printed",
    "implied": "what the paper's argument gives, slips repaired",
    "sharper": "the theorem with the sharper lemmas",
}


def _column(name: str) -> Column:
    return next(column for column in columns() if column.name == name)


def product(v: Values) -> Fraction:
    """s c w A (1+g)/a^2 with each constant from the column that its control names."""
    value = Fraction(1)
    for control, symbol in ORDER:
        one = _column(v[control])[symbol]
        value *= one if symbol != "a" else 1 / one**2
    return value


def _kind(v: Values) -> str:
    """Words on what was put together: a column, or a mixture."""
    for column in columns():
        if all(_column(v[control])[symbol] == column[symbol] for control, symbol in ORDER):
            return PLAIN[column.name]
    return MIXED


def _told(symbol: str, before: Fraction, after: Fraction) -> str:
    return f"{symbol}: {before} → {after}"


def numbers(v: Values) -> Numbers:
    value, drops = product(v), waterfall()
    at = int(v["step"])
    drop = drops[at - 1] if at > 0 else None
    reached = columns()[0].statistical if drop is None else drop.after
    return {
        "kind": _kind(v),
        "exact": str(value),
        "value": float(value),
        "overprinted": float(value / _column("printed").statistical),
        "oversharper": float(value / _column("sharper").statistical),
        "change": "as printed" if drop is None else _told(drop.new.symbol, drop.old.value, drop.new.value),
        "check": "thm:full-glm" if drop is None else drop.new.key,
        "reached": float(reached),
        "stepfactor": 1.0 if drop is None else float(drop.factor),
        "digits": math.log10(float(_column("implied").statistical / reached)),
    }  # fmt: skip


def pictures() -> tuple[Picture, ...]:
    items = [(_told(d.new.symbol, d.old.value, d.new.value), float(d.before), float(d.after)) for d in waterfall()]
    return (
        Picture(
            "cascade",
            cascade(items),
            "From the printed constant to the implied one (which is larger) and down to the sharper one, step by step.",
        ),
    )


def data() -> Mapping[str, Any]:
    drops = [
        {
            "symbol": d.new.symbol, "old": str(d.old.value), "new": str(d.new.value), "check": d.new.key,
            "before": str(d.before), "after": str(d.after), "factor": str(d.factor),
        }
        for d in waterfall()
    ]  # fmt: skip
    told = {c.name: {control: str(c[symbol]) for control, symbol in ORDER} for c in columns()}
    return {"columns": told, "drops": drops, "words": {**PLAIN, "mixed": MIXED}}


def _choices(symbol: str) -> tuple[tuple[str, str], ...]:
    return tuple((column.name, f"{column.name}: {column[symbol]}") for column in columns())


def _factor(symbol: str) -> float:
    """How many times smaller the constant of the theorem is with this symbol sharper, all else implied."""
    base = dict.fromkeys((control for control, _ in ORDER), "implied")
    control = next(control for control, name in ORDER if name == symbol)
    return float(product(base) / product({**base, control: "sharper"}))


LESSON = Lesson(
    number=8,
    slug="where-the-constants-go",
    title="Where the constants go",
    goal="See the theorem's constant as a product of the lemmas' constants, and find the steps that give most away.",
    before=(
        "The statistical term of the theorem is $C\\,\\alpha\\operatorname{tr}(H^{-1}Q)/n$. The paper prints "
        "$C=46080$. Where does such a number come from? It is a product:",
        r"$$C=\frac{s\,c\,w\,A\,(1+g)}{a^2},$$",
        "$w$: weight of $\\operatorname{tr}(\\Sigma^{-1}Q)$ in the noise; $A$: the tail average of layer 0, times "
        "$T$; $1+g$: all layers over layer 0 (lesson 3); $c$: noise that an outer step leaves; $a$: its contraction "
        "$1-a\\theta_k$ (lesson 6); $s$: the recursion that adds the steps up. Every number on this page is read "
        "off the formula of the check that states it; nothing is typed twice.",
        "Choose for each constant whether it is as printed, as the paper's own argument gives it once slips are "
        "repaired (implied), or as our own readings of the same lemmas give it (sharper). A mixture is a what-if, "
        "not a theorem; the table at the end says which of the columns the kernel has proved.",
    ),
    controls=(
        *(Choice(control, f"${symbol}$", _choices(symbol)) for control, symbol in ORDER),
        Slider("step", "along the waterfall", 0, len(waterfall()), 0, step=1, whole=True),
    ),
    buttons=(("printed", "All printed"), ("implied", "All implied"), ("sharper", "All sharper")),
    readouts=(
        Readout("kind", "this is", wide=True),
        Readout("exact", "$C$ exactly"),
        Readout("value", "$C$"),
        Readout("overprinted", "over the printed one"),
        Readout("oversharper", "over the sharper one"),
        Readout("change", "waterfall: this step"),
        Readout("check", "stated by", wide=True),
        Readout("reached", "constant after it"),
        Readout("stepfactor", "divided by"),
        Readout("digits", "digits below the implied one"),
    ),
    numbers=numbers,
    pictures=pictures,
    data=data,
    after=(
        "The first step goes up: the printed 46080 forgets a factor of 3 that its own lemma on the outer step has. "
        "Then it goes down. The largest single step is $A$: the paper bounds a tail average by $64/T$, and the "
        "truth is about $2/T$. Sharper weights, layers that shrink by 15 instead of 2, half the step in the outer "
        "loop and a better recursion do the rest. The sharper column therefore belongs to another algorithm: half the "
        "outer step, another momentum, another schedule. And every column is a product of constants proved lemma by "
        "lemma; the links between the lemmas are by hand (`lemmalab waterfall` names them).",
        "What a reader can sharpen: every constant here is the right side of a check. `lemmalab sharpen` searches "
        "for a better one, and `lemmalab waterfall` prints this page.",
    ),
    exercises=(
        Exercise(
            "By which factor is the implied constant larger than the printed one?",
            lambda: float(_column("implied").statistical / _column("printed").statistical),
            "Compare all printed with all implied.",
            "The noise of an outer step, $c$, is 3 where the theorem's proof uses 1.",
            tolerance=0.0,
        ),
        Exercise(
            "Start from all implied and sharpen $A$ alone. By which factor does $C$ fall?",
            lambda: _factor("A"),
            "It is the quotient of the two values of A.",
            "$C$ is proportional to $A$.",
            tolerance=0.001,
        ),
        Exercise(
            "Start from all implied and sharpen $a$ alone. By which factor does $C$ fall?",
            lambda: _factor("a"),
            "a stands in the denominator, squared.",
            "$C$ is proportional to $1/a^2$: the square of the quotient.",
            tolerance=0.001,
        ),
    ),
    claims=Claims(
        (
            ("thm:full-glm", "as printed: 46080"),
            ("thm:full-glm/repaired", "what the argument gives"),
            ("thm:full-glm/sharper", "with the sharper lemmas"),
            ("lem:Pi-average-bound/sharper#2/T", "the largest step, $A$"),
            ("lem:auxilary-recursion/sharper", "the recursion, $s$"),
        )
    ),
)
