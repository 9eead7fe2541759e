"""Risk curves: exact at every time, their parts add up, and tables survive a round trip."""

from __future__ import annotations

import csv
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

from numerics.covariance import bias_average, bias_covariance, covariance, layer_averages, peel, variance_average
from numerics.operators import Array
from numerics.trajectories import excess_of_average, risk_curves, tail_risk_curves

from .dynamics_support import printed_steps, random_design, random_noise

START = np.array([1.0, -0.5, 2.0])


@pytest.mark.parametrize("kind", ["gaussian", "finite", "onehot", "mixed"])
def test_curves_are_the_risks_of_the_covariances(kind: str) -> None:
    rng = np.random.default_rng(41)
    design, noise = random_design(kind, 3, rng), random_noise(3, rng)
    steps = printed_steps(design, 5.0)
    curves = risk_curves(design, steps, noise, START, 12, depth=1)
    for t in (0, 1, 5, 12):
        split = peel(design, steps, noise, t, 1)
        assert curves["bias"][t] == pytest.approx(bias_covariance(design, steps, START, t).x_energy(design.sigma))
        assert curves["variance"][t] == pytest.approx(covariance(design, steps, noise, t).x_energy(design.sigma))
        assert curves["layer 1"][t] == pytest.approx(split.layers[1].x_energy(design.sigma), abs=1e-15)
        assert curves["remainder"][t] == pytest.approx(split.remainder.x_energy(design.sigma), abs=1e-15)
    assert np.allclose(curves["total"], curves["bias"] + curves["variance"], rtol=1e-15)
    assert np.allclose(curves["variance"], curves["layer 0"] + curves["layer 1"] + curves["remainder"], rtol=1e-13)


@pytest.mark.parametrize("kind", ["student", "finite"])
def test_tail_curves_are_the_averages_at_every_horizon(kind: str) -> None:
    rng = np.random.default_rng(42)
    design, noise = random_design(kind, 3, rng), random_noise(3, rng)
    steps, horizons = printed_steps(design, 5.0), [2, 10, 24, 8]
    curves = tail_risk_curves(design, steps, noise, START, horizons, depth=1)
    assert curves.axis == "T"
    for k, t in enumerate(horizons):
        assert curves["bias"][k] == pytest.approx(bias_average(design, steps, START, t), rel=1e-12)
        assert curves["variance"][k] == pytest.approx(variance_average(design, steps, noise, t), rel=1e-12)
        assert curves["layer 1"][k] == pytest.approx(
            layer_averages(design, steps, noise, t, 1)[1], rel=1e-11, abs=1e-16
        )
        assert curves["total"][k] == pytest.approx(excess_of_average(design, steps, noise, START, t), rel=1e-12)


def test_a_table_is_tidy_and_its_csv_keeps_every_digit(tmp_path: Path) -> None:
    rng = np.random.default_rng(43)
    design = random_design("gaussian", 3, rng)
    curves = risk_curves(design, printed_steps(design), random_noise(3, rng), START, 3)
    rows = curves.table()
    assert len(rows) == 4 * len(curves.parts)
    with curves.write_csv(tmp_path / "curves.csv").open() as stream:
        read = list(csv.DictReader(stream))
    assert [float(r["risk"]) for r in read] == [r["risk"] for r in rows]
    assert {r["part"] for r in read} == {"bias", "variance", "layer 0", "remainder", "cross", "total"}


def test_an_unknown_part_lists_the_known_ones() -> None:
    rng = np.random.default_rng(44)
    design = random_design("gaussian", 3, rng)
    curves = risk_curves(design, printed_steps(design), np.eye(3), START, 2)
    with pytest.raises(KeyError, match="choose one of bias, variance"):
        curves["noise"]


def test_a_third_moment_of_the_wrong_shape_is_refused() -> None:
    rng = np.random.default_rng(45)
    design = random_design("finite", 3, rng)

    def asymmetric(y: Array) -> Array:
        return np.outer(y, np.ones(3))

    steps = printed_steps(design)
    with pytest.raises(ValueError, match="not symmetric"):
        risk_curves(design, steps, np.eye(3), START, 2, third_moment=asymmetric)
    with pytest.raises(ValueError, match="returned shape"):
        risk_curves(design, steps, np.eye(3), START, 2, third_moment=lambda y: y)


def test_no_horizons_are_refused() -> None:
    design = random_design("gaussian", 3, np.random.default_rng(46))
    with pytest.raises(ValueError, match="horizons is empty"):
        tail_risk_curves(design, printed_steps(design), np.eye(3), START, [])


def test_curves_draw_themselves_as_one_svg_with_a_line_a_part() -> None:
    rng = np.random.default_rng(47)
    design = random_design("gaussian", 3, rng)
    curves = risk_curves(design, printed_steps(design), random_noise(3, rng), START, 30, depth=2)
    root = ElementTree.fromstring(curves.svg(["layer 0", "layer 1", "layer 2"]))
    lines = root.findall("{http://www.w3.org/2000/svg}polyline")
    assert [len(str(line.get("points")).split()) for line in lines] == [30, 29, 28]  # layer l is empty for t <= l
    assert curves._repr_svg_().count("<polyline") == len(curves.parts) - 1  # the cross term is zero and not drawn
    with pytest.raises(ValueError, match="nothing to draw"):
        curves.svg(["cross"])
