"""A lesson as one HTML file: the frame, the policy and the fonts of the report, our own script beside it."""

from __future__ import annotations

import math
import re

from markupsafe import Markup

from reports.charts import STYLE as BARS
from reports.charts import Chart, draw
from reports.page import environment, page
from reports.sada.lessons.model import Exercise, Lesson, Slider
from reports.sada.lessons.prose import paragraphs, prose
from reports.sada.lessons.shelf import MODULES, lessons
from reports.sada.lessons.source import source
from reports.sada.lessons.verdicts import verdict
from reports.sada.lessons.ways import path
from reports.site.words import LABELS, anchor, tone
from theory.ledger.records import Ledger
from theory.reading.numbers import about

REPORT = "../index.html"
_STYLE = re.compile(r"<style>(.*?)</style>", re.S)


def short(value: float | str) -> str:
    """As `show` of lesson.js; what is not a number is a dash."""
    return value if isinstance(value, str) else "–" if value != value else about(float(value))


def _filters(slider: Slider, which: str) -> float:
    value: float = getattr(slider, which)
    return math.log10(value) if slider.log else value


def _inline(svg: str) -> Markup:
    return Markup(_STYLE.sub("", svg))


def _told(one: Exercise) -> str:
    """The right answer in words, for those who open it."""
    if one.choices and one.answer is not None:
        return one.choices[int(one.answer())]
    return short(one.answer()) if one.answer is not None else ""


def lesson_page(lesson: Lesson, report: str = REPORT, ledger: Ledger | None = None) -> str:
    """The whole file; `report` is where the links to claims lead, seen from the page; `ledger` has their evidence."""
    shelf = lessons()
    told = dict(lesson.data())
    tables = {name: Markup(told.pop(f"table:{name}", "")) for name, _ in lesson.tables}
    env = environment().overlay()
    env.filters = env.filters | {
        "prose": prose, "paragraphs": paragraphs, "short": short, "inline": _inline, "anchor": anchor, "tone": tone,
        "label": LABELS.__getitem__, "low": lambda c: _filters(c, "low"), "high": lambda c: _filters(c, "high"),
        "at": lambda c: _filters(c, "start"), "told": _told,
    }  # fmt: skip
    body = env.from_string(source("templates", "lesson.html.j2")).render(
        lesson=lesson,
        shelf=shelf,
        numbers=lesson.numbers(lesson.start),
        pictures=lesson.pictures(),
        tables=tables,
        derivation=path(lesson.derive),
        claims=[(key, words, *verdict(key, ledger)) for key, words in lesson.claims.keys],
        report=report,
        before=next((one for one in shelf if one.number == lesson.number - 1), None),
        after=next((one for one in shelf if one.number == lesson.number + 1), None),
    )
    return page(
        f"{lesson.number}. {lesson.title} – LemmaLab",
        Markup(body),
        script="".join(source("js", f"{name}.js") for name in ("lesson", "exercises", MODULES[lesson.number - 1])),
        style=style(),
        data={
            **told,
            "controls": [control.to_json() for control in lesson.controls],
            "exercises": [one.to_json() for one in lesson.exercises],
        },
        nav=[
            ("index.html", "All lessons"), ("#play", "Figure"), ("#exercises", "Exercises"), ("#seen", "What it shows"),
            ("#derive", "Derivation"), ("#claims", "In the paper"),
        ],
        description=lesson.goal,
    )  # fmt: skip


def index_page() -> str:
    """The list of all lessons."""
    env = environment().overlay()
    env.filters = env.filters | {"prose": prose}
    body = env.from_string(source("templates", "index.html.j2")).render(lessons=lessons())
    nav = [(one.file, str(one.number)) for one in lessons()]
    return page("Lessons – LemmaLab", Markup(body), style=style(), nav=nav, description="Lessons on a paper.")


def style() -> str:
    """The rules of the pictures (light and dark) and of the lessons."""
    sample = _STYLE.findall(draw(Chart("", "", "", ())))
    return "".join(sample) + BARS + source("js", "lesson.css")
