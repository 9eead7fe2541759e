"""How long `pytest theory` takes on two cores: with the certificates that ship, and cold (every proof found again).

    python -m bench.theory

Prints both and merges them into bench/results.json (section "theory"). Exit 1 when the cold run takes over 2 minutes.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from pathlib import Path

from bench import common
from bench.common import Row

GOAL = 120.0
ROOT = Path(__file__).parents[1]


def judged(*options: str) -> tuple[float, str]:
    """Seconds and the last line of a run in a copy of the tree without any cache."""
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "tree"
        subprocess.run(["git", "clone", "--quiet", str(ROOT), str(copy)], check=True)
        command = [sys.executable, "-m", "pytest", "theory", "-n", "2", "-q", *options]
        started = time.perf_counter()
        done = subprocess.run(command, cwd=copy, capture_output=True, text=True)
        seconds = time.perf_counter() - started
    if done.returncode:
        raise SystemExit(f"pytest theory failed:\n{done.stdout[-3000:]}")
    return seconds, done.stdout.strip().splitlines()[-1]


def main() -> int:
    warm, _ = judged()
    cold, words = judged("--fresh-proofs")
    rows = [
        Row("pytest theory, certificates shipped", "reported", f"{warm:.0f} s", "", True),
        Row("pytest theory, every proof found again", f"{GOAL:.0f} s", f"{cold:.0f} s", words, cold <= GOAL),
    ]
    common.print_table(rows)
    common.record("theory", rows)
    return 0 if all(row.met for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main())
