"""Traces at one eigenvector of a positive letter S: tr(W @ S) at u is lam * u.T@W@u, with 0 <= lam <= tr(S).

So tr(A@B) <= tr(A)*tr(B) and tr(A@A) <= tr(A)**2: what is left is about the numbers u.T@B@u and lam.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from theory.kernel.errors import KernelError
from theory.kernel.kinds import NUMBER, Letter, Size, size_node, size_of
from theory.kernel.lang import Node, text
from theory.kernel.rings import RationalFunctions
from theory.kernel.sequent import Certificate, Sequent
from theory.kernel.spectral import at_eigenvector
from theory.kernel.terms import Terms, Word, formula, normal, scalar_atoms
from theory.provers.halves import _turned, _written

Step = tuple[str, dict[str, Any]]
Numbers = Callable[[list[Step], Sequent], Certificate | None]


def find(sequent: Sequent, vector: str, value: str, numbers: Numbers) -> Certificate | None:
    """The traces of the goal, each opened at the first positive letter that all of them allow."""
    goal = sequent.goal
    if goal.op not in ("<=", ">=") or size_of(goal.left) != NUMBER:
        return None
    for letter in sequent.world.letters.values():
        if letter.sign in ("psd", "pd") and not letter.indices:
            cert = _along(letter, sequent, vector, value, numbers)
            if cert is not None:
                return cert
    return None


def _along(letter: Letter, sequent: Sequent, u: str, lam: str, numbers: Numbers) -> Certificate | None:
    sides = [_opened(side, letter, sequent) for side in (sequent.goal.left, sequent.goal.right)]
    if sides[0] is None or sides[1] is None:
        return None
    (left, words), (right, more) = sides[0], sides[1]
    cert: Certificate = {"kind": "eigen", "of": letter.name, "left": left, "right": right, "vector": u, "value": lam}
    try:
        matrix, low, high = (sequent.world.read(one) for one in (letter.name, left, right))
        inner = at_eigenvector(u, lam, matrix, low, high, sequent)
    except KernelError:
        return None
    then = numbers(list(_steps(letter, u, lam, [*words, *more], inner)), inner)
    return None if then is None else {**cert, "then": then}


def _opened(side: Node, letter: Letter, sequent: Sequent) -> tuple[str, list[str]] | None:
    """A matrix whose trace is this side, and what stands before the letter where the letter stands last."""
    names, opaque = scalar_atoms([side])
    value = normal(side, RationalFunctions(names))
    letters = dict(sequent.world.letters)
    pieces, before = [], []
    for (mono, word), coefficient in value.terms.items():
        traces = [inner for kind, inner in mono if kind == "tr"]
        place = _place(traces, letter)
        if place is None or any(one.mark is not None for inner in traces for one in inner):
            return None
        opened = _last(traces[place], letter)
        others = list(mono)
        others.remove(("tr", traces[place]))
        rest = tuple(others)
        factor = Terms(value.ring, value.rows, value.cols)
        factor.put(coefficient, rest, word)
        number = text(formula(factor, letters, opaque))
        pieces.append(f"({number})*({_says(opened, letters, letter.rows)})")
        if opened and opened[-1].name == letter.name and len(opened) > 1:
            before.append(_says(opened[:-1], letters, letter.rows))
    return (" + ".join(pieces), before) if pieces else None


def _place(traces: list[Word], letter: Letter) -> int | None:
    """The trace to be opened: one in which the letter meets another one first, then any of its size."""
    fits = [i for i, word in enumerate(traces) if any(one.rows == letter.rows for one in word)]
    return max(fits, key=lambda i: (len(traces[i]) > 1, traces[i][0].name != letter.name), default=None)


def _last(word: Word, letter: Letter) -> Word:
    turned = [one for one in _turned(word) if one[0].rows == letter.rows]
    turned = turned or [word[i:] + word[:i] for i in range(len(word)) if word[i].rows == letter.rows]
    return next((one for one in turned if one[-1].name == letter.name), turned[0])


def _says(word: Word, letters: dict[str, Letter], size: Size) -> str:
    return _written(word, (), {}, letters)[0] if word else f"I({text(size_node(size))})"


def _steps(letter: Letter, u: str, lam: str, before: list[str], inner: Sequent) -> Iterator[Step]:
    """0 <= lam <= tr(S), u.T@W@S@u == lam*u.T@W@u, and 0 <= u.T@B@u <= tr(B) for the other positive letters."""
    eigen, unit = len(inner.facts) - 2, len(inner.facts) - 1
    name, size = letter.name, text(size_node(letter.rows))
    apart = {"L": f"I({size}) - {u}@{u}.T"}
    square = f"{u}.T@{u}"
    yield f"{lam} >= 0", _order({"psd": name, "L": f"{u}.T"}, _eq(eigen, "-1", f"{u}.T"), _eq(unit, f"-{lam}"))
    two = _eq(eigen, f"2 - {square}", f"{u}.T")
    yield f"{lam} <= tr({name})", _order({"tr": [{"psd": name}, apart]}, two, _eq(unit, f"-{lam}*({square} - 1)"))
    yield f"{u}.T@{name}@{u} == {lam}", _order(_eq(eigen, "1", f"{u}.T"), _eq(unit, lam))
    for word in dict.fromkeys(before):
        yield (
            f"{u}.T@({word})@{name}@{u} == {lam}*({u}.T@({word})@{u})",
            _order({"eq": eigen, "L": f"{u}.T@({word})"}),
        )
    for other in inner.world.letters.values():
        if other.sign in ("psd", "pd") and not other.indices and other.rows == letter.rows and other != letter:
            yield f"{u}.T@{other.name}@{u} >= 0", _order({"psd": other.name, "L": f"{u}.T"})
            inside = f"{u}.T@{other.name}@{u}"
            part = {"tr": [{"psd": other.name}, apart]}
            yield f"{inside} <= tr({other.name})", _order(part, _eq(unit, f"-({inside})"))


def _eq(position: int, k: str, left: str = "") -> dict[str, Any]:
    return {"eq": position, "k": k} | ({"L": left} if left else {})


def _order(*items: dict[str, Any]) -> Certificate:
    return {"kind": "order", "items": list(items), "ops": []}
