"""The normal form says what the formula says: random formulas, evaluated before and after at exact points.

The evaluator shares nothing with the normal form: it multiplies matrices of rationals and adds over all sample points.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from theory.kernel.claim import Claim
from theory.kernel.errors import Malformed
from theory.kernel.evaluate import Mat, evaluate
from theory.kernel.instances import Histories, typed_environment
from theory.kernel.kinds import elaborate, size_of
from theory.kernel.lang import Node, parse, text
from theory.kernel.notions import unfold
from theory.kernel.orders import advanced
from theory.kernel.points import _element
from theory.kernel.rings import Exact, RationalFunctions
from theory.kernel.sequent import Sequent
from theory.kernel.terms import Terms, formula, normal, scalar_atoms
from theory.search.sampling import draw

KINDS = {
    "A": "matrix(n, n)", "B": "matrix(n, m)", "X": "symmetric(n)", "P": "psd(n)", "D": "pd(n)", "u": "vector(n)",
    "v": "vector(n)", "a": "vector(n)[S]", "g": "vector(n)[S]", "b": "real[S]", "M": "symmetric(n)[S]",
    "C": "matrix(n, n)[nat]", "H": "history(S)", "x": "vector(n)[nat, H]", "y": "real[nat, H]",
}  # fmt: skip
STEPS = (
    ("x[0, h]", "u"),
    ("x[t+1, h]", "A @ x[t, h] + y[t, h]*a[w]"),
    ("y[0, h]", "1"),
    ("y[t+1, h]", "c*y[t, h] + b[w]"),
)
WORLD = Claim(
    "all",
    ("tr(A@A) + tr(B@B.T) + tr(X) + tr(P) + tr(D) + norm2(u) + norm2(v) + tr(C[0]) + tr(C[1]) + c == 0",),
    ("E(w, b[w] + norm2(a[w]) + norm2(g[w]) + tr(M[w])) == E(w, b[w] + norm2(a[w]) + norm2(g[w]) + tr(M[w]))",),
    kinds=tuple(KINDS.items()),
    steps=STEPS,
    naturals=("t",),
)
SQUARE = ["A", "X", "P", "D", "I(n)", "C[0]", "C[1]", "inv(D)", "B@B.T", "A.T", "u@v.T", "O(n, n)"]
VECTOR = ["u", "v", "A@u", "X@v", "B@B.T@u"]


class Maker:
    """Random formulas of a wanted size; `open_` are the samples that may be used."""

    def __init__(self, rng: np.random.Generator) -> None:
        self.rng, self.count = rng, 0

    def pick(self, options: list[Any]) -> Any:
        return options[int(self.rng.integers(len(options)))]

    def square(self, depth: int, open_: tuple[str, ...]) -> str:
        if depth == 0:
            random = [f"M[{w}]" for w in open_] + [f"a[{w}]@{one}[{w}].T" for w in open_ for one in "ag"]
            return str(self.pick([*SQUARE, *random]))
        kind = self.rng.integers(7)
        inner = self.square(depth - 1, open_)
        if kind == 0:
            return f"({inner} + {self.square(depth - 1, open_)})"
        if kind == 1:
            return f"({inner})@({self.square(depth - 1, open_)})"
        if kind == 2:
            return f"({inner}).T"
        if kind == 3:
            return f"({self.number(depth - 1, open_)})*({inner})"
        if kind == 4:
            return f"{self.vector(depth - 1, open_)}@({self.vector(depth - 1, open_)}).T"
        if kind == 5:
            return self.mean(lambda names: self.square(depth - 1, names), open_)
        cells = ", ".join(f"[{self.square(0, open_)}, {self.square(0, open_)}]" for _ in range(2))
        return f"[[I(n), {self.pick(['A', 'X', 'O(n,n)'])}]] @ [{cells}] @ [[{self.square(0, open_)}], [I(n)]]"

    def vector(self, depth: int, open_: tuple[str, ...]) -> str:
        if depth == 0 or self.rng.random() < 0.3:
            return str(self.pick([*VECTOR, *(f"{a}[{w}]" for w in open_ for a in "ag")]))
        if self.rng.random() < 0.3:
            return self.mean(lambda names: self.vector(depth - 1, names), open_)
        return f"(({self.square(depth - 1, open_)})@{self.vector(depth - 1, open_)})"

    def number(self, depth: int, open_: tuple[str, ...]) -> str:
        if depth == 0:
            return str(self.pick(["2", "c", "-1/3", *(f"b[{w}]" for w in open_)]))
        kind = self.rng.integers(5)
        if kind == 0:
            return f"tr({self.square(depth - 1, open_)})"
        if kind == 1:
            return f"(({self.vector(depth - 1, open_)}).T@({self.square(0, open_)})@{self.vector(depth - 1, open_)})"
        if kind == 2:
            return f"({self.number(depth - 1, open_)} - {self.number(depth - 1, open_)})"
        if kind == 3:
            return f"({self.number(depth - 1, open_)})*({self.number(depth - 1, open_)})"
        return self.mean(lambda names: self.number(depth - 1, names), open_)

    def mean(self, body: Any, open_: tuple[str, ...]) -> str:
        self.count += 1
        name = f"w{self.count % 3}"  # names are used again: inner samples hide outer ones
        inner = body((name, *(w for w in open_ if w != name)))
        return f"E({name}, b[{name}]*({inner}))"


def plain(value: Any) -> Any:
    return value.rows if isinstance(value, Mat) else value


def point(rng: np.random.Generator) -> dict[str, Any]:
    while True:
        full = draw(WORLD, rng)
        if full is not None and int(full["n"]) <= 2:
            return typed_environment({name: _element(name, value) for name, value in full.items()}, WORLD)


@pytest.mark.parametrize("seed", range(12))
def test_a_formula_and_its_normal_form_have_one_value(seed: int) -> None:
    rng = np.random.default_rng(seed)
    maker, env, seen = Maker(rng), point(rng), 0
    while seen < 25:
        source = [maker.number, maker.square, maker.vector][int(rng.integers(3))](int(rng.integers(1, 4)), ())
        node = elaborate(parse(source), WORLD.world)
        try:
            names, opaque = scalar_atoms([node])
            back = formula(normal(node, RationalFunctions(names)), WORLD.world.letters, opaque)
        except Malformed:
            continue  # too many samples or terms
        assert size_of(back) == size_of(node)
        assert plain(evaluate(back, env, Exact())) == plain(evaluate(node, env, Exact())), (source, text(back))
        seen += 1


STATES = ["E(h, x[2, h])", "E(h, x[2, h]@x[2, h].T)", "E(h, y[2, h]*x[2, h])", "E(h, x[1, h]@x[2, h].T)",
          "E(h, tr(x[2, h]@x[1, h].T)*y[1, h])", "E(h, x[2, h])@E(h, x[2, h]).T", "E(h, y[1, h]**2)*E(h, x[1, h])",
          "E(h, E(w, b[w]*x[2, h]))", "E(h, y[2, h]*norm2(x[2, h]))"]  # fmt: skip


@pytest.mark.parametrize("source", STATES)
def test_a_step_of_the_recursion_changes_no_mean(source: str) -> None:
    rng = np.random.default_rng(5)
    env = point(rng)
    assert isinstance(env["#histories"], Histories)
    world = WORLD.world
    node = elaborate(unfold(parse(source), {}), world)
    nodes = [node, *(side for step in world.steps.values() for side in (step.body, step.start))]
    names, opaque = scalar_atoms(nodes)
    ring = RationalFunctions(names)
    value: Terms = normal(node, ring)
    sequent = Sequent((), WORLD.goals[0], WORLD.counters, world)
    for _ in range(2):
        value = advanced(value, sequent, ring)
        back: Node = formula(value, world.letters, opaque)
        assert plain(evaluate(back, env, Exact())) == plain(evaluate(node, env, Exact())), text(back)
