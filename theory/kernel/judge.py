"""Verdicts are computed from evidence, here and nowhere else."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import Enum
from fractions import Fraction
from typing import Any

from theory.kernel.boxes import check_balls
from theory.kernel.claim import SCHEMA, Claim, Evidence
from theory.kernel.errors import KernelError, Malformed, Rejected
from theory.kernel.flat import difference
from theory.kernel.lang import Node, Relation, num, relation_symbols, walk
from theory.kernel.points import check_witness, environment, satisfies_hypotheses
from theory.kernel.proof import MALFORMED, require
from theory.kernel.rings import Inexact, to_fraction
from theory.kernel.rules import Library, check, require_defined
from theory.kernel.sequent import FORMAL, Obligation, Sequent, Tally, granted, is_plain, obligations


class Verdict(Enum):
    """The value is the sentence that the report prints."""

    PROVED = "proved for all parameters; the kernel has re-checked the certificate"
    CERTIFIED = "rigorous on the stated box or family"
    SUPPORTED = "no violation found; the trials, the space and the residual risk are stated"
    UNDECIDED = "neither proved nor refuted"
    REFUTED = "false; the kernel has re-checked an exact witness"
    CITED = "an external theorem; not proved here"


ON_A_BOX = "enclosed on a stated box"


@dataclass(frozen=True)
class Judgement:
    verdict: Verdict
    reason: str
    scope: str
    cites: tuple[str, ...] = ()
    rules: tuple[str, ...] = ()


def judge(claim: Claim, evidence: Evidence, library: Library) -> Judgement:
    """Certificate and witness are checked; what neither establishes is supported at most."""
    satisfies_hypotheses(claim, dict(claim.example))
    refuted = _refutation(claim, evidence)
    proved = _proof(claim, evidence, library)
    if refuted and proved:
        raise KernelError(f"{claim.id} is both proved and refuted: the kernel is unsound, please report this")
    if refuted:
        return refuted
    if proved:
        return proved
    if evidence.cited_source:
        return Judgement(Verdict.CITED, evidence.cited_source, "an external theorem")
    if evidence.search:
        return _support(claim, evidence.search)
    return Judgement(Verdict.UNDECIDED, "no certificate, no witness, no search", claim.scope)


def _refutation(claim: Claim, evidence: Evidence) -> Judgement | None:
    if evidence.witness is None:
        return None
    _belongs(claim, evidence.witness, "witness")
    reason = check_witness(claim, _record(evidence.witness, "point"))
    return Judgement(Verdict.REFUTED, reason, "one exact instance")


def _proof(claim: Claim, evidence: Evidence, library: Library) -> Judgement | None:
    cert = evidence.certificate
    if cert is None:
        return None
    _belongs(claim, cert, "certificate")
    tally = check_certificate(claim, cert, library)
    if claim.id in tally.cited:
        raise Rejected(f"{claim.id}: the certificate cites the claim itself")
    cites, rules = tuple(sorted(tally.cited)), tuple(sorted(tally.rules))
    if tally.boxes:
        return Judgement(Verdict.CERTIFIED, ON_A_BOX, tally.boxes[0], cites, rules)
    return Judgement(Verdict.PROVED, f"by {', '.join(rules)}", claim.scope, cites, rules)


def check_certificate(claim: Claim, cert: Mapping[str, Any], library: Library, tally: Tally | None = None) -> Tally:
    """Every goal is proved and every formula of the conclusion is defined under the hypotheses."""
    try:
        return _checked(claim, cert, library, tally or Tally())
    except MALFORMED as error:
        raise Rejected(f"{claim.id}: malformed certificate ({type(error).__name__}: {error})") from None


def _checked(claim: Claim, cert: Mapping[str, Any], library: Library, tally: Tally) -> Tally:
    goals = cert.get("goals")
    if not isinstance(goals, list) or len(goals) != len(claim.goals):
        raise Rejected(f"{claim.id}: the certificate must prove {len(claim.goals)} goal(s)")
    _formal(claim)
    _recursions_have_values(claim, cert.get("defined", {}), library, tally)
    for goal, proof in zip(claim.goals, goals, strict=True):
        sequent = sequent_of(claim, goal)
        if goal.binder is None:
            require(duties_of(claim, goal), sequent, cert.get("defined", {}), library, tally, 0)
        else:
            raise Rejected(f"{claim.id}: a conclusion for every index is written with a free natural index")
        if isinstance(proof, dict) and proof.get("kind") == "balls" and "box" in proof:
            _on_a_box(claim, proof, sequent, tally)
        else:
            check(proof, sequent, library, tally)
    if len(set(tally.boxes)) > 1:
        raise Rejected(f"{claim.id}: one box for all goals; found {'; '.join(tally.boxes)}")
    return tally


def duties_of(claim: Claim, goal: Relation) -> list[Obligation]:
    """What must be shown for the goal to have a value; the hypotheses have values, and so has what they divide by."""
    given = granted(claim.hypotheses)
    duties = [duty for side in (goal.left, goal.right) for duty in obligations(side)]
    return [duty for duty in duties if duty.bare not in given]


def _recursions_have_values(claim: Claim, certs: Mapping[str, Any], library: Library, tally: Tally) -> None:
    """What a recursion defines exists under the hypotheses: no divisor vanishes, every root has a value."""
    here = Sequent(claim.hypotheses, Relation("==", num(0), num(0)), claim.counters, claim.world)
    parts: list[tuple[tuple[str, ...], Node]] = [
        ((step.time, *step.params), node) for step in claim.world.steps.values() for node in (step.start, step.body)
    ]
    parts += [(clause.names, clause.body) for many in claim.world.clauses.values() for clause in many]
    for names, node in parts:
        free = tuple(fact for fact in claim.hypotheses if relation_symbols(fact).isdisjoint(names))
        vectors = {part.value.name for part in walk(node) if part.op == "letter"}
        require_defined([node], here.only(free).counting(*(set(names) - vectors)), certs, library, tally, 0)


def sequent_of(claim: Claim, goal: Relation) -> Sequent:
    """What is to be shown for one goal of the claim."""
    return Sequent(claim.facts, goal, claim.counters, claim.world)


def _on_a_box(claim: Claim, proof: Mapping[str, Any], sequent: Sequent, tally: Tally) -> None:
    """A goal enclosed on a box that the certificate states: it is certified there, and the example lies in the box."""
    node, strict = difference(sequent.goal)
    if sequent.goal.op in ("==", "!="):
        raise Rejected(f"balls enclose inequalities, not {sequent.goal}")
    try:
        tally.boxes.append(check_balls(proof, node, strict, sequent))
        env = environment(dict(claim.example), claim)
        inside = [Fraction(lo) <= to_fraction(env[name]) <= Fraction(hi) for name, (lo, hi) in proof["box"].items()]
    except (*MALFORMED, Inexact) as error:
        raise Rejected(f"balls: malformed certificate ({type(error).__name__}: {error})") from None
    if not all(inside):
        raise Rejected(f"{claim.id}: the example lies outside the box {tally.boxes[-1]}")
    tally.rules.add("balls")


def _formal(claim: Claim) -> None:
    """The hypotheses count with integers: of x**e with a name in e that is no integer nothing is known here."""
    for hypothesis in claim.hypotheses:
        binders = hypothesis.binders
        sequent = Sequent((), hypothesis, claim.counters)
        parts = [(side, binders) for side in (hypothesis.left, hypothesis.right)]
        parts += [(end, binders[:at]) for at, (_, *ends) in enumerate(binders) for end in ends]
        for duty in (duty for part, within in parts for duty in obligations(part, within)):
            own = replace(duty, kind="integer") if duty.kind == "natural" else duty
            if duty.kind in FORMAL and not is_plain(own, sequent):
                raise Rejected(f"{claim.id}: in the hypothesis {hypothesis}: not by its form {duty.key}")


def _belongs(claim: Claim, record: Mapping[str, Any], what: str) -> None:
    if not isinstance(record, dict) or record.get("schema") != SCHEMA:
        shown = record.get("schema") if isinstance(record, dict) else record
        raise Malformed(f"{claim.id}: the {what} has schema {shown!r:.60}; this kernel reads {SCHEMA}")
    if record.get("claim") != claim.digest:
        raise Rejected(f"{claim.id}: the {what} belongs to another claim ({record.get('claim')}, not {claim.digest})")


def _record(record: Mapping[str, Any], key: str) -> dict[str, Any]:
    value = record.get(key)
    if not isinstance(value, dict):
        raise Malformed(f"the record has no {key!r}")
    return value


def _support(claim: Claim, search: Mapping[str, Any]) -> Judgement:
    trials = search.get("trials")
    if not isinstance(trials, int) or trials < 1:
        return Judgement(Verdict.UNDECIDED, "the search ran no trial", claim.scope)
    reason = f"{trials} trials, worst ratio {search.get('worst_ratio')}, residual risk {search.get('risk')}"
    return Judgement(Verdict.SUPPORTED, reason, str(search.get("space", claim.scope)))


def standing(judgements: Mapping[str, Judgement]) -> dict[str, Verdict]:
    """The verdict over everything that a proof cites: nothing rests on an unproved parent unseen."""
    order = (Verdict.PROVED, Verdict.CERTIFIED, Verdict.CITED, Verdict.SUPPORTED, Verdict.UNDECIDED)
    settled: dict[str, Verdict] = {}

    def of(key: str, path: tuple[str, ...]) -> Verdict:
        if key in settled:
            return settled[key]
        if key in path:
            raise Rejected(f"a circle of citations: {' -> '.join((*path, key))}")
        if key not in judgements:
            return Verdict.UNDECIDED
        own = judgements[key].verdict
        if own is Verdict.REFUTED:
            settled[key] = own
            return own
        below = [of(parent, (*path, key)) for parent in judgements[key].cites]
        if any(parent in judgements and judgements[parent].reason == ON_A_BOX for parent in judgements[key].cites):
            below.append(Verdict.UNDECIDED)  # what holds on a box is cited for every point
        weakest = max([own, *(Verdict.UNDECIDED if v is Verdict.REFUTED else v for v in below)], key=order.index)
        settled[key] = weakest
        return weakest

    return {key: of(key, ()) for key in judgements}
