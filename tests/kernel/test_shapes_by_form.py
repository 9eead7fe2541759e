"""Numbers and matrices are told apart by their form, with the shape of every operation worked out by hand."""

from __future__ import annotations

import pytest

from theory.kernel import Malformed
from theory.kernel.lang import parse, parse_relation
from theory.kernel.shapes import Shape, check_shapes, require_number, shape_of

ROW, COLUMN, WIDE, TALL, SQUARE = (
    "[[1, x]]",
    "[1, x]",
    "[[1, 2, 3], [4, 5, 6]]",
    "[[1, 2], [3, 4], [5, 6]]",
    "[[1, 2], [3, 4]]",
)
SHAPES: dict[str, Shape] = {
    "7": None,
    "x": None,
    "v[1]": None,
    "v[i, j]": None,
    ROW: (1, 2),
    COLUMN: (2, 1),
    "[1, 2, 3]": (3, 1),
    WIDE: (2, 3),
    TALL: (3, 2),
    SQUARE: (2, 2),
    "[[5]]": (1, 1),
    f"-{WIDE}": (2, 3),
    "-x": None,
    f"{WIDE} + {WIDE}": (2, 3),
    f"{WIDE} - {WIDE}": (2, 3),
    "x + 1": None,
    f"x*{WIDE}": (2, 3),
    f"{WIDE}*x": (2, 3),
    "x*y": None,
    f"{WIDE}/x": (2, 3),
    "x/y": None,
    "x @ y": None,
    f"{WIDE} @ {TALL}": (2, 2),
    f"{TALL} @ {WIDE}": (3, 3),
    f"{ROW} @ {WIDE}": (1, 3),
    f"{SQUARE} @ {COLUMN}": (2, 1),
    f"{SQUARE}**k": (2, 2),
    "x**k": None,
    f"{WIDE}.T": (3, 2),
    "x.T": None,
    f"tr({SQUARE})": None,
    f"inv({SQUARE})": (2, 2),
    "inv(x)": None,
    "max(x, y, 1)": None,
    "sqrt(x)": None,
    f"{WIDE}[1, 3]": None,
    f"{WIDE}[2]": (3, 1),
    f"{COLUMN}[2]": None,
    f"{COLUMN}[2, 1]": None,
    f"{ROW}[1]": (2, 1),
    "sum(i, 1, n, v[i])": None,
    f"mean(w, X[w]*{WIDE})": (2, 3),
    f"mean(w, X[w]*{TALL})": (3, 2),
    "iterate(s, n, 1, s + 1)": None,
    f"iterate(s, n, {SQUARE}, s @ s)": (2, 2),
    f"iterate(s, n, {COLUMN}, [s[1], s[2] + x])": (2, 1),
    f"iterate(s, n, {SQUARE}, s)[1]": (2, 1),
    f"iterate(s, n, {SQUARE}, s)[1, 2]": None,
    f"iterate(s, n, {COLUMN}, s + sum(s, 1, 2, s)*s)": (2, 1),
    f"iterate(s, n, {COLUMN}, iterate(s, 2, 1, s + 1)*s)": (2, 1),
}


@pytest.mark.parametrize("source", SHAPES)
def test_a_formula_has_the_shape_that_its_form_shows(source: str) -> None:
    assert shape_of(parse(source)) == SHAPES[source]


