r"""Formulas as LaTeX in the paper's notation. `reader` gives the same formula back.

to_latex(parse_relation("norm <= kt*sum(i, 1, d, lam[i])"), notation)
"""

from __future__ import annotations

from fractions import Fraction

from theory.kernel.lang import FOREVER, Node, Relation
from theory.reading.latex.atoms import Unreadable, atoms
from theory.reading.latex.kinds import MATRIX, sort_of
from theory.reading.latex.match import match
from theory.reading.latex.notation import Glyph, Notation

SIGNS = {
    "<=": r"\leq",
    ">=": r"\geq",
    "==": "=",
    "!=": r"\neq",
    "<": "<",
    ">": ">",
    "<<": r"\preceq",
    ">>": r"\succeq",
    ":=": ":=",
}
NAMED = {
    "exp": r"\exp",
    "log": r"\log",
    "sin": r"\sin",
    "cos": r"\cos",
    "tr": r"\operatorname{tr}",
    "inv": r"\operatorname{inv}",
}
BIG = {"sum": r"\sum", "prod": r"\prod"}
SUM, PRODUCT, TIGHT = 1, 2, 3
LEVEL = {"+": SUM, "-": SUM, "*": PRODUCT, "@": PRODUCT, "neg": PRODUCT, "sum": PRODUCT, "prod": PRODUCT}
TALL = (r"\frac", r"\sum", r"\prod", r"\begin", r"\left", r"\sqrt", r"\binom")


def to_latex(formula: Node | Relation, notation: Notation) -> str:
    """A formula or a relation as LaTeX."""
    if isinstance(formula, Node):
        return _Printer(notation).node(formula)
    return _relation(formula, notation)


def _relation(relation: Relation, notation: Notation) -> str:
    sample = ""
    tail = ""
    if relation.binder is not None:
        index, low, high = relation.binder
        if str(low) == str(high) == "Omega":
            sample, tail = index, r"\quad\text{almost surely}"
        elif low.op == high.op == "domain":
            sample, tail = index, r"\quad\text{for every sample}"
        elif low.op == "points":
            tail = _vectors(relation, notation)
        else:
            printer = _Printer(notation)
            name, first = printer.name(index), printer.node(low)
            last = rf" = {first}, \dots, {printer.node(high)}" if high != FOREVER else rf" = {first}, \dots"
            tail = rf"\quad\text{{for all }} {name}{last}"
    printer = _Printer(notation, sample)
    return f"{printer.node(relation.left)} {SIGNS[relation.op]} {printer.node(relation.right)}{tail}"


def _vectors(relation: Relation, notation: Notation) -> str:
    r"""for all u_1, u_2 in R^d, and for every sample where one is bound beside them."""
    assert relation.binder is not None
    bound = (relation.binder, *relation.more)
    printer = _Printer(notation)
    names = ", ".join(printer.name(name) for name, low, _ in bound if low.op == "points")
    size = printer.node(relation.binder[1].args[0])
    sample = r" \text{ and every sample}" if any(low.op == "domain" for _, low, _ in bound) else ""
    return rf"\quad\text{{for all }} {names} \in \mathbb{{R}}^{{{size}}}{sample}"


