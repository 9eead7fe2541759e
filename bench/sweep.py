"""A sweep of 1,000 small cells with two processes against one: wall time, the two taking turns, as a ratio.

    python -m bench.sweep [--rounds 3]

Both sides have been warmed by a small sweep, so that neither pays for starting processes or loading kernels; the row
`cold` is a whole `lemmalab sweep` from the shell, once each way. The machine must have two idle cores: the load that
others put on it is printed beside the figure. Exit 1 when the ratio is below 1.8.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from numerics.race import ProblemSpec
from numerics.sweep import Grid, sweep

GOAL = 1.8
METHODS = ("sada", "asgd", "sgd", "sgd-decay", "root-sgd")
KAPPAS = (10, 100, 1000, 10_000, 100_000)
SIZES, SEEDS = (50_000, 100_000), 20


def grid(seeds: Sequence[int]) -> Grid:
    """5 problems x 5 methods x 2 sizes x seeds."""
    problems = tuple(ProblemSpec.of("least-squares", {"kappa": kappa}) for kappa in KAPPAS)
    return Grid(problems, METHODS, SIZES, tuple(seeds))


def seconds(jobs: int, seeds: Sequence[int]) -> float:
    with tempfile.TemporaryDirectory() as folder:
        start = time.perf_counter()
        found = sweep(grid(seeds), Path(folder) / "store.jsonl", jobs=jobs)
        took = time.perf_counter() - start
    assert not found.failures
    return took


def cold(jobs: int) -> float:
    kappas = ", ".join(str(kappa) for kappa in KAPPAS)
    text = (
        f"methods = {list(METHODS)}\nsizes = {list(SIZES)}\nseeds = {SEEDS}\n"
        f"problems = [{{name = 'least-squares', kappa = [{kappas}]}}]\n"
    )
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "grid.toml").write_text(text)
        command = [
            sys.executable,
            "-c",
            "from reports.cli import main; main()",
            "sweep",
            "grid.toml",
            "--jobs",
            str(jobs),
        ]
        start = time.perf_counter()
        subprocess.run(command, cwd=folder, check=True, stdout=subprocess.DEVNULL)
        return time.perf_counter() - start


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=3)
    chosen = parser.parse_args(arguments)
    cells = len(grid(range(SEEDS)).cells())
    for jobs in (1, 2):
        seconds(jobs, range(2))
    load = os.getloadavg()[0]
    pairs = [(seconds(1, range(SEEDS)), seconds(2, range(SEEDS))) for _ in range(max(1, chosen.rounds))]
    ratio = statistics.median(one / two for one, two in pairs)
    one, two = (statistics.median(side) for side in zip(*pairs, strict=True))
    verdict = "met" if ratio >= GOAL else "MISSED"
    print(f"sweep of {cells} cells, 2 processes against 1: {one:.2f} s / {two:.2f} s = {ratio:.2f}")
    print(f"  goal {GOAL}: {verdict}")
    print(f"  load before the run {load:.2f} on {os.cpu_count()} cores; figures mean little unless it is near 0")
    first, second = cold(1), cold(2)
    print(f"  cold, from the shell: {first:.2f} s / {second:.2f} s = {first / second:.2f}")
    return 0 if ratio >= GOAL else 1


if __name__ == "__main__":
    sys.exit(main())
