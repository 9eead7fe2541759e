"""What the homogeneity detector finds in the paper: all of it, each with the factor that restores the units."""

from __future__ import annotations

import pytest

from tests.sada import SADA, load
from theory.claims.symbols import Convention, read_scaling
from theory.detectors.homogeneity import homogeneity, misfits, relations
from theory.detectors.registry import detect
from theory.detectors.scales import Scales
from theory.detectors.text import text_of
from theory.detectors.weights import Weights
from theory.project import project
from theory.reading.paper import Role

PAPER, TEXT = load(), text_of(SADA)
FOUND = list(misfits(SADA, TEXT))
RL, RF = r"L_\ell^{-1/2}\mu^{-1/2}F^{1/2}", r"L_\ell^{1/2}\mu^{1/2}F^{-1/2}"

# where, side of the chain, factor that the offender lacks, judgement of a person who read the paper.
# "slip": the printed formula is wrong as it stands. "convention": right in units that the paper fixes tacitly.
FINDINGS = [
    ("line:142", 0, "F", "convention"),  # log(1/eps): the scale inside a logarithm is dropped
    ("line:160", 0, RL, "slip"),  # the inverse of a gradient; a Hessian is meant
    ("line:160", 1, RF, "slip"),
    ("line:165", 0, RL, "slip"),
    ("line:165", 0, "F^{2/3}", "convention"),  # the constant hides factors, as the text says
    ("line:165", 1, RF, "slip"),
    ("disp:166", 0, "F^{2/3}", "convention"),
    ("line:354", 1, r"L_\ell^{-1}", "slip"),
    ("line:354", 2, r"L_\ell^{-1}", "slip"),
    ("disp:396", 1, r"\mu^{-2}", "slip"),  # R in the place of its 2d x 2d block matrix
    ("line:413", 1, r"L_\ell^{2}", "convention"),  # h = 1, although the sketch keeps h elsewhere
    ("line:419", 1, r"L_\ell^{1/2}", "slip"),
    ("disp:431", 1, r"L_\ell", "slip"),  # M bounds the H-norm; the term needs the Sigma-norm
    ("line:434", 1, r"L_\ell F^{-1}", "slip"),
    ("line:434", 1, r"\mu F^{-1}", "slip"),
    ("line:441", 1, r"L_\ell F^{-1}", "slip"),
    ("line:441", 1, r"\mu F^{-1}", "slip"),
    ("line:470", 1, r"L_\ell^{1/2}\mu^{1/2}F^{1/2}", "slip"),
    ("disp:592", 1, r"L_\ell^{2}", "slip"),
    ("disp:878", 1, r"L_\ell^{-1}", "slip"),
    ("disp:1160", 1, r"\mu^{-2}", "slip"),  # lambda_i m_i in the place of m_i/lambda_i
    ("disp:1248", 5, r"\mu^{-1}", "slip"),  # lambda_i in the place of its square
    ("disp:1344", 1, r"L_\ell", "slip"),
    ("disp:1350", 1, r"L_\ell", "slip"),
    ("disp:1350", 1, r"L_\ell", "slip"),
    ("disp:1366", 1, r"L_\ell", "slip"),  # H-norm in the place of the Sigma-norm
    ("disp:1474", 2, r"L_\ell^{-1}", "slip"),
    ("disp:1474", 2, r"L_\ell", "slip"),
    ("disp:1521", 1, r"L_\ell", "slip"),
    ("disp:1541", 1, r"L_\ell^{-1}", "slip"),
    ("disp:1576", 2, r"\mu^{-1}", "slip"),  # eta is missing
    ("disp:1640", 2, r"L_\ell^{-1}", "slip"),
    ("disp:1689", 1, r"L_\ell^{2}", "slip"),
    ("disp:1696", 1, "F^{-1}", "slip"),  # the excess risk inside L_eff
    ("disp:1774", 2, r"L_\ell^{-1}", "slip"),
    ("disp:1784", 1, r"L_\ell^{-2}", "slip"),
    ("disp:1784", 1, r"L_\ell^{2}\mu^{2}", "slip"),  # H^-1-norm in the place of the H-norm
    ("disp:1784", 1, r"L_\ell", "slip"),
    ("disp:1863", 1, r"L_\ell^{-1}", "slip"),
    ("line:1928", 1, r"L_\ell F^{-1}", "convention"),  # predictions in units of the localisation radius
    ("disp:1929", 1, r"L_\ell", "slip"),
    ("line:1934", 1, "F^{-1/2}", "slip"),  # sigma_0 in the place of its square
    ("line:1934", 2, "F^{-1/2}", "slip"),
    ("line:1939", 1, r"L_\ell^{-1/2}F^{1/2}", "slip"),  # the loss in the place of its derivative
    ("disp:1940", 2, r"L_\ell^{1/2}F^{1/2}", "slip"),  # L_0 in the place of its square
    ("disp:1940", 3, r"L_\ell^{1/2}F^{1/2}", "slip"),
    ("line:1943", 1, r"L_\ell^{-1/2}F^{-1/2}", "slip"),
    ("disp:1962", 3, r"\mu^{-1/2}", "slip"),  # the indicator of |h| in the place of |a.h|
    ("disp:1962", 4, RL, "slip"),  # Euclidean norm without whitening, A X too many
    ("disp:1974", 1, r"L_\ell^{-1/2}F^{1/2}", "slip"),  # radius 1 here, X four lines later
    ("line:1988", 1, r"L_\ell^{-1/2}F^{1/2}", "convention"),
    ("line:1988", 1, r"L_\ell F^{-1}", "convention"),
    ("disp:2036", 1, r"L_\ell^{-1}F", "slip"),  # sigma^2 is missing
    ("disp:2042", 1, r"L_\ell^{-1}F", "slip"),
    ("disp:2050", 2, r"L_\ell^{-1}F", "slip"),
    ("line:2066", 2, r"L_\ell^{-1}F", "slip"),
    ("disp:2070", 3, r"L_\ell^{-1}F", "slip"),
    ("line:2097", 0, r"L_\ell^{-1/2}F^{-1/2}", "slip"),  # the factor a.y is missing
    ("line:2097", 0, r"L_\ell^{-1/2}F^{-1/2}", "slip"),
    ("disp:2110", 0, r"L_\ell^{1/2}F^{1/2}", "slip"),
]


