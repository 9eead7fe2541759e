"""Exact covariance dynamics of the inner loop: C_t, bias, Pi_t, layers, their limits, stability and L_var.

Stated error of `covariance` and `core_covariance` with method "auto", relative, block by block in the Frobenius norm:

    T up to 10: 2e-15    up to 10^3: 5e-15    up to 10^6: 5e-14    up to 10^9: 1e-11

times the condition number of Sigma when Sigma is not diagonal, because its eigenvectors are computed in doubles. The
bias decays by many orders and loses digits on the way: `bias_covariance` is right to T 1e-12 of what is left (times the
same condition number), as long as that is more than 1e-140. Beyond 10^9 steps nothing is stated. `make trust` compares
with the definition in balls on 1,000 random hard instances.
"""

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
