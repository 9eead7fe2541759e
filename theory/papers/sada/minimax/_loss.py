"""The loss l_delta of the minimax section, branch by branch, and its exact consequences for Gaussian data.

huber(z) = z^2/2 - max(|z| - delta, 0)^2/2; the corrected loss is mu_l z^2/2 + (L_l - mu_l) huber(z).
"""

from __future__ import annotations

CURVED = ("mul > 0", "Ll >= mul", "delta > 0")
CURVED_EXAMPLE = {"mul": "1", "Ll": "2", "delta": "1"}

RIGHT = "mul*z**2/2 + (Ll-mul)*delta*z - (Ll-mul)*delta**2/2"  # printed for z > delta and for z < -delta
LEFT = "mul*z**2/2 - (Ll-mul)*delta*z - (Ll-mul)*delta**2/2"  # what the branch z < -delta must be


def corrected(z: str) -> str:
    """l_delta(z) with the sign of delta*z corrected for z < -delta, as one formula."""
    return f"(mul*({z})**2/2 + (Ll-mul)*(({z})**2/2 - max(abs({z})-delta, 0)**2/2))"


def slope(z: str) -> str:
    """The derivative of the corrected loss."""
    return f"(mul*({z}) + (Ll-mul)*max(-delta, min({z}, delta)))"


# n > d + 1 samples: E tr(Sigma Sigma_n^-1) = n d/(n-d-1) for Gaussian data (inverse Wishart)
SAMPLES = ("d >= 1", "n >= d + 2")
INVERSE_WISHART = "n*d/(n-d-1)"
