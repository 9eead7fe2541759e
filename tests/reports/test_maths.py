"""Maths on the page: every formula of the paper is set whole, and what cannot be set is refused by name."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from xml.etree import ElementTree

import pytest

from reports.mathml import MathsError, differences, relation_mathml, tex_mathml, text_mathml
from reports.mathml.formula import name_mathml
from tests.sada import checks, load
from theory.reading.paper import PaperDisplay, PaperStatement

ITEMS: list[PaperStatement | PaperDisplay] = [*load().statements, *load().displays]


def words(markup: str) -> str:
    """What a reader sees, letters of all alphabets made plain."""
    seen = "".join(ElementTree.fromstring(markup).itertext())
    return unicodedata.normalize("NFKC", seen)


def letters_of(source: str) -> Counter[str]:
    """The plain letters and digits of a formula: what is left when commands and environments are taken away."""
    kept = re.sub(r"\\(begin|end)\{[a-z]+\}|\\[a-zA-Z]+", "", source)
    return Counter(c for c in kept if c.isascii() and c.isalnum())


def test_there_are_227_displays_to_set() -> None:
    assert len(load().displays) == 227


@pytest.mark.parametrize("item", ITEMS, ids=lambda item: item.id)
def test_every_formula_of_the_paper_is_set_without_a_trace_of_tex(item: PaperStatement | PaperDisplay) -> None:
    source = item.formula.strip()
    markup = tex_mathml(source)
    seen = words(markup)
    assert seen.strip()
    assert not re.search(r"[\\&$_^]|begin|end\{|mathbf|frac", seen.replace("^", "", source.count(r"\hat")))
    assert markup.count("<mfrac") == len(re.findall(r"\\d?frac", source))
    assert markup.count("<msqrt") == source.count(r"\sqrt")


@pytest.mark.parametrize("item", ITEMS, ids=lambda item: item.id)
def test_no_letter_and_no_digit_of_a_formula_is_lost(item: PaperStatement | PaperDisplay) -> None:
    source = item.formula.strip()
    named = {r"\max": "max", r"\min": "min", r"\sup": "sup", r"\inf": "inf", r"\lim": "lim", r"\limsup": "limsup"}
    named |= {rf"\{word}": word for word in ("exp", "ln", "log", "sin", "cos", "tan")}
    spelled = re.sub(r"\\[a-z]+", lambda m: f" {named.get(m[0], m[0])}", source)
    seen = Counter(c for c in words(tex_mathml(source)) if c.isascii() and c.isalnum())
    ell = len(re.findall(r"\\ell(?![a-zA-Z])", source))
    assert seen == letters_of(spelled) + Counter({"l": ell})


@pytest.mark.parametrize(
    ("source", "part"),
    [
        (r"\frac{1}{x+1}", "<mfrac><mn>1</mn><mrow><mi>x</mi><mo>+</mo><mn>1</mn></mrow></mfrac>"),
        (r"a_i^2", "<msubsup><mi>a</mi><mi>i</mi><mn>2</mn></msubsup>"),
        (r"f''", "″"),
        (r"\tilde{\kappa}", '<mover accent="true"><mi>κ</mi>'),
        (r"\sum_{i=1}^d x_i", "<munderover>"),
        (r"\mathbf{x}", "𝐱"),
        (r"\boldsymbol{\Sigma}", "𝚺"),
        (r"\mathbb{E}", "𝔼"),
        (r"\mathcal{B}", "ℬ"),
        (r"\underbrace{x}_{\text{Term (A)}}", "Term\u00a0(A)"),
        (r"x<y", "<mo>&lt;</mo>"),
    ],
)
def test_constructs_become_the_elements_that_they_mean(source: str, part: str) -> None:
    assert part in tex_mathml(source)


@pytest.mark.parametrize(
    ("source", "named"),
    [
        (r"\unknowncommand x", r"\unknowncommand"),
        (r"\frac{1}{2", "is missing"),
        (r"\begin{tikzpicture}x\end{tikzpicture}", "tikzpicture"),
        (r"\begin{cases}x\end{pmatrix}", "pmatrix"),
        (r"x_1_2", "two subscripts"),
        (r"x^1^2", "two superscripts"),
        (r"a & b", "'&'"),
        (r"\left\alpha x\right)", "no delimiter"),
    ],
)
def test_what_cannot_be_set_is_refused_by_name(source: str, named: str) -> None:
    with pytest.raises(MathsError, match=re.escape(named)):
        tex_mathml(source)


def test_the_kernels_formulas_are_set_with_the_brackets_they_need() -> None:
    assert words(relation_mathml("(a+b)*c <= a*(b-c)")) == "(a+b)c≤a(b−c)"
    assert words(relation_mathml("a-(b-c) == a-b+c")) == "a−(b−c)=a−b+c"
    assert words(relation_mathml("(a*b)**2 < (-1)**k")) == "(ab)2<(−1)k"
    assert words(text_mathml("2*3*x")) == "2⋅3x"
    assert words(text_mathml("2*3**x")) == "2⋅3x"
    assert words(text_mathml("x*3*y")) == "x⋅3y"
    assert words(text_mathml("a*(-b)")) == "a(−b)"
    assert words(text_mathml("a+(-1)*b")) in ("a+(−1)b", "a+((−1)b)")
    assert words(text_mathml("a/b/c")) == "abc"
    assert words(name_mathml("lam")) == "λ"


def test_every_claim_of_the_registry_is_set() -> None:
    for check in checks().values():
        for source in (*check.claim.says, *check.claim.given):
            assert ElementTree.fromstring(relation_mathml(source)) is not None


def test_words_in_a_formula_keep_their_spaces() -> None:
    assert "for\u00a0" in relation_mathml("forall(i, 1, d, lam[i] >= mu)")
    assert "Term\u00a0(A)" in tex_mathml(r"\text{Term (A)}")


def test_a_formula_cannot_smuggle_markup() -> None:
    assert "<script" not in tex_mathml(r"\text{<script>alert(1)</script>}")


def marked(one: str, other: str) -> tuple[int, int]:
    marks = differences(one, other)
    return (
        relation_mathml(one, marks.first).count('class="changed"'),
        relation_mathml(other, marks.second).count('class="changed"'),
    )


def test_differences_are_the_smallest_parts_that_differ() -> None:
    assert marked("x <= 1/4", "x <= 1/4") == (0, 0)
    assert marked("a + 2*b <= c", "a + 3*b <= c") == (1, 1)
    assert marked("a + b <= c", "a <= c") == (1, 0) or marked("a + b <= c", "a <= c") == (1, 1)
    assert marked("a*b*c <= d", "a*c <= d") == (1, 0)
    assert marked("a <= b", "a < b") == (1, 1)
    first = differences("1/(4*kt*lam) <= x", "1/(4*kt*lam**2) <= x").first
    assert first == frozenset({(0, 1, 1)})
