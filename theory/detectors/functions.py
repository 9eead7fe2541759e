"""The functions of the language of relations.toml: what each does to weights and shapes."""

from __future__ import annotations

import ast
from collections.abc import Callable
from fractions import Fraction

from theory.claims.symbols import Convention, Symbol, Weight
from theory.detectors.algebra import NUMBER, Quantity, Reader, Term, sized
from theory.detectors.notation import Notation
from theory.detectors.shapes import SCALAR, SHAPES, UNKNOWN, Shape, ShapeError, unify

Handler = Callable[[Reader, ast.Call], Quantity]
HALF, TWO = Fraction(1, 2), Fraction(2)
_BLOCKS = {"2d": "d", "2": "1"}


def reader_for(convention: Convention, notation: Notation) -> Reader:
    """A fresh reader that knows the functions of this module."""
    return Reader(convention, apply, notation)


def apply(reader: Reader, node: ast.Call) -> Quantity:
    """The quantity that a call denotes: a function of the table below, or a function symbol of the paper."""
    name = _function_name(node.func)
    if not node.args or node.keywords:
        raise NameError(f"{ast.unparse(node)!r}: a function takes one or more arguments and no keywords")
    if isinstance(node.func, ast.Name) and name in FUNCTIONS:
        return FUNCTIONS[name](reader, node)
    if name not in reader.notation.symbols:
        raise NameError(f"{ast.unparse(node)!r}: no function {name!r}; see theory/detectors/functions.py")
    return _function_symbol(reader, node, reader.notation.symbols[name])


def _function_name(func: ast.expr) -> str:
    match func:
        case ast.Name(id=name) | ast.Subscript(value=ast.Name(id=name)):
            return name
    raise NameError(f"{ast.unparse(func)!r} cannot be called; only named functions can")


def _function_symbol(reader: Reader, node: ast.Call, entry: Symbol) -> Quantity:
    if len(node.args) > len(entry.args):
        raise NameError(f"{ast.unparse(node)!r}: {entry.name} takes {len(entry.args)} argument(s)")
    for role, argument in zip(entry.args, node.args, strict=False):
        quantity = reader.read(argument)
        weight = reader.single(quantity, "the argument of", node)
        allowed = reader.notation.role(role, reader.convention)
        if allowed and weight is not None and weight not in allowed:
            reader.weight_clash(role, allowed[0], ast.unparse(argument), weight, "the argument of", node)
    return Quantity((Term(node, entry.weight_in(reader.convention)),), SHAPES[entry.shape])


# ---------------------------------------------------------------------- helpers for handlers


def _weight(reader: Reader, node: ast.Call, position: int) -> tuple[Weight | None, Shape]:
    quantity = reader.read(node.args[position])
    return reader.single(quantity, "the argument of", node), quantity.shape


def _result(node: ast.Call, weight: Weight | None, shape: Shape) -> Quantity:
    return Quantity(() if weight is None else (Term(node, weight),), shape)


def _fits(reader: Reader, node: ast.Call, left: Shape, right: Shape) -> Shape:
    try:
        return unify(left, right)
    except ShapeError:
        sizes = sized(ast.unparse(node.args[0]), left), sized(ast.unparse(node.args[-1]), right)
        reader.shape_clash(*sizes, "the arguments of", node)
        return UNKNOWN


def _condition(reader: Reader, node: ast.expr) -> None:
    if not isinstance(node, ast.Compare):
        raise NameError(f"{ast.unparse(node)!r} should be a condition such as norm(x) <= 1")
    sides = [reader.read(side) for side in (node.left, *node.comparators)]
    reader.agree(sides, "the condition", node)


# ---------------------------------------------------------------------- handlers


def _linear(reader: Reader, node: ast.Call) -> Quantity:
    """Expectation, limits, infimum, supremum, orders of magnitude: weight and shape of the first argument."""
    for condition in node.args[1:]:
        _condition(reader, condition)
    return reader.read(node.args[0])


