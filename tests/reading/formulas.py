"""Random formulas of the claim language, the parts that are still to come included, and a notation for their names."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import strategies as st

from theory.kernel.lang import Node, Relation, num, sym
from theory.reading.latex.notation import Glyph, Notation

GLYPHS = (
    Glyph("kappa_tilde", r"\tilde{\kappa}"),
    Glyph("kappa", r"\kappa"),
    Glyph("L_l", r"L_\ell"),
    Glyph("L", "L"),
    Glyph("R2", "R^2"),
    Glyph("R", "R"),
    Glyph("x", "x", "sequence"),
    Glyph("x_star", "x^*", "sequence"),
    Glyph("lam_i", r"\lambda_i"),
    Glyph("lam", r"\lambda", "sequence"),
    Glyph("k", "k", "natural"),
    Glyph("T", "T", "natural"),
    Glyph("X", "X", "random"),
    Glyph("A", r"\mathbf{A}", "matrix"),
    Glyph("S", r"\boldsymbol{\Sigma}", "psd"),
    Glyph("v", r"\mathbf{v}", "vector"),
    Glyph("C", r"\mathbf{C}_{#1}^{(\ell)}", "sequence", "matrix"),
    Glyph("Lvar", r"L_{\mathrm{var}}(#1)", "function"),
    Glyph("Pi", r"\tilde{\boldsymbol{\Pi}}_{#1}\left(#2\right)", "function", "matrix"),
    Glyph("f", "f", "function"),
    Glyph("fprime", "f'", "function"),
)
NOTATION = Notation({glyph.name: glyph for glyph in GLYPHS})
NUMBERS = ("kappa_tilde", "kappa", "L_l", "L", "R2", "R", "lam_i", "k", "T", "new_name", "n1", "eta")


# an operation and what it takes: n a number, m a matrix, v a column, i a bound index, w a sample, s a state
NUMBER_OPS = (
    ("+", "nn"), ("-", "nn"), ("*", "nn"), ("**", "nn"), ("/", "nn"), ("max", "nn"), ("min", "nnn"), ("inner", "vv"),
    ("neg", "n"), ("sqrt", "n"), ("abs", "n"), ("exp", "n"), ("log", "n"), ("sin", "n"), ("f", "n"), ("fprime", "n"),
    ("sum", "inno"), ("prod", "inno"), ("mean", "wr"), ("iterate", "snno"), ("Lvar", "m"), ("tr", "m"), ("norm2", "v"),
    ("norm2", "vm"), ("norm", "v"), ("@", "tv"), ("index", "fn"), ("+", "nn"), ("*", "nn"), ("*", "nn"),
)  # fmt: skip
MATRIX_OPS = (
    ("+", "mm"), ("-", "mm"), ("@", "mm"), ("T", "m"), ("inv", "m"), ("neg", "m"), ("*", "nm"), ("Pi", "nm"),
    ("index", "ck"), ("list", "ll"),
)  # fmt: skip
ONE = {
    "v": [sym("v"), Node("+", (sym("v"), sym("v")))],
    "t": [Node("T", (sym("v"),))],
    "i": [sym("i"), sym("j")],
    "w": [sym("w")],
    "s": [sym("s")],
    "f": [sym("lam"), sym("x"), sym("x_star"), sym("other")],
    "c": [sym("C")],
    "k": [sym("k"), Node("+", (sym("k"), num(1)))],
}


@st.composite
def formulas(draw: st.DrawFn, sort: str = "n", depth: int = 4, names: tuple[Node, ...] = ()) -> Node:
    """A formula of a sort; `names` are bound around it and may occur."""
    if sort in ONE:
        return draw(st.sampled_from(ONE[sort]))
    if sort == "l":
        return Node("list", tuple(draw(formulas("n", depth, names)) for _ in range(2)))
    if depth == 0 or draw(st.integers(0, 4)) == 0:
        return _leaf(draw, sort, names)
    op, sorts = draw(st.sampled_from(MATRIX_OPS if sort == "m" else NUMBER_OPS))
    args: list[Node] = []
    for one in sorts:
        bound = {"o": args[:1], "r": [Node("index", (sym("X"), sym("w")))]}.get(one, [])
        args.append(draw(formulas("n" if one in "or" else one, depth - 1, (*names, *bound))))
    if op == "/" and args[0].op == args[1].op == "num":  # a quotient of numbers is a number
        args[0] = sym("eta")
    return Node(op, tuple(args))


def _leaf(draw: st.DrawFn, sort: str, names: tuple[Node, ...]) -> Node:
    if sort == "m":
        return sym(draw(st.sampled_from(["A", "S"])))
    if names and draw(st.booleans()):
        return draw(st.sampled_from(names))
    if draw(st.booleans()):
        return num(Fraction(draw(st.integers(-9, 12)), draw(st.sampled_from([1, 1, 1, 2, 3, 12]))))
    return sym(draw(st.sampled_from(NUMBERS)))


@st.composite
def relations(draw: st.DrawFn) -> Relation:
    """Of numbers, or in the order of matrices; possibly for every index of a range, or almost surely."""
    if draw(st.integers(0, 3)) == 0:
        sides = draw(formulas("m", 3)), draw(formulas("m", 3))
        return Relation(draw(st.sampled_from(["<<", ">>", "=="])), *sides)
    omega = ("w", sym("Omega"), sym("Omega"))
    ranges = [None, ("j", num(1), sym("T")), ("k", num(0), Node("-", (sym("T"), num(1)))), omega]
    binder = draw(st.sampled_from(ranges))
    names = () if binder is None else (Node("index", (sym("X"), sym("w"))),) if binder == omega else (sym(binder[0]),)
    op = draw(st.sampled_from(["<=", ">=", "<", ">", "==", "!="]))
    return Relation(op, draw(formulas("n", 4, names)), draw(formulas("n", 4, names)), binder)
