"""What one lemma costs: `lemmalab check ID` and `lemmalab show ID` against `python -c "import numpy"`, in one run.

    python -m bench.one_lemma

Processor seconds of whole processes that take turns, with proofs kept and modules compiled.
Exit 1 when one costs more than twice as much.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from bench import common
from bench.common import Row

ID, GOAL, ROUNDS = "lem:A-inverse", 2.0, 9
ROOT = Path(__file__).resolve().parents[1]


def spent(command: list[str], folder: str) -> float:
    """Processor seconds of one process."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    env = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    subprocess.run(
        [sys.executable, *command],
        cwd=folder,
        env={**env, "PYTHONPATH": str(ROOT)},
        check=True,
        stdout=subprocess.DEVNULL,
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> int:
    commands = {
        "numpy": ["-c", "import numpy"],
        "check": ["-m", "reports.cli", "check", ID],
        "show": ["-m", "reports.cli", "show", ID],
    }
    with tempfile.TemporaryDirectory() as folder:
        calls: dict[str, Callable[[], float]] = {n: lambda c=c: spent(c, folder) for n, c in commands.items()}  # type: ignore[misc]
        for call in calls.values():
            call()
        rounds = [{name: call() for name, call in calls.items()} for _ in range(ROUNDS)]
    rows = []
    for name in ("check", "show"):
        ratio = common.median(one[name] / one["numpy"] for one in rounds)
        seconds = common.median(one[name] for one in rounds)
        measured = f"{ratio:.2f} times import numpy ({seconds:.2f} s)"
        rows.append(Row(f"one lemma: lemmalab {name} {ID}", f"{GOAL:g} times", measured, "", ratio <= GOAL))
    common.print_table(rows)
    common.record("one lemma", rows)
    return 0 if all(row.met for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main())
