"""Exact covariance dynamics of the inner loop: C_t, bias, Pi_t, layers, their limits, stability and L_var.

Stated error of `covariance` and `core_covariance` with method "auto", relative, block by block in the Frobenius norm:

    T up to 10: 2e-15    up to 10^3: 5e-15    up to 10^6: 5e-14    up to 10^9: 1e-11

times the condition number of Sigma when Sigma is not diagonal, because its eigenvectors are computed in doubles; a
`ConditioningWarning` says how many digits that leaves when they are fewer than ten. The
bias decays by many orders and loses digits on the way: `bias_covariance` is right to T 1e-12 of what is left (times the
same condition number), as long as that is more than 1e-140. Beyond 10^9 steps nothing is stated. `make trust` compares
with the definition in balls on 1,000 random hard instances.

`stability` (the radii of A and B) and `spectral_radius` (that of B) are right to 1e-9 of max(1, radius) or refuse with
an `UndecidedRadiusError`; `python -m bench.radius` compares with fifty digits on thousands of designs and step sizes.
General designs (atoms, data, mixed coordinates) take O(log T) doublings of d(2d + 1) moments while these fit into
`MEMORY_BUDGET`, see `closed_bytes`; beyond it they are stepped.
"""

from .averages import bias_average, core_average, l_var, layer_averages, variance_average
from .dynamics import Layers, Method, bias_covariance, core_covariance, covariance, peel
from .fields import EXTENDED, RATIONAL, Field, balls
from .frame import ConditioningWarning, Frame, PairExcess, frame
from .half_vector import MEMORY_BUDGET, closed_bytes
from .paths import PathMoments, enumerate_paths
from .reference import Definition
from .stability import Stability, UndecidedRadiusError, UnstableDynamicsError, spectral_radius, stability
from .stationary import StationaryLayers, stationary_core, stationary_covariance, stationary_layers

__all__ = [
    "EXTENDED",
    "MEMORY_BUDGET",
    "RATIONAL",
    "ConditioningWarning",
    "Definition",
    "Field",
    "Frame",
    "Layers",
    "Method",
    "PairExcess",
    "PathMoments",
    "Stability",
    "StationaryLayers",
    "UndecidedRadiusError",
    "UnstableDynamicsError",
    "balls",
    "bias_average",
    "bias_covariance",
    "closed_bytes",
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
