"""The kernel's formulas as MathML: what is really executed, set like a formula of the paper.

`marks` are places in the tree (tuples of positions) that are to be highlighted: see reports.mathml.diff.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from fractions import Fraction

from reports.mathml import letters
from reports.mathml.elements import element, fence, math, mi, mn, mo, mtext, row, space
from reports.mathml.tables import table
from theory.kernel.lang import Node, Relation, parse, parse_relation

Place = tuple[int, ...]
NOTHING: frozenset[Place] = frozenset()
SIGNS = {"<=": "≤", ">=": "≥", "==": "=", "!=": "≠", "<": "<", ">": ">"}
SHORT = {"lam": "λ", "gam": "γ", "eps": "ε", "kap": "κ", "sig": "σ", "th": "θ"}
GREEK = {**letters.GREEK, **SHORT}
SUM, PRODUCT, POWER, ATOM = 1, 2, 3, 4
LEVEL = {"+": SUM, "-": SUM, "neg": SUM, "sum": SUM, "*": PRODUCT, "@": PRODUCT, "/": ATOM, "**": POWER}
UNDERNEATH = frozenset({"num", "sym"})
SEVERAL = frozenset({"+", "-", "*", "@", "sum", "mean", "iterate"})  # what is set as several elements in a row


def relation_mathml(source: str | Relation, marks: frozenset[Place] = NOTHING, block: bool = False) -> str:
    """A relation as a <math> element; the sides are at the places 0 and 1."""
    relation = parse_relation(source) if isinstance(source, str) else source
    if () in marks:
        marks = frozenset({(0,), (1,)})
    left, right = _set(relation.left, (0,), marks), _set(relation.right, (1,), marks)
    sign = mo(SIGNS[relation.op])
    inner = left + (_marked(sign) if (2,) in marks else sign) + right
    if relation.binder is not None:
        index, low, high = relation.binder
        every = "for every outcome " if low == high == Node("sym", value="Omega") else "for "
        inner += space("1em") + mtext(every) + name(index)
        if every == "for ":
            inner += mo("=") + _set(low, (9,), NOTHING) + mo(",") + mi("…") + mo(",") + _set(high, (9,), NOTHING)
    return math(inner, block)


def text_mathml(source: str, block: bool = False) -> str:
    """A bare formula, such as the right side of a definition."""
    return math(_set(parse(source), (), NOTHING), block)


def name_mathml(source: str) -> str:
    return math(name(source), False)


def name(word: str) -> str:
    """lam -> λ, x1 -> x with index 1, kt -> κ~; longer words are set upright."""
    special = {
        "kt": element("mover", mi("κ") + mo("~", stretchy="false"), accent="true"),
        "Ll": element("msub", mi("L") + mi("ℓ")),
        "mul": element("msub", mi("μ") + mi("ℓ")),
        "R2": element("msup", mi("R") + mn("2")),
        "Sig": mi("Σ", upright=True),
        "Omega": mi("Ω", upright=True),
        "kS": row([mi("κ"), element("mrow", mo("(") + mi("Σ", upright=True) + mo(")"))]),
    }
    if word in special:
        return special[word]
    stem = re.fullmatch(r"([A-Za-z]+?)_?(\d+|[A-Za-z])?", word) if "_" in word or word[-1:].isdigit() else None
    if stem is not None and stem[2]:
        return element("msub", _plain(stem[1]) + (mn(stem[2]) if stem[2].isdigit() else mi(stem[2])))
    return _plain(word)


def _plain(word: str) -> str:
    return mi(GREEK.get(word, word))


def _marked(inner: str) -> str:
    return element("mrow", inner, class_="changed")


def _set(node: Node, place: Place, marks: frozenset[Place]) -> str:
    writer = WRITERS.get(node.op, _function)
    done = writer(node, place, marks)
    return _marked(done) if place in marks else done


def _one(node: Node, place: Place, marks: frozenset[Place]) -> str:
    """As a single element, where only one may stand."""
    done = _set(node, place, marks)
    return element("mrow", done) if node.op in SEVERAL and place not in marks else done


def _inside(node: Node, place: Place, marks: frozenset[Place], least: int) -> str:
    """With brackets where the operation binds less than it has to."""
    done = _set(node, place, marks)
    return _brackets(done) if _level(node) < least else done


def _level(node: Node) -> int:
    if node.op == "num" and isinstance(node.value, Fraction):
        return SUM if node.value < 0 else ATOM
    return LEVEL.get(node.op, ATOM)


def _brackets(inner: str) -> str:
    return element("mrow", mo("(") + inner + mo(")"))


def _number(node: Node, place: Place, marks: frozenset[Place]) -> str:
    value = node.value
    assert isinstance(value, Fraction)
    digits = mn(str(abs(value.numerator)))
    shown = digits if value.denominator == 1 else element("mfrac", digits + mn(str(value.denominator)))
    return row([mo("−"), shown]) if value < 0 else shown


def _symbol(node: Node, place: Place, marks: frozenset[Place]) -> str:
    return name(str(node.value))


def _sum_of_two(node: Node, place: Place, marks: frozenset[Place]) -> str:
    left = _set(node.args[0], (*place, 0), marks)
    least = SUM if node.op == "+" and not _starts_negative(node.args[1]) else PRODUCT
    right = _inside(node.args[1], (*place, 1), marks, least)
    return left + mo("−" if node.op == "-" else "+") + right


def _starts_negative(node: Node) -> bool:
    return node.op == "neg" or (node.op == "num" and _level(node) == SUM)


def _negative(node: Node, place: Place, marks: frozenset[Place]) -> str:
    return row([mo("−"), _inside(node.args[0], (*place, 0), marks, PRODUCT)])


def _product(node: Node, place: Place, marks: frozenset[Place]) -> str:
    left = _inside(node.args[0], (*place, 0), marks, PRODUCT)
    right = _inside(node.args[1], (*place, 1), marks, PRODUCT)
    digits = _starts_with_number(node.args[1])
    gap = mo("⋅") if digits else space("0.1em") if _is_word(node.args[0]) or _is_word(node.args[1]) else ""
    return left + gap + right


def _is_word(node: Node) -> bool:
    """A name of several letters needs room around it."""
    while node.op in ("*", "@", "index", "**"):
        node = node.args[0]
    return node.op == "sym" and len(str(node.value)) > 1 and ">" + str(node.value) + "<" in name(str(node.value))


def _starts_with_number(node: Node) -> bool:
    return node.op == "num" or (node.op in ("*", "@", "**") and _starts_with_number(node.args[0]))


def _quotient(node: Node, place: Place, marks: frozenset[Place]) -> str:
    return element("mfrac", _one(node.args[0], (*place, 0), marks) + _one(node.args[1], (*place, 1), marks))


def _power(node: Node, place: Place, marks: frozenset[Place]) -> str:
    base = node.args[0]
    simple = base.op in UNDERNEATH and base.value != "R2" and _level(base) == ATOM
    below = _set(base, (*place, 0), marks)
    return element("msup", (below if simple or base.op == "index" else _brackets(below)) + _upper(node, place, marks))


def _upper(node: Node, place: Place, marks: frozenset[Place]) -> str:
    return _one(node.args[1], (*place, 1), marks)


def _index(node: Node, place: Place, marks: frozenset[Place]) -> str:
    base = node.args[0]
    below = _set(base, (*place, 0), marks)
    shown = below if base.op in UNDERNEATH else _brackets(below)
    places = [_set(arg, (*place, i), marks) for i, arg in enumerate(node.args[1:], start=1)]
    if len(places) == 1:
        return element("msub", shown + _one(node.args[1], (*place, 1), marks))
    joined = mo(",").join(places) if any(arg.op != "num" for arg in node.args[1:]) else "".join(places)
    return element("msub", shown + element("mrow", joined))


def _transpose(node: Node, place: Place, marks: frozenset[Place]) -> str:
    return element("msup", _base(node, place, marks) + mo("⊤", lspace="0", rspace="0"))


def _matrix(node: Node, place: Place, marks: frozenset[Place]) -> str:
    rows = []
    for i, item in enumerate(node.args):
        cells = item.args if item.op == "list" else (item,)
        inner = [(*place, i, j) if item.op == "list" else (*place, i) for j in range(len(cells))]
        rows.append([_set(cell, spot, marks) for cell, spot in zip(cells, inner, strict=True)])
    return table("pmatrix", rows)


def _series(node: Node, place: Place, marks: frozenset[Place]) -> str:
    index, low, high, body = node.args
    under = element("mrow", _set(index, (*place, 0), marks) + mo("=") + _set(low, (*place, 1), marks))
    sign = element("munderover", mo("∑") + under + _one(high, (*place, 2), marks))
    return sign + _inside(body, (*place, 3), marks, PRODUCT)


def _mean(node: Node, place: Place, marks: frozenset[Place]) -> str:
    sign = element("msub", mi("𝔼") + _set(node.args[0], (*place, 0), marks))
    inner = _set(node.args[1], (*place, 1), marks)
    return sign + element("mrow", mo("[") + inner + mo("]"))


def _iterate(node: Node, place: Place, marks: frozenset[Place]) -> str:
    """The map, applied so many times, to the start."""
    state, count, start, body = node.args
    step = _set(state, (*place, 0), marks) + mo("↦") + _set(body, (*place, 3), marks)
    times = _one(count, (*place, 1), marks)
    return element("msup", _brackets(step) + times) + space("0.1em") + _inside(start, (*place, 2), marks, ATOM)


def _absolute(node: Node, place: Place, marks: frozenset[Place]) -> str:
    bar = {"stretchy": "true", "lspace": "0", "rspace": "0"}
    return row([mo("|", form="prefix", **bar), _set(node.args[0], (*place, 0), marks), mo("|", form="postfix", **bar)])


def _function(node: Node, place: Place, marks: frozenset[Place]) -> str:
    inner = mo(",").join(_set(arg, (*place, i), marks) for i, arg in enumerate(node.args))
    return row([mi(node.op), _brackets(inner)]) if node.args else fence(node.op)


def _root(node: Node, place: Place, marks: frozenset[Place]) -> str:
    return element("msqrt", _set(node.args[0], (*place, 0), marks))


def _inverse(node: Node, place: Place, marks: frozenset[Place]) -> str:
    return element("msup", _base(node, place, marks) + element("mrow", mo("−") + mn("1")))


def _base(node: Node, place: Place, marks: frozenset[Place]) -> str:
    """What carries an upper index: one letter, or something in brackets."""
    below = _set(node.args[0], (*place, 0), marks)
    return below if node.args[0].op in (*UNDERNEATH, "list") else _brackets(below)


WRITERS: dict[str, Callable[[Node, Place, frozenset[Place]], str]] = {
    "num": _number,
    "sym": _symbol,
    "+": _sum_of_two,
    "-": _sum_of_two,
    "neg": _negative,
    "*": _product,
    "@": _product,
    "/": _quotient,
    "**": _power,
    "index": _index,
    "T": _transpose,
    "list": _matrix,
    "sum": _series,
    "mean": _mean,
    "iterate": _iterate,
    "abs": _absolute,
    "sqrt": _root,
    "inv": _inverse,
}
