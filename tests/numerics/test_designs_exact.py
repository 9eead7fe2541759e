"""Rational moments of finite supports: exact identities, and agreement with the floats."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from flint import fmpq, fmpq_mat
from hypothesis import given, settings

from numerics.designs import FiniteSupport, OneHot
from numerics.designs.exact import to_float
from tests.strategies import rational_supports

F = Fraction


def fractions_of(matrix: fmpq_mat) -> list[list[Fraction]]:
    return [[F(int(e.p), int(e.q)) for e in row] for row in matrix.table()]


@settings(max_examples=40, deadline=None)
@given(rational_supports())
def test_exact_moments_are_the_defining_sums_of_fractions(design: FiniteSupport) -> None:
    exact, d = design.exact(), design.dim
    atoms = fractions_of(exact.atoms)
    weights = [F(int(w.p), int(w.q)) for w in exact.weights]
    x = [[F(i + 2 * j, 3) for j in range(d)] for i in range(d)]
    sigma = [
        [sum((w * a[i] * a[j] for a, w in zip(atoms, weights, strict=True)), F(0)) for j in range(d)] for i in range(d)
    ]
    forms = [sum((a[i] * x[i][j] * a[j] for i in range(d) for j in range(d)), F(0)) for a in atoms]
    moment = [
        [sum((w * q * a[i] * a[j] for a, w, q in zip(atoms, weights, forms, strict=True)), F(0)) for j in range(d)]
        for i in range(d)
    ]
    rational_x = fmpq_mat(d, d, [fmpq(e.numerator, e.denominator) for row in x for e in row])
    assert fractions_of(exact.sigma) == sigma
    assert fractions_of(exact.fourth_moment(rational_x)) == moment


@settings(max_examples=40, deadline=None)
@given(rational_supports())
def test_float_moments_round_the_exact_ones(design: FiniteSupport) -> None:
    exact = design.exact()
    x = fmpq_mat(design.dim, design.dim, list(range(1, design.dim**2 + 1)))
    np.testing.assert_allclose(design.sigma, to_float(exact.sigma), rtol=0, atol=1e-14 * design.eigenvalues[-1])
    moment = to_float(exact.fourth_moment(x))
    np.testing.assert_allclose(
        design.fourth_moment(to_float(x)), moment, rtol=0, atol=1e-13 * (1 + np.abs(moment).max())
    )


def test_exact_moments_need_rational_input_and_say_so() -> None:
    with pytest.raises(ValueError, match=r"given as floats; give every one as a fractions\.Fraction"):
        FiniteSupport([[1.0, 0.0], [0.0, 1.0]]).exact()
    with pytest.raises(ValueError, match="given as floats"):
        FiniteSupport([[1, 0], [0, 1]], [0.5, 0.5]).exact()


def test_integer_atoms_with_equal_weights_are_exact() -> None:
    exact = FiniteSupport(np.array([[1, 0], [0, 1], [1, 1]])).exact()
    assert exact.sigma == fmpq_mat(2, 2, [fmpq(2, 3), fmpq(1, 3), fmpq(1, 3), fmpq(2, 3)])
    assert exact.sigma * exact.sigma_inverse == fmpq_mat(2, 2, [1, 0, 0, 1])


def test_rational_weights_must_sum_to_exactly_one() -> None:
    weights = [F(1, 2), F(1, 2) + F(1, 10**15)]
    with pytest.raises(ValueError, match="sum to exactly"):
        FiniteSupport([[1, 0], [0, 1]], weights)


def test_a_rational_one_hot_design_has_an_exact_support() -> None:
    exact = OneHot([F(1, 3), F(2, 3)], [F(3), F(1, 2)]).finite_support().exact()
    assert exact.sigma == fmpq_mat(2, 2, [3, 0, 0, fmpq(1, 6)])


def test_the_exact_fourth_moment_refuses_a_wrong_shape() -> None:
    exact = FiniteSupport([[1, 0], [0, 1]]).exact()
    with pytest.raises(ValueError, match=r"X: has shape \(1, 1\), needs \(2, 2\)"):
        exact.fourth_moment(fmpq_mat(1, 1, [1]))
