"""The main theorem in formulas, with the constants that are composed from the checks behind it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from markupsafe import Markup

from reports.mathml.tex import tex_mathml
from reports.site.tables import Held, Proved, Repaired, Theorem
from reports.site.words import plural
from theory.papers.sada.composition import Column, implied, ours, printed, sharper
from theory.reading.numbers import bound
from theory.reading.paper import Paper

IDS = ("thm:full-glm", "thm:glm")
REPAIRED = "thm:full-glm/repaired"
ARGUED, SHARPER = f"{REPAIRED}#as the paper argues", "thm:full-glm/sharper#the algorithm as printed"
OURS = "thm:full-glm/sharper#our algorithm"
DISPLAY = "disp:1851"


@dataclass(frozen=True)
class Line:
    """One form of the theorem: the check behind it, the formula, what to know about it."""

    key: str
    maths: Markup
    words: str


def behind(key: str, column: Column, proved: Proved) -> tuple[str, Held] | None:
    """The proved reading, if the column's two constants stand in its formula."""
    return (key, proved[key]) if key in proved and states(proved[key], column) else None


def states(reading: Held, column: Column) -> bool:
    numbers = [re.escape(str(value)) for value in (column.statistical, column.coupling)]
    return all(any(re.search(rf"(?<![\d./]){n}(?![\d./])", one) for one in reading.says) for n in numbers)


def how(reading: Held) -> str:
    """How far it is proved."""
    count = len(reading.links)
    return f"proved up to {plural(count, 'link')} by hand" if count else "proved end to end, without a link"


def lines(proved: Proved) -> Iterator[Line]:
    """The forms of the theorem whose checks are proved."""
    if found := behind(ARGUED, implied(), proved):
        words = f"What the paper's own argument gives once its slips are repaired; {how(found[1])}."
        yield Line(found[0], Markup(tex_mathml(formula(implied()))), words)
    if found := behind(SHARPER, sharper(), proved):
        words = f"The same algorithm, with what we can prove of each step; {how(found[1])}."
        yield Line(found[0], Markup(tex_mathml(formula(sharper()))), words)
    if found := behind(OURS, ours(), proved):
        words = (
            "Another algorithm, ours: half the printed step, the momentum beta_k ="
            " theta_k (1 - theta_(k-1))/(theta_(k-1) (1 + theta_k)), and ln(12 kappa(Sigma)/theta_K^2) in the rule"
            f" for T; {how(found[1])}."
        )
        yield Line(found[0], Markup(tex_mathml(formula(ours()))), words)


def repaired(paper: Paper, proved: Proved) -> Repaired | None:
    """The printed display with what has to change, and nothing else; None while a part of it is not proved."""
    display = next((one for one in paper.displays if one.id == DISPLAY), None)
    found = behind(REPAIRED, printed(), proved)
    if display is None or found is None:
        return None
    right = display.formula
    for old, new in CHANGES:
        if right.count(old) != 1:
            raise ValueError(f"{DISPLAY} prints {old!r} {right.count(old)} times; mend reports/sada/theorem.py")
        right = right.replace(old, new)
    words = (
        "Beside the marked change the rule for T has to be T >= 8 sqrt(kt/(mu eta)) ln(6 kappa(Sigma)/theta_K^2). Then"
        f" the printed constants hold for the algorithm as printed: {how(found[1])}, by another argument than the"
        " printed one, which gives three times as much. As 1/theta_max is at most the sum of what its two bounds give,"
        " the exponential is at most the printed one with a minus sign and with 48 sqrt(2) for 24 sqrt(2)."
    )
    return Repaired(IDS[0], display.formula, right, found[0], words)


PRINTED_EXPONENT = r"\frac{K}{8\sqrt{3\alpha}+24\sqrt{2}\alpha L_{\mathrm{eff}}/T}"
CHANGES = ((PRINTED_EXPONENT, r"-\frac{\tilde{\theta}_{\mathrm{max}}K}{4}"),)


def constant(proved: Proved) -> str:
    """What the theorem's leading constant is, in one sentence."""
    found = [
        (words, one[1])
        for words, one in (
            ("it holds for the algorithm as printed with the rule for T repaired", behind(REPAIRED, printed(), proved)),
            (
                f"the paper's own argument, once repaired, gives {bound(implied().statistical)}",
                behind(ARGUED, implied(), proved),
            ),
            (f"our argument gives {bound(sharper().statistical)}", behind(SHARPER, sharper(), proved)),
        )
        if one
    ]
    ways = dict.fromkeys(how(reading) for _, reading in found)
    if len(ways) == 1:
        parts = [words for words, _ in found]
        told = f" {'All three are' if len(found) == 3 else 'This is'} {next(iter(ways))}."
    else:
        parts, told = [f"{words} ({how(reading)})" for words, reading in found], ""
    start = f"The constant before alpha tr(H^-1 Q)/n is printed as {bound(printed().statistical)}"
    return f"{start}; {'; '.join(parts)}.{told}" if parts else ""


def caveats(proved: Proved) -> list[str]:
    """What the composed numbers are, and what they are not."""
    stated = ((ARGUED, implied()), (SHARPER, sharper()), (OURS, ours()))
    found = {f"{column.name} constant": behind(key, column, proved) for key, column in stated}
    found["constant of our algorithm"] = found.pop(f"{ours().name} constant")
    whole = {name: one[0] for name, one in found.items() if one and not one[1].links}
    told = [
        "Printed, implied and sharper speak of the algorithm as printed, with the rule for T repaired; the last column"
        " speaks of another algorithm, ours: half the step, another momentum, a longer T."
    ]
    if whole:
        listed = "; ".join(f"the {name} ({key})" for name, key in whole.items())
        told.append(f"Proved end to end, without a link: {listed}.")
    if len(whole) < len(found):
        links = sorted({link for one in found.values() if one for link in one[1].links})
        told.append(f"{_product([name for name in found if name not in whole], bool(whole))} {_by_hand(links)}".strip())
    return told


def _product(names: list[str], some: bool) -> str:
    kind = "a product of constants proved lemma by lemma"
    if some:
        many = "are products of constants proved lemma by lemma"
        return f"The {' and the '.join(names)} {many if len(names) > 1 else f'is {kind}'}."
    return f"No number here is a theorem proved end to end: each is {kind}."


def _by_hand(links: list[str]) -> str:
    told = ", ".join(f"`{link}`" for link in links)
    return f"{plural(len(links), 'link is', 'links are')} by hand: {told}." if links else ""


def formula(column: Column) -> str:
    """E F(x_K) - F* <= start (1 - a theta_max)^(K/2) (F(x_0) - F*) + …, with n = K T."""
    start, rate, near, far = map(_number, (column.start, column.rate, column.statistical, column.coupling))
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
