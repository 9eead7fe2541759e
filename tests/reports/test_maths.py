"""Maths on the page: every formula of the paper is set whole, and what cannot be set is refused by name."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from itertools import pairwise
from xml.etree import ElementTree

import pytest

from reports.mathml.changes import marked
from reports.mathml.tex import MathsError, tex_mathml
from reports.site.told import LONGEST, Told
from reports.site.typeset import Typesetter
from tests.sada import SADA, checks, load
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


def test_every_claim_of_the_registry_is_set_in_the_papers_notation() -> None:
    """No claim falls back to code but for its length, and no abbreviation of the code is left in a formula."""
    typesetter = Typesetter(SADA.notation)
    for check in checks().values():
        told = typesetter.of(check.claim)
        for source in (*check.claim.says, *check.claim.given):
            latex = told.relation(source)
            assert latex or len(source) > LONGEST, (check.key, source)
            if latex:
                tokens = set(ElementTree.fromstring(tex_mathml(latex)).itertext())
                assert not tokens & {"kt", "Ll", "lam", "trSQ", "trHQ", "gam"}, (check.key, source)


def test_a_vector_with_an_index_is_bold_and_its_index_is_not() -> None:
    claim = checks()["thm:full-glm/repaired"].claim
    latex = Typesetter(SADA.notation).of(claim).relation("F(x0) >= F(o)")
    assert "<msub>" in tex_mathml(latex)
    assert "_{0}}" not in latex


def test_words_in_a_formula_keep_their_spaces() -> None:
    assert "for\u00a0all" in tex_mathml(Told(SADA.notation).relation("forall(i, 1, d, lam[i] >= mu)"))
    assert "Term\u00a0(A)" in tex_mathml(r"\text{Term (A)}")


def test_a_formula_cannot_smuggle_markup() -> None:
    assert "<script" not in tex_mathml(r"\text{<script>alert(1)</script>}")


def changed(one: str, other: str) -> tuple[int, int]:
    pair = marked(one, other)
    return tuple(tex_mathml(latex).count('class="changed"') for latex in pair)  # type: ignore[return-value]


@pytest.mark.parametrize(
    ("one", "other", "marks"),
    [
        (r"x \leq \frac{1}{4}", r"x \leq \frac{1}{4}", (0, 0)),
        (r"a + 2 b \leq c", r"a + 3 b \leq c", (1, 1)),
        (r"a + b \leq c", r"a \leq c", (1, 0)),
        (r"a \leq b", r"a < b", (1, 1)),
        (r"\frac{1}{4 \lambda} + x", r"\frac{1}{4 \lambda^{2}} + x", (0, 1)),
        (r"\tilde{\kappa} x + y", r"\kappa x + y", (1, 1)),
        (r"\exp\left(\frac{K}{2}\right)", r"\exp\left(-\frac{K}{2}\right)", (0, 1)),
        (r"\mathbf{H}^{-1} + \mathbf{Q}", r"\mathbf{H}^{-1} \mathbf{M} + \mathbf{Q}", (0, 1)),
        ("a b c d", "e f g h", (0, 0)),
    ],
)
def test_tokens_that_differ_are_marked_and_no_others(one: str, other: str, marks: tuple[int, int]) -> None:
    assert changed(one, other) == marks


def test_marks_change_no_letter_of_any_claim_and_its_repair() -> None:
    typesetter = Typesetter(SADA.notation)
    told = [typesetter.of(c.claim).relation(c.claim.says[0]) for c in list(checks().values())[:120]]
    for one, other in pairwise(told):
        for before, after in zip((one, other), marked(one, other), strict=True):
            if before:
                assert words(tex_mathml(after)) == words(tex_mathml(before))


def test_claims_of_every_size_are_set_in_the_letters_of_the_paper() -> None:
    check = SADA.find("lem:v-bound/repaired#every distribution")
    told = Typesetter(SADA.notation).of(check.claim)
    defined = {name: told.definition(name, formula) for name, formula in check.claim.where}
    assert defined["Ahat[w]"].startswith(
        r"\hat{\mathbf{A}}_{w} = \begin{pmatrix} \mathbf{0} & \mathbf{I} - \eta \mathbf{P}"
    )
    assert (
        defined["C[t]"] == r"\mathbf{C}_{t} = \mathbb{E}\left[\boldsymbol{\eta}_{t} \boldsymbol{\eta}_{t}^{\top}\right]"
    )
    said = [*map(told.relation, (*check.claim.says, *check.claim.given)), *defined.values()]
    assert not [one for one in said if re.search(r"step|moment|domain|mathtt|\\mathrm\{[fg][ysu]\}", one)]
    assert any(one.endswith(r"\quad\text{for every sample}") for one in said)


def test_every_claim_of_the_paper_that_is_short_enough_can_be_set() -> None:
    setter = Typesetter(SADA.notation)
    for key in (k for k in checks() if "#" in k and "disp" not in k):
        claim = SADA.find(key).claim
        told = setter.of(claim)
        for source in (*claim.says, *claim.given):
            if latex := told.relation(source):
                assert tex_mathml(latex), (key, source)


@pytest.mark.parametrize("source", ["[-1,1]", r"\left(-x\right)", "(0,-1)", r"z<-\delta", r"x\leq -1", r"x\in\{-1,1\}"])
def test_a_minus_that_is_a_sign_stands_close_to_its_number(source: str) -> None:
    assert '<mo form="prefix">−</mo>' in tex_mathml(source)


@pytest.mark.parametrize("source", ["x-1", "f(x)-1", r"\|x\|-1", r"\left(x\right)-y", "x^2-1"])
def test_a_minus_between_two_terms_keeps_its_room(source: str) -> None:
    assert "<mo>−</mo>" in tex_mathml(source)
