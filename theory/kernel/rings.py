"""What a formula is evaluated in: exact rationals, Arb balls, rational functions, noncommutative words.

One evaluator (`evaluate`) serves them all; a ring says what a number is, how to divide and what roots mean in it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Protocol

import flint
from flint import arb, fmpq, fmpq_mpoly, fmpq_mpoly_ctx

from theory.kernel.errors import Malformed, Undefined
from theory.kernel.lang import Node, text

Scalar = Any
MAX_STEPS = 100_000


class Ring(Protocol):
    def const(self, value: Fraction) -> Scalar: ...
    def divide(self, a: Scalar, b: Scalar) -> Scalar: ...
    def call(self, name: str, args: list[Scalar]) -> Scalar: ...
    def integer(self, value: Scalar, node: Node) -> int: ...


def to_fmpq(value: Fraction | int) -> fmpq:
    exact = Fraction(value)
    return fmpq(exact.numerator, exact.denominator)


def to_fraction(value: fmpq) -> Fraction:
    return Fraction(int(value.p), int(value.q))


class Exact:
    """Rationals. A root that is not rational raises `Inexact`; the caller falls back to balls."""

    def const(self, value: Fraction) -> fmpq:
        return to_fmpq(value)

    def divide(self, a: fmpq, b: fmpq) -> fmpq:
        if b == 0:
            raise Undefined("division by zero")
        return a / b

    def integer(self, value: fmpq, node: Node) -> int:
        if value.q != 1:
            raise Undefined(f"{text(node)} = {value} is not an integer, as an exponent, index or bound must be")
        return int(value.p)

    def call(self, name: str, args: list[fmpq]) -> fmpq:
        if name == "min":
            return min(args)
        if name == "max":
            return max(args)
        if name == "abs":
            return abs(args[0])
        if name == "sqrt":
            value = args[0]
            if value < 0:
                raise Undefined(f"sqrt({value}) of a negative number")
            if value.p.is_square() and value.q.is_square():
                return fmpq(value.p.isqrt(), value.q.isqrt())
        if name == "exp" and args[0] == 0:
            return fmpq(1)
        if name == "log":
            if args[0] <= 0:
                raise Undefined(f"log({args[0]})")
            if args[0] == 1:
                return fmpq(0)
        raise Inexact(name)


class Inexact(Exception):
    """The value is not rational."""


class Balls:
    """Arb balls at the precision of `flint.ctx`: every value encloses the true one."""

    def const(self, value: Fraction) -> arb:
        return arb(to_fmpq(value))

    def divide(self, a: arb, b: arb) -> arb:
        if b.contains(0):
            raise Undefined("a divisor's enclosure contains zero")
        return a / b

    def integer(self, value: arb, node: Node) -> int:
        exact = value.unique_fmpz()
        if exact is None or not value.is_exact():
            raise Undefined(f"{text(node)} is not an integer")
        return int(exact)

    def call(self, name: str, args: list[arb]) -> arb:
        if name in ("min", "max"):
            best = args[0]
            for arg in args[1:]:
                best = best.min(arg) if name == "min" else best.max(arg)
            return best
        value = args[0]
        if name == "abs":
            return abs(value)
        if name == "sqrt" and not value.lower() >= 0:
            raise Undefined("a root's argument may be negative")
        if name == "log" and not value.lower() > 0:
            raise Undefined("a logarithm's argument may not be positive")
        if name in ("sqrt", "exp", "log", "sin", "cos"):
            return getattr(value, name)()
        raise Malformed(f"{name} has no meaning for numbers")


@dataclass(frozen=True, slots=True)
class Frac:
    """A quotient of two polynomials with rational coefficients, reduced."""

    num: fmpq_mpoly
    den: fmpq_mpoly

    @staticmethod
    def of(num: fmpq_mpoly, den: fmpq_mpoly) -> Frac:
        if den.is_constant():
            return Frac(num / den.leading_coefficient(), den.context().constant(1))
        common = num.gcd(den)
        if not common.is_constant():
            num, den = num // common, den // common
        lead = den.leading_coefficient()
        return Frac(num / lead, den / lead)

    def __add__(self, other: Frac) -> Frac:
        if self.den == other.den:
            return Frac.of(self.num + other.num, self.den)
        return Frac.of(self.num * other.den + other.num * self.den, self.den * other.den)

    def __sub__(self, other: Frac) -> Frac:
        return self + (-other)

    def __neg__(self) -> Frac:
        return Frac(-self.num, self.den)

    def __mul__(self, other: Frac) -> Frac:
        return Frac.of(self.num * other.num, self.den * other.den)

    def __truediv__(self, other: Frac) -> Frac:
        return Frac.of(self.num * other.den, self.den * other.num)

    def __pow__(self, n: int) -> Frac:
        return Frac(self.num**n, self.den**n)

    @property
    def is_zero(self) -> bool:
        return bool(self.num.is_zero())


@dataclass(slots=True)
class RationalFunctions:
    """Rational functions of the named variables. Every divisor is remembered: it must be shown nonzero."""

    names: tuple[str, ...]
    divisors: list[Frac] = field(default_factory=list)
    ctx: fmpq_mpoly_ctx = field(init=False)

    def __post_init__(self) -> None:
        self.ctx = fmpq_mpoly_ctx.get(self.names or ("_",), flint.Ordering.degrevlex)

    def const(self, value: Fraction) -> Frac:
        return Frac(self.ctx.constant(to_fmpq(value)), self.ctx.constant(1))

    def var(self, name: str) -> Frac:
        return Frac(self.ctx.gen(self.names.index(name)), self.ctx.constant(1))

    def env(self) -> dict[str, Frac]:
        return {name: self.var(name) for name in self.names}

    def divide(self, a: Frac, b: Frac) -> Frac:
        if b.is_zero:
            raise Undefined("division by an expression that is identically zero")
        if not (b.num.is_constant() and b.den.is_constant()):
            self.divisors.append(b)
        return a / b

    def integer(self, value: Frac, node: Node) -> int:
        if not (value.num.is_constant() and value.den.is_constant()):
            raise Malformed(f"{text(node)} is not a fixed integer here; use the induction or the termwise rule")
        exact = value.num.leading_coefficient() if not value.is_zero else fmpq(0)
        return Exact().integer(exact, node)

    def call(self, name: str, args: list[Frac]) -> Frac:
        raise Malformed(f"{name}(…) is not a rational function; name the root or split the cases first")


@dataclass(frozen=True, slots=True)
class Mat:
    """A matrix of ring elements; a column has rows of length one."""

    rows: tuple[tuple[Scalar, ...], ...]

    @property
    def shape(self) -> tuple[int, int]:
        return len(self.rows), len(self.rows[0])

    def map(self, f: Callable[[Scalar], Scalar]) -> Mat:
        return Mat(tuple(tuple(f(x) for x in row) for row in self.rows))

    def zip(self, other: Mat, f: Callable[[Scalar, Scalar], Scalar]) -> Mat:
        if self.shape != other.shape:
            raise Malformed(f"matrices of shapes {self.shape} and {other.shape} do not add")
        return Mat(tuple(tuple(f(x, y) for x, y in zip(r, s, strict=True)) for r, s in zip(self.rows, other.rows, strict=True)))

    def matmul(self, other: Mat) -> Mat:
        if self.shape[1] != other.shape[0]:
            raise Malformed(f"matrices of shapes {self.shape} and {other.shape} do not multiply")
        columns = list(zip(*other.rows, strict=True))
        return Mat(tuple(tuple(_dot(row, column) for column in columns) for row in self.rows))

    def transpose(self) -> Mat:
        return Mat(tuple(zip(*self.rows, strict=True)))


def _dot(row: tuple[Scalar, ...], column: tuple[Scalar, ...]) -> Scalar:
    total = row[0] * column[0]
    for x, y in zip(row[1:], column[1:], strict=True):
        total = total + x * y
    return total


def identity_matrix(n: int, ring: Ring) -> Mat:
    return Mat(tuple(tuple(ring.const(Fraction(int(i == j))) for j in range(n)) for i in range(n)))


def determinant(m: Mat, ring: Ring) -> Scalar:
    if m.shape == (1, 1):
        return m.rows[0][0]
    total = ring.const(Fraction(0))
    for j, head in enumerate(m.rows[0]):
        minor = Mat(tuple(tuple(x for i, x in enumerate(row) if i != j) for row in m.rows[1:]))
        term = head * determinant(minor, ring)
        total = total + term if j % 2 == 0 else total - term
    return total


def inverse(m: Mat, ring: Ring) -> Mat:
    """Adjugate over determinant, so that the only divisor is the determinant."""
    n, columns = m.shape
    if n != columns or n > 6:
        raise Malformed(f"inv of a {n}x{columns} matrix; the kernel inverts square matrices up to 6x6")
    det = determinant(m, ring)
    if n == 1:
        return Mat(((ring.divide(ring.const(Fraction(1)), det),),))
    entry = [[_cofactor(m, j, i, ring) for j in range(n)] for i in range(n)]
    return Mat(tuple(tuple(ring.divide(x, det) for x in row) for row in entry))


def _cofactor(m: Mat, i: int, j: int, ring: Ring) -> Scalar:
    minor = Mat(tuple(tuple(x for c, x in enumerate(row) if c != j) for r, row in enumerate(m.rows) if r != i))
    value = determinant(minor, ring)
    return value if (i + j) % 2 == 0 else -value


Env = Mapping[str, Any]


def evaluate(node: Node, env: Env, ring: Ring) -> Any:
    """The value of a formula; `env` maps free names to ring elements or `Mat`."""
    match node.op:
        case "num":
            return ring.const(Fraction(node.value))  # type: ignore[arg-type]
        case "sym":
            if node.value not in env:
                raise Malformed(f"{node.value} has no value here; declare it or define it with `where`")
            return env[str(node.value)]
        case "neg":
            value = evaluate(node.args[0], env, ring)
            return value.map(lambda x: -x) if isinstance(value, Mat) else -value
        case "+" | "-":
            return _add(node, evaluate(node.args[0], env, ring), evaluate(node.args[1], env, ring))
        case "*":
            return _scale(node, evaluate(node.args[0], env, ring), evaluate(node.args[1], env, ring))
        case "/":
            return _quotient(node, evaluate(node.args[0], env, ring), evaluate(node.args[1], env, ring), ring)
        case "@":
            left, right = evaluate(node.args[0], env, ring), evaluate(node.args[1], env, ring)
            if isinstance(left, Mat) and isinstance(right, Mat):
                return left.matmul(right)
            return _scale(node, left, right) if isinstance(left, Mat) == isinstance(right, Mat) else _mismatch(node)
        case "**":
            power = ring.integer(evaluate(node.args[1], env, ring), node.args[1])
            return _power(evaluate(node.args[0], env, ring), power, ring)
        case "T":
            value = evaluate(node.args[0], env, ring)
            return value.transpose() if hasattr(value, "transpose") else value
        case "index":
            indices = [ring.integer(evaluate(i, env, ring), i) for i in node.args[1:]]
            return _entry(evaluate(node.args[0], env, ring), indices, node)
        case "list":
            return _matrix([evaluate(arg, env, ring) for arg in node.args])
        case "tr":
            value = evaluate(node.args[0], env, ring)
            total = value.rows[0][0]
            for i in range(1, value.shape[0]):
                total = total + value.rows[i][i]
            return total
        case "inv":
            value = evaluate(node.args[0], env, ring)
            return inverse(value, ring) if isinstance(value, Mat) else ring.divide(ring.const(Fraction(1)), value)
        case "sum":
            return _sum(node, env, ring)
        case "mean":
            return _mean(node, env, ring)
        case "iterate":
            return _iterate(node, env, ring)
        case _:
            return ring.call(node.op, [evaluate(arg, env, ring) for arg in node.args])


def _mismatch(node: Node) -> Any:
    raise Malformed(f"{text(node)[:160]}: a matrix and a number do not combine this way")


def _add(node: Node, left: Any, right: Any) -> Any:
    if isinstance(left, Mat) != isinstance(right, Mat):
        return _mismatch(node)
    if isinstance(left, Mat):
        return left.zip(right, (lambda x, y: x + y) if node.op == "+" else (lambda x, y: x - y))
    return left + right if node.op == "+" else left - right


def _scale(node: Node, left: Any, right: Any) -> Any:
    if isinstance(left, Mat) and isinstance(right, Mat):
        raise Malformed(f"{text(node)[:160]}: write @ for the product of two matrices")
    if isinstance(left, Mat):
        return left.map(lambda x: x * right)
    if isinstance(right, Mat):
        return right.map(lambda x: left * x)
    return left * right


def _quotient(node: Node, left: Any, right: Any, ring: Ring) -> Any:
    if isinstance(right, Mat):
        return _mismatch(node)
    return left.map(lambda x: ring.divide(x, right)) if isinstance(left, Mat) else ring.divide(left, right)


def _power(base: Any, n: int, ring: Ring) -> Any:
    if abs(n) > MAX_STEPS:
        raise Malformed(f"the exponent {n} is larger than {MAX_STEPS}")
    if not isinstance(base, Mat):
        return base**n if n >= 0 else ring.divide(ring.const(Fraction(1)), base ** (-n))
    if n < 0:
        base, n = inverse(base, ring), -n
    result = identity_matrix(base.shape[0], ring)
    for _ in range(n):
        result = result.matmul(base)
    return result


def _entry(value: Any, indices: list[int], node: Node) -> Any:
    if not isinstance(value, Mat) or len(indices) > 2:
        return _mismatch(node)
    rows, columns = value.shape
    i, j = (indices[0], 1) if len(indices) == 1 else (indices[0], indices[1])
    if len(indices) == 1 and columns != 1:
        return Mat((value.rows[i - 1],)).transpose() if 1 <= i <= rows else _outside(node, i, j, value)
    return value.rows[i - 1][j - 1] if 1 <= i <= rows and 1 <= j <= columns else _outside(node, i, j, value)


def _outside(node: Node, i: int, j: int, value: Mat) -> Any:
    raise Undefined(f"{text(node)[:160]}: entry ({i}, {j}) of a {value.shape[0]}x{value.shape[1]} matrix; counted from one")


def _matrix(items: list[Any]) -> Mat:
    """A list of numbers is a column; a list of columns of equal height is a matrix given row by row."""
    if not any(isinstance(item, Mat) for item in items):
        return Mat(tuple((item,) for item in items))
    if not all(isinstance(item, Mat) and item.shape == (items[0].shape[0], 1) for item in items):
        raise Malformed("the rows of a matrix have different lengths")
    return Mat(tuple(tuple(x for (x,) in item.rows) for item in items))


def _sum(node: Node, env: Env, ring: Ring) -> Any:
    index, lo, hi, body = node.args
    first, last = (ring.integer(evaluate(b, env, ring), b) for b in (lo, hi))
    if last - first > MAX_STEPS:
        raise Malformed(f"a sum of {last - first} terms is longer than {MAX_STEPS}")
    total: Any = None
    for i in range(first, last + 1):
        term = evaluate(body, {**env, str(index.value): ring.const(Fraction(i))}, ring)
        total = term if total is None else _add(Node("+"), total, term)
    return ring.const(Fraction(0)) if total is None else total


def _mean(node: Node, env: Env, ring: Ring) -> Any:
    """A finite probability space: the weights are the column `p_<name>` of the environment."""
    weights = f"p_{node.args[0].value}"
    if weights not in env:
        raise Malformed(f"mean over {node.args[0].value} needs a finite probability space: the weights {weights}")
    total: Any = None
    for i, (p,) in enumerate(env[weights].rows, start=1):
        term = _scale(node, p, evaluate(node.args[1], {**env, str(node.args[0].value): ring.const(Fraction(i))}, ring))
        total = term if total is None else _add(Node("+"), total, term)
    return total


def _iterate(node: Node, env: Env, ring: Ring) -> Any:
    name, count, start, body = node.args
    steps = ring.integer(evaluate(count, env, ring), count)
    if not 0 <= steps <= MAX_STEPS:
        raise Undefined(f"iterate {steps} times; a number of steps from 0 to {MAX_STEPS}")
    state = evaluate(start, env, ring)
    for _ in range(steps):
        state = evaluate(body, {**env, str(name.value): state}, ring)
    return state
