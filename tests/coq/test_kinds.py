"""What is printed of matrices of every size is what the kernel reads: formulas are evaluated at a point, both ways."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import lru_cache
from typing import Any

import pytest

from tests.coq.transcript import WORDS, Reader, inverse
from tests.sada import shipped
from theory.coq.kinds import called, inverse_of, is_random, matrix, names_of, number, spaces, step_of
from theory.kernel import Claim
from theory.kernel.evaluate import Mat, evaluate
from theory.kernel.instances import Path, weights_of
from theory.kernel.instances import names_of as wanted
from theory.kernel.kinds import NUMBER, Letter, has_letters, size_of
from theory.kernel.lang import Node, num, sym
from theory.kernel.points import environment
from theory.kernel.rings import Exact
from theory.ledger.records import Record

Grid = Callable[[Any, Any], Fraction]


def at_most(n: Any) -> range:
    return range(int(n))


def summed(n: Any, f: Callable[[int], Fraction]) -> Fraction:
    return sum((f(i) for i in at_most(n)), Fraction(0))


def stacked(r: Any, s: Any, a: Grid, b: Grid) -> Grid:
    return lambda i, j: a(i, j) if i < r else b(i - int(r), j) if i < r + s else Fraction(0)


def turned(a: Grid) -> Grid:
    return lambda i, j: a(j, i)


def product(n: Any, a: Grid, b: Grid, *at: Any) -> Any:
    made: Grid = lambda i, j: summed(n, lambda k: a(i, k) * b(k, j))  # noqa: E731
    return made(*(int(one) for one in at)) if at else made


MATRICES: dict[str, Any] = {
    "Nat.max": max,
    "O": Fraction(0),
    "zero": lambda i, j: Fraction(0),
    "identity": lambda n: lambda i, j: Fraction(int(i == j and i < n)),
    "number": lambda x: lambda i, j: x if i == j == 0 else Fraction(0),
    "above": stacked,
    "beside": lambda r, s, a, b: turned(stacked(r, s, turned(a), turned(b))),
    "plus": lambda a, b: lambda i, j: a(i, j) + b(i, j),
    "minus": lambda a, b: lambda i, j: a(i, j) - b(i, j),
    "opp": lambda a: lambda i, j: -a(i, j),
    "scale": lambda c, a: lambda i, j: c * a(i, j),
    "times": product,
    "flip": turned,
    "trace": lambda n, a: summed(n, lambda i: a(i, i)),
    "average": lambda mean, f: lambda i, j: mean(lambda w: f(w)(i, j)),
    "matsum": lambda lo, hi, f: lambda i, j: summed(hi - lo + 1, lambda k: f(lo + k)(i, j)),
    "history": lambda mean, start, count, f=None: _history(mean, count, f),
}


def _history(mean: Any, count: Any, f: Any) -> Any:
    if f is None:
        return lambda g: _history(mean, count, g)
    paths = itertools.product(*[range(len(mean.weights))] * int(count))
    chances = ((samples, [mean.weights[one] for one in samples]) for samples in paths)
    return sum((_all(p) * f(tuple(one + 1 for one in samples)) for samples, p in chances), Fraction(0))


def _all(parts: list[Fraction]) -> Fraction:
    result = Fraction(1)
    for part in parts:
        result *= part
    return result


class Mean:
    def __init__(self, weights: list[Fraction]) -> None:
        self.weights = weights

    def __call__(self, f: Callable[[int], Fraction]) -> Fraction:
        return sum((p * f(i) for i, p in enumerate(self.weights, start=1)), Fraction(0))


def grid(value: Any) -> Grid:
    rows = value.rows if isinstance(value, Mat) else ((value,),)
    return lambda i, j: fraction(rows[int(i)][int(j)]) if i < len(rows) and j < len(rows[0]) else Fraction(0)


def fraction(value: Any) -> Fraction:
    return Fraction(int(value.p), int(value.q))


def coq_values(claim: Claim, env: Mapping[str, Any]) -> dict[str, Any]:
    """The point as the reader of printed statements has it: matrices are functions, samples and paths are points."""
    world, found = claim.world, dict[str, Any](MATRICES)
    for name, value in env.items():
        if name not in world.letters and hasattr(value, "p"):
            found[called(name)] = fraction(value)
    for name, letter in world.letters.items():
        found[called(name)] = _letter(letter, env) if letter.indices else grid(env.get(name, env.get(name)))
        if letter.sign == "pd":
            found[inverse_of(name)] = grid(evaluate(Node("inv", (Node("letter", (), letter),)), env, Exact()))
    spaces = [name for name in env if name.startswith("p_")]
    if spaces:
        weights = weights_of(spaces[0][2:], env)
        found["E"], found["h0"] = Mean([fraction(row[0]) for row in weights.rows]), ()
    return found


def _letter(letter: Letter, env: Mapping[str, Any]) -> Any:
    def value(*at: Any) -> Any:
        counts = [num(int(one)) for one in at[: len(at) - is_random(letter)]]
        inner = {**env, "here'": Path(at[-1]) if isinstance(at[-1], tuple) else Exact().const(int(at[-1]))}
        node = Node("letter", (*counts, *([sym("here'")] if is_random(letter) else [])), letter)
        found = evaluate(node, inner, Exact())
        return fraction(found) if (letter.rows, letter.cols) == NUMBER else grid(found)

    return value


def printed_value(text: str, env: dict[str, Any]) -> Any:
    reader = Reader(text, range(0))
    found = reader.term()
    assert not reader.peek(), text
    return found(env)


@lru_cache(maxsize=1)
def with_kinds() -> dict[str, Record]:
    found = shipped()
    assert found is not None
    return {record.key: record for record in found.records if record.claim.kinds}


def claims() -> dict[str, Claim]:
    return {key: record.claim for key, record in with_kinds().items()}


def drawn(claim: Claim, seed: int) -> dict[str, Any]:
    """A random point in two dimensions, with two outcomes; hypotheses do not matter where values are compared."""
    rng, world = random.Random(seed), claim.world

    def entry() -> str:
        return str(Fraction(rng.randint(-5, 5), rng.randint(1, 3)))

    def letter(one: Letter) -> Any:
        rows, cols = (sum(2 * c if n else c for n, c in side) for side in (one.rows, one.cols))
        values = [[Fraction(entry()) for _ in range(cols)] for _ in range(rows)]
        if one.symmetric:
            squares = [[sum(x * y for x, y in zip(r, s, strict=True)) for s in values] for r in values]
            values = [[x + (i == j) for j, x in enumerate(row)] for i, row in enumerate(squares)]
        if (rows, cols) == (1, 1):
            return str(values[0][0])
        return [[str(x) for x in row] for row in values]

    def family(one: Letter, kinds: list[str]) -> Any:
        places = range(5) if kinds[:1] == ["nat"] else (1, 2)
        return {str(i): family(one, kinds[1:]) for i in places} if kinds else letter(one)

    point: dict[str, Any] = {}
    for name in wanted(claim) - set(world.letters):
        point[name] = "2" if name in world.sizes else "1" if name in claim.counters else entry()
    for name, one in world.letters.items():
        if name not in world.steps and name not in world.clauses:
            point[name] = family(one, list(one.indices))
    point |= {f"p_{space}": ["1/3", "2/3"] for space in spaces(world)}
    return environment(point, claim)


def sides(claim: Claim) -> list[Node]:
    plain = [r for r in (*claim.hypotheses, *claim.goals) if r.binder is None]
    return [side for r in plain for side in (r.left, r.right) if has_letters(side)]


def compared(claim: Claim, env: Mapping[str, Any]) -> int:
    """Every formula of the claim has one value, printed or read."""
    names, values, count = names_of(claim), coq_values(claim, env), 0
    for node in sides(claim):
        by_kernel = evaluate(node, env, Exact())
        if size_of(node) == NUMBER:
            assert printed_value(number(node, names), values) == grid(by_kernel)(0, 0)
        else:
            read, told = grid(by_kernel), printed_value(matrix(node, names), values)
            rows, cols = by_kernel.shape if isinstance(by_kernel, Mat) else (1, 1)
            assert all(read(i, j) == told(i, j) for i in range(rows + 1) for j in range(cols + 1))
        count += 1
    return count


SAMPLE = (
    "lem:v-bound#drive",
    "lem:v-bound#row step",
    "lem:v-bound#fourth moment",
    "lem:layer-peeled-decomposition/disp:721.1",
    "lem:bias-bound#step of the run",
    "lem:var-fourth-moment/disp:1433.1",  # an index that counts down
    "lem:L-var/disp:1109.1",  # a sum of numbers made of letters
    "def:L-var#columns",  # a sum of products
    "lem:v-L-var#pairs",  # two times of one history of which none is known to be the later one
)


@pytest.mark.parametrize("key", SAMPLE)
def test_a_printed_formula_has_the_value_that_the_kernel_gives_it(key: str) -> None:
    assert all(compared(claims()[key], drawn(claims()[key], seed)) for seed in range(3))


def test_a_formula_that_is_printed_wrongly_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(MATRICES, "flip", lambda a: a)
    with pytest.raises(AssertionError):
        compared(claims()["lem:v-bound#drive"], drawn(claims()["lem:v-bound#drive"], 1))


@pytest.mark.parametrize("key", ["lem:v-bound#drive", "lem:bias-bound#step of the run"])
def test_a_printed_step_leads_from_one_state_to_the_next(key: str) -> None:
    claim, env = claims()[key], drawn(claims()[key], 1)
    values, names = coq_values(claim, env), names_of(claim)
    for name, step in claim.world.steps.items():
        body = step_of(name, step, claim.world, names).split(" = (", 1)[1]
        fresh, text = body.removeprefix("let ").split(" in ", 1)
        inner = {**values, called(step.time): Fraction(1), called(step.past): (1, 2), fresh.split(" := ")[0]: 2}
        told, state = printed_value(text.removesuffix("))"), inner), values[called(name)](Fraction(2), (1, 2))
        assert all(told(i, 0) == state(i, 0) for i in range(4))


def test_words_of_matrices_do_not_hide_those_of_numbers() -> None:
    assert not MATRICES.keys() & WORDS.keys()
    assert inverse(Fraction(0)) == 0