class _Printer:
    """`sample` is the sample whose random quantities are set without it; `dotted` products have a dot, in indices."""

    def __init__(self, notation: Notation, sample: str = "", dotted: bool = False) -> None:
        self.notation, self.sample, self.dotted = notation, sample, dotted

    def node(self, node: Node) -> str:
        op, args = node.op, node.args
        own = self.notation.operation(op, len(args))
        if own is not None:
            return self.filled(own, [self.node(arg) for arg in args])
        writer = WRITERS.get(op)
        if writer is not None:
            return writer(self, node)
        return self.call(node)

    def name(self, name: str) -> str:
        return self.notation[name].latex

    def filled(self, glyph: Glyph, args: list[str]) -> str:
        latex = glyph.latex
        for k, arg in enumerate(args, start=1):
            latex = latex.replace(f"#{k}", arg)
        return latex

    def wrapped(self, node: Node, least: int) -> str:
        """With brackets where the operation binds less than it has to, or begins with a sign."""
        latex = self.node(node)
        return brackets(latex) if level(node) < least or latex.startswith("-") else latex

    # --- the operations ----------------------------------------------------------------------------------------

    def number(self, node: Node) -> str:
        value = Fraction(node.value)
        shown = str(abs(value.numerator))
        if value.denominator != 1:
            shown = rf"\frac{{{shown}}}{{{value.denominator}}}"
        return f"-{shown}" if value < 0 else shown

    def symbol(self, node: Node) -> str:
        glyph = self.notation[str(node.value)]
        return glyph.latex if self.is_plain(glyph.latex, glyph) else brackets(glyph.latex)

    def is_plain(self, latex: str, glyph: Glyph) -> bool:
        """Is this read as the glyph, and not as another one that begins alike?"""
        try:
            given = atoms(latex)
        except Unreadable:
            return True
        found = next((m for one in self.notation.starting(*given[:1]) if (m := match(one, given, 0))), None)
        return found is None or found.glyph.name == glyph.name

    def added(self, node: Node) -> str:
        left, right = node.args
        least = PRODUCT
        return f"{self.node(left)} {node.op} {self.wrapped(right, least)}"

    def negative(self, node: Node) -> str:
        inner = node.args[0]
        tight = level(inner) >= TIGHT and inner.op != "num"
        latex = self.node(inner)
        return f"-{latex if tight and not latex.startswith('-') else brackets(latex)}"

    def product(self, node: Node) -> str:
        left, right = node.args
        first = self.node(left)
        if level(left) < PRODUCT or ends_open(left):
            first = brackets(first)
        second = self.node(right)
        if (level(right) < TIGHT and right.op not in BIG) or second.startswith("-"):
            second = brackets(second)
        gap = r" \cdot " if second[0].isdigit() or (second.startswith(r"\frac") and right.op == "num") else " "
        if self.dotted or (first[-1].isdigit() and second.startswith(r"\frac")):
            gap = r" \cdot "
        return f"{first}{gap}{second}"

    def quotient(self, node: Node) -> str:
        top, bottom = node.args
        if top.op == bottom.op == "num":  # a quotient that is no number, such as 1/0
            return rf"\frac{{{brackets(self.node(top))}}}{{{self.node(bottom)}}}"
        if self.dotted and top.op == "sym" and bottom.op == "num":  # T/2 in an index
            return f"{self.node(top)}/{self.node(bottom)}"
        return rf"\frac{{{self.node(top)}}}{{{self.node(bottom)}}}"

    def power(self, node: Node) -> str:
        base, exponent = node.args
        return self.raised(base, self.node(exponent))

    def raised(self, base: Node, upper: str) -> str:
        latex = self.node(base)
        if base.op == "sym":
            glyph = self.notation[str(base.value)]
            plain = _free(latex, "sup") and self.is_plain(f"{latex}^{{{upper}}}", glyph)
            return f"{latex if plain else brackets(latex)}^{{{upper}}}"
        if base.op == "index" and _free(latex, "sup") and base.args[0].op == "sym":
            glyph = self.notation[str(base.args[0].value)]
            if self.is_plain(f"{latex}^{{{upper}}}", glyph):
                return f"{latex}^{{{upper}}}"
        if base.op == "list" or (base.op == "num" and latex.isdigit()):
            return f"{latex}^{{{upper}}}"
        return f"{brackets(latex)}^{{{upper}}}"

    def index(self, node: Node) -> str:
        base, *places = node.args
        taking = self.notation.taking.get((str(base.value), len(places))) if base.op == "sym" else None
        if taking is not None:
            inside = _Printer(self.notation, self.sample, dotted=True)
            return self.filled(taking, [inside.node(place) for place in places])
        glyph = self.notation[str(base.value)] if base.op == "sym" else None
        if glyph is not None and glyph.kind == "random" and self.sample and str(places[-1]) == self.sample:
            places = places[:-1]
            if not places:
                return self.symbol(base)
        inner = _Printer(self.notation, self.sample, dotted=True)
        shown = [inner.node(place) for place in places]
        if glyph is not None and glyph.holes == len(shown):
            return self.filled(glyph, shown)
        latex = self.node(base)
        lower = f"_{{{', '.join(shown)}}}"
        plain = glyph is not None and _free(latex, "sub") and self.is_plain(latex + lower, glyph)
        return (latex if plain else brackets(latex)) + lower

    def transpose(self, node: Node) -> str:
        return self.raised(node.args[0], r"\top")

    def inverse(self, node: Node) -> str:
        if sort_of(node.args[0], self.notation) != MATRIX:
            return self.call(node)
        return self.raised(node.args[0], "-1")

    def listed(self, node: Node) -> str:
        rows = [row.args if row.op == "list" else (row,) for row in node.args]
        body = r" \\ ".join(" & ".join(self.node(cell) for cell in row) for row in rows)
        return rf"\begin{{pmatrix}} {body} \end{{pmatrix}}"

    def big(self, node: Node) -> str:
        index, low, high, body = node.args
        inner = self.wrapped(body, PRODUCT)
        return rf"{BIG[node.op]}_{{{self.node(index)} = {self.node(low)}}}^{{{self.node(high)}}} {inner}"

    def mean(self, node: Node) -> str:
        sample = str(node.args[0].value)
        inner = _Printer(self.notation, sample).node(node.args[1])
        lower = "" if sample == self.notation.sample else f"_{{{self.name(sample)}}}"
        return rf"\mathbb{{E}}{lower}\left[{inner}\right]"

    def iterate(self, node: Node) -> str:
        state, count, start, body = map(self.node, node.args)
        return rf"\left({state} \mapsto {body}\right)^{{{count}}}\left({start}\right)"

    def root(self, node: Node) -> str:
        return rf"\sqrt{{{self.node(node.args[0])}}}"

    def extreme(self, node: Node) -> str:
        return rf"\{node.op}\left\{{{', '.join(map(self.node, node.args))}\right\}}"

    def applied(self, node: Node) -> str:
        """A function of the paper: its template, or its name with the arguments in brackets."""
        shown = [self.node(arg) for arg in node.args]
        own = self.notation.taking.get((str(node.value), len(shown)))
        own = own or self.notation.operation(str(node.value), len(shown))
        return self.filled(own, shown) if own else rf"{self.name(str(node.value))}\left({', '.join(shown)}\right)"

    def call(self, node: Node) -> str:
        named = NAMED.get(node.op) or self.name(node.op)
        return rf"{named}\left({', '.join(map(self.node, node.args))}\right)"


