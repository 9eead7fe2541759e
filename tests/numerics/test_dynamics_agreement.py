"""Definition in exact rationals, loop and closed form agree on random designs, non-Gaussian and non-commuting too."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from numerics.covariance import RATIONAL, bias_covariance, core_covariance, covariance, frame, peel, reference
from numerics.designs import Design, FiniteSupport, Gaussian
from numerics.operators import (
    Array,
    Blocks,
    StepSizes,
    apply_excess,
    apply_mean,
    apply_second_moment,
    excess,
    noise_blocks,
)

from .dynamics_support import KINDS, apart, cases, printed_steps, random_design, random_noise

Case = tuple[Design, StepSizes, Array, Array]
TIGHT = 1e-12


def methods(design: Design, steps: StepSizes) -> tuple[str, ...]:
    """Every implementation that serves this design."""
    closed = ("closed",) if frame(design, steps).excess is not None else ()
    return ("auto", "loop", "reference", *closed)


@settings(max_examples=30, deadline=None)
@given(cases(), st.integers(0, 7))
def test_every_method_gives_the_exact_covariance(case: Case, horizon: int) -> None:
    design, steps, noise, _ = case
    exact = reference.covariance(design, steps, noise, horizon, RATIONAL)
    for method in methods(design, steps):
        found = covariance(design, steps, noise, horizon, method)  # type: ignore[arg-type]
        assert np.array_equal(found.full(), exact.full()) if horizon == 0 else apart(found, exact) < TIGHT, method


@settings(max_examples=30, deadline=None)
@given(cases(), st.integers(0, 7))
def test_every_method_gives_the_exact_bias_covariance(case: Case, horizon: int) -> None:
    design, steps, _, start = case
    exact = reference.bias_covariance(design, steps, start, horizon, RATIONAL)
    for method in methods(design, steps):
        assert apart(bias_covariance(design, steps, start, horizon, method), exact) < TIGHT, method  # type: ignore[arg-type]


@settings(max_examples=20, deadline=None)
@given(cases(), st.integers(1, 7))
def test_pi_has_a_closed_form_for_every_design(case: Case, horizon: int) -> None:
    design, steps, noise, _ = case
    exact = reference.core_covariance(design, steps, noise, horizon, RATIONAL)
    for method in ("auto", "loop", "closed", "reference"):
        assert apart(core_covariance(design, steps, noise, horizon, method), exact) < TIGHT, method  # type: ignore[arg-type]


@settings(max_examples=20, deadline=None)
@given(cases(most=2), st.integers(4, 7))
def test_every_layer_and_the_remainder_are_exact_and_add_up(case: Case, horizon: int) -> None:
    design, steps, noise, _ = case
    exact = reference.layers(design, steps, noise, horizon, 2, RATIONAL)
    scale = float(np.linalg.norm(exact[0].full()))
    for method in methods(design, steps):
        found = peel(design, steps, noise, horizon, 2, method)  # type: ignore[arg-type]
        for layer, truth in zip((*found.layers, found.remainder), exact, strict=True):
            # layers are positive sums, but the reference takes B - B~ by subtraction: compare on the scale of layer 0
            assert np.linalg.norm(layer.full() - truth.full()) < TIGHT * max(scale * 1e-3, np.linalg.norm(truth.full()))
        assert apart(found.total(), covariance(design, steps, noise, horizon)) < TIGHT


def test_layers_beyond_the_horizon_are_empty() -> None:
    rng = np.random.default_rng(3)
    design = random_design("gaussian", 3, rng)
    found = peel(design, printed_steps(design), random_noise(3, rng), 3, 5)
    assert all(np.any(layer.c22) for layer in found.layers[:3])
    assert not any(np.any(layer.full()) for layer in (*found.layers[3:], found.remainder))


@pytest.mark.parametrize("kind", KINDS)
def test_the_pair_structure_is_the_fourth_moment_of_the_design(kind: str) -> None:
    rng = np.random.default_rng(5)
    design = random_design(kind, 4, rng)
    view = frame(design, printed_steps(design))
    x = random_noise(4, rng)
    applied = view.out(view.general_excess(view.into(x)))
    assert np.allclose(applied, excess(design, x), rtol=1e-12, atol=1e-13 * np.abs(applied).max())
    assert (view.excess is None) == (kind in ("finite", "mixed"))


@pytest.mark.parametrize("kind", KINDS)
def test_the_excess_of_a_positive_matrix_is_positive(kind: str) -> None:
    rng = np.random.default_rng(6)
    design, x = random_design(kind, 3, rng), random_noise(3, rng)
    values = np.linalg.eigvalsh(excess(design, x))
    assert values[0] > -1e-12 * values[-1]


@pytest.mark.parametrize("kind", KINDS)
def test_the_block_operators_are_the_operators_of_the_definition(kind: str) -> None:
    rng = np.random.default_rng(7)
    design = random_design(kind, 2, rng)
    steps = printed_steps(design, 5.0)
    factor = rng.standard_normal((4, 4))
    c = Blocks.from_full(factor @ factor.T)
    it = reference.Definition.of(design, steps, RATIONAL)
    exact = RATIONAL.from_array(c.full())
    assert apart(apply_mean(design, steps, c), it.blocks(it.sandwich(it.mean, exact))) < TIGHT
    assert apart(apply_second_moment(design, steps, c), it.blocks(it.second_moment(exact))) < TIGHT
    assert apart(apply_excess(design, steps, c), it.blocks(it.excess(exact))) < 1e-11
    assert apart(noise_blocks(steps, c.c22), it.blocks(it.noise(RATIONAL.from_array(c.c22)))) < TIGHT


def test_a_rotated_design_rotates_its_covariance() -> None:
    rng = np.random.default_rng(8)
    design = Gaussian(np.diag([1.0, 0.1, 0.4]))
    turn = np.linalg.qr(rng.standard_normal((3, 3)))[0]
    steps, noise = printed_steps(design), random_noise(3, rng)
    plain = covariance(design, steps, noise, 50)
    turned = covariance(design.rotated(turn), steps, turn @ noise @ turn.T, 50)
    both = np.kron(np.eye(2), turn)
    assert apart(turned, Blocks.from_full(both @ plain.full() @ both.T)) < 1e-12


def test_atoms_of_a_one_hot_design_give_the_same_covariance_through_the_general_route() -> None:
    rng = np.random.default_rng(9)
    onehot = random_design("onehot", 3, rng)
    atoms = onehot.finite_support()
    assert isinstance(atoms, FiniteSupport)
    steps, noise = printed_steps(onehot, 4.0), random_noise(3, rng)
    assert apart(covariance(onehot, steps, noise, 200), covariance(atoms, steps, noise, 200)) < 1e-12
