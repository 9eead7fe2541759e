"""Rules about indices: a fact for every index is used at one, a goal for every index is shown at a generic one,
induction over a natural number from any start, and sums, products and iterations that lose their last term.

What may go wrong, and why it does not:
- an index outside its range: each end is shown, or plain by its form;
- a fact about the number that an induction runs over: it is left out of base and step, but for an upper end;
- a name that is generalised: facts about it are left out as well, so that the hypothesis holds for all of it;
- a value that exists for n and not for the start: base and step are shown to be defined, each where it is used.
"""

from __future__ import annotations

from collections.abc import Mapping

from theory.kernel.errors import Rejected
from theory.kernel.flat import OMEGA, fraction_node, scalars_of, tidy
from theory.kernel.kinds import NUMBER, has_letters, settled_relation, size_from, size_node, size_of
from theory.kernel.lang import (
    FOREVER,
    Binder,
    Node,
    Relation,
    num,
    relation_symbols,
    substitute,
    substitute_relation,
    sym,
    symbols,
    text,
)
from theory.kernel.proof import Library, check, require_defined
from theory.kernel.sequent import Certificate, Sequent, Tally, ends_of, fresh, is_integer, is_natural
from theory.kernel.shapes import require_number


def rule_instance(cert: Certificate, sequent: Sequent, library: Library, tally: Tally) -> None:
    """A fact for every index, at indices of its range."""
    fact, duties = instance(sequent.facts[int(cert["fact"])], cert["at"], sequent)
    for duty in duties:
        if not by_form(duty, sequent):
            if str(duty) not in cert.get("within", {}):
                raise Rejected(f"not shown: {duty}, so the index may lie outside the range")
            check(cert["within"][str(duty)], sequent.show(duty), library, tally, cert["_depth"])
    check(cert["then"], sequent.given(fact), library, tally, cert["_depth"])


def instance(fact: Relation, at: Mapping[str, str], sequent: Sequent) -> tuple[Relation, list[Relation]]:
    """The fact at these indices, and what puts each of them inside its range."""
    if fact.binder is None or fact.binder[1] == OMEGA:
        raise Rejected(f"{fact} is not a fact for every index of a range")
    put: dict[str, Node] = {}
    duties: list[Relation] = []
    for index, lo, hi in fact.binders:
        image = sequent.world.read(str(at[index]))
        if not is_integer(image, sequent.naturals):
            raise Rejected(f"{text(image)} is not an integer by its form; an index is made of natural numbers")
        first, last = substitute(lo, put), hi if hi == FOREVER else substitute(hi, put)
        duties.append(Relation(">=", image, first))
        if last != FOREVER:
            duties.append(Relation("<=", image, last))
        put[index] = image
    return settled_relation(substitute_relation(fact.under(()), put)), duties


def by_form(duty: Relation, sequent: Sequent) -> bool:
    """Plain: a fact, or the difference is a sum of natural numbers; one more than that where it is strict."""
    if duty in sequent.facts:
        return True
    if duty.op not in ("<=", "<", ">=", ">"):
        return False
    big, small = (duty.left, duty.right) if duty.op in (">=", ">") else (duty.right, duty.left)
    least = num(1 if duty.op in ("<", ">") else 0)
    ring, (gap,), atoms = scalars_of([Node("-", (Node("-", (big, small)), least))])
    return is_natural(atoms.restore(fraction_node(gap, ring.names)), sequent.naturals)


def opened(sequent: Sequent, goal: Relation) -> Sequent:
    """The goal at generic indices of its ranges: new names, of which the ends of the range are known."""
    here = sequent.show(Relation("==", num(0), num(0)))
    for index, lo, hi in goal.binders:
        fresh(index, here)
        if lo.op == "domain":
            here = here.sampling(index, str(lo.value))
            continue
        if lo.op == "points":
            here = here.with_vector(index, size_from(lo.args[0]))
            continue
        if lo == OMEGA or not all(is_integer(end, here.naturals) for end in (lo, hi) if end != FOREVER):
            raise Rejected(f"the ends of {str(goal)[:120]} are not integers by their form")
        if not is_natural(tidy(lo), here.naturals):
            raise Rejected(f"{text(lo)}, where {index} begins, is not a natural number by its form")
        here = here.given(*ends_of(index, lo, hi)).counting(index)
    return here.show(goal.under(()))


def rule_induct(cert: Certificate, sequent: Sequent, library: Library, tally: Tally) -> None:
    """The goal for every n >= start, from the goal at the start and the goal at n + 1.

    The step may use the goal at every earlier number (`as` names it), for every value of the names in `general`.
    """
    depth = cert["_depth"]
    base, step = induction_parts(cert, sequent)
    first = Relation(">=", sym(str(cert["on"])), sequent.world.read(str(cert.get("start", "0"))))
    if not by_form(first, sequent):
        check(cert["long"], sequent.show(first), library, tally, depth)
    for key, part in (("base", base), ("step", step)):
        duties = {**cert.get("defined", {}), **cert.get(f"{key} defined", {})}
        require_defined([part.goal.left, part.goal.right], part, duties, library, tally, depth)
        check(cert[key], part, library, tally, depth)


