"""A claim about a derived object as plain data: what the generated file keeps, and the step of a statement it becomes.

Neither sympy nor a prover is needed here: statement files read these when a claim is judged.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from theory.claims.statement import Check, Faithfulness, statement, step
from theory.kernel import Claim, Point, Verdict

ONE = "one eigen-direction"  # a claim whose scope says so is an instance of what is printed for matrices


@dataclass(frozen=True)
class Comparison:
    """`owner` is the statement that keeps it; without one it is about the derivation alone."""

    owner: str
    display: str
    number: str
    says: tuple[str, ...]
    given: tuple[str, ...] = ()
    where: tuple[tuple[str, str], ...] = ()
    naturals: tuple[str, ...] = ()
    example: Mapping[str, Any] = field(default_factory=dict)
    scope: str = ""
    expect: str = Verdict.PROVED.name
    faithfulness: str = Faithfulness.AS_PRINTED.name
    repairs: str = ""
    words: str = ""
    witness: Mapping[str, Any] = field(default_factory=dict)
    proof: tuple[Mapping[str, Any], ...] = ()

    @property
    def key(self) -> str:
        return f"{self.owner}/{self.display}.{self.number}" if self.owner else f"derived:{self.number}"

    @property
    def claim(self) -> Claim:
        return Claim(
            self.key, self.says, self.given, self.where, self.naturals, Point.of(self.example).values, self.scope
        )

    def draft(self) -> Any:
        """A step of the statement that owns it; what is shown in one eigen-direction is no reading of the display."""
        instance = ONE if ONE in self.scope else ""
        ours = instance and not self.repairs and self.expect == Verdict.PROVED.name
        return step(
            self.display,
            self.number,
            self.says,
            given=self.given,
            where=dict(self.where),
            naturals=self.naturals,
            example=self.example,
            scope=self.scope,
            expect=Verdict[self.expect],
            faithfulness=Faithfulness.OURS if ours else Faithfulness[self.faithfulness],
            repairs=self.repairs,
            words=self.words,
            witness=self.witness or None,
            proof=[dict(one) for one in self.proof] or None,
            instance=instance,
        )

    def check(self) -> Check:
        return statement(self.owner or "derived", self.draft()).checks[0]

    def to_json(self) -> dict[str, Any]:
        return asdict(self)

    @staticmethod
    def from_json(body: Mapping[str, Any]) -> Comparison:
        lists = {name: tuple(body[name]) for name in ("says", "given", "naturals", "proof")}
        return Comparison(**{**body, **lists, "where": tuple((str(a), str(b)) for a, b in body["where"])})
