"""What a lesson is: words, controls, numbers, pictures, exercises. One module a lesson gives one of these."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

Values = Mapping[str, Any]
Numbers = Mapping[str, float | str]


@dataclass(frozen=True)
class Slider:
    """A number to move; `log` moves its logarithm by hundredths, `whole` keeps it a multiple of `step`."""

    name: str
    label: str
    low: float
    high: float
    start: float
    step: float = 0.01
    log: bool = False
    whole: bool = False

    def __post_init__(self) -> None:
        if not self.low <= self.start <= self.high or (self.log and self.low <= 0):
            raise ValueError(f"slider {self.name}: start = {self.start} outside [{self.low}, {self.high}]; move it")

    def to_json(self) -> dict[str, Any]:
        return {k: getattr(self, k) for k in ("name", "low", "high", "start", "step", "log", "whole")}


@dataclass(frozen=True)
class Choice:
    """One of a few words; the first is where it starts."""

    name: str
    label: str
    options: tuple[tuple[str, str], ...]

    @property
    def start(self) -> str:
        return self.options[0][0]

    def to_json(self) -> dict[str, Any]:
        return {"name": self.name, "start": self.start, "options": [value for value, _ in self.options]}


@dataclass(frozen=True)
class Readout:
    """A number that the page shows; `name` is its key in what `Lesson.numbers` returns."""

    name: str
    label: str
    wide: bool = False


@dataclass(frozen=True)
class Picture:
    """A picture at the start of the lesson; the script draws a live one in its place (same id)."""

    id: str
    svg: str
    caption: str


@dataclass(frozen=True)
class Exercise:
    """A question with an answer that Python computes; `choices` makes it one of several words (answers 0, 1, …)."""

    question: str
    answer: Callable[[], float]
    hint: str
    solution: str
    tolerance: float = 0.01
    choices: tuple[str, ...] = ()


@dataclass(frozen=True)
class Claims:
    """Where the lesson stands in the paper: ids of statements or keys of checks, with a word on each."""

    keys: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Lesson:
    """`numbers(values)` is what Python says for any position of the controls; tests hold the page to it.

    before, after   paragraphs around the part that moves; $…$ and $$…$$ are LaTeX, `…` is code, **…** is bold
    data            what the script needs beside the controls
    derive          the name of a derivation to be done by the reader, with one step hidden
    """

    number: int
    slug: str
    title: str
    goal: str
    before: tuple[str, ...]
    controls: tuple[Slider | Choice, ...]
    readouts: tuple[Readout, ...]
    numbers: Callable[[Values], Numbers]
    pictures: Callable[[], tuple[Picture, ...]]
    after: tuple[str, ...]
    exercises: tuple[Exercise, ...]
    claims: Claims
    buttons: tuple[tuple[str, str], ...] = ()
    data: Callable[[], Mapping[str, Any]] = field(default=dict)
    tables: tuple[tuple[str, str], ...] = ()
    derive: str = ""

    @property
    def file(self) -> str:
        return f"{self.number}-{self.slug}.html"

    @property
    def start(self) -> dict[str, Any]:
        return {control.name: control.start for control in self.controls}


@dataclass(frozen=True)
class Shelf:
    """All lessons of a paper, as `lemmalab teach` uses them."""

    lessons: Callable[[], tuple[Lesson, ...]]
    find: Callable[[str], Lesson]
    page: Callable[..., str]
    index: Callable[[], str]
