"""One check from claim to verdict: search for a witness, look for a proof, let the kernel decide."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from theory.claims.statement import Check
from theory.kernel import SCHEMA, Claim, Evidence, Judgement, KernelError, Rejected, Verdict, check_witness, judge
from theory.kernel.judge import sequent_of
from theory.kernel.sequent import Sequent
from theory.provers import clock, driver, smt
from theory.provers.budget import Budget
from theory.provers.search import ATTEMPTS
from theory.provers.skeletons import Unproved
from theory.search import GLANCE, NORMAL, QUICK, Effort, SearchResult, sampling, search

SOLVERS = 20.0  # seconds for each of z3 and cvc5


@dataclass(frozen=True)
class Diligence:
    """How hard to try. `thorough` searches and proves longer; the verdict of a proved claim does not depend on it."""

    thorough: bool = False

    @property
    def seconds(self) -> float:
        """Processor time of the provers for a claim without a skeleton."""
        return 600.0 if self.thorough else 60.0


def referee(
    check: Check, library: Mapping[str, Claim], *, seed: int = 0, effort: Diligence | None = None
) -> tuple[Evidence, Judgement]:
    """Evidence for one check and the kernel's judgement of it. Deterministic for a seed."""
    evidence = gather(check, library, seed=seed, effort=effort or Diligence())
    return evidence, judge(check.claim, evidence, library)


def gather(check: Check, library: Mapping[str, Claim], *, seed: int, effort: Diligence) -> Evidence:
    claim = check.claim
    if check.source:
        record = _experiment(check, seed) if check.experiment is not None else None
        return Evidence(cited_source=check.source, search=record)
    if check.witness is not None:
        return Evidence(witness=witness_record(claim, check.witness.as_dict()))
    if check.experiment is not None:
        record = _experiment(check, seed)
        if "witness" in record:
            return Evidence(witness=witness_record(claim, record.pop("witness")), search=record)
        return Evidence(search=record)
    return _search_and_prove(check, library, seed=seed, effort=effort)


def _search_and_prove(check: Check, library: Mapping[str, Claim], *, seed: int, effort: Diligence) -> Evidence:
    claim = check.claim
    if sampling.is_for(claim):
        return _sampled(check, library, seed=seed, effort=effort)
    found = _search(check, seed, GLANCE if check.proof is not None else QUICK)
    if found.witness is None:
        try:
            return Evidence(certificate=_proposed(check, library, effort), search=found.record())
        except Rejected as error:
            open_ = str(error) + (_at_the_leaf(error) if check.proof is not None else "")
        found = _harder(check, seed, found, thorough=effort.thorough)
        if found.witness is None and effort.thorough:
            point, said = _solvers(claim)
            if point is not None:
                return Evidence(witness=witness_record(claim, point), search=found.record())
            return Evidence(search=found.record(), notes=(open_, *said))
        if found.witness is None:
            return Evidence(search=found.record(), notes=(open_,))
    return Evidence(witness=witness_record(claim, found.witness), search=found.record())


def _solvers(claim: Claim) -> tuple[dict[str, Any] | None, tuple[str, ...]]:
    """A point near a model of z3 or cvc5 at which an open claim fails, or their word that there is none."""
    said = []
    for goal in claim.goals:
        sequent, budget = sequent_of(claim, goal), Budget(seconds=SOLVERS)
        said.append(smt.agree(sequent, budget))
        near = smt.candidate(sequent, budget) if not said[-1] else None
        with suppress(KernelError):
            point = {**dict(claim.example), **{name: str(value) for name, value in (near or {}).items()}}
            if near is not None and check_witness(claim, point):
                return point, ()
    words = f"{' and '.join(said[0])} say that it holds; their word counts for nothing here"
    return None, (words,) if all(said) else ()


