"""N(X) = M(X) - Sigma X Sigma without its cancellation, against exact rationals."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from numerics.covariance import peel
from numerics.designs import FiniteSupport, IndependentCoordinates, with_kurtosis
from numerics.operators import Array, StepSizes

from .dynamics_support import KINDS, random_design, random_noise


def exact_excess(atoms: Array, weights: Array, x: Array) -> list[list[Fraction]]:
    """sum_k w_k C_k X C_k with C_k = a_k a_k^T - Sigma, in rationals."""
    total = sum(Fraction(w) for w in weights)
    w, d = [Fraction(v) / total for v in weights], atoms.shape[1]
    outers = [[[Fraction(a[i]) * Fraction(a[j]) for j in range(d)] for i in range(d)] for a in atoms]
    span = range(d)
    sigma = [[sum(v * o[i][j] for v, o in zip(w, outers, strict=True)) for j in span] for i in span]
    centred = [[[o[i][j] - sigma[i][j] for j in span] for i in span] for o in outers]
    return [
        [
            sum(
                v * c[i][k] * Fraction(x[k, l]) * c[l][j]
                for v, c in zip(w, centred, strict=True)
                for k in span
                for l in span
            )
            for j in span
        ]
        for i in span
    ]


@pytest.mark.parametrize("exponent", range(1, 9))
@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_atoms_that_nearly_agree_up_to_sign_keep_every_digit(exponent: int, sign: float) -> None:
    design = FiniteSupport([[1.0], [sign * (1.0 + 10.0**-exponent)]])
    one = np.ones((1, 1))
    truth = exact_excess(design.atoms, design.weights, one)[0][0]
    for value in (design.excess(one), design.excess_matrix(), design.eigenbasis_excess_matrix):
        assert abs(Fraction(float(value[0, 0])) / truth - 1) < 1e-14


@pytest.mark.parametrize("exponent", [2, 5, 8])
def test_the_layers_of_a_nearly_constant_design_keep_every_digit(exponent: int) -> None:
    design, steps = FiniteSupport([[1.0], [1.0 + 10.0**-exponent]]), StepSizes(0.05, 0.1, 0.2)
    truth = float(exact_excess(design.atoms, design.weights, np.ones((1, 1)))[0][0])
    split = peel(design, steps, [[1.0]], 2, 1)
    assert split.layers[1].c22[0, 0] == pytest.approx(steps.q**4 * truth, rel=1e-13, abs=0.0)


@pytest.mark.parametrize("seed", range(5))
def test_atoms_that_nearly_agree_in_one_direction_keep_the_digits_of_its_entry(seed: int) -> None:
    rng = np.random.default_rng(seed)
    atoms = np.column_stack([1 + 1e-7 * rng.uniform(-1, 1, 6), rng.standard_normal(6)])
    design, x = FiniteSupport(atoms), np.diag([1.0, 0.0])
    truth = exact_excess(atoms, design.weights, x)
    assert abs(float(design.excess(x)[0, 0]) / float(truth[0][0]) - 1) < 1e-8
    assert abs(float(design.excess_matrix()[0, 0]) / float(truth[0][0]) - 1) < 1e-8


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("d", [1, 3])
def test_the_excess_is_the_difference_that_defines_it(kind: str, d: int) -> None:
    rng = np.random.default_rng(2)
    design, x = random_design(kind, d, rng), random_noise(d, rng)
    plain = design.fourth_moment(x) - design.sigma @ x @ design.sigma
    scale = float(np.abs(plain).max()) or 1.0
    assert np.allclose(design.excess(x), plain, rtol=0, atol=1e-12 * scale + 1e-15)
    upper = np.triu_indices(d)
    assert np.allclose(design.excess_matrix() @ x[upper], plain[upper], rtol=0, atol=1e-12 * scale + 1e-15)


@pytest.mark.parametrize("extra", [1e-3, 1e-8, 1e-12])
def test_a_law_close_to_signs_keeps_its_excess(extra: float) -> None:
    law = with_kurtosis(1 + extra)
    design = IndependentCoordinates([[2.0]], law)
    assert design.excess([[1.0]])[0, 0] == pytest.approx(16 * (law.kurtosis - 1), rel=1e-14, abs=0.0)


def test_many_atoms_are_summed_in_chunks_to_the_same_matrix() -> None:
    rng = np.random.default_rng(3)
    design = FiniteSupport(rng.standard_normal((30_000, 4)))
    x = random_noise(4, rng)
    plain = design.fourth_moment(x) - design.sigma @ x @ design.sigma
    assert np.allclose(design.excess(x), plain, rtol=1e-12, atol=1e-12)
    upper = np.triu_indices(4)
    assert np.allclose(design.excess_matrix() @ x[upper], plain[upper], rtol=1e-12, atol=1e-12)
