"""Forgeries: certificates for false claims, witnesses against true ones, ledgers that were changed.

The forger knows the format: digests and seals are computed again for what it changed, so that only the kernel stands in
its way. What the kernel accepts is put before `independent`, which shares no code with it.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from tests.trust.independent import NoValue
from tests.trust.independent_kinds import LeftOut, opinion
from theory.kernel import Claim, Evidence, Judgement, KernelError, Verdict, judge
from theory.ledger.recheck import recheck_json
from theory.ledger.records import Ledger, Record, digest, seals
from theory.mutants.mutations import mutants
from theory.search import QUICK, search

RIGOROUS = (Verdict.PROVED, Verdict.CERTIFIED)
SMALL = 6_000  # characters of a certificate; longer ones make the fuzzer slow and no wiser


@dataclass
class Tally:
    """How many were tried, of each kind, and what got through.

    `valid` are changed witnesses that refute what is refuted; of those of `left_out` the second opinion cannot tell.
    """

    tried: dict[str, int] = field(default_factory=dict)
    valid: int = 0
    left_out: int = 0
    accepted: list[str] = field(default_factory=list)

    def count(self, kind: str) -> None:
        self.tried[kind] = self.tried.get(kind, 0) + 1

    @property
    def total(self) -> int:
        return sum(self.tried.values())


def forge(ledger: Ledger, rng: np.random.Generator, *, certificates: int, witnesses: int, ledgers: int) -> Tally:
    """So many tamperings of each kind; `accepted` must stay empty."""
    tally = Tally()
    for _ in _for_false_claims(ledger, rng, certificates, tally):
        pass
    _witnesses(ledger, rng, witnesses, tally)
    _ledgers(ledger, rng, ledgers, tally)
    return tally


def tampered(body: Any, rng: np.random.Generator) -> Any:
    """A copy with one small change somewhere: a digit, a sign, an entry dropped, doubled, moved or renamed."""
    made = copy.deepcopy(body)
    places = list(_places(made))
    if not places:
        return made
    holder, key = places[rng.integers(len(places))]
    holder[key] = _changed(holder[key], rng)
    if isinstance(holder, list) and rng.random() < 0.2:
        act = rng.integers(3)
        if act == 0:
            del holder[key]
        elif act == 1:
            holder.insert(key, copy.deepcopy(holder[key]))
        else:
            holder.reverse()
    elif isinstance(holder, dict) and rng.random() < 0.05:
        del holder[key]
    return made


def _places(body: Any) -> Iterator[tuple[Any, Any]]:
    pairs = body.items() if isinstance(body, dict) else enumerate(body) if isinstance(body, list) else ()
    for key, value in pairs:
        yield body, key
        yield from _places(value)


WORDS = (
    "identity",
    "cone",
    "positive",
    "balls",
    "induction",
    "termwise",
    "order",
    "induct",
    "telescope",
    "cite",
)


def _changed(value: Any, rng: np.random.Generator) -> Any:
    if isinstance(value, bool) or value is None:
        return not value
    if isinstance(value, int):
        return value + int(rng.choice([-2, -1, 1, 2, 10**6]))
    if isinstance(value, float):
        return value * 2 + 1
    if isinstance(value, str):
        return _changed_text(value, rng)
    if isinstance(value, list) and value:
        return value[:-1] if rng.random() < 0.5 else value[::-1]
    return [] if isinstance(value, list) else {}


def _changed_text(text: str, rng: np.random.Generator) -> str:
    if text in WORDS:
        return str(rng.choice(WORDS))
    digits = [i for i, letter in enumerate(text) if letter.isdigit()]
    act = rng.random()
    if digits and act < 0.7:
        at = digits[rng.integers(len(digits))]
        return text[:at] + str(rng.integers(10)) + text[at + 1 :]
    if act < 0.8:
        return text[1:] if text.startswith("-") else "-" + text
    swaps = {"<=": ">=", ">=": "<=", "+": "-", "-": "+", "*": "+", "<": ">"}
    present = [sign for sign in swaps if sign in text]
    if present:
        sign = present[rng.integers(len(present))]
        return text.replace(sign, swaps[sign], 1)
    return text + "0" if text.isdigit() else text[:-1]


def _proved(ledger: Ledger) -> list[Record]:
    return [
        record
        for record in ledger.records
        if record.verdict in RIGOROUS
        and record.evidence.certificate
        and len(json.dumps(record.evidence.certificate)) < SMALL
    ]


def _for_false_claims(ledger: Ledger, rng: np.random.Generator, count: int, tally: Tally) -> Iterator[None]:
    """The proof of a true claim, bent until it fits a false one."""
    library = ledger.claims()
    pool = _proved(ledger)
    each = 40
    for position in rng.permutation(len(pool) * 3):
        if tally.tried.get("certificate", 0) >= count:
            return
        record = pool[position % len(pool)]
        false = _false_neighbour(record, rng)
        if false is None:
            continue
        others = [pool[i].evidence.certificate for i in rng.integers(len(pool), size=3)]
        for turn in range(each):
            source = record.evidence.certificate if turn % 4 else others[turn % len(others)]
            forged = source if turn < 4 else tampered(source, rng)
            for _ in range(int(rng.integers(3))):
                forged = tampered(forged, rng)
            if not isinstance(forged, dict):
                continue
            tally.count("certificate")
            own = _judged(false, Evidence(certificate={**forged, "schema": 1, "claim": false.digest}), library)
            if own is not None and own.verdict in RIGOROUS:
                tally.accepted.append(f"a certificate for the false {'; '.join(false.says)[:200]}")
        yield


def _false_neighbour(record: Record, rng: np.random.Generator) -> Claim | None:
    """A mutant with a witness that both the kernel and the independent evaluator confirm."""
    made: list[Claim] = [one.claim for one in mutants(record.claim, 1)]
    for i in rng.permutation(len(made))[:3]:
        found = search(made[i], effort=QUICK)
        if found.witness is not None and _refuted(made[i], found.witness, without_value=False):
            false: Claim = replace(made[i], id=record.key)
            return false
    return None


def _judged(claim: Claim, evidence: Evidence, library: dict[str, Claim]) -> Judgement | None:
    try:
        return judge(claim, evidence, library)
    except (KernelError, RecursionError):
        return None


def _witnesses(ledger: Ledger, rng: np.random.Generator, count: int, tally: Tally) -> None:
    """Points against claims that are proved, and witnesses with a changed number: the second opinion must agree."""
    library = ledger.claims()
    refuted = [r for r in ledger.records if r.evidence.witness]
    proved = _proved(ledger)
    for turn in range(count if refuted and proved else 0):
        group = refuted if turn % 2 else proved
        record = group[rng.integers(len(group))]
        known = record.evidence.witness["point"] if record.evidence.witness else dict(record.claim.example)
        point = tampered(known, rng)
        tally.count("witness")
        witness = {"schema": 1, "claim": record.claim.digest, "point": point}
        own = _judged(record.claim, Evidence(witness=witness), library)
        if own is None or own.verdict is not Verdict.REFUTED:
            continue
        agreed = _refuted(record.claim, point, without_value=True)
        if agreed is None and record.verdict is Verdict.REFUTED:
            tally.left_out += 1
        elif agreed and record.verdict is Verdict.REFUTED:
            tally.valid += 1
        else:
            tally.accepted.append(f"a witness {point} against {record.key}")


def _refuted(claim: Claim, point: dict[str, Any], *, without_value: bool) -> bool | None:
    """The second opinion, None where it has none; `without_value`: whether a formula without a value is refuted."""
    try:
        return opinion(claim.to_json(), point) == (True, False)
    except NoValue:
        return without_value
    except LeftOut:
        return None
    except (ValueError, ArithmeticError, TypeError, LookupError):
        return False


def _ledgers(ledger: Ledger, rng: np.random.Generator, count: int, tally: Tally) -> None:
    """Small ledgers with one change, the seals whole again half of the time."""
    pool = [record for record in ledger.records if len(json.dumps(record.to_json())) < 3 * SMALL]
    for turn in range(count if pool else 0):
        chosen = _closed([pool[i] for i in rng.integers(len(pool), size=2)], ledger)
        if chosen is None:
            continue
        body = json.loads(json.dumps(Ledger(ledger.header, chosen, {}).to_json()))
        place = int(rng.integers(len(body["checks"])))
        before = body["checks"][place]
        after = _flipped(before, rng) if turn % 3 == 0 else tampered(before, rng)
        if not isinstance(after, dict) or after == before:
            continue
        if turn % 2:
            after = _sealed(after)
        body["checks"][place] = after
        if turn % 2 and all(isinstance(raw.get("seals"), dict) for raw in body["checks"]):
            body["seal"] = digest([body["header"], [raw.get("seals") for raw in body["checks"]], body["statements"]])
        tally.count("ledger")
        if _passes(body) and not _harmless(before, after):
            tally.accepted.append(f"a changed ledger: {_difference(before, after)}")


def _closed(chosen: Sequence[Record], ledger: Ledger) -> tuple[Record, ...] | None:
    """The records with all that they cite, or None when that is too much."""
    known = ledger.by_key()
    found = {record.key: record for record in chosen}
    for record in list(found.values()):
        for key in record.judgement.cites:
            if key in known:
                found.setdefault(key, known[key])
    every = {key for record in found.values() for key in record.judgement.cites}
    return tuple(found.values()) if every <= set(found) and len(found) <= 5 else None


def _flipped(raw: dict[str, Any], rng: np.random.Generator) -> dict[str, Any]:
    """Another verdict on record than the one that the kernel computes."""
    made = copy.deepcopy(raw)
    others = [v.name for v in Verdict if v.name != made["verdict"]]
    made["verdict"] = str(rng.choice(others))
    return made


def _sealed(raw: dict[str, Any]) -> dict[str, Any]:
    try:
        return {**raw, "seals": seals(raw)}
    except (KeyError, TypeError, AttributeError, ValueError):
        return raw


def _passes(body: dict[str, Any]) -> bool:
    try:
        return recheck_json(body).passed
    except Exception:
        return False


def _harmless(before: dict[str, Any], after: dict[str, Any]) -> bool:
    """What the kernel cannot re-derive, sealed again: words, the account of a search, other evidence for a true claim.

    The verdict and the claim are the same, so that nothing false is believed.
    """
    same_claim = {k: v for k, v in before["claim"].items() if k not in ("example", "scope", "digest")} == {
        k: v for k, v in after["claim"].items() if k not in ("example", "scope", "digest")
    }
    return same_claim and before["verdict"] == after["verdict"]


def _difference(before: dict[str, Any], after: dict[str, Any]) -> str:
    parts = [key for key in before if before.get(key) != after.get(key) and key != "seals"]
    return f"{before['key']}: {', '.join(parts)}"
