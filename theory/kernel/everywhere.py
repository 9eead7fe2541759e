"""Hypotheses for every vector, decided at a point: is a function smooth and convex everywhere, and not at some vectors?

Where the functions of a point are polynomials the gap of such a hypothesis is one, in the entries of its vectors. Of
degree two at most, it is nonnegative everywhere when the symmetric matrix of its coefficients is. What is not shown so
is refused: no point refutes a claim then.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from flint import fmpq, fmpq_mpoly

from theory.kernel.evaluate import Mat, evaluate
from theory.kernel.instances import is_nonnegative, weights_of
from theory.kernel.lang import Node, Relation
from theory.kernel.rings import Exact, Frac, RationalFunctions, to_fmpq, to_fraction


def is_everywhere(relation: Relation) -> bool:
    return any(lo.op == "points" for _, lo, _ in relation.binders)


def holds_everywhere(relation: Relation, env: Mapping[str, Any]) -> bool:
    """True when it is shown; a gap that is no polynomial of degree two at most shows nothing."""
    sizes = [int(evaluate(lo.args[0], env, Exact())) for _, lo, _ in relation.binders if lo.op == "points"]
    ring = RationalFunctions(tuple(f"z{i}" for i in range(1, sum(sizes) + 1)))
    lifted = {name: _lifted(value, ring) for name, value in env.items()}
    return _holds(relation, lifted, ring, iter(ring.names), env)


def _lifted(value: Any, ring: RationalFunctions) -> Any:
    if hasattr(value, "anew"):
        return value.anew(lambda inner: _lifted(inner, ring))
    return value.map(lambda x: _lifted(x, ring)) if hasattr(value, "map") else ring.const(to_fraction(value))


def _holds(
    relation: Relation, here: dict[str, Any], ring: RationalFunctions, names: Any, env: Mapping[str, Any]
) -> bool:
    if relation.binder is None:
        gap = evaluate(Node("-", (relation.left, relation.right)), here, ring)
        return isinstance(gap, Frac) and not ring.divisors and gap.den.is_constant() and _signed(relation.op, gap.num)
    index, low, _ = relation.binder
    inner = relation.under(relation.more)
    if low.op == "points":
        size = int(evaluate(low.args[0], env, Exact()))
        entries = [ring.var(next(names)) for _ in range(size)]
        value = entries[0] if size == 1 else Mat(tuple((one,) for one in entries))
        return _holds(inner, {**here, index: value}, ring, names, env)
    if low.op != "domain":
        return False
    rest = list(names)
    samples = range(1, len(weights_of(str(low.value), env).rows) + 1)
    return all(_holds(inner, {**here, index: _lifted(to_fmpq(i), ring)}, ring, iter(rest), env) for i in samples)


def _signed(op: str, gap: fmpq_mpoly) -> bool:
    if op == "==":
        return bool(gap.is_zero())
    return op in ("<=", ">=") and _is_nonnegative(gap if op == ">=" else -gap)


def _is_nonnegative(gap: fmpq_mpoly) -> bool:
    """(1, z) M (1, z)' with a nonnegative M."""
    size = 1 + gap.context().nvars()
    rows = [[fmpq(0)] * size for _ in range(size)]
    for exponents, coefficient in gap.to_dict().items():
        at = [place for place, power in enumerate(exponents, start=1) for _ in range(power)]
        if len(at) > 2:
            return False
        i, j = [0] * (2 - len(at)) + at
        rows[i][j] += coefficient / 2
        rows[j][i] += coefficient / 2
    matrix = Mat(tuple(map(tuple, rows)))
    return is_nonnegative(matrix.map(lambda x: x - x), matrix)
