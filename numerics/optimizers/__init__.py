"""SADA, its variants and its rivals behind one interface: `init`, `step`, `estimate`, `run`.

info = ProblemInfo.of(problem)
method = METHODS["sada"]
state = method.init(info, x0, preset("sada", "practical", info, n))
state = step(state, a_block, b_block)          # any block size, the same bits
x = estimate(state)

result = run("sada", stream, info=info, record=(100, 1000, 10000))
"""

from .info import ProblemInfo
from .params import (
    AsgdParams,
    DoublingParams,
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
from .presets import PRESETS, preset
from .registry import METHODS, estimate, find, step
from .run import Result, resume, run
from .state import Method, State
from .trace import Trace, trace

__all__ = [
    "METHODS",
    "PRESETS",
    "AsgdParams",
    "DoublingParams",
    "ErmParams",
    "InnerSteps",
    "Method",
    "Params",
    "ProblemInfo",
    "Result",
    "RootParams",
    "SadaParams",
    "SadaTwoPhaseParams",
    "SadaUDParams",
    "SadaWCParams",
    "SgdParams",
    "State",
    "StepDecayParams",
    "SvrgParams",
    "Trace",
    "estimate",
    "find",
    "preset",
    "resume",
    "run",
    "step",
    "trace",
]
