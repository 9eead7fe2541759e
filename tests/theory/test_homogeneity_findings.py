"""What the homogeneity detector finds in the paper: all of it, each with the factor that restores the units."""

from __future__ import annotations

import json

import pytest

from tests.sada import check_display, entries, load
from tests.sada import scalings as check_all
from theory.detectors.language import Mode
from theory.reading.paper import Role

PAPER = load()
REPORT = check_all()

# where, formula within the entry, side of the chain, factor that the offender lacks ("" for shapes), judgement.
# "slip": the printed formula is wrong as it stands. "convention": right in units that the paper fixes tacitly.
FINDINGS = [
    ("line:142", 1, 1, "F", "convention"),  # log(1/eps): the scale inside a logarithm is dropped
    ("line:160", 1, 1, "", "slip"),  # the inverse of a gradient; a Hessian is meant
    ("line:160", 1, 1, "L_l**(-1/2)*mu**(-1/2)*F**(1/2)", "slip"),
    ("line:160", 5, 0, "", "slip"),
    ("line:160", 5, 1, "L_l**(1/2)*mu**(1/2)*F**(-1/2)", "slip"),
    ("line:165", 1, 1, "", "slip"),
    ("line:165", 1, 1, "L_l**(-1/2)*mu**(-1/2)*F**(1/2)", "slip"),
    ("line:165", 1, 1, "F**(2/3)", "convention"),  # the constant hides factors, as the text says
    ("disp:166", 1, 1, "F**(2/3)", "convention"),
    ("line:250", 2, 1, "L_l", "convention"),  # square loss with L_l = 1
    ("line:354", 2, 1, "L_l**(-1)", "slip"),
    ("line:354", 2, 2, "L_l**(-1)", "slip"),
    ("disp:396", 1, 1, "", "slip"),  # R in the place of its 2d x 2d block matrix
    ("disp:396", 1, 1, "mu**(-2)", "slip"),
    ("line:413", 1, 0, "L_l**(-2)", "convention"),  # h = 1, although the sketch keeps h elsewhere
    ("lem:outer-sketch", 2, 1, "L_l**(1/2)", "slip"),
    ("disp:431", 1, 1, "L_l", "slip"),  # M bounds the H-norm; the term needs the Sigma-norm
    ("line:434", 1, 1, "L_l*F**(-1)", "slip"),
    ("line:434", 2, 1, "mu*F**(-1)", "slip"),
    ("cor:weakly-convex", 1, 1, "L_l*F**(-1)", "slip"),
    ("cor:weakly-convex", 2, 1, "mu*F**(-1)", "slip"),
    ("line:470", 1, 1, "L_l**(1/2)*mu**(1/2)*F**(1/2)", "slip"),
    ("disp:592", 1, 1, "L_l**2", "slip"),
    ("disp:878", 1, 1, "L_l**(-1)", "slip"),
    ("disp:919", 1, 2, "", "slip"),  # a missing transpose
    ("disp:1160", 1, 1, "mu**(-2)", "slip"),  # lambda_i m_i in the place of m_i/lambda_i
    ("disp:1230", 1, 1, "", "slip"),  # the index i is missing
    ("disp:1248", 1, 5, "mu**(-1)", "slip"),  # lambda_i in the place of its square
    ("disp:1344", 1, 1, "L_l", "slip"),
    ("disp:1350", 1, 1, "L_l", "slip"),
    ("disp:1350", 1, 1, "L_l", "slip"),
    ("disp:1366", 1, 0, "L_l**(-1)", "slip"),  # H-norm in the place of the Sigma-norm
    ("disp:1474", 1, 2, "L_l**(-1)", "slip"),
    ("disp:1474", 1, 2, "L_l", "slip"),
    ("disp:1521", 1, 0, "L_l**(-1)", "slip"),
    ("disp:1541", 1, 1, "L_l**(-1)", "slip"),
    ("disp:1576", 1, 2, "mu**(-1)", "slip"),  # eta is missing
    ("disp:1640", 1, 2, "L_l**(-1)", "slip"),
    ("disp:1689", 1, 1, "L_l**2", "slip"),
    ("disp:1696", 2, 1, "F**(-1)", "slip"),  # the excess risk inside L_eff
    ("disp:1774", 1, 2, "L_l**(-1)", "slip"),
    ("disp:1784", 1, 1, "L_l**(-2)", "slip"),
    ("disp:1784", 1, 1, "L_l**2*mu**2", "slip"),  # H^-1-norm in the place of the H-norm
    ("disp:1784", 1, 1, "L_l", "slip"),
    ("disp:1863", 3, 1, "L_l**(-1)", "slip"),
    ("disp:1888", 1, 1, "", "slip"),  # division by the matrix Q; its trace is meant
    ("thm:erm-excess-risk", 1, 1, "L_l*F**(-1)", "convention"),  # predictions in units of the localisation radius
    ("disp:1929", 1, 1, "L_l", "slip"),
    ("line:1934", 1, 0, "F**(1/2)", "slip"),  # sigma_0 in the place of its square
    ("line:1939", 1, 1, "L_l**(-1/2)*F**(1/2)", "slip"),  # the loss in the place of its derivative
    ("disp:1940", 1, 2, "L_l**(1/2)*F**(1/2)", "slip"),  # L_0 in the place of its square
    ("disp:1940", 1, 3, "L_l**(1/2)*F**(1/2)", "slip"),
    ("line:1943", 1, 1, "L_l**(-1/2)*F**(-1/2)", "slip"),
    ("disp:1962", 1, 3, "mu**(-1/2)", "slip"),  # the indicator of |h| in the place of |a.h|
    ("disp:1962", 1, 4, "L_l**(-1/2)*mu**(-1/2)*F**(1/2)", "slip"),  # Euclidean norm without whitening, A X too many
    ("disp:1974", 1, 1, "L_l**(-1/2)*F**(1/2)", "slip"),  # radius 1 here, X four lines later
    ("line:1988", 1, 1, "L_l*F**(-1)", "convention"),
    ("line:1988", 1, 1, "L_l**(-1/2)*F**(1/2)", "convention"),
    ("disp:2036", 1, 1, "L_l**(-1)*F", "slip"),  # sigma^2 is missing
    ("disp:2042", 1, 1, "L_l**(-1)*F", "slip"),
    ("disp:2050", 1, 2, "L_l**(-1)*F", "slip"),
    ("line:2066", 2, 1, "L_l**(-1)*F", "slip"),
    ("disp:2070", 1, 3, "L_l**(-1)*F", "slip"),
    ("alg:sada-wc", 6, 1, "L_l**(1/2)*F**(1/2)", "slip"),  # the factor a.y is missing
    ("disp:2110", 1, 0, "L_l**(1/2)*F**(1/2)", "slip"),
]


