"""Skeletons of proofs: an author writes the steps, and the provers fill the leaves and show that all is defined."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from theory.kernel.claim import Claim
from theory.kernel.counting import induction_parts, opened
from theory.kernel.errors import KernelError, Rejected
from theory.kernel.lang import Node, Relation, num, relation_symbols, text, walk
from theory.kernel.lifting import telescoped
from theory.kernel.logic import cited, had, images, instance_of
from theory.kernel.rules import RULES, Library, Rule, check
from theory.kernel.sequent import Certificate, Obligation, Sequent, Tally, generic, is_integer, is_plain, obligations
from theory.kernel.slopes import slope_parts
from theory.provers.effort import Effort
from theory.provers.names import NOTE, PLACE, Names

Search = Callable[[Sequent, Effort, Library], Certificate | None]


class Unproved(Rejected):
    """A leaf that no prover shows; it says its goal, its facts and what may help."""

    def __init__(self, sequent: Sequent) -> None:
        super().__init__(unproved(sequent))
        self.sequent = sequent


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
        check(working, sequent, self.library, Tally(table=self._table()))
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
            raise Unproved(sequent)
        return found

    def definedness(self, nodes: list[Node], sequent: Sequent) -> dict[str, Certificate]:
        """Certificates for the divisors and roots whose signs are not plain."""
        return self.duties((duty for node in nodes for duty in obligations(node)), sequent)

    def duties(self, duties: Iterable[Obligation], sequent: Sequent) -> dict[str, Certificate]:
        found: dict[str, Certificate] = {}
        for duty in duties:
            if duty.full_label in found or is_plain(duty, sequent):
                continue
            goal = Relation(">", duty.node, num(0))
            cert = self._defined(duty.kind, generic(sequent, goal, duty.binders))
            if cert is None and duty.binders and any(fact.binder for fact in sequent.facts):
                cert = self._defined(duty.kind, opened(sequent, goal.under(duty.binders)))
                cert = None if cert is None else {**cert, "kept": True}
            if cert is None:
                raise Rejected(f"cannot show that {duty.label}{_idiom(duty)}")
            found[duty.full_label] = cert
        return found

    def _defined(self, kind: str, sequent: Sequent) -> Certificate | None:
        if kind == "nonnegative" or (kind == "natural" and is_integer(sequent.goal.left, sequent.naturals)):
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

    def _table(self) -> Mapping[str, Rule]:
        """The kernel's rules with one more kind, for the filling of leaves. `judge` never sees this table."""
        fillers: Mapping[str, Callable[[Certificate, Sequent], None]] = {
            "cite": self._fill_cite,
            "have": self._fill_have,
            "telescope": self._fill_telescope,
            "induct": self._fill_induct,
            "unroll": self._fill_unroll,
            "let": self._fill_let,
            "slope": self._fill_slope,
        }

        def auto(cert: Certificate, sequent: Sequent, library: Library, tally: Tally) -> None:
            if not cert["slot"]:
                cert["slot"].update(self._auto(cert, sequent))
            check(dict(cert["slot"]), sequent, self.library, tally, cert["_depth"])

        def filled(kind: str) -> Rule:
            def rule(cert: Certificate, sequent: Sequent, library: Library, tally: Tally) -> None:
                cert = names.told(cert, sequent)
                if kind in fillers:
                    fillers[kind](cert, sequent)
                RULES[kind](cert, sequent, library, tally)

            return rule

        names = Names()
        return {
            **RULES,
            "auto": auto,
            NOTE: names.rule,
            **{kind: filled(kind) for kind in (*fillers, "instance", "order", "eigen")},
        }

    def _fill_have(self, cert: Certificate, sequent: Sequent) -> None:
        fact = sequent.world.read_relation(cert["fact"])
        inner = had(cert, fact, sequent)
        cert.setdefault("defined", {}).update(self.definedness([inner.goal.left, inner.goal.right], inner))

    def _fill_telescope(self, cert: Certificate, sequent: Sequent) -> None:
        each, total, _ = telescoped(cert, sequent)
        cert["defined"].update(self.definedness([total], sequent))
        cert["defined"].update(self.definedness([each.goal.left, each.goal.right], each))

    def _fill_induct(self, cert: Certificate, sequent: Sequent) -> None:
        for key, part in zip(("base defined", "step defined"), induction_parts(cert, sequent), strict=True):
            cert[key].update(self.definedness([part.goal.left, part.goal.right], part))

    def _fill_unroll(self, cert: Certificate, sequent: Sequent) -> None:
        cert["defined"].update(self.definedness([sequent.world.read(cert["of"])], sequent))

    def _fill_let(self, cert: Certificate, sequent: Sequent) -> None:
        cert["defined"].update(self.definedness([sequent.world.read(cert["is"])], sequent))

    def _fill_slope(self, cert: Certificate, sequent: Sequent) -> None:
        for key, part in slope_parts(cert, sequent).items():
            cert["defined"][key] = self.definedness([part.goal.left, part.goal.right], part)

    def _fill_cite(self, cert: Certificate, sequent: Sequent) -> None:
        if not cert.get("elaborate"):
            return
        claim = cited(cert["claim"], self.library)
        if claim.kinds:
            self._fill_cite_letters(cert, claim, sequent)
            return
        env, families = images(cert, claim, sequent)
        cert["defined"].update(self.definedness(list(env.values()), sequent))
        for position, hypothesis in enumerate(claim.hypotheses):
            instance = instance_of(hypothesis, env, families)
            if instance in sequent.facts:
                continue
            here = opened(sequent, instance)
            given = cert["discharge"].get(str(position))
            if given is None:
                cert["discharge"][str(position)] = self._auto({}, here)
            elif given.get("kind") == "auto" and not given["slot"]:
                given["slot"].update(self._auto(given, here))
        if families:
            facts = [instance_of(goal, env, families) for goal in claim.goals]
            cert["defined"].update(self.definedness([s for f in facts for s in (f.left, f.right)], sequent))

    def _fill_cite_letters(self, cert: Certificate, claim: Claim, sequent: Sequent) -> None:
        """A leaf for each hypothesis, and for each definition of a sequence that is replaced."""
        env = [sequent.world.read(str(formula)) for formula in cert["with"].values()]
        cert["defined"].update(self.definedness(env, sequent))
        definitions = sum(len(claim.world.clauses.get(name, ())) for name in cert.get("letters", {}))
        for position in range(len(claim.hypotheses) + definitions):
            cert["discharge"].setdefault(str(position), {"kind": "auto", "options": {}, "slot": {}})


