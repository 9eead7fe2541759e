"""The corrections as a diff of the author's own source: fragments are found by content, never by line number.

A fragment must stand in the source exactly as often as it is to be corrected. Where it does not, nothing is guessed:
the correction is a `Misfit`, which names the place that comes nearest.
"""

from __future__ import annotations

import difflib
from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from theory.reading.errata.correct import Span, replaced, span_of
from theory.reading.errata.rows import Change, Erratum
from theory.reading.latex.texts import Token, occurrences, texts, tokens

CONTEXT = 2  # lines before and after a hunk; fewer where a neighbour needs them, on both sides alike


@dataclass(frozen=True)
class Misfit:
    """A correction that does not fit the source."""

    id: str
    line: int  # of the paper that was refereed
    printed: str
    near: int  # the line of the source that comes nearest
    reason: str

    def __str__(self) -> str:
        return f"line {self.near}: {self.reason} ({self.id}, line {self.line} of the paper that was refereed)"


@dataclass(frozen=True)
class Hunk:
    """Lines of the source that change, and what they become; `ids` are the rows that change them."""

    first: int  # counted from 0
    old: tuple[str, ...]
    new: tuple[str, ...]
    ids: tuple[str, ...]


@dataclass(frozen=True)
class Patched:
    """The corrected source, its hunks, and what did not fit."""

    source: str
    text: str
    hunks: tuple[Hunk, ...]
    misfits: tuple[Misfit, ...]

    @property
    def applied(self) -> tuple[str, ...]:
        """The rows that changed something."""
        return tuple(dict.fromkeys(id_ for hunk in self.hunks for id_ in hunk.ids))

    def unified(self, name: str) -> str:
        """A unified diff, one hunk for each slip and place; slips on neighbouring lines share one."""
        lines = self.source.splitlines(keepends=True)
        told, shift = [f"--- a/{name}\n", f"+++ b/{name}\n"], 0
        for at, hunk in enumerate(self.hunks):
            before = self.hunks[at - 1] if at else None
            after = self.hunks[at + 1] if at + 1 < len(self.hunks) else None
            told += _told(hunk, before, after, lines, shift)
            shift += len(hunk.new) - len(hunk.old)
        return "".join(told) if self.hunks else ""


def patched(source: str, rows: Iterable[Erratum]) -> Patched:
    """Correct the source as far as it is the one that was refereed."""
    cut = tokens(source)
    starts = [0, *(k + 1 for k, c in enumerate(source) if c == "\n")]
    wanted: dict[tuple[str, ...], list[tuple[Erratum, Change]]] = defaultdict(list)
    for row in rows:
        for change in row.changes:
            if change.printed:
                wanted[tuple(texts(change.printed))].append((row, change))
    spans: list[tuple[Span, str]] = []
    misfits: list[Misfit] = []
    words = [one.text for one in cut]
    for part, group in wanted.items():
        places = occurrences(part, words)
        group.sort(key=lambda pair: pair[1].line)
        if len(places) == len(group):
            spans += [
                (span_of(cut[at:], change.printed, change.corrected), row.id)
                for at, (row, change) in zip(places, group, strict=True)
            ]
        else:
            misfits += [_misfit(row, change, places, len(group), cut, source, starts) for row, change in group]
    kept, clashes = _apart(sorted(spans), starts)
    text = replaced(source, [span for span, _ in kept])
    hunks = tuple(_hunks(source, kept, starts))
    return Patched(source, text, hunks, tuple(sorted([*misfits, *clashes], key=lambda m: m.near)))


def _apart(spans: Sequence[tuple[Span, str]], starts: Sequence[int]) -> tuple[list[tuple[Span, str]], list[Misfit]]:
    """Two corrections of the same characters: the later one does not fit."""
    kept: list[tuple[Span, str]] = []
    clashes = []
    for span, id_ in spans:
        if kept and span.start < kept[-1][0].end:
            line = bisect_right(starts, span.start)
            reason = f"the same characters are corrected by {kept[-1][1]}"
            clashes.append(Misfit(id_, line, span.text, line, reason))
        else:
            kept.append((span, id_))
    return kept, clashes