def test_the_detector_finds_exactly_the_known_findings_in_the_order_of_the_paper() -> None:
    assert [(one.where, one.clash.side, one.factor) for one in FOUND] == [row[:3] for row in FINDINGS]


def test_findings_judged_as_conventions_are_few_and_judgements_are_known_words() -> None:
    judgements = [row[3] for row in FINDINGS]
    assert set(judgements) == {"slip", "convention"}
    assert judgements.count("convention") == 7


def test_what_does_not_fit_in_size_is_found_by_the_detector_of_sizes_at_the_same_places() -> None:
    sizes = {one.where for one in detect(SADA, ["sizes"])}
    assert {"disp:396", "disp:919", "disp:1230", "disp:1888"} <= sizes


@pytest.mark.parametrize(
    ("where", "offender", "factor"),
    [
        ("disp:1248", r"\frac{1}{4\tilde{\kappa}\lambda _{i}}", r"\mu^{-1}"),
        ("disp:2036", r"\frac{\mu _{\ell}d}{n}", r"L_\ell^{-1}F"),
        ("disp:1940", r"L_{0}\boldsymbol{\Sigma}", r"L_\ell^{1/2}F^{1/2}"),
    ],
)
def test_a_finding_names_the_summand_and_the_factor_in_print(where: str, offender: str, factor: str) -> None:
    (one,) = [one for one in FOUND if one.where == where and one.clash.right.latex == offender]
    assert f"${offender}$ and " in one.words
    assert one.words.endswith(f"scale differently; the former lacks the factor ${factor}$.")


def test_the_detector_confirms_and_never_makes_a_row_and_tells_of_a_relation_once() -> None:
    listed = list(homogeneity(SADA, TEXT))
    assert not any(one.sure for one in listed)
    assert len({one.words for one in listed}) <= len(listed) < len(FOUND)
    assert {one.where for one in listed} == {row[0] for row in FINDINGS}


def test_most_displays_are_weighed_on_both_sides() -> None:
    """What the reader does not know fits everywhere; this is how much it knows."""
    table, scaling = Weights(SADA.symbols.values()), read_scaling(SADA.file("symbols"))
    sections = {one.id: one.section for one in PAPER.displays}
    weighed = set()
    for block in (block for block in TEXT.blocks if block.display in sections):
        for line, chain in relations(block):
            reader = Scales(table, sections[block.display], scaling.convention(line))
            if chain.signs and sum(bool(reader.of(side)) for side in chain.sides) > 1:
                weighed.add(block.display)
    assert len(weighed) >= 180


def test_the_lines_where_h_is_one_are_those_after_the_paper_says_so() -> None:
    scaling = read_scaling(SADA.file("symbols"))
    lines = {one.first_line for one in PAPER.displays if scaling.convention(one.first_line) is Convention.NORMALISED}
    assert (min(lines), max(lines)) == (606, 2195)
    assert all(line >= 2185 for line in lines if not 599 <= line <= 1653)


def test_a_definition_asserts_nothing() -> None:
    assert not [one.id for one in PAPER.displays if one.role is Role.DEFINITION and one.relations]


def test_a_paper_that_gives_no_weights_has_no_units_to_mix() -> None:
    other = project("potentials")
    assert list(misfits(other, text_of(other))) == []
