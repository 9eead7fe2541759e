"""Claims as hypothesis properties: points that satisfy the hypotheses by construction, steered to the worst ratio.

@given(strategy_for(claim))                    points for tests of one's own
property_test(claim)()                         raises `Falsified` with an exact witness, else says what it has seen
falsify(claim, max_examples=200)               the witness, or None
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from fractions import Fraction
from itertools import islice
from typing import Any

import numpy as np
from hypothesis import HealthCheck, Phase, Verbosity, assume, given, settings, target
from hypothesis import strategies as st
from hypothesis.errors import Unsatisfiable

from theory.kernel.claim import Claim
from theory.kernel.errors import KernelError
from theory.kernel.points import check_witness, satisfies_hypotheses
from theory.kernel.rings import to_fmpq
from theory.search.choices import plans
from theory.search.conic import rational_points
from theory.search.crowd import ENOUGH, Seen, crowd
from theory.search.exact import Interval, exact_interval, exact_point, exact_points, refutes
from theory.search.kinds import kinds_of
from theory.search.plan import Plan, Space
from theory.search.result import GLANCE, QUICK, Effort
from theory.search.score import ratio
from theory.search.shrink import simplify
from theory.search.simple import total
from theory.search.survey import survey

POOL = 40
DEAR = 20_000.0
CEILING = 1e9
COUNTS = st.one_of(st.integers(0, 12), st.integers(0, 10**6))
Draw = Callable[[st.SearchStrategy[Any]], Any]


class Falsified(AssertionError):
    """A claim fails at an exact point."""


def profile(name: str) -> settings:
    """`quick`: the same few examples every time; `thorough`: many, and new ones every time."""
    if name not in ("quick", "thorough"):
        raise ValueError(f"no profile {name!r}; choose quick or thorough")
    return _settings(20, derandomize=True) if name == "quick" else _settings(1000, derandomize=False)


def _settings(max_examples: int, derandomize: bool) -> settings:
    return settings(
        max_examples=max_examples,
        derandomize=derandomize,
        database=None,
        deadline=None,
        verbosity=Verbosity.quiet,
        phases=(Phase.generate, Phase.target, Phase.shrink),
        suppress_health_check=list(HealthCheck),
        report_multiple_bugs=False,
    )


def strategy_for(claim: Claim, space: Space | None = None, effort: Effort = QUICK) -> st.SearchStrategy[dict[str, Any]]:
    """Exact points of the claim: numbers drawn between the bounds that the hypotheses give, the others solved.

    Where that leaves the region (roots that are not rational, bounds that are not linear) a point comes from a pool
    that the search's own walk has found, so that hardly a draw is lost.
    """
    return _strategy(claim, _plans(claim, space, effort))


def _every_plan(claim: Claim, space: Space | None, effort: Effort) -> list[Plan]:
    """How points of the region are made, small shapes first."""
    made = plans(claim, kinds_of(claim), dict(space or {}), np.random.default_rng(0), effort)
    return sorted(made, key=lambda p: p.shape.bulk)


def _plans(claim: Claim, space: Space | None, effort: Effort) -> list[Plan]:
    return _cheap(_every_plan(claim, space, effort))


def _cheap(every: list[Plan]) -> list[Plan]:
    """Those at which exact points cost little, where there are any."""
    return [p for p in every if p.price.at(200) <= DEAR] or every


def _strategy(claim: Claim, cheap: list[Plan]) -> st.SearchStrategy[dict[str, Any]]:
    pool = _pool(claim, cheap, np.random.default_rng(0))

    @st.composite
    def points(draw: Draw) -> dict[str, Any]:
        spare = pool[draw(st.integers(0, len(pool) - 1))] if pool else None
        point = _constructed(draw, cheap[draw(st.integers(0, len(cheap) - 1))]) if cheap else None
        point = point if point is not None and _allowed(claim, point) else spare
        assume(point is not None)
        return dict(point or {})

    return points()


def _pool(claim: Claim, every: list[Plan], rng: np.random.Generator) -> list[dict[str, Any]]:
    """Exact points that satisfy the hypotheses, the example first."""
    found = [dict(claim.example)] if _allowed(claim, dict(claim.example)) else []
    for plan in every[:8]:
        seen = survey(plan, rng, 200, [dict(claim.example)])
        for row in seen.rows[: 1 + POOL // len(every)]:
            near = islice(exact_points(plan, dict(zip(plan.names, map(float, row), strict=True))), 6)
            point = next((p for _, p in near if total(p) < 2000 and _allowed(claim, p)), None)
            found += [point] if point is not None else []
    return found


def _allowed(claim: Claim, point: Mapping[str, Any]) -> bool:
    try:
        satisfies_hypotheses(claim, point)
    except KernelError:
        return False
    return True


def _constructed(draw: Draw, plan: Plan) -> dict[str, Any] | None:
    """Free numbers in the plan's order, each inside its interval; None where a dependent one is not rational."""
    env: dict[str, Any] = {}
    values: dict[str, Fraction] = {}
    for variable in plan.free:
        inside = exact_interval(variable.bounds, env)
        value = _tie(draw, inside, list(values.values())) if values else None
        value = _inside(draw, inside, variable.name in plan.integers) if value is None else value
        if value is None:
            return None
        values[variable.name], env[variable.name] = value, to_fmpq(value)
    near = values if plan.exact else next(rational_points(plan, values, 0.01), values)
    return exact_point(plan, near)


