r"""Parameters for n samples of a problem with known constants: as the paper prints them, as repaired, and as they run.

The theory's constants are far from sharp: its SADA needs millions of samples before theta~_max is not tiny. Practical
SADA takes the inner loop of Jain et al. (eta = 1/(5R^2), factor 1/3 in gamma and theta), h = 1/L_l throughout, momentum
from theta~ = min(1, sqrt(2/alpha)), and as few outer iterations as the loss needs (one for a quadratic loss, else
about 2.5 sqrt(alpha)): every outer iteration has T = n/K samples only to average its noise.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from functools import partial

from numerics import parameters
from numerics.errors import ParameterError
from numerics.parameters import Hyperparameters

from .info import ProblemInfo
from .params import (
    AsgdParams,
    ErmParams,
    InnerSteps,
    Params,
    RootParams,
    SadaParams,
    SadaTwoPhaseParams,
    SadaUDParams,
    SadaWCParams,
    SgdParams,
    StepDecayParams,
    SvrgParams,
)

Preset = Callable[[ProblemInfo, int], Params]


def sada_from(chosen: Hyperparameters) -> SadaParams:
    """Algorithm 1 with the hyperparameters of `numerics.parameters`."""
    h, beta = tuple(chosen.outer_h.tolist()), tuple(chosen.outer_beta.tolist())
    return SadaParams(chosen.eta, chosen.gamma, chosen.theta, chosen.horizon, h, beta)


def _sada_by(rule: Callable[..., Hyperparameters]) -> Preset:
    """As many outer iterations as n samples hold when each has the shortest inner loop that the rule allows."""

    def preset_of(info: ProblemInfo, n: int) -> SadaParams:
        mu = info.need("mu")
        constants = {"mu": mu, "r2": info.need("r2"), "kappa_tilde": info.need("kappa_tilde")}
        constants |= {"condition_number": info.need("lambda_max") / mu}
        constants |= {"alpha": info.loss.alpha, "smoothness": info.loss.L}

        def with_rounds(K: int) -> Hyperparameters:
            return rule(rounds=K, **constants)

        shortest = with_rounds(1).horizon
        if shortest > n:
            raise ParameterError(
                f"n = {n} samples are too few for the theory's constants: one inner loop needs T = {shortest}; "
                "give more samples or use the practical preset"
            )
        low, high = 1, n // shortest + 1
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if middle * with_rounds(middle).horizon <= n else (low, middle)
        return sada_from(with_rounds(low))

    return preset_of


sada_main_text = _sada_by(parameters.as_printed_main)
sada_appendix = _sada_by(parameters.as_printed_appendix)
sada_repaired = _sada_by(parameters.repaired)


def inner_steps(eta: float, mu: float, kappa_tilde: float, factor: float = 0.25) -> InnerSteps:
    """gamma = factor sqrt(eta/(kappa~ mu)), theta = factor sqrt(mu eta/kappa~); the paper's factor is 1/4."""
    gamma, theta = factor * math.sqrt(eta / (kappa_tilde * mu)), factor * math.sqrt(mu * eta / kappa_tilde)
    return InnerSteps(eta, gamma, theta)


def practical_momentum(alpha: float) -> float:
    """(1 - s)/(1 + s) with s = min(1, sqrt(2/alpha))."""
    s = min(1.0, math.sqrt(2 / alpha))
    return (1 - s) / (1 + s)


def sada_practical(info: ProblemInfo, n: int, *, batch: int = 1, runs: int = 1, workers: int = 1) -> SadaParams:
    """See the head of this module; a batch of B replaces R^2 and kappa~ as in the paper's section on mini-batches."""
    mu, r2, kappa_tilde = info.need("mu"), info.need("r2"), info.need("kappa_tilde")
    if batch > 1:
        r2, kappa_tilde = averaged_constants(r2, kappa_tilde, info.need("lambda_max"), batch)
    inner = inner_steps(1 / (5 * r2), mu, kappa_tilde, 1 / 3)
    alpha, steps = info.loss.alpha, n // batch
    wanted = 1 if alpha <= 1.05 else math.ceil(2.5 * math.sqrt(alpha))
    K = max(1, min(wanted, math.floor(2 * inner.theta * steps)))
    T = inner_length(steps, K, runs)
    momentum = practical_momentum(alpha)
    h, beta = (1 / info.loss.L,) * K, (momentum,) * K
    return SadaParams(inner.eta, inner.gamma, inner.theta, T, h, beta, runs, batch, workers)


def inner_length(n: int, K: int, runs: int = 1) -> int:
    """The largest T with K T <= n that `runs` runs of even length fill."""
    T = n // K // (2 * runs) * (2 * runs)
    if T < 2:
        raise ParameterError(f"n = {n} samples cannot fill K = {K} outer iterations of {runs} runs; give more samples")
    return T


