"""The halves of words: what may stand on the left of a square L @ Z @ L.T that contributes to a goal with letters.

A word of the goal is cut in two, and the left part of each cut is a row of a Gram matrix; a random row stands at an
open sample or below a mean of its own.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations, product

from theory.kernel.kinds import ONE, Letter, Shape, Size, size_node
from theory.kernel.lang import text
from theory.kernel.terms import INJECTION, Key, Occurrence, Terms, Word, _chain, _flipped

OPEN = "s{}_"


@dataclass(frozen=True)
class Row:
    """A formula of some size, with the samples that are open in it and their spaces."""

    says: str
    rows: Size
    cols: Size
    samples: tuple[tuple[str, str], ...] = ()
    made_of: tuple[str, ...] = ()

    @property
    def shape(self) -> Shape:
        return self.rows, self.cols


def halves(values: Iterable[Terms], letters: dict[str, Letter], opened: int) -> list[Row]:
    """All rows that the terms suggest, short ones first."""
    found: dict[Row, None] = {}
    for value in values:
        for key in value.terms:
            for word, numbers in _cuts(key, value.rows):
                for row in _placed(word, numbers, letters, opened):
                    found[row] = None
    return sorted(found, key=lambda row: (row.says.count("@") + row.says.count("*"), len(row.says), row.says))


def fitting(
    rows: list[Row], values: Iterable[Terms], signed: Collection[str], exchanged: Collection[str] = ()
) -> list[Row]:
    """Rows whose squares have no more and no fewer of each letter than the terms.

    Letters with inverses and those that equations exchange are not counted, and signed ones may stand in the middle of
    a square.
    """
    counts = [
        Counter(o.name for w in (word, *(i for _, i in mono)) for o in w if o.name != INJECTION)
        for value in values
        for mono, word in value.terms
    ]
    names = {name for one in counts for name in one if not name.startswith("inv(") and f"inv({name})" not in one}
    names = {n for n in names if n not in exchanged and not any(f"inv({n})" in one for one in counts)}
    low = {n: 0 if n in signed else min(one[n] for one in counts) for n in names}
    high = {n: max(one[n] for one in counts) for n in names}
    most = max((sum(one.values()) for one in counts), default=0)
    small = [r for r in rows if 2 * len(r.made_of) <= most + 1 or any(n.startswith("inv(") for n in r.made_of)]
    return [r for r in small if all(low[n] <= 2 * r.made_of.count(n) <= high[n] for n in names)]


def unit(size: Size) -> Row:
    return Row("1", ONE, ONE) if size == ONE else Row(f"I({text(size_node(size))})", size, size)


def _cuts(key: Key, rows: Size) -> Iterator[tuple[Word, tuple[Word, ...]]]:
    """Left parts of words and of traces, and products of half of the numbers."""
    mono, word = key
    traces = tuple(inner for kind, inner in mono if kind == "tr")
    if word and not traces:
        yield from ((part, ()) for turned in (word, _flipped(word)) for part in _prefixes(turned))
    if len(traces) == 1 and not word:
        yield from ((part, ()) for turned in _turned(traces[0]) for part in _prefixes(turned))
    for count in range(1, (len(traces) + 1) // 2 + 1):
        yield from (((), chosen) for chosen in combinations(traces, count))
    if word and traces:
        for part in (p for turned in (word, _flipped(word)) for p in _prefixes(turned)):
            yield part, traces[: len(traces) // 2]


def _prefixes(word: Word) -> Iterator[Word]:
    for count in range(1, (len(word) + 1) // 2 + 1):
        yield word[:count]


def _turned(word: Word) -> Iterator[Word]:
    """A number as a word from size 1 to size 1; a trace from every place."""
    starts = [i for i, one in enumerate(word) if one.rows == ONE]
    for turned in (word, _flipped(word)):
        for i in range(len(turned)):
            if not starts or turned[i].rows == ONE:
                yield turned[i:] + turned[:i]


def _placed(word: Word, numbers: tuple[Word, ...], letters: dict[str, Letter], opened: int) -> Iterator[Row]:
    """At open samples, and below means."""
    marks = sorted({o.mark for w in (word, *numbers) for o in w if isinstance(o.mark, int)})
    spaces = {m: _space(m, (word, *numbers), letters) for m in marks}
    for chosen in product((None, *range(opened)), repeat=len(marks)):
        names = {m: OPEN.format(c) if c is not None else f"m{m}_" for m, c in zip(marks, chosen, strict=True)}
        if any(c is not None and spaces[m] != spaces[marks[0]] for m, c in zip(marks, chosen, strict=True)):
            continue
        says, rows, cols = _written(word, numbers, names, letters)
        for m, c in zip(marks, chosen, strict=True):
            says = f"E({names[m]}, {says})" if c is None else says
        samples = {names[m]: spaces[m] for m, c in zip(marks, chosen, strict=True) if c is not None}
        made_of = tuple(sorted(o.name for w in (word, *numbers) for o in w if o.name != INJECTION))
        yield Row(says, rows, cols, tuple(sorted(samples.items())), made_of)


def _space(mark: int, words: Iterable[Word], letters: dict[str, Letter]) -> str:
    one = next(o for w in words for o in w if o.mark == mark)
    return letters[_bare(one)].indices[-1]


def _bare(one: Occurrence) -> str:
    return one.name[4:-1] if one.name.startswith("inv(") else one.name


def _written(
    word: Word, numbers: tuple[Word, ...], names: dict[int, str], letters: dict[str, Letter]
) -> tuple[str, Size, Size]:
    def chain(part: Word) -> str:
        marked = tuple(one.remarked(names) for one in part)
        node = _chain(marked, letters)
        return text(node) if part[0].rows == ONE == part[-1].cols or part is word else f"tr({text(node)})"

    factors = [f"({chain(part)})" for part in numbers]
    if not word:
        return "*".join(factors), ONE, ONE
    return "*".join([*factors, chain(word)]), word[0].rows, word[-1].cols


def whole_numbers(value: Terms, letters: dict[str, Letter]) -> list[str]:
    """The scalar products and traces that occur, one by one."""
    found = dict.fromkeys(inner for mono, _ in value.terms for kind, inner in mono if kind == "tr")
    plain = [inner for inner in found if all(one.mark is None for one in inner)]
    return [_written((), (inner,), {}, letters)[0] for inner in plain]


def affixes(value: Terms, letters: dict[str, Letter], known: Iterable[Terms] = ()) -> tuple[list[str], list[str]]:
    """Beginnings and ends of words, inverses of letters before a beginning, and nothing at all ("").

    Beginnings of what is `known` to be equal stand behind inverses, too.
    """
    begins: dict[str, None] = {"": None}
    ends: dict[str, None] = {"": None}
    inverses = [name for name, one in letters.items() if one.sign == "pd" and not one.indices]
    for _, word in value.terms:
        if any(o.mark is not None for o in word):
            continue
        for cut in range(1, len(word) + 1):
            begins[text(_chain(word[:cut], letters))] = None
            ends[text(_chain(word[len(word) - cut :], letters))] = None
            begins |= {f"inv({name})@{text(_chain(word[:1], letters))}": None for name in inverses}
            ends |= {text(_chain(word[i:cut], letters)): None for i in range(1, cut)}
    for name in inverses:
        begins[f"inv({name})"] = ends[f"inv({name})"] = None
        for other, one in letters.items():
            if one.rows == letters[name].rows and not one.indices:
                begins[f"inv({name})@{other}"] = None
    words = (word for one in known for _, word in one.terms if len(word) > 1 and all(o.mark is None for o in word))
    starts = dict.fromkeys(word[:cut] for word in words for cut in range(1, len(word)))
    for name, start in product(inverses, starts):
        if start[0].rows == letters[name].rows:
            begins[f"inv({name})@{text(_chain(start, letters))}"] = None
    return list(begins)[:40], list(ends)[:40]
