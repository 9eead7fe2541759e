"""Functions that start above zero and do not fall, and the same certificates one step beside the truth."""

from __future__ import annotations

from typing import Any

import pytest

from tests.kernel.certificates import IDENTITY, POSITIVE, Cert, cone, of
from theory.kernel import Claim, KernelError
from theory.kernel.judge import check_certificate
from theory.kernel.lang import parse, text
from theory.kernel.slopes import derivative

NOT_DEFINED = "not shown to be defined"


def claim(says: str, *given: str, **more: Any) -> Claim:
    return Claim("c", (says,), given, **more)


def slope(start: str, way: str, order: Cert, base: Cert, then: Cert, **more: Any) -> Cert:
    parts = {"kind": "slope", "in": "x", "from": start, "name": "y", "way": way}
    return {**parts, "order": order, "base": base, "slope": then, **more}


# Facts: what is given, then the start below y and y below x.
GIVEN = cone(of(0))
SMALL = claim("x**3 >= x**2", "x >= 1")
CUBE = slope("1", "up", GIVEN, POSITIVE, cone(of(1, c="2"), of(1, 1, c="3"), of(1, c="2"), {"c": "1"}))
EXP = claim("exp(x) >= 1 + x + x**2/2", "x >= 0")
TANGENT: Cert = {
    "kind": "cite", "claim": "law:exp-tangent", "with": {"t": "y"},
    "then": cone({"c": "1", "of": [3]}),
}  # fmt: skip
ZERO: Cert = {
    "kind": "cite", "claim": "law:exp-zero", "with": {"t": "0"}, "discharge": {"0": IDENTITY},
    "then": {"kind": "identity", "modulo": [[1, "1"]]},
}  # fmt: skip
LOG = claim("log(x) <= x - 1", "x >= 1")
LOG_ZERO: Cert = {
    "kind": "cite", "claim": "law:log-tangent", "with": {"t": "1"}, "discharge": {"0": POSITIVE},
    "then": cone({"c": "1", "of": [1]}),
}  # fmt: skip
OVER_Y = cone(of(1), multiplier=[3])

ACCEPTED: dict[str, tuple[Claim, Cert]] = {
    "a polynomial": (SMALL, CUBE),
    "downwards": (
        claim("x**2 >= x", "x <= 0"), slope("0", "down", GIVEN, POSITIVE, cone(of(1, c="2"), {"c": "1"})),
    ),
    "the exponential above its parabola": (EXP, slope("0", "up", GIVEN, ZERO, TANGENT)),
    "strict at the start": (
        claim("x**3 > 0", "x >= 1"), slope("1", "up", GIVEN, POSITIVE, cone({"c": "3", "sq": "y"}))
    ),
    "from a point that moves with x": (
        claim("x**2 >= 0", "x >= 0"), slope("x/2", "up", cone(of(0, c="1/2")), cone({"c": "1/4", "sq": "x"}),
                                            cone(of(1, c="2"), of(0))),
    ),
}  # fmt: skip


def test_the_derivatives_are_those_of_the_textbook() -> None:
    table = {
        "3": "0", "x": "1", "a*x": "a", "-x": "-1", "x - 2*x**2": "1 - 2*(2*x**1)", "1/x": "-1/x**2",
        "x**(-2)": "-2*x**(-3)", "exp(2*x)": "exp(2*x)*2", "log(1 + x)": "1/(1 + x)", "sin(x)*cos(x)":
        "cos(x)*cos(x) + sin(x)*-sin(x)", "sqrt(x)": "1/(2*sqrt(x))", "(1 + x)/x": "(x - (1 + x))/x**2",
    }  # fmt: skip
    for formula, expected in table.items():
        assert text(parse(text(derivative(parse(formula), "x")))) == text(parse(expected)), formula


def test_the_derivatives_agree_with_sympy() -> None:
    import sympy

    formulas = [
        "exp(-x**2)*log(1 + x**2)/sqrt(2 + x)", "sin(x**2)*cos(3*x) - 1/(1 + exp(x))", "(x - a)**3/(x + b)**2",
        "log(log(2 + x**2)) - sqrt(1 + sqrt(1 + x**2))", "x**(-3) + (1 + x)**0", "exp(exp(x)) - a*x*(b - x)*x",
    ]  # fmt: skip
    for formula in formulas:
        ours = sympy.sympify(text(derivative(parse(formula), "x")))
        theirs = sympy.diff(sympy.sympify(formula), sympy.Symbol("x"))
        for at in ("1/3", "7/5"):
            values = {"x": sympy.Rational(at), "a": sympy.Rational(2, 7), "b": 3}
            assert abs(sympy.N((ours - theirs).subs(values), 40)) < sympy.Float("1e-30"), formula


@pytest.mark.parametrize(
    "formula",
    ["abs(x)", "max(x, 0)", "min(1, x)", "r[x]", "x[1]", "2**x", "x**n", "sum(i, 1, x, i)", "sum(i, 1, 3, x)",
     "mean(w, x*X[w])", "iterate(s, 3, x, s/2)", "iterate(s, x, 1, s/2)", "prod(i, 1, 3, x)"],
)  # fmt: skip
def test_what_has_no_rule_of_calculus_is_refused(formula: str) -> None:
    with pytest.raises(KernelError, match="is not differentiated in x"):
        derivative(parse(formula), "x")


