"""How an author writes the skeleton of a proof: the leaves are `auto()`, which the provers fill in.

proof=have("q <= 2*eta", then=auto())
proof=induction("k", {"s": "iterate(…)"}, ["s1**2 + s2**2 <= 1"])
proof=termwise("sum", each=auto())
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

Tactic = dict[str, Any]


def auto(**options: Any) -> Tactic:
    """Let the provers find it. Options: degree (of products and squares), only (names of provers), split (depth)."""
    return {"kind": "auto", "options": options, "slot": {}}


def have(fact: str, proof: Tactic | None = None, *, then: Tactic | None = None, defined: Any = None) -> Tactic:
    """An intermediate fact; `then` may use it."""
    return {"kind": "have", "fact": fact, "proof": proof or auto(), "then": then or auto(), "defined": defined or {}}


def chain(*facts: str | tuple[str, Tactic], then: Tactic | None = None) -> Tactic:
    """Several facts, each proved from the ones before it."""
    result = then or auto()
    for item in reversed(facts):
        fact, proof = (item, auto()) if isinstance(item, str) else item
        result = have(fact, proof, then=result)
    return result


def cite(
    claim: str,
    where: Mapping[str, str] | None = None,
    *,
    discharge: Mapping[str, Tactic] | None = None,
    then: Tactic | None = None,
    **more: Any,
) -> Tactic:
    """An instance of another claim; hypotheses that are not literally facts are discharged by the provers."""
    return {
        "kind": "cite",
        "claim": claim,
        "with": dict(where or {}),
        "discharge": dict(discharge or {}),
        "then": then or auto(),
        "elaborate": True,
        **more,
    }


def cases(on: str, nonnegative: Tactic | None = None, nonpositive: Tactic | None = None) -> Tactic:
    return {"kind": "cases", "on": on, "nonnegative": nonnegative or auto(), "nonpositive": nonpositive or auto()}


def induction(
    on: str,
    states: Mapping[str, str],
    invariant: Sequence[str],
    *,
    base: Sequence[Tactic] | None = None,
    step: Sequence[Tactic] | None = None,
    then: Tactic | None = None,
) -> Tactic:
    """`states` maps a fresh name to an iterate(…, on, …) or a power x**on that occurs in the goal."""
    n = len(invariant)
    return {
        "kind": "induction",
        "on": on,
        "states": dict(states),
        "invariant": list(invariant),
        "base": list(base or [auto() for _ in range(n)]),
        "step": list(step or [auto() for _ in range(n)]),
        "then": then or auto(),
    }


def termwise(over: str = "sum", each: Tactic | None = None, rest: Tactic | None = None, index: str = "i") -> Tactic:
    """A sum or mean is compared term by term: this lifts a claim from one eigenvalue to every dimension."""
    return {"kind": "termwise", "over": over, "index": index, "each": each or auto(), "rest": rest or auto()}


def root(of: str, name: str, then: Tactic | None = None) -> Tactic:
    return {"kind": "root", "of": of, "name": name, "then": then or auto()}


def solve(fact: int, name: str, then: Tactic | None = None) -> Tactic:
    return {"kind": "solve", "fact": fact, "for": name, "then": then or auto()}


def split(of: str, *branches: Tactic) -> Tactic:
    return {"kind": "split", "of": of, "branches": list(branches) or [auto(), auto()]}


def identity() -> Tactic:
    return {"kind": "identity"}


def telescope(of: str, *, each: Tactic | None = None, ends: Tactic | None = None, written: int = 0) -> Tactic:
    """A sum over i of f is G(hi + 1) - G(lo) if f is G(i + 1) - G(i): `of` is G, in the index of the sum.

    The first terms may be `written` out, where G has no value.
    """
    return {
        "kind": "telescope",
        "of": of,
        "written": written,
        "each": each or auto(),
        "ends": ends or auto(),
        "long": auto(),
        "defined": {},
    }


def count(index: str = "i") -> Tactic:
    """A sum of ones counts its terms."""
    return telescope(index, each=identity(), ends=identity())


def order(*items: Tactic, ops: Sequence[Any] = (), **more: Any) -> Tactic:
    """Matrices, traces, means: right - left is the sum of the items (theory.kernel.orders); facts go by name."""
    return {"kind": "order", "items": list(items), "ops": list(ops), **more}


def instance(fact: str | int, then: Tactic | None = None, *, called: str | None = None, **at: str) -> Tactic:
    """A fact for every index, at these indices."""
    name = {"called": called} if called else {}
    return {"kind": "instance", "fact": fact, "at": at, "within": {}, "then": then or auto(), **name}


def induct(on: str, base: Tactic | None = None, step: Tactic | None = None, **more: Any) -> Tactic:
    """Induction over a natural number; the step has all earlier cases as the fact "IH", for every index `m`."""
    return {"kind": "induct", "on": on, "as": "m", "base": base or auto(), "step": step or auto(), **more}


def unroll(of: str, then: Tactic | None = None, *, end: str = "last", **more: Any) -> Tactic:
    """The last or first term of a sum or product apart, or that it is empty."""
    return {"kind": "unroll", "of": of, "end": end, "long": auto(), "then": then or auto(), **more}


def eigen(
    of: str, left: str, right: str, then: Tactic | None = None, *, vector: str = "u", value: str = "lam"
) -> Tactic:
    """tr(left) and tr(right) at one eigenvector: of @ u == lam*u is the fact "eigen", u.T @ u == 1 is "eigen.2"."""
    return {
        "kind": "eigen",
        "of": of,
        "left": left,
        "right": right,
        "vector": vector,
        "value": value,
        "called": "eigen",
        "then": then or auto(),
    }


def form(then: Tactic | None = None, *, vector: str = "u") -> Tactic:
    """X << Y at one vector, of which nothing is known."""
    return {"kind": "form", "vector": vector, "then": then or auto()}


def slope(name: str, start: str, *, way: str = "up", between: str = "y", **proofs: Tactic) -> Tactic:
    """A function of `name` from `start` on: its sign there (base) and the sign of its slope; `way` is up or down."""
    leaves = {key: proofs.get(key, auto()) for key in ("order", "base", "slope")}
    return {"kind": "slope", "in": name, "from": start, "name": between, "way": way, "defined": {}, **leaves}


def let(name: str, formula: str, then: Tactic | None = None) -> Tactic:
    """A vector or a matrix gets a name; the equation is the fact of that name."""
    return {"kind": "let", "name": name, "is": formula, "called": name, "then": then or auto()}
