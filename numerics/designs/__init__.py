"""Data distributions with exact second and fourth moments."""

from .base import Design
from .elliptical import Elliptical, Gaussian, ScaleMixture, StudentT
from .exact import ExactMoments
from .finite import FiniteSupport

__all__ = ["Design", "Elliptical", "ExactMoments", "FiniteSupport", "Gaussian", "ScaleMixture", "StudentT"]
