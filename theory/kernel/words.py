"""Matrix identities in noncommuting letters, with scalar coefficients that are rational functions.

A letter stands for a square matrix of any size: the identity then holds in every dimension. `mean(w, …P[w]…)` is
linear; a word with one random letter becomes the letter's mean, a word `u P[w] v P[w] x` becomes `u M(v) x` with
M(v) = mean(P v P), the fourth-moment operator.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from theory.kernel.errors import Malformed
from theory.kernel.evaluate import Mat, evaluate
from theory.kernel.lang import Node, symbols, text
from theory.kernel.rings import Frac, RationalFunctions
from theory.kernel.sequent import is_natural

Letter = Any  # a name, or ("mean", letters) for the expectation of a word that starts and ends at random
Word = tuple[Letter, ...]


@dataclass(frozen=True, slots=True)
class Sum:
    """A sum of words; `symmetric` letters are their own transposes."""

    terms: tuple[tuple[Word, Frac], ...]
    symmetric: frozenset[str]

    @staticmethod
    def of(terms: Mapping[Word, Frac], symmetric: frozenset[str]) -> Sum:
        kept = ((w, c) for w, c in terms.items() if not c.is_zero)
        return Sum(tuple(sorted(kept, key=lambda item: repr(item[0]))), symmetric)

    def __add__(self, other: Sum) -> Sum:
        total = dict(self.terms)
        for word, c in other.terms:
            total[word] = total[word] + c if word in total else c
        return Sum.of(total, self.symmetric)

    def __neg__(self) -> Sum:
        return Sum(tuple((w, -c) for w, c in self.terms), self.symmetric)

    def __sub__(self, other: Sum) -> Sum:
        return self + (-other)

    def __mul__(self, other: Sum) -> Sum:
        total: dict[Word, Frac] = {}
        for u, a in self.terms:
            for v, b in other.terms:
                total[u + v] = total[u + v] + a * b if u + v in total else a * b
        return Sum.of(total, self.symmetric)

    def __pow__(self, n: int) -> Sum:
        if n < 1:
            raise Malformed("a matrix word is raised to a power of at least one")
        result = self
        for _ in range(n - 1):
            result = result * self
        return result

    def transpose(self) -> Sum:
        return Sum.of({tuple(self._flip(x) for x in reversed(w)): c for w, c in self.terms}, self.symmetric)

    def _flip(self, letter: Letter) -> Letter:
        if isinstance(letter, tuple):
            return ("mean", tuple(self._flip(x) for x in reversed(letter[1])))
        if letter.split("[")[0] in self.symmetric:
            return letter
        return letter[:-2] if letter.endswith(".T") else letter + ".T"


class Words:
    def __init__(self, scalars: tuple[str, ...], symmetric: frozenset[str]) -> None:
        self.coefficients = RationalFunctions(scalars)
        self.symmetric = symmetric

    def scalar(self, value: Frac) -> Sum:
        return Sum.of({(): value}, self.symmetric)

    def const(self, value: Fraction) -> Sum:
        return self.scalar(self.coefficients.const(value))

    def letter(self, name: str) -> Sum:
        return Sum.of({(name,): self.coefficients.const(Fraction(1))}, self.symmetric)

    def divide(self, a: Sum, b: Sum) -> Sum:
        if len(b.terms) != 1 or b.terms[0][0] != ():
            raise Malformed("division by a matrix; multiply by a named inverse instead")
        divisor = b.terms[0][1]
        return Sum.of({w: self.coefficients.divide(c, divisor) for w, c in a.terms}, self.symmetric)

    def integer(self, value: Sum, node: Node) -> int:
        if not value.terms:
            return 0
        if len(value.terms) != 1 or value.terms[0][0] != ():
            raise Malformed(f"{text(node)} is not an integer")
        return self.coefficients.integer(value.terms[0][1], node)

    def call(self, name: str, args: list[Any]) -> Any:
        raise Malformed(f"{name}(…) has no meaning for matrix letters")

    def expectation(self, value: Sum, index: str) -> Sum:
        mark = f"[{index}]"
        total: dict[Word, Frac] = {}
        for word, c in value.terms:
            hits = [i for i, letter in enumerate(word) if isinstance(letter, str) and mark in letter]
            if len(hits) > 2:
                raise Malformed("a mean of a word with more than two random letters")
            out = word
            if hits:
                first, last = hits[0], hits[-1]
                inner = tuple(x.replace(mark, "") if isinstance(x, str) else x for x in word[first : last + 1])
                out = (*word[:first], ("mean", inner), *word[last + 1 :])
            total[out] = total[out] + c if out in total else c
        return Sum.of(total, self.symmetric)


def words_difference_is_zero(left: Node, right: Node, letters: Mapping[str, str]) -> bool:
    """`letters` maps each matrix name to "", "symmetric", or "identity"; all other names are scalars."""
    names = symbols(left) | symbols(right)
    symmetric = frozenset(n for n, kind in letters.items() if kind == "symmetric")
    if any(kind not in ("", "symmetric", "identity") for kind in letters.values()):
        raise Malformed("a letter is '', 'symmetric' or 'identity'")
    ring = Words(tuple(sorted(names - set(letters))), symmetric)
    env: dict[str, Any] = {n: ring.scalar(ring.coefficients.var(n)) for n in ring.coefficients.names}
    for name, kind in letters.items():
        env[name] = ring.const(Fraction(1)) if kind == "identity" else ring.letter(name)
    gap = _value(Node("-", (left, right)), env, ring)
    if isinstance(gap, Mat):
        return all(not entry.terms for row in gap.rows for entry in row)
    return not gap.terms


def _value(node: Node, env: Mapping[str, Any], ring: Words) -> Any:
    """As `evaluate`, with random letters P[w], entrywise transposes and means of words."""
    if node.op == "index" and node.args[0].op == "sym" and any(i.op == "sym" for i in node.args[1:]):
        if len(node.args) > 2:
            raise Malformed(f"{text(node)}: a random letter has one index")
        return ring.letter(text(node))
    if node.op == "mean":
        index = str(node.args[0].value)
        value = _value(node.args[1], {name: of for name, of in env.items() if name != index}, ring)
        return (
            value.map(lambda x: ring.expectation(x, index))
            if isinstance(value, Mat)
            else ring.expectation(value, index)
        )
    if node.op == "T":
        value = _value(node.args[0], env, ring)
        return value.transpose().map(lambda x: x.transpose()) if isinstance(value, Mat) else value.transpose()
    if node.op in ("num", "sym"):
        return evaluate(node, env, ring)
    if node.op in ("sum", "iterate", "tr", "inv") or (node.op == "**" and not is_natural(node.args[1], frozenset())):
        raise Malformed(f"{text(node)[:120]}: {node.op} has no meaning for matrices in letters")
    parts = {f"_{i}": _value(arg, env, ring) for i, arg in enumerate(node.args)}
    if node.op == "index" or node.op == "**":
        parts = {"_0": parts["_0"]}
        shell = Node(node.op, (Node("sym", value="_0"), *node.args[1:]))
    else:
        shell = Node(node.op, tuple(Node("sym", value=f"_{i}") for i in range(len(node.args))), node.value)
    return evaluate(shell, parts, ring)
