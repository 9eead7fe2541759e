"""`lemmalab fit` on a CSV beside what pyarrow needs to read the same file, and the memory of the process.

    python -m bench.estimators_csv [--megabytes 50]

CPU seconds of one process, interleaved; all read in blocks of 4 MB, pyarrow in one thread and told that all columns
are doubles. It keeps nothing of what it reads.
"""

from __future__ import annotations

import argparse
import io
import resource
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from bench.common import interleaved, median, ratio


def written(path: Path, megabytes: int) -> int:
    """A table of nine columns and a label, the same 20000 rows again and again; returns its rows."""
    rng = np.random.default_rng(0)
    x = rng.standard_normal((20_000, 9)) * np.geomspace(0.1, 100, 9)
    text = io.StringIO()
    np.savetxt(text, np.column_stack([x, x.sum(axis=1) + rng.standard_normal(20_000)]), delimiter=",", fmt="%.6g")
    copies = -(-megabytes * 1_000_000 // len(text.getvalue()))
    with path.open("w") as file:
        file.write("a,b,c,d,e,f,g,h,i,y\n")
        for _ in range(copies):
            file.write(text.getvalue())
    return copies * 20_000


def read(path: Path) -> int:
    import pyarrow
    from pyarrow import csv

    options = csv.ReadOptions(block_size=1 << 22, use_threads=False)
    doubles = csv.ConvertOptions(column_types={name: pyarrow.float64() for name in "abcdefghiy"})
    return sum(len(batch) for batch in csv.open_csv(path, read_options=options, convert_options=doubles))


def parse(path: Path) -> int:
    from numerics.streams.source import Wanted
    from numerics.streams.text import CsvSource

    return sum(len(block.rows) for block in CsvSource(path).blocks(0, Wanted()))


def fit(path: Path) -> int:
    from numerics.estimators.fitting import Task, fit_table
    from numerics.streams.binary import open_source

    return fit_table(open_source(path), Task("y"), saving=path.with_suffix(".part.npz"))[1].rows


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--megabytes", type=int, default=50)
    chosen = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "table.csv"
        rows = written(path, chosen.megabytes)
        calls = {"pyarrow": lambda: read(path), "our reader": lambda: parse(path), "fit": lambda: fit(path)}
        times = interleaved(calls, rounds=3)
    for name, found in times.items():
        print(f"{name:<12}{rows / median(found):>12,.0f} rows a CPU second")
    print(f"fit needs {ratio(times, 'fit', 'pyarrow'):.2f} times the CPU of reading alone")
    print(f"peak memory {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB")
    return 0


if __name__ == "__main__":
    sys.exit(main())
