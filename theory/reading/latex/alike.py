"""Do two relations say the same? Numbers are compared as rational functions, matrices as sums of words.

What is not arithmetic (norms, traces, functions, sums, means) is one atom, named by the normal form of its parts. Equal
here means equal by exact arithmetic; two relations that are equal for a deeper reason are told to differ.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import lru_cache

from theory.kernel import KernelError
from theory.kernel.flat import fraction_node, polynomial_node, scalars_of, tidy
from theory.kernel.lang import Node, Relation, num, substitute, sym, symbols, text
from theory.kernel.rings import Frac
from theory.reading.latex.kinds import MATRIX, NUMBER, sort_of
from theory.reading.latex.notation import Notation

Words = Mapping[tuple[str, ...], Node]
FLIPPED = {"<=": ">=", "<": ">", "<<": ">>", ">=": "<=", ">": "<", ">>": "<<", "==": "==", "!=": "!="}
ARITHMETIC = frozenset({"+", "-", "*", "/", "neg"})
ONE, HALF = num(1), Fraction(1, 2)
ONE_MATRIX = "bold_I"
TANGENT = sym("tan")  # sin/cos
RANDOM = frozenset({"varepsilon", "epsilon", "e", "b", "z"})
SYMMETRIC = frozenset({"bold_Sigma", "bold_Q", "bold_P", "inv(bold_Sigma)"})  # as every paper sets a covariance


class Normal:
    """Normal forms with one notation: which names are matrices is the notation's to say."""

    def __init__(self, notation: Notation) -> None:
        self.notation = notation

    # --- numbers -----------------------------------------------------------------------------------------------

    def number(self, node: Node) -> Node:
        """A formula in numbers, names and atoms only."""
        op, args = node.op, node.args
        if op in ("num", "sym"):
            return node
        if op == "@" or (op == "*" and NUMBER not in (self._sort(args[0]), self._sort(args[1]))):
            return self._form(self.words(node))
        if op in ARITHMETIC:
            return Node(op, tuple(map(self.number, args)))
        if op == "**" and args[1].op == "num" and Fraction(args[1].value).denominator == 1:
            return Node("**", (self.number(args[0]), args[1]))
        if op == "**" and self._sort(args[0]) == NUMBER:
            return self._power(args[0], tidy(args[1]))
        if op == "tr":
            return self._trace(self.words(args[0]))
        if op == "norm2":
            weight = args[1:] or (sym(ONE_MATRIX),)
            return self._form(self.words(Node("@", (Node("@", (Node("T", (args[0],)), weight[0])), args[0]))))
        if op == "inner" or (op == "index" and args[0].op == "inner"):
            return self._inner(node)
        if op in ("mean", "E"):
            return self._mean(node)
        if op == "index" and args[0] == TANGENT:
            return Node("/", tuple(sym(self._atom(Node(part, args[1:]))) for part in ("sin", "cos")))
        if op == "sqrt":
            return sym(f"sqrt({self.told(args[0])})")
        return sym(self._atom(node))

    def _power(self, base: Node, exponent: Node) -> Node:
        """x**(k - 2) is x**k / x**2, and x**(1/2) a root."""
        if exponent == num(HALF):
            return sym(f"sqrt({self.told(base)})")
        shift = 0
        if exponent.op in ("+", "-") and exponent.args[1].op == "num":
            value = Fraction(exponent.args[1].value)
            if value.denominator == 1:
                shift, exponent = int(value if exponent.op == "+" else -value), exponent.args[0]
        atom = sym(f"({self.told(base)})**({self.told(exponent)})")
        return Node("*", (atom, Node("**", (self.number(base), num(shift))))) if shift else atom

    def _mean(self, node: Node) -> Node:
        """A mean is linear; what is known comes out of it."""
        parts = _terms(self.number(node.args[-1]))
        over = node.args[0].value
        return _sum([Node("*", (scale, sym(f"E{over}({name})"))) if name else scale for scale, name in parts])

    def _inner(self, node: Node) -> Node:
        """<A, B> is tr(A'B), <u, v> is u'v, and with a weight u'Wv."""
        (left, right), weight = (node.args, ()) if node.op == "inner" else (node.args[0].args, node.args[1:])
        turned = Node("T", (left,))
        words = self.words(Node("@", (Node("@", (turned, *weight)) if weight else turned, right)))
        matrix = MATRIX in (self._sort(left), self._sort(right))
        return self._trace(words) if matrix else self._form(words)

    def _trace(self, words: Words) -> Node:
        return _sum([Node("*", (factor, sym(f"tr({'@'.join(_cyclic(word))})"))) for word, factor in words.items()])

    def _form(self, words: Words) -> Node:
        """A row times matrices times a column is a number, and so is its own transpose."""
        return _sum([Node("*", (c, sym(f"<{'@'.join(min(w, _reversed(w)))}>"))) for w, c in words.items()])

    def _scaled(self, node: Node) -> tuple[str, Node]:
        """A matrix of one word, and its factor; other ones as they are."""
        words = self.words(node)
        if len(words) == 1:
            ((word, factor),) = words.items()
            return "@".join(word), factor
        return self._wide(node), ONE

    def _atom(self, node: Node) -> str:
        """An atom by its operation and the normal forms of its parts; a bound name is nobody's name."""
        op, args = node.op, node.args
        if op in ("sum", "prod"):
            body = substitute(args[3], {str(args[0].value): sym("#")})
            return f"{op}({self.told(args[1])}..{self.told(args[2])}; {self.told(body)})"
        if op in ("min", "max"):
            return f"{op}({', '.join(sorted(map(self.told, args)))})"
        return f"{op}({', '.join(map(self.told, args))})" + (str(node.value) if node.value is not None else "")

    def told(self, node: Node) -> str:
        """A formula by its normal form: equal texts are equal formulas."""
        if self._sort(node) != NUMBER or node.op == "list":
            return self._wide(node)
        return _canonical(self.number(node))

    # --- vectors and matrices ----------------------------------------------------------------------------------

    def _sort(self, node: Node) -> str:
        return sort_of(node, self.notation)

    def words(self, node: Node) -> Words:
        """A matrix as a sum of words, each with its factor."""
        op, args = node.op, node.args
        if op in ("+", "-"):
            found = dict(self.words(args[0]))
            for word, factor in self.words(args[1]).items():
                factor = factor if op == "+" else Node("neg", (factor,))
                found[word] = Node("+", (found[word], factor)) if word in found else factor
            return found
        if op == "neg":
            return {word: Node("neg", (factor,)) for word, factor in self.words(args[0]).items()}
        if op in ("*", "@"):
            return self._product(args[0], args[1])
        if op == "/":
            bottom = self.number(args[1])
            return {word: Node("/", (factor, bottom)) for word, factor in self.words(args[0]).items()}
        if op == "T":
            return {_reversed(word): factor for word, factor in self.words(args[0]).items()}
        if op in ("mean", "E"):
            return self._mean_of_words(str(args[0].value), args[-1])
        if op == "inv":
            inner, factor = self._scaled(args[0])
            return {(f"inv({inner})",): Node("/", (ONE, factor))}
        if self._sort(node) == NUMBER and op != "list":
            return {(): self.number(node)}
        if (op == "sym" and text(node) == ONE_MATRIX) or _is_one(node):
            return {(): ONE}
        if op == "list":
            return self._columns(node)
        return {(text(node) if op == "sym" else self._atom_of_words(node),): ONE}

    def _atom_of_words(self, node: Node) -> str:
        return self._atom(node)

    def _columns(self, node: Node) -> Words:
        """Numbers in rows and columns, by the first of them that is not zero: 2 (1, 3) is (2, 6)."""
        cells = [cell for row in node.args for cell in (row.args if row.op == "list" else (row,))]
        if all(self._sort(cell) == NUMBER for cell in cells):
            first = next((cell for cell in map(self.number, cells) if _canonical(cell) != "0"), None)
            if first is not None:
                return {(_table(node, lambda cell: _canonical(Node("/", (self.number(cell), first)))),): first}
        return {(_table(node, self.told),): ONE}

    def _mean_of_words(self, over: str, body: Node) -> Words:
        """A mean is linear: of every word it is taken with what is random beside it."""
        found: dict[tuple[str, ...], Node] = {}
        for word, factor in self.words(body).items():
            for scale, drawn in _terms(factor):
                name = (f"E{over}({'*'.join(filter(None, (drawn, '@'.join(word))))})",)
                found[name] = Node("+", (found[name], scale)) if name in found else scale
        return found

    def _product(self, left: Node, right: Node) -> Words:
        found: dict[tuple[str, ...], Node] = {}
        for one, a in self.words(left).items():
            for other, b in self.words(right).items():
                word, factor = one + other, Node("*", (a, b))
                found[word] = Node("+", (found[word], factor)) if word in found else factor
        return found

    def _wide(self, node: Node) -> str:
        told = {"@".join(word) or "1": _canonical(factor) for word, factor in self.words(node).items()}
        return " + ".join(f"({factor})*{word}" for word, factor in sorted(told.items()) if factor != "0")


