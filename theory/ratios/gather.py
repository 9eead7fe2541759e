"""Results for the statements of a project: what its designs observe, and the points of its claims."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from theory.claims.statement import Check, Faithfulness, Kind, Statement
from theory.kernel import Verdict
from theory.ratios.orders import ORDERS
from theory.ratios.points import at_points, op_of
from theory.ratios.result import Curve, Observation, Reading, Result, away
from theory.ratios.sides import AT_ONE, BOUNDS, NoValueError, bound_of, broken, quotients

if TYPE_CHECKING:
    from theory.project import Project

Progress = Callable[[int, int, str], None]
CLAIMS = ("lemma", "theorem", "corollary", "proposition")


def ratios_of(
    project: Project, ids: Iterable[str] | None = None, *, seed: int = 0, progress: Progress | None = None
) -> list[Result]:
    """One result for each statement asked for; without ids for every lemma, theorem, corollary and proposition."""
    wanted = list(ids) if ids is not None else claiming(project)
    brought = project.bring("designs")
    results = []
    for done, id_ in enumerate(wanted, start=1):
        statement = project.statements[id_]
        seen = [] if brought is None else list(brought(id_, seed))
        results.append(_result(project, statement, seen, seed))
        if progress is not None:
            progress(done, len(wanted), id_)
    return results


def claiming(project: Project) -> list[str]:
    """Lemmas, theorems, corollaries and propositions; all statements of a project without a printed paper."""
    kinds = {one.id: one.kind for one in project.paper.statements}
    return [id_ for id_ in project.statements if kinds.get(id_, "lemma") in CLAIMS]


def _result(project: Project, statement: Statement, seen: Sequence[Observation], seed: int) -> Result:
    printed = {one.id: one for one in project.paper.statements}.get(statement.id)
    checks = main_checks(statement, {one.key for one in seen})
    bounds = [check for check in checks if op_of(check.claim) in (*BOUNDS, *ORDERS)]
    what = "bound" if bounds else "identity" if any(op_of(c.claim) == "==" for c in checks) else "nothing"
    readings: list[Reading] = []
    for check in bounds or checks:
        own = [one for one in seen if one.key == check.key and one.counts]
        readings += [of_designs(check, own)] if own else []
        if not (own and check.claim.steps):  # designs run a loop as it is; its points are too long to run exactly
            readings.append(at_points(check, seed, _witness(project, check)))
    known = {check.key: check for check in checks}
    strange = sorted({one.key for one in seen} - set(known))
    if strange:
        raise ValueError(f"{statement.id}: the designs speak of {strange[0]}, which is none of its checks")
    return Result(
        statement.id,
        printed.title if printed else statement.id,
        printed.kind if printed else "lemma",
        what,
        tuple(readings),
        tuple(_curves(known, seen)),
    )


def main_checks(statement: Statement, observed: set[str]) -> list[Check]:
    """The readings: printed, repaired, the sharper ones of a printed part, and those that designs speak of.

    Facts of our own on the way to a reading bound nothing that the paper bounds.
    """
    printed = [c for c in statement.of_kind(Kind.PRINTED) if c.faithfulness is not Faithfulness.OURS]
    parts = {_part(c.key) for c in printed} | {""}
    return [
        c
        for c in statement.checks
        if c.key in observed
        or (c.kind is Kind.PRINTED and c in printed)
        or (c.kind is Kind.REPAIRED)
        or (c.kind is Kind.SHARPER and _part(c.key).split(",")[0] in parts)
    ]


def _part(key: str) -> str:
    return key.partition("#")[2]


def _witness(project: Project, check: Check) -> dict[str, Any] | None:
    """What refutes it, as it is written down or as it was found earlier; the kernel looks at it again.

    Of a lemma in a file nothing is expected and nothing is kept: a quick search looks for it.
    """
    from theory.search import QUICK, search
    from theory.search.exact import FAILS, refutes

    if check.argument or (check.expect is not Verdict.REFUTED and project.lemmas is None):
        return None
    found = check.witness.as_dict() if check.witness else None
    if found is None and project.lemmas is not None:
        found = search(check.claim, effort=QUICK).witness
    elif found is None:
        record = project.kept([check.key]).get(check.key)
        found = (record.evidence.witness or {}).get("point") if record else None
    return found if found and refutes(check.claim, found) == FAILS else None


def of_designs(check: Check, seen: Sequence[Observation]) -> Reading:
    """Truth over the bound that the claim states; what lies outside its hypotheses does not count."""
    rows: list[tuple[str, float, tuple[float, float] | None]] = []
    left_out: list[str] = []
    names: dict[str, None] = {}
    for one in seen:
        try:
            outside = broken(check.claim, one.values) if one.right is None else None
            if outside is not None:
                left_out.append(f"{one.where}: outside {outside}")
                continue
            value, spread = _ratio(check, one)
            if value is not None:
                rows.append((one.where, value, spread))
                names[one.design] = None
        except NoValueError as error:
            left_out.append(str(error))
    blank = Reading(check.key, check.kind.value, "designs", op_of(check.claim), missing=_told(left_out, len(rows)))
    if not rows:
        return blank
    name, worst, spread = max(rows, key=lambda row: away(blank.op, row[1]))
    return replace(
        blank, trials=len(rows), designs=len(names), names=tuple(names), median=float(np.median([r[1] for r in rows])),
        worst=worst, where=name, spread=spread, values=tuple((row[0], row[1]) for row in rows),
        simulated=tuple((row[0], row[1], *row[2]) for row in rows if row[2]),
        fails=any(_wrong(blank.op, row[2][0] if row[2] else row[1]) for row in rows),
    )  # fmt: skip


def _wrong(op: str, ratio: float) -> bool:
    """A bound fails above 1, an identity on either side of it."""
    return ratio != 1 if op == "==" else ratio > 1


def _told(left_out: Sequence[str], counted: int) -> str:
    if not left_out:
        return "" if counted else "no design has a positive bound here"
    return f"{len(left_out)} left out, the first because {left_out[0]}"


def _ratio(check: Check, one: Observation) -> tuple[float | None, tuple[float, float] | None]:
    op = check.claim.goals[one.goal].op
    bound = bound_of(check.claim, one.goal, one.values, one.over) if one.right is None else one.right
    value = float(quotients(op, one.truth, bound))
    value = 1.0 if abs(value - 1) < AT_ONE else value
    spread = None if one.spread is None else tuple(sorted(float(quotients(op, end, bound)) for end in one.spread))
    return (None if np.isnan(value) else value), spread  # type: ignore[return-value]


def _curves(checks: dict[str, Check], seen: Sequence[Observation]) -> list[Curve]:
    found: dict[tuple[str, str, str], list[tuple[float, Any, Any]]] = {}
    for one in seen:
        if one.curve and one.at is not None:
            try:
                fits = broken(checks[one.key].claim, one.values) is None
                value, spread = _ratio(checks[one.key], one) if fits else (None, None)
            except NoValueError:
                value, spread = None, None
            found.setdefault((one.curve, one.key, one.at[0]), []).append((one.at[1], value, spread))
    curves = []
    for (name, key, parameter), points in found.items():
        points.sort(key=lambda row: row[0])
        xs, ratios, spreads = zip(*points, strict=True)
        simulated = all(s is not None for s in spreads)
        ends = [tuple(s[i] for s in spreads) for i in (0, 1)] if simulated else [(), ()]
        curves.append(Curve(name, key, parameter, xs, ratios, *ends))
    return curves
