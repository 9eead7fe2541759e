"""Record the runs that lesson 7 replays: `python -m reports.sada.lessons.record` writes data/races.json again.

It takes about a minute on one core; the same seeds give the same bytes.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

POWERS = (1, 2, 3, 4, 5)
RACES = tuple(
    ("race", "least-squares", "--kappa", f"1e{p}", "--samples", "1000000", "--seeds", "8", "--jobs", "1", "--json")
    for p in POWERS
)
ACCELERATION = ("race", "acceleration", "--kappa", "1e4", "--seeds", "4", "--jobs", "1", "--json")
HOME = Path(__file__).with_name("data") / "races.json"


def run(arguments: tuple[str, ...]) -> dict[str, Any]:
    """What `lemmalab ARGUMENTS` ran; its figure goes with the folder, the theorem's bounds are no part of a run."""
    with tempfile.TemporaryDirectory() as folder:
        words = [sys.executable, "-c", "from reports.cli import main; main()", *arguments]
        done = subprocess.run(words, cwd=folder, capture_output=True, text=True, check=True)
    found: dict[str, Any] = json.loads(done.stdout)
    left_out = ("figure", "theorem_figure", "bounds", "theorem")
    return {name: value for name, value in found.items() if name not in left_out}


def entry(arguments: tuple[str, ...], result: dict[str, Any]) -> dict[str, Any]:
    return {"command": " ".join(("lemmalab", *arguments)), "result": result}


def text(races: list[dict[str, Any]], acceleration: dict[str, Any]) -> str:
    body = {"races": races, "acceleration": acceleration}
    return json.dumps(body, sort_keys=True, ensure_ascii=False, separators=(",", ":")) + "\n"


def main() -> None:
    races = [entry(arguments, run(arguments)) for arguments in RACES]
    HOME.write_text(text(races, entry(ACCELERATION, run(ACCELERATION))), encoding="utf-8")


if __name__ == "__main__":
    main()
