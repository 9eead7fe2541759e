"""The waterfall of the theorem's constant, read from `theory.composition` where that exists."""

from __future__ import annotations

import importlib
import importlib.util
from types import ModuleType

from reports.site.tables import Section

ABSENT = "The composition of the theorem's constants is not available in this version, so that no waterfall is shown."


def composition() -> ModuleType | None:
    return importlib.import_module("theory.composition") if importlib.util.find_spec("theory.composition") else None


def waterfall_section() -> Section | None:
    """None when there is no composition."""
    return None
