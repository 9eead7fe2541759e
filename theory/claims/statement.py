"""How a statement of the paper is written down: readings and steps, each a claim with the verdict that we expect.

A module holds one `STATEMENT`. Nothing registers itself: `theory.registry` reads the modules.

    STATEMENT = Statement(
        "lem:ID",
        printed("(I-A)**(-1) @ …", display="disp:12", faithfulness=Faithfulness.AS_PRINTED, …),
        step("disp:15", 1, "…", faithfulness=Faithfulness.AS_PRINTED, …),
        repaired("…", faithfulness=Faithfulness.TYPO, words="the sign of c"),
    )
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Any

from theory.claims.door import declared, plain, skeleton
from theory.claims.links import computed
from theory.kernel import Claim, Malformed, Point, Verdict

Plan = Callable[[Claim], dict[str, Any]]
Experiment = Callable[[Any], dict[str, Any]]
Source = str | tuple[str, ...] | list[str]
Pairs = tuple[tuple[str, str], ...]
# sizes that are numbers where a paper has letters: a proof of such a claim is one of an instance
LITERAL = re.compile(r"written out|(?<![\w^])[TtdN] (?:=|<=) \d+(?![\w(*/])|\bone (?:eigen|design)|\btwo coordinates")


class Faithfulness(Enum):
    """How a reading differs from what is printed; the value is the sentence that the report prints."""

    AS_PRINTED = "exactly as printed"
    TYPO = "a slip of the pen is corrected; the mathematics is as intended"
    CONSTANT = "a constant or a factor is corrected"
    EXTRA_HYPOTHESIS = "a hypothesis is added that the statement needs"
    WEAKER = "a weaker conclusion, the strongest that we can prove"
    SHARPER = "a stronger conclusion than the printed one"
    ALGORITHM = "the algorithm is corrected"
    OURS = "a fact of ours, printed nowhere"
    CASE = "one case of what is printed; where it fails, the print fails"
    ARGUMENT = "the printed constants against what the printed proof has in hand"
    UNCOMPARED = "read from the print by machine; nobody has compared it yet"


class Kind(Enum):
    """What a check is of; the value is the word in test names and reports."""

    PRINTED = "as printed"
    REPAIRED = "repaired"
    SHARPER = "sharper"
    STEP = "step"


@dataclass(frozen=True)
class Check:
    """One claim to be judged, with what we expect and why, in words.

    proof       a function that gives the certificate's goals; without it the provers look for one
    witness     a point that refutes; without it the search looks for one
    experiment  for what the kernel cannot express: a function of a random generator that runs trials and returns
                {"trials", "worst_ratio", "space", "risk", …}; the verdict is SUPPORTED at most
    space       for each free name the interval (lo, hi) in which the search draws it (rational strings)
    instance    the sizes for which the claim is stated where the paper has a letter ("T = 4, d = 1"); "" for every size
    links       names of the paper's links.toml: what the paper derives and the claim assumes
    argument    the claim is what the printed proof has in hand: refuted, the statement does not follow, and may be true
    """

    claim: Claim
    kind: Kind
    expect: Verdict
    faithfulness: Faithfulness
    words: str = ""
    display: str = ""
    proof: Plan | None = None
    witness: Point | None = None
    experiment: Experiment | None = None
    source: str = ""
    space: tuple[tuple[str, tuple[str, str]], ...] = ()
    repairs: str = ""
    instance: str = ""
    links: tuple[str, ...] = ()
    argument: bool = False

    @property
    def key(self) -> str:
        return self.claim.id


@dataclass(frozen=True)
class Statement:
    """A statement of the paper with everything that is checked about it.

    accounts    displays that assert nothing, with the reason: {"disp:9": "definition of R"}
    """

    id: str
    checks: tuple[Check, ...]
    accounts: Mapping[str, str] = field(default_factory=dict)
    summary: str = ""

    def of_kind(self, kind: Kind) -> tuple[Check, ...]:
        return tuple(check for check in self.checks if check.kind is kind)


@dataclass(frozen=True)
class _Draft:
    """A check that does not know its statement yet."""

    kind: Kind
    part: str
    says: tuple[str, ...]
    body: dict[str, Any]
    options: dict[str, Any]


def _tuple(source: Source) -> tuple[str, ...]:
    return (source,) if isinstance(source, str) else tuple(source)


def _draft(kind: Kind, part: str, says: Source, options: dict[str, Any]) -> _Draft:
    body = {
        "given": _tuple(options.pop("given", ())),
        "where": tuple(dict(options.pop("where", {})).items()),
        "naturals": _tuple(options.pop("naturals", ())),
        "kinds": tuple(dict(options.pop("kinds", {})).items()),
        "steps": tuple(dict(options.pop("steps", {})).items()),
        "example": Point.of(options.pop("example", {})).values,
    }
    if "scope" in options:
        body["scope"] = options.pop("scope")
    if options.get("witness") is not None:
        options["witness"] = Point.of(options["witness"])
    space = dict(options.pop("space", {}))
    options["space"] = tuple((n, (str(lo), str(hi))) for n, (lo, hi) in space.items())
    return _Draft(kind, part, _tuple(says), body, options)


def printed(says: Source, *, faithfulness: Faithfulness, part: str = "", **options: Any) -> _Draft:
    """The statement as printed, slips included; `faithfulness` says that it is, or that it is a fact of ours."""
    options.setdefault("expect", Verdict.PROVED)
    return _draft(Kind.PRINTED, part, says, {**options, "faithfulness": faithfulness})


def repaired(says: Source, *, faithfulness: Faithfulness, part: str = "", **options: Any) -> _Draft:
    """What is true instead of a refuted reading. `part` names the printed part that it repairs."""
    options.setdefault("expect", Verdict.PROVED)
    return _draft(Kind.REPAIRED, part, says, {**options, "faithfulness": faithfulness})


def sharper(says: Source, *, part: str = "", **options: Any) -> _Draft:
    """A stronger statement than the printed one, proved as well."""
    options.setdefault("expect", Verdict.PROVED)
    return _draft(Kind.SHARPER, part, says, {**options, "faithfulness": Faithfulness.SHARPER})


def step(display: str, number: int | str, says: Source, *, faithfulness: Faithfulness, **options: Any) -> _Draft:
    """One relation of a displayed chain: `number` counts the relations of the display."""
    options.setdefault("expect", Verdict.PROVED)
    made = {**options, "display": display, "faithfulness": faithfulness}
    return _draft(Kind.STEP, f"{display}.{number}", says, made)


def statement(id_: str, *drafts: _Draft, accounts: Mapping[str, str] | None = None, summary: str = "") -> Statement:
    """Give each draft its key: lem:x, lem:x/repaired, lem:x/sharper, lem:x/disp:15.1; parts after #."""
    checks = tuple(_finish(id_, draft) for draft in drafts)
    keys = [check.key for check in checks]
    doubled = sorted({key for key in keys if keys.count(key) > 1})
    if doubled:
        raise ValueError(f"{id_}: two checks have the key {doubled[0]}; give them different parts")
    return Statement(id_, checks, dict(accounts or {}), summary)


