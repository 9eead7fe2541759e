"""The algebraic rules: what each accepts at the edge of its conditions, and by which words it refuses a near miss."""

from __future__ import annotations

from typing import Any

import pytest

from tests.kernel.certificates import POSITIVE, Cert, cone, of
from theory.kernel import Rejected, Sequent, Tally, check
from theory.kernel.lang import parse_relation


def sequent(goal: str, *facts: str, naturals: tuple[str, ...] = ()) -> Sequent:
    relations = tuple(map(parse_relation, facts))
    return Sequent(relations, parse_relation(goal), frozenset(naturals))


def identity(*modulo: tuple[int, str]) -> Cert:
    return {"kind": "identity", "modulo": list(modulo)}


def slack(is_: str, because: Cert = POSITIVE, put: str = "x", by: str = "1 + s", **more: Any) -> Cert:
    return {"kind": "positive", "slacks": {"s": {"is": is_, "because": because, **more}}, "put": {put: by}}


BOTH = ("x >= 0", "y >= 0")
GOOD: dict[str, tuple[Cert, Sequent]] = {
    "two equations with cofactors": (identity((0, "2"), (1, "x")), sequent("2*a + x*b == x*c", "a == 0", "b == c")),
    "a power of zero as a cofactor": (identity((0, "x**0")), sequent("y == z", "y == z")),
    "a natural power as a cofactor": (identity((0, "x**2")), sequent("x**2*y == x**2*z", "y == z")),
    "a symbolic power as a cofactor": (identity((0, "x**k")), sequent("x**k*y == x**k*z", "y == z", naturals=("k",))),
    "a cofactor over a negative number": (identity((0, "x/(-2)")), sequent("x*y == x*z", "-2*y == -2*z")),
    "an identity proves >=": (identity(), sequent("x >= x")),
    "a natural number as a fact": (cone(of(0)), sequent("n >= 0", naturals=("n",))),
    "a term of weight zero": (cone(of(0, c="0"), of(1)), sequent("y >= 0", *BOTH)),
    "a term of a small weight": (cone(of(0, c="1/9")), sequent("x/9 > 0", "x > 0")),
    "a strict slack": (slack("x - 1", cone(of(0)), strict=True), sequent("x > 1", "x > 1")),
    "a strict slack as a divisor": (slack("1/x", strict=True, by="1/s"), sequent("x > 0", "x > 0")),
    "a slack from a slack": (
        {
            "kind": "positive",
            "slacks": {"s": {"is": "x - 1", "because": cone(of(0))}, "t": {"is": "y - 2", "because": cone(of(1))}},
            "put": {"x": "1 + s", "y": "t + 2"},
        },
        sequent("x*y >= 2", "x >= 1", "y >= 2"),
    ),
    "a denominator that may vanish at the corner": (POSITIVE, sequent("1/(x + y) >= 0", *BOTH)),
    "a denominator with a small coefficient": (POSITIVE, sequent("x/(2*x + 1) >= 0", "x >= 0")),
    "a numerator with a small coefficient": (POSITIVE, sequent("x/2 + 1/3 > 0", "x >= 0")),
    "even powers of names without a sign": (POSITIVE, sequent("x**2 + y**4 >= 0")),
}
POLYNOMIALS, MATRICES = "formulas inside a certificate are polynomials", "a matrix equals a matrix, without cofactors"
NOTHING_STRICT = "or nothing is strictly positive"
BAD: dict[str, tuple[str, Cert, Sequent]] = {
    "a cofactor over zero": (POLYNOMIALS, identity((0, "x/0")), sequent("y == z", "y == z")),
    "a cofactor with a broken power": (POLYNOMIALS, identity((0, "x**(1/2)")), sequent("y == z", "y == z")),
    "a cofactor with an inverse": (POLYNOMIALS, identity((0, "inv(x)")), sequent("y == z", "x*y == x*z")),
    "a cofactor with a logarithm": (POLYNOMIALS, identity((0, "log(x)")), sequent("log(x)*y == 0", "y == 0")),
    "a cofactor over a name": (POLYNOMIALS, identity((0, "1 + 2/x")), sequent("y == z", "x*y == x*z")),
    "a square with a root": (POLYNOMIALS, cone({"c": "1", "sq": "sqrt(x)"}), sequent("x >= 0")),
    "an inequality as an equation": ("fact 0 .* is not an equation", identity((0, "1")), sequent("y == z", "y <= z")),
    "an equation for every index": (
        "fact 0 .* is not an equation",
        identity((0, "1")),
        sequent("y == z", "forall(i, 1, 0, y == z)"),
    ),
    "a strict goal": ("an identity does not prove", identity(), sequent("x < x")),
    "a goal for every index": ("an identity does not prove", identity(), sequent("forall(i, 1, 2, x == x)")),
    "a matrix and a number": (MATRICES, identity(), sequent("[x] == x")),
    "a number and a matrix": (MATRICES, identity(), sequent("x == [x]")),
    "matrices with a cofactor": (MATRICES, identity((0, "1")), sequent("[x] == [x]", "y == z")),
    "matrices in order": (MATRICES, identity(), sequent("[x] <= [x]")),
    "an entry that differs": (r"entry \(2, 1\)", identity(), sequent("[[x, 1], [0, x]] == [[x, 1], [1, x]]")),
    "sides that differ": ("left - right is not zero: x", identity(), sequent("2*x == x")),
    "a cofactor that is off by a sign": ("is not zero", identity((0, "-1")), sequent("y == z", "y == z")),
    "a negative weight": ("a negative weight -1", cone(of(0, c="-1")), sequent("-x >= 0", "x >= 0")),
    "a small negative weight": ("a negative weight -1/2", cone(of(0, c="-1/2")), sequent("-x/2 >= 0", "x >= 0")),
    "a weak multiplier": ("multiplier must be", cone(of(1), multiplier=[0]), sequent("y >= 0", "x >= 0", "x*y >= 0")),
    "a multiplier for every index": (
        "multiplier must be",
        cone(of(1), multiplier=[0]),
        sequent("y >= 0", "forall(i, 1, 0, x > 0)", "x*y >= 0"),
    ),
    "an equation as a factor": ("a factor must be an inequality", cone(of(0)), sequent("x >= y", "x == y")),
    "an inequation as a factor": ("a factor must be an inequality", cone(of(0)), sequent("x >= 0", "x != 0")),
    "a factor for every index": (
        "a factor must be an inequality",
        cone(of(0)),
        sequent("x >= 0", "forall(i, 1, 0, x >= 0)"),
    ),
    "a cone that differs": ("the identity differ by -x", cone(of(0, c="2")), sequent("x >= 0", "x >= 0")),
    "a cone without a strict term": ("needs a term that is positive", cone(of(0)), sequent("x > 0", "x >= 0")),
    "a cone for an equation": ("this rule proves inequalities", cone(of(0)), sequent("x == 0", "x >= 0")),
    "a cone for an inequation": ("this rule proves inequalities", cone(of(0)), sequent("x != 0", "x > 0")),
    "a cone for every index": ("this rule proves", cone(of(0)), sequent("forall(i, 1, 2, x >= 0)", "x >= 0")),
    "a slack named like a fact": (
        "the name s is already in use",
        slack("x - 1", cone(of(0))),
        sequent("x >= 1", "x >= 1", "s >= 0"),
    ),
    "a slack named like the goal": (
        "the name s is already in use",
        slack("x - 1", cone(of(0))),
        sequent("x + 0*s >= 1", "x >= 1"),
    ),
    "a slack that is named like an entry": (
        r"'x\[1\]' is not a name that can be given",
        {**POSITIVE, "slacks": {"x[1]": {"is": "y", "because": cone(of(0))}}, "put": {"y": "x[1]"}},
        sequent("y > 0", "y >= 0", "x[1] > 0"),
    ),
    "a weak slack for a strict goal": (NOTHING_STRICT, slack("x - 1", cone(of(0))), sequent("x > 1", "x >= 1")),
    "a strict slack without reason": (
        "needs a term that is positive",
        slack("x - 1", cone(of(0)), strict=True),
        sequent("x > 1", "x >= 1"),
    ),
    "a slack without a value": ("not shown to be defined: x != 0", slack("1/x", by="1/s"), sequent("x >= 0", "x >= 0")),
    "a substitution for a stranger": (
        "a name that does not occur",
        {**slack("x - 1", cone(of(0))), "put": {"x": "1 + s", "z": "s"}},
        sequent("x >= 1", "x >= 1"),
    ),
    "a substitution for a slack": (
        "s is a slack; slacks are not substituted",
        {
            "kind": "positive",
            "slacks": {
                "s": {"is": "x", "because": cone(of(0))},
                "t": {"is": "s**2", "because": cone({"c": "1", "sq": "s"})},
            },
            "put": {"s": "s"},
        },
        sequent("x >= 0", "x >= 0"),
    ),
    "a substitution that misses points": (
        "x is not recovered from its slacks",
        slack("x - 1", cone(of(0)), by="2 + s"),
        sequent("x >= 2", "x >= 1"),
    ),
    "a substitution over a weak slack": (
        "divides by s, which is not plainly positive",
        slack("1/x", by="1/s"),
        sequent("x > 0", "x > 0"),
    ),
    "matrices by positive coefficients": ("inequalities are between numbers", POSITIVE, sequent("[x] >= [x]")),
    "equal sides, strictly": ("the two sides are equal", POSITIVE, sequent("x + 1 > 1 + x", "x >= 0")),
    "a negative numerator": ("coefficient of the numerator is negative", POSITIVE, sequent("x >= 1", "x >= 0")),
    "a denominator with two signs": ("of the denominator is negative", POSITIVE, sequent("1/(x - 1) >= 0", "x >= 0")),
    "an odd power in a denominator": ("a name without a sign", POSITIVE, sequent("1/x >= 0")),
    "nothing that is positive": (NOTHING_STRICT, POSITIVE, sequent("x + y > 0", *BOTH)),
}


@pytest.mark.parametrize("name", GOOD)
def test_what_meets_every_condition_is_accepted(name: str) -> None:
    cert, what = GOOD[name]
    check(cert, what, {}, Tally())


@pytest.mark.parametrize("name", BAD)
def test_a_near_miss_is_refused_by_name(name: str) -> None:
    refusal, cert, what = BAD[name]
    with pytest.raises(Rejected, match=refusal):
        check(cert, what, {}, Tally())


def test_the_tally_names_the_rules() -> None:
    tally = Tally()
    check({"kind": "balls", "tree": {}}, sequent("exp(x) > 0", "x >= 0", "x <= 1"), {}, tally)
    assert tally.boxes == []
    assert tally.rules == {"balls"}
    with pytest.raises(Rejected, match="not inside a proof"):
        check({"kind": "balls", "tree": {}, "box": {"x": ["0", "1"]}}, sequent("exp(x) > 0"), {}, tally)
