"""Data distributions with exact second and fourth moments."""

from .base import Design
from .coordinates import GAUSSIAN, LAPLACE, RADEMACHER, UNIFORM, Coordinate, sparse, with_kurtosis
from .elliptical import Gaussian
from .empirical import Empirical
from .exact import ExactMoments
from .finite import FiniteSupport
from .independent import IndependentCoordinates
from .mixtures import Elliptical, ScaleMixture, StudentT
from .onehot import OneHot
from .tables import Table, read_table

__all__ = [
    "GAUSSIAN",
    "LAPLACE",
    "RADEMACHER",
    "UNIFORM",
    "Coordinate",
    "Design",
    "Elliptical",
    "Empirical",
    "ExactMoments",
    "FiniteSupport",
    "Gaussian",
    "IndependentCoordinates",
    "OneHot",
    "ScaleMixture",
    "StudentT",
    "Table",
    "read_table",
    "sparse",
    "with_kurtosis",
]
