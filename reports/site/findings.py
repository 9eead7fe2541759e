"""The findings that matter most: those that were chosen (highlights.toml), then the gravest of other statements.

Grave is, in this order: a statement that is false as meant, one that lacks a hypothesis, an algorithm that does not
work as printed, a wrong constant, a slip of the pen. What more of the paper rests on weighs more, a theorem more and a
remark less than a lemma, a wrong step less than a wrong statement.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from reports.mathml.plain import plain
from theory.reading.errata import Erratum
from theory.reading.lines import span

GRAVITY = {
    "AS_PRINTED": 5,
    "UNCOMPARED": 5,
    "WEAKER": 5,
    "EXTRA_HYPOTHESIS": 4,
    "ALGORITHM": 3,
    "CONSTANT": 2,
    "TYPO": 1,
    "SHARPER": 1,
    "OURS": 0,
}
CLASSES = {
    5: "false as stated",
    4: "false as stated, a hypothesis is missing",
    3: "the algorithm needs a correction",
    2: "a wrong constant or factor",
    1: "a slip of the pen",
}
BY_KIND = {"theorem": 2.0, "remark": -1.0, "assumption": -1.0, "algorithm": -1.0, "definition": -1.0}  # against a lemma
STEP = 0.25  # what a step weighs of its gravity
RADIUS = 0.1  # for each later statement that rests on it


@dataclass(frozen=True)
class Finding:
    """The gravest erratum of a statement, with how many more there are."""

    erratum: Erratum
    gravity: int
    others: int
    told: str = ""

    @property
    def sentence(self) -> str:
        """What is wrong, what becomes of it, who is hit: plain words."""
        e = self.erratum
        if self.told:
            return f"{self.told} ({span(e.first_line, e.last_line)})"
        what = f"a step in the proof of {e.title}" if e.is_step else e.title
        parts = [f"{what[:1].upper()}{what[1:]} ({span(e.first_line, e.last_line)}): {CLASSES[self.gravity]}."]
        parts.append(_closed(plain(e.words)) if e.words else f"It fails at {_point(e)}.")
        parts.append(_fate(e))
        hit = [id_ for id_, _ in e.blast_radius]
        if hit:
            parts.append(
                f"{len(hit)} later statement{'s' if len(hit) > 1 else ''} rest{'' if len(hit) > 1 else 's'} on it."
            )
        return " ".join(part for part in parts if part)


def gravity(erratum: Erratum) -> int:
    """By the kind of the repair; a wrong step without a repair of its own counts as a wrong constant."""
    if erratum.is_step and not erratum.repairs:
        return 2
    return max((GRAVITY.get(kind, 1) for kind in erratum.kinds), default=5)


def findings(
    errata: Sequence[Erratum],
    kinds: Mapping[str, str],
    most: int = 10,
    chosen: Mapping[str, str] = MappingProxyType({}),
) -> tuple[Finding, ...]:
    """The chosen ones that are among the errata, then the gravest, `most` in all and one for each statement.

    What no refuted check shows is an erratum and no finding: nobody has said how grave it is.
    kinds   which statements are theorems, lemmas, remarks
    """

    def weight(erratum: Erratum) -> float:
        grave = gravity(erratum) * (STEP if erratum.is_step else 1.0)
        bonus = 0.0 if erratum.is_step else BY_KIND.get(kinds.get(erratum.statement, ""), 0.0)
        return grave + bonus + RADIUS * len(erratum.blast_radius)

    ranked = sorted((e for e in errata if e.shown), key=lambda e: (-weight(e), e.first_line, e.key))
    best: dict[str, Erratum] = {}
    for erratum in ranked:
        best.setdefault(erratum.statement, erratum)
    count = Counter(erratum.statement for erratum in errata)
    by_key = {key: erratum for erratum in ranked for key in erratum.keys}
    first = {by_key[key].statement: (by_key[key], words) for key, words in chosen.items() if key in by_key}
    every = [*first.values(), *((e, "") for e in best.values() if e.statement not in first)]
    return tuple(Finding(e, gravity(e), count[e.statement] - 1, words) for e, words in every[:most])


def _fate(erratum: Erratum) -> str:
    proved = [r for r in erratum.repairs if r.verdict in ("PROVED", "CERTIFIED")]
    if proved:
        words = next((r.words for r in proved if r.words and r.words != erratum.words), "")
        return f"Repaired and proved: {_closed(words)}" if words else "A repaired reading is proved."
    if erratum.is_step:
        return f"The statement itself: {erratum.statement_fate}."
    return "No repair is proved."


def _point(erratum: Erratum) -> str:
    return ", ".join(f"{name} = {value}" for name, value in list(erratum.main.witness.items())[:4])


def _closed(words: str) -> str:
    stripped = words.strip()
    return stripped if stripped.endswith((".", "!", "?")) else f"{stripped}."