ANY = POSITIVE
BALLS: Cert = {"kind": "balls", "tree": {}}
REFUSED: dict[str, tuple[Claim, Cert, str]] = {
    "across a pole": (
        claim("-1/x >= 0", "x >= 1"), slope("-1", "up", cone(of(0), {"c": "2"}), POSITIVE, ANY), NOT_DEFINED
    ),
    "across a pole of second order": (
        claim("1/x**2 - 1 >= 0", "x >= 2"), slope("-1", "up", cone(of(0), {"c": "3"}), POSITIVE, ANY), NOT_DEFINED
    ),
    "where the logarithm ends": (
        claim("log(x) >= 0", "x > 0"), slope("-1", "up", cone(of(0), {"c": "1"}), ANY, ANY), NOT_DEFINED
    ),
    "over the kink of a root": (
        claim("sqrt(x**2) + x >= 0", "x <= 0"), slope("1", "down", cone(of(0), {"c": "1"}), BALLS, ANY), NOT_DEFINED
    ),
    "over the kink of a modulus": (
        claim("-abs(x) >= 0", "x >= 1"), slope("0", "up", cone(of(0), {"c": "1"}), POSITIVE, ANY), "not differentiated"
    ),
    "away from the start on the other side": (
        claim("x**3 >= x**2", "x <= 1"), slope("1", "up", cone(of(0)), POSITIVE, ANY), "identity differ"
    ),
    "the side of another fact": (
        claim("x >= 0", "x <= 1"), slope("0", "down", cone(of(0)), POSITIVE, ANY), "identity differ"
    ),
    "a start that lies below zero": (
        claim("x**3 >= x**2 + 1", "x >= 1"), slope("1", "up", GIVEN, POSITIVE, CUBE["slope"]), "negative"
    ),
    "a slope that falls": (
        claim("1 - x >= 0", "x >= 0"), slope("0", "up", GIVEN, POSITIVE, POSITIVE), "negative"
    ),
    "a slope that rises on the way down": (
        claim("x + 1 >= 0", "x <= 0"), slope("0", "down", GIVEN, POSITIVE, POSITIVE), "negative"
    ),
    "a fact about x for one about y": (
        claim("x**2 - 2*x + 3/4 >= 0", "x >= 1"),
        slope("0", "up", cone(of(0), {"c": "1"}), POSITIVE, cone(of(0, c="2"))),
        "identity differ",
    ),
    "a strict goal from a start at zero": (
        claim("x**3 > x**2", "x >= 1"), slope("1", "up", GIVEN, POSITIVE, CUBE["slope"]), "equal, not strictly"
    ),
    "an equation": (claim("x == 0", "x >= 0"), slope("0", "up", GIVEN, POSITIVE, ANY), "proves inequalities"),
    "a name that is in use": (
        claim("x*y >= 0", "x >= 0"), slope("0", "up", GIVEN, POSITIVE, ANY), "already in use"
    ),
    "a name that stands in the start": (
        claim("x >= 0", "x >= 0"), slope("y", "up", GIVEN, POSITIVE, ANY), "already in use"
    ),
    "a start without a value": (
        claim("x**2 >= 0", "x >= 0", "z >= 0"), slope("1/z", "up", GIVEN, POSITIVE, ANY), NOT_DEFINED
    ),
    "a start that is a matrix": (
        claim("x**2 >= 0", "x >= 0"), slope("[[1, 0], [0, 1]]", "up", GIVEN, POSITIVE, ANY), "matrix"
    ),
    "a number that counts": (
        claim("2**x >= 1", naturals=("x",)), slope("0", "up", GIVEN, POSITIVE, ANY), "not differentiated"
    ),
    "the length of a sum": (
        claim("sum(i, 1, x, 1/i) >= 0", naturals=("x",)), slope("0", "up", ANY, ANY, ANY), "not differentiated"
    ),
    "a bound name for the point between": (
        claim("sum(y, 1, 3, x*a[y]) >= 0", "x >= 0"), slope("0", "up", GIVEN, IDENTITY, ANY), "capture"
    ),
    "no such way": (claim("x**2 >= 0", "x >= 0"), slope("0", "sideways", GIVEN, POSITIVE, ANY), "malformed"),
    "the parabola with another factor": (
        claim("exp(x) >= 1 + x + x**2", "x >= 0"), slope("0", "up", GIVEN, ZERO, TANGENT), "identity differ"
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", ACCEPTED)
def test_a_function_that_does_not_fall_stays_above_its_start(name: str) -> None:
    what, proof = ACCEPTED[name]
    check_certificate(what, {"goals": [proof], "defined": {}}, {})


@pytest.mark.parametrize("name", REFUSED)
def test_a_near_miss_is_refused_with_its_reason(name: str) -> None:
    what, proof, reason = REFUSED[name]
    with pytest.raises(KernelError, match=reason):
        check_certificate(what, {"goals": [proof], "defined": {}}, {})
