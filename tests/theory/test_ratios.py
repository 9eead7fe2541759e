"""Truth over bound: a ratio counts only where it says something, and the bound is what the claim says."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from flint import fmpq
from hypothesis import given
from hypothesis import strategies as st

from tests.sada import SADA
from theory import lemma
from theory.kernel.evaluate import Mat
from theory.project import project
from theory.ratios import Observation, Result, ratios_of
from theory.ratios.gather import claiming, main_checks, of_designs
from theory.ratios.orders import order_quotient
from theory.ratios.points import at_points
from theory.ratios.sides import NoValueError, bound_of, broken, exact_quotient, quotients

LEMMAS = """
from theory.claims.userfile import lemma

half = lemma("x*y <= (x**2 + y**2)/2")
broken = lemma("x*y <= (x**2 + y**2)/3")
zero = lemma("x**2 - 2*x*y + y**2 >= 0")
same = lemma("(x + y)**2 == x**2 + 2*x*y + y**2", given=["x > 0", "y > 0"])
never = lemma("x <= 2*x", given=["x == 0"])
twice = lemma("X << 2*Y", given=["X << Y"], kinds={"X": "psd(n)", "Y": "pd(n)"})
squares = lemma("X@X << Y@Y", given=["X << Y"], kinds={"X": "psd(n)", "Y": "pd(n)"})
"""


@pytest.fixture(scope="module")
def own(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Result]:
    file: Path = tmp_path_factory.mktemp("lemmas") / "lemmas.py"
    file.write_text(LEMMAS, encoding="utf-8")
    return {result.id: result for result in ratios_of(project(file))}


@pytest.mark.parametrize(
    ("op", "left", "right", "ratio"),
    [
        ("<=", 1.0, 2.0, 0.5),
        ("<=", 3.0, 2.0, 1.5),
        ("<=", 0.0, 0.0, None),
        ("<=", 1.0, 0.0, None),
        ("<=", 1.0, -1.0, None),
        ("<=", -3.0, -2.0, 2 / 3),
        ("<=", -1.0, 2.0, -0.5),
        (">=", 4.0, 2.0, 0.5),
        (">=", 1.0, 2.0, 2.0),
        (">=", -1.0, 2.0, None),
        (">=", 0.0, 0.0, None),
        (">=", 5.0, 0.0, None),
        (">=", -1.0, -2.0, 0.5),
        ("==", 3.0, 2.0, 1.5),
        ("==", 0.0, 0.0, None),
        ("<=", math.nan, 1.0, None),
        ("<=", math.inf, 1.0, None),
    ],
)
def test_a_ratio_counts_only_where_the_bound_is_positive_and_both_sides_have_values(
    op: str, left: float, right: float, ratio: float | None
) -> None:
    found = float(quotients(op, left, right))
    assert math.isnan(found) if ratio is None else found == pytest.approx(ratio)


@given(st.sampled_from(["<=", ">=", "<", ">", "=="]), st.fractions(-9, 9), st.fractions(-9, 9))
def test_floats_and_rationals_follow_one_rule(op: str, left: object, right: object) -> None:
    exact = exact_quotient(op, left, right)  # type: ignore[arg-type]
    found = float(quotients(op, float(left), float(right)))  # type: ignore[arg-type]
    assert math.isnan(found) if exact is None else found == pytest.approx(float(exact))


def test_a_true_bound_stays_at_most_one_and_is_attained(own: dict[str, Result]) -> None:
    assert own["half"].worst == pytest.approx(1.0, abs=1e-6)
    assert not own["half"].fails


def test_a_lemma_broken_on_purpose_shows_a_ratio_above_one_and_an_exact_witness(own: dict[str, Result]) -> None:
    found = own["broken"]
    assert found.fails
    assert found.worst is not None
    assert 1 < found.worst <= 1.5 + 1e-9
    assert found.shown is not None
    assert found.shown.fails


def test_what_is_compared_with_zero_has_no_data_and_says_so(own: dict[str, Result]) -> None:
    found = own["zero"]
    assert (found.worst, found.trials, found.data) == (None, 0, [])
    assert "compared with zero" in found.to_json()["no_data"]


def test_zero_over_zero_is_no_data(own: dict[str, Result]) -> None:
    assert own["never"].worst is None
    assert own["never"].to_json()["no_data"]


def test_an_identity_has_the_ratio_one(own: dict[str, Result]) -> None:
    assert (own["same"].what, own["same"].worst) == ("identity", 1.0)


def test_the_bound_of_a_design_is_read_off_from_the_claim_and_a_broken_claim_moves_it() -> None:
    check = SADA.find("lem:Pi-average-bound#in numbers")
    values = {
        "theta": 1 / 64, "mu": 1.0, "kt": 1.0, "R2": 1.0, "p": 24, "d": 2, "lam": [1.0, 0.5], "m": [2.0, 3.0],
    }  # fmt: skip
    assert bound_of(check.claim, 0, values) == pytest.approx(64 * (2 + 6) / 50)
    worse = replace(check.claim, says=(check.claim.says[0].replace("<= 64*", "<= 1/64*"),))
    assert bound_of(worse, 0, values) == pytest.approx((2 + 6) / 64 / 50)
    seen = [Observation(check.key, "one", 1.0, {**values, "lam": [1.0, 1.0]})]
    assert not of_designs(check, seen).fails
    assert of_designs(replace(check, claim=worse), seen).fails


BY_HAND = {
    "lem:noise-bound-Sigma-inverse#in numbers": 5 * 19 + 5 * 2 * (11 + 4) * 0.25,
    "lem:noise-bound-2-norm#in numbers": 5 * 7 + 5 * 2 * (7 + 3.2) * 0.25,
    "lem:gradient-bound#in numbers": 2 * 2 * 0.25,
    "lem:L-var-C-tilde#in numbers": 320 * 19 / 50 + 320 * 2 * 15 * 0.25 / 50,
    "lem:v-bound": 320 * (3 * 19 + 8 * 4 * 2 * 7 * (16 * 4 / 64**2)) / 50
    + 160 * 2 * (6 * 11 + 4 * (7 + 16 * 7 * (16 * 4 / 64**2))) * 0.25 / 50,
    "lem:v-bound/repaired": 320 * (3 * 19 + 8 * 4 * 7 * (16 * 4 / 64**2)) / 50
    + 160 * 2 * (6 * 11 + 4 * (7 + 16 * 7 * (16 * 4 / 64**2))) * 0.25 / 50,
}


@pytest.mark.parametrize("key", BY_HAND)
def test_bounds_with_every_number_by_hand(key: str) -> None:
    values = {
        "theta": 1 / 64, "mu": 1.0, "kt": 4.0, "R2": 3.2, "p": 24, "T": 50, "eta": 16 * 4 / 64**2, "Ll": 2.0, "L": 11.0,
        "B": 7.0, "trSQ": 19.0, "trQ": 7.0, "gap": 0.25, "Fs": 0.0, "l0": [1.0], "n": [19.0], "N": [7.0], "V": [0.25],
        "p_w": [1.0],
    }  # fmt: skip
    assert bound_of(SADA.find(key).claim, 0, values) == pytest.approx(BY_HAND[key], rel=1e-12)


def test_a_design_that_lacks_a_name_or_breaks_a_hypothesis_is_left_out_with_the_reason() -> None:
    check = SADA.find("lem:Pi-stationary-bound#in numbers")
    with pytest.raises(NoValueError, match="no value for"):
        bound_of(check.claim, 0, {"theta": 0.01})
    values = {"theta": 0.5, "mu": 1.0, "kt": 1.0, "R2": 1.0, "d": 1, "lam": [1.0], "m": [1.0]}
    assert broken(check.claim, values) == "16*eta*R2 <= 1"
    found = of_designs(check, [Observation(check.key, "too long a step", 1.0, values)])
    assert found.worst is None
    assert "outside 16*eta*R2 <= 1" in found.missing


def test_what_a_proof_has_in_hand_is_not_taken_for_the_truth() -> None:
    """Refuted as an argument, the statement does not follow: that is no point at which its bound fails."""
    for key in ("lem:v-bound", "thm:full-glm"):
        check = SADA.find(key)
        assert check.argument
        found = at_points(check, 0)
        assert (found.worst, found.fails) == (None, False)
        assert "not the truth" in found.missing


def test_a_part_does_not_speak_for_the_statement() -> None:
    (found,) = ratios_of(SADA, ["thm:minimax-risk"])
    assert not found.fails
    assert any(r.fails for r in found.readings if r.key == "thm:minimax-risk#convexity")


def test_every_lemma_theorem_and_corollary_is_counted() -> None:
    assert len(claiming(SADA)) == 47
    without = [id_ for id_ in claiming(SADA) if not main_checks(SADA.statements[id_], set())]
    assert without == []


def test_printed_bounds_that_hold_and_fail_do_so_on_points_and_designs() -> None:
    found = {r.id: r for r in ratios_of(SADA, ["lem:A-power-bound", "lem:aux-lemma-r", "lem:bias-bound"])}
    assert found["lem:A-power-bound"].fails
    assert found["lem:bias-bound"].fails
    assert not found["lem:aux-lemma-r"].fails
    for result in found.values():
        for r in result.readings:
            assert not r.fails or r.kind == "as printed", r.key
            assert r.worst is None or r.kind == "as printed" or r.worst <= 1
            assert r.worst is None or np.isfinite(r.worst)


# --- orders of matrices ----------------------------------------------------------------------------------------------

ORDERED = [
    ("<<", [[1, 0], [0, 3]], [[2, 0], [0, 4]], 0.75),
    (">>", [[2, 0], [0, 4]], [[1, 0], [0, 3]], 0.75),
    ("<<", [[3, 0], [0, 1]], [[2, 0], [0, 4]], 1.5),
    ("<<", [[0, 1], [1, 0]], [[1, 0], [0, 1]], 1.0),
    ("<<", [[-1, 0], [0, -2]], [[1, 0], [0, 1]], -1.0),
    ("<<", [[0, 0], [0, 0]], [[1, 0], [0, 1]], None),
    ("<<", [[1, 0], [0, 0]], [[1, 0], [0, 0]], None),
    ("<<", [[1, 0], [0, 1]], [[-1, 0], [0, 1]], None),
]


@pytest.mark.parametrize(("op", "left", "right", "ratio"), ORDERED)
def test_the_ratio_of_an_order_is_an_eigenvalue_in_units_of_the_larger_side(
    op: str, left: list[list[int]], right: list[list[int]], ratio: float | None
) -> None:
    sides = (Mat(tuple(tuple(fmpq(x) for x in row) for row in rows)) for rows in (left, right))
    found = order_quotient(op, *sides)
    assert found is None if ratio is None else found == pytest.approx(ratio)


def test_an_order_that_holds_exactly_has_no_ratio_above_one() -> None:
    rows = tuple(tuple(fmpq(x, 10**6) for x in row) for row in ((49000081, 56000081), (56000081, 64000081)))
    assert order_quotient("<<", Mat(rows), Mat(rows)) == 1.0
    more = (rows[0], (rows[1][0], rows[1][1] + fmpq(1, 10**6)))
    above = order_quotient("<<", Mat(more), Mat(rows))
    assert above is not None
    assert above > 1


def test_an_order_of_matrices_has_ratios_and_one_that_fails_a_witness(own: dict[str, Result]) -> None:
    (holds,), (fails,) = own["twice"].readings, own["squares"].readings
    assert holds.op == "<<"
    assert holds.trials > 3
    assert not holds.fails
    assert holds.worst is not None
    assert holds.worst <= 0.5 + 1e-9
    assert fails.fails
    assert fails.witness
    assert fails.worst_known is not None
    assert fails.worst_known > 1


def test_a_bound_beside_an_order_that_fails_is_said_to_fail() -> None:
    kinds = {"X": "psd(n)", "Y": "psd(n)"}
    found = at_points(lemma(["x <= 2*x + 1", "X << Y"], given=["x >= 0"], kinds=kinds, name="both"), 0)
    assert found.op == "<="
    assert found.fails
    assert found.witness is not None
