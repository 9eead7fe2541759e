r"""Truth over bound for every inequality of the inner-loop sections: above 1 the inequality is false at that point.

The truth comes from the dynamics (`numerics.covariance`), never from a lemma; a bound is the printed formula as a
plain function whose printed constants are default arguments, so that a repaired or sharper constant is one argument
away. Scalar ratios take arrays of parameters of one eigendirection, a million points a second; `design_ratios`
evaluates every inequality for a design of any dimension and `ratio_table` does so over a grid.
"""

from . import bounds
from .design import NoiseModel, Ratio, design_ratios, ratio_table
from .scalar import (
    a_power_ratio,
    a_power_worst_ratio,
    bias_energy_ratio,
    bias_ratio,
    layer_ratio,
    pi_average_ratio,
    pi_stationary_ratio,
    stationary_y,
    variance_ratio,
)

__all__ = [
    "NoiseModel",
    "Ratio",
    "a_power_ratio",
    "a_power_worst_ratio",
    "bias_energy_ratio",
    "bias_ratio",
    "bounds",
    "design_ratios",
    "layer_ratio",
    "pi_average_ratio",
    "pi_stationary_ratio",
    "ratio_table",
    "stationary_y",
    "variance_ratio",
]
