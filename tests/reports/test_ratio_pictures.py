"""Bound against truth: what the pictures show is what the exact dynamics say."""

from __future__ import annotations

import numpy as np
import pytest

from numerics.designs import Gaussian
from numerics.operators import StepSizes
from reports.sada.ratios import bias_curve, designs, figures, layer_curve, powers_of_a, strips
from reports.site.figure import Figure


@pytest.fixture(scope="module")
def drawn() -> dict[str, Figure]:
    return {figure.name: figure for figure in strips(0)}


def test_the_heat_map_of_powers_agrees_with_multiplied_matrices() -> None:
    figure = next(powers_of_a())
    for eta, factor, ratio in figure.rows[:: len(figure.rows) // 9]:
        block = StepSizes(float(str(eta)), 0.1, float(str(eta)) * float(str(factor))).mean_block(1.0)
        state, worst = np.ones(2), 1.0
        for _ in range(200):
            state = block @ state
            worst = max(worst, abs(state[0]))
        assert float(str(ratio)) == pytest.approx(worst / 2, rel=1e-8)
    assert max(float(str(row[2])) for row in figure.rows) > 1 > min(float(str(row[2])) for row in figure.rows)


def test_every_design_is_in_every_strip_and_the_caption_names_the_worst(drawn: dict[str, Figure]) -> None:
    names = {name for name, _ in designs(0)}
    for figure in drawn.values():
        assert {row[0] for row in figure.rows} == names
        ratios = [float(str(row[5])) for row in figure.rows]
        worst = figure.rows[int(np.nanargmax(ratios))]
        assert f"({worst[0]}, {worst[1]}, {worst[2]})" in figure.caption
        for row in figure.rows:
            truth, bound = float(str(row[3])), float(str(row[4]))
            assert float(str(row[5])) == pytest.approx(truth / bound) or bound <= 0


def test_the_noise_of_a_well_specified_gaussian_uses_a_fifth_of_its_bound(drawn: dict[str, Figure]) -> None:
    figure = drawn["lem:noise-bound-2-norm/designs"]
    assert {round(float(str(row[5])), 12) for row in figure.rows} == {0.2}


def test_the_printed_horizon_is_too_short_and_the_repaired_one_is_not(drawn: dict[str, Figure]) -> None:
    figure = drawn["lem:r-bound/designs"]
    by_choice = {
        choice: max(float(str(row[5])) for row in figure.rows if row[1] == choice)
        for choice in ("appendix as printed", "repaired")
    }
    assert by_choice["appendix as printed"] > 1 > by_choice["repaired"]


def test_the_curves_cross_the_bound_where_the_statement_fails() -> None:
    bias = next(bias_curve())
    assert max(float(str(row[2])) for row in bias.rows) > 1
    layer = next(layer_curve())
    small = [float(str(row[2])) for row in layer.rows if float(str(row[1])) <= 1 / 16]
    large = [float(str(row[2])) for row in layer.rows if float(str(row[1])) > 1]
    assert max(small) < 1 < max(large)


def test_pictures_are_told_one_by_one_and_are_the_same_for_the_same_seed() -> None:
    told: list[tuple[int, int]] = []
    one = figures(3, lambda done, total, name: told.append((done, total)))
    assert told == [(i, len(told)) for i in range(1, len(told) + 1)]
    two = figures(3)
    assert {k: [f.svg for f in v] for k, v in one.items()} == {k: [f.svg for f in v] for k, v in two.items()}
    random = next(d for name, d in designs(3) if "random atoms" in name)
    other = next(d for name, d in designs(4) if "random atoms" in name)
    assert random != other
    assert isinstance(designs(3)[0][1], Gaussian)
