"""What a lesson is: one idea, a figure with its controls, a derivation, exercises. One module gives one."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np

Values = Mapping[str, Any]
Numbers = Mapping[str, float | str]
Kind = Literal["Predict", "Derive", "Break it"]
POINTS = 6  # places at which a formula is compared


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
class Formula:
    """What a reader types in letters; equal to `of` means equal at every one of `points`, not equal as a string.

    letters   (how it is typed, how it is shown); Greek may also be typed as Greek
    of        the right answer as a function of the letters, in their order
    typed     the right answer as a reader may type it
    """

    letters: tuple[tuple[str, str], ...]
    of: Callable[..., float]
    typed: str

    def points(self) -> list[list[float]]:
        """The same every time, away from 0 and 1, where different formulas meet."""
        draws = np.random.default_rng(7).uniform(0.2, 0.9, (POINTS, len(self.letters)))
        return [[round(float(x), 3) for x in row] for row in draws]

    def to_json(self) -> dict[str, Any]:
        points = self.points()
        letters = [list(pair) for pair in self.letters]
        return {"letters": letters, "points": points, "values": [float(self.of(*row)) for row in points]}


@dataclass(frozen=True)
class Exercise:
    """A question and what counts as right: a number, a choice, a formula, or a position of the controls.

    kind      Predict before moving anything, Derive a formula, Break it by finding a place
    answer    a number, or the index of the right one of `choices`
    formula   what is to be typed in letters
    broken    true of the positions that count; the lesson's script has the same test under the name "broken"
    example   a position: where "Show me" leads; for `broken` one that counts
    """

    kind: Kind
    question: str
    hint: str
    solution: str
    answer: Callable[[], float] | None = None
    tolerance: float = 0.01
    choices: tuple[str, ...] = ()
    formula: Formula | None = None
    broken: Callable[[Values], bool] | None = None
    example: Values = field(default_factory=dict)

    def __post_init__(self) -> None:
        if sum(way is not None for way in (self.answer, self.formula, self.broken)) != 1:
            raise ValueError(f"exercise {self.question[:40]!r}: give one of answer, formula, broken")

    def to_json(self) -> dict[str, Any]:
        told: dict[str, Any] = {"kind": self.kind, "example": dict(self.example)}
        if self.formula is not None:
            return {**told, "formula": self.formula.to_json()}
        if self.answer is None:
            return {**told, "broken": True}
        return {**told, "answer": self.answer(), "tolerance": 0 if self.choices else self.tolerance}


@dataclass(frozen=True)
class Claims:
    """Where the lesson stands in the paper: ids of statements or keys of checks, with a word on each."""

    keys: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Derivation:
    """The lesson's derivation: a derived object, the step left to the reader, letters set as the paper does.

    lines   (words, LaTeX), for a derivation that the lesson brings itself
    told    (words, LaTeX) for each derived step, as people write it; an empty one is shown as derived
    """

    name: str
    hidden: int
    words: str
    letters: tuple[tuple[str, str], ...] = ()
    first: int = 0
    lines: tuple[tuple[str, str], ...] = ()
    told: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class Lesson:
    """`numbers(values)` is what Python says for any position of the controls; tests hold the page to it.

    needs           what a reader should have met, in a few words each
    before, after   paragraphs around the part that moves; $…$ and $$…$$ are LaTeX, `…` is code, **…** is bold
    data            what the script needs beside the controls
    leads           a sentence on what comes next
    """

    number: int
    slug: str
    title: str
    goal: str
    needs: tuple[str, ...]
    before: tuple[str, ...]
    controls: tuple[Slider | Choice, ...]
    readouts: tuple[Readout, ...]
    numbers: Callable[[Values], Numbers]
    pictures: Callable[[], tuple[Picture, ...]]
    after: tuple[str, ...]
    derive: Derivation
    exercises: tuple[Exercise, ...]
    claims: Claims
    leads: str
    buttons: tuple[tuple[str, str], ...] = ()
    data: Callable[[], Mapping[str, Any]] = field(default=dict)
    tables: tuple[tuple[str, str], ...] = ()

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
