"""All methods on one stream: every block is drawn once and handed to every method that still wants samples.

A method that is planned for n samples is run anew for every n of the grid, on the same samples: a point of its curve is
what it returns when it is tuned for that many. A method without a plan (ERM, the doubling trick) is run once and read
at every n.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from numerics.designs.checks import Array
from numerics.errors import OptimizerError, ParameterError
from numerics.losses import Squared
from numerics.optimizers import METHODS, PRESETS, DoublingParams, ErmParams, ProblemInfo, estimate, preset, step
from numerics.optimizers.params import Params
from numerics.optimizers.state import State
from numerics.problems import Problem
from numerics.streams import FreshStream, Reader

BLOCK = 8192
MOST_NUMBERS = 2**26  # ERM keeps its rows: half a gigabyte
WITHOUT_PLAN = ("erm", "doubling")


@dataclass(frozen=True)
class Entrant:
    """A method with the preset that tunes it, written METHOD or METHOD/PRESET."""

    method: str
    preset: str = "practical"

    @classmethod
    def parse(cls, text: str) -> Entrant:
        method, _, name = text.strip().partition("/")
        if method == "doubling":
            return cls(method, name or "practical")
        if method not in PRESETS:
            raise ParameterError(f"no method {method!r} to race; there are {', '.join([*PRESETS, 'doubling'])}")
        if name and name not in PRESETS[method]:
            raise ParameterError(f"{method}: has no preset {name!r}; it has {', '.join(PRESETS[method])}")
        return cls(method, name or "practical")

    @property
    def label(self) -> str:
        return self.method if self.preset == "practical" else f"{self.method}/{self.preset}"

    def params(self, info: ProblemInfo, n: int) -> Params:
        if self.method == "doubling":
            return DoublingParams("sada", 64, self.preset)
        if self.method == "erm" and n * info.dim > MOST_NUMBERS:
            raise ParameterError(f"erm: {n} rows of {info.dim} numbers do not fit; leave it out or lower --samples")
        return preset(self.method, self.preset, info, n)


RIVALS = ("sada", "asgd", "sgd", "sgd-decay", "streaming-svrg", "root-sgd", "erm")


VARIANTS = (
    "sada",
    "sada/batch-16",
    "sada/parallel-4",
    "sada-ud-printed",
    "sada-ud-corrected",
    "sada-wc-printed",
    "sada-wc-corrected",
)


def entrants(text: str) -> tuple[Entrant, ...]:
    """METHOD or METHOD/PRESET separated by commas; `variants` stands for SADA in all its forms. None comes twice."""
    names = [name.strip() for name in text.split(",")]
    parsed = [Entrant.parse(one) for name in names for one in (VARIANTS if name == "variants" else (name,))]
    return tuple(dict.fromkeys(parsed))


def rivals(problem: Problem) -> tuple[str, ...]:
    """Who races when nobody is named; the second phase where the Hessian is not a multiple of Sigma."""
    return RIVALS if isinstance(problem.loss, Squared) else ("sada", "sada-two-phase", *RIVALS[1:])


@dataclass(frozen=True)
class Outcome:
    """What one entrant reached with n samples of one stream; `error` says why it reached nothing."""

    entrant: str
    n: int
    seed: int
    used: int
    excess: float | None
    error: str | None = None


@dataclass
class _Lane:
    """A run in progress; it moves."""

    entrant: Entrant
    stops: list[tuple[int, int]]  # (samples to have seen, planned n)
    state: State


def risk_of(problem: Problem) -> Callable[[Array], float]:
    """x -> F(x) - F(x*): exact for the squared loss, where F is quadratic; else by quadrature, to four digits."""
    target, sigma = problem.x_star, problem.design.sigma
    if isinstance(problem.loss, Squared):
        scale = 0.5 * problem.loss.L
        return lambda x: scale * float((x - target) @ sigma @ (x - target))
    coarse = problem.estimates.coarse()
    return lambda x: coarse.excess(x, target).value


def run_stream(
    problem: Problem,
    entrants: Sequence[Entrant],
    sizes: Sequence[int],
    seed: int,
    *,
    x0: Array | None = None,
    progress: Callable[[int], None] | None = None,
) -> list[Outcome]:
    """One pass over the stream of `seed`; outcomes in the order of entrants and sizes."""
    info, risk = ProblemInfo.of(problem), risk_of(problem)
    found: dict[tuple[str, int], Outcome] = {}
    lanes = _lanes(info, entrants, sorted(set(sizes)), seed, x0, found)
    reader, seen = Reader(FreshStream(problem, seed), size=BLOCK), 0
    while lanes:
        longest = max(lane.stops[-1][0] for lane in lanes)
        a, b = reader.take(min(BLOCK, longest - seen))
        for lane in lanes:
            _advance(lane, a, b, seed, risk, found)
        lanes = [lane for lane in lanes if lane.stops]
        seen += len(b)
        if progress:
            progress(seen)
    return [found[e.label, n] for e in entrants for n in sizes]


def _lanes(
    info: ProblemInfo,
    entrants: Sequence[Entrant],
    sizes: Sequence[int],
    seed: int,
    x0: Array | None,
    found: dict[tuple[str, int], Outcome],
) -> list[_Lane]:
    lanes = []
    for entrant in entrants:
        groups = [list(sizes)] if entrant.method in WITHOUT_PLAN else [[n] for n in sizes]
        for group in groups:
            try:
                params = entrant.params(info, group[-1])
                method = METHODS[entrant.method]
                state = method.init(info, x0, params)
            except OptimizerError as error:
                found |= {(entrant.label, n): Outcome(entrant.label, n, seed, 0, None, str(error)) for n in group}
                continue
            planned = not isinstance(params, (ErmParams, DoublingParams)) and method.horizon(params)
            lanes.append(_Lane(entrant, [(planned or n, n) for n in group], state))
    return lanes


def _advance(
    lane: _Lane, a: Array, b: Array, seed: int, risk: Callable[[Array], float], found: dict[tuple[str, int], Outcome]
) -> None:
    """Feed the rows up to each stop; at a stop, the risk of the estimate."""
    taken, label = 0, lane.entrant.label
    try:
        while lane.stops and taken < len(b):
            stop, n = lane.stops[0]
            rows = slice(taken, min(len(b), taken + stop - lane.state.seen))
            lane.state, taken = step(lane.state, a[rows], b[rows]), rows.stop
            if lane.state.seen == stop:
                found[label, n] = _measured(label, n, seed, stop, risk(estimate(lane.state)))
                lane.stops.pop(0)
    except (OptimizerError, ValueError, np.linalg.LinAlgError) as error:
        for _, n in lane.stops:
            found[label, n] = Outcome(label, n, seed, lane.state.seen, None, str(error))
        lane.stops.clear()


def _measured(label: str, n: int, seed: int, used: int, value: float) -> Outcome:
    if not np.isfinite(value):
        return Outcome(label, n, seed, used, None, f"{label}: the excess risk is {value} after {used} samples")
    return Outcome(label, n, seed, used, value)
