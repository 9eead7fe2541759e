"""A second opinion: claims evaluated at points by another route than the kernel's.

It reads the texts of a claim with `ast` alone and computes with Python's own fractions (mpmath at 60 digits where a
root, an exponential or a logarithm is not rational). It shares no code with `theory.kernel`, is slow, and decides
nothing: it looks for disagreements.
"""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from functools import reduce
from typing import Any, TypeGuard

import mpmath

Value = Any  # Fraction, mpmath.mpf, or a list of them: a column is a list, a matrix a list of rows
Env = dict[str, Value]
Notions = Mapping[str, tuple[list[str], ast.expr]]
DIGITS = 60
CLOSE = mpmath.mpf(10) ** -40


class NoValue(Exception):
    """The formula has no value here: a division by zero, a root of a negative number, a missing name."""


def truth(claim: Mapping[str, Any], point: Mapping[str, Any]) -> tuple[bool, bool]:
    """(all hypotheses hold, all goals hold) for a claim record and a point, both plain JSON."""
    with mpmath.workdps(DIGITS):
        env = {name: _given(value) for name, value in point.items()}
        reader = _Reader(dict(notions(claim)), env)
        hypotheses = all(reader.relation(_tree(text), env) for text in claim["given"])
        goals = all(reader.relation(_tree(text), env) for text in claim["says"])
    return hypotheses and _naturals_are(claim, env) and _weights_are(env), goals


def notions(claim: Mapping[str, Any]) -> Iterator[tuple[str, tuple[list[str], ast.expr]]]:
    """What a claim defines: each name with its parameters and its formula."""
    for head, formula in claim["where"]:
        tree = _tree(head)
        places = tree.args if isinstance(tree, ast.Call) else places_of(tree.slice) if _indexed(tree) else []
        params = [place.id for place in places if isinstance(place, ast.Name)]
        yield head.split("(")[0].split("[")[0].strip(), (params, _tree(formula))


def _indexed(tree: ast.expr) -> TypeGuard[ast.Subscript]:
    return isinstance(tree, ast.Subscript)


def places_of(at: ast.expr) -> list[ast.expr]:
    return list(at.elts) if isinstance(at, ast.Tuple) else [at]


def _naturals_are(claim: Mapping[str, Any], env: Env) -> bool:
    counts = [env[name] for name in claim["naturals"] if name in env]
    return all(isinstance(one, Fraction) and one.denominator == 1 and one >= 0 for one in counts)


def _weights_are(env: Env) -> bool:
    """Weights of a probability space are positive and add up to one."""
    spaces = [value for name, value in env.items() if name.startswith("p_") and isinstance(value, list)]
    return all(all(p > 0 for p in weights) and sum(weights) == 1 for weights in spaces)


def _given(value: Any) -> Value:
    if isinstance(value, dict):  # a sequence that is counted from elsewhere than one
        return {int(index): _given(item) for index, item in value.items()}
    if isinstance(value, list):
        return [_given(item) for item in value]
    try:
        return Fraction(str(value))
    except ValueError:  # a number with roots
        try:
            tree = _tree(value)
        except SyntaxError:
            raise ValueError(f"{value!r} is no number") from None
        return _Reader({}, {}).value(tree, {})


def _tree(text: str) -> ast.expr:
    return ast.parse(text.strip(), mode="eval").body


