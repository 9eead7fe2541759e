"""Cauchy-Schwarz between two matrices or vectors: tr(a @ Z @ b.T)**2 <= tr(a @ Z @ a.T) * tr(b @ Z @ b.T).

A goal with a product of two numbers is read for it: each of them is a @ Z @ a.T for a letter Z that is declared psd or
pd, for its inverse, or without a middle. So (x.T@y)**2 <= x.T@A@x * y.T@inv(A)@y, and n**2 <= tr(A)*tr(inv(A)).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from typing import Any

from theory.kernel.errors import KernelError
from theory.kernel.kinds import NUMBER, ONE, Letter, Size, size_node, size_of
from theory.kernel.lang import Node, text
from theory.kernel.orders import expanded
from theory.kernel.rings import RationalFunctions
from theory.kernel.sequent import Certificate, Sequent
from theory.kernel.terms import Terms, Word, _flipped, normal, scalar_names
from theory.provers.halves import _turned, _written

MOST = 6


@dataclass(frozen=True)
class Form:
    """tr(row @ middle @ row.T), as formulas; `middle` is a letter, the inverse of one, or nothing."""

    row: str
    rows: Size
    cols: Size
    middle: str

    def against(self, other: str) -> str:
        """The number that this row makes with another one."""
        inside = f"({self.row})@{self.middle}@({other}).T" if self.middle else f"({self.row})@({other}).T"
        return f"({inside})" if self.rows == ONE else f"tr({inside})"

    def square(self, row: str) -> dict[str, Any]:
        item: dict[str, Any] = {"L": row} | ({"psd": self.middle} if self.middle else {})
        return item if self.rows == ONE else {"tr": [item, {"L": f"I({text(size_node(self.rows))})"}]}


def pairs(sequent: Sequent) -> Iterator[tuple[Form, str]]:
    """A form a @ Z @ a.T and the row b, where the goal has the product of both squares."""
    goal = sequent.goal
    if goal.op not in ("<=", ">=") or size_of(goal.left) != NUMBER:
        return
    gap = Node("-", (goal.left, goal.right))
    value = normal(gap, RationalFunctions(scalar_names([gap])))
    letters = dict(sequent.world.letters)
    known = {part for mono, _ in value.terms for part in mono}
    found: dict[tuple[Form, str], None] = {}
    for one, two in _products(value):
        for first, second in product(_forms(one, letters), _forms(two, letters)):
            for form, row in _matched(first, second):
                if _is_known(form.against(row), known, sequent):
                    found[form, row] = None
    yield from list(found)[:MOST]


def _is_known(source: str, known: set[Any], sequent: Sequent) -> bool:
    """The mixed number stands in the goal, or is a size."""
    node = sequent.world.read(source)
    value = normal(node, RationalFunctions(scalar_names([node])))
    return all(part in known or part[0] == "dim" for mono, _ in value.terms for part in mono)


def _products(value: Terms) -> Iterator[tuple[Word | str, Word | str]]:
    """Two scalar products or traces in one term, or one and a size."""
    for (mono, _), coefficient in value.terms.items():
        words = [inner for kind, inner in mono if kind == "tr" and all(one.mark is None for one in inner)]
        names, degrees = value.ring.names, coefficient.num.degrees()
        sizes = [str(inner) for kind, inner in mono if kind == "dim"]
        sizes += [
            name for name, degree in zip(names, degrees, strict=False) if degree
        ]  # without names there is one, unused
        if len(words) == 2:
            yield words[0], words[1]
        elif len(words) == 1:
            yield from ((words[0], size) for size in sizes)


def _forms(word: Word | str, letters: dict[str, Letter]) -> Iterator[Form]:
    if isinstance(word, str):
        size = next((one.rows for one in letters.values() if one.rows == ((word, 1),)), ONE)
        if size != ONE:
            yield Form(f"I({word})", size, size, "")
        return
    for turned in _turned(word):
        half = len(turned) // 2
        row, rest = turned[:half], turned[half:]
        middle = rest[0] if len(turned) % 2 else None
        if middle is not None:
            bare = middle.name.removeprefix("inv(").removesuffix(")")
            if letters[bare].sign not in ("psd", "pd"):
                continue
            rest = rest[1:]
        if _flipped(rest) != row:
            continue
        name = middle.name if middle is not None else ""
        if row:
            says, rows, cols = _written(row, (), {}, letters)
            yield Form(says, rows, cols, name)
        elif middle is not None:
            yield Form(f"I({text(size_node(middle.rows))})", middle.rows, middle.rows, name)


def _matched(one: Form, two: Form) -> Iterator[tuple[Form, str]]:
    if one.rows != two.rows or one.cols != two.cols or (one.row == two.row and one.middle == two.middle):
        return
    if one.middle == two.middle:
        yield one, two.row
    elif f"inv({one.middle})" == two.middle:
        yield one, f"({two.row})@{two.middle}"
    elif f"inv({two.middle})" == one.middle:
        yield two, f"({one.row})@{one.middle}"


def facts(form: Form, other: str) -> list[tuple[str, dict[str, Any]]]:
    """p >= 0, r >= 0, r*(p*r - q**2) >= 0 and (p + 1)**2/4*r >= q**2, each a square: together p*r >= q**2."""
    p, q = form.against(form.row), form.against(other)
    r = Form(other, form.rows, form.cols, form.middle).against(other)
    a, b = f"({form.row})", f"({other})"
    squares = [
        (f"{p} >= 0", form.square(a)),
        (f"{r} >= 0", form.square(b)),
        (f"{r}*({p}*{r} - {q}**2) >= 0", form.square(f"{r}*{a} - {q}*{b}")),
        (f"({p} + 1)**2/4*{r} - {q}**2 >= 0", form.square(f"{q}*{a} - ({p} + 1)/2*{b}")),
    ]
    return [(fact, {"kind": "order", "items": [item], "ops": []}) for fact, item in squares]


def product_above(sequent: Sequent, stem: str) -> Certificate | None:
    """p*r >= q**2 from the four facts: where r > 0 the third divided by r, where r = 0 the fourth."""
    try:
        inner = expanded(sequent, stem)
    except KernelError:
        return None
    p, r = (text(inner.facts[i].left) for i in (0, 1))
    zero = [{"c": "1", "of": [3]}, {"c": "1", "of": [0, 1]}, {"c": "1", "of": [4], "sq": f"({p} + 1)/2"}]
    cases = {
        "kind": "cases",
        "on": f"-({r})",
        "strict": True,
        "nonnegative": {"kind": "cone", "terms": zero},
        "nonpositive": {"kind": "cone", "multiplier": [4], "terms": [{"c": "1", "of": [2]}]},
    }
    return {"kind": "expand", "stem": stem, "then": cases}


def claim(form: Form, other: str) -> str:
    below = Form(other, form.rows, form.cols, form.middle).against(other)
    return f"{form.against(form.row)}*{below} >= {form.against(other)}**2"
