"""Formulas of claims as lines of text in the letters of the paper: kt <= R2/mu is κ̃ ≤ R²/μ."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from reports.site.told import Told
    from theory.kernel import Claim
    from theory.project import Project

NAME = re.compile(r"(?<![\w.])[^\W\d]\w*", re.ASCII)
POWER = re.compile(r"(?:\*\*|\^)(\d+)")
SIGNS = {"<=": "≤", ">=": "≥", "==": "=", "!=": "≠", "<<": "⪯", "-": "−", "*": "·", "**": "^", "@": "", ".T": "ᵀ"}
SIGN = re.compile(r"\s*@\s*|\.T\b|<=|>=|==|!=|<<|\*\*?|(?<![^\W\d])-(?=[\w( ])")
SUM = re.compile(r"(?<=[^\s(\[^_,;])([+−])(?=[^\s)])")  # between two terms
CALL = re.compile(r"(?<=[\w)̃])(tr|exp|max|min) ?\(")
POWERS = "⁰¹²³⁴⁵⁶⁷⁸⁹"
BESIDE = frozenset(f"+−*·/^<>=≤≥≠⪯()[],ᵀ{POWERS}")
PLURALS = {
    "real": "numbers", "vector": "vectors", "matrix": "matrices", "symmetric": "symmetric matrices",
    "psd": "positive semidefinite matrices", "pd": "positive definite matrices", "sample": "one of all draws",
}  # fmt: skip


class Code:
    """As it is executed."""

    known = False

    def relation(self, source: str) -> str:
        return source

    def definition(self, name: str, formula: str) -> str:
        return f"{name} = {formula}"

    def name(self, name: str) -> str:
        return name

    def kinds(self, claim: Claim) -> Iterator[str]:
        """One line a kind, with the letters of that kind."""
        for kind, names in _by_kind(claim):
            yield f"{', '.join(names)}: {kind}"

    def line(self, text: str) -> str:
        """A line of a proof."""
        return text


class Letters(Code):
    """In the letters of the paper; what cannot be set in them has its names and signs replaced one by one."""

    known = True

    def __init__(self, told: Told) -> None:
        from reports.mathml.letters import GREEK

        self.told, self._greek = told, frozenset(GREEK)
        self._names: dict[str, str] = {}

    def relation(self, source: str) -> str:
        return self._set(self.told.relation(source, longest=10_000)) or self.line(source)

    def definition(self, name: str, formula: str) -> str:
        return self._set(self.told.definition(name, formula)) or f"{self.line(name)} = {self.line(formula)}"

    def name(self, name: str) -> str:
        if name not in self._names:
            told = re.sub(r"[_^]?\(?⋅(?:, ?⋅)*\)?", "", self._set(self.told.name(name))) or name
            self._names[name] = f"{told}/2" if name in self.told.halved and "/" not in told else told
        return self._names[name]

    def kinds(self, claim: Claim) -> Iterator[str]:
        paths = {name for name, kind in claim.kinds if kind.startswith("history")}
        defined = {head.partition("[")[0] for head, _ in claim.steps} | paths
        for kind, names in _by_kind(claim):
            free = [self.name(name) for name in names if name not in defined]
            if free:
                yield f"{', '.join(free)}: {kind_words(kind, paths)}"

    def line(self, text: str) -> str:
        return NAME.sub(self._within, SIGN.sub(_sign, POWER.sub(_power, text)))

    def _within(self, found: re.Match[str]) -> str:
        """A name of a formula, and not a word of the sentence around it."""
        name, before, after = found[0], found.string[: found.start()].rstrip(), found.string[found.end() :].lstrip()
        beside = BESIDE - {","} if len(name) > 2 else BESIDE  # a longer one may be a word
        formula = name in self._greek or after[:1] in beside or before[-1:] in beside
        if not formula or name not in self.told.notation.glyphs:
            return name
        told = self.name(name)
        return f"({told})" if "/" in told or (after[:1] in POWERS and not told.isalpha()) else told

    @staticmethod
    def _set(latex: str) -> str:
        from reports.mathml.plain import maths

        return re.sub(r" {2,}", " ", CALL.sub(r" \1(", SUM.sub(r" \1 ", maths(latex)))).strip() if latex else ""


CODE = Code()


def letters_of(claim: Claim, project: Project) -> Code:
    """Of a paper that declares its symbols; a file of lemmas has its own names."""
    from reports.site.told import told_of

    return Letters(told_of(claim, project.notation)) if project.notation.glyphs else CODE


def point_text(point: Mapping[str, Any], letters: Code = CODE) -> str:
    return ", ".join(_at_a_point(letters.name(name), value) for name, value in sorted(point.items()))


def _at_a_point(name: str, value: Any) -> str:
    if isinstance(value, dict) and value.keys() == {"of", "is"}:
        return f"{name}({value['of']}) = {value['is']}"
    return f"{name} = {_value(value)}"


def kind_words(kind: str, paths: set[str]) -> str:
    """vector(d)[nat, H] in words: vectors of size d, for every count and draw."""
    base, _, index = kind.partition("[")
    name, _, sizes = base.partition("(")
    size = f" of size {sizes[:-1].replace('*', '').replace(', ', ' × ')}" if sizes and name != "sample" else ""
    what = PLURALS.get(name, name) + size
    return f"{what}, {_depends(index[:-1], paths)}" if index else what


def _depends(index: str, paths: set[str]) -> str:
    words = {"nat": "count", "S": "sample"} | dict.fromkeys(paths, "draw")
    each = [words.get(one, "point" if one.startswith("vector") else one) for one in index.split(", ")]
    return f"for every {' and '.join(dict.fromkeys(each))}"


def _by_kind(claim: Claim) -> Iterator[tuple[str, list[str]]]:
    for kind in dict.fromkeys(kind for _, kind in claim.kinds):
        yield kind, [name for name, other in claim.kinds if other == kind]


def _value(value: Any) -> str:
    if not isinstance(value, list):
        return str(value)
    if len(value) > 8 and all(one == value[0] for one in value):
        return f"[{_value(value[0])}, {len(value)} times]"
    return f"[{', '.join(map(_value, value))}]"


def _power(found: re.Match[str]) -> str:
    return found[1].translate(str.maketrans("0123456789", POWERS))


def _sign(found: re.Match[str]) -> str:
    return " " if "@" in found[0] else SIGNS[found[0]]
