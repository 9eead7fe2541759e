"""Facts by name: an author calls a fact what it is, and certificates get its position.

A step of a skeleton names what it gains (`called="C~ at k"`); a later step refers to it by that name, or to any fact by
its left side: `{"eq": "E(h, eta[t, h])"}`, `{"use": "L[0, t + 1]"}`. The kernel sees positions only.
"""

from __future__ import annotations

from typing import Any

from theory.kernel.errors import KernelError, Rejected
from theory.kernel.lang import Relation, parse, text
from theory.kernel.rules import Library, check
from theory.kernel.sequent import Certificate, Sequent, Tally

NOTE = "#note"
PLACE = "#place"
REFERENCES = ("of", "eq", "use", "fact")


class Names:
    """The names that were given so far in one walk over a skeleton."""

    def __init__(self) -> None:
        self.known: dict[str, Relation] = {}

    def told(self, cert: Certificate, sequent: Sequent) -> Certificate:
        """The certificate with positions in the place of names, and with a note of what it gains."""
        kind = cert["kind"]
        if kind == "instance":
            if isinstance(cert["fact"], str):
                cert[PLACE]["fact"] = self.position(cert["fact"], sequent)
            cert = {**cert, **cert.get(PLACE, {})}
        if kind == "order":
            for part in (*cert.get("items", ()), *(one for one in cert.get("ops", ()) if isinstance(one, dict))):
                self._resolve(part, sequent)
        inner = "step" if kind == "induct" else "then"
        called = cert.get("called", "IH" if kind == "induct" else None)
        if called is None or inner not in cert:
            return cert
        note = {
            "kind": NOTE,
            "called": called,
            "before": len(sequent.facts),
            "hypothesis": cert.get("as"),
            "then": cert[inner],
        }
        return {**cert, inner: note}

    def _resolve(self, part: Any, sequent: Sequent) -> None:
        for key in REFERENCES:
            if isinstance(part.get(key), str):
                part[key] = self.position(part[key], sequent)
        for nested in (*part.get("c", ()), *(part["tr"] if isinstance(part.get("tr"), list) else ())):
            if isinstance(nested, dict):
                self._resolve(nested, sequent)

    def rule(self, cert: Certificate, sequent: Sequent, library: Library, tally: Tally) -> None:
        """What is new gets its name; several new facts are called name, name.2, name.3."""
        new = list(sequent.facts[cert["before"] :])
        if cert["hypothesis"] is not None:
            new = [fact for fact in sequent.facts if fact.binder is not None and fact.binder[0] == cert["hypothesis"]]
        for count, fact in enumerate(new, start=1):
            self.known[cert["called"] if count == 1 else f"{cert['called']}.{count}"] = fact
        check(cert["then"], sequent, library, tally, cert["_depth"])

    def position(self, name: str, sequent: Sequent) -> int:
        facts = list(sequent.facts)
        if self.known.get(name) in facts:
            return len(facts) - 1 - facts[::-1].index(self.known[name])
        found = [i for i, fact in enumerate(facts) if _begins(fact, name, sequent)]
        if not found:
            shown = "; ".join(str(fact)[:80] for fact in facts)
            raise Rejected(f"no fact is called {name!r} or has it as its left side; the facts are: {shown}")
        return found[-1]


def _begins(fact: Relation, left: str, sequent: Sequent) -> bool:
    try:
        if text(fact.left) == text(parse(left)):
            return True
        return fact.left == sequent.world.read(left)
    except KernelError:
        return False
