"""From a derivation to claims: it solves what it came from (sympy is not believed), and it is what the paper prints.

Derived and printed side are both read by machine; the provers look for a proof or a witness, the kernel decides.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from theory.claims.statement import Check, Faithfulness, Kind
from theory.derivation.comparison import Comparison
from theory.derivation.language import claim_text
from theory.derivation.tex import occurs, read
from theory.derivation.value import Derivation, Printed, Setting
from theory.derivation.words import spoken
from theory.kernel import Evidence, Judgement, Malformed, Verdict, judge
from theory.ledger.referee import referee
from theory.provers import driver
from theory.reading.paper import Paper


@dataclass(frozen=True)
class Compared:
    """A derivation in the language of claims.

    derived    the object
    printed    for each place where it is printed the fragment, read
    solves     the claim that it solves what it came from
    places     derived == printed, for each place; beside a refuted one, what is right
    """

    derivation: Derivation
    derived: str
    printed: tuple[str, ...]
    solves: Comparison
    places: tuple[Comparison, ...]


def compared(one: Derivation, latex: Mapping[str, str], paper: Paper) -> Compared:
    """`latex` is the paper's table of LaTeX and names, `paper` what it prints."""
    derived = claim_text(one.derived)
    also = {name: claim_text(expression) for name, expression in one.also.items()}
    solves = _solves(one, derived, also)
    printed = tuple(_printed(one, place, latex, paper) for place in one.printed)
    places: list[Comparison] = []
    for place, text in zip(one.printed, printed, strict=True):
        places += _places(one, place, [s.format(derived=derived, printed=text, **also) for s in place.says], solves)
    return Compared(one, derived, printed, solves, tuple(places))


def _printed(one: Derivation, place: Printed, latex: Mapping[str, str], paper: Paper) -> str:
    if not occurs(place.tex, paper.display(place.display).formula):
        raise Malformed(f"{one.name}: {place.display} does not print {place.tex!r}; copy the fragment from paper.toml")
    return read(place.tex, {**latex, **place.names})


def _body(setting: Setting) -> dict[str, Any]:
    return {
        "given": setting.given,
        "naturals": setting.naturals,
        "example": dict(setting.example),
        "scope": setting.scope,
    }


def _solves(one: Derivation, derived: str, also: Mapping[str, str]) -> Comparison:
    where = (*one.setting.where.items(), *also.items(), (one.letter, derived))
    return Comparison("", "", one.name, one.solves, where=where, proof=one.proofs, **_body(one.setting))


def _places(one: Derivation, place: Printed, says: list[str], solves: Comparison) -> list[Comparison]:
    number = f"derived-{one.name}{place.part}"
    found = Comparison(
        place.owner,
        place.display,
        number,
        tuple(says),
        where=tuple(place.setting.where.items()),
        expect=place.expect.name,
        words=spoken(place.words or f"What sympy derives ({one.title}) is what is printed."),
        witness=dict(place.witness or {}),
        **_body(place.setting),
    )
    if place.expect is not Verdict.REFUTED:
        return [found]
    right = Comparison(
        **{
            **solves.__dict__,
            "owner": place.owner,
            "display": place.display,
            "number": f"{number}/repaired",
            "faithfulness": place.faithfulness.name,
            "repairs": found.key,
            "words": spoken(f"What sympy derives: {one.title}, from {one.source}."),
        }
    )
    return [found, right]


def verdict_on(one: Comparison) -> tuple[Evidence, Judgement]:
    """A proof first, since most derivations are right; then the referee, who also looks for a witness."""
    claim = one.claim
    if one.expect == Verdict.PROVED.name:
        cert = driver.prove(claim, {}, plan=[dict(tactic) for tactic in one.proof] or None)
        if cert is not None:
            evidence = Evidence(certificate=cert)
            return evidence, judge(claim, evidence, {})
    return referee(one.check() if one.owner else _alone(one), {})


def _alone(one: Comparison) -> Any:
    return Check(one.claim, Kind.SHARPER, Verdict.PROVED, Faithfulness.SHARPER)


def same(name: str, one: str, other: str, setting: Setting) -> Judgement:
    """Two texts of one object are equal by the kernel, however they are written."""
    where = tuple(setting.where.items())
    claim = Comparison("", "", f"{name} is what it was", (f"{one} == {other}",), where=where, **_body(setting))
    return verdict_on(claim)[1]
