"""Inequalities and identities of known truth, for a verifier that saw none of them before.

True ones: classical inequalities, and families with a free number. False ones: the same with a violation that can be as
small as 1e-9, hypotheses dropped, constants just beyond the best, and identities with one wrong coefficient.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from math import comb

from tests.trust.classical import ATTAINED, ENDLESS, HYPOTHESES, NATURALS, STRICT
from theory.kernel.lang import parse_relation, relation_symbols

TINY = "1/10**9"


@dataclass(frozen=True)
class Item:
    """One lemma as a user writes it, and whether it is true."""

    name: str
    says: str
    given: tuple[str, ...]
    true: bool
    naturals: tuple[str, ...] = ()


def corpus() -> list[Item]:
    """Every item once, the true ones first."""
    every = [*_classical(), *_families(), *_identities()]
    every += [item for one in list(every) for item in (*_near_misses(one), *_with_room(one))]
    every += [*_without_a_hypothesis(), *_beyond_the_best()]
    unique = {(item.says, item.given): item for item in every}
    return sorted(unique.values(), key=lambda item: not item.true)


def _classical() -> Iterator[Item]:
    for group in (ATTAINED, HYPOTHESES, STRICT):
        for name, (goal, *facts) in group.items():
            yield Item(name, goal, tuple(facts), True)
    for name, (goal, *facts) in ENDLESS.items():
        free = frozenset().union(*(relation_symbols(parse_relation(source)) for source in (goal, *facts)))
        yield Item(name, goal, tuple(facts), True, tuple(n for n in NATURALS if n in free))


def _families() -> Iterator[Item]:
    for n in range(2, 8):
        yield Item(f"Bernoulli with power {n}", f"(1 + x)**{n} >= 1 + {n}*x", ("x >= 0",), True)
        yield Item(f"a geometric sum of {n} terms", f"{n} >= {_sum(f'x**{i}' for i in range(n))}", _unit("x"), True)
        yield Item(f"the mean of {n} squares", _mean_of_squares(n), (), True)
    for weight in ("1/3", "2", "7/2", "10"):
        says = f"a*b <= {weight}*a**2/2 + b**2/(2*{weight})"
        yield Item(f"Young with the weight {weight}", says, (), True)
        yield Item(
            f"a square with Young's weight {weight}", f"(a+b)**2 <= (1+{weight})*a**2 + (1+1/({weight}))*b**2", (), True
        )
    for b, c in ((1, 1), (3, 4), (-5, 7), (7, 13), (-2, 2), (4, 5), (-6, 10), (9, 21)):
        yield Item(f"the quadratic with {b}, {c}", f"x**2 + {b}*x*y + {c}*y**2 >= 0", (), True)
    for a, b in ((1, 2), (0, 3), (-1, 4), (2, 5), (3, 7)):
        yield Item(f"a quartic with double roots {a}, {b}", f"(x-({a}))**2*(x-({b}))**2 >= 0", (), True)
        product = Fraction((b - a) ** 2, 4)
        inside = (f"x >= {a}", f"x <= {b}")
        yield Item(f"a parabola on [{a}, {b}]", f"(x-({a}))*({b}-x) <= {product}", inside, True)
    for k in (2, 3, 4, 5, 6, 7, 8, 9, 12):
        yield Item(
            f"a step of 2/(L+mu) at condition {k}",
            f"abs(1-2*l/({k}+1)) <= ({k}-1)/({k}+1)",
            ("l >= 1", f"l <= {k}"),
            True,
        )
        says = f"(1-l/{k})**2 <= 1-1/{k}"
        yield Item(f"a step of 1/L at condition {k}", says, ("l >= 1", f"l <= {k}"), True)
    for n in (2, 3, 4):
        names = "abcd"[:n]
        positive = tuple(f"{x} > 0" for x in names)
        total, inverse = "+".join(names), "+".join(f"1/{x}" for x in names)
        yield Item(f"harmonic mean of {n}", f"({total})*({inverse}) >= {n * n}", positive, True)
        pairs = "+".join(f"{x}*{y}" for x, y in combinations(names, 2))
        squares = "+".join(f"{x}**2" for x in names)
        yield Item(f"products below squares, {n}", f"2*({pairs}) <= {n - 1}*({squares})", (), True)


def _identities() -> Iterator[Item]:
    for n in range(2, 8):
        expansion = _sum(f"{comb(n, k)}*a**{n - k}*b**{k}" for k in range(n + 1))
        yield Item(f"the binomial theorem for {n}", f"(a + b)**{n} == {expansion}", (), True)
        quotient = _sum(f"a**{n - 1 - k}*b**{k}" for k in range(n))
        yield Item(f"a difference of powers {n}", f"a**{n} - b**{n} == (a - b)*({quotient})", (), True)
    sums = {
        "the first numbers": ("sum(i, 1, n, i)", "n*(n+1)/2"),
        "the first squares": ("sum(i, 1, n, i**2)", "n*(n+1)*(2*n+1)/6"),
        "the first cubes": ("sum(i, 1, n, i**3)", "(n*(n+1)/2)**2"),
        "the odd numbers": ("sum(i, 1, n, 2*i-1)", "n**2"),
        "the reciprocals of products": ("sum(i, 1, n, 1/(i*(i+1)))", "n/(n+1)"),
    }
    for name, (left, right) in sums.items():
        yield Item(name, f"{left} == {right}", (), True, ("n",))
    for power in (2, 3, 4, 5):
        closed = f"(1 - x**{power})/(1 - x)"
        yield Item(
            f"the geometric sum of {power}", f"{_sum(f'x**{i}' for i in range(power))} == {closed}", ("x < 1",), True
        )
    yield Item("the parallelogram", "(a+b)**2 + (a-b)**2 == 2*a**2 + 2*b**2", (), True)
    yield Item("Lagrange", "(a**2+b**2)*(c**2+d**2) == (a*c+b*d)**2 + (a*d-b*c)**2", (), True)
    yield Item("Euler", "a**3+b**3+c**3-3*a*b*c == (a+b+c)*(a**2+b**2+c**2-a*b-b*c-c*a)", (), True)
    yield Item("partial fractions", "1/(x*(x+1)) == 1/x - 1/(x+1)", ("x > 0",), True)


def _near_misses(item: Item) -> Iterator[Item]:
    """Attained inequalities with the smaller side larger by a little; identities with one term more."""
    if not item.true or item.name in HYPOTHESES or item.name in STRICT:
        return
    relation = parse_relation(item.says)
    left, right = str(relation.left), str(relation.right)
    if relation.op == "==":
        yield Item(f"{item.name}, off by 1e-9", f"{left} == {right} + {TINY}", item.given, False, item.naturals)
        return
    small = TINY if item.name in ATTAINED or item.name in ENDLESS else "1/10**6"
    says = (
        f"{left} - {small} {relation.op} {right}" if relation.op == ">=" else f"{left} {relation.op} {right} - {small}"
    )
    if item.name in ATTAINED or item.name in ENDLESS or _attained(item.name):
        yield Item(f"{item.name}, missed by {small}", says, item.given, False, item.naturals)


def _with_room(item: Item) -> Iterator[Item]:
    """Attained inequalities with a little room are true as well, and strictly so."""
    relation = parse_relation(item.says)
    if item.name in ATTAINED and relation.op == ">=":
        says = f"{relation.left} + 1/10**3 > {relation.right}"
        yield Item(f"{item.name}, with room", says, item.given, True)


def _attained(name: str) -> bool:
    """Members of the families with equality somewhere."""
    starts = ("Bernoulli", "a geometric sum", "the mean of", "Young", "a square with", "a quartic", "a parabola")
    return name.startswith((*starts, "a step of 2", "harmonic", "products below"))


def _without_a_hypothesis() -> Iterator[Item]:
    """A hypothesis dropped that was needed."""
    dropped = {
        "Bernoulli below -1": ("(1 + x)**3 >= 1 + 3*x", ()),
        "AM-GM of three without signs": ("a**3 + b**3 + c**3 >= 3*a*b*c", ("a >= 0", "b >= 0")),
        "Schur without signs": ("a*(a-b)*(a-c) + b*(b-a)*(b-c) + c*(c-a)*(c-b) >= 0", ("a >= 0", "b >= 0")),
        "a short step without its bound": (
            "1 - eta*mu >= (1 - eta*lam)**2",
            ("mu > 0", "mu <= lam", "lam <= L", "eta > 0"),
        ),
        "the square is not monotone": ("x <= y", ("x**2 <= y**2",)),
        "the reciprocal across zero": ("1/x >= 1/y", ("y >= x", "x*y != 0")),
        "a root may be negative": ("r > 0", ("r**2 > 0",)),
        "Kantorovich outside": ("m + M >= a + m*M/a", ("m > 0", "m <= a", "M > 0")),
        "convexity outside": ("t*x**2 + (1 - t)*y**2 >= (t*x + (1 - t)*y)**2", ("t >= 0",)),
        "Chebyshev's sum unordered": ("2*(a*x + b*y) >= (a+b)*(x+y)", ("a <= b",)),
        "the simplex without signs": ("27*a*b*c <= 1", ("a + b + c == 1",)),
        "a triangle without one side": (
            "a**2 + b**2 + c**2 < 2*(a*b + b*c + c*a)",
            ("a > 0", "b > 0", "c > 0", "a < b + c"),
        ),
        "semidefinite without the corner": ("a*x**2 + 2*b*x*y + c*y**2 >= 0", ("a*c >= b**2",)),
        "heavy ball too fast": ("(1 + b - a*l)**2 < (1 + b)**2", ("b >= 0", "b < 1", "a > 0", "l > 0")),
    }
    for name, (says, given) in dropped.items():
        yield Item(name, says, given, False)


def _beyond_the_best() -> Iterator[Item]:
    """Constants just beyond the best ones."""
    for digits in range(1, 10):
        more = f"(1 + 1/10**{digits})"
        yield Item(f"AM-GM, {digits} digits too good", f"a**2 + b**2 >= 2*{more}*a*b", (), False)
        yield Item(f"Motzkin, {digits} digits too good", f"x**4*y**2 + x**2*y**4 + 1 >= 3*{more}*x**2*y**2", (), False)
        yield Item(f"cubic, {digits} digits too good", f"4/27 >= {more}*x*(1 - x)**2", ("x >= 0", "x <= 1"), False)
        unit = ("x**2 + y**2 <= 1",)
        yield Item(f"disc, {digits} digits too good", f"5 >= {more}*(3*x + 4*y)", unit, False)
        says = f"a/(b + c) + b/(a + c) + c/(a + b) >= 3/2*{more}"
        yield Item(f"Nesbitt, {digits} digits too good", says, ("a > 0", "b > 0", "c > 0"), False)
        best = ("l >= 1", "l <= 4")
        yield Item(f"a rate, {digits} digits too good", f"(1-2*l/5)**2*{more} <= 9/25", best, False)
        yield Item(f"Young, {digits} digits too good", f"{more}*a*b <= a**2/2 + b**2/2", ("a >= 0", "b >= 0"), False)


def _sum(terms: Iterator[str]) -> str:
    return " + ".join(terms)


def _unit(name: str) -> tuple[str, str]:
    return (f"{name} >= 0", f"{name} <= 1")


def _mean_of_squares(n: int) -> str:
    names = [f"x{i}" for i in range(n)]
    return f"({'+'.join(names)})**2 <= {n}*({'+'.join(f'{x}**2' for x in names)})"