def _sum(reader: Reader, node: ast.Call) -> Quantity:
    for position in range(1, len(node.args), 3):
        for bound in node.args[position : position + 3]:
            reader.weightless(bound, "the range of", node)
    return reader.read(node.args[0])


def _square_to(shape: Shape | None, power: Fraction = Fraction(1)) -> Handler:
    """A function of a square matrix: trace, inverse, eigenvalue, root."""

    def handler(reader: Reader, node: ast.Call) -> Quantity:
        weight, found = _weight(reader, node, 0)
        if found[0] != found[1] or found == SCALAR:
            got = sized(ast.unparse(node.args[0]), found)
            reader.shape_clash("a square matrix", got, "the argument of", node)
            found = UNKNOWN
        return _result(node, None if weight is None else weight.times(power), found if shape is None else shape)

    return handler


def _trace(reader: Reader, node: ast.Call) -> Quantity:
    """Linear: the terms of a sum inside keep their weights."""
    quantity = reader.read(node.args[0])
    _fits(reader, node, quantity.shape, quantity.shape[::-1])
    if len(quantity.weights) == 1:
        return _result(node, quantity.weights[0], SCALAR)
    return Quantity(quantity.terms, SCALAR)


def _norm(power: Fraction) -> Handler:
    def handler(reader: Reader, node: ast.Call) -> Quantity:
        weight, shape = _weight(reader, node, 0)
        metric: Weight | None = NUMBER
        if len(node.args) > 1:
            metric, square = _weight(reader, node, 1)
            _fits(reader, node, (shape[0], shape[0]), square)
        _fits(reader, node, shape, (shape[0], "1"))
        if weight is None or metric is None:
            return _result(node, None, SCALAR)
        return _result(node, (weight + metric.times(HALF)).times(power), SCALAR)

    return handler


def _inner(reader: Reader, node: ast.Call) -> Quantity:
    (left, left_shape), (right, right_shape) = _weight(reader, node, 0), _weight(reader, node, 1)
    _fits(reader, node, left_shape, right_shape)
    metric = _weight(reader, node, 2)[0] if len(node.args) > 2 else NUMBER
    if left is None or right is None or metric is None:
        return _result(node, None, SCALAR)
    return _result(node, left + right + metric, SCALAR)


def _pure(reader: Reader, node: ast.Call) -> Quantity:
    """exp, log and the like: a pure number in, a pure number out."""
    reader.weightless(node.args[0], "the argument of", node)
    return _result(node, NUMBER, SCALAR)


def _root(reader: Reader, node: ast.Call) -> Quantity:
    weight, shape = _weight(reader, node, 0)
    _fits(reader, node, shape, SCALAR)
    return _result(node, None if weight is None else weight.times(HALF), SCALAR)


def _extreme(reader: Reader, node: ast.Call) -> Quantity:
    """min, max: the arguments must agree."""
    weight = reader.agree([reader.read(argument) for argument in node.args], "the arguments of", node)
    return _result(node, weight, SCALAR)


def _cases(reader: Reader, node: ast.Call) -> Quantity:
    """cases(value, condition, value, condition, ...): the values must agree."""
    for condition in node.args[1::2]:
        _condition(reader, condition)
    weight = reader.agree([reader.read(value) for value in node.args[::2]], "the cases of", node)
    return _result(node, weight, SCALAR)


def _indicator(reader: Reader, node: ast.Call) -> Quantity:
    _condition(reader, node.args[0])
    return _result(node, NUMBER, SCALAR)


def _absolute(reader: Reader, node: ast.Call) -> Quantity:
    weight, shape = _weight(reader, node, 0)
    _fits(reader, node, shape, SCALAR)
    return _result(node, weight, SCALAR)


def _argmin(reader: Reader, node: ast.Call) -> Quantity:
    """argmin(variable, objective[, condition])."""
    reader.single(reader.read(node.args[1]), "the objective of", node)
    for condition in node.args[2:]:
        _condition(reader, condition)
    return reader.read(node.args[0])


