"""Means over one space beside functions of random numbers: their signs, and the squares of means of roots.

A mean of positive numbers e is positive: with q = E(1/e) and t = 1/(1 + q), e >= 2*t - t**2/e for every outcome, and
so E(e) >= 2*t - t**2*q > 0. With f a root or an absolute value and m = E(f), 0 <= (f - m)**2 gives m**2 <= E(f**2).
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from theory.kernel.flat import OMEGA
from theory.kernel.lang import Node, Relation, num, symbols, text, walk
from theory.kernel.sequent import Certificate, Sequent
from theory.provers.effort import Effort
from theory.provers.frame import Frame
from theory.provers.rewriting import free_parts, new_names
from theory.provers.skeletons import Filler, Search
from theory.provers.squares import at_generic
from theory.provers.tactics import Tactic, auto, chain, identity, root, termwise

MOST = 3  # means in one goal
NAMED = 6  # facts with which a number is named


def signs(sequent: Sequent, effort: Effort, search: Search) -> Certificate | None:
    """The goal, once the means of positive numbers in it are known to be positive."""
    strict = any(_is_strict(fact) for fact in sequent.facts)
    if effort.depth or not (strict or _divides(sequent)):
        return None
    frame = Frame(sequent)
    for mean in [part for part in dict.fromkeys(free_parts(sequent.goal)) if part.op == "mean"][:MOST]:
        fact = Relation(">" if strict else ">=", mean, num(0))
        if fact in sequent.facts:
            continue
        here = frame.sequent.show(fact)
        proof = Filler(search, {}, effort.deeper()).first([_positive(mean, here) if strict else _whole(here)], here)
        if proof is not None and fact == sequent.goal:
            return frame.close(proof)
        frame = frame if proof is None else frame.have(str(fact), proof)
    found = search(frame.sequent, effort.deeper(), {}) if frame.steps else None
    return None if found is None else frame.close(found)


def _is_strict(fact: Relation) -> bool:
    return fact.binder is not None and fact.op in ("<", ">") and fact.binder[1] == OMEGA


def _divides(sequent: Sequent) -> bool:
    """Whether a mean stands in a divisor or a logarithm of the goal, and something is known of every outcome."""
    inside = (p.args[-1] for p in free_parts(sequent.goal) if p.op in ("log", "/"))
    known = any(fact.binder is not None and fact.binder[1] == OMEGA for fact in sequent.facts)
    return known and any(p.op == "mean" for one in inside for p in walk(one))


def _whole(sequent: Sequent) -> Tactic:
    return {**termwise("mean", index=next(new_names(sequent, "i", "j", stem="i"))), "whole": True}


def _positive(mean: Node, sequent: Sequent) -> Tactic:
    sample, body = str(mean.args[0].value), text(mean.args[1])
    index = next(new_names(sequent, "i", "j", stem="i"))
    q = next(new_names(sequent, stem="m"))
    t = f"1/(1 + {q})"
    gap = f"mean({sample}, ({body} - {t})**2/({body})) >= 0"
    entry = text(at_generic(mean.args[1], sample, index))
    kept = sum(fact.binder is None or fact.binder[1:] == (OMEGA, OMEGA) for fact in sequent.facts)
    at, over = kept + NAMED, f"1 + {q}"
    square = {
        "kind": "cone",
        "multiplier": [at, at + 1, at + 1],
        "terms": [{"c": "1", "sq": f"({entry})*({over}) - 1"}],
    }
    each = {**termwise("mean", chain(f"{entry} > 0", f"{over} > 0", then=square), index=index), "whole": True}
    known = {**termwise("mean", index=index), "whole": True}
    return _named(q, f"mean({sample}, 1/({body}))", known, chain((gap, each), then=auto()), sequent)


def _named(name: str, number: str, each: Tactic, then: Tactic, sequent: Sequent) -> Tactic:
    """A sum or mean of what is not negative gets a name, as the root of its square: none of its parts is seen below."""
    whole, at = f"sqrt(({number})**2)", len(sequent.facts)
    both = [
        (f"{name} <= {number}", _unless(f"{number} - {name}", at, at + 3, "-1")),
        (f"{name} >= {number}", _unless(f"{name} - {number}", at + 2, at + 3, "1", at + 5)),
    ]
    here = root(whole, name, then=chain(*both, then=then))
    return chain((f"{number} >= 0", each), (f"{whole} == {whole}", identity()), then=here)


def _unless(gap: str, signed: int, squares: int, cofactor: str, at: int | None = None) -> Tactic:
    """a >= b from a**2 == b**2: where b > a >= 0, (a - b)*(b - a) == 2*(b - a)*a."""
    here = squares + 1 if at is None else at
    less = {"kind": "cone", "multiplier": [here], "terms": [{"c": "2", "of": [here, signed]}]}
    return {
        "kind": "cases",
        "on": gap,
        "strict": True,
        "nonnegative": {"kind": "cone", "terms": [{"c": "1", "of": [here]}]},
        "nonpositive": {**less, "modulo": [[squares, cofactor]]},
    }


def squares(sequent: Sequent, effort: Effort, search: Search) -> Certificate | None:
    """The goal beside m**2 <= E(f**2), for means and weighted sums of roots and absolute values."""
    if sequent.goal.op not in ("<=", ">=", "<", ">") or effort.depth:
        return None
    return Filler(search, {}, effort.deeper()).first(islice(_squares(sequent), MOST), sequent)


def _squares(sequent: Sequent) -> Iterator[Tactic]:
    index, m = (next(new_names(sequent, *own, stem=own[0])) for own in (("i", "j"), ("m",)))
    for whole in dict.fromkeys(part for part in free_parts(sequent.goal) if part.op in ("sum", "mean")):
        name, *ends, body = whole.args
        weight, part = _weighted(body, str(name.value))
        if part is None or (whole.op == "sum" and weight == num(1)):
            continue
        inner = text(part.args[0])
        square = f"({inner})" if part.op == "sqrt" else f"({inner})**2"
        gap = f"({text(weight)})*({square} - 2*{m}*{text(part)} + {m}**2)"
        range_ = ", ".join(text(one) for one in (name, *ends))
        each = {**termwise(whole.op, index=index), "whole": True}
        yield _named(m, text(whole), each, chain((f"{whole.op}({range_}, {gap}) >= 0", each), then=auto()), sequent)


def _weighted(body: Node, index: str) -> tuple[Node, Node | None]:
    """w and f of w*f, where f is a root or an absolute value that changes with the index."""
    if body.op in ("sqrt", "abs") and index in symbols(body):
        return num(1), body
    if body.op == "*":
        for weight, root in (body.args, body.args[::-1]):
            if root.op in ("sqrt", "abs") and index in symbols(root):
                return weight, root
    return num(1), None
