"""Cases that the tests of the optimizers share: small parameters for every method, sources that count, random cuts."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from numerics.designs import Gaussian
from numerics.designs.checks import Array
from numerics.losses import Logistic, Loss, Poisson, PseudoHuber, SoftplusQuadratic, Squared, TwoCurvature, UserLoss
from numerics.optimizers import (
    METHODS,
    AsgdParams,
    DoublingParams,
    ErmParams,
    InnerSteps,
    Params,
    ProblemInfo,
    RootParams,
    SadaParams,
    SadaTwoPhaseParams,
    SadaUDParams,
    SadaWCParams,
    SgdParams,
    State,
    StepDecayParams,
    SvrgParams,
    step,
)

LOSSES: tuple[Loss, ...] = (
    Squared(),
    Squared(2.5),
    Logistic(0.1),
    SoftplusQuadratic(0.1, 1.0, 0.7),
    PseudoHuber(0.1, 1.0, 0.8),
    TwoCurvature(1.0, 0.1, 0.5),
    Poisson(1.5),
)

SMALL = SadaParams(0.02, 0.07, 0.1, 18, (0.9, 0.7, 0.4), (0.2, 0.5, 0.1))
DOUBLE_INFO = {"mu": 0.5, "lambda_max": 2.0, "r2": 12.0, "kappa_tilde": 6.0}

CASES: dict[str, tuple[str, Params]] = {
    "sada": ("sada", SMALL),
    "sada in runs": ("sada", SadaParams(0.02, 0.07, 0.1, 36, (0.9, 0.7), (0.2, 0.5), runs=3)),
    "sada in batches": ("sada", SadaParams(0.02, 0.07, 0.1, 9, (0.9, 0.7), (0.2, 0.5), batch=5)),
    "sada-wc-printed": ("sada-wc-printed", SadaWCParams(SMALL, 0.3, 1.5, 0.8)),
    "sada-wc-corrected": ("sada-wc-corrected", SadaWCParams(SMALL, 0.3, 1.5, 0.8)),
    "sada-ud-printed": ("sada-ud-printed", SadaUDParams(SMALL, 3, 7)),
    "sada-ud-corrected": ("sada-ud-corrected", SadaUDParams(SMALL, 3, 7)),
    "sada-ud-two-steps": ("sada-ud-corrected", SadaUDParams(SMALL, 3, 7, InnerSteps(0.01, 0.05, 0.2))),
    "two phases": ("sada-two-phase", SadaTwoPhaseParams(SMALL, InnerSteps(0.03, 0.09, 0.2), 11, 2)),
    "two phases, one metric": ("sada-two-phase", SadaTwoPhaseParams(SMALL, InnerSteps(0.03, 0.09, 0.2), 11, 2, 0.6)),
    "sgd": ("sgd", SgdParams(0.03, 61)),
    "sgd-decay": ("sgd-decay", StepDecayParams(0.03, 61, 4)),
    "asgd": ("asgd", AsgdParams(0.9, 0.1, 0.05, 0.02, 61)),
    "streaming-svrg": ("streaming-svrg", SvrgParams(0.02, 9, 5, 1.5, 61, seed=4)),
    "root-sgd": ("root-sgd", RootParams(0.02, 11, 61)),
    "erm": ("erm", ErmParams(61)),
    "doubling": ("doubling", DoublingParams("sada", 20)),
}


def horizon(name: str) -> int:
    """Samples of the case; the doubling trick has no horizon and gets 150."""
    method, params = CASES[name]
    return METHODS[method].horizon(params) or 150


def information(d: int, loss: Loss) -> ProblemInfo:
    return ProblemInfo(d, loss, **DOUBLE_INFO)


def labels_for(loss: Loss, rng: np.random.Generator, n: int) -> Array:
    if isinstance(loss, Logistic):
        return np.where(rng.random(n) < 0.5, -1.0, 1.0)
    return rng.poisson(1.0, n).astype(float) if isinstance(loss, Poisson) else rng.standard_normal(n)


def rows(loss: Loss, rng: np.random.Generator, n: int, d: int) -> tuple[Array, Array]:
    return rng.standard_normal((n, d)) / np.sqrt(d), labels_for(loss, rng, n)


class Source:
    """Hands out rows one by one, labelled or not, and counts them."""

    def __init__(self, a: Array, b: Array) -> None:
        self.a, self.b, self.taken, self.labelled = a, b, 0, []

    labelled: list[int]

    def sample(self) -> tuple[Array, float]:
        self.labelled.append(self.taken)
        return self.unlabelled(), float(self.b[self.taken - 1])

    def unlabelled(self) -> Array:
        self.taken += 1
        return self.a[self.taken - 1]


def reference(name: str, loss: Loss, x0: Array, source: Source) -> Array:
    """The output of the line-by-line reference of the case."""
    from numerics.optimizers import references

    method, params = CASES[name]
    function = METHODS[method].reference
    assert function is not None
    if isinstance(params, SadaUDParams):
        base, second = params.base, params.second
        more = {} if second is None else {"second": (second.eta, second.gamma, second.theta)}
        inner = (base.h, base.beta, base.eta, base.gamma, base.theta, base.T)
        return function(source.sample, source.unlabelled, loss, x0, *inner, params.T0, params.m, **more)
    if isinstance(params, SadaTwoPhaseParams):
        base, second = params.base, params.second
        inner = (base.h, base.beta, base.eta, base.gamma, base.theta, base.T)
        steps = (second.eta, second.gamma, second.theta)
        return function(source.sample, loss, x0, *inner, steps, params.T2, params.K2, params.h)
    base = params.base if isinstance(params, SadaWCParams) else params
    if isinstance(base, SadaParams):
        inner = (base.h, base.beta, base.eta, base.gamma, base.theta, base.T)
        if isinstance(params, SadaWCParams):
            return function(source.sample, loss, x0, *inner, params.epsilon, params.D, params.M)
        if base.runs > 1:
            return references.sada_parallel(source.sample, loss, x0, *inner, base.runs)
        if base.batch > 1:
            return references.sada_minibatch(source.sample, loss, x0, *inner, base.batch)
        return function(source.sample, loss, x0, *inner)
    return function(source.sample, loss, x0, **vars(params))


def fed_in_pieces(state: State, a: Array, b: Array, cuts: list[int]) -> State:
    """The state after the rows, handed over in pieces that end at the cuts."""
    for low, high in zip([0, *cuts], [*cuts, len(b)], strict=True):
        state = step(state, a[low:high], b[low:high])
    return state


def user_squared(scale: float = 1.0, dl: Callable[..., Array] | None = None, kernel: object = None) -> UserLoss:
    """The squared loss as a user would write it."""
    return UserLoss(
        L=scale,
        mu=scale,
        l=lambda z, b: 0.5 * scale * (z - b) ** 2,
        dl=dl or (lambda z, b: scale * (z - b)),
        ddl=lambda z, b: scale + 0 * z,
        kernel=kernel,
    )


def gaussian(d: int, kappa: float) -> Gaussian:
    return Gaussian(np.diag(np.geomspace(1 / kappa, 1, d)))
