"""The theorem's quantity on designs: exact moments against the algorithm itself, run on every path of samples."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import numpy as np
import pytest

from tests.sada import SADA
from theory.papers.sada.designs import theorem
from theory.ratios import ratios_of
from theory.ratios.sides import NoValueError, bound_of

RADEMACHER, HEAVY = theorem.DESIGNS[0], theorem.DESIGNS[2]


def run(design: theorem.Atoms, c: theorem.Choice, start: float, noise: float) -> float:
    """Algorithm 1, or ours, line by line, on all paths at once; d = 1."""
    outcomes = [(a[0], s * noise, p / 2) for a, p in zip(design.points, design.weights, strict=True) for s in (1, -1)]
    paths = list(product(outcomes, repeat=2 * c.m * 2 * c.n))
    a, b = (np.array([[draw[i] for draw in path] for path in paths]) for i in (0, 1))
    weight = np.array([np.prod([draw[2] for draw in path]) for path in paths])
    now = before = np.full(len(paths), start)
    draw = 0
    for k in range(1, 2 * c.m + 1):
        momentum, earlier = c.momentum(k), c.momentum(k - 1)
        beta = momentum * (1 - earlier) / (earlier * (1 + momentum)) if c.ours else (1 - momentum) / (1 + momentum)
        h = momentum**2 if c.ours else 2 * momentum**2
        y = now + beta * (now - before)
        x = z = y
        total = np.zeros(len(paths))
        for t in range(1, 2 * c.n + 1):
            mid = x / (1 + c.theta) + c.theta / (1 + c.theta) * z
            g = h * (a[:, draw] * y - b[:, draw]) * a[:, draw] + a[:, draw] * (mid - y) * a[:, draw]
            x, z = mid - c.eta * g, c.theta * mid + (1 - c.theta) * z - c.theta / c.mu * g
            total = total + (x if t > c.n else 0)
            draw += 1
        before, now = now, total / c.n
    return float(weight @ (now**2) * c.sigma[0, 0] / 2)


@pytest.mark.parametrize("ours", [False, True], ids=["as printed", "our algorithm"])
@pytest.mark.parametrize("design", [RADEMACHER, HEAVY], ids=lambda design: design.name)
def test_the_moments_are_those_of_the_algorithm_on_every_path(
    design: theorem.Atoms, ours: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    short = replace(theorem.choice(design, 1, ours), n=1, top=0.4)
    assert short.ours is ours
    monkeypatch.setattr(theorem, "choice", lambda *_: short)
    theorem.excesses.cache_clear()
    found = theorem.excesses(design, 1, ours)
    theorem.excesses.cache_clear()
    expected = [run(design, short, start, noise) for _, start, noise in theorem.STARTS]
    assert found == pytest.approx(expected, rel=1e-10)


def test_every_design_obeys_the_rules_for_t_and_for_theta_max() -> None:
    for design, m, ours in product(theorem.DESIGNS, (1, 64), (False, True)):
        c = theorem.choice(design, m, ours)
        assert (12 if ours else 6) * c.ks * np.exp(-c.theta * c.n) <= c.momentum(2 * m) ** 2
        assert 12 * c.top**2 <= 1 + 1e-12
        assert 12 * np.sqrt(2) * 160 * 14 * c.kt * c.top <= 2 * c.n * (1 + 1e-12)


def test_the_theorem_has_designs_for_every_constant_and_none_reaches_its_bound() -> None:
    (found,) = ratios_of(SADA, ["thm:full-glm"])
    assert {r.key for r in found.readings if r.designs} == set(theorem.READINGS)
    assert found.designs == len(theorem.DESIGNS)
    assert all(r.worst is not None and 0 < r.worst < 1 for r in found.readings if r.designs)


def test_a_part_of_the_right_side_may_be_given_by_its_formula() -> None:
    claim = SADA.find("thm:full-glm/repaired").claim
    one = next(iter(theorem.excess_risk(claim.id)(0)))
    whole = bound_of(claim, 0, one.values)
    noisier = bound_of(claim, 0, {**one.values, "tr(Q)": 2.0, "tr(inv(Sigma) @ Q)": 2.0})
    assert noisier == pytest.approx(2 * whole)
    with pytest.raises(NoValueError, match="no value for"):
        bound_of(claim, 0, {name: value for name, value in one.values.items() if name != "tr(Q)"})
