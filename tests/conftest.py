"""Properties have no wall-clock limit, and draw the same examples every time unless a test says otherwise."""

from __future__ import annotations

from hypothesis import HealthCheck, settings

settings.register_profile(
    "lemmalab",
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
settings.load_profile("lemmalab")
