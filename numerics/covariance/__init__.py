"""Exact covariance dynamics of the inner loop: C_t, bias, Pi_t, layers, their limits, stability and L_var."""

from .averages import bias_average, core_average, l_var, layer_averages, variance_average
from .dynamics import Layers, Method, bias_covariance, core_covariance, covariance, peel
from .fields import EXTENDED, RATIONAL, Field, balls
from .frame import Frame, PairExcess, frame
from .paths import PathMoments, enumerate_paths
from .reference import Definition
from .stability import Stability, UnstableDynamicsError, spectral_radius, stability
from .stationary import StationaryLayers, stationary_core, stationary_covariance, stationary_layers

__all__ = [
    "EXTENDED",
    "RATIONAL",
    "Definition",
    "Field",
    "Frame",
    "Layers",
    "Method",
    "PairExcess",
    "PathMoments",
    "Stability",
    "StationaryLayers",
    "UnstableDynamicsError",
    "balls",
    "bias_average",
    "bias_covariance",
    "core_average",
    "core_covariance",
    "covariance",
    "enumerate_paths",
    "frame",
    "l_var",
    "layer_averages",
    "peel",
    "spectral_radius",
    "stability",
    "stationary_core",
    "stationary_covariance",
    "stationary_layers",
    "variance_average",
]
