"""Skeletons of proofs: an author writes the steps, and the provers fill the leaves and show that all is defined."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

from theory.kernel.errors import KernelError, Rejected
from theory.kernel.lang import Node, Relation, num, parse, parse_relation, substitute_relation
from theory.kernel.lifting import rule_telescope, telescoped
from theory.kernel.logic import cited, rule_cite, rule_have
from theory.kernel.rules import RULES, Library, check
from theory.kernel.sequent import Certificate, Sequent, Tally, generic, is_plain, obligations
from theory.provers.effort import Effort

Search = Callable[[Sequent, Effort, Library], Certificate | None]


@dataclass(frozen=True)
class Filler:
    """Fills the `auto` leaves of a skeleton by running the kernel's own walk over it with a prover at the leaves."""

    search: Search
    library: Library
    effort: Effort

    def fill(self, tactic: Certificate, sequent: Sequent) -> Certificate:
        if tactic.get("kind") == "auto":
            return self._auto(tactic, sequent)
        working = json.loads(json.dumps(tactic))  # a copy in which no two leaves share a slot
        _prepare(working)
        with self._leaves_are_proved():
            check(working, sequent, self.library, Tally())
        filled: Certificate = _strip(working)
        return filled

    def first(self, tactics: Iterable[Certificate], sequent: Sequent) -> Certificate | None:
        """The first of these skeletons that can be filled."""
        for tactic in tactics:
            try:
                return self.fill(tactic, sequent)
            except KernelError:
                continue
        return None

    def _auto(self, tactic: Certificate, sequent: Sequent) -> Certificate:
        options = dict(tactic.get("options", {}))
        own = replace(
            self.effort,
            splits=int(options.get("splits", self.effort.splits)),
            degree=int(options.get("degree", self.effort.degree)),
        )
        found = self.search(sequent, own, self.library)
        if found is None:
            facts = "\n    ".join(str(f) for f in sequent.every_fact())
            raise Rejected(f"no prover shows\n    {sequent.goal}\n  from\n    {facts}")
        return found

    def definedness(self, nodes: list[Node], sequent: Sequent) -> dict[str, Certificate]:
        """Certificates for the divisors and roots whose signs are not plain."""
        found: dict[str, Certificate] = {}
        for node in nodes:
            for duty in obligations(node):
                if duty.full_label in found or is_plain(duty, sequent):
                    continue
                inner = generic(sequent, Relation(">", duty.node, num(0)), duty.binders)
                cert = self._defined(duty.kind, inner)
                if cert is None:
                    raise Rejected(f"cannot show that {duty.label}")
                found[duty.full_label] = cert
        return found

    def _defined(self, kind: str, sequent: Sequent) -> Certificate | None:
        if kind == "nonnegative":
            return self.search(sequent.show(Relation(">=", sequent.goal.left, num(0))), self.effort, self.library)
        if kind == "positive":
            return self.search(sequent, self.effort, self.library)
        if kind == "nonzero":
            for side in (">", "<"):
                one = sequent.show(Relation(side, sequent.goal.left, num(0)))
                proof = self.search(one, self.effort, self.library)
                if proof is not None:
                    return {"side": side, "proof": proof}
        return None

    @contextmanager
    def _leaves_are_proved(self) -> Iterator[None]:
        """While a skeleton is filled, the rule table has one more kind. `judge` never runs inside."""
        fillers: Mapping[str, Callable[[Certificate, Sequent], None]] = {
            "cite": self._fill_cite,
            "have": self._fill_have,
            "telescope": self._fill_telescope,
        }
        own = {"cite": rule_cite, "have": rule_have, "telescope": rule_telescope}

        def auto(cert: Certificate, sequent: Sequent, library: Library, tally: Tally) -> None:
            if not cert["slot"]:
                cert["slot"].update(self._auto(cert, sequent))
            check(dict(cert["slot"]), sequent, self.library, tally, cert["_depth"])

        def filled(kind: str) -> Callable[[Certificate, Sequent, Library, Tally], None]:
            def rule(cert: Certificate, sequent: Sequent, library: Library, tally: Tally) -> None:
                fillers[kind](cert, sequent)
                own[kind](cert, sequent, library, tally)

            return rule

        outer = {kind: RULES.get(kind) for kind in ("auto", *fillers)}
        RULES.update({"auto": auto, **{kind: filled(kind) for kind in fillers}})
        try:
            yield
        finally:
            for kind, rule in outer.items():
                if rule is None:
                    del RULES[kind]
                else:
                    RULES[kind] = rule

    def _fill_have(self, cert: Certificate, sequent: Sequent) -> None:
        fact = parse_relation(cert["fact"])
        inner = sequent.show(Relation(fact.op, fact.left, fact.right))
        if fact.binder is not None:
            inner = generic(sequent, inner.goal, [fact.binder])
        cert["defined"].update(self.definedness([inner.goal.left, inner.goal.right], inner))

    def _fill_telescope(self, cert: Certificate, sequent: Sequent) -> None:
        each, total, _ = telescoped(cert, sequent)
        cert["defined"].update(self.definedness([total], sequent))
        cert["defined"].update(self.definedness([each.goal.left, each.goal.right], each))

    def _fill_cite(self, cert: Certificate, sequent: Sequent) -> None:
        if not cert.get("elaborate"):
            return
        claim = cited(cert["claim"], self.library)
        env = {name: parse(formula) for name, formula in cert["with"].items()}
        cert["defined"].update(self.definedness(list(env.values()), sequent))
        for position, hypothesis in enumerate(claim.hypotheses):
            instance = substitute_relation(hypothesis, env)
            if instance in sequent.facts or instance.binder is not None:
                continue
            given = cert["discharge"].get(str(position))
            if given is None:
                cert["discharge"][str(position)] = self._auto({}, sequent.show(instance))
            elif given.get("kind") == "auto" and not given["slot"]:
                given["slot"].update(self._auto(given, sequent.show(instance)))


def _prepare(cert: Any) -> None:
    """Give the dictionaries that are written into to every node that needs them."""
    if isinstance(cert, dict):
        if cert.get("kind") == "auto":
            cert["slot"] = {}
        if cert.get("kind") in ("cite", "have", "telescope"):
            cert.setdefault("defined", {})
        if cert.get("kind") == "cite":
            cert.setdefault("discharge", {})
        for value in cert.values():
            _prepare(value)
    elif isinstance(cert, list):
        for value in cert:
            _prepare(value)


def _strip(cert: Any) -> Any:
    """Replace each filled leaf by what was found; unused leaves (a rest that is zero) vanish."""
    if isinstance(cert, dict):
        if cert.get("kind") == "auto":
            return _strip(cert["slot"]) if cert["slot"] else {"kind": "identity"}
        return {k: _strip(v) for k, v in cert.items() if k not in ("elaborate", "_depth")}
    if isinstance(cert, list):
        return [_strip(v) for v in cert]
    return cert