@lru_cache(maxsize=20_000)
def _canonical(node: Node) -> str:
    ring, (value,), _ = scalars_of([node])
    return text(fraction_node(value, ring.names))


def _terms(node: Node) -> list[tuple[Node, str]]:
    """A number as a sum: the factor, and the atoms of which the mean is taken; "" where nothing is random."""
    ring, (value,), _ = scalars_of([node])
    below = polynomial_node(value.den, ring.names)
    if not all(map(_sure, symbols(below))):
        return [(ONE, _canonical(node))]
    found = []
    for exponents, coefficient in value.num.to_dict().items():
        factor, drawn = Node("/", (num(Fraction(int(coefficient.p), int(coefficient.q))), below)), []
        for name, power in zip(ring.names, map(int, exponents), strict=False):
            if power and _sure(name):
                factor = Node("*", (factor, Node("**", (sym(name), num(power)))))
            elif power:
                drawn.append(f"{name}**{power}")
        found.append((factor, "*".join(drawn)))
    return found


def _table(node: Node, shown: Callable[[Node], str]) -> str:
    """Row by row."""
    return f"[{', '.join(_table(one, shown) if one.op == 'list' else shown(one) for one in node.args)}]"


def _is_one(node: Node) -> bool:
    """The unit matrix, written out."""
    rows = [row.args for row in node.args if row.op == "list"]
    square = node.op == "list" and len(rows) == len(node.args) and all(len(row) == len(rows) for row in rows)
    return square and all(cell == num(int(i == j)) for i, row in enumerate(rows) for j, cell in enumerate(row))


