"""Exponentials and logarithms: their laws at the places where they occur, and exp(n*t) as a power of exp(t)."""

from __future__ import annotations

from collections.abc import Iterator

from theory.kernel.flat import polynomial_node, scalars_of
from theory.kernel.lang import Node, Relation, relation_symbols, sym, symbols, text
from theory.kernel.sequent import Certificate, Sequent
from theory.provers.effort import Effort
from theory.provers.rewriting import parts, rewritten
from theory.provers.skeletons import Filler, Search
from theory.provers.tactics import Tactic, auto, cite

LAWFUL = ("exp", "log", "sin", "cos")
MOST = 3  # exponentials and logarithms in one goal


def find(sequent: Sequent, effort: Effort, search: Search) -> Certificate | None:
    return Filler(search, {}, effort.deeper()).first(_tactics(sequent), sequent)


def _tactics(sequent: Sequent) -> Iterator[Tactic]:
    here = list(dict.fromkeys(parts(sequent.goal)))
    free, known = relation_symbols(sequent.goal), set(parts(*sequent.facts))
    found = [part for part in here if part.op in LAWFUL and symbols(part) <= free and part not in known][:MOST]
    counters = {str(p.args[1].value) for p in here if p.op == "**" and p.args[1].op == "sym"} & sequent.naturals
    for part in found:
        for counter in sorted(counters & symbols(part)):
            yield from _as_power(part, counter, sequent)
    laws = [instance for part in found for instance in _laws(part)]
    if laws:
        yield _all(laws, auto())


def _all(laws: list[tuple[str, dict[str, str]]], then: Tactic) -> Tactic:
    for law, where in reversed(laws):
        then = cite(f"law:{law}", where, then=then)
    return then


def _laws(part: Node) -> Iterator[tuple[str, dict[str, str]]]:
    """What is worth knowing about a part at sight."""
    inside = part.args[0]
    t = text(inside)
    match part.op:
        case "exp":
            yield "exp-positive", {"t": t}
            yield "exp-tangent", {"t": t}
            yield "exp-tangent", {"t": f"-({t})"}
            yield "exp-inverse", {"s": t, "t": f"-({t})"}
            if inside.op == "+":
                terms = [text(term) for term in inside.args]
                yield "exp-sum", {"r": t, "s": terms[0], "t": terms[1]}
                yield from (("exp-tangent", {"t": term}) for term in terms)
        case "log":
            yield "log-tangent", {"t": t}
            yield "log-tangent", {"t": f"1/({t})"}
            yield "log-inverse", {"s": f"1/({t})", "t": t}
        case _:
            yield "circle", {"t": t}


def _as_power(part: Node, counter: str, sequent: Sequent) -> Iterator[Tactic]:
    """exp(n*t) is exp(t)**n, and exp(t) is positive and above its tangent."""
    if part.op != "exp":
        return
    ring, (value,), atoms = scalars_of([Node("/", (part.args[0], sym(counter)))])
    step = atoms.restore(polynomial_node(value.num, ring.names))
    if not value.den.is_constant() or counter in symbols(step):
        return
    one = Node("exp", (step,))
    laws = [("exp-positive", {"t": text(step)}), ("exp-tangent", {"t": text(step)})]
    count = len(sequent.facts) + len(laws)
    equation = Relation("==", part, Node("**", (one, sym(counter))))
    then = rewritten(sequent.goal, equation, count, count + 1)
    if then is not None:
        multiple = ("exp-multiple", {"s": text(part.args[0]), "n": counter, "t": text(step)})
        yield _all([*laws, multiple], then)
