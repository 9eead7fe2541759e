"""The second opinion on vectors, matrices and samples, at one exact point and by another route than the kernel's.

Every value is a matrix of Python's fractions (mpmath at 60 digits where something is not rational); a number is one of
size 1 x 1. What is not evaluated here (random recursions, sequences that are defined by recursion, functions of a
vector) raises `LeftOut`, which the caller counts.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from typing import Any

import mpmath

from tests.trust.independent import (
    CLOSE,
    DIGITS,
    NoValue,
    _alike,
    _divide,
    _function,
    _inverse,
    _real,
    _tree,
    notions,
    places_of,
    truth,
)

Rows = list[list[Any]]
ORDERS: dict[type[ast.cmpop], Callable[[Any], bool]] = {
    ast.LtE: lambda gap: gap <= 0,
    ast.Lt: lambda gap: gap < 0,
    ast.GtE: lambda gap: gap >= 0,
    ast.Gt: lambda gap: gap > 0,
}


class LeftOut(Exception):
    """The claim has a part that this evaluator does not know."""


def opinion(claim: Mapping[str, Any], point: Mapping[str, Any]) -> tuple[bool, bool]:
    """(all hypotheses hold, all goals hold) for a record of any claim, and a point, both plain JSON."""
    return truth_of_kinds(claim, point) if claim.get("kinds") else truth(claim, point)


def truth_of_kinds(claim: Mapping[str, Any], point: Mapping[str, Any]) -> tuple[bool, bool]:
    """(all hypotheses hold, all goals hold) for a record of a claim with kinds, and a point."""
    kinds = dict(claim["kinds"])
    if claim.get("steps") or any("history" in kind or "[vector" in kind for kind in kinds.values()):
        raise LeftOut("a recursion or a function of a vector")
    reader = _Kinds(kinds, dict(notions(claim)), {name: _given(value) for name, value in point.items()})
    with mpmath.workdps(DIGITS):
        hypotheses = all(reader.relation(_tree(text), {}) for text in claim["given"])
        goals = all(reader.relation(_tree(text), {}) for text in claim["says"])
        fits = reader.of_their_kinds() and all(reader.is_natural(name) for name in claim["naturals"])
    return hypotheses and fits, goals


def _given(value: Any) -> Any:
    """A number, a column, a matrix, or values by index."""
    if isinstance(value, dict):
        if set(value) == {"of", "is"}:
            raise LeftOut("a function of a vector")
        return {int(key): _given(item) for key, item in value.items()}
    if isinstance(value, list):
        return [[Fraction(str(x)) for x in (row if isinstance(row, list) else [row])] for row in value]
    return [[Fraction(str(value))]]


class _Kinds:
    def __init__(self, kinds: Mapping[str, str], notions: Mapping[str, Any], point: Mapping[str, Any]) -> None:
        self.kinds, self.notions, self.point = kinds, notions, point

    def is_natural(self, name: str) -> bool:
        value = self.point[name][0][0]
        return bool(value.denominator == 1 and value >= 0)

    def of_their_kinds(self) -> bool:
        """Symmetric letters are symmetric, psd and pd ones have no negative (no) direction, weights add up to one."""
        for name, kind in self.kinds.items():
            sign = kind.split("(")[0]
            for value in _leaves(self.point.get(name, {})) if sign in ("symmetric", "psd", "pd") else ():
                if value != _transposed(value) or (sign != "symmetric" and not _nonnegative(value, sign == "pd")):
                    return False
        weights = [[p for (p,) in rows] for name, rows in self.point.items() if name.startswith("p_")]
        return all(min(one) > 0 and sum(one) == 1 for one in weights)

    def relation(self, tree: ast.expr, env: Mapping[str, Any]) -> bool:
        if isinstance(tree, ast.Call) and isinstance(tree.func, ast.Name) and tree.func.id == "forall":
            index, *ends, inner = tree.args
            return all(self.relation(inner, {**env, _name(index): [[Fraction(i)]]}) for i in self.span(ends, env))
        if isinstance(tree, ast.BinOp) and isinstance(tree.op, ast.LShift):  # A << B reads as a shift
            gap = _combine(self.value(tree.right, env), self.value(tree.left, env), -1)
            return _close(gap, _transposed(gap)) and _nonnegative(gap, strict=False)
        assert isinstance(tree, ast.Compare)
        left, right = self.value(tree.left, env), self.value(tree.comparators[0], env)
        gap = _combine(left, right, -1)
        if isinstance(tree.ops[0], ast.Eq | ast.NotEq):
            return _close(left, right) == isinstance(tree.ops[0], ast.Eq)
        return ORDERS[type(tree.ops[0])](Fraction(0) if _close(left, right) else _number(gap))

    def span(self, ends: list[ast.expr], env: Mapping[str, Any]) -> range:
        match ends:
            case [ast.Call(func=ast.Name(id="sample"), args=[ast.Name(id=space)])]:
                return range(1, len(self.point[f"p_{space}"]) + 1)
            case [lo, hi]:
                first, last = (_number(self.value(end, env)) for end in (lo, hi))
                if first.denominator != 1 or last.denominator != 1:
                    raise NoValue("a range that is no range of integers")
                return range(int(first), int(last) + 1)
        raise LeftOut("for every vector")

    def value(self, tree: ast.expr, env: Mapping[str, Any]) -> Rows:
        match tree:
            case ast.Constant(value=number):
                return [[Fraction(str(number))]]
            case ast.Name(id=name) if name in self.notions and name not in env:
                return self.value(self.notions[name][1], {})
            case ast.Name(id=name):
                return _matrix(name, env.get(name, self.point.get(name)))
            case ast.UnaryOp(op=ast.USub(), operand=inner):
                return _scaled(self.value(inner, env), Fraction(-1))
            case ast.UnaryOp(operand=inner):
                return self.value(inner, env)
            case ast.BinOp(left=left, op=op, right=right):
                return _binary(op, self.value(left, env), self.value(right, env))
            case ast.Attribute(value=inner):
                return _transposed(self.value(inner, env))
            case ast.List(elts=items):
                return _blocks([[self.value(one, env) for one in _entries(item)] for item in items])
            case ast.Subscript(value=ast.Name(id=name), slice=at):
                return self.entry(name, places_of(at), env)
            case ast.Call(func=ast.Name(id=name), args=args):
                return self.call(name, args, env)
        raise LeftOut(ast.dump(tree)[:60])

    def entry(self, name: str, at: list[ast.expr], env: Mapping[str, Any]) -> Rows:
        if name in self.notions:
            return self.unfolded(name, at, env)
        found: Any = self.point.get(name)
        for place in at:
            index = _number(self.value(place, env))
            if isinstance(found, list):  # a family of numbers that is given as a column
                found = dict(enumerate(([row] for row in found), start=1))
            if not isinstance(found, dict) or index not in found:
                raise NoValue(f"{name} has no value at {index}")
            found = found[int(index)]
        return _matrix(name, found)

    def unfolded(self, name: str, args: list[ast.expr], env: Mapping[str, Any]) -> Rows:
        names, body = self.notions[name]
        return self.value(body, {one: self.value(arg, env) for one, arg in zip(names, args, strict=True)})

    def call(self, name: str, args: list[ast.expr], env: Mapping[str, Any]) -> Rows:
        if name in self.notions:
            return self.unfolded(name, args, env)
        if name in ("sum", "prod"):
            index, lo, hi, body = args
            found = [self.value(body, {**env, _name(index): [[Fraction(i)]]}) for i in self.span([lo, hi], env)]
            return _folded(found, name)
        if name in ("E", "mean"):
            sample, body = _name(args[0]), args[1]
            weights = self.point[f"p_{self.space(sample, body)}"]
            inner = ({**env, sample: [[Fraction(i)]]} for i in range(1, len(weights) + 1))
            return _folded([_scaled(self.value(body, one), p) for one, (p,) in zip(inner, weights, strict=True)], "sum")
        if name in ("I", "O"):
            sizes = [int(_number(self.value(arg, env))) for arg in args]
            return [[Fraction(int(name == "I" and i == j)) for j in range(sizes[-1])] for i in range(sizes[0])]
        return self.known(name, [self.value(arg, env) for arg in args])

    def known(self, name: str, values: list[Rows]) -> Rows:
        if name in ("norm2", "norm"):
            middle = values[1] if len(values) > 1 else None
            left = _transposed(values[0]) if middle is None else _product(_transposed(values[0]), middle)
            squared = _product(left, values[0])
            return squared if name == "norm2" else [[_function("sqrt", [_number(squared)])]]
        if name == "inv":
            return _inverse(values[0])
        if name == "tr":
            return _folded([[[row[i]]] for i, row in enumerate(values[0])], "sum")
        return [[_function(name, [_number(one) for one in values])]]

    def space(self, sample: str, body: ast.expr) -> str:
        """The space of a sample is that of the letters that depend on it."""
        for part in ast.walk(body):
            if isinstance(part, ast.Subscript) and isinstance(part.value, ast.Name):
                last = places_of(part.slice)[-1]
                if isinstance(last, ast.Name) and last.id == sample:
                    name = part.value.id
                    if name in self.kinds:
                        return self.kinds[name].rsplit("[", 1)[1].rstrip("]").split(",")[-1].strip()
                    names, inner = self.notions[name]
                    return self.space(names[-1], inner)
        spaces = [name[2:] for name in self.point if name.startswith("p_")]
        if len(spaces) != 1:
            raise LeftOut(f"the space of {sample}")
        return spaces[0]


def _name(tree: ast.expr) -> str:
    assert isinstance(tree, ast.Name)
    return tree.id


def _entries(item: ast.expr) -> list[ast.expr]:
    return list(item.elts) if isinstance(item, ast.List) else [item]


def _leaves(value: Any) -> Iterator[Rows]:
    if isinstance(value, dict):
        for item in value.values():
            yield from _leaves(item)
    else:
        yield value


def _matrix(name: str, value: Any) -> Rows:
    if not isinstance(value, list):
        raise NoValue(f"no value for {name}")
    return value


def _number(rows: Rows) -> Any:
    if len(rows) != 1 or len(rows[0]) != 1:
        raise NoValue("a matrix in the place of a number")
    return rows[0][0]


def _is_number(rows: Rows) -> bool:
    return len(rows) == 1 and len(rows[0]) == 1


def _scaled(rows: Rows, factor: Any) -> Rows:
    return [[_times(x, factor) for x in row] for row in rows]


def _times(left: Any, right: Any) -> Any:
    a, b = _alike(left, right)
    return a * b


def _plus(left: Any, right: Any) -> Any:
    a, b = _alike(left, right)
    return a + b


def _combine(left: Rows, right: Rows, sign: int) -> Rows:
    """left + sign*right; the number 0 stands for a zero matrix of any size."""
    shape = len(left), len(left[0])
    if shape != (len(right), len(right[0])):
        if right == [[0]]:
            return left
        if left == [[0]]:
            return _scaled(right, Fraction(sign))
        raise NoValue("matrices of different sizes are added")
    pairs = zip(left, _scaled(right, Fraction(sign)), strict=True)
    return [[_plus(x, y) for x, y in zip(a, b, strict=True)] for a, b in pairs]


def _product(left: Rows, right: Rows) -> Rows:
    if len(left[0]) != len(right):
        raise NoValue("matrices whose sizes do not fit are multiplied")
    columns = _transposed(right)
    return [
        [_folded([[[_times(a, b)]] for a, b in zip(row, c, strict=True)], "sum")[0][0] for c in columns] for row in left
    ]


def _binary(op: ast.operator, left: Rows, right: Rows) -> Rows:
    match op:
        case ast.Add() | ast.Sub():
            return _combine(left, right, 1 if isinstance(op, ast.Add) else -1)
        case ast.MatMult() if not _is_number(left) or len(right) == 1:
            return _product(left, right)
        case ast.Mult() if _is_number(left):
            return _scaled(right, left[0][0])
        case ast.Mult():
            return _scaled(left, _number(right))
        case ast.Div():
            return _scaled(left, _divide(*_alike(Fraction(1), _number(right))))
        case ast.Pow() if _number(right).denominator == 1:
            return _power(left, int(_number(right)))
    raise NoValue("an operation that has no value here")


def _power(base: Rows, count: int) -> Rows:
    if count < 0:
        base = [[_divide(Fraction(1), _number(base))]] if _is_number(base) else _inverse(base)
    result = [[Fraction(int(i == j)) for j in range(len(base))] for i in range(len(base))]
    for _ in range(abs(count)):
        result = _product(result, base)
    return result


def _folded(found: list[Rows], name: str) -> Rows:
    if not found:
        return [[Fraction(int(name == "prod"))]]
    total = found[0]
    for one in found[1:]:
        total = [[_times(_number(total), _number(one))]] if name == "prod" else _combine(total, one, 1)
    return total


def _transposed(rows: Rows) -> Rows:
    return [list(column) for column in zip(*rows, strict=True)]


def _blocks(parts: list[list[Rows]]) -> Rows:
    return [[x for one in band for x in one[i]] for band in parts for i in range(len(band[0]))]


def _close(left: Rows, right: Rows) -> bool:
    gap = [x for row in _combine(left, right, -1) for x in row]
    size = 1 + max(abs(_real(x)) for row in left for x in row)
    return all(x == 0 if isinstance(x, Fraction) else abs(x) < CLOSE * size for x in gap)


def _nonnegative(rows: Rows, strict: bool) -> bool:
    """Principal minors: all of them are at least zero, or the leading ones positive."""
    size = len(rows)
    if strict:
        return all(_determinant(rows, list(range(k))) > 0 for k in range(1, size + 1))
    chosen = ([i for i in range(size) if mask >> i & 1] for mask in range(1, 2**size))
    return all(_determinant(rows, one) >= 0 or _is_tiny(_determinant(rows, one), rows) for one in chosen)


def _is_tiny(value: Any, rows: Rows) -> bool:
    size = 1 + max(abs(_real(x)) for row in rows for x in row)
    return not isinstance(value, Fraction) and abs(value) < CLOSE * size ** len(rows)


def _determinant(rows: Rows, chosen: list[int]) -> Any:
    """By expansion along the first row: points are small."""
    if not chosen:
        return Fraction(1)

    def minor(top: int, columns: list[int]) -> Any:
        if top == len(chosen):
            return Fraction(1)
        terms = (
            _times(_times(rows[chosen[top]][c], Fraction((-1) ** at)), minor(top + 1, columns[:at] + columns[at + 1 :]))
            for at, c in enumerate(columns)
        )
        return _folded([[[one]] for one in terms], "sum")[0][0]

    return minor(0, chosen)
