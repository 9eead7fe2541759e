"""The main theorem in formulas, with the constants that are composed from the checks behind it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction

from markupsafe import Markup

from reports.mathml import tex_mathml
from reports.site.tables import Theorem
from theory.papers.sada.composition import Column, implied, rounded_up, sharper

IDS = ("thm:full-glm", "thm:glm")
REPAIRED, SHARPER = "thm:full-glm/repaired", "thm:full-glm/sharper"


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
            "For another algorithm: half the outer step (h_k = α θ̃_k²/L_ℓ), another momentum, θ̃_k scheduled for the"
            " contraction 11/12, and T θ ≥ 8; θ̃_max need not be smaller. A product of the constants of our sharper"
            " lemmas, with the links between them by hand."
        )
        yield Line(SHARPER, Markup(tex_mathml(formula(sharper()))), words)


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
    """Short fractions as they are; long ones rounded up, so that what is shown is proved, too."""
    if value.denominator == 1:
        return str(value.numerator)
    if value.denominator < 100:
        return rf"\frac{{{value.numerator}}}{{{value.denominator}}}"
    return rounded_up(value, 2)


THEOREM = Theorem(IDS, lines)