def test_the_detector_finds_exactly_the_known_findings_in_the_order_of_the_paper() -> None:
    assert [(v.where, v.relation, v.side, v.factor) for v in REPORT.violations] == [row[:4] for row in FINDINGS]


def test_every_display_and_every_statement_without_displays_is_checked() -> None:
    assert REPORT.displays_checked == 227
    assert {d.id for d in PAPER.displays} <= set(entries())
    bare = {s.id for s in PAPER.statements} - {d.statement for d in PAPER.displays if not d.proof}
    assert bare <= set(entries())


def test_an_entry_asserts_or_defines_something_or_says_why_not() -> None:
    for entry in entries().values():
        assert bool(entry.formulas) != bool(entry.reason), entry.id
    reasons = dict(REPORT.no_relation)
    assert set(reasons) == {
        "disp:284",
        "disp:581",
        "disp:1978",
        "def:problem-class",
        "disp:2060",
        "disp:2110",
        "disp:2187",
    }
    assert all(entries()[id_].expressions for id_ in reasons if id_.startswith("disp:"))


def test_paper_toml_counts_the_asserted_relations_of_the_transcription() -> None:
    assert {d.id: d.relations for d in PAPER.displays} == {d.id: entries()[d.id].asserted for d in PAPER.displays}


def test_a_definition_asserts_nothing_and_a_step_asserts_something() -> None:
    for display in PAPER.displays:
        if display.role is Role.DEFINITION:
            assert display.relations == 0, display.id
        if display.role is Role.STEP:
            assert display.relations > 0 or entries()[display.id].reason, display.id
        if display.role is Role.STATEMENT and not display.relations:
            assert all(f.mode is Mode.GIVEN for f in entries()[display.id].formulas), display.id


def test_the_sections_where_h_is_one_are_those_after_the_paper_says_so() -> None:
    h1 = sorted(e.line for e in entries().values() if e.convention.value == "h=1")
    assert (h1[0], h1[-1]) == (606, 2200)
    outside = [line for line in h1 if not 599 <= line <= 1653]
    assert all(line >= 2185 for line in outside)


@pytest.mark.parametrize(
    ("where", "offender", "synonym"),
    [
        ("disp:1576", "inner(y_in[t - 1] - xp_star, Sigma @ (y_in[t - 1] - xp_star))", "eta"),
        ("disp:1248", "1 / (4 * kappa_tilde * lam_i)", "lam_i**(-1)"),
        ("disp:1774", "theta_k ** 3 / (2 * h) * normsq(y_tilde[k - 1] - x_star, H)", "h"),
        ("disp:2036", "mu_l * d / n", "sigma2_noise"),
        ("disp:1940", "L_0 * Sigma", "L_0"),
    ],
)
def test_a_finding_names_the_term_and_the_factor_in_symbols_of_the_paper(
    where: str, offender: str, synonym: str
) -> None:
    found = [v for v in check_display(where) if v.offender == offender]
    assert len(found) == 1
    assert synonym in found[0].synonyms
    assert offender in str(found[0])


def test_the_factor_h_is_not_proposed_where_h_is_one() -> None:
    assert not any("h" in synonym for synonym in check_display("disp:1344")[0].synonyms)


def test_the_report_is_plain_json_and_the_same_every_time() -> None:
    text = json.dumps(REPORT.to_json(), sort_keys=True)
    assert json.dumps(check_all().to_json(), sort_keys=True) == text
    assert json.loads(text)["displays_checked"] == 227


def test_findings_judged_as_conventions_are_few_and_judgements_are_known_words() -> None:
    judgements = [row[4] for row in FINDINGS]
    assert set(judgements) == {"slip", "convention"}
    assert judgements.count("convention") == 8


def test_an_unknown_display_is_refused_with_close_matches() -> None:
    with pytest.raises(KeyError, match=r"'disp:1345'.*disp:1344"):
        check_display("disp:1345")
