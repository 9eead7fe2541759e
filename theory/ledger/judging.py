"""The ledger: every check judged, in parallel, with what was found kept for the next time.

`check_all` is the whole of `lemmalab check`. Evidence of an earlier ledger is used again when nothing that it was made
from has changed; the kernel judges it again all the same, or has judged it before and remembers (`memory`).
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from theory.claims.collection import Checks, Library
from theory.claims.statement import Check
from theory.kernel import (
    Claim,
    Evidence,
    Judgement,
    Malformed,
    Rejected,
    Undecidable,
    Undefined,
    Verdict,
    standing,
)
from theory.ledger.again import Task, rejudged_all
from theory.ledger.archive import SETTLED, is_current, load, save, update
from theory.ledger.fingerprint import engine_digest, source_digest
from theory.ledger.ratio import ratio_of
from theory.ledger.records import Ledger, Record, record_of
from theory.ledger.stands import labelled
from theory.ledger.storage import LedgerError
from theory.ledger.versions import header

if TYPE_CHECKING:
    from theory.ledger.memory import Memory

THOROUGH = "thorough"
DEFECT = "the referee failed"
Progress = Callable[[int, int, Record], None]
Elsewhere = Callable[[str], tuple[Check, Mapping[str, Claim]]]


def check_all(
    keys: Iterable[str] | None = None,
    *,
    seed: int = 0,
    jobs: int | None = None,
    fresh: bool = False,
    previous: Ledger | None = None,
    effort: str = "normal",
    checks: Mapping[str, Check],
    title: str = "",
    owner: Callable[[str], str] = str,
    elsewhere: Elsewhere | None = None,
    progress: Progress | None = None,
    stamped: bool = True,
    memory: Memory | None = None,
) -> Ledger:
    """Judge the checks with these keys (all when None) and whatever their proofs cite.

    checks      what there is to judge; `title` of what, and `owner`: the statement that a check belongs to
    elsewhere   finds a check by its key in another process; without it the checks themselves travel
    stamped     the header names the versions of all that was used
    memory      judgements of this very kernel on this very evidence; without it everything is judged here and now
    """
    started = time.time()
    known = checks
    wanted = list(known if keys is None else dict.fromkeys(keys))
    if not wanted:
        raise LedgerError("nothing to check: no check was asked for and the project holds none")
    stranger = next((key for key in wanted if key not in known), None)
    if stranger is not None:
        raise KeyError(f"no check has the key {stranger!r}")
    library = Library(known)
    old = {} if fresh or previous is None else previous.by_key()
    seconds: dict[str, float] = {}
    done: dict[str, Record] = {}
    reused: list[str] = []
    while wanted:
        again, cold = _reuse(wanted, known, library, old, seed, _jobs(jobs, len(wanted)), memory)
        reused += again
        tasks = _costly_first([known[key] for key in cold], previous)
        results = _referee_all(tasks, library, seed, effort, _jobs(jobs, len(tasks)), elsewhere)
        total = len(done) + len(again) + len(cold)
        for record, spent in _chain(again.values(), results, known, seed):
            done[record.key] = replace(record, statement=owner(record.key))
            seconds[record.key] = spent if spent is not None else _spent(previous, record.key)
            if progress is not None:
                progress(len(done), total, done[record.key])
        cited = sorted({parent for record in done.values() for parent in record.judgement.cites})
        wanted = [key for key in cited if key not in done and key in known]
    ordered = known.ordered(done) if isinstance(known, Checks) else [key for key in known if key in done]
    records = tuple(done[key] for key in ordered)
    standing({record.key: record.judgement for record in records})
    timings = {
        "created": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(started)),
        "total": round(time.time() - started, 3),
        "reused": len(reused),
        "again": reused,
        "remembered": 0 if memory is None else len(memory.recalled & done.keys()),
        "seconds": {record.key: round(seconds[record.key], 4) for record in records},
    }
    return Ledger(header(title, seed, effort, stamped), records, timings)


def as_it_stands(found: Ledger) -> Ledger:
    """For people: what rests on something weaker is called so. The ledger itself keeps what each proof establishes."""
    judgements = {record.key: record.judgement for record in found.records}
    stands = standing(judgements)

    def told(record: Record) -> Record:
        if stands[record.key] is record.verdict:
            return record
        weak = [key for key in record.judgement.cites if stands.get(key, Verdict.UNDECIDED) is not Verdict.PROVED]
        words = f"proved from {', '.join(weak)}, which is {stands[weak[0]].name if weak[0] in stands else 'not judged'}"
        return replace(record, judgement=replace(record.judgement, verdict=stands[record.key], reason=words))

    return replace(found, records=labelled(map(told, found.records)))


def _reuse(
    wanted: list[str],
    known: Mapping[str, Check],
    library: Mapping[str, Claim],
    old: Mapping[str, Record],
    seed: int,
    jobs: int,
    memory: Memory | None,
) -> tuple[dict[str, Record], list[str]]:
    """What the old ledger settles already, judged again or remembered; and the keys that need work."""
    fit = {key: old[key] for key in wanted if key in old and _fits(old[key], known[key], seed)}
    tasks = [Task(key, known[key].claim, record.evidence) for key, record in fit.items()]
    found = _judged(tasks, library, jobs, memory)
    again = {
        key: _record(known[key], record.evidence, judgement, seed, record.engine)
        for key, record in fit.items()
        if (judgement := found[key]) is not None and judgement.verdict is known[key].expect
    }
    return again, [key for key in wanted if key not in again]


def _judged(
    tasks: list[Task], library: Mapping[str, Claim], jobs: int, memory: Memory | None
) -> dict[str, Judgement | None]:
    known = {task.key: memory.recall(task, library) for task in tasks} if memory is not None else {}
    new = [task for task in tasks if known.get(task.key) is None]
    found = {**known, **dict(rejudged_all(new, library, jobs))}
    if memory is not None:
        memory.keep(((task, judgement) for task in new if (judgement := found[task.key]) is not None), library)
    return found


def _fits(record: Record, check: Check, seed: int) -> bool:
    engine = None if record.verdict in SETTLED else engine_digest()
    return is_current(record, check, seed, engine) and record.as_expected


def _record(
    check: Check, evidence: Evidence, judgement: Judgement, seed: int, engine: str, problem: str = ""
) -> Record:
    return record_of(
        check,
        evidence,
        judgement,
        statement="",
        ratio=ratio_of(check.claim, evidence),
        source=source_digest(check),
        engine=engine,
        seed=seed,
        problem=problem,
    )


Outcome = tuple[str, Evidence, Judgement, str, float]


def _chain(
    again: Iterable[Record], results: Iterator[Outcome], known: Mapping[str, Check], seed: int
) -> Iterator[tuple[Record, float | None]]:
    for record in again:
        yield record, None
    for key, evidence, judgement, problem, spent in results:
        yield _record(known[key], evidence, judgement, seed, engine_digest(), problem), spent


def _costly_first(tasks: list[Check], previous: Ledger | None) -> list[Check]:
    """The slowest of last time start first, so that no process waits for one straggler at the end."""
    return sorted(tasks, key=lambda check: -_spent(previous, check.key, unknown=1e9))


def _spent(previous: Ledger | None, key: str, unknown: float = 0.0) -> float:
    """How long the check took when it was last judged. Timings are not sealed: what is no number is unknown."""
    table = previous.timings.get("seconds") if previous is not None else None
    spent = table.get(key) if isinstance(table, dict) else None
    return float(spent) if isinstance(spent, (int, float)) else unknown


def _jobs(jobs: int | None, tasks: int) -> int:
    """As asked, else LEMMALAB_JOBS, else one for each core; never more than there are tasks."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    usual = os.environ.get("LEMMALAB_JOBS", "")
    wanted = jobs if jobs is not None and jobs > 0 else int(usual) if usual.isdigit() and int(usual) > 0 else cores
    return max(1, min(wanted, tasks))


