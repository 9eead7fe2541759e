"""What is printed of matrices of every size is what the kernel reads: formulas are evaluated at a point, both ways."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import lru_cache, partial
from typing import Any

import pytest

from tests.coq.transcript import WORDS, Reader, inverse
from tests.sada import shipped
from theory.coq import kinds
from theory.coq.errors import NotExpressible
from theory.coq.kinds import (
    called,
    families,
    inverse_of,
    matrix,
    names_of,
    number,
    premises,
    proposition,
    senses,
    spaces,
    step_of,
)
from theory.kernel import Claim, KernelError
from theory.kernel.evaluate import Family, Mat, evaluate
from theory.kernel.instances import Path, weights_of
from theory.kernel.instances import names_of as wanted
from theory.kernel.kinds import NUMBER, Letter, has_letters, is_point, size_of, vector
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
    """One sample after the other; a sample may be a path itself."""
    if f is None:
        return lambda g: _history(mean, count, g)
    return f(()) if count == 0 else _history(mean, count - 1, lambda path: mean(lambda one: f((*path, one))))


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
        elif isinstance(value, Family) and name not in world.letters:
            found[called(name)] = partial(_number_at, value)
    for name, letter in world.letters.items():
        found[called(name)] = _letter(letter, env) if letter.indices else grid(env.get(name, env.get(name)))
        if letter.sign == "pd":
            found[inverse_of(name)] = grid(evaluate(Node("inv", (Node("letter", (), letter),)), env, Exact()))
    spaces = [name for name in env if name.startswith("p_")]
    if spaces:
        weights = weights_of(spaces[0][2:], env)
        found["E"], found["h0"] = Mean([fraction(row[0]) for row in weights.rows]), ()
    return found


def _number_at(values: Family, index: Any) -> Fraction:
    return fraction(values.values[int(index)])


def _path(samples: Any) -> Any:
    return Path(tuple(map(_path, samples))) if isinstance(samples, tuple) else samples


def _letter(letter: Letter, env: Mapping[str, Any]) -> Any:
    def value(*at: Any) -> Any:
        inner, args = dict(env), list[Node]()
        for one, kind in zip(at, letter.indices, strict=True):
            if kind == "nat":
                args.append(num(int(one)))
            elif is_point(kind):
                args.append(Node("letter", (), vector("at'", kind)))
                inner["at'"] = Mat(tuple((Exact().const(one(i, 0)),) for i in range(2)))
            else:
                args.append(sym("here'"))
                inner["here'"] = _path(one) if isinstance(one, tuple) else Exact().const(int(one))
        found = evaluate(Node("letter", tuple(args), letter), inner, Exact())
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
    return {record.key: record for record in found.records if record.claim.kinds}


def claims() -> dict[str, Claim]:
    return {key: record.claim for key, record in with_kinds().items()}


def drawn(claim: Claim, seed: int) -> dict[str, Any]:
    """A random point in two dimensions, with two outcomes; hypotheses do not matter where values are compared."""
    rng, world = random.Random(seed), claim.world

    def entry(least: int = -5) -> str:
        return str(Fraction(rng.randint(least, 5), rng.randint(1, 3)))

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
        inner = function() if any(map(is_point, one.indices)) else letter(one)
        return {str(i): family(one, kinds[1:]) for i in places} if kinds else inner

    def function() -> Any:
        return {"of": "x", "is": f"({entry()})*x[1]**2 + ({entry()})*x[1]*x[2] + ({entry()})*x[2]"}

    point: dict[str, Any] = {}
    indexed = families(claim)
    for name in sorted(wanted(claim) - set(world.letters)):
        point[name] = "2" if name in world.sizes else "1" if name in claim.counters else entry(1)
        point[name] = {str(i): entry(1) for i in range(5)} if name in indexed else point[name]
    for name, one in world.letters.items():
        if name not in world.steps and name not in world.clauses:
            point[name] = family(one, [kind for kind in one.indices if not is_point(kind)])
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
    "thm:full-glm#start",  # functions of a vector, and a loop inside a loop
    "thm:full-glm#mean energies",  # two steps of the outer loop
)


@pytest.mark.parametrize("key", SAMPLE)
def test_a_printed_formula_has_the_value_that_the_kernel_gives_it(key: str) -> None:
    assert all(compared(claims()[key], drawn(claims()[key], seed)) for seed in range(3))


def test_a_formula_that_is_printed_wrongly_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(MATRICES, "flip", lambda a: a)
    with pytest.raises(AssertionError):
        compared(claims()["lem:v-bound#drive"], drawn(claims()["lem:v-bound#drive"], 1))


def test_a_path_of_the_inner_loop_that_is_too_short_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    claim = claims()["thm:full-glm#mean energies"]
    monkeypatch.setitem(MATRICES, "history", lambda mean, start, count, f=None: _history(mean, min(count, 1), f))
    with pytest.raises((AssertionError, KernelError)):
        compared(claim, drawn(claim, 1))


def test_what_a_recursion_divides_by_is_shown_and_never_assumed() -> None:
    steps = (("C[0]", "I(n)"), ("C[t+1]", "C[t]/c"))
    claim = Claim("c", ("c**2*C[2] == I(n)",), ("c > 0",), kinds=(("C", "matrix(n, n)[nat]"),), steps=steps)
    assert list(senses(claim)) == ["c <> 0"]
    assert all(premise.says != "c <> 0" and "/\\" not in premise.says for premise in premises(claim))
    assert proposition(claim).split("->")[-1].strip().startswith("c <> 0 /\\")


def test_what_changes_from_step_to_step_and_must_not_vanish_has_no_theorem() -> None:
    steps = (("C[0]", "I(n)"), ("C[t+1]", "C[t]/(t - c)"))
    claim = Claim("c", ("C[0] == I(n)",), kinds=(("C", "matrix(n, n)[nat]"),), steps=steps)
    with pytest.raises(NotExpressible, match="changes from step to step"):
        proposition(claim)


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


def test_no_two_letters_of_a_theorem_have_one_name() -> None:
    """A natural number that is a size, too, is one of them: the theorem would not be about it otherwise."""
    for record in with_kinds().values():
        if len(kinds.spaces(record.claim.world)) < 2:
            names = [name for name, *_ in kinds.parameters(record.claim)]
            assert len(names) == len(set(names)), record.key
