"""The laws of exp, log, sin and cos: true at points by another route, cited only where their hypotheses hold."""

from __future__ import annotations

import random
import re
from fractions import Fraction
from typing import Any

import pytest
from flint import arb, ctx, fmpq

from tests.kernel.certificates import IDENTITY, POSITIVE, Cert, cone, of
from tests.trust.independent import NoValue, truth
from theory.kernel import Claim, Rejected, Sequent, Tally, check
from theory.kernel.lang import parse_relation
from theory.kernel.laws import LAWS

NUMBERS = [Fraction(x) for x in ("-7/2", "-1", "-1/8", "0", "1/100", "1/3", "1", "2", "13/3")]


def sequent(goal: str, *facts: str, naturals: tuple[str, ...] = ()) -> Sequent:
    return Sequent(tuple(map(parse_relation, facts)), parse_relation(goal), frozenset(naturals))


def cite(law: str, then: Cert, discharge: dict[str, Cert] | None = None, **where: str) -> Cert:
    return {"kind": "cite", "claim": f"law:{law}", "with": where, "discharge": discharge or {}, "then": then}


def solved(law: str, s: Fraction, t: Fraction, n: int) -> dict[str, Any]:
    """The numbers of a law, with those that an equation determines."""
    numbers = {"r": s * t if law == "law:log-product" else s + t, "s": s, "t": t, "n": n, "p": Fraction(n, 5)}
    match law:
        case "law:exp-zero" | "law:sin-zero" | "law:cos-zero":
            numbers["t"] = Fraction(0)
        case "law:exp-convex":
            numbers["r"] = numbers["p"] * s + (1 - numbers["p"]) * t
        case "law:exp-inverse":
            numbers["s"] = -t
        case "law:exp-multiple":
            numbers["s"] = n * t
        case "law:log-inverse":
            numbers["s"] = 1 / t if t else t
    return {name: str(value) for name, value in numbers.items()}


def told(claim: dict[str, Any], point: dict[str, Any]) -> tuple[bool, bool]:
    """Whether the hypotheses hold and whether the law does, by the route that shares nothing with the kernel."""
    if not truth({**claim, "says": []}, point)[0]:
        return False, True
    try:
        return truth(claim, point)
    except NoValue:
        return True, False


@pytest.mark.parametrize("law", LAWS.values(), ids=lambda law: law.id)
def test_a_law_holds_wherever_its_hypotheses_do(law: Claim) -> None:
    points = [solved(law.id, s, t, n) for s in NUMBERS for t in NUMBERS for n in (0, 1, 5)]
    found = [told(law.to_json(), point) for point in points]
    assert all(true for given, true in found if given)
    assert sum(given for given, _ in found) >= 9


@pytest.mark.parametrize("law", [law for law in LAWS.values() if law.given], ids=lambda law: law.id)
def test_no_law_has_a_hypothesis_too_many(law: Claim) -> None:
    """Without its last hypothesis each law is false or has no value somewhere."""
    fewer = {**law.to_json(), "given": law.given[:-1]}
    points = [{"r": "7", "s": s, "t": t, "n": "2", "p": "1/2"} for s in ("-2", "1", "3") for t in ("-1", "1", "2")]
    assert any(given and not true for given, true in (told(fewer, point) for point in points))


BALLS = {name: (lambda x, name=name: getattr(x, name)()) for name in ("exp", "log", "sin", "cos")}
EDGES = [Fraction(x) for x in ("0", "1", "-1", "1/1000000", "-1/1000000", "999/1000", "40", "-40", "22/7")]


def failing(relation: str, point: dict[str, Any]) -> bool:
    """Whether balls of Arb show that the relation is false: a third route, at high precision."""
    left, op, right = re.split(r" (<=|>=|==|<|>) ", relation, maxsplit=1)
    numbers = {name: arb(fmpq(*Fraction(value).as_integer_ratio())) for name, value in point.items()}
    numbers["n"] = int(Fraction(point["n"]))
    a, b = (arb(0) + eval(side, {**BALLS, **numbers}) for side in (left, right))
    return bool({"<=": a > b, "<": a >= b, ">=": a < b, ">": a <= b, "==": not a.overlaps(b)}[op])


@pytest.mark.parametrize("law", LAWS.values(), ids=lambda law: law.id)
def test_no_ball_contradicts_a_law_at_random_points_or_at_the_edges(law: Claim) -> None:
    rng = random.Random(7)
    drawn = [Fraction(rng.randint(-4000, 4000), rng.randint(1, 1000)) for _ in range(150)]
    seen = 0
    with ctx.workprec(300):
        for s, t in zip([*EDGES, *drawn], [*drawn, *EDGES][::-1], strict=True):
            point = solved(law.id, s, t, rng.choice((0, 1, 5)))
            if all(not failing(given, point) for given in law.given):
                seen += 1
                assert not failing(law.says[0], point), point
    assert seen >= 8


