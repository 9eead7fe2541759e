"""Hostile input of a lemma: one clear message that names the thing, never a RecursionError and never a wall of text."""

from __future__ import annotations

from typing import Any

import pytest

from theory import lemma
from theory.kernel import Malformed


def many(name: str, count: int) -> str:
    return " + ".join([name] * count)


@pytest.mark.parametrize("count", [500, 1500, 4000, 20_000])
@pytest.mark.parametrize("place", ["says", "given", "where", "kind", "norm"])
def test_a_text_of_many_terms_is_refused_in_a_few_words(count: int, place: str) -> None:
    given: dict[str, Any] = {
        "says": {"says": f"{many('x', count)} >= x"},
        "given": {"says": "x >= 0", "given": [f"{many('x', count)} >= x"]},
        "where": {"says": "y >= 0", "where": {"y": many("x", count)}},
        "kind": {"says": "norm2(x) >= 0", "kinds": {"x": f"vector({many('n', count)})"}},
        "norm": {"says": f"norm2({many('x', count)}) >= 0", "kinds": {"x": "vector(n)"}},
    }[place]
    if place == "kind" and count == 500:
        lemma(**given)  # a size that is read
        return
    with pytest.raises(Malformed, match=r"nested too deeply|characters, more than|recursion depth") as told:
        lemma(**given)
    assert len(str(told.value)) < 500


@pytest.mark.parametrize("says", ["I == 1", "I << 1", "tr(I) == 1", "1 == I*1"])
def test_the_identity_alone_is_no_number(says: str) -> None:
    for kinds in ({}, {"A": "matrix(n, n)"}):
        with pytest.raises(Malformed, match=r"holds I alone; the identity matrix is I\(n\)"):
            lemma(says, kinds=kinds)


def test_the_identity_of_a_size_and_a_declared_letter_are_read() -> None:
    lemma("A@I(n) == A", kinds={"A": "matrix(n, n)"})
    lemma("I@X == X", kinds={"I": "identity(n)", "X": "matrix(n, n)"})


@pytest.mark.parametrize("power", ["10**9", "1000000", "-10**7", "2**(2**20)", "10*10**5"])
def test_a_power_that_nobody_can_compute_with_is_refused_by_its_name(power: str) -> None:
    with pytest.raises(Malformed, match=r"the power .* is above 100000; give it a name"):
        lemma(f"x**({power}) >= 0")


@pytest.mark.parametrize("power", ["2", "10**5", "n", "n*10**9", "1/2"])
def test_other_powers_pass(power: str) -> None:
    lemma(f"x**({power}) >= 0", given=["x > 0"], naturals=["n"])


@pytest.mark.parametrize("name", ["", "x y", "1x", "x-y"])
def test_kinds_declares_names_only(name: str) -> None:
    with pytest.raises(Malformed, match="is no name; use letters"):
        lemma("x >= 0", kinds={name: "real"})


@pytest.mark.parametrize("proof", ["cone", 3, ["have"]])
def test_a_proof_that_is_no_skeleton_is_refused(proof: Any) -> None:
    with pytest.raises(Malformed, match="is no skeleton; write proof=have"):
        lemma("x**2 >= 0", proof=proof)