def induction_parts(cert: Certificate, sequent: Sequent) -> tuple[Sequent, Sequent]:
    """What is to be shown at the start, and what at n + 1."""
    name, start, earlier = str(cert["on"]), sequent.world.read(str(cert.get("start", "0"))), str(cert["as"])
    general = [str(one) for one in cert.get("general", [])]
    goal, moving = sequent.goal, {name, *general}
    if moving & sequent.world.sizes:
        raise Rejected(f"{name} is a size; there is no induction over the size of a matrix")
    if moving & sequent.world.parameters:
        raise Rejected(f"a recursion of the claim depends on {', '.join(sorted(moving & sequent.world.parameters))}")
    if goal.binder is not None or len(moving) != 1 + len(general) or not moving <= sequent.naturals:
        raise Rejected(f"induction over {name} for every {general}: natural numbers of the goal, each once")
    if not is_natural(start, sequent.naturals - moving):
        raise Rejected(f"the induction begins at {text(start)}, which is not a natural number by its form")
    fresh(earlier, sequent)
    here = sequent.only(tuple(fact for fact in sequent.facts if moving.isdisjoint(relation_symbols(fact))))
    upto = [fact for fact in sequent.facts if _is_upper_end(fact, name, moving)]
    ranges: list[Binder] = [(earlier, start, sym(name)), *((one, num(0), FOREVER) for one in general)]
    known = settled_relation(substitute_relation(goal, {name: sym(earlier)})).under(tuple(ranges))
    at_start, later = {name: start}, {name: Node("+", (sym(name), num(1)))}
    base = here.given(*(substitute_relation(fact, at_start) for fact in upto)).not_counting(name)
    step = here.given(Relation(">=", sym(name), start), known, *(substitute_relation(fact, later) for fact in upto))
    ends = (settled_relation(substitute_relation(goal, put)) for put in (at_start, later))
    return base.show(next(ends)), step.show(next(ends))


def _is_upper_end(fact: Relation, name: str, moving: set[str]) -> bool:
    """n <= e with a fixed e: what holds at n + 1 held at all earlier numbers, so base and step may use it."""
    small, big = (fact.left, fact.right) if fact.op in ("<=", "<") else (fact.right, fact.left)
    ordered = fact.binder is None and fact.op in ("<=", "<", ">=", ">")
    return ordered and small == sym(name) and moving.isdisjoint(symbols(big))


def rule_unroll(cert: Certificate, sequent: Sequent, library: Library, tally: Tally) -> None:
    """An equation about a sum, a product or an iteration: its last or first term apart, or that it is empty."""
    node = sequent.world.read(cert["of"])
    fact, duty = unrolled(node, str(cert["end"]))
    fact = settled_relation(fact)
    require_defined([node], sequent, cert.get("defined", {}), library, tally, cert["_depth"])
    if not by_form(duty, sequent):
        check(cert["long"], sequent.show(duty), library, tally, cert["_depth"])
    check(cert["then"], sequent.given(fact), library, tally, cert["_depth"])


def unrolled(node: Node, end: str) -> tuple[Relation, Relation]:
    """The equation, and what must hold of the range."""
    if node.op != "sum" or not has_letters(node):
        require_number(node)
    if node.op == "iterate":
        state, count, begin, body = node.args
        if end == "empty":
            return Relation("==", node, begin), Relation("<=", count, num(0))
        before = Node("iterate", (state, tidy(Node("-", (count, num(1)))), begin, body))
        return Relation("==", node, substitute(body, {str(state.value): before})), Relation(">=", count, num(1))
    if node.op == "**" and node.args[1].op != "num" and end in ("last", "empty"):  # a natural number, as it has a value
        base, count = node.args
        if end == "empty":
            return Relation("==", node, num(1)), Relation("<=", count, num(0))
        before = Node("**", (base, tidy(Node("-", (count, num(1))))))
        return Relation("==", node, Node("*", (before, base))), Relation(">=", count, num(1))
    if node.op not in ("sum", "prod") or end not in ("last", "first", "empty"):
        raise Rejected(f"{text(node)[:120]} has no {end!r}: sums and products have a first, a last, or are empty")
    index, lo, hi, body = node.args
    if end == "empty":
        rows, cols = size_of(node) if has_letters(node) else NUMBER
        matrix = Node("O", (size_node(rows), size_node(cols)))
        nothing = num(0 if node.op == "sum" else 1) if (rows, cols) == NUMBER else matrix
        return Relation("==", node, nothing), Relation("<", hi, lo)
    apart = hi if end == "last" else lo
    term = substitute(body, {str(index.value): apart})
    short = (lo, tidy(Node("-", (hi, num(1))))) if end == "last" else (tidy(Node("+", (lo, num(1)))), hi)
    rest = Node(node.op, (index, *short, body))
    return Relation("==", node, Node("+" if node.op == "sum" else "*", (rest, term))), Relation("<=", lo, hi)
