"""Losses l(z, b) with their derivatives, their constants and where the constants hold."""

from .base import Loss
from .piecewise import Poisson, TwoCurvature, TwoCurvatureAsPrinted
from .smooth import Logistic, PseudoHuber, SoftplusQuadratic, Squared
from .user import UserLoss

__all__ = [
    "Logistic",
    "Loss",
    "Poisson",
    "PseudoHuber",
    "SoftplusQuadratic",
    "Squared",
    "TwoCurvature",
    "TwoCurvatureAsPrinted",
    "UserLoss",
]
