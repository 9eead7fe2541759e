"""Files of the lessons: scripts, the style sheet, templates, recorded runs."""

from __future__ import annotations

from functools import lru_cache
from importlib.resources import files


@lru_cache(maxsize=32)
def source(folder: str, name: str) -> str:
    """The text of js/NAME, data/NAME or templates/NAME."""
    return files("reports.sada").joinpath("lessons", folder, name).read_text(encoding="utf-8")