def _finish(id_: str, draft: _Draft) -> Check:
    if draft.kind is Kind.STEP:
        key = f"{id_}/{draft.part}"
    else:
        role = {Kind.PRINTED: "", Kind.REPAIRED: "/repaired", Kind.SHARPER: "/sharper"}[draft.kind]
        key = f"{id_}{role}" + (f"#{draft.part}" if draft.part else "")
    claim = claim_of(key, draft.says, **draft.body)
    formulas = (*claim.says, *claim.given, *(formula for _, formula in claim.where))
    links = tuple(dict.fromkeys((*_tuple(draft.options.get("links", ())), *computed(formulas))))
    skeleton(draft.options.get("proof"), key)
    check = Check(claim=claim, kind=draft.kind, **{**draft.options, "links": links})
    literal = LITERAL.search(claim.scope)
    if literal and check.expect in (Verdict.PROVED, Verdict.CERTIFIED) and not check.instance:
        raise ValueError(f'{key}: the scope says {literal[0]!r}; name the sizes: instance="T = 4, d = 1"')
    if draft.kind is Kind.REPAIRED and not check.repairs:
        check = replace(check, repairs=f"{id_}" + (f"#{draft.part}" if draft.part else ""))
    return check


def claim_of(
    key: str,
    says: tuple[str, ...],
    *,
    given: tuple[str, ...] = (),
    where: Pairs = (),
    naturals: tuple[str, ...] = (),
    kinds: Pairs = (),
    steps: Pairs = (),
    **rest: Any,
) -> Claim:
    """The claim as it is written; where the kernel's language has no such words, as people spell it."""
    named, sorts, elsewhere = dict(where), dict(kinds), [text for pair in steps for text in pair]
    elsewhere += named.values()
    plain((*says, *given, *named, *elsewhere, *sorts, *sorts.values()), key)
    declared(sorts, tuple(named), (*says, *given, *elsewhere), key)
    rest |= {"where": where, "steps": steps}
    try:
        return Claim(id=key, says=says, given=given, naturals=naturals, kinds=kinds, **rest)
    except Malformed:
        from theory.claims.spelling import spelled

        read = spelled(says, given, sorts, naturals, named, elsewhere)
        counted = tuple(dict.fromkeys((*naturals, *read.naturals)))
        return Claim(key, read.says, given=read.given, naturals=counted, kinds=tuple(read.kinds.items()), **rest)
