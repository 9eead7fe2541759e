"""Curves against a plain recursion of 2 x 2 matrices in one dimension, and a picture measured point by point."""

from __future__ import annotations

import re

import numpy as np
import pytest

from numerics.designs import FiniteSupport, Gaussian, OneHot
from numerics.operators import StepSizes
from numerics.trajectories import Curves, _symmetric, _thinned, excess_of_average, risk_curves, tail_risk_curves

STEPS = StepSizes(0.2, 0.3, 0.5)
LAM, START, NOISE = 0.5, 2.0, 0.7
MEAN = STEPS.mean_block(LAM)
PUSH = np.outer([STEPS.eta, STEPS.q], [STEPS.eta, STEPS.q])


def moved(state: np.ndarray, excess: float, noise: float) -> np.ndarray:
    return MEAN @ state @ MEAN.T + (excess * state[1, 1] + noise) * PUSH


def walked(excess: float, horizon: int) -> dict[str, list[float]]:
    """Risks of bias, layer 0, layer 1 and remainder in one dimension, step by step in the paper's (x, y)."""
    bias, zero, one, rest = np.full((2, 2), START**2), *np.zeros((3, 2, 2))
    out: dict[str, list[float]] = {"bias": [], "layer 0": [], "layer 1": [], "remainder": []}
    for _ in range(horizon + 1):
        for name, state in zip(out, (bias, zero, one, rest), strict=True):
            out[name].append(LAM * state[0, 0])
        rest = moved(rest, excess, excess * one[1, 1])
        one = moved(one, 0.0, excess * zero[1, 1])
        zero, bias = moved(zero, 0.0, NOISE), moved(bias, excess, 0.0)
    return out


@pytest.mark.parametrize(("design", "excess"), [(Gaussian([[LAM]]), 2 * LAM**2), (OneHot([1.0], [LAM**0.5]), 0.0)])
def test_every_part_is_the_plain_recursion_in_one_dimension(design: Gaussian | OneHot, excess: float) -> None:
    curves = risk_curves(design, STEPS, [[NOISE]], [START], 9, depth=1)
    for name, values in walked(excess, 9).items():
        assert curves[name] == pytest.approx(np.array(values), rel=1e-12), name
    assert curves["bias"][0] == pytest.approx(LAM * START**2)
    assert curves.times.tolist() == list(range(10))
    assert not curves["cross"].any()


@pytest.mark.parametrize(
    "design",
    [Gaussian(np.diag([0.5, 1.0])), FiniteSupport([[1.0, 0.5], [0.5, -1.0], [0.0, 1.0]])],
    ids=["gauss", "atoms"],
)
@pytest.mark.parametrize("depth", [0, 1, 2])
def test_tail_curves_have_their_layers_their_remainder_and_their_sum(design: Gaussian, depth: int) -> None:
    """For T = 2 the tail average is x_2: the same numbers as the curve over time."""
    curves = tail_risk_curves(design, STEPS, np.eye(2), [1.0, 2.0], [2, 6], depth=depth)
    whole = risk_curves(design, STEPS, np.eye(2), [1.0, 2.0], 2, depth=depth)
    assert list(curves.parts) == ["bias", "variance", *(f"layer {k}" for k in range(depth + 1)), "remainder", "total"]
    for name, values in curves.parts.items():
        assert values[0] == pytest.approx(whole[name][2], rel=1e-12, abs=1e-15), name
    layers = sum(curves[f"layer {k}"] for k in range(depth + 1))
    assert curves["variance"] == pytest.approx(layers + curves["remainder"])
    assert curves["total"] == pytest.approx(curves["bias"] + curves["variance"])
    assert curves["total"][1] == pytest.approx(excess_of_average(design, STEPS, np.eye(2), [1.0, 2.0], 6))
    assert curves.times.tolist() == [2, 6]


