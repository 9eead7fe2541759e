"""What a derivation is: the object, what it came from, the steps on the way, and where the paper prints it.

Nothing here is believed: `theory.derivation.compare` makes claims of it, and the kernel judges them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from theory.claims.statement import Faithfulness
from theory.kernel import Verdict

Numbers = Mapping[str, Any]


@dataclass(frozen=True)
class Step:
    """One line of a derivation: a word on what is done, and what then stands there (an expression, Eq or Matrix)."""

    label: str
    shows: Any


@dataclass(frozen=True)
class Setting:
    """Under which hypotheses and definitions a claim about the object is made, with a point that satisfies them."""

    given: tuple[str, ...] = ()
    where: Mapping[str, str] = field(default_factory=dict)
    naturals: tuple[str, ...] = ()
    example: Mapping[str, Any] = field(default_factory=dict)
    scope: str = "all parameters that satisfy the hypotheses"


@dataclass(frozen=True)
class Printed:
    """A place where the paper prints the object.

    tex       the fragment, letter by letter as it stands in the display
    names     LaTeX of the fragment that is one name here, beyond the paper's own table
    owner     the statement under which the comparison is kept
    says      how the two are compared, with {derived}, {printed} and the names of `also`
    expect    what the kernel has found; a test fails when it finds something else
    """

    display: str
    tex: str
    owner: str
    setting: Setting = Setting()
    names: Mapping[str, str] = field(default_factory=dict)
    says: tuple[str, ...] = ("{derived} == {printed}",)
    expect: Verdict = Verdict.PROVED
    faithfulness: Faithfulness = Faithfulness.TYPO  # of what is right instead, when this is refuted
    words: str = ""
    part: str = ""  # tells two places in one display apart
    witness: Mapping[str, Any] | None = None


@dataclass(frozen=True)
class Opinion:
    """A third opinion: from numbers, the values of the symbols of `derived`, and the truth found by running."""

    family: str  # which random parameters
    run: Callable[[Numbers], tuple[Numbers, Any]]


@dataclass(frozen=True)
class Derivation:
    """An object of the paper, derived.

    source      what it is derived from, in words
    letter      the name under which `solves` speaks of it
    solves      what the object came from, as relations about `letter`, written without sympy
    also        further expressions that `solves` speaks of, such as the object at k = 0 and at k + 1
    proofs      tactics for `solves`, where the provers need an idea
    hidden      the step that a lesson asks its reader to do
    """

    name: str
    title: str
    source: str
    derived: Any
    steps: tuple[Step, ...]
    letter: str
    solves: tuple[str, ...]
    setting: Setting
    printed: tuple[Printed, ...] = ()
    opinion: Opinion | None = None
    hidden: int = -1
    also: Mapping[str, Any] = field(default_factory=dict)
    proofs: tuple[Any, ...] = ()

    def __post_init__(self) -> None:
        if not self.steps or not self.solves:
            raise ValueError(f"the derivation {self.name} has no steps or nothing that it solves; write both")
