"""One check from claim to verdict: search for a witness, look for a proof, let the kernel decide."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from theory.kernel import SCHEMA, Claim, Evidence, Judgement, Rejected, Verdict, check_witness, judge
from theory.statement import Check


@dataclass(frozen=True)
class Diligence:
    """How hard to try. `thorough` searches and proves longer; the verdict of a proved claim does not depend on it."""

    thorough: bool = False


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
    from theory.provers import driver

    claim = check.claim
    if claim.letters:
        return Evidence(certificate=driver.prove(claim, library))
    found = _search(check, seed, thorough=False)
    if found.witness is not None:
        return Evidence(witness=witness_record(claim, found.witness), search=found.record())
    certificate = driver.prove(claim, library, driver.hard() if effort.thorough else driver.normal(), check.proof)
    if certificate is None and (effort.thorough or check.expect is Verdict.REFUTED):
        found = _search(check, seed, thorough=True)
        if found.witness is not None:
            return Evidence(witness=witness_record(claim, found.witness), search=found.record())
    return Evidence(certificate=certificate, search=found.record())


def _search(check: Check, seed: int, *, thorough: bool) -> Any:
    from theory.search import NORMAL, QUICK, search

    space = {name: (Fraction(lo), Fraction(hi)) for name, (lo, hi) in check.space}
    return search(check.claim, seed=seed, effort=NORMAL if thorough else QUICK, space=space or None)


def _experiment(check: Check, seed: int) -> dict[str, Any]:
    import numpy as np

    assert check.experiment is not None
    return dict(check.experiment(np.random.default_rng(seed)))


def witness_record(claim: Claim, point: Mapping[str, Any]) -> dict[str, Any]:
    """The witness as it stands in the ledger, once the kernel has confirmed it."""
    check_witness(claim, point)
    return {"schema": SCHEMA, "claim": claim.digest, "point": dict(sorted(point.items()))}


__all__ = ["Diligence", "Rejected", "gather", "referee", "witness_record"]
