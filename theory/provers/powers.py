"""Signs of powers with a natural exponent: c**n >= 0, and <= 1 or >= 1 where the base is; by induction."""

from __future__ import annotations

from theory.kernel.errors import KernelError
from theory.kernel.flat import tidy
from theory.kernel.lang import Node, Relation, num, sym, text
from theory.kernel.sequent import Certificate, Sequent, ends_of, is_integer, is_natural
from theory.provers import arithmetic, chains
from theory.provers.effort import Effort
from theory.provers.frame import Frame
from theory.provers.rewriting import new_names, parts
from theory.provers.skeletons import Filler
from theory.provers.tactics import induction

MOST = 3  # powers in one goal
BOUNDS = (((">", 0), ">", 0), ((">=", 0), ">=", 0), (("<=", 1), "<=", 1), ((">=", 1), ">=", 1))


def with_signs(frame: Frame) -> Frame:
    """Facts about the powers that occur outside of every forall."""
    relations = [r for r in (frame.sequent.goal, *frame.sequent.facts) if r.binder is None]
    found = dict.fromkeys(p for p in map(_bare, parts(*relations)) if p is not None)
    for power in [p for p in found if str(p.args[1].value) in frame.sequent.naturals][:MOST]:
        frame = _with_bounds(frame, power)
    falling = dict.fromkeys(p for p in parts(*relations) if p.op == "**" and _is_falling(p, frame.sequent))
    for power in list(falling)[:MOST]:
        frame = _at_a_difference(frame, power)
    return frame


def _is_falling(part: Node, sequent: Sequent) -> bool:
    """c**(n - k), a power whose exponent is an integer and not a natural number by its form."""
    exponent = tidy(part.args[1])
    return is_integer(exponent, sequent.naturals) and not is_natural(exponent, sequent.naturals)


def _at_a_difference(frame: Frame, power: Node) -> Frame:
    """The signs of c**(n - k): those of c**m for every m up to n - k, at m = n - k."""
    last = Relation(">=", power.args[1], num(0))
    within = arithmetic.close(frame.sequent.show(last), rounds=2)
    name = next(new_names(frame.sequent, "m", "l", stem="m"))
    moving = Node("**", (power.args[0], sym(name)))
    before = len(frame.sequent.facts)
    below = Frame(frame.sequent.counting(name).given(*ends_of(name, num(0), power.args[1])))
    signs = _with_bounds(below, moving).steps if within is not None else ()
    for count, (_, step) in enumerate(signs):
        every = f"forall({name}, 0, {text(power.args[1])}, {step['fact']})"
        now = len(frame.sequent.facts)
        proof = Frame(below.sequent, signs[:count]).close(step["proof"])
        kept = {"kind": "only", "facts": [*range(before), now, now + 1], "then": proof}
        made = {"kind": "have", "open": True, "fact": every, "proof": kept, "defined": {}}
        frame = frame.within(every, made, "then")
        at = {"kind": "instance", "fact": len(frame.sequent.facts) - 1, "at": {name: text(power.args[1])}}
        fact = str(step["fact"]).replace(text(moving), text(power))
        frame = frame.within(fact, {**at, "within": {str(last): within}}, "then")
    return frame


def _bare(part: Node) -> Node | None:
    """c**n of c**(n + 1)."""
    if part.op != "**" or part.args[1].op not in ("sym", "+"):
        return None
    exponent = part.args[1] if part.args[1].op == "sym" else part.args[1].args[0]
    return Node("**", (part.args[0], exponent)) if exponent.op == "sym" else None


def _with_bounds(frame: Frame, power: Node) -> Frame:
    base = power.args[0]
    shown: set[tuple[str, int]] = set()
    for (op, bound), kept, value in BOUNDS:
        if (bound, "<=") == (1, op) and not shown:
            continue
        if op == ">=" and bound == 0 and (">", 0) in shown:
            continue
        if chains.sign(frame.sequent.show(Relation(op, base, num(bound)))) is None:
            continue
        grown = _kept(frame, power, f"{kept} {value}", shown)
        if grown is not None:
            frame = grown
            shown.add((op, bound))
    return frame


def _kept(frame: Frame, power: Node, bound: str, shown: set[tuple[str, int]]) -> Frame | None:
    sequent = frame.sequent
    fact = f"{text(power)} {bound}"
    if any(str(known) == fact for known in sequent.facts):
        return None
    name = next(new_names(sequent, stem="p"))
    invariant = [f"{name} {op} {value}" for op, value in sorted(shown)]
    invariant += [f"{name} {bound}"]
    tactic = induction(str(power.args[1].value), {name: text(power)}, invariant)
    goal = Relation(bound.split()[0], power, num(bound.split()[1]))
    try:
        proof = Filler(_leaf, {}, Effort()).fill(tactic, sequent.show(goal))
    except KernelError:
        return None
    return frame.have(fact, proof)


def _leaf(sequent: Sequent, effort: Effort, library: object) -> Certificate | None:
    return arithmetic.close(sequent, rounds=2)
