"""From a record of the ledger to a Coq theorem, or to the reason why there is none."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from theory.coq import kinds
from theory.coq.errors import NotExpressible
from theory.coq.rules import proof_of
from theory.coq.statement import proposition
from theory.coq.witness import refutation_of
from theory.kernel import Claim, KernelError, Verdict
from theory.kernel.proof import MALFORMED
from theory.ledger.records import Record

WIDTH = 116
PROBLEMS = (NotExpressible, KernelError, *MALFORMED)


@dataclass(frozen=True)
class Theorem:
    """`lines` are the tactics; where there is no translation they are empty and `reason` says why.

    note     the claim in its own notation, for people
    held     accepted before: only what it says stands in the file
    """

    key: str
    home: str
    name: str
    says: str = ""
    lines: tuple[str, ...] = ()
    cites: tuple[str, ...] = ()
    refutes: bool = False
    reason: str = ""
    note: str = ""
    held: bool = False

    def text(self, bare: bool = False, each: bool = False) -> str:
        """For people with the claim in its own notation and short lines; bare, what Coq's answer depends on.

        each   with what the theorem rests on; a file says it once for all of them
        """
        says = f"~ ({self.says})" if self.refutes else self.says
        if self.held:
            return f"(** {comment(self.key)}: accepted before. *)\nAxiom {self.name} :\n{says}.\n"
        told, proof = f"{says}.", "\n".join(self.lines)
        head = self.key
        if not bare:
            told, proof = folded(told), folded(proof)
            head = f"{self.key}{' is false' if self.refutes else ''}{self.note}"
        theorem = f"(** {comment(head)} *)\nTheorem {self.name} :\n{told}\nProof.\n{proof}\nQed.\n"
        return f"{theorem}Print Assumptions {self.name}.\n" if bare or each else theorem


def insistent(theorem: Theorem) -> Theorem:
    """The same theorem; where a divisor is compared with one that is known, it may also be a multiple of it."""

    def more(found: re.Match[str]) -> str:
        shapes = re.findall(r"nz_as ((?:(?! \| nz_as ).)+)", found.group(1))
        return f"first [{found.group(1)}{''.join(f' | nz_multiple {one}' for one in shapes)}]."

    if any("nz_multiple" in line for line in theorem.lines):
        return theorem
    lines = tuple(re.sub(r"first \[(nz \| nz_as .*)\]\.$", more, line) for line in theorem.lines)
    return replace(theorem, lines=lines)


def folded(text: str) -> str:
    """Long lines folded at spaces, what follows further in."""
    return "\n".join(part for line in text.splitlines() for part in _fold(line))


def _fold(line: str) -> Iterator[str]:
    indent = " " * (len(line) - len(line.lstrip()))
    here = indent
    for word in line.split():
        if len(here) + len(word) >= WIDTH and here.strip():
            yield here.rstrip()
            here = f"{indent}    "
        here += f"{word} "
    yield here.rstrip()


def note_of(claim: Claim) -> str:
    """What a claim says in its own notation, a line for each hypothesis and conclusion."""
    kinds = [f"where {name} is {kind}" for name, kind in claim.kinds]
    lines = [*kinds, *(f"given {one}" for one in claim.hypotheses), *(f"then {one}" for one in claim.goals)]
    lines = [folded(f"    {one}") for one in lines]
    return "".join(f"\n{line}" for line in lines).replace('"', "'")


def comment(text: str) -> str:
    """Coq reads texts in comments: a quotation mark without its partner would swallow the end."""
    return text.replace("(*", "( *").replace("*)", "* )").replace('"', "'")


def names_for(keys: Iterable[str]) -> dict[str, str]:
    """A Coq name for every key, each another one."""
    names: dict[str, str] = {}
    for key in keys:
        name = re.sub(r"[^A-Za-z0-9]+", "_", key).strip("_") or "claim"
        name = name if name[0].isalpha() else f"c_{name}"
        while name in names.values():
            name += "_again"
        names[key] = name
    return names


def theorem_of(record: Record, library: Mapping[str, Claim], names: Mapping[str, str]) -> Theorem | None:
    """The theorem of a check that is PROVED or REFUTED; nothing else claims to be one."""
    if record.verdict not in (Verdict.PROVED, Verdict.REFUTED):
        return None
    refutes = record.verdict is Verdict.REFUTED
    name = names[record.key] + ("_refuted" if refutes else "")
    bare = Theorem(record.key, record.statement or record.key, name, cites=record.judgement.cites, refutes=refutes)
    try:
        says = says_of(record.claim)
        lines = tuple(_tactics(record, library, names, refutes)())
    except PROBLEMS as error:
        return _without(bare, f"{error}")
    except RecursionError:
        return _without(bare, "a formula is nested too deeply")
    return Theorem(bare.key, bare.home, name, says, lines, bare.cites, refutes, note=note_of(record.claim))


def says_of(claim: Claim) -> str:
    """The proposition of a claim, by the printer of its kind."""
    return kinds.proposition(claim) if claim.kinds else proposition(claim)


def _without(bare: Theorem, reason: str) -> Theorem:
    return Theorem(
        bare.key, bare.home, bare.name, cites=bare.cites, refutes=bare.refutes, reason=reason[:300] or "no reason"
    )


def _tactics(
    record: Record, library: Mapping[str, Claim], names: Mapping[str, str], refutes: bool
) -> Callable[[], Iterable[str]]:
    claim, evidence = record.claim, record.evidence
    if refutes:
        return lambda: refutation_of(claim, (evidence.witness or {})["point"])
    return lambda: proof_of(claim, evidence.certificate or {}, library, names)