def level(node: Node) -> int:
    return LEVEL.get(node.op, TIGHT)


def ends_open(node: Node) -> bool:
    """Does it end in a sum, which would take what follows for its own?"""
    while node.op in ("*", "@", "neg"):
        node = node.args[-1]
    return node.op in BIG


def brackets(latex: str) -> str:
    return rf"\left({latex}\right)" if any(mark in latex for mark in TALL) else f"({latex})"


def _free(latex: str, script: str) -> bool:
    """Can the LaTeX of a name take one more script?"""
    try:
        given = atoms(latex)
    except Unreadable:
        return False
    return bool(given) and getattr(given[-1], script) is None and given[-1].kind == "letter"


WRITERS = {
    "num": _Printer.number,
    "sym": _Printer.symbol,
    "+": _Printer.added,
    "-": _Printer.added,
    "*": _Printer.product,
    "@": _Printer.product,
    "neg": _Printer.negative,
    "/": _Printer.quotient,
    "**": _Printer.power,
    "index": _Printer.index,
    "T": _Printer.transpose,
    "inv": _Printer.inverse,
    "list": _Printer.listed,
    "sum": _Printer.big,
    "prod": _Printer.big,
    "mean": _Printer.mean,
    "E": _Printer.mean,
    "iterate": _Printer.iterate,
    "sqrt": _Printer.root,
    "min": _Printer.extreme,
    "max": _Printer.extreme,
    "call": _Printer.applied,
}
