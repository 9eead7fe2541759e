"""One evaluator for every ring, with small matrices, sums, means and iterations."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from theory.kernel.errors import Malformed, Missing, Undecidable, Undefined
from theory.kernel.kinds import NUMBER, Size, has_letters, is_point, size_of
from theory.kernel.lang import Node, text
from theory.kernel.rings import Ring, Scalar, bounded, power

MAX_STEPS = 100_000  # of one sum or iteration
MAX_ALL = 1_000_000  # of all that stand inside each other
MAX_SIZE = 1_000  # of an identity or a zero matrix at a point
HISTORIES = "#histories"  # in an environment: the random recursions of its claim
AROUND = "#around"  # how often the formula is evaluated, because of the sums and iterations around it


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
        return Mat(
            tuple(tuple(f(x, y) for x, y in zip(r, s, strict=True)) for r, s in zip(self.rows, other.rows, strict=True))
        )

    def matmul(self, other: Mat) -> Mat:
        if self.shape[1] != other.shape[0]:
            raise Malformed(f"matrices of shapes {self.shape} and {other.shape} do not multiply")
        columns = list(zip(*other.rows, strict=True))
        return Mat(tuple(tuple(_dot(row, column) for column in columns) for row in self.rows))

    def transpose(self) -> Mat:
        return Mat(tuple(zip(*self.rows, strict=True)))


@dataclass(frozen=True, slots=True)
class Family:
    """Values by index, counted from anywhere; a family of several indices holds families."""

    values: Mapping[int, Any]

    def map(self, f: Callable[[Scalar], Scalar]) -> Family:
        return Family({i: v.map(f) if hasattr(v, "map") else f(v) for i, v in self.values.items()})


@dataclass(frozen=True, slots=True)
class Function:
    """A function of a vector at a point: a formula in the entries of its argument."""

    name: str
    body: Node

    def map(self, f: Callable[[Scalar], Scalar]) -> Function:
        return self  # its numbers belong to every ring


def _dot(row: tuple[Scalar, ...], column: tuple[Scalar, ...]) -> Scalar:
    total = row[0] * column[0]
    for x, y in zip(row[1:], column[1:], strict=True):
        total = total + x * y
    return bounded(total)


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
            return ring.const(node.value)
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
        case "@" if has_letters(node):
            left, right = evaluate(node.args[0], env, ring), evaluate(node.args[1], env, ring)
            both = isinstance(left, Mat) and isinstance(right, Mat)
            return _number(left.matmul(right) if both else _scale(node, left, right))
        case "letter":
            return _letter(node, env, ring)
        case "I" | "O":
            rows, *more = (ring.integer(evaluate(arg, env, ring), arg) for arg in node.args)
            if max(rows, *more, 0) > MAX_SIZE:
                raise Malformed(f"{text(node)[:160]} has more than {MAX_SIZE} rows or columns; choose a smaller point")
            return _number(identity_matrix(rows, ring) if node.op == "I" else _zeros(rows, more[0], ring))
        case "blocks":
            return _number(_joined([[evaluate(cell, env, ring) for cell in row.args] for row in node.args]))
        case "@":
            left, right = evaluate(node.args[0], env, ring), evaluate(node.args[1], env, ring)
            if isinstance(left, Mat) and isinstance(right, Mat):
                return left.matmul(right)
            return _scale(node, left, right) if isinstance(left, Mat) == isinstance(right, Mat) else _mismatch(node)
        case "**":
            base, exponent = (evaluate(arg, env, ring) for arg in node.args)
            try:
                power = ring.integer(exponent, node.args[1])
            except Undefined as error:  # such a power may well exist; it is not in the language
                raise Undecidable(str(error)) from None
            return _power(base, power, ring)
        case "T":
            value = evaluate(node.args[0], env, ring)
            return value.transpose() if hasattr(value, "transpose") else value
        case "index":
            at = [evaluate(i, env, ring) for i in node.args[1:]]
            try:
                indices = [ring.integer(value, i) for value, i in zip(at, node.args[1:], strict=True)]
            except Undefined as error:  # a family may have such an entry; a point does not give it
                raise Undecidable(str(error)) from None
            return _entry(evaluate(node.args[0], env, ring), indices, node)
        case "list":
            return _matrix([evaluate(arg, env, ring) for arg in node.args])
        case "tr":
            value = evaluate(node.args[0], env, ring)
            if not isinstance(value, Mat) and has_letters(node):
                return value
            if not isinstance(value, Mat) or value.shape[0] != value.shape[1]:
                return _mismatch(node)
            total = value.rows[0][0]
            for i in range(1, value.shape[0]):
                total = total + value.rows[i][i]
            return total
        case "inv":
            value = evaluate(node.args[0], env, ring)
            return inverse(value, ring) if isinstance(value, Mat) else ring.divide(ring.const(Fraction(1)), value)
        case "sum" | "prod":
            return _sum(node, env, ring)
        case "mean":
            return _mean(node, env, ring)
        case "iterate":
            return _iterate(node, env, ring)
        case _:
            numbers = [evaluate(arg, env, ring) for arg in node.args]
            return _mismatch(node) if any(isinstance(x, Mat) for x in numbers) else ring.call(node.op, numbers)


def _number(value: Any) -> Any:
    """A 1 x 1 matrix is a number."""
    return value.rows[0][0] if isinstance(value, Mat) and value.shape == (1, 1) else value


def _zeros(rows: int, columns: int, ring: Ring) -> Mat:
    return Mat(tuple(tuple(ring.const(Fraction(0)) for _ in range(columns)) for _ in range(rows)))


def _joined(cells: list[list[Any]]) -> Mat:
    rows: list[tuple[Scalar, ...]] = []
    for line in cells:
        parts = [cell.rows if isinstance(cell, Mat) else ((cell,),) for cell in line]
        if len({len(part) for part in parts}) != 1:
            raise Malformed("the blocks of a row have different heights")
        rows += [tuple(x for part in parts for x in part[i]) for i in range(len(parts[0]))]
    if len({len(row) for row in rows}) != 1:
        raise Malformed("the rows of blocks have different widths")
    return Mat(tuple(rows))


def _letter(node: Node, env: Env, ring: Ring) -> Any:
    """The value of a letter at its indices; its size is the declared one at this point."""
    letter = node.value
    if HISTORIES in env and letter.name in env[HISTORIES].world.steps:
        return env[HISTORIES].state(node, env, ring)
    if HISTORIES in env and letter.name in env[HISTORIES].world.clauses:
        return env[HISTORIES].defined(node, env, ring)
    if letter.name not in env:
        raise Malformed(f"{letter.name} has no value here")
    value = env[letter.name]
    point = None
    for one, kind in zip(node.args, letter.indices, strict=True):
        if is_point(kind):
            point = evaluate(one, env, ring)
            continue
        at = ring.integer(evaluate(one, env, ring), one)
        if not isinstance(value, Family) or at not in value.values:
            raise Missing(f"{text(node)[:160]}: no value is given at the index {at}")
        value = value.values[at]
    if point is not None:
        value = _applied(value, point, node, ring)
    shape = value.shape if isinstance(value, Mat) else (1, 1)
    wanted = tuple(_at_point(side, env, ring, node) for side in (letter.rows, letter.cols))
    if isinstance(value, Family) or shape != wanted:
        raise Malformed(f"{text(node)[:160]}: the value has the size {shape}, and {wanted} is declared")
    return _number(value)


def _applied(value: Any, point: Any, node: Node, ring: Ring) -> Any:
    if not isinstance(value, Function):
        raise Malformed(f"{text(node)[:160]}: a function of a vector is given as {{'of': 'x', 'is': 'x[1]**2'}}")
    column = point if isinstance(point, Mat) else Mat(((point,),))
    try:
        return evaluate(value.body, {value.name: column}, ring)
    except Undefined as error:  # a function has a value everywhere; the point does not give this one
        raise Missing(f"{text(node)[:160]}: its formula has no value there ({error})") from None


def _at_point(size: Size, env: Env, ring: Ring, node: Node) -> int:
    return sum(count * (ring.integer(env[name], node) if name else 1) for name, count in size)


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
    return bounded(left * right)


def _quotient(node: Node, left: Any, right: Any, ring: Ring) -> Any:
    if isinstance(right, Mat):
        return _mismatch(node)
    return left.map(lambda x: ring.divide(x, right)) if isinstance(left, Mat) else ring.divide(left, right)


def _power(base: Any, n: int, ring: Ring) -> Any:
    if abs(n) > MAX_STEPS:
        raise Malformed(f"the exponent {n} is larger than {MAX_STEPS}")
    if not isinstance(base, Mat):
        return power(base, n) if n >= 0 else ring.divide(ring.const(Fraction(1)), power(base, -n))
    if base.shape[0] != base.shape[1]:
        raise Malformed(f"a power of a {base.shape[0]}x{base.shape[1]} matrix")
    if n < 0:
        base, n = inverse(base, ring), -n
    result = identity_matrix(base.shape[0], ring)
    for _ in range(n):
        result = result.matmul(base)
    return result


def _entry(value: Any, indices: list[int], node: Node) -> Any:
    if isinstance(value, Family):
        if indices[0] not in value.values:
            raise Missing(f"{text(node)[:160]}: no value is given at the index {indices[0]}")
        inner = value.values[indices[0]]
        return _entry(inner, indices[1:], node) if indices[1:] else inner
    if not isinstance(value, Mat) or len(indices) > 2:
        return _mismatch(node)
    rows, columns = value.shape
    i, j = (indices[0], 1) if len(indices) == 1 else (indices[0], indices[1])
    if len(indices) == 1 and columns != 1:
        return Mat((value.rows[i - 1],)).transpose() if 1 <= i <= rows else _outside(node, i, j, value)
    return value.rows[i - 1][j - 1] if 1 <= i <= rows and 1 <= j <= columns else _outside(node, i, j, value)


def _outside(node: Node, i: int, j: int, value: Mat) -> Any:
    raise Missing(
        f"{text(node)[:160]}: entry ({i}, {j}) of a {value.shape[0]}x{value.shape[1]} matrix; counted from one"
    )


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
    env = _around(env, last - first, node)
    total: Any = None
    join = _add if node.op == "sum" else _scale
    for i in range(first, last + 1):
        term = evaluate(body, {**env, str(index.value): ring.const(Fraction(i))}, ring)
        total = term if total is None else join(Node("+" if node.op == "sum" else "*"), total, term)
    if total is None and has_letters(body) and size_of(body) != NUMBER:
        rows, cols = (_at_point(side, env, ring, node) for side in size_of(body))
        return _number(_zeros(rows, cols, ring))
    return ring.const(Fraction(int(node.op == "prod"))) if total is None else total


def _around(env: Env, steps: int, node: Node) -> Env:
    """The environment inside a sum or an iteration, if that is not too long."""
    every = max(steps, 1) * int(env.get(AROUND, 1))
    if steps > MAX_STEPS or every > MAX_ALL:
        raise Malformed(f"{text(node)[:120]}: {steps} terms or steps, {every} in all, are more than {MAX_STEPS}")
    return {**env, AROUND: every}


def _mean(node: Node, env: Env, ring: Ring) -> Any:
    """A finite probability space: the weights are the column `p_<name>` of the environment."""
    if HISTORIES in env and node.value in env[HISTORIES].world.histories:
        return env[HISTORIES].mean(node, env, ring)
    weights = f"p_{node.value or node.args[0].value}"
    if not isinstance(env.get(weights), Mat):
        raise Malformed(f"mean over {node.args[0].value} needs a finite probability space: the weights {weights}")
    total: Any = None
    for i, (p,) in enumerate(env[weights].rows, start=1):
        term = _scale(node, p, evaluate(node.args[1], {**env, str(node.args[0].value): ring.const(Fraction(i))}, ring))
        total = term if total is None else _add(Node("+"), total, term)
    return total


def _iterate(node: Node, env: Env, ring: Ring) -> Any:
    name, count, start, body = node.args
    steps = ring.integer(evaluate(count, env, ring), count)
    if steps < 0:
        raise Undefined(f"an iteration of {steps} steps")
    env = _around(env, steps, node)
    state = evaluate(start, env, ring)
    for _ in range(steps):
        state = evaluate(body, {**env, str(name.value): state}, ring)
    return state