def _proposed(check: Check, library: Mapping[str, Claim], effort: Diligence) -> dict[str, Any]:
    """A certificate, or `Rejected` with the reason; a claim without a skeleton is given up when its time is over."""
    how = driver.hard() if effort.thorough else driver.normal()
    if check.proof is not None:
        return driver.proposed(check.claim, library, how, check.proof)
    with clock.limited(effort.seconds):
        try:
            return driver.proposed(check.claim, library, how)
        except Rejected as error:
            if not clock.is_over():
                raise
            longer = "a hint with proof=have(...)" if effort.thorough else "`lemmalab check --thorough`: 600 s"
            raise Rejected(
                f"{error}; or {longer}; the provers stopped after {effort.seconds:.0f} s of processor time"
            ) from None


def _at_the_leaf(error: Rejected) -> str:
    """Whether the step of an author that no prover shows is false, or how near it comes to failing."""
    if not isinstance(error, Unproved):
        return ""
    leaf = error.sequent
    ways = "words, traces, Gram matrices" if leaf.world.letters else ", ".join(ATTEMPTS)
    return f"\n  tried: {ways}{_nearest(leaf)}"


def _nearest(leaf: Sequent) -> str:
    """A point at which the step fails, or how near it comes to failing."""
    facts = tuple(str(fact) for fact in leaf.facts)
    try:
        found = search(Claim("leaf", (str(leaf.goal),), facts, naturals=tuple(sorted(leaf.naturals))), effort=QUICK)
    except KernelError:
        return ""
    if found.witness is None:
        return f"\n  this step was not violated in {found.trials} trials; the worst ratio was {found.worst_ratio}"
    where = ", ".join(f"{name} = {value}" for name, value in found.witness.items())
    return f"\n  this step is false, for example at {where}: mend it"


def _sampled(check: Check, library: Mapping[str, Claim], *, seed: int, effort: Diligence) -> Evidence:
    """Claims with matrices, samples or sequences: a glance at exact points, a proof, then a longer look."""
    import numpy as np

    claim, rng = check.claim, np.random.default_rng(seed)
    many = 1 if claim.kinds else 10  # points of sequences cost little
    trials = 60 * many if check.proof is None else 3 if claim.world.steps else 12  # all paths of a recursion cost most
    found = sampling.explore(claim, rng, trials)
    if found.witness is None:
        try:
            return Evidence(certificate=_proposed(check, library, effort), search=found.record())
        except Rejected as error:
            open_ = str(error)
            found = sampling.explore(claim, rng, (3000 if effort.thorough else 600) * many)
            found.witness = found.witness or sampling.in_one_dimension(claim, seed)
        if found.witness is None:
            return Evidence(search=found.record(), notes=(open_,))
    return Evidence(witness=witness_record(claim, found.witness), search=found.record())


def _harder(check: Check, seed: int, found: SearchResult, *, thorough: bool) -> SearchResult:
    """Neither witness nor proof yet: search as long as the occasion asks for."""
    if check.proof is not None:
        found = _search(check, seed, QUICK)
    if found.witness is None and (thorough or check.expect is Verdict.REFUTED):
        found = _search(check, seed, NORMAL)
    return found


def _search(check: Check, seed: int, effort: Effort) -> SearchResult:
    """A check with a planned proof is only glanced at before the proof; a claim without one is searched first."""
    space = {name: (Fraction(lo), Fraction(hi)) for name, (lo, hi) in check.space}
    return search(check.claim, seed=seed, effort=effort, space=space or None)


def _experiment(check: Check, seed: int) -> dict[str, Any]:
    import numpy as np

    assert check.experiment is not None
    return dict(check.experiment(np.random.default_rng(seed)))


def witness_record(claim: Claim, point: Mapping[str, Any]) -> dict[str, Any]:
    """The witness as it stands in the ledger, once the kernel has confirmed it."""
    check_witness(claim, point)
    return {"schema": SCHEMA, "claim": claim.digest, "point": dict(sorted(point.items()))}


__all__ = ["Diligence", "Rejected", "gather", "referee", "witness_record"]
