"""Eight lessons on the paper: pages that compute in the browser, beside the same numbers from Python."""

from __future__ import annotations

from reports.lessons.model import Choice, Claims, Exercise, Lesson, Picture, Readout, Slider
from reports.lessons.pages import index_page, lesson_page
from reports.lessons.shelf import find, lessons

__all__ = [
    "Choice",
    "Claims",
    "Exercise",
    "Lesson",
    "Picture",
    "Readout",
    "Slider",
    "find",
    "index_page",
    "lesson_page",
    "lessons",
]
