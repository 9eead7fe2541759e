"""Matrix words multiplied, transposed, averaged and divided by hand."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from theory.kernel import Malformed, Undefined
from theory.kernel.evaluate import Mat
from theory.kernel.lang import parse
from theory.kernel.words import Sum, Words, _value, words_difference_is_zero

LETTERS = {"X": "", "Y": "", "A": "", "B": "", "P": "symmetric", "S": "symmetric", "I": "identity"}
RING = Words(("x", "y"), frozenset({"P", "S"}))
ENV: dict[str, Any] = {
    **{name: RING.scalar(RING.coefficients.var(name)) for name in ("x", "y")},
    **{name: RING.const(Fraction(1)) if name == "I" else RING.letter(name) for name in LETTERS},
}


def value(source: str) -> Any:
    return _value(parse(source), ENV, RING)


def shown(total: Sum) -> dict[Any, str]:
    return {word: f"{c.num} / {c.den}" if not c.den.is_constant() else str(c.num) for word, c in total.terms}


WORDS: dict[str, dict[Any, str]] = {
    "X @ Y": {("X", "Y"): "1"},
    "Y @ X": {("Y", "X"): "1"},
    "X*Y": {("X", "Y"): "1"},
    "I @ X @ I": {("X",): "1"},
    "x*X - X": {("X",): "x - 1"},
    "X - X": {},
    "-(X + 2*Y)": {("X",): "-1", ("Y",): "-2"},
    "(X + Y) @ (X - Y)": {("X", "X"): "1", ("X", "Y"): "-1", ("Y", "X"): "1", ("Y", "Y"): "-1"},
    "(X + X@X) @ (X + X@X)": {("X",) * 2: "1", ("X",) * 3: "2", ("X",) * 4: "1"},
    "X**1": {("X",): "1"},
    "X**2": {("X", "X"): "1"},
    "X**3": {("X", "X", "X"): "1"},
    "X**(1 + 1)": {("X", "X"): "1"},
    "(X + Y)**2": {("X", "X"): "1", ("X", "Y"): "1", ("Y", "X"): "1", ("Y", "Y"): "1"},
    "2**3*X": {("X",): "8"},
    "X.T": {("X.T",): "1"},
    "X.T.T": {("X",): "1"},
    "S.T": {("S",): "1"},
    "(x*X @ Y).T": {("Y.T", "X.T"): "x"},
    "(S @ X.T).T": {("X", "S"): "1"},
    "(X + Y).T": {("X.T",): "1", ("Y.T",): "1"},
    "X/2": {("X",): "1/2"},
    "X/x": {("X",): "1 / x"},
    "(X + y*Y)/(2*x)": {("X",): "1/2 / x", ("Y",): "1/2*y / x"},
    "(X @ Y)/I": {("X", "Y"): "1"},
    "mean(w, X)": {("X",): "1"},
    "mean(w, 3*x)": {(): "3*x"},
    "mean(w, P[w])": {(("mean", ("P",)),): "1"},
    "mean(w, A @ P[w] @ B)": {("A", ("mean", ("P",)), "B"): "1"},
    "mean(w, A @ P[w] @ X @ Y @ P[w] @ B)": {("A", ("mean", ("P", "X", "Y", "P")), "B"): "1"},
    "mean(w, P[w] @ P[w])": {(("mean", ("P", "P")),): "1"},
    "mean(w, P[w] @ X + X @ P[w])": {(("mean", ("P",)), "X"): "1", ("X", ("mean", ("P",))): "1"},
    "mean(w, P[w] + 2*mean(w, P[w]))": {(("mean", ("P",)),): "3"},
    "mean(w, P[v])": {("P[v]",): "1"},
    "mean(w, P[w] @ mean(v, P[v]) @ P[w])": {(("mean", ("P", ("mean", ("P",)), "P")),): "1"},
    "mean(w, P[w].T)": {(("mean", ("P",)),): "1"},
    "mean(w, X[w].T @ Y)": {(("mean", ("X.T",)), "Y"): "1"},
    "mean(w, P[w] @ X @ S @ P[w]).T": {(("mean", ("P", "S", "X.T", "P")),): "1"},
    "(A @ mean(w, X[w] @ Y @ P[w])).T": {(("mean", ("P", "Y.T", "X.T")), "A.T"): "1"},
    "[X, Y][2]": {("Y",): "1"},
    "[X, Y][1 + 1]": {("Y",): "1"},
    "[[A, B], [X, Y]][1, 2]": {("B",): "1"},
    "([[A, B], [X, Y]] @ [S, P])[2]": {("X", "S"): "1", ("Y", "P"): "1"},
}


@pytest.mark.parametrize("source", WORDS)
def test_a_sum_of_words_is_what_the_hand_computes(source: str) -> None:
    assert shown(value(source)) == WORDS[source]


def test_the_words_of_a_sum_are_in_order_of_their_letters() -> None:
    one, two, three = (RING.coefficients.const(Fraction(n)) for n in (1, 2, 3))
    total = Sum.of({("Y",): one, ("X",): two, ("A", "B"): three}, frozenset())
    assert [word for word, _ in total.terms] == [("A", "B"), ("X",), ("Y",)]
    assert Sum.of({("X",): one - one}, frozenset()).terms == ()


@pytest.mark.parametrize(
    ("source", "refusal"),
    [
        ("X**0", "a power of at least one"),
        ("X**(0 + 0)", "a power of at least one"),
        ("X**(-1)", "has no meaning for matrices in letters"),
        ("X**(2 - 1)", "has no meaning for matrices in letters"),
        ("X**x", "has no meaning for matrices in letters"),
        ("X/Y", "division by a matrix"),
        ("X/(1 + X)", "division by a matrix"),
        ("X/(X + Y)", "division by a matrix"),
        ("X/0", "division by a matrix"),
        ("max(X, Y)", "max.* has no meaning for matrix letters"),
        ("sqrt(x)", "sqrt.* has no meaning for matrix letters"),
        ("sum(i, 1, 2, X)", "sum has no meaning for matrices in letters"),
        ("iterate(s, 2, X, s)", "iterate has no meaning for matrices in letters"),
        ("tr(X)", "tr has no meaning for matrices in letters"),
        ("inv(X)", "inv has no meaning for matrices in letters"),
        ("mean(w, P[w] @ P[w] @ P[w])", "more than two random letters"),
        ("P[w, v]", "a random letter has one index"),
        ("P[1, w]", "a random letter has one index"),
        ("[X, Y][i]", "i has no value here"),
        ("[X, Y][x]", "x has no value here"),
        ("X[1]", "do not combine this way"),
        ("mean(x, x*X)", "x has no value here"),
        ("Z @ X", "Z has no value here"),
    ],
)
def test_what_has_no_meaning_for_letters_is_refused(source: str, refusal: str) -> None:
    with pytest.raises(Malformed, match=refusal):
        value(source)


def test_an_entry_of_a_list_of_words_is_counted_from_one() -> None:
    for source in ("[X, Y][1 - 1]", "[X, Y][3]", "[X, Y][0]"):
        with pytest.raises(Undefined, match="counted from one"):
            value(source)


def test_a_word_is_an_integer_only_if_it_has_no_letters() -> None:
    assert RING.integer(value("3"), parse("3")) == 3
    assert RING.integer(value("X - X"), parse("X - X")) == 0
    for source in ("X", "1 + X", "X + Y"):
        with pytest.raises(Malformed, match="is not an integer"):
            RING.integer(value(source), parse(source))
    with pytest.raises(Undefined, match="not an integer"):
        RING.integer(value("1/2"), parse("1/2"))
    with pytest.raises(Malformed, match="not a fixed integer"):
        RING.integer(value("x"), parse("x"))


def same(left: str, right: str, **letters: str) -> bool:
    return words_difference_is_zero(parse(left), parse(right), letters or LETTERS)


def test_matrices_of_words_are_compared_entry_by_entry() -> None:
    assert same("[[X, 0], [A@B, S]].T", "[[X.T, B.T@A.T], [0, S]]")
    assert not same("[[X, 0], [A@B, S]].T", "[[X.T, A.T@B.T], [0, S]]")
    assert not same("[[X, Y]].T", "[X, Y]")
    assert same("mean(w, [P[w], X])", "[mean(w, P[w]), X]")
    assert not same("mean(w, [P[w], X])", "[mean(w, P[w]), Y]")
    assert isinstance(value("[X, Y]"), Mat)


def test_a_letter_is_plain_or_symmetric_or_the_identity() -> None:
    assert same("X.T", "X", X="symmetric")
    assert not same("X.T", "X", X="")
    assert same("X", "1", X="identity")
    assert same("X @ Y", "Y", X="identity", Y="")
    assert not same("X @ Y", "Y @ X", X="", Y="")
    assert same("a*X + b*X", "(b + a)*X", X="")
    for kind in ("orthogonal", "Symmetric", " "):
        with pytest.raises(Malformed, match="a letter is"):
            same("X", "X", X=kind)
