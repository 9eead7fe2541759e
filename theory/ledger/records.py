"""What the ledger keeps of one check, and the ledger itself: plain data, sealed part by part.

A seal is a digest of a part, so that an accidental change is found and named. It is no defence against somebody who
computes new seals: against that stands the kernel, which re-derives every verdict from the evidence (recheck.py).
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from types import MappingProxyType
from typing import Any, TypeVar

from theory.claims.statement import Check, Faithfulness, Kind
from theory.kernel import Claim, Evidence, Judgement, Malformed, Verdict
from theory.ledger.stands import Label, phrase, word
from theory.ledger.storage import LedgerError, canonical

FORMAT = "lemmalab ledger"
LEDGER_SCHEMA = 3
JUDGED = ("verdict", "reason", "scope", "cites", "rules", "problem")
DECLARED = (
    "key",
    "statement",
    "kind",
    "display",
    "faithfulness",
    "expected",
    "words",
    "repairs",
    "instance",
    "links",
    "argument",
)
E_ = TypeVar("E_", bound=Enum)


@dataclass(frozen=True)
class Record:
    """One check with its verdict and the evidence for it.

    source    digest of everything that the evidence was made from; `engine` of the code that looked for it
    problem   what the kernel objected to, when it refused the claim or the evidence; the verdict is then UNDECIDED
    """

    key: str
    statement: str
    kind: Kind
    display: str
    claim: Claim
    faithfulness: Faithfulness
    expected: Verdict
    judgement: Judgement
    evidence: Evidence
    ratio: dict[str, Any] | None = None
    words: str = ""
    repairs: str = ""
    source: str = ""
    engine: str = ""
    seed: int = 0
    problem: str = ""
    instance: str = ""
    links: tuple[str, ...] = ()
    argument: bool = False

    @property
    def label(self) -> Label:
        return Label(self.instance, self.links)

    @property
    def shown(self) -> str:
        """The word for people, a key of `theory.ledger.stands.SENTENCES`."""
        return word(self.verdict, self.label, self.argument)

    @property
    def told(self) -> str:
        """The same with its sizes and the number of its links."""
        return phrase(self.verdict, self.label, self.argument)

    @property
    def reads(self) -> Faithfulness:
        """How the reading differs from the print, computed where the author of the claim says that it does not."""
        claim, told = self.claim, self.faithfulness
        if told is Faithfulness.AS_PRINTED and self.argument:
            return Faithfulness.ARGUMENT
        special = not claim.kinds and claim.scope != Claim.scope and not claim.scope.startswith("every")
        refuted = told is Faithfulness.AS_PRINTED and self.verdict is Verdict.REFUTED
        return Faithfulness.CASE if refuted and special else told

    @property
    def role(self) -> str:
        """What it is of, in a word or two; a fact of ours is no reading of what is printed."""
        is_ours = self.kind is Kind.PRINTED and self.faithfulness is Faithfulness.OURS
        return "a fact of ours" if is_ours else self.kind.value

    @property
    def verdict(self) -> Verdict:
        return self.judgement.verdict

    @property
    def as_expected(self) -> bool:
        return self.verdict is self.expected

    def to_json(self) -> dict[str, Any]:
        body = {
            "key": self.key,
            "statement": self.statement,
            "kind": self.kind.name,
            "display": self.display,
            "claim": {**self.claim.to_json(), "digest": self.claim.digest},
            "faithfulness": self.faithfulness.name,
            "expected": self.expected.name,
            "verdict": self.verdict.name,
            "reason": self.judgement.reason,
            "scope": self.judgement.scope,
            "cites": list(self.judgement.cites),
            "rules": list(self.judgement.rules),
            "evidence": evidence_to_json(self.evidence),
            "ratio": self.ratio,
            "words": self.words,
            "repairs": self.repairs,
            "source": self.source,
            "engine": self.engine,
            "seed": self.seed,
            "problem": self.problem,
            "instance": self.instance,
            "links": list(self.links),
            "argument": self.argument,
        }
        return {**body, "seals": seals(body)}


def evidence_to_json(evidence: Evidence) -> dict[str, Any]:
    return {**vars(evidence), "notes": list(evidence.notes)}


def evidence_from_json(body: Mapping[str, Any]) -> Evidence:
    parts = {name: body[name] for name in ("certificate", "witness", "search")}
    for name, value in parts.items():
        if value is not None and not isinstance(value, dict):
            raise Malformed(f"evidence.{name} is {value!r}; it must be an object or null")
    source = body["cited_source"]
    if source is not None and not isinstance(source, str):
        raise Malformed(f"evidence.cited_source is {source!r}; it must be text or null")
    return Evidence(**parts, cited_source=source, notes=tuple(map(str, body["notes"])))


def digest(value: Any) -> str:
    return hashlib.sha256(canonical(value)).hexdigest()[:16]


def seals(body: Mapping[str, Any]) -> dict[str, str]:
    """A digest for each part that can be told apart: where two seals differ is where something was changed."""
    evidence = body["evidence"]
    certificate = evidence["certificate"] or {}
    parts: dict[str, Any] = {
        "claim": body["claim"],
        "declared": [body[name] for name in DECLARED],
        "judged": [body[name] for name in JUDGED],
        "made": [body["source"], body["engine"], body["seed"], body["ratio"]],
        "evidence.notes": [evidence["notes"], evidence["cited_source"]],
    }
    for position, goal in enumerate(certificate.get("goals", ())):
        parts[f"evidence.certificate.goals[{position}]"] = goal
    if certificate:
        parts["evidence.certificate"] = {k: v for k, v in certificate.items() if k not in ("goals", "defined")}
        parts["evidence.certificate.defined"] = certificate.get("defined", {})
    for name in ("witness", "search"):
        if evidence[name] is not None:
            parts[f"evidence.{name}"] = evidence[name]
    return {name: digest(part) for name, part in parts.items()}


def _member(kind: type[E_], name: Any, where: str) -> E_:
    try:
        return kind[name]
    except KeyError:
        raise Malformed(f"{where}: {name!r} is not one of {', '.join(m.name for m in kind)}") from None


def record_from_json(body: Mapping[str, Any], own: Mapping[str, Claim] = MappingProxyType({})) -> Record:
    """Read one record back; `Malformed` names the part that is not as it should be. Seals are checked elsewhere.

    own    claims of a project by key: one that is word for word the recorded one is taken instead of read again
    """
    try:
        judgement = Judgement(
            _member(Verdict, body["verdict"], "verdict"),
            str(body["reason"]),
            str(body["scope"]),
            tuple(map(str, body["cites"])),
            tuple(map(str, body["rules"])),
        )
        claim = _claim(body["claim"], own.get(body["key"]))
        if claim.digest != body["claim"]["digest"]:
            raise Malformed(f"claim.digest is {body['claim']['digest']}, but the claim itself has {claim.digest}")
        if claim.id != body["key"]:
            raise Malformed(f"key: the record of {body['key']} holds the claim {claim.id}")
        return Record(
            key=str(body["key"]),
            statement=str(body["statement"]),
            kind=_member(Kind, body["kind"], "kind"),
            display=str(body["display"]),
            claim=claim,
            faithfulness=_member(Faithfulness, body["faithfulness"], "faithfulness"),
            expected=_member(Verdict, body["expected"], "expected"),
            judgement=judgement,
            evidence=evidence_from_json(body["evidence"]),
            ratio=body["ratio"],
            words=str(body["words"]),
            repairs=str(body["repairs"]),
            source=str(body["source"]),
            engine=str(body["engine"]),
            seed=int(body["seed"]),
            problem=str(body["problem"]),
            instance=str(body["instance"]),
            links=tuple(map(str, body["links"])),
            argument=bool(body["argument"]),
        )
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise Malformed(f"the record is malformed ({type(error).__name__}: {error})") from None


def _claim(body: Mapping[str, Any], own: Claim | None) -> Claim:
    return own if own is not None and {**own.to_json(), "digest": own.digest} == body else Claim.from_json(body)


@dataclass(frozen=True)
class Ledger:
    """All records in the order of the paper. `timings` is the only part that two equal runs may differ in."""

    header: dict[str, Any]
    records: tuple[Record, ...]
    timings: dict[str, Any] = field(default_factory=dict, compare=False)

    def get(self, key: str) -> Record | None:
        return self.by_key().get(key)

    def by_key(self) -> dict[str, Record]:
        return {record.key: record for record in self.records}

    def claims(self) -> dict[str, Claim]:
        return {record.key: record.claim for record in self.records}

    def judgements(self) -> dict[str, Judgement]:
        return {record.key: record.judgement for record in self.records}

    def to_json(self) -> dict[str, Any]:
        from theory.ledger.summary import summaries

        bodies = [record.to_json() for record in self.records]
        statements = {name: summary.to_json() for name, summary in summaries(self.records).items()}
        return {
            "format": FORMAT,
            "schema": LEDGER_SCHEMA,
            "header": self.header,
            "checks": bodies,
            "statements": statements,
            "seal": digest([self.header, [body["seals"] for body in bodies], statements]),
            "timings": self.timings,
        }


def outline(body: Any, name: str) -> list[dict[str, Any]]:
    """The raw checks of a ledger, once it is clear that it is one and that this version reads it."""
    if not isinstance(body, dict) or body.get("format") != FORMAT:
        raise LedgerError(
            f'{name} is not a LemmaLab ledger (no "format": "{FORMAT}"); give a file that `lemmalab check` wrote'
        )
    if body.get("schema") != LEDGER_SCHEMA:
        raise LedgerError(
            f"{name} has the ledger schema {body.get('schema')!r}; this version reads {LEDGER_SCHEMA}: "
            "write it again with `lemmalab check --fresh`"
        )
    wrong = [
        part
        for part, kind in (("header", dict), ("checks", list), ("statements", dict), ("timings", dict), ("seal", str))
        if not isinstance(body.get(part), kind)
    ]
    if wrong:
        raise LedgerError(f"{name} has no proper {wrong[0]!r}; write it again with `lemmalab check --fresh`")
    if not all(isinstance(check, dict) and isinstance(check.get("key"), str) for check in body["checks"]):
        raise LedgerError(f'{name}: an entry of "checks" has no key; write it again with `lemmalab check --fresh`')
    if not body["checks"]:
        raise LedgerError(f"{name} holds no check at all; write it again with `lemmalab check`")
    return list(body["checks"])


def record_of(check: Check, evidence: Evidence, judgement: Judgement, **more: Any) -> Record:
    """The record of a check that has just been judged."""
    return Record(
        key=check.key,
        kind=check.kind,
        display=check.display,
        claim=check.claim,
        faithfulness=check.faithfulness,
        expected=check.expect,
        words=check.words,
        repairs=check.repairs,
        instance=check.instance,
        links=check.links,
        argument=check.argument,
        judgement=judgement,
        evidence=evidence,
        **more,
    )
