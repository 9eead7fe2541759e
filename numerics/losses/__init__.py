"""Losses l(z, b) with their derivatives, their constants and where the constants hold."""

from .base import Loss
from .piecewise import Poisson, TwoCurvature, TwoCurvatureAsPrinted, huber
from .smooth import Logistic, PseudoHuber, SmoothQuantile, SoftplusQuadratic, Squared
from .user import UserLoss

__all__ = [
    "Logistic",
    "Loss",
    "Poisson",
    "PseudoHuber",
    "SmoothQuantile",
    "SoftplusQuadratic",
    "Squared",
    "TwoCurvature",
    "TwoCurvatureAsPrinted",
    "UserLoss",
    "huber",
]
