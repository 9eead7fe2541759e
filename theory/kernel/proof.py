"""The walk over a certificate: each kind of node has its rule, and every formula must be defined where it is used."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from theory.kernel.errors import KernelError, Rejected
from theory.kernel.lang import Node, Relation, num, symbols
from theory.kernel.sequent import (
    FORMAL,
    Binders,
    Certificate,
    Obligation,
    Sequent,
    Tally,
    generic,
    is_plain,
    obligations,
)

if TYPE_CHECKING:
    from theory.kernel.claim import Claim

Library = Mapping[str, "Claim"]
Rule = Callable[[Certificate, Sequent, Library, Tally], None]
MAX_DEPTH = 200
MALFORMED = (
    LookupError,
    TypeError,
    ValueError,
    AttributeError,
    ArithmeticError,
    RuntimeError,
)  # of forged certificates


def check(cert: Certificate, sequent: Sequent, library: Library, tally: Tally, depth: int = 0) -> None:
    """Accept the certificate as a proof of the sequent, or raise `Rejected`."""
    from theory.kernel.rules import RULES

    table = RULES if tally.table is None else tally.table
    if not isinstance(cert, dict) or cert.get("kind") not in table:
        kind = cert.get("kind") if isinstance(cert, dict) else cert
        raise Rejected(f"unknown certificate kind {kind!r}; the kernel knows {', '.join(table)}")
    if depth > MAX_DEPTH:
        raise Rejected(f"the proof is nested deeper than {MAX_DEPTH}")
    tally.rules.add(cert["kind"])
    try:
        table[cert["kind"]]({**cert, "_depth": depth + 1}, sequent, library, tally)
    except Rejected:
        raise
    except KernelError as error:
        raise Rejected(f"{cert['kind']}: {error}") from None
    except MALFORMED as error:
        raise Rejected(f"{cert['kind']}: malformed certificate ({type(error).__name__}: {error})") from None


def require_defined(
    nodes: list[Node], sequent: Sequent, certs: Mapping[str, Certificate], library: Library, tally: Tally, depth: int
) -> None:
    """Every divisor is nonzero, every root and logarithm exists: by plain signs or by a certificate of its own."""
    require((duty for node in nodes for duty in obligations(node)), sequent, certs, library, tally, depth)


def require(
    duties: Iterable[Obligation],
    sequent: Sequent,
    certs: Mapping[str, Certificate],
    library: Library,
    tally: Tally,
    depth: int,
) -> None:
    seen: set[Obligation] = set()
    for duty in duties:
        label = duty.label
        if duty in seen or is_plain(duty, sequent):
            continue
        seen.add(duty)
        cert = certs.get(duty.full_label, certs.get(label, certs.get(duty.key)))
        counts = duty.kind == "natural" and is_plain(replace(duty, kind="integer"), sequent)
        if cert is None or (duty.kind in (*FORMAL, "invertible") and not counts):
            raise Rejected(f"not shown to be defined: {label}")
        goal = Relation({"nonzero": "!=", "positive": ">"}.get(duty.kind, ">="), duty.node, num(0))
        inner = sequent.show(goal) if _outside(cert, duty) else at_any_index(cert, sequent, goal, duty.binders)
        show_nonzero(cert, inner, library, tally, depth)


def at_any_index(cert: Certificate, sequent: Sequent, goal: Relation, binders: Binders) -> Sequent:
    """The goal at a generic index: entries get plain names, or are `kept` with all facts for every index."""
    from theory.kernel.counting import opened

    return opened(sequent, goal.under(binders)) if cert.get("kept") else generic(sequent, goal, binders)


def _outside(cert: Certificate, duty: Obligation) -> bool:
    """A divisor without a bound name may be shown where the binder stands, from all facts: it is more than is asked."""
    return bool(cert.get("outside")) and symbols(duty.node).isdisjoint(index for index, _, _ in duty.binders)


def show_nonzero(cert: Certificate, sequent: Sequent, library: Library, tally: Tally, depth: int) -> None:
    if sequent.goal.op != "!=":
        return check(cert, sequent, library, tally, depth)
    side = cert.get("side")
    if side not in (">", "<"):
        raise Rejected(f"{sequent.goal}: say on which side of zero it lies ('side': '>' or '<')")
    goal = Relation(side, sequent.goal.left, sequent.goal.right)
    return check(cert["proof"], sequent.show(goal), library, tally, depth)
