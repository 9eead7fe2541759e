"""The spellings that people use: what they become, and what is refused with the idiom that works."""

from __future__ import annotations

from typing import Any

import pytest

from theory.claims.userfile import lemma
from theory.kernel import Malformed, check_witness

MATRICES = {"A": "pd(n)", "B": "psd(n)", "I": "identity(n)", "x": "vector(n)", "U": "matrix(n, m)"}
RANDOM = {"a": "real[S]", "b": "real[S]"}
READ = {
    "x**(1/2) <= 1 + x": "sqrt(x) <= 1 + x",
    "x**(-3/2) <= 1": "1 / (x * sqrt(x)) <= 1",
    "x**p <= 1": "exp(p * log(x)) <= 1",
    "cosh(t) >= 1": "(exp(t) + exp(-t)) / 2 >= 1",
    "ln(x) <= x": "log(x) <= x",
    "det([[a, b], [b, c]]) >= 0": "a * c - b * b >= 0",
    "factorial(n) >= 1": "prod(factor_, 1, n, factor_) >= 1",
}


@pytest.mark.parametrize("written", READ)
def test_a_natural_spelling_is_read(written: str) -> None:
    assert lemma(written, naturals=["n"]).claim.says == (READ[written],)


def test_what_the_kernel_reads_stays_to_the_letter() -> None:
    claim = lemma("x**2<=(1+x)**n", given=["0<x"], naturals="n").claim
    assert (claim.says, claim.given) == (("x**2<=(1+x)**n",), ("0<x",))


def test_a_chain_inside_a_forall_is_two_facts() -> None:
    claim = lemma("x[1] <= M", given=["forall(i, 1, 3, 0 <= x[i] <= M)"]).claim
    assert claim.given == ("forall(i, 1, 3, 0 <= x[i])", "forall(i, 1, 3, x[i] <= M)")


def test_a_fact_with_a_free_sample_holds_for_every_sample() -> None:
    for given in ("0 <= a[w]", "forall(w, 0 <= a[w])", "forall(w, sample(S), 0 <= a[w])"):
        claim = lemma("E(w, a[w]) >= 0", given=[given], kinds=RANDOM).claim
        assert str(claim.hypotheses[0]) == "forall(w, sample(S), 0 <= a[w])"


def test_matrices_are_compared_with_less_or_equal_as_well() -> None:
    claim = lemma("A <= A + B", given=["0 << B << I"], kinds=MATRICES).claim
    assert claim.says == ("A << A + B",)
    assert claim.given == ("0 << B", "B << I(n)")


def test_the_inverse_of_a_formula_is_that_of_a_letter_with_its_definition() -> None:
    claim = lemma("inv(A + U@U.T) << inv(A)", kinds=MATRICES).claim
    assert claim.says == ("inv(Q1) << inv(A)",)
    assert claim.given == ("Q1 == A + U @ U.T",)
    assert dict(claim.kinds)["Q1"] == "pd(n)"


@pytest.mark.parametrize(
    "formula",
    [
        "A - B",
        "B + U@U.T",
        "A + c*B",
        "A + (-c**2)*B",
        "A + (1 - c**2)*B",
        "-A",
        "A@A",
        "A + U@B@U.T",
        "A*c",
        "A + x@x",
    ],
)
def test_a_formula_that_may_not_be_positive_definite_has_no_inverse(formula: str) -> None:
    """Declaring it pd would restrict what the claim says."""
    with pytest.raises(Malformed):
        lemma(f"inv({formula}) << inv(A)", kinds=MATRICES)


@pytest.mark.parametrize("formula", ["A + B", "A + c**2*B", "2*A", "A + U@U.T + B", "A + x@x.T", "A + inv(A)"])
def test_a_formula_that_is_positive_definite_by_form_has_an_inverse(formula: str) -> None:
    assert lemma(f"inv({formula}) << A", kinds=MATRICES).claim.given


def test_a_factor_counts_as_positive_only_if_a_hypothesis_says_so() -> None:
    assert lemma("inv(A + c*B) << inv(A)", given=["c >= 0"], kinds=MATRICES).claim.given[-1] == "Q1 == A + c * B"
    with pytest.raises(Malformed):
        lemma("inv(c*A) << inv(A)", given=["c >= 0"], kinds=MATRICES)


REFUSED = {
    "floor(x) <= x": "a natural number q",
    "E(a) <= 1": "E(w, a[w])",
    "P(w, a[w] >= t) <= 1": "indicator",
    "e**x >= 1 + x": "exp(x)",
    "x**(1/3) <= x": "exp((1/3)*log(x))",
    "forall(k, r[k+1] <= r[k])": "forall(k, 0, K - 1",
}


@pytest.mark.parametrize("written", REFUSED)
def test_what_cannot_be_said_is_refused_with_the_idiom(written: str) -> None:
    with pytest.raises(Malformed) as told:
        lemma(written)
    assert REFUSED[written] in str(told.value)


def test_a_strict_order_of_matrices_is_refused_with_the_idiom() -> None:
    with pytest.raises(Malformed, match="declare D as pd"):
        lemma("B < A", kinds=MATRICES)