class _Reader:
    def __init__(self, notions: Notions, point: Env) -> None:
        self.notions, self.point = notions, point

    def relation(self, tree: ast.expr, env: Env) -> bool:
        if isinstance(tree, ast.Call) and isinstance(tree.func, ast.Name) and tree.func.id == "forall":
            index, lo, hi, inner = tree.args
            assert isinstance(index, ast.Name)
            return all(self.relation(inner, {**env, index.id: Fraction(i)}) for i in self.span(index.id, lo, hi, env))
        assert isinstance(tree, ast.Compare)
        left, right = self.value(tree.left, env), self.value(tree.comparators[0], env)
        return _compare(tree.ops[0], left, right)

    def span(self, index: str, lo: ast.expr, hi: ast.expr, env: Env) -> range:
        if isinstance(lo, ast.Name) and lo.id == "Omega":
            return range(1, len(env[f"p_{index}"]) + 1)
        first, last = self.value(lo, env), self.value(hi, env)
        if any(not isinstance(end, Fraction) or end.denominator != 1 for end in (first, last)):
            raise NoValue("a range that is no range of integers")
        return range(int(first), int(last) + 1)

    def value(self, tree: ast.expr, env: Env) -> Value:
        match tree:
            case ast.Constant(value=number):
                return Fraction(str(number))
            case ast.Name(id=name):
                return self.name(name, env)
            case ast.UnaryOp(op=ast.USub(), operand=inner):
                return _map(operator.neg, self.value(inner, env))
            case ast.UnaryOp(operand=inner):
                return self.value(inner, env)
            case ast.BinOp(left=left, op=ast.Pow(), right=right):
                return _power(self.value(left, env), self.value(right, env))
            case ast.BinOp(left=left, op=op, right=right):
                return _binary(op, self.value(left, env), self.value(right, env))
            case ast.Attribute(value=inner):
                return _transposed(self.value(inner, env))
            case ast.List(elts=items):
                return [self.value(item, env) for item in items]
            case ast.Subscript(value=inner, slice=at):
                return self.entry(inner, at, env)
            case ast.Call(func=ast.Name(id=name), args=args):
                return self.call(name, args, env)
        raise NoValue(ast.dump(tree)[:80])

    def name(self, name: str, env: Env) -> Value:
        if name in env:
            return env[name]
        if name in self.notions:
            return self.value(self.notions[name][1], env)
        raise NoValue(f"no value for {name}")

    def unfolded(self, name: str, args: list[ast.expr], env: Env) -> Value:
        """The formula of a notion at these arguments; it sees the point, and nothing that is bound around it."""
        params, formula = self.notions[name]
        values = [self.value(arg, env) for arg in args]
        return self.value(formula, {**self.point, **dict(zip(params, values, strict=True))})

    def entry(self, inner: ast.expr, at: ast.expr, env: Env) -> Value:
        places = places_of(at)
        if isinstance(inner, ast.Name) and inner.id not in env and self.notions.get(inner.id, ([],))[0]:
            return self.unfolded(inner.id, places, env)
        found = self.value(inner, env)
        for place in places:
            position = self.value(place, env)
            known = found if isinstance(found, dict) else dict(enumerate(found, start=1))
            if position not in known:
                raise NoValue(f"no entry {position}")
            found = known[int(position)]
        return found

    def call(self, name: str, args: list[ast.expr], env: Env) -> Value:
        if name in ("sum", "prod"):
            index, lo, hi, body = args
            assert isinstance(index, ast.Name)
            terms = (self.value(body, {**env, index.id: Fraction(i)}) for i in self.span(index.id, lo, hi, env))
            return (
                _total(terms) if name == "sum" else reduce(lambda a, b: operator.mul(*_alike(a, b)), terms, Fraction(1))
            )
        if name == "mean":
            index, body = args
            assert isinstance(index, ast.Name)
            weights = env[f"p_{index.id}"]
            terms = (p * self.value(body, {**env, index.id: Fraction(i)}) for i, p in enumerate(weights, 1) if p)
            return _total(terms)
        if name == "iterate":
            state, count, start, body = args
            assert isinstance(state, ast.Name)
            current = self.value(start, env)
            for _ in range(_whole(self.value(count, env))):
                current = self.value(body, {**env, state.id: current})
            return current
        if name in self.notions:
            return self.unfolded(name, args, env)
        return _function(name, [self.value(arg, env) for arg in args])


def _whole(count: Value) -> int:
    if count.denominator != 1 or count < 0:
        raise NoValue(f"{count} steps")
    return int(count)


def _total(terms: Any) -> Value:
    total: Value = None
    for term in terms:
        total = term if total is None else _binary(ast.Add(), total, term)
    return Fraction(0) if total is None else total


def _map(act: Callable[[Value], Value], value: Value) -> Value:
    return [_map(act, item) for item in value] if isinstance(value, list) else act(value)


def _binary(op: ast.operator, left: Value, right: Value) -> Value:
    if isinstance(op, ast.MatMult):
        return _product(left, right)
    act = {ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: _divide}[type(op)]
    if isinstance(left, list) and isinstance(right, list):
        return [_binary(op, a, b) for a, b in zip(left, right, strict=True)]
    if isinstance(left, list):
        return [_binary(op, a, right) for a in left]
    if isinstance(right, list):
        return [_binary(op, left, b) for b in right]
    return act(*_alike(left, right))


