"""Ten lessons on the paper: pages that compute in the browser, beside the same numbers from Python."""

from __future__ import annotations

from reports.sada.lessons.model import Choice, Claims, Exercise, Lesson, Picture, Readout, Shelf, Slider
from reports.sada.lessons.pages import index_page, lesson_page
from reports.sada.lessons.shelf import find, lessons

SHELF = Shelf(lessons, find, lesson_page, index_page)

__all__ = [
    "SHELF",
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