SHARE = 1 / 4  # of the samples, for the first of two phases
SETTLED = 6.0  # an inner loop of the second phase has T_2 >= 2 SETTLED / theta steps


def sada_two_phase(info: ProblemInfo, n: int) -> SadaTwoPhaseParams:
    """Practical SADA on a quarter of the samples, then one inner loop in the metric of the Hessian.

    The outer products l'' a a^T have the constants L_l R^2, mu_l mu and at most alpha kappa~.
    """
    base = sada_practical(info, int(SHARE * n))
    mu, kappa_tilde = info.loss.mu * info.need("mu"), info.loss.alpha * info.need("kappa_tilde")
    second = inner_steps(1 / (5 * info.loss.L * info.need("r2")), mu, kappa_tilde, 1 / 3)
    T2, least = (n - base.horizon) // 2 * 2, math.ceil(2 * SETTLED / second.theta)
    if least > T2:
        raise ParameterError(
            f"n = {n} samples are too few for a second phase: its inner loop needs T = {least}, {T2} are left; give "
            f"{math.ceil(least / (1 - SHARE))} or use plain SADA"
        )
    return SadaTwoPhaseParams(base, second, T2)


def sada_long_last(info: ProblemInfo, n: int) -> SadaTwoPhaseParams:
    """The same two phases without the Hessian: after a quarter of the samples one long round of Algorithm 1."""
    base = sada_practical(info, int(SHARE * n))
    last = InnerSteps(base.eta, base.gamma, base.theta)
    return SadaTwoPhaseParams(base, last, (n - base.horizon) // 2 * 2, h=1 / info.loss.L)


def averaged_constants(r2: float, kappa_tilde: float, lambda_max: float, size: int) -> tuple[float, float]:
    """R^2 and kappa~ of the mean of `size` outer products: (R^2 + (size-1) lambda_max)/size, (kappa~ + size-1)/size."""
    return (r2 + (size - 1) * lambda_max) / size, (kappa_tilde + size - 1) / size


def sada_wc(info: ProblemInfo, n: int, *, epsilon: float, D: float, M: float) -> SadaWCParams:
    """Practical SADA for the surrogate G: loss constants plus eps/M^2, smallest eigenvalue plus eps/(L' D^2)."""
    weight = epsilon / M**2
    L, mu_l = info.loss.L + weight, info.loss.mu + weight
    ridge = epsilon / (L * D**2)
    mu, r2 = info.need("mu") + ridge, info.need("r2") + 2 * ridge
    inner = inner_steps(1 / (5 * r2), mu, max(info.need("kappa_tilde"), 2.0), 1 / 3)
    alpha = L / mu_l
    K = max(1, min(math.ceil(2.5 * math.sqrt(alpha)), math.floor(2 * inner.theta * n)))
    momentum = practical_momentum(alpha)
    base = SadaParams(inner.eta, inner.gamma, inner.theta, inner_length(n, K), (1 / L,) * K, (momentum,) * K)
    return SadaWCParams(base, epsilon, D, M)


def sada_ud(info: ProblemInfo, n: int, *, m: int, T0: int | None = None) -> SadaUDParams:
    """n labelled samples, m unlabelled ones in each of T0 steps (all by default), eta = 1/(16 R_m^2) as printed.

    At least three outer iterations: unlabelled samples do not cancel the noise of the labelled gradient at a far y~.
    """
    mu, lambda_max = info.need("mu"), info.need("lambda_max")
    r2, kappa_tilde = averaged_constants(info.need("r2"), info.need("kappa_tilde"), lambda_max, m + 1)
    inner = inner_steps(1 / (16 * r2), mu, kappa_tilde)
    alpha = info.loss.alpha
    K = math.ceil(max(3.0, 2.5 * math.sqrt(alpha)))
    momentum = practical_momentum(alpha)
    T = inner_length(n, K)
    base = SadaParams(inner.eta, inner.gamma, inner.theta, T, (1 / info.loss.L,) * K, (momentum,) * K)
    return SadaUDParams(base, m, T if T0 is None else T0)


def sada_wc_practical(info: ProblemInfo, n: int) -> SadaWCParams:
    """For |x*|_H <= 2, hence |x*| <= 2/sqrt(L_l mu), to the accuracy kappa~/n of the statistical error."""
    M = 2.0
    D = M / math.sqrt(info.loss.L * info.need("mu"))
    return sada_wc(info, n, epsilon=info.need("kappa_tilde") / n, D=D, M=M)


def sada_ud_printed(info: ProblemInfo, n: int, *, m: int = 8) -> SadaUDParams:
    """n labelled samples; m unlabelled ones in each of the first T_0 = 1/theta steps of an inner loop, as printed."""
    chosen = sada_ud(info, n, m=m)
    return replace(chosen, T0=min(chosen.base.T, math.ceil(1 / chosen.base.theta)))


def sada_ud_practical(info: ProblemInfo, n: int, *, m: int = 8) -> SadaUDParams:
    """n labelled samples and m unlabelled ones in every step."""
    return sada_ud(info, n, m=m)


def _smoothness(info: ProblemInfo) -> tuple[float, float]:
    """L_l R^2 and mu_l mu, the constants of F as first-order methods see them."""
    return info.loss.L * info.need("r2"), info.loss.mu * info.need("mu")


def sgd(info: ProblemInfo, n: int) -> SgdParams:
    return SgdParams(1 / (2 * info.loss.L * info.need("r2")), n)


def sgd_decay(info: ProblemInfo, n: int) -> StepDecayParams:
    return StepDecayParams(1 / (info.loss.L * info.need("r2")), n, max(1, round(math.log2(n))))


def asgd(info: ProblemInfo, n: int) -> AsgdParams:
    """The constants of Jain et al.; outside least squares mu_l mu, L_l R^2 and alpha kappa~ take their places."""
    L, mu = _smoothness(info)
    k = math.sqrt(L / mu * info.loss.alpha * info.need("kappa_tilde"))
    root = 3 * math.sqrt(5)
    return AsgdParams(A=root * k / (1 + root * k), B=1 / (9 * k), G=1 / (root * mu * k), D=1 / (5 * L), n=n)


def svrg_theory(info: ProblemInfo, n: int, *, b: float = 3.0, p: int = 2) -> SvrgParams:
    """step = 1/(20 b^{p+1} L), m = 20 b^{p+1} kappa / (step L), k_0 = 400 kappa^2 b^{2p+3}, k_s = b k_{s-1}."""
    L, mu = _smoothness(info)
    slow, kappa = 20 * b ** (p + 1), L / mu
    m, k0 = math.ceil(slow * slow * kappa), math.ceil(400 * kappa**2 * b ** (2 * p + 3))
    return SvrgParams(1 / (slow * L), m, k0, b, n)


def svrg_practical(info: ProblemInfo, n: int) -> SvrgParams:
    """step = 1/(4L), inner loops of 4 kappa and a first anchor of kappa samples, at most a sixth of n each."""
    L, mu = _smoothness(info)
    sixth = max(1, n // 6)
    return SvrgParams(1 / (4 * L), min(math.ceil(4 * L / mu), sixth), min(math.ceil(L / mu), sixth), 2.0, n)


def root_theory(info: ProblemInfo, n: int) -> RootParams:
    """eta = 1/(4L), burn-in 24/(eta mu)."""
    L, mu = _smoothness(info)
    return RootParams(1 / (4 * L), math.ceil(24 * 4 * L / mu), n)


def root_practical(info: ProblemInfo, n: int) -> RootParams:
    """A burn-in of 2/(eta mu), at most a tenth of the samples: ROOT-SGD forgets its start like (burn-in / n)^2 only."""
    L, mu = _smoothness(info)
    return RootParams(1 / (4 * L), max(1, min(math.ceil(8 * L / mu), n // 10)), n)


def erm(info: ProblemInfo, n: int) -> ErmParams:
    return ErmParams(n, "newton" if info.dim <= 2000 else "lbfgs")


PRESETS: dict[str, dict[str, Preset]] = {
    "sada": {
        "practical": sada_practical,
        "theory": sada_repaired,
        "appendix": sada_appendix,
        "main-text": sada_main_text,
        "batch-16": partial(sada_practical, batch=16),
        "parallel-4": partial(sada_practical, runs=4),
    },
    "sada-ud-printed": {"practical": sada_ud_printed, "unlabelled-128": partial(sada_ud_printed, m=128)},
    "sada-ud-corrected": {"practical": sada_ud_practical, "unlabelled-128": partial(sada_ud_practical, m=128)},
    "sada-wc-printed": {"practical": sada_wc_practical},
    "sada-wc-corrected": {"practical": sada_wc_practical},
    "sada-two-phase": {"practical": sada_two_phase, "same-metric": sada_long_last},
    "sgd": {"theory": sgd, "practical": sgd},
    "sgd-decay": {"theory": sgd_decay, "practical": sgd_decay},
    "asgd": {"theory": asgd, "practical": asgd},
    "streaming-svrg": {"theory": svrg_theory, "practical": svrg_practical},
    "root-sgd": {"theory": root_theory, "practical": root_practical},
    "erm": {"practical": erm},
}


def preset(method: str, name: str, info: ProblemInfo, n: int) -> Params:
    """The parameters of `method` for n samples under the preset `name`."""
    if method not in PRESETS or name not in PRESETS[method]:
        known = ", ".join(f"{m}/{p}" for m, group in PRESETS.items() for p in group)
        raise ParameterError(f"no preset {name!r} for method {method!r}; there are: {known}")
    if isinstance(n, bool) or not isinstance(n, int) or n < 2:
        raise ParameterError(f"n = {n!r} is not a number of samples; give an integer >= 2")
    return PRESETS[method][name](info, n)
