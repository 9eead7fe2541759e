"""SADA-WC and SADA-UD: what the printed algorithms do, and what the corrected ones do, on exact small problems."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import optimize, stats

from numerics.designs.checks import Array
from numerics.errors import DivergenceError
from numerics.losses import PseudoHuber, Squared
from numerics.optimizers import METHODS, ProblemInfo, SadaParams, SadaWCParams, estimate, preset, step
from numerics.optimizers.params import InnerSteps, SadaUDParams
from numerics.optimizers.presets import averaged_constants, inner_steps, sada_ud, sada_wc

ATOMS = np.array([[1.0, 0.5], [0.2, 1.0], [-0.4, 0.9], [1.1, -0.3]])
LABELS = np.array([1.0, -0.5, 2.0, 0.3])
LOSS = PseudoHuber(0.05, 1.0, 0.7)
EPSILON, D, M = 0.5, 1.2, 0.9


def surrogate(x: Array) -> float:
    """G(x), from values only."""
    z = ATOMS @ x
    data = np.mean(LOSS.value(z, LABELS) + EPSILON / (2 * M**2) * z**2)
    return float(data + EPSILON / (2 * D**2) * np.sum(x**2))


def minimiser(function: object, start: Array) -> Array:
    found = optimize.minimize(function, start, method="Nelder-Mead", options={"xatol": 1e-10, "fatol": 1e-16})
    return np.asarray(found.x)


def mean_dynamics(name: str, outer: int, h: float, start: Array) -> Array:
    """The algorithm with its random gradients replaced by their means: batches that hold every atom once."""
    base = SadaParams(0.1, 0.2, 0.1, 400, (h,) * outer, (0.0,) * outer, batch=len(ATOMS))
    state = METHODS[name].init(ProblemInfo(2, LOSS), start, SadaWCParams(base, EPSILON, D, M))
    steps = outer * base.T
    return estimate(step(state, np.tile(ATOMS, (steps, 1)), np.tile(LABELS, steps)))


def test_the_mean_corrected_update_converges_to_the_minimiser_of_the_surrogate() -> None:
    fixed = mean_dynamics("sada-wc-corrected", 60, 0.8, np.array([1.0, -1.0]))
    np.testing.assert_allclose(fixed, minimiser(surrogate, np.zeros(2)), atol=1e-7)


def test_the_mean_printed_update_converges_to_another_point() -> None:
    """Its fixed point solves grad F(x) + eps/(2M^2) E a = 0: a tilt instead of a regulariser."""
    fixed = mean_dynamics("sada-wc-printed", 400, 0.8, np.array([1.0, -1.0]))
    best = minimiser(surrogate, np.zeros(2))
    assert np.linalg.norm(fixed - best) > 0.1
    assert surrogate(fixed) - surrogate(best) > 0.005

    def tilted(x: Array) -> float:
        z = ATOMS @ x
        return float(np.mean(LOSS.value(z, LABELS) + EPSILON / (2 * M**2) * z))

    np.testing.assert_allclose(fixed, minimiser(tilted, fixed + 0.05), atol=1e-6)


def test_one_printed_inner_loop_solves_the_printed_subproblem_which_is_no_step_on_the_surrogate() -> None:
    """At the minimiser of G the corrected subproblem stays, the printed one moves away."""
    best, h = minimiser(surrogate, np.zeros(2)), 0.8
    ridge = EPSILON / (LOSS.L * D**2)

    def printed(x: Array) -> float:
        slope = (LOSS.d1(ATOMS @ best, LABELS) + EPSILON / (2 * M**2)) @ ATOMS / len(ATOMS)
        move = x - best
        return float(h * slope @ move + 0.5 * (np.mean((ATOMS @ move) ** 2) + ridge * move @ move))

    np.testing.assert_allclose(mean_dynamics("sada-wc-printed", 1, h, best), minimiser(printed, best), atol=1e-6)
    assert np.linalg.norm(mean_dynamics("sada-wc-printed", 1, h, best) - best) > 0.02
    np.testing.assert_allclose(mean_dynamics("sada-wc-corrected", 1, h, best), best, atol=1e-7)


def test_an_infinite_radius_switches_its_term_off() -> None:
    """With D and M infinite both variants are plain SADA."""
    rng = np.random.default_rng(2)
    base = SadaParams(0.05, 0.1, 0.1, 20, (0.9, 0.4), (0.1, 0.2))
    a, b = rng.standard_normal((40, 3)), rng.standard_normal(40)
    info, off = ProblemInfo(3, Squared()), SadaWCParams(base, 0.1, np.inf, np.inf)
    plain = estimate(step(METHODS["sada"].init(info, None, base), a, b))
    for name in ("sada-wc-printed", "sada-wc-corrected"):
        assert estimate(step(METHODS[name].init(info, None, off), a, b)).tobytes() == plain.tobytes()


def test_sada_wc_corrected_minimises_a_weakly_convex_problem_to_its_accuracy() -> None:
    """Sigma singular in one direction in all but rounding: F stays within epsilon, the null direction stays put."""
    rng, n, epsilon = np.random.default_rng(7), 40_000, 0.02
    scales = np.array([1.0, 0.5, 1e-6])
    a = rng.standard_normal((n, 3)) * scales
    x_star = np.array([0.5, -0.5, 0.3])
    b = a @ x_star + 0.1 * rng.standard_normal(n)
    info = ProblemInfo(3, Squared(), mu=1e-12, lambda_max=1.0, r2=3.25, kappa_tilde=5.0)
    params = sada_wc(info, n, epsilon=epsilon, D=float(np.linalg.norm(x_star)), M=1.0)
    used = params.horizon
    x = estimate(step(METHODS["sada-wc-corrected"].init(info, None, params), a[:used], b[:used]))
    assert 0.5 * np.sum((scales * (x - x_star)) ** 2) < epsilon


ONE_HOT = 64


def second_moment_radius(eta: float, gamma: float, theta: float, outcomes: Array, weights: Array) -> float:
    """Spectral radius of E[A (x) A] on one coordinate, where A is the printed step with Sigma^ = outcome."""
    total = np.zeros((4, 4))
    for curvature, weight in zip(outcomes, weights, strict=True):
        columns = []
        for x, z in ((1.0, 0.0), (0.0, 1.0)):
            y = x / (1 + theta) + theta / (1 + theta) * z
            g = curvature * y
            columns.append((y - eta * g, theta * y + (1 - theta) * z - gamma * g))
        a = np.array(columns).T
        total += weight * np.kron(a, a)
    return float(np.max(np.abs(np.linalg.eigvals(total))))


def one_hot_info() -> ProblemInfo:
    """a = sqrt(d) e_i: Sigma = I, R^2 = kappa~ = d."""
    return ProblemInfo(ONE_HOT, Squared(), mu=1.0, lambda_max=1.0, r2=float(ONE_HOT), kappa_tilde=float(ONE_HOT))


def one_hot_rows(rng: np.random.Generator, n: int) -> Array:
    a = np.zeros((n, ONE_HOT))
    a[np.arange(n), rng.integers(0, ONE_HOT, n)] = np.sqrt(ONE_HOT)
    return a


@pytest.mark.parametrize("m", [128, 1000])
def test_the_printed_steps_of_sada_ud_are_stable_with_unlabelled_data_and_unstable_without(m: int) -> None:
    """Exact: for one-hot data the coordinates are independent, and Sigma^_ii = d Binomial(m+1, 1/d)/(m+1)."""
    r2, kappa = averaged_constants(ONE_HOT, ONE_HOT, 1.0, m + 1)
    steps = inner_steps(1 / (16 * r2), 1.0, kappa)
    chosen = np.array([0.0, ONE_HOT])
    alone = second_moment_radius(*vars(steps).values(), chosen, np.array([1 - 1 / ONE_HOT, 1 / ONE_HOT]))
    counts = np.arange(m + 2)
    together = ONE_HOT * counts / (m + 1)
    bundled = second_moment_radius(*vars(steps).values(), together, stats.binom.pmf(counts, m + 1, 1 / ONE_HOT))
    assert bundled < 1 < alone
    single = inner_steps(1 / (16 * ONE_HOT), 1.0, ONE_HOT)
    assert second_moment_radius(*vars(single).values(), chosen, np.array([1 - 1 / ONE_HOT, 1 / ONE_HOT])) < 1


def test_sada_ud_as_printed_diverges_and_says_why() -> None:
    rng = np.random.default_rng(0)
    params = sada_ud(one_hot_info(), 60_000, m=128, T0=50)
    n = METHODS["sada-ud-printed"].horizon(params) or 0
    a = one_hot_rows(rng, n)
    state = METHODS["sada-ud-printed"].init(one_hot_info(), np.ones(ONE_HOT), params)
    with pytest.raises(DivergenceError, match="after T_0") as caught:
        step(state, a, np.zeros(n))
    assert caught.value.parameter == "eta"


def test_sada_ud_corrected_contracts_with_unlabelled_samples_in_every_step() -> None:
    """The labelled gradients of one outer iteration leave an error of about a half; three leave an eighth."""
    params = sada_ud(one_hot_info(), 1200, m=128, T0=50)
    method = METHODS["sada-ud-corrected"]
    n = method.horizon(params) or 0
    assert n == 3 * 400 * 129
    a = one_hot_rows(np.random.default_rng(1), n)
    x = estimate(step(method.init(one_hot_info(), np.ones(ONE_HOT), params), a, np.zeros(n)))
    assert np.linalg.norm(x) < 0.25 * np.sqrt(ONE_HOT)


def test_sada_ud_corrected_converges_when_single_samples_get_their_own_step_sizes() -> None:
    printed = sada_ud(one_hot_info(), 40_000, m=128, T0=50)
    params = SadaUDParams(printed.base, printed.m, printed.T0, inner_steps(1 / (16 * ONE_HOT), 1.0, ONE_HOT))
    method = METHODS["sada-ud-corrected"]
    n = method.horizon(params) or 0
    a = one_hot_rows(np.random.default_rng(1), n)
    x = estimate(step(method.init(one_hot_info(), np.ones(ONE_HOT), params), a, np.zeros(n)))
    assert np.linalg.norm(x) < 1e-3 * np.sqrt(ONE_HOT)


def test_a_mini_batch_of_copies_is_the_single_sample_step() -> None:
    """B copies of a sample in a batch give the gradient of that sample."""
    rng = np.random.default_rng(9)
    base = SadaParams(0.05, 0.1, 0.1, 12, (0.9, 0.4), (0.1, 0.2))
    a, b = rng.standard_normal((24, 3)), rng.standard_normal(24)
    info = ProblemInfo(3, Squared())
    single = estimate(step(METHODS["sada"].init(info, None, base), a, b))
    batched = SadaParams(base.eta, base.gamma, base.theta, base.T, base.h, base.beta, batch=4)
    state = METHODS["sada"].init(info, None, batched)
    np.testing.assert_allclose(estimate(step(state, np.repeat(a, 4, axis=0), np.repeat(b, 4))), single, rtol=1e-12)


def test_parallel_runs_on_the_same_rows_are_one_run() -> None:
    """Two runs that see the same T_0 rows average to the output of one run on them."""
    rng = np.random.default_rng(10)
    one = SadaParams(0.05, 0.1, 0.1, 14, (0.9,), (0.1,))
    two = SadaParams(0.05, 0.1, 0.1, 28, (0.9,), (0.1,), runs=2)
    a, b = rng.standard_normal((14, 3)), rng.standard_normal(14)
    info = ProblemInfo(3, Squared())
    single = estimate(step(METHODS["sada"].init(info, None, one), a, b))
    double = estimate(step(METHODS["sada"].init(info, None, two), np.tile(a, (2, 1)), np.tile(b, 2)))
    np.testing.assert_allclose(double, single, rtol=1e-14)


def test_step_sizes_for_single_samples_are_a_field_of_the_corrected_variant_only() -> None:
    params = SadaUDParams(preset("sada", "practical", one_hot_info(), 100), 2, 3, InnerSteps(0.1, 0.1, 0.1))  # type: ignore[arg-type]
    printed, corrected = METHODS["sada-ud-printed"], METHODS["sada-ud-corrected"]
    assert printed.horizon(params) == corrected.horizon(params)
