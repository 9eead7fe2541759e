"""A claim as data: what it says, under which hypotheses, with a point that satisfies them all."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from fractions import Fraction
from functools import cached_property
from typing import Any

from theory.kernel.algebraic import number
from theory.kernel.errors import Malformed
from theory.kernel.kinds import World, check_kinds, elaborate_relation, world_of
from theory.kernel.lang import (
    DOMAINS,
    FOREVER,
    RESERVED,
    Relation,
    indexed,
    is_name,
    num,
    parse,
    parse_relation,
    relation_numbers,
    relation_symbols,
    spaces_of,
    sym,
    symbols,
)
from theory.kernel.notions import Notion, read_notions, unfold_relation
from theory.kernel.recursions import definition, is_counted, read_clauses, read_steps, start_of
from theory.kernel.shapes import check_shapes

SCHEMA = 1
Value = str | list[Any]


def _over_space(relation: Relation) -> bool:
    """forall(w, Omega, Omega, …), and Omega nowhere else."""
    omega = sym("Omega")
    inside = symbols(relation.left) | symbols(relation.right)
    return relation.binder is not None and relation.binder[1:] == (omega, omega) and "Omega" not in inside


@dataclass(frozen=True)
class Claim:
    """`says` holds for all real values of the free names that satisfy `given`.

    where      definitions, unfolded in order: a name, name(X) or name[t], and the formula that it stands for
    naturals   names that range over 0, 1, 2, …
    example    a point that satisfies every hypothesis, so that the claim is not vacuous
    scope      in words, what the free names stand for
    kinds      vectors and matrices of every size, random quantities, samples (see theory.kernel.kinds)
    steps      random recursions: x[0, h] and x[t + 1, h] in terms of x[t, h] and one fresh sample; and sequences that
               are defined by recursion: C[0] and C[t + 1] in terms of C[t]
    """

    id: str
    says: tuple[str, ...]
    given: tuple[str, ...] = ()
    where: tuple[tuple[str, str], ...] = ()
    naturals: tuple[str, ...] = ()
    example: tuple[tuple[str, Any], ...] = ()
    scope: str = "all parameters that satisfy the hypotheses"
    kinds: tuple[tuple[str, str], ...] = ()
    steps: tuple[tuple[str, str], ...] = ()

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
        if len(spaces) > 1 and not self.kinds:
            raise Malformed(f"{self.id}: one probability space has one name; found {', '.join(sorted(spaces))}")
        if self.kinds:
            self._check_world()
        else:
            self._check_kinds()

    def _check_names(self) -> None:
        """Names are names, each declared once; Omega is the probability space and nothing else."""
        defined = [head.split("(")[0].split("[")[0].strip() for head, _ in self.where]
        declared = [*defined, *self.naturals, *(name for name, _ in self.kinds)]
        for name in declared:
            if not is_name(name):
                raise Malformed(f"{self.id}: {name!r} is no name; write letters, digits and underscores")
            if name in RESERVED or declared.count(name) > 1:
                raise Malformed(f"{self.id}: the name {name} is declared twice or reserved; rename it")
        for at, (name, formula) in enumerate(self.where):
            params = symbols(parse(name)) - {defined[at]}
            late = sorted(symbols(parse(formula)) & set(defined[at:]) - params)
            if late:
                raise Malformed(f"{self.id}: where {name} uses {late[0]}, which is not defined before it")
        for relation in self._relations():
            if any(hi == FOREVER for _, _, hi in relation.binders):
                raise Malformed(f"{self.id}: {relation}: a claim names the last index; write forall(k, 0, K - 1, …)")
            if not self.kinds and any(lo.op in DOMAINS for _, lo, _ in relation.binders):
                raise Malformed(f"{self.id}: {relation}: samples and vectors are of what `kinds` declares")
            if relation_symbols(relation) & RESERVED - ({"Omega"} if _over_space(relation) else set()):
                raise Malformed(f"{self.id}: {', '.join(sorted(RESERVED))} are reserved; Omega stands in forall only")

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

    def _check_world(self) -> None:
        """Every formula has a size that fits; samples and sizes have no second meaning."""
        sizes = self.world.sizes
        both = sorted(sizes & {*self.world.letters, *self.world.samples, *self.notions})
        if both:
            raise Malformed(f"{self.id}: {both[0]} is a size and something else; rename one of them")
        spaces = {str(one.space) for one in self.world.letters.values() if one.space is not None}
        used = sorted(self.numbers & spaces.union(self.world.histories))
        if used:
            raise Malformed(f"{self.id}: {used[0]} is a space and a number; rename one of them")
        for relation in self._relations():
            check_kinds(relation)

    @cached_property
    def notions(self) -> dict[str, Notion]:
        try:
            return read_notions(self.where)
        except Malformed as error:
            raise Malformed(f"{self.id}: {error}") from None

    @cached_property
    def world(self) -> World:
        """What certificates read their formulas in."""
        notions = {k: v for k, v in self.notions.items() if self.kinds or v.style != "sym"}
        base = replace(world_of(dict(self.kinds)), notions=notions)
        random = tuple(one for one in self.steps if not is_counted(one[0], base))
        counted = tuple(one for one in self.steps if is_counted(one[0], base))
        return replace(base, steps=read_steps(random, base), clauses=read_clauses(counted, base))

    def expand(self, source: str) -> Relation:
        try:
            relation = unfold_relation(parse_relation(source), self.notions)
            return elaborate_relation(relation, self.world) if self.kinds else relation
        except Malformed as error:
            raise Malformed(f"{self.id}: {error}") from None

    @cached_property
    def goals(self) -> tuple[Relation, ...]:
        return tuple(self.expand(source) for source in self.says)

    @cached_property
    def hypotheses(self) -> tuple[Relation, ...]:
        return tuple(self.expand(source) for source in self.given)

    @cached_property
    def facts(self) -> tuple[Relation, ...]:
        """The hypotheses, how random recursions begin, what sequences are, and that a size is at least one."""
        begins = [start_of(name, step, self.world) for name, step in self.world.steps.items()]
        begins += [definition(one) for clauses in self.world.clauses.values() for one in clauses]
        return (*self.hypotheses, *begins, *(Relation(">=", sym(d), num(1)) for d in sorted(self.world.sizes)))

    @cached_property
    def counters(self) -> frozenset[str]:
        """The natural numbers, sizes among them."""
        return frozenset(self.naturals) | self.world.sizes

    @cached_property
    def variables(self) -> tuple[str, ...]:
        free = frozenset().union(*(relation_symbols(r) for r in (*self.goals, *self.hypotheses)))
        return tuple(sorted(free - {"Omega"}))

    @cached_property
    def numbers(self) -> frozenset[str]:
        """Names that stand for a number: those without an index."""
        return frozenset().union(*(relation_numbers(r) for r in self._relations()))

    @cached_property
    def families(self) -> dict[str, int]:
        """Names that stand before an index, and with how many indices."""
        return {name: count for r in self._relations() for name, count in indexed(r)}

    @cached_property
    def digest(self) -> str:
        body = {k: v for k, v in self.to_json().items() if k != "scope"} | {"letters": []}  # of an older edition
        return hashlib.sha256(json.dumps(body, sort_keys=True).encode()).hexdigest()[:32]

    def to_json(self) -> dict[str, Any]:
        """What is not used is not written, so that a claim of an older edition keeps its digest."""
        record = {k: v for k, v in self.__getstate__().items() if v or k not in ("kinds", "steps")}
        return json.loads(json.dumps(record))  # type: ignore[no-any-return]

    @staticmethod
    def from_json(record: Mapping[str, Any]) -> Claim:
        try:
            return Claim(
                id=str(record["id"]),
                says=tuple(map(str, record["says"])),
                given=tuple(map(str, record["given"])),
                where=tuple((str(a), str(b)) for a, b in record["where"]),
                naturals=tuple(map(str, record["naturals"])),
                example=tuple((str(a), b) for a, b in record["example"]),
                scope=str(record["scope"]),
                kinds=tuple((str(a), str(b)) for a, b in record.get("kinds", [])),
                steps=tuple((str(a), str(b)) for a, b in record.get("steps", [])),
            )
        except (KeyError, TypeError, ValueError) as error:
            raise Malformed(
                f"a claim record is malformed ({type(error).__name__}: {error}); write the ledger again"
            ) from None


@dataclass(frozen=True)
class Point:
    """Exact values for names: rationals and roots as strings, columns and matrices as nested lists of them."""

    values: tuple[tuple[str, Any], ...]

    @staticmethod
    def of(values: Mapping[str, Any]) -> Point:
        return Point(tuple(sorted((str(k), _plain(v)) for k, v in values.items())))

    def as_dict(self) -> dict[str, Any]:
        return dict(self.values)


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping) and set(value) == {"of", "is"}:
        return {"of": str(value["of"]), "is": str(value["is"])}  # a function of a vector
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in value]
    if isinstance(value, bool) or not isinstance(value, (int, str, Fraction)):
        raise Malformed(f"the value {value!r} is not exact; write a rational such as '1/3'")
    try:
        return str(Fraction(value))
    except (ValueError, ZeroDivisionError):
        try:
            return str(number(str(value)))
        except Malformed as error:
            raise Malformed(f"the value {error}; write a number as '1/3' or 'sqrt(2)'") from None


@dataclass(frozen=True)
class Evidence:
    """What a prover or a search offers. The kernel believes none of it."""

    certificate: dict[str, Any] | None = None
    witness: dict[str, Any] | None = None
    search: dict[str, Any] | None = None
    cited_source: str | None = None
    notes: tuple[str, ...] = field(default=())