def _idiom(duty: Obligation) -> str:
    """What to write instead of what has no value by its form."""
    if duty.kind == "positive" and any(part.op == "mean" for part in walk(duty.node)):
        return f": add {text(duty.node)} > 0, or what shows that it is the mean of positive numbers"
    if duty.kind == "natural":
        e = text(duty.node)
        return f": an exponent counts; add {e} >= 0 if its names are naturals, or write exp(({e})*log(x)) for x > 0"
    return ""


def unproved(sequent: Sequent) -> str:
    """The leaf that fails: its goal, the facts with their positions, and what may help."""
    facts = "".join(f"\n    {i}: {fact}" for i, fact in enumerate(sequent.every_fact()))
    return f"no prover shows\n    {sequent.goal}\n  from{facts or ' nothing'}\n  add {'; or '.join(_hints(sequent))}"


def _hints(sequent: Sequent) -> Iterator[str]:
    """What is missing by the look of the leaf."""
    yield "an intermediate fact with proof=have(...)"
    goal, facts = sequent.goal, sequent.facts
    bound = frozenset[str]().union(*map(relation_symbols, facts))
    loose = sorted(relation_symbols(goal) - bound - sequent.naturals - sequent.world.names)
    if loose:
        yield f"a bound for {', '.join(loose[:4])}, of which nothing is known"
    ordered = [f for f in facts if f.binder is None and f.op not in ("==", "!=")]
    sided = {str(side.value) for f in ordered for side in (f.left, f.right) if side.op == "sym"}
    start = sorted((relation_symbols(goal) & sequent.naturals) - sequent.world.sizes - sided)
    if start:
        yield f"a starting index such as {start[0]} >= 1"
    named = [str(f.left.value) for f in facts if f.binder is None and f.op == "==" and f.left.op == "sym"]
    if unsigned := [name for name in named if name not in sided | sequent.naturals]:
        yield f"a sign such as {unsigned[0]} > 0, if it has one"
    if (entry := _without_a_sign(sequent)) is not None:
        yield f"the sign of its entries, as {entry}, if they have one"
    parts = {part.op for side in (goal.left, goal.right) for part in walk(side)}
    if parts & {"exp", "log"}:
        yield "a tangent or a parabola that lies between, or proof=slope(name, start)"
    if parts & {"sum", "prod"} and not any(f.binder for f in facts):
        yield "what is known of each term, as forall(i, 1, n, ...)"
    if goal.op == "<<":
        yield "the matrices whose squares L@L.T make up the difference, as facts"


def _without_a_sign(sequent: Sequent) -> str | None:
    """A sequence of the goal that some fact ties to itself at every index, and whose sign none says."""
    own = {p.args[0] for p in _entries(sequent.goal)} if sequent.goal.op != "==" else set()
    facts = [f for f in sequent.facts if f.binder is not None and f.binder[1].op not in ("domain", "points")]
    signed = {p.args[0] for f in facts for p in _entries(f) if p in (f.left, f.right) and len(_entries(f)) == 1}
    for fact in facts:
        _, lo, hi = fact.binder or ("", num(0), num(0))
        tied = [p.args[0] for p in _entries(fact)]
        base = next((b for b in tied if tied.count(b) > 1 and b in own - signed), None)
        if base is not None:
            return f"forall(k, {text(lo)}, {text(hi)}, {text(base)}[k] >= 0)"
    return None


def _entries(relation: Relation) -> list[Node]:
    return [p for side in (relation.left, relation.right) for p in walk(side) if p.op == "index"]


def _prepare(cert: Any) -> None:
    """Give the dictionaries that are written into to every node that needs them."""
    if isinstance(cert, dict):
        if cert.get("kind") == "auto":
            cert["slot"] = {}
        if cert.get("kind") in ("cite", "have", "telescope", "induct", "unroll", "eigen", "let", "slope"):
            cert.setdefault("defined", {})
        if cert.get("kind") == "induct":
            cert["base defined"], cert["step defined"] = {}, {}
        if cert.get("kind") == "instance":
            cert[PLACE] = {}
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
        kept = {k: v for k, v in cert.items() if k not in ("elaborate", "_depth", "called", PLACE)}
        return {k: _strip(v) for k, v in {**kept, **cert.get(PLACE, {})}.items()}
    if isinstance(cert, list):
        return [_strip(v) for v in cert]
    return cert
