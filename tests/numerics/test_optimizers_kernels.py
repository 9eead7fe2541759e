"""Every kernel against its line-by-line reference, on random problems."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numba import njit
from numba.core.dispatcher import Dispatcher

from numerics.losses import Squared
from numerics.optimizers import (
    METHODS,
    SadaParams,
    SadaWCParams,
    estimate,
    jit,
    rival_kernels,
    sada_driver,
    sada_kernels,
    step,
)
from numerics.optimizers.sada_kernels import inner_table

from .optimizers_support import CASES, LOSSES, SMALL, Source, horizon, information, reference, rows, user_squared

STREAMING = [name for name in CASES if name not in ("erm", "doubling")]


@pytest.mark.parametrize("name", STREAMING)
@settings(max_examples=12, deadline=None)
@given(seed=st.integers(0, 2**32), d=st.integers(1, 21), which=st.integers(0, len(LOSSES) - 1))
def test_the_kernel_equals_the_reference(name: str, seed: int, d: int, which: int) -> None:
    loss, rng = LOSSES[which], np.random.default_rng(seed)
    a, b = rows(loss, rng, horizon(name), d)
    x0 = rng.standard_normal(d)
    expected = reference(name, loss, x0, Source(a, b))
    method, params = CASES[name]
    state = METHODS[method].init(information(d, loss), x0, params)
    np.testing.assert_allclose(
        estimate(step(state, a, b)), expected, rtol=0, atol=2e-13 * (1 + np.max(np.abs(expected)))
    )


@settings(max_examples=20, deadline=None)
@given(
    seed=st.integers(0, 2**32),
    T=st.integers(2, 41),
    K=st.integers(1, 4),
    eta=st.floats(1e-4, 0.05),
    gamma=st.floats(1e-3, 0.2),
    theta=st.floats(1e-3, 0.9),
)
def test_sada_equals_its_reference_for_any_schedule(
    seed: int, T: int, K: int, eta: float, gamma: float, theta: float
) -> None:
    loss, rng, d = LOSSES[2], np.random.default_rng(seed), 9
    h, beta = tuple(rng.uniform(0.1, 1, K)), tuple(rng.uniform(0, 1, K))
    params, x0 = SadaParams(eta, gamma, theta, T, h, beta), rng.standard_normal(d)
    a, b = rows(loss, rng, params.horizon, d)
    method = METHODS["sada"]
    assert method.reference is not None
    expected = method.reference(Source(a, b).sample, loss, x0, h, beta, eta, gamma, theta, T)
    found = estimate(step(method.init(information(d, loss), x0, params), a, b))
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-12 * (1 + np.max(np.abs(expected))))


def test_four_steps_of_the_table_are_four_single_steps() -> None:
    table = inner_table(0.03, 0.2, 0.15, ridge=0.4)
    one = table[27:31].reshape(2, 2)
    np.testing.assert_allclose(table[16:20].reshape(2, 2), np.linalg.matrix_power(one, 4), rtol=1e-14)


@pytest.mark.parametrize("epsilon", [30.0, 45.0])
def test_a_large_ridge_is_taken_in_single_steps_and_still_equals_the_reference(epsilon: float) -> None:
    loss, rng, d = Squared(), np.random.default_rng(3), 5
    assert inner_table(SMALL.eta, SMALL.gamma, SMALL.theta, epsilon)[31] == 0.0
    a, b = rows(loss, rng, SMALL.horizon, d)
    method = METHODS["sada-wc-printed"]
    assert method.reference is not None
    inner = (SMALL.h, SMALL.beta, SMALL.eta, SMALL.gamma, SMALL.theta, SMALL.T)
    expected = method.reference(Source(a, b).sample, loss, np.ones(d), *inner, epsilon, 1.0, 1.0)
    state = method.init(information(d, loss), np.ones(d), SadaWCParams(SMALL, epsilon, 1.0, 1.0))
    np.testing.assert_allclose(estimate(step(state, a, b)), expected, rtol=1e-12)


def test_a_users_own_loss_gives_the_same_bits_as_the_built_in_one() -> None:
    rng, d = np.random.default_rng(5), 7
    a, b = rows(Squared(), rng, horizon("sada"), d)
    method, params = CASES["sada"]

    def run(loss: object) -> bytes:
        state = METHODS[method].init(information(d, loss), np.ones(d), params)  # type: ignore[arg-type]
        return estimate(step(state, a, b)).tobytes()

    compiled = njit(lambda z, label: z - label)
    assert run(user_squared()) == run(user_squared(kernel=compiled)) == run(Squared())


def test_an_exception_inside_a_users_loss_is_raised_after_the_kernel() -> None:
    def broken(z: np.ndarray, b: np.ndarray) -> np.ndarray:
        if np.ndim(z) == 0 and not armed:
            raise ZeroDivisionError("the user's own mistake")
        return z - b

    armed = [True]
    loss = user_squared(dl=broken)
    armed.clear()
    a, b = rows(loss, np.random.default_rng(0), 61, 3)
    state = METHODS["sgd"].init(information(3, loss), None, CASES["sgd"][1])
    with pytest.raises(ZeroDivisionError, match="own mistake"):
        step(state, a, b)


def test_the_cache_of_the_kernels_is_renewed_when_any_of_their_sources_changes(tmp_path: Path) -> None:
    names = {source.name for source in jit.SOURCES}
    expected = {"simd.py", "sada_kernels.py", "sada_driver.py", "curved_kernels.py", "rival_kernels.py", "kernels.py"}
    assert expected == names
    sources = []
    for source in jit.SOURCES:
        copy = tmp_path / f"{source.parent.name}-{source.name}"
        copy.write_bytes(source.read_bytes())
        sources.append(copy)
    assert jit.digest_of(tuple(sources)) == jit.DIGEST
    for copy in sources:
        content = copy.read_bytes()
        copy.write_bytes(content + b" ")
        assert jit.digest_of(tuple(sources)) != jit.DIGEST
        copy.write_bytes(content)


def test_every_kernel_uses_that_cache() -> None:
    for module in (sada_kernels, sada_driver, rival_kernels):
        for name, value in vars(module).items():
            if isinstance(value, Dispatcher) and value.py_func.__module__ == module.__name__ and name != "derivative":
                assert jit.DIGEST in str(value._cache.cache_path), name
