r"""LaTeX as formulas, in the paper's notation: what cannot be read in exactly one way is refused, with the reason.

from_latex(r"\|\mathbf{x}_{k+1}\|^2 \le (1-\eta\mu)\|\mathbf{x}_k\|^2", notation)   relations, a chain link by link
formula_from_latex(r"\frac{1}{2}\kappa", notation)                                  one formula
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import pairwise

from theory.kernel.lang import Node, Relation, num, sym
from theory.reading.latex.atoms import Atom, Atoms, Unreadable, atoms, sign
from theory.reading.latex.kinds import COLUMN, MATRIX, NUMBER, ROW, sort_of, times
from theory.reading.latex.match import Match, match
from theory.reading.latex.notation import Notation

RELATIONS = {"<=": "<=", ">=": ">=", "<": "<", ">": ">", "=": "==", "!=": "!=", "<<": "<<", ">>": ">>", ":=": ":="}
NAMED = {"exp": "exp", "log": "log", "sin": "sin", "cos": "cos", "tr": "tr", "inv": "inv", "Tr": "tr", "trace": "tr"}
MATRIX_TABLES = frozenset({"pmatrix", "bmatrix", "smallmatrix", "matrix"})
ROW_TABLES = frozenset({"aligned", "gathered", "split", "alignedat", "multlined", "array"})
TRANSPOSES = frozenset({r"\top", r"\intercal", "rm:T", "sf:T"})
SURELY = ("almost surely", "a.s.", "almost every sample", "with probability one")
FORALL = ("for all", "for every", "for each", "for", "forall")


def formula_from_latex(source: str, notation: Notation) -> Node:
    """One formula."""
    return _Reader(notation).formula(_closed(atoms(source)))


def from_latex(source: str, notation: Notation) -> tuple[Relation, ...]:
    """The relations that a display states, in order; `a = b \\le c` is two."""
    found: list[Relation] = []
    for part in _parts(_rows(source)):
        found += _relations(part, notation)
    if not found:
        raise Unreadable(f"{source[:60]!r} states no relation")
    return tuple(found)


def _rows(source: str) -> Atoms:
    """One list: alignment marks and line ends between rows say nothing; a table of rows is opened."""
    flat: list[Atom] = []
    table = atoms(rf"\begin{{aligned}}{source}\end{{aligned}}")[0]
    for row in _cells(table):
        for atom in row:
            if atom.kind == "table" and atom.name in ROW_TABLES and atom.bare:
                flat += [inner for more in _cells(atom) for inner in more]
            else:
                flat.append(atom)
    return _closed(tuple(flat))


def _cells(table: Atom) -> list[Atoms]:
    """The rows of a table of formulas; a row that goes on without a sign begins a formula of its own."""
    rows: list[Atoms] = []
    at = 0
    for count in table.rows:
        cells = [atom for cell in table.args[at : at + count] for atom in cell]
        at += count
        goes_on = bool(cells) and cells[0].kind == "sign"
        rows.append(((Atom("break", ""),) if rows and not goes_on and _complete(rows[-1]) else ()) + tuple(cells))
    return rows


def _complete(row: Atoms) -> bool:
    """Is the row before finished? It is not when it ends with a sign, such as + or =."""
    return bool(row) and not (row[-1].kind == "sign" and row[-1].name not in (",", ".", ";"))


def _closed(given: Atoms) -> Atoms:
    """Without the punctuation of the sentence around it."""
    while given and (sign(given[-1], ",", ".", ";") or given[-1].kind == "break"):
        given = given[:-1]
    while given and given[0].kind == "break":
        given = given[1:]
    return given


def _parts(given: Atoms) -> list[Atoms]:
    """Formulas side by side: cut at commas, wide spaces and `and`; what `for all` says stays with its formula."""
    parts: list[list[Atom]] = [[]]
    bound = False
    for atom in given:
        if atom.kind == "words":
            word = atom.name.strip().lower()
            bound = word in FORALL or word in SURELY
            if not bound and word not in ("and", "or", "", ","):
                raise Unreadable(f"the words {atom.name.strip()!r} are no formula")
            if word == "or":
                raise Unreadable("one formula or another is no claim")
            if not bound:
                parts.append([])
                continue
        if atom.kind == "letter" and atom.name == r"\forall":
            bound = True
            atom = Atom("words", "for all")
        if not bound and (atom.kind == "break" or sign(atom, ",", ";")):
            parts.append([])
            continue
        if atom.kind != "break":
            parts[-1].append(atom)
    return _reunited([tuple(part) for part in parts if part])


def _reunited(parts: list[Atoms]) -> list[Atoms]:
    """`…, for all i` belongs to what stands before it."""
    found: list[Atoms] = []
    for part in parts:
        if found and part[0].kind == "words":
            found[-1] += part
        else:
            found.append(part)
    return found


def _relations(given: Atoms, notation: Notation) -> list[Relation]:
    words = next((k for k, atom in enumerate(given) if atom.kind == "words"), len(given))
    body, tail = given[:words], given[words:]
    scope = _Scope()
    if tail and tail[0].name.strip().lower() in SURELY:
        scope = _Scope(sample=notation.sample)
        binder: tuple[str, Node, Node] | None = (notation.sample, sym("Omega"), sym("Omega"))
        if len(tail) > 1:
            raise Unreadable("more than `almost surely` stands after the formula")
    else:
        binder = _binder(tail[1:], notation) if tail else None
    if binder is not None and not scope.sample:
        scope = _Scope(bound=(binder[0],))
    reader = _Reader(notation, scope)
    cuts = [k for k, atom in enumerate(body) if atom.kind == "sign" and atom.name in RELATIONS and atom.bare]
    if not cuts:
        strange = next((atom.name for atom in body if atom.kind == "sign" and not atom.name.isascii()), "")
        told = f"{strange} is no relation of the language" if strange else "a formula without a relation states nothing"
        raise Unreadable(told)
    ends = [-1, *cuts, len(body)]
    sides = [reader.formula(_closed(body[a + 1 : b])) for a, b in pairwise(ends)]
    return [Relation(RELATIONS[body[cut].name], sides[k], sides[k + 1], binder) for k, cut in enumerate(cuts)]


def _binder(tail: Atoms, notation: Notation) -> tuple[str, Node, Node]:
    """k = lo, …, hi after `for all`."""
    reader = _Reader(notation)
    tail = _closed(tail)
    marks = [k for k, atom in enumerate(tail) if sign(atom, "=", "…", ",")]
    names = [tail[k].name for k in marks]
    if names[:3] != ["=", ",", "…"] or names[-1] != ",":
        raise Unreadable("the range after `for all` is not written as k = 1, …, n")
    index = reader.bound_name(*tail[: marks[0]])
    return index, reader.formula(tail[marks[0] + 1 : marks[1]]), reader.formula(tail[marks[-1] + 1 :])


@dataclass(frozen=True)
class _Scope:
    """Names that are bound here, and the sample of the expectation around."""

    bound: tuple[str, ...] = ()
    sample: str = ""


class _Reader:
    def __init__(self, notation: Notation, scope: _Scope = _Scope()) -> None:  # noqa: B008  # frozen
        self.notation, self.scope = notation, scope

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
        if atom.kind == "number":
            node = self.scripted(num(Fraction(atom.name)), atom)
            return node, at + 1, atom.bare
        if atom.kind == "call":
            return self.call(given, at)
        if atom.kind == "fence":
            return self.fence(given, at)
        if atom.kind == "table" and atom.name in MATRIX_TABLES:
            return self.scripted(self.listed(atom), atom), at + 1, False
        if atom.kind == "letter":
            return (*self.letter(given, at), False)
        raise Unreadable(f"{_shown(atom)} is no part of the language")

    def matched(self, given: Atoms, at: int) -> Match | None:
        return next((found for one in self.notation.patterns if (found := match(one, given, at))), None)

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
            node = Node(glyph.name, tuple(map(self.formula, _split(following.args[0]))))
            return self.scripted(node, replace(following, args=())), end + 1
        return self.scripted(node, rest), end

    def letter(self, given: Atoms, at: int) -> tuple[Node, int]:
        atom = given[at]
        if atom.name == "bb:E":
            return self.expectation(given, at)
        if atom.name in ("e", "rm:e") and atom.sup is not None and atom.sub is None:
            return Node("exp", (self.formula(atom.sup),)), at + 1
        bare = replace(atom, sub=None, sup=None)
        for name in (*self.scope.bound, self.notation.sample):
            if atoms(self.notation[name].latex) == (bare,) and not atom.primes:
                return self.scripted(sym(name), atom), at + 1
        raise Unreadable(f"{_shown(atom)} is no symbol of the paper's symbols file")

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
            return (*self.big(given, at), False)
        if atom.name == "op":
            return (*self.named(given, at), False)
        raise Unreadable(f"{_shown(atom)} is no part of the language")

    def named(self, given: Atoms, at: int) -> tuple[Node, int]:
        """exp, log, tr, min, …: before brackets, or before what follows."""
        atom, word = given[at], given[at].args[0][0].name
        following = given[at + 1] if at + 1 < len(given) else None
        if word in ("min", "max") and following is not None and following.kind == "fence" and atom.bare:
            node = Node(word, tuple(map(self.formula, _split(following.args[0]))))
            return self.scripted(node, replace(following, args=())), at + 2
        if word not in NAMED or following is None or atom.sub is not None:
            raise Unreadable(f"{word} is no function of the language")
        if following.kind == "fence" and following.name in ("(", "[", "{"):
            node, end = Node(NAMED[word], (self.formula(following.args[0]),)), at + 2
            node = self.scripted(node, replace(following, args=()))
        elif NAMED[word] == "tr":
            node, end = Node("tr", (self.term(given[at + 1 :]),)), len(given)
        else:
            inner, end, _ = self.factor(given, at + 1)
            if end < len(given) and not sign(given[end], "/", "*"):
                raise Unreadable(f"where the argument of {word} ends can be read in two ways; write brackets")
            node = Node(NAMED[word], (inner,))
        return (self.scripted(node, atom) if atom.sup is not None else node), end

    def big(self, given: Atoms, at: int) -> tuple[Node, int]:
        """A sum takes the product that follows it."""
        atom, word = given[at], given[at].args[0][0].name
        if word not in ("sum", "prod") or atom.sub is None or atom.sup is None:
            raise Unreadable(f"a {word} without its range is no part of the language")
        equals = next((k for k, one in enumerate(atom.sub) if sign(one, "=")), 0)
        if not equals:
            raise Unreadable(f"the range of a {word} is not written as i = 1")
        index = self.bound_name(*atom.sub[:equals])
        low, high = self.formula(atom.sub[equals + 1 :]), self.formula(atom.sup)
        inner = _Reader(self.notation, replace(self.scope, bound=(*self.scope.bound, index)))
        return Node(word, (sym(index), low, high, inner.term(given[at + 1 :]))), len(given)

    def expectation(self, given: Atoms, at: int) -> tuple[Node, int]:
        atom = given[at]
        sample = self.notation.sample if atom.sub is None else self.bound_name(*atom.sub)
        inner = _Reader(self.notation, replace(self.scope, sample=sample))
        following = given[at + 1] if at + 1 < len(given) else None
        if atom.sup is not None or atom.primes or following is None:
            raise Unreadable("an expectation is not written as E[…]")
        if following.kind == "fence" and following.name in ("[", "(", "{"):
            node = Node(self.notation.mean, (sym(sample), inner.formula(following.args[0])))
            return self.scripted(node, replace(following, args=())), at + 2
        return Node(self.notation.mean, (sym(sample), inner.term(given[at + 1 :]))), len(given)

    def bound_name(self, *given: Atom) -> str:
        """The name of an index or of a sample."""
        found = self.matched(given, 0)
        if found is not None and found.length == len(given) and found.sub is None and found.sup is None:
            return found.glyph.name
        if len(given) != 1 or not given[0].bare or given[0].kind != "letter":
            raise Unreadable("a bound name is not one letter")
        name = given[0].name.lstrip("\\")
        if not name.isidentifier():
            raise Unreadable(f"{_shown(given[0])} is no name of an index")
        return name

    def fence(self, given: Atoms, at: int) -> tuple[Node, int, bool]:
        atom = given[at]
        if atom.name not in ("(", "[", "{", "{}"):
            raise Unreadable(f"brackets {atom.name} are no part of the language here")
        inner = atom.args[0]
        arrow = next((k for k, one in enumerate(inner) if sign(one, "|->")), -1)
        if arrow >= 0:
            return self.iteration(given, at, arrow)
        if any(sign(one, ",") for one in inner):
            raise Unreadable("a list in brackets is no number")
        return self.scripted(self.formula(inner), atom), at + 1, False

    def iteration(self, given: Atoms, at: int, arrow: int) -> tuple[Node, int, bool]:
        """(s -> body)^n (start)."""
        atom, inner = given[at], given[at].args[0]
        start = given[at + 1] if at + 1 < len(given) else None
        if atom.sup is None or start is None or start.kind != "fence":
            raise Unreadable("a map is not written as (s \\mapsto …)^n(…)")
        state, begin = self.bound_name(*inner[:arrow]), self.formula(start.args[0])
        kind = {COLUMN: "vector", MATRIX: "matrix"}.get(sort_of(begin, self.notation), "real")
        notation = self.notation.but(state, kind)
        body = _Reader(notation, replace(self.scope, bound=(*self.scope.bound, state))).formula(inner[arrow + 1 :])
        node = Node("iterate", (sym(state), self.formula(atom.sup), begin, body))
        return self.scripted(node, replace(start, args=())), at + 2, False

    def listed(self, table: Atom) -> Node:
        cells = [self.formula(cell) for cell in table.args]
        if all(count == 1 for count in table.rows):
            return Node("list", tuple(cells))
        if len(set(table.rows)) > 1:
            raise Unreadable("the rows of a matrix differ in length")
        width = table.rows[0]
        return Node("list", tuple(Node("list", tuple(cells[k : k + width])) for k in range(0, len(cells), width)))

    def places(self, lower: Atoms) -> list[Node]:
        """Indices between commas. Two letters side by side are two indices or a product: that is refused."""
        parts = _split(lower)
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


def _split(given: Atoms) -> list[Atoms]:
    """Cut at commas."""
    parts: list[list[Atom]] = [[]]
    for atom in given:
        if sign(atom, ","):
            parts.append([])
        else:
            parts[-1].append(atom)
    return [tuple(part) for part in parts]


def _shown(atom: Atom) -> str:
    return repr(atom.name.replace("bold:", "").replace("rm:", "") or atom.kind)


def names_of(relations: Sequence[Relation]) -> frozenset[str]:
    """Every name in these relations, bound ones included."""
    from theory.kernel.lang import walk

    parts = [part for one in relations for side in (one.left, one.right) for part in walk(side)]
    found = {str(part.value) for part in parts if part.op == "sym"}
    for one in relations:
        if one.binder is not None:
            found |= {one.binder[0]} | {str(p.value) for side in one.binder[1:] for p in walk(side) if p.op == "sym"}
    return frozenset(found - {"Omega"})
