"""Lemmas whose hypotheses hold at irrational points only: false ones are refuted there, true ones are not vacuous."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from reports.cli.show import with_decimal
from reports.site.typeset import value_latex
from tests.trust.independent import truth
from theory import lemma
from theory.coq.errors import NotExpressible
from theory.coq.witness import refutation_of
from theory.kernel import Claim, Verdict, check_witness, satisfies_hypotheses
from theory.kernel.lang import parse
from theory.kernel.rings import to_fmpq
from theory.search import search
from theory.search.simple import total
from theory.search.surds import entry, read

SQUARE, GOLDEN, TOWER = (
    ("x**2 == 2", "x > 0"),
    ("x**2 == x + 1", "x > 0"),
    ("x[1] == sqrt(2)", "x[2] == sqrt(2 + x[1])"),
)
STEPS = ("x[1] == sqrt(2)", "forall(k, 1, n, x[k+1] == sqrt(2 + x[k]))", "n >= 1")
SIZES = ("forall(k, 1, n, eta[k] == c/sqrt(k))", "c > 0")
PAIRS = [  # false, true, hypotheses, naturals
    ("x <= 7/5", "x >= 7/5", SQUARE, ""),
    ("x[2] <= 18/10", "x[2] <= 19/10", TOWER, ""),
    ("x[n] <= 19/10", "x[n] <= 2", STEPS, "n"),
    ("sum(k, 1, n, eta[k]) <= c*sqrt(n)", "sum(k, 1, n, eta[k]) <= 2*c*sqrt(n)", SIZES, "n"),
    ("x <= 8/5", "x <= 17/10", GOLDEN, ""),
    ("x**3 == 2*x + 2", "x**3 == 2*x + 1", ("x**2 == x + 1",), ""),
    ("x + y <= 2", "x + y <= 5/2", ("x**2 + y**2 == 3",), ""),
    ("x[1]*x[2] <= 1", "x[1]*x[2] <= 3/2", ("x[1]**2 + x[2]**2 == 3",), ""),
    ("x <= 6/5", "x >= 6/5", ("x*y == 3", "x == 2*y", "x > 0"), ""),
    ("t**2 <= 2", "t**2 <= 10", ("t == sqrt(2) + sqrt(3)",), ""),
    ("eta*L < 1/2", "eta*L < 1", ("eta == 1/(L*sqrt(2))", "L > 0"), ""),
    ("a <= 5/3", "a**2 == 3", ("a == b*sqrt(3)", "b == 1"), ""),
    ("theta >= 2/3", "theta <= 2/3", ("theta**2 + theta == 1", "theta > 0"), ""),
    ("x*y <= 7/3", "x*y <= 5/2", ("x**2 == 2", "y**2 == 3"), ""),
    ("x >= 0", "x**4 == 4", ("x**2 == 2",), ""),
    ("s[n] <= 7/5*n", "s[n] <= 3/2*n", ("forall(k, 0, n, s[k] == k*sqrt(2))", "n >= 1"), "n"),
    ("exp(x) <= 4", "exp(x) >= 1 + x", SQUARE, ""),
]
FALSE = [(says, given, naturals) for says, _, given, naturals in PAIRS]
TRUE = [(says, given, naturals) for _, says, given, naturals in PAIRS]
MORE = [
    ("sum(i, 1, n, x[i]) <= n", ("forall(i, 1, n, x[i]**2 == 2)",), "n"),
    ("t[n+1] >= t[n] + 6/10", ("t[0] == 1", "forall(k, 0, n, t[k+1] == (1 + sqrt(1 + 4*t[k]**2))/2)"), "n"),
    ("abs(x) <= 1", ("x**4 == 4",), ""),
    ("1/(x**2 - 2) >= 0", ("x**2 == y", "y == 2"), ""),
]


@pytest.mark.parametrize(("says", "given", "naturals"), [*FALSE, *MORE])
def test_a_false_lemma_is_refuted_and_the_second_evaluator_agrees(says: str, given: Any, naturals: str) -> None:
    found = lemma(says, given=list(given), naturals=list(naturals)).judge()
    assert found.verdict is Verdict.REFUTED, found
    claim = Claim("c", (says,), tuple(given), naturals=tuple(naturals))
    assert found.witness is not None
    assert check_witness(claim, json.loads(json.dumps(found.witness)))
    if "1/(x" not in says:
        assert truth(claim.to_json(), found.witness) == (True, False)


@pytest.mark.parametrize(("says", "given", "naturals"), TRUE)
def test_a_true_lemma_is_proved_and_not_vacuous(says: str, given: Any, naturals: str) -> None:
    assert lemma(says, given=list(given), naturals=list(naturals)).judge().verdict is Verdict.PROVED


def test_a_rational_point_is_preferred() -> None:
    found = search(Claim("c", ("x + y <= 1",), ("x**2 + y**2 == 2",))).witness
    assert found is not None
    assert "sqrt" not in str(found)


def test_a_typed_example_may_be_irrational() -> None:
    given = ["y**2 == 3*x**2"]
    assert lemma("y**2 >= 0", given=given, example={"x": "sqrt(2)", "y": "sqrt(6)"}).judge().verdict is Verdict.PROVED
    assert lemma("y <= 2*x", given=given, example={"x": "sqrt(2)", "y": "sqrt(6)"}).judge().verdict is Verdict.REFUTED
    with pytest.raises(ValueError, match="violates the hypothesis"):
        lemma("y <= 2*x", given=given, example={"x": "sqrt(2)", "y": "sqrt(5)"}).judge()


def test_numbers_that_follow_by_roots_are_written_out() -> None:
    written = {
        "sqrt(8)": "2*sqrt(2)",
        "1/sqrt(3)": "1/3*sqrt(3)",
        "sqrt(2)**3": "2*sqrt(2)",
        "sqrt(2) + sqrt(2)": "2*sqrt(2)",
        "-sqrt(2)*(-sqrt(3))": "sqrt(6)",
        "sqrt(2 + sqrt(2))": "sqrt(2 + sqrt(2))",
        "abs(1 - sqrt(2))": "-(1 - sqrt(2))",
        "max(sqrt(2), sqrt(3))": "sqrt(3)",
        "sum(i, 1, 2, sqrt(i))": "1 + sqrt(2)",
        "sqrt(2)/(1 + sqrt(2))": "sqrt(2)/(1 + sqrt(2))",
        "sqrt(9/4)": "3/2",
    }
    for formula, shown in written.items():
        assert str(entry(parse(formula), {})) == shown
    x = read("sqrt(2)")
    assert str(entry(parse("x**2 + y"), {"x": x, "y": to_fmpq(1)})) == "3"
    assert total({"x": "sqrt(2)"}) > total({"x": "3/2"})


def test_people_see_the_root_and_a_decimal() -> None:
    assert with_decimal("sqrt(2 + sqrt(2))") == "sqrt(2 + sqrt(2)) = 1.84776"
    assert value_latex("1/2*sqrt(3)") == r"\frac{1}{2} \sqrt{3} \approx 0.86603"


def test_coq_is_not_given_what_it_cannot_compute() -> None:
    claim = Claim("c", ("x <= 7/5",), SQUARE)
    with pytest.raises(NotExpressible, match=r"sqrt\(2\) is no rational"):
        refutation_of(claim, {"x": "sqrt(2)"})
    with pytest.raises(NotExpressible, match="where it is no rational"):
        refutation_of(Claim("c", ("x >= sqrt(2)",)), {"x": "1"})


def test_a_ledger_with_roots_is_verified_again(tmp_path: Path) -> None:
    from reports.cli import main

    lemmas, ledger = tmp_path / "mine.py", tmp_path / "ledger.json"
    lemmas.write_text(
        "from theory import lemma\n"
        'false = lemma("x <= 7/5", given=["x**2 == 2", "x > 0"])\n'
        'true = lemma("x >= 7/5", given=["x**2 == 2", "x > 0"])\n'
    )
    checked = CliRunner().invoke(main, ["check", str(lemmas), "--ledger", str(ledger)])
    assert "witness   x = sqrt(2)" in checked.output
    again = CliRunner().invoke(main, ["--paper", str(lemmas), "recheck", str(ledger)])
    assert "every verdict stands" in again.output
    ledger.write_text(ledger.read_text().replace('"sqrt(2)"', '"sqrt(3)"'))
    forged = CliRunner().invoke(main, ["--paper", str(lemmas), "recheck", str(ledger)])
    assert forged.exit_code == 1


def test_hypotheses_hold_at_the_example_that_the_search_finds() -> None:
    from theory.ledger.examples import find_example

    for _, given, naturals in TRUE:
        claim = Claim("c", ("0 <= 0",), tuple(given), naturals=tuple(naturals))
        point = find_example(claim)
        assert point is not None
        satisfies_hypotheses(claim, point)