@pytest.mark.parametrize("more", [{"where": {"B": "c*J"}}, {"steps": {"C[0]": "J", "C[t+1]": "C[t]"}}])
def test_an_identity_is_no_number_where_nothing_is_respelled(more: dict[str, Any]) -> None:
    """`B == c*J` was B == c*I(1) with a free number J inside B, and refuted."""
    kinds = {"J": "identity(1)", "A": "matrix(1, 1)", "C": "matrix(1, 1)[nat]"}
    with pytest.raises(Malformed, match="write I"):
        lemma("A == A", kinds=kinds, **more)


def test_a_function_of_random_numbers_is_taken_outcome_by_outcome() -> None:
    claim = lemma("E(v, exp(a[v])) <= 1 + E(w, b[w])", given=["a[w] <= log(1 + b[w])"], kinds=RANDOM).claim
    assert claim.says == ("mean(v, exp(a[v])) <= 1 + mean(v, b[v])",)
    assert claim.given == ("forall(v, Omega, Omega, a[v] <= log(1 + b[v]))",)
    assert claim.kinds == ()


@pytest.mark.parametrize(
    ("says", "kinds"),
    [
        ("E(w, a[w]**2) >= 0", RANDOM),
        ("E(w, E(v, abs(a[w] - a[v]))) >= 0", RANDOM),
        ("E(w, abs(a[w])) >= abs(a[w])", RANDOM | {"w": "sample(S)"}),
        ("E(w, abs(a[w])) >= 0", {"a": "real[S]", "b": "real[R]"}),
        ("E(w, abs(a[w])*norm2(x)) >= 0", {"a": "real[S]", "x": "vector(d)"}),
    ],
)
def test_several_samples_spaces_or_vectors_stay_letters(says: str, kinds: dict[str, str]) -> None:
    claim = lemma(says, kinds=kinds).claim
    assert claim.says == (says,)
    assert dict(claim.kinds) == kinds


def test_the_order_of_matrices_with_two_rows_is_that_of_their_minors() -> None:
    claim = lemma("0 << [[a, b], [b, c]]", given=["[[1, 0], [0, 1]] << [[a, b], [x, c]]"]).claim
    assert claim.says == ("a >= 0", "c >= 0", "a * c - b ** 2 >= 0")
    assert claim.given == ("b == x", "a - 1 >= 0", "c - 1 >= 0", "(a - 1) * (c - 1) - b ** 2 >= 0")


IDIOMS = {
    "|x| <= 1": "abs",
    "||x|| <= 1": "norm",
    "x^2 >= 0": "a power is x",
    "lambda >= 0": "a word of Python",
    "2x >= x": "a product needs its sign",
    "x = 1": "==",
    "x >= 0 and y >= 0": "several relations",
    "x >= 0 or y >= 0": "max",
    "sum(x[i] for i in range(n)) >= 0": "sum.i, 1, n",
    "x' <= 1": "prime",
    r"\\frac{x}{2} <= 1": "LaTeX",
    "x ≤ 1": "write <=",
}


@pytest.mark.parametrize("written", IDIOMS)
def test_what_people_write_elsewhere_is_refused_with_the_idiom(written: str) -> None:
    with pytest.raises(Malformed, match=IDIOMS[written]):
        lemma(written)


@pytest.mark.parametrize(
    ("power", "given"),
    [
        ("x**p", ["x >= 0", "p >= 1"]),
        ("abs(x)**p", ["p >= 1"]),
        ("(1 - x)**p", ["x <= 1", "p >= 1"]),
        ("(x + y)**p", ["0 <= x", "0 <= y"]),
    ],
)
def test_a_real_power_of_what_may_be_zero_is_refused_with_its_remedy(power: str, given: list[str]) -> None:
    with pytest.raises(Malformed, match=r"and state .* == 0 apart"):
        lemma(f"{power} >= 0", given=given)


def test_a_real_power_of_a_positive_number_is_read() -> None:
    for given in (["x > 0"], ["0 < x <= 1"], []):
        assert lemma("x**p >= 0", given=given).claim.says == ("exp(p * log(x)) >= 0",)
    assert lemma("(x + 1)**p >= 0", given=["x > 0"]).claim.says == ("exp(p * log(x + 1)) >= 0",)


def test_an_extremum_over_a_range_that_begins_below_zero_is_over_all_of_it() -> None:
    low = lemma("max(i, -2, n, x[i]) <= c", given=["forall(i, 0, n, x[i] <= c)"], naturals=["n"]).claim
    assert low.says == ("x[-2 + at_1] <= c",)
    assert low.given[1:] == ("-2 <= n", "-2 + at_1 <= n")
    assert check_witness(low, {"n": "0", "at_1": "0", "c": "0", "x": {"-2": "1", "0": "0"}})
    window = lemma("max(i, m - n, m, x[i]) <= c", given=["forall(i, 0, m, x[i] <= c)"], naturals=["m", "n"]).claim
    assert window.says == ("x[m - n + at_1] <= c",)
    plain = lemma(
        "max(i, m, n, x[i]) <= c", given=["forall(i, m, n, x[i] <= c)"], kinds={"m": "natural", "n": "natural"}
    )
    assert plain.claim.says == ("x[at_1] <= c",)
