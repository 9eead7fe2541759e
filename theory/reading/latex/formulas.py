r"""One formula of LaTeX as a formula of the language: terms, factors, names with their indices, powers.

What stands before brackets or carries a range (functions, sums, expectations, maps, tables) is in `operators`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import pairwise
from typing import Any

from theory.kernel.lang import Node, num, sym
from theory.reading.latex import operators
from theory.reading.latex.atoms import Atom, Atoms, Unreadable, atoms, sign
from theory.reading.latex.kinds import COLUMN, MATRIX, NUMBER, ROW, sort_of, times
from theory.reading.latex.match import Match, match
from theory.reading.latex.notation import Notation
from theory.reading.latex.operators import is_order, shown, split

MATRIX_TABLES = frozenset({"pmatrix", "bmatrix", "smallmatrix", "matrix"})
TRANSPOSES = frozenset({r"\top", r"\intercal", "rm:T", "sf:T"})


@dataclass(frozen=True)
class Scope:
    """Names that are bound here, and the sample of the expectation around."""

    bound: tuple[str, ...] = ()
    sample: str = ""


class FormulaReader:
    """Reads with one notation in one scope."""

    def __init__(self, notation: Notation, scope: Scope = Scope()) -> None:  # noqa: B008  # frozen
        self.notation, self.scope = notation, scope

    def inside(self, **more: Any) -> FormulaReader:
        """A reader of what stands below a binder."""
        return FormulaReader(self.notation, replace(self.scope, **more))

    # --- sums and products -------------------------------------------------------------------------------------

    def formula(self, given: Atoms) -> Node:
        """Terms, added and subtracted from left to right."""
        if not given:
            raise Unreadable("a formula is expected where nothing stands")
        cuts = [k for k, atom in enumerate(given) if sign(atom, "+", "-") and self._is_binary(given, k)]
        ends = [-1, *cuts, len(given)]
        total: Node | None = None
        for k, (a, b) in enumerate(pairwise(ends)):
            term = self.term(given[a + 1 : b])
            total = term if total is None else Node(given[cuts[k - 1]].name, (total, term))
        assert total is not None
        return total

    def _is_binary(self, given: Atoms, k: int) -> bool:
        """A sign at the beginning, or after another sign, belongs to the number behind it."""
        before = given[k - 1] if k else None
        if before is None:
            return False
        if before.kind == "call" and before.name in ("op", "big"):
            return False
        return not (before.kind == "sign" and before.bare)

    def term(self, given: Atoms) -> Node:
        """Factors side by side, from left to right; a minus in front belongs to the first of them."""
        if not given:
            raise Unreadable("a term is expected where nothing stands")
        at, minus = 0, False
        while at < len(given) and sign(given[at], "+", "-"):
            minus ^= given[at].name == "-"
            at += 1
        if at > 1:
            raise Unreadable("two signs in a row")
        product, at, bare = self.factor(given, at)
        if minus:
            product = num(-Fraction(product.value)) if bare and product.op == "num" else Node("neg", (product,))
        divided = False
        while at < len(given):
            mark = given[at]
            if sign(mark, "/"):
                right, at, _ = self.factor(given, at + 1)
                product, divided = self.quotient(product, right), True
                continue
            if sign(mark, "*"):
                at += 1
            elif divided:
                raise Unreadable("a/b c can be read in two ways; write a fraction or brackets")
            right, at, _ = self.factor(given, at)
            product, divided = Node(times(product, right, self.notation), (product, right)), False
        return product

    @staticmethod
    def quotient(top: Node, bottom: Node) -> Node:
        if top.op == bottom.op == "num" and bottom.value:
            return num(Fraction(top.value) / Fraction(bottom.value))
        return Node("/", (top, bottom))

    # --- factors -----------------------------------------------------------------------------------------------

    def factor(self, given: Atoms, at: int) -> tuple[Node, int, bool]:
        """One factor, where it ends, and whether it is a number without brackets."""
        if at >= len(given):
            raise Unreadable("a factor is expected at the end")
        atom = given[at]
        found = self.matched(given, at)
        if found is not None:
            node, at = self.known(found, given, at)
            return node, at, False
        if is_order(given, at):
            raise Unreadable("an order of magnitude hides its constant, so that it is no formula")
        if atom.kind == "number":
            node = self.scripted(num(Fraction(atom.name)), atom)
            return node, at + 1, atom.bare
        if atom.kind == "call":
            return self.call(given, at)
        if atom.kind == "fence":
            return self.fence(given, at)
        if atom.kind == "table" and atom.name in MATRIX_TABLES:
            return self.scripted(operators.listed(self, atom), atom), at + 1, False
        if atom.kind == "letter":
            return (*self.letter(given, at), False)
        raise Unreadable(f"{shown(atom)} is no part of the language")

    def matched(self, given: Atoms, at: int) -> Match | None:
        near = self.notation.starting(*given[at : at + 1])
        return next((found for one in near if (found := match(one, given, at))), None)

    def is_name(self, given: Atoms) -> bool:
        """Does one symbol of the paper stand here, with its index perhaps, and nothing else?"""
        found = self.matched(given, 0) if given else None
        return found is not None and not found.glyph.operation and found.length == len(given) and found.sup is None

    def known(self, found: Match, given: Atoms, at: int) -> tuple[Node, int]:
        """A name or a notion of the paper, with its indices, its arguments and its powers."""
        glyph, end = found.glyph, at + found.length
        holes = [found.holes[str(k)] for k in range(1, glyph.holes + 1)]
        rest = Atom("letter", "", sub=found.sub, sup=found.sup)
        if glyph.operation or (holes and glyph.kind == "function"):
            return self.scripted(Node(glyph.name, tuple(map(self.formula, holes))), rest), end
        node = sym(glyph.name)
        places = [self.formula(hole) for hole in holes]
        if found.sub is not None:
            places += self.places(found.sub)
            rest = replace(rest, sub=None)
        if glyph.kind == "random" and self.scope.sample:
            places.append(sym(self.scope.sample))
        if places:
            node = Node("index", (node, *places))
        following = given[end] if end < len(given) else None
        if glyph.kind == "function" and following is not None and following.kind == "fence" and following.name == "(":
            node = Node(glyph.name, tuple(map(self.formula, split(following.args[0]))))
            return self.scripted(node, replace(following, args=())), end + 1
        return self.scripted(node, rest), end

    def letter(self, given: Atoms, at: int) -> tuple[Node, int]:
        atom = given[at]
        own = self.notation.letter(self, given, at)
        if own is not None:
            return own
        if atom.name == "bb:E":
            return operators.expectation(self, given, at)
        if atom.name in ("e", "rm:e") and atom.sup is not None and atom.sub is None:
            return Node("exp", (self.formula(atom.sup),)), at + 1
        bare = replace(atom, sub=None, sup=None)
        for name in (*self.scope.bound, self.notation.sample):
            if atoms(self.notation[name].latex) == (bare,) and not atom.primes:
                return self.scripted(sym(name), atom), at + 1
        raise Unreadable(f"{shown(atom)} is no symbol of the paper's symbols file")

    def call(self, given: Atoms, at: int) -> tuple[Node, int, bool]:
        atom = given[at]
        if atom.name == "frac":
            node = self.quotient(self.formula(atom.args[0]), self.formula(atom.args[1]))
            if atom.bare and len(atom.args[0]) == 1 and atom.args[0][0].kind == "fence":
                node = Node("/", (self.formula(atom.args[0]), self.formula(atom.args[1])))
            plain = node.op == "num" and atom.bare and atom.args[0][0].kind == "number"
            return self.scripted(node, atom), at + 1, plain
        if atom.name == "sqrt":
            return self.scripted(Node("sqrt", (self.formula(atom.args[0]),)), atom), at + 1, False
        if atom.name == "big":
            return (*operators.big(self, given, at), False)
        if atom.name == "op":
            return (*operators.named(self, given, at), False)
        raise Unreadable(f"{shown(atom)} is no part of the language")

    def bound_name(self, *given: Atom) -> str:
        """The name of an index or of a sample."""
        found = self.matched(given, 0)
        if found is not None and found.length == len(given) and found.sub is None and found.sup is None:
            return found.glyph.name
        if len(given) != 1 or not given[0].bare or given[0].kind != "letter":
            raise Unreadable("a bound name is not one letter")
        name = given[0].name.lstrip("\\")
        if not name.isidentifier():
            raise Unreadable(f"{shown(given[0])} is no name of an index")
        return name

    def fence(self, given: Atoms, at: int) -> tuple[Node, int, bool]:
        atom = given[at]
        if atom.name not in ("(", "[", "{", "{}"):
            raise Unreadable(f"brackets {atom.name} are no part of the language here")
        inner = atom.args[0]
        arrow = next((k for k, one in enumerate(inner) if sign(one, "|->")), -1)
        if arrow >= 0:
            return operators.iteration(self, given, at, arrow)
        if any(sign(one, ",") for one in inner):
            raise Unreadable("a list in brackets is no number")
        return self.scripted(self.formula(inner), atom), at + 1, False

    def places(self, lower: Atoms) -> list[Node]:
        """Indices between commas. Two letters side by side are two indices or a product: that is refused."""
        parts = split(lower)
        if any(a.kind == b.kind == "letter" for part in parts for a, b in pairwise(part)):
            raise Unreadable("two letters side by side in an index can be read in two ways; put a comma between them")
        return [self.formula(part) for part in parts]

    # --- scripts -----------------------------------------------------------------------------------------------

    def scripted(self, node: Node, atom: Atom) -> Node:
        """Indices, then powers, transposes and inverses."""
        if atom.primes:
            raise Unreadable("a prime is no part of the language; give the primed symbol a name in the symbols file")
        if atom.sub is not None:
            node = Node("index", (node, *self.places(atom.sub)))
        if atom.sup is None:
            return node
        sort, upper = sort_of(node, self.notation), atom.sup
        if len(upper) == 1 and upper[0].kind == "letter" and upper[0].bare and upper[0].name in TRANSPOSES:
            return Node("T", (node,))
        if len(upper) == 1 and upper[0] == Atom("letter", "T") and sort != NUMBER:
            if sort in (COLUMN, ROW):
                return Node("T", (node,))
            raise Unreadable("^T after a matrix is a transpose or a power; write \\top for the transpose")
        exponent = self.formula(upper)
        if sort == MATRIX and exponent == num(-1):
            return Node("inv", (node,))
        if exponent == num(Fraction(1, 2)) and sort == NUMBER:
            return Node("sqrt", (node,))
        return Node("**", (node, exponent))
