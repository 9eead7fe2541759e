"""Small statements with complete proofs, and a referee that finds nothing on its own: what ledger tests run on."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass
from types import ModuleType
from typing import Any

import pytest

from theory.claims.statement import Check, Faithfulness, Statement, printed, repaired, sharper, statement, step
from theory.kernel import SCHEMA, Claim, Evidence, Judgement, Verdict, judge

SQUARE = {"kind": "cone", "terms": [{"c": "1", "sq": "a-b"}]}
POWERS = {
    "kind": "induction",
    "on": "k",
    "states": {"p": "x**k"},
    "invariant": ["p <= 1", "p >= 0"],
    "base": [{"kind": "identity"}, {"kind": "positive"}],
    "step": [
        {"kind": "cone", "terms": [{"c": "1", "of": [2]}, {"c": "1", "of": [1, 3]}]},
        {"kind": "cone", "terms": [{"c": "1", "of": [0, 3]}]},
    ],
    "then": {"kind": "cone", "terms": [{"c": "1", "of": [2]}]},
}


def goals(*certificates: dict[str, Any]) -> Any:
    """A plan that is already complete."""
    return lambda claim: list(certificates)


MEANS = statement(
    "lem:means",
    printed(
        "2*a*b <= a**2 + b**2",
        example={"a": 1, "b": 2},
        proof=goals(SQUARE),
        display="disp:1",
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    step(
        "disp:2",
        1,
        "(a-b)**2 == a**2 - 2*a*b + b**2",
        example={"a": 1, "b": 2},
        proof=goals({"kind": "identity"}),
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    step(
        "disp:2",
        2,
        "(a-b)**2 == a**2 - b**2",
        example={"a": 1, "b": 2},
        expect=Verdict.REFUTED,
        witness={"a": 1, "b": 2},
        words="the cross term is lost",
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    sharper(
        "2*a*b <= a**2 + b**2 - (a-b)**2/2",
        example={"a": 1, "b": 2},
        proof=goals({"kind": "cone", "terms": [{"c": "1/2", "sq": "a-b"}]}),
    ),
)
BOUND = statement(
    "lem:bound",
    printed(
        "x*(1-x) <= 1/5",
        given=("x >= 0", "x <= 1"),
        example={"x": "1/3"},
        expect=Verdict.REFUTED,
        witness={"x": "1/2"},
        display="disp:3",
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    repaired(
        "x*(1-x) <= 1/4",
        given=("x >= 0", "x <= 1"),
        example={"x": "1/3"},
        faithfulness=Faithfulness.CONSTANT,
        words="the constant is 1/4",
        proof=goals({"kind": "cone", "terms": [{"c": "1", "sq": "x - 1/2"}]}),
    ),
)
USER = statement(
    "lem:user",
    printed(
        "a*b <= (a**2 + b**2)/2",
        example={"a": 1, "b": 2},
        proof=goals(
            {"kind": "cite", "claim": "lem:means", "then": {"kind": "cone", "terms": [{"c": "1/2", "of": [0]}]}}
        ),
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    printed(
        "x**k <= 1",
        part="power",
        given=("x >= 0", "x <= 1"),
        naturals="k",
        example={"x": "1/2", "k": 3},
        proof=goals(POWERS),
        faithfulness=Faithfulness.AS_PRINTED,
    ),
)
GUESS = statement(
    "lem:guess",
    printed(
        "sin(x) <= x",
        given="x >= 0",
        example={"x": 1},
        expect=Verdict.SUPPORTED,
        scope="x >= 0",
        faithfulness=Faithfulness.AS_PRINTED,
    ),
)
STATEMENTS: dict[str, Statement] = {one.id: one for one in (MEANS, BOUND, USER, GUESS)}
CHECKS: dict[str, Check] = {check.key: check for one in STATEMENTS.values() for check in one.checks}
OWNERS: dict[str, str] = {check.key: one.id for one in STATEMENTS.values() for check in one.checks}
CALLS: list[str] = []


@dataclass(frozen=True)
class Diligence:
    thorough: bool = False


def referee(check: Check, library: Mapping[str, Claim], *, seed: int, effort: Any) -> tuple[Evidence, Judgement]:
    CALLS.append(check.key)
    digest = check.claim.digest
    certificate = None
    if check.proof is not None:
        certificate = {"schema": SCHEMA, "claim": digest, "defined": {}, "goals": check.proof(check.claim)}
    witness = None
    if check.witness is not None:
        witness = {"schema": SCHEMA, "claim": digest, "point": check.witness.as_dict()}
    search = {"trials": 100 + seed, "worst_ratio": "0.99", "risk": "0.01", "space": "x in [0, 10]"}
    evidence = Evidence(certificate, witness, search if check.expect is Verdict.SUPPORTED else None)
    return evidence, judge(check.claim, evidence, library)


def install(patch: pytest.MonkeyPatch) -> None:
    """Put the stand-in where `theory.ledger` looks for its referee."""
    module = ModuleType("theory.ledger.referee")
    module.referee = referee  # type: ignore[attr-defined]
    module.Diligence = Diligence  # type: ignore[attr-defined]
    patch.setitem(sys.modules, "theory.ledger.referee", module)
    CALLS.clear()
