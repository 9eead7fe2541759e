"""How the rules without inner proofs are written out for people."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from typing import Any

from theory.kernel import Sequent
from theory.kernel.evaluate import evaluate
from theory.kernel.flat import Atoms, difference
from theory.kernel.lang import Node, Relation, symbols, text
from theory.kernel.rings import RationalFunctions, shown

Lines = Iterator[str]
LONG = 320


def short(shown: str, limit: int = LONG) -> str:
    return shown if len(shown) <= limit else f"{shown[: limit - 12]} … ({len(shown)} characters)"


def gap(relation: Relation) -> str:
    """The relation as a formula that is nonnegative (or zero, for an equation)."""
    node, _ = difference(relation)
    minus = node.args[1]
    return text(node.args[0]) if minus.op == "num" and minus.value == 0 else text(node)


def gap_name(goal: Relation) -> str:
    return "right - left" if goal.op in ("<=", "<") else "left - right"


def expanded(goal: Relation, put: Mapping[str, Node]) -> tuple[str, str]:
    """Numerator and denominator of what has to be nonnegative, after the substitution."""
    node, _ = difference(goal)
    flat = Atoms().flatten(node)
    names = tuple(sorted({n for p in put.values() for n in symbols(p)} | (symbols(flat) - set(put))))
    ring = RationalFunctions(names)
    env: dict[str, Any] = {n: ring.var(n) for n in names}
    values = {name: evaluate(formula, env, ring) for name, formula in put.items()}
    value = evaluate(flat, {**env, **values}, RationalFunctions(names))
    top, bottom = value.num, value.den
    if any(c < 0 for c in bottom.to_dict().values()):
        top, bottom = -top, -bottom
    return shown(top), shown(bottom)


def _identity(cert: Mapping[str, Any], sequent: Sequent) -> Lines:
    every = sequent.every_fact()
    modulo = [f"({cofactor}) times [{every[i]}]" for i, cofactor in cert.get("modulo", ())]
    yield "Both sides are the same rational function" + (f", up to {' and '.join(modulo)}." if modulo else ".")


def _cone(cert: Mapping[str, Any], sequent: Sequent) -> Lines:
    every = sequent.every_fact()
    terms = [_term(term, every) for term in cert["terms"]]
    front = "".join(f"({gap(every[i])}) * " for i in cert.get("multiplier", ()))
    modulo = [f"({cofactor}) * ({gap(every[i])})" for i, cofactor in cert.get("modulo", ())]
    if not front and not modulo and terms == [f"({gap(sequent.goal)})"]:
        yield "a hypothesis"
        return
    yield f"Identity: {front}[{short(gap(sequent.goal))}]"
    for position, term in enumerate([*terms, *modulo]):
        yield f"  {'=' if position == 0 else '+'} {short(term)}"
    if not terms and not modulo:
        yield "  = 0"
    kinds = [name for name, key in (("squares", "sq"), ("hypotheses", "of")) if any(t.get(key) for t in cert["terms"])]
    yield f"Each term is nonnegative: {' and '.join(kinds) or 'numbers'} with nonnegative weights."


def _term(term: Mapping[str, Any], every: list[Relation]) -> str:
    weight = Fraction(term["c"])
    parts = [f"({gap(every[i])})" for i in term.get("of", ())]
    if "sq" in term:
        parts.append(f"({term['sq']})^2")
    shown = " * ".join(parts)
    if not parts:
        return str(weight)
    return shown if weight == 1 else f"{weight} * {shown}"


def _subdivision(cert: Mapping[str, Any], sequent: Sequent) -> Lines:
    pieces = _leaves(cert["tree"])
    box = cert.get("box")
    where = "the box given by the hypotheses" if box is None else _box(box)
    cut = "in one piece" if pieces == 1 else f"cut into {pieces} pieces"
    bits = cert.get("bits", 53)
    yield f"On {where}, {cut}: interval arithmetic with {bits} bits encloses {gap_name(sequent.goal)} above zero."


def _leaves(tree: Any) -> int:
    return _leaves(tree["low"]) + _leaves(tree["high"]) if isinstance(tree, dict) and "split" in tree else 1


def _box(box: Mapping[str, Any]) -> str:
    return ", ".join(f"{name} in [{lo}, {hi}]" for name, (lo, hi) in sorted(box.items()))


LEAVES: dict[str, Callable[[Mapping[str, Any], Sequent], Lines]] = {
    "identity": _identity,
    "cone": _cone,
    "balls": _subdivision,
}