def _alike(left: Value, right: Value) -> tuple[Value, Value]:
    if isinstance(left, Fraction) and isinstance(right, Fraction):
        return left, right
    return _real(left), _real(right)


def _real(value: Value) -> mpmath.mpf:
    return mpmath.mpf(value.numerator) / value.denominator if isinstance(value, Fraction) else value


def _divide(left: Value, right: Value) -> Value:
    if right == 0:
        raise NoValue("a division by zero")
    return left / right


def _power(base: Value, power: Value) -> Value:
    if not isinstance(power, Fraction) or power.denominator != 1:
        raise NoValue(f"the power {power}")
    if isinstance(base, list):
        base, power = (base, power) if power >= 0 else (_inverse(base), -power)
        result = [[Fraction(int(i == j)) for j in range(len(base))] for i in range(len(base))]
        for _ in range(int(power)):
            result = _product(result, base)
        return result
    if base == 0 and power < 0:
        raise NoValue("a division by zero")
    return base ** int(power)


def _product(left: Value, right: Value) -> Value:
    rows = left if isinstance(left[0], list) else [[x] for x in left]
    column = not isinstance(right[0], list)
    columns = [right] if column else list(map(list, zip(*right, strict=True)))
    made = [[_total(_binary(ast.Mult(), a, b) for a, b in zip(row, c, strict=True)) for c in columns] for row in rows]
    return [row[0] for row in made] if column else made


def _inverse(matrix: Value) -> Value:
    """Gauss and Jordan, with the first pivot that is not zero."""
    size = len(matrix)
    rows = [[*row, *(Fraction(int(i == j)) for j in range(size))] for i, row in enumerate(matrix)]
    for k in range(size):
        pivot = next((i for i in range(k, size) if rows[i][k] != 0), None)
        if pivot is None:
            raise NoValue("a singular matrix")
        rows[k], rows[pivot] = rows[pivot], rows[k]
        rows[k] = [_divide(x, rows[k][k]) for x in rows[k]]
        for i in range(size):
            if i != k:
                rows[i] = [x - rows[i][k] * y for x, y in zip(rows[i], rows[k], strict=True)]
    return [row[size:] for row in rows]


def _transposed(value: Value) -> Value:
    return [value] if not isinstance(value[0], list) else list(map(list, zip(*value, strict=True)))


def _function(name: str, values: list[Value]) -> Value:
    if name in ("min", "max", "abs"):
        return {"min": min, "max": max, "abs": abs}[name](*values)  # type: ignore[operator]
    if name == "inv":
        return _inverse(values[0])
    if name == "tr":
        return _total(row[i] for i, row in enumerate(values[0]))
    value = values[0]
    if name == "sqrt":
        if value < 0:
            raise NoValue("a root of a negative number")
        return _root(value)
    if name == "log" and value <= 0:
        raise NoValue("a logarithm of a number that is not positive")
    return {"exp": mpmath.exp, "log": mpmath.log, "sin": mpmath.sin, "cos": mpmath.cos}[name](_real(value))


def _root(value: Value) -> Value:
    if isinstance(value, Fraction):
        top, bottom = (mpmath.libmp.isqrt(n) for n in (value.numerator, value.denominator))
        if Fraction(int(top) ** 2, int(bottom) ** 2) == value:
            return Fraction(int(top), int(bottom))
    return mpmath.sqrt(_real(value))


def _compare(op: ast.cmpop, left: Value, right: Value) -> bool:
    if isinstance(left, list) or isinstance(right, list):
        flat = list(zip(_flat(left), _flat(right), strict=True))
        same = all(_compare(ast.Eq(), a, b) for a, b in flat)
        return same if isinstance(op, ast.Eq) else not same
    gap = operator.sub(*_alike(left, right))
    if not isinstance(gap, Fraction):
        gap = Fraction(0) if abs(gap) < CLOSE * (1 + abs(_real(left))) else gap
    tests: dict[type, Callable[[Value, int], bool]] = {
        ast.LtE: operator.le,
        ast.Lt: operator.lt,
        ast.GtE: operator.ge,
        ast.Gt: operator.gt,
        ast.Eq: operator.eq,
        ast.NotEq: operator.ne,
    }
    return bool(tests[type(op)](gap, 0))


def _flat(value: Value) -> list[Value]:
    if isinstance(value, list):
        return [leaf for item in value for leaf in _flat(item)]
    return [value]