def _tie(draw: Draw, inside: Interval, others: list[Fraction]) -> Fraction | None:
    """Now and then the value of an earlier number: equality is where inequalities are sharp."""
    choice = draw(st.integers(0, 3 * len(others)))
    value = others[choice - 1] if 1 <= choice <= len(others) else None
    return value if value is not None and inside.contains(value) else None


def _inside(draw: Draw, inside: Interval, integer: bool) -> Fraction | None:
    """A number of an interval: an integer, an end, or a step of a simple length from an end; None in an empty one."""
    low, high = inside.low, inside.high
    if integer:
        low, high = (
            (None if low is None else Fraction(math.ceil(low))),
            (None if high is None else Fraction(math.floor(high))),
        )
    if low is not None and high is not None and low > high:
        return None
    if integer:
        return Fraction(draw(st.integers(None if low is None else int(low), None if high is None else int(high))))
    above, below = draw(COUNTS), draw(COUNTS)
    if low is not None and high is not None:
        share = Fraction(above, above + below) if above + below else Fraction(1, 2)
        return low + (high - low) * share
    step = Fraction(above, below or 1)
    if low is not None:
        return low + step
    return high - step if high is not None else step * draw(st.sampled_from((1, -1)))


def _worst(claim: Claim, point: Mapping[str, Any]) -> float:
    """The largest ratio, within what hypothesis can steer by."""
    try:
        found = [float(r) for r in ratio(claim, point)]
    except (KernelError, OverflowError):
        return 0.0
    return float(np.clip(max((r for r in found if r == r), default=0.0), -CEILING, CEILING))


def falsify(claim: Claim, max_examples: int = 100, derandomize: bool = True) -> dict[str, Any] | None:
    """Let hypothesis look for a point that refutes the claim, shrink it, and return it if the kernel accepts it."""
    return _run(claim, _settings(max_examples, derandomize), _plans(claim, None, QUICK))


def _run(claim: Claim, how: settings, made: list[Plan]) -> dict[str, Any] | None:
    failing: list[dict[str, Any]] = []

    @how
    @given(_strategy(claim, made))
    def holds_everywhere(point: dict[str, Any]) -> None:
        target(_worst(claim, point))
        if refutes(claim, point):
            failing.append(point)
            raise Falsified(claim.id)

    try:
        holds_everywhere()
    except Falsified:
        return simplify(claim, min(failing, key=total))
    except Unsatisfiable:
        raise ValueError(f"{claim.id}: no point satisfies the hypotheses; give the claim an example") from None
    return None


def property_test(claim: Claim, name: str = "quick") -> Callable[[], Seen]:
    """A test that fails with a shrunk exact witness when the claim is false at some drawn point.

    First a crowd of points, then exact ones that hypothesis steers to the worst ratio.
    """
    how, effort = profile(name), GLANCE if name == "quick" else QUICK

    def holds_wherever_its_hypotheses_do() -> Seen:
        made = [] if claim.kinds else _every_plan(claim, None, effort)
        seen = crowd(claim, made, np.random.default_rng(0), ENOUGH if name == "quick" else 20 * ENOUGH)
        witness = seen.witness or (None if claim.kinds else _run(claim, how, _cheap(made)))
        if witness is not None:
            shown = ", ".join(f"{n} = {v}" for n, v in witness.items())
            raise Falsified(f"{claim.id}: {check_witness(claim, witness)} at {shown}; see `lemmalab show {claim.id}`")
        return seen

    return holds_wherever_its_hypotheses_do