def _minover(reader: Reader, node: ast.Call) -> Quantity:
    """minover(variable, objective[, condition]): the value of the minimum."""
    _argmin(reader, node)
    return reader.read(node.args[1])


def _halve(reader: Reader, node: ast.Call) -> Quantity:
    """first(v): the first half of a stacked vector."""
    weight, (rows, cols) = _weight(reader, node, 0)
    return _result(node, weight, (_BLOCKS.get(rows, "?"), cols))


def _block22(reader: Reader, node: ast.Call) -> Quantity:
    weight, (rows, cols) = _weight(reader, node, 0)
    return _result(node, weight, (_BLOCKS.get(rows, "?"), _BLOCKS.get(cols, "?")))


def _kron(reader: Reader, node: ast.Call) -> Quantity:
    """Tensor products, as operators on matrices."""
    total: Weight | None = NUMBER
    for position in range(len(node.args)):
        weight = _weight(reader, node, position)[0]
        total = None if total is None or weight is None else total + weight
    return _result(node, total, UNKNOWN)


def _app(reader: Reader, node: ast.Call) -> Quantity:
    """app(operator, matrix): shape of the matrix."""
    operator, (matrix, shape) = _weight(reader, node, 0)[0], _weight(reader, node, 1)
    return _result(node, None if operator is None or matrix is None else operator + matrix, shape)


def _lvar(reader: Reader, node: ast.Call) -> Quantity:
    """L_var of a sequence of 2d x 2d matrices adds the weight of Sigma."""
    weight, shape = _weight(reader, node, 0)
    _fits(reader, node, shape, SHAPES["2dx2d"])
    return _result(node, None if weight is None else weight + reader.notation.symbols["Lvar"].weight, SCALAR)


def _core(name: str) -> Handler:
    def handler(reader: Reader, node: ast.Call) -> Quantity:
        reader.weightless(node.args[0], "the time of", node)
        weight, shape = _weight(reader, node, 1)
        _fits(reader, node, shape, SHAPES["dxd"])
        entry = reader.notation.symbols[name]
        return _result(node, None if weight is None else weight + entry.weight, SHAPES[entry.shape])

    return handler


def _normal(reader: Reader, node: ast.Call) -> Quantity:
    """Normal(mean, covariance): scales like the root of the covariance."""
    mean, (covariance, shape) = reader.read(node.args[0]), _weight(reader, node, 1)
    root = None if covariance is None else covariance.times(HALF)
    spread = _result(node, root, (shape[0], "1"))
    reader.agree([spread, mean], "mean and deviation of", node)
    return spread


def _named(reader: Reader, node: ast.Call) -> Quantity:
    """named(symbol, expression): an underbrace that names what stands above it."""
    symbol, value = reader.read(node.args[0]), reader.read(node.args[1])
    reader.agree([symbol, value], "the name", node.args[0])
    return value


FUNCTIONS: dict[str, Handler] = {
    **dict.fromkeys(("E", "lim", "limsup", "inf", "sup", "O", "Omega", "Theta"), _linear),
    **dict.fromkeys(("exp", "log", "sin", "cos", "tan"), _pure),
    **dict.fromkeys(("min", "max"), _extreme),
    **dict.fromkeys(("lammin", "lammax", "opnorm"), _square_to(SCALAR)),
    "cond": _square_to(SCALAR, Fraction(0)),
    "inv": _square_to(None, Fraction(-1)),
    "sqrtm": _square_to(None, HALF),
    "tr": _trace,
    "norm": _norm(Fraction(1)),
    "normsq": _norm(TWO),
    "inner": _inner,
    "sqrt": _root,
    "abs": _absolute,
    "ind": _indicator,
    "Sum": _sum,
    "cases": _cases,
    "argmin": _argmin,
    "minover": _minover,
    "first": _halve,
    "entry22": _block22,
    "kron": _kron,
    "app": _app,
    "Lvar": _lvar,
    "Pi": _core("Pi"),
    "Pi_i": _core("Pi_i"),
    "Normal": _normal,
    "named": _named,
}
