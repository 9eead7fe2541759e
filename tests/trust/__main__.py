"""`make trust`: everything that measures the verifier, in one table.

    python -m tests.trust [--quick] [--only PART ...] [--out FILE]

Writes the numbers as JSON, from which the report takes its section "Can you trust this?". Exit 1 when a goal is missed.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
import traceback
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, replace
from datetime import date
from pathlib import Path
from typing import Any

import numpy as np

from reports.site.content import commit
from reports.site.trust import OUT, UNMEASURED
from tests.sada import shipped
from theory.ledger.archive import load
from theory.ledger.fingerprint import engine_digest
from theory.ledger.records import Ledger
from theory.ledger.storage import write_atomically


@dataclass(frozen=True)
class Row:
    """One line of the table. `notes` explains every survivor and everything undecided, a line each."""

    part: str
    what: str
    measured: str
    goal: str
    met: bool
    notes: tuple[str, ...] = ()


def mutants(ledger: Ledger, quick: bool) -> list[Row]:
    from tests.sada import checks
    from theory.mutants.mutants import Fate, rates, run

    outcomes = list(run(checks().values(), count=60 if quick else 300, seed=0))
    rows = []
    for row in rates(outcomes):
        rate = "none is left" if row["rate"] is None else f"{row['rate']:.1%} killed"
        counts = (
            f"{row['made']} made, {row['equivalent']} equivalent, {row['weaker']} weaker, {row['survived']} survived"
        )
        goal = "" if row["goal"] is None else f"{row['goal']:.0%}"
        met = row["goal"] is None or row["rate"] is None or row["rate"] >= row["goal"]
        rows.append(Row("mutants", row["what"], f"{rate} ({counts})", goal, met))
    alive = tuple(f"{o.origin}: {o.words}: {o.by}" for o in outcomes if o.fate == Fate.SURVIVED.value)
    return [*rows[:-1], Row(**{**asdict(rows[-1]), "notes": alive})]


def inequalities(ledger: Ledger, quick: bool) -> list[Row]:
    from tests.trust.corpus import corpus
    from tests.trust.verdicts import judge_corpus

    every = corpus()
    score = judge_corpus(every[:: 20 if quick else 1])
    open_ = tuple(f"undecided: {one}" for one in score.open_)
    total = score.true + score.false
    return [
        Row("inequalities", "true ones", f"{score.proved} of {score.true} proved", "none refuted", score.sound),
        Row("inequalities", "false ones", f"{score.refuted} of {score.false} refuted", "none proved", score.sound),
        Row("inequalities", "wrong verdicts", str(len(score.wrong)), "0", score.sound, score.wrong),
        Row("inequalities", "undecided", f"{len(open_)} of {total}", "reported", True, open_),
    ]


def lemmas(ledger: Ledger, quick: bool) -> list[Row]:
    """Lemmas of theory papers by class, unaided; the goals are those of the whole, and no class below 60%."""
    from tests.corpus import CLASSES, cases, judged

    rows, every = [], []
    for kind in CLASSES:
        found = [judged(case) for case in list(cases(kind))[: 4 if quick else None]]
        every += found
        rows.append(_shares(kind, found, 0.6, 0.6))
    wrong = tuple(f"{one.case.name}: {one.case.says}" for one in every if one.wrong)
    open_ = tuple(f"{one.case.kind}: {one.case.name}, {one.case.truth}" for one in every if not one.settled)
    whole = _shares("all", every, 0.8, 0.95)
    return [*rows, replace(whole, notes=open_), Row("lemmas", "wrong verdicts", str(len(wrong)), "0", not wrong, wrong)]


def _shares(kind: str, found: list[Any], proved: float, refuted: float) -> Row:
    true = [one.settled for one in found if one.case.truth]
    false = [one.settled for one in found if not one.case.truth]
    words = f"{sum(true)} of {len(true)} proved, {sum(false)} of {len(false)} refuted"
    met = sum(true) >= proved * len(true) and sum(false) >= refuted * len(false)
    return Row("lemmas", kind, words, f"{proved:.0%} and {refuted:.0%}", met)


def forgeries(ledger: Ledger, quick: bool) -> list[Row]:
    from tests.trust.forgery import forge

    each = 30 if quick else 3600
    tally = forge(ledger, np.random.default_rng(0), certificates=each, witnesses=each, ledgers=each)
    kinds = ", ".join(f"{count} of a {kind}" for kind, count in tally.tried.items())
    enough = quick or tally.total >= 10_000
    accepted = tuple(tally.accepted)
    return [
        Row("forgeries", f"tamperings ({kinds})", str(tally.total), "10000", enough),
        Row("forgeries", "accepted and wrong", str(len(accepted)), "0", not accepted, accepted),
        Row("forgeries", "changed witnesses that only the kernel can judge", str(tally.left_out), "reported", True),
    ]


def random_claims(ledger: Ledger, quick: bool) -> list[Row]:
    from tests.trust.random_claims import run

    found = run(60 if quick else 5000, np.random.default_rng(1))
    words = f"{len(found.wrong)} of {found.proved} fail ({found.made} claims made, {found.points} points)"
    return [Row("random claims", "proved ones that fail somewhere", words, "0", not found.wrong, found.wrong)]


def second_opinion(ledger: Ledger, quick: bool) -> list[Row]:
    from tests.trust.crosscheck import crosscheck

    found = crosscheck(ledger, np.random.default_rng(0), neighbours=1 if quick else 10)
    words = (
        f"{len(found.disagreements)} at {found.points} points ({found.without_value} without a value; "
        f"{len(found.left_out)} claims with recursions or functions of a vector left out)"
    )
    met = not found.disagreements
    return [Row("second opinion", "disagreements with the kernel", words, "0", met, found.disagreements)]


def security(ledger: Ledger, quick: bool) -> list[Row]:
    from tests.trust.security import Audit, audit, findings, unpinned

    found, loose = tuple(map(str, findings())), tuple(unpinned())
    told = Audit(False, "not asked in the quick run") if quick else audit()
    measured = told.words if told.ran else f"{UNMEASURED}: {told.words}"
    return [
        Row("security", "places that run, unpickle or shell out what is read", str(len(found)), "0", not found, found),
        Row("security", "dependencies without an exact version", str(len(loose)), "0", not loose, loose),
        Row(
            "security",
            "known vulnerabilities of the pinned versions",
            measured,
            "0",
            not told.vulnerable,
            told.vulnerable,
        ),
    ]


def numeric(ledger: Ledger, quick: bool) -> list[Row]:
    from tests.trust.numeric import measure as compare

    found = compare(30 if quick else 1000, np.random.default_rng(2))
    words = (
        f"{len(found.outside)} of {found.numbers} numbers ({found.instances} instances; worst {found.worst:.0%} of it)"
    )
    return [Row("numerics", "outside the stated error", words, "0", not found.outside, found.outside)]


def faults(ledger: Ledger, quick: bool) -> list[Row]:
    from tests.trust.faults import every

    return [
        Row(
            "faults",
            one.name,
            f"{UNMEASURED}: {one.skipped}" if one.skipped else f"{one.tried} tried, {len(one.problems)} results lost",
            "0",
            not one.problems,
            one.problems,
        )
        for one in every(2 if quick else 50, np.random.default_rng(0))
    ]


def source(ledger: Ledger, quick: bool) -> list[Row]:
    from tests.trust.source_mutants import ENGINE, KERNEL, explained, run

    rows = []
    for target, count, goal in ((KERNEL, 300, 0.9), (ENGINE, 80, 0.8)):
        score = run(target, 4 if quick else count, np.random.default_rng(5), jobs=2)
        words = f"{score.rate:.1%} killed ({score.killed} of a sample of {score.made}; equivalent ones count as alive)"
        notes = tuple(map(explained, score.survivors))
        rows.append(Row("code mutants", target.name, words, f"{goal:.0%}", quick or score.rate >= goal, notes))
    return rows


PARTS: dict[str, Callable[[Ledger, bool], list[Row]]] = {
    "second-opinion": second_opinion,
    "inequalities": inequalities,
    "lemmas": lemmas,
    "random-claims": random_claims,
    "forgeries": forgeries,
    "mutants": mutants,
    "security": security,
    "numerics": numeric,
    "faults": faults,
    "code-mutants": source,
}


def measure(names: list[str], ledger: Ledger, quick: bool) -> Iterator[tuple[str, list[Row], float]]:
    """Part by part; a part that breaks is a goal missed, and the others are measured all the same."""
    for name in names:
        started = time.perf_counter()
        try:
            rows = PARTS[name](ledger, quick)
        except Exception as error:
            words = f"broke off with {type(error).__name__}: {error}"
            trace = tuple(traceback.format_exc().strip().splitlines())
            rows = [Row(name.replace("-", " "), "the whole part", words, "a measurement", False, trace)]
        yield name, rows, round(time.perf_counter() - started, 1)


def table(rows: list[Row]) -> str:
    widths = [max(len(row.part) for row in rows), max(len(row.what) for row in rows)]
    lines = [
        f"{_mark(row)} {row.part:<{widths[0]}}  {row.what:<{widths[1]}}  {row.measured}"
        + (f"  (goal {row.goal})" if row.goal else "")
        for row in rows
    ]
    return "\n".join(lines + [f"     {note}" for row in rows for note in row.notes])


def _mark(row: Row) -> str:
    if row.measured.startswith(UNMEASURED):
        return "--  "
    return "ok  " if row.met else "MISS"


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.trust", description="Measure what the verifier catches.")
    parser.add_argument("--quick", action="store_true", help="a small sample of everything")
    parser.add_argument("--only", nargs="+", choices=list(PARTS), default=list(PARTS), metavar="PART")
    parser.add_argument("--keep", action="store_true", help="keep the other parts of an earlier run in the file")
    parser.add_argument("--ledger", type=Path, help="take certificates and witnesses from here")
    parser.add_argument("--out", type=Path, default=OUT)
    given = parser.parse_args(arguments)
    ledger = load(given.ledger) if given.ledger else shipped()
    if ledger is None:
        print("no ledger: run `lemmalab check` and give its file with --ledger", file=sys.stderr)
        return 2
    body = _earlier(given.out, given.only) if given.keep else {"rows": [], "seconds": {}}
    body |= {"quick": given.quick, "engine": engine_digest(), "date": date.today().isoformat(), "commit": commit()}
    rows: list[Row] = []
    given.out.parent.mkdir(parents=True, exist_ok=True)
    for name, found, seconds in measure(given.only, ledger, given.quick):
        print(f"{name}: {seconds:.0f} s", file=sys.stderr, flush=True)
        rows += found
        body["rows"] += map(asdict, found)
        body["seconds"][name] = seconds
        write_atomically(given.out, json.dumps(body, indent=1))
    print(table(rows))
    print(f"written to {given.out}")
    return 0 if all(row.met for row in rows) else 1


def _earlier(path: Path, again: list[str]) -> dict[str, Any]:
    """What an earlier run has measured of the parts that are not measured now."""
    if not path.exists():
        return {"rows": [], "seconds": {}}
    body = json.loads(path.read_text(encoding="utf-8"))
    labels = {name.replace("-", " ") for name in again}
    return {
        "rows": [row for row in body["rows"] if row["part"] not in labels],
        "seconds": {name: spent for name, spent in body["seconds"].items() if name not in again},
    }


if __name__ == "__main__":
    sys.exit(main())