FIT, STEP, INDEX, ENTRY, RANGE = (
    "numbers and matrices do not fit together here",
    "a step changes the shape of the state",
    "an index is a number",
    "a number has no entries",
    "the ends of a range are numbers",
)
MISFITS = {
    f"[{COLUMN}, 1]": FIT,
    f"[1, {COLUMN}]": FIT,
    f"[{COLUMN}, [1, 2, 3]]": FIT,
    f"[{ROW}, {ROW}]": FIT,
    f"[{SQUARE}, {SQUARE}]": FIT,
    f"{WIDE} + {TALL}": FIT,
    f"{WIDE} - 1": FIT,
    f"x + {WIDE}": FIT,
    f"{SQUARE}*{SQUARE}": FIT,
    f"x/{SQUARE}": FIT,
    f"{SQUARE}/{SQUARE}": FIT,
    f"{WIDE} @ {WIDE}": FIT,
    f"{TALL} @ {TALL}": FIT,
    f"x @ {SQUARE}": FIT,
    f"{SQUARE} @ x": FIT,
    f"{COLUMN} @ {SQUARE}": FIT,
    f"{WIDE} @ {SQUARE}": FIT,
    f"{WIDE}**2": FIT,
    f"{TALL}**2": FIT,
    f"{SQUARE}**{SQUARE}": FIT,
    f"x**{SQUARE}": FIT,
    f"tr({WIDE})": FIT,
    f"tr({TALL})": FIT,
    "tr(x)": FIT,
    f"inv({WIDE})": FIT,
    f"inv({TALL})": FIT,
    f"max(x, {SQUARE})": FIT,
    f"exp({COLUMN})": FIT,
    f"v[{COLUMN}]": INDEX,
    f"{SQUARE}[1, {COLUMN}]": INDEX,
    f"{SQUARE}[1, 1, 1]": ENTRY,
    f"{COLUMN}[0]": "entries are counted from 1 to 2",
    f"{COLUMN}[3]": "entries are counted from 1 to 2",
    f"{COLUMN}[k]": "with plain numbers",
    f"{COLUMN}[3/2]": "with plain numbers",
    f"{WIDE}[3, 3]": "entries are counted from 1 to 2",
    f"{WIDE}[2, 4]": "entries are counted from 1 to 3",
    f"{WIDE}[2, 0]": "entries are counted from 1 to 3",
    "(x + 1)[1]": ENTRY,
    "iterate(s, n, 1, s[1])": ENTRY,
    f"sum(i, 1, n, i*{WIDE})": "a sum of matrices is taken entry by entry",
    f"sum(i, {COLUMN}, n, i)": RANGE,
    f"sum(i, 1, {COLUMN}, i)": RANGE,
    f"iterate(s, {COLUMN}, 1, s)": RANGE,
    f"iterate(s, n, {COLUMN}, 1)": STEP,
    f"iterate(s, n, {COLUMN}, s.T)": STEP,
    f"iterate(s, n, 1, {COLUMN})": STEP,
    f"iterate(s, n, {COLUMN}, s + sum(s, 1, 2, s))": FIT,
}


@pytest.mark.parametrize("source", MISFITS)
def test_a_formula_whose_parts_do_not_fit_is_refused(source: str) -> None:
    with pytest.raises(Malformed, match=MISFITS[source]):
        shape_of(parse(source))


def test_a_state_of_an_iteration_has_its_shape_only_inside() -> None:
    assert shape_of(parse("s"), {"s": (2, 1)}) == (2, 1)
    assert shape_of(parse("s[1]"), {"s": (2, 1)}) is None
    assert shape_of(parse("s[1]"), {"s": (2, 2)}) == (2, 1)
    assert shape_of(parse(f"iterate(t, n, {COLUMN}, t) + s"), {"s": (2, 1)}) == (2, 1)
    assert shape_of(parse("sum(s, 1, 2, s)"), {"s": (2, 1)}) is None
    with pytest.raises(Malformed, match="entry by entry"):
        shape_of(parse("sum(i, 1, 2, s)"), {"s": (2, 1)})


def test_a_matrix_stands_for_no_number() -> None:
    require_number(parse(f"({ROW} @ {COLUMN})[1]"))
    with pytest.raises(Malformed, match="is a matrix, and a number is needed"):
        require_number(parse(f"{ROW} @ {COLUMN}"))


@pytest.mark.parametrize(
    "says", ["x <= y", "x != y", f"{WIDE} == {TALL}.T", f"{COLUMN} != [3, 4]", "forall(i, 1, n, v[i] > 0)"]
)
def test_sides_of_one_shape_are_compared(says: str) -> None:
    check_shapes(parse_relation(says))


@pytest.mark.parametrize(
    ("says", "refusal"),
    [
        (f"{WIDE} == {TALL}", "cannot be compared"),
        (f"{COLUMN} == x", "cannot be compared"),
        (f"x != {COLUMN}", "cannot be compared"),
        (f"{COLUMN} <= {COLUMN}", "cannot be compared"),
        (f"{COLUMN} > {COLUMN}", "cannot be compared"),
        (f"forall(i, {COLUMN}, n, v[i] > 0)", "a number is needed"),
        (f"forall(i, 1, {COLUMN}, v[i] > 0)", "a number is needed"),
    ],
)
def test_sides_of_two_shapes_are_not_compared(says: str, refusal: str) -> None:
    with pytest.raises(Malformed, match=refusal):
        check_shapes(parse_relation(says))
