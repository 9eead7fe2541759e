"""The main theorem in formulas, with the constants that are composed from the checks behind it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction

from markupsafe import Markup

from reports.mathml import tex_mathml
from reports.numbers import bound
from reports.site.tables import Repaired, Theorem
from theory.papers.sada.composition import Column, by_hand, implied, printed, sharper
from theory.reading.paper import Paper

IDS = ("thm:full-glm", "thm:glm")
REPAIRED, SHARPER = "thm:full-glm/repaired", "thm:full-glm/sharper"
EXPONENT = "thm:full-glm/disp:1867.exponent/repaired"
DISPLAY = "disp:1851"


@dataclass(frozen=True)
class Line:
    """One form of the theorem: the check behind it, the formula, what to know about it."""

    key: str
    maths: Markup
    words: str


def lines(proved: Iterable[str]) -> Iterator[Line]:
    """The forms of the theorem whose checks are proved."""
    known = set(proved)
    if REPAIRED in known:
        words = "What the paper's own argument gives once its slips are repaired, up to the links that the check names."
        yield Line(REPAIRED, Markup(tex_mathml(formula(implied()))), words)
    if SHARPER in known:
        words = (
            "For another algorithm: half the outer step (h_k = alpha theta_k^2/L_l), another momentum, theta_k"
            " scheduled for the contraction 11/12, and T theta >= 8; theta_max need not be smaller. A product of the"
            " constants of our sharper lemmas, with the links between them by hand."
        )
        yield Line(SHARPER, Markup(tex_mathml(formula(sharper()))), words)


def repaired(paper: Paper, proved: Iterable[str]) -> Repaired | None:
    """The printed display with what has to change, and nothing else; None while a part of it is not proved."""
    display = next((one for one in paper.displays if one.id == DISPLAY), None)
    if display is None or not {REPAIRED, EXPONENT} <= set(proved):
        return None
    right = display.formula
    for old, new in _changes():
        if right.count(old) != 1:
            raise ValueError(f"{DISPLAY} prints {old!r} {right.count(old)} times; mend reports/sada/theorem.py")
        right = right.replace(old, new)
    count = len(by_hand("repaired"))
    words = (
        f"Beside the marked changes the rule for T has to be T >= 8 sqrt(kt/(mu eta)) ln(6 kappa(Sigma)/theta_K^2). The"
        f" repaired form is proved up to {count} links between its lemmas that are by hand. That the printed constants"
        " do not follow does not make them false."
    )
    return Repaired(IDS[0], display.formula, right, REPAIRED, words)


def _changes() -> Iterator[tuple[str, str]]:
    old, new = printed(), implied()
    yield str(old.statistical), _number(new.statistical)
    yield str(old.coupling), _number(new.coupling)
    yield r"\exp\left(\frac{K}", r"\exp\left(-\frac{K}"
    yield r"24\sqrt{2}", r"48\sqrt{2}"


def constant(proved: Iterable[str]) -> str:
    """What the theorem's leading constant is, in one sentence."""
    known = set(proved)
    if REPAIRED not in known:
        return ""
    told = (
        f"The constant before alpha tr(H^-1 Q)/n is printed as {bound(printed().statistical)}; the paper's own"
        f" argument, once repaired, gives {bound(implied().statistical)}, with {len(by_hand('repaired'))} links by hand"
    )
    if SHARPER in known:
        told += (
            f"; for another algorithm (half the outer step, another momentum) the constants of sharper lemmas multiply"
            f" to {bound(sharper().statistical)}, with {len(by_hand('sharper'))} links by hand"
        )
    return f"{told}."


def formula(column: Column) -> str:
    """E F(x_K) - F* <= start (1 - a theta_max)^(K/2) (F(x_0) - F*) + …, with n = K T."""
    start, rate, near, far = map(_number, (column.start, column["a"], column.statistical, column.coupling))
    return "".join(
        (
            r"\mathbb{E}F(\tilde{\mathbf{x}}_K)-F(\mathbf{x}^*)\leq ",
            start,
            r"\left(1-" + rate + r"\tilde{\theta}_{\mathrm{max}}\right)^{K/2}",
            r"\bigl(F(\tilde{\mathbf{x}}_0)-F(\mathbf{x}^*)\bigr)",
            r"+\frac{" + near + r"\,\alpha\operatorname{tr}(\mathbf{H}^{-1}\mathbf{Q})}{KT}",
            r"+\frac{" + far + r"\,\alpha\eta\tilde{\kappa}\operatorname{tr}\mathbf{Q}}{L_\ell KT}",
        )
    )


def _number(value: Fraction) -> str:
    """Short fractions as they are; long ones as a bound."""
    if value.denominator == 1:
        return str(value.numerator)
    if value.denominator < 100:
        return rf"\frac{{{value.numerator}}}{{{value.denominator}}}"
    return bound(value)


THEOREM = Theorem(IDS, lines, repaired, constant)
