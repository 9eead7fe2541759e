"""The parameters of every method as frozen values, refused when they are out of range. Names as in the paper."""

from __future__ import annotations

import math
from dataclasses import dataclass

from numerics.errors import ParameterError


def _real(owner: object, name: str, low: float, high: float = math.inf, *, closed: bool = False) -> None:
    value = getattr(owner, name)
    number = float(value) if isinstance(value, (int, float)) and not isinstance(value, bool) else math.nan
    inside = (low <= number if closed else low < number) and number <= high and math.isfinite(number)
    if not inside:
        bounds = f"{'at least' if closed else 'above'} {low:g}" + ("" if math.isinf(high) else f", at most {high:g}")
        raise ParameterError(f"{type(owner).__name__}: {name} = {value!r} must be a number {bounds}, and finite")
    object.__setattr__(owner, name, number)


def _whole(owner: object, name: str, low: int) -> None:
    value = getattr(owner, name)
    if isinstance(value, bool) or not hasattr(value, "__index__") or value.__index__() < low:
        raise ParameterError(f"{type(owner).__name__}: {name} = {value!r} must be an integer >= {low}")
    object.__setattr__(owner, name, value.__index__())


@dataclass(frozen=True)
class Params:
    """Base class of the parameters of all methods."""


@dataclass(frozen=True)
class SadaParams(Params):
    """Algorithm 1: K = len(h) outer iterations of T inner steps; `runs` parallel inner runs, batches of `batch`.

    `workers` threads share the inner runs that a block holds in full; the result does not depend on it.
    """

    eta: float
    gamma: float
    theta: float
    T: int
    h: tuple[float, ...]
    beta: tuple[float, ...]
    runs: int = 1
    batch: int = 1
    workers: int = 1

    def __post_init__(self) -> None:
        _real(self, "eta", 0)
        _real(self, "gamma", 0)
        _real(self, "theta", 0, 1)
        for name, low in (("T", 2), ("runs", 1), ("batch", 1), ("workers", 1)):
            _whole(self, name, low)
        for name in ("h", "beta"):
            object.__setattr__(self, name, tuple(float(value) for value in getattr(self, name)))
        if not self.h or len(self.h) != len(self.beta):
            raise ParameterError(
                f"SadaParams: {len(self.h)} values of h and {len(self.beta)} of beta; give one of each for every outer "
                "iteration, at least one"
            )
        for name, bad in (("h", [x for x in self.h if not 0 < x < math.inf]), ("beta", _not_momentum(self.beta))):
            if bad:
                raise ParameterError(f"SadaParams: {name} contains {bad[0]}; h must be positive, beta in [0, 1]")
        if self.T % self.runs or self.T // self.runs < 2:
            raise ParameterError(
                f"SadaParams: T = {self.T} cannot be cut into runs = {self.runs} equal runs of at least 2 steps; "
                "choose runs as a divisor of T"
            )

    @property
    def K(self) -> int:
        return len(self.h)

    @property
    def horizon(self) -> int:
        """Samples of a full run."""
        return self.K * self.T * self.batch


def _not_momentum(beta: tuple[float, ...]) -> list[float]:
    return [x for x in beta if not 0 <= x <= 1]


@dataclass(frozen=True)
class SadaWCParams(Params):
    """SADA-WC: target accuracy epsilon, |x*| <= D, |x*|_H <= M; D or M infinite switches its term off."""

    base: SadaParams
    epsilon: float
    D: float
    M: float

    def __post_init__(self) -> None:
        _real(self, "epsilon", 0)
        for name in ("D", "M"):
            value = getattr(self, name)
            if not (isinstance(value, (int, float)) and value > 0):
                raise ParameterError(
                    f"SadaWCParams: {name} = {value!r} must be positive; infinity switches its term off"
                )
            object.__setattr__(self, name, float(value))

    @property
    def horizon(self) -> int:
        return self.base.horizon


@dataclass(frozen=True)
class InnerSteps(Params):
    """The step sizes of an inner loop."""

    eta: float
    gamma: float
    theta: float

    def __post_init__(self) -> None:
        _real(self, "eta", 0)
        _real(self, "gamma", 0)
        _real(self, "theta", 0, 1)


