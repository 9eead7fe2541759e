r"""Citations: labels that exist, letters over signs that are explained, hypotheses that a cited lemma needs.

Whether a cited statement speaks of what the step is about is asked too: none of the names on its left side occurs in
the step that credits it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from theory.detectors.formula import chains, normal
from theory.detectors.scan import flat, formulas, home, inlines, name_of, names
from theory.detectors.text import Block, Text
from theory.project import Project
from theory.reading.errata import Finding, Severity

LETTER = re.compile(r"\\(?:stackrel|overset)\s*\{\s*\(?([a-z]|[ivx]+)\)?\s*\}\s*\{")
REF = re.compile(r"\\(?:[Cc]ref|eqref|ref|autoref|nameref|vref|labelcref|pageref)\*?\s*\{([^{}]*)\}")
SEVERAL = re.compile(r"\\(?:[Cc]ref|labelcref)")  # these take several labels at once
BARE = re.compile(r"(?<!\()\\ref\s*\{([^{}]*)\}")
TERM = re.compile(r"Term\s*~?\(([A-Z])\)")
GIVEN = re.compile(
    r"\b(?:suppose|assume|under|let)\b[^.$]*?assumptions?((?:[~,\s]|and|\\[cC]?ref\*?\{[^{}]*\}|hold\w*)+)", re.I
)
CREDIT = re.compile(
    r"\b(?:by|apply|applying|using|from)\s+(?:the\s+)?(?:lemma|theorem|proposition|corollary)[~\s]*"
    r"\\[cC]?ref\*?\{([^{}]*)\}(?:\s*,)?\s*(?:we\s+(?:have|obtain|get))?\s*:?\s*,?$",
    re.IGNORECASE,
)
VERSION = re.compile(r"version\s+of\s+\w+[~\s]*\\[cC]?ref\*?\{([^{}]*)\}", re.IGNORECASE)


def citations(project: Project, text: Text) -> Iterator[Finding]:
    if not text.worded:
        return
    yield from labels(text)
    yield from unbracketed(text)
    yield from explained(text)
    yield from labelled_terms(text)
    yield from versions(text)
    yield from hypotheses(project, text)
    yield from credited(project, text)


def _refers(words: str) -> list[str]:
    """Labels that are referred to."""
    given = [
        label for one in REF.finditer(words) for label in (one[1].split(",") if SEVERAL.match(one[0]) else [one[1]])
    ]
    return [label.strip() for label in given if label.strip()]


def labels(text: Text) -> Iterator[Finding]:
    """Labels that nobody sets, and labels that are set twice."""
    every = [(label, block) for block in text.blocks for label in block.labels]
    count = Counter(label for label, _ in every)
    for label, block in dict(reversed(every)).items():
        if count[label] > 1:
            words = f"The label {label} is set {count[label]} times."
            yield Finding(
                "citations", "label-twice", block.where, block.line, Severity.PEN, words, rf"\label{{{label}}}"
            )
    for block in text.blocks:
        for label in dict.fromkeys(_refers(block.latex)):
            if label not in count:
                words = f"The label {label} does not exist."
                yield Finding(
                    "citations", "no-label", block.where, block.line, Severity.PEN, words, rf"\ref{{{label}}}"
                )


def unbracketed(text: Text) -> Iterator[Finding]:
    """An equation that is referred to as a section is, by its number without brackets."""
    numbered = {label for block in text.blocks if block.display for label in block.labels}
    for block in text.blocks:
        for found in BARE.finditer(block.latex):
            if found[1] in numbered:
                words = "The number of an equation stands without its brackets."
                better = rf"\eqref{{{found[1]}}}"
                at = (block.where, block.line)
                yield Finding("citations", "unbracketed", *at, Severity.PEDANTIC, words, rf"\ref{{{found[1]}}}", better)


def explained(text: Text) -> Iterator[Finding]:
    """Each letter over a sign is explained after its display, and each explained letter stands there."""
    for at, block in enumerate(text.blocks):
        used = LETTER.findall(block.latex) if block.display else []
        if not used:
            continue
        told = [letter for words in _after(text, at) for letter in LETTER.findall(words)]
        silent = [letter for letter in dict.fromkeys(used) if letter not in told]
        idle = [letter for letter in dict.fromkeys(told) if letter not in used]
        if idle:
            listed = ", ".join(f"${letter}$" for letter in used)
            words = f"The display has {listed} over its signs; the text explains {', '.join(f'${x}$' for x in told)}."
            yield Finding(
                "citations", "marks", block.where, block.line, Severity.PEN, words, _signs(used), _signs(told)
            )
        elif silent:
            words = f"The letter {', '.join(f'${x}$' for x in silent)} over a sign is nowhere explained."
            yield Finding("citations", "unexplained", block.where, block.line, Severity.PEDANTIC, words, _signs(silent))


def _after(text: Text, at: int) -> Iterator[str]:
    """The words after a display up to the next one with letters, within its proof or statement."""
    for block in text.blocks[at + 1 :]:
        if home(block) != home(text.blocks[at]) or (block.display and LETTER.search(block.latex)):
            return
        if not block.display:
            yield block.latex


def _signs(letters: list[str]) -> str:
    return r",\ ".join(rf"\stackrel{{{letter}}}{{\leq}}" for letter in letters)


def labelled_terms(text: Text) -> Iterator[Finding]:
    """Term (C) in the words, and no display that has a Term (C)."""
    shown = {letter for block in text.blocks if block.display for letter in TERM.findall(block.latex)}
    for block in (one for one in text.blocks if not one.display):
        for letter in dict.fromkeys(TERM.findall(block.latex)):
            if letter not in shown:
                words = f"No display has a Term ({letter})."
                yield Finding("citations", "no-term", block.where, block.line, Severity.PEN, words, f"Term ({letter})")


def versions(text: Text) -> Iterator[Finding]:
    """A lemma that is the full version of itself."""
    for block in (one for one in text.blocks if not one.display):
        for found in VERSION.finditer(block.latex):
            start = max(block.latex.rfind(".", 0, found.start()), 0)
            if found[1] in _refers(block.latex[start : found.start()]):
                words = f"{found[1]} is called a version of itself."
                yield Finding("citations", "version-of-itself", block.where, block.line, Severity.PEN, words, found[0])


def hypotheses(project: Project, text: Text) -> Iterator[Finding]:
    """A statement lists its assumptions; its proof cites another one, or a lemma that lists another one."""
    assumed = {one.label: one.id for one in project.paper.statements if one.kind == "assumption" and one.label}
    listed = dict(_listed(text, assumed))
    by_label = {one.label: one for one in project.paper.statements if one.label}
    owners = {int(d.proof.removeprefix("proof@")): d.statement for d in project.paper.displays if d.proof}
    for block in (one for one in text.blocks if one.proof in owners and not one.display):
        owner = project.paper.statement(owners[block.proof])
        own = listed.get(owner.first_line)
        if not own:
            continue
        for label in dict.fromkeys(_refers(block.latex)):
            cited = by_label.get(label)
            needed = (
                {label} if label in assumed else listed.get(cited.first_line, set()) if cited is not None else set()
            )
            for missing in sorted(needed - own):
                why = "uses it" if label in assumed else f"cites {label}, which assumes it"
                words = f"The statement does not list {missing}; its proof {why}."
                shown = rf"\ref{{{label}}}"
                yield Finding(
                    "citations",
                    "unlisted",
                    owner.id,
                    block.line,
                    Severity.HYPOTHESIS,
                    words,
                    shown,
                    rf"\ref{{{missing}}}",
                )


def _listed(text: Text, assumed: dict[str, str]) -> Iterator[tuple[int, set[str]]]:
    for block in text.blocks:
        if block.statement >= 0 and block.proof < 0 and not block.display:
            found = {label for part in GIVEN.findall(block.latex) for label in _refers(part)} & set(assumed)
            if found:
                yield block.statement, found


def credited(project: Project, text: Text) -> Iterator[Finding]:
    """We apply Lemma X, and a display that speaks of nothing that Lemma X bounds."""
    subjects = dict(_subjects(project, text))
    for block, following in zip(text.blocks, text.blocks[1:], strict=False):
        said = CREDIT.search(block.latex.strip()) if not block.display and following.display else None
        wanted = subjects.get(said[1], set()) if said is not None else set()
        if said is None or not wanted or not chains(following.latex):
            continue
        shown = {one.key for one in names(following.latex)} | {
            one.key for f in inlines(block.latex) for one in names(f)
        }
        if wanted.isdisjoint(shown):
            words = f"The step is credited to {said[1]}, but nothing that {said[1]} bounds occurs in it."
            likely = [label for label, keys in subjects.items() if keys and _same_left(project, text, label, following)]
            better = rf"\ref{{{likely[0]}}}" if len(likely) == 1 and likely[0] != said[1] else ""
            yield Finding(
                "citations", "credit", following.where, block.last, Severity.PEN, words, rf"\ref{{{said[1]}}}", better
            )


def _same_left(project: Project, text: Text, label: str, step: Block) -> bool:
    """Does the right side of that statement stand in this display, word for word?"""
    home_ = next((one for one in project.paper.statements if one.label == label), None)
    inside = "".join(normal(part) for chain in chains(step.latex) for part in chain.parts)
    if home_ is None or home_.first_line <= step.line <= home_.last_line:
        return False
    rights = [
        normal(chain.parts[-1]) for latex in _of(text, home_.first_line) for chain in chains(latex) if chain.signs
    ]
    return any(len(right) > 30 and right in inside for right in rights)


def _of(text: Text, statement: int) -> list[str]:
    return [f for block in text.blocks if block.statement == statement and block.proof < 0 for f in formulas(block)]


def _subjects(project: Project, text: Text) -> Iterator[tuple[str, set[str]]]:
    """What each labelled statement is about: the names on the left of its relations."""
    for one in project.paper.statements:
        if one.label and one.kind in ("lemma", "theorem", "proposition", "corollary"):
            left: set[str] = set()
            for chain in (chain for latex in _of(text, one.first_line) for chain in chains(latex) if chain.signs):
                left |= {name.key for atom in flat(chain.parts[0]) if (name := name_of(atom)) is not None}
            yield one.label, left
