"""A claim as data: what it says, under which hypotheses, with a point that satisfies them all."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from fractions import Fraction
from functools import cached_property
from typing import Any

from theory.kernel.errors import Malformed
from theory.kernel.lang import (
    Node,
    Relation,
    indexed,
    is_name,
    parse,
    parse_relation,
    relation_numbers,
    relation_symbols,
    spaces_of,
    substitute,
    substitute_relation,
    sym,
    symbols,
    walk,
)
from theory.kernel.shapes import check_shapes

SCHEMA = 1
Value = str | list[Any]
RESERVED = frozenset({"Omega", "pi"})


def _over_space(relation: Relation) -> bool:
    """forall(w, Omega, Omega, …), and Omega nowhere else."""
    omega = sym("Omega")
    inside = symbols(relation.left) | symbols(relation.right)
    return relation.binder is not None and relation.binder[1:] == (omega, omega) and "Omega" not in inside


@dataclass(frozen=True)
class Claim:
    """`says` holds for all real values of the free names that satisfy `given`.

    where      definitions, expanded in order: a name and the formula that it abbreviates
    naturals   names that range over 0, 1, 2, …
    letters    names that stand for square matrices of any size ("", "symmetric", "identity"): matrix identities
    example    a point that satisfies every hypothesis, so that the claim is not vacuous
    scope      in words, what the free names stand for
    """

    id: str
    says: tuple[str, ...]
    given: tuple[str, ...] = ()
    where: tuple[tuple[str, str], ...] = ()
    naturals: tuple[str, ...] = ()
    letters: tuple[tuple[str, str], ...] = ()
    example: tuple[tuple[str, Any], ...] = ()
    scope: str = "all parameters that satisfy the hypotheses"

    def __post_init__(self) -> None:
        if not self.says:
            raise Malformed(f"{self.id}: a claim says something; `says` is empty")
        try:
            self._check()
        except RecursionError:
            raise Malformed(
                f"{self.id}: a formula is nested too deeply; split it with `where`, or write a sum"
            ) from None

    def __getstate__(self) -> dict[str, Any]:
        """What travels to another process is what was written; another thread may be working the rest out meanwhile."""
        return {one.name: getattr(self, one.name) for one in fields(self)}

    def _check(self) -> None:
        self._check_names()
        spaces = {name for r in self._relations() for s in (r.left, r.right) for name in spaces_of(s)}
        spaces |= {r.binder[0] for r in self._relations() if r.binder is not None and r.binder[1] == sym("Omega")}
        if len(spaces) > 1:
            raise Malformed(f"{self.id}: one probability space has one name; found {', '.join(sorted(spaces))}")
        if self.letters:
            self._check_letters()
        else:
            self._check_kinds()

    def _check_names(self) -> None:
        """Names are names, each declared once; Omega is the probability space and nothing else."""
        defined = [name for name, _ in self.where]
        declared = [*defined, *self.naturals, *(name for name, _ in self.letters)]
        for name in declared:
            if not is_name(name):
                raise Malformed(f"{self.id}: {name!r} is no name; write letters, digits and underscores")
            if name in RESERVED or declared.count(name) > 1:
                raise Malformed(f"{self.id}: the name {name} is declared twice or reserved; rename it")
        for at, (name, formula) in enumerate(self.where):
            late = sorted(symbols(parse(formula)) & set(defined[at:]))
            if late:
                raise Malformed(f"{self.id}: where {name} uses {late[0]}, which is not defined before it")
        for relation in self._relations():
            if relation_symbols(relation) & RESERVED - ({"Omega"} if _over_space(relation) else set()):
                raise Malformed(f"{self.id}: {', '.join(sorted(RESERVED))} are reserved; Omega stands in forall only")

    def _check_letters(self) -> None:
        """Matrices are multiplied with @, and numbers are not."""
        known = {name for name, _ in self.letters}
        parts = (part for r in self._relations() for side in (r.left, r.right) for part in walk(side))
        for operand in (arg for part in parts if part.op == "@" for arg in part.args):
            if operand.op == "num" or (operand.op == "sym" and operand.value not in known):
                raise Malformed(f"{self.id}: {operand} is a number and stands beside @; write *, or make it a letter")

    def _check_kinds(self) -> None:
        """A name is a number, a column or a matrix of numbers everywhere; matrices are compared with matrices."""
        both = sorted((self.numbers | set(self.naturals)) & set(self.families))
        if both:
            raise Malformed(f"{self.id}: {both[0]} is used with and without an index; rename one of them")
        mixed = sorted({name for r in self._relations() for name, n in indexed(r) if n != self.families[name]})
        if mixed:
            raise Malformed(f"{self.id}: {mixed[0]} is used with one index and with two; rename one of them")
        for relation in self._relations():
            try:
                check_shapes(relation)
            except Malformed as error:
                raise Malformed(f"{self.id}: {error}") from None

    def _relations(self) -> tuple[Relation, ...]:
        return (*self.goals, *self.hypotheses)

    @cached_property
    def definitions(self) -> dict[str, Node]:
        known: dict[str, Node] = {}
        for name, formula in self.where:
            known[name] = substitute(parse(formula), known)
        return known

    def expand(self, source: str) -> Relation:
        try:
            return substitute_relation(parse_relation(source), self.definitions)
        except Malformed as error:
            raise Malformed(f"{self.id}: {error}") from None

    @cached_property
    def goals(self) -> tuple[Relation, ...]:
        return tuple(self.expand(source) for source in self.says)

    @cached_property
    def hypotheses(self) -> tuple[Relation, ...]:
        return tuple(self.expand(source) for source in self.given)

    @cached_property
    def variables(self) -> tuple[str, ...]:
        free = frozenset().union(*(relation_symbols(r) for r in (*self.goals, *self.hypotheses)))
        return tuple(sorted(free - {"Omega"}))

    @cached_property
    def numbers(self) -> frozenset[str]:
        """Names that stand for a number, or for a matrix if they are letters: those without an index."""
        return frozenset().union(*(relation_numbers(r) for r in self._relations()))

    @cached_property
    def families(self) -> dict[str, int]:
        """Names that stand before an index, and with how many indices."""
        return {name: count for r in self._relations() for name, count in indexed(r)}

    @cached_property
    def digest(self) -> str:
        body = {k: v for k, v in self.to_json().items() if k not in ("scope",)}
        return hashlib.sha256(json.dumps(body, sort_keys=True).encode()).hexdigest()[:32]

    def to_json(self) -> dict[str, Any]:
        return json.loads(json.dumps(asdict(self)))  # type: ignore[no-any-return]

    @staticmethod
    def from_json(record: Mapping[str, Any]) -> Claim:
        try:
            return Claim(
                id=str(record["id"]),
                says=tuple(map(str, record["says"])),
                given=tuple(map(str, record["given"])),
                where=tuple((str(a), str(b)) for a, b in record["where"]),
                naturals=tuple(map(str, record["naturals"])),
                letters=tuple((str(a), str(b)) for a, b in record["letters"]),
                example=tuple((str(a), b) for a, b in record["example"]),
                scope=str(record["scope"]),
            )
        except (KeyError, TypeError, ValueError) as error:
            raise Malformed(
                f"a claim record is malformed ({type(error).__name__}: {error}); write the ledger again"
            ) from None


@dataclass(frozen=True)
class Point:
    """Exact values for names: rationals as strings, columns and matrices as nested lists of them."""

    values: tuple[tuple[str, Any], ...]

    @staticmethod
    def of(values: Mapping[str, Any]) -> Point:
        return Point(tuple(sorted((str(k), _plain(v)) for k, v in values.items())))

    def as_dict(self) -> dict[str, Any]:
        return dict(self.values)


def _plain(value: Any) -> Any:
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in value]
    if isinstance(value, bool) or not isinstance(value, (int, str, Fraction)):
        raise Malformed(f"the value {value!r} is not exact; write a rational such as '1/3'")
    try:
        return str(Fraction(value))
    except (ValueError, ZeroDivisionError):
        raise Malformed(f"the value {value!r} is not a rational number; write it as '1/3'") from None


@dataclass(frozen=True)
class Evidence:
    """What a prover or a search offers. The kernel believes none of it."""

    certificate: dict[str, Any] | None = None
    witness: dict[str, Any] | None = None
    search: dict[str, Any] | None = None
    cited_source: str | None = None
    notes: tuple[str, ...] = field(default=())
