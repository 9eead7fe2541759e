"""Problems: a design, a loss and a label model, with everything the paper defines from them."""

from .constants import Bracket, NoiseConstants
from .discrete_labels import LogisticLabels, PoissonLabels, TabulatedLabels
from .estimate import Estimate, QuadratureError
from .exact import ExactLeastSquares, column
from .inner import InnerProblem, inner_problem, inner_problem_curved, inner_problem_wc, joint_support
from .labels import HeteroscedasticLabels, LabelModel, LinearLabels, NonlinearLabels
from .noise import DiscreteNoise, GaussianNoise, Noise, rademacher_noise
from .problem import Problem

__all__ = [
    "Bracket",
    "DiscreteNoise",
    "Estimate",
    "ExactLeastSquares",
    "GaussianNoise",
    "HeteroscedasticLabels",
    "InnerProblem",
    "LabelModel",
    "LinearLabels",
    "LogisticLabels",
    "Noise",
    "NoiseConstants",
    "NonlinearLabels",
    "PoissonLabels",
    "Problem",
    "QuadratureError",
    "TabulatedLabels",
    "column",
    "inner_problem",
    "inner_problem_curved",
    "inner_problem_wc",
    "joint_support",
    "rademacher_noise",
]
