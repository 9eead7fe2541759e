"""The compiled losses equal the classes, alone and inside a compiled loop."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numba import njit

from numerics import losses as package
from numerics.losses import Loss, TwoCurvatureAsPrinted, UserLoss, kernels
from tests.strategies import losses

labels = st.sampled_from([-1.0, 1.0])
predictions = st.floats(-60, 60)


@njit  # type: ignore[untyped-decorator]
def derivative_of_all(code: int, p0: float, p1: float, p2: float, z: Any, b: Any, out: Any) -> None:
    for i in range(z.size):
        out[i] = kernels.dloss(code, p0, p1, p2, z[i], b[i])


@settings(max_examples=200, deadline=None)
@given(losses(), predictions, labels)
def test_kernels_equal_the_classes(loss: Loss, z: float, b: float) -> None:
    for kernel, method in ((kernels.loss_value, loss.value), (kernels.dloss, loss.d1), (kernels.d2loss, loss.d2)):
        ours = kernel(loss.code, *loss.params, z, b)
        assert ours == pytest.approx(float(method(z, b)), rel=1e-13, abs=1e-13 * loss.L * (1 + z * z))


@given(predictions)
def test_the_kernel_of_the_printed_two_curvature_loss_is_as_printed(z: float) -> None:
    loss = TwoCurvatureAsPrinted(3.0, 0.5, 0.25)
    for kernel, method in ((kernels.loss_value, loss.value), (kernels.dloss, loss.d1), (kernels.d2loss, loss.d2)):
        assert kernel(loss.code, *loss.params, z, 0.5) == pytest.approx(float(method(z, 0.5)), rel=1e-14)


@settings(max_examples=30, deadline=None)
@given(losses(), st.integers(0, 2**20))
def test_a_compiled_loop_can_take_any_loss(loss: Loss, seed: int) -> None:
    rng = np.random.default_rng(seed)
    z, b, out = rng.normal(0, 3, 100), rng.choice([-1.0, 1.0], 100), np.empty(100)
    derivative_of_all(loss.code, *loss.params, z, b, out)
    np.testing.assert_allclose(out, loss.d1(z, b), rtol=1e-13, atol=1e-13 * loss.L)


def test_every_built_in_loss_has_its_own_code() -> None:
    classes = [getattr(package, name) for name in package.__all__ if name not in ("Loss", "huber")]
    codes = [cls.code for cls in classes]
    assert len(set(codes)) == len(codes)
    assert sorted(codes) == [kernels.USER, *range(8)]
    assert UserLoss.code == kernels.USER == -1


@pytest.mark.parametrize("code", [kernels.USER, 8, 99])
def test_an_unknown_code_gives_nan(code: int) -> None:
    for kernel in (kernels.loss_value, kernels.dloss, kernels.d2loss):
        assert math.isnan(kernel(code, 1.0, 1.0, 1.0, 0.5, 1.0))


def test_kernels_do_not_overflow() -> None:
    for t in (-800.0, 800.0):
        assert 0.0 <= kernels.sigmoid(t) <= 1.0
        assert kernels.softplus(t) == max(t, 0.0)
