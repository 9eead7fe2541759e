"""Claims as hypothesis properties, matrix identities with numbers, and the sharpening of constants."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings

from tests.theory.test_search_claims import FALSE, PAIR, TRUE, Case, claim
from theory.kernel import SCHEMA, Claim, Evidence, Verdict, check_witness, judge, satisfies_hypotheses
from theory.search import search
from theory.search.properties import Falsified, falsify, profile, property_test, strategy_for
from theory.search.sharpen import instance, sharpen

EASY = [case for case in FALSE if case.idea in {
    "strict where equality occurs", "a corner of the hyperparameters", "a sum over a family", "a mean", "a power",
    "an identity that needs a sign", "exponentials", "matrix powers", "far away", "an equation linear in one name",
}]  # fmt: skip
QUICKLY = settings(max_examples=25, derandomize=True, database=None, deadline=None)


@pytest.mark.parametrize("case", EASY, ids=lambda case: case.idea)
def test_hypothesis_falsifies_and_the_kernel_accepts_the_witness(case: Case) -> None:
    witness = falsify(case.claim, max_examples=300)
    assert witness is not None
    check_witness(case.claim, witness)


@pytest.mark.parametrize("case", TRUE[:8], ids=lambda case: case.idea)
def test_hypothesis_does_not_falsify_what_is_true(case: Case) -> None:
    assert falsify(case.claim, max_examples=40) is None


@pytest.mark.parametrize("case", [TRUE[3], TRUE[4], TRUE[6], TRUE[7], FALSE[-2]], ids=lambda case: case.idea)
def test_every_drawn_point_satisfies_the_hypotheses(case: Case) -> None:
    seen = []

    @QUICKLY
    @given(strategy_for(case.claim))
    def inside(point: dict[str, Any]) -> None:
        satisfies_hypotheses(case.claim, point)
        seen.append(str(point))

    inside()
    assert len(set(seen)) >= 6


def test_the_quick_profile_is_the_same_every_time() -> None:
    one = claim("x*y <= 2", "x >= 0", "x <= 3", "y >= 0", "y <= 3")
    assert falsify(one, 60) == falsify(one, 60)
    assert profile("quick").derandomize
    assert not profile("thorough").derandomize
    assert profile("thorough").max_examples > 10 * profile("quick").max_examples


def test_an_unknown_profile_is_refused() -> None:
    with pytest.raises(ValueError, match="choose quick or thorough"):
        profile("slow")


def test_a_property_test_fails_with_the_witness_in_its_message() -> None:
    with pytest.raises(Falsified, match=r"test: theta <= 1/17 fails at R2 = .*theta = 1/16; see"):
        property_test(claim("theta <= 1/17", *PAIR))()


def test_a_property_test_of_a_true_claim_passes() -> None:
    property_test(TRUE[0].claim)()


def test_a_property_without_any_point_is_an_error_and_not_a_success() -> None:
    with pytest.raises(ValueError, match="give the claim an example"):
        property_test(claim("x <= 0", "x >= 1", "x <= 0"))()


KINDS = (("P", "symmetric(n)[S]"), ("M", "symmetric(n)"))
UPDATE = "E(w, (I(n) - eta*P[w]) @ M @ (I(n) - eta*P[w])) == "


def test_a_false_matrix_identity_is_refuted_by_exact_matrices() -> None:
    said = UPDATE + "M - 2*eta*E(w, P[w]) @ M + eta**2*E(w, P[w] @ M @ P[w])"
    wrong = Claim("update", (said,), kinds=KINDS)
    found = search(wrong)
    assert found.witness is not None
    assert "fails" in check_witness(wrong, found.witness)


def test_a_true_matrix_identity_survives_numbers() -> None:
    right = "M - eta*E(w, P[w]) @ M - eta*M @ E(w, P[w]) + eta**2*E(w, P[w] @ M @ P[w])"
    found = search(Claim("update", (UPDATE + right,), kinds=KINDS))
    assert found.witness is None
    assert found.trials > 0


AMGM = Claim("amgm", ("a*b <= C*(a**2 + b**2)",), example=(("a", "1"), ("b", "1"), ("C", "1")))


def squares(one: Claim) -> dict[str, Any] | None:
    """C*(a**2 + b**2) - a*b is half a square and a nonnegative rest: the kernel decides whether it is one."""
    rest = Fraction(dict(one.where)["C"]) - Fraction(1, 2)
    terms = [{"c": "1/2", "sq": "a-b"}, {"c": str(rest), "sq": "a"}, {"c": str(rest), "sq": "b"}]
    cert = {"schema": SCHEMA, "claim": one.digest, "defined": {}, "goals": [{"kind": "cone", "terms": terms}]}
    try:
        fine = judge(one, Evidence(certificate=cert), {}).verdict is Verdict.PROVED
    except Exception:
        return None
    return cert if fine else None


def test_the_best_constant_is_bracketed_with_certificate_and_witness() -> None:
    found = sharpen(AMGM, "C", "down", Fraction(0), Fraction(5), resolution=Fraction(1, 1000), prove=squares)
    assert found.proved == Fraction(1, 2)
    assert found.refuted is not None
    assert 0 < found.proved - found.refuted <= Fraction(1, 1000)
    assert found.width == found.proved - found.refuted
    assert found.certificate is not None
    assert found.witness is not None
    check_witness(instance(AMGM, "C", found.refuted), found.witness)
    proved = instance(AMGM, "C", found.proved)
    assert judge(proved, Evidence(certificate=found.certificate), {}).verdict is Verdict.PROVED


def test_the_witness_belongs_to_the_refuted_constant() -> None:
    """Each constant below one has its own witnesses: x/(1+x) <= C fails beyond x = C/(1-C) only."""
    limit = Claim("limit", ("x/(1+x) <= C",), ("x > 0",), example=(("x", "1"), ("C", "1")))
    found = sharpen(
        limit,
        "C",
        "down",
        Fraction(0),
        Fraction(2),
        resolution=Fraction(1, 50),
        prove=lambda c: {} if Fraction(dict(c.where)["C"]) >= 1 else None,
    )
    assert found.proved == 1
    assert found.refuted is not None
    assert found.witness is not None
    check_witness(instance(limit, "C", found.refuted), found.witness)


def test_a_larger_constant_can_be_the_stronger_claim() -> None:
    lower = Claim("lower", ("a**2 + b**2 >= C*a*b",), example=(("a", "1"), ("b", "1"), ("C", "1")))
    found = sharpen(
        lower, "C", "up", Fraction(10), Fraction(0), resolution=Fraction(1, 100), prove=lambda c: {"for": c.id}
    )
    assert found.proved == 2
    assert found.refuted is not None
    assert 2 < found.refuted <= 2 + Fraction(1, 100)


def test_a_weak_prover_leaves_a_gap_that_is_stated() -> None:
    def weak(one: Claim) -> dict[str, Any] | None:
        return squares(one) if Fraction(dict(one.where)["C"]) >= Fraction(3, 4) else None

    found = sharpen(AMGM, "C", "down", Fraction(0), Fraction(5), resolution=Fraction(1, 100), prove=weak)
    assert found.proved is not None
    assert found.refuted is not None
    assert Fraction(3, 4) <= found.proved <= Fraction(3, 4) + Fraction(1, 100)
    assert Fraction(1, 2) - Fraction(1, 100) <= found.refuted < Fraction(1, 2)
    assert "open" in {t.outcome for t in found.trials}


def test_a_weak_end_that_is_false_is_reported_with_its_witness() -> None:
    found = sharpen(AMGM, "C", "down", Fraction(0), Fraction(1, 4), resolution=Fraction(1, 100), prove=squares)
    assert (found.proved, found.refuted) == (None, Fraction(1, 4))
    assert found.record()["witness"] == found.witness


def test_a_strong_end_that_is_true_is_simply_proved() -> None:
    found = sharpen(AMGM, "C", "down", Fraction(1), Fraction(5), resolution=Fraction(1, 100), prove=squares)
    assert (found.proved, found.refuted, found.width) == (1, None, None)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"direction": "left"}, "neither down nor up"),
        ({"resolution": Fraction(0)}, "must be positive"),
        ({"strong": Fraction(9)}, "does not say more"),
    ],
)
def test_senseless_questions_are_refused(change: dict[str, Any], message: str) -> None:
    asked = {"direction": "down", "strong": Fraction(0), "weak": Fraction(5), "resolution": Fraction(1, 10)} | change
    direction, strong, weak, resolution = (asked[n] for n in ("direction", "strong", "weak", "resolution"))
    with pytest.raises(ValueError, match=message):
        sharpen(AMGM, "C", direction, strong, weak, resolution=resolution, prove=squares)


def test_a_template_without_the_constant_is_refused_by_name() -> None:
    from theory.kernel import Malformed

    with pytest.raises(Malformed, match="D is not a free name"):
        instance(AMGM, "D", Fraction(1))
