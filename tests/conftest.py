"""Properties have no wall-clock limit, and draw the same examples every time unless a test says otherwise.

No judgement is remembered from one test to the next.
"""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings

settings.register_profile(
    "lemmalab",
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
settings.load_profile("lemmalab")
os.environ["LEMMALAB_CACHE"] = os.devnull  # tests judge everything themselves, and leave nothing behind