def test_the_cross_term_by_enumerating_every_path_of_two_steps() -> None:
    """a = 1 or 2 with equal chance and eps = 1 or -1/2 with it, so that E[eps a] = 0 but E[eps a^3] is not."""
    atoms, eps = np.array([1.0, 2.0]), np.array([1.0, -0.5])
    design = FiniteSupport(atoms[:, None])
    third = float(np.mean(eps * atoms**3))
    curves = risk_curves(
        design, STEPS, [[float(np.mean(eps**2 * atoms**2))]], [START], 2, third_moment=lambda y: [[third * y[0]]]
    )
    eta, theta, gamma = STEPS.eta, STEPS.theta, STEPS.gamma
    risk = np.zeros(3)
    for first in range(2):
        for second in range(2):
            x = y = z = START
            risk[0] += START**2 / 4
            for t, k in enumerate((first, second), start=1):
                g = atoms[k] * (atoms[k] * y - eps[k])
                z = theta * y + (1 - theta) * z - gamma * g
                x = y - eta * g
                y = (x + theta * z) / (1 + theta)
                risk[t] += x**2 / 4
    assert curves["total"] == pytest.approx(2.5 * risk)
    assert curves["cross"][2] != 0


def test_a_third_moment_is_symmetric_up_to_rounding() -> None:
    assert _symmetric(np.zeros((2, 2)), 2).tolist() == [[0.0, 0.0], [0.0, 0.0]]
    near = np.array([[1.0, 0.5], [0.5 + 1e-12, 1.0]])
    assert np.array_equal(_symmetric(near, 2), _symmetric(near, 2).T)
    with pytest.raises(ValueError, match="not symmetric"):
        _symmetric([[1.0, 0.5], [0.5 + 1e-9, 1.0]], 2)


def test_at_most_five_hundred_points_are_drawn_first_and_last_among_them() -> None:
    few, many = np.arange(7), np.arange(1000)
    assert _thinned(few).tolist() == list(range(7))
    thinned = _thinned(many)
    assert len(thinned) == 500
    assert (thinned[0], thinned[-1]) == (0, 999)
    assert _thinned(many, most=3).tolist() == [0, 500, 999]


def points(svg: str) -> list[list[tuple[float, float]]]:
    lines = re.findall(r'points="([^"]*)"', svg)
    return [[tuple(map(float, p.split(","))) for p in line.split()] for line in lines]  # type: ignore[misc]


def test_the_picture_puts_every_point_where_it_belongs() -> None:
    """A frame from 60 to 490 and from 20 to 360; decades 1e-2 to 1e1."""
    curves = Curves("t", np.array([0, 5, 10]), {"a": np.array([10.0, 1.0, 0.01]), "b<": np.array([0.0, 1.0, 1.0])})
    svg = curves.svg()
    first, second = points(svg)
    assert first == [(60.0, 20.0), (275.0, 133.3), (490.0, 360.0)]
    assert second == [(275.0, 133.3), (490.0, 133.3)], "zero is not on a logarithmic axis"
    assert re.findall(r">(1e-?\d+)<", svg) == ["1e-2", "1e-1", "1e0", "1e1"]
    assert re.findall(r"t = \d+", svg) == ["t = 0", "t = 10"]
    assert '<text x="500" y="34" fill="#1b6ca8">a</text>' in svg
    assert '<text x="500" y="50" fill="#c44536">b&lt;</text>' in svg
    assert 'viewBox="0 0 640 400"' in svg
    assert '<text x="54" y="24.0" text-anchor="end">1e1</text>' in svg
    assert '<text x="60.0" y="378" text-anchor="middle">' in svg
    assert curves.svg(["b<", "a"], width=300, height=200).count("<polyline") == 2


def test_one_point_one_value_and_forty_decades_are_drawn_too() -> None:
    lone = Curves("T", np.array([4]), {"a": np.array([1.0])}).svg()
    assert points(lone) == [[(60.0, 360.0)]]
    assert "T = 4<" in lone
    assert "T = 5<" in lone
    deep = Curves("t", np.array([0, 1, 2]), {"a": np.array([1.0, 1e-20, 1e-40])}).svg()
    assert points(deep) == [[(60.0, 20.0), (275.0, 360.0)]], "twenty decades are enough"
    assert re.findall(r">(1e-?\d+)<", deep) == [f"1e{k}" for k in range(-20, 1, 2)]
    nine = {f"p{k}": np.ones(1) for k in range(9)}
    colours = re.findall(r'stroke="(#\w+)" stroke-width', Curves("t", np.array([0]), nine).svg())
    assert colours[8] == colours[0]
    assert len(set(colours)) == 8