@dataclass(frozen=True)
class SadaUDParams(Params):
    """SADA-UD: m unlabelled samples in each of the first T0 inner steps.

    In the corrected variant: in every step, or, when `second` is given, `second` are the step sizes after T0.
    """

    base: SadaParams
    m: int
    T0: int
    second: InnerSteps | None = None

    def __post_init__(self) -> None:
        _whole(self, "m", 0)
        _whole(self, "T0", 0)
        if self.base.runs != 1 or self.base.batch != 1:
            raise ParameterError(
                f"SadaUDParams: runs = {self.base.runs}, batch = {self.base.batch}; SADA-UD takes one labelled sample "
                "at a time in one run: set both to 1"
            )


@dataclass(frozen=True)
class SadaTwoPhaseParams(Params):
    """Algorithm 1 with `base`, then K2 rounds of T2 steps of `second` in the metric of the Hessian at their start.

    With `h` the rounds of the second phase are those of Algorithm 1 with that h and without momentum.
    """

    base: SadaParams
    second: InnerSteps
    T2: int
    K2: int = 1
    h: float | None = None

    def __post_init__(self) -> None:
        _whole(self, "T2", 2)
        if self.h is not None:
            _real(self, "h", 0)
        _whole(self, "K2", 1)
        if self.base.runs != 1 or self.base.batch != 1:
            raise ParameterError(
                f"SadaTwoPhaseParams: runs = {self.base.runs}, batch = {self.base.batch}; the first phase takes one "
                "sample at a time in one run: set both to 1"
            )

    @property
    def horizon(self) -> int:
        return self.base.horizon + self.K2 * self.T2


@dataclass(frozen=True)
class SgdParams(Params):
    """Constant step eta for n samples; tail average."""

    eta: float
    n: int

    def __post_init__(self) -> None:
        _real(self, "eta", 0)
        _whole(self, "n", 1)


@dataclass(frozen=True)
class StepDecayParams(Params):
    """Step eta, halved after each of `phases` equal phases of n samples; last iterate."""

    eta: float
    n: int
    phases: int

    def __post_init__(self) -> None:
        _real(self, "eta", 0)
        _whole(self, "n", 1)
        _whole(self, "phases", 1)


@dataclass(frozen=True)
class AsgdParams(Params):
    """Accelerated SGD of Jain et al.: y = A x + (1-A) v, steps D and G, mixing B; tail average over n samples."""

    A: float
    B: float
    G: float
    D: float
    n: int

    def __post_init__(self) -> None:
        _real(self, "A", 0, 1)
        _real(self, "B", 0, 1)
        _real(self, "G", 0)
        _real(self, "D", 0)
        _whole(self, "n", 1)


@dataclass(frozen=True)
class SvrgParams(Params):
    """Streaming SVRG: `step`, m inner samples, k_s = k0 growth^s anchor samples, at most n samples in all."""

    step: float
    m: int
    k0: int
    growth: float
    n: int
    seed: int = 0

    def __post_init__(self) -> None:
        _real(self, "step", 0)
        _real(self, "growth", 1, closed=True)
        for name, low in (("m", 1), ("k0", 1), ("n", 1), ("seed", 0)):
            _whole(self, name, low)


@dataclass(frozen=True)
class RootParams(Params):
    """ROOT-SGD: step eta, x held for the first `burn_in` of n samples."""

    eta: float
    burn_in: int
    n: int

    def __post_init__(self) -> None:
        _real(self, "eta", 0)
        _whole(self, "burn_in", 1)
        _whole(self, "n", 1)


@dataclass(frozen=True)
class ErmParams(Params):
    """The minimiser of the empirical risk of at most n samples; `solver` is newton or lbfgs."""

    n: int
    solver: str = "newton"
    tolerance: float = 1e-10

    def __post_init__(self) -> None:
        _whole(self, "n", 1)
        _real(self, "tolerance", 0, 1)
        if self.solver not in ("newton", "lbfgs"):
            raise ParameterError(f"ErmParams: solver = {self.solver!r} is unknown; choose 'newton' or 'lbfgs'")


@dataclass(frozen=True)
class DoublingParams(Params):
    """Restart `method`, tuned by `preset`, with horizon first, 2 first, 4 first, …; `warm`: from the last output."""

    method: str
    first: int
    preset: str = "practical"
    warm: bool = True

    def __post_init__(self) -> None:
        _whole(self, "first", 2)
