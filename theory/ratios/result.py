"""What is known of truth over bound: observations of designs, readings of claims, one result for each statement."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

COLUMNS = (
    "statement", "check", "reading", "from", "trials", "designs", "median", "worst", "low", "high", "worst at",
    "fails", "no data",
)  # fmt: skip


@dataclass(frozen=True)
class Observation:
    """What the paper's quantity is for one design, to be divided by the bound that a check claims for it.

    key       the check; `goal` counts its relations, and `over` names a factor that both sides of it carry
    setting   what of the design is varied: a length, a layer; not counted as another design
    truth     the quantity, by computation or simulation that does not use the bound; `spread` its 95% interval
    values    numbers for the names of the claim, or for parts of its right side as it writes them; columns as lists
    curve     the name of a curve that this is a point of, at the parameter `at` = (name, value)
    right     the right side as well, computed apart, where the claim speaks of matrices of every size
    counts    False for what is drawn beside the bound but is not what the statement speaks of
    """

    key: str
    design: str
    truth: float
    values: Mapping[str, Any]
    goal: int = 0
    setting: str = ""
    over: str = ""
    spread: tuple[float, float] | None = None
    curve: str = ""
    at: tuple[str, float] | None = None
    right: float | None = None
    counts: bool = True

    @property
    def where(self) -> str:
        return f"{self.design}, {self.setting}" if self.setting else self.design


@dataclass(frozen=True)
class Curve:
    """Truth over one bound along a parameter; None where there is no value."""

    name: str
    key: str
    parameter: str
    x: tuple[float, ...]
    ratio: tuple[float | None, ...]
    low: tuple[float | None, ...] = ()
    high: tuple[float | None, ...] = ()


@dataclass(frozen=True)
class Reading:
    """Truth over the bound of one check, from one source.

    source    "designs" or "points"; `trials` counts the values that count, `designs` the different designs
    where     the design or point of the worst value; `spread` the 95% interval there when it was simulated
    fails     a witness that the kernel accepts, or a design, has a ratio above 1; `witness` is that point
    missing   why there is no data, or what was left out
    names     the designs; `values` every value with its design and setting
    simulated the values that are means of runs: where, ratio, and the ends of its 95% interval
    """

    key: str
    kind: str
    source: str
    op: str
    trials: int = 0
    designs: int = 0
    median: float | None = None
    worst: float | None = None
    where: str = ""
    spread: tuple[float, float] | None = None
    fails: bool = False
    witness: dict[str, Any] | None = None
    at_witness: float | None = None
    missing: str = ""
    names: tuple[str, ...] = ()
    values: tuple[tuple[str, float], ...] = field(default=(), repr=False)
    simulated: tuple[tuple[str, float, float, float], ...] = ()

    @property
    def worst_known(self) -> float | None:
        """Of the values and of the witness; of an identity, the ratio farthest from 1."""
        known = [v for v in (self.worst, self.at_witness) if v is not None]
        return max(known, key=lambda v: away(self.op, v), default=None)

    def to_json(self) -> dict[str, Any]:
        body = {k: v for k, v in asdict(self).items() if k not in ("values", "names")}
        return body | {"worst_known": self.worst_known}


def away(op: str, ratio: float) -> float:
    return abs(ratio - 1) if op == "==" else ratio


def _part(key: str) -> str:
    part = key.partition("#")[2]
    return "" if part == "in numbers" else part


@dataclass(frozen=True)
class Result:
    """One statement: every reading of it that has a ratio, and what it depends on.

    what      "bound", "identity", or "nothing" where no reading claims either
    """

    id: str
    title: str
    kind: str
    what: str
    readings: tuple[Reading, ...]
    curves: tuple[Curve, ...] = ()

    @property
    def data(self) -> list[Reading]:
        return [r for r in self.readings if r.worst_known is not None]

    def best(self, kind: str) -> Reading | None:
        """Of the readings of one kind the one that fails most, else comes closest; designs speak before points.

        A part (after #) speaks for the statement only where no reading of the whole has data; every sharper one does.
        The whole "in numbers" is the whole.
        """
        if kind == "repaired" and (whole := self.best("as printed")) and not _part(whole.key) and not whole.fails:
            return None  # the whole stands as printed; what is repaired is a part
        found = [r for r in self.data if r.kind == kind]
        found = [r for r in found if not _part(r.key) or kind == "sharper"] or found
        found = [r for r in found if r.fails] or [r for r in found if r.source == "designs"] or found
        return max(found, key=lambda r: away(r.op, r.worst_known or 0.0), default=None)

    @property
    def shown(self) -> Reading | None:
        """What the statement is summed up by: as printed, else repaired, else sharper."""
        return next((r for kind in ("as printed", "repaired", "sharper") if (r := self.best(kind))), None)

    @property
    def fails(self) -> bool:
        """Whether the bound as printed fails, at a design or at a witness that the kernel accepts."""
        printed = self.best("as printed")
        return printed is not None and printed.fails

    @property
    def trials(self) -> int:
        return sum(r.trials for r in self.readings)

    @property
    def designs(self) -> int:
        return len({name for r in self.readings for name in r.names})

    @property
    def worst(self) -> float | None:
        return self.shown.worst_known if self.shown else None

    @property
    def worst_at(self) -> str:
        return self.shown.where if self.shown else ""

    def to_json(self) -> dict[str, Any]:
        kinds = list(dict.fromkeys(r.kind for r in self.data))
        return {
            "id": self.id,
            "title": self.title,
            "kind": self.kind,
            "what": self.what,
            "bounds": kinds,
            "trials": self.trials,
            "designs": self.designs,
            "worst": self.worst,
            "worst_design": self.worst_at,
            "fails": self.fails,
            "no_data": "" if self.data else "; ".join(dict.fromkeys(r.missing for r in self.readings if r.missing)),
            "readings": [r.to_json() for r in self.readings],
            "curves": [asdict(c) for c in self.curves],
        }


def as_rows(results: Sequence[Result]) -> Iterator[tuple[Any, ...]]:
    """One row for each reading, in the order of COLUMNS; what is not known is empty."""
    for result in results:
        for r in result.readings:
            low, high = r.spread or ("", "")
            numbers = ["" if v is None else v for v in (r.median, r.worst_known)]
            yield (
                result.id, r.key, r.kind, r.source, r.trials, r.designs, *numbers, low, high, r.where,
                "yes" if r.fails else "no", r.missing,
            )  # fmt: skip