TWINS = {
    "exp-parabola-below": ("exp(t) >= 1 + t + t**2", "1"),
    "exp-parabola-above": ("exp(t) <= 1 + t + t**2/4", "-1"),
    "exp-square-above": ("exp(t) <= 1 + t + t**2/2", "1"),
    "exp-cosh": ("exp(t) + exp(-t) <= 2*exp(t**2/3)", "1"),
    "exp-convex": ("exp(r) >= p*exp(s) + (1 - p)*exp(t)", "2"),
    "log-parabola": ("log(1 + t) >= t - t**2/4", "1"),
    "log-exp": ("log(exp(t)) == 2*t", "1"),
    "sin-sum": ("sin(r) == sin(s)*cos(t) - cos(s)*sin(t)", "1"),
    "cos-sum": ("cos(r) == cos(s)*cos(t) + sin(s)*sin(t)", "1"),
    "sin-zero": ("sin(t) == 1", "0"),
    "cos-zero": ("cos(t) == 0", "0"),
    "sin-tangent": ("sin(t) >= t", "1"),
    "cos-parabola": ("cos(t) >= 1 - t**2/4", "1"),
}


@pytest.mark.parametrize("law", TWINS)
def test_a_false_twin_of_a_law_is_seen_by_balls_and_refused_by_the_kernel(law: str) -> None:
    twin, t = TWINS[law]
    point = solved(f"law:{law}", Fraction(-1, 2), Fraction(t), 2)
    with ctx.workprec(300):
        assert failing(twin, point)
    facts = LAWS[f"law:{law}"].given
    with pytest.raises(Rejected):
        check(cite(law, cone(of(len(facts)))), sequent(twin, *facts), {}, Tally())


TANGENT = cone(of(0))
GOOD: dict[str, tuple[Cert, Sequent]] = {
    "a tangent": (cite("exp-tangent", TANGENT, t="x"), sequent("exp(x) >= 1 + x")),
    "a tangent with its own names": (cite("exp-tangent", TANGENT), sequent("exp(t) >= 1 + t")),
    "a tangent elsewhere": (cite("exp-tangent", TANGENT, t="-2*x"), sequent("exp(-2*x) >= 1 - 2*x")),
    "a hypothesis that is a fact": (
        cite("exp-monotone", cone(of(1)), s="x", t="y"),
        sequent("exp(x) <= exp(y)", "x <= y"),
    ),
    "a hypothesis with a reason": (
        cite("exp-monotone", cone(of(1)), {"0": cone(of(0))}, s="x", t="x + y"),
        sequent("exp(x) <= exp(x + y)", "y >= 0"),
    ),
    "a multiple": (
        cite("exp-multiple", {**IDENTITY, "modulo": [[0, "1"]]}, {"0": IDENTITY}, s="k*x", t="x", n="k"),
        sequent("exp(k*x) == exp(x)**k", naturals=("k",)),
    ),
    "a logarithm": (
        cite("log-tangent", cone(of(1)), {"0": POSITIVE}, t="x"),
        sequent("log(x) <= x - 1", "x > 0"),
    ),
    "the circle": (cite("circle", {**IDENTITY, "modulo": [[0, "1"]]}, t="x"), sequent("sin(x)**2 == 1 - cos(x)**2")),
}
BAD: dict[str, tuple[str, Cert, Sequent]] = {
    "a tangent missed by little": ("differ", cite("exp-tangent", TANGENT, t="x"), sequent("exp(x) >= 1 + x + 1/10**9")),
    "a law that is none": ("which is not in the library", cite("exp", TANGENT, t="x"), sequent("exp(x) >= 1 + x")),
    "a hypothesis that fails": (
        "negative|differ|without a sign",
        cite("exp-monotone", cone(of(1)), s="x", t="y"),
        sequent("exp(x) <= exp(y)", "x >= y"),
    ),
    "a multiple that is none": (
        "is not zero",
        cite("exp-multiple", {**IDENTITY, "modulo": [[0, "1"]]}, {"0": IDENTITY}, s="2*k*x", t="x", n="k"),
        sequent("exp(2*k*x) == exp(x)**k", naturals=("k",)),
    ),
    "a multiple by a number that is not natural": (
        "n must be a natural number, not y",
        cite("exp-multiple", {**IDENTITY, "modulo": [[0, "1"]]}, {"0": IDENTITY}, s="y*x", t="x", n="y"),
        sequent("exp(y*x) == exp(x)**y"),
    ),
    "the logarithm of what may be negative": (
        "negative|without a sign|differ",
        cite("log-tangent", cone(of(0)), {"0": POSITIVE}, t="x"),
        sequent("log(x) <= x - 1"),
    ),
    "a matrix": ("a matrix", cite("exp-tangent", TANGENT, t="[x, y]"), sequent("exp(x) >= 1 + x")),
    "a law at a place without a value": (
        "not shown to be defined: y != 0",
        cite("exp-positive", cone(of(0)), t="x/y"),
        sequent("exp(x/y) > 0"),
    ),
}


@pytest.mark.parametrize("name", GOOD)
def test_a_law_is_cited_where_it_holds(name: str) -> None:
    cert, what = GOOD[name]
    tally = Tally()
    check(cert, what, {}, tally)
    assert not tally.cited, "a law is no claim that could be unproved"


@pytest.mark.parametrize("name", BAD)
def test_a_law_is_not_cited_elsewhere(name: str) -> None:
    refusal, cert, what = BAD[name]
    with pytest.raises(Rejected, match=refusal):
        check(cert, what, {}, Tally())


def test_no_claim_of_a_library_stands_for_a_law() -> None:
    forged = {"law:exp-tangent": Claim("law:exp-tangent", ("exp(t) >= 5 + t",))}
    with pytest.raises(Rejected, match="differ"):
        check(cite("exp-tangent", TANGENT, t="x"), sequent("exp(x) >= 5 + x"), forged, Tally())
    check(cite("exp-tangent", TANGENT, t="x"), sequent("exp(x) >= 1 + x"), forged, Tally())
