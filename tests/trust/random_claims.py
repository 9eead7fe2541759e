"""Random claims through the provers; whatever the kernel calls proved is attacked at exact points that it may not like.

The grammar is made to be awkward: empty sums, bound names that shadow free ones, divisors and roots below binders,
iterations of no steps, ranges shorter than empty, sums that nearly telescope, hypotheses that hold at odd points only.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from theory.kernel import Claim, Evidence, KernelError, Verdict, check_witness, judge, satisfies_hypotheses
from theory.provers import driver
from theory.provers.effort import Fuel

NUMBERS = ("x", "y", "z")
COUNTS = ("d", "k")
HYPOTHESES = (
    *("x >= 0", "x > 0", "y >= 0", "y > 0", "x <= 1", "y >= x", "z == x + y", "x*y == 0", "x**2 == y", "v[1] >= 0"),
    *("d >= 1", "d <= 0", "forall(i, 1, d, v[i] >= 0)", "forall(i, 1, d, v[i] > 0)"),
    "forall(w, Omega, Omega, X[w] >= 0)",
)
VALUES = ("0", "1", "-1", "2", "1/2", "-1/3", "3")
SPACES = (["1"], ["1/2", "1/2"], ["1/3", "2/3"])
LENGTH = 4


@dataclass(frozen=True)
class Fuzzed:
    """Claims that made sense, those proved, the points at which these were tried, and what failed there."""

    made: int
    proved: int
    points: int
    wrong: tuple[str, ...]


@dataclass(frozen=True)
class _Scope:
    """Names that may stand as numbers, as indices of v and as samples of X."""

    numbers: tuple[str, ...] = NUMBERS
    indices: tuple[str, ...] = ("1",)
    samples: tuple[str, ...] = ()


def run(count: int, rng: np.random.Generator, tries: int = 60) -> Fuzzed:
    """So many random claims that have an example; every proved one at so many points."""
    made = proved = points = 0
    wrong: list[str] = []
    while made < count:
        claim = _random_claim(rng)
        if claim is None:
            continue
        made += 1
        if not _is_proved(claim):
            continue
        proved += 1
        for _ in range(tries):
            points += 1
            try:
                found = check_witness(claim, _point(claim, rng))
            except KernelError:
                continue
            wrong.append(f"{claim.says[0]} given {list(claim.given)}: {found}")
            break
    return Fuzzed(made, proved, points, tuple(wrong))


def _is_proved(claim: Claim) -> bool:
    effort = driver.Effort(splits=1, degree=2, heavy=False, fuel=Fuel(20))
    try:
        certificate = driver.certify(claim, {}, effort, None)
        return judge(claim, Evidence(certificate=certificate), {}).verdict is Verdict.PROVED
    except KernelError:
        return False


def _random_claim(rng: np.random.Generator) -> Claim | None:
    """A claim with a point that satisfies its hypotheses, or None where it is malformed or none is found."""
    given = tuple(dict.fromkeys(_pick(rng, HYPOTHESES) for _ in range(rng.integers(0, 4))))
    left, small = _formula(rng, int(rng.integers(1, 4)), _Scope()), _formula(rng, 1, _Scope())
    says = _pick(
        rng,
        (
            f"({left}) {_pick(rng, ('==', '>=', '<='))} ({small})",
            f"({left}) == ({left}) + ({small})*0",
            f"({left})**2 + ({small}) {_pick(rng, ('>=', '>'))} {_pick(rng, ('0', 'x', '-1'))}",
            _telescope(rng),
        ),
    )
    try:
        claim = Claim("random", (says,), given, naturals=COUNTS)
        claim = replace(claim, naturals=tuple(name for name in COUNTS if name in claim.variables))
    except KernelError:
        return None
    for _ in range(30):
        point = _point(claim, rng)
        try:
            satisfies_hypotheses(claim, point)
        except KernelError:
            continue
        return replace(claim, example=tuple(point.items()))
    return None


def _telescope(rng: np.random.Generator) -> str:
    """A sum of differences against the difference at its ends, or at ends that are wrong by one."""
    potential = _formula(rng, 2, _Scope(numbers=("@", "@", "@", "x"), indices=("@",)))
    lo, hi, end = _pick(
        rng, ((1, "d", "d + 1"), (0, "d", "d + 1"), (1, "d - 1", "d"), (3, "d", "d + 1"), (1, "d", "d"))
    )
    step, at_end, at_start = (potential.replace("@", f"({value})") for value in ("i + 1", end, str(lo)))
    term = f"({step}) - ({potential.replace('@', 'i')})"
    return f"sum(i, {lo}, {hi}, {term}) {_pick(rng, ('==', '>=', '<='))} ({at_end}) - ({at_start})"


def _pick(rng: np.random.Generator, options: Sequence[Any]) -> Any:
    return options[int(rng.integers(len(options)))]


def _formula(rng: np.random.Generator, depth: int, scope: _Scope) -> str:
    if depth == 0 or rng.random() < 0.15:
        entries = [f"v[{i}]" for i in scope.indices] + [f"X[{w}]" for w in scope.samples]
        return str(_pick(rng, (*VALUES, *scope.numbers, *scope.numbers, *entries)))

    def part(inner: _Scope = scope) -> str:
        return _formula(rng, depth - 1, inner)

    kind = _pick(rng, ("+", "+", "-", "-", "*", "*", "*", "power", "/", "function", "sum", "sum", "iterate", "mean"))
    if kind in ("+", "-", "*"):
        return f"({part()}) {kind} ({part()})"
    if kind == "power":
        return f"({part()})**{_pick(rng, ('2', '2', 'k', 'd', '(k + 1)'))}"
    if kind == "/":
        return f"({part()})/({_pick(rng, ('x', 'y', 'x + 1', 'x**2 + 1', 'v[1]'))})"
    if kind == "function":
        one, two = part(), part()
        return str(
            _pick(rng, (f"abs({one})", f"max({one}, {two})", f"sqrt({one})", f"exp({one})", "sqrt(x)", "log(x)"))
        )
    if kind == "sum":
        index = _pick(rng, ("i", "j", "x"))
        inner = replace(scope, numbers=(*scope.numbers, index), indices=(*scope.indices, index))
        lo, hi = _pick(rng, ("1", "1", "0", "3")), _pick(rng, ("d", "d", "2", "0", "d - 1"))
        return f"sum({index}, {lo}, {hi}, {part(inner)})"
    if kind == "iterate":
        body = _formula(rng, max(depth - 2, 0), replace(scope, numbers=(*scope.numbers, "s")))
        return f"iterate(s, {_pick(rng, ('k', '2', '0'))}, {part()}, {body})"
    return f"mean(w, {part(replace(scope, samples=('w',)))})"


def _point(claim: Claim, rng: np.random.Generator) -> dict[str, Any]:
    weights = _pick(rng, SPACES)
    point: dict[str, Any] = {"p_w": weights}
    for name in claim.variables:
        if name in COUNTS:
            point[name] = str(int(rng.integers(LENGTH)))
        elif name in claim.families:
            point[name] = [_pick(rng, VALUES) for _ in range(LENGTH)]
        else:
            point[name] = _pick(rng, VALUES)
    return point