def _hunks(source: str, spans: Sequence[tuple[Span, str]], starts: Sequence[int]) -> Iterable[Hunk]:
    """Spans on common or neighbouring lines are one hunk."""
    lines = source.splitlines(keepends=True)
    groups: list[tuple[int, int, list[tuple[Span, str]]]] = []
    for span, id_ in spans:
        first, last = (bisect_right(starts, at) - 1 for at in (span.start, max(span.end, span.start)))
        if groups and first <= groups[-1][1] + 2:  # each hunk needs a line after it and one before it
            low, high, group = groups[-1]
            groups[-1] = (low, max(high, last), [*group, (span, id_)])
        else:
            groups.append((first, last, [(span, id_)]))
    for low, high, group in groups:
        offset = starts[low]
        old = "".join(lines[low : high + 1])
        moved = [Span(s.start - offset, s.end - offset, s.text) for s, _ in group]
        new = replaced(old, moved)
        ids = tuple(dict.fromkeys(id_ for _, id_ in group))
        yield Hunk(low, tuple(old.splitlines(True)), tuple(new.splitlines(True)), ids)


def _told(hunk: Hunk, before: Hunk | None, after: Hunk | None, lines: Sequence[str], shift: int) -> list[str]:
    """One hunk with the lines around it that no neighbour needs."""
    end = hunk.first + len(hunk.old)
    above = (hunk.first - before.first - len(before.old)) // 2 if before else hunk.first
    below = (after.first - end) // 2 if after else len(lines) - end
    around = min(CONTEXT, above, below) or min(CONTEXT, max(above, below))  # at the edge of the file one side only
    above, below = min(above, around), min(below, around)
    low = hunk.first - above
    sizes = (above + len(hunk.old) + below, above + len(hunk.new) + below)
    head = f"@@ -{low + 1},{sizes[0]} +{low + 1 + shift},{sizes[1]} @@ {', '.join(hunk.ids)}\n"
    body = [f" {line}" for line in lines[low : hunk.first]]
    body += [f"-{line}" for line in hunk.old] + [f"+{line}" for line in hunk.new]
    body += [f" {line}" for line in lines[end : end + below]]
    return [head, *(line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in body)]


def _misfit(
    row: Erratum, change: Change, places: Sequence[int], count: int,
    cut: Sequence[Token], source: str, starts: Sequence[int],
) -> Misfit:  # fmt: skip
    if places:
        found = ", ".join(str(bisect_right(starts, cut[at].start)) for at in places)
        near = bisect_right(starts, cut[places[0]].start)
        reason = f"what is to be corrected once stands there {len(places)} times (lines {found})"
        if count > 1:
            reason = f"what is to be corrected {count} times stands there {len(places)} times (lines {found})"
        return Misfit(row.id, change.line, change.printed, near, reason)
    line, words = _nearest(change, _cut_lines(source))
    return Misfit(row.id, change.line, change.printed, line, words)


@lru_cache(maxsize=2)
def _cut_lines(source: str) -> tuple[tuple[int, list[str], Counter[str]], ...]:
    """Every line that has tokens: its number, its tokens, and how often it has each."""
    cut = ((number, texts(line)) for number, line in enumerate(source.splitlines(), start=1))
    return tuple((number, here, Counter(here)) for number, here in cut if here)


def _nearest(change: Change, lines: Iterable[tuple[int, list[str], Counter[str]]]) -> tuple[int, str]:
    """The line that shares the longest run of tokens with the fragment, and the first token that differs."""
    part = texts(change.printed)
    counted = Counter(part)
    best = (0, 0, "", "")
    for number, here, has in lines:
        if (counted & has).total() <= best[0]:  # no run is longer than what both have
            continue
        run = difflib.SequenceMatcher(None, part, here, autojunk=False).find_longest_match()
        if run.size > best[0]:
            end, there = run.a + run.size, run.b + run.size
            wanted = part[end] if end < len(part) else part[run.a - 1] if run.a else ""
            stands = here[there] if end < len(part) and there < len(here) else here[run.b - 1] if run.b else ""
            best = (run.size, number, wanted, stands)
    if 2 * best[0] < len(part):
        return max(best[1], 1), f"{change.printed} stands nowhere, nor anything near it"
    return best[1], f"{change.printed} is not there: {best[2] or 'its end'} expected, {best[3] or 'nothing'} found"