def _sure(name: str) -> bool:
    """What is made of plain letters is no random number, unless noise and labels are among them."""
    return "bold" not in name and not RANDOM & set(re.findall(r"\w+", name))


def _sum(parts: list[Node]) -> Node:
    total = num(0)
    for part in parts:
        total = Node("+", (total, part))
    return total


def _cyclic(word: tuple[str, ...]) -> tuple[str, ...]:
    """The trace does not change when a word is turned."""
    return min((word[k:] + word[:k] for k in range(len(word))), default=word)


def _reversed(word: tuple[str, ...]) -> tuple[str, ...]:
    """The transpose of a word; covariances are their own."""
    return tuple(
        one if one in SYMMETRIC else one.removesuffix(".T") if one.endswith(".T") else f"{one}.T"
        for one in reversed(word)
    )


def keys(relation: Relation, notation: Notation) -> frozenset[str]:
    """Texts by which a relation is known: two relations say the same when they share one.

    One is both sides as they stand; for numbers another is their difference, up to a positive number.
    """
    normal = Normal(notation)
    op, left, right = relation.op, relation.left, relation.right
    if op in FLIPPED and op[0] == ">":
        op, left, right = FLIPPED[op], right, left
    try:
        sides = [normal.told(left), normal.told(right)]
        found = {f"{op} {side}" for side in (" | ".join(sides), " | ".join(reversed(sides)))[: 2 if op == "==" else 1]}
        if all(sort_of(side, notation) == NUMBER and side.op != "list" for side in (left, right)):
            found.add(f"{op} 0 | {_monic(Node('-', (normal.number(right), normal.number(left))), op == '==')}")
    except KernelError:
        return frozenset()
    return frozenset(one for one in found if not one.endswith("| 0"))


def _monic(node: Node, signless: bool) -> str:
    """A number up to a positive number, or up to any where the sign does not matter; "0" for zero."""
    ring, (value,), _ = scalars_of([node])
    if value.num.is_zero():
        return "0"
    first = value.num.leading_coefficient()
    scale = first if signless or first > 0 else -first
    return text(fraction_node(Frac.of(value.num / scale, value.den), ring.names))
