"""Problems: a design, a loss and a label model, with everything the paper defines from them."""

from .constants import Bracket, NoiseConstants
from .discrete_labels import LogisticLabels, PoissonLabels, TabulatedLabels
from .estimate import Estimate, QuadratureError
from .exact import ExactLeastSquares, column
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
    "rademacher_noise",
]
