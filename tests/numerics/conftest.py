"""Fixtures that several files of tests share."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[tuple[str, list[subprocess.Popen[bytes]]]]:
    """A scheduler and two workers, each a process of its own."""
    address_file = tmp_path / "scheduler.json"
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "cwd": tmp_path}
    environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1", "DASK_DISTRIBUTED__DIAGNOSTICS__NVML": "False"}
    base = [sys.executable, "-m", "dask"]
    serve = [
        *base,
        "scheduler",
        "--host",
        "127.0.0.1",
        "--port",
        "0",
        "--no-dashboard",
        "--scheduler-file",
        "scheduler.json",
    ]
    work = [*base, "worker", "--scheduler-file", "scheduler.json", "--nthreads", "1", "--no-nanny", "--no-dashboard"]
    started = [subprocess.Popen(serve, env=environment, **quiet)]  # type: ignore[call-overload]
    try:
        while not (address_file.exists() and address_file.read_text().endswith("}")):
            assert started[0].poll() is None, "the scheduler did not start"
            time.sleep(0.05)
        started += [subprocess.Popen(work, env=environment, **quiet) for _ in range(2)]  # type: ignore[call-overload]
        yield json.loads(address_file.read_text())["address"], started
    finally:
        for process in started:
            process.kill()
            process.wait()