def _referee_all(
    tasks: list[Check], library: Mapping[str, Claim], seed: int, effort: str, jobs: int, elsewhere: Elsewhere | None
) -> Iterator[Outcome]:
    if jobs == 1:
        yield from (_referee_one(check, library, seed, effort) for check in tasks)
        return
    from joblib import Parallel, delayed

    pool = Parallel(n_jobs=jobs, return_as="generator_unordered", batch_size=1)
    if elsewhere is not None:
        yield from pool(delayed(_referee_key)(elsewhere, check.key, seed, effort) for check in tasks)
    else:
        yield from pool(delayed(_referee_one)(check, library, seed, effort) for check in tasks)


def _referee_key(elsewhere: Elsewhere, key: str, seed: int, effort: str) -> Outcome:
    """In a worker process: plans are functions, so that only the key travels."""
    return _referee_one(*elsewhere(key), seed, effort)


def _referee_one(check: Check, library: Mapping[str, Claim], seed: int, effort: str) -> Outcome:
    from theory.ledger.referee import Diligence, referee

    started = time.perf_counter()
    try:
        evidence, judgement = referee(check, library, seed=seed, effort=Diligence(thorough=effort == THOROUGH))
        problem = ""
    except (Rejected, Malformed, Undefined, Undecidable) as error:
        problem = str(error)
        evidence, judgement = _nothing(check, problem)
    except Exception as error:
        problem = f"{DEFECT} on {check.key} with {type(error).__name__}: {error}"
        evidence, judgement = _nothing(check, problem)
    return check.key, evidence, judgement, problem, time.perf_counter() - started


def _nothing(check: Check, problem: str) -> tuple[Evidence, Judgement]:
    return Evidence(), Judgement(Verdict.UNDECIDED, problem, check.claim.scope)


__all__ = ["DEFECT", "Ledger", "LedgerError", "check_all", "is_current", "load", "save", "update"]
