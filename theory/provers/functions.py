"""Exponentials, logarithms, sines and cosines: their laws as facts, at the places where they occur."""

from __future__ import annotations

from collections.abc import Iterator

from theory.kernel.errors import KernelError
from theory.kernel.lang import Node, replace, text
from theory.kernel.laws import LAWS
from theory.kernel.logic import images, instance_of
from theory.kernel.sequent import Certificate, Sequent
from theory.provers import arithmetic
from theory.provers.effort import Effort
from theory.provers.frame import Frame, accepted
from theory.provers.indices import TRUE
from theory.provers.rewriting import free_parts, parts, shorter
from theory.provers.skeletons import Filler

LAWFUL = ("exp", "log", "sin", "cos")
MOST = 6  # functions in one leaf
Law = tuple[str, dict[str, str]]


def with_laws(frame: Frame) -> Frame:
    """What is worth knowing about the functions that occur outside of every binder."""
    here = functions_of(frame.sequent)
    goal = [p for p in here if p in set(parts(frame.sequent.goal))]
    for law, where in _together(here, goal, frame.sequent):
        frame = cited(frame, law, where)
    for part in [*dict.fromkeys([*functions_of(frame.sequent)])][:MOST]:
        for law, where in _alone(part):
            frame = cited(frame, law, where)
    return frame


def functions_of(sequent: Sequent) -> list[Node]:
    relations = [r for r in (sequent.goal, *sequent.facts) if r.binder is None]
    return list(dict.fromkeys(p for p in free_parts(*relations) if p.op in LAWFUL))


def _alone(part: Node) -> Iterator[Law]:
    t = text(part.args[0])
    match part.op:
        case "exp":
            yield "exp-positive", {"t": t}
            yield "exp-zero", {"t": t}
            yield "exp-tangent", {"t": t}
        case "log":
            yield "log-tangent", {"t": t}
            yield "log-tangent", {"t": f"1/({t})"}
            yield "log-inverse", {"s": f"1/({t})", "t": t}


def _together(here: list[Node], goal: list[Node], sequent: Sequent) -> Iterator[Law]:
    """A function of the goal from the same function of a fact: the difference or the quotient of their arguments."""
    for part in goal:
        inside = _opened(part.args[0], sequent)
        for other in here:
            if other == part or other.op != part.op or other in goal:
                continue
            if part.op == "exp":
                rest = shorter(Node("-", (inside, other.args[0])))
                yield "exp-sum", {"r": text(part.args[0]), "s": text(other.args[0]), "t": text(rest)}
                yield "exp-tangent", {"t": text(rest)}
            if part.op == "log":
                rest = shorter(Node("/", (inside, other.args[0])))
                yield "log-product", {"r": text(part.args[0]), "s": text(other.args[0]), "t": text(rest)}


def _opened(node: Node, sequent: Sequent) -> Node:
    """Sums and products as the facts write them with their last term apart."""
    for fact in sequent.facts:
        if fact.binder is None and fact.op == "==" and fact.left.op in ("sum", "prod"):
            node = replace(node, fact.left, fact.right)
    return node


def cited(frame: Frame, law: str, where: dict[str, str], rounds: int = 0) -> Frame:
    """One more fact, if the hypotheses of the law can be shown."""
    sequent, claim = frame.sequent, LAWS[f"law:{law}"]
    cert: Certificate = {"kind": "cite", "claim": claim.id, "with": where, "discharge": {}, "defined": {}}
    try:
        env, families = images(cert, claim, sequent)
        fact = instance_of(claim.goals[0], env, families)
        if fact in sequent.facts:
            return frame
        cert["defined"] = defined(list(env.values()), sequent)
        for position, given in enumerate(claim.hypotheses):
            duty = instance_of(given, env, families)
            if duty in sequent.facts:
                continue
            proof = arithmetic.close(sequent.show(duty), rounds=rounds)
            if proof is None:
                return frame
            cert["discharge"][str(position)] = proof
    except KernelError:
        return frame
    if not accepted({**cert, "then": {"kind": "identity"}}, sequent.show(TRUE)):
        return frame
    return frame.within(str(fact), cert, "then")


def defined(nodes: list[Node], sequent: Sequent) -> dict[str, Certificate]:
    """Why divisors, roots and logarithms make sense, by arithmetic."""
    return Filler(_sign, {}, Effort()).definedness(nodes, sequent)


def _sign(sequent: Sequent, effort: Effort, library: object) -> Certificate | None:
    return arithmetic.close(sequent, rounds=2)
